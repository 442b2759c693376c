-- Bookings and a year's figures at the same cost whatever the history is.
-- Functions that are defined again: what they return is as before.

-- Writes the rows of these reservations anew. The nightly lines are looked up one
-- by one: joined, a generic plan may read those of all organisations.
create or replace function app.figure_nights(p_org uuid, p_reservations uuid[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  delete from app.night_figures f where f.org_id = p_org and f.reservation_id = any (p_reservations);
  insert into app.night_figures (org_id, entity_id, night, reservation_id, slot, room_type_id, channel, arrival, leads,
                                 room, discount, extras, package_other, tax)
  select p_org, p.entity_id, p.check_in + n, p.id, p.slot, p.room_type_id, p.channel, (n = 0)::int,
         case when p.slot = 0 then 2 when p.of_type = 1 then 1 else 0 end,
         coalesce(100 * (l.amount + l.extra_guests), 0), coalesce(100 * l.discount, 0),
         case when p.extras_total = 0 then 0
              else 100 * (round(p.extras_total * (k + 1) / w, 2) - round(p.extras_total * k / w, 2)) end,
         case when p.package_other_total = 0 then 0
              else 100 * (round(p.package_other_total * (k + 1) / w, 2) - round(p.package_other_total * k / w, 2)) end,
         case when p.tax_total = 0 then 0
              else 100 * (round(p.tax_total * (k + 1) / w, 2) - round(p.tax_total * k / w, 2)) end
  from (
    select r.entity_id, r.id, r.check_in, r.nights, r.channel, r.extras_total, r.package_other_total, r.tax_total,
           q.room_id, u.room_type_id, count(*) over booking as rooms,
           row_number() over (booking order by q.room_id) - 1 as slot,
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
  left join lateral (
    select o.amount, o.extra_guests, o.discount from public.reservation_nights o
    where o.org_id = p_org and o.reservation_id = p.id and o.room_id = p.room_id and o.night = p.check_in + n
    limit 1) l on true;
end $$;
