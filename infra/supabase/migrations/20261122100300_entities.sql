-- Entities, their settings, and the codes by which people know what belongs to one.

-- Members read them; administrators change their settings.
create table public.entities (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('property', 'company', 'business')),
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
call app.tenant_table('entities');
revoke insert, delete on public.entities from authenticated;
drop policy staff_insert on public.entities;
drop policy staff_delete on public.entities;
drop policy staff_update on public.entities;
create policy admins_update on public.entities for update to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin')
  with check (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');

-- The caller's org, for callers who may change its records.
create function app.staff_org(p_entity uuid) returns uuid
language plpgsql stable set search_path = '' as $$
declare
  v_org uuid;
begin
  if coalesce(app.org_role(), '') not in ('admin', 'manager') then
    raise sqlstate 'PT403' using message = 'role_required', detail = 'Only administrators and managers may change this.';
  end if;
  select e.org_id into v_org from public.entities e where e.id = p_entity and e.kind = 'property';
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_property', detail = 'There is no such property.';
  end if;
  return v_org;
end $$;

-- What a caller is told of an entity by whoami, and what previews therefore rest
-- on. Raises PT404 'unknown_entity'.
create function public.entity_facts(p_entity uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v public.entities;
begin
  select * into v from public.entities e where e.id = p_entity;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_entity', detail = 'Your organisation has no such place.';
  end if;
  return jsonb_build_object('id', v.id, 'key', v.key, 'kind', v.kind, 'name', v.name,
                            'timeZone', v.time_zone, 'currency', v.currency, 'locale', v.locale);
end $$;

-- What a property says of itself to guests.
create function public.entity_contact(p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('name', e.name, 'checkInTime', e.settings ->> 'checkInTime', 'checkOutTime', e.settings ->> 'checkOutTime',
                            'phone', e.settings ->> 'phone', 'email', e.settings ->> 'email', 'address', e.settings ->> 'address')
  from public.entities e where e.id = p_entity
$$;

-- A number among a property's settings, or what holds without one.
create function app.number_setting(p_settings jsonb, p_name text, p_otherwise numeric) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  return case when jsonb_typeof(p_settings -> p_name) = 'number' then (p_settings ->> p_name)::numeric else p_otherwise end;
end $$;

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

-- Trigger: gives a row that hangs on another a random code of four signs behind
-- the prefix in its first argument, unique among the rows whose column of the
-- second argument names the same parent: "LEG-", "trip_id".
create function app.fill_child_code() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_parent text := to_jsonb(new) ->> tg_argv[1];
  taken boolean;
begin
  new.code := upper(btrim(coalesce(new.code, '')));
  if new.code <> '' then
    return new;
  end if;
  loop
    new.code := tg_argv[0] || app.human_code(4);
    execute format('select exists (select from public.%I where org_id = $1 and %I = $2::uuid and code = $3)', tg_table_name, tg_argv[1])
      into taken using new.org_id, v_parent, new.code;
    exit when not taken;
  end loop;
  return new;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.staff_org(uuid), app.number_setting(jsonb, text, numeric), app.human_code(int)
   to authenticated;
revoke execute on function public.entity_facts(uuid), public.entity_contact(uuid) from public, anon, service_role;
grant execute on function public.entity_facts(uuid), public.entity_contact(uuid) to authenticated;
