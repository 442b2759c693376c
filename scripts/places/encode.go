package main

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// encode writes the file that pkg/travel/places describes in decode.go.
func (w *world) encode() ([]byte, error) {
	var body bytes.Buffer
	section := func(b []byte) {
		body.Write(binary.AppendUvarint(nil, uint64(len(b))))
		body.Write(b)
	}
	lines := func(list []string) { section([]byte(strings.Join(list, "\n"))) }

	lines(w.zones)
	var countries, regions []string
	var counts, inRegion []byte
	for _, c := range w.countries {
		var zones []string
		for _, z := range c.zones {
			zones = append(zones, fmt.Sprint(slices.Index(w.zones, z)))
		}
		countries = append(countries,
			strings.Join([]string{c.code, c.name, strings.Join(zones, ","), strings.Join(c.others, "|")}, "\t"))
		counts = binary.AppendUvarint(counts, uint64(len(c.regions)))
		for _, r := range c.regions {
			regions = append(regions, r.code+"\t"+r.name)
			inRegion = binary.AppendUvarint(inRegion, uint64(len(r.cities)))
		}
	}
	lines(countries)
	section(counts)
	lines(regions)
	section(inRegion)

	byCode := map[string]*country{}
	countryIndex := map[string]int{}
	for i, c := range w.countries {
		byCode[c.code], countryIndex[c.code] = c, i
	}
	var names []string
	var importance, zones []byte
	var lats, lons []int16
	for _, c := range w.cities {
		names = append(names, c.name)
		importance = append(importance, byte(math.Round(min(c.importance, largestImport)*8)))
		zones = append(zones, byte(slices.Index(byCode[c.country].zones, c.zone)))
		lats, lons = append(lats, hundredths(c.lat)), append(lons, hundredths(c.lon))
	}
	lines(names)
	section(importance)
	section(zones)
	for _, column := range [][]int16{lats, lons} {
		low, high := split(column, true)
		section(low)
		section(high)
	}

	var others []string
	var of []byte
	last := 0
	for group := range groups {
		for _, c := range w.cities {
			for _, name := range c.others {
				if groupOf(name) == group {
					others = append(others, name)
					of = binary.AppendVarint(of, int64(c.index-last))
					last = c.index
				}
			}
		}
	}
	lines(others)
	section(of)

	return w.encodeAirports(&body, countryIndex, byCode)
}

func (w *world) encodeAirports(body *bytes.Buffer, countryIndex map[string]int, byCode map[string]*country) (
	[]byte, error,
) {
	section := func(b []byte) {
		body.Write(binary.AppendUvarint(nil, uint64(len(b))))
		body.Write(b)
	}
	var codes, flags, zones, countries, cityLow, cityMiddle []byte
	var names []string
	var lats, lons []int16
	lastCode := 0
	for _, a := range w.airports {
		code := pack(a.code)
		codes = binary.AppendUvarint(codes, uint64(code-lastCode))
		lastCode = code
		var f byte
		if a.large {
			f |= 1
		}
		if a.scheduled {
			f |= 2
		}
		flags = append(flags, f)
		if countryIndex[a.country] > 255 || byCode[a.country] == nil {
			return nil, fmt.Errorf("airport %s: country %q", a.code, a.country)
		}
		countries = append(countries, byte(countryIndex[a.country]))
		zones = append(zones, byte(slices.Index(byCode[a.country].zones, a.zone)))
		name := a.name
		city := 0
		if a.city != nil {
			city = a.city.index + 1
			name = strings.ReplaceAll(name, a.city.name, "\x01")
		} else if a.municipality != "" {
			name += "\t" + a.municipality
		}
		name = strings.ReplaceAll(name, " International", "\x02")
		names = append(names, name)
		cityLow, cityMiddle = append(cityLow, byte(city)), append(cityMiddle, byte(city>>8))
		lat, lon := hundredths(a.lat), hundredths(a.lon)
		if a.city != nil {
			lat, lon = lat-hundredths(a.city.lat), lon-hundredths(a.city.lon)
		}
		lats, lons = append(lats, lat), append(lons, lon)
	}
	section(codes)
	section([]byte(strings.Join(names, "\n")))
	section(flags)
	section(countries)
	section(zones)
	section(cityLow)
	section(cityMiddle)
	for _, column := range [][]int16{lats, lons} {
		low, high := split(column, false)
		section(low)
		section(high)
	}

	var lists []string
	last := 0
	for _, l := range w.lists {
		if l.code == "-" && len(l.airports) == 1 && w.only(l.city) == l.airports[0] {
			continue
		}
		lists = append(lists, fmt.Sprintf("%d %s %s", l.city.index-last, l.code, strings.Join(l.airports, " ")))
		last = l.city.index
	}
	section([]byte(strings.Join(lists, "\n")))
	var known []string
	for _, a := range w.airports {
		if list := w.known[a.code]; len(list) > 0 {
			known = append(known, a.code+"\t"+strings.Join(list, "|"))
		}
	}
	section([]byte(strings.Join(known, "\n")))
	var opens []string
	for _, a := range w.airports {
		if a.opens != "" {
			opens = append(opens, a.code+"\t"+a.opens)
		}
	}
	section([]byte(strings.Join(opens, "\n")))
	section([]byte(strings.Join(w.ordinary, "\n")))

	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(body.Bytes()); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(packed.Bytes())
	head := fmt.Sprintf("bellhop places 1 sha256:%x size:%d\n", sum, body.Len())
	for _, s := range sources() {
		head += fmt.Sprintf("source: %s %s\n", s.name, s.version)
	}
	head += "licence: cities GeoNames, CC BY 4.0; airports OurAirports, public domain\n\n"
	return append([]byte(head), packed.Bytes()...), nil
}

func hundredths(angle float64) int16 { return int16(math.Round(angle * 100)) }

// split returns numbers in two columns of bytes, their sign in the lowest bit. In a
// chain each is the difference from the one before, which may wrap and does so back
// when it is read.
func split(column []int16, chain bool) (low, high []byte) {
	var last int16
	for _, v := range column {
		d := v - last
		if chain {
			last = v
		}
		z := uint16(d<<1) ^ uint16(d>>15)
		low, high = append(low, byte(z)), append(high, byte(z>>8))
	}
	return low, high
}

// only returns the airport that names a city, "" when there is none or several.
func (w *world) only(c *city) string {
	code := ""
	for _, a := range w.airports {
		if a.city == c && (a.scheduled || a.large) {
			if code != "" {
				return ""
			}
			code = a.code
		}
	}
	return code
}

// pack returns a code of three letters or digits as a number.
func pack(code string) int {
	n := 0
	for i := range 3 {
		c := int(code[i])
		if c >= '0' && c <= '9' {
			n = n*36 + c - '0'
		} else {
			n = n*36 + c - 'A' + 10
		}
	}
	return n
}

// groups are the scripts that stand together, which packs better.
const groups = 64

func groupOf(name string) int {
	for _, r := range name {
		return min(int(r)>>8, groups-1)
	}
	return 0
}
