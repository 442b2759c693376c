package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/server"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// books is a ledger with two companies of different organisations behind its
// server.
type books struct {
	*ledger.Ledger
	url          string
	first, other string // ids of the companies in the books
}

const (
	firstOrg        = "0d000000-0000-4000-8000-000000000001"
	firstEntity     = "0d000000-0000-4000-8000-000000000002"
	otherOrg        = "0e000000-0000-4000-8000-000000000001"
	otherEntity     = "0e000000-0000-4000-8000-000000000002"
	ownerToken      = "token-of-the-owner"
	accountantToken = "token-of-the-accountant"
	viewerToken     = "token-of-the-viewer"
)

func newBooks(t testing.TB) *books {
	t.Helper()
	b := &books{Ledger: ledgertest.Empty(t)}
	ctx := context.Background()
	must(t, b.Tx(ctx, "test", func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `select ledger.create_company('{"code":"deccan","name":"Deccan Test Traders",
			"state":"27","gstin":"27AAACD1234K1Z8","books_begin":"2025-04-01"}')::text`).Scan(&b.first); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `select ledger.create_company('{"code":"malabar","name":"Malabar Test Works",
			"state":"32","books_begin":"2025-04-01"}')::text`).Scan(&b.other)
	}))
	must(t, b.AddOrg(ctx, ledger.Org{ID: firstOrg, Name: "Deccan Group",
		Entities: map[string]string{"deccan": firstEntity}}))
	must(t, b.AddOrg(ctx, ledger.Org{ID: otherOrg, Name: "Malabar Group",
		Entities: map[string]string{"malabar": otherEntity}}))
	for _, m := range []struct {
		ledger.Member
		token string
	}{
		{ledger.Member{Email: "owner@deccan.example", Name: "Owner", Roles: map[string]string{
			"deccan": ledger.Owner, "malabar": ledger.Owner}}, ownerToken},
		{ledger.Member{Email: "accountant@deccan.example", Name: "Accountant", Roles: map[string]string{
			"deccan": ledger.Accountant}}, accountantToken},
		{ledger.Member{Email: "viewer@deccan.example", Name: "Viewer", Roles: map[string]string{
			"deccan": ledger.Viewer}}, viewerToken},
	} {
		must(t, b.AddMember(ctx, m.Member))
		must(t, b.SetToken(ctx, m.Email, m.token, ledgertest.Now().Add(time.Hour)))
	}
	handler, err := server.New(server.Config{Ledger: b.Ledger, Log: t.Logf})
	must(t, err)
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	b.url = s.URL
	return b
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// session connects the SDK's client.
func (b *books) session(t testing.TB, path, token string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{
		Endpoint: b.url + path + "?entityid=" + firstEntity, HTTPClient: &http.Client{Transport: bearer(token)},
		DisableStandaloneSSE: true,
	}, nil)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// tool calls a tool with arguments as JSON, and returns the structured content.
func use(t testing.TB, s *mcp.ClientSession, name, args string) map[string]any {
	t.Helper()
	data, refusal := try(t, s, name, args)
	if refusal != "" {
		t.Fatalf("%s %s: %s", name, args, refusal)
	}
	return data
}

// try is use for a call that may be refused, with what was said then.
func try(t testing.TB, s *mcp.ClientSession, name, args string) (data map[string]any, refusal string) {
	t.Helper()
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	must(t, err)
	text := ""
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	if r.IsError {
		return nil, text
	}
	data, ok := r.StructuredContent.(map[string]any)
	if !ok || text == "" {
		t.Fatalf("%s answered %T with the text %q", name, r.StructuredContent, text)
	}
	return data, ""
}

// at follows names and indexes into a result.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

// scalar reads one value by SQL.
func (b *books) scalar(t testing.TB, sql string, args ...any) string {
	t.Helper()
	var v string
	must(t, b.Tx(context.Background(), "test", func(tx pgx.Tx) error {
		return tx.QueryRow(context.Background(), sql, args...).Scan(&v)
	}))
	return v
}

// post sends one JSON-RPC request as it is.
func post(t testing.TB, url string, headers map[string]string, body string) (status int, header http.Header,
	answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, res.Header, string(text)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},` +
	`"clientInfo":{"name":"Munimji-Agent","version":"4.0"}}}`

// S2-22
func TestWhoMayEnter(t *testing.T) {
	b := newBooks(t)
	hello := fmt.Sprintf(initialize, "2025-06-18")
	must(t, b.SetToken(context.Background(), "owner@deccan.example", "old", ledgertest.Now().Add(-time.Second)))
	tests := map[string]struct {
		token, query string
		status       int
		code         string
	}{
		"no token":              {"", "", 401, "missing_token"},
		"an unknown token":      {"nobody", "", 401, "invalid_token"},
		"a token that expired":  {"old", "", 401, "invalid_token"},
		"a company of the user": {accountantToken, "?entityid=" + firstEntity, 200, ""},
		"the only one":          {accountantToken, "", 200, ""},
		"by its organisation":   {ownerToken, "?orgid=" + firstOrg, 200, ""},
		"both":                  {ownerToken, "?entityid=" + firstEntity + "&orgid=" + firstOrg, 200, ""},
		"one of several":        {ownerToken, "", 400, "company_needed"},
		"another's company":     {accountantToken, "?entityid=" + otherEntity, 403, "forbidden"},
		"of another organisation": {ownerToken, "?entityid=" + otherEntity + "&orgid=" + firstOrg, 403,
			"forbidden"},
		"no company at all": {ownerToken, "?entityid=00000000-0000-4000-8000-000000000000", 403, "forbidden"},
		"not a UUID":        {ownerToken, "?entityid=deccan", 400, "invalid_entityid"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			headers := map[string]string{}
			if test.token != "" {
				headers["Authorization"] = "Bearer " + test.token
			}
			status, header, answer := post(t, b.url+server.JSONPath+test.query, headers, hello)
			if status != test.status {
				t.Fatalf("status %d, want %d: %s", status, test.status, answer)
			}
			challenge := header.Get("WWW-Authenticate")
			if (status == 401) != strings.HasPrefix(challenge, "Bearer ") {
				t.Errorf("WWW-Authenticate: %q", challenge)
			}
			var said struct{ Error, Message string }
			if status != 200 && (json.Unmarshal([]byte(answer), &said) != nil || said.Error != test.code ||
				said.Message == "") {
				t.Errorf("it said %s", answer)
			}
		})
	}
}

// S2-22
func TestProtocolVersionsAndForms(t *testing.T) {
	b := newBooks(t)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		for path, kind := range map[string]string{server.Path: "text/event-stream",
			server.JSONPath: "application/json"} {
			headers := map[string]string{"Authorization": "Bearer " + viewerToken}
			status, header, answer := post(t, b.url+path, headers, fmt.Sprintf(initialize, version))
			if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), kind) ||
				!strings.Contains(answer, `"protocolVersion":"`+version+`"`) {
				t.Fatalf("%s at %s: %d %s\n%s", version, path, status, header.Get("Content-Type"), answer)
			}
			headers["Mcp-Session-Id"] = header.Get("Mcp-Session-Id")
			if version > "2025-03-26" {
				headers["Mcp-Protocol-Version"] = version
			}
			post(t, b.url+path, headers, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			_, _, answer = post(t, b.url+path, headers,
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_cash_position","arguments":{}}}`)
			if !strings.Contains(answer, `"as_of":"2026-11-22"`) {
				t.Errorf("%s at %s: %s", version, path, answer)
			}
			// Another user does not take the session over.
			headers["Authorization"] = "Bearer " + accountantToken
			if status, _, answer := post(t, b.url+path, headers,
				`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`); status < 400 {
				t.Errorf("another user in the session: %d %s", status, answer)
			}
		}
	}
	// The newest version has no sessions: each request stands for itself.
	for _, path := range []string{server.Path, server.JSONPath} {
		s := b.session(t, path, viewerToken)
		if v := s.InitializeResult().ProtocolVersion; v != "2026-07-28" {
			t.Errorf("the SDK's client got version %s", v)
		}
		if r := use(t, s, "get_cash_position", `{}`); r["as_of"] != "2026-11-22" {
			t.Errorf("%v", r)
		}
	}
}

// S2-24 S2-25
func TestTheCatalogue(t *testing.T) {
	b := newBooks(t)
	s := b.session(t, server.Path, viewerToken)
	var tools []*mcp.Tool
	category := map[string]string{}
	perCategory := map[string]int{}
	reads := map[string]int{}
	for tool, err := range s.Tools(context.Background(), nil) {
		must(t, err)
		schema, _ := json.Marshal(tool.InputSchema)
		c, _ := tool.Meta[server.CategoryKey].(string)
		if category[tool.Name] != "" || tool.Description == "" || tool.Annotations == nil || c == "" ||
			!bytes.Contains(schema, []byte(`"type":"object"`)) {
			t.Errorf("%s: twice, or without description, hints, category or schema", tool.Name)
		}
		if tool.Annotations.ReadOnlyHint {
			reads[c]++
		} else if tool.Annotations.DestructiveHint == nil {
			t.Errorf("%s says nothing about destruction", tool.Name)
		}
		tools = append(tools, tool)
		category[tool.Name] = c
		perCategory[c]++
	}
	for _, c := range server.Categories() {
		if perCategory[c] == 0 || reads[c] == 0 {
			t.Errorf("category %s has %d tools, %d of which read", c, perCategory[c], reads[c])
		}
		delete(perCategory, c)
	}
	if len(perCategory) > 0 || len(server.Categories()) != 22 || len(category) < 60 {
		t.Errorf("%d tools; categories that nobody knows: %v", len(category), perCategory)
	}
	for name, want := range namedTools() {
		if category[name] != want {
			t.Errorf("%s is in category %q, want %q", name, category[name], want)
		}
	}
	describe(t, tools)
}

var update = flag.Bool("update", false, "write the table of tools in docs/ledger-mcp.md")

// describe holds the table of the documentation to the tools.
func describe(t *testing.T, tools []*mcp.Tool) {
	t.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "%d tools in %d categories.\n\n| category | tool | | |\n|---|---|---|---|\n", len(tools),
		len(server.Categories()))
	for _, c := range server.Categories() {
		for _, tool := range tools {
			if tool.Meta[server.CategoryKey] != c {
				continue
			}
			mark := ""
			if a := tool.Annotations; !a.ReadOnlyHint {
				mark = map[bool]string{true: "D", false: "W"}[*a.DestructiveHint]
			}
			fmt.Fprintf(&table, "| %s | `%s` | %s | %s |\n", c, tool.Name, mark, strings.ReplaceAll(tool.Description,
				"|", ","))
		}
	}
	const page, begin, end = "../../../../docs/ledger-mcp.md", "<!-- tools -->\n", "<!-- end -->"
	raw, err := os.ReadFile(page)
	must(t, err)
	before, rest, _ := strings.Cut(string(raw), begin)
	old, after, ok := strings.Cut(rest, end)
	switch {
	case !ok:
		t.Errorf("%s has no place for the tools", page)
	case *update:
		must(t, os.WriteFile(page, []byte(before+begin+table.String()+end+after), 0o644))
	case old != table.String():
		t.Errorf("%s is stale: go test ./infra/local/ledger/server -run TestTheCatalogue -update", page)
	}
}

// namedTools are the names of S2-25 with their categories of S2-24.
func namedTools() map[string]string {
	named := map[string]string{}
	for category, names := range map[string]string{
		"invoices": "get_all_invoices create_invoice", "bills": "get_bills create_bill",
		"payments": "get_all_payments create_payment", "customers": "get_all_customers create_customer",
		"vendors": "get_all_vendors create_vendor", "credit_notes": "get_all_sales_credit_notes",
		"accounts": "get_charts_of_accounts", "transactions": "get_all_transactions",
		"aging_reports":     "get_aged_receivables_report get_aged_payables_report",
		"delivery_challans": "get_all_delivery_challans", "expenses": "create_expense list_expenses",
		"banking": "import_bank_statement", "inventory": "create_product adjust_stock",
		"journal": "create_journal_entry", "gst_actions": "file_gstr1 generate_einvoice",
		"reports_pnl":      "get_profit_loss get_revenue_breakdown get_expense_breakdown",
		"reports_balance":  "get_balance_sheet get_trial_balance",
		"reports_cashflow": "get_cash_flow_statement get_cash_position forecast_cash_flow",
		"reports_payables": "get_ap_aging",
		"reports_gst":      "get_gst_summary get_gstr1_data get_gstr3b_data get_itc_summary",
		"kpi_dashboard":    "get_revenue_kpi",
		"trends_analysis":  "compare_periods forecast trend anomaly_detection budget_vs_actual",
	} {
		for name := range strings.FieldsSeq(names) {
			named[name] = category
		}
	}
	return named
}
