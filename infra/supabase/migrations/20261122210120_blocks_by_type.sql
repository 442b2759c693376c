-- Stays that nobody pinned give way to a block, within their types and in its
-- transaction.

-- The bookings with a night of [p_from, p_to) in these units that may not move:
-- pinned, in the house, or begun.
create function app.pinned_in(p_entity uuid, p_ids uuid[], p_from date, p_to date) returns uuid[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(distinct k.reservation_id), '{}')
  from public.entities e
  cross join lateral app.taken_units(e.org_id, p_ids, p_from, p_to) k
  where e.id = p_entity and k.kind = 'booking'
    and not (not k.unit_pinned and k.status in ('pending', 'confirmed')
             and k.starts_on >= (clock_timestamp() at time zone e.time_zone)::date)
$$;

-- The moves, as app.move_stays takes them, that free these units for the nights
-- [p_from, p_to): each stay goes to another unit of its type, with as few moves of
-- further stays as were found. Null when something there may not move, or when no
-- way was found.
create function app.moves_off(p_entity uuid, p_ids uuid[], p_from date, p_to date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_org uuid;
  v_today date;
  v_type uuid;
  v_units uuid[];
  v_queue jsonb;
  v_block jsonb;
  v_looks int;
  v_most int;
  v_plan jsonb;
  v_moves jsonb := '[]';
begin
  select e.org_id, (clock_timestamp() at time zone e.time_zone)::date into v_org, v_today from public.entities e where e.id = p_entity;
  if app.pinned_in(p_entity, p_ids, p_from, p_to) <> '{}' then
    return null;
  end if;
  for v_type in select distinct u.room_type_id from public.rooms u where u.org_id = v_org and u.id = any (p_ids) loop
    v_units := array(select u.id from public.rooms u
                     where u.org_id = v_org and u.room_type_id = v_type and (u.active or u.id = any (p_ids)) order by u.sort, u.code);
    select coalesce(jsonb_agg(jsonb_build_object('id', k.reservation_id, 'was', k.room_id, 'from', k.starts_on, 'to', k.ends_on)
                              order by k.starts_on, k.room_id), '[]') into v_queue
    from app.taken_units(v_org, array(select u from unnest(v_units) u where u = any (p_ids)), p_from, p_to) k
    where k.kind = 'booking';
    continue when v_queue = '[]';
    -- The block stands in its units before anything looks for a place. More
    -- stays than this are for a person to arrange.
    if jsonb_array_length(v_queue) > 40 then
      return null;
    end if;
    select jsonb_agg(jsonb_build_object('id', null, 'unit', u, 'from', p_from, 'to', p_to)) into v_block
    from unnest(v_units) u where u = any (p_ids);
    v_looks := greatest(4, least(40, 400 / cardinality(v_units))) + jsonb_array_length(v_queue);
    foreach v_most in array array[0, 1, 2, 3, 100] loop
      select r.plan into v_plan
      from app.rearranged(v_org, v_units, v_today, null, v_queue, v_block, jsonb_array_length(v_queue) + v_most,
                          case v_most when 100 then 6 else 1 end * v_looks) r;
      exit when v_plan is not null;
    end loop;
    if v_plan is null then
      return null;
    end if;
    v_moves := v_moves || (select jsonb_agg(x) from jsonb_array_elements(v_plan) x where x ->> 'id' is not null);
  end loop;
  return v_moves;
end $$;

-- The stays that move to other units when these are blocked: what a person sees
-- and agrees to. None where block_plan refuses.
create function public.block_moves(p_entity uuid, p_units text[], p_from date, p_to date)
returns table (code text, guest text, check_in date, check_out date, unit text, to_unit text)
language sql stable set search_path = '' as $$
  select r.code, r.guest_name, r.check_in, r.check_out, u.code, v.code
  from jsonb_to_recordset(app.moves_off(p_entity, app.units_named(p_entity, p_units, p_from, p_to), p_from, p_to)) m (id uuid, was uuid, unit uuid)
  join public.reservations r on r.entity_id = p_entity and r.id = m.id
  join public.rooms u on u.entity_id = p_entity and u.id = m.was
  join public.rooms v on v.entity_id = p_entity and v.id = m.unit
  order by r.check_in, r.code
$$;

-- What is blocked already in these units and nights, each stretch as far as it
-- lies inside. Raises PT409 'booked' with the reservations that stand in the
-- way and can't move to other units of their types, PT409 'already_blocked' when no night is left to block.
create or replace function public.block_plan(p_entity uuid, p_units text[], p_from date, p_to date)
returns table (unit text, code text, reason text, version int, starts_on date, ends_on date)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_ids uuid[] := app.units_named(p_entity, p_units, p_from, p_to);
  v_nights constant daterange := daterange(p_from, p_to, '[)');
  v_bookings int;
  v_clash text;
  v_blocked int;
  v_stuck uuid[];
begin
  if app.moves_off(p_entity, v_ids, p_from, p_to) is null then
    v_stuck := app.pinned_in(p_entity, v_ids, p_from, p_to);
    select count(*), string_agg(c.sentence, '; ' order by c.place) filter (where c.place <= 6) into v_bookings, v_clash
    from (
      select format('%s of %s in %s, %s to %s', r.code, r.guest_name, string_agg(u.code, ', ' order by u.code),
                    to_char(r.check_in, 'DD-Mon-YYYY'), to_char(r.check_out, 'DD-Mon-YYYY')) as sentence,
             row_number() over (order by r.check_in, r.code) as place
      from public.stays s
      join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
      join public.reservations r on r.org_id = s.org_id and r.id = s.reservation_id
      where s.entity_id = p_entity and s.room_id = any (v_ids) and s.active and s.kind = 'booking' and s.period && v_nights
        and (v_stuck = '{}' or r.id = any (v_stuck))
        -- A hold that is over blocks nothing.
        and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
      group by r.code, r.guest_name, r.check_in, r.check_out
    ) c;
    raise sqlstate 'PT409' using message = 'booked',
      detail = format('Nothing was blocked, since %s in the way: %s%s. %s or choose other rooms or nights.',
                      case v_bookings when 1 then 'a reservation is' else v_bookings || ' reservations are' end, v_clash,
                      case when v_bookings > 6 then format('; and %s more', v_bookings - 6) else '' end,
                      case when v_stuck = '{}' then 'No way was found to give what is there other units of the type: cancel or change a reservation,'
                           else 'Move or cancel what stands in the way,' end);
  end if;
  select sum(least(upper(s.period), p_to) - greatest(lower(s.period), p_from)) into v_blocked
  from public.stays s
  where s.entity_id = p_entity and s.room_id = any (v_ids) and s.active and s.kind = 'block' and s.period && v_nights;
  if v_blocked = cardinality(v_ids) * (p_to - p_from) then
    raise sqlstate 'PT409' using message = 'already_blocked', detail = 'All of these nights are blocked already: ' || (
      select string_agg(format('%s until %s (%s, %s)', u.code, to_char(upper(s.period) - 1, 'DD-Mon-YYYY'),
                               replace(b.reason, '_', ' '), b.code), '; ' order by u.code, s.period)
      from public.stays s
      join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
      join public.blocked_dates b on b.org_id = s.org_id and b.id = s.block_id
      where s.entity_id = p_entity and s.room_id = any (v_ids) and s.active and s.kind = 'block' and s.period && v_nights) || '.';
  end if;
  return query
  select u.code, b.code, b.reason, b.version, greatest(lower(s.period), p_from), least(upper(s.period), p_to)
  from public.stays s
  join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
  join public.blocked_dates b on b.org_id = s.org_id and b.id = s.block_id
  where s.entity_id = p_entity and s.room_id = any (v_ids) and s.active and s.kind = 'block' and s.period && v_nights
  order by u.code, s.period;
end $$;

-- Blocks what is not blocked yet of these units and nights, and returns a row
-- for each unit and stretch. Stays that may move give way as block_moves says.
-- Raises what block_plan raises.
create or replace function public.block_dates(p_entity uuid, p_units text[], p_from date, p_to date, p_reason text, p_note text default '')
returns table (code text, unit text, starts_on date, ends_on date)
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  v_ids uuid[] := app.units_named(p_entity, p_units, p_from, p_to);
  v_nights constant daterange := daterange(p_from, p_to, '[)');
  v_org uuid;
  v_gap record;
  v_code text;
  v_over uuid[];
  v_moves jsonb;
begin
  select e.org_id into strict v_org from public.entities e where e.id = p_entity;
  -- With the units of holds that are over and in the way, in one order for everybody.
  v_over := app.queue_for(v_org, p_entity, array(
    select distinct t.code from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.id = any (v_ids)), v_ids, p_from, p_to);
  perform app.hold_units(p_entity, v_ids);
  perform public.block_plan(p_entity, p_units, p_from, p_to);
  perform app.end_holds(v_org, v_over);
  v_moves := app.moves_off(p_entity, v_ids, p_from, p_to);
  if v_moves <> '[]' then
    perform app.move_stays(v_org, p_entity, v_moves);
  end if;
  for v_gap in
    select g.period, array_agg(i.id) as ids
    from unnest(v_ids) i (id)
    cross join lateral unnest(datemultirange(v_nights) - coalesce((
      select range_agg(s.period) from public.stays s
      where s.entity_id = p_entity and s.room_id = i.id and s.active and s.period && v_nights), '{}')) g (period)
    group by g.period order by g.period
  loop
    v_code := app.add_block(v_org, p_entity, v_gap.ids, v_gap.period, p_reason, p_note);
    return query
    select v_code, u.code, lower(v_gap.period), upper(v_gap.period)
    from public.rooms u where u.entity_id = p_entity and u.id = any (v_gap.ids) order by u.code;
  end loop;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.block_moves(uuid, text[], date, date) from public, anon;
grant execute on function public.block_moves(uuid, text[], date, date) to authenticated, service_role;
grant execute on function app.pinned_in(uuid, uuid[], date, date), app.moves_off(uuid, uuid[], date, date) to authenticated;
call app.preview_reads('block_moves');
