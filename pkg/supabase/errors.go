package supabase

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Error is an answer of Supabase with a status of 400 or more. It is the cause
// of the fault that callers get, and is meant for the log. Details and Hint may
// hold what was in a row, so they are no part of its text; nor is what the
// message quotes.
type Error struct {
	Status     int
	Code       string // SQLSTATE, PGRST…, or the code of Auth; "" when the answer had none
	Message    string
	Details    string
	Hint       string
	RetryAfter time.Duration
}

// Error returns status, code and message in one line.
func (e *Error) Error() string {
	text := fmt.Sprintf("supabase answered %d", e.Status)
	message := e.Message
	if _, ours := e.raised(); !ours {
		message = fault.Foreign(message)
	}
	for _, part := range []string{e.Code, message} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// readError makes an Error of an answer. The body may be anything: JSON of
// PostgREST, JSON of Auth, or a page of HTML from whatever stands in front.
func readError(status int, header http.Header, body []byte) *Error {
	e := &Error{Status: status}
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	var wire struct {
		Code      any    `json:"code"` // a number in Auth's answers
		ErrorCode string `json:"error_code"`
		Message   string `json:"message"`
		Msg       string `json:"msg"`
		Details   any    `json:"details"`
		Hint      any    `json:"hint"`
		// Storage sends 400 for nearly everything and says here what it means.
		StatusCode any `json:"statusCode"`
		Error      any `json:"error"`
	}
	if json.Unmarshal(body, &wire) != nil {
		e.Message = "the answer is not JSON"
		return e
	}
	e.Message = wire.Message + wire.Msg
	e.Code = wire.ErrorCode
	if code, ok := wire.Code.(string); ok {
		e.Code = code
	}
	if meant, err := strconv.Atoi(fmt.Sprint(wire.StatusCode)); err == nil && meant >= 400 && meant < 600 {
		name, _ := wire.Error.(string)
		e.Status, e.Code = meant, cmp.Or(e.Code, name)
	}
	e.Details, _ = wire.Details.(string)
	e.Hint, _ = wire.Hint.(string)
	return e
}

// asFault turns whatever a request ended with into a fault. It is the one place
// where Supabase's errors get a kind and a sentence.
func asFault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.fault()
	}
	if ctx.Err() != nil {
		return fault.From(ctx.Err())
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // its address holds filters, and so names of guests
	}
	return fault.Wrap(fault.Unavailable, err, "The database did not answer. Please try again.")
}

func (e *Error) fault() *fault.Error {
	kind, code, sentence := e.classify()
	f := fault.Wrap(kind, e, "%s", sentence).WithRetryAfter(e.RetryAfter)
	if code != "" {
		f = f.WithCode(code)
	}
	return f
}

const sayFull = "There is no room left to keep that, and nothing was done. Please tell whoever runs this service."

func (e *Error) classify() (kind fault.Kind, code, sentence string) {
	if status, ok := e.raised(); ok {
		return e.classifyRaised(status)
	}
	switch e.Code {
	case "23505":
		return fault.Conflict, "duplicate", "There is already one with that name or code."
	case "23503":
		return fault.Conflict, "in_use", "Something else depends on it, or what it refers to is not there."
	case "23514", "23502":
		return fault.Invalid, "", "A value lies outside of what is allowed."
	case "23P01":
		return fault.Conflict, "overlap", "It overlaps with something that is already there."
	case "42501":
		return fault.Forbidden, "", "You are not allowed to do that."
	case "57014":
		return fault.Timeout, "", "That took the database too long and was stopped."
	case "40001", "40P01", "55P03":
		return fault.Unavailable, "busy", "Somebody else was changing the same. Nothing was done; please try again."
	case "53100", "25006":
		// Supabase refuses all writes before the disk is quite full.
		return fault.Full, "", sayFull
	case "53000", "53200", "53300", "53400", "58030":
		return fault.Unavailable, "", "The database has too much to do at the moment, and nothing was done. Please " +
			"try again shortly."
	case "PGRST116":
		return fault.NotFound, "", "There is no such record."
	case "PGRST300", "PGRST301", "PGRST302", "PGRST303":
		return fault.Unauthorized, "", "Please sign in again."
	case "invalid_credentials":
		return fault.Unauthorized, "invalid_credentials", "The e-mail address or the password is wrong."
	}
	switch {
	case len(e.Code) == 5 && strings.HasPrefix(e.Code, "22"):
		return fault.Invalid, "", "A value is not in the form that the database wants."
	case e.Status == http.StatusUnauthorized && e.Code == "":
		// The gateway in front refuses an API key without any code. That is our
		// setting, not the person's.
		return fault.Internal, "", "The service is not set up correctly."
	case e.Status == http.StatusUnauthorized:
		return fault.Unauthorized, "", "Please sign in again."
	case e.Status == http.StatusForbidden:
		return fault.Forbidden, "", "You are not allowed to do that."
	case e.Status == http.StatusTooManyRequests:
		return fault.Limited, "", "The database takes no more requests for now. Please try again shortly."
	case e.Status >= 500 && !sqlState(e.Code):
		return fault.Unavailable, "", "The database did not answer. Please try again."
	}
	return fault.Internal, "", "Something went wrong with the database."
}

// raised returns the status that one of our SQL functions chose by raising
// SQLSTATE PTnnn.
func (e *Error) raised() (status int, ok bool) {
	number, ok := strings.CutPrefix(e.Code, "PT")
	if !ok || len(number) != 3 {
		return 0, false
	}
	status, err := strconv.Atoi(number)
	return status, err == nil
}

// classifyRaised knows the codes that our SQL functions put into the message of
// what they raise. Their detail is a sentence for people.
func (e *Error) classifyRaised(status int) (kind fault.Kind, code, sentence string) {
	switch status {
	case 401:
		kind = fault.Unauthorized
	case 403:
		kind = fault.Forbidden
	case 404:
		kind = fault.NotFound
	case 409:
		kind = fault.Conflict
	case 410:
		kind = fault.Gone
	case 400:
		kind = fault.Invalid
	case 422:
		kind = fault.Unprocessable
	case 429:
		kind = fault.Limited
	default:
		return fault.Internal, "", "Something went wrong with the database."
	}
	switch e.Message {
	case "proof_required", "proof_refused", "proof_stale", "proof_used":
		// That is our setting or our clock, not the person's doing.
		kind, sentence = fault.Unavailable, "This service is not set up completely, so nothing was done."
	case "not_a_member":
		sentence = "You do not belong to this organisation."
	case "role_required":
		sentence = "Your role may look, but not change anything."
	case "proposal_unknown":
		sentence = "There is no such question of yours to answer."
	case "proposal_expired":
		sentence = "The time to answer has passed, so nothing was done. Ask again for a new preview."
	case "proposal_closed":
		sentence = "This was answered before and is not done twice."
	case "proposal_mismatch":
		sentence = "What was shown is not what would be done, so nothing was done."
	case "proposal_changed":
		sentence = "It was changed by somebody since the preview, so nothing was done. Ask again for a new preview."
	case "effect_claimed":
		sentence = "This was done before and is not done twice."
	default:
		sentence = e.Details
	}
	if sentence == "" {
		sentence = "The database refused that."
	}
	return kind, e.Message, sentence
}

// sqlState reports whether a code is one of PostgreSQL's, which says that the
// statement reached it and was rolled back. The classes of lost connections and
// of a server that goes down do not say that.
func sqlState(code string) bool {
	return len(code) == 5 && !strings.HasPrefix(code, "08") && !strings.HasPrefix(code, "57P") &&
		!strings.HasPrefix(code, "PGR")
}

// readAll reads a body up to limit bytes.
func readAll(body io.Reader, limit, expected int64) ([]byte, error) {
	var b bytes.Buffer
	if expected > 0 && expected <= limit {
		b.Grow(int(expected) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(body, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		f := fault.New(fault.TooLarge, "The answer of the database is larger than %d MiB.", limit>>20)
		f.Limit = "answer"
		return nil, f
	}
	return b.Bytes(), nil
}
