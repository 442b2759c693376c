-- Coupons with the rooms and packages that they are for: written whole, in one
-- transaction.

-- A coupon as people see it.
create function app.coupon_shown(c public.coupons) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return to_jsonb(c) - array['org_id', 'entity_id', 'id', 'created_at', 'updated_at'] || jsonb_build_object(
    'uses', (select count(*) from public.coupon_uses u where u.org_id = c.org_id and u.coupon_id = c.id),
    'rooms', (select coalesce(jsonb_agg(t.code order by t.code), '[]') from public.coupon_rooms r
              join public.room_types t on t.org_id = r.org_id and t.id = r.room_type_id where r.org_id = c.org_id and r.coupon_id = c.id),
    'packages', (select coalesce(jsonb_agg(k.code order by k.code), '[]') from public.coupon_packages p
                 join public.packages k on k.org_id = p.org_id and k.id = p.package_id where p.org_id = c.org_id and p.coupon_id = c.id));
end $$;

-- Sets what the coupon is for, where p_fields says so: lists of codes, empty for everything.
create function app.coupon_is_for(c public.coupons, p_fields jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  v_word text;
begin
  if p_fields ? 'rooms' then
    delete from public.coupon_rooms where org_id = c.org_id and coupon_id = c.id;
    for v_word in select r from jsonb_array_elements_text(p_fields -> 'rooms') r loop
      insert into public.coupon_rooms (org_id, entity_id, coupon_id, room_type_id)
      select t.org_id, t.entity_id, c.id, t.id from public.room_types t where t.org_id = c.org_id and t.entity_id = c.entity_id and t.code = v_word;
      if not found then
        raise sqlstate 'PT404' using message = 'unknown_room', detail = format('There is no room with the code %s.', v_word);
      end if;
    end loop;
  end if;
  if p_fields ? 'packages' then
    delete from public.coupon_packages where org_id = c.org_id and coupon_id = c.id;
    for v_word in select k from jsonb_array_elements_text(p_fields -> 'packages') k loop
      insert into public.coupon_packages (org_id, entity_id, coupon_id, package_id)
      select k.org_id, k.entity_id, c.id, k.id from public.packages k where k.org_id = c.org_id and k.entity_id = c.entity_id and k.code = v_word;
      if not found then
        raise sqlstate 'PT404' using message = 'unknown_package', detail = format('There is no package with the code %s.', v_word);
      end if;
    end loop;
  end if;
end $$;

-- The coupon of a code, held until the transaction ends. Raises PT404 unknown_coupon.
create function app.coupon_held(p_entity uuid, p_code text) returns public.coupons
language plpgsql set search_path = '' as $$
declare
  c public.coupons;
begin
  select * into c from public.coupons where entity_id = p_entity and upper(btrim(code)) = upper(btrim(p_code)) for update;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_coupon', detail = format('There is no coupon with the code %s.', left(p_code, 60));
  end if;
  return c;
end $$;

-- All coupons of a property, by code.
create function public.coupon_list(p_entity uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (select coalesce(jsonb_agg(app.coupon_shown(c) order by c.code), '[]') from public.coupons c where c.entity_id = p_entity);
end $$;

-- Adds a coupon of these columns, and "rooms" and "packages" as codes. Raises PT409 duplicate.
create function public.create_coupon(p_entity uuid, p_fields jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  c public.coupons;
  n public.coupons := jsonb_populate_record(null::public.coupons, p_fields);
begin
  insert into public.coupons (org_id, entity_id, code, name, description, kind, amount, max_discount, valid_from, valid_to, stay_from, stay_to,
                              min_nights, min_amount, usage_limit, active)
  select e.org_id, e.id, n.code, coalesce(n.name, ''), coalesce(n.description, ''), n.kind, n.amount, n.max_discount, n.valid_from, n.valid_to,
         n.stay_from, n.stay_to, n.min_nights, n.min_amount, n.usage_limit, coalesce(n.active, true)
  from public.entities e where e.id = p_entity
  returning * into c;
  perform app.coupon_is_for(c, p_fields);
  return app.coupon_shown(c);
exception when unique_violation then
  raise sqlstate 'PT409' using message = 'duplicate', detail = format('There is already a coupon with the code %s.', upper(btrim(n.code)));
end $$;

-- Changes the columns that are given; null empties one.
create function public.update_coupon(p_entity uuid, p_code text, p_fields jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  c public.coupons := app.coupon_held(p_entity, p_code);
  n public.coupons := jsonb_populate_record(c, p_fields - array['org_id', 'entity_id', 'id', 'code', 'version']);
begin
  update public.coupons set name = n.name, description = n.description, kind = n.kind, amount = n.amount, max_discount = n.max_discount,
    valid_from = n.valid_from, valid_to = n.valid_to, stay_from = n.stay_from, stay_to = n.stay_to, min_nights = n.min_nights,
    min_amount = n.min_amount, usage_limit = n.usage_limit, active = n.active
  where org_id = c.org_id and id = c.id
  returning * into c;
  if not found then
    raise sqlstate '42501' using message = 'only managers change coupons';
  end if;
  perform app.coupon_is_for(c, p_fields);
  return app.coupon_shown(c);
end $$;

-- Removes a coupon that was never used; one that was is only taken out of use,
-- since bookings refer to it. Returns the coupon as it was or is, with "deleted".
create function public.delete_coupon(p_entity uuid, p_code text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  c public.coupons := app.coupon_held(p_entity, p_code);
  v_shown jsonb := app.coupon_shown(c);
begin
  if (v_shown ->> 'uses')::int > 0 then
    return public.update_coupon(p_entity, p_code, '{"active": false}') || '{"deleted": false}';
  end if;
  delete from public.coupons where org_id = c.org_id and id = c.id;
  if not found then
    raise sqlstate '42501' using message = 'only managers delete coupons';
  end if;
  return v_shown || '{"deleted": true}';
end $$;

-- Whether a coupon would hold, as far as is known of the stay, and what it
-- would take off. p_request: "coupon", "today", and perhaps "checkIn" with
-- "checkOut", or "nights" alone; "rooms" as codes; "package"; "amount", the price of the
-- accommodation. With dates and rooms, and without an amount, the price engine is asked.
create function public.check_coupon(p_entity uuid, p_request jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r jsonb := case jsonb_typeof(p_request) when 'string' then (p_request #>> '{}')::jsonb else p_request end;
  e public.entities;
  c public.coupons;
  v_quote jsonb;
  v_refusal jsonb;
  v_amount numeric := r ->> 'amount';
begin
  select * into e from public.entities where id = p_entity;
  select * into c from public.coupons where org_id = e.org_id and entity_id = e.id and upper(btrim(code)) = upper(btrim(r ->> 'coupon'));
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_coupon', detail = format('There is no coupon with the code %s.', left(r ->> 'coupon', 60));
  end if;
  if v_amount is null and r ? 'rooms' and r ? 'checkIn' and r ? 'checkOut' then
    v_quote := app.quote(p_entity, r || jsonb_build_object('adults', 1));
    v_amount := (v_quote ->> 'roomTotal')::numeric + (v_quote ->> 'extraGuestTotal')::numeric;
  end if;
  v_refusal := app.coupon_refusal(c, e.currency, (r ->> 'today')::date, (r ->> 'checkIn')::date, (r ->> 'checkOut')::date,
    (select array_agg(t.id) from public.room_types t where t.org_id = e.org_id and t.entity_id = e.id and t.code in (select jsonb_array_elements_text(r -> 'rooms'))),
    (select k.id from public.packages k where k.org_id = e.org_id and k.entity_id = e.id and k.code = r ->> 'package'), v_amount, null);
  if v_refusal is null and (r ->> 'nights')::int < c.min_nights then
    v_refusal := app.problem('coupon_min_nights', format('The coupon %s needs a stay of at least %s nights.', c.code, c.min_nights));
  end if;
  return jsonb_build_object('code', c.code, 'valid', v_refusal is null, 'problem', v_refusal -> 0 -> 'code', 'reason', v_refusal -> 0 -> 'sentence',
    'amount', v_amount::numeric(14, 2),
    'discount', case when v_refusal is null then coalesce((v_quote ->> 'discountTotal')::numeric,
      least(round(case c.kind when 'percent' then v_amount * c.amount / 100 else c.amount end, app.currency_digits(e.currency)), c.max_discount, v_amount))::numeric(14, 2) end);
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.coupon_shown(public.coupons), app.coupon_is_for(public.coupons, jsonb),
  app.coupon_held(uuid, text) to authenticated;
revoke execute on function public.coupon_list(uuid), public.create_coupon(uuid, jsonb),
  public.update_coupon(uuid, text, jsonb), public.delete_coupon(uuid, text), public.check_coupon(uuid, jsonb)
   from public, anon;
grant execute on function public.coupon_list(uuid), public.create_coupon(uuid, jsonb),
  public.update_coupon(uuid, text, jsonb), public.delete_coupon(uuid, text), public.check_coupon(uuid, jsonb)
   to authenticated, service_role;
call app.preview_reads('coupon_list', 'check_coupon');
