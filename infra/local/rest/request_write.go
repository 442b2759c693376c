package rest

import (
	"net/http"
	"slices"
)

// write plans and runs an insert, update, upsert or delete.
func (q *request) write(t *table, body *payload) error {
	n, err := q.planner().plan(t, t.name, q.query, true)
	if err != nil {
		return err
	}
	w := &write{table: t, target: &node{table: t, schema: t.schema, name: t.name, alias: t.name}}
	for _, l := range q.query.logic {
		if len(l.path) == 0 {
			w.filters = append(w.filters, l.value)
		}
	}
	if err := q.writePlan(w, t, body); err != nil {
		return err
	}
	if err := q.settle(nil); err != nil {
		return err
	}
	full := q.prefer.representation == "representation"
	location := ""
	switch {
	case full:
		w.returning = n.needs()
	case q.prefer.representation == "headers-only" && w.verb == "insert":
		w.returning = t.primary
		location = locationOf(t)
	}
	var s statement
	cte := s.write(w)
	rows := "SELECT * FROM " + source
	if full {
		n.derived = true
		rows = s.selectRows(n, source+" AS "+quote(n.alias))
	}
	total := "NULL"
	if q.prefer.count == "exact" || q.prefer.count == "estimated" {
		total = "(SELECT count(*) FROM " + source + ")"
	}
	j := &job{main: q.finish(&s, cte, rows, total, location, nil, !full)}
	j.keep = func(res *result) error {
		if w.verb == "put" && res.rows != 1 {
			return badRequest("PGRST115", "Payload values do not match URL in primary key column(s)")
		}
		if w.verb == "update" || w.verb == "delete" {
			return q.affectedCheck(res)
		}
		return nil
	}
	res, err := q.do(j)
	if err != nil {
		return err
	}
	return q.respondWrite(w, res)
}

// writePlan fills in what the method asks for.
func (q *request) writePlan(w *write, t *table, body *payload) error {
	if body != nil {
		w.body = body.array
		names := q.query.columns
		if names == nil {
			names = body.keys
		}
		for _, name := range names {
			c := t.column(name)
			if c == nil {
				return columnNotFound(t, name)
			}
			w.columns = append(w.columns, c)
		}
		w.defaults = q.prefer.missing == "default" && slices.ContainsFunc(w.columns,
			func(c *column) bool { return c.preset != "" })
	}
	switch q.r.Method {
	case http.MethodPost:
		w.verb = "insert"
		w.resolution, w.conflict = q.prefer.resolution, t.primary
		if q.query.onConflict != nil {
			w.conflict = q.query.onConflict
		}
		if len(w.conflict) == 0 {
			w.resolution = ""
		}
	case http.MethodPut:
		w.verb, w.resolution, w.conflict = "put", "merge-duplicates", t.primary
		return q.checkPut(t)
	case http.MethodPatch:
		w.verb = "update"
		w.nothing = len(w.columns) == 0
	case http.MethodDelete:
		w.verb = "delete"
	}
	if len(w.filters) == 0 && !w.nothing && !q.server.cfg.UnfilteredWrites {
		switch w.verb {
		case "update":
			return badRequest("21000", "UPDATE requires a WHERE clause")
		case "delete":
			return badRequest("21000", "DELETE requires a WHERE clause")
		}
	}
	return nil
}

// checkPut demands that the filters name one row by its primary key.
func (q *request) checkPut(t *table) error {
	if w, ok := q.query.windows[""]; ok && w != (window{limit: noLimit}) || q.r.Header.Get("Range") != "" {
		return badRequest("PGRST114", "limit/offset querystring parameters are not allowed for PUT")
	}
	bad := &Error{Status: http.StatusMethodNotAllowed, Code: "PGRST105",
		Message: "Filters must include all and only primary key columns with 'eq' operators"}
	given := slices.Sorted(slices.Values(q.query.filterNames))
	if len(t.primary) == 0 || !slices.Equal(given, slices.Sorted(slices.Values(t.primary))) {
		return bad
	}
	for _, l := range q.query.logic {
		if len(l.path) > 0 {
			continue
		}
		if f := l.value.leaf; f == nil || f.op != "eq" || f.not || f.quantifier != "" || len(f.field.path) > 0 {
			return bad
		}
	}
	return nil
}

// locationOf writes the expression that tells the key of a single inserted row
// as a JSON array of values, in the order of the primary key.
func locationOf(t *table) string {
	if len(t.primary) == 0 {
		return ""
	}
	values := ""
	for i, name := range t.primary {
		if i > 0 {
			values += ", "
		}
		values += "pgrst_one." + quote(name) + "::text"
	}
	return "(SELECT json_build_array(" + values + ") FROM " + source + " AS pgrst_one WHERE (SELECT count(*) FROM " +
		source + ") = 1)"
}
