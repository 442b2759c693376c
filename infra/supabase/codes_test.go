package supabase_test

import (
	"slices"
	"testing"
)

// People and models know records by keys of their own and never by ids: what has
// an id has a code, or one of these.
func TestEveryRecordHasAKeyForPeople(t *testing.T) {
	t.Parallel()
	conn := connect(t, "seeded")
	others := map[string]string{
		"orgs": "slug", "entities": "key", "chat_sessions": "prefix and number, as #SC-0001",
		"chat_messages":      "client_id, as its client has it",
		"reservation_extras": "the extra's code, once in a reservation",
		"stays":              "the reservation's or the block's code",
		"budget_holds":       "never shown",
		"intents":            "name, once for an assistant", "llm_path_patterns": "the sentence itself",
		"intent_observations": "never shown",
		"mcp_servers":         "name",
		"response_cache":      "never shown",
	}
	got := names(t, conn, `select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'id' and a.atttypid =
			'uuid'::regtype
		and not exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'code') order by 1`)
	for table := range others {
		if !slices.Contains(got, table) {
			t.Errorf("%s: is no such exception", table)
		}
	}
	for _, table := range got {
		if others[table] == "" {
			t.Errorf("%s: a row has an id and no code. Give it one (app.fill_random_code, app.fill_child_code), or "+
				"say here how people call it", table)
		}
	}
	// The same holds of the audit, of each table that the demo data fills.
	for _, found := range names(t, conn, `select table_name || ': ' || min(row_key) from public.audit
		where row_key ~ '^[0-9a-f]{8}-' or row_key in ('', '?') group by table_name`) {
		t.Errorf("the audit calls a row of %s", found)
	}
	if n := ask[int](t, conn, `select count(distinct table_name) from public.audit`); n < 20 {
		t.Errorf("the demo data has rows of %d audited tables only", n)
	}
}

// A code is no word and no number, and not of the form of EARLY20: a letter stands behind a digit.
func TestACodeReadsAsOne(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	bad := names(t, conn, `select code from (select n, app.human_code(n) as code from generate_series(1, 6) n,
		generate_series(1, 500)) c where length(code) <> n or code !~ '^[A-HJ-NP-Z2-9]+$'
		or n > 1 and code !~ '[2-9].*[A-Z]'`)
	if len(bad) > 0 {
		t.Errorf("%d codes are none: %s", len(bad), bad[:min(5, len(bad))])
	}
}
