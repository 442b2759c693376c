package duffel

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// newOfferRequest is the body of POST /air/offer_requests.
type newOfferRequest struct {
	Slices []struct {
		Origin        string  `json:"origin"`
		Destination   string  `json:"destination"`
		DepartureDate string  `json:"departure_date"`
		DepartureTime *window `json:"departure_time"`
		ArrivalTime   *window `json:"arrival_time"`
	} `json:"slices"`
	Passengers []struct {
		Type       *string `json:"type"`
		Age        *int    `json:"age"`
		FareType   *string `json:"fare_type"`
		GivenName  *string `json:"given_name"`
		FamilyName *string `json:"family_name"`
	} `json:"passengers"`
	Cabin       *string `json:"cabin_class"`
	Connections *int    `json:"max_connections"`
}

// window is a span of local time of day.
type window struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// wantedSlice is a slice of a request that was found right.
type wantedSlice struct {
	origin, destination endpoint
	date                time.Time // midnight in UTC
	departs, arrives    *window
}

// passenger is one who travels, as offers show it.
type passenger struct {
	ID         string  `json:"id"`
	Type       string  `json:"type"`
	Age        *int    `json:"age"`
	FareType   *string `json:"fare_type"`
	GivenName  *string `json:"given_name"`
	FamilyName *string `json:"family_name"`
	Loyalty    []any   `json:"loyalty_programme_accounts"`
}

// offerRequest is a search and what it found.
type offerRequest struct {
	id          string
	made        time.Time
	slices      []wantedSlice
	passengers  []passenger
	cabin       string
	connections int
	offers      []*offer
	booked      bool
}

// route is the request's first slice, by which Duffel's test routes are known.
func (q *offerRequest) route() string {
	return q.slices[0].origin.code + "-" + q.slices[0].destination.code
}

// expiry is how long offers last.
const expiry = 30 * time.Minute

// lastSold is how many days ahead airlines sell seats.
const lastSold = 331

func (s *Server) createOfferRequest(r *request) (answer, *problem) {
	var in newOfferRequest
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	if p := checkQuery(r); p != nil {
		return bad(p)
	}
	q, p := s.read(in)
	if p != nil {
		return bad(p)
	}
	if q.route() == "STN-LHR" {
		return bad(timedOut())
	}
	q.id = s.name("orq")
	for i := range q.passengers {
		q.passengers[i].ID = s.name("pas")
	}
	q.offers = q.find()
	for _, o := range q.offers {
		o.id = s.name("off")
		s.state.offers[o.id] = o
	}
	s.state.requests[q.id] = q
	s.state.searched = append(s.state.searched, q.id)
	s.forget()
	return created(q.shown(r.URL.Query().Get("return_offers") != "false"))
}

// forget removes the oldest searches, but not those that were bought from.
func (s *Server) forget() {
	for len(s.state.searched) > maxKept {
		old := s.state.requests[s.state.searched[0]]
		s.state.searched = s.state.searched[1:]
		delete(s.state.requests, old.id)
		for _, o := range old.offers {
			delete(s.state.offers, o.id)
		}
	}
}

func (s *Server) getOfferRequest(r *request) (answer, *problem) {
	q := s.state.requests[r.PathValue("id")]
	if q == nil {
		return bad(notFound())
	}
	return ok(q.shown(true))
}

func checkQuery(r *request) *problem {
	query := r.URL.Query()
	if text := query.Get("return_offers"); text != "" && text != "true" && text != "false" {
		return invalid("validation_inclusion", "/return_offers", "Field 'return_offers' must be true or false")
	}
	if text := query.Get("supplier_timeout"); text != "" {
		if n, err := strconv.Atoi(text); err != nil || n < 2000 || n > 60_000 {
			return invalid("validation_inclusion", "/supplier_timeout",
				"Field 'supplier_timeout' must be between 2000 and 60000")
		}
	}
	return nil
}

// read checks a request for offers.
func (s *Server) read(in newOfferRequest) (*offerRequest, *problem) {
	q := &offerRequest{made: s.now(), cabin: "economy", connections: 1}
	if in.Cabin != nil {
		q.cabin = *in.Cabin
		if !slices.Contains([]string{"economy", "premium_economy", "business", "first"}, q.cabin) {
			return nil, invalid("validation_inclusion", "/cabin_class",
				"Field 'cabin_class' must be one of economy, premium_economy, business, first")
		}
	}
	if in.Connections != nil {
		q.connections = *in.Connections
		if q.connections < 0 || q.connections > 2 {
			return nil, invalid("validation_inclusion", "/max_connections",
				"Field 'max_connections' must be 0, 1 or 2")
		}
	}
	if p := q.readSlices(in, s.now()); p != nil {
		return nil, p
	}
	return q, q.readPassengers(in)
}

func (q *offerRequest) readSlices(in newOfferRequest, now time.Time) *problem {
	switch {
	case len(in.Slices) == 0:
		return required("/slices")
	case len(in.Slices) > 6:
		return invalid("validation_length", "/slices", "Field 'slices' must have at most 6 items")
	}
	for i, given := range in.Slices {
		at := fmt.Sprintf("/slices/%d/", i)
		w := wantedSlice{departs: given.DepartureTime, arrives: given.ArrivalTime}
		for _, end := range []struct {
			name, code string
			to         *endpoint
		}{{"origin", given.Origin, &w.origin}, {"destination", given.Destination, &w.destination}} {
			if end.code == "" {
				return required(at + end.name)
			}
			var isKnown bool
			if *end.to, isKnown = known().find(end.code); !isKnown {
				return invalid("validation_format", at+end.name,
					"Field '"+end.name+"' must be a valid IATA airport or city code")
			}
		}
		if w.origin.shares(w.destination) {
			return invalid("validation_format", at+"destination",
				"Field 'destination' must be different from 'origin'")
		}
		if given.DepartureDate == "" {
			return required(at + "departure_date")
		}
		var err error
		if w.date, err = time.Parse(time.DateOnly, given.DepartureDate); err != nil {
			return invalid("validation_format", at+"departure_date", "Field 'departure_date' must be a valid date")
		}
		today := now.In(w.origin.airports[0].location).Format(time.DateOnly)
		if given.DepartureDate < today {
			return invalid("validation_format", at+"departure_date", "Field 'departure_date' must be after "+today)
		}
		if i > 0 && w.date.Before(q.slices[i-1].date) {
			return invalid("validation_format", at+"departure_date",
				"Field 'departure_date' must be on or after the date of the slice before")
		}
		for name, span := range map[string]*window{"departure_time": w.departs, "arrival_time": w.arrives} {
			if !span.valid() {
				return invalid("validation_format", at+name,
					"Field '"+name+"' must have 'from' before 'to', as HH:MM")
			}
		}
		q.slices = append(q.slices, w)
	}
	return nil
}

var clock = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

func (w *window) valid() bool {
	return w == nil || clock.MatchString(w.From) && clock.MatchString(w.To) && w.From <= w.To
}

func (q *offerRequest) readPassengers(in newOfferRequest) *problem {
	switch {
	case len(in.Passengers) == 0:
		return required("/passengers")
	case len(in.Passengers) > 9:
		return invalid("validation_length", "/passengers", "Field 'passengers' must have at most 9 items")
	}
	adults, infants := 0, 0
	for i, given := range in.Passengers {
		at := fmt.Sprintf("/passengers/%d", i)
		p := passenger{Type: "adult", Age: given.Age, FareType: given.FareType, GivenName: given.GivenName,
			FamilyName: given.FamilyName, Loyalty: []any{}}
		said := 0
		for _, is := range []bool{given.Type != nil, given.Age != nil, given.FareType != nil} {
			if is {
				said++
			}
		}
		switch {
		case said == 0:
			return required(at + "/type")
		case said > 1 && (given.Type != nil || given.FareType == nil):
			return invalid("invalid_field_sets", at, "A passenger can have only one of 'type', 'age' and 'fare_type'")
		case given.Type != nil && !slices.Contains([]string{"adult", "child", "infant_without_seat"}, *given.Type):
			return invalid("validation_inclusion", at+"/type", "Field 'type' must be 'adult'")
		case given.Type != nil:
			p.Type = *given.Type
		case given.Age != nil && (*given.Age < 0 || *given.Age >= 18 && given.FareType == nil):
			return invalid("validation_inclusion", at+"/age",
				"Field 'age' must be under 18; a passenger of 18 or over has the type 'adult'")
		case given.Age != nil:
			p.Type = kindOf(*given.Age)
		}
		switch p.Type {
		case "adult":
			adults++
		case "infant_without_seat":
			infants++
		}
		q.passengers = append(q.passengers, p)
	}
	if infants > adults {
		return invalid("validation_format", "/passengers", "There can't be more infants than adults")
	}
	return nil
}

// kindOf is the type of a passenger of an age.
func kindOf(age int) string {
	switch {
	case age < 2:
		return "infant_without_seat"
	case age < 12:
		return "child"
	}
	return "adult"
}

// shownRequest is an offer request in Duffel's form.
type shownRequest struct {
	ID         string       `json:"id"`
	LiveMode   bool         `json:"live_mode"`
	Created    string       `json:"created_at"`
	Cabin      string       `json:"cabin_class"`
	ClientKey  string       `json:"client_key"`
	Slices     []any        `json:"slices"`
	Passengers []passenger  `json:"passengers"`
	Offers     []shownOffer `json:"offers"`
}

func (q *offerRequest) shown(offers bool) shownRequest {
	out := shownRequest{ID: q.id, Created: stamp(q.made), Cabin: q.cabin, ClientKey: identifier("key", q.id),
		Passengers: q.passengers, Offers: []shownOffer{}}
	for _, w := range q.slices {
		out.Slices = append(out.Slices, map[string]any{
			"origin": w.origin.place(), "origin_type": w.origin.kind(), "destination": w.destination.place(),
			"destination_type": w.destination.kind(), "departure_date": w.date.Format(time.DateOnly),
		})
	}
	if offers {
		for _, o := range q.offers {
			out.Offers = append(out.Offers, o.shown(false))
		}
	}
	return out
}

// upsell is refused, as by Duffel Airways.
func (s *Server) upsell(*request) (answer, *problem) {
	return bad(fails(http.StatusUnprocessableEntity, badState, "unsupported_action", "Unsupported action",
		"The resource does not support the following action: upsell"))
}
