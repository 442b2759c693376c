package agent

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Named is an event of one of several runs of a turn.
type Named struct {
	Run   string
	Event Event
}

// stepped says that a run has ended a step and begins the next.
type stepped struct{}

func (Named) event()   {}
func (stepped) event() {}

// Ended is how one of several runs ended. Error is for people, "" when it did not
// fail.
type Ended struct {
	Run    string `json:"run"`
	Agent  string `json:"agent"`
	Label  string `json:"label"`
	Finish Finish `json:"finish"`
	Error  string `json:"error,omitempty"`
}

// Codes that a turn of several runs reports as degraded.
const (
	RunFailed = "run_failed"  // a part of the answer is missing
	ActNotRun = "act_not_run" // another run asked the person first
)

// Parallel runs several agents at the same time, each under its own Name. Their
// events come as Named, ordered by step and then as the runs are given, whatever
// their timing; the last event is a Done with the outcome of all, whose
// Understanding is the caller's to fill.
//
// The remaining tool calls of the turn are divided equally among the runs.
// Writes run in the order of the events, one at a time, so timing does not
// decide which of them is proposed: the first one in that order that needs
// consent ends its run with the proposal, and no write of another run follows
// it. The reply names a run that failed; only when all runs fail is there an
// error.
func Parallel(ctx context.Context, runs []Run) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		parent := ctx
		var working sync.WaitGroup
		defer working.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		g := &merge{yield: yield, order: newOrder(len(runs))}
		shares := share(runs)
		for i, r := range runs {
			r.order, r.among, r.Calls = g.order, i, shares[i]
			m := &member{run: r, arrived: make(chan struct{}, 1)}
			g.members = append(g.members, m)
			working.Go(func() { m.work(ctx) })
		}
		if !g.events() {
			return
		}
		if err := parent.Err(); err != nil {
			yield(nil, fault.From(err))
			return
		}
		g.end()
	}
}

// share divides the calls that are left among the runs.
func share(runs []Run) []int {
	left := MaxCalls
	if len(runs) > 0 && runs[0].Calls != 0 {
		left = max(0, runs[0].Calls)
	}
	out := make([]int, len(runs))
	for i := range out {
		out[i] = left / len(runs)
		if i < left%len(runs) {
			out[i]++
		}
		if out[i] == 0 {
			out[i] = -1
		}
	}
	return out
}

// member is one active run. It buffers the run's events until they are due.
type member struct {
	run     Run
	outcome Outcome
	err     error

	mu      sync.Mutex
	waiting []Event
	closed  bool
	arrived chan struct{}
}

func (m *member) work(ctx context.Context) {
	defer m.put(nil)
	defer m.run.order.reached(m.run.among, over)
	defer func() {
		if p := recover(); p != nil {
			m.err = fault.Wrap(fault.Internal, fmt.Errorf("run %s: panic: %v\n%s", m.run.Name, p, debug.Stack()),
				"Something went wrong on our side.")
		}
	}()
	if m.run.Within > 0 {
		// The run itself keeps the reserve back from its deadline.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.run.Within+m.run.Reserve)
		defer cancel()
	}
	for e, err := range m.run.Events(ctx) {
		if err != nil {
			m.err = err
			return
		}
		if done, ok := e.(Done); ok {
			m.outcome = done.Outcome
			continue
		}
		m.put(e)
	}
}

// put adds an event; nil marks the end.
func (m *member) put(e Event) {
	m.mu.Lock()
	if e == nil {
		m.closed = true
	} else {
		m.waiting = append(m.waiting, e)
	}
	m.mu.Unlock()
	select {
	case m.arrived <- struct{}{}:
	default:
	}
}

// next waits for an event. It reports false at the end.
func (m *member) next() (Event, bool) {
	for {
		m.mu.Lock()
		if len(m.waiting) > 0 {
			e := m.waiting[0]
			m.waiting = m.waiting[1:]
			m.mu.Unlock()
			return e, true
		}
		closed := m.closed
		m.mu.Unlock()
		if closed {
			return nil, false
		}
		<-m.arrived
	}
}

// merge orders the events of several runs.
type merge struct {
	yield   func(Event, error) bool
	order   *order
	members []*member
	reply   strings.Builder
	spoke   string // the run whose text came last; "" sets the next text apart
}

// events yields what the runs do, step by step. It reports false when the
// caller has stopped.
func (g *merge) events() bool {
	open := slices.Clone(g.members)
	for len(open) > 0 {
		for i := 0; i < len(open); {
			ended, ok := g.step(open[i])
			if !ok {
				return false
			}
			if ended {
				open = slices.Delete(open, i, i+1)
				continue
			}
			i++
		}
	}
	return true
}

func (g *merge) step(m *member) (ended, ok bool) {
	for {
		e, more := m.next()
		if !more {
			return true, true
		}
		if _, next := e.(stepped); next {
			return false, true
		}
		if !g.send(m.run.Name, e) {
			return false, false
		}
	}
}

// send yields an event; texts of different runs are separated.
func (g *merge) send(run string, e Event) bool {
	if t, ok := e.(Text); ok {
		if run != g.spoke && g.reply.Len() > 0 {
			lead := "\n\n"
			if strings.HasSuffix(g.reply.String(), "\n") {
				lead = "\n"
			}
			t.Text = lead + strings.TrimLeft(t.Text, "\n")
		}
		g.spoke = run
		g.reply.WriteString(t.Text)
		e = t
	}
	return g.yield(Named{run, e}, nil)
}

// end says what is missing and what is asked, and yields the outcome of all.
func (g *merge) end() {
	out := Outcome{Finish: Stop}
	out.Path, out.Category = PathModel, Unified
	failed := 0
	for _, m := range g.members {
		if m.err != nil {
			failed++
		}
		out.add(m)
	}
	if failed == len(g.members) && failed > 0 {
		g.yield(nil, g.members[0].err)
		return
	}
	for _, m := range g.members {
		if m.err == nil {
			continue
		}
		text := render.Escape(m.run.Agent.Label + ": this part of the answer is missing. " + fault.From(m.err).Message)
		g.spoke = "" // what follows stands apart from the run's own text
		if !g.send(m.run.Name, Text{text}) {
			return
		}
	}
	for _, m := range g.members {
		if p := m.outcome.Proposal; p != nil {
			// The question comes last, since the user answers it.
			g.spoke = ""
			if !g.send(m.run.Name, Proposed{*p}) || !g.send(m.run.Name, Text{p.Text()}) {
				return
			}
			out.Finish = Confirm
		}
	}
	out.Reply = g.reply.String()
	out.Steps = g.steps()
	g.yield(Done{out}, nil)
}

// add merges the outcome of one run into the total.
func (o *Outcome) add(m *member) {
	from := m.outcome
	ended := Ended{Run: m.run.Name, Agent: m.run.Agent.Name, Label: m.run.Agent.Label, Finish: from.Finish}
	if m.err != nil {
		ended.Finish, ended.Error = Failed, fault.From(m.err).Message
		from.Degraded = append(from.Degraded, RunFailed)
	}
	if o.Finish == Stop && ended.Finish != "" {
		o.Finish = ended.Finish
	}
	o.Runs = append(o.Runs, ended)
	o.Used = append(o.Used, from.Used...)
	o.Parts = append(o.Parts, from.Parts...)
	o.Usage = o.Usage.Add(from.Usage)
	if o.Model == "" {
		o.Model = from.Model
	}
	if o.Proposal == nil {
		o.Proposal = from.Proposal
	}
	o.Asked = o.Asked || from.Asked
	for _, code := range from.Degraded {
		if !slices.Contains(o.Degraded, code) {
			o.Degraded = append(o.Degraded, code)
		}
	}
}
