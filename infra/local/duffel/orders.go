package duffel

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// newOrder is the body of POST /air/orders.
type newOrder struct {
	Type     string            `json:"type"`
	Offers   []string          `json:"selected_offers"`
	Services []chosen          `json:"services"`
	People   []traveller       `json:"passengers"`
	Payments []payment         `json:"payments"`
	Metadata map[string]string `json:"metadata"`
}

type chosen struct {
	ID       string `json:"id"`
	Quantity int    `json:"quantity"`
}

// payment is what pays an order.
type payment struct {
	Type     string `json:"type"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// Outcome is what becomes of an order that is accepted first.
type Outcome string

// The outcomes.
const (
	Created        Outcome = "created"
	CreationFailed Outcome = "creation_failed"
)

// pending is the state of an order whose outcome is not known yet.
const pending = "pending"

// order is a journey that was sold or is held.
type order struct {
	id        string
	state     string // pending, creation_failed, or created
	outcome   Outcome
	made      time.Time
	offer     *offer
	reference string
	people    []traveller
	slices    []*shownSlice
	services  []service
	metadata  map[string]string
	total     amount
	base      amount
	held      bool // it was not paid when it was made
	paid      *time.Time
	payBy     time.Time
	until     time.Time // the price is guaranteed
	cancelled *time.Time
	changes   []*change
	cancel    *cancellation // the latest quote
}

// Accept202 lets the next order be accepted only: it is answered with 202, and Settle
// decides it.
func (s *Server) Accept202(o Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.acceptance = &o
}

// Settle lets the outcome of an accepted order become known, and sends the event.
func (s *Server) Settle(orderID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.state.orders[orderID]
	if o == nil || o.state != pending {
		return fmt.Errorf("duffel: no order %s is pending", orderID)
	}
	o.state = string(o.outcome)
	if o.outcome == CreationFailed {
		o.offer.request.booked = false
		s.events.send(s.event("order.creation_failed", o.id, o.shownAccepted(s.now())))
		return nil
	}
	s.events.send(s.event("order.created", o.id, o.shown(s.now())))
	return nil
}

// Orders returns the ids of all orders, the oldest first.
func (s *Server) Orders() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.state.orderIDs...)
}

func (s *Server) createOrder(r *request) (answer, *problem) {
	var in newOrder
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	if len(in.Offers) != 1 {
		return bad(invalid("validation_length", "/selected_offers",
			"Field 'selected_offers' must have exactly 1 item"))
	}
	f := s.state.offers[in.Offers[0]]
	if f == nil {
		return bad(invalid("validation_inclusion", "/selected_offers/0", "Linked record of type offer not found"))
	}
	if p := s.checkOrder(f, in); p != nil {
		return bad(p)
	}
	o := s.order(f, in)
	s.state.orders[o.id] = o
	s.state.orderIDs = append(s.state.orderIDs, o.id)
	f.request.booked = true
	if accepted := s.state.acceptance; accepted != nil {
		s.state.acceptance = nil
		o.state, o.outcome = pending, *accepted
		return answer{status: http.StatusAccepted, value: o.shownAccepted(s.now())}, nil
	}
	s.events.send(s.event("order.created", o.id, o.shown(s.now())))
	return created(o.shown(s.now()))
}

// checkOrder compares a new order with its offer.
func (s *Server) checkOrder(f *offer, in newOrder) *problem {
	switch {
	case f.request.booked:
		return conflict("offer_request_already_booked", "Offer request already booked",
			"An offer from this offer request has already been booked; please perform a new search")
	case !s.now().Before(f.expires):
		return conflict("offer_expired", "Offer expired", "The selected offer has already expired")
	case f.unavailable(s.now()):
		return gone()
	}
	if p := checkMetadata(in.Metadata); p != nil {
		return p
	}
	if p := f.checkTravellers(in.People); p != nil {
		return p
	}
	extra := amount(0)
	for i, c := range in.Services {
		one := f.service(c.ID)
		if one == nil || f.request.route() == "BTS-ABV" {
			return fails(http.StatusUnprocessableEntity, airlineError, "ancillary_service_not_available",
				"Service not available", "Requested ancillary service item(s) are no longer available")
		}
		if c.Quantity < 1 || c.Quantity > one.Most {
			return invalid("validation_inclusion", fmt.Sprintf("/services/%d/quantity", i),
				"Field 'quantity' must be between 1 and the service's maximum_quantity")
		}
		extra += one.price * amount(c.Quantity)
	}
	switch in.Type {
	case "pay_later", "hold":
		if f.instant {
			return invalid("validation_inclusion", "/type",
				"The offer requires instant payment, so it can't be held; 'type' must be instant")
		}
		if len(in.Payments) > 0 {
			return invalid("invalid_field_sets", "/payments", "An order that is paid later can't have payments")
		}
	case "instant", "":
		if len(in.Payments) != 1 {
			return required("/payments")
		}
		if p := in.Payments[0].check("/payments/0/", f.total()+extra, f.currency); p != nil {
			return p
		}
	default:
		return invalid("validation_inclusion", "/type", "Field 'type' must be instant or pay_later")
	}
	switch f.request.route() {
	case "LHR-LGW":
		return fails(http.StatusBadGateway, airlineError, "airline_unknown", "Unknown airline error",
			"The airline responded with an unexpected error, please contact support")
	case "LGW-STN":
		return conflict("insufficient_balance", "Insufficient balance",
			"There wasn't enough balance for the operation")
	}
	return nil
}

// check compares a payment with what is to be paid.
func (p payment) check(at string, due amount, currency string) *problem {
	given, is := readAmount(p.Amount, currency)
	switch {
	case p.Type != "balance" && p.Type != "arc_bsp_cash" && p.Type != "card":
		return invalid("validation_inclusion", at+"type", "Field 'type' must be one of balance, arc_bsp_cash, card")
	case p.Amount == "":
		return required(at + "amount")
	case p.Currency != currency:
		return invalid("payment_currency_does_not_match_order_currency", at+"currency",
			"The currency provided in the payment does not match the total_currency of the order")
	case !is || given != due:
		return invalid("payment_amount_does_not_match_order_amount", at+"amount",
			"The amount provided in the payment does not match the total_amount of the order")
	}
	return nil
}

func checkMetadata(m map[string]string) *problem {
	if len(m) > 50 {
		return invalid("validation_length", "/metadata", "Field 'metadata' can have at most 50 pairs")
	}
	for key, value := range m {
		if utf8.RuneCountInString(key) > 40 || utf8.RuneCountInString(value) > 500 {
			return invalid("validation_length", "/metadata/"+key,
				"A key of 'metadata' can have 40 characters and its value 500")
		}
	}
	return nil
}

func (o *offer) service(id string) *service {
	for _, one := range o.services() {
		if one.ID == id {
			return &one
		}
	}
	return nil
}

// order makes the order of an offer.
func (s *Server) order(f *offer, in newOrder) *order {
	now := s.now()
	o := &order{id: s.name("ord"), state: string(Created), made: now, offer: f, people: in.People, slices: f.slices(),
		metadata: in.Metadata, total: f.total(), base: f.base + f.raised, payBy: f.payBy(), until: f.priceUntil(),
		held: in.Type == "pay_later" || in.Type == "hold"}
	if o.metadata == nil {
		o.metadata = map[string]string{}
	}
	for _, c := range in.Services {
		one := *f.service(c.ID)
		one.Quantity, one.Most = c.Quantity, 0
		o.services = append(o.services, one)
		o.total += one.price * amount(c.Quantity)
		o.base += one.price * amount(c.Quantity)
	}
	if !o.held {
		o.paid = &now
	}
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	for n, i := seed("reference", o.id), 0; i < 6; i++ {
		o.reference += string(letters[n%32])
		n /= 32
	}
	return o
}

// lapsed says that a held order was not paid in time.
func (o *order) lapsed(now time.Time) bool {
	return o.held && o.paid == nil && o.cancelled == nil && !now.Before(o.payBy)
}

// actions are what can be done with an order.
func (o *order) actions(now time.Time) []string {
	switch {
	case o.cancelled != nil || o.lapsed(now):
		return []string{"update"}
	case !now.Before(o.departs()):
		return []string{}
	}
	return []string{"cancel", "update"}
}

func (o *order) departs() time.Time { return o.offer.journeys[0][0].departs }

// ticket is the number of a traveller's electronic ticket.
func (o *order) ticket(i int) string {
	return fmt.Sprintf("%03d%010d", 1+seed(o.offer.owner.code)%899, seed("ticket", o.id, i)%10_000_000_000)
}

// name is a traveller's, for searching.
func (t traveller) name() string { return strings.ToLower(t.Given + " " + t.Family) }
