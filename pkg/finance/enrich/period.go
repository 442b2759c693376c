package enrich

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

// grain is how long a period is.
type grain int

const (
	monthly grain = iota + 1
	quarterly
	yearly
)

// period is a month, a quarter or a year.
type period struct {
	grain grain
	// n counts months (from January of the year 0), quarters (from the first three
	// months of the year 0) or years, so that consecutive periods differ by one.
	n int
	// fiscal years begin in April, and so do their quarters; both are named by it.
	fiscal bool
	// undated is a month without a year: its place is known, its days are not.
	undated bool
}

var (
	dayPeriod     = regexp.MustCompile(`^(\d{4})-(\d{2})(?:-01)?(?:T00:00:00(?:Z|[+-]00:?00)?)?$`)
	namedMonth    = regexp.MustCompile(`^([A-Za-z]{3,9})\.?(?:[ '’,/-]+(\d{4}|\d{2}))?$`)
	quarterPeriod = regexp.MustCompile(`^(?:Q([1-4])[ -]*(?:FY ?)?(\d{4})(?:[-–/](\d{2}|\d{4}))?|` +
		`(?:FY ?)?(\d{4})(?:[-–/](\d{2}|\d{4}))?[ -]*Q([1-4]))$`)
	yearPeriod = regexp.MustCompile(`^(?:FY ?)?(\d{4})(?:[-–/](\d{2}|\d{4}))?$`)
)

// parsePeriod reads "2026-04", "2026-04-01", "Apr 2026", "April", "Q1 2025-26",
// "2025-26", "FY 2025-26" and "2025". A text that only contains such a name is none.
func parsePeriod(s string) (period, bool) {
	s = strings.TrimSpace(s)
	if m := dayPeriod.FindStringSubmatch(s); m != nil {
		// Up to 2011-12 a financial year looks like a month; books of today do not go so far.
		if year, month := number(m[1]), number(m[2]); month >= 1 && month <= 12 {
			return period{grain: monthly, n: 12*year + month - 1}, true
		}
	}
	if m := namedMonth.FindStringSubmatch(s); m != nil {
		month, ok := monthOf(m[1])
		if m[2] == "" {
			return period{grain: monthly, n: month - 1, undated: true}, ok
		}
		return period{grain: monthly, n: 12*century(m[2]) + month - 1}, ok
	}
	if m := quarterPeriod.FindStringSubmatch(s); m != nil {
		q, year, end := m[1], m[2], m[3]
		if q == "" {
			q, year, end = m[6], m[4], m[5]
		}
		// A quarter of a year that is written with one number is one of the financial
		// year that begins in it, as everywhere in Indian books.
		return period{grain: quarterly, n: 4*number(year) + number(q) - 1, fiscal: true}, follows(year, end)
	}
	if m := yearPeriod.FindStringSubmatch(s); m != nil {
		return period{grain: yearly, n: number(m[1]), fiscal: m[2] != "" || strings.HasPrefix(s, "FY")},
			follows(m[1], m[2])
	}
	return period{}, false
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0 // digits has only digits, at most four
	}
	return n
}

// century is the year of two or four digits.
func century(digits string) int {
	if len(digits) == 2 {
		return 2000 + number(digits)
	}
	return number(digits)
}

// follows reports whether a financial year may end so: "2025" and "26" or "2026".
func follows(year, end string) bool {
	return end == "" || (number(year)+1)%100 == number(end)%100
}

func monthOf(name string) (int, bool) {
	for m := time.January; m <= time.December; m++ {
		full := strings.ToLower(m.String())
		if l := strings.ToLower(name); l == full || l == full[:3] || l == "sept" && m == time.September {
			return int(m), true
		}
	}
	return 0, false
}

// days is the span of the period; false for one without a year.
func (p period) days() (calendar.Range, bool) {
	month := func(n int) calendar.Date {
		return calendar.Date{Year: n / 12, Month: time.Month(n%12 + 1), Day: 1}
	}
	first, months := p.n, 1
	switch p.grain {
	case quarterly:
		first, months = 3*p.n, 3
	case yearly:
		first, months = 12*p.n, 12
	}
	if p.fiscal {
		first += 3
	}
	return calendar.Range{From: month(first), To: month(first + months)}, !p.undated
}

var shortMonths = map[language.Language][12]string{
	language.English: {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	language.Hindi: {"जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून",
		"जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"},
}

// show names the period: "Apr 2026", "Q1 2025-26", "2025-26" for a financial year.
func (p period) show(l language.Language) string {
	months, ok := shortMonths[l]
	if !ok {
		months = shortMonths[language.English]
	}
	switch {
	case p.undated:
		return months[p.n]
	case p.grain == monthly:
		return months[p.n%12] + " " + strconv.Itoa(p.n/12)
	case p.grain == quarterly:
		return "Q" + strconv.Itoa(p.n%4+1) + " " + rupees.Year(p.n/4).String()
	case p.fiscal:
		return rupees.Year(p.n).String()
	}
	return strconv.Itoa(p.n)
}
