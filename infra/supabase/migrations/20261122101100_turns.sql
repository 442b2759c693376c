-- Turns: chat requests, their steps, their end, and requests to stop them.

-- A chat turn, so that a repeated request is recognised and answered alike.
create table public.turns (
  org_id uuid not null references public.orgs (id),
  user_id uuid not null,
  turn text not null check (length(turn) between 1 and 200),
  fingerprint text not null check (length(fingerprint) between 1 and 200),
  assistant text not null check (length(assistant) between 1 and 120),
  thread text check (length(thread) <= 200),
  -- Null once the turn is finished.
  lease_until timestamptz,
  -- Which request of the client runs it, where that has a name.
  attempt text check (length(attempt) <= 200),
  started_at timestamptz not null default clock_timestamp(),
  -- Since when the person wants it to end; another process may be running it.
  stop_asked_at timestamptz,
  finished_at timestamptz,
  finish text check (length(finish) <= 40),
  frames text check (octet_length(frames) <= 8388608),
  usage jsonb check (octet_length(usage::text) <= 4096),
  primary key (org_id, user_id, turn),
  check ((finished_at is null) = (lease_until is not null))
);
create index turns_started on public.turns (org_id, started_at);
create index turns_running on public.turns (org_id, user_id, thread) where finished_at is null;
create index turns_finished on public.turns (coalesce(finished_at, lease_until));
call app.control_table('turns');
call app.names_assistants('turns');

-- The model's answers of a turn, saved before the effects that they ask for.
create table public.turn_steps (
  org_id uuid not null,
  user_id uuid not null,
  turn text not null,
  -- Which of the turn's runs answered; '' where it has one.
  run text not null default '' check (length(run) <= 60),
  step int not null check (step between 0 and 1000),
  answer jsonb not null check (octet_length(answer::text) <= 1048576),
  saved_at timestamptz not null default clock_timestamp(),
  primary key (org_id, user_id, turn, run, step),
  foreign key (org_id, user_id, turn) references public.turns (org_id, user_id, turn) on delete cascade
);
call app.control_table('turn_steps');

-- Begins or repeats a turn. The answer's "outcome":
--   new        it was not run before; the lease is the caller's
--   replay     it is finished; "frames" are what was sent
--   in_flight  another process holds the lease for "retryAfterMs" more
--   resume     it was left unfinished; the lease is now the caller's, "steps" are the answers so far
--   mismatch   the id was used for another request
-- An attempt that begins again because it never learned the outcome is not its own rival: it resumes. p_attempt
-- names the attempt; null is none.
create function app.begin_turn(p_org uuid, p_turn text, p_fingerprint text, p_assistant text, p_thread text,
                               p_lease_ms int, p_attempt text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_lease timestamptz;
  v public.turns;
  v_outcome text;
  v_wait int := 0;
  v_frames text;
  v_steps jsonb := '[]';
begin
  if coalesce(p_lease_ms, 0) <= 0 then
    raise sqlstate 'PT422' using message = 'no_time_left', detail = 'The lease must be longer than nothing.';
  end if;
  v_lease := clock_timestamp() + least(p_lease_ms, 3600000) * interval '1 millisecond';
  insert into public.turns (org_id, user_id, turn, fingerprint, assistant, thread, lease_until, attempt)
  values (p_org, auth.uid(), p_turn, p_fingerprint, p_assistant, p_thread, v_lease, p_attempt)
  on conflict do nothing;
  if found then
    v_outcome := 'new';
  else
    select * into strict v from public.turns t
    where t.org_id = p_org and t.user_id = auth.uid() and t.turn = p_turn for update;
    if v.fingerprint <> p_fingerprint then
      v_outcome := 'mismatch';
    elsif v.finished_at is not null then
      v_outcome := 'replay';
      v_frames := v.frames;
    elsif v.lease_until > clock_timestamp() and (p_attempt is null or v.attempt is distinct from p_attempt) then
      v_outcome := 'in_flight';
      v_wait := greatest(1, ceil(extract(epoch from v.lease_until - clock_timestamp()) * 1000));
    else
      v_outcome := 'resume';
      update public.turns t set lease_until = v_lease, attempt = p_attempt
      where t.org_id = p_org and t.user_id = auth.uid() and t.turn = p_turn;
      select coalesce(jsonb_agg(jsonb_build_object('run', s.run, 'step', s.step, 'answer', s.answer) order by s.step, s.run), '[]') into v_steps
      from public.turn_steps s
      where s.org_id = p_org and s.user_id = auth.uid() and s.turn = p_turn;
    end if;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'retryAfterMs', v_wait, 'frames', v_frames, 'steps', v_steps);
end $$;

-- The same by itself, for the caller.
create function public.turn_begin(p_turn text, p_fingerprint text, p_assistant text, p_thread text, p_lease_ms int) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.begin_turn(app.proven_org(), p_turn, p_fingerprint, p_assistant, p_thread, p_lease_ms)
$$;

-- Keeps the model's answer of one step of a run, and prolongs the lease. Makes the turn
-- when there is none yet. Saving the same answer again changes nothing.
-- Raises PT409 'turn_mismatch', 'turn_finished' or 'step_conflict'; PT422 'no_time_left'.
create function public.turn_save(p_turn text, p_fingerprint text, p_assistant text, p_thread text, p_lease_ms int,
                                 p_step int, p_answer jsonb, p_run text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_lease timestamptz;
  v public.turns;
begin
  if coalesce(p_lease_ms, 0) <= 0 then
    raise sqlstate 'PT422' using message = 'no_time_left', detail = 'The lease must be longer than nothing.';
  end if;
  v_lease := clock_timestamp() + least(p_lease_ms, 3600000) * interval '1 millisecond';
  insert into public.turns as t (org_id, user_id, turn, fingerprint, assistant, thread, lease_until)
  values (v_org, auth.uid(), p_turn, p_fingerprint, p_assistant, p_thread, v_lease)
  on conflict (org_id, user_id, turn) do update
    set lease_until = excluded.lease_until
    where t.finished_at is null and t.fingerprint = excluded.fingerprint
  returning * into v;
  if not found then
    select * into strict v from public.turns t where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn;
    raise sqlstate 'PT409' using
      message = case when v.fingerprint <> p_fingerprint then 'turn_mismatch' else 'turn_finished' end,
      detail = 'The turn was used for another request, or is finished.';
  end if;
  insert into public.turn_steps (org_id, user_id, turn, run, step, answer)
  values (v_org, auth.uid(), p_turn, p_run, p_step, p_answer)
  on conflict do nothing;
  if not found and not exists (
    select from public.turn_steps s
    where s.org_id = v_org and s.user_id = auth.uid() and s.turn = p_turn and s.run = p_run and s.step = p_step
      and s.answer = p_answer) then
    raise sqlstate 'PT409' using message = 'step_conflict', detail = 'Another answer is recorded for this step.';
  end if;
end $$;

-- Ends a turn, keeps what was sent, and logs what its model calls used. The first
-- end stays; without a turn nothing happens.
create function app.finish_turn(p_org uuid, p_turn text, p_finish text, p_frames text, p_usage jsonb, p_model text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_assistant text;
begin
  update public.turns t
  set finished_at = clock_timestamp(), lease_until = null, finish = p_finish, frames = p_frames, usage = p_usage
  where t.org_id = p_org and t.user_id = auth.uid() and t.turn = p_turn and t.finished_at is null
  returning t.assistant into v_assistant;
  if found then
    perform app.log_usage(p_org, v_assistant, p_turn, p_model, p_usage, p_finish);
  end if;
end $$;

-- The same by itself, for the caller.
create function public.turn_finish(p_turn text, p_finish text, p_frames text, p_usage jsonb, p_model text default null) returns void
language sql volatile security definer set search_path = '' as $$
  select app.finish_turn(app.proven_org(), p_turn, p_finish, p_frames, p_usage, p_model)
$$;

-- All that comes before a model is asked, in one transaction. p is
-- {"door","user","org","entity","kind","turn","message"}; a part is left out by leaving out its member:
--   door     counts the request there, by the organisation's own rates or else those of "user" and "org"
--   turn     begins the turn: {"turn","fingerprint","assistant","thread","leaseMs","attempt"}
--   message  records what the person said, as conversation_say does, about the organisation's entity of the
--            id or key "entity" ('' for the first) and the kind "kind" ('' for any)
-- The answer has "who" as whoami says it, and "rate", "turn" and "conversation" as far as it came: no further
-- than a rate that is used up, an entity or an assistant that the organisation does not have, or a turn that is
-- not the caller's to run.
create function public.turn_open(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_answer jsonb := jsonb_build_object('who', public.whoami());
  v_door constant text := p ->> 'door';
  v_own constant jsonb := v_answer -> 'who' -> 'rates' -> v_door;
  v_turn constant jsonb := p -> 'turn';
  v_part jsonb;
  v_entity uuid;
begin
  if v_door <> '' then
    if not p ?| array['turn', 'message'] then
      perform set_config('synchronous_commit', 'off', true);
    end if;
    v_part := app.take_rate(v_org, v_door, coalesce(v_own ->> 'user', p ->> 'user', '0')::int,
      coalesce(v_own ->> 'org', p ->> 'org', '0')::int);
    v_answer := v_answer || jsonb_build_object('rate', v_part);
    if (v_part ->> 'waitMs')::int > 0 then
      return v_answer;
    end if;
  end if;
  select e.id into v_entity from public.entities e
  where e.org_id = v_org and coalesce(p ->> 'entity', '') in ('', e.id::text, e.key)
    and coalesce(p ->> 'kind', '') in ('', e.kind)
  order by e.key limit 1;
  if v_entity is null
    or not app.has_assistant(v_org, coalesce(v_turn ->> 'assistant', p -> 'message' ->> 'assistant')) then
    return v_answer;
  end if;
  if v_turn is not null then
    v_part := app.begin_turn(v_org, v_turn ->> 'turn', v_turn ->> 'fingerprint', v_turn ->> 'assistant',
      v_turn ->> 'thread', (v_turn ->> 'leaseMs')::int, v_turn ->> 'attempt');
    v_answer := v_answer || jsonb_build_object('turn', v_part);
    if v_part ->> 'outcome' not in ('new', 'resume') then
      return v_answer;
    end if;
  end if;
  if p ? 'message' then
    v_part := app.record_message(v_org, p -> 'message' || jsonb_build_object('entityId', v_entity));
    v_answer := v_answer || jsonb_build_object('conversation', v_part);
  end if;
  return v_answer;
end $$;

-- All that comes after a recorded turn was answered, in one transaction: the answer as conversation_answer takes
-- it, and the end as turn_finish does. A second call changes nothing.
create function public.turn_close(p_answer jsonb, p_turn text, p_finish text, p_frames text, p_usage jsonb, p_model text)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_answer constant jsonb := app.record_answer(v_org, p_answer);
begin
  perform app.finish_turn(v_org, p_turn, p_finish, p_frames, p_usage, p_model);
  return v_answer;
end $$;

-- Gives an unfinished turn back, so that it can be sent again at once.
create function public.turn_release(p_turn text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
begin
  update public.turns t set lease_until = clock_timestamp()
  where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn and t.finished_at is null;
end $$;

-- Asks the caller's running turns of a thread to end, and says how many there are.
create function public.turn_stop(p_thread text) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_count int;
begin
  update public.turns t set stop_asked_at = clock_timestamp()
  where t.org_id = v_org and t.user_id = auth.uid() and t.thread = p_thread and t.finished_at is null and t.lease_until > clock_timestamp();
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- Whether the caller's turn was asked to end.
create function public.turn_stopped(p_turn text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return coalesce((select t.stop_asked_at is not null from public.turns t
                   where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn), false);
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.turn_begin(text, text, text, text, int),
  public.turn_save(text, text, text, text, int, int, jsonb, text), public.turn_finish(text, text, text, jsonb, text),
  public.turn_open(jsonb), public.turn_close(jsonb, text, text, text, jsonb, text),
  public.turn_release(text), public.turn_stop(text), public.turn_stopped(text) from public, anon, service_role;
grant execute on function public.turn_begin(text, text, text, text, int),
  public.turn_save(text, text, text, text, int, int, jsonb, text), public.turn_finish(text, text, text, jsonb, text),
  public.turn_open(jsonb), public.turn_close(jsonb, text, text, text, jsonb, text),
  public.turn_release(text), public.turn_stop(text), public.turn_stopped(text) to authenticated;
