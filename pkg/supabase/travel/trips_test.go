package travel_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

func at(s string) calendar.DateTime {
	d, err := calendar.ParseDateTime(s)
	if err != nil {
		panic(err)
	}
	return d
}

func on(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func price(amount, currency string) *money.Price {
	return &money.Price{Amount: money.MustParse(amount), Currency: currency}
}

// flight is one across the date line: it arrives the day before, by the clocks.
func flight() itinerary.Item {
	return itinerary.Item{Type: itinerary.Flight, Status: itinerary.Booked, Title: "Auckland (AKL) to Honolulu (HNL)",
		Origin: "Auckland (AKL)", Destination: "Honolulu (HNL)", Starts: at("2027-01-10T23:55"),
		Ends: at("2027-01-10T09:50"), StartZone: "Pacific/Auckland", EndZone: "Pacific/Honolulu",
		Reference: "RZPNX8", Price: price("123456", "JPY"), Number: "HA446", International: true}
}

func hotel() itinerary.Item {
	return itinerary.Item{Type: itinerary.Hotel, Status: itinerary.Planned, Title: "Hotel Mira", Place: "Honolulu",
		Starts: at("2027-01-10T15:00"), Ends: at("2027-01-14T11:00"), StartZone: "Pacific/Honolulu",
		EndZone: "Pacific/Honolulu", Notes: "late arrival", Price: price("1.250", "KWD")}
}

func TestATripIsPlannedAndChanged(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store := travel.NewTrips(a.client)
	ctx, by := t.Context(), a.viewer // the least of the roles plans trips of its own
	trip := must[itinerary.Trip](t)(store.Create(ctx, by, "thread-1", itinerary.Trip{Title: "  Hawaii\n2027 ",
		From: on("2027-01-09"), Items: []itinerary.Item{hotel(), flight()}}))
	if trip.Code != "TR-0001" || trip.Title != "Hawaii 2027" || !trip.Mine || trip.From != on("2027-01-09") ||
		trip.To != on("2027-01-14") || len(trip.Items) != 2 {
		t.Fatalf("the trip is %+v", trip)
	}
	// In the order of real moments: the flight lands before the hotel is entered.
	first, second := flight(), hotel()
	first.Code, second.Code = "I2", "I1"
	if diff := cmp.Diff([]itinerary.Item{first, second}, trip.Items, cmp.Comparer(func(a, b money.Amount) bool {
		return a.String() == b.String()
	})); diff != "" {
		t.Errorf("the items (-sent +kept):\n%s", diff)
	}
	again := must[itinerary.Trip](t)(store.Create(ctx, by, "thread-1", itinerary.Trip{Title: "Another"}))
	if again.Code != trip.Code || again.Title != trip.Title {
		t.Errorf("the same key made %+v", again)
	}

	// Two tabs: the second one to write has not seen the first one's change.
	changed := first
	changed.Title = "Moved"
	moved := must[itinerary.Trip](t)(store.Put(ctx, by, trip.Code, trip.Version, changed))
	if moved.Version <= trip.Version || moved.Items[0].Title != "Moved" || len(moved.Items) != 2 {
		t.Errorf("it became %+v", moved)
	}
	_, err := store.Put(ctx, by, trip.Code, trip.Version, second)
	wantCode(t, err, "changed")
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("the kind is %v", fault.From(err).Kind)
	}
	_, err = store.Rename(ctx, by, trip.Code, trip.Version, "x")
	wantCode(t, err, "changed")
	renamed := must[itinerary.Trip](t)(store.Rename(ctx, by, strings.ToLower(trip.Code), moved.Version, "Oahu"))
	if renamed.Title != "Oahu" || renamed.Version != moved.Version+1 {
		t.Errorf("renamed: %+v", renamed)
	}
	left := must[itinerary.Trip](t)(store.Remove(ctx, by, trip.Code, 0, "I2"))
	if len(left.Items) != 1 || left.Items[0].Code != "I1" {
		t.Errorf("left are %+v", left.Items)
	}
	// A code is not given twice.
	more := must[itinerary.Trip](t)(store.Put(ctx, by, trip.Code, 0, flight(), flight()))
	if codes := []string{more.Items[0].Code, more.Items[1].Code}; !slices.Equal(codes, []string{"I3", "I4"}) {
		t.Errorf("the new ones are %v", codes)
	}
	list := must[[]itinerary.Trip](t)(store.Trips(ctx, by))
	if len(list) != 1 || list[0].Code != trip.Code || len(list[0].Items) != 0 || list[0].To != on("2027-01-14") {
		t.Errorf("the list is %+v", list)
	}
	if err := store.Delete(ctx, by, trip.Code, more.Version); err != nil {
		t.Error(err)
	}
	_, err = store.Trip(ctx, by, trip.Code)
	wantCode(t, err, "trip_not_found")
	next := must[itinerary.Trip](t)(store.Create(ctx, by, "", itinerary.Trip{Title: "Next"}))
	if next.Code != "TR-0002" || !next.From.IsZero() || next.Items == nil {
		t.Errorf("the next is %+v", next)
	}
}

func TestWhatCannotBePlannedIsRefused(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store := travel.NewTrips(a.client)
	trip := must[itinerary.Trip](t)(store.Create(t.Context(), a.viewer, "", itinerary.Trip{Title: "Trip"}))
	for name, tt := range map[string]struct {
		change func(i *itinerary.Item)
		want   string
	}{
		"no title":        {func(i *itinerary.Item) { i.Title = " \n" }, "title_required"},
		"a long title":    {func(i *itinerary.Item) { i.Title = strings.Repeat("x", 201) }, "too_long"},
		"no time":         {func(i *itinerary.Item) { i.Starts = calendar.DateTime{} }, "time_required"},
		"another zone":    {func(i *itinerary.Item) { i.StartZone = "Mars/Olympus" }, "bad_zone"},
		"an end nowhere":  {func(i *itinerary.Item) { i.EndZone = "Mars/Olympus" }, "bad_zone"},
		"a zone by rules": {func(i *itinerary.Item) { i.EndZone = "EST5EDT" }, "bad_zone"},
		"ends earlier":    {func(i *itinerary.Item) { i.EndZone = "Pacific/Auckland" }, "ends_before_start"},
		"for years":       {func(i *itinerary.Item) { i.Ends = at("2029-01-01T10:00") }, "too_long"},
		"no type":         {func(i *itinerary.Item) { i.Type = "" }, "bad_item"},
		"another status":  {func(i *itinerary.Item) { i.Status = "sure" }, "bad_item"},
		"no such item":    {func(i *itinerary.Item) { i.Code = "I9" }, "item_not_found"},
		"no such booking": {func(i *itinerary.Item) { i.Booking = "TB-0001" }, "booking_not_found"},
		"a price of none": {func(i *itinerary.Item) { i.Price = price("1", "DOLLARS") }, "bad_price"},
	} {
		t.Run(name, func(t *testing.T) {
			i := flight()
			tt.change(&i)
			_, err := store.Put(t.Context(), a.viewer, trip.Code, 0, hotel(), i)
			wantCode(t, err, tt.want)
		})
	}
	// Of several items all are put or none.
	if now := must[itinerary.Trip](t)(store.Trip(t.Context(), a.viewer, trip.Code)); len(now.Items) != 0 ||
		now.Version != trip.Version {
		t.Errorf("the trip became %+v", now)
	}
	_, err := store.Create(t.Context(), a.viewer, "", itinerary.Trip{Title: "x", From: on("2027-02-01"),
		To: on("2027-01-01")})
	wantCode(t, err, "ends_before_start")
}

// A night of a change of clocks and one across the date line keep what clocks show.
func TestTimesAreThoseOfTheClocks(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store := travel.NewTrips(a.client)
	night := itinerary.Item{Type: itinerary.Travel, Title: "Night bus", Starts: at("2027-03-28T00:30"),
		Ends: at("2027-03-28T02:30"), StartZone: "Europe/London", EndZone: "Europe/London"}
	longer := night
	longer.Starts, longer.Ends = at("2026-10-25T00:30"), at("2026-10-25T02:30")
	trip := must[itinerary.Trip](t)(store.Create(t.Context(), a.viewer, "", itinerary.Trip{Title: "Clocks",
		Items: []itinerary.Item{night, longer, flight()}}))
	var took []string
	for _, i := range trip.Items {
		from, to, err := i.Moments()
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, fmt.Sprint(i.Starts, " ", i.Ends, " ", to.Sub(from)))
	}
	want := []string{"2026-10-25T00:30 2026-10-25T02:30 3h0m0s", "2027-01-10T23:55 2027-01-10T09:50 8h55m0s",
		"2027-03-28T00:30 2027-03-28T02:30 1h0m0s"}
	if !slices.Equal(took, want) {
		t.Errorf("they are %q, want %q", took, want)
	}
}

func TestCompanionsSeeAndChangeATrip(t *testing.T) {
	t.Parallel()
	a, other := newAgency(t), newAgency(t)
	store := travel.NewTrips(a.client)
	ctx := t.Context()
	trip := must[itinerary.Trip](t)(store.Create(ctx, a.viewer, "", itinerary.Trip{Title: "Mine",
		Items: []itinerary.Item{hotel()}}))
	everything := map[string]func(by identity.Caller) error{
		"get":     func(by identity.Caller) error { return second(store.Trip(ctx, by, trip.Code)) },
		"rename":  func(by identity.Caller) error { return second(store.Rename(ctx, by, trip.Code, 0, "x")) },
		"put":     func(by identity.Caller) error { return second(store.Put(ctx, by, trip.Code, 0, flight())) },
		"remove":  func(by identity.Caller) error { return second(store.Remove(ctx, by, trip.Code, 0, "I1")) },
		"delete":  func(by identity.Caller) error { return store.Delete(ctx, by, trip.Code, 0) },
		"share":   func(by identity.Caller) error { return second(store.Share(ctx, by, trip.Code, by.Email)) },
		"unshare": func(by identity.Caller) error { return second(store.Unshare(ctx, by, trip.Code, by.Name)) },
	}
	for who, by := range map[string]identity.Caller{"a manager": a.manager, "an administrator": a.admin,
		"another organisation's administrator": other.admin} {
		for name, try := range everything {
			if err := try(by); err == nil || fault.From(err).Code != "trip_not_found" {
				t.Errorf("%s: %s: %v", who, name, err)
			}
		}
		if list := must[[]itinerary.Trip](t)(store.Trips(ctx, by)); len(list) != 0 {
			t.Errorf("%s sees %+v", who, list)
		}
	}
	_, err := store.Share(ctx, a.viewer, trip.Code, other.org.Admin.Email)
	wantCode(t, err, "unknown_user")
	_, err = store.Share(ctx, a.viewer, trip.Code, a.org.Viewer.Email)
	wantCode(t, err, "own_account")
	shared := must[itinerary.Trip](t)(store.Share(ctx, a.viewer, trip.Code, a.org.Manager.Email))
	if !slices.Equal(shared.Companions, []string{a.org.Manager.Name}) {
		t.Errorf("companions are %v", shared.Companions)
	}
	theirs := must[itinerary.Trip](t)(store.Put(ctx, a.manager, trip.Code, shared.Version, flight()))
	if theirs.Mine || len(theirs.Items) != 2 {
		t.Errorf("the companion sees %+v", theirs)
	}
	if list := must[[]itinerary.Trip](t)(store.Trips(ctx, a.manager)); len(list) != 1 || list[0].Mine {
		t.Errorf("the companion's list is %+v", list)
	}
	wantCode(t, store.Delete(ctx, a.manager, trip.Code, 0), "not_yours")
	wantCode(t, second(store.Share(ctx, a.manager, trip.Code, a.org.Admin.Email)), "not_yours")
	wantCode(t, second(store.Unshare(ctx, a.manager, trip.Code, a.org.Viewer.Name)), "not_yours")
	wantCode(t, second(store.Unshare(ctx, a.viewer, trip.Code, "Nemo")), "unknown_companion")
	if err := second(store.Unshare(ctx, a.manager, trip.Code, a.org.Manager.Name)); err != nil { // they may leave
		t.Error(err)
	}
	wantCode(t, everything["get"](a.manager), "trip_not_found")
	must[itinerary.Trip](t)(store.Share(ctx, a.viewer, trip.Code, a.org.Manager.Email))
	if alone := must[itinerary.Trip](t)(store.Unshare(ctx, a.viewer, trip.Code,
		a.org.Manager.Name)); len(alone.Companions) != 0 {
		t.Errorf("companions are %v", alone.Companions)
	}
	wantCode(t, everything["put"](a.manager), "trip_not_found")
}

func second[T any](_ T, err error) error { return err }

func claim() effect.Claim {
	return effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: strings.Repeat("a", 64), Tool: "x", Turn: "t1",
		Assistant: "travel"}
}

// A tool of a viewer writes once under its claim; again, it is the trip as it is.
func TestAClaimedChangeHappensOnce(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store := travel.NewTrips(a.client)
	trip := must[itinerary.Trip](t)(store.Create(effect.With(t.Context(), claim()), a.viewer, "",
		itinerary.Trip{Title: "Mine"}))
	ctx := effect.With(t.Context(), claim())
	for range 2 {
		now := must[itinerary.Trip](t)(store.Put(ctx, a.viewer, trip.Code, 0, flight(), hotel()))
		if len(now.Items) != 2 {
			t.Errorf("there are %d items", len(now.Items))
		}
	}
	ctx = effect.With(t.Context(), claim())
	for range 2 {
		if err := store.Delete(ctx, a.viewer, trip.Code, 0); err != nil {
			t.Error(err)
		}
	}
	// What was said of a trip is not kept beyond it.
	for _, row := range localtest.SQL(t, `select before, after from public.audit where org_id = $1
		and table_name in ('trips', 'trip_items')`, a.org.ID) {
		if text := fmt.Sprint(row); strings.Contains(text, "Mira") || strings.Contains(text, "RZPNX8") {
			t.Errorf("the audit has %s", text)
		}
	}
	_, err := store.Put(effect.ReadOnly(t.Context()), a.viewer, trip.Code, 0, flight())
	if !fault.Is(err, fault.Internal) {
		t.Errorf("while a tool reads: %v", errors.Unwrap(err))
	}
}
