package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/modes"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/reading"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/tools"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// planning is the flow of the assistant: the mode machine of package planner/modes.
type planning struct {
	cfg    Config
	prompt *prompt.Template // of the master
	form   *structured.Form // of the master's answer
}

type events = iter.Seq2[agent.Event, error]

// state is what is kept of a conversation, sealed with each answer.
type state struct {
	Mode    modes.Mode       `json:"mode,omitempty"`
	Trip    string           `json:"trip,omitempty"` // code
	Run     int              `json:"run,omitempty"`  // whose options are shown; 0 for none
	Context trip.Context     `json:"context,omitzero"`
	Ledger  questions.Ledger `json:"ledger,omitzero"`
	Options []shownOption    `json:"options,omitempty"`
}

// shownOption is an option as it was shown.
type shownOption struct {
	ID    string      `json:"id"`
	Title string      `json:"title"`
	Tier  trip.Budget `json:"tier"`
}

// way is one turn on its way to an answer.
type way struct {
	f     *planning
	t     *flow.Turn
	text  string // the newest message
	today calendar.Date
	state state
	read  reading.Reading
	likes preferences.Preferences
	notes []string // sentences about what was taken for granted or refused

	// master is what the model read in the newest message, where it was asked already.
	master *answer

	mu    sync.Mutex
	model string // which answered last
}

func (w *way) answeredBy(model string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.model = model
}

// Answer answers one turn.
func (f *planning) Answer(ctx context.Context, t *flow.Turn) events {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routing{Agents: len(t.Agents()), Tools: t.Tools()}, nil) {
			return
		}
		w := &way{f: f, t: t, text: t.History.LastUserText(), today: today(t.By, t.Now())}
		if _, err := t.Mode(&w.state); err != nil {
			w.state = state{} // of another version
		}
		w.choose(tools.WithTrip(withState(ctx, w.state), w.state.Trip))(yield)
	}
}

// choose returns the events of the answer.
func (w *way) choose(ctx context.Context) events {
	a, ok := w.t.Agent(master)
	if !ok || w.t.By.Visitor != "" {
		return w.say("Please sign in: trips belong to a person.")
	}
	c := reading.Context{Now: w.t.Now(), Zone: zoneOf(w.t.By), Trip: w.state.Context, Mode: string(w.state.Mode),
		Ledger: w.state.Ledger}
	if likes, has, err := w.f.cfg.Preferences.Get(ctx, w.t.By); err != nil {
		w.report(ctx, "the preferences were not read", err)
	} else if has {
		w.likes, c.Home = likes, likes.Home
	}
	c.Options = w.shown()
	w.read = reading.Read(w.text, c)
	if known, err := w.resume(ctx); err != nil {
		return failed(err)
	} else if known {
		ctx = tools.WithTrip(withState(ctx, w.state), w.state.Trip)
		c.Trip, c.Mode, c.Options = w.state.Context, string(w.state.Mode), w.shown()
		w.read = reading.Read(ofTrip.ReplaceAllString(w.text, ""), c)
	}
	switch w.read.Intent {
	case reading.Greeting:
		return w.say(w.t.Profile().Greeting)
	case reading.Thanks:
		return w.say("You are welcome. Tell me when I should plan another trip.")
	case reading.Help:
		return w.say(help)
	case reading.Reset:
		return w.reset()
	case reading.PDF:
		if w.state.Run > 0 {
			return w.tell(ctx, a, "the plans on paper",
				"Here are all plans on paper: how they compare, and each by day.",
				part.NewLink("Plans as PDF", tools.Document(w.state.Trip), nil))
		}
	}
	if len(w.read.Refused) > 0 && w.read.Update.Empty() && len(w.read.Ask) == 0 {
		return w.tell(ctx, a, "refused", strings.Join(w.read.Refused, " "))
	}
	if calls := w.calls(); len(calls) > 0 {
		return w.acting(ctx, a, calls)
	}
	if w.state.Mode == modes.Finalize {
		if unnamed := w.which(); unnamed != nil {
			return w.tell(ctx, a, "which plan is meant is asked", "Which of the plans?", *unnamed)
		}
		if !w.f.cfg.Unmodelled && w.asks() {
			return w.wonders(ctx, a)
		}
	}
	return w.plan(ctx, a)
}

// shown returns the options as they were shown.
func (w *way) shown() []reading.Shown {
	var list []reading.Shown
	for _, o := range w.state.Options {
		list = append(list, reading.Shown{ID: o.ID, Title: o.Title, Tier: o.Tier})
	}
	return list
}

// asks reports whether a message about plans that are shown neither says anything of the
// trip nor rejects them, as far as rules read it.
func (w *way) asks() bool {
	switch w.read.Intent {
	case reading.Compare, reading.Why:
		return true
	case reading.Other:
		return w.read.Update.Empty() && len(w.read.Problems) == 0 && len(w.read.Ask) == 0
	}
	return false
}

// wonders answers a message about plans that are shown which rules do not understand: what
// the master reads in it decides whether it is about the trip or a question.
func (w *way) wonders(ctx context.Context, a *agent.Agent) events {
	if w.read.Intent == reading.Other {
		m, err := w.consult(ctx)
		if err != nil {
			return w.errored(ctx, err)
		}
		u, ask := m.update(w.text, w.state.Context, nil)
		if !u.Empty() || len(ask) > 0 || m.Intent == "reject" {
			w.master = &m
			return w.plan(ctx, a)
		}
	}
	return w.routed(agent.PathModel, a, "a question about plans that are shown", w.t.Run(ctx, a))
}

// which asks for the plan where a message means one and does not say which; nil where it
// does not.
func (w *way) which() *part.Choices {
	if w.option() != "" || len(w.state.Options) == 0 {
		return nil
	}
	var words string
	switch w.read.Intent {
	case reading.Select:
		words = "I take %s"
	case reading.Confirm:
		if !w.read.Update.Empty() {
			return nil
		}
		words = "I take %s"
	case reading.SwapStay:
		words = "Another hotel in %s"
	case reading.SwapGo:
		words = "Another way to get there in %s"
	case reading.SwapDay:
		words = fmt.Sprintf("Something else on day %d in ", max(1, w.read.Swap.Day)) + "%s"
	case reading.SwapMeal:
		words = fmt.Sprintf("Another place for %s on day %d in ", orElse(w.read.Swap.Meal, "dinner"),
			max(1, w.read.Swap.Day)) + "%s"
	default:
		return nil
	}
	c := part.Choices{Title: "Which of the plans?"}
	for n, o := range w.state.Options {
		c.Choices = append(c.Choices, part.Choice{Label: o.Title, Words: fmt.Sprintf(words,
			fmt.Sprintf("option %d", n+1))})
	}
	return &c
}

const help = "I plan trips: say where you want to go, when, how many you are, where you start and what it may cost " +
	"(low, mid or high). I ask for what is missing, sum it up, and then make two or three plans that differ, with " +
	"what each costs and where every price comes from. You can take one, swap its hotel, a meal or a day, share it " +
	"by a link, or get it as a PDF or in your calendar. I book nothing."

// reset forgets the trip that is talked about; its plans stay with its code.
func (w *way) reset() events {
	was := w.state.Trip
	if err := w.t.SetMode(state{Mode: modes.Clarify}); err != nil {
		return failed(err)
	}
	text := "Forgotten: we begin anew."
	if was != "" {
		text += " What was planned so far stays in your trips as " + was + "."
	}
	return w.say(text + " Where do you want to go?")
}

func failed(err error) events {
	return func(yield func(agent.Event, error) bool) { yield(nil, err) }
}

func (w *way) report(ctx context.Context, what string, err error) {
	if w.f.cfg.Report != nil {
		w.f.cfg.Report(ctx, what, err)
	}
}

// routed says how the turn is answered before its events.
func (w *way) routed(path agent.Path, a *agent.Agent, why string, run events) events {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Routed{Path: path, Agent: a.Name, Label: a.Label, Reasoning: why, How: "explicit"}, nil) {
			return
		}
		flow.Finally(run, func(o *agent.Outcome) {
			o.Reasoning = why
			if o.Model == "" && w.model != "" {
				o.Model, o.Path = w.model, agent.PathModel
			}
		})(yield)
	}
}

// say answers with a sentence of ours.
func (w *way) say(text string) events {
	o := agent.Outcome{Understanding: agent.Understanding{Agent: master, Path: agent.PathDirect,
		Category: agent.Unified}}
	o.Label, _ = w.t.Profile().Label(master)
	o.Asked = strings.HasSuffix(text, "?")
	return flow.Say(text, o)
}

// calls returns what the message asks to do with plans that there are.
func (w *way) calls() []agent.PlannedCall {
	r := w.read
	args := map[string]any{}
	if w.state.Trip != "" {
		args["trip"] = w.state.Trip
	}
	with := func(tool, purpose string, more map[string]any) []agent.PlannedCall {
		for k, v := range more {
			if v != "" && v != 0 {
				args[k] = v
			}
		}
		return []agent.PlannedCall{{Tool: tool, Arguments: args, Purpose: purpose}}
	}
	switch r.Intent {
	case reading.Trips:
		return []agent.PlannedCall{{Tool: "list_trip_plans", Arguments: map[string]any{}, Purpose: "List the trips"}}
	case reading.Unshare:
		return with("list_trip_shares", "List the links", nil)
	}
	if w.state.Run == 0 {
		return nil
	}
	at := map[string]any{"run": w.state.Run, "option": w.option(), "day": r.Swap.Day, "meal": r.Swap.Meal,
		"with": r.Swap.With}
	switch r.Intent {
	case reading.Select:
		if r.Option != "" {
			return with("select_trip_option", "Take this plan", map[string]any{"run": w.state.Run, "option": r.Option})
		}
	case reading.SwapStay, reading.SwapGo, reading.SwapMeal, reading.SwapDay:
		if w.option() != "" {
			return with(swapTool(r.Intent), "Swap a part of the plan", at)
		}
	case reading.Compare, reading.Why:
		if w.f.cfg.Unmodelled {
			return with("show_trip_plans", "Compare the plans", nil)
		}
	case reading.Show:
		return with("show_trip_plans", "Show the plans", nil)
	case reading.Calendar:
		return with("export_calendar", "Make a calendar file", nil)
	case reading.Share:
		return with("share_trip_plan", "Make a link", map[string]any{"days": r.ShareDays})
	}
	return nil
}

// option is the plan that is meant: the one that is named, else the only one.
func (w *way) option() string {
	if w.read.Option == "" && len(w.state.Options) == 1 {
		return w.state.Options[0].ID
	}
	return w.read.Option
}

func swapTool(i reading.Intent) string {
	switch i {
	case reading.SwapStay:
		return "swap_trip_stay"
	case reading.SwapGo:
		return "swap_trip_transport"
	case reading.SwapMeal:
		return "swap_trip_meal"
	}
	return "swap_trip_day"
}

// acting runs calls of tools and says what they answered.
func (w *way) acting(ctx context.Context, a *agent.Agent, calls []agent.PlannedCall) events {
	return w.routed(agent.PathFast, a, "understood by rules", w.t.Planned(ctx, a, agent.Steps{
		Steps: []agent.Step{agent.Once(calls...)},
		End: func(results []agent.Answered) (string, []part.Data) {
			var said []string
			for _, r := range results {
				if text := strings.TrimSpace(r.Told()); text != "" {
					said = append(said, text)
				}
			}
			if w.read.Intent == reading.Compare || w.read.Intent == reading.Why {
				said = compared(results)
			}
			return strings.Join(said, " "), nil
		}}))
}

// compared returns how plans compare, by the figures of a card.
func compared(results []agent.Answered) []string {
	for _, r := range results {
		var shown struct {
			Compared string `json:"compared"`
		}
		if json.Unmarshal(r.Data, &shown) == nil && shown.Compared != "" {
			return []string{shown.Compared, "The bars on the card show what each of them spends on what."}
		}
	}
	return nil
}

// tell ends a turn with a text and parts, and keeps the state.
func (w *way) tell(ctx context.Context, a *agent.Agent, why, text string, parts ...part.Data) events {
	if err := w.t.SetMode(w.state); err != nil {
		return failed(err)
	}
	path := agent.PathFast
	if w.model != "" {
		path = agent.PathModel
	}
	return w.routed(path, a, why, w.t.Planned(ctx, a, agent.Steps{
		End: func([]agent.Answered) (string, []part.Data) { return text, parts }}))
}

// choicesOf returns the answers to press of questions.
func choicesOf(list []questions.Question) []part.Data {
	var out []part.Data
	for _, q := range list {
		if len(q.Choices) == 0 {
			continue
		}
		c := part.Choices{Title: q.Text}
		for _, words := range slices.Compact(slices.Clone(q.Choices)) {
			c.Choices = append(c.Choices, part.Choice{Label: words, Words: words})
		}
		out = append(out, c)
	}
	return out
}
