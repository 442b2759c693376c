package rest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseQuery reads a raw query string. For a function called with GET, a
// parameter without an operator is an argument; elsewhere it must be a filter.
func parseQuery(raw string, functionRead bool) (*queryString, error) {
	pairs, bare, err := splitQuery(raw)
	if err != nil {
		return nil, err
	}
	q := &queryString{windows: map[string]window{}, canonical: canonicalQuery(slices.Concat(pairs, bare))}
	sel := "*"
	seen := map[string]bool{}
	for _, p := range pairs {
		first := !seen[p.name]
		seen[p.name] = true
		switch p.name {
		case "select":
			if first {
				sel = p.value
			}
			continue
		case "columns", "on_conflict":
			if !first {
				continue
			}
			names, err := parseNames(p.name, p.value)
			if err != nil {
				return nil, err
			}
			if p.name == "columns" {
				q.columns = names
			} else {
				q.onConflict = names
			}
			continue
		}
		if err := q.add(p, functionRead); err != nil {
			return nil, err
		}
	}
	q.selects, err = parseSelect(sel)
	return q, err
}

// add reads one parameter that is neither select, columns nor on_conflict.
func (q *queryString) add(p argument, functionRead bool) error {
	head, last := cutLast(p.name)
	switch last {
	case "order":
		terms, err := parseOrder(p.value)
		if err != nil {
			return err
		}
		path, _, err := parsePath(p.name)
		q.orders = append(q.orders, placed[[]orderTerm]{path, terms})
		return err
	case "limit", "offset":
		q.window(head, last, p.value)
		return nil
	case "and", "or":
		var path []string
		op := last
		for _, name := range strings.Split(head, ".") {
			if name == "not" {
				op = "not." + last
			} else if name != "" {
				path = append(path, name)
			}
		}
		tree, err := parseLogic(op, p.value)
		q.logic = append(q.logic, placed[logic]{path, tree})
		return err
	}
	path, f, err := parsePath(p.name)
	if err != nil {
		return err
	}
	leaf, err := parseFilter(f, p.value)
	if err != nil && functionRead && !beginsFilter(p.value) {
		q.args = append(q.args, argument{f.name, p.value})
		return nil
	}
	if err != nil {
		return err
	}
	if len(path) == 0 {
		q.filterNames = append(q.filterNames, f.name)
	}
	q.logic = append(q.logic, placed[logic]{path, logic{leaf: &leaf}})
	return nil
}

func cutLast(name string) (head, last string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// window notes a limit or an offset. What is not a number counts as absent.
func (q *queryString) window(path, kind, value string) {
	w, ok := q.windows[path]
	if !ok {
		w.limit = noLimit
	}
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	switch {
	case err != nil:
	case kind == "limit":
		w.limit = n
		if n < 0 {
			w.limit = badLimit
		}
	default:
		w.offset = max(n, 0)
	}
	q.windows[path] = w
}

const (
	noLimit  = -1
	badLimit = -2 // a negative one, which is an error
)

// beginsFilter tells a broken filter from a function's argument: after these
// words PostgREST does not turn back.
func beginsFilter(value string) bool {
	return slices.ContainsFunc([]string{"not.", "in.", "is."},
		func(word string) bool { return strings.HasPrefix(value, word) })
}

// splitQuery decodes the pairs of a query string in their order; ";" parts them
// like "&", as in PostgREST. bare are the parameters without "=", which ask
// for nothing but belong to Content-Location.
func splitQuery(raw string) (pairs, bare []argument, err error) {
	for _, part := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, ok := strings.Cut(part, "=")
		p := argument{unescape(name), unescape(value)}
		for _, text := range []string{p.name, p.value} {
			// A zero byte would end the statement's text early.
			if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
				return nil, nil, &Error{Status: http.StatusBadRequest, Code: "PGRST100",
					Message: "The query string is not valid text", Details: "It must be UTF-8 without zero bytes."}
			}
		}
		if ok {
			pairs = append(pairs, p)
		} else {
			bare = append(bare, p)
		}
	}
	return pairs, bare, nil
}

func unescape(s string) string {
	if out, err := url.QueryUnescape(s); err == nil {
		return out
	}
	return strings.ReplaceAll(s, "+", " ")
}

// canonicalQuery is the query string sorted by name, for Content-Location.
func canonicalQuery(pairs []argument) string {
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b argument) int { return cmp.Compare(a.name, b.name) })
	parts := make([]string, len(sorted))
	for i, p := range sorted {
		parts[i] = percent(p.name) + "=" + percent(p.value)
	}
	return strings.Join(parts, "&")
}

func percent(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
