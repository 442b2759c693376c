package specialists_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Real prices come first and stay as they are sold; typical ones of the guide follow.
// S4-17
func TestLivePricesComeBeforeListedOnes(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	c := journey(t, "London", "Boston")
	all := specialists.New(cfg).All(t.Context(), caller, specialists.Tasks(c), c)
	if len(all) != 3 {
		t.Fatalf("%d outputs", len(all))
	}
	for i, f := range all {
		s := trip.Specialists()[i]
		if f.Task.Specialist != s || f.Output.TaskID != f.Task.ID || f.State != specialists.Done {
			t.Errorf("output %d is of %s, %s, %s", i, f.Task.Specialist, f.Output.TaskID, f.State)
		}
		if s != trip.Food && len(pick(f.Output, of(specialists.Live))) < 2 {
			t.Errorf("%s has %s", s, f.Output.Words())
		}
		listed := false
		for _, r := range f.Output.Recommendations {
			listed = listed || r.Source == specialists.Listed
			if r.Source == specialists.Live &&
				(listed || r.Cost.From.Cmp(r.Cost.To) != 0 || r.Cost.Per != specialists.PerGroup) {
				t.Errorf("%s: %+v", r.Code, r.Cost)
			}
			if r.Source == specialists.Listed && r.Cost != nil && r.Cost.Currency != "GBP" {
				t.Errorf("%s is in %s", r.Code, r.Cost.Currency)
			}
		}
		if !listed || !strings.Contains(strings.Join(f.Output.Assumptions, " "), "converted to GBP") {
			t.Errorf("%s: %s, %q", s, f.Output.Words(), f.Output.Assumptions)
		}
	}
}

// What a model suggests comes last, is marked, and changes no listed figure. S4-20
func TestAModelAddsWhatIsNotListed(t *testing.T) {
	t.Parallel()
	m := &model{answers: map[string][]string{"StayAgent": {answer(t, "StayAgent",
		map[string]any{"city": "boston", "name": "The Liberty Hotel", "costFrom": "1", "costTo": "2",
			"bookingTips": "Ask for a **high** floor"},
		map[string]any{"city": "Boston", "name": "Harbour <b>Loft</b>", "costFrom": "90", "costTo": "120.50",
			"tier": "low", "pros": []string{"[cheap](https://harbour.example/x)"}})}}}
	o := researched(t, specialists.Config{Now: now, Model: m.ask}, journey(t, "London", "Boston"), trip.Stay)
	liberty := pick(o, func(r specialists.Recommendation) bool { return strings.Contains(r.Name, "Liberty") })
	if len(liberty) != 1 || liberty[0].Source != specialists.Listed || liberty[0].Cost.From.String() != "200" {
		t.Errorf("the listed hotel is %+v", liberty)
	}
	own := pick(o, of(specialists.Model))
	if len(own) != 1 || own[0].Name != "Harbour Loft" || own[0].EstimatedCost != "£90.00–120.50 per night" ||
		own[0].Pros[0] != "cheap" || own[0].Code != o.Recommendations[len(o.Recommendations)-1].Code {
		t.Errorf("suggested is %+v", own)
	}
}
