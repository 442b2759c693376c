package export

import (
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"

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
	for i := range c.Len() {
		row := []render.Cell{render.Text(c.Label(i))}
		for _, s := range c.Series {
			text := c.Show(s.Values[i])
			if s.Values[i] != nil && strings.Trim(text, "-,.0123456789") == "" {
				text = s.Values[i].String() // without commas it is read as a number
			}
			row = append(row, render.Text(text))
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
	left, top := pdf.Margin, p.GetY()
	x := func(v float64) float64 { return left + v*unit }
	y := func(v float64) float64 { return top + v*unit }
	for _, shape := range scene.Shapes {
		switch s := shape.(type) {
		case chart.Rect:
			p.SetFillColor(rgb(s.Ink))
			p.Rect(x(s.X), y(s.Y), s.W*unit, s.H*unit, "F")
		case chart.Line:
			p.SetDrawColor(rgb(s.Ink))
			p.SetLineWidth(unit)
			p.Line(x(s.X1), y(s.Y1), x(s.X2), y(s.Y2))
		case chart.Path:
			p.SetDrawColor(rgb(s.Ink))
			p.SetLineWidth(2 * unit)
			points := make([]fpdf.PointType, len(s.Points))
			for i, point := range s.Points {
				points[i] = fpdf.PointType{X: x(point.X), Y: y(point.Y)}
			}
			for i := 1; i < len(points); i++ {
				p.Line(points[i-1].X, points[i-1].Y, points[i].X, points[i].Y)
			}
		case chart.Dot:
			p.SetFillColor(rgb(s.Ink))
			p.Circle(x(s.X), y(s.Y), s.R*unit, "F")
		case chart.Text:
			p.chartText(s, x(s.X), y(s.Y), unit)
		}
	}
	p.SetLineWidth(0.2)
	p.SetXY(pdf.Margin, top+scene.Height*unit)
}

func (p paper) chartText(s chart.Text, x, y, unit float64) {
	const points = 72 / 25.4 // in a millimetre
	p.Face(map[bool]string{true: "B"}[s.Bold], s.Size*unit*points, 0)
	p.SetTextColor(rgb(s.Ink))
	text := pdf.Unmarked(s.Text)
	switch s.Anchor {
	case chart.Middle:
		x -= p.Measure(text) / 2
	case chart.End:
		x -= p.Measure(text)
	}
	p.Put(x, y, text)
}

// rgb is an ink's colour on paper in parts of 255.
func rgb(i chart.Ink) (r, g, b int) {
	n, err := strconv.ParseUint(strings.TrimPrefix(i.Colour(), "#"), 16, 32)
	if err != nil {
		return 0, 0, 0
	}
	return int(n >> 16), int(n >> 8 & 255), int(n & 255)
}
