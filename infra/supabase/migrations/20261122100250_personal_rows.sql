-- Personal rows: what belongs to one person and to those whom the person names,
-- whatever their roles are. A viewer writes what is their own; an administrator
-- does not see what belongs to another user.

-- Who takes part in a personal row besides its owner. A companion reads and
-- changes the row; the owner alone deletes it and names companions.
create table public.companions (
  org_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  user_id uuid not null,
  added_by uuid not null default auth.uid(),
  added_at timestamptz not null default clock_timestamp(),
  primary key (org_id, table_name, row_id, user_id),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
create index companions_of_user on public.companions (org_id, user_id, table_name);
call app.control_table('companions');
create trigger audit after insert or update or delete on public.companions for each row execute function app.audit();

-- The names of what a member of any role may write: the tables of personal rows,
-- and "rpc/…" for functions that write nothing else.
create table app.personal_doors (
  name text primary key check (name ~ '^(rpc/)?[a-z][a-z0-9_]{0,62}$')
);
revoke all on app.personal_doors from public, anon, authenticated, service_role;

-- The rows of a personal table in which the caller is a companion. Row policies
-- ask it once per statement.
create function app.companion_rows(p_table text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select c.row_id from public.companions c
  where c.org_id = app.org_id() and c.user_id = auth.uid() and c.table_name = p_table
$$;

-- The rows of a personal table that are the caller's or in which the caller is a
-- companion, for the policies of what hangs on them.
create function app.personal_rows(p_table text) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query execute format('select t.id from public.%I t where t.org_id = $1 and t.user_id = $2', p_table)
    using app.org_id(), auth.uid();
  return query select app.companion_rows(p_table);
end $$;

-- Whether a row of the caller's organisation is the caller's own.
create function app.is_owner(p_table text, p_row uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_own boolean;
begin
  execute format('select exists (select from public.%I t where t.org_id = $1 and t.id = $2 and t.user_id = $3)',
                 p_table) into v_own using app.org_id(), p_row, auth.uid();
  return v_own;
end $$;

-- Whether the caller is a companion in a row of the caller's organisation.
create function app.is_companion(p_table text, p_row uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.companions c
    where c.org_id = app.org_id() and c.table_name = p_table and c.row_id = p_row and c.user_id = auth.uid())
$$;

-- Trigger: a personal row keeps its owner.
create function app.keep_owner() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.user_id <> old.user_id then
    raise sqlstate 'PT422' using message = 'owner_is_fixed', detail = 'A record keeps its owner.';
  end if;
  return new;
end $$;

-- Trigger: who took part in a row goes with it.
create function app.drop_companions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.companions c where c.org_id = old.org_id and c.table_name = tg_table_name and c.row_id = old.id;
  return null;
end $$;

-- Makes public.<p_table> a table of personal rows: its owner (user_id) reads,
-- writes and deletes a row, companions read and change it, no other user knows of
-- it. Every change is counted (where the table has versions) and audited, but for
-- the columns in p_unaudited: words that are not kept beyond their row. The table
-- has the columns org_id, id and user_id, "uuid not null default auth.uid()".
-- Call it right after "create table".
create procedure app.personal_table(p_table text, p_unaudited text[] default '{}')
language plpgsql set search_path = '' as $$
declare
  t text := format('public.%I', p_table);
  mine constant text := 'org_id = (select app.org_id()) and user_id = (select auth.uid())';
  ours text := format('org_id = (select app.org_id())
    and (user_id = (select auth.uid()) or id in (select app.companion_rows(%L)))', p_table);
begin
  call app.personal_grants(p_table, p_unaudited);
  execute format('create policy personal_read on %s for select to authenticated using (%s)', t, ours);
  execute format('create policy personal_insert on %s for insert to authenticated with check (%s)', t, mine);
  execute format('create policy personal_update on %s for update to authenticated using (%s) with check (%s)',
                 t, ours, ours);
  execute format('create policy personal_delete on %s for delete to authenticated using (%s)', t, mine);
  execute format('create trigger keep_owner before update on %s for each row execute function app.keep_owner()', t);
  execute format('create trigger drop_companions after delete on %s for each row
    execute function app.drop_companions()', t);
end $$;

-- Makes public.<p_table> a table of rows that hang on personal ones: users who may
-- change the row of p_parent that p_column names, may do so with these. The
-- foreign key (org_id, p_column) is the table's own affair.
create procedure app.personal_child_table(p_table text, p_parent text, p_column text, p_unaudited text[] default '{}')
language plpgsql set search_path = '' as $$
declare
  ours text := format('org_id = (select app.org_id()) and %I in (select app.personal_rows(%L))', p_column, p_parent);
begin
  call app.personal_grants(p_table, p_unaudited);
  execute format('create policy personal_all on public.%I for all to authenticated using (%s) with check (%s)',
                 p_table, ours, ours);
end $$;

create procedure app.personal_grants(p_table text, p_unaudited text[])
language plpgsql set search_path = '' as $$
declare
  t text := format('public.%I', p_table);
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('revoke all on %s from public, anon, authenticated', t);
  execute format('revoke truncate on %s from service_role', t);
  execute format('grant select, insert, update, delete on %s to authenticated', t);
  if exists (select from pg_catalog.pg_attribute
             where attrelid = t::regclass and attname = 'version' and not attisdropped) then
    execute format('create trigger zz_touch before insert or update on %s for each row
      execute function app.touch()', t);
  end if;
  execute format('create trigger audit after insert or update or delete on %s for each row
    execute function app.audit(%s)', t, (select string_agg(quote_literal(u), ', ') from unnest(p_unaudited) u));
  insert into app.personal_doors (name) values (p_table);
end $$;

-- Says that a function writes personal rows and nothing else, so that tools of
-- members of any role may call it.
create procedure app.personal_function(p_name text)
language sql set search_path = '' as $$
  insert into app.personal_doors (name) values ('rpc/' || p_name)
$$;

-- Whether the request goes to an endpoint of personal rows alone.
create function app.is_personal(p_path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from app.personal_doors d where '/' || d.name = p_path)
$$;

-- Names a companion in a row of the caller's, by the address of a member of the
-- organisation, or removes one. A companion may leave. Returns the names of those
-- who take part then, by when they were added. Raises PT404 'unknown_record' for a
-- row that is not the caller's, PT404 'unknown_user', PT422 'own_account'.
create function public.companion_set(p_table text, p_row uuid, p_email text, p_with boolean default true) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_user uuid;
begin
  if not exists (select from app.personal_doors d where d.name = p_table and p_table not like 'rpc/%')
    or not exists (select from pg_catalog.pg_attribute where attrelid = to_regclass('public.' || quote_ident(p_table))
                   and attname = 'user_id' and not attisdropped) then
    raise sqlstate 'PT404' using message = 'unknown_record', detail = 'There is no such record of yours.';
  end if;
  select u.id into v_user from auth.users u
  join public.memberships m on m.org_id = v_org and m.user_id = u.id and (m.ends_at is null or m.ends_at > now())
  where lower(u.email) = lower(btrim(p_email)) and m.kind = 'person' and u.deleted_at is null;
  if not app.is_owner(p_table, p_row)
    and not (app.is_companion(p_table, p_row) and not p_with and v_user = auth.uid()) then
    raise sqlstate 'PT404' using message = 'unknown_record', detail = 'There is no such record of yours.';
  end if;
  if v_user is null then
    raise sqlstate 'PT404' using message = 'unknown_user', detail = 'Your organisation has no such user.';
  end if;
  if p_with and v_user = auth.uid() then
    raise sqlstate 'PT422' using message = 'own_account', detail = 'This is your own record already.';
  end if;
  if p_with then
    insert into public.companions (org_id, table_name, row_id, user_id) values (v_org, p_table, p_row, v_user)
    on conflict do nothing;
  else
    delete from public.companions c
    where c.org_id = v_org and c.table_name = p_table and c.row_id = p_row and c.user_id = v_user;
  end if;
  return (
    select coalesce(jsonb_agg(coalesce(nullif(btrim(m.name), ''), u.email) order by c.added_at, c.user_id), '[]')
    from public.companions c
    join public.memberships m on m.org_id = c.org_id and m.user_id = c.user_id
    join auth.users u on u.id = c.user_id
    where c.org_id = v_org and c.table_name = p_table and c.row_id = p_row);
end $$;

call app.personal_function('companion_set');

revoke execute on all routines in schema app from public;
grant execute on function app.companion_rows(text), app.personal_rows(text) to authenticated;
revoke execute on function public.companion_set(text, uuid, text, boolean) from public, anon, service_role;
grant execute on function public.companion_set(text, uuid, text, boolean) to authenticated;
