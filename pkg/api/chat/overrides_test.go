package chat_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
)

// A request lowers how long an answer may be, and never raises it.
func TestARequestLowersTheLengthOfAnAnswer(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	for name, tc := range map[string]struct {
		path string
		body map[string]any
		want int
	}{
		"nothing said":           {"/api/chat", map[string]any{}, 4096},
		"less":                   {"/api/chat", map[string]any{"maxTokens": 300}, 300},
		"more":                   {"/api/chat", map[string]any{"maxTokens": 100_000}, 4096},
		"nothing meant":          {"/api/chat", map[string]any{"maxTokens": 0}, 4096},
		"by OpenAI's name":       {completionsPath, map[string]any{"model": "hospitality", "max_completion_tokens": 250}, 250},
		"by OpenAI's older name": {completionsPath, map[string]any{"model": "hospitality", "max_tokens": 200}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, script.Route("inventory"), script.Step{Text: "Hello."})
			tc.body["messages"] = []any{user("Extras?")}
			if resp, raw := d.post(t, tc.path, org.Manager.Token, "", tc.body); resp.StatusCode != http.StatusOK {
				t.Fatalf("status %d, %s", resp.StatusCode, raw)
			}
			if got := d.model.Requests()[1].MaxTokens; got != tc.want {
				t.Errorf("the model may write %d tokens, want %d", got, tc.want)
			}
		})
	}
}

// A way of working is chosen where the assistant offers it, and refused where
// it does not: nobody gets less than was asked for without knowing.
func TestAWayOfWorkingIsChosenOrRefused(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	deep := func(c *chat.Config) {
		bernard := *c.Assistants[0]
		other := bernard
		other.Agents = []*agent.Agent{}
		for _, g := range bernard.Agents {
			thorough := *g
			thorough.Settings.Model = "thorough-1"
			other.Agents = append(other.Agents, &thorough)
		}
		bernard.Variants = []assistants.Variant{{Deep: true, Assistant: &other}}
		c.Assistants = []*assistants.Assistant{&bernard}
	}
	for name, tc := range map[string]struct {
		change func(*chat.Config)
		body   map[string]any
		model  string // "" when it is refused
	}{
		"none is chosen":         {deep, map[string]any{}, "gpt-4o-mini"},
		"deep is offered":        {deep, map[string]any{"deep": true}, "thorough-1"},
		"deep is not offered":    {func(*chat.Config) {}, map[string]any{"deep": true}, ""},
		"the pipeline is not":    {deep, map[string]any{"pipeline": "realtime"}, ""},
		"nor is it with another": {deep, map[string]any{"pipeline": "api", "deep": true}, ""},
		"fewer than no tokens":   {deep, map[string]any{"maxTokens": -1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openAs(t, localtest.Stack(t), tc.change, script.Route("inventory"), script.Step{Text: "Hello."})
			tc.body["messages"] = []any{user("Extras?")}
			resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", tc.body)
			if tc.model == "" {
				if resp.StatusCode != http.StatusUnprocessableEntity || len(d.model.Requests()) > 0 || tc.body["maxTokens"] == nil && !bytes.Contains(raw, []byte("override_refused")) {
					t.Errorf("status %d, %s", resp.StatusCode, raw)
				}
				return
			}
			if resp.StatusCode != http.StatusOK || d.model.Requests()[1].Model != tc.model {
				t.Errorf("status %d, %s", resp.StatusCode, raw)
			}
		})
	}
}

// A way of working that is declared wrongly is found at start.
func TestAWrongWayOfWorkingIsFoundAtStart(t *testing.T) {
	t.Parallel()
	var cfg chat.Config
	openAs(t, localtest.Stack(t), func(c *chat.Config) { cfg = *c })
	good := cfg.Assistants[0]
	renamed, nested := *good, *good
	renamed.Name = "another"
	nested.Variants = []assistants.Variant{{Deep: true, Assistant: good}}
	for name, list := range map[string][]assistants.Variant{
		"none is given":        {{Deep: true}},
		"another name":         {{Deep: true, Assistant: &renamed}},
		"ways of its own":      {{Pipeline: "api", Assistant: &nested}},
		"the assistant itself": {{Assistant: good}},
		"twice":                {{Deep: true, Assistant: good}, {Deep: true, Assistant: good}},
	} {
		a := *good
		a.Variants = list
		cfg.Assistants = []*assistants.Assistant{&a}
		if _, err := chat.New(cfg); err == nil {
			t.Errorf("%s: it starts", name)
		}
	}
}
