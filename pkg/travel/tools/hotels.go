package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

// searchHotels are the arguments of search_hotels: the source document's, and the ages of
// children.
type searchHotels struct {
	Location   string          `json:"location" jsonschema:"city or airport around which to look: its name or IATA code"`
	CheckIn    calendar.Date   `json:"checkIn" jsonschema:"first night"`
	CheckOut   calendar.Date   `json:"checkOut" jsonschema:"day of departure"`
	Guests     int             `json:"guests,omitempty" jsonschema:"all guests, children among them; 2 when left out" limits:"max=100"`
	Rooms      int             `json:"rooms,omitempty" jsonschema:"rooms; 1 when left out" limits:"max=20"`
	PriceRange *priceRange     `json:"priceRange,omitempty" jsonschema:"bounds of the price of one night and room, in the currency of the hotels"`
	Amenities  []stays.Amenity `json:"amenities,omitempty" jsonschema:"what the hotel has to have"`
	Ages       []int           `json:"ages,omitempty" jsonschema:"ages of those guests who are below 18" limits:"max=120"`
}

// priceRange bounds the price of a night.
type priceRange struct {
	Min *money.Amount `json:"min,omitempty" jsonschema:"the least"`
	Max *money.Amount `json:"max,omitempty" jsonschema:"the most"`
}

// query makes the query around a place.
func (in searchHotels) query(p places.Place) stays.Query {
	q := stays.Query{Place: p.Name, Lat: p.Lat, Lon: p.Lon, Radius: stays.Radius, CheckIn: in.CheckIn,
		CheckOut: in.CheckOut, Rooms: max(in.Rooms, 1)}
	for _, age := range in.Ages {
		if age >= 18 {
			age = flights.Adult
		}
		q.Ages = append(q.Ages, age)
	}
	guests := in.Guests
	if guests == 0 {
		guests = max(2, len(q.Ages))
		if len(q.Ages) > 0 && !slices.Contains(q.Ages, flights.Adult) {
			guests = len(q.Ages) + 2
		}
	}
	for range guests - len(q.Ages) {
		q.Ages = append(q.Ages, flights.Adult)
	}
	slices.SortStableFunc(q.Ages, func(a, b int) int { return seniority(b) - seniority(a) })
	return q
}

func (in searchHotels) filter(nights, rooms int) stays.Filter {
	f := stays.Filter{Amenities: in.Amenities, Units: nights * rooms}
	if in.PriceRange != nil {
		f.Min, f.Max = in.PriceRange.Min, in.PriceRange.Max
	}
	return f
}

// keptStay is what a search for hotels keeps of its query.
type keptStay struct {
	stays.Query
	Title  string   `json:"title"`
	Detail string   `json:"detail"`
	Notes  []string `json:"notes,omitempty"`
}

func (t *set) searchHotels() tool.Tool {
	return tool.New(tool.Spec{Name: "search_hotels", Effect: tool.Reads, Description: text("search_hotels"),
		Retry: retry(), Category: "hotels", Component: "HotelCard", Shows: []string{"stays"}, Untrusted: hotelTexts()},
		func(ctx context.Context, by identity.Caller, in searchHotels) (hotelsFound, error) {
			supplier, err := t.stays()
			if err != nil {
				return hotelsFound{}, err
			}
			p, err := asking{"search_hotels", in}.place("location", in.Location)
			if err != nil {
				return hotelsFound{}, err
			}
			q := in.query(p)
			now := t.Now()
			if zone := p.Location(); zone != nil {
				now = now.In(zone)
			}
			if err := stays.Check(q, now); err != nil {
				return hotelsFound{}, err
			}
			found, err := supplier.Search(ctx, by, q)
			if err != nil {
				return hotelsFound{}, err
			}
			kept := keptStay{Query: q, Title: p.Name, Detail: stayDetail(q)}
			s, err := t.keep(ctx, by, bookings.Hotel, kept, found, kept.Title+", "+kept.Detail)
			if err != nil {
				return hotelsFound{}, err
			}
			return hotelsOf(s.Code, kept, numberedHotels(s.Code, found), in.filter(q.Nights(), q.Rooms), p), nil
		})
}

// stayDetail is "Sat 5 Dec to Tue 8 Dec 2026 · 3 nights · 2 adults · 1 room".
func stayDetail(q stays.Query) string {
	return strings.Join([]string{shortDay(q.CheckIn) + " to " + day(q.CheckOut), plural(q.Nights(), "night"),
		flights.AgeWords(q.Ages), plural(q.Rooms, "room")}, " · ")
}

// numberedHotels gives the hotels of a kept search and their rates their codes.
func numberedHotels(search string, found stays.Found) stays.Found {
	for i := range found.Hotels {
		h := &found.Hotels[i]
		h.Code = fmt.Sprintf("%s-%d", search, i+1)
		for j := range h.Rates {
			h.Rates[j].Code = h.Code + letters(j)
		}
	}
	return found
}

// letters numbers from 0 by letters: A to Z, then AA.
func letters(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return letters(n/26-1) + letters(n%26)
}

// hotelsFound is the answer of a search for hotels.
type hotelsFound struct {
	search string
	query  keptStay
	found  stays.Found
	kept   []stays.Hotel
	notes  []string
	near   places.Place // around which was looked; the zero Place leaves distances out
}

func hotelsOf(search string, query keptStay, found stays.Found, filter stays.Filter, near places.Place) hotelsFound {
	h := hotelsFound{search: search, query: query, found: found, notes: slices.Clone(query.Notes), near: near}
	h.kept = filter.Apply(found.Hotels)
	if words := filter.Words(); len(words) > 0 {
		h.notes = append(h.notes,
			fmt.Sprintf("%d of %d hotels have %s; this was filtered here, by what the hotels tell.",
				len(h.kept), len(found.Hotels), strings.Join(words, ", ")))
	}
	return h
}

const (
	hotelsForPeople = 20
	hotelsForModel  = 8
)

// hotelLine is a hotel as models see it.
type hotelLine struct {
	Code      string          `json:"code"`
	Name      string          `json:"name"`
	Stars     int             `json:"stars,omitempty"`
	Review    string          `json:"review,omitempty"`
	Price     string          `json:"price"` // for all nights and rooms
	Amenities []stays.Amenity `json:"amenities,omitempty"`
	Distance  string          `json:"distance,omitempty"`
}

// MarshalJSON writes the short form for models.
func (h hotelsFound) MarshalJSON() ([]byte, error) {
	type metadata struct {
		TotalResults int  `json:"totalResults"` // at least
		More         bool `json:"more"`
		Matching     int  `json:"matching"`
	}
	type answer struct {
		Search   string      `json:"search"`
		Hotels   []hotelLine `json:"hotels"`
		Metadata metadata    `json:"metadata"`
		Notes    []string    `json:"notes,omitempty"`
	}
	return short(hotelsForModel, func(n int) any {
		out := answer{h.search, []hotelLine{}, metadata{len(h.found.Hotels), h.found.More, len(h.kept)}, h.notes}
		for _, hotel := range h.kept[:min(len(h.kept), n)] {
			out.Hotels = append(out.Hotels, hotelLine{hotel.Code, cut(hotel.Name, 80), hotel.Stars, hotel.Review,
				hotel.Total.String(), hotel.Amenities, h.distance(hotel)})
		}
		return out
	})
}

// distance is how far a hotel is from where was looked: "1.2 km".
func (h hotelsFound) distance(hotel stays.Hotel) string {
	if h.near.Name == "" || hotel.Lat == 0 && hotel.Lon == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f km", places.Distance(h.near, places.Place{Lat: hotel.Lat, Lon: hotel.Lon}))
}

// Count is how many hotels fit.
func (h hotelsFound) Count() int { return len(h.kept) }

// Summarize says what was found.
func (h hotelsFound) Summarize() string {
	head := h.query.Title + ", " + h.query.Detail + ": "
	switch {
	case len(h.found.Hotels) == 0:
		return head + "no hotel is free. Other days or another place may have one."
	case len(h.kept) == 0:
		return head + fmt.Sprintf("none of %s fits these wishes.", count(len(h.found.Hotels), h.found.More, "hotel"))
	}
	first := h.kept[0]
	return head + fmt.Sprintf("%s. The cheapest is %s for %s in all.", count(len(h.kept), h.found.More, "hotel"),
		first.Code, first.Total)
}

// Show lays the hotels out.
func (h hotelsFound) Show() []part.Data {
	p := part.Stays{Search: h.search, Title: h.query.Title, Detail: h.query.Detail, Hotels: []part.StayHotel{},
		Total: len(h.kept), More: h.found.More, Notes: h.notes}
	for _, hotel := range h.kept[:min(len(h.kept), hotelsForPeople)] {
		p.Hotels = append(p.Hotels, h.hotelPart(hotel))
	}
	return []part.Data{p}
}

func (h hotelsFound) hotelPart(hotel stays.Hotel) part.StayHotel {
	out := part.StayHotel{Code: hotel.Code, Name: cut(hotel.Name, 120), Address: cut(hotel.Address, 200),
		Stars: hotel.Stars, Review: hotel.Review, Price: hotel.Total.String(), Distance: h.distance(hotel),
		Per: flights.Each(hotel.Total, h.query.Nights()*h.query.Rooms).String()}
	if out.Per != "" {
		out.Per += " a night and room"
	}
	for _, a := range hotel.Amenities {
		out.Amenities = append(out.Amenities, strings.ReplaceAll(string(a), "_", " "))
	}
	for _, r := range hotel.Rates {
		out.Rates = append(out.Rates, ratePart(r))
	}
	if len(hotel.Rates) == 0 {
		out.Do = append(out.Do, part.Choice{Label: "Rooms", Tool: "get_hotel_rates",
			Arguments: arguments(map[string]any{"hotel": hotel.Code})})
	}
	out.Do = append(out.Do, part.Choice{Label: "Add to itinerary", Tool: "add_hotel_to_itinerary",
		Arguments: arguments(map[string]any{"hotelName": cut(hotel.Name, 120), "location": h.query.Place,
			"checkIn": h.query.CheckIn, "checkOut": h.query.CheckOut, "hotelId": hotel.Code})})
	return out
}

func ratePart(r stays.Rate) part.StayRate {
	out := part.StayRate{Code: r.Code, Room: cut(r.Room, 100), Board: r.BoardWords(), Price: r.Total.String(),
		Refund: r.RefundWords(), Pay: r.PayWords()}
	if r.Beds != "" {
		out.Room += " · " + cut(r.Beds, 60)
	}
	out.Do = []part.Choice{{Label: "Book", Tool: "book_hotel", Arguments: arguments(map[string]any{"rate": r.Code})}}
	return out
}

// hotelArgument are the arguments of get_hotel_rates.
type hotelArgument struct {
	Hotel string `json:"hotel" jsonschema:"code of the hotel in a search, such as H4T9-2"`
}

// Check tidies the code.
func (in *hotelArgument) Check() error { in.Hotel = codeOf(in.Hotel); return nil }

func (t *set) getHotelRates() tool.Tool {
	return tool.New(tool.Spec{Name: "get_hotel_rates", Effect: tool.Reads, Description: text("get_hotel_rates"),
		Extension: "a search returns hotels with their cheapest price alone", Retry: retry(), Category: "hotels",
		Component: "HotelCard", Shows: []string{"stays"}, Untrusted: hotelTexts()},
		func(ctx context.Context, by identity.Caller, in hotelArgument) (hotelRates, error) {
			supplier, err := t.stays()
			if err != nil {
				return hotelRates{}, err
			}
			query, hotel, err := t.hotel(ctx, by, in.Hotel)
			if err != nil {
				return hotelRates{}, err
			}
			if hotel.Rates, err = supplier.Rates(ctx, by, hotel.ID); err != nil {
				return hotelRates{}, err
			}
			if len(hotel.Rates) == 0 {
				return hotelRates{}, fault.New(fault.Conflict, "%s has no room left for these days.",
					cut(hotel.Name, 80)).
					WithCode("rate_unavailable")
			}
			hotel.Rates = hotel.Rates[:min(len(hotel.Rates), ratesKept)]
			hotel.Total = hotel.Rates[0].Total
			found := stays.Found{Hotels: []stays.Hotel{hotel}}
			query.Notes = nil
			s, err := t.keep(ctx, by, bookings.Hotel, query, found, "Rooms of "+hotel.Name+", "+query.Detail)
			if err != nil {
				return hotelRates{}, err
			}
			return hotelRates{hotelsOf(s.Code, query, numberedHotels(s.Code, found), stays.Filter{},
				places.Place{})}, nil
		})
}

// Rates that are kept and told of a hotel.
const (
	ratesKept     = 30
	ratesForModel = 10
)

// hotelRates is the answer of get_hotel_rates: one hotel with its rates, under a search of
// its own.
type hotelRates struct{ hotelsFound }

// rateLine is a rate as models see it.
type rateLine struct {
	Code   string   `json:"code"`
	Room   string   `json:"room"`
	Board  string   `json:"board"`
	Price  string   `json:"price"`
	Refund string   `json:"refund"`
	Pay    string   `json:"pay"`
	Terms  []string `json:"terms,omitempty"`
}

// MarshalJSON writes the short form for models.
func (h hotelRates) MarshalJSON() ([]byte, error) {
	type answer struct {
		Hotel string     `json:"hotel"`
		Name  string     `json:"name"`
		Rates []rateLine `json:"rates"`
		Total int        `json:"totalRates"`
	}
	hotel := h.kept[0]
	return short(ratesForModel, func(n int) any {
		out := answer{hotel.Code, cut(hotel.Name, 80), nil, len(hotel.Rates)}
		for _, r := range hotel.Rates[:min(len(hotel.Rates), n)] {
			l := rateLine{Code: r.Code, Room: cut(r.Room, 60), Board: r.BoardWords(), Price: r.Total.String(),
				Refund: r.RefundWords(), Pay: r.PayWords()}
			for _, term := range r.Terms[:min(len(r.Terms), 1)] {
				l.Terms = append(l.Terms, cut(term, 120))
			}
			out.Rates = append(out.Rates, l)
		}
		return out
	})
}

// Count is how many rates there are.
func (h hotelRates) Count() int { return len(h.kept[0].Rates) }

// Summarize says what the rooms cost.
func (h hotelRates) Summarize() string {
	hotel := h.kept[0]
	first := hotel.Rates[0]
	return fmt.Sprintf("%s has %s for %s. The cheapest is %s: %s, %s, %s in all. %s.", cut(hotel.Name, 80),
		plural(len(hotel.Rates), "rate"), h.query.Detail, first.Code, cut(first.Room, 60), first.BoardWords(),
		first.Total,
		first.RefundWords())
}

// hotel returns a hotel of a kept search by its code, or by that of a rate.
func (t *set) hotel(ctx context.Context, by identity.Caller, code string) (keptStay, stays.Hotel, error) {
	var query keptStay
	var found stays.Found
	s, err := t.Bookings.Search(ctx, by, code)
	if err != nil {
		return query, stays.Hotel{}, err
	}
	if s.Type != bookings.Hotel {
		return query, stays.Hotel{}, fault.New(fault.Invalid, "%s is a search for flights.", s.Code).
			WithCode("wrong_search")
	}
	if err := decode(s, &query, &found); err != nil {
		return query, stays.Hotel{}, err
	}
	found = numberedHotels(s.Code, found)
	name := strings.TrimRightFunc(code, func(r rune) bool { return r >= 'A' && r <= 'Z' })
	i := slices.IndexFunc(found.Hotels, func(h stays.Hotel) bool { return h.Code == name })
	if i < 0 {
		return query, stays.Hotel{}, fault.New(fault.NotFound, "The search %s has no hotel %q; it has %d.", s.Code,
			cut(code, 20), len(found.Hotels)).WithCode("hotel_not_found")
	}
	return query, found.Hotels[i], nil
}
