-- The same two functions in PL/pgSQL. Every row policy asks them once per
-- statement, and a function in SQL is planned anew each time it is first asked
-- there, which cost more than most of the statements themselves.

create or replace function app.org_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select m.org_id
    from public.memberships m
    where m.user_id = auth.uid()
      and m.org_id::text = lower(coalesce(auth.jwt() -> 'app_metadata' ->> 'org_id', auth.jwt() ->> 'org_id')));
end $$;

create or replace function app.org_role() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select m.role
    from public.memberships m
    where m.user_id = auth.uid()
      and m.org_id::text = lower(coalesce(auth.jwt() -> 'app_metadata' ->> 'org_id', auth.jwt() ->> 'org_id')));
end $$;
