package mcptools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func TestMain(m *testing.M) {
	if os.Getenv(asClient) != "" {
		if err := act(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	localtest.Main(m)
}

// peer is a remote server that does what a test says, over Streamable HTTP.
type peer struct {
	*httptest.Server
	version  string // the newest protocol that it knows
	sessions bool   // it names a session, and refuses other ones
	events   bool   // it answers in event streams

	mu    sync.Mutex
	tools []map[string]any
	calls []request
	// call, if not nil, answers tools/call in place of the usual answer, which
	// repeats the arguments.
	call func(w http.ResponseWriter, r *http.Request, m request)
	over int // sessions that have ended
}

// request is a message that came.
type request struct {
	Method, Query, Token, Agent string
	ID                          json.RawMessage
	Name                        string
	Arguments, Params           json.RawMessage
}

func newPeer(t *testing.T, p *peer) *peer {
	t.Helper()
	if p.version == "" {
		p.version = "2026-07-28"
	}
	if p.tools == nil {
		p.tools = []map[string]any{
			declare("Invoice.List", "Lists invoices.", `{"type":"object","properties":{"status":{"type":"string"}}}`),
			declare("Invoice.Create", "Creates an invoice.",
				`{"type":"object","properties":{"customer":{"type":"string"},"ref":{"type":"string"}},`+
					`"required":["customer","ref"]}`),
			declare("Invoice.Find", "Finds an invoice.", `{"type":"object","properties":{"ref":{"type":"string"}}}`),
		}
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func declare(name, description, schema string) map[string]any {
	return map[string]any{"name": name, "description": description, "inputSchema": json.RawMessage(schema),
		"annotations": map[string]any{"readOnlyHint": true}}
}

func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var raw struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &raw) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	m := request{Method: raw.Method, ID: raw.ID, Params: raw.Params, Query: r.URL.RawQuery,
		Token: r.Header.Get("Authorization"), Agent: r.Header.Get("User-Agent")}
	var params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(raw.Params, &params)
	m.Name, m.Arguments = params.Name, params.Arguments
	p.mu.Lock()
	p.calls = append(p.calls, m)
	session, call, tools := fmt.Sprint("s-", p.over), p.call, slices.Clone(p.tools)
	p.mu.Unlock()
	modern := p.version > "2025-11-25"
	if p.sessions && m.Method != "initialize" && m.Method != "server/discover" &&
		r.Header.Get("Mcp-Session-Id") != session {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	switch {
	case m.Method == "server/discover" && !modern:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
	case m.Method == "server/discover":
		p.result(w, m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`)
	case m.Method == "initialize":
		if p.sessions {
			w.Header().Set("Mcp-Session-Id", session)
		}
		p.result(w, m, `{"protocolVersion":"`+p.version+
			`","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	case len(m.ID) == 0:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "tools/list":
		list, _ := json.Marshal(map[string]any{"resultType": "complete", "tools": tools})
		p.result(w, m, string(list))
	case m.Method == "tools/call" && call != nil:
		call(w, r, m)
	case m.Method == "tools/call":
		p.result(w, m, fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":"ok"}],`+
			`"structuredContent":%s}`, m.Arguments))
	default:
		p.result(w, m, `{}`)
	}
}

// result answers a request, with a request of its own before it where it streams.
func (p *peer) result(w http.ResponseWriter, m request, result string) {
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	if !p.events {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, ": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"sampling/"+
		"createMessage\",\"params\":{}}\n\n"+
		"id: 7\nevent: message\ndata: %s\n\n", text)
}

// sent returns the messages of a method.
func (p *peer) sent(method string) []request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.calls), func(m request) bool { return m.Method != method })
}

// trips returns how many messages came, and forgets them.
func (p *peer) trips() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.calls)
	p.calls = nil
	return n
}

func (p *peer) answer(call func(w http.ResponseWriter, r *http.Request, m request)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.call = call
}

// found collects differences.
type found struct {
	mu   sync.Mutex
	list []string
}

func (f *found) report(_ context.Context, server string, d mcptools.Difference) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, server+": "+d.Tool+" "+d.What)
}

// client returns a client for peers on this machine. Waits are short where a
// test waits for them to end.
func client(t *testing.T, change ...func(*mcptools.Config)) *mcptools.Client {
	t.Helper()
	cfg := mcptools.Config{Egress: egress.Config{Loopback: true}, Hosts: []string{"127.0.0.1"}, Now: time.Now}
	for _, c := range change {
		c(&cfg)
	}
	c, err := mcptools.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var mira = identity.Caller{UserID: "mira", OrgID: "org-1", Role: identity.Manager, Entity: identity.Entity{ID: "e-1"},
	Token: "our-own-token"}

// server returns a peer as an organisation has it, with a manifest that review
// completes: it is called for each tool, as it was drafted.
func (p *peer) server(t *testing.T, c *mcptools.Client, review func(*mcptools.Pinned)) mcptools.Server {
	t.Helper()
	s := mcptools.Server{Name: "books", URL: p.URL + "/mcp", Secret: "org-secret"}
	m, err := c.Draft(t.Context(), mira, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Tools {
		if m.Tools[i].Effect != mcptools.Off {
			t.Errorf("the tool %s is %s before anyone reviewed it", m.Tools[i].Name, m.Tools[i].Effect)
		}
		review(&m.Tools[i])
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if s.Manifest, err = mcptools.ReadManifest(raw); err != nil {
		t.Fatal(err)
	}
	return s
}

// books is how the tools of the usual peer are reviewed.
func books(p *mcptools.Pinned) {
	p.Effect, p.Category = "reads", "invoices"
	if strings.HasSuffix(p.Name, ".Create") {
		p.Effect, p.Reference, p.Number = "changes", "ref", "/number"
		p.LookUp = &mcptools.LookUp{Tool: "Invoice.Find", Argument: "ref", Number: "/invoice/number"}
	}
}

// toolset returns the tools that an agent would have.
func toolset(t *testing.T, c *mcptools.Client, by identity.Caller, s mcptools.Server) *tool.Set {
	t.Helper()
	declared, err := c.Tools(t.Context(), by, s)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tool.NewSets(1).Set(nil, declared)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// run calls a tool by its foreign name as an agent does.
func run(ctx context.Context, t *testing.T, set *tool.Set, by identity.Caller, name, arguments string) (tool.Result,
	error) {
	t.Helper()
	found, ok := set.Find(tool.ModelName(name))
	if !ok {
		t.Fatalf("there is no tool %s", name)
	}
	call, err := found.Prepare([]byte(arguments))
	if err != nil {
		return tool.Result{}, err
	}
	return call.Run(ctx, by)
}

// claimed is the context of an act that a person approved.
func claimed(t *testing.T, key string) context.Context {
	t.Helper()
	return effect.With(t.Context(), effect.Claim{Key: key, ArgsHash: strings.Repeat("a", 64), Tool: "create_invoice",
		Turn: "t-1", Assistant: "hospitality"})
}
