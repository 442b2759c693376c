-- Demo data of the domain planner: two agencies that plan trips and keep itineraries, without a trip. All people and
-- businesses are invented. The travel agency of travel.sql, which is applied before this file, gets the planner too.

insert into public.orgs (id, slug, name) values
  ('c1000000-0000-4000-8000-000000000001', 'fernhillholidays', 'Fernhill Holidays'),
  ('d1000000-0000-4000-8000-000000000001', 'saltmarshtours', 'Saltmarsh Tours');

insert into public.org_assistants (org_id, assistant) values
  ('c1000000-0000-4000-8000-000000000001', 'planner'),
  ('c1000000-0000-4000-8000-000000000001', 'travel'),
  ('d1000000-0000-4000-8000-000000000001', 'planner'),
  ('d1000000-0000-4000-8000-000000000001', 'travel');
insert into public.org_assistants (org_id, assistant)
select o.id, 'planner' from public.orgs o where o.slug = 'ashgrovetravel' on conflict do nothing;

insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at)
select p.id::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', p.email,
       extensions.crypt('bellhop-demo', extensions.gen_salt('bf', 6)), now(),
       jsonb_build_object('org_id', p.org, 'provider', 'email'), jsonb_build_object('name', p.name), now(), now()
from (values
  ('c1000000-0000-4000-8000-0000000000a1', 'c1000000-0000-4000-8000-000000000001',
   'admin@fernhillholidays.example', 'Imogen Vale'),
  ('c1000000-0000-4000-8000-0000000000a2', 'c1000000-0000-4000-8000-000000000001',
   'manager@fernhillholidays.example', 'Ravi Sundaram'),
  ('c1000000-0000-4000-8000-0000000000a3', 'c1000000-0000-4000-8000-000000000001',
   'viewer@fernhillholidays.example', 'Hanna Lindqvist'),
  ('d1000000-0000-4000-8000-0000000000a1', 'd1000000-0000-4000-8000-000000000001',
   'admin@saltmarshtours.example', 'Tomas Herrera')
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
      from auth.users where email like '%@fernhillholidays.example' or email like '%@saltmarshtours.example'$q$;
  end if;
end $$;

insert into public.memberships (org_id, user_id, role, name)
select (u.raw_app_meta_data ->> 'org_id')::uuid, u.id, split_part(u.email, '@', 1), u.raw_user_meta_data ->> 'name'
from auth.users u where u.email like '%@fernhillholidays.example' or u.email like '%@saltmarshtours.example';

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
