package chart

import (
	"math"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// maxRows is how many labels bars may have that lie one below the other.
const maxRows = 30

// lies reports whether bars should lie: their labels do not fit below them.
func (c Chart) lies(width float64) bool {
	if !c.From.IsZero() || c.Len() > maxRows {
		return false
	}
	slot := (width - c.gutter(c.newScale(5)) - 2*edge) / float64(c.Len())
	return slices.ContainsFunc(c.Labels, func(l string) bool { return Measure(plain(l), textSize)+6 > slot })
}

// lying draws bars from left to right, each with its figure at its end.
func (c Chart) lying(s *Scene, y float64) float64 {
	const high = 14.0
	label, figure := 0.0, 0.0
	for i := range c.Len() {
		label = max(label, Measure(c.Label(i), textSize))
		figure = max(figure, Measure(c.figureAt(i), textSize))
		for _, series := range c.Series {
			figure = max(figure, Measure(c.brief(series.Values[i]), textSize))
		}
	}
	label = min(label, s.Width*0.36)
	sc := c.newScale(4)
	left, right := edge+label+8, s.Width-edge-figure-6
	if sc.low < 0 {
		left += figure + 6
	}
	zero := sc.place(0, left, right)
	rows := len(c.Series)
	if c.Form == Stacked {
		rows = 1
	}
	y += 6
	top := y
	for i := range c.Len() {
		s.add(
			Text{
				X:      edge + label,
				Y:      y + float64(rows)*high/2 + 4,
				Size:   textSize,
				Anchor: End,
				Ink:    Soft,
				Text:   cut(c.Label(i), textSize, label),
			},
		)
		if c.Form == Stacked {
			x := zero
			for n, series := range c.Series {
				if v := series.Values[i]; v != nil {
					w := sc.place(number(*v), left, right) - zero
					s.add(Rect{X: x, Y: y + 1, W: w, H: high - 2, Ink: c.ink(n)})
					x += w
				}
			}
			s.add(Text{X: x + 5, Y: y + high/2 + 4, Size: textSize, Ink: Strong, Text: c.figureAt(i)})
		} else {
			for n, series := range c.Series {
				c.lyingBar(s, sc, series.Values[i], c.ink(n), left, right, y+float64(n)*high, high)
			}
		}
		y += float64(rows)*high + 8
	}
	s.add(Line{X1: zero, Y1: top - 2, X2: zero, Y2: y - 6, Ink: Base})
	return y
}

func (c Chart) lyingBar(s *Scene, sc scale, v *money.Amount, ink Ink, left, right, y, high float64) {
	zero := sc.place(0, left, right)
	end, anchor, gap := zero, Start, 5.0
	if v != nil {
		end = sc.place(number(*v), left, right)
		s.add(Rect{X: min(zero, end), Y: y + 1, W: math.Abs(end - zero), H: high - 2, Ink: ink})
		if end < zero {
			anchor, gap = End, -5
		}
	}
	text := c.brief(v)
	if v == nil {
		text = "n/a"
	}
	s.add(Text{X: end + gap, Y: y + high/2 + 4, Size: textSize, Anchor: anchor, Ink: Strong, Text: text})
}

// figureAt is the sum of a label's values, "" where it cannot be had.
func (c Chart) figureAt(i int) string {
	sum := money.Zero
	for _, series := range c.Series {
		if v := series.Values[i]; v != nil {
			var err error
			if sum, err = sum.Add(*v); err != nil {
				return ""
			}
		}
	}
	return c.brief(&sum)
}

// upright draws bars or lines above an axis of labels.
func (c Chart) upright(s *Scene, y float64) float64 {
	sc := c.newScale(5)
	left := c.gutter(sc)
	right, top, bottom := s.Width-edge-2, y+18, y+18+c.plotHeight(s.Width)
	for _, t := range sc.ticks {
		at := sc.place(t.at, bottom, top)
		ink := Grid
		if t.at == 0 {
			ink = Base
		}
		s.add(Line{X1: left, Y1: at, X2: right, Y2: at, Ink: ink},
			Text{X: left - 6, Y: at + 4, Size: textSize, Anchor: End, Ink: Soft, Text: c.brief(&t.value)})
	}
	slot := (right - left) / float64(c.Len())
	if c.Form == Lines {
		c.lines(s, sc, left, slot, top, bottom)
	} else {
		c.bars(s, sc, left, slot, top, bottom)
	}
	c.axis(s, left, right, slot, bottom+16)
	return bottom + 22
}

// gutter is the room for the figures beside the axis.
func (c Chart) gutter(sc scale) float64 {
	wide := 0.0
	for _, t := range sc.ticks {
		wide = max(wide, Measure(c.brief(&t.value), textSize))
	}
	return wide + edge + 8
}

func (c Chart) plotHeight(width float64) float64 {
	if width < 480 {
		return 170
	}
	return 220
}

func (c Chart) bars(s *Scene, sc scale, left, slot, top, bottom float64) {
	groups := len(c.Series)
	if c.Form == Stacked {
		groups = 1
	}
	free := min(slot*0.3, 14*float64(groups))
	bar := min((slot-free)/float64(groups), 56)
	zero := sc.place(0, bottom, top)
	told := c.tells(slot, bar)
	for i := range c.Len() {
		from := left + slot*float64(i) + (slot-bar*float64(groups))/2
		if c.Form == Stacked {
			at := zero
			for n, series := range c.Series {
				if v := series.Values[i]; v != nil {
					h := zero - sc.place(number(*v), bottom, top)
					at -= h
					s.add(Rect{X: from, Y: at, W: bar, H: h, Ink: c.ink(n)})
				}
			}
			if told {
				s.add(
					Text{
						X:      from + bar/2,
						Y:      at - 5,
						Size:   textSize,
						Anchor: Middle,
						Ink:    Strong,
						Text:   c.figureAt(i),
					},
				)
			}
			continue
		}
		for n, series := range c.Series {
			v := series.Values[i]
			if v == nil {
				continue
			}
			at, x := sc.place(number(*v), bottom, top), from+bar*float64(n)
			// Bars of one group stand apart by a hair.
			hair := map[bool]float64{true: min(1, bar/8)}[groups > 1]
			s.add(Rect{X: x + hair, Y: min(at, zero), W: bar - 2*hair, H: math.Abs(zero - at), Ink: c.ink(n)})
			if told && at <= zero {
				s.add(Text{X: x + bar/2, Y: at - 5, Size: textSize, Anchor: Middle, Ink: Strong, Text: c.brief(v)})
			}
		}
	}
}

// tells reports whether there is room for the figure of every bar.
func (c Chart) tells(slot, bar float64) bool {
	room := slot
	if c.Form != Stacked && len(c.Series) > 1 {
		room = bar
	}
	for i := range c.Len() {
		if c.Form == Stacked && Measure(c.figureAt(i), textSize)+4 > room {
			return false
		}
		for _, series := range c.Series {
			if v := series.Values[i]; c.Form != Stacked &&
				(Measure(c.brief(v), textSize)+4 > room || v != nil && v.Negative()) {
				return false
			}
		}
	}
	return true
}

func (c Chart) lines(s *Scene, sc scale, left, slot, top, bottom float64) {
	for n, series := range c.Series {
		var run []Point
		flush := func() {
			if len(run) > 1 {
				s.add(Path{Points: run, Ink: c.ink(n)})
			}
			// A point between two gaps would not be seen as a line.
			if len(run) == 1 || c.Len() <= 31 {
				for _, p := range run {
					s.add(Dot{X: p.X, Y: p.Y, R: 3, Ink: c.ink(n)})
				}
			}
			run = nil
		}
		for i, v := range series.Values {
			if v == nil {
				flush()
				continue
			}
			run = append(run, Point{left + slot*(float64(i)+0.5), sc.place(number(*v), bottom, top)})
		}
		flush()
	}
	if len(c.Series) > 1 || c.Len() > 12 || !c.tells(slot, slot) {
		return
	}
	for i, v := range c.Series[0].Values {
		if v != nil {
			s.add(
				Text{
					X:      left + slot*(float64(i)+0.5),
					Y:      sc.place(number(*v), bottom, top) - 8,
					Size:   textSize,
					Anchor: Middle,
					Ink:    Strong,
					Text:   c.brief(v),
				},
			)
		}
	}
}

// axis writes as many labels as fit beside each other.
func (c Chart) axis(s *Scene, left, right, slot, y float64) {
	last := math.Inf(-1)
	write := func(i int, label string) {
		label = cut(label, textSize, max(slot-6, 56))
		half := Measure(label, textSize) / 2
		x := min(max(left+slot*(float64(i)+0.5), left+half-6), right-half)
		if x-half < last+8 {
			return
		}
		s.add(Text{X: x, Y: y, Size: textSize, Anchor: Middle, Ink: Soft, Text: label})
		last = x + half
	}
	if !c.From.IsZero() && c.Len() > 62 {
		for i := range c.Len() {
			if d := c.From.AddDays(i); d.Day == 1 {
				write(i, monthName(d.Time()))
			}
		}
		return
	}
	widest := 0.0
	for i := range c.Len() {
		widest = max(widest, min(Measure(c.tickLabel(i), textSize), max(slot-6, 56)))
	}
	every := max(1, int(math.Ceil((widest+8)/slot)))
	for i := 0; i < c.Len(); i += every {
		write(i, c.tickLabel(i))
	}
}

// tickLabel is a label in the little room below an axis.
func (c Chart) tickLabel(i int) string {
	if c.From.IsZero() {
		return c.Label(i)
	}
	return c.From.AddDays(i).Time().Format("2 Jan")
}

// monthName names a month, and the year with its first.
func monthName(t time.Time) string {
	if t.Month() == time.January {
		return t.Format("Jan 2006")
	}
	return t.Format("Jan")
}
