package reading

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

const count = `\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|ek|do|` +
	`teen|char|paanch|saat`

var (
	longer = lazily(`(?:(?:one|a|an|stay|for|add|and|make it|by|us) )*?(?:(` + count + `) (?:more|` +
		`extra|additional) (?:days?|nights?)|` +
		`(another) (?:day|night)|(` + count + `) (?:days?|nights?) (?:longer|more)|(` + count + `) (?:days?|` +
		`nights?) (?:shorter|less|fewer)|` +
		`(` + count + `) (?:days?|nights?)?(?:less|fewer) (?:days?|nights?))`)
	lasting = lazily(`(?:(?:for|of|stay(?:ing)?|about|around|roughly|the|only|just|want) ` +
		`)*(` + count + `)[- ](?:full )?(days?|nights?|weeks?|months?|fortnight|raat|din|hafte|hafta)` +
		`(?:[- ](?:long |city |short )?(?:trip|holiday|vacation|break|stay|getaway|visit|tour|long))?`)
	weekendOf = lazily(`(?:(this|next|the|coming|this coming|following|the following|over the) ` +
		`)?(?:(?:a|an|one|for|some|our|my|quick|short) )*(long[- ])?week-?end` +
		`(?:[- ](?:trip|break|getaway|away|stay|holiday))?( after next)?`)
	dayTrip = lazily(`(?:(?:a|just|only|for) )*(?:day[- ]trip|for (?:the|one) day|single day)`)
	endCue  = lazily(`(?:until|till|til|to|through|back(?: home)?(?: on| by)?|return(?:ing)?(?: ` +
		`home)?(?: on| by)?|home(?: on| by)?|end(?:ing|s)?(?: on)?|` +
		`check(?:ing)?[- ]?out(?: on)?)(?: the)?$`)
	leaveCue = lazily(`(?:leav(?:e|ing)|depart(?:ing)?|go(?:ing)? home)(?: again)?(?: on| by)?(?: ` +
		`the)?$`)
	weekFrom = lazily(`(?:the |a )?week (?:of|starting|beginning|from)(?: on| the)?`)
	onDate   = lazily(`^(?:\d|` + monthNames + ` \d)`)
	weekIn   = lazily(`(?:the |in |during )*(first|second|third|fourth|last) week (?:of|in) ` +
		`(` + monthNames + `)(?: (\d{4}))?`)
	orWord = lazily(`\bor\b`)
)

// when reads the dates and how long the trip takes.
func (r *reader) when() {
	d := trip.DateRange{}
	open := r.length(&d)
	days := r.Days(r.today)
	var list []calendar.Date // single days in their order
	end := calendar.Date{}
	for i, w := range days {
		before := strings.TrimRight(r.Low()[max(0, w.From-30):w.From], " ")
		switch {
		case w.Open:
			open = append(open, w)
		case !w.Last.IsZero():
			list = append(list, w.Day, w.Last)
			r.tell(w)
		case i > 0 && leaveCue().MatchString(before) && len(list) > 0, endCue().MatchString(before):
			end = w.Day
			if len(list) > 0 && w.Words != "" {
				end = laterOf(end, list[0])
			} else if at := r.c.Trip.Dates.Start; len(list) == 0 && !at.IsZero() && w.Words != "" {
				end = laterOf(end, at)
			}
			w.Day = end
			r.tell(w)
		case leaveCue().MatchString(before) && r.c.Trip.Dates.Known() && len(days) == 1 &&
			w.Day.After(r.c.Trip.Dates.Start):
			end = w.Day
		default:
			if n := len(list); n > 0 && w.Words != "" && !w.Day.After(list[n-1]) {
				w.Day = laterOf(w.Day, list[n-1])
			}
			list = append(list, w.Day)
			r.tell(w)
		}
		r.give(trip.Dates, w.From, w.To)
	}
	d.End = end
	switch n := len(list); {
	case n == 0:
	case n == 1:
		d.Start = list[0]
	default:
		d.Start = list[0]
		if d.End.IsZero() {
			d.End = list[n-1]
		}
		if n == 2 && len(days) == 2 && orWord().MatchString(r.Low()[days[0].To:days[1].From]) {
			r.ask(questions.Question{Field: trip.Dates, Text: "Which of the two dates?",
				Choices: questions.Dates(d.Nights, list)})
			r.ungive(trip.Dates)
			return
		}
	}
	if !d.Start.IsZero() && !d.End.IsZero() {
		// "15 to 12 Feb" is read by the calendar as nearly a year.
		if n := d.Start.Until(d.End); n > 300 && calendar.Of(d.End.Time().AddDate(-1, 0, 0)).Before(d.Start) &&
			d.End.Year == d.Start.Year+1 && !strings.Contains(r.Low(), strconv.Itoa(d.End.Year)) {
			d.End = calendar.Of(d.End.Time().AddDate(-1, 0, 0))
		}
		d.Nights = 0
	}
	r.noSuchDay()
	if r.either(open, &d) {
		open = nil
	}
	r.out.Update.Dates = d
	r.choices(open)
	r.out.Update.Shift = r.Shift()
	if r.out.Update.Shift != 0 {
		r.give(trip.Dates, 0, len(r.Low()))
	}
	next, _ := r.c.Trip.Merge(r.out.Update)
	if !next.Dates.Known() || d.Start.IsZero() && d.End.IsZero() && d.Nights == 0 && r.out.Update.Shift == 0 &&
		r.out.Update.Longer == 0 {
		r.ungive(trip.Dates)
	}
}

const monthNames = `(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|` +
	`ober|ember)?`

func monthOf(name string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), name[:3]) {
			return m
		}
	}
	return 0
}

var notADay = lazily(`(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + monthNames + `|` + monthNames +
	` \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?`)

// noSuchDay says of what looks like a date and is none: "30 February".
func (r *reader) noSuchDay() {
	r.Take(notADay(), func(g []string, from, to int) bool {
		r.out.Problems = append(r.out.Problems, trip.Problem{Field: trip.Dates,
			Text: "There is no " + r.Plain()[from:to] + ". Which dates do you mean?"})
		return true
	})
}

// either reads two days whose day and month may be exchanged, such as 3/4 to 5/4: the way
// in which they make a trip.
func (r *reader) either(open []reading.Day, d *trip.DateRange) bool {
	if len(open) != 2 || len(open[0].Choices) != 2 || len(open[1].Choices) != 2 || !d.Start.IsZero() ||
		!strings.ContainsAny(open[0].Words, "/.") || !strings.ContainsAny(open[1].Words, "/.") {
		return false
	}
	var fit []trip.DateRange
	for i := range 2 {
		s := trip.DateRange{Start: open[0].Choices[i], End: open[1].Choices[i]}
		if n := s.Days(); n > 0 && n <= trip.MaxDays {
			fit = append(fit, s)
		}
	}
	switch len(fit) {
	case 1:
		*d = fit[0]
		r.assume("I took the dates as " + trip.Span(d.Start, d.End) + ".")
	case 2:
		r.ask(questions.Question{Field: trip.Dates, Text: "Which dates do you mean?", Choices: []string{
			trip.Span(fit[0].Start, fit[0].End), trip.Span(fit[1].Start, fit[1].End)}})
	default:
		return false
	}
	return true
}

// ungive takes back that the message gives a field, where it says a part of it only.
func (r *reader) ungive(f trip.Field) {
	r.out.Given = slices.DeleteFunc(r.out.Given, func(g trip.Field) bool { return g == f })
	delete(r.said, f)
}

// tell says how a relative day was taken.
func (r *reader) tell(w reading.Day) {
	if w.Words == "" {
		return
	}
	days := w.Day.Time().Format("Mon 2 Jan 2006")
	if !w.Last.IsZero() {
		days = trip.Span(w.Day, w.Last)
	}
	r.assume("I took “" + w.Words + "” as " + days + ".")
}

// laterOf returns the same day of a later week, after another day.
func laterOf(d, after calendar.Date) calendar.Date {
	for range 60 {
		if d.After(after) {
			break
		}
		d = d.AddDays(7)
	}
	return d
}

// length reads how long the trip takes, and weekends.
func (r *reader) length(d *trip.DateRange) (open []reading.Day) {
	r.Take(longer(), func(g []string, from, to int) bool {
		switch {
		case g[1] != "":
			r.out.Update.Longer = countOf(g[1])
		case g[2] != "":
			r.out.Update.Longer = 1
		case g[3] != "":
			r.out.Update.Longer = countOf(g[3])
		default:
			r.out.Update.Longer = -countOf(g[4] + g[5])
		}
		r.give(trip.Dates, from, to)
		return true
	})
	r.Take(weekendOf(), func(g []string, from, to int) bool {
		long := g[2] != ""
		if g[1] != "" && g[1] != "over the" || g[3] != "" || lastWord(strings.TrimRight(r.Low()[:from], " "),
			"this", "next", "coming", "following") {
			return false // the days of it are read with the other days
		}
		d.Nights = 2
		if long {
			d.Nights = 3
		}
		open = append(open, reading.Day{From: from, To: to, Open: true, Words: r.Plain()[from:to],
			Choices: questions.Fridays(r.today.AddDays(14), 3)})
		r.give(trip.Dates, from, to)
		return true
	})
	r.Take(lasting(), func(g []string, from, to int) bool {
		before := strings.TrimRight(r.Low()[max(0, from-20):from], " ")
		after := strings.TrimLeft(r.Low()[to:min(len(r.Low()), to+20)], " ")
		if n := countOf(g[1]); d.Nights != 0 && g[2][0] == 'n' && n > 0 { // "3 days, 2 nights"
			d.Nights = n
			return true
		}
		if d.Nights != 0 || lastWord(before, "in", "within", "every", "per", "next", "last", "the next") ||
			firstWord(after, notLasting...) {
			return false
		}
		n := countOf(g[1])
		switch unit := g[2]; unit[0] {
		case 'w', 'h':
			n *= 7
		case 'm':
			n = 30*n - 1
		case 'f':
			n = 14
		case 'd':
			n-- // the first and the last day are both counted
		}
		if n <= 0 && g[2][0] != 'd' || n < 0 {
			return false
		}
		d.Nights = n
		if n == 0 && !r.c.Trip.Dates.Start.IsZero() {
			d.Start, d.End = r.c.Trip.Dates.Start, r.c.Trip.Dates.Start
		}
		r.give(trip.Dates, from, to)
		return true
	})
	r.Take(weekIn(), func(g []string, from, to int) bool {
		year := r.today.Year
		if g[3] != "" {
			year = countOf(g[3])
		}
		month := monthOf(g[2])
		first := calendar.Date{Year: year, Month: month, Day: 1}
		if g[3] == "" && first.AddDays(27).Before(r.today) {
			first.Year++
		}
		n := nth(g[1], 4)
		if g[1] == "fourth" {
			n = 4
		}
		first = first.AddDays(7 * (n - 1))
		if d.Nights == 0 {
			d.Nights = 6
		}
		open = append(open, reading.Day{From: from, To: to, Open: true, Words: r.Plain()[from:to],
			Choices: []calendar.Date{first, first.AddDays(1), first.AddDays(2)}})
		return true
	})
	r.Take(weekFrom(), func(_ []string, from, to int) bool {
		if after := strings.TrimLeft(r.Low()[to:], " "); d.Nights != 0 || !onDate().MatchString(after) {
			return false
		}
		d.Nights = 6
		return true
	})
	r.Take(dayTrip(), func(_ []string, from, to int) bool {
		if at := r.c.Trip.Dates.Start; !at.IsZero() {
			d.Start, d.End = at, at
		}
		r.give(trip.Dates, from, to)
		return true
	})
	return open
}

// notLasting are words behind a number of days that make it another thing than a length.
var notLasting = []string{"later", "earlier", "sooner", "ago", "old", "after", "before", "from now", "from today",
	"from tomorrow", "baad", "pehle", "ahead", "notice"}

func countOf(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if s == "a couple of" {
		return 2
	}
	return reading.Number(s)
}

func lastWord(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return s == w || strings.HasSuffix(s, " "+w)
	})
}

func firstWord(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return s == w || strings.HasPrefix(s, w+" ") || strings.HasPrefix(s, w+",")
	})
}

// season returns a Friday of each month of a season of the northern hemisphere that is
// named.
func (r *reader) season(words string) []calendar.Date {
	words = strings.ToLower(words)
	month := time.Month(0)
	for name, first := range map[string]time.Month{"spring": time.March, "summer": time.June,
		"autumn": time.September, "fall": time.September, "winter": time.December} {
		if strings.HasSuffix(words, name) {
			month = first
		}
	}
	if month == 0 {
		return nil
	}
	first := calendar.Date{Year: r.today.Year, Month: month, Day: 8}
	if first.AddDays(70).Before(r.today) {
		first.Year++
	}
	var out []calendar.Date
	for i := range 3 {
		at := calendar.Of(first.Time().AddDate(0, i, 0))
		if day := questions.Fridays(at, 1)[0]; day.After(r.today) {
			out = append(out, day)
		}
	}
	return out
}

// choices asks which days are meant where the message leaves them open, such as "a week in
// March".
func (r *reader) choices(open []reading.Day) {
	d := r.out.Update.Dates
	if len(open) == 0 || !d.Start.IsZero() {
		return
	}
	nights := d.Nights
	if nights == 0 {
		nights = r.c.Trip.Dates.Nights
	}
	// A month narrows "a weekend": the last that has days of its own counts.
	best := open[0]
	for _, w := range open[1:] {
		if len(w.Choices) > 0 {
			best = w
		}
	}
	var first []calendar.Date
	for _, day := range best.Choices {
		if day.After(r.today) && len(first) < 3 {
			first = append(first, day)
		}
	}
	if len(first) == 0 {
		first = r.season(best.Words)
	}
	if len(first) == 0 {
		first = questions.Fridays(r.today.AddDays(14), 3)
	}
	q := questions.Question{Field: trip.Dates, Text: "Which dates do you have in mind?",
		Choices: questions.Dates(nights, first)}
	if w := best.Words; w != "" {
		q.Text = "Which days do you mean by “" + strings.TrimSpace(w) + "”?"
	}
	r.ask(q)
}
