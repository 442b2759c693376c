package tools_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// What is due on a trip comes from its plan and from who travels.
func TestWhatIsDueOnATripIsTold(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if _, err := d.try(d.viewer, "travel_hints", map[string]any{}); err == nil {
		t.Error("there is no trip, and hints of it")
	}
	if _, err := d.people.Save(t.Context(), d.viewer, travellers.Traveller{Self: true, Given: "Ada", Family: "Quillwright",
		Born: d.today.AddDays(-35 * 365), Passport: &travellers.Passport{Number: passport, Country: "GB",
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
	for _, want := range []string{"The passport of PAX-1 expires on " + d.today.AddDays(90).Time().Format("2 Jan 2006"),
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
	d.quiet()
	if _, err := d.try(d.manager, "travel_hints", map[string]any{"trip": trip}); err == nil {
		t.Error("another person's trip")
	}
}
