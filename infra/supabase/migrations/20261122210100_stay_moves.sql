-- Rooms are sold by type. A stay has a unit from the beginning, but until the
-- guest checks in it may be given another one of the same type, unless somebody
-- pinned it: the person named the unit, the guest is in the house, or the
-- reservation is for several units together. A booking, a change of one or a
-- restoration is refused only when some night of it has no free unit of the
-- type, or when blocks and pinned stays leave no arrangement; stays that are not
-- pinned and have not begun move to make room, in the same transaction.

-- Whether a person chose this unit. Like the rest of the row it is never updated.
alter table public.reservation_rooms add column unit_pinned boolean not null default false;

-- The nights as plain dates: row policies let an index be asked about these, and
-- not about ranges. unit_pinned follows from reservation_rooms and the status.
alter table public.stays
  add column starts_on date generated always as (lower(period)) stored,
  add column ends_on date generated always as (upper(period)) stored,
  add column unit_pinned boolean not null default false;
create index reservations_pending on public.reservations (org_id, entity_id, check_in, check_out) where status = 'pending';
create index stays_unit on public.stays (org_id, room_id, starts_on, ends_on) where active;
create index stays_pinned on public.stays (org_id, room_id, starts_on) where active and (kind = 'block' or unit_pinned);

alter table public.stays disable trigger user;
update public.stays s set unit_pinned = true
from public.reservations r
where r.org_id = s.org_id and r.id = s.reservation_id
  and (r.status in ('checked_in', 'checked_out')
       or (select count(*) from public.reservation_rooms q where q.org_id = r.org_id and q.reservation_id = r.id) > 1);
alter table public.stays enable trigger user;

-- Whether a guest with this status has got the unit's key.
create function app.in_unit(p_status text) returns boolean
language sql immutable set search_path = '' as $$
  select p_status in ('checked_in', 'checked_out')
$$;

-- After new rooms: one stay each. All units are locked first, in ascending
-- order, before any row meets the constraint. The stays of a reservation with
-- several units are pinned.
create or replace function app.rooms_taken() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_several constant boolean := exists (
    select from added a join public.reservation_rooms q
      on q.org_id = a.org_id and q.reservation_id = a.reservation_id and q.room_id <> a.room_id);
begin
  perform 1 from public.rooms r
  where (r.org_id, r.id) in (select a.org_id, a.room_id from added a)
  order by r.id for no key update;
  insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, active, unit_pinned)
  select a.org_id, a.entity_id, a.room_id, 'booking', a.reservation_id,
         daterange(r.check_in, r.check_out, '[)'), app.takes_nights(r.status),
         a.unit_pinned or app.in_unit(r.status) or v_several and exists (
           select from public.reservation_rooms q
           where q.org_id = a.org_id and q.reservation_id = a.reservation_id and q.room_id <> a.room_id)
  from added a
  join public.reservations r on r.org_id = a.org_id and r.entity_id = a.entity_id and r.id = a.reservation_id
  where r.check_in < r.check_out
  order by a.room_id;
  if v_several then
    update public.stays s set unit_pinned = true
    from public.stays o
    where (o.org_id, o.reservation_id) in (select a.org_id, a.reservation_id from added a)
      and s.org_id = o.org_id and s.reservation_id = o.reservation_id and s.room_id <> o.room_id and not s.unit_pinned;
  end if;
  return null;
end $$;

-- Locks all units of the types in which these reservations have units. A stay
-- that is not pinned may be moved until then, but only within its type.
create function app.lock_types_of(p_org uuid, p_reservations uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_rooms(p_org, array(
    select u.id from public.rooms u
    where u.org_id = p_org and u.room_type_id in (
      select k.room_type_id from public.reservation_rooms q
      join public.rooms k on k.org_id = q.org_id and k.id = q.room_id
      where q.org_id = p_org and q.reservation_id = any (p_reservations))));
end $$;

-- After a change of dates or status, the stays follow. A cancelled booking frees
-- its nights in the same statement; the guest who checks in has the unit for good.
create or replace function app.stays_follow() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_came constant boolean := app.in_unit(new.status) and not app.in_unit(old.status);
begin
  if not v_came and (new.check_in, new.check_out, app.takes_nights(new.status))
                    is not distinct from (old.check_in, old.check_out, app.takes_nights(old.status)) then
    return null;
  end if;
  perform app.lock_types_of(new.org_id, array[new.id]);
  if new.check_in = new.check_out or old.check_in = old.check_out then
    delete from public.stays where org_id = new.org_id and reservation_id = new.id;
    insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, active, unit_pinned)
    select new.org_id, new.entity_id, q.room_id, 'booking', new.id,
           daterange(new.check_in, new.check_out, '[)'), app.takes_nights(new.status),
           q.unit_pinned or app.in_unit(new.status) or count(*) over () > 1
    from public.reservation_rooms q
    where q.org_id = new.org_id and q.reservation_id = new.id and new.check_in < new.check_out
    order by q.room_id;
  else
    update public.stays
    set period = daterange(new.check_in, new.check_out, '[)'), active = app.takes_nights(new.status), unit_pinned = unit_pinned or v_came
    where org_id = new.org_id and reservation_id = new.id;
  end if;
  return null;
end $$;

-- What takes a night of [p_from, p_to) in these units, without the holds that are
-- over. One plan serves all calls (an index probe for each unit), so no call plans. Active stays of a unit never overlap, so the last one that begins by
-- p_from and those that begin after it are all, however long the history is.
-- It reads past the row policies, which cost more than the answer, so members get
-- that of their own organisation only.
--   status   of the reservation; null for blocks
create function app.taken_units(p_org uuid, p_units uuid[], p_from date, p_to date)
returns table (room_id uuid, kind text, reservation_id uuid, block_id uuid, starts_on date, ends_on date, unit_pinned boolean, status text)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if current_setting('role', true) = 'authenticated' and p_org is distinct from app.org_id() then
    return;
  end if;
  return query
  select s.room_id, s.kind, s.reservation_id, s.block_id, s.starts_on, s.ends_on, s.unit_pinned, h.status
  from unnest(p_units) u (id)
  cross join lateral (
    select k.* from public.stays k
    where k.org_id = p_org and k.room_id = u.id and k.active and k.starts_on < p_to and k.ends_on > p_from
      and k.starts_on >= coalesce((
        select b.starts_on from public.stays b
        where b.org_id = p_org and b.room_id = u.id and b.active and b.starts_on <= p_from
        order by b.starts_on desc limit 1), p_from)
    offset 0) s
  left join lateral (
    select r.status, r.hold_until from public.reservations r where r.org_id = p_org and r.id = s.reservation_id limit 1) h on true
  where (h.status = 'pending' and h.hold_until <= clock_timestamp()) is not true;
end $$;

-- What takes a unit of the property for a night of [p_from, p_to): bookings and
-- blocks, without the holds that are over.
create or replace function app.taken(p_entity uuid, p_from date, p_to date)
returns table (room_id uuid, kind text, reservation_id uuid, block_id uuid, starts_on date, ends_on date)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  select k.room_id, k.kind, k.reservation_id, k.block_id, k.starts_on, k.ends_on
  from public.entities e
  cross join lateral app.taken_units(e.org_id, array(select r.id from public.rooms r where r.entity_id = p_entity), p_from, p_to) k
  where e.id = p_entity;
end $$;

-- The active units of a type that nothing takes for p_nights from one of the
-- days p_starts, with that day. Bookings in p_except and holds that are over take
-- nothing.
create or replace function app.free_units(p_entity uuid, p_type uuid, p_starts date[], p_nights int, p_except uuid)
returns table (starts_on date, room_id uuid, code text, sort int)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_org constant uuid := (select e.org_id from public.entities e where e.id = p_entity);
  v_units constant uuid[] := array(
    select r.id from public.rooms r where r.org_id = v_org and r.entity_id = p_entity and r.room_type_id = p_type and r.active);
begin
  return query
  with taken as materialized (
    select k.room_id, k.starts_on, k.ends_on
    from app.taken_units(v_org, v_units, (select min(d) from unnest(p_starts) d), (select max(d) from unnest(p_starts) d) + p_nights) k
    where (k.reservation_id = p_except) is not true
  )
  select d, u.id, u.code, u.sort
  from unnest(p_starts) d cross join public.rooms u
  where u.org_id = v_org and u.id = any (v_units)
    and not exists (select from taken t where t.room_id = u.id and t.starts_on < d + p_nights and t.ends_on > d);
end $$;

-- How many of these units are free in the fullest night of [p_from, p_to).
create function app.nightly_free(p_org uuid, p_units uuid[], p_from date, p_to date, p_except uuid) returns int
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return cardinality(p_units) - coalesce((
    select max(t.n)::int from (
      select sum(sum(s.n)) over (order by s.night) as n
      from (
        -- One more from the first night of a stay on, one less from the day of departure on.
        select e.night, e.n
        from app.taken_units(p_org, p_units, p_from, p_to) k
        cross join lateral (values (greatest(k.starts_on, p_from), 1), (k.ends_on, -1)) e (night, n)
        where (k.reservation_id = p_except) is not true) s
      group by s.night) t), 0);
end $$;

-- Where a stay may go, and at what price: the units that could take [p_from, p_to)
-- when the stays "away" moved out, those with the fewest, that begin last, first. Stays of p_gone
-- are not there any more, those of p_done stand in their new units and stay.
--   p_only   this unit and no other, unless it is null
--   p_side   1: only units that are free in the first night; -1: in the last one; 0: any
--   away     [{"id", "was", "from", "to"}]
create function app.places_for(p_org uuid, p_units uuid[], p_today date, p_from date, p_to date, p_only uuid, p_gone uuid[],
                               p_done jsonb, p_side int, p_most int)
returns table (room_id uuid, away jsonb)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select u.id, coalesce(jsonb_agg(jsonb_build_object('id', k.reservation_id, 'was', u.id, 'from', k.starts_on, 'to', k.ends_on)
                                  order by k.starts_on) filter (where k.room_id is not null), '[]')
  from unnest(p_units) with ordinality u (id, o)
  left join app.taken_units(p_org, p_units, p_from, p_to) k
    on k.room_id = u.id and (k.reservation_id = any (p_gone)) is not true
  where (p_only is null or u.id = p_only)
    and not exists (select from jsonb_to_recordset(p_done) d (unit uuid, "from" date, "to" date)
                    where d.unit = u.id and d."from" < p_to and d."to" > p_from)
  group by u.id, u.o
  having coalesce(bool_and(k.room_id is null or k.kind = 'booking' and not k.unit_pinned and k.status in ('pending', 'confirmed')
                           and k.starts_on >= p_today), true)
    and coalesce(bool_and(case p_side when 1 then k.starts_on > p_from when -1 then k.ends_on < p_to else true end), true)
    and count(k.room_id) <= p_most
  order by count(k.room_id),
    case p_side when 1 then min(k.starts_on) - p_from when -1 then p_to - max(k.ends_on) else min(k.starts_on) - p_today end
      desc nulls first, u.o;
end $$;

-- Finds units for all of p_queue, [{"id", "was", "from", "to", "only"}], where "id"
-- is the reservation of a stay that has to leave the unit "was", and null for what
-- is to be booked. At most p_most stays move in all. It tries one unit after the
-- other and gives up after p_looks looks.
--   plan   the queue and what moved for it, each with its "unit"; null when nothing was found
create function app.rearranged(p_org uuid, p_units uuid[], p_today date, p_except uuid, p_queue jsonb, p_done jsonb, p_most int,
                               inout p_looks int, out plan jsonb)
language plpgsql stable set search_path = '' as $$
declare
  v_next jsonb := p_queue -> 0;
  v_gone constant uuid[] := array(select (x ->> 'id')::uuid from jsonb_array_elements(p_queue || p_done) x where x ->> 'id' is not null)
                            || p_except;
  v_left constant int := p_most - (select count(*) from jsonb_array_elements(p_queue || p_done) x where x ->> 'id' is not null);
  v_place record;
begin
  if v_next is null then
    plan := p_done;
    return;
  end if;
  p_looks := p_looks - 1;
  for v_place in
    select * from app.places_for(p_org, p_units, p_today, (v_next ->> 'from')::date, (v_next ->> 'to')::date,
                                 (v_next ->> 'only')::uuid, v_gone, p_done, 0, v_left) loop
    select r.p_looks, r.plan into p_looks, plan
    from app.rearranged(p_org, p_units, p_today, p_except, (p_queue - 0) || v_place.away,
                        p_done || (v_next || jsonb_build_object('unit', v_place.room_id)), p_most, p_looks) r;
    exit when plan is not null or p_looks <= 0;
  end loop;
end $$;

-- The same without trying: from the first night on (p_side 1), or from the last
-- one back (-1), each stay takes a unit that is free then, and the stays that it
-- meets there move on. As long as no night is over-full and nothing is pinned,
-- there always is one. Null where something pinned is in the way.
create function app.shifted(p_org uuid, p_units uuid[], p_today date, p_except uuid, p_queue jsonb, p_side int) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_queue jsonb := p_queue;
  v_done jsonb := '[]';
  v_gone uuid[] := array[p_except];
  v_next jsonb;
  v_at int;
  v_place record;
begin
  while v_queue <> '[]' loop
    select x, o - 1 into v_next, v_at
    from jsonb_array_elements(v_queue) with ordinality e (x, o)
    order by x ->> 'only' is null, case p_side when 1 then (x ->> 'from')::date - date '2000-01-01' else date '2000-01-01' - (x ->> 'to')::date end, o
    limit 1;
    select * into v_place
    from app.places_for(p_org, p_units, p_today, (v_next ->> 'from')::date, (v_next ->> 'to')::date, (v_next ->> 'only')::uuid,
                        v_gone, v_done, case when v_next ->> 'only' is null then p_side else 0 end, 1000)
    limit 1;
    if not found then
      return null;
    end if;
    v_done := v_done || (v_next || jsonb_build_object('unit', v_place.room_id));
    v_gone := v_gone || array(select (x ->> 'id')::uuid from jsonb_array_elements(v_place.away) x);
    v_queue := (v_queue - v_at) || v_place.away;
  end loop;
  return v_done;
end $$;

-- How p_wanted rooms of one type, [{"place", "only"}], get units for the nights
-- [p_from, p_to): with the fewest moves of other stays that were found. Null when a
-- night has too few free units, or when what is pinned and blocked leaves no way.
create function app.arrangement(p_org uuid, p_units uuid[], p_wanted jsonb, p_from date, p_to date, p_today date, p_except uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_queue constant jsonb := (
    select jsonb_agg(w || jsonb_build_object('id', null, 'from', p_from, 'to', p_to) order by w ->> 'only' is null, o)
    from jsonb_array_elements(p_wanted) with ordinality e (w, o));
  -- A look costs as much as there are units.
  v_looks constant int := greatest(4, least(40, 400 / greatest(cardinality(p_units), 1)));
  v_most int;
  v_plan jsonb;
  v_other jsonb;
begin
  if app.nightly_free(p_org, p_units, p_from, p_to, p_except) < jsonb_array_length(p_wanted) then
    return null;
  end if;
  foreach v_most in array array[0, 1, 2, 3] loop
    select r.plan into v_plan from app.rearranged(p_org, p_units, p_today, p_except, v_queue, '[]', v_most, v_looks) r;
    if v_plan is not null then
      return v_plan;
    end if;
  end loop;
  v_plan := app.shifted(p_org, p_units, p_today, p_except, v_queue, 1);
  if v_plan is null or jsonb_array_length(v_plan) > jsonb_array_length(v_queue) + 6 then
    v_other := app.shifted(p_org, p_units, p_today, p_except, v_queue, -1);
    if v_plan is null or jsonb_array_length(v_other) < jsonb_array_length(v_plan) then
      v_plan := v_other;
    end if;
  end if;
  if v_plan is null then
    select r.plan into v_plan from app.rearranged(p_org, p_units, p_today, p_except, v_queue, '[]', 100, 6 * v_looks) r;
  end if;
  return v_plan;
end $$;

-- How many units of a type can be sold for all of the nights [p_from, p_to), once
-- the stays that nobody pinned have made room: from p_least, the units that are
-- free now, to p_most, those that are free in the fullest night. Where something
-- is pinned or blocked later on, it is p_least, or 1 if one can be had by moves.
create function app.sellable(p_entity uuid, p_type uuid, p_from date, p_to date, p_least int, p_most int) returns int
language plpgsql stable set search_path = '' as $$
declare
  v_org uuid;
  v_today date;
  v_units uuid[];
begin
  if p_most <= p_least then
    return p_least;
  end if;
  select e.org_id, (clock_timestamp() at time zone e.time_zone)::date into v_org, v_today from public.entities e where e.id = p_entity;
  v_units := array(select r.id from public.rooms r where r.org_id = v_org and r.room_type_id = p_type and r.active order by r.sort, r.code);
  -- app.shifted leaves what has begun by p_from alone, and succeeds when all else may move.
  if p_from >= v_today and not exists (
    select from public.stays s
    where s.org_id = v_org and s.room_id = any (v_units) and s.active and s.starts_on > p_from and (s.kind = 'block' or s.unit_pinned)) then
    return p_most;
  end if;
  if p_least = 0 and app.arrangement(v_org, v_units, '[{"place": 1, "only": null}]', p_from, p_to, v_today, null) is not null then
    return 1;
  end if;
  return p_least;
end $$;

-- Units for each of p_wanted, [{"room": type's code, "unit": code or null}], in its
-- order, and the moves of other stays that make room for them. Units in p_prefer
-- come first, p_except is a booking whose own nights do not count.
--   rooms   ids
--   moves   [{"id", "was", "unit", "from", "to"}]: the reservation moves from one unit to the other
-- Raises PT404 for what there is not, PT409 'not_available' with what is taken
-- and what is free instead. Without p_search no moves are looked for: who may
-- have to wait for others first only hears whether the nights are full.
create function app.plan_units(p_entity uuid, p_wanted jsonb, p_from date, p_to date, p_today date,
                               p_except uuid default null, p_prefer uuid[] default '{}', p_search boolean default true) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_picked uuid[] := array_fill(null::uuid, array[jsonb_array_length(p_wanted)]);
  v_short uuid[] := '{}';
  v_moves jsonb := '[]';
  w record;
  v_org uuid;
  v_type uuid;
  v_room uuid;
  v_units uuid[];
  v_plan jsonb;
begin
  -- A unit that is asked for by name is not given away to somebody who takes any.
  for w in select o::int as place, v ->> 'room' as room, v ->> 'unit' as unit
           from jsonb_array_elements(p_wanted) with ordinality e (v, o)
           order by v ->> 'unit' is null, o loop
    select t.org_id, t.id into v_org, v_type from public.room_types t where t.entity_id = p_entity and t.code = w.room;
    if not found then
      raise sqlstate 'PT404' using message = 'unknown_room', detail = format('There is no room type %s.', w.room);
    end if;
    if w.unit is not null and not exists (
      select from public.rooms r where r.entity_id = p_entity and r.room_type_id = v_type and r.code = w.unit) then
      raise sqlstate 'PT404' using message = 'unknown_unit', detail = format('%s has no unit %s.', w.room, w.unit);
    end if;
    select f.room_id into v_room
    from app.free_units(p_entity, v_type, array[p_from], p_to - p_from, p_except) f
    where (w.unit is null or f.code = w.unit) and (f.room_id = any (v_picked)) is not true
    order by f.room_id = any (p_prefer) desc, f.sort, f.code limit 1;
    if found then
      v_picked[w.place] := v_room;
    elsif v_type <> all (v_short) then
      v_short := v_short || v_type;
    end if;
  end loop;
  foreach v_type in array v_short loop
    v_units := array(select r.id from public.rooms r where r.org_id = v_org and r.room_type_id = v_type and r.active
                     order by r.id = any (p_prefer) desc, r.sort, r.code);
    if cardinality(v_units) < 2 then
      v_plan := null; -- nothing can move
    elsif p_search then
      v_plan := app.arrangement(v_org, v_units, (
        select jsonb_agg(jsonb_build_object('place', o, 'only', u.id) order by o)
        from jsonb_array_elements(p_wanted) with ordinality e (v, o)
        join public.room_types t on t.org_id = v_org and t.id = v_type and t.code = v ->> 'room'
        left join public.rooms u on u.org_id = v_org and u.room_type_id = v_type and u.code = v ->> 'unit'), p_from, p_to, p_today, p_except);
    else
      v_plan := case when app.nightly_free(v_org, v_units, p_from, p_to, p_except) >= (
        select count(*) from jsonb_array_elements(p_wanted) v
        join public.room_types t on t.org_id = v_org and t.id = v_type and t.code = v ->> 'room') then '[]' end;
    end if;
    if v_plan is null then
      raise sqlstate 'PT409' using message = 'not_available', detail = (
        select app.say_taken(p_entity, t.code, min(v ->> 'unit'), count(*)::int, p_from, p_to, p_today, p_except)
        from public.room_types t join jsonb_array_elements(p_wanted) v on v ->> 'room' = t.code
        where t.org_id = v_org and t.id = v_type group by t.code);
    end if;
    for w in select (x ->> 'place')::int as place, (x ->> 'unit')::uuid as unit, x ->> 'id' as id, x as entry
             from jsonb_array_elements(v_plan) x loop
      if w.id is null then
        v_picked[w.place] := w.unit;
      else
        v_moves := v_moves || w.entry;
      end if;
    end loop;
  end loop;
  return jsonb_build_object('rooms', to_jsonb(v_picked), 'moves', v_moves);
end $$;
drop function app.pick_rooms(uuid, jsonb, date, date, date, uuid, uuid[]);

-- Queues for all units of these types, and p_also, in one order for everybody.
-- Whoever is through sees what was booked before, and nobody else books there
-- until the transaction ends. Returns the holds that are over and in the way;
-- their units are queued for, too.
create or replace function app.queue_for(p_org uuid, p_entity uuid, p_types text[], p_also uuid[], p_from date, p_to date) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_rooms uuid[];
  v_over uuid[];
begin
  select array_agg(r.id) into v_rooms
  from public.rooms r join public.room_types t on t.org_id = r.org_id and t.id = r.room_type_id
  where r.org_id = p_org and r.entity_id = p_entity and t.code = any (p_types);
  v_rooms := v_rooms || coalesce(p_also, '{}');
  -- Of the pending ones, since these are few.
  select array_agg(h.id) into v_over
  from public.reservations h
  where h.org_id = p_org and h.entity_id = p_entity and h.status = 'pending' and h.hold_until <= clock_timestamp()
    and h.check_in < p_to and h.check_out > p_from
    and exists (select from public.reservation_rooms q where q.org_id = p_org and q.reservation_id = h.id and q.room_id = any (v_rooms));
  if v_over is not null then
    v_rooms := v_rooms || array(select q.room_id from public.reservation_rooms q where q.org_id = p_org and q.reservation_id = any (v_over));
  end if;
  perform app.lock_rooms(p_org, v_rooms);
  -- One that was moved to other units while this waited is left alone: to end it
  -- would lock those units out of order.
  return nullif(array(select o.id from unnest(v_over) o (id)
    where not exists (select from public.reservation_rooms q
                      where q.org_id = p_org and q.reservation_id = o.id and q.room_id <> all (v_rooms))), '{}');
end $$;

-- Carries out the moves of a plan. All units of the types are locked by now.
-- Holds that are over are cancelled where something moves to. Nobody's price
-- changes: the nightly lines go along. While app.moving is on, triggers that
-- keep figures by room type have nothing to do.
create function app.move_stays(p_org uuid, p_entity uuid, p_moves jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  v_count int;
begin
  if p_moves = '[]' then
    return;
  end if;
  perform app.end_holds(p_org, nullif(array(
    select distinct h.id
    from jsonb_to_recordset(p_moves) m (unit uuid, "from" date, "to" date)
    join public.stays s on s.org_id = p_org and s.room_id = m.unit and s.active and s.starts_on < m."to" and s.ends_on > m."from"
    join public.reservations h on h.org_id = p_org and h.id = s.reservation_id and h.status = 'pending' and h.hold_until <= clock_timestamp()
    -- The units of others may not be locked.
    where (select count(*) from public.reservation_rooms q where q.org_id = p_org and q.reservation_id = h.id) = 1), '{}'));
  perform set_config('app.moving', 'on', true);
  delete from public.reservation_rooms q using jsonb_to_recordset(p_moves) m (id uuid, was uuid)
  where q.org_id = p_org and q.reservation_id = m.id and q.room_id = m.was;
  get diagnostics v_count = row_count;
  if v_count <> jsonb_array_length(p_moves) then
    raise sqlstate 'PT409' using message = 'not_available', detail = 'Somebody changed a stay that was to make room just now. Please try again.';
  end if;
  insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
  select p_org, p_entity, m.id, m.unit from jsonb_to_recordset(p_moves) m (id uuid, unit uuid);
  update public.reservation_nights n set room_id = m.unit
  from jsonb_to_recordset(p_moves) m (id uuid, was uuid, unit uuid)
  where n.org_id = p_org and n.reservation_id = m.id and n.room_id = m.was;
  perform set_config('app.moving', 'off', true);
end $$;

-- What a preview may show of a reservation's details: a unit that nobody pinned
-- is left out (null), so that a move to make room leaves the preview true.
create function app.without_units(p_details jsonb, p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select case when p_details is null or exists (
      select from public.reservations r join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
      left join public.stays s on s.org_id = q.org_id and s.reservation_id = q.reservation_id and s.room_id = q.room_id
      where r.entity_id = p_entity and r.code = p_details ->> 'code' and (q.unit_pinned or s.unit_pinned)) then p_details
    else p_details || jsonb_build_object(
      'rooms', (select coalesce(jsonb_agg(x || '{"unit": null}' order by o), '[]') from jsonb_array_elements(p_details -> 'rooms') with ordinality e (x, o)),
      'nightly', (select coalesce(jsonb_agg(x || '{"unit": null}' order by o), '[]') from jsonb_array_elements(p_details -> 'nightly') with ordinality e (x, o)))
    end
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.lock_types_of(uuid, uuid[]), app.taken_units(uuid, uuid[], date, date),
  app.nightly_free(uuid, uuid[], date, date, uuid),
  app.places_for(uuid, uuid[], date, date, date, uuid, uuid[], jsonb, int, int),
  app.rearranged(uuid, uuid[], date, uuid, jsonb, jsonb, int, int), app.shifted(uuid, uuid[], date, uuid, jsonb, int),
  app.arrangement(uuid, uuid[], jsonb, date, date, date, uuid), app.sellable(uuid, uuid, date, date, int, int),
  app.plan_units(uuid, jsonb, date, date, date, uuid, uuid[], boolean), app.move_stays(uuid, uuid, jsonb),
  app.without_units(jsonb, uuid) to authenticated;
