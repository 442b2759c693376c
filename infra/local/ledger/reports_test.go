package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

// table is the rows of a query, one a line.
func table(t testing.TB, l *ledger.Ledger, sql string, args ...any) string {
	t.Helper()
	var all []string
	for _, row := range query(t, l, sql, args...) {
		all = append(all, strings.Join(row, " "))
	}
	return strings.Join(all, "\n")
}

func same(t testing.TB, what, got, want string) {
	t.Helper()
	want = strings.ReplaceAll(strings.TrimSpace(want), "\n\t\t", "\n")
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// S2-47: overdue begins the day after the due date.
func TestAgeingCountsFromTheDueDate(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var got string
	for i, due := range []string{"2026-11-22", "2026-11-21", "2026-10-23", "2026-10-22", "2026-09-23", "2026-09-22",
		"2026-08-24", "2026-08-23"} {
		call(t, l, &got, `select ledger.create_invoice($1, $2)->>'number'`, id, fmt.Sprintf(`{"customer":"C-0001",
			"date":"2026-08-01","due_date":"%s","lines":[{"description":"a","rate":%d,"gst_rate":0}]}`, due, 1<<i))
	}
	same(t, "buckets", table(t, l, `select number, bucket, days_overdue::text from ledger.aged_items($1, 'receivable',
		'2026-11-22') order by number`, id), `INV/26-27/0001 not_due 0
		INV/26-27/0002 1-30 1
		INV/26-27/0003 1-30 30
		INV/26-27/0004 31-60 31
		INV/26-27/0005 31-60 60
		INV/26-27/0006 61-90 61
		INV/26-27/0007 61-90 90
		INV/26-27/0008 90+ 91`)
	row := `select contact_code, not_due::text, days_1_30::text, days_31_60::text, days_61_90::text,
		days_over_90::text,
		overdue::text, total::text, oldest_due::text from ledger.aged($1, 'receivable', $2)`
	same(t, "a customer", table(t, l, row, id, "2026-11-22"),
		"C-0001 1.00 6.00 24.00 96.00 128.00 254.00 255.00 2026-08-23")
	// A report of a day knows nothing of what was paid later.
	call(t, l, &got, `select ledger.create_payment($1,
		'{"contact":"C-0001","date":"2026-11-22","amount":128}')->>'number'`, id)
	same(t, "after a payment", table(t, l, row, id, "2026-11-22"),
		"C-0001 1.00 6.00 24.00 96.00 0.00 126.00 127.00 2026-08-24")
	same(t, "the day before", table(t, l, row, id, "2026-11-21"),
		"C-0001 3.00 12.00 48.00 192.00 0.00 252.00 255.00 2026-08-23")
}

// What is wrong in a filed month is corrected in an open one.
func TestFiledMonthIsCorrectedByNote(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var got string
	call(t, l, &got, `select ledger.create_invoice($1, '{"customer":"C-0001","date":"2026-05-04","lines":[
		{"description":"a","rate":1000}]}')->>'number'`, id)
	call(t, l, &got, `select ledger.set_period($1, '2026-05-01', 'filed')->>'status'`, id)
	for _, sql := range []string{
		`ledger.void_document($1, ledger.find_document($1, 'invoice', 'INV-1'), 'wrong')`,
		`ledger.update_document($1, ledger.find_document($1, 'invoice', 'INV-1'), '{"notes":"x"}')`,
		`ledger.create_invoice($1, '{"customer":"C-0001","date":"2026-05-31",
			"lines":[{"description":"a","rate":1}]}')`,
		`ledger.create_payment($1, '{"contact":"C-0001","date":"2026-05-31","amount":5}')`,
	} {
		refused(t, try(l, &got, "select ("+sql+")->>'number'", id), ledger.Closed)
	}
	call(t, l, &got, `select ledger.create_credit_note($1, '{"invoice":"INV-1","date":"2026-06-02","lines":[
		{"line":1,"rate":400}]}')->>'total'`, id)
	call(t, l, &got, `select ledger.create_payment($1,
		'{"contact":"C-0001","date":"2026-06-03","amount":708}')->>'unapplied'`,
		id)
	same(t, "left over", got, "0.00")
	same(t, "GSTR-1 of both months", table(t, l, `select m, section, taxable::text, cgst::text
		from (values ('2026-05'),
			('2026-06')) x (m), ledger.gstr1($1, (m || '-01')::date, (m || '-28')::date) order by m`, id),
		"2026-05 b2cs 1000.00 90.00\n2026-06 b2cs -400.00 -36.00")
}

// S2-46: the returns of GST.
func TestReturns(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var got string
	call(t, l, &got, `select ledger.create_contact($1, 'customer', '{"name":"Registered","gstin":"29AAPFU0939F1ZR"}')
		->>'state_code'`, id)
	for _, create := range []string{
		`invoice($1, '{"customer":"Registered","date":"2026-06-01",
			"lines":[{"description":"a","hsn_sac":"7323","rate":1000,
			"gst_rate":5},{"description":"b","hsn_sac":"8509","rate":500,"gst_rate":18}]}')`,
		`invoice($1, '{"customer":"C-0002","date":"2026-06-02",
			"lines":[{"description":"a","rate":100000,"gst_rate":18}]}')`,
		`invoice($1, '{"customer":"C-0002","date":"2026-06-03",
			"lines":[{"description":"a","rate":1000,"gst_rate":18}]}')`,
		`invoice($1, '{"customer":"C-0001","date":"2026-06-04",
			"lines":[{"description":"a","rate":2000,"gst_rate":0}]}')`,
		`invoice($1, '{"customer":"C-0003","date":"2026-06-05","lines":[{"description":"a","rate":7000}]}')`,
		`credit_note($1, '{"invoice":"INV-1","date":"2026-06-10","lines":[{"line":2}]}')`,
		`credit_note($1, '{"invoice":"INV-2","date":"2026-06-11","lines":[{"line":1,"rate":1000}]}')`,
		`bill($1, '{"vendor":"V-0001","date":"2026-06-06","lines":[{"description":"a","rate":40000,"gst_rate":18},
			{"description":"b","rate":1000,"gst_rate":18,"itc":false}]}')`,
		`bill($1, '{"vendor":"V-0002","date":"2026-06-07","reverse_charge":true,
			"lines":[{"description":"a","rate":3000,
			"gst_rate":5}]}')`,
	} {
		call(t, l, &got, "select ledger.create_"+create+"->>'number'", id)
	}
	same(t, "GSTR-1", table(t, l, `select section, number, rate::text, taxable::text, igst::text, cgst::text
		from ledger.gstr1($1, '2026-06-01', '2026-06-30')`, id), `b2b INV/26-27/0001 5.00 1000.00 50.00 0.00
		b2b INV/26-27/0001 18.00 500.00 90.00 0.00
		b2cl INV/26-27/0002 18.00 100000.00 18000.00 0.00
		b2cs INV/26-27/0003 18.00 1000.00 180.00 0.00
		b2cs INV/26-27/0004 0.00 2000.00 0.00 0.00
		exp INV/26-27/0005 18.00 7000.00 0.00 0.00
		cdnr CN/26-27/0001 18.00 -500.00 -90.00 0.00
		cdnur CN/26-27/0002 18.00 -1000.00 -180.00 0.00`)
	same(t, "GSTR-3B", table(t, l, `select line, coalesce(taxable::text, ''), igst::text, cgst::text, sgst::text
		from ledger.gstr3b($1, '2026-06-01', '2026-06-30')`, id), `3.1(a) 101000.00 18050.00 0.00 0.00
		3.1(b) 7000.00 0.00 0.00 0.00
		3.1(c) 2000.00 0.00 0.00 0.00
		3.1(d) 3000.00 0.00 75.00 75.00
		4(A)(3) 3000.00 0.00 75.00 75.00
		4(A)(5) 41000.00 0.00 3690.00 3690.00
		4(B)(1) 1000.00 0.00 90.00 90.00
		4(C) 0.00 0.00 3675.00 3675.00`)
	same(t, "summary", table(t, l, `select head, output::text, reverse_charge::text, credit::text, net::text
		from ledger.gst_summary($1, '2026-06-01', '2026-06-30')`, id), `igst 18050.00 0.00 0.00 18050.00
		cgst 0.00 75.00 3675.00 -3600.00
		sgst 0.00 75.00 3675.00 -3600.00`)
	// Credit of CGST and SGST pays IGST; the tax on reverse charge is paid in cash.
	same(t, "set-off", table(t, l, `select head, liability::text, from_igst::text, from_cgst::text, from_sgst::text,
		cash::text from ledger.gst_setoff($1, '2026-06-30')`, id), `igst 18050.00 0.00 3675.00 3675.00 10700.00
		cgst 0.00 0.00 0.00 0.00 0.00
		sgst 0.00 0.00 0.00 0.00 0.00
		reverse_charge 150.00 0.00 0.00 0.00 150.00`)
	call(t, l, &got, `select ledger.account_balance($1, 'bank', '2026-07-20')::text from ledger.pay_gst($1,
		'2026-06-15',
		'2026-07-20')`, id)
	tie(t, l, id, "2026-06-30", "2026-07-20")
	same(t, "paid", table(t, l, `select a.role, ledger.account_balance($1, a.role, '2026-07-20')::text
		from ledger.accounts a
		where company_id = $1 and (role like 'output%' or role like 'input%' or role in ('reverse_charge', 'bank'))
		order by code`, id), `bank -10850.00
		input_cgst 0.00
		input_sgst 0.00
		input_igst 0.00
		output_cgst 0.00
		output_sgst 0.00
		output_igst 0.00
		reverse_charge 0.00`)
}

// S2-46: statements, comparisons and trends of books that can be added up by hand.
func TestStatements(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var got string
	entry := func(date, debit, credit string, amount int) {
		t.Helper()
		call(t, l, &got, `select ledger.create_journal($1, $2)->>'number'`, id, fmt.Sprintf(`{"date":"%s",
			"narration":"n",
			"lines":[{"account":"%s","debit":%d},{"account":"%s","credit":%[3]d}]}`, date, debit, amount, credit))
	}
	entry("2025-04-01", "bank", "capital", 50000)
	entry("2025-10-05", "bank", "sales", 1000)
	entry("2025-10-31", "rent", "bank", 300)
	entry("2026-09-10", "bank", "sales", 4000)
	entry("2026-09-30", "purchases", "bank", 2500)
	entry("2026-10-10", "bank", "services", 6000)
	entry("2026-10-20", "rent", "bank", 900)
	entry("2026-10-31", "equipment", "bank", 7000)
	entry("2026-10-31", "bank", "interest_income", 50)
	same(t, "profit and loss", table(t, l, `select section, code, amount::text
		from ledger.profit_loss($1, '2026-04-01', '2026-11-22')`, id), `revenue 4000 4000.00
		revenue 4010 6000.00
		cost_of_sales 5000 2500.00
		other_income 4900 50.00
		expenses 6100 900.00`)
	same(t, "balance sheet", table(t, l, `select section, code, name, amount::text
		from ledger.balance_sheet($1, '2026-10-31')`, id), `assets 1010 Current account 50350.00
		assets 1500 Computers and equipment 7000.00
		equity 3000 Share capital 50000.00
		equity 3100 Retained earnings 700.00
		equity  Profit for the year 2026-27 6650.00`)
	same(t, "trial balance", table(t, l, `select code, opening::text, debit::text, credit::text, closing::text
		from ledger.trial_balance($1, '2026-10-01', '2026-10-31')`, id), `1010 52200.00 6050.00 7900.00 50350.00
		1500 0.00 7000.00 0.00 7000.00
		3000 -50000.00 0.00 0.00 -50000.00
		3100 -700.00 0.00 0.00 -700.00
		4000 -4000.00 0.00 0.00 -4000.00
		4010 0.00 0.00 6000.00 -6000.00
		4900 0.00 0.00 50.00 -50.00
		5000 2500.00 0.00 0.00 2500.00
		6100 0.00 900.00 0.00 900.00`)
	same(t, "cash flow", table(t, l, `select activity, code, amount::text
		from ledger.cash_flow($1, '2026-10-01', '2026-10-31')`, id), `operating 4010 6000.00
		operating 4900 50.00
		operating 6100 -900.00
		investing 1500 -7000.00`)
	compared := func(mode string) string {
		return table(t, l, `select from_date::text, to_date::text, previous_from::text, previous_to::text,
			current::text,
			previous::text, change::text, coalesce(change_percent::text, 'none')
			from ledger.compare_periods($1, $2, '2026-10-31') where metric in ('revenue', 'net_profit')`, id, mode)
	}
	same(t, "month", compared("mom"), `2026-10-01 2026-10-31 2026-09-01 2026-09-30 6000.00 4000.00 2000.00 50.0
		2026-10-01 2026-10-31 2026-09-01 2026-09-30 5150.00 1500.00 3650.00 243.3`)
	same(t, "quarter", compared("qoq"), `2026-10-01 2026-10-31 2026-07-01 2026-07-31 6000.00 0.00 6000.00 none
		2026-10-01 2026-10-31 2026-07-01 2026-07-31 5150.00 0.00 5150.00 none`)
	same(t, "year", compared("yoy"), `2026-04-01 2026-10-31 2025-04-01 2025-10-31 10000.00 1000.00 9000.00 900.0
		2026-04-01 2026-10-31 2025-04-01 2025-10-31 6650.00 700.00 5950.00 850.0`)
	same(t, "trend", table(t, l, `select month::text, amount::text, coalesce(change_percent::text, 'none')
		from ledger.trend($1, 'revenue', 3, '2026-11-22')`, id), `2026-08-01 0.00 none
		2026-09-01 4000.00 none
		2026-10-01 6000.00 50.0`)
	same(t, "key figures", table(t, l, `select k->>'revenue', k->>'net_profit', k->>'cash', k->>'receivables',
		k->>'gross_margin_percent', coalesce(k->>'runway_months', 'none') from ledger.kpis($1, '2026-10-01',
			'2026-10-31') k`,
		id), "6000.00 5150.00 50350.00 0.00 100.0 none")
	for _, sql := range []string{`ledger.compare_periods($1, 'decade', '2026-10-31')`, `ledger.trend($1, 'luck', 3,
		'2026-10-31')`,
		`ledger.trend($1, 'revenue', 0, '2026-10-31')`, `ledger.revenue_breakdown($1, '2026-10-01', '2026-10-31',
			'mood')`} {
		refused(t, try(l, &got, `select count(*)::text from `+sql, id), ledger.Invalid)
	}
	tie(t, l, id, "2026-03-31", "2026-10-31")
}
