package duffel

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// newStaySearch is the body of POST /stays/search.
type newStaySearch struct {
	Location *struct {
		Radius      *float64 `json:"radius"`
		Coordinates *struct {
			Latitude  *float64 `json:"latitude"`
			Longitude *float64 `json:"longitude"`
		} `json:"geographic_coordinates"`
	} `json:"location"`
	Accommodation *struct {
		IDs []string `json:"ids"`
	} `json:"accommodation"`
	CheckIn  string  `json:"check_in_date"`
	CheckOut string  `json:"check_out_date"`
	Rooms    int     `json:"rooms"`
	Guests   []guest `json:"guests"`
	Free     bool    `json:"free_cancellation_only"`
}

// stayResult is a hotel that a search found.
type stayResult struct {
	id      string
	hotel   *hotel
	stay    stay
	free    bool // only rates that can be cancelled
	made    time.Time
	rooms   []room
	fetched bool
}

// heldRate is a rate that was fetched.
type heldRate struct {
	rate   rate
	room   string
	beds   []bed
	result *stayResult
}

func (r *stayResult) expires() time.Time { return r.made.Add(expiry) }

// shownResult is a result in Duffel's form.
type shownResult struct {
	ID            string        `json:"id"`
	CheckIn       string        `json:"check_in_date"`
	CheckOut      string        `json:"check_out_date"`
	Rooms         int           `json:"rooms"`
	Guests        []guest       `json:"guests"`
	Accommodation accommodation `json:"accommodation"`
	Cheapest      string        `json:"cheapest_rate_total_amount"`
	CheapestCur   string        `json:"cheapest_rate_currency"`
	Base          *string       `json:"cheapest_rate_base_amount"`
	BaseCur       *string       `json:"cheapest_rate_base_currency"`
	Public        *string       `json:"cheapest_rate_public_amount"`
	PublicCur     *string       `json:"cheapest_rate_public_currency"`
	There         *string       `json:"cheapest_rate_due_at_accommodation_amount"`
	ThereCur      *string       `json:"cheapest_rate_due_at_accommodation_currency"`
	Negotiated    []any         `json:"supported_negotiated_rates"`
	Expires       string        `json:"expires_at"`
}

func (s *Server) searchStays(r *request) (answer, *problem) {
	var in newStaySearch
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	st, p := in.stay(s.now())
	if p != nil {
		return bad(p)
	}
	hotels, p := s.hotels(in)
	if p != nil {
		return bad(p)
	}
	children := slices.ContainsFunc(st.guests, func(g guest) bool { return g.Type == "child" })
	shown := []shownResult{}
	for _, h := range hotels {
		found := &stayResult{id: s.name("srr"), hotel: h, stay: st, free: in.Free, made: s.now()}
		found.rooms = found.offered()
		best := found.cheapest()
		if best == nil || !h.suits(children) || draw("full", h.id, in.CheckIn) < 0.05 {
			continue
		}
		s.state.hotels[h.id] = h
		s.state.results[found.id] = found
		s.state.looked = append(s.state.looked, found.id)
		shown = append(shown, found.shown(nil))
	}
	s.forgetStays()
	return ok(map[string]any{"results": shown, "created_at": stamp(s.now())})
}

// forgetStays removes the oldest results with their rates. Quotes keep theirs.
func (s *Server) forgetStays() {
	for len(s.state.looked) > 10*maxKept {
		old := s.state.results[s.state.looked[0]]
		s.state.looked = s.state.looked[1:]
		delete(s.state.results, old.id)
		for _, k := range old.rooms {
			for _, r := range k.Rates {
				delete(s.state.rates, r.ID)
			}
		}
	}
}

// stay checks the dates and the guests of a search.
func (in newStaySearch) stay(now time.Time) (stay, *problem) {
	s := stay{rooms: in.Rooms, guests: in.Guests}
	var err error
	if in.CheckIn == "" {
		return s, required("/check_in_date")
	}
	if in.CheckOut == "" {
		return s, required("/check_out_date")
	}
	if s.in, err = time.Parse(time.DateOnly, in.CheckIn); err != nil {
		return s, invalid("validation_format", "/check_in_date", "Field 'check_in_date' must be a valid date")
	}
	if s.out, err = time.Parse(time.DateOnly, in.CheckOut); err != nil {
		return s, invalid("validation_format", "/check_out_date", "Field 'check_out_date' must be a valid date")
	}
	switch {
	case in.CheckIn < now.UTC().AddDate(0, 0, -1).Format(time.DateOnly):
		return s, invalid("validation_format", "/check_in_date", "Field 'check_in_date' can't be in the past")
	case !s.out.After(s.in):
		return s, invalid("validation_format", "/check_out_date",
			"Field 'check_out_date' must be after 'check_in_date'")
	case s.nights() > 99:
		return s, invalid("validation_format", "/check_out_date", "A stay can have at most 99 nights")
	case s.in.Sub(now) > 330*24*time.Hour:
		return s, invalid("validation_format", "/check_in_date",
			"Field 'check_in_date' can be at most 330 days ahead")
	case in.Rooms < 1 || in.Rooms > 8:
		return s, invalid("validation_inclusion", "/rooms", "Field 'rooms' must be between 1 and 8")
	case len(in.Guests) == 0:
		return s, required("/guests")
	case len(in.Guests) < in.Rooms:
		return s, invalid("validation_length", "/guests", "There must be at least a guest for each room")
	}
	adults := 0
	for i, g := range in.Guests {
		at := fmt.Sprintf("/guests/%d/", i)
		switch {
		case g.Type == "adult":
			adults++
		case g.Type != "child":
			return s, invalid("validation_inclusion", at+"type", "Field 'type' must be adult or child")
		case g.Age == nil:
			return s, required(at + "age")
		case *g.Age < 0 || *g.Age > 17:
			return s, invalid("validation_inclusion", at+"age", "Field 'age' must be between 0 and 17")
		}
	}
	if adults == 0 {
		return s, invalid("validation_format", "/guests", "There must be at least one adult")
	}
	return s, nil
}

// hotels are those that a search means: around a point, or by their ids.
func (s *Server) hotels(in newStaySearch) ([]*hotel, *problem) {
	switch {
	case in.Location != nil && in.Accommodation != nil:
		return nil, invalid("invalid_field_sets", "/location",
			"Only one of 'location' and 'accommodation' can be given")
	case in.Accommodation != nil:
		var list []*hotel
		for _, id := range in.Accommodation.IDs {
			if h := s.state.hotels[id]; h != nil {
				list = append(list, h)
			}
		}
		return list, nil
	case in.Location == nil || in.Location.Coordinates == nil:
		return nil, required("/location")
	}
	at, radius := in.Location.Coordinates, 5.0
	switch {
	case at.Latitude == nil || *at.Latitude < -90 || *at.Latitude > 90:
		return nil, invalid("validation_format", "/location/geographic_coordinates/latitude",
			"Field 'latitude' must be between -90 and 90")
	case at.Longitude == nil || *at.Longitude < -180 || *at.Longitude > 180:
		return nil, invalid("validation_format", "/location/geographic_coordinates/longitude",
			"Field 'longitude' must be between -180 and 180")
	case in.Location.Radius != nil:
		radius = *in.Location.Radius
	}
	if radius < 1 || radius > 100 {
		return nil, invalid("validation_inclusion", "/location/radius", "Field 'radius' must be between 1 and 100")
	}
	list := hotelsNear(*at.Latitude, *at.Longitude)
	return slices.DeleteFunc(list, func(h *hotel) bool {
		return kilometres(*at.Latitude, *at.Longitude, h.lat, h.lon) > radius
	}), nil
}

// offered are the rooms with the rates that were asked for.
func (r *stayResult) offered() []room {
	list := r.hotel.roomsFor(r.stay, r.expires())
	for i := range list {
		list[i].Rates = slices.DeleteFunc(list[i].Rates, func(each rate) bool {
			return r.free && (len(each.Timeline) == 0 || each.Timeline[0].Before <= second(r.made))
		})
	}
	return slices.DeleteFunc(list, func(k room) bool { return len(k.Rates) == 0 })
}

func (r *stayResult) cheapest() *rate {
	var best *rate
	for _, k := range r.rooms {
		for i := range k.Rates {
			if best == nil || cmp.Less(k.Rates[i].total, best.total) {
				best = &k.Rates[i]
			}
		}
	}
	return best
}

func (r *stayResult) shown(rooms []room) shownResult {
	best := r.cheapest()
	return shownResult{
		ID: r.id, CheckIn: r.stay.in.Format(time.DateOnly), CheckOut: r.stay.out.Format(time.DateOnly),
		Rooms:  r.stay.rooms,
		Guests: r.stay.guests, Accommodation: r.hotel.shown(rooms), Cheapest: best.Total,
		CheapestCur: best.TotalCurrency,
		Base:        &best.Base, BaseCur: &best.BaseCurrency, There: &best.There, ThereCur: &best.ThereCurrency,
		Negotiated: []any{}, Expires: stamp(r.expires()),
	}
}

func (s *Server) fetchAllRates(r *request) (answer, *problem) {
	found := s.state.results[r.PathValue("id")]
	if found == nil {
		return bad(notFound())
	}
	if !s.now().Before(found.expires()) {
		return bad(conflict("search_result_expired", "Search result expired", "The search result has expired"))
	}
	if !found.fetched {
		found.fetched = true
		for _, k := range found.rooms {
			for i := range k.Rates {
				k.Rates[i].ID = s.name("rat")
				s.state.rates[k.Rates[i].ID] = &heldRate{k.Rates[i], k.Name, k.Beds, found}
			}
		}
	}
	return answer{status: http.StatusOK, value: found.shown(found.rooms)}, nil
}
