package duffel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// SignatureHeader is the header of a webhook that says who sent it.
const SignatureHeader = "X-Duffel-Signature"

const (
	tolerance     = 5 * time.Minute
	maxSignatures = 8
	leastSecret   = 8 // bytes
)

// Verify returns nil where the header, "t=1616202842,v1=8aeb…", is a signature of the exact
// bytes of a webhook's body by the secret, made at most five minutes away from now: the
// hexadecimal HMAC-SHA256 of the seconds, a dot and the body.
func Verify(secret identity.Secret, header string, body []byte, now time.Time) error {
	if len(secret) < leastSecret {
		return errors.New("duffel: no secret of webhooks is set")
	}
	var moment string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			if moment != "" {
				return errors.New("duffel: the signature has two moments")
			}
			moment = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(moment, 10, 64)
	if err != nil || strconv.FormatInt(seconds, 10) != moment {
		return errors.New("duffel: the signature has no moment")
	}
	if away := now.Sub(time.Unix(seconds, 0)).Abs(); away > tolerance {
		return fmt.Errorf("duffel: the signature is %v away", away)
	}
	h := hmac.New(sha256.New, []byte(secret.Reveal()))
	io.WriteString(h, moment+".")
	h.Write(body)
	want := h.Sum(nil)
	for _, text := range signatures[:min(len(signatures), maxSignatures)] {
		if given, err := hex.DecodeString(text); err == nil && hmac.Equal(given, want) {
			return nil
		}
	}
	return errors.New("duffel: no signature fits")
}

type wireEvent struct {
	ID   string    `json:"id"`
	Type string    `json:"type"`
	At   time.Time `json:"created_at"`
	Data struct {
		Object wireEventObject `json:"object"`
	} `json:"data"`
}

// wireEventObject is an order, a pending one, a cancellation, a payment, a change or a
// booking of a stay: what they have in common with what is read of them.
type wireEventObject struct {
	ID             string             `json:"id"`
	OrderID        string             `json:"order_id"`
	OfferID        string             `json:"offer_id"`
	Reference      string             `json:"booking_reference"`
	StayReference  string             `json:"reference"`
	Type           string             `json:"type"` // of an order
	Status         string             `json:"status"`
	Metadata       map[string]string  `json:"metadata"`
	CancelledAt    *time.Time         `json:"cancelled_at"`
	Payment        *wirePaymentStatus `json:"payment_status"`
	RefundAmount   string             `json:"refund_amount"`
	RefundCurrency string             `json:"refund_currency"`
	Added          []wireSlice        `json:"added"`
	Removed        []wireSlice        `json:"removed"`
}

// Notice returns what a webhook's body tells of a booking. It reports false for an event
// that concerns none, such as a ping, and an error for a body that is no event.
//
// Legs stay nil: Duffel tells the slices that an airline changed, not all of an order.
func Notice(body []byte) (bookings.Notice, bool, error) {
	var e wireEvent
	if err := json.Unmarshal(body, &e); err != nil {
		return bookings.Notice{}, false, fmt.Errorf("duffel: read a webhook: %w", harmless(err))
	}
	if !isID(e.ID) {
		return bookings.Notice{}, false, errors.New("duffel: a webhook without an id")
	}
	o := e.Data.Object
	n := bookings.Notice{ID: e.ID, Supplier: Name, Key: o.Metadata[keyName]}
	id := o.ID
	switch e.Type {
	case "order.created", "order.updated":
		n.State, n.Reference = orderState(o, e.At), line(o.Reference, maxReference)
	case "order.creation_failed", "stays.booking_creation_failed":
		n.State = flights.Failed
	case "order_cancellation.confirmed":
		id, n.State = o.OrderID, flights.Cancelled
		if refund, err := price(o.RefundAmount, o.RefundCurrency); err == nil {
			n.Refunded = &refund
		}
	case "payment.created", "air.payment.succeeded":
		if o.Status != "" && o.Status != "succeeded" {
			return bookings.Notice{}, false, nil
		}
		id, n.State = o.OrderID, flights.Confirmed
	case "order.airline_initiated_change_detected":
		id, n.Change = o.OrderID, changed(o.Removed, o.Added)
	case "stays.booking.created":
		n.State, n.Reference = flights.Confirmed, line(o.StayReference, maxReference)
	case "stays.booking.cancelled":
		n.State = flights.Cancelled
	default:
		return bookings.Notice{}, false, nil
	}
	if isID(id) {
		n.SupplierID = id
	}
	if isID(o.OfferID) {
		n.OfferID = o.OfferID
	}
	return n, n.SupplierID != "" || n.OfferID != "" || n.Key != "", nil
}

// moment returns "04-Dec-2026 at 21:35".
func moment(d calendar.DateTime) string { return d.Date.Show() + " at " + d.Clock() }

// maxReference is how many characters of a booking reference are kept.
const maxReference = 40

// orderState returns the state of an order at the moment of the event, "" where that does
// not tell it.
func orderState(o wireEventObject, at time.Time) flights.State {
	switch {
	case o.CancelledAt != nil:
		return flights.Cancelled
	case o.Payment == nil:
		return ""
	}
	return o.Payment.state(o.Type, at)
}

// changed says for people what an airline changed.
func changed(removed, added []wireSlice) string {
	const general = "The airline changed the flights of this booking."
	was, err := zones{}.legs(removed)
	now, err2 := zones{}.legs(added)
	switch {
	case err != nil || err2 != nil:
		return general
	case len(now) == 0 && len(was) > 0:
		return "The airline cancelled flights of this booking."
	case len(was) != len(now):
		return general
	}
	parts := []string{"The airline changed this booking:"}
	for i := range now {
		if now[i].Departs == was[i].Departs && now[i].Arrives == was[i].Arrives {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s to %s now leaves on %s and arrives on %s (before: %s, arriving on %s).",
			now[i].Origin, now[i].Destination, moment(now[i].Departs), moment(now[i].Arrives), moment(was[i].Departs),
			moment(was[i].Arrives)))
	}
	if len(parts) == 1 {
		return general
	}
	return line(strings.Join(parts, " "), maxTerm)
}
