package money

import "strings"

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
