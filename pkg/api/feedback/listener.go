package feedback

import (
	"context"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/feedback"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// noticeTime bounds the writing down of a signal.
const noticeTime = time.Second

// lookBack is how many turns are looked at for an act, which several questions
// of consent may have come before. Otherwise the last one is all that counts.
const lookBack = 6

// Listener writes down what turns of chat show of the answers before them. It is
// of no turn's business whether that works.
type Listener struct {
	store  feedback.Store
	report func(ctx context.Context, err error)
	effect EffectOf
}

// EffectOf returns the effect of an assistant's tool. It reports false for a
// tool that is not known.
type EffectOf func(assistant, tool string) (tool.Effect, bool)

// NewListener returns a listener to turns of assistants whose tools effect knows.
// report is told of what could not be written.
func NewListener(effect EffectOf, store feedback.Store, report func(ctx context.Context, err error)) *Listener {
	return &Listener{store: store, report: report, effect: effect}
}

// Ended hears of a turn of by's that came to its end: the conversation that it
// answered, and the tools that it used. A turn that shows something is written
// down beside whatever the caller does next; wait returns when that is over.
func (l *Listener) Ended(ctx context.Context, by identity.Caller, assistant, thread string, conv history.Conversation,
	used []agent.Use) (wait func()) {
	e := conv.Entries
	now := feedback.Turn{}
	for _, u := range used {
		now.Wrote = now.Wrote || u.Effect && u.OK
		now.Asked = now.Asked || u.Asked
	}
	if n := len(e); n > 0 && e[n-1].Role == llm.User {
		now.Question = e[n-1].Text
	}
	look := 1
	if now.Wrote {
		look = lookBack
	}
	earlier, places := l.turns(assistant, e, look)
	about, signal := feedback.Signals(earlier, now)
	if signal == feedback.NoSignal {
		return func() {}
	}
	a := answer(assistant, thread, e, places[about])
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			if p := recover(); p != nil {
				l.report(ctx, fmt.Errorf("write down a signal: panic: %v", p))
			}
		}()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noticeTime)
		defer cancel()
		if err := l.store.Notice(ctx, by, a, signal, httpx.RequestID(ctx)); err != nil {
			l.report(ctx, fmt.Errorf("write down a signal: %w", err))
		}
	}()
	return func() { <-over }
}

// turns returns the last n turns of a conversation, oldest first, and where
// their answers stand.
func (l *Listener) turns(assistant string, entries []history.Entry, n int) (list []feedback.Turn, places []int) {
	begin, seen := len(entries), 0
	for begin > 0 && seen < n {
		begin--
		if entries[begin].Role == llm.Assistant {
			seen++
		}
	}
	for i := begin; i < len(entries); i++ {
		e := entries[i]
		if e.Role != llm.Assistant {
			continue
		}
		t := feedback.Turn{Question: question(entries, i), Known: e.State != nil && !isSummary(e)}
		if t.Known {
			t.Asked = e.State.Proposal != ""
			for _, step := range e.State.Steps {
				for i, call := range step.Calls {
					effect, known := l.effect(assistant, call.Name)
					t.Read = t.Read || known && effect == tool.Reads && succeeded(step, i)
					t.Wrote = t.Wrote || known && effect != tool.Reads && succeeded(step, i)
				}
			}
		}
		list, places = append(list, t), append(places, i)
	}
	return list, places
}
