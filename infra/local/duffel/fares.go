package duffel

import (
	"math"
	"time"
)

// brand is a fare that an airline sells a journey at.
type brand struct {
	name    string
	factor  float64
	checked int
	carryOn int
	change  permit
	refund  permit
}

// permit is whether something is allowed before departure, and for which share of the
// fare.
type permit struct {
	known   bool
	allowed bool
	share   float64
}

// brandsOf are an airline's fares in a cabin, the cheapest first.
func brandsOf(c *carrier, cabin string) []brand {
	allowed, refused := permit{known: true, allowed: true}, permit{known: true}
	atCost := permit{known: true, allowed: true, share: 0.3}
	switch {
	case cabin == "business" || cabin == "first":
		return []brand{
			{"Saver", 1, 2, 1, atCost, refused},
			{"Flex", 1.22, 2, 2, allowed, atCost},
			{"Fully Flexible", 1.5, 3, 2, allowed, allowed},
		}
	case c.kind == 'z':
		return []brand{
			{"Basic", 1, 1, 1, permit{}, refused},
			{"Economy", 1.12, 1, 1, atCost, refused},
			{"Flex", 1.3, 1, 1, atCost, atCost},
		}
	case c.kind == 'l':
		return []brand{
			{"Basic", 1, 0, 1, atCost, refused},
			{"Plus", 1.45, 1, 1, atCost, refused},
			{"Flex", 2, 1, 1, allowed, atCost},
		}
	}
	return []brand{
		{"Light", 1, 0, 1, refused, refused},
		{"Standard", 1.18, 1, 1, atCost, refused},
		{"Flex", 1.55, 1, 1, allowed, atCost},
		{"Premier", 1.9, 2, 1, allowed, allowed},
	}
}

// euros is what a journey costs an adult, without taxes, bought on a day.
func (j journey) euros(b brand, cabin string, bought time.Time) float64 {
	first, km := j[0], j[0].from.to(j[len(j)-1].to)
	price := 24 + 1.05*math.Pow(km, 0.66)
	switch {
	case first.carrier.kind == 'l':
		price *= 0.62
	case first.carrier.kind == 'z':
		price *= 0.85
	}
	price *= map[string]float64{"premium_economy": 1.75, "business": 3.6, "first": 5.8, "economy": 1}[cabin]
	if len(j) > 1 {
		price *= 0.8
	}
	switch hour := first.departs.Hour(); {
	case hour < 7 || hour >= 21:
		price *= 0.88
	case hour < 10 || hour >= 16 && hour < 20:
		price *= 1.1
	}
	switch first.departs.Weekday() {
	case time.Friday, time.Sunday:
		price *= 1.15
	case time.Tuesday, time.Wednesday:
		price *= 0.94
	}
	switch days := first.departs.Sub(bought).Hours() / 24; {
	case days < 4:
		price *= 1.85
	case days < 8:
		price *= 1.45
	case days < 22:
		price *= 1.15
	case days > 90:
		price *= 0.92
	}
	var words []any
	for _, f := range j {
		words = append(words, f.carrier.code, f.number, f.departs.Format("0102"))
	}
	return price * b.factor * (0.88 + 0.28*draw(words...))
}

// taxes are those of a journey for one passenger, in euros.
func (j journey) taxes(cabin string) float64 {
	tax := 11 + 9*float64(len(j)) + 0.006*j.km()
	if cabin != "economy" {
		tax += 40
	}
	return tax
}

// shareOf is what a passenger of an age pays of an adult's fare, and of the taxes.
func shareOf(kind string) (fare, tax float64) {
	switch kind {
	case "infant_without_seat":
		return 0.1, 0.15
	case "child":
		return 0.75, 0.8
	}
	return 1, 1
}

// emissions is the carbon dioxide of a journey for one passenger, in kilograms.
func (j journey) emissions(cabin string) int {
	factor := map[string]float64{"premium_economy": 1.6, "business": 2.9, "first": 4, "economy": 1}[cabin]
	kg := 0.0
	for _, f := range j {
		kg += (22 + 0.073*f.km) * (0.9 + 0.2*draw("kg", f.carrier.code, f.number))
	}
	return int(kg * factor)
}

// condition is a permit in Duffel's form.
type condition struct {
	Allowed  bool    `json:"allowed"`
	Penalty  *string `json:"penalty_amount"`
	Currency *string `json:"penalty_currency"`
}

// of writes a permit for a fare of so much. The penalty of Duffel Airways is 40.00.
func (p permit) of(c *carrier, fare amount, currency string) *condition {
	if !p.known {
		return nil
	}
	out := &condition{Allowed: p.allowed}
	if !p.allowed {
		return out
	}
	penalty := amount(0)
	switch {
	case p.share > 0 && c.kind == 'z':
		penalty = 40 * amount(math.Pow10(decimals(currency)))
		if currency == "JPY" {
			penalty = 6500
		}
	case p.share > 0:
		unit := amount(math.Pow10(decimals(currency)))
		penalty = max(unit, amount(float64(fare)*p.share)/unit*unit)
	}
	text := penalty.text(currency)
	out.Penalty, out.Currency = &text, &currency
	return out
}
