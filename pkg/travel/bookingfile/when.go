package bookingfile

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// day finds days in the forms "2026-12-04", "4 December 2026", "04DEC26" and
// "December 4, 2026". A form of figures alone is ambiguous but for the first one, and not
// read.
var day = regexp.MustCompile(`(?i)\b(\d{4})-(\d{2})-(\d{2})\b` +
	`|\b(\d{1,2})(?:st|nd|rd|th)?[ -]*(` + monthNames + `)[a-z]*\.?,?[ -]*(\d{4}|'?\d{2}\b)?` +
	`|\b(` + monthNames + `)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`)

const (
	monthNames = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
	dayNames   = "mon|tue|wed|thu|fri|sat|sun"
)

// monthOf returns the month that three letters name.
func monthOf(name string) time.Month {
	before, _, _ := strings.Cut(monthNames, strings.ToLower(name))
	return time.Month(len(before)/4 + 1)
}

// datesIn returns the days in a text, in order. One without a year is the next such day
// from today.
func datesIn(text string, today calendar.Date) []calendar.Date {
	var out []calendar.Date
	for _, m := range day.FindAllStringSubmatch(text, -1) {
		var d calendar.Date
		number := func(s string) int {
			n, _ := strconv.Atoi(strings.TrimPrefix(s, "'")) // digits by the expression
			return n
		}
		switch {
		case m[1] != "":
			d = calendar.Date{Year: number(m[1]), Month: time.Month(number(m[2])), Day: number(m[3])}
		case m[4] != "":
			d = calendar.Date{Year: number(m[6]), Month: monthOf(m[5]), Day: number(m[4])}
		default:
			d = calendar.Date{Year: number(m[9]), Month: monthOf(m[7]), Day: number(m[8])}
		}
		if d.Year > 0 && d.Year < 100 {
			d.Year += 2000
		}
		if d.Year == 0 {
			if d.Year = today.Year; calendar.Of(d.Time()).Before(today) {
				d.Year++
			}
		}
		if calendar.Of(d.Time()) == d { // a day that exists
			out = append(out, d)
		}
	}
	return out
}

// clock is a time of day, perhaps of a later day: "06:10 +1".
type clock struct{ hour, minute, plus int }

func (c clock) on(d calendar.Date) calendar.DateTime {
	return calendar.DateTime{Date: d, Hour: c.hour, Minute: c.minute}
}

// clocksIn returns the times of day in a text, in order.
func clocksIn(text string) []clock {
	var out []clock
	for _, m := range clockTime.FindAllStringSubmatch(text, -1) {
		var c clock
		c.hour, _ = strconv.Atoi(m[1]) // digits by the expression
		c.minute, _ = strconv.Atoi(m[2])
		switch half := strings.ToLower(m[3]); {
		case half != "" && (c.hour > 12 || c.hour == 0):
			continue
		case half == "p" && c.hour < 12:
			c.hour += 12
		case half == "a" && c.hour == 12:
			c.hour = 0
		}
		if m[4] != "" {
			c.plus, _ = strconv.Atoi(m[4][strings.IndexAny(m[4], "12"):][:1])
		}
		out = append(out, c)
	}
	return out
}
