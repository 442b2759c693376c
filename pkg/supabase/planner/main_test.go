package planner_test

import (
	"errors"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/planner"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// agency is an organisation of one test that has the planner.
type agency struct {
	t      testing.TB
	client *supabase.Client
	org    localtest.Org
	store  planner.Plans
	links  planner.Links
	trips  travel.Trips

	admin, manager, viewer identity.Caller
}

func newAgency(t testing.TB) *agency {
	t.Helper()
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	a := &agency{t: t, client: client, org: localtest.NewOrg(t), store: planner.NewPlans(client),
		links: planner.NewLinks(client), trips: travel.NewTrips(client)}
	localtest.Give(t, localtest.Stack(t), a.org.ID, "planner")
	a.admin, a.manager, a.viewer = a.as(a.org.Admin), a.as(a.org.Manager), a.as(a.org.Viewer)
	return a
}

func (a *agency) as(p localtest.Person) identity.Caller {
	a.t.Helper()
	return must[identity.Caller](a.t)(a.client.Whoami(a.t.Context(), identity.Secret(p.Token)))
}

// must returns a function that returns its first argument, and ends the test where
// there is an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v (%v)", err, errors.Unwrap(err))
		}
		return v
	}
}

func wantCode(t testing.TB, err error, want string) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != want {
		t.Errorf("the error is %v (%v), want %s", err, errors.Unwrap(err), want)
	}
}

func on(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func at(s string) calendar.DateTime {
	d, err := calendar.ParseDateTime(s)
	if err != nil {
		panic(err)
	}
	return d
}

// boston is a trip of which everything is known.
func boston() trip.Context {
	return trip.Context{
		Origin:       &trip.Place{Name: "London", Code: "LON", Country: "GB", Zone: "Europe/London"},
		Destinations: []trip.Place{{Name: "Boston", Code: "BOS", Country: "US", Zone: "America/New_York"}},
		Dates:        trip.DateRange{Start: on("2027-02-12"), End: on("2027-02-15")},
		Travellers:   &trip.Travellers{Adults: 2, Children: []int{7}},
		Budget:       trip.Mid, MustDos: []string{"lunch with aunt Joan", "Freedom Trail", "see (Bob) +1"},
		Preferences: trip.Preferences{Dietary: []string{"kosher"}},
		Constraints: []string{"step-free"},
	}
}

// found are two options with what a supplier's offer is called.
func found() *options.Set {
	one := options.Option{ID: "opt-1", Title: "Boston on foot", Tier: trip.Low,
		Gaps: []string{"There is no time left for your wish “see (Bob) +1”.",
			"Not all of it is step-free."},
		EstimatedTotalCost: "$640 for 3 people",
		Totals: []options.Total{{From: money.MustParse("640.00"), To: money.MustParse("640.50"),
			Currency: "USD"}},
		Itinerary: options.Itinerary{Days: []options.Day{{Number: 1, Date: on("2027-02-12"), City: "Boston",
			Title: "Lunch with aunt Joan, then the harbour", Activities: []options.Entry{{Name: "Freedom Trail",
				Starts: "10:00", Source: specialists.Listed, MustDo: "Freedom Trail", Lat: 42.36, Lon: -71.06},
				{Name: "Lunch with aunt Joan", Source: specialists.Model, MustDo: "lunch with aunt Joan",
					Detail: "a deli · ask for kosher"}}}},
			AlternativeOptions: options.Alternatives{Transport: []specialists.Recommendation{{Code: "T2",
				Name: "Flight", Offer: "K7M2-3", Source: specialists.Live}}}}}
	two := one
	two.ID, two.Title, two.Tier = "opt-2", "Boston by the harbour", trip.High
	return &options.Set{Options: []options.Option{one, two}, ComparisonNote: "The second costs more.",
		Questions: []string{"Does aunt Joan come along?"}, Assumptions: []string{"Prices are typical.",
			"Kosher food is asked for."}}
}

// finalized is a run that ends with options.
func finalized() plans.Run {
	return plans.Run{UserMessage: "yes, that's right", Mode: "FINALIZE", Status: plans.Partly, Context: boston(),
		Output: []byte(`{"mode":"DISPATCH"}`), Options: found(), Messages: []plans.Message{{
			Task: specialists.Task{ID: "task-1", Specialist: trip.Transport, Instructions: "…"},
			Output: specialists.Output{TaskID: "task-1", Agent: "TransportAgent",
				Recommendations: []specialists.Recommendation{{Code: "T1", Source: specialists.Live,
					Cost: &specialists.Cost{From: money.MustParse("410.00"), To: money.MustParse("410.00"),
						Currency: "USD", Per: specialists.PerGroup, Source: specialists.Live}}}},
			Millis: 840}}}
}

// items are what the selected option writes into the itinerary.
func items(titles ...string) []itinerary.Item {
	list := make([]itinerary.Item, len(titles))
	for i, title := range titles {
		list[i] = itinerary.Item{Type: itinerary.Activity, Status: itinerary.Planned, Title: title, Place: "Boston",
			Starts: at("2027-02-13T10:00"), Ends: at("2027-02-13T11:00"), StartZone: "America/New_York",
			EndZone: "America/New_York"}
	}
	return list
}
