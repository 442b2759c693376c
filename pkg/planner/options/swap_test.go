package options_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// swap swaps in the option in the middle of Boston's.
func swap(t *testing.T, s options.SwapRequest) (before, after options.Option) {
	t.Helper()
	c := boston()
	found := research(c)
	set := options.Compose(c, found, guide.Of, today())
	was := toJSON(set)
	got, err := options.Swap(c, set, "opt-2", s, found, guide.Of)
	if err != nil {
		t.Fatal(err)
	}
	if toJSON(set) != was {
		t.Error("the set that was given changed")
	}
	if toJSON(got.Options[0]) != toJSON(set.Options[0]) || toJSON(got.Options[2]) != toJSON(set.Options[2]) {
		t.Error("another option changed")
	}
	if problems := check(c, found, got); len(problems) > 0 {
		t.Error(strings.Join(problems, "\n"))
	}
	return set.Options[1], got.Options[1]
}

// names returns the names of entries.
func names(list []options.Entry) (n []string) {
	for _, e := range list {
		n = append(n, e.Name)
	}
	return n
}

func TestAnotherPlaceToStay(t *testing.T) {
	t.Parallel()
	before, _ := swap(t, options.SwapRequest{What: options.SwapStay})
	with := before.Itinerary.AlternativeOptions.Stays[0]
	before, after := swap(t, options.SwapRequest{What: options.SwapStay, With: with.Code})
	for i, d := range after.Itinerary.Days {
		was := before.Itinerary.Days[i]
		if d.Accommodation != nil && d.Accommodation.Name != with.Name {
			t.Errorf("day %d is at %s, want %s", d.Number, d.Accommodation.Name, with.Name)
		}
		a, b := names(was.Activities), names(d.Activities)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("day %d has %v, before %v", d.Number, b, a)
		}
	}
	old := before.Itinerary.Days[0].Accommodation.Name
	if strings.Contains(after.Description, old) || !slices.ContainsFunc(after.Itinerary.AlternativeOptions.Stays,
		func(r specialists.Recommendation) bool { return r.Name == old }) {
		t.Errorf("%s is in %q, or not among the alternatives", old, after.Description)
	}
	if toJSON(before.Totals) == toJSON(after.Totals) {
		t.Error("the total stayed as it was")
	}
}

func TestAnotherPlaceToEat(t *testing.T) {
	t.Parallel()
	before, after := swap(t, options.SwapRequest{What: options.SwapMeal, Day: 2, Meal: "dinner"})
	at := func(o options.Option, meal string) string {
		for _, m := range o.Itinerary.Days[1].Meals {
			if m.Kind == meal {
				return m.Name
			}
		}
		return ""
	}
	if at(before, "dinner") == at(after, "dinner") || at(after, "dinner") == "" ||
		at(before, "lunch") != at(after, "lunch") {
		t.Errorf("dinner was at %s and is at %s, lunch at %s and %s", at(before, "dinner"), at(after, "dinner"),
			at(before, "lunch"), at(after, "lunch"))
	}
}

// Another day keeps what the person asked for, and has nothing that other days have.
func TestSomethingElseOnADay(t *testing.T) {
	t.Parallel()
	for day := 2; day <= 3; day++ {
		before, after := swap(t, options.SwapRequest{What: options.SwapDay, Day: day})
		same := 0
		for _, a := range after.Itinerary.Days[day-1].Activities {
			if slices.Contains(names(before.Itinerary.Days[day-1].Activities), a.Name) && a.MustDo == "" {
				same++
			}
		}
		if same > 0 || len(after.Itinerary.Days[day-1].Activities) == 0 {
			t.Errorf("day %d has %v, before %v", day, names(after.Itinerary.Days[day-1].Activities),
				names(before.Itinerary.Days[day-1].Activities))
		}
	}
}

// A swapped journey is paid in the place of the other.
func TestAnotherJourney(t *testing.T) {
	t.Parallel()
	c := boston()
	origin := place("New York")
	c.Origin = &origin
	found := research(c)
	set := options.Compose(c, found, guide.Of, today())
	got, err := options.Swap(c, set, "opt-1", options.SwapRequest{What: options.SwapTransport, Day: 1}, found,
		guide.Of)
	if err != nil {
		t.Fatal(err)
	}
	was, is := set.Options[0].Itinerary.Days[0].Transport[0], got.Options[0].Itinerary.Days[0].Transport[0]
	if was.Code == is.Code || toJSON(set.Options[0].Totals) == toJSON(got.Options[0].Totals) {
		t.Errorf("the journey was %s and is %s", was.Name, is.Name)
	}
	if problems := check(c, found, got); len(problems) > 0 {
		t.Error(strings.Join(problems, "\n"))
	}
}

// What cannot be swapped is an error for people, of a kind and with a code.
func TestWhatCannotBeSwapped(t *testing.T) {
	t.Parallel()
	c := boston()
	found := research(c)
	alone := slices.Clone(found)
	set := options.Compose(c, found, guide.Of, today())
	alone[1].Recommendations = slices.DeleteFunc(slices.Clone(alone[1].Recommendations),
		func(r specialists.Recommendation) bool {
			return r.Code != set.Options[0].Itinerary.Days[0].Accommodation.Code
		})
	tests := map[string]struct {
		option string
		s      options.SwapRequest
		found  []specialists.Output
		code   string
		kind   fault.Kind
	}{
		"no option": {"opt-9", options.SwapRequest{What: options.SwapStay}, found, "", fault.NotFound},
		"no day":    {"opt-1", options.SwapRequest{What: options.SwapDay, Day: 9}, found, "", fault.NotFound},
		"which day": {"opt-1", options.SwapRequest{What: options.SwapDay}, found, "", fault.Invalid},
		"no other hotel": {"opt-1", options.SwapRequest{What: options.SwapStay}, alone, options.CodeNoOther,
			fault.NotFound},
		"unknown hotel": {"opt-1", options.SwapRequest{What: options.SwapStay, With: "S99"}, found, "",
			fault.NotFound},
		"no such meal": {"opt-1", options.SwapRequest{What: options.SwapMeal, Day: 1, Meal: "breakfast"}, found, "",
			fault.NotFound},
		"something else": {"opt-1", options.SwapRequest{What: "mood"}, found, "", fault.Invalid},
		"a negative day": {"opt-1", options.SwapRequest{What: options.SwapDay, Day: -1}, found, "", fault.NotFound},
		"no such journey": {"opt-1", options.SwapRequest{What: options.SwapTransport}, found, options.CodeNoOther,
			fault.NotFound},
	}
	for name, tt := range tests {
		_, err := options.Swap(c, set, tt.option, tt.s, tt.found, guide.Of)
		f := fault.From(err)
		if err == nil || f.Kind != tt.kind || tt.code != "" && f.Code != tt.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSwapsHoldForAnyTrip shows that what holds for options holds after swaps.
func TestSwapsHoldForAnyTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 43))
	swapped := 0
	for n := range 100 {
		c, found := randomTrip(r)
		set := options.Compose(c, found, guide.Of, today())
		for range 3 {
			o := set.Options[r.IntN(len(set.Options))]
			s := options.SwapRequest{Day: r.IntN(c.Dates.Days() + 1), Meal: []string{"", "lunch"}[r.IntN(2)],
				What: []options.Swapped{options.SwapStay, options.SwapTransport, options.SwapMeal,
					options.SwapDay}[r.IntN(4)]}
			got, err := options.Swap(c, set, o.ID, s, found, guide.Of)
			if err != nil {
				if f := fault.From(err); f.Kind != fault.NotFound && f.Kind != fault.Invalid {
					t.Fatalf("trip %d, %+v: %v", n, s, err)
				}
				continue
			}
			swapped++
			for _, o := range got.Options {
				if p := slices.Concat(checkDays(c, o), checkClosed(found, o), checkCosts(c, found, o),
					checkWishes(c, o)); len(p) > 0 {
					t.Fatalf("trip %d, %+v, %+v: %s", n, c, s, strings.Join(p, "\n"))
				}
			}
			set = got
		}
	}
	if swapped < 120 {
		t.Errorf("only %d swaps of 300", swapped)
	}
}

// S4-33: an option becomes items of an itinerary, all of it, with the zones of its cities.
func TestItemsOfAnOption(t *testing.T) {
	t.Parallel()
	c := boston()
	found := withFlight(research(c))
	o := options.Compose(c, found, guide.Of, today()).Options[1]
	items := options.Items(o, c)
	var lines []string
	for _, i := range items {
		lines = append(lines, fmt.Sprintf("%s %s %s %s/%s %s %v", i.Type, i.Starts, i.Ends, i.StartZone, i.EndZone,
			i.Title, i.AllDay))
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{
		"flight 2027-02-12T11:15 2027-02-12T14:05 Europe/London/America/New_York Flight London → Boston, British " +
			"Airways false",
		"flight 2027-02-15T19:10 2027-02-16T06:40 America/New_York/Europe/London Flight Boston → London, British " +
			"Airways false",
		"hotel 2027-02-12T00:00 2027-02-15T00:00 America/New_York/America/New_York " +
			o.Itinerary.Days[0].Accommodation.Name + " true",
		"Freedom Trail false",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not among\n%s", want, text)
		}
	}
	things := 3
	for _, d := range o.Itinerary.Days {
		things += len(d.Meals) + len(d.Activities)
	}
	prices := 0
	for _, i := range items {
		if i.Price != nil {
			prices++
			if i.Type != itinerary.Flight || i.Price.String() != "£612.00" {
				t.Errorf("%s costs %s", i.Title, i.Price)
			}
		}
	}
	if prices != 1 {
		t.Errorf("%d items have a price, want the flight there, which is that of both ways", prices)
	}
	if len(items) != things {
		t.Errorf("%d items of %d things", len(items), things)
	}
	if toJSON(options.Items(o, c)) != toJSON(items) {
		t.Error("the same option gives other items")
	}
}

// withFlight adds a live flight from London.
func withFlight(found []specialists.Output) []specialists.Output {
	p := euro(612)
	found[0].Recommendations = append(found[0].Recommendations, specialists.Recommendation{Code: "T99",
		Source: specialists.Live,
		City:   "Boston", Name: "Flight with British Airways", Option: "Flight", Mode: "flight",
		Provider: "British Airways",
		Route:    "London → Boston", Back: true, Minutes: 470, Departs: "2027-02-12T11:15",
		Arrives:     "2027-02-12T14:05",
		BackDeparts: "2027-02-15T19:10", BackArrives: "2027-02-16T06:40",
		Cost: &specialists.Cost{From: p, To: p, Currency: "GBP", Per: specialists.PerGroup, Source: specialists.Live}})
	return found
}

// S4-43: the card has all options with their alternatives, shares of one scale, and the
// calls that select them.
func TestTheCardOfOptions(t *testing.T) {
	t.Parallel()
	c := boston()
	set := options.Compose(c, withFlight(research(c)), guide.Of, today())
	p := options.View(options.Viewed{Trip: "TR-0001", Run: 4, Context: c, Set: set, Selected: "opt-2"})
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	if p.Detail != c.Detail() || len(p.Differs) != 5 || p.Note == "" {
		t.Errorf("the card is %q, %q, %v", p.Detail, p.Note, p.Differs)
	}
	widest := 0.0
	for _, o := range p.Options {
		sum := 0.0
		for _, cost := range o.Costs {
			if cost.From > cost.To {
				t.Errorf("%s: %s is from %f to %f", o.ID, cost.Label, cost.From, cost.To)
			}
			sum += cost.To
		}
		widest = max(widest, sum)
		if selected := o.ID == "opt-2"; selected == (len(o.Do) > 0) {
			t.Errorf("%s has the calls %v", o.ID, o.Do)
		}
		if len(o.Days) != 4 || len(o.Stays) == 0 || len(o.Dining) == 0 || o.Stays[0].Code == "" ||
			o.Dining[0].Meal == "" {
			t.Errorf("%s has %d days and the alternatives %v, %v", o.ID, len(o.Days), o.Stays, o.Dining)
		}
	}
	if widest < 0.99 || widest > 1.01 {
		t.Errorf("the longest bar is %f of the scale", widest)
	}
}

// What takes the place may be named as people do.
func TestSwapsByName(t *testing.T) {
	t.Parallel()
	c := boston()
	found := research(c)
	set := options.Compose(c, found, guide.Of, today())
	with := set.Options[1].Itinerary.AlternativeOptions.Stays[0].Name
	got, err := options.Swap(c, set, "opt-2", options.SwapRequest{What: options.SwapStay,
		With: strings.ToUpper("the " + with)},
		found, guide.Of)
	if err != nil || got.Options[1].Itinerary.Days[0].Accommodation.Name != with {
		t.Fatalf("%v, want %s", err, with)
	}
	for _, tt := range []struct{ with, says string }{{"Grand Nowhere", "There are "}, {"Boston", "Say which one."}} {
		_, err := options.Swap(c, set, "opt-2", options.SwapRequest{What: options.SwapStay, With: tt.with}, found,
			guide.Of)
		if !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.with, err)
		}
	}
}

// The items of a day on a card are in the order of the clock, a price that is for both ways
// stands once, and the card of a long weekend fits a part.
func TestTheCardIsInOrder(t *testing.T) {
	t.Parallel()
	c := boston()
	r := specialists.New(specialists.Config{Now: func() time.Time { return today().Time() }})
	var found []specialists.Output
	for _, task := range specialists.Tasks(c) {
		found = append(found, r.Research(t.Context(), identity.Caller{}, task, c))
	}
	found[0].Recommendations = slices.DeleteFunc(found[0].Recommendations,
		func(r specialists.Recommendation) bool { return r.Error != "" })
	p := options.View(options.Viewed{Trip: "TR-0001", Run: 1, Context: c,
		Set: options.Compose(c, specialists.InCurrency(withFlight(found), "GBP"), guide.Of, today())})
	for _, o := range p.Options {
		prices := 0
		for _, d := range o.Days {
			last := ""
			for _, i := range d.Items {
				if i.Kind == "stay" {
					continue
				}
				if i.From < last {
					t.Errorf("%s, day %d: %s at %s stands after %s", o.ID, d.Number, i.Title, i.From, last)
				}
				last = i.From
				if i.Kind == "transport" && i.Cost != "" {
					prices++
				}
				if utf8.RuneCountInString(i.Detail) > 80 {
					t.Errorf("a detail is %q", i.Detail)
				}
			}
		}
		if prices != 1 {
			t.Errorf("%s: the price of the flight stands %d times", o.ID, prices)
		}
	}
	if size := len(toCompact(p)) + len(p.Text()); size > part.Limit {
		t.Errorf("the card has %d bytes of at most %d", size, part.Limit)
	}
}

// Totals of several currencies are said as an approximation, and exactly beside it.
func TestTotalsOfSeveralCurrencies(t *testing.T) {
	t.Parallel()
	c := boston()
	found := withFlight(research(c))
	for i, r := range found[1].Recommendations {
		cost := *r.Cost
		cost.From, cost.To, cost.Currency, cost.Source = euro(100), euro(120), "USD", specialists.Live
		found[1].Recommendations[i].Cost = &cost
	}
	set := compose(t, c, found)
	for i, o := range options.View(options.Viewed{Trip: "TR-0001", Context: c, Set: set}).Options {
		if !strings.HasPrefix(o.Total, "about £") || !strings.Contains(o.Exact, " + $300–360") ||
			len(set.Options[i].Totals) != 2 {
			t.Errorf("%s costs %q, exactly %q", o.ID, o.Total, o.Exact)
		}
	}
	if !strings.Contains(strings.Join(set.Assumptions, "\n"), "at approximate rates of "+guide.RatesDate()) {
		t.Errorf("the assumptions are %q", set.Assumptions)
	}
}

func toCompact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
