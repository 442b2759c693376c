-- Which unit is taken by a booking: found, queued for, and told when there is none.

-- The active units of a type that nothing takes for p_nights from one of the
-- days p_starts, with that day. Bookings in p_except and holds that are over take
-- nothing.
create function app.free_units(p_entity uuid, p_type uuid, p_starts date[], p_nights int, p_except uuid)
returns table (starts_on date, room_id uuid, code text, sort int)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with unit as materialized (
    select r.org_id, r.id, r.code, r.sort from public.rooms r
    where r.entity_id = p_entity and r.room_type_id = p_type and r.active
  ), taken as materialized (
    select s.room_id, s.period
    from unit u join public.stays s on s.org_id = u.org_id and s.room_id = u.id
    left join public.reservations h on h.org_id = s.org_id and h.id = s.reservation_id
    where s.active and s.period && daterange((select min(d) from unnest(p_starts) d), (select max(d) from unnest(p_starts) d) + p_nights)
      and (s.reservation_id = p_except) is not true
      and (h.status = 'pending' and h.hold_until <= clock_timestamp()) is not true
  )
  select d, u.id, u.code, u.sort
  from unnest(p_starts) d cross join unit u
  where not exists (select from taken t where t.room_id = u.id and t.period && daterange(d, d + p_nights));
end $$;

-- Why a type cannot be had for the nights, what else is free then, and when it
-- is free itself. p_except is a booking that is to move and so is not in the way.
create function app.say_taken(p_entity uuid, p_type text, p_unit text, p_wanted int, p_from date, p_to date, p_today date,
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
begin
  select t.id, t.name || ' (' || t.code || ')' into v_type, v_name
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

-- Finds a free unit for each of p_wanted, [{"room": type's code, "unit": code or
-- null}], in its order. Units in p_prefer come first, p_except is a booking
-- whose own nights do not count. Raises PT404 for what there is not, PT409
-- 'not_available' with what is taken and what is free instead.
create function app.pick_rooms(p_entity uuid, p_wanted jsonb, p_from date, p_to date, p_today date,
                               p_except uuid default null, p_prefer uuid[] default '{}') returns uuid[]
language plpgsql stable set search_path = '' as $$
declare
  v_picked uuid[] := array_fill(null::uuid, array[jsonb_array_length(p_wanted)]);
  w record;
  v_type uuid;
  v_room uuid;
begin
  -- A unit that is asked for by name is not given away to a request that takes any.
  for w in select o::int as place, v ->> 'room' as room, v ->> 'unit' as unit
           from jsonb_array_elements(p_wanted) with ordinality e (v, o)
           order by v ->> 'unit' is null, o loop
    select t.id into v_type from public.room_types t where t.entity_id = p_entity and t.code = w.room;
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
    if not found then
      raise sqlstate 'PT409' using message = 'not_available',
        detail = app.say_taken(p_entity, w.room, w.unit,
          (select count(*)::int from jsonb_array_elements(p_wanted) o where o ->> 'room' = w.room), p_from, p_to, p_today, p_except);
    end if;
    v_picked[w.place] := v_room;
  end loop;
  return v_picked;
end $$;

-- Queues for all units of these types, and p_also, in one order for everybody.
-- The transaction that is through sees what was booked before, and no other books there
-- until the transaction ends. Returns the holds that are over and in the way;
-- their units are queued for, too.
create function app.queue_for(p_org uuid, p_entity uuid, p_types text[], p_also uuid[], p_from date, p_to date) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  v_rooms uuid[];
  v_over uuid[];
begin
  select array_agg(r.id) into v_rooms
  from public.rooms r join public.room_types t on t.org_id = r.org_id and t.id = r.room_type_id
  where r.org_id = p_org and r.entity_id = p_entity and t.code = any (p_types);
  v_rooms := v_rooms || coalesce(p_also, '{}');
  select array_agg(distinct h.id) into v_over
  from public.stays s join public.reservations h on h.org_id = s.org_id and h.id = s.reservation_id
  where s.org_id = p_org and s.room_id = any (v_rooms) and s.active and s.period && daterange(p_from, p_to, '[)')
    and h.status = 'pending' and h.hold_until <= clock_timestamp();
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

-- Cancels these bookings if they are holds that are over. One that another transaction is
-- changing at this moment is left alone: waiting for it here could wait for ever.
create function app.end_holds(p_org uuid, p_reservations uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  if p_reservations is null then
    return;
  end if;
  with over as (
    select r.id from public.reservations r
    where r.org_id = p_org and r.id = any (p_reservations) and r.status = 'pending' and r.hold_until <= clock_timestamp()
    for no key update skip locked
  ), uses as (
    delete from public.coupon_uses u using over where u.org_id = p_org and u.reservation_id = over.id
  )
  update public.reservations r
  set status = 'cancelled', cancelled_at = now(), cancellation_reason = 'The hold was over.'
  from over where r.org_id = p_org and r.id = over.id;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.free_units(uuid, uuid, date[], int, uuid),
  app.say_taken(uuid, text, text, int, date, date, date, uuid),
  app.pick_rooms(uuid, jsonb, date, date, date, uuid, uuid[]),
  app.queue_for(uuid, uuid, text[], uuid[], date, date), app.end_holds(uuid, uuid[]) to authenticated;
