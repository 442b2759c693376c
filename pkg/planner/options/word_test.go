package options_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// object is a JSON object of a model's answer.
type object = map[string]any

// briefOf returns what a request says of its option.
func briefOf(r llm.Request) (brief struct {
	OptionID string `json:"optionId"`
	Title    string `json:"title"`
	Days     []struct {
		Things []string `json:"things"`
	} `json:"days"`
	OpenDays []int `json:"openDays"`
}) {
	_ = json.Unmarshal([]byte(r.Messages[1].Text), &brief)
	return brief
}

// good is an answer to a request that the option backs.
func good(r llm.Request) object {
	b := briefOf(r)
	titles, notes := []string{}, []string{}
	for range b.Days {
		titles, notes = append(titles, "A day in the city"), append(notes, "")
	}
	return object{"mode": "FINALIZE", "optionId": b.OptionID, "title": map[string]string{"opt-1": "Quiet days",
		"opt-2": "Slow days", "opt-3": "Full days"}[b.OptionID],
		"description": "Quiet days in Boston.", "highlights": []string{}, "dayTitles": titles, "dayNotes": notes,
		"tags": []string{}, "proposals": []object{}}
}

// model answers by a function of the request and how many calls there were for its option
// before.
func model(answer func(r llm.Request, before int) (object, error)) (structured.Ask, func() int) {
	var mu sync.Mutex
	calls, all := map[string]int{}, 0
	return func(_ context.Context, r llm.Request) (llm.Answer, error) {
			mu.Lock()
			id := briefOf(r).OptionID
			before := calls[id]
			calls[id]++
			all++
			mu.Unlock()
			o, err := answer(r, before)
			if err != nil {
				return llm.Answer{}, err
			}
			text, err := json.Marshal(o)
			return llm.Answer{Text: string(text), Finish: llm.Stopped}, err
		}, func() int {
			mu.Lock()
			defer mu.Unlock()
			return all
		}
}

// S4-11: an answer of another mode is corrected, and one that stays wrong leaves the words
// by rules.
func TestAModelMayCorrectItsMode(t *testing.T) {
	t.Parallel()
	c := boston()
	set := options.Compose(c, research(c), guide.Of, today())
	before, _ := json.Marshal(set)
	ask, calls := model(func(r llm.Request, before int) (object, error) {
		a := good(r)
		a["title"] = briefOf(r).Title
		if last := r.Messages[len(r.Messages)-1]; before > 0 && !strings.Contains(last.Text, "FINALIZE") {
			return nil, errors.New("the model was not told which mode is meant")
		}
		if before == 0 || a["optionId"] == "opt-2" {
			a["mode"] = "CLARIFY"
		}
		return a, nil
	})
	got := options.Word(t.Context(), ask, c, set)
	if n := calls(); n != 2+3+2 {
		t.Errorf("%d calls, want one correction for two options and two for the other", n)
	}
	if got.Options[0].Description != "Quiet days in Boston." ||
		got.Options[1].Description != set.Options[1].Description {
		t.Errorf("the descriptions are %q and %q", got.Options[0].Description, got.Options[1].Description)
	}
	if !slices.Contains(got.Degraded, options.WordsByRules) {
		t.Errorf("degraded is %v", got.Degraded)
	}
	if after, _ := json.Marshal(set); string(after) != string(before) {
		t.Error("the set that was given changed")
	}
}

// The options are worded at the same time.
func TestOptionsAreWordedAtTheSameTime(t *testing.T) {
	t.Parallel()
	c := boston()
	set := options.Compose(c, research(c), guide.Of, today())
	var all sync.WaitGroup
	all.Add(len(set.Options))
	ask, calls := model(func(r llm.Request, _ int) (object, error) {
		all.Done()
		all.Wait() // for the calls of the others
		return good(r), nil
	})
	got := options.Word(t.Context(), ask, c, set)
	if calls() != 3 || len(got.Degraded) > 0 {
		t.Errorf("%d calls, degraded %v", calls(), got.Degraded)
	}
	if !strings.Contains(got.ComparisonNote, "Slow days fits your mid budget") {
		t.Errorf("the note is %q", got.ComparisonNote)
	}
}

// Words bring no figure, no name and no promise that the option does not have, and change
// nothing else of it.
func TestWordsStayWithinTheOption(t *testing.T) {
	t.Parallel()
	c := boston()
	set := options.Compose(c, research(c), guide.Of, today())
	tests := map[string]string{
		"backed":            "You walk the Freedom Trail on day 2.",
		"another place":     "You climb the Prudential Spire.",
		"a price":           "Tickets cost $999.",
		"a figure":          "It has 7316 steps.",
		"a promise":         "Your table is booked.",
		"free entry":        "There is free entry everywhere.",
		"an address":        "See www.example.com for more.",
		"markup":            "A <b>quiet</b> day.",
		"markdown":          "A **quiet** day.",
		"a name at first":   "Fenwickshire is near.",
		"digits of another": "It takes ٧ hours.",
	}
	for name, sentence := range tests {
		ask, _ := model(func(r llm.Request, _ int) (object, error) {
			a := good(r)
			a["description"] = "Quiet days in Boston. " + sentence
			a["highlights"] = []string{sentence, "Quiet mornings", "Long lunches"}
			a["dayNotes"].([]string)[1] = sentence
			return a, nil
		})
		got := options.Word(t.Context(), ask, c, set).Options[1]
		if kept := strings.Contains(got.Description, sentence); kept != (name == "backed") ||
			!strings.HasPrefix(got.Description, "Quiet") {
			t.Errorf("%s: the description is %q", name, got.Description)
		}
		if kept := got.Itinerary.Days[1].Note != ""; kept != (name == "backed") {
			t.Errorf("%s: the note is %q", name, got.Itinerary.Days[1].Note)
		}
		if kept := len(got.Highlights) == 3; kept != (name == "backed") {
			t.Errorf("%s: the highlights are %q", name, got.Highlights)
		}
		got.Title, got.Description, got.Highlights, got.Tags = "", "", nil, nil
		want := set.Options[1]
		want.Title, want.Description, want.Highlights, want.Tags = "", "", nil, nil
		want.Itinerary.Days = slices.Clone(want.Itinerary.Days)
		for i := range want.Itinerary.Days {
			want.Itinerary.Days[i].Title, want.Itinerary.Days[i].Note = got.Itinerary.Days[i].Title,
				got.Itinerary.Days[i].Note
		}
		if diff := cmp.Diff(toJSON(want), toJSON(got)); diff != "" {
			t.Errorf("%s: the words changed the option: %s", name, diff)
		}
	}
}

func toJSON(v any) string {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Titles tell options apart, whatever the model says.
func TestTitlesDiffer(t *testing.T) {
	t.Parallel()
	c := boston()
	set := options.Compose(c, research(c), guide.Of, today())
	ask, _ := model(func(r llm.Request, _ int) (object, error) {
		a := good(r)
		a["title"] = "The same for all"
		return a, nil
	})
	var titles []string
	for _, o := range options.Word(t.Context(), ask, c, set).Options {
		if slices.Contains(titles, o.Title) {
			t.Errorf("two options are called %q", o.Title)
		}
		titles = append(titles, o.Title)
	}
}

// What a model proposes for days on which nothing is listed says that it was not checked.
func TestProposalsFillOpenDays(t *testing.T) {
	t.Parallel()
	c := boston()
	c.Destinations = []trip.Place{{Name: "Lindau", Country: "DE", Zone: "Europe/Berlin"}}
	c.MustDos = nil
	found := unlisted(c)
	set := options.Compose(c, found, guide.Of, today())
	if len(set.Options) < 2 || !slices.Contains(set.Degraded, options.NoSights) {
		t.Fatalf("%d options, degraded %v", len(set.Options), set.Degraded)
	}
	ask, _ := model(func(r llm.Request, _ int) (object, error) {
		a := good(r)
		a["proposals"] = []object{
			{"day": 2, "name": "Harbour lighthouse", "area": "Harbour", "minutes": 45, "note": ""},
			{"day": 2, "name": "Harbour Lighthouse", "area": "", "minutes": 45, "note": ""},
			{"day": 99, "name": "Nothing", "area": "", "minutes": 1, "note": ""},
			{"day": 2, "name": "see http://example.com", "area": "", "minutes": 1, "note": ""}}
		return a, nil
	})
	for _, o := range options.Word(t.Context(), ask, c, set).Options {
		day := o.Itinerary.Days[1]
		if len(day.Activities) != 1 || day.Activities[0].Source != specialists.Model ||
			!strings.Contains(day.Activities[0].Detail, "not checked") {
			t.Errorf("the day has %+v", day.Activities)
		}
		if !strings.Contains(strings.Join(o.Gaps, " "), "Harbour lighthouse") {
			t.Errorf("no gap says that its price is not known: %v", o.Gaps)
		}
	}
}

// unlisted answers as specialists that know a place only from a model.
func unlisted(c trip.Context) []specialists.Output {
	city := c.Destinations[0].Name
	price := func(from, to int, per specialists.Per) *specialists.Cost {
		return &specialists.Cost{From: euro(from), To: euro(to), Currency: "EUR", Per: per, Source: specialists.Model}
	}
	stay := func(code string, tier trip.Budget, kind string, from int) specialists.Recommendation {
		return specialists.Recommendation{Code: code, Source: specialists.Model, Tier: tier, City: city, Name: kind +
			" " + code,
			Type: kind, Cost: price(from, from*2, specialists.PerNight)}
	}
	var food []specialists.Recommendation
	for i, tier := range []trip.Budget{trip.Low, trip.Mid, trip.High} {
		for k, meal := range []string{"breakfast", "lunch", "dinner"} {
			code := "F" + string(rune('1'+3*i+k))
			food = append(food, specialists.Recommendation{Code: code, Source: specialists.Model, Tier: tier,
				City: city,
				Name: "Place " + code, MealType: meal, Cost: price(10*(i+1), 20*(i+1), specialists.PerPerson)})
		}
	}
	return []specialists.Output{
		{Agent: "TransportAgent", Recommendations: []specialists.Recommendation{{Code: "T1", Source: specialists.Model,
			City: city,
			Name: "Train", Option: "Train", Mode: "train", Route: c.Origin.Name + " → " + city, Minutes: 700,
			Back: true,
			Cost: price(200, 300, specialists.PerPerson)}}},
		{Agent: "StayAgent", Recommendations: []specialists.Recommendation{stay("S1", trip.Low, "Hostel", 40),
			stay("S2", trip.Mid, "Guesthouse", 90), stay("S3", trip.High, "Hotel", 200)}},
		{Agent: "FoodAgent", Recommendations: food}}
}
