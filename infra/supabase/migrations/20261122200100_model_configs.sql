-- Which models an organisation's assistants ask, in place of those that the
-- operator configured.
--
-- No key stands here: secret_name is the name of one that the operator keeps for
-- this organisation, and a name that is not this organisation's opens nothing.

create table public.model_configs (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,31}$'),
  -- Null holds for each assistant that has no row of its own for the tier.
  assistant text check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  tier text not null check (tier in ('cheap', 'capable')),
  -- How the server differs from OpenAI's; OPENAI_PROFILE knows the same names.
  provider text not null default 'openai'
    check (provider in ('openai', 'azure-v1', 'openrouter', 'vllm', 'ollama', 'llama.cpp', 'compatible')),
  -- Null is OpenAI's own. Where it leads is checked at every connection.
  base_url text check (length(base_url) <= 500 and base_url ~ '^https://[^/?#@[:space:]]+(/[^?#[:space:]]*)?$'),
  api text not null default 'chat' check (api in ('chat', 'responses')),
  model text not null check (length(btrim(model)) between 1 and 200),
  temperature numeric(3, 2) check (temperature between 0 and 2), -- null is the assistant's own
  max_tokens int check (max_tokens between 16 and 1000000), -- of an answer, at most; null is the assistant's own
  secret_name text check (secret_name ~ '^[A-Z][A-Z0-9_]{0,39}$'),
  -- Millionths of a US dollar per million tokens; null where they are not known.
  price_input bigint check (price_input >= 0),
  price_cached bigint check (price_cached >= 0),
  price_output bigint check (price_output >= 0),
  -- The default is asked first. The others of its assistant and tier are asked
  -- in the order of their codes while those before them cannot answer.
  is_default boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  check (num_nulls(price_input, price_cached, price_output) in (0, 3))
);
create unique index model_configs_default on public.model_configs (org_id, coalesce(assistant, ''), tier) where is_default;
call app.tenant_table('model_configs');
-- Members read; administrators alone write.
drop policy staff_insert on public.model_configs;
drop policy staff_update on public.model_configs;
drop policy staff_delete on public.model_configs;
create policy admins_insert on public.model_configs for insert to authenticated
  with check (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');
create policy admins_update on public.model_configs for update to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin')
  with check (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');
create policy admins_delete on public.model_configs for delete to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');

notify pgrst, 'reload schema';

call app.bound_columns();
