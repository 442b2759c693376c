package calendar

import (
	"fmt"
	"time"
)

// DateTime is a local date with a time of day, to the minute, without a zone: what a
// clock on a wall of the place shows. The zero DateTime is none.
type DateTime struct {
	Date   Date
	Hour   int
	Minute int
}

// DateTimeOf returns what a clock shows at t in t's own zone.
func DateTimeOf(t time.Time) DateTime { return DateTime{Of(t), t.Hour(), t.Minute()} }

// ParseDateTime reads "2026-01-15T21:35", with or without seconds, which are dropped.
func ParseDateTime(s string) (DateTime, error) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return DateTimeOf(t), nil
		}
	}
	return DateTime{}, fmt.Errorf("%q is not a local time in the form YYYY-MM-DDTHH:MM", s)
}

// In returns the moment at which a clock in the zone shows d. A time that a change of
// clocks leaves out is that of the clock before the change; of one that comes twice it is
// one of both (see time.Date).
func (d DateTime) In(zone *time.Location) time.Time {
	return time.Date(d.Date.Year, d.Date.Month, d.Date.Day, d.Hour, d.Minute, 0, 0, zone)
}

// IsZero reports whether d is none.
func (d DateTime) IsZero() bool { return d.Date.IsZero() }

// Compare compares what the clocks show, whatever their zones.
func (d DateTime) Compare(o DateTime) int { return d.In(time.UTC).Compare(o.In(time.UTC)) }

// Clock returns "21:35".
func (d DateTime) Clock() string { return fmt.Sprintf("%02d:%02d", d.Hour, d.Minute) }

// String returns "2026-01-15T21:35", "" for none.
func (d DateTime) String() string {
	if d.IsZero() {
		return ""
	}
	return d.Date.String() + "T" + d.Clock()
}

// MarshalText writes the form of String.
func (d DateTime) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the form of String; "" is none.
func (d *DateTime) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*d = DateTime{}
		return nil
	}
	*d, err = ParseDateTime(string(text))
	return err
}
