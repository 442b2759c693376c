package stream

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Feed holds what was sent of an answer so far, for clients that ask for it
// while it is made. It is safe for concurrent use.
type Feed struct {
	mu   sync.Mutex
	sent []byte
	over bool
	more chan struct{} // closed when there is more, or no more will come
}

// NewFeed returns an empty feed.
func NewFeed() *Feed { return &Feed{more: make(chan struct{})} }

// Write adds to the feed. It never fails.
func (f *Feed) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.over && len(b) > 0 {
		f.sent = append(f.sent, b...)
		close(f.more)
		f.more = make(chan struct{})
	}
	return len(b), nil
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

// after returns what was sent beyond the first n bytes, whether that is all, and
// what is closed when that changes. The bytes may not be changed.
func (f *Feed) after(n int) (sent []byte, over bool, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent[n:len(f.sent):len(f.sent)], f.over, f.more
}

// Follow answers with all that a feed holds and with what comes, until the feed
// or ctx ends or the client has disconnected.
func Follow(ctx context.Context, w http.ResponseWriter, enc Encoding, f *Feed) {
	out := begin(w, enc)
	defer out.release()
	for n := 0; ; {
		sent, over, more := f.after(n)
		n += len(sent)
		if len(sent) > 0 {
			out.write(sent)
		}
		if out.send() != nil || over {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
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

// Detach returns a writer that copies what is written to the feed, and goes on
// without its client when that has disconnected.
func Detach(w http.ResponseWriter, f *Feed) http.ResponseWriter {
	return &detached{ResponseWriter: w, feed: f, control: http.NewResponseController(w)}
}

type detached struct {
	http.ResponseWriter
	feed    *Feed
	control *http.ResponseController
	gone    bool
}

// Write writes to the feed, and to the client while it is there.
func (d *detached) Write(b []byte) (int, error) {
	if !d.gone {
		_, err := d.ResponseWriter.Write(b)
		d.gone = err != nil
	}
	return d.feed.Write(b)
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
