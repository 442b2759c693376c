package views_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

var update = flag.Bool("update", false, "write the texts of testdata anew")

// asked are calls of both companies.
const asked = `
anomaly_detection {}
budget_vs_actual {}
compare_periods {}
compare_periods {"mode":"mom"}
forecast {}
forecast_cash_flow {}
get_account_ledger {"account":"6140"}
get_aged_payables_report {}
get_aged_receivables_report {}
get_all_customers {}
get_all_delivery_challans {}
get_all_invoices {}
get_all_invoices {"status":"void"}
get_all_payments {}
get_all_payments {"kind":"receipt"}
get_all_purchase_debit_notes {}
get_all_sales_credit_notes {}
get_all_transactions {}
get_all_transactions {"status":"unmatched"}
get_all_vendors {}
get_ap_aging {}
get_balance_sheet {}
get_bank_accounts {}
get_bank_reconciliation {}
get_bill {"number":"BILL/26-27/0038"}
get_bills {}
get_cash_flow_statement {}
get_cash_position {}
get_charts_of_accounts {}
get_company {}
get_compliance_calendar {}
get_credit_note {"number":"CN/26-27/0001"}
get_customer {"customer":"C-0001"}
get_day_book {"date":"2026-11-20"}
get_expense {"number":"EXP/26-27/0004"}
get_expense_breakdown {}
get_expense_breakdown {"by":"month"}
get_expense_breakdown {"by":"vendor"}
get_gst_summary {}
get_gstr1_data {"month":"2026-10"}
get_gstr3b_data {"month":"2026-10"}
get_invoice {"number":"INV/25-26/0004"}
get_itc_summary {}
get_journal_entries {}
get_journal_entry {"number":"RCT/26-27/0020"}
get_kpi_dashboard {}
get_overdue_invoices {}
get_overdue_invoices {"min_days":900}
get_payment {"number":"RCT/26-27/0020"}
get_payment_reminders {}
get_products {}
get_profit_loss {}
get_revenue_breakdown {}
get_revenue_breakdown {"by":"month"}
get_revenue_breakdown {"by":"product"}
get_revenue_breakdown {"by":"state"}
get_revenue_kpi {}
get_stock_movements {}
get_stock_valuation {}
get_tax_rates {}
get_trial_balance {}
get_upcoming_payments {}
get_vendor {"vendor":"V-0003"}
list_expenses {}
suggest_bank_matches {}
trend {}
trend {"metric":"net_profit"}
find_by_reference {"reference":"none"}
`

// Real answers of the demo companies are shown: as texts to be read, as figures that tie,
// and with calls that can be made.
func TestAnswersOfTheLedger(t *testing.T) {
	all := companies(t)
	t.Run("texts", func(t *testing.T) { testTexts(t, all) })
	t.Run("figures", func(t *testing.T) { testFigures(t, all) })
	t.Run("whole", func(t *testing.T) { testWhole(t, all[0]) })
	t.Run("buckets", func(t *testing.T) { testBuckets(t, all[0]) })
	t.Run("hostile", func(t *testing.T) { testHostile(t, all[0]) })
	t.Run("presses", func(t *testing.T) { testPresses(t, all) })
}

// S2-36, S2-46, S2-49, S2-74: what people are told and shown, in their language.
func testTexts(t *testing.T, all []company) {
	for _, c := range all {
		short := strings.ToLower(strings.Fields(c.u.Company)[0])
		var out bytes.Buffer
		for _, asked := range c.calls {
			write(&out, asked, c.answers[asked], short == "sahyadri")
		}
		golden(t, "testdata/"+short+".txt", out.Bytes())
	}
}

// write writes what is said of an answer, or all that is shown.
func write(out *bytes.Buffer, asked call, answer json.RawMessage, whole bool) {
	arguments := json.RawMessage(asked.arguments)
	fmt.Fprintf(out, "== %s %s\n", asked.tool, uuid.ReplaceAllString(asked.arguments, "…"))
	for _, l := range []language.Language{language.English, language.Hinglish, language.Hindi} {
		fmt.Fprintf(out, "%s: %s\n", l, views.Say(l, asked.tool, arguments, answer))
	}
	if whole {
		show(out, views.Present(asked.tool, arguments, answer))
	}
}

func show(out *bytes.Buffer, p tool.Presentation) {
	if p.Table != nil {
		showTable(out, *p.Table)
	}
	for _, d := range p.Parts {
		switch d := d.(type) {
		case part.Chart:
			fmt.Fprintf(out, "-- chart %s: %v\n", d.Title, d.Labels)
		case part.Table:
			showTable(out, d.Table)
		case part.Choices:
			for _, c := range d.Choices {
				fmt.Fprintf(out, "   [%s] %s %s\n", c.Label, c.Tool, c.Arguments)
			}
		default:
			fmt.Fprintf(out, "-- %s %s\n", d.Kind(), d.Text())
		}
	}
}

// shownRows is how many rows of a table a file of texts has.
const shownRows = 3

func showTable(out *bytes.Buffer, t render.Table) {
	rows := len(t.Rows)
	t.Rows = t.Rows[:min(rows, shownRows)]
	fmt.Fprintf(out, "-- %s\n%s\n", t.Title, t.Plain())
	if rows > shownRows {
		fmt.Fprintf(out, "… %d rows\n", rows)
	}
	for _, c := range t.Columns {
		switch {
		case len(c.Open.Rows) > 0:
			fmt.Fprintf(out, "   (%s) %s %s\n", c.Label, c.Open.Tool, c.Open.Rows[0])
		case c.Open.Tool != "":
			fmt.Fprintf(out, "   (%s) %s %s of %s %s\n", c.Label, c.Open.Tool, c.Open.Argument, c.Open.Of, c.Open.With)
		}
	}
	if t.Note != "" {
		fmt.Fprintf(out, "%s\n", t.Note)
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is shown; run with -update and read the difference", file)
	}
}

// S2-36, S2-74: the longest page of a list is shown whole: columns are left out before
// records are.
func testWhole(t *testing.T, c company) {
	for _, name := range []string{"get_all_invoices", "get_bills", "get_all_payments", "get_all_transactions",
		"get_stock_movements"} {
		p := views.Present(name, nil, c.call(name, `{"limit":100}`))
		made, err := part.New(part.Table{Table: *p.Table}, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		var shown struct{ Rows [][]string }
		if err := json.Unmarshal(made.Data, &shown); err != nil {
			t.Fatal(err)
		}
		if len(shown.Rows) != 100 || p.Records != 100 {
			t.Errorf("%s shows %d records of 100", name, len(shown.Rows))
		}
	}
}
