package model

import (
	"regexp"
	"strings"
)

// splitter finds where one sentence asks for a second thing.
var splitter = regexp.MustCompile(`(?i)\s*(?:;|[.?!]\s+|,?\s*\b(?:and then|then|and also|also|after ` +
	`that|and|aur)\b)\s*`)

// clause is one thing that the user wants.
type clause struct {
	text string // the words of this clause
	full string // everything that the goal says, for what the clause leaves out
	// isPart says that the text is a part of a longer one, whose other parts are about
	// other things.
	isPart bool
}

// clauses cuts the first goal text where a new verb or question begins. What
// was said in answer to questions belongs to all of them.
func (pl *planner) clauses() []clause {
	full := strings.Join(pl.goal, "\n")
	var texts []string
	rest, from := pl.goal[0], 0
	for _, at := range splitter.FindAllStringIndex(rest, -1) {
		if at[0] <= from {
			continue
		}
		head, tail := rest[from:at[0]], rest[at[1]:]
		if !pl.startsAnew(tail) || len(strings.Fields(head)) < 2 || len(strings.Fields(tail)) < 2 {
			continue
		}
		// A question mark belongs to the question, not to the cut.
		texts = append(texts, head+strings.TrimSpace(strings.Trim(rest[at[0]:at[1]], " .;,andthelsofru")))
		from = at[1]
	}
	texts = append(texts, rest[from:])
	out := make([]clause, len(texts))
	for i, t := range texts {
		out[i] = clause{text: t, full: full}
	}
	return out
}

// startsAnew says whether text opens with a verb or a question of its own.
func (l *lexicon) startsAnew(text string) bool {
	if starters.MatchString(text) || bookVerb.MatchString(text) {
		return true
	}
	for _, t := range l.terms(text) {
		return isIn(t.concept, readVerbs) || isIn(t.concept, writeVerbs) && !adjective(t)
	}
	return false
}
