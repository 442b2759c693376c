package duffel

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// keyName is under which of an order's metadata our key stands.
const keyName = "bellhop_key"

type wireOrder struct {
	ID            string            `json:"id"`
	OfferID       string            `json:"offer_id"`
	Type          string            `json:"type"`   // instant, hold
	Status        string            `json:"status"` // of one that was only accepted
	Reference     string            `json:"booking_reference"`
	TotalAmount   string            `json:"total_amount"`
	TotalCurrency string            `json:"total_currency"`
	TaxAmount     string            `json:"tax_amount"`
	TaxCurrency   string            `json:"tax_currency"`
	Owner         wireAirline       `json:"owner"`
	Conditions    wireConditions    `json:"conditions"`
	Passengers    []wirePassenger   `json:"passengers"`
	Slices        []wireSlice       `json:"slices"`
	CancelledAt   *time.Time        `json:"cancelled_at"`
	Cancellation  *wireCancellation `json:"cancellation"`
	Payment       wirePaymentStatus `json:"payment_status"`
	Actions       []string          `json:"available_actions"`
	Metadata      map[string]string `json:"metadata"`
	Changes       []wireChange      `json:"airline_initiated_changes"`
}

type wirePaymentStatus struct {
	Awaiting   bool       `json:"awaiting_payment"`
	PayBy      *time.Time `json:"payment_required_by"`
	PriceUntil *time.Time `json:"price_guarantee_expires_at"`
	PaidAt     *time.Time `json:"paid_at"`
}

// state returns the state of an order of a type by its payment. A hold that was not paid in
// time is cancelled: the airline has released the seats, and Duffel awaits no payment then.
func (p wirePaymentStatus) state(kind string, now time.Time) flights.State {
	switch late := p.PayBy != nil && !p.PayBy.After(now); {
	case p.PaidAt != nil:
		return flights.Confirmed
	case p.Awaiting && !late:
		return flights.Held
	case p.PayBy != nil || kind == "hold" || kind == "pay_later":
		return flights.Cancelled
	}
	return flights.Confirmed
}

type wireChange struct {
	OrderID     string      `json:"order_id"`
	ActionTaken string      `json:"action_taken"`
	Added       []wireSlice `json:"added"`
	Removed     []wireSlice `json:"removed"`
}

type wireNewOrder struct {
	Type       string            `json:"type"`
	Offers     []string          `json:"selected_offers"`
	Passengers []wirePerson      `json:"passengers"`
	Payments   []wirePayment     `json:"payments,omitempty"`
	Metadata   map[string]string `json:"metadata"`
}

type wirePerson struct {
	ID        string         `json:"id"`
	Title     string         `json:"title"`
	Gender    string         `json:"gender"`
	Given     string         `json:"given_name"`
	Family    string         `json:"family_name"`
	Born      string         `json:"born_on"`
	Email     string         `json:"email"`
	Phone     string         `json:"phone_number"`
	Documents []wireDocument `json:"identity_documents,omitempty"`
	Infant    string         `json:"infant_passenger_id,omitempty"`
}

type wireDocument struct {
	Type    string `json:"type"`
	Number  string `json:"unique_identifier"`
	Country string `json:"issuing_country_code"`
	Expires string `json:"expires_on"`
}

type wirePayment struct {
	Type     string `json:"type"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// Order implements flights.Supplier.
func (s flightSupplier) Order(ctx context.Context, by identity.Caller, key string, n flights.NewOrder) (flights.Order,
	error) {
	body, hide, err := newOrder(key, n)
	if err != nil {
		return flights.Order{}, effect.NotDone(err)
	}
	w, status, err := one[wireOrder](ctx, s.c, by, call{method: http.MethodPost, path: "/air/orders", body: body,
		acts: true, hide: hide})
	if err != nil {
		s.c.noteUnknown(key, err)
		return flights.Order{}, err
	}
	// 202 is accepted and to be waited for; 200 is not made yet, either.
	if status != http.StatusCreated && w.Reference == "" {
		o := flights.Order{State: flights.Pending, Offer: n.Offer, Total: n.Offer.Total, Key: key}
		// Another id than an order's is that of the attempt, by which no order is found.
		if isID(w.ID) && strings.HasPrefix(w.ID, "ord_") {
			o.ID = w.ID
		}
		if w.Status == "creation_failed" {
			o.State = flights.Failed
		}
		return o, nil
	}
	o, err := order(&w, s.c.now())
	if err != nil {
		s.c.left(key)
		return flights.Order{}, outcomeUnknown(fmt.Errorf("duffel: the order that was made: %w", err))
	}
	o.Key = key
	o.Offer = merged(o.Offer, n.Offer)
	return o, nil
}

// noteUnknown keeps the key of an act whose outcome is unknown.
func (c *Client) noteUnknown(key string, err error) {
	if f := fault.From(err); f.Code == "outcome_unknown" {
		c.left(key)
	}
}

// newOrder converts an order, and returns what errors must not repeat of it.
func newOrder(key string, n flights.NewOrder) (w wireNewOrder, hide []string, err error) {
	o := n.Offer
	invalid := func(format string, args ...any) error {
		return fault.New(fault.Unprocessable, format, args...).WithCode("invalid_passenger")
	}
	switch {
	case !isID(o.ID):
		return w, nil, gone()
	case len(n.Travellers) != len(o.Passengers):
		return w, nil, invalid("The offer is for %d passengers, and %d are given.", len(o.Passengers),
			len(n.Travellers))
	case n.Hold && !o.Holdable:
		return w, nil, fault.New(fault.Unprocessable, "This offer cannot be held. It can only be bought at once.").
			WithCode("unsupported")
	}
	w = wireNewOrder{Type: "instant", Offers: []string{o.ID}, Metadata: map[string]string{keyName: key}}
	if n.Hold {
		w.Type = "pay_later"
	} else {
		w.Payments = []wirePayment{balance(o.Total)}
	}
	for i, p := range n.Travellers {
		person := wirePerson{ID: o.Passengers[i].ID, Title: p.Title, Gender: p.Gender, Given: p.Given,
			Family: p.Family, Born: p.Born.String(), Email: p.Email, Phone: p.Phone}
		if o.Passengers[i].Kind == flights.AdultKind && p.Infant >= 0 {
			if p.Infant >= len(o.Passengers) || o.Passengers[p.Infant].Kind != flights.Infant {
				return w, nil, invalid("Passenger %d travels with an infant who is not in the offer.", i+1)
			}
			person.Infant = o.Passengers[p.Infant].ID
		}
		hide = append(hide, p.Given, p.Family, p.Email, p.Phone, person.Born)
		for _, d := range p.Documents {
			person.Documents = append(person.Documents, wireDocument{Type: d.Type, Number: d.Number,
				Country: d.Country, Expires: d.Expires.String()})
			hide = append(hide, d.Number, d.Expires.String())
		}
		w.Passengers = append(w.Passengers, person)
	}
	return w, hide, nil
}

// balance is a payment of a price from the account's balance. The amount keeps the digits
// in which Duffel told it.
func balance(p money.Price) wirePayment {
	return wirePayment{Type: "balance", Amount: p.Amount.String(), Currency: p.Currency}
}

// merged is what was ordered, as Duffel tells it again, with what it does not repeat.
func merged(told, ordered flights.Offer) flights.Offer {
	ordered.Total, ordered.Tax = told.Total, told.Tax
	if len(told.Slices) > 0 {
		ordered.Slices = told.Slices
	}
	if told.Change.Known {
		ordered.Change = told.Change
	}
	if told.Refund.Known {
		ordered.Refund = told.Refund
	}
	return ordered
}

// order converts an order as it is at a moment: a hold that was not paid in time is over.
func order(w *wireOrder, now time.Time) (flights.Order, error) {
	o := flights.Order{ID: w.ID, Reference: line(w.Reference, maxReference), State: flights.Confirmed, Paid: true,
		Key: w.Metadata[keyName]}
	if !isID(w.ID) {
		return o, fmt.Errorf("an order without an id")
	}
	var err error
	if o.Total, err = price(w.TotalAmount, w.TotalCurrency); err != nil {
		return o, err
	}
	o.Offer = flights.Offer{ID: w.OfferID, Passengers: passengers(w.Passengers, nil), Total: o.Total,
		Airline: airline(w.Owner)}
	if w.TaxAmount != "" && w.TaxCurrency != "" {
		if tax, err := price(w.TaxAmount, w.TaxCurrency); err == nil {
			o.Offer.Tax = &tax
		}
	}
	if o.Offer.Change, err = condition(w.Conditions.Change); err != nil {
		return o, err
	}
	if o.Offer.Refund, err = condition(w.Conditions.Refund); err != nil {
		return o, err
	}
	if o.Offer.Slices, err = (zones{}).legs(w.Slices); err != nil {
		return o, err
	}
	o.Offer.Bags, o.Offer.Brand = bags(w.Slices, o.Offer.Passengers), brand(w.Slices)
	switch o.State = w.Payment.state(w.Type, now); o.State {
	case flights.Held:
		o.Paid, o.PayBy = false, utc(w.Payment.PayBy)
		o.Offer.PayBy, o.Offer.PriceUntil = o.PayBy, utc(w.Payment.PriceUntil)
	case flights.Cancelled:
		o.Paid = false
	}
	for _, action := range w.Actions {
		o.Actions = append(o.Actions, word(action))
	}
	for i := range w.Changes {
		if w.Changes[i].ActionTaken != "" {
			continue
		}
		if o.Change, err = change(&w.Changes[i]); err != nil {
			return o, err
		}
	}
	switch {
	case w.Status == "creation_failed":
		o.State, o.Paid = flights.Failed, false
	case w.Reference == "":
		o.State, o.Paid = flights.Pending, false
	}
	if w.CancelledAt != nil {
		o.State, o.PayBy, o.Actions = flights.Cancelled, nil, nil
		if w.Cancellation != nil {
			done, err := cancellation(w.Cancellation)
			if err != nil {
				return o, err
			}
			o.Refunded = done.Refund
		}
	}
	return o, nil
}

func change(w *wireChange) (*flights.Change, error) {
	before, err := zones{}.legs(w.Removed)
	if err != nil {
		return nil, err
	}
	after, err := zones{}.legs(w.Added)
	return &flights.Change{Old: before, New: after}, err
}

// Find implements flights.Supplier. Shortly after an order without an answer it does not
// say that there is none: that error has the code outcome_unknown.
func (s flightSupplier) Find(ctx context.Context, by identity.Caller, key, offerID string) (flights.Order, bool,
	error) {
	values := url.Values{"limit": {strconv.Itoa(pageSize)}}
	if isID(offerID) {
		values.Set("offer_id", offerID)
	}
	var found *flights.Order
	for range lookPages {
		after, err := many(ctx, s.c, by, call{method: http.MethodGet, path: "/air/orders", query: values},
			func(w *wireOrder) error {
				if w.Metadata[keyName] != key || key == "" {
					return nil
				}
				o, err := order(w, s.c.now())
				if err == nil {
					found = &o
				}
				return err
			})
		switch {
		case err != nil:
			return flights.Order{}, false, err
		case found != nil:
			return *found, true, nil
		case after == "":
			return flights.Order{}, false, s.c.notYet(key)
		}
		values.Set("after", after)
	}
	// There are more orders than were looked through.
	return flights.Order{}, false, outcomeUnknown(fmt.Errorf("duffel: no order of the key in %d pages", lookPages))
}

// notYet returns the error of a look-up that found nothing and is too early to mean it.
func (c *Client) notYet(key string) error {
	if wait := c.mayCome(key); wait > 0 {
		return outcomeUnknown(fmt.Errorf("duffel: nothing is there yet")).WithRetryAfter(wait)
	}
	return nil
}

// Get implements flights.Supplier.
func (s flightSupplier) Get(ctx context.Context, by identity.Caller, id string) (flights.Order, error) {
	if !isID(id) {
		return flights.Order{}, unknownOrder()
	}
	w, _, err := one[wireOrder](ctx, s.c, by, call{method: http.MethodGet, path: "/air/orders/" + id})
	if err != nil {
		return flights.Order{}, err
	}
	o, err := order(&w, s.c.now())
	if err != nil {
		return flights.Order{}, unreadable(err.Error())
	}
	return o, nil
}

func unknownOrder() error {
	return fault.New(fault.NotFound, "The travel supplier does not know this booking.").WithCode("supplier_not_found")
}

// Pay implements flights.Supplier. The order is looked at first: another total than price
// is refused with the code price_changed.
func (s flightSupplier) Pay(ctx context.Context, by identity.Caller, key, id string, p money.Price) (flights.Order,
	error) {
	now, err := s.Get(ctx, by, id)
	if err != nil {
		return flights.Order{}, effect.NotDone(err)
	}
	switch {
	case now.State != flights.Held:
		return flights.Order{}, effect.NotDone(fault.New(fault.Conflict, "This booking does not wait for a payment.").
			WithCode("unsupported"))
	case now.Total.Currency != p.Currency || now.Total.Amount.Cmp(p.Amount) != 0:
		return flights.Order{}, effect.NotDone(fault.New(fault.Conflict, "The price was %s and is %s now, so nothing "+
			"was paid.", p, now.Total).WithCode("price_changed"))
	}
	paid, status, err := one[struct {
		Status string `json:"status"`
	}](ctx, s.c, by, call{method: http.MethodPost, path: "/air/payments", acts: true,
		body: map[string]any{"order_id": id, "payment": balance(now.Total)}})
	switch {
	case err != nil:
		s.c.noteUnknown(key, err)
		return flights.Order{}, err
	case paid.Status == "failed" || paid.Status == "cancelled":
		return flights.Order{}, effect.NotDone(fault.New(fault.Conflict, "The payment was not made.").
			WithCode("insufficient_balance"))
	case status == http.StatusAccepted || paid.Status == "pending":
		now.State = flights.Pending
		return now, nil
	}
	after, err := s.Get(ctx, by, id)
	if err != nil || !after.Paid {
		// The payment is made, whatever the order shows at the moment.
		now.State, now.Paid, now.PayBy = flights.Confirmed, true, nil
		return now, nil
	}
	return after, nil
}
