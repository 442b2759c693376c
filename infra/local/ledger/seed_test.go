package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

// tie demands that the figures that must be equal are, at the end of each of the
// days.
func tie(t testing.TB, l *ledger.Ledger, company string, days ...string) {
	t.Helper()
	for _, day := range days {
		rows := query(t, l, `select name, books::text, figure::text from ledger.ties($1, $2::date)`, company, day)
		if len(rows) < 12 {
			t.Errorf("%s: %d figures were compared", day, len(rows))
		}
		for _, row := range rows {
			if number(t, row[1]).Cmp(number(t, row[2])) != 0 {
				t.Errorf("%s: %s: %s and %s", day, row[0], row[1], row[2])
			}
		}
	}
}

// query returns rows of text columns.
func query(t testing.TB, l *ledger.Ledger, sql string, args ...any) (all [][]string) {
	t.Helper()
	err := l.Read(context.Background(), func(tx pgx.Tx) error {
		rows, err := tx.Query(context.Background(), sql, args...)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]string, error) {
			texts := make([]string, len(row.FieldDescriptions()))
			to := make([]any, len(texts))
			for i := range texts {
				to[i] = &texts[i]
			}
			return texts, row.Scan(to...)
		})
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return all
}

func TestDemoCompanies(t *testing.T) {
	l := ledgertest.Seeded(t)
	// A second time it is content.
	if err := l.Seed(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{ledger.Trading, ledger.Services} {
		t.Run(code, func(t *testing.T) {
			var id string
			call(t, l, &id, `select id::text from ledger.companies where code = $1`, code)
			tie(t, l, id, "2025-04-30", "2025-12-15", "2026-03-31", "2026-04-01", "2026-11-22")
			for _, row := range query(t, l, `select a.code, min(x.balance)::text from ledger.accounts a,
				ledger.account_statement($1, a.code, '2025-04-01', '2026-11-22') x
				where a.company_id = $1 and a.cash group by a.code`, id) {
				if number(t, row[1]).Sign() < 0 {
					t.Errorf("account %s was overdrawn: %s", row[0], row[1])
				}
			}
			// What the demo shows must be there to be shown.
			for what, sql := range map[string]string{
				"a filed period": `select from ledger.periods where company_id = $1 and status = 'filed'`,
				"a profit": `select from ledger.profit($1, '2025-04-01', '2026-03-31')
					where net_profit > 0`,
				"a credit note": `select from ledger.credit_notes where company_id = $1`,
				"a part payment": `select from ledger.invoices where company_id = $1 and settled > 0
					and balance > 0`,
				"an overdue invoice":     `select from ledger.invoices where company_id = $1 and state = 'overdue'`,
				"tax deducted on a bill": `select from ledger.bills where company_id = $1 and tds > 0`,
				"a reverse charge":       `select from ledger.bills where company_id = $1 and reverse_charge`,
				"GST paid": `select from ledger.journals where company_id = $1
					and narration like 'GST for %'`,
			} {
				if len(query(t, l, strings.Replace(sql, "select from", "select '' from", 1), id)) == 0 {
					t.Errorf("the books lack %s", what)
				}
			}
		})
	}
	var got string
	call(t, l, &got, `select concat_ws(' ', (select string_agg(distinct status, ',') from ledger.periods),
		(select count(distinct bucket) from ledger.companies c, ledger.aged_items(c.id, 'receivable', '2026-11-22')),
		exists (select from ledger.documents where supply = 'export'), exists (select from ledger.documents
			where status = 'void'),
		exists (select from ledger.payments where tds > 0), exists (select from ledger.payments
			where applied < amount),
		exists (select from ledger.document_lines where gst_rate = 28), exists (select from ledger.document_lines
			where not itc))`)
	if got != "filed,locked,open 5 t t t t t t" {
		t.Error(got)
	}
}
