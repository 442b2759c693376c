-- Stays: the one table that knows whether a unit is free. Rows of kind 'booking'
-- follow by trigger from reservations and reservation_rooms and are written by
-- no one else; rows of kind 'block' hang on blocked_dates. One exclusion
-- constraint covers both, so nothing can take a night twice.

-- A period in which units are not to be let. starts_on is the first night
-- blocked, ends_on the first one free again. The units' own rows are in stays.
create table public.blocked_dates (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^BLK-[A-HJ-NP-Z2-9]{6}$'),
  reason text not null check (reason in ('maintenance', 'staff_holiday', 'renovation', 'other')),
  note text not null default '' check (length(note) <= 2000),
  starts_on date not null,
  ends_on date not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, entity_id, id),
  unique (org_id, code),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  check (starts_on < ends_on and ends_on - starts_on <= 1100)
);
create index blocked_dates_range on public.blocked_dates (org_id, entity_id, starts_on, ends_on);
create trigger code before insert or update of code on public.blocked_dates
  for each row execute function app.fill_random_code('BLK-');
call app.tenant_table('blocked_dates');

create table public.stays (
  org_id uuid not null,
  entity_id uuid not null,
  id uuid not null default gen_random_uuid(),
  room_id uuid not null,
  kind text not null check (kind in ('booking', 'block')),
  reservation_id uuid,
  block_id uuid,
  period daterange not null,
  active boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, entity_id, room_id) references public.rooms (org_id, entity_id, id),
  foreign key (org_id, entity_id, reservation_id) references public.reservations (org_id, entity_id, id) on delete cascade,
  foreign key (org_id, entity_id, block_id) references public.blocked_dates (org_id, entity_id, id) on delete cascade,
  constraint stays_kind_has_its_owner check (
    (kind = 'booking' and reservation_id is not null and block_id is null) or
    (kind = 'block' and block_id is not null and reservation_id is null)),
  constraint stays_period_is_half_open check (
    not isempty(period) and not lower_inf(period) and not upper_inf(period) and lower_inc(period) and not upper_inc(period)),
  -- With org_id, or another organisation's insert would tell by its error whether the unit is taken.
  constraint stays_no_overlap exclude using gist (org_id with =, room_id with =, period with &&) where (active)
);
create index stays_reservation on public.stays (org_id, reservation_id) where reservation_id is not null;
create index stays_block on public.stays (org_id, block_id) where block_id is not null;
create index stays_period on public.stays using gist (org_id, entity_id, period);
call app.tenant_table('stays');
-- People write blocks; bookings follow from the reservation.
alter policy staff_insert on public.stays
  with check (kind = 'block' and org_id = (select app.org_id()) and (select app.org_role()) in ('admin', 'manager'));
alter policy staff_update on public.stays
  using (kind = 'block' and org_id = (select app.org_id()) and (select app.org_role()) in ('admin', 'manager'))
  with check (kind = 'block' and org_id = (select app.org_id()) and (select app.org_role()) in ('admin', 'manager'));
alter policy staff_delete on public.stays
  using (kind = 'block' and org_id = (select app.org_id()) and (select app.org_role()) in ('admin', 'manager'));

-- After new rooms: one stay each. All units are locked first, in ascending
-- order, before any row meets the constraint.
create function app.rooms_taken() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.rooms r
  where (r.org_id, r.id) in (select a.org_id, a.room_id from added a)
  order by r.id for no key update;
  insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, active)
  select a.org_id, a.entity_id, a.room_id, 'booking', a.reservation_id,
         daterange(r.check_in, r.check_out, '[)'), app.takes_nights(r.status)
  from added a
  join public.reservations r on r.org_id = a.org_id and r.entity_id = a.entity_id and r.id = a.reservation_id
  where r.check_in < r.check_out
  order by a.room_id;
  return null;
end $$;
create trigger rooms_taken after insert on public.reservation_rooms
  referencing new table as added for each statement execute function app.rooms_taken();

create function app.rooms_given_back() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.stays s using removed d
  where s.org_id = d.org_id and s.reservation_id = d.reservation_id and s.room_id = d.room_id;
  return null;
end $$;
create trigger rooms_given_back after delete on public.reservation_rooms
  referencing old table as removed for each statement execute function app.rooms_given_back();

-- A row names one unit of one reservation; another unit is another row.
create function app.no_update() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PT422' using message = 'insert_and_delete_only',
    detail = format('Rows of %s are inserted and deleted, not changed.', tg_table_name);
end $$;
create trigger no_update before update on public.reservation_rooms
  for each row execute function app.no_update();

-- After a change of dates or status, the stays follow. Room by room in
-- ascending order; a cancelled booking frees its nights in the same statement.
create function app.stays_follow() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_rooms uuid[];
begin
  if (new.check_in, new.check_out, app.takes_nights(new.status))
     is not distinct from (old.check_in, old.check_out, app.takes_nights(old.status)) then
    return null;
  end if;
  select array_agg(room_id) into v_rooms from public.reservation_rooms
  where org_id = new.org_id and reservation_id = new.id;
  perform app.lock_rooms(new.org_id, v_rooms);
  if new.check_in = new.check_out or old.check_in = old.check_out then
    delete from public.stays where org_id = new.org_id and reservation_id = new.id;
    insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, active)
    select new.org_id, new.entity_id, room, 'booking', new.id,
           daterange(new.check_in, new.check_out, '[)'), app.takes_nights(new.status)
    from unnest(v_rooms) room
    where new.check_in < new.check_out;
  else
    update public.stays
    set period = daterange(new.check_in, new.check_out, '[)'), active = app.takes_nights(new.status)
    where org_id = new.org_id and reservation_id = new.id;
  end if;
  return null;
end $$;
create trigger stays_follow after update of check_in, check_out, status on public.reservations
  for each row execute function app.stays_follow();

revoke execute on all routines in schema app from public;
