package travel

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

// mode is what the rules keep of a conversation: what their last answer showed and asked.
type mode struct {
	Open *reading.Open `json:"open,omitempty"`
	// Agree is a message that asks to be remembered as soon as the person says yes.
	Agree string `json:"agree,omitempty"`
}

// ruled answers without a model: the message is read by rules, and the calls that follow
// from it run as those of a model do.
func (w *way) ruled(ctx context.Context, a *agent.Agent) events {
	return func(yield func(agent.Event, error) bool) {
		k, err := look(ctx, w.f.cfg, w.t.By, w.text)
		if err != nil && w.f.cfg.Report != nil {
			w.f.cfg.Report(ctx, "what is known of the person was read in part", err)
		}
		open, text := w.open(), w.text
		if m := w.mode(); m.Agree != "" && preferences.Assents(text) {
			text = m.Agree
		}
		r := reading.Read(text, reading.Context{Now: w.t.Now(), Zone: k.zone(), Home: k.preferences.Home, Open: open,
			Prefs: k.preferences})
		p := &rules{reading: r, keep: func(results []reading.Result) error {
			m := mode{Open: reading.After(open, &r, results)}
			if slices.ContainsFunc(results, notAgreed) {
				m.Agree = text
			}
			return w.t.SetMode(m)
		}}
		whole := *a
		whole.Rounds = maxSteps // which are bounded by the reading, not by what models may do
		run := w.routed(agent.PathFast, a, "understood by rules", w.t.Planned(ctx, &whole, p))
		flow.Finally(run, func(o *agent.Outcome) {
			o.Asked = o.Asked || len(r.Missing) > 0
			if o.Proposal != nil {
				// The turn ends with the question of the proposal, not with the plan.
				if err := p.keep(p.results); err != nil && w.f.cfg.Report != nil {
					w.f.cfg.Report(ctx, "what was shown was not kept", err)
				}
			}
		})(yield)
	}
}

// maxSteps is how many steps a reading may lead to.
const maxSteps = 6

// notAgreed reports whether a call was refused because the person did not agree to be
// remembered.
func notAgreed(r reading.Result) bool {
	return r.Err != nil && fault.From(r.Err).Code == preferences.NotAgreed
}

// mode returns what the rules kept.
func (w *way) mode() mode {
	var m mode
	if _, err := w.t.Mode(&m); err != nil {
		return mode{} // of another version
	}
	return m
}

// open returns what the last answers showed: what the rules kept, and the results of the
// turns since, which models or cards made.
func (w *way) open() *reading.Open {
	m := w.mode()
	entries := w.t.History.Entries
	since := 0
	for i, e := range entries {
		if e.State != nil && e.State.Path == string(agent.PathFast) {
			since = i + 1
		}
	}
	for _, e := range entries[since:] {
		if e.Role != llm.Assistant || e.State == nil {
			continue
		}
		if results := resultsOf(e.State.Steps); len(results) > 0 {
			m.Open = reading.After(m.Open, nil, results)
		}
	}
	return m.Open
}

// resultsOf returns the results of sealed steps that succeeded.
func resultsOf(steps []history.Step) []reading.Result {
	var out []reading.Result
	for _, s := range steps {
		for i, c := range s.Calls {
			if i >= len(s.Results) {
				break
			}
			var read struct {
				Said string          `json:"said"`
				Data json.RawMessage `json:"data"`
			}
			if err := json.Unmarshal([]byte(s.Results[i].Text), &read); err != nil || read.Data == nil {
				continue
			}
			out = append(out, reading.Result{Tool: c.Name, Arguments: json.RawMessage(c.Arguments), Data: read.Data,
				Text: read.Said})
		}
	}
	return out
}

// rules is the agent.Plan of a reading.
type rules struct {
	reading reading.Reading
	keep    func(results []reading.Result) error
	results []reading.Result
}

// Next returns the calls that follow on the results, or the answer.
func (p *rules) Next(_ context.Context, results []agent.Answered, _ func(string) error) (agent.Planned, error) {
	p.results = p.results[:0]
	for _, r := range results {
		p.results = append(p.results, reading.Result{Tool: r.Tool, Arguments: r.Arguments, Data: r.Data, Text: r.Text,
			Err: r.Err})
	}
	var out agent.Planned
	for _, c := range reading.Calls(p.reading, p.results) {
		out.Answer.Calls = append(out.Answer.Calls, llm.Call{Name: c.Tool, Arguments: string(c.Args)})
		out.Purposes = append(out.Purposes, c.Purpose)
	}
	if len(out.Answer.Calls) > 0 {
		return out, nil
	}
	if err := p.keep(p.results); err != nil {
		return out, err
	}
	out.Answer.Text, out.Parts = reading.Answer(p.reading, p.results)
	return out, nil
}
