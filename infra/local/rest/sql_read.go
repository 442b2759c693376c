package rest

import (
	"strconv"
	"strings"
)

const (
	source     = "pgrst_source"  // the CTE that writes or calls
	rowsColumn = "pgrst_rows"    // a to-many embed's rows, and one of a spread's columns
	docColumn  = "pgrst_doc"     // a to-one embed's object, where the parent also orders by it
	scalarName = "pgrst_scalar"  // the value of a function that returns no row
	orderName  = "pgrst_order_%" // what the parent orders by
)

// selectRows writes the SELECT of n. from is its FROM item; more are join
// conditions. Laterals come before the WHERE and ORDER BY that refer to them.
func (s *statement) selectRows(n *node, from string, more ...string) string {
	orders, related := s.orderBy(n)
	items, groups := s.items(n)
	groups = append(groups, related...)
	joins := s.joins(n, false)
	var b strings.Builder
	b.WriteString("SELECT " + strings.Join(items, ", ") + " FROM " + from + joins)
	b.WriteString(s.conditions(n, n.where, more...))
	if n.grouped && len(groups) > 0 {
		b.WriteString(" GROUP BY " + strings.Join(groups, ", "))
	}
	b.WriteString(orders)
	b.WriteString(s.slice(n.window))
	return b.String()
}

// countRows writes the SELECT that counts what selectRows would give without
// its window: only joins that decide about rows are kept.
func (s *statement) countRows(n *node, from string) string {
	return "SELECT 1 FROM " + from + s.joins(n, true) + s.conditions(n, n.where)
}

func (s *statement) slice(w window) string {
	out := ""
	if w.limit >= 0 {
		out += " LIMIT " + s.param(strconv.FormatInt(w.limit, 10))
	}
	if w.offset > 0 {
		out += " OFFSET " + s.param(strconv.FormatInt(w.offset, 10))
	}
	return out
}

// items writes the select list and what GROUP BY needs of it.
func (s *statement) items(n *node) (items, groups []string) {
	for _, it := range n.items {
		if it.field.name == "*" {
			items = append(items, quote(n.alias)+".*")
			groups = append(groups, quote(n.alias)+".*")
			continue
		}
		expr := "*"
		if it.field.name != "" {
			expr = s.expression(n, it.field)
			if it.cast != "" {
				expr = "CAST(" + expr + " AS " + it.cast + ")"
			}
		}
		switch {
		case it.aggregate == "":
			groups = append(groups, expr)
		case !n.hoisted:
			expr = it.aggregated(expr)
		case expr == "*":
			expr = "1" // count() counts the rows of the level above
		}
		items = append(items, expr+" AS "+quote(it.outputName()))
	}
	for _, k := range n.kids {
		if k.spread {
			aggregates := k.node.aggregates()
			for _, name := range k.node.outputs() {
				expr := quote(k.lateral) + "." + quote(name)
				if it, ok := aggregates[name]; ok {
					if !n.hoisted {
						expr = it.aggregated(expr)
					}
					items = append(items, expr+" AS "+quote(name))
					continue
				}
				groups = append(groups, expr)
				if !k.rel.toOne() {
					expr = "COALESCE(" + expr + ", '[]')"
				}
				items = append(items, expr+" AS "+quote(name))
			}
			continue
		}
		if !k.shown() {
			continue
		}
		var expr string
		switch {
		case !k.rel.toOne():
			groups = append(groups, quote(k.lateral)+"."+quote(rowsColumn)+"::text")
			expr = "COALESCE(" + quote(k.lateral) + "." + quote(rowsColumn) + ", '[]')"
			if n.grouped {
				expr = "COALESCE(" + quote(k.lateral) + "." + quote(rowsColumn) + "::text, '[]')::json"
			}
		case len(k.hidden) > 0:
			expr = quote(k.lateral) + "." + quote(docColumn)
		default:
			groups = append(groups, quote(k.lateral)+".*")
			expr = "row_to_json(" + quote(k.lateral) + ".*)"
		}
		items = append(items, expr+" AS "+quote(k.name))
	}
	return items, groups
}

// aggregated applies the aggregate of it to an expression.
func (it selectItem) aggregated(expr string) string {
	expr = it.aggregate + "(" + expr + ")"
	if it.aggregateCast != "" {
		expr = "CAST(" + expr + " AS " + it.aggregateCast + ")"
	}
	return expr
}

// orderBy writes the ORDER BY of n. A related order makes the embed carry the
// expression as a hidden column, by which a grouped level must group too.
func (s *statement) orderBy(n *node) (clause string, related []string) {
	if len(n.orders) == 0 {
		return "", nil
	}
	terms := make([]string, len(n.orders))
	for i, o := range n.orders {
		var expr string
		if o.relation == "" {
			expr = s.expression(n, o.field)
		} else {
			kid := n.kid(o.relation)
			kid.hidden = append(kid.hidden, s.expression(kid.node, o.field))
			expr = quote(kid.lateral) + "." + quote(hiddenName(len(kid.hidden)))
			related = append(related, expr)
		}
		if o.desc {
			expr += " DESC"
		}
		if o.nulls != "" {
			expr += " NULLS " + strings.ToUpper(o.nulls)
		}
		terms[i] = expr
	}
	return " ORDER BY " + strings.Join(terms, ", "), related
}

func hiddenName(n int) string { return strings.Replace(orderName, "%", strconv.Itoa(n), 1) }

func (s *statement) joins(n *node, counting bool) string {
	var b strings.Builder
	for _, k := range n.kids {
		if counting && !k.inner && !k.tested {
			continue
		}
		b.WriteString(s.lateral(n, k))
	}
	return b.String()
}

// lateral writes the join of an embedded relation.
func (s *statement) lateral(parent *node, k *embed) string {
	from, on := k.relate(parent)
	rows := s.embedRows(k, from, on)
	word, condition := " LEFT JOIN LATERAL (", "TRUE"
	if k.inner {
		word = " INNER JOIN LATERAL ("
	}
	if !k.rel.toOne() {
		columns := "json_agg(pgrst_row) AS " + quote(rowsColumn)
		if k.spread {
			columns = "nullif(count(*), 0) AS " + quote(rowsColumn)
			for _, name := range k.node.outputs() {
				columns += ", json_agg(pgrst_row." + quote(name) + ") AS " + quote(name)
			}
		}
		rows = "SELECT " + columns + " FROM (" + rows + ") AS pgrst_row"
		if k.inner {
			condition = quote(k.lateral) + "." + quote(rowsColumn) + " IS NOT NULL"
		}
	}
	return word + rows + ") AS " + quote(k.lateral) + " ON " + condition
}

func (s *statement) embedRows(k *embed, from string, on []string) string {
	n := k.node
	if len(n.items) == 0 && len(n.outputs()) == 0 {
		// A row without columns cannot be told from no row.
		return "SELECT 1 AS pgrst_one" + s.hiddenColumns(k) + " FROM " + from + s.joins(n, true) +
			s.conditions(n, n.where, on...) + s.slice(n.window)
	}
	if len(k.hidden) == 0 {
		return s.selectRows(n, from, on...)
	}
	items, _ := s.items(n)
	doc := "(SELECT row_to_json(pgrst_item) FROM (SELECT " + strings.Join(items, ", ") + ") AS pgrst_item) AS " +
		quote(docColumn)
	if k.spread {
		doc = strings.Join(items, ", ")
	}
	return "SELECT " + doc + s.hiddenColumns(k) + " FROM " + from + s.joins(n, false) +
		s.conditions(n, n.where, on...) + s.slice(n.window)
}

func (s *statement) hiddenColumns(k *embed) string {
	out := ""
	for i, expr := range k.hidden {
		out += ", " + expr + " AS " + quote(hiddenName(i+1))
	}
	return out
}

// relate writes the FROM item of an embedded relation and its join conditions.
func (k *embed) relate(parent *node) (from string, on []string) {
	me, up := quote(k.node.alias), quote(parent.alias)
	target := quoteQualified(k.rel.to.name2) + " AS " + me
	switch {
	case k.rel.function != nil:
		row := up
		if parent.derived {
			columns := make([]string, len(parent.table.columns))
			for i, c := range parent.table.columns {
				columns[i] = up + "." + quote(c.name)
			}
			row = "ROW(" + strings.Join(columns, ", ") + ")::" + quoteQualified(parent.table.name2)
		}
		return quoteQualified(k.rel.function.name2) + "(" + row + ") AS " + me, nil
	case k.rel.kind == manyToMany:
		junction := quote(k.lateral + "_j")
		for _, p := range k.rel.pairs {
			on = append(on, junction+"."+quote(p.to)+" = "+up+"."+quote(p.from))
		}
		for _, p := range k.rel.farPairs {
			on = append(on, junction+"."+quote(p.from)+" = "+me+"."+quote(p.to))
		}
		return target + ", " + quoteQualified(k.rel.junction.name2) + " AS " + junction, on
	}
	for _, p := range k.rel.pairs {
		on = append(on, me+"."+quote(p.to)+" = "+up+"."+quote(p.from))
	}
	return target, on
}
