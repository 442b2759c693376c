package reading

import (
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

var (
	bareDays = lazily(`(?:from |between |on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)? ?(?:-|to|till|until|through|` +
		`and|tak) ?` +
		`(?:the )?(\d{1,2})(?:st|nd|rd|th)?`)
	bareDay = lazily(`(?:from |on |starting |beginning )+(?:the )?(\d{1,2})(?:st|nd|rd|th)?|(?:the ` +
		`)?(\d{1,2})(?:st|nd|rd|th)`)
	aMonth    = lazily(`\b(` + monthNames + `)\b(?: (\d{4}))?`)
	ofMonth   = lazily(`^ ?(?:of )?(?:this month|next month|` + monthNames + `)\b`)
	monthTail = lazily(`\b` + monthNames + `,? (?:the )?$`)
	// What stands before numbers that are ages or amounts, and what may stand behind days.
	notBefore = lazily(`(?:kids?|children|child|aged?|ages|sons?|daughters?|boys?|girls?|options?|plans?|about|` +
		`around|only|spend|€|£|\$|₹)(?: are| is|:)? ?$`)
	mayFollow = lazily(`^ ?(?:$|[,.;!?)]|(?:please|works?|is|are|would|could|fine|good|in|for|with|at|two|three|` +
		`we|if|instead|from|to|then|ok)\b)`)
	notDays = lazily(`^(?: ?[-/.:%€£$]\d?| ?(?:days?|nights?|weeks?|months?|people|persons?|adults?|children|` +
		`kids|of us|hours?|` +
		`o'clock|am|pm|euros?|pounds?|dollars?|stars?|rooms?|options?|log|pax|guests|years?)\b)`)
)

// month is the month of the days of an answer that names none: that which the message
// names by itself, that of the open question about the dates, or that of the dates that are
// known. The year may be 0.
func (r *reader) month() (m time.Month, year int) {
	texts := []string{r.Low()}
	for _, e := range r.c.Ledger.Outstanding() {
		if e.Field == trip.Dates {
			texts = append(texts, strings.ToLower(e.Text))
		}
	}
	for _, text := range texts {
		if found := aMonth().FindStringSubmatch(text); found != nil {
			if found[2] != "" {
				year = countOf(found[2])
			}
			return monthOf(found[1]), year
		}
		if strings.Contains(text, "next month") {
			first := calendar.Date{Year: r.today.Year, Month: r.today.Month, Day: 1}
			next := calendar.Of(first.Time().AddDate(0, 1, 0))
			return next.Month, next.Year
		}
	}
	if at := r.c.Trip.Dates.Start; !at.IsZero() {
		return at.Month, at.Year
	}
	return 0, 0
}

// bare reads days without a month, such as "12 to 14" and "the 12th", as those of the
// month that is talked about.
func (r *reader) bare(d *trip.DateRange) {
	asked := r.open(trip.Dates)
	if !asked && r.c.Trip.Dates.Start.IsZero() {
		return
	}
	if notADay().MatchString(r.Low()) {
		return // a date with its month
	}
	m, year := r.month()
	on := func(day int) calendar.Date {
		if day < 1 || day > 31 {
			return calendar.Date{}
		}
		for at := r.today; at.Before(r.today.AddDays(trip.MaxAhead)); at = at.AddDays(1) {
			if at.Day == day && (m == 0 || at.Month == m) && (year == 0 || at.Year == year) {
				return at
			}
		}
		return calendar.Date{}
	}
	fits := func(from, to int) bool {
		return !notDays().MatchString(r.Low()[to:]) && !ofMonth().MatchString(r.Low()[to:]) &&
			!monthTail().MatchString(r.Low()[:from]) && !notBefore().MatchString(r.Low()[:from]) &&
			mayFollow().MatchString(r.Low()[to:])
	}
	take := func(first, last calendar.Date, from, to int) {
		d.Start, d.End = first, last
		r.give(trip.Dates, from, to)
		words := first.Time().Format("Mon 2 Jan 2006")
		if !last.IsZero() {
			words = trip.Span(first, last)
		}
		r.assume("I took “" + strings.TrimSpace(r.Plain()[from:to]) + "” as " + words + ".")
	}
	r.Take(bareDays(), func(g []string, from, to int) bool {
		first := on(countOf(g[1]))
		if !d.Start.IsZero() || first.IsZero() || !fits(from, to) ||
			strings.Contains(g[0], " and ") && !strings.HasPrefix(g[0], "between") {
			return false
		}
		last := first.AddDays(1)
		for last.Day != countOf(g[2]) && last.Before(first.AddDays(trip.MaxDays)) {
			last = last.AddDays(1)
		}
		if last.Day != countOf(g[2]) || last == first {
			return false
		}
		take(first, last, from, to)
		return true
	})
	r.Take(bareDay(), func(g []string, from, to int) bool {
		first := on(countOf(g[1] + g[2]))
		if !d.Start.IsZero() || first.IsZero() || !fits(from, to) || m == 0 {
			return false
		}
		take(first, calendar.Date{}, from, to)
		return true
	})
	if n := countOf(r.Folded()); n > 0 && n < 32 && asked && !r.open(trip.Party) &&
		d.Start.IsZero() && len(r.c.Options) == 0 {
		if first := on(n); !first.IsZero() {
			take(first, calendar.Date{}, 0, len(r.Plain()))
			r.Use(0, len(r.Low()))
		}
	}
}
