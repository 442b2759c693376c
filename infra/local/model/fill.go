package model

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// filler does the slot filling for one tool: it finds values for the parameters.
// It looks in the clause first, then in all that belongs to the goal, then in
// the answers to our own questions, and for required fields in earlier messages
// and results.
type filler struct {
	planner *planner
	tool    indexedTool
	texts   []*entities // clause, then goal, the later answers last
	older   []*entities
	clause  clause
	taught  *learned // nil where nobody gave sentences
	isTorn  bool     // a closed argument may be meant
}

// fill fills the parameters of o from what clause c and the conversation say.
func (pl *planner) fill(o indexedTool, c clause) candidate {
	p, _ := pl.fillAll(o, c)
	return p
}

// fillAll is fill, and returns what the clause names and nothing took, too.
func (pl *planner) fillAll(o indexedTool, c clause) (candidate, []string) {
	return pl.fillFrom(o, c, pl.older[:min(len(pl.older), 6)])
}

// fillFrom is fillAll with these earlier messages to look back to.
func (pl *planner) fillFrom(o indexedTool, c clause, older []string) (candidate, []string) {
	f := &filler{planner: pl, tool: o, clause: c}
	report := o.looksBack()
	f.texts = append(f.texts, pl.entitiesIn(c.text, pl.today, report))
	for i, text := range pl.goal {
		switch one := pl.entitiesIn(text, pl.today, report); {
		case i > 0 && (elliptic.MatchString(text) || corrects.MatchString(text)):
			// "And last month?", "make it 20" replace what was said before.
			f.texts = append([]*entities{one}, f.texts...)
		case i == 0 && text != c.text:
			if c.isPart {
				continue
			}
			one.numbers = nil // another part of the sentence has them
			f.texts = append(f.texts, one)
		case i > 0:
			f.texts = append(f.texts, one)
		}
	}
	for _, text := range older {
		f.older = append(f.older, pl.entitiesIn(text, pl.today, report))
	}
	p := candidate{tool: o.tool, args: map[string]any{}}
	f.taught = pl.taughtTools()
	f.object(o.params, p.args, &p.order, &p.missing)
	f.demand(&p)
	f.judge(&p)
	return p, f.unused(p.args)
}

// object fills the properties of s into args, numbers first because they
// compete for the same figures.
func (f *filler) object(s *schema, args map[string]any, order *[]string, missing *[]property) {
	for _, p := range s.props {
		if f.roleOf(p, s.needs(p.name)) != noName {
			if v, ok := f.answered(p); ok {
				args[p.name] = v
			}
		}
	}
	f.assignNumbers(s, args)
	f.assignNames(s, args)
	for _, p := range s.props {
		if _, ok := args[p.name]; !ok {
			if v, ok := f.value(p, s.needs(p.name)); ok {
				args[p.name] = v
			}
		}
	}
	f.preset(s, args)
	for _, p := range s.props {
		if _, ok := args[p.name]; ok {
			*order = append(*order, p.name)
			continue
		}
		if !s.needs(p.name) {
			if _, unclear := f.thingsNamed(p); unclear && !f.tool.reads {
				*missing = append(*missing, p)
			}
			continue
		}
		switch {
		case p.def != nil:
			args[p.name] = p.def
		case p.is("null"):
			args[p.name] = nil
		default:
			*missing = append(*missing, p)
			continue
		}
		*order = append(*order, p.name)
	}
}

// value finds one property. The kind of value is read from schema, name and
// description; a kind that has no evidence in the texts stays empty.
func (f *filler) value(p property, required bool) (any, bool) {
	if v, ok := f.answered(p); ok {
		return v, true
	}
	switch {
	case len(p.enum) > 0:
		return f.enum(p)
	case p.is("boolean"):
		return f.boolean(p)
	case p.is("integer"), p.is("number"):
		return nil, false // assigned before, or not there
	case p.is("array"):
		return f.array(p, required)
	case p.is("object") && len(p.props) > 0:
		args, order, missing := map[string]any{}, []string{}, []property{}
		f.object(p.schema, args, &order, &missing)
		return args, len(order) > 0 && len(missing) == 0
	case isDate(p):
		return f.date(p, required)
	case p.is("string") && wordSamples.MatchString(p.description):
		samples := f.planner.wordsIn(wordSamples.FindStringSubmatch(p.description)[1])
		for _, e := range f.texts {
			for _, w := range f.planner.wordsIn(e.text) {
				if !stopped[w] && slices.Contains(samples, w) {
					return w, true
				}
			}
			if had := having.FindStringSubmatch(e.text); had != nil && haveText.MatchString(p.description) {
				for i := range e.mentions {
					e.mentions[i].isTaken = e.mentions[i].isTaken || e.mentions[i].text == had[1]
				}
				if !f.planner.ofTools[stem(had[1])] && f.planner.conceptOf(had[1]) != "price" {
					return had[1], true
				}
			}
		}
		return nil, false
	case p.is("string") && strings.Contains(p.description, "two letters"):
		for _, e := range f.texts {
			for i, m := range e.mentions {
				if m.how == byCaps && len(m.text) == 2 && f.planner.mentions(e.text, p) {
					e.mentions[i].isTaken = true
					return m.text, true
				}
			}
		}
		return nil, false
	case p.is("string") && len(optionsOf(p.description)) > 0:
		for _, e := range f.texts {
			for _, o := range f.planner.optionsIn(e.text, optionsOf(p.description)) {
				// "Phone" is also what another argument is called.
				if !f.planner.ofTools[stem(o)] || f.planner.mentions(e.text, p) {
					return o, true
				}
			}
		}
		f.isTorn = f.isTorn || f.partOfOption(p)
		return nil, false
	case p.is("string"):
		v, ok := f.text(p, required)
		return v, ok && !bareIt.MatchString(str(v))
	}
	return nil, false
}

// bareIt is no text to write down: "note it".
var bareIt = regexp.MustCompile(`(?i)^(?:it|that|this|them|so)$`)

// having finds what something is said to have: "cabins with a balcony", "which have parking".
var (
	having = regexp.MustCompile(`(?i)\b(?:with|have|has|having|got)\s+(?:an?\s+|the\s+|its ` +
		`own\s+)?([a-z]{4,})\b\W*$`)
	haveText = regexp.MustCompile(`(?i)\bthat have\b`)
)

var wordSamples = regexp.MustCompile(`, such as ([a-z]+(?: or [a-z]+)?)$`)

// answered takes the user's answer to our own question: when the question
// named this field, a short answer is its value.
func (f *filler) answered(p property) (any, bool) {
	for i := len(f.planner.goal) - 1; i > 0; i-- {
		question := f.planner.asked[i]
		if !strings.Contains(strings.ToLower(question), spoken(p.name)+" ") &&
			!strings.Contains(strings.ToLower(question), spoken(p.name)+"?") {
			continue
		}
		if !f.planner.asksFor(question, p) {
			continue
		}
		text := strings.TrimSpace(fragment.ReplaceAllString(f.planner.goal[i], ""))
		if len(p.enum) > 0 || p.is("boolean") || p.is("integer") || p.is("number") || p.is("array") ||
			p.is("object") || isDate(p) {
			if p.is("boolean") {
				if yes.MatchString(text) {
					return true, true
				}
				if decline.MatchString(text) {
					return false, true
				}
			}
			return nil, false // the general rules read these well
		}
		if emailProp.MatchString(p.name) || phoneProp.MatchString(p.name) || isDecimal(p) ||
			len(strings.Fields(text)) > 8 {
			return nil, false
		}
		if yes.MatchString(text) && len(strings.Fields(text)) < 3 {
			return nil, false // an answer to something else
		}
		found := f.planner.entitiesIn(text, f.planner.today, false)
		for _, e := range f.texts {
			if e.text == f.planner.goal[i] {
				// It answers this, and tells nothing else.
				e.mentions, e.common, e.undated = nil, "", ""
			}
		}
		for _, list := range [][]string{found.quoted, found.codes} {
			if len(list) == 1 {
				return list[0], true
			}
		}
		return strings.Trim(text, ` .?!"'`), true
	}
	return nil, false
}

// fragment is what a further question begins with, "and Birch?".
var fragment = regexp.MustCompile(`(?i)^\s*(?:and|aur|or|what about|how about)\s+`)

var yes = regexp.MustCompile(`(?i)^\W*(?:yes|yep|yeah|sure|ok(?:ay)?|haan|ji|please)\b`)

// asksFor says whether question asks for this field and no other: our
// questions end with the field's own words.
func (l *lexicon) asksFor(question string, p property) bool {
	return strings.Contains(strings.ToLower(question), l.questionFor(p))
}

func (l *lexicon) questionFor(p property) string {
	if told := toldBy(p); told != "" {
		return told
	}
	asked := "what is the " + spoken(label(p.name))
	if isDate(p) && !l.conceptsIn(asked)["date"] {
		asked += " date"
	}
	return asked
}

// toldBy returns the words of the description where the name is none to say
// aloud: for "per" it is "what the price counts for".
func toldBy(p property) string {
	if !stopped[p.name] && p.name != "per" || !asksItself.MatchString(p.description) {
		return ""
	}
	head, _, _ := strings.Cut(p.description, ":")
	return strings.TrimRight(strings.ToLower(head), " .;,")
}

var asksItself = regexp.MustCompile(`(?i)^(?:what|which|how|when|who|whether)\b`)

// enum matches the words of the texts with the words of each value; the value
// of which most words were said wins.
func (f *filler) enum(p property) (any, bool) {
	verb := f.tool.verb
	for i, entities := range f.texts {
		said := f.planner.conceptsIn(entities.common)
		undated := f.planner.conceptsIn(entities.undated)
		// Words that name the tool itself do not choose a value as well.
		var best any
		top := 0.0
		for _, v := range p.enum {
			text, ok := v.(string)
			if !ok {
				continue
			}
			own := f.planner.wordsIn(spoken(text))
			if p.name == "per" && !perUnit(entities.text, text) && !strings.EqualFold(strings.TrimSpace(entities.text),
				spoken(text)) {
				continue // "at least 2 nights" is no price per night
			}
			hit, missed, verbs, small := 0, 0, 0, 0
			for _, w := range own {
				c := f.planner.conceptOf(w)
				switch {
				case stopped[w]:
					if slices.Contains(f.planner.wordsIn(entities.text), w) {
						hit++
						small++
					} else {
						missed++
					}
				case said[c] && c != verb && !(i == 0 && slices.Contains(f.tool.nouns, c) && len(own) == 1 &&
					!perUnit(entities.text, w)):
					hit++
					if isIn(c, readVerbs) || isIn(c, writeVerbs) {
						verbs++
					}
				default:
					missed++
				}
			}
			if hit > 0 && len(own) == 1 && !undated[f.planner.conceptOf(own[0])] && !perUnit(entities.text, text) {
				continue // "this month" is no "by month"
			}
			if missed > 0 && verbs+small == hit {
				continue // "show" alone is not yet "no_show", nor "last" "last_year"
			}
			score := float64(hit) - 0.6*float64(missed)
			if strings.EqualFold(strings.TrimSpace(entities.text), text) {
				score += 5
			}
			if perUnit(entities.text, text) {
				score += 0.5
			}
			if hit > 0 && score > top {
				best, top = v, score
			}
		}
		if best != nil {
			return best, true
		}
	}
	// A figure says whether it is a percentage.
	if slices.Contains(p.enum, any("percent")) && len(p.enum) == 2 {
		for _, n := range f.texts[0].numbers {
			switch {
			case n.percent:
				return "percent", true
			case n.money:
				return p.enum[(slices.Index(p.enum, any("percent"))+1)%2], true
			}
		}
	}
	return nil, false
}

// perUnit says whether text has "per" or "a" in front of the unit.
func perUnit(text, unit string) bool {
	first, _, _ := strings.Cut(spoken(unit), " ")
	return regexp.MustCompile(`(?i)\b(?:per|each|every|/)\s*` + regexp.QuoteMeta(first) + `\b`).MatchString(text)
}

// mentions says whether text uses a word of the property's name.
func (l *lexicon) mentions(text string, p property) bool {
	said := l.conceptsIn(text)
	for _, t := range l.terms(spoken(p.name)) {
		if said[t.concept] {
			return true
		}
	}
	return false
}

// json renders the arguments in schema order, so that the same plan always
// gives the same bytes.
func (p candidate) json() string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range p.order {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(name))
		b.WriteByte(':')
		b.Write(encode(p.args[name]))
	}
	b.WriteByte('}')
	return b.String()
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // values are built here from strings, numbers and lists
	return bytes.TrimSpace(b.Bytes())
}

// fillAnyhow completes a forced call with the smallest valid values.
func (p *candidate) fillAnyhow(today time.Time) {
	for _, miss := range p.missing {
		p.args[miss.name] = smallest(miss.schema, today)
		p.order = append(p.order, miss.name)
	}
	p.missing = nil
}
