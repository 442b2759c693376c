package picture

import (
	"slices"
	"sort"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
)

// Paper lays options out on pages in landscape: an overview with the options side by side
// and what they rest on, then the days of each by the clock with its costs.
type Paper struct {
	Title    string // "Boston, 12 to 15 Feb 2027"
	Detail   string // "2 adults · mid budget · from London"
	Selected string // id of the selected option, "" for none
	// Wide and High are the size of a page in points.
	Wide, High float64
	// Measure returns how wide a text is drawn in points; nil estimates it.
	Measure func(text string, size float64, bold bool) float64
}

// Measures in points.
const (
	margin = 36.0
	foot   = 46.0 // below the lowest line, for the number of the page
	gutter = 14.0
)

// sheet is the page that is being drawn. y is where the next thing begins.
type sheet struct {
	Paper
	pages []chart.Scene
	y     float64
}

// Pages returns the pages.
func (p Paper) Pages(set options.Set) []chart.Scene {
	if p.Measure == nil {
		p.Measure = func(text string, size float64, bold bool) float64 {
			if bold {
				size *= 1.1
			}
			return chart.Measure(text, size)
		}
	}
	s := &sheet{Paper: p}
	s.overview(set)
	for _, o := range set.Options {
		s.option(o)
	}
	return s.pages
}

func (s *sheet) turn() {
	s.pages = append(s.pages, chart.Scene{Width: s.Wide, Height: s.High})
	s.y = margin
}

func (s *sheet) add(shapes ...chart.Shape) { s.pages[len(s.pages)-1].Add(shapes...) }

func (s *sheet) room() float64 { return s.High - foot - s.y }

// need begins a page unless so much is left of this one.
func (s *sheet) need(high float64) {
	if s.room() < high {
		s.turn()
	}
}

// text draws a line whose top is at y, cut to the width.
func (s *sheet) text(x, y, wide, size float64, l look, text string) {
	s.draw(x, y, wide, size, l, chart.Start, text)
}

func (s *sheet) draw(x, y, wide, size float64, l look, anchor chart.Anchor, text string) {
	s.add(chart.Text{X: x, Y: y + size*0.82, Size: size, Anchor: anchor, Bold: l.bold, Ink: l.ink,
		Text: s.cut(text, size, wide, l.bold)})
}

// right is text that ends at x.
func (s *sheet) right(x, y, wide, size float64, l look, text string) {
	s.draw(x, y, wide, size, l, chart.End, text)
}

func (s *sheet) cut(text string, size, wide float64, bold bool) string {
	text = strings.Join(strings.Fields(text), " ")
	if s.Measure(text, size, bold) <= wide {
		return text
	}
	letters := []rune(text)
	letters = letters[:min(len(letters), 400)] // no line has more
	short := func(n int) string { return strings.TrimRight(string(letters[:n]), " ,.;") + "…" }
	fits := sort.Search(len(letters), func(n int) bool { return s.Measure(short(n), size, bold) > wide })
	return short(max(0, fits-1))
}

// wrap cuts a text into lines of at most the width; the last of most lines is cut.
func (s *sheet) wrap(text string, size, wide float64, bold bool, most int) []string {
	var lines []string
	words := strings.Fields(text)
	for len(words) > 0 {
		n := 1
		for n < len(words) && s.Measure(strings.Join(words[:n+1], " "), size, bold) <= wide {
			n++
		}
		if len(lines) == most-1 {
			n = len(words)
		}
		lines = append(lines, s.cut(strings.Join(words[:n], " "), size, wide, bold))
		words = words[n:]
	}
	return lines
}

// look is how a text is drawn.
type look struct {
	bold bool
	ink  chart.Ink
}

func strong() look { return look{true, chart.Strong} }
func plain() look  { return look{ink: chart.Strong} }
func soft() look   { return look{ink: chart.Soft} }

// overview draws the options side by side. Rows are as high as the highest of their cells.
func (s *sheet) overview(set options.Set) {
	s.turn()
	all := s.Wide - 2*margin
	s.text(margin, s.y, all, 20, strong(), s.Title)
	s.text(margin, s.y+27, all, 10, soft(), s.Detail)
	s.y += 50
	count := float64(len(set.Options))
	wide := (all - gutter*(count-1)) / count
	if count == 1 {
		wide = all * 0.6
	}
	top := s.y
	stacks := Stacks(set)
	// row draws one cell of each option, and goes below the highest.
	row := func(gap float64, cell func(x, y float64, n int, o options.Option) float64) {
		low := s.y
		for n, o := range set.Options {
			low = max(low, cell(margin+float64(n)*(wide+gutter)+10, s.y, n, o))
		}
		s.y = low + gap
	}
	in := wide - 20
	s.y += 10
	row(3, func(x, y float64, _ int, o options.Option) float64 {
		label := Level(o) + " · " + string(o.Pace)
		if o.ID == s.Selected {
			label += " · selected"
		}
		s.text(x, y, in, 8.5, soft(), label)
		return y + 11
	})
	row(4, func(x, y float64, _ int, o options.Option) float64 {
		return s.lines(x, y, in, 13, strong(), s.wrap(o.Title, 13, in, true, 2))
	})
	row(8, func(x, y float64, _ int, o options.Option) float64 {
		return s.lines(x, y, in, 9, soft(), s.wrap(o.Description, 9, in, false, 4))
	})
	row(2, func(x, y float64, _ int, o options.Option) float64 {
		return s.lines(x, y, in, 12, strong(), s.wrap(o.EstimatedTotalCost, 12, in, true, 2))
	})
	row(6, func(x, y float64, _ int, o options.Option) float64 {
		for _, stack := range stacks {
			if stack.Option == o.ID {
				bar := in
				if len(o.Totals) > 1 { // a bar says which currency it is of
					bar -= 90
					s.right(x+in, y+1.5, 86, 7.5, soft(), stack.Total)
				}
				s.add(chart.Rect{X: x, Y: y, W: bar, H: 11, Ink: "h0"})
				s.add(stack.shapes(x, y, bar, 11)...)
				y += 14
			}
		}
		return y
	})
	row(8, func(x, y float64, _ int, o options.Option) float64 {
		for _, sum := range Sums(o) {
			s.add(chart.Rect{X: x, Y: y + 1.5, W: 6, H: 6, Ink: Ink(sum.Category)})
			s.text(x+11, y, in*0.35, 8.5, plain(), Name(sum.Category))
			s.right(x+in-48, y, in*0.42, 8.5, plain(), sum.Text())
			s.right(x+in, y, 46, 7.5, soft(), Says(sum.Source))
			y += 12
		}
		return y
	})
	row(6, func(x, y float64, _ int, o options.Option) float64 {
		for _, h := range o.Highlights[:min(len(o.Highlights), 4)] {
			s.add(chart.Dot{X: x + 3, Y: y + 4.5, R: 1.3, Ink: chart.Soft})
			y = s.lines(x+11, y, in-11, 8.5, plain(), s.wrap(h, 8.5, in-11, false, 2)) + 1
		}
		return y
	})
	for _, a := range set.Axes {
		row(0, func(x, y float64, n int, _ options.Option) float64 {
			if n >= len(a.Values) {
				return y
			}
			if Differs(a, n) {
				s.add(chart.Rect{X: x - 4, Y: y, W: in + 8, H: 13.5, Ink: "h1"})
			}
			s.text(x, y+2.5, 50, 8.5, soft(), a.Name)
			s.text(x+52, y+2.5, in-52, 8.5, look{Differs(a, n), chart.Strong}, a.Values[n])
			return y + 15
		})
	}
	s.y += 6
	for n, o := range set.Options {
		ink := chart.Grid
		if o.ID == s.Selected {
			ink = "s1"
		}
		s.frame(margin+float64(n)*(wide+gutter), top, wide, s.y-top, ink)
	}
	s.y += 12
	s.legend()
	s.paragraph(set.ComparisonNote, 9, plain())
	s.y += 8
	s.basis(set)
}

// Level returns the tier of an option for people: "mid budget".
func Level(o options.Option) string { return string(o.Tier) + " budget" }

// Differs reports whether an option is alone with its value.
func Differs(a options.Axis, n int) bool {
	for i, v := range a.Values {
		if i != n && v == a.Values[n] {
			return false
		}
	}
	return len(a.Values) > 1
}

func (s *sheet) lines(x, y, wide, size float64, l look, lines []string) float64 {
	for _, text := range lines {
		s.text(x, y, wide, size, l, text)
		y += size * 1.25
	}
	return y
}

func (s *sheet) frame(x, y, w, h float64, ink chart.Ink) {
	line := func(x1, y1, x2, y2 float64) { s.add(chart.Line{X1: x1, Y1: y1, X2: x2, Y2: y2, Ink: ink}) }
	line(x, y, x+w, y)
	line(x, y+h, x+w, y+h)
	line(x, y, x, y+h)
	line(x+w, y, x+w, y+h)
}

// legend says what colours and sources mean.
func (s *sheet) legend() {
	s.need(14)
	x := margin
	for _, c := range Categories() {
		s.add(chart.Rect{X: x, Y: s.y + 1.5, W: 6, H: 6, Ink: Ink(c)})
		s.text(x+10, s.y, 90, 8, soft(), Name(c))
		x += 22 + s.Measure(Name(c), 8, false)
	}
	s.text(x, s.y, s.Wide-margin-x, 8, soft(), legend)
	s.y += 15
}

// legend says what pale bars and sources mean.
const legend = "Pale: what it may cost beyond that. Prices: live = a supplier’s price of the search, " +
	"listed = typical price of the guide, unverified = from a model, not checked."

// paragraph draws a text over the width, on as many pages as it takes.
func (s *sheet) paragraph(text string, size float64, l look) {
	for _, text := range s.wrap(text, size, s.Wide-2*margin, l.bold, 40) {
		s.need(size * 1.35)
		s.text(margin, s.y, s.Wide-2*margin, size, l, text)
		s.y += size * 1.35
	}
}

// list is texts below a title.
type list struct {
	title string
	lines []string
}

// basis draws what the options rest on, the lists side by side.
func (s *sheet) basis(set options.Set) {
	const size, line = 8.5, 11.0
	var heads []string
	var columns [][]string
	lists := []list{{"Assumptions", set.Assumptions}, {"Risks", set.Risks}, {"Open questions", set.Questions},
		{"Budget levels", set.Tiers}}
	lists = slices.DeleteFunc(lists, func(l list) bool { return len(l.lines) == 0 })
	wide := (s.Wide - 2*margin - gutter*float64(len(lists)-1)) / float64(max(1, len(lists)))
	rows := 0
	for _, l := range lists {
		var lines []string
		for _, text := range l.lines {
			lines = append(lines, s.wrap("– "+text, size, wide, false, 12)...)
		}
		heads, columns, rows = append(heads, l.title), append(columns, lines), max(rows, len(lines))
	}
	if rows == 0 {
		return
	}
	s.need(min(float64(rows)*line, s.High/3) + 14)
	x := func(n int) float64 { return margin + float64(n)*(wide+gutter) }
	for n, h := range heads {
		s.text(x(n), s.y, wide, 9, strong(), h)
	}
	s.y += 14
	for row := range rows {
		s.need(line)
		for n, c := range columns {
			if row < len(c) {
				s.text(x(n), s.y, wide, size, plain(), c[row])
			}
		}
		s.y += line
	}
}
