package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// sum writes the costs of the option, one line for each thing, and their totals.
func (b *builder) sum() {
	l := &ledger{lines: []Line{}}
	b.sumTransport(l)
	b.sumStays(l)
	b.sumFood(l)
	b.sumActivities(l)
	sortLines(l.lines)
	b.o.Costs, b.o.Totals = l.lines, totals(l.lines)
	b.o.EstimatedTotalCost = totalText(b.o.Totals, b.f)
}

// totalText says what an option costs and for whom.
func totalText(list []Total, f *facts) string {
	who := " for " + count(f.people, "person", "people")
	if len(list) == 0 {
		return "not known" + who
	}
	if len(list) > 1 {
		if from, to, ok := inOne(list, f.currency); ok {
			return "about " + spanText(from, to, f.currency) + who
		}
	}
	return exactly(list) + who
}

// exactly returns the sums of each currency: "£680.40–960.40 + €371.96".
func exactly(list []Total) string {
	var sums []string
	for _, t := range list {
		sums = append(sums, spanText(t.From, t.To, t.Currency))
	}
	return strings.Join(sums, " + ")
}

// inOne returns sums of several currencies in one, at the dated rates of the guide, rounded
// outward to whole units; ok is false where a rate is missing.
func inOne(list []Total, currency string) (from, to money.Amount, ok bool) {
	for _, t := range list {
		r, known := guide.Convert(guide.Range{From: t.From, To: t.To, Currency: t.Currency}, currency)
		if !known {
			return from, to, false
		}
		from, to = plus(from, r.From), plus(to, r.To)
	}
	return floor(from), ceil(to), true
}

// floor returns the whole units of an amount above 0.
func floor(a money.Amount) money.Amount {
	less, err := a.Sub(money.MustParse("0.5"))
	if err != nil {
		return a
	}
	return less.Round(0) // half away from zero, so that a whole amount stays
}

// ceil returns the whole units that an amount above 0 fits in.
func ceil(a money.Amount) money.Amount {
	if f := floor(a); f.Cmp(a) == 0 {
		return f
	}
	return plus(floor(a), money.FromInt(1))
}

func (b *builder) sumTransport(l *ledger) {
	f := b.f
	for _, j := range b.journeys {
		if j.rec == nil || j.paid || j.rec.Cost == nil {
			continue
		}
		line := Line{Category: CostTransport, Code: j.rec.Code, Label: journeyName(*j.rec, j.leg)}
		if j.rec.Back {
			line.Label += " and back"
		}
		if !j.rec.Back {
			line.Day = j.leg.day + 1
		}
		l.addCost(line, *j.rec.Cost, f.units(*j.rec.Cost, 1, 1))
	}
	for i, c := range f.cities {
		r := b.localIn(i)
		if r == nil || r.Cost == nil || r.Cost.To.IsZero() {
			continue
		}
		days := 0
		for d, day := range b.o.Itinerary.Days {
			if f.cityOf(d) == i && len(day.Activities) > 0 {
				days++
			}
		}
		line := Line{Category: CostTransport, Code: r.Code, Label: cmp.Or(r.Option, r.Name) + " in " + c.Name}
		if r.Cost.Per == specialists.PerDay && days > 0 {
			line.Label += ", " + count(days, "day", "days")
		}
		if days > 0 {
			l.addCost(line, *r.Cost, f.units(*r.Cost, 0, days))
		}
	}
}

// units returns how often a cost is paid by all travellers.
func (f *facts) units(c specialists.Cost, nights, days int) int {
	switch c.Per {
	case specialists.PerPerson:
		return f.people
	case specialists.PerDay:
		return f.people * days
	case specialists.PerNight:
		return nights
	case specialists.PerGroup:
	}
	return 1
}

func (b *builder) sumStays(l *ledger) {
	for i, r := range b.stays {
		if r == nil || r.Cost == nil {
			continue
		}
		n := b.nightsIn(i)
		if r.Cost.Per == specialists.PerGroup {
			n = b.f.cities[i].nights // a live price is for all of them, slept there or not
		}
		label := count(n, "night", "nights") + " at " + r.Name
		l.addCost(Line{Category: CostStay, Code: r.Code, Label: label},
			*r.Cost, b.f.units(*r.Cost, n, n))
	}
}

// sumFood adds up the meals of each place.
func (b *builder) sumFood(l *ledger) {
	type visits struct {
		meals []string
		n     int
		day   int
	}
	var codes []string
	at := map[string]*visits{}
	for _, day := range b.o.Itinerary.Days {
		for _, m := range day.Meals {
			if at[m.Code] == nil {
				at[m.Code] = &visits{day: day.Number}
				codes = append(codes, m.Code)
			}
			v := at[m.Code]
			v.n++
			if !slices.Contains(v.meals, m.Kind) {
				v.meals = append(v.meals, m.Kind)
			}
			if v.n > 1 && v.day != day.Number {
				v.day = 0
			}
		}
	}
	for _, code := range codes {
		r, v := b.f.byCode[code], at[code]
		if r.Cost == nil {
			continue
		}
		label := upper(listText(v.meals)) + " at " + r.Name
		if v.n > 1 {
			label += ", " + count(v.n, "time", "times")
		}
		line := Line{Category: CostFood, Code: code, Label: label, Day: v.day}
		l.addCost(line, *r.Cost, v.n*b.f.units(*r.Cost, 1, 1))
	}
}

// sumActivities adds up tickets: children pay the price that the guide lists for them, and
// else that of adults.
func (b *builder) sumActivities(l *ledger) {
	byName := map[string]stop{}
	for _, c := range b.f.cities {
		for _, s := range c.sights {
			byName[s.code+s.name] = s
		}
	}
	for _, day := range b.o.Itinerary.Days {
		for _, e := range day.Activities {
			s, ok := byName[e.Code+e.Name]
			if !ok || s.adult == nil {
				continue
			}
			child := *s.adult
			if s.child != nil {
				child = *s.child
			}
			from := plus(times(s.adult.From, b.f.people-b.f.children), times(child.From, b.f.children))
			to := plus(times(s.adult.To, b.f.people-b.f.children), times(child.To, b.f.children))
			if to.IsZero() {
				continue
			}
			l.add(Line{Category: CostActivity, Code: s.code, Label: s.name, Day: day.Number,
				Currency: s.adult.Currency, Source: specialists.Listed}, from, to, 1)
		}
	}
}

// middle returns the middle of what the option costs in the currency of the plan.
func (b *builder) middle() money.Amount {
	var sum money.Amount
	for _, t := range b.o.Totals {
		sum = plus(sum, b.f.rough(t.From, t.To, t.Currency))
	}
	return sum
}

// least returns the least that the option costs in the currency of the plan.
func (b *builder) least() money.Amount {
	var sum money.Amount
	for _, t := range b.o.Totals {
		sum = plus(sum, b.f.rough(t.From, t.From, t.Currency))
	}
	return sum
}

// beyond reports whether even the least that the option costs is more than the person wants
// to spend.
func (b *builder) beyond() bool {
	most := b.f.c.Most
	return most != nil && b.least().Cmp(b.f.rough(most.Amount, most.Amount, most.Currency)) > 0
}

// sayGaps says what is missing of the option.
func (b *builder) sayGaps() {
	f := b.f
	var gaps []string
	what := map[trip.Specialist]string{trip.Transport: "Transport", trip.Stay: "Places to stay", trip.Food: "Food"}
	for _, s := range trip.Specialists() {
		if why := f.missing[s]; why != "" {
			gaps = append(gaps, what[s]+" "+why+": the plan and its total are without it.")
		}
	}
	if f.missing[trip.Transport] == "" {
		for _, j := range b.journeys {
			if j.rec == nil {
				gaps = append(gaps, "No journey from "+j.leg.from+" to "+j.leg.to+
					" was found: the total is without it.")
			}
		}
	}
	if f.missing[trip.Stay] == "" && !slices.Contains(f.c.Excluded, trip.Stay) {
		for i, r := range b.stays {
			if r == nil && b.nightsIn(i) > 0 {
				gaps = append(gaps, "No place to stay in "+f.cities[i].Name+" was found: the total is without it.")
			}
		}
	}
	for _, c := range f.cities {
		if len(c.sights) == 0 && c.Name != "" {
			gaps = append(gaps, "No sights are listed for "+c.Name+": its days are open.")
		}
	}
	if open := b.openDays(); len(open) > 0 {
		gaps = append(gaps, "Nothing more is listed for day "+listText(open)+".")
	}
	if b.beyond() {
		gaps = append(gaps, "It costs more than your limit of "+whole(f.c.Most.Amount, f.c.Most.Currency)+".")
	}
	b.o.Gaps = append(append(gaps, b.gaps...), b.unpriced()...)
}

// openDays returns the numbers of whole days in a listed city on which nothing is planned.
func (b *builder) openDays() []string {
	var open []string
	for d, day := range b.o.Itinerary.Days {
		listed := len(b.f.cities[b.f.cityOf(d)].sights) > 0
		if listed && len(day.Activities) == 0 && b.open[d].to-b.open[d].from > 10*hour {
			open = append(open, itoa(day.Number))
		}
	}
	return open
}

// unpriced names what the option uses without a known price.
func (b *builder) unpriced() []string {
	var names []string
	add := func(r *specialists.Recommendation, name string) {
		if r != nil && r.Cost == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, j := range b.journeys {
		if j.rec != nil {
			add(j.rec, journeyName(*j.rec, j.leg))
		}
	}
	for _, r := range b.stays {
		if r != nil {
			add(r, r.Name)
		}
	}
	for _, day := range b.o.Itinerary.Days {
		for _, m := range day.Meals {
			if r, ok := b.f.byCode[m.Code]; ok {
				add(&r, r.Name)
			}
		}
		for _, a := range day.Activities {
			if a.Source == specialists.Model && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"The price is not known of " + listText(names[:min(len(names), 6)]) + ": the total is without it."}
}
