package duffel_test

import (
	"net/http"
	"testing"
)

// TestRoutes holds the test routes of Duffel Airways against Duffel's documentation.
func TestRoutes(t *testing.T) {
	c := start(t, nil)
	if got := c.search("PVD", "RAI"); got.status != http.StatusCreated || len(offersOf(got)) != 0 {
		t.Errorf("PVD-RAI: %d, %d offers", got.status, len(offersOf(got)))
	}
	if got := c.search("STN", "LHR"); got.status != http.StatusGatewayTimeout ||
		got.code() != "gateway_timeout_error" || got.Errors[0]["type"] != "api_error" {
		t.Errorf("STN-LHR: %d %v", got.status, got.Errors)
	}
	for _, o := range offersOf(c.search("JFK", "EWR")) {
		if at(o, "payment_requirements", "requires_instant_payment") != false {
			t.Fatal("JFK-EWR: an offer that can't be held")
		}
	}
	for _, o := range offersOf(c.search("LHR", "DXB")) {
		if at(o, "owner", "iata_code") == "ZZ" && at(o, "slices", 0, "segments", 1) == nil {
			t.Fatal("LHR-DXB: an offer without a connection")
		}
	}
	stop := pick(t, c.search("DXB", "AMS"), nil)
	if at(stop, "slices", 0, "segments", 0, "stops", 0, "airport", "iata_code") == nil ||
		at(stop, "slices", 0, "segments", 1) != nil {
		t.Error("DXB-AMS: no stop within the flight")
	}
	for _, o := range offersOf(c.search("BTS", "MRU")) {
		if at(o, "slices", 0, "segments", 0, "passengers", 0, "baggages", 0) != nil {
			t.Fatal("BTS-MRU: an offer with bags")
		}
	}
	read := func(o any) reply {
		return c.call("GET", "/air/offers/"+at(o, "id").(string)+"?return_available_services=true", nil)
	}
	plain := pick(t, c.search("BTS", "ABV"), nil)
	if got := read(plain); len(at(got.Data, "available_services").([]any)) != 0 ||
		at(plain, "slices", 0, "segments", 0, "passengers", 0, "baggages", 0) == nil {
		t.Error("BTS-ABV: services, or no bags")
	}
	if got := read(pick(t, c.search("LGW", "LHR"), nil)); got.status != 422 ||
		got.code() != "offer_no_longer_available" {
		t.Errorf("LGW-LHR: %d %s", got.status, got.code())
	}
	dearer := pick(t, c.search("LHR", "STN"), nil)
	once, twice := read(dearer), read(dearer)
	if price(t, once.Data)-price(t, dearer) != 10 || price(t, twice.Data)-price(t, once.Data) != 10 {
		t.Errorf("LHR-STN: %v, %v, %v", price(t, dearer), price(t, once.Data), price(t, twice.Data))
	}
	upsell := c.call("POST", "/air/offers/"+at(dearer, "id").(string)+"/upsell", nil)
	if upsell.code() != "unsupported_action" {
		t.Errorf("upsell: %s", upsell.code())
	}
	// Those that concern orders.
	if got := c.call("POST", "/air/orders", instant(pick(t, c.search("LHR", "LGW"), nil))); got.status != 502 ||
		got.code() != "airline_unknown" {
		t.Errorf("LHR-LGW: %d %s", got.status, got.code())
	}
	if got := c.call("POST", "/air/orders", instant(pick(t, c.search("LGW", "STN"), nil))); got.status != 422 ||
		got.code() != "insufficient_balance" {
		t.Errorf("LGW-STN: %d %s", got.status, got.code())
	}
	moved := c.call("POST", "/air/orders", instant(pick(t, c.search("LHR", "LTN"), nil)))
	changes := c.call("GET", "/air/airline_initiated_changes?order_id="+at(moved.Data, "id").(string), nil)
	before := at(moved.Data, "slices", 0, "segments", 0, "departing_at")
	if after := at(changes.Data, 0, "added", 0, "segments", 0, "departing_at"); after == nil || after == before {
		t.Errorf("LHR-LTN: %v, then %v", before, after)
	}
	credit := c.call("POST", "/air/orders", instant(pick(t, c.search("LTN", "SYD"), nil)))
	quote := c.call("POST", "/air/order_cancellations", m{"order_id": at(credit.Data, "id")})
	if at(quote.Data, "refund_to") != "airline_credits" || at(quote.Data, "airline_credits", 0, "credit_amount") !=
		at(credit.Data, "total_amount") {
		t.Errorf("LTN-SYD: %v", quote.Data)
	}
}
