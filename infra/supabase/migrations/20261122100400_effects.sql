-- Effects: the writes that were done, each by its key, so that none is done twice.

-- One row per write that was done, by its key. The row is written in the same
-- transaction as the write, so it exists exactly when the write does.
create table public.effects (
  org_id uuid not null references public.orgs (id),
  key text not null check (length(key) between 8 and 200),
  user_id uuid not null,
  args_hash text not null check (args_hash ~ '^[0-9a-f]{64}$'),
  tool text check (length(tool) <= 120),
  assistant text check (length(assistant) <= 120),
  turn text check (length(turn) <= 200),
  proposal_id uuid,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, key)
);
create index effects_of_same_act on public.effects (org_id, tool, args_hash, at desc);
create index effects_at on public.effects (at);
call app.control_table('effects');
call app.names_assistants('effects');

-- A proposal is used up by the write that it is for: a write of a table that
-- consumed one and changed no row is undone when it ends, and the proposal stays
-- open. A function may find that there is nothing left to do.
create function app.check_effect() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('request.path', true), '') not like '/rpc/%' and not exists (select from public.audit a where a.org_id = new.org_id and a.effect_key = new.key) then
    raise sqlstate 'PT409' using message = 'nothing_done', detail = 'Nothing was there to be changed, so nothing was done.';
  end if;
  return null;
end $$;
create constraint trigger effect_did_something after insert on public.effects deferrable initially deferred
  for each row when (new.proposal_id is not null) execute function app.check_effect();

-- What an effect key did: null when nothing is recorded for it, else
-- {"key","argsHash","tool","turn","proposal","at","rows":[{"table","key","action","before","after"}]}, rows in the
-- order of writing. What a deletion took away is known by its "before" alone.
create function public.effect_outcome(p_key text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return (
    select jsonb_build_object('key', f.key, 'argsHash', f.args_hash, 'tool', f.tool, 'turn', f.turn, 'proposal', f.proposal_id, 'at', f.at,
      'rows', coalesce((
        select jsonb_agg(jsonb_build_object('table', a.table_name, 'key', a.row_key, 'action', a.action,
                                            'before', a.before, 'after', a.after) order by a.id)
        from public.audit a where a.org_id = f.org_id and a.effect_key = f.key), '[]'))
    from public.effects f
    where f.org_id = v_org and f.key = p_key and f.user_id = auth.uid());
end $$;

-- When the caller's organisation last did exactly this within so many minutes,
-- under another key than p_key; null when it did not.
create function public.effect_recent(p_tool text, p_args_hash text, p_key text, p_minutes int) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return (
    select max(f.at) from public.effects f
    where f.org_id = v_org and f.tool = p_tool and f.args_hash = p_args_hash and f.key <> p_key
      and f.at > clock_timestamp() - least(p_minutes, 1440) * interval '1 minute');
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.effect_outcome(text), public.effect_recent(text, text, text, int)
   from public, anon, service_role;
grant execute on function public.effect_outcome(text), public.effect_recent(text, text, text, int) to authenticated;
