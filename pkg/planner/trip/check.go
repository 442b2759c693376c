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

// Accept merges an update like Merge, but what it returns is possible: fields of the update
// stay as they were of which it would make something impossible, and what was known and is
// impossible by now, such as days that have passed, is forgotten. The problems say so.
func (c Context) Accept(u Update, today calendar.Date) (Context, []Field, []Problem) {
	was := c
	var problems []Problem
	if !u.Reset {
		for _, p := range Check(c, today) {
			c = c.forget(p.Field)
			if !slices.Contains(u.Fields(), p.Field) {
				problems = append(problems, p)
			}
		}
	}
	for {
		next, _ := c.Merge(u)
		found := Check(next, today)
		if len(found) == 0 {
			return next, changed(was, next), problems
		}
		p := found[0]
		switch said := u.Fields(); {
		case slices.Contains(said, p.Field):
		case p.Field == Destinations && slices.Contains(said, Dates):
			p.Field = Dates // fewer nights than cities
		default:
			c = c.forget(p.Field) // they go to where they start
		}
		u = u.Without(p.Field)
		problems = append(problems, p)
	}
}

// forget returns the context without a field of which it has something impossible.
func (c Context) forget(f Field) Context {
	switch f {
	case Destinations:
		c.Destinations = nil
	case Dates:
		c.Dates = DateRange{}
	case Party:
		c.Travellers = nil
	case BudgetLevel:
		c.Most = nil
	case Origin:
		c.Origin = nil
	}
	return c
}
