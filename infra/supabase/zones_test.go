package supabase_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-59: days are the property's, so no setting of the server changes a figure.
func TestFiguresDoNotDependOnTheServersZone(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	us := person{org: "a0000000-0000-4000-8000-000000000001", entity: "a0000000-0000-4000-8000-0000000000e1"}
	us.user = ask[string](t, conn, `select user_id from memberships where org_id = $1 and role = 'manager' limit 1`,
		us.org)
	// Fixed days, since "today" of the demo data is the server's to say.
	first := ask[string](t, conn, `select (min(check_in) + 10)::text from reservations where org_id = $1`, us.org)
	questions := []string{
		`select jsonb_agg(to_jsonb(o)) from occupancy($1, $2::date, $2::date + 40) o`,
		`select jsonb_agg(to_jsonb(o)) from revenue($1, $2::date, $2::date + 40, 'week') o`,
		`select jsonb_agg(to_jsonb(o)) from revenue($1, $2::date, $2::date + 40, 'day') o`,
		`select client_report($1, $2::date, $2::date + 40)`,
		`select day_sheet($1, $2::date + 20)`,
		`select morning($1, $2::date + 20)`,
		`select tape_chart($1, $2::date, $2::date + 40)`,
		`select jsonb_agg(to_jsonb(o)) from block_list($1, $2::date - 40) o`,
		`select jsonb_agg(to_jsonb(o)) from selection_list($1, $2::date + 40) o`,
	}
	var want []string
	for _, zone := range []string{"UTC", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Pago_Pago",
		"America/New_York"} {
		exec(t, conn, `select set_config('TimeZone', $1, false)`, zone)
		us.see(t, conn, func(tx pgx.Tx) {
			for i, q := range questions {
				got := ask[string](t, tx, q, us.entity, first)
				if len(got) < 100 {
					t.Fatalf("the demo data does not try %s: %s", q, got)
				}
				if len(want) <= i {
					want = append(want, got)
				} else if got != want[i] {
					t.Errorf("with the server in %s, %s answers\n%s\nand in UTC\n%s", zone, q, got, want[i])
				}
			}
		})
	}
}
