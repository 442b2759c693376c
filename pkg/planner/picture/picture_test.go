package picture_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/export/pdf"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/picture"
)

// boston are three options of four days.
func boston(t *testing.T) options.Set {
	t.Helper()
	raw, err := os.ReadFile("testdata/boston.json")
	if err != nil {
		t.Fatal(err)
	}
	var set options.Set
	if err := json.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	return set
}

// large are options of 30 days with long texts and more of everything than there is room for.
func large(t *testing.T) options.Set {
	t.Helper()
	set := boston(t)
	long := strings.Repeat("Rindfleischetikettierung and a walk ", 40)
	for n := range set.Options {
		o := &set.Options[n]
		o.Title, o.Description, o.EstimatedTotalCost = long, long, long
		o.Highlights = []string{long, strings.Repeat("x", 3000), long, long, long}
		o.Gaps = []string{long, long}
		four := o.Itinerary.Days
		o.Itinerary.Days = nil
		for i := range 30 {
			d := four[i%4]
			d.Number, d.Date, d.Title = i+1, four[0].Date.AddDays(i), long
			d.City = strconv.Itoa(i / 10)
			d.Activities = append(d.Activities[:len(d.Activities):len(d.Activities)],
				options.Entry{Name: long, Starts: "09:00", Ends: "09:05"}, options.Entry{Name: long, Starts: "09:00"},
				options.Entry{Name: long}, options.Entry{Name: long, Starts: "not a time"},
				options.Entry{Starts: "23:59"},
				options.Entry{Name: "before", Starts: "00:00", Ends: "01:00"})
			o.Itinerary.Days = append(o.Itinerary.Days, d)
		}
		for range 60 {
			o.Costs = append(o.Costs, options.Line{Category: options.CostFood, Label: long, Currency: "JPY"})
		}
	}
	for range 40 {
		set.Assumptions = append(set.Assumptions, long)
	}
	return set
}

func TestBarsShareOneScale(t *testing.T) {
	set := boston(t)
	stacks := picture.Stacks(set)
	if len(stacks) != 3 {
		t.Fatalf("%d bars", len(stacks))
	}
	number := func(a money.Amount) float64 {
		f, err := strconv.ParseFloat(a.String(), 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	most := number(set.Options[2].Totals[0].To)
	for n, s := range stacks {
		total, at, least := set.Options[n].Totals[0], 0.0, 0.0
		for _, p := range s.Parts {
			if p.From != at || p.To < p.From {
				t.Errorf("%s: a part from %v to %v begins at %v", s.Option, p.From, p.To, at)
			}
			if at = p.To; !p.May {
				least = p.To
			}
		}
		if want := number(total.To) / most; math.Abs(at-want) > 1e-9 {
			t.Errorf("%s ends at %v, want %v", s.Option, at, want)
		}
		if want := number(total.From) / most; math.Abs(least-want) > 1e-9 {
			t.Errorf("the least of %s ends at %v, want %v", s.Option, least, want)
		}
	}
}

func TestRangesAreWrittenOnce(t *testing.T) {
	for want, r := range map[string][3]string{"€240–300": {"240", "300", "EUR"}, "€240": {"240", "240", "EUR"},
		"$856.40–860.00": {"856.4", "860", "USD"}, "CHF 45–1,050": {"45", "1050", "CHF"}, "¥900–1,000": {"900", "1000",
			"JPY"}} {
		if got := picture.Range(money.MustParse(r[0]), money.MustParse(r[1]), r[2]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestADayIsLaidOutByTheClock(t *testing.T) {
	day := picture.Days(large(t).Options[0])[0]
	if len(day.Open) != 2 || day.Night == nil {
		t.Errorf("without a time: %+v", day.Open)
	}
	for i, a := range day.Blocks {
		if a.From < 0 || a.To > 24*60 || a.From > a.To || a.Lane >= a.Lanes {
			t.Errorf("%s: %d to %d in lane %d of %d", a.Name, a.From, a.To, a.Lane, a.Lanes)
		}
		for _, b := range day.Blocks[i+1:] {
			if b.From < a.To && a.From < b.To && a.Lane == b.Lane {
				t.Errorf("%q and %q are drawn over each other", a.Clock(), b.Clock())
			}
		}
	}
	last := picture.Days(boston(t).Options[1])[3]
	if b := last.Blocks[len(last.Blocks)-1]; b.Clock() != "18:25–06:05 +1" || b.To != 24*60 {
		t.Errorf("over midnight: %q to %d", b.Clock(), b.To)
	}
}

// Nothing is drawn beyond the page, of the usual and of far too much, and each option is
// there with its days.
func TestPagesHoldWhatIsDrawn(t *testing.T) {
	for name, test := range map[string]struct {
		set         options.Set
		least, most int
	}{"four days": {boston(t), 4, 4}, "thirty days": {large(t), 19, 60}, "one option": {options.Set{
		Options: boston(t).Options[:1]}, 2, 2}} {
		t.Run(name, func(t *testing.T) {
			var pages []chart.Scene
			var file bytes.Buffer
			err := pdf.WriteScenes(&file, "Boston", time.Unix(0, 0),
				func(measure func(string, float64, bool) float64) []chart.Scene {
					pages = picture.Paper{Title: "Boston", Detail: "2 adults", Selected: "opt-2", Wide: pdf.LyingWide,
						High: pdf.LyingHigh, Measure: measure}.Pages(test.set)
					for n, p := range pages {
						within(t, n+1, p, measure)
					}
					return pages
				})
			if err != nil {
				t.Fatal(err)
			}
			if len(pages) < test.least || len(pages) > test.most {
				t.Errorf("%d pages", len(pages))
			}
			if got := bytes.Count(file.Bytes(), []byte("/Type /Page\n")); got != len(pages) {
				t.Errorf("the file has %d pages, of %d", got, len(pages))
			}
			var all strings.Builder
			for _, p := range pages {
				for _, s := range p.Shapes {
					if text, ok := s.(chart.Text); ok {
						all.WriteString(text.Text + "\n")
					}
				}
			}
			for _, want := range []string{"Day 1 · Fri 12 Feb", "Day 4 · Mon 15 Feb", "unverified", "live"} {
				if !strings.Contains(all.String(), want) {
					t.Errorf("%q is missing", want)
				}
			}
		})
	}
}

// within reports shapes beyond the page.
func within(t *testing.T, page int, s chart.Scene, measure func(string, float64, bool) float64) {
	t.Helper()
	const slack = 0.5
	inside := func(what string, x1, y1, x2, y2 float64) {
		if x1 < -slack || y1 < -slack || x2 > s.Width+slack || y2 > s.Height-34 {
			t.Errorf("page %d: %.60q at %.1f %.1f to %.1f %.1f", page, what, x1, y1, x2, y2)
		}
	}
	for _, shape := range s.Shapes {
		switch sh := shape.(type) {
		case chart.Rect:
			inside("rectangle", sh.X, sh.Y, sh.X+sh.W, sh.Y+sh.H)
		case chart.Line:
			inside("line", sh.X1, sh.Y1, sh.X2, sh.Y2)
		case chart.Text:
			x, wide := sh.X, measure(sh.Text, sh.Size, sh.Bold)
			if sh.Anchor == chart.End {
				x -= wide
			}
			inside(sh.Text, x, sh.Y-sh.Size, x+wide, sh.Y)
		}
	}
}
