package duffel_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
)

// testClock can be moved.
type testClock struct{ at time.Time }

func (c *testClock) now() time.Time { return c.at }

// client calls a server as the documentation asks for.
type client struct {
	t      *testing.T
	server *duffel.Server
	clock  *testClock
}

func start(t *testing.T, change func(*duffel.Config)) client {
	t.Helper()
	clock := &testClock{time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)}
	cfg := duffel.Config{Token: "duffel_test_one", Now: clock.now}
	if change != nil {
		change(&cfg)
	}
	s, err := duffel.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return client{t, s, clock}
}

// reply is an answer, decoded.
type reply struct {
	status int
	header http.Header
	Data   any              `json:"data"`
	Meta   map[string]any   `json:"meta"`
	Errors []map[string]any `json:"errors"`
}

func (c client) call(method, path string, data any) reply {
	c.t.Helper()
	var body io.Reader
	if data != nil {
		text, err := json.Marshal(map[string]any{"data": data})
		if err != nil {
			c.t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	return c.send(c.request(method, path, body))
}

// request has the headers that are asked for.
func (c client) request(method, path string, body io.Reader) *http.Request {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL()+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer duffel_test_one")
	r.Header.Set("Duffel-Version", "v2")
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (c client) send(r *http.Request) reply {
	c.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	out := reply{status: answer.StatusCode, header: answer.Header}
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// at walks through decoded JSON by names and positions.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

type m = map[string]any

// search looks for a journey in four weeks.
func (c client) search(from, to string, passengers ...any) reply {
	c.t.Helper()
	if passengers == nil {
		passengers = []any{m{"type": "adult"}}
	}
	return c.call("POST", "/air/offer_requests", m{
		"slices":     []any{m{"origin": from, "destination": to, "departure_date": "2026-12-18"}},
		"passengers": passengers})
}

func TestDuffelAirwaysIsFoundOnEveryRoute(t *testing.T) {
	c := start(t, nil)
	for _, route := range [][2]string{{"LHR", "JFK"}, {"LON", "LIS"}, {"GOI", "LON"}, {"UDR", "SXM"}, {"NRT",
		"KWI"}} {
		found := c.search(route[0], route[1])
		offers, _ := at(found.Data, "offers").([]any)
		if found.status != http.StatusCreated || len(offers) < 40 {
			t.Errorf("%v: status %d and %d offers", route, found.status, len(offers))
		}
		if first := at(offers, 0, "owner", "iata_code"); first != "ZZ" {
			t.Errorf("%v: the first offer is of %v", route, first)
		}
	}
}

// Names of the package for files that do not import it.
type (
	duffelConfig  = duffel.Config
	duffelOutcome = duffel.Outcome
)

// code is that of the only error.
func (r reply) code() string {
	if len(r.Errors) != 1 {
		return ""
	}
	code, _ := r.Errors[0]["code"].(string)
	return code
}

func offersOf(r reply) []any {
	list, _ := at(r.Data, "offers").([]any)
	return list
}

// price is the total of an offer or an order.
func price(t *testing.T, o any) float64 {
	t.Helper()
	text, _ := at(o, "total_amount").(string)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
