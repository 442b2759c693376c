-- Which organisation has which assistants. To an organisation, an assistant that
-- it was not given does not exist: no row can name it, and what names it from
-- before is neither listed nor loaded until it is given again.

-- An assistant is called as in addresses: "hospitality". Which of them a
-- deployment has is its own affair.
create table public.org_assistants (
  org_id uuid not null references public.orgs (id),
  assistant text not null check (assistant ~ '^[a-z][a-z0-9_-]{0,39}$'),
  given_at timestamptz not null default clock_timestamp(),
  primary key (org_id, assistant)
);
call app.control_table('org_assistants');
create trigger audit after insert or update or delete on public.org_assistants
  for each row execute function app.audit();

-- The assistants of an organisation, by name.
create function app.assistants_of(p_org uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(g.assistant order by g.assistant), '{}') from public.org_assistants g where g.org_id = p_org
$$;

create function app.has_assistant(p_org uuid, p_assistant text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.org_assistants g where g.org_id = p_org and g.assistant = p_assistant)
$$;

-- Those of the caller's organisation. Row policies ask it once per statement.
create function app.my_assistants() returns setof text
language sql stable security definer set search_path = '' as $$
  select g.assistant from public.org_assistants g where g.org_id = app.org_id()
$$;

-- Trigger: refuses a row of an assistant that its organisation does not have, in
-- the words for an assistant that does not exist.
create function app.require_assistant() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not app.has_assistant(new.org_id, new.assistant) then
    raise sqlstate 'PT404' using message = 'unknown_assistant', detail = 'There is no such assistant here.';
  end if;
  return new;
end $$;

-- Makes the rows of public.<p_table>, which have an organisation and may name an
-- assistant, name only one that the organisation has. Call it right after
-- "create table".
create procedure app.names_assistants(p_table text)
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger aa_assistant before insert on public.%I for each row
    when (new.assistant is not null) execute function app.require_assistant()', p_table);
end $$;

-- For operators, who hold the secret key: gives an organisation, by its slug, an
-- assistant or takes it away, and returns those that it has then. What an
-- organisation said to an assistant that was taken away stays stored. Raises
-- PT404 'unknown_org'.
create function public.org_assistant_set(p_slug text, p_assistant text, p_given boolean default true) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := (select o.id from public.orgs o where o.slug = p_slug);
begin
  if v_org is null then
    raise sqlstate 'PT404' using message = 'unknown_org', detail = 'There is no such organisation.';
  end if;
  if p_given then
    insert into public.org_assistants (org_id, assistant) values (v_org, p_assistant) on conflict do nothing;
  else
    delete from public.org_assistants g where g.org_id = v_org and g.assistant = p_assistant;
  end if;
  return to_jsonb(app.assistants_of(v_org));
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.my_assistants() to authenticated;
revoke execute on function public.org_assistant_set(text, text, boolean) from public, anon, authenticated;
grant execute on function public.org_assistant_set(text, text, boolean) to service_role;
