-- Plans of consent: the functions that every confirmed write calls find a proposal by its primary key and keep their
-- plans. PostgreSQL plans the body of a function in SQL anew for each call, and that of one in PL/pgSQL once for a
-- connection; and it may look for a proposal among all of a person's, asking app.current_proposal() for each of them.
-- What the functions answer is as before.

create or replace function app.has_assistant(p_org uuid, p_assistant text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.org_assistants g where g.org_id = p_org and g.assistant = p_assistant);
end $$;

create or replace function app.proposal_json(p public.proposals) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p.id, 'assistant', p.assistant, 'agent', p.agent, 'thread', p.thread, 'turn', p.turn, 'tool', p.tool,
    'argsText', p.args_text, 'argsHash', p.args_hash, 'preview', p.preview, 'tier', p.tier, 'code', p.code,
    'targets', p.targets,
    'state', case when p.state = 'pending' and p.expires_at <= clock_timestamp() then 'expired' else p.state end,
    'createdAt', p.created_at, 'expiresAt', p.expires_at, 'now', clock_timestamp());
end $$;

-- The caller's own proposals that match every given filter, newest first, at most
-- 20. One that is asked for by its id or code comes with its "reads".
create or replace function public.proposal_list(p_thread text default null, p_code text default null,
                                                p_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v public.proposals;
begin
  if p_id is not null then
    select * into v from public.proposals p where p.org_id = v_org and p.id = p_id;
    if v.user_id = auth.uid() and (p_thread is null or v.thread = p_thread) and (p_code is null or v.code = p_code)
      and app.has_assistant(v.org_id, v.assistant) then
      return jsonb_build_array(app.proposal_json(v) || jsonb_build_object('reads', v.reads));
    end if;
    return '[]';
  end if;
  return coalesce((
    select jsonb_agg(app.proposal_json(p)
                     || case when p_code is null then '{}' else jsonb_build_object('reads', p.reads) end
                     order by p.created_at desc, p.id)
    from (
      select q.* from public.proposals q
      where q.org_id = v_org and q.user_id = auth.uid()
        and (p_thread is null or q.thread = p_thread)
        and (p_code is null or q.code = p_code)
        and app.has_assistant(q.org_id, q.assistant)
      order by q.created_at desc, q.id limit 20) f
    join public.proposals p on p.org_id = v_org and p.id = f.id), '[]');
end $$;

-- The reads of this transaction's proposal; null where it follows none, or one that is not the caller's.
create function app.current_reads() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.org_id();
  v_id constant uuid := app.current_proposal();
  v_user uuid;
  v_reads jsonb;
begin
  select p.user_id, p.reads into v_user, v_reads from public.proposals p where p.org_id = v_org and p.id = v_id;
  return case when v_user = auth.uid() then v_reads end;
end $$;

-- What the preview of this transaction's proposal was made from. A read with "codes" names the rows of the list that
-- matter, by their member "code"; its answer has these only.
create or replace function app.proposal_reads() returns table (statement text, arguments jsonb, answer jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select case when r ? 'codes'
      then format('select coalesce(jsonb_agg(x order by o), ''[]'') '
                  || 'from jsonb_array_elements((%s)) with ordinality e (x, o) where %L::jsonb ? (x ->> ''code'')',
                  app.read_statement(r ->> 'function', r -> 'arguments'), r -> 'codes')
      else app.read_statement(r ->> 'function', r -> 'arguments') end,
    r -> 'arguments', r -> 'answer'
  from jsonb_array_elements(app.current_reads()) with ordinality e (r, o)
  order by o;
end $$;

-- What a function answered when the preview of this transaction's proposal was
-- made; null where it was not asked. A write that computes the same figure again
-- compares it, since other transactions go on between the two.
create or replace function app.shown(p_function text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select r -> 'answer' from jsonb_array_elements(app.current_reads()) with ordinality e (r, o)
    where r ->> 'function' = p_function
    order by o limit 1);
end $$;

-- extra_use looks for the selections of an extra.
create index extra_selections_extra on public.extra_selections (org_id, extra_id);

create or replace function public.extra_list(p_entity uuid, p_inactive boolean default false) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(x) - '{org_id,entity_id,created_at,updated_at}'::text[]
                              order by x.name, x.code), '[]')
    from public.extras x where x.entity_id = p_entity and (p_inactive or x.active));
end $$;

create or replace function public.extra_use(p_entity uuid, p_code text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('bookings', u.bookings, 'packages', u.packages, 'obstacle',
      case when u.bookings > 0 or u.packages <> '[]' then
        format('%s (%s) is used in %s, so it cannot be deleted. ', x.name, x.code, concat_ws(' and ',
          case when u.bookings > 0 then app.counted(u.bookings, 'booking', 'bookings') end,
          case when u.packages <> '[]' then app.counted(jsonb_array_length(u.packages), 'package', 'packages')
            || ' (' || (select string_agg(c, ', ') from jsonb_array_elements_text(u.packages) c) || ')' end))
        || 'To stop selling it, make it inactive: bookings that have it keep it.'
      end)
    from public.extras x
    cross join lateral (
      select
        (select count(*) from (
           select e.reservation_id from public.reservation_extras e where e.org_id = x.org_id and e.extra_id = x.id
           union
           select s.reservation_id from public.extra_selections s
           where s.org_id = x.org_id and s.extra_id = x.id) r) as bookings,
        (select coalesce(jsonb_agg(p.code order by p.code), '[]')
         from public.packages_extras e join public.packages p on p.org_id = e.org_id and p.id = e.package_id
         where e.org_id = x.org_id and e.extra_id = x.id) as packages) u
    where x.entity_id = p_entity and x.code = p_code);
end $$;

revoke execute on all routines in schema app from public;
