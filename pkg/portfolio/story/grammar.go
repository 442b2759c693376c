package story

import (
	"slices"
	"strings"
)

// tense is when something happened.
type tense int

const (
	noTense tense = iota
	pastTense
	presentTense
)

// subjects returns the tenses of the verbs of a clause, by who does it: the person and
// the team, the clients, and things.
func (t *parsed) subjects(c clause) (we, they, it tense) {
	who := &it
	if k := t.firstWord(c); k+1 < c.to && t.didIt(k) {
		we, who = pastTense, &we // "Ripped it all out."
	}
	for k := c.from; k < c.to; k++ {
		w := t.tokens[k].word
		switch w {
		case "we", "i":
			who = &we
			continue
		case "weve", "ive":
			we, who = pastTense, &we
			continue
		case "they", "she", "he", "client", "clients", "customer", "family", "couple", "owner", "owners",
			"homeowner", "lady",
			"tenant", "kids", "madam":
			who = &they
			continue
		case "it", "there", "this", "that", "which", "you":
			who = &it
			continue
		case "theyre", "shes", "hes", "theyve":
			they, who = presentTense, &they
			continue
		case "theyd", "shed", "hed":
			they, who = pastTense, &they
			continue
		case "its", "theres", "thats", "youre":
			if it == noTense {
				it = presentTense
			}
			who = &it
			continue
		}
		if v := tenseOf(t.tokens, k, c.from); v != noTense && *who == noTense {
			*who = v
		}
	}
	return we, they, it
}

// firstWord returns the first token of a clause that means something.
func (t *parsed) firstWord(c clause) int {
	k := c.from
	for k+1 < c.to && (noise(t.tokens[k].word) || slices.Contains(leads(), t.tokens[k].word)) {
		k++
	}
	return k
}

// didIt reports whether a sentence without a subject begins at a token with what we did.
func (t *parsed) didIt(k int) bool {
	w, next := t.tokens[k].word, t.tokens[k+1].word
	return (strings.HasSuffix(w, "ed") && len(w) > 4 || among("took made built put cut laid hung dug ran set", w)) &&
		among("it the a an all everything that them new out up down back in off two three four some both my our", next)
}

// tenseOf returns the tense of a verb; noTense for another word.
func tenseOf(tokens []token, k, from int) tense {
	w := tokens[k].word
	switch {
	case among(pastVerbs(), w):
		return pastTense
	case among(presentVerbs(), w):
		return presentTense
	}
	if !strings.HasSuffix(w, "ed") || len(w) < 5 || k == from {
		return noTense
	}
	// "a painted rail" has no verb, "the rail broke" has.
	if tokens[k-1].comma {
		return noTense // "oak cabinets, painted blue"
	}
	before := tokens[k-1].word
	if among("a an the in with of for and on at no all some two three its their our old new hand", before) {
		return noTense
	}
	return pastTense
}

func pastVerbs() string {
	return `was were had did went came took made built put cut laid hung dug ran got found kept fell broke blew
		gave lost left said told asked wanted needed wasnt werent hadnt didnt couldnt could wouldnt stood held
			let set sat
		sold bought paid saw thought felt began became wrote drew hit shut split tore swept grew chose used
			turned stuck shot
		spent sent drove bent froze ground hid lit met rode rose sank shook shone slid sprang strung
		swung threw woke wound
		dealt fed forgot hurt lent spun stole taught won`
}

func presentVerbs() string {
	return `is are has have can cant dont doesnt isnt arent says say loves love looks feels holds works sits
		uses use goes go opens closes slides eats eat tells tell thinks think wont will hasnt havent saves
			enjoys enjoy lives
		live sleeps makes keeps gets wants costs runs shuts heats knows comes hits glows drains charges
		slide sleep stops stop reckons sits swims swim`
}
