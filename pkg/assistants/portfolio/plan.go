package portfolio

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// plan is an agent.Plan of a few steps: each returns the calls that follow on the results
// so far, none to leave it out. The same results lead to the same calls.
type plan struct {
	steps []func(results []agent.Answered) []call
	// end returns the text of the answer, and what is shown behind it.
	end func(results []agent.Answered) (string, []part.Data)
}

// call is a call of a plan.
type call struct {
	tool    string
	args    map[string]any
	purpose string
	quiet   bool // its result is not shown
}

// Next returns the next step.
func (p plan) Next(_ context.Context, results []agent.Answered, _ func(string) error) (agent.Planned, error) {
	done := 0
	for n, step := range p.steps {
		calls := step(results[:done])
		if len(calls) == 0 {
			continue
		}
		if done += len(calls); done <= len(results) {
			continue
		}
		out := agent.Planned{Step: n + 1, Of: len(p.steps)}
		for _, c := range calls {
			arguments, err := json.Marshal(c.args)
			if err != nil {
				return out, fmt.Errorf("encode the arguments of %s: %w", c.tool, err)
			}
			out.Answer.Calls = append(out.Answer.Calls, llm.Call{Name: c.tool, Arguments: string(arguments)})
			out.Purposes, out.LookUps = append(out.Purposes, c.purpose), append(out.LookUps, c.quiet)
		}
		return out, nil
	}
	text, parts := p.end(results)
	return agent.Planned{Answer: llm.Answer{Text: text}, Parts: parts}, nil
}

// told returns what a call said, or why it failed, for people.
func told(a agent.Answered) string {
	if a.Err != nil {
		return fault.From(a.Err).Message
	}
	return a.Text
}
