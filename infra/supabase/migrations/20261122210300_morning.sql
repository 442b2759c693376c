-- What the front desk does in the morning: which booking is meant by a name or a
-- room, the day in one answer, the chart of units and days, wishes and meals of
-- guests, and what the house tells them.

-- The bookings that staff mean by p_words for an act, the nearest arrival first,
-- at most nine. Words are a code, a group's code, a unit's code, a room type's
-- code or name, or (part of) a guest's name. A code is always one booking.
--   p_act    checked_in, checked_out, no_show, confirmed, cancelled: the status to
--            come; restore; pay for a payment; show for any
-- A booking of which the act would be refused is named only when there is no other.
create function public.reservations_meant(p_entity uuid, p_words text, p_act text, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_words constant text := btrim(regexp_replace(coalesce(p_words, ''), '\s+', ' ', 'g'));
  v_like constant text := '%' || replace(replace(replace(v_words, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_key constant text := upper(replace(v_words, ' ', '-'));
  v_ids uuid[];
begin
  if v_words = '' then
    return '[]';
  end if;
  if v_key ~ '^GRP-' then
    return coalesce((
      select jsonb_agg(jsonb_build_object('code', q.group_code, 'groupCode', q.group_code, 'guest', q.guest_name, 'checkIn', q.check_in, 'checkOut', q.check_out,
                                          'status', q.status, 'rooms', '[]'::jsonb))
      from (select r.group_code, r.guest_name, r.check_in, r.check_out, r.status from public.reservations r
            where r.entity_id = p_entity and r.group_code = v_key order by r.code limit 1) q), '[]');
  end if;
  select array_agg(r.id) into v_ids from public.reservations r where r.entity_id = p_entity and r.code = v_key;
  if v_ids is null then
    -- By room, as far as somebody has it around today.
    select array_agg(distinct r.id) into v_ids
    from public.rooms u
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    join public.reservation_rooms q on q.org_id = u.org_id and q.room_id = u.id
    join public.reservations r on r.org_id = q.org_id and r.id = q.reservation_id
    where u.entity_id = p_entity and (u.code = v_key or t.code = v_key or lower(t.name) = lower(v_words))
      and r.check_in between p_today - 60 and p_today + 400 and r.check_out >= p_today - 7;
    if v_ids is null and length(v_words) >= 3 then
      v_ids := array(select app.reservations_called(p_entity, v_like, null, null));
      if cardinality(v_ids) = 0 then
        v_ids := array(select app.reservations_called(p_entity, null, v_words, null));
      end if;
    end if;
  end if;
  return (
    with found as materialized (
      select r.*, case p_act
          when 'checked_in' then r.status in ('pending', 'confirmed') and r.check_in <= p_today and r.check_out >= p_today
          when 'checked_out' then r.status = 'checked_in'
          when 'no_show' then r.status in ('pending', 'confirmed') and r.check_in <= p_today
          when 'confirmed' then r.status = 'pending'
          when 'cancelled' then r.status in ('pending', 'confirmed') and r.check_out >= p_today
          when 'restore' then r.status in ('cancelled', 'no_show') and r.check_out >= p_today
          when 'pay' then r.status not in ('cancelled', 'no_show') and app.balance(r.org_id, r.id, r.total) > 0
          else r.status not in ('cancelled', 'no_show') and r.check_out >= p_today end as fits
      from public.reservations r
      where r.entity_id = p_entity and r.id = any (v_ids)
    ), picked as (
      select * from found f
      where f.fits or not exists (select from found o where o.fits)
      order by f.status in ('cancelled', 'no_show', 'checked_out'), f.status = 'checked_in' desc, abs(f.check_in - p_today), f.code
      limit 9
    )
    select coalesce(jsonb_agg(jsonb_build_object(
        'code', p.code, 'groupCode', p.group_code, 'guest', p.guest_name, 'checkIn', p.check_in, 'checkOut', p.check_out, 'status', p.status,
        'rooms', coalesce((select jsonb_agg(u.code order by u.code) from public.reservation_rooms q
                           join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                           where q.org_id = p.org_id and q.reservation_id = p.id), '[]'))
      order by p.status in ('cancelled', 'no_show', 'checked_out'), p.status = 'checked_in' desc, abs(p.check_in - p_today), p.code), '[]')
    from picked p);
end $$;

-- The morning of a day in one answer; lists have at most p_limit entries, counts
-- all. Cancelled bookings, no-shows and holds that are over are left out.
--   arrivals     booked to arrive by that day and not here yet
--   departures   here, and to leave by that day
--   inHouse      here, and to stay longer
--   dues         those of the three lists that owe money
--   cleaning     [{"unit","room","guest","code","gone","next"}]: units that are left that day
--   counts       {"arrivals","arrived","departures","departed","inHouse","dues","cleaning","free","units"}
--   entries      {"code","guest","rooms","checkIn","checkOut","people","status","balance","currency","specialRequests"}
create function public.morning(p_entity uuid, p_date date, p_limit int default 12) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_longest constant int := coalesce((select max(r.nights) from public.reservations r where r.entity_id = p_entity), 0);
begin
  return (
  with near as materialized (
    select r.org_id, r.id, r.code, r.guest_name, r.check_in, r.check_out, r.nights, r.adults + r.children as people,
           r.status, r.total, r.currency, r.special_requests
    from public.reservations r
    where r.entity_id = p_entity and r.check_in <= p_date and r.check_in >= p_date - v_longest and r.check_out >= p_date
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
    union all
    select r.org_id, r.id, r.code, r.guest_name, r.check_in, r.check_out, r.nights, r.adults + r.children,
           r.status, r.total, r.currency, r.special_requests
    from public.reservations r
    where r.entity_id = p_entity and r.status = 'checked_in' and r.check_out < p_date
  ), here as materialized (
    select n.*, app.balance(n.org_id, n.id, n.total) as balance,
      case when n.status = 'checked_in' then case when n.check_out <= p_date then 'departures' else 'inHouse' end
           when n.status in ('pending', 'confirmed') and (n.check_out > p_date or n.nights = 0) then 'arrivals' end as part
    from near n
  ), ranked as materialized (
    select h.*, row_number() over (partition by h.part order by h.check_out < p_date desc, h.guest_name, h.code) as place,
           row_number() over (partition by h.balance > 0 and h.part is not null order by h.part = 'departures' desc, h.check_out, h.guest_name, h.code) as due
    from here h
  ), told as materialized (
    select r.part, r.place, case when r.balance > 0 and r.part is not null then r.due end as due,
      jsonb_build_object('code', r.code, 'guest', r.guest_name, 'checkIn', r.check_in, 'checkOut', r.check_out, 'people', r.people,
        'status', r.status, 'balance', r.balance, 'currency', r.currency, 'specialRequests', left(r.special_requests, 160),
        'rooms', coalesce((select jsonb_agg(u.code order by u.code) from public.reservation_rooms q
                           join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                           where q.org_id = r.org_id and q.reservation_id = r.id), '[]')) as entry
    from ranked r
    where r.part is not null and (r.place <= p_limit or r.balance > 0 and r.due <= p_limit)
  ), unit as materialized (
    select u.org_id, u.id, u.code, t.name from public.rooms u
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.active and t.active
  ), taken as materialized (
    select u.code as unit, u.name as room, n.code, n.guest_name, n.check_in, n.check_out, n.status
    from here n
    join public.reservation_rooms q on q.org_id = n.org_id and q.reservation_id = n.id
    join unit u on u.org_id = q.org_id and u.id = q.room_id
    where n.nights > 0
  ), cleaning as materialized (
    select k.unit, k.room, k.guest_name, k.code, k.status = 'checked_out' as gone,
      (select a.guest_name from taken a where a.unit = k.unit and a.check_in = p_date and a.status <> 'checked_out' limit 1) as next,
      row_number() over (order by exists (select from taken a where a.unit = k.unit and a.check_in = p_date) desc, k.unit) as place
    from taken k where k.check_out = p_date and k.status in ('checked_in', 'checked_out')
  )
  select jsonb_build_object(
    'date', p_date,
    'arrivals', (select coalesce(jsonb_agg(entry order by place), '[]') from told where part = 'arrivals' and place <= p_limit),
    'departures', (select coalesce(jsonb_agg(entry order by place), '[]') from told where part = 'departures' and place <= p_limit),
    'inHouse', (select coalesce(jsonb_agg(entry order by place), '[]') from told where part = 'inHouse' and place <= p_limit),
    'dues', (select coalesce(jsonb_agg(entry order by due), '[]') from told where due <= p_limit),
    'cleaning', (select coalesce(jsonb_agg(jsonb_build_object('unit', c.unit, 'room', c.room, 'guest', c.guest_name, 'code', c.code,
                                                             'gone', c.gone, 'next', coalesce(c.next, '')) order by c.place), '[]')
                 from cleaning c where c.place <= p_limit),
    'counts', jsonb_build_object(
      'arrivals', (select count(*) from here where part = 'arrivals'),
      'arrived', (select count(*) from here where check_in = p_date and status in ('checked_in', 'checked_out')),
      'departures', (select count(*) from here where part = 'departures'),
      'departed', (select count(*) from here where check_out = p_date and status = 'checked_out'),
      'inHouse', (select count(*) from here where status = 'checked_in'),
      'dues', (select count(*) from here where part is not null and balance > 0),
      'cleaning', (select count(*) from cleaning),
      'units', (select count(*) from unit),
      'free', (select count(*) from unit u
               where not exists (select from taken k where k.unit = u.code and k.check_in <= p_date and k.check_out > p_date)
                 and not exists (select from app.taken(p_entity, p_date, p_date + 1) b where b.room_id = u.id and b.block_id is not null)))));
end $$;

-- Units and what takes their nights from p_from to p_to, at most 62 days, by room
-- type and unit. The nights of holds that are over are free.
--   units   [{"unit","room","roomCode"}]
--   spans   [{"unit","from","to","kind","code","guest","status","reason","pinned"}]: kind is stay, hold or block; pinned
--           says that nobody may move it to another unit, as nobody may whose guest is here
create function public.tape_chart(p_entity uuid, p_from date, p_to date) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  if p_from is null or p_to is null or p_to <= p_from or p_to - p_from > 62 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'A chart shows 1 to 62 days.';
  end if;
  return (
  with unit as materialized (
    select u.id, u.code, u.sort, t.name, t.code as type from public.rooms u
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.active and t.active
  )
  select jsonb_build_object(
    'units', coalesce((select jsonb_agg(jsonb_build_object('unit', u.code, 'room', u.name, 'roomCode', u.type) order by u.name, u.sort, u.code)
                       from unit u), '[]'),
    'spans', coalesce((
      select jsonb_agg(jsonb_build_object('unit', u.code, 'from', k.starts_on, 'to', k.ends_on,
          'kind', case when k.block_id is not null then 'block' when r.status = 'pending' then 'hold' else 'stay' end,
          'code', coalesce(r.code, ''), 'guest', coalesce(r.guest_name, ''), 'status', coalesce(r.status, ''), 'reason', coalesce(b.reason, ''),
          'pinned', coalesce((select s.unit_pinned from public.stays s
                              where s.org_id = r.org_id and s.reservation_id = r.id and s.room_id = k.room_id and s.active limit 1), false))
          order by u.name, u.sort, u.code, k.starts_on)
      from app.taken(p_entity, p_from, p_to) k
      join unit u on u.id = k.room_id
      left join public.reservations r on r.entity_id = p_entity and r.id = k.reservation_id
      left join public.blocked_dates b on b.entity_id = p_entity and b.id = k.block_id), '[]')));
end $$;

-- What guests who stay at any time from p_from to p_to, both included, asked for:
-- special requests of their bookings, and preferences and choices of their
-- selections. By arrival; "matches" counts all. p_about leaves only those with
-- that text in them.
create function public.guest_needs(p_entity uuid, p_from date, p_to date, p_about text default null, p_limit int default 100,
                                   p_offset int default 0) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_longest constant int := coalesce((select max(r.nights) from public.reservations r where r.entity_id = p_entity), 0);
begin
  return (
  with stay as materialized (
    select r.* from public.reservations r
    where r.entity_id = p_entity and r.check_in <= p_to and r.check_in >= p_from - v_longest and r.check_out >= p_from
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
  ), wish as materialized (
    select s.check_in, s.code, jsonb_build_object(
      'code', s.code, 'guest', s.guest_name, 'checkIn', s.check_in, 'checkOut', s.check_out, 'people', s.adults + s.children,
      'specialRequests', s.special_requests,
      'rooms', coalesce((select jsonb_agg(u.code order by u.code) from public.reservation_rooms q
                         join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                         where q.org_id = s.org_id and q.reservation_id = s.id), '[]'),
      'preferences', e.told) as entry
    from stay s
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('extra', x.name, 'preferences', c.preferences, 'date', c.service_date) order by x.name), '[]') as told
      from public.extra_selections c join public.extras x on x.org_id = c.org_id and x.id = c.extra_id
      where c.org_id = s.org_id and c.reservation_id = s.id and c.preferences <> '') e
    where (s.special_requests <> '' or e.told <> '[]')
      and (p_about is null or strpos(lower(s.special_requests), lower(p_about)) > 0
           or exists (select from jsonb_array_elements(e.told) w
                      where strpos(lower((w ->> 'extra') || ': ' || (w ->> 'preferences')), lower(p_about)) > 0))
  )
  select jsonb_build_object('matches', (select count(*) from wish),
    'stays', (select count(*) from stay),
    'needs', coalesce((select jsonb_agg(w.entry order by w.check_in, w.code)
                       from (select * from wish order by check_in, code limit least(greatest(p_limit, 1), 200) offset greatest(p_offset, 0)) w), '[]')));
end $$;

-- Who eats on a day: extras of the category food that are served each morning
-- after a night (those per night), and those whose selection names the day.
--   people  who slept here the night before
--   meals   [{"extra","extraCode","code","guest","rooms","heads","specialRequests"}]: heads are the guests of a price
--           per guest, else the quantity
create function public.meals_of_day(p_entity uuid, p_date date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_longest constant int := coalesce((select max(r.nights) from public.reservations r where r.entity_id = p_entity), 0);
begin
  return (
  with stay as materialized (
    select r.* from public.reservations r
    where r.entity_id = p_entity and r.check_in <= p_date and r.check_in >= p_date - v_longest and r.check_out >= p_date
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
  ), meal as (
    select x.name, x.code as extra_code, s.code, s.guest_name, s.org_id, s.id, s.special_requests,
           e.quantity * case when e.per in ('guest', 'guest_night') then s.adults + s.children else 1 end as heads
    from stay s
    join public.reservation_extras e on e.org_id = s.org_id and e.reservation_id = s.id
    join public.extras x on x.org_id = e.org_id and x.id = e.extra_id
    where x.category = 'food' and (
      e.per in ('night', 'guest_night') and s.check_in < p_date
      or exists (select from public.extra_selections c
                 where c.org_id = s.org_id and c.reservation_id = s.id and c.extra_id = x.id and c.service_date = p_date))
  )
  select jsonb_build_object(
    'date', p_date,
    'people', (select coalesce(sum(s.adults + s.children), 0) from stay s where s.check_in < p_date),
    'stays', (select count(*) from stay s where s.check_in < p_date),
    'meals', coalesce((select jsonb_agg(jsonb_build_object('extra', m.name, 'extraCode', m.extra_code, 'code', m.code, 'guest', m.guest_name,
        'heads', m.heads, 'specialRequests', m.special_requests,
        'rooms', coalesce((select jsonb_agg(u.code order by u.code) from public.reservation_rooms q
                           join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                           where q.org_id = m.org_id and q.reservation_id = m.id), '[]'))
        order by m.name, m.guest_name, m.code) from meal m), '[]')));
end $$;

-- What a house tells its guests, by the names of its settings; "" for what it
-- says nothing of. "version" is that of its row.
create function public.house_facts(p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('name', e.name, 'version', e.version, 'key', e.key,
    'facts', (select jsonb_object_agg(f, coalesce(e.settings ->> f, ''))
              from unnest(array['checkInTime', 'checkOutTime', 'freeCancelDays', 'depositPercent', 'phone', 'email', 'address',
                                'directions', 'cancellationTerms', 'houseRules']) f))
  from public.entities e where e.id = p_entity and e.kind = 'property'
$$;

-- Changes what a house tells its guests: p_facts is {"directions": text, …} of
-- the names in house_facts but depositPercent; an empty text removes one.
-- Returns house_facts. Raises PT403 for whoever is no administrator, PT422
-- 'bad_fact' for another name or a value that does not fit it.
create function public.set_house_facts(p_entity uuid, p_facts jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_name text;
  v_value text;
  v_settings jsonb;
begin
  if coalesce(app.org_role(), '') <> 'admin' then
    raise sqlstate 'PT403' using message = 'admins_only', detail = 'Only administrators may change what the house tells its guests.';
  end if;
  select e.settings into v_settings from public.entities e where e.id = p_entity and e.kind = 'property' for update;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_property', detail = 'There is no such property.';
  end if;
  for v_name, v_value in select key, btrim(value) from jsonb_each_text(p_facts) loop
    if v_name not in ('checkInTime', 'checkOutTime', 'freeCancelDays', 'phone', 'email', 'address', 'directions', 'cancellationTerms', 'houseRules')
      or length(v_value) > (case when v_name in ('directions', 'cancellationTerms', 'houseRules') then 4000 else 254 end)
      or v_name in ('checkInTime', 'checkOutTime') and v_value <> '' and v_value !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
      or v_name = 'freeCancelDays' and v_value <> '' and v_value !~ '^[0-9]{1,3}$' then
      raise sqlstate 'PT422' using message = 'bad_fact', detail = format('This can''t be kept as %s.', v_name);
    end if;
    v_settings := case when coalesce(v_value, '') = '' then v_settings - v_name
                       when v_name = 'freeCancelDays' then jsonb_set(v_settings, array[v_name], to_jsonb(v_value::int))
                       else jsonb_set(v_settings, array[v_name], to_jsonb(v_value)) end;
  end loop;
  update public.entities e set settings = v_settings where e.id = p_entity;
  return public.house_facts(p_entity);
end $$;

revoke execute on function public.reservations_meant(uuid, text, text, date), public.morning(uuid, date, int),
  public.tape_chart(uuid, date, date), public.guest_needs(uuid, date, date, text, int, int), public.meals_of_day(uuid, date),
  public.house_facts(uuid), public.set_house_facts(uuid, jsonb) from public, anon, service_role;
grant execute on function public.reservations_meant(uuid, text, text, date), public.morning(uuid, date, int),
  public.tape_chart(uuid, date, date), public.guest_needs(uuid, date, date, text, int, int), public.meals_of_day(uuid, date),
  public.house_facts(uuid), public.set_house_facts(uuid, jsonb) to authenticated;
call app.preview_reads('reservations_meant', 'house_facts');
