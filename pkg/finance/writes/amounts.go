package writes

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// paise is an amount in hundredths of a rupee. Products are computed as exact
// fractions and rounded once, half away from zero, as the books do.
type paise int64

// maxPaise is the largest amount that the books take, thirteen digits of rupees.
const maxPaise = paise(10_000_000_000_000_00 - 1)

// UnmarshalJSON reads rupees, as a JSON number or a string; null is 0.
func (p *paise) UnmarshalJSON(data []byte) error {
	a, err := decimal(string(data))
	if err != nil {
		return err
	}
	if *p, err = rounded(a, 2); err == nil && p.rat().Cmp(a) != 0 {
		return fault.New(fault.Invalid, "An amount has at most two decimals, and %s has more.", a.FloatString(6))
	}
	return err
}

// decimal reads a JSON number, or a string of one, as an exact fraction.
func decimal(text string) (*big.Rat, error) {
	text = strings.TrimSpace(strings.Trim(text, `"`))
	if text == "" || text == "null" {
		return new(big.Rat), nil
	}
	a, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > 40 || strings.ContainsAny(text, "eE/_xX") {
		return nil, fault.New(fault.Invalid, "%.40q is not an amount.", text)
	}
	return a, nil
}

// rounded rounds to a number of decimals, at most two, half away from zero.
func rounded(a *big.Rat, decimals int) (paise, error) {
	text := a.FloatString(decimals)
	if decimals == 0 {
		text += ".00"
	}
	n, err := strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
	if err != nil || paise(n) > maxPaise || paise(n) < -maxPaise {
		return 0, fault.New(fault.Invalid, "An amount is larger than the books take.")
	}
	return paise(n), nil
}

// at returns p times a rate in parts of per (100 for per cent, 200 for a half of
// it), rounded to a number of decimals.
func (p paise) at(rate *big.Rat, per int64, decimals int) (paise, error) {
	return rounded(new(big.Rat).Quo(new(big.Rat).Mul(p.rat(), rate), big.NewRat(per, 1)), decimals)
}

func (p paise) rat() *big.Rat { return big.NewRat(int64(p), 100) }

// amount returns p for other packages.
func (p paise) amount() money.Amount {
	return money.MustParse(p.plain()) // at most 15 digits
}

// plain returns rupees as data have them: "-1180.00".
func (p paise) plain() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	return fmt.Sprintf("%s%d.%02d", sign, p/100, p%100)
}

// String returns p for people: "₹1,23,456.00".
func (p paise) String() string { return rupees.Format(p.amount()) }

// number is a quantity or a percentage: an exact decimal that may be left out.
type number struct {
	v *big.Rat // nil where it was left out
}

// UnmarshalJSON reads a JSON number or a string of one.
func (n *number) UnmarshalJSON(data []byte) error {
	if s := strings.Trim(string(data), `"`); s == "" || s == "null" {
		n.v = nil
		return nil
	}
	v, err := decimal(string(data))
	if err == nil && new(big.Rat).Mul(v, big.NewRat(1000, 1)).IsInt() {
		n.v = v
		return nil
	} else if err == nil {
		err = fault.New(fault.Invalid, "A number has at most three decimals, and %s has more.", v.FloatString(6))
	}
	return err
}

// MarshalJSON writes a JSON number.
func (n number) MarshalJSON() ([]byte, error) {
	if n.v == nil {
		return []byte("null"), nil
	}
	return []byte(n.String()), nil
}

// or returns the number, or def where it was left out.
func (n number) or(def int64) *big.Rat {
	if n.v == nil {
		return big.NewRat(def, 1)
	}
	return n.v
}

// String returns the shortest decimal: "2.5".
func (n number) String() string { return short(n.or(0)) }

func short(v *big.Rat) string {
	s := v.FloatString(3)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func percent(v *big.Rat) string { return short(v) + " %" }
