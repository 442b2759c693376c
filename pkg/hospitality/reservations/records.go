package reservations

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// recorded is a list of reservations as an act left them.
type recorded struct {
	Reservations []Record `json:"reservations"`
}

// Table lays the list out.
func (r recorded) Table() render.Table {
	list := make([]Summary, len(r.Reservations))
	for i, each := range r.Reservations {
		list[i] = each.Summary
	}
	return results{Found: Found{Reservations: list, Matches: len(list)}}.Table()
}

// Count is the number of reservations.
func (r recorded) Count() int { return len(r.Reservations) }

// names says "reservation K7QMPX of Asha Rao", or for several
// "3 reservations (K7QMPX, M2XW9Q, ZP4TRA)".
func (r recorded) names() string {
	if len(r.Reservations) == 1 {
		return "reservation " + r.Reservations[0].Code + " of " + r.Reservations[0].Guest
	}
	codes := make([]string, len(r.Reservations))
	for i, each := range r.Reservations {
		codes[i] = each.Code
	}
	return fmt.Sprintf("%d reservations (%s)", len(codes), join(codes))
}

type booked struct {
	GroupCode string       `json:"groupCode,omitempty"`
	Total     money.Amount `json:"total"`
	Deposit   money.Amount `json:"deposit"`
	Currency  string       `json:"currency"`
	recorded
	contact string // whom a group is booked for
}

func newBooked(list []Record, contact string) booked {
	b := booked{recorded: recorded{list}, contact: contact}
	for _, r := range list {
		b.GroupCode, b.Currency = r.GroupCode, r.Currency
		// Amounts of a business do not reach the 19 digits at which a sum fails.
		b.Total, _ = b.Total.Add(r.Total)
		b.Deposit, _ = b.Deposit.Add(r.Deposit)
	}
	return b
}

// Summarize is the receipt.
func (b booked) Summarize() string {
	if len(b.Reservations) == 0 {
		return "Nothing was booked."
	}
	first := b.Reservations[0]
	var text strings.Builder
	if b.GroupCode == "" {
		fmt.Fprintf(&text, "Booked %s for %s, %s, %s: the code is %s.", join(first.Rooms), first.Guest,
			stay(first.CheckIn, first.CheckOut), first.Status.Words(), first.Code)
	} else {
		fmt.Fprintf(&text, "Booked %s for %s, %s: the group's code is %s.", count(len(b.Reservations), "room"),
			b.contact, stay(first.CheckIn, first.CheckOut), b.GroupCode)
	}
	fmt.Fprintf(&text, " The total is %s", b.Total.Format(b.Currency))
	if !b.Deposit.IsZero() {
		fmt.Fprintf(&text, ", with a deposit of %s", b.Deposit.Format(b.Currency))
	}
	text.WriteString(".")
	return text.String()
}
