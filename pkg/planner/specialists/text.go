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

// cleanAll cleans texts and leaves out the empty ones and those beyond maxPoints.
func cleanAll(list []string) []string {
	var out []string
	for _, s := range list {
		if s = clean(s, maxPoint); s != "" && len(out) < maxPoints {
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
