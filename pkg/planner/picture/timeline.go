package picture

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
)

// Day is a day laid out by the clock.
type Day struct {
	Number int
	Date   calendar.Date
	City   string // "" where all days are in one
	Title  string
	Note   string
	Blocks []Block // in the order of the clock
	Open   []Block // without a time
	Night  *Block  // where the night is, nil where it is nowhere
}

// Block is one thing of a day. From and To are minutes of the day; what ends on a later day
// ends at 1440 here.
type Block struct {
	options.Entry
	Category options.Category
	From, To int
	// Lane counts blocks at the same time from 0, of Lanes side by side.
	Lane, Lanes int
}

const (
	midnight = 24 * 60
	assumed  = 60 // minutes of what has no end
)

// Clock returns when the block is: "09:30–11:00", with "+1" where it ends a day later.
func (b Block) Clock() string {
	text := b.Starts
	if b.Ends != "" {
		text += "–" + b.Ends
	}
	if b.Nights > 0 && b.Starts != "" {
		text += " +" + string(rune('0'+min(b.Nights, 9)))
	}
	return text
}

// Label returns the name with the meal or the mode of transport before it: "Lunch: Row 34".
func (b Block) Label() string {
	if b.Kind == "" || b.Kind == "local" {
		return b.Name
	}
	return strings.ToUpper(b.Kind[:1]) + b.Kind[1:] + ": " + b.Name
}

// Heading returns the title of the day, with the city where the title does not name it.
func (d Day) Heading() string {
	if strings.Contains(d.Title, d.City) {
		return d.Title
	}
	return d.Title + " · " + d.City
}

// Days lays the days of an option out.
func Days(o options.Option) []Day {
	days := make([]Day, len(o.Itinerary.Days))
	several := slices.ContainsFunc(o.Itinerary.Days,
		func(d options.Day) bool { return d.City != o.Itinerary.Days[0].City })
	for n, d := range o.Itinerary.Days {
		day := Day{Number: d.Number, Date: d.Date, Title: cmp.Or(d.Title, d.City), Note: d.Note}
		if several {
			day.City = d.City
		}
		if d.Accommodation != nil {
			day.Night = &Block{Entry: *d.Accommodation, Category: options.CostStay}
		}
		for _, list := range []struct {
			category options.Category
			entries  []options.Entry
		}{{options.CostTransport, d.Transport}, {options.CostFood, d.Meals}, {options.CostActivity, d.Activities}} {
			for _, e := range list.entries {
				day.add(Block{Entry: e, Category: list.category})
			}
		}
		slices.SortStableFunc(day.Blocks, func(a, b Block) int { return cmp.Or(a.From-b.From, a.To-b.To) })
		lanes(day.Blocks)
		days[n] = day
	}
	return days
}

func (d *Day) add(b Block) {
	from, ok := minutes(b.Starts)
	if !ok {
		d.Open = append(d.Open, b)
		return
	}
	b.From = from
	to, ok := minutes(b.Ends)
	switch {
	case b.Nights > 0 || ok && to < from:
		b.To = midnight
	case ok:
		b.To = to
	default:
		b.To = min(from+assumed, midnight)
	}
	d.Blocks = append(d.Blocks, b)
}

// minutes returns a clock as minutes of the day.
func minutes(clock string) (int, bool) {
	t, err := time.Parse("15:04", clock)
	return t.Hour()*60 + t.Minute(), err == nil
}

// lanes puts blocks that are at the same time side by side. The blocks are in the order of
// their starts.
func lanes(blocks []Block) {
	for first := 0; first < len(blocks); {
		end, last := blocks[first].To, first+1
		for last < len(blocks) && blocks[last].From < end {
			end = max(end, blocks[last].To)
			last++
		}
		var until []int // when each lane is free
		for i := first; i < last; i++ {
			lane := slices.IndexFunc(until, func(to int) bool { return to <= blocks[i].From })
			if lane < 0 {
				lane = len(until)
				until = append(until, 0)
			}
			until[lane] = blocks[i].To
			blocks[i].Lane = lane
		}
		for i := first; i < last; i++ {
			blocks[i].Lanes = len(until)
		}
		first = last
	}
}

// Hours returns the whole hours between which all that has a time is, at least from 8 to 20.
func Hours(days []Day) (from, to int) {
	from, to = 8, 20
	for _, d := range days {
		for _, b := range d.Blocks {
			from, to = min(from, b.From/60), max(to, (b.To+59)/60)
		}
	}
	return from, to
}

// Strip returns a day as a bar along the clock, a scene without texts: a line for each
// third hour and a rectangle for each block.
func (d Day) Strip(from, to int, width, height float64) chart.Scene {
	scene := chart.Scene{Width: width, Height: height, Stretch: true}
	hour := width / float64(to-from)
	scene.Add(chart.Rect{W: width, H: height, Ink: "h0"})
	for h := (from + 2) / 3 * 3; h <= to; h += 3 {
		scene.Add(chart.Line{X1: float64(h-from) * hour, X2: float64(h-from) * hour, Y2: height, Ink: chart.Base})
	}
	for _, b := range d.Blocks {
		lane := height / float64(b.Lanes)
		scene.Add(chart.Rect{X: (float64(b.From)/60 - float64(from)) * hour, Y: float64(b.Lane) * lane,
			W: max(float64(b.To-b.From)/60*hour, 2), H: lane, Ink: Ink(b.Category)})
	}
	return scene
}
