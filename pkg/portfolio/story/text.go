package story

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// maxBytes is how much of a message is read; what lies beyond it is ignored.
const maxBytes = 20_000

// token is a word of a text.
type token struct {
	from, to int
	word     string // folded: small letters without accents and apostrophes
	stem     string // without the ending of a plural
	capital  bool   // it begins with a capital letter
	stops    bool   // a sentence ends behind it
	private  bool   // it is a part of an address or something else that is private
	comma    bool   // a comma or another mark stands behind it
}

// clean returns what is read of a message: at most maxBytes, without characters that
// are not to be seen.
func clean(text string) string {
	if len(text) > maxBytes {
		text = text[:maxBytes]
	}
	return plaintext.Clean(strings.ToValidUTF8(text, ""))
}

// tokensOf returns the words of a text. A hyphen parts two words, an apostrophe does not.
func tokensOf(text string) []token {
	var out []token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			mark(out, r, text, i)
			i += size
			continue
		}
		from := i
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !inWord(r) && !inside(text, from, i, r, size) {
				break
			}
			i += size
		}
		if w := newToken(text, from, i); w.word != "" { // a mark alone is no word
			out = append(out, w)
		}
	}
	return out
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// inside reports whether a mark is a part of a word: the apostrophe of "didn't", the
// point of "2.5" and the comma of "1,200".
func inside(text string, from, at int, r rune, size int) bool {
	if at == from || at+size >= len(text) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[at+size:])
	switch r {
	case '\'', '’':
		return unicode.IsLetter(next)
	case '.', ',':
		return text[at-1] >= '0' && text[at-1] <= '9' && next >= '0' && next <= '9'
	}
	return false
}

// mark notes what stands behind the last token.
func mark(tokens []token, r rune, text string, at int) {
	if len(tokens) == 0 {
		return
	}
	last := &tokens[len(tokens)-1]
	switch r {
	case '.', '!', '?', '\n', '\r', '।', '…', '•':
		last.stops = last.stops || r != '.' || !abbreviated(text, at)
	case ',', ';', ':', '(', ')', '–', '—', '"', '“', '”':
		last.comma = true
	}
}

// abbreviated reports whether the point at a place does not end a sentence: "approx. 20".
func abbreviated(text string, at int) bool {
	before := text[:at]
	word := strings.ToLower(before[strings.LastIndexFunc(before,
		func(r rune) bool { return !unicode.IsLetter(r) })+1:])
	switch word {
	case "mr", "mrs", "ms", "dr", "st", "approx", "ca", "no", "sq", "ft", "rd", "ave", "jr", "sr", "vs", "etc",
		"incl":
		return true
	}
	return false
}

func newToken(text string, from, to int) token {
	raw := text[from:to]
	first, _ := utf8.DecodeRuneInString(raw)
	w := fold(raw)
	return token{from: from, to: to, word: w, stem: stem(w), capital: unicode.IsUpper(first)}
}

// fold makes words comparable: small letters without accents and apostrophes.
func fold(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < utf8.RuneSelf
	}
	if plain {
		return strings.ReplaceAll(strings.ToLower(s), "'", "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r) && r < 0x370:
			return -1
		case r == 'ß':
			return 's'
		case r == 'ø':
			return 'o'
		case r == 'ł':
			return 'l'
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// stem takes the ending of a plural away.
func stem(w string) string {
	switch {
	case len(w) < 4 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"),
		strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

// foldedText returns a text's words with a space before and behind each.
func foldedText(text string) string { return wordsOf(tokensOf(text)) }

func wordsOf(tokens []token) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range tokens {
		b.WriteString(t.word)
		b.WriteByte(' ')
	}
	return b.String()
}

// among reports whether a list of words, parted by spaces, has a word.
func among(list, word string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		if (i == 0 || blank(list[i-1])) && (end == len(list) || blank(list[end])) {
			return true
		}
		at = i + 1
	}
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }
