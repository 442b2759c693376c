package mcptools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	// maxWire is how much of a tool's answer is read, and maxList of a list.
	maxWire = 2 << 20
	maxList = 8 << 20
	// maxRefusal is how much of an answer is read that is a refusal.
	maxRefusal = 64 << 10
	// noteTime bounds messages that have no answer.
	noteTime = 5 * time.Second
)

// exchange is one call of a server: what it may send, and what is known of how it
// went. It belongs to one call; the transport writes it while the call runs.
type exchange struct {
	server string // its name, for sentences
	token  identity.Secret
	// reached says that a connection was there for the call itself, so that the
	// call may have arrived.
	reached atomic.Bool
	// gone says that the server no longer knows the session.
	gone atomic.Bool
	// cut says that the answer was too long and is closed where it was cut.
	cut atomic.Bool
	// result is the result as it came; the SDK reads its numbers as floats.
	result atomic.Pointer[json.RawMessage]
	// failed is why the exchange failed.
	failed atomic.Pointer[fault.Error]
}

type exchangeKey struct{}

// transport carries the SDK's messages. It adds the token, and gives the SDK
// nothing but small and complete answers to what was asked: an event stream
// becomes the one message that it is read for.
type transport struct {
	inner http.RoundTripper
	idle  time.Duration
	agent string
}

// message is what the transport reads of JSON-RPC messages.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

func (m message) answers(id json.RawMessage) bool {
	return m.Method == "" && (m.Result != nil || m.Error != nil) && bytes.Equal(m.ID, id)
}

// errIdle ends a stream that has stopped.
var errIdle = errors.New("nothing came for too long")

// RoundTrip sends one message and reads the answer.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("mcptools: a request without a call")
	}
	sent, err := sentMessage(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	if len(sent.ID) == 0 {
		stop := time.AfterFunc(noteTime, func() { cancel(context.DeadlineExceeded) })
		defer stop.Stop()
	}
	calls := sent.Method == "tools/call"
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.reached.Store(x.reached.Load() || calls) },
	})
	r = r.Clone(ctx)
	r.Header.Set("User-Agent", t.agent)
	if x.token != "" {
		r.Header.Set("Authorization", "Bearer "+x.token.Reveal())
	}
	res, err := t.inner.RoundTrip(r)
	if err != nil {
		cancel(nil)
		return nil, x.fail(unreached(x, err))
	}
	defer cancel(nil)
	defer res.Body.Close()
	body := &guard{body: res.Body, idle: t.idle, stop: cancel}
	answer, err := x.answer(r, res, sent, body)
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errIdle) {
			err = problem(fault.Timeout, "remote_stalled", cause, "The server %s stopped in the middle of its answer.",
				x.server)
		} else if r.Context().Err() != nil {
			return nil, r.Context().Err()
		}
		return nil, x.fail(err)
	}
	res.Body = io.NopCloser(bytes.NewReader(answer))
	res.ContentLength = int64(len(answer))
	res.Header.Del("Content-Encoding")
	if len(answer) > 0 {
		res.Header.Set("Content-Type", "application/json")
	}
	return res, nil
}

// fail keeps why the exchange failed.
func (x *exchange) fail(err error) error {
	f := fault.From(err)
	x.failed.Store(f)
	return f
}

// unreached returns the failure of a request without an answer.
func unreached(x *exchange, err error) error {
	if errors.Is(err, egress.ErrRefused) {
		return problem(fault.Unavailable, "remote_address", err, "The address of the server %s may not be reached.",
			x.server)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return late(x, err)
	}
	return problem(fault.Unavailable, "remote_unavailable", err, "The server %s can't be reached at the moment.",
		x.server)
}

func late(x *exchange, err error) *fault.Error {
	return problem(fault.Timeout, "remote_timeout", err, "The server %s did not answer in time.", x.server)
}

// sentMessage reads the message of a request.
func sentMessage(r *http.Request) (m message, err error) {
	if r.GetBody == nil {
		return message{}, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return message{}, err
	}
	defer body.Close()
	raw, err := io.ReadAll(body)
	if err != nil {
		return message{}, err
	}
	return m, json.Unmarshal(raw, &m)
}

// answer reads what the SDK is given of a response.
func (x *exchange) answer(r *http.Request, res *http.Response, sent message, body io.Reader) ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return x.refusal(r, res, kind, body)
	}
	if len(sent.ID) == 0 {
		return nil, nil // what a server says to a notification is nothing to us
	}
	most := maxWire
	if sent.Method != "tools/call" {
		most = maxList
	}
	var raw []byte
	var err error
	switch kind {
	case "application/json":
		raw, err = x.whole(body, most, sent)
	case "text/event-stream":
		raw, err = x.event(body, most, sent)
	default:
		return nil, x.odd(fmt.Errorf("it is of the type %.60q", kind))
	}
	if err != nil {
		return nil, err
	}
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, x.odd(fmt.Errorf("it is no message: %w", err))
	}
	if !m.answers(sent.ID) {
		return nil, x.odd(errors.New("it answers something else"))
	}
	if sent.Method == "tools/call" {
		x.result.Store(&m.Result)
	}
	return raw, nil
}

// odd is the failure of an answer that can't be read.
func (x *exchange) odd(cause error) error {
	return problem(fault.Upstream, "remote_answer", cause, "The server %s gave an answer that can't be read.",
		x.server)
}

// refusal reads an answer with a status that is no success. One that holds a
// JSON-RPC error is the SDK's.
func (x *exchange) refusal(r *http.Request, res *http.Response, kind string, body io.Reader) ([]byte, error) {
	cause := fmt.Errorf("status %d", res.StatusCode)
	if kind == "application/json" && res.StatusCode != http.StatusUnauthorized {
		raw, err := io.ReadAll(io.LimitReader(body, maxRefusal))
		var m message
		if err == nil && json.Unmarshal(raw, &m) == nil && m.Error != nil {
			x.failed.Store(x.status(r, res, cause))
			return raw, nil
		}
	}
	return nil, x.status(r, res, cause)
}

func (x *exchange) status(r *http.Request, res *http.Response, cause error) *fault.Error {
	switch code := res.StatusCode; {
	case code == http.StatusUnauthorized:
		return problem(fault.Forbidden, "remote_unauthorized", cause,
			"The server %s does not accept the sign-in that it was given.", x.server)
	case code == http.StatusForbidden:
		return problem(fault.Forbidden, "remote_forbidden", cause, "The server %s does not allow this.", x.server)
	case code == http.StatusNotFound && r.Header.Get("Mcp-Session-Id") != "":
		x.gone.Store(true)
		return problem(fault.Unavailable, "remote_session", cause,
			"The connection to the server %s had ended. Please try again.", x.server)
	case code == http.StatusTooManyRequests:
		return problem(fault.Limited, "remote_limited", cause, "The server %s has too much to do. Please try later.",
			x.server).WithRetryAfter(retryAfter(res.Header.Get("Retry-After")))
	case code >= 500:
		return problem(fault.Unavailable, "remote_unavailable", cause, "The server %s has a fault of its own.",
			x.server)
	}
	return problem(fault.Upstream, "remote_answer", cause, "The server %s refused the request.", x.server)
}

// retryAfter reads the header, in seconds; 0 is no wait that is known.
func retryAfter(header string) time.Duration {
	n, err := strconv.Atoi(header)
	if err != nil || n < 0 || n > 3600 {
		return 0
	}
	return time.Duration(n) * time.Second
}

// whole reads a body that is one message.
func (x *exchange) whole(body io.Reader, most int, sent message) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	if err != nil {
		return nil, x.odd(fmt.Errorf("it broke off: %w", err))
	}
	if len(raw) > most {
		return x.shortened(raw[:most], sent)
	}
	return raw, nil
}

// shortened makes a message of the beginning of an answer that is too long.
func (x *exchange) shortened(raw []byte, sent message) ([]byte, error) {
	if sent.Method != "tools/call" {
		return nil, problem(fault.Upstream, "remote_answer", fmt.Errorf("it is longer than %d bytes", len(raw)),
			"The server %s gave an answer that is too long.", x.server)
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(closed(raw), &m) != nil || m["result"] == nil {
		return nil, x.odd(errors.New("it is too long, and its beginning can't be read"))
	}
	// What stands behind the result was not read.
	if m["id"] == nil {
		m["id"] = sent.ID
	}
	m["jsonrpc"] = json.RawMessage(`"2.0"`)
	x.cut.Store(true)
	return json.Marshal(m)
}

// guard reads a body, and stops its exchange when a piece is late.
type guard struct {
	body io.Reader
	idle time.Duration
	stop context.CancelCauseFunc
}

func (g *guard) Read(p []byte) (int, error) {
	timer := time.AfterFunc(g.idle, func() { g.stop(errIdle) })
	defer timer.Stop()
	return g.body.Read(p)
}
