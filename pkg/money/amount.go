// Package money holds exact amounts. Nothing in it is a float.
package money

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/govalues/decimal"
	"golang.org/x/text/currency"
)

// Amount is an exact number of a currency's main unit, such as 45.00. The zero
// Amount is 0. In JSON it is a number; a numeric string is read too.
type Amount struct{ d decimal.Decimal }

// Zero is no money.
var Zero Amount

// Parse reads "45", "45.00" or "-1234.5". Anything else, exponents and
// grouping marks included, is refused, and so is a number of which 19 digits
// do not hold everything.
func Parse(s string) (Amount, error) {
	if strings.ContainsAny(s, "eE+_ ") {
		return Amount{}, fmt.Errorf("%q is not an amount such as 45.00", s)
	}
	d, err := decimal.Parse(s)
	if err != nil {
		return Amount{}, fmt.Errorf("%q is not an amount such as 45.00", s)
	}
	// The library rounds what it cannot hold; an amount is exact or refused.
	_, frac, _ := strings.Cut(s, ".")
	if len(strings.TrimRight(frac, "0")) > d.Scale() {
		return Amount{}, fmt.Errorf("%q has more digits than an amount can have", s)
	}
	return Amount{d}, nil
}

// MustParse is Parse for constants; it panics on an error.
func MustParse(s string) Amount {
	a, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return a
}

// FromInt returns n whole units.
func FromInt(n int) Amount { return Amount{decimal.MustNew(int64(n), 0)} }

// Add returns a + b. It reports an error when the sum has over 19 digits.
func (a Amount) Add(b Amount) (Amount, error) { return wrap(a.d.Add(b.d)) }

// Sub returns a − b.
func (a Amount) Sub(b Amount) (Amount, error) { return wrap(a.d.Sub(b.d)) }

// Mul returns a × b, not rounded.
func (a Amount) Mul(b Amount) (Amount, error) { return wrap(a.d.Mul(b.d)) }

// Quo returns a ÷ b, rounded half away from zero to the given digits. ok is
// false when b is zero: the ratio is then not defined, and callers show "n/a".
func (a Amount) Quo(b Amount, digits int) (q Amount, ok bool) {
	if b.d.IsZero() {
		return Amount{}, false
	}
	// One operation rounds to 19 digits, so the second rounding cannot see a
	// tie that is not there for amounts of a business.
	d, err := a.d.Quo(b.d)
	if err != nil {
		return Amount{}, false
	}
	return Amount{d}.Round(digits), true
}

// Round returns a with the given number of decimals, half away from zero.
func (a Amount) Round(digits int) Amount {
	if a.d.Scale() <= digits {
		return Amount{a.d.Pad(digits)}
	}
	cut := a.d.Trunc(digits)
	rest, err := a.d.Sub(cut)
	if err != nil {
		return Amount{a.d.Round(digits)}
	}
	half := decimal.MustNew(5, digits+1)
	if rest.CmpAbs(half) < 0 {
		return Amount{cut.Pad(digits)}
	}
	up, err := cut.Add(cut.ULP().CopySign(a.d))
	if err != nil {
		return Amount{a.d.Round(digits)}
	}
	return Amount{up.Pad(digits)}
}

// Cmp compares as strings.Compare does.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }

// IsZero reports whether a is 0.
func (a Amount) IsZero() bool { return a.d.IsZero() }

// Negative reports whether a is below 0.
func (a Amount) Negative() bool { return a.d.IsNeg() }

// Decimals returns how many digits stand behind the point.
func (a Amount) Decimals() int { return a.d.MinScale() }

// String returns the plain number, as in data: "1234.50".
func (a Amount) String() string { return a.d.String() }

// MarshalJSON writes a JSON number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.d.String()), nil }

// UnmarshalJSON reads a JSON number or a numeric string; null is 0.
func (a *Amount) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*a = Amount{}
		return nil
	}
	p, err := Parse(strings.Trim(string(data), `"`))
	if err != nil {
		return err
	}
	*a = p
	return nil
}

func wrap(d decimal.Decimal, err error) (Amount, error) {
	if err != nil {
		return Amount{}, fmt.Errorf("the amount is too large: %w", err)
	}
	return Amount{d}, nil
}

// Digits returns how many decimals an amount of the currency has: 2 for INR, 0
// for JPY, 3 for KWD. An unknown currency has 2.
func Digits(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	scale, _ := currency.Standard.Rounding(unit)
	return scale
}
