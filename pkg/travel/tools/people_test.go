package tools_test

import (
	"strings"
	"testing"
)

// What a person likes and has decided is shown, changed and forgotten by themselves alone.
//
// S1-33
func TestPreferencesAreThePersonsOwn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r, err := d.try(d.viewer, "show_preferences", map[string]any{})
	if err != nil || !strings.Contains(r.Text, "Nothing is remembered") {
		t.Fatalf("at first: %v: %s", err, r.Text)
	}
	d.call(d.viewer, "update_preferences", map[string]any{"preferredAirlines": []string{"TAP"},
		"preferredCabinClass": "premium_economy", "homeAirport": "Bengaluru",
		"budgetPreferences": map[string]any{"flights": "premium"}})
	now := d.call(d.viewer, "update_preferences", map[string]any{"dietaryRestrictions": []string{"vegetarian"},
		"budgetPreferences": map[string]any{"accommodations": "economy"}})
	p, _ := now["preferences"].(map[string]any)
	budget, _ := p["budgetPreferences"].(map[string]any)
	if p["preferredCabinClass"] != "premium_economy" || p["homeAirport"] != "BLR" || budget["flights"] != "premium" ||
		budget["accommodations"] != "economy" {
		t.Errorf("preferences are %v", p)
	}
	decision := d.call(d.viewer, "remember_decision", map[string]any{"text": "No red-eye flights", "about": "flights"})
	shown := d.call(d.viewer, "show_preferences", map[string]any{})
	if got := list(shown["decisions"]); len(got) != 1 || got[0]["text"] != "No red-eye flights" ||
		got[0]["code"] != decision["code"] {
		t.Errorf("decisions are %v", got)
	}
	if other := d.call(d.manager, "show_preferences", map[string]any{}); strings.Contains(toJSON(t, other),
		"red-eye") ||
		strings.Contains(toJSON(t, other), "TAP") {
		t.Errorf("another person sees %v", other)
	}
	d.call(d.viewer, "forget_decision", map[string]any{"decision": strings.ToLower(decision["code"].(string))})
	if shown := d.call(d.viewer, "show_preferences", map[string]any{}); len(list(shown["decisions"])) != 0 {
		t.Errorf("after forgetting: %v", shown)
	}
	_, err = d.try(d.viewer, "update_preferences", map[string]any{})
	wantCode(t, "nothing to change", err, "nothing_to_change")
}

func toJSON(t *testing.T, v any) string { return string(encoded(t, v)) }

// A model sees codes, kinds and what is missing of travellers, and nothing personal.
func TestTravellersAreCodes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.viewer)
	r, err := d.try(d.viewer, "list_travellers", map[string]any{"on": d.day(30)})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Text, "PAX-1 (adult, complete, passport until 15 May 2032)") ||
		!strings.Contains(r.Text, "PAX-3 (child, complete, ") ||
		len(r.Parts) != 1 || r.Parts[0].Kind != "travellers" {
		t.Errorf("travellers are %s, %v", r.Text, r.Parts)
	}
	if other := d.call(d.manager, "list_travellers", map[string]any{}); len(list(other["travellers"])) != 0 {
		t.Errorf("another person sees %v", other)
	}
	d.quiet()
}

// What is due on a trip is told.
//
// S1-28
func TestHintsOfATrip(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	offers := d.search(d.viewer, "LHR", "LIS", map[string]any{"departureDate": d.day(3),
		"returnDate": d.day(6)})
	trip := d.call(d.viewer, "add_flight_to_itinerary", map[string]any{"offer": offers[0]})["trip"]
	for _, night := range []int{3, 5} { // and none between
		d.call(d.viewer, "add_hotel_to_itinerary", map[string]any{"hotelName": "Casa do Rio", "location": "Lisbon",
			"checkIn": d.day(night), "checkOut": d.day(night + 1), "trip": trip})
	}
	r, err := d.try(d.viewer, "travel_hints", map[string]any{"trip": trip})
	if err != nil {
		t.Fatal(err)
	}
	if hints, _ := members(t, r.Data)["hints"].([]any); !strings.Contains(toText(hints), "night") {
		t.Errorf("hints are %s", r.Data)
	}
}
