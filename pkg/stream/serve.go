package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"
)

// heartbeat is how long a stream may be silent before a comment is sent; the
// shortest idle limit of the platforms is 30 seconds.
const heartbeat = 10 * time.Second

// slowest is how long a reader may take for one write.
const slowest = 15 * time.Second

// Produce makes the events of a turn and hands each to send. It must return
// soon after send failed or ctx ended.
type Produce func(ctx context.Context, send func(Event) error) error

// Serve answers with the events in the given encoding until produce returns and gives back all
// frames that were made. One goroutine, the caller's, writes; nothing is left
// running when Serve returns. A failure of produce becomes the terminal event,
// unless there was one: what comes after a terminal event is not sent.
//
// When ctx ends by its deadline the events of what was done still go out; only
// a reader that has gone stops them.
func Serve(ctx context.Context, w http.ResponseWriter, enc Encoding, requestID string, produce Produce) (frames []byte, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reading, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			leave()
		}
	})()
	head := w.Header()
	enc.Head(head)
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)

	events := make(chan Event)
	failed := make(chan error, 1)
	go func() {
		defer close(events)
		defer func() {
			if p := recover(); p != nil {
				failed <- fmt.Errorf("panic in a turn: %v\n%s", p, debug.Stack())
			}
		}()
		failed <- produce(ctx, func(e Event) error {
			select {
			case events <- e:
				return nil
			case <-reading.Done():
				return reading.Err()
			}
		})
	}()

	out := writer{w: w, flush: http.NewResponseController(w)}
	defer out.release()
	abandon := func() { cancel(); leave() }
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	ended, broken := false, false
	write := func(e Event) {
		if ended || broken {
			return
		}
		frame, encodeErr := enc.Encode(e)
		if encodeErr != nil {
			// What the run still sends before it notices comes too late.
			err, broken = cmp.Or(err, encodeErr), true
			abandon()
			return
		}
		ended = e.Name == Complete || e.Name == Failure
		if len(frame) == 0 {
			return
		}
		frames = append(frames, frame...)
		out.write(frame)
	}
	flush := func() {
		if out.send() != nil {
			abandon() // the reader has gone; the run ends at its next event
		}
	}
	for open := true; open; {
		select {
		case e, more := <-events:
			// Events that are there by now go out together.
			for ready := true; more && ready && out.gone == nil; {
				write(e)
				select {
				case e, more = <-events:
				default:
					ready = false
				}
			}
			open = more
			flush()
		case <-tick.C:
			if !ended {
				out.write([]byte(": still here\n\n"))
				flush()
			}
		}
	}
	// An event that could not be encoded is the reason of what failed later.
	err = cmp.Or(err, <-failed)
	if err == nil && !ended {
		err = errSilent()
	}
	if err != nil {
		// The status is 200 by now, so a failure travels as an event.
		broken = false
		write(Fail(err, requestID))
		flush()
	}
	return frames, err
}

func errSilent() error { return errors.New("a turn ended without its terminal event") }

type writer struct {
	w     http.ResponseWriter
	flush *http.ResponseController
	until time.Time // when the reader's time for a write ends
	gone  error
}

// write adds a frame to what is sent next.
func (o *writer) write(frame []byte) {
	if o.gone != nil {
		return
	}
	// A reader that takes nothing must not hold a turn for ever. Platforms
	// that have no such limit have a shorter one of their own.
	if now := time.Now(); o.until.Sub(now) < slowest-time.Second {
		o.until = now.Add(slowest)
		_ = o.flush.SetWriteDeadline(o.until)
	}
	_, o.gone = o.w.Write(frame)
}

// send sends what was written.
func (o *writer) send() error {
	if o.gone == nil {
		// A writer that cannot flush, as some platforms', sends as it is written.
		if err := o.flush.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			o.gone = err
		}
	}
	return o.gone
}

// release lifts the limit, since the connection may serve another request.
func (o *writer) release() { _ = o.flush.SetWriteDeadline(time.Time{}) }

// Replay sends frames that an earlier attempt made.
func Replay(w http.ResponseWriter, enc Encoding, frames string) error {
	head := w.Header()
	enc.Head(head)
	head.Set("Cache-Control", "no-store")
	head.Set("Idempotent-Replayed", "true")
	w.WriteHeader(http.StatusOK)
	out := writer{w: w, flush: http.NewResponseController(w)}
	defer out.release()
	out.write([]byte(frames))
	return out.send()
}

// Collect runs produce and returns the answer of its complete event, encoded in
// the given form; nil means as it is.
func Collect(ctx context.Context, form func(Answer) any, produce Produce) ([]byte, error) {
	var last any
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in a turn: %v\n%s", p, debug.Stack())
			}
		}()
		return produce(ctx, func(e Event) error {
			if e.Name == Complete {
				last = e.Data
			}
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err() // the reader has gone
			}
			return nil
		})
	}()
	if err != nil {
		return nil, err
	}
	completed, ok := last.(Completed)
	if !ok {
		return nil, errSilent()
	}
	var whole any = completed.Answer
	if form != nil {
		whole = form(completed.Answer)
	}
	body, err := marshal(whole)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return append(body, '\n'), nil
}
