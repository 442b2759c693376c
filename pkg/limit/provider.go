package limit

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// ProviderRate is how often an organisation may call an external service: a
// burst of calls, and a steady rate per second.
type ProviderRate struct {
	// Provider names the service: 1 to 60 of a-z, 0-9, ".", "_" and "-".
	Provider  string
	Capacity  int     // 1 to 100,000
	PerSecond float64 // 0.001 to 100,000
}

// ProviderCounter counts calls of external services. All processes share one
// count per organisation and service.
type ProviderCounter interface {
	// TakeProvider reserves the next place that is free within the time, and
	// returns how long it is until then. If there is none within the time, it
	// reserves nothing, and returns false and the required wait.
	TakeProvider(ctx context.Context, by identity.Caller, r ProviderRate, within time.Duration) (wait time.Duration,
		ok bool, err error)
}

// longestWait limits a wait in a context without a deadline.
const longestWait = 10 * time.Second

// ProviderGate limits calls of a service to its rate. The zero ProviderGate
// admits all.
type ProviderGate struct {
	Counter ProviderCounter
	Rate    ProviderRate
}

// Wait returns when the caller's organisation may call the service. It returns a
// fault.Limited error with the code "provider_rate_limited" at once where that is
// not before the context's deadline, or not within ten seconds, and the context's
// error when that ends first; the place is lost then.
func (g ProviderGate) Wait(ctx context.Context, by identity.Caller) error {
	if g.Counter == nil {
		return nil
	}
	within := longestWait
	if end, ok := ctx.Deadline(); ok {
		within = max(0, min(within, time.Until(end)))
	}
	wait, ok, err := g.Counter.TakeProvider(ctx, by, g.Rate, within)
	switch {
	case err != nil:
		return err
	case !ok:
		return fault.New(fault.Limited, "Your organisation asks this service more than it may at the moment. Please "+
			"try again shortly.").
			WithCode("provider_rate_limited").WithRetryAfter(wait)
	case wait <= 0:
		return nil
	}
	place := time.NewTimer(wait)
	defer place.Stop()
	select {
	case <-place.C:
		return nil
	case <-ctx.Done():
		return fault.From(ctx.Err())
	}
}
