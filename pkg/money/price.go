package money

import "fmt"

// Price is an amount in a currency. The zero Price is none.
type Price struct {
	Amount   Amount `json:"amount"`
	Currency string `json:"currency"` // ISO 4217: "EUR"
}

// String returns the price for people in the currency's own digits: "€1,234.50"; "" for
// none.
func (p Price) String() string {
	if p.Currency == "" {
		return ""
	}
	return p.Amount.Format(p.Currency)
}

// Add returns p + o. Different currencies are an error: nothing is converted here.
func (p Price) Add(o Price) (Price, error) {
	if p.Currency == "" {
		return o, nil
	}
	if p.Currency != o.Currency {
		return Price{}, fmt.Errorf("%s and %s cannot be added", p.Currency, o.Currency)
	}
	sum, err := p.Amount.Add(o.Amount)
	return Price{sum, p.Currency}, err
}
