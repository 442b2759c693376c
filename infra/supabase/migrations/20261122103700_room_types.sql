-- Adding, changing and deleting room types with their units, each in one step.

-- A room type as the catalogue reads it: its columns, and under "rooms" its units.
create function app.room_type_json(p_type public.room_types) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(p_type) || jsonb_build_object('rooms', coalesce((
    select jsonb_agg(jsonb_build_object('code', r.code, 'active', r.active) order by r.code)
    from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id), '[]'))
$$;

-- The room types of a property by name, each with its columns and units; those out
-- of use only when p_inactive says so.
create function public.room_type_list(p_entity uuid, p_inactive boolean default false) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(app.room_type_json(t) - '{org_id,entity_id,created_at,updated_at}'::text[] order by t.name, t.code), '[]')
  from public.room_types t where t.entity_id = p_entity and (p_inactive or t.active)
$$;

-- Codes of the active units that are booked or blocked on p_today or later.
create function app.busy_units(p_org uuid, p_type uuid, p_today date) returns text[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(r.code order by length(r.code), r.code), '{}')
  from public.rooms r
  where r.org_id = p_org and r.room_type_id = p_type and r.active and exists (
    select from public.stays s
    where s.org_id = r.org_id and s.room_id = r.id and s.active and s.period && daterange(p_today, null, '[)'))
$$;

-- Gives a type so many active units. Units that go are kept, inactive, because
-- past stays name them; they come back first when there are to be more again.
-- Raises PT409 'units_in_use' when too many are booked or blocked.
create function app.set_units(p_type public.room_types, p_units int, p_today date) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_now int;
  v_number int := 2;
begin
  -- In the order in which bookings take them, so that none comes in between.
  perform 1 from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id order by r.id for no key update;
  select count(*) into v_now from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id and r.active;
  if p_units < v_now then
    update public.rooms r set active = false
    where r.org_id = p_type.org_id and r.id in (
      select u.id from public.rooms u
      where u.org_id = p_type.org_id and u.room_type_id = p_type.id and u.active
        and u.code <> all (app.busy_units(p_type.org_id, p_type.id, p_today))
      order by length(u.code) desc, u.code desc
      limit v_now - p_units);
    select count(*) into v_now from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id and r.active;
    if v_now > p_units then
      raise sqlstate 'PT409' using message = 'units_in_use',
        detail = format('Of %s (%s), %s cannot go: booked or blocked from today on.', p_type.name, p_type.code,
                        array_to_string(app.busy_units(p_type.org_id, p_type.id, p_today), ', '));
    end if;
    return;
  end if;
  update public.rooms r set active = true
  where r.org_id = p_type.org_id and r.id in (
    select u.id from public.rooms u
    where u.org_id = p_type.org_id and u.room_type_id = p_type.id and not u.active
    order by length(u.code), u.code
    limit p_units - v_now);
  select count(*) into v_now from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id and r.active;
  while v_now < p_units loop
    insert into public.rooms (org_id, entity_id, room_type_id, code, sort)
    values (p_type.org_id, p_type.entity_id, p_type.id, p_type.code || '-' || v_number, v_number)
    on conflict (org_id, entity_id, code) do nothing;
    if found then
      v_now := v_now + 1;
    end if;
    v_number := v_number + 1;
  end loop;
end $$;

-- Adds a room type with so many units and returns it. Raises PT409 'duplicate'.
create function public.create_room_type(p_entity uuid, p_type jsonb, p_units int) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.room_types := jsonb_populate_record(null::public.room_types, p_type);
begin
  perform app.claim_name('room_types', 'a room type', p_entity, v.name);
  insert into public.room_types as t (
    org_id, entity_id, name, description, capacity, included_guests, extra_guest_price, weekday_price, weekend_price, min_stay, max_stay,
    floor_price, ceiling_price, closed_arrival_days, closed_departure_days, amenities)
  values (
    app.org_id(), p_entity, v.name, v.description, v.capacity, v.included_guests, v.extra_guest_price, v.weekday_price, v.weekend_price,
    v.min_stay, v.max_stay, v.floor_price, v.ceiling_price, v.closed_arrival_days, v.closed_departure_days, v.amenities)
  returning * into v;
  perform app.set_units(v, p_units, '-infinity');
  return app.room_type_json(v);
end $$;

-- Changes the given columns of a room type, and the number of its units unless
-- p_units is null, and returns it. Raises PT404 'unknown_room_type', PT409
-- 'duplicate', 'units_in_use'.
create function public.update_room_type(p_entity uuid, p_code text, p_changes jsonb, p_units int, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.room_types;
begin
  select * into v from public.room_types where entity_id = p_entity and code = p_code for no key update;
  if not found then
    perform app.no_such('room type', p_code);
  end if;
  v := jsonb_populate_record(v, p_changes);
  if p_changes ? 'name' then
    perform app.claim_name('room_types', 'a room type', p_entity, v.name, v.id);
  end if;
  -- Always, so that the version also counts a change of units alone.
  update public.room_types t
  set name = v.name, description = v.description, capacity = v.capacity, included_guests = v.included_guests,
      extra_guest_price = v.extra_guest_price, weekday_price = v.weekday_price, weekend_price = v.weekend_price,
      min_stay = v.min_stay, max_stay = v.max_stay, floor_price = v.floor_price, ceiling_price = v.ceiling_price,
      closed_arrival_days = v.closed_arrival_days, closed_departure_days = v.closed_departure_days, amenities = v.amenities, active = v.active
  where t.entity_id = p_entity and t.code = p_code
  returning * into v;
  if p_units is not null then
    perform app.set_units(v, p_units, p_today);
  end if;
  return app.room_type_json(v);
end $$;

-- What depends on a room type of the property; null when there is no such type.
--   upcoming   reservations that take a unit on p_today or later
--   busyUnits  codes of the active units that are booked or blocked then
--   seasons    codes of seasons with prices of their own that hold for it on p_today or later
--   removed    what would go with it: packages, coupons and seasons that name it, by code
--   obstacle   why it cannot be deleted, as a sentence; null when it can
create function public.room_type_use(p_entity uuid, p_code text, p_today date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'upcoming', (
      select count(distinct s.reservation_id) from public.stays s join public.rooms r on r.org_id = s.org_id and r.id = s.room_id
      where r.org_id = t.org_id and r.room_type_id = t.id and s.kind = 'booking' and s.active and s.period && daterange(p_today, null, '[)')),
    'busyUnits', app.busy_units(t.org_id, t.id, p_today),
    'seasons', (
      select coalesce(jsonb_agg(z.code order by z.starts_on, z.code), '[]') from public.seasonal_pricing z
      where z.org_id = t.org_id and z.entity_id = t.entity_id and coalesce(z.room_type_id, t.id) = t.id and z.active and z.ends_on >= p_today
        and (z.weekday_price is not null or z.weekend_price is not null)),
    'removed', p.codes || c.codes || z.codes,
    'obstacle', case
      when b.bookings > 0 then format('%s (%s) has %s, the last until %s, so it cannot be deleted. To stop letting it, make it inactive: '
        || 'its bookings stay as they are.', t.name, t.code, app.counted(b.bookings, 'booking', 'bookings'), to_char(b.last, 'DD-Mon-YYYY'))
      when k.blocks > 0 then format('%s (%s) has %s, so it cannot be deleted. Unblock the dates first, or make it inactive.',
        t.name, t.code, app.counted(k.blocks, 'blocked period', 'blocked periods'))
      when p.only_here is not null then format('%s (%s) is the only room type of the package %s, so it cannot be deleted. Give the package '
        || 'another room type or delete it first, or make the room type inactive.', t.name, t.code, p.only_here)
      -- A coupon that names no room type holds for all of them.
      when c.only_here is not null then format('%s (%s) is the only room type for which the coupon %s holds; without it the coupon would '
        || 'hold for all. Change or delete the coupon first, or make the room type inactive.', t.name, t.code, c.only_here)
    end)
  from public.room_types t
  cross join lateral (
    select count(*) as bookings, max(b.check_out) as last from public.reservations b
    where b.org_id = t.org_id and b.id in (
      select q.reservation_id from public.reservation_rooms q join public.rooms r on r.org_id = q.org_id and r.id = q.room_id
      where r.org_id = t.org_id and r.room_type_id = t.id
      union
      select n.reservation_id from public.reservation_nights n join public.rooms r on r.org_id = n.org_id and r.id = n.room_id
      where r.org_id = t.org_id and r.room_type_id = t.id)) b
  cross join lateral (
    select count(distinct s.block_id) as blocks
    from public.stays s join public.rooms r on r.org_id = s.org_id and r.id = s.room_id
    where r.org_id = t.org_id and r.room_type_id = t.id and s.kind = 'block') k
  cross join lateral (
    select coalesce(jsonb_agg(p.code order by p.code), '[]') as codes, string_agg(p.code, ', ' order by p.code) filter (where not exists (
             select from public.packages_rooms o where o.org_id = q.org_id and o.package_id = q.package_id and o.room_type_id <> t.id)) as only_here
    from public.packages_rooms q join public.packages p on p.org_id = q.org_id and p.id = q.package_id
    where q.org_id = t.org_id and q.room_type_id = t.id) p
  cross join lateral (
    select coalesce(jsonb_agg(c.code order by c.code), '[]') as codes, string_agg(c.code, ', ' order by c.code) filter (where not exists (
             select from public.coupon_rooms o where o.org_id = q.org_id and o.coupon_id = q.coupon_id and o.room_type_id <> t.id)) as only_here
    from public.coupon_rooms q join public.coupons c on c.org_id = q.org_id and c.id = q.coupon_id
    where q.org_id = t.org_id and q.room_type_id = t.id) c
  cross join lateral (
    select coalesce(jsonb_agg(z.code order by z.code), '[]') as codes from public.seasonal_pricing z
    where z.org_id = t.org_id and z.room_type_id = t.id) z
  where t.entity_id = p_entity and t.code = p_code
$$;

-- Deletes a room type with its units and seasons and returns its code. Raises
-- PT404 'unknown_room_type', PT409 'in_use'.
create function public.delete_room_type(p_entity uuid, p_code text) returns text
language plpgsql set search_path = '' as $$
declare
  v public.room_types;
  v_obstacle text;
begin
  select * into v from public.room_types where entity_id = p_entity and code = p_code for update;
  if not found then
    perform app.no_such('room type', p_code);
  end if;
  -- A transaction that books a unit now holds its row, and is seen below.
  perform 1 from public.rooms r where r.org_id = v.org_id and r.room_type_id = v.id order by r.id for update;
  v_obstacle := public.room_type_use(p_entity, p_code, current_date) ->> 'obstacle';
  if v_obstacle is not null then
    raise sqlstate 'PT409' using message = 'in_use', detail = v_obstacle;
  end if;
  delete from public.room_types where entity_id = p_entity and code = p_code;
  return p_code;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.room_type_json(public.room_types), app.busy_units(uuid, uuid, date),
  app.set_units(public.room_types, int, date) to authenticated;
revoke execute on function public.create_room_type(uuid, jsonb, int),
  public.update_room_type(uuid, text, jsonb, int, date), public.room_type_use(uuid, text, date),
  public.delete_room_type(uuid, text) from public, anon;
grant execute on function public.create_room_type(uuid, jsonb, int),
  public.update_room_type(uuid, text, jsonb, int, date), public.room_type_use(uuid, text, date),
  public.delete_room_type(uuid, text) to authenticated, service_role;
revoke execute on function public.room_type_list(uuid, boolean) from public, anon, service_role;
grant execute on function public.room_type_list(uuid, boolean) to authenticated;
call app.preview_reads('room_type_list', 'room_type_use');
