-- Tools that an organisation defines: requests to addresses of its own choice. No token
-- stands here: secret is the name of one that the operator keeps for this organisation.
-- What an address may lead to is checked when it is called.
create table public.custom_tools (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[a-z][a-z0-9_]{2,39}$'), -- its name
  description text not null check (length(description) between 10 and 500),
  method text not null check (method in ('GET', 'POST')),
  address text not null check (address ~ '^https?://' and length(address) <= 500),
  schema jsonb not null check (jsonb_typeof(schema) = 'object' and octet_length(schema::text) <= 16384),
  secret text not null default '' check (secret ~ '^([A-Z][A-Z0-9_]{0,39})?$'),
  effect text not null check (effect in ('reads', 'changes')),
  enabled boolean not null default true,
  made_by uuid not null default auth.uid(),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code)
);
call app.control_table('custom_tools');
create trigger zz_touch before insert or update on public.custom_tools
  for each row execute function app.touch();
create trigger audit after insert or update or delete on public.custom_tools
  for each row execute function app.audit();

create function app.custom_tool_json(t public.custom_tools) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('name', t.code, 'description', t.description, 'method', t.method, 'address', t.address,
    'schema', t.schema, 'secret', t.secret, 'effect', t.effect, 'enabled', t.enabled, 'version', t.version,
    'updatedAt', t.updated_at)
$$;

-- The tools of the caller's organisation, as customtools.Definition of our functions.
create function public.custom_tool_list() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  return (select coalesce(jsonb_agg(app.custom_tool_json(t) order by t.code), '[]')
    from public.custom_tools t where t.org_id = v_org);
end $$;

-- The caller's organisation, for those who may change its records. Raises PT403
-- 'role_required'.
create function app.custom_tool_org() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  if app.org_role() not in ('admin', 'manager') then
    raise sqlstate 'PT403' using message = 'role_required',
      detail = 'Only administrators and managers may define tools.';
  end if;
  return v_org;
end $$;

-- Defines a tool (version 0), or replaces the one of that name and version. Raises PT404
-- 'unknown_tool', PT409 'changed', 'name_taken', PT422 'too_many'.
create function public.custom_tool_save(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.custom_tool_org();
  v_version constant int := coalesce((p ->> 'version')::int, 0);
  t public.custom_tools;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'custom_tools', v_org), 0));
  select * into t from public.custom_tools x where x.org_id = v_org and x.code = p ->> 'name';
  if v_version = 0 and t.id is not null then
    raise sqlstate 'PT409' using message = 'name_taken', detail = 'There is a tool of this name already.';
  elsif v_version <> 0 and t.id is null then
    raise sqlstate 'PT404' using message = 'unknown_tool', detail = 'Your organisation has no such tool.';
  elsif v_version <> 0 and v_version <> t.version then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'The tool was changed meanwhile. Look at it as it is now, and make your change once more.';
  elsif t.id is null and (select count(*) from public.custom_tools x where x.org_id = v_org) >= 20 then
    raise sqlstate 'PT422' using message = 'too_many', detail = 'At most 20 tools are kept. Delete one first.';
  end if;
  if t.id is null then
    insert into public.custom_tools (org_id, code, description, method, address, schema, secret, effect, enabled)
    values (v_org, p ->> 'name', p ->> 'description', p ->> 'method', p ->> 'address', p -> 'schema',
      coalesce(p ->> 'secret', ''), p ->> 'effect', (p ->> 'enabled')::boolean) returning * into t;
  else
    update public.custom_tools x
    set description = p ->> 'description', method = p ->> 'method', address = p ->> 'address', schema = p -> 'schema',
      secret = coalesce(p ->> 'secret', ''), effect = p ->> 'effect', enabled = (p ->> 'enabled')::boolean
    where x.org_id = v_org and x.id = t.id returning * into t;
  end if;
  return app.custom_tool_json(t);
end $$;

-- Deletes a tool. Raises PT404 'unknown_tool'.
create function public.custom_tool_delete(p_name text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.custom_tool_org();
begin
  delete from public.custom_tools x where x.org_id = v_org and x.code = p_name;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_tool', detail = 'Your organisation has no such tool.';
  end if;
  return jsonb_build_object('name', p_name);
end $$;

call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.custom_tool_list(), public.custom_tool_save(jsonb), public.custom_tool_delete(text)
  from public, anon, service_role;
grant execute on function public.custom_tool_list(), public.custom_tool_save(jsonb), public.custom_tool_delete(text)
  to authenticated;
notify pgrst, 'reload schema';
