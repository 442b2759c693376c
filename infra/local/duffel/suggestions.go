package duffel

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// suggestion is an airport or a city that a word may mean, in Duffel's form.
type suggestion struct {
	Type      string     `json:"type"`
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	IATA      string     `json:"iata_code"`
	CityCode  *string    `json:"iata_city_code"`
	Country   string     `json:"iata_country_code"`
	ICAO      *string    `json:"icao_code"`
	Latitude  *float64   `json:"latitude"`
	Longitude *float64   `json:"longitude"`
	Zone      *string    `json:"time_zone"`
	CityName  *string    `json:"city_name"`
	Nation    *string    `json:"country_name"`
	City      *city      `json:"city"`
	Airports  []*airport `json:"airports"`
}

// suggestPlaces finds cities and airports by a word, or airports near a point.
func (s *Server) suggestPlaces(r *request) (answer, *problem) {
	q := r.URL.Query()
	word := strings.ToLower(strings.TrimSpace(q.Get("query")))
	list := []suggestion{}
	if word == "" {
		lat, err1 := strconv.ParseFloat(q.Get("lat"), 64)
		lon, err2 := strconv.ParseFloat(q.Get("lng"), 64)
		if err1 != nil || err2 != nil {
			return bad(required("/query"))
		}
		metres, err := strconv.ParseFloat(cmp.Or(q.Get("rad"), "100000"), 64)
		if err != nil {
			return bad(invalid("validation_format", "/rad", "Field 'rad' must be a number of metres"))
		}
		near := slices.Clone(known().all)
		far := func(a *airport) float64 { return kilometres(lat, lon, a.Latitude, a.Longitude) }
		near = slices.DeleteFunc(near, func(a *airport) bool { return far(a) > metres/1000 })
		slices.SortFunc(near, func(a, b *airport) int { return cmp.Compare(far(a), far(b)) })
		for _, a := range near {
			list = append(list, a.suggestion())
		}
		return ok(list[:min(20, len(list))])
	}
	for _, code := range slices.Sorted(func(yield func(string) bool) {
		for code := range known().cities {
			if !yield(code) {
				return
			}
		}
	}) {
		airports := known().cities[code]
		c := endpoint{code: code, airports: airports, isCity: true}.city()
		if strings.ToLower(code) == word || strings.HasPrefix(strings.ToLower(c.Name), word) {
			list = append(list, suggestion{Type: "city", ID: c.ID, Name: c.Name, IATA: code, CityCode: &code,
				Country: c.Country, Airports: airports})
		}
	}
	for _, a := range known().all {
		if strings.ToLower(a.IATA) == word || strings.HasPrefix(strings.ToLower(a.CityName), word) ||
			strings.Contains(strings.ToLower(a.Name), word) {
			list = append(list, a.suggestion())
		}
	}
	return ok(list[:min(20, len(list))])
}

func (a *airport) suggestion() suggestion {
	return suggestion{Type: "airport", ID: a.ID, Name: a.Name, IATA: a.IATA, CityCode: &a.CityCode,
		Country: a.Country,
		ICAO:    a.ICAO, Latitude: &a.Latitude, Longitude: &a.Longitude, Zone: &a.Zone, CityName: &a.CityName,
		City:     a.City,
		Airports: []*airport{}}
}
