-- Uploads: files that people hand to assistants. The bytes lie in Storage, in
-- the folder of the person; this table says what is known of them, and holds the
-- text that an assistant reads. Only definer functions access it, so no client
-- writes down that a file was looked at when it was not.

create table public.uploads (
  org_id uuid not null references public.orgs (id),
  id text not null check (id ~ '^[a-z2-9]{24}$'),
  user_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('text', 'sheet', 'pdf', 'image', 'sound')),
  type text not null check (length(type) between 1 and 100),
  size bigint not null check (size between 1 and 26214400),
  -- waiting: its bytes are on their way, or were not looked at yet
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'refused')),
  reason text check (length(reason) <= 400), -- a sentence, when it is refused
  facts jsonb not null default '{}' check (octet_length(facts::text) <= 4096),
  body text check (octet_length(body) <= 262144), -- what an assistant reads
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '2 hours', -- as long as a signed address holds
  primary key (org_id, id),
  foreign key (org_id, user_id) references public.memberships (org_id, user_id) on delete cascade
);
create index uploads_of_a_person on public.uploads (org_id, user_id, expires_at);
create index uploads_expired on public.uploads (expires_at);
call app.control_table('uploads');

create function app.upload_path(p public.uploads) returns text
language sql immutable set search_path = '' as $$
  select concat_ws('/', p.org_id, p.user_id, p.id)
$$;

create function app.upload_json(p public.uploads, p_body boolean) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object('id', p.id, 'name', p.name, 'kind', p.kind, 'type', p.type, 'size', p.size,
    'state', case when p.expires_at <= clock_timestamp() then 'expired' else p.state end,
    'reason', p.reason, 'facts', p.facts, 'expiresAt', p.expires_at, 'path', app.upload_path(p))
    || case when p_body then jsonb_build_object('body', coalesce(p.body, '')) else '{}' end
$$;

-- Makes room for a file that the caller is about to send, and forgets up to 20 of
-- the caller's own whose time has passed: "gone" are the paths of their bytes.
-- Raises PT409 'too_many_files'.
create function public.upload_begin(p_name text, p_kind text, p_type text, p_size bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v_gone jsonb;
  v public.uploads;
begin
  with old as (
    select u.id from public.uploads u
    where u.org_id = v_org and u.user_id = auth.uid() and u.expires_at <= clock_timestamp() - interval '1 hour' limit 20
  ), gone as (
    delete from public.uploads u using old where u.org_id = v_org and u.id = old.id returning u.*
  )
  select coalesce(jsonb_agg(app.upload_path(g)), '[]') into v_gone from gone g;
  if (select count(*) from public.uploads u where u.org_id = v_org and u.user_id = auth.uid()) >= 200 then
    raise sqlstate 'PT409' using message = 'too_many_files', detail = 'You have 200 files here. Delete some of them first.';
  end if;
  insert into public.uploads (org_id, id, user_id, name, kind, type, size)
  values (v_org, lower(app.human_code(6) || app.human_code(6) || app.human_code(6) || app.human_code(6)), auth.uid(), p_name, p_kind, p_type, p_size)
  returning * into v;
  return app.upload_json(v, false) || jsonb_build_object('gone', v_gone);
end $$;

-- Says what was found in a file of the caller's, once: what was found stays. It
-- is kept for so many days. Raises PT404 'no_such_file'.
create function public.upload_settle(p_id text, p_state text, p_kind text, p_type text, p_size bigint, p_reason text, p_facts jsonb, p_body text, p_days int) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.uploads;
begin
  if p_state is null or p_state not in ('ready', 'refused') then
    raise sqlstate 'PT422' using message = 'bad_state', detail = 'A file is ready or refused.';
  end if;
  update public.uploads u
  set state = p_state, kind = p_kind, type = p_type, size = p_size, reason = left(p_reason, 400), facts = coalesce(p_facts, '{}'), body = p_body,
      expires_at = clock_timestamp() + least(greatest(p_days, 1), 365) * interval '1 day'
  where u.org_id = v_org and u.id = p_id and u.user_id = auth.uid() and u.state = 'waiting' and u.expires_at > clock_timestamp();
  select * into v from public.uploads u where u.org_id = v_org and u.id = p_id and u.user_id = auth.uid();
  if not found then
    raise sqlstate 'PT404' using message = 'no_such_file', detail = 'There is no such file of yours.';
  end if;
  return app.upload_json(v, false);
end $$;

-- The caller's own files of these ids, with what an assistant reads of them.
create function public.upload_read(p_ids text[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
begin
  return (
    select coalesce(jsonb_agg(app.upload_json(u, true) order by u.id), '[]')
    from public.uploads u
    where u.org_id = v_org and u.user_id = auth.uid() and u.id = any (p_ids[1:50]));
end $$;

-- Forgets a file of the caller's, and returns what it was. Raises PT404
-- 'no_such_file'.
create function public.upload_forget(p_id text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.proven_org();
  v public.uploads;
begin
  delete from public.uploads u where u.org_id = v_org and u.id = p_id and u.user_id = auth.uid() returning * into v;
  if not found then
    raise sqlstate 'PT404' using message = 'no_such_file', detail = 'There is no such file of yours.';
  end if;
  return app.upload_json(v, false);
end $$;

-- Whether the caller may send bytes to this path now: it is that of a file of
-- theirs that is waited for.
create function app.upload_awaited(p_path text) returns boolean
language sql volatile security definer set search_path = '' as $$
  select exists (
    select from public.uploads u
    where u.org_id = app.org_id() and u.user_id = auth.uid() and u.state = 'waiting' and u.expires_at > clock_timestamp() and app.upload_path(u) = p_path)
$$;

-- Forgets the words of up to p_batch files whose time has passed and returns of how
-- many. Those of an owner who comes back go at once, see upload_begin; this is for
-- the others. The rows stay, since they say where the bytes are.
create function app.forget_files(p_batch int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  update public.uploads u set body = null, name = 'file'
  from (select o.org_id, o.id from public.uploads o where o.expires_at < clock_timestamp() - interval '1 hour' and o.name <> 'file' limit p_batch) old
  where u.org_id = old.org_id and u.id = old.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.upload_awaited(text) to authenticated;
revoke execute on function public.upload_begin(text, text, text, bigint),
  public.upload_settle(text, text, text, text, bigint, text, jsonb, text, int), public.upload_read(text[]),
  public.upload_forget(text) from public, anon, service_role;
grant execute on function public.upload_begin(text, text, text, bigint),
  public.upload_settle(text, text, text, text, bigint, text, jsonb, text, int), public.upload_read(text[]),
  public.upload_forget(text) to authenticated;

-- The bucket. No one lists or replaces in it, and people see their own folder,
-- "<org>/<user>/", as long as they belong to the org.
insert into storage.buckets (id, name, public, file_size_limit) values ('uploads', 'uploads', false, 26214400)
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit;
create policy bellhop_uploads_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'uploads' and app.upload_awaited(name));
create policy bellhop_uploads_select on storage.objects for select to authenticated
  using (bucket_id = 'uploads' and split_part(name, '/', 1) = (select app.org_id())::text and split_part(name, '/', 2) = (select auth.uid())::text);
create policy bellhop_uploads_delete on storage.objects for delete to authenticated
  using (bucket_id = 'uploads' and split_part(name, '/', 1) = (select app.org_id())::text and split_part(name, '/', 2) = (select auth.uid())::text);
