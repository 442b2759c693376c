package pricing

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Request asks for the price of a stay. Everything is named by its code.
type Request struct {
	Today    calendar.Date `json:"today"` // the day of booking
	CheckIn  calendar.Date `json:"checkIn"`
	CheckOut calendar.Date `json:"checkOut"`
	Rooms    []string      `json:"rooms"` // one code of a room type for each unit
	Adults   int           `json:"adults"`
	Children int           `json:"children"`
	Package  string        `json:"package,omitempty"`
	Coupon   string        `json:"coupon,omitempty"`
	Extras   []Wanted      `json:"extras,omitempty"`
}

// Wanted is an extra to be booked.
type Wanted struct {
	Code     string `json:"code"`
	Quantity int    `json:"quantity"`
}

// Quote is the database's answer to a Request. Amounts are in Currency; every
// total is the exact sum of its parts.
type Quote struct {
	Currency        string        `json:"currency"`
	CheckIn         calendar.Date `json:"checkIn"`
	CheckOut        calendar.Date `json:"checkOut"`
	Nights          int           `json:"nights"`
	Guests          int           `json:"guests"`
	Lines           []Line        `json:"lines"`
	RoomTotal       money.Amount  `json:"roomTotal"`
	ExtraGuestTotal money.Amount  `json:"extraGuestTotal"`
	PackageOther    money.Amount  `json:"packageOtherTotal"` // the part of a package's price that is not for rooms
	DiscountTotal   money.Amount  `json:"discountTotal"`
	ExtrasTotal     money.Amount  `json:"extrasTotal"`
	TaxTotal        money.Amount  `json:"taxTotal"`
	Total           money.Amount  `json:"total"`
	DepositDue      money.Amount  `json:"depositDue"`
	BalanceDue      money.Amount  `json:"balanceDue"`
	Taxes           []Tax         `json:"taxes"`
	Package         *struct {
		Code  string       `json:"code"`
		Name  string       `json:"name"`
		Price money.Amount `json:"price"`
		Per   string       `json:"per"`
	} `json:"package"`
	Coupon *struct {
		Code     string       `json:"code"`
		Discount money.Amount `json:"discount"`
		Valid    bool         `json:"valid"`
		Reason   string       `json:"reason,omitempty"`
	} `json:"coupon"`
	Extras []struct {
		Code      string       `json:"code"`
		Name      string       `json:"name"`
		Quantity  int          `json:"quantity"`
		UnitPrice money.Amount `json:"unitPrice"`
		Per       string       `json:"per"`
		Factor    int          `json:"factor"`
		TaxRate   money.Amount `json:"taxRate"`
		Amount    money.Amount `json:"amount"`
	} `json:"extras"`
	Problems []Problem `json:"problems"`
}

// Line is the price of one night of one room.
type Line struct {
	Night       calendar.Date `json:"night"`
	Weekend     bool          `json:"weekend"`
	Room        int           `json:"room"` // counted from 1 in the request's rooms
	RoomCode    string        `json:"roomCode"`
	Source      string        `json:"source"` // base, season or package
	SeasonCode  string        `json:"seasonCode,omitempty"`
	Base        money.Amount  `json:"base"` // before the tier
	TierCode    string        `json:"tierCode,omitempty"`
	TierPercent money.Amount  `json:"tierPercent"`
	Occupancy   money.Amount  `json:"occupancy"` // of that night in percent, before this stay
	Amount      money.Amount  `json:"amount"`
	ExtraGuests money.Amount  `json:"extraGuests"`
	Discount    money.Amount  `json:"discount"`
}

// Tax is one tax line.
type Tax struct {
	Label  string       `json:"label"`
	Rate   money.Amount `json:"rate"` // percent
	Base   money.Amount `json:"base"`
	Amount money.Amount `json:"amount"`
}

// Problem is a reason why the stay cannot be booked like this.
type Problem struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
}

// why says which rule set the night's price: "weekend price, season Festive
// +10 % by tier Busy, lowered to the ceiling".
func (l Line) why(currency string, tiers map[string]string, seasons map[string]string) string {
	kind := "weekday"
	if l.Weekend {
		kind = "weekend"
	}
	if l.Source == "package" {
		return "the package's price, shared among the nights"
	}
	text := kind + " price of the room"
	if l.Source == "season" {
		text = fmt.Sprintf("%s price of the season %s", kind, called(l.SeasonCode, seasons))
	}
	text += " " + l.Base.Format(currency)
	switch {
	case l.TierCode == "":
		text += fmt.Sprintf("; no tier at %s %% occupancy", short(l.Occupancy))
	default:
		text += fmt.Sprintf("; tier %s at %s %% occupancy: %s", called(l.TierCode, tiers), short(l.Occupancy),
			signed(l.TierPercent))
	}
	// A limit is all that can stand between the product and the amount.
	factor, err := money.FromInt(100).Add(l.TierPercent)
	if err != nil {
		return text
	}
	product, err := l.Base.Mul(factor)
	if err != nil {
		return text
	}
	before, ok := product.Quo(money.FromInt(100), min(2, money.Digits(currency)))
	switch {
	case !ok:
	case l.Amount.Cmp(before) > 0:
		text += fmt.Sprintf(" makes %s, raised to the floor", before.Format(currency))
	case l.Amount.Cmp(before) < 0:
		text += fmt.Sprintf(" makes %s, lowered to the ceiling", before.Format(currency))
	}
	return text
}

func called(code string, names map[string]string) string {
	if name := names[code]; name != "" {
		return name
	}
	return code
}

// short drops zeros behind the point.
func short(a money.Amount) string { return a.Round(a.Decimals()).String() }

// signed shows a percentage with its sign: "+10 %", "−5 %", "no change".
func signed(a money.Amount) string {
	switch {
	case a.IsZero():
		return "no change"
	case a.Negative():
		return "−" + strings.TrimPrefix(short(a), "-") + " %"
	}
	return "+" + short(a) + " %"
}
