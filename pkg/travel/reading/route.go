package reading

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// route reads a journey over several cities: "London to Rome, Rome to Athens, Athens to
// London". It returns nil for fewer than three places.
func (r *reader) route() []Leg {
	var legs []Leg
	at := ""
	n := 0
	for _, s := range r.said.spots {
		if !s.clear() || s.candidates[0].Code == "" {
			return nil
		}
		code := s.candidates[0].Code
		switch s.role {
		case origin:
			at = code
		case destination, backTo:
			if at == "" || at == code {
				return nil
			}
			if n > 0 && strings.Contains(r.low[r.said.spots[0].to:s.at], " or ") {
				return nil
			}
			legs = append(legs, Leg{Origin: at, Destination: code})
			at = code
			n++
		}
	}
	switch {
	case len(legs) < 2, len(legs) == 2 && legs[1].Destination == legs[0].Origin:
		return nil
	}
	var days []calendar.Date
	for _, w := range r.said.dates {
		if w.open {
			continue
		}
		days = append(days, w.day)
		if !w.last.IsZero() {
			days = append(days, w.last)
		}
	}
	for i := range legs {
		if i < len(days) {
			legs[i].Date = days[i]
		}
	}
	return legs
}

// days puts the days of the message into a query.
func (r *reader) days(f *Flights, correcting bool) {
	if len(f.Legs) > 0 {
		if r.slot() == OfDate && len(r.said.dates) > 0 && r.route() == nil {
			n := 0
			for i := range f.Legs {
				if f.Legs[i].Date.IsZero() && n < len(r.said.dates) && !r.said.dates[n].open {
					f.Legs[i].Date = r.said.dates[n].day
					n++
				}
			}
		}
		return
	}
	was := *f
	j := r.journey()
	for _, n := range j.notes {
		r.assume("%s", n)
	}
	if j.oneWay {
		f.OneWay, f.RoundTrip, f.Return, f.Nights = true, false, calendar.Date{}, 0
	}
	if j.roundTrip {
		f.RoundTrip, f.OneWay = true, false
	}
	if r.slot() == OfReturn && correcting && r.open.Pending != nil && !j.out.IsZero() && j.back.IsZero() &&
		!f.Departure.IsZero() {
		j.back, j.out = j.out, calendar.Date{}
		if len(r.said.dates) > 0 && r.said.dates[0].words != "" && !j.back.After(f.Departure) {
			j.back = again(r.said.dates[0], f.Departure)
		}
	}
	if len(j.either) > 0 {
		r.ask(Question{Of: OfDate, Text: "Which of the two days?", Choices: dateChoices(j.either)})
	}
	switch {
	case !j.out.IsZero():
		f.Departure = j.out
		if correcting && j.back.IsZero() && !was.Return.IsZero() && j.nights == 0 && !f.OneWay {
			if !was.Return.After(f.Departure) && !was.Departure.IsZero() {
				f.Return = f.Departure.AddDays(was.Departure.Until(was.Return))
			}
			r.assume("Back on %s.", showDay(f.Return))
		}
	case j.outOpen != nil:
		f.Departure = calendar.Date{}
		r.askDay(OfDate, j.outOpen)
	}
	switch {
	case !j.back.IsZero():
		f.Return, f.OneWay = j.back, false
		if w := r.said.dates[len(r.said.dates)-1]; j.backOnly && !f.Departure.IsZero() &&
			!f.Return.After(f.Departure) && w.words != "" {
			f.Return = again(w, f.Departure)
		}
	case j.backOpen != nil:
		f.Return = calendar.Date{}
		r.askDay(OfReturn, j.backOpen)
		f.RoundTrip = true
	case j.sameDay:
		f.RoundTrip = true
		f.Return = f.Departure
	}
	if j.nights > 0 && !f.OneWay && j.back.IsZero() {
		f.Nights = j.nights
	}
	if f.Nights > 0 && !f.Departure.IsZero() && (j.back.IsZero() && (j.nights > 0 || was.Return.IsZero())) {
		f.Return = f.Departure.AddDays(f.Nights)
		r.assume("Back on %s, after %d nights.", showDay(f.Return), f.Nights)
		f.Nights = 0
	}
	if j.nightsOpen && f.Return.IsZero() {
		f.RoundTrip = true
	}
	for _, s := range r.said.shifts {
		r.shift(f, s)
	}
	for _, w := range j.extra {
		r.r.Ignored = append(r.r.Ignored, r.plain[w.at:w.to])
	}
}

// shift moves days: both, or the one that is spoken of.
func (r *reader) shift(f *Flights, s shift) {
	way := r.low[:s.at]
	backToo, outToo := true, true
	if backCue().MatchString(r.low) || strings.Contains(r.low, "come") || strings.Contains(r.low, "stay") {
		outToo = false
	} else if strings.Contains(way, "leav") || strings.Contains(way, "depart") || strings.Contains(way, "outbound") {
		backToo = false
	}
	if outToo && !f.Departure.IsZero() {
		f.Departure = f.Departure.AddDays(s.days)
		r.assume("Leaving on %s.", showDay(f.Departure))
	}
	if backToo && !f.Return.IsZero() {
		f.Return = f.Return.AddDays(s.days)
		r.assume("Back on %s.", showDay(f.Return))
	}
}
