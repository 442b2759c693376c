-- Remote MCP servers whose tools an organisation lends to its assistants.
--
-- No token stands here: secret_name is the name of one that the operator keeps
-- for this organisation. Which tools are offered, and what they may do, is
-- decided by a reviewed manifest of the operator's, by its name.

create table public.mcp_servers (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  name text not null check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
  -- Where it leads is checked at every connection. A server on the developer's own
  -- machine needs no TLS, and is refused where the functions are deployed.
  url text not null check (length(url) <= 500 and
    url ~ '^(https://[^/?#@[:space:]]+|http://(localhost|127\.0\.0\.1)(:[0-9]{1,5})?)(/[^?#[:space:]]*)?$'),
  manifest text not null check (manifest ~ '^[a-z][a-z0-9_-]{0,39}$'),
  secret_name text check (secret_name ~ '^[A-Z][A-Z0-9_]{0,39}$'),
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);
call app.tenant_table('mcp_servers');
-- Members read, since their assistants call the servers; administrators alone write.
drop policy staff_insert on public.mcp_servers;
drop policy staff_update on public.mcp_servers;
drop policy staff_delete on public.mcp_servers;
create policy admins_insert on public.mcp_servers for insert to authenticated
  with check (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');
create policy admins_update on public.mcp_servers for update to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin')
  with check (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');
create policy admins_delete on public.mcp_servers for delete to authenticated
  using (org_id = (select app.org_id()) and (select app.org_role()) = 'admin');

notify pgrst, 'reload schema';

call app.bound_columns();
