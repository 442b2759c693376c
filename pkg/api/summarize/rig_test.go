package summarize_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/summarize"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	talks "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

const (
	sealKeys   = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	cronSecret = "a secret of the scheduler"
)

// rig is the real function, as it starts from its environment, on the real stack
// with the built-in model.
type rig struct {
	t      *testing.T
	stack  *stack.Stack
	url    string
	worker boot.Worker
	// mux is in front of the function, for other endpoints.
	mux     *http.ServeMux
	service *boot.Service
	keys    *history.Keys
	client  *supabase.Client
	talks   talks.Store
	org     localtest.Org
	calls   atomic.Int64 // of the model
	mu      sync.Mutex
	// model answers instead of the built-in one, if it returns true.
	model   func(w http.ResponseWriter, prompt string) bool
	prompts []string // what the model was asked in each call
}

// instead sets what answers in the model's place.
func (r *rig) instead(model func(w http.ResponseWriter, prompt string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.model = model
}

func open(t *testing.T, env ...string) *rig {
	t.Helper()
	return openOn(t, localtest.Stack(t), env...)
}

// alone is open on a database of its own: a schedule looks after everybody's
// conversations.
func alone(t *testing.T, env ...string) *rig {
	t.Helper()
	return openOn(t, localtest.Clone(t), env...)
}

func openOn(t *testing.T, stack *stack.Stack, env ...string) *rig {
	t.Helper()
	r := &rig{t: t, stack: stack, org: localtest.NewOrgOn(t, stack)}
	at, err := url.Parse(stack.ModelURL())
	if err != nil {
		t.Fatal(err)
	}
	behind := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.Out.URL.Scheme,
			p.Out.URL.Host = at.Scheme, at.Host
	}}
	counted := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.calls.Add(1)
		body, err := io.ReadAll(req.Body)
		var asked struct {
			Messages []struct{ Role, Content string }
		}
		if err != nil || json.Unmarshal(body, &asked) != nil || len(asked.Messages) == 0 {
			t.Errorf("the model is asked %s", body)
			return
		}
		prompt := ""
		for _, m := range asked.Messages {
			if m.Role == "user" {
				prompt += m.Content + "\n"
			}
		}
		r.mu.Lock()
		model := r.model
		r.prompts = append(r.prompts, prompt)
		r.mu.Unlock()
		if model == nil || !model(w, prompt) {
			req.Body = io.NopCloser(bytes.NewReader(body))
			behind.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(counted.Close)
	values := map[string]string{
		"SUPABASE_SECRET_KEY": stack.Keys().Secret, "SEAL_KEYS": sealKeys, "CRON_SECRET": cronSecret,
		"OPENAI_BASE_URL": counted.URL + at.Path, "WEBHOOK_SECRETS": newKey + "," + oldKey,
	}
	for i := 0; i+1 < len(env); i += 2 {
		values[env[i]] = env[i+1]
	}
	s := &boot.Service{Name: "summarize", Now: time.Now, Log: zerolog.Nop(), Leaving: t.Context(),
		Env: func(name string) (string, bool) { v, ok := values[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	h, err := summarize.NewFunction(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	r.worker, r.service, r.mux = h.(boot.Worker), s, http.NewServeMux()
	r.mux.Handle("/", h)
	server := httptest.NewServer(httpx.Wrap(r.mux, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: 5 * time.Minute}))
	t.Cleanup(server.Close)
	r.url = server.URL
	if r.keys, err = history.NewKeys(history.KeysConfig{Spec: sealKeys, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	if r.client, err = supabase.New(localtest.Config(t, stack)); err != nil {
		t.Fatal(err)
	}
	r.talks = talks.New(r.client)
	return r
}

func (r *rig) caller(p localtest.Person) identity.Caller {
	r.t.Helper()
	by, err := r.client.Whoami(r.t.Context(), identity.Secret(p.Token))
	if err != nil {
		r.t.Fatal(err)
	}
	return by
}

// call sends a request with a bearer token and returns the answer. It may be used
// beside the test's goroutine: what goes wrong is the status 0.
func (r *rig) call(ctx context.Context, method, path, token string, body any, header ...string) (int, object) {
	raw, ok := body.(string)
	if !ok && body != nil {
		b, _ := json.Marshal(body) // of objects that encode
		raw = string(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.url+path, strings.NewReader(raw))
	if err != nil {
		return 0, object{"error": err.Error()}
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, object{"error": err.Error()}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	var out object
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(answer)).Decode(&out)
	}
	if err != nil {
		return 0, object{"error": fmt.Sprintf("%v: %s", err, answer)}
	}
	return resp.StatusCode, out
}

// want sends a request and fails the test unless it has that status.
func (r *rig) want(status int, method, path, token string, body any, header ...string) object {
	r.t.Helper()
	got, out := r.call(r.t.Context(), method, path, token, body, header...)
	if got != status {
		r.t.Fatalf("%s %s: status %d, want %d: %v", method, path, got, status, out)
	}
	return out
}

// turn is a question with its answer.
type turn struct{ said, answered string }

// talk stores a conversation of the person as chat would, and returns its id.
func (r *rig) talk(p localtest.Person, project string, turns ...turn) string {
	r.t.Helper()
	by := r.caller(p)
	thread, id := uuid.NewString(), ""
	for i, one := range turns {
		id = r.say(by, thread, project, fmt.Sprintf("turn-%d", i), one)
	}
	return id
}

func (r *rig) say(by identity.Caller, thread, project, name string, one turn) string {
	r.t.Helper()
	said, err := r.talks.RecordMessage(r.t.Context(), by, conversations.UserMessage{
		Assistant: "hospitality", Prefix: "SC", Thread: thread, ProjectID: project, Turn: name, MessageID: "m-" + name,
		Text: one.said, Tokens: history.Tokens(one.said),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	token, err := r.keys.SealStored(history.Location{Tenant: by.OrgID, Assistant: "hospitality", Conversation: said.ID,
		Message: name}, one.answered, history.State{Agent: "reservations"})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.talks.Answer(r.t.Context(), by, conversations.Answer{ID: said.ID, Turn: name, Text: one.answered,
		Agent: "reservations", Token: token, Tokens: history.Tokens(one.answered)}); err != nil {
		r.t.Fatal(err)
	}
	return said.ID
}

func (r *rig) sql(query string, args ...any) []map[string]any {
	r.t.Helper()
	return localtest.SQLOn(r.t, r.stack, query, args...)
}

// row returns what the database has of a conversation.
func (r *rig) row(id string) object {
	r.t.Helper()
	rows := r.sql(`select s.session_summary, s.key_facts, s.summary_through as through, s.summary_state as state,
		s.summary_token, s.version,
		coalesce(j.lease_until > clock_timestamp(), false) as leased, coalesce(j.attempts, 0) as attempts,
			coalesce(j.reason, '') as reason,
		coalesce(j.not_before > clock_timestamp(), false) as waits, j.wanted_at is not null as wanted
		from public.chat_sessions s left join public.summary_jobs j on j.org_id = s.org_id and j.session_id = s.id
			where s.id = $1`, id)
	if len(rows) != 1 {
		r.t.Fatalf("%d conversations of that id", len(rows))
	}
	return rows[0]
}

// is fails the test unless the row has these values.
func (r *rig) is(id string, want object) {
	r.t.Helper()
	row := r.row(id)
	for name, value := range want {
		if fmt.Sprint(row[name]) != fmt.Sprint(value) {
			r.t.Errorf("%s is %v, want %v", name, row[name], value)
		}
	}
}

// asked returns the prompts since the last time.
func (r *rig) asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.prompts
	r.prompts = nil
	return p
}

// reply is a model's answer in the form of a summary.
func reply(w http.ResponseWriter, lines string) bool {
	content, _ := json.Marshal(lines) // a text
	fmt.Fprintf(w, `{"model":"scripted","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",`+
		`"content":%s}}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`, content)
	return true
}

func dinner() []turn {
	return []turn{
		{"Is COCO free from 1 March to 4 March 2027 for 3 guests? It is for Asha Verma.",
			"COCO is free from 01-Mar-2027 to 04-Mar-2027."},
		{"She is vegetarian and comes by train at 14:30.", "I noted that Asha Verma is vegetarian."},
		{"What would 3 nights cost?", "Three nights in COCO cost ₹13,500.00."},
	}
}
