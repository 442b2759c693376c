package rest

import "strings"

// expression is a column of n, with its JSON path.
func (s *statement) expression(n *node, f field) string {
	expr := quote(n.alias) + "." + quote(f.name)
	if len(f.path) == 0 {
		return expr
	}
	if kind := n.kindOf(f.name); kind != "json" && kind != "jsonb" {
		expr = "to_jsonb(" + expr + ")"
	}
	for _, step := range f.path {
		arrow := "->"
		if step.text {
			arrow = "->>"
		}
		if step.index {
			// The scanner let only digits and a sign through.
			expr += arrow + "(" + step.key + ")"
		} else {
			expr += arrow + s.key(step.key)
		}
	}
	return "(" + expr + ")"
}

func (n *node) kindOf(name string) string {
	if n.table == nil {
		return ""
	}
	if c := n.table.column(name); c != nil {
		return c.base
	}
	return ""
}

// conditions joins the filters of n and further conditions with AND.
func (s *statement) conditions(n *node, filters []logic, more ...string) string {
	all := more
	for _, l := range filters {
		all = append(all, s.tree(n, l))
	}
	if len(all) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(all, " AND ")
}

func (s *statement) tree(n *node, l logic) string {
	if l.leaf != nil {
		return s.compare(n, l.leaf)
	}
	parts := make([]string, len(l.kids))
	for i, kid := range l.kids {
		parts[i] = s.tree(n, kid)
	}
	word := " AND "
	if l.or {
		word = " OR "
	}
	expr := "(" + strings.Join(parts, word) + ")"
	if l.not {
		expr = "NOT " + expr
	}
	return expr
}

func (s *statement) compare(n *node, f *filter) string {
	expr := s.comparison(n, f)
	if f.not {
		return "NOT (" + expr + ")"
	}
	return expr
}

func (s *statement) comparison(n *node, f *filter) string {
	if kid := n.kid(f.field.name); kid != nil && len(f.field.path) == 0 && f.asksNull() {
		return kid.presence(f.value == "not_null")
	}
	left := s.expression(n, f.field)
	switch f.op {
	case "in":
		if len(f.list) == 0 {
			return left + " = ANY ('{}')"
		}
		return left + " = ANY (" + s.param(arrayLiteral(f.list)) + ")"
	case "is":
		return left + " IS " + strings.ToUpper(strings.ReplaceAll(f.value, "_", " "))
	case "isdistinct":
		return left + " IS DISTINCT FROM " + s.param(f.value)
	}
	if fn, ok := searchFunctions[f.op]; ok {
		language := ""
		if f.language != "" {
			language = s.param(f.language) + "::regconfig, "
		}
		// A column that is known and no tsvector is made one.
		if kind := n.kindOf(f.field.name); kind != "" && kind != "tsvector" || len(f.field.path) > 0 {
			left = "to_tsvector(" + language + left + ")"
		}
		return left + " @@ " + fn + "(" + language + s.param(f.value) + ")"
	}
	op, ok := simpleOperators[f.op]
	if !ok {
		op = quantOperators[f.op]
	}
	value := f.value
	if op == "like" || op == "ilike" {
		value = strings.ReplaceAll(value, "*", "%")
	}
	right := s.param(value)
	if f.quantifier != "" {
		right = f.quantifier + " (" + right + ")"
	}
	return left + " " + op + " " + right
}

// presence asks whether an embedded relation has rows.
func (k *embed) presence(wanted bool) string {
	expr := quote(k.lateral)
	word := " IS NOT DISTINCT FROM NULL"
	if wanted {
		word = " IS DISTINCT FROM NULL"
	}
	if !k.rel.toOne() {
		expr += "." + quote(rowsColumn)
	}
	return expr + word
}
