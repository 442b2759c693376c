-- Whether the same was done a moment ago, so that a person is asked before it is
-- done a second time.

create index effects_of_same_act on public.effects (org_id, tool, args_hash, at desc);

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

revoke execute on function public.effect_recent(text, text, text, int) from public, anon, service_role;
grant execute on function public.effect_recent(text, text, text, int) to authenticated;
