package tool

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxDigits keeps a number such as 1e999999 from costing memory or time.
	maxDigits = 40
	maxPower  = 30
)

// plainNumber writes a JSON number in the one form in which numbers are
// compared, stored and hashed: without an exponent, without zeros that say
// nothing. 50, 50.0 and 5e1 are one number, so they are one call.
func plainNumber(literal string) (json.Number, error) {
	unread := fmt.Errorf("the number %.20s is not written plainly", literal)
	if len(literal) > maxDigits {
		return "", unread
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil || power > maxPower || power < -maxPower {
			return "", unread
		}
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point := whole+fraction, len(whole)+power
	switch {
	case point < 0:
		digits, point = strings.Repeat("0", -point)+digits, 0
	case point > len(digits):
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction = strings.TrimLeft(digits[:point], "0"), strings.TrimRight(digits[point:], "0")
	if len(whole)+len(fraction) > maxDigits {
		return "", unread
	}
	out := whole
	if out == "" {
		out = "0"
	}
	if fraction != "" {
		out += "." + fraction
	}
	if negative && out != "0" {
		out = "-" + out
	}
	return json.Number(out), nil
}
