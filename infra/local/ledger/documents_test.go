package ledger_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

// trading is a company with a customer at home, one in Gujarat, one abroad, and a
// vendor with and one without a GSTIN.
func trading(t testing.TB, l *ledger.Ledger) (id string) {
	t.Helper()
	id = company(t, l)
	var got string
	for _, contact := range []struct{ kind, object string }{
		{"customer", `{"name":"Home Stores","state":"Maharashtra"}`},
		{"customer", `{"name":"Gujarat Mart","state":"24","terms_days":15}`},
		{"customer", `{"name":"Overseas Inc","state":"96"}`},
		{"vendor", `{"name":"Steel Works","gstin":"27AAPFU0939F1ZV"}`},
		{"vendor", `{"name":"Village Potter","msme":true,"terms_days":90}`},
	} {
		call(t, l, &got, `select ledger.create_contact($1, $2, $3)->>'code'`, id, contact.kind, contact.object)
	}
	return id
}

func TestTaxFollowsThePlaceOfSupply(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	tests := map[string]struct{ create, object, want string }{
		"at home": {"invoice", `{"customer":"C-0001","date":"2026-04-10","lines":[
			{"description":"a","hsn_sac":"7323","quantity":3,"rate":33.35,"gst_rate":5}]}`,
			"INV/26-27/0001 intra 100.05 2.50 2.50 0.00 -0.05 105.00 0.00 105.00 2026-05-10"},
		"to another state": {"invoice", `{"customer":"gujarat","date":"2026-04-10","lines":[
			{"description":"a","quantity":3,"rate":33.35,"gst_rate":5,"discount_percent":10}]}`,
			"INV/26-27/0002 inter 90.05 0.00 0.00 4.50 0.45 95.00 0.00 95.00 2026-04-25"},
		"delivered elsewhere": {"invoice", `{"customer":"Home Stores","date":"2026-04-10","place_of_supply":"Goa",
			"lines":[{"description":"a","rate":100}]}`,
			"INV/26-27/0003 inter 100.00 0.00 0.00 18.00 0.00 118.00 0.00 118.00 2026-05-10"},
		"abroad": {"invoice", `{"customer":"C-0003","date":"2026-04-10","lines":[{"description":"a","rate":100}]}`,
			"INV/26-27/0004 export 100.00 0.00 0.00 0.00 0.00 100.00 0.00 100.00 2026-05-10"},
		"before the reform": {"invoice", `{"customer":"C-0001","date":"2025-09-21","lines":[
			{"description":"a","rate":100,"gst_rate":28}]}`,
			"INV/25-26/0001 intra 100.00 14.00 14.00 0.00 0.00 128.00 0.00 128.00 2025-10-21"},
		"with tax deducted": {"bill", `{"vendor":"V-0001","date":"2026-04-10","vendor_number":"SW-1",
			"tds_section":"194j",
			"lines":[{"description":"a","hsn_sac":"9982","rate":10005}]}`,
			"BILL/26-27/0001 intra 10005.00 900.45 900.45 0.00 0.10 11806.00 1001.00 10805.00 2026-05-10"},
		"of a small vendor": {"bill", `{"vendor":"V-0002","date":"2026-04-10","lines":[{"description":"a",
			"rate":500}]}`,
			"BILL/26-27/0002 intra 500.00 0.00 0.00 0.00 0.00 500.00 0.00 500.00 2026-05-25"},
		"on reverse charge": {"bill", `{"vendor":"V-0002","date":"2026-04-10","reverse_charge":true,"lines":[
			{"description":"a","rate":500,"gst_rate":5}]}`,
			"BILL/26-27/0003 intra 500.00 12.50 12.50 0.00 0.00 500.00 0.00 500.00 2026-05-25"},
	}
	for _, name := range []string{"at home", "to another state", "delivered elsewhere", "abroad", "before the reform",
		"with tax deducted", "of a small vendor", "on reverse charge"} {
		var got string
		call(t, l, &got, `select concat_ws(' ', d->>'number', d->>'supply', d->>'taxable', d->>'cgst', d->>'sgst',
			d->>'igst', d->>'round_off', d->>'total', d->>'tds', d->>'due_amount', d->>'due_date')
			from ledger.create_document($1, $2, $3) d`, id, tests[name].create, tests[name].object)
		if got != tests[name].want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, tests[name].want)
		}
	}
	for name, test := range map[string]struct{ create, object, code string }{
		"12 % today": {"invoice", `{"customer":"C-0001","date":"2025-09-22","lines":[
			{"description":"a","rate":100,"gst_rate":12}]}`, ledger.Invalid},
		"40 % too early": {"invoice", `{"customer":"C-0001","date":"2025-09-21","lines":[
			{"description":"a","rate":100,"gst_rate":40}]}`, ledger.Invalid},
		"tax of an unregistered vendor": {"bill", `{"vendor":"V-0002","lines":[
			{"description":"a","rate":100,"gst_rate":18}]}`, ledger.Invalid},
		"the same bill again": {"bill", `{"vendor":"V-0001","vendor_number":"sw 1","lines":[
			{"description":"a","rate":100}]}`, ledger.Conflict},
		"no customer": {"invoice", `{"lines":[{"description":"a","rate":100}]}`, ledger.Invalid},
		"unknown customer": {"invoice", `{"customer":"C-0009","lines":[{"description":"a","rate":100}]}`,
			ledger.NotFound},
		"no lines": {"invoice", `{"customer":"C-0001"}`, ledger.Invalid},
		"no rate":  {"invoice", `{"customer":"C-0001","lines":[{"description":"a"}]}`, ledger.Invalid},
		"due before its date": {"invoice", `{"customer":"C-0001","date":"2026-04-02","due_date":"2026-04-01","lines":[
			{"description":"a","rate":1}]}`, ledger.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			refused(t, try(l, &got, `select ledger.create_document($1, $2, $3)->>'number'`, id, test.create,
				test.object), test.code)
		})
	}
}

func TestPaymentsNotesAndAdvances(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var got string
	document := `select concat_ws(' ', d->>'number', d->>'settled', d->>'balance', d->>'state') from `
	run := func(want, sql string, args ...any) {
		t.Helper()
		call(t, l, &got, sql, append([]any{id}, args...)...)
		if got != want {
			t.Errorf("%s %v:\ngot  %s\nwant %s", sql, args, got, want)
		}
	}
	invoice := func(want, date, rate string) {
		t.Helper()
		run(want, document+`ledger.create_invoice($1, $2) d`,
			`{"customer":"C-0001","date":"`+date+`","reference":"`+date+`","lines":[{"description":"a",
				"rate":`+rate+`}]}`)
	}
	pay := `select concat_ws(' ', d->>'number', d->>'applied', d->>'unapplied', d->>'allocations') from `
	invoice("INV/26-27/0001 0.00 1180.00 overdue", "2026-04-01", "1000")
	invoice("INV/26-27/0001 0.00 1180.00 overdue", "2026-04-01", "1000") // the reference writes once
	invoice("INV/26-27/0002 0.00 2360.00 overdue", "2026-05-01", "2000")
	invoice("INV/26-27/0003 0.00 3540.00 unpaid", "2026-11-20", "3000")
	// A receipt settles what is due first; a part, with tax deducted by the customer.
	run(`RCT/26-27/0001 1380.00 0.00 [{"date": "2026-06-01", "amount": 1180.00, "document": "INV/26-27/0001"}, `+
		`{"date": "2026-06-01", "amount": 200.00, "document": "INV/26-27/0002"}]`, pay+`ledger.create_payment($1,
			$2) d`,
		`{"contact":"C-0001","date":"2026-06-01","amount":1280,"tds":100}`)
	run("INV/26-27/0001 1180.00 0.00 paid", document+`ledger.document($1, ledger.find_document($1, 'invoice',
		'inv-1')) d`)
	run("INV/26-27/0002 200.00 2160.00 overdue", document+`ledger.document($1, ledger.find_document($1, null,
		'INV 26-27 0002')) d`)
	// An advance waits for an invoice of a later day.
	run(`RCT/26-27/0002 1000.00 4000.00 [{"date": "2026-11-20", "amount": 1000.00, "document": "INV/26-27/0003"}]`,
		pay+`ledger.create_payment($1, $2) d`, `{"contact":"C-0001","date":"2026-06-02","amount":5000,"allocations":[
		{"document":"INV/26-27/0003","amount":1000}]}`)
	run("INV/26-27/0003 3540.00 0.00 paid", document+`ledger.apply_advance($1, $2) d`,
		`{"payment":"RCT-2","document":"INV-3","date":"2026-11-21"}`)
	// A note takes back one of the lines, and settles what is open of its invoice.
	run("CN/26-27/0001 354.00 0.00 applied", document+`ledger.create_credit_note($1, $2) d`,
		`{"invoice":"INV-2","date":"2026-06-10","lines":[{"line":1,"rate":300}]}`)
	run("INV/26-27/0002 554.00 1806.00 overdue", document+`ledger.document($1, ledger.find_document($1, 'invoice',
		'inv-2')) d`)
	// Against a paid invoice it is an advance.
	run("CN/26-27/0002 0.00 1180.00 unapplied", document+`ledger.create_credit_note($1, $2) d`,
		`{"invoice":"INV-1","date":"2026-06-10","reason":"Returned"}`)
	run("INV/26-27/0002 1734.00 626.00 overdue", document+`ledger.apply_advance($1, $2) d`,
		`{"note":"CN-2","document":"INV-2","date":"2026-06-11"}`)
	balance := `select string_agg(role || ' ' || (select sum(amount) from ledger.journal_lines l
		where l.account_id = a.id), ', '
		order by code) from ledger.accounts a where company_id = $1 and role in ('bank', 'receivable',
			'customer_advance')`
	run("bank 6280.00, receivable 626.00, customer_advance -1460.00", balance)

	for name, test := range map[string]struct{ sql, arg, code string }{
		"more than is open": {`ledger.create_payment($1, $2)`, `{"amount":900,"allocations":[
			{"document":"INV-2","amount":700}]}`, ledger.Invalid},
		"more than is paid": {`ledger.create_payment($1, $2)`, `{"amount":100,"allocations":[
			{"document":"INV-2","amount":101}]}`, ledger.Invalid},
		"a paid invoice": {`ledger.create_payment($1, $2)`, `{"amount":1,
			"allocations":[{"document":"INV-1"}]}`, ledger.Conflict},
		"of another customer": {`ledger.create_payment($1, $2)`, `{"contact":"C-0002","amount":1,
			"allocations":[{"document":"INV-2"}]}`, ledger.Invalid},
		"nothing": {`ledger.create_payment($1, $2)`, `{"contact":"C-0002","amount":0}`, ledger.Invalid},
		"from sales": {`ledger.create_payment($1, $2)`, `{"contact":"C-0002","amount":1,
			"account":"sales"}`, ledger.Invalid},
		"a note over the whole": {`ledger.create_credit_note($1, $2)`, `{"invoice":"INV-2"}`, ledger.Invalid},
		"a note before its day": {`ledger.create_credit_note($1, $2)`, `{"invoice":"INV-3","date":"2026-11-01"}`,
			ledger.Invalid},
		"void a settled invoice": {`ledger.void_document($1, ledger.find_document($1, 'invoice', $2), '')`, `INV-3`,
			ledger.Conflict},
		"void a noted invoice": {`ledger.void_document($1, ledger.find_document($1, 'invoice', $2), '')`, `INV-2`,
			ledger.Conflict},
		"void an applied note": {`ledger.void_document($1, ledger.find_document($1, null, $2), '')`, `CN-2`,
			ledger.Conflict},
		"less than was paid": {`ledger.update_document($1, ledger.find_document($1, 'invoice', 'INV-3'), $2)`,
			`{"lines":[{"description":"b","rate":1000}]}`, ledger.Conflict},
		"another customer's": {`ledger.update_document($1, ledger.find_document($1, 'invoice', 'INV-3'), $2)`,
			`{"customer":"C-0002"}`, ledger.Conflict},
		"of a year ago": {`ledger.update_document($1, ledger.find_document($1, 'invoice', 'INV-3'), $2)`,
			`{"date":"2026-03-31"}`, ledger.Invalid},
		"an old version": {`ledger.update_document($1, ledger.find_document($1, 'invoice', 'INV-3'), $2)`,
			`{"version":9}`, ledger.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, try(l, &got, `select (`+test.sql+`)->>'number'`, id, test.arg), test.code)
		})
	}
	// Taking back the receipt opens what it settled.
	run("RCT/26-27/0002 0.00 0.00 []", pay+`ledger.void_payment($1, ledger.find_payment($1, 'RCT-2'), 'bounced') d`)
	run("INV/26-27/0003 0.00 3540.00 unpaid", document+`ledger.document($1, ledger.find_document($1, 'invoice',
		'INV-3')) d`)
	run("INV/26-27/0003 0.00 4720.00 unpaid", document+`ledger.update_document($1, ledger.find_document($1, 'invoice',
		'INV-3'), $2) d`,
		`{"lines":[{"description":"b","rate":4000}],"version":1}`)
	run("INV/26-27/0003 0.00 0.00 void", document+`ledger.void_document($1, ledger.find_document($1, 'invoice',
		'INV-3'), 'entered twice') d`)
	run(`RCT/26-27/0001 600.00 0.00 [{"date": "2026-06-01", "amount": 600.00, "document": "INV/26-27/0001"}]`,
		pay+`ledger.update_payment($1, ledger.find_payment($1, 'RCT-1'), '{"amount":500}') d`)
	run("bank 500.00, receivable 1406.00, customer_advance 0.00", balance)
}

// Requests at once: a reference writes once, an invoice is paid once.
func TestConcurrentWrites(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var numbers, paid sync.Map
	together := func(work func(n int)) {
		var group sync.WaitGroup
		for n := range 8 {
			group.Go(func() { work(n) })
		}
		group.Wait()
	}
	together(func(int) {
		var got string
		err := try(l, &got, `select ledger.create_invoice($1, $2)->>'number'`, id, `{"customer":"C-0001",
			"date":"2026-04-01","reference":"turn-1","lines":[{"description":"a","rate":1000}]}`)
		numbers.Store(got, err)
	})
	numbers.Range(func(number, err any) bool {
		if number != "INV/26-27/0001" || err != nil {
			t.Errorf("%v: %v", number, err)
		}
		return true
	})
	together(func(int) {
		var got string
		err := try(l, &got, `select ledger.create_payment($1, $2)->>'number'`, id,
			`{"amount":1180,"date":"2026-04-02","allocations":[{"document":"INV-1","amount":1180}]}`)
		if e, ok := errors.AsType[*ledger.Error](err); !ok || e.Code != ledger.Conflict {
			paid.Store(got, err)
		}
	})
	paid.Range(func(number, err any) bool {
		if number != "RCT/26-27/0001" || err != nil {
			t.Errorf("%v: %v", number, err)
		}
		return true
	})
	var got string
	call(t, l, &got, `select concat_ws(' ', (select count(*) from ledger.payments), (select settled
		from ledger.documents),
		ledger.written($1, 'turn-1')->>'kind', ledger.written($1, 'turn-1')->>'created_by',
		ledger.written($1, 'turn-2')->>'kind')`, id)
	if got != "1 1180.00 invoice asha" {
		t.Error(got)
	}
	tie(t, l, id, "2026-04-30")
}
