package intent

import (
	"slices"
)

// corpus are the phrases that a model compares sentences with, as rows of words.
type corpus struct {
	words  []string // in comparable form; the kind of an entity as "#1"
	lexes  []lexeme // of words
	number map[string]int32
	rows   [][]int32 // by phrase: indices in words
	class  []int32   // by phrase; rising
	// whole has the hash of every phrase of an intent.
	whole   map[uint64]int32
	longest int
}

func newCorpus() *corpus {
	return &corpus{number: map[string]int32{}, whole: map[uint64]int32{}}
}

// wordOf returns the text under which a token is kept.
func (s *sentence) wordOf(t token) string {
	if t.class != word {
		return "#" + string('0'+rune(t.class))
	}
	return string(s.text(t))
}

// lexemeOfWord is the reverse of wordOf.
func lexemeOfWord(text string, groups map[uint64]uint64) lexeme {
	s := sentence{buf: []byte(text)}
	t := token{to: len(text), hash: hashOf([]byte(text))}
	if len(text) == 2 && text[0] == '#' {
		t.class = class(text[1] - '0')
	}
	return s.lexemeOf(t, groups)
}

// add keeps a folded sentence as a phrase of a class and returns its row. Phrases
// of classes from intents on are the others.
func (c *corpus) add(s *sentence, class int32, intents int) []int32 {
	row := make([]int32, len(s.tokens))
	groups := concepts()
	for i, t := range s.tokens {
		text := s.wordOf(t)
		n, ok := c.number[text]
		if !ok {
			n = int32(len(c.words))
			c.number[text] = n
			c.words = append(c.words, text)
			c.lexes = append(c.lexes, lexemeOfWord(text, groups))
		}
		row[i] = n
	}
	c.keep(row, class, intents)
	return row
}

// keep keeps a row of known words.
func (c *corpus) keep(row []int32, class int32, intents int) {
	c.rows = append(c.rows, row)
	c.class = append(c.class, class)
	if int(class) < intents {
		c.whole[c.hash(row)] = class
		c.longest = max(c.longest, len(row))
	}
}

// hash is that of sentence.hash for the same words.
func (c *corpus) hash(row []int32) uint64 {
	h := uint64(offset64)
	for _, n := range row {
		h = hashStep(h, c.lexes[n].hash)
	}
	return h
}

// clone returns a corpus to which phrases can be added without touching this one.
func (c *corpus) clone() *corpus {
	out := &corpus{words: slices.Clip(c.words), lexes: slices.Clip(c.lexes), rows: slices.Clip(c.rows),
		class: slices.Clip(c.class), longest: c.longest, number: make(map[string]int32, len(c.words)+8),
		whole: make(map[uint64]int32, len(c.whole)+1)}
	for i, w := range c.words {
		out.number[w] = int32(i)
	}
	for h, class := range c.whole {
		out.whole[h] = class
	}
	return out
}
