package rest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// find resolves an embedded relation. A target may be a table, a constraint or
// a foreign key column; a hint a constraint, a column or a junction.
func (p *planner) find(n *node, target, hint string) (*relationship, error) {
	var found []*relationship
	if n.table != nil {
		for _, r := range p.cat.relations[n.table.name2] {
			if r.matches(target, hint) && r.to.schema == p.schema {
				found = append(found, r)
			}
		}
	}
	// A computed relationship overrides one that was found by foreign key.
	if i := slices.IndexFunc(found, func(r *relationship) bool { return r.function != nil }); i >= 0 {
		return found[i], nil
	}
	switch len(found) {
	case 0:
		return nil, p.noRelationship(n, target, hint)
	case 1:
		return found[0], nil
	}
	return nil, ambiguousRelationship(n.name, target, found)
}

func (r *relationship) matches(target, hint string) bool {
	if r.function != nil {
		return target == r.function.name
	}
	only := func(pick func(columnPair) string) string {
		if len(r.pairs) != 1 || r.kind == manyToMany {
			return ""
		}
		return pick(r.pairs[0])
	}
	from := only(func(p columnPair) string { return p.from })
	to := only(func(p columnPair) string { return p.to })
	named := r.kind != manyToMany
	if r.self {
		// One foreign key gives two relationships: the table's name means the
		// rows that point here, the column's name the row pointed to.
		if hint == "" {
			return target == r.to.name && (r.kind == oneToMany || r.kind == manyToMany) || target == from &&
				r.kind == manyToOne
		}
		return target == r.to.name && (r.kind == oneToMany && (hint == to || hint == r.constraint) ||
			r.kind == manyToMany && hint == r.junction.name)
	}
	if hint == "" {
		return target == r.to.name || !r.to.view && (named && target == r.constraint || target == from)
	}
	if target != r.to.name {
		return false
	}
	if r.kind == manyToMany {
		return hint == r.junction.name
	}
	return hint == r.constraint || hint == from || hint == to
}

func (p *planner) noRelationship(n *node, target, hint string) error {
	e := badRequest("PGRST200", fmt.Sprintf("Could not find a relationship between '%s' and '%s' in the schema cache",
		n.name, target))
	using := ""
	if hint != "" {
		using = fmt.Sprintf(" using the hint '%s'", hint)
	}
	e.Details = fmt.Sprintf("Searched for a foreign key relationship between '%s' and '%s'%s in the schema '%s', "+
		"but no matches were found.", n.name, target, using, p.schema)
	var near []string
	if n.table != nil {
		for _, r := range p.cat.relations[n.table.name2] {
			near = append(near, r.to.name)
		}
	}
	if len(near) == 0 {
		var origins []string
		for name := range p.cat.relations {
			if name.schema == p.schema {
				origins = append(origins, name.name)
			}
		}
		slices.Sort(origins)
		if best := closest(n.name, origins, 0.33); best != "" {
			e.Hint = fmt.Sprintf("Perhaps you meant '%s' instead of '%s'.", best, n.name)
		}
	} else if best := closest(target, near, 0.33); best != "" && best != target {
		e.Hint = fmt.Sprintf("Perhaps you meant '%s' instead of '%s'.", best, target)
	}
	return e
}

func ambiguousRelationship(origin, target string, found []*relationship) error {
	var details []map[string]string
	var hints []string
	list := func(pairs []columnPair, pick func(columnPair) string) string {
		names := make([]string, len(pairs))
		for i, p := range pairs {
			names[i] = pick(p)
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	from := func(p columnPair) string { return p.from }
	to := func(p columnPair) string { return p.to }
	for _, r := range found {
		d := map[string]string{"embedding": r.from.name + " with " + r.to.name, "cardinality": r.kind.String()}
		by := r.constraint
		if r.kind == manyToMany {
			by = r.junction.name
			d["relationship"] = fmt.Sprintf("%s using %s%s and %s%s", r.junction.name, r.constraint, list(r.pairs, to),
				r.farName, list(r.farPairs, from))
		} else {
			d["relationship"] = fmt.Sprintf("%s using %s%s and %s%s", r.constraint, r.from.name, list(r.pairs, from),
				r.to.name, list(r.pairs, to))
		}
		details = append(details, d)
		hints = append(hints, fmt.Sprintf("'%s!%s'", r.to.name, by))
	}
	return &Error{
		Status: http.StatusMultipleChoices, Code: "PGRST201",
		Message: fmt.Sprintf("Could not embed because more than one relationship was found for '%s' and '%s'", origin,
			target),
		Details: details,
		Hint: fmt.Sprintf("Try changing '%s' to one of the following: %s. Find the desired relationship in the "+
			"'details' key.", target, strings.Join(hints, ", ")),
	}
}
