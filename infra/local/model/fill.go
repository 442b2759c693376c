package model

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// filler finds arguments for one tool. It looks in the clause first, then in
// all that belongs to the goal, then in the answers to our own questions, and
// for required fields in earlier messages and results.
type filler struct {
	m      *mind
	tool   offer
	texts  []*facts // clause, then goal, the later answers last
	older  []*facts
	clause clause
}

// fill fills the parameters of o from what clause c and the talk say.
func (m *mind) fill(o offer, c clause) plan {
	return m.fillFrom(o, c, m.older[:min(len(m.older), 6)])
}

// fillFrom is fill with these earlier messages to look back to.
func (m *mind) fillFrom(o offer, c clause, older []string) plan {
	f := &filler{m: m, tool: o, clause: c}
	report := o.looksBack()
	f.texts = append(f.texts, factsOf(c.text, m.today, report))
	for i, text := range m.goal {
		switch one := factsOf(text, m.today, report); {
		case i > 0 && (elliptic.MatchString(text) || corrects.MatchString(text)):
			// "And last month?", "make it 20" replace what was said before.
			f.texts = append([]*facts{one}, f.texts...)
		case i > 0 || text != c.text:
			f.texts = append(f.texts, one)
		}
	}
	for _, text := range older {
		f.older = append(f.older, factsOf(text, m.today, report))
	}
	p := plan{tool: o.tool, args: map[string]any{}}
	f.object(o.params, p.args, &p.order, &p.missing)
	return p
}

// object fills the properties of s into args, numbers first because they
// compete for the same figures.
func (f *filler) object(s *schema, args map[string]any, order *[]string, missing *[]property) {
	f.assignNumbers(s, args)
	for _, p := range s.props {
		if _, ok := args[p.name]; !ok {
			if v, ok := f.value(p, s.needs(p.name)); ok {
				args[p.name] = v
			}
		}
	}
	for _, p := range s.props {
		if _, ok := args[p.name]; ok {
			*order = append(*order, p.name)
			continue
		}
		if !s.needs(p.name) {
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
	case p.is("string"):
		return f.text(p, required)
	}
	return nil, false
}

// answered takes the user's answer to our own question: when the question
// named this field, a short answer is its value.
func (f *filler) answered(p property) (any, bool) {
	for i := len(f.m.goal) - 1; i > 0; i-- {
		question := f.m.asked[i]
		if !strings.Contains(strings.ToLower(question), spoken(p.name)+" ") && !strings.Contains(strings.ToLower(question), spoken(p.name)+"?") {
			continue
		}
		if !asksFor(question, p) {
			continue
		}
		text := strings.TrimSpace(f.m.goal[i])
		if len(p.enum) > 0 || p.is("boolean") || p.is("integer") || p.is("number") || p.is("array") || p.is("object") || isDate(p) {
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
		if emailProp.MatchString(p.name) || phoneProp.MatchString(p.name) || isDecimal(p) || len(strings.Fields(text)) > 8 {
			return nil, false
		}
		found := factsOf(text, f.m.today, false)
		for _, list := range [][]string{found.quoted, found.codes} {
			if len(list) == 1 {
				return list[0], true
			}
		}
		return strings.Trim(text, ` ."'`), true
	}
	return nil, false
}

var yes = regexp.MustCompile(`(?i)^\W*(?:yes|yep|yeah|sure|ok(?:ay)?|haan|ji|please)\b`)

// asksFor says whether question asks for this field and no other: our
// questions end with the field's own words.
func asksFor(question string, p property) bool {
	return strings.Contains(strings.ToLower(question), questionFor(p))
}

func questionFor(p property) string {
	if told := toldBy(p); told != "" {
		return told
	}
	asked := "what is the " + spoken(label(p.name))
	if isDate(p) && !conceptsIn(asked)["date"] {
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
	for i, facts := range f.texts {
		said := conceptsIn(facts.common)
		// Words that name the tool itself do not choose a value as well.
		var best any
		top := 0.0
		for _, v := range p.enum {
			text, ok := v.(string)
			if !ok {
				continue
			}
			own := words(spoken(text))
			hit, missed, verbs, small := 0, 0, 0, 0
			for _, w := range own {
				c := conceptOf(w)
				switch {
				case stopped[w]:
					if slices.Contains(words(facts.text), w) {
						hit++
						small++
					} else {
						missed++
					}
				case said[c] && c != verb && !(i == 0 && slices.Contains(f.tool.nouns, c) && len(own) == 1 && !perUnit(facts.text, w)):
					hit++
					if isIn(c, readVerbs) || isIn(c, writeVerbs) {
						verbs++
					}
				default:
					missed++
				}
			}
			if missed > 0 && verbs+small == hit {
				continue // "show" alone is not yet "no_show", nor "last" "last_year"
			}
			score := float64(hit) - 0.6*float64(missed)
			if strings.EqualFold(strings.TrimSpace(facts.text), text) {
				score += 5
			}
			if perUnit(facts.text, text) {
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
	return nil, false
}

// perUnit says whether text has "per" or "a" in front of the unit.
func perUnit(text, unit string) bool {
	first, _, _ := strings.Cut(spoken(unit), " ")
	return regexp.MustCompile(`(?i)\b(?:per|each|every|/)\s*` + regexp.QuoteMeta(first) + `\b`).MatchString(text)
}

var (
	negative  = regexp.MustCompile(`(?i)\b(?:not|no|without|un|non|isn't|off|out of|finished|exclude|excluding|stop|never|sold out|disable[d]?|deactivate[d]?|unavailable|inactive)\b`)
	opposites = map[string][]string{
		"active":   {"inactive"},
		"availabl": {"unavailabl"}, "available": {"unavailabl"},
		"enable": {"disabl"},
	}
	positive = regexp.MustCompile(`(?i)\b(?:on|enable[d]?|activate[d]?|active|available|include|including|with|also|back)\b`)
)

// boolean is set only when the words of the property, or their opposites, are
// there.
func (f *filler) boolean(p property) (any, bool) {
	for _, facts := range f.texts {
		low := strings.ToLower(facts.text)
		said := conceptsIn(low)
		for _, t := range terms(spoken(p.name)) {
			if slices.Contains([]string{"includ", "include", "is", "only", "show", "list"}, t.concept) {
				continue
			}
			raw := stem(t.raw)
			for _, w := range words(low) {
				s := stem(w)
				if s == "in"+raw || s == "un"+raw || has(opposites[raw], s) {
					return false, true
				}
				if s == raw {
					return !deniedNear(low, w), true
				}
			}
			if t.concept == "available" || t.concept == "active" {
				if f.tool.verb == "toggle" && negative.MatchString(low) {
					return false, true
				}
				if f.tool.verb == "toggle" && positive.MatchString(low) {
					return true, true
				}
			}
			if said[t.concept] {
				return !negative.MatchString(low) || t.concept == "inactive", true
			}
		}
	}
	return nil, false
}

// deniedNear says whether a negative word stands shortly before w.
func deniedNear(text, w string) bool {
	i := strings.Index(text, w)
	return negative.MatchString(text[max(0, i-14):i])
}

// mentions says whether text uses a word of the property's name.
func mentions(text string, p property) bool {
	said := conceptsIn(text)
	for _, t := range terms(spoken(p.name)) {
		if said[t.concept] {
			return true
		}
	}
	return false
}

// json renders the arguments in schema order, so that the same plan always
// gives the same bytes.
func (p plan) json() string {
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
func (p *plan) fillAnyhow(today time.Time) {
	for _, miss := range p.missing {
		p.args[miss.name] = smallest(miss.schema, today)
		p.order = append(p.order, miss.name)
	}
	p.missing = nil
}
