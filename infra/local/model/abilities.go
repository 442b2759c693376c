package model

import (
	"regexp"
	"slices"
	"strings"
)

// greet says what can be asked here.
func (m *mind) greet() string {
	if thanks.MatchString(m.said) {
		return "All right. I am here when you need more."
	}
	if r, ok := m.router(); ok {
		return opening(m.said) + "You can ask about:\n" + bullets(m.topics(r))
	}
	if len(m.tools) == 0 {
		if limits := m.limits(); limits != "" {
			return opening(m.said) + limits
		}
		return opening(m.said) + "I am a rule-based stand-in and have no tools here."
	}
	return opening(m.said) + m.abilities()
}

// unsure answers what no tool fits: by what the prompt says is not possible,
// when the words are about that, else by what is.
func (m *mind) unsure() string {
	if asks(m.said).negated {
		return "All right, I leave it as it is."
	}
	if limits := m.limits(); limits != "" && (asks(m.said).write != "" || m.speaksOf(limits)) {
		return "I cannot do that. " + limits + "\n\n" + m.abilities()
	}
	return "I am not sure what you mean. " + m.abilities() + "\n\nWhat would you like to do?"
}

// notDone adds what is not possible to a report of looks, when the user asked
// for more than a look, or for something that only those words speak of.
func (m *mind) notDone(done []result) string {
	limits := m.limits()
	acted := slices.ContainsFunc(done, func(r result) bool {
		return slices.ContainsFunc(m.offer, func(o offer) bool { return o.name == r.call.name && !o.reads })
	})
	if limits == "" || acted || asks(m.goal[0]).write == "" && !m.beyond(limits, done) {
		return ""
	}
	return "\n\nMore than this I cannot do. " + limits
}

// beyond says whether the user named something that limits speak of and none of
// the tools that were called does.
func (m *mind) beyond(limits string, done []result) bool {
	about := conceptsIn(limits)
	for c := range conceptsIn(strings.Join(m.goal, "\n")) {
		if !about[c] || has([]string{"list", "get", "search"}, c) {
			continue
		}
		if !slices.ContainsFunc(m.offer, func(o offer) bool {
			return calledBefore(o.name, done) && (o.prose[c] || o.slots[c] || o.values[c] || has(o.nouns, c))
		}) {
			return true
		}
	}
	return false
}

func (m *mind) abilities() string {
	can := make([]string, len(m.tools))
	for i, t := range m.tools {
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
	aside       = regexp.MustCompile(`[:.;(]|, (?:ordered|sorted|such as|for example|and if|and when|which|including|so|but|with|by|newest|oldest)\b| without | that are `)
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
	case strings.HasSuffix(verb, "ches"), strings.HasSuffix(verb, "shes"), strings.HasSuffix(verb, "sses"), strings.HasSuffix(verb, "xes"):
		verb = verb[:len(verb)-2]
	default:
		verb = strings.TrimSuffix(verb, "s")
	}
	return strings.TrimSpace(verb + " " + rest)
}

// topics puts the values of a router into plain words: the first clause of
// what the prompt says of each, else its name.
func (m *mind) topics(r router) []string {
	out := make([]string, len(r.values))
	for i, v := range r.values {
		out[i] = spoken(v)
		about := regexp.MustCompile(`(?m)^\s*(?:[-*]\s*)?["*` + "`" + `]*` + regexp.QuoteMeta(v) + `["*` + "`" + `]*\s*[:–—-]\s+(.+)$`)
		for _, one := range m.messages {
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
	impossible = regexp.MustCompile(`(?i)\b(?:is|are) not (?:yet )?(?:possible|available|supported|within)\b|\bcannot\b|\bnot possible\b`)
	advice     = regexp.MustCompile(`\s*[:;]\s*(?:say|tell|offer|explain)\b.*$|,\s*(?:so|and)\s+(?:say|tell)\b.*$`)
)

// limits quotes the prompt on what is not possible: the sentences that say so
// in a line about what there is today, without what they tell the model to do.
func (m *mind) limits() string {
	var out []string
	for _, one := range m.messages {
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
func (m *mind) speaksOf(text string) bool {
	about := conceptsIn(text)
	for c := range conceptsIn(m.said) {
		if about[c] && !isIn(c, readVerbs) {
			return true
		}
	}
	return false
}
