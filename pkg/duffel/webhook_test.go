package duffel_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

const secret identity.Secret = "a_secret_of_webhooks"

func signed(key identity.Secret, at time.Time, body string) string {
	h := hmac.New(sha256.New, []byte(key.Reveal()))
	fmt.Fprintf(h, "%d.%s", at.Unix(), body)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(h.Sum(nil)))
}

// F-49
func TestOnlyDuffelSignsWebhooks(t *testing.T) {
	t.Parallel()
	const body = `{"id":"wev_1",  "type":"order.created"}`
	good := signed(secret, now(), body)
	for name, tc := range map[string]struct {
		header string
		body   string
		good   bool
	}{
		"as it was signed":      {good, body, true},
		"the second of two":     {strings.Replace(good, ",v1=", ",v1=00ff,v1=", 1), body, true},
		"beside another scheme": {good + ",v2=xyz", body, true},
		"with spaces":           {strings.Replace(good, ",", ", ", 1), body, true},
		"five minutes old":      {signed(secret, now().Add(-5*time.Minute), body), body, true},
		"older":                 {signed(secret, now().Add(-301*time.Second), body), body, false},
		"far ahead":             {signed(secret, now().Add(301*time.Second), body), body, false},
		"another body":          {good, body + " ", false},
		"encoded anew":          {good, `{"id":"wev_1","type":"order.created"}`, false},
		"another secret":        {signed("another_secret", now(), body), body, false},
		"another moment":        {strings.Replace(good, "t=", "t=1", 1), body, false},
		"two moments":           {good + ",t=1", body, false},
		"no moment":             {good[strings.Index(good, "v1="):], body, false},
		"a moment with a zero":  {strings.Replace(good, "t=", "t=0", 1), body, false},
		"no signature":          {fmt.Sprintf("t=%d", now().Unix()), body, false},
		"nothing":               {"", body, false},
	} {
		if err := duffel.Verify(secret, tc.header, []byte(tc.body), now()); (err == nil) != tc.good {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := duffel.Verify("", signed("", now(), body), []byte(body), now()); err == nil {
		t.Error("without a secret everything is genuine")
	}
}

func TestWebhooksTellWhatBecameOfABooking(t *testing.T) {
	t.Parallel()
	event := func(kind, object string) string {
		return `{"id":"wev_1","api_version":"v2","type":"` + kind + `","data":{"object":` + object +
			`},"live_mode":true,
			"idempotency_key":"x","created_at":"2026-11-22T12:00:00Z","identity_organisation_id":"org_1"}`
	}
	refund := pounds("50.80")
	later := strings.Replace(slicesWire(), "18:05", "19:45", 1)
	tests := map[string]struct {
		body string
		want bookings.Notice
	}{
		"made": {event("order.created", orderWire("ord_1", "act-1", `,"payment_status":{"awaiting_payment":false}`)),
			bookings.Notice{SupplierID: "ord_1", Key: "act-1", OfferID: "off_1", State: flights.Confirmed,
				Reference: "RZPNX8"}},
		"held": {event("order.created", orderWire("ord_1", "act-1", held)),
			bookings.Notice{SupplierID: "ord_1", Key: "act-1", OfferID: "off_1", State: flights.Held,
				Reference: "RZPNX8"}},
		"only named": {event("order.created", `{"id":"ord_1"}`), bookings.Notice{SupplierID: "ord_1"}},
		"let go": {event("order.updated", `{"id":"ord_1","cancelled_at":"2026-11-22T12:00:00Z","payment_status":
			{"awaiting_payment":true}}`), bookings.Notice{SupplierID: "ord_1", State: flights.Cancelled}},
		"lapsed": {event("order.updated", `{"id":"ord_1","payment_status":{"awaiting_payment":false,
			"payment_required_by":"2026-11-22T12:00:00Z","paid_at":null}}`),
			bookings.Notice{SupplierID: "ord_1", State: flights.Cancelled}},
		"not paid in time": {event("order.updated", `{"id":"ord_1","payment_status":{"awaiting_payment":true,
			"payment_required_by":"2026-11-22T11:59:59Z"}}`), bookings.Notice{SupplierID: "ord_1",
			State: flights.Cancelled}},
		"not made": {event("order.creation_failed", `{"offer_id":"off_1","metadata":{"bellhop_key":"act-1"}}`),
			bookings.Notice{Key: "act-1", OfferID: "off_1", State: flights.Failed}},
		"paid": {event("payment.created", `{"id":"pay_1","order_id":"ord_1","status":"succeeded"}`),
			bookings.Notice{SupplierID: "ord_1", State: flights.Confirmed}},
		"cancelled": {event("order_cancellation.confirmed", `{"id":"ore_1","order_id":"ord_1","refund_amount":"50.80",
			"refund_currency":"GBP"}`), bookings.Notice{SupplierID: "ord_1", State: flights.Cancelled,
			Refunded: &refund}},
		"moved": {event("order.airline_initiated_change_detected", `{"id":"aic_1","order_id":"ord_1","removed":`+
			slicesWire()+
			`,"added":`+later+`}`), bookings.Notice{SupplierID: "ord_1",
			Change: "The airline changed this booking: LHR to JFK now leaves on 04-Dec-2026 at 19:45 and arrives on " +
				"04-Dec-2026 at 21:20 (before: 04-Dec-2026 at 18:05, arriving on 04-Dec-2026 at 21:20)."}},
		"moved, untold": {event("order.airline_initiated_change_detected", `{"id":"aic_1","order_id":"ord_1"}`),
			bookings.Notice{SupplierID: "ord_1", Change: "The airline changed the flights of this booking."}},
		"dropped": {event("order.airline_initiated_change_detected",
			`{"id":"aic_1","order_id":"ord_1","added":[],"removed":`+
				slicesWire()+`}`), bookings.Notice{SupplierID: "ord_1",
			Change: "The airline cancelled flights of this booking."}},
		"a stay": {event("stays.booking.created",
			`{"id":"bok_1","reference":"AFE33SE2","metadata":{"bellhop_key":"act-2"}}`),
			bookings.Notice{SupplierID: "bok_1", Key: "act-2", State: flights.Confirmed, Reference: "AFE33SE2"}},
	}
	for name, tc := range tests {
		tc.want.ID, tc.want.Supplier = "wev_1", "duffel"
		n, ok, err := duffel.Notice([]byte(tc.body))
		if err != nil || !ok {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		if diff := cmp.Diff(fmt.Sprintf("%+v", deref(tc.want)), fmt.Sprintf("%+v", deref(n))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, body := range map[string]string{
		"a ping":                   event("ping.triggered", `{}`),
		"an event of later":        event("order.blessed", `{"id":"ord_1"}`),
		"a payment that failed":    event("payment.created", `{"order_id":"ord_1","status":"failed"}`),
		"a cancellation, asked":    event("order_cancellation.created", `{"id":"ore_1","order_id":"ord_1"}`),
		"an order without a name":  event("order.created", `{}`),
		"an order of another form": event("order.created", `{"id":"../x"}`),
	} {
		if n, ok, err := duffel.Notice([]byte(body)); ok || err != nil {
			t.Errorf("%s: %+v, %v, %v", name, n, ok, err)
		}
	}
	for name, body := range map[string]string{"nothing": "", "no object": "[]", "no id": `{"type":"order.created"}`,
		"another kind": event("order.created", `"canary"`)} {
		if _, _, err := duffel.Notice([]byte(body)); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// deref makes what a notice points to comparable as text.
func deref(n bookings.Notice) any {
	refund := ""
	if n.Refunded != nil {
		refund = n.Refunded.String()
	}
	n.Refunded = nil
	return []any{n, refund}
}
