// Package learning learns from turns of chat which sentences the intent matcher
// knows, and which need a model.
package learning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

// within bounds the keeping of what a turn showed, and the waiting for a check of its
// route, which was asked for when the answer began and is mostly over before it.
const within = time.Second

// Listener hears of turns. It is of no turn's business whether it can keep what it
// learns.
type Listener struct {
	store  intents.Store
	report func(ctx context.Context, err error)
}

// New returns a listener. report is told of what could not be kept.
func New(store intents.Store, report func(ctx context.Context, err error)) *Listener {
	return &Listener{store, report}
}

// Ended hears of a turn of by's that came to its end. What it showed is kept beside
// whatever the caller does next; wait returns when that is over. Most turns show
// nothing: their agent was named, or their sentence leans on what was said before.
func (l *Listener) Ended(ctx context.Context, by identity.Caller, e chat.Ended) (wait func()) {
	o, ok := observed(e)
	if !ok || by.Visitor != "" {
		return func() {}
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			if p := recover(); p != nil {
				l.report(ctx, fmt.Errorf("learn from a turn: panic: %v", p))
			}
		}()
		lasting := context.WithoutCancel(ctx)
		if check := e.Outcome.Guess.Check; check != nil {
			l.check(lasting, check, &o)
		}
		ctx, cancel := context.WithTimeout(lasting, within)
		defer cancel()
		if err := l.store.Learn(ctx, by, o); err != nil {
			l.report(ctx, fmt.Errorf("learn from a turn: %w", err))
		}
	}()
	return func() { <-over }
}

// check adds what the router's model chose, where it was asked and has answered by now.
func (l *Listener) check(ctx context.Context, wait func(context.Context) (string, error), o *intents.Observation) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	agent, err := wait(ctx)
	switch {
	case err == nil:
		o.Checked, o.Choice = true, agent
	case ctx.Err() == nil && fault.From(err).Code != llm.Exhausted:
		l.report(ctx, fmt.Errorf("check a route: %w", err))
	}
}

// observed returns what a turn shows. It reports false for one that teaches nothing.
func observed(e chat.Ended) (intents.Observation, bool) {
	var how intents.How
	g := e.Outcome.Guess
	if g == nil {
		return intents.Observation{}, false
	}
	switch router.How(g.How) {
	case router.Matched:
		how = intents.Matched
	case router.Model:
		how = intents.Model
	case router.Greeting:
		how = intents.Greeting
	default:
		return intents.Observation{}, false
	}
	last, ok := e.History.Last(llm.User)
	if !ok {
		return intents.Observation{}, false
	}
	said := last.Text
	o := intents.Observation{
		Assistant: e.Assistant, Thread: e.Thread, Text: said,
		Question: feedback.Answer{Question: said}.Bounded().Question,
		How:      how, Agent: e.Outcome.Agent, Intent: cmp.Or(g.Own, g.Intent), Confidence: g.Confidence,
		Basis:   intents.BasisOf(intent.Reason(g.Reason), g.Confidence, g.Usual),
		Success: worked(e.Outcome), Retried: e.Retried,
		Strategy: cmp.Or(g.Reason, g.How), Took: e.Took,
	}
	for _, u := range e.Outcome.Used {
		o.Tools = append(o.Tools, u.Tool)
	}
	return o, true
}

// worked reports whether a turn came to a regular end, and not all of its tools failed.
func worked(o agent.Outcome) bool {
	if o.Finish != agent.Stop && o.Finish != agent.Confirm {
		return false
	}
	failed := func(u agent.Use) bool { return !u.OK && !u.Asked }
	return len(o.Used) == 0 || slices.ContainsFunc(o.Used, func(u agent.Use) bool { return !failed(u) })
}
