package writer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

const (
	// MaxCalls is how many model calls With allows.
	MaxCalls = 3
	// spare is the time that is left to rules and to saving when a model is slow.
	spare = 2 * time.Second
)

type turnKey struct{}

// turn is what the drafts of one turn share.
type turn struct {
	ask Ask

	mu     sync.Mutex
	left   int // model calls
	drafts map[string]*draft
	stops  []context.CancelFunc
	wait   sync.WaitGroup
}

// draft is one that was begun. Its value and err are set when done is closed.
type draft struct {
	done  chan struct{}
	value any
	err   error
}

// With gives what runs with the context a model, for at most MaxCalls calls in all,
// corrections included. Without it everything is made by rules.
func With(ctx context.Context, ask Ask) context.Context { return WithCalls(ctx, ask, MaxCalls) }

// WithCalls is With for another number of calls.
func WithCalls(ctx context.Context, ask Ask, calls int) context.Context {
	if ask == nil {
		return ctx
	}
	return context.WithValue(ctx, turnKey{}, &turn{ask: ask, left: calls, drafts: map[string]*draft{}})
}

// turnOf returns the turn of a context, nil for none.
func turnOf(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

// Begin starts drafts of these kinds at once, one model call each. Content, Layout or
// Quality of the same facts, with the context that Begin returns, take the drafts; what
// Content writes does not change the facts of a layout. A
// kind for which no call is left is made by rules. The drafts run until they are done,
// ctx ends, or End is called. Without a model Begin does nothing.
func Begin(ctx context.Context, p projects.Project, b projects.Business, kinds ...Kind) context.Context {
	t := turnOf(ctx)
	if t == nil {
		return ctx
	}
	for _, k := range kinds {
		switch k {
		case ContentKind:
			f := factsOf(p, b)
			begin(ctx, t, f.key(k), contentWork(f, b))
		case LayoutKind:
			f := layoutFacts(p)
			begin(ctx, t, f.key(k), layoutWork(f))
		case QualityKind:
			f := qualityFacts(p, b)
			begin(ctx, t, f.key(k), qualityWork(f, b))
		}
	}
	return ctx
}

// End stops the drafts that nothing asked for, and returns when none runs any more.
func End(ctx context.Context) {
	t := turnOf(ctx)
	if t == nil {
		return
	}
	t.mu.Lock()
	stops := t.stops
	t.stops = nil
	t.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
	t.wait.Wait()
}

// key is under what a draft of the facts is kept. The texts of photos and the one at the
// top may be written between Begin and Layout.
func (f facts) key(k Kind) string {
	if k == LayoutKind {
		f.Photos = slices.Clone(f.Photos)
		for i := range f.Photos {
			f.Photos[i].Shows, f.Photos[i].Chosen = "", false
		}
	}
	return string(k) + " " + f.project.Code + " " + f.json()
}

// work makes something with the calls of a turn, of which the first may be reserved.
// A nil turn has no model.
type work[T any] func(ctx context.Context, t *turn, reserved bool) (T, error)

func begin[T any](ctx context.Context, t *turn, key string, w work[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.drafts[key] != nil || t.left < 1 {
		return
	}
	t.left--
	d := &draft{done: make(chan struct{})}
	t.drafts[key] = d
	ctx, stop := context.WithCancel(ctx)
	t.stops = append(t.stops, stop)
	t.wait.Go(func() {
		defer stop()
		defer close(d.done)
		defer func() {
			if p := recover(); p != nil { // of a goroutine it would end the process, with all turns
				d.err = fault.Wrap(fault.Internal, fmt.Errorf("draft %.20s: %v\n%s", key, p, debug.Stack()),
					"This could not be written. Please try again.")
			}
		}()
		d.value, d.err = w(ctx, t, true)
	})
}

// obtain takes the draft that was begun under the key, or makes one.
func obtain[T any](ctx context.Context, key string, w work[T]) (T, error) {
	t := turnOf(ctx)
	var none T
	if t == nil {
		return w(ctx, nil, false)
	}
	t.mu.Lock()
	d := t.drafts[key]
	t.mu.Unlock()
	if d == nil {
		return w(ctx, t, false)
	}
	select {
	case <-d.done:
		if d.err != nil {
			return none, d.err
		}
		return d.value.(T), nil
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// take takes one call of those that are left.
func (t *turn) take() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left < 1 {
		return false
	}
	t.left--
	return true
}

// question is what a model is asked.
type question struct {
	name   string // of the schema
	system string
	schema string
	data   string // JSON
	tokens int    // of the answer, at most
	// read takes an answer, JSON as the model wrote it. It returns what the model should
	// correct, "" for nothing; what is usable it keeps.
	read func(text []byte) (wrong string)
}

// consult asks, and once again where the answer has to be corrected and a call is
// left. It returns the code of what went wrong, "" for nothing, and an error only where
// ctx has ended or the reader has.
func (t *turn) consult(ctx context.Context, q question, reserved bool) (code string, err error) {
	r := llm.Request{
		Settings: llm.Settings{MaxTokens: q.tokens, Temperature: new(float64),
			Schema: &llm.Schema{Name: q.name, JSON: []byte(q.schema)}},
		Messages: []llm.Message{{Role: llm.System, Text: q.system}, {Role: llm.User, Text: q.data}},
	}
	for try := 1; try <= 2; try++ {
		if (try > 1 || !reserved) && !t.take() {
			if try == 1 {
				return CallsSpent, nil
			}
			return code, nil
		}
		a, err := t.call(ctx, r)
		if err != nil {
			if ctx.Err() != nil {
				return "", context.Cause(ctx)
			}
			if fault.Is(err, fault.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
				return "", err
			}
			if try > 1 {
				return code, nil
			}
			return fault.From(err).PublicCode(), nil
		}
		code = ""
		wrong := "That was not one complete JSON object of the schema. Write it again, shorter, as JSON alone."
		text, ok := object(a)
		if a.Refusal != "" || a.Finish == llm.Filtered {
			return AnswerUnusable, nil
		}
		if ok {
			wrong = q.read(text)
		} else {
			code = AnswerUnusable
		}
		if wrong == "" {
			return "", nil
		}
		r.Messages = append(slices.Clip(r.Messages[:2]), llm.Message{Role: llm.Assistant, Text: cut(a.Text, maxEcho)},
			llm.Message{Role: llm.User, Text: wrong})
	}
	return code, nil
}

// call makes one call that leaves time for what follows.
func (t *turn) call(ctx context.Context, r llm.Request) (llm.Answer, error) {
	if end, ok := ctx.Deadline(); ok {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, end.Add(-spare))
		defer stop()
	}
	return t.ask(ctx, r)
}

const (
	// maxAnswer is how long an answer may be, in bytes.
	maxAnswer = 64 << 10
	// maxEcho is how much of an answer a model reads again to correct it, in letters.
	maxEcho = 16 << 10
)

// object returns the JSON object that is a whole answer.
func object(a llm.Answer) (text []byte, ok bool) {
	if a.Finish != llm.Stopped || len(a.Text) > maxAnswer {
		return nil, false
	}
	return unfence(a.Text), true
}
