package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// compare writes what is said of the options together.
func (f *facts) compare(s *Set) {
	s.Axes = []Axis{}
	for i, name := range axisNames() {
		axis := Axis{Name: name, Values: []string{}}
		for _, o := range s.Options {
			b := builder{o: o}
			axis.Values = append(axis.Values, cmp.Or(b.axes()[i], "open"))
		}
		s.Axes = append(s.Axes, axis)
	}
	s.Tiers = f.tierRule(s.Options)
	s.ComparisonNote = f.note(s.Options)
	s.Degraded = f.degraded(s)
}

// tierRule says how the totals of low and high compare with that of mid (S4-10).
func (f *facts) tierRule(list []Option) []string {
	said := []string{}
	at := slices.IndexFunc(list, func(o Option) bool { return o.Tier == trip.Mid })
	if at < 0 {
		return said
	}
	mid := (&builder{f: f, o: list[at]}).middle()
	for _, o := range list {
		p, ok := percent((&builder{f: f, o: o}).middle(), mid)
		if !ok || o.Tier == trip.Mid {
			continue
		}
		from, to, rule := highFrom, highTo, "50 to 100 % above"
		if o.Tier == trip.Low {
			from, to, rule = lowFrom, lowTo, "30 to 50 % below"
		}
		where := itoa(p-100) + " % above"
		if p < 100 {
			where = itoa(100-p) + " % below"
		}
		text := o.Title + " is " + where + " " + list[at].Title
		if p < from || p > to {
			text += "; usual is " + rule
		}
		said = append(said, text+".")
	}
	return said
}

// note says in a few sentences how the options compare.
func (f *facts) note(list []Option) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	own := cmp.Or(f.c.Budget, trip.Mid)
	if i := slices.IndexFunc(list, func(o Option) bool { return o.Tier == own }); i >= 0 {
		text := list[i].Title + " fits your " + string(own) + " budget."
		if (&builder{f: f, o: list[i]}).beyond() {
			text = list[i].Title + " is of your " + string(own) + " budget, and costs more than your limit."
		}
		parts = append(parts, text)
	}
	if text := f.apart(list, own); text != "" {
		parts = append(parts, text)
	}
	if len(list) == 1 {
		parts = append(parts, "What was found allows only one plan.")
	}
	return strings.Join(parts, " ")
}

// apart says how much less or more the other options cost than the one of the person's
// budget, else than the first, and on what: "X costs about 24 % less, Y about 60 % more; most
// of the difference is food."
func (f *facts) apart(list []Option, own trip.Budget) string {
	at := max(0, slices.IndexFunc(list, func(o Option) bool { return o.Tier == own }))
	if len(list) < 2 || len(list[0].Totals) == 0 {
		return ""
	}
	base := (&builder{f: f, o: list[at]}).middle()
	var said []string
	for i, o := range list {
		p, ok := percent((&builder{f: f, o: o}).middle(), base)
		if !ok || i == at {
			continue
		}
		how := "about as much"
		switch {
		case p <= 98:
			how = "about " + itoa(100-p) + " % less"
		case p >= 102:
			how = "about " + itoa(p-100) + " % more"
		}
		verb := ""
		if len(said) == 0 {
			verb = "costs "
		}
		said = append(said, o.Title+" "+verb+how)
	}
	text := strings.Join(said, ", ")
	if c := f.widest(list[0], list[len(list)-1]); c != "" {
		text += "; most of the difference is " + c
	}
	return text + "."
}

// widest returns the category in which two options differ most.
func (f *facts) widest(a, b Option) string {
	words := map[Category]string{CostTransport: "transport", CostStay: "where you stay", CostFood: "food",
		CostActivity: "tickets"}
	best, most := "", money.Amount{}
	for _, c := range []Category{CostTransport, CostStay, CostFood, CostActivity} {
		d, err := f.category(b, c).Sub(f.category(a, c))
		if err == nil && d.Cmp(most) > 0 {
			best, most = words[c], d
		}
	}
	return best
}

func (f *facts) category(o Option, c Category) money.Amount {
	var sum money.Amount
	for _, l := range o.Costs {
		if l.Category == c {
			sum = plus(sum, f.rough(l.From, l.To, l.Currency))
		}
	}
	return sum
}

// degraded returns the codes of what the options do without.
func (f *facts) degraded(s *Set) []string {
	var codes []string
	for _, m := range []struct {
		s    trip.Specialist
		code string
	}{{trip.Transport, NoTransport}, {trip.Stay, NoStays}, {trip.Food, NoFood}} {
		if f.missing[m.s] != "" {
			codes = append(codes, m.code)
		}
	}
	if slices.ContainsFunc(f.cities, func(c city) bool { return len(c.sights) == 0 }) {
		codes = append(codes, NoSights)
	}
	if len(s.Options) < 2 {
		codes = append(codes, OneOption)
	}
	if slices.Contains(s.Degraded, WordsByRules) {
		codes = append(codes, WordsByRules)
	}
	return codes
}
