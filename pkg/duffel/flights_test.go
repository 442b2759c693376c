package duffel_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// S1-12
func TestASearchAsksForAllPassengersAndReadsTwoPages(t *testing.T) {
	t.Parallel()
	c, s := script(t, map[string][]answer{
		"POST /air/offer_requests": {{status: http.StatusCreated, body: requestWire}},
		"GET /air/offers": {
			{status: http.StatusOK, body: page("cur_2", offerWire("off_1", "90.80", "GBP"), offerWire("off_2", "99.00",
				"GBP"))},
			{status: http.StatusOK, body: page("cur_3", offerWire("off_3", "120.00", "GBP"),
				`{"id":"off_4","slices":[]}`)},
		},
	})
	found, err := c.Flights().Search(t.Context(), somebody, family())
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Offers) != 3 || !found.More {
		t.Fatalf("%d offers, more: %v", len(found.Offers), found.More)
	}
	asked := s.requests("POST /air/offer_requests")[0]
	var body, want any
	if err := json.Unmarshal([]byte(asked.body), &body); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(`{"data":{"cabin_class":"economy","max_connections":1,
		"passengers":[{"type":"adult"},{"age":7},{"type":"adult"},{"age":1}],
		"slices":[{"origin":"LON","destination":"NYC","departure_date":"2026-12-04",
			"departure_time":{"from":"17:00","to":"23:59"}},
			{"origin":"NYC","destination":"LON","departure_date":"2026-12-06"}]}}`), &want)
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]string{"return_offers": {"false"}, "supplier_timeout": {"20000"}},
		asked.query); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"Authorization": "Bearer " + token, "Duffel-Version": "v2",
		"Accept": "application/json", "Content-Type": "application/json", "Accept-Encoding": "gzip"} {
		if got := asked.header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	pages := s.requests("GET /air/offers")
	if diff := cmp.Diff(map[string][]string{"offer_request_id": {"orq_1"}, "sort": {"total_amount"}, "limit": {"200"},
		"max_connections": {"1"}, "after": {"cur_2"}}, pages[1].query); diff != "" {
		t.Error(diff)
	}
	o := found.Offers[0]
	o.Slices = nil
	got, _ := json.MarshalIndent(o, "", " ")
	wantOffer := `{
 "code": "",
 "id": "off_1",
 "passengers": [
  {
   "id": "pas_ann",
   "age": -1,
   "kind": "adult"
  },
  {
   "id": "pas_kid",
   "age": 7,
   "kind": "child"
  },
  {
   "id": "pas_bob",
   "age": -1,
   "kind": "adult"
  },
  {
   "id": "pas_inf",
   "age": 1,
   "kind": "infant_without_seat"
  }
 ],
 "total": {
  "amount": 90.80,
  "currency": "GBP"
 },
 "tax": {
  "amount": 40.80,
  "currency": "GBP"
 },
 "airline": {
  "code": "ZZ",
  "name": "Duffel Airways"
 },
 "slices": null,
 "change": {
  "known": false,
  "allowed": false
 },
 "refund": {
  "known": true,
  "allowed": true,
  "penalty": {
   "amount": 40.00,
   "currency": "GBP"
  }
 },
 "holdable": true,
 "payBy": "2026-11-24T12:00:00Z",
 "priceUntil": "2026-11-23T12:00:00Z",
 "expires": "2026-11-22T12:30:00Z",
 "emissions": 460,
 "documents": true,
 "bags": {
  "carryOn": 1,
  "checked": 1
 },
 "brand": "Basic"
}`
	if diff := cmp.Diff(wantOffer, string(got)); diff != "" {
		t.Error(diff)
	}
	back := found.Offers[0].Slices[1]
	if back.Minutes != 410 || back.Nights() != 1 || back.Origin != "JFK" || back.Stops() != 0 ||
		back.Segments[0].Number != "ZZ0118" || back.Segments[0].DestZone != "Europe/London" {
		t.Errorf("the way back is %+v", back)
	}
	if out := found.Offers[0].Slices[0]; out.Minutes != 495 || out.Departs.String() != "2026-12-04T18:05" {
		t.Errorf("the way out is %+v", out)
	}
}
