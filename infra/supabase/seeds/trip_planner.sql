-- Demo data of the domain planner: two agencies that plan trips and keep itineraries, without a trip.

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('c1000000-0000-4000-8000-000000000001', 'c1000000-0000-4000-8000-0000000000e1', 'company', 'FERNHILL',
   'Fernhill Holidays', 'Europe/London', 'GBP', 'en-GB', '{}'),
  ('d1000000-0000-4000-8000-000000000001', 'd1000000-0000-4000-8000-0000000000e1', 'company', 'SALTMARSH',
   'Saltmarsh Tours', 'Europe/Dublin', 'EUR', 'en-IE', '{}');

-- From where they usually start, and what one of them eats.
insert into public.user_preferences (org_id, user_id, dietary_restrictions, travel_interests, home_airport) values
  ('c1000000-0000-4000-8000-000000000001', 'c1000000-0000-4000-8000-0000000000a2', '{vegetarian}',
   '{history,food}', 'LHR'),
  ('d1000000-0000-4000-8000-000000000001', 'd1000000-0000-4000-8000-0000000000a1', '{}', '{}', 'DUB');
