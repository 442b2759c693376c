package story

import (
	"cmp"
	"slices"
	"strings"
)

// Salient returns the sentences of messages that are worth keeping when the messages are
// not: those with figures, names, materials and techniques, which are told of the job.
// What is asked of the assistant is left out. The most telling go first into the budget of
// tokens (a quarter of the bytes, and one each), and of equal ones the newest; they are
// returned in the order in which they were said, each once.
func Salient(messages []string, budget int) []string {
	type sentence struct {
		text  string
		at    int
		score int
	}
	var list []sentence
	seen := map[string]bool{}
	for i, message := range slices.Backward(messages) {
		t := tellingOf(clean(message))
		for k, c := range slices.Backward(t.clauses) {
			n := t.tells(c)
			if n == 0 {
				continue
			}
			text := clip(t.said(c), maxSentence)
			if id := key(text); text != "" && !seen[id] {
				seen[id] = true
				list = append(list, sentence{text: text, at: i<<16 + k, score: n})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b sentence) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.at, a.at))
	})
	kept := list[:0]
	for _, s := range list {
		if cost := (len(s.text)+3)/4 + 1; cost <= budget {
			budget -= cost
			kept = append(kept, s)
		}
	}
	slices.SortFunc(kept, func(a, b sentence) int { return cmp.Compare(a.at, b.at) })
	var out []string
	for _, s := range kept {
		out = append(out, s.text)
	}
	return out
}

// tellingOf parts a text into sentences, without looking for the parts of a story.
func tellingOf(text string) *parsed {
	t := &parsed{text: text, tokens: tokensOf(text)}
	t.hide()
	from := 0
	for i := range t.tokens {
		if t.tokens[i].stops || i == len(t.tokens)-1 || i-from >= mostWords {
			t.clauses = append(t.clauses, clause{from: from, to: i + 1})
			from = i + 1
		}
	}
	return t
}

// tells says how much a sentence tells of the job: 0 nothing, 1 a little, 2 a fact.
func (t *parsed) tells(c clause) int {
	tokens := t.tokens[c.from:c.to]
	words := wordsOf(tokens)
	n := 0
	for i, w := range tokens {
		figure := w.word[0] >= '0' && w.word[0] <= '9'
		switch {
		case w.private:
		case figure, among(countWords(), w.word) && len(w.word) > 2 && i+1 < len(tokens) && isUnit(tokens[i+1].stem):
			n += 2
		case i > 0 && w.capital && w.word != "i" && len(w.word) > 1 && w.word[0] != 'i' || i > 0 &&
			w.capital && len(w.word) > 3:
			n += 2
		}
		if _, _, ok := t.knownAt(c.from+i, c.to); ok {
			n += 2
		}
	}
	if len(materialWords().find(tokens)) > 0 || len(techniqueWords().find(tokens)) > 0 {
		n += 2
	}
	if asksAssistant(words) || t.tokens[c.to-1].to < len(t.text) && t.text[t.tokens[c.to-1].to] == '?' {
		n -= 3
	}
	switch {
	case n <= 0:
		return 0
	case n == 1:
		return 1
	}
	return 2
}

func isUnit(stem string) bool {
	return isTime(stem) || among(`metre meter foot feet inch millimetre centimetre square year coat layer
		panel socket window room door floor storey people tonne ton kilo litre pound dollar euro rupee
		percent step stair photo`, stem)
}

// asksAssistant reports whether a sentence is a request to the assistant.
func asksAssistant(words string) bool {
	for _, p := range []string{" can you ", " could you ", " please ", " photo ", " photos ", " picture ",
		" pictures ", " title ",
		" upload ", " uploaded ", " page ", " preview ", " publish ", " thanks ", " thank you ", " undo ",
		" show me ", " draft ",
		" section ", " rewrite ", " shorter ", " longer ", " heading "} {
		if strings.Contains(words, p) {
			return true
		}
	}
	return false
}
