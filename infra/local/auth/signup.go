package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// signUp makes an account for any caller and signs them in. There is no mail
// with which to confirm the address, so it counts as confirmed.
func (s *Server) signUp(w http.ResponseWriter, r *http.Request) error {
	if !s.signup {
		return refuse(http.StatusUnprocessableEntity, "signup_disabled", "Signups not allowed for this instance")
	}
	var in struct {
		Email    string         `json:"email"`
		Phone    string         `json:"phone"`
		Password string         `json:"password"`
		Data     map[string]any `json:"data"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	switch {
	case in.Phone != "":
		return refuse(http.StatusBadRequest, "phone_provider_disabled", "Phone signups are disabled")
	case in.Email == "" && in.Password == "":
		return refuse(http.StatusUnprocessableEntity, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
	case in.Password == "":
		return refuse(http.StatusBadRequest, "validation_failed", "Signup requires a valid password")
	}
	id, err := s.newID()
	if err != nil {
		return err
	}
	u, err := s.addUser(r.Context(), id, in.Email, change{password: &in.Password, confirm: true,
		userMetadata: in.Data})
	if e, ok := errors.AsType[*refusal](err); ok && e.code == "email_exists" {
		return refuse(http.StatusUnprocessableEntity, "user_already_exists", "User already registered")
	}
	if err != nil {
		return err
	}
	out, err := s.open(r.Context(), u)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// addUser makes a user with an address, and with what wanted says, or none.
func (s *Server) addUser(ctx context.Context, id uuid.UUID, address string, wanted change) (out user, err error) {
	email, err := cleanEmail(address)
	if err != nil {
		return user{}, err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		app := map[string]any{"provider": "email", "providers": []string{"email"}}
		_, err := tx.Exec(ctx, `insert into auth.users (id, aud, role, email, raw_app_meta_data, raw_user_meta_data,
			created_at, updated_at)
			values ($1, $2, $2, $3, $4, '{}', $5, $5)`, id, audience, email, app, s.now())
		if err != nil {
			return emailTaken(err)
		}
		fresh, err := findUser(ctx, tx, id)
		if err != nil {
			return err
		}
		out, err = s.apply(ctx, tx, fresh, wanted)
		return err
	})
	return out, err
}
