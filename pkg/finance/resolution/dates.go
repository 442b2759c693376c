package resolution

import (
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// span returns the period that a sentence means, or the default one; false for none.
func (p Plan) span(byDefault string) (calendar.Range, bool) {
	if p.said.periods > 0 {
		return p.said.period, true
	}
	today := p.c.Today
	// "The last 6 months", "the last 10 days".
	switch {
	case p.said.months > 0 && !p.flow.Ahead:
		from := calendar.Of(calendar.Month(today).From.Time().AddDate(0, 1-p.said.months, 0))
		return calendar.Range{From: from, To: today.AddDays(1)}, true
	case p.said.days > 0 && !p.flow.Ahead:
		return calendar.Range{From: today.AddDays(1 - p.said.days), To: today.AddDays(1)}, true
	}
	switch byDefault {
	case "today":
		return calendar.Range{From: today, To: today.AddDays(1)}, true
	case "this_month":
		return calendar.Month(today), true
	case "last_month":
		return calendar.Month(calendar.Month(today).From.AddDays(-1)), true
	case "this_year":
		return rupees.YearOf(today).Range(), true
	}
	return calendar.Range{}, false
}

// date returns a day or a month; nil leaves the argument out.
func (p Plan) date(s Source) any {
	r, ok := p.span(s.Default)
	if !ok || s.From == FromDay && p.said.periods == 0 && s.Default == "" {
		return nil
	}
	last := r.To.AddDays(-1)
	switch s.From {
	case FromPeriodStart:
		return r.From.String()
	case FromMonth:
		return fmt.Sprintf("%04d-%02d", r.From.Year, r.From.Month)
	case FromDay:
		if r.From.After(p.c.Today) {
			return nil // books know no day that lies ahead
		}
	}
	if !p.flow.Ahead && !r.From.After(p.c.Today) && last.After(p.c.Today) {
		last = p.c.Today
	}
	return last.String()
}

// comparison returns a part of the two periods that are compared: "mode" where one of
// them is now, else the days of both.
func (p Plan) comparison(part string) any {
	r := p.said.ranges
	explicit := len(r) == 2 && r[0] != r[1]
	for _, one := range r {
		if !p.c.Today.Before(one.From) && p.c.Today.Before(one.To) {
			explicit = false
		}
	}
	if !explicit {
		if part == "mode" {
			return p.mode()
		}
		return nil
	}
	now, before := r[0], r[1]
	if now.From.Before(before.From) {
		now, before = before, now
	}
	switch part {
	case "from":
		return now.From.String()
	case "to":
		return now.To.AddDays(-1).String()
	case "previous_from":
		return before.From.String()
	case "previous_to":
		return before.To.AddDays(-1).String()
	}
	return nil
}

// mode returns how long the periods are that a sentence compares.
func (p Plan) mode() string {
	for _, w := range p.said.folded {
		switch w {
		case "mom", "month", "mahine", "mahina", "mahino", "monthly", "महीने", "महीना", "महीनों":
			return "mom"
		case "qoq", "quarter", "quarterly", "timahi", "तिमाही":
			return "qoq"
		}
	}
	return "yoy"
}
