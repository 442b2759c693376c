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
	model := cmp.Or(r.Model, b.Model)
	hold, err := b.Budget.Reserve(ctx, b.by, model, in, cmp.Or(r.MaxTokens, unstated))
	if err != nil {
		return llm.Answer{}, err
	}
	answer, err := b.inner.Answer(ctx, r, show)
	if hold == "" || err != nil && mayHaveSpent(err) {
		return answer, err
	}
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if lost := b.Budget.Settle(settling, b.by, hold, answer.Model, answer.Usage); lost != nil && b.Report != nil {
		b.Report(ctx, lost)
	}
	return answer, err
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
