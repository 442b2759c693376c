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
	// Reserve holds tokens for a call of a model. Where there is no room it
	// returns a fault.Limited error with the code llm.Exhausted, which says when
	// the period ends.
	Reserve(ctx context.Context, by identity.Caller, model string, in, out int) (Hold, error)
	// Settle puts what was really used in the place of the hold. model is the
	// name that the provider gave, "" if it gave none.
	Settle(ctx context.Context, by identity.Caller, h Hold, model string, used llm.Usage) error
}

// Purse decides with what models an organisation's calls are made. The zero
// Purse bounds nothing.
type Purse struct {
	Budget Budget
	// Model is the name of the model that answers where a request names none.
	Model string
	// Report, if not nil, is told of a hold that could not be settled: its
	// estimate stays spent.
	Report func(ctx context.Context, err error)
}

// unstated is taken for the length of an answer that nobody bounded.
const unstated = 4096

// settleTime bounds the settling, which happens even when the turn's time is
// over.
const settleTime = 2 * time.Second

// For returns m for an organisation without a budget, else a model whose every
// call is reserved first and settled after.
func (p Purse) For(by identity.Caller, m llm.Model) llm.Model {
	if p.Budget == nil || !by.Plan.Budgeted {
		return m
	}
	return bounded{Purse: p, by: by, inner: m}
}

type bounded struct {
	Purse
	by    identity.Caller
	inner llm.Model
}

// Answer fulfils llm.Model.
func (b bounded) Answer(ctx context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	in := history.Size(r.Messages)
	for _, t := range r.Tools.Tools() {
		in += history.Tokens(t.Description) + history.Tokens(string(t.Parameters))
	}
	if r.Schema != nil {
		in += history.Tokens(string(r.Schema.JSON))
	}
	var answer llm.Answer
	err := b.Spend(ctx, b.by, cmp.Or(r.Model, b.Model), in, cmp.Or(r.MaxTokens, unstated), func() (string, llm.Usage, error) {
		var err error
		answer, err = b.inner.Answer(ctx, r, show)
		return answer.Model, answer.Usage, err
	})
	return answer, err
}

// Spend makes one call of a model for by: its estimate in tokens is reserved
// first, and what call says was used takes its place after. Without a budget
// it only makes the call.
func (p Purse) Spend(ctx context.Context, by identity.Caller, model string, in, out int, call func() (model string, used llm.Usage, err error)) error {
	if p.Budget == nil || !by.Plan.Budgeted {
		_, _, err := call()
		return err
	}
	hold, err := p.Budget.Reserve(ctx, by, model, in, out)
	if err != nil {
		return err
	}
	model, used, err := call()
	if hold == "" || err != nil && mayHaveSpent(err) {
		return err
	}
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if lost := p.Budget.Settle(settling, by, hold, model, used); lost != nil && p.Report != nil {
		p.Report(ctx, lost)
	}
	return err
}

// mayHaveSpent reports whether the provider may have worked for a call that
// failed. Then nobody knows the real figures and the estimate stays spent.
func mayHaveSpent(err error) bool {
	switch f := fault.From(err); f.Kind {
	case fault.Limited, fault.Unprocessable, fault.Invalid, fault.Unauthorized, fault.Forbidden, fault.NotFound:
		return false
	default:
		return f.Code != "model_unavailable"
	}
}
