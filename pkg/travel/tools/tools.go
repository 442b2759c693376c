// Package tools has the tools of the travel assistant: they search for flights and hotels,
// hold, book and cancel them, keep itineraries, and remember what a person likes.
//
// Ids of suppliers stay in the stores: offers, hotels, rates, bookings and travellers are
// named by codes, and what is personal of a traveller is read in the moment of an order
// alone. What spends money is shown with its price of now, asked for, and done once.
package tools

import (
	"embed"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// Config is what the tools need.
type Config struct {
	// Flights and Stays are nil where no supplier is set up, which the tools then say.
	Flights     flights.Supplier
	Stays       stays.Supplier
	Bookings    bookings.Store
	Trips       itinerary.Store
	Travellers  travellers.Store
	Preferences preferences.Store
	Outbox      effect.Outbox
	Now         calendar.Clock
}

//go:embed texts/*.md
var texts embed.FS

// text returns what models read of a tool.
func text(name string) string {
	raw, err := texts.ReadFile("texts/" + name + ".md")
	if err != nil {
		return "" // Check reports it
	}
	return strings.Join(strings.Fields(string(raw)), " ")
}

// Tools returns the tools: first the four of the source document, then those that go
// beyond it.
func Tools(c Config) []tool.Tool {
	t := &set{c}
	return []tool.Tool{
		t.searchFlights(), t.searchHotels(), t.blockTravelTime(), t.addHotel(),
		t.filterFlights(), t.getFlightOffer(), t.holdFlight(), t.bookFlight(), t.payHeldFlight(), t.cancelBooking(),
		t.listBookings(), t.getBooking(), t.getHotelRates(), t.bookHotel(),
		t.showItinerary(), t.listTrips(), t.addFlight(), t.addActivity(), t.moveItem(), t.removeItem(), t.renameTrip(),
		t.exportCalendar(), t.travelHints(),
		t.listTravellers(), t.showPreferences(), t.updatePreferences(), t.rememberDecision(), t.forgetDecision(),
		t.searchPastTrips(), t.addPastBooking(), t.rateBooking(),
	}
}

// set makes the tools of one Config.
type set struct{ Config }

// Members of answers in which text of hotels, airlines and people stands.
func hotelTexts() []string   { return []string{"name", "address", "terms", "room", "entry"} }
func airlineTexts() []string { return []string{"change", "brand"} }
func noteTexts() []string    { return []string{"notes", "feedback"} }

// retry is how often what reads from a supplier is tried again (S1-3): once, and only where
// the supplier or the network was not there for a moment.
func retry() tool.Retry {
	return tool.Retry{Most: 1, Delay: time.Second, Which: func(err error) bool {
		switch fault.KindOf(err) {
		case fault.Unavailable, fault.Timeout, fault.Limited:
			return fault.From(err).Code != notSetUp
		}
		return false
	}}
}

// notSetUp is the code of a refusal where a supplier is missing.
const notSetUp = "supplier_not_set_up"

func (t *set) flights() (flights.Supplier, error) {
	if t.Flights == nil {
		return nil, fault.New(fault.Unavailable,
			"No supplier of flights is set up here, so flights cannot be searched or booked.").WithCode(notSetUp)
	}
	return t.Flights, nil
}

func (t *set) stays() (stays.Supplier, error) {
	if t.Stays == nil {
		return nil, fault.New(fault.Unavailable,
			"No supplier of hotels is set up here, so hotels cannot be searched or booked.").WithCode(notSetUp)
	}
	return t.Stays, nil
}

// day writes a date for people: "Fri 4 Dec 2026".
func day(d calendar.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format("Mon 2 Jan 2006")
}

// shortDay is day without the year.
func shortDay(d calendar.Date) string { return d.Time().Format("Mon 2 Jan") }

// moment writes a moment for people: "Fri 4 Dec 2026, 18:00 UTC".
func moment(m time.Time) string { return m.UTC().Format("Mon 2 Jan 2006, 15:04 UTC") }

// thereAre says how many there are: "There is one booking.", "There are 3 bookings."
func thereAre(n int, one string) string {
	if n == 1 {
		return "There is one " + one + "."
	}
	return "There are " + plural(n, one) + "."
}

// plural counts: "1 night", "3 nights".
func plural(n int, one string) string {
	s := itoa(n) + " " + one
	if n != 1 {
		s += "s"
	}
	return s
}
