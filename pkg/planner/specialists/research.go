package specialists

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
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
	// Progress, if not nil, is told when a specialist begins and how it ends. It is called
	// from several goroutines.
	Progress func(Found)
	// Report, if not nil, is told why a source brought nothing, for the log.
	Report func(ctx context.Context, s trip.Specialist, err error)
}

// State is how far a specialist is.
type State string

// The states. Partly says that one of its sources failed, or that a part of the journey
// has no recommendation.
const (
	Started State = "started"
	Done    State = "done"
	Partly  State = "partly"
	Failed  State = "failed"
)

// Found is a task with what its specialist found. Output is empty while State is Started.
type Found struct {
	Task   Task
	Output Output
	State  State
	Took   time.Duration
}

// Researcher researches tasks. It keeps nothing between them and is safe for concurrent
// use.
type Researcher struct{ cfg Config }

// New returns a Researcher. It costs nothing: one for each turn is fine.
func New(cfg Config) *Researcher { return &Researcher{cfg} }

// All researches the tasks at the same time and returns what was found in the order of
// the tasks, whatever their timing. Listed and unverified costs are in one currency: see
// InCurrency.
func (r *Researcher) All(ctx context.Context, by identity.Caller, tasks []Task, c trip.Context) []Found {
	found := make([]Found, len(tasks))
	var working sync.WaitGroup
	for i, task := range tasks {
		working.Go(func() { found[i] = r.research(ctx, by, task, c) })
	}
	working.Wait()
	outputs := make([]Output, len(found))
	for i := range found {
		outputs[i] = found[i].Output
	}
	for i, o := range InCurrency(outputs, Currency(c, outputs)) {
		found[i].Output = o
	}
	return found
}

// Research researches one task and never fails: without any recommendation the output is
// the one of S4-22, which says so. Sources are asked at the same time; one that fails or
// does not answer within the time leaves what the others brought, and the output says
// what is missing. Recommendations are in the order live, listed, model, then in that of
// the cities; their codes follow it.
func (r *Researcher) Research(ctx context.Context, by identity.Caller, task Task, c trip.Context) Output {
	return r.research(ctx, by, task, c).Output
}

func (r *Researcher) research(ctx context.Context, by identity.Caller, task Task, c trip.Context) Found {
	began := r.cfg.Now()
	r.progress(Found{Task: task, State: Started})
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.cfg.Within[task.Specialist], Within))
	defer cancel()
	b := brief{by: by, task: task, trip: c, now: began}
	f := b.found(r.ask(ctx, task.Specialist, r.sources(b)))
	f.Took = r.cfg.Now().Sub(began)
	r.progress(f)
	return f
}

func (r *Researcher) progress(f Found) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(f)
	}
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

// sources returns those of a task. What the guide lists is the first: it is there at once.
func (r *Researcher) sources(b brief) []source {
	var list []source
	switch b.task.Specialist {
	case trip.Transport:
		list = append(b.listed(b.listedTransport), r.liveTransport(b)...)
	case trip.Stay:
		list = append(b.listed(b.listedStays), r.liveStays(b)...)
	case trip.Food:
		list = b.listed(b.listedFood)
	}
	if f := formOf(b.task.Specialist); r.cfg.Model != nil && f != nil {
		list = append(list, source{"suggestions of the model", func(ctx context.Context) (brought, error) {
			return b.ask(ctx, r.cfg.Model, f)
		}})
	}
	return list
}

func (b brief) listed(find func() brought) []source {
	return []source{{"listed prices", func(context.Context) (brought, error) { return find(), nil }}}
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

// agentOf returns what the specialist is called in its output.
func agentOf(s trip.Specialist) string {
	switch s {
	case trip.Transport:
		return "TransportAgent"
	case trip.Stay:
		return "StayAgent"
	case trip.Food:
		return "FoodAgent"
	}
	return ""
}

// label is the specialist's subject as people read it.
func label(s trip.Specialist) string {
	switch s {
	case trip.Stay:
		return "stays"
	case trip.Food:
		return "food"
	}
	return "transport"
}

// found merges what the sources brought.
func (b brief) found(answers []answer) Found {
	o := Output{TaskID: b.task.ID, Agent: agentOf(b.task.Specialist), Recommendations: []Recommendation{},
		QuestionsForUser: []string{}, Assumptions: []string{}, Risks: []string{}}
	state := Done
	var failures []error
	for _, a := range answers {
		if a.err != nil {
			failures = append(failures, a.err)
			state = Partly
			continue
		}
		o.Recommendations = append(o.Recommendations, a.list...)
		o.QuestionsForUser = append(o.QuestionsForUser, a.questions...)
		o.Assumptions = append(o.Assumptions, a.assumptions...)
		o.Risks = append(o.Risks, a.risks...)
	}
	if len(o.Recommendations) == 0 {
		return Found{Task: b.task, Output: b.nothing(failures), State: Failed}
	}
	for _, a := range answers {
		if a.err != nil {
			o.Risks = append(o.Risks, fmt.Sprintf("The %s are missing: %s", a.name, sentence(a.err)))
		}
	}
	o.Recommendations = b.ordered(o.Recommendations)
	if gaps := b.gaps(o.Recommendations); len(gaps) > 0 {
		o.Risks = append(o.Risks, gaps...)
		state = Partly
	}
	o.QuestionsForUser, o.Assumptions, o.Risks = once(o.QuestionsForUser), once(o.Assumptions), once(o.Risks)
	return Found{Task: b.task, Output: o, State: state}
}

// nothing is the output of research that brought nothing (S4-22).
func (b brief) nothing(failures []error) Output {
	what := label(b.task.Specialist)
	message := "None of the sources that are set up knows " + b.cities() + "."
	if len(failures) > 0 {
		message = sentence(failures[0])
	}
	return Output{TaskID: b.task.ID, Agent: agentOf(b.task.Specialist),
		Recommendations:  []Recommendation{{Error: "The research of " + what + " failed", Message: message}},
		QuestionsForUser: []string{},
		Assumptions:      []string{"The plans are incomplete: the research of " + what + " failed."},
		Risks:            []string{"You may have to look for " + what + " yourself."}}
}

// sentence returns what people may read of an error.
func sentence(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "No answer came in time."
	}
	text := clean(fault.From(err).Message, maxSentence)
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "…") {
		text += "."
	}
	return text
}

// once returns the texts without repetitions and empty ones, never nil.
func once(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// ordered merges, orders and numbers recommendations.
func (b brief) ordered(list []Recommendation) []Recommendation {
	rank := map[Source]int{Live: 0, Listed: 1, Model: 2}
	city := map[string]int{}
	for i, p := range b.trip.Destinations {
		if _, seen := city[p.Name]; !seen {
			city[p.Name] = i + 1
		}
	}
	end := len(b.trip.Destinations) + 1 // the way home
	slices.SortStableFunc(list, func(x, y Recommendation) int {
		return cmp.Or(cmp.Compare(rank[x.Source], rank[y.Source]),
			cmp.Compare(cmp.Or(city[x.City], end), cmp.Or(city[y.City], end)))
	})
	list = merged(list)
	letter := strings.ToUpper(string(b.task.Specialist)[:1])
	for i := range list {
		list[i].Code = fmt.Sprintf("%s%d", letter, i+1)
		if list[i].Cost != nil {
			list[i].EstimatedCost = list[i].Cost.String()
		}
	}
	return list
}

// gaps says in sentences which journeys and cities have no recommendation.
func (b brief) gaps(list []Recommendation) []string {
	has := func(city string, local bool) bool {
		return slices.ContainsFunc(list, func(r Recommendation) bool {
			return (city == "" || r.City == city) && (r.Mode == localMode) == local
		})
	}
	var gaps []string
	if b.task.Specialist == trip.Transport {
		back := slices.ContainsFunc(list, func(r Recommendation) bool { return r.Back })
		for _, j := range b.journeys() {
			if !has(j.to.Name, false) && !(j.home && back) {
				gaps = append(gaps, fmt.Sprintf("No way from %s to %s was found: its cost is missing.", j.from.Name,
					j.to.Name))
			}
		}
		return gaps
	}
	nights := Nights(b.trip)
	for i, p := range b.trip.Destinations {
		if has(p.Name, false) || b.task.Specialist == trip.Stay && i < len(nights) && nights[i] == 0 {
			continue
		}
		gaps = append(gaps, fmt.Sprintf("Nothing was found for %s in %s: its cost is missing.",
			label(b.task.Specialist), p.Name))
	}
	return gaps
}

// cities names the destinations: "Rome, Florence".
func (b brief) cities() string {
	names := make([]string, len(b.trip.Destinations))
	for i, p := range b.trip.Destinations {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// Nights returns how many nights are in each destination, evenly and the rest in the
// first ones; nil where the dates are not known. Live prices of stays and of flights
// between destinations are for these nights.
func Nights(c trip.Context) []int {
	if !c.Dates.Known() || len(c.Destinations) == 0 {
		return nil
	}
	total, n := max(c.Dates.Days()-1, 0), len(c.Destinations)
	nights := make([]int, n)
	for i := range nights {
		nights[i] = total / n
		if i < total%n {
			nights[i]++
		}
	}
	return nights
}

// Words says what was found: "5 found: 3 live, 2 listed".
func (o Output) Words() string {
	if o.Failed() {
		return "nothing found"
	}
	var parts []string
	total := 0
	for _, s := range []Source{Live, Listed, Model} {
		n := 0
		for _, r := range o.Recommendations {
			if r.Source == s && r.Error == "" {
				n++
			}
		}
		total += n
		if n > 0 && s == Model {
			parts = append(parts, fmt.Sprintf("%d not verified", n))
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return fmt.Sprintf("%d found: %s", total, strings.Join(parts, ", "))
}
