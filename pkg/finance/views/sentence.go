package views

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// tell is a text in the languages of the assistant. In braces stand values of the
// answer:
//
//	{customer}               the value at a path, see shown.value
//	{total|rs}               the same, in a format
//	{oldest|date!, since %}  a text with the value for %, where there is one
//	{total?# bill|# bills}   one text for 1, another for other numbers; # is the number.
//	                         A third text is for none.
//
// In Hinglish, which is Hindi in Latin letters, nouns of accounting are English.
type tell struct{ english, hinglish, hindi string }

func (t tell) in(l language.Language) string {
	switch l {
	case language.Hindi:
		return t.hindi
	case language.Hinglish:
		return t.hinglish
	case language.English:
	}
	return t.english
}

// spoken is what is said of an answer: Some where the value When holds, or where there is
// no When, and None otherwise. When may end with ">0", which a number meets.
type spoken struct {
	when       string
	some, none tell
}

var braces = regexp.MustCompile(`\{([^{}]*)\}`)

// say fills a text of the language. Texts of the answer are literal in Markdown.
func (s shown) say(l language.Language, row any, text string) string {
	return s.fill(l, row, text, render.Escape)
}

// plain fills an English text that is not Markdown.
func (s shown) plain(row any, text string) string {
	return s.fill(language.English, row, text, func(t string) string { return t })
}

func (s shown) fill(l language.Language, row any, text string, escape func(string) string) string {
	return braces.ReplaceAllStringFunc(text, func(m string) string {
		m = m[1 : len(m)-1]
		if path, forms, ok := strings.Cut(m, "?"); ok {
			one, many, _ := strings.Cut(forms, "|")
			many, none, zero := strings.Cut(many, "|")
			n := s.value(row, path)
			if a, ok := amount(n); ok && a.Cmp(money.FromInt(1)) == 0 {
				many = one
			}
			if !holds(n) {
				if zero {
					many = none
				}
				n = json.Number("0")
			}
			return strings.ReplaceAll(many, "#", escape(number.write(l, n, maxName)))
		}
		expr, around, optional := strings.Cut(m, "!")
		path, f, _ := strings.Cut(expr, "|")
		v := s.value(row, path)
		if optional && !holds(v) {
			return ""
		}
		out := escape(format(f).write(l, v, maxName))
		if optional && out != "" {
			return strings.Replace(around, "%", out, 1)
		}
		return out
	})
}

// speak says what the answer holds.
func (s shown) speak(l language.Language, sp spoken) string {
	t := sp.none
	if sp.when == "" || s.meets(s.answer, sp.when) {
		t = sp.some
	}
	return literal.ReplaceAllString(strings.TrimSpace(s.say(l, s.answer, t.in(l))), `$1\$2`)
}

// literal finds what begins a list or a heading in Markdown.
var literal = regexp.MustCompile(`^([0-9]*)([-+=.)]\s)`)

// meets reports whether a value holds, or with ">0" at the end whether it is positive.
func (s shown) meets(row any, when string) bool {
	if path, ok := strings.CutSuffix(when, ">0"); ok {
		a, ok := amount(s.value(row, path))
		return ok && !a.IsZero() && !a.Negative()
	}
	if path, ok := strings.CutPrefix(when, "!"); ok {
		return !holds(s.value(row, path))
	}
	return holds(s.value(row, when))
}

// value returns what is at a path of the row. A path may begin with "^", which is the
// answer, "$", the arguments of the call, "@", a figure that is derived from the
// answer, "#", the number of elements, "~", the absolute amount, "<" and ">", the first and
// the last day of a month, "'", a text, or "+", a number or true.
func (s shown) value(row any, path string) any {
	if path == "" {
		return nil
	}
	rest := path[1:]
	switch path[0] {
	case '^':
		return at(s.answer, rest)
	case '$':
		return at(s.arguments, rest)
	case '@':
		name, inner, _ := strings.Cut(rest, ".")
		if d, ok := derived()[name]; ok {
			return at(d(s), inner)
		}
		return nil
	case '#':
		return len(list(s.value(row, rest)))
	case '~':
		v := s.value(row, rest)
		if a, ok := amount(v); ok {
			return json.Number(absolute(a).String())
		}
		return v
	case '\'':
		return strings.TrimSuffix(rest, "'")
	case '+':
		if rest == "true" {
			return true
		}
		return json.Number(rest)
	case '<', '>':
		return edge(s.value(row, rest), path[0] == '>')
	}
	return at(row, path)
}
