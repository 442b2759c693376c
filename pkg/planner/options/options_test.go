package options_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// today is the day on which all trips of the tests are planned.
func today() calendar.Date { return date("2026-11-23") }

func date(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// place returns a city by name.
func place(name string) trip.Place {
	p := places.Lookup(name)[0]
	return trip.Place{Name: p.Name, Code: p.Code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}

// boston is a long weekend for two from London.
func boston() trip.Context {
	origin := place("London")
	return trip.Context{Origin: &origin, Destinations: []trip.Place{place("Boston")},
		Dates:      trip.DateRange{Start: date("2027-02-12"), End: date("2027-02-15")},
		Travellers: &trip.Travellers{Adults: 2},
		Budget:     trip.Mid, Preferences: trip.Preferences{Interests: []string{"history", "food"}},
		MustDos: []string{"Freedom Trail"}}
}

// research answers as specialists that know only the guide, and live flights from London.
func research(c trip.Context) []specialists.Output {
	t := specialists.Output{TaskID: "task-1", Agent: "TransportAgent"}
	s := specialists.Output{TaskID: "task-2", Agent: "StayAgent", Assumptions: []string{"Rooms are for two."}}
	f := specialists.Output{TaskID: "task-3", Agent: "FoodAgent", Assumptions: []string{"Rooms are for two."}}
	cities := c.Destinations
	stops := slices.Clone(cities)
	if c.WantsOrigin() && c.Origin != nil {
		stops = append(append([]trip.Place{*c.Origin}, stops...), *c.Origin)
	}
	for i := 1; i < len(stops); i++ {
		for _, l := range guide.Between(stops[i-1].Code, stops[i].Code) {
			per := specialists.PerPerson
			if l.Mode == "car" {
				per = specialists.PerGroup
			}
			t.Recommendations = append(t.Recommendations, specialists.Recommendation{Source: specialists.Listed,
				City: stops[i].Name,
				Name: l.Option, Option: l.Option, Mode: l.Mode, Provider: l.Provider, Route: stops[i-1].Name + " → " +
					stops[i].Name,
				Minutes: l.Minutes, Cost: cost(l.Price, per)})
		}
	}
	for i, c := range cities {
		g, ok := guide.Of(c.Code)
		if !ok {
			continue
		}
		for _, x := range g.Stays {
			s.Recommendations = append(s.Recommendations, specialists.Recommendation{Source: specialists.Listed,
				Tier: trip.Budget(x.Tier),
				City: c.Name, Name: x.Name, Type: x.Type, Neighborhood: x.Area, Lat: x.Lat, Lon: x.Lon, Pros: x.Pros,
				Cons: x.Cons,
				Cost: cost(x.Price, specialists.PerNight), Amenities: x.Amenities})
		}
		for _, x := range g.Eats {
			var meals []string
			for _, m := range x.Meals {
				meals = append(meals, string(m))
			}
			f.Recommendations = append(f.Recommendations, specialists.Recommendation{Source: specialists.Listed,
				Tier: trip.Budget(x.Tier),
				City: c.Name, Name: x.Name, MealType: strings.Join(meals, ", "), Cuisine: x.Cuisine,
				Neighborhood: x.Area, Lat: x.Lat,
				Lon: x.Lon, DietaryOptions: x.Dietary, ClosedOn: x.ClosedOn,
				Cost: cost(x.Price, specialists.PerPerson)})
		}
		for _, x := range g.Local {
			if per, ok := map[string]specialists.Per{"ride": specialists.PerPerson,
				"day": specialists.PerDay}[x.Per]; ok && x.Airport == "" {
				t.Recommendations = append(t.Recommendations, specialists.Recommendation{Source: specialists.Listed,
					City: cities[i].Name,
					Name: x.Option, Option: x.Option, Mode: "local", Cost: cost(x.Price, per)})
			}
		}
	}
	for prefix, o := range map[string]*specialists.Output{"T": &t, "S": &s, "F": &f} {
		for i := range o.Recommendations {
			o.Recommendations[i].Code = fmt.Sprintf("%s%d", prefix, i+1)
		}
	}
	found := []specialists.Output{t, s, f}
	return specialists.InCurrency(found, specialists.Currency(c, found))
}

// euro returns whole euros.
func euro(n int) money.Amount { return money.FromInt(n) }

func cost(r guide.Range, per specialists.Per) *specialists.Cost {
	return &specialists.Cost{From: r.From, To: r.To, Currency: r.Currency, Per: per, Source: specialists.Listed}
}

// S4-8, S4-9, S4-10: options for a long weekend have a day for each date, the person's own
// budget among them, and differ in most ways.
func TestALongWeekendHasThreeOptions(t *testing.T) {
	c := boston()
	set := options.Compose(c, research(c), guide.Of, today())
	if len(set.Options) != 3 {
		t.Fatalf("there are %d options", len(set.Options))
	}
	tiers := []trip.Budget{}
	for i, o := range set.Options {
		if want := fmt.Sprintf("opt-%d", i+1); o.ID != want || len(o.Itinerary.Days) != 4 {
			t.Errorf("option %s has %d days, want %s and 4", o.ID, len(o.Itinerary.Days), want)
		}
		tiers = append(tiers, o.Tier)
	}
	if want := []trip.Budget{trip.Low, trip.Mid, trip.High}; !slices.Equal(tiers, want) {
		t.Errorf("the tiers are %v, want %v", tiers, want)
	}
	// The report on the rule has the shares of the middles, in whole percent.
	middle := func(o options.Option) *big.Rat {
		from, _ := new(big.Rat).SetString(o.Totals[0].From.String())
		to, _ := new(big.Rat).SetString(o.Totals[0].To.String())
		return from.Add(from, to)
	}
	for i, at := range []int{0, 2} {
		share, _ := new(big.Rat).Quo(middle(set.Options[at]), middle(set.Options[1])).Float64()
		percent, rule := int(math.Round(100*share)), "50 to 100 % above"
		want := fmt.Sprintf("%d %% above", percent-100)
		inside := percent >= 150 && percent <= 200
		if at == 0 {
			want, rule = fmt.Sprintf("%d %% below", 100-percent), "30 to 50 % below"
			inside = percent >= 50 && percent <= 70
		}
		if said := set.Tiers[i]; !strings.Contains(said, want) || strings.Contains(said, "usual is "+rule) == inside {
			t.Errorf("the rule is said as %q, want %s, inside %t", said, want, inside)
		}
	}
}
