-- Tenancy: who belongs to which organisation, and what every tenant table gets.
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

create table public.orgs (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  created_at timestamptz not null default now()
);

create table public.memberships (
  org_id uuid not null references public.orgs (id),
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('admin', 'manager', 'viewer')),
  name text not null default '' check (length(name) <= 120),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index memberships_user on public.memberships (user_id);

-- The org that the caller acts for: the one that the token names, provided the
-- caller is a member of it; otherwise null. Compared as text, so that a claim
-- which is not a UUID means "no org" and not an error.
create function app.org_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select m.org_id
  from public.memberships m
  where m.user_id = auth.uid()
    and m.org_id::text = lower(coalesce(auth.jwt() -> 'app_metadata' ->> 'org_id', auth.jwt() ->> 'org_id'))
$$;

-- The caller's role in app.org_id(): admin, manager, viewer, or null.
create function app.org_role() returns text
language sql stable security definer set search_path = '' as $$
  select m.role
  from public.memberships m
  where m.user_id = auth.uid()
    and m.org_id::text = lower(coalesce(auth.jwt() -> 'app_metadata' ->> 'org_id', auth.jwt() ->> 'org_id'))
$$;

create table public.entities (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('property', 'company')),
  key text not null check (key ~ '^[A-Z0-9][A-Z0-9-]{0,23}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  -- The comparison fails with "time zone not recognized" for a name that PostgreSQL does not know.
  time_zone text not null check (timezone(time_zone, timestamptz '2000-01-01 00:00+00') is not null),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  locale text not null default 'en' check (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$'),
  -- weekendNights: ISO weekdays whose nights take the weekend price (5 is Friday);
  -- depositPercent, roomTaxRate, freeCancelDays, checkInTime, checkOutTime, phone, email, address.
  settings jsonb not null default '{"weekendNights": [5, 6], "depositPercent": 0, "roomTaxRate": 0}'
    check (jsonb_typeof(settings) = 'object'),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, key)
);

-- Letters and digits for codes that people read aloud: no I, O, 0 or 1. The
-- alphabet has 32 signs, so five random bits pick one without bias. Bytes 6 and
-- 8 of a version 4 UUID are partly fixed and are left out.
create function app.human_code(p_length int) returns text
language plpgsql volatile set search_path = '' as $$
declare
  alphabet constant text := 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  random bytea := uuid_send(gen_random_uuid());
  code text := '';
begin
  if p_length not between 1 and 6 then
    raise exception 'human_code: the length must be 1 to 6, not %', p_length;
  end if;
  for i in 0 .. p_length - 1 loop
    code := code || substr(alphabet, (get_byte(random, i) & 31) + 1, 1);
  end loop;
  return code;
end $$;

-- A name as a code: upper case, words joined by hyphens, at most 32 signs.
-- Empty when the name has no Latin letter or digit.
create function app.slug(p_name text) returns text
language sql immutable set search_path = '' as $$
  select btrim(left(btrim(regexp_replace(upper(translate(coalesce(p_name, ''), '''’', '')), '[^A-Z0-9]+', '-', 'g'), '-'), 32), '-')
$$;

-- Trigger: trims and upper-cases a given code; makes one from the name when
-- none is given. Argument: the prefix of a random code for names without Latin letters.
create function app.fill_code() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  base text;
  attempt int := 1;
  taken boolean;
begin
  new.code := upper(btrim(coalesce(new.code, '')));
  if new.code <> '' then
    return new;
  end if;
  base := coalesce(nullif(app.slug(new.name), ''), tg_argv[0] || '-' || app.human_code(6));
  new.code := base;
  loop
    execute format('select exists (select from public.%I where org_id = $1 and entity_id = $2 and code = $3)', tg_table_name)
      into taken using new.org_id, new.entity_id, new.code;
    exit when not taken;
    attempt := attempt + 1;
    new.code := base || '-' || attempt;
  end loop;
  return new;
end $$;

-- Trigger: gives a row a random code of six signs behind the prefix in its argument,
-- unique in the org. Reservations have no prefix.
create function app.fill_random_code() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  taken boolean;
begin
  new.code := upper(btrim(coalesce(new.code, '')));
  if new.code <> '' then
    return new;
  end if;
  loop
    new.code := tg_argv[0] || app.human_code(6);
    execute format('select exists (select from public.%I where org_id = $1 and code = $2)', tg_table_name)
      into taken using new.org_id, new.code;
    exit when not taken;
  end loop;
  return new;
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
