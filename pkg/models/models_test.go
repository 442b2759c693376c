package models_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// provider is a real client of a scripted server.
func provider(t *testing.T, steps ...script.Step) (llm.Model, *script.Server) {
	t.Helper()
	s := script.Start(t, steps...)
	c, err := openai.New(openai.Config{BaseURL: s.URL, APIKey: "k", Profile: "openai", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

func request() llm.Request {
	return llm.Request{Settings: llm.Settings{Model: "asked-for", MaxTokens: 900},
		Messages: []llm.Message{{Role: llm.User, Text: "Is it free?"}}}
}

// F-17, F-18, F-19: a second provider answers while nothing of the first was shown.
func TestASecondProviderAnswers(t *testing.T) {
	tests := map[string]struct {
		first  script.Step
		second bool
	}{
		"it answers":                 {script.Step{Text: "Yes."}, false},
		"too many requests":          {script.Step{Fault: script.Status(429, nil, "")}, true},
		"its server is broken":       {script.Step{Fault: script.Status(503, nil, "")}, true},
		"a page of a proxy":          {script.Step{Fault: script.BadGateway()}, true},
		"no connection":              {script.Step{Fault: script.Reset()}, true},
		"our key is refused":         {script.Step{Fault: script.Status(401, nil, "")}, true},
		"it breaks off at once":      {script.Step{Text: "Yes, it is.", Fault: script.CutStream(1)}, true},
		"it breaks off after a word": {script.Step{Text: "Yes, it is.", Fault: script.CutStream(2)}, false},
		"our request is refused":     {script.Step{Fault: script.Status(400, nil, "")}, false},
		"the prompt is too long": {script.Step{Fault: script.Status(400, nil,
			`{"error":{"code":"context_length_exceeded"}}`)}, false},
		"withheld, which is an answer": {script.Step{Text: "Ye", Fault: script.Filter()}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			first, _ := provider(t, tt.first)
			next, asked := provider(t, script.Step{Text: "From the other.", Usage: script.Usage{Prompt: 1_000_000,
				Cached: 400_000, Completion: 1001}, Times: -1})
			m := models.Either(
				models.Own(first, models.Config{Provider: "openai", Model: "m-1"}),
				models.Own(next, models.Config{Provider: "vllm", Model: "m-2", SecretName: "OURS",
					Price: &models.Price{Input: 150_000, Cached: 75_000, Output: 600_000}}))
			shown := ""
			a, err := m.Answer(t.Context(), request(), func(s string) error { shown += s; return nil })
			if !tt.second {
				if len(asked.Requests()) != 0 {
					t.Error("the second was asked")
				}
				if err == nil && (a.Usage.Provider != "openai" || a.Model != "m-1") {
					t.Errorf("answered by %s of %s", a.Model, a.Usage.Provider)
				}
				return
			}
			want := llm.Answer{Text: "From the other.", Finish: llm.Stopped, Model: "m-2",
				Usage: llm.Usage{In: 1_000_000, Cached: 400_000, Out: 1001, Calls: 1, Cost: 90_000 + 30_000 + 601,
					Own: llm.Tokens{In: 1_000_000, Cached: 400_000, Out: 1001}, Provider: "vllm"}}
			if diff := cmp.Diff(want, a); err != nil || diff != "" || shown != a.Text {
				t.Errorf("%v, shown %q; %s", err, shown, diff)
			}
		})
	}
}

// table is a store of rows, in the place of the database.
type table struct {
	rows  map[string][]models.Config
	err   error
	asked int
}

func (s *table) Configs(_ context.Context, by identity.Caller) ([]models.Config, error) {
	s.asked++
	return s.rows[by.OrgID], s.err
}

// named is a model that only has a name.
type named string

func (n named) Answer(_ context.Context, r llm.Request, _ func(string) error) (llm.Answer, error) {
	return llm.Answer{Text: string(n), Model: r.Model, Finish: llm.Stopped}, nil
}

func TestEachOrganisationHasItsModels(t *testing.T) {
	rows := map[string][]models.Config{"org-a": {
		{Code: "ALL", Tier: llm.Capable, Model: "all", Default: true, MaxTokens: 500},
		{Code: "TRAVEL-2", Assistant: "travel", Tier: llm.Capable, Model: "travel-2"},
		{Code: "TRAVEL", Assistant: "travel", Tier: llm.Capable, Model: "travel", Default: true},
		{Code: "ODD", Assistant: "finance", Tier: llm.Capable, Model: "no default"},
	}}
	now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	store := &table{rows: rows}
	built := map[string]int{}
	p := &models.Picker{
		Store: store, Now: func() time.Time { return now },
		Build: func(org string, c models.Config) (llm.Model, error) {
			if c.Code == "BAD" {
				return nil, fault.New(fault.Unavailable, "The key is not yours.")
			}
			built[org+"/"+c.Code]++
			return named(c.Code), nil
		},
		Shared: map[llm.Tier]llm.Model{llm.Cheap: named("shared cheap"), llm.Capable: named("shared")},
	}
	who := func(org, assistant string, tier llm.Tier) string {
		t.Helper()
		m, err := p.For(t.Context(), identity.Caller{OrgID: org}, assistant, tier)
		if err != nil {
			return fault.From(err).Message
		}
		a, err := m.Answer(t.Context(), request(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return a.Text + " as " + a.Model
	}
	for _, tt := range []struct {
		org, assistant string
		tier           llm.Tier
		want           string
	}{
		{"org-a", "travel", llm.Capable, "TRAVEL as travel"},
		{"org-a", "hospitality", llm.Capable, "ALL as all"},
		{"org-a", "finance", llm.Capable, "ALL as all"},
		{"org-a", "travel", llm.Cheap, "shared cheap as asked-for"},
		{"org-b", "travel", llm.Capable, "shared as asked-for"},
	} {
		if got := who(tt.org, tt.assistant, tt.tier); got != tt.want {
			t.Errorf("%s of %s, %s: %s, want %s", tt.assistant, tt.org, tt.tier, got, tt.want)
		}
	}
	if store.asked != 2 {
		t.Errorf("the table was read %d times for two organisations", store.asked)
	}

	rows["org-a"] = []models.Config{{Code: "TRAVEL", Assistant: "travel", Tier: llm.Capable, Model: "newer",
		Default: true, Version: 1}, {Code: "BAD", Tier: llm.Capable, Default: true}}
	if got := who("org-a", "travel", llm.Capable); got != "TRAVEL as travel" {
		t.Errorf("at once: %s", got)
	}
	now = now.Add(31 * time.Second)
	if got := who("org-a", "travel", llm.Capable); got != "TRAVEL as newer" || built["org-a/TRAVEL"] != 2 {
		t.Errorf("after a while: %s, built %d times", got, built["org-a/TRAVEL"])
	}
	if got := who("org-a", "hospitality", llm.Capable); got != "The key is not yours." {
		t.Errorf("a model that cannot be built: %s", got)
	}
	now = now.Add(31 * time.Second)
	if who("org-a", "travel", llm.Capable); built["org-a/TRAVEL"] != 2 {
		t.Error("an unchanged row was built anew")
	}
	store.err, now = errors.New("away"), now.Add(time.Hour)
	if _, err := p.For(t.Context(), identity.Caller{OrgID: "org-a"}, "travel", llm.Capable); !errors.Is(err,
		store.err) {
		t.Errorf("got %v", err)
	}
}

// What an organisation bounds is bound, whatever an assistant asks for.
func TestAnOwnModelHasItsOwnSettings(t *testing.T) {
	cold := 0.0
	c, s := provider(t, script.Step{Text: "Yes."}, script.Step{Text: "Yes."})
	m := models.Own(c, models.Config{Model: "m-1", Temperature: &cold, MaxTokens: 500})
	for _, most := range []int{0, 100} {
		r := request()
		r.MaxTokens = most
		if _, err := m.Answer(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Requests()
	if got[0].Model != "m-1" || got[0].MaxTokens != 500 || *got[0].Temperature != 0 || got[1].MaxTokens != 100 {
		t.Errorf("asked %s for %d and %d tokens", got[0].Model, got[0].MaxTokens, got[1].MaxTokens)
	}
}
