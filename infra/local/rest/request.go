package rest

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// request is one request on its way through the server.
type request struct {
	server  *Server
	state   *state
	id      identity
	w       http.ResponseWriter
	r       *http.Request
	schema  string
	profile string

	query  *queryString
	prefer preferences
	media  media
	window window // of the top level
}

// read parses what every kind of request shares.
func (q *request) read(functionRead bool) (err error) {
	q.prefer = parsePrefer(q.r.Header.Values("Prefer"), q.state.cat.zones, q.server.allowsTxOverride())
	q.query, err = parseQuery(q.r.URL.RawQuery, functionRead)
	return err
}

// settle checks what PostgREST checks after planning.
func (q *request) settle(fn *function) (err error) {
	if q.prefer.strict() && len(q.prefer.invalid) > 0 {
		e := badRequest("PGRST122", "Invalid preferences given with handling=strict")
		e.Details = "Invalid preferences: " + strings.Join(q.prefer.invalid, ", ")
		return e
	}
	q.media, err = negotiate(q.r.Header.Values("Accept"), fn)
	return err
}

func (q *request) planner() *planner {
	return &planner{cat: q.state.cat, schema: q.schema, maxRows: int64(q.server.cfg.MaxRows),
		aggregates: q.server.cfg.Aggregates}
}

// relation answers a request for a table or view.
func (q *request) relation(name string) error {
	switch q.r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodPut,
		http.MethodOptions:
	default:
		return unsupported(q.r.Method)
	}
	if q.r.Method == http.MethodOptions {
		return q.options(name)
	}
	if err := q.read(false); err != nil {
		return err
	}
	var body *payload
	if q.writes() && q.r.Method != http.MethodDelete {
		var err error
		if body, err = readBody(q.w, q.r); err != nil {
			return err
		}
		if err := body.rows(q.query.columns); err != nil {
			return err
		}
	}
	t := q.state.cat.table(q.schema, name)
	if t == nil {
		return tableNotFound(q.state.cat, q.schema, name)
	}
	if q.writes() {
		return q.write(t, body)
	}
	return q.readTable(t)
}

func (q *request) writes() bool { return q.r.Method != http.MethodGet && q.r.Method != http.MethodHead }

func (q *request) options(name string) error {
	t := q.state.cat.table(q.schema, name)
	if t == nil {
		return tableNotFound(q.state.cat, q.schema, name)
	}
	allow := "OPTIONS,GET,HEAD"
	if t.insertable {
		allow += ",POST"
	}
	if t.insertable && t.updatable && len(t.primary) > 0 {
		allow += ",PUT"
	}
	if t.updatable {
		allow += ",PATCH"
	}
	if t.deletable {
		allow += ",DELETE"
	}
	q.allow(allow)
	return nil
}

func (q *request) readTable(t *table) error {
	top, err := q.takeRange()
	if err != nil {
		return err
	}
	n, err := q.planner().plan(t, t.name, q.query, false)
	if err != nil {
		return err
	}
	if err := q.settle(nil); err != nil {
		return err
	}
	q.applyRange(n, top)
	var s statement
	from := quoteQualified(t.name2) + " AS " + quote(n.alias)
	total := q.total(&s, n, from)
	rows := s.selectRows(n, from)
	main := q.finish(&s, "", rows, total, "", nil, false)
	j := &job{readOnly: true, main: main}
	if q.prefer.count == "planned" || q.prefer.count == "estimated" {
		j.explain = explain(n, from)
	}
	res, err := q.do(j)
	if err != nil {
		return err
	}
	return q.respondRead(t, res)
}

// explain asks for the planner's estimate of all rows.
func explain(n *node, from string) *query {
	var s statement
	return &query{sql: "EXPLAIN (FORMAT JSON) " + s.countRows(n, from), args: s.args}
}

// total writes the expression that counts all rows, or null.
func (q *request) total(s *statement, n *node, from string) string {
	switch q.prefer.count {
	case "exact":
		return "(SELECT count(*) FROM (" + s.countRows(n, from) + ") AS pgrst_all)"
	case "estimated":
		// An exact count up to the row cap; beyond it the estimate serves.
		limit := ""
		if q.server.cfg.MaxRows > 0 {
			limit = s.slice(window{limit: int64(q.server.cfg.MaxRows) + 1})
		}
		return "(SELECT count(*) FROM (" + s.countRows(n, from) + limit + ") AS pgrst_all)"
	}
	return "NULL"
}

// finish wraps rows, and the CTE before them if any, into the statement that
// gives the one result row.
func (q *request) finish(s *statement, cte, rows, total, location string, fn *function, bodyless bool) query {
	var b strings.Builder
	b.WriteString("WITH ")
	count := "count(*)"
	if cte != "" {
		word := " AS ("
		if fn != nil && fn.scalar {
			// The call must happen even when its value is not read.
			word = " AS MATERIALIZED ("
		}
		b.WriteString(source + word + cte + "), ")
	}
	if cte != "" && fn == nil {
		count = "(SELECT count(*) FROM " + source + ")"
	}
	// The aggregate keeps the answer at one row, whatever the rows are.
	body := "min(NULL::text)"
	if !bodyless {
		body = q.media.body(fn)
	}
	if location == "" {
		location = "NULL"
	}
	b.WriteString("pgrst_rows AS (" + rows + ") SELECT " + total + "::text, " + count + "::text, (" + body +
		")::text, " +
		"nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', " +
		"true), ''), " +
		"nullif(current_setting('" + insertedSetting + "', true), ''), " + location +
		"::text FROM pgrst_rows AS pgrst_t")
	return query{b.String(), s.args}
}

// do runs the job with the checks that can still roll it back.
func (q *request) do(j *job) (*result, error) {
	settings, err := q.server.settings(q.state, q.schema, q.id, q.r, &q.prefer)
	if err != nil {
		return nil, err
	}
	j.settings = append(settings, j.settings...)
	tx := q.server.cfg.TxEnd
	j.rollback = strings.HasPrefix(tx, "rollback")
	if q.prefer.transaction != "" {
		j.rollback = q.prefer.transaction == "rollback"
	}
	more := j.keep
	j.keep = func(res *result) error {
		if q.media.shape == shapeObject && res.rows != 1 {
			return notSingular(res.rows)
		}
		if more != nil {
			return more(res)
		}
		return nil
	}
	return q.server.run(q.r.Context(), q.state, j)
}

func (q *request) affectedCheck(res *result) error {
	if q.prefer.strict() && q.prefer.maxAffected >= 0 && res.rows > q.prefer.maxAffected {
		e := badRequest("PGRST124", "Query result exceeds max-affected preference constraint")
		e.Details = "The query affects " + itoa(res.rows) + " rows"
		return e
	}
	return nil
}

// function answers a call of a function.
func (q *request) function(name string) error {
	get := false
	var body *payload
	switch q.r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		get = true
	case http.MethodPost:
	default:
		return &Error{Status: http.StatusMethodNotAllowed, Code: "PGRST101", Message: "Cannot use the " + q.r.Method +
			" method on RPC"}
	}
	if err := q.read(get); err != nil {
		return err
	}
	c := &call{args: q.query.args}
	rawType := ""
	if get {
		for _, a := range c.args {
			c.keys = append(c.keys, a.name)
		}
		slices.Sort(c.keys)
		c.keys = slices.Compact(c.keys)
	} else {
		var err error
		if body, err = readBody(q.w, q.r); err != nil {
			return err
		}
		if err := body.arguments(q.query.columns); err != nil {
			return err
		}
		c.keys, c.body, c.args, rawType = body.keys, body.raw, body.form, body.media
		c.json = body.form == nil
	}
	p := q.planner()
	fn, err := p.findFunction(name, c.keys, rawType)
	if err != nil {
		return err
	}
	c.fn = fn
	if q.r.Method == http.MethodOptions {
		if fn.volatile == "v" {
			q.allow("OPTIONS,POST")
		} else {
			q.allow("OPTIONS,GET,HEAD,POST")
		}
		return nil
	}
	switch {
	case fn.unnamed && rawType == "application/octet-stream":
		c.body = bytea(c.body)
	case !fn.unnamed && body != nil && body.array != nil:
		c.body = body.array
	}
	return q.call(p, c, get)
}

func (q *request) call(p *planner, c *call, get bool) error {
	top, err := q.takeRange()
	if err != nil {
		return err
	}
	t := q.state.cat.tables[c.fn.table]
	name := c.fn.name
	if t != nil {
		name = t.name
	}
	n, err := p.plan(t, name, q.query, false)
	if err != nil {
		return err
	}
	if err := q.settle(c.fn); err != nil {
		return err
	}
	if q.prefer.strict() && q.prefer.maxAffected >= 0 && !c.fn.setOf {
		return badRequest("PGRST128", "Function must return SETOF or TABLE when max-affected preference is used "+
			"with handling=strict")
	}
	q.applyRange(n, top)
	if c.fn.scalar {
		// A bare value has no columns to choose from.
		n.items = []selectItem{{field: field{name: "*"}}}
	}
	c.extra = n.computed()
	n.derived = true
	var s statement
	from := source + " AS " + quote(n.alias)
	cte := s.call(c)
	total := "NULL"
	if q.prefer.count == "exact" || q.prefer.count == "estimated" {
		total = "(SELECT count(*) FROM (" + s.countRows(n, from) + ") AS pgrst_all)"
	}
	rows := s.selectRows(n, from)
	j := &job{readOnly: get || c.fn.volatile != "v", keep: q.affectedCheck}
	j.main = q.finish(&s, cte, rows, total, "", c.fn, c.fn.void)
	if c.fn.timeout != "" {
		j.settings = append(j.settings, setting{"statement_timeout", c.fn.timeout})
	}
	res, err := q.do(j)
	if err != nil {
		return err
	}
	if q.media.binary {
		if res.body, err = hex.DecodeString(string(res.body)); err != nil {
			return fmt.Errorf("decode bytes: %w", err)
		}
	}
	return q.respondCall(c.fn, res)
}
