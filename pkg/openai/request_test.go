package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

func set() *llm.Toolset {
	return llm.NewToolset(
		llm.Tool{Name: "list_rooms", Description: "Lists \"all\" rooms.",
			Parameters: json.RawMessage("{\n \"type\": \"object\",\n \"properties\": {}\n}")},
		llm.Tool{Name: "ping"},
	)
}

func TestBodies(t *testing.T) {
	warm := 0.25
	history := []llm.Message{
		{Role: llm.System, Text: "You are <Bellhop> & \"co\".\n\tTab\x01"},
		{Role: llm.User, Text: "Bro\xffken 🏨"},
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "list_rooms", Arguments: `{"floor":1`}}},
		{Role: llm.ToolRole, CallID: "a", Text: "not JSON"},
		{Role: llm.Assistant, Text: "Sorry.", Opaque: []json.RawMessage{[]byte(`{"secret":1}`)}},
	}
	const tools = `"tools":[{"type":"function","function":{"name":"list_rooms","description":"Lists \"all\" rooms.",` +
		`"parameters":{"type":"object","properties":{}}}},{"type":"function","function":{"name":"ping",` +
		`"parameters":{"type":"object","properties":{}}}}]`
	messages := func(arguments string) string {
		return `"messages":[{"role":"system","content":"You are <Bellhop> & \"co\".\n\tTab\u0001"},{"role":"user",` +
			`"content":"Bro` + "\uFFFD" + `ken 🏨"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",` +
			`"function":{"name":"list_rooms","arguments":"` + arguments + `"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"not JSON"},{"role":"assistant","content":"Sorry."}]`
	}
	one := `"messages":[{"role":"user","content":"Is the suite free?"}]`
	full := llm.Request{Settings: llm.Settings{Model: "m", Temperature: &warm, MaxTokens: 300, JSON: true},
		Messages: history, Tools: set(), Choice: llm.Required}
	formed := hello()
	formed.Schema = &llm.Schema{Name: "note", JSON: json.RawMessage("{\n  \"type\": \"object\"\n}")}
	const schema = `,"response_format":{"type":"json_schema","json_schema":{"name":"note","strict":true,` +
		`"schema":{"type":"object"}}}`
	tests := map[string]struct {
		profile string
		request llm.Request
		stream  bool
		want    string
	}{
		"in a form": {profile: "openai", request: formed, want: `{"model":"gpt-4o-mini",` + one +
			schema + `,"store":false}`},
		"in a form, for llama.cpp": {profile: "llama.cpp", request: formed, want: `{"model":"gpt-4o-mini",` + one +
			schema + `}`},
		"in a form, for anybody": {profile: "compatible", request: formed, want: `{"model":"gpt-4o-mini",` + one +
			`,"response_format":{"type":"json_object"}}`},
		"the least": {profile: "openai", request: hello(), want: `{"model":"gpt-4o-mini",` + one +
			`,"store":false}`},
		"the least, streamed": {profile: "openai", request: hello(), stream: true,
			want: `{"model":"gpt-4o-mini",` + one +
				`,"store":false,"stream":true,"stream_options":{"include_usage":true}}`},
		"all of it": {profile: "openai", request: full, want: `{"model":"m",` + tools + `,` +
			messages(`{\"floor\":1`) + `,"tool_choice":"required","parallel_tool_calls":true,"temperature":0.25,` +
			`"max_completion_tokens":300,"response_format":{"type":"json_object"},"store":false}`},
		"all of it, for Ollama": {profile: "ollama", request: full, stream: true, want: `{"model":"m",` + tools +
			`,` + messages(`{}`) + `,"tool_choice":"required","temperature":0.25,"max_tokens":300,` +
			`"response_format":{"type":"json_object"},"stream":true,"stream_options":{"include_usage":true}}`},
		"streamed, for anybody": {profile: "compatible", request: hello(), stream: true,
			want: `{"model":"gpt-4o-mini",` + one + `,"stream":true}`},
		"a choice where nothing is": {profile: "openai", request: llm.Request{Messages: hello().Messages,
			Tools: llm.NewToolset(), Choice: llm.None}, want: `{"model":"gpt-4o-mini",` + one + `,"store":false}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, p, _ := start(t, openai.Config{Profile: tt.profile}, whole(`{"content":"Yes."}`, `"stop"`))
			var show func(string) error
			if tt.stream {
				show = func(string) error { return nil }
			}
			for range 2 { // the second time from the toolset's own memory
				if _, err := c.Answer(t.Context(), tt.request, show); err != nil {
					t.Fatal(err)
				}
			}
			for i, body := range p.bodies {
				if body != tt.want || p.paths[i] != "/v1/chat/completions" {
					t.Errorf("%s\n got %s\nwant %s", p.paths[i], body, tt.want)
				}
			}
		})
	}
}

func TestOneRoundIsAPrefixOfTheNext(t *testing.T) {
	c, p, _ := start(t, openai.Config{}, whole(`{"content":"Yes."}`, `"stop"`))
	first := llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "s"}, {Role: llm.User, Text: "u"}},
		Tools: set(), Choice: llm.Required}
	next := first
	next.Choice = llm.None
	next.Messages = append(first.Messages[:2:2], llm.Message{Role: llm.Assistant, Text: "a"},
		llm.Message{Role: llm.User, Text: "v"})
	if _, err := c.Answer(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Answer(t.Context(), next, func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	prefix, _, found := strings.Cut(p.bodies[0], `],"tool_choice"`)
	if !found || !strings.HasPrefix(p.bodies[1], prefix+",") {
		t.Errorf("%s\nis no prefix of\n%s", prefix, p.bodies[1])
	}
}

func TestRefusesRequestsOfOurOwnMaking(t *testing.T) {
	tests := map[string]llm.Request{
		"an unknown role": {Messages: []llm.Message{{Role: "developer", Text: "x"}}},
		"a broken schema": {Messages: hello().Messages,
			Tools: llm.NewToolset(llm.Tool{Name: "x", Parameters: json.RawMessage(`{`)})},
		"a broken form": {Settings: llm.Settings{Schema: &llm.Schema{Name: "x", JSON: json.RawMessage(`{`)}},
			Messages: hello().Messages},
		"no message at all": {},
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			c, p, _ := start(t, openai.Config{}, whole(`{"content":"Yes."}`, `"stop"`))
			if _, err := c.Answer(t.Context(), r, nil); !fault.Is(err, fault.Internal) || p.calls() != 0 {
				t.Errorf("got %v after %d tries", err, p.calls())
			}
		})
	}
}

func TestReadsNothingFromTheEnvironment(t *testing.T) {
	stray := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		t.Error("a stray variable redirected the call")
	}))
	defer stray.Close()
	for name, value := range map[string]string{
		"OPENAI_BASE_URL": stray.URL, "OPENAI_API_KEY": "sk-stray", "OPENAI_ADMIN_KEY": "sk-stray-admin",
		"OPENAI_ORG_ID":     "org-stray",
		"OPENAI_PROJECT_ID": "proj-stray", "OPENAI_CUSTOM_HEADERS": "X-Stray: stray", "HTTP_PROXY": stray.URL,
	} {
		t.Setenv(name, value)
	}
	tests := map[string]struct {
		key            identity.Secret
		profile        string
		bearer, apiKey string
	}{
		"with a bearer": {key: key, profile: "openai", bearer: "Bearer " + key},
		"as Azure":      {key: key, profile: "azure-v1", apiKey: key}, // S2-1
		"without a key": {profile: "ollama"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := &provider{steps: []step{whole(`{"content":"Yes."}`, `"stop"`)}}
			s := httptest.NewServer(p)
			defer s.Close()
			c, err := openai.New(openai.Config{BaseURL: s.URL + "/openai/v1", APIKey: tt.key, Profile: tt.profile})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Answer(t.Context(), hello(), nil); err != nil {
				t.Fatal(err)
			}
			h := p.heads[0]
			if h.Get("Authorization") != tt.bearer || h.Get("Api-Key") != tt.apiKey {
				t.Errorf("Authorization %q, api-key %q", h.Get("Authorization"), h.Get("Api-Key"))
			}
			if text := fmt.Sprint(h); strings.Contains(text, "stray") {
				t.Error(text)
			}
		})
	}
}

func TestDerivesTheProfile(t *testing.T) {
	tests := map[string]struct{ base, want string }{
		"OpenAI, by default": {base: "", want: `"max_completion_tokens":5,"store":false}`},
		"Azure": {base: "https://hotel.openai.azure.com/openai/v1/",
			want: `"max_completion_tokens":5,"store":false}`},
		"OpenRouter": {base: "https://openrouter.ai/api/v1",
			want: `"parallel_tool_calls":true,"max_tokens":5}`},
		"Ollama, by its port": {base: "http://127.0.0.1:11434/v1",
			want: `}}}],"messages":[{"role":"user","content":"Is the suite free?"}],"max_tokens":5}`},
		"anybody": {base: "https://llm.hotel.test/v1",
			want: `}}}],"messages":[{"role":"user","content":"Is the suite free?"}],"max_tokens":5}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var body, to string
			answer := whole(`{"content":"Yes."}`, `"stop"`).body
			c, err := openai.New(openai.Config{BaseURL: tt.base, APIKey: key,
				HTTP: &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
					b, _ := io.ReadAll(r.Body)
					body, to = string(b), r.URL.String()
					return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
						Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
				})}})
			if err != nil {
				t.Fatal(err)
			}
			r := hello()
			r.MaxTokens, r.Tools = 5, set()
			if _, err := c.Answer(t.Context(), r, nil); err != nil {
				t.Fatal(err)
			}
			base := tt.base
			if base == "" {
				base = "https://api.openai.com/v1"
			}
			if !strings.HasSuffix(body, tt.want) || to != strings.TrimSuffix(base, "/")+"/chat/completions" {
				t.Errorf("to %s: %s", to, body)
			}
		})
	}
}

func TestRefusesABadConfig(t *testing.T) {
	tests := map[string]struct {
		cfg  openai.Config
		want string
	}{
		"no key for OpenAI":    {openai.Config{}, "the API key for api.openai.com is missing"},
		"a key with a newline": {openai.Config{APIKey: key + "\n"}, "a blank"},
		"an unknown profile": {openai.Config{APIKey: key, Profile: "gpt"},
			`the profile "gpt" is none of openai, azure-v1`},
		"a relative address": {openai.Config{BaseURL: "localhost:11434"}, "not an absolute http address"},
		"a password in it":   {openai.Config{BaseURL: "http://me:pw@127.0.0.1/v1"}, "more than a host and a path"},
		"a question in it": {openai.Config{BaseURL: "http://127.0.0.1/v1?api-version=1"},
			"more than a host and a path"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := openai.New(tt.cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), key) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestFollowsNoRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		t.Error("the key went elsewhere")
	}))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	c, err := openai.New(openai.Config{BaseURL: s.URL, APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Answer(t.Context(), hello(), nil); fault.From(err).PublicCode() != "model_unavailable" {
		t.Errorf("got %v", err)
	}
}
