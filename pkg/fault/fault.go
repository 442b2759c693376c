// Package fault gives every failure a kind, a sentence and a cause.
//
// The kind decides the HTTP status, the stream event and what the model is
// told; each of these three tables stands in one place (packages httpx, stream
// and agent). The sentence is written for its reader: a guest, a clerk,
// or the model that should try again. The cause goes to the log and nowhere
// else.
package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what sort of failure an error is.
type Kind string

// The kinds. A string, not a number, because it is also the public code of a
// failure that has no finer one.
const (
	Invalid       Kind = "invalid"            // the request is malformed
	Unauthorized  Kind = "unauthorized"       // no user is signed in
	Forbidden     Kind = "forbidden"          // this person may not
	NotFound      Kind = "not_found"          // no such thing, or not theirs
	Conflict      Kind = "conflict"           // it clashes with what is there
	Gone          Kind = "gone"               // it was there and has ended
	TooLarge      Kind = "too_large"          // over a stated limit of size
	Unprocessable Kind = "unprocessable"      // well formed, but cannot be done
	Limited       Kind = "rate_limited"       // too many requests, try later
	Method        Kind = "method_not_allowed" // the address takes other methods
	Stalled       Kind = "request_stalled"    // the request did not arrive in time
	Full          Kind = "storage_full"       // there is no room to keep it
	Upstream      Kind = "upstream"           // another service gave a bad answer
	Unavailable   Kind = "unavailable"        // another service gave no answer
	Timeout       Kind = "timeout"            // the time ran out
	Canceled      Kind = "canceled"           // the reader has gone, or stopped it
	Internal      Kind = "internal_error"     // a bug of ours
)

// Error is a failure with a kind. Make one with New or Wrap.
type Error struct {
	Kind Kind
	// Code is a finer public name within the kind, such as
	// "proposal_expired". Empty means the kind itself.
	Code string
	// Message is the sentence for people. It never holds a cause.
	Message string
	// RetryAfter says how long to wait before another try is worth it; zero
	// means that nothing is known.
	RetryAfter time.Duration
	// Limit names the limit that was exceeded, for TooLarge.
	Limit string
	// Details is what the member details of a problem says; "" says the public code.
	Details string
	cause   error
	form    string // Message before anything was filled in
}

// New returns a failure whose sentence is formatted as by fmt.Sprintf.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), form: format}
}

// Wrap returns a failure with a cause for the log. The sentence is formatted
// from the remaining arguments and must not repeat the cause.
func Wrap(kind Kind, cause error, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), cause: cause, form: format}
}

// WithCode sets the finer code and returns e.
func (e *Error) WithCode(code string) *Error { e.Code = code; return e }

// WithRetryAfter sets the wait and returns e.
func (e *Error) WithRetryAfter(d time.Duration) *Error { e.RetryAfter = d; return e }

// WithDetails sets the details and returns e.
func (e *Error) WithDetails(s string) *Error { e.Details = s; return e }

// Trace returns what a log may hold of err: the chain of causes, and sentences
// for people without what was filled into them, such as a guest's name.
func Trace(err error) string {
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err.Error()
	}
	text := string(e.Kind) + ": " + e.form
	if e.cause != nil {
		text += ": " + Trace(e.cause)
	}
	return strings.Replace(err.Error(), e.Error(), text, 1)
}

// Error returns the sentence and the cause. A log takes [Trace] instead.
func (e *Error) Error() string {
	if e.cause == nil {
		return string(e.Kind) + ": " + e.Message
	}
	return string(e.Kind) + ": " + e.Message + ": " + e.cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// From returns err as an *Error. A context that ended becomes Timeout or
// Canceled; anything unknown becomes Internal with err as its cause. From(nil)
// is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Wrap(Timeout, err, "That took too long and was stopped.")
	case errors.Is(err, context.Canceled):
		return Wrap(Canceled, err, "That was stopped.")
	}
	return Wrap(Internal, err, "Something went wrong on our side.")
}

// KindOf returns the kind of err, Internal for an error that has none, and ""
// for nil.
func KindOf(err error) Kind {
	if e := From(err); e != nil {
		return e.Kind
	}
	return ""
}

// Is reports whether err is a failure of that kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }

// PublicCode returns the finer code of err, or its kind.
func (e *Error) PublicCode() string {
	if e.Code != "" {
		return e.Code
	}
	return string(e.Kind)
}
