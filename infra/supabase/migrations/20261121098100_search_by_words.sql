-- Reservations are found by words through indexes. Row policies keep trigrams
-- from being asked, since ILIKE is not leakproof: every search read all bookings.

create index reservations_marks on public.reservations using gin
  ((code || ' ' || coalesce(group_code, '') || ' ' || coalesce(guest_email, '')) extensions.gin_trgm_ops);
create index reservations_phone on public.reservations using gin
  (regexp_replace(coalesce(guest_phone_country_code, '') || coalesce(guest_phone, ''), '[^0-9]', '', 'g') extensions.gin_trgm_ops);

-- The reservations of the caller's organisation that go by these words, for
-- reservation_search alone; of many it names about a thousand. It reads past the row policies, because only so may
-- the indexes be used; whoever joins what it returns meets the policies again.
--   p_like     a pattern for code, group code, guest's name and e-mail
--   p_near     a name that may be misspelt, or null
--   p_digits   a pattern for the digits of the phone number, or null
create function app.reservations_called(p_entity uuid, p_like text, p_near text, p_digits text) returns setof uuid
language sql stable security definer set search_path = '' set pg_trgm.word_similarity_threshold = 0.6 as $$
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity and r.guest_name ilike p_like limit 1001)
  union
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity
    and (r.code || ' ' || coalesce(r.group_code, '') || ' ' || coalesce(r.guest_email, '')) ilike p_like
    and (r.code ilike p_like or r.group_code ilike p_like or r.guest_email ilike p_like) limit 1001)
  union
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity and p_near operator(extensions.<%) r.guest_name limit 1001)
  union
  (select r.id from public.reservations r
  where r.org_id = app.org_id() and r.entity_id = p_entity
    and regexp_replace(coalesce(r.guest_phone_country_code, '') || coalesce(r.guest_phone, ''), '[^0-9]', '', 'g') like p_digits limit 1001)
$$;

-- As before, through the indexes. Each search has a plan of its own: one for all
-- would read all bookings, as some ask for nothing by words.
create or replace function public.reservation_search(p_entity uuid, p_query text default null, p_status text[] default null,
                                          p_from date default null, p_to date default null,
                                          p_limit int default 50, p_offset int default 0)
returns table (code text, group_code text, guest_name text, guest_email text, room_codes text[], check_in date, check_out date,
               nights int, adults int, children int, status text, total numeric, currency text, balance numeric, matches bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  v_query constant text := nullif(btrim(p_query), '');
  v_like constant text := '%' || replace(replace(replace(v_query, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_short constant boolean := v_query !~ '[[:alnum:]]{3}'; -- too short for trigrams: all bookings are read
  v_digits text;
  v_ids uuid[];
  v_few boolean := false; -- so that an index is quicker than reading all
begin
  if v_query ~ '^[+0-9 ()./-]+$' then
    v_digits := nullif(regexp_replace(v_query, '[^0-9]', '', 'g'), '');
    -- One or two digits would find half of the phone book.
    v_digits := case when length(v_digits) >= 3 then '%' || v_digits || '%' end;
  end if;
  if not v_short then
    v_ids := array(select app.reservations_called(p_entity, v_like, null, v_digits));
    v_few := cardinality(v_ids) <= 1000;
    -- Only who is not found as written may be misspelt.
    if cardinality(v_ids) = 0 and length(v_query) >= 4 then
      v_ids := array(select app.reservations_called(p_entity, null, v_query, null));
    end if;
  end if;
  return query
  select r.code, r.group_code, r.guest_name, r.guest_email,
         coalesce((select array_agg(u.code order by u.code)
                   from public.reservation_rooms q
                   join public.rooms u on u.org_id = q.org_id and u.id = q.room_id
                   where q.org_id = r.org_id and q.reservation_id = r.id), '{}'),
         r.check_in, r.check_out, r.nights, r.adults, r.children, r.status, r.total, r.currency,
         app.balance(r.org_id, r.id, r.total), found.matches
  from (
    select s.org_id, s.id, count(*) over () as matches
    from public.reservations s
    where s.entity_id = p_entity
      and (v_query is null or v_few and s.id = any (v_ids)
        or not v_few and (s.code ilike v_like or s.group_code ilike v_like or s.guest_name ilike v_like or s.guest_email ilike v_like
          or regexp_replace(coalesce(s.guest_phone_country_code, '') || coalesce(s.guest_phone, ''), '[^0-9]', '', 'g') like v_digits))
      and (coalesce(cardinality(p_status), 0) = 0 or s.status = any (p_status))
      and (p_to is null or s.check_in < p_to)
      and (p_from is null or s.check_out > p_from)
    order by s.check_in, s.code
    limit least(greatest(coalesce(p_limit, 50), 0), 200) offset greatest(coalesce(p_offset, 0), 0)
  ) found
  join public.reservations r on r.org_id = found.org_id and r.id = found.id
  order by r.check_in, r.code;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.reservations_called(uuid, text, text, text) to authenticated;
