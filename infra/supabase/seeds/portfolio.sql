-- Demo data of the domain portfolio: two businesses that show their jobs. All people, businesses and places are
-- invented.

insert into public.orgs (id, slug, name) values
  ('e0000000-0000-4000-8000-000000000001', 'dalejoinery', 'Dale Joinery'),
  ('f0000000-0000-4000-8000-000000000001', 'ridgetiling', 'Ridge Tiling');

insert into public.org_assistants (org_id, assistant) values
  ('e0000000-0000-4000-8000-000000000001', 'portfolio'),
  ('f0000000-0000-4000-8000-000000000001', 'portfolio');

insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at,
  raw_app_meta_data,
                        raw_user_meta_data, created_at, updated_at)
select p.id::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', p.email,
       extensions.crypt('bellhop-demo', extensions.gen_salt('bf', 6)), now(),
       jsonb_build_object('org_id', p.org, 'provider', 'email'), jsonb_build_object('name', p.name), now(), now()
from (values
  ('e0000000-0000-4000-8000-0000000000a1', 'e0000000-0000-4000-8000-000000000001',
   'admin@dalejoinery.example', 'Nora Ashdale'),
  ('e0000000-0000-4000-8000-0000000000a2', 'e0000000-0000-4000-8000-000000000001',
   'manager@dalejoinery.example', 'Tom Fairweather'),
  ('e0000000-0000-4000-8000-0000000000a3', 'e0000000-0000-4000-8000-000000000001',
   'viewer@dalejoinery.example', 'Priya Holmes'),
  ('f0000000-0000-4000-8000-0000000000a1', 'f0000000-0000-4000-8000-000000000001',
   'admin@ridgetiling.example', 'Callum Reyes')
) p (id, org, email, name);

-- The real auth server has more columns and a table of identities; it cannot sign anybody in without them.
do $$
declare
  v_column text;
begin
  for v_column in
    select column_name from information_schema.columns
    where table_schema = 'auth' and table_name = 'users' and is_generated = 'NEVER'
      and column_name in ('confirmation_token', 'recovery_token', 'email_change', 'email_change_token_new',
                          'email_change_token_current', 'phone_change', 'phone_change_token',
                          'reauthentication_token') loop
    execute format('update auth.users set %I = '''' where %1$I is null and email like ''%%.example''', v_column);
  end loop;
  if to_regclass('auth.identities') is not null then
    execute $q$insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
      select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), 'email', now(),
        now()
      from auth.users where email like '%@dalejoinery.example' or email like '%@ridgetiling.example'$q$;
  end if;
end $$;

insert into public.memberships (org_id, user_id, role, name)
select (u.raw_app_meta_data ->> 'org_id')::uuid, u.id, split_part(u.email, '@', 1), u.raw_user_meta_data ->> 'name'
from auth.users u where u.email like '%@dalejoinery.example' or u.email like '%@ridgetiling.example';

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('e0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-0000000000e1', 'company', 'DALE',
    'Dale Joinery',
   'Europe/London', 'GBP', 'en-GB', '{}'),
  ('f0000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-0000000000e1', 'company', 'RIDGE',
    'Ridge Tiling',
   'Europe/London', 'GBP', 'en-GB', '{}');

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
