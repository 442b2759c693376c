// Package httptools calls the addresses of tools that organisations define. It reaches
// the public Internet alone, follows no redirect of a call that changes something, and
// reads short answers within a short time.
package httptools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
)

// MaxAnswer is the most bytes of an answer.
const MaxAnswer = 64 << 10

// Client is a customtools.Sender.
type Client struct {
	egress egress.Config
	secret func(org, name string) (identity.Secret, bool)
	http   *http.Client
}

var _ customtools.Sender = (*Client)(nil)

// New returns a client that reaches what e admits. secret finds the token of that name
// that was given to an organisation.
func New(e egress.Config, secret func(org, name string) (identity.Secret, bool)) *Client {
	return &Client{e, secret, e.Client()}
}

// Check refuses an address by its spelling.
func (c *Client) Check(address string) error { return c.egress.Check(address) }

// Send sends a request once; see customtools.Sender. Codes of its errors are
// tool_address, tool_secret, tool_refused, tool_failed, tool_answer and tool_timeout.
func (c *Client) Send(ctx context.Context, by identity.Caller, r customtools.Request) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, customtools.Within)
	defer cancel()
	out, err := c.request(ctx, by, r)
	if err != nil {
		return nil, effect.NotDone(err)
	}
	client := *c.http
	if r.Method != http.MethodGet {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	resp, err := client.Do(out)
	if err != nil {
		return nil, unsent(ctx, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return nil, unsent(ctx, err)
	case resp.StatusCode >= 300 && resp.StatusCode < 500:
		// Nothing is repeated of what it says: it is untrusted, and may be a page.
		return nil, effect.NotDone(fault.New(fault.Upstream, "The tool's server refused the call (%d).",
			resp.StatusCode).WithCode("tool_refused"))
	case resp.StatusCode >= 500:
		return nil, fault.New(fault.Upstream, "The tool's server failed (%d).", resp.StatusCode).
			WithCode("tool_failed")
	case len(body) > MaxAnswer:
		return nil, fault.New(fault.Upstream, "The tool's server answered more than %d KB.", MaxAnswer>>10).
			WithCode("tool_answer")
	}
	return answer(body)
}

// request returns the request with the organisation's token.
func (c *Client) request(ctx context.Context, by identity.Caller, r customtools.Request) (*http.Request, error) {
	if err := c.Check(r.Address); err != nil {
		return nil, refusal(err)
	}
	var body io.Reader
	if r.Method != http.MethodGet {
		body = bytes.NewReader(r.Body)
	}
	out, err := http.NewRequestWithContext(ctx, r.Method, r.Address, body)
	if err != nil {
		return nil, refusal(err)
	}
	out.Header.Set("Accept", "application/json, text/plain;q=0.5")
	out.Header.Set("User-Agent", "Bellhop")
	if body != nil {
		out.Header.Set("Content-Type", "application/json")
		out.GetBody = nil // sent once
	}
	if r.Key != "" {
		out.Header.Set("Idempotency-Key", r.Key)
	}
	if r.Secret != "" {
		token, ok := c.secret(by.OrgID, r.Secret)
		if !ok {
			return nil, fault.New(fault.Unprocessable, "The operator keeps no secret %s for your organisation.",
				r.Secret).WithCode("tool_secret")
		}
		out.Header.Set("Authorization", "Bearer "+string(token))
	}
	return out, nil
}

// refusal says that an address may not be reached; which of its parts, the log knows.
func refusal(err error) error {
	return fault.Wrap(fault.Unprocessable, err, "The tool's address may not be called.").WithCode("tool_address")
}

// unsent is the error of a call without an answer. A refused address was never reached.
func unsent(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, egress.ErrRefused):
		return effect.NotDone(refusal(egress.ErrRefused))
	case ctx.Err() != nil:
		return fault.Wrap(fault.Timeout, ctx.Err(), "The tool's server gave no answer in time.").
			WithCode("tool_timeout")
	}
	// The error of the client names the address with its arguments: it is not kept.
	return fault.Wrap(fault.Unavailable, errors.New("no answer"), "The tool's server gave no answer.").
		WithCode("tool_failed")
}

// answer returns JSON as it is, and text as a member of an object.
func answer(body []byte) (json.RawMessage, error) {
	if json.Valid(body) {
		return body, nil
	}
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
		return nil, fault.New(fault.Upstream, "The tool's server answered neither JSON nor text.").
			WithCode("tool_answer")
	}
	return json.Marshal(map[string]string{"text": plaintext.Clean(strings.TrimSpace(string(body)))})
}
