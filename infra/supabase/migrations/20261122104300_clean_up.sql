-- Clean-up: what is kept no longer than it is needed. Nothing runs it by itself;
-- schedule it, for instance with pg_cron:
--   select cron.schedule('bellhop clean-up', '17 3 * * *', 'select public.clean_up()');

-- Deletes up to p_batch rows of each kind that are older than so many days, and
-- returns how many of each. A day is the least; null keeps a kind for ever. What
-- a repeated request or a question still needs is never deleted: running turns,
-- open proposals, an effect while its turn or its proposal is there, and acts
-- outside with an unknown outcome. The audit is kept unless p_audit says
-- otherwise.
create function app.clean_up(p_turns int default 7, p_proposals int default 30, p_effects int default 90, p_outbox int default 90,
                             p_usage int default 400, p_audit int default null, p_batch int default 10000) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_count int;
  v_done jsonb := '{}';
begin
  update public.outbox o set state = 'UNKNOWN', reason = 'It was never settled.'
  where o.state = 'STARTED' and o.unknown_after <= v_now;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('lost', v_count);

  delete from public.turns t using (
    select u.org_id, u.user_id, u.turn from public.turns u
    where coalesce(u.finished_at, u.lease_until) < v_now - greatest(p_turns, 1) * interval '1 day' and p_turns is not null limit p_batch) old
  where t.org_id = old.org_id and t.user_id = old.user_id and t.turn = old.turn;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('turns', v_count);

  delete from public.proposals p using (
    select q.org_id, q.id from public.proposals q
    where q.created_at < v_now - greatest(p_proposals, 1) * interval '1 day' and p_proposals is not null and (q.state <> 'pending' or q.expires_at <= v_now)
    limit p_batch) old
  where p.org_id = old.org_id and p.id = old.id;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('proposals', v_count);

  delete from public.outbox o using (
    select x.org_id, x.key from public.outbox x
    where x.started_at < v_now - greatest(p_outbox, 1) * interval '1 day' and p_outbox is not null and x.state in ('DONE', 'FAILED') limit p_batch) old
  where o.org_id = old.org_id and o.key = old.key;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('outbox', v_count);

  delete from public.effects e using (
    select f.org_id, f.key from public.effects f
    where f.at < v_now - greatest(p_effects, 1) * interval '1 day' and p_effects is not null
      and not exists (select from public.turns t where t.org_id = f.org_id and t.user_id = f.user_id and t.turn = f.turn)
      and not exists (select from public.proposals p where p.org_id = f.org_id and p.id = f.proposal_id)
      and not exists (select from public.outbox o where o.org_id = f.org_id and o.key = f.key)
    limit p_batch) old
  where e.org_id = old.org_id and e.key = old.key;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('effects', v_count);

  delete from public.llm_usage_logs u using (
    select l.org_id, l.id from public.llm_usage_logs l where l.at < v_now - greatest(p_usage, 1) * interval '1 day' and p_usage is not null limit p_batch) old
  where u.org_id = old.org_id and u.id = old.id;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('usage', v_count);

  delete from public.audit a using (
    select b.org_id, b.id from public.audit b where b.at < v_now - greatest(p_audit, 1) * interval '1 day' and p_audit is not null limit p_batch) old
  where a.org_id = old.org_id and a.id = old.id;
  get diagnostics v_count = row_count;
  v_done := v_done || jsonb_build_object('audit', v_count);

  -- A bucket is empty after a minute, a hold is settled within a turn or given
  -- back, and no budget looks back further than a month.
  delete from public.rate_buckets b using (
    select c.org_id, c.bucket from public.rate_buckets c where c.at < v_now - interval '1 hour' limit p_batch) old
  where b.org_id = old.org_id and b.bucket = old.bucket;
  delete from public.budget_holds h using (
    select i.org_id, i.id from public.budget_holds i where i.at < v_now - interval '1 day' and i.returned limit p_batch) old
  where h.org_id = old.org_id and h.id = old.id;
  perform app.clean_up_proofs(p_batch);
  delete from public.budget_use u where u.starts < (v_now - interval '400 days')::date;
  return v_done;
end $$;

-- All of the clean-up, for a scheduled job that holds the project's secret key.
create function public.clean_up() returns jsonb
language sql volatile security definer set search_path = '' as $$
  select app.clean_up() || jsonb_build_object(
    'feedback', app.clean_up_feedback(), 'conversations', app.clean_up_conversations(), 'files', app.forget_files())
$$;

revoke execute on all routines in schema app from public;
revoke execute on function public.clean_up() from public, anon, authenticated;
grant execute on function public.clean_up() to service_role;
notify pgrst, 'reload schema';
