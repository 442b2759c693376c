package agent

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Steps is a Plan of a few steps: each returns the calls that follow on the results so
// far, none to leave it out. The same results must lead to the same calls.
type Steps struct {
	Steps []Step
	// End returns the text of the answer, and what is shown behind it.
	End func(results []Answered) (string, []part.Data)
}

// Step returns the calls of a step.
type Step func(results []Answered) []PlannedCall

// PlannedCall is a call of a plan.
type PlannedCall struct {
	Tool      string
	Arguments map[string]any
	Purpose   string // for people
	// LookUp says that it only finds what a name stands for; its result is not shown.
	LookUp bool
}

// Once returns a step of these calls, whatever the results are.
func Once(calls ...PlannedCall) Step { return func([]Answered) []PlannedCall { return calls } }

// Next returns the next step; see Plan.
func (s Steps) Next(_ context.Context, results []Answered, _ func(string) error) (Planned, error) {
	done := 0
	for n, step := range s.Steps {
		calls := step(results[:done])
		if len(calls) == 0 {
			continue
		}
		if done += len(calls); done <= len(results) {
			continue
		}
		out := Planned{Step: n + 1, Of: len(s.Steps)}
		for _, c := range calls {
			arguments, err := json.Marshal(c.Arguments)
			if err != nil {
				return out, fmt.Errorf("encode the arguments of %s: %w", c.Tool, err)
			}
			out.Answer.Calls = append(out.Answer.Calls, llm.Call{Name: c.Tool, Arguments: string(arguments)})
			out.Purposes, out.LookUps = append(out.Purposes, c.Purpose), append(out.LookUps, c.LookUp)
		}
		return out, nil
	}
	text, parts := s.End(results)
	return Planned{Answer: llm.Answer{Text: text}, Parts: parts}, nil
}

// Told returns what a call said, or why it failed, for people.
func (a Answered) Told() string {
	if a.Err != nil {
		return fault.From(a.Err).Message
	}
	return a.Text
}
