package tools

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// page lays a trip out by day.
func page(trip itinerary.Trip) part.Itinerary {
	p := part.Itinerary{Trip: trip.Code, Version: trip.Version, Title: cut(trip.Title, 120),
		Days: []part.ItineraryDay{}}
	if len(trip.Items) > 0 {
		p.Calendar = calendarAddress(trip.Code)
	}
	kinds := map[itinerary.Type]int{}
	var last calendar.Date
	for _, i := range trip.Items {
		kinds[i.Type]++
		if i.Starts.Date != last {
			last = i.Starts.Date
			p.Days = append(p.Days, part.ItineraryDay{Date: last.String()})
		}
		d := &p.Days[len(p.Days)-1]
		d.Items = append(d.Items, itemPart(trip, i))
	}
	words := []string{}
	if !trip.From.IsZero() {
		words = append(words, shortDay(trip.From)+" to "+day(trip.To))
	}
	for _, k := range (itinerary.Type("")).Values() {
		if n := kinds[itinerary.Type(k)]; n > 0 {
			words = append(words, plural(n, k))
		}
	}
	p.Detail = strings.Join(words, " · ")
	return p
}

func itemPart(trip itinerary.Trip, i itinerary.Item) part.ItineraryItem {
	out := part.ItineraryItem{Code: i.Code, Type: string(i.Type), Status: string(i.Status), Title: cut(i.Title, 160),
		Nights: i.Starts.Date.Until(i.Ends.Date), Detail: cut(strings.TrimSpace(i.Place+" "+i.Number), 200)}
	if !i.AllDay {
		out.From, out.To = i.Starts.Clock(), i.Ends.Clock()
	}
	this := map[string]any{"trip": trip.Code, "item": i.Code, "version": trip.Version}
	out.Do = []part.Choice{{Label: "Remove", Tool: "remove_itinerary_item", Arguments: arguments(this)}}
	if i.Booking == "" {
		out.Do = append([]part.Choice{{Label: "Move", Words: fmt.Sprintf("Move %s of %s to ", i.Code, trip.Code)}},
			out.Do...)
	}
	return out
}
