package agent

import (
	"context"
	"math"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/history"
)

// over is the step of a run that has ended.
const over = math.MaxInt

// order serializes the writes of several runs in the order of their events: by
// step, then as the runs are given. The first one never waits, so there is no
// deadlock.
type order struct {
	mu    sync.Mutex
	steps []int // on which each run is
	asked bool  // a run has asked the person
	moved chan struct{}
}

func newOrder(runs int) *order { return &order{steps: make([]int, runs), moved: make(chan struct{})} }

// reached says that a run begins a step.
func (o *order) reached(run, step int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.steps[run] = step
	close(o.moved)
	o.moved = make(chan struct{})
}

// ask says that a run asks the person.
func (o *order) ask() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = true
}

// wait returns when a run may act in a step: when all that comes before it is
// over. It reports whether the person was asked there, so that no act may follow.
func (o *order) wait(ctx context.Context, run, step int) (asked bool, err error) {
	for {
		o.mu.Lock()
		first := true
		for other, at := range o.steps {
			if other != run && (at < step || at == step && other < run) {
				first = false
			}
		}
		asked, moved := o.asked, o.moved
		o.mu.Unlock()
		if first {
			return asked, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// steps returns the steps of all runs in the order of their events.
func (g *merge) steps() []history.Step {
	var out []history.Step
	for n, more := 0, true; more; n++ {
		more = false
		for _, m := range g.members {
			if n < len(m.outcome.Steps) {
				out, more = append(out, m.outcome.Steps[n]), true
			}
		}
	}
	return out
}
