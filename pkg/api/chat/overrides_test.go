package chat_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"net/http"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/flow"
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
		"nothing said":  {"/api/chat", map[string]any{}, 4096},
		"less":          {"/api/chat", map[string]any{"maxTokens": 300}, 300},
		"more":          {"/api/chat", map[string]any{"maxTokens": 100_000}, 4096},
		"nothing meant": {"/api/chat", map[string]any{"maxTokens": 0}, 4096},
		"by OpenAI's name": {completionsPath, map[string]any{"model": "hospitality",
			"max_completion_tokens": 250}, 250},
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
// it does not: no one gets less than was asked for without knowing.
func TestAWayOfWorkingIsChosenOrRefused(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	deep := func(c *chat.Config) {
		r := *runtimeOf(t, c.Assistants[0])
		r.Variants = []assistants.Variant{{Deep: true}}
		whole := r.Flow
		r.Flow = flow.Func(func(ctx context.Context, turn *flow.Turn) iter.Seq2[agent.Event, error] {
			if !turn.Choice.Deep {
				return whole.Answer(ctx, turn)
			}
			a, _ := turn.Agent("inventory")
			thorough := *a
			thorough.Settings.Model = "thorough-1"
			return turn.Run(ctx, &thorough)
		})
		c.Assistants = []*flow.Assistant{flow.Built(&r)}
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
			steps := []script.Step{script.Route("inventory"), {Text: "Hello."}}
			if tc.body["deep"] == true {
				steps = steps[1:] // that flow asks no router
			}
			d := openAs(t, localtest.Stack(t), tc.change, steps...)
			tc.body["messages"] = []any{user("Extras?")}
			resp, raw := d.post(t, "/api/chat", org.Manager.Token, "", tc.body)
			if tc.model == "" {
				if resp.StatusCode != http.StatusUnprocessableEntity || len(d.model.Requests()) > 0 ||
					tc.body["maxTokens"] == nil && !bytes.Contains(raw, []byte("override_refused")) {
					t.Errorf("status %d, %s", resp.StatusCode, raw)
				}
				return
			}
			if resp.StatusCode != http.StatusOK || d.model.Requests()[len(steps)-1].Model != tc.model {
				t.Errorf("status %d, %s", resp.StatusCode, raw)
			}
		})
	}
}

// An assistant that is declared wrongly is found at start.
func TestAWrongProfileIsFoundAtStart(t *testing.T) {
	t.Parallel()
	var cfg chat.Config
	openAs(t, localtest.Stack(t), func(c *chat.Config) { cfg = *c })
	good := runtimeOf(t, cfg.Assistants[0])
	for name, change := range map[string]func(*assistants.Profile){
		"a way of working that is its own": func(p *assistants.Profile) { p.Variants = []assistants.Variant{{}} },
		"a way of working twice":           func(p *assistants.Profile) { p.Variants = []assistants.Variant{{Deep: true}, {Deep: true}} },
		"an agent twice": func(p *assistants.Profile) {
			p.AgentNames = append(p.AgentNames[:1:1],
				p.AgentNames...)
		},
		"no prefix": func(p *assistants.Profile) { p.Prefix = "" },
	} {
		r := *good
		change(&r.Profile)
		cfg.Assistants = []*flow.Assistant{flow.Built(&r)}
		if _, err := chat.New(cfg); err == nil {
			t.Errorf("%s: it starts", name)
		}
	}
}

// An assistant that cannot be built fails for a caller who asks for it, and for
// no one else; the sentence says nothing of the cause.
func TestAnAssistantThatCannotBeBuiltIsUnavailable(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "broken")
	d := openAs(t, localtest.Stack(t), func(c *chat.Config) {
		broken := assistants.Profile{Name: "broken", Title: "Bruno", EntityKind: "property"}
		c.Assistants = append(c.Assistants, flow.Lazy(broken, func() (*flow.Runtime, error) {
			return nil,
				errors.New("no persona: /secret")
		}))
	}, script.Route("inventory"), script.Step{Text: "Hello."})
	for range 2 {
		resp, raw := d.post(t, "/api/chat/broken", org.Manager.Token, "",
			map[string]any{"messages": []any{user("Hi")}})
		if resp.StatusCode != http.StatusServiceUnavailable ||
			!bytes.Contains(raw, []byte("Bruno is not available")) || bytes.Contains(raw, []byte("secret")) {
			t.Errorf("status %d, %s", resp.StatusCode, raw)
		}
	}
	if resp, raw := d.post(t, "/api/chat", org.Manager.Token, "",
		map[string]any{"messages": []any{user("Extras?")}}); resp.StatusCode != http.StatusOK {
		t.Errorf("the others: status %d, %s", resp.StatusCode, raw)
	}
}

func runtimeOf(t *testing.T, a *flow.Assistant) *flow.Runtime {
	t.Helper()
	r, err := a.Runtime()
	fatal(t, err)
	return r
}
