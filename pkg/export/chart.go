package export

import (
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/export/pdf"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// figures returns a chart's figures as a table: a row for each label, a column
// for each series.
func figures(c chart.Chart) render.Table {
	t := render.Table{Title: c.Title, Columns: []render.Column{{Key: "label", Label: "Label"}}}
	for i, s := range c.Series {
		t.Columns = append(t.Columns, render.Column{Key: "s" + strconv.Itoa(i+1), Label: s.Name, Right: true})
	}
	if len(c.Notes) > 0 {
		t.Columns = append(t.Columns, render.Column{Key: "note", Label: "Note"})
	}
	for i := range c.Len() {
		row := []render.Cell{render.Text(c.Label(i))}
		for _, s := range c.Series {
			text := c.Show(s.Values[i])
			if s.Values[i] != nil && strings.Trim(text, "-,.0123456789") == "" {
				text = s.Values[i].String() // without commas it is read as a number
			}
			row = append(row, render.Text(text))
		}
		if len(c.Notes) > 0 {
			row = append(row, render.Text(c.Notes[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// markdownChart is a chart in block characters, as a block of code whose lines
// are indented, so that no label ends it.
func markdownChart(c chart.Chart) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(c.Blocks(76), "\n"), "\n") {
		b.WriteString("    " + strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// chart draws a chart over the width of the page, from the shapes of which SVG
// is written elsewhere.
func (p paper) chart(c chart.Chart) {
	scene := c.Draw(chart.Wide)
	unit := min(p.Width(), 210-2*pdf.Margin) / scene.Width
	p.Need(scene.Height * unit)
	top := p.GetY()
	p.Scene(scene, pdf.Margin, top, unit)
	p.SetXY(pdf.Margin, top+scene.Height*unit)
}
