package runtimes

import (
	"context"

	sword "github.com/bellhop-ai/bellhop/pkg/assistants/travel"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/custom"
	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookingfile"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
	"github.com/bellhop-ai/bellhop/pkg/travel/tools"
)

// travelTools returns what travel's tools need, with the supplier that the environment
// names.
func travelTools(ctx context.Context, b *backend.Backend) (tools.Config, error) {
	t := tools.Config{Bookings: store.NewBookings(b.Client), Trips: store.NewTrips(b.Client),
		Travellers: store.NewTravellers(b.Client), Preferences: store.NewPreferences(b.Client),
		Outbox: control.NewOutbox(b.Client), Now: b.Now}
	var cfg boot.DuffelConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return t, err
	}
	if cfg.APIKey != "" {
		supplier, err := duffel.New(duffel.Config{APIKey: identity.Secret(cfg.APIKey), BaseURL: cfg.URL, Now: b.Now,
			Gate: limit.ProviderGate{Counter: b.Limits, Rate: limit.ProviderRate{Provider: "duffel",
				Capacity: cfg.Capacity, PerSecond: cfg.PerSecond}},
			Report: func(err error) { b.Warn(context.Background(), err, "an answer of Duffel's was read in part") }})
		if err != nil {
			return t, err
		}
		t.Flights, t.Stays = supplier.Flights(), supplier.Stays()
	}
	return t, nil
}

// newTravel returns Sword.
func newTravel(ctx context.Context, b *backend.Backend, o options) (*flow.Runtime, error) {
	t, err := travelTools(ctx, b)
	if err != nil {
		return nil, err
	}
	own := customtools.Config{Store: store.NewCustomTools(b.Client), Sender: custom.Sender(b.Service),
		Outbox: t.Outbox}
	return sword.New(sword.Config{
		Adds: func(ctx context.Context, by identity.Caller) ([]tool.Declaration, error) {
			return customtools.Tools(ctx, by, own)
		},
		Tools:    append(tools.Tools(t), bookingfile.Tools(b.Files, t.Trips, b.Now)...),
		Bookings: t.Bookings, Trips: t.Trips, Travellers: t.Travellers, Preferences: t.Preferences,
		Unmodelled: o.none, Now: b.Now,
		Report: func(ctx context.Context, what string, err error) { b.Warn(ctx, err, what) },
	})
}
