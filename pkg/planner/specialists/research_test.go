package specialists_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Real prices come first and stay as they are sold; typical ones of the guide follow.
// S4-17
func TestLivePricesComeBeforeListedOnes(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	c := journey(t, "London", "Boston")
	for i, f := range all(t, cfg, c) {
		s := trip.Specialists()[i]
		if f.Task.Specialist != s || f.TaskID != f.Task.ID || missing(f.Output) != "" {
			t.Errorf("output %d is of %s, %s, %s", i, f.Task.Specialist, f.TaskID, missing(f.Output))
		}
		if s != trip.Food && len(pick(f.Output, of(specialists.Live))) < 2 {
			t.Errorf("%s has %d recommendations", s, len(f.Recommendations))
		}
		listed := false
		for _, r := range f.Recommendations {
			listed = listed || r.Source == specialists.Listed
			if r.Source == specialists.Live &&
				(listed || r.Cost.From.Cmp(r.Cost.To) != 0 || r.Cost.Per != specialists.PerGroup) {
				t.Errorf("%s: %+v", r.Code, r.Cost)
			}
			if r.Source == specialists.Listed && r.Cost != nil && r.Cost.Currency != "GBP" {
				t.Errorf("%s is in %s", r.Code, r.Cost.Currency)
			}
		}
		if !listed || !strings.Contains(strings.Join(f.Assumptions, " "), "converted to GBP") {
			t.Errorf("%s: listed %t, %q", s, listed, f.Assumptions)
		}
	}
}

// Specialists of one turn are at work at the same time and know nothing of each other.
// S4-17
func TestSpecialistsWorkAtTheSameTime(t *testing.T) {
	t.Parallel()
	m := &model{answers: map[string][]string{"TransportAgent": {answer(t, "TransportAgent")},
		"StayAgent": {answer(t, "StayAgent")}, "FoodAgent": {answer(t, "FoodAgent")}}}
	var asking sync.WaitGroup
	asking.Add(3)
	cfg := specialists.Config{Now: now,
		Model: func(ctx context.Context, r llm.Request) (llm.Answer, error) {
			asking.Done()
			asking.Wait() // none goes on before all three have asked
			return m.ask(ctx, r)
		}}
	for i, f := range all(t, cfg, journey(t, "London", "Boston")) {
		if f.Task.Specialist != trip.Specialists()[i] || f.TaskID != f.Task.ID ||
			f.Agent != []string{"TransportAgent", "StayAgent", "FoodAgent"}[i] {
			t.Errorf("output %d is of %s: %s", i, f.Task.Specialist, f.Agent)
		}
	}
	if len(m.asked) != 3 {
		t.Errorf("%d calls", len(m.asked))
	}
}

// Two specialists that fail leave the third. S4-22
func TestTwoSpecialistsFail(t *testing.T) {
	t.Parallel()
	m := &model{answers: map[string][]string{"StayAgent": {answer(t, "StayAgent", map[string]any{"city": "Ulm",
		"name": "A house", "costFrom": "80", "costTo": "100"})}}}
	c := journey(t, "London", "Ulm")
	outputs := all(t, specialists.Config{Now: now, Model: m.ask}, c)
	for i, failed := range []bool{true, false, true} {
		if outputs[i].Failed() != failed || (missing(outputs[i].Output) != "") != failed {
			t.Errorf("%s: %+v", outputs[i].Task.Specialist, outputs[i].Output)
		}
	}
	if r := outputs[1].Recommendations[0]; r.EstimatedCost != "£80–100 per night" || r.Source != specialists.Model {
		t.Errorf("the stay is %+v", r)
	}
}

// Costs that are not live are in the currency of live flights, of live stays, of the
// person's limit, of the origin's country, of the destination's. Live ones stay.
func TestCurrency(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	noFlights, none := specialists.Config{Now: now, Stays: cfg.Stays}, specialists.Config{Now: now}
	limit := money.Price{Amount: money.MustParse("1500"), Currency: "CZK"}
	for name, test := range map[string]struct {
		with specialists.Config
		from string
		most *money.Price
		want string
	}{
		"live flights":   {cfg, "London", &limit, "GBP"},
		"live stays":     {noFlights, "London", &limit, "USD"},
		"limit":          {none, "London", &limit, "CZK"},
		"origin":         {none, "Lisbon", nil, "EUR"},
		"destination":    {none, "", nil, "USD"},
		"unknown origin": {none, "Reykjavik", nil, "USD"}, // the guide has no rate for its króna
	} {
		c := journey(t, test.from, "Boston")
		c.Most, c.LocalOnly = test.most, test.from == ""
		outputs := []specialists.Output{}
		for _, f := range all(t, test.with, c) {
			outputs = append(outputs, f.Output)
			for _, r := range f.Recommendations {
				if r.Cost != nil && r.Source == specialists.Listed && r.Cost.Currency != test.want {
					t.Errorf("%s: %s is in %s", name, r.Name, r.Cost.Currency)
				}
				if r.Source == specialists.Live && r.Name != "" && f.Task.Specialist == trip.Stay &&
					r.Cost.Currency != "USD" {
					t.Errorf("%s: the live %s is in %s", name, r.Name, r.Cost.Currency)
				}
			}
			said := strings.Contains(strings.Join(f.Assumptions, " "), "Prices in USD are converted to "+test.want+
				" at approximate rates of "+guide.RatesDate())
			if said != (test.want != "USD") {
				t.Errorf("%s: assumptions are %q", name, f.Assumptions)
			}
		}
		if got := specialists.Currency(c, outputs); got != test.want && name != "unknown origin" {
			t.Errorf("%s: the currency is %s", name, got)
		}
	}
}

// Hotels of a supplier are divided by price into tiers; the price is for all nights and
// rooms. S4-20
func TestLiveHotels(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	c := journey(t, "", "Boston")
	c.LocalOnly, c.Travellers = true, &trip.Travellers{Adults: 4}
	o := researched(t, cfg, c, trip.Stay)
	live := pick(o, of(specialists.Live))
	most := map[trip.Budget]money.Amount{}
	for _, r := range live {
		if r.City != "Boston" || r.Name == "" || r.Type == "" || r.Lat == 0 || r.RoomType != "2 rooms, 3 nights" ||
			r.Cost.Per != specialists.PerGroup || r.Address == "" {
			t.Errorf("a hotel is %+v", r)
		}
		if r.Cost.From.Cmp(most[r.Tier]) > 0 {
			most[r.Tier] = r.Cost.From
		}
	}
	if len(live) != 6 || most[trip.Low].Cmp(most[trip.Mid]) > 0 || most[trip.Mid].Cmp(most[trip.High]) > 0 {
		t.Errorf("%d hotels, the dearest of each tier are %v", len(live), most)
	}
	if !slices.Contains(o.Assumptions, "2 rooms for 4 travellers.") {
		t.Errorf("assumptions are %q", o.Assumptions)
	}
	// One alone is listed a bed where there are dormitories.
	c.Travellers = &trip.Travellers{Adults: 1}
	o = researched(t, specialists.Config{Now: now}, c, trip.Stay)
	if r := o.Recommendations[0]; r.RoomType != "Bed in a dormitory" || r.EstimatedCost != "$40–60 per night" {
		t.Errorf("it is %+v", r)
	}
}

// What the guide says of stairs and of shared rooms counts for who cannot have them.
func TestConstraintsOfStays(t *testing.T) {
	t.Parallel()
	c := journey(t, "", "Lisbon")
	for text, gone := range map[string]string{"step-free please": "Guesthouse in Alfama",
		"no hostels": "Home Lisbon Hostel",
		"no flights": ""} {
		c.Constraints = []string{text}
		o := researched(t, specialists.Config{Now: now}, c, trip.Stay)
		for _, name := range []string{"Guesthouse in Alfama", "Home Lisbon Hostel"} {
			there := len(pick(o, func(r specialists.Recommendation) bool { return r.Name == name })) > 0
			if there == (name == gone) {
				t.Errorf("%q: %s is there: %t", text, name, there)
			}
		}
		asks := strings.Contains(strings.Join(o.Recommendations[0].Cons, " "), "step-free")
		if asks != strings.Contains(text, "step") {
			t.Errorf("%q: %q", text, o.Recommendations[0].Cons)
		}
	}
	if o := researched(t, specialists.Config{Now: now}, c, trip.Stay); !slices.Contains(o.Assumptions,
		"No live hotel prices are shown: no supplier is set up.") {
		t.Errorf("assumptions are %q", o.Assumptions)
	}
}

// gate is a supplier of flights that answers after something else has happened.
type gate struct {
	flights.Supplier
	wait, done chan struct{}
}

func (g gate) Search(ctx context.Context, by identity.Caller, q flights.Query) (flights.Found, error) {
	if g.wait != nil {
		<-g.wait
	}
	found, err := g.Supplier.Search(ctx, by, q)
	if g.done != nil {
		close(g.done)
	}
	return found, err
}

// The same sources make the same output, whichever of them answers first.
func TestTheOrderOfAnswersDoesNotMatter(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	c := journey(t, "London", "Lisbon")
	text := answer(t, "TransportAgent", map[string]any{"city": "Lisbon", "option": "Train", "costTo": "400",
		"back": true},
		map[string]any{"city": "Lisbon", "option": "Flight", "mode": "flight", "costTo": "1"})
	var outputs []string
	for _, modelFirst := range []bool{true, false} {
		answered := make(chan struct{})
		m := &model{answers: map[string][]string{"TransportAgent": {text}}}
		with := specialists.Config{Now: now, Model: m.ask, Flights: gate{Supplier: cfg.Flights, done: answered}}
		if modelFirst {
			with.Flights = gate{Supplier: cfg.Flights, wait: answered}
		}
		with.Model = func(ctx context.Context, r llm.Request) (llm.Answer, error) {
			if !modelFirst {
				<-answered
				return m.ask(ctx, r)
			}
			defer close(answered)
			return m.ask(ctx, r)
		}
		got, err := json.Marshal(researched(t, with, c, trip.Transport))
		if err != nil {
			t.Fatal(err)
		}
		outputs = append(outputs, string(got))
	}
	if outputs[0] != outputs[1] || strings.Count(outputs[0], `"mode":"train"`) != 1 ||
		strings.Contains(outputs[0], `"option":"Flight"`) {
		t.Errorf("the outputs are\n%s\n%s", outputs[0], outputs[1])
	}
}

// Whatever a trip is like, its research keeps to it: codes that are there once, costs that
// are in order, cities of the trip, and a size that can be kept with a run.
func TestRandomTrips(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	random := rand.New(rand.NewPCG(17, 22))
	cities := []string{"Boston", "Lisbon", "London", "New York", "Ulm", "Kyoto"}
	for n := range 40 {
		random.Shuffle(len(cities), func(i, j int) { cities[i], cities[j] = cities[j], cities[i] })
		c := journey(t, cities[0], cities[1:2+random.IntN(4)]...)
		c.Dates.Start = date(t, "2026-12-01").AddDays(random.IntN(300))
		c.Dates.End = c.Dates.Start.AddDays(len(c.Destinations) + random.IntN(8))
		c.Travellers = &trip.Travellers{Adults: 1 + random.IntN(12), Children: make([]int, random.IntN(3))}
		c.LocalOnly, c.OwnCar = random.IntN(5) == 0, random.IntN(3) == 0
		with := specialists.Config{Now: now}
		if n%4 == 0 { // the protocol takes its time
			with = cfg
		}
		names := map[string]bool{cities[0]: true}
		for _, p := range c.Destinations {
			names[p.Name] = true
		}
		size := 0
		for _, f := range all(t, with, c) {
			codes := map[string]bool{}
			for _, r := range f.Recommendations {
				if r.Error != "" {
					if r.Message == "" || r.Code != "" {
						t.Errorf("%+v", r)
					}
					continue
				}
				if codes[r.Code] || r.Code == "" || r.Name == "" || !names[r.City] {
					t.Errorf("%s: %+v", f.Agent, r)
				}
				codes[r.Code] = true
				if k := r.Cost; k != nil && (k.From.Negative() || k.From.Cmp(k.To) > 0 || len(k.Currency) != 3 ||
					k.Source != r.Source || r.EstimatedCost == "") {
					t.Errorf("%s costs %+v", r.Name, k)
				}
			}
			text, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			size += len(text)
		}
		if size > 120<<10 {
			t.Errorf("%d destinations make %d bytes", len(c.Destinations), size)
		}
	}
}

// Costs are said in the digits of their currency, cents only where there are some.
func TestCostsInWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to, currency string
		per                specialists.Per
		want               string
	}{
		{"24", "30", "EUR", specialists.PerPerson, "€24–30 per person"},
		{"412.4", "412.4", "GBP", specialists.PerGroup, "£412.40 in all"},
		{"1.5", "3", "EUR", specialists.PerDay, "€1.50–3.00 per day and person"},
		{"12000", "30000", "JPY", specialists.PerNight, "¥12,000–30,000 per night"},
		{"3", "5", "KWD", specialists.PerPerson, "KWD 3–5 per person"},
		{"120000", "200000.5", "INR", specialists.PerGroup, "₹1,20,000.00–2,00,000.50 in all"},
		{"45.00", "45", "CHF", specialists.PerNight, "CHF 45 per night"},
		{"0", "0", "EUR", specialists.PerDay, "free"},
		{"0", "20", "EUR", specialists.PerPerson, "€0–20 per person"},
	} {
		c := specialists.Cost{From: money.MustParse(test.from), To: money.MustParse(test.to), Currency: test.currency,
			Per: test.per}
		if got := c.String(); got != test.want {
			t.Errorf("%+v is %q, want %q", c, got, test.want)
		}
	}
}
