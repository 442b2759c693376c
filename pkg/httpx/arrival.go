package httpx

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Arrival limits how slowly a request's body may arrive. The zero Arrival has
// the defaults.
type Arrival struct {
	// Patience is for how long a body may make no progress; 0 is ten seconds.
	Patience time.Duration
	// Rate is how many bytes a second buy further time; 0 is 4 KiB.
	Rate int
}

// arriving is the body of a request on its way. What it may take grows with what
// has come, so that one byte now and then does not hold a place for ever, and
// ends with the request's own time.
type arriving struct {
	io.ReadCloser
	out     *http.ResponseController
	place   *place // nil where places are not bounded
	arrival Arrival
	until   time.Time // by the machine's own clock, as all deadlines of connections
	latest  time.Time // when the request ends in any case; zero for never
	ended   bool
}

// watch makes a request's body one that has to make progress. The function that
// is returned is called when the request was answered.
func watch(w http.ResponseWriter, r *http.Request, p *place, a Arrival) func() {
	if r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	if a.Patience <= 0 {
		a.Patience = 10 * time.Second
	}
	if a.Rate <= 0 {
		a.Rate = 4 << 10
	}
	b := &arriving{ReadCloser: r.Body, out: http.NewResponseController(w), place: p, arrival: a}
	b.latest, _ = r.Context().Deadline()
	r.Body = b
	return b.over
}

// Read implements io.Reader. A body that makes no progress is a fault.Stalled
// error.
func (b *arriving) Read(p []byte) (int, error) {
	if b.until.IsZero() {
		if b.place != nil {
			if err := b.place.claimBody(); err != nil {
				return 0, err
			}
		}
		b.until = time.Now().Add(b.arrival.Patience)
	}
	deadline := b.until
	if !b.latest.IsZero() && b.latest.Before(deadline) {
		deadline = b.latest
	}
	// A platform without deadlines for connections gives us whole bodies.
	_ = b.out.SetReadDeadline(deadline)
	n, err := b.ReadCloser.Read(p)
	b.until = b.until.Add(time.Duration(n) * time.Second / time.Duration(b.arrival.Rate))
	if latest := time.Now().Add(b.arrival.Patience); b.until.After(latest) {
		b.until = latest
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, fault.Wrap(fault.Stalled, err, "The request did not arrive in time. Please send it again.")
	case err != nil:
		b.ended = true
		// The server looks at the connection to see whether its reader is there.
		_ = b.out.SetReadDeadline(time.Time{})
	}
	return n, err
}

// remains is how long the server waits for the unread rest of a body before
// it sends a refusal, so that who is still sending reads it.
const remains = 250 * time.Millisecond

// over bounds how long the server waits for the rest of a body.
func (b *arriving) over() {
	if !b.ended {
		_ = b.out.SetReadDeadline(time.Now().Add(min(b.arrival.Patience, remains)))
	}
}
