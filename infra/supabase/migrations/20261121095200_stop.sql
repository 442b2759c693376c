-- A person stops a turn that another process may be running.
alter table public.turns add column stop_asked_at timestamptz;
create index turns_running on public.turns (org_id, user_id, thread) where finished_at is null;

-- Asks the caller's running turns of a thread to end, and says how many there are.
create function public.turn_stop(p_thread text) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
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

revoke execute on function public.turn_stop(text), public.turn_stopped(text) from public, anon, service_role;
grant execute on function public.turn_stop(text), public.turn_stopped(text) to authenticated;
notify pgrst, 'reload schema';
