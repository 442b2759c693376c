package plans_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

// What the owner wrote of wishes, needs and limits is not shared, wherever code or a model
// repeated it. What the guide says of a sight stays, and so does what is missing of costs.
func TestSharedPlansKeepWhatIsTheirOwners(t *testing.T) {
	const wish = "Supper with aunt Josephine"
	day := options.Day{City: "Boston", Title: wish, Note: "On foot.",
		Meals: []options.Entry{{Name: "Neptune Oyster", Detail: "seafood · ask for kosher · book a table", Lat: 42.3}},
		Activities: []options.Entry{{Name: wish, Detail: "as you asked", MustDo: wish},
			{Name: "Freedom Trail", MustDo: "the Freedom Trail", Lat: 42.3, Lon: -71, Detail: "red bricks"}}}
	option := options.Option{ID: "opt-1", Title: "History, and " + wish, Description: "Three days in Boston.",
		Tier:       "mid",
		Highlights: []string{wish + " on day 2", "Freedom Trail on day 1"}, Tags: []string{"history"},
		Costs: []options.Line{{Label: wish}, {Label: "Museum"}},
		Gaps: []string{"No journey was found: the total is without it.", "It costs more than your limit of $900.",
			"There is no time left for your wish “karaoke with Wilhelmina”."},
		Itinerary: options.Itinerary{Summary: wish, Days: []options.Day{day}, AlternativeOptions: options.Alternatives{
			Stays: []specialists.Recommendation{{Name: "Inn", Offer: "K7M2-3"}}}}}
	set := options.Set{Options: []options.Option{option}, ComparisonNote: "Room for supper with aunt Josephine.",
		Assumptions: []string{"Step-free for Wilhelmina."}, Risks: []string{"Ask for kosher."},
		Questions: []string{"Does Wilhelmina come?"},
		Axes:      []options.Axis{{Name: "focus", Values: []string{"history"}}}}
	before, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(plans.Shared(set))
	if err != nil {
		t.Fatal(err)
	}
	shared := string(raw)
	for _, secret := range []string{"osephine", "Wilhelmina", "kosher", "limit", "K7M2", "mustDo"} {
		if strings.Contains(shared, secret) {
			t.Errorf("shared is %q: %s", secret, shared)
		}
	}
	for _, kept := range []string{"Freedom Trail on day 1", `"name":"Freedom Trail"`, "red bricks",
		"No journey was found",
		"seafood · book a table", "A wish of the travellers", `"title":"Boston"`, "On foot.", "Museum"} {
		if !strings.Contains(shared, kept) {
			t.Errorf("%q is not shared: %s", kept, shared)
		}
	}
	if after, err := json.Marshal(set); err != nil || string(after) != string(before) {
		t.Error("the owner's options were changed")
	}
}
