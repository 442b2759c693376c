package runtimes_test

import (
	"net/http"
	"testing"
)

// A card's button whose call cannot be made as it stands shows how to go on: which place is
// meant, and who travels.
func TestACallThatAsksHasItsParts(t *testing.T) {
	t.Parallel()
	a := newTravel(t, "")
	p := a.org.Manager
	status, asked := a.call(p, http.MethodPost, "/api/tools/travel/search_flights",
		map[string]any{"origin": "Springfield",
			"destination": "JFK", "departureDate": "2026-12-04"})
	parts, _ := asked["parts"].([]any)
	if status != http.StatusBadRequest || asked["code"] != "ambiguous" || len(parts) != 1 ||
		parts[0].(map[string]any)["kind"] != "choices" || parts[0].(map[string]any)["id"] == "" {
		t.Errorf("%d %v", status, asked)
	}
	found := a.do(p, http.MethodPost, "/api/tools/travel/search_flights", map[string]any{"origin": "LHR",
		"destination": "JFK", "departureDate": "2026-12-04"})
	offer := found["data"].(map[string]any)["offers"].([]any)[0].(map[string]any)["code"]
	status, asked = a.call(p, http.MethodPost, "/api/tools/travel/book_flight", map[string]any{"offer": offer})
	parts, _ = asked["parts"].([]any)
	if status != http.StatusUnprocessableEntity || asked["code"] != "travellers_missing" || len(parts) != 1 ||
		parts[0].(map[string]any)["kind"] != "travellers" {
		t.Errorf("%d %v", status, asked)
	}
	// Any other refusal has none.
	if _, refused := a.call(p, http.MethodPost, "/api/tools/travel/search_flights", map[string]any{"origin": "LHR",
		"destination": "LHR", "departureDate": "2026-12-04"}); refused["code"] != "same_place" ||
		refused["parts"] != nil {
		t.Errorf("%v", refused)
	}
}
