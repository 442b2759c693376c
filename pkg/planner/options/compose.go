package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Codes of Set.Degraded.
const (
	NoTransport  = "no_transport"
	NoStays      = "no_stays"
	NoFood       = "no_food"
	NoSights     = "no_sights"
	OneOption    = "one_option"
	WordsByRules = "words_by_rules"
)

// Counts of options (S4-8), and on how many of the five axes each two of them differ
// (S4-10).
const (
	MaxOptions = 3
	MinApart   = 3
)

// Compose makes two or three options of a trip that differ in money and mood, and one where
// what was found allows no more; Degraded says so then. One of them has the tier that the
// person asked for, or mid; their order is that of what they cost. The same arguments give
// the same options. c has its dates, its destinations and its travellers; found are the
// outputs of the specialists, whose codes are unique among them. today is the day of the
// live prices at the first destination.
func Compose(c trip.Context, found []specialists.Output, g Guide, today calendar.Date) Set {
	f := read(c, found, g, today)
	return f.set(f.vary())
}

// vary builds the options.
func (f *facts) vary() []*builder {
	own := f.first()
	list := []*builder{own}
	var beyond []*builder
	for _, v := range f.candidates() {
		if len(list) == MaxOptions {
			break
		}
		if slices.ContainsFunc(list, func(b *builder) bool { return b.v.tier == v.tier && b.v.second == v.second }) {
			continue
		}
		v.focus = f.nextFocus(list, v.focus)
		b := f.tuned(v, own)
		switch {
		case !apartFromAll(b, list):
		case b.beyond():
			beyond = append(beyond, b)
		default:
			list = append(list, b)
		}
	}
	for _, b := range beyond { // one that is too dear is better than none to compare with
		if len(list) < 2 && apartFromAll(b, list) {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *builder) int { return a.middle().Cmp(b.middle()) })
	for i, b := range list {
		b.o.ID = "opt-" + itoa(i+1)
		b.finish()
	}
	return list
}

// own returns the variant that fits what the person asked for.
func (f *facts) own() variant {
	v := variant{tier: cmp.Or(f.c.Budget, trip.Mid), pace: cmp.Or(f.c.Preferences.Pace, trip.Moderate)}
	if len(f.focuses) > 0 {
		v.focus = f.focuses[0]
	}
	return v
}

// first builds the option that fits what the person asked for. Of another tier than mid it
// is measured by a mid one, unless they have a style of their own.
func (f *facts) first() *builder {
	v := f.own()
	if v.tier == trip.Mid || f.c.Preferences.HotelStyle != "" {
		return f.build(v, nil)
	}
	mid := v
	mid.tier = trip.Mid
	return f.tuned(v, f.build(mid, nil))
}

// candidates returns variants in the order in which they are tried: a step cheaper and a
// step dearer, another of the person's own tier, then what is left, each with the pace that
// suits it and then with the others.
func (f *facts) candidates() []variant {
	own := f.own()
	var kinds []variant
	switch own.tier {
	case trip.Low:
		kinds = []variant{{tier: trip.Mid}, {tier: trip.Low, second: true}, {tier: trip.High}}
	case trip.High:
		kinds = []variant{{tier: trip.Mid}, {tier: trip.High, second: true}, {tier: trip.Low}}
	case trip.Mid:
		kinds = []variant{{tier: trip.Low}, {tier: trip.High}, {tier: trip.Mid, second: true},
			{tier: trip.Low, second: true}}
	}
	var list []variant
	for _, k := range kinds {
		for _, p := range f.paces(k, own) {
			k.pace = p
			list = append(list, k)
		}
	}
	return list
}

// paces returns the paces of a kind of option, the best first: never two steps from what
// the person said unless nothing else differs enough.
func (f *facts) paces(k, own variant) []trip.Pace {
	all := []trip.Pace{trip.Relaxed, trip.Moderate, trip.Packed}
	at := slices.Index(all, own.pace)
	want := at
	switch {
	case k.second || tierRank(k.tier) < tierRank(own.tier):
		if want = at + 1; want == len(all) {
			want = at - 1
		}
	case tierRank(k.tier) > tierRank(own.tier):
		want = max(0, at-1)
	}
	slices.SortStableFunc(all, func(a, b trip.Pace) int {
		distance := func(p trip.Pace) int {
			i := slices.Index([]trip.Pace{trip.Relaxed, trip.Moderate, trip.Packed}, p)
			return max(i-want, want-i)
		}
		return distance(a) - distance(b)
	})
	return all
}

// nextFocus returns the first focus that no option has yet.
func (f *facts) nextFocus(list []*builder, otherwise string) string {
	for _, focus := range f.focuses {
		if !slices.ContainsFunc(list, func(b *builder) bool { return b.v.focus == focus }) {
			return focus
		}
	}
	return otherwise
}

// tuned builds a variant with the stay of its tier that brings it nearest to what S4-10
// says of its total. mid stands between: the option of another tier is measured by it.
func (f *facts) tuned(v variant, own *builder) *builder {
	if v.tier == own.v.tier {
		v.stay = own.v.stay
	}
	best := f.build(v, nil)
	if v.tier == own.v.tier || len(f.stays) == 0 {
		return best
	}
	off := offRule(best, own)
	for stay := 1; stay <= 4 && off > 0; stay++ {
		v.stay = stay
		if b := f.build(v, nil); offRule(b, own) < off {
			best, off = b, offRule(b, own)
		}
	}
	return best
}

// The rule of S4-10 in percent of the mid option's middle.
const (
	lowFrom, lowTo   = 50, 70
	highFrom, highTo = 150, 200
)

// offRule returns by how many percent one of two options lies outside the rule as seen from
// the other, 0 where it holds or nothing can be compared.
func offRule(a, b *builder) int {
	if tierRank(a.v.tier) > tierRank(b.v.tier) {
		a, b = b, a
	}
	mid, other, from, to := a, b, highFrom, highTo
	if b.v.tier == trip.Mid {
		mid, other, from, to = b, a, lowFrom, lowTo
	}
	if mid.v.tier != trip.Mid {
		return 0
	}
	p, ok := percent(other.middle(), mid.middle())
	if !ok {
		return 0
	}
	return max(0, from-p, p-to)
}

// axes returns the values of an option on the five axes.
func (b *builder) axes() [5]string {
	return [5]string{string(b.o.Tier), string(b.o.Pace), b.o.Style, b.o.Dining, b.o.Focus}
}

func axisNames() [5]string { return [5]string{"budget", "pace", "stay", "dining", "focus"} }

// differ counts the axes on which two options differ. Two tiers are no difference where
// both cost the same.
func differ(a, b *builder) int {
	n := 0
	x, y := a.axes(), b.axes()
	for i := range x {
		if x[i] != y[i] && (i > 0 || a.middle().Cmp(b.middle()) != 0) {
			n++
		}
	}
	return n
}

func apartFromAll(b *builder, list []*builder) bool {
	return !slices.ContainsFunc(list, func(o *builder) bool { return differ(b, o) < MinApart })
}

// set puts options together.
func (f *facts) set(list []*builder) Set {
	s := Set{Options: []Option{}, Assumptions: []string{}, Risks: []string{}, Questions: []string{}}
	for _, b := range list {
		s.Options = append(s.Options, b.o)
	}
	f.explain(&s)
	f.compare(&s)
	return s
}

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
		parts = append(parts, list[i].Title+" fits your "+string(own)+" budget.")
	}
	if len(list) > 1 && len(list[0].Totals) > 0 {
		first, last := list[0], list[len(list)-1]
		parts = append(parts, first.Title+" costs least ("+first.EstimatedTotalCost+"), "+
			last.Title+" most ("+last.EstimatedTotalCost+").")
		if c := f.widest(first, last); c != "" {
			parts = append(parts, "The largest difference is "+c+".")
		}
	}
	if len(list) == 1 {
		parts = append(parts, "What was found allows only one plan.")
	}
	return strings.Join(parts, " ")
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
