package consent

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// Answer is the meaning of a sentence as an answer to an open question.
type Answer int

// The answers. Anything that is not clearly a yes or a no is Neither: the
// sentence then goes to the assistant as it is, and nothing runs.
const (
	Neither Answer = iota
	Yes
	No
)

// maxWords limits an answer. A longer text says something else as well.
const maxWords = 12

// Words reads what a person typed, in English, Hindi or a mixture, by a closed
// grammar: phrases of assent, or of refusal, and courtesies must cover it to
// the last word. "yes but change the date" holds words that are not in the
// grammar and is Neither; so is a text with quotes, a question mark, or both a
// yes and a no.
//
// A word that equals code (in capitals or not) names the proposal that is
// meant; named reports that it was there. tool is the tool that is asked about:
// "add it" is a yes to create_extra and nothing to delete_coupon. Where the
// words of the act could also mean a refusal ("cancel it", about a
// cancellation), they need a yes with them. own are the words of the assistant
// that asked, such as "book it" for create_reservation.
func Words(text, code, tool string, own vocabulary.Words) (answer Answer, named bool) {
	words, ok := tokens(text, own.Names)
	if !ok || len(words) == 0 || len(words) > maxWords {
		return Neither, false
	}
	code = strings.ToLower(code)
	phrases := ownPhrases(tool, own)
	said := map[kind]bool{}
	for i := 0; i < len(words); {
		n, k := phraseAt(words[i:], phrases)
		if k == unknown && code != "" {
			switch {
			case words[i] == code:
				named, n, k = true, 1, courtesy
			case words[i] == "(" && len(words) > i+2 && words[i+1] == code && words[i+2] == ")":
				named, n, k = true, 3, courtesy // as the preview writes it
			}
		}
		if k == unknown {
			return Neither, named
		}
		said[k] = true
		i += n
	}
	switch {
	case said[doubtful]:
	case said[assent] && !said[refusal], said[soft] && len(said) == 1:
		return Yes, named
	case said[refusal] && !said[assent] && !said[neutral]:
		return No, named
	}
	return Neither, named
}

// phraseAt returns the longest phrase at the start of words, and its kind.
func phraseAt(words []string, own map[string]kind) (length int, k kind) {
	book := grammar()
	for n := min(len(words), book.longest); n > 0; n-- {
		phrase := strings.Join(words[:n], " ")
		if k, ok := own[phrase]; ok {
			return n, k
		}
		if k, ok := book.phrases[phrase]; ok {
			return n, k
		}
	}
	return 0, unknown
}

// tokens folds a text and cuts it into words. Spaces and the marks that end
// sentences part words and are dropped. Any other sign, such as a quotation
// mark or a question mark, is a word of its own that no phrase has. ok is false
// for a text that contains invisible characters.
func tokens(text string, names []string) (words []string, ok bool) {
	text, ok = fold(text)
	if !ok {
		return nil, false
	}
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, calm(word.String(), names))
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune(",.!;…–—-।॥*~、。", r):
			flush()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'':
			word.WriteRune(r)
		default:
			flush()
			words = append(words, string(r))
		}
	}
	flush()
	return words, true
}

// fold writes a text in the one form in which it is compared: composed, small
// letters, full-width letters as plain ones, Devanagari without the marks that
// people leave out or interchange. Letters of other scripts that only look
// alike stay what they are. ok is false when invisible characters are in it.
func fold(text string) (folded string, ok bool) {
	var b strings.Builder
	prev := rune(0)
	for _, r := range norm.NFC.String(text) {
		if r >= '！' && r <= '～' {
			r -= '！' - '!' // full width, as some keyboards write
		}
		switch {
		case r == '’':
			r = '\''
		case r == '\u0901':
			r = '\u0902' // हाँ and हां are one word
		case r == '\u093c', r == '\ufe0f', r >= '\U0001F3FB' && r <= '\U0001F3FF':
			continue // a nukta, an emoji's form and its colour
		case (r == '\u200c' || r == '\u200d') && unicode.Is(unicode.Devanagari, prev):
			continue // joiners are part of how Hindi is typed
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.IsControl(r) && !unicode.IsSpace(r),
			r == unicode.ReplacementChar, blank(r):
			return "", false
		}
		prev = r
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String(), true
}

// blank reports whether r is a letter that shows nothing, or a selector of
// forms other than the one that emoji have.
func blank(r rune) bool {
	return strings.ContainsRune("\u115f\u1160\u3164\uffa0\u2800\u034f", r) || unicode.Is(unicode.Variation_Selector, r)
}

// calm takes the stress out of a word that neither the grammar nor a name has: a
// letter that stands three times or more stands twice or once. "yesss" becomes
// "yes".
func calm(word string, names []string) string {
	book := grammar()
	known := func(w string) bool {
		return book.words[w] || slices.ContainsFunc(names, func(name string) bool {
			return slices.Contains(strings.Fields(folded(name)), w)
		})
	}
	for _, short := range []string{word, squeeze(word, 2), squeeze(word, 1)} {
		if known(short) {
			return short
		}
	}
	return word
}

func squeeze(word string, keep int) string {
	runes := []rune(word)
	var out []rune
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && runes[j] == runes[i] {
			j++
		}
		n := j - i
		if n > 2 {
			n = keep
		}
		for range n {
			out = append(out, runes[i])
		}
		i = j
	}
	return string(out)
}
