-- A preview that is made from one row of a list rests on that row alone: a
-- colleague's change of another row does not make it untrue.

-- As before. A read with "codes" names the rows of the list that matter, by their
-- member "code"; its answer has these only.
create or replace function app.proposal_reads() returns table (statement text, arguments jsonb, answer jsonb)
language sql stable security definer set search_path = '' as $$
  select case when r ? 'codes'
      then format('select coalesce(jsonb_agg(x order by o), ''[]'') from jsonb_array_elements((%s)) with ordinality e (x, o) where %L::jsonb ? (x ->> ''code'')',
                  app.read_statement(r ->> 'function', r -> 'arguments'), r -> 'codes')
      else app.read_statement(r ->> 'function', r -> 'arguments') end,
    r -> 'arguments', r -> 'answer'
  from public.proposals p, jsonb_array_elements(p.reads) with ordinality e (r, o)
  where p.org_id = app.org_id() and p.user_id = auth.uid() and p.id = app.current_proposal()
  order by o
$$;

-- As before; the rows that matter are a list of codes.
create or replace function app.check_basis(p_targets jsonb, p_reads jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v jsonb;
begin
  for v in select jsonb_array_elements(coalesce(p_targets, '[]')) loop
    perform app.check_target(v);
  end loop;
  for v in select jsonb_array_elements(coalesce(p_reads, '[]')) loop
    perform app.read_statement(v ->> 'function', v -> 'arguments');
    if v ? 'codes' and (jsonb_typeof(v -> 'codes') <> 'array' or jsonb_typeof(v -> 'answer') is distinct from 'array') then
      raise sqlstate 'PT422' using message = 'bad_read', detail = 'Only of a list can some rows be named.';
    end if;
  end loop;
end $$;
