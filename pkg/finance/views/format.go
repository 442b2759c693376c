package views

import (
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// format is how a value is written.
type format string

// The formats. A value that is not of its kind is written as the text that it is.
const (
	words   format = ""        // as it is
	rupee   format = "rs"      // ₹1,23,456.00
	short   format = "short"   // ₹1.23 lakh
	number  format = "n"       // 1,23,456.5
	day     format = "date"    // 22/11/2026
	month   format = "month"   // November 2026
	percent format = "pct"     // 12.5 %
	trend   format = "trend"   // ▲ 12.5 %
	yes     format = "yes"     // yes or no
	code    format = "word"    // partly_paid is "Partly paid"
	inline  format = "inline"  // "partly paid", within a sentence
	filter  format = "filter"  // "partly paid ", or nothing
	account format = "account" // •••• 3301
	place   format = "place"   // 27 is Maharashtra
	label   format = "label"   // as it is; 2026-11 is November 2026
)

// right reports whether values of the format are figures.
func (f format) right() bool {
	switch f {
	case rupee, number, percent, trend:
		return true
	}
	return false
}

// cell is a value in a table.
func (f format) cell(v any) render.Cell {
	if v == nil {
		return render.Text("")
	}
	text := f.write(language.English, v, maxCell)
	if a, ok := amount(v); ok && f.right() {
		return render.Cell{Text: text, Value: a}
	}
	if d, ok := date(v); ok && f == day {
		return render.Cell{Text: text, Value: d}
	}
	return render.Text(text)
}

// write returns a value as text, of at most limit runes.
func (f format) write(l language.Language, v any, limit int) string {
	switch f {
	case rupee, short, number, percent, trend:
		if a, ok := amount(v); ok {
			return f.figure(l, a)
		}
	case day:
		if d, ok := date(v); ok {
			return rupees.Date(d)
		}
	case month, label:
		if d, ok := monthOf(v); ok {
			return monthName(l, d.Month) + " " + strconv.Itoa(d.Year)
		}
	case yes:
		if b, ok := v.(bool); ok {
			return map[bool]string{true: "yes", false: "no"}[b]
		}
	case code, inline, filter:
		return f.coded(l, clean(scalar(v), limit))
	case account:
		if s := clean(scalar(v), limit); len(s) > 4 && strings.Trim(s, "0123456789 -") == "" {
			return "•••• " + s[len(s)-4:]
		}
	case place:
		if name, ok := gst.StateName(scalar(v)); ok {
			return name
		}
	case words:
	}
	return clean(scalar(v), limit)
}

func (f format) figure(l language.Language, a money.Amount) string {
	switch f {
	case rupee:
		return rupees.Format(a)
	case short:
		s := rupees.Short(a)
		if l == language.Hindi {
			s = strings.NewReplacer("lakh", "लाख", "crore", "करोड़").Replace(s)
		}
		return s
	case percent:
		return trimmed(a) + " %"
	case trend:
		sign := "►"
		if a.Negative() {
			sign, a = "▼", absolute(a)
		} else if !a.IsZero() {
			sign = "▲"
		}
		return sign + " " + trimmed(a) + " %"
	}
	return trimmed(a)
}

func (f format) coded(l language.Language, s string) string {
	if s == "" {
		return ""
	}
	s = translated(l, s)
	switch f {
	case code:
		return upperFirst(s)
	case filter:
		return s + " "
	}
	return s
}

// trimmed is a number grouped as in India, without zeros at its end.
func trimmed(a money.Amount) string {
	minus := ""
	if a.Negative() {
		minus, a = "-", absolute(a)
	}
	whole, frac, _ := strings.Cut(a.String(), ".")
	if frac = strings.TrimRight(frac, "0"); frac != "" {
		frac = "." + frac
	}
	grouped, _, _ := strings.Cut(strings.TrimPrefix(wholeOf(whole).Format("INR"), "₹"), ".")
	return minus + grouped + frac
}

func wholeOf(digits string) money.Amount {
	a, err := money.Parse(digits)
	if err != nil {
		return money.Zero
	}
	return a
}

func absolute(a money.Amount) money.Amount {
	if !a.Negative() {
		return a
	}
	b, err := money.Zero.Sub(a)
	if err != nil {
		return a
	}
	return b
}

// date reads a day, or the day of a moment.
func date(v any) (calendar.Date, bool) {
	s, _ := v.(string)
	if len(s) > len(time.DateOnly) && (s[len(time.DateOnly)] == 'T' || s[len(time.DateOnly)] == ' ') {
		s = s[:len(time.DateOnly)]
	}
	d, err := calendar.Parse(s)
	return d, err == nil
}

// monthOf reads a month: "2026-11" or a day of it.
func monthOf(v any) (calendar.Date, bool) {
	s, _ := v.(string)
	if len(s) == len("2026-11") {
		s += "-01"
	}
	return date(s)
}

// edge returns the first or the last day of a month; nil for what is no month.
func edge(v any, last bool) any {
	d, ok := monthOf(v)
	if !ok {
		return nil
	}
	r := calendar.Month(d)
	if last {
		return r.To.AddDays(-1).String()
	}
	return r.From.String()
}
