-- Pages of projects: what was public of a project when it was published, for
-- everybody to read. A page is made of the project's rows; what is changed in a
-- project afterwards is not public before it is published again.

create table public.project_pages (
  org_id uuid not null references public.orgs (id),
  project_id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  page jsonb not null check (octet_length(page::text) <= 524288), -- app.page_of, as it was
  -- Where the bytes of its photos are: by id, and alone.
  photos jsonb not null check (octet_length(photos::text) <= 65536),
  paths text[] not null,
  published_at timestamptz not null default clock_timestamp(),
  modified_at timestamptz not null default clock_timestamp(),
  taken_back_at timestamptz,
  primary key (org_id, project_id),
  foreign key (org_id, project_id) references public.projects (org_id, id) on delete cascade
);
call app.control_table('project_pages');

-- Every slug that a page had; old ones lead to the one of today.
create table public.project_slugs (
  org_id uuid not null references public.orgs (id),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  project_id uuid not null,
  since timestamptz not null default clock_timestamp(),
  primary key (org_id, slug),
  foreign key (org_id, project_id) references public.projects (org_id, id) on delete cascade
);
create index project_slugs_of_project on public.project_slugs (org_id, project_id);
call app.control_table('project_slugs');

-- What is public of a project. The hero is the photo that was chosen, else the first;
-- of the story stand here only when and how long; the rest is in the texts.
create function app.page_of(j public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  with photos as (
    select i.*, row_number() over (order by i.position, i.attached_at, i.code) as n,
      row_number() over (order by not i.hero, i.position, i.attached_at, i.code) = 1 as first
    from public.project_images i
    where i.org_id = j.org_id and i.project_id = j.id and i.removed_at is null and i.state = 'ready')
  select jsonb_build_object('title', j.title, 'type', j.project_type, 'place', j.location,
    'description', j.description, 'seo', j.seo,
    'tags', j.tags, 'materials', j.materials, 'techniques', j.techniques,
      'completed', coalesce(j.story ->> 'completed', ''),
    'duration', coalesce(j.story ->> 'duration', ''),
    'descriptionBlocks', app.blocks_with(j.description_blocks, array(select p.code from photos p)),
    'images', coalesce((select jsonb_agg(jsonb_build_object('id', p.code, 'alt', p.alt, 'stage', p.stage,
      'hero', p.first, 'state', 'ready',
      'width', p.width, 'height', p.height, 'renditions', p.renditions) order by p.n) from photos p), '[]'))
$$;

-- The slug of a project's page: the one that it has where it is of the wanted kind,
-- else the first that no other page has or had.
create function app.slug_for(j public.projects, p_wanted text) returns text
language sql stable security definer set search_path = '' as $$
  select s.slug from (
    select j.slug as slug, 0 as n where j.slug = p_wanted or j.slug ~ ('^' || p_wanted || '-[0-9]+$')
    union all select case n when 1 then p_wanted else p_wanted || '-' || n end, n from generate_series(1, 600) n) s
  where not exists (select from public.project_slugs o where o.org_id = j.org_id and o.slug = s.slug
    and o.project_id <> j.id)
  order by s.n limit 1
$$;

-- Makes the version of a project public that the caller saw; 0 is any. The page is made
-- of rows alone; p_place must be the place as it may be shown. Raises PT404
-- 'project_not_found', PT409 'changed', PT422 'no_profile', 'bad_slug', 'bad_place',
-- 'not_publishable'.
create function public.project_publish(p_project text, p_version int, p_slug text, p_place text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.portfolio_org();
  j public.projects := app.project_locked(v_org, p_project, p_version);
  v_slug text := coalesce(nullif(p_slug, ''), j.slug);
  v_taken text;
  v_images constant text[] := app.photos_of(v_org, j.id);
begin
  if not exists (select from public.business_profiles b where b.org_id = v_org) then
    raise sqlstate 'PT422' using message = 'no_profile',
      detail = 'Say first who you are, in your business profile.';
  elsif v_slug is null or v_slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or length(v_slug) > 70 then
    raise sqlstate 'PT422' using message = 'bad_slug',
      detail = 'The address of a page has lower-case letters, figures and single hyphens.';
  elsif p_place is distinct from j.location then
    raise sqlstate 'PT422' using message = 'bad_place',
      detail = 'The page would show another place than the project allows.';
  elsif j.title = '' or cardinality(v_images) = 0 or exists (select from public.project_images i
      where i.org_id = v_org and i.project_id = j.id and i.removed_at is null and i.state <> 'ready') then
    raise sqlstate 'PT422' using message = 'not_publishable',
      detail = 'A page needs a title, and photos that are all ready.';
  elsif j.status = 'archived' then
    raise sqlstate 'PT422' using message = 'not_publishable',
      detail = 'This project is hidden. Bring it back first.';
  end if;
  -- Another page may take it in this moment; then the next one is free.
  loop
    v_taken := app.slug_for(j, v_slug);
    insert into public.project_slugs (org_id, slug, project_id) values (v_org, v_taken, j.id) on conflict do nothing;
    exit when exists (select from public.project_slugs s
      where s.org_id = v_org and s.slug = v_taken and s.project_id = j.id);
  end loop;
  v_slug := v_taken;
  insert into public.project_pages as g (org_id, project_id, slug, page, photos, paths)
  select v_org, j.id, v_slug, app.page_of(j),
    jsonb_object_agg(i.code, jsonb_build_object('path', i.path, 'renditions', i.renditions)), array_agg(i.path)
  from public.project_images i where i.org_id = v_org and i.project_id = j.id and i.removed_at is null
    and i.state = 'ready'
  on conflict (org_id, project_id) do update
    set slug = excluded.slug, page = excluded.page, photos = excluded.photos, paths = excluded.paths,
      modified_at = clock_timestamp(),
        published_at = case when g.taken_back_at is null then g.published_at else clock_timestamp() end,
          taken_back_at = null;
  update public.projects p
  set status = 'published', slug = v_slug, published_version = p.version + 1,
      published_at = (select g.published_at from public.project_pages g where g.org_id = v_org
        and g.project_id = j.id)
  where p.org_id = v_org and p.id = j.id returning * into j;
  perform app.release_photos(v_org, j.id);
  perform app.note_project(j);
  return app.project_whole(j);
end $$;

-- Takes the page of a project back. Its address says so from then on.
create function public.project_unpublish(p_project text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  j public.projects := app.project_locked(app.portfolio_org(), p_project);
begin
  if j.status = 'published' then
    update public.project_pages g set taken_back_at = clock_timestamp() where g.org_id = j.org_id
      and g.project_id = j.id;
    update public.projects p set status = 'draft', published_at = null, published_version = null
    where p.org_id = j.org_id and p.id = j.id returning * into j;
    perform app.release_photos(j.org_id, j.id);
    perform app.note_project(j);
  else
    perform app.audit_unchanged(j);
  end if;
  return app.project_whole(j);
end $$;

-- For everybody: the page of a project, or {"movedTo"} by an older slug. Raises PT404
-- 'page_not_found', PT410 'page_gone'.
create function public.public_page(p_site text, p_slug text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  b public.business_profiles;
  g public.project_pages;
begin
  select * into b from public.business_profiles x where x.site = p_site;
  if found then
    select x.* into g from public.project_slugs s join public.project_pages x on x.org_id = s.org_id
      and x.project_id = s.project_id
    where s.org_id = b.org_id and s.slug = p_slug;
  end if;
  if g.project_id is null then
    raise sqlstate 'PT404' using message = 'page_not_found', detail = 'There is no such page.';
  elsif g.taken_back_at is not null then
    raise sqlstate 'PT410' using message = 'page_gone', detail = 'This page was taken back.';
  elsif g.slug <> p_slug then
    return jsonb_build_object('movedTo', g.slug);
  end if;
  return g.page || jsonb_build_object('slug', g.slug, 'publishedAt', g.published_at, 'modifiedAt', g.modified_at,
    'business', app.business_json(b));
end $$;

-- For everybody: the profile of an organisation that has pages, and these, the newest
-- first, each without blocks and with its hero alone. Raises PT404 'page_not_found'.
create function public.public_site(p_site text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  b public.business_profiles;
  v_pages jsonb;
begin
  select * into b from public.business_profiles x where x.site = p_site;
  select jsonb_agg(g.page - 'descriptionBlocks' || jsonb_build_object('slug', g.slug,
    'publishedAt', g.published_at, 'modifiedAt', g.modified_at,
      'images', (select coalesce(jsonb_agg(i), '[]') from jsonb_array_elements(g.page -> 'images') i
        where i -> 'hero' = 'true'))
    order by g.published_at desc, g.slug) into v_pages
  from (select * from public.project_pages x where x.org_id = b.org_id and x.taken_back_at is null
    order by x.published_at desc limit 500) g;
  if v_pages is null then
    raise sqlstate 'PT404' using message = 'page_not_found', detail = 'There is no such page.';
  end if;
  return jsonb_build_object('business', app.business_json(b), 'pages', v_pages);
end $$;

-- For everybody: where the bytes of a photo of a public page are, or those of the logo
-- of an organisation that has pages: {"path","renditions"}. Raises PT404
-- 'photo_not_found'.
create function public.public_photo(p_site text, p_image text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  b public.business_profiles;
  v jsonb;
begin
  select * into b from public.business_profiles x where x.site = p_site;
  select g.photos -> p_image into v from public.project_pages g
  where g.org_id = b.org_id and g.taken_back_at is null and g.photos ? p_image limit 1;
  if v is null and b.logo = p_image and b.logo_sizes <> '[]'
    and exists (select from public.project_pages g where g.org_id = b.org_id and g.taken_back_at is null) then
    v := jsonb_build_object('path', b.logo_path, 'renditions', b.logo_sizes);
  end if;
  if v is null then
    raise sqlstate 'PT404' using message = 'photo_not_found', detail = 'There is no such photo.';
  end if;
  return v;
end $$;

-- Whether the bytes at a path of Storage are those of a public photo.
create function app.is_public_photo(p_path text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.uuid_of(split_part(p_path, '/', 1));
  v_path constant text := app.upload_of_path(p_path);
begin
  return v_path <> p_path and exists (select from public.project_pages g
    where g.org_id = v_org and g.taken_back_at is null
      and (g.paths @> array[v_path] or exists (select from public.business_profiles b where b.org_id = v_org
        and b.logo_path = v_path)));
end $$;

-- Whether they are those of a photo of the caller's organisation.
create function app.is_own_photo(p_path text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.org_id();
  v_path constant text := app.upload_of_path(p_path);
begin
  return v_path <> p_path and v_org = app.uuid_of(split_part(p_path, '/', 1))
    and (exists (select from public.project_images i where i.org_id = v_org and i.path = v_path)
      or exists (select from public.business_profiles b where b.org_id = v_org and b.logo_path = v_path));
end $$;

create policy bellhop_photos_members on storage.objects for select to authenticated
  using (bucket_id = 'uploads' and split_part(name, '/', 1) = (select app.org_id())::text
    and app.is_own_photo(name));
create policy bellhop_photos_public on storage.objects for select to anon
  using (bucket_id = 'uploads' and app.is_public_photo(name));

call app.bound_columns();
revoke execute on all routines in schema app from public;
grant execute on function app.is_public_photo(text) to anon;
grant execute on function app.is_own_photo(text) to authenticated;
revoke execute on function public.project_publish(text, int, text, text), public.project_unpublish(text)
  from public, anon, service_role;
grant execute on function public.project_publish(text, int, text, text),
  public.project_unpublish(text) to authenticated;
revoke execute on function public.public_page(text, text), public.public_site(text),
  public.public_photo(text, text)
  from public, authenticated, service_role;
grant execute on function public.public_page(text, text), public.public_site(text),
  public.public_photo(text, text) to anon;
notify pgrst, 'reload schema';
