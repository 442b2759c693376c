-- The outbox: acts upon things outside of this database, such as letters and
-- orders at a third party. They cannot be undone with the transaction, so each
-- is written down as STARTED first, tried once, and settled:
--   STARTED  it may be on its way
--   DONE     it was done; "reference" is the other side's name for it
--   FAILED   it was definitely not done
--   UNKNOWN  not known; a person or a look-up finds out

-- One row per act, by its effect's key.
create table public.outbox (
  org_id uuid not null references public.orgs (id),
  key text not null check (length(key) between 8 and 200), -- the effect's
  user_id uuid not null,
  kind text not null check (length(kind) between 1 and 60),
  payload jsonb not null check (octet_length(payload::text) <= 65536),
  state text not null default 'STARTED' check (state in ('STARTED', 'DONE', 'FAILED', 'UNKNOWN')),
  reference text check (length(reference) <= 400),
  reason text check (length(reason) <= 400),
  started_at timestamptz not null default clock_timestamp(),
  -- An attempt that has not been settled by now was lost with its process.
  unknown_after timestamptz not null,
  settled_at timestamptz,
  primary key (org_id, key)
);
create index outbox_open on public.outbox (unknown_after) where state in ('STARTED', 'UNKNOWN');
call app.control_table('outbox');
create trigger audit after insert or update or delete on public.outbox for each row execute function app.audit();

create function app.outbox_json(p public.outbox) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object('key', p.key, 'kind', p.kind, 'state', p.state, 'reference', p.reference, 'reason', p.reason,
    'startedAt', p.started_at,
    'waitMs', case when p.state = 'STARTED' then greatest(0, ceil(extract(epoch from p.unknown_after - clock_timestamp()) * 1000)) else 0 end)
$$;

-- Writes an act down as STARTED under the effect key of this request. Raises
-- PT422 'no_claim' for a request without one. A second request under the key is
-- refused before it gets here.
create function public.outbox_begin(p_kind text, p_payload jsonb, p_window_ms int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.outbox;
begin
  if coalesce(current_setting('app.effect', true), '') = '' then
    raise sqlstate 'PT422' using message = 'no_claim', detail = 'What is done outside needs an effect key.';
  end if;
  insert into public.outbox as o (org_id, key, user_id, kind, payload, unknown_after)
  values (v_org, current_setting('app.effect'), auth.uid(), p_kind, p_payload,
          clock_timestamp() + least(greatest(coalesce(p_window_ms, 0), 1), 3600000) * interval '1 millisecond')
  returning * into v;
  return app.outbox_json(v);
end $$;

-- The caller's own act under a key, or null. One that was lost with its process
-- becomes UNKNOWN here.
create function public.outbox_read(p_key text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.outbox;
begin
  update public.outbox o set state = 'UNKNOWN', reason = 'It was never settled.'
  where o.org_id = v_org and o.key = p_key and o.user_id = auth.uid() and o.state = 'STARTED' and o.unknown_after <= clock_timestamp();
  select * into v from public.outbox o where o.org_id = v_org and o.key = p_key and o.user_id = auth.uid();
  return case when found then app.outbox_json(v) end;
end $$;

-- Says how the caller's own act ended, and returns it. What is DONE or FAILED
-- stays so; what is UNKNOWN may be found out later. Raises PT404 'act_unknown'.
create function public.outbox_settle(p_key text, p_state text, p_reference text, p_reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.outbox;
begin
  if p_state is null or p_state not in ('DONE', 'FAILED', 'UNKNOWN') then
    raise sqlstate 'PT422' using message = 'bad_state', detail = 'An act ends as DONE, FAILED or UNKNOWN.';
  end if;
  update public.outbox o set state = p_state, reference = left(p_reference, 400), reason = left(p_reason, 400), settled_at = clock_timestamp()
  where o.org_id = v_org and o.key = p_key and o.user_id = auth.uid() and o.state in ('STARTED', 'UNKNOWN');
  select * into v from public.outbox o where o.org_id = v_org and o.key = p_key and o.user_id = auth.uid();
  if not found then
    raise sqlstate 'PT404' using message = 'act_unknown', detail = 'There is no such act of yours.';
  end if;
  return app.outbox_json(v);
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.outbox_begin(text, jsonb, int), public.outbox_read(text),
  public.outbox_settle(text, text, text, text) from public, anon, service_role;
grant execute on function public.outbox_begin(text, jsonb, int), public.outbox_read(text),
  public.outbox_settle(text, text, text, text) to authenticated;
