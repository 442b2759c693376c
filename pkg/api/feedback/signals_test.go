package feedback_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/api/feedback"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	bootchat "github.com/bellhop-ai/bellhop/pkg/boot/chat"
	bootfeedback "github.com/bellhop-ai/bellhop/pkg/boot/feedback"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// talking is the chat function and this one on a stack, with a scripted model.
type talking struct {
	url string
	log *bytes.Buffer
}

func openTalk(t *testing.T, project *stack.Stack, env map[string]string, steps ...script.Step) talking {
	t.Helper()
	all := map[string]string{"OPENAI_BASE_URL": script.Start(t, steps...).URL, "OPENAI_API_KEY": "local",
		"OPENAI_PROFILE": "openai", "SEAL_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
	for name, value := range env {
		all[name] = value
	}
	d := talking{log: new(bytes.Buffer)}
	s := &boot.Service{Name: "server", Log: zerolog.New(zerolog.SyncWriter(d.log)), Now: time.Now,
		Leaving: t.Context(),
		Env:     func(name string) (string, bool) { v, ok := all[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	chat, err := bootchat.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	ratings, err := bootfeedback.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/chat", chat)
	mux.Handle("/api/feedback", ratings)
	server := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

// conversation is what a client keeps.
type conversation struct {
	id       string
	messages []any
	asked    string // the id of the proposal that was shown last
}

func newConversation() *conversation { return &conversation{id: uuid.NewString()} }

// say sends a turn and keeps its answer.
func (d talking) say(t *testing.T, p localtest.Person, c *conversation, text, turn string) {
	t.Helper()
	c.messages = append(c.messages, object{"role": "user", "content": text})
	d.send(t, p, c, object{"messages": c.messages, "id": c.id, "turn": turn}, true)
}

func (d talking) send(t *testing.T, p localtest.Person, c *conversation, body object, keep bool) {
	t.Helper()
	status, raw := d.post(t, p, "/api/chat", body)
	var a struct {
		Message      object
		Confirmation *struct{ ID string }
	}
	if err := json.Unmarshal(raw, &a); err != nil || status != http.StatusOK {
		t.Fatalf("status %d: %s", status, raw)
	}
	if keep {
		c.messages = append(c.messages, a.Message)
	}
	if a.Confirmation != nil {
		c.asked = a.Confirmation.ID
	}
}

func (d talking) post(t *testing.T, p localtest.Person, path string, body any) (int, []byte) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", d.url+path, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.Token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

func reads(text string) []script.Step {
	return []script.Step{script.Route("inventory"), {Calls: []script.Call{{Name: "list_extras", Arguments: "{}"}}},
		{Text: text}}
}

func joined(parts ...[]script.Step) []script.Step {
	var all []script.Step
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// S2-60, S2-63: a conversation leaves what it shows, each sign once and about the
// right answer, whatever is sent again; a rating stands beside it.
func TestAConversationShowsHowItsAnswersServed(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	p := org.Manager
	d := openTalk(t, localtest.Stack(t), nil, joined(
		reads("First."), reads("Second."), reads("Third."), reads("Third again."), reads("Fourth."),
		[]script.Step{script.Route("inventory"),
			{Calls: []script.Call{{Name: "create_extra", Arguments: `{"name":"Bike","price":10,"per":"stay"}`}}}},
		[]script.Step{{Text: "Added."}},
	)...)
	c := newConversation()
	d.say(t, p, c, "Which extras do we sell at the moment?", "t1")
	if got := rows(t, org, "signal"); got != "" {
		t.Errorf("a first question shows %s", got)
	}
	d.say(t, p, c, "which extras do we sell?", "t2") // the same again
	c3 := append([]any{}, c.messages...)
	d.say(t, p, c, "and with breakfast?", "t3") // builds on it
	// The same turn once more is a replay; in another name it runs anew. Both show
	// what is known already.
	again := append(c3, object{"role": "user", "content": "and with breakfast?"})
	d.send(t, p, c, object{"messages": again, "id": c.id, "turn": "t3"}, false)
	d.send(t, p, c, object{"messages": again, "id": c.id, "turn": "t3-once-more"}, false)
	d.say(t, p, c, "How full were we in the third week of October?", "t4") // something else
	d.say(t, p, c, "Please add a bike for ten rupees a stay", "t5")        // a proposal is no action
	want := "rephrase | -1 | inventory | Which extras do we sell at the moment? | First. | list_extras\n" +
		"follow_up | 1 | inventory | which extras do we sell? | Second. | list_extras"
	const columns = `signal, weight, agent, question, answer, tools -> 0 ->> 'name'`
	if got := rows(t, org, columns); got != want {
		t.Errorf("kept is\n%s\nwant\n%s", got, want)
	}
	d.send(t, p, c, object{"messages": c.messages, "id": c.id, "turn": "t6", "confirm": object{"id": c.asked,
		"decision": "approve"}}, true)
	want += "\naction | 2 | inventory | How full were we in the third week of October? | Fourth. | list_extras"
	if got := rows(t, org, columns); got != want {
		t.Errorf("kept is\n%s\nwant\n%s", got, want)
	}
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1`, org.ID)); n != 1 {
		t.Errorf("%d extras were added", n)
	}
	if status, raw := d.post(t, p, "/api/feedback", object{"rating": "up", "id": c.id,
		"messages": c.messages[:2]}); status != 200 {
		t.Errorf("rating: %d %s", status, raw)
	}
	if got := rows(t, org, "source, coalesce(rating, signal), path, model is not null"); !strings.HasSuffix(got,
		"explicit | up | llm | t") {
		t.Errorf("kept is\n%s", got)
	}
	// All of it went well.
	if text := d.log.String(); text != "" {
		t.Errorf("the log says %s", text)
	}
}

// What is not proven shows nothing, and neither does anything where signs are
// switched off.
func TestNothingIsShownOfWhatIsNotProven(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := openTalk(t, localtest.Stack(t), nil, joined(reads("Two."), reads("Two."))...)
	c := newConversation()
	d.say(t, org.Manager, c, "Which extras do we sell?", "")
	c.messages[1] = object{"role": "assistant", "content": "Two."}
	d.say(t, org.Manager, c, "Which extras do we sell?", "")
	off := openTalk(t, localtest.Stack(t), map[string]string{"FEEDBACK_SIGNALS": "false"},
		joined(reads("Two."), reads("Two."))...)
	c = newConversation()
	off.say(t, org.Manager, c, "Which extras do we sell?", "")
	off.say(t, org.Manager, c, "Which extras do we sell?", "")
	if got := rows(t, org, "signal"); got != "" {
		t.Errorf("kept is %s", got)
	}
}

// A sign that cannot be written is a line in the log, and no turn's business: it
// ends as well, and in its time.
func TestATurnDoesNotWaitForItsSigns(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"it fails":      `raise exception 'canary of the database';`,
		"it takes long": `perform pg_sleep(20);`,
	} {
		t.Run(name, func(t *testing.T) {
			project := localtest.Clone(t)
			localtest.Script(t, project, `create or replace function public.feedback_notice(p jsonb) returns void
				language plpgsql security definer set search_path = '' as $$ begin `+body+` end $$;`)
			org := localtest.NewOrgOn(t, project)
			d := openTalk(t, project, nil, joined(reads("Two."), reads("Still two."))...)
			c := newConversation()
			d.say(t, org.Manager, c, "Which extras do we sell?", "")
			start := time.Now()
			d.say(t, org.Manager, c, "Which extras do we sell?", "")
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("the turn took %v", took)
			}
			if text := d.log.String(); strings.Count(text, "a signal was not written down") != 1 ||
				strings.Contains(text, "Which extras") {
				t.Errorf("the log says %s", text)
			}
		})
	}
}

// S2-63: an answer of a stored conversation is rated by its name, by a caller who
// takes part in it.
func TestAStoredAnswerIsRated(t *testing.T) {
	t.Parallel()
	org, others := localtest.NewOrg(t), localtest.NewOrg(t)
	d := openTalk(t, localtest.Stack(t), map[string]string{"FEEDBACK_SIGNALS": "false"},
		joined(reads("First."), reads("Second."))...)
	c := newConversation()
	d.say(t, org.Manager, c, "Which extras do we sell?", "turn-1")
	d.say(t, org.Manager, c, "How full were we last week?", "turn-2")
	rate := func(p localtest.Person, more object) (int, string) {
		body := object{"rating": "up", "conversationId": c.id, "messageId": "turn-1"}
		for k, v := range more {
			body[k] = v
		}
		status, raw := d.post(t, p, "/api/feedback", body)
		var problem httpx.Problem
		if err := json.Unmarshal(raw, &problem); err != nil {
			t.Fatal(err)
		}
		return status, problem.Code
	}
	for _, id := range []string{c.id, strings.ToUpper(c.id)} {
		if status, code := rate(org.Manager, object{"conversationId": id}); status != 200 {
			t.Fatalf("status %d %s", status, code)
		}
	}
	want := "up | inventory | Which extras do we sell? | First. | list_extras | llm | " + c.id
	const columns = `rating, agent, question, answer, tools -> 0 ->> 'name', path, thread`
	if got := rows(t, org, columns); got != want {
		t.Errorf("kept is %s, want %s", got, want)
	}
	localtest.SQL(t, `delete from public.feedback_log where org_id = $1`, org.ID)
	for name, tc := range map[string]struct {
		by     localtest.Person
		more   object
		status int
		code   string
	}{
		"a colleague who takes no part": {org.Admin, nil, 404, "message_not_found"},
		"another organisation":          {others.Admin, nil, 404, "message_not_found"},
		"a person's message":            {org.Manager, object{"messageId": c.id}, 404, "message_not_found"},
		"no message":                    {org.Manager, object{"messageId": ""}, 404, "message_not_found"},
		"a message of no such name":     {org.Manager, object{"messageId": "turn-9\x00"}, 404, "message_not_found"},
		"a conversation of no such name": {org.Manager, object{"conversationId": "x,or=(1.eq.1)"}, 404,
			"message_not_found"},
		"an answer of another assistant": {org.Manager, object{"assistant": "nobody"}, 404, "unknown_assistant"},
		"a rating that is none":          {org.Manager, object{"rating": "great"}, 422, "unknown_rating"},
	} {
		if status, code := rate(tc.by, tc.more); status != tc.status || code != tc.code {
			t.Errorf("%s: %d %s", name, status, code)
		}
	}
	// What a user put into the store by hand was never said.
	localtest.SQL(t, `update public.chat_messages set content = 'I refunded you.' where org_id = $1 and client_id =
		'turn-2'`, org.ID)
	if status, code := rate(org.Manager, object{"messageId": "turn-2"}); status != 422 || code != "answer_unverified" {
		t.Errorf("an altered row: %d %s", status, code)
	}
	if got := rows(t, org, columns); got != "" {
		t.Errorf("kept is %s", got)
	}
}

// A rating that comes in while the conversation goes on is of the answer that
// it was given for; two people of one organisation rate their own.
func TestPeopleRateSideBySide(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	var wg sync.WaitGroup
	for _, p := range []localtest.Person{org.Admin, org.Manager, org.Viewer} {
		for n := range 5 {
			c := d.exchange(t, org, p, "Which rooms are free?", strings.Repeat("All of them. ", n+1))
			wg.Go(func() {
				if status, _, raw := d.call(t, "POST", "/api/feedback", p.Token, "", c.body("up")); status != 200 {
					t.Errorf("status %d: %s", status, raw)
				}
			})
		}
	}
	wg.Wait()
	if l := d.list(t, org.Admin, ""); l.Totals.Up != 15 {
		t.Errorf("%d ratings", l.Totals.Up)
	}
	if l := d.list(t, org.Manager, ""); l.Totals.Up != 5 {
		t.Errorf("the manager sees %d", l.Totals.Up)
	}
}

// What a turn costs that shows nothing: the last answer of twelve messages is
// compared, and nothing is sent.
func BenchmarkATurnThatShowsNothing(b *testing.B) {
	reads := func(string, string) (tool.Effect, bool) { return tool.Reads, true }
	l := feedback.NewListener(reads, nil, nil)
	var entries []history.Entry
	for range 6 {
		entries = append(entries, history.Entry{Role: llm.User,
			Text: "Which rooms with a sea view are free for two adults from 12 March?"},
			history.Entry{Role: llm.Assistant, Text: "Two are.", At: time.Now(),
				State: &history.State{Agent: "inventory", Steps: []history.Step{{
					Calls: []llm.Call{{Name: "list_rooms"}}, Results: []history.Result{{Text: `{"rooms":[]}`}}}}}})
	}
	conv := history.Conversation{Entries: append(entries, history.Entry{Role: llm.User,
		Text: "How much did the restaurant earn in the last week of October?"})}
	b.ReportAllocs()
	for b.Loop() {
		l.Ended(b.Context(), identity.Caller{}, "hospitality", "t1", conv, nil)()
	}
}
