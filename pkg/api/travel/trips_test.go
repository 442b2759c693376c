package travel_test

import (
	"strings"
	"testing"

	ics "github.com/arran4/golang-ical"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

func local(t *testing.T, text string) calendar.DateTime {
	t.Helper()
	at, err := calendar.ParseDateTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A trip is read by its owner and named companions, and saved as a calendar file that a
// calendar reads.
func TestATripIsReadAndSavedAsACalendar(t *testing.T) {
	t.Parallel()
	c := open(t)
	me, other := c.org.Viewer, c.org.Manager
	flight := itinerary.Item{Type: itinerary.Flight, Status: itinerary.Booked, Title: "TP1351 to Lisbon",
		Origin:      "LHR",
		Destination: "LIS", Starts: local(t, "2026-12-04T19:40"), Ends: local(t, "2026-12-04T22:25"),
		StartZone: "Europe/London", EndZone: "Europe/Lisbon"}
	clash := itinerary.Item{Type: itinerary.Activity, Status: itinerary.Planned, Title: "Dinner", Place: "London",
		Starts: local(t, "2026-12-04T20:00"), Ends: local(t, "2026-12-04T22:00"), StartZone: "Europe/London",
		EndZone: "Europe/London"}
	made, err := c.trips.Create(t.Context(), caller(me, c.org), "key-of-this-trip",
		itinerary.Trip{Title: "Lisbon; with rain",
			Items: []itinerary.Item{flight, clash}})
	if err != nil {
		t.Fatal(err)
	}
	at := "/api/trips/" + made.Code
	a := c.want(200, "", me, "GET", at, nil)
	if a.Trip.Title != "Lisbon; with rain" || len(a.Trip.Items) != 2 || !a.Trip.Mine || a.header.Get("ETag") == "" ||
		len(a.Problems) == 0 {
		t.Errorf("the trip: %s", a.body)
	}
	if all := c.want(200, "", me, "GET", "/api/trips", nil).Trips; len(all) != 1 || all[0].Code != made.Code {
		t.Errorf("trips: %+v", all)
	}
	file := c.want(200, "", me, "GET", at+"/calendar.ics", nil)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename="`+made.Code+`.ics"` ||
		!strings.HasPrefix(file.header.Get("Content-Type"), "text/calendar") {
		t.Errorf("headers: %v", file.header)
	}
	parsed, err := ics.ParseCalendar(strings.NewReader(file.body))
	if err != nil || len(parsed.Events()) != 2 || strings.Contains(file.body, c.org.ID) {
		t.Fatalf("%v: %s", err, file.body)
	}
	starts, err := parsed.Events()[0].GetStartAt()
	if err != nil || starts.UTC().Format("15:04") != "19:40" {
		t.Errorf("starts at %v %v", starts, err)
	}

	// Not another member's, until named; who was named may leave.
	c.want(404, "trip_not_found", other, "GET", at, nil)
	c.want(404, "trip_not_found", other, "GET", at+"/calendar.ics", nil)
	c.want(404, "trip_not_found", other, "POST", at+"/companions", object{"email": other.Email})
	c.want(422, "bad_fields", me, "POST", at+"/companions", object{"email": " "})
	shared := c.want(200, "", me, "POST", at+"/companions", object{"email": other.Email}).Trip
	if len(shared.Companions) != 1 {
		t.Fatalf("companions: %v", shared.Companions)
	}
	if theirs := c.want(200, "", other, "GET", at, nil).Trip; theirs.Mine || len(theirs.Items) != 2 {
		t.Errorf("to a companion: %+v", theirs)
	}
	c.want(400, "invalid", me, "DELETE", at+"/companions", nil)
	c.want(200, "", me, "DELETE", at+"/companions?name="+strings.ReplaceAll(shared.Companions[0], " ", "%20"), nil)
	c.want(404, "trip_not_found", other, "GET", at, nil)
}

// Bookings and searches are the caller's own; ids of suppliers and what was found stay
// inside.
func TestBookingsAndSearchesAreListed(t *testing.T) {
	t.Parallel()
	c := open(t)
	by := caller(c.org.Manager, c.org)
	opened, err := c.booked.Open(t.Context(), by, bookings.Booking{Type: bookings.Flight, State: flights.Pending,
		Title: "London (LHR) to Lisbon (LIS)", Starts: local(t, "2099-12-04T19:40"),
		Ends:      local(t, "2099-12-04T22:25"),
		StartZone: "Europe/London", EndZone: "Europe/Lisbon", Supplier: "duffel", Key: "key-of-this-order",
		OfferID: "off_planted", Travellers: []string{"PAX-1"}})
	if err != nil {
		t.Fatal(err)
	}
	opened.State, opened.SupplierID = flights.Confirmed, "ord_planted"
	if _, err := c.booked.Settle(t.Context(), by, opened); err != nil {
		t.Fatal(err)
	}
	if _, err := c.booked.KeepSearch(t.Context(), by, bookings.Search{Type: bookings.Flight, Query: []byte(`{}`),
		Found: []byte(`{"offers":[]}`), Summary: "London to Lisbon"}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"": 1, "?q=lisbon": 1, "?q=tokyo": 0, "?when=past": 0,
		"?when=upcoming&type=flight": 1,
		"?type=hotel":                0} {
		a := c.want(200, "", c.org.Manager, "GET", "/api/travel-bookings"+query, nil)
		if len(a.Bookings) != want || strings.Contains(a.body, "planted") || strings.Contains(a.body, "key-of") {
			t.Errorf("%s: %s", query, a.body)
		}
	}
	a := c.want(200, "", c.org.Manager, "GET", "/api/searches", nil)
	if len(a.Searches) != 1 || a.Searches[0].Summary != "London to Lisbon" || strings.Contains(a.body, "offers") {
		t.Errorf("searches: %s", a.body)
	}
	for _, path := range []string{"/api/travel-bookings", "/api/searches"} {
		if a := c.want(200, "", c.org.Admin, "GET", path, nil); len(a.Bookings)+len(a.Searches) != 0 {
			t.Errorf("another member sees %s", a.body)
		}
		c.want(400, "invalid", c.org.Admin, "GET", path+"?limit=0", nil)
	}
	c.want(400, "invalid", c.org.Admin, "GET", "/api/travel-bookings?when=never", nil)
}
