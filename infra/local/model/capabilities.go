package model

import (
	"regexp"
	"slices"
	"strings"
)

// greet says what can be asked here.
func (pl *planner) greet() string {
	if thanks.MatchString(pl.said) {
		return "Happy to help."
	}
	if r, ok := pl.router(); ok {
		// A router's own words are a greeting of two sentences at most.
		if greeting.MatchString(pl.said) {
			return "Hello! What can I do for you?"
		}
		return opening(pl.said) + "You can ask about:\n" + bullets(pl.topics(r))
	}
	if len(pl.tools) == 0 {
		if text := pl.aboutQuoted(); text != "" {
			return text
		}
		if limits := pl.limits(); limits != "" {
			return opening(pl.said) + limits
		}
		return opening(pl.said) + "I am a rule-based stand-in and have no tools here."
	}
	return opening(pl.said) + pl.abilities()
}

// unsure answers what no tool fits: by what the prompt says is not possible,
// when the words are about that, else by what is.
func (pl *planner) unsure() string {
	if pl.intentOf(pl.said).negated {
		return "All right, I leave it as it is."
	}
	if limits := pl.limits(); limits != "" && (pl.intentOf(pl.said).write != "" || pl.speaksOf(limits)) {
		return "I cannot do that. " + limits + "\n\n" + pl.abilities()
	}
	return "I am not sure what you mean. " + pl.abilities() + "\n\nWhat would you like to do?"
}

// notDone adds what is not possible to a report of looks, when the user asked
// for more than a look, or for something that only those words speak of.
func (pl *planner) notDone(done []result) string {
	limits := pl.limits()
	acted := slices.ContainsFunc(done, func(r result) bool {
		return slices.ContainsFunc(pl.indexed, func(o indexedTool) bool { return o.name == r.call.name && !o.reads })
	})
	if limits == "" || acted || pl.intentOf(pl.goal[0]).write == "" && !pl.beyond(limits, done) {
		return ""
	}
	return "\n\nMore than this I cannot do. " + limits
}

// beyond says whether the user named something that limits speak of and none of
// the tools that were called does.
func (pl *planner) beyond(limits string, done []result) bool {
	about := pl.conceptsIn(limits)
	for c := range pl.conceptsIn(strings.Join(pl.goal, "\n")) {
		if !about[c] || has([]string{"list", "get", "search"}, c) {
			continue
		}
		if !slices.ContainsFunc(pl.indexed, func(o indexedTool) bool {
			return calledBefore(o.name, done) && (o.prose[c] || o.slots[c] || o.values[c] || has(o.nouns, c))
		}) {
			return true
		}
	}
	return false
}

func (pl *planner) abilities() string {
	can := make([]string, len(pl.tools))
	for i, t := range pl.tools {
		can[i] = ability(t)
	}
	return "Here I can:\n" + bullets(can)
}

// bullets lists up to eight items.
func bullets(items []string) string {
	if len(items) > 8 {
		items = append(items[:8:8], "and more")
	}
	return "- " + strings.Join(items, "\n- ")
}

var (
	thirdPerson = regexp.MustCompile(`^[A-Z][a-z]+s (?:\p{L}|\d)`)
	aside       = regexp.MustCompile(`[:.;(]|, (?:ordered|sorted|such as|for example|and if|and ` +
		`when|which|including|so|but|with|by|newest|oldest)\b| without | that are `)
)

// ability puts a tool into plain words: "Lists the rooms, ordered by name."
// becomes "list the rooms", and without such a description the name has to do.
func ability(t tool) string {
	text := firstLine(t.description)
	if !thirdPerson.MatchString(text) {
		return spoken(t.name)
	}
	if at := aside.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	verb = strings.ToLower(verb)
	switch {
	case strings.HasSuffix(verb, "ies"):
		verb = verb[:len(verb)-3] + "y"
	case strings.HasSuffix(verb, "ches"), strings.HasSuffix(verb, "shes"), strings.HasSuffix(verb, "sses"),
		strings.HasSuffix(verb, "xes"), strings.HasSuffix(verb, "oes"):
		verb = verb[:len(verb)-2]
	default:
		verb = strings.TrimSuffix(verb, "s")
	}
	return strings.TrimSpace(verb + " " + rest)
}

// topics puts the values of a router into plain words: the first clause of
// what the prompt says of each, else its name.
func (pl *planner) topics(r router) []string {
	out := make([]string, len(r.values))
	for i, v := range r.values {
		out[i] = spoken(v)
		about := regexp.MustCompile(`(?m)^\s*(?:[-*]\s*)?["*` + "`" + `]*` + regexp.QuoteMeta(v) + `["*` + "`" +
			`]*\s*[:–—-]\s+(.+)$`)
		for _, one := range pl.messages {
			if one.role != "system" {
				continue
			}
			if found := about.FindStringSubmatch(one.text); found != nil {
				clause, _, _ := strings.Cut(found[1], ";")
				clause, _, _ = strings.Cut(clause, ":")
				clause, _, _ = strings.Cut(clause, ". ")
				out[i] = strings.TrimRight(clause, " .,")
				break
			}
		}
	}
	return out
}

var (
	sentence   = regexp.MustCompile(`[^.!?]+[.!?]?`)
	todayLine  = regexp.MustCompile(`(?i)^(?:[-*]\s*)?today\b|[:.;]\s+today\b`)
	impossible = regexp.MustCompile(`(?i)\b(?:is|are) not (?:yet ` +
		`)?(?:possible|available|supported|within)\b|\bcannot\b|\bnot possible\b`)
	advice = regexp.MustCompile(`\s*[:;]\s*(?:say|tell|offer|explain)\b.*$|,\s*(?:so|and)\s+(?:say|tell)\b.*$`)
)

// limits quotes the prompt on what is not possible: the sentences that say so
// in a line about what there is today, without what they tell the model to do.
func (pl *planner) limits() string {
	var out []string
	for _, one := range pl.messages {
		if one.role != "system" {
			continue
		}
		for line := range strings.Lines(one.text) {
			if !todayLine.MatchString(strings.TrimSpace(line)) {
				continue
			}
			for _, s := range sentence.FindAllString(line, -1) {
				s = strings.TrimSpace(strings.TrimLeft(advice.ReplaceAllString(s, ""), " -*"))
				if !impossible.MatchString(s) || addressed.MatchString(s) {
					continue
				}
				out = append(out, upperFirst(strings.TrimRight(s, ".!?"))+".")
			}
		}
	}
	return strings.Join(slices.Compact(out), " ")
}

// addressed marks sentences that speak to the model and not of its work.
var addressed = regexp.MustCompile(`(?i)\b(?:you|your)\b`)

// speaksOf says whether the user's words and text share a subject.
func (pl *planner) speaksOf(text string) bool {
	about := pl.conceptsIn(text)
	for c := range pl.conceptsIn(pl.said) {
		if about[c] && !isIn(c, readVerbs) {
			return true
		}
	}
	return false
}
