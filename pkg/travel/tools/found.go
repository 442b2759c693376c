package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// How many offers are shown.
const (
	offersForPeople = 24
	offersForModel  = 6
)

// flightsFound is the answer of a search for flights.
type flightsFound struct {
	search string
	query  keptQuery
	found  flights.Found   // all that the supplier returned
	kept   []flights.Offer // those that fit the wishes, in the order asked for
	picks  []flights.Pick  // of kept
	notes  []string
	now    time.Time
}

// shown narrows and orders what was found.
func (t *set) shown(search string, query keptQuery, found flights.Found, w wishes) flightsFound {
	f := flightsFound{search: search, query: query, found: found, now: t.Now(), notes: slices.Clone(query.Notes)}
	filter := w.filter()
	f.kept = flights.Sort(filter.Apply(found.Offers), w.Sort)
	f.picks = flights.Picks(f.kept)
	if len(f.kept) < len(found.Offers) {
		f.notes = append(f.notes, fmt.Sprintf("%d of %d offers are %s; this was filtered here.", len(f.kept),
			len(found.Offers), strings.Join(w.words(), ", ")))
	}
	if w.MaxPrice != nil && len(found.Offers) > 0 {
		f.notes = append(f.notes, "Prices are in "+found.Offers[0].Total.Currency+" and nothing is converted.")
	}
	return f
}

// chosen are the offers that are shown at most: the first, and those pointed out.
func (f flightsFound) chosen(most int) []flights.Offer {
	var list []flights.Offer
	for i, o := range f.kept {
		picked := slices.ContainsFunc(f.picks, func(p flights.Pick) bool { return p.Index == i })
		if i < most || picked {
			list = append(list, o)
		}
	}
	return list
}

// offerLine is an offer as models see it.
type offerLine struct {
	Code    string   `json:"code"`
	Price   string   `json:"price"` // for all passengers
	Airline string   `json:"airline"`
	Legs    []string `json:"legs"`
	Bags    string   `json:"bags"`
	Refund  string   `json:"refund"`
	Hold    bool     `json:"hold,omitempty"`
}

func lineOf(o flights.Offer) offerLine {
	l := offerLine{Code: o.Code, Price: o.Total.String(), Airline: cut(o.Airline.Name, 40), Bags: o.Bags.String(),
		Refund: o.RefundWords(), Hold: o.Holdable}
	for _, leg := range o.Slices {
		l.Legs = append(l.Legs, cut(shortDay(leg.Departs.Date)+" "+leg.String(), 160))
	}
	return l
}

// pickLine points an offer out.
type pickLine struct {
	Label string `json:"label"`
	Offer string `json:"offer"`
	Why   string `json:"why"`
}

func (f flightsFound) pickLines() []pickLine {
	var list []pickLine
	for _, p := range f.picks {
		list = append(list, pickLine{p.Label, f.kept[p.Index].Code, p.Why})
	}
	return list
}

// MarshalJSON writes the short form for models: the picks and the first offers (S1-12).
func (f flightsFound) MarshalJSON() ([]byte, error) {
	type metadata struct {
		TotalResults int    `json:"totalResults"` // at least
		More         bool   `json:"more"`
		Matching     int    `json:"matching"`
		Currency     string `json:"currency,omitempty"`
	}
	type answer struct {
		Search   string      `json:"search"`
		Picks    []pickLine  `json:"picks,omitempty"`
		Offers   []offerLine `json:"offers"`
		Metadata metadata    `json:"metadata"`
		Notes    []string    `json:"notes,omitempty"`
	}
	return short(offersForModel, func(n int) any {
		out := answer{f.search, f.pickLines(), []offerLine{}, metadata{TotalResults: len(f.found.Offers),
			More: f.found.More, Matching: len(f.kept)}, f.notes}
		for _, o := range f.chosen(n) {
			out.Offers = append(out.Offers, lineOf(o))
			out.Metadata.Currency = o.Total.Currency
		}
		return out
	})
}

// Count is how many offers fit.
func (f flightsFound) Count() int { return len(f.kept) }

// Summarize says what was found, for all passengers together.
func (f flightsFound) Summarize() string {
	head := f.query.Title + ", " + f.query.Detail + ": "
	switch {
	case len(f.found.Offers) == 0:
		return head + "no airline offers a flight. Another day or a nearby airport may have one."
	case len(f.kept) == 0:
		cheapest := f.found.Offers[flights.Picks(f.found.Offers)[0].Index]
		return head + fmt.Sprintf("none of %s fits these wishes. The cheapest of all is %s for %s.",
			count(len(f.found.Offers), f.found.More, "offer"), cheapest.Code, cheapest.Total)
	}
	said := head + count(len(f.kept), f.found.More, "offer") + "."
	for i, p := range f.picks {
		o := f.kept[p.Index]
		if j := slices.IndexFunc(f.picks[:i], func(q flights.Pick) bool { return q.Index == p.Index }); j >= 0 {
			said += fmt.Sprintf(" %s: also %s.", p.Label, o.Code)
			continue
		}
		said += fmt.Sprintf(" %s: %s, %s in all with %s (%s).", p.Label, o.Code, o.Total, cut(o.Airline.Name, 40),
			p.Why)
	}
	return said
}

// count writes "42 offers", "at least 200 offers" where there may be more (S1-36).
func count(n int, more bool, one string) string {
	if more {
		return "at least " + plural(n, one)
	}
	return plural(n, one)
}

// Show lays the offers out.
func (f flightsFound) Show() []part.Data {
	p := part.Flights{Search: f.search, Title: f.query.Title, Detail: f.query.Detail, Picks: []part.FlightPick{},
		Offers: []part.FlightOffer{}, Total: len(f.kept), More: f.found.More, Notes: f.notes}
	for _, pick := range f.picks {
		p.Picks = append(p.Picks, part.FlightPick{Label: pick.Label, Offer: f.kept[pick.Index].Code, Why: pick.Why})
	}
	for _, o := range f.chosen(offersForPeople) {
		p.Offers = append(p.Offers, offerPart(o, f.now))
	}
	return []part.Data{p}
}

// offerPart lays an offer out.
func offerPart(o flights.Offer, now time.Time) part.FlightOffer {
	out := part.FlightOffer{Code: o.Code, Airline: o.Airline.Name, Carrier: o.Airline.Code, Price: o.Total.String(),
		Per: flights.Each(o.Total, len(o.Passengers)).String(), Bags: o.Bags.String(), Refund: o.RefundWords(),
		Change: o.ChangeWords(), Expires: o.Expires.UTC().Format(time.RFC3339), CO2: o.Emissions}
	if out.Per != "" {
		out.Per += " each"
	}
	if o.Holdable {
		out.Hold = "Can be held"
		if o.PayBy != nil {
			out.Hold += " until " + moment(*o.PayBy)
		}
	}
	for _, l := range o.Slices {
		out.Legs = append(out.Legs, legPart(l))
	}
	out.Do = offerChoices(o, now)
	return out
}

func legPart(l flights.Leg) part.FlightLeg {
	return part.FlightLeg{From: l.Origin, FromName: placeName(l.Origin), To: l.Destination,
		ToName: placeName(l.Destination), Date: l.Departs.Date.String(), Departs: l.Departs.Clock(),
		Arrives: l.Arrives.Clock(), Nights: l.Nights(), Minutes: l.Minutes, Stops: l.Stops(), Via: l.Via(),
		Numbers: l.Numbers()}
}

// placeName is the city of an airport, "" where it is not known.
func placeName(code string) string {
	p, ok := places.ByCode(code)
	if !ok {
		return ""
	}
	if p.City != "" {
		return p.City
	}
	return p.Name
}

// offerChoices are what may be done with an offer that has not expired.
func offerChoices(o flights.Offer, now time.Time) []part.Choice {
	this := arguments(map[string]any{"offer": o.Code})
	list := []part.Choice{{Label: "Details", Tool: "get_flight_offer", Arguments: this}}
	if now.Before(o.Expires) {
		if o.Holdable {
			list = append(list, part.Choice{Label: "Hold", Tool: "hold_flight", Arguments: this})
		}
		list = append(list, part.Choice{Label: "Book", Tool: "book_flight", Arguments: this})
	}
	return append(list, part.Choice{Label: "Add to itinerary", Tool: "add_flight_to_itinerary", Arguments: this})
}

// arguments encodes the arguments of a choice.
func arguments(members map[string]any) json.RawMessage {
	raw, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}
