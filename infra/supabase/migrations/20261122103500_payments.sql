-- Money that came in or went back, and who still owes some.

-- Raises PT422 when the amount does not fit what is paid and owed.
create function app.check_payment(r public.reservations, p_kind text, p_amount numeric, p_beyond boolean) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_balance constant numeric := app.balance(r.org_id, r.id, r.total);
  v_paid constant numeric := r.total - v_balance;
begin
  if p_amount is null or p_amount <= 0 or p_amount > 99999999 then
    raise sqlstate 'PT422' using message = 'invalid_amount', detail = 'The amount must be above zero.';
  end if;
  if p_kind = 'refund' and p_amount > v_paid then
    raise sqlstate 'PT422' using message = 'refund_too_large',
      detail = format('Only %s was paid for %s, so not more can go back.', app.show_money(r.currency, v_paid), r.code);
  end if;
  if p_kind = 'payment' and p_amount > v_balance and not coalesce(p_beyond, false) then
    raise sqlstate 'PT422' using message = 'payment_too_large',
      detail = format('Reservation %s owes only %s.', r.code, app.show_money(r.currency, greatest(v_balance, 0)));
  end if;
end $$;

-- Writes down a payment or a refund and returns {"payment": {…}, "reservation":
-- summary}. p_beyond lets a payment exceed what is owed.
create function public.record_payment(p_entity uuid, p_code text, p_kind text, p_amount numeric, p_method text, p_on date,
                                      p_reference text default '', p_note text default '', p_beyond boolean default false) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  r public.reservations;
  v public.payments;
begin
  -- Its row is held, so that two refunds at once can't give back more than was paid.
  select * into r from app.take_reservations(v_org, p_entity, p_code);
  perform app.check_payment(r, p_kind, p_amount, p_beyond);
  insert into public.payments (org_id, entity_id, code, reservation_id, kind, method, amount, currency, received_on, reference, note)
  values (v_org, p_entity, '', r.id, p_kind, p_method, p_amount, r.currency, p_on, coalesce(p_reference, ''), coalesce(p_note, ''))
  returning * into v;
  return public.payment_details(p_entity, v.code);
end $$;

-- One payment with its reservation's summary; null when there is none.
create function public.payment_details(p_entity uuid, p_code text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'payment', jsonb_build_object('code', p.code, 'kind', p.kind, 'method', p.method, 'status', p.status, 'amount', p.amount,
                                  'currency', p.currency, 'receivedOn', p.received_on, 'reference', p.reference),
    'reservation', public.reservation_summaries(p_entity, array[r.code]) -> 0)
  from public.payments p
  join public.reservations r on r.org_id = p.org_id and r.id = p.reservation_id
  where p.entity_id = p_entity and p.code = p_code
$$;

-- Raises what record_payment would raise, and returns the reservation's details otherwise.
create function public.payment_preview(p_entity uuid, p_code text, p_kind text, p_amount numeric, p_beyond boolean default false) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r public.reservations;
begin
  perform app.staff_org(p_entity);
  select * into r from public.reservations x where x.entity_id = p_entity and x.code = p_code;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
  perform app.check_payment(r, p_kind, p_amount, p_beyond);
  return public.reservation_details(p_entity, r.code);
end $$;

-- Reservations that still owe money, by arrival; {"reservations": summaries,
-- "matches", "balance": in all}. Cancelled ones and no-shows owe nothing.
create function public.balances_due(p_entity uuid, p_arrival_to date default null, p_limit int default 50) returns jsonb
language sql stable set search_path = '' as $$
  with paid as materialized (
    select p.reservation_id, sum(case p.kind when 'payment' then p.amount else -p.amount end) as amount
    from public.payments p
    where p.entity_id = p_entity and p.status = 'completed'
    group by p.reservation_id
  ), due as materialized (
    select r.code, r.check_in, r.total - coalesce(p.amount, 0) as balance
    from public.reservations r left join paid p on p.reservation_id = r.id
    where r.entity_id = p_entity and r.status in ('pending', 'confirmed', 'checked_in', 'checked_out')
      and (r.status = 'pending' and r.hold_until <= clock_timestamp()) is not true
      and (p_arrival_to is null or r.check_in <= p_arrival_to)
      and r.total - coalesce(p.amount, 0) > 0
  ), page as (
    select * from due order by check_in, code limit least(greatest(p_limit, 1), 200)
  )
  select jsonb_build_object(
    'matches', (select count(*) from due), 'balance', (select coalesce(sum(balance), 0) from due),
    'reservations', (select coalesce(jsonb_agg(s order by s ->> 'checkIn', s ->> 'code'), '[]')
                     from jsonb_array_elements(public.reservation_summaries(p_entity, array(select code from page))) s))
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.check_payment(public.reservations, text, numeric, boolean) to authenticated;
revoke execute on function public.record_payment(uuid, text, text, numeric, text, date, text, text, boolean),
  public.payment_details(uuid, text), public.payment_preview(uuid, text, text, numeric, boolean),
  public.balances_due(uuid, date, int) from public, anon, service_role;
grant execute on function public.record_payment(uuid, text, text, numeric, text, date, text, text, boolean),
  public.payment_details(uuid, text), public.payment_preview(uuid, text, text, numeric, boolean),
  public.balances_due(uuid, date, int) to authenticated;
call app.preview_reads('payment_preview');
