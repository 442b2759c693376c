package supabase_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-55, F-70: one call settles the model calls before it and reserves the next, of whatever day they are, and settles
// them too where the budget is used up. The opening of a turn reserves only where much is left, and what a turn writes
// is as durable with a budget as without.
func TestATurnReservesAndSettlesAsItGoes(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	other := asha.colleague(t, conn, "manager")
	exec(t, conn, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 10000), ($1, 'month',
		90000)`,
		asha.org)
	spent := func() string {
		t.Helper()
		return ask[string](t, conn, `select string_agg(concat_ws(' ', period, tokens), ', ' order by period, starts)
			|| '; ' || (select count(*) from public.budget_holds where org_id = $1 and not returned)
			from public.budget_use where org_id = $1`, asha.org)
	}
	expect := func(want string) {
		t.Helper()
		if got := spent(); got != want {
			t.Errorf("spent are %q, want %q", got, want)
		}
	}
	reserve := func(tx pgx.Tx, in int, settle string) map[string]any {
		t.Helper()
		return askJSON(t, tx, `select budget_reserve('m', $1, 0, null, nullif($2, '')::jsonb)`, in, settle)
	}
	settled := func(hold any, in int) string {
		return strings.NewReplacer("HOLD", hold.(string), "IN", string(rune('0'+in))).
			Replace(`[{"hold":"HOLD","model":"m","in":IN00,"cached":0,"out":0}]`)
	}
	var first, second any
	asha.see(t, conn, func(tx pgx.Tx) { first = reserve(tx, 4000, "")["hold"] })
	expect("day 4000, month 4000; 1")
	// Together with its predecessor this one would not fit.
	asha.see(t, conn, func(tx pgx.Tx) { second = reserve(tx, 9000, settled(first, 3))["hold"] })
	expect("day 9300, month 9300; 1")
	exec(t, conn, `update public.budget_holds set at = at - interval '1 day' where org_id = $1`, asha.org)
	exec(t, conn, `insert into public.budget_use (org_id, period, starts, tokens)
		select org_id, period, starts - 1, 9300 from public.budget_use where org_id = $1 and period = 'day'`, asha.org)
	exec(t, conn, `update public.budget_use set tokens = 0
		where org_id = $1 and period = 'day' and starts = app.period_start('day')`, asha.org)
	other.see(t, conn, func(tx pgx.Tx) { reserve(tx, 1000, settled(second, 9)) }) // not theirs
	asha.see(t, conn, func(tx pgx.Tx) {
		if got := reserve(tx, 9500, settled(second, 2)); got["exhausted"] != "day" {
			t.Errorf("%v is reserved", got)
		}
	})
	if got := spent(); !strings.HasPrefix(got, "day 500, day 1000, ") || !strings.HasSuffix(got, "; 1") {
		t.Errorf("spent are %q", got)
	}
	if got := state(asha.run(t.Context(), conn, nil, `select budget_reserve('m', 1, 0, null,
		(select jsonb_agg('{}'::jsonb) from generate_series(1, 101)))`)); got != "PT422 too_many_holds" {
		t.Errorf("101 settlements: %q", got)
	}

	exec(t, conn, `delete from public.budget_holds where org_id = $1`, asha.org)
	exec(t, conn, `update public.budget_use set tokens = 0 where org_id = $1`, asha.org)
	open := func(turn, budget string) (hold any) {
		t.Helper()
		asha.see(t, conn, func(tx pgx.Tx) {
			got := askJSON(t, tx, `select turn_open(jsonb_build_object('turn', jsonb_build_object('turn', $1::text,
				'fingerprint', 'f', 'assistant', 'hospitality', 'thread', 'th', 'leaseMs', 60000), 'budget',
					$2::jsonb))`,
				turn, budget)
			if budget, ok := got["budget"].(map[string]any); ok {
				hold = budget["hold"]
			}
			if got := ask[string](t, tx, `select current_setting('synchronous_commit')`); got != "on" {
				t.Errorf("a turn is opened with synchronous_commit %q", got)
			}
		})
		return hold
	}
	hold := open("t1", `{"assistant":"hospitality","model":"m","in":1000,"out":200}`)
	expect("day 0, day 1200, month 1200; 1")
	if again := open("t2", `{"assistant":"hospitality","model":"m","in":1000,"out":200}`); again != nil {
		t.Error("the opening reserves though other calls may need what is left")
	}
	exec(t, conn, `update public.budgets set cost = 100 where org_id = $1 and period = 'day'`, asha.org)
	if again := open("t3", `{"assistant":"hospitality","model":"unheard-of","in":1,"out":1}`); again != nil {
		t.Error("a call without a price is reserved")
	}
	asha.see(t, conn, func(tx pgx.Tx) {
		for range 2 {
			exec(t, tx, `select turn_finish('t1', 'stop', 'frames', '{}', 'm', $1::jsonb)`, settled(hold, 5))
		}
		if got := ask[string](t, tx, `select current_setting('synchronous_commit')`); got != "on" {
			t.Errorf("a turn ends with synchronous_commit %q", got)
		}
	})
	expect("day 0, day 500, month 500; 0")
}
