package specialists_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Meals of the day are recommended in every tier, with what the guide knows of each
// place. S4-21
func TestListedMeals(t *testing.T) {
	t.Parallel()
	o := researched(t, specialists.Config{Now: now}, journey(t, "", "Boston"), trip.Food)
	slots := map[string]int{}
	for i, r := range o.Recommendations {
		slots[r.MealType+" "+string(r.Tier)]++
		if r.Code == "" || r.Name == "" || r.Cuisine == "" || r.Neighborhood == "" || r.City != "Boston" ||
			r.Cost == nil || r.Cost.Per != specialists.PerPerson ||
			!strings.HasSuffix(r.EstimatedCost, " per person") ||
			r.Source != specialists.Listed || len(r.MustTryDishes) == 0 || !strings.HasSuffix(r.Location, ", Boston") {
			t.Errorf("%d is %+v", i, r)
		}
	}
	for _, meal := range []string{"breakfast", "lunch", "dinner"} {
		for _, tier := range (trip.Budget("")).Values() {
			if slots[meal+" "+tier] == 0 {
				t.Errorf("there is no %s of the tier %s", meal, tier)
			}
		}
	}
}

// Dietary needs come first among places that are listed for them, never one that plainly
// does not fit, and of the others it is said that one should ask.
func TestDietaryNeeds(t *testing.T) {
	t.Parallel()
	c := journey(t, "", "Boston")
	c.Preferences.Dietary = []string{"Vegan", "nut allergy"}
	o := researched(t, specialists.Config{Now: now}, c, trip.Food)
	if o.Failed() {
		t.Fatal("nothing was found")
	}
	last := map[string]bool{}
	fits := 0
	for _, r := range o.Recommendations {
		has := slices.Contains(r.DietaryOptions, "vegan")
		slot := r.MealType + " " + string(r.Tier)
		if has && last[slot] {
			t.Errorf("%s comes after one that is not known to fit", r.Name)
		}
		last[slot] = last[slot] || !has
		ask := strings.Join(r.Cons, " ")
		if !strings.Contains(ask, "nut allergy") || strings.Contains(ask, "vegan") == has {
			t.Errorf("%s serves %q: %q", r.Name, r.DietaryOptions, ask)
		}
		if !has && strings.Contains(strings.ToLower(r.Cuisine), "seafood") {
			t.Errorf("%s (%s) is recommended", r.Name, r.Cuisine)
		}
		if has {
			fits++
		}
	}
	if fits == 0 || !slices.Contains(o.Risks, "Say it when you book: vegan, nut allergy.") {
		t.Errorf("%d fit, %q", fits, o.Risks)
	}
	// A vegan place suits vegetarians.
	c.Preferences.Dietary = []string{"vegetarian"}
	o = researched(t, specialists.Config{Now: now}, c, trip.Food)
	for _, r := range o.Recommendations {
		if slices.Contains(r.DietaryOptions, "vegan") && strings.Contains(strings.Join(r.Cons, " "), "vegetarian") {
			t.Errorf("%s: %q", r.Name, r.Cons)
		}
	}
}

// Who cannot eat fish is not sent to a place of fish.
func TestAnAllergy(t *testing.T) {
	t.Parallel()
	c := journey(t, "", "Boston")
	c.Preferences.Dietary = []string{"allergic to shellfish"}
	m := &model{answers: map[string][]string{"FoodAgent": {answer(t, "FoodAgent",
		map[string]any{"city": "Boston", "name": "The Wharf", "cuisine": "Fish and oysters"},
		map[string]any{"city": "Boston", "name": "The Barn", "cuisine": "Farmhouse"})}}}
	o := researched(t, specialists.Config{Now: now, Model: m.ask}, c, trip.Food)
	if own := pick(o, of(specialists.Model)); len(own) != 1 || own[0].Name != "The Barn" {
		t.Errorf("suggested is %+v", own)
	}
	for _, r := range o.Recommendations {
		if r.Name == "Neptune Oyster" || strings.Contains(strings.ToLower(r.Cuisine), "seafood") ||
			!strings.Contains(strings.Join(r.Cons, " "), "allergic to shellfish") {
			t.Errorf("%s (%s): %q", r.Name, r.Cuisine, r.Cons)
		}
	}
	if o.Failed() {
		t.Error("nothing is left")
	}
	c.Preferences.Dietary = []string{"pescatarian"}
	names := ""
	for _, r := range researched(t, specialists.Config{Now: now}, c, trip.Food).Recommendations {
		names += r.Name + "; "
	}
	if !strings.Contains(names, "Neptune Oyster") || strings.Contains(names, "Grill 23") {
		t.Errorf("who eats fish is sent to %s", names)
	}
}

// Needs are read from the person's words; "none" is no need.
func TestWordsOfDietaryNeeds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Pure veg": "vegetarian", "jain food": "vegetarian, jain food",
		"coeliac": "gluten-free", "non-veg": "", "none": "", "No dietary restrictions.": "", "lactose": "lactose",
		"halal": "halal", "meat-free": "vegetarian", "veggie": "vegetarian"} {
		c := journey(t, "", "Lisbon")
		c.Preferences.Dietary = []string{text}
		o := researched(t, specialists.Config{Now: now}, c, trip.Food)
		said := ""
		for _, r := range o.Risks {
			if needs, ok := strings.CutPrefix(r, "Say it when you book: "); ok {
				said = strings.TrimSuffix(needs, ".")
			}
		}
		if said != want {
			t.Errorf("%q is %q, want %q", text, said, want)
		}
	}
}
