package hints

import (
	"fmt"
	"math"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// connections tells of too little time between two flights that follow one another.
func (t trip) connections() []Hint {
	var list []Hint
	for n := 1; n < len(t.flights); n++ {
		a, b := t.flights[n-1], t.flights[n]
		gap := b.departs.Sub(a.arrives)
		if !b.departs.After(t.o.Now) || gap < 0 || gap >= stopover || !sameCity(a.dest, b.origin) {
			continue
		}
		from, to := codeIn(a.dest), codeIn(b.origin)
		h := Hint{ID: "connection:" + a.item.Code + ":" + b.item.Code, About: b.item.Code, When: a.arrives,
			Severity: Warning}
		if a.item.Code == b.item.Code {
			h.ID += ":" + b.number
		}
		between := fmt.Sprintf("There are %s between the arrival in %s and %s", span(gap), line(a.dest), b.name())
		least := sameAirport
		if a.international || b.international {
			least = borderAirport
		}
		switch {
		case from != "" && to != "" && from != to:
			if gap >= otherAirport {
				continue
			}
			h.Text = fmt.Sprintf("%s. They are different airports: allow %s.", between, span(otherAirport))
		case gap < least:
			h.Text = fmt.Sprintf("%s: that is tight. Allow %s.", between, span(least))
		default:
			continue
		}
		switch {
		case a.item.Code == b.item.Code:
			h.Text += " The airline sells it as one journey and has to carry you on if it is missed."
			h.Severity = Info
		case a.item.Booking == "" || a.item.Booking != b.item.Booking:
			h.Text += " They are booked apart: if the first is late, the second is lost."
		}
		list = append(list, h)
	}
	return list
}

// nextDeparture tells when to leave for the next flight from where the person is.
func (t trip) nextDeparture() []Hint {
	if t.o.At == nil || !(math.Abs(t.o.At.Lat) <= 90 && math.Abs(t.o.At.Lon) <= 180) {
		return nil
	}
	for _, f := range t.flights {
		left := f.departs.Sub(t.o.Now)
		if left <= 0 {
			continue
		}
		airport, ok := found(f.origin)
		if left > leaveAhead || !ok {
			return nil
		}
		away := places.Distance(places.Place{Lat: t.o.At.Lat, Lon: t.o.At.Lon}, airport)
		h := Hint{ID: "leave:" + f.item.Code, About: f.item.Code, Severity: Info}
		if away > farthest {
			h.When, h.Severity = f.departs, Warning
			h.Text = fmt.Sprintf("%s departs in %s, and you are about %.0f km away.", upper(f.name()), span(left),
				away)
			return []Hint{h}
		}
		hours := min(away, cityKilometres)/citySpeed + max(0, away-cityKilometres)/roadSpeed
		way := time.Duration(hours * float64(time.Hour)).Round(5 * time.Minute)
		inside := airportDomestic
		if f.international {
			inside = airportAbroad
		}
		h.When = f.departs.Add(-way - inside)
		basis := fmt.Sprintf("An estimate: about %.0f km in a straight line, %s on the way, and %s at the airport.",
			away, span(way), span(inside))
		if until := h.When.Sub(t.o.Now); until > 0 {
			h.Text = fmt.Sprintf("Leave in about %s, by %s, for %s at %s. %s", span(until), clock(h.When, f.zone),
				f.name(), clock(f.departs, f.zone), basis)
		} else {
			h.Severity = Warning
			h.Text = fmt.Sprintf("Leave now: %s departs in %s. %s", f.name(), span(left), basis)
		}
		return []Hint{h}
	}
	return nil
}

// nights tells of those without a bed between two that have one.
func (t trip) nights() []Hint {
	var first, last calendar.Date
	for _, h := range t.hotels {
		if first.IsZero() || h.Starts.Date.Before(first) {
			first = h.Starts.Date
		}
		if h.Ends.Date.After(last) {
			last = h.Ends.Date
		}
	}
	if first.IsZero() || first.Until(last) > 400 {
		return nil
	}
	var list []Hint
	since := calendar.Date{}
	for d := first; !d.After(last); d = d.AddDays(1) {
		open := d.Before(last) && !d.Before(today(t.o)) && !t.covered(d) && !t.atHome(d)
		switch {
		case open && since.IsZero():
			since = d
		case !open && !since.IsZero():
			list = append(list, t.withoutBed(since, d))
			since = calendar.Date{}
		}
	}
	return list
}

func (t trip) withoutBed(from, to calendar.Date) Hint {
	nights, in := "the night of "+from.Time().Format("Mon 2 Jan"), ""
	if n := from.Until(to); n > 1 {
		nights = fmt.Sprintf("the %d nights from %s", n, from.Time().Format("Mon 2 Jan"))
	}
	about := ""
	for _, h := range t.hotels {
		if !h.Ends.Date.After(from) {
			about = h.Code
		}
	}
	if here := t.arrived(from); here != "" {
		in = " in " + cityName(line(here))
	}
	return Hint{ID: "night:" + from.String(), About: about, When: from.Time(), Severity: Warning,
		Text: fmt.Sprintf("No bed is planned for %s%s, between nights that are.", nights, in)}
}

// covered reports whether the night after a day is in a hotel or on the way.
func (t trip) covered(d calendar.Date) bool {
	for _, h := range t.hotels {
		if !h.Starts.Date.After(d) && h.Ends.Date.After(d) {
			return true
		}
	}
	for _, m := range t.moves {
		if !m.item.Starts.Date.After(d) && m.item.Ends.Date.After(d) {
			return true
		}
	}
	return false
}

// atHome reports whether the last journey up to a day led to where the first began.
func (t trip) atHome(d calendar.Date) bool {
	here := t.arrived(d)
	return here != "" && t.home != "" && sameCity(here, t.home)
}

func (t trip) arrived(d calendar.Date) string {
	here := ""
	for _, m := range t.moves {
		if !m.item.Ends.Date.After(d) {
			here = m.dest
		}
	}
	return here
}

// upper makes a sentence's first letter a capital.
func upper(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}
