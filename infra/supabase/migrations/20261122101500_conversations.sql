-- Conversations as they are stored: for lists, other devices, several people,
-- summaries and files. Only those who take part in one see it.
--
-- Only definer functions write these tables: those of the next three
-- files, of the summaries and of the clean-up. A stored answer carries a token
-- that only the server can make (see pkg/history); without a valid one it is
-- text without authority.

create table public.chat_counters (
  org_id uuid not null references public.orgs (id),
  entity_id uuid,
  assistant text not null,
  last int not null check (last > 0),
  unique nulls not distinct (org_id, entity_id, assistant),
  foreign key (org_id, entity_id) references public.entities (org_id, id)
);

create table public.chat_sessions (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  assistant text not null check (length(assistant) between 1 and 120),
  entity_id uuid,
  project_id uuid,
  -- Whose it is. The owner takes part for good.
  user_id uuid not null,
  -- What the owner's client calls it.
  thread text not null check (length(thread) between 1 and 200),
  prefix text not null default 'C' check (prefix ~ '^[A-Z]{1,6}$'),
  number int not null check (number > 0),
  title text not null default '' check (length(title) <= 200),
  titled_by_person boolean not null default false,
  phase text not null default '' check (length(phase) <= 80),
  extracted_data jsonb not null default '{}' check (jsonb_typeof(extracted_data) = 'object' and octet_length(extracted_data::text) <= 262144),
  mode text, -- not read or written any more
  -- Both count what is live; last_seq counts what was replaced, too.
  message_count int not null default 0,
  estimated_tokens int not null default 0,
  last_seq int not null default 0,
  session_summary text check (octet_length(session_summary) <= 262144),
  key_facts jsonb,
  summary_through int not null default 0, -- the seq of the last message that it covers
  summary_token text,
  summary_at timestamptz,
  summary_state text not null default 'none' check (summary_state in ('none', 'queued', 'running', 'done', 'failed')),
  last_message_preview text not null default '',
  last_message_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  -- Counts changes, not messages: two tabs that only talk do not conflict.
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, user_id, assistant, thread),
  unique nulls not distinct (org_id, assistant, entity_id, number),
  foreign key (org_id, entity_id) references public.entities (org_id, id),
  foreign key (org_id, project_id) references public.projects (org_id, id) on delete set null (project_id)
);
create unique index chat_sessions_of_project on public.chat_sessions (org_id, project_id, assistant)
  where project_id is not null and deleted_at is null;
create index chat_sessions_recent on public.chat_sessions (org_id, last_message_at desc, id desc);
create index chat_sessions_unsummarised on public.chat_sessions (last_message_at) where deleted_at is null and last_seq >= summary_through + 6;

create table public.chat_people (
  org_id uuid not null,
  session_id uuid not null,
  user_id uuid not null,
  added_by uuid not null,
  added_at timestamptz not null default clock_timestamp(),
  left_at timestamptz,
  primary key (org_id, session_id, user_id),
  foreign key (org_id, session_id) references public.chat_sessions (org_id, id) on delete cascade
);
create index chat_people_of_user on public.chat_people (org_id, user_id, session_id) where left_at is null;

create table public.chat_messages (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  seq int not null check (seq > 0),
  role text not null check (role in ('user', 'assistant')),
  content text not null check (octet_length(content) <= 1048576),
  user_id uuid,
  user_display_name text,
  client_id text check (length(client_id) between 1 and 240),
  turn text check (length(turn) between 1 and 240),
  -- The turns in which a message was asked before the one that answers it now.
  earlier_turns text[] not null default '{}',
  agent text check (length(agent) <= 120),
  label text check (length(label) <= 200),
  tool_calls jsonb check (octet_length(tool_calls::text) <= 1048576),
  processing_metadata jsonb check (octet_length(processing_metadata::text) <= 1048576),
  metadata jsonb check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 4194304),
  token text check (length(token) <= 262144),
  tokens int not null default 0 check (tokens between 0 and 10000000),
  -- Edited and sent again, or answered anew: kept, and no longer a part of it.
  superseded_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  unique (org_id, session_id, seq),
  foreign key (org_id, session_id) references public.chat_sessions (org_id, id) on delete cascade
);
-- Of each role, so that no message takes the name that an answer is to have.
create unique index chat_messages_client on public.chat_messages (org_id, session_id, client_id, role) where superseded_at is null;
create unique index chat_messages_turn on public.chat_messages (org_id, session_id, turn, role) where superseded_at is null;
create index chat_messages_words on public.chat_messages using gin (content extensions.gin_trgm_ops) where superseded_at is null;

-- The conversations in which the caller takes part, with assistants that the
-- organisation has. Row policies ask it once per statement.
create function app.my_conversations() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select p.session_id from public.chat_people p
  join public.chat_sessions s on s.org_id = p.org_id and s.id = p.session_id
  where p.org_id = app.org_id() and p.user_id = auth.uid() and p.left_at is null and s.assistant in (select app.my_assistants())
$$;

call app.control_table('chat_counters');
call app.control_table('chat_sessions');
call app.names_assistants('chat_sessions');
grant select on public.chat_sessions to authenticated;
create policy people_read on public.chat_sessions for select to authenticated
  using (org_id = (select app.org_id()) and id in (select app.my_conversations()));
call app.control_table('chat_people');
grant select on public.chat_people to authenticated;
create policy people_read on public.chat_people for select to authenticated
  using (org_id = (select app.org_id()) and session_id in (select app.my_conversations()));
call app.control_table('chat_messages');
grant select on public.chat_messages to authenticated;
create policy people_read on public.chat_messages for select to authenticated
  using (org_id = (select app.org_id()) and session_id in (select app.my_conversations()));

-- "#SC-0001": how people call a conversation.
create function app.chat_code(p_prefix text, p_number int) returns text
language sql immutable set search_path = '' as $$
  select '#' || p_prefix || '-' || lpad(p_number::text, greatest(4, length(p_number::text)), '0')
$$;

-- The audit of a conversation holds no words of it: who renamed, deleted and
-- restored it, and that it was cleaned up.
create function app.audit_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.audit (org_id, user_id, role, table_name, row_id, row_key, action, before, after)
  values (old.org_id, auth.uid(), coalesce(app.org_role(), auth.role(), session_user::text), tg_table_name, old.id,
    app.chat_code(old.prefix, old.number), lower(tg_op),
    jsonb_build_object('org_id', old.org_id, 'title', case when old.titled_by_person then old.title end, 'deleted_at', old.deleted_at, 'version', old.version),
    case when tg_op = 'UPDATE' then jsonb_build_object('org_id', new.org_id, 'title', case when new.titled_by_person then new.title end, 'deleted_at', new.deleted_at, 'version', new.version) end);
  return null;
end $$;
create trigger audit_change after update on public.chat_sessions for each row
  when (new.titled_by_person and old.title <> new.title or old.deleted_at is distinct from new.deleted_at)
  execute function app.audit_conversation();
create trigger audit_delete after delete on public.chat_sessions for each row execute function app.audit_conversation();
create trigger audit after insert or update or delete on public.chat_people for each row execute function app.audit();

-- Conversations with all that is live in them, oldest message first, as the
-- caller's row policies let them be seen.
create view public.unified_conversations with (security_invoker = true) as
select s.org_id, s.id, s.entity_id, s.assistant, s.title as chat_name, s.number as chat_number, app.chat_code(s.prefix, s.number) as chat_code,
  s.message_count, s.last_message_preview, s.last_message_at, s.project_id, s.deleted_at, s.version, s.created_at, s.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('id', coalesce(m.client_id, m.id::text), 'role', m.role, 'content', m.content, 'user_id', m.user_id,
      'user_display_name', m.user_display_name, 'created_at', m.created_at) order by m.seq), '[]')
   from public.chat_messages m where m.org_id = s.org_id and m.session_id = s.id and m.superseded_at is null) as messages
from public.chat_sessions s;
revoke all on public.unified_conversations from public, anon, authenticated, service_role;
grant select on public.unified_conversations to authenticated;

revoke execute on all routines in schema app from public;
grant execute on function app.my_conversations(), app.chat_code(text, int) to authenticated;
