package chat

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// live knows the turns that run in this process, so that a person can stop
// them at once. Of turns elsewhere the store is told; see turn.stopped.
type live struct {
	mu    sync.Mutex
	turns map[string][]*atomic.Bool
}

type liveKey struct{}

func newLive() *live { return &live{turns: map[string][]*atomic.Bool{}} }

// enter marks a turn of the thread as running until done is called.
func (l *live) enter(ctx context.Context, thread string) (context.Context, func()) {
	flag := new(atomic.Bool)
	l.mu.Lock()
	l.turns[thread] = append(l.turns[thread], flag)
	l.mu.Unlock()
	return context.WithValue(ctx, liveKey{}, flag), func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		kept := l.turns[thread][:0]
		for _, f := range l.turns[thread] {
			if f != flag {
				kept = append(kept, f)
			}
		}
		if l.turns[thread] = kept; len(kept) == 0 {
			delete(l.turns, thread)
		}
	}
}

func (l *live) stop(thread string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.turns[thread] {
		f.Store(true)
	}
}

// stopped reports whether the context's turn was asked to stop.
func stopped(ctx context.Context) bool {
	f, ok := ctx.Value(liveKey{}).(*atomic.Bool)
	return ok && f.Load()
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
			"The service is being restarted. Please send that again.").WithCode(llm.Restarting).WithRetryAfter(restartAfter)
	}
	return a, err
}
