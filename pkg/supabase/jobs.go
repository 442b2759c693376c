package supabase

import (
	"context"
	"encoding/json"
)

// What follows is for jobs. Each method calls one definer function that takes
// the organisation, but for those that are asked of which one.

// WebhookSeen calls webhook_seen: it notes the id of a webhook.
func (a *Admin) WebhookSeen(ctx context.Context, source, id string) (bool, error) {
	return Call[bool](ctx, a.conn(), "webhook_seen", Args{"p_source": source, "p_id": id})
}

// SummaryDue calls job_summary_due, which says of which organisations there is
// something to do.
func (a *Admin) SummaryDue(ctx context.Context, args Args) (json.RawMessage, error) {
	return Call[json.RawMessage](ctx, a.conn(), "job_summary_due", args)
}

// SummaryWant calls job_summary_want.
func (a *Admin) SummaryWant(ctx context.Context, org, id string) error {
	_, err := Call[any](ctx, a.conn(), "job_summary_want", Args{"p_org": org, "p_id": id})
	return err
}

// SummaryClaim calls job_summary_claim.
func (a *Admin) SummaryClaim(ctx context.Context, org string, p map[string]any) (json.RawMessage, error) {
	return Call[json.RawMessage](ctx, a.conn(), "job_summary_claim", Args{"p_org": org, "p": p})
}

// SummaryPut calls job_summary_put.
func (a *Admin) SummaryPut(ctx context.Context, org string, p map[string]any) (json.RawMessage, error) {
	return Call[json.RawMessage](ctx, a.conn(), "job_summary_put", Args{"p_org": org, "p": p})
}

// SummaryEnd calls job_summary_end.
func (a *Admin) SummaryEnd(ctx context.Context, org string, p map[string]any) error {
	_, err := Call[any](ctx, a.conn(), "job_summary_end", Args{"p_org": org, "p": p})
	return err
}

// BudgetReserve calls job_budget_reserve.
func (a *Admin) BudgetReserve(ctx context.Context, org string, args Args) (json.RawMessage, error) {
	args["p_org"] = org
	return Call[json.RawMessage](ctx, a.conn(), "job_budget_reserve", args)
}

// BudgetProlong calls job_budget_prolong.
func (a *Admin) BudgetProlong(ctx context.Context, org string, args Args) error {
	args["p_org"] = org
	_, err := Call[any](ctx, a.conn(), "job_budget_prolong", args)
	return err
}

// BudgetSettle calls job_budget_settle.
func (a *Admin) BudgetSettle(ctx context.Context, org string, args Args) error {
	args["p_org"] = org
	_, err := Call[any](ctx, a.conn(), "job_budget_settle", args)
	return err
}

// ProviderTake calls job_provider_take.
func (a *Admin) ProviderTake(ctx context.Context, org string, args Args) (json.RawMessage, error) {
	args["p_org"] = org
	return Call[json.RawMessage](ctx, a.conn(), "job_provider_take", args)
}

// ModelConfigs calls job_model_configs.
func (a *Admin) ModelConfigs(ctx context.Context, org string) (json.RawMessage, error) {
	return Call[json.RawMessage](ctx, a.conn(), "job_model_configs", Args{"p_org": org})
}

// TravelOrder calls job_travel_order, which says whose booking a supplier's order is:
// {"org", "booking"}, null for no one's.
func (a *Admin) TravelOrder(ctx context.Context, supplier, id string) (json.RawMessage, error) {
	return Call[json.RawMessage](ctx, a.conn(), "job_travel_order", Args{"p_supplier": supplier, "p_id": id})
}

// TravelPending calls job_travel_pending, which says whose pending booking a supplier's order
// is: {"org", "booking"}, null for no one's.
func (a *Admin) TravelPending(ctx context.Context, supplier, key, offer string) (json.RawMessage, error) {
	return Call[json.RawMessage](ctx, a.conn(), "job_travel_pending", Args{"p_supplier": supplier, "p_key": key,
		"p_offer": offer})
}

// TravelNotice calls job_travel_notice.
func (a *Admin) TravelNotice(ctx context.Context, org string, p any) (bool, error) {
	return Call[bool](ctx, a.conn(), "job_travel_notice", Args{"p_org": org, "p": p})
}
