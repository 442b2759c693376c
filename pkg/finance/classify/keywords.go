package classify

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

//go:embed keywords.txt
var keywordText string

// Keyword is a word of accounting that a message contains.
type Keyword struct {
	Name  string // as the list has it, in English
	Group string // its sub-category, such as "receivables"
	Text  string // as the message has it, folded
}

// entry is a line of the list.
type entry struct {
	name, group string
	categories  []string
}

// form is a spelling of a keyword: one to four folded words.
type form struct {
	words []string
	of    *entry
}

// list is the list as it is looked up.
type list struct {
	entries []*entry
	forms   map[string][]form // by the first word, the longest form first
	near    map[byte][]form   // of one word, with at least five letters, by the first letter
}

// keywords are read at their first use.
var keywords = sync.OnceValue(func() *list {
	l, err := parse(keywordText)
	if err != nil {
		panic(err) // the embedded file, which a test reads
	}
	return l
})

// Groups returns the keywords by their sub-categories, in the order of the list.
func Groups() (groups []string, names map[string][]string) {
	names = map[string][]string{}
	for _, e := range keywords().entries {
		if !slices.Contains(groups, e.group) {
			groups = append(groups, e.group)
		}
		names[e.group] = append(names[e.group], e.name)
	}
	return groups, names
}

// parse reads a list in the form of keywords.txt.
func parse(text string) (*list, error) {
	l := &list{forms: map[string][]form{}, near: map[byte][]form{}}
	group := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[' && line[len(line)-1] == ']':
			group = line[1 : len(line)-1]
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		if !ok || group == "" {
			return nil, fmt.Errorf("classify: %q is no line of keywords", line)
		}
		spellings, categories, _ := strings.Cut(rest, ">")
		e := &entry{name: name, group: group, categories: strings.Fields(categories)}
		l.entries = append(l.entries, e)
		for spelling := range strings.SplitSeq(name+","+spellings, ",") {
			words := fold(spelling)
			if len(words) == 0 {
				return nil, fmt.Errorf("classify: %q has a form without a word", line)
			}
			l.forms[words[0]] = append(l.forms[words[0]], form{words, e})
			if len(words) == 1 && len(words[0]) >= 5 && words[0][0] < 0x80 {
				l.near[words[0][0]] = append(l.near[words[0][0]], form{words, e})
			}
		}
	}
	for _, forms := range l.forms {
		slices.SortStableFunc(forms, func(a, b form) int { return len(b.words) - len(a.words) })
	}
	return l, nil
}

// fold returns the words of a text in the form in which they are compared: small
// letters, one vowel for a doubled one, no plural s, and Devanagari without the dots
// that are often left out.
func fold(text string) []string {
	var out []string
	plain := true
	for i := range len(text) {
		plain = plain && text[i] < 0x80
	}
	if !plain {
		text = devanagari().Replace(norm.NFC.String(text))
	}
	text = strings.ToLower(text)
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !isWordRune(r)
	}) {
		out = append(out, foldWord(w))
	}
	return out
}

func foldWord(w string) string {
	w = strings.Trim(w, "-&'")
	w = strings.TrimSuffix(w, "'s")
	if n := len(w); n > 3 && w[n-1] == 's' && w[n-2] != 's' {
		w = w[:n-1]
	}
	return language.Fold(w)
}

var devanagari = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("\u093c", "", "\u0901", "\u0902", "\u200c", "", "\u200d", "")
})

// find returns the keywords in folded words: the longest form at each place, and near
// spellings of single words where no form stands.
func (l *list) find(words []string) (found []Keyword, of []*entry) {
	for i := 0; i < len(words); {
		f, n := l.at(words[i:])
		if f == nil {
			i++
			continue
		}
		found = append(found, Keyword{f.of.name, f.of.group, strings.Join(words[i:i+n], " ")})
		of = append(of, f.of)
		i += n
	}
	return found, of
}

// at returns the form with which words begin, and how many of them it has.
func (l *list) at(words []string) (*form, int) {
	forms := l.forms[words[0]]
	for i := range forms {
		n := len(forms[i].words)
		if n <= len(words) && slices.Equal(forms[i].words, words[:n]) {
			return &forms[i], n
		}
	}
	w := words[0]
	if len(w) < 5 || w[0] >= 0x80 || unlike(w) {
		return nil, 0
	}
	near := l.near[w[0]]
	for i := range near {
		if language.Near(near[i].words[0], w) {
			return &near[i], 1
		}
	}
	return nil, 0
}

// unlike reports whether a word only looks like a keyword.
func unlike(w string) bool {
	switch w {
	case "agrid", "assent", "badly", "banjo", "chance", "charge", "expert", "failing", "heath", "karta", "khana",
		"khane", "khara", "kisne", "lagate", "likhi", "march", "naked", "parse", "partly", "passe", "pause",
		"planted", "produce", "quite", "quota", "remote", "resort", "retort", "shape", "shark", "shock", "shore",
		"spare", "spoke", "stack", "stick", "stuck", "vegan", "machine":
		return true
	}
	return false
}
