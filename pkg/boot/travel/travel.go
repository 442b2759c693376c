// Package travel wires the handler for travellers, preferences, trips and their plans.
package travel

import (
	"context"
	"crypto/rand"

	api "github.com/bellhop-ai/bellhop/pkg/api/travel"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/custom"
	plans "github.com/bellhop-ai/bellhop/pkg/supabase/planner"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
)

// assistant is the one that books travel, planner the one that plans trips.
const assistant, planner = "travel", "planner"

// New builds the handler on the core. Nothing is sent yet.
func New(ctx context.Context, c *core.Core) (*api.Handler, error) {
	var cfg boot.TravelConfig
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	var pages boot.PagesConfig
	if err := c.Env.Decode(ctx, &pages); err != nil {
		return nil, err
	}
	base, err := pages.Origin()
	if err != nil {
		return nil, err
	}
	return api.New(api.Config{
		Assistant: assistant, Planner: planner, Plans: plans.NewPlans(c.Client), Links: plans.NewLinks(c.Client),
		Base: base, NewToken: rand.Text,
		Travellers: travel.NewTravellers(c.Client), Preferences: travel.NewPreferences(c.Client),
		Trips: travel.NewTrips(c.Client), Bookings: travel.NewBookings(c.Client),
		CustomTools: travel.NewCustomTools(c.Client), Sender: custom.Sender(c.Service),
		Identify: c.Identify, NewID: c.NewID, Now: c.Now, Gate: c.Gate("travel", cfg.RateUser, cfg.RateOrg),
	})
}
