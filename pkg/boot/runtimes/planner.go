package runtimes

import (
	"context"
	"strings"

	trips "github.com/bellhop-ai/bellhop/pkg/assistants/planner"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	plan "github.com/bellhop-ai/bellhop/pkg/planner/tools"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/supabase/planner"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/tools"
)

// ofTravel are the tools of travel that the planner has: what is done with an itinerary.
func ofTravel() []string {
	return []string{"show_itinerary", "add_activity_to_itinerary", "move_itinerary_item", "remove_itinerary_item",
		"rename_trip", "export_calendar", "travel_hints"}
}

// newPlanner returns the trip planner, with travel's supplier and itineraries. Links to
// plans begin with base.
func newPlanner(ctx context.Context, b *backend.Backend, o options, base string) (*flow.Runtime, error) {
	t, err := travelTools(ctx, b)
	if err != nil {
		return nil, err
	}
	store := planner.NewPlans(b.Client)
	own, err := plan.Tools(plan.Config{Plans: store, Now: b.Now, Base: base,
		Token: func() string { return strings.ReplaceAll(b.NewID(), "-", "") }})
	if err != nil {
		return nil, err
	}
	shared, err := tool.Pick(tools.Tools(t), ofTravel()...)
	if err != nil {
		return nil, err
	}
	sources := specialists.Config{Flights: t.Flights, Stays: t.Stays, Now: b.Now,
		Report: func(ctx context.Context, s trip.Specialist, err error) {
			b.Warn(ctx, err, "the research of "+string(s)+" brought nothing from a source")
		}}
	return trips.New(trips.Config{Tools: append(own, shared...), Plans: store, Preferences: t.Preferences,
		Research: func(model structured.Ask) trips.Researcher {
			with := sources
			with.Model = model
			return specialists.New(with)
		}, Unmodelled: o.none, Now: b.Now,
		Report: func(ctx context.Context, what string, err error) { b.Warn(ctx, err, what) }})
}
