// Package privacy finds what would tell readers where a client lives or how to
// reach one: addresses, phone numbers, e-mail addresses, plates of vehicles and
// postcodes. It reads texts only; photos are the business of their owner.
package privacy

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a finding is.
type Kind string

// The kinds of findings.
const (
	Address  Kind = "address"  // a street, with or without a number, a flat, a plot, a PO box
	Phone    Kind = "phone"    // in digits or in words
	Email    Kind = "email"    // also as it is spoken: "anna at example dot com"
	Plate    Kind = "plate"    // the registration of a vehicle
	Postcode Kind = "postcode" // one that names a few houses or a part of a town
)

// Finding is a part of a text that is private.
type Finding struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"` // as it stands in the text
	// Start and End are its place in the text, in bytes; End is behind it.
	Start int `json:"start"`
	End   int `json:"end"`
}

// maxBytes is how much of a text is searched at once; a longer text is searched in
// pieces that overlap.
const (
	maxBytes = 64 << 10
	overlap  = 512
)

// Find returns what is private in a text, in order and without overlaps. Of two that
// overlap the longer one is returned. It takes time in proportion to the text.
func Find(text string) []Finding {
	if !strings.ContainsFunc(text, telling) {
		return nil
	}
	var out []Finding
	for from := 0; from < len(text); {
		to := min(len(text), from+maxBytes)
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to--
		}
		out = append(out, findIn(text, from, to)...)
		if to == len(text) {
			break
		}
		from = to - overlap
		for !utf8.RuneStart(text[from]) {
			from--
		}
	}
	return apart(out)
}

// telling reports whether a character may be a part of a finding. A text without one is
// not searched.
func telling(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '@' }

// apart sorts findings and leaves out those that overlap with a longer one.
func apart(found []Finding) []Finding {
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.End-b.Start, a.End-a.Start), cmp.Compare(a.Start, b.Start))
	})
	var kept []Finding
	for _, f := range found {
		if !slices.ContainsFunc(kept, func(k Finding) bool { return f.Start < k.End && k.Start < f.End }) {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

// findIn searches text[from:to]; places count from the beginning of the text.
func findIn(text string, from, to int) []Finding {
	part := text[from:to]
	var out []Finding
	lower := strings.ToLower(part)
	digits := strings.ContainsAny(part, "0123456789")
	for _, f := range finders() {
		if !f.worth(lower, digits) {
			continue
		}
		for _, at := range f.shape().FindAllStringSubmatchIndex(part, -1) {
			// What counts is the first group, where there is one.
			i, j := at[0], at[1]
			if len(at) > 2 && at[2] >= 0 {
				i, j = at[2], at[3]
			}
			if i == j || !alone(part, i, j) || f.holds != nil && !f.holds(part, i, j) {
				continue
			}
			out = append(out, Finding{Kind: f.kind, Text: strings.Clone(part[i:j]), Start: from + i, End: from + j})
		}
	}
	return out
}

// alone reports whether no letter or digit touches s[i:j].
func alone(s string, i, j int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[j:])
	first, _ := utf8.DecodeRuneInString(s[i:])
	last, _ := utf8.DecodeLastRuneInString(s[:j])
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	return (i == 0 || !word(before) || !word(first)) && (j == len(s) || !word(after) || !word(last))
}

// Redact returns the text without what is private in it, and without the preposition
// that led to it: "We did a kitchen at 14 Rosewood Lane in May." becomes "We did a
// kitchen in May." Find finds nothing in what it returns.
func Redact(text string) string {
	// What is left may only look private once its neighbours are gone, so that it is
	// searched again. Each time it is shorter.
	for {
		found := Find(text)
		if len(found) == 0 {
			return text
		}
		var b strings.Builder
		last := 0
		for _, f := range found {
			b.WriteString(leading(text[last:f.Start]))
			last = f.End
		}
		b.WriteString(text[last:])
		text = tidy(b.String())
	}
}

// leading cuts the preposition before a finding off.
func leading(s string) string {
	trimmed := strings.TrimRight(s, " \t,:–-(")
	at := strings.LastIndexFunc(trimmed, func(r rune) bool { return !unicode.IsLetter(r) })
	if slices.Contains(prepositions(), strings.ToLower(trimmed[at+1:])) {
		return trimmed[:at+1]
	}
	return s
}

func prepositions() []string {
	return []string{"at", "on", "in", "off", "from", "of", "to", "near", "by", "call", "ring", "text", "phone",
		"email",
		"mail", "whatsapp", "is", "number", "tel", "mobile", "en", "calle", "al"}
}

// tidy removes the spaces and empty brackets that a removed piece leaves.
func tidy(s string) string {
	s = strings.NewReplacer("()", "", "( )", "", "[]", "").Replace(s)
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case r == ' ' || r == '\t':
			space = true
			continue
		case space && !strings.ContainsRune(".,;:!?)", r) && b.Len() > 0 && r != '\n':
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return strings.TrimSpace(strings.NewReplacer(",,", ",", ",.", ".", ", .", ".").Replace(b.String()))
}
