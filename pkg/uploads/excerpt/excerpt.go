// Package excerpt keeps the beginning of a text that may be endless, without the
// signs that people do not see.
package excerpt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most is how many bytes of a file's text are kept.
const Most = 60_000

// Excerpt is the beginning of a text. The zero value is empty and ready.
type Excerpt struct {
	b    strings.Builder
	left int
	full bool
}

// Add appends a text as far as there is room.
func (e *Excerpt) Add(text string) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case !Shown(r):
		case e.full || e.b.Len()+utf8.RuneLen(r) > Most:
			e.full = true
			e.left++
		default:
			e.b.WriteRune(r)
		}
	}
}

// Leave counts so many more characters as left out.
func (e *Excerpt) Leave(n int) {
	e.left += n
	e.full = e.full || n > 0
}

// Full reports whether something was left out.
func (e *Excerpt) Full() bool { return e.full }

// Left returns how many characters were left out.
func (e *Excerpt) Left() int { return e.left }

// Empty reports whether there is nothing to read in it.
func (e *Excerpt) Empty() bool { return strings.TrimSpace(e.b.String()) == "" }

// String returns what was kept, without blanks around it.
func (e *Excerpt) String() string { return strings.TrimSpace(e.b.String()) }

// Shown reports whether people see a character, or that it is missing: marks of
// direction, tags and control characters hide words from them that a model
// reads. The joiners of Indic scripts and of emoji stay.
func Shown(r rune) bool {
	if ' ' <= r && r <= '~' {
		return true
	}
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return true
	case utf8.RuneError:
		return true
	}
	return !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Cs, r) &&
		!unicode.Is(unicode.Zl, r) && !unicode.Is(unicode.Zp, r)
}
