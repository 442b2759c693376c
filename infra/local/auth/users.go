package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/crypto/bcrypt"
)

// minPassword is the shortest password, in bytes; bcrypt reads no more than
// maxPassword.
const (
	minPassword = 6
	maxPassword = 72
)

// querier is what a pool and a transaction have in common.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// user is a row of auth.users in the shape in which clients read it.
type user struct {
	ID               uuid.UUID      `json:"id"`
	Aud              string         `json:"aud"`
	Role             string         `json:"role"`
	Email            string         `json:"email"`
	EmailConfirmedAt *time.Time     `json:"email_confirmed_at,omitempty"`
	Phone            string         `json:"phone"`
	ConfirmedAt      *time.Time     `json:"confirmed_at,omitempty"`
	LastSignInAt     *time.Time     `json:"last_sign_in_at,omitempty"`
	BannedUntil      *time.Time     `json:"banned_until,omitempty"`
	AppMetadata      map[string]any `json:"app_metadata"`
	UserMetadata     map[string]any `json:"user_metadata"`
	Identities       []identity     `json:"identities"`
	CreatedAt        time.Time      `json:"created_at"`
	UpdatedAt        time.Time      `json:"updated_at"`
	IsAnonymous      bool           `json:"is_anonymous"`

	password string
}

// identity is the one way to sign in that a user has here.
type identity struct {
	IdentityID   uuid.UUID      `json:"identity_id"`
	ID           string         `json:"id"`
	UserID       uuid.UUID      `json:"user_id"`
	IdentityData map[string]any `json:"identity_data"`
	Provider     string         `json:"provider"`
	LastSignInAt *time.Time     `json:"last_sign_in_at,omitempty"`
	CreatedAt    time.Time      `json:"created_at"`
	UpdatedAt    time.Time      `json:"updated_at"`
	Email        string         `json:"email"`
}

const selectUser = `select id, coalesce(nullif(aud, ''), 'authenticated'), coalesce(nullif(role, ''), 'authenticated'),
	coalesce(email, ''), email_confirmed_at, last_sign_in_at, banned_until,
	coalesce(raw_app_meta_data, '{}'), coalesce(raw_user_meta_data, '{}'),
	coalesce(encrypted_password, ''), created_at, updated_at
	from auth.users where deleted_at is null`

func scanUser(row pgx.CollectableRow) (user, error) {
	var u user
	err := row.Scan(&u.ID, &u.Aud, &u.Role, &u.Email, &u.EmailConfirmedAt, &u.LastSignInAt, &u.BannedUntil,
		&u.AppMetadata, &u.UserMetadata, &u.password, &u.CreatedAt, &u.UpdatedAt)
	if err != nil {
		return user{}, err
	}
	u.ConfirmedAt = u.EmailConfirmedAt
	u.Identities = []identity{{
		IdentityID: u.ID, ID: u.ID.String(), UserID: u.ID, Provider: "email", Email: u.Email,
		IdentityData: map[string]any{"sub": u.ID, "email": u.Email, "email_verified": u.EmailConfirmedAt != nil},
		LastSignInAt: u.LastSignInAt, CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}}
	return u, nil
}

// oneUser returns pgx.ErrNoRows when no user matches.
func oneUser(ctx context.Context, db querier, where string, args ...any) (user, error) {
	rows, err := db.Query(ctx, selectUser+where, args...)
	if err != nil {
		return user{}, fmt.Errorf("read a user: %w", err)
	}
	u, err := pgx.CollectExactlyOneRow(rows, scanUser)
	if err != nil {
		return user{}, fmt.Errorf("read a user: %w", err)
	}
	return u, nil
}

func findUser(ctx context.Context, db querier, id uuid.UUID) (user, error) {
	return oneUser(ctx, db, ` and id = $1`, id)
}

// change is what a request wants to be different in a user. A nil part stays.
type change struct {
	email        string
	password     *string
	role         string
	confirm      bool
	banDuration  string
	appMetadata  map[string]any
	userMetadata map[string]any
}

// apply writes c to the user that u describes and returns it as it now is.
// Metadata is merged key by key; a key that is null goes away.
func (s *Server) apply(ctx context.Context, db querier, u user, c change) (user, error) {
	now := s.now()
	if c.email != "" {
		email, err := cleanEmail(c.email)
		if err != nil {
			return user{}, err
		}
		u.Email = email
	}
	if c.password != nil {
		hash, err := hashPassword(*c.password)
		if err != nil {
			return user{}, err
		}
		u.password = hash
	}
	if c.role != "" {
		u.Role = c.role
	}
	if c.confirm && u.EmailConfirmedAt == nil {
		u.EmailConfirmedAt = &now
	}
	if c.banDuration != "" {
		until, err := banUntil(now, c.banDuration)
		if err != nil {
			return user{}, err
		}
		u.BannedUntil = until
	}
	u.AppMetadata = merged(u.AppMetadata, c.appMetadata)
	u.UserMetadata = merged(u.UserMetadata, c.userMetadata)
	_, err := db.Exec(ctx, `update auth.users set email = $2, encrypted_password = $3, role = $4, email_confirmed_at
		= $5,
		banned_until = $6, raw_app_meta_data = $7, raw_user_meta_data = $8, updated_at = $9 where id = $1`,
		u.ID, u.Email, u.password, u.Role, u.EmailConfirmedAt, u.BannedUntil, u.AppMetadata, u.UserMetadata, now)
	if err != nil {
		return user{}, emailTaken(err)
	}
	return findUser(ctx, db, u.ID)
}

func banUntil(now time.Time, duration string) (*time.Time, error) {
	if duration == "none" {
		return nil, nil
	}
	d, err := time.ParseDuration(duration)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "validation_failed", "invalid format for ban duration: "+err.Error())
	}
	until := now.Add(d)
	return &until, nil
}

func merged(have, with map[string]any) map[string]any {
	out := maps.Clone(have)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range with {
		if value == nil {
			delete(out, key)
			continue
		}
		out[key] = value
	}
	return out
}

func cleanEmail(text string) (string, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	parsed, err := mail.ParseAddress(text)
	// An address with a name in front parses too, but is no login.
	if err != nil || parsed.Address != text {
		return "", refuse(http.StatusBadRequest, "validation_failed",
			"Unable to validate email address: invalid format")
	}
	return text, nil
}

func hashPassword(text string) (string, error) {
	if len(text) < minPassword {
		return "", &refusal{status: http.StatusUnprocessableEntity, code: "weak_password",
			message: fmt.Sprintf("Password should be at least %d characters.", minPassword),
			reasons: []string{"length"}}
	}
	if len(text) > maxPassword {
		return "", refuse(http.StatusBadRequest, "validation_failed",
			fmt.Sprintf("Password cannot be longer than %d characters", maxPassword))
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(text), passwordCost)
	if err != nil {
		return "", fmt.Errorf("hash the password: %w", err)
	}
	return string(hash), nil
}

// emailTaken puts the unique index on the address into words.
func emailTaken(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "23505" {
		return refuse(http.StatusUnprocessableEntity, "email_exists",
			"A user with this email address has already been registered")
	}
	return fmt.Errorf("write a user: %w", err)
}
