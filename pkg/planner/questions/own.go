package questions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// For returns the questions for what is missing of the critical fields, in the order of
// their priority, with answers to press. today is the local date of the person. Optional
// questions follow that were never asked and of which nothing is known, so that a turn
// that asks anyway can ask one of them as well; they never stand alone.
func For(c trip.Context, l Ledger, today calendar.Date) []Question {
	var out []Question
	for _, f := range c.Critical() {
		q := Question{Field: f, Text: textOf(f), Critical: true}
		switch f {
		case trip.Dates:
			q = dates(c.Dates, today)
		case trip.Party:
			q.Choices = []string{"Just me", "Two of us", "A family of four"}
		case trip.BudgetLevel:
			q.Choices = []string{"Low", "Mid", "High"}
		case trip.Destinations:
			q.Choices = nil
		}
		out = append(out, q)
	}
	if len(out) == 0 {
		return nil
	}
	known := map[trip.Field]bool{
		trip.Interests: len(c.Preferences.Interests) > 0,
		trip.Dietary:   len(c.Preferences.Dietary) > 0,
		trip.PaceOf:    c.Preferences.Pace != "",
	}
	for _, q := range optional {
		asked := slices.ContainsFunc(l.Asked, func(e Entry) bool { return e.Field == q.Field })
		if !asked && !known[q.Field] && len(out) < MaxTurn {
			out = append(out, q)
			break
		}
	}
	return out
}

var optional = []Question{
	{Field: trip.Interests, Text: "What do you like most: history, food, art, nature or something else?",
		Choices: []string{"History and food", "Art and museums", "Nature and views", "Skip"}},
	{Field: trip.PaceOf, Text: "How full may the days be?",
		Choices: []string{"Relaxed", "Moderate", "Packed", "Skip"}},
	{Field: trip.Dietary, Text: "Is there anything you do not eat?",
		Choices: []string{"Vegetarian", "Vegan", "Skip"}},
}

// textOf returns the question about a field.
func textOf(f trip.Field) string {
	switch f {
	case trip.Destinations:
		return "Where would you like to go?"
	case trip.Dates:
		return "Which dates do you have in mind?"
	case trip.Party:
		return "How many people are travelling?"
	case trip.BudgetLevel:
		return "What budget fits: low, mid or high?"
	case trip.Origin:
		return "Where do you start from?"
	case trip.HotelStyle:
		return "What style of hotel do you like?"
	case trip.MustDos:
		return "Is there something you must see or do?"
	case trip.Constraints:
		return "Is there anything to avoid or to consider?"
	}
	for _, q := range optional {
		if q.Field == f {
			return q.Text
		}
	}
	return ""
}

// dates asks for what is missing of the dates.
func dates(d trip.DateRange, today calendar.Date) Question {
	q := Question{Field: trip.Dates, Text: textOf(trip.Dates), Critical: true}
	switch {
	case !d.Start.IsZero():
		q.Text = fmt.Sprintf("You start on %s: until when?", d.Start.Time().Format("Mon 2 Jan 2006"))
		for _, nights := range []int{2, 3, 6} {
			q.Choices = append(q.Choices, "Until "+d.Start.AddDays(nights).Time().Format("2 Jan 2006"))
		}
	default:
		q.Choices = Dates(d.Nights, Fridays(today.AddDays(14), 3))
		if d.Nights > 0 {
			q.Text = fmt.Sprintf("Which dates for the %s?", nightsOf(d.Nights))
		}
	}
	return q
}

func nightsOf(n int) string {
	if n == 1 {
		return "night"
	}
	return fmt.Sprintf("%d nights", n)
}

// Dates returns choices of dates that begin on the given days, for so many nights, three
// where they are not known: "15 to 18 Jan 2027".
func Dates(nights int, first []calendar.Date) []string {
	if nights <= 0 || nights >= trip.MaxDays {
		nights = 3
	}
	var out []string
	for _, d := range first {
		out = append(out, trip.Span(d, d.AddDays(nights)))
	}
	return out
}

// Fridays returns so many Fridays from a day on, two weeks apart.
func Fridays(from calendar.Date, n int) []calendar.Date {
	for from.Weekday() != time.Friday {
		from = from.AddDays(1)
	}
	var out []calendar.Date
	for i := range n {
		out = append(out, from.AddDays(14*i))
	}
	return out
}

// Budgets are the answers to the question of the budget.
func Budgets() []string {
	var out []string
	for _, b := range trip.Budget("").Values() {
		out = append(out, strings.ToUpper(b[:1])+b[1:])
	}
	return out
}
