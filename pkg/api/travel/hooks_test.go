package travel_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	boottravel "github.com/bellhop-ai/bellhop/pkg/boot/travel"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

const hookSecret = "the-secret-of-duffels-webhooks"

// hooked starts the function with a secret of webhooks, beside one for people.
func hooked(t *testing.T, secret string) (c client, send func(event, signature string) (int, object)) {
	t.Helper()
	c = open(t)
	s := localtest.Stack(t)
	env := map[string]string{"DUFFEL_WEBHOOK_SECRET": secret, "SUPABASE_SECRET_KEY": s.Keys().Secret}
	service := &boot.Service{Name: "travel", Now: time.Now, Log: zerolog.New(c.log), Env: func(name string) (string,
		bool) {
		v, ok := env[name]
		return v, ok
	}}
	service.SupabaseURL, service.PublishableKey, service.JWKS = s.URL(), s.Keys().Publishable, string(s.JWKS())
	service.ProofKeys = s.ProofKeys()
	h, err := boottravel.NewFunction(t.Context(), service)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: service.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return c, func(event, signature string) (int, object) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/webhooks/duffel",
			strings.NewReader(event))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Duffel-Signature", signature)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		var o object
		_ = json.Unmarshal(body, &o)
		return res.StatusCode, o
	}
}

func sign(secret string, at time.Time, event string) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "%d.%s", at.Unix(), event)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(h.Sum(nil)))
}

// F-48, F-49: a webhook settles the booking that it is about, once, and only where Duffel
// signed it.
func TestAWebhookOfDuffelSettlesABooking(t *testing.T) {
	t.Parallel()
	c, send := hooked(t, hookSecret)
	kept, by := c.bookings()
	b := pending(t, kept, by)
	order := "ord_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := kept.Settle(t.Context(), by, bookings.Booking{Code: b.Code, State: flights.Pending,
		SupplierID: order}); err != nil {
		t.Fatal(err)
	}
	is := func(want flights.State) {
		t.Helper()
		if now, err := kept.Get(t.Context(), by, b.Code); err != nil || now.State != want {
			t.Errorf("the booking is %+v, %v", now, err)
		}
	}
	event := func(id, kind, object string) string {
		return fmt.Sprintf(`{"id":"wev_%s%s","type":%q,"data":{"object":%s},"live_mode":false}`, id, order, kind,
			object)
	}
	failed := event("1", "order.creation_failed", `{"id":"`+order+
		`","offer_id":"off_1","booking_reference":"Canary Smith"}`)
	for name, signature := range map[string]string{"none": "", "another secret": sign("x"+hookSecret, time.Now(),
		failed),
		"an old one":   sign(hookSecret, time.Now().Add(-6*time.Minute), failed),
		"another body": sign(hookSecret, time.Now(), failed+" ")} {
		if status, o := send(failed, signature); status != http.StatusUnauthorized || o["code"] != "bad_signature" {
			t.Errorf("%s: %d, %v", name, status, o)
		}
	}
	is(flights.Pending)
	for i, want := range []string{"taken", "ignored"} {
		if status, o := send(failed, sign(hookSecret, time.Now(), failed)); status != http.StatusOK ||
			o["status"] != want {
			t.Errorf("the %d. time: %d, %v", i+1, status, o)
		}
		is(flights.Failed)
	}
	for name, text := range map[string]string{"a ping": event("2", "ping.triggered", "{}"),
		"an order of others": event("3", "order_cancellation.confirmed", `{"id":"ore_1","order_id":"ord_ofothers"}`)} {
		if status, o := send(text, sign(hookSecret, time.Now(), text)); status != http.StatusOK ||
			o["status"] != "ignored" {
			t.Errorf("%s: %d, %v", name, status, o)
		}
	}
	if status, o := send("[]", sign(hookSecret, time.Now(), "[]")); status != http.StatusBadRequest {
		t.Errorf("no event: %d, %v", status, o)
	}
	large := strings.Repeat(" ", 1<<20+1)
	if status, o := send(large, sign(hookSecret, time.Now(), large)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large one: %d, %v", status, o)
	}
	if log := c.log.String(); strings.Contains(log, "Canary") || strings.Contains(log, order) {
		t.Errorf("the log has %s", log)
	}
}

// F-48: an order that was only accepted has no id, or another one, so its booking is found by
// our key or by the offer, and gets the id.
func TestAWebhookSettlesAPendingBookingByKeyOrOffer(t *testing.T) {
	t.Parallel()
	c, send := hooked(t, hookSecret)
	kept, by := c.bookings()
	byKey, byOffer := pending(t, kept, by), pending(t, kept, by)
	tell := func(kind, object, want string) {
		t.Helper()
		event := fmt.Sprintf(`{"id":"wev_%s","type":%q,"data":{"object":%s}}`, strings.ReplaceAll(uuid.NewString(),
			"-", ""),
			kind, object)
		if status, o := send(event, sign(hookSecret, time.Now(), event)); status != http.StatusOK ||
			o["status"] != want {
			t.Errorf("%s: %d, %v", event, status, o)
		}
	}
	order := "ord_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	tell("order.created", `{"id":"`+order+`","booking_reference":"RZPNX8","metadata":{"bellhop_key":"`+byKey.Key+
		`"},"payment_status":{"awaiting_payment":false}}`, "taken")
	tell("order.creation_failed", `{"id":"por_1","offer_id":"`+byOffer.OfferID+`"}`, "taken")
	if now, err := kept.Get(t.Context(), by, byKey.Code); err != nil || now.State != flights.Confirmed || !now.Paid ||
		now.Reference != "RZPNX8" || now.SupplierID != order {
		t.Errorf("by its key it is %+v, %v", now, err)
	}
	if now, err := kept.Get(t.Context(), by, byOffer.Code); err != nil || now.State != flights.Failed || now.Paid {
		t.Errorf("by its offer it is %+v, %v", now, err)
	}
	// What is settled is no longer found so, and what is cancelled tells what was given back.
	tell("order.creation_failed", `{"id":"por_2","metadata":{"bellhop_key":"`+byKey.Key+`"}}`, "ignored")
	tell("order_cancellation.confirmed", `{"id":"ore_1","order_id":"`+order+
		`","refund_amount":"50.80","refund_currency":"GBP"}`,
		"taken")
	if now, err := kept.Get(t.Context(), by, byKey.Code); err != nil || now.State != flights.Cancelled ||
		now.Refunded == nil || now.Refunded.String() != "£50.80" {
		t.Errorf("cancelled it is %+v, %v", now, err)
	}
}

// bookings returns the store behind the function, and a manager whose they are.
func (c client) bookings() (bookings.Store, identity.Caller) {
	c.Helper()
	db, err := supabase.New(localtest.Config(c, localtest.Stack(c)))
	if err != nil {
		c.Fatal(err)
	}
	by, err := db.Whoami(c.Context(), identity.Secret(c.org.Manager.Token))
	if err != nil {
		c.Fatal(err)
	}
	return store.NewBookings(db), by
}

// pending opens a booking of an offer of its own.
func pending(t *testing.T, kept bookings.Store, by identity.Caller) bookings.Booking {
	t.Helper()
	local := calendar.DateTime{Date: calendar.Date{Year: 2026, Month: 12, Day: 4}, Hour: 19}
	b, err := kept.Open(t.Context(), by, bookings.Booking{Type: bookings.Flight, Title: "London to Lisbon",
		Starts: local,
		Ends:   local, Supplier: "duffel", OfferID: "off_" + strings.ReplaceAll(uuid.NewString(), "-", ""),
		Key: "act-" + uuid.NewString()})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWithoutASecretThereAreNoWebhooks(t *testing.T) {
	t.Parallel()
	_, send := hooked(t, "")
	event := `{"id":"wev_1","type":"ping.triggered"}`
	if status, o := send(event, sign("", time.Now(), event)); status != http.StatusNotFound {
		t.Errorf("it is %d, %v", status, o)
	}
}
