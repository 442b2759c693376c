package ledger_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

// books does random things to a company, valid or not.
type books struct {
	*rand.Rand
	t       testing.TB
	l       *ledger.Ledger
	company string
	done    map[string]int
}

func (b *books) pick(words ...string) string { return words[b.IntN(len(words))] }

// day is one of the financial years 2025-26 and 2026-27 up to today.
func (b *books) day() string {
	return time.Date(2025, time.April, 1+b.IntN(600), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// some is an amount with paise that often makes halves when it is taxed.
func (b *books) some() string { return fmt.Sprintf("%d.%02d", 1+b.IntN(40000), b.IntN(100)) }

func (b *books) lines() (lines []map[string]any) {
	for range 1 + b.IntN(3) {
		line := map[string]any{"description": "thing", "quantity": 1 + b.IntN(9), "rate": b.some(),
			"gst_rate": []float64{0, 0.25, 3, 5, 12, 18, 28, 40}[b.IntN(8)], "hsn_sac": b.pick("7323", "9983", "8509")}
		if b.IntN(4) == 0 {
			line["discount_percent"] = 7.5
		}
		if b.IntN(5) == 0 {
			line["itc"] = false
		}
		lines = append(lines, line)
	}
	return lines
}

// try runs one operation, which the books may refuse, and counts what was done.
func (b *books) try(what, sql string, args ...any) {
	b.t.Helper()
	for i, arg := range args {
		if o, ok := arg.(map[string]any); ok {
			text, err := json.Marshal(o)
			if err != nil {
				b.t.Error(err)
				return
			}
			args[i] = string(text)
		}
	}
	var got *string
	err := try(b.l, &got, "select ("+sql+")::text", append([]any{b.company}, args...)...)
	_, refused := errors.AsType[*ledger.Error](err)
	switch {
	case err == nil:
		b.done[what]++
	case refused:
		b.done["refused"]++
	default:
		b.t.Errorf("%s %v: %v", what, args, err)
	}
}

// one is SQL for the id of one of the rows of a table, by chance.
func (b *books) one(table, where string) string {
	return fmt.Sprintf(`(select id from ledger.%s where company_id = $1 and %s order by md5(id::text
		|| '%d') limit 1)`,
		table, where, b.IntN(1e6))
}

func (b *books) step() {
	side := b.IntN(2)
	contact := fmt.Sprintf([]string{"C-%04d", "V-%04d"}[side], 1+b.IntN(3-side))
	kind := []string{"invoice", "bill"}[side]
	switch n := b.IntN(100); {
	case n < 38:
		o := map[string]any{[]string{"customer", "vendor"}[side]: contact, "date": b.day(), "lines": b.lines()}
		if side == 1 && b.IntN(3) == 0 {
			o["tds_section"] = b.pick("194C", "194J", "194I")
		}
		if side == 1 && b.IntN(4) == 0 {
			o["reverse_charge"] = true
		}
		if side == 0 && b.IntN(4) == 0 {
			o["place_of_supply"] = b.pick("27", "24", "96", "29")
		}
		b.try(kind, "ledger.create_"+kind+"($1, $2)", o)
	case n < 62:
		o := map[string]any{"kind": []string{"receipt", "payment"}[side], "contact": contact, "date": b.day(),
			"amount": b.some(), "mode": b.pick("NEFT", "cash")}
		if side == 0 && b.IntN(3) == 0 {
			o["tds"] = b.IntN(500)
		}
		if b.IntN(4) == 0 {
			o["allocations"] = []any{}
		}
		b.try("payment", "ledger.create_payment($1, $2)", o)
	case n < 70:
		b.try("note", `ledger.create_`+[]string{"credit", "debit"}[side]+`_note($1, jsonb_build_object('`+kind+
			`', (select number from ledger.documents where id = `+b.one("documents", "kind = '"+kind+"'")+`),
			'date', $2::text, 'lines', jsonb_build_array(jsonb_build_object('line', 1, 'rate', $3::numeric))))`,
			b.day(), b.some())
	case n < 78:
		from := b.pick("payment", "note")
		table := map[string]string{"payment": "payments", "note": "documents"}[from]
		where := map[string]string{"payment": "applied < amount + tds",
			"note": "kind like '%note' and settled < due_amount"}[from]
		b.try("advance", `(select ledger.apply_advance($1, jsonb_build_object('`+from+`', x.number, 'date', $2::text,
			'document', (select number from ledger.documents where id = `+b.one("documents",
			"contact_id = x.contact_id and kind in ('invoice', 'bill') and settled < due_amount")+`)))
			from ledger.`+table+` x where id = `+b.one(table, where)+`)`, b.day())
	case n < 84:
		b.try("update", "ledger.update_document($1, "+b.one("documents", "status = 'posted'")+", $2)",
			map[string]any{"lines": b.lines(), "date": b.day()})
	case n < 88:
		b.try("void", "ledger.void_document($1, "+b.one("documents", "status = 'posted'")+", 'mistake')")
	case n < 91:
		b.try("update payment", "ledger.update_payment($1, "+b.one("payments", "status = 'posted'")+", $2)",
			map[string]any{"amount": b.some()})
	case n < 93:
		b.try("void payment", "ledger.void_payment($1, "+b.one("payments", "status = 'posted'")+", 'mistake')")
	case n < 97:
		amount := b.some()
		b.try("journal", "ledger.create_journal($1, $2)", map[string]any{"date": b.day(), "narration": "entry",
			"lines": []any{
				map[string]any{"account": b.pick("rent", "salaries", "equipment", "loan"), "debit": amount},
				map[string]any{"account": b.pick("bank", "capital", "interest_income"), "credit": amount}}})
	case n < 98:
		b.try("delete journal", "ledger.delete_journal($1, "+b.one("journals", "source = 'manual'")+")")
	case n < 99:
		b.try("gst", "ledger.pay_gst($1, $2::date, $2::date + 50)", b.day())
	default:
		b.try("close", "ledger.set_period($1, $2::date, 'filed')", fmt.Sprintf("2025-%02d-01", 4+b.IntN(9)))
	}
}

// Whatever is done to the books, the figures that must be equal are.
func TestRandomBooksTie(t *testing.T) {
	l := ledgertest.Empty(t)
	b := &books{Rand: rand.New(rand.NewPCG(20, 26)), t: t, l: l, company: trading(t, l), done: map[string]int{}}
	for round := range 4 {
		for range 110 {
			b.step()
		}
		// Plans for the tables as they have grown.
		if _, err := l.Pool().Exec(context.Background(), "analyze"); err != nil {
			t.Fatal(err)
		}
		tie(t, l, b.company, b.day(), "2026-03-31", "2026-11-22")
		if t.Failed() {
			t.Fatalf("after round %d", round)
		}
	}
	for _, what := range []string{"invoice", "bill", "payment", "note", "advance", "update", "void", "update payment",
		"void payment", "journal", "refused"} {
		if b.done[what] == 0 {
			t.Errorf("the books never had: %s (%v)", what, b.done)
		}
	}
	noGaps(t, l)
	t.Run("hledger", func(t *testing.T) { hledger(t, l, b.company) })
}

// noGaps demands that the numbers of each kind and year count from 1.
func noGaps(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	for _, row := range query(t, l, `select kind, fy, count(*)::text, max(n)::text from (
			select kind, ledger.fy_name(date) as fy, split_part(number, '/', 3)::int as n from ledger.documents
			union all select kind, ledger.fy_name(date), split_part(number, '/', 3)::int from ledger.payments) x
		group by 1, 2`) {
		if row[2] != row[3] {
			t.Errorf("%s of %s: %s numbers up to %s", row[0], row[1], row[2], row[3])
		}
	}
}

// The same with several people at work at once: nothing is lost, and no two
// operations wait for each other.
func TestConcurrentBooksTie(t *testing.T) {
	l := ledgertest.Empty(t)
	id := trading(t, l)
	var group sync.WaitGroup
	for worker := range uint64(4) {
		b := &books{Rand: rand.New(rand.NewPCG(4, worker)), t: t, l: l, company: id, done: map[string]int{}}
		group.Go(func() {
			for range 120 {
				b.step()
			}
		})
	}
	group.Wait()
	tie(t, l, id, "2025-12-31", "2026-03-31", "2026-11-22")
	noGaps(t, l)
}

// hledger compares balances, profit and balance sheet with those that another
// program computes from the same journals.
func hledger(t *testing.T, l *ledger.Ledger, company string) {
	program, err := exec.LookPath("hledger")
	if err != nil {
		t.Skip("hledger is not installed: apt-get install hledger")
	}
	file := filepath.Join(t.TempDir(), "books.journal")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := l.WriteJournal(context.Background(), out, company); err != nil {
		t.Fatal(err)
	}
	balances := func(args ...string) map[string]string {
		t.Helper()
		cmd := exec.Command(program, append([]string{"balance", "-f", file, "-O", "csv", "--flat", "--no-total"},
			args...)...)
		cmd.Env = append(os.Environ(), "LANG=C.UTF-8")
		var said strings.Builder
		cmd.Stderr = &said
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, said.String())
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, row := range rows[1:] {
			_, account, _ := strings.Cut(row[0], ":")
			code, _, _ := strings.Cut(account, " ")
			all[code] = strings.NewReplacer("INR ", "", ",", "").Replace(row[1])
		}
		return all
	}
	compare := func(what string, theirs map[string]string, ours [][]string) {
		t.Helper()
		if len(ours) < 5 || len(ours) != len(theirs) {
			t.Errorf("%s: %d accounts, hledger has %d", what, len(ours), len(theirs))
		}
		for _, row := range ours {
			if text, ok := theirs[row[0]]; !ok || number(t, text).Cmp(number(t, row[1])) != 0 {
				t.Errorf("%s: account %s has %s, hledger says %q", what, row[0], row[1], text)
			}
		}
	}
	// The first year: nothing is before it.
	compare("trial balance", balances("-e", "2026-04-01"), query(t, l,
		`select code, closing::text from ledger.trial_balance($1, '2025-04-01', '2026-03-31') where closing <> 0`,
		company))
	compare("profit and loss", balances("type:rx", "-b", "2026-04-01", "-e", "2026-11-01"), query(t, l,
		`select code, (case when section in ('revenue', 'other_income') then -amount else amount end)::text
		from ledger.profit_loss($1, '2026-04-01', '2026-10-31')`, company))
	compare("assets and liabilities", balances("type:al", "-e", "2026-11-01"), query(t, l,
		`select code, (case section when 'assets' then amount else -amount end)::text
		from ledger.balance_sheet($1, '2026-10-31') where section <> 'equity'`, company))
}

// The demo companies in hledger, and what it says of the whole journal.
func TestDemoJournal(t *testing.T) {
	l := ledgertest.Seeded(t)
	for _, row := range query(t, l, `select code, id::text from ledger.companies order by code`) {
		t.Run(row[0], func(t *testing.T) { hledger(t, l, row[1]) })
	}
}

// manyLines is a company with 100,000 lines.
func manyLines(b *testing.B) (l *ledger.Ledger, id string) {
	b.Helper()
	l = ledgertest.Empty(b)
	id = company(b, l)
	ctx := context.Background()
	err := l.Tx(ctx, "asha", func(tx pgx.Tx) error {
		// Postings of many years pass the triggers; here only their number counts.
		_, err := tx.Exec(ctx, `set local session_replication_role = replica`)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `with j as (
				insert into ledger.journals (company_id, date, number, source)
				select $1, date '2025-04-01' + n % 590, n::text, 'manual' from generate_series(1, 50000) n
				returning id, date, number::int as n)
			insert into ledger.journal_lines (journal_id, line, company_id, date, account_id, amount)
			select j.id, 1 + side, $1, j.date, a.ids[1 + (j.n * 7 + side * 3) % cardinality(a.ids)],
				case side when 0 then 1 else -1 end * (1 + j.n % 9999)
			from j, generate_series(0, 1) side,
				(select array_agg(id order by code) as ids from ledger.accounts where company_id = $1) a`, id)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := l.Pool().Exec(ctx, "vacuum analyze"); err != nil {
		b.Fatal(err)
	}
	return l, id
}

// BenchmarkReports reads the statements of 100,000 lines.
func BenchmarkReports(b *testing.B) {
	l, id := manyLines(b)
	for name, sql := range map[string]string{
		"trial balance": `select count(*)::text from ledger.trial_balance($1, '2026-04-01', '2026-11-22')`,
		"balance sheet": `select count(*)::text from ledger.balance_sheet($1, '2026-11-22')`,
		"profit":        `select net_profit::text from ledger.profit($1, '2026-04-01', '2026-11-22')`,
		"cash flow":     `select count(*)::text from ledger.cash_flow($1, '2026-04-01', '2026-11-22')`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var got string
				call(b, l, &got, sql, id)
			}
		})
	}
}
