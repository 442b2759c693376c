-- Uploads that are photos of projects. A photo's original is not kept: its bytes
-- lie beside where it was, one object for each width, "<path>-<width>.jpg". A photo
-- that a project has is kept: it does not expire, and only the project lets it go.

alter table public.uploads
  add column purpose text not null default 'chat' check (purpose in ('chat', 'transcribe', 'photo')),
  -- Set and taken back by the functions of what has the file.
  add column kept boolean not null default false;

-- Whether a file's time has passed. A kept one has none, once its bytes were
-- looked at.
create function app.upload_expired(p public.uploads) returns boolean
language sql volatile set search_path = '' as $$
  select p.expires_at <= clock_timestamp() and (p.state = 'waiting' or not p.kept)
$$;

-- All paths at which bytes of a file may be. The widths of a photo that is ready
-- are among its facts; of one that is not, those that are made of a large photo.
create function app.upload_paths(p public.uploads) returns text[]
language sql immutable set search_path = '' as $$
  select array[app.upload_path(p)] || case when p.purpose <> 'photo' then '{}'::text[]
    when jsonb_typeof(p.facts -> 'renditions') = 'array' then
      array(select app.upload_path(p) || '-' || (r ->> 'width') || '.jpg'
            from jsonb_array_elements(p.facts -> 'renditions') r)
    else array(select app.upload_path(p) || '-' || w || '.jpg' from unnest(array[480, 960, 1600]) w) end
$$;

-- As before, with the purpose, and with null for when a kept file expires.
create or replace function app.upload_json(p public.uploads, p_body boolean) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object('id', p.id, 'name', p.name, 'kind', p.kind, 'type', p.type, 'size', p.size,
    'purpose', p.purpose, 'state', case when app.upload_expired(p) then 'expired' else p.state end, 'reason', p.reason,
    'facts', p.facts, 'expiresAt', case when p.kept and p.state <> 'waiting' then null else p.expires_at end,
    'path', app.upload_path(p))
    || case when p_body then jsonb_build_object('body', coalesce(p.body, '')) else '{}' end
$$;

-- As before, for a purpose. Kept files neither go nor count.
drop function public.upload_begin(text, text, text, bigint);
create function public.upload_begin(p_name text, p_kind text, p_type text, p_size bigint,
                                    p_purpose text default 'chat') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_gone jsonb;
  v public.uploads;
begin
  with old as (
    select u.id from public.uploads u
    where u.org_id = v_org and u.user_id = auth.uid() and not u.kept
      and u.expires_at <= clock_timestamp() - interval '1 hour' limit 20
  ), gone as (
    delete from public.uploads u using old where u.org_id = v_org and u.id = old.id returning u.*
  )
  select coalesce(jsonb_agg(path), '[]') into v_gone from gone g, unnest(app.upload_paths(g)) path;
  if (select count(*) from public.uploads u
      where u.org_id = v_org and u.user_id = auth.uid() and not u.kept) >= 200 then
    raise sqlstate 'PT409' using message = 'too_many_files',
      detail = 'You have 200 files here. Delete some of them first.';
  end if;
  insert into public.uploads (org_id, id, user_id, name, kind, type, size, purpose)
  values (v_org, lower(app.human_code(6) || app.human_code(6) || app.human_code(6) || app.human_code(6)), auth.uid(),
    p_name, p_kind, p_type, p_size, coalesce(p_purpose, 'chat'))
  returning * into v;
  return app.upload_json(v, false) || jsonb_build_object('gone', v_gone);
end $$;

-- As before. Raises PT409 'file_in_use' for a kept one, too.
create or replace function public.upload_forget(p_id text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.uploads;
begin
  select * into v from public.uploads u where u.org_id = v_org and u.id = p_id and u.user_id = auth.uid() for update;
  if not found then
    raise sqlstate 'PT404' using message = 'no_such_file', detail = 'There is no such file of yours.';
  end if;
  if v.kept then
    raise sqlstate 'PT409' using message = 'file_in_use',
      detail = 'This photo is in use. Take it out of the project first.';
  end if;
  delete from public.uploads u where u.org_id = v_org and u.id = p_id;
  return app.upload_json(v, false);
end $$;

-- The path of the file whose bytes lie at a path: that of a photo's rendition
-- without its width.
create function app.upload_of_path(p_path text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(p_path, '-[1-9][0-9]{0,4}\.(jpg|png)$', '')
$$;

-- As before. Beside a photo its renditions are waited for.
create or replace function app.upload_awaited(p_path text) returns boolean
language sql volatile security definer set search_path = '' as $$
  select exists (
    select from public.uploads u
    where u.org_id = app.org_id() and u.user_id = auth.uid()
      and u.state = 'waiting' and u.expires_at > clock_timestamp()
      and (app.upload_path(u) = p_path or u.purpose = 'photo' and app.upload_path(u) = app.upload_of_path(p_path)))
$$;

-- Whether a path is that of a rendition of a kept photo of the caller's, which
-- nothing but the project may remove.
create function app.upload_kept(p_path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.uploads u
    where u.org_id = app.org_id() and u.user_id = auth.uid() and u.kept and u.purpose = 'photo'
      and u.id = split_part(app.upload_of_path(p_path), '/', 3) and app.upload_path(u) <> p_path)
$$;
alter policy bellhop_uploads_delete on storage.objects
  using (bucket_id = 'uploads' and split_part(name, '/', 1) = (select app.org_id())::text
    and split_part(name, '/', 2) = (select auth.uid())::text and not app.upload_kept(name));

-- As before, without kept ones.
create or replace function app.forget_files(p_batch int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  update public.uploads u set body = null, name = 'file'
  from (select o.org_id, o.id from public.uploads o
        where o.expires_at < clock_timestamp() - interval '1 hour' and o.name <> 'file' and not o.kept
        limit p_batch) old
  where u.org_id = old.org_id and u.id = old.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.upload_kept(text) to authenticated;
revoke execute on function public.upload_begin(text, text, text, bigint, text) from public, anon, service_role;
grant execute on function public.upload_begin(text, text, text, bigint, text) to authenticated;
notify pgrst, 'reload schema';
