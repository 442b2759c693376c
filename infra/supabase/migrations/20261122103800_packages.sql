-- Adding, changing and deleting packages with their room types and extras, each
-- in one step.

-- A package as the catalogue reads it: its columns, and what it is made of.
create function app.package_json(p_package public.packages) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(p_package) || jsonb_build_object(
    'packages_rooms', coalesce((
      select jsonb_agg(jsonb_build_object('room_types', jsonb_build_object('code', t.code, 'name', t.name)) order by t.code)
      from public.packages_rooms q join public.room_types t on t.org_id = q.org_id and t.id = q.room_type_id
      where q.org_id = p_package.org_id and q.package_id = p_package.id), '[]'),
    'packages_extras', coalesce((
      select jsonb_agg(jsonb_build_object('quantity', q.quantity, 'extras', jsonb_build_object('code', x.code, 'name', x.name)) order by x.code)
      from public.packages_extras q join public.extras x on x.org_id = q.org_id and x.id = q.extra_id
      where q.org_id = p_package.org_id and q.package_id = p_package.id), '[]'))
$$;

-- The packages of a property by name, each with its columns and parts; those out of
-- use only when p_inactive says so.
create function public.package_list(p_entity uuid, p_inactive boolean default false) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(app.package_json(k) - '{org_id,entity_id,created_at,updated_at}'::text[] order by k.name, k.code), '[]')
  from public.packages k where k.entity_id = p_entity and (p_inactive or k.active)
$$;

-- Gives a package exactly these room types (["COCO"]) and extras
-- ([{"code","quantity"}]); null leaves either as it is. Raises PT404
-- 'unknown_room_type', 'unknown_extra'.
create function app.set_package_parts(p_package public.packages, p_rooms jsonb, p_extras jsonb) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_missing text;
begin
  if p_rooms is not null then
    select c into v_missing from jsonb_array_elements_text(p_rooms) c
    where not exists (select from public.room_types t where t.entity_id = p_package.entity_id and t.code = c) limit 1;
    if found then
      perform app.no_such('room type', v_missing);
    end if;
    delete from public.packages_rooms q using public.room_types t
    where q.org_id = p_package.org_id and q.package_id = p_package.id
      and t.org_id = q.org_id and t.id = q.room_type_id and not p_rooms ? t.code;
    insert into public.packages_rooms (org_id, entity_id, package_id, room_type_id)
    select t.org_id, t.entity_id, p_package.id, t.id from public.room_types t
    where t.entity_id = p_package.entity_id and p_rooms ? t.code
    on conflict do nothing;
  end if;
  if p_extras is not null then
    select e ->> 'code' into v_missing from jsonb_array_elements(p_extras) e
    where not exists (select from public.extras x where x.entity_id = p_package.entity_id and x.code = e ->> 'code') limit 1;
    if found then
      perform app.no_such('extra', v_missing);
    end if;
    delete from public.packages_extras q using public.extras x
    where q.org_id = p_package.org_id and q.package_id = p_package.id and x.org_id = q.org_id and x.id = q.extra_id
      and not p_extras @> jsonb_build_array(jsonb_build_object('code', x.code));
    insert into public.packages_extras as q (org_id, entity_id, package_id, extra_id, quantity)
    select x.org_id, x.entity_id, p_package.id, x.id, (e ->> 'quantity')::int
    from jsonb_array_elements(p_extras) e join public.extras x on x.entity_id = p_package.entity_id and x.code = e ->> 'code'
    on conflict (org_id, package_id, extra_id) do update set quantity = excluded.quantity where q.quantity <> excluded.quantity;
  end if;
end $$;

-- Adds a package and returns it. Raises PT409 'duplicate', PT404 for parts that do not exist.
create function public.create_package(p_entity uuid, p_package jsonb, p_rooms jsonb, p_extras jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.packages := jsonb_populate_record(null::public.packages, p_package);
begin
  perform app.claim_name('packages', 'a package', p_entity, v.name);
  insert into public.packages as p (org_id, entity_id, name, description, price, per, room_share_percent, min_nights, max_nights,
                                    included_guests, valid_from, valid_to)
  values (app.org_id(), p_entity, v.name, v.description, v.price, v.per, v.room_share_percent, v.min_nights, v.max_nights,
          v.included_guests, v.valid_from, v.valid_to)
  returning * into v;
  perform app.set_package_parts(v, p_rooms, p_extras);
  return app.package_json(v);
end $$;

-- Changes the given columns of a package, and its parts where they are given,
-- and returns it. Raises PT404 'unknown_package', PT409 'duplicate', PT404 for
-- parts that do not exist.
create function public.update_package(p_entity uuid, p_code text, p_changes jsonb, p_rooms jsonb, p_extras jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.packages;
begin
  select * into v from public.packages where entity_id = p_entity and code = p_code for no key update;
  if not found then
    perform app.no_such('package', p_code);
  end if;
  v := jsonb_populate_record(v, p_changes);
  if p_changes ? 'name' then
    perform app.claim_name('packages', 'a package', p_entity, v.name, v.id);
  end if;
  -- Always, so that the version also counts a change of parts alone.
  update public.packages p
  set name = v.name, description = v.description, price = v.price, per = v.per, room_share_percent = v.room_share_percent,
      min_nights = v.min_nights, max_nights = v.max_nights, included_guests = v.included_guests, valid_from = v.valid_from,
      valid_to = v.valid_to, active = v.active
  where p.entity_id = p_entity and p.code = p_code
  returning * into v;
  perform app.set_package_parts(v, p_rooms, p_extras);
  return app.package_json(v);
end $$;

-- What depends on a package of the property; null when there is no such package.
--   bookings   reservations that were made with it
--   coupons    codes of the coupons that name it
--   obstacle   why it cannot be deleted, as a sentence; null when it can
create function public.package_use(p_entity uuid, p_code text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('bookings', b.bookings, 'coupons', c.codes, 'obstacle', case
      when b.bookings > 0 then format('%s (%s) is used in %s, so it cannot be deleted. To stop selling it, make it inactive: '
        || 'its bookings stay as they are.', p.name, p.code, app.counted(b.bookings, 'booking', 'bookings'))
      -- A coupon that names no package holds for all of them.
      when c.only_here is not null then format('%s (%s) is the only package for which the coupon %s holds; without it the coupon would '
        || 'hold for all. Change or delete the coupon first, or make the package inactive.', p.name, p.code, c.only_here)
    end)
  from public.packages p
  cross join lateral (
    select count(*) as bookings from public.reservations r where r.org_id = p.org_id and r.package_id = p.id) b
  cross join lateral (
    select coalesce(jsonb_agg(c.code order by c.code), '[]') as codes, string_agg(c.code, ', ' order by c.code) filter (where not exists (
             select from public.coupon_packages o where o.org_id = q.org_id and o.coupon_id = q.coupon_id and o.package_id <> p.id)) as only_here
    from public.coupon_packages q join public.coupons c on c.org_id = q.org_id and c.id = q.coupon_id
    where q.org_id = p.org_id and q.package_id = p.id) c
  where p.entity_id = p_entity and p.code = p_code
$$;

-- Deletes a package and returns its code. Raises PT404 'unknown_package', PT409 'in_use'.
create function public.delete_package(p_entity uuid, p_code text) returns text
language plpgsql set search_path = '' as $$
declare
  v_obstacle text;
begin
  -- A transaction that books it now holds the row by its foreign key, and is seen below.
  perform 1 from public.packages where entity_id = p_entity and code = p_code for update;
  if not found then
    perform app.no_such('package', p_code);
  end if;
  v_obstacle := public.package_use(p_entity, p_code) ->> 'obstacle';
  if v_obstacle is not null then
    raise sqlstate 'PT409' using message = 'in_use', detail = v_obstacle;
  end if;
  delete from public.packages where entity_id = p_entity and code = p_code;
  return p_code;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.package_json(public.packages), app.set_package_parts(public.packages, jsonb, jsonb)
   to authenticated;
revoke execute on function public.create_package(uuid, jsonb, jsonb, jsonb),
  public.update_package(uuid, text, jsonb, jsonb, jsonb), public.package_use(uuid, text),
  public.delete_package(uuid, text) from public, anon;
grant execute on function public.create_package(uuid, jsonb, jsonb, jsonb),
  public.update_package(uuid, text, jsonb, jsonb, jsonb), public.package_use(uuid, text),
  public.delete_package(uuid, text) to authenticated, service_role;
revoke execute on function public.package_list(uuid, boolean) from public, anon, service_role;
grant execute on function public.package_list(uuid, boolean) to authenticated;
call app.preview_reads('package_list', 'package_use');
