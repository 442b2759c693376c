package stack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/jackc/pgx/v5"
)

// DemoPassword is the password of all users of the demo data.
const DemoPassword = "bellhop-demo"

// DemoUser is a user who can sign in with a password that everybody knows.
type DemoUser struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Name     string `json:"name"`
	Org      string `json:"org"`  // the organisation's name
	Role     string `json:"role"` // admin, manager or viewer
	OrgID    string `json:"-"`
	OrgSlug  string `json:"-"`
}

// Users lists the members of organisations whose password is DemoPassword, by
// organisation and role.
func (s *Stack) Users(ctx context.Context) ([]DemoUser, error) {
	conn, err := pgx.Connect(ctx, s.ConnString("postgres"))
	if err != nil {
		return nil, fmt.Errorf("list the demo users: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, `
		select u.email, $1::text as password, m.name, o.name as org, m.role, o.id::text, o.slug
		from auth.users u
		join public.memberships m on m.user_id = u.id and m.org_id::text = u.raw_app_meta_data ->> 'org_id'
		join public.orgs o on o.id = m.org_id
		where u.deleted_at is null and u.encrypted_password = extensions.crypt($1, u.encrypted_password)
		order by o.id, m.role, u.email`, DemoPassword)
	if err != nil {
		return nil, fmt.Errorf("list the demo users: %w", err)
	}
	users, err := pgx.CollectRows(rows, pgx.RowToStructByPos[DemoUser])
	if err != nil {
		return nil, fmt.Errorf("list the demo users: %w", err)
	}
	return users, nil
}

// Token signs a user with DemoPassword in, and returns the access token. It
// lives for an hour by the stack's clock.
func (s *Stack) Token(ctx context.Context, email string) (string, error) {
	body, err := json.Marshal(map[string]string{"email": email, "password": DemoPassword})
	if err != nil {
		return "", fmt.Errorf("sign %s in: %w", email, err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/auth/v1/token?grant_type=password",
		bytes.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("sign %s in: %w", email, err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("apikey", s.Keys().Publishable)
	r.RemoteAddr = "127.0.0.1:0"
	// Straight to the handler: with Config.Origin no server may listen yet.
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if w.Code != http.StatusOK {
		return "", fmt.Errorf("sign %s in: %s", email, bytes.TrimSpace(w.Body.Bytes()))
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return "", fmt.Errorf("sign %s in: %w", email, err)
	}
	return answer.AccessToken, nil
}
