package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// What is taken, so that the file stays below its limit of 400 KB.
const (
	mostCities    = 16_000
	latinNames    = 600   // of so many cities all names in Latin letters
	foreignNames  = 900   // of so many cities the names in all scripts
	countryNames  = 4_000 // of so many cities the names in the country's own script
	leastSection  = 14    // the importance of a part of a city that is taken
	sameCity      = 30.0  // km, within which two cities of one name are one
	leastSuburb   = 11    // the importance of a city that has the airports of others
	suburb        = 30.0  // km, within which it has them
	nearAirport   = 35.0  // km, within which an airport serves the greatest city
	leastServed   = 8     // the importance of such a city
	farAirport    = 100.0 // km, beyond which an airport does not serve the city it is named after
	largestImport = 31.5
)

// world is what is written.
type world struct {
	zones     []string
	countries []*country
	cities    []*city // in the order of the file
	airports  []*airport
	lists     []airportList
	known     map[string][]string
	ordinary  []string
	others    int
}

type country struct {
	code, name string
	others     []string
	zones      []string // in the order of first use
	regions    []*region
}

type region struct {
	code, name string
	cities     []*city
}

type city struct {
	name       string
	lat, lon   float64
	importance float64
	choice     float64 // who is taken: the small and famous rather than the large
	country    string
	region     string // code of GeoNames
	zone       string
	names      []string // others, as the source has them
	always     bool     // taken however small
	others     []string // folded
	index      int
}

type airport struct {
	code, name, municipality string
	country, zone            string
	lat, lon                 float64
	large, scheduled         bool
	opens                    string
	city                     *city
}

// airportList says which airports a city has, the largest first.
type airportList struct {
	city     *city
	code     string
	airports []string
}

func build(in inputs) (*world, error) {
	w := &world{known: in.overlay.known, ordinary: strings.Fields(in.ordinary)}
	all, err := readCities(in)
	if err != nil {
		return nil, err
	}
	near := newGrid(all)
	if w.airports, err = readAirports(in, near); err != nil {
		return nil, err
	}
	byName := map[string][]*city{}
	for _, c := range all {
		for _, key := range c.keys() {
			byName[key] = append(byName[key], c)
		}
	}
	if err := w.rename(in.overlay, byName); err != nil {
		return nil, err
	}
	for _, x := range in.overlay.weights {
		c, err := named(byName, x.country, x.city)
		if err != nil {
			return nil, err
		}
		c.importance += x.more
	}
	areas := addAreas(in.overlay, near)
	all = append(all, areas...)
	for _, a := range w.airports {
		if a.city = served(a, byName); a.city == nil && a.scheduled {
			a.city = near.greatest(a)
		}
	}
	if err := w.serve(in.overlay, byName, all, areas); err != nil {
		return nil, err
	}
	chosen := choose(all)
	w.lists = slices.DeleteFunc(w.lists, func(l airportList) bool { return !slices.Contains(chosen, l.city) })
	w.order(in, chosen)
	for _, a := range w.airports {
		if a.city != nil && !slices.Contains(chosen, a.city) {
			a.city = nil
		}
	}
	w.chooseNames(in.overlay)
	return w, nil
}

// keys are the folded names under which an overlay or an airport may mean a city.
func (c *city) keys() []string {
	keys := []string{places.Fold(c.name)}
	for _, name := range c.names {
		if key := places.Fold(name); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func readCities(in inputs) ([]*city, error) {
	var all []*city
	for _, row := range in.cities {
		switch row[columnFeature] {
		case "PPLH", "PPLQ", "PPLW", "PPLCH": // gone
			continue
		}
		lat, err := strconv.ParseFloat(row[columnLat], 64)
		if err != nil {
			return nil, fmt.Errorf("city %s: %w", row[columnID], err)
		}
		lon, err := strconv.ParseFloat(row[columnLon], 64)
		if err != nil {
			return nil, fmt.Errorf("city %s: %w", row[columnID], err)
		}
		people, err := strconv.ParseFloat(cmp.Or(row[columnPopulation], "0"), 64)
		if err != nil {
			return nil, fmt.Errorf("city %s: %w", row[columnID], err)
		}
		name, _, _ := strings.Cut(row[columnName], " (")
		c := &city{name: name, lat: lat, lon: lon, country: row[columnCountry], zone: row[columnZone],
			region: row[columnCountry] + "." + row[columnRegion], names: list(row[columnOthers])}
		// How many names a place has tells how well it is known in the world.
		c.importance = 0.7*math.Log2(people/1000+1) + 2*math.Log2(float64(len(c.names))+1)
		if c.country == "CN" {
			c.zone = "Asia/Shanghai" // by which all flights of the country are
		}
		size, fame := math.Log2(people/1000+1), math.Log2(float64(len(c.names))+1)
		c.choice = max(0.6*size+1.6*fame, 1.2*size)
		if c.country == "IN" { // where more of those who travel with us live
			c.choice++
		}
		if scripts(c.country) != nil && strings.ContainsAny(c.name, "āīūēōĀĪŪĒŌ") {
			c.name = row[columnPlain] // a transcription that hardly anybody writes
		}
		switch {
		case row[columnFeature] == "PPLC":
			c.importance++
		case row[columnFeature] == "PPLX" && c.importance < leastSection:
			continue
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *city) int { return cmp.Compare(b.importance, a.importance) })
	return all, nil
}

// named returns the most important city of a country that has a name, rather one that
// is shown by it.
func named(byName map[string][]*city, country, name string) (*city, error) {
	var best *city
	key := places.Fold(name)
	shown := false
	for _, c := range byName[key] {
		is := places.Fold(c.name) == key
		if c.country == country && (best == nil || is && !shown || is == shown && c.importance > best.importance) {
			best, shown = c, is
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no city %q in %s", name, country)
	}
	return best, nil
}

func (w *world) rename(o *overlay, byName map[string][]*city) error {
	var all []error
	for _, n := range o.names {
		c, err := named(byName, n.country, n.city)
		if err != nil {
			all = append(all, err)
			continue
		}
		c.always = true
		c.others = append(c.others, n.others...)
		if n.shown != "" {
			c.others = append(c.others, c.name)
			c.name = n.shown
		}
	}
	return errors.Join(all...)
}

func addAreas(o *overlay, near *grid) []*city {
	var all []*city
	for _, a := range o.areas {
		c := &city{name: a.name, lat: a.lat, lon: a.lon, country: a.country, importance: a.size, always: true,
			others: a.others}
		at := near.nearest(a.lat, a.lon, a.country)
		c.zone, c.region = at.zone, at.region
		all = append(all, c)
	}
	return all
}

// choose takes the most important cities, and one of those that have a name twice.
func choose(all []*city) []*city {
	slices.SortStableFunc(all, func(a, b *city) int {
		if a.always != b.always {
			if a.always {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.choice, a.choice)
	})
	byName := map[string][]*city{}
	var chosen []*city
	for _, c := range all {
		if len(chosen) == mostCities {
			break
		}
		key := c.country + places.Fold(c.name)
		if slices.ContainsFunc(byName[key], func(o *city) bool {
			return !c.always && kilometres(c.lat, c.lon, o.lat, o.lon) < sameCity
		}) {
			continue
		}
		byName[key] = append(byName[key], c)
		chosen = append(chosen, c)
	}
	return chosen
}

// order lays out countries, their regions and cities.
func (w *world) order(in inputs, chosen []*city) {
	names := map[string]string{}
	for _, r := range in.regions {
		names[r.Code] = r.Name
	}
	maps.Copy(names, in.overlay.regions)
	byCountry := map[string]*country{}
	for _, c := range in.countries {
		byCountry[c.Code] = &country{code: c.Code, name: c.Name, others: in.overlay.others[c.Code]}
		w.countries = append(w.countries, byCountry[c.Code])
	}
	slices.SortFunc(w.countries, func(a, b *country) int { return cmp.Compare(a.code, b.code) })
	byRegion := map[string]*region{}
	for _, c := range chosen {
		if names[c.region] == "" {
			c.region = c.country + "."
		}
		r := byRegion[c.region]
		if r == nil {
			r = &region{code: c.region, name: names[c.region]}
			byRegion[c.region] = r
			of := byCountry[c.country]
			if of == nil { // a code that OurAirports does not know
				of = &country{code: c.country, name: c.country}
				byCountry[c.country] = of
				w.countries = append(w.countries, of)
			}
			of.regions = append(of.regions, r)
		}
		r.cities = append(r.cities, c)
	}
	slices.SortFunc(w.countries, func(a, b *country) int { return cmp.Compare(a.code, b.code) })
	zones := map[string]bool{}
	for _, of := range w.countries {
		slices.SortFunc(of.regions, func(a, b *region) int { return cmp.Compare(a.code, b.code) })
		counts := map[string]int{}
		for _, r := range of.regions {
			slices.SortStableFunc(r.cities, func(a, b *city) int {
				return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(b.importance, a.importance))
			})
			for _, c := range r.cities {
				counts[c.zone]++
				c.index = len(w.cities)
				w.cities = append(w.cities, c)
			}
			_, code, _ := strings.Cut(r.code, ".")
			r.code = shortCode(in.overlay, of.code, code)
		}
		for _, a := range w.airports {
			if a.country == of.code {
				counts[a.zone]++
			}
		}
		of.zones = slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
		})
		for _, z := range of.zones {
			zones[z] = true
		}
	}
	w.zones = slices.Sorted(maps.Keys(zones))
	slices.SortFunc(w.lists, func(a, b airportList) int { return cmp.Compare(a.city.index, b.city.index) })
}

// shortCode returns the code by which people call a region: the letters of two or
// three that GeoNames has, or the overlay's.
func shortCode(o *overlay, country, code string) string {
	if short := o.shorts[country+"."+code]; short != "" {
		return short
	}
	if country != "US" && country != "GB" {
		return ""
	}
	return code
}

// chooseNames says which other names cities keep, folded.
func (w *world) chooseNames(o *overlay) {
	ranked := slices.Clone(w.cities)
	slices.SortStableFunc(ranked, func(a, b *city) int { return cmp.Compare(b.importance, a.importance) })
	rank := map[*city]int{}
	for i, c := range ranked {
		rank[c] = i
	}
	for _, c := range w.cities {
		own := c.others
		c.others = nil
		has := map[string]bool{places.Fold(c.name): true, "": true}
		add := func(name string) {
			if key := places.Fold(name); !has[key] {
				has[key] = true
				c.others = append(c.others, key)
				w.others++
			}
		}
		for _, name := range own {
			add(name)
		}
		for _, name := range c.names {
			if o.dropped[name] || !wanted(name, c.country, rank[c]) {
				continue
			}
			add(name)
		}
	}
}
