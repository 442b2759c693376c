package duffel

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"
)

// flight is one flight of a timetable.
type flight struct {
	carrier  *carrier // whose number it bears
	operator *carrier
	number   string // without the airline's code
	from, to *airport
	departs  time.Time // in the zone of from
	arrives  time.Time // in the zone of to
	stop     *airport  // where it lands in between, nil for nowhere
	km       float64
}

func (f flight) minutes() int { return int(f.arrives.Sub(f.departs).Minutes()) }

// journey answers one slice: its flights, one after another.
type journey []flight

func (j journey) minutes() int {
	return int(j[len(j)-1].arrives.Sub(j[0].departs).Minutes())
}

func (j journey) owner() *carrier { return j[0].carrier }

func (j journey) km() float64 {
	sum := 0.0
	for _, f := range j {
		sum += f.km
	}
	return sum
}

// block is how long a flight takes, in minutes: taxiing, and the distance at a speed that
// is less against the wind from the west.
func block(a, b *airport, km float64) int {
	east := b.Longitude - a.Longitude
	if east > 180 {
		east -= 360
	} else if east < -180 {
		east += 360
	}
	wind := 1.0
	if math.Abs(a.Latitude+b.Latitude) > 40 {
		wind = 1 - 0.06*max(-1, min(1, east/50))
	}
	speed := 13.6 // kilometres a minute
	if km < 1500 {
		speed = 12.2
	}
	return 5 * int(math.Round((38+km/speed*wind)/5))
}

// flightsOf are the flights of an airline between two airports on a local date, by time.
func (c *carrier) flightsOf(a, b *airport, date time.Time) []flight {
	km := a.to(b)
	daily := 1 + int(3*draw("daily", c.code, a.IATA, b.IATA))
	switch {
	case c.kind == 'z':
		daily = 4
	case km < 2500 || a.busy() && b.busy() && km < 7000:
		daily += 2
	}
	var list []flight
	minutes := block(a, b, km)
	for i := range daily {
		// The hours from 6 to 22 are shared out among the flights of the day.
		span := 960.0 / float64(daily)
		at := 360 + int(span*(float64(i)+draw("departs", c.code, a.IATA, b.IATA, i)))/5*5
		departs := time.Date(date.Year(), date.Month(), date.Day(), at/60, at%60, 0, 0, a.location)
		if draw("runs", c.code, a.IATA, b.IATA, i, int(date.Weekday())) < 0.12 && daily > 1 {
			continue // not on this day of the week
		}
		f := flight{carrier: c, operator: c, from: a, to: b, departs: departs, km: km,
			number: strconv.Itoa(flightNumber(c, a, b) + 2*i)}
		if a.IATA == "DXB" && b.IATA == "AMS" && c.kind == 'z' {
			f.stop = known().airports["VIE"]
			minutes = block(a, b, km) + 75
		}
		f.arrives = departs.Add(time.Duration(minutes) * time.Minute).In(b.location)
		list = append(list, f)
	}
	return list
}

// flightNumber is the first of an airline's numbers for a route; odd ones lead west or
// south.
func flightNumber(c *carrier, a, b *airport) int {
	first, second := a.IATA, b.IATA
	odd := 1
	if first > second {
		first, second, odd = second, first, 0
	}
	return 100 + 20*int(seed("number", c.code, first, second)%90) + odd
}

// shared is the number under which a partner sells a flight.
func shared(number string) string {
	n, _ := strconv.Atoi(number) // flightsOf wrote it
	return strconv.Itoa(6000 + n)
}

// Times allowed between two flights.
const (
	leastBetween = 55 * time.Minute
	mostBetween  = 7 * time.Hour
)

// journeys are those between two airports on a date with at most so many connections, the
// direct and the short first.
func journeys(a, b *airport, date time.Time, connections int) []journey {
	km := a.to(b)
	var list []journey
	direct := a.IATA + b.IATA
	for _, c := range carriers() {
		if c.kind == 'z' && direct == "LHRDXB" || !c.flies(a, b, km) {
			continue
		}
		for _, f := range c.flightsOf(a, b, date) {
			list = append(list, journey{f})
			if partner := c.partner(f); partner != nil {
				f.carrier, f.number = partner, shared(f.number)
				list = append(list, journey{f})
			}
		}
	}
	if connections > 0 && km > 400 {
		for _, c := range carriers() {
			list = append(list, c.through(a, b, date, km)...)
		}
	}
	slices.SortStableFunc(list, func(x, y journey) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x.minutes(), y.minutes()))
	})
	return list
}

// through are an airline's journeys with one connection where it is at home.
func (c *carrier) through(a, b *airport, date time.Time, km float64) []journey {
	if c.kind == 'l' {
		return nil
	}
	detour := 1.32
	if km < 3000 {
		detour = 1.75
	}
	var list []journey
	for _, hub := range c.hubs {
		first, second := a.to(hub), hub.to(b)
		if a.Country == b.Country && hub.Country != a.Country {
			continue // within a country by way of another
		}
		if hub == a || hub == b || first+second > km*detour || min(first, second) < 150 ||
			!c.flies(a, hub, first) || !c.flies(hub, b, second) {
			continue
		}
		onward := append(c.flightsOf(hub, b, date), c.flightsOf(hub, b, date.AddDate(0, 0, 1))...)
		for _, f := range c.flightsOf(a, hub, date) {
			for _, g := range onward {
				if wait := g.departs.Sub(f.arrives); wait >= leastBetween && wait <= mostBetween {
					list = append(list, journey{f, g})
					break // the next one is the one to take
				}
			}
		}
	}
	return list
}

// partner is who sells seats on a flight of another under a number of its own.
func (c *carrier) partner(f flight) *carrier {
	partners := map[string]string{"BA": "AA", "AA": "BA", "VS": "DL", "DL": "VS", "LH": "UA", "UA": "LH", "AF": "DL",
		"QR": "BA", "IB": "BA", "JL": "AA", "NH": "UA", "SQ": "LH"}
	code := partners[c.code]
	if code == "" || f.km < 4000 {
		return nil
	}
	for _, other := range carriers() {
		if other.code == code {
			return other
		}
	}
	return nil
}

// within reports whether a local time of day lies in a window "06:00" to "12:00".
func (w *window) within(t time.Time) bool {
	if w == nil {
		return true
	}
	clock := t.Format("15:04")
	return clock >= w.From && clock <= w.To
}
