package supabase_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// The demo data of the planner: agencies with planner and travel, users of all roles, and
// no trip yet. The demo agency of travel plans trips, too.
func TestTheDemoAgenciesPlanTrips(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	if got := ask[string](t, conn, `select string_agg(concat(o.slug, ' ', app.assistants_of(o.id)), ', ' order by
		o.slug)
		from public.orgs o where o.id in (select org_id from public.org_assistants where assistant = 'planner')`); got !=
		"ashgrovetravel {planner,travel}, fernhillholidays {planner,travel}, saltmarshtours {planner,travel}" {
		t.Errorf("the planner have %s", got)
	}
	if got := ask[string](t, conn, `select string_agg(split_part(u.email, '@', 1) || ' ' || m.role, ', ' order by
		u.email)
		from public.memberships m join auth.users u on u.id = m.user_id
		where m.org_id = 'c1000000-0000-4000-8000-000000000001'`); got !=
		"admin admin, manager manager, viewer viewer" {
		t.Errorf("the users are %s", got)
	}
	planner := person{org: "c1000000-0000-4000-8000-000000000001", user: "c1000000-0000-4000-8000-0000000000a2"}
	planner.see(t, conn, func(tx pgx.Tx) {
		if got := ask[string](t, tx, `select concat_ws(' ', jsonb_array_length(trip_plan_list()),
			jsonb_array_length(trip_list()), preferences_get() ->> 'homeAirport')`); got != "0 0 LHR" {
			t.Errorf("there are %s", got)
		}
	})
}
