-- The tables of the source by its names, for programs that read them: what is kept
-- under another name here is a view. Members read them, as row policies and roles
-- allow; they write through our functions.

-- How often an assistant of an organisation used a tool, from the turns that the
-- matcher looked at.
create table public.tool_usage (
  org_id uuid not null references public.orgs (id),
  assistant text not null check (length(assistant) <= 120),
  tool text not null check (length(tool) <= 120),
  used bigint not null default 0,
  last_at timestamptz not null default clock_timestamp(),
  primary key (org_id, assistant, tool)
) with (fillfactor = 50);
call app.control_table('tool_usage');

-- Trigger: counts the tools of a turn, in one order, so that turns do not lock each
-- other.
create function app.count_tools() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.tool_usage as u (org_id, assistant, tool, used)
  select new.org_id, new.assistant, left(t.tool, 120), count(*)
  from unnest(new.tools) t(tool) where t.tool <> '' group by 3 order by 3
  on conflict (org_id, assistant, tool) do update set used = u.used + excluded.used, last_at = clock_timestamp();
  return null;
end $$;
create trigger count_tools after insert on public.intent_observations for each row
  when (cardinality(new.tools) > 0) execute function app.count_tools();
insert into public.tool_usage (org_id, assistant, tool, used, last_at)
select o.org_id, o.assistant, left(t.tool, 120), count(*), max(o.at)
from public.intent_observations o cross join unnest(o.tools) t(tool) where t.tool <> '' group by 1, 2, 3;

-- Reference data ---------------------------------------------------------------

-- Providers of models, by the names of model_configs. auth_header is where a key goes.
create table app.providers (
  name text primary key,
  title text not null,
  base_url text,
  auth_header text not null,
  position int not null
);
revoke all on app.providers from public, anon, authenticated, service_role;
insert into app.providers (name, title, base_url, auth_header, position) values
  ('openai', 'OpenAI', 'https://api.openai.com/v1', 'Authorization', 1),
  ('azure-v1', 'Azure OpenAI', null, 'api-key', 2),
  ('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'Authorization', 3),
  ('vllm', 'vLLM', null, 'Authorization', 4),
  ('ollama', 'Ollama', null, 'Authorization', 5),
  ('llama.cpp', 'llama.cpp', null, 'Authorization', 6),
  ('compatible', 'Another server with Chat Completions', null, 'Authorization', 7);

-- What code adds to figures, what it finds in sentences, and the forms of answers.
create table app.vocabulary (
  kind text not null check (kind in ('enrichment', 'entity', 'response')),
  name text not null,
  description text not null,
  position int not null,
  primary key (kind, name)
);
revoke all on app.vocabulary from public, anon, authenticated, service_role;
insert into app.vocabulary (kind, name, description, position) values
  ('enrichment', 'trend', 'Change of a figure over time, in per cent.', 1),
  ('enrichment', 'currency', 'Amounts in the country''s digits.', 2),
  ('enrichment', 'ranking', 'The largest and the smallest of a list.', 3),
  ('enrichment', 'alert', 'What is overdue or past a threshold.', 4),
  ('enrichment', 'anomaly', 'Figures at least twice the average of before.', 5),
  ('enrichment', 'compliance', 'Tax rates, due dates and particulars that the law wants.', 6),
  ('entity', 'date', 'A day or a period, such as last month.', 1),
  ('entity', 'amount', 'An amount of money, such as 2.5 lakh.', 2),
  ('entity', 'code', 'A short code of a record.', 3),
  ('entity', 'document', 'The number of a document or a registration.', 4),
  ('entity', 'name', 'The name of a person or a company.', 5),
  ('entity', 'email', 'An address for mail.', 6),
  ('response', 'text', 'Sentences in Markdown.', 1),
  ('response', 'table', 'Rows and columns.', 2),
  ('response', 'chart', 'A chart of the figures of the table beside it.', 3),
  ('response', 'choices', 'A question with answers to choose from.', 4),
  ('response', 'params', 'The fields of a record, applied and pending.', 5),
  ('response', 'clarification', 'A question that has to be answered first.', 6),
  ('response', 'link', 'A file or a page.', 7);

-- Views ------------------------------------------------------------------------
-- Those of reference data and of control tables read as their owner, so each of
-- them says itself which rows the caller may see.

create view public.modules as
select m.code, m.parent, m.name, m.description, m.keywords, m.position,
  array(select s.code from app.modules s where s.parent = m.code order by s.position) as sub_modules
from app.modules m where (select app.org_id()) is not null;

create view public.llm_providers as
select p.name, p.title, p.base_url, p.auth_header, p.position,
  case when p.name in ('openai', 'azure-v1')
    then array(select distinct c.model from public.model_prices c order by 1) else '{}' end as models
from app.providers p where (select app.org_id()) is not null;

create view public.enrichment_types as
select v.name, v.description, v.position from app.vocabulary v
where v.kind = 'enrichment' and (select app.org_id()) is not null;

create view public.entity_types as
select v.name, v.description, v.position from app.vocabulary v
where v.kind = 'entity' and (select app.org_id()) is not null;

create view public.response_types as
select v.name, v.description, v.position from app.vocabulary v
where v.kind = 'response' and (select app.org_id()) is not null;

-- secret_name is the name of the key that the operator keeps: no key stands in a table.
create view public.llm_configs with (security_invoker = true) as
select c.org_id, c.code, c.assistant, c.tier, c.provider, c.model, c.secret_name, c.base_url as endpoint,
  c.temperature, c.max_tokens, c.is_default, c.version, c.created_at, c.updated_at
from public.model_configs c;

-- The members of the caller's organisation. Addresses are shown to administrators
-- and to the person.
create view public.profiles as
select m.org_id, m.user_id as id, m.name as full_name, m.kind, m.created_at,
  case when m.kind = 'person' and (m.user_id = (select auth.uid()) or (select app.org_role()) = 'admin')
    then u.email::text end as email
from public.memberships m join auth.users u on u.id = m.user_id
where m.org_id = (select app.org_id());

-- role is the source's: whoever is no administrator is a user. member_role is ours.
create view public.user_roles with (security_invoker = true) as
select m.org_id, m.user_id, case when m.role = 'admin' then 'admin' else 'user' end as role, m.role as member_role
from public.memberships m;

-- The tools of remote books with their sub-module, and all others that an assistant
-- of the organisation used.
create view public.tool_registry as
select (select app.org_id()) as org_id, coalesce(t.name, u.tool) as tool_name, m.parent as module,
  m.code as sub_module, coalesce(m.keywords, '{}') as keywords, coalesce(u.used, 0) as usage_count, 
  u.last_at as last_used_at
from app.module_tools t join app.modules m on m.code = t.module
full join (
  select n.tool, sum(n.used)::bigint as used, max(n.last_at) as last_at from public.tool_usage n
  where n.org_id = (select app.org_id()) and n.assistant in (select app.my_assistants())
  group by n.tool) u on u.tool = t.name
where (select app.org_id()) is not null;

do $$
declare
  v text;
begin
  foreach v in array array['modules', 'llm_providers', 'enrichment_types', 'entity_types', 'response_types',
    'llm_configs', 'profiles', 'user_roles', 'tool_registry'] loop
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', v);
    execute format('grant select on public.%I to authenticated', v);
  end loop;
end $$;

-- Control tables that may be read ----------------------------------------------
-- Column by column, so that digests and what a table gets later stay out. What
-- turns taught, and what models cost, is for administrators, as in the reports.

grant select (org_id, id, assistant, name, agent, description, version, created_at, updated_at)
  on public.intents to authenticated;
create policy members_read on public.intents for select to authenticated
  using (org_id = (select app.org_id()) and assistant in (select app.my_assistants()));

grant select (org_id, assistant, intent, bucket, basis, total, success, failed, total_ms, feedback_sum, feedback_count,
  updated_at) on public.intent_routing_stats to authenticated;
create policy admins_read on public.intent_routing_stats for select to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin'
    and assistant in (select app.my_assistants()));

grant select (org_id, id, assistant, query, agents, tools, strategy, occurrences, total_ms, feedback_sum,
  feedback_count, first_at, last_at) on public.llm_path_patterns to authenticated;
create policy admins_read on public.llm_path_patterns for select to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin'
    and assistant in (select app.my_assistants()));

grant select (org_id, id, code, assistant, pattern_id, agent, phrase, status, decided_by, decided_at, created_at)
  on public.suggested_intents to authenticated;
create policy admins_read on public.suggested_intents for select to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin'
    and assistant in (select app.my_assistants()));

grant select (org_id, id, at, user_id, assistant, turn, model, tokens_in, tokens_out, tokens_cached, calls, cost,
  currency, finish) on public.llm_usage_logs to authenticated;
create policy admins_read on public.llm_usage_logs for select to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');

grant select (org_id, user_id, created_by, created_at, used_at) on public.api_keys to authenticated;
create policy admins_read on public.api_keys for select to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');

-- Not the answers: they are for those who asked in the role, through our functions.
grant select (org_id, id, entity_id, assistant, role, modules, created_at, expires_at)
  on public.response_cache to authenticated;
create policy admins_read on public.response_cache for select to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin'
    and assistant in (select app.my_assistants()));

call app.bound_columns();
revoke execute on all routines in schema app from public;
notify pgrst, 'reload schema';
