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
	service := &boot.Service{Name: "travel", Now: time.Now, Log: zerolog.New(c.log), Env: func(name string) (string, bool) {
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
	db, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	by, err := db.Whoami(t.Context(), identity.Secret(c.org.Manager.Token))
	if err != nil {
		t.Fatal(err)
	}
	kept := store.NewBookings(db)
	local := calendar.DateTime{Date: calendar.Date{Year: 2026, Month: 12, Day: 4}, Hour: 19}
	b, err := kept.Open(t.Context(), by, bookings.Booking{Type: bookings.Flight, Title: "London to Lisbon", Starts: local,
		Ends: local, Supplier: "duffel", OfferID: "off_1", Key: "act-" + uuid.NewString()})
	if err != nil {
		t.Fatal(err)
	}
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
		return fmt.Sprintf(`{"id":"wev_%s%s","type":%q,"data":{"object":%s},"live_mode":false}`, id, order, kind, object)
	}
	failed := event("1", "order.creation_failed", `{"id":"`+order+`","offer_id":"off_1","booking_reference":"Canary Smith"}`)
	for name, signature := range map[string]string{"none": "", "another secret": sign("x"+hookSecret, time.Now(), failed),
		"an old one":   sign(hookSecret, time.Now().Add(-6*time.Minute), failed),
		"another body": sign(hookSecret, time.Now(), failed+" ")} {
		if status, o := send(failed, signature); status != http.StatusUnauthorized || o["code"] != "bad_signature" {
			t.Errorf("%s: %d, %v", name, status, o)
		}
	}
	is(flights.Pending)
	for i, want := range []string{"taken", "ignored"} {
		if status, o := send(failed, sign(hookSecret, time.Now(), failed)); status != http.StatusOK || o["status"] != want {
			t.Errorf("the %d. time: %d, %v", i+1, status, o)
		}
		is(flights.Failed)
	}
	for name, text := range map[string]string{"a ping": event("2", "ping.triggered", "{}"),
		"an order of others": event("3", "order_cancellation.confirmed", `{"id":"ore_1","order_id":"ord_ofothers"}`)} {
		if status, o := send(text, sign(hookSecret, time.Now(), text)); status != http.StatusOK || o["status"] != "ignored" {
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

func TestWithoutASecretThereAreNoWebhooks(t *testing.T) {
	t.Parallel()
	_, send := hooked(t, "")
	event := `{"id":"wev_1","type":"ping.triggered"}`
	if status, o := send(event, sign("", time.Now(), event)); status != http.StatusNotFound {
		t.Errorf("it is %d, %v", status, o)
	}
}
