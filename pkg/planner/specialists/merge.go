package specialists

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// agentOf returns what the specialist is called in its output.
func agentOf(s trip.Specialist) string {
	switch s {
	case trip.Transport:
		return "TransportAgent"
	case trip.Stay:
		return "StayAgent"
	case trip.Food:
		return "FoodAgent"
	}
	return ""
}

// label is the specialist's subject as people read it.
func label(s trip.Specialist) string {
	switch s {
	case trip.Stay:
		return "stays"
	case trip.Food:
		return "food"
	}
	return "transport"
}

// found merges what the sources brought.
func (b brief) found(answers []answer) Output {
	o := Output{TaskID: b.task.ID, Agent: agentOf(b.task.Specialist), Recommendations: []Recommendation{}}
	var missing []Recommendation
	var failures []error
	for _, a := range answers {
		if a.err != nil {
			missing = append(missing, lacking("The "+a.name+" are missing", sentence(a.err)))
			failures = append(failures, a.err)
			continue
		}
		o.Recommendations = append(o.Recommendations, a.list...)
		o.QuestionsForUser = append(o.QuestionsForUser, a.questions...)
		o.Assumptions = append(o.Assumptions, a.assumptions...)
		o.Risks = append(o.Risks, a.risks...)
	}
	if len(o.Recommendations) == 0 {
		return b.nothing(failures)
	}
	o.Recommendations = b.ordered(o.Recommendations)
	missing = append(missing, b.gaps(o.Recommendations)...)
	for _, m := range missing {
		o.Risks = append(o.Risks, m.Message)
	}
	o.Recommendations = append(o.Recommendations, missing...)
	o.QuestionsForUser, o.Assumptions, o.Risks = once(o.QuestionsForUser), once(o.Assumptions), once(o.Risks)
	return o
}

// lacking stands among recommendations for something that is missing. Its message can be
// read by itself.
func lacking(what, why string) Recommendation {
	return Recommendation{Error: what, Message: what + ". " + why}
}

// nothing is the output of research that brought nothing (S4-22).
func (b brief) nothing(failures []error) Output {
	what := label(b.task.Specialist)
	message := "None of the sources that are set up knows " + b.cities() + "."
	if len(failures) > 0 {
		message = sentence(failures[0])
	}
	return Output{TaskID: b.task.ID, Agent: agentOf(b.task.Specialist),
		Recommendations:  []Recommendation{{Error: "The research of " + what + " failed", Message: message}},
		QuestionsForUser: []string{},
		Assumptions:      []string{"The plans are incomplete: the research of " + what + " failed."},
		Risks:            []string{"You may have to look for " + what + " yourself."}}
}

// sentence returns what people may read of an error.
func sentence(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "No answer came in time."
	}
	text := clean(fault.From(err).Message, maxSentence)
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "…") {
		text += "."
	}
	return text
}

// once returns the texts without repetitions and empty ones, never nil.
func once(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// ordered merges, orders and numbers recommendations.
func (b brief) ordered(list []Recommendation) []Recommendation {
	rank := map[Source]int{Live: 0, Listed: 1, Model: 2}
	city := map[string]int{}
	for i, p := range b.trip.Destinations {
		if _, seen := city[p.Name]; !seen {
			city[p.Name] = i + 1
		}
	}
	end := len(b.trip.Destinations) + 1 // the way home
	slices.SortStableFunc(list, func(x, y Recommendation) int {
		return cmp.Or(cmp.Compare(rank[x.Source], rank[y.Source]),
			cmp.Compare(cmp.Or(city[x.City], end), cmp.Or(city[y.City], end)))
	})
	list = merged(list)
	letter := strings.ToUpper(string(b.task.Specialist)[:1])
	for i := range list {
		list[i].Code = fmt.Sprintf("%s%d", letter, i+1)
		if list[i].Cost != nil {
			list[i].EstimatedCost = list[i].estimate()
		}
	}
	return list
}

// gaps says which journeys and cities have no recommendation.
func (b brief) gaps(list []Recommendation) []Recommendation {
	has := func(city string, local bool) bool {
		return slices.ContainsFunc(list, func(r Recommendation) bool {
			return (city == "" || r.City == city) && (r.Mode == localMode) == local
		})
	}
	var gaps []Recommendation
	gap := func(format string, args ...any) {
		gaps = append(gaps, lacking(fmt.Sprintf(format, args...), "Its cost is missing."))
	}
	if b.task.Specialist == trip.Transport {
		back := slices.ContainsFunc(list, func(r Recommendation) bool { return r.Back })
		all := b.journeys()
		for i, j := range all {
			switch both := len(all) == 2 && all[1].home; {
			case has(j.to.Name, false) || j.home && (back || both && len(gaps) > 0):
			case both && i == 0:
				gap("No way from %s to %s and back was found", j.from.Name, j.to.Name)
			default:
				gap("No way from %s to %s was found", j.from.Name, j.to.Name)
			}
		}
		return gaps
	}
	nights := Nights(b.trip)
	for i, p := range b.trip.Destinations {
		if has(p.Name, false) || b.task.Specialist == trip.Stay && i < len(nights) && nights[i] == 0 {
			continue
		}
		gap("No %s was found in %s", b.task.Specialist, p.Name)
	}
	return gaps
}

// cities names the destinations: "Rome, Florence".
func (b brief) cities() string {
	names := make([]string, len(b.trip.Destinations))
	for i, p := range b.trip.Destinations {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// merged leaves out what is recommended twice: the first, which is of the better source,
// keeps all its figures and gets the advice that it lacks, marked as not verified. Of
// flights those of a model go where there are live ones.
func merged(list []Recommendation) []Recommendation {
	const mark = " (not verified)"
	first := map[string]int{}
	var out []Recommendation
	for _, r := range list {
		key := keyOf(r)
		i, seen := first[key]
		if !seen || r.Source != Model {
			if !seen {
				first[key] = len(out)
			}
			out = append(out, r)
			continue
		}
		own := &out[i]
		if own.Source == Model {
			continue
		}
		for _, advice := range []struct {
			to   *string
			from string
		}{{&own.BookingTips, r.BookingTips}, {&own.Tips, r.Tips}, {&own.BestFor, r.BestFor},
			{&own.ReservationTips, r.ReservationTips}, {&own.WaitTime, r.WaitTime},
			{&own.HistoricalNote, r.HistoricalNote}} {
			if *advice.to == "" && advice.from != "" {
				*advice.to = advice.from + mark
			}
		}
	}
	return out
}

// keyOf is the same of things that are the same.
func keyOf(r Recommendation) string {
	kind, name := r.MealType, r.Name
	if r.Mode != "" && r.Mode != localMode { // a way between cities: one of each mode
		kind, name = r.Mode, ""
	}
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, strings.TrimPrefix(places.Fold(name), "the "))
	return strings.Join([]string{r.City, kind, name}, "\x00")
}
