package duffel

import (
	"fmt"
	"slices"
	"time"
)

// createPayment pays an order that is held.
func (s *Server) createPayment(r *request) (answer, *problem) {
	var in struct {
		OrderID string  `json:"order_id"`
		Payment payment `json:"payment"`
	}
	if p := r.into(&in); p != nil {
		return bad(p)
	}
	if in.OrderID == "" {
		return bad(required("/order_id"))
	}
	o, now := s.state.orders[in.OrderID], s.now()
	if o == nil || o.state != string(Created) {
		return bad(invalid("validation_inclusion", "/order_id", "Linked record of type order not found"))
	}
	switch {
	case o.cancelled != nil:
		return bad(alreadyCancelled())
	case !o.held:
		return bad(invalid("order_type_not_eligible_for_payment", "/order_id",
			"The order is not one that can be paid later"))
	case o.paid != nil:
		return bad(conflict("already_paid", "Already paid", "The order you're paying for has already been paid for."))
	case o.lapsed(now):
		return bad(conflict("past_payment_required_by_date", "Past payment required by date",
			"The order's payment_required_by date has elapsed."))
	case slices.ContainsFunc(o.changes, func(c *change) bool { return c.Taken == nil }):
		return bad(conflict("schedule_changed", "Schedule changed",
			"You can't pay for this order because it has been changed in some way on the airline's side."))
	}
	if p := in.Payment.check("/payment/", o.total, o.offer.currency); p != nil {
		return bad(p)
	}
	o.paid = &now
	id := s.name("pay")
	paid := map[string]any{"id": id, "type": in.Payment.Type, "amount": in.Payment.Amount, "order_id": o.id,
		"currency": in.Payment.Currency, "created_at": stamp(now), "live_mode": false, "status": "succeeded"}
	s.events.send(s.event("air.payment.succeeded", id, paid))
	return created(paid)
}

func alreadyCancelled() *problem {
	return conflict("already_cancelled", "Already cancelled", "The provided order has already been cancelled")
}

// ExpireHold lets the time run out in which a held order is to be paid, and sends the
// event order.updated.
func (s *Server) ExpireHold(orderID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.state.orders[orderID]
	if o == nil || !o.held || o.paid != nil {
		return fmt.Errorf("duffel: no order %s is held", orderID)
	}
	o.payBy = s.now().Add(-time.Second)
	o.until = o.payBy
	s.events.send(s.event("order.updated", o.id, o.shown(s.now())))
	return nil
}
