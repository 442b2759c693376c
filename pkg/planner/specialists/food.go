package specialists

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// eatsPerSlot is how many places of a meal and a tier are recommended in a city: a week's
// for one city, and fewer of several, since what was found is kept with the run.
func eatsPerSlot(cities int) int { return max(3, 8-2*cities) }

// Needs of the guide's vocabulary that are looked at more closely.
const (
	vegetarian = "vegetarian"
	vegan      = "vegan"
)

// diet is a need that the guide knows, by words of the person.
type diet struct {
	words *regexp.Regexp
	need  string
}

var (
	veganWords      = regexp.MustCompile(`(?i)\bvegan`)
	vegetarianWords = regexp.MustCompile(`(?i)\bvegg?(?:ie|etarian)|\b(?:pure )?veg\b|\bjain\b|` +
		`\bno meat\b|\bmeat[- ]free\b`)
	jainWords = regexp.MustCompile(`(?i)\bjain\b`)
	eatsAll   = regexp.MustCompile(`(?i)^\s*(?:none|no|nothing|n/?a|any(?:thing)?|everything|we eat \w+|` +
		`no (?:special |dietary )?(?:needs|restrictions|requirements|preferences?|allerg\w+))[\s.!]*$`)
	nonVegetarian = regexp.MustCompile(`(?i)\bnon[- ]?veg`)
	glutenWords   = regexp.MustCompile(`(?i)\bgluten|\bco?eliac`)
	halalWords    = regexp.MustCompile(`(?i)\bhalal`)
	kosherWords   = regexp.MustCompile(`(?i)\bkosher`)
)

func diets() []diet {
	return []diet{{veganWords, vegan}, {vegetarianWords, vegetarian}, {glutenWords, "gluten_free"},
		{halalWords, "halal"}, {kosherWords, "kosher"}}
}

// meat are cuisines in which people without meat find nothing unless the guide lists it.
var meat = regexp.MustCompile(`(?i)\b(?:steak(?:house)?|barbecue|bbq|grill|meat|kebab|burgers?|chicken|roast|` +
	`churrasc\w*|tonkatsu|yakitori)\b`)

// needs returns the person's dietary needs: those of the guide's vocabulary, and the
// others as the person says them.
func needs(c trip.Context) (known, others []string) {
	for _, text := range c.Preferences.Dietary {
		if eatsAll.MatchString(text) || nonVegetarian.MatchString(text) {
			continue
		}
		found := false
		for _, d := range diets() {
			if d.words.MatchString(text) {
				known, found = append(known, d.need), true
			}
		}
		if !found || jainWords.MatchString(text) { // what the guide does not know is asked for
			others = append(others, clean(text, maxPoint))
		}
	}
	return once(known), once(others)
}

// serves reports whether a place is listed for all needs. What suits vegans suits
// vegetarians.
func serves(dietary, needs []string) bool {
	return !slices.ContainsFunc(needs, func(n string) bool {
		return !slices.Contains(dietary, n) && (n != vegetarian || !slices.Contains(dietary, vegan))
	})
}

const seafood = `(?:(?:shell)?fish\b|\bsea ?food\b|\bcrustacean)`

// Words of people who eat no fish, or no other meat, and cuisines of fish.
var (
	fishButNoMeat = regexp.MustCompile(`(?i)\bpescatarian`)
	noFish        = regexp.MustCompile(`(?i)\b(?:no|not|allerg\w+|without|avoid\w*|don'?t|intoleran\w+)\b.*` +
		seafood + `|` + seafood + `.*(?:allerg|free|intoleran)`)
	fish = regexp.MustCompile(`(?i)\bsea ?food\b|\bfish\b|\boysters?\b|\bsushi\b|\bcrab\b|\blobster\b`)
)

// unfit reports whether nothing is to be expected there for who eats no meat or no fish.
func unfit(cuisine string, dietary, needs, others []string) bool {
	ofFish, ofMeat := fish.MatchString(cuisine), meat.MatchString(cuisine)
	switch {
	case ofFish && slices.ContainsFunc(others, noFish.MatchString):
		return true
	case ofMeat && slices.ContainsFunc(others, fishButNoMeat.MatchString):
		return true
	}
	return (ofFish || ofMeat) && !serves(dietary, needs) &&
		(slices.Contains(needs, vegan) || slices.Contains(needs, vegetarian))
}

// listedFood returns the places to eat of the guide: for each meal and tier those that are
// listed for the person's dietary needs, then those of which it is not known, which say
// that one should ask.
func (b brief) listedFood() brought {
	var out brought
	known, others := needs(b.trip)
	for _, p := range b.trip.Destinations {
		city, ok := guide.Of(p.Code)
		if !ok {
			continue
		}
		for _, meal := range guide.Meals() {
			for _, tier := range guide.Tiers() {
				slot := slices.DeleteFunc(slices.Clone(city.Eats), func(e guide.Eat) bool {
					return e.Tier != tier || !e.Serves(meal) || unfit(e.Cuisine, e.Dietary, known, others)
				})
				slices.SortStableFunc(slot, func(x, y guide.Eat) int {
					return number(!serves(x.Dietary, known)) - number(!serves(y.Dietary, known))
				})
				for _, e := range slot[:min(len(slot), eatsPerSlot(len(b.trip.Destinations)))] {
					out.list = append(out.list, eat(e, meal, p, city, known, others))
				}
			}
		}
	}
	if len(out.list) == 0 {
		return out
	}
	out.assumptions = append(out.assumptions, listedOnly, "Prices of meals are for each person, without alcohol.")
	out.risks = append(out.risks, "Opening days and prices of restaurants change: check them before you go.")
	if wishes := slices.Concat(known, others); len(wishes) > 0 {
		all := strings.ReplaceAll(strings.Join(wishes, ", "), "_", "-")
		out.risks = append(out.risks, "Say it when you book: "+all+".")
	} else {
		out.assumptions = append(out.assumptions, "No dietary needs are known.")
	}
	return out
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// eat makes a recommendation of a place to eat for a meal.
func eat(e guide.Eat, meal guide.Meal, p trip.Place, city guide.City, known, others []string) Recommendation {
	rec := Recommendation{Source: Listed, Tier: trip.Budget(e.Tier), City: p.Name, Name: e.Name,
		MealType: string(meal), Cuisine: e.Cuisine, Location: e.Area + ", " + p.Name,
		Neighborhood: e.Area, MustTryDishes: e.MustTry,
		ReservationNeeded: e.Reservation, Tips: e.Note, Lat: e.Lat, Lon: e.Lon,
		Cost: listedCost(e.Price, city.Currency, PerPerson, 1)}
	for _, d := range e.Dietary {
		rec.DietaryOptions = append(rec.DietaryOptions, strings.ReplaceAll(d, "_", "-"))
	}
	for _, day := range e.ClosedOn {
		rec.ClosedOn = append(rec.ClosedOn, capital(strings.ToLower(day)))
	}
	if e.Reservation {
		rec.ReservationTips = "A table is usually booked."
	}
	if ask := unknown(e.Dietary, known, others); ask != "" {
		rec.Cons = append(rec.Cons, ask)
	}
	return rec
}

// unknown says of which needs it is not known whether a place serves them, "" of none.
func unknown(dietary, known, others []string) string {
	var ask []string
	for _, n := range known {
		if !serves(dietary, []string{n}) {
			ask = append(ask, strings.ReplaceAll(n, "_", "-"))
		}
	}
	if ask = append(ask, others...); len(ask) == 0 {
		return ""
	}
	return "not known to suit: " + strings.Join(ask, ", ") + " (ask first)"
}
