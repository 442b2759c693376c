-- What a job spends counts like what a person spends: the functions of the
-- budget, with the organisation and the person named by the caller.

create function app.hold_budget(p_org uuid, p_user uuid, p_model text, p_in bigint, p_out bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_tokens bigint := greatest(p_in, 0) + greatest(p_out, 0);
  v_price public.model_prices := app.price(p_model, (clock_timestamp() at time zone 'UTC')::date);
  v_cost numeric := coalesce(app.cost(v_price, greatest(p_in, 0), 0, greatest(p_out, 0)), 0);
  v_hold uuid;
  b record;
begin
  perform set_config('synchronous_commit', 'off', true);
  if not exists (select from public.budgets where org_id = p_org) then
    return jsonb_build_object('hold', null);
  end if;
  if v_price.model is null and exists (select from public.budgets where org_id = p_org and cost is not null) then
    raise sqlstate 'PT422' using message = 'price_unknown', detail = 'The price of this model is not known, so the budget cannot be kept.';
  end if;
  insert into public.budget_use (org_id, period, starts)
  select p_org, s.period, app.period_start(s.period) from public.budgets s where s.org_id = p_org order by s.period
  on conflict do nothing;
  for b in
    select s.period, s.tokens as max_tokens, s.cost as max_cost, u.tokens, u.cost, u.starts
    from public.budgets s join public.budget_use u on u.org_id = s.org_id and u.period = s.period and u.starts = app.period_start(s.period)
    where s.org_id = p_org order by s.period for update of u
  loop
    if b.tokens + v_tokens > b.max_tokens or b.cost + v_cost > b.max_cost then
      return jsonb_build_object('exhausted', b.period, 'waitMs',
        ceil(extract(epoch from ((b.starts + ('1 ' || b.period)::interval) at time zone 'UTC') - clock_timestamp()) * 1000));
    end if;
  end loop;
  update public.budget_use u set tokens = u.tokens + v_tokens, cost = u.cost + v_cost
  from public.budgets s
  where s.org_id = p_org and u.org_id = p_org and u.period = s.period and u.starts = app.period_start(s.period);
  insert into public.budget_holds (org_id, user_id, model, tokens, cost) values (p_org, p_user, left(p_model, 200), v_tokens, v_cost)
  returning id into v_hold;
  return jsonb_build_object('hold', v_hold);
end $$;

create function app.settle_budget(p_org uuid, p_user uuid, p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v public.budget_holds;
  v_cost numeric;
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from public.budget_holds h where h.org_id = p_org and h.id = p_hold and h.user_id = p_user returning * into v;
  if not found then
    return;
  end if;
  v_cost := coalesce(app.cost(app.price(coalesce(nullif(p_model, ''), v.model), (v.at at time zone 'UTC')::date), p_in, p_cached, p_out),
                     app.cost(app.price(v.model, (v.at at time zone 'UTC')::date), p_in, p_cached, p_out), v.cost);
  update public.budget_use u
  set tokens = greatest(0, u.tokens - v.tokens + greatest(p_in, 0) + greatest(p_out, 0)), cost = greatest(0, u.cost - v.cost + v_cost)
  from (select k.period from public.budget_use k
        where k.org_id = p_org and k.starts = date_trunc(k.period, v.at at time zone 'UTC')::date order by k.period for update) mine
  where u.org_id = p_org and u.period = mine.period and u.starts = date_trunc(u.period, v.at at time zone 'UTC')::date;
end $$;

create function app.log_usage_of(p_org uuid, p_user uuid, p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_price public.model_prices := app.price(p_model, (clock_timestamp() at time zone 'UTC')::date);
  v_in bigint := coalesce((p_usage ->> 'input')::bigint, 0);
  v_out bigint := coalesce((p_usage ->> 'output')::bigint, 0);
  v_cached bigint := coalesce((p_usage ->> 'cached')::bigint, 0);
begin
  if coalesce((p_usage ->> 'calls')::int, 0) = 0 then
    return;
  end if;
  insert into public.llm_usage_logs (org_id, user_id, assistant, turn, model, tokens_in, tokens_out, tokens_cached, calls, cost, currency, finish)
  values (p_org, p_user, left(p_assistant, 120), left(p_turn, 200), left(p_model, 200), v_in, v_out, v_cached, (p_usage ->> 'calls')::int,
          app.cost(v_price, v_in, v_cached, v_out), v_price.currency, left(p_finish, 40));
end $$;

create or replace function public.budget_reserve(p_model text, p_in bigint, p_out bigint) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.hold_budget(app.member_org(), auth.uid(), p_model, p_in, p_out) $$;

create or replace function public.budget_settle(p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
language sql volatile security definer set search_path = '' as $$ select app.settle_budget(app.member_org(), auth.uid(), p_hold, p_model, p_in, p_cached, p_out) $$;

create or replace function app.log_usage(p_org uuid, p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
language sql volatile security definer set search_path = '' as $$ select app.log_usage_of(p_org, auth.uid(), p_assistant, p_turn, p_model, p_usage, p_finish) $$;

-- For jobs.
create function public.job_budget_reserve(p_org uuid, p_user uuid, p_model text, p_in bigint, p_out bigint) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.hold_budget(p_org, p_user, p_model, p_in, p_out) $$;

create function public.job_budget_settle(p_org uuid, p_user uuid, p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
language sql volatile security definer set search_path = '' as $$ select app.settle_budget(p_org, p_user, p_hold, p_model, p_in, p_cached, p_out) $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.job_budget_reserve(uuid, uuid, text, bigint, bigint),
  public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint) from public, anon, authenticated;
grant execute on function public.job_budget_reserve(uuid, uuid, text, bigint, bigint),
  public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint) to service_role;
notify pgrst, 'reload schema';
