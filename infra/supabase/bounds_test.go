package supabase_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-66: even with the proof a figure has a range and a list a length, and no one
// hides what another user has said.
func TestTheServersOwnFiguresAreBounded(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	milan := asha.colleague(t, conn, "manager")
	exec(t, conn, `insert into public.budgets (org_id, period, tokens) values ($1, 'day', 10000)`, asha.org)
	id := asha.said(t, conn, "shared", "the first question")
	exec(t, conn, `insert into public.chat_people (org_id, session_id, user_id, added_by) values ($1, $2, $3, $4)`,
		asha.org, id, milan.user, asha.user)
	milan.see(t, conn, func(tx pgx.Tx) {
		exec(t, tx, `select conversation_say($1)`,
			fmt.Sprintf(`{"assistant":"hospitality","thread":%q,"turn":"t2","messageId":"m2",`+
				`"text":"what Milan said"}`, id))
	})
	var hold string
	asha.see(t, conn, func(tx pgx.Tx) {
		hold = ask[string](t, tx, `select budget_reserve('m', -5, 1000) ->> 'hold'`)
		exec(t, tx, `select budget_settle($1, 'm', -9000000, 9000000000000, -1)`, hold)
		exec(t, tx, `select usage_log('hospitality', 't', 'm',
			'{"input":-9e18,"output":9e18,"cached":9e18,"calls":1}', 'stop')`)
		// An earlier message is edited: what a colleague has said since stays.
		exec(t, tx, `select conversation_say($1)`,
			fmt.Sprintf(`{"assistant":"hospitality","thread":%q,"turn":"t3","messageId":"m3","replaces":"m1",`+
				`"text":"another question"}`, id))
		exec(t, tx, `select conversation_append($1)`,
			fmt.Sprintf(`{"id":%q,"messages":[{"role":"user","text":"a","tokens":2147483647},{"role":"user",`+
				`"text":"b","tokens":9e18},{"role":"user","text":"c","tokens":-1}]}`, id))
	})
	got := ask[string](t, conn, `select concat_ws(' ', (select tokens from public.budget_use where org_id = $1),
		(select concat_ws('/', tokens_in, tokens_out, tokens_cached) from public.llm_usage_logs where org_id = $1),
		(select count(*) from public.chat_messages where org_id = $1 and superseded_at is null and content in
			('what Milan said', 'the first question')),
		(select max(tokens) from public.chat_messages where org_id = $1), (select min(tokens) from
			public.chat_messages where org_id = $1) > 0,
		(select estimated_tokens between 20000000 and 20001000 from public.chat_sessions where org_id = $1))`,
		asha.org)
	if want := "0 0/1000000000/0 2 10000000 t t"; got != want {
		t.Errorf("the figures are %s, want %s", got, want)
	}
	refused := map[string]struct{ sql, want string }{
		"targets": {`select proposal_create(gen_random_uuid(), 'hospitality', null, 'th', null, 'x', '{}',
			repeat('a', 64), '{}', 'HIGH', 'ABC',
			(select jsonb_agg(jsonb_build_object('table', 'rooms', 'id', gen_random_uuid(), 'version', 1)) from
				generate_series(1, 101)), '[]')`, "PT422 too_many_targets"},
		"messages": {`select conversation_append(jsonb_build_object('id', '` + id +
			`', 'messages', (select jsonb_agg('{"role":"user","text":"x"}'::jsonb) from generate_series(1, 2001))))`,
			"PT422 too_many_messages"},
		"metadata": {`select conversation_append('{"id":"` + id +
			`","messages":[{"role":"user","text":"z","metadata":[1]}]}')`, "23514"},
		"tools": {`select feedback_notice(jsonb_build_object('message', repeat('a', 64), 'signal', 'action',
			'weight', 2, 'assistant', 'hospitality', 'agent', '', 'thread', '',
			'question', '', 'answer', '', 'tools', '[7]'::jsonb, 'answeredAt', '2026-01-01'))`, "23514"},
		"when": {`select feedback_notice(jsonb_build_object('message', repeat('a', 64), 'signal', 'action', 'weight',
			2, 'assistant', 'hospitality', 'agent', '', 'thread', '',
			'question', '', 'answer', '', 'tools', '[]'::jsonb, 'answeredAt', 'infinity'))`, "23514"},
		"frames": {`select turn_begin('t', 'f', 'hospitality', 'th', 1000), turn_finish('t', 'stop', repeat('x',
			9000000), '{}')`, "23514"},
	}
	for name, tt := range refused {
		if got := state(asha.run(t.Context(), conn, nil, tt.sql)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
