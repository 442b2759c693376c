-- What assistants are told of a company besides its name: its country, what it
-- does and how large it is; and the questions that a new conversation offers.

-- Countries with what their accounting calls for, the same for every organisation
-- that does not say otherwise. grouping is how digits are grouped: 'indian' is
-- 1,23,456. thresholds are amounts in the currency by name. As published in 2025.
create table app.countries (
  code text primary key check (code ~ '^[A-Z]{2}$'),
  name text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  currency_symbol text not null,
  digit_grouping text not null check (digit_grouping in ('indian', 'western')),
  date_format text not null,
  year_begins int not null check (year_begins between 1 and 12), -- month of the financial year
  tax_name text not null,
  thresholds jsonb not null default '{}'
);
revoke all on app.countries from public, anon, authenticated, service_role;
grant select on app.countries to authenticated; -- the view below reads it as its caller

insert into app.countries
  (code, name, currency, currency_symbol, digit_grouping, date_format, year_begins, tax_name, thresholds) values
  ('IN', 'India', 'INR', '₹', 'indian', 'DD/MM/YYYY', 4, 'GST', '{"gstRegistrationGoods": "4000000",
    "gstRegistrationServices": "2000000", "eInvoiceTurnover": "50000000", "eWayBill": "50000",
    "sixDigitHsnTurnover": "50000000", "cashPayment": "10000", "taxAuditTurnover": "10000000"}'),
  ('AE', 'United Arab Emirates', 'AED', 'AED', 'western', 'DD/MM/YYYY', 1, 'VAT', '{"vatRegistration": "375000"}'),
  ('GB', 'United Kingdom', 'GBP', '£', 'western', 'DD/MM/YYYY', 4, 'VAT', '{"vatRegistration": "90000"}'),
  ('SG', 'Singapore', 'SGD', 'S$', 'western', 'DD/MM/YYYY', 1, 'GST', '{"gstRegistration": "1000000"}'),
  ('US', 'United States', 'USD', '$', 'western', 'MM/DD/YYYY', 1, 'Sales tax', '{}');

-- What an organisation says otherwise of a country, or of one that is not above.
create table public.country_settings (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z]{2}$'),
  name text not null check (length(btrim(name)) between 1 and 60),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  currency_symbol text not null check (length(currency_symbol) between 1 and 8),
  digit_grouping text not null check (digit_grouping in ('indian', 'western')),
  date_format text not null check (date_format in ('DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD')),
  year_begins int not null check (year_begins between 1 and 12),
  tax_name text not null check (length(btrim(tax_name)) between 1 and 40),
  thresholds jsonb not null default '{}'
    check (jsonb_typeof(thresholds) = 'object' and octet_length(thresholds::text) <= 2000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code)
);
call app.tenant_table('country_settings');

-- The countries as they hold for the caller's organisation. version is 0 where the
-- organisation says nothing of its own.
create view public.country_configs with (security_invoker = true) as
select (select app.org_id()) as org_id, coalesce(o.code, c.code) as code, coalesce(o.name, c.name) as name,
  coalesce(o.currency, c.currency) as currency, coalesce(o.currency_symbol, c.currency_symbol) as currency_symbol,
  coalesce(o.digit_grouping, c.digit_grouping) as digit_grouping,
  coalesce(o.date_format, c.date_format) as date_format,
  coalesce(o.year_begins, c.year_begins) as year_begins, coalesce(o.tax_name, c.tax_name) as tax_name,
  coalesce(o.thresholds, c.thresholds) as thresholds, coalesce(o.version, 0) as version
from app.countries c full join public.country_settings o on o.code = c.code
where (select app.org_id()) is not null;
revoke all on public.country_configs from public, anon, authenticated, service_role;
grant select on public.country_configs to authenticated;

-- A company as assistants are told of it. Size as in the Indian MSMED Act.
create table public.business_contexts (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^BUS-[A-HJ-NP-Z2-9]{6}$'),
  entity_id uuid not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- They stand in instructions to models: one line, without signs of templates.
  industry text not null default '' check (length(industry) <= 80 and industry !~ '[[:cntrl:]{}<>`]'),
  entity_size text check (entity_size in ('micro', 'small', 'medium', 'large')),
  description text not null default '' check (length(description) <= 300 and description !~ '[[:cntrl:]{}<>`]'),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  unique (org_id, entity_id),
  foreign key (org_id, entity_id) references public.entities (org_id, id) on delete cascade
);
create trigger code before insert or update of code on public.business_contexts
  for each row execute function app.fill_random_code('BUS-');
call app.tenant_table('business_contexts');

-- A question that a new conversation with an assistant offers; of one entity, or
-- without one of all. changes says that it is for those who may change records.
create table public.quick_suggestions (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^QS-[A-HJ-NP-Z2-9]{6}$'),
  entity_id uuid,
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  position int not null default 0 check (position between 0 and 1000),
  text text not null check (length(btrim(text)) between 1 and 200 and text !~ '[[:cntrl:]]'),
  changes boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  unique nulls not distinct (org_id, assistant, entity_id, text),
  foreign key (org_id, entity_id) references public.entities (org_id, id) on delete cascade
);
create trigger code before insert or update of code on public.quick_suggestions
  for each row execute function app.fill_random_code('QS-');
call app.tenant_table('quick_suggestions');
call app.names_assistants('quick_suggestions');
drop policy members_read on public.quick_suggestions;
create policy members_read on public.quick_suggestions for select to authenticated
  using (org_id = (select app.org_id()) and assistant in (select app.my_assistants()));

-- Members read; administrators alone write.
do $$
declare
  t text;
  own constant text := 'org_id = (select app.org_id()) and (select app.org_role()) = ''admin''';
begin
  foreach t in array array['country_settings', 'business_contexts', 'quick_suggestions'] loop
    execute format('drop policy staff_insert on public.%I', t);
    execute format('drop policy staff_update on public.%I', t);
    execute format('drop policy staff_delete on public.%I', t);
    execute format('create policy admins_insert on public.%I for insert to authenticated with check (%s)', t, own);
    execute format('create policy admins_update on public.%1$I for update to authenticated using (%2$s)
      with check (%2$s)', t, own);
    execute format('create policy admins_delete on public.%I for delete to authenticated using (%s)', t, own);
  end loop;
end $$;

-- Replaces the questions that an assistant offers for an entity, null for all, with
-- p_suggestions: [{"text","changes"}], at most 12, in their order. For administrators.
create function public.quick_suggestions_set(p_assistant text, p_entity uuid, p_suggestions jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  v_org uuid := app.org_id();
begin
  if app.org_role() is distinct from 'admin' then
    raise sqlstate 'PT403' using message = 'admin_required',
      detail = 'Only an administrator of your organisation may do that.';
  elsif jsonb_array_length(p_suggestions) > 12 then
    raise sqlstate 'PT422' using message = 'too_many_suggestions', detail = 'There are at most 12 questions.';
  end if;
  delete from public.quick_suggestions q
  where q.org_id = v_org and q.assistant = p_assistant and q.entity_id is not distinct from p_entity;
  insert into public.quick_suggestions (org_id, code, entity_id, assistant, position, text, changes)
  select v_org, '', p_entity, p_assistant, s.place, s.value ->> 'text',
    coalesce((s.value ->> 'changes')::boolean, false)
  from jsonb_array_elements(p_suggestions) with ordinality s(value, place);
end $$;

-- What answers rest on was changed.
create trigger drop_responses after insert or update or delete on public.country_settings for each row
  execute function app.row_drops_responses();
create trigger drop_responses after insert or update or delete on public.business_contexts for each row
  execute function app.row_drops_responses();

call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.quick_suggestions_set(text, uuid, jsonb) from public, anon, service_role;
grant execute on function public.quick_suggestions_set(text, uuid, jsonb) to authenticated;
notify pgrst, 'reload schema';
