package duffel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	maxAnswer = 48 << 20 // bytes, after decompression
	maxError  = 64 << 10
)

// call is one request of the API.
type call struct {
	method string
	path   string // "/air/offers", its parts escaped
	query  url.Values
	body   any // what stands in "data"; nil for none
	// acts says that the request changes something that counts: it is sent once, and
	// without an answer its outcome is unknown.
	acts bool
	// hide are texts that no error may repeat.
	hide []string
}

// send makes a call and gives the body of a good answer to read. The errors of an acting
// call are as flights.Supplier says.
func (c *Client) send(ctx context.Context, by identity.Caller, r call,
	read func(status int, body io.Reader) error) error {
	if r.acts && effect.IsReadOnly(ctx) {
		return effect.NotDone(fault.Wrap(fault.Internal,
			errors.New(r.method+" "+shape(r.path)+" in a read-only context"),
			"A reading tool tried to write and was stopped."))
	}
	sent, err := c.exchange(ctx, by, r, read)
	if err == nil || !r.acts {
		return err
	}
	if !sent || refused(err) {
		return effect.NotDone(err)
	}
	if fault.From(err).Code != "outcome_unknown" {
		return outcomeUnknown(err)
	}
	return err
}

// exchange reports beside its error whether the request may have reached Duffel.
func (c *Client) exchange(ctx context.Context, by identity.Caller, r call,
	read func(status int, body io.Reader) error) (sent bool, err error) {
	if err := c.gate.Wait(ctx, by); err != nil {
		return false, err
	}
	if err := c.rates.wait(ctx, c.now); err != nil {
		return false, err
	}
	var connected atomic.Bool
	req, err := c.request(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	}), r)
	if err != nil {
		return false, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return connected.Load(), unanswered(ctx, err, r.acts && connected.Load())
	}
	defer res.Body.Close()
	c.rates.note(res.Header, res.StatusCode == http.StatusTooManyRequests, c.now())
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return true, c.problem(res, r)
	}
	if err := read(res.StatusCode, &bounded{left: maxAnswer, from: res.Body}); err != nil {
		return true, unread(ctx, err, res, r)
	}
	return true, nil
}

func (c *Client) request(ctx context.Context, r call) (*http.Request, error) {
	address := c.base + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var body io.Reader
	if r.body != nil {
		data, err := json.Marshal(map[string]any{"data": r.body})
		if err != nil {
			return nil, fmt.Errorf("encode what Duffel is asked: %w", err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("ask Duffel: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.key.Reveal())
	req.Header.Set("Duffel-Version", version)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "bellhop")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	// Accept-Encoding is set by the transport, which then also decompresses.
	return req, nil
}

// one makes a call whose answer is one object.
func one[T any](ctx context.Context, c *Client, by identity.Caller, r call) (value T, status int, err error) {
	err = c.send(ctx, by, r, func(code int, body io.Reader) error {
		status = code
		var envelope struct {
			Data T `json:"data"`
		}
		err := json.NewDecoder(body).Decode(&envelope)
		if errors.Is(err, io.EOF) && code == http.StatusAccepted {
			return nil // an accepted request may have nothing to show yet
		}
		value = envelope.Data
		return err
	})
	return value, status, err
}

// many makes a call whose answer is a page of a list. It gives the items one by one to
// take, and returns the cursor of the next page, "" for none.
func many[T any](ctx context.Context, c *Client, by identity.Caller, r call, take func(*T) error) (after string,
	err error) {
	err = c.send(ctx, by, r, func(_ int, body io.Reader) error {
		return c.whole(body, func(t *text) error {
			return t.members(func(name string) error {
				switch name {
				case "data":
					return list(t, take)
				case "meta":
					var meta struct {
						After string `json:"after"`
					}
					err := t.value(&meta)
					after = meta.After
					return err
				}
				return t.skip()
			})
		})
	})
	return after, err
}

// bounded reads up to a number of bytes and fails behind them.
type bounded struct {
	left int
	from io.Reader
}

var errTooLong = errors.New("the answer is too long")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
