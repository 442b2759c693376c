-- Targets of a proposal that are records of a third party, such as an invoice of
-- a ledger that is reached by MCP: {"table": "ledger:invoice", "key": its number,
-- "version"}. They say which questions are about the same record. Their version is
-- not ours to check: before the act the server builds the preview again.

-- As before. A table with a colon is a third party's.
create or replace function app.check_target(p_target jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  uuid_form constant text := '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
  v_columns text[];
begin
  if (p_target ->> 'table') ~ '^[a-z][a-z0-9_]{0,39}:[a-z][a-z0-9_]{0,39}$' then
    if not coalesce((p_target ->> 'version') ~ '^[0-9]{1,9}$' and not p_target ? 'id'
        and length(p_target ->> 'key') between 1 and 200, false) then
      raise sqlstate 'PT422' using message = 'bad_target',
        detail = 'A target of a third party names its key and version.';
    end if;
    return;
  end if;
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

-- As before. The version of a third party's record is the one that was shown.
create or replace function app.target_version(p_org uuid, p_target jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_table text := p_target ->> 'table';
  v_which text;
  v_versions int[];
begin
  perform app.check_target(p_target);
  if strpos(v_table, ':') > 0 then
    return (p_target ->> 'version')::int;
  end if;
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
