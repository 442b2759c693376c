package lambda

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// invocation is one event on its way through an instance.
type invocation struct {
	id       string
	payload  []byte
	deadline time.Time

	// answered carries the answer or the failure, once.
	answered chan answer
	// done is closed when the instance asks for the next event.
	done chan struct{}

	once sync.Once
	mu   sync.Mutex
	body *io.PipeWriter // of a streamed answer
}

// answer is what a function said, or why it said nothing.
type answer struct {
	err *FunctionError

	// Of a whole answer: the payload. Of a stream: its prelude, without the
	// zero bytes that end it.
	payload []byte

	// body is the rest of a streamed answer. Its reader must close it.
	body io.ReadCloser
}

func (inv *invocation) settle(a answer) bool {
	first := false
	inv.once.Do(func() {
		first = true
		inv.answered <- a
	})
	return first
}

// fail settles the invocation with err, or breaks the stream that has begun.
func (inv *invocation) fail(err *FunctionError) {
	if inv.settle(answer{err: err}) {
		return
	}
	inv.mu.Lock()
	defer inv.mu.Unlock()
	if inv.body != nil {
		_ = inv.body.CloseWithError(err)
	}
}

// dispatch hands payload to an instance and returns what it answers. The
// context bounds the wait, not the invocation: that goes on, as in Lambda.
func (f *Function) dispatch(ctx context.Context, payload []byte) (answer, error) {
	in, err := f.acquire(ctx)
	if err != nil {
		return answer{}, err
	}
	inv := &invocation{
		id: f.cfg.NewID(), payload: payload, deadline: time.Now().Add(f.cfg.Timeout),
		answered: make(chan answer, 1), done: make(chan struct{}),
	}
	select {
	case in.work <- inv:
	case <-in.dead:
		f.retire()
		return answer{err: in.end()}, nil
	case <-f.closed:
		f.retire()
		return answer{}, errClosed
	}
	go f.supervise(in, inv)
	select {
	case a := <-inv.answered:
		return a, nil
	case <-ctx.Done():
		go discard(inv)
		return answer{}, fmt.Errorf("lambda: wait for %s: %w", f.cfg.Name, context.Cause(ctx))
	}
}

// supervise sees an invocation to its end: the instance asks for more, dies,
// or has used up its time and is killed.
func (f *Function) supervise(in *instance, inv *invocation) {
	timer := time.NewTimer(time.Until(inv.deadline))
	defer timer.Stop()
	select {
	case <-inv.done:
		f.release(in)
		return
	case <-in.dead:
		inv.fail(in.end())
	case <-timer.C:
		in.kill()
		<-in.dead
		inv.fail(&FunctionError{Type: "Sandbox.Timedout", Message: fmt.Sprintf(
			"RequestId: %s Error: Task timed out after %.2f seconds", inv.id, f.cfg.Timeout.Seconds())})
	}
	f.retire()
}

// discard reads an answer that no one waits for any more.
func discard(inv *invocation) {
	if a := <-inv.answered; a.body != nil {
		_ = a.body.Close()
	}
}

// Invoke hands payload to the function as a direct event and returns its
// answer; of a streamed answer all the bytes, with prelude and separator. The
// error is a *FunctionError when the function failed.
func (f *Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	if len(payload) > maxEvent {
		return nil, fmt.Errorf("lambda: the event has %d bytes, more than the %d that Lambda takes", len(payload),
			maxEvent)
	}
	a, err := f.dispatch(ctx, payload)
	if err != nil {
		return nil, err
	}
	if a.err != nil {
		return nil, a.err
	}
	if a.body == nil {
		return a.payload, nil
	}
	defer a.body.Close()
	var all bytes.Buffer
	all.Write(a.payload)
	all.Write(separator)
	if _, err := io.Copy(&all, a.body); err != nil {
		return nil, err
	}
	return all.Bytes(), nil
}
