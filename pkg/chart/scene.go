package chart

import (
	"strings"
)

// The widths for which charts are laid out: a column of text, and a telephone.
// A drawing may be shown smaller or larger than that.
const (
	Wide   = 640
	Narrow = 320
)

// Ink is a colour by its role in the chart. Each has a colour for light paper;
// pages give it others by CSS variables of its name.
type Ink string

// colours is how many series can be told apart.
const colours = 6

// Inks of text and lines. Series have s1 to s6, of which p1 to p4 are pale forms, days
// h0 to h4, and what stands on a day o0 to o4.
const (
	Strong Ink = "ink"
	Soft   Ink = "soft"
	Grid   Ink = "grid"
	Base   Ink = "base"
)

// Colour returns the ink's colour on light paper, such as "#1f4a43".
func (i Ink) Colour() string {
	switch i {
	case Strong:
		return "#22272a"
	case Soft:
		return "#566063"
	case Grid:
		return "#e2ddd4"
	case Base:
		return "#8b9194"
	case "s1", "h4":
		return "#1f6f63"
	case "s2":
		return "#b9772a"
	case "s3":
		return "#4a68a8"
	case "s4":
		return "#a2557e"
	case "s5":
		return "#6b7f2e"
	case "s6":
		return "#7a7f83"
	case "p1":
		return "#d3e6e1"
	case "p2":
		return "#f3e4cd"
	case "p3":
		return "#dbe2f2"
	case "p4":
		return "#efdce8"
	case "h0":
		return "#eceae4"
	case "h1":
		return "#cfe3dd"
	case "h2":
		return "#94c4b8"
	case "h3":
		return "#4d9a8b"
	case "o4":
		return "#ffffff"
	}
	return "#22272a" // o0 to o3: what stands on light squares
}

// Scene is a chart laid out: shapes in the order in which they are drawn, in
// units of which Wide or Narrow make the width.
type Scene struct {
	Width, Height float64
	Shapes        []Shape
	// Stretch says that the drawing has no texts and may be shown in other proportions.
	Stretch bool
	// Days is where the days of a calendar stand; nil for other forms.
	Days *Days
}

// Days is where the days of a calendar stand, each Wide and High with its gap, from Left
// and Top on. Weeks are columns, so many side by side, and further ones Band below;
// with Across they are rows. The first week has Before places before the first day.
type Days struct {
	Left, Top, Wide, High, Band float64
	Weeks, Before               int
	Across                      bool
}

// At returns the upper left corner of the day at an index.
func (g Days) At(i int) (x, y float64) {
	week, day := (g.Before+i)/7, (g.Before+i)%7
	if g.Across {
		return g.Left + float64(day)*g.Wide, g.Top + float64(week)*g.High
	}
	return g.Left + float64(week%g.Weeks)*g.Wide, g.Top + float64(week/g.Weeks)*g.Band + float64(day)*g.High
}

// Shape is one of Rect, Line, Path, Dot and Text.
type Shape interface{ shape() }

// Rect is a filled rectangle.
type Rect struct {
	X, Y, W, H float64
	Ink        Ink
}

// Line is a thin line.
type Line struct {
	X1, Y1, X2, Y2 float64
	Ink            Ink
}

// Path is a line through points.
type Path struct {
	Points []Point
	Ink    Ink
}

// Point is a place.
type Point struct{ X, Y float64 }

// Dot is a filled circle.
type Dot struct {
	X, Y, R float64
	Ink     Ink
}

// Text is one line of text; Y is its base line.
type Text struct {
	X, Y, Size float64
	Anchor     Anchor
	Bold       bool
	Ink        Ink
	Text       string
}

// Anchor is which part of a text stands at its place.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

func (Rect) shape() {}
func (Line) shape() {}
func (Path) shape() {}
func (Dot) shape()  {}
func (Text) shape() {}

func (s *Scene) add(shapes ...Shape) { s.Shapes = append(s.Shapes, shapes...) }

// Add appends shapes, which are drawn above those before.
func (s *Scene) Add(shapes ...Shape) { s.add(shapes...) }

// Measure is about how wide a text is drawn, rather too wide, since the font of
// the client is unknown.
func Measure(text string, size float64) float64 {
	sum := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("ijl.,:;|!'’ ()-ftr", r):
			sum += 0.36
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z' && r != 'm' && r != 'w':
			sum += 0.58
		case r < 0x2000:
			sum += 0.78
		default:
			sum += 1
		}
	}
	return sum * size
}

// cut shortens a text to a width.
func cut(text string, size, width float64) string {
	if Measure(text, size) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if short := strings.TrimRight(string(runes[:n]), " ") + "…"; Measure(short, size) <= width {
			return short
		}
	}
	return "…"
}

const (
	textSize  = 11.0
	titleSize = 14.0
	edge      = 4.0 // free at all sides
)

// Draw lays the chart out for a width. The chart must have passed Check.
func (c Chart) Draw(width float64) Scene {
	s := Scene{Width: width}
	y := s.heading(c, edge)
	switch {
	case c.Form == Calendar:
		y = c.calendar(&s, y)
	case c.Form != Lines && c.lies(width):
		y = c.lying(&s, y)
	default:
		y = c.upright(&s, y)
	}
	s.Height = y + edge
	return s
}

// heading writes the title, and the names of the series where there are some.
func (s *Scene) heading(c Chart, y float64) float64 {
	const bold = titleSize * 1.15 // bold letters are wider
	rest := strings.Fields(plain(c.Title) + c.unit())
	for lines := 0; len(rest) > 0; lines++ {
		n := 1
		for n < len(rest) && Measure(strings.Join(rest[:n+1], " "), bold) <= s.Width-2*edge {
			n++
		}
		if lines == 1 {
			n = len(rest)
		}
		y += 18
		s.add(
			Text{
				X:    edge,
				Y:    y - 4,
				Size: titleSize,
				Bold: true,
				Ink:  Strong,
				Text: cut(strings.Join(rest[:n], " "), bold, s.Width-2*edge),
			},
		)
		rest = rest[n:]
	}
	if len(c.Series) < 2 {
		return y + 4
	}
	x := edge
	y += 18
	for i, series := range c.Series {
		name := cut(plain(series.Name), textSize, s.Width-2*edge-16)
		if wide := 16 + Measure(name, textSize); x > edge && x+wide > s.Width-edge {
			x, y = edge, y+18
		}
		s.add(
			Rect{X: x, Y: y - 9, W: 10, H: 10, Ink: c.ink(i)},
			Text{X: x + 15, Y: y, Size: textSize, Ink: Soft, Text: name},
		)
		x += 16 + Measure(name, textSize) + 12
	}
	return y + 6
}

// ink is the colour of a series.
func (c Chart) ink(i int) Ink {
	if c.Series[i].Rest {
		return "h1"
	}
	return Ink("s" + string(rune('1'+i)))
}
