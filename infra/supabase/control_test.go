package supabase_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

var hashA, hashB = strings.Repeat("a", 64), strings.Repeat("b", 64)

func effect(key, args, proposal string) map[string]string {
	return map[string]string{"x-bellhop-effect": key, "x-bellhop-args": args, "x-bellhop-tool": "update_room_type",
		"x-bellhop-turn": "turn-1", "x-bellhop-assistant": "hospitality", "x-bellhop-proposal": proposal}
}

const raise = `update public.room_types set weekday_price = weekday_price + 1 where code = 'COCO'`

func (p person) propose(t *testing.T, conn *pgx.Conn, thread, code, targets string) (id string) {
	t.Helper()
	p.see(t, conn, func(tx pgx.Tx) {
		id = ask[string](t, tx, `select proposal_create(gen_random_uuid(), 'hospitality', 'inventory', $1, 'turn-1',
			'update_room_type',
			'{"a":1}', $2, '{}', 'MEDIUM', $3, $4::jsonb, '[]') ->> 'id'`, thread, hashA, code, targets)
	})
	return id
}

func TestAnEffectHappensOnce(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.room(t, conn, "COCO")
	viewer := p.colleague(t, conn, "viewer")
	h := effect("effect-one", hashA, "")
	wantState(t, viewer.run(t.Context(), conn, h, raise), "PT403 role_required")
	wantState(t, request{role: "anon", claims: `{"role":"anon"}`, headers: h}.do(t.Context(), conn,
		func(pgx.Tx) error { return nil }), "PT403 proof_required")
	wantState(t, p.run(t.Context(), conn, h, raise+" and 1 / 0 = 1"), "22012") // a failed write gives its key back
	wantState(t, p.run(t.Context(), conn, h, raise), "")
	wantState(t, p.run(t.Context(), conn, h, raise), "PT409 effect_claimed")
	wantState(t, p.run(t.Context(), conn, effect("short", hashA, ""), raise), "PT422 bad_effect_key")
	wantState(t, p.run(t.Context(), conn, effect("effect-two", "nonsense", ""), raise), "PT422 bad_args_hash")
	wantState(t, request{claims: p.claims(), method: "GET", headers: h}.do(t.Context(), conn,
		func(pgx.Tx) error { return nil }), "")
	p.see(t, conn, func(tx pgx.Tx) {
		o := askJSON(t, tx, `select effect_outcome('effect-one')`)
		rows := o["rows"].([]any)
		row := rows[0].(map[string]any)
		if len(rows) != 1 || row["key"] != "COCO" || row["action"] != "update" ||
			row["after"].(map[string]any)["version"] != 2.0 || o["turn"] != "turn-1" {
			t.Errorf("outcome %v", o)
		}
		if ask[*string](t, tx, `select effect_outcome('effect-nine')::text`) != nil {
			t.Error("an unknown effect has an outcome")
		}
	})
	got := ask[string](t, conn, `select concat_ws(' ', user_id = $2, role, row_key, before ->> 'weekday_price', after
		->> 'weekday_price', tool)
		from public.audit where org_id = $1 and effect_key = 'effect-one'`, p.org, p.user)
	if got != "t manager COCO 100.00 101.00 update_room_type" {
		t.Errorf("audit row: %s", got)
	}
	counts := race(t, 50, func(_ int, conn *pgx.Conn) error {
		return p.run(t.Context(), conn, effect("effect-race", hashA, ""), raise)
	})
	if counts[""] != 1 || counts["PT409 effect_claimed"] != 49 {
		t.Errorf("50 writes with one key: %v", counts)
	}
}

func TestAProposalIsConsumedOnce(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.room(t, conn, "COCO")
	colleague, stranger := p.colleague(t, conn, "manager"), newOrg(t, conn, "manager")
	target := `[{"table":"room_types","key":"COCO","version":1}]`
	id := p.propose(t, conn, "th", "K7P", target)
	try := func(by person, key, args, proposal string) error {
		return by.run(t.Context(), conn, effect(key, args, proposal), raise)
	}
	wantState(t, try(colleague, "effect-c", hashA, id), "PT404 proposal_unknown")
	wantState(t, try(stranger, "effect-s", hashA, id), "PT404 proposal_unknown")
	wantState(t, try(p, "effect-u", hashA, "not-a-uuid"), "PT404 proposal_unknown")
	wantState(t, try(p, "effect-m", hashB, id), "PT409 proposal_mismatch")
	counts := race(t, 50, func(i int, conn *pgx.Conn) error {
		return p.run(t.Context(), conn, effect(fmt.Sprintf("effect-%04d", i), hashA, id), raise)
	})
	if counts[""] != 1 || counts["PT409 proposal_closed"] != 49 {
		t.Errorf("50 answers to one proposal: %v", counts)
	}
	wantState(t, try(p, "effect-old", hashA, p.propose(t, conn, "th2", "OLD", target)), "PT409 proposal_changed")
	expired := p.propose(t, conn, "th3", "EXP", "[]")
	exec(t, conn, `update public.proposals set expires_at = clock_timestamp() where id = $1`, expired)
	wantState(t, try(p, "effect-exp", hashA, expired), "PT410 proposal_expired")
	first := p.propose(t, conn, "th4", "AAA", "[]")
	second := p.propose(t, conn, "th4", "BBB", "[]")
	wantState(t, try(p, "effect-sup", hashA, first), "PT409 proposal_closed")
	wantState(t, p.run(t.Context(), conn, nil,
		`select proposal_create(gen_random_uuid(), 'hospitality', null, 'th5', null, 'x', '{}', $1, '{}', 'HIGH',
			'BBB', '[]', '[]')`, hashA), "PT409 code_taken")
	wantState(t, p.run(t.Context(), conn, nil,
		`select proposal_create(gen_random_uuid(), 'hospitality', null, 'th5', null, 'x', '{}', $1, '{}', 'HIGH',
			'CCC', '[{"table":"turns","id":"x","version":1}]', '[]')`, hashA), "PT422 bad_target")
	// A preview rests on stable functions that are named for it, and on nothing else.
	for _, read := range []string{
		`{"function":"create_extra","arguments":{}}`, `{"function":"whoami","arguments":{}}`,
		`{"function":"pg_sleep","arguments":{}}`, `{}`,
		`{"function":"extra_list","arguments":{"p_other":"1"}}`, `{"function":"extra_list","arguments":[]}`,
		`{"function":"extra_list"}`,
	} {
		wantState(t, p.run(t.Context(), conn, nil,
			`select proposal_create(gen_random_uuid(), 'hospitality', null, 'th5', null, 'x', '{}', $1, '{}',
			'HIGH', 'CCC', '[]', jsonb_build_array($2::jsonb))`, hashA, read), "PT422 bad_read")
	}
	p.see(t, conn, func(tx pgx.Tx) {
		states := ask[string](t, tx, `select string_agg(x ->> 'state', ' ' order by x ->> 'code') from
			jsonb_array_elements(proposal_list()) x`)
		if states != "superseded pending expired consumed pending" {
			t.Errorf("states %s", states)
		}
		for range 2 {
			if s := ask[string](t, tx, `select proposal_reject($1) ->> 'state'`, second); s != "rejected" {
				t.Errorf("rejected proposal is %s", s)
			}
		}
	})
	wantState(t, try(p, "effect-rej", hashA, second), "PT409 proposal_closed")
	colleague.see(t, conn, func(tx pgx.Tx) {
		if n := ask[int](t, tx, `select jsonb_array_length(proposal_list())`); n != 0 {
			t.Errorf("a colleague sees %d proposals", n)
		}
	})
}

func TestATurnIsRunOnceAndReplayed(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "viewer")
	other := p.colleague(t, conn, "viewer")
	begin := func(by person, print string) (o map[string]any) {
		by.see(t, conn, func(tx pgx.Tx) {
			o = askJSON(t, tx, `select turn_begin('t', $1, 'hospitality', 'th', 60000)`,
				print)
		})
		return o
	}
	want := func(o map[string]any, outcome string) {
		t.Helper()
		if o["outcome"] != outcome {
			t.Errorf("outcome %v, want %s", o, outcome)
		}
	}
	save := func(answer string) error {
		return p.run(t.Context(), conn, nil, `select turn_save('t', 'f', 'hospitality', 'th', 60000, 0, $1::jsonb)`,
			answer)
	}
	wantState(t, p.run(t.Context(), conn, nil, `select turn_begin('t', 'f', 'hospitality', 'th', 0)`),
		"PT422 no_time_left")
	want(begin(p, "f"), "new")
	want(begin(other, "g"), "new") // F-04
	want(begin(p, "f"), "in_flight")
	want(begin(p, "g"), "mismatch") // F-03
	wantState(t, save(`{"a":1}`), "")
	wantState(t, save(`{"a":1}`), "")
	wantState(t, save(`{"a":2}`), "PT409 step_conflict")
	exec(t, conn, `update public.turns set lease_until = clock_timestamp() where org_id = $1`, p.org)
	o := begin(p, "f")
	want(o, "resume")
	if s := fmt.Sprint(o["steps"]); s != "[map[answer:map[a:1] run: step:0]]" {
		t.Errorf("steps %s", s)
	}
	wantState(t, p.run(t.Context(), conn, nil, `select turn_finish('t', 'stop', 'the frames', '{}')`), "")
	wantState(t, p.run(t.Context(), conn, nil, `select turn_finish('missing', 'stop', '', '{}')`), "")
	o = begin(p, "f") // F-01
	want(o, "replay")
	if o["frames"] != "the frames" {
		t.Errorf("frames %v", o["frames"])
	}
	wantState(t, save(`{"a":1}`), "PT409 turn_finished")
}

func TestWhoami(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "viewer")
	p.see(t, conn, func(tx pgx.Tx) {
		o := askJSON(t, tx, `select whoami()`)
		if o["user"] != p.user || o["org"] != p.org || o["role"] != "viewer" || o["name"] != "Test Person" ||
			len(o["entities"].([]any)) != 1 {
			t.Errorf("whoami %v", o)
		}
	})
	p.org = newOrg(t, conn, "admin").org
	wantState(t, p.run(t.Context(), conn, nil, `select whoami()`), "PT403 not_a_member")
}
