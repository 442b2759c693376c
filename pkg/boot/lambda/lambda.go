// Package lambda adapts AWS Lambda to an http.Handler. It reads
// Function URL and HTTP API events (format 2.0), events of REST APIs (format 1.0)
// and of Application Load Balancers. Function URLs are answered whole or as a
// stream, the others whole. An event that is no HTTP request goes to
// Options.Direct.
//
// Unlike the stock adapter it survives a panic of the handler and can be
// flushed. What holds on both sides:
//
//   - The request's context carries the invocation's deadline. Lambda never
//     says that the reader has gone, so nothing else ends it early.
//   - Repeated headers of a response are joined by commas; Set-Cookie stays
//     apart.
//   - Streaming needs a build with the tag lambda.norpc or a provided runtime.
package lambda

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"runtime/debug"

	awslambda "github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambda/messages"
)

// Options says what the adapter does beyond plain HTTP. The zero value answers
// HTTP events, each as a whole.
type Options struct {
	// Streaming answers Function URL events as streams. It must agree with the
	// template: InvokeMode RESPONSE_STREAM.
	Streaming bool

	// Direct takes each event that is no HTTP request, such as a schedule's,
	// and returns what is encoded as the answer. Without it such an event is
	// an error.
	Direct func(ctx context.Context, event json.RawMessage) (any, error)

	// Panicked learns of each panic of the handler or of Direct. The default
	// writes it to the standard logger.
	Panicked func(ctx context.Context, value any, stack []byte)
}

// Start serves h until Lambda ends the process. It does not return.
func Start(h http.Handler, opt Options) {
	awslambda.Start(Handler(h, opt))
}

// Handler returns what lambda.Start of aws-lambda-go takes: a function from an
// event to an answer.
func Handler(h http.Handler, opt Options) any {
	d := adapter{handler: h, opt: opt}
	if d.opt.Panicked == nil {
		d.opt.Panicked = func(_ context.Context, value any, stack []byte) {
			log.Printf("panic: %v\n%s", value, stack)
		}
	}
	return d.invoke
}

type adapter struct {
	handler http.Handler
	opt     Options
}

// errNotHTTP answers an event that has no handler here.
var errNotHTTP = errors.New("this function takes HTTP events only, and the event is none")

func (a adapter) invoke(ctx context.Context, event json.RawMessage) (any, error) {
	kind := kindOf(event)
	if kind == direct {
		return a.direct(ctx, event)
	}
	r, err := newRequest(ctx, kind, event)
	if err != nil {
		return nil, fmt.Errorf("read the HTTP event: %w", err)
	}
	if a.opt.Streaming && kind.streams() {
		return a.stream(r), nil
	}
	return a.whole(kind, r, hasLists(event)), nil
}

// direct runs Options.Direct. A panic becomes an error of this invocation: the
// runtime would take it for the end of the process.
func (a adapter) direct(ctx context.Context, event json.RawMessage) (answer any, err error) {
	if a.opt.Direct == nil {
		return nil, errNotHTTP
	}
	defer func() {
		if value := recover(); value != nil {
			a.opt.Panicked(ctx, value, debug.Stack())
			answer, err = nil, errPanic()
		}
	}()
	return a.opt.Direct(ctx, event)
}

// whole answers when the handler is done, so a panic can always become a
// clean 500.
func (a adapter) whole(kind kind, r *http.Request, many bool) any {
	body := &bytes.Buffer{}
	w := newWriter(r, body)
	err := a.serve(w, r)
	w.end()
	if err != nil {
		body = &bytes.Buffer{}
		w = newWriter(r, body)
		writeProblem(w)
		w.end()
	}
	return kind.whole(w.status, w.sent, body.Bytes(), many)
}

// stream answers as soon as the handler has sent its header. The handler goes
// on in its own goroutine, whose end is the end of the body: the runtime reads
// to there before it takes the next event.
func (a adapter) stream(r *http.Request) any {
	read, write := io.Pipe()
	w := newWriter(r, write)
	go func() {
		err := a.serve(w, r)
		if err != nil && !w.begun() {
			writeProblem(w)
			err = nil
		}
		w.end()
		// A nil error ends the body well; another reaches the runtime as the
		// error of the stream.
		_ = write.CloseWithError(err)
	}()
	<-w.started
	return stream(w.status, w.sent, read)
}

// serve runs the handler and reports whether it panicked.
func (a adapter) serve(w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		// That value is how a handler says that it gave up on purpose.
		if value != any(http.ErrAbortHandler) {
			a.opt.Panicked(r.Context(), value, debug.Stack())
		}
		err = errPanic()
	}()
	a.handler.ServeHTTP(w, r)
	return nil
}

// errPanic says nothing of the panic's value, which may hold what a log of
// invocations should not.
func errPanic() error {
	return messages.InvokeResponse_Error{Type: "Handler.Panic",
		Message: "the handler panicked; its log has the details"}
}

// writeProblem sends a problem document (RFC 9457).
func writeProblem(w http.ResponseWriter) {
	clear(w.Header())
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = io.WriteString(w, `{"type":"about:blank","title":"Internal Server Error","status":500,`+
		`"detail":"Something went wrong on our side."}`)
}
