package control

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// JobLimits is a limit.Budget and a limit.ProviderCounter for jobs: the named
// organisation pays, and no user is signed in.
type JobLimits struct{ admin *supabase.Admin }

var (
	_ limit.Budget          = JobLimits{}
	_ limit.ProviderCounter = JobLimits{}
)

// NewJobLimits returns the limits of all organisations.
func NewJobLimits(admin *supabase.Admin) JobLimits { return JobLimits{admin} }

// Reserve holds tokens for a call; see limit.Budget.
func (s JobLimits) Reserve(ctx context.Context, by identity.Caller, e limit.Estimate,
	settle ...limit.Settlement) (limit.Hold, error) {
	if err := s.Settle(ctx, by, settle...); err != nil {
		return "", err
	}
	args := reserve(e)
	args["p_user"] = by.UserID
	raw, err := s.admin.BudgetReserve(ctx, by.OrgID, args)
	if err != nil {
		return "", err
	}
	var answer reserved
	if err := json.Unmarshal(raw, &answer); err != nil {
		return "", fmt.Errorf("read what a budget said: %w", err)
	}
	return answer.hold()
}

// Prolong keeps a hold of a running call; see limit.Budget.
func (s JobLimits) Prolong(ctx context.Context, by identity.Caller, h limit.Hold) error {
	return s.admin.BudgetProlong(ctx, by.OrgID, supabase.Args{"p_user": by.UserID, "p_hold": h})
}

// Settle replaces a hold by the real figures; see limit.Budget.
func (s JobLimits) Settle(ctx context.Context, by identity.Caller, settle ...limit.Settlement) error {
	return settleEach(settle, func(args supabase.Args) error {
		args["p_user"] = by.UserID
		return s.admin.BudgetSettle(ctx, by.OrgID, args)
	})
}

// TakeProvider reserves a place for a call of a provider; see
// limit.ProviderCounter.
func (s JobLimits) TakeProvider(ctx context.Context, by identity.Caller, r limit.ProviderRate,
	within time.Duration) (time.Duration, bool, error) {
	raw, err := s.admin.ProviderTake(ctx, by.OrgID, places(r, within))
	if err != nil {
		return 0, false, err
	}
	var answer place
	if err := json.Unmarshal(raw, &answer); err != nil {
		return 0, false, fmt.Errorf("read what a rate said: %w", err)
	}
	return answer.wait(), answer.Taken, nil
}
