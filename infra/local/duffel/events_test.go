package duffel_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
)

func TestEventsAreSigned(t *testing.T) {
	type got struct {
		body      []byte
		signature string
	}
	arrived := make(chan got, 16)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- got{body, r.Header.Get("X-Duffel-Signature")}
	}))
	defer hook.Close()
	c := start(t, func(cfg *duffelConfig) { cfg.WebhookURL, cfg.WebhookSecret = hook.URL, "secret" })
	o := pick(t, c.search("LHR", "JFK"), nil)
	order := c.call("POST", "/air/orders", held(o))
	id := at(order.Data, "id").(string)
	if err := c.server.Change(id); err != nil {
		t.Fatal(err)
	}
	sent := c.server.Delivered()
	if len(sent) != 2 || sent[0].Type != "order.created" || sent[0].Status != http.StatusOK {
		t.Fatalf("sent %v", sent)
	}
	<-arrived
	change := <-arrived
	var event map[string]any
	if err := json.Unmarshal(change.body, &event); err != nil {
		t.Fatal(err)
	}
	if event["type"] != "order.airline_initiated_change_detected" || at(event, "data", "object", "order_id") != id ||
		at(event, "data", "object", "removed", 0, "segments", 0, "departing_at") ==
			at(event, "data", "object", "added", 0, "segments", 0, "departing_at") {
		t.Errorf("the event is %s", change.body)
	}
	if change.signature != duffel.Sign("secret", c.clock.at, change.body) {
		t.Errorf("the signature is %s", change.signature)
	}
	c.clock.at = c.clock.at.Add(time.Minute)
	if err := c.server.Redeliver(sent[1].ID); err != nil {
		t.Fatal(err)
	}
	if again := <-arrived; string(again.body) != string(change.body) || again.signature == change.signature {
		t.Error("what is sent again has another body, or the signature of before")
	}
}

// TestSignatureOfTheDocumentation is computed apart from Sign, by openssl.
func TestSignatureOfTheDocumentation(t *testing.T) {
	got := duffel.Sign("a_secret", time.Unix(1616202842, 0), []byte(`{"id":"wev_1"}`))
	if want := "t=1616202842,v1=a2688125a05f0fc3a31aa6a1516ebd38d843a96078cf2d8ecc54305036337ba3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFaults(t *testing.T) {
	c := start(t, nil)
	o := pick(t, c.search("LHR", "JFK"), nil)
	c.server.Fail("/air/offers/*", 503, "")
	path := "/air/offers/" + at(o, "id").(string)
	if got := c.call("GET", path, nil); got.status != 503 || got.Errors[0]["type"] != "api_error" {
		t.Errorf("%d %v", got.status, got.Errors)
	}
	if got := c.call("GET", path, nil); got.status != http.StatusOK {
		t.Errorf("after the fault: %d", got.status)
	}

	// The order is made, and its answer is lost.
	c.server.Lose("POST /air/orders")
	text, _ := json.Marshal(m{"data": held(o)})
	r := c.request("POST", "/air/orders", strings.NewReader(string(text)))
	if answer, err := http.DefaultClient.Do(r); err == nil {
		answer.Body.Close()
		t.Errorf("answered %d", answer.StatusCode)
	}
	found := c.call("GET", "/air/orders?offer_id="+at(o, "id").(string), nil)
	if at(found.Data, 0, "id") != c.server.Orders()[0] {
		t.Errorf("found %v", found.Data)
	}

	// One that waits is carried out when it is released.
	release := c.server.Hang("GET /air/orders")
	done := make(chan reply)
	go func() { done <- c.call("GET", "/air/orders", nil) }()
	if got := c.call("GET", path, nil); got.status != http.StatusOK {
		t.Errorf("another request meanwhile: %d", got.status)
	}
	release()
	if got := <-done; got.status != http.StatusOK {
		t.Errorf("released: %d", got.status)
	}
	for _, call := range c.server.Calls() {
		if call.Method == "POST" && call.Path == "/air/orders" && call.Status != 0 {
			t.Errorf("the lost answer is told as %d", call.Status)
		}
	}
}
