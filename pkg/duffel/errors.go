package duffel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// problems is how Duffel says that something failed.
type problems struct {
	Errors []problem `json:"errors"`
	Meta   struct {
		RequestID string `json:"request_id"`
	} `json:"meta"`
}

type problem struct {
	Type    string `json:"type"`
	Title   string `json:"title"`
	Message string `json:"message"`
	Code    string `json:"code"`
	Source  struct {
		Field   string `json:"field"`
		Pointer string `json:"pointer"`
	} `json:"source"`
}

// Failure is the cause of an error that Duffel told. It holds nothing personal.
type Failure struct {
	Status    int
	Type      string // airline_error, validation_error, ...
	Code      string // offer_no_longer_available, ...
	Field     string // JSON pointer of what was wrong, "" for none
	RequestID string
}

// Error implements error.
func (f *Failure) Error() string {
	return fmt.Sprintf("duffel: status %d, %s/%s at %q, request %s", f.Status, f.Type, f.Code, f.Field, f.RequestID)
}

// problem reads an answer that is an error.
func (c *Client) problem(res *http.Response, r call) error {
	var p problems
	// An answer of a server between Duffel and us has another form; its status says enough.
	_ = json.NewDecoder(io.LimitReader(res.Body, maxError)).Decode(&p)
	first := problem{}
	if len(p.Errors) > 0 {
		first = p.Errors[0]
	}
	cause := &Failure{Status: res.StatusCode, Type: word(first.Type), Code: word(first.Code),
		Field: word(first.Source.Pointer + first.Source.Field), RequestID: word(p.Meta.RequestID)}
	if cause.RequestID == "" {
		cause.RequestID = word(res.Header.Get("x-request-id"))
	}
	f := judge(cause, sentence(first, r.hide))
	switch {
	case f.Kind == fault.Limited:
		if until, ok := reset(res.Header, c.now()); ok {
			f.RetryAfter = until.Sub(c.now())
		}
	case r.acts && res.StatusCode >= http.StatusInternalServerError:
		return outcomeUnknown(cause)
	}
	return f
}

// judge says what a failure means. said is the sentence of the airline or of Duffel.
func judge(f *Failure, said string) *fault.Error {
	with := func(kind fault.Kind, code, ours string) *fault.Error {
		if said != "" {
			ours += " The supplier says: " + said
		}
		return fault.Wrap(kind, f, "%s", ours).WithCode(code)
	}
	switch f.Code {
	case "offer_no_longer_available", "offer_request_already_booked", "offer_request_already_actioned",
		"schedule_changed":
		return with(fault.Gone, "offer_unavailable", "This offer is gone. Please search again.")
	case "offer_expired", "offer_request_expired", "quote_expired", "rate_expired", "search_result_expired":
		return with(fault.Gone, "offer_expired", "This offer has expired. Please search again.")
	case "price_changed", "payment_amount_does_not_match_order_amount", "payment_amount_does_not_match_offer_amount":
		return with(fault.Conflict, "price_changed", "The price has changed, so nothing was booked.")
	case "rate_unavailable", "accommodation_unavailable", "rate_no_longer_available", "quote_unavailable":
		return with(fault.Gone, "rate_unavailable", "This room is no longer to be had at this rate.")
	case "unsupported_action", "order_type_not_eligible_for_payment", "order_change_not_possible",
		"order_not_cancellable", "already_cancelled", "already_paid":
		return with(fault.Unprocessable, "unsupported", "The supplier cannot do this with this booking.")
	case "insufficient_balance", "payment_declined":
		return with(fault.Conflict, "insufficient_balance",
			"The organisation's balance with the supplier does not cover this, so nothing was booked.")
	}
	switch f.Status {
	case http.StatusTooManyRequests:
		return limited(0, f)
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotAcceptable:
		return fault.Wrap(fault.Upstream, f, "The travel supplier does not accept our access. "+
			"An administrator has to look at the access token.").WithCode("supplier_refused")
	case http.StatusNotFound:
		return fault.Wrap(fault.NotFound, f, "The travel supplier does not know this any more.").
			WithCode("supplier_not_found")
	case http.StatusGone:
		return with(fault.Gone, "offer_unavailable", "This offer is gone. Please search again.")
	case http.StatusGatewayTimeout:
		return slow(f)
	case http.StatusServiceUnavailable:
		return fault.Wrap(fault.Unavailable, f, "The travel supplier is not available at the moment. "+
			"Please try again shortly.").WithCode("supplier_unavailable")
	}
	if f.Status >= http.StatusInternalServerError {
		return with(fault.Upstream, "supplier_failed", "The travel supplier failed at this.")
	}
	if f.Status < http.StatusBadRequest {
		return fault.Wrap(fault.Upstream, f, "The travel supplier gave an answer that we cannot read.").
			WithCode("supplier_failed")
	}
	switch {
	case strings.Contains(f.Field, "passenger") || strings.Contains(f.Field, "guest") ||
		strings.Contains(f.Code, "passenger") || f.Code == "invalid_phone_number":
		return with(fault.Unprocessable, "invalid_passenger", "The details of a traveller are not accepted.")
	case strings.Contains(f.Field, "origin") || strings.Contains(f.Field, "destination"):
		return with(fault.Unprocessable, "no_flights", "The supplier sells no flights between these places.")
	}
	return with(fault.Unprocessable, "supplier_refused", "The travel supplier did not accept this.")
}

func slow(cause error) *fault.Error {
	return fault.Wrap(fault.Timeout, cause, "The travel supplier did not answer in time. Please try again.").
		WithCode("supplier_timeout")
}

// outcomeUnknown is the error of an act of which no answer, or none to rely on, came.
func outcomeUnknown(cause error) *fault.Error {
	return fault.Wrap(fault.Unavailable, cause,
		"The travel supplier gave no clear answer, so it is not known whether this was done.").
		WithCode("outcome_unknown").WithRetryAfter(lookUpDelay)
}

// unanswered is the error of a request to which no answer came.
func unanswered(ctx context.Context, err error, mayBeDone bool) error {
	// The error of net/http repeats the address, in which ids stand.
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	err = fmt.Errorf("duffel: no answer: %w", err)
	if mayBeDone {
		return outcomeUnknown(err)
	}
	if timeout, ok := errors.AsType[net.Error](err); ctx.Err() == nil && ok && timeout.Timeout() ||
		errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return slow(err)
	}
	if ctx.Err() != nil {
		return fault.From(ctx.Err())
	}
	return fault.Wrap(fault.Unavailable, err, "The travel supplier could not be reached. Please try again shortly.").
		WithCode("supplier_unavailable")
}

// unread is the error of an answer that broke off or has another form than ours.
func unread(ctx context.Context, err error, res *http.Response, r call) error {
	err = fmt.Errorf("duffel: read the answer of %s %s, request %s: %w", r.method, shape(r.path),
		word(res.Header.Get("x-request-id")), harmless(err))
	switch {
	case r.acts:
		return outcomeUnknown(err)
	case ctx.Err() != nil:
		return unanswered(ctx, err, false)
	}
	return fault.Wrap(fault.Upstream, err, "The travel supplier gave an answer that we cannot read.").
		WithCode("supplier_failed")
}

// harmless drops what an error of a decoder repeats of the answer.
func harmless(err error) error {
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("a %s of another kind", bad.Field)
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New("no JSON")
	}
	return err
}

// refused reports whether an error is Duffel's definite no. Nothing was done then.
func refused(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	if !ok || f.Status >= http.StatusInternalServerError || f.Status < http.StatusBadRequest {
		return false
	}
	// Both say that an order may be there.
	return f.Code != "duplicate_booking" && f.Code != "order_creation_already_attempted"
}

// maxSaid is how many characters of a supplier's sentence people and models read.
const maxSaid = 200

// identifiers are what no sentence may repeat: the supplier's ids, addresses, and numbers
// of the length of a passport's.
func identifiers() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\b[a-z]{3}_[A-Za-z0-9_]+`),
		regexp.MustCompile(`\S+@\S+`),
		regexp.MustCompile(`https?://\S+`),
		regexp.MustCompile(`\S*\d[\d -]{4,}\d\S*`),
	}
}

// sentence returns what Duffel or the airline says, as untrusted text: one line, cut, and
// without ids and without what hide lists.
func sentence(p problem, hide []string) string {
	s := p.Message
	if s == "" {
		s = p.Title
	}
	if len(s) > 4*maxSaid {
		s = strings.ToValidUTF8(s[:4*maxSaid], "")
	}
	s = plaintext.Clean(s)
	for _, pattern := range identifiers() {
		s = pattern.ReplaceAllString(s, "…")
	}
	for _, text := range hide {
		if len(text) > 1 {
			s = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(text)).ReplaceAllString(s, "…")
		}
	}
	return line(s, maxSaid)
}

// line returns s as one line of at most most characters without invisible ones.
func line(s string, most int) string {
	if plain(s) && len(s) <= most {
		return s
	}
	s = strings.Join(strings.Fields(plaintext.Clean(s)), " ")
	if runes := []rune(s); len(runes) > most {
		s = strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return s
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// word returns s where it is a word of a machine, such as a code; else a mark.
func word(s string) string {
	const most = 120
	if len(s) > most || strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-/.", r)
	}) {
		return "?"
	}
	return s
}

// shape returns a path without the ids in it.
func shape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.Contains(p, "_") && !slices.Contains([]string{"offer_requests", "order_cancellations",
			"search_results", "fetch_all_rates"}, p) {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}
