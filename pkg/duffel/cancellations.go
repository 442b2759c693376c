package duffel

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

type wireCancellation struct {
	ID             string     `json:"id"`
	OrderID        string     `json:"order_id"`
	RefundAmount   string     `json:"refund_amount"`
	RefundCurrency string     `json:"refund_currency"`
	RefundTo       string     `json:"refund_to"`
	ExpiresAt      *time.Time `json:"expires_at"`
	ConfirmedAt    *time.Time `json:"confirmed_at"`
}

// Quote implements flights.Supplier.
func (s flightSupplier) Quote(ctx context.Context, by identity.Caller, id string) (flights.Cancellation, error) {
	if !isID(id) {
		return flights.Cancellation{}, unknownOrder()
	}
	w, _, err := one[wireCancellation](ctx, s.c, by, call{method: http.MethodPost, path: "/air/order_cancellations",
		body: map[string]any{"order_id": id}})
	if err != nil {
		return flights.Cancellation{}, err
	}
	q, err := cancellation(&w)
	if err != nil {
		return flights.Cancellation{}, unreadable(err.Error())
	}
	return q, nil
}

func cancellation(w *wireCancellation) (flights.Cancellation, error) {
	c := flights.Cancellation{ID: w.ID, To: word(w.RefundTo), Expires: utc(w.ExpiresAt),
		Confirmed: w.ConfirmedAt != nil}
	if !isID(w.ID) {
		return c, fmt.Errorf("a cancellation without an id")
	}
	if w.RefundAmount != "" && w.RefundCurrency != "" {
		refund, err := price(w.RefundAmount, w.RefundCurrency)
		if err != nil {
			return c, err
		}
		c.Refund = &refund
	}
	return c, nil
}

// Cancel implements flights.Supplier.
func (s flightSupplier) Cancel(ctx context.Context, by identity.Caller, q flights.Cancellation) (flights.Cancellation,
	error) {
	if !isID(q.ID) {
		return q, effect.NotDone(unknownOrder())
	}
	if q.Expires != nil && !q.Expires.After(s.c.now()) {
		return q, effect.NotDone(fault.New(fault.Gone, "What cancelling gives back has to be asked anew.").
			WithCode("offer_expired"))
	}
	w, status, err := one[wireCancellation](ctx, s.c, by, call{method: http.MethodPost,
		path: "/air/order_cancellations/" + q.ID + "/actions/confirm", acts: true})
	if err != nil {
		return q, err
	}
	if status == http.StatusAccepted && w.ConfirmedAt == nil {
		q.Confirmed = false
		return q, nil
	}
	done, err := cancellation(&w)
	if err != nil {
		return q, outcomeUnknown(fmt.Errorf("duffel: the cancellation that was made: %w", err))
	}
	return done, nil
}
