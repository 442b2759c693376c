package limit

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Hold is a model call's estimate while it counts as spent; "" where the
// organisation has no budget.
type Hold string

// Budget keeps what organisations may spend.
type Budget interface {
	// Reserve reserves the estimate of a model call. Without enough budget it
	// returns a fault.Limited error with the code llm.Exhausted, which says
	// when the period ends.
	Reserve(ctx context.Context, by identity.Caller, e Estimate) (Hold, error)
	// Prolong extends the hold of a running call. A hold that is not extended
	// is released within 30 seconds: its process has died.
	Prolong(ctx context.Context, by identity.Caller, h Hold) error
	// Settle replaces the hold by the actual usage, of which all tokens or none
	// are used.Own. model is the name that the provider gave, "" if it gave none.
	Settle(ctx context.Context, by identity.Caller, h Hold, model string, used llm.Usage) error
}

// Estimate is the most that a model call may use.
type Estimate struct {
	Model   string
	In, Out int // tokens
	// Own is set for a model with a price of its own. Cost is the estimate's
	// then, in millionths of a US dollar; otherwise the price list holds.
	Own  bool
	Cost int64
}

// usage returns the estimate as if it had been used.
func (e Estimate) usage() llm.Usage {
	u := llm.Usage{In: e.In, Out: e.Out}
	if e.Own {
		u.Own, u.Cost = llm.Tokens{In: e.In, Out: e.Out}, e.Cost
	}
	return u
}

// Meter charges an organisation's model calls to its budget. The zero Meter has
// no limits.
type Meter struct {
	Budget Budget
	// Model is the name of the default model.
	Model string
	// Report, if not nil, is called for a hold that could not be settled: its
	// estimate stays charged.
	Report func(ctx context.Context, err error)
	// Beat is how often the hold of a running call is prolonged; 0 is 8 seconds.
	Beat time.Duration
}

// unstated is the assumed length of an answer without a limit.
const unstated = 4096

// settleTime limits the settling, which happens even after the turn's deadline.
const settleTime = 2 * time.Second

// For returns m for an organisation without a budget, else a model whose every
// call is reserved first and settled after.
func (p Meter) For(by identity.Caller, m llm.Model) llm.Model {
	if p.Budget == nil || !by.Plan.Budgeted {
		return m
	}
	return metered{Meter: p, by: by, inner: m}
}

type metered struct {
	Meter
	by    identity.Caller
	inner llm.Model
}

// Answer implements llm.Model.
func (b metered) Answer(ctx context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	in := history.Size(r.Messages)
	for _, t := range r.Tools.Tools() {
		in += history.Tokens(t.Description) + history.Tokens(string(t.Parameters))
	}
	if r.Schema != nil {
		in += history.Tokens(string(r.Schema.JSON))
	}
	var answer llm.Answer
	most := Estimate{Model: cmp.Or(r.Model, b.Model), In: in, Out: cmp.Or(r.MaxTokens, unstated)}
	if own, ok := b.inner.(llm.Namer); ok {
		most.Model = cmp.Or(own.Name(), most.Model)
	}
	if own, ok := b.inner.(llm.Pricer); ok {
		most.Cost, most.Own = own.Cost(llm.Tokens{In: most.In, Out: most.Out})
	}
	err := b.Spend(ctx, b.by, most, func() (string, llm.Usage, error) {
		var err error
		answer, err = b.inner.Answer(ctx, r, show)
		return answer.Model, answer.Usage, err
	})
	return answer, err
}

// Spend makes one call of a model for by: its estimate is reserved first, and
// replaced by the usage that call returns. Without a budget it only makes the
// call.
func (p Meter) Spend(ctx context.Context, by identity.Caller, most Estimate,
	call func() (model string, used llm.Usage, err error)) error {
	if p.Budget == nil || !by.Plan.Budgeted {
		_, _, err := call()
		return err
	}
	hold, err := p.Budget.Reserve(ctx, by, most)
	if err != nil {
		return err
	}
	if hold == "" {
		_, _, err := call()
		return err
	}
	called := p.prolong(ctx, by, hold)
	model, used, err := call()
	called()
	if err != nil && mayHaveSpent(err) {
		used = most.usage()
	}
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if lost := p.Budget.Settle(settling, by, hold, model, used); lost != nil && p.Report != nil {
		p.Report(ctx, lost)
	}
	return err
}

// prolong extends a hold until the function that it returns is called.
func (p Meter) prolong(ctx context.Context, by identity.Caller, hold Hold) (called func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var beats sync.WaitGroup
	beats.Go(func() {
		beat := time.NewTicker(cmp.Or(p.Beat, 8*time.Second))
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
			}
			// A failure is compensated by the next extension.
			trying, done := context.WithTimeout(ctx, settleTime)
			_ = p.Budget.Prolong(trying, by, hold)
			done()
		}
	})
	return func() {
		cancel()
		beats.Wait()
	}
}

// mayHaveSpent reports whether the provider may have charged a call that
// failed. Then the actual usage is unknown and the estimate stays charged.
func mayHaveSpent(err error) bool {
	switch f := fault.From(err); f.Kind {
	case fault.Limited, fault.Unprocessable, fault.Invalid, fault.Unauthorized, fault.Forbidden, fault.NotFound:
		return false
	default:
		return f.Code != "model_unavailable"
	}
}
