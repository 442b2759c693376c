package hospitality

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Analytics is an analytics.Store.
type Analytics struct{ client *supabase.Client }

var _ analytics.Store = Analytics{}

// NewAnalytics returns the store in the project of client.
func NewAnalytics(client *supabase.Client) Analytics { return Analytics{client} }

// Occupancy counts the nights of a period; see analytics.Store.
func (s Analytics) Occupancy(ctx context.Context, by identity.Caller, period calendar.Range) (analytics.Occupancy, error) {
	if _, err := inProperty(by); err != nil {
		return analytics.Occupancy{}, err
	}
	rows, err := supabase.Read[[]struct {
		Code         string       `json:"room_code"`
		Name         string       `json:"room_name"`
		Units        int          `json:"units"`
		Occupied     int          `json:"occupied_nights"`
		Blocked      int          `json:"blocked_nights"`
		Available    int          `json:"available_nights"`
		Bookings     int          `json:"bookings"`
		AllBookings  int          `json:"all_bookings"`
		RoomRevenue  money.Amount `json:"room_revenue"`
		OtherRevenue money.Amount `json:"other_revenue"`
	}](ctx, s.client.As(by), "occupancy", supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To})
	if err != nil {
		return analytics.Occupancy{}, err
	}
	found := analytics.Occupancy{Rooms: make([]analytics.Nights, len(rows))}
	for i, r := range rows {
		found.Bookings = r.AllBookings
		found.Rooms[i] = analytics.Nights{
			Code: r.Code, Name: r.Name, Units: r.Units, Occupied: r.Occupied, Blocked: r.Blocked, Available: r.Available,
			Bookings: r.Bookings, RoomRevenue: r.RoomRevenue, OtherRevenue: r.OtherRevenue,
		}
	}
	return found, nil
}

// Revenue returns the parts of a period's revenue; see analytics.Store.
func (s Analytics) Revenue(ctx context.Context, by identity.Caller, period calendar.Range, parts analytics.By) ([]analytics.Revenue, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	rows, err := supabase.Read[[]struct {
		Key          string       `json:"key"`
		Name         string       `json:"name"`
		Nights       int          `json:"nights"`
		Room         money.Amount `json:"room"`
		Discount     money.Amount `json:"discount"`
		Extras       money.Amount `json:"extras"`
		PackageOther money.Amount `json:"package_other"`
		Tax          money.Amount `json:"tax"`
	}](ctx, s.client.As(by), "revenue", supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To, "p_by": string(parts)})
	if err != nil {
		return nil, err
	}
	list := make([]analytics.Revenue, len(rows))
	for i, r := range rows {
		list[i] = analytics.Revenue(r)
	}
	return list, nil
}

// Clients returns what is known of guests; see analytics.Store.
func (s Analytics) Clients(ctx context.Context, by identity.Caller, period calendar.Range, top int) (analytics.Clients, error) {
	if _, err := inProperty(by); err != nil {
		return analytics.Clients{}, err
	}
	return supabase.Read[analytics.Clients](ctx, s.client.As(by), "client_report",
		supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To, "p_top": top})
}
