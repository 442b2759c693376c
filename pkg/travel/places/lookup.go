package places

import (
	"cmp"
	"slices"
	"strings"
)

// What decides between places of one name. Importance is a logarithm to the base 2
// of inhabitants and of how many names a place has, so a step of one is about a
// doubling. scripts/places has the sum.
const (
	gapAbroad    = 4.2  // by so much the first must be ahead of one of another country,
	gapAtHome    = 5.6  // and of one in the same country, which people tell apart by state
	gapNear      = 3.0  // among near spellings
	alsoCalled   = 1.5  // less for a name that is not the one shown,
	alsoAnother  = 4.0  // and still less where another place is called so
	oneLetter    = 3.0  // less for each wrong letter
	firstLetter  = 1.5  // less for a wrong first letter
	capitalCode  = 2.5  // more for a code in capitals
	leastNear    = 12.0 // the least important city that a near spelling means
	leastShort   = 16.0 // and of a name of up to six letters
	mostFound    = 6    // candidates
	largeAirport = 12.0
	otherAirport = 8.0
)

// match is a place that a name may mean.
type match struct {
	of    int32 // as in entry
	score float64
	also  bool // by a name that is not the one shown
}

// Lookup returns what a name or a code means, the best first: one place when it is
// clear, several when people have to be asked, none when it is unknown. Codes are
// IATA's in any case; names may be in any case, without accents, in another script
// or misspelt, and may be followed by a country or a region: "Portland, Maine",
// "Birmingham UK". Of places with one name only those are returned that are about as
// important as the first.
func Lookup(name string) []Place {
	d := data()
	if len(name) > 4*longestName {
		return nil
	}
	var room [mostMatches]match
	found := d.lookup(room[:0], strings.TrimSpace(name))
	if len(found) == 0 {
		return nil
	}
	list := make([]Place, len(found))
	for i, m := range found {
		list[i] = d.place(m.of)
	}
	return list
}

// mostMatches is how many places of one name are usually kept in mind.
const mostMatches = 64

func (d *table) place(of int32) Place {
	if of < 0 {
		return d.airport(int(-1 - of))
	}
	return d.city(int(of))
}

func (d *table) lookup(found []match, name string) []match {
	var keyRoom [longestName + 8]byte
	key := appendFolded(keyRoom[:0], name)
	if len(key) == 0 {
		return nil
	}
	if at := strings.LastIndexByte(name, '('); at >= 0 {
		if labelled := d.labelled(found, name[:at], name[at+1:]); len(labelled) > 0 {
			return labelled
		}
	}
	found = d.coded(d.exact(found, key), name)
	if len(found) > 0 {
		return d.rank(found, gapAbroad, gapAtHome)
	}
	if found = d.qualified(found, name, key); len(found) > 0 {
		return found
	}
	return d.misspelt(found, key, mostEdits(key))
}

// labelled reads what Label writes: "London (LON), United Kingdom". The code decides,
// and where it is that of a city and of its airport, the name before it.
func (d *table) labelled(found []match, head, rest string) []match {
	inside, _, ok := strings.Cut(rest, ")")
	code, isCode := packCode(strings.TrimSpace(inside))
	if !ok || !isCode {
		return nil
	}
	var room [longestName + 8]byte
	found = slices.DeleteFunc(d.exact(found, appendFolded(room[:0], head)), func(m match) bool {
		return m.of < 0 || d.codeOf(m.of) != code
	})
	if len(found) > 0 {
		return d.rank(found, gapAbroad, gapAtHome)[:1]
	}
	if i, ok := d.airportByCode(code); ok {
		return append(found, match{of: int32(-1 - i)})
	}
	if i, ok := d.cityByCode(code); ok {
		return append(found, match{of: int32(i)})
	}
	return nil
}

// codeOf returns the code of a city, 0 when it has none.
func (d *table) codeOf(city int32) int32 {
	if code, ok := d.codes[city]; ok {
		return code
	}
	if list := d.served[city]; len(list) > 0 {
		return d.airports[list[0]].code
	}
	return 0
}

// coded adds what has the code, if name is one.
func (d *table) coded(found []match, name string) []match {
	c, ok := packCode(name)
	if !ok {
		return found
	}
	extra := 0.0
	if name[0] <= 'Z' && name[1] <= 'Z' && name[2] <= 'Z' {
		extra = capitalCode
	}
	if i, ok := d.airportByCode(c); ok {
		a := &d.airports[i]
		if len(found) > 0 && extra == 0 && a.flags&scheduled == 0 {
			return found
		}
		score := d.importance(int32(-1 - i))
		if a.city >= 0 {
			score = max(score, d.importance(a.city))
		}
		return append(found, match{int32(-1 - i), score + extra, false})
	}
	if i, ok := d.cityByCode(c); ok {
		return add(found, match{int32(i), d.importance(int32(i)) + extra, false})
	}
	return found
}

// largeCode reports whether a code is that of a large airport or of a metropolitan area.
func (d *table) largeCode(code string) bool {
	c, ok := packCode(code)
	if !ok {
		return false
	}
	if i, ok := d.airportByCode(c); ok {
		return d.airports[i].flags&(large|scheduled) == large|scheduled
	}
	_, ok = d.cityByCode(c)
	return ok
}

// exact adds the places with a folded name.
func (d *table) exact(found []match, key []byte) []match {
	x := &d.index
	cities, shown := false, false
	for at := hashOf(key) & x.mask; x.slots[at] != 0; at = (at + 1) & x.mask {
		e := &x.entries[x.slots[at]-1]
		if e.key != string(key) {
			continue
		}
		score := d.importance(e.of)
		if e.also {
			score -= alsoCalled
		}
		cities, shown = cities || e.of >= 0, shown || !e.also
		found = add(found, match{e.of, score, e.also})
	}
	if !cities {
		return found
	}
	// A part of an airport's name is no name where a city is called so, and a city's
	// old name tells less where another one is called so now.
	kept := found[:0]
	for _, m := range found {
		if m.of < 0 {
			continue
		}
		if m.also && shown {
			m.score -= alsoAnother
		}
		kept = append(kept, m)
	}
	return kept
}

// add keeps the better of two matches of one place.
func add(found []match, m match) []match {
	for i := range found {
		if found[i].of == m.of {
			found[i].score = max(found[i].score, m.score)
			found[i].also = found[i].also && m.also
			return found
		}
	}
	return append(found, m)
}

// importance of an airport is that of its city, at most that of an airport of its size.
func (d *table) importance(of int32) float64 {
	if of >= 0 {
		return float64(d.cities[of].importance) / 8
	}
	a := &d.airports[-1-of]
	size := otherAirport
	if a.flags&large != 0 {
		size = largeAirport
	}
	if a.flags&scheduled == 0 {
		size -= 4
	}
	if a.city >= 0 {
		size = max(size, min(d.importance(a.city), size+6))
	}
	return size
}

func (d *table) countryOf(of int32) uint8 {
	if of < 0 {
		return d.airports[-1-of].country
	}
	return d.regions[d.cities[of].region].country
}

func (d *table) regionOf(of int32) int32 {
	if of < 0 {
		a := &d.airports[-1-of]
		if a.city < 0 {
			return -1
		}
		of = a.city
	}
	return int32(d.cities[of].region)
}

// rank orders matches and keeps those that are comparable with the first.
func (d *table) rank(found []match, abroad, home float64) []match {
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.of, a.of))
	})
	first := found[0]
	kept := found[:1]
	for _, m := range found[1:] {
		gap := abroad
		if d.countryOf(m.of) == d.countryOf(first.of) {
			gap = home
		}
		if first.score-m.score > gap || len(kept) == mostFound || d.sameTrip(kept, m.of) {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// sameTrip reports whether a place adds nothing to those kept: an airport of a city
// among them, the city of an airport among them, or a city on an island of that name.
func (d *table) sameTrip(kept []match, of int32) bool {
	return slices.ContainsFunc(kept, func(m match) bool {
		switch {
		case of < 0 && m.of >= 0:
			return d.serves(m.of, of)
		case of >= 0 && m.of < 0:
			return d.serves(of, m.of)
		case of >= 0 && m.of >= 0:
			a, b := d.served[of], d.served[m.of]
			return len(a) > 0 && len(b) > 0 && a[0] == b[0]
		}
		return false
	})
}

// serves reports whether an airport is one of a city.
func (d *table) serves(city, airport int32) bool {
	return slices.Contains(d.served[city], int(-1-airport)) || d.airports[-1-airport].city == city
}

// qualified splits "Portland, Maine" and "Birmingham UK", and leaves out words that
// name no other place: "Jaipur old town", "Mumbai airport".
func (d *table) qualified(found []match, name string, key []byte) []match {
	text := string(key)
	if head, within, ok := strings.Cut(name, ","); ok {
		var room [longestName + 8]byte
		first := appendFolded(room[:0], head)
		found = d.exact(found[:0], first)
		for part := range strings.SplitSeq(within, ",") {
			if areas := d.index.areas()[Fold(part)]; len(areas) > 0 {
				found = d.within(found, areas)
			}
		}
		if len(found) > 0 {
			return d.rank(found, gapAbroad, gapAtHome)
		}
		if found = d.misspelt(found, first, mostEdits(first)); len(found) > 0 {
			return found
		}
	}
	if together := d.cityAndAirport(found[:0], text); len(together) > 0 {
		return together
	}
	for cut := len(text); ; {
		cut = strings.LastIndexByte(text[:cut], ' ')
		if cut < 0 {
			break
		}
		areas := d.index.areas()[text[cut+1:]]
		if len(areas) == 0 {
			continue
		}
		if found = d.within(d.exact(found[:0], key[:cut]), areas); len(found) > 0 {
			return d.rank(found, gapAbroad, gapAtHome)
		}
	}
	return d.withoutSurroundings(found, text)
}

// cityAndAirport reads "New York JFK" and "Paris Orly".
func (d *table) cityAndAirport(found []match, text string) []match {
	for cut := len(text); ; {
		cut = strings.LastIndexByte(text[:cut], ' ')
		if cut < 0 {
			return nil
		}
		var room [mostMatches]match
		after := d.coded(d.exact(room[:0], []byte(text[cut+1:])), text[cut+1:])
		for _, m := range after {
			if m.of >= 0 {
				continue
			}
			for _, of := range d.exact(found[:0], []byte(text[:cut])) {
				if of.of >= 0 && d.serves(of.of, m.of) {
					return append(found[:0], m)
				}
			}
		}
	}
}

// within keeps the places in one of the areas.
func (d *table) within(found []match, areas []area) []match {
	return slices.DeleteFunc(found, func(m match) bool {
		return !slices.ContainsFunc(areas, func(a area) bool {
			return d.countryOf(m.of) == a.country && (a.region < 0 || d.regionOf(m.of) == a.region)
		})
	})
}

// surroundings are words around the name of a city that name no other place.
func surroundings() []string {
	return []string{" international airport", " airport", " airports", " old town", " old city", " city centre",
		" city center", " town centre", " downtown", " down town", " centre", " center", " city", " town", " area",
		" beach", " station", " metro", " all airports"}
}

func (d *table) withoutSurroundings(found []match, text string) []match {
	for _, prefix := range []string{"the ", "city of ", "downtown ", "central ", "greater ", "near ", "around "} {
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			continue
		}
		if found = d.exact(found[:0], []byte(rest)); len(found) > 0 {
			return d.rank(found, gapAbroad, gapAtHome)
		}
		text = rest
	}
	for _, suffix := range surroundings() {
		rest, ok := strings.CutSuffix(text, suffix)
		if !ok {
			continue
		}
		if found = d.exact(found[:0], []byte(rest)); len(found) == 0 {
			if found = d.misspelt(found, []byte(rest), mostEdits(rest)); len(found) == 0 {
				continue
			}
		} else {
			found = d.rank(found, gapAbroad, gapAtHome)
		}
		if strings.HasSuffix(suffix, "airport") && len(found) == 1 && found[0].of >= 0 {
			if only := d.served[found[0].of]; len(only) == 1 {
				found[0].of = int32(-1 - only[0])
			}
		}
		return found
	}
	return nil
}

// isCity reports whether a city is called so.
func (d *table) isCity(name string) bool {
	var keyRoom [longestName + 8]byte
	var room [mostMatches]match
	return slices.ContainsFunc(d.exact(room[:0], appendFolded(keyRoom[:0], name)),
		func(m match) bool { return m.of >= 0 })
}

// ambiguous reports whether a city has to be told from others of its name.
func (d *table) ambiguous(name, region, country string) bool {
	var keyRoom [longestName + 8]byte
	var room [mostMatches]match
	found := slices.DeleteFunc(d.exact(room[:0], appendFolded(keyRoom[:0], name)),
		func(m match) bool { return m.of < 0 || m.also })
	if len(found) < 2 {
		return false
	}
	found = d.rank(found, gapAbroad, gapAtHome)
	r := &d.regions[d.cities[found[0].of].region]
	return len(found) > 1 || r.name != region || d.countries[r.country].code != country
}
