package specialists

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// parts divides travellers into as few parts as airlines sell seats to at once, each with
// about as many adults and children as the others.
func parts(ages []int) [][]int {
	n := max(1, (len(ages)+flights.MaxPassengers-1)/flights.MaxPassengers)
	list := make([][]int, n)
	next := 0
	for _, adults := range []bool{true, false} {
		for _, age := range ages {
			if (age == flights.Adult) == adults {
				list[next%n] = append(list[next%n], age)
				next++
			}
		}
	}
	return list
}

// searchParts searches for each part of a group, once for parts that are the same, and
// returns the offers that every part can have with the sum of their prices.
func searchParts(ctx context.Context, by identity.Caller, supplier flights.Supplier, q flights.Query) (
	flights.Found, error) {
	divided := parts(q.Ages)
	results, errs := make([]flights.Found, len(divided)), make([]error, len(divided))
	first := func(i int) int {
		return slices.IndexFunc(divided, func(ages []int) bool { return slices.Equal(ages, divided[i]) })
	}
	var searching sync.WaitGroup
	for i := range divided {
		if first(i) != i {
			continue
		}
		part := q
		part.Ages = divided[i]
		searching.Go(func() { results[i], errs[i] = supplier.Search(ctx, by, part) })
	}
	searching.Wait()
	for _, err := range errs {
		if err != nil {
			return flights.Found{}, err
		}
	}
	all := results[0]
	for i := 1; i < len(divided); i++ {
		all.Offers = together(all.Offers, results[first(i)].Offers)
	}
	all.Offers = flights.Sort(all.Offers, flights.ByPrice)
	return all, nil
}

// together returns the offers of one part that another part has too, at the sum of both.
func together(one, other []flights.Offer) []flights.Offer {
	byFlights := map[string]money.Price{}
	for _, o := range other {
		key := flightsOf(o)
		if least, seen := byFlights[key]; !seen || o.Total.Amount.Cmp(least.Amount) < 0 {
			byFlights[key] = o.Total
		}
	}
	var both []flights.Offer
	for _, o := range one {
		price, ok := byFlights[flightsOf(o)]
		if !ok {
			continue
		}
		sum, err := o.Total.Add(price)
		if err != nil {
			continue
		}
		o.Total = sum
		both = append(both, o)
	}
	return both
}

// flightsOf is the same of offers of the same flights at the same conditions.
func flightsOf(o flights.Offer) string {
	words := []string{o.Airline.Code, o.Brand, o.Bags.String(), o.Total.Currency}
	for _, l := range o.Slices {
		words = append(words, l.Departs.String())
		words = append(words, l.Numbers()...)
	}
	return strings.Join(words, " ")
}
