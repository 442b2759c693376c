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
func (s Analytics) Occupancy(ctx context.Context, by identity.Caller, period calendar.Range) ([]analytics.Nights, error) {
	if _, err := inProperty(by); err != nil {
		return nil, err
	}
	rows, err := supabase.Read[[]struct {
		Code         string       `json:"room_code"`
		Name         string       `json:"room_name"`
		Units        int          `json:"units"`
		Occupied     int          `json:"occupied_nights"`
		Blocked      int          `json:"blocked_nights"`
		Available    int          `json:"available_nights"`
		Bookings     int          `json:"bookings"`
		RoomRevenue  money.Amount `json:"room_revenue"`
		OtherRevenue money.Amount `json:"other_revenue"`
	}](ctx, s.client.As(by), "occupancy", supabase.Args{"p_entity": by.Entity.ID, "p_from": period.From, "p_to": period.To})
	if err != nil {
		return nil, err
	}
	nights := make([]analytics.Nights, len(rows))
	for i, r := range rows {
		nights[i] = analytics.Nights{
			Code: r.Code, Name: r.Name, Units: r.Units, Occupied: r.Occupied, Blocked: r.Blocked, Available: r.Available,
			Bookings: r.Bookings, RoomRevenue: r.RoomRevenue, OtherRevenue: r.OtherRevenue,
		}
	}
	return nights, nil
}
