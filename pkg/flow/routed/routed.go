// Package routed is the flow of an assistant with a router in front of
// specialists: the request, an open question of an agent, the user's own words
// where they are clear, or the router's model selects the agent; then that agent runs.
package routed

import (
	"cmp"
	"context"
	"iter"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

// Router selects the agent that answers.
type Router interface {
	// Settled returns the route of a turn that needs no model: to the agent
	// that the request names, to the one whose question the user answers, or to
	// the one whose intents the user's words express.
	Settled(explicit string, c history.Conversation) (route router.Route, settled bool, err error)
	// SettledBy is Settled with intents that find returns, which is called where the
	// route is not settled otherwise.
	SettledBy(find func() router.Intents, explicit string, c history.Conversation) (route router.Route, settled bool,
		err error)
	// Route asks the model.
	Route(ctx context.Context, m llm.Model, facts any, c history.Conversation) (router.Route, error)
}

// Flow is a router in front of agents. It is a flow.Selective.
type Flow struct {
	// Router knows all agents of the assistant.
	Router Router
	// Among returns the router for these agents alone.
	Fewer func(agents ...string) (Router, error)
	// Facts, if not nil, returns the data of the router's persona. It makes no
	// requests: further facts for agents are read while the router's model is
	// called.
	Facts func(by identity.Caller, now time.Time) (any, error)
	// Intents, if not nil, returns what recognises the sentences of by's organisation,
	// nil for nothing, in the place of the router's own intents.
	Intents func(ctx context.Context, by identity.Caller) router.Intents
	// Sample, if not nil, says whether the router's model is asked about a turn that the
	// user's words have routed, beside its answer.
	Sample func() bool
}

// choice is the name under which the route is stored in a turn.
const choice = "route"

// Among returns the flow for these agents alone.
func (f *Flow) Among(agents ...string) (flow.Flow, error) {
	r, err := f.Fewer(agents...)
	if err != nil {
		return nil, err
	}
	fewer := *f
	fewer.Router = r
	return &fewer, nil
}

// Answer routes the turn and runs the agent.
func (f *Flow) Answer(ctx context.Context, t *flow.Turn) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routing{Agents: len(t.Agents()), Tools: t.Tools()}, nil) {
			return
		}
		route, err := f.route(ctx, t)
		if err != nil {
			yield(nil, err)
			return
		}
		routed := agent.Routed{
			Path: agent.PathModel, Agent: route.Agent, Label: route.Label, Reasoning: route.Reasoning,
			How: string(route.How),
		}
		if !yield(routed, nil) {
			return
		}
		answer := greeting(t, route)
		if route.Agent != "" {
			a, ok := t.Agent(route.Agent)
			if !ok {
				yield(nil, fault.New(fault.Internal, "The agent %s is not there.", route.Agent))
				return
			}
			if !handOver(t, a, yield) {
				return
			}
			answer = flow.Finally(t.Run(ctx, a), func(o *agent.Outcome) {
				o.Reasoning = route.Reasoning
				if route.How == router.Matched {
					o.Intent = &agent.Intent{ID: route.Agent, Name: route.Label, ModuleID: t.Profile().Name,
						Confidence: route.Confidence, Description: a.About}
				}
			})
		}
		if g := guess(t, route); g != nil {
			ended := false
			if f.samples(t, g) {
				c := f.check(ctx, t)
				g.Check = c.wait
				defer func() {
					if !ended { // else the caller of Check ends it
						c.stop()
					}
				}()
			}
			answer = flow.Finally(answer, func(o *agent.Outcome) { o.Guess, ended = g, true })
		}
		answer(yield)
	}
}

// guess returns what may be learnt of the route; nil where untrusted text stood in the
// conversation, which may have led the router's model.
func guess(t *flow.Turn, route router.Route) *agent.Guess {
	g := route.Guess
	if g == nil || t.Untrusted() {
		return nil
	}
	return &agent.Guess{How: string(route.How), Intent: g.Intent, Own: g.Own, Reason: string(g.Reason),
		Confidence: g.Confidence, Usual: g.Usual}
}

// settled returns the route of a turn that needs no model.
func (f *Flow) settled(ctx context.Context, t *flow.Turn) (router.Route, bool, error) {
	explicit := cmp.Or(t.Recall(choice), t.Choice.Agent)
	if f.Intents == nil {
		return f.Router.Settled(explicit, t.History)
	}
	return f.Router.SettledBy(func() router.Intents { return f.Intents(ctx, t.By) }, explicit, t.History)
}

// route selects the agent.
func (f *Flow) route(ctx context.Context, t *flow.Turn) (router.Route, error) {
	// A choice of an earlier attempt of this turn is kept.
	route, settled, err := f.settled(ctx, t)
	if err != nil {
		return route, err
	}
	if !settled {
		t.BeginFacts(ctx)
		var facts any
		if f.Facts != nil {
			if facts, err = f.Facts(t.By, t.Now()); err != nil {
				return route, err
			}
		}
		m, err := t.Model(ctx, llm.Cheap)
		if err != nil {
			return route, err
		}
		guess := route.Guess
		if route, err = f.Router.Route(ctx, m, facts, t.History); err != nil {
			return route, err
		}
		route.Guess = guess
	}
	last, _ := t.History.Last(llm.User)
	if route.Agent == "" && (len(last.Files) > 0 || !router.Courteous(route.Text)) {
		// The router has read no file and no data: except for a greeting or a
		// question back, an agent answers.
		route.Agent, route.Text = t.Agents()[0].Name, ""
		if _, there := t.Agent(t.Last()); there {
			route.Agent = t.Last()
		}
		route.Label, _ = t.Profile().Label(route.Agent)
	}
	if route.Agent != "" {
		if err := t.Remember(choice, route.Agent); err != nil {
			return route, err
		}
	}
	// The reasoning is text of a model and is filtered like a reply.
	route.Reasoning = t.Filter(route.Reasoning)
	return route, nil
}

// handOver says that another agent than the last one takes over, where it is
// known who that was, and which of the assistant's tools this one has.
func handOver(t *flow.Turn, a *agent.Agent, yield func(agent.Event, error) bool) bool {
	if from := t.Last(); from != "" && from != a.Name {
		label, _ := t.Profile().Label(from)
		if !yield(agent.Switched{From: from, FromLabel: label, To: a.Name, ToLabel: a.Label}, nil) {
			return false
		}
	}
	return yield(agent.Filtered{Categories: []string{a.Name}, Tools: a.Tools.Len(), Of: t.Tools()}, nil)
}

// greeting answers with the router's own words.
func greeting(t *flow.Turn, route router.Route) iter.Seq2[agent.Event, error] {
	text := t.Filter(route.Text)
	out := agent.Outcome{
		Understanding: agent.Understanding{Path: agent.PathModel, Category: agent.GeneralChat,
			Reasoning: route.Reasoning},
		Model: route.Model,
	}
	name := func() string { return agent.FirstName(len(t.History.Entries)) }
	p, offers := agent.Offered(text, t.Shows, name)
	if offers {
		out.Parts = append(out.Parts, p)
	}
	return func(yield func(agent.Event, error) bool) {
		if offers && !yield(agent.Shown{Part: p}, nil) {
			return
		}
		flow.Say(text, out)(yield)
	}
}
