package reading

import (
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// numericDate reads 4/12/2026 and 4/12. Where day and month can be exchanged, both are
// choices.
func (t *text) numericDate(m match, today calendar.Date) (when, bool) {
	year := m.groups[4]
	if m.groups[2] == "." && year == "" {
		return when{}, false
	}
	if len(year) == 2 {
		year = "20" + year
	}
	a, b := number(m.groups[1]), number(m.groups[3])
	first, firstOK := coming(number4(year), b, a, today)   // the day first
	second, secondOK := coming(number4(year), a, b, today) // the month first
	switch {
	case firstOK && (!secondOK || first == second):
		return when{day: first}, true
	case secondOK && !firstOK:
		return when{day: second}, true
	case !firstOK:
		return when{}, false
	}
	far := func(d calendar.Date) bool { n := today.Until(d); return n < 0 || n > 330 }
	switch {
	case far(second) && !far(first):
		return when{day: first, words: t.plain[m.from:m.to]}, true
	case far(first) && !far(second):
		return when{day: second, words: t.plain[m.from:m.to]}, true
	}
	return when{open: true, words: t.plain[m.from:m.to], choices: []calendar.Date{first, second}}, true
}

// weekdayOn reads "Friday", "next Friday", "Friday week". Short forms that are other words
// need a sign that a day is meant.
func (t *text) weekdayOn(m match, today calendar.Date) (when, bool) {
	which, name := m.groups[1], m.groups[2]
	if name == "sun" || name == "sat" || name == "wed" || name == "mon" {
		before := t.before(m.from)
		cue := which != "" || endsIn(before, "on", "to", "-", "until", "till", "back", "return", "by", "from",
			",", "and", "for") ||
			t.plain[m.at[4]] < 'a'
		if !cue || endsIn(before, "the", "my") {
			return when{}, false
		}
	}
	if which == "last" {
		return when{}, false
	}
	d := next(today.AddDays(1), weekdayOf(name)) // people call today by no day of the week
	// "Next" is the one in the week after this, where weeks begin on Mondays.
	if which == "next" {
		monday := today.AddDays(-(int(today.Weekday())+6)%7 + 7)
		d = monday.AddDays((int(weekdayOf(name)) + 6) % 7)
	}
	switch m.groups[3] {
	case "week":
		d = d.AddDays(7)
	case "after next":
		d = d.AddDays(7)
	}
	return when{day: d, words: t.plain[m.from:m.to]}, true
}

func (t *text) holidayOn(m match, today calendar.Date) (when, bool) {
	name := strings.ReplaceAll(m.groups[1], "'", "")
	day := func(year int) calendar.Date {
		switch name {
		case "christmas eve":
			return calendar.Date{Year: year, Month: 12, Day: 24}
		case "christmas day", "christmas", "xmas":
			return calendar.Date{Year: year, Month: 12, Day: 25}
		case "boxing day":
			return calendar.Date{Year: year, Month: 12, Day: 26}
		case "new years eve":
			return calendar.Date{Year: year, Month: 12, Day: 31}
		case "new years day", "new years", "new year":
			return calendar.Date{Year: year, Month: 1, Day: 1}
		case "valentines day", "valentines":
			return calendar.Date{Year: year, Month: 2, Day: 14}
		case "good friday":
			return easter(year).AddDays(-2)
		case "easter monday":
			return easter(year).AddDays(1)
		case "easter", "easter sunday":
			return easter(year)
		case "thanksgiving":
			d := calendar.Date{Year: year, Month: 11, Day: 1}
			return next(d, time.Thursday).AddDays(21)
		case "halloween":
			return calendar.Date{Year: year, Month: 10, Day: 31}
		case "republic day":
			return calendar.Date{Year: year, Month: 1, Day: 26}
		case "diwali":
			return diwali[year]
		}
		return calendar.Date{}
	}
	d := day(today.Year)
	if d.IsZero() || d.Before(today) {
		d = day(today.Year + 1)
	}
	if d.IsZero() {
		return when{}, false
	}
	w := when{day: d, words: t.plain[m.from:m.to]}
	// "For Christmas" is not yet a day to fly on; "on Christmas Day" and "Christmas" at the
	// place of a date are.
	if endsIn(t.before(m.from), "for", "over", "around", "before", "during", "at", "by", "after") {
		w.open, w.choices = true, []calendar.Date{d.AddDays(-2), d.AddDays(-1), d}
		if endsIn(t.before(m.from), "after") {
			w.choices = []calendar.Date{d.AddDays(1), d.AddDays(2), d.AddDays(3)}
		}
	}
	return w, true
}

// diwali is the day of Lakshmi Puja by the Government of India's list of holidays.
var diwali = map[int]calendar.Date{
	2026: {Year: 2026, Month: 11, Day: 8}, 2027: {Year: 2027, Month: 10, Day: 29}, 2028: {Year: 2028, Month: 10,
		Day: 17},
}

// easter returns Easter Sunday by the Gregorian computus (J. Meeus, Astronomical
// Algorithms, chapter 8).
func easter(year int) calendar.Date {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return calendar.Date{Year: year, Month: time.Month(n / 31), Day: n%31 + 1}
}

// inMonth reads "in December", "early March": no day yet.
func (t *text) inMonth(m match, today calendar.Date) (when, bool) {
	which, name := m.groups[1], m.groups[2]
	if len(name) == 3 && name != "may" && t.plain[m.at[4]] >= 'a' && name != "dec" && name != "jan" &&
		name != "feb" &&
		name != "nov" && name != "oct" && name != "aug" && name != "apr" && name != "jun" && name != "jul" {
		return when{}, false // "in sep" is none, "for mar" may be anything
	}
	year := today.Year
	if y := m.groups[3]; y != "" {
		year = number4(y)
	} else if month := monthOf(name); month < int(today.Month) {
		year++
	}
	first := calendar.Date{Year: year, Month: time.Month(monthOf(name)), Day: 1}
	return when{open: true, words: t.plain[m.from:m.to], choices: daysIn(calendar.Month(first), which, today)}, true
}

// daysIn offers Fridays of a month, of that part of it which was said.
func daysIn(month calendar.Range, which string, today calendar.Date) []calendar.Date {
	var out []calendar.Date
	for d := month.From; d.Before(month.To); d = d.AddDays(1) {
		if d.Weekday() != time.Friday || !d.After(today) {
			continue
		}
		switch {
		case strings.HasPrefix(which, "early") || strings.HasPrefix(which, "beg") || strings.HasPrefix(which,
			"start"):
			if d.Day > 11 {
				continue
			}
		case strings.HasPrefix(which, "mid"):
			if d.Day < 9 || d.Day > 22 {
				continue
			}
		case strings.HasPrefix(which, "late") || strings.HasPrefix(which, "end"):
			if d.Day < 20 {
				continue
			}
		}
		out = append(out, d)
	}
	return out[:min(len(out), 4)]
}

// inWeekOf reads "the first week of February": seven days, of which some are offered.
func (t *text) inWeekOf(m match, today calendar.Date) (when, bool) {
	w := when{open: true, words: t.plain[m.from:m.to]}
	year, month := today.Year, monthOf(m.groups[2])
	switch {
	case m.groups[3] != "":
		year = number4(m.groups[3])
	case month < int(today.Month):
		year++
	}
	span := calendar.Month(calendar.Date{Year: year, Month: time.Month(month), Day: 1})
	first := span.To.AddDays(-7)
	if i := strings.Index("first second third fourth", m.groups[1]); i >= 0 {
		first = span.From.AddDays(7 * strings.Count("first second third fourth"[:i], " "))
	} else if m.groups[1] != "last" {
		first = span.From.AddDays(7 * (int(m.groups[1][0]-'0') - 1))
	}
	for n := range 7 {
		d := first.AddDays(n)
		switch d.Weekday() {
		case time.Monday, time.Wednesday, time.Friday, time.Saturday:
			if d.After(today) {
				w.choices = append(w.choices, d)
			}
		}
	}
	return w, len(w.choices) > 0
}

// inSpan reads "next week", "this month": no day yet.
func (t *text) inSpan(m match, today calendar.Date) (when, bool) {
	w := when{open: true, words: t.plain[m.from:m.to]}
	ahead := 0
	switch m.groups[2] {
	case "next", "agle", "agla":
		ahead = 1
	case "the":
		if !strings.Contains(m.groups[1], "end of") && !strings.Contains(m.groups[1], "of") {
			return when{}, false
		}
	}
	switch m.groups[3] {
	case "week", "hafte":
		monday := today.AddDays(-(int(today.Weekday())+6)%7 + 7*ahead)
		for _, n := range []int{0, 2, 4, 5} {
			if d := monday.AddDays(n); d.After(today) {
				w.choices = append(w.choices, d)
			}
		}
	case "month", "mahine":
		w.choices = daysIn(calendar.Month(addMonths(calendar.Date{Year: today.Year, Month: today.Month, Day: 1},
			ahead)),
			strings.TrimPrefix(m.groups[1], "the "), today)
	}
	return w, true
}

// coming returns a day of a month; without a year (0) the first one that is not past.
func coming(year, month, dayOfMonth int, today calendar.Date) (calendar.Date, bool) {
	if year != 0 {
		return dateOf(year, month, dayOfMonth)
	}
	for year = today.Year; year <= today.Year+4; year++ { // 29 February
		if d, ok := dateOf(year, month, dayOfMonth); ok && !d.Before(today) {
			return d, true
		}
	}
	return calendar.Date{}, false
}

func dateOf(year, month, dayOfMonth int) (calendar.Date, bool) {
	d := calendar.Date{Year: year, Month: time.Month(month), Day: dayOfMonth}
	return d, year > 2000 && year < 2100 && calendar.Of(d.Time()) == d
}

// next returns the first such day of the week from a day on.
func next(from calendar.Date, day time.Weekday) calendar.Date {
	return from.AddDays((int(day) - int(from.Weekday()) + 7) % 7)
}

// addMonths keeps the day of the month, or takes the last of a shorter one.
func addMonths(d calendar.Date, n int) calendar.Date {
	first := calendar.Of(calendar.Date{Year: d.Year, Month: d.Month, Day: 1}.Time().AddDate(0, n, 0))
	last := calendar.Month(first).To.AddDays(-1)
	return calendar.Date{Year: first.Year, Month: first.Month, Day: min(d.Day, last.Day)}
}

func number4(s string) int {
	n := 0
	for _, r := range s {
		n = 10*n + int(r-'0')
	}
	return n
}

func monthOf(s string) int {
	for m := time.January; m <= time.December; m++ {
		if len(s) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), s[:3]) {
			return int(m)
		}
	}
	return 0
}

var hindiDays = map[string]time.Weekday{"somvar": time.Monday, "mangalvar": time.Tuesday, "budhvar": time.Wednesday,
	"guruvar": time.Thursday, "shukravar": time.Friday, "shanivar": time.Saturday, "ravivar": time.Sunday,
	"itvar": time.Sunday}

func weekdayOf(s string) time.Weekday {
	if d, ok := hindiDays[s]; ok {
		return d
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.HasPrefix(strings.ToLower(d.String()), s[:3]) {
			return d
		}
	}
	return time.Sunday
}

// showDay writes a day for people: "Fri 4 Dec 2026".
func showDay(d calendar.Date) string { return d.Time().Format("Mon 2 Jan 2006") }
