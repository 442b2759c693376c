-- Orders that a supplier accepted and did not make yet. They have no id, or one that the order will not have, so what
-- the supplier tells of them names our key or the offer.

create index travel_bookings_pending on public.travel_bookings (supplier, offer_id) where state = 'pending';

-- The pending booking that was ordered under a key, or of an offer: {"org", "booking"}, null for none.
create function public.job_travel_pending(p_supplier text, p_key text, p_offer text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('org', b.org_id, 'booking', app.travel_booking_json(b))
    from public.travel_bookings b where b.supplier = p_supplier and b.state = 'pending'
      and (b.key = p_key and p_key <> '' or b.offer_id = p_offer and p_offer <> '')
    order by (b.key is not distinct from p_key) desc, b.created_at desc limit 1);
end $$;

-- Applies what a supplier told of a booking, once by "id": p with "supplier", "supplierId", and what
-- travel_booking_settle takes. Where no booking has that "supplierId", it is the pending one of the code "booking",
-- which gets it. False for one that was applied before or is of no booking of the organisation's.
create or replace function public.job_travel_notice(p_org uuid, p jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  b public.travel_bookings;
begin
  select * into b from public.travel_bookings x
  where x.org_id = p_org and x.supplier = p ->> 'supplier' and x.supplier_id = p ->> 'supplierId'
    and x.supplier_id <> ''
  order by x.created_at limit 1 for no key update;
  if not found then
    select * into b from public.travel_bookings x
    where x.org_id = p_org and x.supplier = p ->> 'supplier' and x.code = p ->> 'booking' and x.state = 'pending'
    for no key update;
  end if;
  if not found then
    return false;
  end if;
  insert into public.travel_notices (org_id, supplier, id) values (p_org, p ->> 'supplier', left(p ->> 'id', 200))
  on conflict do nothing;
  if not found then
    return false;
  end if;
  b := app.travel_booking_update(app.travel_booking_settled(b, p));
  perform app.travel_booking_items(b, p -> 'items');
  return true;
end $$;

call app.bound_columns();
revoke execute on function public.job_travel_pending(text, text, text) from public, anon, authenticated;
grant execute on function public.job_travel_pending(text, text, text) to service_role;
notify pgrst, 'reload schema';
