-- Who asks is asked some thirty times for one booking: by the policies of each
-- table, the triggers, the functions. Read from the token once per call instead
-- of once per membership and comparison, it takes a third of the time.

create or replace function app.org_id() returns uuid
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

create or replace function app.org_role() returns text
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

-- The key by which people know a row: its own code, or its parent's. A statement
-- for each parent keeps its plan; one that is put together is planned each time.
create or replace function app.row_key(p_row jsonb) returns text
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
  end if;
  if v_table is not null and v_key is null then
    select a.row_key into v_key from public.audit a
    where a.org_id = v_org and a.table_name = v_table and a.row_id = v_id
    order by a.id desc limit 1;
  end if;
  return coalesce(v_key, p_row ->> 'name', p_row ->> 'id', p_row ->> 'user_id', '?');
end $$;
