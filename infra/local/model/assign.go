package model

import (
	"regexp"
	"slices"
	"strings"
)

// role is what a text argument wants of the names in a text.
type role int

const (
	noName  role = iota
	refers       // to something that exists, by its code or name
	coins        // the name of something new, or of a person
	queries      // words to search by
)

var (
	refersBy   = regexp.MustCompile(`(?i)\b(?:code|name)s?\b|\bby code\b`)
	refersText = regexp.MustCompile(`(?i)\b(?:code or(?: the)?(?: present)? name|name or(?: the)? code|codes? or ` +
		`names?|'s code|the code of|code such as|coupon code|this code|code, such as|one unit's code)\b`)
)

func (f *filler) roleOf(p property, required bool) role {
	switch {
	case !p.is("string") || len(p.enum) > 0 || isDate(p) || isDecimal(p) || len(optionsOf(p.description)) > 0,
		emailProp.MatchString(p.name), phoneProp.MatchString(p.name), dialProp.MatchString(p.name):
		return noName
	case searchProp.MatchString(p.name):
		return queries
	case refersText.MatchString(p.description):
		return refers
	case newProp.MatchString(p.name):
		return coins
	case nameProp.MatchString(p.name):
		if f.tool.verb != "create" && required && refersBy.MatchString(p.description) || f.tool.verb == "delete" ||
			f.tool.reads {
			return refers
		}
		return coins
	case noteProp.MatchString(p.name):
		return noName
	case codeProp.MatchString(p.name), required && refersBy.MatchString(p.description), required &&
		f.tool.verb != "create":
		return refers
	case required:
		return coins
	}
	return noName
}

// assignNames gives what the texts name to the arguments, best pair first, each
// mention to one argument.
func (f *filler) assignNames(s *schema, args map[string]any) {
	roles := make([]role, len(s.props))
	first := -1
	adds := s == f.tool.params && f.adds()
	for i, p := range s.props {
		roles[i] = f.roleOf(p, s.needs(p.name))
		switch {
		case adds && leftOut.MatchString(p.description):
			roles[i] = noName
		case adds && forNew.MatchString(p.description) && p.name == "name":
			roles[i] = coins
		case forNew.MatchString(p.description):
			roles[i] = noName
		}
		if first < 0 && roles[i] == refers {
			first = i
		}
	}
	for ti, e := range f.texts {
		if ti > 0 && e.text == f.texts[0].text {
			continue
		}
		for {
			at, to, top := -1, -1, 0.0
			for mi := range e.mentions {
				if e.mentions[mi].isTaken || ti > 0 && spokenIn(args, e.mentions[mi].text) {
					continue
				}
				for pi, p := range s.props {
					if _, done := args[p.name]; done || roles[pi] == noName {
						continue
					}
					if score := f.suits(e, mi, p, roles[pi], s.needs(p.name), pi == first); score > top+1e-9 {
						at, to, top = mi, pi, score
					}
				}
			}
			if at < 0 {
				break
			}
			m := &e.mentions[at]
			m.isTaken, m.by = true, s.props[to].name
			m.isNear, _ = f.beside(e, *m, s.props[to])
			args[m.by] = f.exact(f.whole(e, m, s.props[to]), s.props[to])
		}
	}
}

// whole returns a name with the word behind it, where the argument's own word stands
// before or behind both: "the tier Nearly full", "Nearly full tier".
func (f *filler) whole(e *entities, m *mention, p property) string {
	if m.how != byName && m.how != byOpener {
		return m.text
	}
	found := lastWord.FindStringSubmatch(e.text[m.end:])
	if !precededBy(e.text, m.start, spoken(p.name)) {
		found = nil
		if next := secondWord.FindStringSubmatch(e.text[m.end:]); next != nil && next[2] == spoken(p.name) {
			found = next
		}
	}
	if found == nil || stopped[found[1]] {
		return m.text
	}
	end := m.end + 1 + len(found[1])
	for i := range e.mentions {
		e.mentions[i].isTaken = e.mentions[i].isTaken || e.mentions[i].start > m.start && e.mentions[i].end <= end
	}
	return m.text + " " + found[1]
}

var (
	lastWord   = regexp.MustCompile(`^ ([a-z]+)\W*$`)
	secondWord = regexp.MustCompile(`^ ([a-z]+) ([a-z]+)\b`)
)

// exact returns a name as earlier results spell it, or as it was said.
func (f *filler) exact(said string, p property) string {
	if known := f.planner.knownFor(said, p); known != "" {
		return known
	}
	if f.roleOf(p, f.tool.params.needs(p.name)) == refers {
		if bare := address.ReplaceAllString(said, ""); bare != "" {
			return bare
		}
	}
	return said
}

// address is how people are addressed, which is no part of a name to look for.
var address = regexp.MustCompile(`^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Shri|Smt)\b\.? *|(?: ji| sahab| sahib)$`)

// suits scores a mention for an argument; 0 or less where it is none.
func (f *filler) suits(e *entities, at int, p property, r role, required, first bool) float64 {
	m := e.mentions[at]
	near, other := f.beside(e, m, p)
	score := 0.0
	switch r {
	case refers:
		codes := !strings.Contains(strings.ToLower(p.description), "name") &&
			codeWord.MatchString(p.name+" "+p.description)
		switch {
		case codes && (m.how == byWords || m.how == byName || m.how == byOpener):
			if !near || m.how == byWords || countDigits(m.text) == 0 && strings.Contains(m.text, " ") {
				return 0
			}
			score = -0.5
		case codes && m.how == byCaps && !required && !near:
			return 0
		case codes && m.how == byCaps:
			score = 0.4
		case codes && lettersThenDigits.MatchString(m.text):
			score = 1.6
		default:
			score = 1
		}
		score += likeness(m.text, p.description)
	case coins:
		switch {
		case m.how == byCode:
			return 0
		case f.tool.verb != "create" && !f.adds():
			if p.name == "name" || !near && !e.nameFollows(m) {
				return 0
			}
			score = 1.6
		case m.how == byCaps:
			score = -0.4
		default:
			score = 0.6
		}
		if strings.Contains(m.text, " ") && m.how == byName {
			score += 0.4
		}
		if m.isCalled {
			score += 2
		}
		if f.forWhom(p) && m.how == byName && precededBy(e.text, m.start, "for", "of", "guest", "family", "ke liye") {
			score += 1.6
		}
	case queries:
		score = 1.2
		if m.how == byWords {
			score = 0.9
		}
	}
	switch {
	case m.how == byOpener && !near:
		return 0
	case m.how == byWords:
		score -= 0.3
	}
	if m.kind != "" && r == refers {
		if f.planner.conceptsIn(p.name + " " + p.description)[f.planner.conceptOf(m.kind)] {
			score += 2
		} else {
			score -= 1.5
		}
	}
	if r == refers && f.tool.verb == "create" && m.how == byName && precededBy(e.text, m.start, "for") {
		score -= 1.2 // it is for somebody
	}
	if near {
		score += 1.8
	} else if other {
		score -= 1
	}
	if r == refers && m.how == byWords && f.hasCapitals(e) {
		score -= 1.2 // what stands out is rather the name
	}
	if required {
		score += 0.5
	}
	if first {
		score += 0.6
	}
	if r == refers && m.how != byWords &&
		precededBy(e.text, m.start, "in", "into", "to", "of", "for", "on", "at", "with") {
		score += 0.3
	}
	if r == refers && !required && precededBy(e.text, m.start, "from") {
		score -= 0.6
	}
	if taught := f.taught; r == refers && taught != nil && !taught.hasShape(f.tool.name, p.name, m.text) && !near {
		score -= 0.7
	}
	if f.renames(e) && r == refers && m.how == byName && strings.Contains(m.text, " ") {
		score -= 1
	}
	least := 0.8
	if !required && r != queries {
		least = 0.95
		if m.how == byWords {
			least = 1.25
		}
		if m.how == byCaps && len(m.text) == 2 {
			return 0
		}
	}
	if score < least {
		return 0
	}
	return score
}

// hasCapitals says whether a code or a name in capitals is still to be taken.
func (f *filler) hasCapitals(e *entities) bool {
	return slices.ContainsFunc(e.mentions, func(m mention) bool {
		return !m.isTaken && (m.how == byCaps || m.how == byCode && !mixed.MatchString(m.text))
	})
}

var codeOrName = regexp.MustCompile(`(?i)\b(?:code or name|name or code)\b`)

var codeWord = regexp.MustCompile(`(?i)\bcode\b|_id$|\bid$`)

// forWhom says whether the argument is a person's name: more than what a new
// thing is called.
func (f *filler) forWhom(p property) bool { return p.name != "name" && nameProp.MatchString(p.name) }

// nameFollows says whether the mention stands where a new value does: behind
// "to", "is" or "should be".
func (f *entities) nameFollows(m mention) bool {
	before := f.text[:m.start]
	return nameWord.MatchString(before) &&
		(precededBy(f.text, m.start, "to", "is", "be", "as", "naam", "name", ",") ||
			strings.HasSuffix(strings.TrimRight(before, " "), ",") || strings.HasSuffix(strings.TrimRight(before, " "),
			":"))
}

var nameWord = regexp.MustCompile(`(?i)\bnames?\b|\bnaam\b|नाम|\bspelling\b`)

// renames says whether a text speaks of a name as such.
func (f *filler) renames(e *entities) bool {
	return f.tool.verb != "create" && nameWord.MatchString(e.text)
}

// beside says whether a word for the argument stands right before or behind the
// mention, and whether a word for another argument of the tool does.
func (f *filler) beside(e *entities, m mention, p property) (own, other bool) {
	before, after := f.planner.wordsIn(e.text[:m.start]), f.planner.wordsIn(e.text[m.end:])
	look := func(w string) {
		if stopped[w] && w != "name" {
			return
		}
		concept := f.planner.conceptOf(w)
		for _, each := range f.tool.params.props {
			if each.is("boolean") || each.is("number") || each.is("integer") || isDate(each) {
				continue
			}
			for _, t := range f.planner.terms(spoken(each.name)) {
				if t.concept != concept {
					continue
				}
				if each.name == p.name {
					own = true
				} else {
					other = true
				}
			}
		}
		if head := f.headOf(p); head == concept {
			own = true
		}
	}
	for i, left := len(before)-1, 3; i >= 0 && left > 0; i-- {
		if slices.ContainsFunc(e.mentions, func(o mention) bool {
			return o.how == byCode && strings.Contains(strings.ToLower(o.text), before[i])
		}) {
			continue // "the guest of K7QMPX to …"
		}
		left--
		look(before[i])
		if !stopped[before[i]] && address.FindString(upperFirst(before[i])) == "" {
			break
		}
	}
	for i := 0; i < len(after) && i < 2; i++ {
		look(after[i])
		if !stopped[after[i]] {
			break
		}
	}
	return own, other && !own
}

var possessive = regexp.MustCompile(`(?i)\b([a-z]+)(?: type)?'s (?:code|name)|(?:code|name) of (?:a|an|the) ` +
	`([a-z]+)|\b([a-z]+) code\b`)

// headOf returns the concept of the thing that an argument names: "dish" for "the
// dish's code or name".
func (f *filler) headOf(p property) string {
	found := possessive.FindStringSubmatch(p.description)
	if found == nil {
		return ""
	}
	for _, w := range found[1:] {
		if w != "" && !stopped[strings.ToLower(w)] {
			return f.planner.conceptOf(strings.ToLower(w))
		}
	}
	return ""
}

// precededBy says whether one of these words stands before at, with nothing but
// an article between.
func precededBy(text string, at int, wanted ...string) bool {
	left := strings.ToLower(strings.TrimRight(text[:at], " \"'“"))
	for _, article := range []string{" the", " a", " an", " mr", " mrs", " ms", " guest"} {
		left = strings.TrimSuffix(left, article)
	}
	return slices.ContainsFunc(wanted, func(w string) bool {
		return left == w || strings.HasSuffix(left, " "+w) || strings.HasSuffix(left, ","+w)
	})
}

var (
	option    = regexp.MustCompile(`^[\p{L}_-]+(?: [\p{L}_-]+){0,2}$`)
	optionCut = regexp.MustCompile(`,? or |, `)
)

// optionsOf reads the choices that a description lists, as in "starters, mains or
// sides; all when left out"; nil when it lists fewer than three.
func optionsOf(description string) []string {
	head, _, _ := strings.Cut(description, ";")
	head, _, _ = strings.Cut(head, ".")
	if _, after, ok := strings.Cut(head, "such as "); ok {
		head, _, _ = strings.Cut(after, ":")
	}
	parts := optionCut.Split(strings.TrimSpace(head), -1)
	if len(parts) < 3 || slices.ContainsFunc(parts, func(s string) bool {
		return !option.MatchString(s) || refersBy.MatchString(s)
	}) {
		return nil
	}
	return parts
}

// optionsIn returns those that the text spells.
func (l *lexicon) optionsIn(text string, options []string) []string {
	var out []string
	low := strings.ReplaceAll(text, "-", " ")
	for _, o := range options {
		if spelled(low, o) || spelled(text, strings.ReplaceAll(o, "_", ".")) {
			out = append(out, o)
		}
	}
	return out
}

// partOfOption says whether the text has a word that several of the choices end with and no
// choice as a whole: "mains", of local and continental ones.
func (f *filler) partOfOption(p property) bool {
	said := f.planner.wordsIn(f.texts[0].text)
	ends := map[string]int{}
	for _, o := range optionsOf(p.description) {
		if words := strings.Fields(o); len(words) > 1 {
			ends[words[len(words)-1]]++
		}
	}
	return slices.ContainsFunc(said, func(w string) bool { return ends[w] > 1 })
}
