package specialists

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Modes of transport.
const (
	flightMode = "flight"
	trainMode  = "train"
	busMode    = "bus"
	carMode    = "car"
	ferryMode  = "ferry"
	localMode  = "local"
)

const (
	seatsInATaxi = 4
	seatsInACar  = 5
	ridesFrom    = 2 // of local transport in a day
	ridesTo      = 4
	monthsInYear = 12
)

// journey is a way from one city of the trip to another.
type journey struct {
	from, to trip.Place
	date     calendar.Date // zero where the dates are not known
	home     bool          // it leads back to the origin
}

// route writes it as people do: "London → Paris".
func (j journey) route() string { return j.from.Name + " → " + j.to.Name }

// journeys returns those of the trip in their order, none where no journey is wanted.
func (b brief) journeys() []journey {
	c := b.trip
	var list []journey
	nights, day := Nights(c), c.Dates.Start
	for i, p := range c.Destinations {
		if i == 0 {
			if c.Origin != nil && c.WantsOrigin() {
				list = append(list, journey{from: *c.Origin, to: p, date: day})
			}
			continue
		}
		if nights != nil {
			day = day.AddDays(nights[i-1])
		}
		list = append(list, journey{from: c.Destinations[i-1], to: p, date: day})
	}
	if n := len(c.Destinations); n > 0 && c.Origin != nil && c.WantsOrigin() {
		list = append(list, journey{from: c.Destinations[n-1], to: *c.Origin, date: c.Dates.End, home: true})
	}
	return list
}

// priceWords returns a price of local transport: "$2.40 a ride".
func priceWords(l guide.Local, currency string) string {
	text := (Cost{From: l.Price.From, To: l.Price.To, Currency: cmp.Or(l.Price.Currency, currency)}).String()
	if l.Price.Free() || l.Per == "" {
		return text
	}
	return text + " a " + l.Per
}

// listedTransport returns the ground transport of the guide, between and within cities.
func (b brief) listedTransport() brought {
	var out brought
	js := b.journeys()
	both := len(js) == 2 && js[1].home // one city: there and back by the same means
	for _, j := range js {
		if both && j.home {
			continue
		}
		var ways []Recommendation
		for _, l := range guide.Between(j.from.Code, j.to.Code) {
			if rec, ok := b.link(l, j, both); ok {
				ways = append(ways, rec)
			}
		}
		out.list = append(out.list, compared(ways)...)
	}
	for _, p := range b.trip.Destinations {
		city, ok := guide.Of(p.Code)
		if b.trip.OwnCar {
			out.list = append(out.list, Recommendation{Source: Listed, City: p.Name, Name: "Own car",
				Option: "Own car", Mode: localMode, Route: "within " + p.Name,
				Cons: []string{"fuel and parking are not in the costs"}})
		}
		if !ok {
			continue
		}
		for _, l := range city.Local {
			if l.Airport == "" {
				out.list = append(out.list, b.local(l, p, city))
			}
		}
		out.risks = append(out.risks, b.season(city, p)...)
	}
	if b.trip.OwnCar {
		out.assumptions = append(out.assumptions, "The car is for getting around at the destination, not for the "+
			"journey there.")
	}
	if len(out.list) > 0 {
		out.assumptions = append(out.assumptions, listedOnly,
			"Ways between airports and centres are not in the costs.")
	}
	return out
}

// link makes a recommendation of ground transport.
func (b brief) link(l guide.Link, j journey, both bool) (Recommendation, bool) {
	if !Allows(b.trip, l.Mode) {
		return Recommendation{}, false
	}
	ways, per := 1, PerPerson
	if both {
		ways = 2
	}
	if l.Mode == carMode {
		per = PerGroup
		ways *= max(1, (len(ages(b.trip))+seatsInACar-1)/seatsInACar)
	}
	rec := Recommendation{Source: Listed, City: j.to.Name, Name: capital(l.Option), Option: capital(l.Option),
		Mode: l.Mode, Provider: l.Provider, Route: j.route(), Back: both, Minutes: l.Minutes,
		Duration: flights.Duration(l.Minutes), BookingTips: l.Note,
		Cost: listedCost(l.Price, l.Currency, per, ways)}
	if d := kilometres(j.from, j.to); d > 0 {
		rec.Distance = fmt.Sprintf("%d km", d)
	}
	if !j.home {
		rec.LocalTransport = around(j.to)
	}
	return rec, true
}

// compared says of ways of one journey which is the fastest, and which is the cheapest of
// those that each person pays.
func compared(ways []Recommendation) []Recommendation {
	if len(ways) < 2 { // nothing to compare
		return ways
	}
	fastest, cheapest := 0, -1
	for i, w := range ways {
		if w.Minutes > 0 && (ways[fastest].Minutes == 0 || w.Minutes < ways[fastest].Minutes) {
			fastest = i
		}
		if w.Cost == nil || w.Cost.Per != PerPerson {
			continue
		}
		if cheapest < 0 || w.Cost.Currency == ways[cheapest].Cost.Currency &&
			w.Cost.From.Cmp(ways[cheapest].Cost.From) < 0 {
			cheapest = i
		}
	}
	if cheapest >= 0 {
		ways[cheapest].Pros = append(ways[cheapest].Pros, "the lowest listed fare")
	}
	ways[fastest].Pros = append(ways[fastest].Pros, "the shortest listed time")
	for i, w := range ways {
		if slower := w.Minutes - ways[fastest].Minutes; slower > 0 {
			ways[i].Cons = append(ways[i].Cons, flights.Duration(slower)+" longer than the fastest")
		}
	}
	return ways
}

// around returns the listed ways to get around in a city in words, "" for none.
func around(p trip.Place) string {
	city, ok := guide.Of(p.Code)
	if !ok {
		return ""
	}
	var ways []string
	for _, l := range city.Local {
		if l.Airport == "" {
			ways = append(ways, l.Option+": "+priceWords(l, city.Currency))
		}
	}
	return cut(strings.Join(ways, "; "), maxSentence)
}

// local makes a recommendation of a way to get around.
func (b brief) local(l guide.Local, p trip.Place, city guide.City) Recommendation {
	rec := Recommendation{Source: Listed, City: p.Name, Name: l.Option, Option: l.Option, Mode: localMode,
		Route: "within " + p.Name, LocalTransport: l.Option + ": " + priceWords(l, city.Currency), BookingTips: l.Note}
	currency := cmp.Or(l.Price.Currency, city.Currency)
	people := max(1, len(ages(b.trip)))
	cars := (people + seatsInATaxi - 1) / seatsInATaxi
	daily := func(from, to, vehicles int) {
		low, ok := shared(l.Price.From, from*vehicles, people)
		high, ok2 := shared(l.Price.To, to*vehicles, people)
		if ok && ok2 {
			rec.Cost = &Cost{From: low, To: high, Currency: currency, Per: PerDay, Source: Listed}
		}
	}
	rec.Tier = trip.Mid
	switch {
	case l.Price.Free():
		rec.Tier = trip.Low
		rec.Cost = listedCost(l.Price, currency, PerDay, 1)
	case l.Per == "day" && driven.MatchString(l.Option):
		rec.Tier = trip.High
		daily(1, 1, cars)
		rec.Tips = capital(plural(cars, "car")) + " for all days on which something is seen."
	case l.Per == "day":
		rec.Cost = listedCost(l.Price, currency, PerDay, 1)
	case l.Per == "person":
		rec.Cost = listedCost(l.Price, currency, PerPerson, 1)
	case l.Per == "ride":
		daily(ridesFrom, ridesTo, people)
		rec.Tips = fmt.Sprintf("%d to %d rides a day are assumed.", ridesFrom, ridesTo)
	case l.Per == "vehicle":
		if !rickshaw.MatchString(l.Option) {
			rec.Tier = trip.High
		}
		daily(ridesFrom, ridesTo, cars)
		rec.Tips = fmt.Sprintf("%d to %d rides a day in %s are assumed.", ridesFrom, ridesTo,
			plural(cars, "vehicle"))
	}
	return rec
}

// Listed ways to get around that are shared: by the day, and those that are no taxi.
var (
	driven   = regexp.MustCompile(`(?i)\b(?:cars?|vans?) with (?:a )?drivers?\b|\bhired cars?\b`)
	rickshaw = regexp.MustCompile(`(?i)\brickshaws?\b|\btuk`)
)

// shared returns what each of some people pays of n times a price, in whole units where it
// cannot be divided.
func shared(price money.Amount, n, people int) (money.Amount, bool) {
	if n%people == 0 {
		each, err := price.Mul(money.FromInt(n / people))
		return each, err == nil
	}
	all, err := price.Mul(money.FromInt(n))
	if err != nil {
		return money.Zero, false
	}
	return all.Quo(money.FromInt(people), 0)
}

// season returns what the guide says of the months of the trip, for one specialist: rooms
// are scarce for who looks for stays, the rest is told with transport.
func (b brief) season(city guide.City, p trip.Place) []string {
	d := b.trip.Dates
	if !d.Known() {
		return nil
	}
	var list []string
	for month := range monthsInYear {
		// Each month of the trip counts, also those between the first and the last.
		m := (int(d.Start.Month)-1+month)%monthsInYear + 1
		for _, s := range city.Season {
			if slices.Contains(s.Months, m) && (s.Risk == "crowds") == (b.task.Specialist == trip.Stay) {
				list = append(list, p.Name+": "+s.Note)
			}
		}
		if m == int(d.End.Month) {
			break
		}
	}
	return once(list)
}

// capital writes the first letter large.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
