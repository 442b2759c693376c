package supabase_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestNothingIsBookedTwice(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	a, b := p.room(t, conn, "COCO"), p.room(t, conn, "OAK")
	counts := race(t, 64, func(i int, conn *pgx.Conn) error {
		units := []string{a, b}
		if i%2 == 1 {
			units = []string{b, a}
		}
		return request{claims: p.claims()}.do(t.Context(), conn, func(tx pgx.Tx) error {
			_, err := p.book(context.Background(), tx, "2027-05-01", fmt.Sprintf("2027-05-%02d", 3+i%5), "confirmed",
				units...)
			return err
		})
	})
	if counts[""] != 1 || counts["23P01"] != 63 {
		t.Errorf("64 bookings of the same nights: %v", counts)
	}
}

func TestStaysFollowTheReservation(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	unit := p.room(t, conn, "COCO")
	id := p.mustBook(t, conn, "2027-05-01", "2027-05-04", "confirmed", unit)
	p.mustBook(t, conn, "2027-05-04", "2027-05-06", "confirmed", unit) // same-day turnover
	wantState(t, p.run(t.Context(), conn, nil, `update reservations set check_out = '2027-05-05' where id = $1`, id),
		"23P01")
	wantState(t, p.run(t.Context(), conn, nil, `update reservations set status = 'cancelled' where id = $1`, id), "")
	p.block(t, conn, "2027-05-01", "2027-05-04", unit)
	wantState(t, p.run(t.Context(), conn, nil, `update reservations set status = 'confirmed' where id = $1`, id),
		"23P01")
	if v := ask[int](t, conn, `select version from reservations where id = $1`, id); v != 2 {
		t.Errorf("version %d, want 2", v)
	}
	if c := ask[string](t, conn, `select code from reservations where id = $1`, id); len(c) != 6 {
		t.Errorf("code %q", c)
	}
	exec(t, conn, `insert into extras (org_id, entity_id, name, price) values ($1, $2, 'Chef''s Dinner', 1), ($1,
		$2, 'Chef''s dinner', 1)`, p.org, p.entity)
	if got := ask[string](t, conn, `select string_agg(code, ' ' order by code) from extras where org_id = $1`,
		p.org); got != "CHEFS-DINNER CHEFS-DINNER-2" {
		t.Errorf("codes %s", got)
	}
}

// S0-29 S0-30: the textbook's month, by night and clipped.
func TestOccupancyOfTheTextbook(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.room(t, conn, "COCO")
	exec(t, conn, `insert into rooms (org_id, entity_id, room_type_id, code) select org_id, entity_id, id, 'U' || n
		from room_types, generate_series(2, 120) n where org_id = $1`, p.org)
	// 114 bookings of one unit each; two of them begin in May.
	exec(t, conn, `with u as (select id, row_number() over (order by id) n from rooms where org_id = $1),
		r as (insert into reservations (org_id, entity_id, id, check_in, check_out, guest_name, currency, extras_total)
			select $1, $2, md5($1::text || n)::uuid, case when n <= 2 then date '2027-05-31' else date '2027-06-01'
				end,
			       case when n <= 60 then date '2027-06-22' else date '2027-06-23' end, 'Guest', 'INR', 0 from u
			       	where n <= 114 returning 1)
		select count(*) from r`, p.org, p.entity)
	exec(t, conn, `insert into reservation_rooms (org_id, entity_id, reservation_id, room_id)
		select $1, $2, md5($1::text || n)::uuid, id from (select id, row_number() over (order by id) n from rooms
			where org_id = $1) u where n <= 114`, p.org, p.entity)
	exec(t, conn, `insert into reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount,
		amount)
		select r.org_id, r.entity_id, r.id, q.room_id, d::date, 150, 150 from reservations r join reservation_rooms q
			on q.reservation_id = r.id,
		generate_series(r.check_in::timestamp, r.check_out::timestamp - interval '1 day', interval '1 day') d where
			r.org_id = $1`, p.org)
	free := names(t, conn, `select id::text from rooms u where org_id = $1 and not exists (select from stays s
		where s.room_id = u.id) order by id`, p.org)
	for _, u := range free[:6] {
		p.block(t, conn, "2027-06-21", "2027-07-05", u) // ten nights inside June
	}
	figures := func(from, to string) (f [4]int, room, other string) {
		p.see(t, conn, func(tx pgx.Tx) {
			err := tx.QueryRow(t.Context(),
				`select occupied_nights, blocked_nights, available_nights, bookings, room_revenue::text,
					other_revenue::text
				from occupancy($1, $2::date, $3::date)`, p.entity, from, to).Scan(&f[0], &f[1], &f[2], &f[3], &room,
				&other)
			if err != nil {
				t.Fatal(err)
			}
		})
		return f, room, other
	}
	// 60 × 21 + 54 × 22 nights in June; the two nights of May are another month's.
	f, room, _ := figures("2027-06-01", "2027-07-01")
	if f != [4]int{2448, 60, 3540, 114} || room != "367200.00" {
		t.Errorf("June: %v %s", f, room)
	}
	// The rest of the textbook's 2,520: 72 nights of a group in nine units for eight nights.
	group := names(t, conn, `select q.room_id::text from reservation_rooms q join reservations r on r.id =
		q.reservation_id
		where r.org_id = $1 and r.check_out = '2027-06-22' order by 1 limit 9`, p.org)
	id := p.mustBook(t, conn, "2027-06-22", "2027-06-30", "confirmed", group...)
	exec(t, conn, `update reservation_nights set amount = 150 where reservation_id = $1`, id)
	exec(t, conn, `update reservations set extras_total = 75600 where id = $1`, id)
	f, room, other := figures("2027-06-01", "2027-07-01")
	if f != [4]int{2520, 60, 3540, 115} || room != "378000.00" || other != "75600.00" {
		t.Errorf("textbook: %v %s %s", f, room, other)
	}
	kpi := ask[string](t, conn, `select concat_ws(' ', round($1 * 100.0 / $2, 2), round($3::numeric / $1, 2),
		round($3::numeric / $2, 2), round(($3::numeric + $4::numeric) / $2, 2))
		from (select 1) x`, f[0], f[2], room, other)
	if kpi != "71.19 150.00 106.78 128.14" {
		t.Errorf("occupancy, ADR, RevPAR, TRevPAR: %s", kpi)
	}
	// A third of the extras does not come out even: the parts still add up.
	exec(t, conn, `update reservations set extras_total = 100 where id = $1`, id)
	_, _, one := figures("2027-06-01", "2027-06-25")
	_, _, two := figures("2027-06-25", "2027-07-01")
	if sum := ask[string](t, conn, `select ($1::numeric + $2::numeric)::text`, one, two); sum != "100.00" {
		t.Errorf("%s + %s = %s", one, two, sum)
	}
	exec(t, conn, `update reservations set status = 'no_show' where id = $1`, id)
	if f, _, other = figures("2027-06-01", "2027-07-01"); f[0] != 2448 || other != "0.00" {
		t.Errorf("a no-show counts: %v %s", f, other)
	}
	if f, room, _ = figures("2027-06-10", "2027-06-10"); f != [4]int{} || room != "0.00" {
		t.Errorf("an empty period: %v %s", f, room)
	}
}

func TestAvailability(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	unit := p.room(t, conn, "COCO")
	p.mustBook(t, conn, "2027-05-10", "2027-05-14", "confirmed", unit)
	p.mustBook(t, conn, "2027-05-18", "2027-05-19", "cancelled", unit)
	p.block(t, conn, "2027-05-15", "2027-05-17", unit)
	tests := map[string]struct{ from, to, want string }{
		"free before":              {"2027-05-08", "2027-05-10", "1 2027-05-08 0 0"},
		"taken by one night":       {"2027-05-13", "2027-05-14", "0 2027-05-14 1 0"},
		"same-day turnover":        {"2027-05-14", "2027-05-15", "1 2027-05-14 0 0"},
		"two nights do not fit in": {"2027-05-13", "2027-05-15", "0 2027-05-17 1 0"},
		"blocked":                  {"2027-05-16", "2027-05-18", "0 2027-05-17 0 1"},
		"cancelled is free":        {"2027-05-18", "2027-05-19", "1 2027-05-18 0 0"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p.see(t, conn, func(tx pgx.Tx) {
				got := ask[string](t, tx,
					`select concat_ws(' ', free_units, next_free, jsonb_array_length(bookings),
						jsonb_array_length(blocks))
					from availability($1, $2::date, $3::date)`, p.entity, tt.from, tt.to)
				if got != tt.want {
					t.Errorf("free, next, bookings, blocks: %s, want %s", got, tt.want)
				}
			})
		})
	}
	wantState(t, p.run(t.Context(), conn, nil, `select availability($1, '2027-05-02', '2027-05-02')`, p.entity),
		"PT422 invalid_dates")
}
