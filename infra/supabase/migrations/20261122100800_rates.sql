-- Rates: how many requests an organisation and its people may make in a minute.

-- How many requests per minute a person and the whole organisation may make at
-- an endpoint. A row takes the place of the functions' own settings; 0 is no limit.
create table public.rate_limits (
  org_id uuid not null references public.orgs (id),
  door text not null
    check (door in ('chat', 'tools', 'transcribe', 'export', 'conversations', 'summarize', 'feedback', 'uploads')),
  per_user int not null check (per_user between 0 and 1000000),
  per_org int not null check (per_org between 0 and 1000000),
  primary key (org_id, door)
);
call app.control_table('rate_limits');

-- How full each bucket was when a request last came by. It drains with time.
create table public.rate_buckets (
  org_id uuid not null,
  bucket text not null, -- the endpoint, or the endpoint and a person
  level double precision not null check (level between 0 and 1000000),
  at timestamptz not null,
  primary key (org_id, bucket)
) with (fillfactor = 50);
create index rate_buckets_at on public.rate_buckets (at);
call app.control_table('rate_buckets');

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

-- Admits a request of the caller to an endpoint, or says who made too many
-- ("user" or "org") and after how many milliseconds to come back.
create function app.take_rate(p_org uuid, p_door text, p_per_user int, p_per_org int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_wait int;
begin
  v_wait := app.rate_place(p_org, left(p_door, 60) || ':' || auth.uid()::text, p_per_user);
  if v_wait > 0 then
    return jsonb_build_object('who', 'user', 'waitMs', v_wait);
  end if;
  v_wait := app.rate_place(p_org, left(p_door, 60), p_per_org);
  return jsonb_build_object('who', 'org', 'waitMs', v_wait);
end $$;

-- The same by itself.
create function public.rate_take(p_door text, p_per_user int, p_per_org int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
begin
  -- A count that a crash loses is worth less than a disk write for each request.
  perform set_config('synchronous_commit', 'off', true);
  return app.take_rate(v_org, p_door, p_per_user, p_per_org);
end $$;

-- Reserves the next place for a call of a service of others by the caller's
-- organisation: p_capacity calls at once and p_per_second in the long run. The
-- answer is {"taken","waitMs"}: in how many milliseconds the place is, or would be
-- where that is more than p_within_ms; then nothing is reserved. Raises PT422
-- 'bad_rate'.
create function public.provider_take(p_provider text, p_capacity int, p_per_second numeric, p_within_ms int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
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
  insert into public.rate_buckets (org_id, bucket, level, at) values (v_org, v_bucket, 0, clock_timestamp()) on conflict do nothing;
  perform from public.rate_buckets b where b.org_id = v_org and b.bucket = v_bucket for update;
  -- Behind the lock, so that rivals read the clock in the order of their places.
  v_now := clock_timestamp();
  select greatest(0, b.level - abs(extract(epoch from v_now - b.at)) * p_per_second) + 1 into v_level
  from public.rate_buckets b where b.org_id = v_org and b.bucket = v_bucket;
  v_wait := least(greatest(ceil((v_level - p_capacity) * 1000 / p_per_second), 0), 2000000000);
  if v_wait > p_within_ms then
    return jsonb_build_object('taken', false, 'waitMs', v_wait);
  end if;
  update public.rate_buckets b set level = v_level, at = v_now where b.org_id = v_org and b.bucket = v_bucket;
  return jsonb_build_object('taken', true, 'waitMs', v_wait);
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.rate_take(text, int, int), public.provider_take(text, int, numeric, int)
  from public, anon, service_role;
grant execute on function public.rate_take(text, int, int), public.provider_take(text, int, numeric, int) to authenticated;
