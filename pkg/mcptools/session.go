package mcptools

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	// maxSessions is how many connections are kept, maxUnused for how long one may
	// be unused when the server keeps a session of it.
	maxSessions = 64
	maxUnused   = 5 * time.Minute
	// lastInitialize is the newest protocol that begins with initialize. Since
	// 2026-07-28 there is server/discover, which older servers do not know.
	lastInitialize = "2025-11-25"
)

// sessionKey tells connections apart: by address, which names the organisation
// and the entity, and by whose token is sent. So no two users share a session.
type sessionKey struct {
	endpoint string
	token    [sha256.Size]byte
}

// session is a connection to a server, made when it is first used.
type session struct {
	turn chan struct{} // has room for one: the one who connects
	live atomic.Pointer[mcp.ClientSession]
	used time.Time
}

func (s *session) end() {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if live := s.live.Swap(nil); live != nil {
		_ = live.Close()
	}
}

// connected returns a connection for the caller.
func (c *Client) connected(ctx context.Context, x *exchange, by identity.Caller, s Server) (sessionKey,
	*mcp.ClientSession, error) {
	endpoint, err := c.endpoint(by, s)
	if err != nil {
		return sessionKey{}, nil, err
	}
	key := sessionKey{endpoint, sha256.Sum256([]byte(x.token.Reveal()))}
	kept := c.kept(key)
	select {
	case kept.turn <- struct{}{}:
		defer func() { <-kept.turn }()
	case <-ctx.Done():
		return key, nil, late(x, ctx.Err())
	}
	now := c.cfg.Now()
	if live := kept.live.Load(); live != nil && live.ID() != "" && now.Sub(kept.used) > maxUnused {
		c.dropped(key, live) // the server may have forgotten it
	}
	kept.used = now
	if live := kept.live.Load(); live != nil {
		return key, live, nil
	}
	live, err := c.connect(ctx, s.URL, endpoint)
	if err != nil {
		return key, nil, c.failure(ctx, x, err)
	}
	kept.live.Store(live)
	return key, live, nil
}

// kept returns the entry of a key, and forgets the one that was not used for the
// longest time when there are too many.
func (c *Client) kept(key sessionKey) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, known := c.pool[key]
	if known {
		c.aged = slices.DeleteFunc(c.aged, func(k sessionKey) bool { return k == key })
	} else {
		s = &session{turn: make(chan struct{}, 1)}
		c.pool[key] = s
	}
	c.aged = append(c.aged, key)
	if len(c.aged) > maxSessions {
		go c.pool[c.aged[0]].end()
		delete(c.pool, c.aged[0])
		c.aged = slices.Delete(c.aged, 0, 1)
	}
	return s
}

// dropped forgets a connection that can't be used any more.
func (c *Client) dropped(key sessionKey, live *mcp.ClientSession) {
	c.mu.Lock()
	kept := c.pool[key]
	c.mu.Unlock()
	if kept != nil {
		kept.live.CompareAndSwap(live, nil)
	}
	go func() { _ = live.Close() }()
}

func (c *Client) connect(ctx context.Context, address, endpoint string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: c.cfg.Name, Version: c.cfg.Version}, &mcp.ClientOptions{
		// A server asks us nothing: neither for input nor for the user's models.
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	var options mcp.ClientSessionOptions
	c.mu.Lock()
	if c.older[address] {
		options.ProtocolVersion = lastInitialize
	}
	c.mu.Unlock()
	live, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: c.http,
		MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxList}, &options)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.older[address] = live.InitializeResult().ProtocolVersion <= lastInitialize
	c.mu.Unlock()
	return live, nil
}

// begin returns the exchange of one call, and the context that carries it.
func (c *Client) begin(ctx context.Context, by identity.Caller, s Server) (context.Context, *exchange) {
	x := &exchange{server: s.Name, token: token(by, s)}
	return context.WithValue(ctx, exchangeKey{}, x), x
}

// listing is what a server declared at a moment.
type listing struct {
	at       time.Time
	declared []declared
	same     map[string]bool
}

// listKey is what a listing is kept by.
type listKey struct{ url, org, manifest string }

// maxListed bounds the pages of a list.
const maxListed = 20

// list asks a server for its tools.
func (c *Client) list(ctx context.Context, by identity.Caller, s Server) ([]declared, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Read)
	defer cancel()
	ctx, x := c.begin(ctx, by, s)
	key, live, err := c.connected(ctx, x, by, s)
	if err != nil {
		return nil, err
	}
	x.failed.Store(nil)
	var list []declared
	params := &mcp.ListToolsParams{}
	for range maxListed {
		res, err := live.ListTools(ctx, params)
		if err != nil {
			f := c.failure(ctx, x, err)
			if f.Code != codeRefused {
				c.dropped(key, live)
			}
			return nil, f
		}
		for _, t := range res.Tools {
			list = append(list, declared{t.Name, t.Description, encoded(t.InputSchema)})
		}
		if res.NextCursor == "" {
			return list, nil
		}
		params = &mcp.ListToolsParams{Cursor: res.NextCursor}
	}
	return nil, problem(fault.Upstream, "remote_answer", errPages, "The server %s lists too many tools.", s.Name)
}
