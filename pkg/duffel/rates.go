package duffel

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// longestReset limits what is believed of a reset: Duffel counts by the minute.
const longestReset = 2 * time.Minute

// rates is what the rate headers of the last answer said. Duffel counts per access token,
// other processes' calls included.
type rates struct {
	mu    sync.Mutex
	until time.Time // no call before; zero = go on
}

// note keeps what the headers of an answer say. A moment without calls begins with the
// last call that was allowed, and with a refusal.
func (r *rates) note(h http.Header, refused bool, now time.Time) {
	remaining, err := strconv.Atoi(h.Get("ratelimit-remaining"))
	if !refused && (err != nil || remaining > 0) {
		return
	}
	until, ok := reset(h, now)
	if !ok && !refused {
		return
	}
	if !ok {
		until = now.Add(time.Second)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if until.After(r.until) {
		r.until = until
	}
}

// reset returns the moment at which the count begins anew. Duffel writes an HTTP date;
// seconds are understood, too.
func reset(h http.Header, now time.Time) (time.Time, bool) {
	for _, name := range []string{"ratelimit-reset", "retry-after"} {
		text := h.Get(name)
		at, err := http.ParseTime(text)
		if err != nil {
			at, err = time.Parse(time.RFC3339, text)
		}
		if err != nil {
			seconds, bad := strconv.Atoi(text)
			if err = bad; bad == nil && seconds >= 0 {
				at = now.Add(time.Duration(min(seconds, 1e6)) * time.Second)
			}
		}
		if err == nil {
			return now.Add(min(max(at.Sub(now), 0), longestReset)), true
		}
	}
	return time.Time{}, false
}

// wait returns when a call is allowed, or a fault.Limited error at once where that is not
// before the context's deadline.
func (r *rates) wait(ctx context.Context, now calendar.Clock) error {
	r.mu.Lock()
	left := r.until.Sub(now())
	r.mu.Unlock()
	if left <= 0 {
		return nil
	}
	if end, ok := ctx.Deadline(); left > longestWait || ok && time.Until(end) < left {
		return limited(left, nil)
	}
	place := time.NewTimer(left)
	defer place.Stop()
	select {
	case <-place.C:
		return nil
	case <-ctx.Done():
		return fault.From(ctx.Err())
	}
}

// longestWait limits a wait for a reset.
const longestWait = 10 * time.Second

func limited(wait time.Duration, cause error) *fault.Error {
	return fault.Wrap(fault.Limited, cause,
		"The travel supplier gets too many questions at the moment. Please try again shortly.").
		WithCode("supplier_rate_limited").WithRetryAfter(wait)
}
