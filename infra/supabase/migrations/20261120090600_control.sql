-- Control tables: effects, proposals, turns. No role has any grant on them; the
-- definer functions below and app.pre_request are their only doors.

-- One row per write that was done, by its key. The row is written in the same
-- transaction as the write, so it exists exactly when the write does.
create table public.effects (
  org_id uuid not null references public.orgs (id),
  key text not null check (length(key) between 8 and 200),
  user_id uuid not null,
  args_hash text not null check (args_hash ~ '^[0-9a-f]{64}$'),
  tool text check (length(tool) <= 120),
  assistant text check (length(assistant) <= 120),
  turn text check (length(turn) <= 200),
  proposal_id uuid,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, key)
);

-- What an assistant wants to do and a person has to agree to first.
create table public.proposals (
  org_id uuid not null references public.orgs (id),
  id uuid not null,
  user_id uuid not null,
  assistant text not null check (length(assistant) between 1 and 120),
  agent text check (length(agent) <= 120),
  thread text check (length(thread) <= 200),
  turn text check (length(turn) <= 200),
  tool text not null check (length(tool) between 1 and 120),
  -- The canonical arguments, byte for byte as they were hashed.
  args_text text not null check (octet_length(args_text) <= 262144),
  args_hash text not null check (args_hash ~ '^[0-9a-f]{64}$'),
  preview jsonb not null,
  tier text not null check (tier in ('MEDIUM', 'HIGH', 'CRITICAL')),
  code text not null check (length(code) between 1 and 40),
  targets jsonb not null default '[]' check (jsonb_typeof(targets) = 'array'),
  -- A pending proposal past expires_at counts as expired.
  state text not null default 'pending' check (state in ('pending', 'consumed', 'rejected', 'superseded')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '10 minutes',
  closed_at timestamptz,
  effect_key text,
  primary key (org_id, id),
  check ((state = 'consumed') = (effect_key is not null))
);
create index proposals_of_user on public.proposals (org_id, user_id, created_at desc);
create index proposals_pending on public.proposals (org_id, user_id, code) where state = 'pending';

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
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  finish text check (length(finish) <= 40),
  frames text check (octet_length(frames) <= 8388608),
  usage jsonb,
  primary key (org_id, user_id, turn),
  check ((finished_at is null) = (lease_until is not null))
);
create index turns_started on public.turns (org_id, started_at);

-- The model's answers of a turn, saved before the effects that they ask for.
create table public.turn_steps (
  org_id uuid not null,
  user_id uuid not null,
  turn text not null,
  step int not null check (step between 0 and 1000),
  answer jsonb not null,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (org_id, user_id, turn, step),
  foreign key (org_id, user_id, turn) references public.turns (org_id, user_id, turn) on delete cascade
);

do $$
declare
  t text;
begin
  foreach t in array array['effects', 'proposals', 'turns', 'turn_steps'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', t);
  end loop;
end $$;

-- The caller's org. Raises PT403 'not_a_member' when there is none.
create function app.member_org() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.org_id();
begin
  if v_org is null then
    raise sqlstate 'PT403' using message = 'not_a_member', detail = 'You are not a member of this organisation.';
  end if;
  return v_org;
end $$;

-- Who is asking, and what they may choose from.
create function public.whoami() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return (
    select jsonb_build_object(
      'user', m.user_id,
      'name', coalesce(nullif(m.name, ''), auth.jwt() -> 'user_metadata' ->> 'name', auth.jwt() ->> 'email', ''),
      'email', coalesce(auth.jwt() ->> 'email', ''),
      'org', o.id, 'orgName', o.name, 'role', m.role,
      'guarded', coalesce(current_setting('app.guarded', true), '') = 'true',
      'entities', coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'key', e.key, 'kind', e.kind, 'name', e.name,
                                            'timeZone', e.time_zone, 'currency', e.currency, 'locale', e.locale) order by e.key)
        from public.entities e where e.org_id = v_org), '[]'))
    from public.memberships m join public.orgs o on o.id = m.org_id
    where m.org_id = v_org and m.user_id = auth.uid());
end $$;

-- What an effect key did: null when nothing is recorded for it, else
-- {"key","argsHash","tool","turn","proposal","at","rows":[{"table","key","action","after"}]}, rows in the order of writing.
create function public.effect_outcome(p_key text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return (
    select jsonb_build_object('key', f.key, 'argsHash', f.args_hash, 'tool', f.tool, 'turn', f.turn, 'proposal', f.proposal_id, 'at', f.at,
      'rows', coalesce((
        select jsonb_agg(jsonb_build_object('table', a.table_name, 'key', a.row_key, 'action', a.action, 'after', a.after) order by a.id)
        from public.audit a where a.org_id = f.org_id and a.effect_key = f.key), '[]'))
    from public.effects f
    where f.org_id = v_org and f.key = p_key and f.user_id = auth.uid());
end $$;

-- Begins or repeats a turn. The answer's "outcome":
--   new        nobody ran it before; the lease is the caller's
--   replay     it is finished; "frames" are what was sent
--   in_flight  somebody else holds the lease for "retryAfterMs" more
--   resume     it was left unfinished; the lease is now the caller's, "steps" are the answers so far
--   mismatch   the id was used for another request
create function public.turn_begin(p_turn text, p_fingerprint text, p_assistant text, p_thread text, p_lease_ms int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
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
  insert into public.turns (org_id, user_id, turn, fingerprint, assistant, thread, lease_until)
  values (v_org, auth.uid(), p_turn, p_fingerprint, p_assistant, p_thread, v_lease)
  on conflict do nothing;
  if found then
    v_outcome := 'new';
  else
    select * into strict v from public.turns t
    where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn for update;
    if v.fingerprint <> p_fingerprint then
      v_outcome := 'mismatch';
    elsif v.finished_at is not null then
      v_outcome := 'replay';
      v_frames := v.frames;
    elsif v.lease_until > clock_timestamp() then
      v_outcome := 'in_flight';
      v_wait := greatest(1, ceil(extract(epoch from v.lease_until - clock_timestamp()) * 1000));
    else
      v_outcome := 'resume';
      update public.turns t set lease_until = v_lease
      where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn;
      select coalesce(jsonb_agg(jsonb_build_object('step', s.step, 'answer', s.answer) order by s.step), '[]') into v_steps
      from public.turn_steps s
      where s.org_id = v_org and s.user_id = auth.uid() and s.turn = p_turn;
    end if;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'retryAfterMs', v_wait, 'frames', v_frames, 'steps', v_steps);
end $$;

-- Keeps the model's answer of one step, and prolongs the lease. Makes the turn
-- when there is none yet. Saving the same answer again changes nothing.
-- Raises PT409 'turn_mismatch', 'turn_finished' or 'step_conflict'; PT422 'no_time_left'.
create function public.turn_save(p_turn text, p_fingerprint text, p_assistant text, p_thread text, p_lease_ms int,
                                 p_step int, p_answer jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
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
  insert into public.turn_steps (org_id, user_id, turn, step, answer)
  values (v_org, auth.uid(), p_turn, p_step, p_answer)
  on conflict do nothing;
  if not found and not exists (
    select from public.turn_steps s
    where s.org_id = v_org and s.user_id = auth.uid() and s.turn = p_turn and s.step = p_step and s.answer = p_answer) then
    raise sqlstate 'PT409' using message = 'step_conflict', detail = 'Another answer is recorded for this step.';
  end if;
end $$;

-- Ends a turn and keeps what was sent. The first end stays; without a turn nothing happens.
create function public.turn_finish(p_turn text, p_finish text, p_frames text, p_usage jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  update public.turns t
  set finished_at = clock_timestamp(), lease_until = null, finish = p_finish, frames = p_frames, usage = p_usage
  where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn and t.finished_at is null;
end $$;

-- Gives an unfinished turn back, so that it can be sent again at once.
create function public.turn_release(p_turn text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  update public.turns t set lease_until = clock_timestamp()
  where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn and t.finished_at is null;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.whoami(), public.effect_outcome(text),
  public.turn_begin(text, text, text, text, int), public.turn_save(text, text, text, text, int, int, jsonb),
  public.turn_finish(text, text, text, jsonb), public.turn_release(text) from public, anon, service_role;
grant execute on function public.whoami(), public.effect_outcome(text),
  public.turn_begin(text, text, text, text, int), public.turn_save(text, text, text, text, int, int, jsonb),
  public.turn_finish(text, text, text, jsonb), public.turn_release(text) to authenticated;
