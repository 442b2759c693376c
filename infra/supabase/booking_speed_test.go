package supabase_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
)

// past gives each unit of a property p_stays stays of three nights in four, one
// after the other, the last of which ends on p_until, with their nightly lines.
const past = `
create function pg_temp.past(p_entity uuid, p_stays int, p_until date) returns void language plpgsql as $$
begin
  create temp table made on commit drop as
  select u.org_id, u.entity_id, u.id as room_id, gen_random_uuid() as id, p_until - 4 * n - 3 as check_in,
         row_number() over () + (select count(*) from public.reservations r where r.org_id = u.org_id) as at
  from public.rooms u, generate_series(0, p_stays - 1) n where u.entity_id = p_entity;
  insert into public.reservations (org_id, entity_id, id, code, status, check_in, check_out, guest_name, guest_email,
                                   guest_phone, currency, tax_total)
  select org_id, entity_id, id, (select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 1 + (at >> 5 * k &
  	31)::int, 1), '')
                                 from generate_series(0, 5) k),
         'checked_out', check_in, check_in + 3, 'Guest ' || at % 500, 'g' || at % 500 || '@guests.example',
         '98765' || at % 500, 'INR', 12 from made;
  insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount, amount)
  select org_id, entity_id, id, room_id, check_in + n, 100, 100 from made, generate_series(0, 2) n;
  insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, unit_pinned)
  select org_id, entity_id, room_id, 'booking', id, daterange(check_in, check_in + 3), true from made;
  insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
  select org_id, entity_id, id, room_id from made;
  drop table made;
end $$;`

// Bookings and reports read as many pages of the database with four times the
// history as they read before, also when other organisations have one.
func TestHistoryCostsNoPages(t *testing.T) {
	t.Parallel()
	conn := connect(t, "history")
	exec(t, conn, past)
	mine, theirs := newOrg(t, conn, "manager"), newOrg(t, conn, "manager")
	for _, p := range []person{mine, theirs} {
		p.kind(t, conn, "COCO", 10)
	}
	// What is booked for 2030: none of the units is free from 3 to 8 January.
	units := names(t, conn, `select id::text from public.rooms where org_id = $1 order by code`, mine.org)
	for i, unit := range units {
		if i%2 == 0 {
			mine.mustBook(t, conn, "2030-01-01", "2030-01-05", "confirmed", unit)
		} else {
			mine.mustBook(t, conn, "2030-01-06", "2030-01-10", "confirmed", unit)
		}
	}
	const book = `select public.create_booking($1, jsonb_build_object('today', '2029-12-01', 'checkIn', $2::text,
		'checkOut', $3::text, 'guest', '{"name": "Asha"}'::jsonb, 'rooms', '[{"room": "COCO", "adults": 1}]'::jsonb))`
	asked := map[string]struct {
		sql  string
		args []any
	}{
		"a booking":           {book, []any{mine.entity, "2030-02-01", "2030-02-04"}},
		"a booking and moves": {book, []any{mine.entity, "2030-01-03", "2030-01-08"}},
		"revenue of a month": {`select count(*) from public.revenue($1, '2029-10-01', '2029-11-01', 'day')`,
			[]any{mine.entity}},
		"occupancy of a week": {`select count(*) from public.occupancy($1, '2029-10-01', '2029-10-08')`,
			[]any{mine.entity}},
		"guests of a month": {`select public.client_report($1, '2029-10-01', '2029-11-01')`, []any{mine.entity}},
	}
	admin, err := pgx.Connect(t.Context(), server.ConnString("history", "supabase_admin"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context())
	tx, err := admin.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	exec(t, tx, past)
	read := map[string][]int{}
	for _, more := range []struct {
		stays int
		until string
	}{{40, "2029-12-01"}, {120, "2029-06-01"}} {
		exec(t, tx, `set local session_replication_role = replica`)
		for _, p := range []person{mine, theirs} {
			exec(t, tx, `select pg_temp.past($1, $2, $3::text::date)`, p.entity, more.stays, more.until)
		}
		// Another organisation has many more nightly lines.
		exec(t, tx, `
			insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount,
				amount)
			select $1, $2, gen_random_uuid(), $3, date '2029-01-01' + n % 300, 100, 100 from generate_series(1, 300 *
				$4) n`,
			theirs.org, theirs.entity, theirs.org, more.stays)
		exec(t, tx, `set local session_replication_role = origin`)
		exec(t, tx, `analyze public.reservations, public.reservation_rooms, public.reservation_nights, public.stays, public.rooms,
			app.night_figures`)
		for what, q := range asked {
			read[what] = append(read[what], leastPages(t, tx, mine, q.sql, q.args...))
		}
	}
	for what, n := range read {
		t.Log(what, n)
		if n[0] < 10 || n[1] > n[0]*5/4+50 {
			t.Errorf("%s read %d pages, and %d with four times the history", what, n[0], n[1])
		}
	}
}

// leastPages runs a statement several times, each time as if it were the first, and
// returns the fewest pages that it read: some of the runs read the catalogue, too, since
// plans are made anew after what other tests do.
func leastPages(t *testing.T, tx pgx.Tx, by person, sql string, args ...any) int {
	t.Helper()
	least := 0
	for i := range 5 {
		savepoint, err := tx.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		exec(t, savepoint, `select set_config('role', 'authenticated', true), set_config('app.proven', 'true', true),
			set_config('request.jwt.claims', $1, true)`, by.claims())
		if n := pages(t, savepoint, sql, args...); i == 0 || n < least {
			least = n
		}
		if err := savepoint.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return least
}

// pages runs a statement and counts the pages that it and the functions it calls
// read.
func pages(t *testing.T, tx pgx.Tx, sql string, args ...any) int {
	t.Helper()
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	text := ask[string](t, tx, `explain (analyze, buffers, timing off, format json) `+sql, args...)
	if err := json.Unmarshal([]byte(text), &plans); err != nil || len(plans) != 1 {
		t.Fatalf("%d plans, %v", len(plans), err)
	}
	return plans[0].Plan.Hit + plans[0].Plan.Read
}
