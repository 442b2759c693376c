package summarize_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
)

// S3-20: the summary of a stored conversation is made when a session ends, kept
// with it, and grows with it; each time only what is new is read.
func TestAStoredConversationIsSummedUp(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	if before := r.want(200, "GET", "/api/summarize/"+id, me.Token, nil); before["state"] != "none" ||
		before["covers"] != 0.0 || before["messages"] != 6.0 {
		t.Errorf("before: %v", before)
	}
	got := r.want(200, "POST", "/api/chat/sessions/"+id+"/summarize", me.Token, object{"reason": "end"})
	text, _ := got["summary"].(string)
	if got["outcome"] != "done" || got["state"] != "done" || got["covers"] != 6.0 ||
		!strings.HasPrefix(text, "Summary of the first 6 messages.\n\n") || !strings.Contains(text, "₹13,500.00") {
		t.Fatalf("it answers %v", got)
	}
	if facts := fmt.Sprint(got["keyFacts"]); !strings.Contains(facts, "COCO is free from 01-Mar-2027") {
		t.Errorf("its facts are %s", facts)
	}
	r.asked()
	// What cannot be proven would not be shown.
	r.is(id, object{"through": 6, "state": "done", "leased": false, "attempts": 0, "session_summary": text})
	by := r.caller(me)
	r.say(by, id, "", "turn-9", turn{"Please add Stargazing for 45.", "Stargazing is added."})
	got = r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)
	if asked := r.asked(); len(asked) != 1 || strings.Contains(asked[0], "for Asha Verma.\"") ||
		!strings.Contains(asked[0], "Stargazing for 45") || !strings.Contains(asked[0], "earlier fact") {
		t.Errorf("the model read %q", asked)
	}
	if text := got["summary"].(string); got["covers"] != 8.0 ||
		!strings.HasPrefix(text, "Summary of the first 8 messages.") ||
		!strings.Contains(text, "Stargazing is added.") {
		t.Errorf("then it answers %v", got)
	}
	// Nothing new costs nothing.
	got = r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)
	if got["outcome"] != "nothing" || len(r.asked()) != 0 || got["covers"] != 8.0 || got["usage"] != nil {
		t.Errorf("again it answers %v", got)
	}
	if n := r.sql(`select count(*) as n from public.chat_messages where session_id = $1 and superseded_at is null`,
		id)[0]["n"]; fmt.Sprint(n) != "8" {
		t.Errorf("%v messages are left", n)
	}
}

// S3-3, S3-6, S3-7: what was summed up and what followed are loaded as a history
// that chat believes, and goes on with.
func TestTheNextTurnTakesSummaryAndRestForTheWhole(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", slices.Concat([]turn{{strings.Repeat("lorem ipsum dolor ", 8000), "I read it."}}, dinner(),
		dinner())...)
	made := r.want(200, "POST", "/api/summarize/"+id, me.Token, nil)
	b, err := backend.NewSealed(t.Context(), r.service)
	if err != nil {
		t.Fatal(err)
	}
	door, err := chat.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	loader, err := conversations.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	r.mux.Handle("/api/chat/", door)
	r.mux.Handle("/api/conversations/", loader)
	r.say(r.caller(me), id, "", "turn-9", turn{"Thanks for all that.", "With pleasure."})
	got := r.want(200, "GET", "/api/conversations/"+id+"/context", me.Token, nil)
	first, _ := got["summary"].(object)
	if first == nil || first["content"] != made["summary"] || got["compacted"] != true {
		t.Fatalf("it is loaded as %v", got)
	}
	list := append([]any{first}, got["messages"].([]any)...)
	list = append(list, object{"role": "user", "content": "Which room types are there?"})
	r.asked()
	answer := r.want(200, "POST", "/api/chat/hospitality", me.Token, object{"id": id, "messages": list})
	if answer["finish"] != "stop" || strings.Contains(fmt.Sprint(answer["degraded"]), "history") {
		t.Errorf("chat answers %v", answer)
	}
	// The prompt has the people's words; the summary is the assistant's.
	if asked := strings.Join(r.asked(), ""); !strings.Contains(asked, "Which room types") ||
		strings.Contains(asked, "lorem ipsum") {
		t.Error("the model read what the summary stands for")
	}
	c := r.believe(me, id, list)
	if n, why := c.Doubts(); n != 0 || c.Entries[0].State == nil ||
		c.Entries[0].State.Replaces != (history.Range{From: 1, To: 14}) || c.Entries[0].State.Agent != "" {
		t.Errorf("%d doubts %v about %+v", n, why, c.Entries[0].State)
	}
}

// S3-21: explicit compaction by session or by project, and what the project
// remembers: additions, once each, with their day and where they come from.
func TestAProjectRemembers(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	project := r.sql(`insert into public.projects (org_id, title, user_id, ai_memory) values ($1, 'Garden wall',
		$2,
		'{"tone": "warm", "facts": [{"text": "The wall is 12 m long.", "at": "2026-01-01", "from": "#SC-0000"}]}')
			returning id::text as id`,
		r.org.ID, me.ID)[0]["id"].(string)
	id := r.talk(me, project, turn{"The wall is 12 m long.", "Noted."},
		turn{"It cost 450 in 2025.", "That is 450 in 2025."})
	got := r.want(200, "POST", "/api/ai/summarize-conversation", me.Token,
		object{"projectId": project, "reason": "compact"})
	if got["id"] != id || got["outcome"] != "done" {
		t.Fatalf("it answers %v", got)
	}
	row := r.sql(`select conversation_summary = $2 as same, ai_memory from public.projects where id = $1`, project,
		got["summary"])[0]
	memory := row["ai_memory"].(object)
	facts := memory["facts"].([]any)
	texts := []string{}
	for _, f := range facts {
		texts = append(texts, f.(object)["text"].(string))
	}
	if row["same"] != true || memory["tone"] != "warm" ||
		fmt.Sprint(texts) != "[The wall is 12 m long. It cost 450 in 2025. That is 450 in 2025.]" {
		t.Errorf("it remembers %v", memory)
	}
	if last := facts[1].(object); last["from"] != "#SC-0001" || last["at"] != time.Now().UTC().Format(time.DateOnly) {
		t.Errorf("the new fact is %v", last)
	}
	if again := r.want(200, "POST", "/api/ai/summarize-conversation", me.Token,
		object{"sessionId": id}); again["outcome"] != "nothing" {
		t.Errorf("again it answers %v", again)
	}
	r.want(400, "POST", "/api/ai/summarize-conversation", me.Token, object{})
	r.want(404, "POST", "/api/ai/summarize-conversation", me.Token, object{"projectId": uuid.NewString()})
}

// Only those who take part may ask, whatever they know of the conversation.
func TestOnlyThoseWhoTakePartMayAsk(t *testing.T) {
	t.Parallel()
	r := open(t)
	id := r.talk(r.org.Manager, "", dinner()...)
	other := localtest.NewOrg(t)
	for name, token := range map[string]string{"an administrator who takes no part": r.org.Admin.Token,
		"another organisation": other.Admin.Token} {
		for _, method := range []string{"POST", "GET"} {
			if got := r.want(404, method, "/api/summarize/"+id, token, nil); got["code"] != "conversation_not_found" {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	r.want(401, "POST", "/api/summarize/"+id, "", nil)
	r.want(404, "POST", "/api/summarize/"+uuid.NewString(), r.org.Manager.Token, nil)
	r.want(404, "POST", "/api/summarize/%27%20or%20true", r.org.Manager.Token, nil)
	r.want(422, "POST", "/api/summarize/"+strings.Repeat("x", 201), r.org.Manager.Token, nil)
	r.want(400, "POST", "/api/summarize/"+id, r.org.Manager.Token, object{"reason": "fun"})
	if got := r.want(413, "POST", "/api/summarize/"+id, r.org.Manager.Token,
		object{"reason": strings.Repeat("x", 5000)}); got["detail"] != "The request is larger than 4096 bytes." {
		t.Errorf("too much: %v", got)
	}
	if err := r.talks.Delete(t.Context(), r.caller(r.org.Manager), id); err != nil {
		t.Fatal(err)
	}
	if got := r.want(409, "POST", "/api/summarize/"+id, r.org.Manager.Token,
		nil); got["code"] != "conversation_deleted" {
		t.Errorf("deleted: %v", got)
	}
	if n := len(r.asked()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

// Some proxies send nothing in chunks, of which the length is not known before.
func TestNothingMayComeInChunks(t *testing.T) {
	t.Parallel()
	r := open(t)
	id := r.talk(r.org.Manager, "", dinner()...)
	for body, want := range map[string]int{"": 200, `{"reason":"hidden"}`: 200, " ": 400} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", r.url+"/api/summarize/"+id,
			io.NopCloser(strings.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		req.TransferEncoding = []string{"chunked"}
		req.Header.Set("Authorization", "Bearer "+r.org.Manager.Token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%q: status %d, want %d", body, resp.StatusCode, want)
		}
	}
}

// S3-22: a page that is left asks with ids only and does not wait. While the
// conversation is short nothing is done; once it is over the budget, it is
// summed up although no one is there to read the answer.
func TestAPageThatIsLeftAsksInPassing(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	if got := r.want(200, "POST", "/api/summarize/"+id, me.Token,
		object{"reason": "hidden"}); got["outcome"] != "small" || len(r.asked()) != 0 {
		t.Fatalf("a short one: %v", got)
	}
	r.is(id, object{"state": "none", "leased": false})
	r.say(r.caller(me), id, "", "long", turn{"Read this. " + strings.Repeat("lorem ipsum dolor ", 8000), "I read it."})
	ctx, leave := context.WithCancel(t.Context())
	working, finish := make(chan struct{}), make(chan struct{})
	r.instead(func(http.ResponseWriter, string) bool {
		close(working)
		<-finish
		return false
	})
	gone := make(chan int)
	go func() {
		status, _ := r.call(ctx, "POST", "/api/summarize/"+id, me.Token, `{"reason":"hidden"}`)
		gone <- status
	}()
	<-working
	leave()
	if status := <-gone; status != 0 {
		t.Fatalf("the page was still there: %d", status)
	}
	// Meanwhile the state is told, and who asks too learns that a process works.
	if got := r.want(200, "GET", "/api/summarize/"+id, me.Token, nil); got["state"] != "running" {
		t.Errorf("meanwhile: %v", got)
	}
	if got := r.want(202, "POST", "/api/summarize/"+id, me.Token, nil); got["outcome"] != "running" {
		t.Errorf("who asks meanwhile gets %v", got)
	}
	close(finish)
	for range 500 {
		if r.row(id)["state"] == "done" {
			break
		}
		select {
		case <-t.Context().Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
	r.is(id, object{"state": "done", "through": 8})
	if n := len(r.asked()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
}

// An organisation's own model summarizes its conversations, for people and for
// jobs, as it answers them; others get the operator's.
func TestAnOrganisationsOwnModelSummarizes(t *testing.T) {
	t.Parallel()
	r := alone(t, "MODEL_CONFIGS", "true", "OPENAI_MODEL_CHEAP", "small", "OPENAI_MODEL", "large")
	other := openOn(t, r.stack, "MODEL_CONFIGS", "true", "OPENAI_MODEL_CHEAP", "small", "OPENAI_MODEL", "large")
	r.sql(`insert into public.model_configs (org_id, code, tier, model, rate_capacity, rate_per_second, is_default)
		values ($1, 'OURS', 'cheap', 'large', 2, 0.001, true)`, r.org.ID)
	asked, job := r.talk(r.org.Manager, "", dinner()...), r.talk(r.org.Manager, "", dinner()...)
	r.want(200, "POST", "/api/summarize/"+asked, r.org.Manager.Token, nil)
	theirs := other.talk(other.org.Manager, "", dinner()...)
	other.want(200, "POST", "/api/summarize/"+theirs, other.org.Manager.Token, nil)
	r.idle(job, 31)
	if got := r.want(200, "GET", "/api/jobs/summarize", cronSecret, nil); got["done"] != 1.0 {
		t.Errorf("the schedule did %v", got)
	}
	// The stand-in answers under its own name, whatever model is asked for; only an
	// organisation's own one is logged with its provider.
	const standIn = "bellhop-stand-in"
	for org, want := range map[string]string{r.org.ID: standIn + " openai/" + standIn + " openai",
		other.org.ID: standIn} {
		rows := r.sql(`select string_agg(concat_ws(' ', model, provider), '/') as models from public.llm_usage_logs
			where org_id = $1 and turn = 'summary'`, org)
		if rows[0]["models"] != want {
			t.Errorf("logged is %v, want %s", rows[0]["models"], want)
		}
	}
	// Both calls took a place of the organisation's rate, so a third has none.
	out := r.want(429, "POST", "/api/summarize", r.org.Manager.Token, object{"messages": []object{
		{"role": "user", "content": "Which of the cabins is free on Friday?"},
		{"role": "assistant", "content": "Coco is free on Friday."}}})
	if out["code"] != "provider_rate_limited" {
		t.Errorf("the third call: %v", out)
	}
}
