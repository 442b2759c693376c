package model

import (
	"regexp"
	"strings"
	"time"
)

// alike returns the concepts of text with one for all names and codes, so that
// an example with one name fits a message with another.
func (l *lexicon) features(text string, today time.Time) map[string]bool {
	found := l.entitiesIn(strings.Trim(strings.TrimSpace(text), `"'`), today, false)
	out := l.conceptsIn(found.common)
	if bookVerb.MatchString(text) {
		out["create"] = true
	}
	for _, code := range found.codes {
		if mixed.MatchString(code) {
			out["<code>"] = true
		} else {
			out["<name>"] = true
		}
	}
	if len(found.proper) > 0 {
		out["<name>"] = true
	}
	return out
}

// mixed is the form of numbers that a machine gave: K7QMPX, SEL-ABC123.
var mixed = regexp.MustCompile(`\d`)

func nameOnly(a, b map[string]bool) bool {
	for c := range a {
		if b[c] && c[0] != '<' {
			return false
		}
	}
	return true
}

// overlap is the share of concepts that two texts have in common. That both
// name something, or look at something, is half a sign.
func overlap(a, b map[string]bool) float64 {
	weigh := func(set, within map[string]bool) (sum float64) {
		for c := range set {
			switch {
			case within != nil && !within[c]:
			case c[0] == '<' || isIn(c, readVerbs):
				sum += 0.5
			default:
				sum++
			}
		}
		return sum
	}
	all := weigh(a, nil) + weigh(b, nil)
	if all == 0 {
		return 0
	}
	return 2 * weigh(a, b) / all
}
