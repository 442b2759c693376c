// Package reading understands what a person writes to the travel assistant, and answers
// it from the results of tools, without a model. It reads English, and the dates, counts
// and simple orders of plain Hinglish. It is pure: the same message in the same context
// gives the same reading.
//
// A reading never guesses silently: what is wanted and was not said is asked for, one
// thing at a time (Missing), what was filled in is told (Assumed), and what was not
// understood is told as well (Ignored). Holding, booking, paying and cancelling are read
// from a clear order only, never from a question or a condition.
package reading

import (
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// Intent is what a message wants.
type Intent string

// The intents. Unknown is a message that no rule understands.
const (
	Unknown       Intent = ""
	SearchFlights Intent = "search_flights"
	SearchHotels  Intent = "search_hotels"
	SearchBoth    Intent = "search_both" // flights and hotels at the same time
	Filter        Intent = "filter"      // the flights that were shown, fewer or in another order
	Details       Intent = "details"     // of an offer
	Conditions    Intent = "conditions"  // what changing or cancelling an offer would cost
	HotelRates    Intent = "hotel_rates"
	Hold          Intent = "hold"
	Book          Intent = "book" // a flight
	BookHotel     Intent = "book_hotel"
	Pay           Intent = "pay" // a held flight
	Cancel        Intent = "cancel_booking"
	ListBookings  Intent = "list_bookings"
	ShowBooking   Intent = "show_booking"
	ShowTrip      Intent = "show_itinerary"
	ListTrips     Intent = "list_trips"
	AddFlight     Intent = "add_flight_to_itinerary"
	AddHotel      Intent = "add_hotel_to_itinerary"
	AddActivity   Intent = "add_activity_to_itinerary"
	BlockTime     Intent = "block_travel_time"
	MoveItem      Intent = "move_itinerary_item"
	RemoveItem    Intent = "remove_itinerary_item"
	RenameTrip    Intent = "rename_trip"
	Calendar      Intent = "export_calendar"
	Travellers    Intent = "list_travellers"
	ShowPrefs     Intent = "show_preferences"
	UpdatePrefs   Intent = "update_preferences"
	Remember      Intent = "remember_decision"
	Forget        Intent = "forget_decision"
	PastTrips     Intent = "search_past_trips"
	RateBooking   Intent = "rate_booking"
	Hints         Intent = "travel_hints"
	Help          Intent = "help"
	Greeting      Intent = "greeting"
	Thanks        Intent = "thanks"
	// HowToPay asks how something is paid, and Send wants something to be sent to people,
	// which the assistant cannot do.
	HowToPay Intent = "how_to_pay"
	Send     Intent = "send"
	// Decline is a person who does not want what was asked or proposed: nothing is done.
	Decline Intent = "decline"
)

// Context is what a message is read in.
type Context struct {
	Now  time.Time
	Zone *time.Location // the person's; nil is UTC
	// Home is the IATA code of the airport or city from which the person travels unless
	// they say otherwise; "" falls back on Prefs.Home.
	Home string
	// Open is what the last answer showed or asked; nil at the beginning.
	Open  *Open
	Prefs preferences.Preferences
}

func (c Context) today() calendar.Date {
	zone := c.Zone
	if zone == nil {
		zone = time.UTC
	}
	return calendar.Today(c.Now, zone)
}

func (c Context) home() string {
	if c.Home != "" {
		return c.Home
	}
	return c.Prefs.Home
}

// Reading is what a message asks for. The members that an intent does not need are zero.
type Reading struct {
	Intent  Intent   `json:"intent,omitempty"`
	Flights *Flights `json:"flights,omitempty"` // the whole query, corrections applied
	Hotels  *Hotels  `json:"hotels,omitempty"`
	// Offer, Hotel, Rate, Booking, Trip, Item and Decision are codes.
	Offer   string `json:"offer,omitempty"`
	Hotel   string `json:"hotel,omitempty"`
	Rate    string `json:"rate,omitempty"`
	Booking string `json:"booking,omitempty"`
	// Reference is the airline's or the hotel's of the booking that is meant, where its
	// code is not known.
	Reference string `json:"reference,omitempty"`
	Trip      string `json:"trip,omitempty"`
	Item      string `json:"item,omitempty"`
	Decision  string `json:"decision,omitempty"`
	// Travellers are codes of profiles, as the person named them.
	Travellers []string `json:"travellers,omitempty"`
	// Text is a title, a note, what to remember, or what to look for.
	Text string `json:"text,omitempty"`
	// Place, Origin and Destination of an activity or of blocked time, as people call them
	// or as codes.
	Place       string               `json:"place,omitempty"`
	Origin      string               `json:"origin,omitempty"`
	Destination string               `json:"destination,omitempty"`
	Day         calendar.Date        `json:"day,omitzero"`
	From        string               `json:"from,omitempty"` // time of day: "09:00"
	To          string               `json:"to,omitempty"`
	Stars       int                  `json:"stars,omitempty"` // 1 to 5
	Changes     *preferences.Changes `json:"changes,omitempty"`
	// Past says that bookings and trips of the past are meant.
	Past bool `json:"past,omitempty"`

	// Missing is what has to be asked before anything is done. The first is asked; the
	// others wait, since its answer may make them needless.
	Missing []Question `json:"missing,omitempty"`
	// Assumed are sentences that say what was filled in or how words were taken.
	Assumed []string `json:"assumed,omitempty"`
	// Ignored are words of the message that mean nothing to the rules, in their order.
	Ignored []string `json:"-"`
}

// Sure reports whether the whole message was understood and nothing has to be asked.
func (r Reading) Sure() bool {
	return r.Intent != Unknown && len(r.Missing) == 0 && len(r.Ignored) == 0
}

// Acts reports whether the intent spends or gives back money or holds something.
func (r Reading) Acts() bool {
	switch r.Intent {
	case Hold, Book, BookHotel, Pay, Cancel:
		return true
	}
	return false
}

// Question is what is asked.
type Question struct {
	Of   string `json:"of"` // what is wanted: one of the constants below
	Text string `json:"text"`
	// Choices are answers to press; the person may also write another.
	Choices []Choice `json:"choices,omitempty"`
}

// What a question asks for.
const (
	OfOrigin      = "origin"
	OfDestination = "destination"
	OfDate        = "date"
	OfReturn      = "return"
	OfCheckIn     = "checkIn"
	OfCheckOut    = "checkOut"
	OfPlace       = "place"
	OfAges        = "ages"
	OfPeople      = "people"
	OfTime        = "time"
	OfIntent      = "intent"
	OfOffer       = "offer"
	OfHotel       = "hotel"
	OfRate        = "rate"
	OfBooking     = "booking"
	OfTrip        = "trip"
	OfItem        = "item"
	OfTravellers  = "travellers"
	OfStars       = "stars"
	OfText        = "text"
	OfDecision    = "decision"
)

// Choice is an answer to a question. Value is what it means to the rules: a code, a date,
// an intent.
type Choice struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Flights is a search for flights as a person says it.
type Flights struct {
	Origin      string        `json:"origin,omitempty"` // IATA code
	Destination string        `json:"destination,omitempty"`
	Departure   calendar.Date `json:"departure,omitzero"`
	Return      calendar.Date `json:"return,omitzero"`
	// Legs are those of a journey to several cities; the four above are empty then.
	Legs []Leg `json:"legs,omitempty"`
	// Adults and Children are the passengers; Children are ages below eighteen in years,
	// or UnknownAge.
	Adults   int    `json:"adults,omitempty"`
	Children []int  `json:"children,omitempty"`
	Cabin    string `json:"cabin,omitempty"`
	// Connections are the most of each journey; nil is any number.
	Connections  *int     `json:"connections,omitempty"`
	DepartAfter  string   `json:"departAfter,omitempty"` // local time of day: "18:00"
	DepartBefore string   `json:"departBefore,omitempty"`
	ArriveBefore string   `json:"arriveBefore,omitempty"`
	BackAfter    string   `json:"backAfter,omitempty"` // when the return departs
	BackBefore   string   `json:"backBefore,omitempty"`
	Airlines     []string `json:"airlines,omitempty"` // IATA codes
	MaxPrice     string   `json:"maxPrice,omitempty"` // a decimal, for all passengers
	Currency     string   `json:"currency,omitempty"` // of MaxPrice, as far as it was said
	Bags         int      `json:"bags,omitempty"`     // checked bags of each passenger
	Refundable   bool     `json:"refundable,omitempty"`
	Holdable     bool     `json:"holdable,omitempty"` // without paying
	Sort         string   `json:"sort,omitempty"`
	OneWay       bool     `json:"oneWay,omitempty"` // said
	// RoundTrip says that a way back was said, and Nights for how long: what a question
	// leaves open is kept in them.
	RoundTrip bool `json:"roundTrip,omitempty"`
	Nights    int  `json:"nights,omitempty"`
}

// UnknownAge is the age of a child of whom it was not said.
const UnknownAge = -2

// Leg is one journey of several.
type Leg struct {
	Origin      string        `json:"origin,omitempty"`
	Destination string        `json:"destination,omitempty"`
	Date        calendar.Date `json:"date,omitzero"`
}

// Passengers counts the passengers.
func (f Flights) Passengers() int { return f.Adults + len(f.Children) }

// Hotels is a search for hotels as a person says it.
type Hotels struct {
	Place    string        `json:"place,omitempty"` // an IATA code, or a name
	CheckIn  calendar.Date `json:"checkIn,omitzero"`
	CheckOut calendar.Date `json:"checkOut,omitzero"`
	Adults   int           `json:"adults,omitempty"`
	Children []int         `json:"children,omitempty"`
	Rooms    int           `json:"rooms,omitempty"`
	MinPrice string        `json:"minPrice,omitempty"`
	MaxPrice string        `json:"maxPrice,omitempty"`
	Currency string        `json:"currency,omitempty"`
	// ForStay says that the prices are for the whole stay, not for a night and room.
	ForStay   bool     `json:"forStay,omitempty"`
	Nights    int      `json:"nights,omitempty"`
	Amenities []string `json:"amenities,omitempty"`
}

// Guests counts the guests.
func (h Hotels) Guests() int { return h.Adults + len(h.Children) }
