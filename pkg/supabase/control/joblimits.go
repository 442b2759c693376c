package control

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// JobBudget is a limit.Budget for jobs: whoever is named pays, and nobody is
// signed in.
type JobBudget struct{ admin *supabase.Admin }

var _ limit.Budget = JobBudget{}

// NewJobBudget returns the budgets of all organisations.
func NewJobBudget(admin *supabase.Admin) JobBudget { return JobBudget{admin} }

// Reserve holds tokens for a call; see limit.Budget.
func (s JobBudget) Reserve(ctx context.Context, by identity.Caller, model string, in, out int) (limit.Hold, error) {
	raw, err := s.admin.BudgetReserve(ctx, by.OrgID, supabase.Args{"p_user": by.UserID, "p_model": model, "p_in": in, "p_out": out})
	if err != nil {
		return "", err
	}
	var answer reserved
	if err := json.Unmarshal(raw, &answer); err != nil {
		return "", fmt.Errorf("read what a budget said: %w", err)
	}
	return answer.hold()
}

// Settle replaces a hold by the real figures; see limit.Budget.
func (s JobBudget) Settle(ctx context.Context, by identity.Caller, h limit.Hold, model string, used llm.Usage) error {
	return s.admin.BudgetSettle(ctx, by.OrgID, supabase.Args{
		"p_user": by.UserID, "p_hold": h, "p_model": model, "p_in": used.In, "p_cached": used.Cached, "p_out": used.Out,
	})
}
