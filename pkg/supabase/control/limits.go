package control

import (
	"context"
	"errors"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Limits is a limit.Counter, a limit.ProviderCounter and a limit.Budget.
type Limits struct{ client *supabase.Client }

var (
	_ limit.ProviderCounter = Limits{}
	_ limit.Counter         = Limits{}
	_ limit.Budget          = Limits{}
)

// NewLimits returns the store in the project of client.
func NewLimits(client *supabase.Client) Limits { return Limits{client} }

// Take counts a request; see limit.Counter.
func (s Limits) Take(ctx context.Context, by identity.Caller, door string, r identity.Rate) (limit.Take, error) {
	answer, err := supabase.Call[RateAnswer](ctx, s.client.As(by).Control(), "rate_take", supabase.Args{"p_door": door,
		"p_per_user": r.User, "p_per_org": r.Org})
	return answer.Take(), err
}

// RateAnswer is what the database's functions say to a request that is counted.
type RateAnswer struct {
	Who    string `json:"who"`
	WaitMs int    `json:"waitMs"`
}

// Take returns the answer in the words of the product.
func (a RateAnswer) Take() limit.Take {
	return limit.Take{Wait: time.Duration(a.WaitMs) * time.Millisecond, Org: a.Who == "org"}
}

// TakeProvider reserves a place for a call of a service; see limit.ProviderCounter.
func (s Limits) TakeProvider(ctx context.Context, by identity.Caller, r limit.ProviderRate,
	within time.Duration) (time.Duration, bool, error) {
	answer, err := supabase.Call[place](ctx, s.client.As(by).BookKeeping(), "provider_take", places(r, within))
	return answer.wait(), answer.Taken, err
}

// place is what the database says to a request for a place.
type place struct {
	Taken  bool  `json:"taken"`
	WaitMs int64 `json:"waitMs"`
}

func (p place) wait() time.Duration { return time.Duration(p.WaitMs) * time.Millisecond }

// places returns the arguments of a request for a place, without those of a job.
func places(r limit.ProviderRate, within time.Duration) supabase.Args {
	return supabase.Args{"p_provider": r.Provider, "p_capacity": r.Capacity, "p_per_second": r.PerSecond,
		"p_within_ms": within.Milliseconds()}
}

// Reserve holds tokens for a call; see limit.Budget.
func (s Limits) Reserve(ctx context.Context, by identity.Caller, e limit.Estimate,
	settle ...limit.Settlement) (limit.Hold, error) {
	args := reserve(e)
	if len(settle) > 0 {
		args["p_settle"] = SettlementsOf(settle)
	}
	answer, err := supabase.Call[reserved](ctx, s.client.As(by).Control(), "budget_reserve", args)
	if err != nil {
		return "", err
	}
	return answer.hold()
}

// reserved is what the database says to a reservation.
type reserved struct {
	Hold      limit.Hold `json:"hold"`
	Exhausted string     `json:"exhausted"` // the period
	WaitMs    int64      `json:"waitMs"`
}

func (r reserved) hold() (limit.Hold, error) {
	if r.Exhausted == "" {
		return r.Hold, nil
	}
	return "", fault.New(fault.Limited, "Your organisation's budget for this %s is used up.", r.Exhausted).
		WithCode(llm.Exhausted).WithRetryAfter(time.Duration(r.WaitMs) * time.Millisecond)
}

// Prolong keeps a hold of a running call; see limit.Budget.
func (s Limits) Prolong(ctx context.Context, by identity.Caller, h limit.Hold) error {
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "budget_prolong", supabase.Args{"p_hold": h})
	return err
}

// Settle replaces a hold by the real figures; see limit.Budget.
func (s Limits) Settle(ctx context.Context, by identity.Caller, settle ...limit.Settlement) error {
	return settleEach(settle, func(args supabase.Args) error {
		_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "budget_settle", args)
		return err
	})
}

// settleEach settles one call after another.
func settleEach(all []limit.Settlement, settle func(supabase.Args) error) error {
	var failed error
	for _, s := range SettlementsOf(all) {
		args := supabase.Args{"p_hold": s.Hold, "p_model": s.Model, "p_in": s.In, "p_cached": s.Cached, "p_out": s.Out}
		if s.Cost != nil {
			args["p_cost"] = *s.Cost
		}
		failed = errors.Join(failed, settle(args))
	}
	return failed
}

// reserve returns the arguments of a reservation, without those of a job.
func reserve(e limit.Estimate) supabase.Args {
	args := supabase.Args{"p_model": e.Model, "p_in": e.In, "p_out": e.Out}
	if e.Own {
		args["p_cost"] = e.Cost
	}
	return args
}

// Settlement is a limit.Settlement as the database's functions take it.
type Settlement struct {
	Hold   limit.Hold `json:"hold"`
	Model  string     `json:"model"`
	In     int        `json:"in"`
	Cached int        `json:"cached"`
	Out    int        `json:"out"`
	Cost   *int64     `json:"cost,omitempty"` // nil leaves it to the price list
}

// SettlementsOf returns model calls as the database's functions take them; nil
// for none.
func SettlementsOf(all []limit.Settlement) []Settlement {
	if len(all) == 0 {
		return nil
	}
	out := make([]Settlement, len(all))
	for i, s := range all {
		out[i] = Settlement{Hold: s.Hold, Model: s.Model, In: s.Used.In, Cached: s.Used.Cached, Out: s.Used.Out}
		if cost, known := s.Used.Known(); known {
			out[i].Cost = &cost
		}
	}
	return out
}
