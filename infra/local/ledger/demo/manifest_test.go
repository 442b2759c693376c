package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/server"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

var update = flag.Bool("update", false, "write manifest.json")

const manifestFile = "manifest.json"

// reviewed is what people decided about the tools that do not just change the
// books. Others change them when the server says that they write.
func reviewed() map[string]string {
	return map[string]string{
		"delete_expense": "destroys", "delete_journal_entry": "destroys", "send_payment_reminders": "destroys",
		"cancel_einvoice": "destroys", "set_period_status": "destroys", "reconcile_bank_account": "destroys",
		"void_invoice": "critical", "void_bill": "critical", "void_payment": "critical", "file_gstr1": "critical",
		"file_gstr3b": "critical", "generate_einvoice": "critical",
		"update_transaction": "writes", "match_bank_transaction": "writes", "unmatch_bank_transaction": "writes",
	}
}

// review completes what was drafted.
func review(t *testing.T, p *mcptools.Pinned) {
	t.Helper()
	var input struct {
		Properties map[string]json.RawMessage
	}
	if err := json.Unmarshal(p.Input, &input); err != nil {
		t.Fatal(err)
	}
	p.Effect = "reads"
	if _, writes := input.Properties["reference"]; writes && p.Name != "find_by_reference" {
		p.Effect = "changes"
		if e := reviewed()[p.Name]; e != "" {
			p.Effect = e
		}
		p.Reference = "reference"
		p.LookUp = &mcptools.LookUp{Tool: "find_by_reference", Argument: "reference", Number: "/number"}
	} else if verb, _, _ := strings.Cut(p.Name, "_"); verb == "create" || verb == "update" ||
		reviewed()[p.Name] != "" {
		t.Errorf("%s writes and takes no reference", p.Name)
	}
	if p.Name == "send_payment_reminders" {
		p.Target = "outside"
	}
}

// written is a manifest as its file has it: a tool a line.
func written(t *testing.T, m *mcptools.Manifest) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"server": "` + m.Server + `", "tools": [`)
	for i, p := range m.Tools {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == 0])
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

func client(t *testing.T, outbox effect.Outbox) *mcptools.Client {
	t.Helper()
	c, err := mcptools.New(mcptools.Config{
		Egress: egress.Config{Loopback: true}, Hosts: []string{"127.0.0.1"}, Now: time.Now, Outbox: outbox,
		Report: func(_ context.Context, _ string, d mcptools.Difference) {
			t.Errorf("the manifest is not of these tools: %+v", d)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// started is an outbox for acts that are tried once.
type started struct{}

func (started) Begin(ctx context.Context, _ identity.Caller, kind string, _ json.RawMessage) (effect.Entry, bool,
	error) {
	claim, ok := effect.From(ctx)
	return effect.Entry{Key: claim.Key, Kind: kind}, ok, nil
}

func (started) Settle(_ context.Context, _ identity.Caller, e effect.Entry) (effect.Entry, error) {
	return e, nil
}

// losing passes requests on, and loses the answer of the tool that is set.
type losing struct {
	proxy *httputil.ReverseProxy
	tool  string
	lost  int
}

func (l *losing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if l.tool == "" || !bytes.Contains(body, []byte(`"name":"`+l.tool+`"`)) {
		l.proxy.ServeHTTP(w, r)
		return
	}
	l.proxy.ServeHTTP(httptest.NewRecorder(), r)
	l.lost++
	panic(http.ErrAbortHandler)
}

// Our own client, by a manifest that people reviewed, reads and writes the books
// of the company that the caller chose; a write whose answer is lost is found by
// its reference and not sent again.
func TestOurClientUsesTheLedger(t *testing.T) {
	s := ledgertest.Serve(t)
	var owner demo.User
	for _, u := range s.Users() {
		if u.Role == "owner" && u.CompanyCode == "sahyadri" {
			owner = u
		}
	}
	target, err := url.Parse(strings.TrimSuffix(s.URL(), server.Path))
	if err != nil {
		t.Fatal(err)
	}
	l := &losing{proxy: httputil.NewSingleHostReverseProxy(target)}
	front := httptest.NewServer(l)
	t.Cleanup(front.Close)
	by := identity.Caller{UserID: "u", OrgID: owner.OrgID, Role: identity.Admin,
		Entity: identity.Entity{ID: owner.EntityID}}
	remote := mcptools.Server{Name: "ledger", URL: front.URL + server.Path, Secret: identity.Secret(owner.Token)}
	c := client(t, started{})

	drafted, err := c.Draft(t.Context(), by, remote, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range drafted.Tools {
		review(t, &drafted.Tools[i])
	}
	want := written(t, drafted)
	if *update {
		if err := os.WriteFile(manifestFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(manifestFile)
	if err != nil || !bytes.Equal(raw, want) {
		t.Fatalf("%s is stale (%v): go test ./infra/local/ledger/demo -update", manifestFile, err)
	}
	if remote.Manifest, err = mcptools.ReadManifest(raw); err != nil {
		t.Fatal(err)
	}
	declared, err := c.Tools(t.Context(), by, remote)
	if err != nil || len(declared) != len(remote.Manifest.Tools) {
		t.Fatalf("%d tools of %d: %v", len(declared), len(remote.Manifest.Tools), err)
	}
	set, err := tool.NewSets(1).Set(nil, declared)
	if err != nil {
		t.Fatal(err)
	}
	use := func(ctx context.Context, name, args string) string {
		t.Helper()
		found, ok := set.Find(tool.ModelName(name))
		if !ok {
			t.Fatalf("there is no tool %s", name)
		}
		call, err := found.Prepare([]byte(args))
		if err != nil {
			t.Fatal(err)
		}
		r, err := call.Run(ctx, by)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return string(r.Data)
	}
	if got := use(t.Context(), "get_cash_position", `{}`); !strings.Contains(got, `"as_of":"2026-11-22"`) {
		t.Errorf("it answers %s", got)
	}
	l.tool = "create_expense"
	ctx := effect.With(t.Context(), effect.Claim{Key: "turn-9.1", ArgsHash: strings.Repeat("a", 64),
		Tool: "create_expense", Turn: "turn-9", Assistant: "finance",
		Proposal: "00000000-0000-4000-8000-000000000009"})
	got := use(ctx, "create_expense", `{"account":"Rent","amount":12.5,"description":"Lost and found"}`)
	if !strings.Contains(got, "EXP/26-27/") || l.lost != 1 {
		t.Errorf("the answer was lost %d times, then: %s", l.lost, got)
	}
	list := use(t.Context(), "list_expenses", `{"search":"Lost and found"}`)
	var expenses struct{ Total int }
	if err := json.Unmarshal([]byte(list), &expenses); err != nil || expenses.Total != 1 {
		t.Errorf("it was recorded %d times: %s", expenses.Total, list)
	}
}
