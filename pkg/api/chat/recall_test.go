package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	archives "github.com/bellhop-ai/bellhop/pkg/api/conversations"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// S2-7: a history that is sent wins over the kept one, which fills only a request
// that has none.
func TestTheKeptConversationFillsAnEmptyRequest(t *testing.T) {
	org := localtest.NewOrg(t)
	id := uuid.NewString()
	send := func(turn, reply string, messages ...any) (stream.Answer, []string) {
		t.Helper()
		d := recording(t, script.Step{Text: reply})
		resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": id, "turn": turn,
			"messages": messages})
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d: %s", resp.StatusCode, raw)
		}
		var read []string
		for _, m := range d.model.Requests()[0].Messages[1:] {
			read = append(read, m.Role+": "+m.Content)
		}
		a := answer(t, raw)
		if len(a.Degraded) != 0 {
			t.Errorf("degraded is %v", a.Degraded)
		}
		return a, read
	}
	send("t1", "Good day.", user("Hello"))
	second, read := send("t2", "Hello.", user("What did I say?"))
	if want := []string{"user: Hello", "assistant: Good day.", "user: What did I say?"}; !slices.Equal(read, want) {
		t.Errorf("the model read %q", read)
	}
	// What was answered holds for the client that has only that.
	_, read = send("t3", "Nothing else?", user("What did I say?"), message(second), user("And then?"))
	if want := []string{"user: What did I say?", "assistant: Hello.", "user: And then?"}; !slices.Equal(read, want) {
		t.Errorf("the model read %q", read)
	}
	expectStored(t, org, "user: Hello", "assistant: Good day.", "user: What did I say?", "assistant: Hello.",
		"user: And then?", "assistant: Nothing else?")
}

// A caller who keeps nothing at all consents by the words alone, since the question
// is kept, and it was asked of the same person.
func TestAClientWithoutAnyHistoryConsents(t *testing.T) {
	org := localtest.NewOrg(t)
	id := uuid.NewString()
	d := recording(t, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "create_extra",
			Arguments: `{"name":"Kayak","price":12.5,"per":"guest"}`}}})
	d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": id, "turn": "t1",
		"messages": []any{user("Add an extra called Kayak")}})
	for i, token := range []string{org.Admin.Token, org.Manager.Token} {
		recording(t, script.Step{Text: "Yes what?", Times: 2}).post(t, "/api/chat", token, "",
			map[string]any{"id": id, "turn": fmt.Sprint("u", i), "messages": []any{user("yes")}})
		if n := len(localtest.SQL(t, "select 1 as one from extras where org_id = $1", org.ID)); n != i {
			t.Errorf("after the yes of person %d there are %d extras", i, n)
		}
	}
}

// A client of the AI SDK that sends the last message only approves by the message
// that asked, whose seal follows messages that it does not send.
func TestAClientThatSendsTheLastMessageOnlyApproves(t *testing.T) {
	org := localtest.NewOrg(t)
	id := uuid.NewString()
	d := recording(t, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "create_extra",
			Arguments: `{"name":"Kayak","price":12.5,"per":"guest"}`}}})
	text := func(s string) map[string]any { return map[string]any{"type": "text", "text": s} }
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "application/json", map[string]any{"id": id,
		"message": map[string]any{
			"id": "u1", "role": "user", "parts": []any{text("Add an extra called Kayak")}}})
	asked := answer(t, raw)
	if asked.Confirmation == nil {
		t.Fatalf("nothing is asked: %s", raw)
	}
	resp, raw := d.post(t, "/api/chat", org.Manager.Token, "application/json", map[string]any{"id": id,
		"message": map[string]any{
			"id": asked.Message.ID, "role": "assistant", "metadata": map[string]any{"seal": asked.Message.Seal},
			"parts": []any{text(asked.Message.Content), map[string]any{"type": "tool-create_extra",
				"state": "approval-responded", "input": map[string]any{"name": "Kayak"},
				"approval": map[string]any{"id": asked.Confirmation.ID, "approved": true}}}}})
	if done := answer(t, raw); resp.StatusCode != http.StatusOK || len(done.Degraded) != 0 ||
		len(localtest.SQL(t, "select from extras where org_id = $1", org.ID)) != 1 {
		t.Errorf("status %d: %s", resp.StatusCode, raw)
	}
	// Without what was kept nothing shows that the message follows another.
	_, raw = open(t, script.Step{Text: "What may I do?", Times: -1}).post(t, "/api/chat", org.Manager.Token,
		"application/json", map[string]any{"id": id, "messages": []any{map[string]any{"id": "a", "role": "assistant",
			"metadata": map[string]any{"seal": asked.Message.Seal}, "parts": []any{text(asked.Message.Content)}},
			map[string]any{"id": "u2", "role": "user", "parts": []any{text("and now?")}}}})
	if later := answer(t, raw); !slices.Contains(later.Degraded, stream.Unverified) {
		t.Errorf("out of its place it is believed: %s", raw)
	}
}

// What was attached is kept with the message, and is there again when it is
// loaded; a file that is an address of its own is not.
func TestAttachmentsAreKeptByName(t *testing.T) {
	org := localtest.NewOrg(t)
	d := recording(t, script.Step{Text: "I see."}, script.Step{Text: "I see."})
	body := map[string]any{"id": uuid.NewString(), "turn": "t1", "messages": []any{map[string]any{
		"id": "m1", "role": "user", "parts": []any{
			map[string]any{"type": "file", "mediaType": "text/plain", "filename": "menu.txt",
				"url": "/api/uploads/abc"},
			map[string]any{"type": "file", "mediaType": "text/plain", "filename": "note.txt",
				"url": "data:text/plain,hello"},
		},
	}}}
	if resp, raw := d.post(t, "/api/chat", org.Manager.Token, "application/json",
		body); resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", resp.StatusCode, raw)
	}
	row := localtest.SQL(t, "select content, metadata from chat_messages where org_id = $1 and role = 'user'",
		org.ID)[0]
	files, err := json.Marshal(row["metadata"])
	if err != nil {
		t.Fatal(err)
	}
	if row["content"] != "" || string(files) != `{"files":[{"url":"/api/uploads/abc"}]}` {
		t.Errorf("kept is %v, %s", row, files)
	}
}

// A conversation that is opened again brings back the question at its end, as
// long as it may be answered, and only for whom it was asked.
func TestAnOpenQuestionComesBack(t *testing.T) {
	org := localtest.NewOrg(t)
	project := localtest.Stack(t)
	s := &boot.Service{Name: "conversations", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	p, err := backend.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: sealKeys, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	loader, err := archives.New(archives.Config{Assistants: p.Profiles, Default: "hospitality", Keys: keys,
		Store: p.Conversations, Identify: p.Identify, Questions: p.Consent})
	if err != nil {
		t.Fatal(err)
	}
	id := uuid.NewString()
	load := func(token string) (open struct {
		Messages     []map[string]any
		Confirmation *consent.View
	}) {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/conversations/"+id+"/context", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		loader.ServeHTTP(w, r)
		if err := json.Unmarshal(w.Body.Bytes(), &open); err != nil || w.Code != http.StatusOK {
			t.Fatalf("status %d, %v: %s", w.Code, err, w.Body)
		}
		return open
	}
	d := recording(t, script.Route("inventory"),
		script.Step{Calls: []script.Call{{Name: "create_extra",
			Arguments: `{"name":"Kayak","price":12.5,"per":"guest"}`}}})
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": id, "turn": "t1",
		"messages": []any{user("Add an extra called Kayak")}})
	asked := answer(t, raw)
	localtest.SQL(t, "insert into chat_people (org_id, session_id, user_id, added_by) values ($1, $2, $3, $4)", org.ID,
		id, org.Admin.ID, org.Manager.ID)
	if c := load(org.Admin.Token).Confirmation; c != nil {
		t.Errorf("somebody else is asked %+v", c)
	}
	open := load(org.Manager.Token)
	if open.Confirmation == nil || open.Confirmation.ID != asked.Confirmation.ID ||
		open.Confirmation.State != consent.Pending {
		t.Fatalf("the question is %+v", open.Confirmation)
	}
	_, raw = d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{
		"id": id, "turn": "t2", "messages": open.Messages, "confirm": map[string]any{"id": open.Confirmation.ID,
			"decision": "approve"},
	})
	if a := answer(t, raw); a.Finish != "stop" || len(a.Degraded) != 0 {
		t.Errorf("the answer is %s", raw)
	}
	if n := len(localtest.SQL(t, "select 1 as one from extras where org_id = $1", org.ID)); n != 1 {
		t.Errorf("%d extras", n)
	}
	if c := load(org.Manager.Token).Confirmation; c != nil {
		t.Errorf("asked again is %+v", c)
	}
}
