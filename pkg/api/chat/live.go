package chat

import (
	"context"
	"sync"
	"sync/atomic"
)

// live knows the turns that run in this process, so that a person can stop
// them. Another instance's turns are out of its reach; those end at their
// deadline.
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
