package ledger

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

//go:embed seed*.go
var seedFiles embed.FS

// SeedDigest changes with what Seed writes.
func SeedDigest() string {
	sum := sha256.New()
	entries, err := seedFiles.ReadDir(".")
	if err != nil {
		panic(err) // files that were compiled in
	}
	for _, entry := range entries {
		text, err := seedFiles.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(sum, "%s\x00%d\x00%s", entry.Name(), len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Codes of the demo companies.
const (
	Trading  = "sahyadri"    // kitchenware, wholesale, in Maharashtra
	Services = "tungabhadra" // software, in Karnataka
)

// seedSetting marks a seeded ledger, as the comment of a table.
const seedSetting = "demo data, whole"

// Seed writes the two demo companies into an empty ledger: the books of the
// financial year before the clock's and of this one up to the clock's day. The same
// day gives the same books. It is content with a ledger that it filled before, and
// refuses one that has other companies or that a Seed did not finish.
func (l *Ledger) Seed(ctx context.Context) error {
	var seeded, begun bool
	err := l.pool.QueryRow(ctx, `select obj_description('ledger.companies'::regclass) is not distinct from $1,
		exists (select from ledger.companies)`, seedSetting).Scan(&seeded, &begun)
	switch {
	case err != nil:
		return fmt.Errorf("look for the demo companies: %w", err)
	case seeded:
		return nil
	case begun:
		return errors.New("the ledger has companies that are not the demo's; start with -fresh to make it anew")
	}
	today := day(l.now().In(india))
	for _, plan := range []func(*seeder){seedTrading, seedServices} {
		s := &seeder{today: today, begin: fyStart(today).AddDate(-1, 0, 0), rand: rand.New(rand.NewPCG(7, 28))}
		plan(s)
		if err := s.write(ctx, l); err != nil {
			return fmt.Errorf("seed the ledger: %w", err)
		}
	}
	err = l.seedTx(ctx, func(tx pgx.Tx) error { return seedServer(ctx, tx, today) })
	if err != nil {
		return fmt.Errorf("seed the ledger: %w", err)
	}
	// A fresh database knows nothing of how its rows are spread.
	_, err = l.pool.Exec(ctx, "analyze; comment on table ledger.companies is '"+seedSetting+"'")
	if err != nil {
		return fmt.Errorf("end the seeding of the ledger: %w", err)
	}
	return nil
}

// seedTx is Tx with repeatable ids. A connection keeps the plans that it made when
// the tables were small; these shall read by index.
func (l *Ledger) seedTx(ctx context.Context, work func(pgx.Tx) error) error {
	return l.Tx(ctx, "", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "select set_config('ledger.ids', 'demo', true), "+
			"set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)")
		if err != nil {
			return err
		}
		return work(tx)
	})
}

var india = time.FixedZone("IST", 5*60*60+30*60)

// day is the date of a time, as midnight UTC.
func day(t time.Time) time.Time { return date(t.Year(), t.Month(), t.Day()) }

func date(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

func fyStart(t time.Time) time.Time {
	if t.Month() < time.April {
		return date(t.Year()-1, time.April, 1)
	}
	return date(t.Year(), time.April, 1)
}

// object is the JSON argument of a function of the ledger.
type object map[string]any

// seeder collects what happened in a company and writes it day by day.
type seeder struct {
	company  object
	email    string // of the accountant
	today    time.Time
	begin    time.Time
	rand     *rand.Rand
	setup    []step
	products []step // for a ledger that keeps stock
	steps    []step
	closing  []step
	n        int
}

type step struct {
	date time.Time
	rank int // the order within a day
	sql  string
	args []any
}

// Ranks within a day: stock comes in before it goes out, documents come before
// their payments.
const (
	rankOpening = iota
	rankBill
	rankInvoice
	rankNote
	rankPayment
	rankJournal
)

// at adds a call of a function whose first argument is the company.
func (s *seeder) at(d time.Time, rank int, sql string, args ...any) {
	if d.After(s.today) {
		return
	}
	s.steps = append(s.steps, step{d, rank, sql, args})
}

// refer names the next document.
func (s *seeder) refer(kind string) string {
	s.n++
	return fmt.Sprintf("demo-%s-%d", kind, s.n)
}

// between is a number from low to high.
func (s *seeder) between(low, high int) int { return low + s.rand.IntN(high-low+1) }

func (s *seeder) chance(percent int) bool { return s.rand.IntN(100) < percent }

// months calls f for each month of the books with its first day and its index.
func (s *seeder) months(f func(first time.Time, i int)) {
	for i, m := 0, s.begin; !m.After(s.today); i, m = i+1, m.AddDate(0, 1, 0) {
		f(m, i)
	}
}

func (s *seeder) contact(kind string, o object) {
	s.setup = append(s.setup, step{sql: "select ledger.create_contact($1, $2, $3)", args: []any{kind, o}})
}

// journal posts an entry of accounts and signed amounts, debit positive.
func (s *seeder) journal(d time.Time, source, narration string, lines ...any) {
	var posted []object
	for i := 0; i < len(lines); i += 2 {
		posted = append(posted, object{"account": lines[i], "amount": lines[i+1]})
	}
	s.at(d, rankJournal, "select ledger.post($1, $2, $3, $4, $5)", d, narration, source, posted)
}

// payTax deposits what an account of withheld tax held at the end of the month.
func (s *seeder) payTax(month, d time.Time, account, narration string) {
	s.at(d, rankJournal, `select ledger.post($1, $2, $3, 'tax', jsonb_build_array(
			jsonb_build_object('account', $4::text, 'debit', b), jsonb_build_object('account', 'bank', 'credit', b)))
		from (select -ledger.account_balance($1, $4::text, $5) as b) x where b > 0`,
		d, narration, account, month.AddDate(0, 1, -1))
}

// settle pays a share of what the document with a reference asks for, in per cent;
// tdsPercent of the share's taxable value is deducted by the customer.
func (s *seeder) settle(reference, kind string, d time.Time, share, tdsPercent int, mode, bank string) {
	s.at(d, rankPayment, `select ledger.create_payment($1, jsonb_build_object('kind', $3::text, 'date', $4::date,
			'amount', x.part - x.tds, 'tds', x.tds, 'mode', $7::text, 'bank_reference', $8::text,
			'allocations', jsonb_build_array(jsonb_build_object('document', d.number, 'amount', x.part))))
		from ledger.write_references r
		join ledger.documents d on d.id = r.object_id,
		lateral (select least(round(d.due_amount * $5::int / 100), d.due_amount - d.settled) as part,
			round(d.taxable * $5::int * $6::int / 10000) as tds) x
		where r.company_id = $1 and r.reference = $2 and x.part > x.tds and d.status = 'posted'`,
		reference, kind, d, share, tdsPercent, mode, bank)
}

// closePeriods marks the months before the one of last as filed, and the one of
// last as status.
func (s *seeder) closePeriods(last time.Time, status string) {
	s.closing = append(s.closing, step{
		sql: `select ledger.set_period($1, starts, case when starts < $2 then 'filed' else $3::text end)
			from ledger.periods where company_id = $1 and starts <= $2 order by starts`,
		args: []any{date(last.Year(), last.Month(), 1), status}})
}

// write writes a month per transaction: what one transaction changes again and
// again, such as the counters of numbers, gets slower with each change.
func (s *seeder) write(ctx context.Context, l *Ledger) error {
	s.company["books_begin"] = s.begin.Format(time.DateOnly)
	var id string
	err := l.seedTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, clockSQL, s.email, s.begin.Format(time.RFC3339)); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "select ledger.create_company($1)::text", s.company).Scan(&id); err != nil {
			return err
		}
		var stock bool
		err := tx.QueryRow(ctx,
			"select to_regprocedure('ledger.create_product(uuid, jsonb)') is not null").Scan(&stock)
		if err != nil {
			return err
		}
		if stock {
			s.setup = append(s.setup, s.products...)
		}
		return send(ctx, tx, id, s.email, s.setup)
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(s.steps, func(a, b step) int {
		if c := a.date.Compare(b.date); c != 0 {
			return c
		}
		return a.rank - b.rank
	})
	for len(s.steps) > 0 {
		n := slices.IndexFunc(s.steps, func(st step) bool { return st.date.Month() != s.steps[0].date.Month() })
		if n < 0 {
			n = len(s.steps)
		}
		month := s.steps[:n]
		s.steps = s.steps[n:]
		err := l.seedTx(ctx, func(tx pgx.Tx) error { return send(ctx, tx, id, s.email, month) })
		if err != nil {
			return err
		}
	}
	return l.seedTx(ctx, func(tx pgx.Tx) error { return send(ctx, tx, id, s.email, s.closing) })
}

const clockSQL = "select set_config('ledger.actor', $1, true), set_config('ledger.now', $2, true)"

// send runs steps in one round trip, each at noon of its day.
func send(ctx context.Context, tx pgx.Tx, company, actor string, steps []step) error {
	batch := &pgx.Batch{}
	var last time.Time
	for _, step := range steps {
		if !step.date.Equal(last) {
			batch.Queue(clockSQL, actor, step.date.Add(6*time.Hour+30*time.Minute).Format(time.RFC3339))
			last = step.date
		}
		batch.Queue(step.sql, append([]any{company}, step.args...)...)
	}
	results := tx.SendBatch(ctx, batch)
	for i := range batch.Len() {
		if _, err := results.Exec(); err != nil {
			q := batch.QueuedQueries[i]
			arguments, _ := json.Marshal(q.Arguments)
			return errors.Join(fmt.Errorf("%s %s: %w", q.SQL, arguments, err), results.Close())
		}
	}
	return results.Close()
}

// demoGSTIN makes the GSTIN of a state and a PAN with its check character.
func demoGSTIN(state, pan string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	body := state + pan + "1Z"
	sum := 0
	for i, c := range body {
		product := strings.IndexRune(digits, c) * (1 + i%2)
		sum += product/36 + product%36
	}
	return body + string(digits[(36-sum%36)%36])
}
