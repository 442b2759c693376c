package places

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestName is how much of a text is compared with names, in bytes. No name of a
// place is longer.
const longestName = 120

// Fold returns a name in the form in which names are compared: small letters, Latin
// ones without accents, words separated by single spaces, punctuation removed,
// "St." as "saint". Names in other scripts keep their vowel signs.
func Fold(name string) string {
	return string(appendFolded(nil, name))
}

// appendFolded appends the folded form of name, at most longestName bytes of it.
func appendFolded(to []byte, name string) []byte {
	from := len(to)
	plain := true
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if !plain {
		if len(name) > 4*longestName {
			name = name[:4*longestName]
		}
		name = norm.NFKC.String(name)
	}
	wordFrom := from
	endWord := func() {
		if len(to) == wordFrom {
			return
		}
		switch string(to[wordFrom:]) {
		case "st":
			to = append(to[:wordFrom], "saint"...)
		case "ste":
			to = append(to[:wordFrom], "sainte"...)
		case "mt":
			to = append(to[:wordFrom], "mount"...)
		case "ft":
			to = append(to[:wordFrom], "fort"...)
		}
		to = append(to, ' ')
		wordFrom = len(to)
	}
	for i := 0; i < len(name) && len(to)-from < longestName; {
		c := name[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
				to = append(to, c)
			case c >= 'A' && c <= 'Z':
				to = append(to, c+'a'-'A')
			case c == '\'' || c == '`':
			case c == '&':
				endWord()
				to = append(to, "and"...)
				endWord()
			default:
				endWord()
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(name[i:])
		i += n
		switch {
		case r < 0x250 || r >= 0x1E00 && r < 0x1F00:
			if latin := latinLetters(r); latin != "" {
				to = append(to, latin...)
			} else if !unicode.IsLetter(r) {
				endWord()
			}
		case r >= 0x300 && r < 0x370: // accents that compose with nothing
		case r >= 0x2B0 && r < 0x300 || r == '’' || r == '‘': // signs for a glottal stop
		case r >= 0x370 && r < 0x530: // Greek and Cyrillic
			to = appendWithoutAccent(to, r)
		case r >= 0x590 && r < 0x780: // Hebrew and Arabic
			to = appendSemitic(to, r)
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			to = utf8.AppendRune(to, unicode.ToLower(r))
		case r == 0x200C || r == 0x200D || r == utf8.RuneError: // joiners
		default:
			endWord()
		}
	}
	endWord()
	if len(to) > from && to[len(to)-1] == ' ' {
		to = to[:len(to)-1]
	}
	return to
}

// latinLetters returns a letter of the Latin script in the letters of English, ""
// when it is no letter.
func latinLetters(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'þ', 'Þ':
		return "th"
	case 'ł', 'Ł':
		return "l"
	case 'ħ', 'Ħ':
		return "h"
	case 'ı', 'İ':
		return "i"
	case 'ŋ', 'Ŋ':
		return "ng"
	case 'ŧ', 'Ŧ':
		return "t"
	case 'ə', 'Ə':
		return "e"
	}
	var parts [8]byte
	var sign [4]byte
	n := utf8.EncodeRune(sign[:], r)
	apart := norm.NFD.Append(parts[:0], sign[:n]...)
	if c := apart[0] | 0x20; c >= 'a' && c <= 'z' {
		return letters[c-'a' : c-'a'+1]
	}
	return ""
}

const letters = "abcdefghijklmnopqrstuvwxyz"

func appendWithoutAccent(to []byte, r rune) []byte {
	var parts [8]byte
	var sign [4]byte
	n := utf8.EncodeRune(sign[:], r)
	base, _ := utf8.DecodeRune(norm.NFD.Append(parts[:0], sign[:n]...))
	switch {
	case base == 'ς':
		base = 'σ'
	case r == 'й' || r == 'Й': // a letter of its own, as "ё" is not
		base = 'й'
	case !unicode.IsLetter(base):
		return to
	}
	return utf8.AppendRune(to, unicode.ToLower(base))
}

// appendSemitic leaves out vowel points and unifies the forms in which a letter is
// typed.
func appendSemitic(to []byte, r rune) []byte {
	switch r {
	case 'أ', 'إ', 'آ', 'ٱ':
		r = 'ا'
	case 'ة', 'ۀ', 'ە', 'ہ', 'ھ':
		r = 'ه'
	case 'ى', 'ی', 'ې', 'ے':
		r = 'ي'
	case 'ک':
		r = 'ك'
	}
	if !unicode.IsLetter(r) {
		return to
	}
	return utf8.AppendRune(to, r)
}
