package story

import (
	"strings"
)

// enough is how much must speak for a type of job.
const enough = 4.0

// typeOf returns the type of job that a text tells, and how much speaks for it.
func (t *parsed) typeOf() (*term, float64) {
	scores := map[*term]float64{}
	var best *term
	for i, c := range t.clauses {
		for _, h := range typeWords().find(t.tokens[c.from:c.to]) {
			n := t.typeScore(i, c, h)
			if best == nil {
				n++ // what is named first is most often the job
			}
			if was, ok := scores[h.term]; ok {
				n = max(n, was) + 0.5
			}
			scores[h.term] = n
			if best == nil || n > scores[best] {
				best = h.term
			}
		}
	}
	if best == nil {
		return nil, 0
	}
	return best, scores[best]
}

func (t *parsed) typeScore(i int, c clause, h hit) float64 {
	n := 3.0
	if h.loose {
		if i > 1 {
			return 0 // a mention
		}
		n = 1.5
	}
	if t.beside(c, h) {
		n -= 2
	}
	n += 0.3 * float64(h.to-h.from)
	n += max(0, 3-float64(i))
	switch {
	case i == 0:
		n++
	case c.part == problem, c.part == result:
		n -= 3
	case c.part == challenge:
		n -= 4
	default:
		n++
	}
	before := wordsOf(t.tokens[max(c.from, c.from+h.from-7) : c.from+h.from])
	for _, p := range []string{" did ", " done ", " doing ", " built ", " build ", " fitted ", " made ",
		" finished ", " job ",
		" this was ", " this is ", " its a ", " it was a ", " ones a ", " ones an ", " project ",
		" installed ", " so a ", " just a ",
		" reforma "} {
		if strings.Contains(before, p) {
			n += 1.5
			break
		}
	}
	if h.from > 0 && among(old(), t.tokens[c.from+h.from-1].word) {
		n -= 2
	}
	if after := wordAt(t.tokens, c.from+h.to,
		c.to); among("job project renovation remodel", after) {
		n += 1.5
	}
	return n
}

// beside reports whether a thing is only where something is: "at the bottom of a garden".
func (t *parsed) beside(c clause, h hit) bool {
	for k := c.from + h.from - 1; k >= max(c.from, c.from+h.from-3); k-- {
		w := t.tokens[k].word
		if among("of in at to into from behind over above off near next through under on below beside", w) {
			return true
		}
		if !among("a an the this their his her our my old new big small back front", w) {
			return false
		}
	}
	return false
}

// takeType takes the type of the job. A type that is there is only replaced by what
// says plainly that it was another one.
func (m *merger) takeType(t parsed) {
	best, n := t.typeOf()
	if best == nil || n < enough {
		return
	}
	if m.kind == "" || m.corrected(t, best) {
		m.set("type", &m.kind, best.name)
	}
}

// corrected reports whether a text says that the type was wrong.
func (m *merger) corrected(t parsed, best *term) bool {
	if key(m.kind) == key(best.name) {
		return false
	}
	words := t.folded()
	for _, p := range []string{" no it was a ", " it wasnt a ", " it was not a ", " actually a ",
		" actually it was a ", " its not a ",
		" no its a ", " sorry a ", " sorry it was a ", " i mean a ", " not a ", " no a ", " no actually "} {
		if strings.Contains(words, p) {
			return true
		}
	}
	return false
}
