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
	for _, entities := range f.texts {
		if all && everything.MatchString(entities.text) {
			return []any{"ALL"}, true
		}
		var out, exact []any
		switch {
		case len(p.items.enum) > 0:
			said := f.planner.conceptsIn(entities.text)
			for _, e := range p.items.enum {
				if text, ok := e.(string); ok && overlap(said, f.planner.conceptsIn(spoken(text))) > 0 {
					out = append(out, e)
				}
				if text, ok := e.(string); ok && spelled(entities.text, text) {
					exact = append(exact, e)
				}
			}
			if len(exact) > 0 {
				return exact, true // "cancelled bookings" need not say "status"
			}
		case len(optionsOf(p.description)) > 0:
			for _, o := range f.planner.optionsIn(entities.text, optionsOf(p.description)) {
				out = append(out, o)
			}
			if len(out) > 0 {
				return out, true
			}
		case p.items.is("string") && (required || f.planner.mentions(entities.text, p)):
			out = f.allNamed(entities, p)
		}
		if len(out) > 0 && (required || f.planner.mentions(entities.text, p)) {
			return out, true
		}
	}
	if items, unclear := f.thingsNamed(p); !required && len(items) > 0 && !unclear {
		return items, true
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
	return nil, false
}

// allNamed takes what is named and not yet taken: codes and names, else words.
func (f *filler) allNamed(e *entities, p property) []any {
	for _, hows := range [][]naming{{byCode, byCaps, byName}, {byWords}} {
		var out []any
		for i, m := range e.mentions {
			if !m.isTaken && slices.Contains(hows, m.how) && likeness(m.text, p.description) >= -2 {
				e.mentions[i].isTaken = true
				item := property{name: label(p.name), schema: p.items}
				if f.planner.knownFor(m.text, item) != "" || m.how != byName {
					out = append(out, f.exact(m.text, item))
					continue
				}
				for _, each := range regexpAnd.Split(m.text, -1) {
					out = append(out, f.exact(strings.TrimSpace(each), item))
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	var out []any
	for _, v := range f.planner.knownIn(e.text) {
		out = append(out, v)
	}
	return out
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
	for _, entities := range f.texts {
		var names []string
		for _, m := range entities.mentions {
			if !m.isTaken && (m.how == byCode || m.how == byCaps || m.how == byName) {
				names = append(names, m.text)
			}
		}
		if len(names) < 2 {
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
		for i := range entities.mentions {
			m := &entities.mentions[i]
			m.isTaken = m.isTaken || slices.Contains(names, m.text)
		}
		for _, name := range names {
			one := maps.Clone(args)
			one[p.items.props[at].name] = name
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
