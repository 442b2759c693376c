package limit

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// settleTime limits the settling, which happens even after the turn's deadline.
const settleTime = 2 * time.Second

// mostSettled is how many calls are settled at once.
const mostSettled = 100

// beforePrompt is the assumed length, in tokens, of what the first prompt of a
// turn has besides the messages: instructions and tools.
const beforePrompt = 8000

// Opening returns the estimate of a turn's first model call before its prompt is
// known, with which the opening of the turn reserves it: said are the tokens of the
// messages, most is the limit of the answer or 0. It reports false where nothing is
// to be reserved.
func (p Meter) Opening(said, most int) (Estimate, bool) {
	return Estimate{Model: cmp.Or(p.First, p.Model), In: beforePrompt + said, Out: cmp.Or(most, unstated)},
		p.Budget != nil
}

// TurnMeter charges the model calls of one turn: the reservation of a call settles
// those that ended before it, in one request. A call's hold is prolonged until it
// is settled, so that its estimate stays charged while tools run. It is safe for
// concurrent use and must be closed.
type TurnMeter struct {
	meter Meter
	by    identity.Caller

	mu     sync.Mutex
	hold   Hold // of the opening, until a call takes it; its estimate is of
	of     Estimate
	held   []Hold // of calls on their way
	due    []Settlement
	beat   *time.Timer // nil until there is a hold
	stop   context.CancelFunc
	beats  sync.WaitGroup
	closed bool
}

// Turn returns the meter of a turn of by. hold is what its opening reserved, with
// the estimate of; the first call that fits takes it. "" is none.
func (p Meter) Turn(by identity.Caller, hold Hold, of Estimate) *TurnMeter {
	t := &TurnMeter{meter: p, by: by, hold: hold, of: of}
	if hold != "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.prolong()
	}
	return t
}

// For returns m for an organisation without a budget, else m within the turn's
// budget.
func (t *TurnMeter) For(m llm.Model) llm.Model {
	if !t.limited() {
		return m
	}
	return metered{meter: t.meter, inner: m, spend: t.spend}
}

func (t *TurnMeter) limited() bool { return t.meter.Budget != nil && t.by.Plan.Budgeted }

func (t *TurnMeter) spend(ctx context.Context, most Estimate, call Call) error {
	if !t.limited() {
		_, _, err := call()
		return err
	}
	hold, err := t.reserve(ctx, most)
	if err != nil {
		return err
	}
	if hold == "" {
		_, _, err := call()
		return err
	}
	model, used, err := call()
	if err != nil && mayHaveSpent(err) {
		used = most.usage()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = slices.DeleteFunc(t.held, func(h Hold) bool { return h == hold })
	t.due = append(t.due, Settlement{hold, model, used})
	return err
}

// reserve returns the hold of a call, "" if the organisation has no budget.
func (t *TurnMeter) reserve(ctx context.Context, most Estimate) (Hold, error) {
	t.mu.Lock()
	if t.hold != "" && !most.Own && most.Model == t.of.Model && most.In <= t.of.In && most.Out <= t.of.Out {
		hold := t.hold
		t.hold, t.held = "", append(t.held, hold)
		t.mu.Unlock()
		return hold, nil
	}
	t.dropOpening()
	settle := t.due[:min(len(t.due), mostSettled)]
	t.due = t.due[len(settle):]
	t.mu.Unlock()
	hold, err := t.meter.Budget.Reserve(ctx, t.by, most, settle...)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil && fault.From(err).Code != llm.Exhausted {
		t.due = slices.Concat(settle, t.due)
	}
	if err == nil && hold != "" {
		t.held = append(t.held, hold)
		t.prolong()
	}
	return hold, err
}

// dropOpening settles the hold of the opening as one that no call used.
func (t *TurnMeter) dropOpening() {
	if t.hold != "" {
		t.due = append(t.due, Settlement{Hold: t.hold})
		t.hold = ""
	}
}

// prolong begins to extend the holds, until the meter is closed.
func (t *TurnMeter) prolong() {
	if t.beat != nil || t.closed {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	t.stop = stop
	every := cmp.Or(t.meter.Beat, 8*time.Second)
	t.beat = time.AfterFunc(every, func() {
		t.mu.Lock()
		if t.closed {
			t.mu.Unlock()
			return
		}
		t.beats.Add(1)
		defer t.beats.Done()
		holds := slices.Clone(t.held)
		for _, s := range t.due {
			holds = append(holds, s.Hold)
		}
		if t.hold != "" {
			holds = append(holds, t.hold)
		}
		t.mu.Unlock()
		for _, h := range holds {
			// A failure is compensated by the next extension.
			trying, done := context.WithTimeout(ctx, settleTime)
			_ = t.meter.Budget.Prolong(trying, t.by, h)
			done()
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.closed {
			t.beat.Reset(every)
		}
	})
}

// Due returns what the closing of the turn has to settle, once all calls ended.
func (t *TurnMeter) Due() []Settlement {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dropOpening()
	return slices.Clone(t.due[:min(len(t.due), mostSettled)])
}

// Settled says that the closing settled what Due returned.
func (t *TurnMeter) Settled(settled []Settlement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due = slices.DeleteFunc(t.due, func(s Settlement) bool {
		return slices.ContainsFunc(settled, func(of Settlement) bool { return s.Hold == of.Hold })
	})
}

// Close settles what is left, in a short time of its own, and ends the prolonging
// of the holds. What cannot be settled is reported, and its estimate stays charged
// until its hold expires.
func (t *TurnMeter) Close(ctx context.Context) {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	if t.beat != nil {
		t.beat.Stop()
		t.stop()
		t.beats.Wait()
	}
	for due := t.Due(); len(due) > 0; due = t.Due() {
		settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		err := t.meter.Budget.Settle(settling, t.by, due...)
		cancel()
		if err != nil && t.meter.Report != nil {
			t.meter.Report(ctx, err)
		}
		t.Settled(due)
	}
}
