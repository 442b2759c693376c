package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// codeRefused is the code of a call that the server understood and refused.
const codeRefused = "remote_refused"

var errPages = errors.New("the list has too many pages")

// reading calls a tool that reads.
func (c *Client) reading(s Server, t Pinned) func(context.Context, identity.Caller, tool.Raw) (any, error) {
	return func(ctx context.Context, by identity.Caller, in tool.Raw) (any, error) {
		a, err := c.call(ctx, by, s, t, in, c.cfg.Read)
		if err != nil {
			return nil, err
		}
		return a.raw(), nil
	}
}

// acting is how a tool that writes is called: once, with our reference where the
// server takes one. When its outcome is not known the server is asked at once
// whether it knows the reference.
func (c *Client) acting(s Server, t Pinned) *tool.Act {
	act := &tool.Act{Outbox: c.cfg.Outbox, Kind: "mcp:" + s.Name, Within: c.cfg.Write}
	lookUp := c.lookingUp(s, t)
	act.Attempt = func(ctx context.Context, by identity.Caller, key string, in tool.Raw) (any, string, error) {
		in, err := referred(in, t.Reference, key)
		if err != nil {
			return nil, "", effect.NotDone(err)
		}
		a, err := c.call(ctx, by, s, t, in, c.cfg.Write)
		if err == nil {
			return a.raw(), a.number(t.Number), nil
		}
		if _, definite := errors.AsType[refused](err); definite || lookUp == nil {
			return nil, "", err
		}
		// Its own time: that of the attempt may be over.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
		defer cancel()
		if reference, found, lookErr := lookUp(ctx, by, key, in); lookErr == nil && found {
			return tool.WasDone{Reference: reference, Done: true}, reference, nil
		}
		return nil, "", err
	}
	act.LookUp = lookUp
	return act
}

// lookUpTime bounds a look-up after a write whose outcome is not known.
const lookUpTime = 5 * time.Second

// refused marks what the server definitely did not do.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// errNotYet is the error of a look-up that found nothing: what is on its way may
// still arrive.
var errNotYet = errors.New("the server does not know the reference, as yet")

// lookingUp asks whether the server knows our reference; nil where the manifest
// does not say how. Not to know it proves nothing, since a call that was given up
// may still be at work.
func (c *Client) lookingUp(s Server, t Pinned) func(context.Context, identity.Caller, string, tool.Raw) (string, bool,
	error) {
	if t.LookUp == nil {
		return nil
	}
	by, ok := s.Manifest.find(t.LookUp.Tool)
	if !ok {
		return nil
	}
	return func(ctx context.Context, who identity.Caller, key string, _ tool.Raw) (string, bool, error) {
		a, err := c.call(ctx, who, s, by, encoded(map[string]string{t.LookUp.Argument: key}), c.cfg.Read)
		if err != nil {
			return "", false, err
		}
		number := a.number(t.LookUp.Number)
		if number == "" {
			return "", false, errNotYet
		}
		return number, true, nil
	}
}

// referred adds our reference to the arguments.
func referred(in tool.Raw, argument, key string) (tool.Raw, error) {
	if argument == "" {
		return in, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(in, &members); err != nil {
		return nil, err
	}
	if members == nil {
		members = map[string]json.RawMessage{}
	}
	members[argument] = encoded(key)
	return encoded(members), nil
}

// call calls a tool once. An error that is refused, and effect.NotDone's, means
// that nothing was done.
func (c *Client) call(ctx context.Context, by identity.Caller, s Server, t Pinned, in tool.Raw,
	within time.Duration) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ctx, x := c.begin(ctx, by, s)
	key, live, err := c.connected(ctx, x, by, s)
	if err != nil {
		return answer{}, effect.NotDone(refused{err})
	}
	x.failed.Store(nil)
	res, err := live.CallTool(ctx, &mcp.CallToolParams{Name: t.Name, Arguments: in})
	if err == nil {
		return c.answered(s, res, x)
	}
	f := c.failure(ctx, x, err)
	if f.Code != codeRefused && f.Code != "remote_timeout" {
		c.dropped(key, live)
	}
	if wire := errorObject(err); wire != nil && (wire.Code == jsonrpc.CodeInvalidParams ||
		wire.Code == jsonrpc.CodeMethodNotFound) {
		c.forget(by, s) // its declaration may have changed
	}
	if !x.reached.Load() || definite(f, err) {
		return answer{}, effect.NotDone(refused{f})
	}
	return answer{}, f
}

// definite reports whether a failure says that nothing was done.
func definite(f *fault.Error, err error) bool {
	if wire := errorObject(err); wire != nil {
		switch wire.Code {
		case jsonrpc.CodeInvalidParams, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidRequest, jsonrpc.CodeParseError:
			return true
		}
		return false
	}
	switch f.Code {
	case "remote_unauthorized", "remote_forbidden", "remote_session", "remote_limited", "remote_address":
		return true
	}
	return false
}

// failure returns why a call failed.
func (c *Client) failure(ctx context.Context, x *exchange, err error) *fault.Error {
	wire, known := errorObject(err), x.failed.Load()
	switch {
	case wire != nil && (known == nil || known.Kind == fault.Upstream):
		return refusedBy(x, wire)
	case known != nil:
		return known
	}
	if ctx.Err() != nil {
		return late(x, ctx.Err())
	}
	return problem(fault.Upstream, "remote_answer", err, "The server %s gave an answer that can't be read.", x.server)
}

// errorObject returns the error that the server answered with, nil where it did
// not.
func errorObject(err error) *jsonrpc.Error {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || wire.Code == codeRejected && wire.Message == "rejected by transport" {
		return nil
	}
	return wire
}

// codeRejected is how the SDK marks what its transport refused.
const codeRejected = -32005

// refusedBy returns the failure of an error object.
func refusedBy(x *exchange, wire *jsonrpc.Error) *fault.Error {
	return problem(fault.Unprocessable, codeRefused, fmt.Errorf("error %d", wire.Code), "The server %s refused: %s",
		x.server, spoken(wire.Message))
}

var (
	addresses = regexp.MustCompile(`(?i)\S*://\S*|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?`)
	ids       = regexp.MustCompile(`(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}` +
		`\b|\b[0-7][0-9a-hjkmnp-tv-z]{25}\b`)
	markup = regexp.MustCompile("[<>\\[\\]{}|`*_#!\\\\~^=]+")
)

// maxSpoken is how much of a server's refusal is passed on.
const maxSpoken = 300

// spoken returns a server's refusal as one sentence without addresses, ids
// and markup, since people read it, too.
func spoken(text string) string {
	text = plaintext.Clean(strings.ToValidUTF8(text, ""))
	text = markup.ReplaceAllString(ids.ReplaceAllString(addresses.ReplaceAllString(text, "…"), "…"), " ")
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxSpoken {
		text = string(r[:maxSpoken]) + " …"
	}
	if text == "" {
		return "no reason was given."
	}
	return text
}
