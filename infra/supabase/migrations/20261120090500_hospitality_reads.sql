-- Reads for the front desk. All of them run as the caller: row policies decide
-- what they see, and an entity of another org is an empty hotel.

-- One row per active room type for the nights of [p_from, p_to), by name.
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
  with unit as (
    select r.org_id, r.id, r.room_type_id from public.rooms r
    where r.entity_id = p_entity and r.active
  ), taken as materialized (
    select u.room_type_id, s.room_id, s.kind, s.reservation_id, s.block_id, s.period,
           s.period && daterange(p_from, p_to, '[)') as touches
    from public.stays s join unit u on u.org_id = s.org_id and u.id = s.room_id
    where s.entity_id = p_entity and s.active and s.period && daterange(p_from, null, '[)')
  ), start as (
    -- A unit becomes free when the wanted nights begin, or where one of its stays ends.
    select u.room_type_id, u.id as room_id, p_from as on_date from unit u
    union
    select t.room_type_id, t.room_id, upper(t.period) from taken t
  ), first_free as (
    select s.room_type_id, min(s.on_date) as on_date from start s
    where not exists (
      select from taken t
      where t.room_id = s.room_id and t.period && daterange(s.on_date, s.on_date + (p_to - p_from), '[)'))
    group by s.room_type_id
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
    t.code, t.name, t.capacity,
    (select count(*)::int from unit u where u.room_type_id = t.id),
    (select count(*)::int from unit u where u.room_type_id = t.id
       and not exists (select from taken k where k.room_id = u.id and k.touches)),
    greatest(t.min_stay, z.min_stay), t.max_stay,
    t.weekday_price, t.weekend_price, e.currency,
    coalesce((select jsonb_agg(jsonb_build_object('code', b.code, 'from', b.check_in, 'to', b.check_out, 'status', b.status)
                               order by b.check_in, b.code)
              from public.reservations b
              where b.org_id = t.org_id and b.id in (select k.reservation_id from taken k where k.room_type_id = t.id and k.touches)), '[]'),
    coalesce((select jsonb_agg(distinct jsonb_build_object('reason', d.reason, 'from', lower(k.period), 'to', upper(k.period)))
              from taken k join public.blocked_dates d on d.org_id = t.org_id and d.id = k.block_id
              where k.room_type_id = t.id and k.touches), '[]'),
    coalesce(z.closed_arrival, false) or extract(isodow from p_from)::int = any (t.closed_arrival_days),
    coalesce(z.closed_departure, false) or extract(isodow from p_to)::int = any (t.closed_departure_days),
    f.on_date
  from public.room_types t
  join public.entities e on e.org_id = t.org_id and e.id = t.entity_id
  left join season z on z.room_type_id = t.id
  left join first_free f on f.room_type_id = t.id
  where t.entity_id = p_entity and t.active
  order by t.name, t.code;
end $$;

-- The figures of [p_from, p_to) per active room type, by name. Nothing is
-- divided here; an empty period gives zeros.
--   occupied_nights   nights of counted bookings inside the period (cancelled and no-show do not count)
--   blocked_nights    nights of blocks inside the period, once per unit and night, active units only
--   available_nights  days × active units − blocked_nights, never below 0
--   bookings          counted bookings with a night in the period. A booking over two types counts in each of the two rows
--   room_revenue      the nightly lines inside the period, net of discount, without tax
--   other_revenue     extras and the other part of packages, spread evenly over the booking's
--                     room-nights so that the parts add up to the whole, without tax
create function public.occupancy(p_entity uuid, p_from date, p_to date)
returns table (room_code text, room_name text, units int, days int, occupied_nights int, blocked_nights int,
               available_nights int, bookings int, room_revenue numeric, other_revenue numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  if p_from is null or p_to is null or p_to < p_from or p_to - p_from > 3700 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The period must end 0 to 3700 days after it begins.';
  end if;
  return query
  with booked as materialized (
    select r.org_id, r.id, r.check_in, r.check_out, r.extras_total + r.package_other_total as other,
           (select count(*) from public.reservation_rooms q where q.org_id = r.org_id and q.reservation_id = r.id) as rooms
    from public.reservations r
    where r.entity_id = p_entity and r.check_in < p_to and r.check_out > p_from
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
  ), part as (
    -- One row per booking and unit: its nights inside the period, and which of the booking's room-nights these are.
    -- Room-nights are numbered night by night and, in one night, by unit.
    select u.room_type_id, b.id, b.other, b.rooms, b.check_out - b.check_in as nights,
           row_number() over (partition by b.id order by q.room_id) as place,
           greatest(b.check_in, p_from) - b.check_in as first_night,
           least(b.check_out, p_to) - greatest(b.check_in, p_from) as inside
    from booked b
    join public.reservation_rooms q on q.org_id = b.org_id and q.reservation_id = b.id
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  ), sold as (
    select p.room_type_id, sum(p.inside) as nights, count(distinct p.id) as bookings,
           sum((select coalesce(sum(round(p.other * (n * p.rooms + p.place) / (p.nights * p.rooms), 2)
                                  - round(p.other * (n * p.rooms + p.place - 1) / (p.nights * p.rooms), 2)), 0)
                from generate_series(p.first_night, p.first_night + p.inside - 1) n
                where p.other <> 0)) as other
    from part p
    where p.inside > 0
    group by p.room_type_id
  ), room as (
    select u.room_type_id, sum(l.revenue) as revenue
    from public.reservation_nights l
    join booked b on b.org_id = l.org_id and b.id = l.reservation_id
    join public.rooms u on u.org_id = l.org_id and u.id = l.room_id
    where l.entity_id = p_entity and l.night >= p_from and l.night < p_to
    group by u.room_type_id
  ), blocked as (
    select d.room_type_id, count(*) as nights
    from (
      select distinct u.room_type_id, s.room_id, n::date
      from public.stays s
      join public.rooms u on u.org_id = s.org_id and u.id = s.room_id and u.active
      cross join lateral generate_series(greatest(lower(s.period), p_from)::timestamp,
                                         (least(upper(s.period), p_to) - 1)::timestamp, interval '1 day') n
      where s.entity_id = p_entity and s.kind = 'block' and s.active and s.period && daterange(p_from, p_to, '[)')
    ) d
    group by d.room_type_id
  ), unit as (
    select u.room_type_id, count(*)::int as n from public.rooms u
    where u.entity_id = p_entity and u.active
    group by u.room_type_id
  )
  select t.code, t.name, coalesce(u.n, 0), p_to - p_from,
         coalesce(s.nights, 0)::int, coalesce(k.nights, 0)::int,
         greatest(0, (p_to - p_from) * coalesce(u.n, 0) - coalesce(k.nights, 0))::int,
         coalesce(s.bookings, 0)::int, round(coalesce(m.revenue, 0), 2), round(coalesce(s.other, 0), 2)
  from public.room_types t
  left join unit u on u.room_type_id = t.id
  left join sold s on s.room_type_id = t.id
  left join room m on m.room_type_id = t.id
  left join blocked k on k.room_type_id = t.id
  where t.entity_id = p_entity and t.active
  order by t.name, t.code;
end $$;

-- What a reservation still owes: its total less completed payments, plus refunds.
create function app.balance(p_org uuid, p_reservation uuid, p_total numeric) returns numeric
language sql stable set search_path = '' as $$
  select p_total - coalesce(sum(case p.kind when 'payment' then p.amount else -p.amount end), 0)
  from public.payments p
  where p.org_id = p_org and p.reservation_id = p_reservation and p.status = 'completed'
$$;

-- Reservations by words, status and dates, ordered by arrival and code.
--   p_query    code, group code, guest's name (part of it, or nearly so), e-mail, or digits of the phone number
--   p_status   any of these; null or empty for all
--   p_from, p_to   stays with a night in [p_from, p_to), either side may be open
--   p_limit    at most 200; matches counts all rows that would be found without it
create function public.reservation_search(p_entity uuid, p_query text default null, p_status text[] default null,
                                          p_from date default null, p_to date default null,
                                          p_limit int default 50, p_offset int default 0)
returns table (code text, group_code text, guest_name text, guest_email text, room_codes text[], check_in date, check_out date,
               nights int, adults int, children int, status text, total numeric, currency text, balance numeric, matches bigint)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_query text := nullif(btrim(p_query), '');
  v_like text;
  v_digits text;
begin
  v_like := '%' || replace(replace(replace(v_query, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  if v_query ~ '^[+0-9 ()./-]+$' then
    v_digits := nullif(regexp_replace(v_query, '[^0-9]', '', 'g'), '');
    -- One or two digits would find half of the phone book.
    v_digits := case when length(v_digits) >= 3 then v_digits end;
  end if;
  return query
  select r.code, r.group_code, r.guest_name, r.guest_email,
         coalesce((select array_agg(u.code order by u.code)
                   from public.reservation_rooms q
                   join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                   where q.org_id = r.org_id and q.reservation_id = r.id), '{}'),
         r.check_in, r.check_out, r.nights, r.adults, r.children, r.status, r.total, r.currency,
         app.balance(r.org_id, r.id, r.total), found.matches
  from (
    select s.org_id, s.id, count(*) over () as matches
    from public.reservations s
    where s.entity_id = p_entity
      and (coalesce(cardinality(p_status), 0) = 0 or s.status = any (p_status))
      and (p_to is null or s.check_in < p_to)
      and (p_from is null or s.check_out > p_from)
      and (v_query is null
        or s.code ilike v_like or s.group_code ilike v_like or s.guest_name ilike v_like or s.guest_email ilike v_like
        or (length(v_query) >= 4 and extensions.word_similarity(lower(v_query), lower(s.guest_name)) >= 0.6)
        or strpos(regexp_replace(coalesce(s.guest_phone_country_code, '') || coalesce(s.guest_phone, ''), '[^0-9]', '', 'g'), v_digits) > 0)
    order by s.check_in, s.code
    limit least(greatest(coalesce(p_limit, 50), 0), 200) offset greatest(coalesce(p_offset, 0), 0)
  ) found
  join public.reservations r on r.org_id = found.org_id and r.id = found.id
  order by r.check_in, r.code;
end $$;

-- How often a row of the caller's org was changed since it was made.
create function app.history_count(p_table text, p_id uuid) returns bigint
language sql stable security definer set search_path = '' as $$
  select count(*) from public.audit a
  where a.org_id = app.org_id() and a.table_name = p_table and a.row_id = p_id
$$;

-- Everything that a manager wants to see of one reservation, or null. Names and
-- codes only, no ids; amounts in "currency"; "history" counts recorded changes.
create function public.reservation_details(p_entity uuid, p_code text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'code', r.code, 'groupCode', r.group_code, 'status', r.status, 'channel', r.channel,
    'checkIn', r.check_in, 'checkOut', r.check_out, 'nights', r.nights,
    'guest', jsonb_build_object('name', r.guest_name, 'email', r.guest_email, 'phoneCountryCode', r.guest_phone_country_code,
                                'phone', r.guest_phone, 'country', r.guest_country),
    'adults', r.adults, 'children', r.children, 'specialRequests', r.special_requests, 'notes', r.notes,
    'package', (select jsonb_build_object('code', p.code, 'name', p.name) from public.packages p
                where p.org_id = r.org_id and p.id = r.package_id),
    'couponCode', r.coupon_code, 'currency', r.currency,
    'roomTotal', r.room_total, 'extraGuestTotal', r.extra_guest_total, 'packageOtherTotal', r.package_other_total,
    'discountTotal', r.discount_total, 'extrasTotal', r.extras_total, 'taxTotal', r.tax_total, 'total', r.total,
    'depositDue', r.deposit_due, 'balance', app.balance(r.org_id, r.id, r.total),
    'rooms', coalesce((
      select jsonb_agg(jsonb_build_object('unit', u.code, 'roomCode', t.code, 'roomName', t.name) order by u.code)
      from public.reservation_rooms q
      join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
      join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
      where q.org_id = r.org_id and q.reservation_id = r.id), '[]'),
    'nightly', coalesce((
      select jsonb_agg(jsonb_build_object('night', n.night, 'unit', u.code, 'source', n.source, 'season', n.season_code,
                                          'base', n.base_amount, 'tier', n.tier_code, 'tierPercent', n.tier_percent,
                                          'amount', n.amount, 'extraGuests', n.extra_guests, 'discount', n.discount)
                       order by n.night, u.code)
      from public.reservation_nights n
      join public.rooms u on u.org_id = n.org_id and u.id = n.room_id
      where n.org_id = r.org_id and n.reservation_id = r.id), '[]'),
    'extras', coalesce((
      select jsonb_agg(jsonb_build_object('code', x.code, 'name', x.name, 'quantity', e.quantity, 'unitPrice', e.unit_price,
                                          'per', e.per, 'factor', e.factor, 'taxRate', e.tax_rate, 'amount', e.amount)
                       order by x.name)
      from public.reservation_extras e
      join public.extras x on x.org_id = e.org_id and x.id = e.extra_id
      where e.org_id = r.org_id and e.reservation_id = r.id), '[]'),
    'payments', coalesce((
      select jsonb_agg(jsonb_build_object('code', p.code, 'kind', p.kind, 'method', p.method, 'status', p.status, 'amount', p.amount,
                                          'currency', p.currency, 'receivedOn', p.received_on, 'reference', p.reference)
                       order by p.received_on, p.code)
      from public.payments p
      where p.org_id = r.org_id and p.reservation_id = r.id), '[]'),
    'selections', coalesce((
      select jsonb_agg(jsonb_build_object('code', s.code, 'extra', x.name, 'extraCode', x.code, 'status', s.status,
                                          'serviceDate', s.service_date, 'choices', s.choices, 'preferences', s.preferences)
                       order by x.name)
      from public.extra_selections s
      join public.extras x on x.org_id = s.org_id and x.id = s.extra_id
      where s.org_id = r.org_id and s.reservation_id = r.id), '[]'),
    'checkedInAt', r.checked_in_at, 'checkedOutAt', r.checked_out_at,
    'cancelledAt', r.cancelled_at, 'cancellationReason', r.cancellation_reason,
    'version', r.version, 'createdAt', r.created_at, 'updatedAt', r.updated_at,
    'history', app.history_count('reservations', r.id))
  from public.reservations r
  where r.entity_id = p_entity and r.code = upper(btrim(p_code))
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.balance(uuid, uuid, numeric), app.history_count(text, uuid) to authenticated;
revoke execute on function public.availability(uuid, date, date), public.occupancy(uuid, date, date),
  public.reservation_search(uuid, text, text[], date, date, int, int), public.reservation_details(uuid, text)
  from public, anon;
grant execute on function public.availability(uuid, date, date), public.occupancy(uuid, date, date),
  public.reservation_search(uuid, text, text[], date, date, int, int), public.reservation_details(uuid, text)
  to authenticated;
