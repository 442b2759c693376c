-- The first definitions of the figures, which compute everything from bookings,
-- units and nightly lines: what the kept figures are compared with.
create function pg_temp.old_occupancy(p_entity uuid, p_from date, p_to date)
returns table (room_code text, room_name text, units int, days int, occupied_nights int, blocked_nights int,
               available_nights int, bookings int, all_bookings int, room_revenue numeric, other_revenue numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_longest constant int := (select max(r.nights) from public.reservations r where r.entity_id = p_entity);
begin
  if p_from is null or p_to is null or p_to < p_from or p_to - p_from > 3700 then
    raise sqlstate 'PT422' using message = 'invalid_dates', detail = 'The period must end 0 to 3700 days after it begins.';
  end if;
  return query
  with part as materialized (
    -- One row per booking and unit: how many nights it has, and which of them lie inside.
    select q.reservation_id, q.room_id, u.room_type_id, r.extras_total as extras, r.package_other_total as package,
           r.nights as n, greatest(r.check_in, p_from) - r.check_in as a, least(r.check_out, p_to) - r.check_in as b,
           count(*) over booking as rooms, row_number() over (booking order by q.room_id) - 1 as place
    from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
    where r.entity_id = p_entity and r.check_in < p_to and r.check_in > p_from - v_longest and r.check_out > p_from and p_from < p_to and r.nights > 0
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
    window booking as (partition by q.reservation_id)
  ), sold as (
    select p.room_type_id, sum(p.b - p.a) as nights, count(distinct p.reservation_id) as bookings,
           sum(case when p.extras + p.package = 0 then 0 else
             round(p.extras * (p.place * p.n + p.b) / (p.rooms * p.n), 2) - round(p.extras * (p.place * p.n + p.a) / (p.rooms * p.n), 2)
             + round(p.package * (p.place * p.n + p.b) / (p.rooms * p.n), 2) - round(p.package * (p.place * p.n + p.a) / (p.rooms * p.n), 2)
           end) as other
    from part p
    group by p.room_type_id
  ), used as materialized (
    -- Day use: amounts spread over the booking's units.
    select u.room_type_id, r.channel, r.check_in as day,
           round((r.room_total + r.extra_guest_total) * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round((r.room_total + r.extra_guest_total) * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as room,
           round(r.discount_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.discount_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as discount,
           round(r.extras_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.extras_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as extras,
           round(r.package_other_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.package_other_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as package,
           round(r.tax_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.tax_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as tax
    from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
    where r.entity_id = p_entity and r.check_in = r.check_out and r.check_in >= p_from and r.check_in < p_to
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
  ), used_by as (
    select d.room_type_id, sum(d.room - d.discount) as room, sum(d.extras + d.package) as other from used d group by d.room_type_id
  ), room as (
    select p.room_type_id, sum(l.revenue) as revenue
    from public.reservation_nights l
    join part p on p.reservation_id = l.reservation_id and p.room_id = l.room_id
    where l.entity_id = p_entity and l.night >= p_from and l.night < p_to
    group by p.room_type_id
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
         coalesce(s.bookings, 0)::int, (select count(distinct p.reservation_id)::int from part p),
         round(coalesce(m.revenue, 0) + coalesce(d.room, 0), 2), round(coalesce(s.other, 0) + coalesce(d.other, 0), 2)
  from public.room_types t
  left join held u on u.room_type_id = t.id
  left join sold s on s.room_type_id = t.id
  left join room m on m.room_type_id = t.id
  left join blocked k on k.room_type_id = t.id
  left join used_by d on d.room_type_id = t.id
  where t.entity_id = p_entity and (t.active or s.nights > 0 or d.room is not null)
  order by t.name, t.code;
end $$;

-- The revenue of [p_from, p_to) of counted bookings, by p_by: 'room' (type, by
-- name), 'channel', 'day', 'week' (from Monday) or 'month'. Days, weeks and
-- months without revenue are there with zeros; key is then their first day.
--   room      nightly prices and further guests before discount, without tax
--   discount, extras, package_other, tax   what their names say; tax is part of none of the others
create function pg_temp.old_revenue(p_entity uuid, p_from date, p_to date, p_by text)
returns table (key text, name text, nights int, room numeric, discount numeric, extras numeric, package_other numeric, tax numeric)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_timed constant boolean := p_by in ('day', 'week', 'month');
  v_longest constant int := (select max(r.nights) from public.reservations r where r.entity_id = p_entity);
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
  ), part as materialized (
    select q.reservation_id, q.room_id, r.extras_total as extras, r.package_other_total as package, r.tax_total as tax, r.nights as n,
           r.check_in as first, r.check_out as next,
           case p_by when 'room' then u.room_type_id::text when 'channel' then r.channel end as who,
           count(*) over booking as rooms, row_number() over (booking order by q.room_id) - 1 as place
    from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
    where r.entity_id = p_entity and r.check_in < p_to and r.check_in > p_from - v_longest and r.check_out > p_from and p_from < p_to and r.nights > 0
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
    window booking as (partition by q.reservation_id)
  ), cut as (
    select p.*, coalesce(p.who, c.first::text) as key, p.place * p.n + (greatest(p.first, c.first) - p.first) as a,
           p.place * p.n + (least(p.next, c.next) - p.first) as b, p.rooms * p.n as whole
    from part p join bucket c on c.first < p.next and c.next > p.first
  ), shared as (
    select c.key, sum(c.b - c.a) as nights,
           sum(case when c.extras = 0 then 0 else round(c.extras * c.b / c.whole, 2) - round(c.extras * c.a / c.whole, 2) end) as extras,
           sum(case when c.package = 0 then 0 else round(c.package * c.b / c.whole, 2) - round(c.package * c.a / c.whole, 2) end) as package,
           sum(case when c.tax = 0 then 0 else round(c.tax * c.b / c.whole, 2) - round(c.tax * c.a / c.whole, 2) end) as tax
    from cut c
    group by c.key
  ), used as materialized (
    -- Day use: amounts spread over the booking's units.
    select u.room_type_id, r.channel, r.check_in as day,
           round((r.room_total + r.extra_guest_total) * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round((r.room_total + r.extra_guest_total) * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as room,
           round(r.discount_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.discount_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as discount,
           round(r.extras_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.extras_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as extras,
           round(r.package_other_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.package_other_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as package,
           round(r.tax_total * ((select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) + 1) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2)
           - round(r.tax_total * (select count(*) from public.reservation_rooms b where b.reservation_id = r.id and b.room_id < q.room_id) / (select count(*) from public.reservation_rooms b where b.reservation_id = r.id), 2) as tax
    from public.reservations r
    join public.reservation_rooms q on q.org_id = r.org_id and q.reservation_id = r.id
    join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
    where r.entity_id = p_entity and r.check_in = r.check_out and r.check_in >= p_from and r.check_in < p_to
      and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
  ), used_by as (
    select case p_by when 'room' then d.room_type_id::text when 'channel' then d.channel
                else greatest(date_trunc(case when v_timed then p_by else 'day' end, d.day::timestamp)::date, p_from)::text end as key,
           sum(d.room) as room, sum(d.discount) as discount, sum(d.extras) as extras, sum(d.package) as package, sum(d.tax) as tax
    from used d
    group by 1
  ), nightly as (
    select coalesce(p.who, greatest(date_trunc(case when v_timed then p_by else 'day' end, l.night::timestamp)::date, p_from)::text) as key,
           sum(l.amount + l.extra_guests) as room, sum(l.discount) as discount
    from public.reservation_nights l
    join part p on p.reservation_id = l.reservation_id and p.room_id = l.room_id
    where l.entity_id = p_entity and l.night >= p_from and l.night < p_to
    group by 1
  ), heading as (
    select t.id::text as key, t.code as code, t.name as name from public.room_types t
    where p_by = 'room' and t.entity_id = p_entity and (t.active or t.id::text in (select s.key from shared s union select d.key from used_by d))
    union all select s.key, s.key, s.key from (select key from shared union select key from used_by) s where p_by = 'channel'
    union all select c.first::text, c.first::text, '' from bucket c where v_timed
  )
  select h.code, h.name, coalesce(s.nights, 0)::int, round(coalesce(m.room, 0) + coalesce(d.room, 0), 2),
         round(coalesce(m.discount, 0) + coalesce(d.discount, 0), 2), round(coalesce(s.extras, 0) + coalesce(d.extras, 0), 2),
         round(coalesce(s.package, 0) + coalesce(d.package, 0), 2), round(coalesce(s.tax, 0) + coalesce(d.tax, 0), 2)
  from heading h
  left join shared s on s.key = h.key
  left join used_by d on d.key = h.key
  left join nightly m on m.key = h.key
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
create function pg_temp.old_client_report(p_entity uuid, p_from date, p_to date, p_top int default 10) returns jsonb
language sql stable set search_path = '' as $$
  with all_booked as not materialized (
    select r.org_id, r.id, r.status in ('pending', 'confirmed', 'checked_in', 'checked_out') as counted, r.status, r.channel,
           coalesce(r.guest_country, '') as country, r.guest_name, r.check_in, r.total - r.tax_total as value, r.adults + r.children as people,
           r.nights, r.created_at, nullif(lower(btrim(r.guest_email)), '') as email, translate(r.guest_phone, ' -', '') as phone,
           lower(btrim(r.guest_name)) as folded
    from public.reservations r
    where r.entity_id = p_entity and r.check_in < p_to
  ), booked as materialized (
    select b.*, greatest(0, b.check_in - (b.created_at at time zone e.time_zone)::date) as lead,
           b.nights * (select count(*) from public.reservation_rooms q where q.org_id = b.org_id and q.reservation_id = b.id) as room_nights
    from all_booked b
    join public.entities e on e.id = p_entity
    where b.check_in >= p_from
  ), owner as (
    select phone, min(email) as email from booked where phone is not null and email is not null group by phone having count(distinct email) = 1
  ), by_email as (
    select x.email, min(x.check_in) as first from all_booked x
    where x.counted and x.nights > 0 and x.email in (select b.email from booked b) group by x.email
  ), by_phone as (
    select x.phone, min(x.check_in) as first from all_booked x
    where x.counted and x.nights > 0 and x.phone in (select b.phone from booked b) group by x.phone
  ), by_name as (
    select x.folded, min(x.check_in) as first from all_booked x
    where x.counted and x.nights > 0 and x.email is null and x.phone is null
      and x.folded in (select b.folded from booked b where b.email is null and b.phone is null) group by x.folded
  ), guest as materialized (
    select b.*, coalesce('e' || coalesce(b.email, o.email), 'p' || b.phone, 'n' || b.folded) as who,
           b.nights > 0 and coalesce(least(m.first, p.first, n.first) < b.check_in, false) as known
    from booked b
    left join owner o on o.phone = b.phone
    left join by_email m on m.email = b.email
    left join by_phone p on p.phone = b.phone
    left join by_name n on n.folded = b.folded and b.email is null and b.phone is null
    where b.counted
  ), person as (
    select who, min(guest_name) as name, count(*) as bookings, sum(room_nights) as nights, sum(value) as value, bool_or(known) or count(*) filter (where nights > 0) > 1 as again,
           bool_or(nights > 0) as stayed
    from guest group by who
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
    'overnightGuests', (select count(*) from person where stayed),
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
      from (select * from person order by value desc, name limit least(greatest(p_top, 0), 50)) p), '[]'))
$$;

