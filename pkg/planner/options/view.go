package options

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Viewed is what View shows.
type Viewed struct {
	Trip     string // its code
	Run      int    // whose options these are
	Context  trip.Context
	Set      Set
	Selected string // id of the selected option, "" for none
	Document string // address of the PDF, "" for none
	Research []part.PlanResearch
	// Closed leaves out what can be pressed: for people who may only read.
	Closed bool
}

// Bounds of a card, which has to stay below part.Limit.
const (
	maxShown  = 6  // assumptions
	maxOthers = 3  // alternatives of each kind
	maxDetail = 80 // letters of a detail
)

// View returns the options for people, with the calls that select and swap.
func View(s Viewed) part.Plans {
	set := s.Set
	p := part.Plans{Trip: s.Trip, Run: s.Run, Title: s.Context.Title(), Detail: s.Context.Detail(),
		Options: []part.PlanView{}, Selected: s.Selected, Note: set.ComparisonNote, Research: s.Research,
		Assumptions: set.Assumptions, Risks: set.Risks, Questions: set.Questions, Document: s.Document}
	p.Assumptions = p.Assumptions[:min(len(p.Assumptions), maxShown)]
	for _, a := range set.Axes {
		if len(a.Values) == len(set.Options) {
			p.Differs = append(p.Differs, part.PlanAxis{Label: upper(a.Name), Values: a.Values})
		}
	}
	scale := scaleOf(set)
	for _, o := range set.Options {
		p.Options = append(p.Options, viewOf(o, s, scale))
	}
	return p
}

// scale is what costs are drawn against: the largest total among the options.
type scale struct {
	currency string
	most     money.Amount
}

func (s scale) of(a money.Amount, currency string) money.Amount {
	r, ok := guide.Convert(guide.Range{From: a, To: a, Currency: currency}, s.currency)
	if !ok || currency == s.currency {
		return a
	}
	return half(plus(r.From, r.To))
}

func scaleOf(set Set) scale {
	var s scale
	for _, o := range set.Options {
		for _, t := range o.Totals {
			s.currency = cmp.Or(s.currency, t.Currency)
		}
	}
	for _, o := range set.Options {
		var sum money.Amount
		for _, t := range o.Totals {
			sum = plus(sum, s.of(t.To, t.Currency))
		}
		if sum.Cmp(s.most) > 0 {
			s.most = sum
		}
	}
	return s
}

// choose returns the call that selects an option, none where nothing can be pressed.
func choose(o Option, s Viewed) []part.Choice {
	if s.Closed || o.ID == s.Selected {
		return nil
	}
	text, err := json.Marshal(map[string]any{"trip": s.Trip, "run": s.Run, "option": o.ID})
	if err != nil {
		return nil
	}
	return []part.Choice{{Label: "Take this plan", Tool: "select_trip_option", Arguments: text}}
}

func viewOf(o Option, s Viewed, sc scale) part.PlanView {
	v := part.PlanView{ID: o.ID, Title: o.Title, Description: o.Description, Highlights: o.Highlights, Tags: o.Tags,
		Tier: string(o.Tier), Total: o.EstimatedTotalCost, Costs: costsShown(o, sc), Days: []part.PlanDay{},
		Gaps: o.Gaps, Do: choose(o, s)}
	if len(o.Totals) > 1 {
		v.Exact = exactly(o.Totals)
	}
	for _, d := range o.Itinerary.Days {
		v.Days = append(v.Days, dayShown(o, d))
	}
	alt := o.Itinerary.AlternativeOptions
	v.Transport = alternativesShown(alt.Transport)
	v.Stays = alternativesShown(alt.Stays)
	v.Dining = alternativesShown(alt.Dining)
	return v
}

// costsShown returns the categories with their shares of the largest total.
func costsShown(o Option, sc scale) []part.PlanCost {
	var list []part.PlanCost
	labels := map[Category]string{CostTransport: "Transport", CostStay: "Stay", CostFood: "Food",
		CostActivity: "Activities"}
	for _, category := range []Category{CostTransport, CostStay, CostFood, CostActivity} {
		lines := slices.DeleteFunc(slices.Clone(o.Costs), func(l Line) bool { return l.Category != category })
		if len(lines) == 0 {
			continue
		}
		shown := part.PlanCost{Category: string(category), Label: labels[category], Source: string(lines[0].Source)}
		var sums []string
		for _, t := range totals(lines) {
			sums = append(sums, spanText(t.From, t.To, t.Currency))
			shown.From += share(sc.of(t.From, t.Currency), sc.most)
			shown.To += share(sc.of(t.To, t.Currency), sc.most)
		}
		shown.From, shown.To = min(shown.From, 1), min(shown.To, 1)
		shown.Text = strings.Join(sums, " + ")
		for _, l := range lines {
			if string(l.Source) != shown.Source {
				shown.Source = "mixed"
			}
		}
		list = append(list, shown)
	}
	return list
}

func dayShown(o Option, d Day) part.PlanDay {
	v := part.PlanDay{Number: d.Number, Date: d.Date.String(), City: d.City, Title: d.Title, Note: d.Note,
		Items: []part.PlanItem{}}
	for _, e := range d.Transport {
		v.Items = append(v.Items, item(o, d, "transport", e))
	}
	for _, e := range inOrder(d) {
		kind := "activity"
		if e.Kind != "" {
			kind = "meal"
		}
		v.Items = append(v.Items, item(o, d, kind, e))
	}
	// What has no clock, such as getting around, comes first; the night comes last.
	slices.SortStableFunc(v.Items, func(a, b part.PlanItem) int { return strings.Compare(a.From, b.From) })
	if a := d.Accommodation; a != nil {
		v.Items = append(v.Items, item(o, d, "stay", *a))
	}
	return v
}

func item(o Option, d Day, kind string, e Entry) part.PlanItem {
	i := part.PlanItem{Kind: kind, Title: e.Name, From: e.Starts, To: e.Ends, Nights: e.Nights,
		Source: string(e.Source),
		Walk:   e.Walk, Detail: sentence(e.Area, e.Detail), Wish: e.MustDo}
	if kind == "meal" {
		i.Meal = e.Kind
	}
	// A line that is of this day or of a stay that begins here is its cost.
	for _, l := range o.Costs {
		here := l.Day == d.Number || kind == "stay" && e.Nights > 0 || kind == "transport" && l.Day == 0
		if !here || l.Code == "" || l.Code != e.Code || e.Kind == localMode {
			continue
		}
		if kind == "transport" && l.Day == 0 && d.Number > firstDay(o, e.Code) {
			i.Detail = sentence(i.Detail, "in the price of the way there")
			continue
		}
		i.Cost = spanText(l.From, l.To, l.Currency)
	}
	i.Detail = cutText(i.Detail, maxDetail)
	return i
}

// cutText returns at most so many letters of a text, whole words of it.
func cutText(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	s = string([]rune(s)[:most-1])
	if at := strings.LastIndex(s, " "); at > 0 {
		s = s[:at]
	}
	return strings.TrimRight(s, " ,;.·") + "…"
}

// firstDay returns the number of the first day with a journey of that code.
func firstDay(o Option, code string) int {
	for _, d := range o.Itinerary.Days {
		if slices.ContainsFunc(d.Transport, func(e Entry) bool { return e.Code == code }) {
			return d.Number
		}
	}
	return 0
}

// alternativesShown returns what else was found.
func alternativesShown(list []specialists.Recommendation) []part.PlanAlternative {
	var shown []part.PlanAlternative
	for _, r := range list {
		// A restaurant that serves two meals is found twice.
		if len(shown) == maxOthers || slices.ContainsFunc(shown, func(a part.PlanAlternative) bool {
			return r.Name != "" && a.Title == r.Name
		}) {
			continue
		}
		a := part.PlanAlternative{Code: r.Code, Title: cmp.Or(r.Name, sentence(r.Option, r.Provider)),
			Cost: r.EstimatedCost, Source: string(r.Source),
			Detail: sentence(cmp.Or(r.Type, r.Route), cmp.Or(r.Neighborhood, r.Duration), r.Cuisine)}
		if a.Cost == "" && r.Cost != nil {
			a.Cost = spanText(r.Cost.From, r.Cost.To, r.Cost.Currency)
		}
		if r.MealType != "" {
			a.Meal = firstMeal(r.MealType)
		}
		shown = append(shown, a)
	}
	return shown
}

// firstMeal returns the meal for which a place is taken: dinner where it serves it.
func firstMeal(types string) string {
	for _, m := range []string{dinner, lunch, breakfast} {
		if strings.Contains(strings.ToLower(types), m) {
			return m
		}
	}
	return dinner
}
