-- Demo data of the domain travel: two travel agencies. All people, businesses, journeys and
-- numbers of passports are invented; the telephone numbers are kept free for drama.

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000e1', 'company', 'ASHGROVE',
   'Ashgrove Travel', 'Europe/London', 'GBP', 'en-GB', '{}'),
  ('b1000000-0000-4000-8000-000000000001', 'b1000000-0000-4000-8000-0000000000e1', 'company', 'KESTREL',
   'Kestrel Journeys', 'Asia/Kolkata', 'INR', 'en-IN', '{}');

-- A family of three whose profiles are complete, and one traveller without a passport.
insert into public.travellers (org_id, user_id, code, self, title, gender, given_name, family_name, born_on, email,
  phone, passport_number, passport_country, passport_expires)
select o.org, t.user_id::uuid, t.code, t.self, t.title, t.gender, t.given, t.family, t.born::date, t.email, t.phone,
       t.passport, case when t.passport <> '' then 'GB' else '' end, t.expires::date
from (select 'a1000000-0000-4000-8000-000000000001'::uuid) o (org),
(values
  ('a1000000-0000-4000-8000-0000000000a2', 'PAX-1', true, 'mr', 'm', 'Daniel', 'Okafor', '1986-03-09',
   'manager@ashgrovetravel.example', '+447700900101', '990011223', '2031-02-14'),
  ('a1000000-0000-4000-8000-0000000000a2', 'PAX-2', false, 'mrs', 'f', 'Grace', 'Okafor', '1988-11-21',
   'grace@ashgrovetravel.example', '+447700900102', '990011224', '2030-07-01'),
  ('a1000000-0000-4000-8000-0000000000a2', 'PAX-3', false, 'miss', 'f', 'Ada', 'Okafor', '2019-06-14',
   'grace@ashgrovetravel.example', '+447700900102', '990011225', '2028-09-30'),
  ('a1000000-0000-4000-8000-0000000000a1', 'PAX-1', true, 'ms', 'f', 'Elena', 'Marsh', '1979-01-30',
   'admin@ashgrovetravel.example', '+447700900103', '', null)
) t (user_id, code, self, title, gender, given, family, born, email, phone, passport, expires);

-- What the family likes and has decided. The viewer has preferences and no traveller, the
-- administrator a traveller and no preferences.
insert into public.user_preferences (org_id, user_id, preferred_airlines, preferred_cabin_class,
  preferred_hotel_chains, dietary_restrictions, accessibility_needs, budget_preferences, travel_interests,
  home_airport) values
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000a2', '{"Duffel Airways"}', 'economy',
   '{}', '{vegetarian}', '{}', '{"flights": "economy", "accommodations": "mid-range", "activities": "mid-range"}',
   '{museums,beaches}', 'LHR'),
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000a3', '{}', 'business', '{}', '{}',
   '{"step-free access"}', '{"flights": "premium"}', '{food}', 'BLR');

insert into public.travel_decisions (org_id, user_id, code, text, about, decided_on) values
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000a2', 'D-1',
   'No departures before eight in the morning with our daughter', 'flights', '2026-05-28');

insert into public.travel_counters (org_id, user_id, travellers, decisions) values
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000a2', 3, 1),
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000a1', 1, 0);

-- Two trips of the family's that are over.
insert into public.trips (org_id, id, user_id, code, title, from_on, to_on, items) values
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000c1',
   'a1000000-0000-4000-8000-0000000000a2', 'TR-0001', 'Half-term in Lisbon', '2026-05-23', '2026-05-27', 4),
  ('a1000000-0000-4000-8000-000000000001', 'a1000000-0000-4000-8000-0000000000c2',
   'a1000000-0000-4000-8000-0000000000a2', 'TR-0002', 'Edinburgh for the festival', '2026-08-14', '2026-08-16', 3);

insert into public.travel_bookings (org_id, user_id, code, type, state, title, reference, starts, ends, start_zone,
  end_zone, place, total, currency, paid, travellers, trip_id, details, rating, feedback)
select o.org, o.owner, b.code, b.type, 'confirmed', b.title, b.reference, b.starts::timestamp, b.ends::timestamp,
       b.zone, b.zone_to, b.place, b.total, 'GBP', true, '{PAX-1,PAX-2,PAX-3}', b.trip::uuid, b.details::jsonb,
       b.rating, b.feedback
from (select 'a1000000-0000-4000-8000-000000000001'::uuid, 'a1000000-0000-4000-8000-0000000000a2'::uuid)
  o (org, owner),
(values
  ('TB-0001', 'flight', 'London (LHR) to Lisbon (LIS)', 'QX7LMB', '2026-05-23 07:10', '2026-05-27 21:45',
   'Europe/London', 'Europe/London', 'Lisbon', 486.30, 'a1000000-0000-4000-8000-0000000000c1',
   '[{"origin":"LHR","destination":"LIS","departs":"2026-05-23T07:10","arrives":"2026-05-23T10:00","minutes":170,
      "segments":[{"origin":"LHR","destination":"LIS","departs":"2026-05-23T07:10","arrives":"2026-05-23T10:00",
        "originZone":"Europe/London","destinationZone":"Europe/Lisbon","minutes":170,"number":"ZZ501",
        "carrier":{"code":"ZZ","name":"Duffel Airways"},"operator":{"code":"ZZ","name":"Duffel Airways"},
        "originCity":"London","destinationCity":"Lisbon","originCountry":"GB","destinationCountry":"PT"}]},
     {"origin":"LIS","destination":"LHR","departs":"2026-05-27T19:00","arrives":"2026-05-27T21:45","minutes":165,
      "segments":[{"origin":"LIS","destination":"LHR","departs":"2026-05-27T19:00","arrives":"2026-05-27T21:45",
        "originZone":"Europe/Lisbon","destinationZone":"Europe/London","minutes":165,"number":"ZZ502",
        "carrier":{"code":"ZZ","name":"Duffel Airways"},"operator":{"code":"ZZ","name":"Duffel Airways"},
        "originCity":"Lisbon","destinationCity":"London","originCountry":"PT","destinationCountry":"GB"}]}]',
   4, 'On time both ways, but the morning start was hard on our daughter.'),
  ('TB-0002', 'hotel', 'Casa do Miradouro', 'CM-20418', '2026-05-23 15:00', '2026-05-27 11:00', 'Europe/Lisbon',
   'Europe/Lisbon', 'Alfama, Lisbon', 612.00, 'a1000000-0000-4000-8000-0000000000c1',
   '{"room":"Family room","board":"breakfast"}', 5, 'Quiet family room, and a breakfast that everybody liked.'),
  ('TB-0003', 'activity', 'Tile painting workshop', '', '2026-05-25 10:00', '2026-05-25 12:00', 'Europe/Lisbon',
   'Europe/Lisbon', 'Lisbon', 75.00, 'a1000000-0000-4000-8000-0000000000c1', null, 5, 'Good for children of seven.'),
  ('TB-0004', 'hotel', 'Old Mill Rooms', 'OMR-771', '2026-08-14 16:00', '2026-08-16 10:00', 'Europe/London',
   'Europe/London', 'Leith, Edinburgh', 398.50, 'a1000000-0000-4000-8000-0000000000c2',
   '{"room":"Twin room with a sofa bed","board":"room_only"}', 2, 'Thin walls and no lift. We would not go again.')
) b (code, type, title, reference, starts, ends, zone, zone_to, place, total, trip, details, rating, feedback);

insert into public.trip_items (org_id, trip_id, code, type, status, title, origin, destination, place, starts, ends,
  start_zone, end_zone, starts_at, ends_at, booking, reference, price, currency, number, international)
select o.org, i.trip::uuid, i.code, i.type, i.status, i.title, i.origin, i.destination, i.place, i.starts::timestamp,
       i.ends::timestamp, i.zone, i.zone_to, i.starts::timestamp at time zone i.zone,
       i.ends::timestamp at time zone i.zone_to, i.booking, i.reference, i.price,
       case when i.price is not null then 'GBP' end, i.number, i.zone <> i.zone_to
from (select 'a1000000-0000-4000-8000-000000000001'::uuid) o (org),
(values
  ('a1000000-0000-4000-8000-0000000000c1', 'I1', 'flight', 'booked', 'London (LHR) to Lisbon (LIS)', 'London (LHR)',
   'Lisbon (LIS)', '', '2026-05-23 07:10', '2026-05-23 10:00', 'Europe/London', 'Europe/Lisbon', 'TB-0001', 'QX7LMB',
   486.30, 'ZZ501'),
  ('a1000000-0000-4000-8000-0000000000c1', 'I2', 'hotel', 'booked', 'Casa do Miradouro', '', '', 'Alfama, Lisbon',
   '2026-05-23 15:00', '2026-05-27 11:00', 'Europe/Lisbon', 'Europe/Lisbon', 'TB-0002', 'CM-20418', 612.00, ''),
  ('a1000000-0000-4000-8000-0000000000c1', 'I3', 'activity', 'booked', 'Tile painting workshop', '', '', 'Lisbon',
   '2026-05-25 10:00', '2026-05-25 12:00', 'Europe/Lisbon', 'Europe/Lisbon', 'TB-0003', '', 75.00, ''),
  ('a1000000-0000-4000-8000-0000000000c1', 'I4', 'flight', 'booked', 'Lisbon (LIS) to London (LHR)', 'Lisbon (LIS)',
   'London (LHR)', '', '2026-05-27 19:00', '2026-05-27 21:45', 'Europe/Lisbon', 'Europe/London', 'TB-0001', 'QX7LMB',
   null, 'ZZ502'),
  ('a1000000-0000-4000-8000-0000000000c2', 'I1', 'travel', 'booked', 'Train to Edinburgh', 'London', 'Edinburgh', '',
   '2026-08-14 09:00', '2026-08-14 13:22', 'Europe/London', 'Europe/London', '', '', 184.00, ''),
  ('a1000000-0000-4000-8000-0000000000c2', 'I2', 'hotel', 'booked', 'Old Mill Rooms', '', '', 'Leith, Edinburgh',
   '2026-08-14 16:00', '2026-08-16 10:00', 'Europe/London', 'Europe/London', 'TB-0004', 'OMR-771', 398.50, ''),
  ('a1000000-0000-4000-8000-0000000000c2', 'I3', 'travel', 'booked', 'Train home', 'Edinburgh', 'London', '',
   '2026-08-16 15:30', '2026-08-16 19:52', 'Europe/London', 'Europe/London', '', '', null, '')
) i (trip, code, type, status, title, origin, destination, place, starts, ends, zone, zone_to, booking, reference,
     price, number);

insert into public.travel_codes (org_id, name, last) values
  ('a1000000-0000-4000-8000-000000000001', 'TR', 2),
  ('a1000000-0000-4000-8000-000000000001', 'TB', 4);
