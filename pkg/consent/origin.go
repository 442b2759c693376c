package consent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Sources are the possible origins of the arguments of a model's call.
type Sources struct {
	Said    []string      // what the person typed, oldest first
	Turn    []string      // what our tools answered in this turn, as JSON
	History []string      // and in earlier turns that are sealed and recent
	Today   calendar.Date // at the place that the call is about
}

// maxSource limits how much of each source is searched, newest first.
const maxSource = 128 << 10

// Mark sets the origins of the values in the lines of a preview. For acts of
// the tiers HIGH and CRITICAL it warns of values without an origin.
func (s Sources) Mark(call tool.Call, tier string, p *tool.Preview) {
	values := call.Values()
	if len(values) == 0 {
		return
	}
	origins := s.origins(values)
	p.Lines = slices.Clone(p.Lines)
	for i := range p.Lines {
		for j, v := range values {
			if shows(p.Lines[i].After, v) && rank(origins[j]) > rank(p.Lines[i].Origin) {
				p.Lines[i].Origin = origins[j]
			}
		}
	}
	if tier == "MEDIUM" {
		return
	}
	var chosen []string
	for j, v := range values {
		if origins[j] == tool.FromAssistant {
			chosen = append(chosen, fmt.Sprintf("%s %s", strings.ReplaceAll(v.Name, "_", " "), v.Text))
		}
	}
	if len(chosen) > 0 {
		p.Warnings = append(slices.Clone(p.Warnings),
			"Chosen by the assistant, neither said by you nor found in the records: "+strings.Join(chosen, ", ")+".")
	}
}

// Index is texts in which values are searched: what people typed, in any
// notation, and what tools answered.
type Index struct {
	said, answers *corpus
	today         calendar.Date
}

// NewIndex reads the texts, the newest as much as is searched.
func NewIndex(texts []string, today calendar.Date) Index {
	return Index{newCorpus(texts), newAnswers(texts), today}
}

// Has reports whether one of the texts has the value.
func (x Index) Has(v tool.Value) bool { return x.said.hasSaid(v, x.today) || x.answers.holds(v) }

// origins finds the best origin of each value.
func (s Sources) origins(values []tool.Value) []tool.Origin {
	out := make([]tool.Origin, len(values))
	said := newCorpus(s.Said)
	var turn, history *corpus // made only where the person did not say it all
	for i, v := range values {
		if said.hasSaid(v, s.Today) {
			out[i] = tool.FromPerson
			continue
		}
		if turn == nil {
			turn, history = newAnswers(s.Turn), newAnswers(s.History)
		}
		switch {
		case turn.holds(v):
			out[i] = tool.FromTurn
		case history.holds(v):
			out[i] = tool.FromHistory
		default:
			out[i] = tool.FromAssistant
		}
	}
	return out
}

// rank orders origins from the best to the worst, so that a line bears the
// worst of its values.
func rank(o tool.Origin) int {
	return slices.Index([]tool.Origin{"", tool.FromPerson, tool.FromTurn, tool.FromHistory, tool.FromAssistant}, o)
}

// shows reports whether a line of a preview shows a value.
func shows(line string, v tool.Value) bool {
	switch {
	case v.Date:
		d, err := calendar.Parse(v.Text)
		return err == nil && (strings.Contains(line, d.Show()) || strings.Contains(line, d.String()) ||
			strings.Contains(line, d.Time().Format("02/01/2006")))
	case v.Num:
		found := numbers(line)
		return len(found) == 1 && found[plainNumber(v.Text)]
	}
	return strings.Contains(spaced(line), spaced(v.Text))
}

// mark is how the text of a preview names an origin; the user's own words need
// no mark.
func mark(o tool.Origin) string {
	switch o {
	case tool.FromTurn, tool.FromHistory:
		return " (from the records)"
	case tool.FromAssistant:
		return " (the assistant's choice)"
	}
	return ""
}
