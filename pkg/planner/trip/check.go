package trip

import (
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// Problem is why a trip cannot be planned as it is known.
type Problem struct {
	Field Field  `json:"field"`
	Text  string `json:"text"` // a sentence for people that says what would do
}

// Check returns what is impossible of what is known, at most one problem of a field. What
// is missing is no problem. today is the local date of the person.
func Check(c Context, today calendar.Date) []Problem {
	var list []Problem
	problem := func(f Field, format string, args ...any) {
		if !slices.ContainsFunc(list, func(p Problem) bool { return p.Field == f }) {
			list = append(list, Problem{f, fmt.Sprintf(format, args...)})
		}
	}
	nights := c.Dates.Nights
	if c.Dates.Known() {
		nights = c.Dates.Start.Until(c.Dates.End)
	}
	switch n := len(c.Destinations); {
	case n > MaxDestinations:
		problem(Destinations, "One trip has at most %d cities. Which %d of %s matter most?", MaxDestinations,
			MaxDestinations, names(c.Destinations))
	case n > 1 && nights > 0 && n > nights:
		problem(Destinations, "%s are %d cities for %s: each needs a night at least. Which should stay, or shall "+
			"the trip be longer?", names(c.Destinations), n, counted(nights, "night"))
	}
	if c.Origin != nil && len(c.Destinations) > 0 && slices.ContainsFunc(c.Destinations, c.Origin.Same) {
		problem(Origin, "%s is both where you leave from and where you go to. Where do you start from?",
			c.Origin.Name)
	}
	d := c.Dates
	switch first := d.Start; {
	case d.Known() && d.End.Before(d.Start):
		problem(Dates, "The last day, %s, is before the first, %s. Which dates do you mean?", showDay(d.End),
			showDay(d.Start))
	case !first.IsZero() && first.Before(today):
		problem(Dates, "%s is in the past. Which dates do you mean?", showDay(first))
	case !d.End.IsZero() && d.End.Before(today):
		problem(Dates, "%s is in the past. Which dates do you mean?", showDay(d.End))
	case nights+1 > MaxDays:
		problem(Dates, "%d days are more than I can plan at once: at most %d. Tell me the first part of the trip, "+
			"and plan the rest as a trip of its own.", nights+1, MaxDays)
	case !first.IsZero() && today.Until(first) > MaxAhead:
		problem(Dates, "%s is too far ahead: flights and hotels are not known for it yet. The first day can be "+
			"%s at the latest.", showDay(first), showDay(today.AddDays(MaxAhead)))
	}
	if t := c.Travellers; t != nil {
		switch n := t.Count(); {
		case n <= 0:
			problem(Party, "At least one person has to travel. How many are you?")
		case n > MaxTravellers:
			problem(Party, "I plan for at most %d people, and these are %d. A larger group needs plans of its own "+
				"for its parts.", MaxTravellers, n)
		case t.Adults < 1:
			problem(Party, "At least one adult has to travel with the children. How many adults are you?")
		case slices.ContainsFunc(t.Children, func(age int) bool { return age < 0 || age > 17 }):
			problem(Party, "Children are from 0 to 17 years old. How old are they on the first day?")
		}
	}
	if c.Most != nil && (c.Most.Amount.Negative() || c.Most.Amount.IsZero()) {
		problem(BudgetLevel, "A budget has to be more than nothing. What may the trip cost at most?")
	}
	return list
}

// Accept merges an update like Merge, but leaves the fields as they were of which it would
// make something impossible. It returns those problems, and those that it makes of fields
// which it does not speak of: they stay until they are solved, as Check says.
func (c Context) Accept(u Update, today calendar.Date) (Context, []Field, []Problem) {
	var known, refused []Problem
	if !u.Reset {
		known = Check(c, today)
	}
	for {
		next, fields := c.Merge(u)
		again := false
		var kept []Problem
		for _, p := range Check(next, today) {
			switch {
			case slices.Contains(u.Fields(), p.Field):
				u, again = u.Without(p.Field), true
				refused = append(refused, p)
			case !slices.Contains(known, p):
				kept = append(kept, p)
			}
		}
		if !again {
			return next, fields, append(refused, kept...)
		}
	}
}
