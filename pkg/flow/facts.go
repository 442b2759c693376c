package flow

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// FactsIncomplete is the degraded code of an answer for which not all facts
// could be read.
const FactsIncomplete = "facts_incomplete"

// facts are read once in a turn, concurrently with the flow.
type facts struct {
	begin  sync.Once
	cancel context.CancelFunc
	over   chan struct{}
	value  any
	err    error
}

// BeginFacts starts reading the facts, so that they are ready when an agent
// needs them. A flow that may answer without an agent need not call it.
func (t *Turn) BeginFacts(ctx context.Context) {
	t.facts.begin.Do(func() {
		reading, cancel := context.WithCancel(ctx)
		if deadline, ok := ctx.Deadline(); ok {
			reading, cancel = context.WithDeadline(ctx, deadline.Add(-t.cfg.Reserve))
		}
		t.facts.cancel, t.facts.over = cancel, make(chan struct{})
		go func() {
			defer close(t.facts.over)
			t.facts.value, t.facts.err = t.readFacts(reading)
		}()
	})
}

// Facts returns the facts of the assistant; they are nil where it has none. The
// answer reports incomplete facts.
func (t *Turn) Facts(ctx context.Context) (any, error) {
	t.BeginFacts(ctx)
	select {
	case <-t.facts.over:
	case <-ctx.Done():
		return nil, fault.Wrap(fault.Timeout, ctx.Err(), "There was no time left to answer. Please send that again.").
			WithCode("no_time_left").WithRetryAfter(time.Second)
	}
	if t.facts.err == nil {
		return t.facts.value, nil
	}
	if t.facts.value == nil {
		return nil, t.facts.err
	}
	if t.cfg.Report != nil {
		t.cfg.Report(ctx, "facts", t.facts.err)
	}
	t.account.degrade(FactsIncomplete)
	return t.facts.value, nil
}

func (t *Turn) readFacts(ctx context.Context) (value any, err error) {
	if t.cfg.Runtime.Facts == nil {
		return nil, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("read facts: panic: %v\n%s", p, debug.Stack()),
				"Something went wrong on our side.")
		}
	}()
	return t.cfg.Runtime.Facts(ctx, t.By, t.cfg.Now())
}

// close ends the reading and waits for its end.
func (f *facts) close() {
	f.begin.Do(func() {}) // none begins any more
	if f.over != nil {
		f.cancel()
		<-f.over
	}
}
