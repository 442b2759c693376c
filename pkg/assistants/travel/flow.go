package travel

import (
	"context"
	"iter"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/travel/hints"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// journey is the flow of the assistant: one agent, and rules where no model answers.
type journey struct{ cfg Config }

type events = iter.Seq2[agent.Event, error]

// Answer answers one turn.
func (f *journey) Answer(ctx context.Context, t *flow.Turn) events {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routing{Agents: len(t.Agents()), Tools: t.Tools()}, nil) {
			return
		}
		w := &way{f: f, t: t, text: t.History.LastUserText()}
		w.choose(w.bind(ctx))(yield)
	}
}

// way is one turn on its way to an answer.
type way struct {
	f    *journey
	t    *flow.Turn
	text string // the newest message
}

// bind returns the context in which facts are read and tools run.
func (w *way) bind(ctx context.Context) context.Context {
	ctx = preferences.WithMessage(withSaid(ctx, w.text), w.text)
	if l := w.t.Location(); l != nil {
		ctx = hints.WithLocation(ctx, hints.Point{Lat: l.Lat, Lon: l.Lon})
	}
	return ctx
}

// choose returns the events of the answer.
func (w *way) choose(ctx context.Context) events {
	a, ok := w.t.Agent(sword)
	switch {
	case !ok:
		return w.say("I can't do anything here without my tools.")
	case w.t.By.Visitor != "":
		return w.say("Please sign in: trips and bookings belong to a person.")
	case w.f.cfg.Unmodelled:
		return w.ruled(ctx, a)
	}
	run := w.routed(agent.PathModel, a, "a question about travelling", w.t.Run(ctx, a))
	return flow.OrElse(run, func(*fault.Error) events {
		return flow.Finally(w.ruled(ctx, a), func(o *agent.Outcome) { o.Degraded = append(o.Degraded, modelDown) })
	})
}

// modelDown is the degraded code of an answer that a model should have given.
const modelDown = "model_unavailable"

// routed says how the turn is answered before its events.
func (w *way) routed(path agent.Path, a *agent.Agent, why string, run events) events {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routed{Path: path, Agent: a.Name, Label: a.Label, Reasoning: why, How: "explicit"}, nil) {
			return
		}
		flow.Finally(run, func(o *agent.Outcome) { o.Reasoning = why })(yield)
	}
}

// say answers with a sentence of ours.
func (w *way) say(text string) events {
	o := agent.Outcome{Understanding: agent.Understanding{Agent: sword, Path: agent.PathDirect,
		Category: agent.Unified}}
	o.Label, _ = w.t.Profile().Label(sword)
	return flow.Say(text, o)
}
