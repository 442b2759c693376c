package supabase_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// The demo data of travel: a family whose profiles are complete, and past trips with
// what they thought of them.
func TestTheDemoFamilyHasTravelled(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	const org = "a1000000-0000-4000-8000-000000000001"
	family := person{org: org, user: "a1000000-0000-4000-8000-0000000000a2"}
	boss := person{org: org, user: "a1000000-0000-4000-8000-0000000000a1"}
	const travelled = `select concat_ws(' ', jsonb_array_length(trip_list()),
		(select string_agg(s ->> 'kind', ' ') from jsonb_array_elements(traveller_summaries('2026-11-23')) s
			where (s ->> 'complete')::boolean),
		(select string_agg(concat_ws('/', b ->> 'code', b ->> 'rating', b ->> 'trip'), ' ')
			from jsonb_array_elements(travel_booking_list('{"past": true}')) b),
		(select string_agg(concat_ws('/', b ->> 'code'), ' ')
			from jsonb_array_elements(travel_booking_list('{"text": "thin wall"}')) b),
		preferences_get() ->> 'homeAirport', jsonb_array_length(decision_list('', 5)))`
	for p, want := range map[person]string{
		family: "2 adult adult child TB-0004/2/TR-0002 TB-0003/5/TR-0001 TB-0002/5/TR-0001 TB-0001/4/TR-0001 " +
			"TB-0004 LHR 1",
		boss: "0 adult 0",
	} {
		p.see(t, conn, func(tx pgx.Tx) {
			if got := ask[string](t, tx, travelled); got != want {
				t.Errorf("it is %q, want %q", got, want)
			}
		})
	}
	family.see(t, conn, func(tx pgx.Tx) {
		if got := ask[string](t, tx, `select string_agg(concat_ws(' ', i ->> 'code', i ->> 'starts'), ', ')
			from jsonb_array_elements(trip_get('TR-0001') -> 'items') i`); got !=
			"I1 2026-05-23T07:10, I2 2026-05-23T15:00, I3 2026-05-25T10:00, I4 2026-05-27T19:00" {
			t.Errorf("the trip has %s", got)
		}
	})
	// What comes next has a code of its own.
	if got := ask[string](t, conn, `select app.travel_code($1, 'TB') || app.travel_code($1, 'TR')`, org); got !=
		"TB-0005TR-0003" {
		t.Errorf("the next codes are %s", got)
	}
}
