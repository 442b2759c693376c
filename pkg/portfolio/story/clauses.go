package story

import (
	"slices"
	"strings"
)

// noise reports whether a word is only a sound.
func noise(w string) bool {
	return slices.Contains([]string{"uh", "um", "uhm", "umm", "er", "erm", "hmm", "mm", "mhm", "ah", "eh",
		"ehm", "este", "matlab"}, w)
}

// leads are words without meaning at the beginning of a sentence.
func leads() []string {
	return []string{"so", "and", "well", "okay", "ok", "right", "yeah", "yes", "basically", "anyway", "like",
		"then", "but",
		"now", "also", "plus", "hi", "hello", "hey", "because", "cause", "cos", "which", "toh", "to", "aur",
		"y", "pues", "bueno"}
}

// tails are words without meaning at its end.
func tails() []string {
	return []string{"and", "so", "but", "because", "then", "basically", "like", "yeah", "or", "which", "aur",
		"y", "also"}
}

// long is from how many words on a sentence is split.
const long = 14

// split parts a text into sentences, and long sentences where a new statement begins.
func split(tokens []token) []clause {
	var out []clause
	from := 0
	for i := range tokens {
		if tokens[i].stops || i == len(tokens)-1 {
			out = append(out, parts(tokens, from, i+1)...)
			from = i + 1
		}
	}
	return out
}

func parts(tokens []token, from, to int) []clause {
	var out []clause
	start := from
	for i := from + 1; i < to && to-from > long; i++ {
		if i-start >= 4 && to-i >= 3 && starts(tokens, i, to) {
			out = append(out, clause{from: start, to: i})
			start = i
		}
	}
	return append(out, clause{from: start, to: to})
}

// starts reports whether a new statement begins at a token.
func starts(tokens []token, i, to int) bool {
	at := func(k int) string {
		if k < to {
			return tokens[k].word
		}
		return ""
	}
	w, next := at(i), at(i+1)
	if slices.Contains([]string{"and", "but", "so", "then", "because", "anyway", "now"}, w) {
		return subject(next) || next == "then" && subject(at(i+2)) || next == "the" || next == "in"
	}
	before := tokens[i-1].word
	if slices.Contains([]string{"that", "what", "which", "when", "where", "how", "if", "because", "as", "like",
		"than", "so", "and",
		"but", "until", "before", "after", "once", "while", "since", "said", "then", "way", "who", "think",
		"sure", "for",
		"with", "of", "to", "in", "on", "at", "the", "a", "anyway", "now"}, before) {
		return false
	}
	return subject(w) && !slices.Contains([]string{"it", "there"}, w) || tokens[i-1].comma && subject(w)
}

func subject(w string) bool {
	return slices.Contains([]string{"we", "i", "they", "he", "she", "it", "there", "client", "clients",
		"customer", "theyre",
		"weve", "id", "ive", "its", "theres", "hes", "shes"}, w)
}

// cue is a phrase that speaks for a field of the story.
type cue struct {
	phrase string
	weight int
}

// classify gives each clause the field that its words speak for.
func classify(clauses []clause) {
	for i := range clauses {
		c := &clauses[i]
		best, score := "", 0
		for _, field := range []string{"problem", "challenge", "solution", "result", "detail"} {
			n := 0
			for _, q := range cuesOf(field) {
				if strings.Contains(c.folded, q.phrase) {
					n += q.weight
				}
			}
			if n > score {
				best, score = field, n
			}
		}
		if score >= 2 {
			c.field = best
		}
	}
}

func cuesOf(field string) []cue {
	switch field {
	case "problem":
		return []cue{{" wanted ", 3}, {" was leaking ", 3}, {" leaking ", 2}, {" rotten ", 2}, {" damp ", 2},
			{" falling apart ", 3},
			{" old ", 1}, {" asked ", 2}, {" called ", 1}, {" problem ", 2}, {" needed ", 2}, {" dated ", 2},
			{" cracked ", 2}}
	case "challenge":
		return []cue{{" tricky ", 4}, {" difficult ", 4}, {" hard part ", 4}, {" hardest ", 4}, {" challenge ",
			4}, {" turned out ", 2},
			{" nothing was ", 3}, {" found ", 2}, {" awkward ", 3}}
	case "solution":
		return []cue{{" we fitted ", 3}, {" we built ", 3}, {" we laid ", 3}, {" we installed ", 3},
			{" i built ", 3}, {" i fitted ", 3},
			{" we put ", 2}, {" we used ", 2}, {" we replaced ", 3}, {" i made ", 3}, {" we stripped ", 3},
			{" we tiled ", 3}, {" we did ", 1}}
	case "result":
		return []cue{{" happy ", 3}, {" love ", 3}, {" loves ", 3}, {" delighted ", 4}, {" over the moon ", 4},
			{" no more ", 3},
			{" looks ", 2}, {" now they ", 3}, {" in the end ", 2}}
	}
	return []cue{{" proud ", 4}, {" favourite ", 4}, {" best bit ", 4}, {" best part ", 4}}
}
