-- Feedback: what people say of answers, and what they show without saying it.

-- One row for each person and answer that was rated, and one for each signal
-- that was noticed. A signal's weight is S2's; a word weighs more than any sign.
create table public.feedback_log (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^FB-[A-HJ-NP-Z2-9]{6}$'),
  user_id uuid not null,
  message text not null check (message ~ '^[0-9a-f]{64}$'), -- digest of the answer in its place
  source text not null check (source in ('explicit', 'implicit')),
  rating text,
  signal text,
  weight int not null,
  reason text check (reason in ('wrong', 'incomplete', 'slow', 'unclear', 'unsafe', 'other')),
  comment text check (length(comment) between 1 and 2000),
  assistant text not null check (length(assistant) between 1 and 120),
  agent text not null check (length(agent) <= 120), -- '' where the assistant itself spoke
  thread text not null check (length(thread) <= 200),
  question text not null check (length(question) <= 2000),
  answer text not null check (length(answer) <= 4000),
  tools jsonb not null -- [{"name","ok"}] in order
    check (jsonb_typeof(tools) = 'array' and length(tools::text) <= 8000
      and not jsonb_path_exists(tools, '$[*] ? (@.type() != "object" || !(@.name.type() == "string") || exists(@.ok ? (@.type() != "boolean")))')),
  path text check (length(path) <= 20),
  model text check (length(model) <= 200),
  request_id text check (length(request_id) <= 200), -- of the request that wrote the row last
  answered_at timestamptz not null,
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, code),
  constraint feedback_log_said check (source <> 'explicit' or signal is null and (rating, weight) in (('up', 3), ('down', -3))),
  constraint feedback_log_shown check (source <> 'implicit' or rating is null and reason is null and comment is null
    and (signal, weight) in (('rephrase', -1), ('follow_up', 1), ('action', 2))),
  constraint feedback_log_blamed check (reason is null or rating = 'down')
);
create unique index feedback_log_once on public.feedback_log (org_id, user_id, message) where source = 'explicit';
create unique index feedback_log_noticed_once on public.feedback_log (org_id, user_id, message, signal) where source = 'implicit';
create index feedback_log_newest on public.feedback_log (org_id, created_at, id);
create index feedback_log_own on public.feedback_log (org_id, user_id, created_at, id);
create index feedback_log_touched on public.feedback_log (updated_at);
call app.control_table('feedback_log');
call app.names_assistants('feedback_log');
grant select on public.feedback_log to authenticated;
create policy own_and_admins_read on public.feedback_log for select to authenticated
  using (org_id = (select app.org_id()) and assistant in (select app.my_assistants())
    and (user_id = (select auth.uid()) or (select app.org_role()) = 'admin'));
create trigger code before insert or update of code on public.feedback_log
  for each row execute function app.fill_random_code('FB-');
create trigger zz_touch before insert or update on public.feedback_log for each row execute function app.touch();
create trigger audit after insert or update or delete on public.feedback_log for each row execute function app.audit('comment', 'question', 'answer', 'tools');

-- Rates an answer for the caller, whatever the role; rating it again changes
-- that, and 'none' takes it back. p is the row's members by their names, with
-- what the answer was. Returns what stands now: {"rating","reason","comment"}.
-- A definer function, so that rows are written through it alone: not of others,
-- and not with another weight.
create function public.feedback_give(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_rating text := p ->> 'rating';
begin
  if v_rating = 'none' then
    delete from public.feedback_log f
    where f.org_id = v_org and f.user_id = auth.uid() and f.message = p ->> 'message' and f.source = 'explicit';
  else
    insert into public.feedback_log as f (org_id, user_id, message, source, rating, weight, reason, comment, assistant, agent, thread, question, answer,
                                          tools, path, model, request_id, answered_at)
    values (v_org, auth.uid(), p ->> 'message', 'explicit', v_rating, case v_rating when 'up' then 3 else -3 end, p ->> 'reason', p ->> 'comment',
            p ->> 'assistant', p ->> 'agent', p ->> 'thread', p ->> 'question', p ->> 'answer', p -> 'tools', p ->> 'path', p ->> 'model',
            p ->> 'requestId', (p ->> 'answeredAt')::timestamptz)
    on conflict (org_id, user_id, message) where source = 'explicit' do update
      set rating = excluded.rating, weight = excluded.weight, reason = excluded.reason, comment = excluded.comment, request_id = excluded.request_id
      -- A second click on the same is no change.
      where (f.rating, f.reason, f.comment) is distinct from (excluded.rating, excluded.reason, excluded.comment);
  end if;
  return jsonb_build_object('rating', v_rating, 'reason', p ->> 'reason', 'comment', p ->> 'comment');
end $$;

-- Writes down once what a turn of the caller showed of an earlier answer.
create function public.feedback_notice(p jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
begin
  -- A sign that a crash loses is worth less than a disk write in a turn.
  perform set_config('synchronous_commit', 'off', true);
  insert into public.feedback_log (org_id, user_id, message, source, signal, weight, assistant, agent, thread, question, answer,
                                   tools, path, model, request_id, answered_at)
  values (v_org, auth.uid(), p ->> 'message', 'implicit', p ->> 'signal', (p ->> 'weight')::int, p ->> 'assistant', p ->> 'agent', p ->> 'thread',
          p ->> 'question', p ->> 'answer', p -> 'tools', p ->> 'path', p ->> 'model', p ->> 'requestId', (p ->> 'answeredAt')::timestamptz)
  on conflict (org_id, user_id, message, signal) where source = 'implicit' do nothing;
end $$;

-- The rows that a caller may see, newest first: an administrator's
-- organisation's, anybody else's own. p has the filters by name ("from" is
-- included, "to" is not), "limit", and where the page before ended ("beforeAt",
-- "beforeId"). The first page has totals of all that the filters leave.
-- A definer function, because addresses of people stand in auth.users.
create function public.feedback_list(p jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_all boolean := app.org_role() = 'admin';
  v_assistants constant text[] := app.assistants_of(v_org);
  v_limit int := least(greatest(coalesce((p ->> 'limit')::int, 50), 1), 5000);
  v_rows jsonb;
  v_totals jsonb;
begin
  with found as not materialized (
    select f.*, m.name as person, case when m.kind = 'person' then u.email end as email
    from public.feedback_log f
    left join public.memberships m on m.org_id = f.org_id and m.user_id = f.user_id
    left join auth.users u on u.id = m.user_id
    where f.org_id = v_org and (v_all or f.user_id = auth.uid()) and f.assistant = any (v_assistants)
      and (p ->> 'rating' is null or f.rating = p ->> 'rating')
      and (p ->> 'reason' is null or f.reason = p ->> 'reason')
      and (p ->> 'source' is null or f.source = p ->> 'source')
      and (p ->> 'signal' is null or f.signal = p ->> 'signal')
      and (p ->> 'assistant' is null or f.assistant = p ->> 'assistant')
      and (p ->> 'agent' is null or f.agent = p ->> 'agent')
      and (p ->> 'from' is null or f.created_at >= (p ->> 'from')::timestamptz)
      and (p ->> 'to' is null or f.created_at < (p ->> 'to')::timestamptz)
      and (p ->> 'user' is null or strpos(lower(m.name), lower(p ->> 'user')) > 0 or strpos(lower(u.email), lower(p ->> 'user')) > 0)
      and (p ->> 'text' is null or strpos(lower(concat_ws(e'\n', f.question, f.answer, f.comment)), lower(p ->> 'text')) > 0)
  ), page as (
    select * from found f
    where p ->> 'beforeId' is null or (f.created_at, f.id) < ((p ->> 'beforeAt')::timestamptz, (p ->> 'beforeId')::uuid)
    order by f.created_at desc, f.id desc limit v_limit + 1
  ), per_agent as (
    select f.assistant, f.agent, count(*) filter (where f.rating = 'up') as up, count(*) filter (where f.rating = 'down') as down,
           count(*) filter (where f.signal = 'rephrase') as rephrase, count(*) filter (where f.signal = 'follow_up') as follow_up,
           count(*) filter (where f.signal = 'action') as action, sum(f.weight) as score
    from found f where p ->> 'beforeId' is null group by 1, 2
  )
  select (select jsonb_agg(jsonb_build_object('id', g.id, 'at', g.created_at, 'answeredAt', g.answered_at, 'assistant', g.assistant, 'agent', g.agent,
            'source', g.source, 'rating', g.rating, 'reason', g.reason, 'comment', g.comment, 'signal', g.signal, 'weight', g.weight,
            'question', g.question, 'answer', g.answer, 'tools', g.tools, 'path', g.path, 'model', g.model,
            'name', coalesce(g.person, ''), 'email', coalesce(g.email, '')) order by g.created_at desc, g.id desc) from page g),
         (select jsonb_agg(jsonb_build_object('assistant', a.assistant, 'agent', a.agent, 'up', a.up, 'down', a.down, 'rephrase', a.rephrase,
            'followUp', a.follow_up, 'action', a.action, 'score', a.score) order by a.assistant, a.agent) from per_agent a)
  into v_rows, v_totals;
  return jsonb_build_object('items', coalesce(v_rows, '[]'), 'limit', v_limit, 'agents', coalesce(v_totals, '[]'));
end $$;

-- Deletes feedback that was not changed for so many days (null: never) and
-- returns how many rows.
create function app.clean_up_feedback(p_days int default 400, p_batch int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  delete from public.feedback_log f using (
    select g.org_id, g.id from public.feedback_log g
    where p_days is not null and g.updated_at < clock_timestamp() - greatest(p_days, 1) * interval '1 day' limit p_batch) old
  where f.org_id = old.org_id and f.id = old.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.feedback_give(jsonb), public.feedback_notice(jsonb), public.feedback_list(jsonb)
   from public, anon, service_role;
grant execute on function public.feedback_give(jsonb), public.feedback_notice(jsonb), public.feedback_list(jsonb)
   to authenticated;
