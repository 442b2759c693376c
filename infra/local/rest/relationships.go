package rest

import (
	"fmt"
	"slices"
	"strings"
)

// relationships derives what can be embedded: foreign keys between tables and
// the views that show their columns, their inverses, many-to-many through
// junctions, and functions from a row to rows.
func (l *loader) relationships() error {
	shown := l.showings()
	l.viewKeys(shown)
	var forward []*relationship
	for _, fk := range l.foreign {
		forward = append(forward, fk)
		forward = append(forward, l.throughViews(fk, shown)...)
	}
	for _, r := range forward {
		if r.from.covers(r.pairs) {
			r.kind = oneToOne
		}
	}
	for _, r := range forward {
		l.relate(r)
		inverse := &relationship{from: r.to, to: r.from, kind: oneToMany, constraint: r.constraint, self: r.self}
		if r.kind == oneToOne {
			inverse.kind = oneToOne
		}
		for _, p := range r.pairs {
			inverse.pairs = append(inverse.pairs, columnPair{p.to, p.from})
		}
		l.relate(inverse)
	}
	l.manyToMany(forward)
	l.computed()
	return nil
}

// relate adds r if both its ends are exposed.
func (l *loader) relate(r *relationship) {
	if l.exposed(r.from.schema) && l.exposed(r.to.schema) {
		l.out.relations[r.from.name2] = append(l.out.relations[r.from.name2], r)
	}
}

// covers reports whether the columns of pairs are a whole key of t, so that at
// most one row of t belongs to each target.
func (t *table) covers(pairs []columnPair) bool {
	from := make([]string, len(pairs))
	for i, p := range pairs {
		from[i] = p.from
	}
	same := func(key []string) bool {
		return len(key) == len(from) && !slices.ContainsFunc(key,
			func(k string) bool { return !slices.Contains(from, k) })
	}
	return same(t.primary) || slices.ContainsFunc(t.uniques, same)
}

// showing is a view together with the name under which it shows each column of one table.
type showing struct {
	view  *table
	names map[string]string
}

// showings lists, by table, the views that show columns of it.
func (l *loader) showings() map[*table][]showing {
	out := map[*table][]showing{}
	for oid, columns := range l.origins {
		view := l.byOID[oid]
		if view == nil {
			continue
		}
		per := map[*table]map[string]string{}
		for _, c := range view.columns {
			o, ok := columns[c.number]
			if !ok {
				continue
			}
			o = l.resolve(o)
			base := l.byOID[o.table]
			if base == nil || base.view {
				continue
			}
			i := slices.IndexFunc(base.columns, func(b *column) bool { return b.number == o.column })
			if i < 0 {
				continue
			}
			if per[base] == nil {
				per[base] = map[string]string{}
			}
			// Of a column shown twice the first counts.
			if _, twice := per[base][base.columns[i].name]; !twice {
				per[base][base.columns[i].name] = c.name
			}
		}
		for base, names := range per {
			out[base] = append(out[base], showing{view, names})
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b showing) int {
			return strings.Compare(a.view.schema+"."+a.view.name, b.view.schema+"."+b.view.name)
		})
	}
	return out
}

// viewKeys gives a view the keys of the tables whose key columns it shows.
func (l *loader) viewKeys(shown map[*table][]showing) {
	rename := func(s showing, key []string) []string {
		out := make([]string, 0, len(key))
		for _, k := range key {
			if n, ok := s.names[k]; ok {
				out = append(out, n)
			}
		}
		if len(out) < len(key) || len(out) == 0 {
			return nil
		}
		return out
	}
	for base, list := range shown {
		for _, s := range list {
			if key := rename(s, base.primary); key != nil {
				s.view.primary = append(s.view.primary, key...)
				s.view.uniques = append(s.view.uniques, key)
			}
			for _, u := range base.uniques {
				if key := rename(s, u); key != nil {
					s.view.uniques = append(s.view.uniques, key)
				}
			}
		}
	}
}

// throughViews repeats a foreign key for the views over either of its ends.
func (l *loader) throughViews(fk *relationship, shown map[*table][]showing) []*relationship {
	ends := func(t *table) []showing {
		names := map[string]string{}
		for _, c := range t.columns {
			names[c.name] = c.name
		}
		return append([]showing{{t, names}}, shown[t]...)
	}
	var out []*relationship
	for _, from := range ends(fk.from) {
		for _, to := range ends(fk.to) {
			if from.view == fk.from && to.view == fk.to {
				continue
			}
			r := &relationship{from: from.view, to: to.view, kind: manyToOne, constraint: fk.constraint,
				self: from.view == to.view}
			for _, p := range fk.pairs {
				a, okA := from.names[p.from]
				b, okB := to.names[p.to]
				if okA && okB {
					r.pairs = append(r.pairs, columnPair{a, b})
				}
			}
			if len(r.pairs) == len(fk.pairs) {
				out = append(out, r)
			}
		}
	}
	return out
}

// manyToMany joins two foreign keys of one table whose primary key holds the
// columns of both.
func (l *loader) manyToMany(forward []*relationship) {
	by := map[*table][]*relationship{}
	var order []*table
	for _, r := range forward {
		if by[r.from] == nil {
			order = append(order, r.from)
		}
		by[r.from] = append(by[r.from], r)
	}
	inKey := func(r *relationship) bool {
		return !slices.ContainsFunc(r.pairs, func(p columnPair) bool {
			return !slices.Contains(r.from.primary,
				p.from)
		})
	}
	for _, junction := range order {
		for _, near := range by[junction] {
			for _, far := range by[junction] {
				if near == far || near.constraint == far.constraint || !inKey(near) || !inKey(far) {
					continue
				}
				if !l.mediates(by, near, far) {
					continue
				}
				r := &relationship{from: near.to, to: far.to, kind: manyToMany, junction: junction,
					self:       near.to == far.to,
					constraint: near.constraint, farName: far.constraint}
				for _, p := range near.pairs {
					r.pairs = append(r.pairs, columnPair{p.to, p.from})
				}
				r.farPairs = far.pairs
				l.relate(r)
			}
		}
	}
}

// mediates reports whether the junction of near and far is the one to use: one
// in the schema of the origin, or, when that has none, the table itself.
func (l *loader) mediates(by map[*table][]*relationship, near, far *relationship) bool {
	home := near.to.schema
	if near.from.schema == home {
		return true
	}
	if near.from.view {
		return false
	}
	for other, list := range by {
		if other.schema == home && slices.ContainsFunc(list,
			func(r *relationship) bool { return r.constraint == near.constraint && r.to == near.to }) &&
			slices.ContainsFunc(list, func(r *relationship) bool {
				return r.constraint == far.constraint &&
					r.to == far.to
			}) {
			return false
		}
	}
	return true
}

// computed finds functions that take one row of a table and return rows of another.
func (l *loader) computed() {
	for _, overloads := range l.out.functions {
		for _, f := range overloads {
			if len(f.params) != 1 || f.table.name == "" || !f.setOf {
				continue
			}
			to := l.out.tables[f.table]
			from := l.rowType(f.params[0].kind)
			if to == nil || from == nil {
				continue
			}
			kind := oneToMany
			if f.rows == 1 {
				kind = manyToOne
			}
			l.relate(&relationship{from: from, to: to, kind: kind, function: f, self: from == to})
		}
	}
}

// rowType finds the exposed table whose row type is written as kind.
func (l *loader) rowType(kind string) *table {
	for _, t := range l.out.tables {
		if kind == fmt.Sprintf("%s.%s", quoteIfNeeded(t.schema), quoteIfNeeded(t.name)) {
			return t
		}
	}
	return nil
}
