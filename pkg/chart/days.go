package chart

import (
	"math"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// levels is how many strengths of colour days have beside none.
const levels = 4

// page is up to how many weeks a calendar has the form of a calendar's page: weeks are
// rows, and days columns.
const page = 6

// calendar draws a square for each day, in columns of weeks that begin on
// Monday. More weeks than fit go on in further bands below. A month is drawn as the
// page of a calendar, which leaves more room for its figures.
func (c Chart) calendar(s *Scene, y float64) float64 {
	top := c.most()
	before := (int(c.From.Weekday()) + 6) % 7
	weeks := (before + c.Len() + 6) / 7
	var days Days
	var square func(i int) Rect
	if weeks <= page {
		const left, gap = edge + 44.0, 3.0
		wide := math.Floor(min((s.Width-left-edge)/7, 84))
		high := 30.0
		if wide >= dated {
			high = 38
		}
		days = Days{Left: left, Top: y + 20, Wide: wide, High: high, Weeks: weeks, Before: before, Across: true}
		square = func(i int) Rect {
			x, row := days.At(i)
			return Rect{X: x, Y: row, W: wide - gap, H: high - gap}
		}
		c.page(s, days)
		y = days.Top + float64(weeks)*high
	} else {
		const left = edge + 28.0
		room := s.Width - left - edge
		bandWeeks := min(weeks, int(room/11))
		bands := (weeks + bandWeeks - 1) / bandWeeks
		bandWeeks = (weeks + bands - 1) / bands
		pitch := math.Floor(min(room/float64(bandWeeks), 34)*10) / 10
		size := pitch - max(1.5, pitch*0.1)
		if pitch < 18 {
			// Many days stand at whole numbers, which are shorter to write.
			pitch = math.Floor(pitch)
			size = pitch - 1 - math.Mod(pitch-1, 2)
		}
		days = Days{Left: left, Top: y + 20, Wide: pitch, High: pitch, Band: 7*pitch + 26, Weeks: bandWeeks,
			Before: before}
		square = func(i int) Rect {
			x, row := days.At(i)
			return Rect{X: x, Y: row, W: size, H: size}
		}
		c.months(s, days, bands, size)
		y += float64(bands) * days.Band
	}
	s.Days = &days
	c.squares(s, square, top)
	c.onDays(s, square, top)
	return c.legend(s, y+6, days.Left, top)
}

// squares draws the days. Those of one strength together make a short drawing.
func (c Chart) squares(s *Scene, square func(i int) Rect, top float64) {
	for level := range levels + 1 {
		for i, v := range c.Series[0].Values {
			if v != nil && strength(number(*v), top) == level || level == 0 && c.Closed(i) {
				r := square(i)
				r.Ink = dayInk("h", level)
				s.add(r)
			}
		}
	}
	for i := range c.Len() {
		if c.Closed(i) {
			s.cross(square(i))
		}
	}
}

// page names the days of the week above a calendar's page, and the weeks beside it.
func (c Chart) page(s *Scene, days Days) {
	for i := range 7 {
		name := c.From.AddDays(i - days.Before).Time().Format("Mon")
		s.add(Text{X: days.Left + (float64(i)+0.5)*days.Wide - 1.5, Y: days.Top - 6,
			Size: 10, Anchor: Middle, Ink: Soft, Text: name})
	}
	for week := range days.Weeks {
		first := max(0, 7*week-days.Before)
		_, y := days.At(first)
		s.add(Text{X: days.Left - 6, Y: y + days.High/2 + 2, Size: 10, Anchor: End, Ink: Soft,
			Text: c.From.AddDays(first).Time().Format("02 Jan")})
	}
}

// months names each month above the week in which it begins, and some days of the week.
func (c Chart) months(s *Scene, days Days, bands int, size float64) {
	for band := range bands {
		for _, d := range []struct {
			row  int
			name string
		}{{0, "Mon"}, {2, "Wed"}, {4, "Fri"}} {
			y := days.Top + float64(band)*days.Band + float64(d.row)*days.High
			s.add(Text{X: days.Left - 5, Y: y + size/2 + 4,
				Size: 10, Anchor: End, Ink: Soft, Text: d.name})
		}
	}
	last, line := math.Inf(-1), 0.0
	for i := range c.Len() {
		d := c.From.AddDays(i)
		if i > 0 && d.Day != 1 {
			continue
		}
		x, row := days.At(i - (days.Before+i)%7)
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

// cross marks a square as closed.
func (s *Scene) cross(r Rect) {
	x, y, arm := r.X+r.W/2, r.Y+r.H/2, min(r.W, r.H)*0.28
	s.add(
		Line{X1: x - arm, Y1: y - arm, X2: x + arm, Y2: y + arm, Ink: Soft},
		Line{X1: x - arm, Y1: y + arm, X2: x + arm, Y2: y - arm, Ink: Soft},
	)
}

// onDay is a figure as it stands on its day. Percents have no sign there, and are
// whole: what is nearly full is not shown as full, nor what is nearly empty as empty.
func (c Chart) onDay(v *money.Amount) string {
	if v == nil || c.Unit != "%" {
		return c.brief(v)
	}
	whole, full := v.Round(0), money.FromInt(100)
	switch {
	case whole.Cmp(full) >= 0 && v.Cmp(full) < 0:
		return "99"
	case whole.Cmp(money.Zero) == 0 && v.Cmp(money.Zero) > 0:
		return "1"
	}
	return whole.String()
}

// dated is from which width on a day has the number of the day beside its figure.
const dated = 60

// onDays writes the figures on the days where every one of them fits.
func (c Chart) onDays(s *Scene, square func(i int) Rect, top float64) {
	size := square(0)
	sign := ""
	if c.Unit == "%" && size.W > 30 {
		sign = " %"
	}
	fits := size.W >= 18
	for _, v := range c.Series[0].Values {
		fits = fits && (v == nil || Measure(c.onDay(v)+sign, 10)+2 <= size.W)
	}
	for i, v := range c.Series[0].Values {
		r, ink := square(i), dayInk("o", 0)
		if v != nil {
			ink = dayInk("o", strength(number(*v), top))
		}
		if r.W+3 >= dated && (v != nil || c.Closed(i)) {
			s.add(Text{X: r.X + 5, Y: r.Y + 12, Size: 9, Ink: ink, Text: strconv.Itoa(c.From.AddDays(i).Day)})
		}
		if v != nil && fits {
			s.add(Text{X: r.X + r.W/2, Y: r.Y + r.H/2 + 3.5, Size: 10, Anchor: Middle, Ink: ink,
				Text: c.onDay(v) + sign})
		}
	}
}

// mark is one entry of a legend.
type mark struct {
	ink    Ink
	closed bool
	text   string
}

// legend says what the strengths mean: what each goes up to, and what closed days
// look like where there are some.
func (c Chart) legend(s *Scene, y, left, top float64) float64 {
	const square, gap, line = 11.0, 12.0, 17.0
	none := money.Zero
	list := []mark{{ink: dayInk("h", 0), text: c.brief(&none)}}
	for level := 1; level <= levels && top > 0; level++ {
		list = append(list, mark{ink: dayInk("h", level), text: c.upTo(level)})
	}
	for i := range c.Len() {
		if c.Closed(i) {
			list = append(list, mark{ink: dayInk("h", 0), closed: true, text: "closed"})
			break
		}
	}
	x := left
	for i, m := range list {
		if i > 0 && list[i-1].text == m.text {
			continue // small counts have fewer strengths
		}
		wide := square + 4 + Measure(m.text, 10)
		if x > left && x+wide > s.Width-edge {
			x, y = left, y+line
		}
		s.add(Rect{X: x, Y: y, W: square, H: square, Ink: m.ink})
		if m.closed {
			s.cross(Rect{X: x, Y: y, W: square, H: square})
		}
		s.add(Text{X: x + square + 4, Y: y + 9, Size: 10, Ink: Soft, Text: m.text})
		x += wide + gap
	}
	return y + 14
}

// upTo names the highest figure of a strength.
func (c Chart) upTo(level int) string {
	most := money.FromInt(100)
	if c.Unit != "%" {
		most = money.Zero
		for _, v := range c.Series[0].Values {
			if v != nil && v.Cmp(most) > 0 {
				most = *v
			}
		}
	}
	share, err := most.Mul(money.FromInt(level))
	if err != nil {
		return ""
	}
	if share, ok := share.Quo(money.FromInt(levels), 2); ok {
		if c.whole() {
			share = money.FromInt(int(math.Floor(number(share) + 1e-9)))
		}
		return "to " + c.brief(&share)
	}
	return ""
}

// most is the figure of the strongest colour: the highest one, or all of a hundred
// percent.
func (c Chart) most() float64 {
	if c.Unit == "%" {
		return 100
	}
	_, top := c.extent(false)
	return top
}

// strength is 0 for nothing and below, and 1 to levels for what there is.
func strength(v, top float64) int {
	if v <= 0 || top <= 0 {
		return 0
	}
	return min(levels, max(1, int(math.Ceil(v/top*levels-1e-9))))
}

func dayInk(kind string, level int) Ink { return Ink(kind + strconv.Itoa(level)) }
