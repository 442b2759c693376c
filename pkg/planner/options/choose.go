package options

import (
	"cmp"
	"math"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// fillPools orders the sights of each city by how well they fit.
func (b *builder) fillPools() {
	b.pool = make([][]stop, len(b.f.cities))
	for i, c := range b.f.cities {
		for _, s := range c.sights {
			if s.mustDo == "" && b.fits(s) && !b.doubled(s, c.sights) {
				b.pool[i] = append(b.pool[i], s)
			}
		}
		slices.SortStableFunc(b.pool[i], func(x, y stop) int { return cmp.Compare(b.worth(y, i), b.worth(x, i)) })
	}
}

// doubled reports whether a sight would be seen twice: a tour of another one belongs to a
// tier, and takes the place of that one unless the person asked for it.
func (b *builder) doubled(s stop, all []stop) bool {
	return slices.ContainsFunc(all, func(o stop) bool {
		switch {
		case o.name == s.name || (o.tier == "") == (s.tier == ""):
			return false
		case s.tier != "":
			return o.mustDo != "" && within(heavy(o.name), heavy(s.name))
		}
		return b.fits(o) && within(heavy(s.name), heavy(o.name))
	})
}

// fits reports whether a sight suits the travellers and the tier at all.
func (b *builder) fits(s stop) bool {
	if b.f.children > 0 && s.evening && !slices.Contains(s.tags, "family") {
		return false
	}
	return s.tier == "" || s.tier == b.v.tier || s.tier == trip.Mid && b.v.tier == trip.High
}

// worth returns how much a sight is wanted: the guide lists the best known first, the focus
// and the interests of the person count for more, and what costs much counts against it
// where little is to be spent.
func (b *builder) worth(s stop, i int) float64 {
	n := float64(len(b.f.cities[i].sights))
	w := 3 * (1 - float64(s.rank)/max(n, 1))
	if slices.Contains(s.tags, b.v.focus) {
		w += 3
	}
	for k, interest := range b.f.c.Preferences.Interests {
		if slices.Contains(s.tags, tagOf(interest)) && k < 4 {
			w++
		}
	}
	if b.f.children > 0 && slices.Contains(s.tags, "family") {
		w += 1.5
	}
	if s.tier != "" {
		w += 1.5 // it was made for this tier
	}
	if s.adult != nil && !s.adult.Free() && b.v.tier == trip.Low {
		w -= 1.2
	}
	return w
}

// placeMustDos gives each must-do a day on which it is open, those with the fewest days
// first, and the wishes that no source knows the days that are left.
func (b *builder) placeMustDos() {
	b.must = make([][]stop, b.f.days)
	var all []struct {
		s    stop
		days []int
	}
	for i, c := range b.f.cities {
		for _, s := range c.sights {
			if s.mustDo == "" {
				continue
			}
			var days []int
			for d := range b.f.days {
				if b.inCity(d, i) && s.openOn(b.f.date(d)) && b.room(d) >= s.minutes &&
					(!s.evening || b.open[d].to == dayEnds) {
					days = append(days, d)
				}
			}
			if len(days) == 0 {
				b.gaps = append(b.gaps, s.name+", which you asked for, is closed on the days that you are in "+c.Name+
					", or there is no time for it.")
				continue
			}
			all = append(all, struct {
				s    stop
				days []int
			}{s, days})
		}
	}
	slices.SortStableFunc(all, func(x, y struct {
		s    stop
		days []int
	}) int {
		return cmp.Compare(len(x.days), len(y.days))
	})
	for _, m := range all {
		d := b.freest(m.days, m.s)
		b.must[d] = append(b.must[d], m.s)
	}
	for _, w := range b.f.wishes {
		s := stop{name: upper(w.text), detail: "as you asked; place not checked", minutes: ownWish, mustDo: w.text}
		var days []int
		for d := range b.f.days {
			if b.inCity(d, w.city) && b.room(d) >= s.minutes {
				days = append(days, d)
			}
		}
		if len(days) == 0 {
			b.gaps = append(b.gaps, "There is no time left for your wish “"+w.text+"”.")
			continue
		}
		d := b.freest(days, s)
		b.must[d] = append(b.must[d], s)
	}
}

// missMustDos says which must-dos an option lacks that is laid out again.
func (b *builder) missMustDos() {
	has := func(mustDo string) bool {
		return slices.ContainsFunc(b.keep.stops, func(day []stop) bool {
			return slices.ContainsFunc(day, func(s stop) bool { return s.mustDo == mustDo })
		})
	}
	for _, c := range b.f.cities {
		for _, s := range c.sights {
			if s.mustDo != "" && !has(s.mustDo) {
				b.gaps = append(b.gaps, s.name+", which you asked for, is closed on the days that you are in "+c.Name+
					", or there is no time for it.")
			}
		}
	}
	for _, w := range b.f.wishes {
		if !has(w.text) {
			b.gaps = append(b.gaps, "There is no time left for your wish “"+w.text+"”.")
		}
	}
}

// inCity reports whether a day is planned in a city.
func (b *builder) inCity(d, i int) bool { return b.f.cityOf(d) == i && b.room(d) > 0 }

// room returns the minutes of a day that are left for things to do, meals taken out.
func (b *builder) room(d int) int {
	w := b.open[d]
	free := min(w.to, 19*hour) - max(w.from, 9*hour)
	if w.from < 13*hour && w.to > 14*hour {
		free -= hour
	}
	for _, s := range b.must0(d) {
		free -= s.minutes + b.pause()
	}
	return free
}

func (b *builder) must0(d int) []stop {
	if b.must == nil {
		return nil
	}
	return b.must[d]
}

// freest returns the day with the most room; a day that has a must-do nearby is taken
// before an empty one of as much room.
func (b *builder) freest(days []int, s stop) int {
	best, most := days[0], math.Inf(-1)
	for _, d := range days {
		room := float64(b.room(d))
		for _, o := range b.must[d] {
			if s.placed() && o.placed() && kilometres(s, o) < 1 {
				room += 120
			}
		}
		if room > most {
			best, most = d, room
		}
	}
	return best
}

// kilometres returns how far two stops are apart on foot; 1 where it is not known.
func kilometres(a, b stop) float64 {
	if !a.placed() || !b.placed() {
		return 1
	}
	metres, _ := guide.Walk(a.lat, a.lon, b.lat, b.lon)
	return float64(metres) / 1000
}

// choose returns what is done on a day: its must-dos, then what is worth most and near.
func (b *builder) choose(d int) []stop {
	ci := b.f.cityOf(d)
	chosen := slices.Clone(b.must0(d))
	room := b.room(d)
	w := b.open[d]
	whole := float64(10 * hour)
	n := int(math.Round(float64(perDay(b.v.pace)) * min(1, float64(w.to-w.from)/whole)))
	if room < 30 {
		n = 0
	}
	left := 0
	for e := d; e < b.f.days; e++ {
		if b.inCity(e, ci) {
			left++
		}
	}
	// What there is lasts for all days in the city.
	n = min(n, len(chosen)+(len(b.pool[ci])+left-1)/max(1, left))
	for len(chosen) < n {
		best, most := -1, math.Inf(-1)
		for i, s := range b.pool[ci] {
			if !s.openOn(b.f.date(d)) || s.minutes > room || s.evening && w.to < dayEnds {
				continue
			}
			value := b.worth(s, ci)
			if near := b.nearest(s, chosen, ci); near > 0 {
				value -= min(12, 2*near)
			}
			if value > most {
				best, most = i, value
			}
		}
		if best < 0 {
			break
		}
		s := b.pool[ci][best]
		chosen = append(chosen, s)
		room -= s.minutes + b.pause() + 10
		b.pool[ci] = slices.Delete(b.pool[ci], best, best+1)
	}
	return chosen
}

// nearest returns how far a stop is from the nearest of others in kilometres, or from the
// stay where there are none.
func (b *builder) nearest(s stop, others []stop, ci int) float64 {
	least := math.Inf(1)
	for _, o := range others {
		if o.placed() {
			least = min(least, kilometres(s, o))
		}
	}
	if math.IsInf(least, 1) {
		lat, lon := b.home(ci)
		if lat == 0 && lon == 0 {
			return 0
		}
		return kilometres(s, stop{lat: lat, lon: lon}) / 3
	}
	return least
}

// home returns where the walks of a city begin: the stay, else the middle of the city.
func (b *builder) home(ci int) (lat, lon float64) {
	if r := b.stays[ci]; r != nil && (r.Lat != 0 || r.Lon != 0) {
		return r.Lat, r.Lon
	}
	c := b.f.cities[ci]
	return c.Lat, c.Lon
}
