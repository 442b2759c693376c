package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// caller is the user behind a request, with the session that the token names.
type caller struct {
	user    user
	session uuid.UUID
}

// signedIn lets a request pass when it carries the access token of a user
// whose session still lives.
func (s *Server) signedIn(next func(http.ResponseWriter, *http.Request, caller) error) func(http.ResponseWriter,
	*http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		claims, err := s.bearer(r)
		if err != nil {
			return err
		}
		by, err := s.callerOf(r.Context(), claims)
		if err != nil {
			return err
		}
		return next(w, r, by)
	}
}

// asAdmin lets a request pass when its token carries the role service_role.
func (s *Server) asAdmin(next func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter,
	*http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		claims, err := s.bearer(r)
		if err != nil {
			return err
		}
		if claims["role"] != "service_role" {
			return refuse(http.StatusForbidden, "not_admin", "User not allowed")
		}
		return next(w, r)
	}
}

func (s *Server) bearer(r *http.Request) (map[string]any, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return nil, refuse(http.StatusUnauthorized, "no_authorization", "This endpoint requires a valid Bearer token")
	}
	claims, err := s.Verify(strings.TrimSpace(token))
	if err != nil {
		return nil, refuse(http.StatusForbidden, "bad_jwt", "invalid JWT: unable to parse or verify signature, "+
			err.Error())
	}
	return claims, nil
}

func (s *Server) callerOf(ctx context.Context, claims map[string]any) (caller, error) {
	subject, _ := claims["sub"].(string)
	if subject == "" {
		return caller{}, refuse(http.StatusForbidden, "bad_jwt", "invalid claim: missing sub claim")
	}
	id, err := uuid.Parse(subject)
	if err != nil {
		return caller{}, refuse(http.StatusBadRequest, "bad_jwt", "invalid claim: sub claim must be a UUID")
	}
	named, _ := claims["session_id"].(string)
	session, err := uuid.Parse(named)
	if err != nil {
		return caller{}, refuse(http.StatusForbidden, "bad_jwt", "invalid claim: session_id claim must be a UUID")
	}
	u, err := findUser(ctx, s.pool, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return caller{}, refuse(http.StatusForbidden, "user_not_found", "User from sub claim in JWT does not exist")
	}
	if err != nil {
		return caller{}, err
	}
	var lives bool
	err = s.pool.QueryRow(ctx, `select exists (select from auth.sessions where id = $1 and user_id = $2)`, session,
		id).Scan(&lives)
	if err != nil {
		return caller{}, err
	}
	if !lives {
		return caller{}, refuse(http.StatusForbidden, "session_not_found",
			"Session from session_id claim in JWT does not exist")
	}
	return caller{user: u, session: session}, nil
}
