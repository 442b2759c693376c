// Package mcptools lends an assistant the tools of remote MCP servers.
//
// A server is untrusted. What may be called, with which arguments, and what it
// does to the world is said by a Manifest, which people have reviewed and which
// names each tool with the digest of its declaration. A tool that the manifest
// does not name, or that the server declares differently today, is off. Hints of
// the server decide nothing, models read the manifest's descriptions alone, and
// results are untrusted text.
//
// A tool that reads is bounded in time and size, and may be tried again. A call
// that writes is sent at most once, through the outbox: when its outcome is not
// known, that is what is said, and the server is asked by our own reference.
//
// The protocol is the SDK's (github.com/modelcontextprotocol/go-sdk); what comes
// over the wire is judged by the transport in this package before the SDK reads
// it.
package mcptools

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Config is what a Client needs. Egress, Hosts and Now are required.
type Config struct {
	// Egress reaches the servers.
	Egress egress.Config
	// Hosts are those that may be reached; "*" stands for all public ones.
	Hosts []string
	// Name and Version are what servers are told of us; "" is Munimji-Agent 4.0.
	Name, Version string
	// Outbox records writes before they are tried; nil leaves out all tools that
	// write.
	Outbox effect.Outbox
	Now    calendar.Clock
	// Report is called when a server's tools differ from its manifest, once for
	// each difference and listing; optional.
	Report func(ctx context.Context, server string, d Difference)
	// Read and Write bound one call, Idle the wait for each piece of an answer,
	// Fresh how long a server's list of tools counts; 0 means 30 s, 60 s, 5 s and
	// 10 minutes.
	Read, Write, Idle, Fresh time.Duration
}

// Client talks to remote servers. It keeps connections and lists of tools for
// the life of the process, and is safe for concurrent use.
type Client struct {
	cfg   Config
	http  *http.Client
	mu    sync.Mutex
	pool  map[sessionKey]*session
	aged  []sessionKey // the oldest use first
	lists map[listKey]*listing
	older map[string]bool // servers that do not know the newest protocol, by address
}

// Server is one remote server of an organisation.
type Server struct {
	Name string // unique in the organisation, such as "ledger"
	URL  string
	// Secret is what the organisation's calls are authorised by when the user sent
	// nothing: the token itself, without "Bearer".
	Secret   identity.Secret
	Manifest *Manifest
}

// New returns a client, or an error that says what is missing.
func New(cfg Config) (*Client, error) {
	if cfg.Now == nil {
		return nil, errors.New("mcptools: a clock is needed")
	}
	if len(cfg.Hosts) == 0 {
		return nil, errors.New("mcptools: the hosts that may be reached are needed")
	}
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&cfg.Read, 30*time.Second)
	set(&cfg.Write, 60*time.Second)
	set(&cfg.Idle, 5*time.Second)
	set(&cfg.Fresh, 10*time.Minute)
	if cfg.Name == "" {
		cfg.Name, cfg.Version = "Munimji-Agent", "4.0"
	}
	c := &Client{cfg: cfg, pool: map[sessionKey]*session{}, lists: map[listKey]*listing{}, older: map[string]bool{}}
	c.http = &http.Client{
		Transport: transport{inner: cfg.Egress.Transport(), idle: cfg.Idle, agent: cfg.Name + "/" + cfg.Version},
		// A token must not follow a redirect, and a write must not be sent twice.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Close ends all connections.
func (c *Client) Close() {
	c.mu.Lock()
	var all []*session
	for _, s := range c.pool {
		all = append(all, s)
	}
	c.pool, c.aged = map[sessionKey]*session{}, nil
	c.mu.Unlock()
	for _, s := range all {
		s.end()
	}
}

// endpoint returns the address at which a server is called for the caller, with
// the organisation and the chosen entity in the query.
func (c *Client) endpoint(by identity.Caller, s Server) (string, error) {
	u, err := url.Parse(s.URL)
	if err == nil {
		err = c.cfg.Egress.Check(s.URL)
	}
	if err == nil && !c.allowed(u.Hostname()) {
		err = fmt.Errorf("%w: its host is not on the list", egress.ErrRefused)
	}
	if err != nil {
		return "", problem(fault.Unavailable, "remote_address", err,
			"The address of the server %s may not be reached.",
			s.Name)
	}
	q := u.Query()
	q.Set("orgid", by.OrgID)
	if by.Entity.ID != "" {
		q.Set("entityid", by.Entity.ID)
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u.String(), nil
}

func (c *Client) allowed(host string) bool {
	return slices.ContainsFunc(c.cfg.Hosts, func(h string) bool { return h == "*" || strings.EqualFold(h, host) })
}

// token returns whose authority a call has: the user's own where the user sent
// one, otherwise the organisation's. It is never one of ours.
func token(by identity.Caller, s Server) identity.Secret {
	if by.Remote != "" {
		return by.Remote
	}
	return s.Secret
}

// problem returns a failure of a server.
func problem(kind fault.Kind, code string, cause error, format string, args ...any) *fault.Error {
	return fault.Wrap(kind, cause, format, args...).WithCode(code)
}
