package calendar

import "time"

// Range is the half-open span of days [From, To): the last night of a stay is
// the one before To.
type Range struct {
	From Date `json:"from"`
	To   Date `json:"to"`
}

// Days returns the number of days; never negative.
func (r Range) Days() int { return max(0, r.From.Until(r.To)) }

// Overlaps reports whether the two ranges share a day.
func (r Range) Overlaps(o Range) bool { return r.From.Before(o.To) && o.From.Before(r.To) }

// Clip returns the part of r that lies in o; empty when there is none.
func (r Range) Clip(o Range) Range {
	if r.From.Before(o.From) {
		r.From = o.From
	}
	if o.To.Before(r.To) {
		r.To = o.To
	}
	if r.To.Before(r.From) {
		r.To = r.From
	}
	return r
}

// Month returns the month in which d lies.
func Month(d Date) Range {
	first := Date{d.Year, d.Month, 1}
	return Range{From: first, To: Of(first.Time().AddDate(0, 1, 0))}
}

// NextWeekend returns the Friday and Saturday nights of the weekend after d:
// the coming one, or the following one when d itself lies in a weekend (Friday,
// Saturday or Sunday).
func NextWeekend(d Date) Range {
	days := (int(time.Friday) - int(d.Weekday()) + 7) % 7
	switch d.Weekday() {
	case time.Friday:
		days = 7
	case time.Saturday:
		days = 6
	case time.Sunday:
		days = 5
	}
	from := d.AddDays(days)
	return Range{From: from, To: from.AddDays(2)}
}

// Clock tells the time. Production passes time.Now, tests a fixed one.
type Clock func() time.Time
