-- Reading conversations: one, a page of them, a page of messages, and what a
-- turn needs to go on. All of it for those who take part, and by indexes that
-- row policies would forbid.

-- A conversation as its people see it; p_whole adds what lists do without.
create function app.conversation_json(s public.chat_sessions, p_whole boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', s.id, 'code', app.chat_code(s.prefix, s.number), 'number', s.number, 'title', s.title,
      'preview', s.last_message_preview, 'assistant', s.assistant, 'thread', s.thread,
      'entity', (select e.key from public.entities e where e.org_id = s.org_id and e.id = s.entity_id),
      'projectId', s.project_id, 'phase', s.phase, 'messageCount', s.message_count, 'estimatedTokens', s.estimated_tokens,
      'people', coalesce((select jsonb_agg(app.person_name(s.org_id, p.user_id) order by p.added_at, p.user_id)
        from public.chat_people p join public.memberships m on m.org_id = p.org_id and m.user_id = p.user_id
        where p.org_id = s.org_id and p.session_id = s.id and p.left_at is null), '[]'),
      'mine', s.user_id = auth.uid(), 'version', s.version, 'createdAt', s.created_at, 'updatedAt', s.updated_at,
      'lastMessageAt', s.last_message_at, 'deletedAt', s.deleted_at)
    || case when p_whole then jsonb_build_object('extractedData', s.extracted_data, 'summary', coalesce(s.session_summary, ''), 'keyFacts', s.key_facts,
      'summaryThrough', s.summary_through, 'summaryToken', coalesce(s.summary_token, ''), 'summaryAt', s.summary_at, 'summaryState', s.summary_state)
      else '{}' end
$$;

create function app.message_json(m public.chat_messages) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', coalesce(m.client_id, m.id::text), 'seq', m.seq, 'role', m.role, 'text', m.content,
    'userId', coalesce(m.user_id::text, ''), 'name', coalesce(m.user_display_name, ''), 'turn', coalesce(m.turn, ''), 'agent', coalesce(m.agent, ''),
    'label', coalesce(m.label, ''), 'toolCalls', m.tool_calls, 'processing', m.processing_metadata, 'metadata', m.metadata,
    'token', coalesce(m.token, ''), 'tokens', m.tokens, 'createdAt', m.created_at)
$$;

-- As app.conversation_locked, for looking.
create function app.conversation_seen(p_org uuid, p_id text, p_deleted boolean default false) returns public.chat_sessions
language plpgsql stable security definer set search_path = '' as $$
declare
  s public.chat_sessions;
begin
  select * into s from public.chat_sessions c where c.org_id = p_org and c.id = app.uuid_of(p_id);
  if not found or not app.takes_part(p_org, s.id) or not app.has_assistant(p_org, s.assistant) then
    raise sqlstate 'PT404' using message = 'conversation_not_found', detail = 'There is no such conversation of yours.';
  end if;
  if s.deleted_at is not null and not p_deleted then
    perform app.say_deleted();
  end if;
  return s;
end $$;

-- One conversation, deleted or not: participants may look whether to restore it.
create function public.conversation_details(p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.conversation_json(app.conversation_seen(app.member_org(), p_id, true), true);
end $$;

-- The live messages before a seq (null: the last ones), as many as asked for and
-- as fit into 3 MiB, oldest first, and the seq before which the next page ends:
-- {"messages":[…],"next"}.
create function public.conversation_messages(p_id text, p_before int default null, p_limit int default 50) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  s public.chat_sessions := app.conversation_seen(app.member_org(), p_id);
begin
  return app.message_page(s, p_before, least(greatest(coalesce(p_limit, 50), 1), 500), null, 0);
end $$;

-- The last p_limit live messages before a seq of which the newest p_sure, and
-- then as many as stay within p_budget tokens. Never more than 3 MiB, never none.
create function app.message_page(s public.chat_sessions, p_before int, p_limit int, p_budget int, p_sure int) returns jsonb
language sql stable security definer set search_path = '' as $$
  with newest as (
    select m.seq, row_number() over w as place, sum(m.tokens) over w as tokens,
      sum(octet_length(m.content) + coalesce(octet_length(m.token), 0) + coalesce(octet_length(m.metadata::text), 0) + 300) over w as bytes
    from (select * from public.chat_messages x
      where x.org_id = s.org_id and x.session_id = s.id and x.superseded_at is null and (p_before is null or x.seq < p_before)
      order by x.seq desc limit p_limit) m
    window w as (order by m.seq desc)),
  page as (
    select n.seq from newest n
    where n.place = 1 or n.bytes <= 3145728 and (p_budget is null or n.place <= p_sure or n.tokens <= p_budget)),
  oldest as (select min(g.seq) as seq from page g)
  select jsonb_build_object(
    'messages', coalesce((select jsonb_agg(app.message_json(m) order by m.seq) from public.chat_messages m
      where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null and m.seq >= o.seq and (p_before is null or m.seq < p_before)), '[]'),
    'next', case when exists (select from public.chat_messages m
      where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null and m.seq < o.seq) then o.seq end)
  from oldest o
$$;

-- What is needed to go on with a conversation, in one reading:
-- {"conversation","project","messages","next"}. Messages as in app.message_page.
-- Raises PT404 'project_not_found' when it is not the conversation's project.
create function public.conversation_context(p_id text, p_project text default '', p_most int default 1000, p_budget int default 30000, p_sure int default 10)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  s public.chat_sessions := app.conversation_seen(v_org, p_id);
begin
  if p_project <> '' and (app.project_of(v_org, p_project)).id is distinct from s.project_id then
    raise sqlstate 'PT404' using message = 'project_not_found', detail = 'This conversation does not belong to that project.';
  end if;
  return app.message_page(s, null, least(greatest(p_most, 1), 2000), p_budget, p_sure) || jsonb_build_object(
    'conversation', app.conversation_json(s, true),
    'project', (select app.project_json(j) from public.projects j where j.org_id = v_org and j.id = s.project_id));
end $$;

-- The caller's conversations, those with the newest messages first. p: {"assistant","entityId","query","deleted","limit",
-- "until","at","after"}. Answer: {"conversations":[…],"until","next":{"at","after"}|null}. Pages show the list as it was at
-- the time "until", which the first page chooses: a conversation that gets a message meanwhile stays where it was.
create function public.conversation_list(p jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  v_org constant uuid := app.member_org();
  v_me constant uuid := auth.uid();
  v_until constant timestamptz := coalesce((p ->> 'until')::timestamptz, clock_timestamp());
  v_at constant timestamptz := (p ->> 'at')::timestamptz;
  v_after constant uuid := app.uuid_of(p ->> 'after');
  v_entity constant uuid := app.uuid_of(p ->> 'entityId');
  v_assistant constant text := nullif(p ->> 'assistant', '');
  v_assistants constant text[] := app.assistants_of(v_org);
  v_deleted constant boolean := coalesce((p ->> 'deleted')::boolean, false);
  v_limit constant int := least(greatest(coalesce((p ->> 'limit')::int, 30), 1), 100);
  v_query constant text := nullif(btrim(p ->> 'query'), '');
  v_like constant text := '%' || replace(replace(replace(v_query, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_number constant int := (substring(v_query from '^#?(?:[A-Za-z]{1,6}-)?0*([0-9]{1,9})$'))::int;
  v_found uuid[];
  v_few boolean;
  v_rows jsonb[];
  v_keys jsonb[];
begin
  if v_query is not null then
    select f.ids, f.few into v_found, v_few from app.conversations_with(v_org, v_query, v_like) f;
  end if;
  with mine as (
    select c.id, c.last_message_at as at from public.chat_sessions c
    where c.org_id = v_org and c.last_message_at <= v_until and (v_at is null or (c.last_message_at, c.id) < (v_at, v_after))
      and (c.deleted_at is not null) = v_deleted
      and c.assistant = any (v_assistants) and (v_assistant is null or c.assistant = v_assistant) and (v_entity is null or c.entity_id = v_entity)
      and exists (select from public.chat_people q where q.org_id = v_org and q.session_id = c.id and q.user_id = v_me and q.left_at is null)
      and (v_query is null or c.title ilike v_like or c.number = v_number or v_few and c.id = any (v_found)
        -- Not "exists", which might read all messages of all people once; so it ends with the page.
        or not v_few and (select true from public.chat_messages m
          where m.org_id = v_org and m.session_id = c.id and m.superseded_at is null and m.content ilike v_like limit 1))
    order by c.last_message_at desc, c.id desc limit v_limit + 1),
  -- Those that have moved to the top since the first page stand where they stood.
  moved as (
    select c.id, greatest(c.created_at, (select max(m.created_at) from public.chat_messages m
      where m.org_id = v_org and m.session_id = c.id and m.created_at <= v_until)) as at
    from public.chat_sessions c
    where p ->> 'until' is not null and c.org_id = v_org and c.last_message_at > v_until and c.created_at <= v_until
      and (c.deleted_at is not null) = v_deleted
      and c.assistant = any (v_assistants) and (v_assistant is null or c.assistant = v_assistant) and (v_entity is null or c.entity_id = v_entity)
      and exists (select from public.chat_people q where q.org_id = v_org and q.session_id = c.id and q.user_id = v_me and q.left_at is null)
      and (v_query is null or c.title ilike v_like or c.number = v_number or exists (select from public.chat_messages m
          where m.org_id = v_org and m.session_id = c.id and m.superseded_at is null and m.content ilike v_like))),
  page as (
    select u.id, u.at from (select * from mine union all select * from moved w where v_at is null or (w.at, w.id) < (v_at, v_after)) u
    order by u.at desc, u.id desc limit v_limit + 1)
  select array_agg(app.conversation_json(c, false) order by g.at desc, g.id desc), array_agg(jsonb_build_object('at', g.at, 'after', g.id) order by g.at desc, g.id desc)
  into v_rows, v_keys
  from page g join public.chat_sessions c on c.org_id = v_org and c.id = g.id;
  return jsonb_build_object('conversations', coalesce(to_jsonb(v_rows[1:v_limit]), '[]'), 'until', v_until,
    'next', case when cardinality(v_rows) > v_limit then v_keys[v_limit] end);
end $$;

-- The conversations that have a message with these words, if they are few and an
-- index can find them; the caller checks who takes part. Words without three
-- letters or digits in a row, and words that many messages share, are quicker
-- found by reading one's own.
create function app.conversations_with(p_org uuid, p_query text, p_like text, out ids uuid[], out few boolean)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  v_found uuid[];
begin
  few := false;
  if p_query ~ '[[:alnum:]]{3}' then
    v_found := array(select m.session_id from public.chat_messages m
      where m.org_id = p_org and m.superseded_at is null and m.content ilike p_like limit 1001);
    few := cardinality(v_found) <= 1000;
    ids := case when few then v_found end;
  end if;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.conversation_details(text), public.conversation_messages(text, int, int),
  public.conversation_context(text, text, int, int, int), public.conversation_list(jsonb)
   from public, anon, service_role;
grant execute on function public.conversation_details(text), public.conversation_messages(text, int, int),
  public.conversation_context(text, text, int, int, int), public.conversation_list(jsonb) to authenticated;
