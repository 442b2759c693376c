package travel

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Notices is a bookings.Notices. It needs the secret key: no caller is behind what a
// supplier tells.
type Notices struct{ admin *supabase.Admin }

var _ bookings.Notices = Notices{}

// NewNotices returns what takes notices for the bookings of all organisations.
func NewNotices(admin *supabase.Admin) Notices { return Notices{admin} }

// Take applies a notice once; see bookings.Notices.
func (s Notices) Take(ctx context.Context, n bookings.Notice) (bool, error) {
	raw, err := s.admin.TravelOrder(ctx, n.Supplier, n.SupplierID)
	if err != nil {
		return false, err
	}
	var whose *struct {
		Org     string  `json:"org"`
		Booking booking `json:"booking"`
	}
	if err := json.Unmarshal(raw, &whose); err != nil {
		return false, fmt.Errorf("read whose order a notice is about: %w", err)
	}
	if whose == nil {
		return false, nil
	}
	changed := bookings.Booking{Code: whose.Booking.Code, State: n.State, Reference: n.Reference, Change: n.Change}
	if len(n.Legs) > 0 {
		if changed.Details, err = json.Marshal(n.Legs); err != nil {
			return false, err
		}
		changed.Starts, changed.Ends, changed.StartZone, changed.EndZone = itinerary.Span(n.Legs)
	}
	p := wire(changed)
	p.Items = itinerary.OfBooking(over(whose.Booking.plain(), changed))
	return s.admin.TravelNotice(ctx, whose.Org, struct {
		booking
		Supplier   string `json:"supplier"`
		SupplierID string `json:"supplierId"`
		ID         string `json:"id"`
	}{p, n.Supplier, n.SupplierID, n.ID})
}
