// Package httpx has what all HTTP handlers share: authentication of the caller,
// limits on the duration and size of requests, and the form of errors.
package httpx

import (
	"cmp"
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Problem is the body of a refusal (RFC 9457), with the members error and
// details that some front ends read.
type Problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Code      string `json:"code"`
	Error     string `json:"error"`
	Details   string `json:"details"`
	Limit     string `json:"limit,omitempty"`
	RequestID string `json:"requestId"`
}

// Status returns the HTTP status of a kind. This is the one table of them.
func Status(kind fault.Kind) int {
	switch kind {
	case fault.Invalid:
		return http.StatusBadRequest
	case fault.Unauthorized:
		return http.StatusUnauthorized
	case fault.Forbidden:
		return http.StatusForbidden
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Method:
		return http.StatusMethodNotAllowed
	case fault.Conflict:
		return http.StatusConflict
	case fault.Gone:
		return http.StatusGone
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.Unprocessable:
		return http.StatusUnprocessableEntity
	case fault.Limited:
		return http.StatusTooManyRequests
	case fault.Stalled:
		return http.StatusRequestTimeout
	case fault.Full:
		return http.StatusInsufficientStorage
	case fault.Upstream:
		return http.StatusBadGateway
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	case fault.Timeout:
		return http.StatusGatewayTimeout
	case fault.Canceled:
		return 499 // the client has gone; only the log has it
	}
	return http.StatusInternalServerError
}

// Fail refuses a request. The cause goes to the log of the request, never into
// the body.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	FailAs(w, r, err, MediaProblem, func(f *fault.Error, status int) any { return ProblemOf(r, f, status) })
}

// MediaProblem is the type of a Problem.
const MediaProblem = "application/problem+json"

// ProblemOf returns the problem that a failure is, for bodies with further
// members.
func ProblemOf(r *http.Request, f *fault.Error, status int) Problem {
	title := http.StatusText(status)
	if title == "" {
		title = "Client closed the request"
	}
	return Problem{
		Type: "about:blank", Title: title, Status: status, Detail: f.Message, Code: f.PublicCode(),
		Error: f.Message, Details: cmp.Or(f.Details, f.PublicCode()), Limit: f.Limit,
		RequestID: RequestID(r.Context()),
	}
}

// FailAs refuses a request as Fail does, with a body of another form.
func FailAs(w http.ResponseWriter, r *http.Request, err error, contentType string,
	body func(f *fault.Error, status int) any) {
	f := fault.From(err)
	status := Status(f.Kind)
	note(r.Context(), err)
	head := w.Header()
	switch {
	case f.RetryAfter > 0:
		head.Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
	case status == http.StatusServiceUnavailable:
		// It is not known how long, and a client without advice tries at once.
		head.Set("Retry-After", "2")
	}
	if status == http.StatusUnauthorized && head.Get("WWW-Authenticate") == "" {
		head.Set("WWW-Authenticate", "Bearer")
	}
	head.Set("Content-Type", contentType)
	head.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The client may have disconnected; the error cannot be reported.
	_ = json.NewEncoder(w).Encode(body(f, status))
}

// JSON answers with a value.
func JSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
