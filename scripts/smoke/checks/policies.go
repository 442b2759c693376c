package checks

import (
	"context"
	"fmt"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// policies asks who sees what.
func policies() []check {
	return []check{
		{name: "row policies", says: "Of other organisations nothing is visible, in any table.", run: rowPolicies},
		{name: "private tables", says: "The tables of proposals, turns, effects and changes open to nobody.",
			run: privateTables},
	}
}

// tenantTables are those that members read.
func tenantTables() []string {
	return []string{
		"memberships", "entities", "pricing_models", "pricing_tiers", "room_types", "rooms", "seasonal_pricing",
		"extras", "packages", "packages_rooms", "packages_extras", "coupons", "coupon_rooms", "coupon_packages",
		"chef_menu_items", "reservations", "blocked_dates", "stays", "reservation_rooms", "reservation_nights",
		"reservation_extras", "extra_selections", "payments", "coupon_uses",
	}
}

func rowPolicies(ctx context.Context, v *visit) error {
	orgs, err := supabase.Select[struct{ ID string }](ctx, v.conn(), supabase.Query{Table: "orgs", Columns: "id"})
	if err != nil {
		return err
	}
	if len(orgs) != 1 || orgs[0].ID != v.by.OrgID {
		return fmt.Errorf("organisation %s sees the organisations %v", v.by.OrgID, orgs)
	}
	for _, table := range tenantTables() {
		a, err := v.read(ctx, table+"?select=org_id&limit=3&org_id=neq."+v.by.OrgID, nil)
		if err != nil {
			return err
		}
		foreign, err := a.rows(http.StatusOK)
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		if len(foreign) > 0 {
			return fmt.Errorf("%s shows rows of other organisations: %v", table, foreign)
		}
	}
	return nil
}

func privateTables(ctx context.Context, v *visit) error {
	for _, table := range []string{"proposals", "turns", "turn_steps", "effects", "audit"} {
		a, err := v.read(ctx, table+"?select=org_id&limit=1", nil)
		if err == nil && a.status == http.StatusNotFound {
			err = a.isRefusal(http.StatusNotFound, "PGRST205") // hidden is as good as closed
		} else if err == nil {
			err = a.isRefusal(http.StatusForbidden, "42501")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}
