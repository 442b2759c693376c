package model

import (
	"regexp"
	"slices"
	"strings"
)

// identify finds the name or code of something that exists: stated as a code,
// a quoted or capitalised name, a value that earlier results hold, or what is
// left of the clause.
func (f *filler) identify(p property, required bool) (any, bool) {
	if !required && !mentions(f.clause.full, p) && !f.aboutCode(p) {
		return nil, false
	}
	wantsCode := codeProp.MatchString(p.name) || strings.Contains(strings.ToLower(p.description), "code")
	if f.codeOnly(p) {
		return f.code(p)
	}
	if f.tool.verb == "create" && required && codeOrName.MatchString(p.description) {
		if v := f.beforeNoun(p); v != "" {
			return v, true
		}
	}
	for i, facts := range f.texts {
		lists := [][]string{facts.quoted, f.fitting(facts.codes, p), facts.proper}
		if facts.named != "" && (f.tool.verb != "create" || !wantsCode) {
			lists = append([][]string{{facts.named}}, lists...)
		}
		if i > 0 && f.m.asked[min(i, len(f.m.asked)-1)] != "" {
			lists = append(lists, []string{})
		}
		// A result that the talk already holds knows the exact spelling.
		if known := f.m.knownFor(facts.text, p); known != "" {
			return known, true
		}
		for _, list := range lists {
			for _, v := range list {
				return v, true
			}
		}
	}
	if pronoun.MatchString(f.clause.full) || f.m.leaning() {
		if v, ok := f.m.lastArg(p.name); ok {
			return v, true
		}
		for _, facts := range f.older {
			if codes := f.fitting(facts.codes, p); len(codes) > 0 {
				return codes[0], true
			}
		}
	}
	if !required {
		return nil, false
	}
	return f.leftover(p)
}

// beforeNoun finds what stands before the property's own word: in "the
// honeymoon package for Asha" the package is honeymoon, and not Asha.
func (f *filler) beforeNoun(p property) string {
	named := regexp.MustCompile(`(?i)\bthe\s+([\p{L}\p{M}\d-]+)\s+` + regexp.QuoteMeta(spoken(p.name)) + `\b`)
	for _, facts := range f.texts {
		if found := named.FindStringSubmatch(facts.text); found != nil && !stopped[strings.ToLower(found[1])] && !known(strings.ToLower(found[1])) {
			return found[1]
		}
	}
	return ""
}

// codeOnly says whether p takes a code and no name, and names are for another
// tool that searches.
func (f *filler) codeOnly(p property) bool {
	if !codeProp.MatchString(p.name) || nameProp.MatchString(p.name) || !f.tool.reads || strings.Contains(strings.ToLower(p.description), "name") {
		return false
	}
	return slices.ContainsFunc(f.m.offer, func(o offer) bool { return o.name != f.tool.name && o.reads && o.searches() })
}

// code finds a code: as it was written, as an earlier result states it, or, in
// small letters, by its mixture of letters and digits.
func (f *filler) code(p property) (any, bool) {
	for _, facts := range f.texts {
		if codes := f.fitting(facts.codes, p); len(codes) > 0 {
			return codes[0], true
		}
		if known := f.m.knownFor(facts.text, p); known != "" {
			return known, true
		}
		for _, w := range words(facts.bare) {
			if digits := countDigits(w); len(w) > 4 && digits > 0 && digits < len(w) {
				return w, true
			}
		}
	}
	if pronoun.MatchString(f.clause.full) || f.m.leaning() {
		if v, ok := f.m.lastArg(p.name); ok {
			return v, true
		}
		for _, facts := range f.older {
			if codes := f.fitting(facts.codes, p); len(codes) > 0 {
				return codes[0], true
			}
		}
	}
	return nil, false
}

// aboutCode says whether an optional field takes a code, and the clause has
// one that no required field claims.
func (f *filler) aboutCode(p property) bool {
	if !f.tool.reads || len(f.texts[0].codes) == 0 {
		return false
	}
	// What a look takes first, by code or name, is what it is about.
	first := len(f.tool.params.props) > 0 && f.tool.params.props[0].name == p.name && codeOrName.MatchString(p.description)
	return first || codeProp.MatchString(p.name) && len(f.tool.params.required) == 0
}

var codeOrName = regexp.MustCompile(`(?i)\b(?:code or name|name or code)\b`)

// fitting puts codes with digits first when the field speaks of bookings or
// numbers, and plain capitals first otherwise; a pattern excludes the rest.
func (f *filler) fitting(codes []string, p property) []string {
	out := slices.Clone(codes)
	if p.pattern != "" {
		if shape, err := regexp.Compile(p.pattern); err == nil {
			return slices.DeleteFunc(out, func(c string) bool { return !shape.MatchString(c) })
		}
	}
	c := conceptsIn(p.name + " " + p.description)
	digitsFirst := c["reservation"] || c["number"] || c["coupon"] || c["invoice"]
	slices.SortStableFunc(out, func(a, b string) int {
		da, db := strings.ContainsAny(a, "0123456789"), strings.ContainsAny(b, "0123456789")
		switch {
		case da == db:
			return 0
		case da == digitsFirst:
			return -1
		}
		return 1
	})
	return out
}

// leftover is what remains of the clause without known words, numbers and
// dates: in "delete the stargazing extra" that is "stargazing".
func (f *filler) leftover(p property) (any, bool) {
	if f.tool.verb == "create" && nameProp.MatchString(p.name) {
		return nil, false
	}
	own := conceptsIn(spoken(f.tool.name))
	for _, set := range []map[string]bool{conceptsIn(spoken(p.name)), f.tool.slots} {
		for c := range set {
			own[c] = true
		}
	}
	var left []string
	end := -1
	bare := plain(f.texts[0].bare)
	for _, t := range terms(bare) {
		if own[t.concept] || isIn(t.concept, readVerbs) || isIn(t.concept, writeVerbs) || countDigits(t.raw) > 0 || countOf(t.raw) > 0 {
			continue
		}
		if _, group := concepts[stem(strings.ToLower(t.raw))]; group {
			continue
		}
		if end >= 0 && strings.TrimSpace(bare[end:t.start]) != "" {
			break // only words that stand together make one name
		}
		left = append(left, t.raw)
		end = t.end
	}
	if len(left) == 0 || len(left) > 4 {
		return nil, false
	}
	return strings.Join(left, " "), true
}
