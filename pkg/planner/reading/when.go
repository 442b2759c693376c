package reading

import (
	"slices"
	"strconv"
	"strings"

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
		`nights?) (?:shorter|less|fewer)|add (` + count + `) (?:days?|nights?)|` +
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
	weekFrom  = lazily(`(?:the |a )?week (?:of|starting|beginning|from)(?: on| the)?`)
	onDate    = lazily(`^(?:\d|` + monthNames + ` \d)`)
	weekendIn = lazily(`(?:the |on |over |for |in )*(first|second|third|last) (long )?week-?end (?:of|in) ` +
		`(` + monthNames + `)(?: (\d{4}))?`)
	andIn  = lazily(`(?:and|then|,) ?(?:then )?(\d|one|two|three|four|five|six|seven) (?:in|at)`)
	backOn = lazily(`(?:back|until|till|return(?:ing)?|home|leav(?:e|ing))(?: home)?(?: on)?(?: the)? ` +
		`(\d{1,2})(?:$|[,.;!])`)
	comeBack = lazily(`\b(?:(?:come|go|fly|get|head|be) (?:back|home)|return(?:ing)?|back home|stay)\b`)
	weekIn   = lazily(`(?:the |in |during )*(first|second|third|fourth|last) week (?:of|in) ` +
		`(` + monthNames + `)(?: (\d{4}))?`)
	orWord = lazily(`\bor\b`)
)

// when reads the dates and how long the trip takes.
func (r *reader) when() {
	d := trip.DateRange{}
	open := r.length(&d)
	r.bare(&d)
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
	if !end.IsZero() {
		d.End = end
	}
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
	if at := d.Start; !at.IsZero() && d.End.IsZero() && d.Nights == 0 {
		r.Take(backOn(), func(g []string, _, _ int) bool {
			n := countOf(g[1])
			for last := at.AddDays(1); last.Before(at.AddDays(trip.MaxDays)); last = last.AddDays(1) {
				if last.Day == n {
					d.End = last
					return true
				}
			}
			return false
		})
	}
	r.noSuchDay()
	if r.either(open, &d) {
		open = nil
	}
	r.out.Update.Dates = d
	r.choices(open)
	r.out.Update.Shift = r.Shift()
	if n := r.out.Update.Shift; n != 0 && comeBack().MatchString(r.Low()) {
		r.out.Update.Shift, r.out.Update.Longer = 0, n // the last day alone
	}
	if r.out.Update.Shift != 0 || r.out.Update.Longer != 0 {
		r.give(trip.Dates, 0, len(r.Low()))
	}
	next, _ := r.c.Trip.Merge(r.out.Update)
	if !next.Dates.Known() || d.Start.IsZero() && d.End.IsZero() && d.Nights == 0 && r.out.Update.Shift == 0 &&
		r.out.Update.Longer == 0 {
		r.ungive(trip.Dates)
	}
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
	if len(open) == 1 && len(open[0].Choices) == 2 && strings.ContainsAny(open[0].Words, "/.") &&
		d.Start.IsZero() != d.End.IsZero() {
		for _, day := range open[0].Choices {
			s := *d
			if s.Start.IsZero() {
				s.Start = day
			} else {
				s.End = day
			}
			if n := s.Days(); n > 0 && n <= trip.MaxDays {
				*d = s
				r.assume("I took the dates as " + trip.Span(d.Start, d.End) + ".")
				return true
			}
		}
		return false
	}
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
