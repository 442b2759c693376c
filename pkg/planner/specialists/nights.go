package specialists

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Nights returns how many nights are in each destination: one, and of the others each in
// the one that has the fewest for its must-dos, the earlier of two. It is nil where the
// dates are not known. Live prices of stays, and of flights between destinations, are for
// these nights.
func Nights(c trip.Context) []int {
	if !c.Dates.Known() || len(c.Destinations) == 0 {
		return nil
	}
	const evenly = 2 // how much every destination weighs beside its must-dos
	weights, nights := make([]int, len(c.Destinations)), make([]int, len(c.Destinations))
	for i, p := range c.Destinations {
		weights[i] = evenly + mustDosIn(c, p)
	}
	for n := range max(c.Dates.Days()-1, 0) {
		best := 0
		for i := range nights {
			switch {
			case n < len(nights):
				best = n
			case weights[i]*(2*nights[best]+1) > weights[best]*(2*nights[i]+1): // by the method of Sainte-Laguë
				best = i
			}
		}
		nights[best]++
	}
	return nights
}

// mustDosIn counts the must-dos that mean a listed sight of a city or name the city.
func mustDosIn(c trip.Context, p trip.Place) int {
	city, _ := guide.Of(p.Code)
	n := 0
	for _, m := range c.MustDos {
		wish := strings.Fields(places.Fold(m))
		means := func(s guide.Sight) bool {
			name := strings.Fields(places.Fold(s.Name))
			return within(name, wish) || within(wish, name)
		}
		if within(strings.Fields(places.Fold(p.Name)), wish) || slices.ContainsFunc(city.Sights, means) {
			n++
		}
	}
	return n
}

// within reports whether all words, at least one, stand among others.
func within(words, among []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(among, w) })
}
