package options

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// tokensOf returns the words of a text in small letters without accents.
func tokensOf(s string) []string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// same reports whether two names are the same but for case, accents and punctuation.
func same(a, b string) bool { return a != "" && (a == b || slices.Equal(tokensOf(a), tokensOf(b))) }

// light reports whether a word says nothing of a place.
func light(w string) bool {
	switch w {
	case "the", "a", "an", "of", "de", "do", "da", "la", "le", "el", "at", "in", "to", "and", "see", "visit", "must",
		"go", "walk", "tour", "trip", "eat", "dinner", "lunch", "want", "we", "i", "on", "along", "around",
		"definitely", "please":
		return true
	}
	return false
}

func heavy(s string) []string { return slices.DeleteFunc(tokensOf(s), light) }

// sameThing reports whether a wish means the thing of a name: all words of one of them
// stand in the other.
func sameThing(name, wish string) bool {
	n, w := heavy(name), heavy(wish)
	if len(n) == 0 || len(w) == 0 {
		return false
	}
	return within(n, w) || within(w, n) && len(strings.Join(w, "")) > 3
}

// sameWords returns how many words a name and a wish that means its thing have in common,
// 0 where it means something else.
func sameWords(name, wish string) int {
	if !sameThing(name, wish) {
		return 0
	}
	n, w := heavy(name), heavy(wish)
	return min(len(n), len(w))
}

func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// mentions reports whether a text has all words of a name.
func mentions(text, name string) bool { return name != "" && within(tokensOf(name), tokensOf(text)) }

// spanText returns a range for people: "€640–820", "€12.50"; cents only where there are any.
func spanText(from, to money.Amount, currency string) string {
	low, high := whole(from, currency), whole(to, currency)
	if low == high {
		return low
	}
	digit := strings.IndexFunc(high, unicode.IsDigit)
	return low + "–" + high[max(0, digit):]
}

// whole formats an amount without zeros behind the point.
func whole(a money.Amount, currency string) string {
	return strings.TrimSuffix(strings.TrimSuffix(a.Format(currency), ".000"), ".00")
}

// upper returns a text with a capital letter at its beginning.
func upper(s string) string {
	for i, r := range s {
		return s[:i] + string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

// listText joins "a", "a and b", "a, b and c".
func listText(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// count returns "1 night", "3 nights".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}
