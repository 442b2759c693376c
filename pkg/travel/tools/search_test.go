package tools_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// A family of three there and back has three answers with the price for all, which a
// filter narrows without asking the airlines again.
//
// S1-11, S1-12, S1-36
func TestAFamilyHasThreeAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asked := map[string]any{"origin": "London", "destination": "Lisbon", "departureDate": d.day(30),
		"returnDate": d.day(32), "passengerCount": 3, "ages": []int{7}, "returnAfter": "12:00"}
	r, err := d.try(d.viewer, "search_flights", asked)
	if err != nil {
		t.Fatal(err)
	}
	found := members(t, r.Data)
	meta, _ := found["metadata"].(map[string]any)
	if n, _ := meta["totalResults"].(float64); n < 3 || meta["currency"] == "" || meta["more"] == nil {
		t.Errorf("metadata is %v", meta)
	}
	var labels []string
	for _, p := range list(found["picks"]) {
		labels = append(labels, p["label"].(string))
		if !slices.Contains(codes(found, "offers"), p["offer"].(string)) || p["why"] == "" {
			t.Errorf("the pick %v is not among the offers or has no reason", p)
		}
	}
	if !slices.Equal(labels, []string{"Cheapest", "Fastest", "Best"}) {
		t.Errorf("picks are %v", labels)
	}
	for _, o := range list(found["offers"]) {
		legs, _ := o["legs"].([]any)
		if len(legs) != 2 || o["price"] == "" || !strings.Contains(legs[0].(string), " min") && !strings.Contains(
			legs[0].(string), " h") {
			t.Errorf("an offer is %v", o)
		}
	}
	if len(r.Parts) != 1 || r.Parts[0].Kind != (part.Flights{}).Kind() || r.Parts[0].Tool != "search_flights" {
		t.Errorf("parts are %v", r.Parts)
	}
	before := d.calls("POST", "/air/offer_requests")
	narrow := d.call(d.viewer, "filter_flights", map[string]any{"search": found["search"], "maxConnections": 0,
		"sort": "duration"})
	for _, o := range list(narrow["offers"]) {
		for _, l := range o["legs"].([]any) {
			if !strings.Contains(l.(string), "non-stop") {
				t.Errorf("%v is not non-stop", o)
			}
		}
	}
	if notes, _ := narrow["notes"].([]any); !strings.Contains(toText(notes), "filtered here") {
		t.Errorf("notes are %v", notes)
	}
	if d.calls("POST", "/air/offer_requests") != before {
		t.Error("the airlines were asked again")
	}
	offer := codes(found, "offers")[0]
	details := d.call(d.viewer, "get_flight_offer", map[string]any{"offer": strings.ToLower(offer)})
	if details["code"] != offer || details["refund"] == "" || !strings.Contains(toText(details["lines"].([]any)),
		"Cancelling before departure") {
		t.Errorf("details are %v", details)
	}
	// Another person's search does not exist for the caller.
	_, err = d.try(d.manager, "get_flight_offer", map[string]any{"offer": offer})
	wantCode(t, "another person's offer", err, "search_gone")
	d.quiet()
}

func toText(list []any) string {
	var words []string
	for _, w := range list {
		words = append(words, w.(string))
	}
	return strings.Join(words, "\n")
}

// An ambiguous place asks, with one call for each; bad input is refused with what to
// write, before anything is sent.
//
// S1-13
func TestWhatCannotBeSearchedIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, err := d.try(d.viewer, "search_flights", map[string]any{"origin": "Springfield", "destination": "Lisbon",
		"departureDate": d.day(30)})
	q, ok := errors.AsType[*tool.Question](err)
	if !ok || len(q.Choices.Choices) < 2 || len(q.Parts()) != 1 {
		t.Fatalf("Springfield: %v", err)
	}
	if _, err := d.tool("search_flights").Prepare(q.Choices.Choices[0].Arguments); err != nil ||
		q.Choices.Choices[0].Tool != "search_flights" {
		t.Errorf("the call of a choice is %s: %v", q.Choices.Choices[0].Arguments, err)
	}
	base := map[string]any{"origin": "LHR", "destination": "JFK", "departureDate": d.day(30)}
	for code, change := range map[string]map[string]any{
		"date_past":               {"departureDate": d.day(-3)},
		"return_before_departure": {"returnDate": d.day(20)},
		"same_place":              {"destination": "LHR"},
		"date_too_far":            {"departureDate": d.day(340)},
		"passengers_out_of_range": {"passengerCount": 10},
		"infants_without_adults":  {"passengerCount": 3, "ages": []int{1, 0}},
		"children_without_adults": {"passengerCount": 1, "ages": []int{7}},
		"place_unknown":           {"origin": "Qwxyzzt"},
		"time_malformed":          {"departAfter": "25:00"},
		"two_returns": {"returnDate": d.day(33), "multiCity": []any{map[string]any{"origin": "JFK",
			"destination": "LHR", "departureDate": d.day(40)}}},
	} {
		in := map[string]any{}
		for _, m := range []map[string]any{base, change} {
			for k, v := range m {
				in[k] = v
			}
		}
		_, err := d.try(d.viewer, "search_flights", in)
		wantCode(t, code, err, code)
		if f := fault.From(err); f == nil || len(f.Message) < 20 || f.Kind != fault.Invalid {
			t.Errorf("%s: %v", code, err)
		}
	}
	if n := d.calls("POST", "/air/offer_requests"); n != 0 {
		t.Errorf("%d searches were sent", n)
	}
	// A child who may turn twelve before the last flight.
	r := d.call(d.viewer, "search_flights", map[string]any{"origin": "LHR", "destination": "JFK",
		"departureDate": d.day(30), "returnDate": d.day(60), "passengerCount": 2, "ages": []int{11}})
	if notes, _ := r["notes"].([]any); !strings.Contains(toText(notes), "12") {
		t.Errorf("notes are %v", notes)
	}
	// A code of what is not there.
	_, err = d.try(d.viewer, "get_flight_offer", map[string]any{"offer": r["search"].(string) + "-9999"})
	wantCode(t, "an offer that is not there", err, "offer_not_found")
}

// Failures of the supplier keep their kinds: what may pass is tried again, what may not is
// not.
//
// S1-2, S1-3, S1-9, S1-35
func TestWhatIsTriedAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	retry := d.tool("search_flights").Spec().Retry
	if retry.Most != 1 || d.tool("search_flights").Spec().Component != "FlightCard" {
		t.Errorf("retry is %+v", retry)
	}
	for _, one := range []struct {
		status int
		again  bool
	}{{500, false}, {502, false}, {503, true}, {504, true}, {429, true}} {
		d.supplier.Fail("POST /air/offer_requests", one.status, "")
		_, err := d.try(d.viewer, "search_flights", map[string]any{"origin": "LHR", "destination": "JFK",
			"departureDate": d.day(30)})
		if _, got := retry.After(1, err); err == nil || got != one.again {
			t.Errorf("%d is tried again: %v, %v", one.status, got, err)
		}
	}
}
