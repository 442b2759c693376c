package story

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
)

// read takes from a text what it says.
func (m *merger) read(text string) {
	m.take(parse(text, context{begun: m.begun(), typed: m.kind != ""}))
}

// take takes from a parsed text what it says.
func (m *merger) take(t parsed) {
	if len(t.tokens) == 0 {
		return
	}
	m.takeTitle(&t)
	m.takeType(t)
	m.takePlace(t)
	m.correctPlace(&t)
	m.takeValues(t)
	m.takeLists(&t)
	m.takeStory(t)
	m.rewrite()
}

// context is what is known of a text before it is read.
type context struct {
	// begun says that the project has a story, so that the text may go on with any part.
	begun bool
	// typed says that the type of the job is known, so that a thing that is named is not it.
	typed bool
	// asked says that the text answers a question.
	asked bool
	// part is the part of the story for which the person was asked; none for no part.
	part int
}

// parsed is a text with its words and clauses.
type parsed struct {
	text    string
	tokens  []token
	clauses []clause
	values  values
	begins  int // the clause with which the work begins; len(clauses) for none, -1 for before
	ends    int // the clause that says how long it took; 0 for none
	private []privacy.Finding
	words   string // all of them, once they are asked for
}

// clause is a sentence, or a part of a long one: the tokens from..to.
type clause struct {
	from, to int
	goesOn   bool    // it is not the first of its sentence
	took     bool    // it says how long the job took
	value    bool    // it says how long the job took, how large it is, or when it was done
	part     int     // of the story, to which it most likely belongs
	likely   float64 // how likely, from 0 to 1
	talk     bool    // it is said to the assistant, not of the job
	corrects bool    // it only takes something back
	field    string  // the part's field, where it is likely enough; "" for none
}

// parse reads a text.
func parse(text string, about context) parsed {
	t := parsed{text: text, tokens: tokensOf(text)}
	t.clauses = split(t.tokens)
	t.hide()
	t.findValues()
	classify(&t, about)
	t.smooth()
	t.findTalk(about)
	return t
}

// hide marks the words of addresses and other private things, which are not read as
// anything else.
func (t *parsed) hide() {
	t.private = privacy.Find(t.text)
	for _, f := range t.private {
		for i := range t.tokens {
			if w := &t.tokens[i]; w.from < f.End && f.Start < w.to {
				w.private, w.capital = true, false
				w.word, w.stem = "·", "·"
			}
		}
	}
}

// smooth gives a clause whose part is not clear the one that is likeliest for it, where
// the clauses of its sentence before or behind it belong to that.
func (t *parsed) smooth() {
	names := partNames()
	for i := range t.clauses {
		c := &t.clauses[i]
		if c.field != "" || c.part == none {
			continue
		}
		before := c.goesOn && t.clauses[i-1].field == names[c.part]
		behind := i+1 < len(t.clauses) && t.clauses[i+1].goesOn && t.clauses[i+1].field == names[c.part]
		if before || behind {
			c.field = names[c.part]
		}
	}
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
	said := strings.Join(strings.Fields(b.String()), " ")
	if !slices.ContainsFunc(t.tokens[from:to], func(w token) bool { return w.private }) {
		return said
	}
	return privacy.Redact(said)
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

// begun reports whether the project has a part of the story.
func (m *merger) begun() bool {
	return m.story.Problem != "" || m.story.Solution != "" || m.story.Result != ""
}

// takeStory puts the clauses into the fields of the story, and what no field holds but
// has figures or names among the facts.
func (m *merger) takeStory(t parsed) {
	for i := 0; i < len(t.clauses); i++ {
		c := t.clauses[i]
		// Clauses of one sentence and one part stay together.
		for i+1 < len(t.clauses) && t.clauses[i+1].goesOn && t.clauses[i+1].field == c.field {
			i++
			c.to = t.clauses[i].to
		}
		said := clip(t.said(c), maxSentence)
		switch {
		case c.corrects || c.talk:
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

// takeTitle takes a title that the person gives: "call it The Copper Kitchen".
func (m *merger) takeTitle(t *parsed) {
	f := titleForm().FindStringSubmatch(t.text)
	if f == nil {
		return
	}
	title := privacy.Redact(strings.Trim(strings.TrimSpace(f[1]), `"“”'.!`))
	if title != "" {
		m.title = clip(title, maxTitle)
	}
}

var titleForm = lazily(`(?im)^\s*(?:please )?(?:call it|title it|the title (?:is|should be)|name it|` +
	`make the title)[: ]+` +
	`["“]?([^"”\n]{3,120})`)

// holds reports whether the fields of the project have what the clause tells.
func (m *merger) holds(t parsed, c clause) bool {
	values := foldedText(strings.Join([]string{m.title, m.kind, m.place.Street, m.place.District, m.place.City,
		m.place.Region,
		m.place.Country, m.story.Duration, m.story.Completed, m.story.Size, strings.Join(m.mats, " ")}, " "))
	for i, w := range t.tokens[c.from:c.to] {
		if w.private {
			continue
		}
		if telling(t.tokens[c.from+i:c.from+i+1]) || i > 0 && w.capital && w.word != "i" {
			if !strings.Contains(values, " "+w.word+" ") {
				return false
			}
		}
	}
	return true
}
