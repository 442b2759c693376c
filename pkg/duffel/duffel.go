// Package duffel sells flights and stays by the Duffel API, version v2
// (https://duffel.com/docs/api). It is the only package that knows its addresses, its JSON
// and its errors.
//
// What reads may be asked again. What acts (an order, a payment, a cancellation) is sent
// once: Duffel has no idempotency keys, so an answer that did not come leaves the outcome
// unknown until it is looked up. See docs/travel-duffel.md.
package duffel

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

// Name is what the supplier is called in bookings.
const Name = "duffel"

// The rate of the source document (S1-18) at which an organisation calls Duffel, where
// Config.Gate has none.
const (
	Capacity  = 10
	PerSecond = 5
)

const (
	standardURL = "https://api.duffel.com"
	version     = "v2"
	testPrefix  = "duffel_test_"
)

// Config says as whom and how Duffel is asked.
type Config struct {
	// APIKey is the access token: "duffel_test_…" or "duffel_live_…". Required.
	APIKey identity.Secret
	// BaseURL is where Duffel is; "" is https://api.duffel.com.
	BaseURL string
	// HTTP carries the requests; nil is a client of our own, which follows no redirects.
	HTTP *http.Client
	// Gate limits the calls of an organisation. The zero Rate is Capacity and PerSecond;
	// a gate without a counter admits all.
	Gate limit.ProviderGate
	// Now is the clock; required.
	Now calendar.Clock
	// Report, if not nil, is told what was left out of an answer and why. What it is given
	// holds nothing personal.
	Report func(err error)
}

// Client is safe for concurrent use.
type Client struct {
	key    identity.Secret
	base   string
	http   *http.Client
	gate   limit.ProviderGate
	now    calendar.Clock
	report func(err error)

	rates   rates
	buffers sync.Pool // of *bytes.Buffer
	// recent are the keys under which something was ordered here a short while ago without
	// an answer.
	mu     sync.Mutex
	recent map[string]time.Time
}

// New checks cfg. Nothing is asked yet. Its errors never hold the key.
func New(cfg Config) (*Client, error) {
	if cfg.APIKey == "" || cfg.Now == nil {
		return nil, errors.New("duffel: an access token and a clock are both required")
	}
	if strings.ContainsFunc(cfg.APIKey.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("duffel: the access token has signs that no token has")
	}
	c := &Client{key: cfg.APIKey, base: strings.TrimRight(cfg.BaseURL, "/"), http: cfg.HTTP, gate: cfg.Gate,
		now: cfg.Now, report: cfg.Report, recent: map[string]time.Time{}}
	if c.base == "" {
		c.base = standardURL
	}
	u, err := url.Parse(c.base)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
		return nil, errors.New("duffel: the base URL must be https")
	}
	if c.http == nil {
		c.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // the access token goes nowhere else
		}}
	}
	if c.gate.Rate == (limit.ProviderRate{}) {
		c.gate.Rate = limit.ProviderRate{Provider: Name, Capacity: Capacity, PerSecond: PerSecond}
	}
	if c.report == nil {
		c.report = func(error) {}
	}
	return c, nil
}

func loopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Test reports whether the access token is one of the test mode, in which nothing is
// booked with an airline and nothing is paid.
func (c *Client) Test() bool { return strings.HasPrefix(c.key.Reveal(), testPrefix) }

// Flights returns the supplier of flights.
func (c *Client) Flights() flights.Supplier { return flightSupplier{c} }

// Stays returns the supplier of stays.
func (c *Client) Stays() stays.Supplier { return staySupplier{c} }

// lookUpDelay is how long after an order without an answer a look-up that finds nothing
// proves nothing: Duffel waits up to two minutes for an airline.
const lookUpDelay = 3 * time.Minute

// left notes that something was ordered under a key and no answer came.
func (c *Client) left(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	for k, at := range c.recent {
		if now.Sub(at) > lookUpDelay {
			delete(c.recent, k)
		}
	}
	c.recent[key] = now
}

// mayCome returns how long what was ordered under a key may still be on its way.
func (c *Client) mayCome(key string) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.recent[key]
	if !ok {
		return 0
	}
	return max(0, lookUpDelay-c.now().Sub(at))
}
