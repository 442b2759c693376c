package chart_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// series makes a series of n values; "" stands for one that is not defined.
func series(name string, n int, value func(i int) string) chart.Series {
	s := chart.Series{Name: name, Values: make([]*money.Amount, n)}
	for i := range n {
		if text := value(i); text != "" {
			a := money.MustParse(text)
			s.Values[i] = &a
		}
	}
	return s
}

func days() calendar.Date { return calendar.Of(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)) }

// charts are all forms with the figures that are hard to draw.
func charts() map[string]chart.Chart {
	random := rand.New(rand.NewPCG(7, 11))
	some := func(int) string { return fmt.Sprintf("%d.%02d", random.IntN(2_000_000), random.IntN(100)) }
	signed := func(int) string { return fmt.Sprint(random.IntN(2000) - 1000) }
	few := func(int) string { return []string{"", "0", "3", "7"}[random.IntN(4)] }
	zero := func(int) string { return "0" }
	labels := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("Label %d", i+1))
		}
		return all
	}
	long := []string{
		strings.Repeat("A cabin with a long name ", 6),
		`<b onload="x">&amp;'`,
		"मॉस कॉटेज – झील के किनारे",
		"a\u0000b\nc\ufffe",
	}
	percents := func(n int) chart.Chart {
		c := chart.Chart{Title: "Occupancy by day in %", Form: chart.Calendar, Unit: "%", From: days(),
			Series: []chart.Series{series("Occupancy", n, func(i int) string {
				return []string{"0", "0.2", "25", "66.67", "99.9", "100", "120", ""}[i%8]
			})}}
		for _, v := range c.Series[0].Values {
			note := "6 of 9 units sold"
			if v == nil {
				note = "closed, 9 units blocked"
			}
			c.Notes = append(c.Notes, note)
		}
		return c
	}
	return map[string]chart.Chart{
		"percents of a month":   percents(30),
		"percents of a quarter": percents(92),
		"percents of a year":    percents(366),
		"a closed day": {Title: "Occupancy", Form: chart.Calendar, Unit: "%", From: days(), Notes: []string{"closed"},
			Series: []chart.Series{series("Occupancy", 1, func(int) string { return "" })}},
		"bars of a year": {
			Title:  "Revenue",
			Form:   chart.Bars,
			Unit:   "INR",
			Labels: labels(12),
			Series: []chart.Series{series("Revenue", 12, some)},
		},
		"bars of many": {
			Title:  "Revenue",
			Form:   chart.Bars,
			Unit:   "INR",
			Labels: labels(400),
			Series: []chart.Series{series("Revenue", 400, some)},
		},
		"bars of days": {
			Title:  "Revenue",
			Form:   chart.Bars,
			Unit:   "USD",
			From:   days(),
			Series: []chart.Series{series("Revenue", 31, some)},
		},
		"pairs of bars": {
			Title:  "Compared",
			Form:   chart.Bars,
			Unit:   "EUR",
			Labels: labels(3),
			Series: []chart.Series{series("This", 3, some), series("Other", 3, some)},
		},
		"bars below zero": {
			Title:  "Change",
			Form:   chart.Bars,
			Unit:   "%",
			Labels: labels(9),
			Series: []chart.Series{series("Change", 9, signed)},
		},
		"lying below zero": {
			Title:  "Change",
			Form:   chart.Bars,
			Labels: long,
			Series: []chart.Series{series("Change", 4, signed), series("Other", 4, signed)},
		},
		"all below zero": {
			Title:  "Loss",
			Form:   chart.Bars,
			Unit:   "INR",
			Labels: labels(4),
			Series: []chart.Series{series("Loss", 4, func(i int) string { return fmt.Sprint(-100 - i) })},
		},
		"all zeros": {
			Title:  "Nothing",
			Form:   chart.Bars,
			Unit:   "INR",
			Labels: labels(3),
			Series: []chart.Series{series("x", 3, zero)},
		},
		"a line of zeros": {
			Title:  "Nothing",
			Form:   chart.Lines,
			Labels: labels(3),
			Series: []chart.Series{series("x", 3, zero)},
		},
		"one point": {
			Title:  "One",
			Form:   chart.Lines,
			Unit:   "INR",
			Labels: labels(1),
			Series: []chart.Series{series("x", 1, some)},
		},
		"one bar": {
			Title:  "One",
			Form:   chart.Bars,
			Unit:   "INR",
			Labels: labels(1),
			Series: []chart.Series{series("x", 1, some)},
		},
		"a line with gaps": {
			Title:  "Gaps",
			Form:   chart.Lines,
			Labels: labels(20),
			Series: []chart.Series{series("x", 20, few), series("y", 20, few)},
		},
		"a line of 400": {
			Title:  "Prices",
			Form:   chart.Lines,
			Unit:   "INR",
			From:   days(),
			Series: []chart.Series{series("Price", 400, some)},
		},
		"a line below zero": {
			Title:  "Prices",
			Form:   chart.Lines,
			Labels: labels(30),
			Series: []chart.Series{series("x", 30, signed)},
		},
		"tiny figures": {
			Title:  "Shares",
			Form:   chart.Lines,
			Unit:   "%",
			Labels: labels(5),
			Series: []chart.Series{series("x", 5, func(i int) string { return fmt.Sprintf("0.000%d", i+3) })},
		},
		"huge figures": {
			Title:  "Sum",
			Form:   chart.Bars,
			Unit:   "JPY",
			Labels: labels(5),
			Series: []chart.Series{
				series("x", 5, func(i int) string { return fmt.Sprintf("%d00000000000000", i+1) }),
			},
		},
		"stacks": {
			Title:  strings.Repeat("A long title ", 20),
			Form:   chart.Stacked,
			Unit:   "nights",
			Labels: long,
			Series: []chart.Series{series("Occupied", 4, few), series("Blocked", 4, few), series("Free", 4, few)},
		},
		"stacks upright": {
			Title:  "Nights",
			Form:   chart.Stacked,
			Labels: labels(40),
			Series: []chart.Series{series("Occupied", 40, few), series(long[0], 40, few)},
		},
		"a month as calendar": {
			Title:  "Nights",
			Form:   chart.Calendar,
			Unit:   "nights",
			From:   days(),
			Series: []chart.Series{series("Nights", 30, few)},
		},
		"400 days": {
			Title:  "Nights",
			Form:   chart.Calendar,
			Unit:   "nights",
			From:   days(),
			Series: []chart.Series{series("Nights", 400, few)},
		},
		"a day": {
			Title:  "Nights",
			Form:   chart.Calendar,
			Unit:   "nights",
			From:   days(),
			Series: []chart.Series{series("Nights", 1, zero)},
		},
	}
}

// box is the room that a text takes.
type box struct {
	x1, y1, x2, y2 float64
	text           string
}

func boxOf(t chart.Text) box {
	wide := chart.Measure(t.Text, t.Size)
	x := t.X
	switch t.Anchor {
	case chart.Middle:
		x -= wide / 2
	case chart.End:
		x -= wide
	}
	return box{x, t.Y - 0.75*t.Size, x + wide, t.Y + 0.2*t.Size, t.Text}
}

func TestEverythingStandsInsideAndNoTextOnAnother(t *testing.T) {
	for name, c := range charts() {
		for _, width := range []float64{chart.Wide, chart.Narrow} {
			if err := c.Check(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s := c.Draw(width)
			inside := func(what string, x, y float64) {
				if !(x >= -0.01 && x <= s.Width+0.01 && y >= -0.01 && y <= s.Height+0.01) { // not so for NaN either
					t.Errorf("%s at %v: %s stands at %v, %v of %v × %v", name, width, what, x, y, s.Width, s.Height)
				}
			}
			var texts []box
			for _, shape := range s.Shapes {
				switch sh := shape.(type) {
				case chart.Rect:
					inside("a rectangle", sh.X, sh.Y)
					inside("a rectangle's end", sh.X+sh.W, sh.Y+sh.H)
					if sh.W < 0 || sh.H < 0 {
						t.Errorf("%s at %v: a rectangle of %v × %v", name, width, sh.W, sh.H)
					}
				case chart.Line:
					inside("a line", sh.X1, sh.Y1)
					inside("a line's end", sh.X2, sh.Y2)
				case chart.Path:
					for _, p := range sh.Points {
						inside("a point", p.X, p.Y)
					}
				case chart.Dot:
					inside("a dot", sh.X, sh.Y)
				case chart.Text:
					b := boxOf(sh)
					inside("the text "+sh.Text, b.x1, b.y1)
					inside("the end of "+sh.Text, b.x2, b.y2)
					texts = append(texts, b)
				}
			}
			for i, a := range texts {
				for _, b := range texts[:i] {
					if a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2 {
						t.Errorf("%s at %v: %q lies on %q", name, width, a.text, b.text)
					}
				}
			}
		}
	}
}

// What is drawn is well-formed XML of a few elements, whatever the labels hold,
// refers to nothing, and says all figures.
func TestTheSVGIsSafeAndSaysEveryFigure(t *testing.T) {
	known := map[string]bool{"svg": true, "title": true, "desc": true, "path": true, "circle": true, "text": true}
	for name, c := range charts() {
		svg := c.SVG(chart.Narrow, true)
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v in %s", name, err, svg)
			}
			if start, ok := token.(xml.StartElement); ok {
				if !known[start.Name.Local] {
					t.Errorf("%s: there is an element %s", name, start.Name.Local)
				}
				for _, a := range start.Attr {
					if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") ||
						strings.Contains(a.Value, "url(") ||
						a.Name.Local == "style" {
						t.Errorf("%s: there is an attribute %s=%q", name, a.Name.Local, a.Value)
					}
				}
			}
		}
		if !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, " role='img'") ||
			strings.Contains(svg, "NaN") ||
			strings.Contains(svg, "Inf") {
			t.Errorf("%s: %s", name, svg)
		}
		words := html.UnescapeString(regexp.MustCompile(`(?s)<desc>(.*)</desc>`).FindStringSubmatch(svg)[1])
		if words != c.Text() {
			t.Errorf("%s: the description is %q", name, words)
		}
		lines := strings.Split(words, "\n")
		if len(lines) != c.Len()+1 {
			t.Fatalf("%s: %d lines for %d labels", name, len(lines)-1, c.Len())
		}
		for i, line := range lines[1:] {
			for _, s := range c.Series {
				if !(c.Closed(i) && strings.HasSuffix(line, ": "+c.Notes[i]) ||
					strings.Contains(line, c.Show(s.Values[i]))) || !strings.HasPrefix(line, c.Label(i)+": ") {
					t.Errorf("%s: %q lacks %s", name, line, c.Show(s.Values[i]))
				}
			}
		}
	}
}

// A calendar of percents measures by a hundred, writes whole percents on its days where
// they fit, tells closed days from empty ones, and says behind each day what is sold.
func TestACalendarOfPercents(t *testing.T) {
	month := charts()["percents of a month"]
	texts := map[string]int{}
	crosses, inks := 0, map[chart.Point]chart.Ink{}
	scene := month.Draw(chart.Wide)
	for _, shape := range scene.Shapes {
		switch sh := shape.(type) {
		case chart.Text:
			texts[sh.Text]++
		case chart.Line:
			crosses++
		case chart.Rect:
			inks[chart.Point{X: sh.X, Y: sh.Y}] = sh.Ink
		}
	}
	for _, want := range []string{"0 %", "1 %", "25 %", "67 %", "99 %", "100 %", "120 %", "31", "13", "to 25 %",
		"to 50 %", "to 75 %",
		"to 100 %", "closed"} {
		if texts[want] == 0 {
			t.Errorf("%q is not written; there are %v", want, texts)
		}
	}
	if crosses != 2*4 { // three days of thirty, and the legend
		t.Errorf("%d lines cross closed days", crosses)
	}
	for i, want := range []chart.Ink{"h0", "h1", "h1", "h3", "h4", "h4", "h4", "h0"} {
		x, y := scene.Days.At(i)
		if got := inks[chart.Point{X: x, Y: y}]; got != want {
			t.Errorf("%s has %q, not %q", month.Label(i), got, want)
		}
	}
	if got, want := month.Text(), "03-Feb-2026: 66.67 %, 6 of 9 units sold"; !strings.Contains(got, want) {
		t.Errorf("the text is %q", got)
	}
	if got, want := month.Summary(), "Closed days: 3."; !strings.HasSuffix(got, want) {
		t.Errorf("the summary is %q", got)
	}
	// A year has no room for figures on its days.
	for _, shape := range charts()["percents of a year"].Draw(chart.Wide).Shapes {
		if text, ok := shape.(chart.Text); ok && text.Text == "67" {
			t.Errorf("a figure stands on a day of a year, at %v, %v", text.X, text.Y)
		}
	}
}

// Bars are as long as their figures, in every direction.
func TestBarsAreInProportion(t *testing.T) {
	c := chart.Chart{
		Title:  "x",
		Form:   chart.Bars,
		Labels: []string{"a", "b", "c"},
		Series: []chart.Series{series("x", 3, func(i int) string { return []string{"100", "50", "-25"}[i] })},
	}
	var highs []float64
	for _, s := range c.Draw(chart.Wide).Shapes {
		if r, ok := s.(chart.Rect); ok {
			highs = append(highs, r.H)
		}
	}
	if len(highs) != 3 || math.Abs(highs[0]/highs[1]-2) > 1e-9 || math.Abs(highs[0]/highs[2]-4) > 1e-9 {
		t.Errorf("the bars are %v high", highs)
	}
}

func TestTicksAreRoundAndGrouped(t *testing.T) {
	c := chart.Chart{
		Title:  "x",
		Form:   chart.Bars,
		Unit:   "INR",
		Labels: []string{"a"},
		Series: []chart.Series{series("x", 1, func(int) string { return "743210.55" })},
	}
	svg := c.SVG(chart.Wide, false)
	for _, want := range []string{">₹0<", ">₹2,00,000<", ">₹8,00,000<", ">₹7,43,210.55<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is missing in %s", want, svg)
		}
	}
}

func TestWhatCannotBeDrawnIsRefused(t *testing.T) {
	one := []chart.Series{series("x", 1, func(int) string { return "1" })}
	tests := map[string]chart.Chart{
		"no form":              {Labels: []string{"a"}, Series: one},
		"no figures":           {Form: chart.Bars, Series: one},
		"no series":            {Form: chart.Bars, Labels: []string{"a"}},
		"labels and days":      {Form: chart.Bars, From: days(), Labels: []string{"a"}, Series: one},
		"a calendar of labels": {Form: chart.Calendar, Labels: []string{"a"}, Series: one},
		"a note too few": {Form: chart.Bars, Labels: []string{"a", "b"}, Notes: []string{"x"},
			Series: []chart.Series{series("x", 2, func(int) string { return "1" })}},
		"fewer values": {Form: chart.Bars, Labels: []string{"a", "b"}, Series: one},
		"a stack below zero": {
			Form:   chart.Stacked,
			Labels: []string{"a"},
			Series: []chart.Series{series("x", 1, func(int) string { return "-1" })},
		},
		"too many points": {
			Form:   chart.Lines,
			From:   days(),
			Series: []chart.Series{series("x", 401, func(int) string { return "1" })},
		},
		"too many kinds of lines": {
			Form:   chart.Lines,
			Labels: []string{"a"},
			Series: append(append(append([]chart.Series{}, one[0], one[0], one[0], one[0]), one...), one[0], one[0]),
		},
	}
	for name, c := range tests {
		if err := c.Check(); err == nil {
			t.Errorf("%s: it was not refused", name)
		}
	}
}

func TestBlocksShowEveryFigureInItsWidth(t *testing.T) {
	for name, c := range charts() {
		text := c.Blocks(72)
		for i := range c.Len() {
			for _, s := range c.Series {
				if !strings.Contains(text, c.Show(s.Values[i])+" ") {
					t.Errorf("%s: %s is missing", name, c.Show(s.Values[i]))
				}
			}
		}
		if name == "bars below zero" && !strings.Contains(text, "░") {
			t.Errorf("what is below zero looks like what is above:\n%s", text)
		}
	}
}
