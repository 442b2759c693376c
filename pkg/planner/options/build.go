package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// variant is what makes an option differ from the others.
type variant struct {
	tier  trip.Budget
	pace  trip.Pace
	focus string
	// second is another option of the tier that the person asked for.
	second bool
	// stay says which of the stays of the tier is taken: 0 the middle one, 1 the cheapest,
	// 2 the dearest, 3 and 4 those between.
	stay int
}

// builder makes one option.
type builder struct {
	f        *facts
	v        variant
	o        Option
	journeys []journey
	stays    []*specialists.Recommendation // by city
	open     []window
	must     [][]stop                 // by day
	pool     [][]stop                 // by city, the best first
	used     map[string]int           // how often a place to eat was taken
	rides    map[int]bool             // by city, whether something in it is too far to walk to
	served   map[string][]trip.Budget // by meal the tiers of the places taken
	gaps     []string
	keep     *kept
}

// kept is what is taken over from an option in which something is swapped.
type kept struct {
	journeys []string // codes by leg
	stays    []string // codes by city
	stops    [][]stop // by day
	meals    []map[string]string
}

// build returns the option of a variant, without words.
func (f *facts) build(v variant, keep *kept) *builder {
	b := &builder{f: f, v: v, keep: keep, used: map[string]int{}, rides: map[int]bool{},
		served: map[string][]trip.Budget{}}
	b.o = Option{Tier: v.tier, Pace: v.pace, Focus: v.focus}
	b.o.Itinerary.Days = make([]Day, f.days)
	for d := range f.days {
		b.o.Itinerary.Days[d] = Day{Number: d + 1, Date: f.date(d), City: f.cities[f.cityOf(d)].Name,
			Transport: []Entry{}, Meals: []Entry{}, Activities: []Entry{}}
	}
	var legs, stays []string
	if keep != nil {
		legs, stays = keep.journeys, keep.stays
	}
	b.journeys = f.chooseJourneys(v.tier, legs)
	b.open = b.windows()
	b.chooseStays(stays)
	b.fillPools()
	if keep == nil {
		b.placeMustDos()
	} else {
		b.missMustDos()
	}
	for d := range f.days {
		b.layDay(d)
	}
	b.addLocal()
	b.sum()
	b.o.Style, b.o.Dining = b.style(), b.dining()
	return b
}

// finish gives an option that was chosen its gaps and words.
func (b *builder) finish() {
	b.sayGaps()
	b.describe()
}

// beginsAt returns when a day begins by the pace.
func (b *builder) beginsAt() int {
	switch b.v.pace {
	case trip.Relaxed:
		return 9 * hour
	case trip.Packed:
		return dayBegins
	case trip.Moderate:
	}
	return 8*hour + 30
}

// perDay returns how many things are done in a whole day.
func perDay(p trip.Pace) int {
	switch p {
	case trip.Relaxed:
		return 2
	case trip.Packed:
		return 5
	case trip.Moderate:
	}
	return 3
}

// pause returns the minutes between two things.
func (b *builder) pause() int {
	switch b.v.pace {
	case trip.Relaxed:
		return 30
	case trip.Packed:
		return 5
	case trip.Moderate:
	}
	return 15
}

// tierRank returns 0, 1, 2 for low, mid, high, and 1 for none.
func tierRank(t trip.Budget) int {
	switch t {
	case trip.Low:
		return 0
	case trip.High:
		return 2
	case trip.Mid:
	}
	return 1
}

func apart(a, b trip.Budget) int {
	d := tierRank(a) - tierRank(b)
	return max(d, -d)
}

// chooseStays takes a place to stay for each city in which nights are spent.
func (b *builder) chooseStays(fixed []string) {
	b.stays = make([]*specialists.Recommendation, len(b.f.cities))
	for i := range b.f.cities {
		if b.nightsIn(i) == 0 {
			continue
		}
		list := b.f.sleeps[i]
		if i < len(fixed) && fixed[i] != "" {
			if n := indexOf(list, fixed[i]); n >= 0 {
				b.stays[i] = &list[n]
				continue
			}
		}
		b.stays[i] = b.f.chooseStay(list, b.v)
	}
}

// indexOf returns where a list has the recommendation of a code, -1 for nowhere.
func indexOf(list []specialists.Recommendation, code string) int {
	return slices.IndexFunc(list, func(r specialists.Recommendation) bool { return r.Code == code })
}

// staysIn returns the stays that were found in a city, the cheapest first.
func (f *facts) staysIn(name string) []specialists.Recommendation {
	var list []specialists.Recommendation
	for _, r := range f.stays {
		if same(r.City, name) || r.City == "" && len(f.cities) == 1 {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b specialists.Recommendation) int { return f.night(a).Cmp(f.night(b)) })
	return list
}

// night returns about what a stay costs a night.
func (f *facts) night(r specialists.Recommendation) money.Amount {
	if r.Cost == nil {
		return money.FromInt(1 << 40)
	}
	sum := f.rough(r.Cost.From, r.Cost.To, r.Cost.Currency)
	if r.Cost.Per != specialists.PerGroup {
		return sum
	}
	n := 1 // a live price is that of all nights
	for _, c := range f.cities {
		if same(c.Name, r.City) {
			n = max(1, c.nights)
		}
	}
	each, _ := sum.Quo(money.FromInt(n), 2)
	return each
}

// chooseStay takes one of the stays of a tier, live ones before listed ones before those of
// a model. In the tier of the person their style decides first.
func (f *facts) chooseStay(list []specialists.Recommendation, v variant) *specialists.Recommendation {
	if len(list) == 0 {
		return nil
	}
	best := func(r specialists.Recommendation) int { return 8*apart(tierOf(r), v.tier) + sourceRank(r.Source) }
	least := best(list[0])
	for _, r := range list {
		least = min(least, best(r))
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r specialists.Recommendation) bool { return best(r) != least })
	if style := f.c.Preferences.HotelStyle; style != "" && !v.second {
		if liked := slices.DeleteFunc(slices.Clone(list), func(r specialists.Recommendation) bool {
			return !within(heavy(style), tokensOf(r.Type+" "+r.Name+" "+r.BestFor))
		}); len(liked) > 0 {
			list = liked
		}
	}
	if v.second && len(list) > 1 {
		// Another kind of house than the first option of the tier has.
		first := list[len(list)/2]
		if other := slices.DeleteFunc(slices.Clone(list), func(r specialists.Recommendation) bool {
			return same(r.Type, first.Type) || r.Code == first.Code
		}); len(other) > 0 {
			list = other
		}
	}
	n := len(list)
	return &list[[]int{n / 2, 0, n - 1, n / 4, 3 * n / 4}[v.stay%5]]
}

// tierOf returns the tier of a recommendation, mid where it says none.
func tierOf(r specialists.Recommendation) trip.Budget {
	return cmp.Or(r.Tier, trip.Mid)
}

// nightsIn counts the nights of a city that are not spent on the way.
func (b *builder) nightsIn(i int) int {
	n := 0
	for d := range b.f.days - 1 {
		if b.f.cityOf(d) == i && !b.open[d].away {
			n++
		}
	}
	return n
}

// addLocal puts the way to get around into the days on which something is done. What is
// free, such as walking, is no journey.
func (b *builder) addLocal() {
	for d := range b.o.Itinerary.Days {
		day := &b.o.Itinerary.Days[d]
		r := b.localIn(b.f.cityOf(d))
		if r == nil || len(day.Activities) == 0 || r.Cost != nil && r.Cost.To.IsZero() {
			continue
		}
		day.Transport = append(day.Transport, Entry{Code: r.Code, Name: cmp.Or(r.Option, r.Name), Kind: localMode,
			Detail: strings.TrimSpace(r.EstimatedCost), Source: r.Source})
	}
}

// localIn returns how to get around in a city: the car that they have, or else what is of
// the tier and has a price. Walking alone does not do where something is too far.
func (b *builder) localIn(ci int) *specialists.Recommendation {
	f := b.f
	var best *specialists.Recommendation
	least := 0
	for i, r := range f.local {
		car := slices.Contains(tokensOf(r.Option+" "+r.Name), "car")
		if !same(r.City, f.cities[ci].Name) && (r.City != "" || len(f.cities) > 1) || f.c.OwnCar && !car {
			continue
		}
		off := 2 * apart(tierOf(r), b.v.tier)
		if r.Cost == nil {
			off += 3
		}
		if r.Cost != nil && r.Cost.To.IsZero() && b.rides[ci] {
			off += 10
		}
		if best == nil || off < least {
			best, least = &f.local[i], off
		}
	}
	return best
}
