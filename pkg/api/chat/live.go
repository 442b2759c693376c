package chat

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// live knows the turns that run in this process, so that a person can stop
// them at once and read them again. Of turns elsewhere the store is told; see
// turn.stopped.
type live struct {
	mu    sync.Mutex
	turns map[string][]*running
}

// running is a turn of this process.
type running struct {
	stop            atomic.Bool
	assistant, turn string
	feed            *stream.Feed // nil of a turn that ends with its reader
	left            atomic.Bool  // the reader of a turn that goes on without one has gone
	end             func()       // ends such a turn
	// as is the form of the answer, and encoding begins it anew.
	as       representation
	encoding func() stream.Encoding
}

// leave says that the reader has gone. A turn that goes on without one ends if it was
// stopped.
func (t *running) leave() {
	t.left.Store(true)
	if t.stop.Load() {
		t.end()
	}
}

// ask asks the turn to stop: between two steps, and at once where its reader has gone.
func (t *running) ask() {
	t.stop.Store(true)
	if t.end != nil && t.left.Load() {
		t.end()
	}
}

type liveKey struct{}

func newLive() *live { return &live{turns: map[string][]*running{}} }

// liveName is what a person's thread is called here.
func liveName(by identity.Caller, thread string) string { return by.Subject() + "\x00" + thread }

// enter marks a turn of the thread as running until done is called, which ends
// its feed.
func (l *live) enter(ctx context.Context, thread string, t *running) (context.Context, func()) {
	l.mu.Lock()
	l.turns[thread] = append(l.turns[thread], t)
	l.mu.Unlock()
	return context.WithValue(ctx, liveKey{}, t), func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if t.feed != nil {
			t.feed.Close()
		}
		kept := slices.DeleteFunc(l.turns[thread], func(other *running) bool { return other == t })
		if l.turns[thread] = kept; len(kept) == 0 {
			delete(l.turns, thread)
		}
	}
}

// read returns the newest turn of a thread that can be read along, of that name where
// it is not ""; nil if there is none.
func (l *live) read(thread, assistant, name string) *running {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range slices.Backward(l.turns[thread]) {
		if t.feed != nil && t.assistant == assistant && (name == "" || t.turn == name) {
			return t
		}
	}
	return nil
}

func (l *live) stop(thread string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.turns[thread] {
		t.ask()
	}
}

// stopped reports whether the context's turn was asked to stop.
func stopped(ctx context.Context) bool {
	t, ok := ctx.Value(liveKey{}).(*running)
	return ok && t.stop.Load()
}

// lookEvery is how often a turn asks the store whether it was stopped from
// another process. A turn that is quicker never asks.
const lookEvery = time.Second

// stopped reports whether the person asked this turn to end, here or, for a
// turn that the client named, at another process.
func (t *turn) stopped(ctx context.Context) bool {
	if stopped(ctx) {
		return true
	}
	t.looking.Lock()
	defer t.looking.Unlock()
	now := t.h.cfg.Now()
	if !t.named || now.Sub(t.looked) < lookEvery {
		return false
	}
	t.looked = now
	asked, err := t.h.cfg.Turns.Stopped(ctx, t.by, t.start.Turn)
	// An unanswered question is no reason to stop.
	return err == nil && asked
}

// restartAfter is how long a client waits whose turn was cut off because this
// process ends.
const restartAfter = 2 * time.Second

// leaving is a model whose calls end when the process has to.
type leaving struct {
	llm.Model
	gone context.Context
}

// Name implements llm.Namer, with "" for a model without a name of its own.
func (m leaving) Name() string {
	if own, ok := m.Model.(llm.Namer); ok {
		return own.Name()
	}
	return ""
}

func (m leaving) Answer(ctx context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	calling, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(m.gone, cancel)()
	a, err := m.Model.Answer(calling, r, show)
	if err != nil && m.gone.Err() != nil && ctx.Err() == nil {
		return a, fault.Wrap(fault.Unavailable, err,
			"The service is being restarted. Please send that again.").WithCode(llm.Restarting).
			WithRetryAfter(restartAfter)
	}
	return a, err
}
