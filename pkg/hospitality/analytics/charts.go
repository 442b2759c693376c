package analytics

import (
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Charts are made from the figures of the table beside which they stand.

// values picks a figure of each line.
func values[L any](lines []L, figure func(L) money.Amount) []*money.Amount {
	list := make([]*money.Amount, len(lines))
	for i, l := range lines {
		a := figure(l)
		list[i] = &a
	}
	return list
}

// drawn is a chart as parts; none where there is nothing to draw, or more than
// a chart can hold: the table has it.
func drawn(c chart.Chart) []part.Data {
	if c.Len() == 0 || c.Len()*len(c.Series) > chart.MaxPoints {
		return nil
	}
	return []part.Data{part.Draw(c)}
}

// calendarOf draws the occupancy of each night, and how many units are behind it.
func calendarOf(p period, days []Day) []part.Data {
	c := chart.Chart{Title: "Occupancy by day in %, " + p.short(), Form: chart.Calendar, Unit: "%", From: p.From,
		Series: []chart.Series{{Name: "Occupancy"}}}
	for _, d := range days {
		share, note := d.occupancy(len(days) > briefly)
		c.Series[0].Values = append(c.Series[0].Values, share)
		c.Notes = append(c.Notes, note)
	}
	return drawn(c)
}

// briefly is above how many nights their notes are short, so that a year fits a part.
const briefly = 100

// occupancy is the share of the units that are sold, in percent, and the counts
// behind it. A night on which no unit can be sold has no share.
func (d Day) occupancy(brief bool) (share *money.Amount, note string) {
	available := max(0, d.Units-d.Blocked)
	switch {
	case available == 0 && d.Sold > 0: // in units that are not let any more
		return nil, fmt.Sprintf("%d sold, no unit to sell", d.Sold)
	case available == 0 && d.Blocked > 0:
		return nil, "closed, " + count(d.Blocked, "unit") + " blocked"
	case available == 0:
		return nil, "closed, no unit to sell"
	}
	switch note = fmt.Sprintf("%d of %s sold", d.Sold, count(available, "unit")); {
	case brief:
		note = fmt.Sprintf("%d/%d", d.Sold, available)
	case d.Blocked > 0:
		note += fmt.Sprintf(", %d blocked", d.Blocked)
	}
	return ratio(money.FromInt(100*d.Sold), money.FromInt(available), digits), note
}

// Show draws the occupancy of each night, and the nights of each room type: occupied,
// blocked and free.
func (r report) Show() []part.Data {
	c := chart.Chart{
		Title: "Occupied, blocked and free, " + r.period.short(),
		Form:  chart.Stacked,
		Unit:  "nights",
		Series: []chart.Series{
			{
				Name:   "Occupied",
				Values: values(r.Rooms, func(l line) money.Amount { return money.FromInt(l.Occupied) }),
			},
			{Name: "Blocked", Values: values(r.Rooms, func(l line) money.Amount { return money.FromInt(l.Blocked) })},
			{
				Name: "Free",
				Values: values(
					r.Rooms,
					func(l line) money.Amount { return money.FromInt(max(0, l.Available-l.Occupied)) },
				),
				Rest: true,
			},
		},
	}
	for _, l := range r.Rooms {
		c.Labels = append(c.Labels, l.Name)
	}
	return slices.Concat(calendarOf(r.period, r.days), drawn(c), r.period.next(ByDay, "Day by day"))
}

// next offers the revenue of the period by other parts, which for days draws a
// calendar, and the comparison with the period before.
func (p period) next(by By, label string) []part.Data {
	dates := map[string]any{"start_date": p.From, "end_date": p.To.AddDays(-1)}
	other := map[string]any{"start_date": p.From, "end_date": p.To.AddDays(-1), "by": by}
	var list []part.Choice
	if by != ByDay || p.Days() <= MaxDays {
		list = append(list, part.Call(label, "get_revenue_stats", other))
	}
	return part.Next(append(list, part.Call("Compare with the period before", "compare_periods", dates))...)
}

// Show draws revenue and ADR of each part and, of days, the occupancy as a
// calendar.
func (r revenueReport) Show() []part.Data {
	c := chart.Chart{
		Title: "Revenue, " + r.period.short(),
		Form:  chart.Bars,
		Unit:  r.Currency,
		Series: []chart.Series{
			{Name: "Revenue", Values: values(r.Parts, func(l revenueLine) money.Amount { return l.Revenue })},
		},
	}
	if r.By != ByDay || !r.everyDay() {
		for _, l := range r.Parts {
			c.Labels = append(c.Labels, l.Part)
		}
		next, label := ByDay, "Day by day"
		if r.By != ByRoom && r.Days > MaxDays {
			next, label = ByRoom, "By room"
		}
		return slices.Concat(drawn(c), drawn(r.rates(c.Labels)), r.period.next(next, label))
	}
	c.From = r.From
	return slices.Concat(calendarOf(r.period, r.days), drawn(c), r.period.next(ByRoom, "By room"))
}

// rates is the ADR of each part, without any where fewer than two have one.
func (r revenueReport) rates(labels []string) chart.Chart {
	c := chart.Chart{Title: "ADR, " + r.period.short(), Form: chart.Bars, Unit: r.Currency, Labels: labels,
		Series: []chart.Series{{Name: "ADR"}}}
	known := 0
	for _, l := range r.Parts {
		if l.ADR != nil {
			known++
		}
		c.Series[0].Values = append(c.Series[0].Values, l.ADR)
	}
	if known < 2 {
		return chart.Chart{}
	}
	return c
}

// everyDay reports whether the parts are the days of the period, in order.
func (r revenueReport) everyDay() bool {
	for i, l := range r.Parts {
		if l.From != r.From.AddDays(i) {
			return false
		}
	}
	return true
}

// Show draws the figures of both periods side by side: revenue, the rates per
// night, and occupancy, each in its unit.
func (c comparison) Show() []part.Data {
	return slices.Concat(
		c.paired("Revenue compared", c.Currency, "Room revenue", "Other revenue", "Revenue"),
		c.paired("Rates compared", c.Currency, "ADR", "RevPAR", "TRevPAR"),
		c.paired("Occupancy compared", "%", "Occupancy %"),
		c.next(),
	)
}

// next offers what stands behind the figures of both periods.
func (c comparison) next() []part.Data {
	occupancy := func(p period) map[string]any {
		return map[string]any{"start_date": p.From, "end_date": p.To.AddDays(-1)}
	}
	revenue := occupancy(c.this)
	revenue["by"] = ByRoom
	return part.Next(part.Call("Revenue by room", "get_revenue_stats", revenue),
		part.Call("Occupancy of "+c.this.short(), "get_occupancy_stats", occupancy(c.this)),
		part.Call("Occupancy of "+c.other.short(), "get_occupancy_stats", occupancy(c.other)))
}

// paired draws the named figures that both periods have.
func (c comparison) paired(title, unit string, names ...string) []part.Data {
	out := chart.Chart{Title: title, Form: chart.Bars, Unit: unit, Series: []chart.Series{
		{Name: c.this.short()}, {Name: c.other.short()},
	}}
	for _, m := range c.Figures {
		if m.This != nil && m.Other != nil && slices.Contains(names, m.Figure) {
			out.Labels = append(out.Labels, m.Figure)
			out.Series[0].Values = append(out.Series[0].Values, m.This)
			out.Series[1].Values = append(out.Series[1].Values, m.Other)
		}
	}
	return drawn(out)
}
