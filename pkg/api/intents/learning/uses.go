package learning

import (
	"context"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// UseStore counts the tools of turns.
type UseStore interface {
	// Used counts the tools of a turn of by's with the assistant, each as often as it
	// is named.
	Used(ctx context.Context, by identity.Caller, assistant string, tools []string) error
}

// Uses counts the tools of turns that teach the matcher nothing; the others are
// counted with what they teach.
type Uses struct {
	store  UseStore
	counts func(assistant string) bool
	report func(ctx context.Context, err error)
}

// NewUses returns what counts the tools of the assistants for which counts is true.
// report is told of what could not be kept.
func NewUses(store UseStore, counts func(assistant string) bool, report func(ctx context.Context, err error)) *Uses {
	return &Uses{store, counts, report}
}

// Ended hears of a turn of by's that came to its end; see Listener.Ended. An answer
// that was kept used no tool again.
func (u *Uses) Ended(ctx context.Context, by identity.Caller, e chat.Ended) (wait func()) {
	if by.Visitor != "" || e.Outcome.Guess != nil || e.Outcome.Path == agent.PathCached || len(e.Outcome.Used) == 0 ||
		!u.counts(e.Assistant) {
		return func() {}
	}
	tools := make([]string, len(e.Outcome.Used))
	for i, used := range e.Outcome.Used {
		tools[i] = used.Tool
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
		defer cancel()
		if err := u.store.Used(ctx, by, e.Assistant, tools); err != nil {
			u.report(ctx, fmt.Errorf("count the tools of a turn: %w", err))
		}
	}()
	return func() { <-over }
}
