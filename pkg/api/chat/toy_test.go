package chat_test

import (
	"context"
	"iter"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// toyProfile is what every function knows of the assistant.
func toyProfile() assistants.Profile {
	return assistants.Profile{Name: "toy", Title: "Toy", Parts: []string{"choices"},
		AgentNames: []assistants.AgentName{
			{Name: "flights", Label: "Flights"}, {Name: "stays", Label: "Stays"}}}
}

// toyMode is the flow's own state.
type toyMode struct {
	Turns int `json:"turns"`
}

// toyFlow greets first, and from the second turn on asks both agents at once.
func toyFlow(ctx context.Context, t *flow.Turn) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		var mode toyMode
		if _, err := t.Mode(&mode); err != nil {
			yield(nil, err)
			return
		}
		mode.Turns++
		if err := t.SetMode(mode); err != nil {
			yield(nil, err)
			return
		}
		if mode.Turns == 1 {
			flow.Say("Where to?", agent.Outcome{Asked: true, Understanding: agent.Understanding{
				Path: agent.PathFast, Category: agent.GeneralChat, Entities: map[string]any{"turn": mode.Turns},
				Intent: &agent.Intent{ID: "greet", Name: "Greeting", Confidence: 1}}})(yield)
			return
		}
		flights, _ := t.Agent("flights")
		stays, _ := t.Agent("stays")
		both := t.Parallel(ctx, flow.Member{Name: "flights", Agent: flights}, flow.Member{Name: "stays", Agent: stays})
		flow.Finally(both, func(o *agent.Outcome) { o.Entities = map[string]any{"turn": mode.Turns} })(yield)
	}
}

// found is what find_options answers; people press what fits.
type found struct {
	Options int `json:"options"`
}

// Show returns the choices.
func (found) Show() []part.Data {
	return []part.Data{part.Choices{Choices: []part.Choice{{Label: "By train", Words: "By train, please"}}}}
}

// newToy builds what runs its turns, for entities of a kind; "" is none.
func newToy(store extras.Store, kind string) (*flow.Runtime, error) {
	options := tool.New(tool.Spec{Name: "find_options", Effect: tool.Reads,
		Description: "Finds ways to travel and places to stay."},
		func(context.Context, identity.Caller, struct{}) (found, error) { return found{2}, nil })
	foreign, err := tool.FromSchema(tool.Spec{Name: "Weather.At", Effect: tool.Reads,
		Description: "Says what the weather is like in a city."},
		[]byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		func(_ context.Context, _ identity.Caller, in tool.Raw) (any, error) {
			return map[string]any{"sunny": true}, nil
		})
	if err != nil {
		return nil, err
	}
	set, err := tool.NewSet(append(kites(store), options, foreign)...)
	if err != nil {
		return nil, err
	}
	r := flow.Runtime{Profile: toyProfile(), Flow: flow.Func(toyFlow)}
	r.EntityKind = kind
	for _, name := range toyProfile().AgentNames {
		persona, err := prompt.Parse(name.Name, "You look after "+name.Name+" on {{.}}.")
		if err != nil {
			return nil, err
		}
		r.Agents = append(r.Agents, &agent.Agent{Name: name.Name, Label: name.Label, Persona: persona, Tools: set,
			Rounds: 4, Window: 20})
	}
	r.Facts = func(_ context.Context, _ identity.Caller, now time.Time) (any, error) {
		return now.Format(time.DateOnly), nil
	}
	return flow.New(r)
}
