package agent

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Approved runs a turn that begins with a person's consent: the stored call is
// executed in code and the receipt is shown. The model is asked to continue
// only where the agent had requested more calls in the same step (goOn). t is
// the proposal's tool.
//
// When the call fails, the reason is the reply; the model is not asked to
// retry, since the user did not consent to another attempt. Where the preview
// no longer holds, the turn ends with a new proposal.
func (r Run) Approved(ctx context.Context, p consent.Proposal, t tool.Tool, goOn bool) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		l := newLoop(ctx, r, yield)
		if err := l.approved(ctx, p, t, goOn); err != nil && !l.left {
			yield(nil, err)
		}
	}
}

func (l *loop) approved(ctx context.Context, p consent.Proposal, t tool.Tool, goOn bool) error {
	j := job{call: llm.Call{ID: history.CallID(l.Position, 0, 0), Name: p.Tool, Arguments: string(p.Arguments)}}
	if _, stop := l.mustStop(ctx); stop {
		if err := l.say("There was no time left to do this. Nothing was changed; please approve again."); err != nil {
			return err
		}
		return l.end(Deadline)
	}
	if err := l.started(0, &j); err != nil {
		return err
	}
	start := l.Now()
	j.prepared.Tool = t
	// The user approved, so the call completes even when the client
	// disconnects.
	acting, done := detached(ctx)
	defer done()
	j.result, j.err = l.Consent.Execute(acting, l.By, p, t)
	j.took, j.ran = l.since(start), true
	text, err := l.report(&j)
	if err != nil {
		return err
	}
	if j.err != nil {
		f := fault.From(j.err)
		if f.Code == "outcome_unknown" {
			l.record(0, llm.Answer{}, []llm.Call{j.call}, []string{text})
			return l.endUnknown(f)
		}
		if f.Kind == fault.Unavailable || f.Kind == fault.Timeout || f.Kind == fault.Internal {
			return j.err
		}
		l.record(0, llm.Answer{}, []llm.Call{j.call}, []string{text})
		if err := l.say(render.Escape(f.Message)); err != nil {
			return err
		}
		if changed, ok := errors.AsType[*consent.Changed](j.err); ok {
			return l.endAsking(changed.Proposal)
		}
		return l.end(Stop)
	}
	if err := l.committed(t, j.result); err != nil {
		return err
	}
	if err := l.say("✓ " + render.Escape(l.done[0])); err != nil {
		return err
	}
	if err := l.placeRest(); err != nil {
		return err
	}
	receipt, err := json.Marshal(map[string]any{"done": true, "shown_to_the_person": l.done[0]})
	if err != nil {
		return err
	}
	l.record(0, llm.Answer{}, []llm.Call{j.call}, []string{string(receipt)})
	if goOn {
		return l.runFrom(ctx, 1)
	}
	return l.end(Stop)
}

// AskedCall returns the id of the call that became the question with which a turn
// ended; "" where there is none.
func AskedCall(s *history.State) string {
	for _, step := range slices.Backward(s.Steps) { // a message that goes on may have asked before
		for i, r := range step.Results {
			if r.Text == notRunYet && i < len(step.Calls) {
				return step.Calls[i].ID
			}
		}
	}
	return ""
}

// Unfinished reports whether the turn that made a proposal wanted more than
// the proposed act.
func Unfinished(s *history.State) bool {
	if s == nil || len(s.Steps) == 0 {
		return false
	}
	last := s.Steps[len(s.Steps)-1]
	return slices.ContainsFunc(last.Results, func(r history.Result) bool { return r.Text == notRun })
}
