package flights

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Filter chooses offers. Zero members choose nothing out.
type Filter struct {
	MaxPrice *money.Amount // for all passengers, in the currency of the offer
	// Airlines are IATA codes or names, of who sells the offer or flies all of it.
	Airlines    []string
	Connections *int // the most in each journey
	Checked     int  // bags of each passenger
	Refundable  bool // before departure, perhaps for a penalty
	Holdable    bool // without paying
	// Times are bounds of the journeys in their order; journeys beyond them have none.
	Times []Times
}

// Times bounds a journey by local times of day, "HH:MM", inclusive; "" is no bound. A
// journey that arrives on a later day is not before a time of arrival.
type Times struct{ DepartAfter, DepartBefore, ArriveBefore string }

// Empty reports whether the filter leaves nothing out.
func (f Filter) Empty() bool {
	return f.MaxPrice == nil && len(f.Airlines) == 0 && f.Connections == nil && f.Checked == 0 &&
		!f.Refundable && !f.Holdable &&
		!slices.ContainsFunc(f.Times, func(t Times) bool { return t != Times{} })
}

// Apply returns the offers that the filter keeps, in their order.
func (f Filter) Apply(offers []Offer) []Offer {
	var kept []Offer
	for _, o := range offers {
		if f.keeps(o) {
			kept = append(kept, o)
		}
	}
	return kept
}

func (f Filter) keeps(o Offer) bool {
	switch {
	case f.MaxPrice != nil && o.Total.Amount.Cmp(*f.MaxPrice) > 0,
		f.Checked > o.Bags.Checked,
		f.Refundable && !(o.Refund.Known && o.Refund.Allowed),
		f.Holdable && !o.Holdable,
		len(f.Airlines) > 0 && !f.flies(o):
		return false
	}
	for i, l := range o.Slices {
		if f.Connections != nil && l.Stops() > *f.Connections {
			return false
		}
		if i < len(f.Times) && !f.Times[i].keeps(l) {
			return false
		}
	}
	return true
}

func (t Times) keeps(l Leg) bool {
	return (t.DepartAfter == "" || l.Departs.Clock() >= t.DepartAfter) &&
		(t.DepartBefore == "" || l.Departs.Clock() <= t.DepartBefore) &&
		(t.ArriveBefore == "" || l.Nights() <= 0 && l.Arrives.Clock() <= t.ArriveBefore)
}

// flies reports whether one of the wanted airlines sells the offer, or they fly all of it.
func (f Filter) flies(o Offer) bool {
	wanted := func(a Airline) bool {
		return slices.ContainsFunc(f.Airlines, func(name string) bool {
			name = strings.TrimSpace(name)
			return name != "" && (strings.EqualFold(name, a.Code) ||
				len(name) > 2 && strings.Contains(strings.ToLower(a.Name), strings.ToLower(name)))
		})
	}
	if wanted(o.Airline) {
		return true
	}
	for _, l := range o.Slices {
		for _, s := range l.Segments {
			if !wanted(s.Carrier) {
				return false
			}
		}
	}
	return len(o.Slices) > 0
}

// By is an order of offers.
type By string

// The orders.
const (
	ByPrice     By = "price"
	ByDuration  By = "duration"
	ByDeparture By = "departure"
	ByArrival   By = "arrival"
	ByScore     By = "best"
)

// Values returns the orders.
func (By) Values() []string {
	return []string{string(ByPrice), string(ByDuration), string(ByDeparture), string(ByArrival), string(ByScore)}
}

// Sort returns the offers in an order, "" being that of price. Offers that are equal in it
// stay in their order.
func Sort(offers []Offer, by By) []Offer {
	sorted := slices.Clone(offers)
	if len(sorted) == 0 {
		return sorted
	}
	first := func(o Offer) calendar.DateTime { return o.Slices[0].Departs }
	arrives := func(o Offer) calendar.DateTime { return o.Slices[0].Arrives }
	low := slices.MinFunc(sorted, byPrice).Total.Amount
	short := slices.MinFunc(sorted, byLength).Minutes()
	slices.SortStableFunc(sorted, func(a, b Offer) int {
		switch by {
		case ByDuration:
			return cmp.Or(byLength(a, b), byPrice(a, b))
		case ByDeparture:
			return cmp.Or(first(a).Compare(first(b)), byPrice(a, b))
		case ByArrival:
			return cmp.Or(arrives(a).Compare(arrives(b)), byPrice(a, b))
		case ByScore:
			return cmp.Compare(Score(a, low, short), Score(b, low, short))
		}
		return byPrice(a, b)
	})
	return sorted
}

func byPrice(a, b Offer) int  { return a.Total.Amount.Cmp(b.Total.Amount) }
func byLength(a, b Offer) int { return cmp.Compare(a.Minutes(), b.Minutes()) }
