-- Matched turns that are checked: of some the router's model is asked as well, and a
-- bucket of confidence whose checked turns are not right often enough is not matched any
-- more, until newer ones show otherwise. While it is suspended the model chooses for
-- each of its turns, which are then checked turns themselves.

-- Whether the router's model chose for the turn, alone or beside the matcher.
alter table public.intent_observations add column checked boolean not null default false;

-- The newest few hundred checked turns, and those of them that failed: the model chose
-- another agent, or the answer was corrected.
alter table public.intent_routing_stats add column checked int not null default 0,
  add column checked_failed int not null default 0;

-- Whether a bucket is not matched any more. The lower bound of its precision is that of
-- its checked turns if one more were wrong; below 98.5 % it is suspended. With fewer than
-- 66 turns no bucket can show as much; until then two failures decide. The same rule is
-- intents.Suspended in Go.
create function app.bucket_suspended(p_checked int, p_failed int) returns boolean
language sql immutable set search_path = '' as $$
  select (p_checked >= 66 or p_failed >= 2) and (p_failed + 1) > 0.015 * (p_checked + 1)
$$;

-- The suspended buckets of an organisation's intents, among those that the thresholds
-- admit.
create function app.intents_suspended(p_org uuid, p_assistant text, p_default numeric)
returns table (intent text, bucket numeric, basis text)
language sql stable security definer set search_path = '' as $$
  select s.intent, s.bucket, s.basis
  from public.intent_routing_stats s
  cross join (select app.intent_thresholds(p_org, p_assistant, p_default) as moved) t
  where s.org_id = p_org and s.assistant = p_assistant and s.basis <> 'phrase'
    and app.bucket_suspended(s.checked, s.checked_failed)
    and s.bucket + 0.05 > coalesce((t.moved ->> s.intent)::numeric, p_default)
    and (s.basis = 'above' or (t.moved ->> s.intent)::numeric < p_default)
$$;

-- Counts a turn, or takes one back that was counted as a success: it becomes a failure.
create or replace function app.intent_count(o public.intent_observations,
  p_failed_later boolean default false) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.intent_routing_stats as s (org_id, assistant, intent, bucket, basis, total, success, failed,
    total_ms, window_total, window_failed,
    checked, checked_failed)
  select o.org_id, o.assistant, o.intent, o.bucket, o.basis, 1, o.success::int, 1 - o.success::int, o.ms, 1,
    1 - o.success::int,
    o.checked::int, case when o.checked then 1 - o.success::int else 0 end
  on conflict (org_id, assistant, intent, bucket, basis) do update set
    total = s.total + case when p_failed_later then 0 else 1 end,
    success = s.success + case when p_failed_later then -1 else excluded.success end,
    failed = s.failed + case when p_failed_later then 1 else excluded.failed end,
    total_ms = s.total_ms + case when p_failed_later then 0 else excluded.total_ms end,
    -- Half of the window is forgotten when it is full; of the failures the larger half stays.
    window_total = case when p_failed_later then s.window_total when s.window_total >= 400
      then s.window_total / 2 + 1 else s.window_total + 1 end,
    window_failed = case when p_failed_later then least(s.window_failed + 1, s.window_total)
      when s.window_total >= 400 then (s.window_failed + 1) / 2 + excluded.window_failed
        else s.window_failed + excluded.window_failed end,
    checked = case when p_failed_later then s.checked when s.checked >= 400 then s.checked / 2 + excluded.checked
      else s.checked + excluded.checked end,
    checked_failed = case when p_failed_later then least(s.checked_failed + excluded.checked, s.checked)
      when s.checked >= 400 then (s.checked_failed + 1) / 2 + excluded.checked_failed
        else s.checked_failed + excluded.checked_failed end,
    updated_at = clock_timestamp()
$$;

-- What matching needs of the caller's organisation: {"version","intents",
-- "thresholds","suspended"}. Without the intents where p_known is the version.
create or replace function public.intents_read(p_assistant text, p_known text, p_default numeric) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_version text := app.intents_version(v_org, p_assistant);
begin
  return jsonb_build_object('version', v_version, 'thresholds', app.intent_thresholds(v_org, p_assistant, p_default),
    'suspended', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from app.intents_suspended(v_org, p_assistant,
      p_default) s),
    'intents', case when v_version is distinct from p_known then (
      select coalesce(jsonb_agg(jsonb_build_object('name', i.name, 'agent', i.agent, 'description', i.description,
        'version', i.version,
        'updatedAt', i.updated_at, 'phrases', (
          select coalesce(jsonb_agg(jsonb_build_object('phrase', f.phrase, 'source', f.source) order by f.added_at,
            f.form), '[]')
          from public.intent_phrases f where f.org_id = v_org and f.intent_id = i.id)) order by i.name), '[]')
      from public.intents i where i.org_id = v_org and i.assistant = p_assistant) end);
end $$;

-- Learns from a turn of the caller that the matcher looked at. p has "assistant",
-- "thread", "question", "form" and "query" ("" for one too long to be a phrase),
-- "how", "agent", "intent", "bucket", "basis", "success", "retried", "tools",
-- "strategy", "ms" and "choice", the agent that the router's model chose beside the
-- matcher ("" for none, null where it was not asked).
create or replace function public.intent_learn(p jsonb) returns void
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
  if o.thread <> '' and exists (select from public.intent_observations n where n.org_id = v_org
    and n.user_id = o.user_id
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
  o.checked := o.how = 'model' or o.how = 'matched' and p ->> 'choice' is not null;
  o.success := (p ->> 'success')::boolean
    and (o.how = 'matched' and coalesce(p ->> 'choice', o.agent) = o.agent or o.how = 'model' and o.agent = o.intent);
  -- One person's sentence counts once a day, however often it is said.
  o.counted := o.intent <> ''
    and not exists (select from public.intent_observations n where n.org_id = v_org and n.user_id = o.user_id
    and n.assistant = o.assistant and n.hash = v_hash and n.counted and n.at > clock_timestamp() - interval '1 day');
  o.withdrawn := false;
  o.tools := array(select jsonb_array_elements_text(p -> 'tools'));
  o.ms := (p ->> 'ms')::int;
  o.at := clock_timestamp();
  if o.how = 'model' and o.agent <> '' and (p ->> 'success')::boolean and p ->> 'form' <> ''
    and p ->> 'query' <> '' then
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

-- What became of the turns that the matcher looked at in the last p_days days, in the
-- time zone p_zone: per day, per agent, per intent and confidence, per tool, and the
-- sentences that needed a model most often. For administrators.
create or replace function public.intent_report(p_assistant text, p_days int, p_zone text,
  p_default numeric) returns jsonb
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
    where o.org_id = v_org and o.assistant = p_assistant
      and (o.at at time zone p_zone)::date > (clock_timestamp() at time zone p_zone)::date - v_days
  ), days as (
    select d.day, count(*) as turns, count(*) filter (where d.how = 'matched') as matched,
      count(*) filter (where d.how = 'matched' and d.success) as "matchedRight"
    from seen d group by 1
  ), paths as (
    select d.how, d.agent, count(*) as turns, count(*) filter (where d.withdrawn) as withdrawn,
      round(avg(d.ms)) as ms from seen d group by 1, 2
  ), tools as (
    select t.tool, count(*) as turns, count(*) filter (where s.how = 'matched') as matched,
      count(*) filter (where s.withdrawn) as withdrawn,
      round(avg(s.ms)) as ms
    from seen s cross join unnest(s.tools) as t(tool) group by 1
  )
  select (select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]') from days d),
         (select coalesce(jsonb_agg(to_jsonb(t) order by t.turns desc, t.how, t.agent), '[]') from paths t),
         (select coalesce(jsonb_agg(to_jsonb(t) order by t.turns desc, t.tool), '[]') from tools t)
  into v_days_json, v_paths, v_tools;
  return jsonb_build_object('days', v_days_json, 'paths', v_paths, 'tools', v_tools,
    'thresholds', app.intent_thresholds(v_org, p_assistant, p_default),
    'buckets', (select coalesce(jsonb_agg(jsonb_build_object('intent', s.intent, 'bucket', s.bucket, 'basis',
      s.basis, 'total', s.total,
        'success', s.success, 'failed', s.failed, 'checked', s.checked, 'checkedFailed', s.checked_failed,
        'suspended', n.intent is not null, 'ms', round(s.total_ms::numeric / greatest(s.total, 1)),
        'feedback', case when s.feedback_count > 0 then round(s.feedback_sum::numeric / s.feedback_count, 2)
          end) order by s.intent, s.bucket, s.basis), '[]')
      from public.intent_routing_stats s
      left join app.intents_suspended(v_org, p_assistant, p_default) n on n.intent = s.intent
        and n.bucket = s.bucket and n.basis = s.basis
      where s.org_id = v_org and s.assistant = p_assistant),
    'unmatched', (select coalesce(jsonb_agg(to_jsonb(t) order by t.occurrences desc, t."lastAt" desc), '[]') from (
      select t.query, t.agents, t.tools, t.strategy, t.occurrences, t.last_at as "lastAt",
        round(t.total_ms::numeric / greatest(t.occurrences, 1)) as ms,
        case when t.feedback_count > 0 then round(t.feedback_sum::numeric / t.feedback_count, 2) end as feedback
      from public.llm_path_patterns t
      where t.org_id = v_org and t.assistant = p_assistant and t.occurrences > 0
        and not exists (select from public.intent_phrases f where f.org_id = v_org
          and f.assistant = t.assistant and f.form = t.form)
      order by t.occurrences desc, t.last_at desc limit 50) t));
end $$;

call app.bound_columns();
revoke execute on all routines in schema app from public;
notify pgrst, 'reload schema';
