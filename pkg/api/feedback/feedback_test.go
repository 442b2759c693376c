package feedback_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/feedback"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

// door is the real feedback function on the real stack, and the keys with which
// chat would have sealed its answers.
type door struct {
	url  string
	keys *history.Keys
	*backend.Backend
}

func open(t *testing.T) door { return openAt(t, time.Now) }

func openAt(t *testing.T, now func() time.Time) door { return openWith(t, now, 0) }

// openWith opens an endpoint through which each person may go so often a minute.
func openWith(t *testing.T, now func() time.Time, rate uint16) door {
	t.Helper()
	stack := localtest.Stack(t)
	s := &boot.Service{Name: "feedback", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	p, err := backend.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	h, err := feedback.New(feedback.Config{
		Assistants: p.Profiles, Default: "hospitality", Keys: keys, Store: p.Feedback, Identify: p.Identify,
		Now:  time.Now,
		Gate: p.Gate("feedback", rate, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return door{server.URL, keys, p}
}

// call sends a request and returns its answer. It may be used beside the test's
// goroutine: what goes wrong is the status 0.
func (d door) call(t *testing.T, method, path, token, accept string, body any) (int, http.Header, []byte) {
	raw, ok := body.([]byte)
	if !ok && body != nil {
		raw, _ = json.Marshal(body) // of objects that encode
	}
	r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, bytes.NewReader(raw))
	if err != nil {
		return 0, nil, []byte(err.Error())
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, []byte(err.Error())
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		return 0, nil, []byte(err.Error())
	}
	return resp.StatusCode, resp.Header, b.Bytes()
}

// rate sends a rating and wants that status; it returns the problem's code.
func (d door) rate(t *testing.T, p localtest.Person, status int, body object) string {
	t.Helper()
	got, _, raw := d.call(t, "POST", "/api/feedback", p.Token, "", body)
	var problem httpx.Problem
	if got != status || json.Unmarshal(raw, &problem) != nil {
		t.Fatalf("status %d, want %d: %s", got, status, raw)
	}
	return problem.Code
}

// exchange is a conversation of a person with sealed answers.
type exchange struct {
	org, user, id string
	messages      []object
	said          []history.Message
}

// ask adds a question and its sealed answer.
func (d door) ask(t *testing.T, c *exchange, question, answer string, state history.State) *exchange {
	t.Helper()
	scope := history.Scope{Tenant: c.org, User: c.user, Thread: c.id, Assistant: "hospitality"}
	c.said = append(c.said, history.Message{Role: llm.User, Text: question})
	seal, err := d.keys.Seal(scope, d.keys.Open(scope, c.said), answer, state)
	if err != nil {
		t.Fatal(err)
	}
	c.said = append(c.said, history.Message{Role: llm.Assistant, Text: answer, Seal: seal})
	c.messages = append(c.messages, object{"role": "user", "content": question},
		object{"role": "assistant", "content": answer, "seal": seal})
	return c
}

func (d door) exchange(t *testing.T, org localtest.Org, p localtest.Person, question, answer string) *exchange {
	t.Helper()
	return d.ask(t, &exchange{org: org.ID, user: p.ID, id: uuid.NewString()}, question, answer, history.State{
		Agent: "inventory", Path: "llm", Model: "gpt-4o-mini", Steps: []history.Step{{
			Calls: []llm.Call{{ID: "call_1_0_0", Name: "list_rooms", Arguments: "{}"},
				{ID: "call_1_0_1", Name: "list_extras", Arguments: "{}"}},
			Results: []history.Result{{CallID: "call_1_0_0", Text: `{"rooms":[]}`},
				{CallID: "call_1_0_1", Text: "The database did not answer."}},
		}},
	})
}

// body rates the last answer.
func (c *exchange) body(rating string, more ...any) object {
	b := object{"rating": rating, "assistant": "hospitality", "id": c.id, "messages": c.messages}
	for i := 0; i+1 < len(more); i += 2 {
		b[more[i].(string)] = more[i+1]
	}
	return b
}

// rows returns what is kept of an organisation.
func rows(t *testing.T, org localtest.Org, columns string) string {
	t.Helper()
	var list []string
	for _, r := range localtest.SQL(t, `select concat_ws(' | ', `+columns+
		`) as line from public.feedback_log where org_id = $1 order by created_at, signal`, org.ID) {
		list = append(list, fmt.Sprint(r["line"]))
	}
	return strings.Join(list, "\n")
}

// S2-63, S2-64 (submit-feedback), S2-65 (feedback_log): thumbs up and down, once
// for each person and answer, changed and taken back, with full context.
func TestAnAnswerIsRated(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	c := d.exchange(t, org, org.Viewer, "Which rooms are free?", "All of them.")
	code := d.rate(t, org.Viewer, 200, c.body("down", "reason", "wrong", "comment", "  COCO is taken.\r\n\r\nLook!  "))
	if code != "" {
		t.Errorf("the answer is a problem: %s", code)
	}
	want := "Vera Testwright | explicit | down | -3 | wrong | COCO is taken.\n\nLook! | hospitality | inventory | " +
		"Which rooms are free? | All of them. | " +
		`[{"ok": true, "name": "list_rooms"}, {"ok": false, "name": "list_extras"}] | llm | gpt-4o-mini | ` + c.id
	const columns = `(select name from public.memberships m where m.org_id = feedback_log.org_id and m.user_id = feedback_log.user_id), source, rating, weight, reason, comment, assistant, agent,
		question, answer, tools, path, model, thread`
	if got := rows(t, org, columns); got != want {
		t.Errorf("kept is\n%s\nwant\n%s", got, want)
	}
	// Said again with less, only that is left of it; a retry changes nothing.
	d.rate(t, org.Viewer, 200, c.body("down"))
	d.rate(t, org.Viewer, 200, c.body("down"))
	d.rate(t, org.Viewer, 200, c.body("up", "comment", "Sorry, it is right."))
	if got := rows(t, org, "rating, weight, reason, comment, version"); got != "up | 3 | Sorry, it is right. | 3" {
		t.Errorf("kept is %s", got)
	}
	// The same answer inside a longer conversation is another one than its next.
	d.ask(t, c, "And extras?", "All of them.", history.State{Agent: "inventory"})
	d.rate(t, org.Viewer, 200, c.body("up"))
	d.rate(t, org.Viewer, 200, object{"rating": "none", "id": c.id, "messages": c.messages[:2]})
	if got := rows(t, org, "rating, question"); got != "up | And extras?" {
		t.Errorf("kept is %s", got)
	}
	d.rate(t, org.Viewer, 200, object{"rating": "none", "id": c.id, "messages": c.messages[:2]})
	// The audit knows what was said when, and no one's words.
	var history []string
	for _, r := range localtest.SQL(t, `select action || ' ' || coalesce(before ->> 'rating', '-') || ' ' ||
		coalesce(after ->> 'rating', '-') as line,
		before::text || after::text as all from public.audit where org_id = $1 and table_name = 'feedback_log' order
			by id`, org.ID) {
		history = append(history, fmt.Sprint(r["line"]))
		if text := fmt.Sprint(r["all"]); strings.Contains(text, "COCO") || strings.Contains(text, "Which rooms") ||
			strings.Contains(text, "All of them") {
			t.Errorf("the audit keeps words: %s", text)
		}
	}
	if want := []string{"insert - down", "update down down", "update down up", "insert - up",
		"delete up -"}; !slices.Equal(history, want) {
		t.Errorf("the audit is %q, want %q", history, want)
	}
}

// However a client keeps its messages, the answer is the same one.
func TestAnAnswerIsRatedInEveryDialect(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	c := d.exchange(t, org, org.Viewer, "Which rooms are free?", "All of them.")
	seal := c.messages[1]["seal"]
	text := func(words string) []any { return []any{object{"type": "text", "text": words}} }
	for name, list := range map[string]object{
		"plain messages": {"messages": c.messages},
		"messages of the AI SDK": {"messages": []any{
			object{"id": "m1", "role": "user", "parts": text("Which rooms are free?")},
			object{"id": "m2", "role": "assistant", "metadata": object{"seal": seal},
				"parts": append([]any{object{"type": "tool-list_rooms", "toolCallId": "x", "state": "output-available",
					"output": "forged"}}, text("All of them.")...)},
		}},
		"messages of OpenAI": {"messages": []any{
			object{"role": "system", "content": "Be kind."}, c.messages[0],
			object{"role": "assistant", "content": text("All of them."), "seal": seal,
				"tool_calls": []any{object{"id": "x", "type": "function", "function": object{"name": "y",
					"arguments": "{}"}}}},
		}},
		"a conversationHistory": {"conversationHistory": c.messages},
	} {
		list["rating"], list["id"], list["comment"] = "down", c.id, name
		d.rate(t, org.Viewer, 200, list)
		if got := rows(t, org, "comment, question, answer, tools -> 0 ->> 'name'"); got != name+
			" | Which rooms are free? | All of them. | list_rooms" {
			t.Errorf("%s: kept is %s", name, got)
		}
	}
}

// S2-63: no one rates what was never said to them.
func TestNothingIsRatedThatWasNotSaid(t *testing.T) {
	t.Parallel()
	d, org, others := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	old := openAt(t, func() time.Time { return time.Now().Add(-31 * 24 * time.Hour) })
	c := d.exchange(t, org, org.Manager, "Which rooms are free?", "All of them.")
	d.ask(t, c, "And extras?", "None.", history.State{})
	with := func(i int, key string, value any) []object {
		list := slices.Clone(c.messages)
		list[i] = object{"role": list[i]["role"], "content": list[i]["content"], "seal": list[i]["seal"]}
		list[i][key] = value
		return list
	}
	seal := c.messages[3]["seal"].(string)
	tests := map[string]struct {
		by   localtest.Person
		body object
		code string
	}{
		"never sealed": {org.Manager,
			object{"rating": "up", "messages": []object{{"role": "user", "content": "hi"},
				{"role": "assistant", "content": "Hello."}}}, "answer_unverified"},
		"edited": {org.Manager, c.body("up", "messages", with(3, "content", "Plenty.")),
			"answer_unverified"},
		"after another question": {org.Manager, c.body("up", "messages", with(2, "content", "And breakfast?")),
			"answer_unverified"},
		"after another answer": {org.Manager, c.body("up", "messages", with(1, "content", "None.")),
			"answer_unverified"},
		"without its beginning": {org.Manager, c.body("up", "messages", c.messages[2:]), "answer_unverified"},
		"alone":                 {org.Manager, c.body("up", "messages", c.messages[3:]), "answer_unverified"},
		"a byte of the seal": {org.Manager, c.body("up", "messages", with(3, "seal", seal[:len(seal)-2]+"AA")),
			"answer_unverified"},
		"the seal of the other": {org.Manager, c.body("up", "messages", with(3, "seal", c.messages[1]["seal"])),
			"answer_unverified"},
		"a seal that is no text":  {org.Manager, c.body("up", "messages", with(3, "seal", 7)), "answer_unverified"},
		"of another conversation": {org.Manager, c.body("up", "id", uuid.NewString()), "answer_unverified"},
		"of a colleague":          {org.Viewer, c.body("up"), "answer_unverified"},
		"of another organisation": {others.Manager, c.body("up"), "answer_unverified"},
		"older than seals count": {org.Manager, old.exchange(t, org, org.Manager, "hi", "Hello.").body("up"),
			"answer_unverified"},
		"one's own words": {org.Manager, c.body("up", "messages", c.messages[:3]), "not_an_answer"},
		"a system's words": {org.Manager,
			c.body("up", "messages", append(slices.Clone(c.messages), object{"role": "system", "content": "x"})),
			"not_an_answer"},
		"nothing": {org.Manager, object{"rating": "up"}, "not_an_answer"},
		"an empty answer": {org.Manager,
			c.body("up", "messages", []object{{"role": "assistant", "content": ""}}), "answer_unverified"},
		"no rating":           {org.Manager, c.body(""), "unknown_rating"},
		"another rating":      {org.Manager, c.body("sideways"), "unknown_rating"},
		"another reason":      {org.Manager, c.body("down", "reason", "ugly"), "unknown_reason"},
		"a reason for praise": {org.Manager, c.body("up", "reason", "wrong"), "reason_without_down"},
		"a comment of a megabyte": {org.Manager, c.body("down", "comment", strings.Repeat("a", 1<<20)),
			"comment_too_long"},
		"a comment one letter long": {org.Manager, c.body("down", "comment", strings.Repeat("ल", 2001)),
			"comment_too_long"},
		"a name too long": {org.Manager, c.body("up", "id", strings.Repeat("x", 201)), "unprocessable"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if code := d.rate(t, tc.by, 422, tc.body); code != tc.code {
				t.Errorf("the code is %s, want %s", code, tc.code)
			}
		})
	}
	for name, tc := range map[string]struct {
		token  string
		body   any
		status int
	}{
		"nobody signed in":         {"", c.body("up"), 401},
		"a token of nobody":        {"x.y.z", c.body("up"), 401},
		"an assistant unknown":     {org.Manager.Token, c.body("up", "assistant", "nobody"), 404},
		"a last message malformed": {org.Manager.Token, c.body("up", "messages", []any{7}), 400},
		"no JSON":                  {org.Manager.Token, []byte("rating=up"), 400},
		"a rating that is none":    {org.Manager.Token, c.body("up", "rating", 1), 400},
		"five megabytes":           {org.Manager.Token, c.body("up", "comment", strings.Repeat("a", 5<<20)), 413},
		"three thousand messages":  {org.Manager.Token, c.body("up", "messages", make([]object, 3000)), 413},
	} {
		status, _, raw := d.call(t, "POST", "/api/feedback", tc.token, "", tc.body)
		var p httpx.Problem
		if err := json.Unmarshal(raw, &p); err != nil || status != tc.status || p.Detail == "" {
			t.Errorf("%s: status %d, want %d: %s", name, status, tc.status, raw)
		}
	}
	if got := rows(t, org, "rating"); got != "" {
		t.Errorf("kept is %s", got)
	}
}

// A double click, or fifty, is one rating.
func TestFiftyClicksAreOneRating(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	c := d.exchange(t, org, org.Manager, "Which rooms are free?", "All of them.")
	var wg sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 50 {
		wg.Go(func() {
			status, _, raw := d.call(t, "POST", "/api/feedback", org.Manager.Token, "",
				c.body("down", "reason", "slow"))
			mu.Lock()
			defer mu.Unlock()
			answers[fmt.Sprint(status, " ", strings.TrimSpace(string(raw)))]++
		})
	}
	wg.Wait()
	if len(answers) != 1 || answers[`200 {"rating":"down","reason":"slow"}`] != 50 {
		t.Errorf("the answers are %v", answers)
	}
	if got := rows(t, org, "rating, reason, version"); got != "down | slow | 1" {
		t.Errorf("kept is %s", got)
	}
	if n := len(localtest.SQL(t, `select from public.audit where org_id = $1 and table_name = 'feedback_log'`,
		org.ID)); n != 1 {
		t.Errorf("the audit has %d rows", n)
	}
}
