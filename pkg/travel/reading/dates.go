package reading

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

const (
	monthWords = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
		`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`
	dayWords = `mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday|s)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|` +
		`sun(?:day)?|somvar|mangalvar|budhvar|guruvar|shukravar|shanivar|ravivar|itvar`
	suffix  = `(?:st|nd|rd|th)?`
	through = ` ?(?:-|to|till|until|til|through|thru|tak) ?`
)

// when is a day, a span of days, or a time that leaves the day open, as a message says it.
type when struct {
	at, to int
	day    calendar.Date
	// last is the last day of a span; zero for a single day.
	last calendar.Date
	// open says that no single day is meant; choices are days to choose from.
	open    bool
	choices []calendar.Date
	// words are how it was said, where that is worth telling with the day.
	words string
	// part is the part of the day that the words mean: "tonight".
	part string
}

var (
	isoDate  = lazily(`(\d{4})-(\d{2})-(\d{2})`)
	dayRange = lazily(`(?:(?:` + dayWords + `),? )?(\d{1,2})` + suffix + `(?: of)?(?: (` + monthWords +
		`))?(?:,? (\d{4}))?` +
		`(?:` + through + `| and )(?:the )?(?:(?:` + dayWords + `),? )?(\d{1,2})` + suffix + `(?: of)? (` +
		monthWords +
		`)(?:,? (\d{4}))?`)
	monthRange = lazily(`(` + monthWords + `) (\d{1,2})` + suffix + through + `(\d{1,2})` + suffix +
		`(?:,? (\d{4}))?`)
	dayMonth = lazily(`(?:(` + dayWords + `),? (?:the )?)?(\d{1,2})` + suffix + `(?: of)?[ -]?(` + monthWords +
		`)(?:,?[ -](\d{4}))?`)
	monthDay = lazily(`(?:(` + dayWords + `),? )?(` + monthWords + `) (?:the )?(\d{1,2})` + suffix +
		`(?:,? (\d{4}))?`)
	numeric = lazily(`(\d{1,2})([/.])(\d{1,2})(?:[/.](\d{4}|\d{2}))?`)
	nthDay  = lazily(`(?:the )?(\d{1,2})(?:st|nd|rd|th)`)
	weekday = lazily(`(?:(this|next|coming|this coming|following|the following|last) )?(` + dayWords +
		`)(?: (week|after next))?`)
	weekFrom = lazily(`(` + numbers + `) (weeks?) (?:from|on) (today|tomorrow|` + dayWords + `)`)
	oneDay   = lazily(`day after tomorrow|the day after tomorrow|today|tonight|tomorrow|tmrw|tmr|tomorow|yesterday|` +
		`aaj|kal|parso|parson`)
	weekend = lazily(`(?:(this|next|the|coming|this coming|following|a|` +
		`the following) )?(long )?weekend( after next)?`)
	inAWhile = lazily(`in (?:about |around )?(?:the next )?(` + numbers + `|a couple of) (days?|weeks?|` +
		`fortnights?|months?)` +
		`(?:' time|'s time)?|(` + numbers + `) (days?|weeks?|months?) from (?:now|today)`)
	holiday = lazily(`(christmas eve|christmas day|christmas|xmas|boxing day|new year'?s eve|new year'?s day|` +
		`new year'?s|` +
		`new year|valentine'?s(?: day)?|good friday|easter monday|easter sunday|easter|thanksgiving|halloween|` +
		`diwali|` +
		`republic day)`)
	vagueTime = lazily(`(?:(early|mid|late|beginning of|start of|middle of|end of|sometime in|some time in|in|` +
		`during|` +
		`this|next|for|of) )(?:the )?(` + monthWords + `)(?: (\d{4}))?`)
	weekOf = lazily(`(?:in |during |for )?(?:the )?(first|second|third|fourth|last|1st|2nd|3rd|4th) (?:full )?week ` +
		`(?:of|in) (` + monthWords + `)(?: (\d{4}))?`)
	vagueSpan = lazily(`(?:(early|late|the end of|end of|beginning of|middle of|later|sometime|some time) )?(this|` +
		`next|the|` +
		`agle|agla|is) (week|month|hafte|mahine|year|summer|winter|spring|autumn|fall)`)
	shifted = lazily(`(?:(?:by )?(` + numbers + `) (days?|weeks?) (later|earlier|sooner|after|before)|` +
		`the (day|week) (before|after|earlier|later)|(next|previous) day|(a day|ek din) (baad|pehle))`)
	nightsLong = lazily(`(?:for |stay(?:ing)? )?(?:the )?(` + numbers + `|a couple of|a few|some)[- ](nights?|` +
		`days?|weeks?|` +
		`raat|din|hafte)|for (a) (fortnight)|(?:for )?(a) (week)(?: long)?`)
)

// dates finds the days of a message, in their order. Two that are joined by "to" are a span.
func (t *text) dates(today calendar.Date) []when {
	var found []when
	add := func(pattern func() *regexp.Regexp, read func(m match) (when, bool)) {
		for _, m := range t.all(pattern) {
			if w, ok := read(m); ok {
				w.at, w.to = m.from, m.to
				found = append(found, w)
			}
		}
	}
	g := func(m match, i int) string { return m.groups[i] }
	add(isoDate, func(m match) (when, bool) {
		return single(dateOf(number4(g(m, 1)), number(g(m, 2)), number(g(m, 3))))
	})
	add(dayRange, func(m match) (when, bool) {
		second := g(m, 5)
		first := cmp.Or(g(m, 2), second)
		to, ok := coming(number4(cmp.Or(g(m, 6), g(m, 3))), monthOf(second), number(g(m, 4)), today)
		if !ok {
			return when{}, false
		}
		from, ok := dateOf(to.Year, monthOf(first), number(g(m, 1)))
		if ok && from.After(to) { // over the end of a year
			from, ok = dateOf(to.Year-1, monthOf(first), number(g(m, 1)))
			if from.Before(today) {
				from, _ = dateOf(to.Year, monthOf(first), number(g(m, 1)))
				to, _ = dateOf(to.Year+1, monthOf(second), number(g(m, 4)))
			}
		}
		return when{day: from, last: to}, ok && !from.After(to)
	})
	add(monthRange, func(m match) (when, bool) {
		from, ok := coming(number4(g(m, 4)), monthOf(g(m, 1)), number(g(m, 2)), today)
		to, fine := dateOf(from.Year, int(from.Month), number(g(m, 3)))
		return when{day: from, last: to}, ok && fine && !from.After(to) && !t.counts(m.to)
	})
	add(dayMonth, func(m match) (when, bool) {
		d, ok := coming(number4(g(m, 4)), monthOf(g(m, 3)), number(g(m, 2)), today)
		return onWeekday(d, g(m, 1), ok, t.plain[m.from:m.to])
	})
	add(monthDay, func(m match) (when, bool) {
		d, ok := coming(number4(g(m, 4)), monthOf(g(m, 2)), number(g(m, 3)), today)
		return onWeekday(d, g(m, 1), ok && !t.counts(m.to), t.plain[m.from:m.to])
	})
	add(numeric, func(m match) (when, bool) { return t.numericDate(m, today) })
	add(nthDay, func(m match) (when, bool) {
		n := number(g(m, 1))
		if beginsWith(t.after(m.to), "one", "offer", "option", "flight", "hotel", "result", "choice", "room",
			"cheapest",
			"time", "floor", "birthday") || n > 31 || n == 0 {
			return when{}, false
		}
		d := today
		for range 62 {
			if d.Day == n {
				return when{day: d, words: t.plain[m.from:m.to]}, true
			}
			d = d.AddDays(1)
		}
		return when{}, false
	})
	add(weekFrom, func(m match) (when, bool) {
		n := number(g(m, 1))
		switch from := g(m, 3); from {
		case "today":
			return when{day: today.AddDays(7 * n), words: t.plain[m.from:m.to]}, true
		case "tomorrow":
			return when{day: today.AddDays(7*n + 1), words: t.plain[m.from:m.to]}, true
		default:
			return when{day: next(today, weekdayOf(from)).AddDays(7 * n), words: t.plain[m.from:m.to]}, true
		}
	})
	add(weekday, func(m match) (when, bool) { return t.weekdayOn(m, today) })
	add(oneDay, func(m match) (when, bool) {
		switch word := g(m, 0); word {
		case "today", "aaj":
			return when{day: today}, true
		case "tonight":
			return when{day: today, part: "evening"}, true
		case "tomorrow", "tmrw", "tmr", "tomorow":
			return when{day: today.AddDays(1), words: word}, true
		case "kal":
			return when{day: today.AddDays(1), words: word}, true
		case "yesterday":
			return when{day: today.AddDays(-1), words: word}, true
		default:
			return when{day: today.AddDays(2), words: word}, true
		}
	})
	add(weekend, func(m match) (when, bool) {
		friday := next(today, time.Friday)
		if today.Weekday() == time.Saturday || today.Weekday() == time.Sunday {
			if which := g(m, 1); which == "this" {
				return when{day: today, last: today, words: t.plain[m.from:m.to]}, today.Weekday() == time.Saturday
			}
		} else if which := g(m, 1); strings.Contains(which, "next") || strings.Contains(which, "following") {
			friday = friday.AddDays(7)
		}
		if g(m, 3) != "" {
			friday = friday.AddDays(7)
		}
		last := friday.AddDays(2)
		if g(m, 2) != "" {
			last = last.AddDays(1)
		}
		if which := g(m, 1); which == "a" {
			return when{open: true, words: t.plain[m.from:m.to], last: calendar.Date{},
				choices: []calendar.Date{friday, friday.AddDays(7), friday.AddDays(14)}}, true
		}
		return when{day: friday, last: last, words: t.plain[m.from:m.to]}, true
	})
	add(inAWhile, func(m match) (when, bool) {
		n, unit := number(strings.TrimSuffix(strings.TrimPrefix(g(m, 1), "a "), " of")), g(m, 2)
		if g(m, 3) != "" {
			n, unit = number(g(m, 3)), g(m, 4)
		}
		w := when{words: t.plain[m.from:m.to]}
		switch unit[0] {
		case 'd':
			w.day = today.AddDays(n)
		case 'w':
			w.day = today.AddDays(7 * n)
		case 'f':
			w.day = today.AddDays(14 * n)
		default:
			w.day = addMonths(today, n)
		}
		return w, n > 0
	})
	add(holiday, func(m match) (when, bool) { return t.holidayOn(m, today) })
	add(vagueTime, func(m match) (when, bool) {
		return t.inMonth(m, today)
	})
	add(weekOf, func(m match) (when, bool) { return t.inWeekOf(m, today) })
	add(vagueSpan, func(m match) (when, bool) { return t.inSpan(m, today) })

	slices.SortStableFunc(found, func(a, b when) int { return cmp.Compare(b.to-b.at, a.to-a.at) })
	var kept []when
	for _, w := range found {
		if !slices.ContainsFunc(kept, func(k when) bool { return w.at < k.to && k.at < w.to }) {
			kept = append(kept, w)
		}
	}
	slices.SortFunc(kept, func(a, b when) int { return cmp.Compare(a.at, b.at) })
	return t.spans(kept)
}

var joining = lazily(`^(?:(?: morning| afternoon| evening| night)? ?(?:-|to|till|until|til|through|thru|tak|` +
	`se) ?(?:the )?)$`)

// spans joins two days with "to" between them to a span, and counts all as understood.
func (t *text) spans(list []when) []when {
	var out []when
	for _, w := range list {
		t.use(w.at, w.to)
		if n := len(out) - 1; n >= 0 && out[n].last.IsZero() && w.last.IsZero() && !out[n].open && !w.open &&
			joining().MatchString(t.low[out[n].to:w.at]) && t.free(out[n].to, w.at) {
			// The second of "the 4th to the 2nd" and of "Friday to Monday" comes after the first.
			for range 2 {
				if !w.day.After(out[n].day) && w.words != "" {
					w.day = again(w, out[n].day)
				}
			}
			if !w.day.Before(out[n].day) {
				t.use(out[n].to, w.at)
				out[n].last, out[n].to = w.day, w.to
				if w.words != "" || out[n].words != "" {
					out[n].words = t.plain[out[n].at:w.to]
				}
				continue
			}
		}
		out = append(out, w)
	}
	return out
}

// again returns a relative day as the first one after another day.
func again(w when, after calendar.Date) calendar.Date {
	d := w.day
	for i := 0; i < 60 && !d.After(after); i++ {
		if strings.ContainsAny(w.words, "0123456789") {
			d = addMonths(d, 1)
		} else {
			d = d.AddDays(7)
		}
	}
	return d
}

// all returns the matches of a pattern in what was not understood, without counting them.
func (t *text) all(pattern func() *regexp.Regexp) []match {
	var out []match
	t.each(pattern, func(m match) bool {
		out = append(out, m)
		return false
	})
	return out
}

var peopleFollow = lazily(`^(?:adults?|people|persons?|pax|passengers?|travell?ers?|of us|kids?|children|tickets?|` +
	`seats?|nights?|` +
	`days?|weeks?|guests?|rooms?|bags?|stops?|am\b|pm\b|:)`)

// counts reports whether what stands behind i is counted by the number before it.
func (t *text) counts(i int) bool { return peopleFollow().MatchString(t.after(i)) }

func single(d calendar.Date, ok bool) (when, bool) { return when{day: d}, ok }

// onWeekday checks a date against the day of the week that was said with it.
func onWeekday(d calendar.Date, said string, ok bool, words string) (when, bool) {
	if said == "" || !ok || weekdayOf(said) == d.Weekday() {
		return when{day: d}, ok
	}
	// It is either the date or the day of the week.
	near := d
	for near.Weekday() != weekdayOf(said) {
		near = near.AddDays(1)
	}
	return when{open: true, words: words, choices: []calendar.Date{d, near, near.AddDays(-7)}}, true
}
