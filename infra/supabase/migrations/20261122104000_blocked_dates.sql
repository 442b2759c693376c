-- Blocking rooms and freeing them again. A block is a rectangle: some units, all
-- of them for the same nights. Where only a part of one is freed, the rest stays
-- blocked under blocks of its own, with the same reason and note.
--
-- Units come as codes; p_from is the first night, p_to the first one after the last.

-- The units of these codes, in ascending order of their ids, which is the order
-- of locking. Raises PT404 'unknown_room' when one is not there, PT422
-- 'invalid_dates' when the nights are not 1 to 1100.
create function app.units_named(p_entity uuid, p_units text[], p_from date, p_to date) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare
  v_missing text;
begin
  if p_from is null or p_to is null or p_to <= p_from or p_to - p_from > 1100 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'A block lasts 1 to 1100 nights.';
  end if;
  select string_agg(c, ', ' order by c) into v_missing from unnest(p_units) c
  where not exists (select from public.rooms u where u.entity_id = p_entity and u.code = c);
  if v_missing is not null or coalesce(cardinality(p_units), 0) = 0 then
    raise sqlstate 'PT404' using message = 'unknown_room',
      detail = coalesce('There is no room ' || v_missing || '.', 'At least one room is needed.');
  end if;
  return (select array_agg(u.id order by u.id) from public.rooms u where u.entity_id = p_entity and u.code = any (p_units));
end $$;

-- Holds these units until the transaction ends. As the caller: one who may not
-- write sees no row to lock.
create function app.hold_units(p_entity uuid, p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.rooms u where u.entity_id = p_entity and u.id = any (p_ids) order by u.id for no key update;
  if not found then
    raise sqlstate 'PT403' using message = 'role_required', detail = 'Only administrators and managers may change this.';
  end if;
end $$;

-- What is blocked already in these units and nights, each stretch as far as it
-- lies inside. Raises PT409 'booked' with the reservations that stand in the
-- way, PT409 'already_blocked' when no night is left to block.
create function public.block_plan(p_entity uuid, p_units text[], p_from date, p_to date)
returns table (unit text, code text, reason text, version int, starts_on date, ends_on date)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_ids uuid[] := app.units_named(p_entity, p_units, p_from, p_to);
  v_nights constant daterange := daterange(p_from, p_to, '[)');
  v_bookings int;
  v_clash text;
  v_blocked int;
begin
  select count(*), string_agg(c.sentence, '; ' order by c.place) filter (where c.place <= 6) into v_bookings, v_clash
  from (
    select format('%s of %s in %s, %s to %s', r.code, r.guest_name, string_agg(u.code, ', ' order by u.code),
                  to_char(r.check_in, 'DD-Mon-YYYY'), to_char(r.check_out, 'DD-Mon-YYYY')) as sentence,
           row_number() over (order by r.check_in, r.code) as place
    from public.stays s
    join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
    join public.reservations r on r.org_id = s.org_id and r.id = s.reservation_id
    where s.entity_id = p_entity and s.room_id = any (v_ids) and s.active and s.kind = 'booking' and s.period && v_nights
      -- A hold that is over blocks nothing.
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
    group by r.code, r.guest_name, r.check_in, r.check_out
  ) c;
  if v_bookings > 0 then
    raise sqlstate 'PT409' using message = 'booked',
      detail = format('Nothing was blocked, since %s in the way: %s%s. Move or cancel what stands in the way, or choose other rooms or nights.',
                      case v_bookings when 1 then 'a reservation is' else v_bookings || ' reservations are' end, v_clash,
                      case when v_bookings > 6 then format('; and %s more', v_bookings - 6) else '' end);
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

-- One block over these units and nights; returns its code.
create function app.add_block(p_org uuid, p_entity uuid, p_ids uuid[], p_nights daterange, p_reason text, p_note text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_id uuid;
  v_code text;
begin
  insert into public.blocked_dates (org_id, entity_id, reason, note, starts_on, ends_on)
  values (p_org, p_entity, p_reason, coalesce(p_note, ''), lower(p_nights), upper(p_nights))
  returning id, code into v_id, v_code;
  insert into public.stays (org_id, entity_id, room_id, kind, block_id, period)
  select p_org, p_entity, i, 'block', v_id, p_nights from unnest(p_ids) i order by i;
  return v_code;
end $$;

-- Blocks what is not blocked yet of these units and nights, and returns a row
-- for each unit and stretch. Raises what block_plan raises.
create function public.block_dates(p_entity uuid, p_units text[], p_from date, p_to date, p_reason text, p_note text default '')
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
begin
  select e.org_id into strict v_org from public.entities e where e.id = p_entity;
  -- With the units of holds that are over and in the way, in one order for everybody.
  v_over := app.queue_for(v_org, p_entity, '{}', v_ids, p_from, p_to);
  perform app.hold_units(p_entity, v_ids);
  perform public.block_plan(p_entity, p_units, p_from, p_to);
  perform app.end_holds(v_org, v_over);
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

-- Frees exactly these nights of these units from whatever blocks them, and
-- returns what was freed. Bookings are not touched. Raises PT404 'not_blocked'
-- when there is nothing to free.
create function public.unblock_dates(p_entity uuid, p_units text[], p_from date, p_to date)
returns table (unit text, starts_on date, ends_on date)
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  v_ids uuid[] := app.units_named(p_entity, p_units, p_from, p_to);
  v_nights constant daterange := daterange(p_from, p_to, '[)');
  v_part record;
  v_rest daterange[];
begin
  perform app.hold_units(p_entity, v_ids);
  for v_part in
    select s.org_id, s.block_id, s.period, b.reason, b.note, array_agg(s.room_id order by s.room_id) as ids,
           (select count(*) from public.stays o where o.org_id = s.org_id and o.block_id = s.block_id) as units
    from public.stays s
    join public.blocked_dates b on b.org_id = s.org_id and b.id = s.block_id
    where s.entity_id = p_entity and s.room_id = any (v_ids) and s.active and s.kind = 'block' and s.period && v_nights
    group by s.org_id, s.block_id, s.period, b.reason, b.note
    order by s.period, s.block_id
  loop
    select array_agg(r order by r) into v_rest from unnest(datemultirange(v_part.period) - datemultirange(v_nights)) r;
    if v_part.units > cardinality(v_part.ids) then
      -- The block goes on for its other units.
      delete from public.stays s where s.org_id = v_part.org_id and s.block_id = v_part.block_id and s.room_id = any (v_part.ids) and s.period = v_part.period;
    elsif v_rest is null then
      delete from public.blocked_dates b where b.org_id = v_part.org_id and b.id = v_part.block_id;
    else
      update public.stays s set period = v_rest[1] where s.org_id = v_part.org_id and s.block_id = v_part.block_id;
      update public.blocked_dates b set starts_on = lower(v_rest[1]), ends_on = upper(v_rest[1])
      where b.org_id = v_part.org_id and b.id = v_part.block_id;
      v_rest := v_rest[2:];
    end if;
    perform app.add_block(v_part.org_id, p_entity, v_part.ids, r, v_part.reason, v_part.note) from unnest(v_rest) r;
    return query
    select u.code, greatest(lower(v_part.period), p_from), least(upper(v_part.period), p_to)
    from public.rooms u where u.entity_id = p_entity and u.id = any (v_part.ids) order by u.code;
  end loop;
  if not found then
    raise sqlstate 'PT404' using message = 'not_blocked', detail = 'None of these nights is blocked in these rooms.';
  end if;
end $$;

-- The blocks with a night in [p_from, p_to), either side may be open, that hold
-- one of the units, by their first night; at most 500.
create function public.block_list(p_entity uuid, p_from date default null, p_to date default null,
                                  p_units text[] default null, p_reason text default null)
returns table (code text, reason text, note text, version int, starts_on date, ends_on date, units text[])
language sql stable set search_path = '' as $$
  select b.code, b.reason, b.note, b.version, lower(s.period), upper(s.period), array_agg(u.code order by u.code)
  from public.blocked_dates b
  join public.stays s on s.org_id = b.org_id and s.block_id = b.id
  join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
  -- By the block's own dates first: row policies keep an index from being asked about ranges.
  where b.entity_id = p_entity and (p_from is null or b.ends_on > p_from) and (p_to is null or b.starts_on < p_to)
    and s.active and s.period && daterange(p_from, p_to, '[)')
    and (p_reason is null or b.reason = p_reason)
  group by b.code, b.reason, b.note, b.version, s.period
  having p_units is null or array_agg(u.code) && p_units
  order by s.period, b.code
  limit 500
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.units_named(uuid, text[], date, date), app.hold_units(uuid, uuid[]),
  app.add_block(uuid, uuid, uuid[], daterange, text, text) to authenticated;
revoke execute on function public.block_plan(uuid, text[], date, date),
  public.block_dates(uuid, text[], date, date, text, text), public.unblock_dates(uuid, text[], date, date),
  public.block_list(uuid, date, date, text[], text) from public, anon;
grant execute on function public.block_plan(uuid, text[], date, date),
  public.block_dates(uuid, text[], date, date, text, text), public.unblock_dates(uuid, text[], date, date),
  public.block_list(uuid, date, date, text[], text) to authenticated, service_role;
call app.preview_reads('block_plan', 'block_list');
