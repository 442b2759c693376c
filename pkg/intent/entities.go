package intent

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// EntityKind says what an entity is.
type EntityKind string

// The kinds.
const (
	DateEntity     EntityKind = "date"
	AmountEntity   EntityKind = "amount"
	CodeEntity     EntityKind = "code"     // a short code of ours, such as K7QMPX
	DocumentEntity EntityKind = "document" // a registration or the number of a document
	NameEntity     EntityKind = "name"
	AddressEntity  EntityKind = "email"
)

// Entity is a part of a sentence that names a thing rather than an intent.
type Entity struct {
	Kind     EntityKind
	Text     string // as it stands in the sentence
	From, To int    // its place in the sentence, in bytes
	// Days is what a date means. Or is its other meaning where the sentence
	// doesn't say which: "kal" is yesterday and tomorrow.
	Days, Or calendar.Range
	// Amount is what an amount means, in units of the currency.
	Amount money.Amount
}

// lazily returns what compiles a pattern at its first use: functions that look for no
// entities don't pay for it when they start.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// finder finds entities of one form.
type finder struct {
	shape func() *regexp.Regexp
	read  func(match []string, sentence string, today calendar.Date) (Entity, bool)
}

// Entities returns the entities of a sentence in their order; where two overlap,
// the longer one. Relative dates count from today.
func Entities(sentence string, today calendar.Date) []Entity {
	if len(sentence) > maxBytes {
		sentence = strings.ToValidUTF8(sentence[:maxBytes], "")
	}
	return find(sentence, today, finders())
}

// find is Entities of what the finders find.
func find(sentence string, today calendar.Date, finders []finder) []Entity {
	var out []Entity
	for _, f := range finders {
		for _, at := range f.shape().FindAllStringSubmatchIndex(sentence, -1) {
			if !alone(sentence, at[0], at[1]) {
				continue
			}
			match := make([]string, len(at)/2)
			for i := range match {
				if at[2*i] >= 0 {
					match[i] = sentence[at[2*i]:at[2*i+1]]
				}
			}
			if e, ok := f.read(match, sentence, today); ok {
				e.Text, e.From, e.To = match[0], at[0], at[1]
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Entity) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
	var kept []Entity
	for _, e := range out {
		if !slices.ContainsFunc(kept, func(k Entity) bool { return e.From < k.To && k.From < e.To }) {
			kept = append(kept, e)
		}
	}
	slices.SortFunc(kept, func(a, b Entity) int { return cmp.Compare(a.From, b.From) })
	return joined(kept, sentence)
}

// alone reports whether no letter or digit touches the part of s from i to j, so
// that "kal" isn't found in "kalam". Marks of Devanagari count as letters.
func alone(s string, i, j int) bool {
	touches := func(b byte) bool {
		return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
	}
	symbol := strings.HasPrefix(s[i:], "₹") || strings.HasPrefix(s[i:], "$")
	return (i == 0 || symbol || !touches(s[i-1])) && (j == len(s) || !touches(s[j]))
}

// document shapes: the GSTIN, the PAN, and numbers such as INV-2026/017.
var (
	gstin     = lazily(`[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]`)
	pan       = lazily(`[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]`)
	docNumber = lazily(`[A-Z]{2,5}[-/][0-9A-Z]*[0-9][0-9A-Z]*(?:[-/][0-9A-Z]+)*`)
	ownCode   = lazily(`[A-Z0-9]{6}`)
	email     = lazily(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	// A name stands behind a word that announces one, or is two capitalised words.
	announced = lazily(`(?:\b(?i:for|of|named|called|guest|customer|mr|mrs|ms|dr|shri|smt)\.? )` +
		`(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*)`)
	fullName = lazily(`\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+`)
)

// finders are in falling order of certainty.
func finders() []finder {
	plain := func(kind EntityKind) func([]string, string, calendar.Date) (Entity, bool) {
		return func([]string, string, calendar.Date) (Entity, bool) { return Entity{Kind: kind}, true }
	}
	list := []finder{
		{email, plain(AddressEntity)},
		{gstin, plain(DocumentEntity)},
		{pan, plain(DocumentEntity)},
		{docNumber, plain(DocumentEntity)},
		{ownCode, func(m []string, _ string, _ calendar.Date) (Entity, bool) {
			letters := strings.ContainsAny(m[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
			return Entity{Kind: CodeEntity}, letters && strings.ContainsAny(m[0], "0123456789")
		}},
	}
	list = append(list, dateFinders()...)
	list = append(list, amountFinders()...)
	person := func(m []string, _ string, _ calendar.Date) (Entity, bool) {
		name := m[len(m)-1]
		first, _, _ := strings.Cut(name, " ")
		_, isMonth := monthOf(first)
		_, isDay := weekdayOf(first)
		return Entity{Kind: NameEntity}, !isMonth && !isDay
	}
	return append(list, finder{announced, person}, finder{fullName, person})
}
