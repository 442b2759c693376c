package itinerary

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// Day is a day of a trip with what starts on it.
type Day struct {
	Date  calendar.Date
	Place string // where the night after it is: a city, or "" where that is not planned
	Items []Item
}

// maxDays bounds the days that a trip is laid out over; of a longer one only days with
// items are.
const maxDays = 120

// Days returns the days of a trip in order, those without items among them.
func Days(t Trip) []Day {
	at := map[calendar.Date]*Day{}
	first, last := t.From, t.To
	for _, i := range ordered(t.Items) {
		d := i.Starts.Date
		if at[d] == nil {
			at[d] = &Day{Date: d}
		}
		at[d].Items = append(at[d].Items, i)
		if first.IsZero() || d.Before(first) {
			first = d
		}
		if last.IsZero() || i.Ends.Date.After(last) {
			last = i.Ends.Date
		}
	}
	if !first.IsZero() && first.Until(last) < maxDays {
		for d := first; !d.After(last); d = d.AddDays(1) {
			if at[d] == nil {
				at[d] = &Day{Date: d}
			}
		}
	}
	nights := nightsOf(t.Items)
	days := make([]Day, 0, len(at))
	for d, day := range at {
		day.Place = nights.at(d)
		days = append(days, *day)
	}
	slices.SortFunc(days, func(a, b Day) int { return a.Date.Time().Compare(b.Date.Time()) })
	return days
}

// moment is an item with its moments, as far as its zones are known.
type moment struct {
	Item
	from, to time.Time
}

// moments returns the items in the order of their starts and ends. An item with an
// unknown zone counts as one in UTC.
func moments(items []Item) []moment {
	list := make([]moment, 0, len(items))
	for _, i := range items {
		from, to, err := i.Moments()
		if err != nil {
			from, to = i.Starts.In(time.UTC), i.Ends.In(time.UTC)
		}
		list = append(list, moment{i, from, to})
	}
	slices.SortStableFunc(list, func(a, b moment) int { return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to)) })
	return list
}

func ordered(items []Item) []Item {
	var list []Item
	for _, m := range moments(items) {
		list = append(list, m.Item)
	}
	return list
}

// moves reports whether the item takes the traveller elsewhere.
func (i Item) moves() bool { return (i.Type == Flight || i.Type == Travel) && i.Destination != "" }

// counts reports whether the item takes place.
func (i Item) counts() bool { return i.Status != Cancelled && i.Type != Note }

// startPlace and endPlace are where the item starts and ends; "" is not known.
func (i Item) startPlace() string {
	if i.moves() {
		return i.Origin
	}
	return i.Place
}

func (i Item) endPlace() string {
	if i.moves() {
		return i.Destination
	}
	return i.Place
}

// city returns the name of a place without its code, country and surroundings:
// "London" of "London (LHR), United Kingdom".
func city(place string) string {
	name, _, _ := strings.Cut(place, "(")
	name, _, _ = strings.Cut(name, ",")
	return strings.TrimSpace(cmp.Or(strings.TrimSpace(name), place))
}

// together reports whether two places are in one city, as far as their names tell; places
// that are not known are.
func together(a, b string) bool {
	if a == "" || b == "" || strings.EqualFold(city(a), city(b)) {
		return true
	}
	return names(a, city(b)) || names(b, city(a))
}

// names reports whether one of the parts of a place is the city: "12 Rua Nova, Lisbon",
// or its code in brackets.
func names(place, city string) bool {
	for _, p := range strings.FieldsFunc(place, func(r rune) bool { return strings.ContainsRune(",()", r) }) {
		if strings.EqualFold(strings.TrimSpace(p), city) {
			return true
		}
	}
	return false
}

// nights knows where the nights of a trip are.
type nights struct {
	list []moment // what counts
	home string   // where the first journey begins
}

func nightsOf(items []Item) nights {
	var n nights
	for _, m := range moments(items) {
		if m.counts() {
			n.list = append(n.list, m)
			if n.home == "" && m.moves() {
				n.home = m.Origin
			}
		}
	}
	return n
}

// covered reports whether a night, that after a day, is spent in a hotel or on the way,
// and where.
func (n nights) covered(d calendar.Date) (place string, ok bool) {
	for _, m := range n.list {
		if m.Starts.Date.After(d) || !m.Ends.Date.After(d) {
			continue
		}
		switch {
		case m.Type == Hotel:
			return cmp.Or(m.Place, m.Title), true
		case m.moves():
			place, ok = "", true
		}
	}
	return place, ok
}

// arrived returns where the last journey up to a day led, "" for none.
func (n nights) arrived(d calendar.Date) (place string) {
	for _, m := range n.list {
		if m.moves() && !m.Ends.Date.After(d) {
			place = m.Destination
		}
	}
	return place
}

// at returns the city of the night after a day.
func (n nights) at(d calendar.Date) string {
	here := n.arrived(d)
	if place, ok := n.covered(d); ok && (here == "" || place == "" || !together(here, place)) {
		return cityOr(place)
	}
	if here != "" && !together(here, n.home) {
		return cityOr(here)
	}
	return ""
}

func cityOr(place string) string {
	if place == "" {
		return ""
	}
	return city(place)
}
