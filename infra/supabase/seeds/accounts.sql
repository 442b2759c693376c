-- The demo organisations, the assistants that they have, and the people who sign in: the role is the first part of
-- the address. Applied before the other seeds, which hold the data of one domain each. All seeds are applied
-- once after the migrations, as the role postgres. All people and organisations are invented.

insert into public.orgs (id, slug, name) values
  ('a0000000-0000-4000-8000-000000000001', 'sojourn', 'Sojourn Cabins'),
  ('b0000000-0000-4000-8000-000000000001', 'harbour', 'Harbour House'),
  ('c0000000-0000-4000-8000-000000000001', 'sahyadri', 'Sahyadri Group'),
  ('d0000000-0000-4000-8000-000000000001', 'tungabhadra', 'Tungabhadra Group'),
  ('e0000000-0000-4000-8000-000000000001', 'dalejoinery', 'Dale Joinery'),
  ('f0000000-0000-4000-8000-000000000001', 'ridgetiling', 'Ridge Tiling'),
  ('a1000000-0000-4000-8000-000000000001', 'ashgrovetravel', 'Ashgrove Travel'),
  ('b1000000-0000-4000-8000-000000000001', 'kestreljourneys', 'Kestrel Journeys'),
  ('c1000000-0000-4000-8000-000000000001', 'fernhillholidays', 'Fernhill Holidays'),
  ('d1000000-0000-4000-8000-000000000001', 'saltmarshtours', 'Saltmarsh Tours')
on conflict do nothing;

insert into public.org_assistants (org_id, assistant)
select o.id, a.assistant
from (values
  ('sojourn', '{hospitality}'::text[]),
  ('harbour', '{hospitality}'::text[]),
  ('sahyadri', '{finance}'::text[]),
  ('tungabhadra', '{finance}'::text[]),
  ('dalejoinery', '{portfolio}'::text[]),
  ('ridgetiling', '{portfolio}'::text[]),
  ('ashgrovetravel', '{travel,planner}'::text[]),
  ('kestreljourneys', '{travel}'::text[]),
  ('fernhillholidays', '{planner,travel}'::text[]),
  ('saltmarshtours', '{planner,travel}'::text[])
) t (slug, assistants)
join public.orgs o on o.slug = t.slug, unnest(t.assistants) a (assistant)
on conflict do nothing;

insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at)
select p.id::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', p.email,
       extensions.crypt('bellhop-demo', extensions.gen_salt('bf', 6)), now(),
       jsonb_build_object('org_id', o.id, 'provider', 'email'), jsonb_build_object('name', p.name), now(), now()
from (values
  ('a0000000-0000-4000-8000-0000000000a1', 'admin@sojourn.example', 'Anika Doorwell'),
  ('a0000000-0000-4000-8000-0000000000a2', 'manager@sojourn.example', 'Milan Keystone'),
  ('a0000000-0000-4000-8000-0000000000a3', 'viewer@sojourn.example', 'Vani Glasspane'),
  ('b0000000-0000-4000-8000-0000000000b1', 'admin@harbour.example', 'Abel Seaworth'),
  ('b0000000-0000-4000-8000-0000000000b2', 'manager@harbour.example', 'Marta Ropewalk'),
  ('b0000000-0000-4000-8000-0000000000b3', 'viewer@harbour.example', 'Vasco Tidewell'),
  ('c0000000-0000-4000-8000-0000000000c1', 'admin@sahyadri.example', 'Rohan Kale'),
  ('c0000000-0000-4000-8000-0000000000c2', 'manager@sahyadri.example', 'Meera Joshi'),
  ('c0000000-0000-4000-8000-0000000000c3', 'viewer@sahyadri.example', 'Sunita Pawar'),
  ('d0000000-0000-4000-8000-0000000000d1', 'admin@tungabhadra.example', 'Kavya Hegde'),
  ('d0000000-0000-4000-8000-0000000000d3', 'viewer@tungabhadra.example', 'Imran Shaikh'),
  ('e0000000-0000-4000-8000-0000000000a1', 'admin@dalejoinery.example', 'Nora Ashdale'),
  ('e0000000-0000-4000-8000-0000000000a2', 'manager@dalejoinery.example', 'Tom Fairweather'),
  ('e0000000-0000-4000-8000-0000000000a3', 'viewer@dalejoinery.example', 'Priya Holmes'),
  ('f0000000-0000-4000-8000-0000000000a1', 'admin@ridgetiling.example', 'Callum Reyes'),
  ('a1000000-0000-4000-8000-0000000000a1', 'admin@ashgrovetravel.example', 'Elena Marsh'),
  ('a1000000-0000-4000-8000-0000000000a2', 'manager@ashgrovetravel.example', 'Daniel Okafor'),
  ('a1000000-0000-4000-8000-0000000000a3', 'viewer@ashgrovetravel.example', 'Meera Iyer'),
  ('b1000000-0000-4000-8000-0000000000a1', 'admin@kestreljourneys.example', 'Owen Pryce'),
  ('c1000000-0000-4000-8000-0000000000a1', 'admin@fernhillholidays.example', 'Imogen Vale'),
  ('c1000000-0000-4000-8000-0000000000a2', 'manager@fernhillholidays.example', 'Ravi Sundaram'),
  ('c1000000-0000-4000-8000-0000000000a3', 'viewer@fernhillholidays.example', 'Hanna Lindqvist'),
  ('d1000000-0000-4000-8000-0000000000a1', 'admin@saltmarshtours.example', 'Tomas Herrera')
) p (id, email, name)
join public.orgs o on p.email like '%@' || o.slug || '.example'
on conflict do nothing;

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
      from auth.users where email like '%.example' on conflict do nothing$q$;
  end if;
end $$;

insert into public.memberships (org_id, user_id, role, name)
select o.id, u.id, split_part(u.email, '@', 1), u.raw_user_meta_data ->> 'name'
from auth.users u
join public.orgs o on u.email like '%@' || o.slug || '.example'
on conflict do nothing;
