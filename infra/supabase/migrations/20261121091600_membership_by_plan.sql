-- The two questions that every row policy asks, as before but in PL/pgSQL: a
-- function in SQL is planned anew at each call, and one booking asks some
-- twenty times. The claims are read once, not for each row of the table.

create or replace function app.org_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user constant uuid := auth.uid();
  v_claims constant jsonb := auth.jwt();
  v_org constant text := lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id'));
begin
  return (select m.org_id from public.memberships m where m.user_id = v_user and m.org_id::text = v_org);
end $$;

create or replace function app.org_role() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user constant uuid := auth.uid();
  v_claims constant jsonb := auth.jwt();
  v_org constant text := lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id'));
begin
  return (select m.role from public.memberships m where m.user_id = v_user and m.org_id::text = v_org);
end $$;
