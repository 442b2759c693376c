package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// notRun is the result of a call that stood beside a proposal.
const notRun = "Not run: the person is asked about another step first."

// job is one call of a step on its way.
type job struct {
	call     llm.Call
	prepared tool.Call
	err      error // it cannot run: unknown, malformed, over a limit
	result   tool.Result
	ran      bool
	took     time.Duration
}

// work runs the calls of a step: reads at the same time, effects one after
// another in the given order. It reports true when the turn ended with a
// question for consent.
func (l *loop) work(ctx context.Context, step int, answer llm.Answer) (ended bool, err error) {
	jobs := make([]job, len(answer.Calls))
	effects := false
	for i, c := range answer.Calls {
		jobs[i] = l.prepare(step, i, c)
		effects = effects || jobs[i].err == nil && jobs[i].prepared.Tool.Effect() != tool.Reads
	}
	if effects {
		if err := l.Journal.Save(ctx); err != nil {
			return false, err
		}
	}
	calls, results := make([]llm.Call, len(jobs)), make([]string, len(jobs))
	for i := range jobs {
		calls[i] = jobs[i].call
	}
	var asked *consent.Proposal
	for i := 0; i < len(jobs); {
		if asked != nil {
			results[i] = notRun
			i++
			continue
		}
		if n := reads(jobs[i:]); n > 0 {
			if err := l.read(ctx, step, jobs[i:i+n]); err != nil {
				return false, err
			}
			for range n {
				if results[i], err = l.report(&jobs[i]); err != nil {
					return false, err
				}
				i++
			}
			continue
		}
		if asked, results[i], err = l.act(ctx, step, i, &jobs[i]); err != nil {
			return false, err
		}
		i++
		if f := fault.From(jobs[i-1].err); f != nil && f.Code == "outcome_unknown" {
			// A model that is told of a failure tries again. Here that could
			// do the thing twice, so the turn ends and a person looks.
			for ; i < len(jobs); i++ {
				results[i] = notRun
			}
			l.record(step, answer, calls, results)
			return true, l.endUnknown(f)
		}
	}
	l.record(step, answer, calls, results)
	if asked == nil {
		return false, nil
	}
	return true, l.endAsking(*asked)
}

// reads counts the calls at the start of jobs that change nothing.
func reads(jobs []job) int {
	for i := range jobs {
		if jobs[i].err == nil && jobs[i].prepared.Tool.Effect() != tool.Reads {
			return i
		}
	}
	return len(jobs)
}

// prepare checks a call. What is wrong with it becomes its result, so that the
// model can mend it.
func (l *loop) prepare(step, ordinal int, c llm.Call) job {
	// The model's own id may be empty or stand twice; ours is neither.
	c.ID = history.CallID(l.Place, step, ordinal)
	j := job{call: c}
	l.calls++
	t, known := l.Agent.Tools.Find(c.Name)
	switch {
	case l.calls > maxCalls:
		j.err = fault.New(fault.Limited, "No more than %d tools may be called for one answer.", maxCalls)
	case !known:
		j.err = fault.New(fault.NotFound, "Unknown tool: %s", shortened(c.Name)).WithCode("unknown_tool")
	default:
		j.prepared, j.err = t.Prepare([]byte(c.Arguments))
	}
	if j.err == nil {
		j.call.Arguments = string(j.prepared.Arguments)
		return j
	}
	// What could not be read is not replayed either: a provider would refuse
	// it in the next prompt.
	if !json.Valid([]byte(c.Arguments)) {
		j.call.Arguments = "{}"
	}
	j.call.Name = validName(c.Name)
	return j
}

// read runs calls that change nothing at the same time.
func (l *loop) read(ctx context.Context, step int, jobs []job) error {
	for i := range jobs {
		if err := l.started(step, &jobs[i]); err != nil {
			return err
		}
	}
	var group errgroup.Group
	group.SetLimit(maxParallel)
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-l.Reserve))
		defer cancel()
	}
	for i := range jobs {
		if jobs[i].err != nil {
			continue
		}
		if len(jobs) == 1 {
			l.perform(ctx, &jobs[i])
			continue
		}
		group.Go(func() error {
			l.perform(ctx, &jobs[i])
			return nil
		})
	}
	return group.Wait()
}

func (l *loop) perform(ctx context.Context, j *job) {
	start := l.Now()
	j.result, j.err = j.prepared.Run(ctx, l.By)
	j.took = l.since(start)
	j.ran = true
}

// act runs one call that changes something, or stores it as a proposal.
func (l *loop) act(ctx context.Context, step, ordinal int, j *job) (*consent.Proposal, string, error) {
	if err := l.started(step, j); err != nil {
		return nil, "", err
	}
	t := j.prepared.Tool
	claim := effect.Claim{
		Key:      effect.Key(l.By.UserID, l.Journal.Turn(), step, ordinal),
		ArgsHash: j.prepared.Hash, Tool: t.Name(), Turn: l.Journal.Turn(), Assistant: l.Assistant,
	}
	why, err := l.whyAsk(ctx, t, claim)
	if err != nil {
		j.err = err
		text, err := l.report(j)
		return nil, text, err
	}
	if t.Effect().Asks() || why != "" {
		p, err := l.Desk.Propose(ctx, l.By, consent.Where{
			Assistant: l.Assistant, Agent: l.Agent.Name, Thread: l.Thread, Turn: l.Journal.Turn(), Why: why, Sources: l.sources,
		}, j.prepared)
		if err != nil {
			j.err = err
			text, err := l.report(j)
			return nil, text, err
		}
		l.out.Used = append(l.out.Used, Use{Tool: t.Name(), Description: title(t.Name()), OK: true, Asked: true})
		err = l.send(Finished{CallID: j.call.ID, Tool: t.Name(), OK: true, Message: "Waiting for your consent.", Asked: true})
		return &p, "Not run yet: the person was shown a preview and is asked for consent.", err
	}
	if finish, stop := l.mustStop(ctx); stop {
		j.err = fault.New(fault.Timeout, "There is no time left to do this now (%s).", finish)
		text, err := l.report(j)
		return nil, text, err
	}
	acting, done := detached(ctx)
	defer done()
	l.perform(effect.With(acting, claim), j)
	text, err := l.report(j)
	if err == nil && j.err == nil {
		err = l.committed(t, j.result)
	}
	return nil, text, err
}

// detached returns a context for an act that, once begun, is waited for even
// when the reader has gone or the time is over.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	left := effectTime
	if deadline, ok := ctx.Deadline(); ok {
		left = max(left, time.Until(deadline))
	}
	return context.WithTimeout(context.WithoutCancel(ctx), left)
}

func (l *loop) committed(t tool.Tool, r tool.Result) error {
	said := r.Text
	if said == "" {
		said = title(t.Name()) + ": done."
	}
	l.done, l.did = append(l.done, said), append(l.did, t.Name())
	return l.send(Committed{Tool: t.Name(), Text: said})
}

func (l *loop) started(step int, j *job) error {
	return l.send(Started{Step: step, CallID: j.call.ID, Tool: j.call.Name, Title: title(j.call.Name), Arguments: json.RawMessage(j.call.Arguments)})
}

// report tells the reader and the model how a call ended.
func (l *loop) report(j *job) (string, error) {
	use := Use{Tool: j.call.Name, Description: title(j.call.Name), OK: j.err == nil}
	use.Effect = j.ran && j.prepared.Tool.Effect() != tool.Reads
	done := Finished{CallID: j.call.ID, Tool: j.call.Name, OK: j.err == nil, Records: j.result.Records, Duration: j.took, Message: j.result.Text}
	var text string
	if j.err != nil {
		if l.Report != nil {
			l.Report(l.ctx, j.call.Name, j.err)
		}
		f := fault.From(j.err)
		use.Error, done.Message = f.Message, f.Message
		text = "Error: " + f.Message
		if f.Code == "unknown_tool" {
			text = f.Message
		}
	}
	l.out.Used = append(l.out.Used, use)
	if err := l.send(done); err != nil {
		return "", err
	}
	if j.err != nil {
		return text, nil
	}
	l.learn(j)
	ref := ""
	if j.result.Table != nil {
		var err error
		if ref, err = l.addTable(*j.result.Table); err != nil {
			return "", err
		}
	}
	return forModel(j.result, ref), nil
}

// endUnknown ends the turn after an act of which nobody knows whether it
// happened.
func (l *loop) endUnknown(f *fault.Error) error {
	if err := l.placeRest(); err != nil {
		return err
	}
	l.out.Degraded = append(l.out.Degraded, f.Code)
	l.spoke = false
	text := f.Message
	if len(l.done) > 0 {
		text = strings.Join(l.done, " ") + " " + text
	}
	if err := l.say(render.Escape(text)); err != nil {
		return err
	}
	return l.end(Failed)
}

// endAsking ends the turn with the preview and the question.
func (l *loop) endAsking(p consent.Proposal) error {
	if err := l.correctClaims(); err != nil {
		return err
	}
	if err := l.placeRest(); err != nil {
		return err
	}
	l.out.Proposal = &p
	// The question comes before its text, so that a page which shows it as a
	// card need not show the text at all.
	if err := l.send(Proposed{p}); err != nil {
		return err
	}
	l.spoke = false
	if err := l.say(p.Text()); err != nil {
		return err
	}
	return l.end(Confirm)
}

// forModel writes a result as the model reads it: what was said, the name of
// the table that people see, and the data, cut where it is long.
func forModel(r tool.Result, ref string) string {
	var b strings.Builder
	b.WriteByte('{')
	if ref != "" {
		fmt.Fprintf(&b, `"table":%q,`, ref)
	}
	if r.Text != "" {
		said, err := json.Marshal(r.Text)
		if err == nil {
			b.WriteString(`"said":` + string(said) + `,`)
		}
	}
	if len(r.Data) <= maxForModel {
		b.WriteString(`"data":` + string(r.Data) + "}")
		return b.String()
	}
	cut, err := json.Marshal(strings.ToValidUTF8(string(r.Data[:maxForModel]), ""))
	if err != nil {
		cut = []byte(`""`)
	}
	fmt.Fprintf(&b, `"note":"The data is cut after %d of %d bytes; the table shows all %d records.","beginning":%s}`, maxForModel, len(r.Data), r.Records, cut)
	return b.String()
}
