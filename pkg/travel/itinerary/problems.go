package itinerary

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// Problem is something that does not fit in a trip.
type Problem struct {
	Items []string // codes; the one that should move last
	Text  string   // a sentence for people
}

// transfer is the least time from the end of one thing to the start of the next in
// another city.
const transfer = 30 * time.Minute

// maxProblems bounds what is said of one trip.
const maxProblems = 20

// Problems returns what does not fit in a trip, by real moments and not by what the clocks
// show: things at the same time, too little time to get to another city, journeys that
// do not follow from one another, a hotel that nothing leads to, nights without a bed,
// and a return before the departure. Cancelled items and notes do not count. Places are
// compared by what is known of them; one that is not known counts as being anywhere.
func Problems(t Trip) []Problem {
	n := nightsOf(t.Items)
	var found []Problem
	found = append(found, overlaps(n.list)...)
	back := n.backwards()
	found = append(found, back...)
	if len(back) == 0 { // else it is not known where the traveller is
		found = append(found, n.transfers()...)
		found = append(found, n.arrivals()...)
		found = append(found, n.unbooked()...)
	}
	return found[:min(len(found), maxProblems)]
}

// say returns what makes a problem of items from the words of a sentence.
func say(format string, items ...string) func(words ...any) Problem {
	return func(words ...any) Problem { return Problem{items, fmt.Sprintf(format, words...)} }
}

// overlaps finds what happens at the same time. A hotel overlaps other hotels only, by
// nights, and a day is no time.
func overlaps(list []moment) []Problem {
	var found []Problem
	for n, a := range list {
		for _, b := range list[n+1:] {
			switch {
			case a.Type == Hotel && b.Type == Hotel:
				from, to := later(a.Starts.Date, b.Starts.Date), earlier(a.Ends.Date, b.Ends.Date)
				if nights := from.Until(to); nights > 0 {
					found = append(found, say("Two hotels are planned for %s: %s and %s.", a.Code, b.Code)(
						nightsText(from, nights), a.Title, b.Title))
				}
			case a.Type == Hotel || b.Type == Hotel || a.AllDay || b.AllDay:
			case a.from.Before(b.to) && b.from.Before(a.to):
				found = append(found, say("%s on %s begins before %s has ended.", a.Code, b.Code)(
					b.Title, dayText(b.Starts.Date), a.Title))
			}
		}
	}
	return found
}

// backwards finds a journey back that starts before the one there has ended, by the
// order in which they were planned.
func (n nights) backwards() []Problem {
	list := slices.DeleteFunc(slices.Clone(n.list), func(m moment) bool { return !m.moves() })
	var found []Problem
	for _, back := range list {
		if n.leadsTo(list, back) {
			continue
		}
		for _, there := range list {
			if number(there.Code) < number(back.Code) && n.together(there.Origin, back.Destination) &&
				n.together(there.Destination, back.Origin) && !n.together(back.Origin, back.Destination) &&
				back.from.Before(there.from) {
				found = append(found, say("The journey back from %s on %s is before the journey there on %s.",
					there.Code, back.Code)(n.city(back.Origin), dayText(back.Starts.Date), dayText(there.Starts.Date)))
				break
			}
		}
	}
	return found
}

// leadsTo reports whether an earlier journey ends where this one starts.
func (n nights) leadsTo(list []moment, m moment) bool {
	return slices.ContainsFunc(list, func(o moment) bool {
		return o.Code != m.Code && !o.to.After(m.from) && n.together(o.Destination, m.Origin)
	})
}

func number(code string) (n int) {
	_, _ = fmt.Sscanf(code, "I%d", &n)
	return n
}

// transfers finds things that follow one another in different cities with too little
// time or no journey between them.
func (n nights) transfers() []Problem {
	var found []Problem
	var last *moment
	for i := range n.list {
		m := &n.list[i]
		if m.Type == Hotel || m.AllDay || m.startPlace() == "" {
			continue
		}
		if last != nil && !last.to.After(m.from) && !n.together(last.endPlace(), m.startPlace()) {
			gap := m.from.Sub(last.to)
			from, to := n.city(last.endPlace()), n.city(m.startPlace())
			switch {
			case gap < transfer:
				found = append(found, say("There are %d minutes from %s in %s to %s in %s.", last.Code, m.Code)(
					int(gap.Minutes()), last.Title, from, m.Title, to))
			case m.moves() || last.moves():
				found = append(found, say("It is not planned how to get from %s to %s before %s on %s.", last.Code,
					m.Code)(from, to, m.Title, dayText(m.Starts.Date)))
			}
		}
		if last == nil || m.to.After(last.to) {
			last = m
		}
	}
	return found
}

// arrivals finds hotels in a city to which no journey of the trip leads, where the trip
// has journeys.
func (n nights) arrivals() []Problem {
	var found []Problem
	for _, m := range n.list {
		if m.Type != Hotel || m.Place == "" || n.home == "" {
			continue
		}
		if here := n.arrived(m.Starts.Date); !n.together(here, m.Place) || here == "" && !n.together(n.home, m.Place) {
			found = append(found, say("No journey leads to %s before %s on %s.", m.Code)(
				n.city(m.Place), m.Title, dayText(m.Starts.Date)))
		}
	}
	return found
}

// unbooked finds the nights between the first and the last journey without a hotel or a
// journey over night, except at home.
func (n nights) unbooked() []Problem {
	var first, last calendar.Date
	for _, m := range n.list {
		if m.moves() || m.Type == Hotel {
			if first.IsZero() {
				first = m.Starts.Date
			}
			last = later(last, m.Ends.Date)
		}
	}
	var found []Problem
	if first.IsZero() || first.Until(last) > maxDays {
		return nil
	}
	since, place := calendar.Date{}, ""
	end := func(d calendar.Date) {
		if !since.IsZero() {
			in := ""
			if place != "" {
				in = " in " + place
			}
			found = append(found, say("No hotel is planned for %s%s.")(nightsText(since, since.Until(d)), in))
		}
		since = calendar.Date{}
	}
	for d := first; d.Before(last); d = d.AddDays(1) {
		_, ok := n.covered(d)
		here := n.arrived(d)
		if ok || here == "" && n.home != "" || here != "" && n.together(here, n.home) {
			end(d)
			continue
		}
		if n.city(here) != place {
			end(d)
		}
		if since.IsZero() {
			since, place = d, n.city(here)
		}
	}
	end(last)
	return found
}

func later(a, b calendar.Date) calendar.Date {
	if a.IsZero() || a.Before(b) {
		return b
	}
	return a
}

func earlier(a, b calendar.Date) calendar.Date {
	if a.Before(b) {
		return a
	}
	return b
}

// dayText returns "Fri 4 Dec".
func dayText(d calendar.Date) string { return d.Time().Format("Mon 2 Jan") }

// nightsText returns "the night of Fri 4 Dec" or "the 2 nights from Fri 4 Dec".
func nightsText(d calendar.Date, nights int) string {
	if nights == 1 {
		return "the night of " + dayText(d)
	}
	return fmt.Sprintf("the %d nights from %s", nights, dayText(d))
}

// spanText returns "4 to 8 Dec 2026".
func spanText(from, to calendar.Date) string {
	if from.IsZero() {
		return ""
	}
	begin := from.Time().Format("2 Jan 2006")
	if from == to || to.IsZero() {
		return begin
	}
	if from.Year == to.Year {
		begin = strings.TrimSuffix(begin, from.Time().Format(" 2006"))
		if from.Month == to.Month {
			begin = from.Time().Format("2")
		}
	}
	return begin + " to " + to.Time().Format("2 Jan 2006")
}
