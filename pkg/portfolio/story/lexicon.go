package story

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed words/materials.txt
var materialsText string

//go:embed words/techniques.txt
var techniquesText string

//go:embed words/types.txt
var typesText string

//go:embed words/places.txt
var placesText string

var (
	materialWords  = sync.OnceValue(func() *lexicon { return readLexicon(materialsText) })
	techniqueWords = sync.OnceValue(func() *lexicon { return readLexicon(techniquesText) })
	typeWords      = sync.OnceValue(func() *lexicon { return readLexicon(typesText) })
)

// term is an entry of a lexicon.
type term struct {
	name  string
	group string
	at    int // its place in the file
}

// form is one way to say a term, as the stems of its words.
type form struct {
	stems []string
	term  *term
	// loose forms are said of many things, so that they count only where nothing better
	// is said.
	loose bool
	// only is the group of the type of job in which the form counts; "" for all.
	only string
}

// lexicon finds terms in texts.
type lexicon struct {
	terms []*term
	forms map[string][]form // by the first stem, the longest first
	names map[string]*term  // by the folded name
}

// readLexicon reads a file of words: "[group]" lines, and "name: form, form" lines.
func readLexicon(text string) *lexicon {
	l := &lexicon{forms: map[string][]form{}, names: map[string]*term{}}
	group := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			group = strings.Trim(line, "[]")
			continue
		}
		name, forms, _ := strings.Cut(line, ":")
		t := &term{name: name, group: group, at: len(l.terms)}
		l.terms = append(l.terms, t)
		l.names[key(name)] = t
		l.add(t, name)
		for f := range strings.SplitSeq(forms, ",") {
			l.add(t, strings.TrimSpace(f))
		}
	}
	for _, list := range l.forms {
		slices.SortStableFunc(list, func(a, b form) int { return len(b.stems) - len(a.stems) })
	}
	return l
}

func (l *lexicon) add(t *term, text string) {
	text, loose := strings.CutPrefix(text, "~")
	text, only, _ := strings.Cut(text, "@")
	var stems []string
	for _, w := range tokensOf(text) {
		stems = append(stems, w.stem)
	}
	if len(stems) > 0 {
		l.forms[stems[0]] = append(l.forms[stems[0]], form{stems: stems, term: t, loose: loose, only: only})
	}
}

// hit is a term in a text: the tokens from..to.
type hit struct {
	term     *term
	from, to int
	loose    bool
	only     string
}

// find returns the terms in the tokens, the longest form first at each place.
func (l *lexicon) find(tokens []token) []hit {
	var out []hit
	for i := 0; i < len(tokens); i++ {
		if h, ok := l.at(tokens, i); ok {
			out = append(out, h)
			i = h.to - 1
		}
	}
	return out
}

func (l *lexicon) at(tokens []token, i int) (hit, bool) {
	for _, f := range l.forms[tokens[i].stem] {
		if len(f.stems) > len(tokens)-i {
			continue
		}
		same := true
		for k, s := range f.stems {
			if tokens[i+k].stem != s || k+1 < len(f.stems) && tokens[i+k].stops {
				same = false
				break
			}
		}
		if same {
			return hit{term: f.term, from: i, to: i + len(f.stems), loose: f.loose, only: f.only}, true
		}
	}
	return hit{}, false
}

// called returns the term of that name or form; nil without one.
func (l *lexicon) called(text string) *term {
	tokens := tokensOf(text)
	if len(tokens) == 0 {
		return nil
	}
	if h, ok := l.at(tokens, 0); ok && h.to == len(tokens) {
		return h.term
	}
	return l.names[key(text)]
}

// key makes entries of lists comparable.
func key(text string) string {
	var b strings.Builder
	for _, t := range tokensOf(text) {
		b.WriteString(t.stem)
		b.WriteByte(' ')
	}
	return b.String()
}
