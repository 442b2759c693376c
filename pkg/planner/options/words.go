package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// notPlanned is the value of an axis of which the option has nothing.
const notPlanned = "not planned"

// describe gives the option its words by rules.
func (b *builder) describe() {
	b.o.Title = b.title()
	b.o.Description = b.description()
	b.o.Highlights = b.highlights()
	b.o.Tags = b.tags()
	for d := range b.o.Itinerary.Days {
		b.o.Itinerary.Days[d].Title = b.dayTitle(d)
	}
	b.o.Itinerary.Summary = b.summary()
	b.o.Itinerary.AlternativeOptions = b.alternatives()
}

// style returns the kind of stay where most nights are.
func (b *builder) style() string {
	best, most := notPlanned, 0
	for i, r := range b.stays {
		if r == nil || b.nightsIn(i) <= most {
			continue
		}
		best, most = strings.ToLower(cmp.Or(strings.TrimSpace(r.Type), "hotel")), b.nightsIn(i)
		if best == "hotel" {
			best = map[trip.Budget]string{trip.Low: "budget hotel", trip.High: "luxury hotel"}[tierOf(*r)]
			best = cmp.Or(best, "hotel")
		}
	}
	return best
}

// dining returns how lunches and dinners are eaten, by the tiers of the places taken.
func (b *builder) dining() string {
	at, ok := tierOfMeals(b.served[lunch])
	late, ok2 := tierOfMeals(b.served[dinner])
	switch {
	case !ok && !ok2:
		return notPlanned
	case !ok:
		at = late
	case !ok2:
		late = at
	}
	words := map[trip.Budget]string{trip.Low: "markets", trip.Mid: "casual", trip.High: "fine dining"}
	switch {
	case at != late:
		return words[at] + " by day, " + strings.Replace(words[late], "markets", "street food", 1) + " in the evening"
	case at == trip.Low:
		return "street food and markets"
	}
	return words[at]
}

// tierOfMeals returns the middle one of tiers, ok false of none.
func tierOfMeals(list []trip.Budget) (t trip.Budget, ok bool) {
	if len(list) == 0 {
		return "", false
	}
	sum := 0
	for _, t := range list {
		sum += tierRank(t)
	}
	return []trip.Budget{trip.Low, trip.Mid, trip.High}[(2*sum+len(list))/(2*len(list))], true
}

func paceWord(p trip.Pace) string {
	switch p {
	case trip.Relaxed:
		return "relaxed"
	case trip.Packed:
		return "full"
	case trip.Moderate:
	}
	return "steady"
}

// title returns "Boston on a budget: views", "Balanced Boston: history, full days".
func (b *builder) title() string {
	where := b.region()
	title := "Balanced " + where
	switch b.v.tier {
	case trip.Low:
		title = where + " on a budget"
	case trip.High:
		title = where + " in comfort"
	case trip.Mid:
	}
	var more []string
	if b.v.focus != "" {
		more = append(more, b.v.focus)
	}
	if b.v.second {
		more = append(more, paceWord(b.v.pace)+" days")
	}
	if len(more) > 0 {
		title += ": " + strings.Join(more, ", ")
	}
	return title
}

// region returns the city, or the first and the last of several: "Rome to Venice".
func (b *builder) region() string {
	names := b.names()
	if len(names) < 2 {
		return b.where()
	}
	return names[0] + " to " + names[len(names)-1]
}

func (b *builder) where() string { return listText(b.names()) }

func (b *builder) names() []string {
	var names []string
	for _, c := range b.f.cities {
		if c.Name != "" && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

func (b *builder) description() string {
	var parts []string
	var stays []string
	for i, r := range b.stays {
		if r != nil {
			stays = append(stays, count(b.nightsIn(i), "night", "nights")+" at "+r.Name)
		}
	}
	if len(stays) > 0 {
		parts = append(parts, upper(listText(stays))+".")
	}
	if n := b.things(); n > 0 {
		text := count(n, "thing", "things") + " to see and do in " + count(b.f.days, "day", "days")
		if b.v.focus != "" {
			text += ", " + b.v.focus + " first"
		}
		parts = append(parts, upper(text)+".")
	}
	if b.o.Dining != notPlanned {
		parts = append(parts, "Meals: "+b.o.Dining+".")
	}
	for _, j := range b.journeys[:min(1, len(b.journeys))] {
		if j.rec != nil && !j.leg.back {
			parts = append(parts, journeyName(*j.rec, j.leg)+".")
		}
	}
	return strings.Join(parts, " ")
}

func (b *builder) things() int {
	n := 0
	for _, d := range b.o.Itinerary.Days {
		n += len(d.Activities)
	}
	return n
}

// highlights returns must-dos, the sights that are worth most, the stay and a dinner.
func (b *builder) highlights() []string {
	var list, more []string
	for _, d := range b.o.Itinerary.Days {
		for _, a := range slices.Concat(d.Activities, d.Meals) {
			if a.MustDo != "" && a.Source != "" && len(list) < 4 {
				list = append(list, a.Name+" on day "+itoa(d.Number)+", as you asked")
			}
		}
	}
	type seen struct {
		text  string
		worth float64
	}
	var sights []seen
	for n, d := range b.o.Itinerary.Days {
		for _, a := range d.Activities {
			ci := b.f.cityOf(n)
			i := slices.IndexFunc(b.f.cities[ci].sights, func(s stop) bool { return s.name == a.Name })
			if a.MustDo == "" && i >= 0 {
				worth := b.worth(b.f.cities[ci].sights[i], ci)
				sights = append(sights, seen{a.Name + " on day " + itoa(d.Number), worth})
			}
		}
	}
	slices.SortStableFunc(sights, func(x, y seen) int { return cmp.Compare(y.worth, x.worth) })
	for _, s := range sights[:min(2, len(sights))] {
		list = append(list, s.text)
	}
	for _, r := range b.stays {
		if r != nil && len(more) == 0 {
			text := r.Name
			if len(r.Pros) > 0 {
				text += ": " + r.Pros[0]
			}
			more = append(more, text)
		}
	}
	for _, d := range b.o.Itinerary.Days {
		for _, m := range d.Meals {
			if m.Kind == dinner && m.MustDo == "" && len(more) < 2 {
				more = append(more, "Dinner at "+m.Name)
			}
		}
	}
	list = append(list, more...)
	if list == nil {
		return []string{}
	}
	return list
}

func (b *builder) tags() []string {
	list := []string{}
	for _, t := range []string{string(b.v.tier) + " budget", string(b.v.pace), b.v.focus, b.o.Style, b.o.Dining} {
		if t != "" && t != notPlanned && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// dayTitle names a day by its journeys and by the areas in which it is spent.
func (b *builder) dayTitle(d int) string {
	day := b.o.Itinerary.Days[d]
	var areas []string
	for _, a := range day.Activities {
		if a.Area != "" && !slices.Contains(areas, a.Area) {
			areas = append(areas, a.Area)
		}
	}
	if len(areas) == 0 {
		for _, a := range day.Activities[:min(1, len(day.Activities))] {
			areas = append(areas, a.Name)
		}
	}
	what := listText(areas[:min(2, len(areas))])
	journey := ""
	for _, e := range day.Transport {
		if e.Kind != localMode {
			journey = e.Name
		}
	}
	first, last := d == 0, d == b.f.days-1 && d > 0
	switch {
	case b.open[d].away && journey != "":
		return "On the way"
	case first && len(b.journeys) > 0 && !b.journeys[0].leg.back && b.f.c.WantsOrigin():
		return joined("Arrival in "+day.City, what)
	case last && len(b.journeys) > 0 && b.journeys[len(b.journeys)-1].leg.back:
		return joined(what, "the way home")
	case journey != "":
		return joined("On to "+day.City, what)
	case what != "":
		return upper(what)
	}
	return "A free day in " + day.City
}

func joined(a, b string) string {
	switch {
	case a == "":
		return upper(b)
	case b == "":
		return a
	}
	return a + ", then " + b
}

func (b *builder) summary() string {
	text := count(b.f.days, "day", "days") + " in " + b.where()
	if c := b.o.EstimatedTotalCost; len(b.o.Totals) > 0 {
		text += ", " + c
	}
	return text + "."
}

// maxAlternatives is how many of each kind are kept with an option of a trip that is not
// long in days.
const (
	maxAlternatives = 8
	longTrip        = 14
)

// alternatives returns what was found and is not used, the same tier first.
func (b *builder) alternatives() Alternatives {
	most := maxAlternatives
	if b.f.days > longTrip { // its plan is large without them
		most /= 2
	}
	used := map[string]bool{}
	for _, d := range b.o.Itinerary.Days {
		for _, e := range slices.Concat(d.Transport, d.Meals) {
			used[e.Code] = true
		}
		if d.Accommodation != nil {
			used[d.Accommodation.Code] = true
		}
	}
	pick := func(list []specialists.Recommendation) []specialists.Recommendation {
		rest := []specialists.Recommendation{}
		for _, r := range list {
			if !used[r.Code] && indexOf(rest, r.Code) < 0 {
				rest = append(rest, r)
			}
		}
		slices.SortStableFunc(rest, func(x, y specialists.Recommendation) int {
			return cmp.Or(apart(tierOf(x), b.v.tier)-apart(tierOf(y), b.v.tier),
				sourceRank(x.Source)-sourceRank(y.Source))
		})
		return rest[:min(len(rest), most)]
	}
	var journeys []specialists.Recommendation
	for _, l := range b.f.legs {
		journeys = append(journeys, l.recs...)
	}
	var dishes []specialists.Recommendation
	for _, e := range b.f.food {
		dishes = append(dishes, e.Recommendation)
	}
	return Alternatives{Transport: pick(journeys), Stays: pick(b.f.stays), Dining: pick(dishes)}
}
