-- The price of a stay: one function, app.quote, for whatever shows, checks or
-- stores one. docs/prices.md prints the rules; the steps here bear its numbers.
-- Amounts are exact; nothing is rounded but where a step says so.

-- The occupancy of each night of [p_in, p_out) in percent with two decimals:
-- units with a counted booking, of any room type, in proportion to the active
-- units that no block holds. A house without a unit to let is empty, or full
-- when a guest stays in it all the same.
create function app.night_occupancy(e public.entities, p_in date, p_out date, p_except uuid) returns numeric[]
language plpgsql stable set search_path = '' as $$
declare
  v_units uuid[];
begin
  v_units := array(
    select u.id from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.org_id = e.org_id and u.entity_id = e.id and u.active and t.active);
  return array(
    select case when cardinality(v_units) > q.blocked then round(100.0 * q.booked / (cardinality(v_units) - q.blocked), 2)
                when q.booked > 0 then 100 else 0 end
    from (
      select n, count(*) filter (where s.kind = 'booking') as booked, count(*) filter (where s.kind = 'block') as blocked
      from generate_series(0, p_out - p_in - 1) n
      left join (
        select k.* from app.taken(e.id, p_in, p_out) k
        where (p_except is null or k.reservation_id is distinct from p_except)
          and (k.kind = 'booking' or k.room_id = any (v_units))) s
        on s.starts_on <= p_in + n and s.ends_on > p_in + n
      group by n) q
    order by q.n);
end $$;

-- How many further guests sleep in each of the rooms, in their order. They take
-- the free beds, the cheapest ones first; a guest without one pays as for the dearest.
create function app.further_guests(p_types public.room_types[], p_codes text[], p_guests int) returns int[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select greatest(0, case when q.last then q.waiting else least(q.waiting, q.space) end)::int
    from (
      select c.place, t.capacity - t.included_guests as space,
             p_guests - sum(t.included_guests) over () - coalesce(sum(t.capacity - t.included_guests) over (
               order by t.extra_guest_price, c.place rows between unbounded preceding and 1 preceding), 0) as waiting,
             lead(c.place) over (order by t.extra_guest_price, c.place) is null as last
      from unnest(p_codes) with ordinality c (code, place) join unnest(p_types) t on t.code = c.code) q
    order by q.place);
end $$;

-- The price lines of the nights [p_in, p_out): for each night the rooms in their
-- order. Without a package a night goes through the steps 1 to 4 and 6; with
-- one, p_package_rooms is shared evenly among all lines, cent by cent.
--   p_seasons   those that touch the stay, the strongest first
create function app.price_lines(e public.entities, p_types public.room_types[], p_codes text[], p_seasons public.seasonal_pricing[],
                                p_today date, p_in date, p_out date, p_guests int, p_package_rooms numeric, p_except uuid)
returns table (at int, night date, weekend boolean, room int, room_code text, source text, season_code text, base numeric, tier_code text,
               tier_percent numeric, occupancy numeric, amount numeric, extra_guests numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_variable
declare
  d constant int := app.currency_digits(e.currency);
  v_weekend constant jsonb := coalesce(e.settings -> 'weekendNights', '[5, 6]');
  v_occupancy constant numeric[] := app.night_occupancy(e, p_in, p_out, p_except);
  v_further constant int[] := app.further_guests(p_types, p_codes, p_guests);
  v_count constant int := (p_out - p_in) * cardinality(p_codes);
  v_default uuid;
  v_tiers public.pricing_tiers[];
  v_price numeric;
  t public.room_types;
  s public.seasonal_pricing;
  r public.pricing_tiers;
begin
  select (array_agg(m.id) filter (where m.is_default))[1], coalesce(array_agg(p), '{}') into v_default, v_tiers
  from public.pricing_models m
  join public.pricing_tiers p on p.org_id = m.org_id and p.model_id = m.id
  where m.org_id = e.org_id and m.entity_id = e.id and m.active
    and greatest(p_in - p_today, 0) between p.lead_days_min and coalesce(p.lead_days_max, 100000);
  at := 0;
  for i in 1 .. p_out - p_in loop
    night := p_in + i - 1;
    occupancy := v_occupancy[i];
    weekend := v_weekend @> to_jsonb(extract(isodow from night)::int);
    for j in 1 .. cardinality(p_codes) loop
      at := at + 1;
      room := j;
      room_code := p_codes[j];
      season_code := null;
      tier_code := null;
      tier_percent := 0;
      if p_package_rooms is not null then
        source := 'package';
        base := round(p_package_rooms * at / v_count, d) - round(p_package_rooms * (at - 1) / v_count, d);
        amount := base;
        extra_guests := 0;
        return next;
        continue;
      end if;
      foreach t in array p_types loop
        exit when t.code = room_code;
      end loop;
      -- Step 1.
      source := 'base';
      base := case when weekend then t.weekend_price else t.weekday_price end;
      -- Step 2. A season without any price only restricts.
      foreach s in array p_seasons loop
        if night between s.starts_on and s.ends_on and (s.room_type_id is null or s.room_type_id = t.id)
           and (s.weekday_price is not null or s.weekend_price is not null) then
          v_price := case when weekend then s.weekend_price else s.weekday_price end;
          if v_price is not null then
            source := 'season';
            season_code := s.code;
            base := v_price;
          end if;
          exit;
        end if;
      end loop;
      -- Step 3.
      foreach r in array v_tiers loop
        if r.model_id = coalesce(t.pricing_model_id, v_default) and occupancy >= r.min_occupancy
           and (occupancy < r.max_occupancy or r.max_occupancy = 100) then
          tier_code := r.code;
          tier_percent := r.adjustment_percent;
          exit;
        end if;
      end loop;
      -- Step 4. Limits finer than the currency are rounded too.
      amount := round(least(greatest(round(base * (100 + tier_percent) / 100, d), t.floor_price), t.ceiling_price), d);
      extra_guests := round(t.extra_guest_price * v_further[j], d);
      return next;
    end loop;
  end loop;
end $$;

-- The extras of a stay: those asked for, and those that the package contains at
-- no price of their own. Raises PT404 unknown_extra.
create function app.price_extras(e public.entities, p_wanted jsonb, k public.packages, p_nights int, p_guests int)
returns table (code text, name text, active boolean, included boolean, quantity int, wanted int, unit_price numeric, per text, factor int,
               tax_rate numeric, amount numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_unknown text;
begin
  select w.code into v_unknown from (select upper(btrim(x ->> 'code')) as code from jsonb_array_elements(p_wanted) x) w
  where not exists (select from public.extras x where x.org_id = e.org_id and x.entity_id = e.id and x.code = w.code) limit 1;
  if found then
    raise sqlstate 'PT404' using message = 'unknown_extra', detail = format('There is no extra with the code %s.', coalesce(v_unknown, '(none)'));
  end if;
  return query
  select x.code, x.name, x.active, i.quantity is not null, q.quantity, w.quantity, q.unit_price, x.per, q.factor, x.tax_rate,
         q.unit_price * q.quantity * q.factor
  from public.extras x
  left join (
    select upper(btrim(w ->> 'code')) as code, sum(coalesce((w ->> 'quantity')::int, 1))::int as quantity
    from jsonb_array_elements(p_wanted) w group by 1) w on w.code = x.code
  left join public.packages_extras i on i.org_id = x.org_id and i.package_id = k.id and i.extra_id = x.id
  cross join lateral (
    select coalesce(i.quantity, w.quantity) as quantity,
           case when i.quantity is null then round(x.price, app.currency_digits(e.currency)) else 0 end as unit_price,
           case x.per when 'stay' then 1 when 'night' then p_nights when 'guest' then p_guests else p_guests * p_nights end as factor) q
  where x.org_id = e.org_id and x.entity_id = e.id and (w.code is not null or i.extra_id is not null)
  order by x.code;
end $$;

-- The price of a stay, night by night, and what speaks against it.
--
-- p_request: {"today", "checkIn", "checkOut", "rooms": [type codes, one per unit],
--   "adults", "children", "package", "coupon", "extras": [{"code", "quantity"}],
--   "except": id of a reservation that is being edited}
-- Returns amounts as numbers with two decimals; "lines" fit reservation_nights,
-- "extras" fit reservation_extras, and every total is the exact sum of its parts.
-- Restrictions are "problems" and never raise. Raises PT404 unknown_property,
-- unknown_room, unknown_package, unknown_extra, unknown_coupon; PT422
-- invalid_dates, invalid_request.
create function app.quote(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  e public.entities;
  k public.packages;
  c public.coupons;
  d int;
  v_today date;
  v_in date;
  v_out date;
  v_nights int;
  v_codes text[];
  v_guests int;
  v_wanted jsonb;
  v_except uuid;
  v_types public.room_types[];
  v_seasons public.seasonal_pricing[];
  v_word text;
  v_problems jsonb;
  v_refusal jsonb;
  v_package_rooms numeric;
  v_other numeric := 0;
  v_lines jsonb;
  v_room numeric;
  v_further numeric;
  v_discount numeric := 0;
  v_extras jsonb := '[]';
  v_extras_total numeric := 0;
  v_taxes jsonb := '[]';
  v_tax numeric;
  v_rate numeric;
  v_total numeric;
  v_deposit numeric;
begin
  select * into e from public.entities where id = p_entity;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_property', detail = 'There is no such property.';
  end if;
  d := app.currency_digits(e.currency);
  begin
    v_today := p_request ->> 'today';
    v_in := p_request ->> 'checkIn';
    v_out := p_request ->> 'checkOut';
    v_guests := (p_request ->> 'adults')::int + coalesce((p_request ->> 'children')::int, 0);
    v_except := p_request ->> 'except';
    v_wanted := coalesce(nullif(p_request -> 'extras', 'null'), '[]');
    v_codes := array(select upper(btrim(r)) from jsonb_array_elements_text(p_request -> 'rooms') r);
    if v_wanted <> '[]' and exists (
      select from jsonb_array_elements(v_wanted) x where coalesce((x ->> 'quantity')::int, 1) not between 1 and 1000) then
      raise sqlstate '22023';
    end if;
  exception when data_exception then
    raise sqlstate 'PT422' using message = 'invalid_request', detail = 'A date, a number or a list of the request cannot be read.';
  end;
  if (v_today is null or v_in is null or v_out is null or not isfinite(v_in) or not isfinite(v_out)) or v_out <= v_in or v_out - v_in > 730 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The departure must be 1 to 730 nights after the arrival.';
  end if;
  if coalesce(cardinality(v_codes), 0) not between 1 and 50 or coalesce((p_request ->> 'adults')::int, 0) not between 1 and 200
     or coalesce((p_request ->> 'children')::int, 0) not between 0 and 200 then
    raise sqlstate 'PT422' using message = 'invalid_request', detail = 'A quote needs 1 to 50 rooms, 1 to 200 adults and 0 to 200 children.';
  end if;
  v_nights := v_out - v_in;

  select array_agg(t order by t.code) into v_types from public.room_types t
  where t.org_id = e.org_id and t.entity_id = e.id and t.code = any (v_codes);
  foreach v_word in array v_codes loop
    if not exists (select from unnest(v_types) t where t.code = v_word) then
      raise sqlstate 'PT404' using message = 'unknown_room', detail = format('There is no room with the code %s.', coalesce(v_word, '(none)'));
    end if;
  end loop;
  v_seasons := array(
    select s from public.seasonal_pricing s
    where s.org_id = e.org_id and s.entity_id = e.id and s.active and s.starts_on <= v_out and s.ends_on >= v_in
    order by s.priority desc, s.ends_on - s.starts_on, s.created_at desc, s.code desc);
  v_problems := app.stay_problems(v_types, v_codes, v_seasons, e.settings, v_today, v_in, v_out, v_guests);

  v_word := upper(btrim(p_request ->> 'package'));
  if v_word <> '' then
    select * into k from public.packages where org_id = e.org_id and entity_id = e.id and code = v_word;
    if not found then
      raise sqlstate 'PT404' using message = 'unknown_package', detail = format('There is no package with the code %s.', v_word);
    end if;
    v_problems := v_problems || app.package_problems(k, v_types, v_in, v_out, cardinality(v_codes), v_guests);
    -- Step 7, in place of the sum of 5 and 6.
    v_total := round(k.price * case k.per when 'night' then v_nights else 1 end * cardinality(v_codes), d);
    v_package_rooms := round(v_total * k.room_share_percent / 100, d);
    v_other := v_total - v_package_rooms;
  end if;

  select jsonb_agg(jsonb_build_object(
           'night', l.night, 'weekend', l.weekend, 'room', l.room, 'roomCode', l.room_code, 'source', l.source, 'seasonCode', l.season_code,
           'base', l.base::numeric(14, 2), 'tierCode', l.tier_code, 'tierPercent', l.tier_percent, 'occupancy', l.occupancy,
           'amount', l.amount::numeric(14, 2), 'extraGuests', l.extra_guests::numeric(14, 2), 'discount', 0.00) order by l.at),
         sum(l.amount), sum(l.extra_guests)
  into v_lines, v_room, v_further
  from app.price_lines(e, v_types, v_codes, v_seasons, v_today, v_in, v_out, v_guests, v_package_rooms, v_except) l;

  -- Step 8: on the rooms alone, and never more than they cost.
  v_word := upper(btrim(p_request ->> 'coupon'));
  if v_word <> '' then
    select * into c from public.coupons where org_id = e.org_id and entity_id = e.id and upper(btrim(code)) = v_word;
    if not found then
      raise sqlstate 'PT404' using message = 'unknown_coupon', detail = format('There is no coupon with the code %s.', v_word);
    end if;
    v_refusal := app.coupon_refusal(c, e.currency, v_today, v_in, v_out, (select array_agg(t.id) from unnest(v_types) t), k.id, v_room + v_further, v_except);
    if v_refusal is not null then
      v_problems := v_problems || v_refusal;
    else
      v_discount := least(round(case c.kind when 'percent' then (v_room + v_further) * c.amount / 100 else c.amount end, d),
                          round(c.max_discount, d), v_room + v_further);
    end if;
  end if;
  if v_discount > 0 then
    -- Each line bears its share; running sums are rounded, so that no cent is lost.
    select jsonb_agg(q.line || jsonb_build_object('discount',
             (round(v_discount * q.sum / (v_room + v_further), d) - round(v_discount * (q.sum - q.value) / (v_room + v_further), d))::numeric(14, 2))
             order by q.at)
    into v_lines
    from (select l.line, l.at, v.value, sum(v.value) over (order by l.at) as sum
          from jsonb_array_elements(v_lines) with ordinality l (line, at)
          cross join lateral (select (l.line ->> 'amount')::numeric + (l.line ->> 'extraGuests')::numeric as value) v) q;
  end if;

  v_rate := app.number_setting(e.settings, 'roomTaxRate', 0);
  v_total := v_room + v_further + v_other - v_discount;
  v_tax := round(v_total * v_rate / 100, d);
  if v_rate > 0 then
    v_taxes := jsonb_build_array(jsonb_build_object('label', 'Accommodation', 'rate', v_rate, 'base', v_total::numeric(14, 2), 'amount', v_tax::numeric(14, 2)));
  end if;
  if v_wanted <> '[]' or k.id is not null then
    select coalesce(jsonb_agg(jsonb_build_object('code', x.code, 'name', x.name, 'quantity', x.quantity, 'unitPrice', x.unit_price::numeric(14, 2),
             'per', x.per, 'factor', x.factor, 'taxRate', x.tax_rate, 'amount', x.amount::numeric(14, 2)) order by x.code), '[]'),
           coalesce(sum(x.amount), 0),
           v_taxes || coalesce(jsonb_agg(jsonb_build_object('label', x.name, 'rate', x.tax_rate, 'base', x.amount::numeric(14, 2),
             'amount', round(x.amount * x.tax_rate / 100, d)::numeric(14, 2)) order by x.code) filter (where x.tax_rate > 0 and x.amount > 0), '[]'),
           v_tax + coalesce(sum(round(x.amount * x.tax_rate / 100, d)), 0),
           v_problems
             || coalesce(jsonb_agg(app.problem('inactive_extra', format('%s is not sold at present.', x.name)) -> 0 order by x.code)
                         filter (where not x.active and not x.included), '[]')
             || coalesce(jsonb_agg(app.problem('package_extra', format('%s is part of the package %s, which contains it %s times; more cannot be added to it.',
                           x.name, k.name, x.quantity)) -> 0 order by x.code)
                         filter (where x.included and x.wanted > x.quantity), '[]')
    into v_extras, v_extras_total, v_taxes, v_tax, v_problems
    from app.price_extras(e, v_wanted, k, v_nights, v_guests) x;
  end if;
  v_total := v_total + v_extras_total + v_tax;
  v_deposit := round(v_total * least(greatest(app.number_setting(e.settings, 'depositPercent', 0), 0), 100) / 100, d);

  return jsonb_build_object(
    'currency', e.currency, 'checkIn', v_in, 'checkOut', v_out, 'nights', v_nights, 'guests', v_guests, 'lines', v_lines,
    'roomTotal', v_room::numeric(14, 2), 'extraGuestTotal', v_further::numeric(14, 2), 'packageOtherTotal', v_other::numeric(14, 2),
    'discountTotal', v_discount::numeric(14, 2), 'extrasTotal', v_extras_total::numeric(14, 2), 'taxTotal', v_tax::numeric(14, 2),
    'total', v_total::numeric(14, 2), 'depositDue', v_deposit::numeric(14, 2), 'balanceDue', (v_total - v_deposit)::numeric(14, 2),
    'taxes', v_taxes,
    'package', case when k.id is not null then jsonb_build_object('code', k.code, 'name', k.name, 'price', k.price, 'per', k.per) end,
    'coupon', case when c.id is not null then jsonb_build_object('code', c.code, 'kind', c.kind, 'amount', c.amount,
      'discount', v_discount::numeric(14, 2), 'valid', v_refusal is null, 'reason', v_refusal -> 0 -> 'sentence') end,
    'extras', v_extras, 'problems', v_problems);
end $$;

-- The same for clients, who know a property by the id that their sign-in names.
-- A request that was sent as a text, as a GET may have to, is read too.
create function public.quote(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.quote(p_entity, case jsonb_typeof(p_request) when 'string' then (p_request #>> '{}')::jsonb else p_request end);
end $$;

-- Several quotes at once, in the order of the requests, for comparing rooms and
-- dates: at most 100. The list may come as a text, as with public.quote.
create function public.quotes(p_entity uuid, p_requests jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_requests jsonb := case jsonb_typeof(p_requests) when 'string' then (p_requests #>> '{}')::jsonb else p_requests end;
  v_request jsonb;
  v_quotes jsonb := '[]';
begin
  if jsonb_typeof(v_requests) is distinct from 'array' or jsonb_array_length(v_requests) > 100 then
    raise sqlstate 'PT422' using message = 'invalid_request', detail = 'Ask for a list of at most 100 quotes.';
  end if;
  for v_request in select r from jsonb_array_elements(v_requests) r loop
    v_quotes := v_quotes || jsonb_build_array(app.quote(p_entity, v_request));
  end loop;
  return v_quotes;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.night_occupancy(public.entities, date, date, uuid),
  app.further_guests(public.room_types[], text[], int),
  app.price_lines(public.entities, public.room_types[], text[], public.seasonal_pricing[], date, date, date, int, numeric, uuid),
  app.price_extras(public.entities, jsonb, public.packages, int, int), app.quote(uuid, jsonb) to authenticated;
revoke execute on function public.quote(uuid, jsonb), public.quotes(uuid, jsonb) from public, anon;
grant execute on function public.quote(uuid, jsonb), public.quotes(uuid, jsonb) to authenticated, service_role;
