package model

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

const isoDate = "2006-01-02"

// span is a stretch of days that a text names: from the first day up to, not
// including, until.
type span struct {
	from, until time.Time
	day         bool // one single day was named
	period      bool // a calendar period was named: a week, a month, a year
	start, end  int  // where in the text
}

func (s span) last() time.Time { return s.until.AddDate(0, 0, -1) }

const (
	monthWords = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`
	dayWords   = `mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?`
	joiner     = `\s*(?:to|until|till|through|-|–|—|and|se)\s*(?:the\s+)?`
)

// tense says which year a day without one belongs to.
type tense int

const (
	ahead    tense = iota // the next such day
	behind                // the latest
	thisYear              // this year's: a report of a period
)

// tenseOf reads the tense from the words, which count more than what the days
// are for.
func tenseOf(text string, report bool) tense {
	switch {
	case pastWords.MatchString(text), spokenOfPast.MatchString(latin(text)):
		return behind
	case report && !comingWords.MatchString(text):
		return thisYear
	}
	return ahead
}

// when is one way to name days. read returns false when the groups make no
// date after all, such as 31 February.
type datePattern struct {
	pattern *regexp.Regexp
	read    func(m []string, today time.Time, lean tense) (span, bool)
}

// datePatterns are tried in order; what one has read, the later ones do not see.
var datePatterns = []datePattern{
	{regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?` + joiner + `(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(` +
		monthWords + `)\b\.?,?(?:\s+(\d{4}))?`), func(m []string, today time.Time, lean tense) (span, bool) {
		return sameMonth(m[3], m[1], m[2], m[4], today, lean)
	}},
	{regexp.MustCompile(`(?i)\b(` + monthWords + `)\.?\s+(\d{1,2})(?:st|nd|rd|th)?` + joiner +
		`(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?`), func(m []string, today time.Time, lean tense) (span, bool) {
		return sameMonth(m[1], m[2], m[3], m[4], today, lean)
	}},
	{regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})\b`), func(m []string, today time.Time, lean tense) (span, bool) {
		return dayOf(atoi(m[1]), atoi(m[2]), atoi(m[3]))
	}},
	{regexp.MustCompile(`\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b`), func(m []string, today time.Time, lean tense) (span,
		bool) {
		return dayOf(atoi(m[3]), atoi(m[2]), atoi(m[1]))
	}},
	{regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?(` + monthWords +
		`)\b\.?,?(?:[\s-]+(\d{4}))?`), func(m []string, today time.Time, lean tense) (span, bool) {
		return dayInYear(m[2], m[1], m[3], today, lean)
	}},
	{regexp.MustCompile(`(?i)\b(` + monthWords + `)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?`),
		func(m []string, today time.Time, lean tense) (span, bool) {
			return dayInYear(m[1], m[2], m[3], today, lean)
		}},
	{regexp.MustCompile(`(?i)\b(first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(week|half)\s+of\s+(` + monthWords +
		`)\b(?:\s+(\d{4}))?`), partOfMonth},
	{regexp.MustCompile(`(?i)\b(` + monthWords + `)\s+((?:this|last|next)\s+year)\b`),
		func(m []string, today time.Time,
			_ tense) (span, bool) {
			from := time.Date(today.Year()+step(strings.Fields(m[2])[0]), time.Month(monthOf(m[1])), 1, 0, 0, 0, 0,
				time.UTC)
			return span{from: from, until: from.AddDate(0, 1, 0), period: true}, true
		}},
	{regexp.MustCompile(`(?i)\bday after tomorrow\b`), days(2)},
	{regexp.MustCompile(`(?i)\btomorrow\b`), days(1)},
	{regexp.MustCompile(`(?i)\byesterday\b`), days(-1)},
	{regexp.MustCompile(`(?i)\b(?:today|tonight|aaj|this (?:morning|afternoon|evening))(?:'s)?\b(?: +raat\b)?`),
		days(0)},
	{regexp.MustCompile(`(?i)\bkal(?: +ke +liye)?\b`), kal},
	{regexp.MustCompile(`(?i)\bparso[n]?\b`), func(m []string, today time.Time, lean tense) (span, bool) {
		n := 2
		if lean == behind || lean == thisYear {
			n = -2
		}
		return days(n)(m, today, lean)
	}},
	{regexp.MustCompile(`(?i)\b(?:new year'?s eve)\b`), feast(time.December, 31)},
	{regexp.MustCompile(`(?i)\bnew year'?s day\b`), feast(time.January, 1)},
	{regexp.MustCompile(`(?i)\bnew year(?:'?s)?\b`), feast(time.January, 1)},
	{regexp.MustCompile(`(?i)\bchristmas eve\b`), feast(time.December, 24)},
	{regexp.MustCompile(`(?i)\b(?:christmas|xmas)(?: day)?\b`), feast(time.December, 25)},
	{regexp.MustCompile(`(?i)\bvalentine'?s?(?: day)?\b`), feast(time.February, 14)},
	{regexp.MustCompile(`(?i)\b(next|last|past|previous|coming)\s+(\d{1,3}` +
		`|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(day|night|week|month)s?\b`), several},
	{regexp.MustCompile(`(?i)\b(this|next|last|past|previous|coming)\s+(weekend|week|month|quarter|year)\b(?:'s)?`),
		period},
	{regexp.MustCompile(`(?i)\b(is|agle|pichh?le)\s+(hafte|mahine|saal)\b`), period},
	{regexp.MustCompile(`(?i)\b(?:(?:on|at|over|for)\s+)(?:the\s+)?(weekend)\W*$`), func(m []string, today time.Time,
		lean tense) (span, bool) {
		return period([]string{"", "this", "weekend"}, today, lean)
	}},
	{regexp.MustCompile(`(?i)\b(?:(this|next|last|past|coming|on)\s+)?(` + dayWords + `)\b`), weekday},
	{regexp.MustCompile(`(?i)\b(?:(this|next|last)\s+)?(` + monthWords + `)\b(?:\s+(\d{4}))?`), month},
	// "the 4th" without a month.
	{regexp.MustCompile(`(?i)\bthe\s+(\d{1,2})(?:st|nd|rd|th)?` + joiner + `(\d{1,2})(?:st|nd|rd|th)\b`), daysOfMonth},
	{regexp.MustCompile(`(?i)\b(?:on|from|until|till|by|for|of)\s+the\s+(\d{1,2})(?:st|nd|rd|th)\b`), dayOfMonth},
	{regexp.MustCompile(`(?i)\bin\s+(20\d{2})\b`), func(m []string, today time.Time, lean tense) (span, bool) {
		from := time.Date(atoi(m[1]), 1, 1, 0, 0, 0, 0, time.UTC)
		return span{from: from, until: from.AddDate(1, 0, 0), period: true}, true
	}},
}

var (
	pastWords   = regexp.MustCompile(`(?i)\b(?:was|were|did|had|last|past|earned|made|sold|tha|thi|hua)\b`)
	comingWords = regexp.MustCompile(`(?i)\b(?:will|going to|expect(?:ed)?|forecast|upcoming|coming|next|ahead)\b`)
	beSold      = regexp.MustCompile(`(?i)\bbe sold\b`)
	fromWord    = regexp.MustCompile(`(?i)\b(?:from|between)\s+(?:the\s+)?$`)
	andGap      = regexp.MustCompile(`(?i)^\s*(?:and|aur)\s*$`)
	yearShape   = regexp.MustCompile(`\d{4}`)
	bareMay     = regexp.MustCompile(`\bmay\b`)
	rangeGap    = regexp.MustCompile(`(?i)^[\s,]*(?:ko ` +
		`)?(?:to|until|till|through|-|–|—|and|se|aur|departing|leaving|check(?:ing)?[\s-]?out(?: ` +
		`on)?)[\s,]*(?:on\s+)?$`)
	nightsOf = regexp.MustCompile(`(?i)\b(\d{1,3}` +
		`|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen)[\s-]+(night|day|week|raat|din)s?\b`)
	stayFor = regexp.MustCompile(`(?i)\b(?:for|stay(?:ing)?|of|another)\s+$`)
)

// spansIn returns the days that text names, in the order of the text, and the
// text with them blanked out. Two days joined by "to" come back as one span.
// today is a date; "next" weekend, week or weekday lies in the next week,
// which begins on Monday, and weekends run from Friday to Sunday. report says
// that the days are a period to look back on.
func spansIn(text string, today time.Time, report bool) ([]span, string) {
	lean := tenseOf(beSold.ReplaceAllString(text, "be"), report)
	said, rest := text, latin(text)
	text = rest
	// "may" is a month only when it is written as one.
	for _, at := range bareMay.FindAllStringIndex(rest, -1) {
		if !regexp.MustCompile(`(?i)(?:\d|\bin|\bof|\bfor)\s*$`).MatchString(rest[:at[0]]) {
			rest = rest[:at[0]] + "   " + rest[at[1]:]
		}
	}
	hidden := rest
	var out []span
	for _, w := range datePatterns {
		for {
			at := w.pattern.FindStringSubmatchIndex(hidden)
			if at == nil {
				break
			}
			s, ok := w.read(groupsOf(hidden, at), today, lean)
			hidden = blank(hidden, at[0], at[1])
			if !ok {
				continue
			}
			text = blank(text, at[0], at[1])
			s.start, s.end = at[0], at[1]
			i := 0
			for i < len(out) && out[i].start < s.start {
				i++
			}
			out = append(out[:i], append([]span{s}, out[i:]...)...)
		}
	}
	spans := join(out, rest)
	// What is no day stays as it was written.
	for _, s := range out {
		said = blank(said, s.start, s.end)
	}
	return spans, said
}

// join makes one span of two neighbours that a word such as "to" connects.
func join(spans []span, text string) []span {
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.start >= out[n-1].end && !s.from.After(out[n-1].from) &&
			rangeGap.MatchString(text[out[n-1].end:s.start]) && !yearShape.MatchString(text[s.start:s.end]) {
			// The end of a stretch lies behind its start: of "from 28 December
			// to 3 January" the second day is in the year after.
			if next := s.from.AddDate(1, 0, 0); next.After(out[n-1].from) {
				s.from, s.until = next, s.until.AddDate(1, 0, 0)
			}
		}
		if n := len(out); n > 0 && s.start >= out[n-1].end && rangeGap.MatchString(text[out[n-1].end:s.start]) &&
			(!andGap.MatchString(text[out[n-1].end:s.start]) || fromWord.MatchString(text[:out[n-1].start]) ||
				s.day) &&
			s.from.After(out[n-1].from) {
			joined := span{from: out[n-1].from, until: s.until, period: s.period, start: out[n-1].start, end: s.end}
			out[n-1] = joined
			continue
		}
		out = append(out, s)
	}
	return out
}

// nightsIn returns how long a stay is to be, 0 when the text does not say.
func (l *lexicon) nightsIn(text string) (nights int, rest string) {
	for _, at := range nightsOf.FindAllStringSubmatchIndex(text, -1) {
		unit := strings.ToLower(text[at[4]:at[5]])
		if unit == "raat" || unit == "din" {
			unit = "night"
		}
		if unit != "night" && !stayFor.MatchString(text[:at[0]]) {
			continue
		}
		// "minimum stay of 2 nights" is a rule, not a stay.
		if c := l.conceptsIn(text[max(0, at[0]-20):at[0]]); c["minimum"] || c["maximum"] {
			continue
		}
		n := countOf(text[at[2]:at[3]])
		if unit == "week" {
			n *= 7
		}
		return n, blank(text, at[0], at[1])
	}
	return 0, text
}

func countOf(s string) int {
	s = strings.ToLower(s)
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
		"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fourteen": 14}[s]
}

func blank(text string, from, to int) string {
	return text[:from] + strings.Repeat(" ", to-from) + text[to:]
}

func groupsOf(text string, at []int) []string {
	out := make([]string, len(at)/2)
	for i := range out {
		if at[2*i] >= 0 {
			out[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return out
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // the patterns let only digits through
	return n
}

func monthOf(s string) int {
	return strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(s[:3]))/3 + 1
}

func several(m []string, today time.Time, _ tense) (span, bool) {
	n, y, mo := countOf(m[2]), 0, 0
	switch strings.ToLower(m[3]) {
	case "week":
		n *= 7
	case "month":
		mo, n = n, 0
	}
	if l := strings.ToLower(m[1]); l == "next" || l == "coming" {
		return span{from: today, until: today.AddDate(y, mo, n), period: true}, true
	}
	return span{from: today.AddDate(y, -mo, -n), until: today, period: true}, true
}

// partOfMonth is a week of a month, of which the first begins on its first day, or a half.
func partOfMonth(m []string, today time.Time, lean tense) (span, bool) {
	whole, ok := month([]string{"", "", m[3], m[4]}, today, lean)
	n := map[string]int{"f": 0, "1": 0, "s": 1, "2": 1, "t": 2, "3": 2}[strings.ToLower(m[1][:1])]
	if strings.EqualFold(m[1], "fourth") || m[1] == "4th" {
		n = 3
	}
	isLast := strings.EqualFold(m[1], "last")
	switch from := whole.from; {
	case strings.EqualFold(m[2], "week") && isLast:
		whole.from = whole.until.AddDate(0, 0, -7)
	case strings.EqualFold(m[2], "week"):
		whole.from, whole.until = from.AddDate(0, 0, 7*n), from.AddDate(0, 0, 7*n+7)
	case n == 0 && !isLast:
		whole.until = from.AddDate(0, 0, 15)
	case n == 1 || isLast:
		whole.from = from.AddDate(0, 0, 15)
	default:
		return span{}, false // a month has two halves
	}
	return whole, ok
}

// step reads "last" as -1, "next" as 1, and everything else as 0.
func step(s string) int {
	switch strings.ToLower(s) {
	case "last", "past", "previous", "pichle", "pichhle":
		return -1
	case "next", "agle":
		return 1
	}
	return 0
}

func monday(d time.Time) time.Time { return d.AddDate(0, 0, -(int(d.Weekday())+6)%7) }

func period(m []string, today time.Time, _ tense) (span, bool) {
	n := step(m[1])
	y, mo := today.Year(), today.Month()
	first := func(year int, mon time.Month) time.Time { return time.Date(year, mon, 1, 0, 0, 0, 0, time.UTC) }
	switch strings.ToLower(m[2]) {
	case "weekend":
		friday := monday(today).AddDate(0, 0, 4+7*n)
		return span{from: friday, until: friday.AddDate(0, 0, 3)}, true
	case "week", "hafte":
		from := monday(today).AddDate(0, 0, 7*n)
		return span{from: from, until: from.AddDate(0, 0, 7), period: true}, true
	case "month", "mahine":
		return span{from: first(y, mo+time.Month(n)), until: first(y, mo+time.Month(n+1)), period: true}, true
	case "quarter":
		q := (mo-1)/3*3 + 1 + time.Month(3*n)
		return span{from: first(y, q), until: first(y, q+3), period: true}, true
	}
	return span{from: first(y+n, 1), until: first(y+n+1, 1), period: true}, true
}

func weekday(m []string, today time.Time, lean tense) (span, bool) {
	want := strings.Index("sunmontuewedthufrisat", strings.ToLower(m[2][:3])) / 3
	days := (want - int(today.Weekday()) + 7) % 7
	d := today.AddDate(0, 0, days)
	switch n := step(m[1]); {
	case n > 0:
		d = monday(today).AddDate(0, 0, 7+(want+6)%7)
	case n < 0, lean == behind && days > 0:
		d = d.AddDate(0, 0, -7)
	}
	return span{from: d, until: d.AddDate(0, 0, 1), day: true}, true
}

func month(m []string, today time.Time, lean tense) (span, bool) {
	year := today.Year()
	mon := time.Month(monthOf(m[2]))
	switch {
	case m[3] != "":
		year = atoi(m[3])
	case mon > today.Month() && (lean == behind || step(m[1]) < 0), mon == today.Month() && step(m[1]) < 0:
		year--
	case mon == today.Month() && step(m[1]) > 0:
		year++
	case mon < today.Month() && lean == ahead:
		year++
	}
	from := time.Date(year, mon, 1, 0, 0, 0, 0, time.UTC)
	return span{from: from, until: from.AddDate(0, 1, 0), period: true}, true
}

var dateInPrompt = regexp.MustCompile(`\b(\d{4}-\d{2}-\d{2})\b`)

// todayOf returns the day that the system prompt states, else that of now.
func todayOf(messages []message, now time.Time) time.Time {
	for _, hint := range []string{"today", "current date", "date"} {
		for _, m := range messages {
			if m.role != "system" {
				continue
			}
			for line := range strings.Lines(m.text) {
				found := dateInPrompt.FindString(line)
				if found == "" || !strings.Contains(strings.ToLower(line), hint) {
					continue
				}
				if d, err := time.Parse(isoDate, found); err == nil {
					return d
				}
			}
		}
	}
	y, mo, d := now.Date()
	return time.Date(y, mo, d, 0, 0, 0, 0, time.UTC)
}
