package options

import (
	"math"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// The meals of a day.
const (
	breakfast = "breakfast"
	lunch     = "lunch"
	dinner    = "dinner"
)

// Clocks and times of a day, in minutes.
const (
	opens       = 9*hour + 30 // when most museums do, whose hours the guide does not list
	closes      = 18 * hour
	earlyDinner = 17*hour + 30 // before an evening that is long
	dinnerTakes = 75
)

// farOnFoot is how many minutes people walk at most from one thing to the next; what is
// farther away is reached by local transport, at 20 km/h and 10 minutes of waiting.
const (
	farOnFoot   = 40
	rideSpeed   = 333 // metres a minute
	rideWaiting = 10
)

// slot is a thing with its time.
type slot struct {
	stop     stop
	rec      *eatery // of a meal
	meal     string
	from, to int
	walk     int // minutes on foot from the one before
	ride     int // minutes by local transport where it is too far to walk
}

// schedule is a day while it is laid out.
type schedule struct {
	b        *builder
	d, ci    int
	now      int
	lat, lon float64
	slots    []slot
	taken    []string // places to eat of the day
	eaten    map[string]bool
}

// layDay gives the things of a day their times, in walking order from the stay, and writes
// them into it. What has no room goes back.
func (b *builder) layDay(d int) {
	day := &b.o.Itinerary.Days[d]
	ci := b.f.cityOf(d)
	if d < b.f.days-1 && !b.open[d].away && b.stays[ci] != nil {
		day.Accommodation = b.night(d, ci)
	}
	var stops []stop
	if b.keep != nil {
		stops = b.keep.stops[d]
	} else {
		stops = b.choose(d)
	}
	var s *schedule
	for {
		var left []stop
		s, left = b.schedule(d, ci, stops)
		late := slices.ContainsFunc(left, func(l stop) bool { return l.mustDo != "" })
		drop := -1
		for i := range stops {
			if late && stops[i].mustDo == "" {
				drop = i
			}
		}
		if drop < 0 {
			b.giveBack(d, ci, left)
			break
		}
		b.giveBack(d, ci, stops[drop:drop+1])
		stops = slices.Delete(slices.Clone(stops), drop, drop+1)
	}
	for _, x := range s.slots {
		b.write(day, x)
	}
}

// giveBack returns what has no room to the pool, and must-dos to the next day on which they
// are open.
func (b *builder) giveBack(d, ci int, left []stop) {
	for _, s := range left {
		if s.mustDo == "" {
			if b.keep == nil {
				b.pool[ci] = append(b.pool[ci], s)
			} else {
				b.gaps = append(b.gaps, "There is no time left for "+s.name+".")
			}
			continue
		}
		placed := false
		for e := d + 1; e < b.f.days && b.keep == nil && !placed; e++ {
			if b.inCity(e, ci) && s.openOn(b.f.date(e)) && b.room(e) >= s.minutes {
				b.must[e] = append(b.must[e], s)
				placed = true
			}
		}
		if !placed {
			b.gaps = append(b.gaps, "There is no time left for "+s.name+", which you asked for.")
		}
	}
}

// schedule lays out a day and returns what has no room.
func (b *builder) schedule(d, ci int, stops []stop) (s *schedule, left []stop) {
	w := b.open[d]
	s = &schedule{b: b, d: d, ci: ci, now: w.from, eaten: map[string]bool{}}
	s.lat, s.lon = b.home(ci)
	if w.away || w.to <= w.from {
		return s, stops
	}
	dineAt := 19 * hour
	if b.f.young() {
		dineAt = 18 * hour
	}
	for _, x := range stops { // dinner is earlier before a long evening
		if x.evening {
			dineAt = max(earlyDinner, min(dineAt, dayEnds-x.minutes-dinnerTakes-45))
		}
	}
	dines := w.from <= 20*hour && w.to >= dineAt+dinnerTakes
	lunches := w.from <= 13*hour+30 && w.to >= 13*hour
	until := w.to
	if dines {
		until = min(w.to, dineAt+30)
	}
	rest := s.order(stops)
	if w.from <= 9*hour+30 && w.to >= w.from+75 {
		s.eat(breakfast, w.from, 40, w.to, s.next(rest))
	}
	var evening []stop
	for len(rest) > 0 {
		next := rest[0]
		rest = rest[1:]
		if next.evening {
			evening = append(evening, next)
			continue
		}
		starts, _, _ := s.reach(next.lat, next.lon)
		if lunches && !s.eaten[lunch] && (s.now >= 12*hour || s.now >= 11*hour+15 && starts+next.minutes > 14*hour) {
			s.eat(lunch, 12*hour, hour, w.to, next)
			rest = s.order(append(rest, next))
			continue
		}
		if !s.do(next, until) {
			left = append(left, next)
		}
	}
	if lunches && !s.eaten[lunch] && s.now <= 14*hour+30 && w.to >= max(s.now, 12*hour+15)+hour {
		s.eat(lunch, 12*hour+15, hour, w.to, s.next(nil))
	}
	if dines {
		s.eat(dinner, dineAt, dinnerTakes, w.to, s.next(evening))
	}
	for _, e := range evening {
		if !dines || !s.do(e, w.to) {
			left = append(left, e)
		}
	}
	return s, left
}

// next returns where the day goes on: the first of the stops, or home.
func (s *schedule) next(stops []stop) stop {
	if len(stops) > 0 {
		return stops[0]
	}
	lat, lon := s.b.home(s.ci)
	return stop{lat: lat, lon: lon}
}

// young reports whether a child below 12 travels.
func (f *facts) young() bool {
	t := f.c.Travellers
	return t != nil && slices.ContainsFunc(t.Children, func(age int) bool { return age < 12 })
}

// order returns stops by the nearest neighbour from where the day is; those without a place
// come last.
func (s *schedule) order(stops []stop) []stop {
	rest := slices.Clone(stops)
	list := make([]stop, 0, len(rest))
	at := stop{lat: s.lat, lon: s.lon}
	for len(rest) > 0 {
		best, least := 0, math.Inf(1)
		for i, r := range rest {
			km := math.MaxFloat64
			if r.placed() {
				km = kilometres(at, r)
			}
			if km < least {
				best, least = i, km
			}
		}
		list = append(list, rest[best])
		if rest[best].placed() {
			at = rest[best]
		}
		rest = slices.Delete(rest, best, best+1)
	}
	return list
}

// reach returns when a place is reached from where the day is, rounded to 5 minutes, and
// how.
func (s *schedule) reach(lat, lon float64) (at, walk, ride int) {
	if (lat != 0 || lon != 0) && (s.lat != 0 || s.lon != 0) {
		var metres int
		metres, walk = guide.Walk(s.lat, s.lon, lat, lon)
		if walk > farOnFoot {
			walk, ride = 0, rideWaiting+(metres+rideSpeed-1)/rideSpeed
		}
	}
	return (s.now + walk + ride + 4) / 5 * 5, walk, ride
}

// do puts a stop into the day if it ends in time.
func (s *schedule) do(x stop, until int) bool {
	from, walk, ride := s.reach(x.lat, x.lon)
	if x.indoor && !x.evening {
		from = max(from, opens)
		if s.b.keep == nil {
			until = min(until, closes)
		}
	}
	if from+x.minutes > until {
		return false
	}
	s.add(slot{stop: x, from: from, to: from + x.minutes, walk: walk, ride: ride}, x.lat, x.lon)
	s.now += s.b.pause()
	return true
}

func (s *schedule) add(x slot, lat, lon float64) {
	s.slots = append(s.slots, x)
	s.now = x.to
	if lat != 0 || lon != 0 {
		s.lat, s.lon = lat, lon
	}
}

// eat puts a meal into the day, or leaves the time for it where no place was found.
func (s *schedule) eat(meal string, earliest, minutes, until int, next stop) {
	s.eaten[meal] = true
	r := s.place(meal, next)
	if r == nil {
		s.now = max(s.now, earliest) + minutes
		return
	}
	from, walk, ride := s.reach(r.Lat, r.Lon)
	if from = max(from, earliest); from+minutes > until {
		return
	}
	s.taken = append(s.taken, r.Name)
	s.add(slot{rec: r, meal: meal, from: from, to: from + minutes, walk: walk, ride: ride}, r.Lat, r.Lon)
	s.now += 5
}

// mealTier returns of which tier a meal is: the second option of a tier eats by day as the
// cheaper tier does, and in the lowest one in the evening as the next.
func (v variant) mealTier(meal string) trip.Budget {
	if !v.second {
		return v.tier
	}
	switch {
	case v.tier == trip.Low && meal == dinner:
		return trip.Mid
	case v.tier == trip.Mid && meal != dinner:
		return trip.Low
	case v.tier == trip.High && meal != dinner:
		return trip.Mid
	}
	return v.tier
}

// detour returns how much the way to a place counts against it: of the minutes on foot there
// and on to what is next half, and all of those that are a detour. It is 0 where a place is
// not known.
func (s *schedule) detour(lat, lon float64, next stop) int {
	if lat == 0 && lon == 0 || s.lat == 0 && s.lon == 0 {
		return 0
	}
	_, there := guide.Walk(s.lat, s.lon, lat, lon)
	if !next.placed() {
		return 2 * there
	}
	_, onward := guide.Walk(lat, lon, next.lat, next.lon)
	_, direct := guide.Walk(s.lat, s.lon, next.lat, next.lon)
	return (there+onward)/2 + max(0, there+onward-direct)
}

// offTier returns how much it counts against a place that it is of another tier. One that
// is dearer counts more than going to the same place again.
func offTier(is, want trip.Budget) int {
	if d := tierRank(is) - tierRank(want); d > 0 {
		return 70 * d
	}
	return 50 * apart(is, want)
}

// place returns where a meal is: near and on the way to what is next, of the tier, for what
// the person eats, open, and not where they ate before.
func (s *schedule) place(meal string, next stop) *eatery {
	b := s.b
	if b.keep != nil {
		code := b.keep.meals[s.d][meal]
		for i := range b.f.food {
			if code != "" && b.f.food[i].Code == code {
				return &b.f.food[i]
			}
		}
		return nil
	}
	tier := b.v.mealTier(meal)
	again := 45 // a breakfast may well be at the same place
	if meal == breakfast {
		again = 25
	}
	city, day := b.f.cities[s.ci].Name, b.f.date(s.d)
	var best *eatery
	least := math.MaxInt
	for i := range b.f.food {
		r := &b.f.food[i]
		if !r.serves(meal, city, day) || slices.Contains(s.taken, r.Name) {
			continue
		}
		cost := offTier(tierOf(r.Recommendation), tier) + again*b.used[r.Name] + s.detour(r.Lat, r.Lon, next)
		if !r.suits {
			cost += 60
		}
		if r.wish != "" && b.used[r.Name] == 0 {
			cost -= 500
		}
		if cost < least {
			best, least = r, cost
		}
	}
	return best
}

// write puts a slot into a day.
func (b *builder) write(day *Day, x slot) {
	e := Entry{Starts: clock(x.from), Ends: clock(x.to), Walk: x.walk}
	ride := ""
	if x.ride > 0 {
		b.rides[b.f.cityOf(day.Number-1)] = true
		ride = "about " + itoa(x.ride) + " min by local transport"
	}
	if r := x.rec; r != nil {
		b.used[r.Name]++
		b.served[x.meal] = append(b.served[x.meal], tierOf(r.Recommendation))
		e.Code, e.Name, e.Kind, e.Source = r.Code, r.Name, x.meal, r.Source
		e.Area, e.Lat, e.Lon = r.Neighborhood, r.Lat, r.Lon
		ask := ""
		if len(b.f.c.Preferences.Dietary) > 0 && !r.suits {
			ask = "ask for " + strings.ToLower(listText(b.f.c.Preferences.Dietary))
		}
		reserve := ""
		if r.ReservationNeeded {
			reserve = "book a table"
		}
		e.Detail = sentence(r.Cuisine, reserve, ask, ride)
		e.MustDo = r.wish
		day.Meals = append(day.Meals, e)
		return
	}
	s := x.stop
	e.Code, e.Name, e.Area, e.Lat, e.Lon, e.Source, e.MustDo = s.code, s.name, s.area, s.lat, s.lon, s.source, s.mustDo
	e.Detail = sentence(s.detail, ride)
	day.Activities = append(day.Activities, e)
}

// night returns where the night after a day is. The first of several says how many.
func (b *builder) night(d, ci int) *Entry {
	r := b.stays[ci]
	e := &Entry{Code: r.Code, Name: r.Name, Detail: r.Type, Area: r.Neighborhood, Lat: r.Lat, Lon: r.Lon,
		Source: r.Source}
	if d == 0 || b.f.cityOf(d-1) != ci || b.open[d-1].away {
		e.Nights = b.nightsIn(ci)
	}
	return e
}
