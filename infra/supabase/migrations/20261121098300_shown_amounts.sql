-- Amounts in sentences of the database look as everywhere else, and a coupon
-- that was used up meanwhile is told before a restoration is asked about.

-- An amount for people, as money.Amount's Format shows those of at most two
-- decimals: "₹1,23,456.00", "$1,234.50", "CHF 45.00".
create function app.show_money(p_currency text, p_amount numeric) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_parts constant text[] := string_to_array(round(abs(p_amount), app.currency_digits(p_currency))::text, '.');
begin
  return case when round(p_amount, app.currency_digits(p_currency)) < 0 then '-' else '' end
    || case p_currency when 'INR' then '₹' when 'USD' then '$' when 'EUR' then '€' when 'GBP' then '£' when 'JPY' then '¥' else p_currency || ' ' end
    || regexp_replace(v_parts[1], case p_currency when 'INR' then '(\d)(?=(\d{2})+\d$)' else '(\d)(?=(\d{3})+$)' end, '\1,', 'g')
    || coalesce('.' || v_parts[2], '');
end $$;

-- Why rooms are blocked, after "for".
create function app.for_reason(p_reason text) returns text
language sql immutable set search_path = '' as $$
  select case p_reason when 'other' then 'another reason' else replace(p_reason, '_', ' ') end
$$;

-- As before, with amounts as people read them.
create or replace function app.check_payment(r public.reservations, p_kind text, p_amount numeric, p_beyond boolean) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_balance constant numeric := app.balance(r.org_id, r.id, r.total);
  v_paid constant numeric := r.total - v_balance;
begin
  if p_amount is null or p_amount <= 0 or p_amount > 99999999 then
    raise sqlstate 'PT422' using message = 'invalid_amount', detail = 'The amount must be above zero.';
  end if;
  if p_kind = 'refund' and p_amount > v_paid then
    raise sqlstate 'PT422' using message = 'refund_too_large',
      detail = format('Only %s was paid for %s, so not more can go back.', app.show_money(r.currency, v_paid), r.code);
  end if;
  if p_kind = 'payment' and p_amount > v_balance and not coalesce(p_beyond, false) then
    raise sqlstate 'PT422' using message = 'payment_too_large',
      detail = format('Reservation %s owes only %s.', r.code, app.show_money(r.currency, greatest(v_balance, 0)));
  end if;
end $$;

-- As before, with amounts as people read them.
create or replace function app.check_total(p_total numeric, p_currency text) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_shown numeric := app.expected('total');
begin
  if v_shown <> p_total then
    raise sqlstate 'PT409' using message = 'price_changed',
      detail = format('The price has changed since the preview: %s instead of %s. Nothing was done. Ask again for a new preview.',
                      app.show_money(p_currency, p_total), app.show_money(p_currency, v_shown));
  end if;
end $$;

-- As before, with amounts as people read them.
create or replace function app.coupon_refusal(c public.coupons, p_currency text, p_today date, p_in date, p_out date, p_types uuid[],
                                   p_package uuid, p_amount numeric, p_except uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_names text;
begin
  if not c.active then
    return app.problem('coupon_inactive', format('The coupon %s is not in use at present.', c.code));
  elsif p_today < c.valid_from then
    return app.problem('coupon_not_yet', format('The coupon %s is valid for bookings from %s on.', c.code, app.show_date(c.valid_from)));
  elsif p_today > c.valid_to then
    return app.problem('coupon_expired', format('The coupon %s was valid for bookings until %s.', c.code, app.show_date(c.valid_to)));
  elsif p_in < c.stay_from or p_out - 1 > c.stay_to then
    return app.problem('coupon_stay_dates', format('The coupon %s is valid for nights %s.', c.code, concat_ws(' ',
      'from ' || app.show_date(c.stay_from), 'until ' || app.show_date(c.stay_to))));
  elsif p_out - p_in < c.min_nights then
    return app.problem('coupon_min_nights', format('The coupon %s needs a stay of at least %s nights.', c.code, c.min_nights));
  elsif p_amount < c.min_amount then
    return app.problem('coupon_min_amount', format('The coupon %s needs accommodation for at least %s; this is %s.',
      c.code, app.show_money(p_currency, c.min_amount), app.show_money(p_currency, p_amount)));
  end if;
  if p_types is not null then
    select string_agg(t.name, ', ' order by t.name) into v_names
    from public.coupon_rooms r join public.room_types t on t.org_id = r.org_id and t.id = r.room_type_id
    where r.org_id = c.org_id and r.coupon_id = c.id
    having not p_types <@ array_agg(r.room_type_id);
    if v_names is not null then
      return app.problem('coupon_room', format('The coupon %s is only for %s.', c.code, v_names));
    end if;
  end if;
  select string_agg(k.name, ', ' order by k.name) into v_names
  from public.coupon_packages p join public.packages k on k.org_id = p.org_id and k.id = p.package_id
  where p.org_id = c.org_id and p.coupon_id = c.id
  having p_package is null or not p_package = any (array_agg(p.package_id));
  if v_names is not null then
    return app.problem('coupon_package', format('The coupon %s is only for the package %s.', c.code, v_names));
  end if;
  if c.usage_limit is not null and c.usage_limit <= (
    select count(*) from public.coupon_uses u
    where u.org_id = c.org_id and u.coupon_id = c.id and u.reservation_id is distinct from p_except) then
    return app.problem('coupon_used_up', format('The coupon %s has been used as often as it may be (%s).', c.code, c.usage_limit));
  end if;
  return null;
end $$;

-- As before, and also PT409 'coupon_used_up'.
create or replace function app.check_restorable(r public.reservations, p_today date) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_by text;
begin
  if r.check_out <= p_today then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('The stay of %s ended on %s, so it can''t be restored.', r.code, app.show_date(r.check_out));
  end if;
  select format('%s of %s is taken by %s from %s to %s, so it can''t be restored there. Book the stay anew.', u.code, r.code,
                coalesce('booking ' || b.code, 'a block for ' || app.for_reason(k.reason)), app.show_date(lower(s.period)), app.show_date(upper(s.period)))
    into v_by
  from public.reservation_rooms q
  join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  join public.stays s on s.org_id = q.org_id and s.room_id = q.room_id and s.active and s.reservation_id is distinct from r.id
    and s.period && daterange(r.check_in, r.check_out, '[)')
  left join public.reservations b on b.org_id = s.org_id and b.id = s.reservation_id
  left join public.blocked_dates k on k.org_id = s.org_id and k.id = s.block_id
  where q.org_id = r.org_id and q.reservation_id = r.id and (b.status = 'pending' and b.hold_until <= clock_timestamp()) is not true
  limit 1;
  if found then
    raise sqlstate 'PT409' using message = 'not_available', detail = v_by;
  end if;
  if r.status = 'cancelled' and exists (
    select from public.coupons c
    where c.org_id = r.org_id and c.entity_id = r.entity_id and c.code = r.coupon_code and c.usage_limit <= (
      select count(*) from public.coupon_uses u where u.org_id = c.org_id and u.coupon_id = c.id and u.reservation_id <> r.id)) then
    raise sqlstate 'PT409' using message = 'coupon_used_up',
      detail = format('The coupon %s of %s was used up by others since, so it can''t be restored at its price. Book the stay anew.', r.coupon_code, r.code);
  end if;
end $$;

-- As before.
create or replace function app.say_taken(p_entity uuid, p_type text, p_unit text, p_wanted int, p_from date, p_to date, p_today date,
                              p_except uuid default null) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_nights constant int := p_to - p_from;
  v_mine record;
  v_type uuid;
  v_name text;
  v_by text;
  v_text text;
  v_before date;
begin
  select t.id, t.name || ' (' || t.code || ')' into v_type, v_name
  from public.room_types t where t.entity_id = p_entity and t.code = p_type;
  with a as materialized (select * from public.availability(p_entity, p_from, p_to))
  select m.units, m.free_units, m.bookings, m.blocks, m.next_free, (
      select string_agg(o.room_name || ' (' || o.room_code || ')', ', ' order by o.room_name)
      from a o
      where o.room_code <> p_type and o.free_units > 0 and not o.closed_arrival and not o.closed_departure
        and v_nights between o.min_stay and o.max_stay) as others
    into v_mine
  from (select) one left join a m on m.room_code = p_type;
  if coalesce(v_mine.units, 0) = 0 then
    v_text := format('%s is not let at present.', v_name);
  else
    select string_agg(w, ', ') into v_by from (
      select format('booking %s (%s to %s)', b ->> 'code', app.show_date((b ->> 'from')::date), app.show_date((b ->> 'to')::date)) as w
      from jsonb_array_elements(v_mine.bookings) b
      where b ->> 'code' is distinct from (select r.code from public.reservations r where r.entity_id = p_entity and r.id = p_except)
      union all
      select format('a block for %s (%s to %s)', app.for_reason(b ->> 'reason'), app.show_date((b ->> 'from')::date), app.show_date((b ->> 'to')::date))
      from jsonb_array_elements(v_mine.blocks) b
      limit 4) q;
    v_text := case
      when p_unit is not null and v_mine.free_units > 0 then
        format('The unit %s is taken from %s to %s, but another unit of %s is free.', p_unit, app.show_date(p_from), app.show_date(p_to), v_name)
      when v_mine.free_units > 0 then
        format('Of %s only %s of %s units are free from %s to %s, and %s are wanted.',
               v_name, v_mine.free_units, v_mine.units, app.show_date(p_from), app.show_date(p_to), p_wanted)
      else format('%s is taken from %s to %s: %s.', v_name, app.show_date(p_from), app.show_date(p_to), coalesce(v_by, 'somebody is booking it just now'))
    end;
    -- The nearest days around: up to a week earlier, and the first one later.
    select max(q.starts_on) into v_before from (
      select f.starts_on
      from app.free_units(p_entity, v_type, array(select d::date from generate_series(greatest(p_today, p_from - 7)::timestamp,
        (p_from - 1)::timestamp, interval '1 day') d), v_nights, p_except) f
      group by f.starts_on having count(*) >= p_wanted) q;
  end if;
  v_text := v_text || coalesce(' Free on these days: ' || v_mine.others || '.', ' No other room type is free on these days.');
  if v_mine.next_free > p_from or v_before is not null then
    v_text := v_text || format(' %s is free for %s from %s.', v_name, app.nights(v_nights),
      concat_ws(' or from ', app.show_date(v_before), case when v_mine.next_free > p_from and p_wanted = 1 then app.show_date(v_mine.next_free) end));
  end if;
  return v_text;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.show_money(text, numeric), app.for_reason(text) to authenticated;
