package consent

import (
	"strings"
	"unicode"
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

// Words reads a sentence in English, Hindi or a mixture by a closed grammar: it must consist of known phrases
// of assent, or of refusal, and courtesies, to the last word. "yes but change
// the date" holds words that are not in the grammar and is Neither. A word that
// equals code (in capitals or not) names the proposal that is meant; named
// reports that it was there.
func Words(text, code string) (answer Answer, named bool) {
	words := tokens(text)
	if len(words) == 0 || len(words) > 12 {
		return Neither, false
	}
	yes, no := false, false
	for i := 0; i < len(words); {
		if code != "" && strings.EqualFold(words[i], code) {
			named = true
			i++
			continue
		}
		n, kind := phraseAt(words[i:])
		switch kind {
		case assent:
			yes = true
		case refusal:
			no = true
		case courtesy:
		default:
			return Neither, named
		}
		i += n
	}
	switch {
	case yes && !no:
		return Yes, named
	case no && !yes:
		return No, named
	}
	return Neither, named
}

type phraseKind int

const (
	unknown phraseKind = iota
	assent
	refusal
	courtesy
)

// phrases returns the grammar. Longer phrases are tried first, so "do not do
// it" is not read as "do it".
func phrases(kind phraseKind) []string {
	switch kind {
	case assent:
		return []string{"yes", "y", "yep", "yeah", "yup", "ya", "sure", "ok", "okay", "confirm", "confirmed", "i confirm", "approve", "approved",
			"i approve", "go ahead", "please go ahead", "go for it", "do it", "do that", "please do", "please do it", "proceed", "please proceed",
			"sounds good", "looks good", "looks right", "that is right", "that's right", "that is correct", "that's correct", "correct",
			"absolutely", "definitely", "certainly", "of course", "fine", "that's fine", "that is fine", "all good", "agreed", "i agree",
			"yes do it", "make it so", "👍", "✅",
			// Hindi, in both scripts, as it is typed.
			"haan", "han", "haa", "haan ji", "ji haan", "ji", "ji bilkul", "bilkul", "zaroor", "theek hai", "thik hai", "theek", "thik", "sahi hai",
			"kar do", "kar dijiye", "kar dijie", "kardo", "kar de", "haan kar do", "aage badho", "ho jaye",
			"हाँ", "हां", "जी", "जी हाँ", "जी हां", "हाँ जी", "हां जी", "ठीक है", "ठीक", "सही है", "बिल्कुल", "बिलकुल", "ज़रूर", "जरूर", "कर दो", "कर दीजिए", "कर दें"}
	case refusal:
		return []string{"no", "n", "nope", "nah", "no thanks", "no thank you", "cancel", "cancel it", "cancel that", "stop", "don't", "do not",
			"don't do it", "do not do it", "don't do that", "do not do that", "please don't", "please do not", "please do not do it", "please don't do it", "please do not do that", "leave it", "never mind", "nevermind",
			"nahi", "nahin", "nahi ji", "ji nahi", "na", "mat karo", "mat kijiye", "mat", "rehne do", "rehne dijiye", "ruko", "rukiye", "chhodo", "chodo",
			"band karo", "abhi nahi", "nahi karna", "नहीं", "नही", "जी नहीं", "मत करो", "मत कीजिए", "मत", "रहने दो", "रहने दीजिए", "रुको", "रुकिए", "अभी नहीं", "छोड़ो",
			"forget it", "reject", "rejected", "i reject", "not now", "not yet", "decline", "declined", "abort", "wait", "hold on", "👎", "❌"}
	case courtesy:
		return []string{"please", "thanks", "thank you", "thank you very much", "many thanks", "bernard", "then", "now",
			"dhanyavaad", "dhanyavad", "shukriya", "kripya", "please ji", "bhai", "धन्यवाद", "शुक्रिया", "कृपया"}
	}
	return nil
}

func phraseAt(words []string) (length int, kind phraseKind) {
	for _, k := range []phraseKind{assent, refusal, courtesy} {
		for _, p := range phrases(k) {
			parts := strings.Fields(p)
			if len(parts) > length && len(parts) <= len(words) && equal(parts, words[:len(parts)]) {
				length, kind = len(parts), k
			}
		}
	}
	return max(1, length), kind
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != strings.ToLower(b[i]) {
			return false
		}
	}
	return true
}

// tokens splits at spaces and drops the marks that end sentences. A quotation
// mark, a question mark or a bracket stays a token of its own that no phrase
// has: a quoted or questioned yes is no yes.
func tokens(text string) []string {
	text = strings.NewReplacer("’", "'", "\ufe0f", "").Replace(text)
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune(",.!;…–—-।", r):
			flush()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'':
			word.WriteRune(r)
		default:
			flush()
			out = append(out, string(r))
		}
	}
	flush()
	return out
}
