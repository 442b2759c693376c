-- The pre-request function: what happens before each request of the REST API.
-- Every role that a request can have may execute it, or its requests would fail.

-- Checks the proof of our functions, if there is one. A write that bears an effect
-- key is claimed here, its proposal is consumed, and the audit triggers learn what
-- it belongs to. If the write fails, all of that is undone. An effect key counts
-- with the proof only; a request without the key is a person's own and passes.
create function app.begin_request() returns void
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
  if v_method in ('GET', 'HEAD') then
    return;
  end if;
  perform set_config('app.proven', app.check_proof(v_headers, v_method)::text, true);
  if v_effect is null then
    return;
  end if;
  v_org := app.proven_org();
  if app.org_role() not in ('admin', 'manager') and not app.is_personal(current_setting('request.path', true)) then
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

-- PostgREST calls this first in the transaction of every request. What a consented
-- act rests on is asked for again as the caller, hence not in a definer function.
create function app.pre_request() returns void
language plpgsql set search_path = '' as $$
begin
  perform app.begin_request();
  if coalesce(current_setting('app.proposal', true), '') <> '' then
    perform app.check_reads();
  end if;
end $$;

-- Tell PostgREST. Role settings belong to the whole server: leave another product's alone.
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

revoke execute on all routines in schema app from public;
grant execute on function app.begin_request(), app.pre_request() to anon, authenticated, service_role;
notify pgrst, 'reload config';
