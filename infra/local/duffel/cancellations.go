package duffel

import (
	"math"
	"time"
)

// cancellation is a quote for cancelling an order, or what was done by it.
type cancellation struct {
	id        string
	order     *order
	made      time.Time
	refund    *amount
	to        string
	confirmed *time.Time
}

// quoteFor is how long a quote can be confirmed.
const quoteFor = time.Hour

func (c *cancellation) expires() time.Time { return c.made.Add(quoteFor) }

func (c *cancellation) shown() map[string]any {
	currency := c.order.offer.currency
	out := map[string]any{"id": c.id, "order_id": c.order.id, "live_mode": false, "created_at": stamp(c.made),
		"expires_at": stamp(c.expires()), "confirmed_at": nil, "refund_to": c.to, "refund_amount": nil,
		"refund_currency": nil, "airline_credits": []any{}}
	if c.refund != nil {
		out["refund_amount"], out["refund_currency"] = c.refund.text(currency), currency
	}
	if c.confirmed != nil {
		out["confirmed_at"] = stamp(*c.confirmed)
	}
	if c.to == "airline_credits" {
		credit := map[string]any{"id": identifier("acd", c.id), "credit_name": "Duffel Airways credit",
			"credit_code":   nil,
			"credit_amount": c.refund.text(currency), "credit_currency": currency, "issued_on": nil,
			"passenger_id": c.order.people[0].ID}
		if c.confirmed != nil {
			credit["credit_code"], credit["issued_on"] = c.order.ticket(0), c.confirmed.Format(time.DateOnly)
		}
		out["airline_credits"] = []any{credit}
	}
	return out
}

func (s *Server) createCancellation(r *request) (answer, *problem) {
	var in struct {
		OrderID string `json:"order_id"`
	}
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	if in.OrderID == "" {
		return bad(required("/order_id"))
	}
	o := s.state.orders[in.OrderID]
	switch {
	case o == nil || o.state != string(Created):
		return bad(invalid("validation_inclusion", "/order_id", "Linked record of type order not found"))
	case o.cancelled != nil:
		return bad(alreadyCancelled())
	case o.lapsed(s.now()) || !s.now().Before(o.departs()):
		return bad(conflict("order_not_cancellable", "Order not cancellable",
			"The order can't be cancelled any more"))
	}
	c := &cancellation{id: s.name("ore"), order: o, made: s.now()}
	c.refund, c.to = o.refund()
	o.cancel = c
	s.state.cancellations[c.id] = c
	s.events.send(s.event("order_cancellation.created", c.id, c.shown()))
	return created(c.shown())
}

// refund is what cancelling gives back: nothing for a fare that is not refundable, the
// total less the penalty for one that is, and an amount that is not told where the airline
// does not say.
func (o *order) refund() (*amount, string) {
	f := o.offer
	full := o.total
	switch {
	case o.paid == nil:
		return pointer(amount(0)), "awaiting_payment"
	case f.request.route() == "LTN-SYD":
		return &full, "airline_credits"
	case !f.brand.refund.known:
		return nil, "balance"
	case !f.brand.refund.allowed:
		return pointer(amount(0)), "balance"
	}
	if penalty := f.conditions().Refund.Penalty; penalty != nil {
		less, _ := readAmount(*penalty, f.currency) // it was written by text
		full = amount(math.Max(0, float64(full-less)))
	}
	return &full, "balance"
}

func (s *Server) getCancellation(r *request) (answer, *problem) {
	c := s.state.cancellations[r.PathValue("id")]
	if c == nil {
		return bad(notFound())
	}
	return ok(c.shown())
}

func (s *Server) confirmCancellation(r *request) (answer, *problem) {
	c, now := s.state.cancellations[r.PathValue("id")], s.now()
	switch {
	case c == nil:
		return bad(notFound())
	case c.order.cancelled != nil:
		return bad(alreadyCancelled())
	case c.order.cancel != c || !now.Before(c.expires()):
		return bad(conflict("order_cancellation_stale", "Order cancellation stale",
			"The order cancellation is not the latest one or has expired. Please create a new one"))
	}
	c.confirmed, c.order.cancelled = &now, &now
	s.events.send(s.event("order_cancellation.confirmed", c.id, c.shown()))
	return ok(c.shown())
}
