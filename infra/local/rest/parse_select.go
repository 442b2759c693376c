package rest

import "slices"

var aggregates = []string{"sum", "avg", "count", "max", "min"}

// parseSelect reads the select parameter.
func parseSelect(text string) (items []selectItem, err error) {
	defer catchSyntax(&err)
	s := &scanner{what: "failed to parse select parameter (" + text + ")", in: text}
	s.spaces()
	if s.end() {
		return nil, nil
	}
	// What follows a complete list is not looked at, as in PostgREST.
	return s.selectItems(false), nil
}

const selectItemText = `"...", ` + fieldNameText + `, "*"`

func (s *scanner) selectItems(nested bool) []selectItem {
	var items []selectItem
	if nested && s.has(")") {
		return nil
	}
	for {
		s.spaces()
		if !s.startsItem() {
			expecting := selectItemText + ` or "count()"`
			if nested && len(items) == 0 {
				expecting = selectItemText + `, "count()" or ")"`
			}
			s.fail(`"`, expecting)
		}
		items = append(items, s.selectItem())
		s.spaces()
		if !s.accept(",") {
			return items
		}
	}
}

func (s *scanner) startsItem() bool {
	return s.has("..") || s.has("*") || s.has(`"`) || !s.end() && isNameRune(s.peek())
}

func (s *scanner) selectItem() selectItem {
	if s.accept("...") || s.accept("..") {
		it := selectItem{kind: itemSpread, relation: s.name()}
		s.relationParams(&it)
		s.relationItems(&it)
		return it
	}
	if s.accept("*") {
		it := selectItem{field: field{name: "*"}}
		s.itemEnd(`")", "," or end of input`)
		return it
	}
	var it selectItem
	name := s.name()
	if s.has(":") && !s.has("::") {
		s.pos++
		it.alias = name
		s.spaces()
		name = s.name()
	}
	if name == "count" && s.accept("()") {
		it.aggregate = "count"
		it.aggregateCast = s.cast()
		s.itemEnd(`"::", ")", "," or end of input`)
		return it
	}
	if s.has("!") || s.has("(") {
		it.kind, it.relation = itemEmbed, name
		at := s.pos
		s.relationParams(&it)
		if s.has("(") {
			s.relationItems(&it)
			return it
		}
		// Without parentheses it is a column, which takes no hint.
		s.pos = at
		s.fail("'", columnEndText)
	}
	it.field = field{name: name, path: s.jsonPath()}
	it.cast = s.cast()
	if s.accept(".") {
		it.aggregate = s.oneOf(aggregates...)
		s.expect("()")
		it.aggregateCast = s.cast()
	}
	s.itemEnd(columnEndText)
	return it
}

const columnEndText = `letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`

// relationParams reads "!hint!inner".
func (s *scanner) relationParams(it *selectItem) {
	for range 2 {
		if !s.accept("!") {
			break
		}
		switch word := s.name(); word {
		case "inner":
			it.inner = true
		case "left":
		default:
			it.hint = word
		}
	}
}

// relationItems reads "(items)".
func (s *scanner) relationItems(it *selectItem) {
	s.expect("(")
	it.children = s.selectItems(true)
	s.spaces()
	if !s.accept(")") {
		s.fail(`"`, `"," or ")"`)
	}
}

// cast reads "::type". A type consists of words of letters, digits, "_" and "$"
// that begin with a letter or "_", so it cannot leave the CAST that it is put
// into, nor name a parameter or open a string.
func (s *scanner) cast() string {
	if !s.accept("::") {
		return ""
	}
	start := s.pos
	for s.pos < len(s.in) {
		c := s.in[s.pos]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		inner := c == ' ' || c == '$' || c >= '0' && c <= '9'
		if !letter && (!inner || s.pos == start || c != ' ' && s.in[s.pos-1] == ' ') {
			break
		}
		s.pos++
	}
	if s.pos == start {
		s.fail("", "letter or digit")
	}
	return s.in[start:s.pos]
}

func (s *scanner) itemEnd(expecting string) {
	s.spaces()
	if !s.end() && !slices.Contains([]rune{')', ','}, s.peek()) {
		s.fail("'", expecting)
	}
}

// parseNames reads a comma-separated list of field names.
func parseNames(parameter, text string) (names []string, err error) {
	defer catchSyntax(&err)
	s := &scanner{what: "failed to parse " + parameter + " parameter (" + text + ")", in: text}
	for {
		s.spaces()
		names = append(names, s.name())
		s.spaces()
		// What follows a complete list is not looked at, as in PostgREST.
		if !s.accept(",") {
			return names, nil
		}
	}
}

// parsePath reads "a.b.column->>key" into the embedding path and the field.
func parsePath(text string) (path []string, f field, err error) {
	defer catchSyntax(&err)
	s := &scanner{what: "failed to parse tree path (" + text + ")", in: text}
	for {
		f.name = s.name()
		if !s.accept(".") {
			break
		}
		path = append(path, f.name)
	}
	// What follows a complete path, such as a cast, is not looked at.
	f.path = s.jsonPath()
	return path, f, nil
}
