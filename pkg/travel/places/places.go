// Package places knows cities and airports: their codes, names in several scripts,
// time zones and coordinates. It reads nothing but a file that is a part of the
// program; docs/places.md says where its data come from.
package places

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Kind is what a place is.
type Kind string

// The kinds of places.
const (
	City    Kind = "city"
	Airport Kind = "airport"
)

// Place is a city, which may be a metropolitan area with several airports or an
// island, or an airport.
type Place struct {
	Kind Kind `json:"kind"`
	// Code is the IATA code: of an airport its own, of a city its metropolitan code
	// or else that of its first airport. A city without an airport has none.
	Code string `json:"code,omitempty"`
	Name string `json:"name"`
	// City is the city that an airport serves, and the name of a city.
	City    string `json:"city,omitempty"`
	Region  string `json:"region,omitempty"` // the state or province
	Country string `json:"country"`          // ISO 3166-1 alpha-2: "GB"
	Zone    string `json:"zone"`             // IANA: "Europe/London"
	// Lat and Lon are in degrees, to two decimals: within a kilometre.
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
	// Airports are those of a city, the largest first: those that are named after it, and
	// of a larger city without one those within 30 km. It is empty where the next one is
	// farther away: Nearest finds that.
	Airports []string `json:"airports,omitempty"`
	// Opens is the local date, as 2006-01-02, on which the first flights of a new
	// airport were announced. It is empty for all others.
	Opens string `json:"opens,omitempty"`
}

// Label returns the place as people write it: "London (LON), United Kingdom",
// "Springfield (SGF), Missouri, United States", "Charles de Gaulle International
// (CDG), Paris, France".
func (p Place) Label() string {
	var b strings.Builder
	b.WriteString(p.Name)
	if p.Kind == Airport && data().isCity(p.Name) {
		b.WriteString(" Airport")
	}
	if p.Code != "" {
		b.WriteString(" (" + p.Code + ")")
	}
	if p.Kind == Airport && p.City != "" && !strings.Contains(p.Name, p.City) {
		b.WriteString(", " + p.City)
	}
	if p.Region != "" && p.Region != p.Name && p.Kind == City && data().ambiguous(p.Name, p.Region, p.Country) {
		b.WriteString(", " + p.Region)
	}
	if country := CountryName(p.Country); country != "" && country != p.Name {
		b.WriteString(", " + country)
	}
	return b.String()
}

// Location returns the time zone of the place, nil when the zone of p is none that
// this program knows. All zones of the data are known.
func (p Place) Location() *time.Location {
	if p.Zone == "" {
		return nil
	}
	where, err := time.LoadLocation(p.Zone)
	if err != nil {
		return nil
	}
	return where
}

// CountryName returns the English name of a country, "" for an unknown code.
func CountryName(code string) string {
	d := data()
	if i, ok := d.countryIndex(code); ok {
		return d.countries[i].name
	}
	return ""
}

// Known reports whether a name or a code is one as it is written, in any case. What
// Lookup returns for others is a guess at their spelling, which people should be told:
// "taken for Barcelona".
func Known(name string) bool {
	if len(name) > 4*longestName {
		return false
	}
	d := data()
	var room [mostMatches]match
	var keyRoom [longestName + 8]byte
	name = strings.TrimSpace(name)
	if len(d.coded(room[:0], name)) > 0 || len(d.exact(room[:0], appendFolded(keyRoom[:0], name))) > 0 {
		return true
	}
	if at := strings.LastIndexByte(name, '('); at >= 0 && len(d.labelled(room[:0], name[:at], name[at+1:])) > 0 {
		return true
	}
	if head, _, ok := strings.Cut(name, ","); ok {
		return len(d.exact(room[:0], appendFolded(keyRoom[:0], head))) > 0
	}
	return false
}

// ByCode returns the airport with an IATA code, or the city whose metropolitan code
// it is. Where one code is both, it is the airport. Case does not matter.
func ByCode(code string) (Place, bool) {
	d := data()
	c, ok := packCode(strings.TrimSpace(code))
	if !ok {
		return Place{}, false
	}
	if i, ok := d.airportByCode(c); ok {
		return d.airport(i), true
	}
	if i, ok := d.cityByCode(c); ok {
		return d.city(i), true
	}
	return Place{}, false
}

// earthRadius is the mean radius of the Earth in km (IUGG).
const earthRadius = 6371.0088

// Distance returns the great-circle distance in km on a sphere, by the haversine
// formula (R. W. Sinnott, Virtues of the Haversine, Sky and Telescope 68, 1984). It
// is within 0.6 % of that on the ellipsoid.
func Distance(a, b Place) float64 {
	return distance(a.Lat, a.Lon, b.Lat, b.Lon)
}

func distance(lat1, lon1, lat2, lon2 float64) float64 {
	const degree = math.Pi / 180
	u := math.Sin((lat2 - lat1) * degree / 2)
	v := math.Sin((lon2 - lon1) * degree / 2)
	h := u*u + math.Cos(lat1*degree)*math.Cos(lat2*degree)*v*v
	return 2 * earthRadius * math.Asin(math.Sqrt(min(1, h)))
}

// Nearest returns the airports that are nearest to a point, at most so many of them:
// those with scheduled flights by distance, then the others by distance. A point
// that does not exist has none.
func Nearest(lat, lon float64, most int) []Place {
	if !(lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180) || most <= 0 {
		return nil
	}
	d := data()
	most = min(most, len(d.airports))
	at := vector(lat*math.Pi/180, lon*math.Pi/180)
	type near struct {
		cosine float64 // of the angle, less 2 without scheduled flights
		index  int
	}
	found := make([]near, 0, most+1)
	for i := range d.airports {
		a := &d.airports[i]
		cosine := at[0]*a.vector[0] + at[1]*a.vector[1] + at[2]*a.vector[2]
		if a.flags&scheduled == 0 {
			cosine -= 2
		}
		if len(found) == most && cosine <= found[most-1].cosine {
			continue
		}
		place := len(found)
		for place > 0 && found[place-1].cosine < cosine {
			place--
		}
		found = slices.Insert(found, place, near{cosine, i})
		found = found[:min(len(found), most)]
	}
	list := make([]Place, len(found))
	for i, n := range found {
		list[i] = d.airport(n.index)
	}
	return list
}

// vector returns the unit vector of a point; the angles are in radians.
func vector(lat, lon float64) [3]float64 {
	return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

func radians(hundredths int16) float64 { return float64(hundredths) / 100 * math.Pi / 180 }
