-- What the front desk needs: selections to serve, the sheet of a day, and who changed what.

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

-- A day of a property: who arrives, who leaves, who stays over, and how each
-- unit that is let stands. Cancelled bookings and no-shows are left out.
--   arriving, leaving, staying   [{"code","groupCode","guest","rooms":[…],"checkIn","checkOut","nights","adults","children",
--                                  "status","total","balance","currency","specialRequests"}]
--   overdue   checked in, although the stay ended before that day
--   units     [{"unit","room","leaving","arriving","staying","block"}]: codes of reservations, the reason of a block
create function public.day_sheet(p_entity uuid, p_date date) returns jsonb
language sql stable set search_path = '' as $$
  with stay as materialized (
    select r.org_id, r.id, r.code, r.check_in, r.check_out, r.guest_name, r.status,
      jsonb_build_object(
        'code', r.code, 'groupCode', r.group_code, 'guest', r.guest_name, 'checkIn', r.check_in, 'checkOut', r.check_out, 'nights', r.nights,
        'rooms', coalesce((select jsonb_agg(u.code order by u.code) from public.reservation_rooms q
                           join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                           where q.org_id = r.org_id and q.reservation_id = r.id), '[]'),
        'adults', r.adults, 'children', r.children, 'status', r.status, 'total', r.total, 'currency', r.currency,
        'balance', app.balance(r.org_id, r.id, r.total), 'specialRequests', r.special_requests) as told
    from public.reservations r
    where r.entity_id = p_entity and r.check_in <= p_date
      and (r.check_out >= p_date and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
           or r.check_out < p_date and r.status = 'checked_in')
  ), taken as materialized (
    select q.room_id, s.code, s.check_in, s.check_out from stay s
    join public.reservation_rooms q on q.org_id = s.org_id and q.reservation_id = s.id
    where s.check_in < s.check_out and s.check_out >= p_date
  ), blocked as materialized (
    select s.room_id, b.reason from public.blocked_dates b
    join public.stays s on s.org_id = b.org_id and s.block_id = b.id
    where b.entity_id = p_entity and b.starts_on <= p_date and b.ends_on > p_date and s.active and s.period @> p_date
  )
  select jsonb_build_object(
    'arriving', coalesce((select jsonb_agg(told order by guest_name, code) from stay where check_in = p_date), '[]'),
    'leaving', coalesce((select jsonb_agg(told order by guest_name, code) from stay where check_out = p_date), '[]'),
    'staying', coalesce((select jsonb_agg(told order by guest_name, code) from stay where check_in < p_date and check_out > p_date), '[]'),
    'overdue', coalesce((select jsonb_agg(told order by check_out, code) from stay where check_out < p_date), '[]'),
    'units', coalesce((
      select jsonb_agg(jsonb_build_object('unit', u.code, 'room', t.name,
        'leaving', (select k.code from taken k where k.room_id = u.id and k.check_out = p_date),
        'arriving', (select k.code from taken k where k.room_id = u.id and k.check_in = p_date),
        'staying', (select k.code from taken k where k.room_id = u.id and k.check_in < p_date and k.check_out > p_date),
        'block', (select k.reason from blocked k where k.room_id = u.id)) order by t.name, u.code)
      from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
      where u.entity_id = p_entity and u.active and t.active), '[]'))
$$;

-- What was done to whatever bears a code in this property, newest first; for
-- administrators and managers. Rows that hang on it (rooms, extras, payments
-- of a reservation) come with it; nightly lines and stays, which follow from
-- the rest, do not.
--   who     the member's name; null for the system
--   member  whether that person is still a member
--   thing   the code of what a joining row joins, such as the unit
--   matches counts all rows that would be found without p_limit
create function public.change_history(p_entity uuid, p_code text, p_limit int default 50)
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
  limit least(greatest(coalesce(p_limit, 50), 0), 200);
end $$;

revoke execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int)
   from public, anon;
grant execute on function public.selection_list(uuid, date, text, text, text, text[], date, date, int)
   to authenticated, service_role;
revoke execute on function public.day_sheet(uuid, date), public.change_history(uuid, text, int)
   from public, anon, service_role;
grant execute on function public.day_sheet(uuid, date), public.change_history(uuid, text, int) to authenticated;
call app.preview_reads('selection_list');
