package specialists

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

const (
	hotelsPerTier = 2 // live ones of a city, where there are at most manyCities
	manyCities    = 2
	fineStars     = 4 // of hotels of the high tier, where there are some
)

// liveStays returns one search for hotels for each city in which there is a night.
func (r *Researcher) liveStays(b brief) []source {
	c := b.trip
	if r.cfg.Stays == nil || !c.Dates.Known() || c.Travellers == nil {
		return nil
	}
	var list []source
	day := c.Dates.Start
	for i, nights := range Nights(c) {
		p, from := c.Destinations[i], day
		day = day.AddDays(nights)
		if nights == 0 || p.Lat == 0 && p.Lon == 0 {
			continue
		}
		q := stays.Query{Place: p.Name, Lat: p.Lat, Lon: p.Lon, Radius: stays.Radius, CheckIn: from, CheckOut: day,
			Rooms: Rooms(*c.Travellers), Ages: ages(c)}
		list = append(list, source{"live prices of hotels in " + p.Name, func(ctx context.Context) (brought, error) {
			return r.hotels(ctx, b, q, p)
		}})
	}
	return list
}

func (r *Researcher) hotels(ctx context.Context, b brief, q stays.Query, p trip.Place) (brought, error) {
	now := b.now
	if zone := (places.Place{Zone: p.Zone}).Location(); zone != nil {
		now = now.In(zone)
	}
	if err := stays.Check(q, now); err != nil {
		return brought{}, err
	}
	found, err := r.cfg.Stays.Search(ctx, b.by, q)
	if err != nil {
		return brought{}, err
	}
	var out brought
	if len(found.Hotels) == 0 {
		out.risks = append(out.risks, fmt.Sprintf("The supplier has no free hotel in %s from %s to %s.", p.Name,
			q.CheckIn.Show(), q.CheckOut.Show()))
		return out, nil
	}
	for tier, hotels := range b.tiers(found.Hotels) {
		for _, h := range hotels {
			rec := hotel(h, q, p)
			rec.Tier = trip.Budget(trip.Budget("").Values()[tier])
			out.list = append(out.list, rec)
		}
	}
	out.assumptions = append(out.assumptions, fmt.Sprintf("Hotels in %s are priced from %s to %s, %s and %s.", p.Name,
		q.CheckIn.Show(), q.CheckOut.Show(), plural(q.Nights(), "night"), plural(q.Rooms, "room")))
	return out, nil
}

// tiers divides hotels by price into three, and chooses of each those that fit the wanted
// style, then those with stars of their tier, then the best reviewed.
func (b brief) tiers(hotels []stays.Hotel) [3][]stays.Hotel {
	sorted := slices.Clone(hotels)
	slices.SortStableFunc(sorted, func(x, y stays.Hotel) int { return x.Total.Amount.Cmp(y.Total.Amount) })
	// Prices in two currencies are not compared: the most frequent one stays.
	count := map[string]int{}
	var usual string
	for _, h := range sorted {
		if count[h.Total.Currency]++; count[h.Total.Currency] > count[usual] {
			usual = h.Total.Currency
		}
	}
	sorted = slices.DeleteFunc(sorted, func(h stays.Hotel) bool { return h.Total.Currency != usual })
	var tiers [3][]stays.Hotel
	most := hotelsPerTier
	if len(b.trip.Destinations) > manyCities {
		most = 1
	}
	n := len(sorted)
	if n < len(tiers) { // too few to divide
		tiers[1] = sorted
		return tiers
	}
	style := strings.ToLower(b.trip.Preferences.HotelStyle)
	for i := range tiers {
		third := slices.Clone(sorted[i*n/len(tiers) : (i+1)*n/len(tiers)])
		rank := func(h stays.Hotel) int {
			score := 0
			if style != "" && strings.Contains(strings.ToLower(h.Name), style) {
				score += 2
			}
			if (h.Stars >= fineStars) == (i == len(tiers)-1) {
				score++
			}
			return score
		}
		slices.SortStableFunc(third, func(x, y stays.Hotel) int {
			return cmp.Or(cmp.Compare(rank(y), rank(x)), review(y).Cmp(review(x)))
		})
		tiers[i] = third[:min(len(third), most)]
	}
	return tiers
}

// review returns the guests' review, zero where there is none.
func review(h stays.Hotel) money.Amount {
	a, err := money.Parse(h.Review)
	if err != nil {
		return money.Zero
	}
	return a
}

// hotel makes a recommendation of a live hotel. Its cost is that of all nights and rooms.
func hotel(h stays.Hotel, q stays.Query, p trip.Place) Recommendation {
	rec := Recommendation{Source: Live, City: p.Name, Name: clean(h.Name, maxName), Type: "Hotel", Location: p.Name,
		Address: clean(h.Address, maxPoint), Lat: h.Lat, Lon: h.Lon,
		Cost:        liveCost(h.Total),
		RoomType:    fmt.Sprintf("%s, %s", plural(q.Rooms, "room"), plural(q.Nights(), "night")),
		BookingTips: "The price is that of the cheapest room for all nights."}
	if h.Stars > 0 {
		rec.Type = fmt.Sprintf("%d-star hotel", h.Stars)
	}
	if !review(h).IsZero() {
		rec.Pros = append(rec.Pros, "guests give it "+review(h).String()+" out of 10")
	}
	for _, a := range h.Amenities {
		rec.Amenities = append(rec.Amenities, clean(strings.ReplaceAll(string(a), "_", " "), maxPoint))
	}
	if city, ok := guide.Of(p.Code); ok && (h.Lat != 0 || h.Lon != 0) {
		area, minutes := nearest(city, h.Lat, h.Lon)
		if area.Name != "" {
			rec.Neighborhood = "near " + area.Name
			rec.Walkability = fmt.Sprintf("about %d min on foot to %s", minutes, area.Name)
		}
	}
	return rec
}

// nearest returns the area of a city that is nearest to a point, and how far it is on
// foot; none beyond an hour.
func nearest(city guide.City, lat, lon float64) (guide.Area, int) {
	const most = 60
	var best guide.Area
	least := most + 1
	for _, a := range city.Areas {
		if _, minutes := guide.Walk(a.Lat, a.Lon, lat, lon); minutes < least {
			best, least = a, minutes
		}
	}
	return best, least
}

// Words of constraints and of stays that go together.
var (
	stepFree  = regexp.MustCompile(`(?i)\bstep[- ]?free|\bwheel ?chair|\bno (?:stairs|steps)\b|\bbarrier[- ]free`)
	steps     = regexp.MustCompile(`(?i)\bstairs\b|\bsteep\b|\b(?:few|no) lifts?\b|\bupstairs\b`)
	animals   = regexp.MustCompile(`(?i)\b(?:dogs?|cats?|pets?)\b`)
	noHostels = regexp.MustCompile(refusal + `(?:hostels?|dorm\w*|shared (?:rooms?|bathrooms?))\b`)
	hostels   = regexp.MustCompile(`(?i)\bhostels?\b|\bdormitor|\bshared bathroom`)
)

// refuses reports whether a text about a stay says what the person cannot have.
func (b brief) refuses(text string) bool {
	return slices.ContainsFunc(b.trip.Constraints, func(c string) bool {
		return stepFree.MatchString(c) && steps.MatchString(text) ||
			noHostels.MatchString(c) && hostels.MatchString(text)
	})
}

// listedStays returns the places to stay of the guide.
func (b brief) listedStays() brought {
	var out brought
	nights := Nights(b.trip)
	rooms := 1
	alone := false
	if t := b.trip.Travellers; t != nil {
		rooms, alone = Rooms(*t), t.Count() == 1
	}
	for i, p := range b.trip.Destinations {
		city, ok := guide.Of(p.Code)
		if !ok || i < len(nights) && nights[i] == 0 {
			continue
		}
		ask := slices.ContainsFunc(b.trip.Constraints, stepFree.MatchString)
		for _, s := range city.Stays {
			if b.refuses(strings.Join(append([]string{s.Type, s.RoomType}, s.Cons...), "; ")) {
				continue
			}
			cost := listedCost(s.Price, city.Currency, PerNight, rooms)
			room := s.RoomType
			if alone && s.Bed != nil {
				cost = listedCost(*s.Bed, city.Currency, PerNight, 1)
				room = "Bed in a dormitory"
			}
			rec := Recommendation{Source: Listed, Tier: trip.Budget(s.Tier), City: p.Name, Name: s.Name,
				Type: capital(s.Type), Cost: cost, Location: s.Area + ", " + p.Name, Address: s.Address,
				Neighborhood: s.Area, RoomType: room,
				Amenities: s.Amenities, BookingPlatforms: s.BookingPlatforms, BookingTips: s.BookingTips, Pros: s.Pros,
				Cons: s.Cons, BestFor: s.BestFor, Lat: s.Lat, Lon: s.Lon}
			if ask {
				rec.Cons = append(slices.Clone(rec.Cons), "not known whether it is step-free: ask first")
			}
			if wants(b.trip, animals) {
				rec.Cons = append(slices.Clone(rec.Cons), "not known whether animals are welcome: ask first")
			}
			for _, a := range city.Areas {
				if a.Name == s.Area {
					rec.Walkability = capital(a.Walkability) + ": " + a.Character
				}
			}
			out.list = append(out.list, rec)
		}
		out.risks = append(out.risks, b.season(city, p)...)
	}
	if len(out.list) > 0 {
		out.assumptions = append(out.assumptions, listedOnly, "City taxes are not in the prices of stays.",
			b.sharing())
	}
	return out
}

// sharing says who shares rooms.
func (b brief) sharing() string {
	t := b.trip.Travellers
	if t == nil {
		return ""
	}
	return fmt.Sprintf("%s for %s.", capital(plural(Rooms(*t), "room")), plural(t.Count(), "traveller"))
}
