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
		case g[5] != "":
			r.out.Update.Longer = countOf(g[5])
		default:
			r.out.Update.Longer = -countOf(g[4] + g[6])
		}
		r.give(trip.Dates, from, to)
		return true
	})
	r.Take(weekendIn(), func(g []string, from, to int) bool {
		at := calendar.Date{Year: r.today.Year, Month: monthOf(g[3]), Day: 1}
		if g[4] != "" {
			at.Year = countOf(g[4])
		} else if at.AddDays(27).Before(r.today) {
			at.Year++
		}
		friday := questions.Fridays(at, 1)[0].AddDays(7 * (nth(g[1], 1) - 1))
		if g[1] == "last" {
			for friday.AddDays(9).Month == at.Month {
				friday = friday.AddDays(7)
			}
		}
		d.Nights, d.Start = 2, friday
		if g[2] != "" {
			d.Nights = 3
		}
		r.give(trip.Dates, from, to)
		r.assume("I took “" + r.Plain()[from:to] + "” as " + trip.Span(friday, friday.AddDays(d.Nights)) + ".")
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
	var last byte // the first letter of the unit
	r.Take(lasting(), func(g []string, from, to int) bool {
		before := strings.TrimRight(r.Low()[max(0, from-20):from], " ")
		after := strings.TrimLeft(r.Low()[to:min(len(r.Low()), to+20)], " ")
		if n := countOf(g[1]); d.Nights != 0 && g[2][0] == 'n' && n > 0 {
			if last == 'n' {
				n += d.Nights // "2 nights in Rome, 3 nights in Florence"
			} // else "3 days, 2 nights"
			d.Nights = n
			r.give(trip.Dates, from, to)
			return true
		}
		if d.Nights != 0 || lastWord(before, "in", "within", "every", "per", "next", "last", "the next") ||
			firstWord(after, notLasting...) {
			return false
		}
		if (g[1] == "a" || g[1] == "an") && (g[2] == "day" || g[2] == "night") && !strings.HasPrefix(g[0], "for ") {
			if strings.HasPrefix(after, "in ") && r.c.Trip.Dates.Known() {
				r.out.Update.Longer = 1 // "also a day in Rome"
				return true
			}
			return false // "two museums a day"
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
		last = g[2][0]
		d.Nights = n
		if n == 0 && !r.c.Trip.Dates.Start.IsZero() {
			d.Start, d.End = r.c.Trip.Dates.Start, r.c.Trip.Dates.Start
		}
		r.give(trip.Dates, from, to)
		return true
	})
	if d.Nights > 0 && last == 'n' {
		r.Take(andIn(), func(g []string, _, _ int) bool {
			d.Nights += countOf(g[1])
			return true
		})
	}
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
		rest, ok := strings.CutPrefix(s, w)
		return ok && (rest == "" || strings.ContainsRune(" ,.;!?", rune(rest[0])))
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
