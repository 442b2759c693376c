-- Consent: proposals are made, shown, answered, and used up by the write itself.

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

create function app.proposal_json(p public.proposals) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object(
    'id', p.id, 'assistant', p.assistant, 'agent', p.agent, 'thread', p.thread, 'turn', p.turn, 'tool', p.tool,
    'argsText', p.args_text, 'argsHash', p.args_hash, 'preview', p.preview, 'tier', p.tier, 'code', p.code, 'targets', p.targets,
    'state', case when p.state = 'pending' and p.expires_at <= clock_timestamp() then 'expired' else p.state end,
    'createdAt', p.created_at, 'expiresAt', p.expires_at, 'now', clock_timestamp())
$$;

-- Stores a proposal of the caller and returns it. It lives ten minutes by the
-- database's clock. Live proposals of the same thread and tool are superseded.
-- The same call again returns what the first one stored. Raises PT409
-- 'code_taken' when another live proposal of the caller bears the code, PT409
-- 'proposal_exists' when the id was used for something else.
create function public.proposal_create(p_id uuid, p_assistant text, p_agent text, p_thread text, p_turn text, p_tool text,
                                       p_args_text text, p_args_hash text, p_preview jsonb, p_tier text, p_code text,
                                       p_targets jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v public.proposals;
  v_target jsonb;
begin
  for v_target in select jsonb_array_elements(coalesce(p_targets, '[]')) loop
    perform app.check_target(v_target);
  end loop;
  -- One at a time for each person, so that two live proposals never share a code.
  perform pg_advisory_xact_lock(hashtextextended('proposals' || v_org::text || auth.uid()::text, 0));
  select * into v from public.proposals p where p.org_id = v_org and p.id = p_id;
  if found then
    if v.user_id <> auth.uid() or v.tool <> p_tool or v.args_hash <> p_args_hash or v.code <> p_code then
      raise sqlstate 'PT409' using message = 'proposal_exists', detail = 'The id belongs to another proposal.';
    end if;
    return app.proposal_json(v);
  end if;
  update public.proposals p set state = 'superseded', closed_at = clock_timestamp()
  where p.org_id = v_org and p.user_id = auth.uid() and p.thread is not distinct from p_thread
    and p.tool = p_tool and p.state = 'pending' and p.expires_at > clock_timestamp();
  if exists (select from public.proposals p
             where p.org_id = v_org and p.user_id = auth.uid() and p.code = p_code
               and p.state = 'pending' and p.expires_at > clock_timestamp()) then
    raise sqlstate 'PT409' using message = 'code_taken', detail = 'Another open proposal bears this code.';
  end if;
  insert into public.proposals as p (org_id, id, user_id, assistant, agent, thread, turn, tool, args_text, args_hash,
                                     preview, tier, code, targets)
  values (v_org, p_id, auth.uid(), p_assistant, p_agent, p_thread, p_turn, p_tool, p_args_text, p_args_hash,
          p_preview, p_tier, p_code, coalesce(p_targets, '[]'))
  returning * into v;
  return app.proposal_json(v);
end $$;

-- The caller's own proposals that match every given filter, newest first, at most 20.
create function public.proposal_list(p_thread text default null, p_code text default null, p_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return coalesce((
    select jsonb_agg(app.proposal_json(p) order by p.created_at desc, p.id)
    from (
      select q.* from public.proposals q
      where q.org_id = v_org and q.user_id = auth.uid()
        and (p_thread is null or q.thread = p_thread)
        and (p_code is null or q.code = p_code)
        and (p_id is null or q.id = p_id)
      order by q.created_at desc, q.id limit 20) f
    join public.proposals p on p.org_id = v_org and p.id = f.id), '[]');
end $$;

-- Closes a pending proposal of the caller and returns it. One that is closed
-- already stays as it is. Raises PT404 'proposal_unknown'.
create function public.proposal_reject(p_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v public.proposals;
begin
  update public.proposals p set state = 'rejected', closed_at = clock_timestamp()
  where p.org_id = v_org and p.user_id = auth.uid() and p.id = p_id and p.state = 'pending';
  select * into v from public.proposals p where p.org_id = v_org and p.user_id = auth.uid() and p.id = p_id;
  if not found then
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
  -- Rivals wait here for whoever came first, and then see it consumed.
  select * into v from public.proposals p
  where p.org_id = p_org and p.id = p_id and p.user_id = auth.uid() for update;
  if not found then
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

-- PostgREST calls this first in the transaction of every request. A write that
-- bears an effect key is claimed here, its proposal is consumed, and the audit
-- triggers learn what it belongs to. If the write fails, all of that is undone.
-- A request without the header is a person's own and passes.
create function app.pre_request() returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
  v_method text := upper(coalesce(current_setting('request.method', true), ''));
  v_effect text := v_headers ->> 'x-bellhop-effect';
  v_args text := v_headers ->> 'x-bellhop-args';
  v_tool text := v_headers ->> 'x-bellhop-tool';
  v_turn text := v_headers ->> 'x-bellhop-turn';
  v_proposal text := nullif(v_headers ->> 'x-bellhop-proposal', '');
  v_org uuid;
begin
  -- whoami tells our functions that this guard is in force; without it they
  -- refuse to work, since writes would be neither claimed nor consented to.
  perform set_config('app.guarded', 'true', true);
  if v_effect is null or v_method in ('GET', 'HEAD') then
    return;
  end if;
  v_org := app.member_org();
  if app.org_role() not in ('admin', 'manager') then
    raise sqlstate 'PT403' using message = 'role_required', detail = 'Only administrators and managers may change this.';
  end if;
  if length(v_effect) not between 8 and 200 then
    raise sqlstate 'PT422' using message = 'bad_effect_key', detail = 'An effect key has 8 to 200 characters.';
  end if;
  if v_args is null or v_args !~ '^[0-9a-f]{64}$' then
    raise sqlstate 'PT422' using message = 'bad_args_hash', detail = 'The hash of the arguments must be SHA-256 in lower-case hexadecimal.';
  end if;
  if v_proposal !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    raise sqlstate 'PT404' using message = 'proposal_unknown', detail = 'There is no such proposal of yours.';
  end if;
  -- A rival with the same key waits here until the first one is through.
  insert into public.effects (org_id, key, user_id, args_hash, tool, assistant, turn, proposal_id)
  values (v_org, v_effect, auth.uid(), v_args, left(v_tool, 120), left(v_headers ->> 'x-bellhop-assistant', 120),
          left(v_turn, 200), v_proposal::uuid)
  on conflict do nothing;
  if not found then
    raise sqlstate 'PT409' using message = 'effect_claimed', detail = 'This write was done before.';
  end if;
  if v_proposal is not null then
    perform app.consume_proposal(v_org, v_proposal::uuid, v_tool, v_args, v_effect);
  end if;
  perform set_config('app.effect', v_effect, true), set_config('app.turn', coalesce(v_turn, ''), true),
          set_config('app.tool', coalesce(v_tool, ''), true), set_config('app.proposal', coalesce(v_proposal, ''), true);
end $$;

revoke execute on all routines in schema app from public;
-- Every role that a request can have, or that role's requests would fail.
grant execute on function app.pre_request() to anon, authenticated, service_role;

revoke execute on function
  public.proposal_create(uuid, text, text, text, text, text, text, text, jsonb, text, text, jsonb),
  public.proposal_list(text, text, uuid), public.proposal_reject(uuid) from public, anon, service_role;
grant execute on function
  public.proposal_create(uuid, text, text, text, text, text, text, text, jsonb, text, text, jsonb),
  public.proposal_list(text, text, uuid), public.proposal_reject(uuid) to authenticated;

-- Tell PostgREST. Role settings belong to the whole server: leave somebody else's alone.
do $$
declare
  v_now text;
begin
  select split_part(s, '=', 2) into v_now
  from pg_catalog.pg_db_role_setting d
  join pg_catalog.pg_roles r on r.oid = d.setrole
  left join pg_catalog.pg_database b on b.oid = d.setdatabase
  cross join unnest(d.setconfig) s
  where r.rolname = 'authenticator' and (d.setdatabase = 0 or b.datname = current_database())
    and s like 'pgrst.db\_pre\_request=%'
  order by d.setdatabase desc limit 1;
  if v_now is null then
    alter role authenticator set pgrst.db_pre_request = 'app.pre_request';
  elsif v_now <> 'app.pre_request' then
    raise exception 'PostgREST already calls % before each request. Let that function call app.pre_request(), then set pgrst.db_pre_request by hand.', v_now;
  end if;
end $$;
notify pgrst, 'reload config';
notify pgrst, 'reload schema';
