package duffel

import (
	"fmt"
	"strconv"
	"time"
)

// shownSlice is a slice of an offer or an order in Duffel's form.
type shownSlice struct {
	ID              string          `json:"id"`
	Origin          *airport        `json:"origin"`
	OriginType      string          `json:"origin_type"`
	Destination     *airport        `json:"destination"`
	DestinationType string          `json:"destination_type"`
	Duration        string          `json:"duration"`
	Brand           string          `json:"fare_brand_name"`
	Shelf           int             `json:"ngs_shelf"`
	Comparison      string          `json:"comparison_key"`
	Conditions      map[string]any  `json:"conditions"`
	Segments        []*shownSegment `json:"segments"`
}

// shownSegment is a flight in Duffel's form.
type shownSegment struct {
	ID              string        `json:"id"`
	Origin          *airport      `json:"origin"`
	OriginTerm      *string       `json:"origin_terminal"`
	Destination     *airport      `json:"destination"`
	DestinationTerm *string       `json:"destination_terminal"`
	Departs         string        `json:"departing_at"`
	Arrives         string        `json:"arriving_at"`
	Duration        string        `json:"duration"`
	Distance        string        `json:"distance"`
	Marketing       *airline      `json:"marketing_carrier"`
	MarketingNumber string        `json:"marketing_carrier_flight_number"`
	Operating       *airline      `json:"operating_carrier"`
	OperatingNumber *string       `json:"operating_carrier_flight_number"`
	Aircraft        aircraft      `json:"aircraft"`
	Stops           []stop        `json:"stops"`
	Passengers      []onFlight    `json:"passengers"`
	Media           []interface{} `json:"media"`
}

type stop struct {
	ID       string   `json:"id"`
	Airport  *airport `json:"airport"`
	Arrives  string   `json:"arriving_at"`
	Departs  string   `json:"departing_at"`
	Duration string   `json:"duration"`
}

// onFlight is what a passenger has on a flight.
type onFlight struct {
	ID           string    `json:"passenger_id"`
	Cabin        string    `json:"cabin_class"`
	CabinName    string    `json:"cabin_class_marketing_name"`
	FareBasis    string    `json:"fare_basis_code"`
	Baggages     []baggage `json:"baggages"`
	CabinDetails cabin     `json:"cabin"`
}

type baggage struct {
	Type     string `json:"type"`
	Quantity int    `json:"quantity"`
}

type cabin struct {
	Name      string         `json:"name"`
	Marketing string         `json:"marketing_name"`
	Amenities map[string]any `json:"amenities"`
}

// slices shows the journeys of an offer.
func (o *offer) slices() []*shownSlice {
	list := make([]*shownSlice, len(o.journeys))
	for i, j := range o.journeys {
		first, last := j[0], j[len(j)-1]
		s := &shownSlice{
			ID: identifier("sli", o.id, i), Origin: first.from, OriginType: "airport", Destination: last.to,
			DestinationType: "airport", Duration: isoDuration(j.minutes()), Brand: o.brand.name, Shelf: 1,
			Conditions: map[string]any{
				"change_before_departure": o.brand.change.of(o.owner, o.base, o.currency),
				"advance_seat_selection":  o.brand.factor > 1.1, "priority_check_in": o.request.cabin == "business",
				"priority_boarding": o.brand.factor > 1.5,
			},
		}
		for n, f := range j {
			s.Comparison += f.carrier.code + f.number
			s.Segments = append(s.Segments, o.segment(f, i, n))
		}
		list[i] = s
	}
	return list
}

func (o *offer) segment(f flight, slice, n int) *shownSegment {
	s := &shownSegment{
		ID: identifier("seg", o.id, slice, n), Origin: f.from, Destination: f.to,
		OriginTerm:      terminal(f.carrier, f.from),
		DestinationTerm: terminal(f.carrier, f.to), Departs: local(f.departs), Arrives: local(f.arrives),
		Duration: isoDuration(f.minutes()), Distance: strconv.FormatFloat(f.km, 'f', 3, 64),
		Marketing: f.carrier.shown, MarketingNumber: f.number, Operating: f.operator.shown,
		Aircraft: planeFor(f.km, f.operator.code, f.from.IATA, f.to.IATA), Stops: []stop{}, Media: []any{},
	}
	if f.operator == f.carrier {
		s.OperatingNumber = &s.MarketingNumber
	}
	if f.stop != nil {
		s.Stops = append(s.Stops, f.pause(s.ID))
	}
	for _, p := range o.request.passengers {
		s.Passengers = append(s.Passengers, o.onFlight(p, f))
	}
	return s
}

// pause is where a flight lands in between, for three quarters of an hour.
func (f flight) pause(segment string) stop {
	lands := f.departs.Add(time.Duration(block(f.from, f.stop, f.from.to(f.stop))) * time.Minute).In(f.stop.location)
	return stop{ID: identifier("sto", segment), Airport: f.stop, Arrives: local(lands),
		Departs: local(lands.Add(45 * time.Minute)), Duration: isoDuration(45)}
}

func (o *offer) onFlight(p passenger, f flight) onFlight {
	name := map[string]string{"economy": "Economy", "premium_economy": "Premium Economy", "business": "Business",
		"first": "First"}[o.request.cabin]
	on := onFlight{ID: p.ID, Cabin: o.request.cabin, CabinName: o.brand.name, Baggages: []baggage{},
		FareBasis: fmt.Sprintf("%c%s%02dZZ", name[0], f.from.Country, int(100*draw(f.carrier.code, o.brand.name))),
		CabinDetails: cabin{Name: o.request.cabin, Marketing: name, Amenities: map[string]any{
			"wifi":  map[string]any{"available": f.km > 1500, "cost": "paid"},
			"seat":  map[string]any{"pitch": "standard", "type": "standard"},
			"power": map[string]any{"available": f.km > 1500},
		}}}
	if o.request.route() == "BTS-MRU" || p.Type == "infant_without_seat" {
		return on
	}
	if o.brand.carryOn > 0 {
		on.Baggages = append(on.Baggages, baggage{"carry_on", o.brand.carryOn})
	}
	if o.brand.checked > 0 {
		on.Baggages = append(on.Baggages, baggage{"checked", o.brand.checked})
	}
	return on
}

// terminal is that of an airline at a large airport.
func terminal(c *carrier, a *airport) *string {
	if !a.busy() {
		return nil
	}
	return pointer(strconv.Itoa(1 + int(4*draw("terminal", c.code, a.IATA))))
}
