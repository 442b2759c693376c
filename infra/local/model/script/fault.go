package script

import (
	"cmp"
	"fmt"
	"net/http"
)

type faultKind string

const (
	none       faultKind = ""
	status     faultKind = "status"
	reset      faultKind = "reset"
	cutStream  faultKind = "cut-stream"
	endStream  faultKind = "end-stream"
	cutArgs    faultKind = "cut-args"
	noFinish   faultKind = "no-finish"
	empty      faultKind = "empty"
	null       faultKind = "null"
	refusal    faultKind = "refusal"
	filter     faultKind = "filter"
	streamFail faultKind = "error"
	longLine   faultKind = "long-line"

	unknownEvents faultKind = "unknown-events"
)

// Fault is a way in which an answer goes wrong. The zero value is none; the
// functions of this file make the others.
type Fault struct {
	kind   faultKind
	status int
	header http.Header
	body   string
	text   string
	size   int // events before a break, or bytes of a line
}

// String names the fault as the compact form does.
func (f Fault) String() string {
	if f.kind == status {
		return fmt.Sprint(f.status)
	}
	return string(f.kind)
}

// Status answers with an HTTP status in place of a completion. The header may
// be nil. An empty body means an error in OpenAI's shape that fits the status;
// otherwise the header should name the body's Content-Type.
func Status(code int, header http.Header, body string) Fault {
	if body == "" {
		header = header.Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Set("Content-Type", "application/json")
		body = statusBody(code, "", "", "")
	}
	return Fault{kind: status, status: code, header: header, body: body}
}

func statusBody(code int, kind, finer, message string) string {
	switch {
	case code == http.StatusTooManyRequests:
		kind, finer = cmp.Or(kind, "requests"), cmp.Or(finer, "rate_limit_exceeded")
	case code == http.StatusUnauthorized:
		finer = cmp.Or(finer, "invalid_api_key")
	case code >= 500:
		kind = cmp.Or(kind, "server_error")
	}
	return errorBody(cmp.Or(kind, "invalid_request_error"), finer, cmp.Or(message, http.StatusText(code),
		"scripted fault"))
}

// BadGateway answers 502 with the HTML page of a proxy.
func BadGateway() Fault {
	const page = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad " +
		"Gateway</h1></center>\r\n</body>\r\n</html>\r\n"
	return Fault{kind: status, status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html"}},
		body: page}
}

// Reset resets the connection before a header is written.
func Reset() Fault { return Fault{kind: reset} }

// CutStream breaks the connection after so many events of a stream, at the
// latest before the finish_reason. The first event holds the role only, each
// further one a word of the text or a piece of a call. 0 means 2. An answer in
// one piece breaks off halfway. A step without text gets one.
func CutStream(events int) Fault { return Fault{kind: cutStream, size: cmp.Or(events, 2)} }

// EndStream is CutStream in which the connection ends in good order, as behind
// a proxy that hides the break. An answer in one piece is half a JSON value.
func EndStream(events int) Fault { return Fault{kind: endStream, size: cmp.Or(events, 2)} }

// CutArguments sends the step's text and calls, then breaks the connection
// inside the last call's arguments: after all of them that the step holds.
func CutArguments() Fault { return Fault{kind: cutArgs} }

// NoFinish leaves out the finish_reason. A stream still ends with [DONE].
// A step without text gets one, so that nothing else is wrong with it.
func NoFinish() Fault { return Fault{kind: noFinish} }

// EmptyChoices answers with an empty list of choices.
func EmptyChoices() Fault { return Fault{kind: empty} }

// NullContent answers with the content null, no calls, and a finish_reason.
func NullContent() Fault { return Fault{kind: null} }

// Refusal answers with text as the model's refusal and without content.
func Refusal(text string) Fault { return Fault{kind: refusal, text: text} }

// Filter ends the answer with the finish_reason content_filter.
func Filter() Fault { return Fault{kind: filter} }

// StreamError sends so many events as CutStream does and then an error object
// as an event. An answer in one piece is that object, with the status 200.
func StreamError(events int, message string) Fault {
	return Fault{kind: streamFail, size: cmp.Or(events, 2),
		text: cmp.Or(message, "The server had an error while processing your request.")}
}

// LongLine answers with a text of so many bytes, in one event and so in one
// line. 0 means 2 MiB.
func LongLine(bytes int) Fault { return Fault{kind: longLine, size: cmp.Or(bytes, 2<<20)} }

// UnknownEvents puts events that nobody has heard of between those of a stream.
// An answer in one piece stays as it is.
func UnknownEvents() Fault { return Fault{kind: unknownEvents} }

// alone reports whether the fault leaves no room for text and calls.
func (f Fault) alone() bool {
	switch f.kind {
	case status, reset, empty, null, refusal, longLine:
		return true
	}
	return false
}
