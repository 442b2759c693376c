-- Where a reservation stands, and the ways from there. p_code is a reservation's
-- code or a group's; a group is changed as a whole or not at all.

-- The caller's reservations of that code, locked until the transaction ends, in
-- the order of their codes. Raises PT404 'unknown_reservation'.
create function app.take_reservations(p_org uuid, p_entity uuid, p_code text) returns setof public.reservations
language plpgsql set search_path = '' as $$
begin
  return query
  select * from public.reservations r
  where r.org_id = p_org and r.entity_id = p_entity
    and case when p_code like 'GRP-%' then r.group_code = p_code else r.code = p_code end
  order by r.code for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
end $$;

-- Why a reservation may not get this status today, or null when it may.
create function app.status_refused(r public.reservations, p_status text, p_today date) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_status = 'cancelled' then
      case when r.status not in ('pending', 'confirmed') then
        format('Reservation %s is %s and can''t be cancelled.', r.code, replace(r.status, '_', ' ')) end
    when r.status = 'cancelled' then format('Reservation %s is cancelled. Restore it first.', r.code)
    when p_status = 'confirmed' and r.status = 'pending' then null
    when p_status = 'checked_in' and r.status = 'pending' then format('Reservation %s is still pending. Confirm it first.', r.code)
    when p_status = 'checked_in' and r.status = 'confirmed' then
      case when p_today < r.check_in then
             format('The guest of %s arrives on %s; today is %s. Change the dates first if the guest is here already.', r.code, app.show_date(r.check_in), app.show_date(p_today))
           when p_today > r.check_out or (p_today = r.check_out and r.nights > 0) then
             format('The stay of %s ended on %s; nobody checks in to it any more.', r.code, app.show_date(r.check_out)) end
    when p_status = 'checked_out' and r.status = 'checked_in' then null
    when p_status = 'checked_out' then format('The guest of %s is not checked in, so nobody can check out.', r.code)
    when p_status = 'no_show' and r.status in ('pending', 'confirmed') then
      case when p_today < r.check_in then format('The guest of %s is not expected before %s, so it is too early for a no-show.', r.code, app.show_date(r.check_in)) end
    when r.status = p_status then format('Reservation %s is %s already.', r.code, replace(r.status, '_', ' '))
    else format('Reservation %s is %s; from there it can''t become %s.', r.code, replace(r.status, '_', ' '), replace(p_status, '_', ' '))
  end
$$;

-- Moves reservations on: confirmed, checked_in, checked_out or no_show; a no-show
-- frees its nights. Raises PT422 'wrong_status' with the reason.
create function public.set_reservation_status(p_entity uuid, p_code text, p_status text, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_taken public.reservations[] := array(select t from app.take_reservations(v_org, p_entity, p_code) t);
  r public.reservations;
  v_refused text;
begin
  foreach r in array v_taken loop
    v_refused := app.status_refused(r, p_status, p_today);
    if v_refused is not null then
      raise sqlstate 'PT422' using message = 'wrong_status', detail = v_refused;
    end if;
  end loop;
  perform app.lock_rooms(v_org, array(
    select q.room_id from public.reservation_rooms q
    where q.org_id = v_org and q.reservation_id in (select t.id from unnest(v_taken) t)));
  update public.reservations u
  set status = p_status, hold_until = null,
      checked_in_at = case when p_status = 'checked_in' then now() else u.checked_in_at end,
      checked_out_at = case when p_status = 'checked_out' then now() else u.checked_out_at end
  where u.org_id = v_org and u.id in (select t.id from unnest(v_taken) t);
  return public.reservation_summaries(p_entity, array(select t.code from unnest(v_taken) t));
end $$;

-- Cancels what is not cancelled yet and frees the nights and the coupons' uses at
-- once. Reservations that are cancelled already stay as they are. Raises PT422
-- 'wrong_status' when one of them has begun or is over.
create function public.cancel_reservation(p_entity uuid, p_code text, p_reason text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_taken public.reservations[] := array(select t from app.take_reservations(v_org, p_entity, p_code) t);
  v_open uuid[] := array(select t.id from unnest(v_taken) t where t.status <> 'cancelled');
  v_refused text;
begin
  select app.status_refused(t, 'cancelled', null) into v_refused
  from unnest(v_taken) t where t.status not in ('pending', 'confirmed', 'cancelled') limit 1;
  if found then
    raise sqlstate 'PT422' using message = 'wrong_status', detail = v_refused;
  end if;
  if cardinality(v_open) > 0 then
    perform app.lock_rooms(v_org, array(
      select q.room_id from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = any (v_open)));
    update public.reservations u
    set status = 'cancelled', cancelled_at = now(), cancellation_reason = nullif(btrim(p_reason), ''), hold_until = null
    where u.org_id = v_org and u.id = any (v_open);
    delete from public.coupon_uses c where c.org_id = v_org and c.reservation_id = any (v_open);
  end if;
  return public.reservation_summaries(p_entity, array(select t.code from unnest(v_taken) t));
end $$;

-- What a row's status was before it became what it is; null when it never changed.
create function app.status_before(p_reservation uuid) returns text
language sql stable security definer set search_path = '' as $$
  select a.before ->> 'status' from public.audit a
  where a.org_id = app.org_id() and a.table_name = 'reservations' and a.row_id = p_reservation
    and a.action = 'update' and a.before ->> 'status' <> a.after ->> 'status'
  order by a.id desc limit 1
$$;

-- Undoes a cancellation or a no-show: as before, at the agreed price, in the same
-- units. Raises PT422 'wrong_status' for others and for stays that are over, PT409
-- 'not_available' when the nights were taken since, 'coupon_used_up'.
create function public.restore_reservation(p_entity uuid, p_code text, p_today date) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  v_taken public.reservations[] := array(select t from app.take_reservations(v_org, p_entity, p_code) t);
  r public.reservations;
begin
  if not exists (select from unnest(v_taken) t where t.status in ('cancelled', 'no_show')) then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('%s is neither cancelled nor a no-show, so there is nothing to restore.', p_code);
  end if;
  perform app.end_holds(v_org, app.queue_for(v_org, p_entity, '{}', array(
    select q.room_id from public.reservation_rooms q
    where q.org_id = v_org and q.reservation_id in (select t.id from unnest(v_taken) t)), min(t.check_in), max(t.check_out)))
  from unnest(v_taken) t;
  foreach r in array v_taken loop
    continue when r.status not in ('cancelled', 'no_show');
    perform app.check_restorable(r, p_today);
    begin
      update public.reservations u
      set status = coalesce(app.status_before(r.id), 'confirmed'), cancelled_at = null, cancellation_reason = null, hold_until = null
      where u.org_id = v_org and u.id = r.id;
    exception when exclusion_violation then
      raise sqlstate 'PT409' using message = 'not_available', detail = format('The nights of %s were taken just now.', r.code);
    end;
    if r.coupon_code is not null and r.status = 'cancelled' then
      perform app.use_coupon(v_org, p_entity, r.id, r.coupon_code, r.discount_total);
    end if;
  end loop;
  return public.reservation_summaries(p_entity, array(select t.code from unnest(v_taken) t));
end $$;

-- Raises why a cancelled reservation can't be brought back.
create function app.check_restorable(r public.reservations, p_today date) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_by text;
begin
  if r.check_out <= p_today then
    raise sqlstate 'PT422' using message = 'wrong_status',
      detail = format('The stay of %s ended on %s, so it can''t be restored.', r.code, app.show_date(r.check_out));
  end if;
  select format('%s of %s is taken by %s from %s to %s, so it can''t be restored there. Book the stay anew.', u.code, r.code,
                coalesce('booking ' || b.code, 'a block for ' || app.for_reason(k.reason)), app.show_date(lower(s.period)), app.show_date(upper(s.period)))
    into v_by
  from public.reservation_rooms q
  join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
  join public.stays s on s.org_id = q.org_id and s.room_id = q.room_id and s.active and s.reservation_id is distinct from r.id
    and s.period && daterange(r.check_in, r.check_out, '[)')
  left join public.reservations b on b.org_id = s.org_id and b.id = s.reservation_id
  left join public.blocked_dates k on k.org_id = s.org_id and k.id = s.block_id
  where q.org_id = r.org_id and q.reservation_id = r.id and (b.status = 'pending' and b.hold_until <= clock_timestamp()) is not true
  limit 1;
  if found then
    raise sqlstate 'PT409' using message = 'not_available', detail = v_by;
  end if;
  if r.status = 'cancelled' and exists (
    select from public.coupons c
    where c.org_id = r.org_id and c.entity_id = r.entity_id and c.code = r.coupon_code and c.usage_limit <= (
      select count(*) from public.coupon_uses u where u.org_id = c.org_id and u.coupon_id = c.id and u.reservation_id <> r.id)) then
    raise sqlstate 'PT409' using message = 'coupon_used_up',
      detail = format('The coupon %s of %s was used up by others since, so it can''t be restored at its price. Book the stay anew.', r.coupon_code, r.code);
  end if;
end $$;

-- Removes a reservation that never was: no guest checked in, no money was taken.
-- The audit keeps what it was. Raises PT422 'not_deletable'.
create function public.delete_reservation(p_entity uuid, p_code text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_org constant uuid := app.staff_org(p_entity);
  r public.reservations;
begin
  if p_code like 'GRP-%' then
    raise sqlstate 'PT422' using message = 'not_deletable', detail = 'A group is deleted one reservation at a time, or cancelled as a whole.';
  end if;
  select * into r from app.take_reservations(v_org, p_entity, p_code);
  perform app.check_deletable(r);
  perform app.lock_rooms(v_org, array(select q.room_id from public.reservation_rooms q where q.org_id = v_org and q.reservation_id = r.id));
  delete from public.reservations d where d.org_id = v_org and d.id = r.id;
  return jsonb_build_array(jsonb_build_object('code', r.code));
end $$;

create function app.check_deletable(r public.reservations) returns void
language plpgsql stable set search_path = '' as $$
begin
  if r.checked_in_at is not null or r.status in ('checked_in', 'checked_out') then
    raise sqlstate 'PT422' using message = 'not_deletable',
      detail = format('The guest of %s has stayed here, so the reservation belongs to the records and can''t be deleted.', r.code);
  end if;
  if exists (select from public.payments p where p.org_id = r.org_id and p.reservation_id = r.id) then
    raise sqlstate 'PT422' using message = 'not_deletable',
      detail = format('There are payments on %s, so it belongs to the books and can''t be deleted. Cancel it instead.', r.code);
  end if;
end $$;

-- Raises what the acts above would raise for p_act ('delete', 'restore', or the
-- status to come), and returns the details of the reservations otherwise.
create function public.status_preview(p_entity uuid, p_code text, p_act text, p_today date) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  r public.reservations;
  v_refused text;
  v_all jsonb := '[]';
begin
  perform app.staff_org(p_entity);
  for r in select * from public.reservations x
           where x.entity_id = p_entity and case when p_code like 'GRP-%' then x.group_code = p_code else x.code = p_code end
           order by x.code loop
    if p_act = 'delete' then
      perform app.check_deletable(r);
    elsif p_act = 'restore' then
      if r.status in ('cancelled', 'no_show') then
        perform app.check_restorable(r, p_today);
      end if;
    elsif p_act <> 'cancelled' or r.status <> 'cancelled' then
      v_refused := app.status_refused(r, p_act, p_today);
      if v_refused is not null then
        raise sqlstate 'PT422' using message = 'wrong_status', detail = v_refused;
      end if;
    end if;
    v_all := v_all || public.reservation_details(p_entity, r.code);
  end loop;
  if v_all = '[]' then
    raise sqlstate 'PT404' using message = 'unknown_reservation', detail = format('There is no reservation %s.', p_code);
  end if;
  return v_all;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.take_reservations(uuid, uuid, text),
  app.status_refused(public.reservations, text, date), app.status_before(uuid),
  app.check_restorable(public.reservations, date), app.check_deletable(public.reservations) to authenticated;
revoke execute on function public.set_reservation_status(uuid, text, text, date),
  public.cancel_reservation(uuid, text, text), public.restore_reservation(uuid, text, date),
  public.delete_reservation(uuid, text), public.status_preview(uuid, text, text, date)
   from public, anon, service_role;
grant execute on function public.set_reservation_status(uuid, text, text, date),
  public.cancel_reservation(uuid, text, text), public.restore_reservation(uuid, text, date),
  public.delete_reservation(uuid, text), public.status_preview(uuid, text, text, date) to authenticated;
call app.preview_reads('status_preview');
