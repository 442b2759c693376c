-- Models: what an organisation's own models cost and how often they are called, in budgets, in the usage log and
-- for jobs.

-- How often the organisation calls a provider: so many calls at once, and so many per second in the long run. The
-- rows of a provider share one count, and the strictest of their rates holds for all; null is no limit.
alter table public.model_configs
  add column rate_capacity int check (rate_capacity between 1 and 100000),
  add column rate_per_second numeric(9, 3) check (rate_per_second between 0.001 and 100000),
  add check (num_nulls(rate_capacity, rate_per_second) in (0, 2));

-- Who answered, where there are several; the last one of a turn.
alter table public.llm_usage_logs add column provider text check (length(provider) <= 60);

-- A cost in millionths of a US dollar as an amount; figures out of range count as the next one in range.
create function app.counted_cost(p_micros numeric) returns numeric
language sql immutable strict set search_path = '' as $$
  select round(least(greatest(p_micros, 0), 1000000000000) / 1000000, 6)
$$;

-- As before, but p_usage ->> 'costMicros' is the cost of the part p_usage -> 'own' of the tokens, which has a price
-- of its own; the price list holds for the others. The cost is null where one of them is not known.
create or replace function app.log_usage_of(p_org uuid, p_user uuid, p_assistant text, p_turn text, p_model text,
                                            p_usage jsonb, p_finish text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_price public.model_prices := app.price(p_model, (clock_timestamp() at time zone 'UTC')::date);
  v_in constant bigint := app.counted_tokens((p_usage ->> 'input')::numeric);
  v_out constant bigint := app.counted_tokens((p_usage ->> 'output')::numeric);
  v_cached constant bigint := least(app.counted_tokens((p_usage ->> 'cached')::numeric), v_in);
  v_calls constant int := least(app.counted_tokens((p_usage ->> 'calls')::numeric), 1000000);
  v_own_in constant bigint := coalesce(least(app.counted_tokens((p_usage -> 'own' ->> 'input')::numeric), v_in), 0);
  v_own_out constant bigint := coalesce(least(app.counted_tokens((p_usage -> 'own' ->> 'output')::numeric), v_out), 0);
  v_own_cached constant bigint :=
    coalesce(least(app.counted_tokens((p_usage -> 'own' ->> 'cached')::numeric), v_own_in, v_cached), 0);
  v_own constant numeric := app.counted_cost(coalesce((p_usage ->> 'costMicros')::numeric, 0));
  v_cost numeric;
  v_currency text := v_price.currency;
begin
  if v_calls = 0 then
    return;
  end if;
  v_cost := app.cost(v_price, v_in - v_own_in, v_cached - v_own_cached, v_out - v_own_out);
  if v_own_in + v_own_out > 0 then
    if v_own_in = v_in and v_own_out = v_out then
      v_cost := v_own;
    elsif v_currency = 'USD' then
      v_cost := v_cost + v_own;
    else
      v_cost := null; -- amounts of two currencies have no sum
    end if;
    v_currency := case when v_cost is not null then 'USD' end;
  end if;
  insert into public.llm_usage_logs (org_id, user_id, assistant, turn, model, provider, tokens_in, tokens_out,
                                     tokens_cached, calls, cost, currency, finish)
  values (p_org, p_user, left(p_assistant, 120), left(p_turn, 200), left(p_model, 200),
          left(nullif(p_usage ->> 'provider', ''), 60), v_in, v_out, v_cached, v_calls, v_cost, v_currency,
          left(p_finish, 40));
end $$;

-- As before, by provider too.
create or replace function public.usage_report(p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  if app.org_role() <> 'admin' then
    raise sqlstate 'PT403' using message = 'role_required', detail = 'Only administrators see what was used.';
  end if;
  return coalesce((
    select jsonb_agg(r order by r.day, r.model, r.provider) from (
      select (u.at at time zone 'UTC')::date as day, u.model, u.provider, count(*) as turns, sum(u.calls) as calls,
             sum(u.tokens_in) as "tokensIn", sum(u.tokens_out) as "tokensOut", sum(u.tokens_cached) as "tokensCached",
             sum(u.cost) as cost, min(u.currency) as currency
      from public.llm_usage_logs u
      where u.org_id = v_org and u.at >= p_from::timestamp at time zone 'UTC' and u.at < (p_to + 1)::timestamp at time zone 'UTC'
      group by 1, 2, 3) r), '[]');
end $$;

-- The functions of budgets, with the cost in millionths of a US dollar where the model has a price of its own
-- (p_cost); null leaves it to the price list.
drop function public.budget_reserve(text, bigint, bigint);
drop function public.budget_settle(uuid, text, bigint, bigint, bigint);
drop function public.job_budget_reserve(uuid, uuid, text, bigint, bigint);
drop function public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint);
drop function app.hold_budget(uuid, uuid, text, bigint, bigint);
drop function app.settle_budget(uuid, uuid, uuid, text, bigint, bigint, bigint);

-- Holds the estimate of one model call of a person against the budgets of an
-- organisation. The answer has "hold" (null where there is no budget), or
-- "exhausted" with the period and "waitMs" until it ends. Raises PT422
-- 'price_unknown' where there is a budget of money and no price.
create function app.hold_budget(p_org uuid, p_user uuid, p_model text, p_in bigint, p_out bigint, p_cost bigint)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_in constant bigint := app.counted_tokens(p_in);
  v_out constant bigint := app.counted_tokens(p_out);
  v_tokens constant bigint := v_in + v_out;
  v_known numeric := app.counted_cost(p_cost);
  v_cost numeric;
  v_hold uuid;
  b record;
begin
  perform set_config('synchronous_commit', 'off', true);
  if not exists (select from public.budgets where org_id = p_org) then
    return jsonb_build_object('hold', null);
  end if;
  if v_known is null then
    v_known := app.cost(app.price(p_model, (clock_timestamp() at time zone 'UTC')::date), v_in, 0, v_out);
  end if;
  if v_known is null and exists (select from public.budgets where org_id = p_org and cost is not null) then
    raise sqlstate 'PT422' using message = 'price_unknown', detail = 'The price of this model is not known, so the budget cannot be kept.';
  end if;
  v_cost := coalesce(v_known, 0);
  perform app.return_holds(p_org);
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

-- Puts the real figures in the place of a hold. A hold is settled once.
create function app.settle_budget(p_org uuid, p_user uuid, p_hold uuid, p_model text, p_in bigint, p_cached bigint,
                                  p_out bigint, p_cost bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v public.budget_holds;
  v_in constant bigint := app.counted_tokens(p_in);
  v_cached constant bigint := least(app.counted_tokens(p_cached), v_in);
  v_out constant bigint := app.counted_tokens(p_out);
  v_held int; -- 1 while its estimate is spent
  v_cost numeric;
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from public.budget_holds h where h.org_id = p_org and h.id = p_hold and h.user_id = p_user returning * into v;
  if not found then
    return;
  end if;
  v_held := case when v.returned then 0 else 1 end;
  v_cost := coalesce(app.counted_cost(p_cost),
                     app.cost(app.price(coalesce(nullif(p_model, ''), v.model), (v.at at time zone 'UTC')::date), v_in, v_cached, v_out),
                     app.cost(app.price(v.model, (v.at at time zone 'UTC')::date), v_in, v_cached, v_out), v.cost);
  update public.budget_use u
  set tokens = greatest(0, u.tokens - v_held * v.tokens + v_in + v_out), cost = greatest(0, u.cost - v_held * v.cost + v_cost)
  from (select k.period from public.budget_use k
        where k.org_id = p_org and k.starts = date_trunc(k.period, v.at at time zone 'UTC')::date order by k.period for update) mine
  where u.org_id = p_org and u.period = mine.period and u.starts = date_trunc(u.period, v.at at time zone 'UTC')::date;
end $$;

-- The hold and its settlement for the caller and their organisation.
create function public.budget_reserve(p_model text, p_in bigint, p_out bigint, p_cost bigint default null) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.hold_budget(app.proven_org(), auth.uid(), p_model, p_in, p_out, p_cost)
$$;
create function public.budget_settle(p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint,
                                     p_cost bigint default null) returns void
language sql volatile security definer set search_path = '' as $$
  select app.settle_budget(app.proven_org(), auth.uid(), p_hold, p_model, p_in, p_cached, p_out, p_cost)
$$;

-- The same for jobs, which name the organisation and the person.
create function public.job_budget_reserve(p_org uuid, p_user uuid, p_model text, p_in bigint, p_out bigint,
                                          p_cost bigint default null) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.hold_budget(p_org, p_user, p_model, p_in, p_out, p_cost)
$$;
create function public.job_budget_settle(p_org uuid, p_user uuid, p_hold uuid, p_model text, p_in bigint,
                                         p_cached bigint, p_out bigint, p_cost bigint default null) returns void
language sql volatile security definer set search_path = '' as $$
  select app.settle_budget(p_org, p_user, p_hold, p_model, p_in, p_cached, p_out, p_cost)
$$;

-- Reserves the next place for a call of a provider by an organisation; see provider_take.
create function app.take_provider(p_org uuid, p_provider text, p_capacity int, p_per_second numeric, p_within_ms int)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_bucket constant text := 'provider ' || p_provider;
  v_now timestamptz;
  v_level double precision;
  v_wait int;
begin
  if not coalesce(p_provider ~ '^[a-z0-9._-]{1,60}$' and p_capacity between 1 and 100000 and p_per_second between 0.001 and 100000
                  and p_within_ms between 0 and 3600000, false) then
    raise sqlstate 'PT422' using message = 'bad_rate', detail = 'A rate has a provider, a capacity, calls per second and a longest wait.';
  end if;
  perform set_config('synchronous_commit', 'off', true);
  insert into public.rate_buckets (org_id, bucket, level, at) values (p_org, v_bucket, 0, clock_timestamp()) on conflict do nothing;
  perform from public.rate_buckets b where b.org_id = p_org and b.bucket = v_bucket for update;
  -- After the lock, so that concurrent callers read the clock in the order of their places.
  v_now := clock_timestamp();
  select greatest(0, b.level - abs(extract(epoch from v_now - b.at)) * p_per_second) + 1 into v_level
  from public.rate_buckets b where b.org_id = p_org and b.bucket = v_bucket;
  v_wait := least(greatest(ceil((v_level - p_capacity) * 1000 / p_per_second), 0), 2000000000);
  if v_wait > p_within_ms then
    return jsonb_build_object('taken', false, 'waitMs', v_wait);
  end if;
  update public.rate_buckets b set level = v_level, at = v_now where b.org_id = p_org and b.bucket = v_bucket;
  return jsonb_build_object('taken', true, 'waitMs', v_wait);
end $$;

-- Reserves the next place for a call of a provider by the caller's organisation: p_capacity calls at once and
-- p_per_second in the long run. The answer is {"taken","waitMs"}: in how many milliseconds the place is, or would
-- be where that is more than p_within_ms; then nothing is reserved. Raises PT422 'bad_rate'.
create or replace function public.provider_take(p_provider text, p_capacity int, p_per_second numeric, p_within_ms int)
returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.take_provider(app.proven_org(), p_provider, p_capacity, p_per_second, p_within_ms)
$$;

-- The same for jobs, which name the organisation.
create function public.job_provider_take(p_org uuid, p_provider text, p_capacity int, p_per_second numeric, p_within_ms int)
returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.take_provider(p_org, p_provider, p_capacity, p_per_second, p_within_ms)
$$;

-- The models of an organisation, for jobs: an array of its rows of model_configs, in the order of their codes.
create function public.job_model_configs(p_org uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(m) order by m.code), '[]')
  from (select c.code, c.assistant, c.tier, c.provider, c.base_url, c.api, c.model, c.temperature, c.max_tokens,
               c.secret_name, c.price_input, c.price_cached, c.price_output, c.rate_capacity, c.rate_per_second,
               c.is_default, c.version
        from public.model_configs c where c.org_id = p_org) m
$$;

revoke execute on all routines in schema app from public;
revoke execute on function public.budget_reserve(text, bigint, bigint, bigint),
  public.budget_settle(uuid, text, bigint, bigint, bigint, bigint) from public, anon, service_role;
grant execute on function public.budget_reserve(text, bigint, bigint, bigint),
  public.budget_settle(uuid, text, bigint, bigint, bigint, bigint) to authenticated;
revoke execute on function public.job_budget_reserve(uuid, uuid, text, bigint, bigint, bigint),
  public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint, bigint),
  public.job_provider_take(uuid, text, int, numeric, int), public.job_model_configs(uuid) from public, anon, authenticated;
grant execute on function public.job_budget_reserve(uuid, uuid, text, bigint, bigint, bigint),
  public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint, bigint),
  public.job_provider_take(uuid, text, int, numeric, int), public.job_model_configs(uuid) to service_role;

notify pgrst, 'reload schema';

call app.bound_columns();
