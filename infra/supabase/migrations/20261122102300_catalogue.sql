-- What is sold beside the room: extras, packages, coupons, and the chef's menu.
-- The functions that change them follow the reservations, which they look at.

create table public.extras (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  description text not null default '' check (length(description) <= 4000),
  category text not null default 'other' check (length(btrim(category)) between 1 and 60),
  price numeric(12, 2) not null check (price between 0 and 9999999),
  per text not null default 'stay' check (per in ('stay', 'night', 'guest', 'guest_night')),
  tax_rate numeric(5, 2) not null default 0 check (tax_rate between 0 and 100),
  -- Guests choose something for it before they come (meals, dates): see extra_selections.
  selection_required boolean not null default false,
  active boolean not null default true,
  sort int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id)
);
create trigger code before insert or update of code on public.extras
  for each row execute function app.fill_code('EXTRA');
call app.tenant_table('extras');

create table public.packages (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  description text not null default '' check (length(description) <= 4000),
  price numeric(12, 2) not null check (price between 0 and 9999999),
  per text not null default 'stay' check (per in ('stay', 'night')),
  -- The share of the price that counts as room revenue; the rest is other revenue.
  room_share_percent numeric(5, 2) not null default 100 check (room_share_percent between 0 and 100),
  min_nights int not null default 1 check (min_nights between 1 and 365),
  max_nights int check (max_nights between 1 and 365),
  included_guests int not null default 2 check (included_guests between 1 and 50),
  valid_from date,
  valid_to date,
  active boolean not null default true,
  sort int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  check (max_nights is null or min_nights <= max_nights),
  check (valid_from is null or valid_to is null or valid_from <= valid_to)
);
create trigger code before insert or update of code on public.packages
  for each row execute function app.fill_code('PACKAGE');
call app.tenant_table('packages');

-- The room types for which a package can be booked.
create table public.packages_rooms (
  org_id uuid not null,
  entity_id uuid not null,
  package_id uuid not null,
  room_type_id uuid not null,
  primary key (org_id, package_id, room_type_id),
  foreign key (org_id, entity_id, package_id) references public.packages (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, room_type_id) references public.room_types (org_id, entity_id, id) on delete cascade
);
create index packages_rooms_type on public.packages_rooms (org_id, room_type_id);
call app.tenant_table('packages_rooms');

-- The extras that a package contains.
create table public.packages_extras (
  org_id uuid not null,
  entity_id uuid not null,
  package_id uuid not null,
  extra_id uuid not null,
  quantity int not null default 1 check (quantity between 1 and 100),
  primary key (org_id, package_id, extra_id),
  foreign key (org_id, entity_id, package_id) references public.packages (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, extra_id) references public.extras (org_id, entity_id, id)
);
create index packages_extras_extra on public.packages_extras (org_id, extra_id);
call app.tenant_table('packages_extras');

-- Codes are kept trimmed and in upper case. valid_from and valid_to bound the
-- day of booking, stay_from and stay_to the nights; all of them inclusive. A
-- coupon without rows in coupon_rooms and coupon_packages holds for everything.
create table public.coupons (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9_-]{0,39}$'),
  name text not null default '' check (length(name) <= 120),
  description text not null default '' check (length(description) <= 2000),
  kind text not null check (kind in ('percent', 'fixed')),
  amount numeric(12, 2) not null check (amount > 0 and amount <= 9999999),
  max_discount numeric(12, 2) check (max_discount between 0 and 9999999),
  valid_from date,
  valid_to date,
  stay_from date,
  stay_to date,
  min_nights int check (min_nights between 1 and 365),
  min_amount numeric(12, 2) check (min_amount between 0 and 9999999),
  usage_limit int check (usage_limit between 1 and 1000000),
  active boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  check (kind <> 'percent' or amount <= 100),
  check (valid_from is null or valid_to is null or valid_from <= valid_to),
  check (stay_from is null or stay_to is null or stay_from <= stay_to)
);
create unique index coupons_code on public.coupons (org_id, entity_id, upper(btrim(code)));
create trigger code before insert or update of code on public.coupons
  for each row execute function app.fill_code('COUPON');
call app.tenant_table('coupons');

create table public.coupon_rooms (
  org_id uuid not null,
  entity_id uuid not null,
  coupon_id uuid not null,
  room_type_id uuid not null,
  primary key (org_id, coupon_id, room_type_id),
  foreign key (org_id, entity_id, coupon_id) references public.coupons (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, room_type_id) references public.room_types (org_id, entity_id, id) on delete cascade
);
create index coupon_rooms_type on public.coupon_rooms (org_id, room_type_id);
call app.tenant_table('coupon_rooms');

create table public.coupon_packages (
  org_id uuid not null,
  entity_id uuid not null,
  coupon_id uuid not null,
  package_id uuid not null,
  primary key (org_id, coupon_id, package_id),
  foreign key (org_id, entity_id, coupon_id) references public.coupons (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, package_id) references public.packages (org_id, entity_id, id) on delete cascade
);
create index coupon_packages_package on public.coupon_packages (org_id, package_id);
call app.tenant_table('coupon_packages');

create table public.chef_menu_items (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (length(btrim(name)) between 1 and 120),
  description text not null default '' check (length(description) <= 2000),
  category text not null check (category in ('starters', 'local_mains', 'continental_mains', 'local_sides', 'continental_sides')),
  price numeric(12, 2) not null default 0 check (price between 0 and 9999999),
  -- Words such as vegetarian, vegan, gluten-free, contains nuts.
  dietary text[] not null default '{}' check (cardinality(dietary) <= 20),
  available boolean not null default true,
  sort int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id)
);
create trigger code before insert or update of code on public.chef_menu_items
  for each row execute function app.fill_code('DISH');
call app.tenant_table('chef_menu_items');
