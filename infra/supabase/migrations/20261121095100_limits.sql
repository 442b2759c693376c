-- Limits of an organisation: requests per minute, tokens and money, and what
-- was used. All of them control tables; operators write them as postgres.

-- How many requests per minute a person and the whole organisation may make at
-- a door. A row takes the place of the functions' own settings; 0 is no limit.
create table public.rate_limits (
  org_id uuid not null references public.orgs (id),
  door text not null check (door in ('chat', 'tools')),
  per_user int not null check (per_user >= 0),
  per_org int not null check (per_org >= 0),
  primary key (org_id, door)
);

-- How full each bucket was when a request last came by. It drains with time.
create table public.rate_buckets (
  org_id uuid not null,
  bucket text not null, -- the door, or the door and a person
  level double precision not null,
  at timestamptz not null,
  primary key (org_id, bucket)
) with (fillfactor = 50);
create index rate_buckets_at on public.rate_buckets (at);

-- What an organisation may spend in a day and in a month (UTC). Null is no
-- limit; without a row nothing is counted.
create table public.budgets (
  org_id uuid not null references public.orgs (id),
  period text not null check (period in ('day', 'month')),
  tokens bigint check (tokens >= 0),
  cost numeric(18, 6) check (cost >= 0), -- in the currency of the prices
  primary key (org_id, period)
);

-- What is spent or held of a budget.
create table public.budget_use (
  org_id uuid not null references public.orgs (id),
  period text not null check (period in ('day', 'month')),
  starts date not null,
  tokens bigint not null default 0,
  cost numeric(18, 6) not null default 0,
  primary key (org_id, period, starts)
) with (fillfactor = 50);

-- A model call on its way: its estimate is spent until the real figures come.
-- One that never comes back stays spent.
create table public.budget_holds (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  model text not null check (length(model) <= 200),
  tokens bigint not null,
  cost numeric(18, 6) not null,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);

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
-- Published list prices. Check them against your contract.
insert into public.model_prices (model, since, input, cached_in, output) values
  ('gpt-4o-mini', '2024-07-18', 0.15, 0.075, 0.60),
  ('gpt-4o', '2024-10-01', 2.50, 1.25, 10.00);

-- What each turn used, for reports.
create table public.llm_usage_logs (
  org_id uuid not null references public.orgs (id),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  user_id uuid not null,
  assistant text check (length(assistant) <= 120),
  turn text check (length(turn) <= 200),
  model text check (length(model) <= 200),
  tokens_in bigint not null,
  tokens_out bigint not null,
  tokens_cached bigint not null,
  calls int not null,
  cost numeric(18, 6), -- null where the price is not known
  currency text,
  finish text check (length(finish) <= 40),
  primary key (org_id, id)
);
create index llm_usage_logs_at on public.llm_usage_logs (org_id, at);

do $$
declare
  t text;
begin
  foreach t in array array['rate_limits', 'rate_buckets', 'budgets', 'budget_use', 'budget_holds', 'model_prices', 'llm_usage_logs'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', t);
  end loop;
end $$;

-- Takes one place in a bucket that holds a minute's worth and drains steadily.
-- Returns 0, or after how many milliseconds there will be a place.
create function app.rate_place(p_org uuid, p_bucket text, p_per_minute int) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_level double precision;
begin
  if p_per_minute <= 0 then
    return 0;
  end if;
  -- abs: after the clock was set back, a last request that lies in the future drains the bucket too.
  insert into public.rate_buckets as b (org_id, bucket, level, at) values (p_org, p_bucket, 1, clock_timestamp())
  on conflict (org_id, bucket) do update
    set level = greatest(0, b.level - abs(extract(epoch from clock_timestamp() - b.at)) * p_per_minute / 60) + 1, at = clock_timestamp()
    where b.level - abs(extract(epoch from clock_timestamp() - b.at)) * p_per_minute / 60 + 1 <= p_per_minute;
  if found then
    return 0;
  end if;
  select b.level - abs(extract(epoch from clock_timestamp() - b.at)) * p_per_minute / 60 into v_level
  from public.rate_buckets b where b.org_id = p_org and b.bucket = p_bucket;
  return greatest(1, ceil((v_level + 1 - p_per_minute) * 60000 / p_per_minute));
end $$;

-- Lets a request of the caller through a door, or says who made too many
-- ("user" or "org") and after how many milliseconds to come back.
create function public.rate_take(p_door text, p_per_user int, p_per_org int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_wait int;
begin
  -- A count that a crash loses is worth less than a disk write for each request.
  perform set_config('synchronous_commit', 'off', true);
  v_wait := app.rate_place(v_org, left(p_door, 60) || ':' || auth.uid()::text, p_per_user);
  if v_wait > 0 then
    return jsonb_build_object('who', 'user', 'waitMs', v_wait);
  end if;
  v_wait := app.rate_place(v_org, left(p_door, 60), p_per_org);
  return jsonb_build_object('who', 'org', 'waitMs', v_wait);
end $$;

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

-- Holds the estimate of one model call against the caller's organisation's
-- budgets. The answer has "hold" (null where there is no budget), or
-- "exhausted" with the period and "waitMs" until it ends. Raises PT422
-- 'price_unknown' where there is a budget of money and no price.
create function public.budget_reserve(p_model text, p_in bigint, p_out bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_tokens bigint := greatest(p_in, 0) + greatest(p_out, 0);
  v_price public.model_prices := app.price(p_model, (clock_timestamp() at time zone 'UTC')::date);
  v_cost numeric := coalesce(app.cost(v_price, greatest(p_in, 0), 0, greatest(p_out, 0)), 0);
  v_hold uuid;
  b record;
begin
  perform set_config('synchronous_commit', 'off', true);
  if not exists (select from public.budgets where org_id = v_org) then
    return jsonb_build_object('hold', null);
  end if;
  if v_price.model is null and exists (select from public.budgets where org_id = v_org and cost is not null) then
    raise sqlstate 'PT422' using message = 'price_unknown', detail = 'The price of this model is not known, so the budget cannot be kept.';
  end if;
  insert into public.budget_use (org_id, period, starts)
  select v_org, s.period, app.period_start(s.period) from public.budgets s where s.org_id = v_org order by s.period
  on conflict do nothing;
  for b in
    select s.period, s.tokens as max_tokens, s.cost as max_cost, u.tokens, u.cost, u.starts
    from public.budgets s join public.budget_use u on u.org_id = s.org_id and u.period = s.period and u.starts = app.period_start(s.period)
    where s.org_id = v_org order by s.period for update of u
  loop
    if b.tokens + v_tokens > b.max_tokens or b.cost + v_cost > b.max_cost then
      return jsonb_build_object('exhausted', b.period, 'waitMs',
        ceil(extract(epoch from ((b.starts + ('1 ' || b.period)::interval) at time zone 'UTC') - clock_timestamp()) * 1000));
    end if;
  end loop;
  update public.budget_use u set tokens = u.tokens + v_tokens, cost = u.cost + v_cost
  from public.budgets s
  where s.org_id = v_org and u.org_id = v_org and u.period = s.period and u.starts = app.period_start(s.period);
  insert into public.budget_holds (org_id, user_id, model, tokens, cost) values (v_org, auth.uid(), left(p_model, 200), v_tokens, v_cost)
  returning id into v_hold;
  return jsonb_build_object('hold', v_hold);
end $$;

-- Puts the real figures in the place of a hold. A hold is settled once.
create function public.budget_settle(p_hold uuid, p_model text, p_in bigint, p_cached bigint, p_out bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v public.budget_holds;
  v_cost numeric;
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from public.budget_holds h where h.org_id = v_org and h.id = p_hold and h.user_id = auth.uid() returning * into v;
  if not found then
    return;
  end if;
  v_cost := coalesce(app.cost(app.price(coalesce(nullif(p_model, ''), v.model), (v.at at time zone 'UTC')::date), p_in, p_cached, p_out),
                     app.cost(app.price(v.model, (v.at at time zone 'UTC')::date), p_in, p_cached, p_out), v.cost);
  update public.budget_use u
  set tokens = greatest(0, u.tokens - v.tokens + greatest(p_in, 0) + greatest(p_out, 0)), cost = greatest(0, u.cost - v.cost + v_cost)
  from (select k.period from public.budget_use k
        where k.org_id = v_org and k.starts = date_trunc(k.period, v.at at time zone 'UTC')::date order by k.period for update) mine
  where u.org_id = v_org and u.period = mine.period and u.starts = date_trunc(u.period, v.at at time zone 'UTC')::date;
end $$;

create function app.log_usage(p_org uuid, p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
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
  values (p_org, auth.uid(), left(p_assistant, 120), left(p_turn, 200), left(p_model, 200), v_in, v_out, v_cached, (p_usage ->> 'calls')::int,
          app.cost(v_price, v_in, v_cached, v_out), v_price.currency, left(p_finish, 40));
end $$;

-- Writes down what a turn used that is not kept otherwise.
create function public.usage_log(p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  perform set_config('synchronous_commit', 'off', true);
  perform app.log_usage(v_org, p_assistant, p_turn, p_model, p_usage, p_finish);
end $$;

-- What the organisation used, for its administrators: one element for each day
-- (UTC) and model between two days, both included.
create function public.usage_report(p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  if app.org_role() <> 'admin' then
    raise sqlstate 'PT403' using message = 'role_required', detail = 'Only administrators see what was used.';
  end if;
  return coalesce((
    select jsonb_agg(r order by r.day, r.model) from (
      select (u.at at time zone 'UTC')::date as day, u.model, count(*) as turns, sum(u.calls) as calls, sum(u.tokens_in) as "tokensIn",
             sum(u.tokens_out) as "tokensOut", sum(u.tokens_cached) as "tokensCached", sum(u.cost) as cost, min(u.currency) as currency
      from public.llm_usage_logs u
      where u.org_id = v_org and u.at >= p_from::timestamp at time zone 'UTC' and u.at < (p_to + 1)::timestamp at time zone 'UTC'
      group by 1, 2) r), '[]');
end $$;

-- turn_finish also says which model answered, and what the turn used is logged.
drop function public.turn_finish(text, text, text, jsonb);
create function public.turn_finish(p_turn text, p_finish text, p_frames text, p_usage jsonb, p_model text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v_assistant text;
begin
  update public.turns t
  set finished_at = clock_timestamp(), lease_until = null, finish = p_finish, frames = p_frames, usage = p_usage
  where t.org_id = v_org and t.user_id = auth.uid() and t.turn = p_turn and t.finished_at is null
  returning t.assistant into v_assistant;
  if found then
    perform app.log_usage(v_org, v_assistant, p_turn, p_model, p_usage, p_finish);
  end if;
end $$;

-- whoami also says what bounds the organisation.
create or replace function public.whoami() returns jsonb
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
      'budgeted', exists (select from public.budgets b where b.org_id = v_org),
      'rates', (select jsonb_object_agg(r.door, jsonb_build_object('user', r.per_user, 'org', r.per_org)) from public.rate_limits r where r.org_id = v_org),
      'entities', coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'key', e.key, 'kind', e.kind, 'name', e.name,
                                            'timeZone', e.time_zone, 'currency', e.currency, 'locale', e.locale) order by e.key)
        from public.entities e where e.org_id = v_org), '[]'))
    from public.memberships m join public.orgs o on o.id = m.org_id
    where m.org_id = v_org and m.user_id = auth.uid());
end $$;

revoke execute on function app.rate_place(uuid, text, int), app.price(text, date), app.cost(public.model_prices, bigint, bigint, bigint),
  app.period_start(text), app.log_usage(uuid, text, text, text, jsonb, text) from public;
revoke execute on function public.rate_take(text, int, int), public.budget_reserve(text, bigint, bigint),
  public.budget_settle(uuid, text, bigint, bigint, bigint), public.usage_log(text, text, text, jsonb, text),
  public.usage_report(date, date), public.turn_finish(text, text, text, jsonb, text) from public, anon, service_role;
grant execute on function public.rate_take(text, int, int), public.budget_reserve(text, bigint, bigint),
  public.budget_settle(uuid, text, bigint, bigint, bigint), public.usage_log(text, text, text, jsonb, text),
  public.usage_report(date, date), public.turn_finish(text, text, text, jsonb, text) to authenticated;
notify pgrst, 'reload schema';
