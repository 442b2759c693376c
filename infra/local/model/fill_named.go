package model

import (
	"reflect"
	"slices"
	"strings"
)

// thingsNamed makes an item for each thing of the data that the texts name and
// that is of the kind that an optional list of objects takes: "with the breakfast
// basket". It reports whether further words of that kind name nothing that is
// known, which has to be asked about.
func (f *filler) thingsNamed(p property) (items []any, unclear bool) {
	at := nameOfItems(p)
	if at < 0 {
		return nil, false
	}
	key := p.items.props[at].name
	rest := map[string]bool{}
	var named []stated
	for _, e := range f.texts {
		for _, w := range f.planner.wordsIn(e.text) {
			if f.planner.kinds[stem(w)] == key && !f.planner.ofTools[stem(w)] {
				rest[w] = true
			}
		}
		for _, v := range f.planner.statedIn(e.text) {
			if f.planner.kindOf(v.text) != key || len(v.row) == 0 {
				continue
			}
			for _, w := range f.planner.wordsIn(v.text) {
				delete(rest, w)
			}
			// A row is named by its code, its name, or both: the longest says most.
			row := slices.IndexFunc(named, func(o stated) bool { return &o.row[0] == &v.row[0] })
			switch {
			case row >= 0 && len(v.text) > len(named[row].text):
				named[row] = v
			case row < 0 && !slices.ContainsFunc(named, func(o stated) bool {
				return o.text == v.text || reflect.DeepEqual(o.row, v.row)
			}):
				named = append(named, v)
			}
		}
	}
	for _, v := range named {
		items = append(items, map[string]any{key: v.text})
	}
	return items, len(rest) > 0
}

// nameOfItems returns the place of the one argument that the items of a list
// need, a code or a name; -1 for any other list.
func nameOfItems(p property) int {
	if !p.is("array") || p.items == nil || !p.items.is("object") || len(p.items.required) != 1 {
		return -1
	}
	return slices.IndexFunc(p.items.props, func(item property) bool {
		return item.is("string") && p.items.needs(item.name) && codeOrName.MatchString(item.description) &&
			strings.HasPrefix(p.name, item.name)
	})
}
