package control

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Limits is a limit.Counter and a limit.Budget.
type Limits struct{ client *supabase.Client }

var (
	_ limit.Counter = Limits{}
	_ limit.Budget  = Limits{}
)

// NewLimits returns the store in the project of client.
func NewLimits(client *supabase.Client) Limits { return Limits{client} }

// Take counts a request; see limit.Counter.
func (s Limits) Take(ctx context.Context, by identity.Caller, door string, r identity.Rate) (limit.Take, error) {
	answer, err := supabase.Call[struct {
		Who    string `json:"who"`
		WaitMs int    `json:"waitMs"`
	}](ctx, s.client.As(by).Control(), "rate_take", supabase.Args{"p_door": door, "p_per_user": r.User, "p_per_org": r.Org})
	return limit.Take{Wait: time.Duration(answer.WaitMs) * time.Millisecond, Org: answer.Who == "org"}, err
}

// Reserve holds tokens for a call; see limit.Budget.
func (s Limits) Reserve(ctx context.Context, by identity.Caller, model string, in, out int) (limit.Hold, error) {
	answer, err := supabase.Call[reserved](ctx, s.client.As(by).Control(), "budget_reserve", supabase.Args{"p_model": model, "p_in": in, "p_out": out})
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

// Settle replaces a hold by the real figures; see limit.Budget.
func (s Limits) Settle(ctx context.Context, by identity.Caller, h limit.Hold, model string, used llm.Usage) error {
	_, err := supabase.Call[any](ctx, s.client.As(by).Control(), "budget_settle", supabase.Args{
		"p_hold": h, "p_model": model, "p_in": used.In, "p_cached": used.Cached, "p_out": used.Out,
	})
	return err
}
