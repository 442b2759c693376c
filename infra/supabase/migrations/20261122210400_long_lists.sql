-- Long lists go on page by page: p_offset is how many rows come before the page.
-- As before otherwise.

drop function public.balances_due(uuid, date, int);
-- Reservations that still owe money, by arrival; {"reservations": summaries,
-- "matches", "balance": in all}. Cancelled ones and no-shows owe nothing.
create function public.balances_due(p_entity uuid, p_arrival_to date default null, p_limit int default 50,
                                    p_offset int default 0) returns jsonb
language sql stable set search_path = '' as $$
  with paid as materialized (
    select p.reservation_id, sum(case p.kind when 'payment' then p.amount else -p.amount end) as amount
    from public.payments p
    where p.entity_id = p_entity and p.status = 'completed'
    group by p.reservation_id
  ), due as materialized (
    select r.code, r.check_in, r.total - coalesce(p.amount, 0) as balance
    from public.reservations r left join paid p on p.reservation_id = r.id
    where r.entity_id = p_entity and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
      and (p_arrival_to is null or r.check_in <= p_arrival_to)
      and r.total - coalesce(p.amount, 0) > 0
  ), page as (
    select * from due order by check_in, code limit least(greatest(p_limit, 1), 200) offset greatest(p_offset, 0)
  )
  select jsonb_build_object(
    'matches', (select count(*) from due), 'balance', (select coalesce(sum(balance), 0) from due),
    'reservations', (select coalesce(jsonb_agg(s order by s ->> 'checkIn', s ->> 'code'), '[]')
                     from jsonb_array_elements(public.reservation_summaries(p_entity, array(select code from page))) s))
$$;

drop function public.selection_list(uuid, date, text, text, text, text[], date, date, int);
-- Selections over all reservations: those still to be served first (from
-- p_today on, soonest first), then the past ones, latest first. A selection
-- without a day of service counts by the day of arrival.
--   p_code, p_reservation, p_extra   codes, exactly
--   p_from, p_to   the day of service, both included, either side may be open
--   matches counts all rows that would be found without p_limit and p_offset
create function public.selection_list(p_entity uuid, p_today date, p_code text default null, p_reservation text default null,
                                      p_extra text default null, p_status text[] default null, p_from date default null,
                                      p_to date default null, p_limit int default 50, p_offset int default 0)
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
  limit least(greatest(coalesce(p_limit, 50), 0), 200) offset greatest(coalesce(p_offset, 0), 0)
$$;

drop function public.change_history(uuid, text, int);
-- What was done to whatever bears a code in this property, newest first; for
-- administrators and managers. Rows that hang on it (rooms, extras, payments
-- of a reservation) come with it; nightly lines and stays, which follow from
-- the rest, do not.
--   who     the member's name; null for the system
--   member  whether that person is still a member
--   thing   the code of what a joining row joins, such as the unit
--   matches counts all rows that would be found without p_limit and p_offset
create function public.change_history(p_entity uuid, p_code text, p_limit int default 50, p_offset int default 0)
returns table (at timestamptz, who text, member boolean, assisted boolean, table_name text, row_key text, action text, thing text,
               before jsonb, after jsonb, matches bigint)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_org uuid := app.member_org();
begin
  if app.org_role() not in ('admin', 'manager') then
    raise sqlstate 'PT403' using message = 'staff_only', detail = 'Only administrators and managers may see who changed what.';
  end if;
  return query
  select a.at, case when a.user_id is null then null else coalesce(nullif(m.name, ''), a.role, 'a member') end,
         a.user_id is null or m.user_id is not null, a.tool is not null, a.table_name, a.row_key, a.action,
         coalesce((select u.code from public.rooms u where u.org_id = v_org and u.id = (r.row ->> 'room_id')::uuid),
                  (select t.code from public.room_types t where t.org_id = v_org and t.id = (r.row ->> 'room_type_id')::uuid),
                  (select x.code from public.extras x where x.org_id = v_org and x.id = (r.row ->> 'extra_id')::uuid)),
         a.before, a.after, count(*) over ()
  from public.audit a
  cross join lateral (select coalesce(a.after, a.before) as row) r
  left join public.memberships m on m.org_id = a.org_id and m.user_id = a.user_id
  where a.org_id = v_org and a.row_key = upper(btrim(p_code)) and r.row ->> 'entity_id' = p_entity::text
    and a.table_name not in ('stays', 'reservation_nights')
  order by a.id desc
  limit least(greatest(coalesce(p_limit, 50), 0), 200) offset greatest(coalesce(p_offset, 0), 0);
end $$;

revoke execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int, int),
  public.balances_due(uuid, date, int, int), public.change_history(uuid, text, int, int) from public, anon, service_role;
grant execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int, int),
  public.balances_due(uuid, date, int, int), public.change_history(uuid, text, int, int) to authenticated;
grant execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int, int) to service_role;
