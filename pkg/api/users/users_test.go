package users_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/users"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	userservice "github.com/bellhop-ai/bellhop/pkg/users"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// door is the real users function on the real stack.
type door struct {
	url  string
	wire *wire
	log  *bytes.Buffer
}

// wire carries the function's requests, lets a test break some, and holds those
// with the secret key to the few that it is for.
type wire struct {
	t      *testing.T
	secret string
	mu     sync.Mutex
	// breaks decides what becomes of a request: "" it passes, "before" it is
	// refused, "after" it is done and its answer is lost.
	breaks func(r *http.Request) string
}

// S0-51: what the secret key is used for, and nothing else.
var secretUses = regexp.MustCompile(`^((POST /auth/v1/admin/users|(PUT|DELETE) ` +
	`/auth/v1/admin/users/[0-9a-f-]{36})|POST /rest/v1/rpc/(account_find|account_left))$`)

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	what := r.Method + " " + r.URL.Path
	if strings.Contains(r.Header.Get("apikey")+r.Header.Get("Authorization"),
		w.secret) != secretUses.MatchString(what) {
		w.t.Errorf("%s with another key than it is for", what)
	}
	w.mu.Lock()
	breaks := w.breaks
	w.mu.Unlock()
	how := ""
	if breaks != nil {
		how = breaks(r)
	}
	if how == "before" {
		return nil, errors.New("cut before it was sent")
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if how == "after" && err == nil {
		resp.Body.Close()
		return nil, errors.New("cut before it was answered")
	}
	return resp, err
}

// cut breaks requests until the test says nil.
func (d door) cut(breaks func(r *http.Request) string) {
	d.wire.mu.Lock()
	defer d.wire.mu.Unlock()
	d.wire.breaks = breaks
}

func open(t *testing.T) door { return openWith(t, true) }

func openWith(t *testing.T, firstPasswords bool) door {
	t.Helper()
	stack := localtest.Stack(t)
	var log bytes.Buffer
	s := &boot.Service{Name: "users", Now: time.Now, Log: zerolog.New(zerolog.SyncWriter(&log))}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	w := &wire{t: t, secret: stack.Keys().Secret}
	cfg := core.Config(s)
	cfg.HTTP = w
	var err error
	if cfg.Proof, err = supabase.NewProver(identity.Secret(s.ProofKeys), time.Now, rand.Reader); err != nil {
		t.Fatal(err)
	}
	client, err := supabase.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := supabase.NewAdmin(cfg, identity.Secret(stack.Keys().Secret))
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := users.New(users.Config{Identify: p.Identify, Verify: p.Verify, Service: &userservice.Service{
		Members: store.NewMembers(client), Accounts: store.NewAccounts(admin), Keys: store.NewKeys(client),
		Random:         rand.Reader,
		FirstPasswords: firstPasswords,
	}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return door{server.URL, w, &log}
}

// call sends a request and decodes the answer, which a refusal's is, too. It may
// be used beside the test's goroutine: what goes wrong is the status 0.
func (d door) call(t *testing.T, method, path, token, body string) (int, answer) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, answer{}
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0, answer{}
	}
	defer resp.Body.Close()
	var a answer
	a.header = resp.Header
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(resp.Body); err != nil {
		t.Error(err)
		return 0, answer{}
	}
	a.raw = raw.String()
	if raw.Len() > 0 && json.Unmarshal(raw.Bytes(), &a) != nil {
		t.Errorf("%s %s: no JSON: %s", method, path, a.raw)
	}
	return resp.StatusCode, a
}

type answer struct {
	raw    string
	header http.Header

	User   userservice.User
	Users  []userservice.User
	APIKey string

	Orgs []userservice.Org

	AccessToken string `json:"access_token"`
	ExpiresIn   int    `json:"expires_in"`

	ID, Name, Email, Kind, Role, OrgName string
	Admin, Writes                        bool

	Code, Detail string
}

// want calls and checks status and code.
func (d door) want(t *testing.T, status int, code, method, path, token, body string) answer {
	t.Helper()
	got, a := d.call(t, method, path, token, body)
	if got != status || a.Code != code {
		t.Fatalf("%s %s %s: %d %s, want %d %q", method, path, body, got, a.raw, status, code)
	}
	return a
}

// me says who a token is of, as this function's endpoint sees it.
func (d door) me(t *testing.T, token string) (int, answer) {
	t.Helper()
	return d.call(t, "GET", "/api/users/me", token, "")
}

func signIn(t *testing.T, email, password string) (string, error) {
	t.Helper()
	s := localtest.Stack(t)
	c, err := supabase.New(localtest.Config(t, s))
	if err != nil {
		t.Fatal(err)
	}
	session, err := c.SignIn(t.Context(), email, identity.Secret(password))
	return session.AccessToken.Reveal(), err
}

// accounts counts the accounts of an address.
func accounts(t *testing.T, email string) int {
	t.Helper()
	return len(localtest.SQL(t, `select from auth.users where email = $1`, email))
}

func address() string { return "n-" + uuid.NewString() + "@test.example" }

// S2-64: create-user, check-super-admin, delete-user.
func TestAnAdministratorKeepsThePeople(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	email := address()
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"email":"  `+strings.ToUpper(email)+
		`","name":"Mira","role":"manager","password":"open sesame 1"}`)
	if a.User.Email != email || a.User.Name != "Mira" || a.User.Role != "manager" ||
		a.User.Kind != userservice.Person || a.APIKey != "" {
		t.Errorf("made %s", a.raw)
	}
	id := a.User.ID
	token, err := signIn(t, email, "open sesame 1")
	if err != nil {
		t.Fatal(err)
	}
	if status, who := d.me(t, token); status != 200 || who.Kind != "person" || who.Role != "manager" || who.Admin ||
		!who.Writes || who.Name != "Mira" || who.ID != id {
		t.Errorf("she is %d %s", status, who.raw)
	}
	// The same again is not done twice, and says so.
	d.want(t, 409, "already_member", "POST", "/api/users", org.Admin.Token, `{"email":"`+email+
		`","name":"Mira","role":"admin"}`)

	d.want(t, 200, "", "PATCH", "/api/users/"+id, org.Admin.Token, `{"role":"viewer"}`)
	if status, who := d.me(t, token); status != 200 || who.Role != "viewer" || who.Writes {
		t.Errorf("with the same token she is now %d %s", status, who.raw)
	}
	list := d.want(t, 200, "", "GET", "/api/users", org.Admin.Token, "").Users
	if !slices.ContainsFunc(list, func(u userservice.User) bool {
		return u.ID == id && u.Role == "viewer" &&
			u.Email == email
	}) || len(list) != 4 {
		t.Errorf("the list is %+v", list)
	}
	d.want(t, 204, "", "DELETE", "/api/users/"+id, org.Admin.Token, "")
	if status, who := d.me(t, token); status != 403 || who.Code != "not_a_member" {
		t.Errorf("after she was deleted her token still gets %d %s", status, who.raw)
	}
	if n := accounts(t, email); n != 0 {
		t.Errorf("%d accounts are left", n)
	}
	d.want(t, 404, "unknown_user", "DELETE", "/api/users/"+id, org.Admin.Token, "")
	if status, who := d.me(t, org.Admin.Token); status != 200 || !who.Admin {
		t.Errorf("the administrator is %d %s", status, who.raw)
	}
	// Who did it is on record.
	rows := localtest.SQL(t, `select action, user_id from public.audit where org_id = $1 and table_name =
		'memberships' and coalesce(after, before) ->> 'user_id' = $2 order by id`, org.ID, id)
	if len(rows) != 3 || rows[0]["action"] != "insert" || rows[1]["action"] != "update" ||
		rows[2]["action"] != "delete" {
		t.Errorf("the audit has %v", rows)
	}
	for _, r := range rows {
		if r["user_id"] != org.Admin.ID {
			t.Errorf("%v was by %v", r["action"], r["user_id"])
		}
	}
}

// F-42: a user of another organisation is as unknown as one who is not there.
func TestOnlyAdministratorsKeepPeople(t *testing.T) {
	t.Parallel()
	d, org, other := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	for who, token := range map[string]string{"a manager": org.Manager.Token, "a viewer": org.Viewer.Token} {
		t.Run(who, func(t *testing.T) {
			d.want(t, 403, "admin_required", "GET", "/api/users", token, "")
			d.want(t, 403, "admin_required", "POST", "/api/users", token, `{"email":"a@b.example"}`)
			d.want(t, 403, "admin_required", "POST", "/api/users", token, `{"kind":"machine","name":"x"}`)
			d.want(t, 403, "admin_required", "PATCH", "/api/users/"+org.Viewer.ID, token, `{"role":"admin"}`)
			d.want(t, 403, "admin_required", "DELETE", "/api/users/"+org.Admin.ID, token, "")
		})
	}
	d.want(t, 401, "unauthorized", "GET", "/api/users", "", "")
	d.want(t, 401, "unauthorized", "GET", "/api/users/me", org.Admin.Token[:len(org.Admin.Token)-4]+"AAAA", "")
	var details []string
	for _, id := range []string{org.Viewer.ID, uuid.NewString(), "nobody"} {
		a := d.want(t, 404, "unknown_user", "PATCH", "/api/users/"+id, other.Admin.Token, `{"role":"manager"}`)
		b := d.want(t, 404, "unknown_user", "DELETE", "/api/users/"+id, other.Admin.Token, "")
		details = append(details, a.Detail, b.Detail)
	}
	if slices.Sort(details); details[0] != details[len(details)-1] {
		t.Errorf("the refusals differ: %q", details)
	}
	if accounts(t, org.Viewer.Email) != 1 {
		t.Error("a stranger deleted an account")
	}
	if list := d.want(t, 200, "", "GET", "/api/users", other.Admin.Token, "").Users; len(list) != 3 {
		t.Errorf("the other organisation has %+v", list)
	}
	// Past the endpoint, by the database's own, it is the same.
	s := localtest.Stack(t)
	for _, call := range []string{"member_list {}", `member_remove {"p_user":"` + org.Viewer.ID + `"}`,
		`member_change {"p_user":"` + org.Manager.ID + `","p_role":"admin"}`,
		`account_find {"p_org":"` + org.ID + `","p_by":"` + org.Admin.ID + `","p_email":"x"}`,
		`api_key_open {"p_user":"` + org.ID + `","p_digest":"00"}`} {
		name, body, _ := strings.Cut(call, " ")
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL()+"/rest/v1/rpc/"+name,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("apikey", s.Keys().Publishable)
		r.Header.Set("Authorization", "Bearer "+org.Manager.Token)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 403 {
			t.Errorf("a manager calls %s: %d", name, resp.StatusCode)
		}
	}
}

func TestAnOrganisationKeepsAnAdministrator(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	d.want(t, 422, "own_account", "DELETE", "/api/users/"+org.Admin.ID, org.Admin.Token, "")
	d.want(t, 409, "last_admin", "PATCH", "/api/users/"+org.Admin.ID, org.Admin.Token, `{"role":"viewer"}`)
	// Who leaves after a month cannot be the one who stays.
	season := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"email":"`+address()+
		`","role":"manager","expiresInDays":30}`)
	d.want(t, 422, "admin_ends", "PATCH", "/api/users/"+season.User.ID, org.Admin.Token, `{"role":"admin"}`)
	d.want(t, 200, "", "PATCH", "/api/users/"+org.Manager.ID, org.Admin.Token, `{"role":"admin"}`)
	// Both take the role from each other at the same moment, many times.
	for range 5 {
		var wg sync.WaitGroup
		for _, p := range []struct{ by, of localtest.Person }{{org.Admin, org.Manager}, {org.Manager, org.Admin}} {
			wg.Go(func() { d.call(t, "PATCH", "/api/users/"+p.of.ID, p.by.Token, `{"role":"viewer"}`) })
		}
		wg.Wait()
		rows := localtest.SQL(t, `select user_id from public.memberships where org_id = $1 and role = 'admin'`, org.ID)
		if len(rows) != 1 {
			t.Fatalf("there are %d administrators", len(rows))
		}
		localtest.SQL(t, `update public.memberships set role = 'admin' where org_id = $1 and user_id in ($2, $3)`,
			org.ID, org.Admin.ID, org.Manager.ID)
	}
}

// S2-65: an API key, from its making to its end.
func TestAnAPIKeyOpensASession(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token,
		`{"kind":"machine","name":"Channel manager","role":"manager"}`)
	key, id := a.APIKey, a.User.ID
	if !regexp.MustCompile(`^bellhop_[a-z2-7]{80}$`).MatchString(key) || a.User.Kind != userservice.Machine ||
		a.User.Email != "" || a.User.ExpiresAt != nil {
		t.Fatalf("made %s", a.raw)
	}
	if got := a.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("the key may be kept: %q", got)
	}
	session := d.want(t, 200, "", "POST", "/api/users/token", "", `{"key":"`+key+`"}`)
	if session.ExpiresIn != 3600 || strings.Contains(session.raw, "refresh") {
		t.Errorf("the session is %s", session.raw)
	}
	if status, who := d.me(t, session.AccessToken); status != 200 || who.Role != "manager" ||
		who.Name != "Channel manager" || who.ID != id || who.Kind != "machine" || who.Email != "" {
		t.Errorf("it is %d %s", status, who.raw)
	}
	// The key itself is no token: every other endpoint wants the session.
	if status, who := d.me(t, key); status != 401 {
		t.Errorf("with the key as its token it gets %d %s", status, who.raw)
	}
	// A program manages no one, and never becomes an administrator.
	d.want(t, 403, "admin_required", "POST", "/api/users", session.AccessToken, `{"kind":"machine","name":"another"}`)
	d.want(t, 422, "machine_admin", "PATCH", "/api/users/"+id, org.Admin.Token, `{"role":"admin"}`)
	d.want(t, 422, "machine_admin", "POST", "/api/users", org.Admin.Token,
		`{"kind":"machine","name":"root","role":"admin"}`)
	d.want(t, 409, "name_taken", "POST", "/api/users", org.Admin.Token, `{"kind":"machine","name":"CHANNEL manager"}`)

	// The key is nowhere: not in the list, not in the database, not in the log.
	list := d.want(t, 200, "", "GET", "/api/users", org.Admin.Token, "")
	if u := list.Users[len(list.Users)-1]; u.ID != id || u.UsedAt == nil {
		t.Errorf("listed as %+v", u)
	}
	secret, err := secretOf(key)
	if err != nil {
		t.Fatal(err)
	}
	kept := localtest.SQL(t, `select to_jsonb(k)::text as key from public.api_keys k where user_id = $1
		union all select to_jsonb(u)::text from auth.users u where id = $1 union all select to_jsonb(a)::text from
			public.audit a where org_id = $2`, id, org.ID)
	if len(kept) < 3 {
		t.Fatalf("only %d rows were looked at", len(kept))
	}
	for _, row := range kept {
		if text := row["key"].(string); strings.Contains(text, secret) || strings.Contains(text, key) {
			t.Errorf("the secret stands in %s", text)
		}
	}
	for where, text := range map[string]string{"list": list.raw, "log": d.log.String()} {
		if strings.Contains(text, secret) || strings.Contains(text, session.AccessToken) {
			t.Errorf("the secret stands in the %s: %s", where, text)
		}
	}

	d.want(t, 204, "", "DELETE", "/api/users/"+id, org.Admin.Token, "")
	d.want(t, 401, "bad_key", "POST", "/api/users/token", "", `{"key":"`+key+`"}`)
	if status, who := d.me(t, session.AccessToken); status != 403 {
		t.Errorf("a deleted key's session still gets %d %s", status, who.raw)
	}
	if n := len(localtest.SQL(t, `select from auth.users where id = $1`, id)); n != 0 {
		t.Error("its account is left")
	}
}

// secretOf returns the part of a key that is its account's password.
func secretOf(key string) (string, error) {
	_, s, err := userservice.ParseKey(identity.Secret(key))
	return s.Password().Reveal(), err
}

func TestAKeyEnds(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token,
		`{"kind":"machine","name":"Till","expiresInDays":30}`)
	if a.User.ExpiresAt == nil || time.Until(*a.User.ExpiresAt).Round(time.Hour) != 30*24*time.Hour ||
		a.User.Role != "viewer" {
		t.Errorf("made %s", a.raw)
	}
	session := d.want(t, 200, "", "POST", "/api/users/token", "", `{"key":"`+a.APIKey+`"}`)
	localtest.SQL(t, `update public.memberships set ends_at = now() where user_id = $1`, a.User.ID)
	d.want(t, 401, "key_expired", "POST", "/api/users/token", "", `{"key":"`+a.APIKey+`"}`)
	// The session that it had opened has ended with it.
	if status, who := d.me(t, session.AccessToken); status != 403 || who.Code != "not_a_member" {
		t.Errorf("its session gets %d %s", status, who.raw)
	}
}

func TestWrongKeysAreRefusedAndCounted(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"kind":"machine","name":"Till"}`)
	good := a.APIKey
	for what, key := range map[string]string{
		"nothing": "", "no key": "bellhop_", "another prefix": "sk_live" + good[7:], "a letter mistyped": good[:20] +
			flip(good[20]) + good[21:],
		"one letter less": good[:len(good)-1], "one letter more": good + "a", "capitals": "bellhop_" +
			strings.ToUpper(good[8:]),
		"nobody's": forged(t, uuid.NewString()),
	} {
		if status, got := d.call(t, "POST", "/api/users/token", "", `{"key":"`+key+`"}`); status != 401 ||
			got.Code != "bad_key" {
			t.Errorf("%s: %d %s", what, status, got.raw)
		}
	}
	d.want(t, 400, "invalid", "POST", "/api/users/token", "", `{"key":"`+good+`","admin":true}`)
	d.want(t, 400, "invalid", "POST", "/api/users/token", "", `["`+good+`"]`)
	// Ten wrong secrets for a known machine in a minute, then a pause; the right
	// one is never locked out.
	for i := range 12 {
		status, got := d.call(t, "POST", "/api/users/token", "", `{"key":"`+forged(t, a.User.ID)+`"}`)
		if limited := i >= 10; limited != (status == 429 && got.Code == "key_rate_limited" &&
			got.header.Get("Retry-After") != "") || !limited && status != 401 {
			t.Errorf("attempt %d: %d %s", i+1, status, got.raw)
		}
	}
	d.want(t, 200, "", "POST", "/api/users/token", "", `{"key":"`+good+`"}`)
}

// flip returns another letter of the alphabet.
func flip(c byte) string {
	if c == 'a' {
		return "b"
	}
	return "a"
}

// forged returns a key of the right form with a secret that was made up.
func forged(t *testing.T, user string) string {
	t.Helper()
	s, err := userservice.NewSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.Key(user)
	if err != nil {
		t.Fatal(err)
	}
	return key.Reveal()
}

// A user with a machine's session sets its password at Auth, to stay. The key
// then says that it is broken, and deleting it ends everything.
func TestATakenOverMachineIsNoticed(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"kind":"machine","name":"Till"}`)
	localtest.SQL(t, `update auth.users set encrypted_password = extensions.crypt('thief',
		extensions.gen_salt('bf', 4)) where id = $1`, a.User.ID)
	d.want(t, 401, "key_broken", "POST", "/api/users/token", "", `{"key":"`+a.APIKey+`"}`)
}

func TestABodyThatMeansSomethingElseIsRefused(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	for body, code := range map[string]string{
		`{}`:                                "invalid",
		`{"email":"not an address"}`:        "invalid",
		`{"email":"Mira <m@test.example>"}`: "invalid",
		`{"email":"m-1@machines.bellhop.invalid"}`:                             "invalid",
		`{"email":"m@test.example","role":"owner"}`:                            "invalid",
		`{"email":"m@test.example","orgId":"x"}`:                               "invalid",
		`{"email":"m@test.example","name":"` + strings.Repeat("x", 121) + `"}`: "invalid",
		`{"kind":"machine"}`:                                                   "invalid",
		`{"kind":"robot","name":"x"}`:                                          "invalid",
		`{"kind":"machine","name":"x","email":"m@test.example"}`:               "invalid",
		`{"kind":"machine","name":"x","expires_in_days":3}`:                    "invalid",
		`{"kind":"machine","name":"x","expiresInDays":0}`:                      "invalid",
		`{"kind":"machine","name":"x","expiresInDays":4000}`:                   "invalid",
		`{"email":"m@test.example","role":"admin","expiresInDays":3}`:          "admin_ends",
		`{"email":"` + address() + `","password":"short"}`:                     "weak_password",
	} {
		if status, got := d.call(t, "POST", "/api/users", org.Admin.Token, body); status != 400 && status != 422 ||
			got.Code != code {
			t.Errorf("%s: %d %s", body, status, got.raw)
		}
	}
	d.want(t, 400, "invalid", "PATCH", "/api/users/"+org.Viewer.ID, org.Admin.Token, `{}`)
	d.want(t, 400, "invalid", "PATCH", "/api/users/"+org.Viewer.ID, org.Admin.Token, `{"role":"owner"}`)
	d.want(t, 404, "unknown_user", "PATCH", "/api/users/me2", org.Admin.Token, `{"role":"viewer"}`)
	if n := len(d.want(t, 200, "", "GET", "/api/users", org.Admin.Token, "").Users); n != 3 {
		t.Errorf("there are %d users now", n)
	}
}
