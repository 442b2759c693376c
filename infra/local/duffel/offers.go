package duffel

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"
)

func (s *Server) listOffers(r *request) (answer, *problem) {
	query := r.URL.Query()
	id := query.Get("offer_request_id")
	if id == "" {
		return bad(required("/offer_request_id"))
	}
	q := s.state.requests[id]
	if q == nil {
		return bad(notFound())
	}
	list := slices.Clone(q.offers)
	if text := query.Get("max_connections"); text != "" {
		most, err := strconv.Atoi(text)
		if err != nil || most < 0 {
			return bad(invalid("validation_inclusion", "/max_connections",
				"Field 'max_connections' must be 0, 1 or 2"))
		}
		list = slices.DeleteFunc(list, func(o *offer) bool { return o.connections() > most })
	}
	order := func(a, b *offer) int { return 0 }
	switch query.Get("sort") {
	case "":
	case "total_amount":
		order = func(a, b *offer) int { return cmp.Compare(a.total(), b.total()) }
	case "-total_amount":
		order = func(a, b *offer) int { return cmp.Compare(b.total(), a.total()) }
	case "total_duration":
		order = func(a, b *offer) int { return cmp.Compare(a.minutes(), b.minutes()) }
	case "-total_duration":
		order = func(a, b *offer) int { return cmp.Compare(b.minutes(), a.minutes()) }
	default:
		return bad(invalid("validation_inclusion", "/sort", "Field 'sort' must be total_amount or total_duration"))
	}
	slices.SortStableFunc(list, order)
	part, m, p := page(r, list)
	if p != nil {
		return bad(p)
	}
	shown := make([]shownOffer, len(part))
	for i, o := range part {
		shown[i] = o.shown(false)
	}
	return answer{http.StatusOK, shown, m}, nil
}

func (s *Server) getOffer(r *request) (answer, *problem) {
	o := s.state.offers[r.PathValue("id")]
	switch {
	case o == nil:
		return bad(notFound())
	case o.unavailable(s.now()):
		return bad(gone())
	case o.request.route() == "LHR-STN":
		o.raised += 10 * amount(math.Pow10(decimals(o.currency)))
	}
	return ok(o.shown(r.URL.Query().Get("return_available_services") == "true"))
}

func (o *offer) unavailable(now time.Time) bool {
	return o.gone || !now.Before(o.expires) || o.request.route() == "LGW-LHR"
}

// Reprice sets what an offer costs in all from now on: "227.33".
func (s *Server) Reprice(offerID, total string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.state.offers[offerID]
	if o == nil {
		return fmt.Errorf("duffel: there is no offer %s", offerID)
	}
	a, is := readAmount(total, o.currency)
	if !is {
		return fmt.Errorf("duffel: %q is no amount of %s", total, o.currency)
	}
	o.raised = a - o.base - o.tax
	return nil
}

// Withdraw makes an offer unavailable.
func (s *Server) Withdraw(offerID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.state.offers[offerID]
	if o == nil {
		return fmt.Errorf("duffel: there is no offer %s", offerID)
	}
	o.gone = true
	return nil
}

// shownOffer is an offer in Duffel's form.
type shownOffer struct {
	ID            string        `json:"id"`
	LiveMode      bool          `json:"live_mode"`
	Created       string        `json:"created_at"`
	Updated       string        `json:"updated_at"`
	Expires       string        `json:"expires_at"`
	Total         string        `json:"total_amount"`
	TotalCurrency string        `json:"total_currency"`
	Base          string        `json:"base_amount"`
	BaseCurrency  string        `json:"base_currency"`
	Tax           string        `json:"tax_amount"`
	TaxCurrency   string        `json:"tax_currency"`
	Emissions     string        `json:"total_emissions_kg"`
	Owner         *airline      `json:"owner"`
	Partial       bool          `json:"partial"`
	Conditions    conditions    `json:"conditions"`
	Payment       requirements  `json:"payment_requirements"`
	Documents     bool          `json:"passenger_identity_documents_required"`
	DocumentTypes []string      `json:"supported_passenger_identity_document_types"`
	Loyalty       []string      `json:"supported_loyalty_programmes"`
	PrivateFares  []string      `json:"private_fares"`
	Services      []service     `json:"available_services"`
	Passengers    []passenger   `json:"passengers"`
	Slices        []*shownSlice `json:"slices"`
}

type conditions struct {
	Change *condition `json:"change_before_departure"`
	Refund *condition `json:"refund_before_departure"`
}

type requirements struct {
	Instant    bool    `json:"requires_instant_payment"`
	PriceUntil *string `json:"price_guarantee_expires_at"`
	PayBy      *string `json:"payment_required_by"`
}

// service is an extra that can be bought with an offer, or was.
type service struct {
	ID         string         `json:"id"`
	Type       string         `json:"type"`
	Total      string         `json:"total_amount"`
	Currency   string         `json:"total_currency"`
	Most       int            `json:"maximum_quantity,omitempty"`
	Quantity   int            `json:"quantity,omitempty"`
	Passengers []string       `json:"passenger_ids"`
	Segments   []string       `json:"segment_ids"`
	Metadata   map[string]any `json:"metadata"`
	price      amount
}

// Times for which a held order's place and price are kept, from the search on.
const (
	holdFor      = 72 * time.Hour
	guaranteeFor = 48 * time.Hour
)

// payBy is until when an order of the offer can be held unpaid; priceUntil how long its
// price is guaranteed.
func (o *offer) payBy() time.Time {
	last := o.journeys[0][0].departs.Add(-3 * time.Hour)
	if by := o.request.made.Add(holdFor); by.Before(last) {
		return by
	}
	return last
}

func (o *offer) priceUntil() time.Time {
	if until := o.request.made.Add(guaranteeFor); until.Before(o.payBy()) {
		return until
	}
	return o.payBy()
}

func (o *offer) shown(services bool) shownOffer {
	kg := 0
	for _, j := range o.journeys {
		for _, p := range o.request.passengers {
			if p.Type != "infant_without_seat" {
				kg += j.emissions(o.request.cabin)
			}
		}
	}
	out := shownOffer{
		ID: o.id, Created: stamp(o.request.made), Updated: stamp(o.request.made), Expires: stamp(o.expires),
		Total: o.total().text(o.currency), TotalCurrency: o.currency, Base: (o.base + o.raised).text(o.currency),
		BaseCurrency: o.currency, Tax: o.tax.text(o.currency), TaxCurrency: o.currency, Emissions: strconv.Itoa(kg),
		Owner: o.owner.shown, Conditions: o.conditions(), Payment: requirements{Instant: o.instant},
		Documents: o.documents, DocumentTypes: []string{}, Loyalty: []string{}, PrivateFares: []string{},
		Passengers: o.request.passengers, Slices: o.slices(),
	}
	if !o.instant {
		out.Payment.PayBy, out.Payment.PriceUntil = pointer(second(o.payBy())), pointer(second(o.priceUntil()))
	}
	if o.documents {
		out.DocumentTypes = []string{"passport"}
	}
	if services {
		out.Services = o.services()
	}
	return out
}

// conditions are those of the whole offer. The four combinations of Duffel Airways take
// turns among its fares.
func (o *offer) conditions() conditions {
	return conditions{
		Change: o.brand.change.of(o.owner, o.base, o.currency),
		Refund: o.brand.refund.of(o.owner, o.base, o.currency),
	}
}

// services are the extra bags: one of 23 kg for each passenger with a seat.
func (o *offer) services() []service {
	list := []service{}
	if o.request.route() == "BTS-ABV" {
		return list
	}
	euros := 20 + 5*float64(int(9*draw("bag", o.owner.code)))
	for i, p := range o.request.passengers {
		if p.Type == "infant_without_seat" {
			continue
		}
		price := inCurrency(euros, o.currency)
		if o.owner.kind == 'z' && o.currency != "JPY" && o.currency != "KWD" {
			price = 2000
		}
		one := service{ID: identifier("ase", o.id, i), Type: "baggage", Currency: o.currency, Most: 1,
			Passengers: []string{p.ID}, price: price, Total: price.text(o.currency),
			Metadata: map[string]any{"type": "checked", "maximum_weight_kg": 23, "maximum_length_cm": nil,
				"maximum_height_cm": nil, "maximum_depth_cm": nil}}
		for k, j := range o.journeys {
			for n := range j {
				one.Segments = append(one.Segments, identifier("seg", o.id, k, n))
			}
		}
		list = append(list, one)
	}
	return list
}
