-- Who the caller is, with fewer and kept plans: every turn and every answer to a question
-- begins with it. What the functions answer is as before.

-- The assistants of an organisation, by name.
create or replace function app.assistants_of(p_org uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select g.assistant from public.org_assistants g where g.org_id = p_org order by g.assistant);
end $$;

-- Who is asking, what they may choose from, and which limits the organisation has.
create or replace function public.whoami() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_org constant uuid := app.member_org();
  v_user constant uuid := auth.uid();
  v_claims constant jsonb := auth.jwt();
  v_email constant text := coalesce(v_claims ->> 'email', '');
begin
  return (
    select jsonb_build_object(
      'user', m.user_id,
      'name', coalesce(nullif(m.name, ''), v_claims -> 'user_metadata' ->> 'name', v_email),
      'email', v_email,
      'org', o.id, 'orgName', o.name, 'role', m.role,
      'guarded', coalesce(current_setting('app.guarded', true), '') = 'true',
      'budgeted', exists (select from public.budgets b where b.org_id = v_org),
      'assistants', app.assistants_of(v_org),
      'rates', (
        select jsonb_object_agg(r.door, jsonb_build_object('user', r.per_user, 'org', r.per_org))
        from public.rate_limits r where r.org_id = v_org),
      'entities', coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'key', e.key, 'kind', e.kind, 'name', e.name,
                                            'timeZone', e.time_zone, 'currency', e.currency, 'locale', e.locale)
                         order by e.key)
        from public.entities e where e.org_id = v_org), '[]'))
    from public.memberships m join public.orgs o on o.id = m.org_id
    where m.org_id = v_org and m.user_id = v_user);
end $$;

revoke execute on all routines in schema app from public;
