package runtimes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S1-2, S1-3, S1-35: the catalogue names the component that shows each tool, and how often
// it is tried again: once after a second where it reads from a supplier, never where it
// changes something.
func TestTheCatalogueOfTravel(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	got := b.do(b.org.Manager, http.MethodGet, "/api/tools/travel", nil)
	type entry struct {
		Name, Effect, Component string
		Extension               bool
		Parameters              json.RawMessage
		RetryConfig             struct{ MaxRetries, RetryDelay int }
	}
	var all struct{ Tools []entry }
	if err := json.Unmarshal([]byte(got["text"].(string)), &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]entry{}
	for _, e := range all.Tools {
		found[e.Name] = e
		if e.Component == "" || len(e.Parameters) == 0 {
			t.Errorf("%+v", e)
		}
		if e.Effect != "reads" && e.RetryConfig.MaxRetries != 0 {
			t.Errorf("%s changes something and is tried again: %+v", e.Name, e.RetryConfig)
		}
	}
	for name, component := range map[string]string{"search_flights": "FlightCard", "search_hotels": "HotelCard",
		"block_travel_time": "ItineraryCard", "add_hotel_to_itinerary": "ItineraryCard"} {
		e := found[name]
		retries, delay := 0, 0
		if strings.HasPrefix(name, "search_") {
			retries, delay = 1, 1000
		}
		if e.Component != component || e.Extension || e.RetryConfig.MaxRetries != retries ||
			e.RetryConfig.RetryDelay != delay {
			t.Errorf("%+v", e)
		}
	}
	if e := found["book_flight"]; e.Component != "BookingCard" || !e.Extension {
		t.Errorf("%+v", e)
	}
}

// S1-9, S1-10, S1-13: a search that fails is tried once more. When it fails again the model
// reads the error with its message, its code and the attempts, and rules say a sentence.
func TestASearchIsTriedOnceMore(t *testing.T) {
	t.Parallel()
	const requests = "/air/offer_requests"
	model := script.Start(t, step("search_flights", toLisbon), script.Step{Text: "Here they are."},
		step("search_flights", toLisbon), script.Step{Text: "The airlines do not answer."})
	b := newTravel(t, model.URL)
	c := b.as(b.org.Manager)
	b.supplier.Fail("POST "+requests, http.StatusServiceUnavailable, "")
	if a := c.ask("Flights to Lisbon"); len(a.McpToolResults) != 1 || !a.McpToolResults[0].Success ||
		!a.part(t, "flights", new(any)) || b.sent(http.MethodPost, requests) != 2 {
		t.Errorf("after one failure: %s, %v", a, b.supplier.Calls())
	}
	b.supplier.Inject(duffel.Fault{Path: "POST " + requests, Status: http.StatusServiceUnavailable, Times: 2})
	if a := c.ask("And again please"); len(a.McpToolResults) != 1 || a.McpToolResults[0].Success ||
		b.sent(http.MethodPost, requests) != 4 {
		t.Errorf("after two failures: %s", a)
	}
	asked := model.Requests()
	var failed struct {
		Message, Code string
		Attempts      int
	}
	result := asked[len(asked)-1].Last("tool").Content
	from, to := strings.Index(result, `{"`), strings.LastIndex(result, "}")
	if from < 0 || json.Unmarshal([]byte(result[from:to+1]), &failed) != nil || failed.Message == "" ||
		failed.Code == "" ||
		failed.Attempts != 2 {
		t.Errorf("the model reads %s", result)
	}
}

// S1-13: what fails is a sentence where no model answers, and nothing of the supplier's.
func TestAFailureIsASentence(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.supplier.Inject(duffel.Fault{Path: "POST /air/offer_requests", Status: http.StatusServiceUnavailable, Times: 2})
	a := b.as(b.org.Manager).ask("flights from London to Lisbon on 4 December, back on 6 December, just me")
	if len(a.McpToolResults) != 1 || a.McpToolResults[0].Success || len(a.Reply) < 20 ||
		strings.Contains(a.Reply, "503") ||
		strings.Contains(a.Reply, "{") {
		t.Errorf("by rules: %s", a)
	}
}

// S1-30: two look-ups of one step are under way at the supplier at the same time.
func TestLookUpsRunAtTheSameTime(t *testing.T) {
	t.Parallel()
	both := script.Step{Calls: []script.Call{{Name: "search_flights", Arguments: toLisbon}, {Name: "search_hotels",
		Arguments: `{"location":"Lisbon","checkIn":"2026-12-04","checkOut":"2026-12-06"}`}}}
	model := script.Start(t, both, script.Step{Text: "Both are there."})
	b := newTravel(t, model.URL)
	flights, hotels := b.supplier.Hang("POST /air/offer_requests"), b.supplier.Hang("POST /stays/search")
	done := make(chan answer, 1)
	go func() { done <- b.as(b.org.Manager).ask("Flights and a hotel in Lisbon for those days") }()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := b.supplier.Waiting(ctx, 2); err != nil {
		t.Error("one waits for the other")
	}
	flights()
	hotels()
	if a := <-done; len(a.McpToolResults) != 2 || !a.McpToolResults[0].Success || !a.McpToolResults[1].Success ||
		!a.part(t, "flights", new(any)) || !a.part(t, "stays", new(any)) {
		t.Error(a)
	}
}

// S1-11, S1-12, S1-14, S1-15, S1-16, S1-34, S1-36: the tools of the source by their
// arguments, as a front end runs them, and the history of searches.
func TestTheToolsOfTheSource(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	p := b.org.Manager
	family := b.tool(p, "search_flights", `{"origin":"LHR","destination":"JFK","departureDate":"2026-12-04",`+
		`"returnDate":"2026-12-09","passengerCount":4,"cabinClass":"business"}`)
	offers := family["offers"].([]any)
	for _, o := range offers {
		if legs := o.(map[string]any)["legs"].([]any); len(legs) != 2 ||
			!strings.HasPrefix(legs[0].(string), "Fri 4 Dec") ||
			!strings.HasPrefix(legs[1].(string), "Wed 9 Dec") {
			t.Errorf("legs: %v", legs)
		}
	}
	metadata := family["metadata"].(map[string]any)
	if len(offers) == 0 || metadata["totalResults"].(float64) < float64(len(offers)) || metadata["currency"] == "" {
		t.Errorf("%v", metadata)
	}
	if _, ok := metadata["more"].(bool); !ok {
		t.Errorf("%v", metadata)
	}
	var shown struct{ Detail string }
	got := b.do(p, http.MethodPost, "/api/tools/travel/search_flights", json.RawMessage(
		`{"origin":"LHR","destination":"JFK","departureDate":"2026-12-04","passengerCount":4,`+
			`"cabinClass":"business"}`))
	if raw, err := json.Marshal(got["parts"].([]any)[0].(map[string]any)["data"]); err != nil ||
		json.Unmarshal(raw, &shown) != nil ||
		!strings.Contains(shown.Detail, "4 adults") || !strings.Contains(shown.Detail, "business") {
		t.Errorf("%v", got["parts"])
	}
	one := b.tool(p, "search_flights", `{"origin":"LHR","destination":"JFK","departureDate":"2026-12-04"}`)
	if n := len(one["offers"].([]any)[0].(map[string]any)["legs"].([]any)); n != 1 {
		t.Errorf("one way has %d legs", n)
	}

	hotels := b.tool(p, "search_hotels", `{"location":"Lisbon","checkIn":"2026-12-04","checkOut":"2026-12-06",`+
		`"guests":2,"rooms":1,"priceRange":{"min":20,"max":400},"amenities":["free_wifi","pool"]}`)
	if notes := fmt.Sprint(hotels["notes"]); !strings.Contains(notes, "pool") || !strings.Contains(notes, "400") ||
		!strings.Contains(notes, "here") {
		t.Errorf("the notes are %s of %v", notes, hotels)
	}

	history := localtest.SQL(t, `select type, query::text as query, at from public.travel_searches where org_id =
		$1 order by at`,
		b.org.ID)
	if len(history) != 4 || history[0]["type"] != "flight" || history[3]["type"] != "hotel" ||
		history[0]["at"] == nil ||
		!strings.Contains(history[0]["query"].(string), `"business"`) {
		t.Errorf("searches: %v", history)
	}

	b.tool(p, "block_travel_time", `{"origin":"Lisbon","destination":"Sintra","date":"2026-12-05",`+
		`"startTime":"09:30","endTime":"10:15","notes":"by train"}`)
	trip := b.tool(p, "add_hotel_to_itinerary",
		`{"hotelName":"Casa Amarela","location":"Lisbon","checkIn":"2026-12-04",`+
			`"checkOut":"2026-12-06","roomType":"double","price":240,"confirmationNumber":"CA-77"}`)
	if kept := fmt.Sprint(b.tool(p, "show_itinerary", `{}`)); !strings.Contains(kept, "Casa Amarela") ||
		!strings.Contains(kept, "Sintra") || !strings.Contains(kept, "09:30") {
		t.Errorf("%v\n%s", trip, kept)
	}
	status, wrong := b.call(p, http.MethodPost, "/api/tools/travel/search_flights", map[string]any{"origin": "LHR",
		"destination": "JFK", "departureDate": "2026-11-01"})
	if status < 400 || wrong["code"] != "date_past" || wrong["error"] == "" {
		t.Errorf("%d %v", status, wrong)
	}
}

// S1-36: where the supplier has more than was read, the total is a lower bound.
func TestATotalMayBeALowerBound(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.supplier.Hang("GET /air/offers")() // the first page comes
	b.supplier.Inject(duffel.Fault{Path: "GET /air/offers", Status: http.StatusInternalServerError})
	got := b.do(b.org.Manager, http.MethodPost, "/api/tools/travel/search_flights", json.RawMessage(
		`{"origin":"LHR","destination":"JFK","departureDate":"2026-12-04"}`))
	metadata := got["data"].(map[string]any)["metadata"].(map[string]any)
	if metadata["more"] != true || metadata["totalResults"] != 200.0 || !strings.Contains(got["text"].(string),
		"at least 200 offers") {
		t.Errorf("%v %v", metadata, got["text"])
	}
}

// S1-18, S1-25: an organisation that asks the supplier more than it may is told so, and the
// supplier is not asked; another organisation is not concerned.
func TestTheSupplierIsNotAskedTooOften(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules", "DUFFEL_CAPACITY=1", "DUFFEL_PER_SECOND=0.001")
	status, got := b.call(b.org.Manager, http.MethodPost, "/api/tools/travel/search_flights",
		json.RawMessage(toLisbon))
	if status != http.StatusTooManyRequests || got["code"] != "provider_rate_limited" || len(b.supplier.Calls()) != 1 {
		t.Errorf("%d %v after %v", status, got, b.supplier.Calls())
	}
	other := newTravel(t, "rules")
	if offers := other.tool(other.org.Manager, "search_flights", toLisbon)["offers"].([]any); len(offers) == 0 {
		t.Error("another organisation waits")
	}
	none := newTravel(t, "rules", "DUFFEL_API_KEY=")
	if status, got = none.call(none.org.Manager, http.MethodPost, "/api/tools/travel/search_flights",
		json.RawMessage(toLisbon)); got["code"] != "supplier_not_set_up" || len(none.supplier.Calls()) != 0 {
		t.Errorf("without a key: %d %v", status, got)
	}
}

// S1-31: a tool that the organisation defined is offered to the model and called in a turn;
// its answer is data that others wrote. Another organisation's turn does not have it.
func TestAToolOfTheOrganisationInATurn(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"visa":"none","asked":"`+r.URL.Path+`"}`)
	}))
	t.Cleanup(server.Close)
	const name = "custom_visa_rules"
	model := script.Start(t, script.Step{When: func(r script.Request) bool {
		return r.Offers(name) &&
			r.Last("").Role == "user"
	},
		Calls: []script.Call{{Name: name, Arguments: `{"country":"PT"}`}}}, anything("No visa is needed."))
	b := newTravel(t, model.URL)
	b.do(b.org.Admin, http.MethodPost, "/api/custom-tools", map[string]any{"name": "visa_rules",
		"description": "Says which visa somebody needs for a country.", "method": "GET", "address": server.URL +
			"/v1/{country}",
		"effect": "reads", "schema": json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"}},` +
			`"required":["country"]}`)})
	a := b.as(b.org.Viewer).ask("Do I need a visa for Portugal?")
	asked := model.Requests()
	if len(a.McpToolResults) != 1 || !a.McpToolResults[0].Success || len(asked) != 2 ||
		!strings.Contains(asked[1].Last("tool").Content, "/v1/PT") {
		t.Fatalf("%s: %d requests, offered %v, %s", a, len(asked), asked[0].Tools, b.logs)
	}
	other := newTravel(t, model.URL)
	other.as(other.org.Viewer).ask("Do I need a visa for Portugal?")
	if last := model.Requests()[2]; last.Offers(name) {
		t.Error("another organisation has it")
	}
}
