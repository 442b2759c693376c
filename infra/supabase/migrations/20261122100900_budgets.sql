-- Budgets: the tokens and the money that an organisation may spend on models.
-- Operators write the limits and the prices as postgres.

-- What models cost, per million tokens, from a day on. The organisations of a
-- project share these; cached_in is the price of what the provider had read before.
create table public.model_prices (
  model text not null check (length(model) between 1 and 200),
  since date not null,
  input numeric(18, 6) not null check (input >= 0),
  cached_in numeric(18, 6) not null check (cached_in >= 0),
  output numeric(18, 6) not null check (output >= 0),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  primary key (model, since)
);
call app.control_table('model_prices');

-- Published list prices. Check them against your contract.
insert into public.model_prices (model, since, input, cached_in, output) values
  ('gpt-4o-mini', '2024-07-18', 0.15, 0.075, 0.60),
  ('gpt-4o', '2024-10-01', 2.50, 1.25, 10.00);

-- What an organisation may spend in a day and in a month (UTC). Null is no
-- limit; without a row nothing is counted.
create table public.budgets (
  org_id uuid not null references public.orgs (id),
  period text not null check (period in ('day', 'month')),
  tokens bigint check (tokens >= 0),
  cost numeric(18, 6) check (cost >= 0), -- in the currency of the prices
  primary key (org_id, period)
);
call app.control_table('budgets');

-- What is spent or held of a budget.
create table public.budget_use (
  org_id uuid not null references public.orgs (id),
  period text not null check (period in ('day', 'month')),
  starts date not null,
  tokens bigint not null default 0 check (tokens >= 0),
  cost numeric(18, 6) not null default 0 check (cost >= 0),
  primary key (org_id, period, starts)
) with (fillfactor = 50);
call app.control_table('budget_use');

-- A model call on its way: its estimate is spent until the real figures come. The
-- process that makes the call prolongs it; one whose process died is given back.
create table public.budget_holds (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  model text not null check (length(model) <= 200),
  tokens bigint not null check (tokens >= 0),
  cost numeric(18, 6) not null check (cost >= 0),
  at timestamptz not null default clock_timestamp(),
  until timestamptz not null default clock_timestamp() + interval '25 seconds',
  returned boolean not null default false, -- given back; if the figures come after all, they count
  primary key (org_id, id)
);
call app.control_table('budget_holds');

-- The price of a model on a day: of its own name, or of the name before the
-- date of its release ("gpt-4o-mini-2024-07-18").
create function app.price(p_model text, p_on date) returns public.model_prices
language sql stable security definer set search_path = '' as $$
  select m from public.model_prices m
  where m.model in (p_model, regexp_replace(p_model, '-\d{4}-\d{2}-\d{2}$', '')) and m.since <= p_on
  order by (m.model = p_model) desc, m.since desc limit 1
$$;

create function app.cost(p public.model_prices, p_in bigint, p_cached bigint, p_out bigint) returns numeric
language sql immutable set search_path = '' as $$
  select round((greatest(p_in - p_cached, 0) * p.input + p_cached * p.cached_in + p_out * p.output) / 1000000, 6)
$$;

create function app.period_start(p_period text) returns date
language sql volatile set search_path = '' as $$
  select date_trunc(p_period, clock_timestamp() at time zone 'UTC')::date
$$;

-- A count of tokens as it is counted: a provider's figures are not believed
-- below nothing or above a thousand million.
create function app.counted_tokens(p_tokens numeric) returns bigint
language sql immutable set search_path = '' as $$
  select case when p_tokens between 0 and 1000000000 then p_tokens when p_tokens > 1000000000 then 1000000000 else 0 end::bigint
$$;

-- Gives back what the calls of an organisation hold whose process is gone.
create function app.return_holds(p_org uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  h record;
begin
  if not exists (select from public.budget_holds d where d.org_id = p_org and not d.returned and d.until <= clock_timestamp()) then
    return;
  end if;
  -- First what is spent and then the holds, as when one is made. One that is
  -- settled meanwhile is skipped.
  perform from public.budget_use u where u.org_id = p_org order by u.period, u.starts for update;
  for h in
    select d.id, d.tokens, d.cost, d.at from public.budget_holds d
    where d.org_id = p_org and not d.returned and d.until <= clock_timestamp() for update skip locked
  loop
    update public.budget_holds d set returned = true where d.org_id = p_org and d.id = h.id;
    update public.budget_use u set tokens = greatest(0, u.tokens - h.tokens), cost = greatest(0, u.cost - h.cost)
    where u.org_id = p_org and u.starts = date_trunc(u.period, h.at at time zone 'UTC')::date;
  end loop;
end $$;

-- Says that a call of a person is still on its way.
create function app.prolong_hold(p_org uuid, p_user uuid, p_hold uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update public.budget_holds h set until = clock_timestamp() + interval '25 seconds'
  where h.org_id = p_org and h.id = p_hold and h.user_id = p_user and not h.returned;
end $$;

-- Holds the estimate of one model call of a person against the budgets of an
-- organisation. The answer has "hold" (null where there is no budget), or
-- "exhausted" with the period and "waitMs" until it ends. Raises PT422
-- 'price_unknown' where there is a budget of money and no price.
create function app.hold_budget(p_org uuid, p_user uuid, p_model text, p_in bigint, p_out bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_in constant bigint := app.counted_tokens(p_in);
  v_out constant bigint := app.counted_tokens(p_out);
  v_tokens constant bigint := v_in + v_out;
  v_price public.model_prices := app.price(p_model, (clock_timestamp() at time zone 'UTC')::date);
  v_cost numeric := coalesce(app.cost(v_price, v_in, 0, v_out), 0);
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
create function app.settle_budget(p_org uuid, p_user uuid, p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
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
  v_cost := coalesce(app.cost(app.price(coalesce(nullif(p_model, ''), v.model), (v.at at time zone 'UTC')::date), v_in, v_cached, v_out),
                     app.cost(app.price(v.model, (v.at at time zone 'UTC')::date), v_in, v_cached, v_out), v.cost);
  update public.budget_use u
  set tokens = greatest(0, u.tokens - v_held * v.tokens + v_in + v_out), cost = greatest(0, u.cost - v_held * v.cost + v_cost)
  from (select k.period from public.budget_use k
        where k.org_id = p_org and k.starts = date_trunc(k.period, v.at at time zone 'UTC')::date order by k.period for update) mine
  where u.org_id = p_org and u.period = mine.period and u.starts = date_trunc(u.period, v.at at time zone 'UTC')::date;
end $$;

-- The hold and its settlement for the caller and their organisation.
create function public.budget_reserve(p_model text, p_in bigint, p_out bigint) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.hold_budget(app.proven_org(), auth.uid(), p_model, p_in, p_out) $$;
create function public.budget_settle(p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
language sql volatile security definer set search_path = '' as $$ select app.settle_budget(app.proven_org(), auth.uid(), p_hold, p_model, p_in, p_cached, p_out) $$;
create function public.budget_prolong(p_hold uuid) returns void
language sql volatile security definer set search_path = '' as $$ select app.prolong_hold(app.proven_org(), auth.uid(), p_hold) $$;

-- The same for jobs, which name the organisation and the person: what a job spends
-- counts like what a person spends.
create function public.job_budget_reserve(p_org uuid, p_user uuid, p_model text, p_in bigint, p_out bigint) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.hold_budget(p_org, p_user, p_model, p_in, p_out) $$;
create function public.job_budget_settle(p_org uuid, p_user uuid, p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
language sql volatile security definer set search_path = '' as $$ select app.settle_budget(p_org, p_user, p_hold, p_model, p_in, p_cached, p_out) $$;
create function public.job_budget_prolong(p_org uuid, p_user uuid, p_hold uuid) returns void
language sql volatile security definer set search_path = '' as $$ select app.prolong_hold(p_org, p_user, p_hold) $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.budget_reserve(text, bigint, bigint), public.budget_prolong(uuid),
  public.budget_settle(uuid, text, bigint, bigint, bigint) from public, anon, service_role;
grant execute on function public.budget_reserve(text, bigint, bigint), public.budget_prolong(uuid),
  public.budget_settle(uuid, text, bigint, bigint, bigint) to authenticated;
revoke execute on function public.job_budget_reserve(uuid, uuid, text, bigint, bigint), public.job_budget_prolong(uuid, uuid, uuid),
  public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint) from public, anon, authenticated;
grant execute on function public.job_budget_reserve(uuid, uuid, text, bigint, bigint), public.job_budget_prolong(uuid, uuid, uuid),
  public.job_budget_settle(uuid, uuid, uuid, text, bigint, bigint, bigint) to service_role;
