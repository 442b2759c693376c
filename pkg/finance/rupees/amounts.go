// Package rupees reads and writes amounts of rupees, dates and financial years
// as people in India do.
package rupees

import (
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Format returns an amount in full, rounded to the paisa: "₹1,23,456.00",
// "-₹500.00". An amount that rounds to zero has no sign.
func Format(a money.Amount) string { return a.Format("INR") }

// Short returns an amount as it is said: "₹1.50 crore", "₹2.75 lakh", and below
// one lakh in full. It is rounded before the unit is chosen: 99,99,999 is
// "₹1.00 crore" and 99,999.995 "₹1.00 lakh".
func Short(a money.Amount) string {
	if below(a.Round(2), 100_000) {
		return Format(a)
	}
	if lakhs := inUnits(a, 100_000); below(lakhs, 100) {
		return Format(lakhs) + " lakh"
	}
	return Format(inUnits(a, 10_000_000)) + " crore"
}

func below(a money.Amount, n int) bool {
	return a.Cmp(money.FromInt(n)) < 0 && a.Cmp(money.FromInt(-n)) > 0
}

func inUnits(a money.Amount, unit int) money.Amount {
	q, _ := a.Quo(money.FromInt(unit), 2) // no unit is zero
	return q
}

// Words returns an amount in words, rounded to the paisa, as it stands on an
// invoice: "Rupees One Lakh Twenty Three Thousand and Fifty Paise Only". The
// words of a negative amount begin with "Minus".
func Words(a money.Amount) string {
	r := a.Round(2)
	whole, frac, _ := strings.Cut(strings.TrimPrefix(r.String(), "-"), ".")
	n, _ := strconv.ParseUint(whole, 10, 64) // an Amount has at most 19 digits
	paise, _ := strconv.ParseUint(frac, 10, 64)
	text := "Rupees " + strings.Join(number(n), " ")
	if paise > 0 {
		text += " and " + strings.Join(number(paise), " ") + " Paise"
	}
	if r.Negative() {
		text = "Minus " + text
	}
	return text + " Only"
}

// number returns the words of n with the units of India: 12,34,567 is twelve lakh
// thirty four thousand five hundred sixty seven.
func number(n uint64) []string {
	small := strings.Fields("Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen " +
		"Fifteen Sixteen Seventeen Eighteen Nineteen")
	tens := strings.Fields("Zero Ten Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety")
	switch {
	case n < 20:
		return small[n : n+1]
	case n < 100:
		return join(tens[n/10:n/10+1], n%10)
	}
	for _, unit := range []struct {
		name string
		size uint64
	}{{"Crore", 10_000_000}, {"Lakh", 100_000}, {"Thousand", 1000}} {
		if n >= unit.size {
			return join(append(number(n/unit.size), unit.name), n%unit.size)
		}
	}
	return join(append(number(n/100), "Hundred"), n%100)
}

// join returns the words and, unless it is zero, the rest.
func join(words []string, rest uint64) []string {
	if rest == 0 {
		return words
	}
	return append(append([]string{}, words...), number(rest)...)
}

// Parse reads an amount as people and documents write it: "1,23,456.00",
// "(1,234.00)" and "-₹1,234", which are negative, "2.5 lakh", "₹2.5L", "1.5 Cr",
// "dhai crore", "Rs. 500/-", digits of Devanagari. "500 Dr" is negative, as in the
// statement of a bank; "500 Cr" is 500 crore, see [ParseEntry]. Errors are of
// kind fault.Invalid.
func Parse(s string) (money.Amount, error) {
	a, _, err := parse(s, false)
	return a, err
}

// ParseEntry is Parse for a line of a statement, where "1,234.00 Cr" is a credit
// of 1,234.00 and "Dr" a debit, which is negative. Signed says that the text
// itself tells the side, by a sign, parentheses, Dr or Cr.
func ParseEntry(s string) (a money.Amount, signed bool, err error) { return parse(s, true) }

func parse(s string, entry bool) (money.Amount, bool, error) {
	rest, signs, negative := bare(strings.ToLower(s), entry)
	a, ok := intent.Amount(rest)
	foreign := strings.ContainsAny(rest, "$€£") || strings.Contains(rest, "dollar")
	if !ok || signs > 1 || foreign {
		return money.Zero, false, fault.New(fault.Invalid, "%q is not an amount such as 1,23,456.00 or 2.5 lakh.",
			shown(s))
	}
	if negative {
		a, _ = money.Zero.Sub(a) // a sign needs no digit
	}
	return a, signs > 0, nil
}

// bare takes the currency and the signs off an amount and counts the signs.
func bare(s string, entry bool) (rest string, signs int, negative bool) {
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, "−", "-")), " ")
	sign := func(minus bool) { signs, negative = signs+1, negative || minus }
	for before := ""; s != before; {
		before = s
		for _, currency := range []string{"₹", "rs.", "rs", "inr"} {
			s = strings.TrimSpace(strings.TrimPrefix(s, currency))
		}
		for _, end := range []string{"/-", "/="} {
			s = strings.TrimSpace(strings.TrimSuffix(s, end))
		}
		if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
			s = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
			sign(true)
		}
		if cut, ok := strings.CutPrefix(s, "-"); ok {
			s = strings.TrimSpace(cut)
			sign(true)
		} else if cut, ok := strings.CutPrefix(s, "+"); ok {
			s = strings.TrimSpace(cut)
			sign(false)
		}
		if cut, ok := strings.CutSuffix(strings.TrimSuffix(s, "."), "dr"); ok {
			s = strings.TrimSpace(cut)
			sign(true)
		} else if cut, ok := strings.CutSuffix(strings.TrimSuffix(s, "."), "cr"); ok && entry {
			s = strings.TrimSpace(cut)
			sign(false)
		}
	}
	return s, signs, negative
}

// shown is what a sentence about a text repeats of it.
func shown(s string) string {
	const most = 40 // runes
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
