package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/crypto/bcrypt"
)

// token signs in with a password, or exchanges a refresh token.
func (s *Server) token(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Email        string `json:"email"`
		Password     string `json:"password"`
		RefreshToken string `json:"refresh_token"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	var out session
	var err error
	switch r.URL.Query().Get("grant_type") {
	case "password":
		out, err = s.signIn(r.Context(), in.Email, in.Password)
	case "refresh_token":
		if in.RefreshToken == "" {
			return refuse(http.StatusBadRequest, "validation_failed", "refresh_token required")
		}
		out, err = s.renew(r.Context(), in.RefreshToken)
	default:
		return refuse(http.StatusBadRequest, "invalid_credentials", "unsupported_grant_type")
	}
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) signIn(ctx context.Context, email, password string) (session, error) {
	if email == "" || password == "" {
		return session{}, refuse(http.StatusBadRequest, "validation_failed", "missing email or phone")
	}
	u, err := oneUser(ctx, s.pool, ` and lower(email) = $1`, strings.ToLower(strings.TrimSpace(email)))
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return session{}, err
	}
	if !s.matches(u.password, password) {
		return session{}, refuse(http.StatusBadRequest, "invalid_credentials", "Invalid login credentials")
	}
	if u.BannedUntil != nil && u.BannedUntil.After(s.now()) {
		return session{}, refuse(http.StatusBadRequest, "user_banned", "User is banned")
	}
	if u.EmailConfirmedAt == nil {
		return session{}, refuse(http.StatusBadRequest, "email_not_confirmed", "Email not confirmed")
	}
	return s.open(ctx, u)
}

// matches compares a password with a stored hash. Without a hash it does the
// same work on a decoy of the same cost, so that the time taken does not tell
// whether a user has this address.
func (s *Server) matches(hash, password string) bool {
	if hash == "" {
		_ = bcrypt.CompareHashAndPassword(s.decoy, []byte(password))
		return false
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

func (s *Server) getUser(w http.ResponseWriter, _ *http.Request, by caller) error {
	writeJSON(w, http.StatusOK, by.user)
	return nil
}

// putUser changes what a user may change about themselves: address, password
// and the metadata that carries no authority. app_metadata is not among it.
func (s *Server) putUser(w http.ResponseWriter, r *http.Request, by caller) error {
	var in struct {
		Email    string         `json:"email"`
		Password *string        `json:"password"`
		Data     map[string]any `json:"data"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Password != nil && s.matches(by.user.password, *in.Password) {
		return refuse(http.StatusUnprocessableEntity, "same_password",
			"New password should be different from the old password.")
	}
	var out user
	err := pgx.BeginFunc(r.Context(), s.pool, func(tx pgx.Tx) (err error) {
		out, err = s.apply(r.Context(), tx, by.user, change{email: in.Email, password: in.Password,
			userMetadata: in.Data})
		return err
	})
	if err != nil {
		return err
	}
	if in.Password != nil {
		// Sessions that were made with the old password end.
		if err := s.close(r.Context(), by, "others"); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request, by caller) error {
	if err := s.close(r.Context(), by, r.URL.Query().Get("scope")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
