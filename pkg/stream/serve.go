package stream

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"time"
)

// heartbeat is how long a stream may be silent before a comment is sent; the
// shortest idle limit of the platforms is 30 seconds.
const heartbeat = 10 * time.Second

// slowest is how long a client may take for one write.
const slowest = 15 * time.Second

// Produce makes the events of a turn and passes each to send. It must return
// soon after send failed or ctx ended.
type Produce func(ctx context.Context, send func(Event) error) error

// Keep says what is kept of an answer besides what is sent; the zero Keep keeps
// nothing.
type Keep struct {
	// Frames are given back, and handed to Event.Store.
	Frames bool
	// Native, if not nil, encodes the events a second time, for clients that read the
	// answer again in another form than Form, which is that of the frames. See Split.
	Native *Encoder
	Form   string
	// Feed, if not nil, is given each event, for those who read along.
	Feed *Feed
}

// Serve answers with the events in the given encoding until produce returns, and gives back the
// frames that are kept. One goroutine, the caller's, writes; nothing is left
// running when Serve returns. A failure of produce becomes the terminal event,
// unless there was one: what comes after a terminal event is not sent.
//
// When ctx ends by its deadline the events of what was done still go out; only
// a client that has disconnected stops them.
func Serve(ctx context.Context, w http.ResponseWriter, enc Encoding, requestID string, keep Keep,
	produce Produce) (frames []byte, err error) {
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
			// Both may be ready below, and then either is taken.
			if err := reading.Err(); err != nil {
				return err
			}
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
	kept := keptFrames{Keep: keep}
	write := func(e Event) {
		if ended || broken {
			return
		}
		var frame []byte
		var encodeErr error
		if frame, encodeErr = kept.encode(enc, e); encodeErr != nil {
			// Events that the run sends before it notices are dropped.
			err, broken = cmp.Or(err, encodeErr), true
			abandon()
			return
		}
		ended = e.Name == Complete || e.Name == Failure
		if len(frame) == 0 {
			return
		}
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
			// Events that are ready by now are sent together.
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
			if still := beat(enc); !ended && still != nil {
				out.write(still)
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
		// The status is already 200, so a failure is sent as an event.
		broken = false
		write(Fail(err, requestID))
		flush()
	}
	return kept.join(nil, nil), err
}

// keptFrames are what is kept of a stream.
type keptFrames struct {
	Keep
	own, native frameList
}

// frameList is the frames of a stream, in blocks: one slice that grows would be
// copied again and again, and a long stream has some 40 KB.
type frameList struct{ blocks [][]byte }

const frameBlock = 8 << 10

func (f *frameList) add(frame []byte) {
	if len(frame) == 0 {
		return
	}
	last := len(f.blocks) - 1
	if last < 0 || cap(f.blocks[last])-len(f.blocks[last]) < len(frame) {
		size := frameBlock
		if last < 0 {
			size /= 8 // most answers are short
		}
		f.blocks = append(f.blocks, make([]byte, 0, max(size, len(frame))))
		last++
	}
	f.blocks[last] = append(f.blocks[last], frame...)
}

// join returns all frames in one piece, nil where they are not kept, with the next
// ones, which are not added.
func (k *keptFrames) join(frame, native []byte) []byte {
	switch {
	case !k.Frames:
		return nil
	case k.Native == nil:
		return bytes.Join(slices.Concat(k.own.blocks, [][]byte{frame}), nil)
	}
	mark := []byte(formMark + k.Form + "\n")
	return bytes.Join(slices.Concat(k.own.blocks, [][]byte{frame, mark}, k.native.blocks, [][]byte{native}), nil)
}

// encode encodes an event, stores what is to be stored with it, and keeps and
// returns its frame.
func (k *keptFrames) encode(enc Encoding, e Event) ([]byte, error) {
	again, nativeAgain := enc, k.Native
	if e.Store != nil {
		again = enc.Copy()
		if k.Native != nil {
			copied := *k.Native
			copied.frame, nativeAgain = nil, &copied
		}
	}
	frame, native, err := both(enc, k.Native, e)
	if err != nil {
		return nil, err
	}
	if e.Store != nil {
		if other := e.Store(k.join(frame, native)); other != nil {
			e.Data = other
			if frame, native, err = both(again, nativeAgain, e); err != nil {
				return nil, err
			}
		}
	}
	if k.Frames {
		k.own.add(frame)
		k.native.add(native)
	}
	if k.Feed != nil {
		k.Feed.add(e)
	}
	return frame, nil
}

// both encodes an event in both forms; native may be nil.
func both(enc Encoding, native *Encoder, e Event) (frame, nativeFrame []byte, err error) {
	if frame, err = enc.Encode(e); err == nil && native != nil {
		nativeFrame, err = native.Encode(e)
	}
	return frame, nativeFrame, err
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
	// A client that does not read must not hold a turn for ever. Platforms
	// without write deadlines have a shorter limit of their own.
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
	var body []byte
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in a turn: %v\n%s", p, debug.Stack())
			}
		}()
		return produce(ctx, func(e Event) error {
			if e.Name == Complete {
				var err error
				if body, err = whole(e, form); err != nil {
					return err
				}
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
	if body == nil {
		return nil, errSilent()
	}
	return body, nil
}

// whole encodes the answer of a complete event, and stores what is to be stored
// with it.
func whole(e Event, form func(Answer) any) ([]byte, error) {
	completed, ok := e.Data.(Completed)
	if !ok {
		return nil, errSilent()
	}
	var body []byte
	var err error
	if form == nil {
		body, err = completed.Answer.encode()
	} else {
		body, err = marshal(form(completed.Answer))
	}
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	body = append(body, '\n')
	if e.Store != nil {
		if other := e.Store(body); other != nil {
			return whole(Event{Name: e.Name, Data: other}, form)
		}
	}
	return body, nil
}
