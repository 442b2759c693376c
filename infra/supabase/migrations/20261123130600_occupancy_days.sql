-- Occupancy day by day, for the calendar of a period.

-- The room-nights sold in each night of [p_from, p_to) that has some, from the
-- figures by night.
create function app.nights_sold(p_entity uuid, p_from date, p_to date) returns table (night date, sold int)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  v_org constant uuid := app.figures_org(p_entity);
begin
  return query
  select f.night, count(*)::int
  from app.night_figures f
  where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to
  group by f.night;
end $$;

-- The nights of [p_from, p_to), each with the counts of public.occupancy for that night alone.
--   units     active units of active types
--   blocked   those of them that are blocked
--   sold      room-nights of counted bookings
create function public.occupancy_days(p_entity uuid, p_from date, p_to date)
returns table (day date, units int, blocked int, sold int)
language plpgsql stable set search_path = '' as $$
begin
  if p_from is null or p_to is null or p_to < p_from or p_to - p_from > 400 then
    raise sqlstate 'PT422' using message = 'invalid_dates',
      detail = 'The period must end 0 to 400 days after it begins.';
  end if;
  return query
  with unit as materialized (
    select u.id
    from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.active and t.active
  ), closed as (
    select g.night::date as night, count(*)::int as units
    from public.blocked_dates d
    join public.stays s on s.org_id = d.org_id and s.block_id = d.id
    join unit u on u.id = s.room_id
    cross join lateral generate_series(greatest(lower(s.period), p_from)::timestamp,
      least(upper(s.period), p_to)::timestamp - interval '1 day', interval '1 day') g (night)
    where d.entity_id = p_entity and d.starts_on < p_to and d.ends_on > p_from
      and s.active and s.period && daterange(p_from, p_to, '[)')
    group by g.night
  )
  select p_from + n, (select count(*)::int from unit), coalesce(c.units, 0), coalesce(s.sold, 0)
  from generate_series(0, p_to - p_from - 1) n
  left join closed c on c.night = p_from + n
  left join app.nights_sold(p_entity, p_from, p_to) s on s.night = p_from + n
  order by n;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.occupancy_days(uuid, date, date) from public, anon;
grant execute on function public.occupancy_days(uuid, date, date) to authenticated, service_role;
grant execute on function app.nights_sold(uuid, date, date) to authenticated, service_role;
