package resolution

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// words of time in Devanagari, as package intent reads them.
var times = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, unit := range [][]string{
		{"month", "महीने", "महीना", "माह"}, {"year", "साल", "वर्ष"}, {"week", "हफ्ते", "हफ़्ते", "सप्ताह"},
		{"quarter", "तिमाही"}, {"financial year", "वित्तीय वर्ष", "वित्त वर्ष"},
	} {
		for _, w := range unit[1:] {
			for latin, forms := range map[string][]string{
				"this": {"इस", "चालू"}, "last": {"पिछले", "पिछली", "पिछला", "गत"}, "next": {"अगले", "अगली", "अगला"},
			} {
				for _, f := range forms {
					pairs = append(pairs, f+" "+w, latin+" "+unit[0])
				}
			}
		}
	}
	for i, m := range []string{"जनवरी", "फरवरी", "मार्च", "अप्रैल", "मई", "जून",
		"जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"} {
		pairs = append(pairs, m, monthNames()[i])
	}
	pairs = append(pairs, "सितम्बर", "September", "अक्तूबर", "October", "नवम्बर", "November",
		"दिसम्बर", "December", "फ़रवरी", "February")
	return strings.NewReplacer(pairs...)
})

func monthNames() []string {
	return []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December"}
}

// synonyms are words of time in Latin letters, beside those that package intent knows.
var (
	// openEnd is "April se ab tak": since April.
	openEnd = lazily(`(?i)(\S+) (?:se (?:ab|aaj|abhi) tak\b|से (?:अब|आज|अभी) तक)`)
	// untilNow says nothing: figures are as of now anyway.
	untilNow = lazily(`(?i)\b(?:(?:aaj|ab|abhi) tak|till (?:date|now|today)|as of (?:now|today)|so far|up to now)\b|` +
		`(?:आज|अब|अभी) तक`)
	thisTime = lazily(`(?i)\b(?:current|iss|isi) (week|month|year|quarter|financial year|fy|mahine|saal|hafte)\b`)
	lastTime = lazily(`(?i)\b(?:previous|prev|past|gaye|pichhli|pichli|pichhala|pichla|pichhla) ` +
		`(week|month|year|quarter|financial year|fy|mahine|saal|hafte|timahi|mahina|hafta)\b`)
	isTimahi = lazily(`(?i)\b(is|this|last|next|pichhle|pichle|agle|agli) (timahi|timaahi|mahina|hafta)\b`)
	lowMonth = lazily(`\b(january|february|april|june|july|august|september|october|november|december|` +
		`jan|feb|apr|jun|jul|aug|sep|sept|oct|nov|dec)\b`)
)

// normal returns a text with the words of time in one form, and without invisible
// characters.
func normal(text string) string {
	text = norm.NFC.String(strings.TrimSpace(text))
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x900 && r < 0x980 }) {
		text = times().Replace(text)
	}
	text = openEnd().ReplaceAllString(text, "since $1")
	text = untilNow().ReplaceAllString(text, " ")
	text = thisTime().ReplaceAllString(text, "this $1")
	text = lastTime().ReplaceAllString(text, "last $1")
	text = isTimahi().ReplaceAllStringFunc(text, func(m string) string {
		first, unit, _ := strings.Cut(strings.ToLower(m), " ")
		switch unit[0] {
		case 't':
			unit = "quarter"
		case 'm':
			unit = "month"
		case 'h':
			unit = "week"
		}
		return strings.Replace(first, "agli", "agle", 1) + " " + unit
	})
	return lowMonth().ReplaceAllStringFunc(text, func(m string) string { return strings.ToUpper(m[:1]) + m[1:] })
}

// token is a word of a sentence.
type token struct {
	text  string // as it is written
	form  string // folded
	latin string // its folded form in Latin letters
}

func tokens(text string) []token {
	var out []token
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("&'’", r)
	}) {
		w = strings.Trim(w, "'’")
		for _, s := range []string{"'s", "’s"} {
			w = strings.TrimSuffix(w, s)
		}
		if w != "" {
			t := token{text: w, form: foldWord(w)}
			t.latin = t.form
			if t.form[0] >= 0x80 {
				t.latin = language.Fold(intent.Comparable(w))
			}
			out = append(out, t)
		}
	}
	return out
}

func foldWords(text string) []string {
	var out []string
	for _, t := range tokens(text) {
		out = append(out, t.form)
	}
	return out
}

var dots = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("\u093c", "", "\u0901", "\u0902", "\u200c", "", "\u200d", "")
})

// foldWord returns a word in the form in which words are compared: small letters, one
// vowel for a doubled one, Devanagari without the dots that are often left out.
func foldWord(w string) string {
	w = strings.ToLower(w)
	if w[0] >= 0x80 {
		return dots().Replace(norm.NFC.String(w))
	}
	return language.Fold(w)
}
