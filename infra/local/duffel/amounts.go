package duffel

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"time"
)

// amount is money in the smallest unit of a currency.
type amount int64

// decimals is how many decimals a currency has.
func decimals(currency string) int {
	switch currency {
	case "JPY":
		return 0
	case "KWD":
		return 3
	}
	return 2
}

// text is the amount as Duffel writes it: "227.33", "45600" in JPY.
func (a amount) text(currency string) string {
	digits := decimals(currency)
	if digits == 0 {
		return strconv.FormatInt(int64(a), 10)
	}
	unit := int64(math.Pow10(digits))
	return fmt.Sprintf("%d.%0*d", int64(a)/unit, digits, int64(a)%unit)
}

// readAmount reads what text writes; more decimals than the currency has are refused.
func readAmount(s, currency string) (amount, bool) {
	whole, part, _ := strings.Cut(s, ".")
	digits := decimals(currency)
	if whole == "" || len(part) > digits || strings.HasPrefix(s, "-") {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", digits-len(part)), 10, 64)
	return amount(n), err == nil
}

// inCurrency is an amount of so many euros, at the fixed rates of this stand-in.
func inCurrency(euros float64, currency string) amount {
	rate := map[string]float64{"GBP": 0.86, "USD": 1.1, "JPY": 162, "KWD": 0.335}[currency]
	if rate == 0 {
		rate = 1
	}
	n := euros * rate * math.Pow10(decimals(currency))
	if currency == "JPY" {
		n = math.Round(n/10) * 10
	}
	return amount(math.Round(n))
}

// currencyOf is what is charged where a journey begins, or a hotel stands.
func currencyOf(country string) string {
	switch country {
	case "GB":
		return "GBP"
	case "JP":
		return "JPY"
	case "KW":
		return "KWD"
	case "US":
		return "USD"
	}
	return "EUR"
}

// draw is a number in [0, 1) that depends on nothing but its words.
func draw(words ...any) float64 { return float64(seed(words...)%1_000_003) / 1_000_003 }

// seed mixes words into a number.
func seed(words ...any) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		switch w := w.(type) {
		case string:
			_, _ = h.Write([]byte(w))
		case int:
			_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(w)))
		case uint64:
			_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, w))
		default:
			_, _ = fmt.Fprint(h, w)
		}
		_, _ = h.Write([]byte{0xff})
	}
	n := h.Sum64() // FNV mixes its last bytes little, so its bits are spread
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	n ^= n >> 33
	n *= 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}

// identifier is an id as Duffel makes them: a prefix and 22 letters and digits.
func identifier(prefix string, words ...any) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	text := append(make([]byte, 0, len(prefix)+23), prefix+"_0000"...)
	a, b := seed(append(words, prefix, "a")...), seed(append(words, prefix, "b")...)
	for range 9 {
		text = append(text, alphabet[a%62], alphabet[b%62])
		a, b = a/62, b/62
	}
	return string(text)
}

// stamp is a moment as Duffel writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// second is a moment without fractions.
func second(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// local is a local time of an airport, without an offset.
func local(t time.Time) string { return t.Format("2006-01-02T15:04:05") }

// isoDuration writes minutes as ISO 8601 does.
func isoDuration(minutes int) string {
	var b strings.Builder
	b.WriteString("P")
	if days := minutes / 1440; days > 0 {
		fmt.Fprintf(&b, "%dD", days)
	}
	b.WriteString("T")
	if hours := minutes / 60 % 24; hours > 0 {
		fmt.Fprintf(&b, "%dH", hours)
	}
	if minutes%60 > 0 || minutes == 0 {
		fmt.Fprintf(&b, "%dM", minutes%60)
	}
	return strings.TrimSuffix(b.String(), "T")
}

func pointer[T any](v T) *T { return &v }
