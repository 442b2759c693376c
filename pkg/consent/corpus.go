package consent

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// corpus is a text index in which values are searched by their canonical forms:
// words without case and marks, numbers without separators, dates.
type corpus struct {
	text    string // " words between single spaces "
	words   []string
	known   map[string]bool // words, and without a plural's s
	numbers map[string]bool
}

// newest joins the newest of the texts, as much as is searched.
func newest(texts []string) string {
	size, first := 0, len(texts)
	for first > 0 && size < maxSource {
		first--
		size += len(texts[first])
	}
	joined := strings.Join(texts[first:], "\n")
	return joined[max(0, len(joined)-maxSource):]
}

// newAnswers takes what tools answered: there everything stands in one form.
func newAnswers(texts []string) *corpus {
	joined := newest(texts)
	c := &corpus{text: spaced(joined), numbers: map[string]bool{}}
	for part := range strings.FieldsFuncSeq(joined, func(r rune) bool {
		return (r < '0' || r > '9') && r != '.' &&
			r != ','
	}) {
		if part = strings.Trim(part, ".,"); part == "" {
			continue
		}
		c.numbers[plainNumber(part)] = true // "1,250.00" and 1250.00 alike
		for digits := range strings.SplitSeq(part, ",") {
			c.numbers[plainNumber(digits)] = true // the last of a list
		}
	}
	return c
}

func newCorpus(texts []string) *corpus {
	joined := newest(texts)
	c := &corpus{text: spaced(joined), known: map[string]bool{}, numbers: numbers(joined)}
	c.words = strings.Fields(c.text)
	small, large := numerals(), factors()
	for i, w := range c.words {
		c.known[singular(w)] = true
		if n, ok := small[w]; ok {
			c.numbers[n] = true
		}
		if factor, ok := large[w]; ok && i > 0 {
			c.scale(c.words[i-1], factor)
		}
	}
	return c
}

// scale adds "2 lakh" and "dedh lakh" as what they come to.
func (c *corpus) scale(word, factor string) {
	n, ok := halves()[word]
	if !ok {
		n = word
	}
	// The decimals of "2.5 lakh" stand apart in words; numbers has those.
	amount, err := money.Parse(n)
	if err != nil {
		return
	}
	if product, err := amount.Mul(money.MustParse(factor)); err == nil {
		c.numbers[plainNumber(product.String())] = true
	}
}

// holds reports whether a tool result has the value.
func (c *corpus) holds(v tool.Value) bool {
	if v.Num {
		return c.numbers[plainNumber(v.Text)]
	}
	return strings.Contains(c.text, spaced(v.Text))
}

// hasSaid reports whether the user typed the value, in any notation.
func (c *corpus) hasSaid(v tool.Value, today calendar.Date) bool {
	switch {
	case v.Num:
		return c.numbers[plainNumber(v.Text)]
	case v.Date:
		d, err := calendar.Parse(v.Text)
		return err == nil && c.hasDate(d, today, true)
	}
	words := strings.Fields(spaced(v.Text))
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !c.known[singular(w)] })
}

// spaced folds a text and puts single spaces around its words.
func spaced(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	gap := true
	for _, r := range norm.NFKC.String(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
			gap = false
		case unicode.Is(unicode.Cf, r), r == '\'', r == '’':
			// invisible, or inside a word
		case !gap:
			b.WriteByte(' ')
			gap = true
		}
	}
	if !gap {
		b.WriteByte(' ')
	}
	return b.String()
}

func singular(w string) string {
	if len(w) > 3 {
		return strings.TrimSuffix(w, "s")
	}
	return w
}

// numberShape is a number as people and JSON write it, with a multiplier.
var numberShape = regexp.MustCompile(`(?i)([0-9][0-9,]*(?:\.[0-9]+)?)(?: ?(k|lakhs?|lacs?|l|crores?|cr|thousand|` +
	`hazaa?r)\b)?`)

// numbers returns the plain forms of all numbers of a text.
func numbers(text string) map[string]bool {
	out, multiples := map[string]bool{}, factors()
	text = strings.Map(func(r rune) rune {
		if r >= '०' && r <= '९' {
			return r - '०' + '0'
		}
		return r
	}, text)
	for _, m := range numberShape.FindAllStringSubmatch(text, -1) {
		n := plainNumber(m[1])
		out[n] = true
		factor, ok := multiples[strings.ToLower(m[2])]
		if !ok {
			continue
		}
		if amount, err := money.Parse(n); err == nil {
			if product, err := amount.Mul(money.MustParse(factor)); err == nil {
				out[plainNumber(product.String())] = true
			}
		}
	}
	return out
}

// plainNumber writes a number without sign, separators and needless zeros.
func plainNumber(s string) string {
	s = strings.TrimLeft(strings.ReplaceAll(s, ",", ""), "+-")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s = strings.TrimLeft(s, "0"); s == "" || s[0] == '.' {
		s = "0" + s
	}
	return s
}

// factors are the words that multiply the number before them.
func factors() map[string]string {
	return map[string]string{
		"k": "1000", "thousand": "1000", "hazar": "1000", "hazaar": "1000", "हज़ार": "1000", "हजार": "1000",
		"l": "100000", "lakh": "100000", "lakhs": "100000", "lac": "100000", "lacs": "100000", "लाख": "100000",
		"cr": "10000000", "crore": "10000000", "crores": "10000000", "करोड़": "10000000",
	}
}

func halves() map[string]string {
	return map[string]string{"a": "1", "one": "1", "ek": "1", "एक": "1", "half": "0.5", "aadha": "0.5", "dedh": "1.5",
		"डेढ़": "1.5", "dhai": "2.5", "ढाई": "2.5", "two": "2", "do": "2", "teen": "3", "three": "3"}
}

// numerals are small numbers in words. "a" counts as one: "for a guest".
func numerals() map[string]string {
	out := map[string]string{"a": "1", "an": "1", "single": "1", "couple": "2", "both": "2", "dozen": "12",
		"free": "0", "nothing": "0"}
	for i, word := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve") {
		out[word] = strconv.Itoa(i)
	}
	for i, word := range strings.Fields("ek do teen char paanch chhe saat aath nau das") {
		out[word] = strconv.Itoa(i + 1)
	}
	for i, word := range strings.Fields("एक दो तीन चार पाँच छह सात आठ नौ दस") {
		out[word] = strconv.Itoa(i + 1)
	}
	return out
}
