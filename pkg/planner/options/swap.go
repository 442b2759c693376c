package options

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Swapped is what of an option is swapped.
type Swapped string

// What may be swapped.
const (
	SwapStay      Swapped = "stay"
	SwapTransport Swapped = "transport"
	SwapMeal      Swapped = "meal"
	SwapDay       Swapped = "day" // what is done on it
)

// SwapRequest says what of an option is replaced by what.
type SwapRequest struct {
	What Swapped
	// Day is its number: of the day or meal to swap, and of a night or journey where the
	// option has several; 0 for the first.
	Day  int
	Meal string // breakfast, lunch, dinner; "" for dinner
	// With is the code of the recommendation to take or its name in the person's words; ""
	// for the next best one.
	With string
}

// CodeNoOther is the code of the error that there is nothing else to take.
const CodeNoOther = "no_alternative"

// Swap returns the set with one thing of one option replaced, and its walks, clocks, costs,
// totals and alternatives made anew; the set it is given stays as it is. found are the outputs
// that the set was composed of, which its run keeps. fault.NotFound says that there is no such option,
// day, meal or recommendation, or (CodeNoOther) nothing else to take.
func Swap(c trip.Context, set Set, option string, s SwapRequest, found []specialists.Output, g Guide) (Set, error) {
	at := slices.IndexFunc(set.Options, func(o Option) bool { return o.ID == option })
	if at < 0 {
		return Set{}, fault.New(fault.NotFound, "There is no option %q.", option)
	}
	old := set.Options[at]
	if s.Day < 0 || s.Day > len(old.Itinerary.Days) {
		return Set{}, fault.New(fault.NotFound, "The plan has %s; there is no day %d.",
			count(len(old.Itinerary.Days), "day", "days"), s.Day)
	}
	f := read(c, found, g, calendar.Date{})
	if len(old.Itinerary.Days) != f.days {
		return Set{}, fault.New(fault.Conflict, "The plan was made for other dates. Plan the trip anew.")
	}
	keep := f.keep(old)
	var err error
	switch s.What {
	case SwapStay:
		err = f.swapStay(old, s, keep)
	case SwapTransport:
		err = f.swapTransport(old, s, keep)
	case SwapMeal:
		err = f.swapMeal(old, s, keep)
	case SwapDay:
		err = f.swapDay(old, s, keep)
	default:
		err = fault.New(fault.Invalid, "A stay, a journey, a meal or a day can be swapped, not %q.", s.What)
	}
	if err != nil {
		return Set{}, err
	}
	b := f.build(variantOf(old), keep)
	b.finish()
	b.o.ID = old.ID
	f.keepWords(&b.o, old)
	set.Options = slices.Clone(set.Options)
	set.Options[at] = b.o
	f.compare(&set)
	return set, nil
}

// variantOf returns the variant that an option was made of.
func variantOf(o Option) variant { return variant{tier: o.Tier, pace: o.Pace, focus: o.Focus} }

// keep returns what an option has, to be laid out again.
func (f *facts) keep(o Option) *kept {
	k := &kept{journeys: make([]string, len(f.legs)), stays: make([]string, len(f.cities)),
		stops: make([][]stop, f.days), meals: make([]map[string]string, f.days)}
	known := map[string]stop{}
	for _, c := range f.cities {
		for _, s := range c.sights {
			known[c.Name+s.name] = s
		}
	}
	for d, day := range o.Itinerary.Days {
		k.meals[d] = map[string]string{}
		for _, m := range day.Meals {
			k.meals[d][m.Kind] = m.Code
		}
		for _, a := range day.Activities {
			s, ok := known[day.City+a.Name]
			if !ok {
				s = stop{code: a.Code, name: a.Name, detail: a.Detail, area: a.Area, lat: a.Lat, lon: a.Lon,
					source: a.Source, minutes: minutesBetween(a.Starts, a.Ends), mustDo: a.MustDo}
			}
			k.stops[d] = append(k.stops[d], s)
		}
		if a := day.Accommodation; a != nil {
			k.stays[f.cityOf(d)] = a.Code
		}
		for _, t := range day.Transport {
			for i, l := range f.legs {
				if k.journeys[i] == "" && indexOf(l.recs, t.Code) >= 0 {
					k.journeys[i] = t.Code
				}
			}
		}
	}
	return k
}

// minutesBetween returns the minutes from one clock to another, 60 where one is unknown.
func minutesBetween(from, to string) int {
	a, okA := minutesOf(from)
	b, okB := minutesOf(to)
	if !okA || !okB || b <= a {
		return hour
	}
	return b - a
}

func minutesOf(s string) (m int, ok bool) {
	at, err := calendar.ParseDateTime("2000-01-01T" + s)
	return at.Hour*hour + at.Minute, err == nil
}

// other picks a recommendation from a list: the one that is named by its code or its name,
// or the one behind the present one, and after the last the first.
func other(list []specialists.Recommendation, now, with, what string) (string, error) {
	if with != "" {
		found := meant(list, with)
		switch len(found) {
		case 1:
			return found[0].Code, nil
		case 0:
			return "", fault.New(fault.NotFound, "There is no %s %q to take. There are %s.", what, with, nameAll(list))
		}
		return "", fault.New(fault.NotFound, "%q may be %s. Say which one.", with, nameAll(found))
	}
	at := slices.IndexFunc(list, func(r specialists.Recommendation) bool { return r.Code == now })
	for i := range list {
		if r := list[(at+1+i+len(list))%len(list)]; r.Code != now && r.Code != "" {
			return r.Code, nil
		}
	}
	return "", fault.New(fault.NotFound, "There is no other %s.", what).WithCode(CodeNoOther)
}

// meant returns the recommendations that a code or a name means: one with that code or just
// that name, or all that have its words.
func meant(list []specialists.Recommendation, with string) []specialists.Recommendation {
	var some []specialists.Recommendation
	for _, r := range list {
		if r.Code == "" {
			continue
		}
		if strings.EqualFold(r.Code, with) || same(r.Name, with) {
			return []specialists.Recommendation{r}
		}
		if words := heavy(with); len(words) > 0 && within(words, tokensOf(titleOf(r)+" "+r.Name+" "+r.Mode)) {
			some = append(some, r)
		}
	}
	return some
}

// titleOf names a recommendation for people.
func titleOf(r specialists.Recommendation) string {
	if r.Mode != "" {
		return sentence(cmp.Or(r.Option, r.Name), r.Provider)
	}
	return r.Name
}

// nameAll names at most five recommendations, each once.
func nameAll(list []specialists.Recommendation) string {
	const most = 5
	var names []string
	for _, r := range list {
		if t := titleOf(r); len(names) < most && !slices.Contains(names, t) {
			names = append(names, t)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return listText(names)
}

func (f *facts) swapStay(o Option, s SwapRequest, k *kept) error {
	ci := 0
	for i := range f.cities {
		if s.Day == 0 && s.With != "" && len(meant(f.sleeps[i], s.With)) > 0 {
			ci = i
			break
		}
	}
	if s.Day > 0 {
		ci = f.cityOf(s.Day - 1)
	}
	code, err := other(byTier(f.sleeps[ci], o.Tier), k.stays[ci], s.With, "place to stay")
	if err == nil {
		k.stays[ci] = code
	}
	return err
}

// byTier puts the recommendations of a tier before those of others.
func byTier(list []specialists.Recommendation, t trip.Budget) []specialists.Recommendation {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b specialists.Recommendation) int {
		return apart(tierOf(a), t) - apart(tierOf(b), t)
	})
	return list
}

func (f *facts) swapTransport(_ Option, s SwapRequest, k *kept) error {
	if len(f.legs) == 0 {
		return fault.New(fault.NotFound, "The plan has no journey to swap.")
	}
	li := 0
	for i, l := range f.legs {
		if s.Day > 0 && l.day == s.Day-1 {
			li = i
			break
		}
		if s.With != "" && s.Day == 0 && len(meant(l.recs, s.With)) > 0 {
			li = i
			break
		}
	}
	if f.legs[li].back && f.byCode[k.journeys[0]].Back {
		li = 0 // the way back belongs to the way there
	}
	code, err := other(f.legs[li].recs, k.journeys[li], s.With, "journey from "+f.legs[li].from+" to "+f.legs[li].to)
	if err == nil {
		k.journeys[li] = code
	}
	return err
}

func (f *facts) swapMeal(o Option, s SwapRequest, k *kept) error {
	d, meal := max(s.Day, 1)-1, strings.ToLower(s.Meal)
	if meal == "" {
		meal = dinner
	}
	now, ok := k.meals[d][meal]
	if !ok && s.Day == 0 { // the first day that has the meal
		for i := range k.meals {
			if now, ok = k.meals[i][meal]; ok {
				d = i
				break
			}
		}
	}
	if !ok {
		return fault.New(fault.NotFound, "Day %d has no %s.", d+1, meal)
	}
	taken := map[string]bool{}
	for other, code := range k.meals[d] {
		taken[f.byCode[code].Name] = other != meal
	}
	var list []specialists.Recommendation
	for _, e := range f.food {
		if !taken[e.Name] && e.serves(meal, f.cities[f.cityOf(d)].Name, f.date(d)) {
			list = append(list, e.Recommendation)
		}
	}
	used := map[string]int{}
	for _, m := range k.meals {
		for _, code := range m {
			used[code]++
		}
	}
	list = byTier(list, o.Tier)
	slices.SortStableFunc(list, func(a, b specialists.Recommendation) int {
		return min(used[a.Code], 1)*btoi(a.Code != now) - min(used[b.Code], 1)*btoi(b.Code != now)
	})
	code, err := other(list, now, s.With, "place for "+meal)
	if err == nil {
		k.meals[d][meal] = code
	}
	return err
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// swapDay gives a day other things to do, of those that the option does not have. Must-dos
// stay.
func (f *facts) swapDay(o Option, s SwapRequest, k *kept) error {
	if s.Day == 0 {
		return fault.New(fault.Invalid, "Say which day is to change.")
	}
	d := s.Day - 1
	used := map[string]bool{}
	for _, stops := range k.stops {
		for _, x := range stops {
			used[x.name] = true
		}
	}
	b := f.build(variantOf(o), k)
	ci := f.cityOf(d)
	b.pool[ci] = slices.DeleteFunc(b.pool[ci], func(x stop) bool { return used[x.name] })
	b.must = make([][]stop, f.days)
	for _, x := range k.stops[d] {
		if x.mustDo != "" {
			b.must[d] = append(b.must[d], x)
		}
	}
	chosen := b.choose(d)
	if len(chosen) == len(b.must[d]) {
		return fault.New(fault.NotFound, "There is nothing else listed for day %d in %s.", s.Day, f.cities[ci].Name).
			WithCode(CodeNoOther)
	}
	k.stops[d] = chosen
	return nil
}

// keepWords takes over the words that an option had, but not those that name what it no
// longer has.
func (f *facts) keepWords(o *Option, old Option) {
	gone := names(old)
	for n := range names(*o) {
		delete(gone, n)
	}
	holds := func(text string) bool {
		for n := range gone {
			if mentions(text, n) {
				return false
			}
		}
		return text != ""
	}
	o.Title = old.Title
	if holds(old.Description) {
		o.Description = old.Description
	}
	highlights := slices.DeleteFunc(slices.Clone(old.Highlights), func(h string) bool { return !holds(h) })
	if len(highlights) > 1 {
		o.Highlights = highlights
	}
	for d := range o.Itinerary.Days {
		day, was := &o.Itinerary.Days[d], old.Itinerary.Days[d]
		if slices.EqualFunc(day.Activities, was.Activities, func(a, b Entry) bool { return a.Name == b.Name }) &&
			slices.EqualFunc(day.Transport, was.Transport, func(a, b Entry) bool { return a.Code == b.Code }) {
			day.Title = was.Title
			if holds(was.Note) {
				day.Note = was.Note
			}
		}
	}
}

// names returns the names of everything in an option.
func names(o Option) map[string]bool {
	set := map[string]bool{}
	for _, d := range o.Itinerary.Days {
		for _, e := range slices.Concat(d.Transport, d.Meals, d.Activities) {
			set[e.Name] = true
		}
		if d.Accommodation != nil {
			set[d.Accommodation.Name] = true
		}
	}
	return set
}
