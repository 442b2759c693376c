package duffel

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Delivery is an event that was sent to the webhook.
type Delivery struct {
	ID     string // of the event
	Type   string
	Body   []byte
	Status int // 0: nothing answered
}

// events are delivered in order, beside the requests that made them.
type events struct {
	cfg    Config
	ctx    context.Context // ends with the server
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	changed *sync.Cond // of what follows
	queue   []Delivery // the first is the next, or under way
	sent    []Delivery
}

func startEvents(cfg Config) *events {
	ctx, cancel := context.WithCancel(context.Background())
	e := &events{cfg: cfg, ctx: ctx, cancel: cancel, done: make(chan struct{})}
	e.changed = sync.NewCond(&e.mu)
	go e.run()
	return e
}

// run delivers until the server ends.
func (e *events) run() {
	defer close(e.done)
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		for len(e.queue) == 0 && e.ctx.Err() == nil {
			e.changed.Wait()
		}
		if e.ctx.Err() != nil {
			e.queue = nil
			e.changed.Broadcast()
			return
		}
		d := e.queue[0]
		e.mu.Unlock()
		d.Status = e.deliver(d)
		e.mu.Lock()
		e.queue = e.queue[1:]
		e.sent = append(e.sent, d)
		e.changed.Broadcast()
	}
}

func (e *events) stop() {
	e.cancel()
	e.mu.Lock()
	e.changed.Broadcast()
	e.mu.Unlock()
	<-e.done
}

func (e *events) send(d Delivery) {
	if e.cfg.WebhookURL == "" || e.ctx.Err() != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queue = append(e.queue, d)
	e.changed.Broadcast()
}

// deliver sends an event once, and returns the status that was answered.
func (e *events) deliver(d Delivery) int {
	ctx, cancel := context.WithTimeout(e.ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.cfg.WebhookURL, bytes.NewReader(d.Body))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Duffel/v2")
	r.Header.Set("X-Duffel-Signature", Sign(e.cfg.WebhookSecret, e.cfg.Now(), d.Body))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// Sign is the value of the header X-Duffel-Signature for a body that is sent at a moment.
func Sign(secret string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// event is an event of Duffel's, as it is sent.
func (s *Server) event(kind, key string, object any) Delivery {
	d := Delivery{ID: s.name("wev"), Type: kind}
	d.Body, _ = json.Marshal(map[string]any{ // what is shown over HTTP as well
		"id": d.ID, "api_version": "v2", "type": kind, "data": map[string]any{"object": object}, "live_mode": false,
		"idempotency_key": key, "created_at": stamp(s.now()), "identity_organisation_id": identifier("org", "one"),
	})
	return d
}

// Delivered waits until all events so far are delivered, and returns them, the oldest
// first.
func (s *Server) Delivered() []Delivery {
	e := s.events
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.queue) > 0 {
		e.changed.Wait()
	}
	return append([]Delivery(nil), e.sent...)
}

// Redeliver sends an event again with the same id and body, as Duffel does when it had no
// answer. The signature is of now.
func (s *Server) Redeliver(eventID string) error {
	for _, d := range s.Delivered() {
		if d.ID == eventID {
			d.Status = 0
			s.events.send(d)
			return nil
		}
	}
	return fmt.Errorf("duffel: no event %s was sent", eventID)
}

// Ping sends the event ping.triggered.
func (s *Server) Ping() error {
	if s.cfg.WebhookURL == "" {
		return errors.New("duffel: there is no webhook")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events.send(s.event("ping.triggered", "", map[string]any{}))
	return nil
}
