package intent

// The scores of S2-17.
const (
	scoreExact   = 0.95
	scorePartMin = 0.70
	scoreName    = 0.60
	// A phrase of one or two words stands in sentences of any kind: as a part of one
	// it scores no more than this.
	scoreShort = 0.75
	shortWords = 2
)

// LiteralThreshold is the score from which S2-17 acts.
const LiteralThreshold = 0.85

// literal returns the score of S2-17 and the intent that has it; -1 and 0 for none.
// It compares word by word, so that "haan" isn't found in "kahaan".
func (m *Model) literal(s *sentence) (intent int, score float64, exact bool) {
	n := len(s.tokens)
	if c, ok := m.corpus.whole[s.hash(0, n)]; ok {
		return int(c), scoreExact, true
	}
	intent = -1
	better := func(c int32, part, whole int) {
		x := scorePartMin + (scoreExact-scorePartMin)*float64(part)/float64(whole)
		if part <= shortWords {
			x = min(x, scoreShort)
		}
		if x > score {
			intent, score = int(c), x
		}
	}
	// Phrases within the sentence.
	for i := range n {
		h := uint64(offset64)
		for j := i; j < n && j-i < m.corpus.longest; j++ {
			h = hashStep(h, s.tokens[j].hash)
			if c, ok := m.corpus.whole[h]; ok {
				better(c, j-i+1, n)
			}
		}
	}
	// The sentence within phrases: they have its rarest word.
	var rarest []int32
	for i, t := range s.tokens {
		var posts []int32
		if f := m.feats.find(mix(kindWord, t.hash)); f >= 0 {
			posts = m.near.posts[f]
		}
		if i == 0 || len(posts) < len(rarest) {
			rarest = posts
		}
	}
	for _, p := range rarest {
		if c := m.corpus.class[p]; int(c) < m.intents && m.within(s, m.corpus.rows[p]) {
			better(c, n, len(m.corpus.rows[p]))
		}
	}
	if score == 0 {
		for c, words := range m.nameWords {
			if len(words) > 0 && s.has(words) {
				return c, scoreName, false
			}
		}
	}
	return intent, score, false
}

// wordsOf returns the hashes of the words of an intent's name: "list_extras" has
// two.
func wordsOf(name string) []uint64 {
	text := []byte(name)
	for i, c := range text {
		if c == '_' || c == '-' || c == '.' {
			text[i] = ' '
		}
	}
	var s sentence
	s.fold(string(text))
	var out []uint64
	for _, t := range s.tokens {
		out = append(out, t.hash)
	}
	return out
}

func hashStep(h, w uint64) uint64 {
	h = (h ^ w) * prime64
	return h ^ h>>29
}

// within reports whether the sentence's words stand in a row in a phrase.
func (m *Model) within(s *sentence, row []int32) bool {
	for i := 0; i+len(s.tokens) <= len(row); i++ {
		same := true
		for j, t := range s.tokens {
			if m.corpus.lexes[row[i+j]].hash != t.hash {
				same = false
				break
			}
		}
		if same {
			return true
		}
	}
	return false
}

// has reports whether the sentence has the words in a row.
func (s *sentence) has(words []uint64) bool {
	for i := 0; i+len(words) <= len(s.tokens); i++ {
		same := true
		for j, w := range words {
			if s.tokens[i+j].hash != w {
				same = false
				break
			}
		}
		if same {
			return true
		}
	}
	return false
}
