-- Reservations and what hangs on them.
--
-- A pending booking keeps its nights until hold_until. After that it counts as
-- gone: reads say so, its nights are offered again, and a request that books them
-- cancels it in the same transaction.

create table public.reservations (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-HJ-NP-Z2-9]{6}$'),
  group_code text check (group_code ~ '^GRP-[A-HJ-NP-Z2-9]{6}$'),
  status text not null default 'confirmed'
    check (status in ('pending', 'confirmed', 'checked_in', 'checked_out', 'cancelled', 'no_show')),
  -- Until when a pending booking keeps its nights. Null holds without an end.
  hold_until timestamptz,
  channel text not null default 'direct'
    check (channel in ('direct', 'website', 'phone', 'email', 'walk_in', 'booking_com', 'airbnb', 'expedia', 'agent', 'other')),
  check_in date not null,
  check_out date not null,
  nights int not null generated always as (check_out - check_in) stored,
  guest_name text not null check (length(btrim(guest_name)) between 1 and 160),
  guest_email text check (length(guest_email) <= 254 and guest_email like '%_@_%'),
  guest_phone_country_code text check (guest_phone_country_code ~ '^\+[1-9][0-9]{0,3}$'),
  guest_phone text check (guest_phone ~ '^[0-9][0-9 -]{2,19}$'),
  -- ISO 3166, two letters.
  guest_country text check (guest_country ~ '^[A-Z]{2}$'),
  adults int not null default 1 check (adults between 1 and 200),
  children int not null default 0 check (children between 0 and 200),
  special_requests text not null default '' check (length(special_requests) <= 4000),
  notes text not null default '' check (length(notes) <= 4000),
  package_id uuid,
  -- The code as it was used; the coupon itself may change or go.
  coupon_code text check (length(coupon_code) <= 40),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The sum of the nightly lines, before discount and tax.
  room_total numeric(12, 2) not null default 0 check (room_total between 0 and 99999999),
  -- Further guests; part of room revenue.
  extra_guest_total numeric(12, 2) not null default 0 check (extra_guest_total between 0 and 99999999),
  -- The part of a package's price that is not room revenue.
  package_other_total numeric(12, 2) not null default 0 check (package_other_total between 0 and 99999999),
  discount_total numeric(12, 2) not null default 0 check (discount_total between 0 and 99999999),
  extras_total numeric(12, 2) not null default 0 check (extras_total between 0 and 99999999),
  tax_total numeric(12, 2) not null default 0 check (tax_total between 0 and 99999999),
  total numeric(12, 2) not null generated always as
    (room_total + extra_guest_total + package_other_total - discount_total + extras_total + tax_total) stored,
  deposit_due numeric(12, 2) not null default 0 check (deposit_due between 0 and 99999999),
  checked_in_at timestamptz,
  checked_out_at timestamptz,
  cancelled_at timestamptz,
  cancellation_reason text check (length(cancellation_reason) <= 1000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  foreign key (org_id, entity_id, package_id) references public.packages (org_id, entity_id, id),
  -- Zero nights are day use: revenue of its day, and never a night.
  constraint dates_in_order check (check_out >= check_in and check_out - check_in <= 730),
  check (discount_total <= room_total + extra_guest_total),
  check (deposit_due <= room_total + extra_guest_total + package_other_total - discount_total + extras_total + tax_total)
);
create index reservations_check_in on public.reservations (org_id, entity_id, check_in, check_out);
create index reservations_check_out on public.reservations (org_id, entity_id, check_out);
create index reservations_group on public.reservations (org_id, group_code) where group_code is not null;
create index reservations_guest on public.reservations using gin (guest_name extensions.gin_trgm_ops);
create index reservations_email on public.reservations (org_id, lower(guest_email));
create index reservations_in_house on public.reservations (org_id, entity_id, check_out) where status = 'checked_in';
create index reservations_nights on public.reservations (org_id, entity_id, nights);
create index reservations_marks on public.reservations using gin
  ((code || ' ' || coalesce(group_code, '') || ' ' || coalesce(guest_email, '')) extensions.gin_trgm_ops);
create index reservations_phone on public.reservations using gin
  (regexp_replace(coalesce(guest_phone_country_code, '') || coalesce(guest_phone, ''), '[^0-9]', '', 'g') extensions.gin_trgm_ops);
create trigger code before insert or update of code on public.reservations
  for each row execute function app.fill_random_code('');
call app.tenant_table('reservations');

-- Pending, confirmed, in-house and departed bookings take their nights;
-- cancelled ones and no-shows do not.
create function app.takes_nights(p_status text) returns boolean
language sql immutable set search_path = '' as $$
  select p_status in ('pending', 'confirmed', 'checked_in', 'checked_out')
$$;

-- The units that a reservation takes, all for its whole period.
create table public.reservation_rooms (
  org_id uuid not null,
  entity_id uuid not null,
  reservation_id uuid not null,
  room_id uuid not null,
  primary key (org_id, reservation_id, room_id),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, room_id) references public.rooms (org_id, entity_id, id)
);
create index reservation_rooms_room on public.reservation_rooms (org_id, room_id);
call app.tenant_table('reservation_rooms');

-- What each night of each unit costs, as agreed; never computed again.
create table public.reservation_nights (
  org_id uuid not null,
  entity_id uuid not null,
  reservation_id uuid not null,
  room_id uuid not null,
  night date not null,
  source text not null default 'base' check (source in ('base', 'season', 'package', 'manual')),
  season_code text check (length(season_code) <= 40),
  base_amount numeric(12, 2) not null check (base_amount between 0 and 9999999),
  tier_code text check (length(tier_code) <= 40),
  tier_percent numeric(6, 2) not null default 0 check (tier_percent between -90 and 500),
  -- The night's price after season, tier, rounding and limits.
  amount numeric(12, 2) not null check (amount between 0 and 9999999),
  -- This night's share of what further guests pay, and of the discount.
  extra_guests numeric(12, 2) not null default 0 check (extra_guests between 0 and 9999999),
  discount numeric(12, 2) not null default 0 check (discount between 0 and 9999999),
  revenue numeric(12, 2) not null generated always as (amount + extra_guests - discount) stored,
  primary key (org_id, reservation_id, room_id, night),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, room_id) references public.rooms (org_id, entity_id, id),
  check (discount <= amount + extra_guests)
);
create index reservation_nights_night on public.reservation_nights (org_id, entity_id, night);
call app.tenant_table('reservation_nights');

-- The extras of a reservation, with the price as agreed. factor is how often
-- the unit price counts: 1 per stay, nights, guests, or guests times nights.
create table public.reservation_extras (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  reservation_id uuid not null,
  extra_id uuid not null,
  quantity int not null default 1 check (quantity between 1 and 1000),
  unit_price numeric(12, 2) not null check (unit_price between 0 and 9999999),
  per text not null check (per in ('stay', 'night', 'guest', 'guest_night')),
  factor int not null default 1 check (factor between 1 and 100000),
  tax_rate numeric(5, 2) not null default 0 check (tax_rate between 0 and 100),
  amount numeric(14, 2) not null generated always as (unit_price * quantity * factor) stored check (amount <= 99999999),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, reservation_id, extra_id),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, extra_id) references public.extras (org_id, entity_id, id)
);
create index reservation_extras_extra on public.reservation_extras (org_id, extra_id);
call app.tenant_table('reservation_extras');

-- What guests chose for an extra that asks for a choice: meals, dates, wishes.
-- choices: [{"date", "meal", "guest", "items": [menu item codes]}].
create table public.extra_selections (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^SEL-[A-HJ-NP-Z2-9]{6}$'),
  reservation_id uuid not null,
  extra_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'completed', 'submitted', 'not_required')),
  choices jsonb not null default '[]' check (jsonb_typeof(choices) = 'array'),
  service_date date,
  preferences text not null default '' check (length(preferences) <= 2000),
  completed_at timestamptz,
  submitted_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  unique (org_id, reservation_id, extra_id),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, extra_id) references public.extras (org_id, entity_id, id)
);
create index extra_selections_status on public.extra_selections (org_id, entity_id, status);
create trigger code before insert or update of code on public.extra_selections
  for each row execute function app.fill_random_code('SEL-');
call app.tenant_table('extra_selections');

create table public.payments (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^PAY-[A-HJ-NP-Z2-9]{6}$'),
  reservation_id uuid not null,
  kind text not null default 'payment' check (kind in ('payment', 'refund')),
  method text not null check (method in ('cash', 'card', 'bank_transfer', 'upi', 'online', 'other')),
  status text not null default 'completed' check (status in ('pending', 'completed', 'failed')),
  -- Always positive; the kind says which way it went.
  amount numeric(12, 2) not null check (amount > 0 and amount <= 99999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  received_on date not null,
  reference text not null default '' check (length(reference) <= 120),
  note text not null default '' check (length(note) <= 1000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id)
);
create index payments_reservation on public.payments (org_id, reservation_id);
create trigger code before insert or update of code on public.payments
  for each row execute function app.fill_random_code('PAY-');
call app.tenant_table('payments');

-- One row for each use of a coupon. A cancelled booking's row may be deleted,
-- which gives the use back.
create table public.coupon_uses (
  org_id uuid not null,
  entity_id uuid not null,
  coupon_id uuid not null,
  reservation_id uuid not null,
  amount numeric(12, 2) not null check (amount between 0 and 99999999),
  used_at timestamptz not null default now(),
  primary key (org_id, coupon_id, reservation_id),
  foreign key (org_id, entity_id, coupon_id) references public.coupons (org_id, entity_id, id),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id) on delete cascade
);
create index coupon_uses_reservation on public.coupon_uses (org_id, reservation_id);
call app.tenant_table('coupon_uses');

-- The coupon's row is held while uses are counted, so that the last use is given
-- once. It runs as the caller: before the row policy is checked, a definer
-- function would tell another organisation whether a coupon is used up.
create function app.coupon_limit() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_limit int;
begin
  select usage_limit into v_limit from public.coupons
  where org_id = new.org_id and entity_id = new.entity_id and id = new.coupon_id for no key update;
  if (select count(*) from public.coupon_uses where org_id = new.org_id and coupon_id = new.coupon_id) >= v_limit then
    raise sqlstate 'PT409' using message = 'coupon_used_up', detail = 'The coupon has been used as often as it may be.';
  end if;
  return new;
end $$;
create trigger coupon_limit before insert on public.coupon_uses
  for each row execute function app.coupon_limit();

-- A group's code, for callers who book one.
create function app.group_code() returns text
language sql volatile set search_path = '' as $$ select 'GRP-' || app.human_code(6) $$;

revoke execute on all routines in schema app from public;
grant execute on function app.takes_nights(text), app.group_code() to authenticated;
