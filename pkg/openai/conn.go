package openai

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
)

// doer sends requests as they are, without what http.Client adds: it follows no
// redirects and has no cookies.
type doer struct{ transport http.RoundTripper }

// Do implements option.HTTPClient.
func (d doer) Do(r *http.Request) (*http.Response, error) { return d.transport.RoundTrip(r) }

// joined tells the connection of a request where the request begins and ends, so
// that its head leaves together with its body.
type joined struct {
	mu sync.Mutex
	to *conn // nil where the connection is none of ours, such as one with TLS
}

func (j *joined) begin(info httptrace.GotConnInfo) {
	c, ok := info.Conn.(*conn)
	if !ok {
		return
	}
	c.expect()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.to = c
}

func (j *joined) end(httptrace.WroteRequestInfo) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.to != nil {
		j.to.release()
	}
}

// conn is a connection on which bodies are written without a copy: net/http hands
// a body of known length to the connection as an io.LimitedReader, for which the
// copy of an ordinary connection makes a buffer of the body's size.
type conn struct {
	*net.TCPConn

	mu      sync.Mutex
	holding bool   // the head of a request is expected, and is to wait for its body
	head    []byte // that waits
	err     error  // of a head that could not be written
}

// expect makes the next write wait for the body, or for release.
func (c *conn) expect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holding = true
}

// release writes what waits. Nothing waits from here on.
func (c *conn) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
}

func (c *conn) flush() {
	c.holding = false
	if len(c.head) > 0 && c.err == nil {
		_, c.err = c.TCPConn.Write(c.head)
	}
	c.head = c.head[:0]
}

// Write implements io.Writer.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holding && len(c.head) == 0 {
		c.head = append(c.head, p...)
		return len(p), nil
	}
	if c.flush(); c.err != nil {
		return 0, c.err
	}
	return c.TCPConn.Write(p)
}

// ReadFrom implements io.ReaderFrom.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if limited, ok := r.(*io.LimitedReader); ok && c.err == nil {
		if b, ok := limited.R.(*bodyReader); ok {
			n, err := b.writeTo(c.TCPConn, c.head, limited.N)
			c.holding, c.head = false, c.head[:0]
			limited.N -= n
			return n, err
		}
	}
	if c.flush(); c.err != nil {
		return 0, c.err
	}
	return c.TCPConn.ReadFrom(r)
}

// dial connects with d.
func dial(d *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, address)
		if tcp, ok := c.(*net.TCPConn); ok {
			return &conn{TCPConn: tcp}, err
		}
		return c, err
	}
}
