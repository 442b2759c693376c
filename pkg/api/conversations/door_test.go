package conversations_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	api "github.com/bellhop-ai/bellhop/pkg/api/conversations"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

// door is the conversations function on the real stack, and what chat would
// keep in it.
type door struct {
	t     *testing.T
	h     http.Handler
	home  *core.Core
	store store.Store
	keys  *history.Keys
	org   localtest.Org
	asha  identity.Caller // the manager
}

// answer is any answer of the endpoint.
type answer struct {
	status int
	header http.Header
	raw    string

	Conversation  conv
	Session       conv
	IsNew         bool
	Conversations []conv
	Next          any
	Code          string
	People        []conversations.Person
	Project       *conversations.Project
	Summary       *msg
	Messages      []msg
	Compacted     bool
	Tokens        struct{ Budget, Estimated int }
	HasMore       bool
	Before        int
	Appended      int
	MessageCount  int
}

type conv struct {
	conversations.Conversation
	ExtractedData object
	Summary       *struct{ Text string }
}

type msg struct {
	ID, Role, Content, Seal, Source, Name, Agent, Label string
	Mine, Verified                                      bool
	Parts                                               []object
	Metadata                                            struct {
		Seal, Source, Name string
		Verified           bool
	}
}

var found = history.State{Agent: "inventory", Steps: []history.Step{{
	Calls:   []llm.Call{{ID: "c1", Name: "list_rooms", Arguments: "{}"}},
	Results: []history.Result{{CallID: "c1", Text: `{"rooms":["COCO"]}`}},
}}}

func open(t *testing.T) *door {
	t.Helper()
	stack := localtest.Stack(t)
	s := &boot.Service{Name: "conversations", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	home, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
		Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	d := &door{t: t, home: home, store: store.New(home.Client), keys: keys, org: localtest.NewOrg(t)}
	h, err := api.New(api.Config{
		Assistants: []assistants.Profile{
			{Name: "hospitality", Title: "Bernard", EntityKind: "property", Records: true, Prefix: "SC",
				AgentNames: []assistants.AgentName{{Name: "inventory", Label: "Inventory Agent"}}},
			{Name: "travel", Title: "Sword"},
			{Name: "desk", Title: "Desk", Records: true, Prefix: "DK"}, // works for the organisation itself
		},
		Default: "hospitality", Keys: keys, Store: d.store, Identify: home.Identify,
	})
	if err != nil {
		t.Fatal(err)
	}
	localtest.Give(t, localtest.Stack(t), d.org.ID, "travel", "desk")
	d.h = httpx.Wrap(h, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now, Timeout: time.Minute})
	d.asha = d.as(d.org.Manager.Token)
	return d
}

func (d *door) as(token string) identity.Caller {
	d.t.Helper()
	by, err := d.home.Identify(d.t.Context(), token)
	if err != nil {
		d.t.Fatal(err)
	}
	return by
}

func (d *door) call(by identity.Caller, method, path string, body any, header ...string) answer {
	d.t.Helper()
	var content bytes.Buffer
	if text, ok := body.(string); ok {
		content.WriteString(text)
	} else if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			d.t.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(d.t.Context(), method, path, &content)
	if by.Token != "" {
		r.Header.Set("Authorization", "Bearer "+by.Token.Reveal())
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	d.h.ServeHTTP(w, r)
	a := answer{status: w.Code, header: w.Header(), raw: w.Body.String()}
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			d.t.Errorf("%s %.80s: %v in %.300s", method, path, err, a.raw)
		}
	}
	return a
}

func (d *door) want(status int, code string, a answer) answer {
	d.t.Helper()
	if a.status != status || a.Code != code {
		d.t.Errorf("status %d %q, want %d %q: %.400s", a.status, a.Code, status, code, a.raw)
	}
	return a
}

// turn keeps a turn as chat does and returns the conversation's id.
func (d *door) turn(by identity.Caller, thread, turn, said, answered string, state history.State) string {
	d.t.Helper()
	ctx := d.t.Context()
	s, err := d.store.RecordMessage(ctx, by, conversations.UserMessage{Assistant: "hospitality", Prefix: "SC",
		Thread: thread, Turn: turn, MessageID: "m-" + turn, Text: said})
	if err != nil {
		d.t.Fatal(err)
	}
	token, err := d.keys.SealStored(history.Location{Tenant: by.OrgID, Assistant: "hospitality", Conversation: s.ID,
		Message: turn}, answered, state)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.store.Answer(ctx, by, conversations.Answer{ID: s.ID, Turn: turn, Text: answered, Agent: state.Agent,
		Label: "Inventory Agent", Token: token}); err != nil {
		d.t.Fatal(err)
	}
	return s.ID
}

func (d *door) project() string {
	d.t.Helper()
	return localtest.SQL(d.t, `insert into public.projects (org_id, title, project_type, location, user_id) values
		($1, 'Deck', 'landscaping', 'Kanatal', $2) returning id::text as id`,
		d.asha.OrgID, d.asha.UserID)[0]["id"].(string)
}

// opened reads messages as chat does when they are sent to it.
func (d *door) opened(by identity.Caller, thread string, list ...msg) history.Conversation {
	d.t.Helper()
	var messages []history.Message
	for _, m := range list {
		messages = append(messages, history.Message{ID: m.ID, Role: llm.Role(m.Role), Text: m.Content, Seal: m.Seal})
	}
	return d.keys.Open(history.Scope{Tenant: by.OrgID, User: by.UserID, Thread: thread, Assistant: "hospitality"},
		messages)
}
