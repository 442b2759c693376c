-- Plans of trips: what was researched for a trip, the options that were composed of it,
-- which of them its owner selected, and links that show it to others. A plan belongs to a
-- trip; companions of the trip read it, and its owner alone changes it. All of it is read
-- and written by the functions below.

-- Items that a plan wrote, and that no one has changed since. They are replaced by those of
-- another selection.
alter table public.trip_items add column from_plan boolean not null default false;

-- Trigger: an item that is changed, or booked, is no longer the plan's.
create function app.item_taken_over() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.from_plan := false;
  return new;
end $$;
create trigger taken_over before update on public.trip_items
  for each row when (old.from_plan and new.from_plan) execute function app.item_taken_over();

create table public.trip_plans (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  trip_id uuid not null,
  code text not null check (code ~ '^TR-[0-9]{4,10}$'), -- of the trip
  status text not null default 'planning' check (status in ('planning', 'proposed', 'selected')),
  title text not null check (length(title) between 1 and 200), -- of the context; the trip's may be another
  context jsonb not null default '{}' check (octet_length(context::text) <= 32768),
  made boolean not null, -- whether planning made the trip, whose days then are those of the context
  runs int not null default 0, -- how many were recorded
  run int not null default 0, -- whose options are current; 0 for none
  option text not null default '' check (length(option) <= 40), -- the selected one
  shares int not null default 0, -- how many were made
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'planning') = (run = 0)),
  check ((status = 'selected') = (option <> '')),
  primary key (org_id, id),
  unique (org_id, trip_id),
  unique (org_id, code),
  foreign key (org_id, trip_id) references public.trips (org_id, id) on delete cascade
);
call app.personal_child_table('trip_plans', 'trips', 'trip_id', '{title,context}');
revoke all on public.trip_plans from authenticated, service_role;

-- What each message led to. Documents are read as a whole or not at all, so that they are
-- kept as they came.
create table public.trip_runs (
  org_id uuid not null,
  trip_id uuid not null,
  number int not null check (number > 0),
  key text not null check (length(key) between 1 and 200), -- of the turn
  user_message text not null check (length(user_message) <= 8000),
  mode text not null check (mode in ('CLARIFY', 'CONFIRM', 'DISPATCH', 'FINALIZE')),
  status text not null check (status in ('success', 'partial', 'error')),
  error text not null default '' check (length(error) <= 1000),
  context jsonb not null check (octet_length(context::text) <= 32768),
  output json check (octet_length(output::text) <= 65536),
  options json check (octet_length(options::text) <= 393216),
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, trip_id, number),
  unique (org_id, trip_id, key),
  foreign key (org_id, trip_id) references public.trips (org_id, id) on delete cascade
);
create index trip_runs_at on public.trip_runs (created_at);
call app.control_table('trip_runs');

-- What specialists were asked for a run and answered.
create table public.trip_messages (
  org_id uuid not null,
  trip_id uuid not null,
  run int not null,
  position int not null check (position between 1 and 10),
  task json not null check (octet_length(task::text) <= 16384),
  output json not null check (octet_length(output::text) <= 131072),
  millis int not null check (millis >= 0),
  primary key (org_id, trip_id, run, position),
  foreign key (org_id, trip_id, run) references public.trip_runs (org_id, trip_id, number) on delete cascade
);
call app.control_table('trip_messages');

create table public.trip_selections (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  trip_id uuid not null,
  code text not null check (code ~ '^TR-[0-9]{4,10}$'), -- of the trip
  run int not null,
  option text not null check (length(option) between 1 and 40),
  items int not null, -- how many it wrote
  user_id uuid not null default auth.uid(),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, trip_id) references public.trips (org_id, id) on delete cascade
);
create index trip_selections_of_trip on public.trip_selections (org_id, trip_id, at);
call app.personal_child_table('trip_selections', 'trips', 'trip_id');
revoke all on public.trip_selections from authenticated, service_role;

-- Links to plans. Of a token its SHA-256 is kept, in hexadecimal.
create table public.trip_shares (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  trip_id uuid not null,
  code text not null check (code ~ '^SH-[0-9]{1,10}$'), -- within the trip
  token_hash text not null check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, trip_id, code),
  foreign key (org_id, trip_id) references public.trips (org_id, id) on delete cascade
);
create index trip_shares_token on public.trip_shares (token_hash);
call app.personal_child_table('trip_shares', 'trips', 'trip_id', '{token_hash}');
revoke all on public.trip_shares from authenticated, service_role;

-- A plan as plans.Plan of our functions reads it.
create function app.trip_plan_json(t public.trips, q public.trip_plans) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('trip', t.code, 'title', t.title, 'status', q.status, 'context', q.context, 'run', q.run,
    'option', q.option, 'version', q.version, 'mine', t.user_id = auth.uid(), 'updatedAt', q.updated_at)
$$;

-- The plan of a trip. Raises PT404 'plan_not_found'.
create function app.trip_plan_of(t public.trips) returns public.trip_plans
language plpgsql stable security definer set search_path = '' as $$
declare
  q public.trip_plans;
begin
  select * into q from public.trip_plans x where x.org_id = t.org_id and x.trip_id = t.id;
  if not found then
    raise sqlstate 'PT404' using message = 'plan_not_found', detail = 'No plan was made for this trip.';
  end if;
  return q;
end $$;

-- Raises PT403 'not_yours' unless the trip is the caller's.
create function app.check_trip_owner(t public.trips) returns void
language plpgsql stable set search_path = '' as $$
begin
  if t.user_id is distinct from auth.uid() then
    raise sqlstate 'PT403' using message = 'not_yours', detail = 'Only the owner of a trip changes its plan.';
  end if;
end $$;

-- The plan of a locked trip of the caller's own, in the version that the caller saw; 0 is
-- any. Raises PT403 'not_yours', PT404 'plan_not_found', PT409 'changed'.
create function app.trip_plan_locked(t public.trips, p_version int default 0) returns public.trip_plans
language plpgsql volatile security definer set search_path = '' as $$
declare
  q public.trip_plans;
begin
  perform app.check_trip_owner(t);
  q := app.trip_plan_of(t);
  select * into q from public.trip_plans x where x.org_id = q.org_id and x.id = q.id for no key update;
  if coalesce(p_version, 0) not in (0, q.version) then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'This plan was changed in the meantime. Look at it again first.';
  end if;
  return q;
end $$;

-- A trip that the caller owns or accompanies, locked with its plan. The plan is locked first,
-- as a consented act has it already. Raises PT404 'trip_not_found'.
create function app.trip_with_plan(p_org uuid, p_code text) returns public.trips
language plpgsql volatile security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_of(p_org, p_code);
begin
  perform from public.trip_plans x where x.org_id = t.org_id and x.trip_id = t.id for no key update;
  return app.trip_locked(p_org, t.code);
end $$;

-- Raises PT409 'replaced' unless the options of a run are the current ones.
create function app.check_current_run(q public.trip_plans, p_run int) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_run is distinct from q.run or q.run = 0 then
    raise sqlstate 'PT409' using message = 'replaced',
      detail = 'There are newer options for this trip. Look at them first.';
  end if;
end $$;

-- Says in the audit that an effect changed nothing of a plan, since every effect has a row
-- there. Without an effect it says nothing.
create function app.trip_plan_unchanged(q public.trip_plans) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_row constant jsonb := to_jsonb(q) - array['title', 'context'];
begin
  if coalesce(current_setting('app.effect', true), '') = '' then
    return;
  end if;
  insert into public.audit (org_id, user_id, role, table_name, row_id, row_key, action, before, after, effect_key,
    turn, tool, proposal_id)
  values (q.org_id, auth.uid(), app.org_role(), 'trip_plans', q.id, q.code, 'update', v_row, v_row,
    current_setting('app.effect', true), nullif(current_setting('app.turn', true), ''),
    nullif(current_setting('app.tool', true), ''), nullif(current_setting('app.proposal', true), '')::uuid);
end $$;

-- The caller's plans and those of trips that the caller accompanies, the newest first.
create function public.trip_plan_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
begin
  return (
    select coalesce(jsonb_agg(l.plan order by l.updated_at desc, l.code desc), '[]')
    from (
      select app.trip_plan_json(t, q) as plan, q.updated_at, q.code
      from public.trips t join public.trip_plans q on q.org_id = t.org_id and q.trip_id = t.id
      where t.org_id = v_org
        and (t.user_id = auth.uid() or t.id in (select app.companion_rows('trips')))
      order by q.updated_at desc, q.code desc limit 200) l);
end $$;

-- A plan. Raises PT404 'trip_not_found', 'plan_not_found'.
create function public.trip_plan_get(p_trip text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_of(app.member_org(), p_trip);
begin
  return app.trip_plan_json(t, app.trip_plan_of(t));
end $$;

-- Records a run once by "key": p with "trip" ('' makes one), "title", "from" and "to" of
-- the context, "context", "userMessage", "mode", "status", "error"; the output of the run;
-- its options, or null; and the messages of specialists, each with "task", "output" and
-- "millis". Options become the current ones, which voids a selection. At most 200 runs of a
-- trip are kept: the oldest without options go first. Raises PT403 'not_yours', PT404
-- 'trip_not_found', PT409 'too_many_trips', PT422 'key_required'.
create function public.trip_plan_record(p jsonb, p_output json, p_options json, p_messages json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_key constant text := left(btrim(coalesce(p ->> 'key', '')), 190);
  v_title constant text := left(app.clean_line(p -> 'title', 10000, 'title'), 200);
  v_from constant date := nullif(p ->> 'from', '');
  v_to constant date := nullif(p ->> 'to', '');
  v_options constant boolean := coalesce(json_typeof(p_options) = 'object', false);
  t public.trips;
  q public.trip_plans;
begin
  if v_key = '' or v_title = '' then
    raise sqlstate 'PT422' using message = 'key_required', detail = 'A run has a key and a title.';
  end if;
  if coalesce(p ->> 'trip', '') <> '' then
    t := app.trip_of(v_org, p ->> 'trip');
  else
    select * into t from public.trips x
    where x.org_id = v_org and x.user_id = auth.uid() and x.begin_key = 'plan ' || v_key;
    if not found then
      if (select count(*) from public.trips x where x.org_id = v_org and x.user_id = auth.uid()) >= 500 then
        raise sqlstate 'PT409' using message = 'too_many_trips',
          detail = 'You have 500 trips. Delete some of them first.';
      end if;
      insert into public.trips (org_id, user_id, code, title, from_on, to_on, begin_key)
      values (v_org, auth.uid(), app.travel_code(v_org, 'TR'), v_title, v_from, v_to, 'plan ' || v_key)
      on conflict (org_id, user_id, begin_key) where begin_key is not null do nothing;
      select * into t from public.trips x
      where x.org_id = v_org and x.user_id = auth.uid() and x.begin_key = 'plan ' || v_key;
    end if;
  end if;
  t := app.trip_with_plan(v_org, t.code);
  perform app.check_trip_owner(t);
  insert into public.trip_plans (org_id, trip_id, code, title, made)
  values (t.org_id, t.id, t.code, v_title, coalesce(t.begin_key like 'plan %', false))
  on conflict (org_id, trip_id) do nothing;
  q := app.trip_plan_locked(t);
  if exists (select from public.trip_runs r where r.org_id = t.org_id and r.trip_id = t.id and r.key = v_key) then
    return app.trip_plan_json(t, q);
  end if;
  insert into public.trip_runs (org_id, trip_id, number, key, user_message, mode, status, error, context, output,
    options)
  values (t.org_id, t.id, q.runs + 1, v_key, left(coalesce(p ->> 'userMessage', ''), 8000), p ->> 'mode',
    p ->> 'status', left(coalesce(p ->> 'error', ''), 1000), p -> 'context',
    case when json_typeof(p_output) <> 'null' then p_output end, case when v_options then p_options end);
  insert into public.trip_messages (org_id, trip_id, run, position, task, output, millis)
  select t.org_id, t.id, q.runs + 1, m.position, m.value -> 'task', m.value -> 'output', (m.value ->> 'millis')::int
  from json_array_elements(case json_typeof(p_messages) when 'array' then p_messages else '[]' end)
    with ordinality m (value, position);
  if q.made and (t.title = q.title and t.title <> v_title
      or (t.from_on, t.to_on) is distinct from (v_from, coalesce(v_to, v_from))) then
    update public.trips x set title = case when x.title = q.title then v_title else x.title end,
      from_on = v_from, to_on = coalesce(v_to, v_from)
    where x.org_id = t.org_id and x.id = t.id returning * into t;
  end if;
  update public.trip_plans x set runs = x.runs + 1, title = v_title, context = p -> 'context',
    run = case when v_options then x.runs + 1 else x.run end,
    status = case when v_options then 'proposed' else x.status end,
    option = case when v_options then '' else x.option end
  where x.org_id = q.org_id and x.id = q.id returning * into q;
  delete from public.trip_runs r where r.org_id = t.org_id and r.trip_id = t.id and r.number in (
    select o.number from public.trip_runs o
    where o.org_id = t.org_id and o.trip_id = t.id and o.number <> q.run and o.number <> q.runs
    order by (o.options is null) desc, o.number
    limit greatest((select count(*) from public.trip_runs c where c.org_id = t.org_id and c.trip_id = t.id) - 200, 0));
  return app.trip_plan_json(t, q);
end $$;

-- A run as plans.Run of our functions reads it, without what was put out and found. What its
-- owner wrote is for the owner alone.
create function app.trip_run_json(t public.trips, r public.trip_runs) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('number', r.number,
    'userMessage', case when t.user_id = auth.uid() then r.user_message else '' end, 'mode', r.mode,
    'status', r.status,
    'error', r.error, 'context', r.context, 'createdAt', r.created_at)
$$;

-- The runs of a trip, the newest first. Raises PT404 'trip_not_found', 'plan_not_found'.
create function public.trip_plan_runs(p_trip text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_of(app.proven_org(), p_trip);
begin
  perform app.trip_plan_of(t);
  return (
    select coalesce(jsonb_agg(app.trip_run_json(t, r) order by r.number desc), '[]')
    from public.trip_runs r where r.org_id = t.org_id and r.trip_id = t.id);
end $$;

-- A run with its options, to the owner also with output and messages; 0 is the one whose
-- options are current. Raises PT404 'trip_not_found', 'plan_not_found', 'run_not_found'.
create function public.trip_plan_run(p_trip text, p_number int) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_of(app.proven_org(), p_trip);
  q constant public.trip_plans := app.trip_plan_of(t);
  r public.trip_runs;
begin
  select * into r from public.trip_runs x where x.org_id = t.org_id and x.trip_id = t.id
    and x.number = coalesce(nullif(p_number, 0), q.run);
  if not found then
    raise sqlstate 'PT404' using message = 'run_not_found', detail = 'The plan has no such options.';
  end if;
  if t.user_id <> auth.uid() then
    return json_build_object('number', r.number, 'mode', r.mode, 'status', r.status, 'error', r.error,
      'context', r.context, 'createdAt', r.created_at, 'options', r.options);
  end if;
  return json_build_object('number', r.number, 'userMessage', r.user_message, 'mode', r.mode, 'status', r.status,
    'error', r.error, 'context', r.context, 'createdAt', r.created_at, 'output', r.output, 'options', r.options,
    'messages', (
      select json_agg(json_build_object('task', m.task, 'output', m.output, 'millis', m.millis) order by m.position)
      from public.trip_messages m where m.org_id = r.org_id and m.trip_id = r.trip_id and m.run = r.number));
end $$;

-- Replaces the items of a locked trip that a plan wrote by these, as itinerary.Item of our
-- functions writes them, and returns how many they are. Others stay. Raises PT409
-- 'too_many_items', and as app.clean_item.
create function app.put_plan_items(t public.trips, p_items jsonb) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count int;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) > 400 then
    raise sqlstate 'PT409' using message = 'too_many_items', detail = 'A plan has at most 400 things.';
  end if;
  delete from public.trip_items o where o.org_id = t.org_id and o.trip_id = t.id and o.from_plan
    and o.status = 'planned' and o.booking = '';
  insert into public.trip_items (org_id, trip_id, code, type, status, title, origin, destination, place, starts, ends,
    all_day, start_zone, end_zone, starts_at, ends_at, price, currency, notes, number, international, from_plan)
  select t.org_id, t.id, 'I' || t.items + e.n, i.type, 'planned', i.title, i.origin, i.destination, i.place, i.starts,
    i.ends, i.all_day, i.start_zone, i.end_zone, i.starts_at, i.ends_at, i.price, i.currency, i.notes, i.number,
    i.international, true
  from jsonb_array_elements(p_items) with ordinality e (value, n) cross join lateral app.clean_item(e.value) i;
  get diagnostics v_count = row_count;
  if (select count(*) from public.trip_items o where o.org_id = t.org_id and o.trip_id = t.id) > 400 then
    raise sqlstate 'PT409' using message = 'too_many_items', detail = 'A trip has at most 400 things.';
  end if;
  update public.trips x set items = x.items + v_count where x.org_id = t.org_id and x.id = t.id;
  return v_count;
end $$;

-- Selects an option of the current run and writes its items into the itinerary. Where it is
-- selected already, nothing is written. Raises PT403 'not_yours', PT404 'trip_not_found',
-- 'plan_not_found', 'option_not_found', PT409 'changed', 'replaced', and as
-- app.put_plan_items.
create function public.trip_plan_select(p_trip text, p_version int, p_run int, p_option text, p_items jsonb)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_with_plan(app.proven_org(), p_trip);
  q public.trip_plans := app.trip_plan_locked(t);
  v_items int;
begin
  if q.status = 'selected' and q.run = p_run and q.option = p_option then
    perform app.trip_plan_unchanged(q);
    return app.trip_plan_json(t, q);
  end if;
  perform app.check_current_run(q, p_run);
  q := app.trip_plan_locked(t, p_version);
  if not exists (select from public.trip_runs r, json_array_elements(r.options -> 'options') o
      where r.org_id = q.org_id and r.trip_id = q.trip_id and r.number = q.run and o ->> 'id' = p_option) then
    raise sqlstate 'PT404' using message = 'option_not_found', detail = 'The plan has no such option.';
  end if;
  v_items := app.put_plan_items(t, p_items);
  insert into public.trip_selections (org_id, trip_id, code, run, option, items)
  values (q.org_id, q.trip_id, q.code, q.run, p_option, v_items);
  delete from public.trip_selections s where s.org_id = q.org_id and s.trip_id = q.trip_id and s.id not in (
    select o.id from public.trip_selections o where o.org_id = q.org_id and o.trip_id = q.trip_id
    order by o.at desc limit 200);
  update public.trip_plans x set status = 'selected', option = p_option
  where x.org_id = q.org_id and x.id = q.id returning * into q;
  return app.trip_plan_json(t, q);
end $$;

-- Replaces the options of the current run, among them the selected one where there is one.
-- With items, and where an option is selected, those of the plan in the itinerary are
-- replaced too. Raises as trip_plan_select.
create function public.trip_plan_revise(p_trip text, p_version int, p_run int, p_options json, p_items jsonb)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_with_plan(app.proven_org(), p_trip);
  q public.trip_plans := app.trip_plan_locked(t);
begin
  perform app.check_current_run(q, p_run);
  q := app.trip_plan_locked(t, p_version);
  if json_typeof(p_options -> 'options') is distinct from 'array' or q.option <> '' and not exists (
      select from json_array_elements(p_options -> 'options') o where o ->> 'id' = q.option) then
    raise sqlstate 'PT404' using message = 'option_not_found', detail = 'The plan has no such option.';
  end if;
  update public.trip_runs r set options = p_options
  where r.org_id = q.org_id and r.trip_id = q.trip_id and r.number = q.run;
  if q.status = 'selected' and jsonb_typeof(p_items) = 'array' then
    perform app.put_plan_items(t, p_items);
  end if;
  update public.trip_plans x set run = x.run where x.org_id = q.org_id and x.id = q.id returning * into q;
  return app.trip_plan_json(t, q);
end $$;

-- Forgets the context of a plan and which options are current; runs and itinerary stay.
create function public.trip_plan_reset(p_trip text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_with_plan(app.proven_org(), p_trip);
  q public.trip_plans := app.trip_plan_locked(t);
begin
  update public.trip_plans x set context = '{}', status = 'planning', run = 0, option = ''
  where x.org_id = q.org_id and x.id = q.id returning * into q;
  return app.trip_plan_json(t, q);
end $$;

create function app.trip_share_json(s public.trip_shares) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('code', s.code, 'expires', s.expires_at, 'revoked', s.revoked_at is not null,
    'made', s.created_at)
$$;

-- Makes a link that works until p_expires; the same hash again returns the link that is
-- there. Raises PT403 'not_yours', PT404 'trip_not_found', 'plan_not_found', PT409
-- 'nothing_to_share', 'too_many_shares', PT422 'bad_expiry', 'bad_token'.
create function public.trip_plan_share(p_trip text, p_hash text, p_expires timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_with_plan(app.proven_org(), p_trip);
  q public.trip_plans := app.trip_plan_locked(t);
  s public.trip_shares;
begin
  if coalesce(p_hash, '') !~ '^[0-9a-f]{64}$' then
    raise sqlstate 'PT422' using message = 'bad_token', detail = 'The link could not be made.';
  end if;
  select * into s from public.trip_shares x
  where x.org_id = t.org_id and x.trip_id = t.id and x.token_hash = p_hash;
  if found then
    perform app.trip_plan_unchanged(q);
    return app.trip_share_json(s);
  elsif q.run = 0 then
    raise sqlstate 'PT409' using message = 'nothing_to_share', detail = 'This trip has no options to show yet.';
  elsif p_expires is null or p_expires <= clock_timestamp()
    or p_expires > clock_timestamp() + interval '180 days 1 hour' then
    raise sqlstate 'PT422' using message = 'bad_expiry', detail = 'A link works for at most 180 days.';
  elsif (select count(*) from public.trip_shares x where x.org_id = t.org_id and x.trip_id = t.id
      and x.revoked_at is null and x.expires_at > clock_timestamp()) >= 20 then
    raise sqlstate 'PT409' using message = 'too_many_shares',
      detail = 'This plan has 20 links that work. Revoke one of them first.';
  end if;
  update public.trip_plans x set shares = x.shares + 1
  where x.org_id = q.org_id and x.id = q.id returning * into q;
  insert into public.trip_shares (org_id, trip_id, code, token_hash, expires_at)
  values (t.org_id, t.id, 'SH-' || q.shares, p_hash, p_expires) returning * into s;
  return app.trip_share_json(s);
end $$;

-- The links of a plan of the caller's own, the newest first, and of each whether its token has
-- the hash p_hash. Raises PT403 'not_yours', PT404 'trip_not_found', 'plan_not_found'.
create function public.trip_plan_shares(p_trip text, p_hash text default '') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_of(app.proven_org(), p_trip);
begin
  perform app.check_trip_owner(t);
  perform app.trip_plan_of(t);
  return (
    select coalesce(jsonb_agg(app.trip_share_json(s) || jsonb_build_object('known', s.token_hash = p_hash)
      order by substr(s.code, 4)::int desc), '[]')
    from public.trip_shares s where s.org_id = t.org_id and s.trip_id = t.id);
end $$;

-- Ends a link; one that has ended stays so. Raises PT403 'not_yours', PT404
-- 'trip_not_found', 'plan_not_found', 'share_not_found'.
create function public.trip_plan_revoke(p_trip text, p_code text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t constant public.trips := app.trip_with_plan(app.proven_org(), p_trip);
  q constant public.trip_plans := app.trip_plan_locked(t);
  s public.trip_shares;
begin
  update public.trip_shares x set revoked_at = coalesce(x.revoked_at, clock_timestamp())
  where x.org_id = q.org_id and x.trip_id = q.trip_id and x.code = upper(btrim(p_code)) returning * into s;
  if not found then
    raise sqlstate 'PT404' using message = 'share_not_found', detail = 'This plan has no such link.';
  end if;
  return app.trip_share_json(s);
end $$;

-- For requests of our functions that are about no user: what a link shows, by the hash of
-- its token. Of the context, wishes in a person's own words, needs, and ages are left out;
-- "mustDos" and "needs" are for our functions, which take them out of the options. Raises
-- PT403 'proof_required', PT404 'link_not_found'.
create function public.trip_plan_shared(p_hash text) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  v json;
begin
  if coalesce(current_setting('app.proven', true), '') <> 'true' then
    perform app.say_unproven();
  end if;
  select json_build_object('title', q.title, 'option', q.option, 'expires', s.expires_at, 'options', r.options,
    'mustDos', r.context -> 'mustDos', 'needs', coalesce(r.context #> '{preferences,dietary}', '[]')
      || coalesce(r.context -> 'constraints', '[]'),
    'context', jsonb_strip_nulls(jsonb_build_object('origin', r.context -> 'origin',
      'destinations', r.context -> 'destinations', 'dateRange', r.context -> 'dateRange',
      'budget', r.context -> 'budget',
      'travelers', case when coalesce(r.context #> '{travelers,children}', '[]') = '[]'
        then r.context -> 'travelers' end)))
  into v
  from public.trip_shares s
  join public.trips t on t.org_id = s.org_id and t.id = s.trip_id
  join public.trip_plans q on q.org_id = s.org_id and q.trip_id = s.trip_id
  join public.trip_runs r on r.org_id = s.org_id and r.trip_id = s.trip_id and r.number = q.run
  join public.memberships m on m.org_id = t.org_id and m.user_id = t.user_id
    and (m.ends_at is null or m.ends_at > now())
  where s.token_hash = p_hash and s.revoked_at is null and s.expires_at > clock_timestamp()
    and app.has_assistant(s.org_id, 'planner')
  limit 1;
  if v is null then
    raise sqlstate 'PT404' using message = 'link_not_found', detail = 'This link does not work, or no longer.';
  end if;
  return v;
end $$;

-- Forgets links that ended thirty days ago, and what specialists found for options that are
-- not the current ones after ninety days, up to p_batch of each. Returns how many links.
create function app.clean_up_plans(p_batch int default 10000) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_count int;
begin
  delete from public.trip_messages m where (m.org_id, m.trip_id, m.run) in (
    select r.org_id, r.trip_id, r.number from public.trip_runs r
    join public.trip_plans q on q.org_id = r.org_id and q.trip_id = r.trip_id and q.run <> r.number
    where r.created_at < v_now - interval '90 days'
      and exists (select from public.trip_messages o where o.org_id = r.org_id and o.trip_id = r.trip_id
        and o.run = r.number)
    limit p_batch);
  delete from public.trip_shares s where (s.org_id, s.id) in (
    select o.org_id, o.id from public.trip_shares o
    where least(o.expires_at, o.revoked_at) < v_now - interval '30 days' limit p_batch for update skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- All of the clean-up, for a scheduled job that holds the project's secret key.
create or replace function public.clean_up() returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.clean_up() || jsonb_build_object(
    'feedback', app.clean_up_feedback(), 'conversations', app.clean_up_conversations(), 'files', app.forget_files(),
    'responses', app.clean_up_responses(), 'searches', app.clean_up_travel(), 'plans', app.clean_up_plans())
$$;

-- As before, with more things in a trip: a plan of 30 days has many.
create or replace function app.put_items(t public.trips, p_items jsonb) returns void
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
  if (select count(*) from public.trip_items o where o.org_id = t.org_id and o.trip_id = t.id) > 400 then
    raise sqlstate 'PT409' using message = 'too_many_items', detail = 'A trip has at most 400 things.';
  end if;
end $$;

call app.personal_function('trip_plan_select');
call app.personal_function('trip_plan_revise');
call app.personal_function('trip_plan_share');
call app.personal_function('trip_plan_revoke');
call app.preview_reads('trip_plan_list', 'trip_plan_get');
call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.trip_plan_list(), public.trip_plan_get(text),
  public.trip_plan_record(jsonb, json, json, json), public.trip_plan_runs(text), public.trip_plan_run(text, int),
  public.trip_plan_select(text, int, int, text, jsonb), public.trip_plan_revise(text, int, int, json, jsonb),
  public.trip_plan_reset(text), public.trip_plan_share(text, text, timestamptz), public.trip_plan_shares(text, text),
  public.trip_plan_revoke(text, text) from public, anon, service_role;
grant execute on function public.trip_plan_list(), public.trip_plan_get(text),
  public.trip_plan_record(jsonb, json, json, json), public.trip_plan_runs(text), public.trip_plan_run(text, int),
  public.trip_plan_select(text, int, int, text, jsonb), public.trip_plan_revise(text, int, int, json, jsonb),
  public.trip_plan_reset(text), public.trip_plan_share(text, text, timestamptz), public.trip_plan_shares(text, text),
  public.trip_plan_revoke(text, text) to authenticated;
revoke execute on function public.trip_plan_shared(text) from public, authenticated, service_role;
grant execute on function public.trip_plan_shared(text) to anon;
notify pgrst, 'reload schema';
