package views

import (
	"encoding/json"
	"slices"
	"strings"
)

// Limits of a view that is guessed.
const (
	guessedColumns = 12
	guessedFigures = 30
	sampled        = 50 // records whose members are looked at
)

// guess makes a view of what an answer looks like: its longest array of objects is the
// table, its other values are the figures. Rows is "-" where there is no array.
func (s shown) guess() view {
	v := view{title: heading(s.tool), rows: "-"}
	longest := 0
	look := func(path string, value any) {
		records := list(value)
		if _, object := at(value, "0").(map[string]any); object && len(records) > longest {
			v.rows, longest = path, len(records)
		} else if value != nil && len(records) == 0 && v.rows == "-" {
			if _, array := value.([]any); array {
				v.rows = path
			}
		}
	}
	look("", s.answer)
	object, _ := s.answer.(map[string]any)
	for _, name := range ordered(object) {
		look(name, object[name])
		inner, _ := object[name].(map[string]any)
		for _, second := range ordered(inner) {
			look(name+"."+second, inner[second])
		}
	}
	if v.rows != "-" {
		v.columns = guessColumns(list(at(s.answer, v.rows)))
	}
	if v.rows == "" && s.answer != nil {
		v.rows = "^" // the answer itself is the array
	}
	v.figures = guessFigures(object)
	return v
}

func guessColumns(records []any) []column {
	members := map[string]any{}
	for _, r := range records[:min(len(records), sampled)] {
		o, _ := r.(map[string]any)
		for name, value := range o {
			if members[name] == nil && shownMember(name, value) {
				members[name] = value
			}
		}
	}
	var out []column
	for _, name := range ordered(members) {
		if len(out) < guessedColumns {
			out = append(out, column{path: name, label: heading(name), format: guessFormat(name, members[name])})
		}
	}
	return out
}

func guessFigures(object map[string]any) []figure {
	var out []figure
	add := func(path, name string, value any) {
		if shownMember(name, value) && name != "cursor" && name != "more" && len(out) < guessedFigures {
			out = append(out, figure{path, heading(path), guessFormat(name, value)})
		}
	}
	for _, name := range ordered(object) {
		add(name, name, object[name])
		inner, _ := object[name].(map[string]any)
		for _, second := range ordered(inner) {
			add(name+"."+second, second, inner[second])
		}
	}
	return out
}

// shownMember reports whether a member is for people: a value that is no id, under a
// name that can be a path.
func shownMember(name string, value any) bool {
	n := strings.ToLower(name)
	switch {
	case strings.ContainsAny(name, ".[]") || name == "" || strings.ContainsAny(name[:1], "^$@#~'"):
		return false
	case n == "id", n == "uuid", n == "guid", n == "_id", strings.HasSuffix(n, "_id"), strings.HasSuffix(n, "_ids"),
		strings.HasSuffix(name, "Id"), strings.HasSuffix(name, "ID"), strings.HasSuffix(n, "uuid"):
		return false
	}
	switch v := value.(type) {
	case string:
		return clean(v, maxCell) != "" && clean(v, maxCell) != "…"
	case json.Number, bool:
		return true
	}
	return false
}

// ordered returns the names of an object: what names a thing first, figures last.
func ordered(object map[string]any) []string {
	// What a table begins and ends with.
	first := []string{"number", "date", "name", "title", "label", "customer", "vendor", "contact", "description"}
	last := []string{"quantity", "rate", "price", "taxable", "tax", "gst", "amount", "value", "total", "balance",
		"status"}
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	place := func(name string) int {
		n := strings.ToLower(name)
		if i := slices.Index(first, n); i >= 0 {
			return i - len(first)
		}
		return 1 + slices.Index(last, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if p, q := place(a), place(b); p != q {
			return p - q
		}
		return strings.Compare(a, b)
	})
	return names
}

// guessFormat returns the format for a member by its value and its name.
func guessFormat(name string, value any) format {
	n := strings.ToLower(name)
	switch v := value.(type) {
	case bool:
		return yes
	case json.Number:
		if strings.Contains(n, "percent") || strings.HasSuffix(n, "_pct") {
			return percent
		}
		if n == "year" || strings.HasSuffix(n, "code") {
			return words
		}
		return number
	case string:
		if _, ok := date(v); ok {
			return day
		}
		if n == "status" || n == "state" || n == "kind" || n == "type" {
			return code
		}
	}
	return words
}
