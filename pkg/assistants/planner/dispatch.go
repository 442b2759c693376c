package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/modes"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/tools"
)

// plansOf is the options of a run.
type plansOf struct{ options.Set }

// dispatch gives the specialists their tasks, all at the same time, and makes the plans of
// what they bring (S4-7). The events of each specialist bear its name.
func (w *way) dispatch(ctx context.Context, a *agent.Agent, h heard) events {
	return func(yield func(agent.Event, error) bool) {
		tasks := specialists.Tasks(w.state.Context)
		steps := make([]agent.PipelineStep, len(tasks))
		for i, t := range tasks {
			steps[i] = agent.PipelineStep{Tool: string(t.Specialist), Description: t.Name, Purpose: t.Name}
		}
		if !yield(agent.Pipeline{Steps: steps}, nil) {
			return
		}
		r := &research{way: w, tasks: tasks}
		if !r.run(ctx, yield) {
			return
		}
		if err := context.Cause(ctx); err != nil {
			yield(nil, fault.From(err))
			return
		}
		if !yield(agent.Generating{Step: 1}, nil) {
			return
		}
		w.finalize(ctx, a, tasks, r.messages)(yield)
	}
}

// research is the specialists at work.
type research struct {
	way      *way
	tasks    []specialists.Task
	messages []plans.Message
}

// callID names the work of a task among the calls of the turn.
func callID(t specialists.Task) string { return "research-" + t.ID }

// run lets all specialists work at the same time. What they report goes to the reader as it
// comes; what they bring is kept in the order of their tasks. It reports false where the
// reader has gone.
func (r *research) run(ctx context.Context, yield func(agent.Event, error) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, researchIn)
	defer cancel()
	var model structured.Ask
	if !r.way.f.cfg.Unmodelled {
		model = r.way.ask
	}
	researcher := r.way.f.cfg.Research(model)
	r.messages = make([]plans.Message, len(r.tasks))
	done := make(chan int, len(r.tasks))
	var working sync.WaitGroup
	defer working.Wait()
	open := true
	for i, t := range r.tasks {
		arguments, err := json.Marshal(t)
		if err != nil {
			return yield(nil, fmt.Errorf("encode a task: %w", err))
		}
		open = open && yield(agent.Named{Run: string(t.Specialist), Event: agent.Started{Step: 1, CallID: callID(t),
			Tool: agentOf(t), Title: t.Name, Arguments: arguments}}, nil)
		if !open {
			cancel()
			return false
		}
		working.Go(func() {
			began := r.way.t.Now()
			output := researcher.Research(ctx, r.way.t.By, t, r.way.state.Context)
			r.messages[i] = plans.Message{Task: t, Output: output,
				Millis: int(r.way.t.Now().Sub(began).Milliseconds())}
			done <- i
		})
	}
	for range r.tasks {
		i := <-done
		m := r.messages[i]
		found := plans.Research([]plans.Message{m})[0]
		open = open && yield(agent.Named{Run: string(m.Task.Specialist), Event: agent.Finished{CallID: callID(m.Task),
			Tool: agentOf(m.Task), OK: found.State != "failed", Records: len(m.Output.Recommendations),
			Message: found.Text, Duration: time.Duration(m.Millis) * time.Millisecond, Attempts: 1}}, nil)
		if !open {
			cancel()
			return false
		}
	}
	return true
}

// agentOf is what the specialist of a task is called: "TransportAgent".
func agentOf(t specialists.Task) string {
	name := string(t.Specialist)
	return strings.ToUpper(name[:1]) + name[1:] + "Agent"
}

// finalize composes the options, gives them words, keeps them and shows what was kept.
func (w *way) finalize(ctx context.Context, a *agent.Agent, tasks []specialists.Task,
	messages []plans.Message) events {
	found := make([]specialists.Output, len(messages))
	for i, m := range messages {
		found[i] = m.Output
	}
	found = specialists.InCurrency(found, specialists.Currency(w.state.Context, found))
	for i := range messages {
		messages[i].Output = found[i] // in the currency of the plans, so that a swap adds up
	}
	set := options.Compose(w.state.Context, found, guide.Of, w.today)
	if !w.f.cfg.Unmodelled {
		set = options.Word(ctx, w.ask, w.state.Context, set)
	}
	set.Assumptions = append(slices.Clone(w.notes), set.Assumptions...)
	out := modes.Output{Mode: modes.Finalize, Tasks: tasks, Itineraries: &set,
		Summary: fmt.Sprintf("%d plans for you to choose from", len(set.Options)), Next: "You select one of the plans"}
	w.state.Mode = modes.Finalize
	p, err := w.record(ctx, out, &plansOf{set}, messages, "")
	if err != nil {
		return failed(err)
	}
	// What is shown is what is kept: an attempt before this one may have kept its own.
	kept, err := w.f.cfg.Plans.Run(ctx, w.t.By, p.Trip, p.Run)
	if err != nil {
		return failed(err)
	}
	if kept.Options != nil {
		set = *kept.Options
	}
	w.state.Trip, w.state.Run = p.Trip, p.Run
	w.state.show(set)
	card := options.View(options.Viewed{Trip: p.Trip, Run: p.Run, Context: w.state.Context, Set: set,
		Research: plans.Research(messages), Document: tools.Document(p.Trip)})
	return flow.Finally(w.tell(ctx, a, "planned by specialists", w.presents(set), card), func(o *agent.Outcome) {
		o.Asked = true
		for _, code := range set.Degraded {
			if !slices.Contains(o.Degraded, code) {
				o.Degraded = append(o.Degraded, code)
			}
		}
	})
}

// presents says in words what the plans are; the card has the rest.
func (w *way) presents(set options.Set) string {
	lines := make([]string, 0, len(set.Options)+4)
	switch len(set.Options) {
	case 1:
		lines = append(lines, "I could make only one plan:")
	default:
		lines = append(lines, fmt.Sprintf("Here are %s plans that differ:", number(len(set.Options))))
	}
	lines = append(lines, "")
	for n, o := range set.Options {
		lines = append(lines, fmt.Sprintf("%d. **%s**: %s", n+1, o.Title, o.EstimatedTotalCost))
	}
	lines = append(lines, "")
	if set.ComparisonNote != "" {
		lines = append(lines, set.ComparisonNote)
	}
	gaps := map[string]bool{}
	for _, o := range set.Options {
		for _, g := range o.Gaps {
			if !gaps[g] && len(gaps) < 3 {
				gaps[g] = true
				lines = append(lines, g)
			}
		}
	}
	return strings.Join(append(lines, "Which one do you take, or what should be different?"), "\n")
}

func number(n int) string {
	switch n {
	case 2:
		return "two"
	case 3:
		return "three"
	}
	return fmt.Sprint(n)
}
