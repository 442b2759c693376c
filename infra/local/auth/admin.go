package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// adminUser is what an administrator may say about a user.
type adminUser struct {
	ID           string         `json:"id"`
	Email        string         `json:"email"`
	Password     *string        `json:"password"`
	Role         string         `json:"role"`
	EmailConfirm bool           `json:"email_confirm"`
	BanDuration  string         `json:"ban_duration"`
	AppMetadata  map[string]any `json:"app_metadata"`
	UserMetadata map[string]any `json:"user_metadata"`
}

func (in adminUser) change() change {
	// An empty password means "no word about it" in what clients send.
	if in.Password != nil && *in.Password == "" {
		in.Password = nil
	}
	return change{
		email: in.Email, password: in.Password, role: in.Role, confirm: in.EmailConfirm,
		banDuration: in.BanDuration, appMetadata: in.AppMetadata, userMetadata: in.UserMetadata,
	}
}

func (s *Server) createUser(w http.ResponseWriter, r *http.Request) error {
	var in adminUser
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Email == "" {
		return refuse(http.StatusBadRequest, "validation_failed",
			"Cannot create a user without either an email or phone")
	}
	id, err := s.newID()
	if in.ID != "" {
		id, err = uuid.Parse(in.ID)
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "validation_failed", "ID must conform to the uuid v4 format")
	}
	wanted := in.change()
	if wanted.password == nil {
		// This password is never shown: the account is for a later reset.
		unknown := rand.Text() + rand.Text()
		wanted.password = &unknown
	}
	out, err := s.addUser(r.Context(), id, in.Email, wanted)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) listUsers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	page, err := positive(query, "page", 1)
	if err != nil {
		return err
	}
	size, err := positive(query, "per_page", 50)
	if err != nil {
		return err
	}
	var total int
	if err := s.pool.QueryRow(r.Context(),
		`select count(*) from auth.users where deleted_at is null`).Scan(&total); err != nil {
		return fmt.Errorf("count the users: %w", err)
	}
	rows, err := s.pool.Query(r.Context(), selectUser+` order by created_at desc, id limit $1 offset $2`, size,
		(page-1)*size)
	if err != nil {
		return fmt.Errorf("list the users: %w", err)
	}
	users, err := pgx.CollectRows(rows, scanUser)
	if err != nil {
		return fmt.Errorf("list the users: %w", err)
	}
	if users == nil {
		users = []user{}
	}
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	if links := pageLinks(page, size, total); links != "" {
		w.Header().Set("Link", links)
	}
	writeJSON(w, http.StatusOK, map[string]any{"users": users, "aud": audience})
	return nil
}

func pageLinks(page, size, total int) string {
	last := max(1, (total+size-1)/size)
	at := func(n int, rel string) string {
		return fmt.Sprintf(`</admin/users?page=%d&per_page=%d>; rel=%q`, n, size, rel)
	}
	var links []string
	if page < last {
		links = append(links, at(page+1, "next"))
	}
	return strings.Join(append(links, at(last, "last")), ", ")
}

func positive(query url.Values, name string, otherwise int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, refuse(http.StatusBadRequest, "validation_failed", "Bad Pagination Parameters: "+name+
			" must be a positive number")
	}
	return n, nil
}

func (s *Server) adminGetUser(w http.ResponseWriter, r *http.Request) error {
	u, err := s.named(r)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, u)
	return nil
}

func (s *Server) adminPutUser(w http.ResponseWriter, r *http.Request) error {
	u, err := s.named(r)
	if err != nil {
		return err
	}
	var in adminUser
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	var out user
	err = pgx.BeginFunc(r.Context(), s.pool, func(tx pgx.Tx) (err error) {
		out, err = s.apply(r.Context(), tx, u, in.change())
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func (s *Server) deleteUser(w http.ResponseWriter, r *http.Request) error {
	u, err := s.named(r)
	if err != nil {
		return err
	}
	var in struct {
		Soft bool `json:"should_soft_delete"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Soft {
		err = s.retire(r.Context(), u)
	} else {
		_, err = s.pool.Exec(r.Context(), `delete from auth.users where id = $1`, u.ID)
	}
	if err != nil {
		return fmt.Errorf("delete a user: %w", err)
	}
	writeJSON(w, http.StatusOK, map[string]any{})
	return nil
}

// retire keeps the row of a user, for what refers to it, but nothing that says
// who it was. The address is free for another account.
func (s *Server) retire(ctx context.Context, u user) error {
	digest := sha256.Sum256([]byte(u.ID.String() + u.Email))
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `update auth.users set email = $2, encrypted_password = '', raw_app_meta_data = '{}',
			raw_user_meta_data = '{}', deleted_at = $3, updated_at = $3 where id = $1`,
			u.ID, base64.RawURLEncoding.EncodeToString(digest[:]), s.now())
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `delete from auth.sessions where user_id = $1`, u.ID)
		return err
	})
}

func (s *Server) named(r *http.Request) (user, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return user{}, refuse(http.StatusNotFound, "validation_failed", "user_id must be an UUID")
	}
	u, err := findUser(r.Context(), s.pool, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return user{}, refuse(http.StatusNotFound, "user_not_found", "User not found")
	}
	return u, err
}
