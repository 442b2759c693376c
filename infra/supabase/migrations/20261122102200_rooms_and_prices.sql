-- What is let and for how much: room types, their units, pricing models with
-- tiers, seasons. Keys are (org_id, …) throughout, so that neither a foreign key
-- nor a unique index can tell one tenant about another.

create table public.pricing_models (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  description text not null default '' check (length(description) <= 2000),
  -- The model that room types follow which name none.
  is_default boolean not null default false,
  active boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id)
);
create unique index pricing_models_one_default on public.pricing_models (org_id, entity_id) where is_default;
create trigger code before insert or update of code on public.pricing_models
  for each row execute function app.fill_code('MODEL');
call app.tenant_table('pricing_models');

-- A tier holds while the occupancy of the night (in percent, before the new
-- booking) is in [min, max), or in [min, ∞) when max is 100 or more, and the
-- days until arrival are in [lead_days_min, lead_days_max].
create table public.pricing_tiers (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  model_id uuid not null,
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  min_occupancy numeric(5, 2) not null check (min_occupancy between 0 and 100),
  max_occupancy numeric(5, 2) not null check (max_occupancy between 0 and 100),
  adjustment_percent numeric(6, 2) not null check (adjustment_percent between -90 and 500),
  lead_days_min int not null default 0 check (lead_days_min between 0 and 1000),
  lead_days_max int check (lead_days_max between 0 and 1000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  foreign key (org_id, entity_id, model_id) references public.pricing_models (org_id, entity_id, id) on delete cascade,
  check (min_occupancy < max_occupancy),
  check (lead_days_max is null or lead_days_min <= lead_days_max),
  constraint pricing_tiers_no_overlap exclude using gist (
    org_id with =, model_id with =,
    numrange(min_occupancy, max_occupancy) with &&,
    int4range(lead_days_min, lead_days_max, '[]') with &&)
);
create trigger code before insert or update of code on public.pricing_tiers
  for each row execute function app.fill_code('TIER');
call app.tenant_table('pricing_tiers');

create table public.room_types (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  description text not null default '' check (length(description) <= 4000),
  capacity int not null check (capacity between 1 and 50),
  -- Guests that the price includes, per unit; each further one pays extra_guest_price a night.
  included_guests int not null default 2 check (included_guests between 1 and 50),
  extra_guest_price numeric(12, 2) not null default 0 check (extra_guest_price between 0 and 9999999),
  weekday_price numeric(12, 2) not null check (weekday_price between 0 and 9999999),
  weekend_price numeric(12, 2) not null check (weekend_price between 0 and 9999999),
  min_stay int not null default 1 check (min_stay between 1 and 365),
  max_stay int not null default 30 check (max_stay between 1 and 365),
  -- No booking is made later than so many days before arrival. Without it the
  -- property's setting advanceNoticeDays holds, and without that one people may
  -- book until the day of arrival.
  advance_notice_days int check (advance_notice_days between 0 and 365),
  -- Limits of a night's price after seasons and tiers.
  floor_price numeric(12, 2) check (floor_price between 0 and 9999999),
  ceiling_price numeric(12, 2) check (ceiling_price between 0 and 9999999),
  -- ISO weekdays (1 is Monday) on which no guest may arrive or leave.
  closed_arrival_days int[] not null default '{}' check (closed_arrival_days <@ '{1,2,3,4,5,6,7}'::int[]),
  closed_departure_days int[] not null default '{}' check (closed_departure_days <@ '{1,2,3,4,5,6,7}'::int[]),
  pricing_model_id uuid,
  amenities text[] not null default '{}' check (cardinality(amenities) <= 60),
  active boolean not null default true,
  sort int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  foreign key (org_id, entity_id, pricing_model_id) references public.pricing_models (org_id, entity_id, id)
    on delete set null (pricing_model_id),
  check (included_guests <= capacity),
  check (min_stay <= max_stay),
  check (floor_price is null or ceiling_price is null or floor_price <= ceiling_price)
);
create index room_types_name on public.room_types (org_id, entity_id, name);
create trigger code before insert or update of code on public.room_types
  for each row execute function app.fill_code('ROOM');
call app.tenant_table('room_types');

-- Units: the rooms that can be taken. A type gets its first one by itself, with
-- its own code; further ones are inserted as COCO-2, COCO-3 and so on.
create table public.rooms (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  room_type_id uuid not null,
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  active boolean not null default true,
  sort int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  foreign key (org_id, entity_id, room_type_id) references public.room_types (org_id, entity_id, id) on delete cascade
);
create index rooms_type on public.rooms (org_id, room_type_id);
call app.tenant_table('rooms');

create function app.first_unit() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into public.rooms (org_id, entity_id, room_type_id, code)
  values (new.org_id, new.entity_id, new.id, new.code);
  return null;
end $$;
create trigger first_unit after insert on public.room_types
  for each row execute function app.first_unit();

-- Takes the rows of these units, in ascending order, until the transaction
-- ends. Whatever books, moves or blocks calls it first: rivals then queue
-- instead of meeting in the exclusion constraint, where they would deadlock.
create function app.lock_rooms(p_org uuid, p_rooms uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.rooms r
  where r.org_id = p_org and r.id = any (p_rooms)
  order by r.id
  for no key update;
end $$;

-- Dated prices and restrictions. Both ends are inclusive. A missing price falls
-- back to the type's own; without a room type the season holds for all of them.
-- Among several: the higher priority, then the shorter range, then the newest.
create table public.seasonal_pricing (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  room_type_id uuid,
  starts_on date not null,
  ends_on date not null,
  weekday_price numeric(12, 2) check (weekday_price between 0 and 9999999),
  weekend_price numeric(12, 2) check (weekend_price between 0 and 9999999),
  min_stay int check (min_stay between 1 and 365),
  closed_arrival boolean not null default false,
  closed_departure boolean not null default false,
  priority int not null default 0 check (priority between -1000 and 1000),
  active boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  foreign key (org_id, entity_id, room_type_id) references public.room_types (org_id, entity_id, id) on delete cascade,
  check (starts_on <= ends_on and ends_on - starts_on <= 1100)
);
create index seasonal_pricing_range on public.seasonal_pricing (org_id, entity_id, starts_on, ends_on);
create trigger code before insert or update of code on public.seasonal_pricing
  for each row execute function app.fill_code('SEASON');
call app.tenant_table('seasonal_pricing');

-- The pricing models of a property, the one that holds by default first, each with
-- its columns, its tiers and the room types that it prices.
create function public.pricing_model_list(p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(m) - '{org_id,entity_id,created_at,updated_at}'::text[] || jsonb_build_object(
    'pricing_tiers', (
      select coalesce(jsonb_agg(to_jsonb(t) - '{org_id,entity_id,created_at,updated_at}'::text[] order by t.code), '[]')
      from public.pricing_tiers t where t.org_id = m.org_id and t.model_id = m.id),
    'room_types', (
      select coalesce(jsonb_agg(jsonb_build_object('code', r.code, 'name', r.name, 'active', r.active) order by r.code), '[]')
      from public.room_types r where r.org_id = m.org_id and r.pricing_model_id = m.id))
    order by m.is_default desc, m.name, m.code), '[]')
  from public.pricing_models m where m.entity_id = p_entity
$$;

-- The seasons of a property by their first day, each with its columns.
create function public.season_list(p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(s) - '{org_id,entity_id,created_at,updated_at}'::text[] order by s.starts_on, s.code), '[]')
  from public.seasonal_pricing s where s.entity_id = p_entity
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.lock_rooms(uuid, uuid[]) to authenticated;
revoke execute on function public.pricing_model_list(uuid), public.season_list(uuid) from public, anon, service_role;
grant execute on function public.pricing_model_list(uuid), public.season_list(uuid) to authenticated;
call app.preview_reads('pricing_model_list', 'season_list');
