-- Demo data of the domain portfolio: two businesses that show their jobs. All people, businesses and places are
-- invented.

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('e0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-0000000000e1', 'company', 'DALE',
   'Dale Joinery', 'Europe/London', 'GBP', 'en-GB', '{}'),
  ('f0000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-0000000000e1', 'company', 'RIDGE',
   'Ridge Tiling', 'Europe/London', 'GBP', 'en-GB', '{}');

insert into public.business_profiles (org_id, id, code, site, name, about, trade, city, phone, whatsapp, email,
  website)
values ('e0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-0000000000b1', 'PRO-DALE22',
  'dale-joinery',
  'Dale Joinery', 'Two joiners and an apprentice. Kitchens, staircases and windows in the villages around Leeds.',
  'joiner', 'Leeds', '+44 113 496 0123', '441134960123', 'hello@dalejoinery.example',
    'https://dalejoinery.example');

insert into public.projects (org_id, id, code, user_id, project_type, place, location, story, materials,
  techniques) values
  ('e0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-0000000000f1', 'PRJ-STAIR2',
   'e0000000-0000-4000-8000-0000000000a2', 'staircase renovation',
   '{"street": "3 Example Lane", "city": "Otley", "region": "West Yorkshire"}', 'Otley, West Yorkshire',
   '{"problem": "The treads creaked and two balusters were missing.",
     "solution": "We wedged and glued every tread and turned two new balusters to match.",
       "duration": "four days"}',
   '{oak,"wood glue"}', '{turning}');
