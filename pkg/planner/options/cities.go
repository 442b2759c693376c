package options

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// city is a destination with its share of the days.
type city struct {
	trip.Place
	first, nights int // index of its first day, and how many nights it has
	listed        bool
	guide         guide.City
	sights        []stop
}

// stop is something to do.
type stop struct {
	code, name, detail, area string
	lat, lon                 float64
	minutes                  int
	source                   specialists.Source
	mustDo                   string
	tags                     []string
	tier                     trip.Budget
	adult, child             *guide.Range // nil where it is not known
	closed                   []string
	rank                     int // in the guide, from 0
	indoor, evening          bool
}

func (s stop) placed() bool { return s.lat != 0 || s.lon != 0 }

func (s stop) openOn(d calendar.Date) bool {
	return !slices.Contains(s.closed, strings.ToLower(d.Weekday().String()))
}

// readCities lists the sights of the destinations and gives each its nights.
func (f *facts) readCities(g Guide) {
	number := 0
	for _, p := range f.c.Destinations {
		ci := city{Place: p}
		if listed, ok := g(p.Code); ok {
			ci.listed, ci.guide = true, listed
			if ci.Lat == 0 && ci.Lon == 0 {
				ci.Lat, ci.Lon = middle(listed)
			}
			for i, s := range listed.Sights {
				number++
				ci.sights = append(ci.sights, f.sight(s, number, i))
			}
		}
		f.cities = append(f.cities, ci)
	}
	if len(f.cities) == 0 {
		f.cities = []city{{}}
	}
	f.markMustDos()
	f.shareNights()
}

// markMustDos finds the sight that each must-do means: the one whose name has most of its
// words.
func (f *facts) markMustDos() {
	for _, m := range f.c.MustDos {
		var best *stop
		most := 0
		for i := range f.cities {
			for k := range f.cities[i].sights {
				s := &f.cities[i].sights[k]
				if n := sameWords(s.name, m); n > most && s.mustDo == "" {
					best, most = s, n
				}
			}
		}
		if best != nil {
			best.mustDo = m
		}
	}
}

// middle returns the mean position of the areas of a city.
func middle(c guide.City) (lat, lon float64) {
	for _, a := range c.Areas {
		lat += a.Lat / float64(len(c.Areas))
		lon += a.Lon / float64(len(c.Areas))
	}
	return lat, lon
}

// sight returns a sight of the guide as a stop, with its price in the currency of the plan.
func (f *facts) sight(s guide.Sight, number, rank int) stop {
	adult := f.listed(s.Price)
	at := stop{code: "A" + strconv.Itoa(number), name: s.Name, detail: s.Note, area: s.Area, lat: s.Lat, lon: s.Lon,
		minutes: max(20, s.Minutes), source: specialists.Listed, tags: s.Tags, tier: trip.Budget(s.Tier),
		adult: &adult, closed: s.ClosedOn, rank: rank, indoor: s.Indoor,
		evening: slices.Contains(s.Tags, "nightlife")}
	if s.Child != nil {
		child := f.listed(*s.Child)
		at.child = &child
	}
	return at
}

// listed returns a range of the guide in the currency of the plan, or as it is where there
// is no rate.
func (f *facts) listed(r guide.Range) guide.Range {
	if converted, ok := guide.Convert(r, f.currency); ok {
		return converted
	}
	return r
}

// shareNights gives the cities their days: as many nights as live prices were asked for.
func (f *facts) shareNights() {
	give := specialists.Nights(f.c)
	day := 0
	for i := range f.cities {
		f.cities[i].first = min(day, f.days-1)
		if i < len(give) {
			f.cities[i].nights = give[i]
		}
		day += f.cities[i].nights
	}
}

// cityOf returns the index of the city in which the night after a day is; of the last day,
// that of the night before.
func (f *facts) cityOf(day int) int {
	at := 0
	for i, c := range f.cities {
		if c.first <= day && (c.nights > 0 || i == 0) {
			at = i
		}
	}
	return at
}

func (f *facts) date(day int) calendar.Date { return f.c.Dates.Start.AddDays(day) }
