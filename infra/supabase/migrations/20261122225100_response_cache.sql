-- The response cache: what an assistant answered, for as long as the records that
-- it read are as they were (S2-12, S2-21).
--
-- An answer is found by the digest of what it depends on (package cache in Go):
-- the organisation, the entity, the role, the tools, the sentence, the day. The
-- sentence itself is not kept here. Row policies do not depend on the digest: an
-- answer is read by members of the same organisation in the same role, and one
-- with a user_id by this user alone.

-- The assistants whose answers are kept. A write of another one, if it is none at
-- a remote server, makes no answer out of date.
create table app.cached_assistants (
  name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,39}$')
);
revoke all on app.cached_assistants from public, anon, authenticated, service_role;
insert into app.cached_assistants (name) values ('finance');

-- Counts what makes answers out of date, in one row per organisation: dropped has
-- the count at which answers of a sub-module were dropped last, "*" is all.
create table public.response_generations (
  org_id uuid primary key references public.orgs (id),
  generation bigint not null default 0,
  dropped jsonb not null default '{}' check (octet_length(dropped::text) <= 8192)
) with (fillfactor = 50);
call app.control_table('response_generations');

create table public.response_cache (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  entity_id uuid,
  key bytea not null check (octet_length(key) = 32), -- SHA-256 of what the answer depends on
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  role text not null check (role in ('admin', 'manager', 'viewer')),
  user_id uuid, -- null for an answer that all members in the role may have
  -- The sub-modules that were read; "*" for a tool of none.
  modules text[] not null check (cardinality(modules) <= 40),
  answer jsonb not null check (octet_length(answer::text) <= 131072),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, key),
  foreign key (org_id, entity_id) references public.entities (org_id, id) on delete cascade
);
create index response_cache_age on public.response_cache (org_id, created_at);
create index response_cache_expired on public.response_cache (expires_at);
call app.control_table('response_cache');
call app.names_assistants('response_cache');

-- The answer under the first of p_keys, hexadecimal, that has one: {"generation",
-- "id", "answer", "createdAt", "expiresAt"}; without the answer where p_known has
-- the id, and without all but the generation where there is none.
create function public.response_cache_read(p_keys text[], p_known text[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_role text := app.org_role();
  v_generation bigint := coalesce((select g.generation from public.response_generations g where g.org_id = v_org), 0);
  c public.response_cache;
begin
  select r.* into c
  from unnest(p_keys) with ordinality k(key, place)
  join public.response_cache r on r.org_id = v_org and r.key = decode(k.key, 'hex')
  where r.role = v_role and (r.user_id is null or r.user_id = auth.uid()) and r.expires_at > clock_timestamp()
  order by k.place limit 1;
  if not found then
    return jsonb_build_object('generation', v_generation);
  end if;
  return jsonb_build_object('generation', v_generation, 'id', c.id, 'createdAt', c.created_at,
                            'expiresAt', c.expires_at)
    || case when c.id::text = any (p_known) then '{}' else jsonb_build_object('answer', c.answer) end;
end $$;

-- Keeps an answer, p with "key", "entity", "assistant", "own", "tools",
-- "generation", "seconds" and "answer", and says whether it did. It does not where
-- what was read may have changed since the generation: a write came between, or
-- one at a remote server is on its way or of unknown outcome.
create function public.response_cache_write(p jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_modules constant text[] := app.modules_of(array(select jsonb_array_elements_text(p -> 'tools')));
  v_now timestamptz;
  g public.response_generations;
begin
  insert into public.response_generations (org_id) values (v_org) on conflict do nothing;
  -- A write that makes answers out of date waits for this lock and then drops what
  -- is kept here, or was first and is seen below.
  select * into g from public.response_generations n where n.org_id = v_org for share;
  v_now := clock_timestamp();
  if exists (
    select from jsonb_each_text(g.dropped) d(module, generation)
    where d.generation::bigint > (p ->> 'generation')::bigint
      and (d.module = '*' or d.module = any (v_modules) or '*' = any (v_modules)))
    or exists (
      select from public.outbox o
      where o.org_id = v_org and o.kind like 'mcp:%' and o.state in ('STARTED', 'UNKNOWN')
        and o.unknown_after > v_now) then
    return false;
  end if;
  insert into public.response_cache as c
    (org_id, entity_id, key, assistant, role, user_id, modules, answer, created_at, expires_at)
  values (v_org, (p ->> 'entity')::uuid, decode(p ->> 'key', 'hex'), p ->> 'assistant', app.org_role(),
          case when (p ->> 'own')::boolean then auth.uid() end, v_modules, p -> 'answer', v_now,
          v_now + least(greatest((p ->> 'seconds')::int, 1), 86400) * interval '1 second')
  on conflict (org_id, key) do update set id = excluded.id, modules = excluded.modules, answer = excluded.answer,
    created_at = excluded.created_at, expires_at = excluded.expires_at
  where c.role = excluded.role and c.user_id is not distinct from excluded.user_id;
  if not found then
    return false;
  end if;
  -- At most 500 answers of an organisation; the oldest go.
  delete from public.response_cache c where c.org_id = v_org and c.id in (
    select o.id from public.response_cache o
    where o.org_id = v_org and o.id not in (
      select n.id from public.response_cache n where n.org_id = v_org order by n.created_at desc limit 500)
    for update skip locked);
  return true;
end $$;

-- Makes the answers of these sub-modules of an organisation out of date; "*" is
-- all. Answers from reads that are under way are not kept either.
create function app.drop_responses(p_org uuid, p_modules text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(p_modules) = 0 then
    return;
  end if;
  insert into public.response_generations as g (org_id, generation, dropped)
  values (p_org, 1, (select jsonb_object_agg(m, 1) from unnest(p_modules) m))
  on conflict (org_id) do update set generation = g.generation + 1,
    dropped = case when '*' = any (p_modules) then jsonb_build_object('*', g.generation + 1)
      else g.dropped || (select jsonb_object_agg(m, g.generation + 1) from unnest(p_modules) m) end;
  delete from public.response_cache c
  where c.org_id = p_org and ('*' = any (p_modules) or c.modules && (p_modules || '{*}'));
end $$;

-- The same for the caller's organisation, by the tools that wrote.
create function public.response_cache_drop(p_tools text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_tool text;
begin
  foreach v_tool in array p_tools loop
    perform app.drop_responses(v_org, app.modules_touched(v_tool));
  end loop;
end $$;

-- Trigger: what is written by a tool of these assistants makes answers out of date,
-- in the same transaction.
create function app.effect_drops_responses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.assistant is null or exists (select from app.cached_assistants a where a.name = new.assistant) then
    perform app.drop_responses(new.org_id, app.modules_touched(new.tool));
  end if;
  return null;
end $$;
create trigger drop_responses after insert on public.effects for each row
  execute function app.effect_drops_responses();

-- Trigger: a write at a remote server makes answers out of date when it begins, and
-- again when its outcome is known, or is known to be unknown.
create function app.outbox_drops_responses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.drop_responses(new.org_id, app.modules_touched(
    (select f.tool from public.effects f where f.org_id = new.org_id and f.key = new.key)));
  return null;
end $$;
create trigger drop_responses_begun after insert on public.outbox for each row
  when (new.kind like 'mcp:%') execute function app.outbox_drops_responses();
create trigger drop_responses_settled after update on public.outbox for each row
  when (new.kind like 'mcp:%' and new.state is distinct from old.state) execute function app.outbox_drops_responses();

-- Trigger: what all answers of the organisation rest on was changed.
create function app.row_drops_responses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.drop_responses(coalesce(new.org_id, old.org_id), '{*}');
  return null;
end $$;
create trigger drop_responses after update on public.entities for each row
  when (new.kind = 'company') execute function app.row_drops_responses();
create trigger drop_responses after insert or update or delete on public.mcp_servers for each row
  execute function app.row_drops_responses();

-- Forgets answers that expired, and returns how many.
create function app.clean_up_responses(p_batch int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  delete from public.response_cache c where (c.org_id, c.id) in (
    select o.org_id, o.id from public.response_cache o
    where o.expires_at <= clock_timestamp() limit p_batch for update skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- All of the clean-up, for a scheduled job that holds the project's secret key.
create or replace function public.clean_up() returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.clean_up() || jsonb_build_object(
    'feedback', app.clean_up_feedback(), 'conversations', app.clean_up_conversations(), 'files', app.forget_files(),
    'responses', app.clean_up_responses())
$$;

call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.response_cache_read(text[], text[]), public.response_cache_write(jsonb),
  public.response_cache_drop(text[]) from public, anon, service_role;
grant execute on function public.response_cache_read(text[], text[]), public.response_cache_write(jsonb),
  public.response_cache_drop(text[]) to authenticated;
notify pgrst, 'reload schema';
