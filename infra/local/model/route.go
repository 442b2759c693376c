package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// router is a conversation whose only tool picks one of several names: a hand-over,
// not an action.
type router struct {
	tool   tool
	param  string
	values []string
	texts  []string // for reasoning and the like
}

// router recognises the single tool with one required enum, beside which
// there are only free texts.
func (pl *planner) router() (router, bool) {
	if len(pl.tools) != 1 {
		return router{}, false
	}
	r := router{tool: pl.tools[0]}
	for _, p := range r.tool.params.props {
		switch {
		case p.is("string") && len(p.enum) > 1 && r.param == "":
			r.param = p.name
			for _, v := range p.enum {
				if s, ok := v.(string); ok {
					r.values = append(r.values, s)
				}
			}
		case p.is("string") && len(p.enum) == 0:
			r.texts = append(r.texts, p.name)
		default:
			return router{}, false
		}
	}
	return r, len(r.values) > 1 && pl.conceptsOfName(r.tool.name)["rout"] || len(r.values) > 1 &&
		handsOver.MatchString(r.tool.name+" "+r.tool.description)
}

var handsOver = regexp.MustCompile(`(?i)\b(?:rout(?:e|es|ing)|hand(?:s|ing)?[ ` +
	`_-]?(?:over|off)|transfers?|delegates?|dispatch(?:es)?|specialists?|agents?)(?:\b|_)`)

func (l *lexicon) conceptsOfName(name string) map[string]bool { return l.conceptsIn(spoken(name)) }

// routeThreshold is the score beneath which no value is chosen.
const routeThreshold = 0.9

// route chooses a value by the words of its description, and stays where it
// was when the user only answers a question.
func (pl *planner) route(r router) decision {
	forced := pl.choice.mode == "required" || pl.choice.mode == "named"
	if greets(pl.said) && !forced && !strings.Contains(pl.lastAssistant(), "?") {
		return decision{text: pl.greet()}
	}
	docs := pl.routes.get(func() *routingTable { return pl.routingTable(r) },
		slices.Concat(pl.toolTexts, pl.systemTexts(), []string{pl.today.Format(isoDate)})...)
	pick := func(v string) decision {
		args := map[string]string{r.param: v}
		for _, name := range r.texts {
			args[name] = "The words of the message point to " + spoken(v) + "."
		}
		raw, _ := json.Marshal(args) // strings always encode
		return decision{calls: []call{{name: r.tool.name, args: string(raw)}}}
	}
	if pl.picked != "" {
		for i, topic := range pl.topics(r) {
			if strings.ToLower(topic) == pl.picked {
				return pick(r.values[i])
			}
		}
	}
	if goesOn.MatchString(pl.said) || pl.picked != "" || ordinal.MatchString(pl.said) &&
		len(strings.Fields(pl.said)) <= 3 {
		if v, ok := pl.current(r); ok {
			return pick(v)
		}
	}
	taught := pl.learnedFor(r.values, knowsAgent)
	if len(pl.goal) > 1 {
		if v, ok := pl.current(r); ok {
			return pick(v)
		}
	}
	if taught != nil {
		return pl.routeBy(taught, docs, r, pick)
	}
	if len(pl.goal) > 1 {
		// Nobody is named, so whoever got the request gets its answers too:
		// "no extras" is not a question about extras.
		if best, score := docs.best(pl.goal[0], pl.today); score >= routeThreshold {
			return pick(best)
		}
	}
	if best, score := docs.best(strings.Join(pl.goal, "\n"), pl.today); score >= routeThreshold {
		return pick(best)
	}
	// Nothing fits the words. A question that is still open decides; a bare
	// "ok" after it belongs to whoever asked.
	if strings.Contains(pl.lastAssistant(), "?") || elliptic.MatchString(pl.said) {
		if v, ok := pl.current(r); ok {
			return pick(v)
		}
		for _, text := range pl.older {
			if best, score := docs.best(text, pl.today); score >= routeThreshold {
				return pick(best)
			}
		}
	}
	// So does a request that names something only the last one can know of.
	if verbs, found := pl.intentOf(pl.said), pl.entitiesIn(pl.said, pl.today, false); verbs.write != "" ||
		len(found.codes)+len(found.proper)+len(found.quoted) > 0 {
		if v, ok := pl.current(r); ok {
			return pick(v)
		}
	}
	if forced {
		best, _ := docs.best(pl.said, pl.today)
		return pick(best)
	}
	if greets(pl.said) {
		return decision{text: pl.greet()}
	}
	return decision{text: "I am not sure what you mean. You can ask about:\n" + bullets(pl.topics(r)) +
		"\n\nWhich is it?"}
}

func (pl *planner) systemTexts() []string {
	var out []string
	for _, one := range pl.messages {
		if one.role == "system" {
			out = append(out, one.text)
		}
	}
	return out
}

func (pl *planner) lastAssistant() string {
	last := ""
	for _, one := range pl.messages {
		switch {
		case one.role == "assistant" && one.text != "":
			last = one.text
		}
	}
	return last
}

var currentHint = regexp.MustCompile(`(?i)\b(?:last|current|currently|previous|active|pending|open question|asked ` +
	`by|came from|talking to)\b`)

// current finds who spoke last: by the name on the message, an earlier call of
// the same tool, or a line of the prompt that says so.
func (pl *planner) current(r router) (string, bool) {
	for i := len(pl.messages) - 1; i >= 0; i-- {
		one := pl.messages[i]
		if one.role != "assistant" {
			continue
		}
		if slices.Contains(r.values, one.name) {
			return one.name, true
		}
		for _, c := range one.calls {
			var args map[string]any
			if c.name == r.tool.name && json.Unmarshal([]byte(c.args), &args) == nil {
				if v, ok := args[r.param].(string); ok && slices.Contains(r.values, v) {
					return v, true
				}
			}
		}
		// Some clients put the name in front of the text.
		head := clip(firstLine(one.text), 40)
		for _, v := range r.values {
			if strings.HasPrefix(head, "["+v+"]") || strings.HasPrefix(head, v+":") ||
				strings.HasPrefix(head, "[agent: "+v+"]") {
				return v, true
			}
		}
	}
	for _, one := range pl.messages {
		if one.role != "system" {
			continue
		}
		for line := range strings.Lines(one.text) {
			// An arrow marks an example, "last month" → figures, and no state.
			if !currentHint.MatchString(line) || arrow.MatchString(line) || len(namedIn(line, r.values)) != 1 ||
				strings.HasPrefix(strings.TrimSpace(line), "-") {
				continue
			}
			return namedIn(line, r.values)[0], true
		}
	}
	return "", false
}

// namedIn lists the values that text names as whole words, longest first, so
// that edit_reservations does not also count as reservations.
func namedIn(text string, values []string) []string {
	byLength := slices.Clone(values)
	slices.SortStableFunc(byLength, func(a, b string) int { return len(b) - len(a) })
	var out []string
	for _, v := range byLength {
		at := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(v) + `($|[^\w-])`)
		if at.MatchString(text) {
			out = append(out, v)
			text = at.ReplaceAllString(text, "$1 $2")
		}
	}
	return out
}

// routingTable collects what prompt, tool and schema say about each value.
type routingTable struct {
	*lexicon
	values   []string
	words    []map[string]float64 // concept → weight, per value
	examples [][]map[string]bool  // the concepts of each example, per value
	heads    []string             // the noun of a name of several words, "" otherwise
	idf      idf
}

var (
	arrow    = regexp.MustCompile(`\s*(?:->|→|=>|⇒)\s*`)
	contrast = regexp.MustCompile(`(?i)\b(?:not for|never|not|except|unlike|instead of|rather than)\b[^.;)]*`)
)

func (pl *planner) routingTable(r router) *routingTable {
	d := &routingTable{lexicon: pl.lexicon, values: r.values, heads: make([]string, len(r.values))}
	texts := make([]string, len(r.values))
	given := make([][]string, len(r.values))
	agents := pl.agentsAmong(r.values)
	sources := []string{r.tool.description}
	for _, p := range r.tool.params.props {
		if p.name == r.param {
			sources = append(sources, p.description)
		}
	}
	for _, one := range pl.messages {
		if one.role == "system" {
			sources = append(sources, one.text)
		}
	}
	for _, source := range sources {
		last := -1
		for line := range strings.Lines(source) {
			if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
				last = -1
			}
			for _, part := range splitArrows(line) {
				named := namedIn(part.doc, r.values)
				switch {
				case len(agents) > 0 && !describes(line, r.values):
					// Rules for a real model; the domain has sentences instead.
				case len(part.examples) > 0 && len(named) == 1:
					i := slices.Index(r.values, named[0])
					given[i] = append(given[i], part.examples...)
				case len(named) == 1:
					last = slices.Index(r.values, named[0])
					texts[last] += " " + contrast.ReplaceAllString(strings.ReplaceAll(part.doc, named[0], " "), " ")
				case len(named) > 1 && len(part.examples) == 0:
					for v, text := range pairs(part.doc, r.values) {
						texts[slices.Index(r.values, v)] += " " + contrast.ReplaceAllString(text, " ")
					}
				case len(named) == 0 && last >= 0 && strings.HasPrefix(line, " "):
					// An indented line goes on about the value above it.
					texts[last] += " " + contrast.ReplaceAllString(part.doc, " ")
				}
			}
		}
	}
	sets := make([][]map[string]bool, len(r.values))
	for i := range r.values {
		for _, g := range given[i] {
			sets[i] = append(sets[i], pl.features(g, pl.today))
		}
	}
	for _, a := range agents {
		if i := slices.Index(r.values, a.name); i >= 0 {
			texts[i] = a.about + " " + texts[i]
			sets[i] = append(sets[i], a.sentences...)
		}
	}
	docs := make([]map[string]bool, len(r.values))
	for i, v := range r.values {
		weights := map[string]float64{}
		for j, t := range pl.terms(texts[i]) {
			// What a description begins with is what it is about.
			w := 1.0
			if j < 8 {
				w = 1.2
			}
			weights[t.concept] = max(weights[t.concept], w)
		}
		own := pl.terms(spoken(v))
		for j, t := range own {
			weights[t.concept] = max(weights[t.concept], 1) + 0.7/float64(len(own)*len(own))
			if len(own) > 1 && j == len(own)-1 {
				d.heads[i] = t.concept
			}
		}
		d.words = append(d.words, weights)
		for _, set := range sets[i] {
			// Examples also tell what a value is about, word by word.
			for c := range set {
				if c[0] != '<' {
					weights[c] = min(weights[c]+fromExample, max(weights[c], mostFromExamples))
				}
			}
		}
		docs[i] = map[string]bool{}
		for c := range weights {
			docs[i][c] = true
		}
		d.examples = append(d.examples, sets[i])
	}
	d.idf = idfOf(docs)
	return d
}

// A word of an example weighs less than one of a description, but several
// examples add up.
const (
	fromExample      = 0.3
	mostFromExamples = 1.4
)

// describes says whether a line is the description of one value: "- rooms: …".
func describes(line string, values []string) bool {
	head, _, ok := strings.Cut(strings.TrimLeft(line, "-*• "), ":")
	return ok && slices.Contains(values, strings.Trim(head, "`*\" "))
}

type routePart struct {
	doc      string
	examples []string // what stands left of an arrow
}

// splitArrows reads lines such as `"edit the lodge" → inventory; "move my
// booking" → reservations` as examples, and leaves other lines whole.
func splitArrows(line string) []routePart {
	if !arrow.MatchString(line) {
		return []routePart{{doc: line}}
	}
	var out []routePart
	for piece := range strings.SplitSeq(line, ";") {
		left, right, ok := strings.Cut(arrow.ReplaceAllString(piece, "→"), "→")
		if !ok {
			out = append(out, routePart{doc: piece})
			continue
		}
		out = append(out, routePart{doc: right, examples: examplesIn(left)})
	}
	return out
}

// examplesIn takes several quoted messages apart; without quotes, left is one.
func examplesIn(left string) []string {
	var out []string
	for _, q := range quotes.FindAllStringSubmatch(left, -1) {
		out = append(out, strings.Join(q[1:], ""))
	}
	if len(out) == 0 {
		return []string{left}
	}
	return out
}

// pairs splits one line that describes several values: "a: this; b: that".
func pairs(line string, values []string) map[string]string {
	out := map[string]string{}
	for piece := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ';' || r == '.' }) {
		if named := namedIn(piece, values); len(named) == 1 {
			out[named[0]] += " " + strings.ReplaceAll(piece, named[0], " ")
		}
	}
	return out
}

// best returns the value whose words fit text best, and how well.
func (d *routingTable) best(text string, today time.Time) (string, float64) {
	best, top := d.values[0], 0.0
	for i, v := range d.values {
		if score := d.score(i, text, today); score > top+1e-9 {
			best, top = v, score
		}
	}
	return best, top
}

// score says how well the words of value i fit text.
func (d *routingTable) score(i int, text string, today time.Time) float64 {
	// "next weekend" is a date, not a word about weekends.
	_, undated := spansIn(text, today, false)
	said := d.lexicon.conceptsIn(digitFirst.ReplaceAllString(undated, " "))
	addShapes(said, text)
	if bookVerb.MatchString(text) {
		said["create"] = true // the verb; the noun is in a booking that exists as well
	}
	same := d.lexicon.features(text, today)
	score := 0.0
	for c := range said {
		w := d.words[i][c] * d.idf.smooth(c)
		switch {
		case isIn(c, readVerbs):
			w *= 0.5
		case isIn(c, writeVerbs):
			w *= 0.8
		}
		score += w
	}
	if head := d.heads[i]; head != "" && !said[head] {
		// "extra" alone is not yet about extra_selections.
		score -= 0.5 * d.idf.smooth(head)
	}
	near := 0.0
	for _, set := range d.examples[i] {
		if !nameOnly(same, set) { // any name is like any other
			near = max(near, overlap(same, set))
		}
	}
	// An example that is met nearly whole outweighs any sum of words.
	score += 6 * near * near * near
	return score
}

// digitFirst is a code such as 7UGTGT, whose first digit is no number of anything.
var digitFirst = regexp.MustCompile(`\b\d+[A-Z][A-Z0-9]*\b`)

// addShapes adds concepts for things that show by their form.
func addShapes(said map[string]bool, text string) {
	if emailShape.MatchString(text) {
		said["email"] = true
	}
	if phoneShape.MatchString(text) {
		said["phone"] = true
	}
}
