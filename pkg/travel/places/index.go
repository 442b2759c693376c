package places

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
)

// index finds places by folded names.
type index struct {
	entries []entry
	slots   []uint32 // open addressing by hash: a number of entries, plus one
	mask    uint32
	// What only some names need is made at its first use.
	areas func() map[string][]area // countries and regions by folded names
	near  func() *spellings
}

// spellings are the names in the letters of English, ordered by length.
type spellings struct {
	lengths [longestNear + 2]int // where those of each length begin
	entries []uint32
	letters []uint64 // which letters each has
}

// entry is a name of a place.
type entry struct {
	key  string
	of   int32 // a city, or an airport as -1 - its number
	also bool  // not the name that is shown
}

// area is a country, or a region with its country.
type area struct {
	country uint8
	region  int32 // -1: the whole country
}

// longestNear is the longest name for which near spellings are looked up.
const longestNear = 32

// build makes the index. names are other names, of are their cities.
func (d *table) build(names []string, of []byte, known []string) error {
	x := &d.index
	x.entries = make([]entry, 0, len(d.cities)+len(names)+3*len(d.airports))
	// All keys stand in one text; until it is complete they are known by their places.
	arena := make([]byte, 0, 16*(len(d.cities)+2*len(d.airports)))
	type span struct{ from, to int }
	spans := make([]span, 0, len(d.cities)+3*len(d.airports))
	add := func(name string, of int32, also bool) {
		from := len(arena)
		arena = appendFolded(arena, name)
		if len(arena) == from {
			return
		}
		spans = append(spans, span{from, len(arena)})
		x.entries = append(x.entries, entry{of: of, also: also})
	}
	for i := range d.cities {
		add(d.cities[i].name, int32(i), false)
	}
	for i := range d.airports {
		a := &d.airports[i]
		if a.city < 0 && a.municipality != "" {
			add(a.municipality, int32(-1-i), false)
		}
		if name := a.ownName(d); name != "" {
			if full := strings.Replace(a.name, " International", "", 1); full != name {
				add(full, int32(-1-i), true)
			}
			from := len(arena)
			add(name, int32(-1-i), true)
			if _, listed := d.ordinary[string(arena[from:])]; listed {
				arena, spans, x.entries = arena[:from], spans[:len(spans)-1], x.entries[:len(x.entries)-1]
			}
		}
	}
	for _, line := range known {
		code, list, _ := strings.Cut(line, "\t")
		c, _ := packCode(code)
		i, ok := d.airportByCode(c)
		if !ok {
			return errFile
		}
		for name := range strings.SplitSeq(list, "|") {
			add(name, int32(-1-i), true)
		}
	}
	keys := string(arena)
	for i, s := range spans {
		x.entries[i].key = keys[s.from:s.to]
	}
	at := int64(0)
	for _, name := range names {
		skip, size := binary.Varint(of)
		if size <= 0 {
			return errFile
		}
		of = of[size:]
		at += skip
		if at < 0 || at >= int64(len(d.cities)) {
			return errFile
		}
		x.entries = append(x.entries, entry{name, int32(at), true})
	}
	x.hash()
	x.near = sync.OnceValue(x.sortByLength)
	x.areas = sync.OnceValue(d.buildAreas)
	return nil
}

// ownName returns what tells an airport from others: "Heathrow" of "London Heathrow",
// "" when it is called like its city.
func (a *airport) ownName(d *table) string {
	name := a.name
	for _, word := range []string{" International", " Airport", " Intercontinental"} {
		name = strings.Replace(name, word, "", 1)
	}
	if a.city >= 0 {
		if rest := strings.Replace(name, d.cities[a.city].name, "", 1); rest != name {
			name = strings.Trim(rest, " -–/")
		}
	}
	if len(name) < 4 {
		return ""
	}
	return name
}

func (x *index) hash() {
	size := uint32(1) << bits.Len(uint(len(x.entries)*2))
	x.slots = make([]uint32, size)
	x.mask = size - 1
	for i := range x.entries {
		at := hashOf(x.entries[i].key) & x.mask
		for x.slots[at] != 0 {
			at = (at + 1) & x.mask
		}
		x.slots[at] = uint32(i) + 1
	}
}

// hashOf is FNV-1a, folded.
func hashOf[T string | []byte](key T) uint32 {
	h := uint32(2166136261)
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return h ^ h>>15
}

func (x *index) sortByLength() *spellings {
	var counts [longestNear + 2]int
	usable := func(key string) bool {
		if len(key) < 4 || len(key) > longestNear {
			return false
		}
		for i := range len(key) {
			if key[i] >= 0x80 {
				return false
			}
		}
		return true
	}
	for i := range x.entries {
		if usable(x.entries[i].key) {
			counts[len(x.entries[i].key)+1]++
		}
	}
	for n := 1; n < len(counts); n++ {
		counts[n] += counts[n-1]
	}
	total := counts[len(counts)-1]
	s := &spellings{counts, make([]uint32, total), make([]uint64, total)}
	for i := range x.entries {
		if key := x.entries[i].key; usable(key) {
			at := counts[len(key)]
			counts[len(key)]++
			s.entries[at] = uint32(i)
			s.letters[at] = lettersOf(key)
		}
	}
	return s
}

// lettersOf returns two bits for each letter: whether the word has it, and whether it
// has it twice. One wrong letter changes at most two of them, one too many or too few
// at most one.
func lettersOf[T string | []byte](key T) uint64 {
	var once, twice uint64
	for i := range len(key) {
		if c := key[i] - 'a'; c < 26 {
			bit := uint64(1) << c
			twice |= once & bit
			once |= bit
		}
	}
	return once | twice<<26
}

// buildAreas lists how countries and regions are called.
func (d *table) buildAreas() map[string][]area {
	areas := make(map[string][]area, 2*len(d.countries)+len(d.regions))
	add := func(name string, a area) {
		if name != "" {
			key := Fold(name)
			areas[key] = append(areas[key], a)
		}
	}
	for i, c := range d.countries {
		add(c.name, area{uint8(i), -1})
		add(c.code, area{uint8(i), -1})
		for _, name := range c.others {
			add(name, area{uint8(i), -1})
		}
	}
	for i, r := range d.regions {
		add(r.name, area{r.country, int32(i)})
		add(r.code, area{r.country, int32(i)})
	}
	return areas
}
