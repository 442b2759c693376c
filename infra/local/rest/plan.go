package rest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// node is one level of a read: the top, or an embedded relation.
type node struct {
	table   *table // nil when a function returns rows of no table
	schema  string
	name    string
	alias   string
	items   []selectItem // columns and aggregates only
	kids    []*embed
	where   []logic
	orders  []orderTerm
	window  window
	grouped bool
	hoisted bool // a spread whose aggregates are computed by the level above
	derived bool // the rows come from a CTE and have lost their row type
}

// embed is a relation within a node.
type embed struct {
	node     *node
	rel      *relationship
	name     string // the key in the answer and in embedded parameters
	relation string // as written in select
	lateral  string // SQL alias of its join
	spread   bool
	inner    bool
	tested   bool     // a filter asks whether it is there
	hidden   []string // expressions that the parent orders by
}

// planner resolves a query string against the catalogue.
type planner struct {
	cat        *catalogue
	schema     string // of the request
	maxRows    int64
	aggregates bool
	used       map[string]bool
}

// plan builds the tree for rows of t, or of a function called name.
// In a mutation, top-level filters belong to the statement that writes, and
// order and limit are not applied.
func (p *planner) plan(t *table, name string, q *queryString, mutation bool) (*node, error) {
	p.used = map[string]bool{}
	root := &node{table: t, schema: p.schema, name: name, alias: p.alias(name), window: window{limit: noLimit}}
	if err := p.fill(root, q.selects); err != nil {
		return nil, err
	}
	for _, l := range q.logic {
		if mutation && len(l.path) == 0 {
			continue
		}
		n, err := root.at(l.path)
		if err != nil {
			return nil, err
		}
		n.where = append(n.where, l.value)
	}
	if !mutation {
		for _, o := range q.orders {
			n, err := root.at(o.path)
			if err != nil {
				return nil, err
			}
			if n.orders == nil { // of two orders the first counts, as in PostgREST
				n.orders = o.value
			}
		}
		for key, w := range q.windows {
			var path []string
			if key != "" {
				path = strings.Split(key, ".")
			}
			n, err := root.at(path)
			if err != nil {
				return nil, err
			}
			if w.limit == badLimit {
				return nil, rangeError("Limit should be greater than or equal to zero.")
			}
			n.window = w
		}
	}
	return root, p.finish(root, mutation)
}

// alias returns a name that no other relation of the statement has. Names are
// cut so that PostgreSQL's own cut at 63 bytes cannot make two equal.
func (p *planner) alias(name string) string {
	if len(name) > 48 {
		name = strings.ToValidUTF8(name[:48], "")
	}
	alias := name
	for i := 1; p.used[alias]; i++ {
		alias = fmt.Sprintf("%s_%d", name, i)
	}
	p.used[alias] = true
	return alias
}

func (p *planner) fill(n *node, items []selectItem) error {
	for _, it := range items {
		if it.kind == itemColumn {
			if it.aggregate != "" {
				if !p.aggregates {
					return badRequest("PGRST123", "Use of aggregate functions is not allowed")
				}
				n.grouped = true
			}
			n.items = append(n.items, it)
			continue
		}
		rel, err := p.find(n, it.relation, it.hint)
		if err != nil {
			return err
		}
		kid := &embed{rel: rel, name: it.alias, relation: it.relation, spread: it.kind == itemSpread, inner: it.inner}
		if kid.name == "" {
			kid.name = it.relation
		}
		kid.node = &node{table: rel.to, schema: rel.to.schema, name: rel.to.name, alias: p.alias(rel.to.name + "_1"),
			window: window{limit: noLimit}}
		kid.lateral = p.alias("pgrst_" + rel.to.name)
		if err := p.fill(kid.node, it.children); err != nil {
			return err
		}
		if kid.spread && kid.node.grouped {
			if !rel.toOne() {
				e := badRequest("PGRST127", "Feature not implemented")
				e.Details = "Aggregates are not implemented for one-to-many or many-to-many spreads."
				return e
			}
			kid.node.grouped, kid.node.hoisted, n.grouped = false, true, true
		}
		n.kids = append(n.kids, kid)
	}
	return nil
}

// at walks to the node that an embedded parameter names.
func (n *node) at(path []string) (*node, error) {
	for _, name := range path {
		kid := n.kid(name)
		if i := slices.IndexFunc(n.kids, func(k *embed) bool { return k.relation == name }); kid == nil && i >= 0 {
			kid = n.kids[i] // an alias does not take away the relation's own name
		}
		if kid == nil {
			return nil, notEmbedded(name)
		}
		n = kid.node
	}
	return n, nil
}

func (n *node) kid(name string) *embed {
	if i := slices.IndexFunc(n.kids, func(k *embed) bool { return k.name == name }); i >= 0 {
		return n.kids[i]
	}
	return nil
}

// finish checks what can be checked only when the tree is whole, and applies
// the row limit to every level.
func (p *planner) finish(n *node, mutation bool) error {
	if p.maxRows > 0 && !mutation && (n.window.limit < 0 || n.window.limit > p.maxRows) {
		n.window.limit = p.maxRows
	}
	for _, o := range n.orders {
		if o.relation == "" {
			continue
		}
		kid := n.kid(o.relation)
		if kid == nil {
			return notEmbedded(o.relation)
		}
		if !kid.rel.toOne() {
			e := badRequest("PGRST118", fmt.Sprintf("A related order on '%s' is not possible", kid.name))
			e.Details = fmt.Sprintf("'%s' and '%s' do not form a many-to-one or one-to-one relationship", n.name,
				kid.name)
			return e
		}
	}
	for _, l := range n.where {
		if err := n.checkTested(l); err != nil {
			return err
		}
	}
	for _, k := range n.kids {
		if err := p.finish(k.node, mutation); err != nil {
			return err
		}
	}
	return nil
}

// checkTested marks the embeds whose presence a filter asks for.
func (n *node) checkTested(l logic) error {
	for _, kid := range l.kids {
		if err := n.checkTested(kid); err != nil {
			return err
		}
	}
	if l.leaf == nil || len(l.leaf.field.path) > 0 {
		return nil
	}
	kid := n.kid(l.leaf.field.name)
	if kid == nil {
		return nil
	}
	if !l.leaf.asksNull() {
		if n.table != nil && n.table.column(kid.name) != nil {
			return nil // a column of the same name is meant
		}
		e := badRequest("PGRST120", fmt.Sprintf("Bad operator on the '%s' embedded resource", kid.name))
		e.Details = "Only is null or not is null filters are allowed on embedded resources"
		return e
	}
	kid.tested = true
	return nil
}

func (f *filter) asksNull() bool { return f.op == "is" && (f.value == "null" || f.value == "not_null") }

// outputs lists the keys that a row of n has in the answer.
func (n *node) outputs() []string {
	var names []string
	for _, it := range n.items {
		if it.field.name == "*" && n.table != nil {
			for _, c := range n.table.columns {
				names = append(names, c.name)
			}
			continue
		}
		names = append(names, it.outputName())
	}
	for _, k := range n.kids {
		switch {
		case k.spread:
			names = append(names, k.node.outputs()...)
		case k.shown():
			names = append(names, k.name)
		}
	}
	return names
}

// aggregates maps the names that n hands up to the aggregate that the level
// above applies to them.
func (n *node) aggregates() map[string]selectItem {
	out := map[string]selectItem{}
	if !n.hoisted {
		return out
	}
	for _, it := range n.items {
		if it.aggregate != "" {
			out[it.outputName()] = it
		}
	}
	for _, k := range n.kids {
		if k.spread {
			maps.Copy(out, k.node.aggregates())
		}
	}
	return out
}

// shown is false for an embed with empty parentheses: it only filters.
func (k *embed) shown() bool {
	if len(k.node.items) > 0 {
		return true
	}
	return slices.ContainsFunc(k.node.kids, (*embed).shown)
}

func (it selectItem) outputName() string {
	switch {
	case it.alias != "":
		return it.alias
	case it.aggregate != "":
		return it.aggregate
	}
	for _, step := range slices.Backward(it.field.path) {
		if !step.index {
			return step.key
		}
	}
	return it.field.name
}
