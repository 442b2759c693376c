// Package plaintext detects invisible characters and lookalike letters in
// texts.
//
// A text can read differently for a program and for a person: through invisible
// tag and zero-width characters, bidirectional controls, or Cyrillic and Greek
// letters in place of Latin ones. Models read texts without them (Clean),
// previews show them by their code points (Show, Mixed), and names and codes
// must not contain them (Flaw).
//
// What languages need stays: joiners in Hindi and Persian words and in emoji, the
// selectors behind emoji and Chinese characters, and text in several scripts, as
// long as each word has one.
package plaintext

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns s without invisible characters. Separators of lines and
// paragraphs become line breaks, and a Latin word that has Cyrillic or Greek
// letters which look like Latin ones is spelt with those.
func Clean(s string) string {
	if ordinary(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	foreign := false
	each(s, func(r string, hidden bool) {
		switch {
		case r == "\u2028" || r == "\u2029":
			b.WriteByte('\n')
		case !hidden:
			b.WriteString(r)
			foreign = foreign || twin(first(r)) != 0
		}
	})
	if !foreign {
		return b.String()
	}
	return latinised(b.String())
}

// Show returns s with each invisible character as its code point, such as
// [U+202E], so that different texts look different. hidden reports whether
// there was one.
func Show(s string) (shown string, hidden bool) {
	if ordinary(s) {
		return s, false
	}
	var b strings.Builder
	each(s, func(r string, hides bool) {
		if hides {
			hidden = true
			fmt.Fprintf(&b, "[U+%04X]", first(r))
			return
		}
		b.WriteString(r)
	})
	return b.String(), hidden
}

// Empty reports whether s shows nothing: no visible letter, digit, mark or
// symbol.
func Empty(s string) bool {
	seen := false
	each(s, func(part string, hidden bool) {
		seen = seen || !hidden && strings.ContainsFunc(part, func(r rune) bool {
			return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '-' && r != '_'
		})
	})
	return !seen
}

// Flaw says why s is neither a name nor a code, as the end of a sentence that
// begins with what s is: it has invisible characters, or one of its words has
// letters of two scripts that look alike. "" for a good one.
func Flaw(s string) string {
	if ordinary(s) {
		return ""
	}
	var unseen rune
	each(s, func(r string, hidden bool) {
		if hidden && unseen == 0 {
			unseen = first(r)
		}
	})
	if unseen != 0 {
		return fmt.Sprintf("holds a character that nobody sees (U+%04X); write it without", unseen)
	}
	for _, word := range words(s) {
		if odd := lookalikes(word); len(odd) > 0 {
			return fmt.Sprintf("has letters of two scripts in one word: %s in “%s”; write the word in one script",
				named(odd), word)
		}
	}
	return ""
}

// maxMixed bounds what Mixed says of one text.
const maxMixed = 3

// Mixed returns a sentence on each of the first words and addresses of s that use
// letters of two scripts which look alike, and on those that are written wholly in
// letters which look like Latin ones among Latin text.
func Mixed(s string) []string {
	if !strings.ContainsFunc(s, func(r rune) bool { return twin(r) != 0 }) {
		return nil
	}
	var out []string
	for _, field := range strings.Fields(s) {
		field = strings.TrimFunc(field, func(r rune) bool { return unicode.IsPunct(r) })
		say := ""
		if odd := lookalikes(field); len(odd) > 0 {
			say = fmt.Sprintf("“%s” uses letters of two scripts: %s.", field, named(odd))
		} else if plain, ok := allTwins(field); ok && strings.ContainsFunc(s, latin) {
			say = fmt.Sprintf("“%s” is not Latin “%s”: it is written in %s letters that look alike.", field, plain,
				script(first(field)))
		}
		if say != "" && !slices.Contains(out, say) && len(out) < maxMixed {
			out = append(out, say)
		}
	}
	return out
}

// ordinary reports whether s is of printable ASCII and line breaks alone, as most
// texts are.
func ordinary(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7f {
			return false
		}
	}
	return true
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// each calls f with the characters of s in order. What is plain ASCII, and the
// flag of a region, an emoji that is written with tag characters, comes in one
// piece.
func each(s string, f func(r string, hidden bool)) {
	prev := rune(-1)
	for i := 0; i < len(s); {
		run := i
		for run < len(s) && s[run] >= ' ' && s[run] < 0x7f {
			run++
		}
		if run > i {
			f(s[i:run], false)
			prev, i = rune(s[run-1]), run
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			f("\uFFFD", false)
			prev, i = r, i+n
			continue
		}
		if flag := regionFlag(s[i:]); flag > 0 {
			f(s[i:i+flag], false)
			prev, i = r, i+flag
			continue
		}
		next := rune(-1)
		if i+n < len(s) {
			next, _ = utf8.DecodeRuneInString(s[i+n:])
		}
		f(s[i:i+n], hides(prev, r, next))
		prev, i = r, i+n
	}
}

// regionFlag returns the length of the flag of England, Scotland or Wales at the
// start of s, the only ones that are written with tags; 0 without one.
func regionFlag(s string) int {
	if !strings.HasPrefix(s, "\U0001F3F4") {
		return 0
	}
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		flag := "\U0001F3F4"
		for _, c := range region {
			flag += string(0xE0000 + c)
		}
		if flag += "\U000E007F"; strings.HasPrefix(s, flag) {
			return len(flag)
		}
	}
	return 0
}
