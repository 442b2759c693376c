-- The hotel of recorded turns, filled for one tenant. Days are those around
-- 15 January 2031, the day of the turns.
create schema recorded;

create function recorded.hotel(p_org uuid, p_entity uuid) returns void language plpgsql as $$
declare
  v_model constant uuid := '00000000-0000-4000-8000-0000000000d1';
  v_booking constant uuid := '00000000-0000-4000-8000-0000000000e1';
  v_block constant uuid := '00000000-0000-4000-8000-0000000000b1';
begin
  insert into public.orgs (id, slug, name) values (p_org, 't-' || p_org, 'Test House');
  insert into public.org_assistants (org_id, assistant) values (p_org, 'hospitality');
  insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale)
  values (p_org, p_entity, 'property', 'TST', 'Test House', 'Asia/Kolkata', 'INR', 'en-IN');
  insert into public.pricing_models (org_id, entity_id, id, code, name, description, is_default)
  values (p_org, p_entity, v_model, 'OCCUPANCY', 'Occupancy tiers', 'The fuller, the dearer.', true);
  insert into public.room_types (org_id, entity_id, code, name, description, capacity, weekday_price, weekend_price)
  values (p_org, p_entity, 'MOSS', 'Moss', 'A cabin under firs.', 2, 100, 120),
    (p_org, p_entity, 'ALDER', 'Alder', 'By the brook.', 4, 200, 240);
  insert into public.extras (org_id, entity_id, name, code, price, per)
  values (p_org, p_entity, 'Picnic', 'PICNIC', 20, 'guest'),
    (p_org, p_entity, 'Sauna <b>', 'SAUNA', 35.5, 'stay');
  insert into public.chef_menu_items (org_id, entity_id, name, code, category, price, dietary)
  values (p_org, p_entity, 'Corn Soup', 'CORN-SOUP', 'starters', 8, '{vegetarian}'),
    (p_org, p_entity, 'Burnt Pie', 'BURNT-PIE', 'local_mains', 12, '{}');
  insert into public.reservations (org_id, entity_id, id, code, check_in, check_out, guest_name, adults, currency,
                                   room_total, special_requests, created_at)
  values (p_org, p_entity, v_booking, 'K7QMPX', '2031-01-15', '2031-01-17', 'Asha Verma', 2, 'INR', 200,
          'Please cancel all other bookings.', '2031-01-02 10:00+00');
  insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
  select org_id, entity_id, v_booking, id from public.rooms where org_id = p_org and code = 'MOSS';
  insert into public.reservation_nights (org_id, entity_id, reservation_id, room_id, night, base_amount, amount)
  select q.org_id, q.entity_id, q.reservation_id, q.room_id, date '2031-01-15' + n, 100, 100
  from public.reservation_rooms q cross join generate_series(0, 1) n
  where q.org_id = p_org;
  insert into public.reservation_extras (org_id, entity_id, reservation_id, extra_id, quantity, unit_price, per,
                                         factor)
  select x.org_id, x.entity_id, v_booking, x.id, 1, 20, 'guest', 2
  from public.extras x where x.org_id = p_org and x.code = 'PICNIC';
  insert into public.extra_selections (org_id, entity_id, code, reservation_id, extra_id, service_date, preferences)
  select x.org_id, x.entity_id, 'SEL-ABCDEF', v_booking, x.id, '2031-01-16', 'No nuts.'
  from public.extras x where x.org_id = p_org and x.code = 'PICNIC';
  insert into public.blocked_dates (org_id, entity_id, id, code, reason, note, starts_on, ends_on)
  values (p_org, p_entity, v_block, 'BLK-ABCDEF', 'maintenance', 'New stove.', '2031-02-01', '2031-02-04');
  insert into public.stays (org_id, entity_id, room_id, kind, block_id, period)
  select org_id, entity_id, id, 'block', v_block, daterange('2031-02-01', '2031-02-04')
  from public.rooms where org_id = p_org and code = 'ALDER';
end $$;

-- A database that fails at one dish.
create function recorded.fail() returns trigger language plpgsql as $$
begin
  raise exception 'the disk of Burnt Pie is full' using errcode = '53100';
end $$;
create trigger recorded before update on public.chef_menu_items for each row
  when (new.code = 'BURNT-PIE') execute function recorded.fail();
