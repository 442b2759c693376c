package options

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// explain writes assumptions, risks and questions, each once (S4-34).
func (f *facts) explain(s *Set) {
	add := func(list *[]string, texts ...string) {
		for _, t := range texts {
			t = strings.Join(strings.Fields(t), " ")
			if t != "" && !slices.ContainsFunc(*list, func(o string) bool { return same(o, t) }) {
				*list = append(*list, t)
			}
		}
	}
	for _, sp := range trip.Specialists() {
		for _, o := range f.found {
			if specialistOf(o) == sp {
				add(&s.Assumptions, o.Assumptions...)
				add(&s.Risks, o.Risks...)
				add(&s.Questions, o.QuestionsForUser...)
			}
		}
	}
	add(&s.Assumptions, f.assumptions()...)
	for _, o := range s.Options {
		if len(o.Totals) > 1 {
			add(&s.Assumptions, "Totals of several currencies are said in "+f.currency+" at approximate rates of "+
				guide.RatesDate()+".")
		}
		add(&s.Assumptions, f.times(o)...)
	}
	add(&s.Risks, f.risks()...)
}

// times says what an option assumes of journeys whose times are not known.
func (f *facts) times(o Option) []string {
	var list []string
	suggested, first, last := false, false, false
	for n, d := range o.Itinerary.Days {
		for _, e := range d.Transport {
			if e.Kind == localMode {
				continue
			}
			suggested = suggested || strings.Contains(e.Detail, suggestedTime)
			first, last = first || n == 0 && e.Starts != "", last || n == f.days-1 && e.Starts != ""
		}
	}
	if suggested {
		list = append(list, "Times of journeys without a live offer are suggestions.")
	}
	if f.c.WantsOrigin() && f.c.Origin != nil && f.days > 1 {
		if !first {
			list = append(list, "No time of arrival is known: the first day begins at "+clock(noTimeIn)+".")
		}
		if !last {
			list = append(list, "No time of departure is known: the last day ends at "+clock(noTimeOut)+".")
		}
	}
	return list
}

func (f *facts) assumptions() []string {
	var list []string
	live, listed := false, false
	for _, o := range f.found {
		for _, r := range o.Recommendations {
			live, listed = live || r.Source == specialists.Live, listed || r.Source == specialists.Listed
		}
	}
	if live && !f.today.IsZero() {
		list = append(list, "Live prices are of "+f.today.Time().Format("2 Jan 2006")+
			" and may change until you book.")
	}
	if listed || slices.ContainsFunc(f.cities, func(c city) bool { return c.listed }) {
		list = append(list, "Listed prices are typical ranges, not offers.")
	}
	if f.children > 0 {
		list = append(list, "Children pay full prices where no price for children is listed.")
	}
	for _, s := range f.c.Excluded {
		list = append(list, upper(string(s))+" is left out, as you asked.")
	}
	if slices.Contains(f.c.Excluded, trip.Transport) && !f.c.LocalOnly {
		list = append(list, "You arrive by noon on the first day and leave at 15:00 on the last.")
	}
	if f.c.Preferences.Pace == "" {
		list = append(list, "No pace was said: the plan for your budget has about "+itoa(perDay(trip.Moderate))+
			" things a day.")
	}
	if len(f.cities) > 1 {
		var parts []string
		for _, c := range f.cities {
			parts = append(parts, count(c.nights, "night", "nights")+" in "+c.Name)
		}
		list = append(list, "The nights are shared: "+listText(parts)+".")
	}
	return list
}

// risks returns what the guide says of the season, and constraints that no source knows.
func (f *facts) risks() []string {
	var list []string
	for _, c := range f.cities {
		if !c.listed || !f.c.Dates.Known() {
			continue
		}
		for _, s := range c.guide.InMonth(f.date(c.first).Month) {
			list = append(list, c.Name+": "+s.Note)
		}
	}
	for _, c := range f.c.Constraints {
		if !slices.ContainsFunc([]string{"flight", "train", "bus", "car", "ferry"}, func(m string) bool {
			return (&facts{c: trip.Context{Constraints: []string{c}}}).refused(m)
		}) {
			list = append(list, "Not every place was checked for “"+c+"”.")
		}
	}
	return list
}
