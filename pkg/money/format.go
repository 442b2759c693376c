package money

import (
	"fmt"
	"strings"
)

// symbols are the marks that stand before an amount. A currency without one is
// shown by its code and a space.
func symbol(code string) string {
	switch code {
	case "INR":
		return "₹"
	case "USD":
		return "$"
	case "EUR":
		return "€"
	case "GBP":
		return "£"
	case "JPY":
		return "¥"
	}
	return code + " "
}

// Format returns a for people in the currency's own digits and grouping:
// "₹1,23,456.00", "$1,234.50", "CHF 45.00". The sign stands before the symbol,
// and an amount that rounds to zero has none.
func (a Amount) Format(code string) string {
	r := a.Round(Digits(code))
	text := strings.TrimPrefix(r.d.String(), "-")
	whole, frac, _ := strings.Cut(text, ".")
	out := symbol(code) + group(whole, code == "INR")
	if frac != "" {
		out += "." + frac
	}
	if r.Negative() {
		return "-" + out
	}
	return out
}

// group puts commas between digits: after every three, or, as in India, after
// the last three and then every two.
func group(digits string, indian bool) string {
	if len(digits) <= 3 {
		return digits
	}
	head, tail := digits[:len(digits)-3], digits[len(digits)-3:]
	size := 3
	if indian {
		size = 2
	}
	var parts []string
	for len(head) > size {
		parts = append([]string{head[len(head)-size:]}, parts...)
		head = head[:len(head)-size]
	}
	return strings.Join(append(append([]string{head}, parts...), tail), ",")
}

// ParseGrouped reads a number whose digits may be grouped as in India
// ("1,23,456.00") or in threes ("1,234,567.00"), and may be digits of
// Devanagari. Commas elsewhere are refused: "12,34" may be meant as 12.34.
func ParseGrouped(s string) (Amount, error) {
	plain := strings.Map(func(r rune) rune {
		if r >= '०' && r <= '९' {
			return '0' + r - '०'
		}
		return r
	}, s)
	whole, frac, pointed := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	digits := strings.ReplaceAll(whole, ",", "")
	bare := strings.TrimLeft(digits, "0123456789") == ""
	if !bare || whole != digits && whole != group(digits, true) && whole != group(digits, false) {
		return Amount{}, fmt.Errorf("%q is not a number such as 1,23,456.00", s)
	}
	if strings.HasPrefix(plain, "-") {
		digits = "-" + digits
	}
	if pointed {
		digits += "." + frac
	}
	return Parse(digits)
}
