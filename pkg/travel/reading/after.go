package reading

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

var checkedBags = lazily(`(\d+) checked`)

// legShape is a journey of an offer as the tools write it for models.
var legShape = lazily(`^(?:[A-Z][a-z]{2} )?(\d{1,2}) ([A-Z][a-z]{2})[a-z]*:? ([A-Z]{3}) (\d{2}:\d{2}) – ` +
	`([A-Z]{3}) (\d{2}:\d{2})(?: [+-]\d)?, (?:(\d+) h)? ?(?:(\d+) min)?,? ?(non-stop|\d+ stops?)?`)

// After returns what is open after a reading and the calls that were made, which may be
// those of a model: r is nil then. It leaves open unchanged.
func After(open *Open, r *Reading, results []Result) *Open {
	var o Open
	if open != nil {
		o = *open
	}
	o.Pending, o.Decision = nil, ""
	for _, res := range results {
		if res.Err == nil {
			o.take(res)
		}
	}
	if r != nil {
		switch {
		case len(r.Missing) > 0:
			p := *r
			o.Pending = &p
		case r.Intent == SearchFlights || r.Intent == Filter || r.Intent == SearchBoth:
			// What the arguments do not say: that one way was meant, and the currency.
			if o.Flights != nil && r.Flights != nil && succeeded(results) {
				f := *r.Flights
				o.Flights = &f
			}
			if o.Hotels != nil && r.Hotels != nil && r.Intent == SearchBoth {
				h := *r.Hotels
				o.Hotels = &h
			}
		}
		switch r.Intent {
		case Details, Conditions, Hold, Book, AddFlight:
			if r.Offer != "" {
				o.Offer = r.Offer
			}
		}
	}
	o.bound()
	return &o
}

func succeeded(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return r.Err == nil })
}

// take notes what a call showed.
func (o *Open) take(res Result) {
	switch res.Tool {
	case "search_flights", "filter_flights":
		o.offers(res)
	case "get_flight_offer":
		var d struct {
			Code string `json:"code"`
		}
		if json.Unmarshal(res.Data, &d) == nil && d.Code != "" {
			o.Offer, o.Last = d.Code, LastOffer
		}
	case "search_hotels":
		var f found
		if json.Unmarshal(res.Data, &f) != nil {
			return
		}
		o.HotelSearch, o.Stays, o.Rates, o.Hotel, o.Last = f.Search, nil, nil, "", LastStays
		for _, h := range f.Hotels {
			o.Stays = append(o.Stays, Stay{Code: h.Code, Name: h.Name, Price: plainAmount(h.Price)})
		}
		if h := hotelsOf(res.Arguments); h != nil {
			o.Hotels = h
		}
	case "get_hotel_rates":
		var d struct {
			Hotel string `json:"hotel"`
			Rates []struct {
				Code  string `json:"code"`
				Room  string `json:"room"`
				Board string `json:"board"`
				Price string `json:"price"`
			} `json:"rates"`
		}
		if json.Unmarshal(res.Data, &d) != nil {
			return
		}
		var in struct {
			Hotel string `json:"hotel"`
		}
		_ = json.Unmarshal(res.Arguments, &in) // the code of the hotel in its search, if any
		o.Hotel, o.Rates, o.Last = in.Hotel, nil, LastRates
		for _, r := range d.Rates {
			o.Rates = append(o.Rates, Stay{Code: r.Code, Name: strings.TrimSuffix(r.Room+", "+r.Board, ", "),
				Price: plainAmount(r.Price)})
		}
	case "hold_flight", "book_flight", "book_hotel", "get_booking", "pay_held_flight", "cancel_booking",
		"add_past_booking", "rate_booking":
		var b struct {
			Code string `json:"code"`
			Trip string `json:"trip"`
		}
		if json.Unmarshal(res.Data, &b) == nil && strings.HasPrefix(b.Code, "TB-") {
			o.Booking, o.Last = b.Code, LastBooking
			if b.Trip != "" {
				o.Trip = b.Trip
			}
		}
	case "list_bookings", "search_past_trips":
		var d struct {
			Bookings []struct {
				Code, Title, Type, Starts string
			} `json:"bookings"`
		}
		if json.Unmarshal(res.Data, &d) != nil {
			return
		}
		o.Bookings, o.Last, o.Booking = nil, LastBookings, ""
		for _, b := range d.Bookings {
			s := Stay{Code: b.Code, Name: b.Title, Type: b.Type}
			if len(b.Starts) >= 10 {
				s.Day, _ = calendar.Parse(b.Starts[:10])
			}
			o.Bookings = append(o.Bookings, s)
		}
		if len(o.Bookings) == 1 {
			o.Booking = o.Bookings[0].Code
		}
	case "show_itinerary", "add_flight_to_itinerary", "add_hotel_to_itinerary", "add_activity_to_itinerary",
		"block_travel_time",
		"move_itinerary_item", "remove_itinerary_item", "rename_trip":
		var d struct {
			Trip  string `json:"trip"`
			Items []struct {
				Code, Title, Type, Starts string
			} `json:"items"`
		}
		if json.Unmarshal(res.Data, &d) != nil || d.Trip == "" {
			return
		}
		o.Trip, o.Items, o.Last = d.Trip, nil, LastTrip
		for _, i := range d.Items {
			s := Stay{Code: i.Code, Name: i.Title, Type: i.Type}
			if len(i.Starts) >= 10 {
				s.Day, _ = calendar.Parse(i.Starts[:10])
			}
			o.Items = append(o.Items, s)
		}
	case "remember_decision", "show_preferences":
		var d struct {
			Code      string `json:"code"`
			Decisions []struct {
				Code string `json:"code"`
			} `json:"decisions"`
		}
		if json.Unmarshal(res.Data, &d) == nil {
			if o.Decision = d.Code; len(d.Decisions) == 1 {
				o.Decision = d.Decisions[0].Code
			}
		}
	case "list_trips":
		o.Last = LastTrips
	case "export_calendar":
		var d struct {
			Trip string `json:"trip"`
		}
		if json.Unmarshal(res.Data, &d) == nil && d.Trip != "" {
			o.Trip = d.Trip
		}
	}
}

// offers notes the offers of a search: those that were pointed out first, in the order in
// which people see them.
func (o *Open) offers(res Result) {
	var f found
	if json.Unmarshal(res.Data, &f) != nil || f.Search == "" {
		return
	}
	o.Search, o.Offer, o.Last, o.Offers = f.Search, "", LastFlights, nil
	if res.Tool == "search_flights" {
		if q := flightsOf(res.Arguments); q != nil {
			o.Flights = q
		}
	}
	var rest []Offer
	picked := map[string]*Offer{}
	for _, of := range f.Offers {
		s := Offer{Code: of.Code, Price: plainAmount(of.Price), Currency: f.Metadata.Currency,
			Name:    of.Airline,
			Airline: codeOfAirline(of.Airline)}
		for i, leg := range of.Legs {
			m := legShape().FindStringSubmatch(leg)
			if m == nil {
				continue
			}
			if i == 0 {
				s.Departs = o.departs(m)
			}
			s.Minutes += 60*number4(m[7]) + number4(m[8])
			if n := number4(strings.TrimRight(m[9], " stop-n")); m[9] != "" && n > s.Stops {
				s.Stops = n
			}
		}
		if m := checkedBags().FindStringSubmatch(of.Bags); m != nil {
			s.Bags = number4(m[1])
		}
		for _, p := range f.Picks {
			if p.Offer == of.Code {
				s.Picks = append(s.Picks, strings.ToLower(p.Label))
			}
		}
		if len(s.Picks) > 0 {
			picked[of.Code] = &s
		} else {
			rest = append(rest, s)
		}
	}
	for _, p := range f.Picks {
		if s := picked[p.Offer]; s != nil {
			o.Offers, picked[p.Offer] = append(o.Offers, *s), nil
		}
	}
	o.Offers = append(o.Offers, rest...)
	if len(o.Offers) == 1 {
		o.Offer = o.Offers[0].Code
	}
}

// departs is the moment of departure of a journey in the query's year.
func (o *Open) departs(m []string) string {
	day, err := time.Parse("2 Jan", m[1]+" "+m[2])
	if err != nil {
		return ""
	}
	year := 0
	if o.Flights != nil {
		first := o.Flights.Departure
		if len(o.Flights.Legs) > 0 {
			first = o.Flights.Legs[0].Date
		}
		if year = first.Year; first.Month == time.December && day.Month() == time.January {
			year++
		}
	}
	return fmt.Sprintf("%04d-%02d-%02dT%s", year, day.Month(), day.Day(), m[4])
}

// plainAmount is an amount without its currency: "€1,234.50" is "1234.50".
func plainAmount(price string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return -1
	}, price)
}

func codeOfAirline(name string) string {
	low := strings.ToLower(name)
	for _, a := range airlineNames {
		if slices.Contains(strings.Split(a.names, "|"), low) {
			return a.code
		}
	}
	return ""
}

// flightsOf is the query of a search by its arguments; nil where they are none.
func flightsOf(arguments json.RawMessage) *Flights {
	var in struct {
		Origin, Destination, ReturnDate string
		DepartureDate                   string
		PassengerCount                  int
		CabinClass                      string
		Ages                            []int
		MultiCity                       []struct {
			Origin, Destination, DepartureDate string
		}
		MaxConnections                          *int
		DepartAfter, DepartBefore, ArriveBefore string
		ReturnAfter, ReturnBefore               string
		Airlines                                []string
		MaxPrice                                json.Number
		Bags                                    int
		Refundable                              bool
		Holdable                                bool
		Sort                                    string
	}
	if json.Unmarshal(arguments, &in) != nil {
		return nil
	}
	day := func(s string) calendar.Date {
		d, _ := calendar.Parse(s) // zero for none
		return d
	}
	f := &Flights{Origin: codeOfPlace(in.Origin), Destination: codeOfPlace(in.Destination),
		Departure: day(in.DepartureDate), Return: day(in.ReturnDate), Cabin: in.CabinClass,
		Connections: in.MaxConnections, DepartAfter: in.DepartAfter, DepartBefore: in.DepartBefore,
		ArriveBefore: in.ArriveBefore, BackAfter: in.ReturnAfter, BackBefore: in.ReturnBefore, Airlines: in.Airlines,
		MaxPrice: in.MaxPrice.String(), Bags: in.Bags, Refundable: in.Refundable, Holdable: in.Holdable,
		Sort: in.Sort}
	for _, age := range in.Ages {
		if age < 18 {
			f.Children = append(f.Children, age)
		}
	}
	f.Adults = max(max(in.PassengerCount, 1)-len(f.Children), 1)
	if len(in.MultiCity) > 0 {
		f.Legs = []Leg{{f.Origin, f.Destination, f.Departure}}
		for _, l := range in.MultiCity {
			f.Legs = append(f.Legs, Leg{codeOfPlace(l.Origin), codeOfPlace(l.Destination), day(l.DepartureDate)})
		}
		f.Origin, f.Destination, f.Departure = "", "", calendar.Date{}
	}
	return f
}

func hotelsOf(arguments json.RawMessage) *Hotels {
	var in struct {
		Location, CheckIn, CheckOut string
		Guests, Rooms               int
		Ages                        []int
		PriceRange                  *struct{ Min, Max json.Number }
		Amenities                   []string
	}
	if json.Unmarshal(arguments, &in) != nil {
		return nil
	}
	h := &Hotels{Place: in.Location, Rooms: in.Rooms, Amenities: in.Amenities}
	h.CheckIn, _ = calendar.Parse(in.CheckIn)
	h.CheckOut, _ = calendar.Parse(in.CheckOut)
	for _, age := range in.Ages {
		if age < 18 {
			h.Children = append(h.Children, age)
		}
	}
	if in.Guests == 0 {
		in.Guests = 2
	}
	h.Adults = max(in.Guests-len(h.Children), 1)
	if in.PriceRange != nil {
		h.MinPrice, h.MaxPrice = in.PriceRange.Min.String(), in.PriceRange.Max.String()
	}
	return h
}

// codeOfPlace is the code of a place that a call names by its name or its code.
func codeOfPlace(name string) string {
	if len(name) == 3 && strings.ToUpper(name) == name {
		return name
	}
	if found := lookup(name); len(found) == 1 {
		return found[0].Code
	}
	return ""
}
