package stays

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Bounds of a search.
const (
	Radius    = 10 // kilometres around a city
	MaxNights = 99
	MaxRooms  = 9
	MaxGuests = 27
)

// Check reports why a query cannot be searched for. Now is the moment in the zone of the
// place. The error is a fault.Invalid one with a code of its own for each reason.
func Check(q Query, now time.Time) error {
	today := calendar.Of(now)
	adults := 0
	for _, age := range q.Ages {
		if age == flights.Adult {
			adults++
		}
	}
	switch {
	case q.CheckIn.IsZero() || q.CheckOut.IsZero():
		return refuse("date_missing", "The first night and the day of departure are needed.")
	case q.CheckIn.Before(today):
		return refuse("date_past", "%s is past; today is %s.", show(q.CheckIn), show(today))
	case today.Until(q.CheckIn) > flights.MaxDays:
		return refuse("date_too_far", "Rooms are sold at most %d days ahead, until %s.", flights.MaxDays,
			show(today.AddDays(flights.MaxDays)))
	case !q.CheckIn.Before(q.CheckOut):
		return refuse("checkout_before_checkin", "The departure on %s is not after the arrival on %s.",
			show(q.CheckOut),
			show(q.CheckIn))
	case q.Nights() > MaxNights:
		return refuse("stay_too_long", "A stay has at most %d nights, not %d.", MaxNights, q.Nights())
	case q.Rooms < 1 || q.Rooms > MaxRooms:
		return refuse("rooms_out_of_range", "A search is for 1 to %d rooms, not %d.", MaxRooms, q.Rooms)
	case len(q.Ages) < 1 || len(q.Ages) > MaxGuests:
		return refuse("guests_out_of_range", "A search is for 1 to %d guests, not %d.", MaxGuests, len(q.Ages))
	case adults == 0:
		return refuse("children_without_adults", "Children cannot be booked here without an adult.")
	case adults < q.Rooms:
		return refuse("rooms_without_adults", "Each room needs an adult: there are %d rooms for %d.", q.Rooms, adults)
	}
	return nil
}

func show(d calendar.Date) string { return d.Time().Format("Mon 2 Jan 2006") }

func refuse(code, format string, args ...any) error {
	return fault.New(fault.Invalid, format, args...).WithCode(code)
}

// Filter chooses hotels. Zero members choose nothing out.
type Filter struct {
	// Min and Max bound the price of a night and room, in the currency of the hotel; Units
	// is how many nights and rooms its price is for.
	Min, Max  *money.Amount
	Units     int
	Amenities []Amenity // all of them; a hotel that does not tell them is left out
}

// Apply returns the hotels that the filter keeps, in their order.
func (f Filter) Apply(hotels []Hotel) []Hotel {
	var kept []Hotel
	for _, h := range hotels {
		if f.keeps(h) {
			kept = append(kept, h)
		}
	}
	return kept
}

func (f Filter) keeps(h Hotel) bool {
	bound := func(a *money.Amount) (money.Amount, bool) {
		if a == nil {
			return money.Zero, false
		}
		all, err := a.Mul(money.FromInt(max(f.Units, 1)))
		return all, err == nil
	}
	if least, ok := bound(f.Min); ok && h.Total.Amount.Cmp(least) < 0 {
		return false
	}
	if most, ok := bound(f.Max); ok && h.Total.Amount.Cmp(most) > 0 {
		return false
	}
	for _, a := range f.Amenities {
		if !slices.Contains(h.Amenities, a) {
			return false
		}
	}
	return true
}

// Words says what the filter asks for: "a night for at most 150, pool".
func (f Filter) Words() []string {
	var list []string
	switch {
	case f.Min != nil && f.Max != nil:
		list = append(list, fmt.Sprintf("a night for %s to %s", f.Min, f.Max))
	case f.Min != nil:
		list = append(list, fmt.Sprintf("a night for at least %s", f.Min))
	case f.Max != nil:
		list = append(list, fmt.Sprintf("a night for at most %s", f.Max))
	}
	for _, a := range f.Amenities {
		list = append(list, strings.ReplaceAll(string(a), "_", " "))
	}
	return list
}

// BoardWords returns the board as people say it: "breakfast", "room only".
func (r Rate) BoardWords() string { return strings.ReplaceAll(r.Board, "_", " ") }

// RefundWords says what is given back until when.
func (r Rate) RefundWords() string {
	if len(r.Refunds) == 0 {
		return "Not refundable"
	}
	var words []string
	for i, f := range r.Refunds {
		until := f.Until.UTC().Format("2 Jan 2006, 15:04 UTC")
		switch {
		case f.Amount.Amount.Cmp(r.Total.Amount) >= 0:
			words = append(words, "free cancellation until "+until)
		default:
			words = append(words, fmt.Sprintf("%s back until %s", f.Amount, until))
		}
		if i == 0 {
			words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
		}
	}
	return strings.Join(words, ", ")
}

// RefundAt returns what is given back of a rate that is cancelled at a moment, zero after
// the last end.
func (r Rate) RefundAt(now time.Time) money.Price {
	best := money.Price{Currency: r.Total.Currency}
	for _, f := range r.Refunds {
		if !now.After(f.Until) && f.Amount.Amount.Cmp(best.Amount) > 0 {
			best = f.Amount
		}
	}
	return best
}

// PayWords says what is paid when: "Paid now", "€12.00 at the hotel".
func (r Rate) PayWords() string {
	words := "Paid at the hotel"
	if r.PayNow {
		words = "Paid now"
	}
	if r.AtHotel != nil && !r.AtHotel.Amount.IsZero() {
		words += fmt.Sprintf(", %s at the hotel", r.AtHotel)
	}
	return words
}
