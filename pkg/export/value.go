package export

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// value is a cell as a spreadsheet takes it: a day, a number, or a text.
type value struct {
	text     string
	day      calendar.Date
	number   money.Amount
	kind     kind
	currency string // of a number that is money: its sign, as it stands before it
	percent  bool
	way      string // a sign before a number that says how it went: "▲ ", "▼ ", "= "
}

type kind uint8

const (
	isText kind = iota
	isNumber
	isDay
)

// maxDigits is what a spreadsheet keeps of a number. A longer one stays text.
const maxDigits = 15

// read finds the value behind the text of a cell. A text is a number or a day
// only if that is written in exactly this way, so that nothing looks different
// afterwards: 007 and 1E5 stay texts.
func read(c render.Cell) value {
	v := value{text: c.Text}
	if d, ok := readDay(c.Text); ok {
		v.kind, v.day = isDay, d
		return v
	}
	figures := strings.Replace(c.Text, "\u2212", "-", 1) // a minus as it is printed
	for _, way := range []string{"▲ ", "▼ ", "= "} {
		if rest, ok := strings.CutPrefix(figures, way); ok {
			figures, v.way = rest, way
		}
	}
	if strings.HasSuffix(figures, " %") {
		figures, v.percent = strings.TrimSuffix(figures, " %"), true
	}
	if a, ok := readNumber(figures); ok {
		v.kind, v.number = isNumber, a
		return v
	}
	if a, sign, ok := readMoney(figures); ok && !v.percent {
		v.kind, v.number, v.currency = isNumber, a, sign
	}
	return v
}

func readDay(s string) (calendar.Date, bool) {
	if len(s) != len("15-Jan-2026") {
		return calendar.Date{}, false
	}
	month := strings.Index("JanFebMarAprMayJunJulAugSepOctNovDec", s[3:6])
	if month < 0 || month%3 != 0 {
		return calendar.Date{}, false
	}
	number := strconv.Itoa(month/3 + 1)
	if len(number) == 1 {
		number = "0" + number
	}
	d, err := calendar.Parse(s[7:] + "-" + number + "-" + s[:2])
	// Spreadsheets count days from 1900 on, and the first months wrongly.
	if err != nil || d.Show() != s || d.Year < 1901 {
		return calendar.Date{}, false
	}
	return d, true
}

func readNumber(s string) (money.Amount, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || len(strings.ReplaceAll(digits, ".", "")) > maxDigits {
		return money.Amount{}, false
	}
	a, err := money.Parse(s)
	if err != nil || a.String() != s {
		return money.Amount{}, false
	}
	return a, true
}

// readMoney reads what money.Format writes.
func readMoney(s string) (a money.Amount, sign string, ok bool) {
	rest, minus := strings.CutPrefix(s, "-")
	at := strings.IndexFunc(rest, unicode.IsDigit)
	if at <= 0 {
		return a, "", false
	}
	code, known := map[string]string{"₹": "INR", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}[rest[:at]]
	if !known {
		code = strings.TrimSuffix(rest[:at], " ")
		if len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return a, "", false
		}
	}
	figures := strings.ReplaceAll(rest[at:], ",", "")
	if minus {
		figures = "-" + figures
	}
	if a, ok = readNumber(figures); !ok || a.Format(code) != s {
		return a, "", false
	}
	return a, rest[:at], true
}

// currency returns the sign of the money in a column, "" where there is none or
// more than one.
func currency(t render.Table, column int) string {
	sign := ""
	for _, row := range t.Rows {
		if column >= len(row) {
			continue
		}
		switch v := read(row[column]); {
		case v.currency == "" || v.currency == sign:
		case sign != "":
			return ""
		default:
			sign = v.currency
		}
	}
	return sign
}
