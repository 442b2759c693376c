package model

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
)

// A reading is one of the calls that a clause may mean, with how sure it is. The
// best is run only when it is sure enough, and clearly surer than the second;
// what changes something has to be surer than what only looks.
type scored struct {
	candidate
	of   indexedTool
	sure float64  // 0 to 1
	left []string // what the clause names and the call does not use
}

// How sure a reading must be, and how many times surer than the next.
const (
	strange     = 0.6  // for each word that means nothing here
	sureIfAlone = 0.57 // to look, where nothing else comes near
	alone       = 4.0  // times surer than the next
	sureToRead  = 0.65
	sureToWrite = 0.52
	sureToAsk   = 0.12 // for what is missing
	maybeValue  = 0.2  // that a closed argument is meant at all
	sureOfValue = 0.88 // of a closed argument that the words do not spell
	sureToSet   = 0.9  // of one that a write needs
	sureUnnamed = 0.72 // to change something of which nobody said what it is
	clearOfRead = 1.8
	clearOfAct  = 2.2
)

// learnedFor returns what the domain taught that knows most of these names, and
// at least half of them; nil when there is none.
func (e *engine) learnedFor(names []string, knows func(Domain, string) bool) *learned {
	best, most := -1, (len(names)-1)/2
	for i, d := range e.domains {
		known := 0
		for _, n := range names {
			if knows(d, n) {
				known++
			}
		}
		if known > most {
			best, most = i, known
		}
	}
	if best < 0 {
		return nil
	}
	return e.taught[best]()
}

func knowsAgent(d Domain, name string) bool {
	return slices.ContainsFunc(d.Agents, func(a AgentExamples) bool { return a.Name == name })
}

func knowsTool(d Domain, name string) bool {
	return slices.ContainsFunc(d.Agents, func(a AgentExamples) bool {
		return slices.ContainsFunc(a.Sentences, func(s Sentence) bool {
			return slices.ContainsFunc(s.Readings, func(r Reading) bool { return r.Tool == name })
		})
	})
}

// readings scores every offered tool for a clause, the surest first.
func (pl *planner) readings(c clause, taught *learned) []scored {
	likely, _ := taught.tools.of(pl.engine.signs(c.text, pl.today))
	shares := pl.shares(c, taught, likely)
	var out []scored
	for i, o := range pl.indexed {
		sure := shares[i]
		if sure < 0.03 {
			continue
		}
		r := scored{of: o}
		r.candidate, r.left = pl.fillAll(o, c)
		for range r.missing {
			if o.reads {
				sure *= 0.4
			} else {
				sure *= 0.95
			}
		}
		for range r.left {
			sure *= 0.45
		}
		for range r.strange {
			sure *= strange
		}
		sure *= r.fit
		r.sure = sure
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b scored) int { return cmp.Compare(b.sure, a.sure) })
	return out
}

// How much the words of a tool's own texts count beside what the sentences teach, and
// how likely a tool is that no sentence is for.
const (
	ownWords  = 0.2
	untaught  = 0.02
	leastSure = 0.004
)

// shares returns how likely each offered tool is, beside those of other agents and
// beside none: by what was taught and by the words that its name and description share with the clause.
func (pl *planner) shares(c clause, taught *learned, likely map[string]float64) []float64 {
	verbs := pl.intentOf(c.text)
	out := make([]float64, len(pl.indexed)+2)
	elsewhere := 1 - likely[nobody]
	for i, o := range pl.indexed {
		p, known := likely[o.name], taught.byTool[o.name] != nil
		elsewhere -= p
		if !known {
			p = untaught
		}
		out[i] = math.Log(p+leastSure) + ownWords*min(pl.fit(o, c, verbs), 7) + verbWeight(verbs, o)
	}
	out[len(out)-2] = math.Log(max(elsewhere, leastSure)) + ownWords*2
	out[len(out)-1] = math.Log(likely[nobody]+leastSure) + ownWords*2
	softmax(out)
	return out
}

// verbWeight is how much the verb of a clause speaks for a tool or against it.
func verbWeight(verbs intent, o indexedTool) float64 {
	switch {
	case o.reads && verbs.orders:
		return -1.5
	case o.reads && verbs.write != "" && !verbs.read:
		return -0.4
	case o.reads || verbs.write == "" && !verbs.read:
		return 0
	case verbs.write == o.verb:
		return 0.6
	case agreement(verbs, o) > 0:
		return 0.2
	case verbs.write == "delete":
		return -1.2
	case verbs.read && verbs.write == "":
		return -0.6
	}
	return -0.3
}

// settled returns the reading that may be run, or asked about where something
// is missing.
func settled(all []scored, verbs intent) (scored, bool) {
	if len(all) == 0 {
		return scored{}, false
	}
	least, clear := sureToRead, clearOfRead
	if verbs.orders && all[0].of.reads {
		return all[0], false // somebody who wants something done does not want to look
	}
	if !all[0].of.reads {
		least, clear = sureToWrite, clearOfAct
		if !all[0].isNamed {
			least = sureUnnamed
		}
	}
	if all[0].of.reads && (len(all) == 1 || all[0].sure > alone*all[1].sure) {
		least = sureIfAlone
	}
	if all[0].of.verb == "create" && verbs.write == "" && len(all[0].missing) == 0 {
		return all[0], false // nobody said that something is to be made
	}
	if len(all[0].left) > 0 && len(all[0].missing) == 0 {
		return all[0], false // it would do a part of what was said
	}
	if len(all[0].missing) > 0 && (all[0].of.reads || !verbs.asks()) {
		least = sureToAsk
	}
	if all[0].sure < least || len(all) > 1 && all[0].sure < clear*all[1].sure {
		return all[0], false
	}
	return all[0], true
}

// preset sets the closed arguments that the sentences of a domain teach for texts
// like this one.
func (f *filler) preset(s *schema, args map[string]any) {
	taught := f.taught
	if s != f.tool.params || taught == nil || taught.values[f.tool.name] == nil {
		return
	}
	likely, _ := taught.values[f.tool.name].of(f.planner.engine.signs(f.texts[0].text, f.planner.today))
	best := map[string]float64{}
	for label, share := range likely {
		for _, each := range strings.Fields(label) {
			best[each] += share
		}
	}
	for _, p := range s.props {
		value, top := "", 0.0
		for each, share := range best {
			name, v, _ := strings.Cut(each, "=")
			if name == p.name && (share > top || share == top && v < value) {
				value, top = v, share
			}
		}
		if _, given := args[p.name]; given || top < maybeValue ||
			p.is("boolean") && turnedRound.MatchString(f.texts[0].text) {
			continue
		}
		if top < sureOfValue || !f.tool.reads && s.needs(p.name) && top < sureToSet {
			f.isTorn = true // one of them may be meant, or none
			continue
		}
		if v, ok := closedValue(p, value); ok {
			args[p.name] = v
		}
	}
}

// closedValue reads a value as the schema has it; false where it is none of it.
func closedValue(p property, value string) (any, bool) {
	within := func(s *schema, v string) bool {
		return slices.ContainsFunc(s.enum, func(e any) bool { return e == v }) ||
			slices.Contains(optionsOf(s.description), v)
	}
	switch {
	case p.is("boolean"):
		return value == "true", value == "true" || value == "false"
	case p.is("array") && p.items != nil:
		var out []any
		for v := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
			if !within(p.items, v) && !slices.Contains(optionsOf(p.description), v) {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case within(p.schema, value):
		return value, true
	}
	return nil, false
}

// unused lists what the first text names and no argument took: codes, names, days
// and figures.
func (f *filler) unused(args map[string]any) []string {
	e := f.texts[0]
	var out []string
	for _, m := range e.mentions {
		isSecond := m.kind != "" && slices.ContainsFunc(e.mentions, func(o mention) bool {
			return o.by != "" && o.kind == m.kind
		})
		if !m.isTaken && isSecond && !spokenIn(args, m.text) {
			out = append(out, m.text)
			continue
		}
		if !m.isTaken && (m.how != byWords && m.how != byOpener || m.kind != "" &&
			!f.tool.prose[f.planner.conceptOf(m.text)]) &&
			!spokenIn(args, m.text) {
			out = append(out, m.text)
		}
	}
	for _, n := range e.numbers {
		if n.money && f.tool.reads {
			continue // "why does it cost 7200"
		}
		if !n.isTaken && (!n.isSpoken || n.isMore) && !spokenIn(args, n.value) {
			out = append(out, n.value)
		}
	}
	days := len(e.spans)
	if days == 1 && e.spans[0].day && e.spans[0].from.Equal(f.planner.today) {
		days = 0 // today is now, whatever is done
	}
	for _, p := range f.tool.params.props {
		if _, given := args[p.name]; given && isDate(p) {
			days = 0
		}
	}
	if days > 0 && !f.datesWithin(args) {
		out = append(out, strings.TrimSpace(e.text[e.spans[0].start:e.spans[0].end]))
	}
	for _, s := range e.spans {
		before := e.text[max(0, s.start-20):s.start]
		if v := vagueDays.FindString(before); v != "" || s.day && len(e.spans) == 1 &&
			betweenDays.MatchString(before) {
			out = append(out, strings.TrimSpace(v+e.text[s.start:s.end]))
		}
	}
	if by := f.partedBy(args); by != "" {
		out = append(out, by)
	}
	for _, at := range e.hours {
		if raw, _ := json.Marshal(args); !f.tool.reads && !strings.Contains(string(raw), at) {
			out = append(out, at)
		}
	}
	for _, mail := range e.emails {
		if !spokenIn(args, mail) {
			out = append(out, mail)
		}
	}
	for _, phone := range e.phones {
		if raw, _ := json.Marshal(args); countDigits(string(raw)) < 6 {
			out = append(out, phone)
		}
	}
	return out
}

var (
	// vagueDays make less of a period than it says.
	vagueDays = regexp.MustCompile(`(?i)\b(?:early|mid|late|end of|beginning of|start of|middle ` +
		`of|(?:first|last|second) (?:few |two |three |\d+ )?(?:days?|weeks?|half) ` +
		`(?:of|in)|before)\W*(?:the\s+)?$`)
	betweenDays = regexp.MustCompile(`(?i)\bbetween\W*$`)
)

var parted = regexp.MustCompile(`(?i)\b(?:by|per|(?:for|of) (?:each|every))\s+(?:the\s+)?([a-z]+)\b|` +
	`\b([a-z]+)[ -]?wise\b`)

// partedBy returns by what the text wants figures parted, such as "by channel", where
// neither an argument nor the tool's description has it.
func (f *filler) partedBy(args map[string]any) string {
	if !f.tool.reads {
		return ""
	}
	for _, m := range parted.FindAllStringSubmatch(f.texts[0].text, -1) {
		what := strings.ToLower(m[1] + m[2])
		concept := f.planner.conceptOf(what)
		if !f.planner.known(what) || isIn(concept, readVerbs) || isIn(concept, writeVerbs) || spokenIn(args, what) ||
			slices.ContainsFunc(f.planner.wordsIn(f.tool.description), func(w string) bool {
				return stem(w) == stem(what) || concept != f.planner.conceptOf("date") &&
					f.planner.conceptOf(w) == concept
			}) {
			continue
		}
		return m[0]
	}
	return ""
}

// judge says how well the names that the clause gives fit the arguments that took them,
// which words mean nothing, and whether the clause says what kind of thing it is about.
func (f *filler) judge(p *candidate) {
	p.fit = 1
	if f.isTorn || repeats(p.args) {
		p.fit = 0.5
	}
	said := f.planner.conceptsIn(f.clause.full)
	for _, n := range f.tool.nouns {
		p.isNamed = p.isNamed || said[n]
	}
	for name := range p.args {
		// "The weekend price" is a price of one kind of thing only.
		own := f.planner.terms(spoken(name))
		p.isNamed = p.isNamed || len(own) > 1 &&
			!slices.ContainsFunc(own, func(t term) bool { return !said[t.concept] })
	}
	for _, m := range f.texts[0].mentions {
		if m.how == byWords && !m.isTaken && m.kind == "" {
			p.strange = append(p.strange, m.text)
		}
		if m.by == "" {
			continue
		}
		p.isNamed = p.isNamed || m.isNear
		if m.how == byWords && m.kind == "" && f.namesElsewhere(m) {
			p.fit *= 0.4
		}
		if f.taught != nil && !m.isNear && !f.taught.hasShape(f.tool.name, m.by, m.text) {
			p.fit *= 0.4
		}
		p.isNamed = p.isNamed || m.how == byCode
		for _, each := range f.tool.params.props {
			if each.name != m.by || m.kind == "" || f.roleOf(each, f.tool.params.needs(each.name)) != refers {
				continue
			}
			if f.planner.conceptsIn(each.name + " " + each.description)[f.planner.conceptOf(m.kind)] {
				p.fit *= 1.7
				p.isNamed = true
			} else {
				p.fit *= 0.4
			}
		}
	}
}

// namesElsewhere says whether a name or a code that stands out was taken for something else
// than what a word in small letters was taken to refer to.
func (f *filler) namesElsewhere(m mention) bool {
	var refs []string
	for _, p := range f.tool.params.props {
		if f.roleOf(p, f.tool.params.needs(p.name)) == refers {
			refs = append(refs, p.name)
		}
	}
	return slices.Contains(refs, m.by) && slices.ContainsFunc(f.texts[0].mentions, func(o mention) bool {
		return (o.how == byName || o.how == byCaps) && o.isTaken && !slices.Contains(refs, o.by)
	})
}

// repeats says whether a call compares days with themselves.
func repeats(args map[string]any) bool {
	from, other := args["start_date"], args["other_start_date"]
	return from != nil && from == other && args["end_date"] == args["other_end_date"]
}

// datesWithin says whether a nested argument holds a day.
func (f *filler) datesWithin(args map[string]any) bool {
	raw, _ := json.Marshal(args) // made of texts, numbers and lists
	return dateInPrompt.Match(raw)
}

// spokenIn says whether a value stands anywhere in the arguments.
func spokenIn(args map[string]any, value string) bool {
	raw, _ := json.Marshal(args)
	return slices.Contains(lowered(plain(string(raw))), strings.ToLower(value)) ||
		strings.ContainsAny(value, " @-") && strings.Contains(strings.ToLower(string(raw)), strings.ToLower(value))
}
