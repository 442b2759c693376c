package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// The finer codes of our faults.
const (
	codeUnavailable = "model_unavailable" // our key, address or model name is refused
	codeBadRequest  = "model_bad_request" // our request is refused
)

// The sentences. They are read by guests and clerks.
const (
	sayBusy     = "The assistant is very busy right now. Please try again in a moment."
	sayBroken   = "The assistant could not finish its answer. Please try again."
	sayAway     = "The assistant cannot be reached right now. Please try again in a moment."
	saySlow     = "The assistant took too long to answer. Please try again."
	saySetup    = "The assistant is not available right now. Please tell whoever looks after this system."
	sayRefused  = "The assistant could not work with this request. Please say it in another way."
	sayTooLong  = "This conversation has become too long. Please start a new one."
	sayInternal = "Something went wrong on our side."
)

var (
	errStalled = errors.New("no byte arrived for the idle timeout")
	errNoEnd   = errors.New("the answer ended without saying why")
	errEmpty   = errors.New("the answer holds neither text nor calls")
	errTooLong = errors.New("the answer is longer than we accept")
)

// failure is why one try failed and whether another one may help.
type failure struct {
	err   error // a *fault.Error, or what show returned
	again bool
}

func broken(cause error) *failure {
	return &failure{fault.Wrap(fault.Upstream, cause, sayBroken), true}
}

// wireError is the error object of a provider. Its members differ in type from
// one provider to the next.
type wireError struct {
	Message string
	Type    string
	Code    string
}

// readError reads {"error":{…}}, {"error":"…"}, and what stands inside alone.
func readError(body []byte) wireError {
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &outer) == nil && len(outer.Error) > 0 && !isNull(outer.Error) {
		body = outer.Error
	}
	var text string
	if json.Unmarshal(body, &text) == nil {
		return wireError{Message: text}
	}
	var in struct{ Message, Type, Code json.RawMessage }
	_ = json.Unmarshal(body, &in) // what cannot be read stays empty
	return wireError{Message: plain(in.Message), Type: plain(in.Type), Code: plain(in.Code)}
}

// plain returns a JSON string's text, and other values as they are written.
func plain(raw json.RawMessage) string {
	var s string
	if isNull(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(raw, []byte("null")) }

// statusError is the cause of a refused call. It keeps no request and no
// headers, so that a log of it cannot show the key.
type statusError struct {
	status  int // 0 in the middle of a stream
	request string
	wireError
}

// Error names what is a name. The provider's sentence is left out, since it may
// repeat the prompt.
func (e *statusError) Error() string {
	return fmt.Sprintf("provider status %d, type %q, code %q, request %q, a message of %d bytes", e.status,
		name(e.Type), name(e.Code), name(e.request), len(e.Message))
}

var nameShape = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,79}$`)

// name returns a text that can be a name of the provider's own making, else "?".
func name(text string) string {
	if text == "" || nameShape.MatchString(text) {
		return text
	}
	return "?"
}

// status tells what an answer with an error status means. A prompt that the
// provider withheld from the model is an answer, not a failure.
func (c *Client) status(res *http.Response) (llm.Answer, *failure) {
	var body []byte
	if res.StatusCode >= 400 {
		body, _ = io.ReadAll(io.LimitReader(res.Body, 1<<20)) // whole or cut
	}
	if res.StatusCode == http.StatusBadRequest && readError(body).Code == "content_filter" {
		return llm.Answer{Finish: llm.Filtered, Usage: llm.Usage{Calls: 1}}, nil
	}
	return llm.Answer{}, c.refused(res.StatusCode, res.Header, body)
}

// refused tells what an error answer means.
func (c *Client) refused(status int, header http.Header, body []byte) *failure {
	w := readError(body)
	if status == 0 {
		// In the middle of a stream some providers send the status as the code.
		status, _ = strconv.Atoi(w.Code)
	}
	cause := &statusError{status, c.hide(header.Get("X-Request-Id")), wireError{c.hide(w.Message), c.hide(w.Type),
		c.hide(w.Code)}}
	if w == (wireError{}) {
		cause.Message = fmt.Sprintf("%d bytes of %s", len(body), c.hide(header.Get("Content-Type")))
	}
	wait := retryAfter(header, c.now())
	f := func(kind fault.Kind, say, code string, again bool) *failure {
		again = again && header.Get("X-Should-Retry") != "false"
		return &failure{fault.Wrap(kind, cause, "%s", say).WithCode(code).WithRetryAfter(wait), again}
	}
	asked := status == 0 || status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge ||
		status == http.StatusUnprocessableEntity
	switch {
	case w.Code == "insufficient_quota" || w.Type == "insufficient_quota":
		return f(fault.Unavailable, saySetup, codeUnavailable, false)
	case status == http.StatusTooManyRequests, strings.HasPrefix(w.Code, "rate_limit"),
		strings.HasPrefix(w.Type, "rate_limit"):
		return f(fault.Limited, sayBusy, "", true)
	case asked && tooLongPrompt(w), status == http.StatusRequestEntityTooLarge:
		return f(fault.Unprocessable, sayTooLong, llm.ContextLength, false)
	case status == 0, status >= 500, status == http.StatusConflict:
		return f(fault.Upstream, sayBroken, "", true)
	case status == http.StatusRequestTimeout:
		return f(fault.Timeout, saySlow, "", true)
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return f(fault.Upstream, sayRefused, codeBadRequest, false)
	}
	// 401, 402, 403, 404, redirects: our own settings are wrong.
	return f(fault.Unavailable, saySetup, codeUnavailable, false)
}

// tooLongPrompt knows the providers' ways to say that a prompt does not fit.
func tooLongPrompt(w wireError) bool {
	if w.Code == "context_length_exceeded" || w.Type == "exceed_context_size_error" {
		return true
	}
	text := strings.ToLower(w.Message)
	for _, say := range []string{"context length", "context window", "context size", "prompt is too long",
		"too many tokens"} {
		if strings.Contains(text, say) {
			return true
		}
	}
	return false
}

// lost tells what it means that a call or its answer broke off. The ends of
// ctx are the caller's; cause is why we gave up the try ourselves, or nil.
func lost(ctx context.Context, cause, err error) *failure {
	if ctx.Err() != nil {
		return ended(ctx)
	}
	var timed net.Error
	switch {
	case errors.Is(cause, errStalled):
		return &failure{fault.Wrap(fault.Timeout, cause, saySlow), true}
	case errors.Is(err, errTooLong):
		return &failure{fault.Wrap(fault.Upstream, err, sayBroken), false}
	case errors.As(err, &timed) && timed.Timeout():
		return &failure{fault.Wrap(fault.Timeout, err, saySlow), true}
	}
	return &failure{fault.Wrap(fault.Unavailable, err, sayAway), true}
}

func ended(ctx context.Context) *failure {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &failure{fault.Wrap(fault.Timeout, ctx.Err(), saySlow), false}
	}
	return &failure{fault.From(ctx.Err()), false}
}

// hide makes a provider's text fit for a log: short, and without the key, which
// some servers repeat when they refuse it.
func (c *Client) hide(s string) string {
	if c.key != "" {
		s = strings.ReplaceAll(s, c.key.Reveal(), c.key.String())
	}
	if len(s) > 300 {
		cut := 300
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

// retryAfter returns the wait that a provider asks for, 0 when it asks for
// none or for none that can be understood, at most a day.
func retryAfter(h http.Header, now time.Time) time.Duration {
	read := func(s string, unit time.Duration) time.Duration {
		n, err := strconv.ParseFloat(s, 64)
		if !(n > 0) || (err != nil && !errors.Is(err, strconv.ErrRange)) {
			return 0
		}
		return time.Duration(min(n*float64(unit), float64(24*time.Hour)))
	}
	if d := read(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	text := h.Get("Retry-After")
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), 24*time.Hour)
	}
	return read(text, time.Second)
}
