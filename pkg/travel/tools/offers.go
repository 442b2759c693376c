package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// offerArgument are the arguments of get_flight_offer.
type offerArgument struct {
	Offer string `json:"offer" jsonschema:"code of the offer, such as K7M2-3"`
}

// Check tidies the code.
func (in *offerArgument) Check() error { in.Offer = codeOf(in.Offer); return nil }

// priced is an offer of a search at its price of now.
type priced struct {
	query keptQuery
	was   flights.Offer // as the search found it
	now   flights.Offer // as the supplier sells it; with its code
}

// changed says how the price differs from that of the search; "" where it does not.
func (p priced) changed() string {
	if p.was.Total == p.now.Total || p.was.Total.String() == p.now.Total.String() {
		return ""
	}
	return fmt.Sprintf("The price was %s when it was found, and is %s now.", p.was.Total, p.now.Total)
}

// keptOffer returns an offer of a kept search by its code.
func (t *set) keptOffer(ctx context.Context, by identity.Caller, code string) (keptQuery, flights.Offer, error) {
	search, query, found, err := t.flightSearch(ctx, by, code)
	if err != nil {
		return query, flights.Offer{}, err
	}
	i := slices.IndexFunc(found.Offers, func(o flights.Offer) bool { return o.Code == code })
	if i < 0 {
		return query, flights.Offer{}, fault.New(fault.NotFound,
			"The search %s has no offer %q; its offers are %s-1 to %s-%d.",
			search, cut(code, 20), search, search, len(found.Offers)).WithCode("offer_not_found")
	}
	return query, found.Offers[i], nil
}

// price returns an offer at its price of now.
func (t *set) price(ctx context.Context, by identity.Caller, code string) (priced, error) {
	supplier, err := t.flights()
	if err != nil {
		return priced{}, err
	}
	query, was, err := t.keptOffer(ctx, by, code)
	if err != nil {
		return priced{}, err
	}
	now, err := supplier.Offer(ctx, by, was.ID)
	if err != nil {
		return priced{}, err
	}
	now.Code = was.Code
	// Ages are ours: a supplier may tell an adult's as none.
	for i := range now.Passengers {
		if j := slices.IndexFunc(was.Passengers,
			func(p flights.Passenger) bool { return p.ID == now.Passengers[i].ID }); j >= 0 {
			now.Passengers[i] = was.Passengers[j]
		}
	}
	return priced{query, was, now}, nil
}

func (t *set) getFlightOffer() tool.Tool {
	return tool.New(tool.Spec{Name: "get_flight_offer", Effect: tool.Reads, Description: text("get_flight_offer"),
		Extension: "an offer's price of now and its conditions in plain words", Retry: retry(), Category: "flights",
		Component: "FlightCard", Shows: []string{"flights"}, Untrusted: airlineTexts()},
		func(ctx context.Context, by identity.Caller, in offerArgument) (offerDetails, error) {
			p, err := t.price(ctx, by, in.Offer)
			return offerDetails{p, t.Now()}, err
		})
}

// offerDetails is the answer of get_flight_offer.
type offerDetails struct {
	priced
	at time.Time
}

// lines are the facts of the offer in sentences.
func (d offerDetails) lines() []string {
	o := d.now
	var list []string
	for _, l := range o.Slices {
		list = append(list, shortDay(l.Departs.Date)+": "+l.String())
		for _, s := range l.Segments {
			list = append(list, segmentLine(s))
		}
	}
	list = append(list, "Bags of each passenger: "+o.Bags.String()+".",
		"Cancelling before departure: "+o.RefundWords()+".",
		"Changing before departure: "+o.ChangeWords()+".")
	switch {
	case !o.Holdable:
		list = append(list, "It cannot be held: it is paid when it is booked.")
	case o.PayBy != nil:
		hold := "It can be held without paying until " + moment(*o.PayBy) + "; "
		if o.PriceUntil != nil {
			hold += "its price is guaranteed until " + moment(*o.PriceUntil) + "."
		} else {
			hold += "its price is not guaranteed until it is paid."
		}
		list = append(list, hold)
	default:
		list = append(list, "It can be held without paying.")
	}
	if o.Documents {
		list = append(list, "The airline wants the passports of all passengers.")
	}
	if o.Emissions > 0 {
		list = append(list, fmt.Sprintf("About %d kg of CO2 for all passengers.", o.Emissions))
	}
	return append(list, "The offer is valid until "+moment(o.Expires)+".")
}

func segmentLine(s flights.Segment) string {
	words := []string{s.Number + " with " + cut(s.Carrier.Name, 40)}
	if s.Operator.Code != "" && s.Operator.Code != s.Carrier.Code {
		words = append(words, "operated by "+cut(s.Operator.Name, 40))
	}
	if s.Aircraft != "" {
		words = append(words, cut(s.Aircraft, 40))
	}
	end := func(code, terminal string) string {
		if terminal == "" {
			return code
		}
		return code + " terminal " + cut(terminal, 10)
	}
	return strings.Join(append(words, end(s.Origin, s.OriginTerm)+" to "+end(s.Destination, s.DestTerm)), ", ") + "."
}

// MarshalJSON writes the offer for models.
func (d offerDetails) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		offerLine
		Change string   `json:"changes"`
		Brand  string   `json:"brand,omitempty"`
		Was    string   `json:"priceWhenFound,omitempty"`
		Lines  []string `json:"lines"`
	}{lineOf(d.now), d.now.ChangeWords(), cut(d.now.Brand, 40), was(d.priced), d.lines()})
}

func was(p priced) string {
	if p.changed() == "" {
		return ""
	}
	return p.was.Total.String()
}

// Summarize says what the offer costs now and what its conditions are.
func (d offerDetails) Summarize() string {
	said := fmt.Sprintf("%s costs %s in all. Cancelling: %s. Changing: %s. Bags: %s.", d.now.Code, d.now.Total,
		d.now.RefundWords(), d.now.ChangeWords(), d.now.Bags)
	if c := d.changed(); c != "" {
		said = c + " " + said
	}
	return said
}

// Show lays the offer out.
func (d offerDetails) Show() []part.Data {
	search, _, _ := strings.Cut(d.now.Code, "-")
	p := part.Flights{Search: search, Title: d.query.Title, Detail: d.query.Detail, Picks: []part.FlightPick{},
		Offers: []part.FlightOffer{offerPart(d.now, d.at)}, Total: 1, Notes: d.lines()}
	if c := d.changed(); c != "" {
		p.Notes = append([]string{c}, p.Notes...)
	}
	return []part.Data{p}
}
