package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// session is the answer to a sign-in and to a refresh.
type session struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in"`
	ExpiresAt    int64  `json:"expires_at"`
	RefreshToken string `json:"refresh_token"`
	User         user   `json:"user"`
}

// open starts a session of u and returns its first pair of tokens.
func (s *Server) open(ctx context.Context, u user) (session, error) {
	id, err := s.newID()
	if err != nil {
		return session{}, fmt.Errorf("make a session id: %w", err)
	}
	now := s.now()
	var refresh string
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `update auth.users set last_sign_in_at = $2 where id = $1`, u.ID, now); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `insert into auth.sessions (id, user_id, created_at, updated_at) values ($1, $2,`+
			` $3, $3)`,
			id, u.ID, now); err != nil {
			return err
		}
		refresh, err = s.issue(ctx, tx, u.ID, id, nil)
		return err
	})
	if err != nil {
		return session{}, fmt.Errorf("open a session: %w", err)
	}
	u.LastSignInAt = &now
	u.Identities[0].LastSignInAt = &now
	return s.pair(u, id, now, refresh)
}

// renew exchanges a refresh token. Each token is exchanged once. A second
// exchange is let pass when the client plainly never got the first answer, or
// within the reuse interval; any other is taken for theft and ends the family.
func (s *Server) renew(ctx context.Context, token string) (session, error) {
	var (
		u         user
		sessionID uuid.UUID
		began     time.Time
		refresh   string
		stolen    bool
	)
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		// The session's row is the lock: exchanges within one session queue here.
		var userID uuid.UUID
		err := tx.QueryRow(ctx, `select s.id, s.user_id, s.created_at from auth.sessions s
			where s.id = (select session_id from auth.refresh_tokens where token = $1)
			and (s.not_after is null or s.not_after > $2) for update`, token, s.now()).Scan(&sessionID, &userID,
			&began)
		if errors.Is(err, pgx.ErrNoRows) {
			return refuse(http.StatusBadRequest, "refresh_token_not_found",
				"Invalid Refresh Token: Refresh Token Not Found")
		}
		if err != nil {
			return err
		}
		if u, err = findUser(ctx, tx, userID); err != nil {
			return err
		}
		if u.BannedUntil != nil && u.BannedUntil.After(s.now()) {
			return refuse(http.StatusBadRequest, "user_banned", "Invalid Refresh Token: User Banned")
		}
		var revoked bool
		var changed time.Time
		err = tx.QueryRow(ctx, `select revoked, updated_at from auth.refresh_tokens where token = $1`,
			token).Scan(&revoked, &changed)
		if err != nil {
			return err
		}
		if revoked {
			refresh, stolen, err = s.reuse(ctx, tx, sessionID, token, changed)
			if err != nil || stolen || refresh != "" {
				return err
			}
		}
		refresh, err = s.exchange(ctx, tx, userID, sessionID, token)
		return err
	})
	if err != nil {
		return session{}, fmt.Errorf("refresh a session: %w", err)
	}
	if stolen {
		return session{}, refuse(http.StatusBadRequest, "refresh_token_already_used",
			"Invalid Refresh Token: Already Used")
	}
	return s.pair(u, sessionID, began, refresh)
}

// reuse decides about a token that was exchanged before: it returns the token
// to answer with, or an empty one when a fresh one may be made, or reports
// theft after revoking every token of the session.
func (s *Server) reuse(ctx context.Context, tx pgx.Tx, id uuid.UUID, token string, changed time.Time) (string, bool,
	error) {
	var active, parent string
	err := tx.QueryRow(ctx, `select token, coalesce(parent, '') from auth.refresh_tokens
		where session_id = $1 and not revoked order by id desc limit 1`, id).Scan(&active, &parent)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", false, err
	}
	if err == nil && parent == token {
		return active, false, nil
	}
	if err == nil && !s.now().After(changed.Add(reuseInterval)) {
		return "", false, nil
	}
	_, err = tx.Exec(ctx, `update auth.refresh_tokens set revoked = true, updated_at = $2
		where session_id = $1 and not revoked`, id, s.now())
	return "", true, err
}

func (s *Server) exchange(ctx context.Context, tx pgx.Tx, userID, sessionID uuid.UUID, token string) (string, error) {
	now := s.now()
	if _, err := tx.Exec(ctx, `update auth.refresh_tokens set revoked = true, updated_at = $2
		where token = $1 and not revoked`, token, now); err != nil {
		return "", err
	}
	if _, err := tx.Exec(ctx, `update auth.sessions set updated_at = $2 where id = $1`, sessionID, now); err != nil {
		return "", err
	}
	return s.issue(ctx, tx, userID, sessionID, &token)
}

// issue keeps a new refresh token. parent is the one that it replaces.
func (s *Server) issue(ctx context.Context, tx pgx.Tx, userID, sessionID uuid.UUID, parent *string) (string, error) {
	var raw [18]byte
	if _, err := io.ReadFull(s.random, raw[:]); err != nil {
		return "", fmt.Errorf("make a refresh token: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(raw[:])
	_, err := tx.Exec(ctx, `insert into auth.refresh_tokens (token, user_id, session_id, parent, revoked, created_at,
		updated_at)
		values ($1, $2, $3, $4, false, $5, $5)`, token, userID, sessionID, parent, s.now())
	return token, err
}

func (s *Server) pair(u user, id uuid.UUID, signedIn time.Time, refresh string) (session, error) {
	access, ends, err := s.accessToken(u, id, signedIn)
	if err != nil {
		return session{}, err
	}
	return session{
		AccessToken: access, TokenType: "bearer", RefreshToken: refresh, User: u,
		ExpiresIn: int(s.accessTTL.Seconds()), ExpiresAt: ends.Unix(),
	}, nil
}

// close ends sessions of by: all of them, or only this one ("local"), or all
// but this one ("others"). Their refresh tokens go with them.
func (s *Server) close(ctx context.Context, by caller, scope string) error {
	where := map[string]string{"": ``, "global": ``, "local": ` and id = $2`, "others": ` and id <> $2`}
	clause, known := where[scope]
	if !known {
		return refuse(http.StatusBadRequest, "validation_failed", fmt.Sprintf("Unsupported logout scope %q", scope))
	}
	args := []any{by.user.ID}
	if clause != "" {
		args = append(args, by.session)
	}
	if _, err := s.pool.Exec(ctx, `delete from auth.sessions where user_id = $1`+clause, args...); err != nil {
		return fmt.Errorf("close sessions: %w", err)
	}
	return nil
}
