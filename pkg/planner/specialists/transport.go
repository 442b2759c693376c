package specialists

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
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
	leastFlights = 3   // live ones that are recommended, where there are as many that differ
	mostCompared = 200 // offers that are looked at for it
	leastFlight  = 150 // kilometres between cities of which flights are searched for
	nearbyRoad   = 100 // kilometres to the airport of a city without one
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

// refusal is what stands before a mode of transport that is not wanted: "no", "I don't
// want to take a", "without trains or".
const refusal = `(?i)\b(?:no|not|never|without|avoid(?:ing)?|don'?t|won'?t|can(?:no|')t|hates?)\b` +
	`(?:[\s,]+(?:want|wish|any|a|an|the|to|by|take|taking|go|going|use|using|like|or|more)\b)*` +
	`(?:[\s,]+\w+[\s,]+(?:or|and|nor)\b)?[\s,]+`

// Words of constraints by which a mode of transport is not wanted.
var (
	noFlights = regexp.MustCompile(refusal + `(?:flights?|fly(?:ing)?|planes?|air(?:craft|planes?| travel))\b`)
	noTrains  = regexp.MustCompile(refusal + `(?:trains?|rail(?:way)?s?)\b`)
	noBuses   = regexp.MustCompile(refusal + `(?:bus(?:es)?|coach(?:es)?)\b`)
	noCars    = regexp.MustCompile(refusal + `(?:cars?|driv(?:e|ing))\b`)
	noFerries = regexp.MustCompile(refusal + `(?:ferr(?:y|ies)|boats?|ships?)\b`)
)

// refusalOf returns the words that refuse a mode, nil for local transport.
func refusalOf(mode string) *regexp.Regexp {
	switch mode {
	case flightMode:
		return noFlights
	case trainMode:
		return noTrains
	case busMode:
		return noBuses
	case carMode:
		return noCars
	case ferryMode:
		return noFerries
	}
	return nil
}

// only are words of constraints by which one mode alone is wanted.
var only = regexp.MustCompile(`(?i)\b(?:only (?:by )?(train|bus|car|ferry)s?|(?:by )?(train|bus|car|ferry)s? only)\b`)

// allows reports whether the person's constraints leave a mode of transport open.
func (b brief) allows(mode string) bool {
	for _, text := range b.trip.Constraints {
		if r := refusalOf(mode); r != nil && r.MatchString(text) {
			return false
		}
		if m := only.FindStringSubmatch(text); m != nil && mode != localMode &&
			!strings.EqualFold(cmp.Or(m[1], m[2]), mode) {
			return false
		}
	}
	return true
}

// airport returns the code under which flights of a city are searched for, "" for none.
func airport(p trip.Place) string {
	if p.Code != "" {
		return p.Code
	}
	if p.Lat == 0 && p.Lon == 0 {
		return ""
	}
	for _, near := range places.Nearest(p.Lat, p.Lon, 1) {
		if places.Distance(near, places.Place{Lat: p.Lat, Lon: p.Lon}) <= nearbyRoad {
			return near.Code
		}
	}
	return ""
}

// kilometres returns the great-circle distance, 0 where it is not known.
func kilometres(a, b trip.Place) int {
	if a.Lat == 0 && a.Lon == 0 || b.Lat == 0 && b.Lon == 0 {
		return 0
	}
	return int(places.Distance(places.Place{Lat: a.Lat, Lon: a.Lon}, places.Place{Lat: b.Lat, Lon: b.Lon}))
}

// liveTransport returns the searches for flights: one there and back, from the last city
// where there are several, and one for each way between cities that has no ground
// transport in the guide.
func (r *Researcher) liveTransport(b brief) []source {
	if r.cfg.Flights == nil || !b.trip.Dates.Known() || !b.allows(flightMode) {
		return nil
	}
	search := func(name string, legs ...journey) []source {
		q := flights.Query{Ages: ages(b.trip), Cabin: flights.Economy}
		for _, j := range legs {
			s := flights.Slice{Origin: airport(j.from), Destination: airport(j.to), Date: j.date}
			if s.Origin == "" || s.Destination == "" || s.Origin == s.Destination {
				return nil
			}
			q.Slices = append(q.Slices, s)
		}
		if d := kilometres(legs[0].from, legs[0].to); d > 0 && d < leastFlight {
			return nil
		}
		return []source{{name, func(ctx context.Context) (brought, error) {
			return r.flights(ctx, b, q, legs)
		}}}
	}
	var list []source
	js := b.journeys()
	for i, j := range js {
		switch last := js[len(js)-1]; {
		case j.home:
		case i == 0 && last.home:
			list = append(list, search("live flight prices", j, last)...)
		case len(guide.Between(j.from.Code, j.to.Code)) == 0:
			list = append(list, search("live flight prices from "+j.from.Name+" to "+j.to.Name, j)...)
		}
	}
	return list
}

func (r *Researcher) flights(ctx context.Context, b brief, q flights.Query, legs []journey) (brought, error) {
	now := b.now
	if zone := (places.Place{Zone: legs[0].from.Zone}).Location(); zone != nil {
		now = now.In(zone)
	}
	if err := flights.Check(q, now); err != nil {
		return brought{}, err
	}
	found, err := r.cfg.Flights.Search(ctx, b.by, q)
	if err != nil {
		return brought{}, err
	}
	var out brought
	if len(found.Offers) == 0 {
		out.risks = append(out.risks, fmt.Sprintf("The supplier has no flight from %s to %s on %s.", legs[0].from.Name,
			legs[0].to.Name, legs[0].date.Show()))
		return out, nil
	}
	var chosen []flights.Offer
	why := map[int][]string{}
	var order []int
	for _, p := range flights.Picks(found.Offers) {
		if why[p.Index] == nil {
			order = append(order, p.Index)
		}
		why[p.Index] = append(why[p.Index], p.Label+": "+p.Why)
	}
	for i, o := range flights.Sort(found.Offers, flights.ByScore) {
		if len(order) >= leastFlights || i >= mostCompared {
			break
		}
		at := slices.IndexFunc(found.Offers, func(f flights.Offer) bool { return f.ID == o.ID })
		if !slices.ContainsFunc(order, func(k int) bool {
			same := found.Offers[k]
			return same.Total.Currency != o.Total.Currency || same.Slices[0].Departs == o.Slices[0].Departs ||
				same.Airline == o.Airline
		}) {
			order = append(order, at)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return found.Offers[i].Total.Amount.Cmp(found.Offers[j].Total.Amount)
	})
	for _, i := range order {
		chosen = append(chosen, found.Offers[i])
	}
	for n, o := range chosen {
		rec := b.flight(o, legs)
		rec.Tier = tierOf(n, len(chosen))
		for _, w := range why[order[n]] {
			rec.Pros = append(rec.Pros, clean(w, maxPoint))
		}
		out.list = append(out.list, rec)
	}
	out.assumptions = append(out.assumptions, "Flights are in economy class, at the supplier's prices of "+
		b.now.UTC().Format("2 Jan 2006, 15:04 UTC")+".")
	for _, n := range flights.Notes(q) {
		out.assumptions = append(out.assumptions, clean(n, maxSentence))
	}
	out.risks = append(out.risks, "Live flight prices hold for minutes, not until you book.")
	return out, nil
}

// tierOf divides n things that are ordered by price into tiers: one alone fits all.
func tierOf(i, n int) trip.Budget {
	switch {
	case n < 2:
		return ""
	case i == 0:
		return trip.Low
	case i == n-1 && n > 2:
		return trip.High
	}
	return trip.Mid
}

// flight makes a recommendation of an offer.
func (b brief) flight(o flights.Offer, legs []journey) Recommendation {
	out := o.Slices[0]
	rec := Recommendation{Source: Live, City: legs[0].to.Name, Mode: flightMode,
		Provider: clean(o.Airline.Name, maxName), Cost: liveCost(o.Total), Back: len(legs) > 1, Minutes: out.Minutes,
		Duration: flights.Duration(out.Minutes), Departs: out.Departs.String(), Arrives: out.Arrives.String(),
		LocalTransport: transfer(out.Destination)}
	rec.Option = "Flight with " + rec.Provider
	rec.Name = rec.Option
	var routes, schedule []string
	for i, l := range o.Slices {
		routes = append(routes, l.Origin+" → "+l.Destination)
		schedule = append(schedule, l.Departs.Date.Show()+": "+l.String())
		if i > 0 {
			rec.BackDeparts, rec.BackArrives = l.Departs.String(), l.Arrives.String()
		}
		if l.Departs.Hour < 6 {
			rec.Cons = append(rec.Cons, "leaves before 06:00 on "+l.Departs.Date.Show())
		}
		if n := l.Nights(); n > 0 {
			rec.Cons = append(rec.Cons, "arrives a day later")
		}
	}
	rec.Route, rec.Schedule = strings.Join(routes, "; "), strings.Join(schedule, "; ")
	if d := kilometres(legs[0].from, legs[0].to); d > 0 {
		rec.Distance = fmt.Sprintf("%d km", d)
	}
	if n := o.Stops(); n > 0 {
		rec.Cons = append(rec.Cons, plural(n, "stop"))
	}
	if o.Bags.Checked > 0 {
		rec.Pros = append(rec.Pros, "with "+o.Bags.String())
	} else {
		rec.Cons = append(rec.Cons, "no checked bag")
	}
	rec.BookingTips = clean(o.RefundWords()+". "+o.ChangeWords()+".", maxSentence)
	return rec
}

// transfer returns the listed ways from an airport to the centre in words, "" for none.
func transfer(airport string) string {
	city, ok := guide.Of(airport)
	if !ok {
		return ""
	}
	var ways []string
	for _, l := range city.Local {
		if l.Airport != airport {
			continue
		}
		way := l.Option + ": " + priceWords(l, city.Currency)
		if l.Minutes > 0 {
			way += ", " + flights.Duration(l.Minutes)
		}
		ways = append(ways, way)
	}
	return cut(strings.Join(ways, "; "), 2*maxSentence)
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
		for _, l := range guide.Between(j.from.Code, j.to.Code) {
			if rec, ok := b.link(l, j, both); ok {
				out.list = append(out.list, rec)
			}
		}
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
		out.assumptions = append(out.assumptions, "Listed prices of ground transport are typical ones, no offers.",
			"Ways between airports and centres are not in the costs.")
	}
	return out
}

// link makes a recommendation of ground transport.
func (b brief) link(l guide.Link, j journey, both bool) (Recommendation, bool) {
	if !b.allows(l.Mode) {
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
		Mode: l.Mode, Provider: l.Provider, Route: j.from.Name + " → " + j.to.Name, Back: both, Minutes: l.Minutes,
		Duration: flights.Duration(l.Minutes), BookingTips: l.Note,
		Cost: listedCost(l.Price, l.Currency, per, ways)}
	if both {
		rec.Route += " → " + j.from.Name
	}
	if d := kilometres(j.from, j.to); d > 0 {
		rec.Distance = fmt.Sprintf("%d km", d)
	}
	return rec, true
}

// local makes a recommendation of a way to get around.
func (b brief) local(l guide.Local, p trip.Place, city guide.City) Recommendation {
	rec := Recommendation{Source: Listed, City: p.Name, Name: l.Option, Option: l.Option, Mode: localMode,
		Route: "within " + p.Name, LocalTransport: l.Option + ": " + priceWords(l, city.Currency), BookingTips: l.Note}
	currency := cmp.Or(l.Price.Currency, city.Currency)
	switch l.Per {
	case "day":
		rec.Cost = listedCost(l.Price, currency, PerDay, 1)
	case "person":
		rec.Cost = listedCost(l.Price, currency, PerDay, 1)
	case "ride":
		from, err := l.Price.From.Mul(money.FromInt(ridesFrom))
		to, err2 := l.Price.To.Mul(money.FromInt(ridesTo))
		if err == nil && err2 == nil {
			rec.Cost = &Cost{From: from, To: to, Currency: currency, Per: PerDay, Source: Listed}
			rec.Tips = fmt.Sprintf("%d to %d rides a day are assumed.", ridesFrom, ridesTo)
		}
	default: // of a vehicle: how often it is taken is not known
		rec.EstimatedCost = priceWords(l, city.Currency)
		rec.Tier = trip.High
	}
	return rec
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
