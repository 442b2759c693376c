package resolution

import "sync"

// Found is what a name stands for. Until Call has been made, Fit and Near are empty.
type Found struct {
	Fit  []Choice // all that the name fits; Value is the code
	Near []Choice // at most five that are alike, where none fits
	Call *Call    // the look-up that is to be made first
}

// Find looks a name up among customers, vendors, products, accounts or bank accounts,
// as plans do: of is "customer", "vendor", "product", "account" or "bank". It is pure:
// results are those of the look-ups that it asked for before.
func Find(of, name string, results []Result) Found {
	s := Source{Of: of}
	if of == "account" {
		name = englishAccount(name)
	}
	p := Plan{said: said{name: name}}
	var value string
	value, call, missing := p.look(s, results)
	switch {
	case call != nil:
		return Found{Call: call}
	case value != "":
		return Found{Fit: []Choice{{Label: nameOf(value, results), Value: value}}}
	case missing == nil:
		return Found{}
	case missing.Kind == SeveralFit:
		return Found{Fit: missing.Choices}
	}
	return Found{Near: missing.Choices}
}

// nameOf returns the name of what has a code, or the code.
func nameOf(code string, results []Result) string {
	for _, r := range results {
		for _, found := range recordsOf(r.Answer) {
			if found.Code == code {
				return found.Name
			}
		}
	}
	return code
}

// Normal returns a text with the words of time in one form and without invisible
// characters.
func Normal(text string) string { return normal(text) }

// NoSuchDay returns the first date in a text that there isn't, such as 31/02/2026; ""
// for none.
func NoSuchDay(text string) string { return badDate(normal(text)) }

// Fold returns a word, which is not empty, in the form in which words are compared.
func Fold(word string) string { return foldWord(word) }

var known = sync.OnceValue(readExplained)

// Explains reports whether a word, in small letters or in Devanagari, is one of
// questions and orders rather than of a name.
func Explains(word string) bool { return word != "" && known().words[foldWord(word)] }

// Number returns the number that a word of English or Hindi stands for; 0 for none.
func Number(word string) int { return numberWord(word) }

// Match returns those of some choices that a name fits by their labels, and, where it
// fits none, at most five that are alike.
func Match(name string, among []Choice) (fit, near []Choice) {
	records := make([]record, len(among))
	for i, c := range among {
		records[i] = record{Code: c.Value, Name: c.Label}
	}
	found := fitting(name, records)
	if len(found) > 0 {
		return choicesOf(found), nil
	}
	return nil, choicesOf(similar(name, records))
}

func choicesOf(records []record) []Choice {
	var out []Choice
	for _, r := range records {
		out = append(out, Choice{Label: r.Name, Value: r.Code})
	}
	return out
}
