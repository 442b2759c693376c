package resolution

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// said is what a sentence says besides its intent.
type said struct {
	folded  []string // its words, folded
	number  string   // of a document; "" for none
	period  calendar.Range
	ranges  []calendar.Range // of all dates in it
	periods int              // how many there are; 0 leaves period empty
	badDate string           // a date that there isn't
	days    int              // "more than 30 days"
	months  int
	least   *money.Amount
	most    *money.Amount
	loose   bool   // an amount that bounds nothing: "between 30,000 and 34,000"
	name    string // words that nothing explains; "" for none
	named   bool   // they are written as a name, or are several
}

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var (
	// numberLike are numbers of documents: "INV/26-27/0017", "ST/889".
	numberLike = lazily(`\b[A-Za-z]{1,6}[-/][0-9A-Za-z]*[0-9][0-9A-Za-z]*(?:[-/][0-9A-Za-z]+)*\b`)
	// numbered are bare numbers behind the word for a document.
	numbered = lazily(`(?i)\b(?:invoice|inv|bill|challan|receipt|payment|note|number|no\.?|nambar) ?#?` +
		`([0-9]{2,8})\b`)
	taxForm = lazily(`(?i)^(?:gstr|fy|itr|form|q[1-4]|b2[bc]|h[12]|tds|ay)[-/]?`)
	ownID   = lazily(`^(?:[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]|[A-Z]{5}[0-9]{4}[A-Z])$`)

	daysSaid   = lazily(`(?i)\b([0-9]{1,3}|[a-z]+) ?(?:days?|din|dino|dinon)\b|([0-9]{1,3}) ?(?:दिन|दिनों)`)
	monthsSaid = lazily(`(?i)\b([0-9]{1,2}|[a-z]+) (?:months?|mahine|mahino|mahinon)\b|` +
		`([0-9]{1,2}|[^ ]+) (?:महीने|महीनों)`)
	above = lazily(`(?i)\b(?:above|over|more than|greater than|at least|exceeding|upar|zyada|jyada|bada)\b|` +
		`ऊपर|ज़्यादा|ज्यादा|अधिक`)
	below = lazily(`(?i)\b(?:below|under|less than|up to|upto|at most|smaller than|kam|neeche|niche|chhota)\b|` +
		`कम|नीचे`)
)

// read reads a sentence for a flow.
func (f *Flows) read(c Context, flow *Flow) said {
	text := normal(c.Text)
	var s said
	s.folded = foldWords(text)
	text = s.readNumber(text)
	entities := intent.Entities(text, c.Today)
	s.readDates(text, entities, c.Today, flow.Ahead)
	rest := s.readAmounts(text, entities)
	s.days, s.months = countOf(daysSaid(), text), countOf(monthsSaid(), text)
	s.name, s.named = f.words.name(rest, flow.nameOf())
	return s
}

// nameOf returns what names in a sentence name; "" where the flow takes none.
func (f *Flow) nameOf() string {
	for _, s := range f.Steps {
		for _, a := range s.Arguments {
			if a.From == FromName {
				return a.Of
			}
		}
	}
	return ""
}

// readNumber reads the number of a document and returns the text without it.
func (s *said) readNumber(text string) string {
	for _, at := range numberLike().FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		if taxForm().MatchString(found) || ownID().MatchString(found) {
			continue
		}
		s.number = strings.ToUpper(found)
		return text[:at[0]] + " " + text[at[1]:]
	}
	if at := numbered().FindStringSubmatchIndex(text); at != nil {
		s.number = text[at[2]:at[3]]
		return text[:at[2]] + " " + text[at[3]:]
	}
	return text
}

// readAmounts reads bounds, and returns the text without what is a date or an amount.
func (s *said) readAmounts(text string, entities []intent.Entity) string {
	rest := []byte(text)
	for _, e := range entities {
		switch e.Kind {
		case intent.AmountEntity:
			before, after := text[max(0, e.From-24):e.From], text[e.To:min(len(text), e.To+24)]
			a := e.Amount
			switch {
			case above().MatchString(before), above().MatchString(after):
				s.least = &a
			case below().MatchString(before), below().MatchString(after):
				s.most = &a
			case a.Cmp(money.FromInt(1000)) >= 0:
				s.loose = true
			}
		case intent.DateEntity:
		default:
			continue
		}
		for i := e.From; i < e.To; i++ {
			rest[i] = ' '
		}
	}
	return string(rest)
}

// countOf returns the number before a unit of time; 0 for none.
func countOf(pattern *regexp.Regexp, text string) int {
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		for _, w := range m[1:] {
			if n, err := strconv.Atoi(w); err == nil {
				return n
			}
			if n := numberWord(strings.ToLower(w)); n > 0 {
				return n
			}
		}
	}
	return 0
}

func numberWord(w string) int {
	for i, forms := range []string{"one ek एक", "two do दो", "three teen tin तीन", "four chaar char चार",
		"five paanch panch पाँच पांच", "six chhah chhe che छह छः", "seven saat सात", "eight aath आठ", "nine nau नौ",
		"ten das दस", "eleven gyarah ग्यारह", "twelve barah bara बारह"} {
		for f := range strings.FieldsSeq(forms) {
			if f == w {
				return i + 1
			}
		}
	}
	switch w {
	case "fifteen", "pandrah", "पंद्रह":
		return 15
	case "twenty", "bees", "बीस":
		return 20
	case "thirty", "tees", "तीस":
		return 30
	case "sixty", "saath", "साठ":
		return 60
	case "ninety", "nabbe", "नब्बे":
		return 90
	}
	return 0
}

// written are dates in figures, and figures with a month: all that may name a day that
// there isn't.
var (
	slashed = lazily(`\b([0-9]{1,2})([/.-])([0-9]{1,2})(?:([/.-])([0-9]{4}|[0-9]{2}))?\b`)
	worded  = lazily(`(?i)\b([0-9]{1,2})(?:st|nd|rd|th)?(?: of)?[ -]` +
		`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b(?:,?[ -]([0-9]{4}))?`)
	iso     = lazily(`\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b`)
	quarter = lazily(`(?i)\bq([1-4])\b`)
	since   = lazily(`(?i)\b(?:since|from)\b|\bse\b|से`)
	until   = lazily(`(?i)\b(?:to|till|until|upto|tak)\b|तक| [-–] `)
	// firstDay is the day before "to 15 October".
	firstDay = lazily(`(?i)\b([0-9]{1,2})(?:st|nd|rd|th)? ?(?:and|to|till|se|se lekar|से|-|–) ?$`)
	hasYear  = lazily(`\b(?:20)[0-9]{2}\b|[/.-][0-9]{2}\b`)
)

// readDates reads the days that a sentence names. Without a year they are the last such
// days, or the next ones where a question is about the future. "This year" is the
// financial year.
func (s *said) readDates(text string, entities []intent.Entity, today calendar.Date, ahead bool) {
	if s.badDate = badDate(text); s.badDate != "" {
		return
	}
	explicit := hasYear().MatchString(text)
	for _, e := range entities {
		if e.Kind != intent.DateEntity {
			continue
		}
		days := e.Days
		low := strings.ToLower(e.Text)
		switch {
		case strings.HasSuffix(low, "year"), strings.HasSuffix(low, "saal"):
			year := rupees.YearOf(today)
			switch {
			case strings.HasPrefix(low, "last"), strings.HasPrefix(low, "pich"):
				year--
			case strings.HasPrefix(low, "next"), strings.HasPrefix(low, "agl"):
				year++
			}
			days = year.Range()
		case eitherSide(low):
			// A question about the past means the day that is over, whatever its verb.
			if n := today.Until(days.From); ahead == (n < 0) {
				days = calendar.Range{From: today.AddDays(-n), To: today.AddDays(1 - n)}
			}
		case explicit || days.From.Before(today) || relative(low):
		case !ahead && days.From.After(today) && weekday(low):
			days = calendar.Range{From: days.From.AddDays(-7), To: days.To.AddDays(-7)}
		case !ahead && days.From.After(today):
			days = yearBefore(days)
		}
		s.ranges = append(s.ranges, fromDay(text[:e.From], days))
	}
	if len(s.ranges) == 0 {
		s.readQuarter(text, today)
	}
	if len(s.ranges) == 0 {
		s.readSlashed(text, today, ahead)
	}
	s.periods = len(s.ranges)
	if s.periods == 0 {
		return
	}
	s.period = s.ranges[0]
	last := s.ranges[s.periods-1]
	switch {
	case s.periods > 1 && until().MatchString(text) && !last.To.Before(s.period.From):
		s.period.To = last.To
	case s.periods > 1 && last.From.Before(s.period.From) && last.To == s.period.From:
		s.period.From = last.From
	case s.periods == 1 && s.period.Days() < 350 && since().MatchString(text) && openEnded(text) &&
		!s.period.From.After(today),
		s.periods == 1 && s.period.Days() < 32 && fromMonth(text) && !s.period.From.After(today):
		s.period.To = today.AddDays(1)
	}
}

var monthSe = lazily(`(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* se\b ?(\pL*)`)

// fromMonth reports whether a text says "April se", since April, and not "April se
// zyada", more than in April.
func fromMonth(text string) bool {
	m := monthSe().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	switch strings.ToLower(m[1]) {
	case "zyada", "jyada", "zyaada", "kam", "behtar", "achha", "accha", "compare", "tulna",
		"muqable", "mukable", "pehle":
		return false
	}
	return true
}

// eitherSide reports whether a word means as many days ago and ahead.
func eitherSide(low string) bool {
	return low == "kal" || low == "parso" || low == "parson" || low == "कल" || low == "परसों"
}

// fromDay returns the period of "1 to 15 October", where days is the 15th and before
// ends with "1 to".
func fromDay(before string, days calendar.Range) calendar.Range {
	m := firstDay().FindStringSubmatch(before)
	if m == nil || days.Days() != 1 {
		return days
	}
	if first := atoi(m[1]); first > 0 && first < days.From.Day {
		days.From.Day = first
	}
	return days
}

// openEnded reports whether a date says when a period begins, not what it is.
func openEnded(text string) bool {
	low := " " + strings.ToLower(text) + " "
	return strings.Contains(low, " since ") || strings.Contains(low, " onwards")
}

func relative(low string) bool {
	for _, w := range []string{"this", "last", "next", "is ", "pich", "agl", "today", "tomorrow", "yesterday", "aaj",
		"kal", "parso", "fy", "q", "day ", "आज", "कल", "परसों"} {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return false
}

func weekday(low string) bool { return strings.HasSuffix(low, "day") }

func yearBefore(r calendar.Range) calendar.Range {
	back := func(d calendar.Date) calendar.Date { return calendar.Of(d.Time().AddDate(-1, 0, 0)) }
	return calendar.Range{From: back(r.From), To: back(r.To)}
}

// readQuarter reads "Q2": of this financial year, or of the last one where it lies ahead.
func (s *said) readQuarter(text string, today calendar.Date) {
	m := quarter().FindStringSubmatch(text)
	if m == nil {
		return
	}
	year, n := rupees.YearOf(today), int(m[1][0]-'0')
	r := year.Quarter(n)
	if r.From.After(today) {
		r = (year - 1).Quarter(n)
	}
	s.ranges = []calendar.Range{r}
}

// readSlashed reads days without a year: "15/10".
func (s *said) readSlashed(text string, today calendar.Date, ahead bool) {
	for _, m := range slashed().FindAllStringSubmatch(text, -1) {
		if m[4] != "" || m[2] != "/" {
			continue
		}
		d, err := rupees.ParseDate(m[1] + "/" + m[3] + "/" + strconv.Itoa(today.Year))
		if err != nil {
			continue
		}
		r := calendar.Range{From: d, To: d.AddDays(1)}
		if !ahead && d.After(today) {
			r = yearBefore(r)
		}
		s.ranges = append(s.ranges, r)
	}
}

// badDate returns the first date in a text that there isn't; "" for none.
func badDate(text string) string {
	for _, m := range iso().FindAllStringSubmatch(text, -1) {
		if _, err := calendar.Parse(m[0]); err != nil {
			return m[0]
		}
	}
	text = iso().ReplaceAllString(text, " ")
	for _, m := range slashed().FindAllStringSubmatch(text, -1) {
		day, month := atoi(m[1]), atoi(m[3])
		switch {
		case m[4] == "" && (m[2] != "/" || month > 12 || day > 31): // "24/7", "25-26", "1.5"
		case m[4] != "" && m[4] != m[2]:
		case !isDay(day, month, m[5]):
			return m[0]
		}
	}
	for _, m := range worded().FindAllStringSubmatch(text, -1) {
		month := strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(m[2]))/3 + 1
		if day := atoi(m[1]); day > 28 && !isDay(day, month, m[3]) {
			return m[0]
		}
	}
	return ""
}

// isDay reports whether there is a day; without a year, whether there is in a leap year.
func isDay(day, month int, year string) bool {
	if year == "" {
		year = "2024"
	}
	_, err := rupees.ParseDate(strconv.Itoa(day) + "/" + strconv.Itoa(month) + "/" + year)
	return err == nil
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
