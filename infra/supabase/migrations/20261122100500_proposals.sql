-- Proposals: what needs consent is shown, answered, and used up by the write itself.

-- What an assistant wants to do and a person has to agree to first.
create table public.proposals (
  org_id uuid not null references public.orgs (id),
  id uuid not null,
  user_id uuid not null,
  assistant text not null check (length(assistant) between 1 and 120),
  agent text check (length(agent) <= 120),
  thread text check (length(thread) <= 200),
  turn text check (length(turn) <= 200),
  tool text not null check (length(tool) between 1 and 120),
  -- The canonical arguments, byte for byte as they were hashed.
  args_text text not null check (octet_length(args_text) <= 262144),
  args_hash text not null check (args_hash ~ '^[0-9a-f]{64}$'),
  preview jsonb not null check (octet_length(preview::text) <= 262144),
  tier text not null check (tier in ('MEDIUM', 'HIGH', 'CRITICAL')),
  code text not null check (length(code) between 1 and 40),
  targets jsonb not null default '[]'
    check (jsonb_typeof(targets) = 'array' and jsonb_array_length(targets) <= 100 and octet_length(targets::text) <= 65536),
  -- What the preview was made from, as {"function", "arguments", "answer"}: the yes
  -- holds as long as these functions answer the same. Emptied when a proposal
  -- closes without its act.
  reads jsonb not null default '[]' check (jsonb_typeof(reads) = 'array' and jsonb_array_length(reads) <= 64
                                           and octet_length(reads::text) <= 393216),
  read_at timestamptz not null default clock_timestamp(),
  -- A pending proposal past expires_at counts as expired.
  state text not null default 'pending' check (state in ('pending', 'consumed', 'rejected', 'superseded')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '10 minutes',
  closed_at timestamptz,
  effect_key text,
  primary key (org_id, id),
  check ((state = 'consumed') = (effect_key is not null))
);
create index proposals_of_user on public.proposals (org_id, user_id, created_at desc);
create index proposals_pending on public.proposals (org_id, user_id, code) where state = 'pending';
create index proposals_created on public.proposals (created_at);
call app.control_table('proposals');
call app.names_assistants('proposals');

-- The functions whose answers a preview may rest on. They are stable, and each is
-- named by app.preview_reads where it stands.
create table app.preview_functions (name text primary key);
revoke all on app.preview_functions from public, anon, authenticated, service_role;

create procedure app.preview_reads(variadic p_functions text[])
language plpgsql set search_path = '' as $$
declare
  f text;
begin
  foreach f in array p_functions loop
    if (select count(*) from pg_catalog.pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.proname = f and p.prokind = 'f' and p.provolatile in ('s', 'i')) <> 1 then
      raise exception 'preview_reads: there is no one stable function public.%', f;
    end if;
    insert into app.preview_functions values (f);
  end loop;
end $$;

-- The statement that calls a registered function again: its one parameter holds
-- the arguments by name, as text. Its answer is jsonb as the REST API gives it.
-- Raises PT422 'bad_read' for any other function or argument.
create function app.read_statement(p_function text, p_arguments jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_set boolean;
  v_args text;
  v_named int;
begin
  select p.proretset, count(a.name), coalesce(string_agg(
           format('%I => ($1 ->> %L)::%s', a.name, a.name, format_type(a.type, null)), ', ') filter (where a.name is not null), '')
    into v_set, v_named, v_args
  from app.preview_functions f
  join pg_catalog.pg_proc p
    on p.pronamespace = 'public'::regnamespace and p.proname = f.name and p.provolatile in ('s', 'i')
  left join lateral (
    select p.proargnames[o] as name, t as type from unnest(p.proargtypes::oid[]) with ordinality u (t, o)) a
    on p_arguments ? a.name
  where f.name = p_function
  group by p.oid, p.proretset;
  if v_set is null or jsonb_typeof(p_arguments) is distinct from 'object'
    or v_named <> (select count(*) from jsonb_object_keys(p_arguments)) then
    raise sqlstate 'PT422' using message = 'bad_read',
      detail = 'A preview rests on an answer that cannot be asked for again.';
  end if;
  return case when v_set then format('select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from public.%I(%s) r', p_function, v_args)
              else format('select coalesce(to_jsonb(public.%I(%s)), ''null'')', p_function, v_args) end;
end $$;

-- Raises PT422 'bad_target' unless a target is {"table", "id" or "key", "version"},
-- with "entity" (an id) where a key is unique only within its entity. Version 0
-- says that there was no such row.
create function app.check_target(p_target jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  uuid_form constant text := '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
  v_columns text[];
begin
  select array_agg(a.attname::text) into v_columns
  from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = p_target ->> 'table';
  if not coalesce(
    v_columns @> array['org_id', 'id', 'version']
    and (p_target ->> 'version') ~ '^[0-9]{1,9}$'
    and case when p_target ? 'id' then (p_target ->> 'id') ~ uuid_form
             else (p_target ->> 'key') <> '' and v_columns && array['code', 'key'] end, false) then
    raise sqlstate 'PT422' using message = 'bad_target', detail = 'A target names a table, an id or a key, and a version.';
  end if;
end $$;

-- The version that a target's row has now, 0 when there is no such row, -1 when
-- there are several. The row stays locked until the transaction ends.
create function app.target_version(p_org uuid, p_target jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_table text := p_target ->> 'table';
  v_which text;
  v_versions int[];
begin
  perform app.check_target(p_target);
  v_which := case
    when p_target ? 'id' then $q$t.id = ($2 ->> 'id')::uuid$q$
    when v_table = 'entities' then $q$t.key = $2 ->> 'key'$q$
    else $q$t.code = $2 ->> 'key' and ($2 ->> 'entity' is null or t.entity_id::text = $2 ->> 'entity')$q$
  end;
  execute format('select array_agg(l.version) from (select t.version from public.%I t where t.org_id = $1 and %s for no key update) l',
                 v_table, v_which)
    into v_versions using p_org, p_target;
  return case coalesce(cardinality(v_versions), 0) when 0 then 0 when 1 then v_versions[1] else -1 end;
end $$;

-- Whether two lists of targets name a row in common.
create function app.targets_overlap(p_one jsonb, p_other jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select exists (
    select from jsonb_array_elements(p_one) a, jsonb_array_elements(p_other) b
    where a ->> 'table' = b ->> 'table'
      and (a ->> 'id' = b ->> 'id' or a ->> 'key' = b ->> 'key' and a ->> 'entity' is not distinct from b ->> 'entity'))
$$;

create function app.proposal_json(p public.proposals) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object(
    'id', p.id, 'assistant', p.assistant, 'agent', p.agent, 'thread', p.thread, 'turn', p.turn, 'tool', p.tool,
    'argsText', p.args_text, 'argsHash', p.args_hash, 'preview', p.preview, 'tier', p.tier, 'code', p.code, 'targets', p.targets,
    'state', case when p.state = 'pending' and p.expires_at <= clock_timestamp() then 'expired' else p.state end,
    'createdAt', p.created_at, 'expiresAt', p.expires_at, 'now', clock_timestamp())
$$;

-- Raises PT422 unless a proposal may rest on these rows and answers.
create function app.check_basis(p_targets jsonb, p_reads jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v jsonb;
begin
  for v in select jsonb_array_elements(coalesce(p_targets, '[]')) loop
    perform app.check_target(v);
  end loop;
  for v in select jsonb_array_elements(coalesce(p_reads, '[]')) loop
    perform app.read_statement(v ->> 'function', v -> 'arguments');
  end loop;
end $$;

-- Stores a proposal of the caller and returns it. It lives ten minutes by the
-- database's clock. Live proposals of the same thread are superseded when they
-- are of the same tool or name one of the same rows, whichever tool asks: after
-- the first act the second preview would be untrue. Forms and programs have no
-- conversation: in their thread, "tools", two questions for two guests stand side
-- by side, so one is superseded only by the same tool with the same arguments, or
-- by one that names one of the same rows. The same call again returns what the
-- first one stored. Raises PT409 'code_taken' when another live proposal of the
-- caller bears the code, PT409 'proposal_exists' when the id was used for
-- something else.
create function public.proposal_create(p_id uuid, p_assistant text, p_agent text, p_thread text, p_turn text, p_tool text,
                                       p_args_text text, p_args_hash text, p_preview jsonb, p_tier text, p_code text,
                                       p_targets jsonb, p_reads jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.proposals;
begin
  if jsonb_array_length(coalesce(p_targets, '[]')) > 100 then
    raise sqlstate 'PT422' using message = 'too_many_targets', detail = 'That touches more than 100 records at once.';
  end if;
  perform app.check_basis(p_targets, p_reads);
  -- One at a time for each person, so that two live proposals never share a code.
  perform pg_advisory_xact_lock(hashtextextended('proposals' || v_org::text || auth.uid()::text, 0));
  select * into v from public.proposals p where p.org_id = v_org and p.id = p_id;
  if found then
    if v.user_id <> auth.uid() or v.tool <> p_tool or v.args_hash <> p_args_hash or v.code <> p_code then
      raise sqlstate 'PT409' using message = 'proposal_exists', detail = 'The id belongs to another proposal.';
    end if;
    return app.proposal_json(v);
  end if;
  update public.proposals p set state = 'superseded', closed_at = clock_timestamp(), reads = '[]'
  where p.org_id = v_org and p.user_id = auth.uid() and p.thread is not distinct from p_thread
    and (p.tool = p_tool and (p_thread is distinct from 'tools' or p.args_hash = p_args_hash) or app.targets_overlap(p.targets, coalesce(p_targets, '[]')))
    and p.state = 'pending' and p.expires_at > clock_timestamp();
  if exists (select from public.proposals p
             where p.org_id = v_org and p.user_id = auth.uid() and p.code = p_code
               and p.state = 'pending' and p.expires_at > clock_timestamp()) then
    raise sqlstate 'PT409' using message = 'code_taken', detail = 'Another open proposal bears this code.';
  end if;
  insert into public.proposals as p (org_id, id, user_id, assistant, agent, thread, turn, tool, args_text, args_hash,
                                     preview, tier, code, targets, reads)
  values (v_org, p_id, auth.uid(), p_assistant, p_agent, p_thread, p_turn, p_tool, p_args_text, p_args_hash,
          p_preview, p_tier, p_code, coalesce(p_targets, '[]'), coalesce(p_reads, '[]'))
  returning * into v;
  return app.proposal_json(v);
end $$;

-- Lets a pending proposal of the caller rest on other rows and answers: what its
-- preview shows was found to be the same. It does not live longer for it. Raises
-- PT404 'proposal_unknown' for one that is not there or not pending.
create function public.proposal_renew(p_id uuid, p_targets jsonb, p_reads jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
begin
  perform app.check_basis(p_targets, p_reads);
  update public.proposals p
  set targets = coalesce(p_targets, '[]'), reads = coalesce(p_reads, '[]'), read_at = clock_timestamp()
  where p.org_id = v_org and p.user_id = auth.uid() and p.id = p_id and p.state = 'pending';
  if not found then
    raise sqlstate 'PT404' using message = 'proposal_unknown', detail = 'There is no such proposal of yours.';
  end if;
end $$;

-- The caller's own proposals that match every given filter, newest first, at most
-- 20. One that is asked for by its id or code comes with its "reads".
create function public.proposal_list(p_thread text default null, p_code text default null, p_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return coalesce((
    select jsonb_agg(app.proposal_json(p)
                     || case when p_id is null and p_code is null then '{}' else jsonb_build_object('reads', p.reads) end
                     order by p.created_at desc, p.id)
    from (
      select q.* from public.proposals q
      where q.org_id = v_org and q.user_id = auth.uid()
        and (p_thread is null or q.thread = p_thread)
        and (p_code is null or q.code = p_code)
        and (p_id is null or q.id = p_id)
        and app.has_assistant(q.org_id, q.assistant)
      order by q.created_at desc, q.id limit 20) f
    join public.proposals p on p.org_id = v_org and p.id = f.id), '[]');
end $$;

-- Closes a pending proposal of the caller and returns it. One that is closed
-- already stays as it is. Raises PT404 'proposal_unknown'.
create function public.proposal_reject(p_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.proposals;
begin
  update public.proposals p set state = 'rejected', closed_at = clock_timestamp(), reads = '[]'
  where p.org_id = v_org and p.user_id = auth.uid() and p.id = p_id and p.state = 'pending'
    and app.has_assistant(p.org_id, p.assistant);
  select * into v from public.proposals p where p.org_id = v_org and p.user_id = auth.uid() and p.id = p_id;
  if not found or not app.has_assistant(v.org_id, v.assistant) then
    raise sqlstate 'PT404' using message = 'proposal_unknown', detail = 'There is no such proposal of yours.';
  end if;
  return app.proposal_json(v);
end $$;

-- Uses up a proposal for the write of this transaction, or says why not.
create function app.consume_proposal(p_org uuid, p_id uuid, p_tool text, p_args_hash text, p_effect text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v public.proposals;
  v_target jsonb;
begin
  -- Concurrent requests wait here for the first one, and then see it consumed.
  select * into v from public.proposals p
  where p.org_id = p_org and p.id = p_id and p.user_id = auth.uid() for update;
  if not found or not app.has_assistant(v.org_id, v.assistant) then
    raise sqlstate 'PT404' using message = 'proposal_unknown', detail = 'There is no such proposal of yours.';
  end if;
  if v.state <> 'pending' then
    raise sqlstate 'PT409' using message = 'proposal_closed', detail = format('The proposal is %s.', v.state);
  end if;
  if v.expires_at <= clock_timestamp() then
    raise sqlstate 'PT410' using message = 'proposal_expired', detail = 'The proposal is older than ten minutes.';
  end if;
  if v.tool is distinct from p_tool or v.args_hash is distinct from p_args_hash then
    raise sqlstate 'PT409' using message = 'proposal_mismatch', detail = 'The proposal is for another action.';
  end if;
  -- A preview speaks of the day on which it was made.
  if exists (select from public.entities e
             where e.org_id = p_org and e.id::text = v.preview ->> 'entity'
               and (v.read_at at time zone e.time_zone)::date <> (clock_timestamp() at time zone e.time_zone)::date) then
    raise sqlstate 'PT409' using message = 'proposal_changed', detail = 'The preview was made on another day.';
  end if;
  -- In one order for everybody: the rows stay locked until the write is done.
  for v_target in select t from jsonb_array_elements(v.targets) t order by t ->> 'table', t ->> 'id', t ->> 'key', t::text loop
    if app.target_version(p_org, v_target) <> (v_target ->> 'version')::int then
      raise sqlstate 'PT409' using message = 'proposal_changed',
        detail = format('%s %s has changed since.', v_target ->> 'table', coalesce(v_target ->> 'key', ''));
    end if;
  end loop;
  update public.proposals p set state = 'consumed', closed_at = clock_timestamp(), effect_key = p_effect
  where p.org_id = p_org and p.id = p_id;
end $$;

-- The proposal that this transaction carries out; null when it follows none.
create function app.current_proposal() returns uuid
language sql stable set search_path = '' as $$
  select nullif(current_setting('app.proposal', true), '')::uuid
$$;

-- What the preview of this transaction's proposal was made from.
create function app.proposal_reads() returns table (statement text, arguments jsonb, answer jsonb)
language sql stable security definer set search_path = '' as $$
  select app.read_statement(r ->> 'function', r -> 'arguments'), r -> 'arguments', r -> 'answer'
  from public.proposals p, jsonb_array_elements(p.reads) with ordinality e (r, o)
  where p.org_id = app.org_id() and p.user_id = auth.uid() and p.id = app.current_proposal()
  order by o
$$;

-- Asks, as the caller, for everything again that the preview was made from. Raises
-- PT409 'proposal_changed' when an answer differs; numbers are equal by value.
create function app.check_reads() returns void
language plpgsql set search_path = '' as $$
declare
  r record;
  v_now jsonb;
begin
  if app.current_proposal() is null then
    return;
  end if;
  for r in select * from app.proposal_reads() loop
    execute r.statement into v_now using r.arguments;
    if v_now is distinct from r.answer then
      raise sqlstate 'PT409' using message = 'proposal_changed', detail = 'What the preview was made from has changed since.';
    end if;
  end loop;
end $$;

-- What a function answered when the preview of this transaction's proposal was
-- made; null where it was not asked. A write that computes the same figure again
-- compares it, since other transactions go on between the two.
create function app.shown(p_function text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select r -> 'answer'
    from public.proposals p, jsonb_array_elements(p.reads) r
    where p.org_id = app.org_id() and p.user_id = auth.uid() and p.id = app.current_proposal()
      and r ->> 'function' = p_function
    limit 1);
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.current_proposal(), app.proposal_reads(), app.check_reads(), app.shown(text) to authenticated;
revoke execute on function
  public.proposal_create(uuid, text, text, text, text, text, text, text, jsonb, text, text, jsonb, jsonb),
  public.proposal_renew(uuid, jsonb, jsonb),
  public.proposal_list(text, text, uuid), public.proposal_reject(uuid) from public, anon, service_role;
grant execute on function
  public.proposal_create(uuid, text, text, text, text, text, text, text, jsonb, text, text, jsonb, jsonb),
  public.proposal_renew(uuid, jsonb, jsonb),
  public.proposal_list(text, text, uuid), public.proposal_reject(uuid) to authenticated;
call app.preview_reads('entity_facts', 'entity_contact');
