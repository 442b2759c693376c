package agent_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// F-32: a prompt that is refused for its length is sent once more, shorter; what
// the turn did stays whole.
func TestAPromptThatIsTooLongIsShortenedOnce(t *testing.T) {
	tooLong := fault.New(fault.Unprocessable, "This conversation has become too long.").WithCode(llm.ContextLength)
	tests := map[string]struct {
		answers []any
		asked   int
		reply   string
	}{
		"at the first call":         {[]any{tooLong, says("Here I am.")}, 2, "Here I am."},
		"behind a long result":      {[]any{calls(call("list_extras", "{}")), tooLong, says("Two.")}, 3, "Two."},
		"refused for good":          {[]any{tooLong, tooLong, says("never")}, 2, ""},
		"twice in a turn":           {[]any{tooLong, calls(call("list_extras", "{}")), tooLong}, 3, ""},
		"another failure is no one": {[]any{fault.New(fault.Upstream, "No."), says("never")}, 1, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			h := &hotel{}
			var earlier []history.Entry
			for range 30 {
				earlier = append(earlier, history.Entry{Role: llm.User, Text: strings.Repeat("words ", 50)},
					history.Entry{Role: llm.Assistant, Text: "ok"})
			}
			c := history.Conversation{Entries: append(earlier, history.Entry{Role: llm.User, Text: "go"})}
			a := &agent.Agent{Name: "inventory", Tools: h.set(t), Rounds: 8, Window: 40}
			m := &scripted{answers: tc.answers}
			run := agent.Run{
				Agent: a, By: identity.Caller{Role: identity.Manager}, System: "You are Bernard.",
				Messages: c.Prompt(a.Reads()), Shorter: c.Prompt,
				Model: m, Journal: &memory{}, Now: time.Now, Live: true,
			}
			var out agent.Outcome
			var failed error
			synctest.Test(t, func(t *testing.T) {
				for e, err := range run.Events(t.Context()) {
					if err != nil {
						failed = err
					} else if d, ok := e.(agent.Done); ok {
						out = d.Outcome
					}
				}
			})
			if len(m.read) != tc.asked || (failed == nil) != (tc.reply != "") || !strings.HasPrefix(out.Reply,
				tc.reply) {
				t.Fatalf("asked %d times, reply %q, error %v", len(m.read), out.Reply, failed)
			}
			if failed != nil {
				return
			}
			before, after := m.read[tc.asked-2].Messages, m.read[tc.asked-1].Messages
			if full, short := history.Size(before), history.Size(after); short*2 > full {
				t.Errorf("about %d tokens became %d", full, short)
			}
			if after[0].Text != "You are Bernard." || strings.Join(out.Degraded, " ") != "history_shortened" {
				t.Errorf("the prompt begins with %q, degraded is %v", after[0].Text, out.Degraded)
			}
			if len(out.Steps) > 0 && !strings.Contains(out.Steps[0].Results[0].Text, "Sauna") {
				t.Errorf("the step is kept as %+v", out.Steps[0])
			}
		})
	}
}
