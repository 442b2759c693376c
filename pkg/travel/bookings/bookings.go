// Package bookings keeps what a person has searched, held and bought: their searches with
// the offers that they were shown, and their bookings, past ones with what they thought
// of them. All of it is the person's own.
package bookings

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Type is what was booked (S1-34).
type Type string

// The types.
const (
	Flight   Type = "flight"
	Hotel    Type = "hotel"
	Activity Type = "activity"
)

// Values returns the types.
func (Type) Values() []string { return []string{string(Flight), string(Hotel), string(Activity)} }

// Search is a search that was made. Found is what the person was shown, so that a
// later call names an offer by its code, and so that a price of then can be compared with
// that of now. It is kept for a day, the query for ninety.
type Search struct {
	Code    string          `json:"code"` // four letters and digits: "K7M2"
	Type    Type            `json:"type"` // Flight or Hotel
	Query   json.RawMessage `json:"query"`
	Found   json.RawMessage `json:"found,omitempty"` // flights.Found or stays.Found; nil when it is gone
	At      time.Time       `json:"at"`
	Summary string          `json:"summary"` // one line for people: "London to New York, 4 Dec, 3 travellers"
}

// Booking is something that is held, booked, or was.
type Booking struct {
	Code  string        `json:"code"` // "TB-0001"
	Type  Type          `json:"type"`
	State flights.State `json:"state"`
	// Title is one line for people: "London (LHR) to New York (JFK)", "Hotel Lisboa Prime".
	Title     string            `json:"title"`
	Reference string            `json:"reference,omitempty"` // the airline's or the hotel's
	Starts    calendar.DateTime `json:"starts"`              // local to where it starts
	Ends      calendar.DateTime `json:"ends"`
	StartZone string            `json:"startZone,omitempty"` // IANA
	EndZone   string            `json:"endZone,omitempty"`
	Place     string            `json:"place,omitempty"` // city or address
	Total     *money.Price      `json:"total,omitempty"`
	Paid      bool              `json:"paid"`
	PayBy     *time.Time        `json:"payBy,omitempty"` // of a held one
	Refunded  *money.Price      `json:"refunded,omitempty"`
	// Travellers are codes of profiles: "PAX-1".
	Travellers []string `json:"travellers,omitempty"`
	Trip       string   `json:"trip,omitempty"` // the code of the trip in whose itinerary it stands
	// Details are the legs of a flight ([]flights.Leg), or the stay's room and board.
	Details json.RawMessage `json:"details,omitempty"`
	// Change is what the airline changed and the person has not seen accepted: a sentence.
	Change   string `json:"change,omitempty"`
	Rating   int    `json:"rating,omitempty"` // 1 to 5; 0 for none
	Feedback string `json:"feedback,omitempty"`
	// Supplier and SupplierID are by what the supplier knows it; "" for one that the
	// person entered. They are never encoded for people.
	Supplier   string    `json:"-"`
	SupplierID string    `json:"-"`
	Key        string    `json:"-"` // of the effect that made it
	OfferID    string    `json:"-"` // what was ordered, for a look-up
	Version    int       `json:"version"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Filter chooses bookings.
type Filter struct {
	Text     string // full text and near spellings over title, place, reference, feedback
	Past     bool   // that ended before today
	Upcoming bool   // that did not
	Type     Type
	Limit    int // 0 is 20
}

// Store keeps the caller's searches and bookings. Methods whose comment says book-keeping
// may be called while a tool only reads.
type Store interface {
	// KeepSearch keeps a search and returns it with its code. With the Code of a kept one,
	// what was found takes the place of what is there. Codes of offers are the caller's to
	// fill in, by their places in Found. Book-keeping.
	KeepSearch(ctx context.Context, by identity.Caller, s Search) (Search, error)
	// Search returns a search by its code, which may be longer, as that of an offer of it.
	// The error is fault.NotFound with the code search_gone where it was or its offers are
	// gone, or are another person's.
	Search(ctx context.Context, by identity.Caller, code string) (Search, error)
	// Searches returns the newest searches without what was found.
	Searches(ctx context.Context, by identity.Caller, limit int) ([]Search, error)

	// Open writes down what is about to be ordered under a key, in state Pending; the same
	// key again returns what is there. Book-keeping.
	Open(ctx context.Context, by identity.Caller, b Booking) (Booking, error)
	// Settle says what became of a booking, by its Code: state, reference, supplier's id,
	// pay-by, paid, refund, change, times. Book-keeping. In the trip of a booking, an
	// item is made or changed in the same transaction.
	Settle(ctx context.Context, by identity.Caller, b Booking) (Booking, error)
	// Add enters a past or own booking by hand. An effect.
	Add(ctx context.Context, by identity.Caller, b Booking) (Booking, error)
	// Rate sets rating and feedback. An effect.
	Rate(ctx context.Context, by identity.Caller, code string, rating int, feedback string) (Booking, error)
	Get(ctx context.Context, by identity.Caller, code string) (Booking, error)
	List(ctx context.Context, by identity.Caller, f Filter) ([]Booking, error)
}

// Notices takes what suppliers tell of bookings, without a caller: it runs with the key
// of jobs.
type Notices interface {
	// Take applies a notice once, by the notice's own id; it reports false for one that
	// was taken before or concerns no booking of ours.
	Take(ctx context.Context, n Notice) (bool, error)
}

// Notice is what a supplier told.
type Notice struct {
	ID         string // the supplier's, for once
	Supplier   string // "duffel"
	SupplierID string // of the order; "" where only Key or OfferID is told
	// Key and OfferID find a booking that was pending when its order had no id yet, or
	// another one. "" where the supplier does not tell them.
	Key       string
	OfferID   string
	State     flights.State // "" leaves it
	Reference string        // "" leaves it
	Change    string        // a sentence; "" leaves it
	Legs      []flights.Leg // new times; nil leaves them
	Refunded  *money.Price  // of a cancelled one; nil leaves it
}
