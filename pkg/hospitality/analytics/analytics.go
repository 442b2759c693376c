// Package analytics computes a hotel's figures: occupancy, average rates and
// what rests on them.
package analytics

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Nights are one room type's counts and sums for a period. Nights are
// room-nights inside the period; cancelled bookings and no-shows do not count.
// Revenue is net of discounts and without tax.
type Nights struct {
	Code         string       `json:"code"`
	Name         string       `json:"name"`
	Units        int          `json:"units"`
	Occupied     int          `json:"occupiedNights"`
	Blocked      int          `json:"blockedNights"`
	Available    int          `json:"availableNights"` // days × units − blocked, never below 0
	Bookings     int          `json:"bookings"`        // with a night in the period
	RoomRevenue  money.Amount `json:"roomRevenue"`
	OtherRevenue money.Amount `json:"otherRevenue"` // extras, and packages beside the room
}

// Figures are the ratios of Nights, rounded half away from zero to two
// decimals. A ratio whose denominator is zero is not defined and nil.
type Figures struct {
	Occupancy *money.Amount `json:"occupancyPercent"` // occupied ÷ available × 100
	ADR       *money.Amount `json:"adr"`              // room revenue ÷ occupied
	RevPAR    *money.Amount `json:"revPar"`           // room revenue ÷ available
	TRevPAR   *money.Amount `json:"tRevPar"`          // all revenue ÷ available
	ALOS      *money.Amount `json:"alos"`             // occupied ÷ bookings
}

// Store counts a property's nights. Each method acts for by and sees only what
// by may see, in by's chosen property.
type Store interface {
	// Occupancy returns the counts of a period per active room type, ordered
	// by name.
	Occupancy(ctx context.Context, by identity.Caller, period calendar.Range) ([]Nights, error)
}

const digits = 2

// Figures computes the ratios.
func (n Nights) Figures() (Figures, error) {
	all, err := n.RoomRevenue.Add(n.OtherRevenue)
	if err != nil {
		return Figures{}, err
	}
	hundredfold, err := money.FromInt(n.Occupied).Mul(money.FromInt(100))
	if err != nil {
		return Figures{}, err
	}
	available, occupied := money.FromInt(n.Available), money.FromInt(n.Occupied)
	return Figures{
		Occupancy: ratio(hundredfold, available),
		ADR:       ratio(n.RoomRevenue, occupied),
		RevPAR:    ratio(n.RoomRevenue, available),
		TRevPAR:   ratio(all, available),
		ALOS:      ratio(occupied, money.FromInt(n.Bookings)),
	}, nil
}

func ratio(a, b money.Amount) *money.Amount {
	q, ok := a.Quo(b, digits)
	if !ok {
		return nil
	}
	return &q
}

// Total adds the counts up. A booking over several room types counts in each of
// their rows, so bookings may be counted more than once.
func Total(rows []Nights) (Nights, error) {
	sum := Nights{Name: "Total"}
	for _, r := range rows {
		var err error
		sum.Units += r.Units
		sum.Occupied += r.Occupied
		sum.Blocked += r.Blocked
		sum.Available += r.Available
		sum.Bookings += r.Bookings
		if sum.RoomRevenue, err = sum.RoomRevenue.Add(r.RoomRevenue); err != nil {
			return Nights{}, err
		}
		if sum.OtherRevenue, err = sum.OtherRevenue.Add(r.OtherRevenue); err != nil {
			return Nights{}, err
		}
	}
	return sum, nil
}
