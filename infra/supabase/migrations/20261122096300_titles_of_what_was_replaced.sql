-- A conversation is called by its first message. When that is replaced, what takes
-- its place names it, unless a person did.

create or replace function app.supersede(s public.chat_sessions, p_from int, p_to int) returns public.chat_sessions
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
  v_tokens int;
begin
  with gone as (
    update public.chat_messages m set superseded_at = clock_timestamp()
    where m.org_id = s.org_id and m.session_id = s.id and m.seq between p_from and p_to and m.superseded_at is null
    returning m.tokens)
  select count(*), coalesce(sum(g.tokens), 0) into v_count, v_tokens from gone g;
  if v_count = 0 then
    return s;
  end if;
  update public.chat_sessions c
  set message_count = c.message_count - v_count, estimated_tokens = c.estimated_tokens - v_tokens,
      title = case when c.titled_by_person or exists (select from public.chat_messages m
        where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null and m.role = 'user') then c.title else '' end,
      last_message_preview = coalesce((select app.preview(m.content) from public.chat_messages m
        where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null order by m.seq desc limit 1), ''),
      session_summary = case when p_from > c.summary_through then c.session_summary end,
      key_facts = case when p_from > c.summary_through then c.key_facts end,
      summary_token = case when p_from > c.summary_through then c.summary_token end,
      summary_at = case when p_from > c.summary_through then c.summary_at end,
      summary_state = case when p_from > c.summary_through then c.summary_state else 'none' end,
      summary_through = case when p_from > c.summary_through then c.summary_through else 0 end
  where c.org_id = s.org_id and c.id = s.id
  returning * into s;
  return s;
end $$;
