package writer

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

//go:embed words/plain.txt
var plainWords string

//go:embed words/acts.txt
var actWords string

//go:embed words/others.txt
var otherWords string

//go:embed words/units.txt
var unitWords string

// basis is what a text may claim: the words and figures of the facts, and words that
// claim nothing.
type basis struct {
	plain  map[string]bool   // stems of words that claim nothing; nil where only said words count
	acts   map[string]bool   // stems of acts, and whether the facts back them
	units  map[string]string // stem → unit
	words  map[string]bool   // folded words of the facts
	stems  map[string]bool   // their stems
	names  map[string]bool   // words that the facts have with a capital letter
	counts map[string]bool   // figures
	sizes  map[string]bool   // figures with their units: "3 week"
	denied map[string]bool   // stems that the facts have only behind a negation
	meant  map[string]bool   // stems that the facts have without one
	quotes string            // all that was said, folded, words alone
	secret secret
}

func newBasis(hidden secret, texts ...string) basis {
	b := basis{plain: entries(plainWords), units: map[string]string{}, words: map[string]bool{},
		stems: map[string]bool{},
		names: map[string]bool{}, counts: map[string]bool{},
		denied: map[string]bool{}, meant: map[string]bool{}, sizes: map[string]bool{}, secret: hidden}
	for line := range strings.Lines(unitWords) {
		if forms := strings.Fields(line); len(forms) > 0 && forms[0] != "#" {
			for _, f := range forms {
				b.units[f] = forms[0]
			}
		}
	}
	var said strings.Builder
	for _, text := range texts {
		b.add(text)
		said.WriteString(" / " + strings.Join(word.FindAllString(fold(text), -1), " "))
	}
	b.quotes = said.String()
	b.acts = map[string]bool{}
	for line := range strings.Lines(actWords) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			b.acts[stem(words[0])] = slices.ContainsFunc(words, func(w string) bool { return b.stems[stem(w)] })
		}
	}
	return b
}

// basis returns what texts made of the facts may claim. What photos show is not among
// it: words on a photo are not the person's.
func (f facts) basis() basis {
	texts := slices.Concat([]string{f.Type, f.Place, f.Duration, f.Completed, f.Size, f.Business.Name,
		f.Business.Trade, f.Business.City, f.Business.About}, f.Materials, f.Techniques, f.Problem, f.Challenge,
		f.Solution, f.Result,
		f.Detail, f.Facts)
	if f.Written != nil {
		texts = append(texts, f.Written.Title, f.Written.Description)
	}
	b := newBasis(f.secret, texts...)
	for line := range strings.Lines(otherWords) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == f.page.language {
			for _, w := range words[1:] {
				b.plain[stem(fold(w))] = true
			}
		}
	}
	return b
}

// entries returns the stems of a file of words.
func entries(file string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			out[stem(w)] = true
		}
	}
	return out
}

// token is a word or a figure of a text.
type token struct {
	text  string // as it is written
	fold  string
	stem  string
	count string // the figure in the one form in which figures are compared; "" for a word
	first bool   // of a sentence
}

var (
	squareMetres = regexp.MustCompile(`(?i)\bm ?[²2]\b|\bm²|\bsq\.? ?m(?:et(?:er|re)s?)?\b|` +
		`\bsquare[- ]met(?:er|re)s?\b`)
	squareFeet = regexp.MustCompile(`(?i)\bft ?[²2]\b|\bft²|\bsq\.? ?(?:ft|f(?:ee|oo)t)\b|\bsquare[- ]f(?:ee|oo)t\b`)
	currency   = regexp.MustCompile(`([£$€₹])\s*(\pN+(?:[.,]\pN+)*)`)
	inches     = regexp.MustCompile(`(\pN)["”]`)
)

// tokens reads a text.
func tokens(text string) []token {
	text = squareMetres.ReplaceAllString(text, " sqm ")
	text = squareFeet.ReplaceAllString(text, " sqft ")
	text = inches.ReplaceAllString(text, "$1 inch ")
	text = strings.ReplaceAll(text, "%", " percent ")
	text = currency.ReplaceAllStringFunc(text, func(found string) string {
		sign, n := utf8.DecodeRuneInString(found)
		code := map[rune]string{'£': "gbp", '$': "usd", '€': "eur", '₹': "inr"}[sign]
		return strings.TrimSpace(found[n:]) + " " + code
	})
	var out []token
	end := -1
	for _, at := range word.FindAllStringIndex(text, -1) {
		t := token{text: text[at[0]:at[1]]}
		t.fold = strings.ReplaceAll(fold(t.text), "’", "'")
		t.stem = stem(t.fold)
		t.count = figure(t.fold)
		t.first = end < 0 || strings.ContainsAny(text[end:at[0]], ".!?:;\n|–—\"“”")
		end = at[1]
		out = append(out, t)
	}
	return out
}

// figure returns the figure that a word is, "" for others. One is none: it is an
// article, too.
func figure(w string) string {
	if r, _ := utf8.DecodeRuneInString(w); unicode.IsNumber(r) {
		w = strings.Map(func(r rune) rune {
			if r == ',' {
				return -1
			}
			return r
		}, w)
		if head, tail, found := strings.Cut(w, "."); found && strings.Trim(tail, "0") == "" {
			w = head
		}
		return w
	}
	small := [...]string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"}
	if at := slices.Index(small[:], w); at >= 0 {
		return strconv.Itoa(at + 2)
	}
	if at := slices.Index([]string{"thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"},
		w); at >= 0 {
		return strconv.Itoa(30 + 10*at)
	}
	switch w {
	case "thousand":
		return "1000"
	case "dozen", "dozens":
		return "12"
	}
	return ""
}

// add takes the words and figures of a text that was said.
func (b *basis) add(text string) {
	list := tokens(plaintext.Clean(text))
	for i, t := range list {
		if t.count != "" {
			b.counts[t.count] = true
			if i+1 < len(list) {
				b.sizes[t.count+" "+b.unit(list[i+1])] = true
			}
			continue
		}
		b.words[t.fold], b.stems[t.stem] = true, true
		if negated(list, i) {
			b.denied[t.stem] = true
		} else {
			b.meant[t.stem] = true
		}
		if r, _ := utf8.DecodeRuneInString(t.text); unicode.IsUpper(r) && !t.first {
			b.names[t.fold] = true
		}
		if r, _ := utf8.DecodeRuneInString(t.text); unicode.IsUpper(r) && t.first && len(list) <= 4 {
			b.names[t.fold] = true // an entry, such as a town
		}
	}
}

// unit returns the unit that a word is, "" for none.
func (b *basis) unit(t token) string { return b.units[t.stem] }
