package model

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// idf weighs a concept by how few of the documents have it.
type idf struct {
	docs int
	in   map[string]int
}

func idfOf(docs []map[string]bool) idf {
	r := idf{docs: len(docs), in: map[string]int{}}
	for _, d := range docs {
		for c := range d {
			r.in[c]++
		}
	}
	return r
}

func (r idf) smooth(concept string) float64 {
	if r.in[concept] == 0 {
		return 0
	}
	return math.Log(1 + float64(r.docs)/float64(r.in[concept]))
}

// telling is of without a floor: what every document has tells nothing.
func (r idf) plain(concept string) float64 {
	if r.in[concept] == 0 {
		return 0
	}
	return math.Log(float64(r.docs) / float64(r.in[concept]))
}

// indexedTool is a tool as the scoring sees it.
type indexedTool struct {
	tool
	*lexicon
	verb   string          // the concept of its verb, "" when the name has none
	reads  bool            // its verb only looks
	nouns  []string        // the other concepts of its name
	prose  map[string]bool // concepts of the description
	slots  map[string]bool // concepts of parameter names
	values map[string]bool // concepts of enum values
}

// toolIndex is a set of tools, and how rare each concept is among them.
type toolIndex struct {
	indexed []indexedTool
	idf     idf
	// words is the lexicon with the words of the tools' names.
	words *lexicon
}

func (l *lexicon) index(tools []tool) toolIndex {
	l = l.withTools(tools)
	out := make([]indexedTool, 0, len(tools))
	docs := make([]map[string]bool, 0, len(tools))
	for _, t := range tools {
		o := indexedTool{tool: t, lexicon: l, prose: l.conceptsIn(contrast.ReplaceAllString(t.description, " ")),
			slots: map[string]bool{}, values: map[string]bool{}}
		for i, one := range l.terms(spoken(t.name)) {
			isVerb := isIn(one.concept, readVerbs) || isIn(one.concept, writeVerbs)
			switch {
			case o.verb == "" && (isVerb || i == 0 && !l.nounFirst(t)):
				o.verb = one.concept
			default:
				o.nouns = append(o.nouns, one.concept)
			}
		}
		o.reads = isIn(o.verb, readVerbs) || o.verb == "" && l.looksOnly(t.description)
		l.paramWords(t.params, o.slots, o.values)
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
	return toolIndex{indexed: out, idf: idfOf(docs), words: l}
}

// withTools returns a lexicon in which the words of these tools' names, and of their
// arguments, are no names of things.
func (l *lexicon) withTools(tools []tool) *lexicon {
	out := *l
	out.ofTools = map[string]bool{}
	for _, t := range tools {
		for _, w := range l.wordsIn(spoken(t.name)) {
			out.ofTools[stem(w)] = true
		}
		for _, p := range t.params.props {
			for _, w := range l.wordsIn(spoken(p.name)) {
				out.ofTools[stem(w)] = true
			}
		}
	}
	return &out
}

// nounFirst says whether a name such as "occupancy" or "room_availability"
// has no verb at all, which its description shows by beginning with one.
func (l *lexicon) nounFirst(t tool) bool {
	return l.looksOnly(t.description) || !strings.ContainsAny(t.name, "_-")
}

func (l *lexicon) looksOnly(description string) bool {
	first := l.terms(firstLine(description))
	return len(first) > 0 && (isIn(first[0].concept, readVerbs) || strings.HasPrefix(strings.ToLower(description),
		"return"))
}

var lookBack = regexp.MustCompile(`(?i)\b(?:reports?|stat(?:istic)?s|figures|analy\w+|history|kpis?|metrics|compares?)\b`)

// looksBack says whether the tool reports on a period, so that days without a
// year are this year's. Who takes a day of arrival plans ahead.
func (o indexedTool) looksBack() bool {
	return o.reads && lookBack.MatchString(spoken(o.name)+" "+firstLine(o.description))
}

// named says whether text holds every noun of the tool's name.
func (o indexedTool) named(text string) bool {
	said := o.lexicon.conceptsIn(text)
	return len(o.nouns) > 0 && !slices.ContainsFunc(o.nouns, func(n string) bool { return !said[n] })
}

func (l *lexicon) paramWords(s *schema, names, values map[string]bool) {
	for _, p := range s.props {
		for _, t := range l.terms(spoken(p.name)) {
			names[t.concept] = true
		}
		for _, e := range p.enum {
			if text, ok := e.(string); ok {
				for _, t := range l.terms(spoken(text)) {
					values[t.concept] = true
				}
			}
		}
		l.paramWords(p.schema, names, values)
	}
}

// plan is a tool with the arguments found so far.
type candidate struct {
	tool    tool
	args    map[string]any
	order   []string   // names of args in schema order
	missing []property // required, and not found
	or      []string   // what else it may be, where it is not sure: abilities, the likeliest first
	unused  []string   // what was named and has no place in it
	strange []string   // words that mean nothing
	fit     float64    // how well names and arguments go together; 1 is well
	isNamed bool       // the kind of thing that it is about was said
}

// toolThreshold is the score beneath which nothing is called.
const toolThreshold = 1.6

// choose returns the tool that fits the clause best, filled as far as the
// words go. It returns false when none fits well enough.
func (pl *planner) choose(c clause) (candidate, bool) {
	verbs := pl.intentOf(c.text)
	if verbs.negated {
		return candidate{}, false
	}
	if pl.choice.mode == "named" {
		for _, o := range pl.indexed {
			if o.name == pl.choice.name {
				return pl.fill(o, c), true
			}
		}
	}
	if pl.picked != "" {
		for _, o := range pl.indexed {
			if strings.ToLower(ability(o.tool)) == pl.picked {
				return pl.fill(o, c), true
			}
		}
	}
	if taught := pl.taughtTools(); taught != nil {
		return pl.surest(c, taught)
	}
	var best candidate
	top := 0.0
	found := pl.entitiesIn(c.text, pl.today, false)
	stated := slices.Concat(found.codes, found.proper)
	if verbs.write == "" && len(stated) > 0 {
		verbs.read = true // a name without a verb asks: "price of the Lodge"
	}
	for _, o := range pl.indexed {
		score := pl.fit(o, c, verbs)
		if score < 0.4 {
			continue
		}
		p := pl.fill(o, c)
		now, _ := pl.fillFrom(o, c, nil)
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

// taughtTools returns what the domain of the offered tools teaches, or nil.
func (pl *planner) taughtTools() *learned {
	if !pl.isLooked {
		pl.isLooked, pl.ofDomain = true, pl.learnedFor(pl.toolNames(), knowsTool)
	}
	return pl.ofDomain
}

func (pl *planner) toolNames() []string {
	out := make([]string, len(pl.indexed))
	for i, o := range pl.indexed {
		out[i] = o.name
	}
	return out
}

// surest returns the best reading of a clause, and whether it is to be followed. One
// that is not names the readings between which somebody has to choose.
func (pl *planner) surest(c clause, taught *learned) (candidate, bool) {
	all := pl.readings(c, taught)
	best, ok := settled(all, pl.intentOf(c.text))
	if ok {
		return best.candidate, true
	}
	verbs := pl.intentOf(c.text)
	for i, r := range all {
		if verbs.asks() && !r.of.reads {
			continue // "did anybody cancel" wants nothing cancelled
		}
		if i < 3 && r.sure > 0.05 {
			best.or = append(best.or, ability(r.tool))
			if len(best.unused) == 0 {
				best.unused = r.left
			}
		}
	}
	return best.candidate, false
}

// which asks what somebody wants, with the likeliest readings to choose from.
func (pl *planner) which(p candidate) string {
	text := "I am not sure what you mean."
	if len(p.unused) > 0 {
		text = "I am not sure what to do with “" + list(p.unused, "and") + "”."
	}
	question := whichIsIt
	if len(p.or) == 1 {
		question = isThatIt
	}
	return text + " Do you want me to:\n" + bullets(p.or) + "\n\n" + question
}

// fit scores one tool by words alone.
func (pl *planner) fit(o indexedTool, c clause, verbs intent) float64 {
	agree := agreement(verbs, o)
	if agree == 0 {
		return 0
	}
	said := pl.conceptsIn(c.text)
	addShapes(said, c.text)
	score, nouns := 0.0, 0.0
	for concept := range said {
		if concept == o.verb {
			continue
		}
		rare := pl.idf.smooth(concept)
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
	for _, n := range o.nouns {
		if !said[n] {
			score -= 0.35 * pl.idf.plain(n)
		}
	}
	// A fragment such as "and next month?" borrows its subject.
	if nouns == 0 && c.full != c.text {
		for concept := range pl.conceptsIn(c.full) {
			if has(o.nouns, concept) {
				nouns += 0.8 * pl.idf.smooth(concept)
			}
		}
	}
	if nouns == 0 && o.reads && pl.onlyCode(o, c) {
		nouns = 0.8
	}
	if nouns == 0 && !(o.verb != "" && said[o.verb] && !o.reads) {
		return 0
	}
	return agree * (score + nouns + bonus(verbs, o))
}

// onlyCode says whether the clause holds a code and nothing else of meaning,
// and a code is all that o needs: "show me K7QMPX".
func (pl *planner) onlyCode(o indexedTool, c clause) bool {
	found := pl.entitiesIn(c.text, pl.today, false)
	if len(found.codes) != 1 || len(o.params.required) != 1 {
		return false
	}
	for _, t := range pl.terms(found.bare) {
		if !isIn(t.concept, readVerbs) && t.concept != "details" {
			return false
		}
	}
	return slices.ContainsFunc(o.params.props, func(p property) bool {
		return o.params.needs(p.name) && (codeProp.MatchString(p.name) ||
			strings.Contains(strings.ToLower(p.description), "code"))
	})
}

func bonus(verbs intent, o indexedTool) float64 {
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
func agreement(verbs intent, o indexedTool) float64 {
	switch {
	case o.reads && verbs.write == "":
		return 1
	case o.reads:
		// "Add …" never means a look, unless the tool's own verb was said.
		return 0.25
	case verbs.write == "":
		return 0
	case verbs.write == o.verb, o.verb == "book" && verbs.write == "create", verbs.write == "book" &&
		o.verb == "create":
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
func (pl *planner) force() candidate {
	target := pl.indexed[0]
	top := math.Inf(-1)
	for _, o := range pl.indexed {
		if pl.choice.mode == "named" && o.name != pl.choice.name {
			continue
		}
		score := 0.0
		for concept := range pl.conceptsIn(strings.Join(pl.goal, " ")) {
			if has(o.nouns, concept) || concept == o.verb {
				score += pl.idf.smooth(concept) + 0.1
			} else if o.prose[concept] {
				score += 0.5 * pl.idf.smooth(concept)
			}
		}
		if score > top {
			target, top = o, score
		}
	}
	text := strings.Join(pl.goal, "\n")
	p := pl.fill(target, clause{text: text, full: text})
	p.fillAnyhow(pl.today)
	return p
}
