package render

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible returns a text in which every character that hides or turns text
// (zero-width, direction marks, controls, tags) stands as its number, such as
// [U+202E], so that two texts which differ look different. hidden reports
// whether there was one. Joiners stay: Hindi and emoji are written with them.
func Visible(s string) (shown string, hidden bool) {
	if !strings.ContainsFunc(s, hides) {
		return s, false
	}
	var b strings.Builder
	for _, r := range s {
		if hides(r) {
			fmt.Fprintf(&b, "[U+%04X]", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), true
}

func hides(r rune) bool {
	switch r {
	case '\u200c', '\u200d', '\n', '\t':
		return false
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0':
		return true // letters and a pattern of Braille without any ink
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
