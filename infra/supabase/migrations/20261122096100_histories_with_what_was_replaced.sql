-- A history that another device still holds may have messages that were replaced
-- since. These are known, too: keeping it again must not bring them back.

create or replace function public.conversation_append(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  s public.chat_sessions := app.conversation_locked(v_org, p ->> 'id');
  v_before constant int := s.message_count;
  v_marks text[]; -- what is stored, in its order
  v_ids jsonb;    -- its names, as members
  v_new jsonb;
begin
  if exists (select from jsonb_array_elements(p -> 'messages') e where e ->> 'role' not in ('user', 'assistant')) then
    raise sqlstate 'PT422' using message = 'bad_message', detail = 'A message is a person''s or an assistant''s.';
  end if;
  select array_agg(x.role || ' ' || md5(x.content) order by x.seq), jsonb_object_agg(x.client_id, true) filter (where x.client_id is not null)
  into v_marks, v_ids
  from public.chat_messages x where x.org_id = v_org and x.session_id = s.id and x.superseded_at is null;
  select jsonb_agg(g.m order by g.n) into v_new
  from (
    select e.m, e.n, row_number() over (partition by coalesce(nullif(e.m ->> 'messageId', ''), '#' || e.n) order by e.n) as copy
    from jsonb_array_elements(p -> 'messages') with ordinality e (m, n)) g
  where g.copy = 1 and not coalesce(v_ids ? (g.m ->> 'messageId'), false)
    and v_marks[g.n] is distinct from (g.m ->> 'role') || ' ' || md5(g.m ->> 'text')
    and not exists (
      select from public.chat_messages x
      where x.org_id = v_org and x.session_id = s.id and x.superseded_at is not null
        and x.client_id = g.m ->> 'messageId' and x.role = g.m ->> 'role' and x.content = g.m ->> 'text');
  s := app.add_messages(s, coalesce(v_new, '[]'), app.person_name(v_org, auth.uid()));
  return jsonb_build_object('appended', s.message_count - v_before, 'messageCount', s.message_count, 'estimatedTokens', s.estimated_tokens);
end $$;
