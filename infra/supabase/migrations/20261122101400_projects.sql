-- Projects: what a person builds up with an assistant, such as an entry of a portfolio.
-- A project has at most one live conversation with each assistant.

create table public.projects (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{0,31}$'),
  title text not null default '' check (length(title) <= 200),
  project_type text not null default '' check (length(project_type) <= 120),
  location text not null default '' check (length(location) <= 200),
  -- Whose it is; null once that person has left the organisation.
  user_id uuid default auth.uid(),
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  conversation_summary text check (octet_length(conversation_summary) <= 262144),
  ai_context jsonb not null default '{}' check (jsonb_typeof(ai_context) = 'object' and octet_length(ai_context::text) <= 262144),
  ai_memory jsonb not null default '{}' check (jsonb_typeof(ai_memory) = 'object' and octet_length(ai_memory::text) <= 262144),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete set null (user_id)
);
create trigger fill_code before insert on public.projects for each row execute function app.fill_random_code('PRJ-');
call app.tenant_table('projects');

-- What a client sent as an id, or null: a text of any other form names none.
create function app.uuid_of(p_text text) returns uuid
language sql immutable set search_path = '' as $$
  select case when p_text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end
$$;

-- The project of that id or code. Raises PT404 'project_not_found'.
create function app.project_of(p_org uuid, p_project text) returns public.projects
language plpgsql stable security definer set search_path = '' as $$
declare
  v public.projects;
begin
  select * into v from public.projects j where j.org_id = p_org and j.id = app.uuid_of(p_project);
  if not found then
    select * into v from public.projects j where j.org_id = p_org and j.code = upper(btrim(p_project));
  end if;
  if not found then
    raise sqlstate 'PT404' using message = 'project_not_found', detail = 'Your organisation has no such project.';
  end if;
  return v;
end $$;

-- A project as an assistant and a person need it.
create function app.project_json(j public.projects) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', j.id, 'code', j.code, 'title', j.title, 'type', j.project_type, 'location', j.location, 'status', j.status,
    'summary', coalesce(j.conversation_summary, ''), 'context', j.ai_context, 'memory', j.ai_memory, 'version', j.version,
    'createdAt', j.created_at, 'updatedAt', j.updated_at)
$$;

revoke execute on all routines in schema app from public;
