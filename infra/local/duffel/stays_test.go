package duffel_test

import (
	"net/http"
	"testing"
	"time"
)

func staySearch(change m) m {
	body := m{"location": m{"radius": 5, "geographic_coordinates": m{"latitude": 38.7223, "longitude": -9.1393}},
		"check_in_date": "2026-12-18", "check_out_date": "2026-12-20", "rooms": 1,
		"guests": []any{m{"type": "adult"}, m{"type": "adult"}, m{"type": "child", "age": 7}}}
	for name, value := range change {
		body[name] = value
	}
	return body
}

func TestAStayIsQuotedBookedAndCancelled(t *testing.T) {
	c := start(t, nil)
	found := c.call("POST", "/stays/search", staySearch(nil))
	again := c.call("POST", "/stays/search", staySearch(nil))
	results, _ := at(found.Data, "results").([]any)
	if found.status != http.StatusOK || len(results) < 4 || at(found.Data, "results", 0, "accommodation", "id") !=
		at(again.Data, "results", 0, "accommodation", "id") {
		t.Fatalf("%d, %d hotels", found.status, len(results))
	}
	rates := c.call("POST", "/stays/search_results/"+at(results, 0, "id").(string)+"/actions/fetch_all_rates", nil)
	cheapest := ""
	for _, room := range at(rates.Data, "accommodation", "rooms").([]any) {
		for _, rate := range at(room, "rates").([]any) {
			if at(rate, "total_amount") == at(results, 0, "cheapest_rate_total_amount") {
				cheapest = at(rate, "id").(string)
			}
		}
	}
	quote := c.call("POST", "/stays/quotes", m{"rate_id": cheapest})
	if quote.status != http.StatusCreated ||
		at(quote.Data, "total_amount") != at(results, 0, "cheapest_rate_total_amount") {
		t.Fatalf("quote of %q: %d %v", cheapest, quote.status, quote.Errors)
	}
	body := m{"quote_id": at(quote.Data, "id"), "email": "amelia@example.com", "phone_number": "+442080160508",
		"guests": []any{m{"given_name": "Amelia", "family_name": "Earhart"}}, "metadata": m{"bellhop": "K7M2-3"}}
	local := c.call("POST", "/stays/bookings", with(body, "phone_number", "0208"))
	if local.code() != "invalid_phone_number" {
		t.Errorf("a local number: %s", local.code())
	}
	booked := c.call("POST", "/stays/bookings", body)
	if booked.status != http.StatusCreated || at(booked.Data, "status") != "confirmed" {
		t.Fatalf("%d %v", booked.status, booked.Errors)
	}
	if got := c.call("POST", "/stays/bookings", body); got.code() != "quote_already_booked" {
		t.Errorf("booked twice: %s", got.code())
	}
	path := "/stays/bookings/" + at(booked.Data, "id").(string)
	if got := c.call("POST", path+"/actions/cancel", nil); at(got.Data, "status") != "cancelled" {
		t.Errorf("cancelled: %v", got)
	}
	if got := c.call("GET", path, nil); at(got.Data, "cancelled_at") == nil {
		t.Errorf("then: %v", got.Data)
	}
	if got := c.call("POST", path+"/actions/cancel", nil); got.code() != "already_cancelled" {
		t.Errorf("cancelled twice: %s", got.code())
	}
	c.clock.at = c.clock.at.Add(time.Hour)
	if got := c.call("POST", "/stays/quotes", m{"rate_id": cheapest}); got.code() != "rate_unavailable" {
		t.Errorf("an hour later: %s", got.code())
	}
}

func TestWhatASearchForStaysRefuses(t *testing.T) {
	c := start(t, nil)
	for name, test := range map[string]struct {
		change m
		code   string
	}{
		"no location":   {m{"location": nil}, "validation_required"},
		"two locations": {m{"accommodation": m{"ids": []any{"acc_1"}}}, "invalid_field_sets"},
		"no night":      {m{"check_out_date": "2026-12-18"}, "validation_format"},
		"the past":      {m{"check_in_date": "2026-11-01"}, "validation_format"},
		"no age":        {m{"guests": []any{m{"type": "adult"}, m{"type": "child"}}}, "validation_required"},
		"only children": {m{"guests": []any{m{"type": "child", "age": 7}}}, "validation_format"},
		"no room":       {m{"rooms": 0}, "validation_inclusion"},
	} {
		if got := c.call("POST", "/stays/search", staySearch(test.change)); got.code() != test.code {
			t.Errorf("%s: %d %s, want %s", name, got.status, got.code(), test.code)
		}
	}
}

func TestHotelsNearEveryPlace(t *testing.T) {
	c := start(t, nil)
	places := map[string][2]float64{"Goa": {15.49, 73.82}, "Tokyo": {35.68, 139.76}, "Ushuaia": {-54.8, -68.3}}
	for place, where := range places {
		got := c.call("POST", "/stays/search", staySearch(m{"location": m{"radius": 10,
			"geographic_coordinates": m{"latitude": where[0], "longitude": where[1]}}}))
		results, _ := at(got.Data, "results").([]any)
		names := map[any]bool{}
		for _, r := range results {
			names[at(r, "accommodation", "name")] = true
		}
		if len(results) < 6 || len(results) > 30 || len(names) != len(results) {
			t.Errorf("%s: %d hotels of %d names", place, len(results), len(names))
		}
	}
}
