-- Selections over all reservations: those still to be served first (from
-- p_today on, soonest first), then the past ones, latest first. A selection
-- without a day of service counts by the day of arrival.
--   p_code, p_reservation, p_extra   codes, exactly
--   p_from, p_to   the day of service, both included, either side may be open
--   matches counts all rows that would be found without p_limit
create function public.selection_list(p_entity uuid, p_today date, p_code text default null, p_reservation text default null,
                                      p_extra text default null, p_status text[] default null, p_from date default null,
                                      p_to date default null, p_limit int default 50)
returns table (code text, status text, extra_code text, extra_name text, reservation_code text, reservation_status text,
               guest_name text, rooms text[], check_in date, check_out date, adults int, children int, special_requests text,
               service_date date, choices jsonb, preferences text, version int, matches bigint)
language sql stable set search_path = '' as $$
  select s.code, s.status, x.code, x.name, r.code, r.status, r.guest_name,
         coalesce((select array_agg(u.code order by u.code)
                   from public.reservation_rooms q join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                   where q.org_id = r.org_id and q.reservation_id = r.id), '{}'),
         r.check_in, r.check_out, r.adults, r.children, r.special_requests,
         s.service_date, s.choices, s.preferences, s.version, count(*) over ()
  from public.extra_selections s
  join public.reservations r on r.org_id = s.org_id and r.id = s.reservation_id
  join public.extras x on x.org_id = s.org_id and x.id = s.extra_id
  cross join lateral (select coalesce(s.service_date, r.check_in) as on_day) d
  where s.entity_id = p_entity
    and (p_code is null or s.code = p_code)
    and (p_reservation is null or r.code = p_reservation)
    and (p_extra is null or x.code = p_extra)
    and (coalesce(cardinality(p_status), 0) = 0 or s.status = any (p_status))
    and (p_from is null or d.on_day >= p_from)
    and (p_to is null or d.on_day <= p_to)
  order by d.on_day < p_today, abs(d.on_day - p_today), s.code
  limit least(greatest(coalesce(p_limit, 50), 0), 200)
$$;

revoke execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int) from public, anon;
grant execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int) to authenticated;
notify pgrst, 'reload schema';
