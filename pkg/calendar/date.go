// Package calendar deals in the dates of a hotel or a company: days without a
// time, in the place's own time zone, and half-open ranges of them.
package calendar

import (
	"fmt"
	"time"
)

// Date is a day of the Gregorian calendar. The zero Date is no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

const layout = "2006-01-02"

// Of returns the day of t in t's own zone.
func Of(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// Parse reads "2026-01-15". Other forms are refused with a sentence.
func Parse(s string) (Date, error) {
	t, err := time.Parse(layout, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date in the form YYYY-MM-DD", s)
	}
	return Of(t), nil
}

// Today returns the day that it is at now in the zone.
func Today(now time.Time, zone *time.Location) Date { return Of(now.In(zone)) }

// IsZero reports whether d is no day.
func (d Date) IsZero() bool { return d == Date{} }

// Time returns the start of the day in UTC; it is meant for arithmetic only.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// AddDays returns the day n days later.
func (d Date) AddDays(n int) Date { return Of(d.Time().AddDate(0, 0, n)) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Time().Weekday() }

// Before reports whether d comes before o.
func (d Date) Before(o Date) bool { return d.Time().Before(o.Time()) }

// After reports whether d comes after o.
func (d Date) After(o Date) bool { return o.Before(d) }

// Until returns the number of days from d to o; negative when o is earlier.
func (d Date) Until(o Date) int {
	// Seconds, since a time.Duration ends after 292 years, and a mistyped year
	// must not become a plausible number of nights.
	const day = 24 * 60 * 60
	return int((o.Time().Unix() - d.Time().Unix()) / day)
}

// String returns "2026-01-15", the form of data and of models.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// Show returns "15-Jan-2026", the form that hotel staff read.
func (d Date) Show() string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format("02-Jan-2006")
}

// MarshalText writes the form of String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the form of Parse; an empty text is no day.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	p, err := Parse(string(text))
	if err != nil {
		return err
	}
	*d = p
	return nil
}
