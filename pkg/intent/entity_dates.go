package intent

import (
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

const monthWords = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
	`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

var (
	isoDate  = lazily(`([0-9]{4})-([0-9]{2})-([0-9]{2})`)
	dayFirst = lazily(`([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4}|[0-9]{2})`)
	dayMonth = lazily(`(?i)([0-9]{1,2})(?:st|nd|rd|th)?(?: of)?[ -](` + monthWords +
		`)(?:,?[ -]([0-9]{4}))?`)
	monthDay  = lazily(`(?i)(` + monthWords + `) ([0-9]{1,2})(?:st|nd|rd|th)?(?:, ?([0-9]{4}))?`)
	monthOnly = lazily(`(?i)(` + monthWords + `)(?: ([0-9]{4}))?`)
	// Financial years: "FY 2025-26", "2025-26", "FY26", "Q2 FY 2025-26".
	financial = lazily(`(?i)(?:(q[1-4])(?: of)? )?(?:(fy|f\.y\.|financial year) ?)?` +
		`'?((?:20)?[0-9]{2})(?:-((?:20)?[0-9]{2}))?`)
	relative = lazily(`(?i)(this|last|next|is|pichhle|pichle|pichhla|agle|agla) ` +
		`(week|month|year|financial year|fy|quarter|hafte|mahine|saal)`)
	single = lazily(`(?i)(day after tomorrow|day before yesterday|today|tomorrow|yesterday|` +
		`aaj|parso|parson|kal|आज|कल|परसों)`)
	weekdays = lazily(`(?i)(?:(this|next|last) )?` +
		`(monday|tuesday|wednesday|thursday|friday|saturday|sunday)`)
)

func dateFinders() []finder {
	return []finder{
		{isoDate, func(m []string, _ string, _ calendar.Date) (Entity, bool) {
			return day(m[1], number2(m[2]), m[3])
		}},
		{dayFirst, func(m []string, _ string, _ calendar.Date) (Entity, bool) {
			return day(m[3], number2(m[2]), m[1])
		}},
		{dayMonth, func(m []string, _ string, today calendar.Date) (Entity, bool) {
			month, _ := monthOf(m[2])
			return coming(m[3], month, m[1], today)
		}},
		{monthDay, func(m []string, _ string, today calendar.Date) (Entity, bool) {
			month, _ := monthOf(m[1])
			return coming(m[3], month, m[2], today)
		}},
		{monthOnly, readMonth}, {financial, readFinancial}, {relative, readRelative}, {single, readSingle},
		{weekdays, readWeekday},
	}
}

func number2(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func span(from, to calendar.Date) (Entity, bool) {
	return Entity{Kind: DateEntity, Days: calendar.Range{From: from, To: to}}, true
}

// day returns one day; false for one that there isn't.
func day(year string, month int, dayOfMonth string) (Entity, bool) {
	y := number2(year)
	if y < 100 {
		y += 2000
	}
	d := calendar.Date{Year: y, Month: time.Month(month), Day: number2(dayOfMonth)}
	if calendar.Of(d.Time()) != d {
		return Entity{}, false
	}
	return span(d, d.AddDays(1))
}

// coming is day; without a year it is the nearest such day that isn't long past.
func coming(year string, month int, dayOfMonth string, today calendar.Date) (Entity, bool) {
	if year != "" {
		return day(year, month, dayOfMonth)
	}
	const past = 90 // days
	e, ok := day(strconv.Itoa(today.Year), month, dayOfMonth)
	if ok && e.Days.From.Until(today) > past {
		return day(strconv.Itoa(today.Year+1), month, dayOfMonth)
	}
	return e, ok
}

func readMonth(m []string, _ string, today calendar.Date) (Entity, bool) {
	month, _ := monthOf(m[1])
	year := today.Year
	if m[2] != "" {
		year = number2(m[2])
	}
	// "may" and "mar" are words as well.
	if m[2] == "" && len(m[1]) == 3 && m[1][0] >= 'a' {
		return Entity{}, false
	}
	r := calendar.Month(calendar.Date{Year: year, Month: time.Month(month), Day: 1})
	return span(r.From, r.To)
}

// readFinancial reads years from 1 April to 31 March, and quarters of them.
func readFinancial(m []string, _ string, today calendar.Date) (Entity, bool) {
	if m[2] == "" && m[4] == "" || m[2] == "" && len(m[3]) != 4 {
		return Entity{}, false
	}
	from := number2(m[3]) % 100
	if m[4] != "" && number2(m[4])%100 != (from+1)%100 {
		return Entity{}, false
	}
	if m[4] == "" {
		from-- // FY26 ends in 2026
	}
	return quarters(2000+from, m[1])
}

func quarters(year int, quarter string) (Entity, bool) {
	r := calendar.FinancialYear(year)
	if quarter != "" {
		r = calendar.FinancialQuarter(year, int(quarter[1]-'0'))
	}
	return span(r.From, r.To)
}

func readRelative(m []string, _ string, today calendar.Date) (Entity, bool) {
	by := 0
	switch w := strings.ToLower(m[1]); {
	case w == "last" || strings.HasPrefix(w, "pich"):
		by = -1
	case w == "next" || strings.HasPrefix(w, "agl"):
		by = 1
	}
	switch strings.ToLower(m[2]) {
	case "week", "hafte":
		monday := today.AddDays(-(int(today.Weekday())+6)%7 + 7*by)
		return span(monday, monday.AddDays(7))
	case "month", "mahine":
		first := calendar.Month(today).From
		r := calendar.Month(calendar.Of(first.Time().AddDate(0, by, 0)))
		return span(r.From, r.To)
	case "year", "saal":
		first := calendar.Date{Year: today.Year + by, Month: 1, Day: 1}
		return span(first, calendar.Of(first.Time().AddDate(1, 0, 0)))
	case "quarter":
		first := calendar.Date{Year: today.Year, Month: (today.Month-1)/3*3 + 1, Day: 1}.Time()
		return span(calendar.Of(first.AddDate(0, 3*by, 0)), calendar.Of(first.AddDate(0, 3*by+3, 0)))
	}
	return quarters(calendar.FinancialYearOf(today)+by, "")
}

func readSingle(m []string, sentence string, today calendar.Date) (Entity, bool) {
	one := func(n int) (Entity, bool) { return span(today.AddDays(n), today.AddDays(n+1)) }
	switch strings.ToLower(m[1]) {
	case "today", "aaj", "आज":
		return one(0)
	case "tomorrow":
		return one(1)
	case "yesterday":
		return one(-1)
	case "day after tomorrow":
		return one(2)
	case "day before yesterday":
		return one(-2)
	case "kal", "कल":
		return eitherSide(1, sentence, today)
	}
	return eitherSide(2, sentence, today)
}

// The words that tell the tense of a Hindi sentence, or of an English one with
// Hindi words in it.
var (
	pastTense = lazily(`(?i)(?:^|\s)(?:tha|thi|the|thay|hua|hui|hue|gaya|gayi|gaye|kiya|aaya|aayi|aaye|` +
		`liya|mila|mili|bika|was|were|did|था|थी|थे|हुआ|हुई|हुए|गया|गई|गए|किया|आया|आई|आए|मिला)(?:\s|[?.!।]|$)`)
	futureTense = lazily(`(?i)(?:^|\s)(?:[a-z]+(?:ega|egi|enge|oge|oga|ogi|onge|unga|ungi)|karna|` +
		`chahiye|will|book|karo|kar do|[^\sa-z]*(?:ेगा|ेगी|ेंगे|ोगा|ोगी|ूँगा|ूंगा)|चाहिए|करना|करो)(?:\s|[?.!।]|$)`)
)

// eitherSide reads "kal" and "parso", which mean as many days ago and ahead. The
// tense decides; without one both are returned.
func eitherSide(n int, sentence string, today calendar.Date) (Entity, bool) {
	ahead := calendar.Range{From: today.AddDays(n), To: today.AddDays(n + 1)}
	ago := calendar.Range{From: today.AddDays(-n), To: today.AddDays(1 - n)}
	e := Entity{Kind: DateEntity, Days: ahead}
	past, future := pastTense().MatchString(sentence), futureTense().MatchString(sentence)
	switch {
	case past && !future:
		e.Days = ago
	case !past && !future, past && future:
		e.Or = ago
	}
	return e, true
}

func readWeekday(m []string, _ string, today calendar.Date) (Entity, bool) {
	w, _ := weekdayOf(m[2])
	ahead := (int(w) - int(today.Weekday()) + 7) % 7
	switch strings.ToLower(m[1]) {
	case "last":
		ahead -= 7
	case "next":
		if ahead == 0 {
			ahead = 7
		}
	}
	d := today.AddDays(ahead)
	return span(d, d.AddDays(1))
}

func monthOf(s string) (int, bool) {
	for m := time.January; m <= time.December; m++ {
		short := len(s) >= 3 && len(s) <= 4 && strings.EqualFold(m.String()[:3], s[:3])
		if short || strings.EqualFold(m.String(), s) {
			return int(m), true
		}
	}
	return 0, false
}

func weekdayOf(s string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(d.String(), s) {
			return d, true
		}
	}
	return 0, false
}
