package billfile

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// line is a line of a document with its place.
type line struct {
	page   int // from 1; 0 in a document without pages
	number int // on the page, from 1
	text   string
}

// place says where a line stands, as people say it.
func (l line) place(picture bool) string {
	switch {
	case picture:
		return fmt.Sprintf("from the picture, line %d", l.number)
	case l.page == 0:
		return fmt.Sprintf("line %d", l.number)
	}
	return fmt.Sprintf("page %d, line %d", l.page, l.number)
}

var (
	pageMark = regexp.MustCompile(`^\[Page (\d{1,4})\]$`)
	// glued are labels that a PDF draws right behind the cell before them.
	glued = regexp.MustCompile(`([\pL\d])((?:Invoice |Bill |Due )?` +
		`(?:Date|Dated|GSTIN|PAN|State|Place of Supply)\s*:)`)
	spaced = regexp.MustCompile(`(\d) %`)
)

// Bounds of a bill: lines, and bytes of one.
const (
	maxLines  = 2000
	maxLength = 1000
)

// linesOf parts a text into lines that say something.
func linesOf(text string) []line {
	var out []line
	page, number := 0, 0
	for t := range strings.Lines(text) {
		t = strings.ToValidUTF8(strings.TrimSpace(strings.Map(visible, t[:min(len(t), maxLength)])), "")
		if m := pageMark.FindStringSubmatch(t); m != nil {
			page, number = page+1, 0
			continue
		}
		number++
		if t = glued.ReplaceAllString(t, "$1   $2"); t != "" {
			out = append(out, line{page, number, spaced.ReplaceAllString(t, "$1%")})
		}
		if len(out) == maxLines {
			break
		}
	}
	return out
}

// visible leaves out characters that people do not see.
func visible(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case unicode.Is(unicode.Cf, r), unicode.IsControl(r), r == unicode.ReplacementChar:
		return -1
	}
	return r
}

// figure is a number of a line.
type figure struct {
	at      int // index of the token
	value   money.Amount
	percent bool
	bare    bool // digits alone
}

var numeric = regexp.MustCompile(`^(?:₹|Rs\.?|INR)?-?\d[\d,]*(?:\.\d+)?%?$`)

// number reads a token that is a number.
func number(token string) (figure, bool) {
	token = strings.TrimSuffix(strings.TrimSuffix(token, "/-"), ".")
	if !numeric.MatchString(token) {
		return figure{}, false
	}
	digits, percent := strings.CutSuffix(token, "%")
	a, err := rupees.Parse(strings.TrimPrefix(digits, "INR"))
	if err != nil {
		return figure{}, false
	}
	return figure{value: a, percent: percent, bare: strings.Trim(digits, "0123456789") == ""}, true
}

// figures returns the numbers among tokens.
func figures(tokens []string) []figure {
	var out []figure
	for i, t := range tokens {
		if f, ok := number(t); ok {
			f.at = i
			out = append(out, f)
		}
	}
	return out
}

// tokens parts a line; a currency sign that stands alone is left out.
func tokens(text string) []string {
	var out []string
	for t := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return unicode.IsSpace(r) || r == '|' || r == '@'
	}) {
		switch t {
		case "₹", "Rs", "Rs.", "INR", ":", "-":
		default:
			out = append(out, t)
		}
	}
	return out
}

// last returns the last amount of a text, which is no percentage.
func last(text string) (money.Amount, bool) {
	list := figures(tokens(text))
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].percent {
			return list[i].value, true
		}
	}
	return money.Zero, false
}

var dayShape = regexp.MustCompile(`\b\d{1,4}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ,]{1,2}\d{2,4}\b`)

// day returns the first day of a text.
func day(text string) (calendar.Date, bool) {
	m := dayShape.FindString(text)
	if m == "" {
		return calendar.Date{}, false
	}
	d, err := rupees.ParseDate(strings.ReplaceAll(m, ",", " "))
	return d, err == nil
}

// cut bounds what is taken over from a document.
func cut(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most]))
	}
	return s
}
