-- Several quotes at once, in the order of the requests, for comparing rooms and
-- dates: at most 100. The list may come as a text, as with public.quote.
create function public.quotes(p_entity uuid, p_requests jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_requests jsonb := case jsonb_typeof(p_requests) when 'string' then (p_requests #>> '{}')::jsonb else p_requests end;
  v_request jsonb;
  v_quotes jsonb := '[]';
begin
  if jsonb_typeof(v_requests) is distinct from 'array' or jsonb_array_length(v_requests) > 100 then
    raise sqlstate 'PT422' using message = 'invalid_request', detail = 'Ask for a list of at most 100 quotes.';
  end if;
  for v_request in select r from jsonb_array_elements(v_requests) r loop
    v_quotes := v_quotes || jsonb_build_array(app.quote(p_entity, v_request));
  end loop;
  return v_quotes;
end $$;
revoke execute on function public.quotes(uuid, jsonb) from public, anon;
grant execute on function public.quotes(uuid, jsonb) to authenticated;
