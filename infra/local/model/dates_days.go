package model

import (
	"strconv"
	"strings"
	"time"
)

// dayOf is a day of the calendar; false where there is none, such as 31 February.
func dayOf(year, mon, day int) (span, bool) {
	d := time.Date(year, time.Month(mon), day, 0, 0, 0, 0, time.UTC)
	if d.Day() != day || int(d.Month()) != mon {
		return span{}, false
	}
	return span{from: d, until: d.AddDate(0, 0, 1), day: true}, true
}

// dayInYear adds the year that people mean: the next such day, the latest
// when they speak of the past, and this year's in a report.
func dayInYear(mon, day, year string, today time.Time, lean tense) (span, bool) {
	if year != "" {
		return dayOf(atoi(year), monthOf(mon), atoi(day))
	}
	s, ok := dayOf(today.Year(), monthOf(mon), atoi(day))
	switch {
	case ok && lean == behind && s.from.After(today):
		return dayOf(today.Year()-1, monthOf(mon), atoi(day))
	case ok && lean == ahead && s.from.Before(today):
		return dayOf(today.Year()+1, monthOf(mon), atoi(day))
	}
	return s, ok
}

func sameMonth(mon, first, last, year string, today time.Time, lean tense) (span, bool) {
	from, ok := dayInYear(mon, first, year, today, lean)
	if !ok {
		return span{}, false
	}
	to, ok := dayOf(from.from.Year(), monthOf(mon), atoi(last))
	return span{from: from.from, until: to.until}, ok && to.from.After(from.from)
}

// dayOfMonth is the next such day of a month, or the latest when people speak of the past.
func dayOfMonth(m []string, today time.Time, lean tense) (span, bool) {
	for n := range 12 {
		if lean == behind {
			n = -n
		}
		first := time.Date(today.Year(), today.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		s, ok := dayOf(first.Year(), int(first.Month()), atoi(m[1]))
		if ok && (lean == behind && !s.from.After(today) || lean != behind && !s.from.Before(today)) {
			return s, true
		}
	}
	return span{}, false
}

// daysOfMonth is a stretch of such days of one month.
func daysOfMonth(m []string, today time.Time, lean tense) (span, bool) {
	from, ok := dayOfMonth(m, today, lean)
	if !ok {
		return span{}, false
	}
	to, ok := dayOf(from.from.Year(), int(from.from.Month()), atoi(m[2]))
	return span{from: from.from, until: to.until}, ok && to.from.After(from.from)
}

// kal is yesterday of what has been, and tomorrow otherwise.
func kal(m []string, today time.Time, lean tense) (span, bool) {
	n := 1
	if lean != ahead && !strings.Contains(m[0], "liye") {
		n = -1
	}
	return days(n)(m, today, lean)
}

// feast is a day that has the same date each year.
func feast(mon time.Month, day int) func([]string, time.Time, tense) (span, bool) {
	return func(_ []string, today time.Time, lean tense) (span, bool) {
		return dayInYear(strings.ToLower(mon.String()), strconv.Itoa(day), "", today, lean)
	}
}

func days(n int) func([]string, time.Time, tense) (span, bool) {
	return func(_ []string, today time.Time, _ tense) (span, bool) {
		d := today.AddDate(0, 0, n)
		return span{from: d, until: d.AddDate(0, 0, 1), day: true}, true
	}
}
