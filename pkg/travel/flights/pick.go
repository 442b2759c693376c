package flights

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Pick is an offer that is pointed out.
type Pick struct {
	Label string // Cheapest, Fastest, Best
	Index int    // in the offers
	Why   string // what sets it apart: "2 h 5 min shorter than the cheapest"
}

// Labels of picks.
const (
	Cheapest = "Cheapest"
	Fastest  = "Fastest"
	Best     = "Best"
)

// Weights of Score, in hundredths of a per cent of the cheapest price.
const (
	perHour    = 400 // for each hour beyond the shortest offer
	perStop    = 600 // for each stop
	atNight    = 500 // for each departure before 06:00 or arrival from 00:00 to 05:59
	forBags    = -500
	forRefunds = -200
)

// Picks points out the cheapest, the fastest and the best of offers; one offer may be
// several. It returns nil without offers. Offers in other currencies than the most frequent
// one are left out, since nothing is converted.
func Picks(offers []Offer) []Pick {
	same := sameCurrency(offers)
	if len(same) == 0 {
		return nil
	}
	best := func(better func(a, b Offer) int) int {
		return slices.MinFunc(same, func(i, j int) int { return better(offers[i], offers[j]) })
	}
	price := func(a, b Offer) int { return a.Total.Amount.Cmp(b.Total.Amount) }
	length := func(a, b Offer) int { return cmp.Compare(a.Minutes(), b.Minutes()) }
	stops := func(a, b Offer) int { return cmp.Compare(a.Stops(), b.Stops()) }
	cheapest := best(func(a, b Offer) int { return cmp.Or(price(a, b), length(a, b), stops(a, b)) })
	fastest := best(func(a, b Offer) int { return cmp.Or(length(a, b), price(a, b), stops(a, b)) })
	low, short := offers[cheapest].Total.Amount, offers[fastest].Minutes()
	top := best(func(a, b Offer) int {
		return cmp.Or(cmp.Compare(Score(a, low, short), Score(b, low, short)), price(a, b))
	})
	return []Pick{
		{Cheapest, cheapest, whyCheapest(offers, cheapest, fastest)},
		{Fastest, fastest, whyFastest(offers, cheapest, fastest)},
		{Best, top, whyBest(offers, cheapest, fastest, top)},
	}
}

// sameCurrency returns the indices of the offers in the most frequent currency.
func sameCurrency(offers []Offer) []int {
	count := map[string]int{}
	var currency string
	for _, o := range offers {
		count[o.Total.Currency]++
		if count[o.Total.Currency] > count[currency] {
			currency = o.Total.Currency
		}
	}
	var list []int
	for i, o := range offers {
		if o.Total.Currency == currency {
			list = append(list, i)
		}
	}
	return list
}

// Score rates an offer; the least is the best. It is the price in hundredths of a per
// cent of the cheapest one, and to it come 4 % for each hour that it takes longer than the
// shortest, 6 % for each stop, and 5 % for each departure before 06:00 and each arrival
// between midnight and 06:00; 5 % are taken off when a checked bag is included, and 2 %
// when it is refundable.
func Score(o Offer, cheapest money.Amount, shortest int) int {
	score := ratio(o.Total.Amount, cheapest)
	score += (o.Minutes() - shortest) * perHour / 60
	score += o.Stops() * perStop
	for _, l := range o.Slices {
		if l.Departs.Hour < 6 {
			score += atNight
		}
		if l.Arrives.Hour < 6 {
			score += atNight
		}
	}
	if o.Bags.Checked > 0 {
		score += forBags
	}
	if o.Refund.Known && o.Refund.Allowed {
		score += forRefunds
	}
	return score
}

// ratio returns a/b in hundredths of a per cent, 10000 where there is none.
func ratio(a, b money.Amount) int {
	const one = 10_000
	scaled, err := a.Mul(money.FromInt(one))
	if err != nil {
		return one
	}
	q, ok := scaled.Quo(b, 0)
	n := 0
	if _, err := fmt.Sscan(q.String(), &n); !ok || err != nil {
		return one
	}
	return n
}

// Minutes is how long all journeys of the offer take together.
func (o Offer) Minutes() int {
	n := 0
	for _, l := range o.Slices {
		n += l.Minutes
	}
	return n
}

// Stops counts those of all journeys.
func (o Offer) Stops() int {
	n := 0
	for _, l := range o.Slices {
		n += l.Stops()
	}
	return n
}

func whyCheapest(offers []Offer, cheapest, fastest int) string {
	if cheapest == fastest {
		return "the lowest price and the shortest time"
	}
	if d := difference(offers[fastest], offers[cheapest]); d != "" {
		return d + " less than the fastest"
	}
	return "the lowest price"
}

func whyFastest(offers []Offer, cheapest, fastest int) string {
	if cheapest == fastest {
		return "the shortest time at the lowest price"
	}
	if d := offers[cheapest].Minutes() - offers[fastest].Minutes(); d > 0 {
		return Duration(d) + " shorter than the cheapest"
	}
	return "the shortest time"
}

func whyBest(offers []Offer, cheapest, fastest, best int) string {
	o := offers[best]
	words := []string{stopWords(o.Stops())}
	switch d := difference(o, offers[cheapest]); {
	case best == cheapest:
		words = append(words, "the lowest price")
	case d != "":
		words = append(words, d+" more than the cheapest")
	}
	if d := o.Minutes() - offers[fastest].Minutes(); best == fastest {
		words = append(words, "the shortest time")
	} else if d > 0 {
		words = append(words, Duration(d)+" longer than the fastest")
	}
	if o.Bags.Checked > 0 {
		words = append(words, "with a checked bag")
	}
	return strings.Join(words, ", ")
}

// difference returns how much more a costs than b: "€212.00"; "" where it does not.
func difference(a, b Offer) string {
	d, err := a.Total.Amount.Sub(b.Total.Amount)
	if err != nil || d.IsZero() || d.Negative() {
		return ""
	}
	return d.Format(a.Total.Currency)
}
