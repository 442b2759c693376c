-- An administrator has no end, so that an organisation always keeps one.
alter table public.memberships
  drop constraint machines_are_no_admins,
  add constraint admins_are_people_for_good check (role <> 'admin' or kind = 'person' and ends_at is null);

create or replace function public.member_change(p_user uuid, p_role text default null, p_name text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_member public.memberships := app.member_locked(p_user);
  v_role text := coalesce(p_role, v_member.role);
begin
  if v_member.kind = 'machine' and v_role = 'admin' then
    raise sqlstate 'PT422' using message = 'machine_admin', detail = 'A program cannot be an administrator.';
  end if;
  if v_member.ends_at is not null and v_role = 'admin' then
    raise sqlstate 'PT422' using message = 'admin_ends', detail = 'Somebody whose time ends cannot be an administrator.';
  end if;
  if v_member.role = 'admin' and v_role <> 'admin' and not exists (
    select from public.memberships m where m.org_id = v_member.org_id and m.user_id <> p_user and m.role = 'admin') then
    raise sqlstate 'PT409' using message = 'last_admin', detail = 'This is the last administrator. Make somebody else one first.';
  end if;
  update public.memberships m set role = v_role, name = coalesce(btrim(p_name), m.name)
  where m.org_id = v_member.org_id and m.user_id = p_user;
  return app.member_json(v_member.org_id, p_user);
exception when unique_violation then
  raise sqlstate 'PT409' using message = 'name_taken', detail = 'There is already an API key of that name.';
end $$;

-- The organisations that the caller belongs to, whichever the token names.
create function public.my_orgs() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_now uuid := app.org_id();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'current', o.id is not distinct from v_now)
                              order by lower(o.name), o.slug), '[]')
    from public.memberships m join public.orgs o on o.id = m.org_id
    where m.user_id = auth.uid() and (m.ends_at is null or m.ends_at > now()));
end $$;
revoke execute on function public.my_orgs() from public, anon, service_role;
grant execute on function public.my_orgs() to authenticated;
notify pgrst, 'reload schema';
