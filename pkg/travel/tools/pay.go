package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// bookingArgument are the arguments of tools about one booking.
type bookingArgument struct {
	Booking string `json:"booking" jsonschema:"code of the booking, such as TB-0001"`
}

// Check tidies the code.
func (in *bookingArgument) Check() error { in.Booking = codeOf(in.Booking); return nil }

func (t *set) payHeldFlight() tool.Tool {
	return tool.New(tool.Spec{Name: "pay_held_flight", Effect: tool.Destroys, Target: tool.Outside,
		Description: text("pay_held_flight"), Extension: "buy what was held", Category: "flights",
		Component: "BookingCard", Shows: []string{"booking"}, Untrusted: airlineTexts()},
		t.pay, tool.Previewed(t.previewPay), tool.ThroughOutbox[bookingArgument]())
}

// held returns a held booking with its order as it is now.
func (t *set) held(ctx context.Context, by identity.Caller, code string) (bookings.Booking, flights.Order, error) {
	supplier, err := t.flights()
	if err != nil {
		return bookings.Booking{}, flights.Order{}, err
	}
	b, err := t.Bookings.Get(ctx, by, code)
	if err != nil {
		return b, flights.Order{}, err
	}
	if b.Type != bookings.Flight || b.SupplierID == "" {
		return b, flights.Order{}, fault.New(fault.Unprocessable, "%s is not a flight that is held here.", b.Code).
			WithCode("not_held")
	}
	o, err := supplier.Get(ctx, by, b.SupplierID)
	if err != nil {
		return b, o, err
	}
	if o.State != flights.Held {
		return b, o, fault.New(fault.Conflict, "%s is not held any more: it is %s.", b.Code, o.State).
			WithCode("not_held")
	}
	return b, o, nil
}

func (t *set) previewPay(ctx context.Context, by identity.Caller, in bookingArgument) (tool.Preview, error) {
	b, o, err := t.held(ctx, by, in.Booking)
	if err != nil {
		return tool.Preview{}, err
	}
	shown := tool.Preview{Title: "Pay for " + b.Title, Lines: []tool.Line{{Label: "Booking", After: b.Code}}}
	add := func(label, value string) {
		if value != "" {
			shown.Lines = append(shown.Lines, tool.Line{Label: label, After: value})
		}
	}
	add("Reference", o.Reference)
	for _, l := range legsOf(b) {
		add(day(l.Departs.Date), l.String())
	}
	add("Travellers", strings.Join(b.Travellers, ", "))
	add(totalLabel, o.Total.String())
	add("Paid now", o.Total.String()+" from the organisation's balance")
	if o.PayBy != nil {
		add("Pay by", moment(*o.PayBy))
	}
	if b.Total != nil && b.Total.String() != o.Total.String() {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The price was %s when it was held, and is %s now.",
			b.Total,
			o.Total))
	}
	if o.Change != nil {
		shown.Warnings = append(shown.Warnings, changeWords(*o.Change))
	}
	return shown, nil
}

// legsOf reads the legs of a flight's booking; nil for one that has none.
func legsOf(b bookings.Booking) []flights.Leg {
	var legs []flights.Leg
	if b.Type != bookings.Flight || json.Unmarshal(b.Details, &legs) != nil {
		return nil
	}
	return legs
}

func (t *set) pay(ctx context.Context, by identity.Caller, in bookingArgument) (reserved, error) {
	code := ""
	receipt, err := effect.Once(ctx, t.Outbox, by, effect.Outside{
		Kind: supplierName, Within: orderTime,
		Payload: map[string]any{"tool": "pay_held_flight", "booking": in.Booking, "total": shownTotal(ctx)},
		Attempt: func(ctx context.Context, key string) (string, error) {
			b, o, err := t.held(ctx, by, in.Booking)
			if err == nil {
				err = approved(ctx, o.Total.String())
			}
			if err != nil {
				return "", effect.NotDone(err)
			}
			code = b.Code
			paid, err := t.Flights.Pay(ctx, by, key, o.ID, o.Total)
			if err != nil && !effect.IsNotDone(err) {
				var known bool
				if paid, known = t.orderNow(ctx, by, o.ID); known && paid.Paid {
					err = nil
				}
			}
			if err != nil {
				return "", err
			}
			t.settle(ctx, by, fromOrder(b, paid))
			return b.Code, nil
		},
		LookUp: func(ctx context.Context, _ string) (string, bool, error) {
			b, err := t.Bookings.Get(ctx, by, in.Booking)
			if err != nil {
				return "", false, err
			}
			b, err = t.refresh(ctx, by, b)
			return b.Code, b.Paid, err
		},
	})
	if err != nil {
		return reserved{}, unknownOf(err, code)
	}
	return t.reserved(ctx, by, receipt.Reference)
}

// orderNow asks how an order is after an act whose answer did not come.
func (t *set) orderNow(ctx context.Context, by identity.Caller, id string) (flights.Order, bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
	defer cancel()
	o, err := t.Flights.Get(ctx, by, id)
	return o, err == nil
}
