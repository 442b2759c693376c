package plaintext

import "unicode"

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// hides reports whether r is invisible in its position, and no language needs
// it there.
func hides(prev, r, next rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return r != '\n' && r != '\t' && !(r == '\r' && next == '\n')
	case r < 0xad:
		return false
	case r == nonJoiner:
		return !(joined(prev) && joined(next))
	case r == joiner:
		return !joined(prev) && !(pictured(prev) && pictured(next))
	case r >= '\ufe00' && r <= '\ufe0f':
		return !selected(prev)
	case r >= '\U000e0100' && r <= '\U000e01ef':
		return !unicode.Is(unicode.Han, prev)
	case r >= '\u180b' && r <= '\u180d', r == '\u180f':
		return !unicode.Is(unicode.Mongolian, prev)
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false // Arabic signs around numbers, which show
	}
	return blank(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// blank reports whether r is a letter, a mark or a symbol without a visible
// form.
func blank(r rune) bool {
	switch r {
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return r >= '\U000e0000' && r <= '\U000e0fff' // tags, and what is kept for their like
}

// joined reports whether r is of a script whose letters take other forms beside
// each other, which writers turn on and off by joiners.
func joined(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar)
}

// pictured reports whether r may stand on either side of the joiner of an emoji.
func pictured(r rune) bool {
	return unicode.Is(unicode.So, r) || r == '\ufe0f' || r >= '\U0001F3FB' && r <= '\U0001F3FF' || r == '↔' || r == '↕'
}

// selected reports whether a selector of forms may stand behind r.
func selected(r rune) bool {
	return unicode.In(r, unicode.S, unicode.P, unicode.Nd, unicode.Han, unicode.Myanmar, unicode.Phags_Pa)
}
