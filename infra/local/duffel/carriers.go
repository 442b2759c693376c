package duffel

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// carriersCSV has an airline a line: IATA code, name, kind and the airports where it is at
// home.
//
//go:embed carriers.csv
var carriersCSV string

// carrier is an airline.
type carrier struct {
	code, name string
	kind       byte // f: with all services, l: of low cost, z: Duffel Airways, which exists in test mode only
	hubs       []*airport
	shown      *airline
}

// airline is a carrier in Duffel's form.
type airline struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	IATA       string  `json:"iata_code"`
	Logo       *string `json:"logo_symbol_url"`
	Lockup     *string `json:"logo_lockup_url"`
	Conditions *string `json:"conditions_of_carriage_url"`
}

var carriers = sync.OnceValue(func() []*carrier {
	var list []*carrier
	for line := range strings.Lines(carriersCSV) {
		f := strings.Split(strings.TrimSpace(line), ";")
		c := &carrier{code: f[0], name: f[1], kind: f[2][0]}
		for code := range strings.FieldsSeq(f[3]) {
			if a := known().airports[code]; a != nil {
				c.hubs = append(c.hubs, a)
			}
		}
		c.shown = &airline{ID: identifier("arl", c.code), Name: c.name, IATA: c.code}
		list = append(list, c)
	}
	return list
})

// flies reports whether an airline has flights between two airports: from where it is at
// home, as far as its planes go, to the larger ones more likely.
func (c *carrier) flies(a, b *airport, km float64) bool {
	if c.kind == 'z' {
		return true
	}
	if slices.Contains(closed(), a.Country+b.Country) || slices.Contains(closed(), b.Country+a.Country) {
		return false
	}
	if a.IATA > b.IATA {
		a, b = b, a
	}
	home := slices.Contains(c.hubs, a)
	both := home && slices.Contains(c.hubs, b)
	if !home && !slices.Contains(c.hubs, b) || km < 150 {
		return false
	}
	if both {
		return true
	}
	share := 0.9
	switch {
	case c.kind == 'l' && km > 4800:
		return false
	case c.kind == 'l':
		share = 0.6
	case km > 14_500:
		return false
	case a.busy() && b.busy():
		share = 0.95
	case km > 5000 && (!a.large || !b.large):
		share = 0.15
	case km > 5000:
		share = 0.5
	}
	return draw("route", c.code, a.IATA, b.IATA) < share
}

// closed are pairs of countries between which there are no flights.
func closed() []string {
	return []string{"INPK", "ILLB", "ILKW", "ILIQ", "ILPK", "ILBD", "ILMY", "ILID"}
}

// busy reports whether some airline with all services is at home at the airport.
func (a *airport) busy() bool { return hubs()[a] }

var hubs = sync.OnceValue(func() map[*airport]bool {
	m := map[*airport]bool{}
	for _, c := range carriers() {
		for _, h := range c.hubs {
			m[h] = m[h] || c.kind == 'f'
		}
	}
	return m
})

// aircraft is a type of plane in Duffel's form.
type aircraft struct {
	ID   string `json:"id"`
	IATA string `json:"iata_code"`
	Name string `json:"name"`
}

// planeFor picks the type of plane for a distance.
func planeFor(km float64, words ...any) aircraft {
	types := []string{"789 Boeing 787-9", "359 Airbus A350-900", "77W Boeing 777-300ER", "333 Airbus A330-300"}
	switch {
	case km < 700:
		types = []string{"E90 Embraer 190", "AT7 ATR 72", "319 Airbus A319", "320 Airbus A320"}
	case km < 4500:
		types = []string{"320 Airbus A320", "32N Airbus A320neo", "738 Boeing 737-800", "321 Airbus A321",
			"7M8 Boeing 737 MAX 8"}
	}
	code, name, _ := strings.Cut(types[seed(words...)%uint64(len(types))], " ")
	return aircraft{identifier("arc", code), code, name}
}
