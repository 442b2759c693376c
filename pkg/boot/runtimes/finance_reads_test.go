package runtimes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S2-44, S2-46: all kinds of records and reports are read, with their figures.
func TestAllKindsAreRead(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, obedient(t))
	for call, want := range map[string][]string{
		`get_all_invoices {"limit":3}`:           {"INV/26-27/0193", "Lakshmi Gift Gallery", "₹77,921.00"},
		`get_bills {"limit":3}`:                  {"BILL/26-27/0089", "Sanket Cartons", "₹8,820.00"},
		`get_all_payments {"limit":3}`:           {"RCT/26-27/0193", "₹19,587.00", "22/11/2026"},
		`get_all_customers {"limit":3}`:          {"Annapurna Home Stores", "27AAKFA4821L1ZA", "3 of 11 shown"},
		`get_all_vendors {"limit":3}`:            {"Deccan Appliances", "₹3,12,983.00", "3 of 9 shown"},
		`get_all_sales_credit_notes {"limit":3}`: {"CN/26-27/0008", "INV/26-27/0173"},
		`list_expenses {"limit":3}`:              {"EXP/26-27/0004", "Repair of the air conditioner"},
		`get_journal_entries {"limit":3}`: {"Receipt RCT/26-27/0193, Annapurna Home Stores",
			"3 of 2,602 shown"},
		`get_products {"limit":3}`:              {"Dinner set, steel, 51 pieces", "₹94,600.00"},
		`get_all_delivery_challans {"limit":3}`: {"DC/26-27/0003", "Hotel Sagar Kinara", "3 in all"},
		`get_all_transactions {"limit":3}`:      {"GST FOR OCTOBER 2026", "-₹52,754.11"},
		`get_bank_accounts {}`:                  {"Sahyadri Nagari Bank", "₹15,47,310.84"},
		`get_charts_of_accounts {"limit":5}`:    {"Trade receivables", "5 of 51 shown"},

		`get_profit_loss {}`:             {"Gross profit", "₹24,61,044.00", "Net profit", "₹7,67,918.67"},
		`get_balance_sheet {}`:           {"Balance sheet on 22/11/2026", "₹30,62,069.00"},
		`get_cash_flow_statement {}`:     {"Cash at the start", "₹19,78,659.70"},
		`get_aged_receivables_report {}`: {"Vidarbha Wholesale", "₹30,62,069.00", "Over 90 days"},
		`get_aged_payables_report {}`:    {"Rajkot Utensil Works", "₹5,88,451.00"},
		`get_gst_summary {}`:             {"₹9,28,069.18", "Net: ₹1,37,759.33"},
		`get_kpi_dashboard {}`: {"Revenue", "Expenses", "Net profit", "₹7,67,918.67", "Change of cash",
			"₹30,62,069.00", "₹13,36,",
			"Growth of revenue", "▲ 1.5 %"},
		`compare_periods {"mode":"yoy"}`: {"compared with 01/04/2025 to 22/11/2025", "▲ 21.5 %"},
		`compare_periods {"mode":"mom"}`: {"compared with 01/10/2026 to 22/10/2026", "▼ 39.6 %"},
		`compare_periods {"mode":"qoq"}`: {"compared with 01/07/2026 to 22/08/2026", "▲ 112.2 %"},
		`trend {"months":6}`:             {"October 2026", "₹19,10,742.00", "▲ 44.7 %"},
	} {
		a := b.as(b.org.Viewer, "pipeline", "realtime").ask("run " + call)
		for _, w := range want {
			if !strings.Contains(a.Reply, w) {
				t.Errorf("%s\nhas no %q: %s", call, w, a)
			}
		}
	}
}

// S2-46, S2-47, S2-66, S2-73: questions that are read by the steps of their flow, each
// with the arguments that it took from the sentence.
func TestFlowsAnswerQuestions(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, "")
	for text, c := range map[string]struct{ tool, arguments, says string }{
		"overdue invoices":           {"get_overdue_invoices", `{}`, "33 invoices are overdue, ₹14.41 lakh"},
		"overdue invoices of Konkan": {"get_overdue_invoices", `"customer":"C-0003"`, "Konkan Kitchen Mart"},
		"show invoice INV-190":       {"get_invoice", `"number":"INV-190"`, "INV/26-27/0190 for Deshmukh Bhandar"},
		"profit this year": {"get_profit_loss", `"from":"2026-04-01"`,
			"Net profit 01/04/2026 to 22/11/2026: ₹7.68 lakh"},
		"gst summary of last quarter":  {"get_gst_summary", `"from":"2026-07-01","to":"2026-09-30"`, "₹50,230.54"},
		"balance sheet":                {"get_balance_sheet", `{}`, "the assets are ₹66.10 lakh"},
		"this year vs last year sales": {"compare_periods", `"mode":"yoy"`, "▲ 21.5 %"},
		"sales trend":                  {"trend", `"months"`, "October 2026: ₹19.11 lakh, ▲ 44.7 %"},
		"cash flow statement":          {"get_cash_flow_statement", `"2026-11-`, "Cash fell by ₹1.66 lakh"},
		"runway kitna hai":             {"get_kpi_dashboard", `"2026-11-`, "it does not shrink"},
		"invoices above ₹1,00,000":     {"get_all_invoices", `"min_amount":"100000"`, "INV/26-27/0128"},
		"INV-99999 dikhao":             {"get_invoice", `"number":"INV-99999"`, "There is no invoice INV-99999."},
		"31/02/2026 ki bikri dikhao":   {"", "", "31/02/2026 naam ki koi tareekh nahi hoti"},
	} {
		names, data := b.as(b.org.Viewer).events(text)
		var a answer
		if len(data["complete"]) != 1 || json.Unmarshal(data["complete"][0], &a) != nil || a.Path != "fast" ||
			a.Usage.Calls != 0 {
			t.Errorf("%q: %v %s", text, names, a)
			continue
		}
		if !strings.Contains(a.Reply, c.says) {
			t.Errorf("%q: %s", text, a)
		}
		calls := ""
		for _, e := range data["executing_tool"] {
			calls += string(e) + "\n"
		}
		if (c.tool == "") != (calls == "") || c.tool != "" && !strings.Contains(calls, `"tool":"`+c.tool+`"`) ||
			!strings.Contains(calls, c.arguments) {
			t.Errorf("%q calls %s", text, calls)
		}
	}
}

// S2-36, S2-74: people see every record that came; the model is told how many there are
// and reads a part.
func TestListsAreWhole(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Calls: []script.Call{{Name: "get_all_invoices", Arguments: `{"limit":100}`}}},
		script.Step{Text: "There they are."})
	b := newBooks(t, ledger.Trading, model.URL)
	a := b.as(b.org.Viewer, "pipeline", "realtime").ask("list a hundred invoices")
	if n := strings.Count(a.Reply, "<td>INV/"); n != 100 || !strings.Contains(a.Reply, "100 of 462 shown") {
		t.Errorf("%d invoices are shown: %.300s", n, a)
	}
	result := model.Requests()[1].Last("tool").Content
	if !strings.Contains(result, "462 invoices, ₹2.20 crore in all") || !strings.Contains(result, `"count":100`) {
		t.Errorf("the model reads %.600s", result)
	}
}

// A bound that the steps of a flow can't take is never left aside: without a model the
// question is asked back.
func TestABoundIsNotLeftAside(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, "")
	a := b.as(b.org.Viewer).ask("overdue invoices above ₹50,000")
	if a.Path == "fast" || len(a.McpToolResults) > 0 || strings.Contains(a.Reply, "33 invoices") {
		t.Error(a)
	}
	if above := b.as(b.org.Viewer).ask("invoices above 100"); above.Path != "fast" {
		t.Error(above)
	}
}
