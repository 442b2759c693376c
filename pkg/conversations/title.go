package conversations

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is the length of a title that is made of a message, in signs.
const maxTitle = 60

// MaxTitle is the length of a title that a person chooses, in signs.
const MaxTitle = 200

// Title makes a title of a conversation's first message: its first line that
// says something, without marks of Markdown, cut at a word. It is plain text:
// who shows it escapes it.
func Title(message string) string {
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(strings.TrimLeft(Line(line), "#>*-`_~ "))
		if line != "" {
			return cut(line, maxTitle)
		}
	}
	return ""
}

// Line returns a text in one line: spaces are one blank, and characters that no one
// sees are gone, among them those that turn the direction of what follows.
func Line(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		case unicode.IsControl(r), r == utf8.RuneError, r == '\u200b', r == '\u2060', r == '\ufeff', '\u202a' <= r &&
			r <= '\u202e', '\u2066' <= r && r <= '\u2069':
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cut returns the text if it has no more than so many signs, else its beginning
// up to a blank, with an ellipsis. A sign is never cut in two: what joins the one
// before it, as vowel signs and parts of an emoji do, stays with it.
func cut(text string, most int) string {
	signs, end, word := 0, 0, 0
	joined, flag := false, false
	for i, r := range text {
		half := '\U0001f1e6' <= r && r <= '\U0001f1ff'
		flag = half && !flag // a flag is two of them
		if !joined && !joins(r) && (!half || flag) {
			if r == ' ' {
				word = i
			}
			if signs == most {
				end = i
				break
			}
			signs++
		}
		joined = r == '\u200d' || r == '\u094d' // what follows belongs to it, too
	}
	switch {
	case end == 0:
		return text
	case word > end/2:
		end = word
	}
	return strings.TrimRight(text[:end], " ,;:.–-") + "…"
}

// joins reports whether a rune is a part of the sign before it.
func joins(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc, unicode.Me) || r == '\u200d' || '\U0001f3fb' <= r &&
		r <= '\U0001f3ff' || '\U000e0020' <= r && r <= '\U000e007f'
}
