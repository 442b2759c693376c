package views

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// graph declares a chart: of the records at a path, or of single figures of the answer.
type graph struct {
	title  string // may have values in braces
	form   chart.Form
	when   string // "" for always; see shown.meets
	rows   string
	label  string // path of a record's label
	format format // of the label
	series []series
	points []figure // instead of rows: one bar for each
}

// series is one row of figures: its name and its path in a record.
type series struct{ name, path string }

// maxBars is how many records a chart shows; the first ones, since lists are sorted.
const maxBars = 24

// chart draws a graph. It returns false where there are less than two figures, or none
// but zeros.
func (s shown) chart(g graph) (part.Chart, bool) {
	if g.when != "" && !s.meets(s.answer, g.when) {
		return part.Chart{}, false
	}
	c := chart.Chart{Title: upperFirst(s.plain(s.answer, g.title)), Form: g.form, Unit: "INR"}
	if g.points != nil {
		c.Series = []chart.Series{{Name: "Amount"}}
		for _, p := range g.points {
			if a, ok := amount(s.value(s.answer, p.path)); ok {
				c.Labels = append(c.Labels, p.label)
				c.Series[0].Values = append(c.Series[0].Values, &a)
			}
		}
		return drawn(c)
	}
	records := list(s.value(s.answer, g.rows))
	if len(records) > maxBars {
		c.Title += fmt.Sprintf(" (the first %d of %d)", maxBars, len(records))
		records = records[:maxBars]
	}
	for _, one := range g.series {
		c.Series = append(c.Series, chart.Series{Name: one.name})
	}
	for _, r := range records {
		label := axis(g.format, s.value(r, g.label))
		if label == "" {
			label = "–"
		}
		c.Labels = append(c.Labels, label)
		for i, one := range g.series {
			var v *money.Amount
			if a, ok := amount(s.value(r, one.path)); ok {
				v = &a
			}
			c.Series[i].Values = append(c.Series[i].Values, v)
		}
	}
	return drawn(c)
}

// axis is the label of a figure below a chart, where there is little room.
func axis(f format, v any) string {
	if d, ok := monthOf(v); ok && (f == month || f == label) {
		return d.Month.String()[:3] + " " + strconv.Itoa(d.Year)
	}
	return f.write(language.English, v, 40)
}

// drawn draws what has a shape.
func drawn(c chart.Chart) (part.Chart, bool) {
	some := false
	for _, one := range c.Series {
		for _, v := range one.Values {
			some = some || v != nil && !v.IsZero() && len(strings.Split(v.String(), ".")[0]) < maxDigits
			if v != nil && len(strings.Split(v.String(), ".")[0]) >= maxDigits {
				return part.Chart{}, false
			}
		}
	}
	if !some || c.Len() < 2 || c.Check() != nil {
		return part.Chart{}, false
	}
	p := part.Draw(c)
	return p, p.Check() == nil
}

// maxDigits is how many digits before the point a figure of a chart has less than: an
// amount of a company has no more.
const maxDigits = 16
