-- Intents: an organisation's own phrases for the agents of its assistants, and
-- what is learnt from turns: statistics per intent and confidence, sentences that
-- needed a model, and phrases suggested from them.
--
-- The functions' own phrases are files. These tables hold what an organisation adds
-- to them, and nothing in them is read for another organisation.

-- An intent of an organisation: what people may want, and the agent that answers.
create table public.intents (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  agent text not null check (agent ~ '^[a-z][a-z0-9_]{0,63}$'),
  description text not null default '' check (length(description) <= 300),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, assistant, name)
);
call app.control_table('intents');
call app.names_assistants('intents');
create trigger zz_touch before insert or update on public.intents for each row execute function app.touch();
create trigger audit after insert or update or delete on public.intents for each row execute function app.audit();

-- The phrases, by the form in which sentences are compared: a form stands in one
-- intent only.
create table public.intent_phrases (
  org_id uuid not null,
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  form text not null check (length(form) between 1 and 900),
  intent_id uuid not null,
  phrase text not null check (octet_length(phrase) between 1 and 300),
  source text not null check (source in ('written', 'generated', 'suggested')),
  added_by uuid,
  added_at timestamptz not null default clock_timestamp(),
  primary key (org_id, assistant, form),
  foreign key (org_id, intent_id) references public.intents (org_id, id) on delete cascade
);
create index intent_phrases_intent on public.intent_phrases (org_id, intent_id);
call app.control_table('intent_phrases');

-- Turns per intent and confidence in steps of 0.05 (S2-56). basis says what decided:
-- 'phrase' a whole phrase, 'above' a confidence from the default threshold on,
-- 'below' a lower one, for which a model usually chose the agent. The window holds
-- the newest few hundred, so that a threshold follows what people say today.
create table public.intent_routing_stats (
  org_id uuid not null references public.orgs (id),
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  intent text not null check (length(intent) between 1 and 64),
  bucket numeric(3, 2) not null check (bucket between 0 and 1 and bucket * 20 = trunc(bucket * 20)),
  basis text not null check (basis in ('phrase', 'above', 'below')),
  total int not null default 0,
  success int not null default 0,
  failed int not null default 0,
  total_ms bigint not null default 0,
  feedback_sum int not null default 0,
  feedback_count int not null default 0,
  window_total int not null default 0,
  window_failed int not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, assistant, intent, bucket, basis),
  check (total = success + failed)
);
call app.control_table('intent_routing_stats');

-- Sentences for which a model chose the agent (S2-58), grouped by their form.
create table public.llm_path_patterns (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  hash bytea not null check (octet_length(hash) = 32), -- SHA-256 of the form
  form text not null check (length(form) between 1 and 900),
  query text not null check (octet_length(query) between 1 and 300), -- as it was said first
  agents jsonb not null default '{}' check (octet_length(agents::text) <= 4000), -- how often each answered
  tools text[] not null default '{}',
  strategy text not null default '' check (length(strategy) <= 40),
  occurrences int not null default 0,
  total_ms bigint not null default 0,
  feedback_sum int not null default 0,
  feedback_count int not null default 0,
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, assistant, hash)
);
create index llm_path_patterns_often on public.llm_path_patterns (org_id, assistant, occurrences desc);
create index llm_path_patterns_last on public.llm_path_patterns (org_id, last_at);
call app.control_table('llm_path_patterns');

-- Phrases suggested from patterns (S2-59), for an administrator to decide on.
create table public.suggested_intents (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^SUG-[A-HJ-NP-Z2-9]{6}$'),
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  pattern_id uuid not null,
  agent text not null check (length(agent) between 1 and 64),
  phrase text not null check (octet_length(phrase) between 1 and 300),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, code),
  unique (org_id, pattern_id),
  foreign key (org_id, pattern_id) references public.llm_path_patterns (org_id, id) on delete cascade,
  check ((status = 'pending') = (decided_at is null))
);
create index suggested_intents_pending on public.suggested_intents (org_id, assistant, status, created_at);
call app.control_table('suggested_intents');
create trigger code before insert or update of code on public.suggested_intents
  for each row execute function app.fill_random_code('SUG-');
create trigger audit after insert or update or delete on public.suggested_intents for each row execute function app.audit();

-- One row for each turn that the matcher looked at, for as long as what a person
-- does next can change what it taught.
create table public.intent_observations (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  thread text not null check (length(thread) <= 200),
  question bytea not null check (octet_length(question) = 32), -- SHA-256 of what was asked
  hash bytea not null check (octet_length(hash) = 32),         -- SHA-256 of its form
  how text not null check (how in ('matched', 'model', 'greeting')),
  agent text not null check (length(agent) <= 64),
  intent text not null check (length(intent) <= 64), -- what the matcher held likeliest; '' for none
  bucket numeric(3, 2) not null,
  basis text not null check (basis in ('phrase', 'above', 'below')),
  success boolean not null,
  counted boolean not null, -- in intent_routing_stats
  withdrawn boolean not null default false,
  pattern_id uuid,
  tools text[] not null default '{}',
  ms int not null,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
create index intent_observations_thread on public.intent_observations (org_id, user_id, assistant, thread, question, at);
create index intent_observations_form on public.intent_observations (org_id, user_id, assistant, hash, at);
create index intent_observations_at on public.intent_observations (org_id, assistant, at);
create index intent_observations_pattern on public.intent_observations (org_id, pattern_id);
call app.control_table('intent_observations');
call app.names_assistants('intent_observations');

-- The confidence from which an intent is matched (S2-57), from the default each
-- time: 0.05 less, down to 0.70, where more than 90 % of at least 20 turns in the
-- bucket that would be admitted were right; 0.05 more, up to 0.95, where less than
-- 70 % of at least 10 in the lowest admitted bucket were. Beyond the source, a bucket
-- is admitted only while 98.5 % of it would be right even if one more were wrong;
-- and an intent whose default is above 0.95 already is then matched by whole
-- phrases alone (1). The same rule is intents.Threshold in Go.
create function app.intent_threshold(p_default numeric, p_below int, p_below_failed int, p_above int, p_above_failed int) returns numeric
language sql immutable set search_path = '' as $$
  select case
    when p_above >= 10 and (p_above - p_above_failed) < 0.7 * p_above
      then case when p_default >= 0.95 then 1 else least(p_default + 0.05, 0.95) end
    when p_below >= 20 and (p_below - p_below_failed) > 0.9 * p_below and (p_below_failed + 1) <= 0.015 * (p_below + 1)
      then least(p_default, greatest(p_default - 0.05, 0.70))
    else p_default end
$$;

-- The thresholds of an organisation's intents that differ from the default, by name.
create function app.intent_thresholds(p_org uuid, p_assistant text, p_default numeric) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(g.intent, g.threshold) filter (where g.threshold <> p_default), '{}')
  from (
    select s.intent, app.intent_threshold(p_default,
      coalesce(sum(s.window_total) filter (where s.basis = 'below'), 0)::int, coalesce(sum(s.window_failed) filter (where s.basis = 'below'), 0)::int,
      coalesce(sum(s.window_total) filter (where s.basis = 'above'), 0)::int, coalesce(sum(s.window_failed) filter (where s.basis = 'above'), 0)::int) as threshold
    from public.intent_routing_stats s
    where s.org_id = p_org and s.assistant = p_assistant
      and (s.basis = 'below' and s.bucket >= trunc((p_default - 0.05) * 20) / 20 or s.basis = 'above' and s.bucket < p_default + 0.05)
    group by s.intent) g
$$;

-- What names the state of an organisation's phrases: it changes with each of them.
create function app.intents_version(p_org uuid, p_assistant text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(md5(string_agg(i.id || ':' || i.version, ',' order by i.id)), '')
  from public.intents i where i.org_id = p_org and i.assistant = p_assistant
$$;

-- What matching needs of the caller's organisation: {"version","intents",
-- "thresholds"}. Without the intents where p_known is the version.
create function public.intents_read(p_assistant text, p_known text, p_default numeric) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_version text := app.intents_version(v_org, p_assistant);
begin
  return jsonb_build_object('version', v_version, 'thresholds', app.intent_thresholds(v_org, p_assistant, p_default),
    'intents', case when v_version is distinct from p_known then (
      select coalesce(jsonb_agg(jsonb_build_object('name', i.name, 'agent', i.agent, 'description', i.description, 'version', i.version,
        'updatedAt', i.updated_at, 'phrases', (
          select coalesce(jsonb_agg(jsonb_build_object('phrase', f.phrase, 'source', f.source) order by f.added_at, f.form), '[]')
          from public.intent_phrases f where f.org_id = v_org and f.intent_id = i.id)) order by i.name), '[]')
      from public.intents i where i.org_id = v_org and i.assistant = p_assistant) end);
end $$;

-- The caller's organisation, locked for a change of its intents of an assistant.
-- Raises PT403 unless the caller administers it.
create function app.intents_locked(p_assistant text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
begin
  perform app.admin_org();
  if not app.has_assistant(v_org, p_assistant) then
    raise sqlstate 'PT404' using message = 'unknown_assistant', detail = 'There is no such assistant here.';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('intents ' || v_org || ' ' || p_assistant, 0));
  return v_org;
end $$;

-- Adds phrases, [{"form","phrase","source"}], to an intent. Raises PT409
-- 'phrase_taken' for one that stands in another, and PT422 'too_many_phrases'.
create function app.intent_add_phrases(p_org uuid, p_intent public.intents, p_phrases jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_phrase text;
  v_other text;
begin
  select f.phrase, i.name into v_phrase, v_other
  from jsonb_to_recordset(p_phrases) as n(form text)
  join public.intent_phrases f on f.org_id = p_org and f.assistant = p_intent.assistant and f.form = n.form and f.intent_id <> p_intent.id
  join public.intents i on i.org_id = f.org_id and i.id = f.intent_id limit 1;
  if found then
    raise sqlstate 'PT409' using message = 'phrase_taken',
      detail = format('The phrase "%s" stands in the intent "%s" already. Keep it in one of them.', v_phrase, v_other);
  end if;
  insert into public.intent_phrases (org_id, assistant, form, intent_id, phrase, source, added_by)
  select p_org, p_intent.assistant, n.form, p_intent.id, n.phrase, n.source, auth.uid()
  from jsonb_to_recordset(p_phrases) as n(form text, phrase text, source text)
  on conflict (org_id, assistant, form) do update set phrase = excluded.phrase
  where intent_phrases.phrase <> excluded.phrase;
  if (select count(*) from public.intent_phrases f where f.org_id = p_org and f.intent_id = p_intent.id) > 100
    or (select count(*) from public.intent_phrases f where f.org_id = p_org and f.assistant = p_intent.assistant) > 1000 then
    raise sqlstate 'PT422' using message = 'too_many_phrases',
      detail = 'An intent has at most 100 phrases, and all intents of an assistant together have at most 1,000.';
  end if;
end $$;

-- Creates an intent (version 0) or replaces one, and returns its new version. p has
-- "assistant", "name", "agent", "description", "phrases" and "version". Raises
-- PT409 'intent_exists' or 'version_conflict', and what app.intent_add_phrases raises.
create function public.intent_save(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.intents_locked(p ->> 'assistant');
  v_version int := coalesce((p ->> 'version')::int, 0);
  i public.intents;
begin
  select * into i from public.intents n where n.org_id = v_org and n.assistant = p ->> 'assistant' and n.name = p ->> 'name' for update;
  if found and v_version = 0 then
    raise sqlstate 'PT409' using message = 'intent_exists', detail = format('There is an intent "%s" already.', i.name);
  elsif v_version <> coalesce(i.version, 0) then
    raise sqlstate 'PT409' using message = 'version_conflict',
      detail = 'Somebody changed this intent meanwhile. Load it again, and make your change once more.';
  end if;
  if i.id is null then
    if (select count(*) from public.intents n where n.org_id = v_org and n.assistant = p ->> 'assistant') >= 100 then
      raise sqlstate 'PT422' using message = 'too_many_intents', detail = 'There are 100 intents; more are not possible.';
    end if;
    insert into public.intents (org_id, assistant, name, agent, description)
    values (v_org, p ->> 'assistant', p ->> 'name', p ->> 'agent', coalesce(p ->> 'description', '')) returning * into i;
  else
    update public.intents n set agent = p ->> 'agent', description = coalesce(p ->> 'description', '')
    where n.org_id = v_org and n.id = i.id returning * into i;
    delete from public.intent_phrases f where f.org_id = v_org and f.intent_id = i.id
      and f.form not in (select n.form from jsonb_to_recordset(p -> 'phrases') as n(form text));
  end if;
  perform app.intent_add_phrases(v_org, i, p -> 'phrases');
  return jsonb_build_object('version', i.version);
end $$;

-- Deletes an intent with its phrases. Raises PT404 'intent_not_found' and PT409
-- 'version_conflict'.
create function public.intent_delete(p_assistant text, p_name text, p_version int) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.intents_locked(p_assistant);
  i public.intents;
begin
  select * into i from public.intents n where n.org_id = v_org and n.assistant = p_assistant and n.name = p_name for update;
  if not found then
    raise sqlstate 'PT404' using message = 'intent_not_found', detail = 'There is no such intent of yours.';
  elsif i.version <> p_version then
    raise sqlstate 'PT409' using message = 'version_conflict',
      detail = 'Somebody changed this intent meanwhile. Load it again, and make your change once more.';
  end if;
  delete from public.intents n where n.org_id = v_org and n.id = i.id;
end $$;

-- Counts a turn, or takes one back that was counted as a success: it becomes a failure.
create function app.intent_count(o public.intent_observations, p_failed_later boolean default false) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.intent_routing_stats as s (org_id, assistant, intent, bucket, basis, total, success, failed, total_ms, window_total, window_failed)
  select o.org_id, o.assistant, o.intent, o.bucket, o.basis, 1, o.success::int, 1 - o.success::int, o.ms, 1, 1 - o.success::int
  on conflict (org_id, assistant, intent, bucket, basis) do update set
    total = s.total + case when p_failed_later then 0 else 1 end,
    success = s.success + case when p_failed_later then -1 else excluded.success end,
    failed = s.failed + case when p_failed_later then 1 else excluded.failed end,
    total_ms = s.total_ms + case when p_failed_later then 0 else excluded.total_ms end,
    -- Half of the window is forgotten when it is full; of the failures the larger half stays.
    window_total = case when p_failed_later then s.window_total when s.window_total >= 400 then s.window_total / 2 + 1 else s.window_total + 1 end,
    window_failed = case when p_failed_later then least(s.window_failed + 1, s.window_total)
      when s.window_total >= 400 then (s.window_failed + 1) / 2 + excluded.window_failed else s.window_failed + excluded.window_failed end,
    updated_at = clock_timestamp()
$$;

-- Takes back what a turn taught, because its answer did not do: it was asked for
-- again, put in other words, or disliked.
create function app.intent_withdraw(o public.intent_observations) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_left int;
begin
  update public.intent_observations n set withdrawn = true, success = false
  where n.org_id = o.org_id and n.id = o.id and not n.withdrawn;
  if not found then
    return;
  end if;
  if o.counted and o.success then
    perform app.intent_count(o, true);
  end if;
  update public.llm_path_patterns t set occurrences = greatest(t.occurrences - 1, 0),
    agents = t.agents || jsonb_build_object(o.agent, greatest(coalesce((t.agents ->> o.agent)::int, 0) - 1, 0))
  where t.org_id = o.org_id and t.id = o.pattern_id returning t.occurrences into v_left;
  if v_left < 10 then
    delete from public.suggested_intents g where g.org_id = o.org_id and g.pattern_id = o.pattern_id and g.status = 'pending';
  end if;
end $$;

-- Keeps a sentence for which a model chose the agent, and suggests it as a phrase of
-- that agent once it was said ten times and nine of ten went there.
create function app.intent_pattern(p_org uuid, p jsonb, p_hash bytea) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  t public.llm_path_patterns;
  v_agent text;
begin
  insert into public.llm_path_patterns as n (org_id, assistant, hash, form, query, agents, tools, strategy, occurrences, total_ms)
  values (p_org, p ->> 'assistant', p_hash, p ->> 'form', p ->> 'query', jsonb_build_object(p ->> 'agent', 1),
          array(select jsonb_array_elements_text(p -> 'tools')), coalesce(p ->> 'strategy', ''), 1, (p ->> 'ms')::int)
  on conflict (org_id, assistant, hash) do update set occurrences = n.occurrences + 1, total_ms = n.total_ms + excluded.total_ms,
    agents = n.agents || jsonb_build_object(p ->> 'agent', coalesce((n.agents ->> (p ->> 'agent'))::int, 0) + 1),
    tools = excluded.tools, strategy = excluded.strategy, last_at = clock_timestamp()
  returning * into t;
  select a.key into v_agent from jsonb_each_text(t.agents) a where a.value::int >= 0.9 * t.occurrences limit 1;
  if t.occurrences >= 10 and v_agent is not null
    and not exists (select from public.intent_phrases f where f.org_id = p_org and f.assistant = t.assistant and f.form = t.form) then
    insert into public.suggested_intents (org_id, assistant, pattern_id, agent, phrase)
    values (p_org, t.assistant, t.id, v_agent, t.query) on conflict (org_id, pattern_id) do nothing;
  end if;
  return t.id;
end $$;

-- Learns from a turn of the caller that the matcher looked at. p has "assistant",
-- "thread", "question", "form" and "query" ("" for one too long to be a phrase),
-- "how", "agent", "intent", "bucket", "basis", "success", "retried", "tools",
-- "strategy" and "ms".
create function public.intent_learn(p jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_hash bytea := sha256(convert_to(p ->> 'form', 'UTF8'));
  o public.intent_observations;
begin
  -- What a crash loses here is worth less than a disk write in a turn.
  perform set_config('synchronous_commit', 'off', true);
  o.org_id := v_org;
  o.id := gen_random_uuid();
  o.user_id := auth.uid();
  o.assistant := p ->> 'assistant';
  o.thread := p ->> 'thread';
  o.question := sha256(convert_to(p ->> 'question', 'UTF8'));
  if o.thread <> '' and exists (select from public.intent_observations n where n.org_id = v_org and n.user_id = o.user_id
      and n.assistant = o.assistant and n.thread = o.thread and n.question = o.question) then
    -- Asked again: neither the answer before nor this one teaches anything.
    perform app.intent_withdraw(n) from public.intent_observations n where n.org_id = v_org and n.user_id = o.user_id
      and n.assistant = o.assistant and n.thread = o.thread and n.question = o.question;
    return;
  end if;
  if (p ->> 'retried')::boolean then
    return;
  end if;
  o.hash := v_hash;
  o.how := p ->> 'how';
  o.agent := p ->> 'agent';
  o.intent := p ->> 'intent';
  o.bucket := (p ->> 'bucket')::numeric;
  o.basis := p ->> 'basis';
  o.success := (p ->> 'success')::boolean and (o.how = 'matched' or o.how = 'model' and o.agent = o.intent);
  -- One person's sentence counts once a day, however often it is said.
  o.counted := o.intent <> '' and not exists (select from public.intent_observations n where n.org_id = v_org and n.user_id = o.user_id
    and n.assistant = o.assistant and n.hash = v_hash and n.counted and n.at > clock_timestamp() - interval '1 day');
  o.withdrawn := false;
  o.tools := array(select jsonb_array_elements_text(p -> 'tools'));
  o.ms := (p ->> 'ms')::int;
  o.at := clock_timestamp();
  if o.how = 'model' and o.agent <> '' and (p ->> 'success')::boolean and p ->> 'form' <> '' and p ->> 'query' <> '' then
    o.pattern_id := app.intent_pattern(v_org, p, v_hash);
  end if;
  insert into public.intent_observations select o.*;
  if o.counted then
    perform app.intent_count(o);
  end if;
  -- Every 256th takes away what is too old.
  if get_byte(uuid_send(o.id), 0) = 0 then
    perform app.clean_up_intents(v_org);
  end if;
end $$;

-- Forgets turns and patterns of an organisation that are older than so many days, and
-- returns how many turns. What people approved stays.
create function app.clean_up_intents(p_org uuid, p_days int default 90, p_batch int default 5000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  delete from public.intent_observations o using (
    select n.id from public.intent_observations n
    where n.org_id = p_org and n.at < clock_timestamp() - greatest(p_days, 1) * interval '1 day' limit p_batch) old
  where o.org_id = p_org and o.id = old.id;
  get diagnostics v_count = row_count;
  delete from public.llm_path_patterns t using (
    select n.id from public.llm_path_patterns n
    where n.org_id = p_org and n.last_at < clock_timestamp() - greatest(p_days, 1) * interval '1 day' limit p_batch) old
  where t.org_id = p_org and t.id = old.id
    and not exists (select from public.suggested_intents g where g.org_id = p_org and g.pattern_id = t.id and g.status <> 'pending');
  return v_count;
end $$;

-- Trigger of feedback_log: what was said or shown of an answer counts for the turn
-- that made it (S2-60, S2-63). A weight below zero takes back what it taught.
create function app.intent_feedback() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  f public.feedback_log := coalesce(new, old);
  v_change int := coalesce(new.weight, 0) - coalesce(old.weight, 0);
  v_more int := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
  o public.intent_observations;
begin
  select * into o from public.intent_observations n
  where n.org_id = f.org_id and n.user_id = f.user_id and n.assistant = f.assistant and n.thread = f.thread
    and n.question = sha256(convert_to(f.question, 'UTF8'))
  order by n.at desc limit 1;
  if not found then
    return null;
  end if;
  if o.counted then
    update public.intent_routing_stats s set feedback_sum = s.feedback_sum + v_change, feedback_count = greatest(s.feedback_count + v_more, 0)
    where s.org_id = o.org_id and s.assistant = o.assistant and s.intent = o.intent and s.bucket = o.bucket and s.basis = o.basis;
  end if;
  update public.llm_path_patterns t set feedback_sum = t.feedback_sum + v_change, feedback_count = greatest(t.feedback_count + v_more, 0)
  where t.org_id = o.org_id and t.id = o.pattern_id;
  if new.weight < 0 then
    perform app.intent_withdraw(o);
  end if;
  return null;
end $$;
create trigger intents_learn after insert or update of weight or delete on public.feedback_log
  for each row execute function app.intent_feedback();

-- The suggestions of a status, the newest first. For administrators.
create function public.intent_suggestions(p_assistant text, p_status text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.admin_org();
begin
  return (select coalesce(jsonb_agg(to_jsonb(g) order by g."createdAt" desc), '[]') from (
    select g.code, g.agent, g.phrase, g.status, t.occurrences, t.agents, t.tools, g.created_at as "createdAt", g.decided_at as "decidedAt",
      case when t.feedback_count > 0 then round(t.feedback_sum::numeric / t.feedback_count, 2) end as feedback,
      (select count(distinct n.user_id) from public.intent_observations n where n.org_id = v_org and n.pattern_id = t.id) as people
    from public.suggested_intents g
    join public.llm_path_patterns t on t.org_id = g.org_id and t.id = g.pattern_id
    where g.org_id = v_org and g.assistant = p_assistant and g.status = p_status
    order by g.created_at desc limit 200) g);
end $$;

-- Decides on a suggestion. p has "assistant", "code", "approve"; to approve, "agent",
-- "intent" (made where there is none), "phrase" and "form". Raises PT404
-- 'suggestion_not_found', PT409 'suggestion_decided', and what
-- app.intent_add_phrases raises.
create function public.intent_decide(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.intents_locked(p ->> 'assistant');
  g public.suggested_intents;
  i public.intents;
begin
  select * into g from public.suggested_intents n
  where n.org_id = v_org and n.assistant = p ->> 'assistant' and n.code = p ->> 'code' for update;
  if not found then
    raise sqlstate 'PT404' using message = 'suggestion_not_found', detail = 'There is no such suggestion.';
  elsif g.status <> 'pending' then
    raise sqlstate 'PT409' using message = 'suggestion_decided', detail = format('This suggestion was %s already.', g.status);
  end if;
  if (p ->> 'approve')::boolean then
    select * into i from public.intents n where n.org_id = v_org and n.assistant = g.assistant and n.name = p ->> 'intent' for update;
    if not found then
      insert into public.intents (org_id, assistant, name, agent) values (v_org, g.assistant, p ->> 'intent', p ->> 'agent') returning * into i;
    else
      update public.intents n set agent = n.agent where n.org_id = v_org and n.id = i.id returning * into i;
    end if;
    perform app.intent_add_phrases(v_org, i, jsonb_build_array(jsonb_build_object('form', p ->> 'form', 'phrase', p ->> 'phrase', 'source', 'suggested')));
  end if;
  update public.suggested_intents n set status = case when (p ->> 'approve')::boolean then 'approved' else 'rejected' end,
    phrase = coalesce(p ->> 'phrase', n.phrase), agent = coalesce(i.agent, n.agent), decided_by = auth.uid(), decided_at = clock_timestamp()
  where n.org_id = v_org and n.id = g.id;
  return jsonb_build_object('status', case when (p ->> 'approve')::boolean then 'approved' else 'rejected' end, 'intent', i.name, 'agent', i.agent);
end $$;

-- What became of the turns that the matcher looked at in the last p_days days, in the
-- time zone p_zone: per day, per agent, per intent and confidence, per tool, and the
-- sentences that needed a model most often. For administrators.
create function public.intent_report(p_assistant text, p_days int, p_zone text, p_default numeric) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.admin_org();
  v_days constant int := least(greatest(coalesce(p_days, 30), 1), 90);
  v_days_json jsonb;
  v_paths jsonb;
  v_tools jsonb;
begin
  with seen as (
    select o.*, (o.at at time zone p_zone)::date as day from public.intent_observations o
    where o.org_id = v_org and o.assistant = p_assistant and (o.at at time zone p_zone)::date > (clock_timestamp() at time zone p_zone)::date - v_days
  ), days as (
    select d.day, count(*) as turns, count(*) filter (where d.how = 'matched') as matched,
      count(*) filter (where d.how = 'matched' and d.success) as "matchedRight"
    from seen d group by 1
  ), paths as (
    select d.how, d.agent, count(*) as turns, count(*) filter (where d.withdrawn) as withdrawn, round(avg(d.ms)) as ms from seen d group by 1, 2
  ), tools as (
    select t.tool, count(*) as turns, count(*) filter (where s.how = 'matched') as matched, count(*) filter (where s.withdrawn) as withdrawn,
      round(avg(s.ms)) as ms
    from seen s cross join unnest(s.tools) as t(tool) group by 1
  )
  select (select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]') from days d),
         (select coalesce(jsonb_agg(to_jsonb(t) order by t.turns desc, t.how, t.agent), '[]') from paths t),
         (select coalesce(jsonb_agg(to_jsonb(t) order by t.turns desc, t.tool), '[]') from tools t)
  into v_days_json, v_paths, v_tools;
  return jsonb_build_object('days', v_days_json, 'paths', v_paths, 'tools', v_tools,
    'thresholds', app.intent_thresholds(v_org, p_assistant, p_default),
    'buckets', (select coalesce(jsonb_agg(jsonb_build_object('intent', s.intent, 'bucket', s.bucket, 'basis', s.basis, 'total', s.total,
        'success', s.success, 'failed', s.failed, 'ms', round(s.total_ms::numeric / greatest(s.total, 1)),
        'feedback', case when s.feedback_count > 0 then round(s.feedback_sum::numeric / s.feedback_count, 2) end) order by s.intent, s.bucket, s.basis), '[]')
      from public.intent_routing_stats s where s.org_id = v_org and s.assistant = p_assistant),
    'unmatched', (select coalesce(jsonb_agg(to_jsonb(t) order by t.occurrences desc, t."lastAt" desc), '[]') from (
      select t.query, t.agents, t.tools, t.strategy, t.occurrences, t.last_at as "lastAt", round(t.total_ms::numeric / greatest(t.occurrences, 1)) as ms,
        case when t.feedback_count > 0 then round(t.feedback_sum::numeric / t.feedback_count, 2) end as feedback
      from public.llm_path_patterns t
      where t.org_id = v_org and t.assistant = p_assistant and t.occurrences > 0
        and not exists (select from public.intent_phrases f where f.org_id = v_org and f.assistant = t.assistant and f.form = t.form)
      order by t.occurrences desc, t.last_at desc limit 50) t));
end $$;

call app.bound_columns();
revoke execute on all routines in schema app from public;
revoke execute on function public.intents_read(text, text, numeric), public.intent_save(jsonb), public.intent_delete(text, text, int),
  public.intent_learn(jsonb), public.intent_suggestions(text, text), public.intent_decide(jsonb), public.intent_report(text, int, text, numeric)
  from public, anon, service_role;
grant execute on function public.intents_read(text, text, numeric), public.intent_save(jsonb), public.intent_delete(text, text, int),
  public.intent_learn(jsonb), public.intent_suggestions(text, text), public.intent_decide(jsonb), public.intent_report(text, int, text, numeric)
  to authenticated;
notify pgrst, 'reload schema';
