package infra_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/api/tools"
	"github.com/bellhop-ai/bellhop/pkg/assistants/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// The stores of these tests hold one extra and the last proposal: what is
// checked is the form of answers, not what a database does.
type oneExtra struct{ extras.Store }

func (oneExtra) List(context.Context, identity.Caller, bool) ([]extras.Extra, error) {
	return []extras.Extra{
		{Code: "SAUNA", Name: "Sauna", Category: "other", Currency: "INR", Per: extras.Stay, Active: true},
	}, nil
}

func (oneExtra) Create(_ context.Context, by identity.Caller, e extras.Extra) (extras.Extra, error) {
	e.Code, e.Currency = "STARGAZING", by.Entity.Currency
	return e, nil
}

// lastProposal is a consent.Store; of the Store's methods a test calls these.
type lastProposal struct {
	consent.Store
	p consent.Proposal
}

func (s *lastProposal) Propose(_ context.Context, _ identity.Caller, d consent.Draft) (consent.Proposal, error) {
	s.p = consent.Proposal{Draft: d, State: consent.Pending, ExpiresAt: clockOfTests()}
	return s.p, nil
}

func (s *lastProposal) Proposals(context.Context, identity.Caller, consent.Query) ([]consent.Proposal, error) {
	return []consent.Proposal{s.p}, nil
}

func (s *lastProposal) Done(context.Context, identity.Caller, consent.Act, time.Duration) (time.Time, bool, error) {
	return time.Time{}, false, nil
}

func clockOfTests() time.Time { return time.Date(2031, 1, 15, 6, 30, 0, 0, time.UTC) }

// playedModel gives its answers in order, then fails.
type playedModel struct{ answers []llm.Answer }

func (m *playedModel) Answer(_ context.Context, _ llm.Request, show func(string) error) (llm.Answer, error) {
	if len(m.answers) == 0 {
		return llm.Answer{}, fault.New(fault.Unavailable, "The model is away.")
	}
	a := m.answers[0]
	m.answers = m.answers[1:]
	if show == nil || a.Text == "" {
		return a, nil
	}
	return a, show(a.Text)
}

func toCall(name, arguments string) llm.Answer {
	return llm.Answer{Finish: llm.ToolCall, Calls: []llm.Call{{ID: "1", Name: name, Arguments: arguments}}}
}

// endpoints are the chat and the tools over one consent service.
type doors struct {
	http.Handler
	model *playedModel
}

func openDoors(t *testing.T, answers ...llm.Answer) doors {
	t.Helper()
	bernard, err := hospitality.New(
		hospitality.Config{Now: clockOfTests, Stores: hospitality.Stores{Extras: oneExtra{}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: "k1:" + strings.Repeat("A", 43) + "=", Now: clockOfTests})
	if err != nil {
		t.Fatal(err)
	}
	identify := func(_ context.Context, token string) (identity.Caller, error) {
		if token != "good" {
			return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in again.")
		}
		return identity.Caller{UserID: "u", OrgID: "o", Role: identity.Manager, Assistants: []string{"hospitality"},
			Entities: []identity.Entity{
				{ID: "e", Key: "house", Kind: "property", Name: "Test House", TimeZone: "Asia/Kolkata",
					Currency: "INR"},
			}}, nil
	}
	proposals := &consent.Service{
		Store: &lastProposal{},
		NewID: uuid.NewString,
		Code:  func() string { return "K7QM" },
	}
	model := &playedModel{answers: answers}
	all := []*flow.Assistant{flow.Built(bernard)}
	talking, err := chat.New(chat.Config{
		Assistants: all, Default: "hospitality", Model: model, Keys: keys, Turns: noTurns{}, Consent: proposals,
		Identify: identify, Verify: identify, Opener: noDatabase{}, Now: clockOfTests, NewID: uuid.NewString,
	})
	if err != nil {
		t.Fatal(err)
	}
	direct, err := tools.New(
		tools.Config{Assistants: all, Consent: proposals, Identify: identify, NewID: uuid.NewString},
	)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/chat/", talking)
	mux.Handle("/", direct)
	return doors{mux, model}
}

// noTurns keeps nothing; the turns of these tests have no names.
type noTurns struct{ turns.Store }

func (noTurns) Save(context.Context, identity.Caller, turns.Start, turns.Step, json.RawMessage) error {
	return nil
}

func (noTurns) Finish(context.Context, identity.Caller, string, turns.Finish) error { return nil }

// noDatabase knows everybody as the token says.
type noDatabase struct{ conversations.Turns }

func (noDatabase) OpenTurn(_ context.Context, by identity.Caller,
	_ conversations.TurnOpening) (conversations.OpenedTurn, error) {
	return conversations.OpenedTurn{By: by}, nil
}

func (d doors) send(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer good")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

// strictSchemas are the document's, refusing members that it does not name.
func strictSchemas(t *testing.T) openapi3.Schemas {
	t.Helper()
	text, err := openAPIText()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	closeObjects(doc["components"].(map[string]any)["schemas"])
	closed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return load(t, string(closed)).Components.Schemas
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, open := v["additionalProperties"]
		if _, fields := v["properties"].(map[string]any); fields && v["type"] == "object" && !open {
			v["additionalProperties"] = false
		}
		for _, each := range v {
			closeObjects(each)
		}
	case []any:
		for _, each := range v {
			closeObjects(each)
		}
	}
}

func fits(t *testing.T, schemas openapi3.Schemas, name string, body string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%s is not JSON: %v", body, err)
	}
	if schemas[name] == nil {
		t.Fatalf("there is no schema %s", name)
	}
	if err := schemas[name].Value.VisitJSON(value, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("%s\ndoes not fit %s: %v", body, name, err)
	}
}

func TestOpenAPIFitsWhatTheToolsDoorAnswers(t *testing.T) {
	schemas, d := strictSchemas(t), openDoors(t)
	answers := func(schema string, status int, w *httptest.ResponseRecorder) string {
		t.Helper()
		if w.Code != status {
			t.Errorf("status %d, want %d: %s", w.Code, status, w.Body)
		}
		fits(t, schemas, schema, w.Body.String())
		return w.Body.String()
	}
	const run = "/api/tools/hospitality/"
	answers("Catalogue", 200, d.send("GET", "/api/tools/hospitality", ""))
	answers("ToolAnswer", 200, d.send("POST", run+"list_extras", `{}`))
	asked := answers(
		"Asked",
		202,
		d.send("POST", run+"create_extra", `{"name":"Stargazing","price":45,"per":"guest"}`),
	)
	var question struct{ Confirmation struct{ ID string } }
	if err := json.Unmarshal([]byte(asked), &question); err != nil {
		t.Fatal(err)
	}
	answers("Settled", 200, d.send("POST", "/api/confirmations/"+question.Confirmation.ID, `{"decision":"approve"}`))
	answers("Problem", 400, d.send("POST", run+"create_extra", `{"price":45}`))
	answers("Problem", 404, d.send("POST", run+"drop_all", `{}`))
	answers("Problem", 401, d.send("POST", run+"list_extras", `{}`, "Authorization", "Bearer bad"))
	answers("Problem", 413, d.send("POST", run+"list_extras", strings.Repeat(" ", 5<<20)))
}

// Each event of some turns fits its schema, and no event lacks one.
func TestOpenAPIFitsWhatTheChatDoorAnswers(t *testing.T) {
	schemas := strictSchemas(t)
	text, err := openAPIText()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Responses map[string]struct {
				Content map[string]struct {
					Events map[string]struct {
						Ref string `json:"$ref"`
					} `json:"x-events"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	told := doc.Components.Responses["Turn"].Content["text/event-stream"].Events
	var seen []string
	play := func(body string, answers ...llm.Answer) {
		t.Helper()
		w := openDoors(t, answers...).send("POST", "/api/chat/hospitality", body, "Accept", "text/event-stream")
		for _, frame := range strings.Split(strings.TrimSpace(w.Body.String()), "\n\n") {
			lines := strings.SplitN(frame, "\n", 3)
			if len(lines) != 3 {
				t.Fatalf("no event: %q in %s", frame, w.Body)
			}
			name := strings.TrimPrefix(lines[1], "event: ")
			seen = append(seen, name)
			if told[name].Ref == "" {
				t.Errorf("the event %s is not described", name)
				continue
			}
			fits(t, schemas, strings.TrimPrefix(told[name].Ref, schemaPath), strings.TrimPrefix(lines[2], "data: "))
		}
	}
	const question = `{"messages":[{"role":"system","content":"obey"},{"role":"user","content":"Which extras?"}],` +
		`"agent":"inventory"}`
	said := llm.Answer{Text: "Here they are.", Finish: llm.Stopped}
	play(question, toCall("list_extras", `{}`), said)
	play(question, toCall("create_extra", `{"name":"Stargazing","price":45,"per":"guest"}`))
	play(question)

	// Another agent takes over from the one whose seal says that it spoke.
	earlier := openDoors(t, said).send("POST", "/api/chat/hospitality", question)
	var answered struct{ Message json.RawMessage }
	if err := json.Unmarshal(earlier.Body.Bytes(), &answered); err != nil {
		t.Fatal(err)
	}
	play(
		`{"messages":[{"role":"user","content":"Which extras?"},`+string(
			answered.Message,
		)+`,{"role":"user","content":"Book one."}],"agent":"reservations"}`,
		said,
	)

	// The person consents; JSON and events come from one place.
	d := openDoors(t, toCall("create_extra", `{"name":"Stargazing","price":45,"per":"guest"}`))
	first := d.send("POST", "/api/chat/hospitality", question)
	fits(t, schemas, "Answer", first.Body.String())
	var asked struct{ Confirmation struct{ ID string } }
	if err := json.Unmarshal(first.Body.Bytes(), &asked); err != nil {
		t.Fatal(err)
	}
	yes := `{"messages":[],"confirm":{"id":"` + asked.Confirmation.ID + `","decision":"approve"}}`
	done := d.send("POST", "/api/chat/hospitality", yes, "Accept", "text/event-stream")
	body, err := io.ReadAll(done.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, committed, ok := strings.Cut(string(body), "event: write_committed\ndata: ")
	if !ok {
		t.Fatalf("nothing was committed: %s", body)
	}
	committed, _, _ = strings.Cut(committed, "\n")
	fits(t, schemas, "WriteCommittedEvent", committed)
	seen = append(seen, "write_committed")

	// No assistant of today matches intents; its flow would send these.
	step := []stream.PipelineStep{{Tool: "get_revenue_kpi", Description: "Revenue", Purpose: "look up"}}
	more := []stream.Enrichment{{Type: "trend", Description: "How it went"}}
	for _, e := range []stream.Event{
		stream.DetectingIntent(40), stream.DetectedIntent(stream.Intent{ID: "i1", Name: "Overdue", ModuleID: "sales",
			Confidence: 0.9}),
		stream.ExtractedEntities(map[string]any{"period": "2026"}), stream.PlannedPipeline(step),
		stream.ExecutingPipeline(1, 2),
		stream.PlannedEnrichments(more), stream.ApplyingEnrichments(more),
	} {
		data, err := json.Marshal(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		fits(t, schemas, strings.TrimPrefix(told[e.Name].Ref, schemaPath), string(data))
		seen = append(seen, e.Name)
	}

	for name := range told {
		if !slices.Contains(seen, name) {
			t.Errorf("the event %s is described, but none of these turns has it", name)
		}
	}
	fits(t, schemas, "Problem", d.send("POST", "/api/chat/nobody", `{}`).Body.String())
}
