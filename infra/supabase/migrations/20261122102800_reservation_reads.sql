-- Reading reservations: found by words, status and dates, and one in full.
--
-- By words they are found through indexes. Row policies keep trigrams from being
-- asked, since ILIKE is not leakproof: under them a search reads all bookings.

-- What a reservation still owes: its total less completed payments, plus refunds.
create function app.balance(p_org uuid, p_reservation uuid, p_total numeric) returns numeric
language sql stable set search_path = '' as $$
  select p_total - coalesce(sum(case p.kind when 'payment' then p.amount else -p.amount end), 0)
  from public.payments p
  where p.org_id = p_org and p.reservation_id = p_reservation and p.status = 'completed'
$$;

-- A role that is no superuser can set an extension's parameter only after the
-- extension's library is loaded.
do $$ begin perform extensions.show_trgm(''); end $$;

-- The reservations of the caller's organisation that go by these words, for
-- reservation_search alone; of many it names about a thousand. It reads past the row policies, because only so may
-- the indexes be used; a query that joins what it returns meets the policies again.
--   p_like     a pattern for code, group code, guest's name and e-mail
--   p_near     a name that may be misspelt, or null
--   p_digits   a pattern for the digits of the phone number, or null
create function app.reservations_called(p_entity uuid, p_like text, p_near text, p_digits text) returns setof uuid
language sql stable security definer set search_path = '' set pg_trgm.word_similarity_threshold = 0.6 as $$
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity and r.guest_name ilike p_like limit 1001)
  union
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity
    and (r.code || ' ' || coalesce(r.group_code, '') || ' ' || coalesce(r.guest_email, '')) ilike p_like
    and (r.code ilike p_like or r.group_code ilike p_like or r.guest_email ilike p_like) limit 1001)
  union
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity and p_near operator(extensions.<%) r.guest_name limit 1001)
  union
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity
    and regexp_replace(coalesce(r.guest_phone_country_code, '') || coalesce(r.guest_phone, ''), '[^0-9]', '', 'g') like p_digits limit 1001)
$$;

-- Reservations by words, status and dates, ordered by arrival and code.
--   p_query    code, group code, guest's name (part of it, or nearly so), e-mail, or digits of the phone number
--   p_status   any of these; null or empty for all
--   p_from, p_to   stays with a night in [p_from, p_to), either side may be open
--   p_limit    at most 200; matches counts all rows that would be found without it
-- Each search has a plan of its own: one for all would read all bookings, as some
-- ask for nothing by words.
create function public.reservation_search(p_entity uuid, p_query text default null, p_status text[] default null,
                                          p_from date default null, p_to date default null,
                                          p_limit int default 50, p_offset int default 0)
returns table (code text, group_code text, guest_name text, guest_email text, room_codes text[], check_in date, check_out date,
               nights int, adults int, children int, status text, total numeric, currency text, balance numeric, matches bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  v_query constant text := nullif(btrim(p_query), '');
  v_like constant text := '%' || replace(replace(replace(v_query, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_short constant boolean := v_query !~ '[[:alnum:]]{3}'; -- too short for trigrams: all bookings are read
  v_digits text;
  v_ids uuid[];
  v_few boolean := false; -- so that an index is quicker than reading all
begin
  if v_query ~ '^[+0-9 ()./-]+$' then
    v_digits := nullif(regexp_replace(v_query, '[^0-9]', '', 'g'), '');
    -- One or two digits would find half of the phone book.
    v_digits := case when length(v_digits) >= 3 then '%' || v_digits || '%' end;
  end if;
  if not v_short then
    v_ids := array(select app.reservations_called(p_entity, v_like, null, v_digits));
    v_few := cardinality(v_ids) <= 1000;
    -- Only who is not found as written may be misspelt.
    if cardinality(v_ids) = 0 and length(v_query) >= 4 then
      v_ids := array(select app.reservations_called(p_entity, null, v_query, null));
    end if;
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
      and (v_query is null or v_few and s.id = any (v_ids)
        or not v_few and (s.code ilike v_like or s.group_code ilike v_like or s.guest_name ilike v_like or s.guest_email ilike v_like
          or regexp_replace(coalesce(s.guest_phone_country_code, '') || coalesce(s.guest_phone, ''), '[^0-9]', '', 'g') like v_digits))
      and (coalesce(cardinality(p_status), 0) = 0 or s.status = any (p_status))
      and (p_to is null or s.check_in < p_to)
      and (p_from is null or s.check_out > p_from)
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
--   holdUntil, holdOver   of a pending booking
--   paid                  completed payments less refunds
--   freeCancelUntil       the last day on which cancelling costs nothing; null where the property says nothing
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

-- Reservations of the caller in a few words, in the order of their codes: what
-- an act answers, and what its repetition reads.
create function public.reservation_summaries(p_entity uuid, p_codes text[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'code', r.code, 'groupCode', r.group_code, 'guest', r.guest_name, 'email', r.guest_email,
      'rooms', coalesce((select jsonb_agg(u.code order by u.code)
                         from public.reservation_rooms q join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                         where q.org_id = r.org_id and q.reservation_id = r.id), '[]'),
      'checkIn', r.check_in, 'checkOut', r.check_out, 'nights', r.nights, 'adults', r.adults, 'children', r.children,
      'status', r.status, 'holdUntil', case when r.status = 'pending' then r.hold_until end,
      'total', r.total, 'deposit', r.deposit_due, 'balance', app.balance(r.org_id, r.id, r.total), 'currency', r.currency)
      order by r.code), '[]')
    from public.reservations r
    where r.entity_id = p_entity and r.code = any (p_codes));
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.balance(uuid, uuid, numeric), app.reservations_called(uuid, text, text, text),
  app.history_count(text, uuid) to authenticated;
revoke execute on function public.reservation_search(uuid, text, text[], date, date, int, int),
  public.reservation_details(uuid, text) from public, anon;
grant execute on function public.reservation_search(uuid, text, text[], date, date, int, int),
  public.reservation_details(uuid, text) to authenticated, service_role;
revoke execute on function public.reservation_summaries(uuid, text[]) from public, anon, service_role;
grant execute on function public.reservation_summaries(uuid, text[]) to authenticated;
call app.preview_reads('reservation_details');
