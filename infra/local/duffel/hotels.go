package duffel

import (
	"fmt"
	"math"
	"slices"
)

// hotel is an accommodation. Everything about it follows from where it was searched for.
type hotel struct {
	id       string
	name     string
	stars    int
	score    float64
	reviews  int
	lat, lon float64
	country  string
	city     string
	line     string
	postcode string
}

// hotelsNear makes up the hotels around a point, in rings of up to eight kilometres.
func hotelsNear(lat, lon float64) []*hotel {
	cell := fmt.Sprintf("%.2f %.2f", lat, lon)
	near, km := known().nearest(lat, lon)
	town := near.CityName
	if km > 90 {
		town = "Old Town"
	}
	count := 8 + int(23*draw("hotels", cell))
	list := make([]*hotel, 0, count)
	for i := range count {
		reach := 0.3 + 8*math.Pow(draw("reach", cell, i), 2)
		angle := 2 * math.Pi * draw("angle", cell, i)
		h := &hotel{
			id: identifier("acc", cell, i), stars: 2 + int(4*math.Pow(draw("stars", cell, i), 0.8)),
			country: near.Country,
			city:    town, lat: lat + reach/111.2*math.Sin(angle),
			lon: lon + reach/(111.2*math.Max(0.1, math.Cos(lat*math.Pi/180)))*math.Cos(angle),
		}
		h.lat, h.lon = math.Round(h.lat*1e5)/1e5, math.Round(h.lon*1e5)/1e5
		h.score = math.Round(10*math.Min(9.7, 5.8+0.5*float64(h.stars)+1.8*draw("score", cell, i)-0.4)) / 10
		h.reviews = 12 + int(2400*math.Pow(draw("reviews", cell, i), 2))
		h.name = hotelName(town, cell, i)
		h.line = fmt.Sprintf("%d %s", 1+int(180*draw("house", cell, i)), streets[pick(len(streets), "street",
			cell, i)])
		h.postcode = fmt.Sprintf("%05d", 10_000+int(89_999*draw("post", cell, i%5)))
		list = append(list, h)
	}
	return list
}

var streets = []string{"Linden Row", "Harbour Street", "Mill Lane", "Station Road", "Chapel Hill", "Orchard Way",
	"Market Place", "Quay Street", "Cedar Avenue", "Foundry Lane", "Abbey Walk", "Weaver Street"}

func pick(n int, words ...any) int { return int(seed(words...) % uint64(n)) }

// hotelName is invented; no two hotels around a point share one.
func hotelName(town, cell string, i int) string {
	first := []string{"Larkspur", "Juniper", "Meridian", "Saffron", "Kestrel", "Alder", "Lantern", "Marigold",
		"Tamarind",
		"Cobalt", "Willow", "Amberly", "Osprey", "Bluebell", "Hawthorn", "Magnolia", "Sable", "Thistle", "Verbena",
		"Copperfield", "Indigo Court", "Rosemary", "Silverbirch", "Northgate", "Riverside", "Parkview", "Old Mint",
		"Clocktower", "Botanic", "Seabright", "Foxglove"}
	shape := []string{"The %s", "%s House", "Hotel %s", "%s Inn", "%s Suites", "The %s Rooms", "%s Lodge"}
	// Steps of a number without a common divisor with the list visit every name once.
	name := first[(pick(len(first), "first", cell)+i*12)%len(first)]
	name = fmt.Sprintf(shape[pick(len(shape), "shape", cell, i)], name)
	if draw("town", cell, i) < 0.35 {
		name += " " + town
	}
	return name
}

// amenity is a service of a hotel, in Duffel's words.
type amenity struct {
	Type        string `json:"type"`
	Description string `json:"description"`
}

func (h *hotel) amenities() []amenity {
	all := []struct {
		amenity
		from  int // stars
		share float64
	}{
		{amenity{"wifi", "Wi-Fi"}, 1, 0.97}, {amenity{"24_hour_front_desk", "24-hour front desk"}, 3, 0.85},
		{amenity{"parking", "Parking"}, 1, 0.55}, {amenity{"restaurant", "Restaurant"}, 3, 0.75},
		{amenity{"gym", "Gym"}, 3, 0.55}, {amenity{"pool", "Swimming pool"}, 3, 0.4}, {amenity{"spa", "Spa"}, 4, 0.5},
		{amenity{"room_service", "Room service"}, 4, 0.85}, {amenity{"laundry", "Laundry"}, 2, 0.6},
		{amenity{"business_centre", "Business centre"}, 4, 0.5}, {amenity{"concierge", "Concierge"}, 4, 0.8},
		{amenity{"lounge", "Lounge"}, 3, 0.45}, {amenity{"pets_allowed", "Pets allowed"}, 1, 0.3},
		{amenity{"childcare_service", "Childcare service"}, 4, 0.2},
		{amenity{"accessibility_mobility", "Accessible for people with reduced mobility"}, 1, 0.5},
		{amenity{"accessibility_hearing", "Accessible for people with reduced hearing"}, 3, 0.25},
		{amenity{"adult_only", "Adults only"}, 4, 0.06}, {amenity{"cash_machine", "Cash machine"}, 3, 0.2},
	}
	list := []amenity{}
	for _, a := range all {
		if h.stars >= a.from && draw("amenity", h.id, a.Type) < a.share {
			list = append(list, a.amenity)
		}
	}
	return list
}

// accommodation is a hotel in Duffel's form.
type accommodation struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Rating      int            `json:"rating"`
	Ratings     []any          `json:"ratings"`
	Score       float64        `json:"review_score"`
	Reviews     int            `json:"review_count"`
	Location    map[string]any `json:"location"`
	Amenities   []amenity      `json:"amenities"`
	CheckIn     map[string]any `json:"check_in_information"`
	Keys        *string        `json:"key_collection"`
	Chain       *string        `json:"chain"`
	Brand       *string        `json:"brand"`
	Email       *string        `json:"email"`
	Phone       *string        `json:"phone_number"`
	Photos      []string       `json:"photos"`
	Rooms       []room         `json:"rooms"`
	Loyalty     *string        `json:"supported_loyalty_programme"`
}

func (h *hotel) shown(rooms []room) accommodation {
	if rooms == nil {
		rooms = []room{}
	}
	kind := []string{"simple", "comfortable", "well-kept", "elegant"}[h.stars-2]
	return accommodation{
		ID: h.id, Name: h.name, Rating: h.stars, Ratings: []any{}, Score: h.score, Reviews: h.reviews,
		Description: fmt.Sprintf("A %s place to stay in %s, in %s.", kind, h.city, h.line),
		Location: map[string]any{
			"address": map[string]any{"line_one": h.line, "city_name": h.city, "postal_code": h.postcode,
				"region":       nil,
				"country_code": h.country},
			"geographic_coordinates": map[string]any{"latitude": h.lat, "longitude": h.lon},
		},
		Amenities: h.amenities(), Photos: []string{}, Rooms: rooms,
		CheckIn: map[string]any{"check_in_after_time": fmt.Sprintf("%d:00", 14+pick(3, "in", h.id)),
			"check_out_before_time": fmt.Sprintf("%d:00", 10+pick(3, "out", h.id)),
			"check_in_before_time":  nil, "check_out_after_time": nil},
	}
}

// suits reports whether children may stay.
func (h *hotel) suits(children bool) bool {
	return !children || !slices.ContainsFunc(h.amenities(), func(a amenity) bool { return a.Type == "adult_only" })
}
