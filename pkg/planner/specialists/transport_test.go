package specialists_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

func by(mode string) func(specialists.Recommendation) bool {
	return func(r specialists.Recommendation) bool { return r.Mode == mode }
}

// Flights are searched for there and back, with real ages, and at most a few that differ
// are recommended with their exact price and local times. S4-18, S4-19
func TestLiveFlights(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	c := journey(t, "London", "Lisbon")
	c.Travellers.Children = []int{7}
	o := researched(t, cfg, c, trip.Transport)
	found := pick(o, by("flight"))
	if len(found) < 2 || len(found) > 3 {
		t.Fatalf("%d flights: %q", len(found), o.Risks)
	}
	seen := map[string]bool{}
	for i, r := range found {
		if r.Code != []string{"T1", "T2", "T3"}[i] || r.City != "Lisbon" || r.Route != "London → Lisbon" || !r.Back ||
			!strings.HasPrefix(r.Departs, "2027-02-12T") || !strings.HasPrefix(r.Arrives, "2027-02-1") ||
			!strings.HasPrefix(r.BackDeparts, "2027-02-15T") || r.BackArrives < r.BackDeparts || r.Minutes < 120 ||
			r.Duration == "" || r.Provider == "" || r.Distance != "1585 km" ||
			!strings.Contains(r.Schedule, "12-Feb-2027: ") ||
			!strings.HasSuffix(r.EstimatedCost, " in all, there and back") || len(r.Pros)+len(r.Cons) == 0 ||
			r.BookingTips == "" ||
			!strings.Contains(r.LocalTransport, "Metro") {
			t.Errorf("flight %d is %+v", i, r)
		}
		if seen[r.Departs+r.Provider] {
			t.Errorf("%s is there twice", r.Departs)
		}
		seen[r.Departs+r.Provider] = true
		if i > 0 && r.Cost.From.Cmp(found[i-1].Cost.From) < 0 {
			t.Errorf("%s is cheaper than the one before", r.Code)
		}
	}
	if !slices.Contains(o.Risks, "Live flight prices hold for minutes, not until you book.") {
		t.Errorf("risks are %q", o.Risks)
	}
}

// With several cities the flights lead to the first and home from the last; the way
// between is the guide's.
func TestSeveralCities(t *testing.T) {
	t.Parallel()
	cfg, s := supplied(t)
	c := journey(t, "London", "Boston", "New York")
	o := researched(t, cfg, c, trip.Transport)
	flights := pick(o, by("flight"))
	if len(flights) == 0 || flights[0].Route != "London → Boston" || !flights[0].Back {
		t.Fatalf("flights are %+v, %q", flights, o.Risks)
	}
	trains := pick(o, by("train"))
	if len(trains) == 0 || trains[0].Source != specialists.Listed || trains[0].Route != "Boston → New York" ||
		trains[0].City != "New York" || trains[0].Back {
		t.Errorf("trains are %+v", trains)
	}
	searches := 0
	for _, call := range s.Calls() {
		if call.Method == "POST" && strings.Contains(call.Path, "/offer_requests") {
			searches++
		}
	}
	if searches != 1 {
		t.Errorf("%d searches", searches)
	}
	// Between cities that no ground transport joins, flights are searched for too.
	c = journey(t, "London", "Boston", "Lisbon")
	o = researched(t, cfg, c, trip.Transport)
	if way := pick(o, func(r specialists.Recommendation) bool { return r.Route == "Boston → Lisbon" }); len(way) == 0 ||
		way[0].Back || !strings.HasPrefix(way[0].Departs, "2027-02-14T") {
		t.Errorf("from Boston to Lisbon: %+v, %q", way, o.Risks)
	}
}

// Constraints close modes of transport, also for what a model suggests. S4-18
func TestConstraintsCloseModes(t *testing.T) {
	t.Parallel()
	cfg, s := supplied(t)
	for text, closed := range map[string]string{
		"no flights":                         "flight",
		"we don't want to fly":               "flight",
		"I never take a plane":               "flight",
		"no buses or ferries please":         "bus ferry",
		"without any driving":                "car",
		"only by train":                      "flight bus car ferry",
		"train only":                         "flight bus car ferry",
		"no stairs, flights are fine":        "",
		"not too early":                      "",
		"step-free":                          "",
		"avoid trains":                       "train",
		"can't fly":                          "flight",
		"no children's menu":                 "",
		"hotel near the train station":       "",
		"not far from a bus stop or a ferry": "",
		"no flights before 9":                "",
		"no connecting flights":              "",
		"no flight with a layover":           "",
		"never a bus at night":               "",
		"no night flights":                   "",
		"no early mornings":                  "",
	} {
		before := len(s.Calls())
		var suggestions []map[string]any
		for _, mode := range []string{"flight", "train", "bus", "car", "ferry"} {
			suggestions = append(suggestions, map[string]any{"city": "Lisbon", "option": mode, "mode": mode})
		}
		m := &model{answers: map[string][]string{"TransportAgent": {answer(t, "TransportAgent", suggestions...)}}}
		cfg.Model = m.ask
		c := journey(t, "London", "Lisbon")
		c.Constraints = []string{text}
		o := researched(t, cfg, c, trip.Transport)
		for _, mode := range []string{"flight", "train", "bus", "car", "ferry"} {
			is, want := len(pick(o, by(mode))) == 0, slices.Contains(strings.Fields(closed), mode)
			if is != want {
				t.Errorf("%q: %s is closed: %t", text, mode, is)
			}
		}
		if strings.Contains(closed, "flight") && len(s.Calls()) > before {
			t.Errorf("%q: flights were searched for", text)
		}
	}
}

// Wishes about flights go to the supplier.
func TestWishesAboutFlights(t *testing.T) {
	t.Parallel()
	cfg, _ := supplied(t)
	c := journey(t, "London", "Boston")
	plain := pick(researched(t, cfg, c, trip.Transport), by("flight"))
	c.Constraints = []string{"direct flights only", "with a checked bag"}
	c.MustDos = []string{"fly business"}
	o := researched(t, cfg, c, trip.Transport)
	wanted := pick(o, by("flight"))
	if len(plain) == 0 || len(wanted) == 0 || wanted[0].Cost.From.Cmp(plain[0].Cost.From) <= 0 {
		t.Fatalf("economy is %+v, business %+v, %q", plain, wanted, o.Risks)
	}
	for _, r := range wanted {
		if strings.Contains(r.Schedule, "stop (") || strings.Contains(strings.Join(r.Cons, " "), "bag") {
			t.Errorf("%s is %s: %q", r.Code, r.Schedule, r.Cons)
		}
	}
	if !strings.Contains(strings.Join(o.Assumptions, " "), "Flights are in business class") {
		t.Errorf("assumptions are %q", o.Assumptions)
	}
	c = journey(t, "London", "Lisbon")
	c.Constraints = []string{"no night flights", "no early mornings"}
	o = researched(t, cfg, c, trip.Transport)
	for _, r := range pick(o, by("flight")) {
		if r.Departs[:10] != r.Arrives[:10] || r.BackDeparts[:10] != r.BackArrives[:10] || r.Departs[11:] < "09:00" ||
			r.BackDeparts[11:] < "09:00" {
			t.Errorf("%s is %s", r.Code, r.Schedule)
		}
	}
	if len(pick(o, by("flight"))) == 0 || strings.Contains(strings.Join(o.Risks, " "), "No flight that was found") {
		t.Errorf("risks are %q", o.Risks)
	}
	// From Boston to London it may be impossible by day, which is said then.
	c = journey(t, "London", "Boston")
	c.Constraints = []string{"no red-eyes"}
	o = researched(t, cfg, c, trip.Transport)
	if night := strings.Contains(strings.Join(o.Risks, " "), "avoids the night"); night != slices.ContainsFunc(
		pick(o, by("flight")), func(r specialists.Recommendation) bool { return r.BackDeparts[:10] != r.BackArrives[:10] }) {
		t.Errorf("risks are %q", o.Risks)
	}
}

// "I have a car" is local transport, and a local trip needs no journey. S4-18
func TestLocalTransport(t *testing.T) {
	t.Parallel()
	cfg, s := supplied(t)
	m := &model{answers: map[string][]string{"TransportAgent": {answer(t, "TransportAgent",
		map[string]any{"city": "Boston", "option": "Bicycle", "mode": "local", "per": "day", "costTo": "12",
			"currency": "USD"})}}}
	cfg.Model = m.ask
	c := journey(t, "", "Boston")
	c.LocalOnly, c.OwnCar = true, true
	o := researched(t, cfg, c, trip.Transport)
	local := pick(o, by("local"))
	if len(local) != len(o.Recommendations) || len(local) < 3 || len(s.Calls()) != 0 {
		t.Errorf("%d of %d are local", len(local), len(o.Recommendations))
	}
	if local[0].Option != "Own car" || local[0].Cost != nil ||
		local[len(local)-1].EstimatedCost != "$12 per day and person" {
		t.Errorf("they are %+v", local)
	}
	if !slices.Contains(o.Assumptions, "The car is for getting around at the destination, not for the journey there.") {
		t.Errorf("assumptions are %q", o.Assumptions)
	}
	for _, r := range o.Risks {
		if strings.Contains(r, "No way") {
			t.Errorf("risks are %q", o.Risks)
		}
	}
}

// What a supplier refuses or fails at is said, and leaves the other sources. S4-22
func TestASupplierFails(t *testing.T) {
	t.Parallel()
	cfg, s := supplied(t)
	s.Fail("/air/offer_requests", 400, "some_reason")
	s.Fail("/stays/search", 400, "some_reason")
	c := journey(t, "London", "Lisbon")
	outputs := all(t, cfg, c)
	for i, want := range []string{"The live flight prices are missing. ",
		"The live prices of hotels in Lisbon are missing. "} {
		if o := outputs[i].Output; len(pick(o, of(specialists.Listed))) == 0 || !strings.HasPrefix(missing(o), want) ||
			!strings.Contains(strings.Join(o.Risks, "\n"), want) || strings.Contains(missing(o), "some_reason") {
			t.Errorf("%q, %q", missing(o), o.Risks)
		}
	}
	c.Travellers = &trip.Travellers{Adults: 1, Children: []int{1, 1}}
	o := researched(t, cfg, c, trip.Transport)
	if !strings.Contains(strings.Join(o.Risks, "\n"), "there are 2 infants for 1 adults") {
		t.Errorf("risks are %q", o.Risks)
	}
	if !strings.Contains(strings.Join(o.Risks, "\n"),
		"No way from London to Lisbon and back was found. Its cost is missing.") {
		t.Errorf("risks are %q", o.Risks)
	}
}

// A group that is larger than airlines sell to at once is searched for in parts, and pays
// their sum.
func TestALargeGroup(t *testing.T) {
	t.Parallel()
	cfg, s := supplied(t)
	c := journey(t, "London", "Lisbon")
	price := func(adults, children int) (money.Amount, specialists.Output) {
		c.Travellers = &trip.Travellers{Adults: adults, Children: slices.Repeat([]int{7}, children)}
		o := researched(t, cfg, c, trip.Transport)
		found := pick(o, by("flight"))
		if len(found) == 0 {
			t.Fatalf("%d adults, %d children: %q", adults, children, o.Risks)
		}
		return found[0].Cost.From, o
	}
	six, _ := price(6, 0)
	before := len(s.Calls())
	twelve, o := price(12, 0)
	once := len(s.Calls()) - before
	if double, err := six.Add(six); err != nil || twelve.Cmp(double) != 0 {
		t.Errorf("six pay %s, twelve %s", six, twelve)
	}
	if !slices.Contains(o.Assumptions, "The group flies in 2 bookings of at most 9 travellers; prices are the sum.") {
		t.Errorf("assumptions are %q", o.Assumptions)
	}
	before = len(s.Calls())
	if thirteen, _ := price(12, 1); thirteen.Cmp(twelve) <= 0 || len(s.Calls())-before <= once {
		t.Errorf("thirteen pay %s, and made %d calls", thirteen, len(s.Calls())-before)
	}
}

// Ground transport of the guide is compared, priced for both ways, and says how one gets
// around then. S4-18, S4-19
func TestListedWays(t *testing.T) {
	t.Parallel()
	c := journey(t, "New York", "Boston")
	c.Travellers = &trip.Travellers{Adults: 6}
	o := researched(t, specialists.Config{Now: now}, c, trip.Transport)
	pros := map[string]int{}
	ways := pick(o, func(r specialists.Recommendation) bool { return r.Mode != "local" })
	for _, r := range ways {
		for _, p := range r.Pros {
			pros[p]++
		}
		one := slices.IndexFunc(guide.Between("NYC", "BOS"),
			func(l guide.Link) bool { return strings.EqualFold(l.Option, r.Option) })
		if one < 0 {
			t.Fatalf("%s is not listed", r.Option)
		}
		link := guide.Between("NYC", "BOS")[one]
		times, per := 2, specialists.PerPerson
		if link.Mode == "car" {
			times, per = 4, specialists.PerGroup // two cars, both ways
		}
		want, err := link.Price.To.Mul(money.FromInt(times))
		if err != nil || r.Cost.To.Cmp(want) != 0 || r.Cost.Per != per || !r.Back || r.Route != "New York → Boston" ||
			r.Provider != link.Provider || r.Minutes != link.Minutes ||
			!strings.Contains(r.LocalTransport, "Walking: free") {
			t.Errorf("%s is %+v", r.Option, r)
		}
	}
	if len(ways) < 2 || pros["the lowest listed fare"] != 1 || pros["the shortest listed time"] != 1 {
		t.Errorf("%d ways, %v", len(ways), pros)
	}
	taxi := pick(o, func(r specialists.Recommendation) bool { return r.Tier == trip.High && r.Mode == "local" })
	// 2 to 4 rides of 10 to 30 dollars in two cars, shared by six.
	if len(taxi) != 1 || taxi[0].EstimatedCost != "$7–40 per day and person" {
		t.Errorf("a taxi is %+v", taxi)
	}
}
