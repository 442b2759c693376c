package story

import (
	"slices"
	"strings"
)

// Salient returns the sentences of messages that are worth keeping when the messages are
// not: those with figures, names and materials. The newest win, within a budget of
// tokens (a quarter of the bytes); they are returned in the order in which they were said.
func Salient(messages []string, budget int) []string {
	var out []string
	seen := map[string]bool{}
	for _, message := range slices.Backward(messages) {
		t := parse(clean(message), true)
		for _, c := range slices.Backward(t.clauses) {
			tokens := t.tokens[c.from:c.to]
			if !telling(tokens) && len(materialWords().find(tokens)) == 0 {
				continue
			}
			s := t.said(c)
			cost := (len(s)+3)/4 + 1
			if s == "" || seen[key(s)] || cost > budget {
				continue
			}
			seen[key(s)] = true
			budget -= cost
			out = append(out, strings.TrimSpace(s))
		}
	}
	slices.Reverse(out)
	return out
}
