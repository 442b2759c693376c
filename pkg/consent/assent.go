package consent

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Answer is what a sentence says to an open question.
type Answer int

// The answers. Anything that is not clearly a yes or a no is Neither: the
// sentence then goes to the assistant as it is, and nothing runs.
const (
	Neither Answer = iota
	Yes
	No
)

// maxWords bounds an answer. Whoever needs more says something else as well.
const maxWords = 12

// Words reads what a person typed, in English, Hindi or a mixture, by a closed
// grammar: phrases of assent, or of refusal, and courtesies must cover it to
// the last word. "yes but change the date" holds words that are not in the
// grammar and is Neither; so is whatever is quoted, questioned, or says both.
//
// A word that equals code (in capitals or not) names the proposal that is
// meant; named reports that it was there. tool is the tool that is asked
// about: "book it" is a yes to create_reservation and nothing to
// delete_coupon. Where the words of the act could as well turn the question
// down ("cancel it", said of a cancellation), they need a yes beside them.
func Words(text, code, tool string) (answer Answer, named bool) {
	words, ok := tokens(text)
	if !ok || len(words) == 0 || len(words) > maxWords {
		return Neither, false
	}
	code = strings.ToLower(code)
	verbs := verbPhrases(tool)
	said := map[kind]bool{}
	for i := 0; i < len(words); {
		n, k := phraseAt(words[i:], verbs)
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
func phraseAt(words []string, verbs map[string]kind) (length int, k kind) {
	book := grammar()
	for n := min(len(words), book.longest); n > 0; n-- {
		phrase := strings.Join(words[:n], " ")
		if k, ok := verbs[phrase]; ok {
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
// mark or a question mark, is a word of its own that no phrase has. ok is
// false for a text that holds invisible characters: what a person does not see
// is not what a person said.
func tokens(text string) (words []string, ok bool) {
	text, ok = fold(text)
	if !ok {
		return nil, false
	}
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, calm(word.String()))
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
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.IsControl(r) && !unicode.IsSpace(r), r == unicode.ReplacementChar, blank(r):
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
	return r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || r == '\u2800' || r == '\u034f' || unicode.Is(unicode.Variation_Selector, r)
}

// calm takes the stress out of a word that the grammar does not have: a letter
// that stands three times or more stands twice or once. "yesss" becomes "yes".
func calm(word string) string {
	book := grammar()
	if book.words[word] {
		return word
	}
	for _, keep := range []int{2, 1} {
		if short := squeeze(word, keep); book.words[short] {
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
