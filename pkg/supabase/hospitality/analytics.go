package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Analytics is an analytics.Store.
type Analytics struct{ client *supabase.Client }

var _ analytics.Store = Analytics{}

// NewAnalytics returns the store in the project of client.
func NewAnalytics(client *supabase.Client) Analytics { return Analytics{client} }

// Occupancy counts the nights of a period; see analytics.Store.
func (s Analytics) Occupancy(ctx context.Context, by identity.Caller, period calendar.Range) (analytics.Occupancy,
	error) {
	if _, err := inProperty(by); err != nil {
		return analytics.Occupancy{}, err
	}
	type room struct {
		analytics.Nights
		RoomCode, RoomName string
		AllBookings        int
	}
	rows, err := supabase.Read[[]row[room]](ctx, s.client.As(by), "occupancy",
		supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To})
	if err != nil {
		return analytics.Occupancy{}, err
	}
	found := analytics.Occupancy{Rooms: make([]analytics.Nights, len(rows))}
	for i, r := range rows {
		found.Rooms[i], found.Bookings = r.Value.Nights, r.Value.AllBookings
		found.Rooms[i].Code, found.Rooms[i].Name = r.Value.RoomCode, r.Value.RoomName
	}
	return found, nil
}

// Days counts each night of a period; see analytics.Store.
func (s Analytics) Days(ctx context.Context, by identity.Caller, period calendar.Range) ([]analytics.Day, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	return supabase.Read[[]analytics.Day](ctx, s.client.As(by), "occupancy_days",
		supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To})
}

// Revenue returns the parts of a period's revenue; see analytics.Store.
func (s Analytics) Revenue(
	ctx context.Context, by identity.Caller, period calendar.Range, parts analytics.By,
) ([]analytics.Revenue, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	return supabase.Read[[]analytics.Revenue](ctx, s.client.As(by), "revenue",
		supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To, "p_by": string(parts)})
}

// Clients returns what is known of guests; see analytics.Store.
func (s Analytics) Clients(ctx context.Context, by identity.Caller, period calendar.Range, top int) (analytics.Clients,
	error) {
	if _, err := inProperty(by); err != nil {
		return analytics.Clients{}, err
	}
	return supabase.Read[analytics.Clients](ctx, s.client.As(by), "client_report",
		supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To, "p_top": top})
}
