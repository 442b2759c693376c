-- The audit: who changed what, when, from what to what, and through which effect.

-- One row for each row that an insert, an update or a delete changed.
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
create index audit_key on public.audit (org_id, row_key, id);
call app.control_table('audit');

-- The key by which people know a row: its own code, or its parent's. A parent that
-- was deleted in the same statement can no longer be asked; the audit still knows
-- its code. A statement for each parent keeps its plan; one that is put together
-- is planned each time.
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
  if p_row ->> 'coupon_id' is not null then
    v_table := 'coupons';
    v_id := p_row ->> 'coupon_id';
    v_key := (select c.code from public.coupons c where c.org_id = v_org and c.id = v_id);
  elsif p_row ->> 'package_id' is not null then
    v_table := 'packages';
    v_id := p_row ->> 'package_id';
    v_key := (select p.code from public.packages p where p.org_id = v_org and p.id = v_id);
  elsif p_row ->> 'reservation_id' is not null then
    v_table := 'reservations';
    v_id := p_row ->> 'reservation_id';
    v_key := (select r.code from public.reservations r where r.org_id = v_org and r.id = v_id);
  elsif p_row ->> 'block_id' is not null then
    v_table := 'blocked_dates';
    v_id := p_row ->> 'block_id';
    v_key := (select b.code from public.blocked_dates b where b.org_id = v_org and b.id = v_id);
  elsif p_row ->> 'session_id' is not null then
    v_table := 'chat_sessions';
    v_id := p_row ->> 'session_id';
    v_key := (select app.chat_code(s.prefix, s.number) from public.chat_sessions s where s.org_id = v_org and s.id = v_id);
  elsif p_row ->> 'table_name' is not null and p_row ->> 'row_id' is not null then
    v_table := p_row ->> 'table_name';
    v_id := p_row ->> 'row_id';
    execute format('select app.row_key(to_jsonb(t)) from public.%I t where t.org_id = $1 and t.id = $2', v_table) into v_key using v_org, v_id;
  end if;
  if v_table is not null and v_key is null then
    select a.row_key into v_key from public.audit a
    where a.org_id = v_org and a.table_name = v_table and a.row_id = v_id
    order by a.id desc limit 1;
  end if;
  return coalesce(v_key, p_row ->> 'name', p_row ->> 'assistant', p_row ->> 'id', p_row ->> 'user_id', '?');
end $$;

-- The pre-request function leaves app.effect, app.turn, app.tool and
-- app.proposal for this transaction; a direct write has none of them. A trigger's
-- arguments name members that the audit leaves out: words that go with their row,
-- and are not kept beyond it.
create function app.audit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - coalesce(tg_argv, '{}') end;
  v_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - coalesce(tg_argv, '{}') end;
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

revoke execute on all routines in schema app from public;
