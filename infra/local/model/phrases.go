package model

import (
	"regexp"
	"strings"
)

// phrase is several words that a domain has as one.
type phrase struct {
	said  *regexp.Regexp
	means string
}

// phrasesOf reads the phrases of a domain, in their order.
func phrasesOf(d Domain) []phrase {
	var out []phrase
	for _, line := range d.Phrases {
		means, said, _ := strings.Cut(line, ":")
		for one := range strings.SplitSeq(said, ",") {
			if words := strings.Fields(one); len(words) > 0 {
				for i, w := range words {
					words[i] = regexp.QuoteMeta(w)
				}
				// "check in" is also "checks in", "check-ins" and "checkin".
				pattern := `(?i)\b` + words[0] + `(?:s|ed|ing)?`
				for _, w := range words[1:] {
					pattern += `[\s_-]*` + w
				}
				out = append(out, phrase{regexp.MustCompile(pattern + `s?\b`), " " + strings.TrimSpace(means) + " "})
			}
		}
	}
	return out
}
