// Package language tells in which language and script a person writes to the
// finance assistant, so that the answer comes in the same.
package language

import (
	"strings"
	"unicode"
)

// Language is a language with its script, as a BCP 47 tag.
type Language string

// The languages that are answered in.
const (
	English  Language = "en"
	Hinglish Language = "hi-Latn" // Hindi in Latin letters, usually with English nouns
	Hindi    Language = "hi"      // Hindi in Devanagari
)

// Of returns the language of a text. Devanagari is Hindi, except where it is only
// names within a Latin sentence. A Latin sentence with a Hindi word is Hinglish,
// all others are English. Hindi words are those of the lists in this package and
// near spellings of them (Near).
func Of(text string) Language {
	var latin, devanagari, hindiWords int
	var first, last string
	known := lists()
	shouts := text == strings.ToUpper(text)
	for w := range Words(text) {
		switch {
		case isDevanagari(w):
			devanagari++
			if known.grammar[w] {
				return Hindi
			}
		case len(w) > 1 && w == strings.ToUpper(w) && !shouts:
			latin++ // an abbreviation: "KA" is Karnataka, "KE" Kenya
		default:
			latin++
			first, last = last, strings.ToLower(w)
			if known.strong[last] || known.strong[Fold(last)] || known.nearStrong(last) {
				hindiWords++
			}
		}
	}
	switch {
	case devanagari > 0 && devanagari >= latin:
		return Hindi
	case hindiWords > 0, latin == 2 && last == "do" && len(first) > 4: // "report do", but not "we do"
		return Hinglish
	}
	return English
}

// Words yields the words of a text: letters with their marks, in the case in which
// they stand there. What has a digit in it, such as a document number, is no word.
func Words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Cf, r)
		}) {
			if strings.ContainsFunc(w, unicode.IsDigit) {
				continue
			}
			if !yield(w) {
				return
			}
		}
	}
}

func isDevanagari(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Devanagari, r) })
}

// Fold returns a word of small Latin letters in the form in which spellings of Hindi
// are compared: doubled vowels are one, "ee" is i and "oo" is u, since "baaki" and
// "baki", "khareed" and "kharid" are one word.
func Fold(word string) string {
	plain := true
	for i := 1; i < len(word) && plain; i++ {
		plain = word[i] != word[i-1]
	}
	if plain {
		return word
	}
	out := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		c := word[i]
		if i > 0 && c == word[i-1] {
			switch c {
			case 'e':
				out[len(out)-1] = 'i'
				continue
			case 'o':
				out[len(out)-1] = 'u'
				continue
			case 'a', 'i', 'u':
				continue
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// Near reports whether two folded words are the same but for one letter: one more,
// one less, another one, or two neighbours swapped. Words of fewer than five letters
// must be equal.
func Near(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 5 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] ||
		i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func (k words) nearStrong(w string) bool {
	if len(w) < 5 || k.english[w] {
		return false
	}
	w = Fold(w)
	for _, h := range k.near[w[0]] {
		if Near(w, h) {
			return true
		}
	}
	return false
}
