package supabase_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// What is old goes, and what a repeated request, an open question or a person
// still needs stays.
func TestCleaningUpKeepsWhatIsStillNeeded(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	run := func(sql string, args ...any) {
		t.Helper()
		exec(t, conn, sql, args...)
	}
	run(`insert into public.org_assistants (org_id, assistant) values ($1, 'a')`, p.org)
	const age = `clock_timestamp() - $3::int * interval '1 day'`
	for turn, days := range map[string]int{"turn-old": 8, "turn-young": 6} {
		run(`insert into public.turns (org_id, user_id, turn, fingerprint, assistant, started_at, finished_at)
			values ($1, $2, $4, 'f', 'a',`+age+`, `+age+`)`, p.org, p.user, days, turn)
		run(`insert into public.turn_steps (org_id, user_id, turn, step, answer) values ($1, $2, $3, 0, '{}')`, p.org,
			p.user, turn)
	}
	// A turn that began long ago and is running, as no real one does.
	run(`insert into public.turns (org_id, user_id, turn, fingerprint, assistant, started_at, lease_until)
		values ($1, $2, 'turn-running', 'f', 'a', clock_timestamp() - interval '9 days', clock_timestamp() + interval
			'1 minute')`, p.org, p.user)
	proposal := func(state string, days int, open bool, key string) {
		expires := "clock_timestamp() - interval '1 minute'"
		if open {
			expires = "clock_timestamp() + interval '1 minute'"
		}
		run(`insert into public.proposals (org_id, user_id, id, assistant, tool, args_text, args_hash, preview, tier,
			code, state, effect_key, created_at, expires_at)
			values ($1, $2, gen_random_uuid(), 'a', 't', '{}', repeat('a', 64), '{}', 'HIGH', $6, $4, nullif($5, ''), `+age+`, `+expires+`)`, p.org, p.user, days, state, key, state+fmt.Sprint(days, open))
	}
	proposal("rejected", 31, false, "")
	proposal("pending", 31, false, "")
	proposal("pending", 31, true, "")
	proposal("rejected", 29, false, "")
	effects := map[string]struct {
		days int
		turn string
	}{
		"effect-of-an-old-turn": {91, "turn-old"}, "effect-of-a-young-turn": {91, "turn-young"},
		"effect-that-is-young": {89, "turn-old"},
		"effect-on-its-way":    {91, "turn-old"},
	}
	for key, e := range effects {
		run(`insert into public.effects (org_id, user_id, key, args_hash, turn, at) values ($1, $2, $4, repeat('a',
			64), $5,`+age+`)`, p.org, p.user, e.days, key, e.turn)
	}
	for key, state := range map[string]string{"effect-on-its-way": "STARTED", "letter-done": "DONE",
		"letter-unknown": "UNKNOWN"} {
		run(`insert into public.outbox (org_id, user_id, key, kind, payload, state, started_at, unknown_after)
			values ($1, $2, $4, 'mail', '{}', $5,`+age+`, `+age+`)`, p.org, p.user, 91, key, state)
	}
	run(`insert into public.rate_buckets (org_id, bucket, level, at) values ($1, 'chat', 1, clock_timestamp() -
		interval '2 hours'), ($1, 'tools', 1, clock_timestamp())`, p.org)
	run(`insert into public.llm_usage_logs (org_id, user_id, tokens_in, tokens_out, tokens_cached, calls, at)
		values ($1, $2, 1, 1, 0, 1,`+age+`)`, p.org, p.user, 401)
	run(`insert into public.audit (org_id, user_id, table_name, row_key, action, at) values ($1, $2, 'x', 'OLD',
		'insert',`+age+`)`, p.org, p.user, 4000)
	for days, what := range map[int]string{401: "old", 399: "young"} {
		run(`insert into public.feedback_log (org_id, user_id, message, source, rating, weight, assistant, agent,
			thread, question, answer, tools, answered_at, updated_at)
			values ($1, $2, encode(sha256($4::text::bytea), 'hex'), 'explicit', 'up', 3, 'a', '', '', $4, '', '[]',
				now(),`+age+`)`, p.org, p.user, days, what)
	}

	run(`select public.clean_up()`)
	left := func(sql string) string {
		return strings.Join(slices.Sorted(slices.Values(names(t, conn, sql, p.org))), " ")
	}
	for what, tc := range map[string]struct{ sql, want string }{
		"turns":     {`select turn from public.turns where org_id = $1`, "turn-running turn-young"},
		"steps":     {`select turn from public.turn_steps where org_id = $1`, "turn-young"},
		"proposals": {`select code from public.proposals where org_id = $1`, "pending31 true rejected29 false"},
		"effects": {`select key from public.effects where org_id = $1`,
			"effect-of-a-young-turn effect-on-its-way effect-that-is-young"},
		"outbox": {`select key || ' ' || state from public.outbox where org_id = $1`,
			"effect-on-its-way UNKNOWN letter-unknown UNKNOWN"},
		"buckets":  {`select bucket from public.rate_buckets where org_id = $1`, "tools"},
		"usage":    {`select 'one' from public.llm_usage_logs where org_id = $1`, ""},
		"feedback": {`select question from public.feedback_log where org_id = $1`, "young"},
		"audit":    {`select row_key from public.audit where org_id = $1 and row_key = 'OLD'`, "OLD"},
	} {
		if got := left(tc.sql); got != tc.want {
			t.Errorf("%s: left are %q, want %q", what, got, tc.want)
		}
	}
	// The audit goes when told.
	run(`select app.clean_up(p_turns => 0, p_audit => 365)`)
	if got := left(`select turn from public.turns where org_id = $1`); got != "turn-running" {
		t.Errorf("turns: left are %q", got)
	}
	if got := left(`select row_key from public.audit where org_id = $1 and row_key = 'OLD'`); got != "" {
		t.Errorf("audit: left is %q", got)
	}
	as := func(role, sql string) error {
		claims := p.claims()
		if role == "service_role" {
			claims = `{"role":"service_role"}`
		}
		return request{role: role, claims: claims}.do(t.Context(), conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), sql)
			return err
		})
	}
	wantState(t, as("service_role", `select public.clean_up()`), "")
	wantState(t, as("service_role", `select app.clean_up()`), "42501")
	wantState(t, as("authenticated", `select public.clean_up()`), "42501")
}
