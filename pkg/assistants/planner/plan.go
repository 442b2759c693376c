package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/modes"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/reading"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// heard is what a message said of the trip, read by rules and, where they did not account
// for all of it, by the model.
type heard struct {
	update    trip.Update
	given     []trip.Field
	ask       []questions.Question // what is not clear
	asks      []questions.Question // of the model
	confirmed bool
	rejected  bool
	skipped   bool
	problems  []trip.Problem
	summary   string // the model's words for the turn, "" for ours
	next      string
	nothing   bool // of the message was understood
}

// plan is a turn that speaks of the trip itself.
func (w *way) plan(ctx context.Context, a *agent.Agent) events {
	h, err := w.hear(ctx)
	if err != nil {
		return w.errored(ctx, err)
	}
	before := w.state
	before.Ledger.Asked = slices.Clone(before.Ledger.Asked) // answers are written into its entries
	if h.update.Reset {
		w.state.Ledger.Forget()
	}
	next, changed, refused := w.state.Context.Accept(h.update, w.today)
	h.problems = append(h.problems, refused...)
	w.state.Context = next
	w.answer(h, changed)
	still := len(changed) == 0 && !h.rejected && len(h.problems) == 0 && len(h.ask) == 0
	if still && (before.Mode == modes.Finalize || h.nothing && !h.confirmed && !h.skipped) {
		return w.lost(ctx, a, before)
	}
	if h.update.Reset || before.Mode == modes.Finalize && elsewhere(before.Context, next) {
		// Another journey is a trip of its own: the plans of the last one stay with it.
		w.state.Trip, w.state.Run, w.state.Options = "", 0, nil
	}
	w.waiveOrigin(h)
	facts := modes.Facts{Context: w.state.Context,
		Confirmed: h.confirmed && len(changed) == 0 && before.Mode == modes.Confirm,
		Sure:      w.read.Sure,
		Rejected:  h.rejected && len(changed) == 0, Unclear: len(h.ask) > 0 || len(h.problems) > 0,
		Open: w.wishOpen()}
	mode := modes.Determine(facts)
	if before.Mode == modes.Confirm && h.rejected && len(changed) == 0 {
		mode = modes.Clarify
	}
	w.state.Mode = mode
	switch mode {
	case modes.Dispatch:
		return w.dispatch(ctx, a, h)
	case modes.Confirm:
		return w.confirm(ctx, a, h)
	}
	return w.clarify(ctx, a, h)
}

// elsewhere reports whether none of the destinations stayed.
func elsewhere(before, now trip.Context) bool {
	return len(now.Destinations) > 0 && !slices.ContainsFunc(now.Destinations, func(p trip.Place) bool {
		return slices.ContainsFunc(before.Destinations, func(o trip.Place) bool { return p.Name == o.Name })
	})
}

// hear reads the newest message.
func (w *way) hear(ctx context.Context) (heard, error) {
	r := w.read
	h := heard{update: r.Update, given: r.Given, ask: r.Ask, problems: r.Problems,
		confirmed: r.Intent == reading.Confirm,
		rejected:  r.Intent == reading.Reject, skipped: r.Intent == reading.Skip}
	w.notes = append(append(w.notes, r.Assumed...), r.Refused...)
	rest := strings.TrimSpace(r.Rest) != "" || r.Intent == reading.Other
	h.nothing = rest && r.Update.Empty() && len(r.Ask) == 0
	if w.f.cfg.Unmodelled || !rest {
		return h, nil
	}
	var m answer
	if w.master != nil {
		m = *w.master
	} else {
		var err error
		if m, err = w.consult(ctx); err != nil {
			return h, err
		}
	}
	more, unclear := m.update(w.text, w.state.Context, r.Update.Fields())
	h.update = h.update.And(more)
	h.given = append(h.given, more.Fields()...)
	h.ask = append(h.ask, unclear...)
	h.asks = m.asks(w.state.Context)
	h.summary, h.next = plainLine(m.Summary, 120), plainLine(m.Next, 120)
	switch m.Intent {
	case "confirm":
		h.confirmed = h.confirmed || h.update.Empty()
	case "reject":
		h.rejected = true
	case "skip":
		h.skipped = true
	}
	h.nothing = h.nothing && more.Empty() && len(unclear) == 0 && m.Intent != "update"
	return h, nil
}

// answer marks in the ledger what the message answered or skipped.
func (w *way) answer(h heard, changed []trip.Field) {
	now := w.t.Now()
	for _, a := range w.read.Answers {
		w.state.Ledger.Answer(now, a.Field, a.Text)
	}
	for _, f := range append(slices.Clone(h.given), changed...) {
		if !slices.ContainsFunc(w.read.Answers, func(a reading.Answer) bool { return a.Field == f }) {
			w.state.Ledger.Answer(now, f, plainLine(w.text, 80))
		}
	}
	if len(w.read.Skipped) > 0 || h.skipped {
		w.state.Ledger.Skip(now, w.read.Skipped...)
	}
}

// waiveOrigin plans without the journey there where the person was asked where they start
// and went on without saying it, though everything else is known.
func (w *way) waiveOrigin(h heard) {
	c := &w.state.Context
	critical := c.Critical()
	if !slices.Equal(critical, []trip.Field{trip.Origin}) {
		return
	}
	asked := slices.ContainsFunc(w.state.Ledger.Asked, func(e questions.Entry) bool { return e.Field == trip.Origin })
	wished := slices.ContainsFunc(w.state.Ledger.Asked,
		func(e questions.Entry) bool { return e.Field == trip.Interests })
	if !asked || !(h.skipped || wished) || len(h.ask) > 0 {
		return
	}
	c.LocalOnly = true
	w.state.Ledger.Skip(w.t.Now(), trip.Origin)
	w.notes = append(w.notes, "You did not say where you start, so the journey there is not planned. Say it at any "+
		"time, and it will be.")
}

// wishOpen reports whether wishes were never asked for and none are known.
func (w *way) wishOpen() bool {
	p := w.state.Context.Preferences
	if w.state.Run > 0 {
		return false // there were plans without them
	}
	if p.Pace != "" || len(p.Interests) > 0 || len(w.state.Context.MustDos) > 0 {
		return false
	}
	return !slices.ContainsFunc(w.state.Ledger.Asked, func(e questions.Entry) bool {
		return e.Field == trip.Interests
	})
}

func wish() questions.Question {
	return questions.Question{Field: trip.Interests,
		Text:    "What do you like most there, and is there anything you must see?",
		Choices: []string{"History and food", "Art and museums", "Nature and views", "Skip"}}
}

// clarify asks for what is missing.
func (w *way) clarify(ctx context.Context, a *agent.Agent, h heard) events {
	ours := questions.For(w.state.Context, w.state.Ledger, w.today)
	critical := slices.DeleteFunc(slices.Clone(ours), func(q questions.Question) bool { return !q.Critical })
	list := slices.Clone(h.ask)
	for _, q := range critical {
		if !slices.ContainsFunc(list, func(o questions.Question) bool { return o.Field == q.Field }) {
			list = append(list, w.worded(q, h.asks))
		}
	}
	if len(list) <= few && len(h.problems) == 0 && w.wishOpen() {
		list = append(list, w.worded(wish(), h.asks))
	}
	if h.rejected && len(list) == 0 {
		list = append(list, questions.Question{Text: "What should be different: the budget, the pace, the days, the " +
			"places or the hotel?", Choices: []string{"Cheaper", "More relaxed", "Another week", "Other places"}})
	}
	entries := w.state.Ledger.Ask(w.t.Now(), list...)
	var lines []string
	if len(h.problems) > 0 {
		for _, p := range h.problems {
			lines = append(lines, p.Text)
		}
	}
	lines = append(lines, w.notes...)
	lead := w.knows()
	asked := []string{}
	for _, e := range entries {
		asked = append(asked, e.Text)
	}
	texts := slices.Clone(asked)
	if len(texts) > 1 {
		texts[0] = "- " + strings.Join(texts, "\n- ")
	}
	paragraphs := []string{strings.TrimSpace(lead + " " + strings.Join(lines, " "))}
	if len(texts) > 0 {
		paragraphs = append(paragraphs, texts[0])
	}
	text := strings.TrimSpace(strings.Join(paragraphs, "\n\n"))
	if text == "" {
		text = "What should be different?"
	}
	shown := slices.DeleteFunc(list, func(q questions.Question) bool {
		return !slices.ContainsFunc(entries, func(e questions.Entry) bool { return e.Text == q.Text })
	})
	out := modes.Output{Mode: modes.Clarify, Questions: asked, Summary: orElse(h.summary,
		"Asking for what is missing"),
		Next: orElse(h.next, "The answers to these questions")}
	return w.end(ctx, a, out, nil, nil, text, choicesOf(shown)...)
}

// few is how many questions of a turn leave room for one about wishes.
const few = 2

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// worded returns a question of ours in the words of the model where it asks the same.
func (w *way) worded(q questions.Question, asks []questions.Question) questions.Question {
	for _, m := range asks {
		if m.Field == q.Field && strings.HasSuffix(m.Text, "?") {
			q.Text = m.Text
			return q
		}
	}
	return q
}

// knows says in a line what is known of the trip.
func (w *way) knows() string {
	if len(w.state.Context.Destinations) == 0 {
		return ""
	}
	line := w.state.Context.Title()
	if d := w.state.Context.Detail(); d != "" {
		line += " · " + d
	}
	return "**" + line + "**."
}

// confirm sums up what is known and asks whether that is right.
func (w *way) confirm(ctx context.Context, a *agent.Agent, h heard) events {
	summary := w.state.Context.Summary()
	question := "Shall I plan it like this? Say what you would like to change, or yes."
	out := modes.Output{Mode: modes.Confirm, Questions: []string{question}, ContextSummary: summary,
		Summary: orElse(h.summary, "Confirming the trip before planning"),
		Next:    orElse(h.next, "Your yes; then the specialists begin")}
	lines := []string{"This is what I know:", "", list(summary), ""}
	if len(w.notes) > 0 {
		lines = append(lines, strings.Join(w.notes, " "), "")
	}
	return w.end(ctx, a, out, nil, nil, strings.Join(append(lines, question), "\n"), part.Choices{
		Choices: []part.Choice{{Label: "Yes, plan it", Words: "Yes, plan it"},
			{Label: "Change something", Words: "I want to change something"}}})
}

// list writes the lines of a text as a list.
func list(text string) string {
	return "- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n- ")
}

// lost answers a message of which nothing was understood.
func (w *way) lost(ctx context.Context, a *agent.Agent, before state) events {
	w.state = before
	text := "I did not understand that."
	if w.read.Foreign && w.f.cfg.Unmodelled {
		text = "Without a language model I read English, and the counts, dates and yes or no of Hinglish."
	}
	var parts []part.Data
	switch before.Mode {
	case modes.Finalize:
		text += " You can take one of the plans, swap its hotel, its journey, a meal or a day, ask for a link, a " +
			"PDF or the calendar, or say what should be different."
		parts = append(parts, part.Choices{Choices: []part.Choice{{Label: "Show the plans", Words: "Show the plans"},
			{Label: "Other plans", Words: "None of these"}}})
	case modes.Confirm:
		text += " Say yes, and I plan it, or say what should be different."
	default:
		if list := questions.For(before.Context, before.Ledger, w.today); len(list) > 0 {
			text += " " + list[0].Text
			parts = choicesOf(list[:1])
		}
	}
	return w.tell(ctx, a, "not understood", text, parts...)
}

// end records the run of a turn and answers.
func (w *way) end(ctx context.Context, a *agent.Agent, out modes.Output, set *plansOf, messages []plans.Message,
	text string, parts ...part.Data) events {
	p, err := w.record(ctx, out, set, messages, "")
	if err != nil {
		return failed(err)
	}
	w.state.Trip = p.Trip
	return w.tell(ctx, a, out.Summary, text, parts...)
}

// record stores the run of this message (S4-29).
func (w *way) record(ctx context.Context, out modes.Output, set *plansOf, messages []plans.Message,
	failure string) (plans.Plan, error) {
	out.Context, out.Assumptions = modes.Known{Context: w.state.Context, Ledger: w.state.Ledger}, w.notes
	if out.Questions == nil {
		out.Questions = []string{}
	}
	if out.Itineraries != nil {
		// The options are kept whole beside the output; it has what tells them apart.
		brief := *out.Itineraries
		brief.Options = slices.Clone(brief.Options)
		for i := range brief.Options {
			brief.Options[i].Itinerary, brief.Options[i].Costs = options.Itinerary{}, nil
		}
		out.Itineraries = &brief
	}
	written, err := json.Marshal(out)
	if err != nil {
		return plans.Plan{}, fmt.Errorf("encode the output of %s: %w", out.Mode, err)
	}
	r := plans.Run{UserMessage: plainText(w.text), Mode: string(out.Mode), Status: plans.Succeeded,
		Context: w.state.Context, Output: written, Messages: messages, Error: failure}
	key := w.t.Name()
	if failure != "" {
		r.Status, key = plans.Errored, key+" failed" // so that another attempt at the turn has a run of its own
	}
	if set != nil {
		r.Options = &set.Set
		if len(set.Degraded) > 0 {
			r.Status = plans.Partly
		}
	}
	p, err := w.f.cfg.Plans.Record(ctx, w.t.By, key, w.state.Trip, r)
	if w.state.Trip != "" && (fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden)) {
		// The trip was deleted, or is another person's that this one may see: what comes now is
		// a trip of their own.
		return w.f.cfg.Plans.Record(ctx, w.t.By, key, "", r)
	}
	return p, err
}

// errored records a run that failed (S4-28), and ends the turn with the error.
func (w *way) errored(ctx context.Context, err error) events {
	f := fault.From(err)
	switch f.Code {
	case structured.CodeInvalid, structured.CodeEmpty, structured.CodeLimited, structured.CodeAway:
		mode := w.state.Mode
		if mode == "" {
			mode = modes.Clarify
		}
		if _, kept := w.record(ctx, modes.Output{Mode: mode}, nil, nil, f.Message); kept != nil {
			w.report(ctx, "the record of a failed run was not kept", kept)
		}
	}
	return failed(err)
}

// plainText bounds a message for its record.
func plainText(s string) string {
	const most = 4000
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}
