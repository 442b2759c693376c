package intent

import (
	"math"
	"slices"
	"sync"
)

// Model finds intents. It is immutable and safe for concurrent use.
type Model struct {
	*scorers
	*rejector
	corpus    *corpus
	names     []string
	nameWords [][]uint64
	room      *sync.Pool // of *scratch
}

func (m *Model) ready() *Model {
	m.nameWords = nil
	for _, name := range m.names {
		m.nameWords = append(m.nameWords, wordsOf(name))
	}
	m.room = &sync.Pool{New: func() any { return m.newScratch() }}
	return m
}

// Intents returns the names of the intents. The list is the model's own.
func (m *Model) Intents() []string { return m.names }

// Name returns the name of the intent of an index; "" for -1.
func (m *Model) Name(intent int) string {
	if intent < 0 {
		return ""
	}
	return m.names[intent]
}

// Find returns the index of an intent; -1 for none of that name.
func (m *Model) Find(name string) int { return slices.Index(m.names, name) }

// Threshold is the confidence from which a result is accepted.
func (m *Model) Threshold() float64 { return m.confidence(m.threshold) }

// Bounds of what can express one intent. A longer sentence tells a story, and is
// left to a model.
const (
	mostBytes = 600
	mostWords = 40
)

// ambiguous is how near the second intent's share may come to the first one's.
const ambiguous = 0.8

// Match says which intent a sentence expresses.
func (m *Model) Match(text string) Result {
	sc := m.room.Get().(*scratch)
	defer m.room.Put(sc)
	r := Result{Intent: -1, LiteralIntent: -1, Reason: Empty, Neighbour: Candidate{Intent: -1}}
	for i := range r.Best {
		r.Best[i].Intent = -1
	}
	s := &sc.sentence
	s.fold(text)
	if len(s.tokens) == 0 {
		return r
	}
	var exact bool
	r.LiteralIntent, r.Literal, exact = m.literal(s)
	e := m.look(s.features(), sc)
	r.Intent, r.Nearest, r.Votes = e.best, e.nearest, e.votes
	r.Neighbour = m.neighbour(e.found)
	m.candidates(sc.share, &r)
	score := m.score(&e.x)
	r.Confidence = m.confidence(score)
	switch {
	case len(text) > mostBytes || len(s.tokens) > mostWords:
		r.Reason, r.Confidence = TooLong, 0
	case exact:
		// What an administrator wrote down is so.
		r.Intent, r.Accepted, r.Reason = r.LiteralIntent, true, Exact
		r.Confidence = max(scoreExact, r.Confidence)
	case score >= m.threshold && !math.IsNaN(score):
		r.Accepted, r.Reason = true, Sure
	case r.Best[1].Intent >= 0 && r.Best[1].Share > ambiguous*r.Best[0].Share:
		r.Reason = Ambiguous
	default:
		r.Reason = Unsure
	}
	return r
}

// candidates fills the likeliest intents in.
func (m *Model) candidates(share []float32, r *Result) {
	for j, x := range share[:m.intents] {
		c := Candidate{j, float64(x)}
		for i := range r.Best {
			if r.Best[i].Intent < 0 || r.Best[i].Share < c.Share {
				r.Best[i], c = c, r.Best[i]
			}
			if c.Intent < 0 {
				break
			}
		}
	}
}

// neighbour returns the intent of the nearest phrase.
func (m *Model) neighbour(found nearest) Candidate {
	c := Candidate{Intent: -1}
	if found.n > 0 {
		c.Share = float64(found.cosine[0])
		if class := int(m.near.class[found.phrase[0]]); class < m.intents {
			c.Intent = class
		}
	}
	return c
}
