// Package supabase is the one way to Supabase. It wraps the published Go
// libraries once, so that their traps end here: every request carries its own
// context and its caller's token, filters are quoted and never lost, errors
// keep their status and SQLSTATE, bodies are bounded, and a write is either
// done, not done, or honestly unknown.
//
// Which library does what:
//
//	supabase-go    builds the project's clients at start, for Auth
//	gotrue-go      signs people in, through our transport
//	postgrest-go   builds and sends table requests: one client per request,
//	               whose Transport.Parent is our transport
//
// Functions (RPC) go through the same transport by plain HTTP, since postgrest-go
// loses their status.
package supabase

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/supabase-community/gotrue-go"
	supabase "github.com/supabase-community/supabase-go"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Config says where the project is and how it is talked to.
type Config struct {
	// URL is the project's address, such as https://abc.supabase.co. Required.
	URL string

	// PublishableKey is sent as "apikey": sb_publishable_… or a legacy anon
	// JWT. A key is never used as a token, but for a legacy one where Storage is read
	// without a user. Required.
	PublishableKey identity.Secret

	// HTTP carries the requests. Nil means a transport of the client's own,
	// tuned for many requests to one host.
	HTTP http.RoundTripper

	// UserAgent names us to the project. The default is "bellhop".
	UserAgent string

	// MaxBody caps the bytes of one answer. The default is 8 MiB.
	MaxBody int64

	// RequestID returns the id of the request that the context belongs to, or
	// "". It is sent as X-Request-Id. Nil sends none.
	RequestID func(context.Context) string

	// Proof shows the database that control calls and effects come from us. Nil
	// sends no proof, which suits programs that act as a person alone does.
	Proof *Prover

	// Log receives one line for what is worth knowing and has no caller to be
	// told to: retries, and writes whose outcome had to be looked up. Nil is
	// silent. The fields never hold tokens, filters or rows.
	Log func(ctx context.Context, event string, fields map[string]any)
}

const (
	defaultMaxBody = 8 << 20
	attemptTimeout = 20 * time.Second // above the database's own limit of 8 s
)

// Client is a Supabase project. Make it once and share it: it is immutable and
// safe for concurrent use.
type Client struct {
	cfg  Config
	base *url.URL
	auth gotrue.Client
	// functions is the address of the SQL functions, up to the name.
	functions string
	zones     identity.Zones
}

// New checks cfg and returns the client. Nothing is sent yet.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(cfg.URL, "/"))
	switch {
	case cfg.URL == "":
		return nil, errors.New("supabase: the project's URL is missing (SUPABASE_URL)")
	case err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") || base.User != nil ||
		base.RawQuery != "":
		return nil, errors.New("supabase: the project's URL must look like https://abc.supabase.co")
	case cfg.PublishableKey == "":
		return nil, errors.New("supabase: the publishable key is missing (SUPABASE_PUBLISHABLE_KEY)")
	case strings.HasPrefix(cfg.PublishableKey.Reveal(), "sb_secret_"):
		return nil, errors.New("supabase: a secret key was given where the publishable key belongs")
	}
	if cfg.HTTP == nil {
		cfg.HTTP = newHTTPTransport()
	}
	cfg.UserAgent = cmp.Or(cfg.UserAgent, "bellhop")
	cfg.MaxBody = cmp.Or(cfg.MaxBody, defaultMaxBody)
	if cfg.Log == nil {
		cfg.Log = func(context.Context, string, map[string]any) {}
	}
	// supabase-go has no error of its own for an unreachable project, and its
	// REST client has no way in for our transport: only its Auth is used.
	family, err := supabase.NewClient(base.String(), cfg.PublishableKey.Reveal(), nil)
	if err != nil {
		return nil, err
	}
	return &Client{cfg: cfg, base: base, auth: family.Auth, functions: base.JoinPath("rest/v1/rpc").String() + "/"},
		nil
}

// newTransport returns a transport whose idle connections suffice for a busy
// instance and whose waits all end.
func newHTTPTransport() http.RoundTripper {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   32,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   5 * time.Second,
		ResponseHeaderTimeout: attemptTimeout,
		ExpectContinueTimeout: time.Second,
		// The answer of a turn, which is the largest that is sent, leaves in one piece
		// and without a buffer of its own.
		WriteBufferSize: 32 << 10,
	}
}

// Conn is the project as one person sees it: every request bears that person's
// token, so the row policies decide. Make one for each request; it is small.
type Conn struct {
	client  *Client
	user    string // uuid; "" where no user is known
	org     string // uuid
	token   identity.Secret
	control bool
	books   bool // control that may write while a tool only reads
	// ours marks requests that are about no user, and are proven to be ours.
	ours bool
}

// As returns the project as seen by a person.
func (c *Client) As(by identity.Caller) Conn {
	return Conn{client: c, user: by.UserID, org: by.OrgID, token: by.Token}
}

// Ours returns the project as our functions see it before they know whose
// request it is: no token, and a proof that is about no user.
func (c *Client) Ours() Conn { return Conn{client: c, control: true, ours: true} }

// Control returns the connection for the functions that keep turns and
// proposals. What they write is no effect of a tool, so their requests carry no
// claim even when the context has one, but the proof that they come from us.
func (c Conn) Control() Conn {
	c.control = true
	return c
}

// BookKeeping is Control for what the server writes down while a tool only reads, such
// as the search that the tool made and a place in a provider's rate. It never writes
// what a tool is asked to write.
func (c Conn) BookKeeping() Conn {
	c.control, c.books = true, true
	return c
}
