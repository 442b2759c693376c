package writes

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// product is a product or a service of the books, with its stock.
type product struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Unit     string `json:"unit"`
	HSN      string `json:"hsn_sac"`
	GST      number `json:"gst_rate"`
	Sale     *paise `json:"sale_price"`
	Purchase *paise `json:"purchase_price"`
	Reorder  number `json:"reorder_level"`
	Active   bool   `json:"active"`
	Quantity number `json:"quantity"`
	Value    paise  `json:"value"`
}

func (d *draft) product(words string) (product, error) {
	key := strings.ToUpper(strings.TrimSpace(words))
	if p, ok := d.products[key]; ok {
		return p, nil
	}
	found, err := ask[struct{ Product product }](d, "get_product", map[string]any{"product": words})
	if err != nil {
		return product{}, err
	}
	if d.products == nil {
		d.products = map[string]product{}
	}
	d.products[key] = found.Product
	return found.Product, nil
}

// stock is what is there of one product while a write moves it.
type stock struct {
	product
	have  *big.Rat
	worth paise
}

func (p product) stock() *stock {
	return &stock{product: p, have: new(big.Rat).Set(p.Quantity.or(0)), worth: p.Value}
}

// move moves a quantity, positive for what comes in, and returns its value: what
// goes out has the average, what comes in has value, or the average where that is
// nil. ok is false where more would go out than is there.
func (s *stock) move(quantity *big.Rat, value *paise) (moved paise, ok bool, err error) {
	after := new(big.Rat).Add(s.have, quantity)
	switch {
	case after.Sign() < 0:
		return 0, false, nil
	case quantity.Sign() < 0:
		moved, err = rounded(new(big.Rat).Quo(new(big.Rat).Mul(s.worth.rat(), quantity), s.have), 2)
	case value != nil:
		moved = *value
	case s.have.Sign() > 0:
		moved, err = rounded(new(big.Rat).Mul(quantity, new(big.Rat).Quo(s.worth.rat(), s.have)), 2)
	case s.Purchase != nil:
		moved, err = rounded(new(big.Rat).Mul(quantity, s.Purchase.rat()), 2)
	}
	if err != nil {
		return 0, false, err
	}
	// The last ones take all that is left of the value.
	if after.Sign() == 0 || s.worth+moved < 0 {
		moved = -s.worth
	}
	s.have, s.worth = after, s.worth+moved
	return moved, true, nil
}

// postStock posts what moved between the stock and what changes it.
func (d *draft) postStock(p *posting, value paise, opposite string) error {
	return d.post(p, post{"inventory", value}, post{opposite, -value})
}

// moveStock shows and posts the stock that the lines of a document move: a bill
// brings in at cost, an invoice takes out, notes give back. back is the lines of
// the document before it was changed, whose goods are moved back first, at the
// value that they had.
func (d *draft) moveStock(v *document, back ...recordLine) error {
	left, had := map[string]*stock{}, map[string]string{}
	var order []string
	know := func(code string, s *stock) {
		left[code], had[code] = s, short(s.have)
		order = append(order, code)
	}
	for _, l := range back {
		code := strings.ToUpper(strings.TrimSpace(l.Product))
		if code == "" || left[code] != nil {
			continue
		}
		p, err := d.product(code)
		if fault.KindOf(err) == fault.Unprocessable || err == nil && p.Kind != "goods" {
			continue
		} else if err != nil {
			return err
		}
		know(code, p.stock())
		left[code].worth -= d.moved[code].value
		left[code].have.Sub(left[code].have, d.moved[code].quantity)
	}
	for _, l := range v.lines {
		if l.product.Code == "" || l.product.Kind != "goods" {
			continue
		}
		s := left[l.product.Code]
		if s == nil {
			s = l.product.stock()
			know(l.product.Code, s)
		}
		quantity, value := new(big.Rat).Set(l.quantity), (*paise)(nil)
		if v.kind == "invoice" || v.kind == "debit_note" {
			quantity.Neg(quantity)
		} else if v.kind == "bill" {
			cost := l.taxable
			if !l.itc {
				cost += l.cgst + l.sgst + l.igst
			}
			value = &cost
		}
		before := short(s.have)
		moved, ok, err := s.move(quantity, value)
		if err != nil {
			return err
		}
		if !ok {
			d.warn("There are only %s %s of %s in stock: the books will refuse this.", before, s.Unit, s.Name)
			had[l.product.Code] = short(s.have)
			continue
		}
		if err := d.postStock(&d.new, moved, "inventory_change"); err != nil {
			return err
		}
		if quantity.Sign() < 0 && s.Reorder.or(0).Sign() > 0 && s.have.Cmp(s.Reorder.or(0)) <= 0 {
			d.warn("%s falls to %s %s; the reorder level is %s.", s.Name, short(s.have), s.Unit, s.Reorder)
		}
	}
	for _, code := range order {
		// What a change takes back and moves out again stays as it was.
		if s := left[code]; short(s.have) != had[code] {
			d.change(fmt.Sprintf("Stock of %s", s.Name), had[code]+" "+s.Unit, short(s.have)+" "+s.Unit)
		}
	}
	return nil
}

// ofDays returns the arguments of lists for some days.
func ofDays(from, to calendar.Date) map[string]any {
	return map[string]any{"from": from.String(), "to": to.String()}
}
