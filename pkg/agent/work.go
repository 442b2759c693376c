package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// notRun is the result of a call in the same step as a proposal.
const notRun = "Not run: the person is asked about another step first."

// notRunYet is the result of the call that became the question.
const notRunYet = "Not run yet: the person was shown a preview and is asked for consent."

// job is one call of a step in progress.
type job struct {
	ordinal  int // in its step
	call     llm.Call
	prepared tool.Call
	err      error // it cannot run: unknown, malformed, over a limit
	result   tool.Result
	ran      bool
	tries    int
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
	failed := false // a write of this step
	for i := 0; i < len(jobs); {
		if asked != nil {
			results[i] = notRun
			i++
			continue
		}
		if failed && l.writes(&jobs[i]) {
			if results[i], err = l.skip(step, &jobs[i]); err != nil {
				return false, err
			}
			i++
			continue
		}
		if n := l.reads(jobs[i:]); n > 0 {
			if err := l.read(ctx, step, jobs[i:i+n]); err != nil {
				return false, err
			}
			for range n {
				if results[i], err = l.report(&jobs[i]); err != nil {
					return false, err
				}
				failed = failed || l.writes(&jobs[i])
				i++
			}
			continue
		}
		if asked, results[i], err = l.act(ctx, step, i, &jobs[i]); err != nil {
			return false, err
		}
		i++
		failed = failed || jobs[i-1].err != nil
		if f := fault.From(jobs[i-1].err); f != nil && f.Code == "outcome_unknown" {
			// A model that sees a failure retries. Here that could repeat the
			// write, so the turn ends and the user decides.
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

// reads counts the calls at the start of jobs that change nothing, with those
// that cannot run; a write that cannot is the last of them.
func (l *loop) reads(jobs []job) int {
	for i := range jobs {
		switch {
		case jobs[i].err == nil && jobs[i].prepared.Tool.Effect() != tool.Reads:
			return i
		case jobs[i].err != nil && l.writes(&jobs[i]):
			return i + 1
		}
	}
	return len(jobs)
}

// prepare checks a call. An error becomes its result, so that the model can
// correct it.
func (l *loop) prepare(step, ordinal int, c llm.Call) job {
	// The model's own id may be empty or duplicate; ours is neither.
	c.ID = l.callID(step, ordinal)
	j := job{call: c, ordinal: ordinal}
	l.calls++
	t, known := l.Agent.Tools.Find(c.Name)
	switch {
	case l.calls > l.mostCalls():
		j.err = fault.New(fault.Limited, "No more than %d tools may be called for one answer.", MaxCalls)
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

// mostCalls is how many tools this run may call.
func (l *loop) mostCalls() int {
	if l.Calls == 0 {
		return MaxCalls
	}
	return max(0, l.Calls)
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
	l.attempts(ctx, j)
	j.took = l.since(start)
	j.ran = true
}

// act runs one call that changes something, or stores it as a proposal.
func (l *loop) act(ctx context.Context, step, ordinal int, j *job) (*consent.Proposal, string, error) {
	if err := l.started(step, j); err != nil {
		return nil, "", err
	}
	if err := l.awaitOrder(ctx, step); err != nil {
		j.err = err
		text, err := l.report(j)
		return nil, text, err
	}
	t := j.prepared.Tool
	claim := effect.Claim{
		Key:      effect.RunKey(l.By.UserID, l.Journal.Turn(), l.Name, step, ordinal),
		ArgsHash: j.prepared.Hash, Tool: t.Name(), Turn: l.Journal.Turn(), Assistant: l.Assistant,
	}
	why, err := l.whyAsk(ctx, t, claim)
	if err != nil {
		j.err = err
		text, err := l.report(j)
		return nil, text, err
	}
	if t.Effect().Asks() || why != "" {
		p, err := l.Consent.Propose(ctx, l.By, consent.Where{
			Assistant: l.Assistant, Agent: l.Agent.Name, Thread: l.Thread, Turn: l.Journal.Turn(), Why: why,
			Sources: l.origins(),
		}, j.prepared)
		if err != nil {
			j.err = err
			text, err := l.report(j)
			return nil, text, err
		}
		if l.order != nil {
			l.order.ask()
		}
		l.out.Used = append(l.out.Used, Use{Tool: t.Name(), Description: title(t.Name()), OK: true, Asked: true})
		err = l.send(Finished{CallID: j.call.ID, Tool: t.Name(), OK: true, Message: "Waiting for your consent.",
			Asked: true})
		return &p, notRunYet, err
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

// awaitOrder waits until earlier steps of other runs of the turn are over. Once
// one of them has asked for consent, nothing more is written in this turn.
func (l *loop) awaitOrder(ctx context.Context, step int) error {
	if l.order == nil {
		return nil
	}
	asked, err := l.order.wait(ctx, l.among, step)
	if err != nil {
		return fault.Wrap(fault.Timeout, err, "There was no time left to do this.")
	}
	if asked {
		l.out.Degraded = append(l.out.Degraded, ActNotRun)
		return fault.New(fault.Conflict, "%s", notRun)
	}
	return nil
}

// detached returns a context for a write that, once begun, is waited for even
// when the client has disconnected or the deadline has passed.
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
	l.redone(t.Name())
	return l.send(Committed{Tool: t.Name(), Text: said})
}

func (l *loop) started(step int, j *job) error {
	return l.send(Started{Step: step, CallID: j.call.ID, Tool: j.call.Name, Title: title(j.call.Name),
		Arguments: json.RawMessage(j.call.Arguments)})
}

// report tells the client and the model how a call ended.
func (l *loop) report(j *job) (string, error) {
	use := Use{Tool: j.call.Name, Description: title(j.call.Name), OK: j.err == nil, Purpose: l.purpose(j.ordinal)}
	l.keep(j)
	use.Effect = j.ran && j.prepared.Tool.Effect() != tool.Reads
	done := Finished{CallID: j.call.ID, Tool: j.call.Name, OK: j.err == nil, Records: j.result.Records,
		Duration: j.took, Attempts: j.tries, Message: j.result.Text}
	var text string
	if j.err != nil {
		if l.Report != nil {
			l.Report(l.ctx, j.call.Name, j.err)
		}
		f := fault.From(j.err)
		use.Error, done.Message = f.Message, f.Message
		text = "Error: " + f.Message
		if j.prepared.Tool.Spec().Retry.Most > 0 {
			text = "Error: " + j.finalError(f)
		}
		// A third-party tool's refusal may be text of its server.
		l.tainted = l.tainted || slices.Contains(j.prepared.Tool.Spec().Untrusted, "*")
		if f.Code == "unknown_tool" {
			text = f.Message
		}
	}
	l.out.Used = append(l.out.Used, use)
	if err := l.send(done); err != nil {
		return "", err
	}
	if q, asks := errors.AsType[*tool.Question](j.err); asks {
		if _, err := l.present(j.call.Name, tool.Result{Parts: q.Parts()}); err != nil {
			return "", err
		}
	}
	if j.err != nil {
		return text, nil
	}
	l.learn(j)
	if j.result.Refused != nil && l.Report != nil {
		l.Report(l.ctx, j.call.Name, j.result.Refused)
	}
	if j.ordinal < len(l.lookUps) && l.lookUps[j.ordinal] {
		return forModel(j.result, ""), nil
	}
	ref, err := l.present(j.call.Name, j.result)
	if err != nil {
		return "", err
	}
	return forModel(j.result, ref), nil
}

// endUnknown ends the turn after a write with an unknown outcome.
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
	if err := l.checkFacts(); err != nil {
		return err
	}
	if err := l.placeRest(); err != nil {
		return err
	}
	if err := l.tellUndone(); err != nil {
		return err
	}
	l.out.Proposal = &p
	if l.order != nil {
		return l.end(Confirm) // the question stands behind what all runs say
	}
	// The question comes before its text, so that a page which shows it as a
	// card can leave out the text.
	if err := l.send(Proposed{p}); err != nil {
		return err
	}
	l.spoke = false
	if err := l.say(p.Text()); err != nil {
		return err
	}
	return l.end(Confirm)
}

// forModel writes a result as the model reads it: the message, the name of the
// table that users see, and the data, cut where it is long, without invisible
// characters.
func forModel(r tool.Result, ref string) string {
	r.Text = plaintext.Clean(r.Text)
	if clean := plaintext.Clean(string(r.Data)); clean != string(r.Data) {
		r.Data = json.RawMessage(clean)
	}
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
	fmt.Fprintf(&b, `"note":"The data is cut after %d of %d bytes; the table shows all %d records.","beginning":%s}`,
		maxForModel, len(r.Data), r.Records, cut)
	return b.String()
}
