package supabase_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// F-73, SB-6: the database refuses rows of an assistant that was not given, and
// hides those that there were before it was taken away.
func TestRowsOfAnAssistantThatWasNotGiven(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "admin")
	slug := ask[string](t, conn, `select slug from public.orgs where id = $1`, p.org)
	operator := func(slug, assistant string, given bool) (list string, err error) {
		err = request{role: "service_role", claims: `{"role":"service_role"}`}.do(t.Context(), conn,
			func(tx pgx.Tx) error {
				return tx.QueryRow(t.Context(), `select public.org_assistant_set($1, $2, $3)::text`, slug, assistant,
					given).Scan(&list)
			})
		return list, err
	}
	const refused = "PT404 unknown_assistant"
	do := map[string]string{
		"a turn": `select turn_begin('t-' || gen_random_uuid(), 'f', 'ASSISTANT', 'th', 1000)`,
		"a proposal": `select proposal_create(gen_random_uuid(), 'ASSISTANT', 'a', 'th', 't1', 'tool', '{}',
			repeat('a', 64), '{}', 'MEDIUM', left(gen_random_uuid()::text, 8), '[]', '[]')`,
		"a conversation": `select conversation_open('{"assistant":"ASSISTANT","prefix":"XX"}')`,
		"a rating": `select feedback_give(jsonb_build_object('message', replace(gen_random_uuid()::text, '-', '') ||
			repeat('0', 32), 'rating', 'up', 'weight', 3,
			'assistant', 'ASSISTANT', 'agent', '', 'thread', '', 'question', 'q', 'answer', 'a', 'tools',
				'[]'::jsonb, 'answeredAt', now()))`,
	}
	see := map[string]string{
		"what conversations are listed": `select jsonb_array_length(conversation_list('{}') -> 'conversations')`,
		"what conversations are read":   `select count(*) from public.chat_sessions where org_id = $1`,
		"what is read as one":           `select count(*) from public.unified_conversations where org_id = $1`,
		"what messages are read":        `select count(*) from public.chat_messages where org_id = $1`,
		"what feedback is listed":       `select jsonb_array_length(feedback_list('{}') -> 'items')`,
		"what feedback is read":         `select count(*) from public.feedback_log where org_id = $1`,
		"what questions are listed":     `select jsonb_array_length(proposal_list())`,
	}
	count := func(sql string) (n int) {
		p.see(t, conn, func(tx pgx.Tx) {
			if strings.Contains(sql, "$1") {
				n = ask[int](t, tx, sql, p.org)
			} else {
				n = ask[int](t, tx, sql)
			}
		})
		return n
	}
	for what, sql := range do {
		wantState(t, p.run(t.Context(), conn, nil, strings.ReplaceAll(sql, "ASSISTANT", "finance")), refused)
		if err := p.run(t.Context(), conn, nil, strings.ReplaceAll(sql, "ASSISTANT", "hospitality")); err != nil {
			t.Errorf("%s of an assistant that was given: %v", what, err)
		}
	}
	exec(t, conn, `insert into public.chat_messages (org_id, session_id, seq, role, content, user_id)
		select org_id, id, 1, 'user', 'Hello', user_id from public.chat_sessions where org_id = $1`, p.org)
	for what, sql := range see {
		if n := count(sql); n != 1 {
			t.Errorf("%s: %d rows while it was given", what, n)
		}
	}
	const mine = `select whoami() ->> 'assistants'`
	whoami := func() (list string) {
		p.see(t, conn, func(tx pgx.Tx) { list = ask[string](t, tx, mine) })
		return list
	}
	if got := whoami(); got != `["hospitality"]` {
		t.Errorf("whoami tells of %s", got)
	}
	conversation := ask[string](t, conn, `select id::text from public.chat_sessions where org_id = $1`, p.org)
	proposal := ask[string](t, conn, `select id::text from public.proposals where org_id = $1`, p.org)
	p.room(t, conn, "COCO")

	if got, err := operator(slug, "hospitality", false); err != nil || got != "[]" {
		t.Fatalf("taken away: %s, %v", got, err)
	}
	if got := whoami(); got != `[]` {
		t.Errorf("whoami tells of %s", got)
	}
	for what, sql := range see {
		if n := count(sql); n != 0 {
			t.Errorf("%s: %d rows after it was taken away", what, n)
		}
	}
	for _, sql := range do {
		wantState(t, p.run(t.Context(), conn, nil, strings.ReplaceAll(sql, "ASSISTANT", "hospitality")), refused)
	}
	// A write of a tool, with and without a question that was answered.
	wantState(t, p.run(t.Context(), conn, effect("effect-late", hashA, ""), raise), refused)
	wantState(t, p.run(t.Context(), conn, effect("effect-late", hashA, proposal), raise), refused)
	wantState(t, p.run(t.Context(), conn, nil, `select proposal_reject($1)`, proposal), "PT404 proposal_unknown")
	wantState(t, p.run(t.Context(), conn, nil, `select conversation_change($1, 1, '{"title":"x"}')`, conversation),
		"PT404 conversation_not_found")
	service := func(sql string, args ...any) error {
		return request{role: "service_role", claims: `{"role":"service_role"}`}.do(t.Context(), conn,
			func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), sql, args...)
				return err
			})
	}
	wantState(t, service(`select job_summary_want($1, $2)`, p.org, conversation), "PT404 conversation_not_found")

	for range 2 { // once more changes nothing
		if got, err := operator(slug, "hospitality", true); err != nil || got != `["hospitality"]` {
			t.Fatalf("given again: %s, %v", got, err)
		}
	}
	for what, sql := range see {
		if n := count(sql); n != 1 {
			t.Errorf("%s: %d rows after it was given again", what, n)
		}
	}
	wantState(t, service(`select job_summary_want($1, $2)`, p.org, conversation), "")
	_, err := operator("no-such-house", "hospitality", true)
	wantState(t, err, "PT404 unknown_org")
	_, err = operator(slug, "No Name", true)
	wantState(t, err, "23514")
	wantState(t, p.run(t.Context(), conn, nil, `select org_assistant_set($1, 'finance')`, slug), "42501")
	if got := ask[string](t, conn, `select string_agg(action || ' ' || row_key, ', ' order by id) from public.audit
		where org_id = $1 and table_name = 'org_assistants'`,
		p.org); got != "insert hospitality, delete hospitality, insert hospitality" {
		t.Errorf("the audit says: %s", got)
	}
}
