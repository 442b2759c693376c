package guide

import "github.com/bellhop-ai/bellhop/pkg/money"

// RatesDate returns the month to which the rates of Convert belong: "2026-11".
func RatesDate() string { return shelf().rates.Date }

// Convert returns r in another currency by the rates of RatesDate, From rounded down and
// To rounded up to whole units. It is for showing a listed range, not for paying. ok is
// false where a rate is missing or the result is too large; a range in the same currency
// is returned as it is.
func Convert(r Range, currency string) (converted Range, ok bool) {
	if r.Currency == currency {
		return r, true
	}
	own, ok := rate(r.Currency)
	if !ok {
		return Range{}, false
	}
	other, ok := rate(currency)
	if !ok {
		return Range{}, false
	}
	from, ok := exchange(r.From, own, other, down)
	if !ok {
		return Range{}, false
	}
	to, ok := exchange(r.To, own, other, up)
	if !ok {
		return Range{}, false
	}
	return Range{From: from, To: to, Currency: currency}, true
}

// rate returns how many units of a currency one unit of the base is.
func rate(currency string) (money.Amount, bool) {
	rates := shelf().rates
	if currency == rates.Base {
		return money.FromInt(1), true
	}
	r, ok := rates.Rates[currency]
	return r, ok && !r.IsZero()
}

// The directions of rounding.
const (
	down = -1
	up   = 1
)

// exchange returns a × other ÷ own as whole units, rounded in a direction.
func exchange(a, own, other money.Amount, direction int) (money.Amount, bool) {
	total, err := a.Mul(other)
	if err != nil {
		return money.Amount{}, false
	}
	whole, ok := total.Quo(own, 0)
	if !ok {
		return money.Amount{}, false
	}
	back, err := whole.Mul(own)
	if err != nil {
		return money.Amount{}, false
	}
	// Quo rounds to the nearest unit, which may lie on the wrong side.
	if back.Cmp(total) == -direction {
		if whole, err = whole.Add(money.FromInt(direction)); err != nil {
			return money.Amount{}, false
		}
	}
	return whole, true
}
