-- Budgets of turns: one call settles a model call and reserves the next. The opening of a turn reserves its first
-- model call, and the closing settles the last one.

-- Locks what is spent of the budgets of an organisation, as far as a settlement of the holds in p_settle and a
-- reservation of today change it, in the order in which both do. Alone they lock in that order anyway; together they
-- do not where a hold is of an earlier day.
create function app.lock_budgets(p_org uuid, p_user uuid, p_settle jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_days constant date[] := array(
    select distinct (h.at at time zone 'UTC')::date
    from jsonb_array_elements(p_settle) s
    join public.budget_holds h on h.org_id = p_org and h.id = (s ->> 'hold')::uuid and h.user_id = p_user);
begin
  if v_days <@ array[app.period_start('day')] then
    return;
  end if;
  perform from public.budget_use u
  where u.org_id = p_org and (u.starts = app.period_start(u.period)
    or u.starts = any (array(select date_trunc(u.period, d)::date from unnest(v_days) d)))
  order by u.period, u.starts for update;
end $$;

-- Settles the model calls in p_settle: an array of {"hold","model","in","cached","out","cost"}, of which "cost" is in
-- millionths of a US dollar and left out where the price list holds. Null settles nothing. Raises PT422
-- 'too_many_holds'.
create function app.settle_budgets(p_org uuid, p_user uuid, p_settle jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s jsonb;
begin
  if coalesce(jsonb_typeof(p_settle), 'null') = 'null' then
    return;
  end if;
  if jsonb_typeof(p_settle) <> 'array' or jsonb_array_length(p_settle) > 100 then
    raise sqlstate 'PT422' using message = 'too_many_holds', detail = 'At most 100 model calls are settled at once.';
  end if;
  perform app.lock_budgets(p_org, p_user, p_settle);
  for s in select e from jsonb_array_elements(p_settle) e loop
    perform app.settle_budget(p_org, p_user, (s ->> 'hold')::uuid, s ->> 'model', (s ->> 'in')::bigint,
      (s ->> 'cached')::bigint, (s ->> 'out')::bigint, (s ->> 'cost')::bigint);
  end loop;
end $$;

-- As before, and settles other model calls of the caller first, also where the budget is used up; p_settle is as
-- app.settle_budgets takes it.
drop function public.budget_reserve(text, bigint, bigint, bigint);
create function public.budget_reserve(p_model text, p_in bigint, p_out bigint, p_cost bigint default null,
                                      p_settle jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  perform app.settle_budgets(v_org, auth.uid(), p_settle);
  return app.hold_budget(v_org, auth.uid(), p_model, p_in, p_out, p_cost);
end $$;

-- Reserves the first model call of a turn that is opened: {"model","in","out"}, an estimate of before its prompt is
-- known. It is therefore reserved only where eight of its kind are left in every budget, so that it takes nothing from
-- other calls; null says that the call reserves for itself. What else the transaction wrote stays as durable as it is.
create function app.open_budget(p_org uuid, p_first jsonb) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_in constant bigint := app.counted_tokens((p_first ->> 'in')::numeric);
  v_out constant bigint := app.counted_tokens((p_first ->> 'out')::numeric);
  v_cost constant numeric := app.cost(app.price(p_first ->> 'model', app.period_start('day')), v_in, 0, v_out);
  v_commit constant text := current_setting('synchronous_commit');
  v_hold uuid;
begin
  if exists (
    select from public.budgets b
    left join public.budget_use u on u.org_id = b.org_id and u.period = b.period
      and u.starts = app.period_start(b.period)
    where b.org_id = p_org and (
      coalesce(u.tokens, 0) + 8 * (v_in + v_out) > b.tokens
      or b.cost is not null and (v_cost is null or coalesce(u.cost, 0) + 8 * v_cost > b.cost))) then
    return null;
  end if;
  v_hold := (app.hold_budget(p_org, auth.uid(), p_first ->> 'model', v_in, v_out, null) ->> 'hold')::uuid;
  perform set_config('synchronous_commit', v_commit, true);
  return v_hold;
end $$;

-- As before, and with the member "budget", {"assistant"} and an estimate as app.open_budget takes it. Where the turn is
-- the caller's to run, the answer has "budget" too: {"hold"}, null where nothing is reserved.
create or replace function public.turn_open(p jsonb) returns jsonb
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
    or not app.has_assistant(v_org, coalesce(v_turn ->> 'assistant', p -> 'message' ->> 'assistant',
      p -> 'budget' ->> 'assistant')) then
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
  if p ? 'budget' and (v_answer -> 'who' ->> 'budgeted')::boolean then
    v_answer := v_answer || jsonb_build_object('budget',
      jsonb_build_object('hold', app.open_budget(v_org, p -> 'budget')));
  end if;
  return v_answer;
end $$;

-- As before, and settles what p_settle holds; see app.settle_budgets. The end of a turn is as durable as without it.
drop function public.turn_finish(text, text, text, jsonb, text);
create function public.turn_finish(p_turn text, p_finish text, p_frames text, p_usage jsonb,
                                   p_model text default null, p_settle jsonb default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_commit constant text := current_setting('synchronous_commit');
begin
  perform app.finish_turn(v_org, p_turn, p_finish, p_frames, p_usage, p_model);
  perform app.settle_budgets(v_org, auth.uid(), p_settle);
  perform set_config('synchronous_commit', v_commit, true);
end $$;

drop function public.turn_close(jsonb, text, text, text, jsonb, text);
create function public.turn_close(p_answer jsonb, p_turn text, p_finish text, p_frames text, p_usage jsonb,
                                  p_model text, p_settle jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  v_commit constant text := current_setting('synchronous_commit');
  v_answer constant jsonb := app.record_answer(v_org, p_answer);
begin
  perform app.finish_turn(v_org, p_turn, p_finish, p_frames, p_usage, p_model);
  perform app.settle_budgets(v_org, auth.uid(), p_settle);
  perform set_config('synchronous_commit', v_commit, true);
  return v_answer;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.budget_reserve(text, bigint, bigint, bigint, jsonb),
  public.turn_finish(text, text, text, jsonb, text, jsonb),
  public.turn_close(jsonb, text, text, text, jsonb, text, jsonb) from public, anon, service_role;
grant execute on function public.budget_reserve(text, bigint, bigint, bigint, jsonb),
  public.turn_finish(text, text, text, jsonb, text, jsonb),
  public.turn_close(jsonb, text, text, text, jsonb, text, jsonb) to authenticated;
