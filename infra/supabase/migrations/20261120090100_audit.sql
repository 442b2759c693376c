-- The audit: who changed what, when, from what to what, and through which effect.
-- And the one helper that makes a table a tenant table.

create table public.audit (
  org_id uuid not null references public.orgs (id),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  user_id uuid,
  role text,
  table_name text not null,
  row_id uuid,
  row_key text not null,
  action text not null check (action in ('insert', 'update', 'delete')),
  before jsonb,
  after jsonb,
  effect_key text,
  turn text,
  tool text,
  proposal_id uuid,
  primary key (org_id, id)
);
create index audit_effect on public.audit (org_id, effect_key) where effect_key is not null;
create index audit_row on public.audit (org_id, table_name, row_id);
create index audit_at on public.audit (org_id, at);

-- A control table: no grants, and row policies without any policy. Definer functions are its only door.
alter table public.audit enable row level security;
alter table public.audit force row level security;
revoke all on public.audit from public, anon, authenticated, service_role;

-- The name that people use for a row. Rows that hang on another one bear its
-- code. A parent that was deleted in the same statement can no longer be asked;
-- the audit still knows what it was called.
create function app.row_key(p_row jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := p_row ->> 'org_id';
  v_table text;
  v_id uuid;
  v_key text;
begin
  v_key := coalesce(p_row ->> 'code', p_row ->> 'key');
  if v_key is not null then
    return v_key;
  end if;
  select t, (p_row ->> c)::uuid into v_table, v_id
  from (values (1, 'coupon_id', 'coupons'), (2, 'package_id', 'packages'),
               (3, 'reservation_id', 'reservations'), (4, 'block_id', 'blocked_dates')) parent (n, c, t)
  where p_row ->> c is not null
  order by n limit 1;
  if found then
    execute format('select code from public.%I where org_id = $1 and id = $2', v_table) into v_key using v_org, v_id;
    if v_key is null then
      select a.row_key into v_key from public.audit a
      where a.org_id = v_org and a.table_name = v_table and a.row_id = v_id
      order by a.id desc limit 1;
    end if;
  end if;
  return coalesce(v_key, p_row ->> 'name', p_row ->> 'id', p_row ->> 'user_id', '?');
end $$;

-- The pre-request function leaves app.effect, app.turn, app.tool and
-- app.proposal for this transaction; a direct write has none of them.
create function app.audit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  v_row jsonb := coalesce(v_after, v_before);
begin
  insert into public.audit (org_id, user_id, role, table_name, row_id, row_key, action, before, after,
                            effect_key, turn, tool, proposal_id)
  values ((v_row ->> 'org_id')::uuid, auth.uid(), coalesce(case when auth.uid() is not null then app.org_role() end, auth.role(), session_user::text),
          tg_table_name, (v_row ->> 'id')::uuid, app.row_key(v_row), lower(tg_op), v_before, v_after,
          nullif(current_setting('app.effect', true), ''), nullif(current_setting('app.turn', true), ''),
          nullif(current_setting('app.tool', true), ''), nullif(current_setting('app.proposal', true), '')::uuid);
  return null;
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

-- Orgs, members and entities: read by members. People are managed by jobs and
-- administrators' functions, never by a plain write; an entity's settings by its admins.
alter table public.orgs enable row level security;
alter table public.orgs force row level security;
revoke all on public.orgs from public, anon, authenticated;
grant select on public.orgs to authenticated;
create policy members_read on public.orgs for select to authenticated using (id = (select app.org_id()));

call app.tenant_table('memberships');
revoke insert, update, delete on public.memberships from authenticated;
drop policy staff_insert on public.memberships;
drop policy staff_update on public.memberships;
drop policy staff_delete on public.memberships;

call app.tenant_table('entities');
revoke insert, delete on public.entities from authenticated;
drop policy staff_insert on public.entities;
drop policy staff_delete on public.entities;
drop policy staff_update on public.entities;
create policy admins_update on public.entities for update to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin')
  with check (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');

revoke execute on all routines in schema app from public;
grant execute on function app.org_id(), app.org_role() to authenticated, service_role;
