-- Stay rules: what speaks against a stay, a package or a coupon. docs/prices.md
-- prints the rules; the steps here bear its numbers.

create function app.problem(p_code text, p_sentence text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return jsonb_build_array(jsonb_build_object('code', p_code, 'sentence', p_sentence));
end $$;

-- Why a coupon does not hold, as one problem, or null when it does. What is
-- null is not known and not asked about, but for the package: null is none.
--   p_amount   the price of the accommodation, before the discount
--   p_except   a reservation whose use of the coupon is not counted
create function app.coupon_refusal(c public.coupons, p_currency text, p_today date, p_in date, p_out date, p_types uuid[],
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

-- What speaks against a stay in rooms of these types: dates, notice, length,
-- days closed to arrival or departure, beds. The seasons are those that touch it.
create function app.stay_problems(p_types public.room_types[], p_codes text[], p_seasons public.seasonal_pricing[], p_settings jsonb,
                                  p_today date, p_in date, p_out date, p_guests int) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_problems jsonb := '[]';
  v_beds int := 0;
  v_days int;
  v_min_stay int;
  v_no_arrival boolean;
  v_no_departure boolean;
  t public.room_types;
  s public.seasonal_pricing;
begin
  if p_in < p_today then
    v_problems := v_problems || app.problem('past', format('The arrival on %s is in the past.', app.show_date(p_in)));
  end if;
  foreach t in array p_types loop
    v_beds := v_beds + t.capacity * cardinality(array_positions(p_codes, t.code));
    v_min_stay := t.min_stay;
    v_no_arrival := extract(isodow from p_in)::int = any (t.closed_arrival_days);
    v_no_departure := extract(isodow from p_out)::int = any (t.closed_departure_days);
    foreach s in array p_seasons loop
      if s.room_type_id is null or s.room_type_id = t.id then
        if p_in between s.starts_on and s.ends_on then
          v_min_stay := greatest(v_min_stay, s.min_stay);
          v_no_arrival := v_no_arrival or s.closed_arrival;
        end if;
        v_no_departure := v_no_departure or (s.closed_departure and p_out between s.starts_on and s.ends_on);
      end if;
    end loop;
    v_days := coalesce(t.advance_notice_days, app.number_setting(p_settings, 'advanceNoticeDays', 0));
    if not t.active then
      v_problems := v_problems || app.problem('inactive_room', format('%s is not let at present.', t.name));
    end if;
    if p_in >= p_today and p_in - p_today < v_days then
      v_problems := v_problems || app.problem('advance_notice', format('%s must be booked at least %s days before arrival.', t.name, v_days));
    end if;
    if p_out - p_in < v_min_stay then
      v_problems := v_problems || app.problem('min_stay', format('%s is let for at least %s nights from %s on.', t.name, v_min_stay, app.show_date(p_in)));
    end if;
    if p_out - p_in > t.max_stay then
      v_problems := v_problems || app.problem('max_stay', format('%s is let for at most %s nights.', t.name, t.max_stay));
    end if;
    if v_no_arrival then
      v_problems := v_problems || app.problem('closed_arrival', format('%s is closed to arrival on %s, %s.', t.name, btrim(to_char(p_in, 'Day')), app.show_date(p_in)));
    end if;
    if v_no_departure then
      v_problems := v_problems || app.problem('closed_departure', format('%s is closed to departure on %s, %s.', t.name, btrim(to_char(p_out, 'Day')), app.show_date(p_out)));
    end if;
  end loop;
  if p_guests > v_beds then
    v_problems := v_problems || app.problem('capacity', format('%s guests do not fit: the rooms hold %s.', p_guests, v_beds));
  end if;
  return v_problems;
end $$;

-- What speaks against a package for this stay.
create function app.package_problems(k public.packages, p_types public.room_types[], p_in date, p_out date, p_rooms int, p_guests int) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_problems jsonb := '[]';
  v_names text;
begin
  if not k.active then
    v_problems := v_problems || app.problem('package_inactive', format('The package %s is not sold at present.', k.name));
  end if;
  if p_in < k.valid_from or p_out - 1 > k.valid_to then
    v_problems := v_problems || app.problem('package_dates', format('The package %s is sold for nights %s.', k.name, concat_ws(' ',
      'from ' || app.show_date(k.valid_from), 'until ' || app.show_date(k.valid_to))));
  end if;
  if p_out - p_in < k.min_nights or p_out - p_in > k.max_nights then
    v_problems := v_problems || app.problem('package_nights', format('The package %s is for %s nights.', k.name,
      case when k.max_nights is null then 'at least ' || k.min_nights
           when k.max_nights = k.min_nights then k.min_nights::text
           else k.min_nights || ' to ' || k.max_nights end));
  end if;
  if p_guests > k.included_guests * p_rooms then
    v_problems := v_problems || app.problem('package_guests', format('The package %s is for at most %s guests a room.', k.name, k.included_guests));
  end if;
  select string_agg(t.name, ', ' order by t.name) into v_names
  from public.packages_rooms r join public.room_types t on t.org_id = r.org_id and t.id = r.room_type_id
  where r.org_id = k.org_id and r.package_id = k.id
  having not (select array_agg(w.id) from unnest(p_types) w) <@ array_agg(r.room_type_id);
  if v_names is not null then
    v_problems := v_problems || app.problem('package_room', format('The package %s is only for %s.', k.name, v_names));
  end if;
  return v_problems;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.problem(text, text),
  app.coupon_refusal(public.coupons, text, date, date, date, uuid[], uuid, numeric, uuid),
  app.stay_problems(public.room_types[], text[], public.seasonal_pricing[], jsonb, date, date, date, int),
  app.package_problems(public.packages, public.room_types[], date, date, int, int) to authenticated;
