-- Holds: a pending booking keeps its nights until hold_until. After that it
-- counts as gone: reads say so, its nights are offered again, and whoever books
-- them cancels it in the same transaction. Null holds without an end.

alter table public.reservations add column hold_until timestamptz;

-- As before, without the nights of holds that are over.
create or replace function public.availability(p_entity uuid, p_from date, p_to date)
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
    left join public.reservations h on h.org_id = s.org_id and h.id = s.reservation_id
    where s.entity_id = p_entity and s.active and s.period && daterange(p_from, null, '[)')
      and (h.status = 'pending' and h.hold_until <= clock_timestamp()) is not true
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

-- As before, and what a hold, a cancellation and a payment need to know:
--   holdUntil, holdOver   of a pending booking
--   paid                  completed payments less refunds
--   freeCancelUntil       the last day on which cancelling costs nothing; null where the property says nothing
create or replace function public.reservation_details(p_entity uuid, p_code text) returns jsonb
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
    'holdUntil', case when r.status = 'pending' then r.hold_until end,
    'holdOver', coalesce(r.status = 'pending' and r.hold_until <= clock_timestamp(), false),
    'paid', r.total - app.balance(r.org_id, r.id, r.total),
    'freeCancelUntil', r.check_in - (e.settings ->> 'freeCancelDays')::int,
    'cancelledAt', r.cancelled_at, 'cancellationReason', r.cancellation_reason,
    'version', r.version, 'createdAt', r.created_at, 'updatedAt', r.updated_at,
    'history', app.history_count('reservations', r.id))
  from public.reservations r
  join public.entities e on e.org_id = r.org_id and e.id = r.entity_id
  where r.entity_id = p_entity and r.code = upper(btrim(p_code))
$$;
