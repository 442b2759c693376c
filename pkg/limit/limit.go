// Package limit limits what users and organisations use: requests per minute,
// tokens and money. All instances share one count, which the database keeps by
// its own clock.
package limit

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Take is the result of counting a request.
type Take struct {
	Wait time.Duration // 0 = go on
	Org  bool          // it is the organisation that made too many, not the person
}

// Counter counts requests.
type Counter interface {
	// Take counts one request of by at an endpoint group, unless there were too
	// many.
	Take(ctx context.Context, by identity.Caller, door string, r identity.Rate) (Take, error)
}

// Gate limits the rate of requests to a group of endpoints. The zero Gate
// admits all.
type Gate struct {
	Counter Counter
	Door    string // "chat", "tools"
	// Rate applies to organisations that have none of their own.
	Rate identity.Rate
}

// Admit counts a request, or refuses it with a fault.Limited error that says
// when to come back. Without a limit it makes no request to the store.
func (g Gate) Admit(ctx context.Context, by identity.Caller) error {
	rate := g.Rate
	if own, ok := by.Plan.Rates[g.Door]; ok {
		rate = own
	}
	if g.Counter == nil || rate == (identity.Rate{}) {
		return nil
	}
	took, err := g.Counter.Take(ctx, by, g.Door, rate)
	if err != nil {
		return err
	}
	return took.Refusal()
}

// Refusal returns nil for a request that may go on, else the error of a Gate.
func (took Take) Refusal() error {
	switch {
	case took.Wait <= 0:
		return nil
	case took.Org:
		return fault.New(fault.Limited, "Your organisation asks more than it may at the moment. Please try again "+
			"shortly.").
			WithCode("org_rate_limited").WithRetryAfter(took.Wait)
	}
	return fault.New(fault.Limited, "That was a lot at once. Please try again shortly.").WithCode("user_rate_limited").
		WithRetryAfter(took.Wait)
}
