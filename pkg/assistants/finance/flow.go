package finance

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/bankfile"
	"github.com/bellhop-ai/bellhop/pkg/finance/classify"
	"github.com/bellhop-ai/bellhop/pkg/finance/enrich"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// realtime is the pipeline that gives every question to the model, with all tools
// (S2-7, S2-8). The other one, "api", is the assistant's own.
const realtime = "realtime"

// answers is the flow of the assistant.
type answers struct {
	cfg     Config
	flows   *resolution.Flows
	fast    *prompt.Template
	wording llm.Settings
}

func (f *answers) report(ctx context.Context, what string, err error) {
	if f.cfg.Report != nil {
		f.cfg.Report(ctx, what, err)
	}
}

// Answer answers one turn.
func (f *answers) Answer(ctx context.Context, t *flow.Turn) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		q, err := f.read(ctx, t)
		if err != nil {
			yield(nil, err)
			return
		}
		ask, err := f.company(ctx, t, &q)
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(agent.Routing{Agents: len(t.Agents()), Intents: len(f.flows.Intents()), Tools: t.Tools()}, nil) {
			return
		}
		w := way{f: f, t: t, q: q}
		if len(ask) > 0 {
			w.whichCompany(ask)(yield)
			return
		}
		w.choose(ctx)(yield)
	}
}

// way is one turn on its way to an answer.
type way struct {
	f *answers
	t *flow.Turn
	q question
}

type events = iter.Seq2[agent.Event, error]

// choose returns the events of the answer, in the order of the source: what was kept,
// then what needs no model, then the model (S2-9 to S2-11).
func (w way) choose(ctx context.Context) events {
	books, there := w.t.Agent(unified)
	if w.t.Choice.Pipeline == realtime {
		if !there || !w.connected(books) {
			return w.talk(ctx)
		}
		all := w.detected(w.ask(ctx, books, classify.All(offered(books)), llm.Capable))
		return flow.OrElse(all, func(f *fault.Error) events { return w.withoutModel(ctx, books, f) })
	}
	if !there {
		return w.talk(ctx)
	}
	if answer, ok := w.continued(ctx, books); ok {
		return answer
	}
	if answer, ok := w.drafted(ctx, books, false); ok {
		return answer
	}
	if call, purpose, ok := w.again(books); ok {
		return w.planned(ctx, books, once{w, call, purpose}, []agent.PipelineStep{stepOf(call.Name, purpose)},
			"a follow-up", flow.Enriched(w.enriched))
	}
	if answer, ok := w.drafted(ctx, books, w.f.cfg.Unmodelled); ok {
		return answer
	}
	if w.q.category.Kind == classify.GeneralChat && !w.q.accepted && w.t.Choice.Agent != unified {
		return w.talk(ctx)
	}
	if !w.connected(books) {
		return w.unconnected(ctx)
	}
	entry, asked := w.kept(ctx, books)
	if entry != nil {
		if answer, ok := w.repeat(entry); ok {
			return answer
		}
	}
	if answer, ok := w.quick(ctx, books); ok {
		return w.keeping(ctx, asked, books, w.f.cfg.Worded, answer)
	}
	if w.f.cfg.Unmodelled && w.q.typed {
		return w.detected(w.unclear(ctx))
	}
	selected := classify.Choose(w.q.text, w.q.previous(books), offered(books))
	answer := w.detected(w.ask(ctx, books, selected, classify.Tier(w.q.text)))
	return w.keeping(ctx, asked, books, true,
		flow.OrElse(answer, func(f *fault.Error) events { return w.withoutModel(ctx, books, f) }))
}

// withoutModel answers a question that was for the model, where there is none: by its
// resolution flow, or by what can be looked up. The events that say how the turn is
// answered were sent.
func (w way) withoutModel(ctx context.Context, books *agent.Agent, f *fault.Error) events {
	if draft, ok := w.begun(); ok {
		r := &entering{w: w, books: books, draft: draft}
		return flow.Finally(w.t.Planned(ctx, books, r), func(o *agent.Outcome) {
			o.Asked, o.Degraded = o.Asked || r.asked, append(o.Degraded, modelDown)
		})
	}
	if !w.q.accepted || w.q.pointsBack() {
		return w.offline(ctx, f)
	}
	plan, ok := w.f.flows.Plan(w.q.name, resolution.Context{Text: w.q.text, Today: w.q.today,
		Language: w.q.language})
	if !ok || !has(books, plan) {
		return w.offline(ctx, f)
	}
	r := &resolving{w: w, plan: plan, pending: pending{Intent: w.q.name, Text: w.q.text}}
	return flow.Finally(w.t.Planned(ctx, books, r, flow.Enriched(w.enriched)), func(o *agent.Outcome) {
		o.Degraded = append(o.Degraded, modelDown)
	})
}

// planned runs a plan of calls, without a model.
func (w way) planned(ctx context.Context, books *agent.Agent, plan agent.Plan, steps []agent.PipelineStep, why string,
	options ...flow.RunOption) events {
	return func(yield func(agent.Event, error) bool) {
		if !w.routed(agent.PathFast, unified, why, "planned", yield) {
			return
		}
		var categories []string
		for _, s := range steps {
			if t, ok := books.Tools.Find(s.Tool); ok && !slices.Contains(categories, t.Spec().Category) {
				categories = append(categories, t.Spec().Category)
			}
		}
		if !yield(agent.Filtered{Categories: categories, Tools: len(steps), Of: w.t.Tools()}, nil) ||
			!yield(agent.Pipeline{Steps: steps}, nil) {
			return
		}
		run := w.t.Planned(ctx, books, plan, options...)
		flow.Finally(run, func(o *agent.Outcome) { o.Reasoning = why })(yield)
	}
}

func stepOf(name, purpose string) agent.PipelineStep {
	return agent.PipelineStep{Tool: name, Description: titled(name), Purpose: purpose}
}

// connected reports whether there are tools of books.
func (w way) connected(books *agent.Agent) bool {
	return slices.ContainsFunc(books.Tools.All(), func(t tool.Tool) bool { return t.Spec().Foreign != "" })
}

// offered are the tools as the classifier knows them.
func offered(books *agent.Agent) []classify.Tool {
	var out []classify.Tool
	for _, t := range books.Tools.All() {
		if t.Spec().Foreign != "" {
			out = append(out, classify.Tool{Name: t.Name(), Category: t.Spec().Category,
				Description: t.Spec().Description})
		}
	}
	return out
}

// detected says what was matched before the events of an answer by a model.
func (w way) detected(answer events) events {
	return func(yield func(agent.Event, error) bool) {
		if w.q.known != nil {
			if !yield(agent.Detecting{Intents: len(w.f.flows.Intents())}, nil) {
				return
			}
			if i := w.q.intent(w.f); i != nil && !yield(agent.Detected{Intent: *i}, nil) {
				return
			}
			if !yield(agent.Extracted{Entities: w.q.named()}, nil) {
				return
			}
		}
		flow.Finally(answer, func(o *agent.Outcome) {
			o.Entities = w.q.named()
			o.Intent = w.q.intent(w.f)
			o.Guess = w.guess(o.Path)
		})(yield)
	}
}

// guess returns what may be learnt of the turn; nil where the message can't be
// understood alone, or untrusted text stood before it.
func (w way) guess(path agent.Path) *agent.Guess {
	if w.q.known == nil || !w.q.typed || w.q.unsealed || w.q.text != w.t.History.LastUserText() ||
		w.q.last != nil && w.q.last.Asked || w.q.pointsBack() || w.t.Untrusted() {
		return nil
	}
	how := router.Model
	if path == agent.PathFast {
		how = router.Matched
	}
	g := router.GuessOf(w.q.known, w.q.text, w.q.found)
	return &agent.Guess{How: string(how), Intent: g.Intent, Own: g.Own, Reason: string(g.Reason),
		Confidence: g.Confidence, Usual: g.Usual}
}

// ask lets a model answer with some of the tools.
func (w way) ask(ctx context.Context, books *agent.Agent, s classify.Selection, tier llm.Tier) events {
	return func(yield func(agent.Event, error) bool) {
		a, err := w.with(books, s, tier)
		if err != nil {
			yield(nil, err)
			return
		}
		why := fmt.Sprintf("%s: %s", s.Strategy, strings.Join(s.Categories, ", "))
		if !w.routed(agent.PathModel, unified, why, string(s.Strategy), yield) {
			return
		}
		if !yield(agent.Filtered{Categories: s.Categories, Tools: a.Tools.Len(), Of: w.t.Tools()}, nil) {
			return
		}
		run := w.t.Run(ctx, a, flow.On(tier), flow.Enriched(w.enriched))
		flow.Finally(run, func(o *agent.Outcome) { o.Reasoning = why })(yield)
	}
}

// with returns the agent with the selected tools of the books, and all of ours.
func (w way) with(books *agent.Agent, s classify.Selection, tier llm.Tier) (*agent.Agent, error) {
	var kept []tool.Tool
	_, whole := books.Tools.Find(bankfile.Name)
	for _, t := range books.Tools.All() {
		if whole && !w.q.typed && t.Name() == bankfile.Importing {
			continue // a file that was attached is read whole by our own tool
		}
		if t.Spec().Foreign == "" || slices.Contains(s.Names, t.Name()) {
			kept = append(kept, t)
		}
	}
	fewer := *books
	if len(kept) < books.Tools.Len() {
		set, err := tool.NewSet(kept...)
		if err != nil {
			return nil, err
		}
		fewer.Tools = set
	}
	if tier == llm.Cheap {
		fewer.Settings.MaxTokens = fastTokens
	}
	return &fewer, nil
}

// enriched is what code finds in the results of a run.
func (w way) enriched(results []agent.Answered) agent.Enriched {
	found := enrich.Of(resultsOf(results), w.q.today)
	out := agent.Enriched{Prompt: found.Prompt(), Parts: found.Parts()}
	for _, e := range found.Enrichments {
		out.List = append(out.List, agent.Enrichment{Type: e.Type, Description: e.Description})
	}
	return out
}

func resultsOf(results []agent.Answered) []enrich.Result {
	var out []enrich.Result
	for _, r := range results {
		if r.Err == nil {
			out = append(out, enrich.Result{Tool: r.Tool, Arguments: r.Arguments, Answer: r.Data})
		}
	}
	return out
}

// talk answers small talk by a model without tools, or, where there is no model, with
// a sentence of ours.
func (w way) talk(ctx context.Context) events {
	return func(yield func(agent.Event, error) bool) {
		a, ok := w.t.Agent(general)
		if !ok {
			yield(nil, fault.New(fault.Internal, "The agent %s is not there.", general))
			return
		}
		why := "small talk needs no figures"
		is := classify.CourtesyOf(w.q.text)
		if is == "" && w.f.cfg.Unmodelled {
			w.unclear(ctx)(yield)
			return
		}
		path := agent.PathModel
		if is != "" && !w.f.cfg.Worded {
			path = agent.PathDirect
		}
		if !w.routed(path, general, why, "classified", yield) {
			return
		}
		if path == agent.PathDirect {
			w.courteous(is)(yield)
			return
		}
		answer := flow.OrElse(w.t.Run(ctx, a, flow.On(llm.Cheap)), func(f *fault.Error) events {
			return w.courteous(is, f.PublicCode(), modelDown)
		})
		flow.Finally(answer, func(o *agent.Outcome) { o.Category, o.Reasoning = agent.GeneralChat, why })(yield)
	}
}

// routed says how the turn is answered, and that the subject changed where it did.
func (w way) routed(path agent.Path, name, why, how string, yield func(agent.Event, error) bool) bool {
	label, _ := w.t.Profile().Label(name)
	if !yield(agent.Routed{Path: path, Agent: name, Label: label, Reasoning: why, How: how}, nil) {
		return false
	}
	if from := w.t.Last(); from != "" && from != name {
		before, _ := w.t.Profile().Label(from)
		return yield(agent.Switched{From: from, FromLabel: before, To: name, ToLabel: label}, nil)
	}
	return true
}

// modelDown is the degraded code of an answer that a model should have given.
const modelDown = "model_unavailable"

// unconnected says why there are no figures.
func (w way) unconnected(ctx context.Context) events {
	why := fault.New(fault.Unprocessable, "Your organisation has not connected its books yet.").WithCode("no_books")
	if w.f.cfg.Books != nil {
		if _, err := w.f.cfg.Books.Tools(ctx, w.t.By); err != nil {
			why = fault.From(err)
		}
	}
	return func(yield func(agent.Event, error) bool) {
		if !w.routed(agent.PathDirect, unified, "the books cannot be reached", "classified", yield) {
			return
		}
		o := agent.Outcome{Understanding: agent.Understanding{Agent: unified, Path: agent.PathDirect,
			Category: agent.Unified}, Degraded: []string{why.PublicCode()}}
		o.Label, _ = w.t.Profile().Label(unified)
		flow.Say(why.Message, o)(yield)
	}
}

// titled writes the name of an intent as people would: "Overdue invoices".
func titled(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
