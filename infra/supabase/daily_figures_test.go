package supabase_test

import (
	_ "embed"
	"testing"

	"github.com/jackc/pgx/v5"
)

// figuresOracle defines pg_temp.old_occupancy, old_revenue and old_client_report.
//
//go:embed testdata/figures_oracle.sql
var figuresOracle string

// churn makes bookings of every kind and changes them in every way.
const churn = `
create function pg_temp.churn(p_org uuid, p_entity uuid, p_count int) returns void language plpgsql as $$
declare
  v_id uuid; v_from date; v_nights int; v_rooms uuid[]; v_any uuid;
begin
  for i in 1 .. p_count loop
    v_from := date '2027-12-20' + floor(random() * 60)::int;
    v_nights := floor(random() * random() * 15)::int;
    begin
      insert into public.reservations (org_id, entity_id, status, channel, check_in, check_out, guest_name,
      	guest_email, guest_phone, guest_country, adults, currency,
        room_total, extras_total, package_other_total, tax_total, created_at)
      values (p_org, p_entity, (array['pending', 'confirmed', 'checked_in', 'checked_out', 'cancelled', 'no_show'])[1
      	+ floor(random() * 6)],
        (array['direct', 'website', 'agent'])[1 + floor(random() * 3)], v_from, v_from + v_nights, (array['Asha',
        	' asha', 'Bram', 'Cleo'])[1 + floor(random() * 4)],
        case when random() < 0.6 then (array['a@guests.example', ' A@guests.example', 'b@guests.example',
        	'c@guests.example'])[1 + floor(random() * 4)] end,
        case when random() < 0.6 then (array['98765 43210', '9876543210', '11111-22222', '33333'])[1 + floor(random()
        	* 4)] end,
        case when random() < 0.5 then 'IN' end, 1 + floor(random() * 3)::int, 'INR', 5000,
        case when random() < 0.7 then round((random() * 1000)::numeric, 2) else 0 end, case when random() < 0.3 then
        	round((random() * 500)::numeric, 2) else 0 end,
        case when random() < 0.7 then round((random() * 300)::numeric, 2) else 0 end, v_from - random() * interval
        	'40 days')
      returning id into v_id;
      v_rooms := array(select u.id from public.rooms u where u.entity_id = p_entity order by random() limit 1 +
      	floor(random() * random() * 4)::int);
      insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id) select p_org, p_entity, v_id,
      	r from unnest(v_rooms) r;
      insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount, amount,
      	extra_guests, discount)
      select p_org, p_entity, v_id, r, v_from + n, 100, round((100 + random() * 100)::numeric, 2), round((random() *
      	20)::numeric, 2), round((random() * 30)::numeric, 2)
      from unnest(v_rooms) r, generate_series(0, v_nights - 1) n where random() < 0.95;
    exception when exclusion_violation then null;
    end;
    select id into v_any from public.reservations where org_id = p_org order by random() limit 1;
    begin
      case i % 8
        when 0 then update public.reservations set status = (array['confirmed', 'checked_in', 'cancelled',
        	'no_show'])[1 + floor(random() * 4)] where id = v_any;
        when 1 then update public.reservations set extras_total = extras_total + 0.01, tax_total = 77.77, channel =
        	'phone' where id = v_any;
        when 2 then
          delete from public.reservation_nights where reservation_id = v_any and random() < 0.3;
          update public.reservation_nights set discount = 0.05 where reservation_id = v_any;
        when 3 then
          delete from public.reservation_nights where reservation_id = v_any;
          update public.reservations set check_in = check_in + 1, check_out = check_out + 2 where id = v_any;
        when 4 then delete from public.reservations where id = v_any;
        when 5 then update public.rooms set room_type_id = (select id from public.room_types where org_id = p_org
        	order by random() limit 1)
          where id = (select id from public.rooms where org_id = p_org order by random() limit 1);
        when 6 then update public.reservations set guest_email = null where id = v_any;
        when 7 then
          if i % 3 = 0 then
            delete from public.reservation_nights where reservation_id = v_any;
            delete from public.reservation_rooms where reservation_id = v_any;
          end if;
        else null;
      end case;
    exception when exclusion_violation then null;
    end;
  end loop;
end $$;`

// Figures that are kept by night equal, to the cent, those that are computed from
// all bookings, for any period and part.
func TestKeptFiguresAreThoseOfTheBookings(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	exec(t, conn, figuresOracle)
	exec(t, conn, churn)
	exec(t, conn, `do $$ begin execute 'grant usage on schema ' || pg_my_temp_schema()::regnamespace || ' to `+
		`authenticated'; end $$`)
	for seed := range 2 {
		p := newOrg(t, conn, "manager")
		for _, code := range []string{"COCO", "OAK", "ELM"} {
			p.kind(t, conn, code, 4)
		}
		unit := p.room(t, conn, "ASH")
		p.block(t, conn, "2027-12-25", "2028-02-01", unit)
		exec(t, conn, `select setseed($1)`, 0.2*float64(seed+1))
		exec(t, conn, `select pg_temp.churn($1, $2, 160)`, p.org, p.entity)
		if n := ask[int](t, conn, `select count(*) from app.night_figures where org_id = $1`, p.org); n < 100 {
			t.Fatalf("only %d nights are sold", n)
		}
		p.see(t, conn, func(tx pgx.Tx) {
			for _, period := range [][2]string{{"2027-12-01", "2028-06-01"}, {"2028-01-01", "2028-02-01"},
				{"2028-01-07", "2028-01-08"},
				{"2028-01-15", "2028-01-29"}, {"2028-02-03", "2028-02-03"}, {"2027-06-01", "2027-12-31"}} {
				for kept, oracle := range map[string]string{
					"occupancy($1, $2::text::date, $3::text::date)": "pg_temp.old_occupancy($1, " +
						"$2::text::date, $3::text::date)",
					"revenue($1, $2::text::date, $3::text::date, 'room')": "pg_temp.old_revenue($1, " +
						"$2::text::date, $3::text::date, 'room')",
					"revenue($1, $2::text::date, $3::text::date, 'channel')": "pg_temp.old_revenue($1, " +
						"$2::text::date, $3::text::date, 'channel')",
					"revenue($1, $2::text::date, $3::text::date, 'day')": "pg_temp.old_revenue($1, " +
						"$2::text::date, $3::text::date, 'day')",
					"revenue($1, $2::text::date, $3::text::date, 'week')": "pg_temp.old_revenue($1, " +
						"$2::text::date, $3::text::date, 'week')",
					"revenue($1, $2::text::date, $3::text::date, 'month')": "pg_temp.old_revenue($1, " +
						"$2::text::date, $3::text::date, 'month')",
					"client_report($1, $2::text::date, $3::text::date, 5)": "pg_temp.old_client_report($1, " +
						"$2::text::date, $3::text::date, 5)",
				} {
					const all = `select coalesce(jsonb_agg(to_jsonb(x)), '[]')::text from `
					args := []any{p.entity, period[0], period[1]}
					got, want := ask[string](t, tx, all+kept+` x`, args...), ask[string](t, tx, all+oracle+` x`,
						args...)
					if got != want {
						t.Errorf("seed %d, %s of %v:\n%s\nwant\n%s", seed, kept, period, got, want)
					}
				}
			}
		})
	}
}

// A stranger and a member of another organisation see no figures.
func TestFiguresAreTheirOwnersOnly(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.mustBook(t, conn, "2028-01-01", "2028-01-04", "confirmed", p.room(t, conn, "COCO"))
	const sold = `select coalesce(sum(nights), 0) from app.sold($1, '2028-01-01', '2028-02-01', 'type')`
	nights := func(who person) (n int) {
		who.see(t, conn, func(tx pgx.Tx) { n = ask[int](t, tx, sold, p.entity) })
		return n
	}
	if mine, theirs := nights(p), nights(newOrg(t, conn, "admin")); mine != 3 || theirs != 0 {
		t.Errorf("the member sees %d nights, the stranger %d", mine, theirs)
	}
	wantState(t, p.run(t.Context(), conn, nil, `select from app.night_figures`), "42501")
}
