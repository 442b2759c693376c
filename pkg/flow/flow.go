// Package flow is the contract by which an assistant owns its turns.
//
// A Flow is a function of a Turn that yields the events of the answer. It sees
// the caller, the verified history, the request's options, the state that it
// kept last time, and the clock; it calls models and runs agents only through
// the Turn. What applies to every assistant happens outside: an answer to a
// proposal is handled before the flow is called, runs include the consent
// service, the budget, the journal and cancellation, and the answer is sealed
// and stored after the flow has ended. A flow cannot skip any of it.
package flow

import (
	"context"
	"iter"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Flow answers the turns of an assistant. It is immutable and shared by all
// requests.
type Flow interface {
	// Answer yields the events of one turn. The last one is an agent.Done with
	// the outcome of the whole turn, unless an error ends the sequence. The texts
	// that it yields, put together, are the reply. A caller that stops ranging
	// ends the turn: no goroutine may be left running then.
	Answer(ctx context.Context, t *Turn) iter.Seq2[agent.Event, error]
}

// Func is a Flow that needs nothing but its turn.
type Func func(ctx context.Context, t *Turn) iter.Seq2[agent.Event, error]

// Answer calls the function.
func (f Func) Answer(ctx context.Context, t *Turn) iter.Seq2[agent.Event, error] { return f(ctx, t) }

// Selective is a Flow that was made for certain agents. A Flow that is not asks
// its turn which agents there are.
type Selective interface {
	Flow
	// Among returns the flow for these agents alone, as visitors get it.
	Among(agents ...string) (Flow, error)
}

// Finally yields the events with a changed outcome: it lets a flow add to the
// outcome of a run.
func Finally(events iter.Seq2[agent.Event, error], change func(*agent.Outcome)) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		for e, err := range events {
			if done, ok := e.(agent.Done); ok {
				change(&done.Outcome)
				e = done
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Say yields a reply that no agent wrote, with its outcome.
func Say(text string, o agent.Outcome) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		o.Reply = text
		if o.Finish == "" {
			o.Finish = agent.Stop
		}
		if yield(agent.Text{Text: text}, nil) {
			yield(agent.Done{Outcome: o}, nil)
		}
	}
}

// OrElse yields the events of a run, or those of ours where the model fails before the run
// has said or begun anything.
func OrElse(run iter.Seq2[agent.Event, error],
	ours func(why *fault.Error) iter.Seq2[agent.Event, error]) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		began := false
		for e, err := range run {
			if f := fault.From(err); err != nil && !began && noModel(f) {
				ours(f)(yield)
				return
			}
			switch e.(type) {
			case agent.Text, agent.Started:
				began = true
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// noModel reports whether an error says that there is no model at the moment.
func noModel(f *fault.Error) bool {
	return f.Kind == fault.Unavailable || f.Kind == fault.Upstream || f.Kind == fault.Timeout ||
		f.Kind == fault.Limited
}
