package supabase_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// said makes a conversation of p with one answer and returns its id.
func (p person) said(t *testing.T, conn *pgx.Conn, thread, text string) (id string) {
	t.Helper()
	p.see(t, conn, func(tx pgx.Tx) {
		id = ask[string](t, tx, `select conversation_say($1) ->> 'id'`,
			fmt.Sprintf(`{"assistant":"hospitality","prefix":"SC","thread":%q,"turn":"t1","messageId":"m1",`+
				`"text":%q,"title":%[2]q}`, thread, text))
		exec(t, tx, `select conversation_answer($1)`, fmt.Sprintf(`{"id":%q,"turn":"t1","text":"The answer to it."}`,
			id))
	})
	return id
}

// F-42: no function and no plain request shows or changes a conversation for
// a user who takes no part: of another organisation, or of the same.
func TestConversationsAreTheirPeoples(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	colleague, stranger := asha.colleague(t, conn, "admin"), newOrg(t, conn, "admin")
	liar := stranger
	liar.org = asha.org // a token may say anything
	id := asha.said(t, conn, "asha's thread", "a secret about wallpaper")
	exec(t, conn, `insert into public.projects (org_id, id, code, title, user_id) values ($1, $2, 'PRJ-SECRET',
		'Secret wallpaper', $3)`, asha.org, id, asha.user)
	whole := func() string {
		return ask[string](t, conn, `select concat_ws(' ', (select row_to_json(s) from public.chat_sessions s where
			s.org_id = $1 and s.id = $2),
			(select json_agg(m order by seq) from public.chat_messages m where m.org_id = $1 and m.session_id = $2),
				(select json_agg(p) from public.chat_people p where p.org_id = $1 and p.session_id = $2))`, asha.org,
			id)
	}
	before := whole()
	body, err := json.Marshal(map[string]any{"id": id, "thread": id, "assistant": "hospitality", "prefix": "SC",
		"turn": "t1", "text": "words of a stranger", "query": "wallpaper",
		"messageId": "m1", "replaces": "m1", "messages": []any{map[string]string{"role": "assistant", "messageId": "x",
			"text": "forged"}}, "title": "Taken over", "through": 1, "summary": "forged", "token": "x"})
	if err != nil {
		t.Fatal(err)
	}
	functions := names(t, conn, `select oid::regprocedure::text from pg_proc where pronamespace =
		'public'::regnamespace and proname like 'conversation\_%' order by 1`)
	if len(functions) < 14 {
		t.Fatalf("only %v", functions)
	}
	for who, p := range map[string]person{"a colleague": colleague, "a stranger": stranger, "a liar": liar} {
		for _, f := range functions {
			name, signature, _ := strings.Cut(f, "(")
			args := []any{id}
			switch signature {
			case "jsonb)":
				args = []any{string(body)}
			case "text,integer,integer)":
				args = append(args, nil, 10)
			case "text,integer,jsonb)":
				args = append(args, 1, string(body))
			case "text,text,integer,integer,integer)":
				args = append(args, "", 100, 1000, 10)
			case "text,text)":
				args = append(args, "person@test.example")
			}
			slots := "$1, $2, $3, $4, $5"[:4*len(args)-2]
			var answer string
			err := p.undone(t, conn, func(tx pgx.Tx) error {
				return tx.QueryRow(t.Context(), fmt.Sprintf("select %s(%s)::text", name, slots), args...).Scan(&answer)
			})
			if strings.Contains(answer, "wallpaper") {
				t.Errorf("%s is told by %s: %s", who, f, answer)
			}
			// What begins something begins something of one's own; the rest knows of nothing.
			begins := name == "conversation_say" || name == "conversation_open" || name == "conversation_list"
			if got := state(err); !begins && got != "PT404 conversation_not_found" && got != "PT403 not_a_member" {
				t.Errorf("%s, %s: %q %s", who, f, got, answer)
			}
		}
		_ = p.undone(t, conn, func(tx pgx.Tx) error {
			for _, table := range []string{"chat_sessions", "chat_people", "chat_messages", "unified_conversations"} {
				if n := ask[int](t, tx, "select count(*) from public."+table); n != 0 {
					t.Errorf("%s sees %d rows of %s", who, n, table)
				}
			}
			return nil
		})
	}
	if got := whole(); got != before {
		t.Errorf("it was changed from\n%s\nto\n%s", before, got)
	}
	// Its owner sees all of it.
	asha.see(t, conn, func(tx pgx.Tx) {
		if n := ask[int](t, tx, `select count(*) + (select count(*) from chat_people) + (select
			jsonb_array_length(messages) from unified_conversations) from chat_sessions`); n != 4 {
			t.Errorf("its owner sees %d rows", n)
		}
	})
	anon := request{role: "anon", claims: `{"role":"anon"}`}.do(t.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `select * from public.unified_conversations`)
		return err
	})
	wantState(t, anon, "42501")
}

// S3-23: stored history is written by the server's functions alone. Not even an
// owner can put an answer into the assistant's mouth by a plain request.
func TestStoredHistoryCannotBeWritten(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "admin")
	id := asha.said(t, conn, "c", "Hello")
	for _, sql := range []string{
		`insert into public.chat_messages (org_id, session_id, seq, role, content) values ($1, $2, 3, 'assistant',
			'All rooms are free of charge.')`,
		`update public.chat_messages set content = 'All rooms are free of charge.' where org_id = $1 and session_id
			= $2`,
		`delete from public.chat_messages where org_id = $1 and session_id = $2`,
		`update public.chat_sessions set message_count = 0, summary_token = 'x' where org_id = $1 and id = $2`,
		`delete from public.chat_sessions where org_id = $1 and id = $2`,
		`insert into public.chat_people (org_id, session_id, user_id, added_by) values ($1, $2, gen_random_uuid(),
			gen_random_uuid())`,
		`update public.unified_conversations set chat_name = 'x' where org_id = $1 and id = $2`,
		`insert into public.chat_counters (org_id, assistant, last) values ($1, $2, 1)`,
	} {
		wantState(t, asha.run(t.Context(), conn, nil, sql, asha.org, id), "42501")
	}
}

// S2-62: what was deleted long ago goes for good, and only that; renaming and
// deleting are on record, without a word of what was said.
func TestDeletedConversationsGoInTheEnd(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	old, young, live := asha.said(t, conn, "1", "old secret"), asha.said(t, conn, "2", "young secret"),
		asha.said(t, conn, "3", "live secret")
	for _, id := range []string{old, young} {
		wantState(t, asha.run(t.Context(), conn, nil, `select conversation_delete($1)`, id), "")
	}
	wantState(t, asha.run(t.Context(), conn, nil, `select conversation_change($1, 1, '{"title":"Named by hand"}')`,
		live), "")
	exec(t, conn, `update public.chat_sessions set deleted_at = deleted_at - interval '91 days' where org_id = $1
		and id = $2`, asha.org, old)
	exec(t, conn, `update public.chat_sessions set deleted_at = deleted_at - interval '89 days' where org_id = $1
		and id = $2`, asha.org, young)
	// Who has left comes back to what is not older than that.
	gone := asha.colleague(t, conn, "viewer")
	forgotten, fresh := gone.said(t, conn, "4", "forgotten secret"), gone.said(t, conn, "5", "fresh secret")
	exec(t, conn, `delete from public.memberships where user_id = $1`, gone.user)
	exec(t, conn, `update public.chat_sessions set last_message_at = last_message_at - interval '91 days' where
		org_id = $1 and id in ($2, $3)`, asha.org, forgotten, live)
	exec(t, conn, `select public.clean_up()`)
	if got := names(t, conn, `select thread from public.chat_sessions where org_id = $1 order by thread`,
		asha.org); fmt.Sprint(got) != "[2 3 5]" {
		t.Errorf("left are the conversations %v", got)
	}
	exec(t, conn, `delete from public.chat_sessions where org_id = $1 and id = $2`, asha.org, fresh)
	if n := ask[int](t, conn, `select count(*) + 10 * (select count(*) from public.chat_messages where org_id = $1) +
		100 * (select count(*) from public.chat_people where org_id = $1)
		from public.chat_sessions where org_id = $1`, asha.org); n != 242 {
		t.Errorf("left are %d (people, messages, conversations)", n)
	}
	wantState(t, asha.run(t.Context(), conn, nil, `select conversation_restore($1)`, young), "")
	record := names(t, conn, `select row_key || ' ' || action || ' ' || coalesce(after ->> 'title', '') from
		public.audit where org_id = $1 and table_name = 'chat_sessions' and
		(action = 'delete' or before ->> 'deleted_at' is distinct from after ->> 'deleted_at' or before ->> 'title'
			is distinct from after ->> 'title') order by id`, asha.org)
	if got := strings.Join(record, "; "); got != "#SC-0001 update ; #SC-0002 update ; #SC-0003 update Named by "+
		"hand; #SC-0001 update ; #SC-0002 update ; #SC-0001 delete ; #SC-0004 delete ; #SC-0005 delete ; "+
		"#SC-0002 update " {
		t.Errorf("the record is %s", got)
	}
	if n := ask[int](t, conn, `select count(*) from public.audit where org_id = $1 and to_jsonb(audit)::text like
		'%secret%'`, asha.org); n != 0 {
		t.Errorf("%d rows of the audit say what was said", n)
	}
	wantState(t, asha.run(t.Context(), conn, nil, `select app.clean_up_conversations(0)`), "42501")
}

// S3-24, S1-22: the tables have the columns that their sources name.
func TestTablesOfConversationsAreTheSources(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	for table, columns := range map[string]string{
		"projects": "id title conversation_summary ai_context ai_memory",
		"chat_sessions": "id project_id title phase extracted_data mode message_count estimated_tokens " +
			"session_summary key_facts",
		"chat_messages": "id session_id content role user_id user_display_name tool_calls processing_metadata " +
			"metadata",
	} {
		have := names(t, conn, `select column_name::text from information_schema.columns where table_schema =
			'public' and table_name = $1`, table)
		for _, c := range strings.Fields(columns) {
			if !slices.Contains(have, c) {
				t.Errorf("%s has no column %s", table, c)
			}
		}
	}
}
