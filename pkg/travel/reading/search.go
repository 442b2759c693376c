package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

var (
	flightNoun = lazily(`flights?|fly|flying|plane|planes|air ?fares?|air tickets?|tickets?|udan|by air|` +
		`red[- ]?eyes?`)
	hotelNoun = lazily(`hotels?|accomm?odations?|hostels?|resorts?|apartments?|(?:a |some)?(?:place|` +
		`where) to (?:stay|sleep)|stay(?:ing)? (?:in|at|near|for)|` +
		`guest ?houses?|b&b|bed and breakfast|motels?|somewhere to stay|rooms?|overnight`)
	goVerb = lazily(`(?:go|going|travel|travelling|traveling|trip|get|head|heading|journey|holiday|vacation|` +
		`getaway|jana|jaana|visit|visiting) (?:back )?(?:to|hai|for|in)|` +
		`get (?:me|us) (?:from|to)|trip|travel|visit|jana|jaana|fly to`)
	notFrom = lazily(`\bnot (?:from |to )?(?:the )?$`)
)

// decide reads searches, corrections of them, and filters.
func (r *reader) decide() {
	r.said.spots = slices.DeleteFunc(r.spots(), func(s spot) bool {
		// "not Heathrow" names what is not wanted.
		return notFrom().MatchString(r.before(s.at) + " ")
	})
	pending := r.open.Pending
	if r.asksElse() {
		return
	}
	flightsSaid, hotelsSaid := r.has(flightNoun), r.has(hotelNoun)
	if hotelsSaid && r.said.wishes.rooms > 0 && !r.has(lazily(`hotels?|stay`)) && flightsSaid {
		hotelsSaid = true
	}
	entities := len(r.said.spots) > 0 || len(r.said.dates) > 0 || r.said.party.set ||
		len(r.said.party.stated) > 0 || r.said.stay.nights > 0 ||
		len(r.said.shifts) > 0 ||
		r.said.wishes.cabin != "" || r.has(oneWay) || r.has(roundTrip)
	ages := (r.slot() == OfAges || r.slot() == OfPeople) && r.has(lazily(`\d{1,2}|`+counted))
	wished := r.said.wishes.set() || len(r.said.wishes.amenities) > 0 || r.said.wishes.rooms > 0
	if pending != nil && !r.wholeJourney() && (entities || ages || wished || len(r.said.clocks) > 0) &&
		r.pendingSearch(flightsSaid, hotelsSaid) {
		return
	}
	r.open.Pending = nil // the message is no answer
	var ends, dests int
	for _, s := range r.said.spots {
		switch s.role {
		case origin:
			ends++
		case destination, within, bare:
			dests++
		}
	}
	lastHotels := r.open.Hotels != nil && (r.open.Last == LastStays || r.open.Last == LastRates)
	switch {
	case flightsSaid && hotelsSaid && (entities || r.open.Flights != nil):
		r.r.Intent = SearchBoth
		r.flights(r.open.Flights)
		r.hotels(nil)
		r.complete()
	case hotelsSaid && !flightsSaid && (entities || r.open.Flights != nil || r.open.Hotels != nil ||
		r.has(lazily(`hotels?|stay|accommodation`))):
		r.r.Intent = SearchHotels
		r.hotels(r.open.Hotels)
		r.complete()
	case lastHotels && !flightsSaid && (entities || r.said.wishes.maxPrice != "" ||
		len(r.said.wishes.amenities) > 0 || r.said.wishes.rooms > 0) && ends == 0:
		r.r.Intent = SearchHotels
		r.hotels(r.open.Hotels)
		r.complete()
	case flightsSaid && entities, ends > 0 && dests > 0, dests > 0 && r.has(goVerb), dests > 0 && r.toSpot() &&
		(len(r.said.dates) > 0 || r.said.party.set),
		ends > 0 && (r.open.Flights != nil || len(r.said.dates) > 0), r.open.Flights != nil && entities:
		r.r.Intent = SearchFlights
		r.flights(r.corrected(flightsSaid))
		r.complete()
	case r.open.Search != "" && (r.said.wishes.set() || len(r.said.clocks) > 0):
		r.r.Intent = Filter
		f := Flights{}
		if r.open.Flights != nil {
			f = *r.open.Flights
		}
		r.windows(&f)
		r.wish(&f)
		if r.said.wishes.handOnly && r.open.Flights != nil && r.open.Flights.Bags == 0 {
			r.assume("Hand luggage is enough, so no checked bag is asked for.")
		}
		r.r.Flights, r.r.Text = &f, r.open.Search
		r.unclearHour()
	case flightsSaid:
		r.r.Intent = SearchFlights
		r.flights(nil)
		r.complete()
	case dests > 0 && len(r.unknownWords()) == 0:
		// A place, perhaps with days, and nothing of what is wanted there.
		r.flights(nil)
		r.hotels(nil)
		f := *r.r.Flights
		r.r.Missing = nil
		r.askWhat(f.Destination)
	}
}

// asksElse reports whether the message is a question about something that no search finds:
// "what is the weather in Lisbon".
func (r *reader) asksElse() bool {
	return r.has(questionWord) && !r.has(flightNoun) && !r.has(hotelNoun) && !r.wholeJourney() &&
		len(r.unknownWords()) > 0
}

var questionWord = lazily(`what|what's|how|is|are|does|do (?:i|we|you|they)|which|who|when|where|why`)

var otherTopic = lazily(`weather|forecast|temperature|climate|visas?|exchange rates?|restaurants|museums?|sights|` +
	`sightseeing|` +
	`vaccin\w+|time zones?|sim cards?|tipping|taxis?|metro|subway|nightlife|plug|embassy`)

// elsewhere reports whether the message asks about something that the assistant has no tool
// for; nothing is done then.
func (r *reader) elsewhere() bool {
	return r.has(questionWord) && r.has(otherTopic) && !r.has(hotelNoun) && !r.has(flightNoun) &&
		!r.has(rememberThat) && !r.has(addVerb)
}

// corrected is the query that the message corrects. Another place and another day make
// another journey, of which only who travels and from where is known.
func (r *reader) corrected(flightsSaid bool) *Flights {
	was := r.open.Flights
	if was == nil || r.has(instead) {
		return was
	}
	if r.wholeJourney() {
		if r.said.party.set {
			return &Flights{}
		}
		r.assume("Same travellers as before.")
		return &Flights{Adults: was.Adults, Children: was.Children}
	}
	if !r.toSpot() || !flightsSaid || len(r.said.dates) == 0 {
		return was
	}
	r.assume("Another journey, from where you left before.")
	return &Flights{Origin: was.Origin, Adults: was.Adults, Children: was.Children, Cabin: was.Cabin}
}

// wholeJourney reports whether the message says where a journey begins and ends.
func (r *reader) wholeJourney() bool {
	var from, to bool
	for _, s := range r.said.spots {
		from = from || s.role == origin
		to = to || s.role == destination || s.role == within
	}
	return from && to
}

var instead = lazily(`instead|make it|make that|actually|rather|what about|how about|change (?:it|that|the \w+) to|` +
	`change to|same|no|i meant|switch to`)

func (r *reader) unknownWords() []string {
	return slices.DeleteFunc(r.words(), func(w string) bool { return filler()[strings.ToLower(w)] })
}

// toSpot reports whether "to" stands before a place.
func (r *reader) toSpot() bool {
	return slices.ContainsFunc(r.said.spots, func(s spot) bool { return s.role == destination })
}

func (r *reader) askWhat(dest string) {
	name := "there"
	if dest != "" {
		name = "for " + placeName(dest)
	}
	r.r.Intent = SearchFlights
	r.ask(Question{Of: OfIntent, Text: "What shall I look for " + strings.TrimPrefix(name, "for ") + "?",
		Choices: []Choice{{"Flights", string(SearchFlights)}, {"Hotels", string(SearchHotels)},
			{"Flights and hotels", string(SearchBoth)}}})
}

// pendingSearch reads the answer to a question about a search.
func (r *reader) pendingSearch(flightsSaid, hotelsSaid bool) bool {
	p := r.open.Pending
	switch p.Intent {
	case SearchFlights, SearchHotels, SearchBoth:
	default:
		return false
	}
	if r.slot() == OfIntent {
		return false
	}
	if (flightsSaid || hotelsSaid) && r.toSpot() && r.slot() != OfDestination && r.slot() != OfPlace &&
		r.slot() != OfOrigin {
		return false // another search
	}
	r.r = Reading{Intent: p.Intent, Assumed: slices.Clone(p.Assumed)}
	if p.Intent != SearchHotels {
		r.flights(p.Flights)
	}
	if p.Intent != SearchFlights {
		r.hotels(p.Hotels)
	}
	asked := r.r.Missing
	// The question itself is asked again where the message answers another.
	r.r.Missing = r.waiting(slices.Concat(make([]Question, 1), p.Missing))
	for _, q := range asked {
		r.r.Missing = slices.DeleteFunc(r.r.Missing, func(o Question) bool { return o.Of == q.Of })
	}
	r.r.Missing = append(asked, r.r.Missing...)
	r.complete()
	return true
}

// slot is what the open question asks for.
func (r *reader) slot() string {
	if p := r.open.Pending; p != nil && len(p.Missing) > 0 {
		return p.Missing[0].Of
	}
	return ""
}

// take one code of a place: the nearest airports are choices where it has none.
func (r *reader) codeOf(s spot, of, question string) string {
	if s.clear() {
		p := s.candidates[0]
		if p.Code != "" {
			if !named(p, s.words) && !strings.EqualFold(s.words, p.Code) {
				r.assume("I took “%s” as %s.", s.words, p.Label())
			}
			return p.Code
		}
		near := places.Nearest(p.Lat, p.Lon, 3)
		for _, n := range near {
			// The airport of a city may lie in another municipality.
			if strings.HasPrefix(places.Fold(n.Name), places.Fold(p.Name)) && places.Distance(p, n) < 60 {
				r.assume("I took “%s” as %s.", s.words, n.Label())
				return n.Code
			}
		}
		r.ask(Question{Of: of, Text: fmt.Sprintf("%s has no airport of its own. Which one near it?", p.Name),
			Choices: placeChoices(near, false)})
		return ""
	}
	r.ask(Question{Of: of, Text: fmt.Sprintf(question, s.words), Choices: placeChoices(s.candidates, false)})
	return ""
}

// flights makes a query of what was said and of what was there.
func (r *reader) flights(base *Flights) {
	f := Flights{}
	if base != nil {
		f = *base
		f.Children = slices.Clone(f.Children)
	}
	r.r.Flights = &f
	hadDest := f.Destination
	var ends, dests []spot
	legs := r.route()
	for _, s := range r.said.spots {
		switch s.role {
		case origin:
			ends = append(ends, s)
		case destination:
			dests = append(dests, s)
		case within, bare:
			switch {
			case r.slot() == OfOrigin && base != nil:
				ends = append(ends, s)
			case s.role == bare && base != nil && r.sameCity(s, f.Origin):
				ends = append(ends, s)
			default:
				dests = append(dests, s)
			}
		case backTo:
			if base == nil && len(ends) == 0 && f.Origin == "" {
				ends = append(ends, s)
			}
		case via:
			r.r.Ignored = append(r.r.Ignored, "via "+s.words)
		}
	}
	if r.slot() == OfOrigin && base != nil && len(ends) == 0 && len(dests) == 1 && f.Destination != "" {
		ends, dests = dests, nil
	}
	dests = slices.DeleteFunc(dests, func(s spot) bool {
		return len(ends) > 0 && s.words == ends[0].words && s.role != destination
	})
	switch {
	case legs != nil:
		f.Legs, f.Origin, f.Destination = legs, "", ""
	case len(dests) > 1:
		var all []places.Place
		var names []string
		for _, d := range dests {
			all = append(all, d.candidates[0])
			names = append(names, d.words)
		}
		f.Destination = ""
		r.ask(Question{Of: OfDestination, Text: "Where to first: " + strings.Join(names, " or ") + "?",
			Choices: placeChoices(all, false)})
	case len(dests) == 1:
		f.Destination = r.codeOf(dests[0], OfDestination, "Which %s do you mean?")
	}
	if len(f.Legs) > 0 && legs == nil && (len(dests) > 0 || len(ends) > 0) {
		f.Legs = nil
	}
	if len(ends) > 0 && legs == nil {
		f.Origin = r.codeOf(ends[0], OfOrigin, "Which %s do you leave from?")
	}
	if base != nil && hadDest != "" && f.Destination != "" && f.Destination != hadDest && r.open.Pending == nil {
		if len(r.said.dates) == 0 && !f.Departure.IsZero() {
			r.assume("Same dates and travellers as before.")
		} else if !r.said.party.set {
			r.assume("Same travellers as before.")
		}
	}
	r.days(&f, base != nil)
	f.Adults, f.Children = r.passengersOf(f.Adults, f.Children)
	r.ages(&f.Adults, f.Children)
	r.count(&f.Adults)
	r.windows(&f)
	r.wish(&f)
	r.unclearHour()
	if base != nil && len(r.said.dates) == 0 && f.OneWay {
		f.Return = calendar.Date{}
	}
}

// ages reads bare numbers as the answer to the question of ages.
func (r *reader) ages(_ *int, children []int) {
	if r.slot() != OfAges || r.open.Pending == nil {
		return
	}
	var list []int
	r.each(lazily(`\d{1,2}|`+counted), func(m match) bool {
		list = append(list, number(m.groups[0]))
		return true
	})
	for i := range children {
		if children[i] == UnknownAge && len(list) > 0 {
			children[i], list = list[0], list[1:]
		}
	}
}

// count reads a bare number as the answer to how many travel.
func (r *reader) count(adults *int) {
	if r.slot() != OfPeople || r.said.party.set || *adults > 0 {
		return
	}
	if m, ok := r.find(lazily(`\d{1,2}|` + counted)); ok {
		*adults = number(m.groups[0])
	}
}

// sameCity reports whether a place is in the city of another, by its code.
func (r *reader) sameCity(s spot, code string) bool {
	was, ok := places.ByCode(code)
	return ok && code != "" && slices.ContainsFunc(s.candidates, func(p places.Place) bool {
		return p.City == was.City && p.Country == was.Country && p.City != ""
	})
}
