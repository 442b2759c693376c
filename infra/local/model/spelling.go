package model

import (
	"regexp"
	"slices"
	"strings"
)

// How long a word must be that one wrong letter, or two, are put right in.
const (
	longForOne = 6
	longForTwo = 8
)

// dateSpellings are the words for days that people mistype.
var dateSpellings = strings.Fields(`today tonight tomorrow yesterday weekend monday tuesday wednesday thursday friday
saturday sunday january february march april august september october november december morning evening`)

// runOn is a question word that has lost its apostrophe.
var runOn = regexp.MustCompile(`(?i)\b(who|what|where|how)s\b`)

// forCouple is a number of guests that is said by a noun, but for "a couple of days".
var forCouple = regexp.MustCompile(`(?i)\bfor (?:a|one|the) couple( of)?\b`)

// spellingsOf lists the words of groups that a mistyped one may have been, in order.
func spellingsOf(all []string) []string {
	seen := map[string]bool{}
	for _, w := range dateSpellings {
		seen[w] = true
	}
	for _, g := range all {
		for w := range strings.FieldsSeq(g) {
			seen[w] = true
		}
	}
	var out []string
	for w := range seen {
		if len(w) >= longForOne-1 && isLatin(w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

func isLatin(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}

// spelt puts mistyped words right: small letters that mean nothing here and are one letter,
// or in long words two, away from a single word that does.
func (l *lexicon) spelt(text string) string {
	text = runOn.ReplaceAllString(text, "$1 is")
	text = forCouple.ReplaceAllStringFunc(text, func(said string) string {
		if strings.HasSuffix(strings.ToLower(said), " of") {
			return said
		}
		return "for 2 adults"
	})
	return word.ReplaceAllStringFunc(text, func(w string) string {
		low := strings.ToLower(w)
		if len(w) < longForOne-1 || !isLatin(low[:1]) || w[1:] != low[1:] || !isLatin(low) || l.common(low) ||
			slices.Contains(dateSpellings, low) || l.kinds[stem(low)] != "" {
			return w
		}
		isName := w != low
		found, best, twice := "", 3, false
		for _, known := range l.spelled {
			most := 1
			if min(len(low), len(known)) >= longForTwo {
				most = 2
			}
			if low[0] != known[0] || max(len(low), len(known)) < longForOne || isName &&
				!slices.Contains(dateSpellings, known) {
				continue
			}
			switch d := letters(low, known); {
			case d > most || d > best:
			case d == best:
				twice = twice || l.conceptOf(known) != l.conceptOf(found)
			default:
				found, best, twice = known, d, false
			}
		}
		if found == "" || twice {
			return w
		}
		return found
	})
}

// letters counts the letters to insert, drop, replace or swap with the next one.
func letters(a, b string) int {
	if d := len(a) - len(b); d > 2 || d < -2 {
		return 3
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0:
				rows[i][j] = j
			case j == 0:
				rows[i][j] = i
			default:
				cost := 1
				if a[i-1] == b[j-1] {
					cost = 0
				}
				rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
				}
			}
		}
	}
	return rows[len(a)][len(b)]
}
