-- People and machines of an organisation, managed by its administrators.
--
-- A machine user is a member for a program. Its API key is its only credential:
-- the key's secret is the password of its account, and api_keys knows the
-- secret's digest. Removing the membership ends both at once.

-- Members of an org. They are read by members and managed by jobs and by
-- administrators' functions, never by a plain write.
create table public.memberships (
  org_id uuid not null references public.orgs (id),
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('admin', 'manager', 'viewer')),
  name text not null default '' check (length(name) <= 120),
  kind text not null default 'person' check (kind in ('person', 'machine')),
  -- From then on it counts for nothing. Null is no end.
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, user_id),
  constraint machines_have_names check (kind = 'person' or length(btrim(name)) > 0),
  -- An administrator has no end, so that an organisation always keeps one.
  constraint admins_are_people_for_good check (role <> 'admin' or kind = 'person' and ends_at is null)
);
create index memberships_user on public.memberships (user_id);
create unique index memberships_machine on public.memberships (org_id, lower(name)) where kind = 'machine';
call app.tenant_table('memberships');
revoke insert, update, delete on public.memberships from authenticated;
drop policy staff_insert on public.memberships;
drop policy staff_update on public.memberships;
drop policy staff_delete on public.memberships;

-- A digest is of a random secret of 240 bits.
create table public.api_keys (
  org_id uuid not null,
  user_id uuid not null unique,
  digest bytea not null check (length(digest) = 32),
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz, -- to the minute
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
call app.control_table('api_keys');

-- Who is asking, what they may choose from, and which limits the organisation has.
create function public.whoami() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return (
    select jsonb_build_object(
      'user', m.user_id,
      'name', coalesce(nullif(m.name, ''), auth.jwt() -> 'user_metadata' ->> 'name', auth.jwt() ->> 'email', ''),
      'email', coalesce(auth.jwt() ->> 'email', ''),
      'org', o.id, 'orgName', o.name, 'role', m.role,
      'guarded', coalesce(current_setting('app.guarded', true), '') = 'true',
      'budgeted', exists (select from public.budgets b where b.org_id = v_org),
      'assistants', app.assistants_of(v_org),
      'rates', (select jsonb_object_agg(r.door, jsonb_build_object('user', r.per_user, 'org', r.per_org)) from public.rate_limits r where r.org_id = v_org),
      'entities', coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'key', e.key, 'kind', e.kind, 'name', e.name,
                                            'timeZone', e.time_zone, 'currency', e.currency, 'locale', e.locale) order by e.key)
        from public.entities e where e.org_id = v_org), '[]'))
    from public.memberships m join public.orgs o on o.id = m.org_id
    where m.org_id = v_org and m.user_id = auth.uid());
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

-- A member as administrators see one. Never what opens the account.
create function app.member_json(p_org uuid, p_user uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', m.user_id, 'name', m.name, 'email', case when m.kind = 'person' then coalesce(u.email, '') else '' end,
    'role', m.role, 'kind', m.kind, 'createdAt', m.created_at, 'expiresAt', m.ends_at, 'usedAt', k.used_at)
  from public.memberships m
  join auth.users u on u.id = m.user_id
  left join public.api_keys k on k.org_id = m.org_id and k.user_id = m.user_id
  where m.org_id = p_org and m.user_id = p_user
$$;

create function public.member_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.admin_org();
begin
  return (
    select coalesce(jsonb_agg(app.member_json(v_org, m.user_id) order by m.kind desc, lower(m.name), m.user_id), '[]')
    from public.memberships m where m.org_id = v_org);
end $$;

-- Makes an account a member. A machine needs an account that was made for this
-- organisation, and the hexadecimal digest of its secret.
create function public.member_add(p_user uuid, p_name text, p_role text, p_kind text default 'person', p_days int default null, p_digest text default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.admin_org();
  v_made_for text;
  v_constraint text;
begin
  select coalesce(u.raw_app_meta_data ->> 'bellhop_org', '') into v_made_for from auth.users u where u.id = p_user and u.deleted_at is null;
  if not found or p_kind = 'machine' and v_made_for <> v_org::text then
    raise sqlstate 'PT404' using message = 'unknown_account', detail = 'There is no such account.';
  end if;
  if p_kind = 'machine' and p_role = 'admin' then
    raise sqlstate 'PT422' using message = 'machine_admin', detail = 'A program cannot be an administrator.';
  end if;
  insert into public.memberships (org_id, user_id, role, name, kind, ends_at)
  values (v_org, p_user, p_role, btrim(p_name), p_kind, now() + make_interval(days => p_days));
  if p_kind = 'machine' then
    insert into public.api_keys (org_id, user_id, digest, created_by) values (v_org, p_user, decode(p_digest, 'hex'), auth.uid());
  end if;
  return app.member_json(v_org, p_user);
exception when unique_violation then
  get stacked diagnostics v_constraint = constraint_name;
  if v_constraint = 'memberships_machine' then
    raise sqlstate 'PT409' using message = 'name_taken', detail = 'There is already an API key of that name.';
  end if;
  raise sqlstate 'PT409' using message = 'already_member', detail = 'This person already belongs to your organisation.';
end $$;

-- Locks the administrators, so that of several changes at once the last sees
-- what the others left, and returns the member.
create function app.member_locked(p_user uuid) returns public.memberships
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_member public.memberships;
begin
  perform from public.memberships m where m.org_id = v_org and m.role = 'admin' order by m.user_id for update;
  v_org := app.admin_org(); -- asked after the lock: it may have been taken away meanwhile
  select * into v_member from public.memberships m where m.org_id = v_org and m.user_id = p_user for update;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_user', detail = 'Your organisation has no such user.';
  end if;
  return v_member;
end $$;

-- Gives a member another role or name; null keeps what is. An administrator has no
-- end, so that an organisation always keeps one.
create function public.member_change(p_user uuid, p_role text default null, p_name text default null) returns jsonb
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

-- Ends a membership, and the key that hangs on it. An administrator stays,
-- since no user removes themselves.
create function public.member_remove(p_user uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_member public.memberships;
begin
  if p_user = auth.uid() then
    raise sqlstate 'PT422' using message = 'own_account', detail = 'You cannot delete yourself. Another administrator can.';
  end if;
  v_member := app.member_locked(p_user);
  delete from public.memberships m where m.org_id = v_member.org_id and m.user_id = p_user;
  return jsonb_build_object('id', p_user);
end $$;

-- What follows is for the users function, which holds the secret key.

-- The account of an address, for an administrator who wants to make it a member:
-- {"id","member","adrift"}, or null. Adrift is an account whose tokens name no
-- organisation that it belongs to.
create function public.account_find(p_org uuid, p_by uuid, p_email text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from public.memberships m where m.org_id = p_org and m.user_id = p_by and m.role = 'admin' and (m.ends_at is null or m.ends_at > now())) then
    raise sqlstate 'PT403' using message = 'admin_required', detail = 'Only an administrator of your organisation may do that.';
  end if;
  return (
    select jsonb_build_object('id', u.id,
      'member', exists (select from public.memberships m where m.org_id = p_org and m.user_id = u.id),
      'adrift', not exists (select from public.memberships m where m.user_id = u.id and m.org_id::text = lower(u.raw_app_meta_data ->> 'org_id')))
    from auth.users u where lower(u.email) = lower(btrim(p_email)) and u.deleted_at is null
    order by u.created_at limit 1);
end $$;

-- Whether an account was made for this organisation and belongs to none now, so
-- that it may be deleted. Accounts that were there before are left alone.
create function public.account_left(p_org uuid, p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.users u where u.id = p_user and u.raw_app_meta_data ->> 'bellhop_org' = p_org::text
    and not exists (select from public.memberships m where m.user_id = u.id))
$$;

-- The account that an API key opens: {"email"}, or {"expired": true}, or
-- {"waitMs"} for what is no key. The key says of which organisation it is. Only
-- wrong keys are counted, ten a minute: no attacker can lock a right one out.
create function public.api_key_open(p_user uuid, p_digest text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_nonce bytea := extensions.gen_random_bytes(16);
  v_key record;
begin
  select k.org_id, m.ends_at <= now() as expired, u.email into v_key
  from public.api_keys k
  join public.memberships m on m.org_id = k.org_id and m.user_id = k.user_id
  join auth.users u on u.id = k.user_id
  -- Compared under a nonce, so that the time it takes tells nothing of the digest.
  where k.user_id = p_user and extensions.hmac(k.digest, v_nonce, 'sha256') = extensions.hmac(decode(p_digest, 'hex'), v_nonce, 'sha256');
  if not found then
    return jsonb_build_object('waitMs', app.rate_place(
      coalesce((select k.org_id from public.api_keys k where k.user_id = p_user), '00000000-0000-0000-0000-000000000000'), 'api_key', 10));
  end if;
  if v_key.expired then
    return jsonb_build_object('expired', true);
  end if;
  update public.api_keys k set used_at = date_trunc('minute', now())
  where k.user_id = p_user and k.used_at is distinct from date_trunc('minute', now());
  return jsonb_build_object('email', v_key.email);
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.whoami(), public.my_orgs(), public.member_list(),
  public.member_add(uuid, text, text, text, int, text), public.member_change(uuid, text, text),
  public.member_remove(uuid) from public, anon, service_role;
grant execute on function public.whoami(), public.my_orgs(), public.member_list(),
  public.member_add(uuid, text, text, text, int, text), public.member_change(uuid, text, text),
  public.member_remove(uuid) to authenticated;
revoke execute on function public.account_find(uuid, uuid, text), public.account_left(uuid, uuid),
  public.api_key_open(uuid, text) from public, anon, authenticated;
grant execute on function public.account_find(uuid, uuid, text), public.account_left(uuid, uuid),
  public.api_key_open(uuid, text) to service_role;
