-- Bookings and a year's figures at the same cost whatever the history is.
-- Functions that are defined again: what they return is as before.

-- Writes the rows of these reservations anew. The nightly lines are looked up one
-- by one: joined, a generic plan may read those of all organisations.
create or replace function app.figure_nights(p_org uuid, p_reservations uuid[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  delete from app.night_figures f where f.org_id = p_org and f.reservation_id = any (p_reservations);
  insert into app.night_figures (org_id, entity_id, night, reservation_id, slot, room_type_id, channel, arrival, leads,
                                 room, discount, extras, package_other, tax)
  select p_org, p.entity_id, p.check_in + n, p.id, p.slot, p.room_type_id, p.channel, (n = 0)::int,
         case when p.slot = 0 then 2 when p.of_type = 1 then 1 else 0 end,
         coalesce(100 * (l.amount + l.extra_guests), 0), coalesce(100 * l.discount, 0),
         case when p.extras_total = 0 then 0
              else 100 * (round(p.extras_total * (k + 1) / w, 2) - round(p.extras_total * k / w, 2)) end,
         case when p.package_other_total = 0 then 0
              else 100 * (round(p.package_other_total * (k + 1) / w, 2) - round(p.package_other_total * k / w, 2)) end,
         case when p.tax_total = 0 then 0
              else 100 * (round(p.tax_total * (k + 1) / w, 2) - round(p.tax_total * k / w, 2)) end
  from (
    select r.entity_id, r.id, r.check_in, r.nights, r.channel, r.extras_total, r.package_other_total, r.tax_total,
           q.room_id, u.room_type_id, count(*) over booking as rooms,
           row_number() over (booking order by q.room_id) - 1 as slot,
           row_number() over (partition by r.id, u.room_type_id order by q.room_id) as of_type
    from public.reservations r
    join public.reservation_rooms q on q.org_id = p_org and q.reservation_id = r.id
    join public.rooms u on u.org_id = p_org and u.id = q.room_id
    where r.org_id = p_org and r.id = any (p_reservations) and r.nights > 0
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
    window booking as (partition by r.id)
  ) p
  cross join lateral generate_series(0, p.nights - 1) n
  cross join lateral (values (p.slot * p.nights + n, p.rooms * p.nights)) s (k, w)
  left join lateral (
    select o.amount, o.extra_guests, o.discount from public.reservation_nights o
    where o.org_id = p_org and o.reservation_id = p.id and o.room_id = p.room_id and o.night = p.check_in + n
    limit 1) l on true;
end $$;

-- After a change of rooms or lines. A move within a type changes no figure, and
-- app.move_stays says so. Lines of a booking that has no room yet are counted when
-- it gets one.
create or replace function app.figures_follow() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_of record;
begin
  if current_setting('app.moving', true) = 'on' then
    return null;
  end if;
  for v_of in select c.org_id, array_agg(distinct c.reservation_id) as ids from changed c group by c.org_id loop
    if tg_table_name <> 'reservation_rooms' then
      -- One by one, so that no plan reads the rooms of all reservations.
      v_of.ids := array(
        select i from unnest(v_of.ids) i
        cross join lateral (
          select from public.reservation_rooms q where q.org_id = v_of.org_id and q.reservation_id = i limit 1) q);
    end if;
    if v_of.ids <> '{}' then
      perform app.figure_nights(v_of.org_id, v_of.ids);
    end if;
  end loop;
  return null;
end $$;

drop function app.taken_units(uuid, uuid[], date, date);
-- What takes a night of [p_from, p_to) in these units of one property, without the
-- holds that are over. One plan serves all calls (two index probes for each unit),
-- so no call plans. Active stays of a unit never overlap, so the last one that
-- begins by p_from and those that begin after it are all, however long the history
-- is; and of the holds only those that can reach the nights are asked whether they
-- are over. It reads past the row policies, which cost more than the answer, so
-- members get that of their own organisation only.
create function app.taken_units(p_org uuid, p_units uuid[], p_from date, p_to date)
returns table (room_id uuid, kind text, reservation_id uuid, block_id uuid, starts_on date, ends_on date,
               unit_pinned boolean)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_over uuid[];
begin
  if current_setting('role', true) = 'authenticated' and p_org is distinct from app.org_id() then
    return;
  end if;
  -- No stay is longer than 730 nights.
  v_over := array(
    select h.id from public.reservations h
    where h.org_id = p_org and h.status = 'pending' and h.hold_until <= clock_timestamp()
      and h.entity_id = (select u.entity_id from public.rooms u where u.org_id = p_org and u.id = p_units[1])
      and h.check_in < p_to and h.check_in >= greatest(p_from, '1900-01-01') - 730 and h.check_out > p_from);
  return query
  select s.room_id, s.kind, s.reservation_id, s.block_id, s.starts_on, s.ends_on, s.unit_pinned
  from unnest(p_units) u (id)
  cross join lateral (
    (select k.room_id, k.kind, k.reservation_id, k.block_id, k.starts_on, k.ends_on, k.unit_pinned
     from public.stays k
     where k.org_id = p_org and k.room_id = u.id and k.active and k.starts_on <= p_from and k.starts_on < p_to
     order by k.starts_on desc limit 1)
    union all
    select k.room_id, k.kind, k.reservation_id, k.block_id, k.starts_on, k.ends_on, k.unit_pinned
    from public.stays k
    where k.org_id = p_org and k.room_id = u.id and k.active and k.starts_on > p_from and k.starts_on < p_to) s
  where s.ends_on > p_from and (v_over = '{}' or (s.reservation_id = any (v_over)) is not true);
end $$;

-- The bookings with a night of [p_from, p_to) in these units that may not move:
-- pinned, in the house (which pins, too), or begun.
create or replace function app.pinned_in(p_entity uuid, p_ids uuid[], p_from date, p_to date) returns uuid[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(distinct k.reservation_id), '{}')
  from public.entities e
  cross join lateral app.taken_units(e.org_id, p_ids, p_from, p_to) k
  where e.id = p_entity and k.kind = 'booking'
    and not (not k.unit_pinned and k.starts_on >= (clock_timestamp() at time zone e.time_zone)::date)
$$;

-- A stay as the search for moves sees it. Those that may move are bookings that are
-- not pinned and have not begun.
create type app.held as (room_id uuid, reservation_id uuid, starts_on date, ends_on date, may_move boolean);

-- What takes a night of [p_from, p_to) in these units. A search for moves reads it
-- once and looks at it many times.
create function app.held_units(p_org uuid, p_units uuid[], p_today date, p_from date, p_to date) returns app.held[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (k.room_id, k.reservation_id, k.starts_on, k.ends_on,
            k.kind = 'booking' and not k.unit_pinned and k.starts_on >= p_today)::app.held
    from app.taken_units(p_org, p_units, p_from, p_to) k);
end $$;

drop function app.places_for(uuid, uuid[], date, date, date, uuid, uuid[], jsonb, int, int);
-- Where a stay may go, and at what price: the first p_limit units that could take
-- [p_from, p_to) when the stays "away" moved out, those with the fewest, that begin
-- last, first. Stays of p_gone are not there any more, those of p_done stand in
-- their new units and stay.
--   p_held   what takes the units in the nights of p_known; other nights are read
--   p_only   this unit and no other, unless it is null
--   p_side   1: only units that are free in the first night; -1: in the last one; 0: any
--   away     [{"id", "was", "from", "to"}]
create function app.places_for(p_org uuid, p_units uuid[], p_today date, p_held app.held[], p_known daterange,
                               p_from date, p_to date, p_only uuid, p_gone uuid[], p_done jsonb, p_side int,
                               p_most int, p_limit int)
returns table (room_id uuid, away jsonb)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if not p_known @> daterange(p_from, p_to) then
    p_held := app.held_units(p_org, p_units, p_today, p_from, p_to);
  end if;
  return query
  with held as materialized (
    select k.room_id, k.reservation_id, k.starts_on, k.ends_on, k.may_move from unnest(p_held) k
    where k.starts_on < p_to and k.ends_on > p_from and (k.reservation_id = any (p_gone)) is not true
  ), place as materialized (
    -- Units and stays in one pass; no join is planned for the few rows that a plan expects.
    select q.id, min(q.o) as o, count(q.first) as n,
           case p_side when 1 then min(q.first) - p_from when -1 then p_to - max(q.last)
                       else min(q.first) - p_today end as room
    from (
      select u.id, u.o, null::date as first, null::date as last, true as may_move
      from unnest(p_units) with ordinality u (id, o)
      where (p_only is null or u.id = p_only)
        and u.id not in (select d.unit from jsonb_to_recordset(p_done) d (unit uuid, "from" date, "to" date)
                         where d."from" < p_to and d."to" > p_from)
      union all
      select k.room_id, null, k.starts_on, k.ends_on, k.may_move from held k) q
    group by q.id
    having min(q.o) is not null and bool_and(q.may_move) and count(q.first) <= p_most
      and coalesce(case p_side when 1 then min(q.first) > p_from when -1 then max(q.last) < p_to else true end, true)
    order by 3, 4 desc nulls first, 2
    limit p_limit
  )
  select p.id, coalesce((
    select jsonb_agg(jsonb_build_object('id', k.reservation_id, 'was', k.room_id, 'from', k.starts_on, 'to', k.ends_on)
                     order by k.starts_on)
    from held k where k.room_id = p.id), '[]')
  from place p
  order by p.n, p.room desc nulls first, p.o;
end $$;

drop function app.rearranged(uuid, uuid[], date, uuid, jsonb, jsonb, int, int);
-- Finds units for all of p_queue, [{"id", "was", "from", "to", "only"}], where "id"
-- is the reservation of a stay that has to leave the unit "was", and null for what
-- is to be booked. At most p_most stays move in all. It tries one unit after the
-- other and gives up after p_looks looks. p_held and p_known as of app.places_for.
--   plan   the queue and what moved for it, each with its "unit"; null when nothing was found
create function app.rearranged(p_org uuid, p_units uuid[], p_today date, p_held app.held[], p_known daterange,
                               p_except uuid, p_queue jsonb, p_done jsonb, p_most int,
                               inout p_looks int, out plan jsonb)
language plpgsql stable set search_path = '' as $$
declare
  v_next jsonb := p_queue -> 0;
  v_gone constant uuid[] := array(
    select (x ->> 'id')::uuid from jsonb_array_elements(p_queue || p_done) x where x ->> 'id' is not null) || p_except;
  v_left constant int := p_most - cardinality(v_gone) + 1;
  v_place record;
begin
  if v_next is null then
    plan := p_done;
    return;
  end if;
  p_looks := p_looks - 1;
  for v_place in
    select * from app.places_for(p_org, p_units, p_today, p_held, p_known, (v_next ->> 'from')::date,
                                 (v_next ->> 'to')::date, (v_next ->> 'only')::uuid, v_gone, p_done, 0, v_left,
                                 greatest(p_looks, 1)) loop
    select r.p_looks, r.plan into p_looks, plan
    from app.rearranged(p_org, p_units, p_today, p_held, p_known, p_except, (p_queue - 0) || v_place.away,
                        p_done || (v_next || jsonb_build_object('unit', v_place.room_id)), p_most, p_looks) r;
    exit when plan is not null or p_looks <= 0;
  end loop;
end $$;

drop function app.shifted(uuid, uuid[], date, uuid, jsonb, int);
-- The same without trying: from the first night on (p_side 1), or from the last
-- one back (-1), each stay takes a unit that is free then, and the stays that it
-- meets there move on. As long as no night is over-full and nothing is pinned,
-- there always is one. Null where something pinned is in the way.
create function app.shifted(p_org uuid, p_units uuid[], p_today date, p_held app.held[], p_known daterange,
                            p_except uuid, p_queue jsonb, p_side int) returns jsonb
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
    order by x ->> 'only' is null,
      case p_side when 1 then (x ->> 'from')::date - date '2000-01-01'
                  else date '2000-01-01' - (x ->> 'to')::date end, o
    limit 1;
    select * into v_place
    from app.places_for(p_org, p_units, p_today, p_held, p_known, (v_next ->> 'from')::date, (v_next ->> 'to')::date,
                        (v_next ->> 'only')::uuid, v_gone, v_done,
                        case when v_next ->> 'only' is null then p_side else 0 end, 1000, 1);
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
create or replace function app.arrangement(p_org uuid, p_units uuid[], p_wanted jsonb, p_from date, p_to date,
                                           p_today date, p_except uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_queue constant jsonb := (
    select jsonb_agg(w || jsonb_build_object('id', null, 'from', p_from, 'to', p_to) order by w ->> 'only' is null, o)
    from jsonb_array_elements(p_wanted) with ordinality e (w, o));
  -- A look costs as much as there are units.
  v_looks constant int := greatest(4, least(40, 400 / greatest(cardinality(p_units), 1)));
  -- Stays that move for this, and those that move for them, rarely reach further.
  v_known constant daterange := daterange(p_from - 21, p_to + 21);
  v_held app.held[];
  v_most int;
  v_plan jsonb;
  v_other jsonb;
begin
  if app.nightly_free(p_org, p_units, p_from, p_to, p_except) < jsonb_array_length(p_wanted) then
    return null;
  end if;
  v_held := app.held_units(p_org, p_units, p_today, lower(v_known), upper(v_known));
  foreach v_most in array array[0, 1, 2, 3] loop
    select r.plan into v_plan
    from app.rearranged(p_org, p_units, p_today, v_held, v_known, p_except, v_queue, '[]', v_most, v_looks) r;
    if v_plan is not null then
      return v_plan;
    end if;
  end loop;
  v_plan := app.shifted(p_org, p_units, p_today, v_held, v_known, p_except, v_queue, 1);
  if v_plan is null or jsonb_array_length(v_plan) > jsonb_array_length(v_queue) + 6 then
    v_other := app.shifted(p_org, p_units, p_today, v_held, v_known, p_except, v_queue, -1);
    if v_plan is null or jsonb_array_length(v_other) < jsonb_array_length(v_plan) then
      v_plan := v_other;
    end if;
  end if;
  if v_plan is null then
    select r.plan into v_plan
    from app.rearranged(p_org, p_units, p_today, v_held, v_known, p_except, v_queue, '[]', 100, 6 * v_looks) r;
  end if;
  return v_plan;
end $$;

-- The moves, as app.move_stays takes them, that free these units for the nights
-- [p_from, p_to): each stay goes to another unit of its type, with as few moves of
-- further stays as were found. Null when something there may not move, or when no
-- way was found.
create or replace function app.moves_off(p_entity uuid, p_ids uuid[], p_from date, p_to date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_org uuid;
  v_today date;
  v_type uuid;
  v_units uuid[];
  v_queue jsonb;
  v_block jsonb;
  v_looks int;
  v_known daterange;
  v_held app.held[];
  v_most int;
  v_plan jsonb;
  v_moves jsonb := '[]';
begin
  select e.org_id, (clock_timestamp() at time zone e.time_zone)::date into v_org, v_today
  from public.entities e where e.id = p_entity;
  if app.pinned_in(p_entity, p_ids, p_from, p_to) <> '{}' then
    return null;
  end if;
  for v_type in select distinct u.room_type_id from public.rooms u where u.org_id = v_org and u.id = any (p_ids) loop
    v_units := array(select u.id from public.rooms u
                     where u.org_id = v_org and u.room_type_id = v_type and (u.active or u.id = any (p_ids))
                     order by u.sort, u.code);
    select coalesce(jsonb_agg(jsonb_build_object('id', k.reservation_id, 'was', k.room_id,
                                                 'from', k.starts_on, 'to', k.ends_on)
                              order by k.starts_on, k.room_id), '[]') into v_queue
    from app.taken_units(v_org, array(select u from unnest(v_units) u where u = any (p_ids)), p_from, p_to) k
    where k.kind = 'booking';
    continue when v_queue = '[]';
    -- The block stands in its units before anything looks for a place. More
    -- stays than this are for a person to arrange.
    if jsonb_array_length(v_queue) > 40 then
      return null;
    end if;
    select jsonb_agg(jsonb_build_object('id', null, 'unit', u, 'from', p_from, 'to', p_to)) into v_block
    from unnest(v_units) u where u = any (p_ids);
    v_looks := greatest(4, least(40, 400 / cardinality(v_units))) + jsonb_array_length(v_queue);
    select daterange(min((x ->> 'from')::date) - 21, max((x ->> 'to')::date) + 21) into v_known
    from jsonb_array_elements(v_queue) x;
    v_held := app.held_units(v_org, v_units, v_today, lower(v_known), upper(v_known));
    foreach v_most in array array[0, 1, 2, 3, 100] loop
      select r.plan into v_plan
      from app.rearranged(v_org, v_units, v_today, v_held, v_known, null, v_queue, v_block,
                          jsonb_array_length(v_queue) + v_most, case v_most when 100 then 6 else 1 end * v_looks) r;
      exit when v_plan is not null;
    end loop;
    if v_plan is null then
      return null;
    end if;
    v_moves := v_moves || (select jsonb_agg(x) from jsonb_array_elements(v_plan) x where x ->> 'id' is not null);
  end loop;
  return v_moves;
end $$;

-- A report over bookings asks which of them have several rooms.
drop index app.night_figures_arrival;
create index night_figures_arrival on app.night_figures (org_id, entity_id, night) include (reservation_id, slot)
  where arrival = 1;

-- What is known of the guests who arrive in [p_from, p_to), in few passes over their
-- bookings.
--   bookings, cancelled, noShows   by arrival; the others count
--   nights, value   room-nights and revenue without tax of whole counted bookings
--   guests          counted bookings' guests: by e-mail; without one by phone (that of a guest with an
--                   e-mail is that guest's); without either by name
--   overnight, overnightGuests   counted bookings with a night, and their guests: day use is in none of the
--                   figures below
--   repeatGuests    those of overnightGuests who stayed before, by e-mail or phone (by name where neither is
--                   known), or several times in the period
--   lead            days from booking to arrival, by the property's clock
--   channels, countries   [{"name","bookings","nights","value","cancelled"}], most bookings first
--   top             [{"name","bookings","nights","value"}], the p_top guests of most value
create or replace function public.client_report(p_entity uuid, p_from date, p_to date, p_top int default 10)
returns jsonb
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_custom_plan set work_mem = '32MB' as $$
declare
  v_org constant uuid := app.figures_org(p_entity);
  v_zone constant text := (select e.time_zone from public.entities e where e.org_id = v_org and e.id = p_entity);
  v_most constant int := least(greatest(p_top, 0), 50);
  v_bare boolean;
begin
  -- Nearly all bookings have one room; so those that have more are looked up, and
  -- those without a room only where the numbers of both kinds of rows differ.
  v_bare := (
    select count(*) from public.reservations r
    where r.org_id = v_org and r.entity_id = p_entity and r.check_in >= p_from and r.check_in < p_to and r.nights > 0
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')) <> (
    select count(*) from app.night_figures f
    where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to
      and f.arrival = 1 and f.slot = 0);
  return (
  with booked as materialized (
    select r.status, r.channel, r.guest_country as country, r.guest_name as name, r.check_in, r.nights,
           r.total - r.tax_total as value, r.adults + r.children as people,
           r.nights * (1 + coalesce(k.further, 0)) as room_nights,
           nullif(lower(btrim(r.guest_email)), '') as email,
           case when strpos(r.guest_phone, ' ') + strpos(r.guest_phone, '-') = 0 then r.guest_phone
                else translate(r.guest_phone, ' -', '') end as phone,
           greatest(0, r.check_in - (r.created_at at time zone v_zone)::date) as lead
    from public.reservations r
    left join (
      select f.reservation_id, count(*) as further from app.night_figures f
      where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to
        and f.arrival = 1 and f.slot > 0
      group by f.reservation_id
      union all
      select o.id, -1 from public.reservations o
      where v_bare and o.org_id = v_org and o.entity_id = p_entity and o.check_in >= p_from and o.check_in < p_to
        and not exists (select from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = o.id)
    ) k on k.reservation_id = r.id
    where r.org_id = v_org and r.entity_id = p_entity and r.check_in >= p_from and r.check_in < p_to
  ), part as materialized (
    -- Few rows, of which all sums over bookings are made.
    select b.channel, b.country, b.status, b.status not in ('cancelled', 'no_show') as counted, count(*) as n,
           sum(b.room_nights) as room_nights, sum(b.nights) as nights, sum(b.people) as people, sum(b.value) as value
    from booked b group by b.channel, b.country, b.status
  ), total as (
    select coalesce(sum(n), 0) as n, coalesce(sum(n) filter (where status = 'cancelled'), 0) as cancelled,
           coalesce(sum(n) filter (where status = 'no_show'), 0) as no_shows,
           coalesce(sum(room_nights) filter (where counted), 0) as room_nights,
           coalesce(sum(nights) filter (where counted), 0) as nights,
           coalesce(sum(people) filter (where counted), 0) as people,
           coalesce(sum(value) filter (where counted), 0.00) as value
    from part
  ), ahead as materialized (
    -- How many bookings were made so many days ahead, and how many up to so many.
    select a.lead, a.n, sum(a.n) over (order by a.lead) as up_to, sum(a.n) over () as all_of_them
    from (
      select b.lead, count(*) as n from booked b
      where b.nights > 0 and b.status not in ('cancelled', 'no_show') group by b.lead) a
  ), owner as (
    select b.phone, min(b.email collate "C") collate "default" as email from booked b
    where b.email is not null and b.phone in (
      select o.phone from booked o
      where o.email is null and o.phone is not null and o.status not in ('cancelled', 'no_show'))
    group by b.phone having min(b.email collate "C") = max(b.email collate "C")
  ), guest as (
    select coalesce('e' || b.email, 'n' || lower(btrim(b.name))) as who, b.name, b.check_in, b.value, b.nights,
           b.room_nights, b.email, b.phone
    from booked b where (b.email is not null or b.phone is null) and b.status not in ('cancelled', 'no_show')
    union all
    select coalesce('e' || o.email, 'p' || b.phone), b.name, b.check_in, b.value, b.nights, b.room_nights,
           b.email, b.phone
    from booked b left join owner o on o.phone = b.phone
    where b.email is null and b.phone is not null and b.status not in ('cancelled', 'no_show')
  ), person as materialized (
    select g.who, min(g.name) as name, count(*) as bookings, sum(g.room_nights) as nights, sum(g.value) as value,
           count(*) filter (where g.nights > 0) as stays, min(g.check_in) filter (where g.nights > 0) as first,
           min(g.email collate "C") filter (where g.nights > 0) as email,
           min(g.phone collate "C") filter (where g.nights > 0) as phone
    from guest g group by g.who
  ), by_email as materialized (
    -- A guest with one stay in the period may have stayed before: a probe of an index
    -- each, in the order of the index, so that neighbours find its pages near by.
    select o.who
    from (select p.who, p.first, p.email from person p where p.stays = 1 and p.email is not null
          order by p.email collate "C" offset 0) o
    where exists (
      select from public.reservations x
      where x.org_id = v_org and x.entity_id = p_entity and lower(btrim(x.guest_email)) collate "C" = o.email
        and x.check_in < o.first and x.nights > 0
        and x.status in ('pending', 'confirmed', 'checked_in', 'checked_out'))
  ), by_phone as (
    select o.who
    from (select p.who, p.first, p.phone from person p
          where p.stays = 1 and p.phone is not null and p.who not in (select m.who from by_email m)
          order by p.phone collate "C" offset 0) o
    where exists (
      select from public.reservations x
      where x.org_id = v_org and x.entity_id = p_entity and translate(x.guest_phone, ' -', '') collate "C" = o.phone
        and x.check_in < o.first and x.nights > 0
        and x.status in ('pending', 'confirmed', 'checked_in', 'checked_out'))
  ), by_name as (
    select o.who
    from (select p.who, p.first, substr(p.who, 2) as folded from person p
          where p.stays = 1 and p.email is null and p.phone is null order by p.who collate "C" offset 0) o
    where exists (
      select from public.reservations x
      where x.org_id = v_org and x.entity_id = p_entity and lower(btrim(x.guest_name)) collate "C" = o.folded
        and x.check_in < o.first and x.nights > 0
        and x.guest_phone is null and nullif(lower(btrim(x.guest_email)), '') is null
        and x.status in ('pending', 'confirmed', 'checked_in', 'checked_out'))
  ), people as (
    select count(*) as n, count(*) filter (where stays > 0) as overnight, count(*) filter (where stays > 1)
           + (select count(*) from by_email) + (select count(*) from by_phone)
           + (select count(*) from by_name) as again
    from person
  )
  select jsonb_build_object(
    'bookings', t.n, 'cancelled', t.cancelled, 'noShows', t.no_shows, 'nights', t.room_nights, 'stayNights', t.nights,
    'people', t.people, 'value', t.value,
    'guests', p.n, 'overnightGuests', p.overnight, 'repeatGuests', p.again,
    'overnight', (select coalesce(max(all_of_them), 0) from ahead),
    'leadDays', (select coalesce(sum(lead * n), 0) from ahead),
    'leadMedian', (select min(lead) from ahead where 2 * up_to >= all_of_them),
    'leads', (
      select jsonb_build_array(
        coalesce(sum(n) filter (where lead <= 1), 0), coalesce(sum(n) filter (where lead between 2 and 7), 0),
        coalesce(sum(n) filter (where lead between 8 and 30), 0),
        coalesce(sum(n) filter (where lead between 31 and 90), 0), coalesce(sum(n) filter (where lead > 90), 0))
      from ahead),
    'channels', coalesce((
      select jsonb_agg(jsonb_build_object('name', name, 'bookings', n, 'nights', nights, 'value', value,
                                          'cancelled', gone)
                       order by n desc, value desc, name)
      from (
        select channel as name, coalesce(sum(n) filter (where counted), 0) as n,
               coalesce(sum(room_nights) filter (where counted), 0) as nights,
               coalesce(sum(value) filter (where counted), 0.00) as value,
               coalesce(sum(n) filter (where status = 'cancelled'), 0) as gone
        from part group by 1) c), '[]'),
    'countries', coalesce((
      select jsonb_agg(jsonb_build_object('name', name, 'bookings', n, 'nights', nights, 'value', value,
                                          'cancelled', gone)
                       order by n desc, value desc, name)
      from (
        select coalesce(country, '') as name, coalesce(sum(n) filter (where counted), 0) as n,
               coalesce(sum(room_nights) filter (where counted), 0) as nights,
               coalesce(sum(value) filter (where counted), 0.00) as value,
               coalesce(sum(n) filter (where status = 'cancelled'), 0) as gone
        from part group by 1) c), '[]'),
    'top', coalesce((
      select jsonb_agg(jsonb_build_object('name', name, 'bookings', bookings, 'nights', nights, 'value', value)
                       order by value desc, name)
      from (
        select o.name, o.bookings, o.nights, o.value from person o
        where o.value >= (select min(m.value) from (select value from person order by value desc limit v_most) m)
        order by o.value desc, o.name limit v_most) p), '[]'))
  from total t, people p);
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.taken_units(uuid, uuid[], date, date),
  app.held_units(uuid, uuid[], date, date, date),
  app.places_for(uuid, uuid[], date, app.held[], daterange, date, date, uuid, uuid[], jsonb, int, int, int),
  app.rearranged(uuid, uuid[], date, app.held[], daterange, uuid, jsonb, jsonb, int, int),
  app.shifted(uuid, uuid[], date, app.held[], daterange, uuid, jsonb, int) to authenticated;
