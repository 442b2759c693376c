package story

import (
	"slices"
	"strings"
)

// takeLists takes the materials and techniques of what was done. What was there before,
// what was taken out and what was only thought of is not among them.
func (m *merger) takeLists(t *parsed) {
	group := groupOf(m.p)
	if term := typeWords().called(m.kind); term != nil {
		group = term.group
	}
	m.correctMaterials(t)
	for _, c := range t.clauses {
		if c.corrects || c.talk {
			continue
		}
		for _, h := range materialWords().find(t.tokens[c.from:c.to]) {
			if !m.takenBack(h.term) && t.used(c, h, group) && t.usedMaterial(c, h) {
				m.mats = union(m.mats, h.term.name)
			}
		}
		for _, h := range techniqueWords().find(t.tokens[c.from:c.to]) {
			if t.used(c, h, group) && t.worked(c) {
				m.techs = union(m.techs, h.term.name)
			}
		}
	}
}

// used reports whether a term of a clause belongs to what was done.
func (t *parsed) used(c clause, h hit, group string) bool {
	if h.only != "" && h.only != group {
		return false
	}
	switch c.part {
	case problem:
		return false
	case challenge, result:
		if !t.weDid(c, h) {
			return false
		}
	case none:
		if t.rejected(c) {
			return false
		}
	}
	return !t.removed(c, h) && !t.negated(c, h) && !t.intended(c, h)
}

// worked reports whether a clause tells of the work, or names it without a verb.
func (t *parsed) worked(c clause) bool {
	if c.part != none {
		return true
	}
	we, they, it := t.subjects(c)
	return !c.value && we == noTense && they == noTense && it == noTense
}

// weDid reports whether the clause says before the term that we made something of it.
func (t *parsed) weDid(c clause, h hit) bool {
	we := false
	for k := c.from; k < c.from+h.from; k++ {
		w := t.tokens[k].word
		we = we || w == "we" || w == "i"
		if we && among(making(), w) {
			return true
		}
	}
	// "We tiled it": the term itself is what we did.
	if h.from > 0 {
		before := t.tokens[c.from+h.from-1].word
		return before == "we" || before == "i"
	}
	return false
}

func making() string {
	return `used put fitted laid built made installed ran added chose lined hung cast poured set finished do
		put did use fit lay build make install run`
}

// rejected reports whether a clause says what was not taken.
func (t *parsed) rejected(c clause) bool {
	words := wordsOf(t.tokens[c.from:c.to])
	for _, p := range []string{" thinking of ", " thought of ", " thought about ", " looked at ",
		" first asked ", " asked for ",
		" at first ", " considered ", " been quoted ", " quoted for ", " didnt fancy ", " was going to be ",
		" meant to be ",
		" came from ", " instead of ", " rather than ", " too expensive ", " too dark ", " wanted ",
		" originally ", " allowed ",
		" they had ", " there was ", " used to be ", " supposed to be ", " originally "} {
		if strings.Contains(words, p) {
			return true
		}
	}
	return false
}

// removed reports whether a term is said of what was there before or was taken out.
func (t *parsed) removed(c clause, h hit) bool {
	from := c.from + h.from
	for k := from - 1; k >= max(c.from, from-7); k-- {
		w := t.tokens[k].word
		switch {
		case among(old(), w) && from-k <= 3:
			return true
		case among(removing(), w):
			return !t.takenBack(k, from)
		case w == "and" || w == "then":
			return false
		case t.tokens[k].comma && k < from-1:
			return false
		}
	}
	// "We took the lino up", "the tiles came off".
	for k := c.from + h.to; k < min(c.to, c.from+h.to+2); k++ {
		if slices.Contains([]string{"off", "out"}, t.tokens[k].word) &&
			!strings.HasPrefix(wordsOf(t.tokens[k:c.to]), " out of ") {
			return t.removingBefore(c.from, from)
		}
		if t.tokens[k].comma {
			break
		}
	}
	return false
}

// takenBack reports whether a removed thing was put in again before a token.
func (t *parsed) takenBack(k, to int) bool {
	return slices.ContainsFunc(t.tokens[k:to], func(w token) bool {
		return slices.Contains([]string{"fitted", "laid", "put", "installed", "built", "with", "new"}, w.word)
	})
}

func (t *parsed) removingBefore(from, to int) bool {
	return slices.ContainsFunc(t.tokens[from:to], func(w token) bool {
		return among(removing(), w.word) || among("took take steamed cut picked got peeled scraped quitamos", w.word)
	})
}

func old() string {
	return `old existing original previous former broken cracked rotten purana purani viejo vieja blown`
}

func removing() string {
	return `stripped removed ripped tore torn hacked chipped pulled scraped demolished smashed dug abandoned
		replaced quitamos levantamos nikal took`
}

// negated reports whether a term is said not to be there, or only compared with.
func (t *parsed) negated(c clause, h hit) bool {
	from := c.from + h.from
	for k := from - 1; k >= max(c.from, from-4); k-- {
		w := t.tokens[k].word
		switch {
		case among(`not no never without isnt wasnt arent werent dont didnt cant sin`, w):
			return from-k <= 3
		case w == "of" && k > c.from && t.tokens[k-1].word == "instead", w == "than" && k > c.from &&
			t.tokens[k-1].word == "rather":
			return true
		case w == "like" || w == "match" || w == "matching":
			return from-k <= 2
		case t.tokens[k].comma && k < from-1:
			return false
		}
	}
	return false
}

// intended reports whether a term is said to have been only a plan, or not allowed.
func (t *parsed) intended(c clause, h hit) bool {
	before := wordsOf(t.tokens[max(c.from, c.from+h.from-7) : c.from+h.from])
	for _, p := range []string{" meant to be ", " going to be ", " supposed to be ", " allowed ", " couldnt ",
		" wouldnt ",
		" thought of ", " thinking of ", " thought about ", " wanted ", " looked at "} {
		if strings.Contains(before, p) {
			return true
		}
	}
	return strings.HasPrefix(wordsOf(t.tokens[c.from+h.to:c.to]), " originally ")
}

// usedMaterial reports whether a material is used, not only a place where something is.
func (t *parsed) usedMaterial(c clause, h hit) bool {
	from := c.from + h.from
	if t.homonym(c, h) {
		return false
	}
	if from-2 < c.from {
		return true
	}
	// "Under three layers of carpet", "off two white oaks".
	for k := from - 1; k >= max(c.from, from-4); k-- {
		if w := t.tokens[k].word; w == "under" || w == "off" && k > c.from && !among("took cut", t.tokens[k-1].word) {
			return false
		} else if !among("three two four layers layer of big white old one some the a", w) {
			break
		}
	}
	article, prep := t.tokens[from-1].word, t.tokens[from-2].word
	return !(among("the that this her his their existing", article) &&
		among(`behind under beneath below over above onto into to around along through past from against
			between off where break up`, prep))
}

// homonym reports whether a word that is also a material means something else: "we lead",
// "a glass of water".
func (t *parsed) homonym(c clause, h hit) bool {
	before, after := "", wordAt(t.tokens, c.from+h.to, c.to)
	if h.from > 0 {
		before = t.tokens[c.from+h.from-1].word
	}
	if among("look effect style coloured colored colour color imitation lookalike", after) {
		return true
	}
	switch t.tokens[c.from+h.from].word {
	case "lead", "leads":
		return among(`we i they you to will can would guys team lads who that take took taking`, before) ||
			among(`the to time times us me you on by up into contractor carpenter electrician designer`, after)
	case "glass", "glasses":
		return after == "of" || among("black my reading wine", before)
	case "ash":
		return among("volcanic the of and hot fire fly", before)
	case "slate":
		return before == "clean" || before == "blank"
	case "mirror", "mirrors":
		return among("wing rear-view they it we i that which", before)
	case "cork":
		return t.tokens[c.from+h.from].capital && among("in from near", before)
	case "bark":
		return among("dogs dog they would", before)
	case "render", "renders":
		return among("they he she it 3d", before) || among("drawing drawings images", after)
	case "felt":
		return among("they it them we i he she you never always just", before) ||
			among("like that so as very the it", after)
	case "primer", "gloss":
		return after == "over"
	}
	return false
}
