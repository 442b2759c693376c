-- A turn may still run when its question is edited, or asked again in another turn.
-- Its answer is kept then, and not shown or counted: the later one stands.

-- The turns in which a message was asked before the one that answers it now.
alter table public.chat_messages add column earlier_turns text[] not null default '{}';

create or replace function public.conversation_say(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  v_turn text;
  v_text constant text := coalesce(p ->> 'text', '');
  entered record;
  s public.chat_sessions;
  m public.chat_messages;
  v_named public.chat_messages;
  v_from int;
begin
  select * into entered from app.enter_conversation(v_org, p);
  s := entered.s;
  v_turn := app.turn_of(s, p ->> 'turn');
  -- One that was replaced since is not said anew because it comes late once more.
  select * into m from public.chat_messages x
  where x.org_id = v_org and x.session_id = s.id and (x.turn = v_turn or v_turn = any (x.earlier_turns))
    and x.role = 'user' and (x.superseded_at is null or x.content = v_text)
  order by x.superseded_at nulls first limit 1;
  if m.id is null or m.content <> v_text and nullif(p ->> 'replaces', '') is not null then
    select * into m from public.chat_messages x
    where x.org_id = v_org and x.session_id = s.id and x.client_id = nullif(p ->> 'messageId', '') and x.superseded_at is null
      and x.role = 'user' and x.user_id = auth.uid() and x.content = v_text;
    select * into v_named from public.chat_messages x
    where x.org_id = v_org and x.session_id = s.id and x.superseded_at is null
      and (x.client_id = nullif(p ->> 'replaces', '') or x.id = app.uuid_of(p ->> 'replaces'))
      and (x.role = 'assistant' or x.user_id = auth.uid())
    order by x.seq limit 1;
    if v_named.id is not null then
      v_from := v_named.seq + case when v_named.id = m.id then 1 else 0 end;
      s := app.supersede(s, v_from, s.last_seq);
      m := case when m.seq < v_from then m end;
    elsif m.id is not null then
      s := app.supersede(s, m.seq + 1, coalesce((select min(x.seq) - 1 from public.chat_messages x
        where x.org_id = v_org and x.session_id = s.id and x.seq > m.seq and x.role = 'user' and x.superseded_at is null), s.last_seq));
    end if;
    if m.id is not null then
      update public.chat_messages x
      set turn = v_turn, earlier_turns = array_remove(array_remove(array_append(x.earlier_turns, x.turn), v_turn), null)
      where x.org_id = v_org and x.id = m.id and not exists (select from public.chat_messages y
        where y.org_id = v_org and y.session_id = s.id and y.turn = v_turn and y.role = 'user' and y.superseded_at is null);
    elsif btrim(v_text) <> '' or jsonb_array_length(coalesce(nullif(p -> 'metadata' -> 'files', 'null'), '[]')) > 0 then
      s := app.add_messages(s, jsonb_build_array(app.with_free_names(s, p || jsonb_build_object('role', 'user', 'turn', v_turn))), app.person_name(v_org, auth.uid()));
    end if;
  end if;
  return jsonb_build_object('id', s.id, 'number', s.number, 'code', app.chat_code(s.prefix, s.number), 'title', s.title, 'isNew', entered.is_new,
    'projectId', s.project_id, 'seq', s.last_seq, 'messageCount', s.message_count, 'version', s.version, 'summaryThrough', s.summary_through);
end $$;

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
  select count(*) > 0 and not coalesce(bool_or(m.turn = v_turn and m.superseded_at is null), false) into v_replaced
  from public.chat_messages m
  where m.org_id = v_org and m.session_id = s.id and m.role = 'user' and (m.turn = v_turn or v_turn = any (m.earlier_turns));
  if not exists (select from public.chat_messages m where m.org_id = v_org and m.session_id = s.id and m.turn = v_turn
    and m.role = 'assistant' and (m.superseded_at is null or v_replaced)) then
    s := app.add_messages(s, jsonb_build_array(app.with_free_names(s, p || jsonb_build_object('role', 'assistant', 'messageId', v_turn, 'turn', v_turn))), '');
    if v_replaced then
      s := app.supersede(s, s.last_seq, s.last_seq);
    end if;
  end if;
  return jsonb_build_object('seq', s.last_seq, 'messageCount', s.message_count, 'estimatedTokens', s.estimated_tokens);
end $$;
