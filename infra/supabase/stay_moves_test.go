package supabase_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"
)

// replay asks for p_count rooms with random nights, types and lengths, as
// create_booking does, and counts what came of it. A request may be refused only
// when one of its nights has no free unit of the type, which is counted here night
// by night. One in p_named names a unit, one in five of the stays made so far
// leaves again.
const replay = `
create function pg_temp.replay(p_org uuid, p_entity uuid, p_count int, p_named int) returns jsonb language plpgsql as
	$$
declare
  v_types text[] := array(select code from public.room_types where entity_id = p_entity order by code);
  v_type text; v_unit text; v_from date; v_to date; v_plan jsonb; v_id uuid; v_full boolean;
  v_made int := 0; v_refused int := 0; v_wrong int := 0; v_moved int := 0; v_moves int := 0;
begin
  for i in 1 .. p_count loop
    v_type := v_types[1 + floor(random() * cardinality(v_types))];
    v_from := date '2030-01-01' + floor(random() * 60)::int;
    v_to := v_from + 1 + floor(random() * random() * 12)::int;
    v_unit := null;
    if p_named > 0 and i % p_named = 0 then
      select u.code into v_unit from public.rooms u join public.room_types t on t.id = u.room_type_id where
      	t.entity_id = p_entity and t.code = v_type order by random() limit 1;
    end if;
    select count(*) > 0 into v_full from generate_series(v_from::timestamp, v_to - 1, '1 day') n
    where (select count(*) from public.rooms u join public.room_types t on t.id = u.room_type_id
           where u.entity_id = p_entity and t.code = v_type and not exists (
             select from public.stays s where s.org_id = p_org and s.room_id = u.id and s.active and s.starts_on <=
             	n::date and s.ends_on > n::date)) = 0;
    begin
      v_plan := app.plan_units(p_entity, jsonb_build_array(jsonb_build_object('room', v_type, 'unit', v_unit)),
      	v_from, v_to, '2029-12-01');
      perform app.move_stays(p_org, p_entity, v_plan -> 'moves');
      insert into public.reservations (org_id, entity_id, check_in, check_out, guest_name, currency)
      values (p_org, p_entity, v_from, v_to, 'Guest', 'INR') returning id into v_id;
      insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id, unit_pinned)
      values (p_org, p_entity, v_id, (v_plan -> 'rooms' ->> 0)::uuid, v_unit is not null);
      v_made := v_made + 1;
      v_moves := v_moves + jsonb_array_length(v_plan -> 'moves');
      v_moved := v_moved + (v_plan -> 'moves' <> '[]')::int;
      v_wrong := v_wrong + v_full::int;
    exception when sqlstate 'PT409' then
      v_refused := v_refused + 1;
      if not v_full then v_wrong := v_wrong + 1; end if;
    end;
    if i % 5 = 0 then
      update public.reservations set status = 'cancelled'
      where id = (select id from public.reservations where org_id = p_org and status = 'confirmed' order by random()
      	limit 1);
    end if;
  end loop;
  return jsonb_build_object('made', v_made, 'refused', v_refused, 'wrong', v_wrong, 'moved', v_moved, 'moves',
  	v_moves);
end $$;`

type replayed struct{ Made, Refused, Wrong, Moved, Moves int }

// kind makes a room type with so many units.
func (p person) kind(t *testing.T, conn *pgx.Conn, code string, units int) {
	t.Helper()
	p.room(t, conn, code)
	exec(t, conn, `insert into public.rooms (org_id, entity_id, room_type_id, code)
		select org_id, entity_id, id, code || '-' || n from public.room_types, generate_series(2, $3) n where org_id
			= $1 and code = $2`,
		p.org, code, units)
}

// TestNoRequestIsRefusedWhileEachNightHasAFreeUnit replays 1,000 requests against
// a count of the nights.
func TestNoRequestIsRefusedWhileEachNightHasAFreeUnit(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	exec(t, conn, replay)
	for seed := range 2 {
		p := newOrg(t, conn, "manager")
		p.kind(t, conn, "COCO", 3)
		p.kind(t, conn, "OAK", 5+3*seed)
		exec(t, conn, `select setseed($1)`, 0.1*float64(seed))
		got := ask[replayed](t, conn, `select pg_temp.replay($1, $2, 500, 0)`, p.org, p.entity)
		if got.Wrong != 0 || got.Moved < 5 || got.Refused < 50 || got.Made < 100 {
			t.Errorf("seed %d: %+v", seed, got)
		}
		if got.Moves > 3*got.Moved {
			t.Errorf("seed %d: %d stays made room for %d bookings", seed, got.Moves, got.Moved)
		}
	}
}

// Stays whose unit a user named stay where they are, and so do blocks and guests
// in the house; what can't be arranged around them is refused, and says why.
func TestPinnedStaysStay(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	exec(t, conn, replay)
	p := newOrg(t, conn, "manager")
	p.kind(t, conn, "COCO", 4)
	exec(t, conn, `select setseed(0.5)`)
	exec(t, conn, `create table pg_temp.pins as select reservation_id, room_id from public.reservation_rooms where
		false`)
	exec(t, conn, `create function pg_temp.pin() returns trigger language plpgsql as $$ begin insert into
		pg_temp.pins values (new.reservation_id, new.room_id); return null; end $$`)
	exec(t, conn, `create trigger pins after insert on public.reservation_rooms for each row when (new.unit_pinned)
		execute function pg_temp.pin()`)
	got := ask[replayed](t, conn, `select pg_temp.replay($1, $2, 200, 4)`, p.org, p.entity)
	exec(t, conn, `drop trigger pins on public.reservation_rooms`)
	if got.Made < 50 || got.Moved == 0 {
		t.Errorf("%+v", got)
	}
	if n := ask[int](t, conn, `select count(*) from pg_temp.pins p where not exists (
		select from public.reservation_rooms q where (q.reservation_id, q.room_id) = (p.reservation_id, p.room_id)
			and q.unit_pinned)`); n != 0 {
		t.Errorf("%d pinned stays have moved", n)
	}
}

// A booking of 1 to 4 May in two units: 1 and 2 May are taken in the first one,
// 3 May in the second one.
func TestWhatMayMoveAndWhatMayNot(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	tests := map[string]struct {
		before string // what happens to the stay in the first unit
		want   string
	}{
		"nobody pinned it": {"", ""},
		"the guest is in the house": {`update public.reservations set status = 'checked_in' where id = $1`,
			"PT409 not_available"},
		"it began yesterday": {`update public.reservations set check_in = '2030-04-25', check_out =
			'2030-05-03' where id = $1`, "PT409 not_available"},
		"it is cancelled": {`update public.reservations set status = 'cancelled' where id = $1`, ""},
		"its hold is over": {`update public.reservations set status = 'pending', hold_until = now() -
			interval '1 hour' where id = $1`, ""},
		"its hold goes on": {`update public.reservations set status = 'pending', hold_until = now() +
			interval '1 hour' where id = $1`, ""},
		"it has another unit elsewhere": {`insert into public.reservation_rooms (org_id, entity_id, reservation_id,
			room_id) select org_id, entity_id, $1, id from public.rooms where code = 'OAK' and org_id =
			(select org_id from public.reservations where id = $1)`, "PT409 not_available"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newOrg(t, conn, "manager")
			first := p.room(t, conn, "COCO")
			p.kind(t, conn, "OAK", 1)
			exec(t, conn, `insert into public.rooms (org_id, entity_id, room_type_id, code) select org_id,
				entity_id, id, 'COCO-2' from public.room_types where org_id = $1 and code = 'COCO'`, p.org)
			second := ask[string](t, conn, `select id from public.rooms where org_id = $1 and code = 'COCO-2'`, p.org)
			one := p.mustBook(t, conn, "2030-05-01", "2030-05-03", "confirmed", first)
			p.block(t, conn, "2030-05-03", "2030-05-04", second)
			if tt.before != "" {
				exec(t, conn, tt.before, one)
			}
			err := p.run(t.Context(), conn, nil,
				`select public.create_booking($1, '{"today": "2030-04-26", "checkIn": "2030-05-01",
				"checkOut": "2030-05-04", "guest": {"name": "Asha"}, "rooms": [{"room": "COCO", "adults": 1}]}')`,
				p.entity)
			wantState(t, err, tt.want)
			if n := ask[int](t, conn, `select count(*) from public.stays s join public.reservation_nights n
				on n.org_id = s.org_id and n.reservation_id = s.reservation_id and n.room_id = s.room_id
				where s.org_id = $1 and s.reservation_id = $2 and s.room_id <> $3`, p.org, one,
				first); (n > 0) != (name == "nobody pinned it" || name == "its hold goes on") {
				t.Errorf("the first stay has %d nights in another unit", n)
			}
		})
	}
}

// F-12: sixteen clients book, extend, cancel and restore in three units at once:
// nothing overlaps, no one deadlocks, and what moved took its nightly lines along.
func TestMovesUnderManyClients(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.kind(t, conn, "COCO", 3)
	counts := race(t, 16, func(i int, conn *pgx.Conn) error {
		dice := rand.New(rand.NewPCG(5, uint64(i)))
		for range 6 {
			from := dice.IntN(24)
			err := p.run(context.Background(), conn, nil, fmt.Sprintf(
				`select public.create_booking($1, jsonb_build_object('today', '2029-12-01', 'checkIn', date
					'2030-01-01' + %d, 'checkOut', date '2030-01-01' + %d,
				'guest', '{"name": "Asha"}'::jsonb, 'rooms', '[{"room": "COCO", "adults": 1}]'::jsonb))`, from, from+1+
					dice.IntN(4)), p.entity)
			if state(err) == "40P01" {
				return err
			}
			mine := `(select code from public.reservations where org_id = app.org_id() order by md5(code || $2) ` +
				`limit 1)`
			act := []string{
				`select public.cancel_reservation($1, ` + mine + `, '')`,
				`select public.restore_reservation($1, ` + mine + `, '2029-12-01')`,
				`select public.edit_reservation($1, ` + mine +
					`, jsonb_build_object('checkOut', (select check_out + 1 from public.reservations where code = ` +
					mine + ` and org_id = app.org_id())), '2029-12-01')`,
			}[dice.IntN(3)]
			err = p.run(context.Background(), conn, nil, act, p.entity, fmt.Sprint(dice.Uint64()))
			if s := state(err); s != "" && s != "PT409 not_available" && s != "PT422 wrong_status" {
				return err
			}
		}
		return nil
	})
	if counts[""] != 16 {
		t.Errorf("%v", counts)
	}
	if n := ask[int](t, conn, `select count(*) from public.reservation_nights n where n.org_id = $1 and not exists (
		select from public.reservation_rooms q where (q.org_id, q.reservation_id, q.room_id) = (n.org_id,
			n.reservation_id, n.room_id))`, p.org); n != 0 {
		t.Errorf("%d nights are in a unit that their reservation has left", n)
	}
	if n := ask[int](t, conn, `select count(*) from public.audit where org_id = $1 and table_name =
		'reservation_rooms' and action = 'delete'`, p.org); n == 0 {
		t.Error("nothing moved, so this shows nothing")
	}
}
