// Package limit bounds what people and organisations use: requests per minute,
// tokens and money. All instances share one count, which the database keeps by
// its own clock.
package limit

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Take is the answer to a request that asked for a place.
type Take struct {
	Wait time.Duration // 0 = go on
	Org  bool          // it is the organisation that made too many, not the person
}

// Counter counts requests.
type Counter interface {
	// Take counts one request of by at a door, unless there were too many.
	Take(ctx context.Context, by identity.Caller, door string, r identity.Rate) (Take, error)
}

// Gate lets requests through a door at a bounded rate. The zero Gate lets all
// through.
type Gate struct {
	Counter Counter
	Door    string // "chat", "tools"
	// Rate holds for organisations that have none of their own.
	Rate identity.Rate
}

// Admit counts a request, or refuses it with a fault.Limited error that says
// when to come back. Where nothing is limited nothing is asked.
func (g Gate) Admit(ctx context.Context, by identity.Caller) error {
	rate := g.Rate
	if own, ok := by.Plan.Rates[g.Door]; ok {
		rate = own
	}
	if g.Counter == nil || rate == (identity.Rate{}) {
		return nil
	}
	took, err := g.Counter.Take(ctx, by, g.Door, rate)
	switch {
	case err != nil:
		return err
	case took.Wait <= 0:
		return nil
	case took.Org:
		return fault.New(fault.Limited, "Your organisation asks more than it may at the moment. Please try again shortly.").
			WithCode("org_rate_limited").WithRetryAfter(took.Wait)
	}
	return fault.New(fault.Limited, "That was a lot at once. Please try again shortly.").WithCode("user_rate_limited").WithRetryAfter(took.Wait)
}
