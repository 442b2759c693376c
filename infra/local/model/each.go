package model

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mostPieces bounds how many things of one sentence are done one by one.
const mostPieces = 8

// element is what a list in a text may consist of: a name, a day or a figure.
type element struct {
	kind       byte // 'm' for a mention, 'd' for days, '#' for a figure
	start, end int
	called     string // a mention's text, or the first day of a stretch
}

var (
	conjunction = regexp.MustCompile(`(?i)\s*,\s*(?:(?:and|or|aur|ya|also)\s+)?|\s+(?:and|or|aur|ya|plus|as well ` +
		`as|vs\.?|versus|compared (?:to|with)|&|\+|और)\s+|\s*[&;]\s*`)
	strongJoint = regexp.MustCompile(`(?i)and|or|aur|ya|plus|as well|vs|versus|compared|[&+]|और`)
	joinedDays  = regexp.MustCompile(`(?i)\b((?:\d{1,2}(?:st|nd|rd|th)?\s*,\s*)*\d{1,2})(?:st|nd|rd|th)?(\s*,` +
		`?\s*(?:and|&|aur|or)\s*)(\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(` +
		monthWords + `)\b)`)
	digitRun  = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	inBetween = regexp.MustCompile(`(?i)\b(?:between|from)\b`)
	small     = regexp.MustCompile(`(?i)^\W*(?:(?:no|not|the|a|an|on|for|in|of|at|to|from|with|my|our|also|then|room|rooms|cabin|guest|booking|reservation|dish|extra|coupon|unit|ko|ke|liye|mr|mrs|ms)\b\W*)*$`)
)

// each returns a clause for each thing that a clause says the same of: "no trout and no
// soup" are two, and so are "9 to COCO and 7 to Birch", or two days that are no stretch. A
// clause that its tool does as a whole stays one, and so does one whose parts are not clear.
func (pl *planner) each(c clause) []clause {
	out := pl.parts(c, 2)
	if len(out) > mostPieces {
		return []clause{c}
	}
	return out
}

func (pl *planner) parts(c clause, depth int) []clause {
	c.text = monthsToDays(c.text)
	if depth == 0 || !strongJoint.MatchString(c.text) {
		return []clause{c}
	}
	whole, sure := pl.choose(c)
	for _, l := range pl.listsIn(c.text) {
		if sure && len(l.items[0]) == 1 && covers(whole.args, l) {
			continue
		}
		if pl.apart(c, l) {
			var out []clause
			for _, text := range l.texts {
				out = append(out, pl.parts(clause{text: text, full: c.full, isPart: true}, depth-1)...)
			}
			return out
		}
	}
	return []clause{c}
}

// listing is a list within a text: its items, and the text with each of them alone.
type listing struct {
	items [][]element
	texts []string
	whole bool // each text is a sentence that lacks nothing
}

// monthsToDays writes the month behind each of several days that share it: "3 and 5
// December", but for the ends of a stretch.
func monthsToDays(text string) string {
	for {
		at := joinedDays.FindStringSubmatchIndex(text)
		if at == nil || inBetween.MatchString(text[max(0, at[0]-12):at[0]]) {
			return text
		}
		m := groupsOf(text, at)
		days := strings.Split(m[1], ",")
		for i, d := range days {
			days[i] = strings.TrimSpace(d) + " " + m[4]
		}
		text = text[:at[0]] + strings.Join(days, ", ") + m[2] + m[3] + text[at[1]:]
	}
}

// elementsIn finds names, days and figures in their order.
func (pl *planner) elementsIn(text string) []element {
	e := pl.entitiesIn(text, pl.today, false)
	var out []element
	for _, s := range e.spans {
		said := text[s.start:s.end]
		cut := regexpAnd.FindStringIndex(said)
		if cut == nil || inBetween.MatchString(text[max(0, s.start-12):s.start]) ||
			!s.until.After(s.from.AddDate(0, 0, 2)) {
			out = append(out, element{'d', s.start, s.end, s.from.Format(isoDate)})
			continue
		}
		out = append(out, element{'d', s.start, s.start + len(strings.TrimRight(said[:cut[0]], " ")),
			s.from.Format(isoDate)},
			element{'d', s.start + cut[1] + 1, s.end, s.last().Format(isoDate)})
	}
	known := map[string]bool{}
	for _, v := range pl.statedIn(text) {
		known[strings.ToLower(v.text)] = true
	}
	for _, m := range e.mentions {
		from := m.start
		if !known[strings.ToLower(m.text)] && m.how == byName {
			for {
				cut := regexpAnd.FindStringIndex(text[from:m.end])
				if cut == nil {
					break
				}
				called := strings.TrimRight(text[from:from+cut[0]], " ")
				out = append(out, element{'m', from, from + len(called), called})
				from += cut[1]
				for from < m.end && text[from] == ' ' {
					from++
				}
			}
		}
		out = append(out, element{'m', from, m.end, text[from:m.end]})
	}
	for _, n := range e.numbers {
		if at := digitRun.FindStringIndex(text[n.start:]); !n.isSpoken && at != nil {
			out = append(out, element{'#', n.start + at[0], n.start + at[1], n.value})
		}
	}
	slices.SortFunc(out, func(a, b element) int { return cmp.Compare(a.start, b.start) })
	end := 0
	return slices.DeleteFunc(out, func(e element) bool {
		overlaps := e.start < end
		if !overlaps {
			end = e.end
		}
		return overlaps
	})
}

// listsIn finds the lists of text, those with the longest items first.
func (pl *planner) listsIn(text string) []listing {
	all := pl.elementsIn(text)
	type segment struct {
		start  int
		strong bool // a word such as "and" stands before it
		of     []element
	}
	segments := []segment{{}}
	for _, at := range conjunction.FindAllStringIndex(text, -1) {
		if slices.ContainsFunc(all, func(e element) bool { return e.start < at[1] && at[0] < e.end }) {
			continue
		}
		segments = append(segments, segment{start: at[1], strong: strongJoint.MatchString(text[at[0]:at[1]])})
	}
	for _, e := range all {
		i := len(segments) - 1
		for segments[i].start > e.start {
			i--
		}
		segments[i].of = append(segments[i].of, e)
	}
	kinds := func(of []element) string {
		var b strings.Builder
		for _, e := range of {
			b.WriteByte(e.kind)
		}
		return b.String()
	}
	var out []listing
	for j := len(segments) - 1; j > 0; j-- {
		last := segments[j]
		if !last.strong || len(last.of) == 0 {
			continue
		}
		for k := len(last.of); k > 0; k-- {
			same := kinds(last.of[:k])
			if !strings.ContainsAny(same, "md") {
				continue
			}
			items := [][]element{last.of[:k]}
			for i := j; i > 0; i-- {
				if gap := text[segments[i].start:segments[i].of[0].start]; !small.MatchString(gap) &&
					!strings.Contains(strings.ToLower(text[:segments[i].start]),
						strings.ToLower(strings.TrimSpace(gap))) {
					break
				}
				before := segments[i-1].of
				if !strings.HasSuffix(kinds(before), same) {
					break
				}
				items = append(items, before[len(before)-k:])
				if len(before) > k {
					break
				}
			}
			if len(items) < 2 {
				continue
			}
			slices.Reverse(items)
			l := listing{items: items}
			head, tail := text[:items[0][0].start], text[items[len(items)-1][k-1].end:]
			for _, item := range items {
				l.texts = append(l.texts, head+text[item[0].start:item[k-1].end]+tail)
			}
			out = append(out, l)
		}
		// "Check in Tilda and check out Saffron" are two sentences with one joint.
		if of := segments[j-1].of; len(of) > 0 {
			head := lastJoint.ReplaceAllString(strings.TrimRight(text[:last.start], " "), "")
			l := listing{items: [][]element{of, last.of}, texts: []string{head, text[last.start:]}, whole: true}
			out = append(out, l)
		}
	}
	return out
}

var lastJoint = regexp.MustCompile(`(?i)\s*(?:,|[&;+]|\b(?:and|or|aur|ya|plus|as well as|vs\.?|versus|` +
	`compared (?:to|with))|और)\s*$`)

// covers says whether arguments hold every item of a list, each as a value of its own. Two
// days are no stretch.
func covers(args map[string]any, l listing) bool {
	var leaves []string
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, each := range v {
				collect(each)
			}
		case []any:
			for _, each := range v {
				collect(each)
			}
		default:
			leaves = append(leaves, strings.ToLower(fmt.Sprint(v)))
		}
	}
	collect(args)
	days := 0
	for _, item := range l.items {
		for _, e := range item {
			if e.kind == 'd' {
				days++
			}
			called := strings.ToLower(e.called)
			if !slices.ContainsFunc(leaves, func(leaf string) bool {
				return leaf == called || e.kind == 'm' && strings.Contains(leaf, called) &&
					!regexpAnd.MatchString(leaf)
			}) {
				return false
			}
		}
	}
	return days < 2 || len(leaves) > 3 && days == 2 && hasFour(leaves)
}

// hasFour says whether the values hold two stretches of days.
func hasFour(leaves []string) bool {
	n := 0
	for _, leaf := range leaves {
		if dateInPrompt.MatchString(leaf) {
			n++
		}
	}
	return n >= 4
}

// apart says whether each text of a list is a request that is clear by itself, and another
// one than the others. All may lack the same, which is then asked for.
func (pl *planner) apart(c clause, l listing) bool {
	seen, lacks := map[string]bool{}, ""
	for i, text := range l.texts {
		p, ok := pl.choose(clause{text: text, full: c.full, isPart: true})
		var missing strings.Builder
		for _, m := range p.missing {
			missing.WriteString(m.name + " ")
		}
		switch {
		case !ok, pl.makesNew(p), missing.Len() > 0 && (l.whole || pl.reads(p.tool.name)), i > 0 &&
			missing.String() != lacks:
			return false
		}
		lacks = missing.String()
		seen[p.tool.name+p.json()] = true
	}
	return len(seen) == len(l.texts)
}

func (pl *planner) reads(name string) bool {
	return slices.ContainsFunc(pl.indexed, func(o indexedTool) bool { return o.name == name && o.reads })
}

// makesNew says whether the call makes something of a new name, which may well have an
// "and" in it.
func (pl *planner) makesNew(p candidate) bool {
	f := &filler{planner: pl, tool: indexedTool{tool: p.tool, lexicon: pl.lexicon}}
	for _, o := range pl.indexed {
		if o.name == p.tool.name {
			f.tool = o
		}
	}
	if f.tool.verb != "create" {
		return false
	}
	for _, each := range p.tool.params.props {
		if _, given := p.args[each.name]; given && each.name == "name" &&
			f.roleOf(each, p.tool.params.needs(each.name)) == coins {
			return true
		}
	}
	return false
}

// leftOf names clauses in the person's words.
func leftOf(all []clause) string {
	var out []string
	for _, c := range all {
		out = append(out, "“"+strings.Trim(c.text, " .?!,")+"”")
	}
	return list(out, "and")
}
