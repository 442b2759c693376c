package boot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/boot"
)

func env(pairs ...string) boot.Lookup {
	return func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

type talking struct {
	boot.ModelConfig
	boot.HistoryConfig
	boot.ChatConfig
}

// S0-57
func TestAVariableIsKnownByTheNamesOfTheSources(t *testing.T) {
	tests := map[string]struct {
		env            boot.Lookup
		url, key, open string
	}{
		"by our names": {env("SUPABASE_URL", "https://a.example", "SUPABASE_PUBLISHABLE_KEY", "pk", "OPENAI_API_KEY",
			"sk", "SEAL_KEYS", "k"),
			"https://a.example", "pk", "sk"},
		"by the older name of the key": {env("SUPABASE_URL", "https://a.example", "SUPABASE_ANON_KEY", "anon",
			"SEAL_KEYS", "k"), "https://a.example", "anon", ""},
		"by the front end's names": {env("VITE_SUPABASE_URL", "https://v.example", "VITE_SUPABASE_ANON_KEY", "vite",
			"VITE_OPENAI_API_KEY", "vsk", "SEAL_KEYS", "k"),
			"https://v.example", "vite", "vsk"},
		"ours wins": {env("VITE_SUPABASE_URL", "https://v.example", "SUPABASE_URL", "https://a.example",
			"SUPABASE_ANON_KEY", "anon",
			"VITE_SUPABASE_ANON_KEY", "vite", "SUPABASE_PUBLISHABLE_KEY", "pk", "VITE_OPENAI_API_KEY", "vsk",
			"OPENAI_API_KEY", "sk", "SEAL_KEYS", "k"),
			"https://a.example", "pk", "sk"},
		"an empty one counts as unset": {env("SUPABASE_URL", "", "VITE_SUPABASE_URL", "https://v.example",
			"SUPABASE_ANON_KEY", "anon", "SEAL_KEYS", "k"),
			"https://v.example", "anon", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var shared boot.Config
			var own talking
			if err := tc.env.Decode(t.Context(), &shared); err != nil {
				t.Fatal(err)
			}
			if err := tc.env.Decode(t.Context(), &own); err != nil {
				t.Fatal(err)
			}
			if shared.SupabaseURL != tc.url || shared.PublishableKey != tc.key || own.APIKey != tc.open {
				t.Errorf("got %q, %q, %q", shared.SupabaseURL, shared.PublishableKey, own.APIKey)
			}
		})
	}
}

func TestWhatIsNotSetHasADefault(t *testing.T) {
	var shared boot.Config
	var own talking
	e := env("SUPABASE_URL", "u", "SUPABASE_PUBLISHABLE_KEY", "p", "SEAL_KEYS", "k", "ALLOWED_ORIGINS",
		"https://a.example,https://b.example")
	if err := e.Decode(t.Context(), &shared); err != nil {
		t.Fatal(err)
	}
	if err := e.Decode(t.Context(), &own); err != nil {
		t.Fatal(err)
	}
	if shared.TurnTimeout != 55*time.Second || shared.Port != "8080" || shared.LogLevel != "info" ||
		!slices.Equal(shared.Origins, []string{"https://a.example", "https://b.example"}) {
		t.Errorf("got %+v", shared)
	}
	if own.Model != "gpt-4o-mini" || own.SealTTL != 30*24*time.Hour || own.DefaultAssistant != "hospitality" ||
		own.Mock {
		t.Errorf("got %+v", own)
	}
}

// The sentence names the variable, wherever its field is nested, and never
// repeats a value, since that may be a key in the wrong place.
func TestAVariableThatIsMissingOrWrongIsNamedAndNotEchoed(t *testing.T) {
	tests := map[string]struct {
		env  boot.Lookup
		into any
		want string
	}{
		"no project": {env("SUPABASE_PUBLISHABLE_KEY", "canary"), new(boot.Config),
			"SUPABASE_URL is not set"},
		"an empty project": {env("SUPABASE_URL", "", "SUPABASE_PUBLISHABLE_KEY", "canary"), new(boot.Config),
			"SUPABASE_URL is not set"},
		"no key": {env("SUPABASE_URL", "canary"), new(boot.Config),
			"SUPABASE_PUBLISHABLE_KEY is not set"},
		"no seal keys, nested": {env("OPENAI_API_KEY", "canary"), new(talking), "SEAL_KEYS is not set"},
		"a duration of no form": {env("SUPABASE_URL", "u", "SUPABASE_PUBLISHABLE_KEY", "p", "TURN_TIMEOUT",
			"canary: 55"), new(boot.Config), "TURN_TIMEOUT has the wrong form"},
		"a switch of no form, deep": {env("SEAL_KEYS", "canary", "MOCK_OPENAI", "canary"), new(talking),
			"MOCK_OPENAI has the wrong form"},
		"a number above its range, nested": {env("OPENAI_API_KEY", "canary", "SEAL_KEYS", "canary", "RATE_CHAT_USER",
			"70000"), new(talking), "RATE_CHAT_USER is out of its range, which is 0 to 65535"},
		"a number below its range": {env("OPENAI_API_KEY", "canary", "SEAL_KEYS", "canary", "RATE_CHAT_USER", "-1"),
			new(talking), "RATE_CHAT_USER has the wrong form"},
		"a wrong one behind a right": {env("SEAL_KEYS", "canary", "SEAL_TTL", "canary"), new(talking),
			"SEAL_TTL has the wrong form"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			err := tc.env.Decode(t.Context(), tc.into)
			if err == nil || err.Error() != tc.want || strings.Contains(err.Error(), "canary") {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// S4-32: the stand-in is for development and for tests.
func TestAStandInModelIsRefusedWherePeopleWouldMeetIt(t *testing.T) {
	tests := map[string]struct {
		cfg  boot.ProviderConfig
		env  boot.Lookup
		want string // "" = it may start
	}{
		"on this machine":         {boot.ProviderConfig{Mock: true, BaseURL: "http://127.0.0.1:9/v1"}, env(), ""},
		"on this machine by IPv6": {boot.ProviderConfig{Mock: true, BaseURL: "http://[::1]:9/v1"}, env(), ""},
		"elsewhere": {boot.ProviderConfig{Mock: true, BaseURL: "http://10.0.0.7/v1"}, env(),
			"MOCK_OPENAI"},
		"a name that could be any": {boot.ProviderConfig{Mock: true, BaseURL: "http://localhost.evil.example/v1"},
			env(), "MOCK_OPENAI"},
		"nowhere": {boot.ProviderConfig{Mock: true}, env(), "MOCK_OPENAI"},
		"an address of no form": {boot.ProviderConfig{Mock: true, BaseURL: "http://127.0.0.1:%zz"}, env(),
			"MOCK_OPENAI"},
		"deployed on Vercel": {boot.ProviderConfig{Mock: true, BaseURL: "http://127.0.0.1:9/v1"},
			env("VERCEL", "1"), "MOCK_OPENAI"},
		"deployed on Lambda": {boot.ProviderConfig{Mock: true, BaseURL: "http://127.0.0.1:9/v1"},
			env("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001"), "MOCK_OPENAI"},
		"on a Lambda of this stack": {boot.ProviderConfig{Mock: true, BaseURL: "http://127.0.0.1:9/v1"},
			env("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001", "BELLHOP_LOCAL", "true"), ""},
		"Vercel is never local": {boot.ProviderConfig{Mock: true, BaseURL: "http://127.0.0.1:9/v1"},
			env("VERCEL", "1", "BELLHOP_LOCAL", "true"), "MOCK_OPENAI"},
		"the real one":             {boot.ProviderConfig{APIKey: "canary"}, env("VERCEL", "1"), ""},
		"the real one without key": {boot.ProviderConfig{}, env(), "OPENAI_API_KEY is not set"},
		"an own one without key":   {boot.ProviderConfig{BaseURL: "https://models.example/v1"}, env(), ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			err := tc.cfg.Check(tc.env)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}
