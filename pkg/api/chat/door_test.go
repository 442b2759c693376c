package chat_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

const sealKeys = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// door is the real chat function on the real stack; only the model is scripted.
type door struct {
	url   string
	model *script.Server
}

// open starts the function with a model that follows the script.
func open(t *testing.T, steps ...script.Step) door {
	t.Helper()
	return openOn(t, localtest.Stack(t), steps...)
}

func openOn(t *testing.T, project *stack.Stack, steps ...script.Step) door {
	t.Helper()
	return openAs(t, project, func(*chat.Config) {}, steps...)
}

// openAs starts the function with a changed configuration.
func openAs(t *testing.T, project *stack.Stack, change func(*chat.Config), steps ...script.Step) door {
	t.Helper()
	return openWith(t, backendOf(t, project, time.Now), change, steps...)
}

// backendOf builds what the function is made of, but for the model.
func backendOf(t *testing.T, project *stack.Stack, now calendar.Clock) *backend.Backend {
	t.Helper()
	s := &boot.Service{Name: "chat", Now: now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	p, err := backend.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// assistantsOf builds the assistants on a backend.
func assistantsOf(t *testing.T, p *backend.Backend) []*flow.Assistant {
	t.Helper()
	all, err := runtimes.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// openWith is openAs on a backend that was built before.
func openWith(t *testing.T, p *backend.Backend, change func(*chat.Config), steps ...script.Step) door {
	t.Helper()
	d := door{model: script.Start(t, steps...)}
	asking := *p.Consent
	asking.Code = func() string { return "K7QM" }
	keys, err := history.NewKeys(history.KeysConfig{Spec: sealKeys, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	m, err := openai.New(openai.Config{BaseURL: d.model.URL, Profile: "openai", APIKey: "local", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	cfg := chat.Config{
		Assistants: assistantsOf(t, p), Default: "hospitality", Model: m, Keys: keys, Turns: p.Turns, Consent: &asking,
		Identify: p.Identify, Verify: p.Claimed, Opener: p.Opener, Now: time.Now, NewID: uuid.NewString,
		Files: p.Files, Gate: p.Gate("chat", 0, 0), Meter: limit.Meter{Budget: p.Limits, Model: "gpt-4o-mini"},
	}
	change(&cfg)
	h, err := chat.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

// post sends a body and returns status, header and answer.
func (d door) post(t *testing.T, path, token, accept string, body any) (*http.Response, []byte) {
	t.Helper()
	raw, ok := body.([]byte)
	if !ok {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	return send(t, d.url+path, token, accept, "", raw)
}

// send posts a body under a request id; "" lets the function choose one.
func send(t *testing.T, url, token, accept, requestID string, body []byte) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	fatal(t, err)
	r.Header.Set("Content-Type", "application/json")
	for name, value := range map[string]string{"Accept": accept, "X-Request-Id": requestID} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	fatal(t, err)
	defer resp.Body.Close()
	var b bytes.Buffer
	_, err = b.ReadFrom(resp.Body)
	fatal(t, err)
	return resp, b.Bytes()
}

// event is one parsed frame.
type event struct {
	id, name string
	data     map[string]any
}

func events(t *testing.T, body []byte) []event {
	t.Helper()
	var out []event
	for frame := range strings.SplitSeq(strings.TrimSpace(string(body)), "\n\n") {
		var e event
		for line := range strings.SplitSeq(frame, "\n") {
			switch key, value, _ := strings.Cut(line, ": "); key {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				if err := json.Unmarshal([]byte(value), &e.data); err != nil {
					t.Fatalf("the data of %s is no object: %v", e.name, err)
				}
			}
		}
		if e.name != "" {
			out = append(out, e)
		}
	}
	return out
}
