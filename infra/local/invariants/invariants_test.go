package invariants_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/invariants"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

func TestMain(m *testing.M) { localtest.Main(m) }

func TestTheDemoDataHoldsAll(t *testing.T) {
	if n := len(invariants.All()); n != 11 {
		t.Fatalf("%d invariants were read, want 11", n)
	}
	localtest.Invariants(t, localtest.Stack(t))
}

// first is any active booking, and the org, user and a proposal to go with it.
const world = `
	create temporary table w on commit drop as
	select r.org_id, r.entity_id, r.id as reservation, m.user_id, gen_random_uuid() as proposal, u.org_id as
		other_org, u.user_id as stranger
	from public.reservations r
	join public.memberships m on m.org_id = r.org_id and m.role = 'manager'
	join public.memberships u on u.org_id <> r.org_id and u.role = 'manager'
	where r.status = 'confirmed' and exists (select from public.stays s where s.reservation_id = r.id)
	order by r.code limit 1;
	insert into public.proposals (org_id, id, user_id, assistant, tool, args_text, args_hash, preview, tier, code,
		state, effect_key, closed_at)
	select org_id, proposal, user_id, 'hospitality', 'create_extra', '{}', encode(sha256('{}'), 'hex'), '{}',
		'MEDIUM', 'AAAA', 'consumed', 'effect-1', clock_timestamp() from w;
	insert into public.effects (org_id, key, user_id, args_hash, tool, turn, proposal_id)
	select org_id, 'effect-1', user_id, encode(sha256('{}'), 'hex'), 'create_extra', 'turn-1', proposal from w;
	insert into public.audit (org_id, user_id, table_name, row_key, action, after, effect_key, turn, tool, proposal_id)
	select org_id, user_id, 'extras', 'X', 'insert', jsonb_build_object('org_id', org_id), 'effect-1', 'turn-1',
		'create_extra', proposal from w;
	insert into public.turns (org_id, user_id, turn, fingerprint, assistant, lease_until)
	select org_id, user_id, 'turn-1', 'f', 'hospitality', clock_timestamp() - interval '1 day' from w;
	set local session_replication_role = replica;`

// published is the demo project with a page and a photo.
const published = `
	insert into public.project_images (org_id, project_id, code, path, name, position, state)
	select org_id, id, 'aaaaaaaaaaaaaaaaaaaaaaaa', 'a/b/c', 'c.jpg', 1, 'ready' from public.projects where code =
		'PRJ-STAIR2';
	insert into public.project_pages (org_id, project_id, slug, page, photos, paths)
	select org_id, id, 'staircase', '{}', '{}', '{a/b/c}' from public.projects where code = 'PRJ-STAIR2';
	insert into public.project_slugs (org_id, slug, project_id)
	select org_id, 'staircase', id from public.projects where code = 'PRJ-STAIR2';
	update public.projects set status = 'published', slug = 'staircase' where code = 'PRJ-STAIR2';`

func TestEachBreachIsCaught(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), localtest.Clone(t).ConnString("supabase_admin"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	tests := map[string]struct {
		breaks string
		seen   string // a turn that a client saw acknowledged
		want   string // the invariants, once for each breach
	}{
		"a history without breach":      {"", "turn-1", ""},
		"a consent seen done by its id": {"", "proposal", ""},
		"two bookings of a night": {"alter table public.stays drop constraint stays_no_overlap; " +
			"insert into public.stays (org_id, entity_id, room_id, kind, reservation_id, period, active) select " +
			"org_id, entity_id, room_id, kind, reservation_id, period, true from public.stays where " +
			"reservation_id = (select reservation from w)", "", "I1"},
		"a block over a booking": {"alter table public.stays drop constraint stays_no_overlap; " +
			"insert into public.stays (org_id, entity_id, room_id, kind, block_id, period, active) select " +
			"org_id, entity_id, room_id, 'block', gen_random_uuid(), period, true from public.stays where " +
			"reservation_id = (select reservation from w)", "", "I1"},
		"a booking without its nights": {"delete from public.stays where reservation_id = (select " +
			"reservation from w)", "", "I1"},
		"a cancelled one that holds": {"update public.reservations set status = 'cancelled' where id = " +
			"(select reservation from w)", "", "I1"},
		"a guest in the house who could be moved": {"update public.reservations set status = 'checked_in' where id " +
			"= (select reservation from w)", "", "I1"},
		"a line for a unit that was left": {"update public.reservation_nights set room_id = (select u.id from " +
			"public.rooms u, w where u.org_id = w.org_id and u.id <> room_id limit 1) where (reservation_id, " +
			"room_id, night) in (select reservation_id, room_id, min(night) from public.reservation_nights where " +
			"reservation_id = (select reservation from w) group by 1, 2 limit 1)", "", "I1"},
		"a consent without effect": {"delete from public.effects; delete from public.audit where " +
			"effect_key is not null", "", "I2"},
		"a consent without audit": {"delete from public.audit where effect_key is not null", "",
			"I2 I3"},
		"an effect without audit": {"insert into public.effects (org_id, key, user_id, args_hash) select org_id, " +
			"'effect-2', user_id, repeat('a', 64) from w", "", "I3"},
		"an audit row of another turn": {"update public.audit set turn = 'turn-2' where effect_key is not null", "",
			"I3"},
		"an audit row of another user": {"update public.audit set user_id = null where effect_key is not null", "",
			"I3"},
		"a key twice": {"set constraints all immediate; alter table public.effects drop " +
			"constraint effects_pkey; insert into public.effects (org_id, key, user_id, args_hash, tool, turn) " +
			"select org_id, key, user_id, args_hash, tool, turn from public.effects", "", "I3 I4"},
		"a consent used twice": {"insert into public.effects (org_id, key, user_id, args_hash, tool, " +
			"turn, proposal_id) select org_id, 'effect-2', user_id, args_hash, tool, turn, proposal_id from " +
			"public.effects; insert into public.audit (org_id, user_id, table_name, row_key, action, after, " +
			"effect_key, turn, tool, proposal_id) select org_id, user_id, table_name, row_key, action, after, " +
			"'effect-2', turn, tool, proposal_id from public.audit where effect_key = 'effect-1'", "", "I2 I4 I9"},
		"a change that nobody claimed": {"insert into public.audit (org_id, table_name, row_key, action, after, " +
			"effect_key) select org_id, 'extras', 'X', 'insert', jsonb_build_object('org_id', org_id), " +
			"'effect-9' from w", "", "I4"},
		"an acknowledged write is lost": {"", "turn-9", "I5"},
		"a change under a wrong tenant": {"insert into public.audit (org_id, table_name, row_key, action, after) " +
			"select org_id, 'extras', 'X', 'insert', jsonb_build_object('org_id', other_org) from w", "", "I6"},
		"a row that changed its tenant": {"insert into public.audit (org_id, table_name, row_key, action, before, " +
			"after) select org_id, 'extras', 'X', 'update', jsonb_build_object('org_id', other_org), " +
			"jsonb_build_object('org_id', org_id) from w", "", "I6"},
		"a stranger's change": {"insert into public.audit (org_id, user_id, table_name, row_key, action, " +
			"after) select org_id, stranger, 'extras', 'X', 'insert', jsonb_build_object('org_id', org_id) from " +
			"w", "", "I6"},
		"a line that is missing": {"delete from public.reservation_nights where (reservation_id, room_id, " +
			"night) in (select reservation_id, room_id, min(night) from public.reservation_nights where " +
			"reservation_id = (select reservation from w) and amount > 0 group by 1, 2 limit 1)", "", "I7"},
		"a night that is sold to nobody": {"delete from app.night_figures where (reservation_id, night) in (select " +
			"reservation_id, min(night) from app.night_figures where reservation_id = (select reservation from " +
			"w) group by 1)", "", "I7"},
		"a coupon used too often": {"insert into public.coupons (org_id, entity_id, code, kind, amount, " +
			"usage_limit) select org_id, entity_id, 'ONCE', 'fixed', 1, 1 from w; insert into " +
			"public.coupon_uses (org_id, entity_id, coupon_id, reservation_id, amount) select w.org_id, " +
			"w.entity_id, c.id, r, 0 from w, public.coupons c, (values (gen_random_uuid()), " +
			"(gen_random_uuid())) v (r) where c.code = 'ONCE'", "", "I7"},
		"a coupon lowered after its use": {"insert into public.coupons (org_id, entity_id, code, kind, amount, " +
			"usage_limit) select org_id, entity_id, 'ONCE', 'fixed', 1, 1 from w; insert into " +
			"public.coupon_uses (org_id, entity_id, coupon_id, reservation_id, amount) select w.org_id, " +
			"w.entity_id, c.id, r, 0 from w, public.coupons c, (values (gen_random_uuid()), " +
			"(gen_random_uuid())) v (r) where c.code = 'ONCE'; insert into public.audit (org_id, at, " +
			"table_name, row_id, row_key, action, before, after) select org_id, clock_timestamp() + interval '1 " +
			"second', 'coupons', id, 'ONCE', 'update', jsonb_build_object('org_id', org_id, 'usage_limit', 5), " +
			"jsonb_build_object('org_id', org_id, 'usage_limit', 1) from public.coupons where code = 'ONCE'", "", ""},
		"a turn without end": {"update public.turns set lease_until = clock_timestamp() + interval '2 " +
			"hours'", "", "I8"},
		"an end without answer": {"update public.turns set lease_until = null, finished_at = " +
			"clock_timestamp()", "", "I8"},
		"a step after the end": {"update public.turns set lease_until = null, finished_at = " +
			"clock_timestamp() - interval '1 hour', finish = 'stop', frames = ''; insert into public.turn_steps " +
			"(org_id, user_id, turn, step, answer) select org_id, user_id, 'turn-1', 1, '{}' from w", "", "I8"},
		"a letter without end": {"insert into public.outbox (org_id, key, user_id, kind, payload, " +
			"unknown_after) select org_id, 'effect-1', user_id, 'mail', '{}', clock_timestamp() + interval '2 " +
			"hours' from w", "", "I8"},
		"a letter never settled": {"insert into public.outbox (org_id, key, user_id, kind, payload, " +
			"unknown_after, state) select org_id, 'effect-1', user_id, 'mail', '{}', clock_timestamp(), 'DONE' " +
			"from w", "", "I8"},
		"a letter that nobody claimed": {"insert into public.outbox (org_id, key, user_id, kind, payload, " +
			"unknown_after) select org_id, 'effect-9', user_id, 'mail', '{}', clock_timestamp() from w", "", "I4"},
		"other arguments":         {"update public.effects set args_hash = repeat('a', 64)", "", "I9"},
		"words that were changed": {"update public.proposals set args_text = '{\"price\":1}'", "", "I9"},
		"another person": {"update public.effects set user_id = stranger from w; update " +
			"public.audit set user_id = stranger from w where effect_key is not null", "", "I6 I9"},
		"too late": {"update public.proposals set expires_at = clock_timestamp() - interval " +
			"'1 minute'", "", "I9"},
		"after it was superseded": {"update public.proposals set state = 'superseded', effect_key = null", "",
			"I9"},
		"a consent that is not there": {"delete from public.proposals", "", "I9"},
		"a message that is gone":      {"delete from public.chat_messages where seq = 1", "", "I10"},
		"one that is not counted": {"update public.chat_messages set superseded_at = now() where seq = 2", "",
			"I10"},
		"an owner who is out":          {"update public.chat_people set left_at = now()", "", "I10"},
		"a number from nowhere":        {"update public.chat_counters set last = 1", "", "I10"},
		"a summary of what is to come": {"update public.chat_sessions set summary_through = 9", "", "I10"},
		"a page of a draft": {published + "update public.projects set status = 'draft' where code = 'PRJ-STAIR2'", "",
			"I11"},
		"a page at another slug": {published + "update public.projects set slug = 'stairs' where code = 'PRJ-STAIR2'",
			"", "I11"},
		"a page that is as it should be": {published, "", ""},
		"a page without its photo":       {published + "delete from public.project_images", "", "I11"},
		"a street for everybody to see": {"update public.projects set location = '3 Example Lane' where code = " +
			"'PRJ-STAIR2'", "", "I11"},
		"a photo that may expire": {published +
			`insert into public.uploads (org_id, id, user_id, name, kind, type, size, purpose)
			select org_id, code, (select user_id from public.projects j where j.id = project_id), 'x', 'image',
				'image/jpeg', 1, 'photo' from public.project_images`, "", "I11"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tx, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(t.Context()) }()
			if _, err := conn.PgConn().Exec(t.Context(), world+tt.breaks).ReadAll(); err != nil {
				t.Fatal(err)
			}
			var seen []string
			switch tt.seen {
			case "":
			case "proposal":
				seen = append(seen, "")
				if err := tx.QueryRow(t.Context(), "select proposal::text from w").Scan(&seen[0]); err != nil {
					t.Fatal(err)
				}
			default:
				seen = append(seen, tt.seen)
			}
			found, err := invariants.Check(t.Context(), tx, seen...)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			for _, b := range found {
				if !strings.HasSuffix(got, " "+b.Name) {
					got += " " + b.Name
				}
			}
			if want := tt.want; got != "" && got[1:] != want || got == "" && want != "" {
				t.Errorf("breached %q, want %q: %s", got, want, fmt.Sprint(found))
			}
		})
	}
}
