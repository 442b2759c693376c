package planner_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

func sameAmounts(a, b money.Amount) bool { return a.String() == b.String() }

// A trip is made with its first run, named by what is known of it, and follows the context
// as long as its owner gives it no other name.
//
// S4-29, S4-40
func TestRunsAreRecorded(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer // the least of the roles plans trips of its own
	first := plans.Run{UserMessage: "somewhere\x00 warm", Mode: "CLARIFY", Status: plans.Succeeded}
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", first))
	if p.Trip != "TR-0001" || p.Title != "New trip" || p.Status != plans.Planning || p.Run != 0 || !p.Mine {
		t.Fatalf("the plan is %+v", p)
	}
	again := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", first))
	if again.Trip != p.Trip || again.Version != p.Version {
		t.Errorf("the same turn made %+v", again)
	}
	p = must[plans.Plan](t)(a.store.Record(ctx, by, "turn-2", p.Trip, finalized()))
	if p.Status != plans.Proposed || p.Run != 2 || p.Context.Budget != trip.Mid ||
		!strings.HasPrefix(p.Title, "Boston") {
		t.Errorf("with options the plan is %+v", p)
	}
	tr := must[itinerary.Trip](t)(a.trips.Trip(ctx, by, p.Trip))
	if tr.Title != p.Title || tr.From != on("2027-02-12") || tr.To != on("2027-02-15") || len(tr.Items) != 0 {
		t.Errorf("the trip is %+v", tr)
	}
	must[itinerary.Trip](t)(a.trips.Rename(ctx, by, p.Trip, 0, "Joan's birthday"))
	failed := plans.Run{UserMessage: "four days", Mode: "CLARIFY", Status: plans.Errored, Error: "No response",
		Context: boston()}
	failed.Context.Dates.End = on("2027-02-16")
	p = must[plans.Plan](t)(a.store.Record(ctx, by, "turn-3", p.Trip, failed))
	tr = must[itinerary.Trip](t)(a.trips.Trip(ctx, by, p.Trip))
	if tr.Title != "Joan's birthday" || tr.To != on("2027-02-16") || p.Run != 2 || p.Status != plans.Proposed {
		t.Errorf("later the trip is %+v, the plan %+v", tr, p)
	}

	list := must[[]plans.Run](t)(a.store.Runs(ctx, by, p.Trip))
	var told []string
	for _, r := range list {
		told = append(told, fmt.Sprint(r.Number, r.Mode, r.Status, r.UserMessage, r.Error, len(r.Messages),
			r.Options == nil))
	}
	if want := []string{"3CLARIFYerrorfour daysNo response0 true", "2FINALIZEpartialyes, that's right0 true",
		"1CLARIFYsuccesssomewhere warm0 true"}; !slices.Equal(told, want) {
		t.Errorf("the runs are %q", told)
	}
	// The whole one is as it was recorded, to the cent.
	want := finalized()
	whole := must[plans.Run](t)(a.store.Run(ctx, by, p.Trip, 0))
	want.Number, want.CreatedAt = 2, whole.CreatedAt
	if diff := cmp.Diff(want, whole, cmp.Comparer(sameAmounts)); diff != "" {
		t.Errorf("the run (-recorded +kept):\n%s", diff)
	}
	_, err := a.store.Run(ctx, by, p.Trip, 9)
	wantCode(t, err, "run_not_found")

	forgotten := must[plans.Plan](t)(a.store.Reset(ctx, by, p.Trip))
	if forgotten.Status != plans.Planning || forgotten.Run != 0 || len(forgotten.Context.Critical()) != 5 {
		t.Errorf("after a reset the plan is %+v", forgotten)
	}
	if n := len(must[[]plans.Run](t)(a.store.Runs(ctx, by, p.Trip))); n != 3 {
		t.Errorf("after a reset there are %d runs", n)
	}
	_, err = a.store.Run(ctx, by, p.Trip, 0)
	wantCode(t, err, "run_not_found")
}

// A trip that travel made is planned without being renamed.
func TestAnExistingTripIsPlanned(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.manager
	tr := must[itinerary.Trip](t)(a.trips.Create(ctx, by, "", itinerary.Trip{Title: "Mine", From: on("2027-02-01")}))
	_, err := a.store.Plan(ctx, by, tr.Code)
	wantCode(t, err, "plan_not_found")
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", tr.Code, finalized()))
	now := must[itinerary.Trip](t)(a.trips.Trip(ctx, by, tr.Code))
	if p.Title != "Mine" || now.Title != "Mine" || now.From != on("2027-02-01") || now.Version != tr.Version {
		t.Errorf("the plan is %+v, the trip %+v", p, now)
	}
	if list := must[[]plans.Plan](t)(a.store.Plans(ctx, by)); len(list) != 1 || list[0].Trip != tr.Code {
		t.Errorf("the plans are %+v", list)
	}
}

// A selection writes the itinerary, leaves what its owner added, changed or booked, and is
// void when there are newer options.
//
// S4-33
func TestAnOptionIsSelected(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	must[itinerary.Trip](t)(a.trips.Put(ctx, by, p.Trip, 0, items("My own dinner")...))

	_, err := a.store.Select(ctx, by, p.Trip, p.Version+1, p.Run, "opt-1", items("x"))
	wantCode(t, err, "changed")
	_, err = a.store.Select(ctx, by, p.Trip, p.Version, p.Run, "opt-9", items("x"))
	wantCode(t, err, "option_not_found")
	bad := items("x")
	bad[0].EndZone = "Mars/Olympus"
	_, err = a.store.Select(ctx, by, p.Trip, p.Version, p.Run, "opt-1", bad)
	wantCode(t, err, "bad_zone")

	tabs := p.Version // two tabs show the same options
	p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, tabs, p.Run, "opt-1", items("Trail", "Museum", "Harbour")))
	if p.Status != plans.Selected || p.Option != "opt-1" {
		t.Errorf("the plan is %+v", p)
	}
	_, err = a.store.Select(ctx, by, p.Trip, tabs, p.Run, "opt-2", items("Other"))
	wantCode(t, err, "changed")
	same := must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, tabs, p.Run, "opt-1", items("Other")))
	if same.Version != p.Version {
		t.Errorf("the same choice once more made %+v", same)
	}
	if got := a.titles(p.Trip); got != "My own dinner, Trail, Museum, Harbour" {
		t.Errorf("the itinerary is %s", got)
	}

	// One is moved by its owner, one booked: both are the plan's no more.
	tr := must[itinerary.Trip](t)(a.trips.Trip(ctx, by, p.Trip))
	for _, i := range tr.Items {
		switch i.Title {
		case "Trail":
			i.Starts, i.Ends = at("2027-02-13T09:00"), at("2027-02-13T09:30")
		case "Museum":
			i.Status, i.Reference = itinerary.Booked, "M-1"
		default:
			continue
		}
		must[itinerary.Trip](t)(a.trips.Put(ctx, by, p.Trip, 0, i))
	}
	p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, p.Version, p.Run, "opt-2", items("Aquarium")))
	if got := a.titles(p.Trip); got != "Trail, My own dinner, Museum, Aquarium" {
		t.Errorf("with the other option the itinerary is %s", got)
	}

	// Newer options void the choice, and leave the itinerary.
	old := p
	p = must[plans.Plan](t)(a.store.Record(ctx, by, "turn-2", p.Trip, finalized()))
	if p.Status != plans.Proposed || p.Option != "" || a.titles(p.Trip) != "Trail, My own dinner, Museum, Aquarium" {
		t.Errorf("with newer options the plan is %+v", p)
	}
	_, err = a.store.Select(ctx, by, p.Trip, old.Version, old.Run, "opt-1", items("x"))
	wantCode(t, err, "replaced")
	_, err = a.store.Revise(ctx, by, p.Trip, 0, old.Run, *found(), nil)
	wantCode(t, err, "replaced")
}

// A swap replaces the options, and the itinerary where one of them is selected.
func TestOptionsAreRevised(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	swapped := func(title string) options.Set {
		set := found()
		set.Options[0].Title = title
		return *set
	}
	seen := p.Version
	p = must[plans.Plan](t)(a.store.Revise(ctx, by, p.Trip, seen, p.Run, swapped("One"), items("Hotel")))
	if a.titles(p.Trip) != "" || p.Status != plans.Proposed || p.Version != seen+1 {
		t.Errorf("before a choice the plan is %+v with %s", p, a.titles(p.Trip))
	}
	_, err := a.store.Revise(ctx, by, p.Trip, seen, p.Run, swapped("Two"), nil)
	wantCode(t, err, "changed")
	p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, p.Version, p.Run, "opt-1", items("Hotel", "Museum")))
	p = must[plans.Plan](t)(a.store.Revise(ctx, by, p.Trip, p.Version, p.Run, swapped("Three"), nil))
	if a.titles(p.Trip) != "Hotel, Museum" || p.Option != "opt-1" {
		t.Errorf("without items the plan is %+v with %s", p, a.titles(p.Trip))
	}
	p = must[plans.Plan](t)(a.store.Revise(ctx, by, p.Trip, p.Version, p.Run, swapped("Four"), items("Hostel")))
	if a.titles(p.Trip) != "Hostel" || p.Status != plans.Selected {
		t.Errorf("with items the plan is %+v with %s", p, a.titles(p.Trip))
	}
	gone := *found()
	gone.Options = gone.Options[1:]
	_, err = a.store.Revise(ctx, by, p.Trip, p.Version, p.Run, gone, items("x"))
	wantCode(t, err, "option_not_found")
	if r := must[plans.Run](t)(a.store.Run(ctx, by, p.Trip, 0)); r.Options.Options[0].Title != "Four" {
		t.Errorf("the options are %+v", r.Options.Options)
	}
	if n := localtest.SQL(t, `select count(*) as n from public.trip_selections where org_id = $1 and option = 'opt-1'
		and items = 2`, a.org.ID)[0]["n"]; fmt.Sprint(n) != "1" {
		t.Errorf("%v choices are recorded", n)
	}
}

// Thirty days of eight things each are written at once, and a person may add to them.
func TestALongPlanIsSelected(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", finalized()))
	list := slices.Repeat(items("Museum"), 240)
	p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, 0, p.Run, "opt-1", list))
	tr := must[itinerary.Trip](t)(a.trips.Put(ctx, by, p.Trip, 0, items("My own dinner")...))
	if len(tr.Items) != 241 || tr.Items[240].Code != "I241" {
		t.Errorf("%d things are planned", len(tr.Items))
	}
	_, err := a.store.Select(ctx, by, p.Trip, 0, p.Run, "opt-2", slices.Repeat(list, 2))
	wantCode(t, err, "too_many_items")
	_, err = a.store.Select(ctx, by, p.Trip, 0, p.Run, "opt-2", slices.Repeat(items("Museum"), 400))
	wantCode(t, err, "too_many_items")
	if now := must[plans.Plan](t)(a.store.Plan(ctx, by, p.Trip)); now.Version != p.Version || now.Option != "opt-1" {
		t.Errorf("the plan became %+v", now)
	}
}

// What is composed of the guide is written as it is, by days of three cities,
// and comes back in order; an item that would end before it starts keeps its start.
func TestComposedOptionsAreSelected(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	now := func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) }
	c := trip.Context{Origin: place(t, "LON"), Destinations: []trip.Place{*place(t, "LIS"), *place(t, "BOS"),
		*place(t, "NYC")}, Dates: trip.DateRange{Start: on("2027-03-06"), End: on("2027-04-04")},
		Travellers: &trip.Travellers{Adults: 2}, Budget: trip.Mid, Preferences: trip.Preferences{Pace: trip.Packed}}
	var outputs []specialists.Output
	researcher := specialists.New(specialists.Config{Now: now})
	for _, task := range specialists.Tasks(c) {
		outputs = append(outputs, researcher.Research(ctx, by, task, c))
	}
	set := options.Compose(c, outputs, guide.Of, on("2026-11-23"))
	if len(set.Options) < 2 {
		t.Fatalf("%d options", len(set.Options))
	}
	p := must[plans.Plan](t)(a.store.Record(ctx, by, "turn-1", "", plans.Run{Mode: "FINALIZE",
		Status: plans.Succeeded, Context: c, Options: &set}))
	kept := must[plans.Run](t)(a.store.Run(ctx, by, p.Trip, 0))
	if diff := cmp.Diff(set, *kept.Options, cmp.Comparer(sameAmounts), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the options (-composed +kept):\n%s", diff)
	}
	for _, o := range set.Options {
		list := options.Items(o, c)
		if len(list) < 100 {
			t.Errorf("%s has %d items", o.ID, len(list))
		}
		p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, p.Version, p.Run, o.ID, list))
		tr := must[itinerary.Trip](t)(a.trips.Trip(ctx, by, p.Trip))
		if len(tr.Items) != len(list) || tr.From != c.Dates.Start || tr.To != c.Dates.End {
			t.Errorf("%s: %d of %d items are planned from %s to %s", o.ID, len(tr.Items), len(list), tr.From, tr.To)
		}
	}
	early := items(strings.Repeat("é", 300))
	early[0].Ends = at("2027-02-13T09:00")
	p = must[plans.Plan](t)(a.store.Select(ctx, by, p.Trip, p.Version, p.Run, "opt-1", early))
	tr := must[itinerary.Trip](t)(a.trips.Trip(ctx, by, p.Trip))
	if len(tr.Items) != 1 || tr.Items[0].Ends != tr.Items[0].Starts || len([]rune(tr.Items[0].Title)) != 200 {
		t.Errorf("the items are %+v", tr.Items)
	}
}

func place(t *testing.T, code string) *trip.Place {
	t.Helper()
	p, ok := places.ByCode(code)
	if !ok {
		t.Fatal(code)
	}
	return &trip.Place{Name: p.Name, Code: code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}

// Of several at once one is first: a turn is recorded once, and one choice wins.
func TestOneOfSeveralAtOnce(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	ctx, by := t.Context(), a.viewer
	const many = 6
	made := make([]plans.Plan, many)
	var wait sync.WaitGroup
	for n := range made {
		wait.Go(func() { made[n], _ = a.store.Record(ctx, by, "turn-1", "", finalized()) })
	}
	wait.Wait()
	for _, p := range made {
		if p.Trip != "TR-0001" || p.Run != 1 {
			t.Errorf("one made %+v", p)
		}
	}
	if n := len(must[[]itinerary.Trip](t)(a.trips.Trips(ctx, by))); n != 1 {
		t.Errorf("there are %d trips", n)
	}
	errs := make([]error, many)
	for n := range errs {
		wait.Go(func() {
			errs[n] = second(a.store.Select(ctx, by, "TR-0001", made[0].Version, 1, fmt.Sprint("opt-", n%2+1),
				items(fmt.Sprint("Choice ", n%2+1))))
		})
	}
	wait.Wait()
	p := must[plans.Plan](t)(a.store.Plan(ctx, by, "TR-0001"))
	for n, err := range errs {
		if option := fmt.Sprint("opt-", n%2+1); option == p.Option && err != nil {
			t.Errorf("the choice that won is %v", err)
		} else if option != p.Option {
			wantCode(t, err, "changed")
		}
	}
	if want := "Choice " + p.Option[4:]; a.titles("TR-0001") != want {
		t.Errorf("the itinerary is %s, want %s", a.titles("TR-0001"), want)
	}
}

// titles returns what is in the itinerary, in order.
func (a *agency) titles(code string) string {
	a.t.Helper()
	tr := must[itinerary.Trip](a.t)(a.trips.Trip(a.t.Context(), a.viewer, code))
	list := make([]string, len(tr.Items))
	for n, i := range tr.Items {
		list[n] = i.Title
	}
	return strings.Join(list, ", ")
}
