-- Projects of a portfolio: a job that was done, what is known of it, its photos, and
-- the states before each change, to which an undo leads back. Members read projects,
-- administrators and managers change them, by these functions alone: what is in a
-- row was checked, and what is published is made of rows.

alter table public.projects
  -- {"street","district","city","region","country"}; column location is what is shown.
  add column place jsonb not null default '{}' check (jsonb_typeof(place) = 'object'
    and octet_length(place::text) <= 4096),
  add column location_detail text not null default 'city'
    check (location_detail in ('none', 'country', 'region', 'city', 'district')),
  add column story jsonb not null default '{}' check (jsonb_typeof(story) = 'object'
    and octet_length(story::text) <= 262144),
  add column materials text[] not null default '{}',
  add column techniques text[] not null default '{}',
  add column tags text[] not null default '{}',
  add column description text not null default '' check (length(description) <= 2000),
  add column seo jsonb not null default '{}' check (jsonb_typeof(seo) = 'object'
    and octet_length(seo::text) <= 4096),
  add column description_blocks jsonb not null default '[]'
    check (jsonb_typeof(description_blocks) = 'array' and octet_length(description_blocks::text) <= 262144),
  -- What was said of people and plates in the photos: {"faces","plates","images"}.
  add column privacy jsonb not null default '{}' check (jsonb_typeof(privacy) = 'object'
    and octet_length(privacy::text) <= 4096),
  -- Of the page, once there was one: see the file of the pages.
  add column slug text check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  add column published_at timestamptz,
  add column published_version int,
  -- What the client called the request that began it.
  add column begin_key text check (length(begin_key) between 1 and 200);
create unique index projects_begun on public.projects (org_id, user_id, begin_key) where begin_key is not null;

drop policy staff_insert on public.projects;
drop policy staff_update on public.projects;
drop policy staff_delete on public.projects;
revoke insert, update, delete on public.projects from authenticated;

-- What a person said, and a client's address, are not kept beyond their row.
drop trigger audit on public.projects;
create trigger audit after insert or update or delete on public.projects
  for each row execute function app.audit('place', 'story');

-- Trigger: as app.touch, but what is remembered of a conversation is no new version
-- of the project, so that a summary never refuses a person's change.
create function app.touch_project() returns trigger
language plpgsql set search_path = '' as $$
declare
  remembered constant text[] := array['conversation_summary', 'ai_context', 'ai_memory'];
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    return new;
  end if;
  if new.org_id <> old.org_id or new.id <> old.id then
    raise sqlstate 'PT422' using message = 'identity_is_fixed',
      detail = 'A row keeps its id and its organisation.';
  end if;
  new.version := old.version;
  new.created_at := old.created_at;
  if (new.conversation_summary, new.ai_context, new.ai_memory)
      is not distinct from (old.conversation_summary, old.ai_context, old.ai_memory)
    or to_jsonb(new) - remembered <> to_jsonb(old) - remembered then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $$;
drop trigger zz_touch on public.projects;
create trigger zz_touch before insert or update on public.projects
  for each row execute function app.touch_project();

-- The photos of projects. code is the id of the upload that the photo was; what is
-- needed to show it is copied, since an upload goes with the person who sent it.
create table public.project_images (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  project_id uuid not null,
  code text not null check (code ~ '^[a-z2-9]{24}$'),
  path text not null check (length(path) between 1 and 200),
  name text not null check (length(name) between 1 and 120),
  alt text not null default '' check (length(alt) <= 200),
  stage text not null default '' check (stage in ('', 'before', 'during', 'after')),
  hero boolean not null default false,
  position int not null,
  state text not null default 'reading' check (state in ('reading', 'ready', 'refused')),
  reason text not null default '' check (length(reason) <= 400),
  width int not null default 0 check (width between 0 and 20000),
  height int not null default 0 check (height between 0 and 20000),
  renditions jsonb not null default '[]'
    check (jsonb_typeof(renditions) = 'array' and octet_length(renditions::text) <= 2000),
  attached_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz, -- an undo may bring it back
  primary key (org_id, id),
  unique (org_id, project_id, code),
  foreign key (org_id, project_id) references public.projects (org_id, id) on delete cascade
);
create index project_images_by_code on public.project_images (org_id, code);
create index project_images_by_path on public.project_images (org_id, path);
call app.control_table('project_images');

-- The state of a project before each of its last changes: what app.project_state
-- returned. version is the one that it had.
create table public.project_revisions (
  org_id uuid not null references public.orgs (id),
  project_id uuid not null,
  version int not null,
  what text not null check (length(what) between 1 and 200), -- what was changed then
  user_id uuid,
  at timestamptz not null default clock_timestamp(),
  state jsonb not null check (octet_length(state::text) <= 786432),
  primary key (org_id, project_id, version),
  foreign key (org_id, project_id) references public.projects (org_id, id) on delete cascade
);
call app.control_table('project_revisions');

-- The caller's organisation, in a request of our functions, for those who may change
-- projects. Raises PT403 'role_required'.
create function app.portfolio_org() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.proven_org();
begin
  if app.org_role() not in ('admin', 'manager') then
    raise sqlstate 'PT403' using message = 'role_required',
      detail = 'Only administrators and managers may change this.';
  end if;
  return v_org;
end $$;

-- A place as it may be shown: at most two parts, the finest first. A street is never
-- one of them.
create function app.place_shown(p_place jsonb, p_detail text) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(part, ', ' order by n), '') from (
    select p_place ->> key as part, n from unnest(case p_detail
      when 'none' then '{}'::text[]
      when 'country' then array['country']
      when 'region' then array['region', 'country']
      when 'district' then array['district', 'city', 'region']
      else array['city', 'region', 'country'] end) with ordinality k (key, n)
    where coalesce(p_place ->> key, '') <> '' order by n limit 2) shown
$$;

-- A text without control characters and blanks around it. Raises PT422 'bad_value'
-- for what is no text, 'too_long' for more than p_most letters.
create function app.clean_text(p_value jsonb, p_most int, p_what text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v text;
begin
  if coalesce(jsonb_typeof(p_value), 'null') = 'null' then
    return '';
  elsif jsonb_typeof(p_value) <> 'string' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = format('The %s is no text.', p_what);
  end if;
  v := regexp_replace(replace(replace(p_value #>> '{}', e'\r\n', e'\n'), e'\r', e'\n'),
    '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]', '', 'g');
  v := btrim(v, e' \t\n');
  if length(v) > p_most then
    raise sqlstate 'PT422' using message = 'too_long',
      detail = format('The %s has %s letters; at most %s are possible.', p_what, length(v), p_most);
  end if;
  return v;
end $$;

-- A list of texts, without empty ones, and each once whatever its case. Raises
-- PT422 'bad_value', 'too_long', 'too_many'.
create function app.clean_list(p_value jsonb, p_most int, p_letters int, p_what text) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
  v text[] := '{}';
  v_one jsonb;
  v_text text;
begin
  if coalesce(jsonb_typeof(p_value), 'null') = 'null' then
    return v;
  elsif jsonb_typeof(p_value) <> 'array' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = format('The %s are no list.', p_what);
  end if;
  for v_one in select e.value from jsonb_array_elements(p_value) e limit 1000 loop
    v_text := app.clean_text(v_one, p_letters, 'entry of the ' || p_what);
    if v_text <> '' and not exists (select from unnest(v) x where lower(x) = lower(v_text)) then
      v := v || v_text;
    end if;
  end loop;
  if cardinality(v) > p_most then
    raise sqlstate 'PT422' using message = 'too_many',
      detail = format('There are %s %s; at most %s are possible.', cardinality(v), p_what, p_most);
  end if;
  return v;
end $$;

-- An object of texts: the members of p_letters, each with its most letters, without
-- empty ones. Raises as app.clean_text.
create function app.clean_texts(p_value jsonb, p_letters jsonb, p_what text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v jsonb := '{}';
  v_key text;
  v_most int;
  v_text text;
begin
  if jsonb_typeof(p_value) is distinct from 'object' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = format('The %s has another form.', p_what);
  end if;
  for v_key, v_most in select e.key, e.value::int from jsonb_each(p_letters) e loop
    v_text := app.clean_text(p_value -> v_key, v_most, p_what || ' (' || v_key || ')');
    if v_text <> '' then
      v := v || jsonb_build_object(v_key, v_text);
    end if;
  end loop;
  return v;
end $$;

-- A story: its texts, the last 20 notes, the questions, and the last 60 facts. Long
-- facts and notes are cut, since what a person said must not fail to be kept.
create function app.clean_story(p_value jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v jsonb := app.clean_texts(p_value, '{"problem": 2000, "challenge": 2000, "solution": 2000, "result": 2000,
    "duration": 200, "completed": 200, "size": 200, "detail": 2000}', 'story');
  v_key text;
  v_texts text[];
  v_list jsonb;
begin
  foreach v_key in array array['asked', 'skipped', 'facts'] loop
    v_texts := app.clean_list(p_value -> v_key, 1000, 20000, v_key || ' of the story');
    select coalesce(jsonb_agg(left(l.text, 500) order by l.n), '[]') into v_list
    from unnest(v_texts) with ordinality l (text, n) where l.n > cardinality(v_texts) - 60;
    if v_list <> '[]' then
      v := v || jsonb_build_object(v_key, v_list);
    end if;
  end loop;
  if jsonb_typeof(p_value -> 'notes') = 'array' then
    select coalesce(jsonb_agg(jsonb_build_object('field', left(app.clean_text(e.value -> 'field', 20000, 'note'), 80),
      'was', left(app.clean_text(e.value -> 'was', 20000, 'note'), 300),
      'is', left(app.clean_text(e.value -> 'is', 20000, 'note'), 300)) order by e.n), '[]') into v_list
    from jsonb_array_elements(p_value -> 'notes') with ordinality e (value, n)
    where e.n > jsonb_array_length(p_value -> 'notes') - 20;
    if v_list <> '[]' then
      v := v || jsonb_build_object('notes', v_list);
    end if;
  end if;
  return v;
end $$;

-- Blocks of a page whose photos are among p_photos. Raises PT422 'bad_blocks', and as
-- app.clean_text.
create function app.clean_blocks(p_value jsonb, p_photos text[]) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v jsonb := '[]';
  v_one jsonb;
  v_block jsonb;
  v_kind text;
  v_items text[];
begin
  if jsonb_typeof(p_value) is distinct from 'array' or jsonb_array_length(p_value) > 40 then
    raise sqlstate 'PT422' using message = 'bad_blocks', detail = 'A page has a list of at most 40 blocks.';
  end if;
  for v_one in select e.value from jsonb_array_elements(p_value) e loop
    v_kind := v_one ->> 'kind';
    if v_kind is null or v_kind not in ('heading', 'paragraph', 'list', 'quote', 'gallery', 'comparison') then
      raise sqlstate 'PT422' using message = 'bad_blocks',
        detail = 'A block is a heading, a paragraph, a list, a quote, a gallery or a comparison.';
    end if;
    v_block := jsonb_build_object('kind', v_kind)
      || app.clean_texts(v_one, jsonb_build_object('text', case v_kind when 'heading' then 200 else 3000 end),
        v_kind);
    if v_kind in ('heading', 'paragraph', 'quote') and not v_block ? 'text' then
      raise sqlstate 'PT422' using message = 'bad_blocks', detail = format('A %s needs a text.', v_kind);
    elsif v_kind in ('list', 'gallery', 'comparison') then
      v_items := app.clean_list(v_one -> 'items', 30, case v_kind when 'list' then 3000 else 24 end,
        'items of a ' || v_kind);
      if cardinality(v_items) = 0 or v_kind = 'comparison' and cardinality(v_items) <> 2 then
        raise sqlstate 'PT422' using message = 'bad_blocks', detail = case v_kind
          when 'comparison' then 'A comparison has two photos, before and after.'
            else format('A %s needs items.', v_kind) end;
      elsif v_kind <> 'list' and not v_items <@ p_photos then
        raise sqlstate 'PT422' using message = 'bad_blocks',
          detail = format('A %s shows photos of the project only.', v_kind);
      end if;
      v_block := v_block || jsonb_build_object('items', v_items);
    end if;
    v := v || jsonb_build_array(v_block);
  end loop;
  return v;
end $$;

-- Blocks without photos that are not among p_photos, and without those that then show
-- too few.
create function app.blocks_with(p_blocks jsonb, p_photos text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(case when b.shows then b.block || jsonb_build_object('items', b.items)
    else b.block end order by b.n), '[]')
  from (
    select e.n, e.block, e.block ->> 'kind' in ('gallery', 'comparison') as shows,
      e.block ->> 'kind' = 'comparison' as two,
      array(select i.id from jsonb_array_elements_text(coalesce(e.block -> 'items', '[]')) with ordinality i (id,
        n)
            where i.id = any (p_photos) order by i.n) as items
    from jsonb_array_elements(p_blocks) with ordinality e (block, n)) b
  where not b.shows or cardinality(b.items) >= case when b.two then 2 else 1 end
$$;

-- The ids of the photos that a project has today, in their order.
create function app.photos_of(p_org uuid, p_project uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(i.code order by i.position, i.attached_at, i.code), '{}') from public.project_images i
  where i.org_id = p_org and i.project_id = p_project and i.removed_at is null
$$;

-- A photo as people see it. One whose bytes never came is refused: an upload is
-- awaited for two hours.
create function app.image_json(i public.project_images) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object('id', i.code, 'name', i.name, 'alt', i.alt, 'stage', i.stage, 'hero', i.hero,
    'width', i.width,
      'height', i.height, 'renditions', i.renditions)
    || case when i.state = 'reading' and i.attached_at < clock_timestamp() - interval '3 hours'
         then jsonb_build_object('state', 'refused', 'reason',
           'This photo never arrived. Take it out and add it once more.')
         else jsonb_build_object('state', i.state, 'reason', i.reason) end
$$;

-- What an undo restores of a project.
create function app.project_state(j public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('title', j.title, 'type', j.project_type, 'place', j.place,
    'locationDetail', j.location_detail,
    'story', j.story, 'materials', j.materials, 'techniques', j.techniques, 'tags', j.tags,
      'description', j.description,
    'seo', j.seo, 'descriptionBlocks', j.description_blocks, 'privacy', j.privacy,
    'images', coalesce((select jsonb_agg(jsonb_build_object('id', i.code, 'alt', i.alt, 'stage', i.stage,
      'hero', i.hero)
        order by i.position, i.attached_at, i.code)
      from public.project_images i where i.org_id = j.org_id and i.project_id = j.id and i.removed_at is null),
        '[]'))
$$;

-- What a project needs next.
create function app.project_phase(j public.projects) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when j.status = 'published' then 'published'
    when j.project_type = '' or not j.story ?| array['problem', 'solution'] then 'talking'
    when not exists (select from public.project_images i
      where i.org_id = j.org_id and i.project_id = j.id and i.removed_at is null and i.state = 'ready')
        then 'photos'
    when j.title = '' or j.description_blocks = '[]' then 'drafting'
    else 'review' end
$$;

-- The address of a project's page, '' while it has none.
create function app.project_url(j public.projects) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if j.status <> 'published' or j.slug is null then
    return '';
  end if;
  return coalesce((select '/p/' || b.site || '/' || j.slug from public.business_profiles b
    where b.org_id = j.org_id), '');
end $$;

-- A project with all that is known of it.
create function app.project_whole(j public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select app.project_state(j) || jsonb_build_object('code', j.code, 'status', j.status,
    'phase', app.project_phase(j),
    'slug', case when j.status = 'published' then coalesce(j.slug, '') else '' end, 'url', app.project_url(j),
    'publishedAt', case when j.status = 'published' then j.published_at end,
    'changedSincePublished', j.status = 'published' and j.version is distinct from j.published_version,
    'summary', coalesce(j.conversation_summary, ''), 'version', j.version, 'updatedAt', j.updated_at,
    'images', coalesce((select jsonb_agg(app.image_json(i) order by i.position, i.attached_at, i.code)
      from public.project_images i where i.org_id = j.org_id and i.project_id = j.id and i.removed_at is null),
        '[]'))
$$;

-- A project of the caller's organisation. What a preview rests on has no summary, since
-- the service may sum a conversation up while a person decides.
create function public.project_get(p_project text, p_summary boolean default true) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v constant jsonb := app.project_whole(app.project_of(app.member_org(), p_project));
begin
  return case when p_summary then v else v || '{"summary": ""}' end;
end $$;

-- The projects of the organisation, hidden ones last, then the latest change first.
create function public.project_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', j.code, 'title', j.title, 'type', j.project_type,
      'status', j.status,
        'phase', app.project_phase(j), 'url', app.project_url(j),
          'images', cardinality(app.photos_of(v_org, j.id)),
        'hero', coalesce((select i.code from public.project_images i
          where i.org_id = v_org and i.project_id = j.id and i.removed_at is null and i.state = 'ready'
          order by not i.hero, i.position, i.attached_at, i.code limit 1), ''),
        'updatedAt', j.updated_at) order by j.status = 'archived', j.updated_at desc, j.code), '[]')
    from (select * from public.projects p where p.org_id = v_org order by p.status = 'archived',
      p.updated_at desc limit 500) j);
end $$;

-- The project of that id or code, locked for a change of the version that the caller
-- saw; 0 is any. The conversation about it is locked before it, as elsewhere. Raises
-- PT404 'project_not_found', PT409 'changed'.
create function app.project_locked(p_org uuid, p_project text, p_version int default 0) returns public.projects
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects := app.project_of(p_org, p_project);
begin
  perform from public.chat_sessions c
  where c.org_id = p_org and c.project_id = j.id and c.assistant = 'portfolio' and c.deleted_at is null
    for no key update;
  select * into j from public.projects p where p.org_id = p_org and p.id = j.id for no key update;
  if coalesce(p_version, 0) <> 0 and j.version <> p_version then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'The project was changed meanwhile. Look at it as it is now, and make your change once more.';
  end if;
  return j;
end $$;

-- What a conversation knows of a project, as far as that may leave the project: as it
-- is merged into its extracted data, so that what else is extracted there stays.
create function app.project_known(j public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('title', nullif(j.title, ''), 'type', nullif(j.project_type, ''),
    'location', nullif(j.location, ''), 'materials', nullif(to_jsonb(j.materials), '[]'),
    'techniques', nullif(to_jsonb(j.techniques), '[]'), 'tags', nullif(to_jsonb(j.tags), '[]'),
    'photos', nullif(cardinality(app.photos_of(j.org_id, j.id)), 0), 'problem', j.story -> 'problem',
    'challenge', j.story -> 'challenge', 'solution', j.story -> 'solution', 'result', j.story -> 'result',
    'duration', j.story -> 'duration', 'completed', j.story -> 'completed', 'size', j.story -> 'size',
    'detail', j.story -> 'detail')
$$;

-- Tells the conversation about a project what is known of it, and its phase.
create function app.note_project(j public.projects) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_phase constant text := app.project_phase(j);
  v_known constant jsonb := app.project_known(j);
begin
  update public.chat_sessions c
  set phase = v_phase, extracted_data = app.merge_patch(c.extracted_data, v_known), version = c.version + 1,
    updated_at = clock_timestamp()
  where c.org_id = j.org_id and c.project_id = j.id and c.assistant = 'portfolio' and c.deleted_at is null
    and (c.phase <> v_phase or c.extracted_data <> app.merge_patch(c.extracted_data, v_known));
end $$;

-- Trigger: a conversation that gets a project is told of it at once.
create function app.meet_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects;
begin
  select * into j from public.projects p where p.org_id = new.org_id and p.id = new.project_id;
  if found then
    new.phase := app.project_phase(j);
    new.extracted_data := app.merge_patch(new.extracted_data, app.project_known(j));
  end if;
  return new;
end $$;
create trigger meet_project before insert or update of project_id on public.chat_sessions for each row
  when (new.project_id is not null and new.assistant = 'portfolio') execute function app.meet_project();

-- Keeps the state before a change as the newest revision of 50. p_what says what was
-- changed.
create function app.keep_revision(j public.projects, p_state jsonb, p_what text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.project_revisions (org_id, project_id, version, what, user_id, state)
  values (j.org_id, j.id, j.version, left(p_what, 200), auth.uid(), p_state);
  delete from public.project_revisions r
  where r.org_id = j.org_id and r.project_id = j.id and r.version <= (
    select o.version from public.project_revisions o where o.org_id = j.org_id and o.project_id = j.id
    order by o.version desc offset 50 limit 1);
end $$;

-- What differs between two states, as people call it.
create function app.state_changes(p_before jsonb, p_after jsonb) returns text
language sql immutable set search_path = '' as $$
  select string_agg(w.word, ', ' order by w.n)
  from (values (1, 'title', 'title'), (2, 'type', 'type'), (3, 'place', 'place'),
    (4, 'locationDetail', 'shown place'),
    (5, 'story', 'story'), (6, 'materials', 'materials'), (7, 'techniques', 'techniques'), (8, 'tags', 'tags'),
    (9, 'description', 'description'), (10, 'seo', 'search texts'), (11, 'descriptionBlocks', 'blocks'),
    (12, 'privacy', 'privacy'), (13, 'images', 'photos')) w (n, key, word)
  where p_before -> w.key is distinct from p_after -> w.key
$$;

-- Says in the audit that an effect changed nothing of a project, since every effect
-- has a row there. Without an effect it says nothing.
create function app.audit_unchanged(j public.projects) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_row constant jsonb := to_jsonb(j) - array['place', 'story'];
begin
  if coalesce(current_setting('app.effect', true), '') = '' then
    return;
  end if;
  insert into public.audit (org_id, user_id, role, table_name, row_id, row_key, action, before, after, effect_key,
    turn, tool, proposal_id)
  values (j.org_id, auth.uid(), app.org_role(), 'projects', j.id, j.code, 'update', v_row, v_row,
    current_setting('app.effect', true), nullif(current_setting('app.turn', true), ''),
    nullif(current_setting('app.tool', true), ''), nullif(current_setting('app.proposal', true), '')::uuid);
end $$;

-- Writes a project as j says, and its conversation, and returns it; p_before is its
-- state before, kept for an undo. Where nothing differs nothing is written.
create function app.store_project(j public.projects, p_before jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_what text;
  v_old public.projects;
begin
  j.location := left(app.place_shown(j.place, j.location_detail), 200);
  v_what := app.state_changes(p_before, app.project_state(j));
  if v_what is null then
    perform app.audit_unchanged(j);
    return app.project_whole(j);
  end if;
  select * into v_old from public.projects p where p.org_id = j.org_id and p.id = j.id;
  perform app.keep_revision(v_old, p_before, v_what);
  update public.projects p
  set title = j.title, project_type = j.project_type, location = j.location, place = j.place,
    location_detail = j.location_detail,
      story = j.story, materials = j.materials, techniques = j.techniques, tags = j.tags,
        description = j.description, seo = j.seo,
      description_blocks = j.description_blocks, privacy = j.privacy
  where p.org_id = j.org_id and p.id = j.id returning * into j;
  perform app.release_photos(j.org_id, j.id);
  perform app.note_project(j);
  return app.project_whole(j);
end $$;

-- Begins a project; with the same key again it is the one that was begun then.
create function public.project_begin(p_key text, p_title text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.portfolio_org();
  v_key constant text := nullif(left(btrim(p_key), 200), '');
  j public.projects;
begin
  insert into public.projects (org_id, title, user_id, begin_key)
  values (v_org, app.clean_text(to_jsonb(p_title), 120, 'title'), auth.uid(), v_key)
  on conflict (org_id, user_id, begin_key) where begin_key is not null do nothing returning * into j;
  if not found then
    select * into j from public.projects p where p.org_id = v_org and p.user_id = auth.uid()
      and p.begin_key = v_key;
    perform app.audit_unchanged(j);
  end if;
  return app.project_whole(j);
end $$;

-- Changes the version of a project that the caller saw; 0 is any. p_changes is as
-- projects.Changes of our functions: members that are absent stay. Raises PT404
-- 'project_not_found', 'photo_not_found', PT409 'changed', PT422 'bad_value',
-- 'too_long', 'too_many', 'bad_blocks'.
create function public.project_change(p_project text, p_version int, p_changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects := app.project_locked(app.portfolio_org(), p_project, p_version);
  c constant jsonb := coalesce(p_changes, '{}');
  v_before constant jsonb := app.project_state(j);
  v_photos text[] := app.photos_of(j.org_id, j.id);
  v_one jsonb;
  v_ids text[];
begin
  if jsonb_typeof(c) <> 'object' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = 'The changes have another form.';
  end if;
  if c ? 'title' then
    j.title := replace(app.clean_text(c -> 'title', 120, 'title'), e'\n', ' ');
  end if;
  if c ? 'type' then
    j.project_type := replace(app.clean_text(c -> 'type', 120, 'type'), e'\n', ' ');
  end if;
  if c ? 'place' then
    j.place :=
      app.clean_texts(c -> 'place', '{"street": 120, "district": 80, "city": 80, "region": 80, "country": 80}',
      'place');
  end if;
  if c ? 'locationDetail' then
    j.location_detail := coalesce(nullif(c ->> 'locationDetail', ''), 'city');
    if j.location_detail not in ('none', 'country', 'region', 'city', 'district') then
      raise sqlstate 'PT422' using message = 'bad_value',
        detail = 'A place is shown by country, region, city or district, or not at all.';
    end if;
  end if;
  if c ? 'story' then
    j.story := app.clean_story(c -> 'story');
  end if;
  if c ? 'materials' then
    j.materials := app.clean_list(c -> 'materials', 30, 60, 'materials');
  end if;
  if c ? 'techniques' then
    j.techniques := app.clean_list(c -> 'techniques', 30, 60, 'techniques');
  end if;
  if c ? 'tags' then
    j.tags := app.clean_list(c -> 'tags', 30, 60, 'tags');
  end if;
  if c ? 'description' then
    j.description := app.clean_text(c -> 'description', 2000, 'description');
  end if;
  if c ? 'seo' then
    j.seo := app.clean_texts(c -> 'seo', '{"title": 70, "description": 160}', 'text for search engines');
  end if;

  -- Photos: what names one names it as it is today.
  v_ids := app.clean_list(c -> 'remove', 30, 24, 'photos')
    || array(select e.value ->> 'id' from jsonb_array_elements(case jsonb_typeof(c -> 'photos') when 'array'
      then c -> 'photos' else '[]' end) e)
    || app.clean_list(c -> 'order', 30, 24, 'photos') || array_remove(array[nullif(app.clean_text(c -> 'hero',
      24, 'photo'), '')], null);
  if not array_remove(v_ids, null) <@ v_photos or array_position(v_ids, null) is not null then
    raise sqlstate 'PT404' using message = 'photo_not_found', detail = 'The project has no such photo.';
  end if;
  if jsonb_typeof(c -> 'photos') = 'array' then
    for v_one in select e.value from jsonb_array_elements(c -> 'photos') e loop
      if coalesce(v_one ->> 'stage', '') not in ('', 'before', 'during', 'after') then
        raise sqlstate 'PT422' using message = 'bad_value',
          detail = 'A photo was taken before, during or after the job.';
      end if;
      update public.project_images i
      set alt = case when v_one ? 'alt' then replace(app.clean_text(v_one -> 'alt', 200,
        'description of a photo'), e'\n', ' ') else i.alt end,
          stage = coalesce(v_one ->> 'stage', i.stage)
      where i.org_id = j.org_id and i.project_id = j.id and i.code = v_one ->> 'id';
    end loop;
  end if;
  if c ? 'hero' then
    update public.project_images i set hero = i.code = c ->> 'hero'
    where i.org_id = j.org_id and i.project_id = j.id and i.hero <> (i.code = c ->> 'hero');
  end if;
  if jsonb_typeof(c -> 'order') = 'array' then
    v_ids := app.clean_list(c -> 'order', 30, 24, 'photos');
    v_ids := v_ids || array(select p.id from unnest(v_photos) with ordinality p (id, n) where p.id <> all (v_ids)
      order by p.n);
    update public.project_images i set position = array_position(v_ids, i.code)
    where i.org_id = j.org_id and i.project_id = j.id and i.removed_at is null;
  end if;
  if jsonb_typeof(c -> 'remove') = 'array' then
    update public.project_images i set removed_at = clock_timestamp(), hero = false
    where i.org_id = j.org_id and i.project_id = j.id and i.removed_at is null
      and i.code = any (app.clean_list(c -> 'remove', 30, 24, 'photos'));
    v_photos := app.photos_of(j.org_id, j.id);
    j.description_blocks := app.blocks_with(j.description_blocks, v_photos);
  end if;
  if c ? 'descriptionBlocks' then
    j.description_blocks := app.clean_blocks(c -> 'descriptionBlocks', v_photos);
  end if;
  if c ? 'privacy' then
    j.privacy := app.clean_texts(c -> 'privacy', '{"faces": 10, "plates": 10}', 'answer');
    if coalesce(j.privacy ->> 'faces', 'none') not in ('none', 'agreed')
      or coalesce(j.privacy ->> 'plates', 'none') not in ('none', 'agreed') then
      raise sqlstate 'PT422' using message = 'bad_value',
        detail = 'An answer on people or plates is "none" or "agreed".';
    end if;
    v_ids := app.clean_list(c -> 'privacy' -> 'images', 60, 24, 'photos');
    if cardinality(v_ids) > 0 then
      j.privacy := j.privacy || jsonb_build_object('images', v_ids);
    end if;
  end if;
  return app.store_project(j, v_before);
end $$;

-- Leads back to the state before the last change. Questions that were asked since
-- stay asked. Raises PT404 'project_not_found', PT409 'nothing_to_undo'.
create function public.project_undo(p_project text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects := app.project_locked(app.portfolio_org(), p_project);
  r public.project_revisions;
  s jsonb;
begin
  delete from public.project_revisions x
  where x.org_id = j.org_id and x.project_id = j.id and x.version = (
    select max(y.version) from public.project_revisions y where y.org_id = j.org_id and y.project_id = j.id)
  returning * into r;
  if not found then
    raise sqlstate 'PT409' using message = 'nothing_to_undo', detail = 'There is no change to take back.';
  end if;
  s := r.state;
  update public.project_images i
  set removed_at = case when o.n is null then coalesce(i.removed_at, clock_timestamp()) end,
      position = coalesce(o.n, i.position), hero = coalesce((o.image ->> 'hero')::boolean, false),
      alt = coalesce(o.image ->> 'alt', i.alt), stage = coalesce(o.image ->> 'stage', i.stage)
  from public.project_images k
  left join jsonb_array_elements(s -> 'images') with ordinality o (image, n) on o.image ->> 'id' = k.code
  where k.org_id = j.org_id and k.project_id = j.id and i.org_id = k.org_id and i.id = k.id;
  update public.projects p
  set title = s ->> 'title', project_type = s ->> 'type', place = s -> 'place',
    location_detail = s ->> 'locationDetail',
      location = left(app.place_shown(s -> 'place', s ->> 'locationDetail'), 200),
      story = (s -> 'story') || (select coalesce(jsonb_object_agg(e.key, e.value), '{}')
        from jsonb_each(p.story) e where e.key in ('asked', 'skipped')),
      materials = array(select jsonb_array_elements_text(s -> 'materials')),
      techniques = array(select jsonb_array_elements_text(s -> 'techniques')),
        tags = array(select jsonb_array_elements_text(s -> 'tags')),
      description = s ->> 'description', seo = s -> 'seo',
      description_blocks = app.blocks_with(s -> 'descriptionBlocks', app.photos_of(p.org_id, p.id)),
        privacy = s -> 'privacy'
  where p.org_id = j.org_id and p.id = j.id returning * into j;
  perform app.release_photos(j.org_id, j.id);
  perform app.note_project(j);
  return app.project_whole(j);
end $$;

-- The states of a project to which an undo leads back, the newest first.
create function public.project_versions(p_project text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  j constant public.projects := app.project_of(app.member_org(), p_project);
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('version', r.version, 'what', r.what,
      'by', app.person_name(r.org_id, r.user_id), 'at', r.at)
      order by r.version desc), '[]')
    from public.project_revisions r where r.org_id = j.org_id and r.project_id = j.id);
end $$;

-- What is known of an upload's renditions, the smallest first.
create function app.renditions_of(p_facts jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('width', (r ->> 'width')::int, 'height', (r ->> 'height')::int,
    'bytes', (r ->> 'bytes')::int)
    order by (r ->> 'width')::int), '[]')
  from jsonb_array_elements(case jsonb_typeof(p_facts -> 'renditions') when 'array' then p_facts -> 'renditions'
    else '[]' end) r
$$;

-- A photo of the caller's own, locked. Raises PT404 'no_such_file', PT422
-- 'not_a_photo'.
create function app.photo_upload(p_org uuid, p_id text) returns public.uploads
language plpgsql security definer set search_path = '' as $$
declare
  u public.uploads;
begin
  select * into u from public.uploads x where x.org_id = p_org and x.id = p_id and x.user_id = auth.uid()
    for no key update;
  if not found or app.upload_expired(u) then
    raise sqlstate 'PT404' using message = 'no_such_file', detail = 'There is no such file of yours.';
  elsif u.purpose <> 'photo' or u.state = 'refused' then
    raise sqlstate 'PT422' using message = 'not_a_photo',
      detail = coalesce(nullif(u.reason, ''), 'This file was not sent as a photo of a project.');
  end if;
  return u;
end $$;

-- Takes uploads of the caller's as photos of a project, behind the others; what is
-- attached already stays as it is. Raises PT404 'project_not_found', 'no_such_file',
-- PT409 'too_many_images', PT422 'not_a_photo'.
create function public.project_attach(p_project text, p_uploads text[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects := app.project_locked(app.portfolio_org(), p_project);
  v_before constant jsonb := app.project_state(j);
  v_id text;
  u public.uploads;
begin
  if cardinality(p_uploads) > 100 then
    raise sqlstate 'PT409' using message = 'too_many_images', detail = 'A project has at most 30 photos.';
  end if;
  foreach v_id in array coalesce(p_uploads, '{}') loop
    if v_id = any (app.photos_of(j.org_id, j.id)) then
      continue;
    end if;
    u := app.photo_upload(j.org_id, v_id);
    update public.uploads x set kept = true where x.org_id = u.org_id and x.id = u.id and not x.kept;
    insert into public.project_images as i (org_id, project_id, code, path, name, position, state, width, height,
      renditions)
    values (j.org_id, j.id, u.id, app.upload_path(u), u.name,
      (select coalesce(max(o.position), 0) + 1 from public.project_images o where o.org_id = j.org_id
        and o.project_id = j.id),
      case u.state when 'ready' then 'ready' else 'reading' end,
      coalesce((u.facts ->> 'width')::int, 0), coalesce((u.facts ->> 'height')::int, 0),
        app.renditions_of(u.facts))
    on conflict (org_id, project_id, code) do update
      set removed_at = null, position = excluded.position, state = excluded.state, width = excluded.width,
        height = excluded.height,
          renditions = excluded.renditions, attached_at = clock_timestamp();
  end loop;
  if cardinality(app.photos_of(j.org_id, j.id)) > 30 then
    raise sqlstate 'PT409' using message = 'too_many_images', detail = 'A project has at most 30 photos.';
  end if;
  return app.store_project(j, v_before);
end $$;

-- Trigger: what became of an upload becomes of the photo that it is, and its project's
-- conversation is told. One that is being changed in this moment is left to the next
-- change, which may wait for this upload.
create function app.photo_settled() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects;
begin
  if tg_op = 'DELETE' then
    update public.project_images i
    set state = 'refused', reason = 'This photo never arrived. Take it out and add it once more.'
    where i.org_id = old.org_id and i.code = old.id and i.state = 'reading';
    return null;
  elsif new.state = 'waiting' then
    return null;
  end if;
  update public.project_images i
  set state = new.state, reason = coalesce(new.reason, ''), width = coalesce((new.facts ->> 'width')::int, 0),
      height = coalesce((new.facts ->> 'height')::int, 0), renditions = app.renditions_of(new.facts)
  where i.org_id = new.org_id and i.code = new.id;
  for j in
    select p.* from public.project_images i join public.projects p on p.org_id = i.org_id and p.id = i.project_id
    where i.org_id = new.org_id and i.code = new.id and i.removed_at is null loop
    perform from public.chat_sessions c
    where c.org_id = j.org_id and c.project_id = j.id and c.assistant = 'portfolio' and c.deleted_at is null
    for no key update skip locked;
    if found then
      perform app.note_project(j);
    end if;
  end loop;
  return null;
end $$;
create trigger photo_settled after delete or update of state on public.uploads
  for each row execute function app.photo_settled();

-- Lets photos go that were removed from a project, to which no undo leads back and
-- which its page does not show. Their uploads, where no other project has them,
-- expire as others do.
create function app.release_photos(p_org uuid, p_project uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_gone text[];
begin
  with gone as (
    delete from public.project_images i
    where i.org_id = p_org and i.project_id = p_project and i.removed_at is not null
      and not exists (select from public.project_revisions r where r.org_id = p_org and r.project_id = p_project
        and r.state -> 'images' @> jsonb_build_array(jsonb_build_object('id', i.code)))
      and not exists (select from public.project_pages g where g.org_id = p_org and g.project_id = p_project
        and g.taken_back_at is null and g.paths @> array[i.path])
    returning i.code)
  select array_agg(g.code) into v_gone from gone g;
  if v_gone is not null then
    perform app.release_uploads(p_org, v_gone);
  end if;
end $$;

create function app.release_uploads(p_org uuid, p_codes text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.uploads u set kept = false, expires_at = greatest(u.expires_at,
    clock_timestamp() + interval '1 day')
  where u.org_id = p_org and u.id = any (p_codes) and u.kept
    and not exists (select from public.project_images i where i.org_id = p_org and i.code = u.id)
    and not exists (select from public.business_profiles b where b.org_id = p_org and b.logo = u.id);
end $$;

-- Hides a project that is not public, or brings it back. Raises PT404
-- 'project_not_found', PT409 'is_published'.
create function public.project_archive(p_project text, p_hidden boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects := app.project_locked(app.portfolio_org(), p_project);
begin
  if j.status = 'published' then
    raise sqlstate 'PT409' using message = 'is_published',
      detail = 'The page of this project is public. Take it back first.';
  end if;
  update public.projects p set status = case when p_hidden then 'archived' else 'draft' end
  where p.org_id = j.org_id and p.id = j.id and (p.status = 'archived') is distinct from p_hidden
    returning * into j;
  if not found then
    j := app.project_of(app.portfolio_org(), p_project);
    perform app.audit_unchanged(j);
  end if;
  return app.project_whole(j);
end $$;

-- Where the bytes of a photo are: {"path","renditions","name"}; those of a width are
-- at "<path>-<width>.jpg". Raises PT404 'project_not_found', 'photo_not_found'.
create function public.project_photo(p_project text, p_image text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  j constant public.projects := app.project_of(app.member_org(), p_project);
  v jsonb;
begin
  select jsonb_build_object('path', i.path, 'renditions', i.renditions, 'name', i.name) into v
  from public.project_images i
  where i.org_id = j.org_id and i.project_id = j.id and i.code = p_image and i.removed_at is null
    and i.state = 'ready';
  if not found then
    raise sqlstate 'PT404' using message = 'photo_not_found',
      detail = 'The project has no such photo, or it is not ready yet.';
  end if;
  return v;
end $$;

call app.bound_columns();
call app.preview_reads('project_get');
revoke execute on all routines in schema app from public;
revoke execute on function public.project_get(text, boolean), public.project_list(), public.project_begin(text, text),
  public.project_change(text, int, jsonb), public.project_undo(text), public.project_versions(text),
  public.project_attach(text, text[]), public.project_archive(text, boolean), public.project_photo(text, text)
  from public, anon, service_role;
grant execute on function public.project_get(text, boolean), public.project_list(), public.project_begin(text, text),
  public.project_change(text, int, jsonb), public.project_undo(text), public.project_versions(text),
  public.project_attach(text, text[]), public.project_archive(text, boolean),
    public.project_photo(text, text) to authenticated;
notify pgrst, 'reload schema';
