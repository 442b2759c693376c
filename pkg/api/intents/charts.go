package intents

import (
	"strconv"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Bounds of the charts.
const (
	mostBars  = 10 // sentences that are shown
	mostLabel = 48 // letters of a sentence
)

// charts draws the report: coverage and precision per day, and the sentences that needed
// a model most often. A chart without figures is left out.
func charts(r intents.Report) []part.Part {
	out := []part.Part{}
	add := func(id string, c chart.Chart) {
		if p, err := part.New(part.Draw(c), "", nil); err == nil {
			p.ID = id
			out = append(out, p)
		}
	}
	var labels []string
	covered, right := chart.Series{Name: "matched without a model"}, chart.Series{Name: "of these, right"}
	for _, d := range r.Days {
		label := d.Day
		if day, err := time.Parse(time.DateOnly, d.Day); err == nil {
			label = day.Format("2 Jan")
		}
		labels = append(labels, label)
		covered.Values = append(covered.Values, percent(d.Matched, d.Turns))
		right.Values = append(right.Values, percent(d.Right, d.Matched))
	}
	if len(labels) > 0 {
		form := chart.Lines
		if len(labels) == 1 {
			form = chart.Bars // a line needs two days
		}
		add("coverage", chart.Chart{Title: "Coverage and precision", Form: form, Unit: "%", Labels: labels,
			Series: []chart.Series{covered, right}})
	}
	labels = nil
	often := chart.Series{Name: "turns"}
	for _, p := range r.Unmatched[:min(len(r.Unmatched), mostBars)] {
		labels = append(labels, shortened(p.Query))
		often.Values = append(often.Values, amount(strconv.Itoa(p.Occurrences)))
	}
	if len(labels) > 0 {
		add("unmatched", chart.Chart{Title: "Sentences that needed a model", Form: chart.Bars, Labels: labels,
			Series: []chart.Series{often}})
	}
	return out
}

func percent(a, b int) *money.Amount {
	if b == 0 {
		return nil
	}
	return amount(strconv.FormatFloat(100*float64(a)/float64(b), 'f', 1, 64))
}

func amount(text string) *money.Amount {
	a, err := money.Parse(text)
	if err != nil {
		return nil
	}
	return &a
}

func shortened(s string) string {
	if r := []rune(s); len(r) > mostLabel {
		return string(r[:mostLabel-1]) + "…"
	}
	return s
}
