package modes_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/modes"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

func date(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func ready() trip.Context {
	return trip.Context{Origin: &trip.Place{Name: "London"}, Destinations: []trip.Place{{Name: "Boston"}},
		Dates:      trip.DateRange{Start: date("2027-02-12"), End: date("2027-02-15")},
		Travellers: &trip.Travellers{Adults: 2}, Budget: trip.Mid}
}

// S4-14: the transitions, and no others.
func TestOnlyLegalTransitions(t *testing.T) {
	legal := map[[2]modes.Mode]bool{
		{"", modes.Clarify}: true, {"", modes.Confirm}: true, {"", modes.Dispatch}: true,
		{modes.Clarify, modes.Clarify}: true, {modes.Clarify, modes.Confirm}: true,
		{modes.Clarify, modes.Dispatch}: true, {modes.Confirm, modes.Clarify}: true,
		{modes.Confirm, modes.Dispatch}: true, {modes.Dispatch, modes.Finalize}: true,
		{modes.Finalize, modes.Clarify}: true,
	}
	all := []modes.Mode{"", modes.Clarify, modes.Confirm, modes.Dispatch, modes.Finalize}
	for _, from := range all {
		for _, to := range all[1:] {
			if got := modes.Legal(from, to); got != legal[[2]modes.Mode{from, to}] {
				t.Errorf("from %q to %q: %v", from, to, got)
			}
			if from == modes.Dispatch || to == modes.Finalize {
				continue // no turn ends in DISPATCH, and FINALIZE follows within the turn
			}
			at := from
			for _, next := range modes.Path(from, to) {
				if !modes.Legal(at, next) {
					t.Errorf("the way from %q to %q has the step %q to %q", from, to, at, next)
				}
				at = next
			}
			if at != to {
				t.Errorf("the way from %q to %q ends in %q", from, to, at)
			}
		}
	}
}

// S4-12, with the ruling.
func TestTheModeFollowsFromWhatIsKnown(t *testing.T) {
	without := func(change func(*trip.Context)) trip.Context {
		c := ready()
		change(&c)
		return c
	}
	tests := map[string]struct {
		facts modes.Facts
		want  modes.Mode
	}{
		"nothing is known":           {modes.Facts{}, modes.Clarify},
		"agreed, and not ready":      {modes.Facts{Confirmed: true}, modes.Clarify},
		"ready":                      {modes.Facts{Context: ready()}, modes.Confirm},
		"ready and agreed":           {modes.Facts{Context: ready(), Confirmed: true}, modes.Dispatch},
		"all in one message":         {modes.Facts{Context: ready(), Sure: true}, modes.Dispatch},
		"a question is worth a turn": {modes.Facts{Context: ready(), Open: true}, modes.Clarify},
		"agreed, and one is not":     {modes.Facts{Context: ready(), Open: true, Confirmed: true}, modes.Dispatch},
		"rejected":                   {modes.Facts{Context: ready(), Rejected: true, Confirmed: true}, modes.Clarify},
		"contradictory":              {modes.Facts{Context: ready(), Unclear: true, Sure: true}, modes.Clarify},
		"specialists have answered":  {modes.Facts{Context: ready(), Found: true, Rejected: true}, modes.Finalize},
		"no dates":                   {modes.Facts{Context: without(func(c *trip.Context) { c.Dates = trip.DateRange{} })}, modes.Clarify},
		"no origin": {modes.Facts{Context: without(func(c *trip.Context) { c.Origin = nil })},
			modes.Clarify},
		"no origin, and none is used": {modes.Facts{Context: without(func(c *trip.Context) {
			c.Origin,
				c.LocalOnly = nil, true
		})}, modes.Confirm},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := modes.Determine(test.facts); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
