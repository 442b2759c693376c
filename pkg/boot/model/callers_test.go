package model

import (
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
)

// process is a core in an environment.
func process(env map[string]string) *core.Core {
	return &core.Core{Service: &boot.Service{Now: time.Now, Log: zerolog.Nop(), Env: func(name string) (string,
		bool) {
		v, ok := env[name]
		return v, ok
	}}}
}

func config(t *testing.T, s *core.Core) boot.ModelsConfig {
	t.Helper()
	var cfg boot.ModelsConfig
	if err := s.Env.Decode(t.Context(), &cfg); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// F-54: an address that an organisation wrote is reached over the public
// Internet alone, and a key goes nowhere but to whom it belongs.
func TestAnOrganisationsModelReachesNothingOfOurs(t *testing.T) {
	inside := script.Start(t)
	s := process(map[string]string{"OPENAI_API_KEY": "ours", "MODEL_SECRET_MAIN": "org-a:theirs",
		"MODEL_SECRET_BROKEN": "theirs", "MODEL_SECRET_NOBODY": ":theirs"})
	b := builder{s, config(t, s)}
	tests := map[string]struct {
		org    string
		config models.Config
		say    string // "" = it is built
	}{
		"their key at OpenAI": {"org-a", models.Config{Provider: "openai", Model: "o4-mini", SecretName: "MAIN"}, ""},
		"their key at Azure": {"org-a", models.Config{Provider: "azure-v1", Model: "x", SecretName: "MAIN",
			BaseURL: "https://res.openai.azure.com/openai/v1"}, ""},
		"no key at their server": {"org-b", models.Config{Provider: "vllm", Model: "x",
			BaseURL: "https://models.example.com/v1"}, ""},
		"one of ours":            {"org-b", models.Config{Provider: "openai", Model: "gpt-4o-mini"}, ""},
		"another on our account": {"org-b", models.Config{Provider: "openai", Model: "o3-pro"}, "needs a key"},
		"another's key": {"org-b", models.Config{Provider: "openai", Model: "x", SecretName: "MAIN",
			BaseURL: "https://evil.example.com/v1"}, "not one of your"},
		"a key of nobody": {"", models.Config{Provider: "openai", Model: "x", SecretName: "NOBODY"},
			"not one of your"},
		"a key without an owner": {"org-a", models.Config{Provider: "openai", Model: "x", SecretName: "BROKEN"},
			"not one of your"},
		"a key that is not set": {"org-a", models.Config{Provider: "openai", Model: "x", SecretName: "OTHER"},
			"not one of your"},
		"metadata": {"org-a", models.Config{Provider: "vllm", Model: "x",
			BaseURL: "https://169.254.169.254/v1"}, "may not be reached"},
		"this machine": {"org-a", models.Config{Provider: "vllm", Model: "x", BaseURL: inside.URL},
			"may not be reached"},
		"an unknown provider": {"org-a", models.Config{Provider: "acme", Model: "x", SecretName: "MAIN"},
			"not set up"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := b.build(tt.org, tt.config)
			if tt.say == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if f := fault.From(err); f == nil || f.Kind != fault.Unavailable || !strings.Contains(f.Message, tt.say) ||
				strings.Contains(fault.Trace(err), "theirs") {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("a name that leads to this machine", func(t *testing.T) {
		address := strings.Replace(strings.Replace(inside.URL, "http:", "https:", 1), "127.0.0.1",
			"localhost.localdomain", 1)
		m, err := b.build("org-a", models.Config{Provider: "vllm", Model: "x", BaseURL: address})
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		_, err = m.Answer(ctx, llm.Request{Settings: llm.Settings{}, Messages: []llm.Message{{Role: llm.User,
			Text: "hi"}}}, nil)
		if !fault.Is(err, fault.Unavailable) || len(inside.Requests()) != 0 {
			t.Errorf("got %v, %d requests", err, len(inside.Requests()))
		}
	})
}

func TestTheOperatorsModels(t *testing.T) {
	first := script.Start(t, script.Step{Text: "One."}, script.Step{Text: "Two."},
		script.Step{Fault: script.Status(401, nil, "")})
	second := script.Start(t, script.Step{Text: "Three."})
	s := process(map[string]string{
		"OPENAI_BASE_URL": first.URL, "OPENAI_MODEL": "m-1", "OPENAI_MODEL_CHEAP": "m-0", "OPENAI_API": "responses",
		"OPENAI_FALLBACK_BASE_URL": second.URL, "OPENAI_FALLBACK_MODEL": "m-2",
	})
	p, err := ForCallers(s, config(t, s), nil)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, tier := range []llm.Tier{llm.Cheap, llm.Capable, llm.Capable} {
		m, err := p.For(t.Context(), identity.Caller{OrgID: "org-a"}, "hospitality", tier)
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Answer(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, a.Text+" "+a.Model+" "+a.Usage.Provider)
	}
	if got := strings.Join(said, ", "); got != "One. m-0 , Two. m-1 , Three. m-2 fallback" {
		t.Error(got)
	}
	if first.Requests()[0].API != script.Responses || second.Requests()[0].API != script.Chat {
		t.Error("they were asked in another way than was set")
	}
}

// S1-1: an assistant whose profile says so is asked by the Responses API where the provider
// is known to have it; a choice of the operator's counts for all.
func TestAnAssistantByTheResponsesAPI(t *testing.T) {
	for _, test := range []struct {
		name, profile, api string
		want               []script.API // of travel, of hospitality
	}{
		{"OpenAI", "openai", "", []script.API{script.Responses, script.Chat}},
		{"a server of another kind", "compatible", "", []script.API{script.Chat, script.Chat}},
		{"the operator's choice", "openai", "chat", []script.API{script.Chat, script.Chat}},
		{"the operator's other choice", "openai", "responses", []script.API{script.Responses, script.Responses}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := script.Start(t, script.Step{Text: "One."}, script.Step{Text: "Two."})
			s := process(map[string]string{"OPENAI_BASE_URL": server.URL, "OPENAI_API_KEY": "k",
				"OPENAI_PROFILE": test.profile, "OPENAI_API": test.api})
			p, err := ForCallers(s, config(t, s), []assistants.Profile{{Name: "travel", Responses: true}})
			if err != nil {
				t.Fatal(err)
			}
			for i, name := range []string{"travel", "hospitality"} {
				m, err := p.For(t.Context(), identity.Caller{OrgID: "org-a"}, name, llm.Capable)
				if err != nil {
					t.Fatal(err)
				}
				ask := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}
				if _, err := m.Answer(t.Context(), ask, nil); err != nil {
					t.Fatal(err)
				}
				if got := server.Requests()[i].API; got != test.want[i] {
					t.Errorf("%s was asked by %s", name, got)
				}
			}
		})
	}
}
