package finance

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/enrich"
	"github.com/bellhop-ai/bellhop/pkg/finance/entry"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// mode is what the flow keeps for the next turn.
type mode struct {
	// Pending is a question whose plan lacks something that the person was asked for.
	Pending *pending `json:"pending,omitempty"`
	// Draft is an entry that is being made.
	Draft *entry.Draft `json:"draft,omitempty"`
	// Company is the id of the company that the person named, of several.
	Company string `json:"company,omitempty"`
	// Asking is what was asked before it was known of which company.
	Asking string `json:"asking,omitempty"`
}

type pending struct {
	Intent string            `json:"intent"`
	Text   string            `json:"text"`
	Of     string            `json:"of"`
	Given  map[string]string `json:"given,omitempty"`
	// Choices are values by what the person may say for them.
	Choices map[string]string `json:"choices,omitempty"`
}

// ofIntent is what is asked for where the person chooses between readings.
const ofIntent = "intent"

// offers reports whether what was said, in small letters, is one of the choices.
func (p pending) offers(said string) bool {
	for label, value := range p.Choices {
		if strings.ToLower(label) == said || strings.ToLower(value) == said {
			return true
		}
	}
	return false
}

// quick answers a clear question by the resolution flow of its intent, without a
// model; false for any other.
func (w way) quick(ctx context.Context, books *agent.Agent) (events, bool) {
	if !w.q.accepted || w.q.pointsBack() {
		return nil, false
	}
	plan, ok := w.f.flows.Plan(w.q.name, resolution.Context{Text: w.q.text, Today: w.q.today,
		Language: w.q.language})
	if !ok || !has(books, plan) {
		return nil, false
	}
	return w.resolve(ctx, books, plan, pending{Intent: w.q.name, Text: w.q.text}), true
}

// has reports whether the books have the tools of a plan.
func has(books *agent.Agent, plan resolution.Plan) bool {
	for _, s := range plan.Steps() {
		if _, ok := books.Tools.Find(s.Tool); !ok {
			return false
		}
	}
	return true
}

// continued goes on with a question that lacked something, if the message gives it.
func (w way) continued(ctx context.Context, books *agent.Agent) (events, bool) {
	if w.q.mode.Pending == nil {
		return nil, false
	}
	p := *w.q.mode.Pending
	said := strings.ToLower(strings.TrimSpace(strings.TrimRight(w.q.text, ".!?। ")))
	if w.q.last == nil || !w.q.last.Asked || !w.q.typed || w.q.accepted && !p.offers(said) {
		return nil, false
	}
	given := map[string]string{}
	for k, v := range p.Given {
		given[k] = v
	}
	for label, value := range p.Choices {
		if strings.ToLower(label) == said || strings.ToLower(value) == said {
			given[p.Of] = value
		}
	}
	if p.Of == ofIntent {
		// One of the readings that were offered, of what was said before.
		if p.Intent = given[ofIntent]; p.Intent == "" {
			return nil, false
		}
		delete(given, ofIntent)
	} else if given[p.Of] == "" {
		p.Text += " " + w.q.text
	}
	p.Given = given
	plan, ok := w.f.flows.Plan(p.Intent, resolution.Context{Text: p.Text, Today: w.q.today,
		Language: language.Of(p.Text), Given: given})
	if !ok || !has(books, plan) {
		return nil, false
	}
	w.q.language = language.Of(p.Text)
	w.q.name, w.q.found.Confidence = p.Intent, 1 // it was settled before
	return w.resolve(ctx, books, plan, p), true
}

// resolve runs a plan, having said what was matched.
func (w way) resolve(ctx context.Context, books *agent.Agent, plan resolution.Plan, p pending) events {
	var steps []agent.PipelineStep
	for _, s := range plan.Steps() {
		steps = append(steps, stepOf(s.Tool, s.Purpose))
	}
	why := fmt.Sprintf("matched without a model: %s (%.2f)", plan.Flow().Name, w.q.found.Confidence)
	r := &resolving{w: w, plan: plan, pending: p}
	return w.detected(flow.Finally(w.planned(ctx, books, r, steps, why, flow.Enriched(w.enriched)),
		func(o *agent.Outcome) {
			o.Model = r.model
			o.Degraded = append(o.Degraded, r.degraded...)
			o.Asked = o.Asked || r.asked
		}))
}

// resolving is an agent.Plan of a resolution flow. It is of one turn.
type resolving struct {
	w        way
	plan     resolution.Plan
	pending  pending
	lookUps  int
	model    string
	degraded []string
	asked    bool
}

// Next returns the next calls of the flow, or the answer.
func (r *resolving) Next(ctx context.Context, results []agent.Answered, show func(string) error) (agent.Planned,
	error) {
	calls, done, missing := r.plan.Next(known(results))
	switch {
	case missing != nil:
		return r.ask(*missing)
	case !done:
		p := agent.Planned{Step: len(results) + 1, Of: max(len(r.plan.Steps())+r.lookUps, len(results)+len(calls))}
		for _, c := range calls {
			if c.LookUp {
				r.lookUps++
				p.Of++
			}
			p.Answer.Calls = append(p.Answer.Calls, llm.Call{Name: c.Tool, Arguments: string(c.Arguments)})
			p.Purposes, p.LookUps = append(p.Purposes, c.Purpose), append(p.LookUps, c.LookUp)
		}
		return p, nil
	}
	if r.w.q.mode.Pending != nil {
		if err := r.w.t.SetMode(mode{Company: r.w.q.mode.Company}); err != nil {
			return agent.Planned{}, err
		}
	}
	shown := results[min(r.lookUps, len(results)):]
	if r.w.f.cfg.Worded {
		if p, ok := r.worded(ctx, shown, show); ok {
			return p, nil
		}
	}
	text := r.w.say(shown)
	if len(shown) == 1 {
		if line := mentioned(r.pending.Text, shown); line != "" {
			text = line + "\n\n" + text
		}
	}
	return agent.Planned{Answer: llm.Answer{Text: text}}, nil
}

// known are results as plans read them.
func known(results []agent.Answered) []resolution.Result {
	var out []resolution.Result
	for _, a := range results {
		out = append(out, resolution.Result{Tool: a.Tool, Arguments: a.Arguments, Answer: a.Data})
	}
	return out
}

// ask asks for what is missing, and keeps the question for the answer.
func (r *resolving) ask(m resolution.Missing) (agent.Planned, error) {
	p := r.pending
	p.Of, p.Choices = m.Of, map[string]string{}
	out := agent.Planned{Answer: llm.Answer{Text: m.Question}}
	choices := part.Choices{}
	for _, c := range m.Choices {
		p.Choices[c.Label] = c.Value
		if len(choices.Choices) < 8 {
			choices.Choices = append(choices.Choices, part.Choice{Label: c.Label, Words: c.Label})
		}
	}
	if len(choices.Choices) > 0 {
		out.Parts = append(out.Parts, choices)
	}
	r.asked = true
	return out, r.w.t.SetMode(mode{Pending: &p, Company: r.w.q.mode.Company})
}

// worded lets the cheap model word the figures; false where it can't, before it has
// said anything.
func (r *resolving) worded(ctx context.Context, results []agent.Answered, show func(string) error) (agent.Planned,
	bool) {
	w := r.w
	facts, err := w.t.Facts(ctx)
	if err != nil && facts == nil {
		return agent.Planned{}, false
	}
	system, err := w.f.fast.Fill(facts)
	if err != nil {
		return agent.Planned{}, false
	}
	m, err := w.t.Model(ctx, llm.Cheap)
	if err != nil {
		r.degraded = append(r.degraded, modelDown)
		return agent.Planned{}, false
	}
	said := false
	var figures strings.Builder
	figures.WriteString(w.q.text + "\n\nFigures:\n" + w.say(results) + "\n")
	for _, a := range results {
		data := a.Data
		if len(data) > maxWorded {
			data, _ = json.Marshal(string(data[:maxWorded]))
		}
		fmt.Fprintf(&figures, "\nResult of %s: %s\n", a.Tool, cmp.Or(string(data), "none"))
	}
	if prompt := enrich.Of(resultsOf(results), w.q.today).Prompt(); prompt != "" {
		figures.WriteString("\n" + prompt + "\n")
	}
	answer, err := m.Answer(ctx, llm.Request{Settings: w.f.wording, Choice: llm.None, Messages: []llm.Message{
		{Role: llm.System, Text: system}, {Role: llm.User, Text: figures.String()}}}, func(text string) error {
		said = true
		return show(text)
	})
	if err != nil || strings.TrimSpace(answer.Text) == "" {
		if !said {
			r.degraded = append(r.degraded, modelDown)
			return agent.Planned{}, false
		}
		answer.Text += " …"
	}
	r.model = answer.Model
	return agent.Planned{Answer: llm.Answer{Text: answer.Text}, Worded: true}, true
}

// maxWorded is how much of a result the wording model reads, in bytes.
const maxWorded = 8 << 10

// offline says that there is no model, and offers what can be looked up without one.
func (w way) offline(ctx context.Context, why *fault.Error) events {
	text := "The language model can't be reached at the moment. Clear questions about the books I answer without " +
		"it; perhaps you meant one of these?"
	switch w.q.language {
	case language.Hinglish:
		text = "Language model abhi uplabdh nahi hai. Saaf sawaalon ka jawab main uske bina bhi deta hoon; kya aap " +
			"inme se kuch poochh rahe the?"
	case language.Hindi:
		text = "भाषा मॉडल अभी उपलब्ध नहीं है। साफ़ सवालों का जवाब मैं उसके बिना भी देता हूँ; क्या आप इनमें से कुछ " +
			"पूछ रहे थे?"
	}
	return w.asking(text, w.nearest(ctx), why.PublicCode(), modelDown)
}

// unclear asks back what our code did not understand, where no model could.
func (w way) unclear(ctx context.Context) events {
	texts := [3]string{"I did not understand that surely enough to look it up. Did you mean one of these?",
		"Yeh main pakka nahi samjha. Kya aap inme se kuch poochh rahe hain?",
		"यह मैं पक्का नहीं समझा। क्या आप इनमें से कुछ पूछ रहे हैं?"}
	if w.q.found.Confidence < outside/2 || len(w.q.category.Keywords) == 0 && w.q.found.Confidence < outside {
		texts = [3]string{"I only look after the books of your company. I can tell you, for example:",
			"Main sirf aapki company ka hisaab dekhta hoon. Jaise yeh bata sakta hoon:",
			"मैं सिर्फ़ आपकी कंपनी का हिसाब देखता हूँ। जैसे यह बता सकता हूँ:"}
	}
	text := texts[0]
	switch w.q.language {
	case language.Hinglish:
		text = texts[1]
	case language.Hindi:
		text = texts[2]
	}
	return func(yield func(agent.Event, error) bool) {
		if w.routed(agent.PathDirect, unified, "no intent is clear enough", "asked", yield) {
			w.asking(text, w.nearest(ctx))(yield)
		}
	}
}

// outside is the confidence below which a message is about nothing that is known here.
const outside = 0.15

// nearest are the readings of the message that come nearest, to be pressed. What is
// pressed is answered for the message as it was.
func (w way) nearest(ctx context.Context) part.Choices {
	choices := part.Choices{}
	offered := pending{Text: w.q.text, Of: ofIntent, Choices: map[string]string{}}
	defer func() {
		if err := w.t.SetMode(mode{Pending: &offered, Company: w.q.mode.Company}); err != nil {
			w.f.report(ctx, "what was offered", err)
		}
	}()
	for _, c := range w.q.found.Best {
		if w.q.known == nil || c.Intent < 0 || w.q.found.Confidence < outside {
			continue
		}
		if f, ok := w.f.flows.Flow(w.q.known.Name(c.Intent)); ok && !f.Writes {
			choices.Choices = append(choices.Choices, part.Choice{Label: f.Name, Words: f.Name})
			offered.Choices[f.Name] = f.Intent
		}
	}
	for _, s := range w.t.Profile().Suggestions {
		if len(choices.Choices) < 3 {
			choices.Choices = append(choices.Choices, part.Choice{Label: s, Words: s})
		}
	}
	return choices
}
