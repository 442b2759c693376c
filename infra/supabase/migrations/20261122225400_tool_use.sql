-- Use of tools by turns that no matcher looked at: the assistants of remote tools
-- choose them by intents of their own.

-- Counts tools that a turn of the caller's used, once for each entry of p_tools.
create function public.tool_used(p_assistant text, p_tools text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
begin
  perform set_config('synchronous_commit', 'off', true);
  if not app.has_assistant(v_org, p_assistant) or cardinality(p_tools) > 200 then
    return;
  end if;
  -- In one order, so that turns do not lock each other.
  insert into public.tool_usage as u (org_id, assistant, tool, used)
  select v_org, p_assistant, left(t.tool, 120), count(*)
  from unnest(p_tools) t(tool) where t.tool <> '' group by 3 order by 3
  on conflict (org_id, assistant, tool) do update set used = u.used + excluded.used, last_at = clock_timestamp();
end $$;

-- How often an assistant used its tools, the most frequent first: [{"tool",
-- "module","used","lastAt"}]. For administrators.
create function public.tool_use_list(p_assistant text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.admin_org();
begin
  return (select coalesce(jsonb_agg(to_jsonb(l) order by l.used desc, l.tool), '[]') from (
    select u.tool, coalesce(t.module, '') as module, u.used, u.last_at as "lastAt"
    from public.tool_usage u left join app.module_tools t on t.name = u.tool
    where u.org_id = v_org and u.assistant = p_assistant
    order by u.used desc, u.tool limit 200) l);
end $$;

revoke execute on function public.tool_used(text, text[]), public.tool_use_list(text) from public, anon, service_role;
grant execute on function public.tool_used(text, text[]), public.tool_use_list(text) to authenticated;
notify pgrst, 'reload schema';
