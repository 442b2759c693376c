package chart

import (
	"math"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// levels is how many strengths of colour days have beside none.
const levels = 4

// calendar draws a square for each day, in columns of weeks that begin on
// Monday. More weeks than fit go on in further bands below.
func (c Chart) calendar(s *Scene, y float64) float64 {
	const left = edge + 28.0
	values := c.Series[0].Values
	before := (int(c.From.Weekday()) + 6) % 7
	weeks := (before + len(values) + 6) / 7
	room := s.Width - left - edge
	bandWeeks := min(weeks, int(room/11))
	bands := (weeks + bandWeeks - 1) / bandWeeks
	bandWeeks = (weeks + bands - 1) / bands
	pitch := math.Floor(min(room/float64(bandWeeks), 34)*10) / 10
	size := pitch - max(1.5, pitch*0.1)
	bandHigh := 7*pitch + 26
	_, top := c.extent(false)

	at := func(i int) (x, row float64) {
		week := (before + i) / 7
		return left + float64(
				week%bandWeeks,
			)*pitch, y + 20 + float64(
				week/bandWeeks,
			)*bandHigh + float64(
				(before+i)%7,
			)*pitch
	}
	for band := range bands {
		for _, d := range []struct {
			row  int
			name string
		}{{0, "Mon"}, {2, "Wed"}, {4, "Fri"}} {
			s.add(
				Text{
					X:      left - 5,
					Y:      y + 20 + float64(band)*bandHigh + float64(d.row)*pitch + size/2 + 4,
					Size:   10,
					Anchor: End,
					Ink:    Soft,
					Text:   d.name,
				},
			)
		}
	}
	c.months(s, before, at)
	// Squares of one strength together make a short drawing.
	for level := range levels + 1 {
		for i, v := range values {
			if v != nil && strength(number(*v), top) == level {
				x, row := at(i)
				s.add(Rect{X: x, Y: row, W: size, H: size, Ink: dayInk("h", level)})
			}
		}
	}
	c.onDays(s, at, size, top)
	y += float64(bands) * bandHigh
	return c.legend(s, y+6, left, top)
}

// months names each month above the week in which it begins.
func (c Chart) months(s *Scene, before int, at func(int) (x, y float64)) {
	last, line := math.Inf(-1), 0.0
	for i := range c.Series[0].Values {
		d := c.From.AddDays(i)
		if i > 0 && d.Day != 1 {
			continue
		}
		x, row := at(i - (before+i)%7)
		name := d.Time().Format("Jan")
		if i == 0 || d.Month == 1 {
			name = d.Time().Format("Jan 2006")
		}
		wide := Measure(name, 10)
		if row != line {
			last, line = math.Inf(-1), row
		}
		if x < last+6 || x+wide > s.Width-edge {
			continue
		}
		s.add(Text{X: x, Y: row - 6, Size: 10, Ink: Soft, Text: name})
		last = x + wide
	}
}

// onDays writes the figures on the days where every one of them fits.
func (c Chart) onDays(s *Scene, at func(int) (x, y float64), size, top float64) {
	for _, v := range c.Series[0].Values {
		if size < 18 || v != nil && Measure(c.brief(v), 10)+2 > size {
			return
		}
	}
	for i, v := range c.Series[0].Values {
		if v != nil {
			x, y := at(i)
			s.add(
				Text{
					X:      x + size/2,
					Y:      y + size/2 + 3.5,
					Size:   10,
					Anchor: Middle,
					Ink:    dayInk("o", strength(number(*v), top)),
					Text:   c.brief(v),
				},
			)
		}
	}
}

// legend says what the strengths mean.
func (c Chart) legend(s *Scene, y, left, top float64) float64 {
	none := money.Zero
	low, high := c.brief(&none), c.highest()
	x := left
	s.add(Text{X: x, Y: y + 9, Size: 10, Ink: Soft, Text: low})
	x += Measure(low, 10) + 5
	for level := range levels + 1 {
		s.add(Rect{X: x, Y: y, W: 11, H: 11, Ink: dayInk("h", level)})
		x += 13
	}
	s.add(Text{X: x + 3, Y: y + 9, Size: 10, Ink: Soft, Text: high})
	return y + 14
}

func (c Chart) highest() string {
	most := money.Zero
	for _, v := range c.Series[0].Values {
		if v != nil && v.Cmp(most) > 0 {
			most = *v
		}
	}
	return c.brief(&most)
}

// strength is 0 for nothing and below, and 1 to levels for what there is.
func strength(v, top float64) int {
	if v <= 0 || top <= 0 {
		return 0
	}
	return min(levels, max(1, int(math.Ceil(v/top*levels-1e-9))))
}

func dayInk(kind string, level int) Ink { return Ink(kind + strconv.Itoa(level)) }
