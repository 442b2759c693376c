package story

import (
	"slices"
)

// noise reports whether a word is only a sound.
func noise(w string) bool {
	return slices.Contains([]string{"uh", "um", "uhm", "umm", "er", "erm", "hmm", "mhm", "ah", "eh",
		"ehm", "matlab"}, w)
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

// split parts a text into sentences, and sentences where a new statement begins.
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

// The least that is a clause of its own, in words.
const (
	leastBefore = 3
	leastBehind = 3
	// mostWords is where a clause ends at the latest.
	mostWords = 60
)

// parts splits a sentence.
func parts(tokens []token, from, to int) []clause {
	var out []clause
	start := from
	for i := from + 1; i < to; i++ {
		if i-start >= mostWords ||
			i-start == 2 && subject(tokens[i].word) && (&parsed{tokens: tokens}).durationAt(start, i) == i ||
			i-start >= leastBefore && to-i >= leastBehind && starts(tokens, start, i, min(to, i+mostWords)) {
			out = append(out, clause{from: start, to: i, goesOn: start > from})
			start = i
		}
	}
	return append(out, clause{from: start, to: to, goesOn: start > from})
}

// starts reports whether a new statement begins at a token.
func starts(tokens []token, start, i, to int) bool {
	w, next := wordAt(tokens, i, to), wordAt(tokens, i+1, to)
	comma := tokens[i-1].comma
	if i-start < 10 && among("when once if after before while as whenever", leading(tokens, start)) {
		// "When we opened the floor, we found …" is one statement.
		return false
	}
	switch {
	case slices.Contains(joining(), w):
		if next == "then" || next == "now" || next == "so" {
			next = wordAt(tokens, i+2, to)
		}
		return subject(next) || determiner(next) && finiteSoon(tokens, i+2, to, 5) ||
			comma && (w == "so" || w == "but" || w == "because" || w == "which")
	case comma && (subject(w) || determiner(w) && finiteSoon(tokens, i+1, to, 5)):
		return true
	case unpointed(tokens, start, i) && i-start >= 4 && !among(linking(), tokens[i-1].word):
		// Speech without points and commas.
		switch {
		case person(w), slices.Contains(marking(), w):
			return true
		case w == "it" || w == "there" || w == "nothing" || w == "everything":
			return tenseOf(tokens, i+1, i) != noTense && tenseOf(tokens, i-1, start) == noTense
		case w == "its" || w == "theres":
			return true
		case w == "the" || w == "my" || w == "his" || w == "her" || w == "their":
			return finiteSoon(tokens, i+1, to, 4)
		}
		t := parsed{tokens: tokens}
		return t.durationAt(i, to) > 0 && !among(`took us me about around roughly just only nearly almost
			over under two three last next every this working`, tokens[i-1].word)
	case slices.Contains(marking(), w) && !among(linking(), tokens[i-1].word):
		return i-start >= 5 && tokens[i-1].word != "it"
	}
	return false
}

// finiteSoon reports whether a verb that is no participle stands among the next words.
func finiteSoon(tokens []token, k, to, within int) bool {
	for n := 0; n < within && k+n < to; n++ {
		w := tokens[k+n].word
		if among(`was were is are had has have came went got fell blew did didnt couldnt would could
			wouldnt isnt wasnt arent werent hadnt hasnt wont cant goes comes looks feels works kept says said
				looked started
			needed took opened`, w) {
			return true
		}
		if tokens[k+n].comma || among("that which who and but so with in on of for to from at", w) {
			return false
		}
	}
	return false
}

// leading returns the first word of a statement that means something.
func leading(tokens []token, start int) string {
	for start+1 < len(tokens) && (noise(tokens[start].word) || slices.Contains(leads(), tokens[start].word)) {
		start++
	}
	return tokens[start].word
}

// unpointed reports whether no mark stands in the tokens.
func unpointed(tokens []token, from, to int) bool {
	return !slices.ContainsFunc(tokens[from:to], func(t token) bool { return t.comma || t.stops })
}

func wordAt(tokens []token, k, to int) string {
	if k < to {
		return tokens[k].word
	}
	return ""
}

func joining() []string {
	return []string{"and", "but", "so", "because", "cause", "cos", "then", "which", "although", "though", "y",
		"pero", "aur",
		"lekin", "par"}
}

// marking are words with which a new statement begins also without a mark.
func marking() []string {
	return []string{"took", "now", "anyway", "afterwards", "luckily", "tardamos", "total", "humne", "lo"}
}

// linking are words behind which a person goes on with the statement.
func linking() string {
	return `that what which when where how if because cause as like than so and but until before after once
		while since said says then way who think sure for with of to in on at the a anyway now everything all
			thing things
		reason day time whatever something anything nothing say think reckon from by every bit`
}

func subject(w string) bool {
	return person(w) || among(`it there its theres client clients customer everyone nothing you youd
		no half`, w)
}

func person(w string) bool {
	return among(`we i they he she theyre theyd weve ive id hes shes hed shed theyve were im`, w) &&
		w != "were"
}

func determiner(w string) bool {
	return among(`the a an his her their our my that this these those one some all every each`, w)
}
