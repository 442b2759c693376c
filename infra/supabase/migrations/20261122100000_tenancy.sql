-- Tenancy: who belongs to which organisation, and what every table gets.
--
-- An organisation (org) is the tenant. It owns entities: properties, companies.
-- A user is a member of an org with one role. The JWT names an org; only the
-- membership row makes it count, so removing the row revokes at once.

create schema if not exists extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists btree_gist with schema extensions;
create extension if not exists pg_trgm with schema extensions;

-- Private helpers. The schema is not among the exposed ones; usage is needed
-- because row policies and the pre-request function are called by these roles.
create schema if not exists app;
grant usage on schema app to anon, authenticated, service_role;

-- The org that the caller acts for: the one that the token names, provided that
-- the caller is a member of it and the membership has not ended; otherwise null.
-- Compared as text, so that a claim which is not a UUID means "no org" and not an
-- error.
--
-- It is asked some thirty times for one booking: by the policies of each table,
-- the triggers, the functions. So it is in PL/pgSQL, whose plans are kept, and
-- reads the token once per call instead of once per membership.
create function app.org_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_org text := lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id'));
begin
  return (
    select m.org_id
    from public.memberships m
    where m.user_id = v_user and (m.ends_at is null or m.ends_at > now()) and m.org_id::text = v_org);
end $$;

-- The caller's role in app.org_id(): admin, manager, viewer, or null. It reads the
-- token itself, for the same reason.
create function app.org_role() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_org text := lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id'));
begin
  return (
    select m.role
    from public.memberships m
    where m.user_id = v_user and (m.ends_at is null or m.ends_at > now()) and m.org_id::text = v_org);
end $$;

-- The caller's org. Raises PT403 'not_a_member' when there is none.
create function app.member_org() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.org_id();
begin
  if v_org is null then
    raise sqlstate 'PT403' using message = 'not_a_member', detail = 'You are not a member of this organisation.';
  end if;
  return v_org;
end $$;

-- The caller's org. Raises PT403 unless the caller administers it.
create function app.admin_org() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  if app.org_role() is distinct from 'admin' then
    raise sqlstate 'PT403' using message = 'admin_required', detail = 'Only an administrator of your organisation may do that.';
  end if;
  return v_org;
end $$;

-- Trigger: counts versions and keeps times; a row never changes its identity.
create function app.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    return new;
  end if;
  if new.org_id <> old.org_id or new.id <> old.id then
    raise sqlstate 'PT422' using message = 'identity_is_fixed', detail = 'A row keeps its id and its organisation.';
  end if;
  new.version := old.version + 1;
  new.created_at := old.created_at;
  new.updated_at := now();
  return new;
end $$;

-- Makes public.<p_table> a control table: no role has a grant on it, and row
-- policies without any policy. Only definer functions access it. Call it right
-- after "create table".
create procedure app.control_table(p_table text)
language plpgsql set search_path = '' as $$
declare
  t text := format('public.%I', p_table);
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('revoke all on %s from public, anon, authenticated, service_role', t);
end $$;

-- Makes public.<p_table> a tenant table: row policies enabled and forced,
-- members read, admins and managers write, anon has nothing, every change is
-- counted (where the table has versions) and audited. Call it right after
-- "create table". (select …) makes each check run once per statement, not per row.
create procedure app.tenant_table(p_table text)
language plpgsql set search_path = '' as $$
declare
  t text := format('public.%I', p_table);
  mine constant text := 'org_id = (select app.org_id())';
  may_write constant text := mine || ' and (select app.org_role()) in (''admin'', ''manager'')';
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('revoke all on %s from public, anon, authenticated', t);
  execute format('revoke truncate on %s from service_role', t);
  execute format('grant select, insert, update, delete on %s to authenticated', t);
  execute format('create policy members_read on %s for select to authenticated using (%s)', t, mine);
  execute format('create policy staff_insert on %s for insert to authenticated with check (%s)', t, may_write);
  execute format('create policy staff_update on %s for update to authenticated using (%s) with check (%s)', t, may_write, may_write);
  execute format('create policy staff_delete on %s for delete to authenticated using (%s)', t, may_write);
  if exists (select from pg_catalog.pg_attribute where attrelid = t::regclass and attname = 'version' and not attisdropped) then
    -- zz: after the triggers that fill codes, which run in the order of their names.
    execute format('create trigger zz_touch before insert or update on %s for each row execute function app.touch()', t);
  end if;
  execute format('create trigger audit after insert or update or delete on %s for each row execute function app.audit()', t);
end $$;

-- The tenants. Members read their own.
create table public.orgs (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  created_at timestamptz not null default now()
);
alter table public.orgs enable row level security;
alter table public.orgs force row level security;
revoke all on public.orgs from public, anon, authenticated;
grant select on public.orgs to authenticated;
create policy members_read on public.orgs for select to authenticated using (id = (select app.org_id()));

revoke execute on all routines in schema app from public;
grant execute on function app.org_id(), app.org_role() to authenticated, service_role;
