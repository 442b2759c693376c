-- Searches for flights and hotels, what is held and booked of them, and what suppliers
-- tell of bookings. All of it is a user's own and no other user's, whatever their roles
-- are. Offers and bookings have ids of their suppliers, so that these functions, reads
-- included, want the proof: a user's own token does not reach them.

create table public.travel_searches (
  org_id uuid not null references public.orgs (id),
  user_id uuid not null default auth.uid(),
  code text not null check (code ~ '^[A-HJ-NP-Z2-9]{4}$'),
  type text not null check (type in ('flight', 'hotel')),
  query jsonb not null check (octet_length(query::text) <= 16384),
  -- What was found, for a day; null afterwards. It is read as a whole or not at all, so that
  -- it is kept as it came.
  found json check (octet_length(found::text) <= 6291456),
  summary text not null check (length(summary) <= 300),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, user_id, code),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
create index travel_searches_newest on public.travel_searches (org_id, user_id, at desc);
create index travel_searches_at on public.travel_searches (at);
call app.control_table('travel_searches');

create table public.travel_bookings (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  code text not null check (code ~ '^TB-[0-9]{4,10}$'),
  type text not null check (type in ('flight', 'hotel', 'activity')),
  -- How firm it is; pending: ordered, and the supplier has not said yes or no.
  state text not null check (state in ('pending', 'held', 'confirmed', 'cancelled', 'failed')),
  title text not null check (length(title) between 1 and 200),
  reference text not null default '' check (length(reference) <= 100),
  starts timestamp check (starts between timestamp '1950-01-01' and timestamp '2150-01-01'),
  ends timestamp check (ends between timestamp '1950-01-01' and timestamp '2150-01-01'),
  start_zone text not null default '' check (length(start_zone) <= 64),
  end_zone text not null default '' check (length(end_zone) <= 64),
  place text not null default '' check (length(place) <= 300),
  total numeric check (total >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  paid boolean not null default false,
  pay_by timestamptz,
  refunded numeric check (refunded >= 0),
  refunded_currency text check (refunded_currency ~ '^[A-Z]{3}$'),
  travellers text[] not null default '{}' check (cardinality(travellers) <= 9
    and octet_length(travellers::text) <= 400), -- codes of profiles
  trip_id uuid,
  details jsonb check (octet_length(details::text) <= 65536),
  change text not null default '' check (length(change) <= 500),
  rating int check (rating between 1 and 5),
  feedback text not null default '' check (length(feedback) <= 2000),
  supplier text not null default '' check (length(supplier) <= 60),
  supplier_id text not null default '' check (length(supplier_id) <= 200),
  key text check (length(key) between 8 and 200), -- of the effect that made it
  offer_id text not null default '' check (length(offer_id) <= 200),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((total is null) = (currency is null) and (refunded is null) = (refunded_currency is null)),
  primary key (org_id, id),
  unique (org_id, code),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade,
  foreign key (org_id, trip_id) references public.trips (org_id, id) on delete set null (trip_id)
);
create unique index travel_bookings_key on public.travel_bookings (org_id, user_id, key) where key is not null;
create index travel_bookings_of_user on public.travel_bookings (org_id, user_id, starts desc);
create index travel_bookings_trip on public.travel_bookings (org_id, trip_id) where trip_id is not null;
create index travel_bookings_supplier on public.travel_bookings (supplier, supplier_id) where supplier_id <> '';
call app.personal_table('travel_bookings',
  '{title,reference,place,details,change,feedback,supplier_id,key,offer_id}');
revoke all on public.travel_bookings from authenticated, service_role;

-- The notices of suppliers that were applied, by their ids, for as long as one may
-- come again.
create table public.travel_notices (
  org_id uuid not null references public.orgs (id),
  supplier text not null check (length(supplier) between 1 and 60),
  id text not null check (length(id) between 1 and 200),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, supplier, id)
);
create index travel_notices_at on public.travel_notices (at);
call app.control_table('travel_notices');

-- Keeps a search, p with "type", "query" and "summary", and what was found, and returns
-- {"code", "at"}. What was found is kept for the last 30 searches of the caller, queries for
-- 500. With "code", the code of a search of the caller's own, what was found is put in
-- the place of what is there. Raises PT404 'search_gone', PT422 'bad_search'.
create function public.travel_search_keep(p jsonb, p_found json) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  s public.travel_searches;
begin
  if coalesce(p ->> 'type', '') not in ('flight', 'hotel') or jsonb_typeof(p -> 'query') is distinct from 'object' then
    raise sqlstate 'PT422' using message = 'bad_search', detail = 'A search has a type and a query.';
  end if;
  if coalesce(p ->> 'code', '') <> '' then
    update public.travel_searches x set found = p_found
    where x.org_id = v_org and x.user_id = auth.uid() and x.code = left(upper(p ->> 'code'), 4)
      and x.found is not null and x.type = p ->> 'type' and json_typeof(p_found) = 'object'
    returning * into s;
    if not found then
      raise sqlstate 'PT404' using message = 'search_gone',
        detail = 'What was found then is no longer kept. Please search again.';
    end if;
    return jsonb_build_object('code', s.code, 'at', s.at);
  end if;
  loop
    insert into public.travel_searches (org_id, user_id, code, type, query, found, summary)
    values (v_org, auth.uid(), app.human_code(4), p ->> 'type', p -> 'query',
      case json_typeof(p_found) when 'object' then p_found end,
      left(app.clean_line(p -> 'summary', 10000, 'summary'), 300))
    on conflict do nothing returning * into s;
    exit when found;
  end loop;
  update public.travel_searches x set found = null
  where x.org_id = v_org and x.user_id = auth.uid() and x.found is not null and x.at < (
    select o.at from public.travel_searches o
    where o.org_id = v_org and o.user_id = auth.uid() and o.found is not null order by o.at desc offset 29 limit 1);
  delete from public.travel_searches x
  where x.org_id = v_org and x.user_id = auth.uid() and x.at < (
    select o.at from public.travel_searches o
    where o.org_id = v_org and o.user_id = auth.uid() order by o.at desc offset 499 limit 1);
  return jsonb_build_object('code', s.code, 'at', s.at);
end $$;

-- A search of the caller's own by its code or that of an offer of it, with what was
-- found. Raises PT404 'search_gone' where it or its offers are gone.
create function public.travel_search_get(p_code text) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  s public.travel_searches;
begin
  select * into s from public.travel_searches x
  where x.org_id = v_org and x.user_id = auth.uid() and x.code = left(upper(btrim(p_code)), 4)
    and x.found is not null and x.at > clock_timestamp() - interval '1 day';
  if not found then
    raise sqlstate 'PT404' using message = 'search_gone',
      detail = 'What was found then is no longer kept. Please search again.';
  end if;
  return json_build_object('code', s.code, 'type', s.type, 'query', s.query, 'found', s.found, 'at', s.at,
    'summary', s.summary);
end $$;

-- The newest searches of the caller's own, without what was found.
create function public.travel_search_list(p_limit int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', l.code, 'type', l.type, 'query', l.query, 'at', l.at,
      'summary', l.summary) order by l.at desc), '[]')
    from (
      select * from public.travel_searches x where x.org_id = v_org and x.user_id = auth.uid()
      order by x.at desc limit least(greatest(coalesce(p_limit, 20), 1), 100)) l);
end $$;

-- A booking as our functions read it.
create function app.travel_booking_json(b public.travel_bookings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('code', b.code, 'type', b.type, 'state', b.state, 'title', b.title,
    'reference', b.reference, 'starts', app.local_time(b.starts), 'ends', app.local_time(b.ends),
    'startZone', b.start_zone, 'endZone', b.end_zone, 'place', b.place, 'paid', b.paid, 'payBy', b.pay_by,
    'total', case when b.total is not null then jsonb_build_object('amount', b.total, 'currency', b.currency) end,
    'refunded', case when b.refunded is not null
      then jsonb_build_object('amount', b.refunded, 'currency', b.refunded_currency) end,
    'travellers', b.travellers, 'details', b.details, 'change', b.change, 'rating', coalesce(b.rating, 0),
    'feedback', b.feedback, 'version', b.version, 'createdAt', b.created_at,
    'trip', coalesce((select t.code from public.trips t where t.org_id = b.org_id and t.id = b.trip_id), ''),
    'supplier', b.supplier, 'supplierId', b.supplier_id, 'key', coalesce(b.key, ''), 'offerId', b.offer_id)
$$;

-- A booking of the caller's own, locked where it is to be changed. Raises PT404
-- 'booking_not_found'.
create function app.travel_booking_of(p_org uuid, p_code text) returns public.travel_bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  b public.travel_bookings;
begin
  select * into b from public.travel_bookings x
  where x.org_id = p_org and x.user_id = auth.uid() and x.code = upper(btrim(p_code));
  if not found then
    raise sqlstate 'PT404' using message = 'booking_not_found', detail = 'You have no such booking.';
  end if;
  return b;
end $$;

create function app.travel_booking_locked(p_org uuid, p_code text) returns public.travel_bookings
language plpgsql volatile security definer set search_path = '' as $$
declare
  b public.travel_bookings := app.travel_booking_of(p_org, p_code);
begin
  select * into b from public.travel_bookings x where x.org_id = b.org_id and x.id = b.id for no key update;
  return b;
end $$;

-- What p, a booking of our functions, says, put over b: members that are absent, null
-- or empty stay. Raises PT422 'bad_booking', and as the functions of trips.
create function app.travel_booking_with(b public.travel_bookings, p jsonb) returns public.travel_bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  v_codes text[];
begin
  b.type := coalesce(nullif(p ->> 'type', ''), b.type);
  b.title := coalesce(nullif(left(app.clean_line(p -> 'title', 2000, 'title'), 200), ''), b.title);
  b.reference := coalesce(nullif(app.clean_line(p -> 'reference', 100, 'reference'), ''), b.reference, '');
  b.place := coalesce(nullif(left(app.clean_line(p -> 'place', 2000, 'place'), 300), ''), b.place, '');
  b.starts := coalesce(app.clean_time(p -> 'starts'), b.starts);
  b.ends := coalesce(app.clean_time(p -> 'ends'), b.ends, b.starts);
  b.start_zone := coalesce(app.clean_zone(nullif(p ->> 'startZone', '')), b.start_zone, '');
  b.end_zone := coalesce(app.clean_zone(nullif(p ->> 'endZone', '')), nullif(b.end_zone, ''), b.start_zone);
  if coalesce(p -> 'total' ->> 'currency', '') <> '' then
    select c.amount, c.currency into b.total, b.currency from app.clean_price(p -> 'total') c;
  end if;
  if coalesce(p -> 'refunded' ->> 'currency', '') <> '' then
    select c.amount, c.currency into b.refunded, b.refunded_currency from app.clean_price(p -> 'refunded') c;
  end if;
  b.paid := coalesce(b.paid, false) or coalesce((p ->> 'paid')::boolean, false);
  b.pay_by := coalesce((p ->> 'payBy')::timestamptz, b.pay_by);
  v_codes := app.clean_list(p -> 'travellers', 9, 20, 'travellers');
  b.travellers := case when cardinality(v_codes) > 0 then v_codes else coalesce(b.travellers, '{}') end;
  if jsonb_typeof(p -> 'details') in ('array', 'object') then
    b.details := p -> 'details';
  end if;
  b.change := coalesce(nullif(left(app.clean_line(p -> 'change', 4000, 'change'), 500), ''), b.change, '');
  b.supplier := coalesce(nullif(p ->> 'supplier', ''), b.supplier, '');
  b.supplier_id := coalesce(nullif(p ->> 'supplierId', ''), b.supplier_id, '');
  b.offer_id := coalesce(nullif(p ->> 'offerId', ''), b.offer_id, '');
  if b.type is null or b.type not in ('flight', 'hotel', 'activity') or b.title is null then
    raise sqlstate 'PT422' using message = 'bad_booking', detail = 'A booking has a type and a title.';
  elsif b.ends < b.starts - interval '1 day' then
    raise sqlstate 'PT422' using message = 'ends_before_start', detail = 'It would end before it starts.';
  end if;
  return b;
end $$;

-- Adds a booking of the caller's own.
create function app.travel_booking_insert(b public.travel_bookings) returns public.travel_bookings
language plpgsql volatile security definer set search_path = '' as $$
begin
  if (select count(*) from public.travel_bookings x where x.org_id = b.org_id and x.user_id = auth.uid()) >= 5000 then
    raise sqlstate 'PT409' using message = 'too_many_bookings', detail = 'You have 5000 bookings.';
  end if;
  insert into public.travel_bookings (org_id, user_id, code, type, state, title, reference, starts, ends, start_zone,
    end_zone, place, total, currency, paid, pay_by, refunded, refunded_currency, travellers, trip_id, details, change,
    rating, feedback, supplier, supplier_id, key, offer_id)
  values (b.org_id, auth.uid(), app.travel_code(b.org_id, 'TB'), b.type, b.state, b.title, b.reference, b.starts,
    b.ends, b.start_zone, b.end_zone, b.place, b.total, b.currency, b.paid, b.pay_by, b.refunded, b.refunded_currency,
    b.travellers, b.trip_id, b.details, b.change, b.rating, coalesce(b.feedback, ''), b.supplier, b.supplier_id,
    b.key, b.offer_id)
  returning * into b;
  return b;
end $$;

-- Stores what may change of a booking.
create function app.travel_booking_update(b public.travel_bookings) returns public.travel_bookings
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.travel_bookings x
  set state = b.state, title = b.title, reference = b.reference, starts = b.starts, ends = b.ends,
    start_zone = b.start_zone, end_zone = b.end_zone, place = b.place, total = b.total, currency = b.currency,
    paid = b.paid, pay_by = b.pay_by, refunded = b.refunded, refunded_currency = b.refunded_currency,
    travellers = b.travellers, trip_id = b.trip_id, details = b.details, change = b.change, rating = b.rating,
    feedback = b.feedback, supplier = b.supplier, supplier_id = b.supplier_id, offer_id = b.offer_id
  where x.org_id = b.org_id and x.id = b.id returning * into b;
  return b;
end $$;

-- The state after p_new was told of a booking in state p_old. What was told late
-- changes nothing: a cancelled booking stays so, a confirmed one is not held again,
-- nothing becomes pending again. A failed one may turn out to have been made.
create function app.travel_state(p_old text, p_new text) returns text
language sql immutable set search_path = '' as $$
  select case
    when coalesce(p_new, '') = '' or p_old = 'cancelled' or p_new = 'pending' then p_old
    when p_old = 'confirmed' and p_new in ('held', 'failed') then p_old
    else p_new end
$$;

-- Makes the items of a booking's trip those of p_items, in their order; items that are
-- there keep their codes and notes. A failed booking has none. Without a trip nothing
-- happens.
create function app.travel_booking_items(b public.travel_bookings, p_items jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  t public.trips;
  v_codes text[];
  v_items jsonb;
begin
  if b.trip_id is null then
    return;
  end if;
  select * into t from public.trips x where x.org_id = b.org_id and x.id = b.trip_id for no key update;
  select coalesce(array_agg(i.code order by substr(i.code, 2)::int), '{}') into v_codes
  from public.trip_items i where i.org_id = t.org_id and i.trip_id = t.id and i.booking = b.code;
  if b.state = 'failed' then
    p_items := '[]';
  elsif coalesce(p_items, '[]') = '[]' then
    -- Nothing is told of times: how firm they are is.
    update public.trip_items i
    set status = app.item_status(b.state), reference = coalesce(nullif(b.reference, ''), i.reference)
    where i.org_id = t.org_id and i.trip_id = t.id and i.booking = b.code;
    perform app.trip_changed(t);
    return;
  end if;
  select jsonb_agg(e.item || jsonb_build_object('code', coalesce(v_codes[e.n], ''), 'booking', b.code,
    'status', app.item_status(b.state),
    'notes', coalesce((select i.notes from public.trip_items i
      where i.org_id = t.org_id and i.trip_id = t.id and i.code = v_codes[e.n]), '')) order by e.n)
  into v_items from jsonb_array_elements(p_items) with ordinality e (item, n);
  delete from public.trip_items i
  where i.org_id = t.org_id and i.trip_id = t.id and i.code = any (v_codes[jsonb_array_length(p_items) + 1:]);
  if v_items is not null then
    perform app.put_items(t, v_items);
  end if;
  perform app.trip_changed(t);
end $$;

-- How firm an item is whose booking is in a state.
create function app.item_status(p_state text) returns text
language sql immutable set search_path = '' as $$
  select case p_state when 'held' then 'held' when 'confirmed' then 'booked' when 'cancelled' then 'cancelled'
    else 'planned' end
$$;

-- Says in which trip a booking of the caller's own stands, when an item names it; one
-- of another user's that stands in this trip already is left alone. Raises PT404
-- 'booking_not_found'.
create function app.link_booking(t public.trips, p_booking text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.travel_bookings b set trip_id = t.id
  where b.org_id = t.org_id and b.code = p_booking and b.user_id = auth.uid() and b.trip_id is distinct from t.id;
  if not found and not exists (select from public.travel_bookings b where b.org_id = t.org_id and b.code = p_booking
      and (b.user_id = auth.uid() or b.trip_id = t.id)) then
    raise sqlstate 'PT404' using message = 'booking_not_found', detail = 'You have no such booking.';
  end if;
end $$;

-- Writes down what is about to be ordered under a key, in state pending; the same key
-- again returns what is there. Raises PT404 'trip_not_found', PT422 'bad_key',
-- 'bad_booking'.
create function public.travel_booking_open(p jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  b public.travel_bookings;
  t public.trips;
begin
  if coalesce(length(p ->> 'key'), 0) not between 8 and 200 then
    raise sqlstate 'PT422' using message = 'bad_key', detail = 'What is ordered has a key of 8 to 200 characters.';
  end if;
  -- Two at once with one key wait for each other here.
  perform pg_advisory_xact_lock(hashtextextended(v_org::text || auth.uid()::text || (p ->> 'key'), 0));
  select * into b from public.travel_bookings x
  where x.org_id = v_org and x.user_id = auth.uid() and x.key = p ->> 'key';
  if not found then
    b := app.travel_booking_with(null, p);
    b.org_id := v_org;
    b.state := 'pending';
    b.key := p ->> 'key';
    if coalesce(p ->> 'trip', '') <> '' then
      t := app.trip_of(v_org, p ->> 'trip');
      b.trip_id := t.id;
    end if;
    b := app.travel_booking_insert(b);
  end if;
  return app.travel_booking_json(b);
end $$;

-- Says what became of a booking, p as app.travel_booking_with, with "state" and with
-- "items", what of it stands in its trip. Raises PT404 'booking_not_found'.
create function public.travel_booking_settle(p jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  b public.travel_bookings := app.travel_booking_locked(v_org, p ->> 'code');
  t public.trips;
begin
  b := app.travel_booking_settled(b, p);
  if coalesce(p ->> 'trip', '') <> '' then
    t := app.trip_of(v_org, p ->> 'trip');
    b.trip_id := t.id;
  end if;
  b := app.travel_booking_update(b);
  perform app.travel_booking_items(b, p -> 'items');
  return app.travel_booking_json(b);
end $$;

create function app.travel_booking_settled(b public.travel_bookings, p jsonb) returns public.travel_bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  v_state constant text := app.travel_state(b.state, p ->> 'state');
begin
  b := app.travel_booking_with(b, p);
  b.state := v_state;
  if v_state <> 'held' then
    b.pay_by := null;
  end if;
  if v_state = 'cancelled' then
    b.change := '';
  end if;
  return b;
end $$;

-- Enters a booking that was made elsewhere, with "rating" and "feedback". It is
-- confirmed unless "state" says otherwise. Raises as travel_booking_open.
create function public.travel_booking_add(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  b public.travel_bookings;
  t public.trips;
begin
  b := app.travel_booking_with(null, p - array['supplier', 'supplierId', 'offerId', 'key']);
  b.org_id := v_org;
  b.state := coalesce(nullif(p ->> 'state', ''), 'confirmed');
  b.rating := nullif((p ->> 'rating')::int, 0);
  b.feedback := app.clean_text(p -> 'feedback', 2000, 'feedback');
  if b.rating not between 1 and 5 then
    raise sqlstate 'PT422' using message = 'bad_rating', detail = 'A rating is 1 to 5.';
  end if;
  if coalesce(p ->> 'trip', '') <> '' then
    t := app.trip_locked(v_org, p ->> 'trip');
    b.trip_id := t.id;
  end if;
  b := app.travel_booking_insert(b);
  perform app.travel_booking_items(b, p -> 'items');
  return app.travel_booking_json(b);
end $$;

-- Says what the caller thought of a booking; a rating of 0 takes it back. Raises PT404
-- 'booking_not_found', PT422 'bad_rating', 'too_long'.
create function public.travel_booking_rate(p_booking text, p_rating int, p_feedback text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  b public.travel_bookings := app.travel_booking_locked(app.proven_org(), p_booking);
begin
  if p_rating is null or p_rating not between 0 and 5 then
    raise sqlstate 'PT422' using message = 'bad_rating', detail = 'A rating is 1 to 5.';
  end if;
  b.rating := nullif(p_rating, 0);
  b.feedback := app.clean_text(to_jsonb(p_feedback), 2000, 'feedback');
  return app.travel_booking_json(app.travel_booking_update(b));
end $$;

-- A booking of the caller's own. Raises PT404 'booking_not_found'.
create function public.travel_booking_get(p_booking text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.travel_booking_json(app.travel_booking_of(app.proven_org(), p_booking));
end $$;

-- Bookings of the caller's own, p with "text", "past", "upcoming", "type" and "limit":
-- those that fit the text best first, else upcoming ones by when they start, others
-- the latest first. Words are found in title, place, reference and feedback, also
-- when they are nearly spelt so.
create function public.travel_booking_list(p jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  v_org constant uuid := app.proven_org();
  v_text constant text := left(btrim(coalesce(p ->> 'text', '')), 200);
  v_words constant tsquery := websearch_to_tsquery('english', v_text);
  v_past constant boolean := coalesce((p ->> 'past')::boolean, false);
  v_upcoming constant boolean := coalesce((p ->> 'upcoming')::boolean, false);
begin
  return (
    select coalesce(jsonb_agg(l.booking order by l.place), '[]')
    from (
      select app.travel_booking_json(b) as booking, row_number() over (order by
        case when v_text <> '' then f.fit end desc, case when v_upcoming and not v_past then b.starts end,
        b.starts desc nulls first, b.created_at desc, b.code desc) as place
      from public.travel_bookings b
      cross join lateral (select concat_ws(' ', b.code, b.title, b.place, b.reference, b.feedback)) d (words)
      cross join lateral (select case when v_text = '' then 0 else
        case when to_tsvector('english', d.words) @@ v_words
          then 1 + ts_rank(to_tsvector('english', d.words), v_words) else 0 end
        + extensions.strict_word_similarity(v_text, d.words) end) f (fit)
      where b.org_id = v_org and b.user_id = auth.uid() and (v_text = '' or f.fit >= 0.45)
        and (coalesce(p ->> 'type', '') = '' or b.type = p ->> 'type')
        and (v_past = v_upcoming or v_past = coalesce(b.ends::date
          < (clock_timestamp() at time zone coalesce(nullif(b.end_zone, ''), 'UTC'))::date, false))
      order by place
      limit least(greatest(coalesce(nullif((p ->> 'limit')::int, 0), 20), 1), 200)) l);
end $$;

-- The booking that a supplier knows by an id: {"org", "booking"}, null for none.
create function public.job_travel_order(p_supplier text, p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('org', b.org_id, 'booking', app.travel_booking_json(b))
    from public.travel_bookings b where b.supplier = p_supplier and b.supplier_id = p_id and p_id <> ''
    order by b.created_at limit 1);
end $$;

-- Applies what a supplier told of a booking, once by "id": p with "supplier",
-- "supplierId", and what travel_booking_settle takes. False for one that was applied
-- before or is of no booking of the organisation's.
create function public.job_travel_notice(p_org uuid, p jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  b public.travel_bookings;
begin
  select * into b from public.travel_bookings x
  where x.org_id = p_org and x.supplier = p ->> 'supplier' and x.supplier_id = p ->> 'supplierId'
    and x.supplier_id <> ''
  order by x.created_at limit 1 for no key update;
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

-- Forgets what was found more than a day ago, queries of ninety days ago and notices of
-- thirty, up to p_batch of each, and returns how many queries.
create function app.clean_up_travel(p_batch int default 10000) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_count int;
begin
  update public.travel_searches s set found = null where (s.org_id, s.user_id, s.code) in (
    select o.org_id, o.user_id, o.code from public.travel_searches o
    where o.found is not null and o.at < v_now - interval '1 day' limit p_batch for update skip locked);
  delete from public.travel_searches s where (s.org_id, s.user_id, s.code) in (
    select o.org_id, o.user_id, o.code from public.travel_searches o
    where o.at < v_now - interval '90 days' limit p_batch for update skip locked);
  get diagnostics v_count = row_count;
  delete from public.travel_notices n where (n.org_id, n.supplier, n.id) in (
    select o.org_id, o.supplier, o.id from public.travel_notices o
    where o.at < v_now - interval '30 days' limit p_batch for update skip locked);
  return v_count;
end $$;

-- All of the clean-up, for a scheduled job that holds the project's secret key.
create or replace function public.clean_up() returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.clean_up() || jsonb_build_object(
    'feedback', app.clean_up_feedback(), 'conversations', app.clean_up_conversations(), 'files', app.forget_files(),
    'responses', app.clean_up_responses(), 'searches', app.clean_up_travel())
$$;

call app.personal_function('travel_booking_add');
call app.personal_function('travel_booking_rate');
call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.travel_search_keep(jsonb, json), public.travel_search_get(text),
  public.travel_search_list(int), public.travel_booking_open(jsonb), public.travel_booking_settle(jsonb),
  public.travel_booking_add(jsonb), public.travel_booking_rate(text, int, text), public.travel_booking_get(text),
  public.travel_booking_list(jsonb) from public, anon, service_role;
grant execute on function public.travel_search_keep(jsonb, json), public.travel_search_get(text),
  public.travel_search_list(int), public.travel_booking_open(jsonb), public.travel_booking_settle(jsonb),
  public.travel_booking_add(jsonb), public.travel_booking_rate(text, int, text), public.travel_booking_get(text),
  public.travel_booking_list(jsonb) to authenticated;
revoke execute on function public.job_travel_order(text, text), public.job_travel_notice(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function public.job_travel_order(text, text), public.job_travel_notice(uuid, jsonb) to service_role;
notify pgrst, 'reload schema';
