package resolution_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

var today = calendar.Date{Year: 2026, Month: 11, Day: 22} // a Sunday

func load(t testing.TB) *resolution.Flows {
	t.Helper()
	f, err := resolution.Load()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func plan(t testing.TB, f *resolution.Flows, intent, text string) resolution.Plan {
	t.Helper()
	p, ok := f.Plan(intent, resolution.Context{Text: text, Today: today, Language: language.Of(text)})
	if !ok {
		t.Fatalf("there is no plan of %s for %q", intent, text)
	}
	return p
}

// list is an answer of a tool that lists.
func list(noun string, names ...string) string {
	var records []map[string]string
	for i, n := range names {
		records = append(records, map[string]string{"code": fmt.Sprintf("X-%04d", i+1), "name": n})
	}
	raw, _ := json.Marshal(map[string]any{noun: records})
	return string(raw)
}

// follow plays a plan: look-ups are answered by lists, other calls by {}. It returns
// the calls that are no look-ups, and what is missing.
func follow(t testing.TB, p resolution.Plan, lists map[string]string) (made []string, missing *resolution.Missing) {
	t.Helper()
	var results []resolution.Result
	for range 10 {
		calls, done, missing := p.Next(results)
		if done || missing != nil {
			return made, missing
		}
		for _, c := range calls {
			answer := "{}"
			if c.LookUp {
				answer = lists[c.Tool]
			} else {
				made = append(made, c.String())
			}
			results = append(results, resolution.Result{Tool: c.Tool, Arguments: c.Arguments,
				Answer: json.RawMessage(answer)})
		}
	}
	t.Fatal("the plan has no end")
	return nil, nil
}

func TestArguments(t *testing.T) {
	f := load(t)
	for _, c := range []struct{ intent, text, want string }{
		{"profit", "profit", `get_profit_loss {"from":"2026-11-01","to":"2026-11-22"}`},
		{"profit", "profit of last month", `get_profit_loss {"from":"2026-10-01","to":"2026-10-31"}`},
		{"profit", "pichhle mahine ka munafa", `get_profit_loss {"from":"2026-10-01","to":"2026-10-31"}`},
		{"profit", "पिछले महीने का मुनाफा", `get_profit_loss {"from":"2026-10-01","to":"2026-10-31"}`},
		{"profit", "profit this year", `get_profit_loss {"from":"2026-04-01","to":"2026-11-22"}`},
		{"profit", "is saal ka munafa", `get_profit_loss {"from":"2026-04-01","to":"2026-11-22"}`},
		{"profit", "इस साल का मुनाफा", `get_profit_loss {"from":"2026-04-01","to":"2026-11-22"}`},
		{"profit", "profit of last year", `get_profit_loss {"from":"2025-04-01","to":"2026-03-31"}`},
		{"profit", "P&L for FY 2025-26", `get_profit_loss {"from":"2025-04-01","to":"2026-03-31"}`},
		{"profit", "P&L Q2", `get_profit_loss {"from":"2026-07-01","to":"2026-09-30"}`},
		{"profit", "P&L q4", `get_profit_loss {"from":"2026-01-01","to":"2026-03-31"}`},
		{"profit", "profit last quarter", `get_profit_loss {"from":"2026-07-01","to":"2026-09-30"}`},
		{"profit", "pichli timahi ka munafa", `get_profit_loss {"from":"2026-07-01","to":"2026-09-30"}`},
		{"profit", "previous month profit", `get_profit_loss {"from":"2026-10-01","to":"2026-10-31"}`},
		{"profit", "profit in october", `get_profit_loss {"from":"2026-10-01","to":"2026-10-31"}`},
		{"profit", "अक्टूबर का मुनाफा", `get_profit_loss {"from":"2026-10-01","to":"2026-10-31"}`},
		{"profit", "profit in December", `get_profit_loss {"from":"2025-12-01","to":"2025-12-31"}`},
		{"profit", "profit from April to June", `get_profit_loss {"from":"2026-04-01","to":"2026-06-30"}`},
		{"expense_breakdown", "salary pe kitna gaya April se",
			`get_expense_breakdown {"by":"account","from":"2026-04-01","to":"2026-11-22"}`},
		{"profit", "profit since August", `get_profit_loss {"from":"2026-08-01","to":"2026-11-22"}`},
		{"profit", "profit of the last 6 months", `get_profit_loss {"from":"2026-06-01","to":"2026-11-22"}`},
		{"profit", "is saal ab tak kitna munafa", `get_profit_loss {"from":"2026-04-01","to":"2026-11-22"}`},
		{"profit", "October se ab tak ka munafa", `get_profit_loss {"from":"2026-10-01","to":"2026-11-22"}`},
		{"sales_total", "aaj tak kitni bikri hui", `get_revenue_kpi {"from":"2026-11-01","to":"2026-11-22"}`},
		{"stock_movements", "what moved since Monday", `get_stock_movements {"from":"2026-11-16","to":"2026-11-22"}`},
		{"profit", "profit 01/10/2026 to 15/10/2026", `get_profit_loss {"from":"2026-10-01","to":"2026-10-15"}`},
		{"payments_received", "aaj kitna paisa aaya",
			`get_all_payments {"from":"2026-11-22","kind":"receipt","to":"2026-11-22"}`},
		{"payments_received", "kal kitna paisa aaya",
			`get_all_payments {"from":"2026-11-21","kind":"receipt","to":"2026-11-21"}`},
		{"payments_received", "kal ki vasuli",
			`get_all_payments {"from":"2026-11-21","kind":"receipt","to":"2026-11-21"}`},
		{"payments_received", "parso kisne paise diye the",
			`get_all_payments {"from":"2026-11-20","kind":"receipt","to":"2026-11-20"}`},
		{"bills_due", "bills due", `get_upcoming_payments {"days":7}`},
		{"bills_due", "bills due in the next 10 days", `get_upcoming_payments {"days":10}`},
		{"bills_due", "kal kisko payment karna hai", `get_upcoming_payments {"days":1}`},
		{"bills_due", "agle das din mein kya bharna hai", `get_upcoming_payments {"days":10}`},
		{"bills_due", "bills due this month", `get_upcoming_payments {"days":8}`},
		{"cash_forecast", "cash in thirty days", `forecast_cash_flow {"months":1}`},
		{"cash_forecast", "agle teen mahine ka cash", `forecast_cash_flow {"months":3}`},
		{"cash_forecast", "cash for the next 6 months", `forecast_cash_flow {"months":6}`},
		{"cash_forecast", "cash next month", `forecast_cash_flow {"months":1}`},
		{"cash_forecast", "cash forecast", `forecast_cash_flow {"months":3}`},
		{"cash_forecast", "cash for 99 months", `forecast_cash_flow {"months":24}`},
		{"cash_today", "cash today", `get_cash_position {"as_of":"2026-11-22"}`},
		{"cash_today", "cash kitna hai", `get_cash_position {}`},
		{"balance_sheet", "balance sheet as on 31 March", `get_balance_sheet {"as_of":"2026-03-31"}`},
		{"balance_sheet", "balance sheet of FY 2025-26", `get_balance_sheet {"as_of":"2026-03-31"}`},
		{"gstr1", "GSTR-1", `get_gstr1_data {"month":"2026-10"}`},
		{"gstr1", "GSTR-1 for September", `get_gstr1_data {"month":"2026-09"}`},
		{"gstr3b", "सितंबर का 3बी", `get_gstr3b_data {"month":"2026-09"}`},
		{"compare_sales", "compare with last year", `compare_periods {"mode":"yoy"}`},
		{"compare_sales", "this month vs last month", `compare_periods {"mode":"mom"}`},
		{"compare_sales", "is mahine ki tulna pichhle mahine se", `compare_periods {"mode":"mom"}`},
		{"compare_sales", "compare October with September", `compare_periods {"from":"2026-10-01",` +
			`"previous_from":"2026-09-01","previous_to":"2026-09-30","to":"2026-10-31"}`},
		{"overdue_invoices", "invoices overdue by more than 30 days", `get_overdue_invoices {"min_days":30}`},
		{"overdue_invoices", "overdue invoices", `get_overdue_invoices {}`},
		{"invoices_list", "invoices above 1 lakh", `get_all_invoices {"min_amount":"100000"}`},
		{"invoices_list", "50,000 se kam ke invoice", `get_all_invoices {"max_amount":"50000"}`},
		{"invoices_list", "invoices between 1 and 15 October",
			`get_all_invoices {"from":"2026-10-01","to":"2026-10-15"}`},
		{"invoice_details", "show invoice INV/26-27/0004", `get_invoice {"number":"INV/26-27/0004"}`},
		{"invoice_details", "inv-104 dikhao", `get_invoice {"number":"INV-104"}`},
		{"invoice_details", "invoice number 44", `get_invoice {"number":"44"}`},
		{"bill_details", "bill B-221 ka payment hua kya", `get_bill {"number":"B-221"}`},
		{"day_book", "parso ka day book", `get_day_book {"date":"2026-11-20"}`},
		{"bank_transactions", "withdrawals this month",
			`get_all_transactions {"direction":"out","from":"2026-11-01","to":"2026-11-22"}`},
		{"sales_by_state", "Gujarat mein kitni bikri hui",
			`get_revenue_breakdown {"by":"state","from":"2026-04-01","to":"2026-11-22"}`},
		{"trend_sales", "sales of the last 6 months", `trend {"metric":"revenue","months":6}`},
		{"sales_total", "Munimji, please tell me the sales of today",
			`get_revenue_kpi {"from":"2026-11-22","to":"2026-11-22"}`},
	} {
		made, missing := follow(t, plan(t, f, c.intent, c.text), nil)
		if missing != nil || len(made) != 1 || made[0] != c.want {
			t.Errorf("%s, %q: %q, missing %+v, want %s", c.intent, c.text, made, missing, c.want)
		}
	}
}

// Names are looked up, in whatever spelling and script.
func TestNames(t *testing.T) {
	f := load(t)
	lists := map[string]string{
		"get_all_customers": list("customers", "Deshmukh Bhandar", "Vidarbha Wholesale", "ACME Pvt Ltd",
			"Acme Private Limited", "Mandovi Traders", "Royal Bill Mart", "Surat Steel Emporium",
			"Konkan Kitchen Mart", "Konkan Sweets", "Patil & Sons"),
		"get_all_vendors": list("vendors", "Shivneri Transport", "Nashik Steel Products"),
		"get_products":    list("products", "Pressure Cooker 5 L", "Steel Tiffin", "Steel Plate"),
		"get_charts_of_accounts": list("accounts", "Rent", "Salaries and wages", "Electricity",
			"Freight outward"),
		"get_bank_accounts": list("bank_accounts", "HDFC Current", "ICICI Overdraft"),
	}
	for _, c := range []struct{ intent, text, want string }{
		{"customer_balance", "how much does Deshmukh Bhandar owe us", `get_customer {"customer":"X-0001"}`},
		{"customer_balance", "deshmuk bhandar ka kitna baki hai", `get_customer {"customer":"X-0001"}`},
		{"customer_balance", "Vidarbha se kitna lena hai", `get_customer {"customer":"X-0002"}`},
		{"customer_balance", "मांडवी ट्रेडर्स का कितना बाकी है", `get_customer {"customer":"X-0005"}`},
		{"customer_balance", "balance of Royal Bill Mart", `get_customer {"customer":"X-0006"}`},
		{"customer_balance", "what do Patil and Sons owe", `get_customer {"customer":"X-0010"}`},
		{"customer_details", "Konkan Kitchen ka GST number", `get_customer {"customer":"X-0008"}`},
		{"vendor_balance", "शिवनेरी ट्रांसपोर्ट को कितना देना है", `get_vendor {"vendor":"X-0001"}`},
		{"payments_made", "nashik steel ko kitna diya last month",
			`get_all_payments {"contact":"Nashik Steel Products",` +
				`"from":"2026-10-01","kind":"payment","to":"2026-10-31"}`},
		{"invoices_list", "invoices of mandovi traders since October", `get_all_invoices {"customer":"X-0005",` +
			`"from":"2026-10-01","to":"2026-11-22"}`},
		{"customer_balance", "surat steel emporium ka baki", `get_customer {"customer":"X-0007"}`},
		{"customer_details", "give me Surat Steel Emporium's GSTIN", `get_customer {"customer":"X-0007"}`},
		{"customer_details", "contact person of Shivneri Transport", `get_vendor {"vendor":"X-0001"}`},
		{"vendor_balance", "Mandovi ka bakaya", `get_customer {"customer":"X-0005"}`},
		{"receivables_total", "Deshmukh Bhandar par kitna udhaar hai", `get_customer {"customer":"X-0001"}`},
		{"payables_total", "what is due to Nashik Steel Products", `get_vendor {"vendor":"X-0002"}`},
		{"invoices_list", "इनवॉइस INV/26-27/0012 दिखाओ", `get_invoice {"number":"INV/26-27/0012"}`},
		{"stock_level", "pressure cooker kitne bache hain", `get_product {"product":"X-0001"}`},
		{"stock_level", "how many steel tiffins are left", `get_product {"product":"X-0002"}`},
		{"account_ledger", "rent ka ledger dikhao",
			`get_account_ledger {"account":"X-0001","from":"2026-04-01","to":"2026-11-22"}`},
		{"account_ledger", "किराया खाते की एंट्री",
			`get_account_ledger {"account":"X-0001","from":"2026-04-01","to":"2026-11-22"}`},
		{"bank_transactions", "HDFC ki transactions dikhao", `get_all_transactions {"bank_account":"X-0001"}`},
	} {
		made, missing := follow(t, plan(t, f, c.intent, c.text), lists)
		if missing != nil || len(made) != 1 || made[0] != c.want {
			t.Errorf("%s, %q: %q, missing %+v, want %s", c.intent, c.text, made, missing, c.want)
		}
	}
	for _, c := range []struct {
		intent, text string
		kind         resolution.MissingKind
		choices      []string
		question     string
	}{
		{"customer_balance", "how much does ACME Pvt Ltd owe", resolution.SeveralFit, []string{"X-0003", "X-0004"},
			"more than one"},
		{"customer_balance", "konkan ka kitna baki hai", resolution.SeveralFit, []string{"X-0008", "X-0009"},
			"Kaunsa"},
		{"customer_balance", "Zebra Mining ka kitna baki hai", resolution.NotFound, nil, "nahi mila"},
		{"customer_balance", "ज़ेब्रा का कितना बाकी है", resolution.NotFound, nil, "नहीं मिला"},
		{"customer_balance", "how much does Desai Bhandar owe", resolution.NotFound, []string{"X-0001"},
			"one of these"},
		{"customer_balance", "what is the balance", resolution.NotSaid, nil, "Which customer"},
		{"stock_level", "how many steel are left", resolution.SeveralFit, []string{"X-0002", "X-0003"},
			"more than one"},
		{"bank_reconciliation", "BRS dikhao", resolution.SeveralFit, []string{"X-0001", "X-0002"},
			"Kaunsa bank account"},
		{"invoice_details", "show the invoice", resolution.NotSaid, nil, "number"},
		{"profit", "profit from 01/02/2026 to 31/02/2026", resolution.NoSuchDate, nil, "31/02/2026"},
		{"profit", "profit until 31 Feb", resolution.NoSuchDate, nil, "31 Feb"},
		{"profit", "29/02/2026 ka munafa", resolution.NoSuchDate, nil, "nahi hoti"},
		{"profit", "31/06 tak ka munafa", resolution.NoSuchDate, nil, "31/06"},
	} {
		made, missing := follow(t, plan(t, f, c.intent, c.text), lists)
		if missing == nil || missing.Kind != c.kind || !strings.Contains(missing.Question, c.question) ||
			len(made) > 0 {
			t.Errorf("%s, %q: %q, missing %+v", c.intent, c.text, made, missing)
			continue
		}
		var values []string
		for _, choice := range missing.Choices {
			values = append(values, choice.Value)
		}
		if !slices.Equal(values, c.choices) {
			t.Errorf("%s, %q offers %+v", c.intent, c.text, missing.Choices)
		}
	}
	// What was asked for and chosen is not asked for again.
	p, _ := f.Plan("customer_balance", resolution.Context{Text: "acme ka baki", Today: today,
		Given: map[string]string{"customer": "X-0004"}})
	if made, missing := follow(t, p, lists); missing != nil ||
		!slices.Equal(made, []string{`get_customer {"customer":"X-0004"}`}) {
		t.Errorf("with a choice: %q, %+v", made, missing)
	}
}

// A name that the answer would leave aside is for a model, and so is what writes.
func TestNoPlan(t *testing.T) {
	f := load(t)
	for intent, text := range map[string]string{
		"create_invoice": "invoice banao", "weather": "weather", "profit": "profit from Mandovi Traders",
		"sales_total": "Sharma ko kitna becha, Gupta Stores ko kitna",
	} {
		if p, ok := f.Plan(intent, resolution.Context{Text: text, Today: today}); ok {
			t.Errorf("%s, %q has the plan %+v", intent, text, p.Flow())
		}
	}
}

// A failed step is not called again.
func TestFailedSteps(t *testing.T) {
	p := plan(t, load(t), "profit", "profit")
	calls, _, _ := p.Next(nil)
	results := []resolution.Result{{Tool: calls[0].Tool, Arguments: calls[0].Arguments}}
	if calls, done, missing := p.Next(results); len(calls) > 0 || !done || missing != nil {
		t.Errorf("after a failure: %v, %v, %+v", calls, done, missing)
	}
}

// S2-73: the files have the form of their schema, and each intent has a flow.
func TestTheFlowsAreData(t *testing.T) {
	raw, err := os.ReadFile("flow.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir("flows")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile("flows/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Errorf("%s: %v", file.Name(), err)
		}
	}
	if err := resolved.Validate(map[string]any{"module": "m",
		"flows": []any{map[string]any{"intent": "x"}}}); err == nil {
		t.Error("the schema accepts a flow without a name")
	}
	set, _, err := phrases.Set("finance")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, in := range set.Intents {
		named = append(named, in.Name)
	}
	flows := load(t).Intents()
	slices.Sort(named)
	slices.Sort(flows)
	if !slices.Equal(named, flows) {
		t.Errorf("intents and flows differ: %v and %v", named, flows)
	}
}

// schemas returns the input schemas of the ledger's tools.
func schemas(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	raw, err := os.ReadFile("../../boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct {
			Name, Effect string
			Input        jsonschema.Schema
		}
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Resolved{}
	for _, tool := range manifest.Tools {
		if tool.Effect != "reads" {
			continue
		}
		if out[tool.Name], err = tool.Input.Resolve(nil); err != nil {
			t.Fatal(tool.Name, err)
		}
	}
	return out
}

// S2-73: every flow answers a sentence of each language from the ledger. Its tools only read,
// and get arguments that their schemas allow.
func TestTheFlowsAnswerFromTheLedger(t *testing.T) {
	allowed := schemas(t)
	f := load(t)
	set, _, err := phrases.Set("finance")
	if err != nil {
		t.Fatal(err)
	}
	s := ledgertest.Serve(t)
	url, token := s.URL(), ""
	for _, u := range s.Users() {
		if u.Role == "viewer" && token == "" {
			token = u.Token
			url = strings.Replace(u.URL, "/mcp?", "/mcp/json?", 1)
		}
	}
	raw, err := os.ReadFile("testdata/questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var questions map[string][]string
	if err := json.Unmarshal(raw, &questions); err != nil {
		t.Fatal(err)
	}
	_ = set
	for _, intent := range f.Intents() {
		if flow, _ := f.Flow(intent); flow.Writes {
			continue
		}
		said := questions[intent]
		languages := map[language.Language]bool{}
		for _, text := range said {
			languages[language.Of(text)] = true
			p := plan(t, f, intent, text)
			var results []resolution.Result
			for step := 0; ; step++ {
				calls, done, missing := p.Next(results)
				if missing != nil {
					t.Errorf("%s, %q: %+v", intent, text, missing)
					break
				}
				if done || step > 5 {
					if !done {
						t.Errorf("%s, %q has no end", intent, text)
					}
					break
				}
				for _, c := range calls {
					schema, ok := allowed[c.Tool]
					if !ok {
						t.Fatalf("%s calls %s, which is no tool that reads", intent, c.Tool)
					}
					var v any
					if err := json.Unmarshal(c.Arguments, &v); err != nil {
						t.Fatal(err)
					}
					if err := schema.Validate(v); err != nil {
						t.Errorf("%s, %q: %s: %v", intent, text, c, err)
					}
					answer, refusal := use(t, url, token, c.Tool, c.Arguments)
					if refusal != "" {
						t.Errorf("%s, %q: %s: %s", intent, text, c, refusal)
					}
					results = append(results, resolution.Result{Tool: c.Tool, Arguments: c.Arguments, Answer: answer})
				}
			}
		}
		if len(languages) != 3 {
			t.Errorf("%s is asked in %d languages: %q", intent, len(languages), said)
		}
	}
}

// use calls a tool by HTTP, in the protocol's version without sessions.
func use(t *testing.T, url, token, tool string, arguments json.RawMessage) (data json.RawMessage, refusal string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{
			"name": tool, "arguments": arguments, "_meta": map[string]any{
				"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
				"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "test", "version": "1"},
				"io.modelcontextprotocol/clientCapabilities": map[string]any{},
			}}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "tools/call",
		"Mcp-Name":   tool} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct {
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
		Error *struct{ Message string }
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Fatal(tool, res.Status, err)
	}
	switch {
	case answer.Error != nil:
		return nil, answer.Error.Message
	case answer.Result.IsError:
		return nil, answer.Result.Content[0].Text
	}
	return answer.Result.StructuredContent, ""
}

// What asks for the least, or for the other side of the books, is another question.
func TestWordsOfAnotherQuestionLeaveAFlow(t *testing.T) {
	flows, err := resolution.Load()
	if err != nil {
		t.Fatal(err)
	}
	for text, c := range map[string]struct {
		intent  string
		planned bool
	}{
		"sabse kam bikne wala maal":         {"top_products", false},
		"least sold product":                {"top_products", false},
		"best selling product":              {"top_products", true},
		"which invoices fall due this week": {"bills_due", false},
		"which bills fall due this week":    {"bills_due", true},
	} {
		_, ok := flows.Plan(c.intent, resolution.Context{Text: text,
			Today: calendar.Date{Year: 2026, Month: 11, Day: 22}, Language: language.Of(text)})
		if ok != c.planned {
			t.Errorf("%q as %s is planned: %v", text, c.intent, ok)
		}
	}
}

func BenchmarkMatchAndPlan(b *testing.B) {
	f := load(b)
	m, err := phrases.Model("finance")
	if err != nil {
		b.Fatal(err)
	}
	const text = "how much did Deshmukh Bhandar pay us between 1 and 15 October"
	for b.Loop() {
		r := m.Match(text)
		p, ok := f.Plan("payments_received", resolution.Context{Text: text, Today: today})
		if calls, _, _ := p.Next(nil); !ok || len(calls) == 0 || r.Intent < 0 {
			b.Fatal("no plan")
		}
	}
}
