// Package chart draws figures: bars, lines, stacked bars, and days as a heat
// map. A chart is laid out once, into a Scene of plain shapes, which is written
// as SVG here and as PDF by package export, so all of them look alike.
//
// The figures are exact; only places on the drawing are floats.
package chart

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Form is a kind of drawing.
type Form string

// The forms. Calendar is for days alone: a square for each, in columns of weeks.
const (
	Bars     Form = "bars"
	Stacked  Form = "stacked"
	Lines    Form = "lines"
	Calendar Form = "calendar"
)

// MaxPoints is how many figures a chart may have, all series together.
const MaxPoints = 400

// Chart is what is drawn. Each series has one value for each label, or for each
// day from From on.
type Chart struct {
	Title string `json:"title"`
	Form  Form   `json:"form"`
	// Unit is an ISO currency code, "%" or a noun such as "nights"; "" for bare
	// numbers.
	Unit   string        `json:"unit,omitempty"`
	Labels []string      `json:"labels,omitempty"`
	From   calendar.Date `json:"from,omitzero"` // instead of Labels: the first of consecutive days
	Series []Series      `json:"series"`
	// Notes say what is behind the figures, one for each label, or are left out. A
	// figure that is not defined is told by its note alone; in a calendar such a day
	// is marked as closed.
	Notes []string `json:"notes,omitempty"`
}

// Series is one row of figures; nil stands for one that is not defined.
type Series struct {
	Name   string          `json:"name"`
	Values []*money.Amount `json:"values"`
	// Rest marks what is left of a whole, such as free nights. It is drawn paler than
	// the other series.
	Rest bool `json:"rest,omitempty"`
}

// Check reports what cannot be drawn.
func (c Chart) Check() error {
	n := c.Len()
	switch {
	case !slices.Contains([]Form{Bars, Stacked, Lines, Calendar}, c.Form):
		return fmt.Errorf("there is no chart of the form %q", c.Form)
	case n == 0 || len(c.Series) == 0:
		return fmt.Errorf("the chart %q has no figures", c.Title)
	case c.Form == Calendar && (c.From.IsZero() || len(c.Series) != 1):
		return fmt.Errorf("the chart %q is a calendar, which has one series and a first day", c.Title)
	case len(c.Series) > colours:
		return fmt.Errorf("the chart %q has %d series; %d can be told apart", c.Title, len(c.Series), colours)
	case !c.From.IsZero() == (len(c.Labels) > 0):
		return fmt.Errorf("the chart %q has either labels or a first day", c.Title)
	case n*len(c.Series) > MaxPoints:
		return fmt.Errorf("the chart %q has %d points of at most %d", c.Title, n*len(c.Series), MaxPoints)
	}
	if len(c.Notes) > 0 && (len(c.Notes) != n || len(c.Series) > 1) {
		return fmt.Errorf("the chart %q has %d notes for %d labels of one series", c.Title, len(c.Notes), n)
	}
	for _, s := range c.Series {
		if len(s.Values) != n {
			return fmt.Errorf(
				"the series %q of the chart %q has %d values for %d labels",
				s.Name,
				c.Title,
				len(s.Values),
				n,
			)
		}
		if c.Form == Stacked &&
			slices.ContainsFunc(s.Values, func(v *money.Amount) bool { return v != nil && v.Negative() }) {
			return fmt.Errorf("the stacked chart %q has a value below zero", c.Title)
		}
	}
	return nil
}

// Len is the number of labels or days.
func (c Chart) Len() int {
	if !c.From.IsZero() && len(c.Series) > 0 {
		return len(c.Series[0].Values)
	}
	return len(c.Labels)
}

// Label returns the name of a place on the axis; a day has the form 15-Jan-2026.
func (c Chart) Label(i int) string {
	if !c.From.IsZero() {
		return c.From.AddDays(i).Show()
	}
	return plain(c.Labels[i])
}

// Show formats a figure for users, as the table beside the chart does.
func (c Chart) Show(v *money.Amount) string {
	switch {
	case v == nil:
		return "n/a"
	case isCurrency(c.Unit):
		return v.Format(c.Unit)
	case c.Unit == "%":
		return v.Round(2).String() + " %"
	}
	return grouped(*v)
}

// told is what a label's figure and its note say.
func (c Chart) told(i int, v *money.Amount) string {
	note := ""
	if len(c.Notes) > 0 {
		note = plain(c.Notes[i])
	}
	switch {
	case note == "":
		return c.Show(v)
	case v == nil:
		return note
	}
	return c.Show(v) + ", " + note
}

// Closed reports whether a calendar shows the day as closed: it has no figure, and
// a note that says why.
func (c Chart) Closed(i int) bool {
	return c.Form == Calendar && c.Series[0].Values[i] == nil && len(c.Notes) > 0 && c.Notes[i] != ""
}

// brief is Show without trailing zero decimals.
func (c Chart) brief(v *money.Amount) string {
	switch {
	case v == nil:
		return ""
	case isCurrency(c.Unit):
		text := v.Format(c.Unit)
		if whole, frac, ok := strings.Cut(text, "."); ok && strings.Trim(frac, "0") == "" {
			return whole
		}
		return text
	case c.Unit == "%":
		return trimmed(v.Round(1)) + " %"
	}
	return grouped(v.Round(2))
}

func isCurrency(unit string) bool {
	return len(unit) == 3 && strings.Trim(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// trimmed writes a number without zeros at its end.
func trimmed(v money.Amount) string {
	s := v.String()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// grouped puts a comma after every three digits.
func grouped(v money.Amount) string {
	s, minus := strings.CutPrefix(trimmed(v), "-")
	whole, frac, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + frac
	}
	if minus {
		return "-" + whole
	}
	return whole
}

// plain makes one line of a text, without characters that XML cannot hold.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0xfffe || r == 0xffff || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)), " ")
}
