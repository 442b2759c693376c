-- Usage: what the models were used for, by turn.

-- What each turn used, for reports.
create table public.llm_usage_logs (
  org_id uuid not null references public.orgs (id),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  user_id uuid not null,
  assistant text check (length(assistant) <= 120),
  turn text check (length(turn) <= 200),
  model text check (length(model) <= 200),
  tokens_in bigint not null check (tokens_in >= 0),
  tokens_out bigint not null check (tokens_out >= 0),
  tokens_cached bigint not null check (tokens_cached between 0 and tokens_in),
  calls int not null check (calls between 1 and 1000000),
  cost numeric(18, 6), -- null where the price is not known
  currency text,
  finish text check (length(finish) <= 40),
  primary key (org_id, id)
);
create index llm_usage_logs_at on public.llm_usage_logs (org_id, at);
call app.control_table('llm_usage_logs');

-- Logs what one turn of a person used. A turn without model calls leaves no row.
create function app.log_usage_of(p_org uuid, p_user uuid, p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_price public.model_prices := app.price(p_model, (clock_timestamp() at time zone 'UTC')::date);
  v_in constant bigint := app.counted_tokens((p_usage ->> 'input')::numeric);
  v_out constant bigint := app.counted_tokens((p_usage ->> 'output')::numeric);
  v_cached constant bigint := least(app.counted_tokens((p_usage ->> 'cached')::numeric), v_in);
  v_calls constant int := least(app.counted_tokens((p_usage ->> 'calls')::numeric), 1000000);
begin
  if v_calls = 0 then
    return;
  end if;
  insert into public.llm_usage_logs (org_id, user_id, assistant, turn, model, tokens_in, tokens_out, tokens_cached, calls, cost, currency, finish)
  values (p_org, p_user, left(p_assistant, 120), left(p_turn, 200), left(p_model, 200), v_in, v_out, v_cached, v_calls,
          app.cost(v_price, v_in, v_cached, v_out), v_price.currency, left(p_finish, 40));
end $$;

-- The same for the caller.
create function app.log_usage(p_org uuid, p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
language sql volatile security definer set search_path = '' as $$ select app.log_usage_of(p_org, auth.uid(), p_assistant, p_turn, p_model, p_usage, p_finish) $$;

-- Writes down what a turn used that is not kept otherwise.
create function public.usage_log(p_assistant text, p_turn text, p_model text, p_usage jsonb, p_finish text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
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

revoke execute on all routines in schema app from public;
revoke execute on function public.usage_log(text, text, text, jsonb, text), public.usage_report(date, date)
   from public, anon, service_role;
grant execute on function public.usage_log(text, text, text, jsonb, text), public.usage_report(date, date)
   to authenticated;
