package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

// recording starts the function with a recorder.
func recording(t *testing.T, steps ...script.Step) door {
	t.Helper()
	project := localtest.Stack(t)
	client, err := supabase.New(localtest.Config(t, project))
	if err != nil {
		t.Fatal(err)
	}
	return openAs(t, project, func(c *chat.Config) { c.Recorder = conversations.New(client) }, steps...)
}

// stored returns what is live in the organisation's conversations, in order:
// role, words, whose, and whether a token stands beside it.
func stored(t *testing.T, org localtest.Org) []string {
	t.Helper()
	var out []string
	for _, row := range localtest.SQL(t, `select m.role, m.content, coalesce(m.user_display_name, '') as name,
		m.token is not null as sealed
		from chat_messages m join chat_sessions s on s.org_id = m.org_id and s.id = m.session_id
		where m.org_id = $1 and m.superseded_at is null order by s.number, m.seq`, org.ID) {
		line := fmt.Sprintf("%s: %s", row["role"], row["content"])
		if row["role"] == "assistant" && row["sealed"] != true {
			line += " (without a seal)"
		}
		out = append(out, line)
	}
	return out
}

func expectStored(t *testing.T, org localtest.Org, want ...string) {
	t.Helper()
	if got := stored(t, org); !slices.Equal(got, want) {
		t.Errorf("stored are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// S1-22, S2-61: a turn is kept with its conversation, which has a number and a
// name; the same turn again adds nothing.
func TestATurnIsKeptWithItsConversation(t *testing.T) {
	org := localtest.NewOrg(t)
	d := recording(t, script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
		script.Step{Text: "None so far."},
		script.Route("inventory"), script.Step{Text: "You are welcome."})
	body := map[string]any{"id": uuid.NewString(), "turn": "t1",
		"messages": []any{map[string]any{"id": "m1", "role": "user", "content": "List the extras, please"}}}
	resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", body)
	first := answer(t, raw)
	if resp.StatusCode != http.StatusOK || first.Conversation == nil || first.Conversation.Code != "#SC-0001" ||
		!first.Conversation.New ||
		first.Conversation.ID != body["id"] || first.Conversation.Title != "List the extras, please" ||
		len(first.Degraded) != 0 {
		t.Fatalf("status %d, %+v, %s", resp.StatusCode, first.Conversation, raw)
	}
	if again, _ := d.post(t, "/api/chat", org.Manager.Token, "",
		body); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("the turn was not replayed")
	}
	body["turn"], body["messages"] = "t2", append(body["messages"].([]any), message(first), user("Thank you"))
	_, raw = d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	frames := events(t, raw)
	last := frames[len(frames)-1].data["conversation"].(map[string]any)
	if last["code"] != "#SC-0001" || last["isNew"] != false || last["title"] != "List the extras, please" {
		t.Errorf("the second turn is of %v", last)
	}
	expectStored(t, org, "user: List the extras, please", "assistant: "+first.Reply, "user: Thank you",
		"assistant: You are welcome.")

	// S2-61: the preview is in words, whatever the answer looks like.
	if row := localtest.SQL(t, "select app.preview(content) as words from chat_messages where org_id = $1 and turn "+
		"= 't1' and role = 'assistant'", org.ID)[0]; row["words"] != "None so far." {
		t.Errorf("the preview of %q is %q", first.Reply, row["words"])
	}
	if row := localtest.SQL(t, "select app.preview(E'<table><tr><td>1</td></tr></table>\n\nOne **room**,\n# "+
		"and\t<b>two</b> <table>2</table> tables <table><tr>') as words")[0]; row["words"] != "One room, and two tables" {
		t.Errorf("the preview around tables is %q", row["words"])
	}
	// What is kept can be believed, and only as it is.
	row := localtest.SQL(t, "select session_id::text as id, token, content, tool_calls, processing_metadata as how, "+
		"client_id, agent from chat_messages where org_id = $1 and turn = 't1' and role = 'assistant'", org.ID)[0]
	keys, err := history.NewKeys(history.KeysConfig{Spec: sealKeys, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	location := history.Location{Tenant: org.ID, Assistant: "hospitality", Conversation: row["id"].(string),
		Message: "t1"}
	state, _, err := keys.OpenStored(location, row["content"].(string), row["token"].(string))
	if err != nil || state.Agent != "inventory" || len(state.Steps) != 1 ||
		state.Steps[0].Calls[0].Name != "list_extras" {
		t.Errorf("kept is %+v, %v", state, err)
	}
	calls, err := json.Marshal(row["tool_calls"])
	if err != nil {
		t.Fatal(err)
	}
	if row["client_id"] != "t1" || row["agent"] != "inventory" || !strings.Contains(string(calls),
		`"name":"list_extras"`) {
		t.Errorf("the row is %v", row)
	}
	// S3-8: what a tool answered counts among the tokens.
	sum := localtest.SQL(t, "select s.message_count as n, s.estimated_tokens as tokens, (select sum(tokens)::int "+
		"from chat_messages m where m.org_id = s.org_id) as each, length($2) / 4 as words from chat_sessions s "+
		"where s.org_id = $1", org.ID, first.Reply)[0]
	if fmt.Sprint(sum["n"]) != "4" || fmt.Sprint(sum["tokens"]) != fmt.Sprint(sum["each"]) {
		t.Errorf("counted are %v", sum)
	}
}

func message(a stream.Answer) map[string]any {
	return map[string]any{"id": a.Message.ID, "role": "assistant", "content": a.Message.Content,
		"seal": a.Message.Seal}
}

// A question is kept before any model is asked, so it does not get lost when
// none answers; asked again, it stands there once.
func TestAQuestionOutlivesAFailedAnswer(t *testing.T) {
	org := localtest.NewOrg(t)
	body := map[string]any{"id": uuid.NewString(), "turn": "t1", "messages": []any{user("Who arrives today?")}}
	var atModel []string
	broken := recording(t, script.Step{Times: 5, Fault: script.BadGateway(),
		Arrived: func(script.Request) { atModel = stored(t, org) }})
	if resp, raw := broken.post(t, "/api/chat", org.Manager.Token, "", body); resp.StatusCode < 500 {
		t.Fatalf("status %d: %s", resp.StatusCode, raw)
	}
	if want := []string{"user: Who arrives today?"}; !slices.Equal(atModel, want) {
		t.Errorf("when the model was asked, stored was %q", atModel)
	}
	well := recording(t, script.Step{Text: "Nobody?"})
	if resp, raw := well.post(t, "/api/chat", org.Manager.Token, "", body); resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", resp.StatusCode, raw)
	}
	expectStored(t, org, "user: Who arrives today?", "assistant: Nobody?")
}

// What the client does not name is not kept.
func TestANamelessConversationIsNotKept(t *testing.T) {
	org := localtest.NewOrg(t)
	_, raw := recording(t, script.Step{Text: "Good day."}).post(t, "/api/chat", org.Manager.Token, "", ask("Hello"))
	if a := answer(t, raw); a.Conversation != nil || a.Reply == "" {
		t.Errorf("the answer is %s", raw)
	}
	expectStored(t, org)
}

// Edited and sent again, or answered anew, a message takes the place of the old
// one; what it replaced is kept aside.
func TestAnEditedMessageStandsInstead(t *testing.T) {
	org := localtest.NewOrg(t)
	said := func(id, text string) map[string]any { return map[string]any{"id": id, "role": "user", "content": text} }
	id := uuid.NewString()
	send := func(body map[string]any, reply string) stream.Answer {
		t.Helper()
		body["id"] = id
		resp, raw := recording(t, script.Step{Text: reply}).post(t, "/api/chat", org.Manager.Token, "application/json",
			body)
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d: %s", resp.StatusCode, raw)
		}
		return answer(t, raw)
	}
	one := send(map[string]any{"turn": "t1", "messages": []any{said("m1", "Helo")}}, "Good day.")
	send(map[string]any{"turn": "t2", "messages": []any{said("m1", "Helo"), message(one), said("m2", "Who are you?")}},
		"I am Bernard.")
	send(map[string]any{"turn": "t3", "messageId": "m2", "messages": []any{said("m1", "Helo"), message(one),
		said("m2", "What can you do?")}}, "Look things up?")
	expectStored(t, org, "user: Helo", "assistant: Good day.", "user: What can you do?", "assistant: Look things up?")
	// As the AI SDK asks for another answer.
	send(map[string]any{"turn": "t4", "messageId": "t3", "trigger": "regenerate-message",
		"messages": []any{said("m1", "Helo"), message(one), said("m2", "What can you do?")}}, "Book cabins?")
	expectStored(t, org, "user: Helo", "assistant: Good day.", "user: What can you do?", "assistant: Book cabins?")
	if n := len(localtest.SQL(t, "select 1 as one from chat_messages where org_id = $1", org.ID)); n != 7 {
		t.Errorf("%d rows, want the 4 that are shown and the 3 that were replaced", n)
	}
}

// An answer by a button is no message of a person; the receipt is kept.
func TestAReceiptIsKept(t *testing.T) {
	org := localtest.NewOrg(t)
	id := uuid.NewString()
	d := recording(t, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "create_extra",
			Arguments: `{"name":"Stargazing","price":45,"per":"guest"}`}}})
	body := map[string]any{"id": id, "turn": "t1", "messages": []any{user("Add an extra called Stargazing for 45")}}
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "", body)
	asked := answer(t, raw)
	if asked.Confirmation == nil {
		t.Fatalf("nothing was asked: %s", raw)
	}
	_, raw = d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{
		"id": id, "turn": "t2", "messages": []any{user("Add an extra called Stargazing for 45"), message(asked)},
		"confirm": map[string]any{"id": asked.Confirmation.ID, "decision": "approve"},
	})
	done := answer(t, raw)
	expectStored(t, org, "user: Add an extra called Stargazing for 45", "assistant: "+asked.Reply, "assistant: "+
		done.Reply)
	if n := len(localtest.SQL(t, "select 1 as one from extras where org_id = $1", org.ID)); n != 1 {
		t.Errorf("%d extras", n)
	}
}

// S2-62: who deleted a conversation is told so, before anything is spent.
func TestADeletedConversationIsNotGoneOnWith(t *testing.T) {
	org := localtest.NewOrg(t)
	id := uuid.NewString()
	first := recording(t, script.Step{Text: "Good day."})
	first.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": id, "turn": "t1",
		"messages": []any{user("Hello")}})
	localtest.SQL(t, "update chat_sessions set deleted_at = now() where org_id = $1", org.ID)
	d := recording(t)
	for range 2 { // a turn that was refused is given back
		resp, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream",
			map[string]any{"id": id, "turn": "t2", "messages": []any{user("Hello again")}})
		if resp.StatusCode != http.StatusConflict || !strings.Contains(string(raw), `"conversation_deleted"`) {
			t.Errorf("status %d: %s", resp.StatusCode, raw)
		}
	}
	if n := len(d.model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

// A caller who names another user's conversation has one of their own.
func TestNobodyTalksIntoAnothersConversation(t *testing.T) {
	org := localtest.NewOrg(t)
	id := uuid.NewString()
	body := func(turn string) map[string]any {
		return map[string]any{"id": id, "turn": turn, "messages": []any{user("Hello from " + turn)}}
	}
	for i, token := range []string{org.Manager.Token, org.Admin.Token, localtest.NewOrg(t).Manager.Token} {
		_, raw := recording(t, script.Step{Text: "Good day."}).post(t, "/api/chat", token, "",
			body(fmt.Sprint("t", i)))
		if a := answer(t, raw); a.Conversation == nil || !a.Conversation.New || (a.Conversation.ID == id) != (i != 1) {
			t.Errorf("caller %d: %+v", i, a.Conversation)
		}
	}
	expectStored(t, org, "user: Hello from t0", "assistant: Good day.", "user: Hello from t1", "assistant: Good day.")
}

// Fifty at once of one thread make one conversation, and each of them is kept.
func TestManyTurnsAtOnceAreOneConversation(t *testing.T) {
	org := localtest.NewOrg(t)
	d := recording(t, script.Step{Text: "Good day.", Times: 50})
	id := uuid.NewString()
	var begun, numbered sync.Map
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			_, raw := d.post(t, "/api/chat", org.Manager.Token, "",
				map[string]any{"id": id, "turn": fmt.Sprint("t", i), "messages": []any{user(fmt.Sprint("Hello ", i))}})
			a := answer(t, raw)
			if a.Conversation == nil {
				t.Errorf("turn %d: %s", i, raw)
				return
			}
			numbered.Store(a.Conversation.Code, true)
			if a.Conversation.New {
				begun.Store(i, true)
			}
		})
	}
	all.Wait()
	count := func(m *sync.Map) (n int) {
		m.Range(func(any, any) bool { n++; return true })
		return n
	}
	if count(&begun) != 1 || count(&numbered) != 1 {
		t.Errorf("%d began it, under %d numbers", count(&begun), count(&numbered))
	}
	row := localtest.SQL(t, "select count(*) as n, count(distinct seq) as seqs, max(seq) as last from chat_messages "+
		"where org_id = $1", org.ID)[0]
	if fmt.Sprint(row["n"], row["seqs"], row["last"]) != "100 100 100" {
		t.Errorf("messages %v", row)
	}
}
