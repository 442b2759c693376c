// Package travel wires the handler for travellers, preferences and trips.
package travel

import (
	"context"

	api "github.com/bellhop-ai/bellhop/pkg/api/travel"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/boot/custom"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
)

// assistant is the one that plans trips.
const assistant = "travel"

// New builds the handler on the core. Nothing is sent yet.
func New(ctx context.Context, c *core.Core) (*api.Handler, error) {
	var cfg boot.TravelConfig
	if err := c.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	return api.New(api.Config{
		Assistant: assistant, Travellers: travel.NewTravellers(c.Client), Preferences: travel.NewPreferences(c.Client),
		Trips: travel.NewTrips(c.Client), Bookings: travel.NewBookings(c.Client),
		CustomTools: travel.NewCustomTools(c.Client), Sender: custom.Sender(c.Service),
		Identify: c.Identify, NewID: c.NewID, Now: c.Now, Gate: c.Gate("travel", cfg.RateUser, cfg.RateOrg),
	})
}
