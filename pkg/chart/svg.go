package chart

import (
	"html"
	"math"
	"strconv"
	"strings"
)

// SVG returns the drawing for a width as one SVG element without scripts,
// references or styles: shapes whose colours are CSS variables with a fallback
// for light paper (--chart-ink, --chart-s1, …). Its title and description make
// it readable without being seen; with figures the description has all of
// them, otherwise what Summary says, for pages that have the figures beside it.
//
// That of a calendar has an attribute data-days, the numbers of its Days in their order, and 1
// where weeks are rows or 0.
//
// Attributes stand in single quotes, which JSON need not escape.
func (c Chart) SVG(width float64, figures bool) string {
	desc := c.Summary()
	if figures {
		desc = c.Text()
	}
	return c.Draw(width).SVG(plain(c.Title), desc)
}

// SVG returns the scene as one SVG element, with a title and a description for people
// who do not see it. Its form is that of Chart.SVG.
func (s Scene) SVG(title, desc string) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ` + coord(s.Width) + " " + coord(s.Height) +
		`' width='` + coord(s.Width) + `' height='` + coord(s.Height) + `' role='img'`)
	if g := s.Days; g != nil {
		b.WriteString(" data-days='" + coord(g.Left) + " " + coord(g.Top) + " " + coord(g.Wide) + " " + coord(g.High) +
			" " + coord(g.Band) + " " + strconv.Itoa(g.Weeks) + " " + strconv.Itoa(g.Before) + " " +
			map[bool]string{true: "1", false: "0"}[g.Across] + "'")
	}
	if s.Stretch {
		b.WriteString(` preserveAspectRatio='none'>`)
	} else {
		b.WriteString(` font-family='system-ui, "Noto Sans", sans-serif'>`)
	}
	b.WriteString("<title>" + html.EscapeString(title) + "</title><desc>" + html.EscapeString(desc) + "</desc>")
	for i := 0; i < len(s.Shapes); {
		n := 1
		if r, ok := s.Shapes[i].(Rect); ok {
			for i+n < len(s.Shapes) {
				next, ok := s.Shapes[i+n].(Rect)
				if !ok || next.Ink != r.Ink {
					break
				}
				n++
			}
		}
		writeShapes(&b, s.Shapes[i:i+n])
		i += n
	}
	b.WriteString("</svg>")
	return b.String()
}

// writeShapes writes one shape, or rectangles of one ink as one path.
func writeShapes(b *strings.Builder, shapes []Shape) {
	switch sh := shapes[0].(type) {
	case Rect:
		if len(shapes) > 1 && sameWidth(shapes) {
			// Bars and squares as thick strokes take half the letters.
			b.WriteString("<path stroke='" + sh.Ink.css() + "' stroke-width='" + coord(sh.W) + "' d='")
			for _, s := range shapes {
				r := s.(Rect)
				b.WriteString("M" + coord(r.X+r.W/2) + " " + coord(r.Y) + "v" + coord(r.H))
			}
			b.WriteString("'/>")
			return
		}
		b.WriteString("<path fill='" + sh.Ink.css() + "' d='")
		for _, s := range shapes {
			r := s.(Rect)
			b.WriteString(
				"M" + coord(r.X) + " " + coord(r.Y) + "h" + coord(r.W) + "v" + coord(r.H) + "h-" + coord(r.W) + "z",
			)
		}
		b.WriteString("'/>")
	case Line:
		b.WriteString(
			"<path stroke='" + sh.Ink.css() + "' d='M" + coord(
				sh.X1,
			) + " " + coord(
				sh.Y1,
			) + "L" + coord(
				sh.X2,
			) + " " + coord(
				sh.Y2,
			) + "'/>",
		)
	case Path:
		b.WriteString("<path fill='none' stroke-width='2' stroke-linejoin='round' stroke='" + sh.Ink.css() + "' d='M")
		for i, p := range sh.Points {
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(coord(p.X) + " " + coord(p.Y))
		}
		b.WriteString("'/>")
	case Dot:
		b.WriteString(
			"<circle fill='" + sh.Ink.css() + "' cx='" + coord(
				sh.X,
			) + "' cy='" + coord(
				sh.Y,
			) + "' r='" + coord(
				sh.R,
			) + "'/>",
		)
	case Text:
		b.WriteString(
			"<text fill='" + sh.Ink.css() + "' x='" + coord(
				sh.X,
			) + "' y='" + coord(
				sh.Y,
			) + "' font-size='" + coord(
				sh.Size,
			) + "'",
		)
		if sh.Anchor != Start {
			b.WriteString(" text-anchor='" + map[Anchor]string{Middle: "middle", End: "end"}[sh.Anchor] + "'")
		}
		if sh.Bold {
			b.WriteString(" font-weight='600'")
		}
		b.WriteString(">" + html.EscapeString(sh.Text) + "</text>")
	}
}

func sameWidth(shapes []Shape) bool {
	for _, s := range shapes[1:] {
		if math.Abs(s.(Rect).W-shapes[0].(Rect).W) > 0.01 {
			return false
		}
	}
	return true
}

func (i Ink) css() string { return "var(--chart-" + string(i) + "," + i.Colour() + ")" }

// coord writes a place with at most one decimal.
func coord(f float64) string {
	return strconv.FormatFloat(math.Round(f*10)/10+0, 'f', -1, 64) // +0: no -0
}
