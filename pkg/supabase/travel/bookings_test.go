package travel_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// legs are those of a flight there and back.
func legs() []flights.Leg {
	return []flights.Leg{
		{Origin: "LHR", Destination: "LIS", Departs: at("2026-12-04T19:05"), Arrives: at("2026-12-04T21:50"),
			Minutes: 165,
			Segments: []flights.Segment{{Origin: "LHR", Destination: "LIS", Departs: at("2026-12-04T19:05"),
				Arrives: at("2026-12-04T21:50"), OriginZone: "Europe/London", DestZone: "Europe/Lisbon",
				Number:     "TP1357",
				OriginCity: "London", DestCity: "Lisbon", OriginNation: "GB", DestNation: "PT"}}},
		{Origin: "LIS", Destination: "LHR", Departs: at("2026-12-06T18:00"), Arrives: at("2026-12-06T20:45"),
			Minutes: 165,
			Segments: []flights.Segment{{Origin: "LIS", Destination: "LHR", Departs: at("2026-12-06T18:00"),
				Arrives: at("2026-12-06T20:45"), OriginZone: "Europe/Lisbon", DestZone: "Europe/London",
				Number:     "TP1358",
				OriginCity: "Lisbon", DestCity: "London", OriginNation: "PT", DestNation: "GB"}}},
	}
}

// order is what is about to be ordered.
func order(trip string) bookings.Booking {
	return bookings.Booking{Type: bookings.Flight, Title: "London (LHR) to Lisbon (LIS)",
		Starts: at("2026-12-04T19:05"),
		Ends:   at("2026-12-06T20:45"), StartZone: "Europe/London", EndZone: "Europe/London",
		Total: price("612.40", "GBP"), Travellers: []string{"PAX-1", "PAX-2"}, Trip: trip, Details: raw(legs()),
		Supplier: "duffel", OfferID: "off_1", Key: "act-" + uuid.NewString()}
}

func search() bookings.Search {
	return bookings.Search{Type: bookings.Flight, Query: raw(flights.Query{Ages: []int{flights.Adult}}),
		Summary: "London to Lisbon, 4 Dec, 1 traveller", Found: raw(flights.Found{More: true, Offers: []flights.Offer{
			{ID: "off_1", Total: *price("612.40", "GBP"), Slices: legs()},
			{ID: "off_2", Total: *price("30000", "JPY")}, {ID: "off_3", Total: *price("12.345", "KWD")}}})}
}

// S1-20, S1-34: a search has its type, query and time.
func TestASearchIsKeptForItsUser(t *testing.T) {
	t.Parallel()
	a, other := newAgency(t), newAgency(t)
	store := travel.NewBookings(a.client)
	ctx := effect.ReadOnly(t.Context()) // a tool that reads keeps its search
	kept := must[bookings.Search](t)(store.KeepSearch(ctx, a.viewer, search()))
	if len(kept.Code) != 4 || kept.At.IsZero() {
		t.Fatalf("kept is %+v", kept)
	}
	got := must[bookings.Search](t)(store.Search(ctx, a.viewer, strings.ToLower(kept.Code)+"-2"))
	var found flights.Found
	if err := json.Unmarshal(got.Found, &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Offers) != 3 || found.Offers[0].ID != "off_1" || found.Offers[1].Total.String() != "¥30,000" ||
		found.Offers[2].Total.Amount.String() != "12.345" || !found.More || got.Type != bookings.Flight ||
		got.Code != kept.Code {
		t.Errorf("found are %+v", found)
	}
	for who, by := range map[string]identity.Caller{"an administrator": a.admin,
		"another organisation": other.viewer} {
		_, err := store.Search(ctx, by, kept.Code)
		wantCode(t, err, "search_gone")
		if list := must[[]bookings.Search](t)(store.Searches(ctx, by, 0)); len(list) != 0 {
			t.Errorf("%s sees %+v", who, list)
		}
	}
	hotels := must[bookings.Search](t)(store.KeepSearch(ctx, a.viewer, bookings.Search{Type: bookings.Hotel,
		Query: raw(stays.Query{Place: "Lisbon"}), Summary: "Lisbon",
		Found: raw(stays.Found{Hotels: []stays.Hotel{{ID: "srr_1", Rates: []stays.Rate{{ID: "rat_1"},
			{ID: "rat_2"}}}}})}))
	hotels.Found = raw(stays.Found{Hotels: []stays.Hotel{{ID: "srr_2"}}})
	if now := must[bookings.Search](t)(store.KeepSearch(ctx, a.viewer, hotels)); now.Code != hotels.Code {
		t.Errorf("another search: %+v", now)
	}
	if now := must[bookings.Search](t)(store.Search(ctx, a.viewer, hotels.Code)); !strings.Contains(string(now.Found),
		"srr_2") {
		t.Errorf("found are %s", now.Found)
	}
	list := must[[]bookings.Search](t)(store.Searches(ctx, a.viewer, 5))
	if len(list) != 2 || list[0].Code != hotels.Code || list[1].Summary != search().Summary || list[1].Found != nil {
		t.Errorf("the list is %+v", list)
	}

	// Offers go after a day, queries after ninety.
	localtest.SQL(t, `update public.travel_searches set at = at - interval '25 hours' where org_id = $1 and code = $2`,
		a.org.ID, kept.Code)
	localtest.SQL(t, `update public.travel_searches set at = at - interval '91 days' where org_id = $1 and code = $2`,
		a.org.ID, hotels.Code)
	_, err := store.Search(ctx, a.viewer, kept.Code)
	wantCode(t, err, "search_gone")
	localtest.SQL(t, `select app.clean_up_travel()`)
	rows := localtest.SQL(t, `select code, found is null as gone from public.travel_searches where org_id = $1`,
		a.org.ID)
	if len(rows) != 1 || rows[0]["code"] != kept.Code || rows[0]["gone"] != true {
		t.Errorf("left are %v", rows)
	}
}

func TestABookingIsOpenedOnceAndSettled(t *testing.T) {
	t.Parallel()
	a, other := newAgency(t), newAgency(t)
	store, trips := travel.NewBookings(a.client), travel.NewTrips(a.client)
	ctx := t.Context()
	trip := must[itinerary.Trip](t)(trips.Create(ctx, a.manager, "", itinerary.Trip{Title: "Lisbon"}))
	o := order(trip.Code)
	first := must[bookings.Booking](t)(store.Open(ctx, a.manager, o))
	again := must[bookings.Booking](t)(store.Open(ctx, a.manager, o))
	if first.Code != "TB-0001" || again.Code != first.Code || first.State != flights.Pending ||
		first.OfferID != "off_1" ||
		first.Key != o.Key || first.Trip != trip.Code || !slices.Equal(first.Travellers, o.Travellers) ||
		first.Total.String() != "£612.40" || first.Starts != o.Starts || first.EndZone != "Europe/London" {
		t.Fatalf("opened are %+v and %+v", first, again)
	}
	state := func(want ...itinerary.Status) {
		t.Helper()
		var got []itinerary.Status
		for _, i := range must[itinerary.Trip](t)(trips.Trip(ctx, a.manager, trip.Code)).Items {
			if got = append(got, i.Status); i.Booking != first.Code {
				t.Errorf("the item is %+v", i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the trip has %v, want %v", got, want)
		}
	}
	state()
	payBy := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	held := must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: first.Code,
		Type: bookings.Flight, Title: o.Title, Starts: o.Starts, State: flights.Held, Reference: "RZPNX8",
		SupplierID: "ord_1", PayBy: &payBy}))
	if held.State != flights.Held || held.Reference != "RZPNX8" || held.SupplierID != "ord_1" ||
		!held.PayBy.Equal(payBy) ||
		held.Title != first.Title || held.Total.String() != "£612.40" || held.OfferID != "off_1" {
		t.Errorf("held is %+v", held)
	}
	state(itinerary.Held, itinerary.Held)
	items := must[itinerary.Trip](t)(trips.Trip(ctx, a.manager, trip.Code)).Items
	if items[0].Title != "London (LHR) to Lisbon (LIS)" || items[1].StartZone != "Europe/Lisbon" ||
		items[0].Reference != "RZPNX8" || items[0].Price.String() != "£612.40" || items[1].Price != nil ||
		!items[0].International || items[1].Number != "TP1358" {
		t.Errorf("the items are %+v", items)
	}
	held.State, held.Paid = flights.Confirmed, true
	paid := must[bookings.Booking](t)(store.Settle(ctx, a.manager, held))
	if paid.State != flights.Confirmed || !paid.Paid || paid.PayBy != nil {
		t.Errorf("paid is %+v", paid)
	}
	state(itinerary.Booked, itinerary.Booked)
	// What is told late changes nothing.
	late := must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: first.Code,
		State: flights.Held}))
	if late.State != flights.Confirmed || !late.Paid {
		t.Errorf("a late answer made it %+v", late)
	}
	gone := must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: first.Code,
		State: flights.Cancelled, Refunded: price("100.00", "GBP")}))
	if gone.State != flights.Cancelled || gone.Refunded.String() != "£100.00" {
		t.Errorf("cancelled is %+v", gone)
	}
	state(itinerary.Cancelled, itinerary.Cancelled)
	late = must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: first.Code,
		State: flights.Confirmed}))
	if late.State != flights.Cancelled {
		t.Errorf("a late answer made it %+v", late)
	}

	// One that failed leaves nothing in the trip.
	next := must[bookings.Booking](t)(store.Open(ctx, a.manager, order(trip.Code)))
	must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: next.Code, State: flights.Pending}))
	if n := len(must[itinerary.Trip](t)(trips.Trip(ctx, a.manager, trip.Code)).Items); n != 4 {
		t.Errorf("there are %d items", n)
	}
	must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: next.Code, State: flights.Failed}))
	state(itinerary.Cancelled, itinerary.Cancelled)

	for who, by := range map[string]identity.Caller{"an administrator": a.admin, "another organisation": other.admin} {
		_, err := store.Get(ctx, by, first.Code)
		wantCode(t, err, "booking_not_found")
		_, err = store.Settle(ctx, by, bookings.Booking{Code: first.Code, State: flights.Failed, Type: bookings.Flight,
			Details: raw(legs())})
		wantCode(t, err, "booking_not_found")
		_, err = store.Rate(ctx, by, first.Code, 5, "")
		wantCode(t, err, "booking_not_found")
		_, err = store.Open(ctx, by, order(trip.Code))
		wantCode(t, err, "trip_not_found")
		if list := must[[]bookings.Booking](t)(store.List(ctx, by, bookings.Filter{})); len(list) != 0 {
			t.Errorf("%s sees %+v", who, list)
		}
	}
}

// A double click: of several at once one writes, and all hear of the same.
func TestSeveralAtOnceAreOne(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store, trips := travel.NewBookings(a.client), travel.NewTrips(a.client)
	ctx, o := t.Context(), order("")
	codes := make(chan string, 8)
	for n := range 8 {
		go func() {
			if n%2 == 0 {
				b, err := store.Open(ctx, a.manager, o)
				codes <- b.Code + errorText(err)
				return
			}
			trip, err := trips.Create(ctx, a.manager, "turn-1", itinerary.Trip{Title: "Lisbon",
				Items: []itinerary.Item{hotel()}})
			codes <- trip.Code + errorText(err)
		}()
	}
	seen := map[string]int{}
	for range 8 {
		seen[<-codes]++
	}
	if len(seen) != 2 || seen["TB-0001"] != 4 || seen["TR-0001"] != 4 {
		t.Errorf("they heard of %v", seen)
	}
	if list := must[[]itinerary.Trip](t)(trips.Trips(ctx, a.manager)); len(list) != 1 {
		t.Errorf("there are %d trips", len(list))
	}
	if list := must[[]bookings.Booking](t)(store.List(ctx, a.manager, bookings.Filter{})); len(list) != 1 {
		t.Errorf("there are %d bookings", len(list))
	}
}

func errorText(err error) string {
	if err != nil {
		return " " + err.Error()
	}
	return ""
}

// A companion's booking changes the trip for as long as they are one.
func TestACompanionsBookingStandsInTheTrip(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store, trips := travel.NewBookings(a.client), travel.NewTrips(a.client)
	ctx := t.Context()
	trip := must[itinerary.Trip](t)(trips.Create(ctx, a.viewer, "", itinerary.Trip{Title: "Lisbon"}))
	must[itinerary.Trip](t)(trips.Share(ctx, a.viewer, trip.Code, a.org.Manager.Email))
	b := must[bookings.Booking](t)(store.Open(ctx, a.manager, order(trip.Code)))
	must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: b.Code, State: flights.Confirmed}))
	// The owner sees what stands in the trip, may change it, and has no such booking.
	seen := must[itinerary.Trip](t)(trips.Trip(ctx, a.viewer, trip.Code))
	if len(seen.Items) != 2 || seen.Items[0].Status != itinerary.Booked || seen.Items[0].Booking != b.Code {
		t.Fatalf("the owner sees %+v", seen.Items)
	}
	first := seen.Items[0]
	first.Notes = "Taxi at five"
	must[itinerary.Trip](t)(trips.Put(ctx, a.viewer, trip.Code, seen.Version, first))
	_, err := store.Get(ctx, a.viewer, b.Code)
	wantCode(t, err, "booking_not_found")
	must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: b.Code, State: flights.Cancelled}))
	seen = must[itinerary.Trip](t)(trips.Trip(ctx, a.viewer, trip.Code))
	if seen.Items[0].Status != itinerary.Cancelled || seen.Items[0].Notes != "Taxi at five" {
		t.Errorf("the item is %+v", seen.Items[0])
	}
	other := must[bookings.Booking](t)(store.Open(ctx, a.manager, order(trip.Code)))
	must[itinerary.Trip](t)(trips.Unshare(ctx, a.viewer, trip.Code, a.org.Manager.Name))
	now := must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: other.Code,
		State: flights.Confirmed}))
	if then := must[itinerary.Trip](t)(trips.Trip(ctx, a.viewer, trip.Code)); len(then.Items) != 2 || now.Trip != "" {
		t.Errorf("without them the trip has %+v", then.Items)
	}
}

// Who leaves the organisation leaves nothing, nor their companions' view of it.
func TestRowsGoWithTheMembership(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store, trips := travel.NewBookings(a.client), travel.NewTrips(a.client)
	ctx := t.Context()
	trip := must[itinerary.Trip](t)(trips.Create(ctx, a.viewer, "", itinerary.Trip{Title: "Mine",
		Items: []itinerary.Item{hotel()}}))
	must[itinerary.Trip](t)(trips.Share(ctx, a.viewer, trip.Code, a.org.Manager.Email))
	must[bookings.Booking](t)(store.Add(ctx, a.viewer, bookings.Booking{Type: bookings.Hotel, Title: "Hotel Mira",
		Starts: at("2026-12-04T15:00"), Trip: trip.Code}))
	must[bookings.Search](t)(store.KeepSearch(ctx, a.viewer, search()))
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, a.org.ID, a.viewer.UserID)
	left := localtest.SQL(t, `select (select count(*) from public.trips where org_id = $1) +
		(select count(*) from public.trip_items where org_id = $1) +
		(select count(*) from public.travel_bookings where org_id = $1) +
		(select count(*) from public.travel_searches where org_id = $1) +
		(select count(*) from public.companions where org_id = $1) as n`, a.org.ID)
	if n := left[0]["n"]; n != int64(0) {
		t.Errorf("%v rows are left", n)
	}
	if list := must[[]itinerary.Trip](t)(trips.Trips(ctx, a.manager)); len(list) != 0 {
		t.Errorf("the companion sees %+v", list)
	}
}

// S1-20, S1-34: past bookings have a type, a rating and feedback, and are found by words.
func TestBookingsAreFound(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store, trips := travel.NewBookings(a.client), travel.NewTrips(a.client)
	ctx := t.Context()
	by := a.viewer // enters and rates what is their own
	trip := must[itinerary.Trip](t)(trips.Create(ctx, by, "", itinerary.Trip{Title: "Lisbon"}))
	add := func(b bookings.Booking) bookings.Booking {
		t.Helper()
		return must[bookings.Booking](t)(store.Add(effect.With(ctx, claim()), by, b))
	}
	past := add(bookings.Booking{Type: bookings.Hotel, Title: "Hotel Lisboa Prime", Place: "Lisbon",
		Starts: at("2025-03-01T00:00"), Ends: at("2025-03-04T00:00"), StartZone: "Europe/Lisbon", Rating: 4,
		Feedback: "Quiet rooms, slow lift", Supplier: "duffel", SupplierID: "ord_of_another", Trip: trip.Code})
	if past.State != flights.Confirmed || past.Rating != 4 || past.SupplierID != "" ||
		past.EndZone != "Europe/Lisbon" {
		t.Errorf("it is %+v", past)
	}
	items := must[itinerary.Trip](t)(trips.Trip(ctx, by, trip.Code)).Items
	if len(items) != 1 || !items[0].AllDay || items[0].Status != itinerary.Booked {
		t.Errorf("the items are %+v", items)
	}
	older := add(bookings.Booking{Type: bookings.Flight, Title: "Bengaluru (BLR) to Goa (GOI)",
		Starts: at("2024-03-01T08:00"), Ends: at("2024-03-01T09:10"), StartZone: "Asia/Kolkata"})
	next := add(bookings.Booking{Type: bookings.Activity, Title: "Tram tour", Place: "Lisbon",
		Starts: at("2098-03-01T08:00"), Ends: at("2098-03-01T09:10"), StartZone: "Europe/Lisbon"})
	later := add(bookings.Booking{Type: bookings.Flight, Title: "Lisbon to Porto",
		Starts: at("2099-03-01T08:00"), Ends: at("2099-03-01T09:10"), StartZone: "Europe/Lisbon"})
	for name, tt := range map[string]struct {
		filter bookings.Filter
		want   []bookings.Booking
	}{
		"all":             {bookings.Filter{}, []bookings.Booking{later, next, past, older}},
		"past":            {bookings.Filter{Past: true}, []bookings.Booking{past, older}},
		"upcoming":        {bookings.Filter{Upcoming: true}, []bookings.Booking{next, later}},
		"flights":         {bookings.Filter{Type: bookings.Flight}, []bookings.Booking{later, older}},
		"one":             {bookings.Filter{Limit: 1}, []bookings.Booking{later}},
		"feedback":        {bookings.Filter{Text: "quiet room"}, []bookings.Booking{past}},
		"nearly spelt so": {bookings.Filter{Text: "Bangaluru"}, []bookings.Booking{older}},
		"nothing":         {bookings.Filter{Text: "Reykjavik"}, nil},
		"hostile":         {bookings.Filter{Text: `' or 1=1 -- & | ! : * (`}, nil},
	} {
		var got, want []string
		for _, b := range must[[]bookings.Booking](t)(store.List(ctx, by, tt.filter)) {
			got = append(got, b.Code)
		}
		for _, b := range tt.want {
			want = append(want, b.Code)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: found are %v, want %v", name, got, want)
		}
	}
	rated := must[bookings.Booking](t)(store.Rate(effect.With(ctx, claim()), by, older.Code, 2, " Late\u0007. "))
	if rated.Rating != 2 || rated.Feedback != "Late." || rated.Version != older.Version+1 {
		t.Errorf("rated: %+v", rated)
	}
	_, err := store.Rate(ctx, by, older.Code, 6, "")
	wantCode(t, err, "bad_rating")
	_, err = store.Add(ctx, by, bookings.Booking{Type: "cruise", Title: "x"})
	wantCode(t, err, "bad_booking")
}

// What a supplier tells is applied once, also where it comes late.
func TestANoticeIsTakenOnce(t *testing.T) {
	t.Parallel()
	a := newAgency(t)
	store, trips := travel.NewBookings(a.client), travel.NewTrips(a.client)
	ctx := t.Context()
	admin, err := supabase.NewAdmin(localtest.Config(t, localtest.Stack(t)),
		identity.Secret(localtest.Stack(t).Keys().Secret))
	if err != nil {
		t.Fatal(err)
	}
	notices := travel.NewNotices(admin)
	trip := must[itinerary.Trip](t)(trips.Create(ctx, a.manager, "", itinerary.Trip{Title: "Lisbon"}))
	b := must[bookings.Booking](t)(store.Open(ctx, a.manager, order(trip.Code)))
	id := "ord_" + uuid.NewString()
	must[bookings.Booking](t)(store.Settle(ctx, a.manager, bookings.Booking{Code: b.Code, State: flights.Confirmed,
		SupplierID: id}))
	moved := legs()
	moved[0].Departs, moved[0].Arrives = at("2026-12-04T21:05"), at("2026-12-04T23:50")
	n := bookings.Notice{ID: "wev_" + id, Supplier: "duffel", SupplierID: id, Legs: moved,
		Change: "The flight to Lisbon leaves two hours later."}
	for i, want := range []bool{true, false} {
		if took := must[bool](t)(notices.Take(ctx, n)); took != want {
			t.Errorf("the %d. time: %v", i+1, took)
		}
	}
	now := must[bookings.Booking](t)(store.Get(ctx, a.manager, b.Code))
	items := must[itinerary.Trip](t)(trips.Trip(ctx, a.manager, trip.Code)).Items
	if now.Change != n.Change || now.State != flights.Confirmed || now.Starts != moved[0].Departs || len(items) != 2 ||
		items[0].Starts != moved[0].Departs || items[0].Status != itinerary.Booked || now.Title != b.Title {
		t.Errorf("it is %+v with %+v", now, items)
	}
	if took := must[bool](t)(notices.Take(ctx, bookings.Notice{ID: "wev_x", Supplier: "duffel",
		SupplierID: "ord_of_no_one", State: flights.Cancelled})); took {
		t.Error("a notice of no booking was taken")
	}
	if took := must[bool](t)(notices.Take(ctx, bookings.Notice{ID: "wev_2" + id, Supplier: "duffel", SupplierID: id,
		State: flights.Cancelled})); !took {
		t.Error("the cancellation was not taken")
	}
	if now := must[bookings.Booking](t)(store.Get(ctx, a.manager, b.Code)); now.State != flights.Cancelled ||
		now.Change != "" {
		t.Errorf("it is %+v", now)
	}
	// None of the supplier's names is in the audit.
	for _, row := range localtest.SQL(t, `select coalesce(before::text, '') || coalesce(after::text, '') as text
		from public.audit where org_id = $1`, a.org.ID) {
		for _, name := range []string{"ord_", "off_1", "London ("} {
			if text := row["text"].(string); strings.Contains(text, name) {
				t.Errorf("the audit has %s", text)
			}
		}
	}
}
