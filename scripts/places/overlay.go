package main

import (
	"fmt"
	"strconv"
	"strings"
)

// overlay is what we know ourselves: overlay.txt, whose head describes its lines.
type overlay struct {
	airports []airportRow
	metros   []metro
	names    []cityNames
	areas    []area
	weights  []weight
	shorts   map[string]string   // of regions, by "CA.08"
	regions  map[string]string   // names of regions, by code
	others   map[string][]string // names of countries, by code
	known    map[string][]string // names of airports, by code
	zones    map[string]string   // of airports, by code
	dropped  map[string]bool     // folded names that are nobody's name
}

// metro is a city with a metropolitan code, or one whose airports are listed.
type metro struct {
	code, country, city string
	airports            []string
}

// cityNames are further names of a city; the first one is that which is shown, where
// it is not empty.
type cityNames struct {
	country, city, shown string
	others               []string
}

// weight makes a city more or less important than the sources do.
type weight struct {
	country, city string
	more          float64
}

// area is an island or a region that people name as if it were a city.
type area struct {
	country, name string
	lat, lon      float64
	airports      []string
	size          float64
	others        []string
}

func readOverlay(text string) (*overlay, error) {
	o := &overlay{shorts: map[string]string{}, regions: map[string]string{}, others: map[string][]string{},
		known: map[string][]string{}, zones: map[string]string{}, dropped: map[string]bool{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		fields := strings.Split(rest, ";")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if err := o.add(verb, fields); err != nil {
			return nil, fmt.Errorf("line %d of the overlay: %w", n, err)
		}
	}
	return o, nil
}

func (o *overlay) add(verb string, f []string) error {
	columns := map[string]int{"airport": 8, "metro": 4, "names": 4, "area": 7, "short": 2, "region": 2, "country": 2,
		"known": 2, "drop": 1, "zone": 2, "weight": 3}
	if n := columns[verb]; n == 0 || len(f) != n {
		return fmt.Errorf("%q has %d fields", verb, len(f))
	}
	switch verb {
	case "airport":
		row := airportRow{Code: f[0], Name: f[1], City: f[2], Country: f[3], Lat: f[4], Lon: f[5],
			Type: f[6] + "_airport", Scheduled: "yes", Opens: f[7]}
		o.airports = append(o.airports, row)
	case "metro":
		o.metros = append(o.metros, metro{f[0], f[1], f[2], strings.Fields(f[3])})
	case "names":
		o.names = append(o.names, cityNames{f[0], f[1], f[2], list(f[3])})
	case "area":
		lat, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			return err
		}
		lon, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			return err
		}
		size, err := strconv.ParseFloat(f[5], 64)
		if err != nil {
			return err
		}
		o.areas = append(o.areas, area{f[0], f[1], lat, lon, strings.Fields(f[4]), size, list(f[6])})
	case "weight":
		more, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			return err
		}
		o.weights = append(o.weights, weight{f[0], f[1], more})
	case "zone":
		for _, code := range strings.Fields(f[1]) {
			o.zones[code] = f[0]
		}
	case "short":
		o.shorts[f[0]] = f[1]
	case "region":
		o.regions[f[0]] = f[1]
	case "country":
		o.others[f[0]] = list(f[1])
	case "known":
		o.known[f[0]] = list(f[1])
	case "drop":
		for _, name := range list(f[0]) {
			o.dropped[name] = true
		}
	}
	return nil
}

// list splits names at commas.
func list(text string) []string {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
