package story

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// read takes from a text what it says.
func (m *merger) read(text string) {
	t := parse(text)
	m.takeTitle(t)
	m.takeType(t)
	m.takePlace(t)
	m.takeValues(t)
	m.takeLists(t)
	m.takeStory(t)
}

// parsed is a text with its words and clauses.
type parsed struct {
	text    string
	tokens  []token
	clauses []clause
}

// clause is a sentence, or a part of a long one: the tokens from..to.
type clause struct {
	from, to int
	folded   string // its words with spaces around
	field    string // of the story; "" for none
}

func parse(text string) parsed {
	t := parsed{text: text, tokens: tokensOf(text)}
	t.clauses = split(t.tokens)
	for i := range t.clauses {
		c := &t.clauses[i]
		c.folded = wordsOf(t.tokens[c.from:c.to])
	}
	classify(t.clauses)
	return t
}

// said returns a clause as it was said: without noises and what is private.
func (t parsed) said(c clause) string {
	from, to := trimmed(t.tokens, c.from, c.to)
	if from >= to {
		return ""
	}
	end := t.tokens[to-1].to
	// A point, a question mark or an exclamation mark belongs to the sentence.
	if to == c.to && t.tokens[to-1].stops && end < len(t.text) && strings.IndexByte(".!?", t.text[end]) >= 0 {
		end++
	}
	var b strings.Builder
	last := t.tokens[from].from
	for i := from; i < to; i++ {
		if noise(t.tokens[i].word) {
			b.WriteString(t.text[last:t.tokens[i].from])
			last = t.tokens[i].to
			for last < end && strings.IndexByte(" ,", t.text[last]) >= 0 {
				last++
			}
		}
	}
	b.WriteString(t.text[last:end])
	return privacy.Redact(strings.Join(strings.Fields(b.String()), " "))
}

// trimmed leaves out the words at both ends that say nothing.
func trimmed(tokens []token, from, to int) (int, int) {
	for from < to && (noise(tokens[from].word) || slices.Contains(leads(), tokens[from].word)) {
		from++
	}
	for from < to && (noise(tokens[to-1].word) || slices.Contains(tails(), tokens[to-1].word)) {
		to--
	}
	return from, to
}

// takeStory puts the clauses into the fields of the story, and what no field holds but
// has figures or names among the facts.
func (m *merger) takeStory(t parsed) {
	for _, c := range t.clauses {
		said := clip(t.said(c), maxSentence)
		switch {
		case c.field != "":
			m.add(c.field, said)
		case telling(t.tokens[c.from:c.to]) && !m.holds(t, c):
			m.fact(said)
		}
	}
}

// telling reports whether a clause has a figure or a name.
func telling(tokens []token) bool {
	for i, t := range tokens {
		if t.word[0] >= '0' && t.word[0] <= '9' || i > 0 && t.capital && t.word != "i" && len(t.word) > 1 {
			return true
		}
	}
	return false
}

// takeLists takes the materials and techniques.
func (m *merger) takeLists(t parsed) {
	for _, c := range t.clauses {
		tokens := t.tokens[c.from:c.to]
		if c.field == "problem" {
			continue
		}
		for _, h := range materialWords().find(tokens) {
			m.mats = union(m.mats, h.term.name)
		}
		for _, h := range techniqueWords().find(tokens) {
			m.techs = union(m.techs, h.term.name)
		}
	}
}

func (m *merger) takeTitle(parsed) {}

// takeType takes the type of the job.
func (m *merger) takeType(t parsed) {
	if m.kind != "" {
		return
	}
	var best *hit
	for _, h := range typeWords().find(t.tokens) {
		if best == nil || best.loose && !h.loose {
			best = &h
		}
	}
	if best != nil {
		m.kind = best.term.name
	}
}

func (m *merger) takePlace(t parsed) {
	if p := placeIn(t); p != (projects.Place{}) && m.place == (projects.Place{}) {
		m.place = p
	}
}

// holds reports whether the fields of the project have what the clause tells.
func (m *merger) holds(t parsed, c clause) bool {
	values := foldedText(strings.Join([]string{m.title, m.kind, m.place.Street, m.place.District, m.place.City,
		m.place.Region,
		m.place.Country, m.story.Duration, m.story.Completed, m.story.Size, strings.Join(m.mats, " ")}, " "))
	for i, w := range t.tokens[c.from:c.to] {
		if telling(t.tokens[c.from+i:c.from+i+1]) || i > 0 && w.capital && w.word != "i" {
			if !strings.Contains(values, " "+w.word+" ") {
				return false
			}
		}
	}
	return true
}
