package itinerary

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Warn are sentences to show with a trip besides its Problems, such as hints.
type Warn []string

// Shown returns a trip by day for people, with its problems and the warnings of w. Zones
// stand where they change. An item can be moved and removed by its choices.
func Shown(t Trip, w Warn) part.Itinerary {
	shown := part.Itinerary{Trip: t.Code, Version: t.Version, Title: t.Title, Detail: detail(t),
		Days: []part.ItineraryDay{}}
	if len(t.Items) > 0 {
		shown.Calendar = "/api/trips/" + t.Code + "/calendar.ics"
	}
	warns := map[string]string{}
	for _, p := range Problems(t) {
		shown.Warnings = append(shown.Warnings, p.Text)
		for _, code := range p.Items[max(0, len(p.Items)-1):] {
			if warns[code] == "" {
				warns[code] = p.Text
			}
		}
	}
	shown.Warnings = append(shown.Warnings, w...)
	zone := ""
	for _, d := range Days(t) {
		day := part.ItineraryDay{Date: d.Date.String(), Place: d.Place, Items: []part.ItineraryItem{}}
		for _, i := range d.Items {
			item := itemShown(t, i)
			item.Warn = warns[i.Code]
			item.Zone, zone = zoneChange(i, zone)
			day.Items = append(day.Items, item)
		}
		shown.Days = append(shown.Days, day)
	}
	return shown
}

// detail returns "4 to 8 Dec 2026 · 2 flights, 1 hotel".
func detail(t Trip) string {
	count := map[Type]int{}
	for _, i := range t.Items {
		if i.Status != Cancelled {
			count[i.Type]++
		}
	}
	var kinds []string
	for _, k := range []struct {
		kind      Type
		one, many string
	}{{Flight, "flight", "flights"}, {Hotel, "hotel", "hotels"}, {Activity, "activity", "activities"},
		{Travel, "journey", "journeys"}, {Note, "note", "notes"}} {
		switch n := count[k.kind]; {
		case n == 1:
			kinds = append(kinds, "1 "+k.one)
		case n > 1:
			kinds = append(kinds, fmt.Sprintf("%d %s", n, k.many))
		}
	}
	words := []string{strings.Join(kinds, ", ")}
	if span := spanText(t.From, t.To); span != "" {
		words = append([]string{span}, words...)
	}
	if words[len(words)-1] == "" {
		words[len(words)-1] = "nothing planned"
	}
	return strings.Join(words, " · ")
}

func itemShown(t Trip, i Item) part.ItineraryItem {
	item := part.ItineraryItem{Code: i.Code, Type: string(i.Type), Status: string(i.Status), Title: i.Title,
		Nights: i.Starts.Date.Until(i.Ends.Date)}
	if !i.AllDay {
		item.From = i.Starts.Clock()
		if i.Ends != i.Starts {
			item.To = i.Ends.Clock()
		}
	}
	var detail []string
	for _, d := range []string{i.Number, place(i), i.Reference, priceOf(i), i.Notes} {
		if d = strings.Join(strings.Fields(d), " "); d != "" {
			detail = append(detail, d)
		}
	}
	item.Detail = strings.Join(detail, " · ")
	named, err := json.Marshal(map[string]any{"trip": t.Code, "item": i.Code, "version": t.Version})
	if err != nil {
		return item
	}
	if i.Booking == "" { // what is booked moves by its booking
		item.Do = append(item.Do, part.Choice{Label: "Move", Words: fmt.Sprintf("Move %s of %s to ", i.Code, t.Code)})
	}
	item.Do = append(item.Do, part.Choice{Label: "Remove", Tool: "remove_itinerary_item", Arguments: named})
	return item
}

// place returns where an item is, where its title does not say so.
func place(i Item) string {
	if i.moves() || strings.Contains(i.Title, i.Place) {
		return ""
	}
	return i.Place
}

func priceOf(i Item) string {
	if i.Price == nil {
		return ""
	}
	return i.Price.String()
}

// zoneChange returns what to show of an item's zones after one that ended in a zone:
// "GMT+1", or "GMT to GMT+1"; and the zone in which the item ends.
func zoneChange(i Item, before string) (text, after string) {
	from, to, err := i.Moments()
	if err != nil || i.AllDay {
		return "", before
	}
	start, end := offset(from), offset(to)
	switch {
	case start != end:
		return start + " to " + end, end
	case start != before:
		return start, end
	}
	return "", end
}

// offset returns the zone of a time as "GMT", "GMT+1" or "GMT+5:30".
func offset(t time.Time) string {
	_, seconds := t.Zone()
	if seconds == 0 {
		return "GMT"
	}
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	if minutes := seconds / 60 % 60; minutes != 0 {
		return fmt.Sprintf("GMT%c%d:%02d", sign, seconds/3600, minutes)
	}
	return fmt.Sprintf("GMT%c%d", sign, seconds/3600)
}
