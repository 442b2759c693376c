-- What a person likes when travelling, and what they have decided, across
-- conversations. Both are the person's alone, whatever anybody's role is.

create table public.user_preferences (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  code text not null default 'PREFERENCES' check (code = 'PREFERENCES'), -- what the audit calls it
  preferred_airlines text[] not null default '{}',
  preferred_cabin_class text not null default ''
    check (preferred_cabin_class in ('', 'economy', 'premium_economy', 'business', 'first')),
  preferred_hotel_chains text[] not null default '{}',
  dietary_restrictions text[] not null default '{}',
  accessibility_needs text[] not null default '{}',
  -- A word for each of flights, accommodations and activities.
  budget_preferences jsonb not null default '{}' check (octet_length(budget_preferences::text) <= 600),
  travel_interests text[] not null default '{}',
  home_airport text not null default '' check (home_airport ~ '^([A-Z]{3})?$'),
  learn boolean not null default false, -- whether more is remembered without asking each time
  keep_searches boolean not null default true, -- beyond the day that their offers need
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, user_id),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
call app.control_table('user_preferences');
create trigger zz_touch before insert or update on public.user_preferences
  for each row execute function app.touch();
-- What somebody eats and needs says much of them: the audit has the version alone.
create trigger audit after insert or update or delete on public.user_preferences
  for each row execute function app.audit('preferred_airlines', 'preferred_cabin_class', 'preferred_hotel_chains',
    'dietary_restrictions', 'accessibility_needs', 'budget_preferences', 'travel_interests', 'home_airport');

create table public.travel_decisions (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  code text not null check (code ~ '^D-[1-9][0-9]{0,5}$'), -- of its person
  text text not null check (length(text) between 1 and 300),
  about text not null default 'other'
    check (about in ('flights', 'hotels', 'activities', 'food', 'budget', 'other')),
  decided_on date not null default current_date,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, user_id, code),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
call app.control_table('travel_decisions');
create trigger zz_touch before insert or update on public.travel_decisions
  for each row execute function app.touch();
create trigger audit after insert or update or delete on public.travel_decisions
  for each row execute function app.audit('text');

-- A list of short texts of one line each. Raises as app.clean_list.
create function app.preference_list(p_value jsonb, p_what text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(regexp_replace(l.text, '\s+', ' ', 'g') order by l.n), '{}')
  from unnest(app.clean_list(p_value, 20, 80, p_what)) with ordinality l (text, n)
$$;

create function app.preferences_json(p public.user_preferences) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('preferredAirlines', p.preferred_airlines, 'preferredCabinClass', p.preferred_cabin_class,
    'preferredHotelChains', p.preferred_hotel_chains, 'dietaryRestrictions', p.dietary_restrictions,
    'accessibilityNeeds', p.accessibility_needs, 'budgetPreferences', p.budget_preferences,
    'travelInterests', p.travel_interests, 'homeAirport', p.home_airport, 'learn', p.learn,
    'keepSearches', p.keep_searches, 'version', p.version, 'updatedAt', p.updated_at)
$$;

-- The caller's preferences as preferences.Preferences of our functions, null where the
-- caller has none.
create function public.preferences_get() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
begin
  return (select app.preferences_json(p) from public.user_preferences p
    where p.org_id = v_org and p.user_id = auth.uid());
end $$;

-- Changes the members of the caller's preferences that p names, of that version, 0 for
-- any. Raises PT409 'changed', PT422 'bad_value', 'too_long', 'too_many'.
create function public.preferences_update(p_version int, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  r public.user_preferences;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'preferences', v_org, auth.uid()), 0));
  select * into r from public.user_preferences x where x.org_id = v_org and x.user_id = auth.uid();
  if p_version not in (0, coalesce(r.version, 0)) then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'Your preferences were changed meanwhile. Look at them as they are now.';
  end if;
  if r.id is null then
    insert into public.user_preferences (org_id, user_id) values (v_org, auth.uid()) returning * into r;
  end if;
  if p ? 'preferredAirlines' then
    r.preferred_airlines := app.preference_list(p -> 'preferredAirlines', 'airlines');
  end if;
  if p ? 'preferredCabinClass' then
    r.preferred_cabin_class := lower(app.clean_text(p -> 'preferredCabinClass', 20, 'cabin class'));
  end if;
  if p ? 'preferredHotelChains' then
    r.preferred_hotel_chains := app.preference_list(p -> 'preferredHotelChains', 'hotel chains');
  end if;
  if p ? 'dietaryRestrictions' then
    r.dietary_restrictions := app.preference_list(p -> 'dietaryRestrictions', 'dietary restrictions');
  end if;
  if p ? 'accessibilityNeeds' then
    r.accessibility_needs := app.preference_list(p -> 'accessibilityNeeds', 'accessibility needs');
  end if;
  if p ? 'budgetPreferences' then
    select coalesce(jsonb_object_agg(b.key, regexp_replace(b.value, '\s+', ' ', 'g')), '{}')
    into r.budget_preferences
    from jsonb_each_text(app.clean_texts(p -> 'budgetPreferences',
      '{"flights": 40, "accommodations": 40, "activities": 40}', 'budget')) b;
  end if;
  if p ? 'travelInterests' then
    r.travel_interests := app.preference_list(p -> 'travelInterests', 'interests');
  end if;
  if p ? 'homeAirport' then
    r.home_airport := upper(app.clean_text(p -> 'homeAirport', 3, 'home airport'));
  end if;
  if r.preferred_cabin_class not in ('', 'economy', 'premium_economy', 'business', 'first') then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'The cabin is one of economy, premium_economy, business and first.';
  elsif r.home_airport !~ '^([A-Z]{3})?$' then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'The airport of home is the three letters of an airport or a city, as BLR.';
  end if;
  update public.user_preferences x
  set preferred_airlines = r.preferred_airlines, preferred_cabin_class = r.preferred_cabin_class,
    preferred_hotel_chains = r.preferred_hotel_chains, dietary_restrictions = r.dietary_restrictions,
    accessibility_needs = r.accessibility_needs, budget_preferences = r.budget_preferences,
    travel_interests = r.travel_interests, home_airport = r.home_airport,
    learn = coalesce((p ->> 'learn')::boolean, r.learn),
    keep_searches = coalesce((p ->> 'keepSearches')::boolean, r.keep_searches)
  where x.org_id = v_org and x.id = r.id returning * into r;
  if not r.keep_searches then
    perform app.forget_searches(v_org, auth.uid(), interval '1 day');
  end if;
  return app.preferences_json(r);
end $$;

-- Deletes the searches of a person that are older than that.
create function app.forget_searches(p_org uuid, p_user uuid, p_older interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.travel_searches s
  where s.org_id = p_org and s.user_id = p_user and s.at <= clock_timestamp() - p_older;
end $$;

-- Trigger: a search of a person who does not want them kept takes the older ones away.
create function app.keep_no_searches() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.user_preferences p
      where p.org_id = new.org_id and p.user_id = new.user_id and not p.keep_searches) then
    perform app.forget_searches(new.org_id, new.user_id, interval '1 day');
  end if;
  return null;
end $$;
create trigger keep_no_searches after insert on public.travel_searches
  for each row execute function app.keep_no_searches();

-- Deletes the caller's preferences, decisions and searches. What an open question rests
-- on goes, too.
create function public.preferences_forget() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_decisions int;
begin
  delete from public.user_preferences x where x.org_id = v_org and x.user_id = auth.uid();
  delete from public.travel_decisions x where x.org_id = v_org and x.user_id = auth.uid();
  get diagnostics v_decisions = row_count;
  perform app.forget_searches(v_org, auth.uid(), interval '0');
  return jsonb_build_object('decisions', v_decisions);
end $$;

create function app.decision_json(d public.travel_decisions) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('code', d.code, 'text', d.text, 'about', d.about, 'on', d.decided_on)
$$;

-- The caller's decisions that fit a text best, by any of its words or near spellings of
-- them; all of them, the newest first, where the text is ''.
create function public.decision_list(p_text text default '', p_limit int default 200) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  v_text constant text := left(btrim(coalesce(p_text, '')), 500);
  -- Any of the words, since people do not repeat a decision word by word.
  v_words constant tsquery := replace(plainto_tsquery('pg_catalog.english', v_text)::text, ' & ', ' | ')::tsquery;
begin
  return (
    select coalesce(jsonb_agg(app.decision_json(f.d) order by f.fit desc, (f.d).decided_on desc,
      length((f.d).code) desc, (f.d).code desc), '[]')
    from (
      select d, case when v_text = '' then 0 else ts_rank(to_tsvector('pg_catalog.english', d.text), v_words)
        + extensions.word_similarity(v_text, d.text) end as fit
      from public.travel_decisions d
      where d.org_id = v_org and d.user_id = auth.uid() and (v_text = ''
        or to_tsvector('pg_catalog.english', d.text) @@ v_words or extensions.word_similarity(v_text, d.text) >= 0.4)
      order by fit desc, d.decided_on desc, length(d.code) desc, d.code desc
      limit least(greatest(coalesce(p_limit, 200), 1), 200)) f);
end $$;

-- Makes a decision of the caller's (code ''), or changes the one with that code. The
-- same words again are the decision that is there. Raises PT404 'unknown_decision',
-- PT422 'too_many', 'bad_value', 'too_long'.
create function public.decision_save(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_text constant text := regexp_replace(app.clean_text(p -> 'text', 300, 'decision'), '\s+', ' ', 'g');
  v_about constant text := coalesce(nullif(p ->> 'about', ''), 'other');
  v_code constant text := upper(coalesce(p ->> 'code', ''));
  d public.travel_decisions;
begin
  if v_text = '' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = 'Say what was decided.';
  elsif v_about not in ('flights', 'hotels', 'activities', 'food', 'budget', 'other') then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'A decision is about flights, hotels, activities, food, budget or other.';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'decisions', v_org, auth.uid()), 0));
  if v_code <> '' then
    update public.travel_decisions x set text = v_text, about = v_about
    where x.org_id = v_org and x.user_id = auth.uid() and x.code = v_code returning * into d;
    if not found then
      raise sqlstate 'PT404' using message = 'unknown_decision', detail = 'There is no such decision of yours.';
    end if;
    return app.decision_json(d);
  end if;
  select * into d from public.travel_decisions x
  where x.org_id = v_org and x.user_id = auth.uid() and lower(x.text) = lower(v_text);
  if found then
    return app.decision_json(d);
  end if;
  if (select count(*) from public.travel_decisions x where x.org_id = v_org and x.user_id = auth.uid()) >= 200 then
    raise sqlstate 'PT422' using message = 'too_many', detail = 'At most 200 decisions are kept. Delete one first.';
  end if;
  insert into public.travel_decisions (org_id, user_id, code, text, about, decided_on)
  values (v_org, auth.uid(), 'D-' || app.travel_number(v_org, 'decisions'), v_text, v_about,
    coalesce(nullif(p ->> 'on', '')::date, current_date))
  returning * into d;
  return app.decision_json(d);
end $$;

-- Deletes a decision of the caller's. Raises PT404 'unknown_decision'.
create function public.decision_delete(p_code text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  delete from public.travel_decisions x
  where x.org_id = v_org and x.user_id = auth.uid() and x.code = upper(btrim(p_code));
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_decision', detail = 'There is no such decision of yours.';
  end if;
  return jsonb_build_object('code', upper(btrim(p_code)));
end $$;

-- Tools of members of any role write these: they are the member's own.
call app.personal_function('preferences_update');
call app.personal_function('preferences_forget');
call app.personal_function('decision_save');
call app.personal_function('decision_delete');

call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.preferences_get(), public.preferences_update(int, jsonb),
  public.preferences_forget(), public.decision_list(text, int), public.decision_save(jsonb),
  public.decision_delete(text) from public, anon, service_role;
grant execute on function public.preferences_get(), public.preferences_update(int, jsonb),
  public.preferences_forget(), public.decision_list(text, int), public.decision_save(jsonb),
  public.decision_delete(text) to authenticated;
notify pgrst, 'reload schema';
