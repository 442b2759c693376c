package options

import (
	"cmp"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
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
