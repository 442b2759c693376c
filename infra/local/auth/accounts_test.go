package auth_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/auth"
)

// open lets people sign up.
func (b *bench) open() {
	b.t.Helper()
	server, err := auth.New(b.t.Context(), auth.Config{Pool: b.pool, Issuer: issuer, Now: b.now, Signup: true})
	if err != nil {
		b.t.Fatal(err)
	}
	b.server = server
}

func TestSignUp(t *testing.T) {
	b := newBench(t)
	b.open()
	if out := b.call("GET", "/settings", "", ""); out.body["disable_signup"] != false {
		t.Errorf("settings: %s", out.raw)
	}
	email := uuid.NewString() + "@example.com"
	out := b.call("POST", "/signup", "", fmt.Sprintf(
		`{"email":%q,"password":"open sesame","data":{"name":"Mira"},"app_metadata":{"org_id":"o1"},`+
			`"role":"service_role"}`, strings.ToUpper(email)))
	pair := b.tokensOf(out)
	u := b.call("GET", "/user", pair.access, "")
	app, person := u.body["app_metadata"].(map[string]any), u.body["user_metadata"].(map[string]any)
	if u.body["email"] != email || u.body["role"] != "authenticated" || person["name"] != "Mira" ||
		app["org_id"] != nil || app["provider"] != "email" {
		t.Errorf("the new user is %s", u.raw)
	}
	if u.body["email_confirmed_at"] == nil {
		t.Error("nobody could confirm the address")
	}
	b.signIn(email, "open sesame")
	b.tokensOf(b.refresh(pair.refresh))

	tests := map[string]struct {
		body   string
		status int
		code   string
	}{
		"an address that has an account": {fmt.Sprintf(`{"email":%q,"password":"another one"}`, email), 422,
			"user_already_exists"},
		"a short password": {`{"email":"short@example.com","password":"12345"}`, 422, "weak_password"},
		"a password beyond bcrypt": {`{"email":"long@example.com","password":"` + strings.Repeat("x", 73) + `"}`,
			400, "validation_failed"},
		"no password":     {`{"email":"none@example.com"}`, 400, "validation_failed"},
		"no address":      {`{"email":"nowhere","password":"open sesame"}`, 400, "validation_failed"},
		"nothing":         {`{}`, 422, "anonymous_provider_disabled"},
		"a phone":         {`{"phone":"123","password":"open sesame"}`, 400, "phone_provider_disabled"},
		"what is no JSON": {`{`, 400, "bad_json"},
	}
	for name, tc := range tests {
		t.Run("refuses "+name, func(t *testing.T) {
			b.wantError(b.call("POST", "/signup", "", tc.body), tc.status, tc.code)
		})
	}
	// A refusal makes no user.
	b.wantError(b.call("POST", "/token?grant_type=password", "", `{"email":"short@example.com","password":"12345"}`),
		400, "invalid_credentials")
}

func TestSignUpMakesOneAccountAtOnce(t *testing.T) {
	b := newBench(t)
	b.open()
	body := fmt.Sprintf(`{"email":"%s@example.com","password":"open sesame"}`, uuid.NewString())
	got := make(chan reply, 4)
	for range cap(got) {
		go func() { got <- b.call("POST", "/signup", "", body) }()
	}
	made := 0
	for range cap(got) {
		out := <-got
		if out.status == 200 {
			made++
			continue
		}
		b.wantError(out, 422, "user_already_exists")
	}
	if made != 1 {
		t.Errorf("%d accounts for one address", made)
	}
}

func TestWeakPasswordSaysWhy(t *testing.T) {
	b := newBench(t)
	out := b.call("POST", "/admin/users", b.admin(), `{"email":"weak@example.com","password":"12345"}`)
	b.wantError(out, 422, "weak_password")
	weak, _ := out.body["weak_password"].(map[string]any)
	if reasons, _ := weak["reasons"].([]any); len(reasons) != 1 || reasons[0] != "length" {
		t.Errorf("the reasons are %s", out.raw)
	}
}

func TestAddressChangesAtOnce(t *testing.T) {
	b := newBench(t)
	_, email := b.join(``)
	_, taken := b.join(``)
	pair := b.signIn(email, "open sesame")
	next := uuid.NewString() + "@example.com"
	out := b.call("PUT", "/user", pair.access, fmt.Sprintf(`{"email":%q}`, strings.ToUpper(next)))
	if out.status != 200 || out.body["email"] != next {
		t.Fatalf("change the address: %s", out.raw)
	}
	if data := out.body["identities"].([]any)[0].(map[string]any)["identity_data"].(map[string]any); data["email"] != next {
		t.Errorf("the identity is %v", data)
	}
	b.signIn(next, "open sesame")
	b.wantError(b.call("POST", "/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":"open sesame"}`,
		email)), 400, "invalid_credentials")
	// The session goes on, and its next token has the new address.
	claims, err := b.server.Verify(b.tokensOf(b.refresh(pair.refresh)).access)
	if err != nil || claims["email"] != next {
		t.Errorf("the claims are %v, %v", claims, err)
	}
	b.wantError(b.call("PUT", "/user", pair.access, fmt.Sprintf(`{"email":%q}`, taken)), 422, "email_exists")
	b.wantError(b.call("PUT", "/user", pair.access, `{"email":"nowhere"}`), 400, "validation_failed")
}

func TestBan(t *testing.T) {
	b := newBench(t)
	id, email := b.join(``)
	pair := b.signIn(email, "open sesame")
	if out := b.call("PUT", "/admin/users/"+id, b.admin(),
		`{"ban_duration":"2h"}`); out.body["banned_until"] != b.now().Add(2*time.Hour).Format(time.RFC3339) {
		t.Errorf("a banned user is %s", out.raw)
	}
	credentials := fmt.Sprintf(`{"email":%q,"password":"open sesame"}`, email)
	b.wantError(b.refresh(pair.refresh), 400, "user_banned")
	b.wantError(b.call("POST", "/token?grant_type=password", "", credentials), 400, "user_banned")
	b.pass(2*time.Hour + time.Second)
	b.signIn(email, "open sesame")
	b.call("PUT", "/admin/users/"+id, b.admin(), `{"ban_duration":"1h"}`)
	b.wantError(b.call("POST", "/token?grant_type=password", "", credentials), 400, "user_banned")
	if out := b.call("PUT", "/admin/users/"+id, b.admin(),
		`{"ban_duration":"none"}`); out.body["banned_until"] != nil {
		t.Errorf("a ban stayed: %s", out.raw)
	}
	b.signIn(email, "open sesame")
	b.wantError(b.call("PUT", "/admin/users/"+id, b.admin(), `{"ban_duration":"for ever"}`), 400, "validation_failed")
}

func TestDeletedUserMayLeaveTheirRow(t *testing.T) {
	b := newBench(t)
	id, email := b.join(`,"user_metadata":{"name":"Mira"},"app_metadata":{"org_id":"o1"}`)
	pair := b.signIn(email, "open sesame")
	if out := b.call("DELETE", "/admin/users/"+id, b.admin(), `{"should_soft_delete":true}`); out.status != 200 {
		t.Fatalf("delete: %s", out.raw)
	}
	b.wantError(b.call("GET", "/user", pair.access, ""), 403, "user_not_found")
	b.wantError(b.refresh(pair.refresh), 400, "refresh_token_not_found")
	b.wantError(b.call("GET", "/admin/users/"+id, b.admin(), ""), 404, "user_not_found")
	b.wantError(b.call("POST", "/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":"open sesame"}`,
		email)), 400, "invalid_credentials")
	var left string
	err := b.pool.QueryRow(t.Context(), `select concat_ws(' ', position($2 in email), encrypted_password = '',
		raw_user_meta_data, raw_app_meta_data)
		from auth.users where id = $1 and deleted_at is not null`, id, email).Scan(&left)
	if err != nil || left != "0 t {} {}" {
		t.Errorf("the row reads %q, %v", left, err)
	}
	// Whoever has the address now may have an account.
	if out := b.call("POST", "/admin/users", b.admin(), fmt.Sprintf(`{"email":%q,"password":"open sesame"}`,
		email)); out.status != 200 {
		t.Errorf("the address is taken: %s", out.raw)
	}
}

func TestListOfUsersIsPaged(t *testing.T) {
	b := newBench(t)
	for range 3 {
		b.join(``)
	}
	seen := map[any]bool{}
	next, total := "/admin/users?page=1&per_page=2", 0
	for next != "" {
		page := b.call("GET", next, b.admin(), "")
		users, _ := page.body["users"].([]any)
		if page.status != 200 || len(users) == 0 || len(users) > 2 {
			t.Fatalf("%s: %d %s", next, page.status, page.raw)
		}
		for _, u := range users {
			seen[u.(map[string]any)["id"]] = true
		}
		total, _ = strconv.Atoi(page.header.Get("X-Total-Count"))
		next = ""
		for link := range strings.SplitSeq(page.header.Get("Link"), ", ") {
			address, rel, _ := strings.Cut(link, "; ")
			if rel == `rel="next"` {
				next = strings.Trim(address, "<>")
			}
		}
	}
	if total < 3 || len(seen) != total {
		t.Errorf("the pages show %d users of %d", len(seen), total)
	}
	for _, query := range []string{"page=0", "page=x", "per_page=-1", "per_page=99999999999999999999"} {
		b.wantError(b.call("GET", "/admin/users?"+query, b.admin(), ""), 400, "validation_failed")
	}
}
