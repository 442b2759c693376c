package tool

import (
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Retry is how often and how soon a tool that reads is retried. The zero Retry
// means never.
type Retry struct {
	Most  int           // attempts after the first, up to 5
	Delay time.Duration // before the second attempt; 0 is one second
	// Which reports whether another attempt may succeed after a failure; nil
	// means failures of the service (Unavailable, Upstream, Timeout, Limited).
	Which func(error) bool
}

const (
	maxRetries = 5
	firstDelay = time.Second
	maxDelay   = 8 * time.Second
)

// problem says what is wrong with the declaration; "" for nothing.
func (r Retry) problem(e Effect) string {
	switch {
	case r.Most < 0 || r.Most > maxRetries || r.Delay < 0:
		return fmt.Sprintf("it is tried again 0 to %d times, after no negative time", maxRetries)
	case r.Most > 0 && e != Reads:
		return "only what reads may be tried again"
	}
	return ""
}

// First returns the delay before the second attempt; 0 where there is none.
func (r Retry) First() time.Duration {
	switch {
	case r.Most == 0:
		return 0
	case r.Delay == 0:
		return firstDelay
	}
	return min(r.Delay, maxDelay)
}

// After says how long to wait after the attempt of that number, from 1, failed
// with err; ok is false when it was the last. The delay doubles with each
// attempt, up to eight seconds.
func (r Retry) After(attempt int, err error) (wait time.Duration, ok bool) {
	if attempt > r.Most || err == nil || !r.again(err) {
		return 0, false
	}
	return min(r.First()<<(attempt-1), maxDelay), true
}

func (r Retry) again(err error) bool {
	if r.Which != nil {
		return r.Which(err)
	}
	switch fault.KindOf(err) {
	case fault.Unavailable, fault.Upstream, fault.Timeout, fault.Limited:
		return true
	}
	return false
}
