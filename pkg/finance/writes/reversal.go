package writes

import (
	"math/big"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// entry is a journal as the books have it.
type entry struct {
	ID        string        `json:"id"`
	Number    string        `json:"number"`
	Date      calendar.Date `json:"date"`
	Narration string        `json:"narration"`
	Source    string        `json:"source"`
	Status    string        `json:"status"`
	Lines     []struct {
		Account string `json:"account"`
		Name    string `json:"name"`
		Debit   paise  `json:"debit"`
		Credit  paise  `json:"credit"`
	} `json:"lines"`
}

// standing adds to the old posting what the journals of a number posted on the days
// and have not taken back.
func (d *draft) standing(number string, days ...calendar.Date) error {
	slices.SortFunc(days, func(a, b calendar.Date) int { return strings.Compare(a.String(), b.String()) })
	for _, on := range slices.Compact(days) {
		book, err := ask[struct{ Entries []entry }](d, "get_day_book", map[string]any{"date": on.String()})
		if err != nil {
			return err
		}
		for _, e := range book.Entries {
			if e.Number == number && e.Status == "posted" {
				d.takeBack(e)
			}
		}
	}
	return nil
}

func (d *draft) takeBack(e entry) {
	for _, l := range e.Lines {
		d.old.add(account{Code: l.Account, Name: l.Name}, l.Debit-l.Credit)
	}
}

// movement is what a document moved of a product.
type movement struct {
	quantity *big.Rat
	value    paise
}

// standingStock adds to the old posting what the goods of a document moved.
func (d *draft) standingStock(r record) error {
	var codes []string
	for _, l := range r.Lines {
		code := strings.ToUpper(strings.TrimSpace(l.Product))
		if code == "" || slices.Contains(codes, code) {
			continue
		}
		codes = append(codes, code)
		arguments := ofDays(r.Date, r.Date)
		arguments["product"] = code
		moves, err := all[struct {
			Number   string `json:"number"`
			Quantity number `json:"quantity"`
			Value    paise  `json:"value"`
		}](d, "get_stock_movements", "movements", arguments)
		if fault.KindOf(err) == fault.Unprocessable {
			continue // the line names what is no product
		} else if err != nil {
			return err
		}
		sum := movement{quantity: new(big.Rat)}
		for _, m := range moves {
			if m.Number == r.Number {
				sum.value += m.Value
				sum.quantity.Add(sum.quantity, m.Quantity.or(0))
			}
		}
		if sum.quantity.Sign() != 0 {
			if err := d.canMoveBack(r, code, &sum); err != nil {
				return err
			}
		}
		if d.moved == nil {
			d.moved = map[string]movement{}
		}
		d.moved[code] = sum
		if err := d.postStock(&d.old, sum.value, "inventory_change"); err != nil {
			return err
		}
	}
	return nil
}

// canMoveBack warns where goods cannot be moved back since they are gone, and sets the
// value that they are moved back with: where nothing is left, all of it.
func (d *draft) canMoveBack(r record, code string, sum *movement) error {
	p, err := d.product(code)
	if err != nil {
		return err
	}
	s := p.stock()
	left := new(big.Rat).Sub(s.have, sum.quantity)
	if left.Sign() < 0 {
		d.warn("There are only %s %s of %s in stock, and %s brought in %s: the books will refuse this.", short(s.have),
			p.Unit, p.Name, r.Number, short(sum.quantity))
	}
	if left.Sign() == 0 || s.worth < sum.value {
		sum.value = s.worth
	}
	return nil
}

// reverse shows that the old posting is taken back.
func (d *draft) reverse() {
	for _, l := range d.old.net() {
		d.new.add(l.account, -l.amount)
	}
	d.old = nil
}
