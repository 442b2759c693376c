-- Availability, bookings, changes and restorations by room type: functions that
-- are defined again with units that are planned (app.plan_units) instead of the
-- first one that is free. Whoever changes a stay locks the units of its whole
-- type, since until then it may be moved to any of them.

-- One row per active room type for the nights of [p_from, p_to), by name. The
-- nights of holds that are over are free.
--   units, free_units    active units; how many of them can be booked for the range, once stays that nobody pinned
--                        made room in other units
--   min_stay             the longest of the type's and of the seasons that hold on the day of arrival
--   bookings, blocks     what touches the range: [{"code","from","to","status"}], [{"reason","from","to"}]
--   closed_arrival, closed_departure   whether p_from is closed to arrival, p_to to departure
--   next_free            the first date from p_from on which a unit can be booked for as many nights; null without units
create or replace function public.availability(p_entity uuid, p_from date, p_to date)
returns table (room_code text, room_name text, capacity int, units int, free_units int, min_stay int, max_stay int,
               weekday_price numeric, weekend_price numeric, currency text, bookings jsonb, blocks jsonb,
               closed_arrival boolean, closed_departure boolean, next_free date)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if p_from is null or p_to is null or p_to <= p_from or p_to - p_from > 730 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The departure must be 1 to 730 nights after the arrival.';
  end if;
  return query
  with unit as materialized (
    select r.id, r.room_type_id from public.rooms r
    where r.entity_id = p_entity and r.active
  ), taken as materialized (
    select u.room_type_id, k.* from app.taken(p_entity, p_from, p_to) k join unit u on u.id = k.room_id
  ), night as (
    -- How many units are taken in the fullest night.
    select t.room_type_id, max(t.n)::int as most
    from (
      select s.room_type_id, sum(sum(s.n)) over (partition by s.room_type_id order by s.night) as n
      from (select k.room_type_id, e.night, e.n from taken k
            cross join lateral (values (greatest(k.starts_on, p_from), 1), (k.ends_on, -1)) e (night, n)) s
      group by s.room_type_id, s.night) t
    group by t.room_type_id
  ), free as materialized (
    select q.room_type_id, q.units, app.sellable(p_entity, q.room_type_id, p_from, p_to, q.free, q.units - coalesce(n.most, 0)) as free_units
    from (
      select u.room_type_id, count(*)::int as units,
             (count(*) filter (where not exists (select from taken k where k.room_id = u.id)))::int as free
      from unit u
      group by u.room_type_id) q
    left join night n on n.room_type_id = q.room_type_id
  ), later as materialized (
    select n.room_type_id, n.on_date
    from app.next_free(p_entity, array(select f.room_type_id from free f where f.free_units = 0), p_from, p_to - p_from) n
  ), season as (
    select z.room_type_id,
           max(z.min_stay) filter (where p_from between z.starts_on and z.ends_on) as min_stay,
           bool_or(z.closed_arrival and p_from between z.starts_on and z.ends_on) as closed_arrival,
           bool_or(z.closed_departure and p_to between z.starts_on and z.ends_on) as closed_departure
    from (
      select t.id as room_type_id, p.min_stay, p.closed_arrival, p.closed_departure, p.starts_on, p.ends_on
      from public.seasonal_pricing p
      join public.room_types t on t.org_id = p.org_id and t.entity_id = p.entity_id and t.id = coalesce(p.room_type_id, t.id)
      where p.entity_id = p_entity and p.active and p.starts_on <= p_to and p.ends_on >= p_from
    ) z
    group by z.room_type_id
  )
  select
    t.code, t.name, t.capacity, coalesce(f.units, 0), coalesce(f.free_units, 0),
    greatest(t.min_stay, z.min_stay), t.max_stay,
    t.weekday_price, t.weekend_price, e.currency,
    coalesce((select jsonb_agg(jsonb_build_object('code', b.code, 'from', b.check_in, 'to', b.check_out, 'status', b.status)
                               order by b.check_in, b.code)
              from public.reservations b
              where b.org_id = t.org_id and b.id in (select k.reservation_id from taken k where k.room_type_id = t.id)), '[]'),
    coalesce((select jsonb_agg(distinct jsonb_build_object('reason', d.reason, 'from', k.starts_on, 'to', k.ends_on))
              from taken k join public.blocked_dates d on d.org_id = t.org_id and d.id = k.block_id
              where k.room_type_id = t.id), '[]'),
    coalesce(z.closed_arrival, false) or extract(isodow from p_from)::int = any (t.closed_arrival_days),
    coalesce(z.closed_departure, false) or extract(isodow from p_to)::int = any (t.closed_departure_days),
    case when f.free_units > 0 then p_from else l.on_date end
  from public.room_types t
  join public.entities e on e.org_id = t.org_id and e.id = t.entity_id
  left join free f on f.room_type_id = t.id
  left join later l on l.room_type_id = t.id
  left join season z on z.room_type_id = t.id
  where t.entity_id = p_entity and t.active
  order by t.name, t.code;
end $$;

-- The first day from p_from on from which an active unit of the type is free, or
-- can be made free, for p_nights, for each of the types. Looks three weeks ahead
-- and, for types that are full till then, further.
create or replace function app.next_free(p_entity uuid, p_types uuid[], p_from date, p_nights int)
returns table (room_type_id uuid, on_date date)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_left uuid[] := p_types;
  v_horizon date;
  v_row record;
begin
  foreach v_horizon in array array[p_from + 21, p_from + 90, p_from + 400, 'infinity'] loop
    exit when cardinality(v_left) = 0;
    for v_row in
      with unit as materialized (
        select u.id, u.room_type_id, count(*) over (partition by u.room_type_id) as units from public.rooms u
        where u.entity_id = p_entity and u.active and u.room_type_id = any (v_left)
      ), taken as materialized (
        select u.room_type_id, u.units, t.* from app.taken(p_entity, p_from, v_horizon + p_nights) t join unit u on u.id = t.room_id
      ), gap as (
        -- A unit becomes free when the wanted nights begin, or where one of its stays ends.
        select q.room_type_id, q.ends_on as starts_on, lead(q.starts_on) over (partition by q.room_id order by q.starts_on) as ends_on
        from (
          select u.room_type_id, u.id as room_id, date '-infinity' as starts_on, p_from as ends_on from unit u
          union all
          select k.room_type_id, k.room_id, k.starts_on, k.ends_on from taken k) q
      ), one_unit as (
        select g.room_type_id, min(g.starts_on) as on_date from gap g
        where g.starts_on <= v_horizon and (g.ends_on is null or g.ends_on - g.starts_on >= p_nights)
        group by g.room_type_id
      ), stretch as (
        -- From one day on which the number of units taken changes to the next, and whether all are.
        select s.room_type_id, s.night, lead(s.night) over (partition by s.room_type_id order by s.night) as until,
               sum(sum(s.n)) over (partition by s.room_type_id order by s.night) >= max(max(s.units)) over (partition by s.room_type_id) as is_full
        from (
          select h.room_type_id, p_from as night, 0 as n, h.units from unit h where h.units > 1
          union all
          select k.room_type_id, e.night, e.n, 0 from taken k
          cross join lateral (values (greatest(k.starts_on, p_from), 1), (k.ends_on, -1)) e (night, n)
          where k.units > 1) s
        group by s.room_type_id, s.night
      )
      select o.room_type_id, o.on_date, m.on_date as sooner
      from one_unit o
      left join lateral (
        select min(f.night) as on_date from stretch f
        where f.room_type_id = o.room_type_id and not f.is_full and f.night < o.on_date and not exists (
          select from stretch x
          where x.room_type_id = f.room_type_id and x.is_full and x.night < f.night + p_nights and x.until > f.night)) m on true
    loop
      room_type_id := v_row.room_type_id;
      on_date := v_row.on_date;
      if v_row.sooner is not null and app.sellable(p_entity, v_row.room_type_id, v_row.sooner, v_row.sooner + p_nights, 0, 1) > 0 then
        on_date := v_row.sooner;
      end if;
      v_left := array_remove(v_left, v_row.room_type_id);
      return next;
    end loop;
  end loop;
end $$;

-- Why a type cannot be had for the nights, what else is free then, and when it
-- is free itself. p_except is a booking that is to move and so is not in the way.
create or replace function app.say_taken(p_entity uuid, p_type text, p_unit text, p_wanted int, p_from date, p_to date, p_today date,
                              p_except uuid default null) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_nights constant int := p_to - p_from;
  v_mine record;
  v_type uuid;
  v_name text;
  v_by text;
  v_text text;
  v_before date;
  v_org uuid;
  v_units uuid[];
begin
  select t.org_id, t.id, t.name || ' (' || t.code || ')' into v_org, v_type, v_name
  from public.room_types t where t.entity_id = p_entity and t.code = p_type;
  with a as materialized (select * from public.availability(p_entity, p_from, p_to))
  select m.units, m.free_units, m.bookings, m.blocks, m.next_free, (
      select string_agg(o.room_name || ' (' || o.room_code || ')', ', ' order by o.room_name)
      from a o
      where o.room_code <> p_type and o.free_units > 0 and not o.closed_arrival and not o.closed_departure
        and v_nights between o.min_stay and o.max_stay) as others
    into v_mine
  from (select) one left join a m on m.room_code = p_type;
  if coalesce(v_mine.units, 0) = 0 then
    v_text := format('%s is not let at present.', v_name);
  else
    v_units := array(select r.id from public.rooms r where r.org_id = v_org and r.room_type_id = v_type and r.active);
    select string_agg(w, ', ') into v_by from (
      select format('booking %s (%s to %s)', b ->> 'code', app.show_date((b ->> 'from')::date), app.show_date((b ->> 'to')::date)) as w
      from jsonb_array_elements(v_mine.bookings) b
      where b ->> 'code' is distinct from (select r.code from public.reservations r where r.entity_id = p_entity and r.id = p_except)
      union all
      select format('a block for %s (%s to %s)', app.for_reason(b ->> 'reason'), app.show_date((b ->> 'from')::date), app.show_date((b ->> 'to')::date))
      from jsonb_array_elements(v_mine.blocks) b
      limit 4) q;
    v_text := case
      when p_unit is not null and v_mine.free_units > 0 then
        format('The unit %s is taken from %s to %s, but another unit of %s is free.', p_unit, app.show_date(p_from), app.show_date(p_to), v_name)
      when v_mine.free_units > 0 then
        format('Of %s only %s of %s units are free from %s to %s, and %s are wanted.',
               v_name, v_mine.free_units, v_mine.units, app.show_date(p_from), app.show_date(p_to), p_wanted)
      when cardinality(v_units) > 1 and app.nightly_free(v_org, v_units, p_from, p_to, p_except) > 0 and v_by is not null then
        format('%s has a free unit in each night from %s to %s, but not the same one, and not enough of what takes the others can move: %s.',
               v_name, app.show_date(p_from), app.show_date(p_to), v_by)
      else format('%s is taken from %s to %s: %s.', v_name, app.show_date(p_from), app.show_date(p_to), coalesce(v_by, 'somebody is booking it just now'))
    end;
    -- The nearest days around: up to a week earlier, and the first one later.
    select max(q.starts_on) into v_before from (
      select f.starts_on
      from app.free_units(p_entity, v_type, array(select d::date from generate_series(greatest(p_today, p_from - 7)::timestamp,
        (p_from - 1)::timestamp, interval '1 day') d), v_nights, p_except) f
      group by f.starts_on having count(*) >= p_wanted) q;
  end if;
  v_text := v_text || coalesce(' Free on these days: ' || v_mine.others || '.', ' No other room type is free on these days.');
  if v_mine.next_free > p_from or v_before is not null then
    v_text := v_text || format(' %s is free for %s from %s.', v_name, app.nights(v_nights),
      concat_ws(' or from ', app.show_date(v_before), case when v_mine.next_free > p_from and p_wanted = 1 then app.show_date(v_mine.next_free) end));
  end if;
  return v_text;
end $$;

-- Books, and returns the summaries. Raises PT404 for unknown codes, PT409
-- 'not_available', 'proposal_changed' or 'coupon_used_up', PT422 with the code of
-- the first restriction.
create or replace function public.create_booking(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_from constant date := p_request ->> 'checkIn';
  v_to constant date := p_request ->> 'checkOut';
  v_today constant date := p_request ->> 'today';
  v_wanted constant jsonb := p_request -> 'rooms';
  v_guest constant jsonb := p_request -> 'guest';
  v_hold constant int := p_request ->> 'holdHours';
  v_over uuid[];
  v_plan jsonb;
  v_rooms uuid[];
  v_quotes jsonb;
  v_quote jsonb;
  w jsonb;
  v_group text;
  v_package uuid;
  v_id uuid;
  v_code text;
  v_codes text[] := '{}';
begin
  if v_from is null or v_to is null or v_today is null or v_to <= v_from or v_to - v_from > 365 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The departure must be 1 to 365 nights after the arrival.';
  end if;
  if coalesce(jsonb_array_length(v_wanted), 0) not between 1 and 50 then
    raise sqlstate 'PT422' using message = 'invalid_request', detail = 'A booking is for 1 to 50 rooms.';
  end if;
  -- Whoever comes too late hears so at once. Only who has a chance queues.
  perform app.plan_units(p_entity, v_wanted, v_from, v_to, v_today, p_search => false);
  v_over := app.queue_for(v_org, p_entity, array(select x ->> 'room' from jsonb_array_elements(v_wanted) x), null, v_from, v_to);
  v_plan := app.plan_units(p_entity, v_wanted, v_from, v_to, v_today);
  v_rooms := array(select jsonb_array_elements_text(v_plan -> 'rooms')::uuid);
  v_quotes := app.booking_quotes(p_entity, p_request);
  perform app.check_price(app.shown('booking_preview') -> 'total', app.shown('booking_preview') -> 'deposit',
                          sum((q ->> 'total')::numeric), sum((q ->> 'depositDue')::numeric))
  from jsonb_array_elements(v_quotes) q;
  -- Only now, so that the price is the one of the preview.
  perform app.end_holds(v_org, v_over);
  begin
    perform app.move_stays(v_org, p_entity, v_plan -> 'moves');
  exception when exclusion_violation then
    -- Somebody took the nights without queueing.
    raise sqlstate 'PT409' using message = 'not_available',
      detail = app.say_taken(p_entity, v_wanted -> 0 ->> 'room', v_wanted -> 0 ->> 'unit', 1, v_from, v_to, v_today);
  end;
  if (p_request ->> 'group')::boolean then
    loop
      v_group := app.group_code();
      exit when not exists (select from public.reservations r where r.org_id = v_org and r.group_code = v_group);
    end loop;
  end if;
  select k.id into v_package from public.packages k
  where k.org_id = v_org and k.entity_id = p_entity and k.code = v_quotes -> 0 -> 'package' ->> 'code';

  for i in 1 .. cardinality(v_rooms) loop
    w := v_wanted -> (i - 1);
    v_quote := v_quotes -> (i - 1);
    insert into public.reservations (org_id, entity_id, code, group_code, status, hold_until, channel, check_in, check_out,
      guest_name, guest_email, guest_phone_country_code, guest_phone, guest_country, adults, children, special_requests, notes,
      package_id, coupon_code, currency, room_total, extra_guest_total, package_other_total, discount_total, extras_total,
      tax_total, deposit_due)
    values (v_org, p_entity, '', v_group, case when v_hold is null then 'confirmed' else 'pending' end,
      clock_timestamp() + nullif(v_hold, 0) * interval '1 hour', coalesce(p_request ->> 'channel', 'direct'), v_from, v_to,
      coalesce(nullif(w ->> 'guestName', ''), v_guest ->> 'name'), nullif(v_guest ->> 'email', ''),
      nullif(v_guest ->> 'phoneCountryCode', ''), nullif(v_guest ->> 'phone', ''), nullif(v_guest ->> 'country', ''),
      (w ->> 'adults')::int, coalesce((w ->> 'children')::int, 0), coalesce(p_request ->> 'specialRequests', ''),
      coalesce(p_request ->> 'notes', ''), v_package, v_quote -> 'coupon' ->> 'code', v_quote ->> 'currency',
      (v_quote ->> 'roomTotal')::numeric, (v_quote ->> 'extraGuestTotal')::numeric, (v_quote ->> 'packageOtherTotal')::numeric,
      (v_quote ->> 'discountTotal')::numeric, (v_quote ->> 'extrasTotal')::numeric, (v_quote ->> 'taxTotal')::numeric,
      (v_quote ->> 'depositDue')::numeric)
    returning id, code into v_id, v_code;
    v_codes := v_codes || v_code;
    perform app.store_nights(v_org, p_entity, v_id, v_rooms[i:i], v_quote);
    begin
      insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id, unit_pinned)
      values (v_org, p_entity, v_id, v_rooms[i], w ->> 'unit' is not null);
    exception when exclusion_violation then
      raise sqlstate 'PT409' using message = 'not_available',
        detail = app.say_taken(p_entity, w ->> 'room', w ->> 'unit', 1, v_from, v_to, v_today);
    end;
    perform app.store_extras(v_org, p_entity, v_id, v_quote);
    if v_quote -> 'coupon' ->> 'code' is not null then
      perform app.use_coupon(v_org, p_entity, v_id, v_quote -> 'coupon' ->> 'code', (v_quote -> 'coupon' ->> 'discount')::numeric);
    end if;
  end loop;
  return public.reservation_summaries(p_entity, v_codes);
end $$;

-- What create_booking would do with the same request: {"total", "deposit",
-- "currency", "rooms": [{"unit", "roomCode", "roomName", "quote"}], "setAside":
-- [sentences], "alike": [{"code", "guest", "checkIn", "checkOut"}]}. alike are
-- bookings of the same guest in these nights. A unit is named only where the
-- request names it: the others get theirs when they are booked, and may get
-- another one until check-in. It raises what create_booking raises.
create or replace function public.booking_preview(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_from constant date := p_request ->> 'checkIn';
  v_to constant date := p_request ->> 'checkOut';
  v_rooms uuid[];
  v_quotes jsonb;
begin
  perform app.staff_org(p_entity);
  v_rooms := array(select jsonb_array_elements_text(
    app.plan_units(p_entity, p_request -> 'rooms', v_from, v_to, (p_request ->> 'today')::date) -> 'rooms')::uuid);
  v_quotes := app.booking_quotes(p_entity, p_request);
  return (
    select jsonb_build_object(
      'total', sum((q ->> 'total')::numeric), 'deposit', sum((q ->> 'depositDue')::numeric), 'currency', min(q ->> 'currency'),
      'rooms', jsonb_agg(jsonb_build_object('unit', p_request -> 'rooms' -> (o - 1)::int ->> 'unit', 'roomCode', t.code, 'roomName', t.name, 'quote', q) order by o),
      'setAside', coalesce((select jsonb_agg(distinct p ->> 'sentence')
                            from jsonb_array_elements(v_quotes) z, jsonb_array_elements(z -> 'problems') p), '[]'),
      'alike', coalesce((
        select jsonb_agg(jsonb_build_object('code', r.code, 'guest', r.guest_name, 'checkIn', r.check_in, 'checkOut', r.check_out) order by r.code)
        from public.reservations r
        where r.entity_id = p_entity and app.takes_nights(r.status) and r.check_in < v_to and r.check_out > v_from
          and (lower(btrim(r.guest_name)) = lower(btrim(p_request -> 'guest' ->> 'name'))
               or lower(r.guest_email) = lower(nullif(p_request -> 'guest' ->> 'email', '')))), '[]'))
    from jsonb_array_elements(v_quotes) with ordinality e (q, o)
    join public.rooms u on u.id = v_rooms[o]
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id);
end $$;

-- Moves reservations on: confirmed, checked_in, checked_out or no_show; a no-show
-- frees its nights. Raises PT422 'wrong_status' with the reason.
create or replace function public.set_reservation_status(p_entity uuid, p_code text, p_status text, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_taken public.reservations[] := array(select t from app.take_reservations(v_org, p_entity, p_code) t);
  r public.reservations;
  v_refused text;
begin
  foreach r in array v_taken loop
    v_refused := app.status_refused(r, p_status, p_today);
    if v_refused is not null then
      raise sqlstate 'PT422' using message = 'wrong_status', detail = v_refused;
    end if;
  end loop;
  perform app.lock_types_of(v_org, array(select t.id from unnest(v_taken) t));
  if p_status = 'checked_in' and exists (
    -- Whoever hands over a key hands over the one that was shown.
    select from jsonb_array_elements(app.shown('status_preview')) d, jsonb_array_elements(d -> 'rooms') m
    where not exists (
      select from unnest(v_taken) t
      join public.reservation_rooms q on q.org_id = v_org and q.reservation_id = t.id
      join public.rooms u on u.org_id = v_org and u.id = q.room_id
      where t.code = d ->> 'code' and u.code = m ->> 'unit')) then
    raise sqlstate 'PT409' using message = 'proposal_changed', detail = 'The room number has changed since the preview.';
  end if;
  update public.reservations u
  set status = p_status, hold_until = null,
      checked_in_at = case when p_status = 'checked_in' then now() else u.checked_in_at end,
      checked_out_at = case when p_status = 'checked_out' then now() else u.checked_out_at end
  where u.org_id = v_org and u.id in (select t.id from unnest(v_taken) t);
  return public.reservation_summaries(p_entity, array(select t.code from unnest(v_taken) t));
end $$;

-- Cancels what is not cancelled yet and frees the nights and the coupons' uses at
-- once. Reservations that are cancelled already stay as they are. Raises PT422
-- 'wrong_status' when one of them has begun or is over.
create or replace function public.cancel_reservation(p_entity uuid, p_code text, p_reason text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_taken public.reservations[] := array(select t from app.take_reservations(v_org, p_entity, p_code) t);
  v_open uuid[] := array(select t.id from unnest(v_taken) t where t.status <> 'cancelled');
  v_refused text;
begin
  select app.status_refused(t, 'cancelled', null) into v_refused
  from unnest(v_taken) t where t.status not in ('pending', 'confirmed', 'cancelled') limit 1;
  if found then
    raise sqlstate 'PT422' using message = 'wrong_status', detail = v_refused;
  end if;
  if cardinality(v_open) > 0 then
    perform app.lock_types_of(v_org, v_open);
    update public.reservations u
    set status = 'cancelled', cancelled_at = now(), cancellation_reason = nullif(btrim(p_reason), ''), hold_until = null
    where u.org_id = v_org and u.id = any (v_open);
    delete from public.coupon_uses c where c.org_id = v_org and c.reservation_id = any (v_open);
  end if;
  return public.reservation_summaries(p_entity, array(select t.code from unnest(v_taken) t));
end $$;

-- Removes a reservation that never was: nobody checked in, no money was taken.
-- The audit keeps what it was. Raises PT422 'not_deletable'.
create or replace function public.delete_reservation(p_entity uuid, p_code text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  r public.reservations;
begin
  if p_code like 'GRP-%' then
    raise sqlstate 'PT422' using message = 'not_deletable', detail = 'A group is deleted one reservation at a time, or cancelled as a whole.';
  end if;
  select * into r from app.take_reservations(v_org, p_entity, p_code);
  perform app.check_deletable(r);
  perform app.lock_types_of(v_org, array[r.id]);
  delete from public.reservations d where d.org_id = v_org and d.id = r.id;
  return jsonb_build_array(jsonb_build_object('code', r.code));
end $$;

-- What took the nights of a reservation that is to come back.
create function app.say_gone(r public.reservations) returns text
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select format('%s of %s is taken by %s from %s to %s, so it can''t be restored there. Book the stay anew.', u.code, r.code,
                  coalesce('booking ' || b.code, 'a block for ' || app.for_reason(k.reason)), app.show_date(s.starts_on), app.show_date(s.ends_on))
    from public.reservation_rooms q
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
    join public.stays s on s.org_id = q.org_id and s.room_id = q.room_id and s.active and s.reservation_id is distinct from r.id
      and s.starts_on < r.check_out and s.ends_on > r.check_in
    left join public.reservations b on b.org_id = s.org_id and b.id = s.reservation_id
    left join public.blocked_dates k on k.org_id = s.org_id and k.id = s.block_id
    where q.org_id = r.org_id and q.reservation_id = r.id and (b.status = 'pending' and b.hold_until <= clock_timestamp()) is not true
    order by s.unit_pinned desc, s.starts_on
    limit 1), format('The room of %s is not let at present, so it can''t be restored. Book the stay anew.', r.code));
end $$;

drop function app.check_restorable(public.reservations, date);
-- Raises why a cancelled reservation can't be brought back. Otherwise the moves
-- that bring it back: those of other stays, and its own where it gets another unit.
create function app.check_restorable(r public.reservations, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_pinned boolean;
  v_wanted jsonb;
  v_rooms uuid[];
  v_plan jsonb := '{"moves": []}';
begin
  if r.check_out <= p_today then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('The stay of %s ended on %s, so it can''t be restored.', r.code, app.show_date(r.check_out));
  end if;
  select bool_or(s.unit_pinned), array_agg(u.id order by u.code) into v_pinned, v_rooms
  from public.stays s join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
  where s.org_id = r.org_id and s.reservation_id = r.id;
  if v_rooms is not null then
    begin
      select app.plan_units(r.entity_id, jsonb_agg(jsonb_build_object('room', t.code, 'unit', case when v_pinned then u.code end) order by u.code),
                            r.check_in, r.check_out, p_today, r.id, v_rooms) into v_plan
      from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
      where u.org_id = r.org_id and u.id = any (v_rooms);
    exception when sqlstate 'PT409' then
      raise sqlstate 'PT409' using message = 'not_available', detail = app.say_gone(r);
    end;
  end if;
  if r.status = 'cancelled' and exists (
    select from public.coupons c
    where c.org_id = r.org_id and c.entity_id = r.entity_id and c.code = r.coupon_code and c.usage_limit <= (
      select count(*) from public.coupon_uses u where u.org_id = c.org_id and u.coupon_id = c.id and u.reservation_id <> r.id)) then
    raise sqlstate 'PT409' using message = 'coupon_used_up',
      detail = format('The coupon %s of %s was used up by others since, so it can''t be restored at its price. Book the stay anew.', r.coupon_code, r.code);
  end if;
  return (v_plan -> 'moves') || case when v_pinned or v_plan -> 'rooms' ->> 0 is not distinct from v_rooms[1]::text then '[]' else
    jsonb_build_array(jsonb_build_object('id', r.id, 'was', v_rooms[1], 'unit', v_plan -> 'rooms' -> 0, 'from', r.check_in, 'to', r.check_out)) end;
end $$;

-- Undoes a cancellation or a no-show: as before, at the agreed price, in the same
-- units; where nobody pinned them and they are taken, in others of their type. Raises PT422 'wrong_status' for others and for stays that are over, PT409
-- 'not_available' when the nights were taken since, 'coupon_used_up'.
create or replace function public.restore_reservation(p_entity uuid, p_code text, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_taken public.reservations[] := array(select t from app.take_reservations(v_org, p_entity, p_code) t);
  r public.reservations;
  v_moves jsonb;
begin
  if not exists (select from unnest(v_taken) t where t.status in ('cancelled', 'no_show')) then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('%s is neither cancelled nor a no-show, so there is nothing to restore.', p_code);
  end if;
  perform app.end_holds(v_org, app.queue_for(v_org, p_entity, array(
    select c.code from public.room_types c where c.org_id = v_org and c.id in (
      select u.room_type_id from public.reservation_rooms q join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
      where q.org_id = v_org and q.reservation_id in (select t.id from unnest(v_taken) t))), null, min(t.check_in), max(t.check_out)))
  from unnest(v_taken) t;
  foreach r in array v_taken loop
    continue when r.status not in ('cancelled', 'no_show');
    v_moves := app.check_restorable(r, p_today);
    begin
      perform app.move_stays(v_org, p_entity, v_moves);
      update public.reservations u
      set status = coalesce(app.status_before(r.id), 'confirmed'), cancelled_at = null, cancellation_reason = null, hold_until = null
      where u.org_id = v_org and u.id = r.id;
    exception when exclusion_violation then
      raise sqlstate 'PT409' using message = 'not_available', detail = format('The nights of %s were taken just now.', r.code);
    end;
    if r.coupon_code is not null and r.status = 'cancelled' then
      perform app.use_coupon(v_org, p_entity, r.id, r.coupon_code, r.discount_total);
    end if;
  end loop;
  return public.reservation_summaries(p_entity, array(select t.code from unnest(v_taken) t));
end $$;

-- Raises what the acts above would raise for p_act ('delete', 'restore', or the
-- status to come), and returns the details of the reservations otherwise.
-- Units that nobody pinned are left out; a check-in, which pins them, names them.
create or replace function public.status_preview(p_entity uuid, p_code text, p_act text, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r public.reservations;
  v_refused text;
  v_all jsonb := '[]';
begin
  perform app.staff_org(p_entity);
  for r in select * from public.reservations x
           where x.entity_id = p_entity and case when p_code like 'GRP-%' then x.group_code = p_code else x.code = p_code end
           order by x.code loop
    if p_act = 'delete' then
      perform app.check_deletable(r);
    elsif p_act = 'restore' then
      if r.status in ('cancelled', 'no_show') then
        perform app.check_restorable(r, p_today);
      end if;
    elsif p_act <> 'cancelled' or r.status <> 'cancelled' then
      v_refused := app.status_refused(r, p_act, p_today);
      if v_refused is not null then
        raise sqlstate 'PT422' using message = 'wrong_status', detail = v_refused;
      end if;
    end if;
    v_all := v_all || case when p_act = 'checked_in' then public.reservation_details(p_entity, r.code)
                           else app.without_units(public.reservation_details(p_entity, r.code), p_entity) end;
  end loop;
  if v_all = '[]' then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
  return v_all;
end $$;

-- What a reservation would be after p_changes; nothing is written. The answer:
--   scope      "none", "extras" or "all": what is priced anew
--   rooms      ids of the units, in the order of their codes before
--   moved      whether the units change, or whether they are pinned
--   pinned     whether somebody wants these units and no others
--   moves      of other stays, which make room
--   checkIn … package, coupon, extras   as they would be
--   money      roomTotal … depositDue, total
--   quote      for "extras" and "all"
--   setAside   sentences of restrictions that override sets aside
-- Raises PT422 'wrong_status', 'several_rooms' and what quotes and units raise.
create or replace function app.edit_plan(r public.reservations, p_changes jsonb, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_in constant date := coalesce((p_changes ->> 'checkIn')::date, r.check_in);
  v_out constant date := coalesce((p_changes ->> 'checkOut')::date, r.check_out);
  v_adults constant int := coalesce((p_changes ->> 'adults')::int, r.adults);
  v_children constant int := coalesce((p_changes ->> 'children')::int, r.children);
  v_override constant boolean := coalesce((p_changes ->> 'override')::boolean, false);
  v_package_before text;
  v_package text;
  v_coupon text;
  v_units uuid[];
  v_types text[];
  v_wanted jsonb;
  v_rooms uuid[];
  v_pinned boolean;
  v_pin boolean;
  v_plan jsonb;
  v_moves jsonb := '[]';
  v_new_types text[];
  v_own constant jsonb := app.own_extras(r);
  v_extras jsonb;
  v_scope text;
  v_quote jsonb;
  v_money jsonb;
  v_aside text[] := '{}';
  v_tax numeric;
begin
  select array_agg(u.id order by u.code), array_agg(t.code order by u.code) into v_units, v_types
  from public.reservation_rooms q
  join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
  where q.org_id = r.org_id and q.reservation_id = r.id;
  v_pinned := exists (
    select from public.reservation_rooms q left join public.stays s
      on s.org_id = q.org_id and s.reservation_id = q.reservation_id and s.room_id = q.room_id
    where q.org_id = r.org_id and q.reservation_id = r.id and (q.unit_pinned or s.unit_pinned));
  select k.code into v_package_before from public.packages k where k.org_id = r.org_id and k.id = r.package_id;
  v_package := case when p_changes ? 'package' then nullif(p_changes ->> 'package', '') else v_package_before end;
  v_coupon := case when p_changes ? 'coupon' then nullif(p_changes ->> 'coupon', '') else r.coupon_code end;
  select coalesce(jsonb_agg(jsonb_build_object('code', e.code, 'quantity', e.quantity) order by e.code), '[]') into v_extras
  from jsonb_to_recordset(coalesce(p_changes -> 'extras', v_own)) e (code text, quantity int);

  if (v_in, v_out) <> (r.check_in, r.check_out) and (v_out <= v_in or v_out - v_in > 365) then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The departure must be 1 to 365 nights after the arrival.';
  end if;
  if (p_changes ? 'room' or p_changes ? 'unit') and coalesce(cardinality(v_units), 0) <> 1 then
    raise sqlstate 'PT422' using message = 'several_rooms',
      detail = format('Reservation %s has %s units, so it is not clear which one should move.', r.code, coalesce(cardinality(v_units), 0));
  end if;
  v_wanted := case when p_changes ? 'room' or p_changes ? 'unit'
    then jsonb_build_array(jsonb_build_object('room', coalesce(p_changes ->> 'room', v_types[1]), 'unit', p_changes ->> 'unit'))
    else (select jsonb_agg(jsonb_build_object('room', x, 'unit', null) order by o) from unnest(v_types) with ordinality z (x, o)) end;
  select array_agg(w ->> 'room' order by o) into v_new_types from jsonb_array_elements(v_wanted) with ordinality z (w, o);
  v_scope := case
    when (v_in, v_out, v_adults, v_children, v_package, v_coupon, v_new_types)
         is distinct from (r.check_in, r.check_out, r.adults, r.children, v_package_before, r.coupon_code, v_types) then 'all'
    when v_extras <> v_own then 'extras' else 'none' end;

  if r.status not in ('pending', 'confirmed', 'checked_in') and (v_scope <> 'none' or p_changes ? 'unit') then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('Reservation %s is %s; only its guest and notes can still be changed.', r.code, replace(r.status, '_', ' '));
  end if;
  if r.status = 'checked_in' and (v_in <> r.check_in or v_out < p_today) then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('The guest of %s is in the house since %s; only a departure from today (%s) on can be set.', r.code, app.show_date(r.check_in), app.show_date(p_today));
  end if;
  if (v_in, v_out, v_new_types) is not distinct from (r.check_in, r.check_out, v_types) and not p_changes ? 'unit' then
    v_rooms := v_units;
  else
    -- A pinned stay keeps its unit if others can make room for it.
    if v_pinned and v_new_types = v_types and not p_changes ? 'unit' then
      begin
        select app.plan_units(r.entity_id, jsonb_agg(jsonb_build_object('room', z.type, 'unit', u.code) order by z.o), v_in, v_out, p_today, r.id)
          into v_plan
        from unnest(v_types, v_units) with ordinality z (type, unit, o) join public.rooms u on u.org_id = r.org_id and u.id = z.unit;
      exception when sqlstate 'PT409' then
        v_plan := null;
      end;
    end if;
    v_plan := coalesce(v_plan, app.plan_units(r.entity_id, v_wanted, v_in, v_out, p_today, r.id, v_units));
    v_rooms := array(select jsonb_array_elements_text(v_plan -> 'rooms')::uuid);
    v_moves := v_plan -> 'moves';
  end if;
  v_pin := p_changes ? 'unit' or v_pinned and v_rooms = v_units;

  if v_scope <> 'none' then
    v_quote := app.quote(r.entity_id, jsonb_build_object(
      'today', p_today, 'checkIn', v_in, 'checkOut', v_out, 'rooms', to_jsonb(v_new_types), 'adults', v_adults, 'children', v_children,
      'package', v_package, 'coupon', v_coupon, 'extras', v_extras, 'except', r.id));
  end if;
  if v_scope = 'all' then
    -- What the change does not touch was allowed when it was booked.
    v_aside := app.check_problems(jsonb_set(v_quote, '{problems}', (
      select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(v_quote -> 'problems') p
      where not (p ->> 'code' in ('past', 'advance_notice', 'closed_arrival') and v_in = r.check_in)
        and not (p ->> 'code' = 'closed_departure' and v_out = r.check_out)
        and not (p ->> 'code' in ('min_stay', 'max_stay') and (v_in, v_out) = (r.check_in, r.check_out))
        and not (p ->> 'code' = 'inactive_extra' and v_extras = v_own))), v_override);
    v_money := v_quote;
  else
    if v_scope = 'extras' then
      perform app.check_problems(jsonb_build_object('problems', (
        select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(v_quote -> 'problems') p
        where p ->> 'code' in ('inactive_extra', 'package_extra'))), false);
    end if;
    v_money := jsonb_build_object('roomTotal', r.room_total, 'extraGuestTotal', r.extra_guest_total, 'packageOtherTotal', r.package_other_total,
      'discountTotal', r.discount_total, 'extrasTotal', r.extras_total, 'taxTotal', r.tax_total, 'total', r.total, 'depositDue', r.deposit_due);
    if v_scope = 'extras' then
      v_tax := greatest(0, r.tax_total - app.extras_tax(app.stored_extras(r), r.currency) + app.extras_tax(v_quote -> 'extras', r.currency));
      v_money := v_money || jsonb_build_object(
        'extrasTotal', v_quote -> 'extrasTotal', 'taxTotal', v_tax,
        'total', r.total - r.extras_total - r.tax_total + (v_quote ->> 'extrasTotal')::numeric + v_tax);
      -- The same share of the total as was agreed, or as is usual where nothing was.
      v_money := v_money || jsonb_build_object('depositDue', case
        when r.total > 0 then round(r.deposit_due * (v_money ->> 'total')::numeric / r.total, 2)
        else least((v_quote ->> 'depositDue')::numeric, (v_money ->> 'total')::numeric) end);
    end if;
  end if;
  return jsonb_build_object('scope', v_scope, 'rooms', coalesce(to_jsonb(v_rooms), '[]'), 
    'moved', v_rooms is distinct from v_units or v_pin is distinct from v_pinned, 'pinned', v_pin, 'moves', v_moves, 'types', v_new_types,
    'checkIn', v_in, 'checkOut', v_out, 'adults', v_adults, 'children', v_children, 'package', v_package, 'coupon', v_coupon,
    'extras', case v_scope when 'none' then app.stored_extras(r) else v_quote -> 'extras' end,
    'money', v_money, 'quote', v_quote, 'setAside', v_aside);
end $$;

-- Changes a reservation and returns its summary. Raises what app.edit_plan
-- raises, and PT409 'proposal_changed'.
create or replace function public.edit_reservation(p_entity uuid, p_code text, p_changes jsonb, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  r public.reservations;
  v_types text[];
  v_over uuid[];
  p jsonb;
  v_rooms uuid[];
begin
  select * into r from app.take_reservations(v_org, p_entity, p_code);
  select array_agg(distinct t.code) into v_types
  from public.reservation_rooms q
  join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
  where q.org_id = v_org and q.reservation_id = r.id;
  if p_changes ?| array['checkIn', 'checkOut', 'room', 'unit'] then
    v_over := app.queue_for(v_org, p_entity, v_types || (p_changes ->> 'room'),
      array(select q.room_id from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = r.id),
      least(r.check_in, (p_changes ->> 'checkIn')::date), greatest(r.check_out, (p_changes ->> 'checkOut')::date));
  end if;
  p := app.edit_plan(r, p_changes, p_today);
  perform app.check_price(app.shown('edit_preview') -> 'money' -> 'total', app.shown('edit_preview') -> 'money' -> 'depositDue',
                          (p -> 'money' ->> 'total')::numeric, (p -> 'money' ->> 'depositDue')::numeric);
  v_rooms := array(select jsonb_array_elements_text(p -> 'rooms')::uuid);
  perform app.end_holds(v_org, array_remove(v_over, r.id));

  if (p ->> 'scope') = 'all' then
    delete from public.reservation_nights n where n.org_id = v_org and n.reservation_id = r.id;
  end if;
  if (p ->> 'moved')::boolean then
    delete from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = r.id;
  end if;
  begin
    perform app.move_stays(v_org, p_entity, p -> 'moves');
    update public.reservations u
    set check_in = (p ->> 'checkIn')::date, check_out = (p ->> 'checkOut')::date,
        adults = (p ->> 'adults')::int, children = (p ->> 'children')::int,
        package_id = (select k.id from public.packages k where k.org_id = v_org and k.entity_id = p_entity and k.code = p ->> 'package'),
        coupon_code = p ->> 'coupon',
        room_total = (p -> 'money' ->> 'roomTotal')::numeric, extra_guest_total = (p -> 'money' ->> 'extraGuestTotal')::numeric,
        package_other_total = (p -> 'money' ->> 'packageOtherTotal')::numeric, discount_total = (p -> 'money' ->> 'discountTotal')::numeric,
        extras_total = (p -> 'money' ->> 'extrasTotal')::numeric, tax_total = (p -> 'money' ->> 'taxTotal')::numeric,
        deposit_due = (p -> 'money' ->> 'depositDue')::numeric,
        guest_name = coalesce(p_changes ->> 'guestName', u.guest_name),
        guest_email = case when p_changes ? 'guestEmail' then nullif(p_changes ->> 'guestEmail', '') else u.guest_email end,
        guest_phone_country_code = case when p_changes ? 'phoneCountryCode' then nullif(p_changes ->> 'phoneCountryCode', '') else u.guest_phone_country_code end,
        guest_phone = case when p_changes ? 'phone' then nullif(p_changes ->> 'phone', '') else u.guest_phone end,
        guest_country = case when p_changes ? 'country' then nullif(p_changes ->> 'country', '') else u.guest_country end,
        channel = coalesce(p_changes ->> 'channel', u.channel),
        special_requests = coalesce(p_changes ->> 'specialRequests', u.special_requests),
        notes = coalesce(p_changes ->> 'notes', u.notes)
    where u.org_id = v_org and u.id = r.id;
    if (p ->> 'moved')::boolean then
      insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id, unit_pinned)
      select v_org, p_entity, r.id, x, (p ->> 'pinned')::boolean from unnest(v_rooms) x;
    end if;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'not_available', detail = app.say_taken(p_entity, p -> 'types' ->> 0, p_changes ->> 'unit',
      cardinality(v_rooms), (p ->> 'checkIn')::date, (p ->> 'checkOut')::date, p_today, r.id);
  end;
  if (p ->> 'scope') = 'all' then
    perform app.store_nights(v_org, p_entity, r.id, v_rooms, p -> 'quote');
    delete from public.coupon_uses c where c.org_id = v_org and c.reservation_id = r.id;
    if p ->> 'coupon' is not null then
      perform app.use_coupon(v_org, p_entity, r.id, p ->> 'coupon', (p -> 'money' ->> 'discountTotal')::numeric);
    end if;
  elsif (p ->> 'moved')::boolean then
    -- The same price in another unit of the type.
    update public.reservation_nights n set room_id = v_rooms[1] where n.org_id = v_org and n.reservation_id = r.id;
  end if;
  if (p ->> 'scope') <> 'none' then
    delete from public.reservation_extras e where e.org_id = v_org and e.reservation_id = r.id;
    delete from public.extra_selections s
    where s.org_id = v_org and s.reservation_id = r.id
      and s.extra_id not in (select x.id from jsonb_to_recordset(p -> 'extras') e (code text)
                             join public.extras x on x.org_id = v_org and x.entity_id = p_entity and x.code = e.code);
    perform app.store_extras(v_org, p_entity, r.id, jsonb_build_object('extras', p -> 'extras'));
  end if;
  return public.reservation_summaries(p_entity, array[r.code]);
end $$;

-- What edit_reservation would do: {"before": details, "scope", "moved", "units",
-- "checkIn", … "money", "nightly", "setAside"}, with codes instead of ids. It
-- raises what edit_reservation raises. Units that nobody pinned are left out.
create or replace function public.edit_preview(p_entity uuid, p_code text, p_changes jsonb, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r public.reservations;
  p jsonb;
begin
  perform app.staff_org(p_entity);
  select * into r from public.reservations x where x.entity_id = p_entity and x.code = p_code;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
  p := app.edit_plan(r, p_changes, p_today);
  return p - 'rooms' - 'quote' - 'moves' - 'moved' || jsonb_build_object(
    'before', app.without_units(public.reservation_details(p_entity, r.code), p_entity),
    'units', (select coalesce(jsonb_agg(jsonb_build_object('unit', case when (p ->> 'pinned')::boolean then u.code end, 'roomCode', t.code, 'roomName', t.name) order by u.code), '[]')
              from jsonb_array_elements_text(p -> 'rooms') x
              join public.rooms u on u.org_id = r.org_id and u.id = x::uuid
              join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id),
    'packageName', p -> 'quote' -> 'package' ->> 'name');
end $$;

-- Raises what record_payment would raise, and returns the reservation's details otherwise.
create or replace function public.payment_preview(p_entity uuid, p_code text, p_kind text, p_amount numeric, p_beyond boolean default false) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r public.reservations;
begin
  perform app.staff_org(p_entity);
  select * into r from public.reservations x where x.entity_id = p_entity and x.code = p_code;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
  perform app.check_payment(r, p_kind, p_amount, p_beyond);
  return app.without_units(public.reservation_details(p_entity, r.code), p_entity);
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.say_gone(public.reservations),
  app.check_restorable(public.reservations, date) to authenticated;
