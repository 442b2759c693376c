-- What was read in files whose time has passed goes at once when their owner
-- comes back, see upload_begin; for those who do not it goes with the clean-up. It
-- forgets the words of up to p_batch files and returns of how many. The rows stay,
-- since they say where the bytes are.
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
revoke execute on function app.forget_files(int) from public;
create index uploads_expired on public.uploads (expires_at);

-- All of the clean-up, for a scheduled job that holds the project's secret key.
create or replace function public.clean_up() returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.clean_up() || jsonb_build_object(
    'feedback', app.clean_up_feedback(), 'conversations', app.clean_up_conversations(), 'files', app.forget_files())
$$;
