package server_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/server"
)

// story is a session that notes which tools were used.
type story struct {
	*books
	t    *testing.T
	s    *mcp.ClientSession
	used map[string]bool
}

func (y *story) use(name, args string) map[string]any {
	y.t.Helper()
	y.used[name] = true
	return use(y.t, y.s, name, args)
}

// refused demands a refusal that says something.
func (y *story) refused(name, args, says string) {
	y.t.Helper()
	y.used[name] = true
	if data, said := try(y.t, y.s, name, args); !strings.Contains(said, says) {
		y.t.Errorf("%s %s: said %q, want %q; answered %v", name, args, said, says, data)
	}
}

// want compares a part of a result.
func (y *story) want(result map[string]any, want any, path ...any) {
	y.t.Helper()
	if got := at(result, path...); fmt.Sprint(got) != fmt.Sprint(want) {
		text, _ := json.Marshal(result)
		y.t.Errorf("%v is %v, want %v in %s", path, got, want, text)
	}
}

// ties demands that a figure of a result is what SQL says of the books.
func (y *story) ties(result map[string]any, path []any, sql string, args ...any) {
	y.t.Helper()
	want := y.scalar(y.t, "select trunc(("+sql+"), 2)::float8::text", append([]any{y.first}, args...)...)
	if want == "0" {
		y.t.Errorf("the books have nothing to compare with: %s", sql)
	}
	y.want(result, want, path...)
}

func (y *story) id(result map[string]any, path ...any) string {
	y.t.Helper()
	id, ok := at(result, path...).(string)
	if !ok || len(id) != 36 {
		y.t.Fatalf("%v is no id in %v", path, result)
	}
	return id
}

const accountIs = `join ledger.accounts a on a.id = l.account_id where l.company_id = $1 and a.role`

// The tools write a small company's books and read them back; what they read
// is what the ledger's accounts say. Every tool is used.
//
// S2-43 S2-44 S2-45 S2-46 S2-47
func TestTheBooksThroughTheTools(t *testing.T) {
	b := newBooks(t)
	y := &story{b, t, b.session(t, server.JSONPath, ownerToken), map[string]bool{}}
	y.contacts()
	y.stock()
	y.sales()
	y.purchases()
	y.payments()
	y.expenses()
	y.journals()
	y.bank()
	y.ageing()
	y.reports()
	y.gst()
	y.references()
	for tool, err := range y.s.Tools(context.Background(), nil) {
		must(t, err)
		if !y.used[tool.Name] {
			t.Errorf("%s is not used", tool.Name)
		}
	}
	if off := y.scalar(t, `select coalesce(string_agg(name || ': ' || books || ' and ' || figure, '; '), '')
		from ledger.ties($1, '2026-11-22') where books <> figure`, b.first); off != "" {
		t.Errorf("the books do not tie: %s", off)
	}
}

func (y *story) contacts() {
	made := y.use("create_customer", `{"name":"Konkan Retail","gstin":"27AAPFU0939F1ZV",`+
		`"email":"pay@konkan.example","terms_days":15}`)
	y.want(made, "C-0001", "customer", "code")
	y.use("create_customer", `{"name":"Nilgiri Stores","state":"Tamil Nadu"}`)
	y.want(y.use("update_customer", `{"customer":"konkan retail","phone":"020 5550 1234"}`), "020 5550 1234",
		"customer", "phone")
	y.refused("create_customer", `{"name":"Konkan Retail"}`, "already")
	y.refused("create_customer", `{"name":"X","gstin":"27AAPFU0939"}`, "15")
	y.refused("create_customer", `{"title":"X"}`, "title")
	y.use("create_vendor", `{"name":"Sahyadri Supplies","gstin":"27AADCB2230M1Z2","terms_days":30}`)
	y.use("create_vendor", `{"name":"Vidarbha Audit","gstin":"27AAACV1234D1Z5","tds_section":"194J"}`)
	y.use("update_vendor", `{"vendor":"V-0001","notes":"Delivers on Mondays"}`)
	y.want(y.use("get_customer", `{"customer":"27AAPFU0939F1ZV"}`), true, "customer", "gstin_verified")
	y.want(y.use("get_vendor", `{"vendor":"Vidarbha"}`), "194J", "vendor", "tds_section")
	y.refused("get_vendor", `{"vendor":"Konkan"}`, "no vendor")
	y.want(y.use("get_all_customers", `{"search":"nilgiri"}`), "Nilgiri Stores", "customers", 0, "name")
	y.want(y.use("get_all_vendors", `{}`), 2, "total")

	// Lists come in pages; a cursor goes on where its page ended.
	first := y.use("get_all_customers", `{"limit":1}`)
	y.want(first, true, "more")
	y.want(first, 2, "total")
	next := y.use("get_all_customers", fmt.Sprintf(`{"limit":1,"cursor":%q}`, at(first, "cursor")))
	y.want(next, "Nilgiri Stores", "customers", 0, "name")
	y.want(next, false, "more")
	y.refused("get_all_vendors", fmt.Sprintf(`{"cursor":%q}`, at(first, "cursor")), "cursor")
	y.refused("get_all_vendors", `{"limit":1000}`, "limit")
}

func (y *story) stock() {
	y.want(y.use("create_product", `{"code":"lamp","name":"Desk lamp","hsn_sac":"9405","sale_price":1200,
		"purchase_price":"800.00","reorder_level":5}`), "LAMP", "product", "code")
	y.use("create_product", `{"name":"Fitting","kind":"service","hsn_sac":"998719","sale_price":500}`)
	y.use("update_product", `{"product":"lamp","sale_price":1250}`)
	y.refused("adjust_stock", `{"product":"lamp","quantity":-1,"reason":"lost"}`, "There are only 0")
	moved := y.use("adjust_stock", `{"product":"lamp","quantity":10,"unit_cost":790,"reason":"counted",`+
		`"date":"2026-08-01"}`)
	y.want(moved, 7900, "product", "value")
	y.want(y.use("get_products", `{"kind":"goods"}`), 10, "products", 0, "quantity")
}

func (y *story) sales() {
	made := y.use("create_invoice", `{"customer":"C-0001","date":"2026-09-01","lines":[
		{"description":"Desk lamp","product":"lamp","hsn_sac":"9405","quantity":4,"rate":1250},
		{"description":"Fitting","hsn_sac":"998719","rate":500.50}]}`)
	y.want(made, "INV/26-27/0001", "invoice", "number")
	y.want(made, 495.05, "invoice", "cgst")
	y.want(made, 6491, "invoice", "total")
	y.want(y.use("get_product", `{"product":"LAMP"}`), 6, "product", "quantity")
	y.use("create_invoice", `{"customer":"Nilgiri","date":"2026-11-20","lines":[{"description":"Advice",`+
		`"hsn_sac":"9983","rate":10000}]}`)
	y.refused("create_invoice", `{"customer":"Konkan Retail","lines":[{"description":"Lamps","product":"LAMP",`+
		`"quantity":7,"rate":1}]}`,
		"There are only 6")
	y.refused("create_invoice", `{"customer":"Konkan Retail","date":"2026-02-30","lines":[{"description":"x",`+
		`"rate":1}]}`, "2026-02-30")
	y.refused("create_invoice", `{"customer":"Konkan Retail","lines":[{"description":"x","rate":"1e5"}]}`, "rate")
	y.want(y.use("update_invoice", `{"number":"INV-1","notes":"Second floor"}`), "Second floor", "invoice", "notes")
	// The change posted anew: the stock moved back and out again.
	y.want(y.use("get_product", `{"product":"LAMP"}`), 6, "product", "quantity")
	y.want(y.use("get_invoice", `{"number":"inv 26-27 0001"}`), "overdue", "invoice", "state")
	y.refused("get_invoice", `{"number":"INV-99"}`, "INV-99")
	list := y.use("get_all_invoices", `{"customer":"C-0001","status":"overdue"}`)
	y.want(list, "INV/26-27/0001", "invoices", 0, "number")
	y.id(list, "invoices", 0, "id")

	y.use("create_sales_credit_note", `{"invoice":"INV-1","date":"2026-09-10","reason":"Damaged","lines":[{"line":1,`+
		`"quantity":1}]}`)
	y.want(y.use("get_product", `{"product":"LAMP"}`), 7, "product", "quantity")
	y.want(y.use("update_credit_note", `{"number":"CN-1","reason":"Broken"}`), "Broken", "credit_note", "reason")
	y.want(y.use("get_credit_note", `{"number":"CN/26-27/0001"}`), 1475, "credit_note", "total")
	y.ties(y.use("get_all_sales_credit_notes", `{}`), []any{"total_amount"},
		"select sum(total) from ledger.credit_notes where company_id = $1")
	y.use("create_invoice", `{"customer":"Nilgiri","lines":[{"description":"By mistake","rate":1}]}`)
	y.want(y.use("void_invoice", `{"number":"INV-3","reason":"Wrong customer"}`), "void", "invoice", "state")

	y.want(y.use("create_delivery_challan", `{"customer":"C-0001","purpose":"approval","lines":[{"product":"lamp",`+
		`"quantity":2}]}`),
		2500, "delivery_challan", "value")
	y.use("update_delivery_challan", `{"number":"DC-26-27-0001","status":"delivered"}`)
	y.want(y.use("get_delivery_challan", `{"number":"DC/26-27/0001"}`), "delivered", "delivery_challan", "status")
	y.ties(y.use("get_all_delivery_challans", `{}`), []any{"total_amount"},
		`select sum(l.value) from ledger.challan_lines l
		join ledger.challans d on d.id = l.challan_id where d.company_id = $1`)
}

func (y *story) purchases() {
	made := y.use("create_bill", `{"vendor":"V-0001","vendor_number":"SS-77","date":"2026-09-05","lines":[
		{"description":"Desk lamp","product":"lamp","hsn_sac":"9405","quantity":5,"rate":800}]}`)
	y.want(made, 4720, "bill", "total")
	y.refused("create_bill", `{"vendor":"V-0001","vendor_number":"ss 77","lines":[{"description":"x","rate":1}]}`,
		"already")
	y.want(y.use("create_bill", `{"vendor":"V-0002","date":"2026-10-01","due_date":"2026-12-01","lines":[{"description":"Audit","hsn_sac":"998221",
		"account":"Professional fees","rate":20000}]}`), 2000, "bill", "tds")
	y.use("update_bill", `{"number":"SS-77","notes":"Checked"}`)
	y.want(y.use("get_bill", `{"number":"BILL-1"}`), "Checked", "bill", "notes")
	y.ties(y.use("get_bills", `{"vendor":"Sahyadri"}`), []any{"total_amount"},
		"select sum(total) from ledger.bills where company_id = $1 and contact_code = 'V-0001'")
	y.use("create_purchase_debit_note", `{"bill":"BILL-1","date":"2026-09-08","lines":[{"line":1,"quantity":1}]}`)
	y.want(y.use("get_all_purchase_debit_notes", `{}`), 944, "total_amount")
	y.use("create_bill", `{"vendor":"V-0001","lines":[{"description":"By mistake","rate":1}]}`)
	y.use("void_bill", `{"number":"BILL-3","reason":"Entered twice"}`)
	// 10 + 5 came in, 4 went out, 1 came back, 1 was sent back.
	y.want(y.use("get_product", `{"product":"LAMP"}`), 11, "product", "quantity")
	stock := y.use("get_stock_valuation", `{}`)
	y.want(stock, 0, "difference")
	y.ties(stock, []any{"total_value"}, `select sum(l.amount) from ledger.journal_lines l `+accountIs+` = 'inventory'`)
	y.want(y.use("get_stock_movements", `{"product":"lamp","limit":2}`), "purchase_return", "movements", 0, "source")
}

func (y *story) payments() {
	// Half of what is open, and the rest with tax that the customer deducted.
	y.want(y.use("create_payment", `{"contact":"Konkan Retail","date":"2026-10-01","amount":2000,"bank_reference":"UTR889001",
		"allocations":[{"document":"INV-1"}]}`), 0, "payment", "unapplied")
	y.use("create_payment", `{"contact":"Nilgiri","date":"2026-11-21","amount":1000,"allocations":[]}`)
	y.want(y.use("apply_advance", `{"payment":"RCT-2","document":"INV-2"}`), 10800, "document", "balance")
	y.want(y.use("create_payment", `{"kind":"payment","contact":"V-0001","date":"2026-10-02","amount":1500}`),
		"PAY/26-27/0001",
		"payment", "number")
	y.want(y.use("update_payment", `{"number":"PAY-1","amount":1600}`), 1600, "payment", "amount")
	y.use("create_payment", `{"kind":"payment","contact":"V-0001","amount":1}`)
	y.use("void_payment", `{"number":"PAY-2","reason":"Sent twice"}`)
	y.want(y.use("get_payment", `{"number":"RCT/26-27/0001"}`), "INV/26-27/0001", "payment", "allocations", 0,
		"document")
	y.ties(y.use("get_all_payments", `{"kind":"receipt"}`), []any{"total_amount"},
		"select sum(amount) from ledger.payments where company_id = $1 and kind = 'receipt'")
	y.refused("create_payment", `{"contact":"Konkan Retail","amount":5,"allocations":[{"document":"INV-1",`+
		`"amount":50000}]}`, "open")
}

func (y *story) expenses() {
	y.want(y.use("create_expense", `{"account":"Travel and conveyance","amount":1000,"gst_rate":5,`+
		`"description":"Cab","date":"2026-10-03"}`),
		1050, "expense", "total")
	y.refused("create_expense", `{"account":"Trade receivables","amount":1,"description":"x"}`, "no expense account")
	y.refused("create_expense", `{"account":"Rent","amount":1,"description":"x","date":"2024-01-01"}`, "begin")
	y.use("create_expense", `{"account":"Rent","amount":9,"description":"Mistake"}`)
	y.want(y.use("delete_expense", `{"number":"EXP-26-27-0002"}`), "deleted", "expense", "status")
	y.want(y.use("get_expense", `{"number":"EXP/26-27/0001"}`), "Cab", "expense", "description")
	y.ties(y.use("list_expenses", `{}`), []any{"total_amount"}, `select sum(l.amount) from ledger.journal_lines l `+
		accountIs+` = 'travel'`)
}

func (y *story) journals() {
	y.want(y.use("create_journal_entry", `{"date":"2026-08-01","narration":"Capital brought in","lines":[
		{"account":"1010","debit":50000},{"account":"Share capital","credit":50000}]}`), "posted", "journal_entry",
		"status")
	y.refused("create_journal_entry", `{"narration":"x","lines":[{"account":"1010","debit":5},{"account":"3000",`+
		`"credit":4}]}`, "differ")
	y.use("create_account", `{"code":"6195","name":"Training","type":"expense","group":"Operating expenses"}`)
	second := y.use("create_journal_entry", `{"narration":"Mistake","lines":[{"account":"Training","debit":5},`+
		`{"account":"1010","credit":5}]}`)
	number, _ := at(second, "journal_entry", "number").(string)
	y.want(y.use("delete_journal_entry", fmt.Sprintf(`{"number":%q}`, number)), "reversed", "journal_entry", "status")
	y.refused("delete_journal_entry", `{"number":"INV/26-27/0001"}`, "document")
	y.want(y.use("get_journal_entries", `{"manual":true}`), 1, "total")
	y.want(y.use("get_journal_entry", `{"number":"INV/26-27/0002"}`), "invoice", "journal_entry", "source")
	day := y.use("get_day_book", `{"date":"2026-08-01"}`)
	y.want(day, 57900, "debits")
	y.want(y.use("get_charts_of_accounts", `{"search":"capital"}`), -50000, "accounts", 0, "balance")
	account := y.use("get_account_ledger", `{"account":"bank"}`)
	y.ties(account, []any{"account", "closing"}, `select sum(l.amount) from ledger.journal_lines l `+accountIs+
		` = 'bank'`)
	y.want(account, at(account, "account", "closing"), "postings", 0, "balance")
}

func (y *story) bank() {
	y.use("create_bank_account", `{"account":"1010","name":"Main","bank":"Harbour Bank","number":"00112233",`+
		`"opens":"2026-03-31"}`)
	file := "Account,00112233\nDate,Narration,Chq/Ref No,Withdrawal Amt.,Deposit Amt.,Balance\n" +
		"01/08/2026,Capital,,,\"50,000.00\",\"50,000.00\"\n" +
		"01/10/2026,NEFT KONKAN RETAIL,UTR889001,,\"2,000.00\",\"52,000.00\"\n" +
		"03/10/2026,NEFT SAHYADRI SUPPLIES,N123,\"1,600.00\",,\"50,400.00\"\n" +
		"04/10/2026,POS CAB,,\"1,050.00\",,\"49,350.00\"\n" +
		"31/10/2026,CHARGES OCT,,59.00,,\"49,291.00\"\n" +
		"31/10/2026,REVERSED CHARGE,,1.00,,\"49,290.00\"\n"
	y.want(y.use("import_bank_statement", fmt.Sprintf(`{"content":%q,"file_name":"oct.csv"}`, file)), 6, "added")
	again := y.use("import_bank_statement", fmt.Sprintf(`{"bank_account":"00112233","content_base64":%q}`,
		base64.StdEncoding.EncodeToString([]byte(file))))
	y.want(again, 0, "added")
	y.want(again, 6, "known")
	y.refused("import_bank_statement", `{"content":"Date,Amount\n1/1/2026,abc\n"}`, "line 2")
	suggested := y.use("suggest_bank_matches", `{"limit":100}`)
	y.want(suggested, "POS CAB", "suggestions", 2, "narration")
	y.want(suggested, "EXP/26-27/0001", "suggestions", 2, "postings", 0, "number")
	matched := y.use("reconcile_bank_account", `{}`)
	y.want(matched, 4, "matched")
	y.want(matched, at(y.use("get_all_transactions", `{"status":"unmatched"}`), "total"), "left")
	list := y.use("get_all_transactions", `{"status":"matched"}`)
	cab := y.id(list, "transactions", 0, "id")
	y.use("unmatch_bank_transaction", fmt.Sprintf(`{"id":%q}`, cab))
	y.refused("match_bank_transaction", fmt.Sprintf(`{"id":%q,"numbers":["PAY-1"]}`, cab), "no unmatched posting")
	y.use("match_bank_transaction", fmt.Sprintf(`{"id":%q,"numbers":["EXP/26-27/0001"]}`, cab))
	y.want(y.use("get_transaction", fmt.Sprintf(`{"id":%q}`, cab)), "EXP/26-27/0001", "transaction", "matches", 0,
		"number")
	y.refused("delete_expense", `{"number":"EXP/26-27/0001"}`, "reconciled")
	open := y.use("get_all_transactions", `{"status":"unmatched","search":"charge"}`)
	y.want(open, 2, "total")
	for i := range 2 {
		id := y.id(open, "transactions", i, "id")
		if at(open, "transactions", i, "narration") == "CHARGES OCT" {
			y.want(y.use("update_transaction", fmt.Sprintf(`{"id":%q,"account":"Bank charges"}`, id)), "matched",
				"transaction", "status")
		} else {
			y.want(y.use("update_transaction", fmt.Sprintf(`{"id":%q,"status":"excluded","note":"taken back"}`, id)),
				"excluded",
				"transaction", "status")
		}
	}
	y.refused("update_transaction", `{"id":"x","note":"y"}`, "no such transaction")
	r := y.use("get_bank_reconciliation", `{"bank_account":"Main"}`)
	y.want(r, 49290, "statement_balance")
	y.want(r, 0, "difference")
	y.want(r, 0, "unmatched_lines")
	y.ties(r, []any{"book_balance"}, `select sum(l.amount) from ledger.journal_lines l `+accountIs+` = 'bank'`)
	y.want(y.use("get_bank_accounts", `{}`), 49290, "bank_accounts", 0, "statement_balance")
}

func (y *story) ageing() {
	receivable := y.use("get_aged_receivables_report", `{}`)
	y.ties(receivable, []any{"total"}, `select sum(l.amount) from ledger.journal_lines l `+accountIs+` = 'receivable'`)
	y.want(receivable, 3016, "totals", "days_61_90")
	payable := y.use("get_aged_payables_report", `{}`)
	y.ties(payable, []any{"total"}, `select -sum(l.amount) from ledger.journal_lines l `+accountIs+` = 'payable'`)
	bills := y.use("get_ap_aging", `{}`)
	y.want(bills, at(payable, "total"), "total")
	y.want(bills, "BILL/26-27/0001", "bills", 0, "number")
	y.want(y.use("get_upcoming_payments", `{"days":60}`), at(payable, "total"), "total_amount")
	y.want(y.use("get_overdue_invoices", `{}`), 3016, "total_amount")
	y.want(y.use("get_overdue_invoices", `{"min_days":61,"max_days":90}`), 3016, "total_amount")
	y.want(y.use("get_overdue_invoices", `{"max_days":60}`), 0, "total")

	first := y.use("send_payment_reminders", `{}`)
	y.want(first, "INV/26-27/0001", "recorded", 0, "number")
	again := y.use("send_payment_reminders", `{"invoice":"INV-1"}`)
	y.want(again, "This reminder was recorded already.", "skipped", 0, "why")
	y.want(y.use("send_payment_reminders", `{"customer":"Nilgiri"}`), "[]", "recorded")
	y.want(y.use("get_payment_reminders", `{}`), "pay@konkan.example", "reminders", 0, "recipient")
}

func (y *story) reports() {
	profit := `select -sum(l.amount) from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id
		where l.company_id = $1 and a.type in ('income', 'expense')`
	y.ties(y.use("get_profit_loss", `{}`), []any{"totals", "net_profit"}, profit)
	y.ties(y.use("get_revenue_breakdown", `{"by":"customer"}`), []any{"total"},
		`select -sum(l.amount) from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id
		where l.company_id = $1 and a.type = 'income'`)
	y.ties(y.use("get_expense_breakdown", `{}`), []any{"total"},
		`select sum(l.amount) from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id
		where l.company_id = $1 and a.type = 'expense'`)
	sheet := y.use("get_balance_sheet", `{}`)
	assets, _ := at(sheet, "totals", "assets").(float64)
	liabilities, _ := at(sheet, "totals", "liabilities").(float64)
	equity, _ := at(sheet, "totals", "equity").(float64)
	if fmt.Sprintf("%.2f", assets) != fmt.Sprintf("%.2f", liabilities+equity) || assets == 0 {
		y.t.Errorf("assets %v, liabilities %v, equity %v", assets, liabilities, equity)
	}
	trial := y.use("get_trial_balance", `{}`)
	y.want(trial, 0, "totals", "closing")
	y.want(trial, at(trial, "totals", "debit"), "totals", "credit")
	cash := y.use("get_cash_flow_statement", `{}`)
	y.ties(cash, []any{"totals", "net"}, `select sum(l.amount) from ledger.journal_lines l join ledger.accounts a on
		a.id = l.account_id
		where l.company_id = $1 and a.cash`)
	y.want(y.use("get_cash_position", `{}`), at(cash, "totals", "closing"), "total")
	y.want(y.use("forecast_cash_flow", `{"months":2}`), at(cash, "totals", "closing"), "months", 0, "opening")
	kpi := y.use("get_kpi_dashboard", `{}`)
	y.ties(kpi, []any{"net_profit"}, profit)
	y.want(y.use("get_revenue_kpi", `{}`), at(kpi, "revenue"), "revenue")
	y.ties(y.use("compare_periods", `{"mode":"yoy"}`), []any{"metrics", 5, "current"}, profit)
	y.want(y.use("compare_periods", `{"from":"2026-09-01","to":"2026-09-30","previous_from":"2026-08-01",`+
		`"previous_to":"2026-08-31"}`),
		0, "metrics", 0, "previous")
	y.refused("compare_periods", `{"mode":"wow"}`, "mom, qoq or yoy")
	trend := y.use("trend", `{"metric":"revenue","months":3}`)
	y.want(trend, "2026-09", "months", 1, "period")
	y.ties(trend, []any{"months", 1, "amount"}, `select -sum(l.amount) from ledger.journal_lines l
		join ledger.accounts a on a.id = l.account_id where l.company_id = $1 and a.type = 'income'
		and l.date between '2026-09-01' and '2026-09-30'`)
	y.want(y.use("forecast", `{"months":2}`), "2026-12", "months", 1, "period")
	y.want(y.use("anomaly_detection", `{}`), 6, "months")
	y.want(y.use("budget_vs_actual", `{"from":"2026-10-01","to":"2026-10-31"}`), 0, "accounts", 0, "budget")
	y.refused("get_profit_loss", `{"from":"2026-05-01","to":"2026-04-01"}`, "before it begins")
}

func (y *story) gst() {
	summary := y.use("get_gst_summary", `{}`)
	y.ties(summary, []any{"output"}, `select -sum(l.amount) from ledger.journal_lines l `+accountIs+` like 'output_%'`)
	y.ties(summary, []any{"credit"}, `select sum(l.amount) from ledger.journal_lines l `+accountIs+` like 'input_%'`)
	one := y.use("get_gstr1_data", `{"month":"2026-09"}`)
	y.want(one, 4250.5, "totals", "taxable")
	y.want(y.use("get_gstr3b_data", `{"month":"2026-09"}`), at(one, "totals", "tax"), "totals", "output")
	y.ties(y.use("get_itc_summary", `{}`), []any{"eligible"}, `select sum(l.amount) from ledger.journal_lines l `+
		accountIs+
		` like 'input_%'`)
	y.refused("get_gstr1_data", `{"month":"2026-13"}`, "month")
	rates := y.use("get_tax_rates", `{"date":"2025-09-21"}`)
	y.want(rates, "[0 0.25 3 5 12 18 28]", "gst")
	y.want(y.use("get_tax_rates", `{"date":"2025-09-22"}`), "[0 0.25 3 5 18 40]", "gst")
	y.want(rates, "194C", "tds", 0, "section")

	y.refused("file_gstr3b", `{"month":"2026-09"}`, "GSTR-1 of September 2026 is to be filed first")
	y.refused("file_gstr1", `{"month":"2026-11"}`, "not over")
	y.want(y.use("file_gstr1", `{"month":"2026-09"}`), 4250.5, "filing", "figures", "taxable")
	y.refused("update_invoice", `{"number":"INV-1","notes":"too late"}`, "locked")
	company := y.use("get_company", `{}`)
	y.want(company, "27AAACD1234K1Z8", "company", "gstin")
	y.want(company, "[map[month:2026-09 status:locked]]", "company", "closed_months")
	y.want(y.use("set_period_status", `{"month":"2026-09","status":"open"}`), "open", "period", "status")
	y.use("file_gstr3b", `{"month":"2026-09"}`)
	y.refused("set_period_status", `{"month":"2026-09","status":"open"}`, "filed")
	y.refused("void_invoice", `{"number":"INV-1","reason":"x"}`, "filed")
	due := y.use("get_compliance_calendar", `{"from":"2026-10-01","to":"2026-12-31","status":"filed"}`)
	y.want(due, "2026-10-11", "due_dates", 0, "due")
	y.want(due, "2026-10-20", "due_dates", 1, "due")
	late := y.use("get_compliance_calendar", `{"from":"2026-11-01","to":"2026-11-30"}`)
	y.want(late, "TDS", "due_dates", 0, "form")
	y.want(late, "2026-11-07", "due_dates", 0, "due")
	y.want(late, "overdue", "due_dates", 0, "status")

	made := y.use("generate_einvoice", `{"number":"INV-1"}`)
	y.want(y.use("generate_einvoice", `{"number":"INV/26-27/0001"}`), at(made, "einvoice", "irn"), "einvoice", "irn")
	y.refused("generate_einvoice", `{"number":"INV-2"}`, "GSTIN")
	y.want(y.use("cancel_einvoice", `{"number":"INV-1"}`), "cancelled", "einvoice", "status")
}

func (y *story) references() {
	args := `{"account":"Rent","amount":700,"description":"November","reference":"turn-7.2"}`
	first := y.use("create_expense", args)
	y.want(y.use("create_expense", args), at(first, "expense", "number"), "expense", "number")
	y.refused("create_expense", strings.Replace(args, "700", "701", 1), "something else")
	y.refused("update_vendor", `{"vendor":"V-0001","notes":"x","version":1}`, "version")
	found := y.use("find_by_reference", `{"reference":"turn-7.2"}`)
	y.want(found, "create_expense", "tool")
	y.want(found, at(first, "expense", "number"), "result", "expense", "number")
	y.want(found, at(first, "expense", "number"), "number")
	y.want(y.use("find_by_reference", `{"reference":"turn-7.3"}`), "map[found:false reference:turn-7.3]")
	if n := y.scalar(y.t, "select count(*)::text from ledger.expenses where company_id = $1 and description = "+
		"'November'",
		y.first); n != "1" {
		y.t.Errorf("%s expenses were recorded with one reference", n)
	}
}

// S2-45
func TestRoles(t *testing.T) {
	b := newBooks(t)
	viewer, accountant := b.session(t, server.JSONPath, viewerToken), b.session(t, server.JSONPath, accountantToken)
	if _, said := try(t, viewer, "create_customer", `{"name":"X"}`); !strings.Contains(said, "viewer") {
		t.Errorf("a viewer may write: %q", said)
	}
	use(t, viewer, "get_all_customers", `{}`)
	use(t, accountant, "create_customer", `{"name":"X"}`)
	if _, said := try(t, accountant, "file_gstr1", `{"month":"2026-09"}`); !strings.Contains(said, "owner") {
		t.Errorf("an accountant may file: %q", said)
	}
}
