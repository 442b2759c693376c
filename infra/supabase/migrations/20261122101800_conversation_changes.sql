-- Changing conversations: what they are called and where they stand, who takes
-- part, what sums them up, and how they end.

-- One document merged into another, as RFC 7396 says: null removes a member.
create function app.merge_patch(p_into jsonb, p_patch jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v_out jsonb := case when jsonb_typeof(p_into) = 'object' then p_into else '{}' end;
  v_key text;
  v_value jsonb;
begin
  if jsonb_typeof(p_patch) is distinct from 'object' then
    return p_patch;
  end if;
  for v_key, v_value in select e.key, e.value from jsonb_each(p_patch) e loop
    v_out := case when v_value = 'null' then v_out - v_key
                  else jsonb_set(v_out, array[v_key], app.merge_patch(v_out -> v_key, v_value)) end;
  end loop;
  return v_out;
end $$;

-- Opens a conversation without a message: gets it or makes it. p as in
-- conversation_say, where "title" is a person's choice. With a "projectId" it is
-- the project's one. Answer: {"conversation","isNew"}.
create function public.conversation_open(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
  entered record;
  s public.chat_sessions;
begin
  select * into entered from app.enter_conversation(v_org, p);
  s := entered.s;
  if entered.is_new and nullif(p ->> 'title', '') is not null then
    update public.chat_sessions c set title = p ->> 'title', titled_by_person = true where c.org_id = v_org and c.id = s.id returning * into s;
  end if;
  return jsonb_build_object('conversation', app.conversation_json(s, true), 'isNew', entered.is_new);
end $$;

-- Changes title, phase, or extracted data, which are merged, of the version that
-- the caller saw. Answer: {"conversation","changed"}; when another user was
-- quicker nothing is changed, and "conversation" is what is there now.
create function public.conversation_change(p_id text, p_version int, p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions := app.conversation_locked(app.proven_org(), p_id);
begin
  if s.version is distinct from p_version then
    return jsonb_build_object('conversation', app.conversation_json(s, true), 'changed', false);
  end if;
  update public.chat_sessions c
  set title = coalesce(p ->> 'title', c.title), titled_by_person = c.titled_by_person or p ? 'title', phase = coalesce(p ->> 'phase', c.phase),
      extracted_data = case when p ? 'extractedData' then app.merge_patch(c.extracted_data, p -> 'extractedData') else c.extracted_data end,
      version = c.version + 1, updated_at = clock_timestamp()
  where c.org_id = s.org_id and c.id = s.id returning * into s;
  return jsonb_build_object('conversation', app.conversation_json(s, true), 'changed', true);
end $$;

-- Deletes or restores a conversation; for its owner, and for a project's also
-- for those who may change projects. One whose owner has left the organisation is
-- everybody's who takes part. Twice is once. Raises PT403 'not_yours',
-- and PT409 'project_taken' when the project has another one by now.
create function app.set_deleted(p_id text, p_deleted boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions := app.conversation_locked(app.proven_org(), p_id, true);
begin
  if s.user_id <> auth.uid() and (s.project_id is null or app.org_role() not in ('admin', 'manager'))
    and exists (select from public.memberships m where m.org_id = s.org_id and m.user_id = s.user_id) then
    raise sqlstate 'PT403' using message = 'not_yours', detail = 'Only the person who began this conversation may do that.';
  end if;
  if not p_deleted and s.project_id is not null then
    -- A caller who makes a conversation for the project meanwhile comes before or after.
    perform from public.projects j where j.org_id = s.org_id and j.id = s.project_id for no key update;
  end if;
  if (s.deleted_at is not null) <> p_deleted then
    update public.chat_sessions c set deleted_at = case when p_deleted then clock_timestamp() end, version = c.version + 1, updated_at = clock_timestamp()
    where c.org_id = s.org_id and c.id = s.id returning * into s;
  end if;
  return app.conversation_json(s, true);
exception when unique_violation then
  raise sqlstate 'PT409' using message = 'project_taken', detail = 'The project has another conversation by now. Delete that one first.';
end $$;

create function public.conversation_delete(p_id text) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.set_deleted(p_id, true) $$;

create function public.conversation_restore(p_id text) returns jsonb
language sql volatile security definer set search_path = '' as $$ select app.set_deleted(p_id, false) $$;

-- Who takes part: [{"name","email","owner","me"}], the owner first.
create function app.people_json(s public.chat_sessions) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('name', app.person_name(s.org_id, p.user_id), 'email', case when m.kind = 'person' then coalesce(u.email, '') else '' end,
      'owner', p.user_id = s.user_id, 'me', p.user_id = auth.uid()) order by p.user_id <> s.user_id, p.added_at, p.user_id), '[]')
  from public.chat_people p
  join public.memberships m on m.org_id = p.org_id and m.user_id = p.user_id
  join auth.users u on u.id = p.user_id
  where p.org_id = s.org_id and p.session_id = s.id and p.left_at is null
$$;

create function public.conversation_people(p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.people_json(app.conversation_seen(app.member_org(), p_id));
end $$;

-- The member of the organisation with that address. Raises PT404 'unknown_person'.
create function app.member_called(p_org uuid, p_email text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid;
begin
  select m.user_id into v_user from public.memberships m join auth.users u on u.id = m.user_id
  where m.org_id = p_org and m.kind = 'person' and lower(u.email) = lower(btrim(p_email)) and (m.ends_at is null or m.ends_at > now());
  if not found then
    raise sqlstate 'PT404' using message = 'unknown_person', detail = 'Your organisation has nobody with that address.';
  end if;
  return v_user;
end $$;

-- Lets a colleague take part. Every participant may.
create function public.conversation_people_add(p_id text, p_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions := app.conversation_locked(app.proven_org(), p_id);
begin
  perform app.join_conversation(s.org_id, s.id, app.member_called(s.org_id, p_email), auth.uid());
  return app.people_json(s);
end $$;

-- Ends a participation: the owner may remove others, every other participant may leave.
-- Raises PT403 'not_yours', PT422 'owner_stays'.
create function public.conversation_people_remove(p_id text, p_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  s public.chat_sessions := app.conversation_locked(app.proven_org(), p_id);
  v_user constant uuid := app.member_called(s.org_id, p_email);
begin
  if v_user = s.user_id then
    raise sqlstate 'PT422' using message = 'owner_stays', detail = 'Whoever began a conversation stays in it.';
  end if;
  if v_user <> auth.uid() and s.user_id <> auth.uid() then
    raise sqlstate 'PT403' using message = 'not_yours', detail = 'Only the person who began this conversation may send others away.';
  end if;
  update public.chat_people p set left_at = clock_timestamp()
  where p.org_id = s.org_id and p.session_id = s.id and p.user_id = v_user and p.left_at is null;
  return app.people_json(s);
end $$;

-- Keeps a summary, when it covers more than the one that is there. p: {"summary","keyFacts","through","token",
-- "projectSummary","projectMemory"}; what a project remembers is merged. Answer: {"written","through","version"}. A caller who
-- calls it checks for whom it acts.
create function app.store_summary(s public.chat_sessions, p jsonb, p_project boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_through constant int := coalesce((p ->> 'through')::int, 0);
begin
  if v_through > s.last_seq then
    raise sqlstate 'PT422' using message = 'bad_summary', detail = 'A summary cannot cover messages that are not there.';
  end if;
  if v_through <= s.summary_through then
    return jsonb_build_object('written', false, 'through', s.summary_through, 'version', s.version);
  end if;
  update public.chat_sessions c
  set session_summary = p ->> 'summary', key_facts = coalesce(nullif(p -> 'keyFacts', 'null'), c.key_facts), summary_through = v_through,
      summary_token = nullif(p ->> 'token', ''), summary_at = clock_timestamp(), summary_state = 'done', version = c.version + 1, updated_at = clock_timestamp()
  where c.org_id = s.org_id and c.id = s.id returning * into s;
  if p_project then
    update public.projects j
    set conversation_summary = coalesce(nullif(p ->> 'projectSummary', ''), j.conversation_summary),
        ai_memory = case when jsonb_typeof(p -> 'projectMemory') = 'object' then app.merge_patch(j.ai_memory, p -> 'projectMemory') else j.ai_memory end
    where j.org_id = s.org_id and j.id = s.project_id
      and (coalesce(p ->> 'projectSummary', '') <> '' or jsonb_typeof(p -> 'projectMemory') = 'object');
  end if;
  return jsonb_build_object('written', true, 'through', s.summary_through, 'version', s.version);
end $$;

-- Deletes for good what was deleted so many days ago (null: never), or was silent
-- for that long and has no participant of the organisation left in it, and returns how
-- many conversations.
create function app.clean_up_conversations(p_days int default 90, p_batch int default 500) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_before constant timestamptz := clock_timestamp() - greatest(p_days, 1) * interval '1 day';
  v_count int;
begin
  delete from public.chat_sessions s using (
    select c.org_id, c.id from public.chat_sessions c
    where p_days is not null and (c.deleted_at < v_before or c.last_message_at < v_before and not exists (
      select from public.chat_people p join public.memberships m on m.org_id = p.org_id and m.user_id = p.user_id
      where p.org_id = c.org_id and p.session_id = c.id and p.left_at is null))
    limit p_batch) old
  where s.org_id = old.org_id and s.id = old.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

revoke execute on all routines in schema app from public;
revoke execute on function public.conversation_open(jsonb), public.conversation_change(text, int, jsonb),
  public.conversation_delete(text), public.conversation_restore(text), public.conversation_people(text),
  public.conversation_people_add(text, text), public.conversation_people_remove(text, text)
   from public, anon, service_role;
grant execute on function public.conversation_open(jsonb), public.conversation_change(text, int, jsonb),
  public.conversation_delete(text), public.conversation_restore(text), public.conversation_people(text),
  public.conversation_people_add(text, text), public.conversation_people_remove(text, text) to authenticated;
