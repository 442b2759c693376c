-- Webhooks: the ids of those that were taken, so that a repetition is known for a day.

-- Jobs alone note ids.
create table public.webhook_ids (
  source text not null check (length(source) between 1 and 60),
  id text not null check (length(id) between 1 and 200),
  at timestamptz not null default clock_timestamp(),
  primary key (source, id)
);
create index webhook_ids_at on public.webhook_ids (at);
call app.control_table('webhook_ids');

-- Notes an id and says whether it was noted within the last day. Of several at
-- once exactly one hears false. Forgets up to a hundred old ones on the way.
create function public.webhook_seen(p_source text, p_id text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.webhook_ids w using (
    select o.source, o.id from public.webhook_ids o
    where o.at < clock_timestamp() - interval '1 day' and (o.source, o.id) <> (p_source, p_id) limit 100 for update skip locked) old
  where w.source = old.source and w.id = old.id;
  insert into public.webhook_ids as w (source, id) values (p_source, p_id)
  on conflict (source, id) do update set at = clock_timestamp() where w.at < clock_timestamp() - interval '1 day';
  return not found;
end $$;

revoke execute on function public.webhook_seen(text, text) from public, anon, authenticated;
grant execute on function public.webhook_seen(text, text) to service_role;
