package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// searchFlights are the arguments of search_flights: the six of the source document, and
// what goes beyond them.
type searchFlights struct {
	Origin         string         `json:"origin" jsonschema:"city or airport to leave from: its name or IATA code, such as London or LHR"`
	Destination    string         `json:"destination" jsonschema:"city or airport to arrive at: its name or IATA code"`
	DepartureDate  calendar.Date  `json:"departureDate" jsonschema:"day of departure, local to the origin"`
	ReturnDate     *calendar.Date `json:"returnDate,omitempty" jsonschema:"day of the flight back; none for one way"`
	PassengerCount int            `json:"passengerCount,omitempty" jsonschema:"all passengers, children and infants among them; 1 when left out" limits:"max=100"`
	CabinClass     flights.Cabin  `json:"cabinClass,omitempty" jsonschema:"economy when left out"`
	Ages           []int          `json:"ages,omitempty" jsonschema:"ages of those passengers who are below 18, on the day of the last flight; the others are adults" limits:"max=120"`
	MultiCity      []journey      `json:"multiCity,omitempty" jsonschema:"further journeys after the first, in their order, for a route over several cities; not together with returnDate"`
	wishes
}

// journey is one journey of a route over several cities.
type journey struct {
	Origin        string        `json:"origin" jsonschema:"city or airport to leave from"`
	Destination   string        `json:"destination" jsonschema:"city or airport to arrive at"`
	DepartureDate calendar.Date `json:"departureDate" jsonschema:"day of departure"`
}

// wishes narrow and order offers.
type wishes struct {
	MaxConnections *int          `json:"maxConnections,omitempty" jsonschema:"the most stops of each journey: 0 for non-stop, 1 or 2"`
	DepartAfter    string        `json:"departAfter,omitempty" jsonschema:"earliest local departure of the first journey, HH:MM"`
	DepartBefore   string        `json:"departBefore,omitempty" jsonschema:"latest local departure of the first journey, HH:MM"`
	ArriveBefore   string        `json:"arriveBefore,omitempty" jsonschema:"latest local arrival of the first journey, on the day of departure, HH:MM"`
	ReturnAfter    string        `json:"returnAfter,omitempty" jsonschema:"earliest local departure of the flight back, HH:MM"`
	ReturnBefore   string        `json:"returnBefore,omitempty" jsonschema:"latest local departure of the flight back, HH:MM"`
	Airlines       []string      `json:"airlines,omitempty" jsonschema:"only these airlines: names or IATA codes"`
	MaxPrice       *money.Amount `json:"maxPrice,omitempty" jsonschema:"the most that all passengers together pay, in the currency of the offers"`
	Bags           int           `json:"bags,omitempty" jsonschema:"checked bags that each passenger has to have for the price" limits:"max=9"`
	Refundable     bool          `json:"refundable,omitempty" jsonschema:"only offers that give something back when cancelled before departure"`
	Holdable       bool          `json:"holdable,omitempty" jsonschema:"only offers that can be held without paying"`
	Sort           flights.By    `json:"sort,omitempty" jsonschema:"order of the offers; price when left out"`
}

func (w *wishes) check() error {
	for _, c := range []*string{&w.DepartAfter, &w.DepartBefore, &w.ArriveBefore, &w.ReturnAfter, &w.ReturnBefore} {
		*c = strings.TrimSpace(*c)
		if len(*c) == 4 { // "9:30"
			*c = "0" + *c
		}
		if *c != "" && !isClock(*c) {
			return fault.New(fault.Invalid, "%q is no time of day; write HH:MM, such as 18:00.", cut(*c, 20)).
				WithCode("time_malformed")
		}
	}
	if w.MaxConnections != nil && (*w.MaxConnections < 0 || *w.MaxConnections > 2) {
		return fault.New(fault.Invalid, "maxConnections is 0, 1 or 2.").WithCode("connections_out_of_range")
	}
	return nil
}

func isClock(s string) bool {
	_, err := time.Parse("15:04", s)
	return err == nil && len(s) == 5
}

func (w wishes) filter() flights.Filter {
	return flights.Filter{MaxPrice: w.MaxPrice, Airlines: w.Airlines, Connections: w.MaxConnections, Checked: w.Bags,
		Refundable: w.Refundable, Holdable: w.Holdable, Times: []flights.Times{
			{DepartAfter: w.DepartAfter, DepartBefore: w.DepartBefore, ArriveBefore: w.ArriveBefore},
			{DepartAfter: w.ReturnAfter, DepartBefore: w.ReturnBefore},
		}}
}

// words says what the wishes are, for a note: "non-stop, at most 300".
func (w wishes) words() []string {
	var list []string
	add := func(on bool, format string, args ...any) {
		if on {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	if w.MaxConnections != nil {
		add(*w.MaxConnections == 0, "non-stop")
		add(*w.MaxConnections > 0, "at most %s", plural(*w.MaxConnections, "stop"))
	}
	add(w.DepartAfter != "", "from %s", w.DepartAfter)
	add(w.DepartBefore != "", "until %s", w.DepartBefore)
	add(w.ArriveBefore != "", "arriving by %s", w.ArriveBefore)
	add(w.ReturnAfter != "", "back from %s", w.ReturnAfter)
	add(w.ReturnBefore != "", "back until %s", w.ReturnBefore)
	add(len(w.Airlines) > 0, "with %s", cut(strings.Join(w.Airlines, " or "), 60))
	if w.MaxPrice != nil {
		add(true, "at most %s in all", w.MaxPrice)
	}
	add(w.Bags > 0, "with %s each", plural(w.Bags, "checked bag"))
	add(w.Refundable, "refundable")
	add(w.Holdable, "to be held")
	return list
}

// Check tidies the times and refuses journeys that contradict each other.
func (in *searchFlights) Check() error {
	if in.ReturnDate != nil && len(in.MultiCity) > 0 {
		return fault.New(fault.Invalid,
			"Write either returnDate or multiCity: the way back of a route is its last journey.").
			WithCode("two_returns")
	}
	if n := len(in.MultiCity); n > flights.MaxSlices-1 {
		return fault.New(fault.Invalid, "A route has at most %d journeys.", flights.MaxSlices).
			WithCode("journeys_out_of_range")
	}
	return in.wishes.check()
}

// passengers returns their ages, and what was assumed of them.
func (in searchFlights) passengers() (ages []int, note string) {
	count := in.PassengerCount
	for _, age := range in.Ages {
		if age >= 18 {
			age = flights.Adult
		}
		ages = append(ages, age)
	}
	if count == 0 && len(ages) > 0 && !slices.Contains(ages, flights.Adult) {
		count = len(ages) + 1
		note = "One adult was assumed to travel with the children."
	}
	for range max(count, 1) - len(ages) {
		ages = append(ages, flights.Adult)
	}
	slices.SortStableFunc(ages, func(a, b int) int { return seniority(b) - seniority(a) })
	return ages, note
}

// seniority orders adults before children before infants.
func seniority(age int) int {
	if age == flights.Adult {
		return 1000
	}
	return age
}

// plan is a search in places.
type plan struct {
	query flights.Query
	names []places.Place // the first origin, then each destination
	notes []string
}

func (t *set) plan(in searchFlights) (plan, error) {
	var p plan
	ask := asking{"search_flights", in}
	legs := append([]journey{{in.Origin, in.Destination, in.DepartureDate}}, in.MultiCity...)
	for i, l := range legs {
		path := ""
		if i > 0 {
			path = fmt.Sprintf("multiCity.%d.", i-1)
		}
		from, err := ask.place(path+"origin", l.Origin)
		if err != nil {
			return p, err
		}
		to, err := ask.place(path+"destination", l.Destination)
		if err != nil {
			return p, err
		}
		if i == 0 {
			p.names = append(p.names, from)
		}
		p.names = append(p.names, to)
		for _, end := range []places.Place{from, to} {
			if end.Code == "" {
				return p, noAirport(end)
			}
		}
		p.query.Slices = append(p.query.Slices, flights.Slice{Origin: from.Code, Destination: to.Code,
			Date: l.DepartureDate})
	}
	if in.ReturnDate != nil {
		first := p.query.Slices[0]
		p.query.Slices = append(p.query.Slices, flights.Slice{Origin: first.Destination, Destination: first.Origin,
			Date: *in.ReturnDate})
	}
	var note string
	p.query.Ages, note = in.passengers()
	p.query.Cabin, p.query.Connections = in.CabinClass, in.MaxConnections
	if p.query.Cabin == "" {
		p.query.Cabin = flights.Economy
	}
	bound(p.query.Slices, in.wishes)
	now := t.Now()
	if zone := p.names[0].Location(); zone != nil {
		now = now.In(zone)
	}
	if err := flights.Check(p.query, now); err != nil {
		return p, err
	}
	if note != "" {
		p.notes = append(p.notes, note)
	}
	p.notes = append(p.notes, flights.Notes(p.query)...)
	return p, nil
}

// noAirport refuses a place without an airport, and names the nearest ones.
func noAirport(p places.Place) error {
	var near []string
	for _, n := range places.Nearest(p.Lat, p.Lon, 3) {
		near = append(near, n.Label())
	}
	return fault.New(fault.Invalid, "%s has no airport of its own. The nearest are %s; ask which one is meant.",
		p.Name, strings.Join(near, "; ")).WithCode("place_without_airport")
}

// bound tells the supplier the times of day, as far as it filters by them.
func bound(legs []flights.Slice, w wishes) {
	window := func(from, to string) *flights.Window {
		if from == "" && to == "" {
			return nil
		}
		if from == "" {
			from = "00:00"
		}
		if to == "" {
			to = "23:59"
		}
		return &flights.Window{From: from, To: to}
	}
	legs[0].Departs, legs[0].Arrives = window(w.DepartAfter, w.DepartBefore), window("", w.ArriveBefore)
	if len(legs) > 1 {
		legs[1].Departs = window(w.ReturnAfter, w.ReturnBefore)
	}
}

// shortName is "London" for a city and "London (LGW)" for an airport.
func shortName(p places.Place) string {
	if p.Kind == places.Airport && p.City != "" {
		return p.City + " (" + p.Code + ")"
	}
	return p.Name
}

// title is "London to Lisbon and back", "London to Lisbon to Rome".
func (p plan) title() string {
	var words []string
	for _, n := range p.names {
		words = append(words, shortName(n))
	}
	title := strings.Join(words, " to ")
	if len(p.query.Slices) == 2 && len(p.names) == 2 {
		title += " and back"
	}
	return title
}

// detail is "Fri 4 Dec to Sun 6 Dec 2026 · 2 adults, 1 child (7) · economy".
func (p plan) detail() string {
	first, last := p.query.Slices[0].Date, p.query.Slices[len(p.query.Slices)-1].Date
	days := day(first)
	if last != first {
		days = shortDay(first) + " to " + day(last)
	}
	return strings.Join([]string{days, flights.AgeWords(p.query.Ages),
		strings.ReplaceAll(string(p.query.Cabin), "_", " ")}, " · ")
}

// keptQuery is what a search keeps of its query, for a later filter.
type keptQuery struct {
	flights.Query
	Title  string   `json:"title"`
	Detail string   `json:"detail"`
	Notes  []string `json:"notes,omitempty"`
}

func (t *set) searchFlights() tool.Tool {
	return tool.New(tool.Spec{Name: "search_flights", Effect: tool.Reads, Description: text("search_flights"),
		Retry: retry(), Category: "flights", Component: "FlightCard", Shows: []string{"flights"},
		Untrusted: airlineTexts()},
		func(ctx context.Context, by identity.Caller, in searchFlights) (flightsFound, error) {
			supplier, err := t.flights()
			if err != nil {
				return flightsFound{}, err
			}
			p, err := t.plan(in)
			if err != nil {
				return flightsFound{}, err
			}
			found, err := supplier.Search(ctx, by, p.query)
			if err != nil {
				return flightsFound{}, err
			}
			query := keptQuery{Query: p.query, Title: p.title(), Detail: p.detail(), Notes: p.notes}
			s, err := t.keep(ctx, by, bookings.Flight, query, found, query.Title+", "+query.Detail)
			if err != nil {
				return flightsFound{}, err
			}
			return t.shown(s.Code, query, numbered(s.Code, found), in.wishes), nil
		})
}

// keep keeps a search and returns it with its code.
func (t *set) keep(ctx context.Context, by identity.Caller, kind bookings.Type, query, found any,
	summary string) (bookings.Search, error) {
	q, err := json.Marshal(query)
	if err != nil {
		return bookings.Search{}, err
	}
	f, err := json.Marshal(found)
	if err != nil {
		return bookings.Search{}, err
	}
	return t.Bookings.KeepSearch(ctx, by, bookings.Search{Type: kind, Query: q, Found: f, At: t.Now(),
		Summary: cut(summary, 200)})
}

// numbered gives the offers of a kept search their codes.
func numbered(search string, found flights.Found) flights.Found {
	for i := range found.Offers {
		found.Offers[i].Code = fmt.Sprintf("%s-%d", search, i+1)
	}
	return found
}

// filterFlights are the arguments of filter_flights.
type filterFlights struct {
	Search string `json:"search" jsonschema:"code of the search, such as K7M2"`
	wishes
}

// Check tidies the code and the times.
func (in *filterFlights) Check() error {
	in.Search = codeOf(in.Search)
	return in.wishes.check()
}

func (t *set) filterFlights() tool.Tool {
	return tool.New(tool.Spec{Name: "filter_flights", Effect: tool.Reads, Description: text("filter_flights"),
		Extension: "narrow and order the offers of a search without asking the airlines again", Category: "flights",
		Component: "FlightCard", Shows: []string{"flights"}, Untrusted: airlineTexts()},
		func(ctx context.Context, by identity.Caller, in filterFlights) (flightsFound, error) {
			search, query, found, err := t.flightSearch(ctx, by, in.Search)
			if err != nil {
				return flightsFound{}, err
			}
			out := t.shown(search, query, found, in.wishes)
			if len(found.Offers) > 0 && !t.Now().Before(found.Offers[0].Expires) {
				out.notes = append(out.notes, "These prices have expired; search again for those of now.")
			}
			return out, nil
		})
}

// flightSearch returns a kept search of flights by its code or by that of an offer.
func (t *set) flightSearch(ctx context.Context, by identity.Caller, code string) (string, keptQuery, flights.Found,
	error) {
	var query keptQuery
	var found flights.Found
	s, err := t.Bookings.Search(ctx, by, code)
	if err != nil {
		return "", query, found, err
	}
	if s.Type != bookings.Flight {
		return "", query, found, fault.New(fault.Invalid, "%s is a search for hotels.", s.Code).
			WithCode("wrong_search")
	}
	if err := decode(s, &query, &found); err != nil {
		return "", query, found, err
	}
	return s.Code, query, numbered(s.Code, found), nil
}

// decode reads what a search keeps.
func decode(s bookings.Search, query, found any) error {
	if err := json.Unmarshal(s.Query, query); err != nil {
		return fmt.Errorf("query of a search: %w", err)
	}
	if len(s.Found) == 0 {
		return fault.New(fault.NotFound, "The offers of the search %s are gone. Search again.", s.Code).
			WithCode("search_gone")
	}
	if err := json.Unmarshal(s.Found, found); err != nil {
		return fmt.Errorf("offers of a search: %w", err)
	}
	return nil
}

// codeOf tidies a code.
func codeOf(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }
