package model

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// token is a word of a text, or what stands for an entity: "<day>", "<name>".
type token struct {
	text       string // in small letters
	start, end int
}

// tokensOf cuts text into words, with one token for each date, code, amount or
// name, so that sentences about different things become alike. Words for which
// isName holds are names, too.
func (l *lexicon) tokensOf(text string, today time.Time, isName func(string) bool) []token {
	var out []token
	rest := text
	put := func(kind string, start, end int) {
		out = append(out, token{kind, start, end})
		rest = blank(rest, start, end)
	}
	for _, at := range emailShape.FindAllStringIndex(rest, -1) {
		put("<email>", at[0], at[1])
	}
	spans, _ := spansIn(rest, today, false)
	for _, s := range spans {
		put(kindOfSpan(s, today), s.start, s.end)
	}
	if nights, without := l.nightsIn(rest); nights > 0 {
		start, end := differs(rest, without)
		put("<nights>", start, end)
	}
	for _, at := range quotes.FindAllStringIndex(rest, -1) {
		put("<name>", at[0], at[1])
	}
	for _, at := range codeShape.FindAllStringIndex(rest, -1) {
		code := rest[at[0]:at[1]]
		if noCode.MatchString(code) || l.known(strings.ToLower(code)) || l.kindOf(code) == noThing ||
			!shouted(text, code) {
			continue
		}
		put(l.kindOfCode(code), at[0], at[1])
	}
	for _, at := range phoneShape.FindAllStringIndex(rest, -1) {
		if digits := countDigits(rest[at[0]:at[1]]); digits >= 8 && digits <= 15 {
			put("<phone>", at[0], at[1])
		}
	}
	for _, at := range figure.FindAllStringSubmatchIndex(rest, -1) {
		g := groupsOf(rest, at)
		kind, mark := "<num>", strings.ToLower(g[3])
		switch {
		case mark == "%" || strings.HasPrefix(mark, "p") && mark != "pounds":
			kind = "<percent>"
		case g[1] != "" || mark != "" || len(g[2]) > 3:
			kind = "<money>"
		}
		put(kind, at[4], at[5])
	}
	for _, at := range properName.FindAllStringIndex(rest, -1) {
		who := rest[at[0]:at[1]]
		if !strings.Contains(who, " ") && (opensSentence(rest, at[0]) || l.common(strings.ToLower(who))) {
			continue
		}
		if first, after, more := strings.Cut(who, " "); more && opensSentence(rest, at[0]) &&
			l.common(strings.ToLower(first)) {
			at[0] = at[1] - len(after)
		}
		put(l.kindOfName("<name>", text[at[0]:at[1]]), at[0], at[1])
	}
	for _, at := range word.FindAllStringIndex(rest, -1) {
		low := strings.ToLower(strings.TrimSuffix(rest[at[0]:at[1]], "'s"))
		if isName != nil && isName(low) {
			low = l.kindOfName("<word>", low)
		}
		out = append(out, token{low, at[0], at[1]})
	}
	slices.SortStableFunc(out, func(a, b token) int { return a.start - b.start })
	return compact(out)
}

// compact makes one token of neighbours that are parts of one name.
func compact(tokens []token) []token {
	var out []token
	for _, t := range tokens {
		if n := len(out); n > 0 && isNameToken(out[n-1].text) && isNameToken(t.text) {
			out[n-1].end = t.end
			if len(t.text) > len(out[n-1].text) {
				out[n-1].text = t.text // the one that says the kind
			}
			continue
		}
		out = append(out, t)
	}
	return out
}

func isNameToken(t string) bool {
	return strings.HasPrefix(t, "<name>") || strings.HasPrefix(t, "<word>")
}

// kindOfName adds the kind that a word of the name tells.
func (l *lexicon) kindOfName(token, name string) string {
	for _, w := range l.wordsIn(name) {
		if kind := l.kinds[stem(strings.TrimSuffix(w, "'s"))]; kind != "" && kind != noThing {
			return "<name>" + kind
		}
	}
	return token
}

// common says whether a word is an ordinary one: it has a meaning here, or none.
func (l *lexicon) common(low string) bool { return stopped[low] || l.known(low) || l.said[low] }

// differs returns where two texts of one length are not the same.
func differs(a, b string) (start, end int) {
	for start < len(a) && a[start] == b[start] {
		start++
	}
	for end = len(a); end > start && a[end-1] == b[end-1]; end-- {
	}
	return start, end
}

func kindOfSpan(s span, today time.Time) string {
	when := "later"
	switch {
	case !s.until.After(today):
		when = "past"
	case !s.from.After(today):
		when = "now"
	}
	if s.day {
		return "<day>" + when
	}
	if s.period {
		return "<period>" + when
	}
	return "<days>" + when
}

var lettersThenDigits = regexp.MustCompile(`^[A-Z]+[0-9]+$`)

// kindOfCode tells codes that a machine gave, with their prefix, from those that
// somebody made up, such as EARLY20, and from names. One of letters and a single
// digit is a machine's when it is as long as those in the sentences.
func (l *lexicon) kindOfCode(code string) string {
	head, tail, dashed := strings.Cut(code, "-")
	switch {
	case dashed && len(head) == 3 && len(tail) >= 5:
		return "<code>" + head
	case isRandom(code):
		return "<code>"
	case !mixed.MatchString(code) || dashed:
		return "<name>"
	case lettersThenDigits.MatchString(code) && (len(code) != l.codeSize || countDigits(code) > 1):
		return "<codenum>"
	}
	return "<code>"
}

// unusual are pairs of letters that hardly any English or romanised Hindi word has.
var unusual = regexp.MustCompile(`B[QWXZ]|C[BJZ]|D[XZ]|F[BHJKQVXZ]|G[JKQX]|H[JQZ]|J[BCGJLNPQRTVXZ]|K[QVXZ]|L[QZ]|` +
	`M[HJQWXZ]|OQ|P[JVXZ]|Q[B-EG-KM-QW-Z]|R[JQXZ]|S[JZ]|T[JQ]|U[HQWZ]|V[GHJ-LPQU-XZ]|W[BFGJMQV-Z]|X[DGJKQVWZ]|` +
	`Y[JKQUXY]|Z[B-DF-HJ-NP-SVWX]`)

// isRandom says whether capitals are no word: six or more with hardly a vowel, or with
// letters that no word has side by side, are a code that a machine gave, though it has
// no digit.
func isRandom(code string) bool {
	vowels := strings.Count(code, "A") + strings.Count(code, "E") + strings.Count(code, "I") +
		strings.Count(code, "O") + strings.Count(code, "U")
	return len(code) >= 6 && (5*vowels < len(code) || unusual.MatchString(code)) &&
		!strings.ContainsAny(code, "- ") && code == strings.ToUpper(code)
}

// signsOf are what a text is recognised by: its concepts and words, and which of them
// stand side by side.
func (l *lexicon) signsOf(tokens []token, isQuestion bool) []string {
	var out []string
	before := "^"
	for _, t := range tokens {
		concept := t.text
		if t.text[0] != '<' {
			concept = l.conceptOf(t.text)
			out = append(out, "w:"+t.text)
			if runes := []rune(t.text); len(runes) > 4 {
				out = append(out, "p:"+string(runes[:4]))
			}
		}
		kind, _, _ := strings.Cut(concept, ">")
		if concept[0] == '<' && kind+">" != concept {
			out = append(out, "c:"+kind+">")
		}
		out = append(out, "c:"+concept, before+" "+concept)
		before = concept
	}
	out = append(out, before+" $")
	if isQuestion {
		out = append(out, "?")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
