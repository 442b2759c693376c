package specialists

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

// Within is how long a specialist may take where Config says nothing.
const Within = 20 * time.Second

// Config says of which sources a Researcher makes use.
type Config struct {
	// Flights and Stays are the suppliers of live prices; nil = none.
	Flights flights.Supplier
	Stays   stays.Supplier
	// Model is asked for what has no live and no listed price; nil = no model.
	Model structured.Ask
	// Now is the clock; required.
	Now calendar.Clock
	// Within is how long a specialist may take, all its sources at the same time. One that
	// is not in it has the constant Within.
	Within map[trip.Specialist]time.Duration
	// Report, if not nil, is told why a source brought nothing, for the log. It is called
	// from several goroutines.
	Report func(ctx context.Context, s trip.Specialist, err error)
}

// Researcher researches tasks. It keeps nothing between them and is safe for concurrent
// use.
type Researcher struct{ cfg Config }

// New returns a Researcher. It costs nothing: one for each turn is fine.
func New(cfg Config) *Researcher { return &Researcher{cfg} }

// Research researches one task and never fails. Sources are asked at the same time. For
// one that fails or does not answer within the time, and for a journey or a city for which
// nothing was found, the last recommendations have an error and a message instead, and a
// risk says so; without any recommendation the output is nothing but that (S4-22). The
// others are in the order live, listed, model, then in that of the cities; their codes
// follow it. Listed costs are in the currency of their city: see InCurrency.
func (r *Researcher) Research(ctx context.Context, by identity.Caller, task Task, c trip.Context) Output {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.cfg.Within[task.Specialist], Within))
	defer cancel()
	b := brief{by: by, task: task, trip: c, now: r.cfg.Now()}
	listed := b.listed()
	if r.cfg.Flights == nil && task.Specialist == trip.Transport && len(b.journeys()) > 0 &&
		Allows(c, flightMode) {
		listed.assumptions = append(listed.assumptions, "No live flight prices are shown: no supplier is set up.")
	}
	if r.cfg.Stays == nil && task.Specialist == trip.Stay {
		listed.assumptions = append(listed.assumptions, "No live hotel prices are shown: no supplier is set up.")
	}
	return b.found(append([]answer{{brought: listed}}, r.ask(ctx, task.Specialist, r.sources(b, listed.list))...))
}

// brief is what the sources of a task are asked.
type brief struct {
	by   identity.Caller
	task Task
	trip trip.Context
	now  time.Time
}

// source is one of which something may be found.
type source struct {
	// name says what is missing when it fails: "live flight prices".
	name string
	ask  func(context.Context) (brought, error)
}

// brought is what a source brought.
type brought struct {
	list                          []Recommendation
	assumptions, risks, questions []string
}

// answer is what a source brought, or why it brought nothing.
type answer struct {
	source
	brought
	err error
}

// listed returns what the guide lists for a task.
func (b brief) listed() brought {
	switch b.task.Specialist {
	case trip.Transport:
		return b.listedTransport()
	case trip.Stay:
		return b.listedStays()
	case trip.Food:
		return b.listedFood()
	}
	return brought{}
}

// sources returns those of a task that are waited for.
func (r *Researcher) sources(b brief, listed []Recommendation) []source {
	var list []source
	switch b.task.Specialist {
	case trip.Transport:
		list = r.liveTransport(b)
	case trip.Stay:
		list = r.liveStays(b)
	case trip.Food: // no supplier sells meals
	}
	if f := formOf(b.task.Specialist); r.cfg.Model != nil && f != nil {
		list = append(list, source{"suggestions of the model", func(ctx context.Context) (brought, error) {
			return b.ask(ctx, r.cfg.Model, f, listed)
		}})
	}
	return list
}

// ask asks all sources at the same time. It returns when all have answered or the context
// ends: a source that does not heed the context is not waited for.
func (r *Researcher) ask(ctx context.Context, of trip.Specialist, sources []source) []answer {
	type numbered struct {
		n int
		answer
	}
	answers := make([]answer, len(sources))
	came := make(chan numbered, len(sources))
	for i, s := range sources {
		answers[i] = answer{source: s, err: context.DeadlineExceeded}
		go func() {
			a := answer{source: s}
			defer func() {
				if p := recover(); p != nil {
					a = answer{source: s, err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
				}
				came <- numbered{i, a}
			}()
			a.brought, a.err = s.ask(ctx)
		}()
	}
	for range sources {
		select {
		case a := <-came:
			answers[a.n] = a.answer
			continue
		case <-ctx.Done():
		}
		select {
		case a := <-came: // it came in time, and both were ready
			answers[a.n] = a.answer
		default:
		}
	}
	for _, a := range answers {
		if a.err != nil && r.cfg.Report != nil {
			r.cfg.Report(ctx, of, fmt.Errorf("%s: %w", a.name, a.err))
		}
	}
	return answers
}
