package itinerary

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
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

// atlas knows where the places of one trip are, by their texts, and which of them are
// together.
type atlas struct {
	where map[string][]places.Place
	same  map[[2]string]bool
}

// of returns what a text may mean: the airport or city whose code stands in brackets, or
// the places that its parts name as they are written. It is nil for a text that names
// none, such as "home".
func (a atlas) of(text string) []places.Place {
	if list, ok := a.where[text]; ok {
		return list
	}
	var list []places.Place
	if p, ok := places.ByCode(codeIn(text)); ok {
		list = []places.Place{p}
	} else {
		for _, name := range parts(text) {
			if places.Known(name) {
				list = append(list, places.Lookup(name)...)
			}
		}
	}
	a.where[text] = list
	return list
}

// codeIn returns the code of "London (LHR)" and of "LHR".
func codeIn(text string) string {
	if _, in, ok := strings.Cut(text, "("); ok {
		code, _, _ := strings.Cut(in, ")")
		return code
	}
	if len(text) == 3 && text == strings.ToUpper(text) {
		return text
	}
	return ""
}

// parts returns the parts of an address without what stands in brackets.
func parts(text string) []string {
	var list []string
	for p := range strings.SplitSeq(text, ",") {
		name, _, _ := strings.Cut(p, "(")
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// city returns how to call the city of a place: "London" of "London (LHR), United
// Kingdom" and of "3 Mill Lane, London".
func (a atlas) city(text string) string {
	list := parts(text)
	for _, name := range list {
		if places.Known(name) {
			return name
		}
	}
	if len(list) > 0 && codeIn(text) != text {
		return list[0]
	}
	for _, p := range a.of(text) {
		return cmp.Or(p.City, p.Name)
	}
	return text
}

// cityWide is how many kilometres apart two places of one city are at most.
const cityWide = 60

// together reports whether two places may be in one city. Places that are not known may.
func (a atlas) together(one, other string) bool {
	if one == "" || other == "" || strings.EqualFold(one, other) {
		return true
	}
	pair := [2]string{one, other}
	same, ok := a.same[pair]
	if !ok {
		same = a.near(one, other)
		a.same[pair] = same
	}
	return same
}

func (a atlas) near(one, other string) bool {
	here, there := a.of(one), a.of(other)
	for _, p := range here {
		for _, q := range there {
			if p.Country == q.Country && p.City == q.City && p.City != "" && p.Region == q.Region ||
				places.Distance(p, q) <= cityWide {
				return true
			}
		}
	}
	return len(here) == 0 || len(there) == 0
}

// nights knows where the nights of a trip are.
type nights struct {
	atlas
	list []moment // what counts
	home string   // where the first journey begins
}

func nightsOf(items []Item) nights {
	n := nights{atlas: atlas{map[string][]places.Place{}, map[[2]string]bool{}}}
	for _, m := range moments(items) {
		if m.counts() {
			n.list = append(n.list, m)
			// "home" says less than the airport from which the first flight leaves.
			if m.moves() && (n.home == "" || len(n.of(n.home)) == 0 && len(n.of(m.Origin)) > 0) {
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
	if place, ok := n.covered(d); ok && (here == "" || place == "" || !n.together(here, place)) {
		return n.city(place)
	}
	if here != "" && !n.together(here, n.home) {
		return n.city(here)
	}
	return ""
}
