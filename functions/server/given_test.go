package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/openapi"
)

// canary is what no one may read whose organisation lacks the assistant.
const canary = "Marmalade"

// tenant is an organisation with a conversation, a question and feedback of the
// assistant.
type tenant struct {
	localtest.Org
	conversation, project, proposal string
}

// visitor asks the endpoints as a user.
type visitor struct {
	t    *testing.T
	base string
}

type reply struct {
	status int
	kind   string
	body   string
}

func (v visitor) ask(by localtest.Person, method, path string, body any) reply {
	v.t.Helper()
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			v.t.Fatal(err)
		}
		content = strings.NewReader(string(raw))
	}
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, content)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+by.Token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header.Get("Content-Type"), string(text)}
}

// must asks and decodes an answer of the status.
func (v visitor) must(status int, by localtest.Person, method, path string, body, into any) {
	v.t.Helper()
	a := v.ask(by, method, path, body)
	if a.status != status {
		v.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		v.t.Fatal(err)
	}
}

func (v visitor) tenant() tenant {
	v.t.Helper()
	org := tenant{Org: localtest.NewOrg(v.t)}
	project := localtest.SQL(v.t, `insert into public.projects (org_id, title, user_id)
		values ($1, $2, $3) returning id::text`, org.ID, canary, org.Admin.ID)
	org.project, _ = project[0]["id"].(string)
	var opened struct{ Conversation struct{ ID string } }
	v.must(201, org.Admin, "POST", "/api/conversations",
		map[string]string{"assistant": "hospitality", "title": canary, "projectId": org.project}, &opened)
	var asked struct{ Confirmation struct{ ID string } }
	v.must(202, org.Admin, "POST", "/api/tools/hospitality/create_extra",
		map[string]any{"name": canary, "price": 45, "per": "guest"}, &asked)
	org.conversation, org.proposal = opened.Conversation.ID, asked.Confirmation.ID
	localtest.SQL(v.t, `insert into public.feedback_log (org_id, user_id, message, source, rating, weight, assistant,
		agent,
			thread, question, answer, tools, answered_at)
		values ($1, $2, repeat('a', 64), 'explicit', 'up', 3, 'hospitality', '', '', $3, $3, '[]', now())`,
		org.ID, org.Admin.ID, canary)
	return org
}

// names stands for an assistant and what is of it, in one request.
type names struct{ assistant, conversation, proposal string }

// operation is one endpoint of the description.
type operation struct {
	method, path string
	*openapi3.Operation
}

func operations(t *testing.T) []operation {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(openapi.Document()))
	if err != nil {
		t.Fatal(err)
	}
	var all []operation
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		ops := doc.Paths.Value(path).Operations()
		for _, method := range slices.Sorted(maps.Keys(ops)) {
			all = append(all, operation{method, path, ops[method]})
		}
	}
	return all
}

// request fills an operation in with names. It reports false for one that has no
// place for any of them.
func (o operation) request(n names, org tenant) (path string, body map[string]any, names bool) {
	conversational := regexp.MustCompile(`^/api/(conversations|chat/sessions|export|summarize)/`).MatchString(o.path)
	query := url.Values{}
	path = o.path
	fill := func(parameter, value string) {
		names = names || strings.Contains(path, parameter)
		path = strings.ReplaceAll(path, parameter, url.PathEscape(value))
	}
	fill("{assistant}", n.assistant)
	fill("{model}", n.assistant)
	if conversational {
		fill("{id}", n.conversation)
	}
	if strings.HasPrefix(o.path, "/api/confirmations/") {
		fill("{id}", n.proposal)
	}
	for parameter, value := range map[string]string{
		"{thread}": "t1", "{tool}": "list_extras", "{projectId}": org.project, "{email}": org.Viewer.Email,
	} {
		path = strings.ReplaceAll(path, parameter, url.PathEscape(value))
	}
	for _, p := range o.Parameters {
		if p.Value.In == "query" && p.Value.Name == "assistant" {
			names = true
			query.Set("assistant", n.assistant)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if o.RequestBody == nil || o.RequestBody.Value.Content["application/json"] == nil {
		return path, nil, names
	}
	body = map[string]any{}
	pool := map[string]any{
		"assistant": n.assistant, "model": n.assistant, "sessionId": n.conversation,
		"messages": []map[string]string{{"role": "user", "content": "Hello"}}, "rating": "up", "decision": "reject",
		"version": 1, "title": "Renamed", "email": org.Viewer.Email,
	}
	for member := range properties(o.RequestBody.Value.Content["application/json"].Schema) {
		if value, ok := pool[member]; ok {
			body[member] = value
			names = names || member == "assistant" || member == "model" || member == "sessionId"
		}
	}
	return path, body, names
}

func properties(s *openapi3.SchemaRef) openapi3.Schemas {
	all := openapi3.Schemas{}
	if s == nil || s.Value == nil {
		return all
	}
	maps.Copy(all, s.Value.Properties)
	for _, part := range slices.Concat(s.Value.AllOf, s.Value.OneOf, s.Value.AnyOf) {
		maps.Copy(all, properties(part))
	}
	return all
}

// F-73, SB-6: to an organisation, an assistant that it does not have is one that
// there is not, at every endpoint of the description, and so is all that is of it. A
// new endpoint names an assistant where this test finds it, or is listed here.
func TestAnAssistantThatWasNotGivenDoesNotExist(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
	}))
	t.Cleanup(refusing.Close)
	v := visitor{t, run(t, localtest.Stack(t), refusing.URL+"/v1").URL}
	has, lacks := v.tenant(), v.tenant()
	localtest.Take(t, localtest.Stack(t), lacks.ID, "hospitality")
	nothing := names{"hospitalitz", uuid.NewString(), uuid.NewString()}

	// Endpoints where no assistant is named, or for whom another test speaks.
	unnamed := regexp.MustCompile(`^/\.well-known/|^/p/|^/t/|^/api/` +
		`((uploads|users|projects|business-profile|mcp-servers|travellers|preferences|decisions|trips|plans|travel-bookings|searches|custom-tools|intents/business-contexts|intents/country-configs)(/.*)?|upload-attachment|audio-transcribe|create-user|delete-user|check-super-admin|fetch-mcp-tools|test-with-mcp|transcribe|v1/audio/transcriptions|health|openapi.json|export/table|jobs/summarize|webhooks/(summarize|duffel))$`)
	// These lead to the finance assistant alone: TestTheSourcesFunctionsAnswerAtTheirNames.
	ofFinance := regexp.MustCompile(`^/api/(realtime-cfo-agent|cfo-agent-api|munimji-agent|cfo-agent-mcp)$`)
	walked := 0
	for _, o := range operations(t) {
		if ofFinance.MatchString(o.path) {
			continue
		}
		what := o.method + " " + o.path
		theirs := names{"hospitality", lacks.conversation, lacks.proposal}
		path, body, named := o.request(theirs, lacks)
		if public := o.Security != nil && unnamed.MatchString(o.path); public || !named &&
			!slices.Contains([]string{"/api/chat", "/api/v1/models"}, o.path) {
			if !unnamed.MatchString(o.path) {
				t.Errorf("%s: this test does not know how the door names an assistant", what)
			}
			continue
		}
		walked++
		clean := func(a reply, n names) string {
			text := regexp.MustCompile(`"(requestId|request_id)":"[^"]*"`).ReplaceAllString(a.body, `"requestId":""`)
			text = strings.NewReplacer(
				n.assistant, "NAME", "hospitality", "NAME", n.conversation, "ID", n.proposal, "ID").Replace(text)
			return fmt.Sprint(a.status, " ", a.kind, " ", text)
		}
		lacking := v.ask(lacks.Admin, o.method, path, body)
		path, body, _ = o.request(nothing, lacks)
		unknown := v.ask(lacks.Admin, o.method, path, body)
		if got, want := clean(lacking, theirs), clean(unknown, nothing); got != want {
			t.Errorf("%s\nof an assistant that was not given: %s\nof one that there is not:           %s", what, got,
				want)
		}
		if strings.Contains(lacking.body, canary) {
			t.Errorf("%s tells of it: %s", what, lacking.body)
		}
		// Whoever has the assistant gets another answer, so the one above says something.
		own := names{"hospitality", has.conversation, has.proposal}
		path, body, _ = o.request(own, has)
		if given := v.ask(has.Admin, o.method, path, body); clean(given, own) == clean(lacking, theirs) {
			t.Errorf("%s: the same answer to those who have the assistant: %d %s", what, given.status, given.body)
		}
	}
	if walked < 25 {
		t.Errorf("only %d doors name an assistant", walked)
	}

	// What is hidden is not lost.
	localtest.Give(t, localtest.Stack(t), lacks.ID, "hospitality")
	a := v.ask(lacks.Admin, "GET", "/api/conversations/"+lacks.conversation, nil)
	if a.status != 200 || !strings.Contains(a.body, canary) {
		t.Errorf("given again: %d %s", a.status, a.body)
	}
}
