package rest

import (
	"slices"
	"strings"
)

// write is a planned INSERT, UPDATE or DELETE.
type write struct {
	verb       string // insert, update, delete, put
	table      *table
	target     *node   // alias and filters of the written rows
	filters    []logic // of the top level
	columns    []*column
	body       []byte // JSON array of objects
	conflict   []string
	resolution string // merge-duplicates, ignore-duplicates or nothing
	defaults   bool   // missing=default
	nothing    bool   // an update without columns
	returning  []string
}

// counter counts the rows that an upsert inserts, not updates: the setting goes
// up with each row offered and down with each row merged. System columns would
// tell it too, but views have none.
const (
	insertedSetting = "pgrst.inserted"
	countUp         = "set_config('" + insertedSetting + "', (coalesce(nullif(current_setting('" + insertedSetting +
		"', true), ''), '0')::int + 1)::text, true) <> ''"
	countDown = "set_config('" + insertedSetting + "', (coalesce(nullif(current_setting('" + insertedSetting +
		"', true), ''), '0')::int - 1)::text, true) <> ''"
)

func (s *statement) write(w *write) string {
	if w.nothing {
		return "SELECT " + strings.Join(w.returned(), ", ") + " FROM " + quoteQualified(w.table.name2) + " AS " +
			quote(w.target.alias) + " WHERE false"
	}
	returning := " RETURNING " + strings.Join(w.returned(), ", ")
	target := quoteQualified(w.table.name2) + " AS " + quote(w.target.alias)
	switch w.verb {
	case "delete":
		return "DELETE FROM " + target + s.conditions(w.target, w.filters) + returning
	case "update":
		sets := make([]string, len(w.columns))
		for i, c := range w.columns {
			sets[i] = quote(c.name) + " = pgrst_body." + quote(c.name)
		}
		return "UPDATE " + target + " SET " + strings.Join(sets, ", ") +
			" FROM (SELECT * FROM " + s.payload(w, "pgrst_json") + " LIMIT 1) AS pgrst_body" +
			s.conditions(w.target, w.filters) + returning
	}
	return s.insert(w) + returning
}

func (s *statement) insert(w *write) string {
	target := "INSERT INTO " + quoteQualified(w.table.name2) + " AS " + quote(w.target.alias)
	if len(w.columns) == 0 {
		return target + " SELECT FROM json_array_elements(" + s.bytes(w.body) + "::json)"
	}
	names := make([]string, len(w.columns))
	for i, c := range w.columns {
		names[i] = quote(c.name)
	}
	list := strings.Join(names, ", ")
	var conditions []string
	if w.resolution == "merge-duplicates" {
		conditions = append(conditions, countUp)
	}
	var filters []logic
	if w.verb == "put" {
		filters = w.filters
	}
	out := target + "(" + list + ") SELECT " + list + " FROM " + s.payload(w, w.target.alias) +
		s.conditions(w.target, filters, conditions...)
	if w.resolution == "" || len(w.conflict) == 0 {
		return out
	}
	keys := make([]string, len(w.conflict))
	for i, k := range w.conflict {
		keys[i] = quote(k)
	}
	out += " ON CONFLICT (" + strings.Join(keys, ", ") + ")"
	if w.resolution == "ignore-duplicates" {
		return out + " DO NOTHING"
	}
	sets := make([]string, len(names))
	for i, n := range names {
		sets[i] = n + " = EXCLUDED." + n
	}
	return out + " DO UPDATE SET " + strings.Join(sets, ", ") + " WHERE " + countDown
}

// payload writes the request body as rows.
func (s *statement) payload(w *write, alias string) string {
	columns := make([]string, len(w.columns))
	for i, c := range w.columns {
		columns[i] = quote(c.name) + " " + c.kind
	}
	body := s.bytes(w.body) + "::json"
	if w.defaults {
		var presets []string
		for _, c := range w.columns {
			if c.preset != "" {
				presets = append(presets, s.param(c.name)+"::text, "+c.preset)
			}
		}
		body = "(SELECT coalesce(json_agg(jsonb_build_object(" + strings.Join(presets, ", ") +
			") || pgrst_element), '[]') FROM jsonb_array_elements(" +
			strings.TrimSuffix(body, "::json") + "::jsonb) AS pgrst_element)"
	}
	return "json_to_recordset(" + body + ") AS " + quote(alias) + "(" + strings.Join(columns, ", ") + ")"
}

// returned lists what RETURNING gives back; reading back nothing needs no
// right to read.
func (w *write) returned() []string {
	if len(w.returning) == 0 {
		return []string{"1 AS pgrst_one"}
	}
	out := make([]string, len(w.returning))
	for i, name := range w.returning {
		out[i] = quote(w.target.alias) + "." + quote(name)
	}
	return out
}

// computed lists the names that n reads from a row of its table although they
// are no columns of it: functions of the row.
func (n *node) computed() []string {
	var names []string
	add := func(name string) {
		if n.table != nil && name != "" && name != "*" && n.table.column(name) == nil && n.kid(name) == nil &&
			!slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, it := range n.items {
		add(it.field.name)
	}
	for _, o := range n.orders {
		if o.relation == "" {
			add(o.field.name)
		}
	}
	var walk func(logic)
	walk = func(l logic) {
		if l.leaf != nil {
			add(l.leaf.field.name)
		}
		for _, kid := range l.kids {
			walk(kid)
		}
	}
	for _, l := range n.where {
		walk(l)
	}
	return names
}

// needs lists the columns of n's rows that its answer reads.
func (n *node) needs() []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, it := range n.items {
		switch {
		case it.field.name == "*":
			for _, c := range n.table.columns {
				add(c.name)
			}
		case it.field.name != "":
			add(it.field.name)
		}
	}
	for _, k := range n.kids {
		for _, p := range k.rel.pairs {
			add(p.from)
		}
		if k.rel.function != nil {
			for _, c := range n.table.columns {
				add(c.name)
			}
		}
	}
	return names
}
