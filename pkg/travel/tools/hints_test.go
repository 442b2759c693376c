package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/travel/hints"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// What is due on a trip comes from its plan and from who travels.
func TestWhatIsDueOnATripIsTold(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if none, err := d.try(d.viewer, "travel_hints", map[string]any{}); err != nil ||
		none.Text != "No trip is to come, and nothing is due." {
		t.Errorf("without a trip: %v, %s", err, none.Text)
	}
	if _, err := d.people.Save(t.Context(), d.viewer, travellers.Traveller{Self: true, Given: "Ada",
		Family: "Quillwright",
		Born:   d.today.AddDays(-35 * 365), Passport: &travellers.Passport{Number: passport, Country: "GB",
			Expires: d.today.AddDays(90)}}); err != nil {
		t.Fatal(err)
	}
	offers := d.search(d.viewer, "LHR", "LIS", map[string]any{"returnDate": d.day(36)})
	trip := d.call(d.viewer, "add_flight_to_itinerary", map[string]any{"offer": offers[0]})["trip"].(string)
	for from, to := range map[int]int{30: 32, 33: 36} {
		d.call(d.viewer, "add_hotel_to_itinerary", map[string]any{"hotelName": "Casa do Rio", "location": "Lisbon",
			"checkIn": d.day(from), "checkOut": d.day(to), "trip": trip})
	}
	told := func(more map[string]any) string {
		t.Helper()
		more["trip"] = trip
		answer := d.call(d.viewer, "travel_hints", more)
		var all []string
		for _, h := range answer["hints"].([]any) {
			all = append(all, h.(string))
		}
		return strings.Join(all, "\n")
	}
	now := told(map[string]any{})
	for _, want := range []string{"The passport of PAX-1 expires on " +
		d.today.AddDays(90).Time().Format("2 Jan 2006"),
		"No bed is planned for the night of " + d.today.AddDays(32).Time().Format("Mon 2 Jan") + " in Lisbon"} {
		if !strings.Contains(now, want) {
			t.Errorf("%q is not told of:\n%s", want, now)
		}
	}
	if strings.Contains(now, "km") {
		t.Errorf("where the person is was not said:\n%s", now)
	}
	// Where the person is stands in no argument.
	if _, err := d.try(d.viewer, "travel_hints", map[string]any{"trip": trip, "latitude": 51.51}); err == nil {
		t.Error("a location was taken as an argument, which is kept")
	}
	// On the evening before, who says where they are is told when to leave; others are not.
	d.later(time.Until(d.today.AddDays(30).Time().Add(-time.Hour)))
	if evening := told(map[string]any{}); strings.Contains(evening, " km ") {
		t.Errorf("where the person is was not said:\n%s", evening)
	}
	call, err := d.tool("travel_hints").Prepare(encoded(t, map[string]any{"trip": trip}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := call.Run(hints.WithLocation(t.Context(), hints.Point{Lat: 51.51, Lon: -0.13}), d.viewer)
	if err != nil || !strings.Contains(r.Text, "about 23 km in a straight line") {
		t.Errorf("when to leave is not told: %v, %s", err, r.Text)
	}
	d.quiet()
	if _, err := d.try(d.manager, "travel_hints", map[string]any{"trip": trip}); err == nil {
		t.Error("another person's trip")
	}
}
