// Package stays says what a search for hotels, a rate and a booking are, whatever supplier
// is asked. Dates are local to the hotel; money is in the supplier's currency.
package stays

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Amenity is something that a hotel has.
type Amenity string

// The amenities of the source document (S1-14).
const (
	Pool       Amenity = "pool"
	Spa        Amenity = "spa"
	Gym        Amenity = "gym"
	Restaurant Amenity = "restaurant"
	WiFi       Amenity = "free_wifi"
	Parking    Amenity = "parking"
)

// Values returns the amenities.
func (Amenity) Values() []string {
	return []string{string(Pool), string(Spa), string(Gym), string(Restaurant), string(WiFi), string(Parking)}
}

// Query is what is searched for, around a point.
type Query struct {
	Place    string        `json:"place"` // as people call it: "Lisbon"
	Lat      float64       `json:"lat"`
	Lon      float64       `json:"lon"`
	Radius   int           `json:"radius"` // kilometres
	CheckIn  calendar.Date `json:"checkIn"`
	CheckOut calendar.Date `json:"checkOut"`
	Rooms    int           `json:"rooms"`
	Ages     []int         `json:"ages"` // of the guests; flights.Adult for an adult
}

// Nights counts the nights.
func (q Query) Nights() int { return q.CheckIn.Until(q.CheckOut) }

// Hotel is a hotel with its cheapest price for the whole stay and all rooms.
type Hotel struct {
	// Code is how people and models call it: that of its search and a number: "H4T9-2".
	Code      string      `json:"code"`
	ID        string      `json:"id"` // the supplier's search result; it is shown to no one
	Name      string      `json:"name"`
	Address   string      `json:"address,omitempty"`
	Country   string      `json:"country,omitempty"` // ISO 3166
	Lat       float64     `json:"lat"`
	Lon       float64     `json:"lon"`
	Stars     int         `json:"stars,omitempty"`
	Review    string      `json:"review,omitempty"` // out of ten, a decimal: "8.4"
	Reviews   int         `json:"reviews,omitempty"`
	Amenities []Amenity   `json:"amenities,omitempty"` // as far as the supplier tells it
	Total     money.Price `json:"total"`               // of the cheapest rate, all nights and rooms
	Expires   time.Time   `json:"expires"`
	Phone     string      `json:"phone,omitempty"`
	CheckIn   string      `json:"checkInAfter,omitempty"` // "15:00"
	CheckOut  string      `json:"checkOutBefore,omitempty"`
	// Rates are its rooms, the cheapest first, where they were asked for.
	Rates []Rate `json:"rates,omitempty"`
}

// Found are the hotels of a query, the cheapest first; see flights.Found.
type Found struct {
	Hotels []Hotel `json:"hotels"`
	More   bool    `json:"more"`
}

// Rate is a room at a price under conditions.
type Rate struct {
	// Code is that of its hotel and a letter: "H4T9-2B".
	Code    string       `json:"code"`
	ID      string       `json:"id"` // the supplier's
	Room    string       `json:"room"`
	Beds    string       `json:"beds,omitempty"`
	Board   string       `json:"board"` // room_only, breakfast, half_board, full_board, all_inclusive
	Total   money.Price  `json:"total"`
	AtHotel *money.Price `json:"dueAtHotel,omitempty"` // a part that is paid there
	// Refunds are what is given back until when, the earliest end first; none: nothing is.
	Refunds []Refund  `json:"refunds,omitempty"`
	PayNow  bool      `json:"payNow"`
	Expires time.Time `json:"expires"`
	// Terms are the hotel's sentences, untrusted text.
	Terms []string `json:"terms,omitempty"`
}

// Refund is what is given back until a moment.
type Refund struct {
	Until  time.Time   `json:"until"`
	Amount money.Price `json:"amount"`
}

// Booking is a stay that is booked.
type Booking struct {
	ID        string // the supplier's; it is shown to no one
	Reference string // the hotel's confirmation
	State     flights.State
	Hotel     Hotel
	Rate      Rate
	CheckIn   calendar.Date
	CheckOut  calendar.Date
	Total     money.Price
	Key       string // under which we booked it
	// Entry is how to get in, untrusted text; "" for none.
	Entry    string
	Refunded *money.Price
}

// Supplier sells stays. Its errors are those of flights.Supplier, with rate_unavailable.
type Supplier interface {
	Search(ctx context.Context, by identity.Caller, q Query) (Found, error)
	// Rates returns the rates of a hotel that was found, the cheapest first.
	Rates(ctx context.Context, by identity.Caller, hotelID string) ([]Rate, error)
	// Quote returns a rate at its price of now with the id by which it is booked.
	Quote(ctx context.Context, by identity.Caller, rateID string) (quoteID string, r Rate, err error)
	// Book books a quote for the guests; the first is the one who is asked for.
	Book(ctx context.Context, by identity.Caller, key, quoteID string, guests []flights.Person) (Booking, error)
	// Find looks for the booking that was made under a key.
	Find(ctx context.Context, by identity.Caller, key string) (Booking, bool, error)
	Get(ctx context.Context, by identity.Caller, id string) (Booking, error)
	Cancel(ctx context.Context, by identity.Caller, id string) (Booking, error)
}
