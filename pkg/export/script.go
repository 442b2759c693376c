package export

import "strings"

// drawable returns a text as the PDF's fonts can draw it. The PDF library places
// one sign after another and knows no scripts, so the one reordering without
// which Hindi cannot be read is done here: the vowel sign ि goes before its
// consonant. Conjuncts are drawn with their virama, as a typewriter does.
// Characters outside the fonts become �.
func drawable(s string) string {
	var out []rune
	for _, r := range s {
		switch {
		case r == '\t' || r == '\u00ad':
			out = append(out, ' ')
		case r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\ufeff' || r >= '\ufe00' && r <= '\ufe0f' ||
			r < ' ':
			// They are instructions for a shaper, and have no ink.
		case r == '\u093f':
			at := len(out)
			if at > 0 && out[at-1] == '\u093c' { // a nukta stays with its consonant
				at--
			}
			at = max(0, at-1)
			out = append(out[:at], append([]rune{r}, out[at:]...)...)
		case r == '\u2212' || r == '\u2011':
			out = append(out, '-')
		case hasGlyph(r):
			out = append(out, r)
		default:
			out = append(out, '\ufffd')
		}
	}
	return string(out)
}

// hasGlyph reports whether the embedded fonts have a sign for the character.
// fonts/make.sh puts exactly these in.
func hasGlyph(r rune) bool {
	switch {
	case r >= ' ' && r <= '~', r >= '\u00a0' && r <= '\u017f', r >= '\u0218' && r <= '\u021b', r >= '\u0900' &&
		r <= '\u097f',
		r >= '\u2010' && r <= '\u2015', r >= '\u2018' && r <= '\u201e', r >= '\u2020' && r <= '\u2022',
		r >= '\u20a0' && r <= '\u20bf':
		return true
	}
	return strings.ContainsRune("ˆ˜…‰′″‹›⁄№™◌\ufffd", r)
}
