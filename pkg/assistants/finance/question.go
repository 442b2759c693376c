package finance

import (
	"context"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/classify"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/router"
)

// question is what the person said, and what code makes of it.
type question struct {
	text     string
	typed    bool // by the person, without a file
	earlier  bool // there are verified answers before it
	unsealed bool // there are answers whose origin is not known
	language language.Language
	today    calendar.Date
	category classify.Category
	entities []intent.Entity
	known    router.Intents // nil where none are known
	found    intent.Result
	name     string // of the best intent; "" for none
	accepted bool   // it is clear enough to act on without a model
	last     *history.State
	mode     mode
}

// changed is the confidence that leaves an agent whose question is open: the
// sentence might be its answer.
const changed = 0.97

// read reads the question. realtime asks for no model-free answer.
func (f *answers) read(ctx context.Context, t *flow.Turn) (question, error) {
	return f.of(ctx, t, t.History.LastUserText(), question{})
}

// of reads a text as the question of the turn. before is what was made of another text
// of the same turn.
func (f *answers) of(ctx context.Context, t *flow.Turn, text string, before question) (question, error) {
	today, err := todayOf(t.By, t.Now())
	if err != nil {
		return question{}, err
	}
	said, _ := t.History.Last(llm.User)
	q := question{text: text, typed: !said.Foreign && len(said.Files) == 0, today: today, mode: before.mode}
	for _, e := range t.History.Entries {
		q.earlier = q.earlier || e.Role == llm.Assistant
	}
	if answer, ok := t.History.Last(llm.Assistant); ok {
		q.last, q.unsealed = answer.State, answer.State == nil
	}
	if _, err := t.Mode(&q.mode); err != nil {
		q.mode = mode{} // of another version: what was asked is asked again
	}
	q.language = language.Of(q.text)
	q.category = classify.Of(q.text, q.earlier)
	q.entities = intent.Entities(q.text, today)
	if f.cfg.Intents == nil {
		return q, nil
	}
	if q.known = f.cfg.Intents(ctx, t.By); q.known == nil {
		return q, nil
	}
	q.found = q.known.Match(q.text)
	q.name = q.known.Name(q.found.Intent)
	asked := q.last != nil && q.last.Asked && !asksItself(q.text) && before.mode.Asking == ""
	q.accepted = q.found.Accepted && q.typed && !q.unsealed && (!asked || q.found.Confidence >= changed)
	return q, nil
}

// asksItself reports whether a message asks or orders something by itself, so that it
// answers no question.
func asksItself(text string) bool {
	if strings.HasSuffix(strings.TrimSpace(text), "?") {
		return true
	}
	words := 0
	asks := false
	for w := range language.Words(strings.ToLower(text)) {
		words++
		switch w {
		case "show", "list", "tell", "what", "who", "which", "when", "how", "give", "dikhao", "dikha", "batao", "bata",
			"kitna", "kitne", "kitni", "kaun", "kab", "kya", "दिखाओ", "बताओ", "कितना", "कितने", "कितनी", "कौन", "कब",
			"क्या":
			asks = true
		}
	}
	return asks && words > 1
}

// intent is the best match as clients see it; nil for none.
func (q question) intent(f *answers) *agent.Intent {
	if q.name == "" {
		return nil
	}
	i := &agent.Intent{ID: q.name, Name: titled(q.name), Confidence: q.found.Confidence}
	if described, ok := f.flows.Describe(q.name); ok {
		i.Name, i.ModuleID, i.Description = described.Name, described.Module, described.Description
	}
	return i
}

// named are the entities by their kind, for people: dates as ranges of DD/MM/YYYY,
// amounts in rupees.
func (q question) named() map[string]any {
	out := map[string]any{}
	for _, e := range q.entities {
		var v any = e.Text
		switch e.Kind {
		case intent.DateEntity:
			e.Days = q.financial(e.Days, e.Text)
			v = rupees.Date(e.Days.From)
			if last := e.Days.To.AddDays(-1); last.After(e.Days.From) {
				v = rupees.Date(e.Days.From) + " – " + rupees.Date(last)
			}
		case intent.AmountEntity:
			v = rupees.Format(e.Amount)
		}
		name := string(e.Kind)
		if had, ok := out[name]; ok {
			list, several := had.([]any)
			if !several {
				list = []any{had}
			}
			v = append(list, v)
		}
		out[name] = v
	}
	return out
}

// financial returns the financial year for a calendar year that is named by its
// distance, such as "this year".
func (q question) financial(days calendar.Range, text string) calendar.Range {
	whole := days.From.Month == 1 && days.From.Day == 1 && days.Days() > 364
	if !whole || strings.ContainsAny(text, "0123456789०१२३४५६७८९") {
		return days
	}
	return (rupees.YearOf(q.today) + rupees.Year(days.From.Year-q.today.Year)).Range()
}

// pointsBack reports whether the message names what it is about by a word that stands
// for something said before.
func (q question) pointsBack() bool { return router.PointsBack(q.text) }

// previous are the categories of the tools that the last answer called.
func (q question) previous(a *agent.Agent) []string {
	var out []string
	if q.last == nil {
		return nil
	}
	for _, s := range q.last.Steps {
		for _, c := range s.Calls {
			t, ok := a.Tools.Find(c.Name)
			if ok && t.Spec().Category != "" && !slices.Contains(out, t.Spec().Category) {
				out = append(out, t.Spec().Category)
			}
		}
	}
	return out
}
