-- A room type gets fewer units though they are booked, as long as the stays that
-- nobody pinned fit into the units that remain.

-- The units that go when so many of a type are to remain: first those that nothing
-- takes from p_today on, then those whose stays can move to units that remain, the
-- ones with the fewest stays first. Units with a block never go.
--   moves   as app.move_stays takes them; null when too few units can go
create function app.units_to_go(p_org uuid, p_entity uuid, p_type uuid, p_units int, p_today date, out gone uuid[], out moves jsonb)
language plpgsql stable set search_path = '' as $$
declare
  v_units constant uuid[] := array(
    select u.id from public.rooms u where u.org_id = p_org and u.entity_id = p_entity and u.room_type_id = p_type and u.active);
  v_more int := cardinality(v_units) - p_units;
  v_until date;
  v_unit record;
  v_moves jsonb;
begin
  moves := '[]';
  gone := array(
    select u.id from public.rooms u
    where u.org_id = p_org and u.id = any (v_units) and u.code <> all (app.busy_units(p_org, p_type, p_today))
    order by length(u.code) desc, u.code desc
    limit greatest(v_more, 0));
  v_more := v_more - cardinality(gone);
  if v_more <= 0 then
    return;
  end if;
  select max(k.ends_on) into v_until from app.taken_units(p_org, v_units, p_today, 'infinity') k;
  for v_unit in
    select u.id
    from public.rooms u
    left join app.taken_units(p_org, v_units, p_today, 'infinity') k on k.room_id = u.id
    where u.org_id = p_org and u.id = any (v_units) and u.id <> all (gone)
    group by u.id, u.code
    having count(*) filter (where k.kind = 'block') = 0
    order by count(k.room_id), length(u.code) desc, u.code desc loop
    v_moves := app.moves_off(p_entity, gone || v_unit.id, p_today, greatest(v_until, p_today + 1));
    if v_moves is not null then
      gone := gone || v_unit.id;
      moves := v_moves;
      v_more := v_more - 1;
      exit when v_more = 0;
    end if;
  end loop;
  if v_more > 0 then
    moves := null;
  end if;
end $$;

-- Raises PT409 'units_in_use' with the units of a type that are booked or blocked.
create function app.say_units_in_use(p_type public.room_types, p_today date) returns void
language plpgsql stable set search_path = '' as $$
begin
  raise sqlstate 'PT409' using message = 'units_in_use',
    detail = format('Of %s (%s), %s cannot go: booked or blocked from today on, and not all of their stays can move to units that remain.',
                    p_type.name, p_type.code, array_to_string(app.busy_units(p_type.org_id, p_type.id, p_today), ', '));
end $$;

-- The stays that move to other units when a type is to have so many: what a person
-- sees and agrees to. Raises PT409 'units_in_use' when too few units can go.
create function public.unit_moves(p_entity uuid, p_code text, p_units int, p_today date)
returns table (code text, guest text, check_in date, check_out date, unit text, to_unit text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v public.room_types;
  v_moves jsonb;
begin
  select * into v from public.room_types t where t.entity_id = p_entity and t.code = p_code;
  if not found then
    return;
  end if;
  select g.moves into v_moves from app.units_to_go(v.org_id, p_entity, v.id, p_units, p_today) g;
  if v_moves is null then
    perform app.say_units_in_use(v, p_today);
  end if;
  return query
  select r.code, r.guest_name, r.check_in, r.check_out, u.code, o.code
  from jsonb_to_recordset(v_moves) m (id uuid, was uuid, unit uuid)
  join public.reservations r on r.entity_id = p_entity and r.id = m.id
  join public.rooms u on u.entity_id = p_entity and u.id = m.was
  join public.rooms o on o.entity_id = p_entity and o.id = m.unit
  order by r.check_in, r.code;
end $$;

-- Gives a type so many active units. Units that go are kept, inactive, because
-- past stays name them; they come back first when there are to be more again.
-- Stays that may move make room as unit_moves says. Raises PT409 'units_in_use'.
create or replace function app.set_units(p_type public.room_types, p_units int, p_today date) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_now int;
  v_number int := 2;
  v_over uuid[];
  v_gone uuid[];
  v_moves jsonb;
begin
  select count(*) into v_now from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id and r.active;
  if p_units < v_now then
    -- With the units of holds that are over, in one order for everybody.
    v_over := app.queue_for(p_type.org_id, p_type.entity_id, array[p_type.code], null, p_today, 'infinity');
  end if;
  -- In the order in which bookings take them, so that none comes in between.
  perform 1 from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id order by r.id for no key update;
  select count(*) into v_now from public.rooms r where r.org_id = p_type.org_id and r.room_type_id = p_type.id and r.active;
  if p_units < v_now then
    perform app.end_holds(p_type.org_id, v_over);
    select g.gone, g.moves into v_gone, v_moves from app.units_to_go(p_type.org_id, p_type.entity_id, p_type.id, p_units, p_today) g;
    if v_moves is null then
      perform app.say_units_in_use(p_type, p_today);
    end if;
    perform app.move_stays(p_type.org_id, p_type.entity_id, v_moves);
    update public.rooms r set active = false where r.org_id = p_type.org_id and r.id = any (v_gone);
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

revoke execute on all routines in schema app from public;
grant execute on function app.units_to_go(uuid, uuid, uuid, int, date), app.say_units_in_use(public.room_types, date) to authenticated;
revoke execute on function public.unit_moves(uuid, text, int, date) from public, anon;
grant execute on function public.unit_moves(uuid, text, int, date) to authenticated, service_role;
call app.preview_reads('unit_moves');
