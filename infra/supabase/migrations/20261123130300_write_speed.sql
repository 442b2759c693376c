-- Less work for each write. Who the caller is is read once for a statement instead of
-- once for each policy, trigger and function; what a preview read of one row of a list is
-- asked again for that row alone; the proof, the versions and the audit are read with fewer
-- queries. What the functions answer is as before.

-- Finds out who the caller is, and keeps it for this transaction under p_key, which
-- app.org_id and app.org_role compare: the time of the statement, and the token. A
-- membership that ends so counts no longer from the next statement on, as with a query
-- of a stable function.
create function app.know_caller(p_key text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_claims constant jsonb := auth.jwt();
  v_user constant uuid := auth.uid();
  v_org text := lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id'));
  v_role text;
begin
  -- Compared as text, so that a claim which is not a UUID means "no org" and not an
  -- error.
  select m.org_id, m.role into v_org, v_role
  from public.memberships m
  where m.user_id = v_user and (m.ends_at is null or m.ends_at > now()) and m.org_id::text = v_org;
  perform set_config('app.caller_org', coalesce(v_org, ''), true),
          set_config('app.caller_role', coalesce(v_role, ''), true),
          set_config('app.caller', p_key, true);
end $$;

-- The org that the caller acts for: the one that the token names, provided that
-- the caller is a member of it and the membership has not ended; otherwise null.
-- Policies, triggers and functions ask it some thirty times for one booking.
create or replace function app.org_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key constant text := concat(statement_timestamp(), current_setting('request.jwt.claim.sub', true),
    current_setting('request.jwt.claim', true), current_setting('request.jwt.claims', true));
begin
  if v_key is distinct from current_setting('app.caller', true) then
    perform app.know_caller(v_key);
  end if;
  return nullif(current_setting('app.caller_org', true), '')::uuid;
end $$;

-- The caller's role in app.org_id(): admin, manager, viewer, or null.
create or replace function app.org_role() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_key constant text := concat(statement_timestamp(), current_setting('request.jwt.claim.sub', true),
    current_setting('request.jwt.claim', true), current_setting('request.jwt.claims', true));
begin
  if v_key is distinct from current_setting('app.caller', true) then
    perform app.know_caller(v_key);
  end if;
  return nullif(current_setting('app.caller_role', true), '');
end $$;

-- As before; the message is one expression, in which a header that is absent is
-- "0:".
create or replace function app.check_proof(p_headers jsonb, p_method text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_proof constant text := p_headers ->> 'x-bellhop-proof';
  v_parts text[];
  v_claims jsonb;
  v_user text;
  v_org text;
  v_path constant text := current_setting('request.path', true);
  v_effect constant text := p_headers ->> 'x-bellhop-effect';
  v_args constant text := p_headers ->> 'x-bellhop-args';
  v_tool constant text := p_headers ->> 'x-bellhop-tool';
  v_turn constant text := p_headers ->> 'x-bellhop-turn';
  v_assistant constant text := p_headers ->> 'x-bellhop-assistant';
  v_proposal constant text := p_headers ->> 'x-bellhop-proposal';
  v_message text;
  v_nonce bytea;
  v_inner bytea;
  v_outer bytea;
begin
  if v_proof is null then
    return false;
  end if;
  if v_proof !~ '^v1\.[A-Za-z0-9_-]{1,16}\.[0-9]{13}\.[0-9a-f]{32}\.[0-9a-f]{64}$' then
    raise sqlstate 'PT403' using message = 'proof_refused', detail = 'The proof of the request does not hold.';
  end if;
  v_parts := string_to_array(v_proof, '.');
  v_claims := auth.jwt();
  v_user := v_claims ->> 'sub';
  v_org := lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id'));
  v_message := concat(
    coalesce(octet_length(v_user), 0), ':', v_user, coalesce(octet_length(v_org), 0), ':', v_org,
    coalesce(octet_length(p_method), 0), ':', p_method, coalesce(octet_length(v_path), 0), ':', v_path,
    octet_length(v_parts[3]), ':', v_parts[3], octet_length(v_parts[4]), ':', v_parts[4],
    coalesce(octet_length(v_effect), 0), ':', v_effect, coalesce(octet_length(v_args), 0), ':', v_args,
    coalesce(octet_length(v_tool), 0), ':', v_tool, coalesce(octet_length(v_turn), 0), ':', v_turn,
    coalesce(octet_length(v_assistant), 0), ':', v_assistant,
    coalesce(octet_length(v_proposal), 0), ':', v_proposal);
  select p.inner_pad, p.outer_pad into v_inner, v_outer from app.proof_keys p where p.kid = v_parts[2];
  -- The digests of both are compared, so that how long it takes tells nothing of
  -- the one that would be right.
  if v_inner is null or sha256(decode(v_parts[5], 'hex'))
      <> sha256(sha256(v_outer || sha256(v_inner || convert_to(v_message, 'UTF8')))) then
    raise sqlstate 'PT403' using message = 'proof_refused', detail = 'The proof of the request does not hold.';
  end if;
  if abs(extract(epoch from clock_timestamp()) * 1000 - v_parts[3]::bigint) > 120000 then
    raise sqlstate 'PT403' using message = 'proof_stale', detail = 'The proof of the request is not of this time.';
  end if;
  if current_setting('transaction_read_only') = 'on' then
    return true;
  end if;
  v_nonce := decode(v_parts[4], 'hex');
  insert into app.proof_nonces (nonce) values (v_nonce) on conflict do nothing;
  if not found then
    raise sqlstate 'PT403' using message = 'proof_used', detail = 'The proof of the request was used before.';
  end if;
  -- Every 256th takes the old ones away, so that the table stays small between
  -- two runs of the clean-up.
  if get_byte(v_nonce, 0) = 0 then
    perform app.clean_up_proofs(1000);
  end if;
  return true;
end $$;

-- The audit, with the parts of a row that it reads read once.
create or replace function app.audit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_row jsonb;
  v_user constant uuid := auth.uid();
begin
  if tg_op <> 'INSERT' then
    v_before := to_jsonb(old);
  end if;
  if tg_op <> 'DELETE' then
    v_after := to_jsonb(new);
  end if;
  if tg_nargs > 0 then
    v_before := v_before - tg_argv;
    v_after := v_after - tg_argv;
  end if;
  v_row := coalesce(v_after, v_before);
  insert into public.audit (org_id, user_id, role, table_name, row_id, row_key, action, before, after,
                            effect_key, turn, tool, proposal_id)
  values ((v_row ->> 'org_id')::uuid, v_user,
          coalesce(case when v_user is not null then app.org_role() end, auth.role(), session_user::text),
          tg_table_name, (v_row ->> 'id')::uuid, coalesce(v_row ->> 'code', v_row ->> 'key', app.row_key(v_row)),
          lower(tg_op), v_before, v_after,
          nullif(current_setting('app.effect', true), ''), nullif(current_setting('app.turn', true), ''),
          nullif(current_setting('app.tool', true), ''), nullif(current_setting('app.proposal', true), '')::uuid);
  return null;
end $$;

-- The version that a target's row has now, 0 when there is no such row, -1 when
-- there are several. The row stays locked until the transaction ends. Targets were
-- checked when their proposal was stored. The version of a third party's record is
-- the one that was shown.
create or replace function app.target_version(p_org uuid, p_target jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_table constant text := p_target ->> 'table';
  v_key constant text := p_target ->> 'key';
  v_entity constant text := p_target ->> 'entity';
  v_which text;
  v_versions int[];
begin
  if strpos(v_table, ':') > 0 then
    return (p_target ->> 'version')::int;
  end if;
  v_which := case
    when p_target ? 'id' then 't.id = $4::uuid'
    when v_table = 'entities' then 't.key = $2'
    when v_entity is null or not exists (
      select from pg_catalog.pg_attribute a
      where a.attrelid = format('public.%I', v_table)::regclass and a.attname = 'entity_id' and not a.attisdropped)
      then 't.code = $2'
    when v_entity ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 't.code = $2 and t.entity_id = $3::uuid'
    else 'false'
  end;
  execute format('select array_agg(l.version) from (
      select t.version from public.%I t where t.org_id = $1 and %s for no key update) l', v_table, v_which)
    into v_versions using p_org, v_key, v_entity, p_target ->> 'id';
  return case coalesce(cardinality(v_versions), 0) when 0 then 0 when 1 then v_versions[1] else -1 end;
end $$;

-- Lists of which a preview often rests on a few rows: the function in schema app of the
-- same name has one argument more, p_codes, and reads only the rows of these codes
-- (null: all).
alter table app.preview_functions add column by_codes boolean not null default false;

create function app.extra_list(p_entity uuid, p_inactive boolean default false, p_codes text[] default null)
returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(x) - '{org_id,entity_id,created_at,updated_at}'::text[]
                              order by x.name, x.code), '[]')
    from public.extras x
    where x.entity_id = p_entity and (p_inactive or x.active) and (p_codes is null or x.code = any (p_codes)));
end $$;
create or replace function public.extra_list(p_entity uuid, p_inactive boolean default false) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.extra_list(p_entity, p_inactive);
end $$;

create function app.chef_menu_list(p_entity uuid, p_codes text[] default null) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(i) - '{org_id,entity_id,created_at,updated_at}'::text[]
                              order by i.name, i.code), '[]')
    from public.chef_menu_items i
    where i.entity_id = p_entity and (p_codes is null or i.code = any (p_codes)));
end $$;
create or replace function public.chef_menu_list(p_entity uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.chef_menu_list(p_entity);
end $$;
update app.preview_functions f set by_codes = true where f.name in ('extra_list', 'chef_menu_list');

-- What depends on an extra of the property, as before; one query for each of its parts
-- is quicker than one for all of them.
create or replace function public.extra_use(p_entity uuid, p_code text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_org uuid;
  v_id uuid;
  v_name text;
  v_bookings bigint;
  v_packages text[];
begin
  select x.org_id, x.id, x.name into v_org, v_id, v_name
  from public.extras x where x.entity_id = p_entity and x.code = p_code;
  if not found then
    return null;
  end if;
  v_bookings := (
    select count(*) from (
      select e.reservation_id from public.reservation_extras e where e.org_id = v_org and e.extra_id = v_id
      union
      select s.reservation_id from public.extra_selections s where s.org_id = v_org and s.extra_id = v_id) r);
  v_packages := array(
    select p.code from public.packages_extras e join public.packages p on p.org_id = e.org_id and p.id = e.package_id
    where e.org_id = v_org and e.extra_id = v_id
    order by p.code);
  return jsonb_build_object('bookings', v_bookings, 'packages', v_packages, 'obstacle',
    case when v_bookings > 0 or v_packages <> '{}' then
      format('%s (%s) is used in %s, so it cannot be deleted. ', v_name, p_code, concat_ws(' and ',
        case when v_bookings > 0 then app.counted(v_bookings, 'booking', 'bookings') end,
        case when v_packages <> '{}' then app.counted(cardinality(v_packages), 'package', 'packages')
          || ' (' || array_to_string(v_packages, ', ') || ')' end))
      || 'To stop selling it, make it inactive: bookings that have it keep it.'
    end);
end $$;

-- The statement that calls a registered function again: its one parameter holds
-- the arguments by name, as text. Its answer is jsonb as the REST API gives it; with
-- p_codes it has only the rows of these codes. Raises PT422 'bad_read' for any other
-- function or argument.
create function app.read_statement(p_function text, p_arguments jsonb, p_codes jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_set boolean;
  v_names text[];
  v_types oid[];
  v_by_codes boolean;
  v_args text := '';
  v_call text;
begin
  select p.proretset, p.proargnames[1:p.pronargs], p.proargtypes::oid[], f.by_codes
    into v_set, v_names, v_types, v_by_codes
  from app.preview_functions f
  join pg_catalog.pg_proc p
    on p.pronamespace = 'public'::regnamespace and p.proname = f.name and p.provolatile in ('s', 'i')
  where f.name = p_function;
  if v_set is null or jsonb_typeof(p_arguments) is distinct from 'object'
    or p_arguments - coalesce(v_names, '{}') <> '{}' then
    raise sqlstate 'PT422' using message = 'bad_read',
      detail = 'A preview rests on an answer that cannot be asked for again.';
  end if;
  for i in 1 .. coalesce(cardinality(v_names), 0) loop
    if p_arguments ? v_names[i] then
      -- Types of arrays begin at 0: this one came from an oidvector.
      v_args := v_args || case when v_args = '' then '' else ', ' end
        || format('%I => ($1 ->> %L)::%s', v_names[i], v_names[i], format_type(v_types[i - 1], null));
    end if;
  end loop;
  if p_codes is not null and v_by_codes then
    return format('select app.%I(%s%sp_codes => array(select jsonb_array_elements_text(%L)))', p_function, v_args,
                  case when v_args = '' then '' else ', ' end, p_codes);
  end if;
  v_call := case when v_set
    then format('select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from public.%I(%s) r', p_function, v_args)
    else format('select coalesce(to_jsonb(public.%I(%s)), ''null'')', p_function, v_args) end;
  if p_codes is null then
    return v_call;
  end if;
  return format('select coalesce(jsonb_agg(x order by o), ''[]'') '
    || 'from jsonb_array_elements((%s)) with ordinality e (x, o) where %L::jsonb ? (x ->> ''code'')', v_call, p_codes);
end $$;

create or replace function app.read_statement(p_function text, p_arguments jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.read_statement(p_function, p_arguments, null);
end $$;

-- What the preview of this transaction's proposal was made from. A read with "codes" names the rows of the list that
-- matter, by their member "code"; its answer has these only.
create or replace function app.proposal_reads() returns table (statement text, arguments jsonb, answer jsonb)
language plpgsql stable security definer set search_path = '' as $$
declare
  r jsonb;
begin
  for r in select * from jsonb_array_elements(app.current_reads()) loop
    statement := app.read_statement(r ->> 'function', r -> 'arguments', r -> 'codes');
    arguments := r -> 'arguments';
    answer := r -> 'answer';
    return next;
  end loop;
end $$;

-- What an answer to a question begins with, in one request: who the caller is, as
-- "who" (whoami), and the caller's own proposal of this id, in the list "proposals"
-- (proposal_list), which is empty when there is none.
create function public.proposal_open(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('who', public.whoami(), 'proposals', public.proposal_list(p_id => p_id));
end $$;
revoke execute on function public.proposal_open(uuid) from public, anon, service_role;
grant execute on function public.proposal_open(uuid) to authenticated;

revoke execute on all routines in schema app from public;
grant execute on function app.extra_list(uuid, boolean, text[]), app.chef_menu_list(uuid, text[])
  to authenticated, service_role;
