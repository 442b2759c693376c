-- How conversations begin and grow: a turn is said, answered, or appended.
-- A transaction that changes a conversation first locks its row, so messages are numbered
-- without gaps, in the order in which they came.

-- The conversation of that id, locked, when the caller takes part in it. Raises PT404
-- 'conversation_not_found', and PT409 'conversation_deleted' unless p_deleted.
create function app.conversation_locked(p_org uuid, p_id text, p_deleted boolean default false) returns public.chat_sessions
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions;
begin
  select * into s from public.chat_sessions c where c.org_id = p_org and c.id = app.uuid_of(p_id) for no key update;
  -- Asked after the lock, so that who was removed meanwhile is removed.
  if not found or not app.takes_part(p_org, s.id) or not app.has_assistant(p_org, s.assistant) then
    raise sqlstate 'PT404' using message = 'conversation_not_found', detail = 'There is no such conversation of yours.';
  end if;
  if s.deleted_at is not null and not p_deleted then
    perform app.say_deleted();
  end if;
  return s;
end $$;

create function app.say_deleted() returns void
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PT409' using message = 'conversation_deleted', detail = 'This conversation was deleted. Restore it to go on with it.';
end $$;

create function app.takes_part(p_org uuid, p_session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.chat_people p
    where p.org_id = p_org and p.session_id = p_session and p.user_id = auth.uid() and p.left_at is null)
$$;

-- What people call a member; '' for a former one.
create function app.person_name(p_org uuid, p_user uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select coalesce(nullif(btrim(m.name), ''), u.email, '')
    from public.memberships m join auth.users u on u.id = m.user_id where m.org_id = p_org and m.user_id = p_user), '')
$$;

create function app.join_conversation(p_org uuid, p_session uuid, p_user uuid, p_by uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.chat_people as p (org_id, session_id, user_id, added_by) values (p_org, p_session, p_user, p_by)
  on conflict (org_id, session_id, user_id) do update set left_at = null, added_by = excluded.added_by, added_at = excluded.added_at
  where p.left_at is not null
$$;

-- A new conversation of the caller, and the next number of its entity. The
-- number is taken in this transaction, so one that fails leaves no gap.
create function app.new_conversation(p_org uuid, p jsonb, p_entity uuid, p_project uuid) returns public.chat_sessions
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions;
  v_number int;
  v_id uuid := coalesce(app.uuid_of(p ->> 'thread'), gen_random_uuid());
  v_thread text := nullif(p ->> 'thread', '');
begin
  if v_thread is null or exists (select from public.chat_sessions c
      where c.org_id = p_org and c.user_id = auth.uid() and c.assistant = p ->> 'assistant' and c.thread = v_thread) then
    v_id := gen_random_uuid();
    v_thread := v_id::text;
  end if;
  if exists (select from public.chat_sessions c where c.org_id = p_org and c.id = v_id) then
    v_id := gen_random_uuid(); -- another user's, of whom the caller learns nothing
  end if;
  insert into public.chat_counters as n (org_id, entity_id, assistant, last) values (p_org, p_entity, p ->> 'assistant', 1)
  on conflict (org_id, entity_id, assistant) do update set last = n.last + 1
  returning last into v_number;
  insert into public.chat_sessions (org_id, id, assistant, entity_id, project_id, user_id, thread, prefix, number)
  values (p_org, v_id, p ->> 'assistant', p_entity, p_project, auth.uid(), v_thread, coalesce(nullif(p ->> 'prefix', ''), 'C'), v_number)
  returning * into s;
  perform app.join_conversation(p_org, s.id, auth.uid(), auth.uid());
  return s;
end $$;

-- A project for the first message of a conversation. Raises PT403 'role_required'.
create function app.new_project(p_org uuid, p_title text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  if app.org_role() not in ('admin', 'manager') then
    raise sqlstate 'PT403' using message = 'role_required', detail = 'Only administrators and managers may begin a project.';
  end if;
  insert into public.projects (org_id, title, user_id) values (p_org, left(p_title, 200), auth.uid()) returning id into v_id;
  return v_id;
end $$;

-- The conversation that p means, locked; made when there is none yet. It is one
-- in which the caller takes part (by its id), else the project's, which the
-- caller joins, else the caller's own of that thread. p is as in conversation_say.
create function app.enter_conversation(p_org uuid, p jsonb, out s public.chat_sessions, out is_new boolean)
language plpgsql security definer set search_path = '' as $$
declare
  v_assistant constant text := p ->> 'assistant';
  v_thread constant text := nullif(p ->> 'thread', '');
  v_entity constant uuid := app.uuid_of(p ->> 'entityId');
  v_project uuid;
begin
  is_new := false;
  if coalesce(v_assistant, '') = '' or length(v_thread) > 200 then
    raise sqlstate 'PT422' using message = 'bad_conversation', detail = 'A conversation needs an assistant, and a name of at most 200 letters.';
  end if;
  if not app.has_assistant(p_org, v_assistant) then
    raise sqlstate 'PT404' using message = 'unknown_assistant', detail = 'There is no such assistant here.';
  end if;
  if nullif(p ->> 'entityId', '') is not null and not exists (select from public.entities e where e.org_id = p_org and e.id = v_entity) then
    raise sqlstate 'PT404' using message = 'entity_not_found', detail = 'Your organisation has no such place.';
  end if;
  if nullif(p ->> 'projectId', '') is not null then
    v_project := (app.project_of(p_org, p ->> 'projectId')).id;
  end if;
  select c.* into s from public.chat_sessions c
  where c.org_id = p_org and c.id = app.uuid_of(v_thread) and c.assistant = v_assistant and app.takes_part(p_org, c.id) for no key update;
  if s.id is null and v_project is not null then
    select c.* into s from public.chat_sessions c
    where c.org_id = p_org and c.project_id = v_project and c.assistant = v_assistant and c.deleted_at is null for no key update;
    if s.id is null then
      -- Of many who come at once the first makes it, and the others find it.
      perform from public.projects j where j.org_id = p_org and j.id = v_project for no key update;
      select c.* into s from public.chat_sessions c
      where c.org_id = p_org and c.project_id = v_project and c.assistant = v_assistant and c.deleted_at is null for no key update;
    end if;
    if s.id is null then
      s := app.new_conversation(p_org, p, v_entity, v_project);
      is_new := true;
    end if;
    perform app.join_conversation(p_org, s.id, auth.uid(), auth.uid());
  elsif s.id is null then
    if v_thread is not null then
      perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'conversation', p_org, auth.uid(), v_assistant, v_thread), 0));
      select c.* into s from public.chat_sessions c
      where c.org_id = p_org and c.user_id = auth.uid() and c.assistant = v_assistant and c.thread = v_thread for no key update;
    end if;
    if s.id is null then
      s := app.new_conversation(p_org, p, v_entity, null);
      is_new := true;
    end if;
  end if;
  if s.deleted_at is not null then
    perform app.say_deleted();
  end if;
  if s.project_id is null and (p ->> 'createProject')::boolean then
    update public.chat_sessions c set project_id = app.new_project(p_org, coalesce(nullif(s.title, ''), p ->> 'title', ''))
    where c.org_id = p_org and c.id = s.id returning c.* into s;
  end if;
end $$;

-- A message without the names that live ones have already: ids are the clients'
-- affair, words are not to be lost.
create function app.with_free_names(s public.chat_sessions, p jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select p || jsonb_build_object(
    'messageId', case when not exists (select from public.chat_messages m
      where m.org_id = s.org_id and m.session_id = s.id and m.role = p ->> 'role' and m.client_id = p ->> 'messageId' and m.superseded_at is null) then p ->> 'messageId' end,
    'turn', case when not exists (select from public.chat_messages m
      where m.org_id = s.org_id and m.session_id = s.id and m.turn = p ->> 'turn' and m.role = p ->> 'role' and m.superseded_at is null) then p ->> 'turn' end)
$$;

-- Adds a list of messages and stores what the conversation then is. Their names
-- must be free.
create function app.add_messages(s public.chat_sessions, p_list jsonb, p_name text) returns public.chat_sessions
language plpgsql security definer set search_path = '' as $$
declare
  v_text text;
begin
  with added as (
    insert into public.chat_messages (org_id, session_id, seq, role, content, user_id, user_display_name, client_id, turn, agent, label,
                                      tool_calls, processing_metadata, metadata, token, tokens)
    select s.org_id, s.id, s.last_seq + g.n, g.m ->> 'role', coalesce(g.m ->> 'text', ''), case g.m ->> 'role' when 'user' then auth.uid() end,
      nullif(case g.m ->> 'role' when 'user' then p_name else g.m ->> 'label' end, ''), nullif(g.m ->> 'messageId', ''), nullif(g.m ->> 'turn', ''),
      nullif(g.m ->> 'agent', ''), nullif(g.m ->> 'label', ''), nullif(g.m -> 'toolCalls', 'null'), nullif(g.m -> 'processing', 'null'),
      nullif(coalesce(nullif(g.m -> 'metadata', 'null'), '{}') || case when g.m -> 'foreign' = 'true' then '{"foreign": true}' else '{}' end::jsonb, '{}'),
      nullif(g.m ->> 'token', ''), coalesce(nullif(least(greatest((g.m ->> 'tokens')::numeric, 0), 10000000)::int, 0), 4 + (octet_length(g.m ->> 'text') + 3) / 4)
    from jsonb_array_elements(p_list) with ordinality g (m, n)
    returning seq, content, tokens)
  select s.last_seq + count(*), s.message_count + count(*), least(s.estimated_tokens + coalesce(sum(a.tokens), 0), 2000000000), (array_agg(a.content order by a.seq desc))[1]
  into s.last_seq, s.message_count, s.estimated_tokens, v_text from added a;
  if v_text is null then
    return s;
  end if;
  if s.title = '' and not s.titled_by_person then
    s.title := coalesce((select left(g.m ->> 'title', 200) from jsonb_array_elements(p_list) with ordinality g (m, n)
      where g.m ->> 'role' = 'user' and coalesce(g.m ->> 'title', '') <> '' order by g.n limit 1), '');
  end if;
  update public.chat_sessions c
  set last_seq = s.last_seq, message_count = s.message_count, estimated_tokens = s.estimated_tokens,
      last_message_preview = app.preview(v_text), last_message_at = clock_timestamp(), title = s.title
  where c.org_id = s.org_id and c.id = s.id
  returning * into s;
  return s;
end $$;

-- The first words of a message, in one line, without tables and marks for their
-- looks. Tables go first and alone: an expression with branches is greedy.
create function app.preview(p_text text) returns text
language sql immutable set search_path = '' as $$
  select left(btrim(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(left(p_text, 8000), '<table.*?</table>', ' ', 'g'),
    '<[^>]*(>|$)', ' ', 'g'), '\*\*|__|`|^#+ |\[\[[^]]*\]\]', '', 'gn'), '\s+', ' ', 'g')), 140)
$$;

-- Marks the live messages of that span as replaced. A summary that covered one of
-- them goes with them.
-- The conversation is called by its first message; when that is replaced, what takes
-- its place names it, unless a person did.
create function app.supersede(s public.chat_sessions, p_from int, p_to int) returns public.chat_sessions
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
  set message_count = c.message_count - v_count, estimated_tokens = greatest(c.estimated_tokens - v_tokens, 0),
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

-- What the caller's turn is called in a conversation. Clients choose the names,
-- so another person's may have the same one; no other user answers it.
create function app.turn_of(s public.chat_sessions, p_turn text) returns text
language sql stable security definer set search_path = '' as $$
  select case when exists (select from public.chat_messages m
      where m.org_id = s.org_id and m.session_id = s.id and m.turn = p_turn and m.role = 'user' and m.user_id <> auth.uid())
    then p_turn || ' ' || auth.uid() else nullif(p_turn, '') end
$$;

-- A turn begins. p: {"assistant","prefix","entityId","thread","projectId","createProject","turn","messageId","replaces",
-- "text","title","foreign","tokens","metadata"}; "replaces" is the id of the message from which on this one stands instead. A
-- message without text is one if its metadata has "files". The same turn again changes nothing. A message that is sent again as
-- it is gets another answer.
create function app.record_message(p_org uuid, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_turn text;
  v_text constant text := coalesce(p ->> 'text', '');
  entered record;
  s public.chat_sessions;
  m public.chat_messages;
  v_named public.chat_messages;
  v_from int;
begin
  select * into entered from app.enter_conversation(p_org, p);
  s := entered.s;
  v_turn := app.turn_of(s, p ->> 'turn');
  -- One that was replaced since is not said anew because it comes late once more.
  select * into m from public.chat_messages x
  where x.org_id = p_org and x.session_id = s.id and (x.turn = v_turn or v_turn = any (x.earlier_turns))
    and x.role = 'user' and (x.superseded_at is null or x.content = v_text)
  order by x.superseded_at nulls first limit 1;
  if m.id is null or m.content <> v_text and nullif(p ->> 'replaces', '') is not null then
    select * into m from public.chat_messages x
    where x.org_id = p_org and x.session_id = s.id and x.client_id = nullif(p ->> 'messageId', '') and x.superseded_at is null
      and x.role = 'user' and x.user_id = auth.uid() and x.content = v_text;
    select * into v_named from public.chat_messages x
    where x.org_id = p_org and x.session_id = s.id and x.superseded_at is null
      and (x.client_id = nullif(p ->> 'replaces', '') or x.id = app.uuid_of(p ->> 'replaces'))
      and (x.role = 'assistant' or x.user_id = auth.uid())
      -- What others have said since stays: then it is a new message.
      and not exists (select from public.chat_messages y
        where y.org_id = p_org and y.session_id = s.id and y.seq >= x.seq and y.role = 'user' and y.superseded_at is null
          and y.user_id is distinct from auth.uid())
    order by x.seq limit 1;
    if v_named.id is not null then
      v_from := v_named.seq + case when v_named.id = m.id then 1 else 0 end;
      s := app.supersede(s, v_from, s.last_seq);
      m := case when m.seq < v_from then m end;
    elsif m.id is not null then
      s := app.supersede(s, m.seq + 1, coalesce((select min(x.seq) - 1 from public.chat_messages x
        where x.org_id = p_org and x.session_id = s.id and x.seq > m.seq and x.role = 'user' and x.superseded_at is null), s.last_seq));
    end if;
    if m.id is not null then
      update public.chat_messages x
      set turn = v_turn, earlier_turns = (array_remove(array_remove(array_prepend(x.turn, x.earlier_turns), v_turn), null))[1:50]
      where x.org_id = p_org and x.id = m.id and not exists (select from public.chat_messages y
        where y.org_id = p_org and y.session_id = s.id and y.turn = v_turn and y.role = 'user' and y.superseded_at is null);
    elsif btrim(v_text) <> '' or jsonb_array_length(coalesce(nullif(p -> 'metadata' -> 'files', 'null'), '[]')) > 0 then
      s := app.add_messages(s, jsonb_build_array(app.with_free_names(s, p || jsonb_build_object('role', 'user', 'turn', v_turn))), app.person_name(p_org, auth.uid()));
    end if;
  end if;
  return jsonb_build_object('id', s.id, 'number', s.number, 'code', app.chat_code(s.prefix, s.number), 'title', s.title, 'isNew', entered.is_new,
    'projectId', s.project_id, 'seq', s.last_seq, 'messageCount', s.message_count, 'version', s.version, 'summaryThrough', s.summary_through);
end $$;

create function public.conversation_say(p jsonb) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.record_message(app.proven_org(), p) $$;

-- A turn's answer: {"id","turn","text","agent","label","toolCalls","processing","metadata","token","tokens"}. The same turn
-- again changes nothing. It is kept even if the conversation was deleted, or the person left it, while the turn ran.
-- A turn may still run when its question is edited, or asked again in another turn:
-- then its answer is kept, and not shown or counted; the later one stands.
create function app.record_answer(p_org uuid, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions;
  v_turn text;
  v_replaced boolean;
begin
  select * into s from public.chat_sessions c where c.org_id = p_org and c.id = app.uuid_of(p ->> 'id') for no key update;
  v_turn := app.turn_of(s, p ->> 'turn');
  if s.id is null or not app.takes_part(p_org, s.id) and not exists (
    select from public.chat_messages m where m.org_id = p_org and m.session_id = s.id and m.turn = v_turn and m.user_id = auth.uid()) then
    raise sqlstate 'PT404' using message = 'conversation_not_found', detail = 'There is no such conversation of yours.';
  end if;
  select count(*) > 0 and not coalesce(bool_or(m.turn = v_turn and m.superseded_at is null), false) into v_replaced
  from public.chat_messages m
  where m.org_id = p_org and m.session_id = s.id and m.role = 'user' and (m.turn = v_turn or v_turn = any (m.earlier_turns));
  if not exists (select from public.chat_messages m where m.org_id = p_org and m.session_id = s.id and m.turn = v_turn
    and m.role = 'assistant' and (m.superseded_at is null or v_replaced)) then
    s := app.add_messages(s, jsonb_build_array(app.with_free_names(s, p || jsonb_build_object('role', 'assistant', 'messageId', v_turn, 'turn', v_turn))), '');
    if v_replaced then
      s := app.supersede(s, s.last_seq, s.last_seq);
    end if;
  end if;
  return jsonb_build_object('seq', s.last_seq, 'messageCount', s.message_count, 'estimatedTokens', s.estimated_tokens);
end $$;

create function public.conversation_answer(p jsonb) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.record_answer(app.proven_org(), p) $$;

-- Adds the messages of a history that are not stored yet: all of them or none.
-- p: {"id","messages":[{"role","messageId","text",…}]}, oldest first, members as
-- in conversation_say and conversation_answer. A message is known by its id, or
-- by standing at the same place with the same words.
-- What was replaced since is known, too: a history that another device still holds
-- must not bring it back.
create function public.conversation_append(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  s public.chat_sessions := app.conversation_locked(v_org, p ->> 'id');
  v_before constant int := s.message_count;
  v_marks text[]; -- what is stored, in its order
  v_ids jsonb;    -- its names, as members
  v_new jsonb;
begin
  if jsonb_array_length(p -> 'messages') > 2000 then
    raise sqlstate 'PT422' using message = 'too_many_messages', detail = 'At most 2000 messages are taken at once.';
  end if;
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

revoke execute on all routines in schema app from public;
revoke execute on function public.conversation_say(jsonb), public.conversation_answer(jsonb),
  public.conversation_append(jsonb) from public, anon, service_role;
grant execute on function public.conversation_say(jsonb), public.conversation_answer(jsonb),
  public.conversation_append(jsonb) to authenticated;
