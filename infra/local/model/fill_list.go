package model

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// array collects all matching values; "all" fills a list that documents an
// ALL of its own.
func (f *filler) array(p property, required bool) (any, bool) {
	if p.items == nil {
		return nil, false
	}
	all := strings.Contains(p.description, "ALL") || strings.Contains(p.items.description, "ALL")
	for _, facts := range f.texts {
		if all && everything.MatchString(facts.text) {
			return []any{"ALL"}, true
		}
		var out, exact []any
		switch {
		case len(p.items.enum) > 0:
			said := conceptsIn(facts.text)
			for _, e := range p.items.enum {
				if text, ok := e.(string); ok && overlap(said, conceptsIn(spoken(text))) > 0 {
					out = append(out, e)
				}
				if text, ok := e.(string); ok && spelled(facts.text, text) {
					exact = append(exact, e)
				}
			}
			if len(exact) > 0 {
				return exact, true // "cancelled bookings" need not say "status"
			}
		case p.items.is("string"):
			for _, list := range [][]string{facts.codes, facts.quoted, facts.proper} {
				for _, v := range list {
					out = append(out, v)
				}
				if len(out) > 0 {
					break
				}
			}
			if len(out) == 0 {
				for _, v := range f.m.knownIn(facts.text) {
					out = append(out, v)
				}
			}
		}
		if len(out) > 0 && (required || mentions(facts.text, p)) {
			return out, true
		}
	}
	if p.items.is("object") && required {
		if several, ok := f.several(p); ok {
			return several, true
		}
		args, order, missing := map[string]any{}, []string{}, []property{}
		f.object(p.items, args, &order, &missing)
		if len(order) > 0 && len(missing) == 0 {
			return []any{args}, true
		}
	}
	if required && p.items.is("string") && len(p.items.enum) == 0 {
		if left, ok := f.leftover(p); ok {
			return []any{left}, true
		}
	}
	return nil, false
}

// several makes one item for each of the things that the clause names, alike in
// all but the name: "COCO and BIRCH, 2 adults each".
func (f *filler) several(p property) (any, bool) {
	at := slices.IndexFunc(p.items.props, func(item property) bool {
		return item.is("string") && p.items.needs(item.name) && codeOrName.MatchString(item.description)
	})
	if at < 0 {
		return nil, false
	}
	for _, facts := range f.texts {
		if len(facts.codes) < 2 {
			continue
		}
		args, order, missing := map[string]any{}, []string{}, []property{}
		f.object(p.items, args, &order, &missing)
		if len(missing) > 0 {
			return nil, false
		}
		// What need not be said of each is said once, outside of the list.
		maps.DeleteFunc(args, func(name string, v any) bool {
			_, text := v.(string)
			return text && !p.items.needs(name)
		})
		var out []any
		for _, code := range facts.codes {
			one := maps.Clone(args)
			one[p.items.props[at].name] = code
			out = append(out, one)
		}
		return out, true
	}
	return nil, false
}

// spelled says whether text holds the words of value in a row, in the same
// form: "checked in" is not said by "checks in".
func spelled(text, value string) bool {
	same := func(a, b string) bool {
		return a == b || stem(a) == stem(b) && strings.HasSuffix(a, "ed") == strings.HasSuffix(b, "ed")
	}
	own, said := strings.Fields(spoken(value)), word.FindAllString(strings.ToLower(text), -1)
	for i := 0; len(own) > 0 && i+len(own) <= len(said); i++ {
		if slices.EqualFunc(own, said[i:i+len(own)], same) {
			return true
		}
	}
	return false
}

var everything = regexp.MustCompile(`(?i)\b(?:all|every|everything|entire|whole|sab)\b`)
