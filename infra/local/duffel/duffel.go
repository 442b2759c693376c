// Package duffel is a stand-in for the Duffel API, version v2, as far as Bellhop speaks
// it: searches and orders of flights, and stays. It answers over HTTP in Duffel's own
// forms. What it sells is made up from the request alone, so the same request finds the
// same flights at the same prices; orders and bookings are kept in memory. The README
// says what is spoken and where it differs from Duffel.
package duffel

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Config says how the server behaves.
type Config struct {
	// Addr is where it listens. The default is a free port of 127.0.0.1.
	Addr string
	// Token is the access token that is accepted. The default accepts every token that
	// begins with "duffel_test_".
	Token string
	// Now is the clock of everything: offers expire by it. The default is time.Now.
	Now func() time.Time
	// WebhookURL receives events, signed with WebhookSecret. There are none when it is "".
	WebhookURL    string
	WebhookSecret string
	// PerMinute is how many requests a minute are answered; the default is 4000.
	PerMinute int
}

// Call is a request that was answered. Status is 0 where the connection was broken
// instead.
type Call struct {
	Method string
	Path   string // with the query
	Status int
}

// Server is a running stand-in. It is safe for concurrent use.
type Server struct {
	cfg      Config
	listener net.Listener
	http     *http.Server
	handler  http.Handler
	served   chan struct{}
	events   *events

	mu     sync.Mutex // guards what follows
	calls  []Call
	faults []*fault
	quota  quota
	state  state
	// waiting is how many requests wait by Hang; hung tells of its changes.
	waiting int
	hung    *sync.Cond
}

// Start listens and serves until Close.
func Start(cfg Config) (*Server, error) {
	cfg.Addr = cmp.Or(cfg.Addr, "127.0.0.1:0")
	cfg.PerMinute = cmp.Or(cfg.PerMinute, 4000)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("duffel: listen at %s: %w", cfg.Addr, err)
	}
	s := &Server{cfg: cfg, listener: listener, served: make(chan struct{}), state: newState()}
	s.hung = sync.NewCond(&s.mu)
	s.events = startEvents(cfg)
	s.handler = s.routes()
	s.http = &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener) // until Close
	}()
	return s, nil
}

// URL is what stands for https://api.duffel.com.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Handler serves the same without the listener.
func (s *Server) Handler() http.Handler { return s.handler }

// Close ends the server, its connections and the delivery of events.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.served
	s.events.stop()
	return err
}

// Stop is Close.
func (s *Server) Stop() error { return s.Close() }

// Calls returns the requests that were answered, the oldest first. The slice is the
// caller's.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// maxKept is how many searches, and how many calls, are remembered; older ones go first.
const maxKept = 400

// state is what was searched for and sold.
type state struct {
	made     int // counts what was made, and so names it
	requests map[string]*offerRequest
	searched []string // ids of requests, the oldest first
	offers   map[string]*offer

	orders        map[string]*order
	orderIDs      []string // the oldest first
	cancellations map[string]*cancellation
	acceptance    *Outcome // of the next order that is only accepted

	hotels   map[string]*hotel
	results  map[string]*stayResult
	looked   []string // ids of results, the oldest first
	rates    map[string]*heldRate
	quotes   map[string]*quote
	bookings map[string]*booking
	bookIDs  []string // the oldest first
}

func newState() state {
	return state{
		requests: map[string]*offerRequest{}, offers: map[string]*offer{}, orders: map[string]*order{},
		cancellations: map[string]*cancellation{}, hotels: map[string]*hotel{}, results: map[string]*stayResult{},
		rates: map[string]*heldRate{}, quotes: map[string]*quote{}, bookings: map[string]*booking{},
	}
}

// name returns an id that was not given before.
func (s *Server) name(prefix string) string {
	s.state.made++
	return identifier(prefix, s.state.made)
}

func (s *Server) now() time.Time { return s.cfg.Now() }
