package travel

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
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
	whose, err := s.whose(ctx, n)
	if err != nil || whose == nil {
		return false, err
	}
	changed := bookings.Booking{Code: whose.Booking.Code, State: n.State, Reference: n.Reference, Change: n.Change,
		Refunded: n.Refunded}
	// A flight is confirmed when it is paid; a stay may be paid at the hotel.
	changed.Paid = n.State == flights.Confirmed && whose.Booking.Type == bookings.Flight
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
		Code       string `json:"booking"`
		Supplier   string `json:"supplier"`
		SupplierID string `json:"supplierId"`
		ID         string `json:"id"`
	}{p, whose.Booking.Code, n.Supplier, n.SupplierID, n.ID})
}

// owned is a booking and whose it is.
type owned struct {
	Org     string  `json:"org"`
	Booking booking `json:"booking"`
}

// whose returns the booking that a notice is about, nil for none of ours: that of the order,
// or else the pending one that it was made for.
func (s Notices) whose(ctx context.Context, n bookings.Notice) (*owned, error) {
	var found *owned
	raw, err := s.admin.TravelOrder(ctx, n.Supplier, n.SupplierID)
	if err == nil && (n.Key != "" || n.OfferID != "") && string(raw) == "null" {
		raw, err = s.admin.TravelPending(ctx, n.Supplier, n.Key, n.OfferID)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &found); err != nil {
		return nil, fmt.Errorf("read whose order a notice is about: %w", err)
	}
	return found, nil
}
