package hints

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// trip is a trip as hints look at it.
type trip struct {
	itinerary.Trip
	o       Options
	flights []move // flights, one for each segment where these are known, in order
	moves   []move // flights and blocked travel by item, in order
	hotels  []itinerary.Item
	home    string        // where the first journey begins
	returns calendar.Date // the day on which the trip ends
	abroad  bool          // whether it leaves a country
}

// move is a way from one place to another.
type move struct {
	item             itinerary.Item
	number           string // of the flight
	origin, dest     string
	departs, arrives time.Time
	zone, endZone    *time.Location
	international    bool
	begins           bool // the first flight of its item
}

// name returns "flight BA117 from London (LHR)".
func (m move) name() string {
	number := m.number
	if number == "" {
		number = m.item.Number
	}
	what := "the flight"
	if m.item.Type != itinerary.Flight {
		return "the journey from " + line(m.origin)
	}
	if number != "" {
		what = "flight " + line(number)
	}
	return what + " from " + line(m.origin)
}

func readTrip(in itinerary.Trip, o Options) trip {
	t := trip{Trip: in, o: o, returns: in.To}
	legs := legsOf(o.Bookings)
	for _, i := range in.Items {
		if i.Status == itinerary.Cancelled || i.Type == itinerary.Note {
			continue
		}
		if i.Ends.Date.After(t.returns) {
			t.returns = i.Ends.Date
		}
		switch {
		case i.Type == itinerary.Hotel:
			t.hotels = append(t.hotels, i)
		case (i.Type == itinerary.Flight || i.Type == itinerary.Travel) && i.Destination != "":
			departs, arrives, err := i.Moments()
			if err != nil {
				continue // without its zones nothing of it is sure
			}
			m := move{item: i, origin: i.Origin, dest: i.Destination, departs: departs, arrives: arrives,
				zone: departs.Location(), endZone: arrives.Location(), begins: true}
			m.international = i.International || foreign(m.origin, m.dest)
			t.abroad = t.abroad || m.international
			t.moves = append(t.moves, m)
			if i.Type == itinerary.Flight {
				t.flights = append(t.flights, segments(m, legs)...)
			}
		}
	}
	order := func(a, b move) int { return a.departs.Compare(b.departs) }
	slices.SortStableFunc(t.flights, order)
	slices.SortStableFunc(t.moves, order)
	slices.SortStableFunc(t.hotels, func(a, b itinerary.Item) int { return a.Starts.Compare(b.Starts) })
	if len(t.moves) > 0 {
		t.home = t.moves[0].origin
	}
	return t
}

// legsOf returns the legs of flights by the code of their booking.
func legsOf(list []bookings.Booking) map[string][]flights.Leg {
	found := map[string][]flights.Leg{}
	for _, b := range list {
		var legs []flights.Leg
		if b.Type == bookings.Flight && len(b.Details) > 0 && json.Unmarshal(b.Details, &legs) == nil {
			found[b.Code] = legs
		}
	}
	return found
}

// segments returns the flights of a journey: those of its leg where the booking tells
// them, and else itself.
func segments(m move, legs map[string][]flights.Leg) []move {
	for _, leg := range legs[m.item.Booking] {
		if leg.Departs != m.item.Starts || len(leg.Segments) < 2 {
			continue
		}
		var list []move
		for n, s := range leg.Segments {
			from, err := time.LoadLocation(s.OriginZone)
			if err != nil || s.OriginZone == "" {
				return []move{m}
			}
			to, err := time.LoadLocation(s.DestZone)
			if err != nil || s.DestZone == "" {
				return []move{m}
			}
			one := move{item: m.item, number: s.Number, origin: named(s.OriginCity, s.Origin),
				dest: named(s.DestCity, s.Destination), departs: s.Departs.In(from), arrives: s.Arrives.In(to),
				zone:    from,
				endZone: to, begins: n == 0, international: s.OriginNation != s.DestNation}
			list = append(list, one)
		}
		return list
	}
	return []move{m}
}

func named(city, code string) string {
	if city == "" {
		return code
	}
	return city + " (" + code + ")"
}

// found returns the place that a text of an itinerary names, such as "London (LHR)".
func found(text string) (places.Place, bool) {
	list := places.Lookup(text)
	if len(list) == 0 || !places.Known(text) {
		return places.Place{}, false
	}
	return list[0], true
}

// foreign reports whether two places are surely in different countries.
func foreign(a, b string) bool {
	p, ok := found(a)
	q, also := found(b)
	return ok && also && p.Country != q.Country
}

// cityName returns "London" of "London (LHR), United Kingdom".
func cityName(text string) string {
	name, _, _ := strings.Cut(text, "(")
	name, _, _ = strings.Cut(name, ",")
	return strings.TrimSpace(name)
}

// nearby is how far apart two places of one city are at most, in km.
const nearby = 120.0

// sameCity reports whether two texts name places of one city, by their names or by
// where they are.
func sameCity(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if strings.EqualFold(cityName(a), cityName(b)) {
		return true
	}
	p, ok := found(a)
	q, also := found(b)
	return ok && also && p.Country == q.Country && places.Distance(p, q) <= nearby
}

// codeIn returns the airport's code of "London (LHR)" or "LHR", "" when it has none.
func codeIn(text string) string {
	if p, ok := found(text); ok && p.Kind == places.Airport {
		return p.Code
	}
	return ""
}

// clock returns "Fri 4 Dec, 21:35".
func clock(at time.Time, zone *time.Location) string {
	text := at.In(zone).Format("Mon 2 Jan, 15:04")
	if zone == time.UTC {
		text += " UTC"
	}
	return text
}

// date returns "4 Dec 2026".
func date(d calendar.Date) string { return d.Time().Format("2 Jan 2006") }

func today(o Options) calendar.Date { return calendar.Today(o.Now, o.Zone) }

// span returns "35 minutes" or "3 hours 20 minutes".
func span(d time.Duration) string {
	minutes := int(d.Round(time.Minute).Minutes())
	hours := minutes / 60
	minutes %= 60
	switch {
	case hours == 0:
		return count(minutes, "minute")
	case minutes == 0:
		return count(hours, "hour")
	}
	return count(hours, "hour") + " " + count(minutes, "minute")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// addMonths returns the same day some months later, or the last day of that month.
func addMonths(d calendar.Date, months int) calendar.Date {
	later := calendar.Of(d.Time().AddDate(0, months, 0))
	if later.Day != d.Day {
		return later.AddDays(-later.Day)
	}
	return later
}
