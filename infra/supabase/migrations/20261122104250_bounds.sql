-- Bounds: the most that a column of any table holds, by any writer. A table
-- says narrower ones where it knows better.

-- Adds to each column of the tables in schema public what its type lacks of
-- bounds: text and documents a size, figures a range without NaN and infinity,
-- dates the years 1900 to 2200. Text and documents that have a check of their own
-- are left to that. It may run again, and leaves alone what it bounded before.
-- The audit is left out: its documents are the rows of the others.
create procedure app.bound_columns()
language plpgsql set search_path = '' as $$
declare
  v_table record;
begin
  for v_table in
    select c.relname, string_agg(format('add constraint %I check (%s)', b.name, b.rule), ', ' order by a.attnum) as changes
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
    cross join lateral (select 'bounds_' || a.attname as name, case a.atttypid
      when 'text'::regtype then format('octet_length(%I) <= 65536', a.attname)
      when 'bytea'::regtype then format('octet_length(%I) <= 65536', a.attname)
      when 'text[]'::regtype then format('cardinality(%1$I) <= 1000 and octet_length(%1$I::text) <= 65536', a.attname)
      when 'uuid[]'::regtype then format('cardinality(%I) <= 1000', a.attname)
      when 'jsonb'::regtype then format('octet_length(%I::text) <= 262144', a.attname)
      when 'int'::regtype then format('%I between -2000000000 and 2000000000', a.attname)
      when 'bigint'::regtype then format('%I between -1000000000000000 and 1000000000000000', a.attname)
      when 'numeric'::regtype then format('%I between -1000000000000 and 1000000000000', a.attname)
      when 'double precision'::regtype then format('%I between -1000000000000 and 1000000000000', a.attname)
      when 'date'::regtype then format('%I between date ''1900-01-01'' and date ''2200-12-31''', a.attname)
      when 'timestamptz'::regtype then format('%I between timestamptz ''1900-01-01 00:00Z'' and timestamptz ''2200-12-31 00:00Z''', a.attname)
      when 'daterange'::regtype then format('isempty(%1$I) or coalesce(lower(%1$I) >= date ''1900-01-01'' and upper(%1$I) <= date ''2200-12-31'', false)', a.attname)
      end as rule) b
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'audit' and b.rule is not null
      and not exists (select from pg_catalog.pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and (k.conname = b.name or a.atttypid in ('text'::regtype, 'bytea'::regtype, 'jsonb'::regtype) and k.convalidated
               and pg_catalog.pg_get_constraintdef(k.oid) ~ ('(length|\(\(?' || a.attname || ' (~|=))')))
    group by c.relname
  loop
    execute format('alter table public.%I %s', v_table.relname, v_table.changes);
  end loop;
end $$;
call app.bound_columns();

revoke execute on all routines in schema app from public;
