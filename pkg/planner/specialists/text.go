package specialists

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// listedOnly is an assumption of what is made of listed prices.
const listedOnly = "Listed prices are typical ranges, not offers."

// Bounds of texts, in letters.
const (
	maxName     = 80
	maxSentence = 200
	maxPoint    = 100 // of a pro, a con, an amenity, a dish
	maxPoints   = 4
)

var (
	links     = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	tags      = regexp.MustCompile(`(?s)<!--.*?-->|</?[a-zA-Z!][^>]*>?`)
	addresses = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://\S*|://\S*|(?:\b(?:mailto|data|tel)|javascript):\S*` +
		`|www\.\S*|\S+@\S+\.\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/\S*`)
	openings = regexp.MustCompile(`(?m)^\s*(?:#{1,6}\s+|>+\s*|[-*+]\s+|\d+[.)]\s+)`)
)

// clean makes one line of plain text of what a model or a supplier wrote: without
// Markdown, HTML, addresses and invisible characters, of at most so many letters.
func clean(s string, most int) string {
	const longest = 8 // bytes that are read for each letter that is kept
	if len(s) > longest*most {
		s = s[:longest*most]
	}
	s = plaintext.Clean(html.UnescapeString(html.UnescapeString(strings.ToValidUTF8(s, ""))))
	s = openings.ReplaceAllString(s, "")
	s = tags.ReplaceAllString(links.ReplaceAllString(s, "$1"), " ")
	s = strings.NewReplacer("__", "", "~~", "", "*", "", "`", "", "<", "", ">", "", "|", " ", "](", " ").Replace(s)
	s = addresses.ReplaceAllString(s, "") // last: an address may have had marks within it
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Co, r) {
			return ' '
		}
		return r
	}, s)
	return cut(strings.Join(strings.Fields(s), " "), most)
}

// priced are amounts of money in a text.
var priced = regexp.MustCompile(`(?i)[$€£¥₹]\s?\d|\d\s?[€£₹]|\b(?:rs\.?|inr|usd|eur|gbp|jpy|aud|cad|chf)\s?\d|` +
	`\d\s?(?:usd|eur|gbp|inr|jpy|aud|cad|chf|euros?|dollars?|pounds?|rupees?|yen|bucks)\b`)

// unpriced cleans a text of a model. One with an amount of money is left out: what a model
// says that something costs has members of its own.
func unpriced(s string, most int) string {
	s = clean(s, most)
	if priced.MatchString(s) {
		return ""
	}
	return s
}

// unpricedAll does so with texts, at most maxPoints of them.
func unpricedAll(list []string) []string {
	var out []string
	for _, s := range list {
		if s = unpriced(s, maxPoint); s != "" && len(out) < maxPoints {
			out = append(out, s)
		}
	}
	return out
}

// cut shortens to so many letters, an ellipsis among them.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:most-1])) + "…"
}
