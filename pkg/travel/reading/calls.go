package reading

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Result is how a call ended, in the terms of agent.Answered.
type Result struct {
	Tool      string
	Arguments json.RawMessage
	Data      json.RawMessage // what models see of the answer
	Text      string
	Err       error
}

// Call is a call of a tool. Its arguments are of the tool's own form.
type Call struct {
	Tool    string
	Args    json.RawMessage
	Purpose string // for people: "search for flights"
}

// Calls returns the calls that follow on the results so far, which are those of this
// reading, in their order; none when there is nothing more to do. The same results lead
// to the same calls. A reading that misses something calls at most what shows the choices.
func Calls(r Reading, results []Result) []Call {
	steps := steps(r)
	done := 0
	for _, step := range steps {
		calls := step(results[:done])
		if len(calls) == 0 {
			continue
		}
		if slices.ContainsFunc(calls, Call.lacks) {
			return nil
		}
		if done += len(calls); done <= len(results) {
			continue
		}
		return calls
	}
	return nil
}

// lacks reports whether an argument is missing that the tool cannot do without.
func (c Call) lacks() bool {
	var wanted []string
	switch c.Tool {
	case "search_flights":
		wanted = []string{"origin", "destination", "departureDate"}
	case "search_hotels":
		wanted = []string{"location", "checkIn", "checkOut"}
	case "get_flight_offer", "hold_flight", "book_flight":
		wanted = []string{"offer"}
	case "get_hotel_rates":
		wanted = []string{"hotel"}
	case "book_hotel":
		wanted = []string{"rate"}
	case "pay_held_flight", "cancel_booking", "get_booking", "rate_booking":
		wanted = []string{"booking"}
	case "add_hotel_to_itinerary":
		wanted = []string{"hotelName", "location", "checkIn", "checkOut"}
	case "add_activity_to_itinerary":
		wanted = []string{"title", "place", "date"}
	case "block_travel_time":
		wanted = []string{"origin", "destination", "date", "startTime", "endTime"}
	case "move_itinerary_item", "remove_itinerary_item":
		wanted = []string{"trip", "item"}
	case "rename_trip":
		wanted = []string{"trip", "title"}
	case "remember_decision":
		wanted = []string{"text"}
	case "filter_flights":
		wanted = []string{"search"}
	}
	var args map[string]any
	if json.Unmarshal(c.Args, &args) != nil {
		return true
	}
	return slices.ContainsFunc(wanted, func(name string) bool { return args[name] == nil || args[name] == "" })
}

type step = func([]Result) []Call

func one(tool, purpose string, args map[string]any) step {
	return func([]Result) []Call { return []Call{call(tool, purpose, args)} }
}

func call(tool, purpose string, args map[string]any) Call {
	for name, value := range args {
		if s, ok := value.(string); ok && s == "" {
			delete(args, name)
		}
	}
	raw, err := json.Marshal(args)
	if err != nil { // strings, numbers and lists of them
		raw = []byte("{}")
	}
	return Call{Tool: tool, Args: raw, Purpose: purpose}
}

// steps are the calls of a reading, one after the other where one needs another's result.
func steps(r Reading) []step {
	if len(r.Missing) > 0 {
		return shows(r.Missing[0].Of, r)
	}
	type m = map[string]any
	if r.Reference != "" && r.Booking == "" {
		return []step{one("list_bookings", "look for "+r.Reference, m{"text": r.Reference}), r.referred}
	}
	switch r.Intent {
	case SearchFlights:
		return []step{one("search_flights", "search for flights", r.Flights.args())}
	case SearchHotels:
		return []step{one("search_hotels", "search for hotels", r.Hotels.args())}
	case SearchBoth:
		return []step{func([]Result) []Call {
			return []Call{call("search_flights", "search for flights", r.Flights.args()),
				call("search_hotels", "search for hotels", r.Hotels.args())}
		}}
	case Filter:
		args := r.Flights.wishes()
		args["search"] = r.Text
		return []step{one("filter_flights", "narrow the offers down", args)}
	case Details:
		return []step{one("get_flight_offer", "look at "+r.Offer+" at its price of now", m{"offer": r.Offer})}
	case Conditions:
		return []step{one("get_flight_offer", "look at the conditions of "+r.Offer, m{"offer": r.Offer})}
	case HotelRates:
		return []step{one("get_hotel_rates", "look at the rooms of "+r.Hotel, m{"hotel": r.Hotel})}
	case Hold:
		return []step{one("hold_flight", "hold "+r.Offer, withTravellers(m{"offer": r.Offer, "trip": r.Trip},
			r.Travellers))}
	case Book:
		return []step{one("book_flight", "book "+r.Offer, withTravellers(m{"offer": r.Offer, "trip": r.Trip},
			r.Travellers))}
	case BookHotel:
		return []step{one("book_hotel", "book "+r.Rate, withTravellers(m{"rate": r.Rate, "trip": r.Trip},
			r.Travellers))}
	case Pay:
		return []step{one("pay_held_flight", "pay "+r.Booking, m{"booking": r.Booking})}
	case Cancel:
		return []step{one("cancel_booking", "cancel "+r.Booking, m{"booking": r.Booking})}
	case ListBookings:
		args := m{"text": r.Text}
		if r.Past {
			args["when"] = "past"
		}
		return []step{one("list_bookings", "list the bookings", args)}
	case ShowBooking:
		return []step{one("get_booking", "look at "+r.Booking, m{"booking": r.Booking})}
	case ShowTrip:
		if r.Text != "" {
			return []step{one("list_trips", "look for the trip", m{}), r.namedTrip}
		}
		return []step{one("show_itinerary", "show the trip", m{"trip": r.Trip})}
	case ListTrips:
		return []step{one("list_trips", "list the trips", m{})}
	case AddFlight:
		add := one("add_flight_to_itinerary", "put the flight into the trip", m{"offer": r.Offer,
			"booking": r.Booking, "trip": r.Trip})
		return exported(r, add)
	case AddHotel:
		// The hotel's name, place and days are those of its search.
		add := one("add_hotel_to_itinerary", "put the hotel into the trip", r.hotelArgs())
		return exported(r, add)
	case AddActivity:
		return []step{one("add_activity_to_itinerary", "put "+r.Text+" into the trip", m{"title": r.Text,
			"place": r.Place,
			"date":  r.Day.String(), "startTime": r.From, "endTime": r.To, "trip": r.Trip})}
	case BlockTime:
		return []step{one("block_travel_time", "block time for travelling", m{"origin": r.Origin,
			"destination": r.Destination,
			"date":        r.Day.String(), "startTime": r.From, "endTime": r.To, "notes": r.Text, "trip": r.Trip})}
	case MoveItem:
		return []step{one("move_itinerary_item", "move "+r.Item, m{"trip": r.Trip, "item": r.Item,
			"date":      r.Day.String(),
			"startTime": r.From, "endTime": r.To})}
	case RemoveItem:
		return []step{one("remove_itinerary_item", "remove "+r.Item, m{"trip": r.Trip, "item": r.Item})}
	case RenameTrip:
		return []step{one("rename_trip", "rename the trip", m{"trip": r.Trip, "title": r.Text})}
	case Calendar:
		return []step{one("export_calendar", "make the calendar file", m{"trip": r.Trip})}
	case Travellers:
		return []step{one("list_travellers", "list the travellers", m{})}
	case ShowPrefs:
		return []step{one("show_preferences", "show what is remembered", m{})}
	case UpdatePrefs:
		raw, err := json.Marshal(r.Changes)
		if err != nil || r.Changes == nil {
			return nil
		}
		return []step{func([]Result) []Call {
			calls := []Call{{Tool: "update_preferences", Args: raw, Purpose: "remember the preference"}}
			if r.Text != "" {
				calls = append(calls, r.remember())
			}
			return calls
		}}
	case Remember:
		return []step{func([]Result) []Call { return []Call{r.remember()} }}
	case Forget:
		if r.Decision == "" {
			return []step{one("show_preferences", "show what is remembered", m{})}
		}
		return []step{one("forget_decision", "forget "+r.Decision, m{"decision": r.Decision})}
	case PastTrips:
		return []step{one("search_past_trips", "look through past trips", m{"text": r.Text})}
	case RateBooking:
		return []step{one("rate_booking", "rate "+r.Booking, m{"booking": r.Booking, "rating": r.Stars,
			"feedback": r.Text})}
	case Hints:
		return []step{one("travel_hints", "look what matters for the trip", m{"trip": r.Trip})}
	}
	return nil
}

func (r Reading) remember() Call {
	return call("remember_decision", "remember it", map[string]any{"text": cutText(r.Text, 200),
		"about": about(r.Text)})
}

// referred finds the one booking of a list that has the reference, and does with it what is
// wanted.
func (r Reading) referred(results []Result) []Call {
	var d struct {
		Bookings []struct {
			Code      string `json:"code"`
			Reference string `json:"reference"`
		} `json:"bookings"`
	}
	if last := results[len(results)-1]; last.Err != nil || json.Unmarshal(last.Data, &d) != nil {
		return nil
	}
	for _, b := range d.Bookings {
		if strings.EqualFold(b.Reference, r.Reference) {
			if r.Booking != "" {
				return nil // two bookings have it
			}
			r.Booking = b.Code
		}
	}
	if r.Booking == "" {
		return nil
	}
	r.Reference = ""
	return steps(r)[0](nil)
}

// namedTrip shows the one trip of a list whose title has the words.
func (r Reading) namedTrip(results []Result) []Call {
	var d struct {
		Trips []struct {
			Code  string `json:"code"`
			Title string `json:"title"`
		} `json:"trips"`
	}
	if last := results[len(results)-1]; last.Err != nil || json.Unmarshal(last.Data, &d) != nil {
		return nil
	}
	var fits []string
	for _, t := range d.Trips {
		if strings.Contains(strings.ToLower(t.Title), strings.ToLower(r.Text)) {
			fits = append(fits, t.Code)
		}
	}
	if len(fits) != 1 {
		return nil
	}
	return []Call{call("show_itinerary", "show the trip", map[string]any{"trip": fits[0]})}
}

// shows are the calls that show what may be chosen, where a question has none of its own.
func shows(of string, r Reading) []step {
	if len(r.Missing[0].Choices) > 0 {
		return nil
	}
	switch of {
	case OfBooking:
		args := map[string]any{}
		if r.Intent == Cancel || r.Intent == Pay {
			args["when"] = "upcoming"
		}
		return []step{one("list_bookings", "list the bookings", args)}
	case OfTrip:
		return []step{one("list_trips", "list the trips", map[string]any{})}
	case OfItem:
		return []step{one("show_itinerary", "show the trip", map[string]any{"trip": r.Trip})}
	}
	return nil
}

// exported puts the calendar file behind what was added, where it is wanted.
func exported(r Reading, add step) []step {
	if r.Text != "calendar" {
		return []step{add}
	}
	return []step{add, func(results []Result) []Call {
		last := results[len(results)-1]
		var added struct {
			Trip string `json:"trip"`
		}
		if last.Err != nil || json.Unmarshal(last.Data, &added) != nil || added.Trip == "" {
			return nil
		}
		return []Call{call("export_calendar", "make the calendar file", map[string]any{"trip": added.Trip})}
	}}
}

func withTravellers(args map[string]any, codes []string) map[string]any {
	if len(codes) > 0 {
		args["travellers"] = codes
	}
	return args
}

// hotelArgs are the arguments by which a hotel that was found is put into a trip.
func (r Reading) hotelArgs() map[string]any {
	args := map[string]any{"hotelId": r.Hotel, "hotelName": r.Place, "trip": r.Trip}
	if h := r.Hotels; h != nil {
		args["location"], args["checkIn"], args["checkOut"] = h.Place, h.CheckIn.String(), h.CheckOut.String()
	}
	return args
}

// args are the arguments of search_flights.
func (f *Flights) args() map[string]any {
	args := f.wishes()
	first := Leg{f.Origin, f.Destination, f.Departure}
	if len(f.Legs) > 0 {
		first = f.Legs[0]
		var more []map[string]any
		for _, l := range f.Legs[1:] {
			more = append(more, map[string]any{"origin": l.Origin, "destination": l.Destination,
				"departureDate": l.Date.String()})
		}
		args["multiCity"] = more
	}
	args["origin"], args["destination"], args["departureDate"] = first.Origin, first.Destination, first.Date.String()
	if !f.Return.IsZero() && len(f.Legs) == 0 {
		args["returnDate"] = f.Return.String()
	}
	args["passengerCount"] = f.Passengers()
	if len(f.Children) > 0 {
		args["ages"] = slices.Clone(f.Children)
	}
	args["cabinClass"] = f.Cabin
	return args
}

// wishes are the arguments that narrow and order offers.
func (f *Flights) wishes() map[string]any {
	args := map[string]any{"departAfter": f.DepartAfter, "departBefore": f.DepartBefore,
		"arriveBefore": f.ArriveBefore,
		"returnAfter":  f.BackAfter, "returnBefore": f.BackBefore, "sort": f.Sort}
	if f.Sort == "stops" { // which no tool orders by
		args["sort"] = "best"
	}
	if f.Connections != nil {
		args["maxConnections"] = *f.Connections
	}
	if len(f.Airlines) > 0 {
		args["airlines"] = f.Airlines
	}
	if f.MaxPrice != "" {
		args["maxPrice"] = json.Number(f.MaxPrice)
	}
	if f.Bags > 0 {
		args["bags"] = f.Bags
	}
	if f.Refundable {
		args["refundable"] = true
	}
	if f.Holdable {
		args["holdable"] = true
	}
	return args
}

// args are the arguments of search_hotels.
func (h *Hotels) args() map[string]any {
	args := map[string]any{"location": h.Place, "checkIn": h.CheckIn.String(), "checkOut": h.CheckOut.String(),
		"guests": h.Guests(), "rooms": max(h.Rooms, 1)}
	if len(h.Children) > 0 {
		args["ages"] = slices.Clone(h.Children)
	}
	prices := map[string]any{}
	if p := h.whole(h.MinPrice); p != "" {
		prices["min"] = json.Number(p)
	}
	if p := h.whole(h.MaxPrice); p != "" {
		prices["max"] = json.Number(p)
	}
	if len(prices) > 0 {
		args["priceRange"] = prices
	}
	if len(h.Amenities) > 0 {
		args["amenities"] = h.Amenities
	}
	return args
}

// about is what a decision is about, in the words of remember_decision.
func about(text string) string {
	low := strings.ToLower(text)
	for _, a := range []struct{ about, words string }{
		{"flights", "flight fly airline red-eye redeye window aisle seat layover stop cabin business economy plane"},
		{"hotels", "hotel room hostel stay bed breakfast floor"},
		{"food", "vegetarian vegan food eat meal halal kosher gluten allergic dinner restaurant jain lactose"},
		{"budget", "budget cheap expensive spend cost price money"},
		{"activities", "museum beach hike tour activity activities walk"},
	} {
		for w := range strings.FieldsSeq(a.words) {
			if strings.Contains(low, w) {
				return a.about
			}
		}
	}
	return "other"
}

// whole is a bound of prices for a night and room.
func (h *Hotels) whole(price string) string {
	if price == "" || !h.ForStay {
		return price
	}
	total, err := money.Parse(price)
	nights := h.CheckIn.Until(h.CheckOut) * max(h.Rooms, 1)
	if err != nil || nights < 1 {
		return ""
	}
	each, ok := total.Quo(money.FromInt(nights), 2)
	if !ok {
		return ""
	}
	return each.String()
}
