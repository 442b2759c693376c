package story

import (
	"slices"
	"strings"
	"sync"
	"unicode"

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

var places = sync.OnceValue(func() gazetteer {
	g := gazetteer{}
	add := func(name string, l level) {
		name, ordinary := strings.CutPrefix(strings.TrimSpace(name), "!")
		name, other, _ := strings.Cut(name, " (")
		for _, n := range []string{name, strings.TrimSuffix(other, ")")} {
			if _, there := g[foldedText(n)]; n != "" && !there {
				g[foldedText(n)] = known{name: n, level: l, capital: ordinary}
			}
		}
	}
	// Towns first: one that gives its region the name is meant as the town.
	for line := range strings.Lines(placesText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '[' {
			continue
		}
		_, towns, _ := strings.Cut(line, ":")
		for town := range strings.SplitSeq(towns, ",") {
			add(town, isCity)
		}
	}
	for line := range strings.Lines(placesText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if country, ok := strings.CutPrefix(line, "["); ok {
			add(strings.TrimSuffix(country, "]"), isCountry)
			continue
		}
		region, _, _ := strings.Cut(line, ":")
		add(region, isRegion)
	}
	for _, c := range []string{"UK", "England", "USA", "United States of America", "Deutschland", "España",
		"Italia", "UAE", "Bharat"} {
		add(c, isCountry)
	}
	for _, r := range []string{"Yorkshire", "Lancs", "Cotswolds", "Lake District", "Highlands",
		"Peak District", "Midlands", "Bay Area"} {
		add(r, isRegion)
	}
	return g
})

// ParsePlace returns what a text says of a place: an address or a part of one, such as
// "14 Rosewood Lane, Headingley, Leeds", "1200 W 5th Ave, Austin, TX 78703" or "near
// Pune". Codes of the post are left out. The zero Place is for a text that names none.
func ParsePlace(text string) projects.Place {
	text = clean(text)
	var p projects.Place
	if utf8Len(text) > 300 {
		return placeIn(parse(text))
	}
	// A street is what privacy calls an address.
	for _, f := range slices.Backward(privacy.Find(text)) {
		switch f.Kind {
		case privacy.Address:
			p.Street = join2(strings.Trim(f.Text, " ,."), p.Street)
		case privacy.Postcode:
		default:
			continue
		}
		text = text[:f.Start] + "," + text[f.End:]
	}
	var rest []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;\n()", r) }) {
		part = bare(part)
		if part == "" {
			continue
		}
		if k, ok := places()[foldedText(part)]; ok {
			switch {
			case k.level == isCity && p.City == "":
				p.City = k.name
				continue
			case k.level == isCountry && p.Country == "":
				p.Country = k.name
				continue
			case k.level != isCity && p.Region == "":
				p.Region = k.name
				continue
			}
		}
		rest = append(rest, part)
	}
	// What is left is a district before a known town, and else the town itself.
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

func join2(a, b string) string {
	if b == "" {
		return a
	}
	return a + ", " + b
}

// bare cuts a preposition and what is no name off a part of an address.
func bare(part string) string {
	words := strings.Fields(part)
	for len(words) > 0 && slices.Contains([]string{"in", "at", "near", "around", "outside", "its", "it's",
		"the", "a", "over", "just",
		"was", "is", "on", "from", "en", "cerca", "de", "of", "and"}, strings.ToLower(words[0])) {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 4 || !strings.ContainsFunc(words[0], unicode.IsLetter) {
		return ""
	}
	return strings.Trim(strings.Join(words, " "), " .!?")
}

func utf8Len(s string) int { return len([]rune(s)) }

// placeIn returns the place that a story names.
func placeIn(t parsed) projects.Place {
	var p projects.Place
	for _, f := range privacy.Find(t.text) {
		if f.Kind == privacy.Address && p.Street == "" {
			p.Street = strings.Trim(f.Text, " ,.")
		}
	}
	for i := 1; i < len(t.tokens); i++ {
		if !slices.Contains([]string{"in", "near"}, t.tokens[i-1].word) {
			continue
		}
		for n := min(3, len(t.tokens)-i); n > 0; n-- {
			k, ok := places()[wordsOf(t.tokens[i:i+n])]
			if !ok || k.capital && !t.tokens[i].capital {
				continue
			}
			if k.level == isCity && p.City == "" {
				p.City = k.name
			}
			if k.level == isRegion && p.Region == "" {
				p.Region = k.name
			}
			break
		}
	}
	return p
}
