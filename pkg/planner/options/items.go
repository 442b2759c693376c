package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Items returns an option as items of an itinerary, without codes: journeys, nights, meals
// and what is done. Their clocks are local to the cities of c; a place whose zone is not
// known counts as UTC. The same option gives the same items.
func Items(o Option, c trip.Context) []itinerary.Item {
	items := []itinerary.Item{}
	zones := map[string]string{}
	countries := map[string]string{}
	for _, p := range c.Destinations {
		zones[p.Name], countries[p.Name] = cmp.Or(p.Zone, "UTC"), p.Country
	}
	home := ""
	if c.Origin != nil {
		home = c.Origin.Name
		zones[home], countries[home] = cmp.Or(c.Origin.Zone, "UTC"), c.Origin.Country
	}
	paid := map[string]bool{}
	zone := func(name string) string { return cmp.Or(zones[name], "UTC") }
	for n, d := range o.Itinerary.Days {
		before := home
		if n > 0 {
			before = o.Itinerary.Days[n-1].City
		}
		for _, e := range d.Transport {
			if e.Kind == localMode {
				continue
			}
			from, to := ends(e.Name, zones, cmp.Or(before, d.City), d.City)
			i := itinerary.Item{Type: itinerary.Travel, Title: e.Name, Origin: from, Destination: to,
				StartZone: zone(from), EndZone: zone(to), Notes: e.Detail,
				International: countries[from] != "" && countries[from] != countries[to]}
			if e.Kind == "flight" && e.Starts != "" {
				i.Type, i.Number = itinerary.Flight, e.Number // by which a later booking finds it
			}
			i.Price = priceOf(o, e.Code, paid)
			items = append(items, timed(i, d.Date, e))
		}
		if a := d.Accommodation; a != nil && a.Nights > 0 {
			items = append(items, itinerary.Item{Type: itinerary.Hotel, Status: itinerary.Planned, Title: a.Name,
				Place: d.City, Starts: calendar.DateTime{Date: d.Date},
				Ends: calendar.DateTime{Date: d.Date.AddDays(a.Nights)}, AllDay: true,
				StartZone: zone(d.City), EndZone: zone(d.City), Notes: sentence(a.Detail, a.Area),
				Price: priceOf(o, a.Code, paid)})
		}
		for _, e := range inOrder(d) {
			title, what := e.Name, ""
			if e.Kind != "" {
				title, what = upper(e.Kind)+": "+e.Name, "meal"
			}
			items = append(items, timed(itinerary.Item{Type: itinerary.Activity, Title: title, Place: d.City,
				StartZone: zone(d.City), EndZone: zone(d.City), Notes: sentence(what, e.Area, e.Detail)}, d.Date, e))
		}
	}
	return items
}

// priceOf returns the live price of what has a code, at its first item only: that of a
// flight is there and back.
func priceOf(o Option, code string, paid map[string]bool) *money.Price {
	for _, l := range o.Costs {
		if l.Code == code && l.Source == specialists.Live && l.From.Cmp(l.To) == 0 && !paid[code] {
			paid[code] = true
			return &money.Price{Amount: l.From, Currency: l.Currency}
		}
	}
	return nil
}

// ends returns from where to where a journey leads, by its name among the places of a trip,
// or else what it is given.
func ends(name string, places map[string]string, from, to string) (string, string) {
	longest := 0
	for a := range places {
		for b := range places {
			if n := len(a) + len(b); n > longest && strings.Contains(name, " "+a+" → "+b) {
				from, to, longest = a, b, n
			}
		}
	}
	return from, to
}

// timed gives an item the times of an entry; without them it is of the whole day.
func timed(i itinerary.Item, day calendar.Date, e Entry) itinerary.Item {
	i.Status = itinerary.Planned
	from, ok := minutesOf(e.Starts)
	i.Starts, i.Ends = calendar.DateTime{Date: day}, calendar.DateTime{Date: day}
	if !ok {
		i.AllDay = true
		return i
	}
	i.Starts.Hour, i.Starts.Minute = from/hour, from%hour
	i.Ends = i.Starts
	if to, ok := minutesOf(e.Ends); ok {
		i.Ends = calendar.DateTime{Date: day.AddDays(e.Nights), Hour: to / hour, Minute: to % hour}
	}
	return i
}

// inOrder returns meals and activities of a day by their clocks.
func inOrder(d Day) []Entry {
	list := slices.Concat(d.Meals, d.Activities)
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Compare(a.Starts, b.Starts) })
	return list
}
