package rupees

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// Date returns a day as DD/MM/YYYY, and no day as the empty string.
func Date(d calendar.Date) string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%02d/%02d/%04d", d.Day, int(d.Month), d.Year)
}

// ParseDate reads a day: DD/MM/YYYY, D-M-YY (of this century), DD.MM.YYYY,
// 15-Jan-2026 and YYYY-MM-DD. The day stands before the month. A day that does
// not exist, such as 31/02, is a fault.Invalid whose sentence says why.
func ParseDate(s string) (calendar.Date, error) {
	parts := strings.FieldsFunc(strings.Map(latin, s), func(r rune) bool { return strings.ContainsRune("/-. ", r) })
	if len(parts) != 3 {
		return calendar.Date{}, notDate(s)
	}
	if len(parts[0]) == 4 {
		parts[0], parts[2] = parts[2], parts[0]
	}
	day, err := strconv.ParseUint(parts[0], 10, 8)
	year, other := strconv.ParseUint(parts[2], 10, 16)
	month, ok := monthOf(parts[1])
	if err != nil || other != nil || !ok || len(parts[0]) > 2 || len(parts[2]) != 2 && len(parts[2]) != 4 {
		return calendar.Date{}, notDate(s)
	}
	if len(parts[2]) == 2 {
		year += 2000
	}
	d := calendar.Date{Year: int(year), Month: month, Day: int(day)}
	if year < 1900 || year > 2199 {
		return calendar.Date{}, fault.New(fault.Invalid, "%q is in the year %d; write a year from 1900 to 2199.",
			shown(s), year)
	}
	if month < time.January || month > time.December {
		return calendar.Date{}, fault.New(fault.Invalid,
			"%q is not a date: there is no month %d. Write the day before the month, DD/MM/YYYY.", shown(s), month)
	}
	if days := calendar.Month(calendar.Date{Year: d.Year, Month: month, Day: 1}).Days(); d.Day < 1 || d.Day > days {
		return calendar.Date{}, fault.New(fault.Invalid, "%q is not a date: %s %d has %d days.", shown(s), month,
			d.Year, days)
	}
	return d, nil
}

func notDate(s string) error {
	return fault.New(fault.Invalid, "%q is not a date; write it as DD/MM/YYYY.", shown(s))
}

// latin turns a digit of Devanagari into that of ASCII.
func latin(r rune) rune {
	if r >= '०' && r <= '९' {
		return '0' + r - '०'
	}
	return r
}

// monthOf reads the number of a month or its English name, of which three
// letters are enough.
func monthOf(s string) (time.Month, bool) {
	if n, err := strconv.ParseUint(s, 10, 8); err == nil {
		return time.Month(n), len(s) <= 2
	}
	for m := time.January; m <= time.December; m++ {
		if len(s) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), strings.ToLower(s)) {
			return m, true
		}
	}
	return 0, false
}

// Year is a financial year, 1 April to 31 March, by the calendar year in which it
// begins.
type Year int

// YearOf returns the financial year of a day.
func YearOf(d calendar.Date) Year { return Year(calendar.FinancialYearOf(d)) }

// ParseYear reads "2025-26", "FY 2025-26" and "FY26", which ends in 2026. Errors
// are of kind fault.Invalid.
func ParseYear(s string) (Year, error) {
	s = strings.TrimSpace(s)
	if es := intent.Entities(s, calendar.Date{}); len(es) == 1 && es[0].Text == s {
		if y := YearOf(es[0].Days.From); y.Range() == es[0].Days {
			return y, nil
		}
	}
	return 0, fault.New(fault.Invalid, "%q is not a financial year such as 2025-26.", shown(s))
}

// String returns "2025-26".
func (y Year) String() string { return fmt.Sprintf("%d-%02d", int(y), (int(y)+1)%100) }

// Assessment returns the assessment year: the next one.
func (y Year) Assessment() Year { return y + 1 }

// Range returns the days of the year.
func (y Year) Range() calendar.Range { return calendar.FinancialYear(int(y)) }

// Quarter returns the days of a quarter: 1 is April to June. It is empty for an n
// that is not 1 to 4.
func (y Year) Quarter(n int) calendar.Range { return calendar.FinancialQuarter(int(y), n) }
