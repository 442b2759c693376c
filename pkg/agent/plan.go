package agent

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Plan decides the steps of a run in the place of a model. Everything else is as
// in a run with one: calls are checked, writes ask, results are shown and kept.
type Plan interface {
	// Next returns what comes after these results, which are those of all steps so
	// far: calls, or the text that ends the run. show shows text while it is made;
	// what was shown is a part of the answer's text. It is called again with the
	// same results when a turn is repeated.
	Next(ctx context.Context, results []Answered, show func(text string) error) (Planned, error)
}

// Planned is one step of a plan.
type Planned struct {
	Answer llm.Answer
	// Purposes says for people what each of the answer's calls is for.
	Purposes []string
	// LookUps says of each of the answer's calls whether it only finds what a name stands
	// for; its result is not shown. nil is none.
	LookUps []bool
	// Step and Of number a step with calls, from 1; 0 says nothing.
	Step, Of int
	// Worded says that a model wrote the text, so that what it states is checked
	// against the results. Any other text is the code's own.
	Worded bool
	// Parts are shown behind the text that ends the run.
	Parts []part.Data
}

// Answered is a call of a run and how it ended.
type Answered struct {
	Tool      string
	Arguments json.RawMessage
	Data      json.RawMessage // of a call that succeeded; see tool.Result
	Text      string
	Records   int
	Err       error
}

// Enriched is what code found in results besides what they say.
type Enriched struct {
	List []Enrichment
	// Prompt is what the model reads of it; "" for nothing.
	Prompt string
	Parts  []part.Data
}

// plan returns the next step of the run's plan as an answer of a model.
func (l *loop) plan(ctx context.Context) (llm.Answer, error) {
	said := false
	p, err := l.Plan.Next(ctx, l.answered, func(text string) error {
		said = true
		return l.show(text)
	})
	if err != nil {
		return llm.Answer{}, err
	}
	l.purposes, l.lookUps, l.planned = p.Purposes, p.LookUps, p.Parts
	if p.Step > 0 && len(p.Answer.Calls) > 0 {
		if err := l.send(Executing{Step: p.Step, Of: p.Of}); err != nil {
			return llm.Answer{}, err
		}
	}
	if p.Worded && p.Answer.Text != "" {
		l.texts = append(l.texts, p.Answer.Text)
	}
	if !said {
		err = l.show(p.Answer.Text)
	}
	return p.Answer, err
}

// origins returns what says where the arguments of a proposal come from; nil in a run
// with a plan, whose arguments code takes from the person's words and the records.
func (l *loop) origins() func() consent.Sources {
	if l.Plan != nil {
		return nil
	}
	return l.sources
}

// keep remembers how a call ended, for the plan and for what is found in results.
func (l *loop) keep(j *job) {
	if l.Plan == nil && l.Enrich == nil {
		return
	}
	l.answered = append(l.answered, Answered{Tool: j.call.Name, Arguments: json.RawMessage(j.call.Arguments),
		Data: j.result.Data, Text: j.result.Text, Records: j.result.Records, Err: j.err})
}

// purpose is what a call is for, in the words of its plan; "" without one.
func (l *loop) purpose(ordinal int) string {
	if ordinal < 0 || ordinal >= len(l.purposes) {
		return ""
	}
	return l.purposes[ordinal]
}

// enrich says what code finds in the results, once they are there.
func (l *loop) enrich() error {
	if l.Enrich == nil || len(l.answered) == 0 {
		return nil
	}
	found := l.Enrich(l.answered)
	if len(found.List) == 0 {
		return nil
	}
	l.out.Enrichments = found.List
	if err := l.send(Enriching{List: found.List}); err != nil {
		return err
	}
	if err := l.send(Enriching{List: found.List, Applied: true}); err != nil {
		return err
	}
	l.charts = found.Parts
	if found.Prompt != "" && l.Plan == nil {
		l.messages = append(l.messages, llm.Message{Role: llm.System, Text: found.Prompt})
	}
	return nil
}

// showFound shows the parts that no tool made: those of a plan's last step, the
// forms of the model's text, and of what was found in the results.
func (l *loop) showFound() error {
	found := l.charts
	if slices.ContainsFunc(l.out.Parts, func(p part.Part) bool { return p.Kind == (part.Chart{}).Kind() }) {
		found = nil // the results draw their figures themselves
	}
	for _, d := range slices.Concat(l.planned, l.forms, found) {
		p, err := part.New(d, "", nil)
		if err != nil {
			if l.Report != nil {
				l.Report(l.ctx, "a plan", err)
			}
			continue
		}
		if _, err := l.present("a plan", tool.Result{Parts: []part.Part{p}}); err != nil {
			return err
		}
	}
	l.planned, l.forms, l.charts = nil, nil, nil
	return nil
}
