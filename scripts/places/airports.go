package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

func readAirports(in inputs, near *grid) ([]*airport, error) {
	seen := map[string]bool{}
	var all []*airport
	for _, row := range slices.Concat(in.overlay.airports, in.airports) {
		if len(row.Code) != 3 || seen[row.Code] {
			continue
		}
		seen[row.Code] = true
		lat, err := strconv.ParseFloat(row.Lat, 64)
		if err != nil {
			return nil, fmt.Errorf("airport %s: %w", row.Code, err)
		}
		lon, err := strconv.ParseFloat(row.Lon, 64)
		if err != nil {
			return nil, fmt.Errorf("airport %s: %w", row.Code, err)
		}
		a := &airport{code: row.Code, name: airportName(row.Name, row.City), municipality: municipality(row.City),
			lat: lat, lon: lon, country: row.Country, large: row.Type == "large_airport",
			scheduled: row.Scheduled == "yes", opens: row.Opens}
		c := near.nearest(lat, lon, row.Country)
		if c == nil {
			c = near.nearest(lat, lon, "")
		}
		a.zone = cmp.Or(in.overlay.zones[a.code], c.zone)
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *airport) int { return cmp.Compare(a.code, b.code) })
	return all, nil
}

// airportName returns a name without the word that all have, unless only the city's
// name would be left.
func airportName(name, city string) string {
	name = strings.Join(strings.Fields(strings.NewReplacer("\t", " ", "\n", " ").Replace(name)), " ")
	short := strings.TrimSuffix(name, " Airport")
	if places.Fold(short) == places.Fold(municipality(city)) {
		return name
	}
	return short
}

// municipality returns the city of "Buenos Aires (Ezeiza)", "Pendik, Istanbul" and
// "Bâle/Mulhouse".
func municipality(name string) string {
	if before, _, found := strings.Cut(name, "("); found {
		name = before
	}
	if before, _, found := strings.Cut(name, "/"); found {
		name = before
	}
	if _, after, found := strings.Cut(name, ", "); found {
		name = after
	}
	return strings.TrimSpace(name)
}

// served returns the city that an airport's municipality names, nil when there is
// none near it.
func served(a *airport, byName map[string][]*city) *city {
	if a.municipality == "" {
		return nil
	}
	var best *city
	for _, c := range byName[places.Fold(a.municipality)] {
		if c.country == a.country && kilometres(a.lat, a.lon, c.lat, c.lon) <= farAirport &&
			(best == nil || c.importance > best.importance) {
			best = c
		}
	}
	return best
}

// serve says which airports cities have.
func (w *world) serve(o *overlay, byName map[string][]*city, all, areas []*city) error {
	byCode := map[string]*airport{}
	of := map[*city][]*airport{}
	for _, a := range w.airports {
		byCode[a.code] = a
		if a.city != nil && (a.scheduled || a.large) {
			of[a.city] = append(of[a.city], a)
		}
	}
	listed := map[*city]airportList{}
	check := func(codes []string) error {
		for _, code := range codes {
			if byCode[code] == nil {
				return fmt.Errorf("no airport %q", code)
			}
		}
		return nil
	}
	for i, a := range o.areas {
		if err := check(a.airports); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		if len(a.airports) == 0 {
			continue
		}
		listed[areas[i]] = airportList{areas[i], "-", a.airports}
	}
	for _, m := range o.metros {
		c, err := named(byName, m.country, m.city)
		for _, a := range areas {
			if err != nil && a.country == m.country && a.name == m.city {
				c, err = a, nil
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.code, err)
		}
		if err := check(m.airports); err != nil {
			return fmt.Errorf("%s: %w", m.code, err)
		}
		listed[c] = airportList{c, m.code, m.airports}
	}
	for c, airports := range of {
		slices.SortFunc(airports, func(a, b *airport) int {
			return cmp.Or(cmp.Compare(a.rank(c), b.rank(c)), cmp.Compare(a.code, b.code))
		})
		if _, ok := listed[c]; !ok {
			l := airportList{city: c, code: "-"}
			for _, a := range airports {
				l.airports = append(l.airports, a.code)
			}
			listed[c] = l
		}
	}
	for _, c := range all {
		if listed[c].city != nil || c.importance < leastSuburb {
			continue
		}
		if codes := w.beside(c); len(codes) > 0 {
			w.lists = append(w.lists, airportList{c, "-", codes})
		}
	}
	for c, l := range listed {
		c.always = true
		first := byCode[l.airports[0]]
		switch {
		case first.scheduled && first.large:
			c.importance += 3
		case first.scheduled:
			c.importance += 1.5
		}
		w.lists = append(w.lists, l)
	}
	return nil
}

// beside returns the airports near a city that name another one, at most two of them.
func (w *world) beside(c *city) []string {
	var near []*airport
	for _, a := range w.airports {
		if a.scheduled && a.country == c.country && math.Abs(a.lat-c.lat) < 1 &&
			kilometres(a.lat, a.lon, c.lat, c.lon) <= suburb {
			near = append(near, a)
		}
	}
	slices.SortFunc(near, func(a, b *airport) int {
		return cmp.Or(cmp.Compare(a.rank(c), b.rank(c)), cmp.Compare(a.code, b.code))
	})
	var codes []string
	for _, a := range near[:min(len(near), 2)] {
		codes = append(codes, a.code)
	}
	return codes
}

// rank orders the airports of a city: those with flights, the large, the near.
func (a *airport) rank(c *city) float64 {
	r := kilometres(a.lat, a.lon, c.lat, c.lon) / 10
	if !a.scheduled {
		r += 1000
	}
	if !a.large {
		r += 100
	}
	return r
}
