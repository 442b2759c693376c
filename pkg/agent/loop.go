package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// errLeft ends a run whose caller has stopped.
var errLeft = errors.New("the reader of the run has gone")

// loop is the state of one run. One goroutine owns it.
type loop struct {
	Run
	ctx      context.Context // of the run; only reports need it here
	yield    func(Event, error) bool
	left     bool
	messages []llm.Message
	out      Outcome
	reply    strings.Builder
	filter   *render.Filter
	forms    []part.Data // of the model's last text
	tables   []namedTable
	names    int // parts that have a name
	shown    int // bytes of parts
	told     int // parts that were said in words, or need not be
	calls    int
	spoke    bool // text was shown in this step
	offers   bool // the reply offers to go on
	short    bool // the prompt was shortened once
	done     []string
	did      []string // the tools of done
	texts    []string // what the model said, step by step
	seen     map[string]int
	tainted  bool     // untrusted text was read
	undone   []string // tools whose calls did not run because a write before them failed
	stopping sync.Mutex
	found    []string // what tools answered in this turn, without such words
	answered []Answered
	purposes []string // of the calls of a plan's step
	lookUps  []bool
	planned  []part.Data // of a plan's last step
	charts   []part.Data // of what was found in the results
}

type namedTable struct {
	ref    string
	table  render.Table
	placed bool
}

func newLoop(ctx context.Context, r Run, yield func(Event, error) bool) *loop {
	l := &loop{Run: r, ctx: ctx, yield: yield}
	l.out.Understanding = Understanding{Agent: r.Agent.Name, Label: r.Agent.Label, Path: PathModel, Category: Unified}
	l.messages = make([]llm.Message, 0, len(r.Messages)+8)
	if r.Plan != nil {
		l.out.Path = PathFast
	}
	l.messages = append(l.messages, llm.Message{Role: llm.System, Text: r.System})
	l.messages = append(l.messages, r.Messages...)
	return l
}

// send passes an event to the caller.
func (l *loop) send(e Event) error {
	if l.left {
		return errLeft
	}
	if !l.yield(e, nil) {
		l.left = true
		return errLeft
	}
	return nil
}

// say adds text that may be shown to the reply.
func (l *loop) say(text string) error {
	if text == "" {
		return nil
	}
	if !l.spoke && l.reply.Len() > 0 && !strings.HasSuffix(l.reply.String(), "\n") {
		text = "\n\n" + text
	}
	l.spoke = true
	l.reply.WriteString(text)
	return l.send(Text{text})
}

func (l *loop) runFrom(ctx context.Context, first int) error {
	for step := first; ; step++ {
		if l.order != nil && step > first {
			if err := l.send(stepped{}); err != nil {
				return err
			}
			l.order.reached(l.among, step)
		}
		if finish, stop := l.mustStop(ctx); stop {
			return l.endEarly(finish, nil)
		}
		answer, err := l.ask(ctx, step)
		if err != nil {
			if finish, cut := l.cut(ctx, err); cut {
				return l.endEarly(finish, nil)
			}
			return l.failed(err)
		}
		if len(answer.Calls) == 0 {
			return l.endWell(answer)
		}
		if step == l.Agent.Rounds {
			return l.endEarly(Rounds, answer.Calls)
		}
		if l.repeats(answer.Calls) {
			return l.endEarly(stuck, answer.Calls)
		}
		if ended, err := l.work(ctx, step, answer); ended || err != nil {
			return err
		}
		if err := l.enrich(); err != nil {
			return err
		}
	}
}

// cut reports whether a call failed because a limit was reached, not because of
// the model. Results up to then are kept, so that the user can continue from
// them.
func (l *loop) cut(ctx context.Context, err error) (Finish, bool) {
	f := fault.From(err)
	switch {
	case len(l.out.Steps) == 0 || errors.Is(err, errLeft):
		return "", false
	case f.Code == llm.Exhausted:
		return Budget, true
	case f.Code == llm.Restarting, f.Kind == fault.Timeout && l.late(ctx):
		return Deadline, true
	}
	return "", false
}

// late reports whether there is no time for another call. A context's deadline
// follows the real clock, not the injected one.
func (l *loop) late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < l.Reserve+leastForCall
}

// mustStop checks the deadline and the stop request between steps.
func (l *loop) mustStop(ctx context.Context) (Finish, bool) {
	if l.late(ctx) {
		return Deadline, true
	}
	if l.stopped(ctx) {
		return Stop, true
	}
	return "", false
}

// stopped reports whether the user asked to stop; concurrent reads call it,
// too.
func (l *loop) stopped(ctx context.Context) bool {
	l.stopping.Lock()
	defer l.stopping.Unlock()
	return l.Stopped != nil && l.Stopped(ctx)
}

// place gives a table to the filter, once.
func (l *loop) place(ref string) (string, bool) {
	for i := range l.tables {
		if l.tables[i].ref == ref && !l.tables[i].placed {
			l.tables[i].placed = true
			return l.fitting(l.tables[i].table), true
		}
	}
	return "", false
}

// fitting renders a table within the remaining size of the reply: a reply comes
// back with every later request and must stay well below the request limit.
func (l *loop) fitting(t render.Table) string {
	limit := max(maxReply-l.reply.Len(), maxReply/8)
	if l.Layout != nil {
		return l.Layout(t, limit)
	}
	return t.HTMLWithin(limit)
}

// present names the parts of a result, yields them, and returns the name of the
// table among them, "" for none. Parts travel back with later requests, so a
// turn that has shown enough shows only the tables in its reply.
func (l *loop) present(from string, r tool.Result) (ref string, err error) {
	r.Parts = slices.DeleteFunc(slices.Clone(r.Parts), func(p part.Part) bool {
		refused := l.Shows != nil && !l.Shows(p.Kind)
		if refused && l.Report != nil {
			l.Report(l.ctx, from, part.Unnamed(p.Kind))
		}
		return refused
	})
	parts := r.Named(l.nextName)
	if r.Table != nil {
		// Even a table that is no part by itself is placed in the reply.
		ref = l.tableName(parts)
		l.tables = append(l.tables, namedTable{ref: ref, table: *r.Table})
	}
	for _, p := range parts {
		if l.shown += len(p.Data) + len(p.Text); l.shown > maxParts {
			if !slices.Contains(l.out.Degraded, "parts_left_out") {
				l.out.Degraded = append(l.out.Degraded, "parts_left_out")
			}
			break
		}
		l.out.Parts = append(l.out.Parts, p)
		if err := l.send(Shown{p}); err != nil {
			return ref, err
		}
	}
	return ref, nil
}

// mark distinguishes names of this run from those of other runs of its turn.
func (l *loop) mark() string {
	if l.Name == "" {
		return ""
	}
	return "_" + l.Name + "_"
}

// callID returns the id of a call of this run.
func (l *loop) callID(step, ordinal int) string {
	return history.CallID(l.Position, step, ordinal) + strings.TrimRight(l.mark(), "_")
}

// nextName returns a name that no other part of the conversation has.
func (l *loop) nextName() string {
	name := fmt.Sprintf("t%d%s%c", l.Position+1, l.mark(), 'a'+rune(l.names%26))
	if n := l.names / 26; n > 0 {
		name += fmt.Sprint(n)
	}
	l.names++
	return name
}

func (l *loop) tableName(parts []part.Part) string {
	if len(parts) > 0 && parts[0].Kind == (part.Table{}).Kind() {
		return parts[0].ID
	}
	return l.nextName()
}

// placeRest appends the tables that the model did not place. A question stays
// one when they follow it.
func (l *loop) placeRest() error {
	l.offers = l.offers || asks(l.reply.String())
	for i := range l.tables {
		if l.tables[i].placed {
			continue
		}
		l.tables[i].placed = true
		l.spoke = false
		if err := l.say(l.fitting(l.tables[i].table)); err != nil {
			return err
		}
	}
	return l.tellRest()
}

// tellRest writes parts as text for clients that show only text. A part beside
// a table has the same figures.
func (l *loop) tellRest() error {
	if !l.TextOnly {
		return nil
	}
	for ; l.told < len(l.out.Parts); l.told++ {
		p := l.out.Parts[l.told]
		if p.Beside != "" || p.Offers() || p.Kind == (part.Table{}).Kind() {
			continue
		}
		l.spoke = false
		if err := l.say(render.Escape(p.Text)); err != nil {
			return err
		}
	}
	return nil
}

// endWell ends a turn with the model's last answer.
func (l *loop) endWell(answer llm.Answer) error {
	switch answer.Finish {
	case llm.Length:
		l.out.Degraded = append(l.out.Degraded, "answer_cut")
		if err := l.say(" … (the answer was too long and is cut here)"); err != nil {
			return err
		}
	case llm.Filtered:
		l.out.Degraded = append(l.out.Degraded, "answer_withheld")
		if err := l.say("The model's provider withheld the answer. Please ask in other words."); err != nil {
			return err
		}
	}
	if err := l.correctClaims(); err != nil {
		return err
	}
	if err := l.checkFacts(); err != nil {
		return err
	}
	if err := l.sayForms(); err != nil {
		return err
	}
	if p, ok := Offered(l.reply.String(), l.Shows, l.nextName); ok {
		l.out.Parts = append(l.out.Parts, p)
		if err := l.send(Shown{p}); err != nil {
			return err
		}
	}
	if err := l.showFound(); err != nil {
		return err
	}
	if err := l.placeRest(); err != nil {
		return err
	}
	if err := l.tellUndone(); err != nil {
		return err
	}
	if strings.TrimSpace(l.reply.String()) == "" {
		if !l.anySuccess() {
			return fault.New(fault.Upstream, "The assistant gave no answer. Please ask again.").
				WithCode("empty_answer")
		}
		if err := l.say("Done."); err != nil {
			return err
		}
	}
	return l.end(Stop)
}

// endEarly ends a turn that a limit stopped and says what was and was not done.
// pending are the calls that the model had requested.
func (l *loop) endEarly(finish Finish, pending []llm.Call) error {
	if err := l.placeRest(); err != nil {
		return err
	}
	if err := l.tellUndone(); err != nil {
		return err
	}
	var b strings.Builder
	switch finish {
	case Rounds:
		b.WriteString("I had to stop before this was finished: it took more steps than I may take at once.")
	case stuck:
		b.WriteString(
			"I had to stop before this was finished: the same step came up again and again and brought nothing new.",
		)
	case Deadline:
		b.WriteString("I had to stop before this was finished: the time for one answer is used up.")
	case Budget:
		b.WriteString("I had to stop before this was finished: your organisation's budget is used up.")
	default:
		b.WriteString("Stopped, as you asked.")
	}
	if len(l.done) > 0 {
		b.WriteString(" Done: " + render.Escape(strings.Join(l.done, " ")) + " Nothing else was changed.")
	} else {
		b.WriteString(" Nothing was changed.")
	}
	if names := titles(pending); names != "" {
		b.WriteString(" Not done: " + names + ".")
	}
	switch finish {
	case Stop, Budget:
	case stuck:
		finish = Rounds
		b.WriteString(" Ask me in other words, or for a smaller part.")
	default:
		b.WriteString(" Ask me to go on, or ask for a smaller part.")
	}
	l.spoke = false
	if err := l.say(b.String()); err != nil {
		return err
	}
	l.offers = finish == Rounds || finish == Deadline
	return l.end(finish)
}

// failed ends a turn whose model failed. Committed effects must be reported, so
// after an effect the failure is a degraded answer, not an error. A client that
// has disconnected gets no receipt: the turn, when it is sent again, continues
// after what was done.
func (l *loop) failed(err error) error {
	if len(l.done) == 0 || errors.Is(err, errLeft) || fault.Is(err, fault.Canceled) {
		return err
	}
	l.out.Degraded = append(l.out.Degraded, fault.From(err).PublicCode())
	l.spoke = false
	if err := l.say(
		render.Escape(strings.Join(l.done, " ") + " I could not finish the answer: " + fault.From(err).Message),
	); err != nil {
		return err
	}
	return l.end(Failed)
}

func (l *loop) end(finish Finish) error {
	l.out.Finish = finish
	l.out.Reply = l.reply.String()
	l.out.Asked = l.offers || asks(l.out.Reply)
	return l.send(Done{l.out})
}

// asks reports whether a text ends in a question.
func asks(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, " \n*_)"), "?")
}

func (l *loop) anySuccess() bool {
	for _, u := range l.out.Used {
		if u.OK {
			return true
		}
	}
	return false
}

// record keeps a step for the next prompt and for the seal.
func (l *loop) record(step int, answer llm.Answer, calls []llm.Call, results []string) {
	s := history.Step{Text: answer.Text, Calls: calls}
	l.messages = append(
		l.messages,
		llm.Message{Role: llm.Assistant, Text: answer.Text, Calls: calls, Opaque: answer.Opaque},
	)
	for i, text := range results {
		s.Results = append(s.Results, history.Result{CallID: calls[i].ID, Text: text})
		l.messages = append(l.messages, llm.Message{Role: llm.ToolRole, CallID: calls[i].ID, Text: text})
	}
	l.out.Steps = append(l.out.Steps, s)
}

// since returns how long it is since start by the injected clock.
func (l *loop) since(start time.Time) time.Duration { return l.Now().Sub(start) }
