package part

import (
	"errors"
	"fmt"
	"strings"
)

// Flights is the content of a part of the kind flights: offers that were found, of which
// three may be pointed out. The part's tool and arguments are the search, so that a client
// can change one and search again (S1-17).
type Flights struct {
	Search string `json:"search"` // its code
	Title  string `json:"title"`  // "London to New York"
	Detail string `json:"detail"` // "Fri 4 Dec · 2 adults, 1 child (7) · economy"
	// Picks are the answers: cheapest, fastest, best; one offer may be several.
	Picks  []FlightPick  `json:"picks"`
	Offers []FlightOffer `json:"offers"`
	// Total is how many offers there are at least; More says that there may be others.
	Total int  `json:"total"`
	More  bool `json:"more"`
	// Notes say what was filtered here and not by the supplier, and the like.
	Notes []string `json:"notes,omitempty"`
}

// FlightPick points an offer out.
type FlightPick struct {
	Label string `json:"label"` // "Cheapest"
	Offer string `json:"offer"`
	Why   string `json:"why"` // "€212 less than the fastest"
}

// FlightOffer is an offer as people see it.
type FlightOffer struct {
	Code    string      `json:"code"`
	Airline string      `json:"airline"`
	Carrier string      `json:"carrier"` // IATA code
	Price   string      `json:"price"`   // for all, formatted: "€1,234.50"
	Per     string      `json:"per,omitempty"`
	Legs    []FlightLeg `json:"legs"`
	Bags    string      `json:"bags"`   // "1 carry-on, no checked bag"
	Refund  string      `json:"refund"` // "Refundable for £40.00"
	Change  string      `json:"change"`
	Hold    string      `json:"hold,omitempty"` // "Can be held until Fri 4 Dec, 18:00"
	Expires string      `json:"expires"`        // RFC 3339
	CO2     int         `json:"co2,omitempty"`  // kilograms
	// Do are calls: details, hold, book, add to the itinerary.
	Do []Choice `json:"do,omitempty"`
}

// FlightLeg is one journey of an offer; times are local: "21:35".
type FlightLeg struct {
	From     string   `json:"from"` // IATA code
	FromName string   `json:"fromName,omitempty"`
	To       string   `json:"to"`
	ToName   string   `json:"toName,omitempty"`
	Date     string   `json:"date"` // YYYY-MM-DD of departure
	Departs  string   `json:"departs"`
	Arrives  string   `json:"arrives"`
	Nights   int      `json:"nights,omitempty"` // the 1 of "+1"
	Minutes  int      `json:"minutes"`
	Stops    int      `json:"stops"`
	Via      []string `json:"via,omitempty"` // "AMS, 1 h 25 min"
	Numbers  []string `json:"numbers"`       // "BA117"
}

// Kind is "flights".
func (Flights) Kind() string { return "flights" }

// Text lists the offers with their prices.
func (f Flights) Text() string {
	lines := []string{f.Title + " · " + f.Detail}
	picked := map[string][]string{}
	for _, p := range f.Picks {
		picked[p.Offer] = append(picked[p.Offer], p.Label)
	}
	for _, o := range f.Offers {
		line := "- " + o.Code + ": " + o.Airline + ", " + o.Price
		if labels := picked[o.Code]; labels != nil {
			line += " (" + strings.ToLower(strings.Join(labels, ", ")) + ")"
		}
		for _, l := range o.Legs {
			arrives := l.Arrives
			if l.Nights != 0 {
				arrives += fmt.Sprintf(" %+d", l.Nights)
			}
			line += fmt.Sprintf("; %s %s %s to %s %s", l.Date, l.From, l.Departs, l.To, arrives)
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, f.Notes...), "\n")
}

// Check requires a title, codes and prices, and picks that are among the offers.
func (f Flights) Check() error {
	if f.Title == "" || f.Search == "" {
		return errors.New("flights have a title and the code of their search")
	}
	known := map[string]bool{}
	for _, o := range f.Offers {
		if o.Code == "" || o.Price == "" || len(o.Legs) == 0 {
			return errors.New("an offer has a code, a price and a journey")
		}
		if err := checkEach(o.Do); err != nil {
			return err
		}
		known[o.Code] = true
	}
	for _, p := range f.Picks {
		if !known[p.Offer] {
			return fmt.Errorf("the offer %s is pointed out and not shown", p.Offer)
		}
	}
	return nil
}

// Cut leaves out the last offers that are not pointed out.
func (f Flights) Cut(share float64) Data {
	picked := map[string]bool{}
	for _, p := range f.Picks {
		picked[p.Offer] = true
	}
	keep := max(1, int(float64(len(f.Offers))*share))
	var offers []FlightOffer
	for _, o := range f.Offers {
		if picked[o.Code] || len(offers) < keep {
			offers = append(offers, o)
		}
	}
	f.Offers, f.More = offers, true
	return f
}

// Stays is the content of a part of the kind stays: hotels that were found; see Flights.
type Stays struct {
	Search string      `json:"search"`
	Title  string      `json:"title"`  // "Lisbon"
	Detail string      `json:"detail"` // "5 to 8 Dec · 3 nights · 2 adults · 1 room"
	Hotels []StayHotel `json:"hotels"`
	Total  int         `json:"total"`
	More   bool        `json:"more"`
	Notes  []string    `json:"notes,omitempty"`
}

// StayHotel is a hotel as people see it.
type StayHotel struct {
	Code      string   `json:"code"`
	Name      string   `json:"name"`
	Address   string   `json:"address,omitempty"`
	Stars     int      `json:"stars,omitempty"`
	Review    string   `json:"review,omitempty"` // "8.4"
	Price     string   `json:"price"`            // for all nights and rooms
	Per       string   `json:"per,omitempty"`    // a night
	Amenities []string `json:"amenities,omitempty"`
	Distance  string   `json:"distance,omitempty"` // from the place that was named
	// Rates are its rooms, where they were asked for.
	Rates []StayRate `json:"rates,omitempty"`
	Do    []Choice   `json:"do,omitempty"`
}

// StayRate is a room at a price.
type StayRate struct {
	Code   string   `json:"code"`
	Room   string   `json:"room"`
	Board  string   `json:"board"`
	Price  string   `json:"price"`
	Refund string   `json:"refund"` // "Free cancellation until 3 Dec, 14:00"
	Pay    string   `json:"pay"`    // "Paid now", "€12.00 tourist tax at the hotel"
	Do     []Choice `json:"do,omitempty"`
}

// Kind is "stays".
func (Stays) Kind() string { return "stays" }

// Text lists the hotels with their prices.
func (s Stays) Text() string {
	lines := []string{s.Title + " · " + s.Detail}
	for _, h := range s.Hotels {
		lines = append(lines, "- "+h.Code+": "+h.Name+", "+h.Price)
		for _, r := range h.Rates {
			lines = append(lines, "  - "+strings.Join([]string{r.Code, r.Room, r.Board, r.Price, r.Refund}, ", "))
		}
	}
	return strings.Join(append(lines, s.Notes...), "\n")
}

// Check requires a title, codes, names and prices.
func (s Stays) Check() error {
	if s.Title == "" || s.Search == "" {
		return errors.New("stays have a title and the code of their search")
	}
	for _, h := range s.Hotels {
		if h.Code == "" || h.Name == "" || h.Price == "" {
			return errors.New("a hotel has a code, a name and a price")
		}
		do := h.Do
		for _, r := range h.Rates {
			do = append(do[:len(do):len(do)], r.Do...)
		}
		if err := checkEach(do); err != nil {
			return err
		}
	}
	return nil
}

// Cut leaves out the last hotels.
func (s Stays) Cut(share float64) Data {
	s.Hotels, s.More = s.Hotels[:max(1, int(float64(len(s.Hotels))*share))], true
	return s
}

// Itinerary is the content of a part of the kind itinerary: a trip by day.
type Itinerary struct {
	Trip    string `json:"trip"` // its code
	Version int    `json:"version"`
	Title   string `json:"title"`
	Detail  string `json:"detail"` // "4 to 8 Dec 2026 · 2 flights, 1 hotel"
	// Days are those of the trip in order; a day without items is among them.
	Days []ItineraryDay `json:"days"`
	// Warnings are conflicts and gaps in sentences.
	Warnings []string `json:"warnings,omitempty"`
	// Calendar is the address of the calendar file, below /api/.
	Calendar string   `json:"calendar,omitempty"`
	Do       []Choice `json:"do,omitempty"`
}

// ItineraryDay is a day.
type ItineraryDay struct {
	Date  string          `json:"date"`            // YYYY-MM-DD
	Place string          `json:"place,omitempty"` // where the night is
	Items []ItineraryItem `json:"items"`
}

// ItineraryItem is an item on a day. Times are local to their places.
type ItineraryItem struct {
	Code   string   `json:"code"`
	Type   string   `json:"type"`
	Status string   `json:"status"` // planned, held, booked, cancelled
	Title  string   `json:"title"`
	From   string   `json:"from,omitempty"` // "21:35"; "" for the whole day
	To     string   `json:"to,omitempty"`
	Nights int      `json:"nights,omitempty"` // how many days later it ends
	Zone   string   `json:"zone,omitempty"`   // "GMT+1" where it differs from the item before
	Detail string   `json:"detail,omitempty"`
	Warn   string   `json:"warn,omitempty"`
	Do     []Choice `json:"do,omitempty"`
}

// Kind is "itinerary".
func (Itinerary) Kind() string { return "itinerary" }

// Text lists the days.
func (i Itinerary) Text() string {
	lines := []string{i.Title + " · " + i.Detail}
	for _, d := range i.Days {
		lines = append(lines, d.Date)
		for _, t := range d.Items {
			clock := t.From
			if t.To != "" {
				clock += " to " + t.To
			}
			if t.Nights != 0 {
				clock += fmt.Sprintf(" %+d", t.Nights)
			}
			lines = append(lines, strings.TrimSpace("- "+clock+" "+t.Title)+" ("+t.Status+")")
		}
	}
	return strings.Join(append(lines, i.Warnings...), "\n")
}

// Check requires a trip, a title, and items with codes and titles.
func (i Itinerary) Check() error {
	if i.Trip == "" || i.Title == "" {
		return errors.New("an itinerary has a trip and a title")
	}
	if i.Calendar != "" && !strings.HasPrefix(i.Calendar, "/api/") {
		return errors.New("a calendar file is below /api/")
	}
	do := i.Do
	for _, d := range i.Days {
		for _, t := range d.Items {
			if t.Code == "" || t.Title == "" {
				return errors.New("an item has a code and a title")
			}
			do = append(do[:len(do):len(do)], t.Do...)
		}
	}
	return checkEach(do)
}

// Reserved is the content of a part of the kind booking: something that is held or booked.
type Reserved struct {
	Code      string   `json:"code"`
	Type      string   `json:"type"`  // flight, hotel, activity
	State     string   `json:"state"` // pending, held, confirmed, cancelled, failed
	Title     string   `json:"title"`
	Reference string   `json:"reference,omitempty"`
	Price     string   `json:"price,omitempty"`
	PayBy     string   `json:"payBy,omitempty"` // RFC 3339
	Lines     []string `json:"lines,omitempty"`
	Change    string   `json:"change,omitempty"` // what the airline changed
	Do        []Choice `json:"do,omitempty"`
}

// Kind is "booking".
func (Reserved) Kind() string { return "booking" }

// Text says what is booked and how firm it is.
func (r Reserved) Text() string {
	words := []string{r.Code + ": " + r.Title, r.State}
	for _, more := range []string{r.Reference, r.Price, r.Change} {
		if more != "" {
			words = append(words, more)
		}
	}
	return strings.Join(append([]string{strings.Join(words, ", ")}, r.Lines...), "\n")
}

// Check requires a code, a title and a state.
func (r Reserved) Check() error {
	if r.Code == "" || r.Title == "" || r.State == "" {
		return errors.New("a booking has a code, a title and a state")
	}
	return checkEach(r.Do)
}

// Travellers is the content of a part of the kind travellers: it asks the client to open
// the form in which travellers are entered, which goes to its own endpoint.
type Travellers struct {
	Title string `json:"title"` // "Who travels?"
	// Wanted are the travellers of the booking with what is missing of each; Code is "" for
	// one who is not entered yet.
	Wanted []WantedTraveller `json:"wanted"`
}

// WantedTraveller is one of them.
type WantedTraveller struct {
	Code    string   `json:"code,omitempty"` // "PAX-1"
	Kind    string   `json:"kind"`           // "adult", "child (7)", "infant"
	Missing []string `json:"missing,omitempty"`
}

// Kind is "travellers".
func (Travellers) Kind() string { return "travellers" }

// Text says who is wanted.
func (t Travellers) Text() string {
	lines := []string{t.Title}
	for _, w := range t.Wanted {
		line := "- " + strings.TrimSpace(w.Code+" "+w.Kind)
		if len(w.Missing) > 0 {
			line += ": " + strings.Join(w.Missing, ", ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Check requires a title.
func (t Travellers) Check() error {
	if t.Title == "" {
		return errors.New("travellers have a title")
	}
	return nil
}
