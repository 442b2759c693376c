package auth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/auth"
	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

// database is shared: tests keep apart by the addresses of their users.
var database *postgres.Server

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		database, err = postgres.Start(context.Background(), postgres.Config{})
		if err == nil {
			defer database.Stop()
			err = database.Bootstrap(context.Background(), "postgres")
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "start the database:", err)
			return 1
		}
		return m.Run()
	}())
}

const issuer = "http://127.0.0.1:8787/auth/v1"

// bench is an auth server with a clock that the test moves.
type bench struct {
	t      *testing.T
	server *auth.Server
	pool   *pgxpool.Pool
	mu     sync.Mutex
	time   time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), database.ConnString("postgres", "supabase_auth_admin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	b := &bench{t: t, pool: pool, time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.server, err = auth.New(t.Context(), auth.Config{Pool: pool, Issuer: issuer, Now: b.now,
		AccessTTL: 30 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.time
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.time = b.time.Add(d)
}

// reply is an answer with its JSON body.
type reply struct {
	status int
	header http.Header
	body   map[string]any
	raw    string
}

func (b *bench) call(method, path, token, body string) reply {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, path, strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return b.do(r)
}

func (b *bench) do(r *http.Request) reply {
	b.t.Helper()
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	out := reply{status: w.Code, header: w.Header(), raw: w.Body.String()}
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &out.body); err != nil {
			b.t.Fatalf("%s %s answered no JSON: %s", r.Method, r.URL, w.Body)
		}
	}
	return out
}

func (b *bench) admin() string {
	b.t.Helper()
	token, err := b.server.Mint("service_role")
	if err != nil {
		b.t.Fatal(err)
	}
	return token
}

// join makes a confirmed user with a fresh address and password "open sesame".
func (b *bench) join(extra string) (id, email string) {
	b.t.Helper()
	email = uuid.NewString() + "@example.com"
	out := b.call("POST", "/admin/users", b.admin(), fmt.Sprintf(
		`{"email":%q,"password":"open sesame","email_confirm":true%s}`, email, extra))
	if out.status != 200 {
		b.t.Fatalf("create a user: %d %s", out.status, out.raw)
	}
	return out.body["id"].(string), email
}

type tokens struct{ access, refresh string }

func (b *bench) signIn(email, password string) tokens {
	b.t.Helper()
	out := b.call("POST", "/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
	return b.tokensOf(out)
}

func (b *bench) refresh(token string) reply {
	b.t.Helper()
	return b.call("POST", "/token?grant_type=refresh_token", "", fmt.Sprintf(`{"refresh_token":%q}`, token))
}

func (b *bench) tokensOf(out reply) tokens {
	b.t.Helper()
	if out.status != 200 {
		b.t.Fatalf("no tokens: %d %s", out.status, out.raw)
	}
	return tokens{out.body["access_token"].(string), out.body["refresh_token"].(string)}
}

func (b *bench) wantError(out reply, status int, code string) {
	b.t.Helper()
	if out.status != status || out.body["error_code"] != code || out.body["code"] != float64(status) ||
		out.body["msg"] == "" {
		b.t.Errorf("got %d %s, want %d %s", out.status, out.raw, status, code)
	}
}

func TestAccessTokenSaysWhoSignedIn(t *testing.T) {
	b := newBench(t)
	id, email := b.join(`,"app_metadata":{"org_id":"9b2f6f0e-7c1c-4c53-b0cd-8f6f0b0f5d11"},` +
		`"user_metadata":{"name":"Mira"}`)
	out := b.call("POST", "/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":"open sesame"}`,
		strings.ToUpper(email)))
	pair := b.tokensOf(out)
	if out.body["token_type"] != "bearer" || out.body["expires_in"] != 1800.0 ||
		out.body["expires_at"] != float64(b.now().Add(30*time.Minute).Unix()) {
		t.Errorf("the session reads %s", out.raw)
	}
	claims, err := b.server.Verify(pair.access)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"iss": issuer, "aud": "authenticated", "sub": id, "role": "authenticated", "email": email,
		"iat": float64(b.now().Unix()), "exp": float64(b.now().Add(30 * time.Minute).Unix()),
	} {
		if claims[name] != want {
			t.Errorf("claim %s is %v, want %v", name, claims[name], want)
		}
	}
	app, _ := claims["app_metadata"].(map[string]any)
	person, _ := claims["user_metadata"].(map[string]any)
	if app["org_id"] != "9b2f6f0e-7c1c-4c53-b0cd-8f6f0b0f5d11" || app["provider"] != "email" ||
		person["name"] != "Mira" {
		t.Errorf("the metadata is %v and %v", app, person)
	}
	if _, err := uuid.Parse(claims["session_id"].(string)); err != nil {
		t.Errorf("session_id: %v", err)
	}
}

func TestSeededUserSignsIn(t *testing.T) {
	b := newBench(t)
	email := uuid.NewString() + "@example.com"
	conn, err := pgxpool.New(t.Context(), database.ConnString("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// As a seed writes it: hashed by pgcrypto, by the role that runs migrations.
	_, err = conn.Exec(t.Context(), `insert into auth.users (email, encrypted_password, email_confirmed_at)
		values ($1, extensions.crypt('from the seed', extensions.gen_salt('bf', 6)), now())`, email)
	if err != nil {
		t.Fatal(err)
	}
	b.signIn(email, "from the seed")
}

func TestSignInRefuses(t *testing.T) {
	b := newBench(t)
	_, email := b.join(``)
	_, banned := b.join(`,"ban_duration":"1h"`)
	unconfirmed := uuid.NewString() + "@example.com"
	b.call("POST", "/admin/users", b.admin(), fmt.Sprintf(`{"email":%q,"password":"open sesame"}`, unconfirmed))
	tests := map[string]struct {
		grant, body string
		status      int
		code        string
	}{
		"a wrong password": {"password", fmt.Sprintf(`{"email":%q,"password":"wrong"}`, email), 400,
			"invalid_credentials"},
		"an unknown address": {"password", `{"email":"nobody@example.com","password":"wrong"}`, 400,
			"invalid_credentials"},
		"a missing password": {"password", fmt.Sprintf(`{"email":%q}`, email), 400, "validation_failed"},
		"an unconfirmed address": {"password", fmt.Sprintf(`{"email":%q,"password":"open sesame"}`, unconfirmed), 400,
			"email_not_confirmed"},
		"a banned user": {"password", fmt.Sprintf(`{"email":%q,"password":"open sesame"}`, banned), 400,
			"user_banned"},
		"another grant":          {"magic", `{}`, 400, "invalid_credentials"},
		"a body that is no JSON": {"password", `{`, 400, "bad_json"},
		"a made-up refresh":      {"refresh_token", `{"refresh_token":"made-up"}`, 400, "refresh_token_not_found"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b.wantError(b.call("POST", "/token?grant_type="+tc.grant, "", tc.body), tc.status, tc.code)
		})
	}
	t.Run("sign-up", func(t *testing.T) {
		b.wantError(b.call("POST", "/signup", "", `{"email":"x@example.com","password":"open sesame"}`), 422,
			"signup_disabled")
	})
}

func TestErrorsComeInTheFormThatWasAskedFor(t *testing.T) {
	b := newBench(t)
	old := b.call("POST", "/token?grant_type=password", "", `{"email":"a@example.com","password":"b"}`)
	if old.raw != `{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}` {
		t.Errorf("without a version: %s", old.raw)
	}
	r := httptest.NewRequest("POST", "/token?grant_type=password",
		strings.NewReader(`{"email":"a@example.com","password":"b"}`))
	r.Header.Set("X-Supabase-Api-Version", "2024-01-01")
	dated := b.do(r)
	if dated.raw != `{"code":"invalid_credentials","message":"Invalid login credentials"}` ||
		dated.header.Get("X-Supabase-Api-Version") != "2024-01-01" {
		t.Errorf("with a version: %s %v", dated.raw, dated.header)
	}
}

func TestUnknownUserTakesAsLongAsWrongPassword(t *testing.T) {
	b := newBench(t)
	_, email := b.join(``)
	// The least of several tries is free of the machine's other work. Both kinds take turns,
	// and a machine that is busy is given more of them.
	known, unknown := time.Hour, time.Hour
	try := func(email string, best *time.Duration) {
		began := time.Now()
		b.call("POST", "/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":"wrong"}`, email))
		*best = min(*best, time.Since(began))
	}
	alike := func() bool {
		ratio := float64(unknown) / float64(known)
		return ratio > 0.6 && ratio < 1.7
	}
	for i := range 60 {
		if i >= 15 && alike() {
			break
		}
		try(email, &known)
		try("nobody@example.com", &unknown)
	}
	if !alike() {
		t.Errorf("a wrong password takes %v, an unknown user %v", known, unknown)
	}
}

func TestRefreshRotates(t *testing.T) {
	t.Run("each token once", func(t *testing.T) {
		b := newBench(t)
		_, email := b.join(``)
		first := b.signIn(email, "open sesame")
		second := b.tokensOf(b.refresh(first.refresh))
		if second.refresh == first.refresh {
			t.Error("the refresh token stayed the same")
		}
		before, _ := b.server.Verify(first.access)
		after, err := b.server.Verify(second.access)
		if err != nil || before["session_id"] != after["session_id"] {
			t.Errorf("the session went from %v to %v: %v", before["session_id"], after["session_id"], err)
		}
	})
	t.Run("an answer that got lost is given again", func(t *testing.T) {
		b := newBench(t)
		_, email := b.join(``)
		first := b.signIn(email, "open sesame")
		second := b.tokensOf(b.refresh(first.refresh))
		b.pass(time.Hour)
		again := b.tokensOf(b.refresh(first.refresh))
		if again.refresh != second.refresh {
			t.Error("a lost answer was not given again")
		}
	})
	t.Run("an old token within ten seconds", func(t *testing.T) {
		b := newBench(t)
		_, email := b.join(``)
		first := b.signIn(email, "open sesame")
		second := b.tokensOf(b.refresh(first.refresh))
		b.tokensOf(b.refresh(second.refresh))
		b.pass(9 * time.Second)
		b.tokensOf(b.refresh(first.refresh))
	})
	t.Run("an old token later ends the session's family", func(t *testing.T) {
		b := newBench(t)
		_, email := b.join(``)
		first := b.signIn(email, "open sesame")
		second := b.tokensOf(b.refresh(first.refresh))
		third := b.tokensOf(b.refresh(second.refresh))
		b.pass(11 * time.Second)
		b.wantError(b.refresh(first.refresh), 400, "refresh_token_already_used")
		// The thief and the owner are both out.
		b.wantError(b.refresh(third.refresh), 400, "refresh_token_already_used")
		// Another session of the same user is not touched.
		b.signIn(email, "open sesame")
	})
	t.Run("two at once agree on one successor", func(t *testing.T) {
		b := newBench(t)
		_, email := b.join(``)
		first := b.signIn(email, "open sesame")
		got := make(chan reply, 4)
		for range cap(got) {
			go func() { got <- b.refresh(first.refresh) }()
		}
		seen := map[string]bool{}
		for range cap(got) {
			seen[b.tokensOf(<-got).refresh] = true
		}
		if len(seen) != 1 {
			t.Errorf("%d successors", len(seen))
		}
	})
}

func TestLogoutRevokes(t *testing.T) {
	tests := map[string]struct {
		scope               string
		thisLives, thatLive bool
	}{
		"everywhere":     {"", false, false},
		"here":           {"?scope=local", false, true},
		"elsewhere":      {"?scope=others", true, false},
		"all by name":    {"?scope=global", false, false},
		"a wrong scope":  {"?scope=moon", true, true},
		"no such letter": {"?scope=Local", true, true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			_, email := b.join(``)
			here, there := b.signIn(email, "open sesame"), b.signIn(email, "open sesame")
			b.call("POST", "/logout"+tc.scope, here.access, "")
			for _, session := range []struct {
				tokens
				lives bool
			}{{here, tc.thisLives}, {there, tc.thatLive}} {
				got := b.call("GET", "/user", session.access, "")
				if session.lives && got.status != 200 {
					t.Errorf("a session ended: %s", got.raw)
				}
				if !session.lives {
					b.wantError(got, 403, "session_not_found")
					b.wantError(b.refresh(session.refresh), 400, "refresh_token_not_found")
				}
			}
		})
	}
}

func TestUserChangesThemselves(t *testing.T) {
	b := newBench(t)
	_, email := b.join(`,"app_metadata":{"org_id":"o1"},"user_metadata":{"name":"Mira","nick":"M"}`)
	here, there := b.signIn(email, "open sesame"), b.signIn(email, "open sesame")
	out := b.call("PUT", "/user", here.access,
		`{"data":{"name":"Mira S.","nick":null},"app_metadata":{"org_id":"o2"},"role":"service_role"}`)
	person, app := out.body["user_metadata"].(map[string]any), out.body["app_metadata"].(map[string]any)
	if person["name"] != "Mira S." || person["nick"] != nil {
		t.Errorf("user_metadata is %v", person)
	}
	if app["org_id"] != "o1" || out.body["role"] != "authenticated" {
		t.Errorf("a user gave themselves authority: %s", out.raw)
	}
	b.wantError(b.call("PUT", "/user", here.access, `{"password":"short"}`), 422, "weak_password")
	b.wantError(b.call("PUT", "/user", here.access, `{"password":"open sesame"}`), 422, "same_password")
	if out := b.call("PUT", "/user", here.access, `{"password":"another one"}`); out.status != 200 {
		t.Fatalf("change the password: %s", out.raw)
	}
	b.signIn(email, "another one")
	b.wantError(b.call("GET", "/user", there.access, ""), 403, "session_not_found")
	if strings.Contains(out.raw, "$2a$") {
		t.Error("the answer shows the password's hash")
	}
}

func TestAdministration(t *testing.T) {
	b := newBench(t)
	id, email := b.join(``)
	pair := b.signIn(email, "open sesame")
	for _, call := range [][2]string{{"GET", "/admin/users"}, {"POST", "/admin/users"}, {"GET", "/admin/users/" + id},
		{"PUT", "/admin/users/" + id}, {"DELETE", "/admin/users/" + id}} {
		b.wantError(b.call(call[0], call[1], pair.access, `{}`), 403, "not_admin")
		b.wantError(b.call(call[0], call[1], "", `{}`), 401, "no_authorization")
	}
	b.wantError(b.call("POST", "/admin/users", b.admin(), fmt.Sprintf(`{"email":%q}`, strings.ToUpper(email))), 422,
		"email_exists")
	b.wantError(b.call("POST", "/admin/users", b.admin(), `{"email":"no address"}`), 400, "validation_failed")
	b.wantError(b.call("GET", "/admin/users/"+uuid.NewString(), b.admin(), ""), 404, "user_not_found")
	b.wantError(b.call("GET", "/admin/users/7", b.admin(), ""), 404, "validation_failed")

	changed := b.call("PUT", "/admin/users/"+id, b.admin(),
		`{"app_metadata":{"org_id":"o7"},"password":"set by admin"}`)
	if app := changed.body["app_metadata"].(map[string]any); app["org_id"] != "o7" || app["provider"] != "email" {
		t.Errorf("app_metadata is %v", app)
	}
	b.signIn(email, "set by admin")

	b.join(``)
	page := b.call("GET", "/admin/users?page=1&per_page=1", b.admin(), "")
	if len(page.body["users"].([]any)) != 1 || page.header.Get("X-Total-Count") == "1" ||
		!strings.Contains(page.header.Get("Link"), `rel="next"`) {
		t.Errorf("a page of one: %v %s", page.header, page.raw)
	}
	if out := b.call("DELETE", "/admin/users/"+id, b.admin(), ""); out.status != 200 {
		t.Fatalf("delete: %s", out.raw)
	}
	b.wantError(b.call("GET", "/user", pair.access, ""), 403, "user_not_found")
	b.wantError(b.refresh(pair.refresh), 400, "refresh_token_not_found")
}

func TestVerifyRefuses(t *testing.T) {
	b := newBench(t)
	_, email := b.join(``)
	pair := b.signIn(email, "open sesame")
	stranger := newBench(t)
	claims := jwt.MapClaims{"iss": issuer, "aud": "authenticated", "sub": uuid.NewString(), "role": "service_role",
		"exp": b.now().Add(time.Hour).Unix()}
	var set struct {
		Keys []struct{ Kid, X, Y string }
	}
	if err := json.Unmarshal(b.server.JWKS(), &set); err != nil || len(set.Keys) != 1 {
		t.Fatalf("the key set is %s: %v", b.server.JWKS(), err)
	}
	forge := func(method jwt.SigningMethod, key any) string {
		token := jwt.NewWithClaims(method, claims)
		token.Header["kid"] = set.Keys[0].Kid
		text, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	tests := map[string]string{
		"no signature":               forge(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
		"the public key as HMAC":     forge(jwt.SigningMethodHS256, b.server.JWKS()),
		"another server's key":       stranger.signIn(email, "open sesame").access,
		"a changed byte":             pair.access[:len(pair.access)-2] + "xx",
		"something that is no token": "hello",
	}
	for name, token := range tests {
		t.Run(name, func(t *testing.T) {
			if claims, err := b.server.Verify(token); err == nil {
				t.Errorf("accepted %v", claims)
			}
		})
	}
	if _, err := b.server.Verify(pair.access); err != nil {
		t.Errorf("a good token: %v", err)
	}
	b.pass(31 * time.Minute)
	if _, err := b.server.Verify(pair.access); err == nil {
		t.Error("accepted a token past its end")
	}
	b.wantError(b.call("GET", "/user", pair.access, ""), 403, "bad_jwt")
}

func TestMintedTokenHasARoleAndNoUser(t *testing.T) {
	b := newBench(t)
	token, err := b.server.Mint("anon")
	if err != nil {
		t.Fatal(err)
	}
	claims, err := b.server.Verify(token)
	if err != nil || claims["role"] != "anon" || claims["sub"] != nil {
		t.Errorf("the claims are %v, %v", claims, err)
	}
	b.wantError(b.call("GET", "/user", token, ""), 403, "bad_jwt")
	b.pass(2 * time.Minute)
	if _, err := b.server.Verify(token); err == nil {
		t.Error("a minted token outlived its minute")
	}
}

func TestKeyOutlivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", "auth.pem")
	first, err := auth.LoadOrCreateKey(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := auth.LoadOrCreateKey(path)
	if err != nil || !first.Equal(second) {
		t.Fatalf("the key changed: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("not a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := auth.LoadOrCreateKey(path); err == nil {
		t.Error("accepted a file that holds no key")
	}
}

func TestRandomIsInjected(t *testing.T) {
	b := newBench(t)
	_, email := b.join(``)
	drawn := make([]byte, 34)
	_, _ = rand.Read(drawn)
	server, err := auth.New(t.Context(), auth.Config{Pool: b.pool, Issuer: issuer, Now: b.now,
		Random: bytes.NewReader(drawn)})
	if err != nil {
		t.Fatal(err)
	}
	b.server = server
	out := b.call("POST", "/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":"open sesame"}`,
		email))
	// The session's id takes the first 16 bytes.
	if want := base64.RawURLEncoding.EncodeToString(drawn[16:]); out.body["refresh_token"] != want {
		t.Errorf("the refresh token is %v, want %s", out.body["refresh_token"], want)
	}
}

func TestPublicPages(t *testing.T) {
	b := newBench(t)
	if out := b.call("GET", "/health", "", ""); out.status != 200 || out.body["name"] != "GoTrue" {
		t.Errorf("health: %s", out.raw)
	}
	if out := b.call("GET", "/settings", "", ""); out.body["disable_signup"] != true {
		t.Errorf("settings: %s", out.raw)
	}
	if out := b.call("GET", "/.well-known/jwks.json", "", ""); out.raw != string(b.server.JWKS()) {
		t.Errorf("the key set: %s", out.raw)
	}
	b.wantError(b.call("GET", "/factors", "", ""), 404, "not_found")
}
