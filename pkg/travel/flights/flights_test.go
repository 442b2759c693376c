package flights_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

func now() time.Time { return time.Date(2026, 11, 22, 23, 30, 0, 0, time.UTC) }

func at(t *testing.T, s string) calendar.DateTime {
	t.Helper()
	d, err := calendar.ParseDateTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// offer is a journey from LHR to LIS.
func offer(t *testing.T, code, price, departs, arrives string, minutes, segments int) flights.Offer {
	t.Helper()
	leg := flights.Leg{Origin: "LHR", Destination: "LIS", Departs: at(t, departs), Arrives: at(t, arrives),
		Minutes: minutes, Segments: make([]flights.Segment, segments)}
	currency, amount, _ := strings.Cut(price, " ")
	return flights.Offer{Code: code, Total: money.Price{Amount: money.MustParse(amount), Currency: currency},
		Slices: []flights.Leg{leg}, Airline: flights.Airline{Code: "ZZ", Name: "Duffel Airways"}}
}

func offers(t *testing.T) []flights.Offer {
	list := []flights.Offer{
		offer(t, "K-1", "GBP 300.00", "2026-12-04T05:10", "2026-12-04T16:10", 660, 2),
		offer(t, "K-2", "GBP 320.00", "2026-12-04T09:00", "2026-12-04T11:45", 165, 1),
		offer(t, "K-3", "GBP 420.00", "2026-12-04T18:00", "2026-12-04T20:40", 160, 1),
		offer(t, "K-4", "EUR 10.00", "2026-12-04T18:00", "2026-12-04T20:00", 120, 1),
		offer(t, "K-5", "GBP 330.00", "2026-12-04T23:00", "2026-12-05T01:45", 165, 1),
	}
	list[2].Refund = flights.Condition{Known: true, Allowed: true}
	list[2].Bags.Checked = 1
	return list
}

// Three offers are pointed out with what sets them apart; another currency is not compared.
func TestPicks(t *testing.T) {
	t.Parallel()
	list := offers(t)
	got := map[string]string{}
	for _, p := range flights.Picks(list) {
		got[p.Label] = list[p.Index].Code + ": " + p.Why
	}
	for label, want := range map[string]string{
		flights.Cheapest: "K-1: £120.00 less than the fastest",
		flights.Fastest:  "K-3: 8 h 20 min shorter than the cheapest",
		flights.Best:     "K-2: non-stop, £20.00 more than the cheapest, 5 min longer than the fastest",
	} {
		if got[label] != want {
			t.Errorf("%s is %q, want %q", label, got[label], want)
		}
	}
	if flights.Picks(nil) != nil {
		t.Error("picks of nothing")
	}
	one := flights.Picks(list[1:2])
	if len(one) != 3 || one[0].Why != "the lowest price and the shortest time" {
		t.Errorf("picks of one are %+v", one)
	}
}

// Offers are narrowed by what is wanted and ordered.
func TestOffersAreNarrowedAndOrdered(t *testing.T) {
	t.Parallel()
	list := offers(t)
	none, price := 0, money.MustParse("325")
	for name, test := range map[string]struct {
		filter flights.Filter
		want   string
	}{
		"non-stop":    {flights.Filter{Connections: &none}, "K-2 K-3 K-4 K-5"},
		"price":       {flights.Filter{MaxPrice: &price}, "K-1 K-2 K-4"},
		"bags":        {flights.Filter{Checked: 1}, "K-3"},
		"refundable":  {flights.Filter{Refundable: true}, "K-3"},
		"morning":     {flights.Filter{Times: []flights.Times{{DepartAfter: "06:00", DepartBefore: "12:00"}}}, "K-2"},
		"same day":    {flights.Filter{Times: []flights.Times{{ArriveBefore: "23:59"}}}, "K-1 K-2 K-3 K-4"},
		"airline":     {flights.Filter{Airlines: []string{"zz"}}, "K-1 K-2 K-3 K-4 K-5"},
		"by name":     {flights.Filter{Airlines: []string{"duffel air"}}, "K-1 K-2 K-3 K-4 K-5"},
		"not a piece": {flights.Filter{Airlines: []string{"Du"}}, ""},
		"holdable":    {flights.Filter{Holdable: true}, ""},
	} {
		if got := codes(test.filter.Apply(list)); got != test.want || test.filter.Empty() {
			t.Errorf("%s keeps %q, want %q", name, got, test.want)
		}
	}
	same := append(list[:3:3], list[4])
	for by, want := range map[flights.By]string{
		"":                  "K-1 K-2 K-5 K-3",
		flights.ByDuration:  "K-3 K-2 K-5 K-1",
		flights.ByDeparture: "K-1 K-2 K-3 K-5",
		flights.ByArrival:   "K-2 K-1 K-3 K-5",
		flights.ByScore:     "K-2 K-5 K-3 K-1",
	} {
		if got := codes(flights.Sort(same, by)); got != want {
			t.Errorf("by %q they are %s, want %s", by, got, want)
		}
	}
}

func codes(list []flights.Offer) string {
	var words []string
	for _, o := range list {
		words = append(words, o.Code)
	}
	return strings.Join(words, " ")
}

// A query that no supplier could answer is refused with a code and a sentence. Today is
// that of the place: in Auckland it is a day later than in London.
func TestWhatCannotBeSearchedFor(t *testing.T) {
	t.Parallel()
	day := func(n int) calendar.Date { return calendar.Of(now()).AddDays(n) }
	good := flights.Query{Slices: []flights.Slice{{Origin: "LON", Destination: "LIS", Date: day(0)},
		{Origin: "LIS", Destination: "LON", Date: day(4)}}, Ages: []int{flights.Adult, 11}}
	if err := flights.Check(good, now()); err != nil {
		t.Errorf("a good one: %v", err)
	}
	auckland := now().In(time.FixedZone("NZDT", 13*3600))
	if f := fault.From(flights.Check(good, auckland)); f == nil || f.Code != "date_past" {
		t.Errorf("in Auckland: %v", f)
	}
	if notes := flights.Notes(good); len(notes) != 1 || !strings.Contains(notes[0], "12") {
		t.Errorf("notes are %v", notes)
	}
	four, adults := 4, make([]int, 10)
	for i := range adults {
		adults[i] = flights.Adult
	}
	for code, change := range map[string]func(*flights.Query){
		"date_past":                func(q *flights.Query) { q.Slices[0].Date = day(-1) },
		"date_too_far":             func(q *flights.Query) { q.Slices[1].Date = day(331) },
		"date_missing":             func(q *flights.Query) { q.Slices[1].Date = calendar.Date{} },
		"return_before_departure":  func(q *flights.Query) { q.Slices[0].Date = day(9) },
		"same_place":               func(q *flights.Query) { q.Slices[0].Destination = "LON" },
		"passengers_out_of_range":  func(q *flights.Query) { q.Ages = adults },
		"infants_without_adults":   func(q *flights.Query) { q.Ages = []int{flights.Adult, 0, 1} },
		"children_without_adults":  func(q *flights.Query) { q.Ages = []int{7} },
		"age_out_of_range":         func(q *flights.Query) { q.Ages = []int{flights.Adult, 18} },
		"connections_out_of_range": func(q *flights.Query) { q.Connections = &four },
		"journeys_out_of_range":    func(q *flights.Query) { q.Slices = nil },
		"time_malformed": func(q *flights.Query) {
			q.Slices[0].Departs = &flights.Window{From: "9",
				To: "10:00"}
		},
	} {
		q := good
		q.Slices = append([]flights.Slice(nil), good.Slices...)
		change(&q)
		f := fault.From(flights.Check(q, now()))
		if f == nil || f.Code != code || f.Kind != fault.Invalid || len(f.Message) < 20 {
			t.Errorf("%s: %v", code, f)
		}
	}
}

// Journeys, conditions and passengers are said in words.
func TestWords(t *testing.T) {
	t.Parallel()
	penalty := money.Price{Amount: money.MustParse("40"), Currency: "GBP"}
	none := money.Price{Amount: money.MustParse("0"), Currency: "JPY"}
	leg := flights.Leg{Origin: "LHR", Destination: "SIN", Departs: at(t, "2026-12-04T21:35"),
		Arrives: at(t, "2026-12-06T01:05"), Minutes: 1170, Segments: []flights.Segment{
			{Origin: "LHR", Destination: "AMS", Arrives: at(t, "2026-12-04T23:50"), Number: "KL1000"},
			{Origin: "AMS", Destination: "SIN", Departs: at(t, "2026-12-05T01:15"), Number: "KL835",
				Stops: []string{"DEL"}}}}
	for got, want := range map[string]string{
		leg.String(): "LHR 21:35 – SIN 01:05 +2, 19 h 30 min, 2 stops (AMS, 1 h 25 min; DEL)",
		flights.Offer{Refund: flights.Condition{Known: true, Allowed: true,
			Penalty: &penalty}}.RefundWords(): "Refundable for a fee of £40.00",
		flights.Offer{Refund: flights.Condition{Known: true, Allowed: true,
			Penalty: &none}}.RefundWords(): "Refundable in full",
		flights.Offer{Refund: flights.Condition{Known: true}}.RefundWords(): "Not refundable",
		flights.Offer{}.ChangeWords(): "The airline does not tell whether it " +
			"may be changed",
		flights.AgeWords([]int{flights.Adult, flights.Adult, 7,
			0}): "2 adults, 1 child (7), 1 infant (0)",
		flights.Bags{CarryOn: 1, Checked: 2}.String():                                          "1 carry-on, 2 checked bags",
		flights.Each(money.Price{Amount: money.MustParse("100"), Currency: "KWD"}, 3).String(): "KWD 33.333",
		flights.Each(penalty, 1).String():                                                      "",
		strings.Join(leg.Numbers(), " "):                                                       "KL1000 KL835",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
