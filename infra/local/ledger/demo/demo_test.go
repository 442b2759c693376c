package demo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// read calls a tool as a user.
func read(t *testing.T, u demo.User, name, args string) map[string]any {
	t.Helper()
	ctx := context.Background()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&mcp.StreamableClientTransport{Endpoint: u.URL, HTTPClient: &http.Client{Transport: bearer(u.Token)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil || r.IsError {
		t.Fatalf("%s: %v, %+v", name, err, r)
	}
	data, _ := r.StructuredContent.(map[string]any)
	return data
}

// Each user of the demo companies reads books that tie, and has something to see.
func TestTheDemoCompanies(t *testing.T) {
	s := ledgertest.Serve(t)
	companies := map[string]bool{}
	for _, u := range s.Users() {
		companies[u.CompanyCode] = true
		if r := read(t, u, "get_aged_receivables_report", `{}`); fmt.Sprint(r["total"]) == "0" {
			t.Errorf("%s sees no receivables: %v", u.Email, r)
		}
		if u.Role != "owner" {
			continue
		}
		bank := read(t, u, "get_bank_reconciliation", `{}`)
		lines, _ := bank["lines"].(float64)
		if fmt.Sprint(bank["difference"]) != "0" || fmt.Sprint(bank["unmatched_lines"]) == "0" || lines < 300 {
			t.Errorf("%s: the bank: %v", u.Company, bank)
		}
		stock := read(t, u, "get_stock_valuation", `{}`)
		if fmt.Sprint(stock["difference"]) != "0" {
			t.Errorf("%s: the stock: %v", u.Company, stock)
		}
		for tool, noun := range map[string]string{
			"list_expenses": "expenses", "get_payment_reminders": "reminders", "get_overdue_invoices": "invoices",
			"budget_vs_actual": "accounts", "anomaly_detection": "anomalies", "suggest_bank_matches": "suggestions",
		} {
			list, _ := read(t, u, tool, `{}`)[noun].([]any)
			if len(list) == 0 && u.CompanyCode+tool != "sahyadrianomaly_detection" {
				t.Errorf("%s: %s shows nothing", u.Company, tool)
			}
		}
		due := read(t, u, "get_compliance_calendar", `{"from":"2026-11-01","to":"2026-11-21","status":"filed"}`)
		if list, _ := due["due_dates"].([]any); len(list) < 3 {
			t.Errorf("%s: filed in November: %v", u.Company, due)
		}
	}
	if len(companies) != 2 || len(s.Users()) < 6 {
		t.Errorf("%d memberships of %d companies", len(s.Users()), len(companies))
	}
	if demo.Token("s", "a") == demo.Token("t", "a") || demo.Token("s", "a") == demo.Token("s", "b") {
		t.Error("tokens do not depend on the secret and the user")
	}
}
