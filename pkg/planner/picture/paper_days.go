package picture

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

// Measures of days in points.
const (
	perPage   = 5 // days side by side
	leastHour = 15.0
	mostHour  = 27.0
	costHigh  = 11.5 // a line of costs
)

// option draws the days of an option, as many side by side as fit, and its costs.
func (s *sheet) option(o options.Option) {
	days := Days(o)
	from, to := Hours(days)
	pages := max(1, (len(days)+perPage-1)/perPage)
	each := max(1, (len(days)+pages-1)/pages)
	chunks := slices.Collect(slices.Chunk(days, each))
	for n, some := range chunks {
		s.turn()
		s.heading(o, n > 0)
		below := 0.0
		if n == len(chunks)-1 {
			below = belowDays(o)
		}
		s.days(some, each, from, to, below)
	}
	s.y += 6
	s.costs(o)
	for _, g := range o.Gaps {
		s.paragraph("Missing: "+g, 8.5, soft())
	}
}

// belowDays returns what costs and gaps take below the days; 0 where that is too much, so
// that they get a page of their own.
func belowDays(o options.Option) float64 {
	high := 30 + float64((len(o.Costs)+1)/2)*costHigh + float64(len(o.Gaps))*12
	if high > 190 {
		return 0
	}
	return high
}

func (s *sheet) heading(o options.Option, again bool) {
	all := s.Wide - 2*margin
	title := o.Title
	if again {
		title += " (continued)"
	}
	s.right(s.Wide-margin, s.y+3, all*0.45, 11, strong(), o.EstimatedTotalCost)
	s.text(margin, s.y, all*0.54, 16, strong(), title)
	s.y += 22
	if again {
		return
	}
	s.y = s.lines(margin, s.y, all, 9, soft(), s.wrap(o.Description, 9, all, false, 2)) + 5
}

const axisWide = 26.0

// days draws days as columns along one clock, and leaves so much free below.
func (s *sheet) days(days []Day, columns, from, to int, below float64) {
	wide := (s.Wide - 2*margin - axisWide) / float64(columns)
	const around = 28 + 44 // the heads, the nights and what has no time
	hour := min(mostHour, max(leastHour, (s.room()-around-below)/float64(to-from)))
	head := s.y
	top := head + 28
	end := top + hour*float64(to-from)
	for h := from; h <= to; h++ {
		y := top + hour*float64(h-from)
		s.add(chart.Line{X1: margin + axisWide, Y1: y, X2: s.Wide - margin, Y2: y, Ink: chart.Grid})
		s.right(margin+axisWide-5, y-4, axisWide, 7, soft(), clockOf(h))
	}
	low := end
	for n, d := range days {
		x := margin + axisWide + float64(n)*wide
		s.text(x+4, head, wide-8, 9, strong(), dateOf(d))
		s.text(x+4, head+12, wide-8, 8.5, soft(), d.Heading())
		s.add(chart.Line{X1: x, Y1: head, X2: x, Y2: end, Ink: chart.Grid})
		for _, b := range d.Blocks {
			lane := (wide - 6) / float64(b.Lanes)
			s.block(b, x+3+float64(b.Lane)*lane, top+hour*(float64(b.From)/60-float64(from)), lane-1,
				hour*float64(b.To-b.From)/60)
		}
		low = max(low, s.under(d, x+4, end+5, wide-8))
	}
	s.y = low + 4
}

// under draws what stands below the clock of a day.
func (s *sheet) under(d Day, x, y, wide float64) float64 {
	if d.Night != nil {
		s.add(chart.Rect{X: x, Y: y + 1.5, W: 6, H: 6, Ink: Ink(options.CostStay)})
		s.text(x+10, y, wide-10, 8, plain(), "Night: "+d.Night.Name)
		y += 11
	}
	for _, b := range d.Open[:min(len(d.Open), 3)] {
		s.text(x, y, wide, 7.5, soft(), "Any time: "+b.Label())
		y += 10
	}
	return y
}

// block draws a block: a pale rectangle with an edge in its colour, its name, and its clock
// where there is room.
func (s *sheet) block(b Block, x, y, wide, high float64) {
	const size, line = 7.5, 8.8
	ink := Ink(b.Category)
	high = max(high-0.8, 7)
	s.add(chart.Rect{X: x, Y: y, W: wide, H: high, Ink: pale(ink)})
	s.add(chart.Rect{X: x, Y: y, W: 2.2, H: high, Ink: ink})
	room := max(1, int((high-0.5)/line))
	in := wide - 8
	lines := s.wrap(b.Label(), size, in, true, max(1, room-1))
	at := y + max(0.4, min(1.5, (high-line)/2))
	for _, l := range lines {
		s.text(x+5, at, in, size, strong(), l)
		at += line
	}
	if len(lines) < room {
		s.text(x+5, at, in, 7, soft(), joined(" · ", b.Clock(), walked(b), sourceOf(b)))
	}
}

// walked returns the way to a block on foot: "12 min on foot"; "" for none.
func walked(b Block) string {
	if b.Walk == 0 {
		return ""
	}
	return strconv.Itoa(b.Walk) + " min on foot"
}

// sourceOf names a source only where it is not the usual one.
func sourceOf(b Block) string {
	if b.Source == specialists.Listed || b.Source == "" {
		return ""
	}
	return Says(b.Source)
}

func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), between)
}

func clockOf(hour int) string { return strconv.Itoa(hour/10) + strconv.Itoa(hour%10) + ":00" }

// dateOf returns "Day 1 · Fri 12 Feb".
func dateOf(d Day) string {
	return "Day " + strconv.Itoa(d.Number) + " · " + d.Date.Time().Format("Mon 2 Jan")
}

// costs draws the costs of an option in two columns.
func (s *sheet) costs(o options.Option) {
	wide := (s.Wide - 2*margin - 2*gutter) / 2
	const line = costHigh
	rows := (len(o.Costs) + 1) / 2
	s.need(min(float64(rows)*line+14, s.High/2))
	s.text(margin, s.y, wide, 9, strong(), "Costs")
	s.y += 14
	for n := range rows {
		s.need(line)
		for column, i := range []int{n, n + rows} {
			if i >= len(o.Costs) {
				continue
			}
			x, l := margin+float64(column)*(wide+2*gutter), o.Costs[i]
			s.add(chart.Rect{X: x, Y: s.y + 1.5, W: 6, H: 6, Ink: Ink(l.Category)})
			s.text(x+11, s.y, wide-150, 8.5, plain(), l.Label)
			s.right(x+wide-50, s.y, 86, 8.5, plain(), Range(l.From, l.To, l.Currency))
			s.right(x+wide, s.y, 46, 7.5, soft(), Says(l.Source))
		}
		s.y += line
	}
	s.y += 4
}
