-- Trips and what is planned on them. A trip belongs to one user and to the companions
-- whom the user names (see the file of personal rows), whatever their roles are. All of
-- it is read and written by the functions below alone.

-- Numbers of codes such as TR-0001, by organisation.
create table public.travel_codes (
  org_id uuid not null references public.orgs (id),
  name text not null check (name in ('TR', 'TB')),
  last int not null default 0,
  primary key (org_id, name)
);
call app.control_table('travel_codes');

-- The next code of an organisation: p_name and a number of four digits or more.
create function app.travel_code(p_org uuid, p_name text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_number int;
begin
  insert into public.travel_codes as c (org_id, name, last) values (p_org, p_name, 1)
  on conflict (org_id, name) do update set last = c.last + 1 returning last into v_number;
  return p_name || '-' || lpad(v_number::text, greatest(4, length(v_number::text)), '0');
end $$;

create table public.trips (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  code text not null check (code ~ '^TR-[0-9]{4,10}$'),
  title text not null check (length(title) between 1 and 200),
  -- As given; what is planned may begin earlier and end later.
  from_on date,
  to_on date check (to_on >= from_on),
  items int not null default 0, -- how many were made, for their codes
  begin_key text check (length(begin_key) between 1 and 200), -- of the request that made it
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
create unique index trips_begun on public.trips (org_id, user_id, begin_key) where begin_key is not null;
create index trips_of_user on public.trips (org_id, user_id);
call app.personal_table('trips', '{title,begin_key}');
revoke all on public.trips from authenticated, service_role;

create table public.trip_items (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  trip_id uuid not null,
  code text not null check (code ~ '^I[0-9]{1,6}$'),
  type text not null check (type in ('flight', 'hotel', 'activity', 'travel', 'note')),
  status text not null default 'planned' check (status in ('planned', 'held', 'booked', 'cancelled')),
  title text not null check (length(title) between 1 and 200),
  origin text not null default '' check (length(origin) <= 200),
  destination text not null default '' check (length(destination) <= 200),
  place text not null default '' check (length(place) <= 300),
  -- Local to where it starts and ends; the zones are those of the IANA.
  starts timestamp not null check (starts between timestamp '2000-01-01' and timestamp '2150-01-01'),
  ends timestamp not null check (ends between timestamp '2000-01-01' and timestamp '2150-01-01'),
  all_day boolean not null default false,
  start_zone text not null check (length(start_zone) between 1 and 64),
  end_zone text not null check (length(end_zone) between 1 and 64),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  booking text not null default '' check (booking = '' or booking ~ '^TB-[0-9]{4,10}$'),
  reference text not null default '' check (length(reference) <= 100),
  price numeric check (price >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  notes text not null default '' check (length(notes) <= 2000),
  number text not null default '' check (length(number) <= 20),
  international boolean not null default false,
  check ((price is null) = (currency is null)),
  primary key (org_id, id),
  unique (org_id, trip_id, code),
  foreign key (org_id, trip_id) references public.trips (org_id, id) on delete cascade
);
create index trip_items_of_booking on public.trip_items (org_id, booking) where booking <> '';
call app.personal_child_table('trip_items', 'trips', 'trip_id', '{title,origin,destination,place,reference,notes}');
revoke all on public.trip_items from authenticated, service_role;

-- A trip that the caller owns or accompanies. Raises PT404 'trip_not_found'.
create function app.trip_of(p_org uuid, p_code text) returns public.trips
language plpgsql stable security definer set search_path = '' as $$
declare
  t public.trips;
begin
  select * into t from public.trips x
  where x.org_id = p_org and x.code = upper(btrim(p_code))
    and (x.user_id = auth.uid() or app.is_companion('trips', x.id));
  if not found then
    raise sqlstate 'PT404' using message = 'trip_not_found', detail = 'You have no such trip.';
  end if;
  return t;
end $$;

-- The same, locked, in the version that the caller saw; 0 is any. Raises PT409
-- 'changed' for another.
create function app.trip_locked(p_org uuid, p_code text, p_version int default 0) returns public.trips
language plpgsql volatile security definer set search_path = '' as $$
declare
  t public.trips := app.trip_of(p_org, p_code);
begin
  select * into t from public.trips x where x.org_id = t.org_id and x.id = t.id for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'trip_not_found', detail = 'You have no such trip.';
  elsif coalesce(p_version, 0) not in (0, t.version) then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'This trip was changed in the meantime. Look at it again first.';
  end if;
  return t;
end $$;

create function app.local_time(p timestamp) returns text
language sql immutable set search_path = '' as $$
  select coalesce(to_char(p, 'YYYY-MM-DD"T"HH24:MI'), '')
$$;

create function app.trip_item_json(i public.trip_items) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('code', i.code, 'type', i.type, 'status', i.status, 'title', i.title, 'origin', i.origin,
    'destination', i.destination, 'place', i.place, 'starts', app.local_time(i.starts),
    'ends', app.local_time(i.ends), 'allDay', i.all_day, 'startZone', i.start_zone, 'endZone', i.end_zone,
    'booking', i.booking, 'reference', i.reference, 'notes', i.notes, 'number', i.number,
    'international', i.international,
    'price', case when i.price is not null then jsonb_build_object('amount', i.price, 'currency', i.currency) end)
$$;

-- A trip as itinerary.Trip of our functions reads it; its days are those of what is
-- planned, or as given where nothing is.
create function app.trip_json(t public.trips, p_items boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_from date;
  v_to date;
  v_items jsonb;
begin
  select min(i.starts)::date, max(i.ends)::date,
    jsonb_agg(app.trip_item_json(i) order by i.starts_at, i.ends_at, substr(i.code, 2)::int)
  into v_from, v_to, v_items
  from public.trip_items i where i.org_id = t.org_id and i.trip_id = t.id;
  return jsonb_build_object('code', t.code, 'title', t.title, 'from', coalesce(least(v_from, t.from_on)::text, ''),
    'to', coalesce(greatest(v_to, t.to_on)::text, ''), 'mine', t.user_id = auth.uid(), 'version', t.version,
    'updatedAt', t.updated_at, 'items', case when p_items then coalesce(v_items, '[]') else '[]' end,
    'companions', (
      select coalesce(jsonb_agg(app.person_name(c.org_id, c.user_id) order by c.added_at, c.user_id), '[]')
      from public.companions c
      where c.org_id = t.org_id and c.table_name = 'trips' and c.row_id = t.id));
end $$;

-- A line of text: cleaned, without line breaks. Raises as app.clean_text.
create function app.clean_line(p_value jsonb, p_most int, p_what text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(app.clean_text(p_value, p_most, p_what), '\s+', ' ', 'g')
$$;

-- A local time of the form 2026-01-15T21:35; null for none. Raises PT422 'bad_time'.
create function app.clean_time(p_value jsonb) returns timestamp
language plpgsql immutable set search_path = '' as $$
declare
  v constant text := coalesce(p_value #>> '{}', '');
begin
  if v = '' then
    return null;
  elsif v ~ '^2[01][0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$' then
    begin
      return to_timestamp(v, 'YYYY-MM-DD"T"HH24:MI') at time zone current_setting('TimeZone');
    exception when data_exception then
      null;
    end;
  end if;
  raise sqlstate 'PT422' using message = 'bad_time', detail = 'A time has the form 2026-01-15T21:35.';
end $$;

-- A zone of the IANA; null stays. Raises PT422 'bad_zone'.
create function app.clean_zone(p_value text) returns text
language plpgsql stable set search_path = '' as $$
begin
  if p_value is null then
    return null;
  elsif p_value ~ '^(UTC|[A-Za-z_]{2,20}(/[A-Za-z0-9_+-]{1,30}){1,2})$' then
    begin
      perform timezone(p_value, timestamptz '2000-01-01 00:00+00');
      return p_value;
    exception when data_exception then
      null;
    end;
  end if;
  raise sqlstate 'PT422' using message = 'bad_zone', detail = 'This is no time zone such as Europe/London.';
end $$;

-- A price of the form {"amount", "currency"}, null for none. Raises PT422 'bad_price'.
create function app.clean_price(p_value jsonb, out amount numeric, out currency text)
language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(p_value ->> 'currency', '') = '' then
    return;
  elsif (p_value ->> 'currency') ~ '^[A-Z]{3}$' and (p_value ->> 'amount') ~ '^[0-9]{1,12}(\.[0-9]{1,4})?$' then
    amount := (p_value ->> 'amount')::numeric;
    currency := p_value ->> 'currency';
    return;
  end if;
  raise sqlstate 'PT422' using message = 'bad_price', detail = 'A price is an amount and a currency such as EUR.';
end $$;

-- What is to be planned, as itinerary.Item of our functions writes it. Raises PT422
-- 'bad_item', 'title_required', 'time_required', 'ends_before_start', and as the
-- functions above.
create function app.clean_item(p jsonb) returns public.trip_items
language plpgsql stable set search_path = '' as $$
declare
  i public.trip_items;
begin
  if jsonb_typeof(p) is distinct from 'object' then
    raise sqlstate 'PT422' using message = 'bad_item', detail = 'This has another form.';
  end if;
  i.code := app.clean_line(p -> 'code', 20, 'code');
  i.type := coalesce(p ->> 'type', '');
  i.status := coalesce(nullif(p ->> 'status', ''), 'planned');
  if i.type not in ('flight', 'hotel', 'activity', 'travel', 'note')
    or i.status not in ('planned', 'held', 'booked', 'cancelled') then
    raise sqlstate 'PT422' using message = 'bad_item',
      detail = 'What is planned is a flight, a hotel, an activity, travel or a note.';
  end if;
  i.title := app.clean_line(p -> 'title', 200, 'title');
  if i.title = '' then
    raise sqlstate 'PT422' using message = 'title_required', detail = 'It needs a title.';
  end if;
  i.origin := app.clean_line(p -> 'origin', 200, 'origin');
  i.destination := app.clean_line(p -> 'destination', 200, 'destination');
  i.place := app.clean_line(p -> 'place', 300, 'place');
  i.booking := coalesce(p ->> 'booking', '');
  i.reference := app.clean_line(p -> 'reference', 100, 'reference');
  i.notes := app.clean_text(p -> 'notes', 2000, 'notes');
  i.number := app.clean_line(p -> 'number', 20, 'number');
  i.international := coalesce((p ->> 'international')::boolean, false);
  i.all_day := coalesce((p ->> 'allDay')::boolean, false);
  select c.amount, c.currency into i.price, i.currency from app.clean_price(p -> 'price') c;
  i.starts := app.clean_time(p -> 'starts');
  i.ends := coalesce(app.clean_time(p -> 'ends'), i.starts);
  if i.starts is null then
    raise sqlstate 'PT422' using message = 'time_required', detail = 'It needs a day and a time at which it starts.';
  end if;
  i.start_zone := app.clean_zone(coalesce(nullif(p ->> 'startZone', ''), nullif(p ->> 'endZone', ''), 'UTC'));
  i.end_zone := app.clean_zone(coalesce(nullif(p ->> 'endZone', ''), i.start_zone));
  i.starts_at := i.starts at time zone i.start_zone;
  i.ends_at := i.ends at time zone i.end_zone;
  if i.ends_at < i.starts_at then
    raise sqlstate 'PT422' using message = 'ends_before_start', detail = 'It would end before it starts.';
  elsif i.ends_at > i.starts_at + interval '370 days' then
    raise sqlstate 'PT422' using message = 'too_long', detail = 'It would take more than a year.';
  end if;
  return i;
end $$;

-- Writes what is planned: adds an item without a code, changes the one that has it.
-- Raises PT404 'item_not_found', PT409 'too_many_items', and as app.clean_item.
create function app.put_items(t public.trips, p_items jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_one jsonb;
  i public.trip_items;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) > 40 then
    raise sqlstate 'PT422' using message = 'bad_item', detail = 'At most 40 things are planned at once.';
  end if;
  for v_one in select e.value from jsonb_array_elements(p_items) e loop
    i := app.clean_item(v_one);
    if i.code = '' then
      update public.trips x set items = x.items + 1 where x.org_id = t.org_id and x.id = t.id returning * into t;
      i.code := 'I' || t.items;
    elsif not exists (select from public.trip_items o
        where o.org_id = t.org_id and o.trip_id = t.id and o.code = i.code) then
      raise sqlstate 'PT404' using message = 'item_not_found', detail = 'The trip has nothing under this code.';
    end if;
    insert into public.trip_items as o (org_id, trip_id, code, type, status, title, origin, destination, place, starts,
      ends, all_day, start_zone, end_zone, starts_at, ends_at, booking, reference, price, currency, notes, number,
      international)
    values (t.org_id, t.id, i.code, i.type, i.status, i.title, i.origin, i.destination, i.place, i.starts, i.ends,
      i.all_day, i.start_zone, i.end_zone, i.starts_at, i.ends_at, i.booking, i.reference, i.price, i.currency,
      i.notes, i.number, i.international)
    on conflict (org_id, trip_id, code) do update set type = excluded.type, status = excluded.status,
      title = excluded.title, origin = excluded.origin, destination = excluded.destination, place = excluded.place,
      starts = excluded.starts, ends = excluded.ends, all_day = excluded.all_day, start_zone = excluded.start_zone,
      end_zone = excluded.end_zone, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      booking = excluded.booking, reference = excluded.reference, price = excluded.price,
      currency = excluded.currency, notes = excluded.notes, number = excluded.number,
      international = excluded.international;
    if i.booking <> '' then
      perform app.link_booking(t, i.booking);
    end if;
  end loop;
  if (select count(*) from public.trip_items o where o.org_id = t.org_id and o.trip_id = t.id) > 200 then
    raise sqlstate 'PT409' using message = 'too_many_items', detail = 'A trip has at most 200 things.';
  end if;
end $$;

-- Counts a change of a trip and returns the trip.
create function app.trip_changed(t public.trips) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.trips x set title = t.title, from_on = t.from_on, to_on = t.to_on
  where x.org_id = t.org_id and x.id = t.id returning * into t;
  return app.trip_json(t, true);
end $$;

-- The caller's trips and those that the caller accompanies, without what is planned:
-- the next first, past ones last, the latest of them first.
create function public.trip_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  v_today constant text := current_date::text;
begin
  return (
    select coalesce(jsonb_agg(l.trip order by l.past, case when not l.past then nullif(l.trip ->> 'from', '') end,
      l.trip ->> 'to' desc, l.trip ->> 'code' desc), '[]')
    from (
      select j.trip, j.trip ->> 'to' <> '' and j.trip ->> 'to' < v_today as past
      from public.trips t cross join lateral app.trip_json(t, false) j (trip)
      where t.org_id = v_org
        and (t.user_id = auth.uid() or t.id in (select app.companion_rows('trips')))) l);
end $$;

-- A trip with what is planned. Raises PT404 'trip_not_found'.
create function public.trip_get(p_trip text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.trip_json(app.trip_of(app.member_org(), p_trip), true);
end $$;

-- Makes a trip of p with "title", "from", "to" and "items"; the same key again returns
-- the one that is there. Raises PT409 'too_many_trips', PT422 'title_required',
-- 'ends_before_start', and as app.put_items.
create function public.trip_create(p_key text, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_key constant text := nullif(left(btrim(p_key), 200), '');
  t public.trips;
begin
  t.title := app.clean_line(p -> 'title', 200, 'title');
  t.from_on := nullif(p ->> 'from', '')::date;
  t.to_on := coalesce(nullif(p ->> 'to', '')::date, t.from_on);
  if t.title = '' then
    raise sqlstate 'PT422' using message = 'title_required', detail = 'A trip needs a title.';
  elsif t.to_on < t.from_on then
    raise sqlstate 'PT422' using message = 'ends_before_start', detail = 'It would end before it starts.';
  elsif (select count(*) from public.trips x where x.org_id = v_org and x.user_id = auth.uid()) >= 500 then
    raise sqlstate 'PT409' using message = 'too_many_trips', detail = 'You have 500 trips. Delete some of them first.';
  end if;
  select * into t from public.trips x where x.org_id = v_org and x.user_id = auth.uid() and x.begin_key = v_key;
  if not found then
    insert into public.trips (org_id, user_id, code, title, from_on, to_on, begin_key)
    values (v_org, auth.uid(), app.travel_code(v_org, 'TR'), app.clean_line(p -> 'title', 200, 'title'),
      nullif(p ->> 'from', '')::date, coalesce(nullif(p ->> 'to', ''), nullif(p ->> 'from', ''))::date, v_key)
    on conflict (org_id, user_id, begin_key) where begin_key is not null do nothing returning * into t;
    if not found then
      select * into t from public.trips x where x.org_id = v_org and x.user_id = auth.uid() and x.begin_key = v_key;
    elsif jsonb_typeof(p -> 'items') = 'array' and p -> 'items' <> '[]' then
      perform app.put_items(t, p -> 'items');
      return app.trip_changed(t);
    end if;
  end if;
  return app.trip_json(t, true);
end $$;

-- Gives a trip another title. Raises PT404 'trip_not_found', PT409 'changed', PT422
-- 'title_required'.
create function public.trip_rename(p_trip text, p_version int, p_title text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t public.trips := app.trip_locked(app.proven_org(), p_trip, p_version);
begin
  t.title := app.clean_line(to_jsonb(p_title), 200, 'title');
  if t.title = '' then
    raise sqlstate 'PT422' using message = 'title_required', detail = 'A trip needs a title.';
  end if;
  return app.trip_changed(t);
end $$;

-- Deletes a trip of the caller's own with what is planned; its bookings stay. Raises
-- PT403 'not_yours' for a companion, PT404 'trip_not_found', PT409 'changed'.
create function public.trip_delete(p_trip text, p_version int) returns void
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_locked(app.proven_org(), p_trip, p_version);
begin
  if t.user_id <> auth.uid() then
    raise sqlstate 'PT403' using message = 'not_yours', detail = 'Only its owner deletes a trip.';
  end if;
  delete from public.trips x where x.org_id = t.org_id and x.id = t.id;
end $$;

-- Plans things: each of p_items without a code is added, one with a code is changed.
-- Raises PT404 'trip_not_found', 'booking_not_found', PT409 'changed', and as
-- app.put_items.
create function public.trip_put(p_trip text, p_version int, p_items jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_locked(app.proven_org(), p_trip, p_version);
begin
  perform app.put_items(t, p_items);
  return app.trip_changed(t);
end $$;

-- Takes something out of a trip. Raises PT404 'trip_not_found', 'item_not_found',
-- PT409 'changed'.
create function public.trip_remove(p_trip text, p_version int, p_item text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_locked(app.proven_org(), p_trip, p_version);
begin
  delete from public.trip_items i
  where i.org_id = t.org_id and i.trip_id = t.id and i.code = upper(btrim(p_item));
  if not found then
    raise sqlstate 'PT404' using message = 'item_not_found', detail = 'The trip has nothing under this code.';
  end if;
  return app.trip_changed(t);
end $$;

-- Names a companion by the address of a member of the organisation. Raises PT403
-- 'not_yours', PT404 'trip_not_found', 'unknown_user', PT409 'too_many_companions',
-- PT422 'own_account'.
create function public.trip_share(p_trip text, p_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_locked(app.proven_org(), p_trip);
begin
  if t.user_id <> auth.uid() then
    raise sqlstate 'PT403' using message = 'not_yours', detail = 'Only its owner names who comes along.';
  end if;
  perform public.companion_set('trips', t.id, p_email, true);
  if (select count(*) from public.companions c
      where c.org_id = t.org_id and c.table_name = 'trips' and c.row_id = t.id) > 20 then
    raise sqlstate 'PT409' using message = 'too_many_companions', detail = 'A trip has at most 20 companions.';
  end if;
  return app.trip_changed(t);
end $$;

-- Takes a companion back, by the name that the trip shows; companions may leave. Where
-- a companion left, the answer is null. Raises PT403 'not_yours', PT404
-- 'trip_not_found', 'unknown_companion', PT409 'ambiguous_companion'.
create function public.trip_unshare(p_trip text, p_name text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_locked(app.proven_org(), p_trip);
  v_users uuid[];
begin
  select array_agg(c.user_id) into v_users from public.companions c
  where c.org_id = t.org_id and c.table_name = 'trips' and c.row_id = t.id
    and lower(app.person_name(c.org_id, c.user_id)) = lower(btrim(p_name))
    and (t.user_id = auth.uid() or c.user_id = auth.uid());
  if v_users is null and t.user_id <> auth.uid() then
    raise sqlstate 'PT403' using message = 'not_yours', detail = 'Only its owner takes companions back.';
  elsif v_users is null then
    raise sqlstate 'PT404' using message = 'unknown_companion', detail = 'The trip has no such companion.';
  elsif cardinality(v_users) > 1 then
    raise sqlstate 'PT409' using message = 'ambiguous_companion', detail = 'Several companions have this name.';
  end if;
  delete from public.companions c
  where c.org_id = t.org_id and c.table_name = 'trips' and c.row_id = t.id and c.user_id = v_users[1];
  -- Their bookings no longer change it; what is planned stays.
  update public.travel_bookings b set trip_id = null
  where b.org_id = t.org_id and b.trip_id = t.id and b.user_id = v_users[1];
  if t.user_id <> auth.uid() then
    perform app.trip_changed(t);
    return null;
  end if;
  return app.trip_changed(t);
end $$;

call app.personal_function('trip_create');
call app.personal_function('trip_rename');
call app.personal_function('trip_delete');
call app.personal_function('trip_put');
call app.personal_function('trip_remove');
call app.personal_function('trip_share');
call app.personal_function('trip_unshare');
call app.preview_reads('trip_list', 'trip_get');
call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.trip_list(), public.trip_get(text), public.trip_create(text, jsonb),
  public.trip_rename(text, int, text), public.trip_delete(text, int), public.trip_put(text, int, jsonb),
  public.trip_remove(text, int, text), public.trip_share(text, text), public.trip_unshare(text, text)
  from public, anon, service_role;
grant execute on function public.trip_list(), public.trip_get(text), public.trip_create(text, jsonb),
  public.trip_rename(text, int, text), public.trip_delete(text, int), public.trip_put(text, int, jsonb),
  public.trip_remove(text, int, text), public.trip_share(text, text), public.trip_unshare(text, text)
  to authenticated;
notify pgrst, 'reload schema';
