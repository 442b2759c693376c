-- For the local stack only. Supabase's cloud already has all of this.
-- Runs as supabase_admin in each database, as one transaction, and may be
-- repeated. Roles belong to the whole server, the rest to the database.

-- Roles ---------------------------------------------------------------------

do $$
declare
  wanted constant jsonb := '{
    "anon":                   "nologin noinherit",
    "authenticated":          "nologin noinherit",
    "service_role":           "nologin noinherit bypassrls",
    "authenticator":          "login noinherit",
    "supabase_auth_admin":    "login noinherit createrole",
    "supabase_storage_admin": "login noinherit createrole",
    "postgres":               "login createdb createrole bypassrls replication"
  }';
  name text;
  options text;
begin
  for name, options in select key, value from jsonb_each_text(wanted) loop
    if not exists (select from pg_catalog.pg_roles where rolname = name) then
      execute format('create role %I', name);
    end if;
    execute format('alter role %I with nosuperuser %s', name, options);
  end loop;
end $$;

grant anon, authenticated, service_role to authenticator;

-- Migrations run as postgres, who is no superuser there either. It may become
-- each API role, and may set what PostgREST reads from authenticator's
-- settings. Since PostgreSQL 16 the latter takes the admin option.
grant anon, authenticated, service_role, authenticator to postgres with admin option;

do $$
declare
  setting text;
begin
  -- A setting that no loaded library defines is a superuser's to store, unless
  -- its name was granted.
  foreach setting in array array[
    'db_pre_request', 'db_schemas', 'db_extra_search_path', 'db_max_rows',
    'db_aggregates_enabled', 'db_plan_enabled', 'db_tx_end', 'db_root_spec',
    'openapi_mode', 'jwt_aud', 'jwt_role_claim_key', 'server_timing_enabled'
  ] loop
    execute format('grant set on parameter %I to postgres', 'pgrst.' || setting);
  end loop;
end $$;

-- Policies on the storage tables are written by migrations. The cloud has an
-- extension that lets postgres do so without owning them.
grant supabase_storage_admin to postgres;

-- The cloud's limits, so that a slow query fails here as it does there.
alter role anon          set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

alter role postgres               set search_path = "$user", public, extensions;
alter role supabase_auth_admin    set search_path = auth;
alter role supabase_storage_admin set search_path = storage;

-- Schemas -------------------------------------------------------------------

do $$ begin
  execute format('alter database %I owner to postgres', current_database());
end $$;

create schema if not exists extensions authorization postgres;
create schema if not exists auth       authorization supabase_auth_admin;
create schema if not exists storage    authorization postgres;

grant usage on schema public, extensions, auth, storage to anon, authenticated, service_role;
grant usage on schema auth to postgres;
grant usage on schema extensions to supabase_auth_admin;
grant all on schema storage to supabase_storage_admin with grant option;

create extension if not exists pgcrypto   with schema extensions;
create extension if not exists btree_gist with schema extensions;
create extension if not exists pg_trgm    with schema extensions;

-- Users ---------------------------------------------------------------------
-- The part of the auth server's tables that others read, write or refer to.

create table if not exists auth.users (
  id                 uuid primary key default gen_random_uuid(),
  instance_id        uuid,
  aud                varchar(255) default 'authenticated',
  role               varchar(255) default 'authenticated',
  email              varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  raw_app_meta_data  jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  last_sign_in_at    timestamptz,
  is_anonymous       boolean not null default false,
  banned_until       timestamptz,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz
);

create unique index if not exists users_email_key on auth.users (lower(email)) where deleted_at is null;

create table if not exists auth.sessions (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  not_after  timestamptz
);

create index if not exists sessions_user_id_idx on auth.sessions (user_id);

create table if not exists auth.refresh_tokens (
  id         bigserial primary key,
  token      text not null unique,
  user_id    uuid not null references auth.users (id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete cascade,
  parent     text,
  revoked    boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index if not exists refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
create index if not exists refresh_tokens_parent_idx on auth.refresh_tokens (parent);

-- Who is asking -------------------------------------------------------------
-- PostgREST sets request.jwt.claims; its old releases set one setting a claim.

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;

create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), auth.jwt() ->> 'sub')::uuid
$$;

create or replace function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''), auth.jwt() ->> 'role')
$$;

create or replace function auth.email() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.email', true), ''), auth.jwt() ->> 'email')
$$;

alter table auth.users          owner to supabase_auth_admin;
alter table auth.sessions       owner to supabase_auth_admin;
alter table auth.refresh_tokens owner to supabase_auth_admin;
alter function auth.jwt()       owner to supabase_auth_admin;
alter function auth.uid()       owner to supabase_auth_admin;
alter function auth.role()      owner to supabase_auth_admin;
alter function auth.email()     owner to supabase_auth_admin;

-- Seeds write users, and migrations refer to them.
grant all on all tables    in schema auth to postgres;
grant all on all sequences in schema auth to postgres;
grant execute on all functions in schema auth to anon, authenticated, service_role, postgres;

-- Files ---------------------------------------------------------------------
-- The part of the storage server's tables that policies and queries read.

create table if not exists storage.buckets (
  id                 text primary key,
  name               text not null,
  owner              uuid,
  owner_id           text,
  public             boolean default false,
  avif_autodetection boolean default false,
  file_size_limit    bigint,
  allowed_mime_types text[],
  created_at         timestamptz default now(),
  updated_at         timestamptz default now()
);

create unique index if not exists bname on storage.buckets (name);

create table if not exists storage.objects (
  id               uuid primary key default gen_random_uuid(),
  bucket_id        text references storage.buckets (id),
  name             text,
  owner            uuid,
  owner_id         text,
  version          text,
  metadata         jsonb,
  user_metadata    jsonb,
  path_tokens      text[] generated always as (string_to_array(name, '/')) stored,
  created_at       timestamptz default now(),
  updated_at       timestamptz default now(),
  last_accessed_at timestamptz default now()
);

create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
create index if not exists name_prefix_search on storage.objects (name text_pattern_ops);

create or replace function storage.foldername(name text) returns text[] language sql immutable as $$
  select parts[1:cardinality(parts) - 1] from string_to_array(name, '/') as parts
$$;

create or replace function storage.filename(name text) returns text language sql immutable as $$
  select parts[cardinality(parts)] from string_to_array(name, '/') as parts
$$;

-- What follows the last dot of the last part; the whole part without a dot.
create or replace function storage.extension(name text) returns text language sql immutable as $$
  select reverse(split_part(reverse(parts[cardinality(parts)]), '.', 1)) from string_to_array(name, '/') as parts
$$;

-- A row that goes without its bytes would leave them behind for ever, so only
-- the storage server deletes.
create or replace function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501';
  end if;
  return null;
end
$$;

create or replace trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create or replace trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

-- Without a policy no role but service_role sees or writes anything.
alter table storage.buckets enable row level security;
alter table storage.buckets force row level security;
alter table storage.objects enable row level security;
alter table storage.objects force row level security;

alter table storage.buckets             owner to supabase_storage_admin;
alter table storage.objects             owner to supabase_storage_admin;
alter function storage.foldername(text) owner to supabase_storage_admin;
alter function storage.filename(text)   owner to supabase_storage_admin;
alter function storage.extension(text)  owner to supabase_storage_admin;
alter function storage.protect_delete() owner to supabase_storage_admin;

grant all on storage.buckets, storage.objects to anon, authenticated, service_role, postgres;
grant execute on all functions in schema storage to anon, authenticated, service_role, postgres;

-- Default privileges --------------------------------------------------------
-- Whatever a migration makes in public is open to the API roles, and only row
-- level security and explicit revokes close it, as in the cloud.

alter default privileges for role postgres, supabase_admin in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres, supabase_admin in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role postgres, supabase_admin in schema public
  grant execute on functions to postgres, anon, authenticated, service_role;
