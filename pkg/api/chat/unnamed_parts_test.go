package chat_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

// A flow shows parts of the kinds that its profile names; others are dropped, in
// every representation, and reported.
func TestAFlowShowsThePartsOfItsProfile(t *testing.T) {
	t.Parallel()
	shown := []part.Part{
		{Kind: "choices", ID: "t1a", Data: json.RawMessage(`{"choices":[]}`), Text: "Pick one."},
		{Kind: "secret", ID: "t1b", Data: json.RawMessage(`{"hidden":true}`), Text: "Not for you."},
	}
	r := flow.Runtime{Profile: toyProfile()}
	r.AgentNames = nil
	r.Flow = flow.Func(func(context.Context, *flow.Turn) iter.Seq2[agent.Event, error] {
		return func(yield func(agent.Event, error) bool) {
			for _, p := range shown {
				if !yield(agent.Shown{Part: p}, nil) {
					return
				}
			}
			flow.Say("Look.", agent.Outcome{Parts: shown})(yield)
		}
	})
	toy, err := flow.New(r)
	fatal(t, err)
	var reported []string
	d := openAs(t, localtest.Stack(t), func(c *chat.Config) {
		c.Assistants, c.Default = []*flow.Assistant{flow.Built(toy)}, "toy"
		c.Report = func(_ context.Context, tool string, err error) {
			reported = append(reported, tool+": "+fault.Trace(err))
		}
	})
	org := toyOrg(t)
	for _, accept := range []string{"application/json", "text/event-stream"} {
		reported = nil
		_, raw := d.post(t, "/api/chat/toy", org.Manager.Token, accept, ask("hi"))
		if s := string(raw); !strings.Contains(s, `"choices"`) || strings.Contains(s, "secret") ||
			strings.Contains(s, "Not for you") {
			t.Errorf("%s: %s", accept, raw)
		}
		if len(reported) != 1 || !strings.Contains(reported[0], "the flow: ") ||
			!strings.Contains(reported[0], "secret") {
			t.Errorf("%s: reported are %q", accept, reported)
		}
	}
}

// A part that a tool shows and the profile does not name is in no representation,
// and is reported.
func TestAToolShowsThePartsOfItsAssistantsProfile(t *testing.T) {
	t.Parallel()
	stack := localtest.Stack(t)
	client, err := supabase.New(localtest.Config(t, stack))
	fatal(t, err)
	toy, err := newToy(hospitality.NewExtras(client), "")
	fatal(t, err)
	toy.Parts = []string{"table"}
	var mu sync.Mutex
	reported := 0
	d := openAs(t, stack, func(c *chat.Config) {
		c.Assistants, c.Default = []*flow.Assistant{flow.Built(toy)}, "toy"
		c.Report = func(_ context.Context, tool string, err error) {
			mu.Lock()
			defer mu.Unlock()
			if tool == "find_options" && strings.Contains(fault.Trace(err), "kind choices") {
				reported++
			}
		}
	}, script.Step{When: about("flights", 0), Calls: []script.Call{{Name: "find_options"}}, Times: 2},
		script.Step{When: about("flights", 1), Text: "By train.", Times: 2},
		script.Step{When: about("stays", 0), Text: "Sunny.", Times: 2})
	org := toyOrg(t)
	list := talked(t, d, org.Manager.Token, "parts-1")
	for _, accept := range []string{"application/json", "text/event-stream"} {
		_, raw := d.post(t, "/api/chat", org.Manager.Token, accept, map[string]any{"id": "parts-1", "messages": list})
		if s := string(raw); !strings.Contains(s, "By train.") || strings.Contains(s, "choices") ||
			strings.Contains(s, "please") {
			t.Errorf("%s: %s", accept, raw)
		}
	}
	if reported != 2 {
		t.Errorf("%d parts were reported", reported)
	}
}
