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

// FinancialYearOf returns the calendar year in which the Indian financial year
// of d begins: 2025 for 31 March 2026.
func FinancialYearOf(d Date) int {
	if d.Month < time.April {
		return d.Year - 1
	}
	return d.Year
}

// FinancialYear returns the days from 1 April of the year to 31 March.
func FinancialYear(begins int) Range {
	return Range{From: Date{begins, time.April, 1}, To: Date{begins + 1, time.April, 1}}
}

// FinancialQuarter returns a quarter of FinancialYear: 1 is April to June. It is
// empty for an n that is not 1 to 4.
func FinancialQuarter(begins, n int) Range {
	if n < 1 || n > 4 {
		return Range{}
	}
	from := FinancialYear(begins).From.Time().AddDate(0, 3*(n-1), 0)
	return Range{From: Of(from), To: Of(from.AddDate(0, 3, 0))}
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
