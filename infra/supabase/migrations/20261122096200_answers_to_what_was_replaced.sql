-- A turn may still run when its question is edited. Its answer is kept then, like
-- the question, and no more shown or counted than that.

create or replace function public.conversation_answer(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  s public.chat_sessions;
  v_turn text;
  v_replaced boolean;
begin
  select * into s from public.chat_sessions c where c.org_id = v_org and c.id = app.uuid_of(p ->> 'id') for no key update;
  v_turn := app.turn_of(s, p ->> 'turn');
  if s.id is null or not app.takes_part(v_org, s.id) and not exists (
    select from public.chat_messages m where m.org_id = v_org and m.session_id = s.id and m.turn = v_turn and m.user_id = auth.uid()) then
    raise sqlstate 'PT404' using message = 'conversation_not_found', detail = 'There is no such conversation of yours.';
  end if;
  select coalesce(bool_and(m.superseded_at is not null), false) into v_replaced
  from public.chat_messages m where m.org_id = v_org and m.session_id = s.id and m.turn = v_turn and m.role = 'user';
  if not exists (select from public.chat_messages m where m.org_id = v_org and m.session_id = s.id and m.turn = v_turn
    and m.role = 'assistant' and (m.superseded_at is null or v_replaced)) then
    s := app.add_messages(s, jsonb_build_array(app.with_free_names(s, p || jsonb_build_object('role', 'assistant', 'messageId', v_turn, 'turn', v_turn))), '');
    if v_replaced then
      s := app.supersede(s, s.last_seq, s.last_seq);
    end if;
  end if;
  return jsonb_build_object('seq', s.last_seq, 'messageCount', s.message_count, 'estimatedTokens', s.estimated_tokens);
end $$;
