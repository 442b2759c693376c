package duffel

import (
	"slices"
	"time"
)

// offer is what one airline sells for all slices of a request.
type offer struct {
	id        string
	request   *offerRequest
	owner     *carrier
	journeys  []journey
	brand     brand
	currency  string
	base      amount // of all passengers, without taxes
	tax       amount
	raised    amount // since the search
	instant   bool   // it cannot be held
	documents bool   // passengers' identity documents are required
	gone      bool
	expires   time.Time
}

func (o *offer) total() amount { return o.base + o.tax + o.raised }

func (o *offer) minutes() int {
	sum := 0
	for _, j := range o.journeys {
		sum += j.minutes()
	}
	return sum
}

// connections is the most in any slice.
func (o *offer) connections() int {
	most := 0
	for _, j := range o.journeys {
		most = max(most, len(j)-1)
	}
	return most
}

// find makes up what is sold for a request. It depends on nothing but the request and the
// day on which it is made.
func (q *offerRequest) find() []*offer {
	if q.route() == "PVD-RAI" {
		return nil
	}
	lists := make([][]journey, len(q.slices))
	for i, w := range q.slices {
		if w.date.Sub(q.made) > lastSold*24*time.Hour {
			return nil
		}
		lists[i] = w.journeys(q.connections, q.made)
	}
	most := 229
	if r := q.route(); len(q.slices) > 1 || r != "LHR-JFK" && r != "LON-NYC" {
		most = 40 + int(81*draw("offers", r, q.cabin, q.slices[0].date.Format(time.DateOnly)))
	}
	whole := combine(lists)
	first(whole, 6)
	// The cheapest fare of every journey comes before dearer ones.
	var offers []*offer
	for level := range 4 {
		for _, journeys := range whole {
			brands := brandsOf(journeys[0].owner(), q.cabin)
			if level < len(brands) && len(offers) < most {
				offers = append(offers, q.price(journeys, brands[level]))
			}
		}
	}
	return offers
}

// first moves a few journeys of Duffel Airways to the front, and its others to the end, so
// that it is always among the airlines and does not hide them.
func first(whole [][]journey, few int) {
	slices.SortStableFunc(whole, func(x, y []journey) int {
		rank := func(j []journey) int {
			if j[0].owner().kind == 'z' {
				return 2
			}
			return 1
		}
		return rank(x) - rank(y)
	})
	start := slices.IndexFunc(whole, func(j []journey) bool { return j[0].owner().kind == 'z' })
	if start < 0 {
		return
	}
	moved := slices.Clone(whole[start:min(len(whole), start+few)])
	copy(whole[len(moved):], slices.Clone(whole[:start]))
	copy(whole, moved)
}

// journeys are those that answer a slice, from every airport of its origin to every one of
// its destination.
func (w wantedSlice) journeys(connections int, now time.Time) []journey {
	var list []journey
	for _, a := range w.origin.airports {
		for _, b := range w.destination.airports {
			for _, j := range journeys(a, b, w.date, connections) {
				if w.departs.within(j[0].departs) && w.arrives.within(j[len(j)-1].arrives) &&
					j[0].departs.After(now.Add(2*time.Hour)) {
					list = append(list, j)
				}
			}
		}
	}
	return list
}

// combine puts journeys of one airline together, one for each slice.
func combine(lists [][]journey) [][]journey {
	var whole [][]journey
	if len(lists) == 1 {
		for _, j := range lists[0] {
			whole = append(whole, []journey{j})
		}
		return whole
	}
	by := make([]map[*carrier][]journey, len(lists))
	for i, list := range lists {
		by[i] = map[*carrier][]journey{}
		for _, j := range list {
			by[i][j.owner()] = append(by[i][j.owner()], j)
		}
	}
	for k, first := range lists[0] {
		for turn := range 3 {
			chosen := []journey{first}
			for i := 1; i < len(lists); i++ {
				rest := by[i][first.owner()]
				if len(rest) == 0 || turn >= len(rest) {
					break
				}
				next, last := rest[(k+turn)%len(rest)], chosen[len(chosen)-1]
				if next[0].departs.Before(last[len(last)-1].arrives.Add(time.Hour)) {
					break
				}
				chosen = append(chosen, next)
			}
			if len(chosen) == len(lists) {
				whole = append(whole, chosen)
			}
		}
	}
	return whole
}

// price makes an offer of journeys at a fare.
func (q *offerRequest) price(journeys []journey, b brand) *offer {
	first := journeys[0][0]
	o := &offer{request: q, owner: first.carrier, journeys: journeys, brand: b,
		currency: currencyOf(first.from.Country), expires: q.made.Add(expiry)}
	fare, tax := 0.0, 0.0
	for _, j := range journeys {
		fare += j.euros(b, q.cabin, q.made)
		tax += j.taxes(q.cabin)
	}
	for _, p := range q.passengers {
		ofFare, ofTax := shareOf(p.Type)
		o.base += inCurrency(fare*ofFare, o.currency)
		o.tax += inCurrency(tax*ofTax, o.currency)
	}
	abroad := first.from.Country != q.slices[0].destination.airports[0].Country
	soon := first.departs.Sub(q.made) < 4*24*time.Hour
	switch {
	case o.owner.kind == 'z', q.route() == "JFK-EWR":
		o.instant = false
	case o.owner.kind == 'l', soon:
		o.instant = true
	default:
		o.instant = draw("hold", o.owner.code, first.number) < 0.35
	}
	o.documents = o.owner.kind == 'f' && abroad && first.km > 2500 && draw("documents", o.owner.code, q.route()) < 0.2
	return o
}
