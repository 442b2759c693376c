package reading

import (
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// maxOpen is how many bytes of JSON an Open may have: it travels sealed with the
// conversation.
const maxOpen = 4096

// Open is what the last answers showed and asked, as far as the next message may refer to
// it. It holds no text of suppliers but names of airlines and hotels.
type Open struct {
	// Last is what was shown last: one of the constants below, "" for nothing.
	Last string `json:"last,omitempty"`
	// Flights and Hotels are the queries of the last searches, Search and HotelSearch their
	// codes.
	Flights     *Flights `json:"flights,omitempty"`
	Search      string   `json:"search,omitempty"`
	Hotels      *Hotels  `json:"hotels,omitempty"`
	HotelSearch string   `json:"hotelSearch,omitempty"`
	// Offers, Stays, Rates and Items are in the order in which they were shown.
	Offers []Offer `json:"offers,omitempty"`
	Stays  []Stay  `json:"stays,omitempty"`
	Rates  []Stay  `json:"rates,omitempty"`
	Items  []Stay  `json:"items,omitempty"` // of the trip
	// Bookings are codes of bookings that were listed.
	Bookings []Stay `json:"bookings,omitempty"`
	// Offer, Hotel, Booking and Trip are what "it" and "that" mean.
	Offer   string `json:"offer,omitempty"`
	Hotel   string `json:"hotel,omitempty"`
	Booking string `json:"booking,omitempty"`
	Trip    string `json:"trip,omitempty"`
	// Decision is the one that was remembered or shown alone.
	Decision string `json:"decision,omitempty"`
	// Pending is what was understood of a message that led to a question, the question
	// among its Missing.
	Pending *Reading `json:"pending,omitempty"`
}

// What was shown last.
const (
	LastFlights  = "flights"
	LastOffer    = "offer"
	LastStays    = "stays"
	LastRates    = "rates"
	LastBooking  = "booking"
	LastBookings = "bookings"
	LastTrip     = "trip"
	LastTrips    = "trips"
)

// Offer is what is known of a flight offer that was shown.
type Offer struct {
	Code     string `json:"c"`
	Price    string `json:"p,omitempty"` // a decimal
	Currency string `json:"u,omitempty"`
	Airline  string `json:"a,omitempty"` // IATA code
	Name     string `json:"n,omitempty"` // of the airline
	Stops    int    `json:"s,omitempty"` // the most of its journeys
	Departs  string `json:"d,omitempty"` // local: "2026-12-04T21:35"
	Minutes  int    `json:"m,omitempty"` // of all journeys
	Bags     int    `json:"b,omitempty"` // checked
	// Picks are what it was pointed out as: cheapest, fastest, best.
	Picks []string `json:"k,omitempty"`
}

// Stay is a hotel, a rate, an item of a trip or a booking that was shown.
type Stay struct {
	Code string `json:"c"`
	Name string `json:"n,omitempty"`
	Type string `json:"t,omitempty"` // flight, hotel, activity, of an item or a booking
	// Price is a decimal.
	Price string        `json:"p,omitempty"`
	Day   calendar.Date `json:"d,omitzero"`
}

// bound shortens what was shown until the JSON form has at most maxOpen bytes.
func (o *Open) bound() {
	for _, list := range []*[]Stay{&o.Stays, &o.Rates, &o.Items, &o.Bookings} {
		*list = (*list)[:min(len(*list), 15)]
		for i := range *list {
			(*list)[i].Name = cutText((*list)[i].Name, 48)
		}
	}
	o.Offers = o.Offers[:min(len(o.Offers), 20)]
	for i := range o.Offers {
		o.Offers[i].Name = cutText(o.Offers[i].Name, 32)
	}
	for {
		raw, err := json.Marshal(o)
		if err != nil || len(raw) <= maxOpen {
			return
		}
		// What was shown longest ago goes first.
		lists := []*[]Stay{&o.Bookings, &o.Items, &o.Rates, &o.Stays}
		cut := false
		for _, list := range lists {
			if current := listOf(o, o.Last); list == current || len(*list) == 0 {
				continue
			}
			*list, cut = nil, true
			break
		}
		switch {
		case cut:
		case len(o.Offers) > 5:
			o.Offers = o.Offers[:len(o.Offers)-1]
		case listOf(o, o.Last) != nil && len(*listOf(o, o.Last)) > 3:
			list := listOf(o, o.Last)
			*list = (*list)[:len(*list)-1]
		case o.Pending != nil && len(o.Pending.Text) > 0:
			o.Pending.Text = ""
		case o.Pending != nil:
			o.Pending = nil
		default:
			*o = Open{Last: o.Last, Search: o.Search, HotelSearch: o.HotelSearch, Offer: o.Offer, Hotel: o.Hotel,
				Booking: o.Booking, Trip: o.Trip}
			return
		}
	}
}

func listOf(o *Open, last string) *[]Stay {
	switch last {
	case LastStays:
		return &o.Stays
	case LastRates:
		return &o.Rates
	case LastBookings:
		return &o.Bookings
	case LastTrip:
		return &o.Items
	}
	return nil
}

// cutText shortens a text to so many runes.
func cutText(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
