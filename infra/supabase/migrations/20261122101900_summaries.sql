-- Summaries of conversations: which are due, who is making one, what came of it.
-- The summary itself stands with the conversation (see app.store_summary).
--
-- A process that makes one holds a lease, so that of a browser's call, a schedule, a
-- queue and a webhook at the same time one works and the others learn that
-- one process does. A lease that is not given back ends by itself.

-- One row per conversation: who makes its summary, and how the attempts went.
create table public.summary_jobs (
  org_id uuid not null,
  session_id uuid not null,
  wanted_at timestamptz,    -- since when it is wanted; null again once it is made
  lease uuid,
  lease_at timestamptz,     -- when the messages were read that it is about
  lease_until timestamptz,
  attempts int not null default 0, -- that failed since one did not
  not_before timestamptz,   -- when the schedule may take it up again
  tried_seq int not null default 0, -- the last message at the last attempt
  reason text check (length(reason) <= 80), -- the code of the last failure
  primary key (org_id, session_id),
  foreign key (org_id, session_id) references public.chat_sessions (org_id, id) on delete cascade
) with (fillfactor = 70);
create index summary_jobs_wanted on public.summary_jobs (wanted_at) where wanted_at is not null;
call app.control_table('summary_jobs');

-- The live messages behind a seq, oldest first, as many as one step may need: at
-- most 250 and 1 MiB, never none: {"messages","more"}.
create function app.summary_messages(s public.chat_sessions, p_after int) returns jsonb
language sql stable security definer set search_path = '' as $$
  with next as (
    select m.*, row_number() over w as place, sum(octet_length(m.content) + coalesce(octet_length(m.token), 0)) over w as bytes
    from (select * from public.chat_messages x
      where x.org_id = s.org_id and x.session_id = s.id and x.superseded_at is null and x.seq > p_after
      order by x.seq limit 251) m
    window w as (order by m.seq)),
  taken as (select * from next n where n.place = 1 or n.place <= 250 and n.bytes <= 1048576)
  select jsonb_build_object(
    'messages', coalesce((select jsonb_agg(jsonb_build_object('seq', t.seq, 'role', t.role, 'text', t.content, 'name', coalesce(t.user_display_name, t.label, ''),
      'id', coalesce(t.client_id, t.id::text), 'turn', coalesce(t.turn, ''), 'token', coalesce(t.token, ''),
      'foreign', coalesce(t.metadata -> 'foreign' = 'true', false)) order by t.seq) from taken t), '[]'),
    'more', (select count(*) from next) > (select count(*) from taken))
$$;

-- Takes the lease of a conversation for p "leaseMs"; who has it may take it again
-- by "lease", and with "anew" read from the first message on. Answer: {"outcome"} is
--   nothing  there is no message that is not covered
--   small    the messages since are fewer than p "overTokens" allows to leave alone
--   running  another process has the lease, for "waitMs" at most
--   queued   it failed lately and is tried again by a job; for those with "overTokens", who ask in passing
--   claimed  with "lease", what the conversation is, its summary, and the next messages
create function app.summary_claim(s public.chat_sessions, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  j public.summary_jobs;
  v_tokens bigint;
begin
  insert into public.summary_jobs (org_id, session_id) values (s.org_id, s.id) on conflict do nothing;
  select * into j from public.summary_jobs i where i.org_id = s.org_id and i.session_id = s.id for update;
  if j.lease_until > clock_timestamp() and j.lease is distinct from app.uuid_of(p ->> 'lease') then
    return jsonb_build_object('outcome', 'running', 'waitMs', ceil(extract(epoch from j.lease_until - clock_timestamp()) * 1000), 'id', s.id);
  end if;
  if j.reason is not null and j.not_before > clock_timestamp() and (p ->> 'overTokens')::bigint >= 0 then
    return jsonb_build_object('outcome', 'queued', 'id', s.id);
  end if;
  select sum(m.tokens) into v_tokens from public.chat_messages m
  where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null and m.seq > case when (p ->> 'anew')::boolean then 0 else s.summary_through end;
  if v_tokens is null or v_tokens <= coalesce((p ->> 'overTokens')::bigint, -1) then
    update public.summary_jobs i set lease = null, lease_until = null, wanted_at = null, not_before = null, attempts = 0, reason = null
    where i.org_id = s.org_id and i.session_id = s.id;
    update public.chat_sessions c set summary_state = case when c.summary_through > 0 then 'done' else 'none' end
    where c.org_id = s.org_id and c.id = s.id and c.summary_state in ('queued', 'running', 'failed');
    return jsonb_build_object('outcome', case when v_tokens is null then 'nothing' else 'small' end, 'id', s.id);
  end if;
  update public.summary_jobs i
  set lease = gen_random_uuid(), lease_at = clock_timestamp(), lease_until = clock_timestamp() + least(greatest((p ->> 'leaseMs')::numeric, 1), 900000) * interval '1 millisecond',
      -- If the process with the lease dies, the schedule goes on.
      wanted_at = coalesce(i.wanted_at, clock_timestamp()), not_before = null, tried_seq = s.last_seq
  where i.org_id = s.org_id and i.session_id = s.id returning * into j;
  update public.chat_sessions c set summary_state = 'running' where c.org_id = s.org_id and c.id = s.id;
  return jsonb_build_object('outcome', 'claimed', 'lease', j.lease, 'id', s.id, 'org', s.org_id, 'assistant', s.assistant, 'owner', s.user_id,
      'budgeted', exists (select from public.budgets b where b.org_id = s.org_id),
      'summary', coalesce(s.session_summary, ''), 'token', coalesce(s.summary_token, ''), 'through', s.summary_through)
    || app.summary_messages(s, case when (p ->> 'anew')::boolean then 0 else s.summary_through end);
end $$;

-- Raises PT409 'lease_lost' unless the caller holds the lease.
create function app.summary_leased(s public.chat_sessions, p jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.summary_jobs i
  where i.org_id = s.org_id and i.session_id = s.id and i.lease = app.uuid_of(p ->> 'lease') and i.lease_until > clock_timestamp() for update;
  if not found then
    raise sqlstate 'PT409' using message = 'lease_lost', detail = 'Somebody else is summarising this conversation by now.';
  end if;
end $$;

-- Facts that a project has already, and the new ones behind them, each with its
-- day and the conversation that it came from. A hundred are kept.
create function app.remember_facts(p_memory jsonb, p_facts jsonb, p_source text) returns jsonb
language sql volatile set search_path = '' as $$
  with known as (
    select f.value, f.ordinality as place from jsonb_array_elements(case jsonb_typeof(p_memory -> 'facts') when 'array' then p_memory -> 'facts' else '[]' end) with ordinality f),
  fresh as (
    select jsonb_build_object('text', n.value, 'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD'), 'from', p_source) as value, 1000000 + n.ordinality as place
    from jsonb_array_elements_text(case jsonb_typeof(p_facts) when 'array' then p_facts else '[]' end) with ordinality n
    where not exists (select from known k where lower(btrim(k.value ->> 'text')) = lower(btrim(n.value)))),
  newest as (select * from (select * from known union all select * from fresh) f order by f.place desc limit 100)
  select p_memory || jsonb_build_object('facts', coalesce((select jsonb_agg(n.value order by n.place) from newest n), '[]'))
$$;

-- Keeps the summary of a lease: p as for app.store_summary, with "lease",
-- "leaseMs", "anew" (what was there could not be proven, so it starts from the
-- first message), "from" (how far the summary was that it goes on from), "model"
-- and "usage". While messages are left the lease goes on. Raises PT409
-- 'conversation_changed' when messages that it covers were replaced meanwhile.
-- Answer: {"through","messages","more"}.
create function app.summary_put(s public.chat_sessions, p jsonb, p_project boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_next jsonb;
begin
  perform app.summary_leased(s, p);
  if s.summary_through <> (p ->> 'from')::int or exists (select from public.chat_messages m join public.summary_jobs i on i.org_id = m.org_id and i.session_id = m.session_id
      where m.org_id = s.org_id and m.session_id = s.id and m.seq <= (p ->> 'through')::int and m.superseded_at >= i.lease_at) then
    raise sqlstate 'PT409' using message = 'conversation_changed', detail = 'The conversation was changed while it was summarised.';
  end if;
  if (p ->> 'anew')::boolean then
    update public.chat_sessions c set summary_through = 0 where c.org_id = s.org_id and c.id = s.id returning * into s;
  end if;
  perform app.store_summary(s, p || jsonb_build_object('projectSummary', p ->> 'summary', 'projectMemory',
    (select app.remember_facts(j.ai_memory, p -> 'keyFacts', app.chat_code(s.prefix, s.number)) from public.projects j
     where j.org_id = s.org_id and j.id = s.project_id and p_project)), p_project);
  perform app.log_usage_of(s.org_id, coalesce(auth.uid(), s.user_id), s.assistant, 'summary', p ->> 'model', p -> 'usage', 'stop');
  v_next := app.summary_messages(s, (p ->> 'through')::int);
  update public.summary_jobs i
  set attempts = 0, reason = null, lease_at = clock_timestamp(),
      wanted_at = case when jsonb_array_length(v_next -> 'messages') > 0 then i.wanted_at end,
      lease = case when jsonb_array_length(v_next -> 'messages') > 0 then i.lease end,
      lease_until = case when jsonb_array_length(v_next -> 'messages') > 0 then clock_timestamp() + least(greatest((p ->> 'leaseMs')::numeric, 1), 900000) * interval '1 millisecond' end
  where i.org_id = s.org_id and i.session_id = s.id;
  if jsonb_array_length(v_next -> 'messages') > 0 then
    update public.chat_sessions c set summary_state = 'running' where c.org_id = s.org_id and c.id = s.id;
  end if;
  return v_next || jsonb_build_object('through', (p ->> 'through')::int);
end $$;

-- Gives a lease back before all was summarised: with "reason" because it failed,
-- to be tried again after "waitMs" or a growing pause; without one because time
-- ran out, to be gone on with soon.
create function app.summary_end(s public.chat_sessions, p jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_failed constant boolean := coalesce(p ->> 'reason', '') <> '';
begin
  perform app.summary_leased(s, p);
  update public.summary_jobs i
  set lease = null, lease_until = null, reason = case when v_failed then left(p ->> 'reason', 80) end,
      attempts = case when v_failed then i.attempts + 1 else 0 end,
      not_before = case when v_failed then clock_timestamp() + greatest(coalesce((p ->> 'waitMs')::bigint, 0), least(3600000, 60000 * 2 ^ least(i.attempts, 10))) * interval '1 millisecond' end
  where i.org_id = s.org_id and i.session_id = s.id;
  update public.chat_sessions c set summary_state = case when v_failed then 'failed' else 'queued' end where c.org_id = s.org_id and c.id = s.id;
end $$;

-- Notes that a summary is wanted.
create function app.summary_want(s public.chat_sessions) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.summary_jobs as i (org_id, session_id, wanted_at) values (s.org_id, s.id, clock_timestamp())
  on conflict (org_id, session_id) do update set wanted_at = coalesce(i.wanted_at, clock_timestamp()), not_before = null;
  update public.chat_sessions c set summary_state = 'queued' where c.org_id = s.org_id and c.id = s.id and c.summary_state <> 'running';
end $$;

-- For those who take part in a conversation, by its id or by that of its project.
create function app.conversation_meant(p jsonb) returns public.chat_sessions
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_id text := p ->> 'id';
begin
  if coalesce(v_id, '') = '' then
    select c.id::text into v_id from public.chat_sessions c
    where c.org_id = v_org and c.project_id = (app.project_of(v_org, p ->> 'projectId')).id and c.deleted_at is null
      and app.takes_part(v_org, c.id) and app.has_assistant(v_org, c.assistant)
    order by c.last_message_at desc limit 1;
  end if;
  return app.conversation_locked(v_org, v_id);
end $$;

create function public.summary_claim(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return app.summary_claim(app.conversation_meant(p), p);
end $$;

create function public.summary_put(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return app.summary_put(app.conversation_meant(p), p, app.org_role() in ('admin', 'manager'));
end $$;

create function public.summary_end(p jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.summary_end(app.conversation_meant(p), p);
end $$;

-- How far a conversation's summary is: {"id","state","since","covers","messages",
-- "summary","keyFacts"}. A process that has held a lease for too long has died.
create function public.summary_status(p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  s public.chat_sessions := app.conversation_seen(app.member_org(), p_id);
  j public.summary_jobs;
begin
  select * into j from public.summary_jobs i where i.org_id = s.org_id and i.session_id = s.id;
  return jsonb_build_object('id', s.id, 'assistant', s.assistant,
    'state', case when s.summary_state = 'running' and coalesce(j.lease_until <= clock_timestamp(), true) then 'queued' else s.summary_state end,
    'since', s.summary_at, 'reason', coalesce(j.reason, ''), 'messages', s.message_count,
    'covers', (select count(*) from public.chat_messages m
      where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null and m.seq <= s.summary_through),
    'summary', coalesce(s.session_summary, ''), 'token', coalesce(s.summary_token, ''), 'keyFacts', coalesce(s.key_facts, '[]'));
end $$;

-- For jobs, which hold the secret key and say for which organisation they act.

-- The conversations whose summary is due, at most so many: those where a user
-- wants it, those with more than p_tokens or p_messages that no summary covers, and
-- those where six messages or more are not covered and no message came for
-- p_idle minutes. Each is handed out once in p_hold minutes. What failed five
-- times waits for a new message.
create function public.job_summary_due(p_limit int, p_idle int, p_tokens int, p_messages int, p_hold int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_due jsonb[] := '{}';
  d record;
begin
  for d in
    with wanted as (
      select s.org_id, s.id, s.assistant, s.last_seq, 0 as rank, i.wanted_at as at from public.summary_jobs i
      join public.chat_sessions s on s.org_id = i.org_id and s.id = i.session_id
      where i.wanted_at is not null and s.deleted_at is null),
    grown as (
      select s.org_id, s.id, s.assistant, s.last_seq, 1 as rank, s.last_message_at as at from public.chat_sessions s
      where s.deleted_at is null and s.last_seq >= s.summary_through + 6
        and (s.last_message_at < v_now - p_idle * interval '1 minute' or s.last_seq > s.summary_through + p_messages
          or s.estimated_tokens > p_tokens and (select sum(m.tokens) from public.chat_messages m
            where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null and m.seq > s.summary_through) > p_tokens))
    select a.org_id, a.id, min(a.rank) as rank, min(a.at) as at from (select * from wanted union all select * from grown) a
    left join public.summary_jobs i on i.org_id = a.org_id and i.session_id = a.id
    where coalesce(i.lease_until, '-infinity') <= v_now and coalesce(i.not_before, '-infinity') <= v_now
      and app.has_assistant(a.org_id, a.assistant) and (coalesce(i.attempts, 0) < 5 or a.last_seq > i.tried_seq)
    group by a.org_id, a.id order by 3, 4 limit least(greatest(p_limit, 1), 1000)
  loop
    -- First the conversation and then its job, as everywhere. Who holds it now
    -- makes the summary, or talks: it can wait.
    perform from public.chat_sessions s where s.org_id = d.org_id and s.id = d.id for no key update skip locked;
    continue when not found;
    insert into public.summary_jobs as i (org_id, session_id, not_before) values (d.org_id, d.id, v_now + p_hold * interval '1 minute')
    on conflict (org_id, session_id) do update set not_before = excluded.not_before
    where coalesce(i.not_before, '-infinity') <= v_now and coalesce(i.lease_until, '-infinity') <= v_now;
    continue when not found;
    update public.chat_sessions s set summary_state = 'queued' where s.org_id = d.org_id and s.id = d.id;
    v_due := v_due || jsonb_build_object('org', d.org_id, 'id', d.id);
  end loop;
  return to_jsonb(v_due);
end $$;

-- The conversation of an organisation, locked. Raises PT404 and PT409 as
-- app.conversation_locked.
create function app.conversation_of(p_org uuid, p_id text) returns public.chat_sessions
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions;
begin
  select * into s from public.chat_sessions c where c.org_id = p_org and c.id = app.uuid_of(p_id) for no key update;
  if not found or not app.has_assistant(p_org, s.assistant) then
    raise sqlstate 'PT404' using message = 'conversation_not_found', detail = 'There is no such conversation.';
  end if;
  if s.deleted_at is not null then
    perform app.say_deleted();
  end if;
  return s;
end $$;

create function public.job_summary_want(p_org uuid, p_id text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.summary_want(app.conversation_of(p_org, p_id));
end $$;

create function public.job_summary_claim(p_org uuid, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return app.summary_claim(app.conversation_of(p_org, p ->> 'id'), p);
end $$;

create function public.job_summary_put(p_org uuid, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return app.summary_put(app.conversation_of(p_org, p ->> 'id'), p, true);
end $$;

create function public.job_summary_end(p_org uuid, p jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.summary_end(app.conversation_of(p_org, p ->> 'id'), p);
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.summary_claim(jsonb), public.summary_put(jsonb), public.summary_end(jsonb),
  public.summary_status(text) from public, anon, service_role;
grant execute on function public.summary_claim(jsonb), public.summary_put(jsonb), public.summary_end(jsonb),
  public.summary_status(text) to authenticated;
revoke execute on function public.job_summary_due(int, int, int, int, int), public.job_summary_want(uuid, text),
  public.job_summary_claim(uuid, jsonb), public.job_summary_put(uuid, jsonb), public.job_summary_end(uuid, jsonb)
   from public, anon, authenticated;
grant execute on function public.job_summary_due(int, int, int, int, int), public.job_summary_want(uuid, text),
  public.job_summary_claim(uuid, jsonb), public.job_summary_put(uuid, jsonb), public.job_summary_end(uuid, jsonb)
   to service_role;
