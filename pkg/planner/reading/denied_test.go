package reading_test

import (
	"slices"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/reading"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// What is denied is not taken for a wish, a relative of an age is counted, and a place with
// something is a wish for the city that is known.
func TestWhatDoesNotHold(t *testing.T) {
	now := time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)
	prague := reading.Read("Prague for two from Dublin", reading.Context{Now: now})
	known, _ := trip.Context{}.Merge(prague.Update)
	at := reading.Context{Now: now, Trip: known, Mode: "CLARIFY"}
	for text, want := range map[string]struct{ add, remove []string }{
		"no, nobody is vegetarian":        {nil, []string{"vegetarian"}},
		"none of us is vegan":             {nil, []string{"vegan"}},
		"we are not vegan but vegetarian": {[]string{"vegetarian"}, []string{"vegan"}},
		"we don't eat meat":               {[]string{"vegetarian"}, nil},
		"one of us is vegan":              {[]string{"vegan"}, nil},
		"none of us eats fish":            {[]string{"no fish"}, nil},
		"neither of us drinks":            {[]string{"no alcohol"}, nil},
		"nobody eats pork":                {[]string{"no pork"}, nil},
		"no fish please":                  {[]string{"no fish"}, nil},
	} {
		if got := reading.Read(text, at).Update.Dietary; !slices.Equal(got.Add, want.add) ||
			!slices.Equal(got.Remove, want.remove) {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got := reading.Read("I'm not really into history", at).Update.Interests; len(got.Add) > 0 {
		t.Errorf("history is wished for: %+v", got)
	}
	for _, text := range []string{"Edinburgh for me and my 80 year old mum",
		"my 35-year-old sister and I want to see Rome"} {
		if got := reading.Read(text, reading.Context{Now: now}).Update.Travellers; got == nil || got.Adults != 2 ||
			len(got.Children) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
	jazz := reading.Read("and a place with live jazz", at)
	if len(jazz.Ask) > 0 || !slices.Contains(jazz.Update.Interests.Add, "music") {
		t.Errorf("a wish is asked back: %+v", jazz)
	}
}

// Who is counted: "for four friends" is four, "with four friends" is five. What somebody
// cannot do is a wish for all.
func TestWhoIsCountedAndWhatTheyCannotDo(t *testing.T) {
	now := time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]int{
		"Prague for four friends": 4, "Prague with four friends": 5, "Lisbon for three colleagues and me": 4,
		"me and three friends to Rome": 4, "a weekend in Rome for two brothers": 2,
	} {
		if got := reading.Read(text, reading.Context{Now: now}).Update.Travellers; got == nil || got.Adults != want {
			t.Errorf("%q: %+v, want %d adults", text, got, want)
		}
	}
	prague := reading.Read("Prague for two from Dublin", reading.Context{Now: now})
	known, _ := trip.Context{}.Merge(prague.Update)
	for text, want := range map[string]string{
		"my mother has a bad knee": "little walking", "I have vertigo": "no heights",
		"my dad gets seasick": "no ferries",
		"she can't walk far":  "step-free",
	} {
		got := reading.Read(text, reading.Context{Now: now, Trip: known, Mode: "CLARIFY"})
		if !slices.Contains(got.Update.Constraints.Add, want) || got.Update.Travellers != nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// A complaint about plans is read as its opposite, and a question about them as a question.
func TestWhatIsSaidOfPlans(t *testing.T) {
	now := time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)
	said := reading.Read("Prague for two from Dublin 4 to 8 February, mid-range, history and food",
		reading.Context{Now: now})
	known, _ := trip.Context{}.Merge(said.Update)
	at := reading.Context{Now: now, Trip: known, Mode: "FINALIZE", Options: []reading.Shown{
		{ID: "opt-1", Title: "Old streets", Tier: trip.Low}, {ID: "opt-2", Title: "Long tables", Tier: trip.Mid}}}
	for text, want := range map[string]trip.Pace{
		"the second one is too packed": trip.Relaxed, "it's too busy for us": trip.Relaxed,
		"too slow for me":                     trip.Packed,
		"can the second one be less crammed?": trip.Relaxed, "not relaxed enough": trip.Relaxed,
	} {
		if got := reading.Read(text, at); got.Intent != reading.Plan || got.Update.Pace != want {
			t.Errorf("%q: %s, pace %q, want %q", text, got.Intent, got.Update.Pace, want)
		}
	}
	for text, want := range map[string]reading.Intent{
		"how much is the flight alone?": reading.Why, "what does the hotel cost in the first one?": reading.Why,
		"which one has the best food?": reading.Compare, "which is the cheapest?": reading.Compare,
		"who else can see this?": reading.Unshare, // the list of links, each with its end
	} {
		if got := reading.Read(text, at); got.Intent != want || got.Rest != "" {
			t.Errorf("%q: %+v, want %s", text, got, want)
		}
	}
}
