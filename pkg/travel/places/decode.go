package places

import (
	"bytes"
	"cmp"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// file is what `go run ./scripts/places` writes: lines of text that end with an empty
// one and say checksum, size and sources, and then a raw DEFLATE stream of sections.
// Each section is its length and so many bytes; they stand in the order in which
// parse takes them. Lists of texts are separated by line feeds, numbers are varints
// of encoding/binary, coordinates as hundredths describes.
//
//go:embed places.bin
var file []byte

// table is what the file says. What was made is never changed.
type table struct {
	zones     []string
	countries []country
	regions   []region
	cities    []city
	airports  []airport
	metros    []metro         // by code
	served    map[int32][]int // the airports of a city, where the file lists them
	codes     map[int32]int32 // the metropolitan codes of cities
	index     index
	ordinary  map[string]bool // words; true: never a place
}

type country struct {
	code, name string
	others     []string
}

type region struct {
	code, name string
	country    uint8
}

type city struct {
	name       string
	lat, lon   int16 // hundredths of a degree
	region     uint16
	zone       uint16
	importance uint8 // eighths
}

type airport struct {
	name, municipality string
	vector             [3]float64
	city               int32 // -1: none
	code               int32
	lat, lon           int16
	zone               uint16
	country            uint8
	flags              uint8
	opens              string
}

type metro struct{ code, city int32 }

// The flags of an airport.
const (
	large = 1 << iota
	scheduled
)

// data reads the file at its first use.
var data = sync.OnceValue(func() *table {
	d, err := parse(file)
	if err != nil {
		panic(err) // a part of the program, which a test reads
	}
	return d
})

var errFile = errors.New("the file of places is damaged")

// reader takes sections from what remains. After a failure it returns nothing.
type reader struct {
	rest string
	err  error
}

func (r *reader) section() string {
	n, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(r.rest)-size) {
		r.rest, r.err = "", errFile
		return ""
	}
	s := r.rest[size : size+int(n)]
	r.rest = r.rest[size+int(n):]
	return s
}

func (r *reader) lines() []string {
	s := r.section()
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// numbers returns varints without a sign.
func (r *reader) numbers() []int {
	s := []byte(r.section())
	list := make([]int, 0, len(s))
	for len(s) > 0 {
		n, size := binary.Uvarint(s)
		if size <= 0 {
			r.err = errFile
			return nil
		}
		list = append(list, int(n))
		s = s[size:]
	}
	return list
}

// hundredths returns a column of angles in hundredths of a degree, which have their
// sign in the lowest bit, in a section of low bytes and one of high bytes. In a chain
// each is the difference from the one before.
func (r *reader) hundredths(chain bool) []int16 {
	low, high := r.section(), r.section()
	if len(low) != len(high) {
		r.err = errFile
		return nil
	}
	list := make([]int16, len(low))
	var last int16
	for i := range list {
		z := uint16(low[i]) | uint16(high[i])<<8
		list[i] = last + (int16(z>>1) ^ -int16(z&1))
		if chain {
			last = list[i]
		}
	}
	return list
}

func parse(file []byte) (*table, error) {
	head, packed, found := bytes.Cut(file, []byte("\n\n"))
	if !found {
		return nil, errFile
	}
	var size int
	if _, after, found := strings.Cut(string(head), " size:"); found {
		digits, _, _ := strings.Cut(after, "\n")
		size, _ = strconv.Atoi(digits)
	}
	var body strings.Builder
	body.Grow(size)
	if _, err := io.Copy(&body, flate.NewReader(bytes.NewReader(packed))); err != nil {
		return nil, err
	}
	r := &reader{rest: body.String()}
	d := &table{ordinary: map[string]bool{}}
	d.zones = r.lines()
	zones := d.readCountries(r)
	d.readCities(r, zones)
	names, of := r.lines(), []byte(r.section())
	d.readAirports(r, zones)
	d.readLists(r)
	known := r.lines()
	for _, line := range r.lines() {
		code, day, _ := strings.Cut(line, "\t")
		if c, ok := packCode(code); ok {
			if i, ok := d.airportByCode(c); ok {
				d.airports[i].opens = day
			}
		}
	}
	for _, word := range r.lines() {
		never := strings.HasPrefix(word, "!")
		d.ordinary[strings.TrimPrefix(word, "!")] = never
	}
	if r.err != nil {
		return nil, r.err
	}
	return d, d.build(names, of, known)
}

// readCountries returns the zones of each country besides.
func (d *table) readCountries(r *reader) [][]uint16 {
	lines, counts, regions := r.lines(), r.numbers(), r.lines()
	zones := make([][]uint16, len(lines))
	if len(counts) != len(lines) {
		r.err = errFile
		return nil
	}
	d.countries = make([]country, len(lines))
	d.regions = make([]region, 0, len(regions))
	for i, line := range lines {
		f := strings.Split(line, "\t")
		if len(f) != 4 || counts[i] > len(regions) {
			r.err = errFile
			return nil
		}
		d.countries[i] = country{code: f[0], name: f[1]}
		if f[3] != "" {
			d.countries[i].others = strings.Split(f[3], "|")
		}
		for z := range strings.SplitSeq(f[2], ",") {
			n, err := strconv.Atoi(z)
			if err == nil && n < len(d.zones) {
				zones[i] = append(zones[i], uint16(n))
			}
		}
		for _, line := range regions[:counts[i]] {
			code, name, _ := strings.Cut(line, "\t")
			d.regions = append(d.regions, region{code, name, uint8(i)})
		}
		regions = regions[counts[i]:]
	}
	return zones
}

func (d *table) readCities(r *reader, zones [][]uint16) {
	inRegion, names := r.numbers(), r.lines()
	importance, zone := r.section(), r.section()
	lats, lons := r.hundredths(true), r.hundredths(true)
	n := len(names)
	if r.err != nil || len(inRegion) != len(d.regions) || len(importance) != n || len(zone) != n || len(lats) != n ||
		len(lons) != n {
		r.err = errFile
		return
	}
	d.cities = make([]city, 0, n)
	for at, count := range inRegion {
		of := zones[d.regions[at].country]
		for range count {
			i := len(d.cities)
			if i == n || int(zone[i]) >= len(of) {
				r.err = errFile
				return
			}
			d.cities = append(d.cities, city{names[i], lats[i], lons[i], uint16(at), of[zone[i]], importance[i]})
		}
	}
}

func (d *table) readAirports(r *reader, zones [][]uint16) {
	codes, names := r.numbers(), r.lines()
	flags, countries, zone := r.section(), r.section(), r.section()
	low, high := r.section(), r.section()
	lats, lons := r.hundredths(false), r.hundredths(false)
	n := len(codes)
	if r.err != nil || len(names) != n || len(flags) != n || len(countries) != n || len(zone) != n || len(low) != n ||
		len(high) != n || len(lats) != n || len(lons) != n {
		r.err = errFile
		return
	}
	d.airports = make([]airport, n)
	code := int32(0)
	for i := range d.airports {
		code += int32(codes[i])
		at := int32(low[i]) | int32(high[i])<<8
		c := countries[i]
		if int(at) > len(d.cities) || int(c) >= len(zones) || int(zone[i]) >= len(zones[c]) {
			r.err = errFile
			return
		}
		name, municipality, _ := strings.Cut(names[i], "\t")
		if at > 0 && strings.Contains(name, "\x01") {
			name = strings.ReplaceAll(name, "\x01", d.cities[at-1].name)
		}
		name = strings.Replace(name, "\x02", " International", 1)
		if at > 0 {
			lats[i] += d.cities[at-1].lat
			lons[i] += d.cities[at-1].lon
		}
		d.airports[i] = airport{name, municipality, vector(radians(lats[i]), radians(lons[i])), at - 1, code, lats[i],
			lons[i], zones[c][zone[i]], c, flags[i], ""}
	}
}

// readLists reads the airports and codes of cities. A city that is not listed has the
// one airport that names it.
func (d *table) readLists(r *reader) {
	lines := r.lines()
	d.served = make(map[int32][]int, len(d.airports))
	d.codes = map[int32]int32{}
	for i := range d.airports {
		if a := &d.airports[i]; a.city >= 0 && a.flags != 0 {
			d.served[a.city] = append(d.served[a.city], i)
		}
	}
	at := 0
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) < 3 {
			r.err = errFile
			return
		}
		skip, err := strconv.Atoi(f[0])
		at += skip
		if err != nil || at < 0 || at >= len(d.cities) {
			r.err = errFile
			return
		}
		if c, ok := packCode(f[1]); ok {
			d.codes[int32(at)] = c
			d.metros = append(d.metros, metro{c, int32(at)})
		}
		d.served[int32(at)] = nil
		for _, code := range f[2:] {
			c, _ := packCode(code)
			i, ok := d.airportByCode(c)
			if !ok {
				r.err = errFile
				return
			}
			d.served[int32(at)] = append(d.served[int32(at)], i)
		}
	}
	slices.SortStableFunc(d.metros, func(a, b metro) int {
		return cmp.Or(cmp.Compare(a.code, b.code),
			cmp.Compare(d.cities[b.city].importance, d.cities[a.city].importance))
	})
}

// packCode returns three letters or digits in any case as a number.
func packCode(code string) (int32, bool) {
	if len(code) != 3 {
		return 0, false
	}
	n := int32(0)
	for i := range 3 {
		switch c := int32(code[i]); {
		case c >= '0' && c <= '9':
			n = n*36 + c - '0'
		case c >= 'A' && c <= 'Z':
			n = n*36 + c - 'A' + 10
		case c >= 'a' && c <= 'z':
			n = n*36 + c - 'a' + 10
		default:
			return 0, false
		}
	}
	return n, true
}

func unpackCode(n int32) string {
	const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return string([]byte{signs[n/36/36], signs[n/36%36], signs[n%36]})
}

func (d *table) airportByCode(code int32) (int, bool) {
	return slices.BinarySearchFunc(d.airports, code, func(a airport, c int32) int { return cmp.Compare(a.code, c) })
}

func (d *table) cityByCode(code int32) (int, bool) {
	i, ok := slices.BinarySearchFunc(d.metros, code, func(m metro, c int32) int { return cmp.Compare(m.code, c) })
	if !ok {
		return 0, false
	}
	return int(d.metros[i].city), true
}

func (d *table) countryIndex(code string) (int, bool) {
	return slices.BinarySearchFunc(d.countries, code, func(c country, code string) int {
		return cmp.Compare(c.code, code)
	})
}

// city returns a city as a place.
func (d *table) city(i int) Place {
	c := &d.cities[i]
	r := &d.regions[c.region]
	p := Place{Kind: City, Name: c.name, City: c.name, Region: r.name, Country: d.countries[r.country].code,
		Zone: d.zones[c.zone], Lat: float64(c.lat) / 100, Lon: float64(c.lon) / 100}
	airports := d.served[int32(i)]
	if len(airports) > 0 {
		p.Airports = make([]string, len(airports))
		for i, a := range airports {
			p.Airports[i] = unpackCode(d.airports[a].code)
		}
		p.Code = p.Airports[0]
	}
	if code, ok := d.codes[int32(i)]; ok {
		p.Code = unpackCode(code)
	}
	return p
}

// airport returns an airport as a place.
func (d *table) airport(i int) Place {
	a := &d.airports[i]
	p := Place{Kind: Airport, Code: unpackCode(a.code), Name: a.name, City: a.municipality,
		Country: d.countries[a.country].code, Zone: d.zones[a.zone], Lat: float64(a.lat) / 100,
		Lon: float64(a.lon) / 100, Opens: a.opens}
	if a.city >= 0 {
		c := &d.cities[a.city]
		p.City, p.Region = c.name, d.regions[c.region].name
	}
	return p
}
