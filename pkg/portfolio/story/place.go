package story

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// level is what a known name stands for.
type level int

const (
	isCity level = iota
	isRegion
	isCountry
)

// known is a place of the word list.
type known struct {
	name    string
	level   level
	capital bool // it is also an ordinary word
}

// gazetteer are the known places by their folded words.
type gazetteer map[string]known

func (g gazetteer) add(name string, l level) {
	name, ordinary := strings.CutPrefix(strings.TrimSpace(name), "!")
	name, other, _ := strings.Cut(name, " (")
	for _, n := range []string{name, strings.TrimSuffix(other, ")")} {
		if _, there := g[foldedText(n)]; n != "" && !there {
			g[foldedText(n)] = known{name: n, level: l, capital: ordinary}
		}
	}
}

var places = sync.OnceValue(func() gazetteer {
	g := gazetteer{}
	// Towns first: a name of both a town and a region is meant as the town.
	for _, towns := range []bool{true, false} {
		for line := range strings.Lines(placesText) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			region, list, ok := strings.Cut(line, ":")
			switch {
			case !ok && !towns:
				g.add(strings.Trim(line, "[]"), isCountry)
			case ok && !towns:
				g.add(region, isRegion)
			case ok:
				for town := range strings.SplitSeq(list, ",") {
					g.add(town, isCity)
				}
			}
		}
	}
	return g
})

// knownAt returns the known place that begins at a token, and where it ends.
func (t *parsed) knownAt(k, to int) (place known, end int, ok bool) {
	for n := min(4, to-k); n > 0; n-- {
		if p, ok := places()[wordsOf(t.tokens[k:k+n])]; ok && (!p.capital || t.tokens[k].capital) {
			return p, k + n, true
		}
	}
	return known{}, 0, false
}

// placeIn returns the place of the job that a story names. A town from which something
// or a person comes is none, nor is one that is only near.
func placeIn(t parsed) projects.Place {
	var p projects.Place
	for _, f := range t.private {
		if f.Kind == privacy.Address && p.Street == "" {
			p.Street = strings.Trim(f.Text, " ,.")
		}
	}
	for _, c := range t.clauses {
		for k := c.from; k < c.to && p.City == ""; k++ {
			t.placeAt(c, k, &p)
		}
	}
	return p
}

// placeAt reads the place that stands behind the preposition at a token.
func (t *parsed) placeAt(c clause, k int, p *projects.Place) {
	alone := k == c.from && c.to-c.from <= 3 && (t.tokens[c.to-1].stops || c.to == len(t.tokens)) // "Nottingham."
	if !alone && k > c.from && t.tokens[k-1].comma && t.tokens[k].capital && c.from == 0 {
		// "Garden wall, Norwich, 14 metres."
		if place, end, ok := t.knownAt(k, c.to); ok && place.level == isCity &&
			(t.tokens[end-1].comma || t.tokens[end-1].stops) {
			p.City = place.name
			return
		}
	}
	if !alone && (!slices.Contains([]string{"in", "at", "en", "side", "·"}, t.tokens[k].word) || t.elsewhere(c, k)) {
		// "Pune mein": the preposition of Hindi stands behind the name.
		place, end, ok := t.knownAt(k, c.to)
		if ok && place.level == isCity && slices.Contains([]string{"mein", "me", "ka", "ki", "ke"},
			wordAt(t.tokens, end, c.to)) {
			p.City = place.name
		}
		return
	}
	from := k + 1
	if alone {
		from = k
	}
	t.readPlace(c, from, p, alone)
}

// readPlace reads "Headingley, Leeds, Yorkshire" from a token on.
func (t *parsed) readPlace(c clause, from int, p *projects.Place, alone bool) {
	// A sentence may be parted behind a comma, and a place goes on there.
	to := min(len(t.tokens), max(c.to, from+6))
	for k := from; k < to; k++ {
		if t.tokens[max(0, k-1)].stops && k > from {
			to = k
			break
		}
	}
	k := from
	if place, end, ok := t.knownAt(k, to); ok {
		t.setPlace(place, p)
		if next, _, more := t.knownAt(end, to); more && end < to && next.level != place.level {
			t.setPlace(next, p)
		}
		// "In Leeds, Headingley" is rare, and "in Hackney, London" is not.
		return
	}
	if alone || k >= to || !t.tokens[k].capital || t.shouted() {
		return
	}
	// An unknown name before a known town is a part of it.
	for end := k + 1; end <= min(k+3, to-1); end++ {
		at := end
		if w := t.tokens[end].word; w == "in" || w == "near" {
			if w == "near" {
				return
			}
			at++
		}
		if place, stop, ok := t.knownAt(at, to); ok && place.level == isCity {
			p.District = t.text[t.tokens[k].from:t.tokens[end-1].to]
			t.setPlace(place, p)
			if next, _, more := t.knownAt(stop, to); more && next.level != isCity {
				t.setPlace(next, p)
			}
			return
		}
		if !t.tokens[end].capital {
			break
		}
	}
	t.unknownTown(c, k, to, p)
}

func (t *parsed) setPlace(k known, p *projects.Place) {
	switch k.level {
	case isCity:
		p.City = k.name
	case isRegion:
		p.Region = k.name
	case isCountry:
		p.Country = k.name
	}
}

// unknownTown reads a name that no list has as a town, where a house or a person is said
// to be in it: "a flat in Ambleford".
func (t *parsed) unknownTown(c clause, k, to int, p *projects.Place) {
	if k-2 < c.from || t.tokens[k-1].word != "in" || len(t.tokens[k].word) < 4 ||
		!among(`house home flat apartment cottage villa bungalow terrace semi property client clients
			couple family lady customer kitchen bathroom roof garden job village town place farmhouse barn shop
				office cafe
			restaurant pub school church hall driveway patio pool deck extension`, t.tokens[k-2].word) {
		return
	}
	end := k + 1
	if end < to && t.tokens[end].capital && !t.tokens[k].comma {
		end++
	}
	words := t.tokens[k:end]
	if len(materialWords().find(words)) > 0 || monthOrSeason(words[0].word) || len(typeWords().find(words)) > 0 {
		return
	}
	p.City = t.text[words[0].from:words[len(words)-1].to]
}

func monthOrSeason(w string) bool {
	return among(`january february march april may june july august september october november december
		spring summer autumn winter monday tuesday wednesday thursday friday saturday sunday christmas easter
			diwali victorian
		georgian edwardian tudor regency farrow dulux english french german italian spanish`, w)
}

// shouted reports whether the text is all capitals, so that they tell nothing.
func (t *parsed) shouted() bool { return t.text == strings.ToUpper(t.text) }

// elsewhere reports whether what stands before a preposition says that the place is not
// that of the job: "we are based in Bradford", "a supplier in Hull".
func (t *parsed) elsewhere(c clause, k int) bool {
	for n := k - 1; n >= max(c.from, k-4); n-- {
		if among(`office workshop warehouse yard showroom`, t.tokens[n].word) && n > c.from &&
			among("our my", t.tokens[n-1].word) {
			return true
		}
		if among(`based supplier suppliers quarry factory foundry made from came ordered bought live lives born
			moved trained merchant got`, t.tokens[n].word) {
			return true
		}
	}
	return false
}

// takePlace takes the place. One that is there is only replaced by what goes further
// into detail or says plainly that it was another one.
func (m *merger) takePlace(t parsed) {
	p := placeIn(t)
	if p == (projects.Place{}) {
		return
	}
	m.mergePlace(p, t.says(" not in ", " it was in ", " its in ", " sorry in ", " no in ", " i mean ",
		" actually in "))
}

func (m *merger) mergePlace(p projects.Place, corrects bool) {
	was := m.place
	if p == was {
		return
	}
	if m.place.City != "" && p.City != "" && key(m.place.City) != key(p.City) {
		if !corrects {
			return
		}
		m.place = projects.Place{}
		m.note("place", was.Shown(projects.ByDistrict), p.Shown(projects.ByDistrict))
	}
	fill := func(to *string, value string) {
		if value != "" && (*to == "" || corrects) {
			*to = value
		}
	}
	fill(&m.place.Street, p.Street)
	fill(&m.place.District, p.District)
	fill(&m.place.City, p.City)
	fill(&m.place.Region, p.Region)
	fill(&m.place.Country, p.Country)
}

// says reports whether the text has one of the phrases, which have spaces around them.
func (t *parsed) says(phrases ...string) bool {
	words := t.folded()
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, p) })
}

// ParsePlace returns what a text says of a place: an address or a part of one, such as
// "14 Rosewood Lane, Headingley, Leeds", "1200 W 5th Ave, Austin, TX 78703" or "near
// Pune". Codes of the post are left out. The zero Place is for a text that names none.
func ParsePlace(text string) projects.Place {
	text = clean(text)
	if utf8.RuneCountInString(text) > 300 {
		return placeIn(parse(text, context{}))
	}
	var p projects.Place
	// A street is what privacy calls an address.
	for _, f := range slices.Backward(privacy.Find(text)) {
		switch f.Kind {
		case privacy.Address:
			p.Street = joinParts(strings.Trim(f.Text, " ,."), p.Street)
		case privacy.Postcode, privacy.Phone, privacy.Email, privacy.Plate:
		}
		text = text[:f.Start] + "," + text[f.End:]
	}
	var rest []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;\n()", r) }) {
		part = bare(part)
		if p.Street == "" && houseAndStreet().MatchString(part) {
			p.Street = part
			continue
		}
		rest = append(rest, takeKnown(part, &p)...)
	}
	for i, part := range rest {
		switch {
		case p.City == "" && i == len(rest)-1:
			p.City = part
		case p.District == "":
			p.District = part
		}
	}
	return p
}

// houseAndStreet is a number before a name, in an address: "25 elm drive".
var houseAndStreet = lazily(`^\d{1,5} ?[A-Da-d]? \p{L}+(?: \p{L}+){1,3}$`)

func joinParts(a, b string) string {
	if b == "" {
		return a
	}
	return a + ", " + b
}

// takeKnown takes the known names of a part of an address, and returns what is left.
func takeKnown(part string, p *projects.Place) []string {
	t := parsed{text: part, tokens: tokensOf(part)}
	var rest []string
	from := 0
	keep := func(to int) {
		if to > from && to-from <= 4 && strings.ContainsFunc(part[t.tokens[from].from:t.tokens[to-1].to],
			unicode.IsLetter) {
			rest = append(rest, bare(part[t.tokens[from].from:t.tokens[to-1].to]))
		}
	}
	for k := 0; k < len(t.tokens); k++ {
		place, end, ok := t.knownAt(k, len(t.tokens))
		// "York Road" is no York.
		if !ok || place.level == isCity && p.City != "" {
			continue
		}
		keep(k)
		t.setPlace(place, p)
		from, k = end, end-1
	}
	keep(len(t.tokens))
	return slices.DeleteFunc(rest, func(r string) bool { return r == "" || len([]rune(r)) < 3 })
}

// bare cuts prepositions and articles off both ends of a part of an address.
func bare(part string) string {
	words := strings.Fields(strings.Trim(part, " .!?,"))
	small := strings.Fields(`in at near around outside its it's the a over just was is on from en cerca de of and it
		we were`)
	for len(words) > 0 && slices.Contains(small, strings.ToLower(words[0])) {
		words = words[1:]
	}
	for len(words) > 0 && slices.Contains(append(small, "mein", "area", "side"),
		strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}
