package pdf

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/chart"
)

// points are in a millimetre.
const points = 72 / 25.4

// LyingWide and LyingHigh are the size of a page of A4 in landscape in points.
const LyingWide, LyingHigh = 297 * points, 210 * points

// WriteScenes writes a document of drawn pages in landscape. lay returns a scene a page, in
// points and not larger than LyingWide by LyingHigh; measure, which it is given, returns
// how wide a text is drawn.
func WriteScenes(w io.Writer, title string, made time.Time,
	lay func(measure func(text string, size float64, bold bool) float64) []chart.Scene) error {
	p, err := begin(title, made)
	if err != nil {
		return err
	}
	scenes := lay(func(text string, size float64, bold bool) float64 {
		p.Face(map[bool]string{true: "B"}[bold], size, 0)
		return p.Measure(Unmarked(text)) * points
	})
	for _, s := range scenes {
		p.turn(true)
		p.Scene(s, 0, 0, 1/points)
	}
	return p.Output(w)
}

// Scene draws a scene with its upper left corner at a place; unit is how many millimetres
// one of its units takes.
func (p *Writer) Scene(s chart.Scene, left, top, unit float64) {
	x := func(v float64) float64 { return left + v*unit }
	y := func(v float64) float64 { return top + v*unit }
	for _, shape := range s.Shapes {
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
			for i := 1; i < len(s.Points); i++ {
				from, to := s.Points[i-1], s.Points[i]
				p.Line(x(from.X), y(from.Y), x(to.X), y(to.Y))
			}
		case chart.Dot:
			p.SetFillColor(rgb(s.Ink))
			p.Circle(x(s.X), y(s.Y), s.R*unit, "F")
		case chart.Text:
			p.sceneText(s, x(s.X), y(s.Y), unit)
		}
	}
	p.SetLineWidth(0.2)
}

func (p *Writer) sceneText(s chart.Text, x, y, unit float64) {
	p.Face(map[bool]string{true: "B"}[s.Bold], s.Size*unit*points, 0)
	p.SetTextColor(rgb(s.Ink))
	text := Unmarked(s.Text)
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
