package guide

import (
	"cmp"
	"slices"
	"strings"
)

// Link is ground transport between two cities, from centre to centre.
type Link struct {
	From     string `json:"from"` // codes of cities
	To       string `json:"to"`
	Mode     string `json:"mode"`   // of Modes
	Option   string `json:"option"` // "high-speed train"
	Provider string `json:"provider"`
	Minutes  int    `json:"minutes"` // usual, without waiting
	Price    Range  `json:"price"`   // per person one way; of a car: of the vehicle
	Currency string `json:"currency"`
	Note     string `json:"note,omitempty"`
	OneWay   bool   `json:"oneWay,omitempty"` // it does not exist in the other direction
}

// Modes returns the vocabulary of a Link's mode.
func Modes() []string { return []string{"train", "bus", "ferry", "car"} }

// Between returns the ground transport that is listed from one city to another, the
// cheapest first. It takes the codes that Of takes. A link that was written down for the
// other direction is turned round.
func Between(from, to string) []Link {
	a, b := cityCode(from), cityCode(to)
	if a == "" || b == "" || a == b {
		return nil
	}
	var list []Link
	for _, l := range shelf().links {
		switch {
		case l.From == a && l.To == b:
			list = append(list, l)
		case l.From == b && l.To == a && !l.OneWay:
			l.From, l.To = l.To, l.From
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(x, y Link) int {
		return cmp.Or(x.Price.From.Cmp(y.Price.From), x.Price.To.Cmp(y.Price.To), cmp.Compare(x.Minutes, y.Minutes))
	})
	return list
}

func cityCode(code string) string {
	if c := shelf().byCode[strings.ToUpper(strings.TrimSpace(code))]; c != nil {
		return c.Code
	}
	return ""
}
