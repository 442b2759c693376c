package story

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// correctMaterials applies what a text takes back of the materials: "no, pine", "pine,
// not oak", "it wasn't oak, it was pine". It marks the clauses that say so.
func (m *merger) correctMaterials(t *parsed) {
	for i := range t.clauses {
		c := &t.clauses[i]
		hits := materialWords().find(t.tokens[c.from:c.to])
		for _, h := range hits {
			if was := t.takenBackBy(*c, h, hits); was != nil && (m.listed(was) || t.saidBefore(*c, was)) {
				m.replaceMaterial(was, h.term, t, *c, h)
				c.corrects = true
			} else if t.announced(*c, h) {
				if was := m.lastOfGroup(h.term); was != nil {
					m.replaceMaterial(was, h.term, t, *c, h)
					c.corrects = true
				}
			} else if m.listed(h.term) && t.unused(*c, h) {
				m.mats = slices.DeleteFunc(m.mats, func(e string) bool { return materialWords().called(e) == h.term })
				m.note("materials", h.term.name, "")
				c.corrects = true
			}
		}
	}
}

// saidBefore reports whether an earlier clause of the text names a material.
func (t *parsed) saidBefore(c clause, want *term) bool {
	return slices.ContainsFunc(materialWords().find(t.tokens[:c.from]), func(h hit) bool { return h.term == want })
}

// listed reports whether the materials have a term.
func (m *merger) listed(want *term) bool {
	return slices.ContainsFunc(m.mats, func(e string) bool { return materialWords().called(e) == want })
}

// lastOfGroup returns the material of the list that another one of its group takes the
// place of: the last one. It is nil where there is none, or the other one is there.
func (m *merger) lastOfGroup(with *term) *term {
	if m.listed(with) {
		return nil
	}
	for _, e := range slices.Backward(m.mats) {
		if t := materialWords().called(e); t != nil && t.group == with.group {
			return t
		}
	}
	return nil
}

// takenBackBy returns the other material of a clause that is said not to be it, where h
// is the one that is: "pine, not oak", "not oak but pine", "it wasn't oak, it was pine".
func (t *parsed) takenBackBy(c clause, h hit, hits []hit) *term {
	if !t.freed(c, h) && (t.negated(c, h) || t.notBefore(c, h)) {
		return nil
	}
	for _, other := range hits {
		if other.term != h.term && t.notBefore(c, other) {
			return other.term
		}
	}
	// The negation may stand in the clause before: "it wasn't oak, it was pine".
	if !t.short() {
		return nil
	}
	for i := range t.clauses {
		if i > 0 && t.clauses[i].from == c.from {
			before := t.clauses[i-1]
			for _, other := range materialWords().find(t.tokens[before.from:before.to]) {
				if other.term != h.term && t.notBefore(before, other) {
					return other.term
				}
			}
		}
	}
	return nil
}

// freed reports whether a term begins anew after a negation: "not oak but pine", "not
// oak, pine".
func (t *parsed) freed(c clause, h hit) bool {
	from := c.from + h.from
	return from > c.from && (t.tokens[from-1].word == "but" || t.tokens[from-1].comma)
}

// notBefore reports whether a negation stands right before a term.
func (t *parsed) notBefore(c clause, h hit) bool {
	from := c.from + h.from
	for k := from - 1; k >= max(c.from, from-3); k-- {
		switch t.tokens[k].word {
		case "not", "wasnt", "isnt", "werent", "arent", "nahi":
			return true
		case "of":
			return k > c.from && t.tokens[k-1].word == "instead"
		case "than":
			return k > c.from && t.tokens[k-1].word == "rather"
		}
		if k < from-1 && t.tokens[k].comma {
			return false
		}
	}
	return slices.Contains([]string{"nahi", "nahin"}, wordAt(t.tokens, c.from+h.to, c.to))
}

// announced reports whether words that take something back stand right before a term:
// "no, pine", "sorry, it was pine", "actually pine".
func (t *parsed) announced(c clause, h hit) bool {
	from := c.from + h.from
	if t.notBefore(c, h) && !t.freed(c, h) {
		return false
	}
	for k := from - 1; k >= max(0, from-5); k-- {
		w := t.tokens[k]
		if k < from-1 && slices.Contains([]string{"with", "the", "and", "for"}, w.word) {
			return false
		}
		switch w.word {
		case "sorry", "actually", "correction":
			return t.short() || from-k <= 4
		case "mean", "meant":
			return k > 0 && (t.tokens[k-1].word == "i" || t.tokens[k-1].word == "we")
		case "that":
			return k > 0 && t.tokens[k-1].word == "make"
		case "no", "nope", "nein", "nahi":
			first := k == 0 || t.tokens[k-1].stops || t.tokens[k-1].comma
			// "No pine" in a text without commas takes something back only where it is all.
			return first && (w.comma || w.stops || from-k > 1 || len(t.tokens) <= 4)
		}
	}
	return false
}

// short reports whether a text is short enough to be a correction as a whole.
func (t *parsed) short() bool { return len(t.tokens) <= 14 }

// unused reports whether a clause says that a term was not used.
func (t *parsed) unused(c clause, h hit) bool {
	before := wordsOf(t.tokens[max(c.from, c.from+h.from-5) : c.from+h.from])
	for _, p := range []string{" didnt use ", " did not use ", " never used ", " there was no ", " there wasnt any ",
		" didnt use any ", " not use any "} {
		if strings.Contains(before, p) {
			return true
		}
	}
	return false
}

// replaceMaterial puts a material in the place of another, also in the sentences that
// say what was done: the person took that word back.
func (m *merger) replaceMaterial(was, is *term, t *parsed, c clause, h hit) {
	list := m.mats[:0:0]
	for _, e := range m.mats {
		switch materialWords().called(e) {
		case was:
			list = union(list, is.name)
		case is:
			list = union(list, is.name)
		default:
			list = append(list, e)
		}
	}
	m.mats = union(list, is.name)
	m.replaced = append(m.replaced, replaced{was, strings.ToLower(
		t.text[t.tokens[c.from+h.from].from:t.tokens[c.from+h.to-1].to])})
	m.note("materials", was.name, is.name)
	m.rewrite()
}

// replaced is a material that was taken back, and the words that stand for it.
type replaced struct {
	was *term
	by  string
}

// rewrite writes what stands for the materials that were taken back in the sentences that
// say what was done.
func (m *merger) rewrite() {
	for _, r := range m.replaced {
		for _, name := range []string{"challenge", "solution", "result", "detail"} {
			at := m.field(name)
			*at = replaceTerm(*at, r.was, r.by)
		}
		for i, f := range m.story.Facts {
			m.story.Facts[i] = replaceTerm(f, r.was, r.by)
		}
	}
}

// takenBack reports whether this text takes a material back.
func (m *merger) takenBack(t *term) bool {
	return slices.ContainsFunc(m.replaced, func(r replaced) bool { return r.was == t })
}

// replaceTerm writes a word for every form of a term in a text.
func replaceTerm(text string, was *term, word string) string {
	tokens := tokensOf(text)
	var b strings.Builder
	last := 0
	for _, h := range materialWords().find(tokens) {
		if h.term != was {
			continue
		}
		from, to := tokens[h.from].from, tokens[h.to-1].to
		b.WriteString(article(text[last:from], word))
		if tokens[h.from].capital {
			r, n := utf8.DecodeRuneInString(word)
			b.WriteString(string(unicode.ToUpper(r)) + word[n:])
		} else {
			b.WriteString(word)
		}
		last = to
	}
	b.WriteString(text[last:])
	return b.String()
}

// article makes the article at the end of a text that of the word that follows.
func article(text, word string) string {
	vowel := strings.ContainsRune("aeiou", rune(word[0]))
	switch {
	case strings.HasSuffix(text, " an ") && !vowel:
		return text[:len(text)-2] + " "
	case strings.HasSuffix(text, " a ") && vowel:
		return text[:len(text)-1] + "n "
	}
	return text
}

// replaceValue gives a single value anew, and writes it in the sentences that have the
// old one.
func (m *merger) replaceValue(name string, value string) {
	at := m.field(name)
	was := *at
	m.set(name, at, value)
	if was == "" || was == *at {
		return
	}
	for _, f := range []string{"challenge", "solution", "result", "detail"} {
		text := m.field(f)
		*text = strings.ReplaceAll(*text, was, value)
	}
}

// correctPlace reads a short message that only names another town: "no, Bradford".
func (m *merger) correctPlace(t *parsed) {
	if m.place.City == "" || !t.short() || !slices.Contains([]string{"no", "sorry", "actually", "nope"},
		t.tokens[0].word) {
		return
	}
	for k := 1; k < len(t.tokens); k++ {
		if place, _, ok := t.knownAt(k, len(t.tokens)); ok && place.level == isCity {
			if t.tokens[k-1].word != "not" && t.tokens[k-1].word != "from" {
				m.mergePlace(projects.Place{City: place.name}, true)
				return
			}
		}
	}
}
