-- Changing a reservation. p_changes holds what shall be otherwise, by human codes:
--   checkIn, checkOut, room (a type's code), unit, adults, children, extras (the
--   whole list, [{code, quantity}]), coupon and package ('' takes it off),
--   guestName, guestEmail, phoneCountryCode, phone, country, channel,
--   specialRequests, notes, override
-- What was agreed keeps its price: the stay is priced anew only when dates, type,
-- guests, coupon or package change, extras alone when only they do.

-- The tax on extras, rounded for each of them as in a quote.
create function app.extras_tax(p_extras jsonb, p_currency text) returns numeric
language sql immutable set search_path = '' as $$
  select coalesce(sum(round(e.amount * e."taxRate" / 100, app.currency_digits(p_currency))), 0)
  from jsonb_to_recordset(p_extras) e ("taxRate" numeric, amount numeric)
$$;

-- The extras that were booked with a reservation, without those that its package brings along.
create function app.own_extras(r public.reservations) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('code', x.code, 'quantity', e.quantity) order by x.code), '[]')
  from public.reservation_extras e
  join public.extras x on x.org_id = e.org_id and x.id = e.extra_id
  where e.org_id = r.org_id and e.reservation_id = r.id
    and not (e.unit_price = 0 and exists (
      select from public.packages_extras k
      where k.org_id = r.org_id and k.package_id = r.package_id and k.extra_id = e.extra_id))
$$;

-- The stored extras in the form of a quote's.
create function app.stored_extras(r public.reservations) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('code', x.code, 'name', x.name, 'quantity', e.quantity, 'unitPrice', e.unit_price, 'per', e.per,
                                               'factor', e.factor, 'taxRate', e.tax_rate, 'amount', e.amount) order by x.code), '[]')
  from public.reservation_extras e
  join public.extras x on x.org_id = e.org_id and x.id = e.extra_id
  where e.org_id = r.org_id and e.reservation_id = r.id
$$;

-- What a reservation would be after p_changes; nothing is written. The answer:
--   scope      "none", "extras" or "all": what is priced anew
--   rooms      ids of the units, in the order of their codes before
--   moved      whether the units change
--   checkIn … package, coupon, extras   as they would be
--   money      roomTotal … depositDue, total
--   quote      for "extras" and "all"
--   setAside   sentences of restrictions that override sets aside
-- Raises PT422 'wrong_status', 'several_rooms' and what quotes and units raise.
create function app.edit_plan(r public.reservations, p_changes jsonb, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_in constant date := coalesce((p_changes ->> 'checkIn')::date, r.check_in);
  v_out constant date := coalesce((p_changes ->> 'checkOut')::date, r.check_out);
  v_adults constant int := coalesce((p_changes ->> 'adults')::int, r.adults);
  v_children constant int := coalesce((p_changes ->> 'children')::int, r.children);
  v_override constant boolean := coalesce((p_changes ->> 'override')::boolean, false);
  v_package_before text;
  v_package text;
  v_coupon text;
  v_units uuid[];
  v_types text[];
  v_wanted jsonb;
  v_rooms uuid[];
  v_new_types text[];
  v_own constant jsonb := app.own_extras(r);
  v_extras jsonb;
  v_scope text;
  v_quote jsonb;
  v_money jsonb;
  v_aside text[] := '{}';
  v_tax numeric;
begin
  select array_agg(u.id order by u.code), array_agg(t.code order by u.code) into v_units, v_types
  from public.reservation_rooms q
  join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
  where q.org_id = r.org_id and q.reservation_id = r.id;
  select k.code into v_package_before from public.packages k where k.org_id = r.org_id and k.id = r.package_id;
  v_package := case when p_changes ? 'package' then nullif(p_changes ->> 'package', '') else v_package_before end;
  v_coupon := case when p_changes ? 'coupon' then nullif(p_changes ->> 'coupon', '') else r.coupon_code end;
  select coalesce(jsonb_agg(jsonb_build_object('code', e.code, 'quantity', e.quantity) order by e.code), '[]') into v_extras
  from jsonb_to_recordset(coalesce(p_changes -> 'extras', v_own)) e (code text, quantity int);

  if (v_in, v_out) <> (r.check_in, r.check_out) and (v_out <= v_in or v_out - v_in > 365) then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The departure must be 1 to 365 nights after the arrival.';
  end if;
  if (p_changes ? 'room' or p_changes ? 'unit') and coalesce(cardinality(v_units), 0) <> 1 then
    raise sqlstate 'PT422' using message = 'several_rooms',
      detail = format('Reservation %s has %s units, so it is not clear which one should move.', r.code, coalesce(cardinality(v_units), 0));
  end if;
  v_wanted := case when p_changes ? 'room' or p_changes ? 'unit'
    then jsonb_build_array(jsonb_build_object('room', coalesce(p_changes ->> 'room', v_types[1]), 'unit', p_changes ->> 'unit'))
    else (select jsonb_agg(jsonb_build_object('room', x, 'unit', null) order by o) from unnest(v_types) with ordinality z (x, o)) end;
  select array_agg(w ->> 'room' order by o) into v_new_types from jsonb_array_elements(v_wanted) with ordinality z (w, o);
  v_scope := case
    when (v_in, v_out, v_adults, v_children, v_package, v_coupon, v_new_types)
         is distinct from (r.check_in, r.check_out, r.adults, r.children, v_package_before, r.coupon_code, v_types) then 'all'
    when v_extras <> v_own then 'extras' else 'none' end;

  if r.status not in ('pending', 'confirmed', 'checked_in') and (v_scope <> 'none' or p_changes ? 'unit') then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('Reservation %s is %s; only its guest and notes can still be changed.', r.code, replace(r.status, '_', ' '));
  end if;
  if r.status = 'checked_in' and (v_in <> r.check_in or v_out < p_today) then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('The guest of %s is in the house since %s; only a departure from today (%s) on can be set.', r.code, app.show_date(r.check_in), app.show_date(p_today));
  end if;
  if (v_in, v_out, v_new_types) is not distinct from (r.check_in, r.check_out, v_types) and not p_changes ? 'unit' then
    v_rooms := v_units;
  else
    v_rooms := app.pick_rooms(r.entity_id, v_wanted, v_in, v_out, p_today, r.id, v_units);
  end if;

  if v_scope <> 'none' then
    v_quote := app.quote(r.entity_id, jsonb_build_object(
      'today', p_today, 'checkIn', v_in, 'checkOut', v_out, 'rooms', to_jsonb(v_new_types), 'adults', v_adults, 'children', v_children,
      'package', v_package, 'coupon', v_coupon, 'extras', v_extras, 'except', r.id));
  end if;
  if v_scope = 'all' then
    -- What the change does not touch was allowed when it was booked.
    v_aside := app.check_problems(jsonb_set(v_quote, '{problems}', (
      select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(v_quote -> 'problems') p
      where not (p ->> 'code' in ('past', 'advance_notice', 'closed_arrival') and v_in = r.check_in)
        and not (p ->> 'code' = 'closed_departure' and v_out = r.check_out)
        and not (p ->> 'code' in ('min_stay', 'max_stay') and (v_in, v_out) = (r.check_in, r.check_out))
        and not (p ->> 'code' = 'inactive_extra' and v_extras = v_own))), v_override);
    v_money := v_quote;
  else
    if v_scope = 'extras' then
      perform app.check_problems(jsonb_build_object('problems', (
        select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(v_quote -> 'problems') p
        where p ->> 'code' in ('inactive_extra', 'package_extra'))), false);
    end if;
    v_money := jsonb_build_object('roomTotal', r.room_total, 'extraGuestTotal', r.extra_guest_total, 'packageOtherTotal', r.package_other_total,
      'discountTotal', r.discount_total, 'extrasTotal', r.extras_total, 'taxTotal', r.tax_total, 'total', r.total, 'depositDue', r.deposit_due);
    if v_scope = 'extras' then
      v_tax := greatest(0, r.tax_total - app.extras_tax(app.stored_extras(r), r.currency) + app.extras_tax(v_quote -> 'extras', r.currency));
      v_money := v_money || jsonb_build_object(
        'extrasTotal', v_quote -> 'extrasTotal', 'taxTotal', v_tax,
        'total', r.total - r.extras_total - r.tax_total + (v_quote ->> 'extrasTotal')::numeric + v_tax);
      -- The same share of the total as was agreed, or as is usual where nothing was.
      v_money := v_money || jsonb_build_object('depositDue', case
        when r.total > 0 then round(r.deposit_due * (v_money ->> 'total')::numeric / r.total, 2)
        else least((v_quote ->> 'depositDue')::numeric, (v_money ->> 'total')::numeric) end);
    end if;
  end if;
  return jsonb_build_object('scope', v_scope, 'rooms', coalesce(to_jsonb(v_rooms), '[]'), 'moved', v_rooms is distinct from v_units, 'types', v_new_types,
    'checkIn', v_in, 'checkOut', v_out, 'adults', v_adults, 'children', v_children, 'package', v_package, 'coupon', v_coupon,
    'extras', case v_scope when 'none' then app.stored_extras(r) else v_quote -> 'extras' end,
    'money', v_money, 'quote', v_quote, 'setAside', v_aside);
end $$;

-- Changes a reservation and returns its summary. Raises what app.edit_plan
-- raises, and PT409 'proposal_changed'.
create function public.edit_reservation(p_entity uuid, p_code text, p_changes jsonb, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  r public.reservations;
  v_types text[];
  v_over uuid[];
  p jsonb;
  v_rooms uuid[];
begin
  select * into r from app.take_reservations(v_org, p_entity, p_code);
  select array_agg(distinct t.code) into v_types
  from public.reservation_rooms q
  join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
  where q.org_id = v_org and q.reservation_id = r.id;
  if p_changes ?| array['checkIn', 'checkOut', 'room', 'unit'] then
    v_over := app.queue_for(v_org, p_entity, v_types || (p_changes ->> 'room'),
      array(select q.room_id from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = r.id),
      least(r.check_in, (p_changes ->> 'checkIn')::date), greatest(r.check_out, (p_changes ->> 'checkOut')::date));
  end if;
  p := app.edit_plan(r, p_changes, p_today);
  perform app.check_price(app.shown('edit_preview') -> 'money' -> 'total', app.shown('edit_preview') -> 'money' -> 'depositDue',
                          (p -> 'money' ->> 'total')::numeric, (p -> 'money' ->> 'depositDue')::numeric);
  v_rooms := array(select jsonb_array_elements_text(p -> 'rooms')::uuid);
  perform app.end_holds(v_org, array_remove(v_over, r.id));

  if (p ->> 'scope') = 'all' then
    delete from public.reservation_nights n where n.org_id = v_org and n.reservation_id = r.id;
  end if;
  if (p ->> 'moved')::boolean then
    delete from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = r.id;
  end if;
  begin
    update public.reservations u
    set check_in = (p ->> 'checkIn')::date, check_out = (p ->> 'checkOut')::date,
        adults = (p ->> 'adults')::int, children = (p ->> 'children')::int,
        package_id = (select k.id from public.packages k where k.org_id = v_org and k.entity_id = p_entity and k.code = p ->> 'package'),
        coupon_code = p ->> 'coupon',
        room_total = (p -> 'money' ->> 'roomTotal')::numeric, extra_guest_total = (p -> 'money' ->> 'extraGuestTotal')::numeric,
        package_other_total = (p -> 'money' ->> 'packageOtherTotal')::numeric, discount_total = (p -> 'money' ->> 'discountTotal')::numeric,
        extras_total = (p -> 'money' ->> 'extrasTotal')::numeric, tax_total = (p -> 'money' ->> 'taxTotal')::numeric,
        deposit_due = (p -> 'money' ->> 'depositDue')::numeric,
        guest_name = coalesce(p_changes ->> 'guestName', u.guest_name),
        guest_email = case when p_changes ? 'guestEmail' then nullif(p_changes ->> 'guestEmail', '') else u.guest_email end,
        guest_phone_country_code = case when p_changes ? 'phoneCountryCode' then nullif(p_changes ->> 'phoneCountryCode', '') else u.guest_phone_country_code end,
        guest_phone = case when p_changes ? 'phone' then nullif(p_changes ->> 'phone', '') else u.guest_phone end,
        guest_country = case when p_changes ? 'country' then nullif(p_changes ->> 'country', '') else u.guest_country end,
        channel = coalesce(p_changes ->> 'channel', u.channel),
        special_requests = coalesce(p_changes ->> 'specialRequests', u.special_requests),
        notes = coalesce(p_changes ->> 'notes', u.notes)
    where u.org_id = v_org and u.id = r.id;
    if (p ->> 'moved')::boolean then
      insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
      select v_org, p_entity, r.id, x from unnest(v_rooms) x;
    end if;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'not_available', detail = app.say_taken(p_entity, p -> 'types' ->> 0, p_changes ->> 'unit',
      cardinality(v_rooms), (p ->> 'checkIn')::date, (p ->> 'checkOut')::date, p_today, r.id);
  end;
  if (p ->> 'scope') = 'all' then
    perform app.store_nights(v_org, p_entity, r.id, v_rooms, p -> 'quote');
    delete from public.coupon_uses c where c.org_id = v_org and c.reservation_id = r.id;
    if p ->> 'coupon' is not null then
      perform app.use_coupon(v_org, p_entity, r.id, p ->> 'coupon', (p -> 'money' ->> 'discountTotal')::numeric);
    end if;
  elsif (p ->> 'moved')::boolean then
    -- The same price in another unit of the type.
    update public.reservation_nights n set room_id = v_rooms[1] where n.org_id = v_org and n.reservation_id = r.id;
  end if;
  if (p ->> 'scope') <> 'none' then
    delete from public.reservation_extras e where e.org_id = v_org and e.reservation_id = r.id;
    delete from public.extra_selections s
    where s.org_id = v_org and s.reservation_id = r.id
      and s.extra_id not in (select x.id from jsonb_to_recordset(p -> 'extras') e (code text)
                             join public.extras x on x.org_id = v_org and x.entity_id = p_entity and x.code = e.code);
    perform app.store_extras(v_org, p_entity, r.id, jsonb_build_object('extras', p -> 'extras'));
  end if;
  return public.reservation_summaries(p_entity, array[r.code]);
end $$;

-- What edit_reservation would do: {"before": details, "scope", "moved", "units",
-- "checkIn", … "money", "nightly", "setAside"}, with codes instead of ids. It
-- raises what edit_reservation raises.
create function public.edit_preview(p_entity uuid, p_code text, p_changes jsonb, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r public.reservations;
  p jsonb;
begin
  perform app.staff_org(p_entity);
  select * into r from public.reservations x where x.entity_id = p_entity and x.code = p_code;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
  p := app.edit_plan(r, p_changes, p_today);
  return p - 'rooms' - 'quote' || jsonb_build_object(
    'before', public.reservation_details(p_entity, r.code),
    'units', (select coalesce(jsonb_agg(jsonb_build_object('unit', u.code, 'roomCode', t.code, 'roomName', t.name) order by u.code), '[]')
              from jsonb_array_elements_text(p -> 'rooms') x
              join public.rooms u on u.org_id = r.org_id and u.id = x::uuid
              join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id),
    'packageName', p -> 'quote' -> 'package' ->> 'name');
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.extras_tax(jsonb, text), app.own_extras(public.reservations),
  app.stored_extras(public.reservations), app.edit_plan(public.reservations, jsonb, date) to authenticated;
revoke execute on function public.edit_reservation(uuid, text, jsonb, date),
  public.edit_preview(uuid, text, jsonb, date) from public, anon, service_role;
grant execute on function public.edit_reservation(uuid, text, jsonb, date),
  public.edit_preview(uuid, text, jsonb, date) to authenticated;
call app.preview_reads('edit_preview');
