package stream

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Feed holds the events of an answer so far, for clients that ask for it while it is
// made, in any form. It is safe for concurrent use.
type Feed struct {
	mu     sync.Mutex
	events []Event
	over   bool
	more   chan struct{} // closed when there is more, or no more will come
}

// NewFeed returns an empty feed.
func NewFeed() *Feed { return &Feed{more: make(chan struct{})} }

// add adds an event, whose data nothing may change any more.
func (f *Feed) add(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.over {
		e.Store = nil
		f.events = append(f.events, e)
		close(f.more)
		f.more = make(chan struct{})
	}
}

// Close says that nothing more will come.
func (f *Feed) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.over {
		f.over = true
		close(f.more)
	}
}

// after returns the events after the first n, whether these are all, and what is
// closed when that changes. The events may not be changed.
func (f *Feed) after(n int) (events []Event, over bool, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.events[n:len(f.events):len(f.events)], f.over, f.more
}

// Follow answers with all that a feed holds and with what comes, until the feed or
// ctx ends or the client has disconnected. With the id of a native event it begins
// after that event, where the feed holds it. An event that cannot be encoded ends
// the answer.
func Follow(ctx context.Context, w http.ResponseWriter, enc Encoding, f *Feed, after string) error {
	out := begin(w, enc)
	defer out.release()
	for n := 0; ; {
		events, over, more := f.after(n)
		first := n == 0
		n += len(events)
		frames, err := encodeEvents(enc, events)
		if err != nil {
			return err
		}
		if first {
			frames = After(frames, after)
		}
		if len(frames) > 0 {
			out.write([]byte(frames))
		}
		if out.send() != nil || over {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil
		}
	}
}

// Await answers with what ask returns once it is ready. Until then it asks again
// after each interval, and keeps the connection open. An error of ask ends the
// answer without more.
func Await(ctx context.Context, w http.ResponseWriter, enc Encoding, interval time.Duration,
	ask func(context.Context) (frames string, ready bool, err error)) error {
	out := begin(w, enc)
	defer out.release()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	quiet := time.Duration(0)
	for {
		if err := out.send(); err != nil {
			return nil // the client has gone, which is no failure
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		frames, ready, err := ask(ctx)
		if err != nil {
			return err
		}
		if ready {
			out.write([]byte(frames))
			_ = out.send()
			return nil
		}
		if quiet += interval; quiet >= heartbeat {
			quiet = 0
			out.write(beat(enc))
		}
	}
}

// begin sends the headers of a stream.
func begin(w http.ResponseWriter, enc Encoding) *writer {
	head := w.Header()
	enc.Head(head)
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return &writer{w: w, flush: http.NewResponseController(w)}
}

// Detach returns a writer that goes on without its client when that has disconnected.
func Detach(w http.ResponseWriter) http.ResponseWriter {
	return &detached{ResponseWriter: w, control: http.NewResponseController(w)}
}

type detached struct {
	http.ResponseWriter
	control *http.ResponseController
	gone    bool
}

// Write writes to the client while it is there. It never fails.
func (d *detached) Write(b []byte) (int, error) {
	if !d.gone {
		_, err := d.ResponseWriter.Write(b)
		d.gone = err != nil
	}
	return len(b), nil
}

// FlushError flushes for http.ResponseController. It never fails.
func (d *detached) FlushError() error {
	if !d.gone {
		_ = d.control.Flush() // the next Write shows whether the client has gone
	}
	return nil
}

// SetWriteDeadline bounds the writes to the client.
func (d *detached) SetWriteDeadline(t time.Time) error {
	if d.gone {
		return nil
	}
	return d.control.SetWriteDeadline(t)
}
