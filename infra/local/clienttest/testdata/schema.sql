-- A small world for the client test: makers, their things and the parts of
-- these. Everybody sees and changes their own things only; makers are for all.

create table public.makers (
  id int primary key,
  name text not null unique
);
insert into public.makers values (1, 'Ada Workbench'), (2, 'Bo Lathe'), (3, 'Cy Idle');

create table public.things (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid(),
  code text not null unique,
  name text not null check (name <> 'forbidden'),
  tags text[] not null default '{}',
  data jsonb not null default '{}',
  maker_id int references public.makers (id),
  held int4range,
  changed int not null default 0
);

create table public.parts (
  id bigint generated always as identity primary key,
  thing_id bigint not null references public.things (id) on delete cascade,
  name text not null,
  n int not null
);

alter table public.makers enable row level security;
alter table public.things enable row level security;
alter table public.parts enable row level security;
create policy all_read on public.makers for select to authenticated using (true);
create policy own on public.things to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy own on public.parts to authenticated
  using (exists (select from public.things t where t.id = thing_id))
  with check (exists (select from public.things t where t.id = thing_id));
revoke all on public.makers, public.things, public.parts from anon, authenticated;
grant select on public.makers to authenticated;
grant select, insert, update, delete on public.things, public.parts to authenticated;
grant all on public.makers, public.things, public.parts to service_role;

create function public.add(a int, b int) returns int language sql immutable as 'select a + b';
create function public.echo(said text) returns text language sql stable as 'select said';
create function public.echo_json(said jsonb) returns jsonb language sql stable as 'select said';
create function public.nothing() returns void language sql stable as 'select';
create function public.things_tagged(tag text) returns setof public.things language sql stable as $$
  select * from public.things where tags @> array[tag]
$$;
create function public.rename_thing(p_code text, p_name text) returns public.things language sql as $$
  update public.things set name = p_name where code = p_code returning *
$$;
create function public.divide(a int, b int) returns int language sql immutable as 'select a / b';
create function public.refuse(status int) returns void language plpgsql stable as $$
begin
  raise exception using errcode = 'PT' || status, message = 'refused', detail = 'Because.', hint = 'Ask elsewhere.';
end $$;
create function public.complain() returns void language plpgsql stable as $$
begin
  raise exception 'a plain complaint' using detail = 'With a detail.', hint = 'And a hint.';
end $$;
create function public.ponder() returns void language sql stable set statement_timeout = '100ms' as 'select pg_sleep(5)';
create function public.staff_only() returns int language sql stable as 'select 1';
revoke execute on function public.staff_only() from public, anon, authenticated;
