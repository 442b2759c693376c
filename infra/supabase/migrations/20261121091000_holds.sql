-- Holds: a pending booking keeps its nights until hold_until. After that it
-- counts as gone: reads say so, its nights are offered again, and whoever books
-- them cancels it in the same transaction. Null holds without an end.

alter table public.reservations add column hold_until timestamptz;

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
