-- Travellers: the people for whom a person books, with what airlines ask for. They
-- belong to that person alone, whatever anybody's role is. No role has a grant on the
-- tables: names, birthdays and numbers of passports leave them through the functions
-- below only, and whole numbers only for an order, by a request with the proof.

-- How many travellers and decisions a person has had, so that no code comes twice.
create table public.travel_counters (
  org_id uuid not null,
  user_id uuid not null,
  travellers int not null default 0,
  decisions int not null default 0,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
call app.control_table('travel_counters');

create table public.travellers (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  code text not null check (code ~ '^PAX-[1-9][0-9]{0,5}$'), -- of its person
  self boolean not null default false, -- the person, not somebody that goes with them
  title text not null default '' check (title in ('', 'mr', 'mrs', 'ms', 'miss', 'dr')),
  gender text not null default '' check (gender in ('', 'm', 'f')),
  given_name text not null default '' check (length(given_name) <= 60),
  family_name text not null default '' check (length(family_name) <= 60),
  born_on date,
  email text not null default '' check (length(email) <= 120),
  phone text not null default '' check (phone ~ '^(\+[1-9][0-9]{6,14})?$'),
  passport_number text not null default '' check (passport_number ~ '^([A-Z0-9]{4,20})?$'),
  passport_country text not null default '' check (passport_country ~ '^([A-Z]{2})?$'),
  passport_expires date,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, user_id, code),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
create unique index travellers_self on public.travellers (org_id, user_id) where self;
call app.control_table('travellers');
create trigger zz_touch before insert or update on public.travellers
  for each row execute function app.touch();
-- The audit says that a profile was changed, and nothing of what is in it.
create trigger audit after insert or update or delete on public.travellers
  for each row execute function app.audit('title', 'gender', 'given_name', 'family_name', 'born_on', 'email', 'phone',
    'passport_number', 'passport_country', 'passport_expires');

-- The next number of a person's travellers or decisions. Others of the same person
-- wait until it is used.
create function app.travel_number(p_org uuid, p_what text) returns int
language plpgsql security definer set search_path = '' as $$
declare
  c public.travel_counters;
begin
  insert into public.travel_counters as t (org_id, user_id, travellers, decisions)
  values (p_org, auth.uid(), (p_what = 'travellers')::int, (p_what = 'decisions')::int)
  on conflict (org_id, user_id) do update
    set travellers = t.travellers + excluded.travellers, decisions = t.decisions + excluded.decisions
  returning * into c;
  return case p_what when 'travellers' then c.travellers else c.decisions end;
end $$;

-- A name as airlines take it: 1 to 20 letters of Latin-1 and Latin Extended-A, without
-- ligatures, with spaces, hyphens and apostrophes.
create function app.airline_name(p_name text) returns boolean
language sql immutable set search_path = '' as $$
  select p_name ~ '^[A-Za-zÀ-ÅÇ-ÖØ-Ýß-åç-ïñ-öø-ýÿĀ-ıĴ-őŔ-ſ'' -]{1,20}$'
$$;

-- What is missing of a traveller before a flight can be ordered, as labels of the form.
create function app.traveller_missing(t public.travellers) returns text[]
language sql immutable set search_path = '' as $$
  select array_remove(array[
    case when t.title = '' then 'title' end,
    case when t.given_name = '' then 'given name'
         when not app.airline_name(t.given_name) then 'given name in Latin letters, as in the passport' end,
    case when t.family_name = '' then 'family name'
         when not app.airline_name(t.family_name) then 'family name in Latin letters, as in the passport' end,
    case when t.born_on is null then 'date of birth' end,
    case when t.gender = '' then 'gender' end,
    case when t.email = '' then 'e-mail address' end,
    case when t.phone = '' then 'phone number' end], null)
$$;

-- What models, prompts and logs may know of the caller's travellers on a day: no name,
-- no birthday, no number. See travellers.Summary of our functions.
create function public.traveller_summaries(p_on date default current_date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('code', t.code, 'self', t.self,
      'kind', case when t.born_on > (p_on - interval '2 years')::date then 'infant_without_seat'
                   when t.born_on > (p_on - interval '12 years')::date then 'child' else 'adult' end,
      'complete', m.labels = '{}', 'missing', to_jsonb(m.labels),
      'passport', t.passport_number <> '', 'passportExpires', t.passport_expires)
    order by not t.self, length(t.code), t.code), '[]')
  from public.travellers t cross join lateral (select app.traveller_missing(t) as labels) m
  where t.org_id = v_org and t.user_id = auth.uid());
end $$;
call app.preview_reads('traveller_summaries');

-- A traveller as its form shows it to its person: of the passport's number the last two
-- signs.
create function app.traveller_json(t public.travellers) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('code', t.code, 'self', t.self, 'title', t.title, 'gender', t.gender,
    'givenName', t.given_name, 'familyName', t.family_name, 'bornOn', coalesce(t.born_on::text, ''),
    'email', t.email, 'phone', t.phone,
    'passport', case when t.passport_number <> '' then jsonb_build_object(
      'number', repeat('•', length(t.passport_number) - 2) || right(t.passport_number, 2),
      'country', t.passport_country, 'expires', coalesce(t.passport_expires::text, '')) end,
    'version', t.version, 'updatedAt', t.updated_at)
$$;

create function public.traveller_list() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  return (select coalesce(jsonb_agg(app.traveller_json(t) order by not t.self, length(t.code), t.code), '[]')
    from public.travellers t where t.org_id = v_org and t.user_id = auth.uid());
end $$;

-- Makes a traveller of the caller's (code ''), or replaces one of that version. p is as
-- travellers.Traveller of our functions. A number of a passport with dots stays as it
-- was. Raises PT404 'unknown_traveller', PT409 'changed', 'traveller_exists', PT422
-- 'too_many'.
create function public.traveller_save(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_passport constant jsonb := nullif(p -> 'passport', 'null');
  v_number text := coalesce(v_passport ->> 'number', '');
  t public.travellers;
begin
  -- One at a time of each person, so that the checks below hold.
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'travellers', v_org, auth.uid()), 0));
  if coalesce(p ->> 'code', '') <> '' then
    select * into t from public.travellers x
    where x.org_id = v_org and x.user_id = auth.uid() and x.code = upper(p ->> 'code') for no key update;
    if not found then
      raise sqlstate 'PT404' using message = 'unknown_traveller', detail = 'There is no such traveller of yours.';
    elsif (p ->> 'version')::int <> t.version then
      raise sqlstate 'PT409' using message = 'changed',
        detail = 'The traveller was changed meanwhile. Look at the profile as it is now, and change it once more.';
    end if;
  elsif (select count(*) from public.travellers x where x.org_id = v_org and x.user_id = auth.uid()) >= 50 then
    raise sqlstate 'PT422' using message = 'too_many', detail = 'At most 50 travellers are kept. Delete one first.';
  end if;
  if v_number like '•%' then
    v_number := coalesce(t.passport_number, '');
  end if;
  if exists (select from public.travellers x where x.org_id = v_org and x.user_id = auth.uid()
      and x.id is distinct from t.id and x.born_on = nullif(p ->> 'bornOn', '')::date
      and lower(x.given_name) = lower(p ->> 'givenName') and lower(x.family_name) = lower(p ->> 'familyName')) then
    raise sqlstate 'PT409' using message = 'traveller_exists', detail = 'You have this traveller already.';
  end if;
  if (p ->> 'self')::boolean then
    update public.travellers x set self = false
    where x.org_id = v_org and x.user_id = auth.uid() and x.self and x.id is distinct from t.id;
  end if;
  if t.id is null then
    insert into public.travellers (org_id, user_id, code)
    values (v_org, auth.uid(), 'PAX-' || app.travel_number(v_org, 'travellers')) returning * into t;
  end if;
  update public.travellers x
  set self = coalesce((p ->> 'self')::boolean, false), title = coalesce(p ->> 'title', ''),
    gender = coalesce(p ->> 'gender', ''), given_name = coalesce(p ->> 'givenName', ''),
    family_name = coalesce(p ->> 'familyName', ''), born_on = nullif(p ->> 'bornOn', '')::date,
    email = coalesce(p ->> 'email', ''), phone = coalesce(p ->> 'phone', ''), passport_number = v_number,
    passport_country = case when v_number <> '' then coalesce(v_passport ->> 'country', '') else '' end,
    passport_expires = case when v_number <> '' then nullif(v_passport ->> 'expires', '')::date end
  where x.org_id = v_org and x.id = t.id returning * into t;
  return app.traveller_json(t);
end $$;

-- Deletes a traveller of the caller's of that version, 0 for any. Raises PT404
-- 'unknown_traveller', PT409 'changed'.
create function public.traveller_delete(p_code text, p_version int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_version int;
begin
  select x.version into v_version from public.travellers x
  where x.org_id = v_org and x.user_id = auth.uid() and x.code = upper(p_code) for update;
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_traveller', detail = 'There is no such traveller of yours.';
  elsif p_version not in (0, v_version) then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'The traveller was changed meanwhile. Look at the profile as it is now.';
  end if;
  delete from public.travellers x where x.org_id = v_org and x.user_id = auth.uid() and x.code = upper(p_code);
  return jsonb_build_object('code', upper(p_code));
end $$;

-- All that is known of the caller's travellers, in the order of the codes, for an order.
-- Raises PT404 'unknown_traveller', PT422 'traveller_incomplete'.
create function public.traveller_people(p_codes text[]) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_people jsonb := '[]';
  v_code text;
  t public.travellers;
begin
  foreach v_code in array p_codes loop
    select * into t from public.travellers x
    where x.org_id = v_org and x.user_id = auth.uid() and x.code = upper(v_code);
    if not found then
      raise sqlstate 'PT404' using message = 'unknown_traveller',
        detail = format('There is no traveller %s of yours.', left(upper(v_code), 12));
    elsif app.traveller_missing(t) <> '{}' then
      raise sqlstate 'PT422' using message = 'traveller_incomplete',
        detail = format('Of %s is missing: %s.', t.code, array_to_string(app.traveller_missing(t), ', '));
    end if;
    v_people := v_people || (app.traveller_json(t) || case when t.passport_number = '' then '{}'::jsonb else
      jsonb_build_object('passport', jsonb_build_object('number', t.passport_number, 'country', t.passport_country,
        'expires', coalesce(t.passport_expires::text, ''))) end);
  end loop;
  return v_people;
end $$;

-- Rates of the endpoints of travellers and trips, as an organisation may have its own.
alter table public.rate_limits drop constraint rate_limits_door_check;
alter table public.rate_limits add constraint rate_limits_door_check
  check (door in ('chat', 'tools', 'transcribe', 'export', 'conversations', 'summarize', 'feedback', 'uploads', 'mcp',
    'intents', 'users', 'projects', 'travel'));

call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.traveller_summaries(date), public.traveller_list(), public.traveller_save(jsonb),
  public.traveller_delete(text, int), public.traveller_people(text[]) from public, anon, service_role;
grant execute on function public.traveller_summaries(date), public.traveller_list(), public.traveller_save(jsonb),
  public.traveller_delete(text, int), public.traveller_people(text[]) to authenticated;
notify pgrst, 'reload schema';
