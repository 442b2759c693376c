package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const serviceRole = "service_role"

// caller is whom a transaction acts for.
type caller struct {
	role    string
	claims  map[string]any
	method  string
	path    string
	subject string
}

// service acts past all row policies.
func service() caller {
	return caller{role: serviceRole, claims: map[string]any{"role": serviceRole}}
}

// callerOf reads the bearer token.
func (s *Server) callerOf(r *http.Request) (caller, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return caller{}, refuse(http.StatusBadRequest, "Error", "headers must have required property 'authorization'")
	}
	verified, err := s.verify(strings.TrimSpace(token))
	if err != nil {
		message := "Invalid Compact JWS"
		switch {
		case errors.Is(err, jwt.ErrTokenExpired):
			message = `"exp" claim timestamp check failed`
		case errors.Is(err, jwt.ErrTokenSignatureInvalid):
			message = "signature verification failed"
		}
		return caller{}, refuse(http.StatusForbidden, "Unauthorized", message)
	}
	by := caller{role: "anon", claims: map[string]any{}, method: r.Method, path: r.URL.Path}
	for name, value := range verified {
		by.claims[name] = value
	}
	if role, ok := verified["role"].(string); ok && role != "" {
		by.role = role
	}
	by.claims["role"] = by.role
	by.subject, _ = verified["sub"].(string)
	return by, nil
}

// owner is the value of the columns owner and owner_id; the first one holds
// ids of users only.
func (c caller) owner() (id *uuid.UUID, text *string) {
	if c.subject == "" {
		return nil, nil
	}
	if parsed, err := uuid.Parse(c.subject); err == nil {
		id = &parsed
	}
	return id, &c.subject
}

// transaction acts for a caller, and may look past the policies for a while.
type transaction struct {
	pgx.Tx
	by caller
}

// errUndo ends a transaction that was only a question.
var errUndo = errors.New("undo")

// transact runs do in a transaction in which PostgreSQL sees by's role and
// claims. What do returns as an error rolls back; errUndo is no failure.
func (s *Server) transact(ctx context.Context, by caller, do func(*transaction) error) error {
	claims, err := json.Marshal(by.claims)
	if err != nil {
		return fmt.Errorf("encode the claims: %w", err)
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
			set_config('request.method', $3, true), set_config('request.path', $4, true),
			set_config('storage.allow_delete_query', 'true', true)`, by.role, string(claims), by.method, by.path)
		if err != nil {
			return err
		}
		return do(&transaction{Tx: tx, by: by})
	})
	if errors.Is(err, errUndo) {
		return nil
	}
	return err
}

// unrestricted runs do as service_role and becomes the caller again.
func (t *transaction) unrestricted(ctx context.Context, do func() error) error {
	if _, err := t.Exec(ctx, `select set_config('role', $1, true)`, serviceRole); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	_, err := t.Exec(ctx, `select set_config('role', $1, true)`, t.by.role)
	return err
}

// lock makes writers of the same names queue until the transaction ends. All
// lock in one order, so that none waits for another in a circle.
func (t *transaction) lock(ctx context.Context, keys ...key) error {
	var numbers []int64
	for _, k := range keys {
		var n int64
		err := t.QueryRow(ctx, `select hashtextextended($1, 0)`, k.String()).Scan(&n)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		if _, err := t.Exec(ctx, `select pg_advisory_xact_lock($1)`, n); err != nil {
			return err
		}
	}
	return nil
}
