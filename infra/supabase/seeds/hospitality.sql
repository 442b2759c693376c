-- Demo data of the domain hospitality: two hotels that share nothing, and about five months of
-- bookings around today. Nothing is random: the same day gives the same rows.
-- All people are invented.

-- Helpers, gone with the session ----------------------------------------------

-- A number in [0, n) that depends on the word alone.
create function pg_temp.pick(p_word text, n int) returns int language sql immutable as $$
  select (('x' || substr(md5(p_word), 1, 7))::bit(28)::int) % n
$$;

-- Six letters and digits that depend on the word alone.
create function pg_temp.code(p_word text) returns text language sql immutable as $$
  select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', (get_byte(decode(md5(p_word), 'hex'), i) & 31) + 1, 1),
    '' order by i)
  from generate_series(0, 5) i
$$;

-- Today at the property.
create function pg_temp.today(p_entity uuid) returns date language sql stable as $$
  select (now() at time zone e.time_zone)::date from public.entities e where e.id = p_entity
$$;

-- Books units for a guest at the price that app.quote names on the day of booking,
-- with extras, selections, coupon and payments. False when a unit is taken. Options:
-- guest, adults, children, group, package, coupon, extras (codes), channel, requests;
-- what is missing is picked by p_word.
create function pg_temp.book(p_entity uuid, p_word text, p_units text[], p_in date, p_nights int, p_status text,
                             p_options jsonb default '{}') returns boolean language plpgsql as $$
declare
  firsts constant text[] :=
    '{Asha,Bram,Chitra,Dov,Esme,Farid,Gauri,Hugo,Ila,Jonas,Kavya,Lior,Meera,Nils,Ojas,Petra,Rohan,Saira,Tilda,Uma,Viktor,Wren,Yash,Zoya}';
  lasts constant text[] :=
    '{Meadowlark,Thistledown,Lanternwala,Puddlestone,Quillfeather,Bramblewick,Starlingham,Pebbleworth,Mossgrove,Teakettle,Windermoor,Saffronwala,Copperleaf,Fernandale,Kitewala,Larkspur,Oakhollow,Paperwala,Riverstone}';
  channels constant text[] := '{direct,website,website,phone,email,booking_com,booking_com,airbnb,walk_in,agent}';
  e public.entities;
  v_quote jsonb;
  x record;
  v_id uuid := md5('reservation ' || p_entity || p_word)::uuid;
  v_out date := p_in + p_nights;
  v_today date := pg_temp.today(p_entity);
  v_name text;
  v_capacity int;
  v_adults int;
  v_children int;
  v_booked_on date;
  v_coupon text;
  v_extras jsonb;
begin
  select * into strict e from public.entities where id = p_entity;
  if app.takes_nights(p_status) and exists (
    select from public.stays s join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
    where s.entity_id = p_entity and u.code = any (p_units) and s.active and s.period && daterange(p_in, v_out)) then
    return false;
  end if;
  select sum(t.capacity) into strict v_capacity
  from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
  where u.entity_id = p_entity and u.code = any (p_units);

  v_name := coalesce(p_options ->> 'guest', firsts[1 + pg_temp.pick('first ' || p_word,
    24)] || ' ' || lasts[1 + pg_temp.pick('last ' || p_word, 19)]);
  v_adults := coalesce((p_options ->> 'adults')::int, least(v_capacity, 1 + pg_temp.pick('adults ' || p_word, 3)));
  v_children := coalesce((p_options ->> 'children')::int, least(v_capacity - v_adults, greatest(0,
    pg_temp.pick('children ' || p_word, 6) - 3)));
  v_booked_on := least(p_in, v_today) - 2 - pg_temp.pick('lead ' || p_word, 40);
  v_extras := coalesce(p_options -> 'extras', (
    select jsonb_agg(a.code order by a.code) from public.extras a
    where a.entity_id = p_entity and a.active and pg_temp.pick('extra ' || a.code || p_word, 5) = 0), '[]');
  v_quote := app.quote(p_entity, jsonb_build_object(
    'today', v_booked_on, 'checkIn', p_in, 'checkOut', v_out, 'adults', v_adults, 'children', v_children,
    'rooms', (select jsonb_agg(t.code order by o) from unnest(p_units) with ordinality w (unit, o)
              join public.rooms u on u.entity_id = p_entity and u.code = w.unit
              join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id),
    'package', p_options -> 'package', 'coupon', p_options -> 'coupon',
    'extras', (select coalesce(jsonb_agg(jsonb_build_object('code', c, 'quantity', 1)), '[]')
      from jsonb_array_elements_text(v_extras) c)));
  if (v_quote -> 'coupon' ->> 'valid')::boolean then
    v_coupon := v_quote -> 'coupon' ->> 'code';
  end if;

  insert into public.reservations (org_id, entity_id, id, code, group_code, status, channel, check_in, check_out,
    guest_name, guest_email, guest_phone_country_code, guest_phone, guest_country, adults, children, special_requests,
    package_id, coupon_code, currency, room_total, extra_guest_total, package_other_total, discount_total,
      extras_total, tax_total,
    deposit_due, checked_in_at, checked_out_at, cancelled_at, cancellation_reason, created_at)
  values (e.org_id, p_entity, v_id, pg_temp.code('reservation ' || p_entity || p_word), p_options ->> 'group',
    p_status,
    coalesce(p_options ->> 'channel', channels[1 + pg_temp.pick('channel ' || p_word, 10)]), p_in, v_out,
    v_name, lower(replace(v_name, ' ', '.')) || '@guests.example',
    -- Numbers that no one has: no Indian mobile number begins with 5; 07700 900 is kept free for stories.
    case when e.currency = 'INR' then '+91' else '+44' end,
    case when e.currency = 'INR' then '555' || lpad(pg_temp.pick('phone ' || p_word, 10000000)::text, 7, '0')
         else '7700 900' || lpad(pg_temp.pick('phone ' || p_word, 1000)::text, 3, '0') end,
    case when e.currency = 'INR' then (array['IN', 'IN', 'IN', 'GB', 'DE'])[1 + pg_temp.pick('country ' || p_word, 5)]
         else (array['PT', 'ES', 'GB', 'FR'])[1 + pg_temp.pick('country ' || p_word, 4)] end,
    v_adults, v_children,
    coalesce(p_options ->> 'requests', (array['', '', '', '', 'Late arrival, around nine in the evening.',
      'A cot for the little one, please.',
      'No nuts in any meal.', 'A quiet cabin if possible.'])[1 + pg_temp.pick('requests ' || p_word, 8)]),
    (select k.id from public.packages k where k.entity_id = p_entity and k.code = p_options ->> 'package'), v_coupon,
      e.currency,
    (v_quote ->> 'roomTotal')::numeric, (v_quote ->> 'extraGuestTotal')::numeric,
      (v_quote ->> 'packageOtherTotal')::numeric,
    (v_quote ->> 'discountTotal')::numeric, (v_quote ->> 'extrasTotal')::numeric, (v_quote ->> 'taxTotal')::numeric,
      (v_quote ->> 'depositDue')::numeric,
    case when p_status in ('checked_in', 'checked_out') then (p_in + time '14:40') at time zone e.time_zone end,
    case when p_status = 'checked_out' then (v_out + time '10:20') at time zone e.time_zone end,
    case when p_status = 'cancelled' then (v_booked_on + 1 + time '18:00') at time zone e.time_zone end,
    case when p_status = 'cancelled' then 'Change of plans' end,
    v_booked_on + time '10:30' + pg_temp.pick('time ' || p_word, 480) * interval '1 minute');

  insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
  select e.org_id, p_entity, v_id, u.id from public.rooms u where u.entity_id = p_entity and u.code = any (p_units);

  perform app.store_nights(e.org_id, p_entity, v_id, array(
    select u.id from unnest(p_units) with ordinality w (unit, o) join public.rooms u on u.entity_id = p_entity
      and u.code = w.unit order by o), v_quote);
  insert into public.coupon_uses (org_id, entity_id, coupon_id, reservation_id, amount, used_at)
  select c.org_id, c.entity_id, c.id, v_id, (v_quote ->> 'discountTotal')::numeric, v_booked_on + time '11:00'
  from public.coupons c where c.entity_id = p_entity and c.code = v_coupon;

  -- Not by app.store_extras, so that ids and codes are the same every time.
  for x in
    select a.id, a.code, a.selection_required, l.quantity, l."unitPrice", l.per, l.factor, l."taxRate"
    from jsonb_to_recordset(v_quote -> 'extras') l (code text, quantity int, "unitPrice" numeric, per text,
      factor int, "taxRate" numeric)
    join public.extras a on a.entity_id = p_entity and a.code = l.code order by a.code
  loop
    insert into public.reservation_extras (org_id, entity_id, id, reservation_id, extra_id, quantity, unit_price, per,
      factor, tax_rate)
    values (e.org_id, p_entity, md5('extra ' || v_id || x.code)::uuid, v_id, x.id, x.quantity, x."unitPrice", x.per,
      x.factor, x."taxRate");
    if x.selection_required then
      insert into public.extra_selections (org_id, entity_id, id, code, reservation_id, extra_id, status,
        service_date, choices, preferences,
                                           completed_at, submitted_at)
      select e.org_id, p_entity, md5('selection ' || v_id || x.code)::uuid,
        'SEL-' || pg_temp.code('selection ' || v_id || x.code), v_id, x.id,
             s, p_in + least(1, p_nights - 1),
             case when s in ('completed', 'submitted') then jsonb_build_array(jsonb_build_object(
               'date', p_in + least(1, p_nights - 1), 'meal', 'dinner', 'guest', v_name,
               'items', (select jsonb_agg(m.code order by m.code) from (
                           select distinct on (category) code from public.chef_menu_items
                           where entity_id = p_entity and available order by category, sort) m)))
                  else '[]' end,
             case when s in ('completed', 'submitted') then (array['', 'Mild spices.', 'Vegetarian only.',
               'No dairy.'])[1 + pg_temp.pick('taste ' || p_word, 4)] else '' end,
             case when s in ('completed', 'submitted') then (v_booked_on + 1)::timestamptz end,
             case when s = 'submitted' then (v_booked_on + 1)::timestamptz end
      from (select case when p_status in ('cancelled', 'no_show') or pg_temp.pick('choice ' || p_word,
        9) = 0 then 'not_required'
                        when p_in < v_today then 'submitted'
                        when pg_temp.pick('choice ' || p_word, 9) < 5 then 'pending' else 'completed' end as s) q;
    end if;
  end loop;

  -- The deposit at booking, the rest on leaving; a cancelled guest gets the deposit back.
  insert into public.payments (org_id, entity_id, id, code, reservation_id, kind, method, amount, currency,
    received_on, reference)
  select e.org_id, p_entity, md5('payment ' || v_id || n)::uuid, 'PAY-' || pg_temp.code('payment ' || v_id || n),
    v_id, kind,
         case when e.currency = 'INR' then (array['upi', 'card', 'bank_transfer',
           'cash'])[1 + pg_temp.pick(n || p_word, 4)]
              else (array['card', 'online', 'bank_transfer'])[1 + pg_temp.pick(n || p_word, 3)] end,
         amount, e.currency, on_day, 'DEMO-' || upper(substr(md5(v_id || n), 1, 8))
  from (values ('deposit', 'payment', (v_quote ->> 'depositDue')::numeric, v_booked_on, p_status <> 'pending'),
               ('rest', 'payment', (v_quote ->> 'balanceDue')::numeric, v_out, p_status = 'checked_out'),
               ('refund', 'refund', (v_quote ->> 'depositDue')::numeric, v_booked_on + 1,
                 p_status = 'cancelled')) p (n, kind, amount, on_day, wanted)
  where wanted and amount > 0;
  return true;
end $$;

-- Fills the units of a property from 90 days ago to 60 days ahead.
create function pg_temp.fill(p_entity uuid, p_units text[], p_spare daterange,
  p_coupon text) returns void language plpgsql as $$
declare
  v_today date := pg_temp.today(p_entity);
  u text;
  d date;
  w text;
  n int;
  s text;
begin
  foreach u in array p_units loop
    d := v_today - 90 + pg_temp.pick('start ' || u, 4);
    while d < v_today + 56 loop
      w := u || ' ' || (d - v_today);
      n := 2 + pg_temp.pick('nights ' || w, 4);
      s := case
        when d + n < v_today then case pg_temp.pick('past ' || w,
          16) when 0 then 'cancelled' when 1 then 'no_show' else 'checked_out' end
        when d < v_today then 'checked_in'
        when d = v_today then case pg_temp.pick('today ' || w, 3) when 0 then 'checked_in' else 'confirmed' end
        else case pg_temp.pick('ahead ' || w, 12) when 0 then 'cancelled' when 1 then 'pending' when 2 then 'pending'
          else 'confirmed' end
      end;
      if not (u = 'COCO' and p_spare && daterange(d, d + n)) then
        perform pg_temp.book(p_entity, w, array[u], d, n, s,
          case when pg_temp.pick('coupon ' || w, 11) = 0 then jsonb_build_object('coupon', p_coupon) else '{}' end);
      end if;
      -- The further ahead, the emptier.
      d := d + n + pg_temp.pick('gap ' || w, 5) + greatest(0, (d - v_today) / 9) + 2;
    end loop;
  end loop;
end $$;

-- Properties ---------------------------------------------

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', 'property', 'SOJ', 'Sojourn Cabins',
   'Asia/Kolkata', 'INR', 'en-IN',
   '{"weekendNights": [5, 6], "depositPercent": 30, "roomTaxRate": 5, "freeCancelDays": 7, "checkInTime": "14:00", "checkOutTime": "11:00",
     "phone": "+91 5550000001", "email": "stay@sojourn.example", "address": "Cedar Bend Road, Devgiri Hills"}'),
  ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1', 'property', 'HBR', 'Harbour House',
   'Europe/Lisbon', 'EUR', 'en-GB',
   '{"weekendNights": [5, 6], "depositPercent": 25, "roomTaxRate": 6, "freeCancelDays": 3, "checkInTime": "15:00", "checkOutTime": "11:00",
     "phone": "+44 7700 900001", "email": "desk@harbour.example", "address": "1 Breakwater Lane"}');

-- Sojourn Cabins -----------------------------------------------------------------

insert into public.pricing_models (org_id, entity_id, id, code, name, description, is_default)
values ('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1',
  'a0000000-0000-4000-8000-0000000000d1',
        'OCCUPANCY', 'Occupancy tiers', 'The fuller the night, the higher the price.', true);
insert into public.pricing_tiers (org_id, entity_id, model_id, name, min_occupancy, max_occupancy, adjustment_percent)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1',
  'a0000000-0000-4000-8000-0000000000d1', t.*
from (values ('Quiet', 0, 40, -10), ('Usual', 40, 70, 0), ('Busy', 70, 90, 10), ('Nearly full', 90, 100, 20)) t;

insert into public.room_types (org_id, entity_id, code, name, description, capacity, included_guests,
  extra_guest_price, weekday_price,
                               weekend_price, min_stay, max_stay, floor_price, ceiling_price, amenities, active, sort)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', t.*
from (values
  ('COCO', 'Coco', 'A cedar cabin for two or three, with a deck over the valley and a wood stove.', 3, 2, 900, 5200,
    6400, 1, 14, 4200, 7400, '{wood stove,valley deck,kitchenette,wifi}'::text[], true, 1),
  ('JUNIPER', 'Juniper', 'A family cabin with a sleeping loft and a small garden.', 5, 4, 800, 6200, 7200, 1, 14,
    5000, 7500, '{loft,garden,kitchen,wifi}', true, 2),
  ('DEODAR', 'Deodar', 'The largest cabin: two bedrooms, a long table, a stone fireplace.', 6, 4, 1000, 6900, 7500, 2,
    21, 5600, 7500, '{fireplace,two bedrooms,kitchen,parking,wifi}', true, 3),
  ('BURANSH', 'Buransh', 'A bright studio named for the red hill blossom.', 2, 2, 0, 4300, 5100, 1, 10, 3500, 6500,
    '{balcony,wifi}', true, 4),
  ('WALNUT', 'Walnut', 'A quiet cabin at the end of the path, with a reading corner.', 3, 2, 800, 4800, 5900, 1, 14,
    4000, 7000, '{reading corner,wood stove,wifi}', true, 5),
  ('BIRCH', 'Birch', 'Three small huts side by side, good for groups of friends.', 2, 2, 0, 3800, 4600, 1, 10, 3000,
    5800, '{shared fire pit,wifi}', true, 6),
  ('SAFFRON', 'Saffron', 'A cabin without steps, with a wide bathroom and a ramp.', 4, 2, 850, 5400, 6500, 1, 14,
    4300, 7400, '{step-free,kitchenette,parking,wifi}', true, 7),
  ('OLD-BARN', 'Old Barn', 'Closed until the roof is done.', 8, 6, 700, 7000, 7500, 2, 14, null, null, '{hall}',
    false, 9)
) t;
insert into public.rooms (org_id, entity_id, room_type_id, code, sort)
select t.org_id, t.entity_id, t.id, 'BIRCH-' || n, n
from public.room_types t, generate_series(2, 3) n
where t.entity_id = 'a0000000-0000-4000-8000-0000000000e1' and t.code = 'BIRCH';

insert into public.seasonal_pricing (org_id, entity_id, name, room_type_id, starts_on, ends_on, weekday_price,
  weekend_price, min_stay, priority)
select t.org_id, t.entity_id, s.name, t.id, pg_temp.today(t.entity_id) + s.a, pg_temp.today(t.entity_id) + s.b,
  s.weekday, s.weekend, s.min_stay, s.priority
from (values ('Festive Fortnight', 'COCO', 30, 43, 6600, 7400, 2, 10), ('Quiet Weeks', 'JUNIPER', -60, -40, 5200,
  6100, null::int, 0))
       s (name, room, a, b, weekday, weekend, min_stay, priority)
join public.room_types t on t.entity_id = 'a0000000-0000-4000-8000-0000000000e1' and t.code = s.room;

insert into public.extras (org_id, entity_id, name, description, category, price, per, tax_rate, selection_required,
  sort)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', x.*
from (values
  ('Bonfire Evening', 'A fire, blankets and roasted corn beside your cabin.', 'experience', 1200, 'stay', 18, false,
    1),
  ('Breakfast Basket', 'Warm bread, eggs, fruit and tea at the door at eight.', 'food', 350, 'guest_night', 5, false,
    2),
  ('Chef''s Dinner', 'A dinner of your choice from the chef''s menu, cooked for you.', 'food', 950, 'guest', 5, true,
    3),
  ('Station Transfer', 'A car from the railway station and back.', 'transport', 1800, 'stay', 5, false, 4),
  ('Forest Walk', 'Three hours on old shepherds'' paths with a guide.', 'experience', 450, 'guest', 18, false, 5),
  ('Late Checkout', 'Keep the cabin until four in the afternoon.', 'service', 900, 'stay', 18, false, 6),
  ('Pet Stay', 'Bed and bowl for one well-mannered animal.', 'service', 400, 'night', 18, false, 7),
  ('Picnic Hamper', 'A packed lunch for the hills; choose what goes in.', 'food', 1100, 'stay', 5, true, 8)
) x;

insert into public.packages (org_id, entity_id, code, name, description, price, per, room_share_percent, min_nights,
  max_nights, included_guests, sort)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', p.*
from (values
  ('HONEYMOON', 'Honeymoon Hideaway', 'Three nights, a dinner for two and an evening by the fire.', 19500, 'stay', 80,
    3, 3, 2, 1),
  ('WORKATION', 'Work from the Hills', 'A week or more with breakfast, at one price a night.', 5600, 'night', 88, 5,
    21, 2, 2)
) p;
insert into public.packages_rooms (org_id, entity_id, package_id, room_type_id)
select p.org_id, p.entity_id, p.id, t.id
from public.packages p join public.room_types t on t.org_id = p.org_id and t.entity_id = p.entity_id
where p.entity_id = 'a0000000-0000-4000-8000-0000000000e1'
  and (p.code, t.code) in (('HONEYMOON', 'COCO'), ('HONEYMOON', 'WALNUT'), ('WORKATION', 'WALNUT'), ('WORKATION',
    'BURANSH'), ('WORKATION', 'SAFFRON'));
insert into public.packages_extras (org_id, entity_id, package_id, extra_id, quantity)
select p.org_id, p.entity_id, p.id, x.id, 1
from public.packages p join public.extras x on x.org_id = p.org_id and x.entity_id = p.entity_id
where p.entity_id = 'a0000000-0000-4000-8000-0000000000e1'
  and (p.code, x.code) in (('HONEYMOON', 'CHEFS-DINNER'), ('HONEYMOON', 'BONFIRE-EVENING'), ('WORKATION',
    'BREAKFAST-BASKET'));

insert into public.coupons (org_id, entity_id, code, name, description, kind, amount, max_discount, valid_from,
  valid_to, min_nights, min_amount, usage_limit, active)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', c.code, c.name, c.description,
  c.kind, c.amount, c.cap,
       pg_temp.today('a0000000-0000-4000-8000-0000000000e1') + c.a,
         pg_temp.today('a0000000-0000-4000-8000-0000000000e1') + c.b,
       c.nights, c.least, c.uses, c.active
from (values
  ('WELCOME10', 'Welcome', 'Ten percent for everybody.', 'percent', 10, 2500, -180, 180, null::int, null::numeric,
    200, true),
  ('STAY3', 'Three nights', 'A thousand rupees off three nights or more.', 'fixed', 1000, null::numeric, -90, 90, 3,
    12000, 50, true),
  ('OLDFRIENDS', 'Old friends', 'Last year''s thank-you; no longer valid.', 'percent', 20, null, -400, -30, null,
    null, 20, true)
) c (code, name, description, kind, amount, cap, a, b, nights, least, uses, active);
insert into public.coupon_rooms (org_id, entity_id, coupon_id, room_type_id)
select c.org_id, c.entity_id, c.id, t.id
from public.coupons c join public.room_types t on t.org_id = c.org_id and t.entity_id = c.entity_id
where c.entity_id = 'a0000000-0000-4000-8000-0000000000e1' and c.code = 'STAY3' and t.code in ('JUNIPER', 'DEODAR',
  'SAFFRON');

insert into public.chef_menu_items (org_id, entity_id, name, description, category, price, dietary, available, sort)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', m.*
from (values
  ('Smoked Corn Soup', 'Sweet corn from the fire, with a thread of cream.', 'starters', 220, '{vegetarian}'::text[],
    true, 1),
  ('Buckwheat Crackers', 'With hemp seed chutney.', 'starters', 180, '{vegan}', true, 2),
  ('Rosemary Chicken Skewers', 'Grilled over charcoal.', 'starters', 320, '{}', false, 3),
  ('Mandua Roti Thali', 'Millet bread, lentils, greens and pickle.', 'local_mains', 420, '{vegetarian}', true, 1),
  ('Hill Lamb Curry', 'Slow-cooked with jakhya seeds.', 'local_mains', 620, '{}', true, 2),
  ('Chainsoo', 'Roasted black gram, thick and dark.', 'local_mains', 380, '{vegan,gluten-free}', true, 3),
  ('Trout with Lemon Butter', 'From the cold stream below.', 'continental_mains', 680, '{gluten-free}', true, 1),
  ('Mushroom Risotto', 'Three mushrooms and hard cheese.', 'continental_mains', 520, '{vegetarian}', true, 2),
  ('Aloo ke Gutke', 'Potatoes with coriander and red chilli.', 'local_sides', 190, '{vegan,gluten-free}', true, 1),
  ('Cucumber Raita', 'With mustard and mint.', 'local_sides', 120, '{vegetarian,gluten-free}', true, 2),
  ('Garlic Mash', 'Hill potatoes and butter.', 'continental_sides', 160, '{vegetarian,gluten-free}', true, 1),
  ('Roast Root Vegetables', 'Carrot, beet and turnip with thyme.', 'continental_sides', 210, '{vegan,gluten-free}',
    true, 2)
) m;

-- Two blocks; ends_on is the first night that is free again.
insert into public.blocked_dates (org_id, entity_id, id, code, reason, note, starts_on, ends_on)
select 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1', b.id::uuid,
  'BLK-' || pg_temp.code(b.id), b.reason, b.note,
       pg_temp.today('a0000000-0000-4000-8000-0000000000e1') + b.a,
         pg_temp.today('a0000000-0000-4000-8000-0000000000e1') + b.b
from (values
  ('a0000000-0000-4000-8000-0000000000b1', 'maintenance', 'New chimney for the stove.', 5, 9),
  ('a0000000-0000-4000-8000-0000000000b2', 'staff_holiday', 'Village fair: half of the team is away.', 20, 23)
) b (id, reason, note, a, b);
insert into public.stays (org_id, entity_id, room_id, kind, block_id, period)
select b.org_id, b.entity_id, u.id, 'block', b.id, daterange(b.starts_on, b.ends_on)
from public.blocked_dates b join public.rooms u on u.org_id = b.org_id and u.entity_id = b.entity_id
where (b.reason, u.code) in (('maintenance', 'WALNUT'), ('staff_holiday', 'BIRCH-2'), ('staff_holiday', 'BIRCH-3'));

-- Bookings that the demo speaks of, then the rest. Coco is kept free for more
-- than two weeks, but for two nights from next Monday: whichever weekend people
-- mean by "next", it can be booked.
do $$
declare
  soj constant uuid := 'a0000000-0000-4000-8000-0000000000e1';
  today constant date := pg_temp.today(soj);
  monday constant date := date_trunc('week', today + 7)::date;
  reunion constant text := 'GRP-' || pg_temp.code('reunion');
begin
  perform pg_temp.book(soj, 'arrives today', array['SAFFRON'], today, 3, 'confirmed',
    '{"guest": "Tilda Pebbleworth", "adults": 2, "children": 1, "extras": ["BREAKFAST-BASKET", "CHEFS-DINNER"], "requests": "Step-free please, one of us uses a wheelchair."}');
  perform pg_temp.book(soj, 'leaves today', array['BURANSH'], today - 2, 2, 'checked_in',
    '{"guest": "Ojas Kitewala", "adults": 2, "children": 0, "extras": ["BONFIRE-EVENING"]}');
  perform pg_temp.book(soj, 'arrives as another leaves', array['BURANSH'], today, 2, 'confirmed',
    '{"guest": "Petra Windermoor", "adults": 1, "children": 0, "extras": []}');
  perform pg_temp.book(soj, 'in house', array['DEODAR'], today - 1, 4, 'checked_in',
    '{"guest": "Kavya Lanternwala", "adults": 4, "children": 1, "extras": ["CHEFS-DINNER", "FOREST-WALK"]}');
  perform pg_temp.book(soj, 'coco in the week', array['COCO'], monday, 2, 'confirmed',
    '{"guest": "Nils Copperleaf", "adults": 2, "children": 0, "extras": ["PICNIC-HAMPER"]}');
  perform pg_temp.book(soj, 'reunion 1', array['BIRCH', 'BIRCH-2', 'BIRCH-3'], today + 12, 3, 'confirmed',
    jsonb_build_object('guest', 'Gauri Bramblewick', 'group', reunion, 'adults', 6, 'children', 0, 'extras',
    jsonb_build_array('BONFIRE-EVENING')));
  perform pg_temp.book(soj, 'reunion 2', array['JUNIPER'], today + 12, 3, 'confirmed', jsonb_build_object('guest',
    'Gauri Bramblewick', 'group', reunion, 'adults', 3, 'children', 2, 'extras', '[]'::jsonb));
  perform pg_temp.book(soj, 'honeymoon', array['COCO'], today + 24, 3, 'confirmed',
    '{"guest": "Rohan Mossgrove", "adults": 2, "children": 0, "package": "HONEYMOON", "extras": ["CHEFS-DINNER"]}');
  perform pg_temp.book(soj, 'workation', array['WALNUT'], today - 12, 10, 'checked_out',
    '{"guest": "Lior Larkspur", "adults": 1, "children": 0, "package": "WORKATION", "extras": ["STATION-TRANSFER"]}');
  perform pg_temp.book(soj, 'family weekend', array['JUNIPER'], today + 20, 3, 'pending',
    '{"guest": "Meera Saffronwala", "adults": 2, "children": 2, "coupon": "STAY3", "extras": ["PICNIC-HAMPER"]}');
  perform pg_temp.fill(soj, '{COCO,JUNIPER,DEODAR,BURANSH,WALNUT,BIRCH,BIRCH-2,BIRCH-3,SAFFRON}', daterange(today,
    today + 18), 'WELCOME10');
end $$;

-- Two rooms whose guests have left are still to be cleaned.
update public.rooms set cleaning_state = 'to_clean'
where org_id = 'a0000000-0000-4000-8000-000000000001' and code in ('WALNUT', 'BIRCH-2');

-- Harbour House -------------------------------------------------------------------

insert into public.pricing_models (org_id, entity_id, id, code, name, description, is_default)
values ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1',
  'b0000000-0000-4000-8000-0000000000d1',
        'HARBOUR', 'Harbour rates', 'Fixed, with a little more when nearly full.', true);
insert into public.pricing_tiers (org_id, entity_id, model_id, name, min_occupancy, max_occupancy, adjustment_percent)
values ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1',
  'b0000000-0000-4000-8000-0000000000d1', 'Full house', 80, 100, 15);

insert into public.room_types (org_id, entity_id, code, name, description, capacity, included_guests,
  extra_guest_price, weekday_price, weekend_price, max_stay, amenities, sort)
select 'b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1', t.*
from (values
  ('COCO', 'Coco Suite', 'The corner suite above the quay.', 4, 2, 30, 160, 190, 14, '{sea view,bath,wifi}'::text[],
    1),
  ('LANTERN', 'Lantern', 'A double room under the lighthouse wall.', 2, 2, 0, 95, 115, 14, '{wifi}', 2),
  ('MAST', 'Mast', 'A tall room with a sleeping gallery.', 3, 2, 25, 110, 135, 14, '{gallery,wifi}', 3),
  ('TIDE', 'Tide', 'A single room with a desk and the sound of the sea.', 1, 1, 0, 70, 80, 14, '{desk,wifi}', 4)
) t;
insert into public.extras (org_id, entity_id, name, description, category, price, per, tax_rate, selection_required)
select 'b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1', x.*
from (values
  ('Harbour Breakfast', 'Pastry, fruit and coffee on the terrace.', 'food', 12, 'guest_night', 13, false),
  ('Sunset Sail', 'Two hours on a small boat.', 'experience', 45, 'guest', 23, false),
  ('Fishermen''s Dinner', 'The day''s catch, your way.', 'food', 38, 'guest', 13, true)
) x;
insert into public.packages (org_id, entity_id, code, name, description, price, per, room_share_percent, min_nights,
  max_nights)
values ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1', 'SEAWEEK', 'Week by the Sea',
  'Seven nights with a sail.', 850, 'stay', 85, 7, 7);
insert into public.packages_rooms (org_id, entity_id, package_id, room_type_id)
select p.org_id, p.entity_id, p.id, t.id from public.packages p join public.room_types t on t.org_id = p.org_id
  and t.code = 'MAST'
where p.entity_id = 'b0000000-0000-4000-8000-0000000000e1';
insert into public.coupons (org_id, entity_id, code, name, kind, amount, usage_limit)
values ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1', 'WELCOME10', 'Ten off',
  'fixed', 10, 100);
insert into public.chef_menu_items (org_id, entity_id, name, category, price, dietary)
select 'b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1', m.*
from (values
  ('Clams in Coriander', 'starters', 14, '{gluten-free}'::text[]), ('Grilled Sardines', 'local_mains', 18,
    '{gluten-free}'),
  ('Sole Meunière', 'continental_mains', 26, '{}'), ('Tomato Rice', 'local_sides', 6, '{vegan}'), ('Green Salad',
    'continental_sides', 6, '{vegan}')
) m;

do $$
declare
  hbr constant uuid := 'b0000000-0000-4000-8000-0000000000e1';
begin
  perform pg_temp.book(hbr, 'arrives today', array['MAST'], pg_temp.today(hbr), 2, 'confirmed',
    '{"guest": "Hugo Riverstone", "adults": 2, "children": 0, "extras": ["HARBOUR-BREAKFAST"]}');
  perform pg_temp.fill(hbr, '{COCO,LANTERN,MAST,TIDE}', null, 'WELCOME10');
end $$;

-- What people said of answers, and what one of them showed.
insert into public.feedback_log (org_id, user_id, message, source, rating, signal, weight, reason, comment, assistant,
  agent, thread, question, answer,
                                 tools, path, model, answered_at, created_at, updated_at)
select m.org_id, m.user_id, encode(sha256(convert_to(f.question, 'UTF8')), 'hex'), f.source, f.rating, f.signal,
  f.weight, f.reason, f.comment, 'hospitality', f.agent,
       'demo', f.question, f.answer, f.tools::jsonb, 'llm', 'gpt-4o-mini', now() - f.ago, now() - f.ago, now() - f.ago
from public.memberships m join public.orgs o on o.id = m.org_id and o.slug in ('sojourn', 'harbour')
cross join (values
  ('explicit', 'up', null, 3, null, null, 'inventory', 'Which rooms are free tomorrow?',
    'Four rooms are free tomorrow.',
   '[{"name": "list_rooms", "ok": true}, {"name": "check_availability", "ok": true}]', interval '2 days'),
  ('explicit', 'down', null, -3, 'incomplete', 'The breakfast is missing.', 'inventory',
    'What can guests add to a stay?', 'A sail and a dinner.',
   '[{"name": "list_extras", "ok": true}]', interval '1 day'),
  ('implicit', null, 'rephrase', -1, null, null, 'analytics', 'How full were we last week?', 'I could not find that.',
    '[]', interval '3 hours')
) f (source, rating, signal, weight, reason, comment, agent, question, answer, tools, ago)
where m.role = 'manager' and app.has_assistant(m.org_id, 'hospitality');

-- Projects and conversations ------------------------------------------------------

-- One conversation of a person: messages alternate, the person's first, and the
-- last one was that long ago.
create function pg_temp.talk(p_org uuid, p_entity uuid, p_user uuid, p_project uuid, p_number int, p_title text,
  p_ago interval, p_messages text[]) returns void language plpgsql as $$
declare
  v_id constant uuid := md5('conversation ' || p_org || p_number)::uuid;
  v_name constant text := (select m.name from public.memberships m where m.org_id = p_org and m.user_id = p_user);
  n constant int := cardinality(p_messages);
begin
  insert into public.chat_counters as c (org_id, entity_id, assistant, last) values (p_org, p_entity, 'hospitality',
    p_number)
  on conflict (org_id, entity_id, assistant) do update set last = greatest(c.last, p_number);
  insert into public.chat_sessions (org_id, id, assistant, entity_id, project_id, user_id, thread, prefix, number,
    title, message_count, last_seq,
    estimated_tokens, last_message_preview, last_message_at, created_at, updated_at)
  values (p_org, v_id, 'hospitality', p_entity, p_project, p_user, v_id::text, 'SC', p_number, p_title, n, n,
    (select sum(4 + (octet_length(t) + 3) / 4) from unnest(p_messages) t), left(p_messages[n], 140), now() - p_ago,
      now() - p_ago - n * interval '1 minute', now() - p_ago);
  insert into public.chat_people (org_id, session_id, user_id, added_by) values (p_org, v_id, p_user, p_user);
  insert into public.chat_messages (org_id, session_id, seq, role, content, user_id, user_display_name, client_id,
    label, tokens, created_at)
  select p_org, v_id, i, case i % 2 when 1 then 'user' else 'assistant' end, p_messages[i],
    case i % 2 when 1 then p_user end,
    case i % 2 when 1 then v_name end, 'demo-' || i, case i % 2 when 0 then 'Bernard' end,
      4 + (octet_length(p_messages[i]) + 3) / 4, now() - p_ago - (n - i) * interval '1 minute'
  from generate_series(1, n) i;
end $$;

insert into public.projects (org_id, id, code, title, project_type, location, user_id, status) values
  ('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000f1', 'PRJ-DEODAR',
    'A deck around the old deodar', 'landscaping', 'Kanatal', 'a0000000-0000-4000-8000-0000000000a2', 'draft'),
  ('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000f2', 'PRJ-STABLE',
    'From stable to reading room', 'renovation', 'Kanatal', 'a0000000-0000-4000-8000-0000000000a1', 'published'),
  ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000f1', 'PRJ-TERRACE',
    'Blue tiles for the terrace', 'tiling', 'Setúbal', 'b0000000-0000-4000-8000-0000000000b2', 'draft');

select pg_temp.talk('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1',
  'a0000000-0000-4000-8000-0000000000a2', null, 1,
  'Who arrives tomorrow?', interval '26 hours', array['Who arrives tomorrow?',
    'One arrival is expected tomorrow: Tilda Pebbleworth in Saffron, for three nights, with one child.',
  'Did she ask for anything?',
    'Yes: step-free access, since one of them uses a wheelchair. A breakfast basket and the chef''s dinner are booked, too.']);
select pg_temp.talk('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-0000000000e1',
  'a0000000-0000-4000-8000-0000000000a2',
  'a0000000-0000-4000-8000-0000000000f1', 2, 'We built a deck around a tree, how do I tell it?', interval '3 hours',
    array['We built a deck around a tree, how do I tell it?',
  'Begin with the tree: how old it is, and what you did so that it keeps growing. Then the wood, and how long it took.']);
select pg_temp.talk('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-0000000000e1',
  'b0000000-0000-4000-8000-0000000000b2', null, 1,
  'Is the Coco Suite free next weekend?', interval '2 days', array['Is the Coco Suite free next weekend?',
    'I can look that up. For which nights, and for how many guests?']);
