package routed

import (
	"context"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

// samples reports whether the router's model is asked about a turn that the user's words
// have routed. A whole phrase is not checked: an administrator or the assistant's files
// say where it goes. A visitor's turn teaches nothing.
func (f *Flow) samples(t *flow.Turn, g *agent.Guess) bool {
	return f.Sample != nil && g.How == string(router.Matched) && g.Reason != string(intent.Exact) &&
		t.By.Visitor == "" && f.Sample()
}

// check is a call of the router's model beside the answer.
type check struct {
	cancel context.CancelFunc
	over   chan struct{} // closed when agent and err are set
	agent  string
	err    error
}

// check asks the router's model which agent it would choose. It ends with ctx, at the
// latest.
func (f *Flow) check(ctx context.Context, t *flow.Turn) *check {
	c := &check{over: make(chan struct{})}
	ctx, c.cancel = context.WithCancel(ctx)
	go func() {
		defer close(c.over)
		defer c.cancel()
		defer func() {
			if p := recover(); p != nil {
				c.err = fmt.Errorf("check a route: panic: %v", p)
			}
		}()
		c.agent, c.err = f.second(ctx, t)
	}()
	return c
}

// second returns the agent that the router's model chooses; "" for an answer of its own.
func (f *Flow) second(ctx context.Context, t *flow.Turn) (string, error) {
	var facts any
	if f.Facts != nil {
		var err error
		if facts, err = f.Facts(t.By, t.Now()); err != nil {
			return "", err
		}
	}
	m, err := t.Beside(ctx, llm.Cheap)
	if err != nil {
		return "", err
	}
	route, err := f.Router.Route(ctx, m, facts, t.History)
	return route.Agent, err
}

// wait implements agent.Guess.Check.
func (c *check) wait(ctx context.Context) (string, error) {
	select {
	case <-c.over:
	case <-ctx.Done():
		c.stop()
	}
	return c.agent, c.err
}

// stop ends the call and waits until it is over.
func (c *check) stop() {
	c.cancel()
	<-c.over
}
