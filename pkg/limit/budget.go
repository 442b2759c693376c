package limit

import (
	"cmp"
	"context"
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
	// Reserve reserves the estimate of a model call, after it settled other calls
	// as Settle does. Without enough budget it returns a fault.Limited error with
	// the code llm.Exhausted, which says when the period ends; then the other calls
	// are settled all the same. After any other error they may not be.
	Reserve(ctx context.Context, by identity.Caller, e Estimate, settle ...Settlement) (Hold, error)
	// Prolong extends the hold of a running call. A hold that is not extended
	// is released within 30 seconds: its process has died.
	Prolong(ctx context.Context, by identity.Caller, h Hold) error
	// Settle replaces the holds by the actual usage. A hold that is settled
	// already is left as it is.
	Settle(ctx context.Context, by identity.Caller, settle ...Settlement) error
}

// Settlement is a model call that ended.
type Settlement struct {
	Hold  Hold
	Model string    // as the provider names it; "" if it gave no name
	Used  llm.Usage // all of its tokens or none are Used.Own
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
	// Model is the name of the default model. First is that of most turns' first
	// call, "" for the same.
	Model, First string
	// Report, if not nil, is called when calls could not be settled: their
	// estimates stay charged until the holds expire.
	Report func(ctx context.Context, err error)
	// Beat is how often the hold of a running call is prolonged; 0 is 8 seconds.
	Beat time.Duration
}

// unstated is the assumed length of an answer without a limit.
const unstated = 4096

// For returns m for an organisation without a budget, else a model whose every
// call is reserved first and settled after.
func (p Meter) For(by identity.Caller, m llm.Model) llm.Model {
	if p.Budget == nil || !by.Plan.Budgeted {
		return m
	}
	return metered{meter: p, inner: m, spend: func(ctx context.Context, most Estimate, call Call) error {
		return p.Spend(ctx, by, most, call)
	}}
}

// Call makes one call of a model and returns the model's name, "" if it gave
// none, and what was used.
type Call func() (model string, used llm.Usage, err error)

// metered is a model whose calls spend.
type metered struct {
	meter Meter
	inner llm.Model
	spend func(ctx context.Context, most Estimate, call Call) error
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
	most := Estimate{Model: cmp.Or(r.Model, b.meter.Model), In: in, Out: cmp.Or(r.MaxTokens, unstated)}
	if own, ok := b.inner.(llm.Namer); ok {
		most.Model = cmp.Or(own.Name(), most.Model)
	}
	if own, ok := b.inner.(llm.Pricer); ok {
		most.Cost, most.Own = own.Cost(llm.Tokens{In: most.In, Out: most.Out})
	}
	err := b.spend(ctx, most, func() (string, llm.Usage, error) {
		var err error
		answer, err = b.inner.Answer(ctx, r, show)
		return answer.Model, answer.Usage, err
	})
	return answer, err
}

// Spend makes one call of a model for by: its estimate is reserved first, and
// replaced by the usage that call returns. Without a budget it only makes the
// call.
func (p Meter) Spend(ctx context.Context, by identity.Caller, most Estimate, call Call) error {
	t := p.Turn(by, "", Estimate{})
	defer t.Close(ctx)
	return t.spend(ctx, most, call)
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
