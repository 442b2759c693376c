package specialists

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Currency returns the one in which costs that are not live are said: that of live
// flights, else of live stays, else of the person's limit, else of the country of the
// origin or of the first destination; "" where none of them is known.
func Currency(c trip.Context, outputs []Output) string {
	for _, flight := range []bool{true, false} {
		for _, o := range outputs {
			for _, r := range o.Recommendations {
				if r.Cost != nil && r.Cost.Source == Live && (r.Mode == flightMode) == flight {
					return r.Cost.Currency
				}
			}
		}
	}
	if c.Most != nil && c.Most.Currency != "" {
		return c.Most.Currency
	}
	if c.Origin != nil {
		if code := currencyOf(c.Origin.Country); code != "" {
			return code
		}
	}
	for _, p := range c.Destinations {
		if code := currencyOf(p.Country); code != "" {
			return code
		}
	}
	return ""
}

// currencyOf returns the currency of a country, "" for an unknown one.
func currencyOf(country string) string {
	region, err := language.ParseRegion(country)
	if err != nil {
		return ""
	}
	unit, ok := currency.FromRegion(region)
	if !ok {
		return ""
	}
	return unit.String()
}

// InCurrency returns the outputs with their listed and unverified costs in a currency, by
// the approximate rates of the guide, and says so among their assumptions. Live prices
// stay as the supplier sells them, and so does what has no rate. The outputs given are not
// changed.
func InCurrency(outputs []Output, to string) []Output {
	converted := slices.Clone(outputs)
	if to == "" {
		return converted
	}
	for i, o := range converted {
		o.Recommendations = slices.Clone(o.Recommendations)
		var from []string
		for j, r := range o.Recommendations {
			if r.Cost == nil || r.Cost.Source == Live || r.Cost.Currency == to {
				continue
			}
			in, ok := guide.Convert(guide.Range{From: r.Cost.From, To: r.Cost.To, Currency: r.Cost.Currency}, to)
			if !ok {
				continue
			}
			if !slices.Contains(from, r.Cost.Currency) {
				from = append(from, r.Cost.Currency)
			}
			cost := *r.Cost
			cost.From, cost.To, cost.Currency = in.From, in.To, to
			r.Cost = &cost
			r.EstimatedCost = r.estimate()
			o.Recommendations[j] = r
		}
		if len(from) > 0 {
			slices.Sort(from)
			o.Assumptions = append(slices.Clone(o.Assumptions), fmt.Sprintf(
				"Prices in %s are converted to %s at approximate rates of %s.", strings.Join(from, ", "), to,
				guide.RatesDate()))
		}
		converted[i] = o
	}
	return converted
}

// String returns the cost in words: "€24–30 per person", "£412.40 in all", "free".
func (c Cost) String() string {
	if c.To.IsZero() {
		return "free"
	}
	words := map[Per]string{PerPerson: " per person", PerNight: " per night", PerDay: " per day and person",
		PerGroup: " in all"}[c.Per]
	from, to := c.From.Format(c.Currency), c.To.Format(c.Currency)
	if c.From.Decimals() == 0 && c.To.Decimals() == 0 {
		if digits := money.Digits(c.Currency); digits > 0 {
			from, to = from[:len(from)-digits-1], to[:len(to)-digits-1]
		}
	}
	if c.From.Cmp(c.To) == 0 {
		return to + words
	}
	return from + "–" + to[strings.IndexAny(to, "0123456789"):] + words
}

// estimate returns what a recommendation costs in words: "€80–160 per person, there and
// back".
func (r Recommendation) estimate() string {
	if r.Back && !r.Cost.To.IsZero() {
		return r.Cost.String() + ", there and back"
	}
	return r.Cost.String()
}

// times multiplies a cost, or returns nil for one that grows too large.
func (c Cost) times(n int) *Cost {
	from, err := c.From.Mul(money.FromInt(n))
	if err != nil {
		return nil
	}
	to, err := c.To.Mul(money.FromInt(n))
	if err != nil {
		return nil
	}
	c.From, c.To = from, to
	return &c
}

// listedCost returns a range of the guide, n times.
func listedCost(r guide.Range, currency string, per Per, n int) *Cost {
	if r.Currency != "" {
		currency = r.Currency
	}
	return Cost{From: r.From, To: r.To, Currency: currency, Per: per, Source: Listed}.times(n)
}

// liveCost returns the exact price of a supplier for all travellers.
func liveCost(p money.Price) *Cost {
	return &Cost{From: p.Amount, To: p.Amount, Currency: p.Currency, Per: PerGroup, Source: Live}
}
