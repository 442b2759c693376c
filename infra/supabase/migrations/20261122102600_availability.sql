-- Availability: what takes a night, and what is free. All of it runs as the
-- caller: row policies decide what is seen, and an entity of another org is an
-- empty hotel.
--
-- What takes a night is found by dates. Row policies keep an index from being
-- asked about ranges, since && is not leakproof; comparisons of dates are. So
-- bookings and blocks are found by theirs, and the longest stay says how far
-- back to look.

-- What takes a unit for a night of [p_from, p_to): bookings and blocks, without
-- the holds that are over.
create function app.taken(p_entity uuid, p_from date, p_to date)
returns table (room_id uuid, kind text, reservation_id uuid, block_id uuid, starts_on date, ends_on date)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_longest constant int := (select max(r.nights) from public.reservations r where r.entity_id = p_entity);
begin
  return query
  select s.room_id, s.kind, s.reservation_id, s.block_id, lower(s.period), upper(s.period)
  from public.reservations r
  join public.stays s on s.org_id = r.org_id and s.reservation_id = r.id and s.active
  where r.entity_id = p_entity and r.check_in < p_to and r.check_in > p_from - v_longest and r.check_out > p_from
    and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
  union all
  select s.room_id, s.kind, s.reservation_id, s.block_id, lower(s.period), upper(s.period)
  from public.blocked_dates b
  join public.stays s on s.org_id = b.org_id and s.block_id = b.id and s.active
  where b.entity_id = p_entity and b.starts_on < p_to and b.ends_on > p_from
    and s.period && daterange(p_from, p_to);
end $$;

-- The first day from p_from on from which an active unit of the type is free for
-- p_nights, for each of the types. Looks three weeks ahead and, for types that are
-- full till then, further.
create function app.next_free(p_entity uuid, p_types uuid[], p_from date, p_nights int)
returns table (room_type_id uuid, on_date date)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_left uuid[] := p_types;
  v_horizon date;
  v_row record;
begin
  foreach v_horizon in array array[p_from + 21, p_from + 90, p_from + 400, 'infinity'] loop
    exit when cardinality(v_left) = 0;
    for v_row in
      with unit as (
        select u.id, u.room_type_id from public.rooms u
        where u.entity_id = p_entity and u.active and u.room_type_id = any (v_left)
      ), gap as (
        -- A unit becomes free when the wanted nights begin, or where one of its stays ends.
        select q.room_type_id, q.ends_on as starts_on, lead(q.starts_on) over (partition by q.room_id order by q.starts_on) as ends_on
        from (
          select u.room_type_id, u.id as room_id, date '-infinity' as starts_on, p_from as ends_on from unit u
          union all
          select u.room_type_id, u.id, t.starts_on, t.ends_on
          from app.taken(p_entity, p_from, v_horizon + p_nights) t join unit u on u.id = t.room_id) q
      )
      select g.room_type_id, min(g.starts_on) as on_date from gap g
      where g.starts_on <= v_horizon and (g.ends_on is null or g.ends_on - g.starts_on >= p_nights)
      group by g.room_type_id
    loop
      room_type_id := v_row.room_type_id;
      on_date := v_row.on_date;
      v_left := array_remove(v_left, v_row.room_type_id);
      return next;
    end loop;
  end loop;
end $$;

-- One row per active room type for the nights of [p_from, p_to), by name. The
-- nights of holds that are over are free.
--   units, free_units    active units; those without any stay in the range
--   min_stay             the longest of the type's and of the seasons that hold on the day of arrival
--   bookings, blocks     what touches the range: [{"code","from","to","status"}], [{"reason","from","to"}]
--   closed_arrival, closed_departure   whether p_from is closed to arrival, p_to to departure
--   next_free            the first date from p_from on which a unit is free for as many nights; null without units
create function public.availability(p_entity uuid, p_from date, p_to date)
returns table (room_code text, room_name text, capacity int, units int, free_units int, min_stay int, max_stay int,
               weekday_price numeric, weekend_price numeric, currency text, bookings jsonb, blocks jsonb,
               closed_arrival boolean, closed_departure boolean, next_free date)
language plpgsql stable set search_path = '' as $$
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
  ), free as materialized (
    select u.room_type_id, count(*)::int as units,
           (count(*) filter (where not exists (select from taken k where k.room_id = u.id)))::int as free_units
    from unit u
    group by u.room_type_id
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

revoke execute on all routines in schema app from public;
grant execute on function app.taken(uuid, date, date), app.next_free(uuid, uuid[], date, int) to authenticated;
revoke execute on function public.availability(uuid, date, date) from public, anon;
grant execute on function public.availability(uuid, date, date) to authenticated, service_role;
