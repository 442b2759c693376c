-- Whether a unit is clean, since when, and who said so. A check-out and a change
-- of unit of a guest who is here set it to to_clean in their own transaction; the
-- audit keeps the history. A night of a stay changes nothing.

-- cleaning_since and cleaning_by are those of the last time that the state was
-- set; cleaning_by is null where no user did.
alter table public.rooms
  add column cleaning_state text not null default 'clean' constraint rooms_cleaning_state check (cleaning_state in
    ('clean', 'to_clean')),
  add column cleaning_since timestamptz not null default now(),
  add column cleaning_by uuid;
call app.bound_columns();

-- Time and user are the database's, whatever a request says. Setting the time
-- anew says that the state holds once more, as after a second check-out.
create function app.cleaning_set() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.cleaning_since := clock_timestamp();
  new.cleaning_by := auth.uid();
  return new;
end $$;
create trigger cleaning_set before insert on public.rooms for each row execute function app.cleaning_set();
create trigger cleaning_set_anew before update on public.rooms for each row
  when ((old.cleaning_state, old.cleaning_since, old.cleaning_by) is distinct from (new.cleaning_state,
    new.cleaning_since, new.cleaning_by))
  execute function app.cleaning_set();

-- Guests who check out leave units that are to be cleaned.
create function app.units_left() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_units constant uuid[] := array(
    select q.room_id from public.reservation_rooms q where q.org_id = new.org_id and q.reservation_id = new.id);
begin
  perform app.lock_rooms(new.org_id, v_units);
  update public.rooms u set cleaning_state = 'to_clean', cleaning_since = clock_timestamp()
  where u.org_id = new.org_id and u.id = any (v_units);
  return null;
end $$;
create trigger units_left after update of status on public.reservations for each row
  when (new.status = 'checked_out' and old.status <> 'checked_out') execute function app.units_left();

-- So does a guest who is here and gets another unit. An edit removes all units of
-- a stay and inserts those that it has then, so only the end of the transaction
-- knows which one was left. Moves that make room never touch a guest who is here.
create function app.unit_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.reservations r where r.org_id = old.org_id and r.id = old.reservation_id
    and r.status = 'checked_in')
     and not exists (select from public.reservation_rooms q
                     where q.org_id = old.org_id and q.reservation_id = old.reservation_id
                       and q.room_id = old.room_id) then
    update public.rooms u set cleaning_state = 'to_clean', cleaning_since = clock_timestamp()
    where u.org_id = old.org_id and u.id = old.room_id;
  end if;
  return null;
end $$;
create constraint trigger unit_changed after delete on public.reservation_rooms deferrable initially deferred
  for each row when (current_setting('app.moving', true) is distinct from 'on') execute function app.unit_changed();

-- The active units of a property by room type and unit, or those of p_codes, active
-- or not; p_codes are codes of units.
--   {"unit","room","roomCode","state","since","by","version","guest","code","next"}
--   by      the member who set the state; "" for no user
--   guest   who is in it, with the reservation's code, and next who arrives in it on p_date; "" for none
create function public.unit_states(p_entity uuid, p_codes text[] default null, p_date date default null) returns jsonb
language sql stable set search_path = '' as $$
  with unit as materialized (
    select u.*, t.name as room, t.code as room_code from public.rooms u
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and case when p_codes is null then u.active
      and t.active else u.code = any (p_codes) end
  ), around as materialized (
    select q.room_id, r.code, r.guest_name, r.status from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    where r.entity_id = p_entity and r.status = 'checked_in'
    union all
    select q.room_id, r.code, r.guest_name, r.status from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    where r.entity_id = p_entity and r.check_in = p_date and r.status in ('pending', 'confirmed')
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
  )
  select coalesce(jsonb_agg(jsonb_build_object(
      'unit', u.code, 'room', u.room, 'roomCode', u.room_code, 'state', u.cleaning_state, 'since',
      to_char(u.cleaning_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'version', u.version,
      'by', coalesce((select m.name from public.memberships m where m.org_id = u.org_id
        and m.user_id = u.cleaning_by), ''),
      'guest', coalesce(h.guest_name, ''), 'code', coalesce(h.code, ''), 'next', coalesce(n.guest_name, ''))
    order by u.room, u.sort, length(u.code), u.code), '[]')
  from unit u
  left join lateral (select a.code, a.guest_name from around a where a.room_id = u.id and a.status = 'checked_in'
    order by a.code limit 1) h on true
  left join lateral (select a.guest_name from around a where a.room_id = u.id and a.status <> 'checked_in'
    order by a.code limit 1) n on true
$$;

-- Of these units those in which no guest can go now: {"unit","state"}, where state
-- is to_clean, or occupied while the guest of another reservation than those of
-- p_except is in it.
create function public.units_unready(p_entity uuid, p_units text[], p_except text[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('unit', s.code, 'state', s.state) order by s.code), '[]')
  from (
    select u.code, case
      when exists (
        select from public.reservation_rooms q join public.reservations r on r.org_id = q.org_id
          and r.id = q.reservation_id
        where q.org_id = u.org_id and q.room_id = u.id and r.entity_id = p_entity and r.status = 'checked_in'
          and r.code <> all (p_except)) then 'occupied'
      when u.cleaning_state = 'to_clean' then 'to_clean' end as state
    from public.rooms u where u.entity_id = p_entity and u.code = any (p_units)) s
  where s.state is not null
$$;

-- Sets the state of units. p_units is [{"unit","version"}]: a unit whose version is
-- another one than was seen is refused; a null version is any. Units that are in
-- the state already stay as they are. Returns unit_states of them with "was", the
-- state before. Raises PT403, PT404 'unknown_unit', PT409 'unit_changed', and PT409
-- 'units_unchanged' where all of them are in the state already.
create function public.set_unit_states(p_entity uuid, p_units jsonb, p_state text, p_date date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_codes constant text[] := array(select x ->> 'unit' from jsonb_array_elements(p_units) x);
  v_was jsonb;
  v_bad text;
begin
  select x ->> 'unit' into v_bad from jsonb_array_elements(p_units) x
  where not exists (select from public.rooms u where u.org_id = v_org and u.entity_id = p_entity
    and u.code = x ->> 'unit') limit 1;
  if found then
    raise sqlstate 'PT404' using message = 'unknown_unit', detail = format('There is no room %s.', left(v_bad, 60));
  end if;
  perform app.lock_rooms(v_org, array(select u.id from public.rooms u where u.org_id = v_org
    and u.entity_id = p_entity and u.code = any (v_codes)));
  select u.code into v_bad from public.rooms u
  join jsonb_array_elements(p_units) x on x ->> 'unit' = u.code
  where u.org_id = v_org and u.entity_id = p_entity and u.version <> (x ->> 'version')::int order by u.code limit 1;
  if found then
    raise sqlstate 'PT409' using message = 'unit_changed',
      detail = format('%s has changed since it was shown. Please look at the list again.', v_bad);
  end if;
  if not exists (select from public.rooms u where u.org_id = v_org and u.entity_id = p_entity
    and u.code = any (v_codes) and u.cleaning_state <> p_state) then
    -- Raised, so that no effect is claimed by a call that changes nothing.
    raise sqlstate 'PT409' using message = 'units_unchanged', detail = 'These rooms are so already.';
  end if;
  select jsonb_object_agg(u.code, u.cleaning_state) into v_was from public.rooms u
  where u.org_id = v_org and u.entity_id = p_entity and u.code = any (v_codes);
  update public.rooms u set cleaning_state = p_state
  where u.org_id = v_org and u.entity_id = p_entity and u.code = any (v_codes) and u.cleaning_state <> p_state;
  return (select coalesce(jsonb_agg(s || jsonb_build_object('was', v_was ->> (s ->> 'unit')) order by o), '[]')
          from jsonb_array_elements(public.unit_states(p_entity, v_codes, p_date)) with ordinality e (s, o));
end $$;

-- The morning of a day in one answer; lists have at most p_limit entries, counts
-- all. Cancelled bookings, no-shows and holds that are over are left out.
--   arrivals     booked to arrive by that day and not here yet
--   departures   here, and to leave by that day
--   inHouse      here, and to stay longer
--   dues         those of the three lists that owe money
--   cleaning     [{"unit","room","state","since","version","guest","code","next"}]: units whose state is to_clean,
--                then those whose state is occupied, which are still to be left by that day; guest and code are of
--                who is in it, next is who is still to arrive in it
--   toClean      [{"unit","version"}]: all units that are to be cleaned, at most 60
--   counts       {"arrivals","arrived","departures","departed","inHouse","dues","cleaning","occupied","free",
--                "units"}; cleaning counts the units of both states
--   entries      {"code","guest","rooms","checkIn","checkOut","people","status","balance","currency",
--                "specialRequests"}
create or replace function public.morning(p_entity uuid, p_date date, p_limit int default 12) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_longest constant int := coalesce((select max(r.nights) from public.reservations r where r.entity_id = p_entity),
    0);
begin
  return (
  with near as materialized (
    select r.org_id, r.id, r.code, r.guest_name, r.check_in, r.check_out, r.nights, r.adults + r.children as people,
           r.status, r.total, r.currency, r.special_requests
    from public.reservations r
    where r.entity_id = p_entity and r.check_in <= p_date and r.check_in >= p_date - v_longest
      and r.check_out >= p_date
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
           when n.status in ('pending', 'confirmed') and (n.check_out > p_date
             or n.nights = 0) then 'arrivals' end as part
    from near n
  ), ranked as materialized (
    select h.*, row_number() over (partition by h.part order by h.check_out < p_date desc, h.guest_name,
      h.code) as place,
           row_number() over (partition by h.balance > 0 and h.part is not null order by h.part = 'departures' desc,
             h.check_out, h.guest_name, h.code) as due
    from here h
  ), told as materialized (
    select r.part, r.place, case when r.balance > 0 and r.part is not null then r.due end as due,
      jsonb_build_object('code', r.code, 'guest', r.guest_name, 'checkIn', r.check_in, 'checkOut', r.check_out,
        'people', r.people,
        'status', r.status, 'balance', r.balance, 'currency', r.currency, 'specialRequests', left(r.special_requests,
          160),
        'rooms', coalesce((select jsonb_agg(u.code order by u.code) from public.reservation_rooms q
                           join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                           where q.org_id = r.org_id and q.reservation_id = r.id), '[]')) as entry
    from ranked r
    where r.part is not null and (r.place <= p_limit or r.balance > 0 and r.due <= p_limit)
  ), unit as materialized (
    select u.org_id, u.id, u.code, t.name, u.cleaning_state, u.cleaning_since, u.version from public.rooms u
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.active and t.active
  ), taken as materialized (
    select u.code as unit, u.name as room, n.code, n.guest_name, n.check_in, n.check_out, n.status
    from here n
    join public.reservation_rooms q on q.org_id = n.org_id and q.reservation_id = n.id
    join unit u on u.org_id = q.org_id and u.id = q.room_id
    where n.nights > 0
  ), cleaning as materialized (
    select u.code as unit, u.name as room, case when u.cleaning_state = 'to_clean' then 'to_clean' else 'occupied' end
      as state,
      u.cleaning_since, u.version, g.guest_name, g.code, n.guest_name as next,
      row_number() over (order by u.cleaning_state = 'to_clean' desc, n.guest_name is not null desc, length(u.code),
        u.code) as place
    from unit u
    left join lateral (
      select h.guest_name, h.code, h.part from here h join public.reservation_rooms q on q.org_id = h.org_id
        and q.reservation_id = h.id
      where q.room_id = u.id and h.status = 'checked_in' order by h.code limit 1) g on true
    left join lateral (
      select h.guest_name from here h join public.reservation_rooms q on q.org_id = h.org_id
        and q.reservation_id = h.id
      where q.room_id = u.id and h.part = 'arrivals' order by h.check_in, h.code limit 1) n on true
    where u.cleaning_state = 'to_clean' or g.part = 'departures'
  )
  select jsonb_build_object(
    'date', p_date,
    'arrivals', (select coalesce(jsonb_agg(entry order by place), '[]') from told where part = 'arrivals'
      and place <= p_limit),
    'departures', (select coalesce(jsonb_agg(entry order by place), '[]') from told where part = 'departures'
      and place <= p_limit),
    'inHouse', (select coalesce(jsonb_agg(entry order by place), '[]') from told where part = 'inHouse'
      and place <= p_limit),
    'dues', (select coalesce(jsonb_agg(entry order by due), '[]') from told where due <= p_limit),
    'cleaning', (select coalesce(jsonb_agg(jsonb_build_object('unit', c.unit, 'room', c.room, 'state', c.state,
      'since',
      to_char(c.cleaning_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'version', c.version,
                   'guest', coalesce(c.guest_name, ''), 'code', coalesce(c.code, ''), 'next', coalesce(c.next, ''))
                     order by c.place), '[]')
                 from cleaning c where c.place <= p_limit),
    'toClean', (select coalesce(jsonb_agg(jsonb_build_object('unit', c.unit, 'version', c.version) order by c.place),
      '[]')
                from cleaning c where c.state = 'to_clean' and c.place <= 60),
    'counts', jsonb_build_object(
      'arrivals', (select count(*) from here where part = 'arrivals'),
      'arrived', (select count(*) from here where check_in = p_date and status in ('checked_in', 'checked_out')),
      'departures', (select count(*) from here where part = 'departures'),
      'departed', (select count(*) from here where check_out = p_date and status = 'checked_out'),
      'inHouse', (select count(*) from here where status = 'checked_in'),
      'dues', (select count(*) from here where part is not null and balance > 0),
      'cleaning', (select count(*) from cleaning),
      'occupied', (select count(*) from cleaning where state = 'occupied'),
      'units', (select count(*) from unit),
      'free', (select count(*) from unit u
               where not exists (select from taken k where k.unit = u.code and k.check_in <= p_date
                 and k.check_out > p_date)
                 and not exists (select from app.taken(p_entity, p_date, p_date + 1) b where b.room_id = u.id
                   and b.block_id is not null)))));
end $$;

-- A day of a property: who arrives, who leaves, who stays over, and how each
-- unit that is let stands. Cancelled bookings and no-shows are left out.
--   arriving, leaving, staying  
-- [{"code","groupCode","guest","rooms":[…],"checkIn","checkOut","nights","adults","children",
--                                  "status","total","balance","currency","specialRequests"}]
--   overdue   checked in, although the stay ended before that day
--   units     [{"unit","room","state","leaving","arriving","staying","block"}]: whether it is clean now, codes of
-- reservations,
--             the reason of a block
create or replace function public.day_sheet(p_entity uuid, p_date date) returns jsonb
language sql stable set search_path = '' as $$
  with stay as materialized (
    select r.org_id, r.id, r.code, r.check_in, r.check_out, r.guest_name, r.status,
      jsonb_build_object(
        'code', r.code, 'groupCode', r.group_code, 'guest', r.guest_name, 'checkIn', r.check_in, 'checkOut',
          r.check_out, 'nights', r.nights,
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
    'staying', coalesce((select jsonb_agg(told order by guest_name, code) from stay where check_in < p_date
      and check_out > p_date), '[]'),
    'overdue', coalesce((select jsonb_agg(told order by check_out, code) from stay where check_out < p_date), '[]'),
    'units', coalesce((
      select jsonb_agg(jsonb_build_object('unit', u.code, 'room', t.name, 'state', u.cleaning_state,
        'leaving', (select k.code from taken k where k.room_id = u.id and k.check_out = p_date),
        'arriving', (select k.code from taken k where k.room_id = u.id and k.check_in = p_date),
        'staying', (select k.code from taken k where k.room_id = u.id and k.check_in < p_date
          and k.check_out > p_date),
        'block', (select k.reason from blocked k where k.room_id = u.id)) order by t.name, u.code)
      from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
      where u.entity_id = p_entity and u.active and t.active), '[]'))
$$;

-- Units and what takes their nights from p_from to p_to, at most 62 days, by room
-- type and unit. The nights of holds that are over are free.
--   units   [{"unit","room","roomCode","state"}]; state is whether it is clean now
--   spans   [{"unit","from","to","kind","code","guest","status","reason","pinned"}]: kind is stay, hold or block;
-- pinned
--           says that nobody may move it to another unit, as nobody may whose guest is here
create or replace function public.tape_chart(p_entity uuid, p_from date, p_to date) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  if p_from is null or p_to is null or p_to <= p_from or p_to - p_from > 62 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'A chart shows 1 to 62 days.';
  end if;
  return (
  with unit as materialized (
    select u.id, u.code, u.sort, u.cleaning_state, t.name, t.code as type from public.rooms u
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.active and t.active
  )
  select jsonb_build_object(
    'units', coalesce((select jsonb_agg(jsonb_build_object('unit', u.code, 'room', u.name, 'roomCode', u.type,
      'state', u.cleaning_state)
                                 order by u.name, u.sort, u.code)
                       from unit u), '[]'),
    'spans', coalesce((
      select jsonb_agg(jsonb_build_object('unit', u.code, 'from', k.starts_on, 'to', k.ends_on,
          'kind', case when k.block_id is not null then 'block' when r.status = 'pending' then 'hold' else 'stay' end,
          'code', coalesce(r.code, ''), 'guest', coalesce(r.guest_name, ''), 'status', coalesce(r.status, ''),
            'reason', coalesce(b.reason, ''),
          'pinned', coalesce((select s.unit_pinned from public.stays s
                              where s.org_id = r.org_id and s.reservation_id = r.id and s.room_id = k.room_id
                                and s.active limit 1), false))
          order by u.name, u.sort, u.code, k.starts_on)
      from app.taken(p_entity, p_from, p_to) k
      join unit u on u.id = k.room_id
      left join public.reservations r on r.entity_id = p_entity and r.id = k.reservation_id
      left join public.blocked_dates b on b.entity_id = p_entity and b.id = k.block_id), '[]')));
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.unit_states(uuid, text[], date), public.units_unready(uuid, text[], text[]),
  public.set_unit_states(uuid, jsonb, text, date) from public, anon, service_role;
grant execute on function public.unit_states(uuid, text[], date), public.units_unready(uuid, text[], text[]),
  public.set_unit_states(uuid, jsonb, text, date) to authenticated;
call app.preview_reads('units_unready');
