package model

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// rarity weighs a concept by how few of the documents have it.
type rarity struct {
	docs int
	in   map[string]int
}

func rarityOf(docs []map[string]bool) rarity {
	r := rarity{docs: len(docs), in: map[string]int{}}
	for _, d := range docs {
		for c := range d {
			r.in[c]++
		}
	}
	return r
}

func (r rarity) of(concept string) float64 {
	if r.in[concept] == 0 {
		return 0
	}
	return math.Log(1 + float64(r.docs)/float64(r.in[concept]))
}

// telling is of without a floor: what every document has tells nothing.
func (r rarity) telling(concept string) float64 {
	if r.in[concept] == 0 {
		return 0
	}
	return math.Log(float64(r.docs) / float64(r.in[concept]))
}

// offer is a tool as the scoring sees it.
type offer struct {
	tool
	verb   string          // the concept of its verb, "" when the name has none
	reads  bool            // its verb only looks
	nouns  []string        // the other concepts of its name
	prose  map[string]bool // concepts of the description
	slots  map[string]bool // concepts of parameter names
	values map[string]bool // concepts of enum values
}

// index prepares the tools and counts how rare each concept is among them.
func index(tools []tool) ([]offer, rarity) {
	out := make([]offer, 0, len(tools))
	docs := make([]map[string]bool, 0, len(tools))
	for _, t := range tools {
		o := offer{tool: t, prose: conceptsIn(contrast.ReplaceAllString(t.description, " ")), slots: map[string]bool{}, values: map[string]bool{}}
		for i, one := range terms(spoken(t.name)) {
			isVerb := isIn(one.concept, readVerbs) || isIn(one.concept, writeVerbs)
			switch {
			case o.verb == "" && (isVerb || i == 0 && !nounFirst(t)):
				o.verb = one.concept
			default:
				o.nouns = append(o.nouns, one.concept)
			}
		}
		o.reads = isIn(o.verb, readVerbs) || o.verb == "" && looksOnly(t.description)
		paramWords(t.params, o.slots, o.values)
		doc := map[string]bool{}
		for _, set := range []map[string]bool{o.prose, o.slots, o.values} {
			for c := range set {
				doc[c] = true
			}
		}
		for _, n := range o.nouns {
			doc[n] = true
		}
		out, docs = append(out, o), append(docs, doc)
	}
	return out, rarityOf(docs)
}

// nounFirst says whether a name such as "occupancy" or "room_availability"
// has no verb at all, which its description shows by beginning with one.
func nounFirst(t tool) bool {
	return looksOnly(t.description) || !strings.ContainsAny(t.name, "_-")
}

func looksOnly(description string) bool {
	first := terms(firstLine(description))
	return len(first) > 0 && (isIn(first[0].concept, readVerbs) || strings.HasPrefix(strings.ToLower(description), "return"))
}

var lookBack = regexp.MustCompile(`(?i)\b(?:reports?|stat(?:istic)?s|figures|analy\w+|history|revenue|occupancy|income|expenses?|kpis?|metrics)\b`)

// looksBack says whether the tool reports on a period, so that days without a
// year are this year's. Who takes a day of arrival plans ahead.
func (o offer) looksBack() bool {
	return o.reads && !o.slots["checkin"] && lookBack.MatchString(spoken(o.name)+" "+firstLine(o.description))
}

// named says whether text holds every noun of the tool's name.
func (o offer) named(text string) bool {
	said := conceptsIn(text)
	return len(o.nouns) > 0 && !slices.ContainsFunc(o.nouns, func(n string) bool { return !said[n] })
}

// searches says whether the tool finds records by free words.
func (o offer) searches() bool {
	return slices.ContainsFunc(o.params.props, func(p property) bool { return p.is("string") && searchProp.MatchString(p.name) })
}

func paramWords(s *schema, names, values map[string]bool) {
	for _, p := range s.props {
		for _, t := range terms(spoken(p.name)) {
			names[t.concept] = true
		}
		for _, e := range p.enum {
			if text, ok := e.(string); ok {
				for _, t := range terms(spoken(text)) {
					values[t.concept] = true
				}
			}
		}
		paramWords(p.schema, names, values)
	}
}

// plan is a tool with the arguments found so far.
type plan struct {
	tool    tool
	args    map[string]any
	order   []string   // names of args in schema order
	missing []property // required, and not found
}

var whoAsks = regexp.MustCompile(`(?i)^\W*(?:and\s+)?(?:who|whose|(?:which|how many)\s+(?:guests|people|customers|visitors))\b`)

// toolThreshold is the score beneath which nothing is called.
const toolThreshold = 1.6

// choose returns the tool that fits the clause best, filled as far as the
// words go. It returns false when none fits well enough.
func (m *mind) choose(c clause) (plan, bool) {
	verbs := asks(c.text)
	if verbs.negated {
		return plan{}, false
	}
	if m.choice.mode == "named" {
		for _, o := range m.offer {
			if o.name == m.choice.name {
				return m.fill(o, c), true
			}
		}
	}
	var best plan
	top := 0.0
	found := factsOf(c.text, m.today, false)
	stated := slices.Concat(found.codes, found.proper)
	if verbs.write == "" && len(stated) > 0 {
		verbs.read = true // a name without a verb asks: "price of the Lodge"
	}
	for _, o := range m.offer {
		score := m.fit(o, c, verbs)
		if score < 0.4 {
			continue
		}
		p, now := m.fill(o, c), m.fillFrom(o, c, nil)
		for _, name := range now.order {
			// A required argument that the words give is a strong sign: the
			// user named what this tool takes.
			if o.params.needs(name) {
				score += 0.6
				if slices.Contains(stated, str(p.args[name])) {
					score += 0.6
				}
				// Who takes all that was named fits better than who takes one.
				if list, ok := p.args[name].([]any); ok && len(list) > 1 {
					score += 1.5
				}
			} else {
				score += 0.15
			}
		}
		// What is to be made or changed may be told step by step.
		each := 0.9
		if o.verb == verbs.write && !o.reads && o.named(c.text) {
			each = 0.3
		}
		score -= each * float64(len(p.missing))
		// What only an earlier message says speaks against a new subject.
		score -= each * 0.6 * float64(max(0, len(now.missing)-len(p.missing)))
		if score > top+1e-9 {
			best, top = p, score
		}
	}
	return best, top >= toolThreshold
}

// fit scores one tool by words alone.
func (m *mind) fit(o offer, c clause, verbs ask) float64 {
	agree := agreement(verbs, o)
	if agree == 0 {
		return 0
	}
	said := conceptsIn(c.text)
	addShapes(said, c.text)
	score, nouns := 0.0, 0.0
	for concept := range said {
		if concept == o.verb {
			continue
		}
		rare := m.rare.of(concept)
		switch {
		case has(o.nouns, concept):
			nouns += 1.7 * rare
		case isIn(concept, readVerbs), isIn(concept, writeVerbs):
			// verbs are weighed by agreement
		case o.prose[concept]:
			nouns += 0.6 * rare
		case o.values[concept]:
			nouns += rare
		case o.slots[concept]:
			nouns += rare * 0.6
		}
	}
	if whoAsks.MatchString(c.text) && o.searches() {
		nouns += 1.6 // people are found, and only a search finds them
	}
	for _, n := range o.nouns {
		if !said[n] {
			score -= 0.35 * m.rare.telling(n)
		}
	}
	// A fragment such as "and next month?" borrows its subject.
	if nouns == 0 && c.full != c.text {
		for concept := range conceptsIn(c.full) {
			if has(o.nouns, concept) {
				nouns += 0.8 * m.rare.of(concept)
			}
		}
	}
	if nouns == 0 && o.reads && m.onlyCode(o, c) {
		nouns = 0.8
	}
	if nouns == 0 && !(o.verb != "" && said[o.verb] && !o.reads) {
		return 0
	}
	return agree * (score + nouns + bonus(verbs, o))
}

// onlyCode says whether the clause holds a code and nothing else of meaning,
// and a code is all that o needs: "show me K7QMPX".
func (m *mind) onlyCode(o offer, c clause) bool {
	found := factsOf(c.text, m.today, false)
	if len(found.codes) != 1 || len(o.params.required) != 1 {
		return false
	}
	for _, t := range terms(found.bare) {
		if !isIn(t.concept, readVerbs) && t.concept != "details" {
			return false
		}
	}
	return slices.ContainsFunc(o.params.props, func(p property) bool {
		return o.params.needs(p.name) && (codeProp.MatchString(p.name) || strings.Contains(strings.ToLower(p.description), "code"))
	})
}

func bonus(verbs ask, o offer) float64 {
	switch {
	case verbs.write != "" && verbs.write == o.verb:
		return 2
	case verbs.write != "" && !o.reads:
		return 1
	case verbs.read && o.reads:
		return 1
	}
	return 0.5
}

// agreement says how well the user's verb goes with the tool's; 0 forbids.
// A tool that acts is never called unless its own kind of verb was used.
func agreement(verbs ask, o offer) float64 {
	switch {
	case o.reads && verbs.write == "":
		return 1
	case o.reads:
		// "Add …" never means a look, unless the tool's own verb was said.
		return 0.25
	case verbs.write == "":
		return 0
	case verbs.write == o.verb, o.verb == "book" && verbs.write == "create", verbs.write == "book" && o.verb == "create":
		return 1
	}
	kin := map[string][]string{
		"update": {"toggle", "mark", "assign", "complete", "record", "save"},
		"toggle": {"update", "mark"},
		"mark":   {"update", "toggle", "complete"},
		"delete": {"cancel", "unblock", "forget"}, "cancel": {"delete"},
		"create": {"record", "block", "save", "remember"}, "record": {"create"},
		"complete": {"update", "mark"}, "submit": {"update"},
		"save": {"create", "update", "remember"}, "remember": {"save"},
		"unblock": {"delete"},
	}
	if has(kin[verbs.write], o.verb) {
		return 0.7
	}
	return 0
}

func has(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// force answers tool_choice "required" when nothing fits: the best guess by
// words, else the first tool.
func (m *mind) force() plan {
	target := m.offer[0]
	top := math.Inf(-1)
	for _, o := range m.offer {
		if m.choice.mode == "named" && o.name != m.choice.name {
			continue
		}
		score := 0.0
		for concept := range conceptsIn(strings.Join(m.goal, " ")) {
			if has(o.nouns, concept) || concept == o.verb {
				score += m.rare.of(concept) + 0.1
			} else if o.prose[concept] {
				score += 0.5 * m.rare.of(concept)
			}
		}
		if score > top {
			target, top = o, score
		}
	}
	text := strings.Join(m.goal, "\n")
	p := m.fill(target, clause{text: text, full: text})
	p.fillAnyhow(m.today)
	return p
}
