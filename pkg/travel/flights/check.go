package flights

import (
	"fmt"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Ages at which airlines count a passenger otherwise.
const (
	childFrom = 2
	adultFrom = 12 // airlines sell an adult's seat from here on
	grownFrom = 18 // Age is Adult from here on
)

// KindOf returns what an airline takes a passenger of that age for.
func KindOf(age int) Kind {
	switch {
	case age == Adult || age >= adultFrom:
		return AdultKind
	case age >= childFrom:
		return Child
	}
	return Infant
}

// Check reports why a query cannot be searched for. Now is the moment in the zone of the
// first origin, whose calendar decides what is past. The error is a fault.Invalid one with
// a code of its own for each reason.
func Check(q Query, now time.Time) error {
	if err := checkSlices(q.Slices, calendar.Of(now)); err != nil {
		return err
	}
	if n := len(q.Ages); n < 1 || n > MaxPassengers {
		return refuse("passengers_out_of_range",
			"A search is for 1 to %d passengers, not %d. Larger groups are booked in several parts.", MaxPassengers, n)
	}
	adults, infants, children := 0, 0, 0
	for _, age := range q.Ages {
		switch {
		case age != Adult && (age < 0 || age >= grownFrom):
			return refuse("age_out_of_range", "Ages are for passengers below %d, from 0 to %d.", grownFrom,
				grownFrom-1)
		case KindOf(age) == AdultKind:
			adults++
		case KindOf(age) == Infant:
			infants++
		default:
			children++
		}
	}
	switch {
	case infants > adults:
		return refuse("infants_without_adults",
			"Each infant below %d travels on the lap of an adult, and there are %d infants for %d adults.",
			childFrom, infants, adults)
	case children > 0 && adults == 0:
		return refuse("children_without_adults",
			"Children below %d cannot be booked here without an adult.", adultFrom)
	}
	if c := q.Connections; c != nil && (*c < 0 || *c > 2) {
		return refuse("connections_out_of_range", "The most connections of a journey are 0, 1 or 2.")
	}
	return nil
}

func checkSlices(slices []Slice, today calendar.Date) error {
	if n := len(slices); n < 1 || n > MaxSlices {
		return refuse("journeys_out_of_range", "A search has 1 to %d journeys, not %d.", MaxSlices, n)
	}
	for i, s := range slices {
		switch {
		case s.Date.IsZero():
			return refuse("date_missing", "The day of departure is missing.")
		case s.Date.Before(today):
			return refuse("date_past", "%s is past; today is %s.", day(s.Date), day(today))
		case today.Until(s.Date) > MaxDays:
			return refuse("date_too_far", "Flights are sold at most %d days ahead, until %s; %s is later.",
				MaxDays, day(today.AddDays(MaxDays)), day(s.Date))
		case s.Origin == s.Destination:
			return refuse("same_place", "The journey begins and ends at the same place, %s.", s.Origin)
		case i > 0 && s.Date.Before(slices[i-1].Date):
			return refuse("return_before_departure", "The journey on %s is before the one on %s.",
				day(s.Date), day(slices[i-1].Date))
		}
		for _, w := range []*Window{s.Departs, s.Arrives} {
			if w != nil && (!clock(w.From) || !clock(w.To)) {
				return refuse("time_malformed", "Times of day are written HH:MM, from 00:00 to 23:59.")
			}
		}
	}
	return nil
}

// Notes returns what is to be said of a query that is in order: passengers who may be
// taken for older ones on the way.
func Notes(q Query) []string {
	if len(q.Slices) < 2 {
		return nil
	}
	last := q.Slices[len(q.Slices)-1].Date
	var notes []string
	for _, next := range []int{childFrom, adultFrom, grownFrom} {
		if slices.Contains(q.Ages, next-1) {
			notes = append(notes, fmt.Sprintf("Ages are those on the day of the last flight, %s: whoever turns %d "+
				"by then is searched for as %d.", day(last), next, next))
		}
	}
	return notes
}

func clock(s string) bool {
	_, err := time.Parse("15:04", s)
	return err == nil && len(s) == 5
}

func day(d calendar.Date) string { return d.Time().Format("Mon 2 Jan 2006") }

func refuse(code, format string, args ...any) error {
	return fault.New(fault.Invalid, format, args...).WithCode(code)
}
