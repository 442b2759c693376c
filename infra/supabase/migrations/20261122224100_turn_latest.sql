-- Turns that are read again by a client that lost its connection.

-- A turn of the caller's in a thread: the named one, or else the newest, if it
-- runs, or is named and ended less than five minutes ago. {"turn","running",
-- "frames"}, with empty texts where there is none.
create function public.turn_latest(p_assistant text, p_thread text, p_turn text default '') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  t public.turns;
begin
  select * into t from public.turns n
  where n.org_id = v_org and n.user_id = auth.uid() and n.assistant = p_assistant and n.thread = p_thread
    and (p_turn = '' or n.turn = p_turn) and n.started_at > clock_timestamp() - interval '1 hour'
    and app.has_assistant(v_org, p_assistant)
  order by n.started_at desc limit 1;
  return jsonb_build_object(
    'turn', case when t.lease_until > clock_timestamp() or p_turn <> '' then coalesce(t.turn, '') else '' end,
    'running', coalesce(t.lease_until > clock_timestamp(), false),
    'frames', case when p_turn <> '' and t.finished_at > clock_timestamp() - interval '5 minutes'
      then coalesce(t.frames, '') else '' end);
end $$;
create index turns_thread on public.turns (org_id, user_id, thread, started_at);

revoke execute on function public.turn_latest(text, text, text) from public, anon, service_role;
grant execute on function public.turn_latest(text, text, text) to authenticated;
