package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/modes"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/reading"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// answer is what the master model fills in; see personas/master.json.
type answer struct {
	Mode     modes.Mode `json:"mode"`
	Intent   string     `json:"intent"`
	Context  filled     `json:"updatedTripContext"`
	Evidence []struct {
		Field trip.Field `json:"field"`
		Words string     `json:"words"`
	} `json:"evidence"`
	Questions []struct {
		Field trip.Field `json:"field"`
		Text  string     `json:"text"`
	} `json:"questions"`
	Summary string `json:"shortSummary"`
	Next    string `json:"nextStep"`
}

// filled is the trip context as the model writes it.
type filled struct {
	Origin       *string  `json:"origin"`
	Destinations []string `json:"destinations"`
	Dates        struct {
		Start  *string `json:"start"`
		End    *string `json:"end"`
		Nights *int    `json:"nights"`
	} `json:"dateRange"`
	Travellers *struct {
		Adults   int   `json:"adults"`
		Children []int `json:"childrenAges"`
	} `json:"travelers"`
	Budget *trip.Budget `json:"budget"`
	Most   *struct {
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	} `json:"budgetLimit"`
	Preferences struct {
		Pace       *trip.Pace `json:"pace"`
		Interests  []string   `json:"interests"`
		Dietary    []string   `json:"dietary"`
		HotelStyle *string    `json:"hotelStyle"`
	} `json:"preferences"`
	MustDos     []string          `json:"mustDos"`
	Constraints []string          `json:"constraints"`
	LocalOnly   bool              `json:"localOnly"`
	OwnCar      bool              `json:"ownCar"`
	Excluded    []trip.Specialist `json:"excluded"`
}

// prompted is the data of the master's prompt.
type prompted struct {
	Answered    []string
	Outstanding []string
	Today       string
	Mode        modes.Mode
	Context     string
	Preferences string
}

// consult lets the model read the newest message. The mode of the answer is what the model
// believes; code decides it.
func (w *way) consult(ctx context.Context) (answer, error) {
	var read answer
	known, err := json.Marshal(w.state.Context)
	if err != nil {
		return read, fmt.Errorf("encode the trip context: %w", err)
	}
	answered, outstanding := w.state.Ledger.Context()
	mode := w.state.Mode
	if mode == "" {
		mode = modes.Clarify
	}
	p := prompted{answered, outstanding, w.today.Time().Format("Monday 2006-01-02"), mode, string(known),
		liked(w.likes)}
	system, err := w.f.prompt.Fill(p)
	if err != nil {
		return read, fmt.Errorf("fill the master's prompt: %w", err)
	}
	err = structured.Answer(ctx, w.ask, structured.Question{
		Form: w.f.form, System: system, MaxTokens: masterMax, Temperature: warm,
		Messages: w.t.History.Prompt(history.Window{Messages: window, Tokens: budget}),
		Read: func(object []byte) string {
			read = answer{}
			if err := structured.Decode(object, &read); err != nil {
				return "Its members do not fit: read the schema again."
			}
			return read.wrong()
		}})
	return read, err
}

// wrong returns what the model should correct.
func (a answer) wrong() string {
	switch n := len(a.Questions); {
	case a.Mode == modes.Dispatch && n > 0:
		return "In DISPATCH the questions must be empty."
	case a.Mode == modes.Confirm && n > 1:
		return "In CONFIRM there is at most one question."
	case n > questions.MaxTurn:
		return fmt.Sprintf("There are at most %d questions.", questions.MaxTurn)
	}
	for _, d := range []*string{a.Context.Dates.Start, a.Context.Dates.End} {
		if d != nil && *d != "" {
			if _, err := calendar.Parse(*d); err != nil {
				return "Dates are YYYY-MM-DD or null."
			}
		}
	}
	return ""
}

// update returns what the model read in the newest message, as far as the person's own
// words back it and our rules did not read the field themselves, and what has to be asked
// because a place is not clear.
func (a answer) update(text string, known trip.Context, ours []trip.Field) (trip.Update, []questions.Question) {
	said := folded(text)
	backed := map[trip.Field]bool{}
	for _, e := range a.Evidence {
		words := folded(e.Words)
		if len(words) >= 1 && strings.Contains(said, words) && (isList(e.Field) || !slices.Contains(ours, e.Field)) {
			backed[e.Field] = true
		}
	}
	var u trip.Update
	var ask []questions.Question
	c := a.Context
	if backed[trip.Destinations] {
		for _, name := range c.Destinations[:min(len(c.Destinations), trip.MaxDestinations+2)] {
			p, q := reading.Place(name, trip.Destinations)
			if q != nil {
				ask = append(ask, *q)
				continue
			}
			u.Destinations = append(u.Destinations, p)
		}
	}
	if backed[trip.Origin] && c.Origin != nil {
		p, q := reading.Place(*c.Origin, trip.Origin)
		if q != nil {
			ask = append(ask, *q)
		} else {
			u.Origin = &p
		}
	}
	if backed[trip.Origin] && c.LocalOnly != known.LocalOnly {
		u.LocalOnly = &c.LocalOnly
	}
	if backed[trip.Dates] {
		u.Dates = c.dates()
	}
	if t := c.Travellers; backed[trip.Party] && t != nil {
		u.Travellers = &trip.Travellers{Adults: t.Adults, Children: t.Children}
	}
	if backed[trip.BudgetLevel] {
		if c.Budget != nil {
			u.Budget = *c.Budget
		}
		if m := c.Most; m != nil {
			if amount, err := money.Parse(m.Amount); err == nil && len(m.Currency) == 3 {
				u.Most = &money.Price{Amount: amount, Currency: strings.ToUpper(m.Currency)}
			}
		}
	}
	p := c.Preferences
	if backed[trip.PaceOf] && p.Pace != nil {
		u.Pace = *p.Pace
	}
	if backed[trip.HotelStyle] && p.HotelStyle != nil {
		u.HotelStyle = p.HotelStyle
	}
	for _, l := range []struct {
		field   trip.Field
		now     []string
		change  *trip.Change
		already []string
	}{
		{trip.Interests, p.Interests, &u.Interests, known.Preferences.Interests},
		{trip.Dietary, p.Dietary, &u.Dietary, known.Preferences.Dietary},
		{trip.MustDos, c.MustDos, &u.MustDos, known.MustDos},
		{trip.Constraints, c.Constraints, &u.Constraints, known.Constraints},
	} {
		if backed[l.field] {
			l.change.Add = missing(l.now, l.already)
			l.change.Remove = missing(l.already, l.now)
		}
	}
	if backed[trip.Constraints] || backed[trip.Origin] {
		if c.OwnCar != known.OwnCar {
			u.OwnCar = &c.OwnCar
		}
		u.Exclude = missing(c.Excluded, known.Excluded)
		u.Include = missing(known.Excluded, c.Excluded)
	}
	return u, ask
}

// isList reports whether a field is a list of wishes, to which rules and model both add.
func isList(f trip.Field) bool {
	return f == trip.Interests || f == trip.Dietary || f == trip.MustDos || f == trip.Constraints
}

// missing returns what of a list is not in another.
func missing[T ~string](list, in []T) []T {
	var out []T
	for _, v := range list {
		if !slices.ContainsFunc(in, func(o T) bool { return strings.EqualFold(string(o), string(v)) }) {
			out = append(out, v)
		}
	}
	return out
}

// dates returns the dates that the model filled in.
func (c filled) dates() trip.DateRange {
	var d trip.DateRange
	for _, at := range []struct {
		text *string
		into *calendar.Date
	}{{c.Dates.Start, &d.Start}, {c.Dates.End, &d.End}} {
		if at.text != nil && *at.text != "" {
			*at.into, _ = calendar.Parse(*at.text) // wrong refused what is no date
		}
	}
	if n := c.Dates.Nights; n != nil && *n > 0 && !d.Known() {
		d.Nights = *n
	}
	return d
}

// asks returns the questions of the model, as ours.
func (a answer) asks(c trip.Context) []questions.Question {
	critical := c.Critical()
	var out []questions.Question
	for _, q := range a.Questions {
		if text := plainLine(q.Text, 160); text != "" {
			out = append(out, questions.Question{Field: q.Field, Text: text, Critical: slices.Contains(critical,
				q.Field)})
		}
	}
	return out
}

// folded returns a text for comparing: lower case, letters and digits alone.
func folded(s string) string {
	var b strings.Builder
	space := true
	for _, r := range strings.ToLower(s) {
		if strings.ContainsRune(" \t\n\r,.;:!?\"'()-–—’“”", r) {
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// ask makes a model call of the turn.
func (w *way) ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	m, err := w.t.Model(ctx, llm.Capable)
	if err != nil {
		return llm.Answer{}, err
	}
	if r.Model == "" {
		r.Model = w.f.cfg.Model
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < spare {
		return llm.Answer{}, fault.New(fault.Timeout, "There was no time left to answer.").WithCode("no_time_left")
	}
	a, err := m.Answer(ctx, r, nil)
	if err == nil {
		w.answeredBy(a.Model)
	}
	return a, err
}

// spare is how much time a turn keeps for what follows a model call.
const spare = 500 * time.Millisecond
