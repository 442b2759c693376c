package specialists

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

const (
	leastFlights = 3   // that are recommended, where there are as many that differ
	mostCompared = 200 // offers that are looked at for it
	leastFlight  = 150 // kilometres between cities of which flights are searched for
	nearbyRoad   = 100 // kilometres to the airport of a city without one
)

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
	if r.cfg.Flights == nil || !b.trip.Dates.Known() || !Allows(b.trip, flightMode) {
		return nil
	}
	search := func(name string, legs ...journey) []source {
		q := flights.Query{Ages: ages(b.trip), Cabin: cabin(b.trip)}
		if wants(b.trip, nonStop) {
			q.Connections = new(int)
		}
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
	divided := parts(q.Ages)
	for _, ages := range divided {
		part := q
		part.Ages = ages
		if err := flights.Check(part, now); err != nil {
			return brought{}, err
		}
	}
	found, err := searchParts(ctx, b.by, r.cfg.Flights, q)
	if err != nil {
		return brought{}, err
	}
	var out brought
	if n := len(divided); n > 1 {
		out.assumptions = append(out.assumptions, fmt.Sprintf("The group flies in %d bookings of at most %d "+
			"travellers; prices are the sum.", n, flights.MaxPassengers))
		out.risks = append(out.risks, "There may not be seats at these prices for all bookings of the group.")
	}
	if len(found.Offers) == 0 {
		out.risks = append(out.risks, fmt.Sprintf("The supplier has no flight from %s to %s on %s.", legs[0].from.Name,
			legs[0].to.Name, legs[0].date.Show()))
		return out, nil
	}
	for _, wish := range []struct {
		words *regexp.Regexp
		keeps func(flights.Offer) bool
		none  string
	}{
		{noNights, byDay, "No flight that was found avoids the night."},
		{noMornings, afterMorning, "No flight that was found leaves after nine."},
		{checkedBag, func(o flights.Offer) bool { return o.Bags.Checked > 0 },
			"No flight that was found includes a checked bag."},
	} {
		if !wants(b.trip, wish.words) {
			continue
		}
		if kept := keep(found.Offers, wish.keeps); len(kept) > 0 {
			found.Offers = kept
		} else {
			out.risks = append(out.risks, wish.none)
		}
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
	out.assumptions = append(out.assumptions, "Flights are in "+
		strings.ReplaceAll(string(q.Cabin), "_", " ")+" class, at the supplier's prices of "+
		b.now.UTC().Format("2 Jan 2006, 15:04 UTC")+".")
	for _, n := range flights.Notes(q) {
		out.assumptions = append(out.assumptions, clean(n, maxSentence))
	}
	out.risks = append(out.risks, "Live flight prices hold for minutes, not until you book.")
	return out, nil
}

func keep(offers []flights.Offer, fits func(flights.Offer) bool) []flights.Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(o flights.Offer) bool { return !fits(o) })
}

// byDay reports whether all journeys begin and end on one day, between 06:00 and 23:00.
func byDay(o flights.Offer) bool {
	return !slices.ContainsFunc(o.Slices, func(l flights.Leg) bool {
		return l.Nights() != 0 || l.Departs.Hour < 6 || l.Arrives.Hour >= 23
	})
}

// afterMorning reports whether no journey begins before 09:00.
func afterMorning(o flights.Offer) bool {
	return !slices.ContainsFunc(o.Slices, func(l flights.Leg) bool { return l.Departs.Hour < 9 })
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
	rec.Route, rec.Numbers = legs[0].route(), numbersOf(out)
	var schedule []string
	for i, l := range o.Slices {
		schedule = append(schedule, l.Departs.Date.Show()+": "+l.String())
		if i > 0 {
			rec.BackDeparts, rec.BackArrives = l.Departs.String(), l.Arrives.String()
			rec.BackNumbers = numbersOf(l)
		}
		way := []string{"the way there", "the way back"}[min(i, 1)]
		if l.Departs.Hour < 6 {
			rec.Cons = append(rec.Cons, way+" begins before 06:00")
		}
		if n := l.Nights(); n > 0 {
			rec.Cons = append(rec.Cons, way+" arrives a day later")
		}
	}
	rec.Schedule = strings.Join(schedule, "; ")
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

// numbersOf returns those of the flights of a leg, as items of an itinerary have them.
func numbersOf(l flights.Leg) string {
	var list []string
	for _, s := range l.Segments {
		list = append(list, s.Number)
	}
	return itinerary.Numbers(list)
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
