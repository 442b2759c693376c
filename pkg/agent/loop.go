package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// errLeft ends a run whose reader has gone.
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
	tables   []namedTable
	calls    int
	spoke    bool // text was shown in this step
	offers   bool // the reply offers to go on
	short    bool // the prompt was shortened once
	done     []string
	did      []string // the tools of done
	texts    []string // what the model said, step by step
	seen     map[string]int
	tainted  bool     // words of strangers were read in this turn
	found    []string // what tools answered in this turn, without such words
}

type namedTable struct {
	ref    string
	table  render.Table
	placed bool
}

func newLoop(ctx context.Context, r Run, yield func(Event, error) bool) *loop {
	l := &loop{Run: r, ctx: ctx, yield: yield, tainted: r.Careful}
	l.messages = make([]llm.Message, 0, len(r.Messages)+8)
	l.messages = append(l.messages, llm.Message{Role: llm.System, Text: r.System})
	l.messages = append(l.messages, r.Messages...)
	return l
}

// send hands an event to the reader.
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
	}
}

// cut reports whether a call failed because a limit was reached, not because
// of the model. What was found out until then is worth keeping: the person may
// go on from there.
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
// is of the real clock, whatever the injected one says.
func (l *loop) late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < l.Reserve+leastForCall
}

// mustStop looks at the clock and the stop button between steps.
func (l *loop) mustStop(ctx context.Context) (Finish, bool) {
	if l.late(ctx) {
		return Deadline, true
	}
	if l.Stopped != nil && l.Stopped(ctx) {
		return Stop, true
	}
	return "", false
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

// fitting lays a table out in the room that the reply has left: a reply comes
// back with every later request and must stay well below what is accepted.
func (l *loop) fitting(t render.Table) string {
	limit := max(maxReply-l.reply.Len(), maxReply/8)
	if l.Lay != nil {
		return l.Lay(t, limit)
	}
	return t.HTMLWithin(limit)
}

// addTable names a table and shows it to the reader.
func (l *loop) addTable(t render.Table) (string, error) {
	ref := fmt.Sprintf("t%d%c", l.Place+1, 'a'+rune(len(l.tables)%26))
	if n := len(l.tables) / 26; n > 0 {
		ref += fmt.Sprint(n)
	}
	l.tables = append(l.tables, namedTable{ref: ref, table: t})
	return ref, l.send(Shown{Ref: ref, Table: t})
}

// placeRest appends the tables that the model did not place.
func (l *loop) placeRest() error {
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
	if err := l.placeRest(); err != nil {
		return err
	}
	if l.reply.Len() == 0 {
		if !l.anySuccess() {
			return fault.New(fault.Upstream, "The assistant gave no answer. Please ask again.").WithCode("empty_answer")
		}
		if err := l.say("Done."); err != nil {
			return err
		}
	}
	return l.end(Stop)
}

// endEarly ends a turn that a limit stopped and says what was and was not
// done. pending are the calls that the model still wanted.
func (l *loop) endEarly(finish Finish, pending []llm.Call) error {
	if err := l.placeRest(); err != nil {
		return err
	}
	var b strings.Builder
	switch finish {
	case Rounds:
		b.WriteString("I had to stop before this was finished: it took more steps than I may take at once.")
	case stuck:
		b.WriteString("I had to stop before this was finished: the same step came up again and again and brought nothing new.")
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

// failed ends a turn whose model failed. What was committed must reach the
// person, so after an effect the failure is a degraded answer, not an error.
// Whoever has gone reads no receipt: the turn, when it is sent again, goes on
// from what was done.
func (l *loop) failed(err error) error {
	if len(l.done) == 0 || errors.Is(err, errLeft) || fault.Is(err, fault.Canceled) {
		return err
	}
	l.out.Degraded = append(l.out.Degraded, fault.From(err).PublicCode())
	l.spoke = false
	if err := l.say(render.Escape(strings.Join(l.done, " ") + " I could not finish the answer: " + fault.From(err).Message)); err != nil {
		return err
	}
	return l.end(Failed)
}

func (l *loop) end(finish Finish) error {
	l.out.Finish = finish
	l.out.Reply = l.reply.String()
	l.out.Asked = l.offers || strings.HasSuffix(strings.TrimRight(l.out.Reply, " \n*_)"), "?")
	return l.send(Done{l.out})
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
	l.messages = append(l.messages, llm.Message{Role: llm.Assistant, Text: answer.Text, Calls: calls, Opaque: answer.Opaque})
	for i, text := range results {
		s.Results = append(s.Results, history.Result{CallID: calls[i].ID, Text: text})
		l.messages = append(l.messages, llm.Message{Role: llm.ToolRole, CallID: calls[i].ID, Text: text})
	}
	l.out.Steps = append(l.out.Steps, s)
}

// since returns how long it is since start by the injected clock.
func (l *loop) since(start time.Time) time.Duration { return l.Now().Sub(start) }
