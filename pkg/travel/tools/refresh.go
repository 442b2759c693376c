package tools

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// refresh asks the supplier how a booking is now, and writes down what changed.
func (t *set) refresh(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	if b.Supplier == "" || b.State == flights.Failed || b.State == flights.Cancelled {
		return b, nil
	}
	var now bookings.Booking
	var err error
	switch b.Type {
	case bookings.Hotel:
		now, err = t.refreshStay(ctx, by, b)
	default:
		now, err = t.refreshFlight(ctx, by, b)
	}
	if err != nil {
		return b, err
	}
	if same(now, b) {
		return b, nil
	}
	return t.Bookings.Settle(ctx, by, now)
}

// lost is after how long an order that the supplier does not know counts as not made.
const lost = 24 * time.Hour

func (t *set) refreshFlight(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	supplier, err := t.flights()
	if err != nil {
		return b, err
	}
	if b.SupplierID != "" {
		o, err := supplier.Get(ctx, by, b.SupplierID)
		if err != nil {
			return b, err
		}
		return fromOrder(b, o), nil
	}
	o, found, err := supplier.Find(ctx, by, b.Key, b.OfferID)
	switch {
	case err != nil:
		return b, err
	case found:
		return fromOrder(b, o), nil
	case t.Now().Sub(b.CreatedAt) > lost:
		b.State = flights.Failed
	}
	return b, nil
}

// same reports whether nothing that a supplier tells differs.
func same(a, b bookings.Booking) bool {
	price := func(x, y bookings.Booking) bool {
		return (x.Total == nil) == (y.Total == nil) && (x.Total == nil || x.Total.String() == y.Total.String()) &&
			(x.Refunded == nil) == (y.Refunded == nil)
	}
	moments := (a.PayBy == nil) == (b.PayBy == nil) && (a.PayBy == nil || a.PayBy.Equal(*b.PayBy))
	return a.State == b.State && a.Reference == b.Reference && a.SupplierID == b.SupplierID && a.Paid == b.Paid &&
		a.Change == b.Change && moments && price(a, b)
}
