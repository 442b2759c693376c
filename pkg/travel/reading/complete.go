package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// complete asks for what a search needs and was not said, and fills in what may be.
func (r *reader) complete() {
	switch r.r.Intent {
	case SearchFlights:
		r.completeFlights()
	case SearchHotels:
		r.completeHotels()
	case SearchBoth:
		if r.r.Flights == nil {
			r.r.Flights = &Flights{}
		}
		if r.r.Hotels == nil {
			r.r.Hotels = &Hotels{}
		}
		r.completeFlights()
		h, f := r.r.Hotels, r.r.Flights
		if len(r.r.Missing) == 0 {
			h.CheckIn, h.CheckOut = f.Departure, f.Return
			h.Adults, h.Children = f.Adults, f.Children
			if h.Place == "" {
				h.Place = cityOf(f.Destination)
			}
			r.completeHotels()
		}
	}
}

func (r *reader) completeFlights() {
	f := r.r.Flights
	for i, l := range f.Legs {
		if l.Date.IsZero() {
			r.ask(Question{Of: OfDate, Text: fmt.Sprintf("On which day do you fly from %s to %s?",
				placeName(l.Origin), placeName(l.Destination))})
		}
		if i > 0 && !l.Date.IsZero() && l.Date.Before(f.Legs[i-1].Date) {
			r.ask(Question{Of: OfDate, Text: fmt.Sprintf("%s to %s would be before the flight that comes first. "+
				"On which day is it?",
				placeName(l.Origin), placeName(l.Destination))})
		}
	}
	if len(f.Legs) == 0 {
		if f.Destination == "" {
			r.ask(Question{Of: OfDestination, Text: "Where to?"})
		}
		if home := r.c.home(); f.Origin == "" && home != "" && home != f.Destination && !r.asks(OfOrigin) {
			f.Origin = home
			r.assume("From %s, your home.", placeName(home))
		}
		if f.Origin == "" {
			r.ask(Question{Of: OfOrigin, Text: "Where do you leave from?"})
		}
		if f.Origin == f.Destination && f.Origin != "" {
			r.ask(Question{Of: OfDestination, Text: fmt.Sprintf("From and to %s are the same place. Where to?",
				placeName(f.Origin))})
		}
		switch {
		case f.Departure.IsZero():
			r.ask(Question{Of: OfDate, Text: "On which day do you want to leave?", Choices: r.soon()})
		case f.Departure.Before(r.today):
			r.ask(Question{Of: OfDate, Text: fmt.Sprintf("%s is past. On which day do you want to leave?",
				showDay(f.Departure)), Choices: r.soon()})
		case !f.Return.IsZero() && f.Return.Before(f.Departure):
			r.ask(Question{Of: OfReturn, Text: fmt.Sprintf("%s is before you leave, on %s. On which day do you "+
				"come back?", showDay(f.Return), showDay(f.Departure))})
		case f.Return.IsZero() && f.RoundTrip:
			r.ask(Question{Of: OfReturn, Text: "On which day do you come back?", Choices: dateChoices([]calendar.Date{
				f.Departure.AddDays(2), f.Departure.AddDays(3), f.Departure.AddDays(7)})})
		}
	}
	r.completePeople(&f.Adults, f.Children, "One adult travels.", 1)
	if len(r.r.Missing) > 0 {
		return
	}
	if len(f.Legs) == 0 && f.Return.IsZero() && !f.OneWay {
		r.assume("One way, as no day of return was said.")
	}
	if f.Cabin == "" {
		if c := r.c.Prefs.Cabin; slices.Contains([]string{"economy", "premium_economy", "business", "first"},
			c) && c != "economy" {
			f.Cabin = c
			r.assume("In %s, your usual cabin.", strings.ReplaceAll(c, "_", " "))
		}
	}
	if f.MaxPrice != "" && f.Currency != "" {
		r.assume("“At most %s” is compared with prices in the airline's currency.", f.Currency+" "+f.MaxPrice)
	}
}

// asks reports whether the question that is open is of a kind.
func (r *reader) asks(of string) bool {
	return slices.ContainsFunc(r.r.Missing, func(q Question) bool { return q.Of == of })
}

// order is in which questions are asked.
func order(of string) int {
	return slices.Index([]string{OfIntent, OfDestination, OfOrigin, OfPlace, OfDate, OfReturn, OfCheckIn, OfCheckOut,
		OfPeople, OfAges, OfTime}, of)
}

// waiting returns the questions behind the one that was answered, which are still open.
func (r *reader) waiting(questions []Question) []Question {
	f, h := r.r.Flights, r.r.Hotels
	var out []Question
	for _, q := range questions[1:] {
		open := false
		switch q.Of {
		case OfOrigin:
			open = f != nil && f.Origin == ""
		case OfDestination:
			open = f != nil && f.Destination == ""
		case OfDate:
			open = f != nil && f.Departure.IsZero()
		case OfReturn:
			open = f != nil && f.Return.IsZero()
		case OfAges:
			open = f != nil && slices.Contains(f.Children, UnknownAge) || h != nil && slices.Contains(h.Children,
				UnknownAge)
		case OfPeople:
			open = (f == nil || f.Passengers() == 0) && (h == nil || h.Guests() == 0)
		case OfPlace:
			open = h != nil && h.Place == ""
		case OfCheckIn:
			open = h != nil && h.CheckIn.IsZero()
		case OfCheckOut:
			open = h != nil && h.CheckOut.IsZero()
		case OfTime:
			open = f != nil && len(r.said.clocks) == 0
		}
		// What has no choices is asked for again where it is still wanted.
		if open && len(q.Choices) > 0 {
			out = append(out, q)
		}
	}
	return out
}

// soon are days to choose from.
func (r *reader) soon() []Choice {
	friday := next(r.today.AddDays(1), 5)
	return dateChoices([]calendar.Date{r.today.AddDays(1), friday, friday.AddDays(7)})
}

// plural is a person who speaks of several.
var plural = lazily(`us|we|we're|we'd|we'll|ourselves|our|everyone|everybody|family|hum|humko|hume|hamein`)

func (r *reader) completePeople(adults *int, children []int, one string, most int) {
	unknown := 0
	for _, age := range children {
		if age == UnknownAge {
			unknown++
		}
	}
	switch {
	case unknown == 1:
		r.ask(Question{Of: OfAges, Text: "How old is the child on the day of the last flight?"})
	case unknown > 1:
		r.ask(Question{Of: OfAges, Text: fmt.Sprintf("How old are the %s children on the day of the last "+
			"flight?", countWord(unknown))})
	}
	if *adults < 0 {
		*adults = 0
	}
	if *adults == 0 && len(children) == 0 && (r.has(plural) || r.asks(OfPeople)) {
		r.ask(Question{Of: OfPeople, Text: "How many of you travel? Say the ages of children too.",
			Choices: []Choice{{"Two adults", "2"}, {"Three adults", "3"}, {"Four adults", "4"}}})
		return
	}
	if *adults == 0 && len(children) == 0 {
		*adults = most
		r.assume("%s", one)
	}
}

// unclearHour asks which half of the day is meant.
func (r *reader) unclearHour() {
	for _, c := range r.said.clocks {
		if c.unclear == 0 {
			continue
		}
		name := map[bool]string{true: "departBefore", false: "departAfter"}[c.before != ""]
		if c.arrive {
			name = "arriveBefore"
		}
		if c.at > r.backAt() {
			name = strings.Replace(name, "depart", "back", 1)
		}
		morning, evening := fmt.Sprintf("%02d:00", c.unclear%12), fmt.Sprintf("%02d:00", c.unclear%12+12)
		r.ask(Question{Of: OfTime, Text: fmt.Sprintf("“%s” in the morning or in the evening?", c.words),
			Choices: []Choice{{morning + ", morning", name + "=" + morning}, {evening + ", evening", name + "=" +
				evening}}})
	}
}

func (r *reader) askDay(of string, w *when) {
	text := "On which day?"
	switch {
	case of == OfReturn:
		text = "On which day back?"
	case len(w.choices) == 2 && strings.ContainsAny(w.words, "/."):
		text = fmt.Sprintf("Which day is “%s”?", w.words)
	case len(w.choices) == 3 && strings.ContainsAny(w.words, "0123456789"):
		text = fmt.Sprintf("“%s” do not go together. Which day is right?", w.words)
	case w.words != "":
		text = fmt.Sprintf("Which day do you mean by “%s”?", w.words)
	}
	r.ask(Question{Of: of, Text: text, Choices: dateChoices(w.choices)})
}
