package duffel_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

const token = "duffel_test_canaryTOKEN"

func now() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

// answer is what a scripted Duffel says to one request.
type answer struct {
	status int
	header map[string]string
	body   string
	hold   <-chan struct{} // not nil: no answer before it is closed
}

// asked is a request as it came.
type asked struct {
	method, path string
	query        map[string][]string
	header       http.Header
	body         string
}

// scripted answers "METHOD /path" by its list of answers, the last one for ever.
type scripted struct {
	mu      sync.Mutex
	answers map[string][]answer
	asked   []asked
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.asked = append(s.asked, asked{r.Method, r.URL.Path, r.URL.Query(), r.Header.Clone(), string(body)})
	name := r.Method + " " + r.URL.Path
	list := s.answers[name]
	if len(list) > 1 {
		s.answers[name] = list[1:]
	}
	s.mu.Unlock()
	if len(list) == 0 {
		http.Error(w, name, http.StatusTeapot)
		return
	}
	a := list[0]
	if a.hold != nil {
		select {
		case <-a.hold:
		case <-r.Context().Done():
			return
		}
	}
	for k, v := range a.header {
		w.Header().Set(k, v)
	}
	w.Header().Set("x-request-id", "FzyAkoMC1uKVFWcAAAYE")
	w.WriteHeader(a.status)
	io.WriteString(w, a.body)
}

func (s *scripted) requests(name string) []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []asked
	for _, a := range s.asked {
		if a.method+" "+a.path == name {
			list = append(list, a)
		}
	}
	return list
}

// script starts a Duffel that gives the answers.
func script(t testing.TB, answers map[string][]answer) (*duffel.Client, *scripted) {
	t.Helper()
	s := &scripted{answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c, err := duffel.New(duffel.Config{APIKey: token, BaseURL: server.URL, Now: now,
		Report: func(err error) { t.Logf("left out: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

func day(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

var somebody = identity.Caller{UserID: "u", OrgID: "o"}

// family is a search of two adults, a child and an infant from London to New York and back.
func family() flights.Query {
	one := 1
	return flights.Query{Ages: []int{flights.Adult, 7, flights.Adult, 1}, Cabin: flights.Economy, Connections: &one,
		Slices: []flights.Slice{
			{Origin: "LON", Destination: "NYC", Date: day("2026-12-04"), Departs: &flights.Window{From: "17:00"}},
			{Origin: "NYC", Destination: "LON", Date: day("2026-12-06")},
		}}
}

// The passengers as Duffel lists them again, in another order than asked for.
const familyWire = `[{"id":"pas_inf","age":1,"type":"infant_without_seat"},{"id":"pas_kid","age":7,"type":"child"},
	{"id":"pas_ann","age":null,"type":"adult"},{"id":"pas_bob","type":"adult"}]`

const requestWire = `{"data":{"id":"orq_1","live_mode":false,"passengers":[{"id":"pas_ann","type":"adult"},
	{"id":"pas_kid","age":7},{"id":"pas_bob","type":"adult"},{"id":"pas_inf","age":1}],"slices":[]}}`

// place writes an airport.
func place(code, name, city, country, zone string) string {
	return fmt.Sprintf(`{"iata_code":%q,"name":%q,"city_name":%q,"iata_country_code":%q,"time_zone":%q,"type":"airport",
		"id":"arp_%s","latitude":1.5,"longitude":2.5,"icao_code":"XXXX","iata_city_code":"XXX","city":null}`,
		code, name, city, country, zone, strings.ToLower(code))
}

func lhr() string { return place("LHR", "Heathrow Airport", "London", "GB", "Europe/London") }
func jfk() string {
	return place("JFK", "John F. Kennedy International Airport", "New York", "US", "America/New_York")
}

const zz = `{"name":"Duffel Airways","iata_code":"ZZ","id":"arl_1","logo_symbol_url":"https://assets.example/zz.svg"}`

func segment(from, to, departs, arrives, duration, number string) string {
	passenger := func(id string, bags string) string {
		return `{"passenger_id":"` + id + `","cabin_class":"economy","cabin_class_marketing_name":"Economy","fare_basis_code":"Y",
			"baggages":` + bags + `}`
	}
	return fmt.Sprintf(`{"id":"seg_%s","origin":%s,"destination":%s,"departing_at":%q,"arriving_at":%q,"duration":%s,
		"marketing_carrier":%s,"operating_carrier":%s,"marketing_carrier_flight_number":%q,"operating_carrier_flight_number":null,
		"aircraft":{"name":"Boeing 777-300","iata_code":"773","id":"arc_1"},"origin_terminal":"2","destination_terminal":null,
		"distance":"5540.1","stops":[],"passengers":[%s,%s,%s,%s]}`, number, from, to, departs, arrives, duration, zz,
		zz,
		number,
		passenger("pas_ann", `[{"type":"checked","quantity":2},{"type":"carry_on","quantity":1}]`),
		passenger("pas_bob", `[{"type":"checked","quantity":1},{"type":"carry_on","quantity":1}]`),
		passenger("pas_kid", `[{"type":"checked","quantity":1},{"type":"carry_on","quantity":1}]`),
		passenger("pas_inf", `[]`))
}

// slicesWire is a return journey that lands on the next day on its way back.
func slicesWire() string {
	return `[{"id":"sli_1","origin":` + lhr() + `,"destination":` + jfk() +
		`,"origin_type":"airport","duration":"PT8H15M",
		"fare_brand_name":"Basic","segments":[` +
		segment(lhr(), jfk(), "2026-12-04T18:05:00", "2026-12-04T21:20:00", `"PT8H15M"`, "0117") + `]},
		{"id":"sli_2","origin":` + jfk() + `,"destination":` + lhr() +
		`,"duration":null,"fare_brand_name":null,"segments":[` +
		segment(jfk(), lhr(), "2026-12-06T22:30:00", "2026-12-07T10:20:00", `null`, "0118") + `]}]`
}

// offerWire writes an offer with a total.
func offerWire(id, total, currency string) string {
	return fmt.Sprintf(`{"id":%q,"live_mode":false,"total_amount":%q,"total_currency":%q,"tax_amount":"40.80",
		"tax_currency":%q,"base_amount":"50.00","base_currency":%q,"owner":%s,"expires_at":"2026-11-22T12:30:00.000000Z",
		"payment_requirements":{"requires_instant_payment":false,"price_guarantee_expires_at":"2026-11-23T12:00:00Z",
		"payment_required_by":"2026-11-24T12:00:00Z"},"conditions":{"refund_before_departure":{"allowed":true,
		"penalty_amount":"40.00","penalty_currency":%q},"change_before_departure":null},"passengers":%s,
		"passenger_identity_documents_required":true,"total_emissions_kg":"460.4","available_services":null,"slices":%s}`,
		id, total, currency, currency, currency, zz, currency, familyWire, slicesWire())
}

// page writes a page of a list.
func page(after string, items ...string) string {
	cursor := "null"
	if after != "" {
		cursor = fmt.Sprintf("%q", after)
	}
	return `{"meta":{"limit":200,"before":null,"after":` + cursor + `},"data":[` + strings.Join(items, ",") + `]}`
}

func refusal(status int, kind, code, message string) answer {
	m, _ := json.Marshal(message)
	return answer{status: status, body: fmt.Sprintf(`{"errors":[{"type":%q,"title":"No","message":%s,"code":%q,
		"documentation_url":"https://duffel.com/docs"}],"meta":{"status":%d,"request_id":"FzyAkoMC1uKVFWcAAAYE"}}`,
		kind, m, code, status)}
}
