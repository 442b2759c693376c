package finance

import (
	"context"
	"maps"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/finance/entry"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// drafted goes on with an entry that is being made without a model, or begins one where
// there is no model; false for anything else. Its last step proposes the entry: the
// system shows it and asks for consent.
func (w way) drafted(ctx context.Context, books *agent.Agent, noModel bool) (events, bool) {
	if !w.q.typed || w.q.unsealed || !w.t.By.Role.Writes() {
		return nil, false
	}
	// What was asked is answered, or what was shown is corrected.
	kept := w.q.mode.Draft
	goesOn := kept != nil && w.q.last != nil && (w.q.last.Asked && (!w.q.accepted || w.q.name == kept.Intent) ||
		w.q.last.Proposal != "" && !w.q.found.Accepted)
	if goesOn {
		d, ok := kept.Add(entry.Context{Text: w.q.text, Today: w.q.today, Language: w.q.language})
		if ok {
			return w.entering(ctx, books, d, "an entry goes on")
		}
	}
	if !noModel {
		return nil, false
	}
	d, ok := w.begun()
	if !ok {
		return nil, false
	}
	return w.entering(ctx, books, d, "an entry begins")
}

// begun returns the entry that the message clearly begins; false for any other.
func (w way) begun() (entry.Draft, bool) {
	f, ok := w.f.flows.Flow(w.q.name)
	if !ok || !f.Writes || !w.q.accepted || w.q.pointsBack() || !w.t.By.Role.Writes() {
		return entry.Draft{}, false
	}
	return entry.Begin(w.q.name, entry.Context{Text: w.q.text, Today: w.q.today, Language: w.q.language})
}

func (w way) entering(ctx context.Context, books *agent.Agent, d entry.Draft, why string) (events, bool) {
	if _, ok := books.Tools.Find(d.Tool); !ok {
		return nil, false
	}
	if w.q.name != d.Intent {
		w.q.name, w.q.found.Confidence = d.Intent, 1 // it was settled before
	}
	r := &entering{w: w, books: books, draft: d}
	steps := []agent.PipelineStep{stepOf(d.Tool, "the entry, shown before it is made")}
	return w.detected(flow.Finally(w.planned(ctx, books, r, steps, why), func(o *agent.Outcome) {
		o.Asked = o.Asked || r.asked
	})), true
}

// entering is an agent.Plan of an entry in the making. It is of one turn.
type entering struct {
	w     way
	books *agent.Agent
	draft entry.Draft
	asked bool
}

// Next returns the next look-ups, a question, or the call that writes.
func (r *entering) Next(_ context.Context, results []agent.Answered, _ func(string) error) (agent.Planned, error) {
	for i, a := range results {
		if t, ok := r.books.Tools.Find(a.Tool); ok && t.Effect() != tool.Reads { // it did not become a proposal
			return agent.Planned{Answer: llm.Answer{Text: r.w.say(results[i : i+1])}}, r.keep(nil)
		}
	}
	step := r.draft.Next(known(results))
	switch {
	case len(step.Calls) > 0:
		p := agent.Planned{Step: len(results) + 1, Of: len(results) + len(step.Calls) + 1}
		for _, c := range step.Calls {
			p.Answer.Calls = append(p.Answer.Calls, llm.Call{Name: c.Tool, Arguments: string(c.Arguments)})
			p.Purposes, p.LookUps = append(p.Purposes, c.Purpose), append(p.LookUps, true)
		}
		return p, nil
	case step.Ask != nil:
		r.asked = true
		out := agent.Planned{Answer: llm.Answer{Text: step.Ask.Question}}
		if form, ok := formOf(step); ok {
			out.Parts = append(out.Parts, form)
		}
		choices := part.Choices{}
		for _, c := range step.Ask.Choices[:min(len(step.Ask.Choices), 8)] {
			choices.Choices = append(choices.Choices, part.Choice{Label: c.Label, Words: c.Label})
		}
		if len(choices.Choices) > 0 {
			out.Parts = append(out.Parts, choices)
		}
		return out, r.keep(&step.Draft)
	case step.Ready != nil:
		return agent.Planned{Step: len(results) + 1, Of: len(results) + 1, Purposes: []string{step.Ready.Purpose},
				Answer: llm.Answer{Calls: []llm.Call{{Name: step.Ready.Tool,
					Arguments: string(step.Ready.Arguments)}}}},
			r.keep(&step.Draft)
	}
	return agent.Planned{Answer: llm.Answer{Text: step.Say}}, r.keep(nil)
}

// keep keeps the draft for the answer to what was asked; nil ends it.
func (r *entering) keep(d *entry.Draft) error {
	return r.w.t.SetMode(mode{Company: r.w.q.mode.Company, Draft: d})
}

// formOf shows what is settled and what is still to be said; false where nothing is
// settled yet.
func formOf(step entry.Step) (part.Params, bool) {
	form := part.Params{Title: titled(step.Draft.Tool)}
	for _, label := range slices.Sorted(maps.Keys(step.Applied)) {
		form.Applied = append(form.Applied, part.Applied{Name: label, Label: label, Value: step.Applied[label]})
	}
	for _, label := range slices.Sorted(maps.Keys(step.Pending)) {
		form.Pending = append(form.Pending, part.Pending{Name: label, Label: label, Hint: step.Pending[label]})
	}
	return form, len(form.Applied) > 0
}
