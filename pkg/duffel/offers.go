package duffel

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// wireOffer is an offer as Duffel writes it, as far as it is read.
type wireOffer struct {
	ID                string          `json:"id"`
	TotalAmount       string          `json:"total_amount"`
	TotalCurrency     string          `json:"total_currency"`
	TaxAmount         string          `json:"tax_amount"`
	TaxCurrency       string          `json:"tax_currency"`
	Owner             wireAirline     `json:"owner"`
	ExpiresAt         time.Time       `json:"expires_at"`
	Payment           wireRequirement `json:"payment_requirements"`
	Conditions        wireConditions  `json:"conditions"`
	Passengers        []wirePassenger `json:"passengers"`
	Slices            []wireSlice     `json:"slices"`
	Emissions         string          `json:"total_emissions_kg"`
	DocumentsRequired bool            `json:"passenger_identity_documents_required"`
}

type wireRequirement struct {
	Instant    bool       `json:"requires_instant_payment"`
	PayBy      *time.Time `json:"payment_required_by"`
	PriceUntil *time.Time `json:"price_guarantee_expires_at"`
}

type wireConditions struct {
	Change *wireCondition `json:"change_before_departure"`
	Refund *wireCondition `json:"refund_before_departure"`
}

type wireCondition struct {
	Allowed         bool   `json:"allowed"`
	PenaltyAmount   string `json:"penalty_amount"`
	PenaltyCurrency string `json:"penalty_currency"`
}

type wirePassenger struct {
	ID   string `json:"id"`
	Age  *int   `json:"age"`
	Type string `json:"type"`
}

type wireAirline struct {
	Name string `json:"name"`
	Code string `json:"iata_code"`
}

type wirePlace struct {
	Code    string `json:"iata_code"`
	Name    string `json:"name"`
	City    string `json:"city_name"`
	Country string `json:"iata_country_code"`
	Zone    string `json:"time_zone"`
}

type wireSlice struct {
	Duration string        `json:"duration"`
	Brand    string        `json:"fare_brand_name"`
	Segments []wireSegment `json:"segments"`
}

type wireSegment struct {
	Origin       wirePlace          `json:"origin"`
	Destination  wirePlace          `json:"destination"`
	OriginTerm   string             `json:"origin_terminal"`
	DestTerm     string             `json:"destination_terminal"`
	DepartingAt  string             `json:"departing_at"`
	ArrivingAt   string             `json:"arriving_at"`
	Duration     string             `json:"duration"`
	Carrier      wireAirline        `json:"marketing_carrier"`
	Operator     wireAirline        `json:"operating_carrier"`
	FlightNumber string             `json:"marketing_carrier_flight_number"`
	Aircraft     wireAircraft       `json:"aircraft"`
	Stops        []wireStop         `json:"stops"`
	Passengers   []wireSegPassenger `json:"passengers"`
}

type wireAircraft struct {
	Name string `json:"name"`
}

type wireStop struct {
	Airport wirePlace `json:"airport"`
}

type wireSegPassenger struct {
	ID       string    `json:"passenger_id"`
	Baggages []wireBag `json:"baggages"`
}

type wireBag struct {
	Type     string `json:"type"`
	Quantity int    `json:"quantity"`
}

// offer converts an offer. order are the ids of the passengers in the order of the query,
// nil for the supplier's own order.
func (z zones) offer(w *wireOffer, order []string) (flights.Offer, error) {
	o := flights.Offer{ID: w.ID, Airline: airline(w.Owner), Expires: w.ExpiresAt.UTC(), Holdable: !w.Payment.Instant,
		PayBy: utc(w.Payment.PayBy), PriceUntil: utc(w.Payment.PriceUntil), Documents: w.DocumentsRequired}
	if !isID(w.ID) || len(w.Slices) == 0 || len(w.Passengers) == 0 {
		return o, fmt.Errorf("an offer with %d slices and %d passengers", len(w.Slices), len(w.Passengers))
	}
	var err error
	if o.Total, err = price(w.TotalAmount, w.TotalCurrency); err != nil {
		return o, err
	}
	if w.TaxAmount != "" && w.TaxCurrency != "" {
		tax, err := price(w.TaxAmount, w.TaxCurrency)
		if err != nil {
			return o, err
		}
		o.Tax = &tax
	}
	if o.Change, err = condition(w.Conditions.Change); err != nil {
		return o, err
	}
	if o.Refund, err = condition(w.Conditions.Refund); err != nil {
		return o, err
	}
	o.Passengers = passengers(w.Passengers, order)
	if o.Slices, err = z.legs(w.Slices); err != nil {
		return o, err
	}
	o.Bags = bags(w.Slices, o.Passengers)
	o.Brand = brand(w.Slices)
	if kg, err := strconv.ParseFloat(w.Emissions, 64); err == nil && kg > 0 && kg < 1e7 {
		o.Emissions = int(kg + 0.5)
	}
	return o, nil
}

func utc(t *time.Time) *time.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	u := t.UTC()
	return &u
}

func price(amount, currency string) (money.Price, error) {
	a, err := money.Parse(amount)
	if err != nil || !isCurrency(currency) {
		return money.Price{}, fmt.Errorf("the amount %q %q is no price", word(amount), word(currency))
	}
	return money.Price{Amount: a, Currency: currency}, nil
}

func isCurrency(s string) bool {
	return len(s) == 3 && !strings.ContainsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' })
}

func condition(w *wireCondition) (flights.Condition, error) {
	if w == nil {
		return flights.Condition{}, nil
	}
	c := flights.Condition{Known: true, Allowed: w.Allowed}
	if w.PenaltyAmount != "" && w.PenaltyCurrency != "" {
		penalty, err := price(w.PenaltyAmount, w.PenaltyCurrency)
		if err != nil {
			return c, err
		}
		c.Penalty = &penalty
	}
	return c, nil
}

func airline(w wireAirline) flights.Airline {
	return flights.Airline{Code: code(w.Code), Name: line(w.Name, maxName)}
}

// maxName is how many characters of a name are kept.
const maxName = 80

// code returns a code of IATA or ISO, "" for anything else.
func code(s string) string {
	other := func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }
	if len(s) > 4 || strings.ContainsFunc(s, other) {
		return ""
	}
	return s
}

// isID reports whether s has the form of Duffel's ids, so that it can stand in an address.
func isID(s string) bool {
	return len(s) > 3 && len(s) <= 120 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

func passengers(list []wirePassenger, order []string) []flights.Passenger {
	out := make([]flights.Passenger, 0, len(list))
	for _, w := range list {
		p := flights.Passenger{ID: w.ID, Age: flights.Adult, Kind: flights.Kind(w.Type)}
		if w.Age != nil {
			p.Age = *w.Age
		}
		switch p.Kind {
		case flights.AdultKind, flights.Child, flights.Infant:
		default:
			p.Kind = kind(p.Age)
		}
		out = append(out, p)
	}
	if len(order) == len(out) {
		slices.SortStableFunc(out, func(a, b flights.Passenger) int {
			return cmp.Compare(slices.Index(order, a.ID), slices.Index(order, b.ID))
		})
	}
	return out
}

// kind returns what airlines take a passenger of an age for.
func kind(age int) flights.Kind {
	switch {
	case age < 0 || age >= 12:
		return flights.AdultKind
	case age >= 2:
		return flights.Child
	}
	return flights.Infant
}

func (z zones) legs(list []wireSlice) ([]flights.Leg, error) {
	out := make([]flights.Leg, 0, len(list))
	for i := range list {
		leg, err := z.leg(&list[i])
		if err != nil {
			return nil, err
		}
		out = append(out, leg)
	}
	return out, nil
}

func (z zones) leg(w *wireSlice) (flights.Leg, error) {
	if len(w.Segments) == 0 {
		return flights.Leg{}, fmt.Errorf("a slice without segments")
	}
	l := flights.Leg{Segments: make([]flights.Segment, 0, len(w.Segments))}
	for i := range w.Segments {
		s, err := z.segment(&w.Segments[i])
		if err != nil {
			return l, err
		}
		l.Segments = append(l.Segments, s)
	}
	first, last := l.Segments[0], l.Segments[len(l.Segments)-1]
	l.Origin, l.Departs = first.Origin, first.Departs
	l.Destination, l.Arrives = last.Destination, last.Arrives
	l.Minutes = minutes(w.Duration)
	if l.Minutes == 0 {
		l.Minutes = z.elapsed(l.Departs, first.OriginZone, l.Arrives, last.DestZone)
	}
	return l, nil
}

func (z zones) segment(w *wireSegment) (flights.Segment, error) {
	s := flights.Segment{
		Origin: code(w.Origin.Code), Destination: code(w.Destination.Code),
		OriginZone: zone(w.Origin.Zone), DestZone: zone(w.Destination.Zone),
		Carrier: airline(w.Carrier), Operator: airline(w.Operator),
		Aircraft:   line(w.Aircraft.Name, maxName),
		OriginTerm: line(w.OriginTerm, 10), DestTerm: line(w.DestTerm, 10),
		OriginCity: line(w.Origin.City, maxName), DestCity: line(w.Destination.City, maxName),
		OriginName: line(w.Origin.Name, maxName), DestName: line(w.Destination.Name, maxName),
		OriginNation: code(w.Origin.Country), DestNation: code(w.Destination.Country),
	}
	s.Number = s.Carrier.Code + line(w.FlightNumber, 8)
	var err error
	if s.Departs, err = calendar.ParseDateTime(local(w.DepartingAt)); err != nil {
		return s, err
	}
	if s.Arrives, err = calendar.ParseDateTime(local(w.ArrivingAt)); err != nil {
		return s, err
	}
	if s.Origin == "" || s.Destination == "" {
		return s, fmt.Errorf("a segment without airports")
	}
	if s.Minutes = minutes(w.Duration); s.Minutes == 0 {
		s.Minutes = z.elapsed(s.Departs, s.OriginZone, s.Arrives, s.DestZone)
	}
	for _, stop := range w.Stops {
		s.Stops = append(s.Stops, code(stop.Airport.Code))
	}
	return s, nil
}

// local drops fractions of seconds; Duffel's local times have no zone.
func local(s string) string {
	s, _, _ = strings.Cut(s, ".")
	return s
}

// zone returns s where it can be the name of a time zone.
func zone(s string) string {
	if len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/_+-", r)
	}) {
		return ""
	}
	return s
}

// minutes reads an ISO 8601 duration of days, hours and minutes: "P1DT2H26M". It returns 0
// for anything else.
func minutes(s string) int {
	rest, ok := strings.CutPrefix(s, "P")
	total, n, digits := 0, 0, 0
	for _, r := range rest {
		switch {
		case r >= '0' && r <= '9' && digits < 5:
			n, digits = n*10+int(r-'0'), digits+1
			continue
		case r == 'T' && digits == 0:
		case r == 'D' && digits > 0:
			total += n * 24 * 60
		case r == 'H' && digits > 0:
			total += n * 60
		case r == 'M' && digits > 0:
			total += n
		case r == 'S' && digits > 0:
		default:
			return 0
		}
		n, digits = 0, 0
	}
	if !ok || digits > 0 {
		return 0
	}
	return total
}

// zones are the time zones that one answer names; each is read once.
type zones map[string]*time.Location

func (z zones) get(name string) *time.Location {
	at, known := z[name]
	if !known {
		if name != "" {
			at, _ = time.LoadLocation(name)
		}
		z[name] = at
	}
	return at
}

// elapsed counts the minutes between two local times, 0 without their zones.
func (z zones) elapsed(from calendar.DateTime, fromZone string, to calendar.DateTime, toZone string) int {
	a, b := z.get(fromZone), z.get(toZone)
	if a == nil || b == nil {
		return 0
	}
	return max(0, int(to.In(b).Sub(from.In(a)).Minutes()))
}

// bags returns the bags that each passenger with a seat has on all segments.
func bags(list []wireSlice, people []flights.Passenger) flights.Bags {
	least, any := flights.Bags{}, false
	for i := range list {
		for j := range list[i].Segments {
			for _, p := range list[i].Segments[j].Passengers {
				if lap(people, p.ID) {
					continue
				}
				var has flights.Bags
				for _, b := range p.Baggages {
					switch b.Type {
					case "carry_on":
						has.CarryOn += max(0, b.Quantity)
					case "checked":
						has.Checked += max(0, b.Quantity)
					}
				}
				if !any {
					least, any = has, true
				}
				least.CarryOn = min(least.CarryOn, has.CarryOn)
				least.Checked = min(least.Checked, has.Checked)
			}
		}
	}
	return least
}

func lap(people []flights.Passenger, id string) bool {
	for _, p := range people {
		if p.ID == id {
			return p.Kind == flights.Infant
		}
	}
	return false
}

func brand(list []wireSlice) string {
	var names []string
	for _, s := range list {
		if name := line(s.Brand, maxName); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " / ")
}
