-- Demo data of the domain finance: two organisations with one company each. Their books are in the ledger, whose
-- organisations and companies have the same ids. All people are invented.

insert into public.orgs (id, slug, name) values
  ('c0000000-0000-4000-8000-000000000001', 'sahyadri', 'Sahyadri Group'),
  ('d0000000-0000-4000-8000-000000000001', 'tungabhadra', 'Tungabhadra Group');

insert into public.org_assistants (org_id, assistant) values
  ('c0000000-0000-4000-8000-000000000001', 'finance'),
  ('d0000000-0000-4000-8000-000000000001', 'finance');

insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
                        raw_user_meta_data, created_at, updated_at)
select p.id::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', p.email,
       extensions.crypt('bellhop-demo', extensions.gen_salt('bf', 6)), now(),
       jsonb_build_object('org_id', p.org, 'provider', 'email'), jsonb_build_object('name', p.name), now(), now()
from (values
  ('c0000000-0000-4000-8000-0000000000c1', 'c0000000-0000-4000-8000-000000000001',
   'admin@sahyadri.example', 'Rohan Kale'),
  ('c0000000-0000-4000-8000-0000000000c2', 'c0000000-0000-4000-8000-000000000001',
   'manager@sahyadri.example', 'Meera Joshi'),
  ('c0000000-0000-4000-8000-0000000000c3', 'c0000000-0000-4000-8000-000000000001',
   'viewer@sahyadri.example', 'Sunita Pawar'),
  ('d0000000-0000-4000-8000-0000000000d1', 'd0000000-0000-4000-8000-000000000001',
   'admin@tungabhadra.example', 'Kavya Hegde'),
  ('d0000000-0000-4000-8000-0000000000d3', 'd0000000-0000-4000-8000-000000000001',
   'viewer@tungabhadra.example', 'Imran Shaikh')
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
      select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), 'email', now(), now()
      from auth.users where email like '%@sahyadri.example' or email like '%@tungabhadra.example'$q$;
  end if;
end $$;

insert into public.memberships (org_id, user_id, role, name)
select (u.raw_app_meta_data ->> 'org_id')::uuid, u.id, split_part(u.email, '@', 1), u.raw_user_meta_data ->> 'name'
from auth.users u where u.email like '%@sahyadri.example' or u.email like '%@tungabhadra.example';

insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale, settings) values
  ('c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-0000000000e1', 'company', 'SAHYADRI',
   'Sahyadri Kitchenware Traders Pvt Ltd', 'Asia/Kolkata', 'INR', 'en-IN', '{}'),
  ('d0000000-0000-4000-8000-000000000001', 'd0000000-0000-4000-8000-0000000000e1', 'company', 'TUNGABHADRA',
   'Tungabhadra Software Services Pvt Ltd', 'Asia/Kolkata', 'INR', 'en-IN', '{}');

-- Where the development server serves the books; it corrects the address when it listens elsewhere. The tokens are
-- in the environment of the functions.
insert into public.mcp_servers (org_id, name, url, manifest, secret_name) values
  ('c0000000-0000-4000-8000-000000000001', 'ledger', 'http://127.0.0.1:8790/mcp', 'ledger', 'SAHYADRI'),
  ('d0000000-0000-4000-8000-000000000001', 'ledger', 'http://127.0.0.1:8790/mcp', 'ledger', 'TUNGABHADRA');
