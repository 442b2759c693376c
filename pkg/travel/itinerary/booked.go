package itinerary

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// OfBooking returns the items of a booking: one for each journey of a flight, one for
// anything else; none where it is not known when it starts. Its total stands with the
// first.
func OfBooking(b bookings.Booking) []Item {
	var items []Item
	if b.Type == bookings.Flight {
		var legs []flights.Leg
		if json.Unmarshal(b.Details, &legs) == nil {
			items = OfLegs(legs)
		}
	}
	if len(items) == 0 {
		if b.Starts.IsZero() {
			return nil
		}
		i := Item{Type: Type(b.Type), Title: b.Title, Place: b.Place, Starts: b.Starts,
			Ends: cmp.Or(b.Ends, b.Starts)}
		i.AllDay = b.Type == bookings.Hotel && i.Starts.Clock() == "00:00" && i.Ends.Clock() == "00:00"
		items = []Item{i}
	}
	for n := range items {
		i := &items[n]
		i.Status, i.Booking, i.Reference = statusOf(b.State), b.Code, b.Reference
		i.StartZone = cmp.Or(i.StartZone, b.StartZone, b.EndZone, "UTC")
		i.EndZone = cmp.Or(i.EndZone, b.EndZone, i.StartZone)
	}
	items[0].Price = b.Total
	return items
}

func statusOf(s flights.State) Status {
	switch s {
	case flights.Held:
		return Held
	case flights.Confirmed:
		return Booked
	case flights.Cancelled:
		return Cancelled
	}
	return Planned
}

// Numbers returns the numbers of the flights of a journey as an item has them: "BA117,
// BA2167"; the first where they are too long.
func Numbers(list []string) string {
	all := strings.Join(list, ", ")
	if len(all) > maxNumber && len(list) > 0 {
		return list[0]
	}
	return all
}

// OfLegs returns an item for each journey: planned, without a price. Zones are those
// that the supplier told.
func OfLegs(legs []flights.Leg) []Item {
	var items []Item
	for _, l := range legs {
		i := Item{Type: Flight, Status: Planned, Origin: l.Origin, Destination: l.Destination, Starts: l.Departs,
			Ends: l.Arrives}
		var numbers []string
		for _, s := range l.Segments {
			numbers = append(numbers, s.Number)
		}
		if n := len(l.Segments); n > 0 {
			first, last := l.Segments[0], l.Segments[n-1]
			i.Origin, i.Destination = airport(first.OriginCity, l.Origin), airport(last.DestCity, l.Destination)
			i.StartZone, i.EndZone = first.OriginZone, last.DestZone
			from, to := first.OriginNation, last.DestNation
			i.International = from != to && from != "" && to != ""
		}
		i.Number = Numbers(numbers)
		i.Title = i.Origin + " to " + i.Destination
		items = append(items, i)
	}
	return items
}

// maxNumber are the most letters of an item's number.
const maxNumber = 20

// airport returns "London (LHR)".
func airport(city, code string) string {
	if city == "" || city == code {
		return code
	}
	return city + " (" + code + ")"
}

// Span returns when journeys start and end with the zones of their airports, as far as
// the supplier told them.
func Span(legs []flights.Leg) (starts, ends calendar.DateTime, startZone, endZone string) {
	if len(legs) == 0 {
		return
	}
	first, last := legs[0], legs[len(legs)-1]
	if len(first.Segments) > 0 && len(last.Segments) > 0 {
		startZone = first.Segments[0].OriginZone
		endZone = last.Segments[len(last.Segments)-1].DestZone
	}
	return first.Departs, last.Arrives, startZone, endZone
}
