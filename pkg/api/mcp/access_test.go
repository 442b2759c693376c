package mcp_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	bootmcp "github.com/bellhop-ai/bellhop/pkg/boot/mcp"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// booted is the function as it starts with an environment.
func booted(t *testing.T, env map[string]string) (site, *backend.Backend) {
	t.Helper()
	stack := localtest.Stack(t)
	s := &boot.Service{Name: "mcp", Now: time.Now, Log: zerolog.Nop(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	b, err := backend.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := bootmcp.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	handler := httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now, Timeout: time.Minute})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return site{server.URL, handler}, b
}

// S2-26: a program signs in with the API key of a machine user, exchanged or as
// the bearer itself; it may do what its role may, until the key is deleted.
func TestAProgramSignsInWithItsKey(t *testing.T) {
	t.Parallel()
	s, b := booted(t, nil)
	stack, org := localtest.Stack(t), localtest.NewOrg(t)
	admin, err := supabase.NewAdmin(core.Config(b.Service), identity.Secret(stack.Keys().Secret))
	if err != nil {
		t.Fatal(err)
	}
	people := users.Service{Members: store.NewMembers(b.Client), Accounts: store.NewAccounts(admin),
		Random: rand.Reader}
	by, err := b.Identify(t.Context(), org.Admin.Token)
	if err != nil {
		t.Fatal(err)
	}
	machine, key, err := people.Create(t.Context(), by, users.Draft{Kind: users.Machine, Name: "Desk robot",
		Role: identity.Manager})
	if err != nil {
		t.Fatal(err)
	}
	session, err := users.Exchange(t.Context(), store.NewKeys(b.Client), key)
	if err != nil {
		t.Fatal(err)
	}
	for how, bearer := range map[string]identity.Secret{"exchanged": session.AccessToken, "itself": key} {
		if got := s.call(t, bearer.Reveal(), "list_extras", `{}`); got.IsError {
			t.Errorf("the key %s: %+v", how, got)
		}
		got := s.call(t, bearer.Reveal(), "create_extra", `{"name":"`+how+`","price":1,"per":"guest"}`)
		if q := got.StructuredContent.Confirmation; q == nil || q.State != "pending" {
			t.Errorf("the key %s asks: %+v", how, got)
		}
	}
	for what, bearer := range map[string]string{"cut off": key.Reveal()[:60], "no key": "bellhop_"} {
		resp, raw := s.send(t, "POST", hotel, bearer, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if resp.StatusCode != 401 || codeOf(raw) != "bad_key" || resp.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %d %s", what, resp.StatusCode, raw)
		}
	}
	if err := people.Delete(t.Context(), by, machine.ID); err != nil {
		t.Fatal(err)
	}
	for how, bearer := range map[string]identity.Secret{"exchanged": session.AccessToken, "itself": key} {
		resp, raw := s.send(t, "POST", hotel, bearer.Reveal(), `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if resp.StatusCode != 403 || codeOf(raw) != "not_a_member" {
			t.Errorf("deleted, %s: %d %s", how, resp.StatusCode, raw)
		}
	}
}

// Calls count towards the rate of /api/tools, each call of a batch for itself;
// lists do not.
func TestCallsHaveARate(t *testing.T) {
	t.Parallel()
	s, _ := booted(t, map[string]string{"RATE_TOOLS_USER": "2"})
	org := localtest.NewOrg(t)
	call := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_extras"}}`, id)
	}
	for _, tc := range []struct {
		body   string
		status int
		says   string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, "list_extras"}, {call(1), 200, "no extras"},
		{"[" + call(1) + "," + call(2) + "]", 429, "user_rate_limited"}, {call(1), 429, "user_rate_limited"},
		// What was counted is what runs, however a body is read.
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"ping","params":{"name":"list_extras"}}`, 200,
			`"result":{}`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, "list_extras"},
	} {
		resp, raw := s.send(t, "POST", hotel, org.Manager.Token, tc.body)
		if resp.StatusCode != tc.status || !strings.Contains(string(raw), tc.says) ||
			(resp.Header.Get("Retry-After") != "") != (tc.status == 429) {
			t.Errorf("%s: %d %.300s", tc.body, resp.StatusCode, raw)
		}
	}
}

// A call that writes unasked happens once for its key, wherever it is sent.
func TestAWriteHappensOnceForItsKey(t *testing.T) {
	t.Parallel()
	s, org := open(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.chef_menu_items (org_id, entity_id, code, name, category, available)
		values ($1, $2, 'SOUP', 'Soup', 'starters', true)`, org.ID, org.Entity.ID)
	body := func(meta string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"toggle_chef_menu_availability",` +
			`"arguments":{"item":"SOUP"}` + meta + `}}`
	}
	const named = `,"_meta":{"io.github.bellhop-ai/idempotencyKey":"toggle-0001"}`
	for _, tc := range []struct {
		body   string
		header []string
		want   string
	}{
		{body(named), nil, "false"}, {body(named), nil, "false"},
		{body(""), []string{"Idempotency-Key", "toggle-0001"}, "false"},
		{body(""), []string{"Idempotency-Key", "toggle-0002"}, "true"},
		// One header cannot name the calls of a batch.
		{"[" + body("") + "]", []string{"Idempotency-Key", "toggle-0002"}, "false"},
	} {
		resp, raw := s.send(t, "POST", hotel, org.Manager.Token, tc.body, tc.header...)
		if resp.StatusCode != 200 || strings.Contains(string(raw), `"isError":true`) {
			t.Errorf("%s: %d %s", tc.body, resp.StatusCode, raw)
		}
		if got := fmt.Sprint(localtest.SQL(t, `select available from public.chef_menu_items where org_id = $1`,
			org.ID)[0]["available"]); got != tc.want {
			t.Errorf("%s %s: it is %s, want %s", tc.body, tc.header, got, tc.want)
		}
	}
}

// Where the project has an OAuth server, a client that is refused finds it.
func TestAClientFindsTheOAuthServer(t *testing.T) {
	t.Parallel()
	const issuer = "https://project.supabase.co/auth/v1"
	s, _ := booted(t, map[string]string{"MCP_AUTHORIZATION_SERVERS": issuer})
	resp, _ := s.send(t, "POST", hotel, "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	address := s.url + "/.well-known/oauth-protected-resource" + hotel
	if got := resp.Header.Get("WWW-Authenticate"); resp.StatusCode != http.StatusUnauthorized ||
		got != `Bearer resource_metadata="`+address+`"` {
		t.Errorf("%d %s", resp.StatusCode, got)
	}
	resp, raw := s.send(t, "GET", strings.TrimPrefix(address, s.url), "", "")
	var found struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
	}
	if err := json.Unmarshal(raw, &found); err != nil || resp.StatusCode != 200 || found.Resource != s.url+hotel ||
		fmt.Sprint(found.Servers) != "["+issuer+"]" {
		t.Errorf("%d %s", resp.StatusCode, raw)
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource", strings.TrimPrefix(address, s.url)} {
		if resp, raw := open(t).send(t, "GET", path, "", ""); resp.StatusCode != 404 || codeOf(raw) != "not_found" {
			t.Errorf("without one: %d %s", resp.StatusCode, raw)
		}
	}
}
