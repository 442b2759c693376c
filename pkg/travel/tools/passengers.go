package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// party are the travellers of an order, in the order of the offer's passengers.
type party []travellers.Summary

func (p party) codes() []string {
	var list []string
	for _, s := range p {
		list = append(list, s.Code)
	}
	return list
}

// String names them: "PAX-1 (adult), PAX-3 (child)".
func (p party) String() string {
	var list []string
	for _, s := range p {
		list = append(list, fmt.Sprintf("%s (%s)", s.Code, s.Kind))
	}
	return strings.Join(list, ", ")
}

// passengers finds the travellers of an offer: those that are named, or else all whom the
// caller has entered where these are exactly the passengers, or the caller for one adult.
func (t *set) passengers(ctx context.Context, by identity.Caller, o flights.Offer, codes []string) (party, error) {
	first, last := o.Slices[0].Departs.Date, o.Slices[len(o.Slices)-1].Departs.Date
	known, err := t.Travellers.Summaries(ctx, by, last)
	if err != nil {
		return nil, err
	}
	var kinds []flights.Kind
	for _, p := range o.Passengers {
		kinds = append(kinds, p.Kind)
	}
	chosen, err := choose(known, kinds, codes)
	if err != nil {
		return nil, err
	}
	seated, ok := seat(chosen, kinds)
	if !ok {
		if len(codes) == 0 || len(chosen) < len(kinds) {
			return nil, t.wanted(o, chosen)
		}
		early, err := t.Travellers.Summaries(ctx, by, first)
		if err != nil {
			return nil, err
		}
		return nil, misfit(chosen, early, kinds, first, last)
	}
	for i := range seated {
		if o.Documents {
			seated[i] = withPassport(seated[i], last)
		}
	}
	if slices.ContainsFunc(seated, func(s travellers.Summary) bool { return !s.Complete }) {
		return nil, t.wanted(o, seated)
	}
	return seated, nil
}

// withPassport asks for a passport that is valid on the day of the last flight.
func withPassport(s travellers.Summary, last calendar.Date) travellers.Summary {
	missing := ""
	switch {
	case !s.Passport:
		missing = "passport"
	case s.PassportExpires != nil && s.PassportExpires.Before(last):
		missing = "passport that is valid on " + day(last)
	}
	if missing != "" && !slices.Contains(s.Missing, missing) {
		s.Complete, s.Missing = false, append(slices.Clone(s.Missing), missing)
	}
	return s
}

// choose picks the travellers that are meant.
func choose(known []travellers.Summary, kinds []flights.Kind, codes []string) ([]travellers.Summary, error) {
	if len(codes) == 0 {
		if len(kinds) == 1 {
			self := func(s travellers.Summary) bool { return s.Self && s.Kind == kinds[0] }
			if i := slices.IndexFunc(known, self); i >= 0 {
				return known[i : i+1], nil
			}
		}
		if len(known) > len(kinds) {
			return nil, fault.New(fault.Invalid, "Who travels? Name %s of %s.", plural(len(kinds), "traveller"),
				party(known)).WithCode("travellers_missing")
		}
		return known, nil
	}
	var chosen []travellers.Summary
	for i, code := range codes {
		j := slices.IndexFunc(known, func(s travellers.Summary) bool { return s.Code == code })
		switch {
		case j < 0:
			return nil, fault.New(fault.NotFound, "There is no traveller %q. Look at the list of travellers.",
				cut(code, 20)).WithCode("traveller_unknown")
		case slices.Contains(codes[:i], code):
			return nil, fault.New(fault.Invalid, "%s is named twice.", code).WithCode("traveller_twice")
		}
		chosen = append(chosen, known[j])
	}
	if len(chosen) > len(kinds) {
		return nil, fault.New(fault.Invalid, "%s are named, and the offer is for %d.",
			plural(len(chosen), "traveller"), len(kinds)).WithCode("travellers_too_many")
	}
	return chosen, nil
}

// seat puts travellers into the order of the passengers by their kinds. It reports false
// where they do not fit.
func seat(chosen []travellers.Summary, kinds []flights.Kind) (party, bool) {
	if len(chosen) != len(kinds) {
		return nil, false
	}
	left := slices.Clone(chosen)
	var seated party
	for _, k := range kinds {
		i := slices.IndexFunc(left, func(s travellers.Summary) bool { return s.Kind == k })
		if i < 0 {
			return nil, false
		}
		seated = append(seated, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return seated, true
}

// misfit says why travellers are not those who were searched for.
func misfit(chosen, early []travellers.Summary, kinds []flights.Kind, first, last calendar.Date) error {
	for _, s := range chosen {
		i := slices.IndexFunc(early, func(e travellers.Summary) bool { return e.Code == s.Code })
		if i >= 0 && early[i].Kind != s.Kind {
			return fault.New(fault.Unprocessable,
				"%s counts as %s on %s and as %s on %s, the day of the last flight, "+
					"by which airlines count. Search again with the age of that day.", s.Code, early[i].Kind,
				day(first),
				s.Kind, day(last)).
				WithCode("traveller_changes_age")
		}
	}
	return fault.New(fault.Unprocessable, "The travellers are %s on %s, and the search was for %s. Search again for "+
		"those who travel.", party(chosen), day(last), kindWords(kinds)).WithCode("travellers_misfit")
}

func kindWords(kinds []flights.Kind) string {
	var words []string
	for _, k := range []flights.Kind{flights.AdultKind, flights.Child, flights.Infant} {
		n := 0
		for _, other := range kinds {
			if other == k {
				n++
			}
		}
		switch {
		case n > 1 && k == flights.Child:
			words = append(words, itoa(n)+" children")
		case n > 0:
			words = append(words, plural(n, k.String()))
		}
	}
	return strings.Join(words, ", ")
}

// wanted asks for the travellers of an offer who are not entered, or not completely.
func (t *set) wanted(o flights.Offer, have []travellers.Summary) error {
	left := slices.Clone(have)
	p := part.Travellers{Title: "Who travels?", Wanted: []part.WantedTraveller{}}
	for _, passenger := range o.Passengers {
		w := part.WantedTraveller{Kind: passenger.Kind.String()}
		if passenger.Kind == flights.Child && passenger.Age >= 0 {
			w.Kind = fmt.Sprintf("child (%d)", passenger.Age)
		}
		if i := slices.IndexFunc(left, func(s travellers.Summary) bool { return s.Kind == passenger.Kind }); i >= 0 {
			w.Code, w.Missing = left[i].Code, left[i].Missing
			left = slices.Delete(left, i, i+1)
			if len(w.Missing) == 0 {
				continue
			}
		}
		p.Wanted = append(p.Wanted, w)
	}
	return askForTravellers(p)
}

func askForTravellers(p part.Travellers) error {
	var words []string
	for _, w := range p.Wanted {
		switch {
		case w.Code == "":
			words = append(words, "one "+w.Kind+" is not entered yet")
		default:
			words = append(words, w.Code+" lacks "+strings.Join(w.Missing, ", "))
		}
	}
	return tool.Want(p, "travellers_missing", "The travellers are not complete: "+strings.Join(words, "; ")+
		". They are entered in the form that is shown, not in the chat.")
}

// people returns the whole data of a party for an order, each infant on the lap of an adult.
func (t *set) people(ctx context.Context, by identity.Caller, p party) ([]flights.Person, error) {
	list, err := t.Travellers.People(ctx, by, p.codes())
	if err != nil {
		return nil, err
	}
	if len(list) != len(p) {
		return nil, fault.New(fault.Conflict, "A traveller was removed meanwhile.").WithCode("traveller_unknown")
	}
	var laps []int
	for i := range list {
		list[i].Infant = -1
		if p[i].Kind == flights.AdultKind {
			laps = append(laps, i)
		}
	}
	// Grown people before those of twelve to seventeen.
	slices.SortStableFunc(laps, func(a, b int) int { return list[a].Born.Time().Compare(list[b].Born.Time()) })
	for i := range list {
		if p[i].Kind == flights.Infant && len(laps) > 0 {
			list[laps[0]].Infant = i
			laps = laps[1:]
		}
	}
	return list, nil
}
