package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Guide returns what is listed about the city with an IATA code. guide.Of is one.
type Guide func(code string) (guide.City, bool)

// facts are what options are composed from. They are read once and never changed.
type facts struct {
	c        trip.Context
	today    calendar.Date
	days     int
	people   int
	children int
	currency string // in which what is listed is counted
	cities   []city
	legs     []leg
	found    []specialists.Output
	byCode   map[string]specialists.Recommendation
	stays    []specialists.Recommendation
	sleeps   [][]specialists.Recommendation // by city, the cheapest first
	food     []eatery
	local    []specialists.Recommendation
	wishes   []wish   // must-dos that are no sight of the guide
	focuses  []string // what options may lean to, the person's own interests first
	// missing has what is to be said for each specialist that brought nothing.
	missing map[trip.Specialist]string
}

// leg is a journey of the trip.
type leg struct {
	from, to string
	day      int // index
	back     bool
	recs     []specialists.Recommendation
}

// wish is a must-do that no source knows.
type wish struct {
	text string
	city int
}

// ownWish is how long a wish that no source knows is planned for, in minutes.
const ownWish = 90

// read returns the facts. A context that is not ready has fewer of them.
func read(c trip.Context, found []specialists.Output, g Guide, today calendar.Date) *facts {
	f := &facts{c: c, today: today, days: max(1, min(c.Dates.Days(), trip.MaxDays)), found: found,
		byCode: map[string]specialists.Recommendation{}, missing: map[trip.Specialist]string{}}
	if c.Travellers != nil {
		f.people, f.children = c.Travellers.Count(), len(c.Travellers.Children)
	}
	f.people = max(1, f.people)
	f.readFound()
	f.currency = cmp.Or(specialists.Currency(c, found), "EUR")
	f.readCities(g)
	for _, c := range f.cities {
		f.sleeps = append(f.sleeps, f.staysIn(c.Name))
	}
	f.readLegs()
	f.readWishes()
	f.readFocuses()
	return f
}

// specialistOf returns whose an output is.
func specialistOf(o specialists.Output) trip.Specialist {
	agent := strings.ToLower(o.Agent)
	for _, s := range trip.Specialists() {
		if strings.HasPrefix(agent, string(s)) {
			return s
		}
	}
	return ""
}

// readFound sorts the recommendations and notes which specialist brought none.
func (f *facts) readFound() {
	for _, s := range trip.Specialists() {
		if !slices.Contains(f.c.Excluded, s) {
			if s == trip.Stay && f.c.Dates.Days() == 1 {
				continue // there is no night
			}
			f.missing[s] = "was not researched"
		}
	}
	for _, o := range f.found {
		s := specialistOf(o)
		if o.Failed() {
			if f.missing[s] != "" {
				f.missing[s] = "could not be researched"
			}
			continue
		}
		delete(f.missing, s)
		for _, r := range o.Recommendations {
			if r.Error != "" || r.Name+r.Option+r.Provider == "" || slices.Contains(f.c.Excluded, s) {
				continue
			}
			if r.Code != "" {
				f.byCode[r.Code] = r
			}
			switch {
			case s == trip.Stay:
				f.stays = append(f.stays, r)
			case s == trip.Food:
				f.food = append(f.food, f.eatery(r))
			case r.Mode == localMode:
				f.local = append(f.local, r)
			}
		}
	}
}

// eatery is a place to eat for a meal.
type eatery struct {
	specialists.Recommendation
	meals string // in small letters
	wish  string // the must-do that it fulfils, "" for none
	suits bool   // it is known to serve what the travellers eat
}

func (f *facts) eatery(r specialists.Recommendation) eatery {
	e := eatery{Recommendation: r, meals: strings.ToLower(r.MealType), suits: true}
	for _, m := range f.c.MustDos {
		if e.wish == "" && sameThing(r.Name, m) {
			e.wish = m
		}
	}
	has := tokensOf(strings.Join(r.DietaryOptions, " "))
	for _, d := range f.c.Preferences.Dietary {
		e.suits = e.suits && within(tokensOf(d), has)
	}
	return e
}

// serves reports whether a meal is eaten there on a day in a city.
func (e eatery) serves(meal, city string, day calendar.Date) bool {
	weekday := day.Weekday().String()
	return strings.Contains(e.meals, meal) && (e.City == "" || same(e.City, city)) &&
		!slices.ContainsFunc(e.ClosedOn, func(c string) bool { return strings.EqualFold(c, weekday) })
}

// localMode is the mode of transport within a city.
const localMode = "local"

// readLegs lists the journeys with what was found for each.
func (f *facts) readLegs() {
	if slices.Contains(f.c.Excluded, trip.Transport) {
		return
	}
	wantsOrigin := f.c.WantsOrigin() && f.c.Origin != nil
	last := f.cities[len(f.cities)-1]
	if wantsOrigin {
		f.legs = append(f.legs, leg{from: f.c.Origin.Name, to: f.cities[0].Name})
	}
	for i := 1; i < len(f.cities); i++ {
		f.legs = append(f.legs, leg{from: f.cities[i-1].Name, to: f.cities[i].Name, day: f.cities[i].first})
	}
	if wantsOrigin {
		f.legs = append(f.legs, leg{from: last.Name, to: f.c.Origin.Name, day: f.days - 1, back: true})
	}
	for i := range f.legs {
		f.legs[i].recs = f.journeys(f.legs[i])
	}
}

// journeys returns what was found for a leg, live and listed before what a model said of
// the same mode.
func (f *facts) journeys(l leg) []specialists.Recommendation {
	var list []specialists.Recommendation
	sure := map[string]bool{}
	for _, o := range f.found {
		if specialistOf(o) != trip.Transport {
			continue
		}
		for _, r := range o.Recommendations {
			if r.Error != "" || r.Mode == localMode || !serves(r, l) || f.refused(r.Mode) {
				continue
			}
			sure[r.Mode] = sure[r.Mode] || r.Source != specialists.Model
			list = append(list, r)
		}
	}
	return slices.DeleteFunc(list, func(r specialists.Recommendation) bool {
		return r.Source == specialists.Model && sure[r.Mode]
	})
}

// serves reports whether a recommendation is for a leg, by its route or else by where it
// leads to.
func serves(r specialists.Recommendation, l leg) bool {
	if from, to, ok := route(r.Route); ok {
		return same(from, l.from) && same(to, l.to)
	}
	return same(r.City, l.to)
}

// route splits "London → Paris".
func route(s string) (from, to string, ok bool) {
	for _, arrow := range []string{"→", "->", " to "} {
		if from, to, ok = strings.Cut(s, arrow); ok {
			return strings.TrimSpace(from), strings.TrimSpace(to), true
		}
	}
	return "", "", false
}

// refused reports whether a constraint says that a mode is not wanted.
func (f *facts) refused(mode string) bool { return !specialists.Allows(f.c, mode) }

// readWishes keeps the must-dos that are neither a sight nor a recommended place to eat.
func (f *facts) readWishes() {
	for _, m := range f.c.MustDos {
		if strings.TrimSpace(m) == "" {
			continue
		}
		known, at := false, 0
		for i, c := range f.cities {
			known = known || slices.ContainsFunc(c.sights, func(s stop) bool { return s.mustDo == m })
			if mentions(m, c.Name) {
				at = i
			}
		}
		known = known || slices.ContainsFunc(f.food, func(e eatery) bool { return e.wish == m })
		if !known {
			f.wishes = append(f.wishes, wish{text: m, city: at})
		}
	}
}

// rough returns the middle of a cost in the currency of the plan, for comparing. A cost
// without a rate counts as if it were in it.
func (f *facts) rough(from, to money.Amount, currency string) money.Amount {
	r := f.listed(guide.Range{From: from, To: to, Currency: currency})
	return half(plus(r.From, r.To))
}
