package tools

import (
	"context"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// refundLabel labels the line of a preview by which the refund of an act is compared.
const refundLabel = "Refund"

func (t *set) cancelBooking() tool.Tool {
	return tool.New(tool.Spec{Name: "cancel_booking", Effect: tool.Destroys, Target: tool.Outside,
		Description: text("cancel_booking"),
		Extension:   "give back what was held or booked, with the refund shown first",
		Category:    "bookings", Component: "BookingCard", Shows: []string{"booking"}, Untrusted: airlineTexts()},
		t.cancel, tool.Previewed(t.previewCancel), tool.ThroughOutbox[bookingArgument]())
}

// cancellation is what cancelling a booking gives back.
type cancellation struct {
	booking bookings.Booking
	quote   flights.Cancellation // of a flight
	refund  string
	to      string
}

// quote asks what cancelling a booking gives back now.
func (t *set) quote(ctx context.Context, by identity.Caller, code string) (cancellation, error) {
	b, err := t.Bookings.Get(ctx, by, code)
	if err != nil {
		return cancellation{}, err
	}
	switch {
	case b.State == flights.Cancelled || b.State == flights.Failed:
		return cancellation{}, fault.New(fault.Conflict, "%s is %s already.", b.Code, b.State).
			WithCode("already_cancelled")
	case b.Supplier == "":
		return cancellation{}, fault.New(fault.Unprocessable, "%s was entered by hand and not booked here, so it is "+
			"cancelled where it was booked.", b.Code).WithCode("not_booked_here")
	case b.SupplierID == "":
		return cancellation{}, fault.New(fault.Conflict, "It is not known yet whether %s was booked. Look "+
			"at it first.", b.Code).WithCode("outcome_unknown")
	case b.Type == bookings.Hotel:
		return t.quoteStay(ctx, by, b)
	}
	supplier, err := t.flights()
	if err != nil {
		return cancellation{}, err
	}
	q, err := supplier.Quote(ctx, by, b.SupplierID)
	if err != nil {
		return cancellation{}, err
	}
	c := cancellation{booking: b, quote: q, refund: "not told by the airline", to: refundTo(q.To)}
	switch {
	case b.State == flights.Held && !b.Paid:
		c.refund, c.to = "nothing was paid", ""
	case q.Refund != nil:
		c.refund = refundWords(*q.Refund)
	}
	return c, nil
}

func refundWords(p money.Price) string {
	if p.Amount.IsZero() {
		return "nothing (" + p.String() + ")"
	}
	return p.String()
}

// refundTo says where a refund goes.
func refundTo(to string) string {
	switch to {
	case "balance":
		return "the organisation's balance"
	case "original_form_of_payment":
		return "the original means of payment"
	case "voucher", "airline_credits":
		return "a credit with the airline"
	}
	return cut(to, 40)
}

func (t *set) previewCancel(ctx context.Context, by identity.Caller, in bookingArgument) (tool.Preview, error) {
	c, err := t.quote(ctx, by, in.Booking)
	if err != nil {
		return tool.Preview{}, err
	}
	b := c.booking
	shown := tool.Preview{Title: "Cancel " + cut(b.Title, 120)}
	add := func(label, value string) {
		if value != "" {
			shown.Lines = append(shown.Lines, tool.Line{Label: label, After: value})
		}
	}
	add("Booking", b.Code)
	add("Reference", b.Reference)
	add("State", string(b.State))
	add("From", day(b.Starts.Date))
	if b.Total != nil {
		add("Price", b.Total.String())
	}
	add(refundLabel, c.refund)
	add("Refunded to", c.to)
	if b.Paid && b.Total != nil && c.refund != b.Total.String() {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("Of %s paid, this gives back: %s.", b.Total, c.refund))
	}
	return shown, nil
}

func (t *set) cancel(ctx context.Context, by identity.Caller, in bookingArgument) (reserved, error) {
	code := ""
	shown, _ := tool.Approved(ctx)
	receipt, err := effect.Once(ctx, t.Outbox, by, effect.Outside{
		Kind: supplierName, Within: orderTime,
		Payload: map[string]any{"tool": "cancel_booking", "booking": in.Booking, "refund": shown.Line(refundLabel)},
		Attempt: func(ctx context.Context, _ string) (string, error) {
			c, err := t.quote(ctx, by, in.Booking)
			if err != nil {
				return "", effect.NotDone(err)
			}
			if was := shown.Line(refundLabel); was != c.refund {
				return "", effect.NotDone(fault.New(fault.Conflict,
					"The refund is %s by now, and %s was shown. Nothing was "+
						"done; ask for it again.", c.refund, was).WithCode("price_changed"))
			}
			code = c.booking.Code
			b, err := t.carryOut(ctx, by, c)
			if err != nil {
				return "", err
			}
			t.settle(ctx, by, b)
			return b.Code, nil
		},
		LookUp: func(ctx context.Context, _ string) (string, bool, error) {
			b, err := t.Bookings.Get(ctx, by, in.Booking)
			if err != nil {
				return "", false, err
			}
			b, err = t.refresh(ctx, by, b)
			return b.Code, b.State == flights.Cancelled, err
		},
	})
	if err != nil {
		return reserved{}, unknownOf(err, code)
	}
	return t.reserved(ctx, by, receipt.Reference)
}

// carryOut cancels at the supplier. An answer that does not come is looked up.
func (t *set) carryOut(ctx context.Context, by identity.Caller, c cancellation) (bookings.Booking, error) {
	b := c.booking
	if b.Type == bookings.Hotel {
		return t.cancelStay(ctx, by, b)
	}
	done, err := t.Flights.Cancel(ctx, by, c.quote)
	if err != nil && !effect.IsNotDone(err) {
		if o, known := t.orderNow(ctx, by, b.SupplierID); known && o.State == flights.Cancelled {
			return fromOrder(b, o), nil
		}
	}
	if err != nil {
		return b, err
	}
	b.State, b.PayBy = flights.Cancelled, nil
	if b.Paid {
		b.Refunded = done.Refund
		if b.Refunded == nil {
			b.Refunded = c.quote.Refund
		}
	}
	return b, nil
}
