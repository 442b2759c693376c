package duffel_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestSlicesWindowsAndCabins(t *testing.T) {
	c := start(t, nil)
	got := c.call("POST", "/air/offer_requests", m{
		"slices": []any{
			m{"origin": "LON", "destination": "LIS", "departure_date": "2026-12-18",
				"departure_time": m{"from": "15:00", "to": "21:00"}},
			m{"origin": "LIS", "destination": "MAD", "departure_date": "2026-12-20"},
			m{"origin": "MAD", "destination": "LON", "departure_date": "2026-12-22"},
		},
		"passengers": []any{m{"type": "adult"}, m{"age": 7}, m{"age": 1}}, "cabin_class": "business",
		"max_connections": 0,
	})
	list := offersOf(got)
	if got.status != http.StatusCreated || len(list) == 0 || at(got.Data, "slices", 0, "origin_type") != "city" {
		t.Fatalf("%d, %d offers", got.status, len(list))
	}
	for _, o := range list {
		slices := at(o, "slices").([]any)
		if len(slices) != 3 {
			t.Fatalf("%d slices", len(slices))
		}
		last := ""
		for _, s := range slices {
			seg := at(s, "segments", 0)
			departs, arrives := at(seg, "departing_at").(string), at(seg, "arriving_at").(string)
			if at(s, "segments", 1) != nil || departs < last || at(seg, "passengers", 0, "cabin_class") != "business" {
				t.Fatalf("a segment is %v", seg)
			}
			last = arrives
		}
		if clock := at(slices[0], "segments", 0, "departing_at").(string)[11:16]; clock < "15:00" || clock > "21:00" {
			t.Fatalf("it departs at %s", clock)
		}
		if kind := at(o, "passengers", 2, "type"); kind != "infant_without_seat" {
			t.Fatalf("the infant is %v", kind)
		}
	}
}

func TestTimesAreLocalAndCurrenciesKeepTheirDecimals(t *testing.T) {
	c := start(t, nil)
	// From London to Delhi the local clocks are five and a half hours apart.
	seg := at(pick(t, c.search("LHR", "DEL"), nil), "slices", 0, "segments", 0)
	departs, err := time.Parse("2006-01-02T15:04:05", at(seg, "departing_at").(string))
	if err != nil {
		t.Fatal(err)
	}
	arrives, err := time.Parse("2006-01-02T15:04:05", at(seg, "arriving_at").(string))
	if err != nil {
		t.Fatal(err)
	}
	took, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(at(seg, "duration").(string), "PT")))
	if err != nil || arrives.Sub(departs)-took != 330*time.Minute {
		t.Errorf("%s to %s in %s (%v)", departs, arrives, took, err)
	}
	for route, want := range map[[2]string]string{{"NRT", "SIN"}: "JPY", {"KWI", "LHR"}: "KWD",
		{"LHR", "JFK"}: "GBP"} {
		o := pick(t, c.search(route[0], route[1]), nil)
		text := at(o, "total_amount").(string)
		decimals := 0
		for i := range text {
			if text[i] == '.' {
				decimals = len(text) - i - 1
			}
		}
		if at(o, "total_currency") != want || decimals != map[string]int{"JPY": 0, "KWD": 3, "GBP": 2}[want] {
			t.Errorf("%v: %s %v", route, text, at(o, "total_currency"))
		}
	}
}

func TestIdentityDocumentsAreAskedForWhereRequired(t *testing.T) {
	c := start(t, nil)
	var o any
	for _, to := range []string{"JFK", "DEL", "SIN", "GRU"} {
		for _, each := range offersOf(c.search("LHR", to)) {
			if at(each, "passenger_identity_documents_required") == true {
				o = each
			}
		}
	}
	if o == nil {
		t.Fatal("no offer requires documents")
	}
	body := instant(o)
	if got := c.call("POST", "/air/orders", body); got.code() != "validation_required" {
		t.Errorf("without: %d %s", got.status, got.code())
	}
	passport := func(expires string) m {
		who := with(body["passengers"].([]any)[0].(m), "identity_documents", []any{m{"type": "passport",
			"unique_identifier": "X1234567", "issuing_country_code": "GB", "expires_on": expires}})
		return with(body, "passengers", []any{who})
	}
	if got := c.call("POST", "/air/orders", passport("2026-12-01")); got.code() != "validation_format" {
		t.Errorf("out of date: %d %s", got.status, got.code())
	}
	if got := c.call("POST", "/air/orders", passport("2030-01-01")); got.status != http.StatusCreated {
		t.Errorf("with: %d %v", got.status, got.Errors)
	}
}
