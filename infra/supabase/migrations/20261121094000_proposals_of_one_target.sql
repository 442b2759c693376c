-- A newer question takes the place of an older one that is about the same row,
-- whichever tool asks: after the first act the second preview would be untrue.

-- Whether two lists of targets name a row in common.
create function app.targets_overlap(p_one jsonb, p_other jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select exists (
    select from jsonb_array_elements(p_one) a, jsonb_array_elements(p_other) b
    where a ->> 'table' = b ->> 'table'
      and (a ->> 'id' = b ->> 'id' or a ->> 'key' = b ->> 'key' and a ->> 'entity' is not distinct from b ->> 'entity'))
$$;

-- In a conversation the newer question takes the place of the older. Forms and
-- programs have no conversation: two of their questions, for two guests, stand
-- side by side, each answered by its own id.

-- Stores a proposal of the caller and returns it. It lives ten minutes by the
-- database's clock. Live proposals of the same thread are superseded when they
-- are of the same tool or name one of the same rows; in the thread "tools" only
-- when they are of the same tool and arguments, or name one of the same rows. The same call again returns
-- what the first one stored. Raises PT409 'code_taken' when another live proposal
-- of the caller bears the code, PT409 'proposal_exists' when the id was used for
-- something else.
create or replace function public.proposal_create(p_id uuid, p_assistant text, p_agent text, p_thread text, p_turn text, p_tool text,
                                       p_args_text text, p_args_hash text, p_preview jsonb, p_tier text, p_code text,
                                       p_targets jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_org uuid := app.member_org();
  v public.proposals;
  v_target jsonb;
begin
  for v_target in select jsonb_array_elements(coalesce(p_targets, '[]')) loop
    perform app.check_target(v_target);
  end loop;
  -- One at a time for each person, so that two live proposals never share a code.
  perform pg_advisory_xact_lock(hashtextextended('proposals' || v_org::text || auth.uid()::text, 0));
  select * into v from public.proposals p where p.org_id = v_org and p.id = p_id;
  if found then
    if v.user_id <> auth.uid() or v.tool <> p_tool or v.args_hash <> p_args_hash or v.code <> p_code then
      raise sqlstate 'PT409' using message = 'proposal_exists', detail = 'The id belongs to another proposal.';
    end if;
    return app.proposal_json(v);
  end if;
  update public.proposals p set state = 'superseded', closed_at = clock_timestamp()
  where p.org_id = v_org and p.user_id = auth.uid() and p.thread is not distinct from p_thread
    and (p.tool = p_tool and (p_thread is distinct from 'tools' or p.args_hash = p_args_hash) or app.targets_overlap(p.targets, coalesce(p_targets, '[]')))
    and p.state = 'pending' and p.expires_at > clock_timestamp();
  if exists (select from public.proposals p
             where p.org_id = v_org and p.user_id = auth.uid() and p.code = p_code
               and p.state = 'pending' and p.expires_at > clock_timestamp()) then
    raise sqlstate 'PT409' using message = 'code_taken', detail = 'Another open proposal bears this code.';
  end if;
  insert into public.proposals as p (org_id, id, user_id, assistant, agent, thread, turn, tool, args_text, args_hash,
                                     preview, tier, code, targets)
  values (v_org, p_id, auth.uid(), p_assistant, p_agent, p_thread, p_turn, p_tool, p_args_text, p_args_hash,
          p_preview, p_tier, p_code, coalesce(p_targets, '[]'))
  returning * into v;
  return app.proposal_json(v);
end $$;

revoke execute on all routines in schema app from public;
