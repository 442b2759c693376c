package mcp

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// answer passes the SDK's answers on, but for its refusals in plain text, which
// become problems like those of all other handlers.
type answer struct {
	http.ResponseWriter
	written bool
	status  int             // of a refusal
	text    strings.Builder // of a refusal
}

// maxText is how much of a refusal is read.
const maxText = 300

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(a.Header().Get("Content-Type"), "text/plain") {
		a.status = status
		return
	}
	a.written = true
	a.Header().Set("Cache-Control", "no-store")
	a.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (a *answer) Write(b []byte) (int, error) {
	if a.status > 0 {
		a.text.Write(b[:min(len(b), maxText-min(maxText, a.text.Len()))])
		return len(b), nil
	}
	if !a.written {
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the platform's writer.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// end returns the error of a request that has no answer yet.
func (a *answer) end(ctx context.Context) error {
	if a.written {
		return nil
	}
	says := strings.TrimSpace(a.text.String())
	switch a.status {
	case 0:
		if err := ctx.Err(); err != nil {
			return err
		}
		return errors.New("mcp: the SDK gave no answer")
	case http.StatusBadRequest:
		return fault.New(fault.Invalid, "%s", says)
	case http.StatusForbidden:
		return fault.New(fault.Forbidden, "%s", says).WithCode("cross_origin")
	case http.StatusNotFound:
		return fault.New(fault.NotFound, "%s", says)
	}
	return fault.Wrap(fault.Internal, errors.New("mcp: the SDK refused: "+says), "Something went wrong on our side.")
}
