-- Targets of a proposal that belong to an organisation and to none of its entities,
-- such as a project: their codes are unique in the organisation, and the entity that
-- was chosen while they were shown is not theirs.

-- As before, and for tables without an entity.
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
    when not exists (
      select from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relname = v_table and a.attname = 'entity_id')
      then $q$t.code = $2 ->> 'key'$q$
    else $q$t.code = $2 ->> 'key' and ($2 ->> 'entity' is null or t.entity_id::text = $2 ->> 'entity')$q$
  end;
  execute format('select array_agg(l.version) from (
      select t.version from public.%I t where t.org_id = $1 and %s for no key update) l', v_table, v_which)
    into v_versions using p_org, p_target;
  return case coalesce(cardinality(v_versions), 0) when 0 then 0 when 1 then v_versions[1] else -1 end;
end $$;
