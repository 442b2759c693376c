package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// company makes a company in Maharashtra and returns its id.
func company(t testing.TB, l *ledger.Ledger) (id string) {
	t.Helper()
	call(t, l, &id, `select ledger.create_company('{"code":"deccan","name":"Deccan Test Traders","state":"27",
		"gstin":"27AAACD1234K1Z8","books_begin":"2025-04-01"}')::text`)
	return id
}

// call runs one statement as a user and scans its single value.
func call(t testing.TB, l *ledger.Ledger, to any, sql string, args ...any) {
	t.Helper()
	if err := try(l, to, sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func try(l *ledger.Ledger, to any, sql string, args ...any) error {
	return l.Tx(context.Background(), "asha", func(tx pgx.Tx) error {
		return tx.QueryRow(context.Background(), sql, args...).Scan(to)
	})
}

// refused demands a refusal with a code.
func refused(t testing.TB, err error, code string) {
	t.Helper()
	if e, ok := errors.AsType[*ledger.Error](err); !ok || e.Code != code || e.Sentence == "" {
		t.Fatalf("error %v, want %s with a sentence", err, code)
	}
}

func TestJournalsBalance(t *testing.T) {
	l := ledgertest.Empty(t)
	id := company(t, l)
	var got string
	post := `select ledger.create_journal($1, $2)->>'number'`
	call(t, l, &got, post, id, `{"date":"2026-04-02","narration":"Capital","reference":"r1","lines":[
		{"account":"bank","debit":100000},{"account":"capital","credit":100000}]}`)
	if got != "JV/26-27/0001" {
		t.Fatal(got)
	}
	// The same reference writes once.
	call(t, l, &got, post, id, `{"date":"2026-04-02","narration":"Capital","reference":"r1","lines":[
		{"account":"bank","debit":100000},{"account":"capital","credit":100000}]}`)
	if got != "JV/26-27/0001" {
		t.Fatal(got)
	}
	tests := map[string]struct{ sql, arg, code string }{
		"does not balance": {post, `{"narration":"x","lines":[{"account":"bank","debit":5},{"account":"capital",
			"credit":4}]}`,
			ledger.Invalid},
		"has one line": {post, `{"narration":"x","lines":[{"account":"bank","debit":5}]}`, ledger.Invalid},
		"has an odd amount": {post, `{"narration":"x","lines":[{"account":"bank","debit":"5.001"}]}`,
			ledger.Invalid},
		"has no such account": {post, `{"narration":"x","lines":[{"account":"gold","debit":5}]}`, ledger.NotFound},
		"has no such day":     {post, `{"date":"2026-02-30","narration":"x","lines":[]}`, ledger.Invalid},
		"precedes the books": {post, `{"date":"2025-03-31","narration":"x","lines":[{"account":"bank","debit":5},
			{"account":"capital","credit":5}]}`, ledger.Invalid},
		"uses a reference again": {post, `{"narration":"y","reference":"r1","lines":[]}`, ledger.Conflict},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { refused(t, try(l, &got, test.sql, id, test.arg), test.code) })
	}
	// Past the functions, the constraints hold.
	for name, sql := range map[string]string{
		"change a line": `update ledger.journal_lines set amount = amount * 2 returning 'x'`,
		"drop a line":   `delete from ledger.journal_lines returning 'x'`,
		"add a line": `insert into ledger.journal_lines (journal_id, line, company_id, date, account_id, amount)
			select journal_id, 3, company_id, date, account_id, 5 from ledger.journal_lines limit 1 returning 'x'`,
		"a journal without lines": `insert into ledger.journals (company_id, date, number, source)
			select company_id, date, 'x', 'manual' from ledger.journals limit 1 returning 'x'`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := try(l, &got, sql); err == nil {
				t.Error("was allowed")
			}
		})
	}
	// Refused entries used no number.
	call(t, l, &got, post, id, `{"narration":"x","lines":[{"account":"bank","debit":5},{"account":"capital",
		"credit":5}]}`)
	if got != "JV/26-27/0002" {
		t.Fatal(got)
	}
}

func TestNumbersHaveNoGaps(t *testing.T) {
	l := ledgertest.Empty(t)
	id := company(t, l)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 10 {
				amount := 100 // every third one fails
				if n%3 == 2 {
					amount = 99
				}
				var got string
				_ = try(l, &got, `select ledger.create_journal($1, $2)->>'number'`, id, fmt.Sprintf(
					`{"date":"2026-0%d-05","narration":"n","lines":[{"account":"bank","debit":100},
					{"account":"capital","credit":%d}]}`, 1+i%8, amount))
			}
		})
	}
	group.Wait()
	var got string
	call(t, l, &got, `select string_agg(fy || ':' || n || ':' || first || ':' || last, ' ' order by fy) from (
		select ledger.fy_name(date) as fy, count(distinct number) as n, min(number) as first, max(number) as last
		from ledger.journals group by 1) x`)
	if got != "2025-26:21:JV/25-26/0001:JV/25-26/0021 2026-27:35:JV/26-27/0001:JV/26-27/0035" {
		t.Error(got)
	}
}

func TestClosedPeriodsTakeNothing(t *testing.T) {
	l := ledgertest.Empty(t)
	id := company(t, l)
	var got, number string
	post := `select ledger.create_journal($1, $2)->>'id'`
	entry := `{"date":"2026-05-31","narration":"x","lines":[{"account":"bank","debit":5},{"account":"capital",
		"credit":5}]}`
	call(t, l, &got, post, id, entry)
	call(t, l, &number, `select ledger.set_period($1, '2026-05-10', 'locked')->>'status'`, id)
	refused(t, try(l, &number, post, id, entry), ledger.Closed)
	refused(t, try(l, &number, `select ledger.delete_journal($1, $2)->>'id'`, id, got), ledger.Closed)
	call(t, l, &number, `select ledger.set_period($1, '2026-05-10', 'open')->>'status'`, id)
	call(t, l, &number, `select ledger.delete_journal($1, $2)->>'status'`, id, got)
	if number != "reversed" {
		t.Error(number)
	}
	call(t, l, &number, `select ledger.set_period($1, '2026-05-10', 'filed')->>'status'`, id)
	refused(t, try(l, &number, post, id, entry), ledger.Closed)
	refused(t, try(l, &number, `select ledger.set_period($1, '2026-05-10', 'open')->>'status'`, id), ledger.Closed)
}

func TestGSTIN(t *testing.T) {
	l := ledgertest.Empty(t)
	for gstin, want := range map[string]bool{
		"32AADCK5978M1Z0": true, "22AAAAA0000A1Z5": false, "29GGGGG1314R9Z6": false, "27AAPFU0939F1ZV": true,
	} {
		var got bool
		call(t, l, &got, `select ledger.gstin_valid($1)`, gstin)
		if got != want {
			t.Errorf("%s: %v", gstin, got)
		}
	}
}

func number(t testing.TB, text string) *big.Rat {
	t.Helper()
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return n
}
