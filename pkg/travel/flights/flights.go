// Package flights says what a search for flights, an offer and an order are, whatever
// supplier is asked. Times are local to their airports; money is in the supplier's
// currency and never converted.
package flights

import (
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Cabin is a class of travel.
type Cabin string

// The cabins of the source document (S1-11).
const (
	Economy        Cabin = "economy"
	PremiumEconomy Cabin = "premium_economy"
	Business       Cabin = "business"
	First          Cabin = "first"
)

// Values returns the cabins.
func (Cabin) Values() []string {
	return []string{string(Economy), string(PremiumEconomy), string(Business), string(First)}
}

// Adult is the Age of a passenger of eighteen years or more.
const Adult = -1

// Bounds of a search.
const (
	MaxPassengers = 9
	MaxSlices     = 6
	MaxDays       = 330 // how far ahead flights are sold
)

// Query is what is searched for.
type Query struct {
	Slices []Slice `json:"slices"` // one-way, return or several cities
	// Ages are those of the passengers on the day of the last departure, in years, as
	// airlines count them; Adult for an adult. 1 to MaxPassengers.
	Ages  []int `json:"ages"`
	Cabin Cabin `json:"cabin"`
	// Connections are the most in each slice, 0 to 2; nil leaves it to the supplier.
	Connections *int `json:"connections,omitempty"`
}

// Slice is one journey of a query.
type Slice struct {
	Origin      string        `json:"origin"` // IATA code of an airport or a city
	Destination string        `json:"destination"`
	Date        calendar.Date `json:"date"`
	Departs     *Window       `json:"departs,omitempty"`
	Arrives     *Window       `json:"arrives,omitempty"`
}

// Window is a span of local time of day: "06:00" to "12:00".
type Window struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Offer is a journey at a price, as the supplier sells it at the moment.
type Offer struct {
	// Code is how people and models call it: that of its search and a number, such as
	// "K7M2-3". It is "" before the search is kept.
	Code string `json:"code"`
	ID   string `json:"id"` // the supplier's; it is shown to no one
	// Passengers are in the order of Query.Ages.
	Passengers []Passenger  `json:"passengers"`
	Total      money.Price  `json:"total"` // for all passengers, taxes included
	Tax        *money.Price `json:"tax,omitempty"`
	Airline    Airline      `json:"airline"` // who sells it
	Slices     []Leg        `json:"slices"`
	Change     Condition    `json:"change"` // before departure
	Refund     Condition    `json:"refund"` // before departure
	// Holdable says that it can be held without paying; PayBy is until when, and PriceUntil
	// how long the price is guaranteed then.
	Holdable   bool       `json:"holdable"`
	PayBy      *time.Time `json:"payBy,omitempty"`
	PriceUntil *time.Time `json:"priceUntil,omitempty"`
	Expires    time.Time  `json:"expires"`
	Emissions  int        `json:"emissions,omitempty"` // kilograms of CO2 for all; 0 when not told
	// Documents says that the airline requires passengers' identity documents.
	Documents bool `json:"documents,omitempty"`
	// Bags are those that each passenger has for the price, the least over all segments.
	Bags Bags `json:"bags"`
	// Brand is the airline's name of the fare, "" for none.
	Brand string `json:"brand,omitempty"`
}

// Passenger is one of an offer's passengers.
type Passenger struct {
	ID   string `json:"id"` // the supplier's
	Age  int    `json:"age"`
	Kind Kind   `json:"kind"`
}

// Kind is what an airline takes a passenger for.
type Kind string

// The kinds: a child is 2 to 11 years old, an infant below 2, without a seat.
const (
	AdultKind Kind = "adult"
	Child     Kind = "child"
	Infant    Kind = "infant_without_seat"
)

// Bags counts bags.
type Bags struct {
	CarryOn int `json:"carryOn"`
	Checked int `json:"checked"`
}

// Airline is a carrier.
type Airline struct {
	Code string `json:"code"` // IATA
	Name string `json:"name"`
}

// Condition is whether something is allowed, and for which penalty. The zero Condition is
// one that the airline does not tell.
type Condition struct {
	Known   bool         `json:"known"`
	Allowed bool         `json:"allowed"`
	Penalty *money.Price `json:"penalty,omitempty"` // nil with Allowed: not told
}

// Leg is what answers one slice of the query.
type Leg struct {
	Origin      string            `json:"origin"` // airport
	Destination string            `json:"destination"`
	Departs     calendar.DateTime `json:"departs"` // local to the origin
	Arrives     calendar.DateTime `json:"arrives"` // local to the destination
	Minutes     int               `json:"minutes"` // from departure to arrival, by the clock
	Segments    []Segment         `json:"segments"`
}

// Stops counts the connections and the stops without a change of plane.
func (l Leg) Stops() int {
	n := len(l.Segments) - 1
	for _, s := range l.Segments {
		n += len(s.Stops)
	}
	return n
}

// Nights is how many days later than it departs, by the local calendars, the leg arrives:
// the 1 of "+1". It can be -1 across the date line.
func (l Leg) Nights() int { return l.Departs.Date.Until(l.Arrives.Date) }

// Segment is one flight.
type Segment struct {
	Origin       string            `json:"origin"`
	Destination  string            `json:"destination"`
	Departs      calendar.DateTime `json:"departs"`
	Arrives      calendar.DateTime `json:"arrives"`
	OriginZone   string            `json:"originZone,omitempty"` // IANA, as the supplier tells it
	DestZone     string            `json:"destinationZone,omitempty"`
	Minutes      int               `json:"minutes"`
	Carrier      Airline           `json:"carrier"`  // whose number it bears
	Operator     Airline           `json:"operator"` // who flies it
	Number       string            `json:"number"`   // "BA117"
	Aircraft     string            `json:"aircraft,omitempty"`
	Stops        []string          `json:"stops,omitempty"` // airports where it lands in between
	OriginTerm   string            `json:"originTerminal,omitempty"`
	DestTerm     string            `json:"destinationTerminal,omitempty"`
	OriginCity   string            `json:"originCity,omitempty"`
	DestCity     string            `json:"destinationCity,omitempty"`
	OriginName   string            `json:"originName,omitempty"`
	DestName     string            `json:"destinationName,omitempty"`
	OriginNation string            `json:"originCountry,omitempty"` // ISO 3166
	DestNation   string            `json:"destinationCountry,omitempty"`
}

// Found are the offers of a query, the cheapest first. More says that the supplier has
// further ones, so that the number of offers is a lower bound (S1-36).
type Found struct {
	Offers []Offer `json:"offers"`
	More   bool    `json:"more"`
}

// Order is a journey that is held or bought.
type Order struct {
	ID        string       // the supplier's; it is shown to no one
	Reference string       // the airline's booking reference: "RZPNX8"; "" while it is pending
	State     State        //
	Offer     Offer        // what was ordered, as far as the supplier tells it again
	Total     money.Price  //
	Paid      bool         //
	PayBy     *time.Time   // of a held one
	Actions   []string     // what the supplier says may be done: cancel, change, update
	Key       string       // under which we ordered it, from its metadata; "" where another ordered it
	Change    *Change      // what the airline changed and the person has not accepted; nil for nothing
	Refunded  *money.Price // of a cancelled one
}

// Change is a change that an airline made to an order.
type Change struct {
	Old []Leg
	New []Leg
}

// State is how far an order is.
type State string

// The states. A pending order was accepted by the airline's system and is not made yet.
const (
	Pending   State = "pending"
	Held      State = "held"
	Confirmed State = "confirmed"
	Cancelled State = "cancelled"
	Failed    State = "failed"
)

// Cancellation is what cancelling an order would give or gave back.
type Cancellation struct {
	ID        string
	Refund    *money.Price // nil: the supplier does not tell
	To        string       // "balance", "original_form_of_payment", "voucher", ...
	Expires   *time.Time
	Confirmed bool
}
