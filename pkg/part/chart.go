package part

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
)

// Chart is the content of a part of the kind chart: the figures, and the
// drawing of them for a column of text and for a telephone. Make it with Draw.
type Chart struct {
	chart.Chart
	SVG    string `json:"svg"`
	Narrow string `json:"narrow,omitempty"`
}

// detailed is up to how many points the drawing itself names every figure;
// the part's text always does.
const detailed = 60

// Draw returns a chart with its drawings. A chart that cannot be drawn is
// refused by New.
func Draw(c chart.Chart) Chart {
	d := Chart{Chart: c}
	if c.Check() == nil {
		figures := c.Len()*len(c.Series) <= detailed
		d.SVG, d.Narrow = c.SVG(chart.Wide, figures), c.SVG(chart.Narrow, figures)
	}
	return d
}

// Kind is "chart".
func (Chart) Kind() string { return "chart" }

// Check refuses what cannot be drawn or was not.
func (c Chart) Check() error {
	if err := c.Chart.Check(); err != nil {
		return err
	}
	if c.SVG == "" {
		return fmt.Errorf("the chart %q is not drawn", c.Title)
	}
	return nil
}

// Cut leaves out the drawing for telephones; the other one is then shown there,
// smaller. Where that does not suffice notes are left out, but for those that stand
// for a figure. Figures are never left out.
func (c Chart) Cut(share float64) Data {
	c.Narrow = ""
	if share < 0.7 && len(c.Notes) > 0 {
		notes := make([]string, len(c.Notes))
		for i := range notes {
			if c.Closed(i) {
				notes[i], _, _ = strings.Cut(c.Notes[i], ",")
			}
		}
		c.Notes = notes
	}
	return c
}
