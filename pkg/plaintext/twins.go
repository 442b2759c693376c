package plaintext

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// The letters of other scripts that fonts draw like Latin ones, each below its
// twin. Letters that a reader tells apart at a second look are left out, so that
// little honest writing is touched.
const (
	cyrillic = "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝӏүԌԚԜҮ"
	likeCyr  = "ABESIJKMHOPCTYXaesijopcyxhdqwlyGQWY"
	greek    = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινυρκαϳ"
	likeGrk  = "ABEZHIKMNOPTYXoivupkaj"
)

// twin returns the Latin letter that r looks like; 0 for none.
func twin(r rune) rune {
	if r < 0x370 || r > 0x52f {
		return 0
	}
	for _, table := range [2][2]string{{cyrillic, likeCyr}, {greek, likeGrk}} {
		n := 0
		for _, c := range table[0] {
			if c == r {
				return rune(table[1][n])
			}
			n++
		}
	}
	return 0
}

func latin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// script names the script of a letter, as far as scripts look alike; "" for any
// other character.
func script(r rune) string {
	switch {
	case latin(r):
		return "Latin"
	case unicode.Is(unicode.Cyrillic, r):
		return "Cyrillic"
	case unicode.Is(unicode.Greek, r):
		return "Greek"
	}
	return ""
}

// lookalikes returns the lookalike letters of a word of mixed scripts; none for
// a word of one script.
func lookalikes(word string) []rune {
	var scripts []string
	var twins []rune
	for _, r := range word {
		s := script(r)
		if s == "" {
			continue
		}
		if !slices.Contains(scripts, s) {
			scripts = append(scripts, s)
		}
		if twin(r) != 0 && !slices.Contains(twins, r) {
			twins = append(twins, r)
		}
	}
	if len(scripts) < 2 {
		return nil
	}
	return twins
}

// allTwins returns the Latin word that a word of another script looks like,
// letter for letter.
func allTwins(word string) (plain string, ok bool) {
	letters := 0
	plain = strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return r
		}
		letters++
		if t := twin(r); t != 0 {
			ok = true
			return t
		}
		letters = -len(word)
		return r
	}, word)
	return plain, ok && letters > 1
}

// words cuts a text into its runs of letters, with their marks and digits.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) &&
			!unicode.IsDigit(r)
	})
}

// latinised writes the words that become wholly Latin so with Latin letters.
func latinised(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
		if end < 0 {
			end = len(s)
		}
		b.WriteString(straightened(s[:end]))
		s = s[end:]
		next := strings.IndexFunc(s, unicode.IsLetter)
		if next < 0 {
			next = len(s)
		}
		b.WriteString(s[:next])
		s = s[next:]
	}
	return b.String()
}

// straightened returns a word of letters with Latin twins for its other ones, if
// it has Latin letters and nothing else is left.
func straightened(word string) string {
	if !strings.ContainsFunc(word, latin) || len(lookalikes(word)) == 0 {
		return word
	}
	out := strings.Map(func(r rune) rune {
		if t := twin(r); t != 0 {
			return t
		}
		return r
	}, word)
	if strings.ContainsFunc(out, func(r rune) bool { return !latin(r) }) {
		return word
	}
	return out
}

// named lists letters with their numbers and scripts.
func named(letters []rune) string {
	var parts []string
	for _, r := range letters[:min(4, len(letters))] {
		parts = append(parts, fmt.Sprintf("%c (U+%04X, %s)", r, r, script(r)))
	}
	return strings.Join(parts, ", ")
}
