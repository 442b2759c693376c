-- Feedback that nobody has touched for so many days goes (null: never). Returns how
-- many rows.
create index feedback_log_touched on public.feedback_log (updated_at);

create function app.clean_up_feedback(p_days int default 400, p_batch int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  delete from public.feedback_log f using (
    select g.org_id, g.id from public.feedback_log g
    where p_days is not null and g.updated_at < clock_timestamp() - greatest(p_days, 1) * interval '1 day' limit p_batch) old
  where f.org_id = old.org_id and f.id = old.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
revoke execute on function app.clean_up_feedback(int, int) from public;
