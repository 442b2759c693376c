package options_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// randomTrip returns a trip with what its specialists found: one to three cities of the
// guide or outside it, up to 30 days, children, must-dos, limits, live flights, and
// specialists that failed.
func randomTrip(r *rand.Rand) (trip.Context, []specialists.Output) {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	var cities []trip.Place
	for range 1 + r.IntN(3)*r.IntN(2) {
		p := trip.Place{Name: "Smalltown", Country: "FR", Zone: "Europe/Paris"}
		if r.IntN(8) > 0 {
			g, _ := guide.Of(pick(guide.Codes()))
			p = trip.Place{Name: g.Name, Code: g.Code, Country: g.Country, Zone: "Europe/Paris"}
		}
		if !slices.ContainsFunc(cities, func(o trip.Place) bool { return o.Name == p.Name }) {
			cities = append(cities, p)
		}
	}
	origin := place("London")
	if cities[0].Code == origin.Code {
		origin = place("Paris")
	}
	start := today().AddDays(1 + r.IntN(400))
	c := trip.Context{Origin: &origin, Destinations: cities, Budget: trip.Budget(pick(trip.Budget("").Values())),
		Travellers: &trip.Travellers{Adults: 1 + r.IntN(5)},
		Dates: trip.DateRange{Start: start, End: start.AddDays(len(cities) +
			r.IntN(6+24*(r.IntN(5)/4)) - r.IntN(2))}}
	if c.Dates.Days() > trip.MaxDays {
		c.Dates.End = c.Dates.Start.AddDays(trip.MaxDays - 1)
	}
	for range r.IntN(3) * r.IntN(2) {
		c.Travellers.Children = append(c.Travellers.Children, r.IntN(18))
	}
	if r.IntN(2) == 0 {
		c.Preferences.Pace = trip.Pace(pick(trip.Pace("").Values()))
	}
	for range r.IntN(3) {
		c.Preferences.Interests = append(c.Preferences.Interests, pick(append(guide.Tags(), "knitting")))
	}
	if r.IntN(4) == 0 {
		c.Preferences.Dietary = []string{pick(guide.Diets())}
	}
	if r.IntN(5) == 0 {
		c.Most = &money.Price{Amount: money.FromInt(200 + r.IntN(5000)), Currency: "EUR"}
	}
	for range r.IntN(3) {
		m := "see my uncle's house"
		if g, ok := guide.Of(cities[r.IntN(len(cities))].Code); ok && r.IntN(4) > 0 {
			m = "must see the " + g.Sights[r.IntN(len(g.Sights))].Name
		}
		if !slices.Contains(c.MustDos, m) {
			c.MustDos = append(c.MustDos, m)
		}
	}
	switch r.IntN(8) {
	case 0:
		c.LocalOnly = true
	case 1:
		c.Excluded = []trip.Specialist{trip.Specialists()[r.IntN(3)]}
	case 2:
		c.OwnCar = true
	}
	found := research(c)
	if r.IntN(2) == 0 {
		found[0].Recommendations = append(found[0].Recommendations, randomFlights(r, c)...)
	}
	for i, n := range specialists.Nights(c) {
		if n > 0 && r.IntN(3) == 0 && len(found[1].Recommendations) > 0 {
			p := money.MustParse(fmt.Sprintf("%d.%02d", 60*n+r.IntN(300*n), r.IntN(100)))
			found[1].Recommendations = append(found[1].Recommendations,
				specialists.Recommendation{Code: fmt.Sprintf("S9%d", i),
					Source: specialists.Live, Name: "Hotel Live", Type: "4-star hotel", City: c.Destinations[i].Name,
					Tier: trip.Budget(pick(trip.Budget("").Values())),
					Cost: &specialists.Cost{From: p, To: p, Currency: "GBP", Per: specialists.PerGroup,
						Source: specialists.Live}})
		}
	}
	if r.IntN(6) == 0 {
		i := r.IntN(3)
		found[i].Recommendations = []specialists.Recommendation{{Error: "failed", Message: "It did not answer."}}
	}
	return c, found
}

// randomFlights returns live flights there and back at any times.
func randomFlights(r *rand.Rand, c trip.Context) []specialists.Recommendation {
	var list []specialists.Recommendation
	for i := range 1 + r.IntN(3) {
		p := money.MustParse(fmt.Sprintf("%d.%02d", 100+r.IntN(2000), r.IntN(100)))
		at := func(day int) string {
			return fmt.Sprintf("%sT%02d:%02d", c.Dates.Start.AddDays(day), r.IntN(24), r.IntN(60))
		}
		last := c.Dates.Days() - 1
		list = append(list, specialists.Recommendation{Code: fmt.Sprintf("T9%d", i), Source: specialists.Live,
			Mode: "flight",
			City: c.Destinations[0].Name, Option: "Flight", Provider: fmt.Sprintf("Airline %d", i), Back: true,
			Route: c.Origin.Name + " → " + c.Destinations[0].Name, Minutes: 60 + r.IntN(900), Departs: at(0),
			Arrives: at(r.IntN(2)), BackDeparts: at(last), BackArrives: at(last + r.IntN(2)),
			Cost: &specialists.Cost{From: p, To: p, Currency: "EUR", Per: specialists.PerGroup,
				Source: specialists.Live}})
	}
	return list
}

// TestOptionsHoldForAnyTrip shows of 500 random trips what holds for all: S4-8, S4-9, S4-10.
func TestOptionsHoldForAnyTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 4))
	several := 0
	for n := range 500 {
		c, found := randomTrip(r)
		set := options.Compose(c, found, guide.Of, today())
		if problems := check(c, found, set); len(problems) > 0 {
			t.Fatalf("trip %d, %+v: %s", n, c, strings.Join(problems, "\n"))
		}
		for _, i := range firstOf(options.Items(set.Options[0], c), 5) {
			from, to, err := i.Moments()
			if err != nil || i.Type != itinerary.Flight && to.Before(from) || i.Title == "" {
				t.Fatalf("trip %d: the item %+v, %v", n, i, err)
			}
		}
		if len(set.Options) > 1 {
			several++
		}
	}
	if several < 440 {
		t.Errorf("only %d of 500 trips have several options", several)
	}
}

func check(c trip.Context, found []specialists.Output, set options.Set) (problems []string) {
	complain := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	n := len(set.Options)
	if n < 1 || n > 3 || (n == 1) != slices.Contains(set.Degraded, options.OneOption) {
		complain("there are %d options, degraded %v", n, set.Degraded)
	}
	if !slices.ContainsFunc(set.Options, func(o options.Option) bool { return o.Tier == c.Budget }) {
		complain("no option is of the tier %s", c.Budget)
	}
	for i := range n {
		for k := range i {
			if d := apart(set, i, k); d < 3 {
				complain("%s and %s differ on %d axes: %v", set.Options[i].ID, set.Options[k].ID, d, set.Axes)
			}
			if set.Options[i].Title == set.Options[k].Title {
				complain("two options are called %q", set.Options[i].Title)
			}
		}
	}
	for _, o := range set.Options {
		if n := utf8.RuneCountInString(o.Title); n == 0 || n > 80 {
			complain("%s is called %q", o.ID, o.Title)
		}
		for _, p := range slices.Concat(checkDays(c, o), checkClosed(found, o), checkCosts(c, found, o),
			checkWishes(c, o)) {
			complain("%s: %s", o.ID, p)
		}
	}
	return problems
}

func apart(set options.Set, i, k int) (n int) {
	for _, a := range set.Axes {
		if a.Values[i] != a.Values[k] {
			n++
		}
	}
	return n
}

// checkDays requires every day of the range, things in order without overlaps between 08:00
// and 22:30, and nothing twice.
func checkDays(c trip.Context, o options.Option) (problems []string) {
	complain := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if len(o.Itinerary.Days) != c.Dates.Days() {
		complain("%d days of %d", len(o.Itinerary.Days), c.Dates.Days())
	}
	seen := map[string]int{}
	for i, d := range o.Itinerary.Days {
		if d.Number != i+1 || d.Date != c.Dates.Start.AddDays(i) || d.Title == "" {
			complain("day %d is %d, %s, %q", i+1, d.Number, d.Date, d.Title)
		}
		today := map[string]bool{}
		list := slices.Concat(d.Meals, d.Activities)
		slices.SortFunc(list, func(a, b options.Entry) int { return strings.Compare(a.Starts, b.Starts) })
		last := "08:00"
		for _, e := range list {
			if e.Starts < last || e.Ends <= e.Starts || e.Ends > "22:30" {
				complain("day %d: %s from %s to %s after %s", d.Number, e.Name, e.Starts, e.Ends, last)
			}
			last = e.Ends
			if today[e.Name] {
				complain("day %d has %s twice", d.Number, e.Name)
			}
			today[e.Name] = true
		}
		for k := 1; k < len(d.Activities); k++ {
			if d.Activities[k].Starts < d.Activities[k-1].Starts {
				complain("day %d: %s is not in order", d.Number, d.Activities[k].Name)
			}
		}
		for _, a := range d.Activities {
			if seen[d.City+a.Name]++; seen[d.City+a.Name] > 1 {
				complain("%s stands on several days", a.Name)
			}
		}
	}
	return problems
}

// checkClosed requires that places are open on the days of which it is known.
func checkClosed(found []specialists.Output, o options.Option) (problems []string) {
	closed := map[string][]string{}
	for _, code := range guide.Codes() {
		g, _ := guide.Of(code)
		for _, s := range g.Sights {
			closed[g.Name+s.Name] = s.ClosedOn
		}
	}
	for _, out := range found {
		for _, r := range out.Recommendations {
			closed[r.Code] = r.ClosedOn
		}
	}
	for _, d := range o.Itinerary.Days {
		for _, e := range slices.Concat(d.Meals, d.Activities) {
			key := d.City + e.Name
			if e.Kind != "" {
				key = e.Code
			}
			if slices.Contains(closed[key], strings.ToLower(d.Date.Weekday().String())) {
				problems = append(problems, fmt.Sprintf("%s is closed on %s", e.Name, d.Date.Weekday()))
			}
		}
	}
	return problems
}

// checkCosts adds everything up anew from the days, in exact fractions.
func checkCosts(c trip.Context, found []specialists.Output, o options.Option) (problems []string) {
	sum := map[string]*[2]big.Rat{}
	add := func(at map[string]*[2]big.Rat, from, to money.Amount, currency string, n int) {
		if at[currency] == nil {
			at[currency] = new([2]big.Rat)
		}
		for i, a := range []money.Amount{from, to} {
			x, _ := new(big.Rat).SetString(a.String())
			at[currency][i].Add(&at[currency][i], x.Mul(x, big.NewRat(int64(n), 1)))
		}
	}
	for _, l := range o.Costs {
		if l.From.Cmp(l.To) > 0 || l.From.Negative() || l.Source == "" || l.Label == "" {
			problems = append(problems, fmt.Sprintf("a line is %+v", l))
		}
		add(sum, l.From, l.To, l.Currency, 1)
	}
	if len(sum) != len(o.Totals) {
		problems = append(problems, fmt.Sprintf("there are %d totals of %d currencies", len(o.Totals), len(sum)))
	}
	for _, total := range o.Totals {
		for i, a := range []money.Amount{total.From, total.To} {
			if x, _ := new(big.Rat).SetString(a.String()); sum[total.Currency] == nil ||
				x.Cmp(&sum[total.Currency][i]) != 0 {
				problems = append(problems, fmt.Sprintf("the total %s %s is not the sum of its lines", a,
					total.Currency))
			}
		}
	}
	// Nights and meals, counted by day.
	byCode := map[string]specialists.Recommendation{}
	for _, out := range found {
		for _, r := range out.Recommendations {
			byCode[r.Code] = r
		}
	}
	want, got := map[string]*[2]big.Rat{}, map[string]*[2]big.Rat{}
	for _, d := range o.Itinerary.Days {
		if a := d.Accommodation; a != nil {
			cost := byCode[a.Code].Cost
			if cost.Per == specialists.PerNight || a.Nights > 0 {
				add(want, cost.From, cost.To, cost.Currency, 1)
			}
		}
		for _, m := range d.Meals {
			cost := byCode[m.Code].Cost
			add(want, cost.From, cost.To, cost.Currency, c.Travellers.Count())
		}
	}
	for _, l := range o.Costs {
		if l.Category == options.CostStay || l.Category == options.CostFood {
			add(got, l.From, l.To, l.Currency, 1)
		}
	}
	for currency, w := range want {
		if g := got[currency]; g == nil || g[0].Cmp(&w[0]) != 0 || g[1].Cmp(&w[1]) != 0 {
			problems = append(problems, fmt.Sprintf("nights and meals cost %v %s, by day %v", g, currency, w))
		}
	}
	return problems
}

// checkWishes requires that each must-do is done, or said to be missing.
func checkWishes(c trip.Context, o options.Option) (problems []string) {
	for _, m := range c.MustDos {
		done := strings.Contains(strings.ToLower(strings.Join(o.Gaps, "\n")),
			strings.ToLower(strings.TrimPrefix(m, "must see the ")))
		for _, d := range o.Itinerary.Days {
			done = done || slices.ContainsFunc(slices.Concat(d.Activities, d.Meals),
				func(e options.Entry) bool { return e.MustDo == m })
		}
		if !done {
			problems = append(problems, fmt.Sprintf("%q is not planned, and no gap says so: %v", m, o.Gaps))
		}
	}
	return problems
}

// BenchmarkCompose measures three options of seven days.
func BenchmarkCompose(b *testing.B) {
	c := boston()
	c.Dates.End = c.Dates.Start.AddDays(6)
	found := research(c)
	b.ReportAllocs()
	for b.Loop() {
		options.Compose(c, found, guide.Of, today())
	}
}

// firstOf returns at most n items: zones are slow to load.
func firstOf(items []itinerary.Item, n int) []itinerary.Item { return items[:min(n, len(items))] }
