-- What must hold in every database of ours, whatever happened to it. Each
-- query returns one line of text for each breach; no line means that it holds.

-- I1 No unit is let twice in a night, nor let while it is blocked; what moved took its lines along, and who is in the
-- house is pinned.
select format('unit %s: %s and %s overlap', a.room_id, a.period, b.period)
from public.stays a join public.stays b on b.org_id = a.org_id and b.room_id = a.room_id and b.id > a.id
  and b.period && a.period
where a.active and b.active
union all
select format('reservation %s (%s) does not hold the nights of unit %s that it is for', r.code, r.status, rr.room_id)
from public.reservations r join public.reservation_rooms rr on rr.org_id = r.org_id and rr.reservation_id = r.id
where app.takes_nights(r.status) and r.check_in < r.check_out and not exists (
  select from public.stays s where s.org_id = r.org_id and s.reservation_id = r.id and s.room_id = rr.room_id
    and s.active and s.period = daterange(r.check_in, r.check_out))
union all
select format('reservation %s (%s) holds %s of unit %s without a right to it', r.code, r.status, s.period, s.room_id)
from public.stays s join public.reservations r on r.org_id = s.org_id and r.id = s.reservation_id
where s.active and (not app.takes_nights(r.status) or s.period <> daterange(r.check_in, r.check_out) or not exists (
  select from public.reservation_rooms rr where rr.org_id = s.org_id and rr.reservation_id = r.id
    and rr.room_id = s.room_id))
union all
select format('reservation %s (%s): nobody pinned unit %s, so it could be moved', r.code, r.status, s.room_id)
from public.stays s
join public.reservations r on r.org_id = s.org_id and r.id = s.reservation_id
join public.reservation_rooms rr on rr.org_id = s.org_id and rr.reservation_id = s.reservation_id
  and rr.room_id = s.room_id
where not s.unit_pinned and (rr.unit_pinned or r.status in ('checked_in', 'checked_out'))
union all
select format('reservation %s: a line is for unit %s, which it does not have', r.code, n.room_id)
from public.reservation_nights n join public.reservations r on r.org_id = n.org_id and r.id = n.reservation_id
where not exists (
  select from public.reservation_rooms rr where rr.org_id = n.org_id and rr.reservation_id = n.reservation_id
    and rr.room_id = n.room_id)
group by r.code, n.room_id;

-- I2 Each proposal that was used up has exactly one effect, and the audit knows what it changed.
select format('proposal %s (%s) has %s effects and %s rows of audit', p.id, p.tool, e.n, a.n)
from public.proposals p,
  lateral (select count(*) n from public.effects e where e.org_id = p.org_id and e.proposal_id = p.id) e,
  lateral (select count(*) n from public.audit a where a.org_id = p.org_id and a.proposal_id = p.id
    and a.effect_key = p.effect_key) a
where p.state = 'consumed' and (e.n <> 1 or a.n = 0);

-- I3 Each effect has audit rows of its tenant, user, turn, tool and proposal, and no others.
select format('effect %s (%s) has no row of audit', e.key, e.tool)
from public.effects e
where not exists (select from public.audit a where a.org_id = e.org_id and a.effect_key = e.key)
union all
select format('audit row %s of effect %s names another user, turn, tool or proposal than the effect', a.id,
  a.effect_key)
from public.audit a join public.effects e on e.org_id = a.org_id and e.key = a.effect_key
where (a.user_id, coalesce(left(a.turn, 200), ''), coalesce(left(a.tool, 120), ''), a.proposal_id)
  is distinct from (e.user_id, coalesce(e.turn, ''), coalesce(e.tool, ''), e.proposal_id);

-- I4 No effect happened twice: no key stands twice, and the audit has no effect that was not claimed.
select format('key %s stands %s times', key, count(*)) from public.effects group by org_id, key having count(*) > 1
union all
select format('proposal %s was used %s times', proposal_id, count(*)) from public.effects
where proposal_id is not null group by org_id, proposal_id having count(*) > 1
union all
select format('audit row %s belongs to %s, which nobody claimed', a.id, a.effect_key) from public.audit a
where a.effect_key is not null and not exists (select from public.effects e where e.org_id = a.org_id
  and e.key = a.effect_key)
union all
select format('outbox %s (%s) was begun, and nobody claimed it', o.key, o.kind) from public.outbox o
where not exists (select from public.effects e where e.org_id = o.org_id and e.key = o.key);

-- I5 What a client was told is done is there. $1: the turns, or proposals, whose writes were acknowledged.
select format('%s was acknowledged and is not there', seen)
from unnest($1::text[]) seen
where not exists (select from public.effects e where e.turn = seen or e.proposal_id::text = seen);

-- I6 A change, the row that it is of, and the person who made it are of one tenant.
select format('audit row %s is of another tenant than its row of %s', a.id, a.table_name) from public.audit a
where a.org_id::text is distinct from coalesce(a.after, a.before) ->> 'org_id'
   or a.before is not null and a.after is not null and a.before ->> 'org_id' is distinct from a.after ->> 'org_id'
union all
select format('audit row %s (%s) was made by a person of another tenant', a.id, a.table_name)
from public.audit a join auth.users u on u.id = a.user_id
where lower(u.raw_app_meta_data ->> 'org_id') <> a.org_id::text;

-- I7 Money adds up, also by night, and no coupon is used more often than it may be.
select format('reservation %s: its lines come to %s, %s, %s, %s; it says %s, %s, %s, %s', r.code,
  n.room, n.guests, n.discount, x.extras, r.room_total, r.extra_guest_total, r.discount_total, r.extras_total)
from public.reservations r,
  lateral (select coalesce(sum(amount), 0) room, coalesce(sum(extra_guests), 0) guests, coalesce(sum(discount),
    0) discount
           from public.reservation_nights where org_id = r.org_id and reservation_id = r.id) n,
  lateral (select coalesce(sum(amount), 0) extras from public.reservation_extras where org_id = r.org_id
    and reservation_id = r.id) x
where (n.room, n.guests, n.discount, x.extras) <> (r.room_total, r.extra_guest_total, r.discount_total, r.extras_total)
union all
select format('reservation %s: the total %s is not the sum of its parts', code, total) from public.reservations
where total <> room_total + extra_guest_total + package_other_total - discount_total + extras_total + tax_total
union all
select
  format('reservation %s (%s): its figures by night are %s nights, %s, %s, %s, %s; they should be %s, %s, %s, %s, %s',
  r.code, r.status,
  f.n, f.room, f.extras, f.package_other, f.tax, w.n, w.room, w.extras, w.package_other, w.tax)
from public.reservations r,
  lateral (select count(*) n, coalesce(sum(room - discount), 0) room, coalesce(sum(extras), 0) extras,
    coalesce(sum(package_other), 0) package_other,
             coalesce(sum(tax), 0) tax from app.night_figures where org_id = r.org_id and reservation_id = r.id) f,
  lateral (select count(*) * r.nights n, (count(*) > 0 and r.nights > 0 and app.takes_nights(r.status))::int counts
           from public.reservation_rooms where org_id = r.org_id and reservation_id = r.id) q,
  lateral (select coalesce(sum(100 * l.revenue), 0) room from public.reservation_nights l
           join public.reservation_rooms k on k.org_id = l.org_id and k.reservation_id = l.reservation_id
             and k.room_id = l.room_id
           where l.org_id = r.org_id and l.reservation_id = r.id and l.night >= r.check_in
             and l.night < r.check_out) l,
  lateral (select q.counts * q.n n, q.counts * l.room room, q.counts * 100 * r.extras_total extras,
    q.counts * 100 * r.package_other_total package_other,
             q.counts * 100 * r.tax_total tax) w
where (f.n, f.room, f.extras, f.package_other, f.tax) <> (w.n, w.room, w.extras, w.package_other, w.tax)
union all
select format('coupon %s is used %s times and may be used %s times', c.code, u.n, c.usage_limit)
from public.coupons c,
  lateral (select count(*) n, max(used_at) last from public.coupon_uses where org_id = c.org_id
    and coupon_id = c.id) u,
  -- People may lower a limit below what was used; nothing may be used after that.
  lateral (select max(at) at from public.audit where org_id = c.org_id and table_name = 'coupons' and row_id = c.id
    and action = 'update'
             and before ->> 'usage_limit' is distinct from after ->> 'usage_limit') lowered
where u.n > c.usage_limit and coalesce(u.last > lowered.at, true);

-- I8 Nothing is held for ever: a finished turn holds no lease and has its answer, the others end; so do acts outside
-- of the database.
select format('turn %s is finished and holds a lease, or has no answer', turn) from public.turns
where finished_at is not null and (lease_until is not null or finish is null or frames is null)
union all
select format('turn %s is leased until %s', turn, coalesce(lease_until::text, 'the end of time')) from public.turns
where finished_at is null and (lease_until is null or lease_until > clock_timestamp() + interval '1 hour 10 seconds')
union all
select format('turn %s took a step after it was finished', t.turn)
from public.turns t join public.turn_steps s using (org_id, user_id, turn)
where s.saved_at > t.finished_at
union all
select format('outbox %s (%s) is %s and %s', key, kind, state,
  case when state = 'STARTED' then 'open until ' || unknown_after else 'was never settled' end)
from public.outbox
where state = 'STARTED' and unknown_after > clock_timestamp() + interval '1 hour 10 seconds' or state in ('DONE',
  'FAILED') and settled_at is null;

-- I9 What ran is what was shown: the stored arguments, in time, once, by the person who was asked.
select format('proposal %s: its hash is not that of its arguments', id) from public.proposals
where args_hash <> encode(sha256(convert_to(args_text, 'UTF8')), 'hex')
union all
select format('effect %s ran with proposal %s, which is not there', e.key, e.proposal_id) from public.effects e
where e.proposal_id is not null and not exists (select from public.proposals p where p.org_id = e.org_id
  and p.id = e.proposal_id)
union all
select format('effect %s ran with proposal %s, which is %s', e.key, p.id,
  case when p.state <> 'consumed' then p.state
       when e.args_hash <> p.args_hash then 'for other arguments'
       when e.tool is distinct from p.tool then 'for another tool'
       when e.user_id <> p.user_id then 'for another person'
       when e.key is distinct from p.effect_key then 'used up by another effect'
       else 'too old' end)
from public.effects e join public.proposals p on p.org_id = e.org_id and p.id = e.proposal_id
where p.state <> 'consumed' or e.args_hash <> p.args_hash or e.tool is distinct from p.tool or e.user_id <> p.user_id
   or e.key is distinct from p.effect_key or e.at > p.expires_at + interval '10 seconds' or p.closed_at > p.expires_at;

-- I10 A kept conversation numbers and counts what it holds, has its owner among its people, and a number that was
-- given.
select format('conversation %s says %s live messages, %s tokens, %s in all, and holds %s, %s, %s up to number %s',
  s.id,
  s.message_count, s.estimated_tokens, s.last_seq, m.live, m.tokens, m.rows, m.last)
from public.chat_sessions s
cross join lateral (
  select count(*) filter (where x.superseded_at is null) as live,
    coalesce(sum(x.tokens) filter (where x.superseded_at is null), 0) as tokens,
    count(*) as rows, coalesce(max(x.seq), 0) as last
  from public.chat_messages x where x.org_id = s.org_id and x.session_id = s.id) m
where (s.message_count, s.estimated_tokens, s.last_seq, s.last_seq) is distinct from (m.live, m.tokens, m.rows, m.last)
union all
select format('the owner of conversation %s takes no part in it', s.id) from public.chat_sessions s
where not exists (select from public.chat_people p where p.org_id = s.org_id and p.session_id = s.id
  and p.user_id = s.user_id and p.left_at is null)
union all
select format('conversation %s has number %s, which was not given', s.id, s.number) from public.chat_sessions s
where not exists (select from public.chat_counters c
  where c.org_id = s.org_id and c.assistant = s.assistant and c.entity_id is not distinct from s.entity_id
    and c.last >= s.number)
union all
select format('the summary of conversation %s covers %s of %s messages', s.id, s.summary_through, s.last_seq)
  from public.chat_sessions s
where s.summary_through > s.last_seq;

-- I11 A public page is its project's, at the slug that the project says, and its photos are kept.
select format('page %s of project %s is public, and the project is %s at %s', g.slug, j.code, j.status,
  coalesce(j.slug, 'no slug'))
from public.project_pages g join public.projects j on j.org_id = g.org_id and j.id = g.project_id
where g.taken_back_at is null and (j.status <> 'published' or j.slug is distinct from g.slug
  or not exists (select from public.project_slugs s
    where s.org_id = g.org_id and s.slug = g.slug and s.project_id = g.project_id))
union all
select format('page %s shows a photo that its project does not keep', g.slug)
from public.project_pages g, unnest(g.paths) p (path)
where g.taken_back_at is null and not exists (select from public.project_images i
  where i.org_id = g.org_id and i.project_id = g.project_id and i.path = p.path and i.state = 'ready')
union all
select format('photo %s of a project may expire', i.code)
from public.project_images i join public.uploads u on u.org_id = i.org_id and u.id = i.code
where not u.kept
union all
select format('project %s says that it was shown at %s, which is not as coarse as it allows', j.code, j.location)
from public.projects j
where j.place <> '{}' and j.location <> app.place_shown(j.place, j.location_detail);
