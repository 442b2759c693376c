-- Figures by night, kept in the transaction that books, changes or cancels: one
-- row for each night and unit of a counted booking, with its share of what was
-- agreed for the whole booking. Occupancy and revenue add up the rows of the
-- nights that they are asked for, however long the history is. A booking has rows
-- of its own, so no two bookings wait for each other here.
--
-- Amounts are in hundredths of the currency. The shares of a booking over n
-- room-nights, numbered unit by unit and night by night, are
--   round(amount × (k + 1) ÷ n, 2) − round(amount × k ÷ n, 2)
-- so that those of any stretch of nights add up to the share of the stretch, and
-- all of them to the amount.
create table app.night_figures (
  org_id uuid not null,
  entity_id uuid not null,
  night date not null,
  reservation_id uuid not null,
  slot int not null, -- which of the booking's units, by their ids, from 0
  room_type_id uuid not null,
  channel text not null,
  -- Of a night, 1: the booking's first one, 0: another one. Of a unit, 2: the
  -- booking's first one, 1: the first one of its type, 0: another one.
  arrival smallint not null,
  leads smallint not null,
  room bigint not null, -- the night's price with further guests, before discount
  discount bigint not null,
  extras bigint not null,
  package_other bigint not null,
  tax bigint not null,
  -- Rows go with the reservation's rooms, and these with the reservation.
  primary key (org_id, reservation_id, slot, night)
);
create index night_figures_night on app.night_figures (org_id, entity_id, night)
  include (room_type_id, channel, arrival, leads, room, discount, extras, package_other, tax);
create index night_figures_arrival on app.night_figures (org_id, entity_id, night) include (reservation_id) where arrival = 1;
revoke all on app.night_figures from public, anon, authenticated, service_role;

-- Writes the rows of these reservations anew.
create function app.figure_nights(p_org uuid, p_reservations uuid[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  delete from app.night_figures f where f.org_id = p_org and f.reservation_id = any (p_reservations);
  insert into app.night_figures (org_id, entity_id, night, reservation_id, slot, room_type_id, channel, arrival, leads,
                                 room, discount, extras, package_other, tax)
  select p_org, p.entity_id, p.check_in + n, p.id, p.slot, p.room_type_id, p.channel, (n = 0)::int,
         case when p.slot = 0 then 2 when p.of_type = 1 then 1 else 0 end,
         coalesce(100 * (l.amount + l.extra_guests), 0), coalesce(100 * l.discount, 0),
         case when p.extras_total = 0 then 0 else 100 * (round(p.extras_total * (k + 1) / w, 2) - round(p.extras_total * k / w, 2)) end,
         case when p.package_other_total = 0 then 0
              else 100 * (round(p.package_other_total * (k + 1) / w, 2) - round(p.package_other_total * k / w, 2)) end,
         case when p.tax_total = 0 then 0 else 100 * (round(p.tax_total * (k + 1) / w, 2) - round(p.tax_total * k / w, 2)) end
  from (
    select r.entity_id, r.id, r.check_in, r.nights, r.channel, r.extras_total, r.package_other_total, r.tax_total, q.room_id, u.room_type_id,
           count(*) over booking as rooms, row_number() over (booking order by q.room_id) - 1 as slot,
           row_number() over (partition by r.id, u.room_type_id order by q.room_id) as of_type
    from public.reservations r
    join public.reservation_rooms q on q.org_id = p_org and q.reservation_id = r.id
    join public.rooms u on u.org_id = p_org and u.id = q.room_id
    where r.org_id = p_org and r.id = any (p_reservations) and r.nights > 0
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
    window booking as (partition by r.id)
  ) p
  cross join lateral generate_series(0, p.nights - 1) n
  cross join lateral (values (p.slot * p.nights + n, p.rooms * p.nights)) s (k, w)
  left join public.reservation_nights l
    on l.org_id = p_org and l.reservation_id = p.id and l.room_id = p.room_id and l.night = p.check_in + n;
end $$;

-- After a change of rooms or lines. A move within a type changes no figure, and
-- app.move_stays says so.
create function app.figures_follow() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_of record;
begin
  if current_setting('app.moving', true) = 'on' then
    return null;
  end if;
  for v_of in
    select c.org_id, array_agg(distinct c.reservation_id) as ids from changed c
    -- Lines of a booking that has no room yet are counted when it gets one.
    where tg_table_name = 'reservation_rooms' or exists (
      select from public.reservation_rooms q where q.org_id = c.org_id and q.reservation_id = c.reservation_id)
    group by c.org_id
  loop
    perform app.figure_nights(v_of.org_id, v_of.ids);
  end loop;
  return null;
end $$;
create trigger zz_figures_added after insert on public.reservation_rooms
  referencing new table as changed for each statement execute function app.figures_follow();
create trigger zz_figures_removed after delete on public.reservation_rooms
  referencing old table as changed for each statement execute function app.figures_follow();
create trigger zz_figures_added after insert on public.reservation_nights
  referencing new table as changed for each statement execute function app.figures_follow();
create trigger zz_figures_changed after update on public.reservation_nights
  referencing new table as changed for each statement execute function app.figures_follow();
create trigger zz_figures_removed after delete on public.reservation_nights
  referencing old table as changed for each statement execute function app.figures_follow();

-- After a change of a reservation itself, or of a unit's type.
create function app.figures_of_reservation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.figure_nights(new.org_id, array[new.id]);
  return null;
end $$;
create trigger zz_figures after update on public.reservations for each row
  when ((old.check_in, old.check_out, app.takes_nights(old.status), old.channel, old.extras_total, old.package_other_total, old.tax_total)
        is distinct from
        (new.check_in, new.check_out, app.takes_nights(new.status), new.channel, new.extras_total, new.package_other_total, new.tax_total))
  execute function app.figures_of_reservation();

create function app.figures_of_unit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.figure_nights(new.org_id, array(
    select q.reservation_id from public.reservation_rooms q where q.org_id = new.org_id and q.room_id = new.id));
  return null;
end $$;
create trigger zz_figures after update on public.rooms for each row
  when (old.room_type_id is distinct from new.room_type_id) execute function app.figures_of_unit();

-- Also where other triggers are off, as in a replica.
alter table public.reservations enable always trigger zz_figures;
alter table public.rooms enable always trigger zz_figures;
alter table public.reservation_rooms enable always trigger zz_figures_added, enable always trigger zz_figures_removed;
alter table public.reservation_nights enable always trigger zz_figures_added, enable always trigger zz_figures_changed,
  enable always trigger zz_figures_removed;

-- The organisation whose figures the caller may read: the caller's own, or for the
-- project's secret key that of the property. Null when the property is another's.
create function app.figures_org(p_entity uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select e.org_id from public.entities e
    where e.id = p_entity and (e.org_id = app.org_id() or app.org_id() is null and auth.role() = 'service_role'));
end $$;

-- Day use, arrival and departure on one day, is revenue of that day and never a
-- night. It is rare, so it is counted from the bookings themselves.
create index reservations_day_use on public.reservations (org_id, entity_id, check_in) where nights = 0;

-- The counted day use of [p_from, p_to), a row for each booking and unit with its
-- share of the booking's amounts, in hundredths.
create function app.day_use(p_org uuid, p_entity uuid, p_from date, p_to date)
returns table (day date, room_type_id uuid, channel text, room numeric, discount numeric, extras numeric, package_other numeric, tax numeric)
language sql stable set search_path = '' as $$
  select b.day, b.room_type_id, b.channel,
         round(b.room * (b.k + 1) / b.w) - round(b.room * b.k / b.w), round(b.discount * (b.k + 1) / b.w) - round(b.discount * b.k / b.w),
         round(b.extras * (b.k + 1) / b.w) - round(b.extras * b.k / b.w),
         round(b.package_other * (b.k + 1) / b.w) - round(b.package_other * b.k / b.w), round(b.tax * (b.k + 1) / b.w) - round(b.tax * b.k / b.w)
  from (
    select r.check_in as day, u.room_type_id, r.channel, 100 * (r.room_total + r.extra_guest_total) as room, 100 * r.discount_total as discount,
           100 * r.extras_total as extras, 100 * r.package_other_total as package_other, 100 * r.tax_total as tax,
           row_number() over (partition by r.id order by q.room_id) - 1 as k, count(*) over (partition by r.id) as w
    from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
    where r.org_id = p_org and r.entity_id = p_entity and r.nights = 0 and r.check_in >= p_from and r.check_in < p_to
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
  ) b
$$;

-- What was sold in the nights, and as day use on the days, of [p_from, p_to), by
-- p_by: 'type', 'channel' or 'night' (the day).
--   nights         of day use, none
--   bookings       with a night in the period: by type those of each type; 'all' is in every row
--   amounts        in hundredths
create function app.sold(p_entity uuid, p_from date, p_to date, p_by text)
returns table (key text, nights bigint, bookings bigint, total_bookings bigint, room numeric, discount numeric, extras numeric,
               package_other numeric, tax numeric)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  v_org constant uuid := app.figures_org(p_entity);
begin
  if p_by = 'type' then
    return query
    select s.key, sum(s.nights)::bigint, sum(s.bookings)::bigint, (sum(sum(s.total)) over ())::bigint,
           sum(s.room), sum(s.discount), sum(s.extras), sum(s.package_other), sum(s.tax)
    from (
      select f.room_type_id::text as key, count(*) as nights,
             count(*) filter (where f.leads > 0 and (f.arrival = 1 or f.night = p_from)) as bookings,
             count(*) filter (where f.leads = 2 and (f.arrival = 1 or f.night = p_from)) as total,
             sum(f.room) as room, sum(f.discount) as discount, sum(f.extras) as extras, sum(f.package_other) as package_other, sum(f.tax) as tax
      from app.night_figures f
      where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to
      group by f.room_type_id
      union all
      select d.room_type_id::text, 0, 0, 0, d.room, d.discount, d.extras, d.package_other, d.tax
      from app.day_use(v_org, p_entity, p_from, p_to) d
    ) s
    group by s.key;
  elsif p_by = 'channel' then
    return query
    select s.key, sum(s.nights)::bigint, null::bigint, null::bigint,
           sum(s.room), sum(s.discount), sum(s.extras), sum(s.package_other), sum(s.tax)
    from (
      select f.channel::text as key, count(*) as nights,
             sum(f.room) as room, sum(f.discount) as discount, sum(f.extras) as extras, sum(f.package_other) as package_other, sum(f.tax) as tax
      from app.night_figures f
      where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to
      group by f.channel
      union all
      select d.channel::text, 0, d.room, d.discount, d.extras, d.package_other, d.tax
      from app.day_use(v_org, p_entity, p_from, p_to) d
    ) s
    group by s.key;
  else
    return query
    select s.key, sum(s.nights)::bigint, null::bigint, null::bigint,
           sum(s.room), sum(s.discount), sum(s.extras), sum(s.package_other), sum(s.tax)
    from (
      select f.night::text as key, count(*) as nights,
             sum(f.room) as room, sum(f.discount) as discount, sum(f.extras) as extras, sum(f.package_other) as package_other, sum(f.tax) as tax
      from app.night_figures f
      where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to
      group by f.night
      union all
      select d.day::text, 0, d.room, d.discount, d.extras, d.package_other, d.tax
      from app.day_use(v_org, p_entity, p_from, p_to) d
    ) s
    group by s.key;
  end if;
end $$;

-- Whether a guest came before is found by e-mail, phone or name, as people type
-- them; bytes are compared, since nothing is sorted by these.
create index reservations_guest_email on public.reservations (org_id, entity_id, (lower(btrim(guest_email)) collate "C"), check_in)
  where status in ('pending', 'confirmed', 'checked_in', 'checked_out') and guest_email is not null;
create index reservations_guest_phone on public.reservations (org_id, entity_id, (translate(guest_phone, ' -', '') collate "C"), check_in)
  where status in ('pending', 'confirmed', 'checked_in', 'checked_out') and guest_phone is not null;
create index reservations_guest_name on public.reservations (org_id, entity_id, (lower(btrim(guest_name)) collate "C"), check_in)
  where status in ('pending', 'confirmed', 'checked_in', 'checked_out') and guest_phone is null;

-- The counts of [p_from, p_to) per room type, by name: those that are let, and
-- others that were sold in the period.
--   occupied_nights   nights of counted bookings inside the period (cancelled and no-show do not count)
--   blocked_nights    nights of blocks inside the period, once per unit and night, active units only
--   available_nights  days × active units − blocked_nights, never below 0
--   bookings          counted bookings with a night in the period. A booking over two types counts in each of the two rows
--   all_bookings      counted bookings with a night in the period, each once; the same in every row
--   room_revenue      the nightly lines inside the period and day use, net of discount, without tax
--   other_revenue     extras and the other part of packages, without tax
create or replace function public.occupancy(p_entity uuid, p_from date, p_to date)
returns table (room_code text, room_name text, units int, days int, occupied_nights int, blocked_nights int,
               available_nights int, bookings int, all_bookings int, room_revenue numeric, other_revenue numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  if p_from is null or p_to is null or p_to < p_from or p_to - p_from > 3700 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The period must end 0 to 3700 days after it begins.';
  end if;
  return query
  with sold as materialized (
    select k.key::uuid as room_type_id, k.* from app.sold(p_entity, p_from, p_to, 'type') k
  ), unit as materialized (
    select u.id, u.room_type_id
    from public.rooms u join public.room_types t on t.org_id = u.org_id and t.id = u.room_type_id
    where u.entity_id = p_entity and u.active and t.active
  ), blocked as (
    -- Blocks of one unit never overlap: the exclusion constraint sees to it.
    select u.room_type_id, sum(least(upper(s.period), p_to) - greatest(lower(s.period), p_from)) as nights
    from public.blocked_dates d
    join public.stays s on s.org_id = d.org_id and s.block_id = d.id
    join unit u on u.id = s.room_id
    where d.entity_id = p_entity and d.starts_on < p_to and d.ends_on > p_from
      and s.active and s.period && daterange(p_from, p_to, '[)')
    group by u.room_type_id
  ), held as (
    select u.room_type_id, count(*) as n from unit u group by u.room_type_id
  )
  select t.code, t.name, coalesce(u.n, 0)::int, p_to - p_from, coalesce(s.nights, 0)::int, coalesce(k.nights, 0)::int,
         greatest(0, (p_to - p_from) * coalesce(u.n, 0) - coalesce(k.nights, 0))::int,
         coalesce(s.bookings, 0)::int, (select coalesce(max(k.total_bookings), 0)::int from sold k),
         round(coalesce(s.room - s.discount, 0) / 100, 2), round(coalesce(s.extras + s.package_other, 0) / 100, 2)
  from public.room_types t
  left join held u on u.room_type_id = t.id
  left join sold s on s.room_type_id = t.id
  left join blocked k on k.room_type_id = t.id
  where t.entity_id = p_entity and (t.active or s.room_type_id is not null)
  order by t.name, t.code;
end $$;

-- The revenue of [p_from, p_to) of counted bookings, by p_by: 'room' (type, by
-- name), 'channel', 'day', 'week' (from Monday) or 'month'. Days, weeks and
-- months without revenue are there with zeros; key is then their first day.
--   room      nightly prices and further guests before discount, without tax
--   discount, extras, package_other, tax   what their names say; tax is part of none of the others
create or replace function public.revenue(p_entity uuid, p_from date, p_to date, p_by text)
returns table (key text, name text, nights int, room numeric, discount numeric, extras numeric, package_other numeric, tax numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_timed constant boolean := p_by in ('day', 'week', 'month');
begin
  if p_from is null or p_to is null or p_to < p_from or p_to - p_from > 3700 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The period must end 0 to 3700 days after it begins.';
  end if;
  return query
  with bucket as materialized (
    select greatest(d::date, p_from) as first, least((d + ('1 ' || p_by)::interval)::date, p_to) as next
    from generate_series(date_trunc(case when v_timed then p_by else 'day' end, p_from::timestamp), (p_to - 1)::timestamp,
                         ('1 ' || case when v_timed then p_by else 'day' end)::interval) d
    where v_timed and p_from < p_to
    union all
    select p_from, p_to where not v_timed
  ), sold as materialized (
    select k.* from app.sold(p_entity, p_from, p_to, case p_by when 'room' then 'type' when 'channel' then 'channel' else 'night' end) k
  ), shared as (
    select case when v_timed then greatest(date_trunc(p_by, k.key::timestamp)::date, p_from)::text else k.key end as key,
           sum(k.nights) as nights, sum(k.room) as room, sum(k.discount) as discount, sum(k.extras) as extras,
           sum(k.package_other) as package, sum(k.tax) as tax
    from sold k
    group by 1
  ), heading as (
    select t.id::text as key, t.code as code, t.name as name from public.room_types t
    where p_by = 'room' and t.entity_id = p_entity and (t.active or t.id::text in (select s.key from shared s))
    union all select s.key, s.key, s.key from shared s where p_by = 'channel'
    union all select c.first::text, c.first::text, '' from bucket c where v_timed
  )
  select h.code, h.name, coalesce(s.nights, 0)::int, round(coalesce(s.room, 0) / 100, 2), round(coalesce(s.discount, 0) / 100, 2),
         round(coalesce(s.extras, 0) / 100, 2), round(coalesce(s.package, 0) / 100, 2), round(coalesce(s.tax, 0) / 100, 2)
  from heading h
  left join shared s on s.key = h.key
  order by h.name, h.code;
end $$;

-- What is known of the guests who arrive in [p_from, p_to).
--   bookings, cancelled, noShows   by arrival; the others count
--   nights, value   room-nights and revenue without tax of whole counted bookings
--   guests          counted bookings' guests: by e-mail; without one by phone (that of a guest with an
--                   e-mail is that guest's); without either by name
--   overnight, overnightGuests   counted bookings with a night, and their guests: day use is in none of the
--                   figures below
--   repeatGuests    those of overnightGuests who stayed before, by e-mail or phone (by name where neither is
--                   known), or several times in the period
--   lead            days from booking to arrival, by the property's clock
--   channels, countries   [{"name","bookings","nights","value","cancelled"}], most bookings first
--   top             [{"name","bookings","nights","value"}], the p_top guests of most value
create or replace function public.client_report(p_entity uuid, p_from date, p_to date, p_top int default 10) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan set work_mem = '32MB' as $$
declare
  v_org constant uuid := app.figures_org(p_entity);
  v_zone constant text := (select e.time_zone from public.entities e where e.org_id = v_org and e.id = p_entity);
begin
  return (
  with booked as materialized (
    select r.id, r.status in ('pending', 'confirmed', 'checked_in', 'checked_out') as counted, r.status, r.channel,
           coalesce(r.guest_country, '') as country, r.guest_name, r.check_in, r.total - r.tax_total as value, r.adults + r.children as people,
           r.nights, r.nights * coalesce(k.rooms, 0) as room_nights, nullif(lower(btrim(r.guest_email)), '') as email,
           translate(r.guest_phone, ' -', '') as phone, lower(btrim(r.guest_name)) as folded,
           greatest(0, r.check_in - (r.created_at at time zone v_zone)::date) as lead
    from public.reservations r
    left join (
      select f.reservation_id, count(*) as rooms from app.night_figures f
      where f.org_id = v_org and f.entity_id = p_entity and f.night >= p_from and f.night < p_to and f.arrival = 1
      group by f.reservation_id) k on k.reservation_id = r.id
    where r.org_id = v_org and r.entity_id = p_entity and r.check_in >= p_from and r.check_in < p_to
  ), owner as (
    select b.phone, min(b.email collate "C") collate "default" as email from booked b
    where b.phone is not null and b.email is not null group by b.phone having min(b.email collate "C") = max(b.email collate "C")
  ), guest as materialized (
    select b.guest_name, b.check_in, b.value, b.people, b.nights, b.room_nights, b.email, b.phone, b.folded, b.lead,
           coalesce('e' || coalesce(b.email, o.email), 'p' || b.phone, 'n' || b.folded) as who
    from booked b
    left join owner o on o.phone = b.phone
    where b.counted
  ), seen as (
    select g.who, count(*) as bookings, sum(g.room_nights) as nights, sum(g.value) as value,
           count(*) filter (where g.nights > 0) as stays, min(g.check_in) filter (where g.nights > 0) as first,
           min(g.email collate "C") filter (where g.nights > 0) as email, min(g.phone collate "C") filter (where g.nights > 0) as phone,
           min(g.folded collate "C") filter (where g.nights > 0) as folded
    from guest g group by g.who
  ), person as materialized (
    -- Whoever stayed once in the period may have stayed before: a probe of an index each.
    select o.who, o.bookings, o.nights, o.value, o.stays,
      o.stays > 1
      or o.email is not null and exists (
        select from public.reservations x
        where x.org_id = v_org and x.entity_id = p_entity and lower(btrim(x.guest_email)) collate "C" = o.email and x.check_in < o.first and x.nights > 0
          and x.status in ('pending', 'confirmed', 'checked_in', 'checked_out'))
      or o.phone is not null and exists (
        select from public.reservations x
        where x.org_id = v_org and x.entity_id = p_entity and translate(x.guest_phone, ' -', '') collate "C" = o.phone and x.check_in < o.first and x.nights > 0
          and x.status in ('pending', 'confirmed', 'checked_in', 'checked_out'))
      or o.stays = 1 and o.email is null and o.phone is null and exists (
        select from public.reservations x
        where x.org_id = v_org and x.entity_id = p_entity and lower(btrim(x.guest_name)) collate "C" = o.folded and x.check_in < o.first and x.nights > 0
          and x.guest_phone is null and nullif(lower(btrim(x.guest_email)), '') is null
          and x.status in ('pending', 'confirmed', 'checked_in', 'checked_out')) as again
    from seen o
  )
  select jsonb_build_object(
    'bookings', (select count(*) from booked),
    'cancelled', (select count(*) from booked where status = 'cancelled'),
    'noShows', (select count(*) from booked where status = 'no_show'),
    'nights', (select coalesce(sum(room_nights), 0) from guest),
    'stayNights', (select coalesce(sum(nights), 0) from guest),
    'people', (select coalesce(sum(people), 0) from guest),
    'value', (select coalesce(sum(value), 0.00) from guest),
    'guests', (select count(*) from person),
    'overnight', (select count(*) from guest where nights > 0),
    'overnightGuests', (select count(*) from person where stays > 0),
    'repeatGuests', (select count(*) from person where again),
    'leadDays', (select coalesce(sum(lead), 0) from guest where nights > 0),
    'leadMedian', (select percentile_disc(0.5) within group (order by lead) from guest where nights > 0),
    'leads', (select jsonb_build_array(count(*) filter (where lead <= 1), count(*) filter (where lead between 2 and 7),
                count(*) filter (where lead between 8 and 30), count(*) filter (where lead between 31 and 90), count(*) filter (where lead > 90)) from guest where nights > 0),
    'channels', coalesce((select jsonb_agg(jsonb_build_object('name', channel, 'bookings', n, 'nights', nights, 'value', value, 'cancelled', gone) order by n desc, value desc, channel)
      from (select channel, count(*) filter (where counted) as n, coalesce(sum(room_nights) filter (where counted), 0) as nights,
                   coalesce(sum(value) filter (where counted), 0.00) as value, count(*) filter (where status = 'cancelled') as gone from booked group by channel) c), '[]'),
    'countries', coalesce((select jsonb_agg(jsonb_build_object('name', country, 'bookings', n, 'nights', nights, 'value', value, 'cancelled', gone) order by n desc, value desc, country)
      from (select country, count(*) filter (where counted) as n, coalesce(sum(room_nights) filter (where counted), 0) as nights,
                   coalesce(sum(value) filter (where counted), 0.00) as value, count(*) filter (where status = 'cancelled') as gone from booked group by country) c), '[]'),
    'top', coalesce((select jsonb_agg(jsonb_build_object('name', name, 'bookings', bookings, 'nights', nights, 'value', value) order by value desc, name)
      from (
        select min(g.guest_name) as name, p.bookings, p.nights, p.value
        from (select * from person order by value desc fetch first least(greatest(p_top, 0), 50) rows with ties) p
        join guest g on g.who = p.who
        group by p.who, p.bookings, p.nights, p.value
        order by p.value desc, 1 limit least(greatest(p_top, 0), 50)) p), '[]')));
end $$;

select app.figure_nights(r.org_id, array_agg(r.id)) from public.reservations r group by r.org_id;

revoke execute on all routines in schema app from public;
grant execute on function app.sold(uuid, date, date, text) to authenticated, service_role;
