package duffel

import (
	"math"
	"time"
)

// room is a kind of room with its rates, in Duffel's form.
type room struct {
	Name   string   `json:"name"`
	Beds   []bed    `json:"beds"`
	Photos []string `json:"photos"`
	Rates  []rate   `json:"rates"`
}

type bed struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// rate is what a room costs under certain terms, in Duffel's form.
type rate struct {
	ID            string        `json:"id"`
	Name          *string       `json:"name"`
	Code          *string       `json:"code"`
	Description   *string       `json:"description"`
	Board         string        `json:"board_type"`
	Payment       string        `json:"payment_type"`
	Methods       []string      `json:"available_payment_methods"`
	Available     int           `json:"quantity_available"`
	Total         string        `json:"total_amount"`
	TotalCurrency string        `json:"total_currency"`
	Base          string        `json:"base_amount"`
	BaseCurrency  string        `json:"base_currency"`
	Tax           string        `json:"tax_amount"`
	TaxCurrency   string        `json:"tax_currency"`
	Fee           string        `json:"fee_amount"`
	FeeCurrency   string        `json:"fee_currency"`
	There         string        `json:"due_at_accommodation_amount"`
	ThereCurrency string        `json:"due_at_accommodation_currency"`
	Timeline      []refundUntil `json:"cancellation_timeline"`
	Conditions    []term        `json:"conditions"`
	Loyalty       *string       `json:"supported_loyalty_programme"`
	NeedsLoyalty  bool          `json:"loyalty_programme_required"`
	Commission    *string       `json:"estimated_commission_amount"`
	CommissionCur *string       `json:"estimated_commission_currency"`
	Negotiated    *string       `json:"negotiated_rate_id"`
	Source        string        `json:"source"`
	Expires       string        `json:"expires_at"`

	total amount
}

// refundUntil is what is given back to those who cancel before a moment.
type refundUntil struct {
	Refund   string `json:"refund_amount"`
	Currency string `json:"currency"`
	Before   string `json:"before"`
}

type term struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

// stay is what was asked of a search.
type stay struct {
	in, out time.Time // midnight in UTC
	rooms   int
	guests  []guest
}

type guest struct {
	Type string `json:"type"`
	Age  *int   `json:"age,omitempty"`
}

func (s stay) nights() int { return int(s.out.Sub(s.in).Hours() / 24) }

// roomsFor are the rooms of a hotel for a stay, the cheapest first. Their rates have no ids.
func (h *hotel) roomsFor(s stay, expires time.Time) []room {
	kinds := []struct {
		name   string
		factor float64
		beds   []bed
		holds  int
	}{
		{"Single Room", 0.8, []bed{{"single", 1}}, 1},
		{"Double Room", 1, []bed{{"double", 1}}, 2},
		{"Twin Room", 1.02, []bed{{"single", 2}}, 2},
		{"Superior King Room", 1.3, []bed{{"king", 1}}, 2},
		{"Family Room", 1.45, []bed{{"queen", 1}, {"single", 2}}, 4},
		{"Suite", 1.9, []bed{{"king", 1}, {"sofabed", 1}}, 4},
	}
	each := (len(s.guests) + s.rooms - 1) / s.rooms
	var list []room
	for _, k := range kinds {
		if k.holds < each || len(list) == 4 || draw("kind", h.id, k.name) < 0.2 && k.holds < 4 {
			continue
		}
		list = append(list, room{Name: k.name, Beds: k.beds, Photos: []string{}, Rates: h.rates(s, k.name,
			k.factor, expires)})
	}
	if list == nil { // more in a room than any has beds for
		return []room{}
	}
	return list
}

// rates are those of a kind of room.
func (h *hotel) rates(s stay, kind string, factor float64, expires time.Time) []rate {
	plans := []struct {
		board, payment string
		factor         float64
		free           int // days before arrival until which cancelling is free; -1: never
		stars          int
		share          float64
	}{
		{"room_only", "pay_now", 1, -1, 1, 1},
		{"room_only", "guarantee", 1.12, 2, 1, 0.8},
		{"breakfast", "pay_now", 1.1, 1, 2, 0.9},
		{"breakfast", "deposit", 1.22, 5, 3, 0.5},
		{"half_board", "pay_now", 1.4, 3, 4, 0.4},
		{"all_inclusive", "pay_now", 1.9, 7, 5, 0.25},
	}
	currency := currencyOf(h.country)
	var list []rate
	for i, p := range plans {
		if h.stars < p.stars || draw("plan", h.id, kind, i) >= p.share {
			continue
		}
		nights := 0.0
		for n := range s.nights() {
			nights += h.night(s.in.AddDate(0, 0, n))
		}
		base := inCurrency(nights*factor*p.factor, currency) * amount(s.rooms)
		tax := amount(math.Round(float64(base) * 0.11))
		r := rate{Board: p.board, Payment: p.payment, Methods: []string{"balance", "card"},
			Available: 1 + pick(8, h.id, kind, i), total: base + tax, Total: (base + tax).text(currency),
			TotalCurrency: currency, Base: base.text(currency), BaseCurrency: currency, Tax: tax.text(currency),
			TaxCurrency: currency, Fee: amount(0).text(currency), FeeCurrency: currency,
			There: amount(0).text(currency), ThereCurrency: currency, Source: "duffel",
			Expires: stamp(expires), Timeline: h.timeline(s, p.free, base+tax, currency),
			Conditions: []term{{"Check-in", "A photo identification is asked for at check-in."}}}
		if p.payment == "guarantee" {
			r.There, r.Methods = r.Total, []string{"card"}
		}
		list = append(list, r)
	}
	return list
}

// night is what a double room costs for a night, in euros.
func (h *hotel) night(day time.Time) float64 {
	price := 34 * math.Pow(1.52, float64(h.stars-1)) * (0.75 + 0.6*draw("night", h.id))
	switch day.Weekday() {
	case time.Friday, time.Saturday:
		price *= 1.18
	}
	return price * (0.92 + 0.2*draw("season", h.city, int(day.Month())))
}

// timeline is what is given back by when: all, then half, then nothing.
func (h *hotel) timeline(s stay, free int, total amount, currency string) []refundUntil {
	if free < 0 {
		return []refundUntil{}
	}
	until := s.in.AddDate(0, 0, -free).Add(16 * time.Hour)
	list := []refundUntil{{total.text(currency), currency, second(until)}}
	if free >= 3 {
		list = append(list, refundUntil{(total / 2).text(currency), currency, second(until.AddDate(0, 0, 2))})
	}
	return list
}
