-- Making reservations: one, a group (one reservation per room, one code, all or
-- none), or one of a package. What is asked for is a jsonb of human codes:
--   today, checkIn, checkOut, channel, package, coupon, specialRequests, notes
--   guest: {name, email, phoneCountryCode, phone, country}
--   rooms: [{room, unit, adults, children, guestName, extras: [{code, quantity}]}], one reservation each
--   group: true gives them a group's code
--   holdHours: the booking is pending for as long; without it, it is confirmed. 0 is pending without an end
--   override: true sets aside restrictions of stay length, days and notice

-- Raises PT409 'proposal_changed' when the preview showed another total or deposit
-- than the write finds.
create function app.check_price(p_shown_total jsonb, p_shown_deposit jsonb, p_total numeric, p_deposit numeric) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_shown_total <> to_jsonb(p_total) or p_shown_deposit <> to_jsonb(p_deposit) then
    raise sqlstate 'PT409' using message = 'proposal_changed', detail = 'The price has changed since the preview.';
  end if;
end $$;

-- Raises PT422 with the sentences of a quote's problems. With p_override only
-- those count that cannot be set aside. The others' sentences are returned.
create function app.check_problems(p_quote jsonb, p_override boolean) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
  v_soft constant text[] := '{min_stay,max_stay,closed_arrival,closed_departure,past,advance_notice}';
  v_hard text;
  v_code text;
begin
  select string_agg(p ->> 'sentence', ' ' order by o), (array_agg(p ->> 'code' order by o))[1] into v_hard, v_code
  from jsonb_array_elements(p_quote -> 'problems') with ordinality e (p, o)
  where not (coalesce(p_override, false) and p ->> 'code' = any (v_soft));
  if v_hard is not null then
    raise sqlstate 'PT422' using message = v_code, detail = v_hard;
  end if;
  return array(select p ->> 'sentence' from jsonb_array_elements(p_quote -> 'problems') p);
end $$;

-- One quote for each wanted room, in their order; all of them before anything is
-- written, so that the rooms of a group do not raise each other's price.
create function app.booking_quotes(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_quotes jsonb := '[]';
  v_quote jsonb;
  w jsonb;
begin
  for w in select jsonb_array_elements(p_request -> 'rooms') loop
    v_quote := app.quote(p_entity, jsonb_build_object(
      'today', p_request -> 'today', 'checkIn', p_request -> 'checkIn', 'checkOut', p_request -> 'checkOut',
      'rooms', jsonb_build_array(w -> 'room'), 'adults', w -> 'adults', 'children', coalesce(w -> 'children', '0'),
      'package', p_request -> 'package', 'coupon', p_request -> 'coupon', 'extras', coalesce(w -> 'extras', '[]')));
    perform app.check_problems(v_quote, (p_request ->> 'override')::boolean);
    v_quotes := v_quotes || v_quote;
  end loop;
  return v_quotes;
end $$;

-- Writes the lines of a quote for a reservation whose units are p_rooms, in the
-- quote's order: nights, extras, and what guests have to choose.
create function app.store_nights(p_org uuid, p_entity uuid, p_reservation uuid, p_rooms uuid[], p_quote jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, source, season_code, base_amount,
                                         tier_code, tier_percent, amount, extra_guests, discount)
  select p_org, p_entity, p_reservation, p_rooms[l.room], l.night, l.source, l."seasonCode", l.base, l."tierCode",
         coalesce(l."tierPercent", 0), l.amount, coalesce(l."extraGuests", 0), coalesce(l.discount, 0)
  from jsonb_to_recordset(p_quote -> 'lines') l (room int, night date, source text, "seasonCode" text, base numeric, "tierCode" text,
                                                 "tierPercent" numeric, amount numeric, "extraGuests" numeric, discount numeric);
end $$;

create function app.store_extras(p_org uuid, p_entity uuid, p_reservation uuid, p_quote jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if jsonb_array_length(p_quote -> 'extras') = 0 then
    return;
  end if;
  insert into public.reservation_extras (org_id, entity_id, reservation_id, extra_id, quantity, unit_price, per, factor, tax_rate)
  select p_org, p_entity, p_reservation, x.id, e.quantity, e."unitPrice", e.per, e.factor, coalesce(e."taxRate", 0)
  from jsonb_to_recordset(p_quote -> 'extras') e (code text, quantity int, "unitPrice" numeric, per text, factor int, "taxRate" numeric)
  join public.extras x on x.org_id = p_org and x.entity_id = p_entity and x.code = e.code;
  -- Choices that were made already stay, where the extra stays.
  insert into public.extra_selections (org_id, entity_id, reservation_id, extra_id)
  select p_org, p_entity, p_reservation, x.id
  from jsonb_to_recordset(p_quote -> 'extras') e (code text)
  join public.extras x on x.org_id = p_org and x.entity_id = p_entity and x.code = e.code and x.selection_required
  on conflict (org_id, reservation_id, extra_id) do nothing;
end $$;

-- Counts a coupon's use; the trigger refuses one too many.
create function app.use_coupon(p_org uuid, p_entity uuid, p_reservation uuid, p_code text, p_discount numeric) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.coupon_uses (org_id, entity_id, coupon_id, reservation_id, amount)
  select p_org, p_entity, c.id, p_reservation, p_discount
  from public.coupons c where c.org_id = p_org and c.entity_id = p_entity and upper(btrim(c.code)) = upper(btrim(p_code));
end $$;

-- Books, and returns the summaries. Raises PT404 for unknown codes, PT409
-- 'not_available', 'proposal_changed' or 'coupon_used_up', PT422 with the code of
-- the first restriction.
create function public.create_booking(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_from constant date := p_request ->> 'checkIn';
  v_to constant date := p_request ->> 'checkOut';
  v_today constant date := p_request ->> 'today';
  v_wanted constant jsonb := p_request -> 'rooms';
  v_guest constant jsonb := p_request -> 'guest';
  v_hold constant int := p_request ->> 'holdHours';
  v_over uuid[];
  v_rooms uuid[];
  v_quotes jsonb;
  v_quote jsonb;
  w jsonb;
  v_group text;
  v_package uuid;
  v_id uuid;
  v_code text;
  v_codes text[] := '{}';
begin
  if v_from is null or v_to is null or v_today is null or v_to <= v_from or v_to - v_from > 365 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The departure must be 1 to 365 nights after the arrival.';
  end if;
  if coalesce(jsonb_array_length(v_wanted), 0) not between 1 and 50 then
    raise sqlstate 'PT422' using message = 'invalid_request', detail = 'A booking is for 1 to 50 rooms.';
  end if;
  -- A request that comes too late is refused at once. Only one that has a chance queues.
  perform app.pick_rooms(p_entity, v_wanted, v_from, v_to, v_today);
  v_over := app.queue_for(v_org, p_entity, array(select x ->> 'room' from jsonb_array_elements(v_wanted) x), null, v_from, v_to);
  v_rooms := app.pick_rooms(p_entity, v_wanted, v_from, v_to, v_today);
  v_quotes := app.booking_quotes(p_entity, p_request);
  perform app.check_price(app.shown('booking_preview') -> 'total', app.shown('booking_preview') -> 'deposit',
                          sum((q ->> 'total')::numeric), sum((q ->> 'depositDue')::numeric))
  from jsonb_array_elements(v_quotes) q;
  -- Only now, so that the price is the one of the preview.
  perform app.end_holds(v_org, v_over);
  if (p_request ->> 'group')::boolean then
    loop
      v_group := app.group_code();
      exit when not exists (select from public.reservations r where r.org_id = v_org and r.group_code = v_group);
    end loop;
  end if;
  select k.id into v_package from public.packages k
  where k.org_id = v_org and k.entity_id = p_entity and k.code = v_quotes -> 0 -> 'package' ->> 'code';

  for i in 1 .. cardinality(v_rooms) loop
    w := v_wanted -> (i - 1);
    v_quote := v_quotes -> (i - 1);
    insert into public.reservations (org_id, entity_id, code, group_code, status, hold_until, channel, check_in, check_out,
      guest_name, guest_email, guest_phone_country_code, guest_phone, guest_country, adults, children, special_requests, notes,
      package_id, coupon_code, currency, room_total, extra_guest_total, package_other_total, discount_total, extras_total,
      tax_total, deposit_due)
    values (v_org, p_entity, '', v_group, case when v_hold is null then 'confirmed' else 'pending' end,
      clock_timestamp() + nullif(v_hold, 0) * interval '1 hour', coalesce(p_request ->> 'channel', 'direct'), v_from, v_to,
      coalesce(nullif(w ->> 'guestName', ''), v_guest ->> 'name'), nullif(v_guest ->> 'email', ''),
      nullif(v_guest ->> 'phoneCountryCode', ''), nullif(v_guest ->> 'phone', ''), nullif(v_guest ->> 'country', ''),
      (w ->> 'adults')::int, coalesce((w ->> 'children')::int, 0), coalesce(p_request ->> 'specialRequests', ''),
      coalesce(p_request ->> 'notes', ''), v_package, v_quote -> 'coupon' ->> 'code', v_quote ->> 'currency',
      (v_quote ->> 'roomTotal')::numeric, (v_quote ->> 'extraGuestTotal')::numeric, (v_quote ->> 'packageOtherTotal')::numeric,
      (v_quote ->> 'discountTotal')::numeric, (v_quote ->> 'extrasTotal')::numeric, (v_quote ->> 'taxTotal')::numeric,
      (v_quote ->> 'depositDue')::numeric)
    returning id, code into v_id, v_code;
    v_codes := v_codes || v_code;
    begin
      insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id) values (v_org, p_entity, v_id, v_rooms[i]);
    exception when exclusion_violation then
      -- Another transaction took the nights without queueing.
      raise sqlstate 'PT409' using message = 'not_available',
        detail = app.say_taken(p_entity, w ->> 'room', w ->> 'unit', 1, v_from, v_to, v_today);
    end;
    perform app.store_nights(v_org, p_entity, v_id, v_rooms[i:i], v_quote);
    perform app.store_extras(v_org, p_entity, v_id, v_quote);
    if v_quote -> 'coupon' ->> 'code' is not null then
      perform app.use_coupon(v_org, p_entity, v_id, v_quote -> 'coupon' ->> 'code', (v_quote -> 'coupon' ->> 'discount')::numeric);
    end if;
  end loop;
  return public.reservation_summaries(p_entity, v_codes);
end $$;

-- What create_booking would do with the same request: {"total", "deposit",
-- "currency", "rooms": [{"unit", "roomCode", "roomName", "quote"}], "setAside":
-- [sentences], "alike": [{"code", "guest", "checkIn", "checkOut"}]}. alike are
-- bookings of the same guest in these nights. It raises what create_booking raises.
create function public.booking_preview(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_from constant date := p_request ->> 'checkIn';
  v_to constant date := p_request ->> 'checkOut';
  v_rooms uuid[];
  v_quotes jsonb;
begin
  perform app.staff_org(p_entity);
  v_rooms := app.pick_rooms(p_entity, p_request -> 'rooms', v_from, v_to, (p_request ->> 'today')::date);
  v_quotes := app.booking_quotes(p_entity, p_request);
  return (
    select jsonb_build_object(
      'total', sum((q ->> 'total')::numeric), 'deposit', sum((q ->> 'depositDue')::numeric), 'currency', min(q ->> 'currency'),
      'rooms', jsonb_agg(jsonb_build_object('unit', u.code, 'roomCode', t.code, 'roomName', t.name, 'quote', q) order by o),
      'setAside', coalesce((select jsonb_agg(distinct p ->> 'sentence')
                            from jsonb_array_elements(v_quotes) z, jsonb_array_elements(z -> 'problems') p), '[]'),
      'alike', coalesce((
        select jsonb_agg(jsonb_build_object('code', r.code, 'guest', r.guest_name, 'checkIn', r.check_in, 'checkOut', r.check_out) order by r.code)
        from public.reservations r
        where r.entity_id = p_entity and app.takes_nights(r.status) and r.check_in < v_to and r.check_out > v_from
          and (lower(btrim(r.guest_name)) = lower(btrim(p_request -> 'guest' ->> 'name'))
               or lower(r.guest_email) = lower(nullif(p_request -> 'guest' ->> 'email', '')))), '[]'))
    from jsonb_array_elements(v_quotes) with ordinality e (q, o)
    join public.rooms u on u.id = v_rooms[o]
    join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id);
end $$;

-- What can be booked, by the codes and names that people use.
create function public.bookable(p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'rooms', coalesce((select jsonb_agg(jsonb_build_object('code', t.code, 'name', t.name, 'active', t.active, 'units', (
               select coalesce(jsonb_agg(u.code order by u.sort, u.code), '[]') from public.rooms u
               where u.org_id = t.org_id and u.room_type_id = t.id and u.active)) order by t.name)
             from public.room_types t where t.entity_id = p_entity), '[]'),
    'extras', coalesce((select jsonb_agg(jsonb_build_object('code', x.code, 'name', x.name, 'active', x.active) order by x.name)
             from public.extras x where x.entity_id = p_entity), '[]'),
    'packages', coalesce((select jsonb_agg(jsonb_build_object('code', k.code, 'name', k.name, 'active', k.active, 'rooms', (
               select coalesce(jsonb_agg(t.code order by t.code), '[]') from public.packages_rooms r
               join public.room_types t on t.org_id = r.org_id and t.id = r.room_type_id
               where r.org_id = k.org_id and r.package_id = k.id)) order by k.name)
             from public.packages k where k.entity_id = p_entity), '[]'))
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.check_price(jsonb, jsonb, numeric, numeric), app.check_problems(jsonb, boolean),
  app.booking_quotes(uuid, jsonb), app.store_nights(uuid, uuid, uuid, uuid[], jsonb),
  app.store_extras(uuid, uuid, uuid, jsonb), app.use_coupon(uuid, uuid, uuid, text, numeric) to authenticated;
revoke execute on function public.create_booking(uuid, jsonb), public.booking_preview(uuid, jsonb),
  public.bookable(uuid) from public, anon, service_role;
grant execute on function public.create_booking(uuid, jsonb), public.booking_preview(uuid, jsonb),
  public.bookable(uuid) to authenticated;
call app.preview_reads('bookable', 'booking_preview');
