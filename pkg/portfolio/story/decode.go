package story

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

// The parts of a story in their usual order; none is what belongs to no part.
const (
	none = iota
	problem
	solution
	challenge
	result
	detail
	labels
)

// partNames are the fields of the parts.
func partNames() [labels]string {
	return [labels]string{"", "problem", "solution", "challenge", "result", "detail"}
}

//go:embed words/cues.txt
var cuesText string

// cue is a phrase that speaks for a part.
type cue struct {
	phrase string // with a space before it, and behind it where the last word is whole
	label  int
	weight float64
}

// cues are the phrases by their first word.
var cues = sync.OnceValue(func() map[string][]cue {
	out := map[string][]cue{}
	for line := range strings.Lines(cuesText) {
		head, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(head, "#") {
			continue
		}
		name, weight, _ := strings.Cut(head, " ")
		label := none
		for i, n := range partNames() {
			if n == name {
				label = i
			}
		}
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			continue // the test of the word lists refuses such a line
		}
		for phrase := range strings.SplitSeq(list, ",") {
			words := strings.Fields(phrase)
			if len(words) > 0 {
				out[words[0]] = append(out[words[0]], cue{phrase: " " + strings.Join(words, " ") + " ", label: label,
					weight: w})
			}
		}
	}
	return out
})

// moves are what it takes to go from one part to the next, as a story is told.
func moves() [labels][labels]float64 {
	return [labels][labels]float64{
		none:      {none: 0.5, problem: 1, solution: 0.5, challenge: 0, result: 0.3, detail: 0},
		problem:   {none: -0.5, problem: 1.5, solution: 1, challenge: 0, result: -1, detail: -1},
		solution:  {none: 0, problem: -2, solution: 1.5, challenge: 0.8, result: 0.5, detail: 0},
		challenge: {none: 0, problem: -2, solution: 0.8, challenge: 1.2, result: 0.5, detail: 0},
		result:    {none: 0, problem: -3, solution: -1.5, challenge: -1, result: 1.5, detail: 0.3},
		detail:    {none: 0, problem: -2, solution: -0.5, challenge: -0.5, result: 0.3, detail: 1},
	}
}

// sharpness turns weights into odds.
const sharpness = 0.75

// sure is how likely a part must be for a clause to belong to it.
const sure = 0.7

// classify gives each clause the part to which it most likely belongs: by its own words,
// and by what stands before and behind it, since stories are told in an order. A clause
// of which that is not clear belongs to none.
//
// It is the forward-backward algorithm on a chain of clauses, with weights made by hand;
// see Rabiner, A tutorial on hidden Markov models, 1989.
func classify(t *parsed, about context) {
	n := len(t.clauses)
	if n == 0 {
		return
	}
	t.findTurns(about)
	own := make([][labels]float64, n)
	for i := range t.clauses {
		own[i] = t.emission(i, n, about)
		if about.part != none {
			own[i][about.part] += 3
		}
	}
	first := [labels]float64{none: 1, problem: 0.5, solution: 0, challenge: -1, result: -1, detail: -1}
	if about.begun {
		first = [labels]float64{}
	}
	step := moves()
	ahead, behind := make([][labels]float64, n), make([][labels]float64, n)
	for l := range labels {
		ahead[0][l] = sharpness * (first[l] + own[0][l])
	}
	for i := 1; i < n; i++ {
		for l := range labels {
			var sum [labels]float64
			for k := range labels {
				sum[k] = ahead[i-1][k] + sharpness*(step[k][l]+t.stays(i, k, l))
			}
			ahead[i][l] = logSum(sum) + sharpness*own[i][l]
		}
	}
	for i := n - 2; i >= 0; i-- {
		for l := range labels {
			var sum [labels]float64
			for k := range labels {
				sum[k] = sharpness*(step[l][k]+t.stays(i+1, l, k)+own[i+1][k]) + behind[i+1][k]
			}
			behind[i][l] = logSum(sum)
		}
	}
	names := partNames()
	for i := range t.clauses {
		var both [labels]float64
		for l := range labels {
			both[l] = ahead[i][l] + behind[i][l]
		}
		total, best := logSum(both), none
		for l := range labels {
			if both[l] > both[best] {
				best = l
			}
		}
		t.clauses[i].likely = math.Exp(both[best] - total)
		t.clauses[i].part = best
		if t.clauses[i].likely >= sure {
			t.clauses[i].field = names[best]
		}
	}
}

// findTurns looks for where the work begins, and where it is told how long it took.
func (t *parsed) findTurns(about context) {
	t.begins, t.ends = len(t.clauses), 0
	if about.begun {
		t.begins = -1
	}
	for i, c := range t.clauses {
		if we, _, _ := t.subjects(c); we == pastTense && t.begins == len(t.clauses) && !t.opens(i) {
			t.begins = i
		}
		if c.took && i > 2 && t.ends == 0 {
			t.ends = i
		}
	}
}

// opens reports whether a clause only says what sort of job it was.
func (t *parsed) opens(i int) bool {
	c := t.clauses[i]
	return i == 0 || i == 1 && (t.introduces(c) || len(typeWords().find(t.tokens[c.from:c.to])) > 0)
}

// stays says how much speaks for a clause to belong to the part of the one before it:
// the clauses of a sentence do, and above all a reason does.
func (t *parsed) stays(i, before, l int) float64 {
	c := t.clauses[i]
	if before != l || !c.goesOn || c.value {
		return 0
	}
	switch t.tokens[c.from].word {
	case "because", "cause", "cos", "which", "although", "though":
		return 3
	}
	if l == challenge {
		return 2
	}
	// "… so it never goes black", "… so there are no joints".
	if t.tokens[c.from].word == "so" && among("it its there theres you nothing", wordAt(t.tokens, c.from+1, c.to)) {
		return 2.5
	}
	return 1.2
}

// logSum returns the logarithm of the sum of exponentials.
func logSum(list [labels]float64) float64 {
	top := math.Inf(-1)
	for _, v := range list {
		top = math.Max(top, v)
	}
	sum := 0.0
	for _, v := range list {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// emission returns what the words of a clause say for each part.
func (t *parsed) emission(i, n int, about context) [labels]float64 {
	c := t.clauses[i]
	var out [labels]float64
	// Of the phrases for a part the strongest counts, and others a little.
	var best, more [labels]float64
	for k := c.from; k < c.to; k++ {
		for _, q := range cues()[t.tokens[k].word] {
			if !t.phraseAt(q.phrase, k, c.to) {
				continue
			}
			if q.weight > best[q.label] {
				more[q.label] += best[q.label]
				best[q.label] = q.weight
			} else {
				more[q.label] += q.weight
			}
		}
	}
	for l := range labels {
		out[l] = best[l] + math.Min(2, 0.4*more[l])
	}
	t.grammar(c, &out)
	// Before the work begins it is told how it was; behind its duration, how it is.
	switch {
	case i > 0 && i < t.begins:
		out[problem] += 1.5
		out[challenge] -= 1.5
		out[result] -= 2
	case i > t.begins:
		out[problem] -= 1.5
	case i == t.begins:
		out[solution] += 1.5
	}
	we, _, it := t.subjects(c)
	if we == pastTense {
		out[problem] -= 2
		if about.begun {
			out[solution] += 1.5
		}
	}
	if i > t.begins && it == pastTense && we == noTense && (t.ends == 0 || i < t.ends) {
		out[challenge]++
	}
	if t.ends > 0 && i > t.ends {
		if _, they, it := t.subjects(c); best[result] > 0 || they == presentTense || it == presentTense {
			out[result] += 2
		}
		out[detail] += 0.5
		out[solution] -= 1
		out[challenge] -= 1
		out[problem] -= 2
	}
	if i > t.begins && i < t.ends {
		out[result] -= 1.5
	}
	if it == presentTense && i >= min(1, t.begins) && (t.ends == 0 || i < t.ends) &&
		len(materialWords().find(t.tokens[c.from:c.to]))+len(techniqueWords().find(t.tokens[c.from:c.to])) > 0 {
		// "It's clad in larch", "all of it is insulated".
		out[solution] += 2
		out[result]--
	}
	if i > t.begins && c.goesOn && t.tokens[c.from].word == "so" &&
		among("we i everything nothing every the getting", wordAt(t.tokens, c.from+1, c.to)) {
		out[challenge] += 1.5
	}
	if c.goesOn && i > t.begins && among("so", t.tokens[c.from].word) {
		out[solution] -= 0.5
	}
	if i > t.begins && i+1 < n && t.clauses[i+1].goesOn && t.tokens[t.clauses[i+1].from].word == "so" {
		out[challenge] += 1.5
	}
	// What the person is proud of is named before or behind these words.
	if c.goesOn && t.proud(i-1) || i+1 < n && t.clauses[i+1].goesOn && t.proud(i+1) {
		out[detail] += 4
	}
	if i < 2 && (t.introduces(c) || !about.typed && len(typeWords().find(t.tokens[c.from:c.to])) > 0) {
		out[none] += 2.5
		if i == 0 && n > 3 {
			out[none] += 2.5
		} else if we, they, it := t.subjects(c); we == noTense && they == noTense && it == noTense {
			out[none] += 2.5
		}
	}
	place := float64(i) / float64(max(1, n-1))
	if n >= 5 {
		out[problem] += 1.5 * (0.4 - place)
		out[result] += 1.5 * (place - 0.55)
		out[detail] += 0.5 * (place - 0.5)
		out[solution] += 0.5 * (0.5 - math.Abs(place-0.45))
	}
	return out
}

// proud reports whether a clause says that the person is proud of something.
func (t *parsed) proud(i int) bool {
	c := t.clauses[i]
	for k := c.from; k < c.to; k++ {
		for _, q := range cues()[t.tokens[k].word] {
			if q.label == detail && q.weight >= 8 && t.phraseAt(q.phrase, k, c.to) {
				return true
			}
		}
	}
	return false
}

// introduces reports whether a clause says what sort of job it was, or where.
func (t *parsed) introduces(c clause) bool {
	for k := c.from; k < c.to; k++ {
		if (t.tokens[k].word == "in" || t.tokens[k].word == "en") && k+1 < c.to {
			if _, _, ok := t.knownAt(k+1, c.to); ok {
				return true
			}
		}
	}
	return false
}

// phraseAt reports whether a phrase stands at a token.
func (t *parsed) phraseAt(phrase string, k, to int) bool {
	at := 1
	for at < len(phrase) {
		end := at + strings.IndexByte(phrase[at:], ' ')
		if k >= to || t.tokens[k].word != phrase[at:end] {
			return false
		}
		at, k = end+1, k+1
	}
	return true
}

// grammar adds what person and tense say: what they wanted and how it was comes before,
// what we did is the work, how it is comes after.
func (t *parsed) grammar(c clause, out *[labels]float64) {
	we, they, it := t.subjects(c)
	switch {
	case we == pastTense:
		out[solution] += 2
		if len(materialWords().find(t.tokens[c.from:c.to])) > 0 {
			out[solution]++
		}
	case we == presentTense:
		out[none]++
	}
	switch {
	case they == pastTense:
		out[problem]++
	case they == presentTense:
		out[result] += 2.5
	}
	switch {
	case it == pastTense && we == noTense:
		out[problem] += 0.8
		out[challenge] += 0.4
	case it == presentTense && we == noTense:
		out[result]++
	}
	if we == noTense && they == noTense && it == noTense {
		// A phrase without a verb goes on with what was done, or says how long it took.
		if c.value {
			out[none] += 5
		} else if len(materialWords().find(t.tokens[c.from:c.to])) > 0 {
			out[solution] += 1.5
		}
	}
	if c.value {
		out[none] += 3
		if c.to-c.from <= 8 {
			out[none] += 5
		}
	}
	if c.to-c.from < 4 {
		out[none]++
	}
}
