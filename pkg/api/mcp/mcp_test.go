package mcp_test

import (
	"bytes"
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
	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// site is the real mcp function on the real stack.
type site struct {
	url     string
	handler http.Handler
}

func open(t *testing.T, set ...func(*mcp.Config)) site {
	t.Helper()
	stack := localtest.Stack(t)
	s := &boot.Service{Name: "mcp", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	b, err := backend.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	list, err := runtimes.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	cfg := mcp.Config{Assistants: list, Consent: b.Consent, Identify: b.Identify, NewID: uuid.NewString}
	for _, f := range set {
		f(&cfg)
	}
	h, err := mcp.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	handler := httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now, Timeout: time.Minute})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return site{server.URL, handler}
}

// send sends a body to the MCP server of an assistant.
func (s site) send(t *testing.T, method, path, token, body string, header ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp, b.Bytes()
}

// called is the result of a call.
type called struct {
	IsError bool
	Content []struct{ Type, Text string }

	StructuredContent struct {
		Data         json.RawMessage
		Confirmation *struct {
			ID, Code, State, Tier string
			ExpiresAt             time.Time
		}
		Error *struct{ Code, Detail string }
	}
	InputRequests map[string]struct {
		Method string
		Params struct {
			Message         string
			RequestedSchema struct {
				Properties map[string]any
				Required   []string
			}
		}
	}
	RequestState string
	ResultType   string
}

func (c called) text() string {
	if len(c.Content) != 1 || c.Content[0].Type != "text" {
		return fmt.Sprintf("%d contents", len(c.Content))
	}
	return c.Content[0].Text
}

// call calls a tool in the given way and returns its result.
func (s site) call(t *testing.T, token, tool, arguments string, header ...string) called {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
	resp, raw := s.send(t, "POST", "/api/mcp/hospitality", token, body, header...)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", tool, resp.StatusCode, raw)
	}
	return resultOf[called](t, raw)
}

func resultOf[T any](t *testing.T, raw []byte) T {
	t.Helper()
	var v struct {
		Result *T
		Error  json.RawMessage
	}
	if err := json.Unmarshal(raw, &v); err != nil || v.Result == nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return *v.Result
}

// S2-26: the tools are listed with what the code knows of them, and called with
// nothing but a bearer token.
func TestToolsAreListedAndCalled(t *testing.T) {
	t.Parallel()
	s, org := open(t), localtest.NewOrg(t)
	localtest.SQL(t, `insert into extras (org_id, entity_id, code, name, price, per, category) values
		($1, $2, 'TEA', 'Tea | <cake>', 45.10, 'guest', 'food')`, org.ID, org.Entity.ID)
	type listed struct {
		Name, Title, Description string
		InputSchema              struct{ Type string }
		Annotations              struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool }
		Meta                     map[string]any `json:"_meta"`
	}
	list := func(token string) map[string]listed {
		_, raw := s.send(t, "POST", "/api/mcp/hospitality", token, `{"jsonrpc":"2.0","id":"a","method":"tools/list"}`)
		all := map[string]listed{}
		for _, l := range resultOf[struct{ Tools []listed }](t, raw).Tools {
			all[l.Name] = l
		}
		return all
	}
	said := func(l listed) string {
		a := l.Annotations
		if a.ReadOnlyHint == nil || a.DestructiveHint == nil || a.IdempotentHint == nil || a.OpenWorldHint == nil {
			return "unstated"
		}
		return fmt.Sprint(l.Title, " ", l.InputSchema.Type, " ", l.Meta["io.github.bellhop-ai/effect"], " ",
			*a.ReadOnlyHint,
			*a.DestructiveHint, *a.IdempotentHint, *a.OpenWorldHint, strings.Contains(l.Description,
				"Asks a person first"))
	}
	all := list(org.Manager.Token)
	for name, want := range map[string]string{
		"list_extras":        "List extras object reads true false true false false",
		"create_extra":       "Create extra object changes false false false false true",
		"cancel_reservation": "Cancel reservation object destroys false true false false true",
	} {
		if got := said(all[name]); got != want {
			t.Errorf("%s is listed as %q, want %q", name, got, want)
		}
	}
	few := list(org.Viewer.Token)
	if _, ok := few["create_extra"]; ok || len(few) == 0 || len(few) >= len(all) {
		t.Errorf("a viewer is offered %d of %d tools", len(few), len(all))
	}
	for name, l := range few {
		if !*l.Annotations.ReadOnlyHint {
			t.Errorf("a viewer is offered %s", name)
		}
	}
	for who, token := range map[string]string{"a manager": org.Manager.Token, "a viewer": org.Viewer.Token} {
		got := s.call(t, token, "list_extras", `{}`)
		if got.IsError || !bytes.Contains(got.StructuredContent.Data, []byte(`45.10`)) ||
			!strings.HasPrefix(got.text(), "The property has one extra.\n\n**Extras**\n\n|") ||
			!strings.Contains(got.text(), `Tea \| &lt;cake&gt;`) {
			t.Errorf("%s: %+v", who, got)
		}
		if all := fmt.Sprintf("%s%s", got.text(), got.StructuredContent.Data); strings.Contains(all, org.ID) ||
			strings.Contains(all, org.Entity.ID) {
			t.Errorf("%s: an id is in %s", who, all)
		}
	}
	refused := s.call(t, org.Viewer.Token, "create_extra", `{"name":"Kayak","price":1,"per":"guest"}`)
	if e := refused.StructuredContent.Error; !refused.IsError || e == nil || e.Code != "forbidden" {
		t.Errorf("a viewer's write: %+v", refused)
	}
}

// A tool that asks answers with the proposal, and no call can approve it.
func TestWhatAsksIsAnsweredWithTheQuestion(t *testing.T) {
	t.Parallel()
	s, org := open(t), localtest.NewOrg(t)
	got := s.call(t, org.Manager.Token, "create_extra", `{"name":"Kayak","price":12.5,"per":"guest"}`)
	q := got.StructuredContent.Confirmation
	if got.IsError || q == nil || q.State != "pending" || q.Tier != "MEDIUM" ||
		time.Until(q.ExpiresAt) < 9*time.Minute {
		t.Fatalf("got %+v", got)
	}
	for _, want := range []string{"Add the extra Kayak", "Price per guest: ₹12.50", "Nothing has been done yet",
		"/api/confirmations/" + q.ID, q.Code} {
		if !strings.Contains(got.text(), want) {
			t.Errorf("%q is not in %s", want, got.text())
		}
	}
	if rows := localtest.SQL(t, `select 1 as one from extras where org_id = $1`, org.ID); len(rows) > 0 {
		t.Error("it was done")
	}
	bad := s.call(t, org.Manager.Token, "create_extra", `{"name":"Kayak","price":-1,"per":"guest"}`)
	if e := bad.StructuredContent.Error; !bad.IsError || e == nil || e.Code != "invalid" || bad.text() != e.Detail {
		t.Errorf("a price below zero: %+v", bad)
	}
}
