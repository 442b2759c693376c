package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// rerun is one call of a tool that a person makes by a card, as a turn of the
// conversation: no model is asked, the checks and consent are those of every turn, and
// the answer is sealed and kept as any other.
type rerun struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"` // an object; nil is an empty one
}

// events makes the call with the first agent that has the tool.
func (r rerun) events(ctx context.Context, t *flow.Turn, of *flow.Runtime) iter.Seq2[agent.Event, error] {
	fail := func(err error) iter.Seq2[agent.Event, error] {
		return func(yield func(agent.Event, error) bool) { yield(nil, err) }
	}
	arguments := map[string]any{}
	if len(r.Arguments) > 0 {
		d := json.NewDecoder(bytes.NewReader(r.Arguments))
		d.UseNumber()
		if err := d.Decode(&arguments); err != nil || arguments == nil {
			return fail(fault.New(fault.Unprocessable, `The arguments of "run" are no object.`))
		}
	}
	unknown := fault.New(fault.NotFound, "There is no tool of the name %q here.", r.Tool).WithCode("unknown_tool")
	entry, ok := of.Tool(r.Tool)
	if !ok {
		return fail(unknown)
	}
	a, ok := t.Agent(entry.Agents[0])
	if !ok {
		return fail(unknown)
	}
	call := agent.PlannedCall{Tool: r.Tool, Arguments: arguments, Purpose: "run again with changed arguments"}
	run := t.Planned(ctx, a, agent.Steps{Steps: []agent.Step{agent.Once(call)},
		End: func(results []agent.Answered) (string, []part.Data) { return results[0].Told(), nil }})
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routing{Agents: len(t.Agents()), Tools: t.Tools()}, nil) || !yield(agent.Routed{
			Path: agent.PathDirect, Agent: a.Name, Label: a.Label, Reasoning: rerunReason, How: "explicit"}, nil) {
			return
		}
		flow.Finally(run, func(o *agent.Outcome) { o.Path, o.Reasoning = agent.PathDirect, rerunReason })(yield)
	}
}

// rerunReason is why no agent was asked.
const rerunReason = "the person ran a tool by its card"
