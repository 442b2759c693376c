package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// offered is the one thing that a failed call might have meant: Did you mean Trout with
// Lemon Butter (TROUT)?
var offered = regexp.MustCompile(`There is no [\p{L} -]+ "([^"]+)"\. Did you mean ([^"()]+) \(([^(),]+)\)\?`)

// correctionOf returns the call again with the code of the only thing that has the words
// which were said in its name; false where none is offered, or several are.
func (pl *planner) correctionOf(r result) (call, bool) {
	text, failed := r.failure()
	m := offered.FindStringSubmatch(text)
	if !failed || m == nil {
		return call{}, false
	}
	own := pl.wordsIn(m[2])
	if slices.ContainsFunc(pl.wordsIn(m[1]), func(w string) bool {
		return !slices.ContainsFunc(own, func(o string) bool { return stem(o) == stem(w) })
	}) {
		return call{}, false // spelled alike, but perhaps another thing
	}
	said, _ := json.Marshal(m[1]) // a text
	code, _ := json.Marshal(m[3])
	if strings.Count(r.call.args, string(said)) != 1 {
		return call{}, false
	}
	return call{name: r.call.name, args: strings.Replace(r.call.args, string(said), string(code), 1)}, true
}

// corrected returns the calls that are to be made again, each once.
func (pl *planner) corrected(done []result) []call {
	var out []call
	for _, r := range done {
		if next, ok := pl.correctionOf(r); ok && !repeated(next, done) {
			out = append(out, next)
		}
	}
	return out
}

// notReached says what of the person's words was not come to when something before it
// failed, has to be agreed to, or took all the calls that there are; "" for nothing.
func (pl *planner) notReached(done []result) string {
	served := len(done)
	for _, r := range done {
		if _, ok := pl.correctionOf(r); ok {
			served--
		}
	}
	var rest []clause
	for _, c := range pl.clauses() {
		for _, one := range pl.each(c) {
			p, ok := pl.choose(one)
			if !ok && len(p.or) == 0 {
				continue
			}
			if served > 0 {
				served--
				continue
			}
			rest = append(rest, one)
		}
	}
	if len(rest) == 0 {
		return ""
	}
	return "\n\nI have not done " + leftOf(rest) + "."
}
