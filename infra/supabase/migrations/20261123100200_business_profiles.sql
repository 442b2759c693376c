-- The profile of an organisation: what the pages of its projects say of who did the
-- job. It is public as soon as one of them is.

create table public.business_profiles (
  org_id uuid not null references public.orgs (id),
  id uuid not null default gen_random_uuid(),
  code text not null check (code ~ '^PRO-[A-HJ-NP-Z2-9]{6}$'),
  -- Its part of addresses, once in the whole project.
  site text not null unique check (site ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(site) between 2 and 40),
  name text not null check (length(name) between 1 and 120),
  about text not null default '' check (length(about) <= 600),
  trade text not null default '' check (length(trade) <= 80),
  city text not null default '' check (length(city) <= 80),
  phone text not null default '' check (phone ~ '^[0-9+ ()./-]{0,40}$' and length(phone) <= 40),
  whatsapp text not null default '' check (whatsapp ~ '^([0-9]{7,15})?$' and length(whatsapp) <= 15),
  email text not null default '' check (length(email) <= 120 and email ~ '^([^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+)?$'),
  website text not null default '' check (length(website) <= 200 and website ~ '^(https://[^\s<>"]+)?$'),
  logo text not null default '' check (length(logo) <= 24 and logo ~ '^([a-z2-9]{24})?$'), -- an upload's id
  logo_path text not null default '' check (length(logo_path) <= 200),
  logo_sizes jsonb not null default '[]' check (jsonb_typeof(logo_sizes) = 'array'
    and octet_length(logo_sizes::text) <= 2000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  unique (org_id)
);
-- What anybody may read of it is read by functions; a table whose addresses are
-- unique across organisations is no member's to write.
call app.control_table('business_profiles');
create trigger code before insert or update of code on public.business_profiles
  for each row execute function app.fill_random_code('PRO-');
create trigger zz_touch before insert or update on public.business_profiles
  for each row execute function app.touch();
create trigger audit after insert or update or delete on public.business_profiles
  for each row execute function app.audit();

create function app.business_json(b public.business_profiles) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('site', b.site, 'name', b.name, 'about', b.about, 'trade', b.trade, 'city', b.city,
    'phone', b.phone,
    'whatsApp', b.whatsapp, 'email', b.email, 'website', b.website, 'logo', b.logo, 'logoSizes', b.logo_sizes,
      'version', b.version)
$$;

-- The profile of the caller's organisation. Before there is one it has the version 0
-- and the organisation's name.
create function public.business_profile_get() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
begin
  return coalesce((select app.business_json(b) from public.business_profiles b where b.org_id = v_org),
    (select jsonb_build_object('name', o.name, 'version', 0) from public.orgs o where o.id = v_org));
end $$;

-- A name as a part of addresses, '' where it has no Latin letters or figures. Capitals
-- are listed, since not every collation knows those beyond ASCII.
create function app.slug_of(p_text text) returns text
language sql immutable set search_path = '' as $$
  select btrim(left(btrim(regexp_replace(lower(translate(replace(p_text, 'ß', 'ss'),
    'àáâãäåāçčéèêëēíìîïīñóòôõöøōśšúùûüūýÿžÀÁÂÃÄÅĀÇČÉÈÊËĒÍÌÎÏĪÑÓÒÔÕÖØŌŚŠÚÙÛÜŪÝŸŽ''’',
    'aaaaaaacceeeeeiiiiinooooooossuuuuuyyzAAAAAAACCEEEEEIIIIINOOOOOOOSSUUUUUYYZ')),
    '[^a-z0-9]+', '-', 'g'), '-'), 40), '-')
$$;

-- Keeps the profile of the caller's organisation. p is as projects.Business of our
-- functions, of the version that the caller saw. Without a site it keeps the one that
-- it has, and a new one is called by its name. Raises PT404 'no_such_file', PT409
-- 'changed', 'site_taken', 'site_in_use', PT422 'bad_value', 'too_long', 'not_a_photo'.
create function public.business_profile_save(p jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org constant uuid := app.portfolio_org();
  b public.business_profiles;
  v_was public.business_profiles;
  v_named constant boolean := coalesce(btrim(p ->> 'site'), '') <> '';
  u public.uploads;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'business_profile', v_org), 0));
  select * into v_was from public.business_profiles x where x.org_id = v_org for no key update;
  if coalesce((p ->> 'version')::int, 0) <> coalesce(v_was.version, 0) then
    raise sqlstate 'PT409' using message = 'changed',
      detail = 'The profile was changed meanwhile. Look at it as it is now, and make your change once more.';
  end if;
  b := v_was;
  b.name := replace(app.clean_text(p -> 'name', 120, 'name'), e'\n', ' ');
  b.about := app.clean_text(p -> 'about', 600, 'text about you');
  b.trade := replace(app.clean_text(p -> 'trade', 80, 'trade'), e'\n', ' ');
  b.city := replace(app.clean_text(p -> 'city', 80, 'city'), e'\n', ' ');
  b.phone := app.clean_text(p -> 'phone', 40, 'phone number');
  b.whatsapp := replace(app.clean_text(p -> 'whatsApp', 40, 'WhatsApp number'), '(0)', '');
  b.whatsapp := regexp_replace(regexp_replace(b.whatsapp, '[ +()./-]', '', 'g'), '^00', '');
  b.email := app.clean_text(p -> 'email', 120, 'e-mail address');
  b.website := app.clean_text(p -> 'website', 200, 'website');
  if b.name = '' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = 'A profile needs the name of the business.';
  elsif b.phone !~ '^[0-9+ ()./-]*$' then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'A phone number has figures only, and the signs + ( ) . / -.';
  elsif b.whatsapp !~ '^([0-9]{7,15})?$' then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'A WhatsApp number is written in the international form, as +44 7700 900123.';
  elsif b.email !~ '^([^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+)?$' then
    raise sqlstate 'PT422' using message = 'bad_value', detail = 'This is not an e-mail address.';
  elsif b.website !~ '^(https://[^\s<>"]+)?$' then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'A website is an address that begins with https://.';
  end if;
  b.site := case when v_named then lower(btrim(p ->> 'site')) else coalesce(v_was.site, app.free_site(b.name)) end;
  if b.site !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or length(b.site) not between 2 and 40 then
    raise sqlstate 'PT422' using message = 'bad_value',
      detail = 'The address of your pages has 2 to 40 lower-case letters, figures and single hyphens.';
  elsif b.site is distinct from v_was.site and exists (select from public.business_profiles x
    where x.site = b.site) then
    raise sqlstate 'PT409' using message = 'site_taken',
      detail = 'This address belongs to another business. Choose another one.';
  elsif b.site <> v_was.site and exists (select from public.projects j where j.org_id = v_org
    and j.status = 'published') then
    raise sqlstate 'PT409' using message = 'site_in_use',
      detail = 'Pages are public under your address, so it stays. Take them back before you change it.';
  end if;
  b.logo := app.clean_text(p -> 'logo', 24, 'logo');
  if b.logo = '' then
    b.logo_path := '';
    b.logo_sizes := '[]';
  elsif b.logo is distinct from v_was.logo then
    u := app.photo_upload(v_org, b.logo);
    update public.uploads x set kept = true where x.org_id = v_org and x.id = u.id and not x.kept;
    b.logo_path := app.upload_path(u);
    b.logo_sizes := app.renditions_of(u.facts);
  end if;
  if v_was.id is null then
    insert into public.business_profiles
      (org_id, code, site, name, about, trade, city, phone, whatsapp, email, website, logo, logo_path, logo_sizes)
    values (v_org, '', b.site, b.name, b.about, b.trade, b.city, b.phone, b.whatsapp, b.email, b.website, b.logo,
      b.logo_path,
      b.logo_sizes) returning * into b;
  else
    update public.business_profiles x
    set site = b.site, name = b.name, about = b.about, trade = b.trade, city = b.city, phone = b.phone,
      whatsapp = b.whatsapp,
        email = b.email, website = b.website, logo = b.logo, logo_path = b.logo_path, logo_sizes = b.logo_sizes
    where x.org_id = v_org returning * into b;
    if v_was.logo not in ('', b.logo) then
      perform app.release_uploads(v_org, array[v_was.logo]);
    end if;
  end if;
  return app.business_json(b);
exception when unique_violation then
  -- Another organisation took it in this moment.
  raise sqlstate 'PT409' using message = 'site_taken',
    detail = 'This address belongs to another business. Choose another one.';
end $$;

-- An address of that name which no other organisation has.
create function app.free_site(p_name text) returns text
language sql volatile security definer set search_path = '' as $$
  with base as (select case when length(app.slug_of(p_name)) >= 2 then btrim(left(app.slug_of(p_name), 36), '-')
    else 'business' end as site)
  select s.site from (
    select case n when 1 then b.site else b.site || '-' || n end as site, n from base b, generate_series(1, 50) n
    union all select b.site || '-' || lower(app.human_code(3)), 51 from base b) s
  where not exists (select from public.business_profiles x where x.site = s.site)
  order by s.n limit 1
$$;

-- Trigger: a logo that was on its way is there.
create function app.logo_settled() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state <> 'waiting' then
    update public.business_profiles b
    set logo = case new.state when 'ready' then b.logo else '' end,
      logo_path = case new.state when 'ready' then b.logo_path else '' end,
        logo_sizes = case new.state when 'ready' then app.renditions_of(new.facts) else '[]' end
    where b.org_id = new.org_id and b.logo = new.id;
  end if;
  return null;
end $$;
create trigger logo_settled after update of state on public.uploads for each row execute function app.logo_settled();

-- Where the bytes of the logo are: as project_photo. Raises PT404 'photo_not_found'.
create function public.business_logo() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  v jsonb;
begin
  select jsonb_build_object('path', b.logo_path, 'renditions', b.logo_sizes, 'name', 'logo.jpg') into v
  from public.business_profiles b where b.org_id = v_org and b.logo <> '' and b.logo_sizes <> '[]';
  if not found then
    raise sqlstate 'PT404' using message = 'photo_not_found', detail = 'There is no logo, or it is not ready yet.';
  end if;
  return v;
end $$;

call app.bound_columns();
call app.preview_reads('business_profile_get');
revoke execute on all routines in schema app from public;
revoke execute on function public.business_profile_get(), public.business_profile_save(jsonb),
  public.business_logo()
  from public, anon, service_role;
grant execute on function public.business_profile_get(), public.business_profile_save(jsonb),
  public.business_logo() to authenticated;
notify pgrst, 'reload schema';
