package learning_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	bootchat "github.com/bellhop-ai/bellhop/pkg/boot/chat"
	bootfeedback "github.com/bellhop-ai/bellhop/pkg/boot/feedback"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

// talk is the functions chat and feedback, which match intents, with a scripted
// model.
type talk struct {
	url   string
	model *script.Server
}

func open(t *testing.T, steps ...script.Step) talk {
	t.Helper()
	return openWith(t, nil, steps...)
}

// openWith is open with further settings.
func openWith(t *testing.T, settings map[string]string, steps ...script.Step) talk {
	t.Helper()
	project := localtest.Stack(t)
	d := talk{model: script.Start(t, steps...)}
	env := map[string]string{"OPENAI_BASE_URL": d.model.URL, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"SEAL_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "MATCH_INTENTS": "true"}
	maps.Copy(env, settings)
	s := &boot.Service{Name: "server", Log: zerolog.Nop(), Now: time.Now, Leaving: t.Context(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	chat, err := bootchat.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	ratings, err := bootfeedback.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("/api/chat", chat)
	mux.Handle("/api/feedback", ratings)
	server := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

func (d talk) post(t *testing.T, p localtest.Person, path string, body object) (answer object) {
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
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s, %v", resp.StatusCode, text, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// thread is a conversation as its client keeps it.
type thread struct {
	id       string
	messages []any
}

func newThread() *thread { return &thread{id: uuid.NewString()} }

func (d talk) say(t *testing.T, p localtest.Person, c *thread, message object) {
	t.Helper()
	c.messages = append(c.messages, message)
	a := d.post(t, p, "/api/chat", object{"messages": c.messages, "id": c.id})
	c.messages = append(c.messages, a["message"])
}

func user(text string) object { return object{"role": "user", "content": text} }

// learnt describes what the tables hold of an organisation.
func learnt(t *testing.T, org localtest.Org) string {
	t.Helper()
	var out []string
	for _, r := range localtest.SQL(t, `select line from (
		select 1 as n, format('%s %s %s: %s of %s', intent, bucket, basis, success, total) as line
			from public.intent_routing_stats where org_id = $1
		union all select 2, format('%s: %s %s, feedback %s', query, occurrences, agents, feedback_sum)
			from public.llm_path_patterns where org_id = $1 and occurrences > 0
		union all select 3, format('suggested: %s to %s', phrase, agent)
			from public.suggested_intents where org_id = $1 and status = 'pending') l order by n, line`, org.ID) {
		out = append(out, r["line"].(string))
	}
	return strings.Join(out, "\n")
}

func expect(t *testing.T, org localtest.Org, want ...string) {
	t.Helper()
	if got := learnt(t, org); got != strings.Join(want, "\n") {
		t.Errorf("learnt is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func routed(agent string) []script.Step {
	return []script.Step{script.Route(agent), {Text: "Here you are."}}
}

const goodies = "Which goodies can I sell today?"

// S2-56, S2-58, S2-59: what a model did with a sentence that no phrase covers is kept;
// said ten times, it is suggested. Approved, it needs no router any more, in this
// organisation.
func TestTurnsTeachPhrases(t *testing.T) {
	t.Parallel()
	org, other := localtest.NewOrg(t), localtest.NewOrg(t)
	var steps []script.Step
	for range 10 {
		steps = append(steps, routed("inventory")...)
	}
	d := open(t, steps...)
	for range 10 {
		d.say(t, org.Manager, newThread(), user(goodies))
	}
	kept := learnt(t, org)
	for _, want := range []string{goodies + `: 10 {"inventory": 10}, feedback 0`, "suggested: " + goodies +
		" to inventory"} {
		if !strings.Contains(kept, want) {
			t.Errorf("%q is not kept in\n%s", want, kept)
		}
	}
	// The phrase as an administrator's approval keeps it.
	localtest.SQL(t, `with i as (insert into public.intents (org_id, assistant, name, agent)
		values ($1, 'hospitality', 'goodies', 'inventory') returning id)
		insert into public.intent_phrases (org_id, assistant, form, intent_id, phrase, source)
		select $1, 'hospitality', 'which goodies can i sell today', id, $2, 'suggested' from i`, org.ID, goodies)
	d = open(t, script.Step{Text: "Here you are."}, script.Route("pricing"), script.Step{Text: "Prices."})
	d.say(t, org.Viewer, newThread(), user("which goodies can I sell today"))
	if n := len(d.model.Requests()); n != 1 {
		t.Errorf("a known phrase costs %d calls", n)
	}
	if kept := learnt(t, org); !strings.Contains(kept, "goodies 0.95 phrase: 1 of 1") {
		t.Errorf("the matched turn is not counted:\n%s", kept)
	}
	d.say(t, other.Manager, newThread(), user(goodies))
	if n := len(d.model.Requests()); n != 3 {
		t.Errorf("another organisation's turn costs %d calls", n-1)
	}
}

// S2-60, S2-63: who asks again in other words, or dislikes the answer, takes back what
// the turn taught; who acts on it confirms it.
func TestCorrectedTurnsTeachNothing(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	d := open(t, slices.Concat(routed("inventory"), routed("inventory"), routed("pricing"), routed("inventory"))...)
	p := org.Manager
	c := newThread()
	d.say(t, p, c, user("Which goodies can guests buy today?"))
	d.say(t, p, c, user("which goodies can guests buy"))
	kept := learnt(t, org)
	if strings.Contains(kept, "Which goodies can guests buy today?") ||
		!strings.Contains(kept, `which goodies can guests buy: 1 {"inventory": 1}`) {
		t.Errorf("after a rephrased question there is\n%s", kept)
	}
	c = newThread()
	d.say(t, p, c, user("Do the cheap thing now"))
	d.post(t, p, "/api/feedback", object{"id": c.id, "messages": c.messages, "rating": "down", "reason": "wrong"})
	if kept := learnt(t, org); strings.Contains(kept, "cheap thing") {
		t.Errorf("a disliked turn is kept:\n%s", kept)
	}
	c = newThread()
	d.say(t, p, c, user("Do the lovely thing now"))
	d.post(t, p, "/api/feedback", object{"id": c.id, "messages": c.messages, "rating": "up"})
	if kept := learnt(t, org); !strings.Contains(kept, `Do the lovely thing now: 1 {"inventory": 1}, feedback 3`) {
		t.Errorf("a liked turn is not:\n%s", kept)
	}
}

// Text that others wrote teaches nothing, nor does an agent that the client named, nor
// a sentence that leans on another.
func TestOthersTextTeachesNothing(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	p := org.Manager
	d := open(t, slices.Concat(routed("inventory"), []script.Step{{Text: "Named."}}, routed("inventory"),
		routed("inventory"), routed("inventory"), routed("inventory"), routed("inventory"))...)
	d.say(t, p, newThread(), user("Which trinkets are there?"))
	want := learnt(t, org)
	if !strings.Contains(want, "Which trinkets are there?: 1") {
		t.Fatalf("nothing is learnt at all: %s", want)
	}
	d.post(t, p, "/api/chat", object{"messages": []any{user("Which baubles are there?")}, "agent": "inventory"})
	d.post(t, p, "/api/chat", object{"id": "t9", "messages": []any{user("A word"),
		object{"role": "assistant", "content": "Go to inventory.", "agent": "inventory"},
		user("Which gewgaws are there?")}})
	tainted := newThread()
	d.say(t, p, tainted, object{"role": "user", "content": "Whatever the guest wrote", "source": "pasted"})
	d.say(t, p, tainted, user("Which doodads do we have, by the way?"))
	c := newThread()
	d.say(t, p, c, user("Which trinkets are there?")) // the second time today: counted in its pattern alone
	d.say(t, p, c, user("cancel that one and those things"))
	expect(t, org, strings.Replace(want, "trinkets are there?: 1 {\"inventory\": 1}",
		"trinkets are there?: 2 {\"inventory\": 2}", 1))
	if n := len(localtest.SQL(t, `select from public.intent_observations where org_id = $1`, org.ID)); n != 2 {
		t.Errorf("%d turns are kept", n)
	}
}

// A matched turn may ask the router's model as well, beside its answer. Where that
// chooses another agent, the turn counts as a failure, and the person has the answer of
// the agent that was matched. A whole phrase is not checked.
func TestAMatchedTurnIsChecked(t *testing.T) {
	t.Parallel()
	const phrase = "What extras do we have?"
	clear := surest(t)
	tests := map[string]struct {
		said   string
		router *script.Step // nil where it is not asked
		want   string
	}{
		"the model agrees":   {clear, new(script.Route("inventory")), "0.95 above: 1 of 1, 0 of 1 checked failed"},
		"it chooses another": {clear, new(script.Route("pricing")), "0.95 above: 0 of 1, 1 of 1 checked failed"},
		"it has no choice": {clear, &script.Step{Text: "Which packages?"},
			"0.95 above: 0 of 1, 1 of 1 checked failed"},
		"it cannot be reached": {clear, &script.Step{Fault: script.Status(400, nil, "No.")},
			"0.95 above: 1 of 1, 0 of 0 checked failed"},
		"a whole phrase": {phrase, nil, "0.95 phrase: 1 of 1, 0 of 0 checked failed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			org := localtest.NewOrg(t)
			// The agent answers when the router's model was asked, as it does later in life.
			asked := make(chan struct{})
			steps := []script.Step{{When: script.FromAgent, Text: "Here you are.", Hold: asked}}
			if tt.router == nil {
				close(asked)
			} else {
				step := *tt.router
				step.When = func(r script.Request) bool {
					if script.FromRouter(r) {
						close(asked)
						return true
					}
					return false
				}
				steps = append(steps, step)
			}
			d := openWith(t, map[string]string{"SAMPLE_MATCHES": "1"}, steps...)
			c := newThread()
			c.messages = append(c.messages, user(tt.said))
			answer := d.post(t, org.Manager, "/api/chat", object{"messages": c.messages, "id": c.id})
			if answer["reply"] != "Here you are." || answer["agent"] != "inventory" {
				t.Errorf("the answer is %v of %v", answer["reply"], answer["agent"])
			}
			rows := localtest.SQL(t, `select format('%s %s: %s of %s, %s of %s checked failed', bucket, basis,
				success, total,
				checked_failed, checked) as line from public.intent_routing_stats where org_id = $1`, org.ID)
			if len(rows) != 1 || rows[0]["line"] != tt.want {
				t.Errorf("learnt is %v, want %s", rows, tt.want)
			}
			if n, want := len(d.model.Requests()), len(steps); n != want {
				t.Errorf("%d calls of the model, want %d", n, want)
			}
		})
	}
}

// surest returns the sentence about inventory, none of the phrases, of which the matcher
// of the assistant's own phrases is most certain.
func surest(t *testing.T) string {
	t.Helper()
	set, _, err := phrases.Set("hospitality")
	if err != nil {
		t.Fatal(err)
	}
	m, err := phrases.Model("hospitality")
	if err != nil {
		t.Fatal(err)
	}
	best, said := 0.0, ""
	for _, in := range set.Intents {
		for _, p := range in.Phrases {
			text := "please " + strings.ToLower(p)
			if r := m.Match(text); in.Name == "inventory" && m.Name(r.Intent) == in.Name && r.Reason == intent.Sure &&
				r.Confidence > best {
				best, said = r.Confidence, text
			}
		}
	}
	if said == "" {
		t.Fatal("no sentence is sure without being a phrase")
	}
	return said
}
